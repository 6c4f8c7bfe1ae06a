"""Make the picture of the report that the README shows: ``python docs/picture.py`` writes docs/report.png.

It needs the extras ``cli`` and ``test``, and a chromium on the path.
"""

import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer

from snelfs.selection import Selection, select
from snelfs.selection.report import write_report
from snelfs.tables import Table

PICTURE = Path(__file__).with_name("report.png")
SIZE = {"width": 1240, "height": 980}


def selection() -> Selection:
    """Select 5 of the 30 measurements of the breast-cancer data that scikit-learn ships."""
    data = load_breast_cancer()
    names = tuple(str(name) for name in data.feature_names)
    rows = tuple(str(row) for row in range(1, len(data.target) + 1))
    target = data.target_names[data.target]
    table = Table(data.data, names, rows, target, "diagnosis", "scikit-learn", None, ())
    return select(table, settings={"n_features_to_select": 5, "random_state": 0})


def photograph(page: Path, picture: Path) -> None:
    """Write what a window shows of a page, in 128 colours."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = chromium.new_page(viewport=SIZE, device_scale_factor=1.5, color_scheme="light")
        tab.goto(page.as_uri())
        tab.screenshot(path=picture)
        chromium.close()
    Image.open(picture).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        page = write_report(selection(), Path(folder) / "report.html", "python docs/picture.py")
        photograph(page, PICTURE)
