"""Where things are kept between runs, and folders written whole or not at all."""

import os
from pathlib import Path

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from snelfs.foundation.files import cache_folder, folder_written_whole


@pytest.mark.parametrize(
    ("system", "variables", "folder"),
    [
        (Unix, {}, "/home/me/.cache/snelfs"),
        (Unix, {"XDG_CACHE_HOME": "/elsewhere"}, "/elsewhere/snelfs"),
        (MacOS, {}, "/home/me/Library/Caches/snelfs"),
        (Windows, {"LOCALAPPDATA": "/local"}, "/local/snelfs"),
        (Windows, {"LOCALAPPDATA": "/local", "SNELFS_CACHE": "~/mine"}, "/home/me/mine"),
        (Unix, {"SNELFS_CACHE": "/mine"}, "/mine"),
    ],
)
def test_the_cache_folder_is_where_the_system_keeps_such(monkeypatch, system, variables, folder):
    """SNELFS_CACHE comes before everything."""
    for name in ("SNELFS_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(platformdirs, "PlatformDirs", system)
    # Windows itself would be asked.
    monkeypatch.setattr(platformdirs.windows, "get_win_folder", lambda _: os.environ["LOCALAPPDATA"])
    assert cache_folder() == Path(folder)


def fill_and_fail(folder):
    with folder_written_whole(folder) as inside:
        (inside / "a.txt").write_text("half")
        raise OSError("the disk is full")


def test_a_folder_that_fails_half_way_is_not_there(tmp_path):
    with pytest.raises(OSError, match="full"):
        fill_and_fail(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
