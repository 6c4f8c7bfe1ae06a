"""The figures in the README are those of the results."""

import csv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_readme_shows_what_the_benchmark_wrote():
    """Every cell of its table is the average F1 in results/microarray.csv, to three digits."""
    from snelfs.methods import TITLES

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
