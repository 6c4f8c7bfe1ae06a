"""Write docs/cli.md from the help texts of all commands: ``python docs/cli_page.py``."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from snelfs.cli.app import app

PAGE = Path(__file__).with_name("cli.md")
INTRODUCTION = """# Command line

The extra `cli` brings the command `snelfs`: `pip install 'snelfs[cli]'`. This page is written by
`python docs/cli_page.py` from what `snelfs COMMAND --help` says. Everything that a command does can be done
from Python as well.

A wrong value ends with one sentence and exit code 2, a full disk with exit code 1, and Ctrl-C with exit code
130; nothing is then left half written. `snelfs --install-completion` teaches your shell to complete commands
and options.
"""


def cli_page() -> str:
    """Return the page."""
    sections = _sections(typer.main.get_command(app), "snelfs", 1)
    return "\n".join([INTRODUCTION, *sections])


def _sections(command: Any, name: str, depth: int) -> Iterator[str]:
    """Yield the section of a command, or those of all commands in a group."""
    members = getattr(command, "commands", None)
    if depth > 1:
        yield f"{'#' * depth} `{name}`\n\n{_words(command)}"
    if members is None:
        yield _usage(command, name)
        yield from _tables(command)
        return
    for member, part in members.items():
        yield from _sections(part, f"{name} {member}", depth + 1)


def _words(command: Any) -> str:
    """Return the help, its example as code."""
    text, _, example = inspect.cleandoc(command.help or "").partition("Example: ")
    return text.strip() + "\n" + (f"\n```console\n$ {example.strip()}\n```\n" if example else "")


def _usage(command: Any, name: str) -> str:
    arguments = [each.metavar for each in command.params if each.param_type_name == "argument"]
    return f"Usage: `{' '.join([name, *arguments, '[OPTIONS]'])}`\n"


def _tables(command: Any) -> Iterator[str]:
    """Yield a table of the options, and one for each group of further ones."""
    groups: dict[str, list[Any]] = {}
    for each in command.params:
        if getattr(each, "hidden", False):
            continue
        groups.setdefault(getattr(each, "rich_help_panel", None) or "", []).append(each)
    for title, params in groups.items():
        rows = [f"| {_cell(_name(each))} | {_cell(_meaning(each))} |" for each in params]
        heading = f"{title}:\n\n" if title else ""
        yield heading + "\n".join(["| option | meaning |", "| --- | --- |", *rows]) + "\n"


def _name(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{param.metavar}`"
    names = ", ".join([*param.opts, *param.secondary_opts])
    usual = "N" if isinstance(param.default, int | float) else "TEXT"
    return f"`{names}`" if param.is_flag else f"`{names} {param.metavar or usual}`"


def _meaning(param: Any) -> str:
    shown = getattr(param, "show_default", False)
    default = shown if isinstance(shown, str) else str(param.default if param.default is not None else "")
    if not shown or param.is_flag or not default:
        return param.help or ""
    return f"{param.help or ''} Default: `{default}`."


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(cli_page(), encoding="utf-8")
