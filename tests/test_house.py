"""The house rules: the public face is small, importing is light, no function is long."""

import ast
import subprocess
import sys
from pathlib import Path

import snelfs

PACKAGE = Path(snelfs.__file__).parent


def test_public_names_are_sorted_and_exist():
    """`__all__` is the whole public face, and a wrong name is an error as usual."""
    assert snelfs.__all__ == sorted(snelfs.__all__)
    assert all(hasattr(snelfs, name) for name in snelfs.__all__)
    assert set(snelfs.__all__) <= set(dir(snelfs))
    assert not hasattr(snelfs, "SNeLClusterer")


def test_import_is_light():
    """Importing the package loads no plotting, no frames, no other framework and no network code."""
    heavy = [
        "matplotlib",
        "pandas",
        "polars",
        "torch",
        "requests",
        "urllib3",
        "pooch",
        "typer",
        "http.client",
    ]
    code = f"import sys, snelfs; print([name for name in {heavy} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_no_function_is_long():
    """A function has at most 45 lines of code, its signature and docstring not counted."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                assert length <= 45, f"{path.name}: {node.name} has {length} lines"
