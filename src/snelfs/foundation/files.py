"""Where things are kept between runs."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for what can be had again: the one that SNELFS_CACHE names, or the user's own.

    It need not exist.
    """
    if named := os.environ.get("SNELFS_CACHE"):
        return Path(named).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "snelfs"
