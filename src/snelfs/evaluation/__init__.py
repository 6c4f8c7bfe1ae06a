"""Does a selection help here? Rivals, models that judge, intervals, and a verdict."""

from typing import TYPE_CHECKING

from snelfs.foundation.lazy import loaded_on_use

if TYPE_CHECKING:
    from snelfs.evaluation.cross_validation import evaluate
    from snelfs.evaluation.files import write_evaluation
    from snelfs.evaluation.result import Evaluation

__all__ = ["Evaluation", "evaluate", "write_evaluation"]

# Processes of a long run start from here, and need scikit-learn and JAX only if their trials do.
__getattr__ = loaded_on_use(
    __name__, {"Evaluation": "result", "evaluate": "cross_validation", "write_evaluation": "files"}
)
