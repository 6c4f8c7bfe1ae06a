"""The pages are in step: the figures with the results, the command line with its help."""

import csv
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_readme_shows_what_the_benchmark_wrote():
    """Every cell of its table is the average F1 in results/microarray.csv, to three digits."""
    from snelfs.bench.methods import TITLES

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = (
        text.split("<!-- microarray:start -->")[1].split("<!-- microarray:end -->")[0].strip().splitlines()
    )
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    with (ROOT / "results" / "microarray.csv").open(encoding="utf-8") as file:
        found = {
            (TITLES[row["method"]], row["data"]): f"{float(row['mean']):.3f}"
            for row in csv.DictReader(file)
            if row["classifier"] == "avg"
        }
    assert len(rows) >= 7
    for title, *cells in rows:
        assert cells == [found[title, data] for data in header[1:]]


def test_the_page_of_the_command_line_is_what_the_help_says():
    """After a change of a command, `python docs/cli_page.py` writes the page anew."""
    page = runpy.run_path(str(ROOT / "docs" / "cli_page.py"))["cli_page"]()
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == page


def test_every_command_ends_with_an_example_that_can_be_run():
    """The example of a command is one line that begins with the command, and its options exist."""
    import typer

    from snelfs.cli.app import app

    for words, command in leaves(typer.main.get_command(app), ("snelfs",)):
        last = (command.help or "").strip().splitlines()[-1].strip()
        assert last.startswith(f"Example: {' '.join(words)} "), words
        options = {name for param in command.params for name in param.opts}
        assert {word for word in last.split() if word.startswith("-")} <= options


def leaves(command, words):
    """Return all commands that are no groups, with their words."""
    members = getattr(command, "commands", None)
    if members is None:
        return [(words, command)]
    return [leaf for name, member in members.items() for leaf in leaves(member, (*words, name))]
