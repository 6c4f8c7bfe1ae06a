"""What the command line calls an argument, and what it takes for its values."""

import pytest
import typer

from snelfs.cli.app import app
from snelfs.cli.settings import OPTIONS, as_option
from snelfs.foundation.sentences import Argument


@pytest.mark.parametrize(
    ("argument", "option"),
    [
        ("n_features_to_select=5", "-k 5"),
        ("n_features_to_select=1", "-k 1"),
        ("n_features_to_select='auto'", "-k auto"),
        ("n_shuffles", "--shuffles"),
        ("random_state", "--seed"),
        ("id_column", "--id-column"),
        ("layer=", "--layer"),
        ("layer='Sheet 1'", "--layer 'Sheet 1'"),
        ('decimal=","', "--decimal ,"),
        ('class_weight="balanced"', "--class-weight balanced"),
        ("threshold=1e-05", "--threshold 1e-05"),
        ("y", "y"),
        ("download=False", "download=False"),
    ],
)
def test_the_command_line_has_its_own_names(argument, option):
    """What has no option is called as in Python."""
    assert as_option(Argument(argument)) == option


def options_of(command):
    """Return the options of a command and of those below it."""
    below = getattr(command, "commands", {}).values()
    own = {option for parameter in command.params for option in parameter.opts}
    return own.union(*map(options_of, below))


def test_every_option_that_sentences_name_is_there():
    """The last word of what an argument is called is an option of some command."""
    named = {words.split()[-1] for words in OPTIONS.values()}
    assert named <= options_of(typer.main.get_command(app))
