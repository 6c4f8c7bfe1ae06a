"""The house rules: imports go downwards, the public face is small, importing is light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import snelfs

PACKAGE = Path(snelfs.__file__).parent

# From the ground up: a module may import those of the levels below its own, and no other.
LEVELS = [
    [
        "arguments",
        "arrays",
        "estimator_html",
        "folders",
        "sources",
        "paper",
        "plot_style",
        "readers",
        "gates",
        "judging",
        "mrmr",
        "processes",
        "progress",
        "relief",
        "records",
        "sheets",
        "timing",
    ],
    [
        "compilation",
        "devices",
        "optimizers",
        "schedules",
        "penalties",
        "starts",
        "layer",
        "moments",
        "microarray",
        "baselines",
        "cluster",
        "comparison",
        "stability",
        "table_checks",
        "table_numbers",
    ],
    [
        "datasets",
        "doubts",
        "effects",
        "settings",
        "curves",
        "redundancy",
        "runs",
        "saliency",
        "sparse_linear",
        "delimited",
        "table_columns",
        "table_rows",
    ],
    ["network", "arff", "geo"],
    ["scores", "preparation", "table_formats"],
    ["objective", "given_up", "settled"],
    ["batches", "best_model", "refit", "tables"],
    ["training"],
    ["table_writers"],
    ["options"],
    ["rounds", "speed_jobs"],
    ["search", "eager_torch", "keras_fit"],
    ["howmany", "chance"],
    ["base"],
    ["selector", "tuning", "plot_inputs"],
    ["__init__", "application", "model_files", "selection"],
    ["methods", "speed", "saliency_maps", "plots_features", "plots_training", "plots_columns"],
    ["recovery", "accuracy", "plots_comparison", "report_figures", "verdict"],
    [
        "accuracy_tables",
        "bootstraps",
        "cost",
        "evaluation",
        "false_finds",
        "growth",
        "peers",
        "shortcuts",
        "plots",
        "report_words",
    ],
    ["ablation", "drawings", "evaluation_files", "report"],
    ["selection_folder"],
    ["cli_options", "cli_progress"],
    ["cli_apply", "cli_bench", "cli_evaluate", "cli_plot", "cli_select"],
    ["cli"],
    ["__main__"],
]
LEVEL_OF = {module: level for level, modules in enumerate(LEVELS) for module in modules}


def imported_modules(path):
    """Return the modules of the package that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "snelfs":
            for alias in node.names:
                yield alias.name if alias.name in LEVEL_OF else "__init__"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("snelfs."):
            yield node.module.split(".")[1]


def test_every_module_has_its_level():
    """A new file is given its place before it imports anything."""
    assert {path.stem for path in PACKAGE.glob("*.py")} == set(LEVEL_OF)


@pytest.mark.parametrize("module", sorted(LEVEL_OF))
def test_imports_go_downwards_only(module):
    """Siblings do not import each other, and nobody imports from above."""
    for imported in imported_modules(PACKAGE / f"{module}.py"):
        assert LEVEL_OF[imported] < LEVEL_OF[module], f"{module} imports {imported}"


def test_public_names_are_sorted_and_exist():
    """`__all__` is the whole public face, and a wrong name is an error as usual."""
    assert snelfs.__all__ == sorted(snelfs.__all__) == sorted(snelfs._HOMES)
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
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                assert length <= 45, f"{path.name}: {node.name} has {length} lines"
