"""The selection of a table: effects, caveats, folder, report, and the model on disk."""

from typing import TYPE_CHECKING

from snelfs.foundation.lazy import loaded_on_use

if TYPE_CHECKING:
    from snelfs.selection.application import predictions, read_selected
    from snelfs.selection.folder import model_of, write_folder
    from snelfs.selection.model_file import load_model, save_model
    from snelfs.selection.report import write_report
    from snelfs.selection.result import Feature, Selection
    from snelfs.selection.selecting import select

__all__ = [
    "Feature",
    "Selection",
    "load_model",
    "model_of",
    "predictions",
    "read_selected",
    "save_model",
    "select",
    "write_folder",
    "write_report",
]

# What a command refuses it should refuse at once, and most of these bring JAX.
__getattr__ = loaded_on_use(
    __name__,
    {
        "Feature": "result",
        "Selection": "result",
        "load_model": "model_file",
        "model_of": "folder",
        "predictions": "application",
        "read_selected": "application",
        "save_model": "model_file",
        "select": "selecting",
        "write_folder": "folder",
        "write_report": "report",
    },
)
