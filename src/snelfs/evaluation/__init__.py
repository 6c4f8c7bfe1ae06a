"""Does a selection help here? Rivals, models that judge, intervals, and a verdict."""

from snelfs.evaluation.cross_validation import evaluate
from snelfs.evaluation.files import write_evaluation
from snelfs.evaluation.result import Evaluation

__all__ = ["Evaluation", "evaluate", "write_evaluation"]
