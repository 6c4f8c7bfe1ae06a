"""Settings and places that several tests share."""

from pathlib import Path

# Few epochs of a small net: enough for behaviour, not for quality.
QUICK = {"n_features_to_select": 5, "n_restarts": 4, "steps": 10, "random_state": 0}

SHARED_DATA = Path(__file__).parents[3] / "shared" / "data" / "microarray"
