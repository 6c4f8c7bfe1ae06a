"""What an extra brings is imported, or named in one sentence wherever it is missing."""

import re
import sys
from pathlib import Path

import pytest

import snelfs
from snelfs.foundation.extras import require
from snelfs.selection.model_file import load_model
from snelfs.tables import read_table


def test_what_is_there_is_returned():
    assert require("json.decoder", "files", "Anything") is sys.modules["json.decoder"]


@pytest.mark.parametrize(
    ("package", "call", "sentence"),
    [
        ("skops.io", lambda path: load_model(path), "A model on disk needs the extra 'cli'"),
        ("pandas", lambda path: read_table(path), "Reading and writing tables needs the extra 'files'"),
    ],
)
def test_the_error_names_purpose_extra_and_package(package, call, sentence, tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    monkeypatch.setitem(sys.modules, package, None)
    extra = sentence.split("'")[1]
    said = re.escape(f"{sentence}: pip install 'snelfs[{extra}]'.")
    with pytest.raises(ImportError, match=f"^{said}$") as raised:
        call(path)
    assert raised.value.name == package


def test_every_extra_asked_for_exists():
    """And nobody writes the sentence anew, but for the command, which cannot know whether it may import."""
    package = Path(snelfs.__file__).parent
    sources = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    asked = {name for text in sources.values() for name in re.findall(r'require\([^,]+, "(\w+)"', text)}
    parts = {"equinox", "flax", "lightning", "skorch", "torch"}
    assert asked == {"bench", "cli", "cluster", "data", "files", "plots", *parts}
    by_hand = {path.name for path, text in sources.items() if "pip install" in text}
    assert by_hand == {"__main__.py", "extras.py"}
