"""The house rules: rooms import downwards, the public face is small, importing is light."""

import ast
import doctest
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import snelfs

PACKAGE = Path(snelfs.__file__).parent
REFERENCE = Path(__file__).parents[1] / "docs" / "api.md"

# From the ground up: a room imports those before it, and no other.
ROOMS = (
    *("foundation", "data", "engine", "layer", "datasets", "tables", "search"),
    *("estimators", "torch", "plots", "evaluation", "selection", "cli", "bench"),
)
PUBLIC = (
    *("layer", "datasets", "tables", "torch"),
    *("plots", "evaluation", "selection"),
)

MODULES = {
    ".".join(("snelfs", *path.relative_to(PACKAGE).with_suffix("").parts)): path
    for path in PACKAGE.rglob("*.py")
    if path.parent != PACKAGE
}


def imported_modules(path):
    """Return the modules of the package that a file imports; a name of the root is one of the estimators."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "snelfs":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                inside = whole if whole in MODULES else node.module
                room = "estimators.snel" if inside == "snelfs" else inside.partition(".")[2]
                yield f"snelfs.{room}"


def test_the_top_holds_the_rooms_and_nothing_else():
    """Whoever opens the folder sees the plan."""
    files = {"__init__.py", "__main__.py", "py.typed"}
    found = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    assert found == {*ROOMS, *files}


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_rooms_below_them(room):
    """And the modules of a room import each other without cycles."""
    graph = {}
    for module, path in MODULES.items():
        if module.split(".")[1] == room:
            graph[module] = set(imported_modules(path)) - {module}
            for imported in graph[module]:
                assert ROOMS.index(imported.split(".")[1]) <= ROOMS.index(room), (
                    f"{module} imports {imported}"
                )
    assert list(TopologicalSorter(graph).static_order())


def test_no_room_takes_what_another_calls_its_own():
    """A name that begins with an underscore stays in its module."""
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("snelfs"):
                private = [alias.name for alias in node.names if re.match(r"_[a-z]", alias.name)]
                assert not private, f"{module} imports {private} from {node.module}"


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_its_purpose_and_lists_its_public_names(room):
    """The names are sorted, and each of them exists."""
    module = import_module(f"snelfs.{room}")
    assert module.__doc__.splitlines()[0].endswith(".")
    assert module.__all__ == sorted(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    assert bool(module.__all__) == (room in PUBLIC)


def test_the_reference_has_the_public_names():
    """Those of the root by name, those of a public room all at once."""
    text = REFERENCE.read_text(encoding="utf-8")
    named = re.findall(r"auto(?:class|function):: snelfs\.(\w+)$", text, re.MULTILINE)
    assert sorted(named) == snelfs.__all__ == sorted(snelfs.__all__)
    assert all(hasattr(snelfs, name) for name in snelfs.__all__)
    assert set(snelfs.__all__) <= set(dir(snelfs))
    assert not hasattr(snelfs, "SNeLClusterer")
    whole = re.findall(r"automodule:: snelfs\.(\w+)\n   :members:$", text, re.MULTILINE)
    assert sorted(whole) == sorted(PUBLIC)


@pytest.mark.parametrize("name", [name for name in snelfs.__all__ if name[0].isupper()])
def test_examples_of_classes_named_in_the_root_are_right(name):
    """The doctests of a module leave out classes that say they are of another one."""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    kind = getattr(snelfs, name)
    for example in doctest.DocTestFinder(recurse=False).find(kind, name, module=False, globs={}):
        runner.run(example)
    assert runner.failures == 0


def test_import_is_light():
    """Importing the package loads no plotting, no frames, no other framework and no network code."""
    heavy = [
        *("matplotlib", "pandas", "polars", "torch", "flax", "equinox", "lightning", "skorch"),
        *("requests", "urllib3", "pooch", "typer", "http.client"),
    ]
    code = f"import sys, snelfs; print([name for name in {heavy} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_no_function_is_long():
    """A function has at most 45 lines of code, its signature and docstring not counted."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                assert length <= 45, f"{path.name}: {node.name} has {length} lines"
