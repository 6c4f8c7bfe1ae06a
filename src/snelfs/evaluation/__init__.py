"""Does a selection help here? Rivals, models that judge, intervals, and a verdict."""

from typing import TYPE_CHECKING

from snelfs.foundation.lazy import loaded_on_use

if TYPE_CHECKING:
    from snelfs.evaluation.cross_validation import evaluate
    from snelfs.evaluation.result import Evaluation

__all__ = ["Evaluation", "evaluate"]

# The command line asks for the kinds of progress alone, and help should not wait for scikit-learn.
__getattr__ = loaded_on_use(__name__, {"Evaluation": "result", "evaluate": "cross_validation"})
