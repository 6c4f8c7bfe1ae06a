"""Plots of selections: computed data in, matplotlib Axes out.

Each display holds what it shows as plain arrays. `from_estimator` computes them, and ``plot(ax=None)`` draws
them into the Axes given, or into a new figure, and returns the Axes; nothing is shown, saved or styled for
other figures. Displays of several panels replace the Axes by them: they are its `child_axes`.

matplotlib is the extra ``plots`` and is imported when something is drawn.
"""

from snelfs.plots.columns import DistributionDisplay, InteractionDisplay
from snelfs.plots.comparison import AgreementDisplay, BenchmarkDisplay, StabilityDisplay
from snelfs.plots.features import FrequencyDisplay, LayerDisplay, RankingDisplay
from snelfs.plots.survival import HazardDisplay, SurvivalDisplay
from snelfs.plots.training import SizeDisplay, TrainingDisplay

__all__ = [
    "AgreementDisplay",
    "BenchmarkDisplay",
    "DistributionDisplay",
    "FrequencyDisplay",
    "HazardDisplay",
    "InteractionDisplay",
    "LayerDisplay",
    "RankingDisplay",
    "SizeDisplay",
    "StabilityDisplay",
    "SurvivalDisplay",
    "TrainingDisplay",
]
