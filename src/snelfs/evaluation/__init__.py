"""Does a selection help here? Rivals, models that judge, intervals, and a verdict."""

from snelfs.evaluation.cross_validation import Evaluation, evaluate
from snelfs.evaluation.files import write_evaluation

__all__ = ["Evaluation", "evaluate", "write_evaluation"]
