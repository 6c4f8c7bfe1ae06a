"""What several tests of plots draw, and how they read it back."""

import numpy as np

from snelfs import plots

ODD_NAMES = ["$alpha$", "a_b^c", "<script>alert(1)</script>", "cost in $", "_hidden", "a\nb"]
NAMES = ODD_NAMES + [f"gene_{i:02d}" for i in range(len(ODD_NAMES), 20)]

ROWS = [
    {"data": data, "method": method, "draws": "4", "mean": mean, "sd": sd, "note": note}
    for data, method, mean, sd, note in [
        ("Mad", "f_score", "0.5", "0.2", ""),
        ("Mad", "snel", "0.9", "0.1", ""),
        ("XOR", "f_score", "0.0", "0.0", ""),
        ("XOR", "snel", "", "", "over 60 s"),
    ]
]


def interaction(n_columns=6):
    X = np.random.default_rng(1).standard_normal((200, n_columns))
    return plots.InteractionDisplay.from_data(X, X[:, 1] * X[:, 4] > 0, n_pairs=1)


def tick_names(axis):
    return [label.get_text() for label in axis.get_ticklabels()]
