"""The command line in this process, for tests of several rooms."""

import re

from typer.testing import CliRunner

from snelfs.cli.app import app

# Settings of `select` that train for a second.
FAST = ["-k", "5", "--n-restarts", "4", "--steps", "10", "--refine", "false"]


def run(*words):
    """Run a command in this process."""
    return CliRunner().invoke(app, [str(word) for word in words])


def words_of(shown):
    """Return what was said on one line, without the frame around errors."""
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", shown.output).split())
