"""The scikit-learn face: two selectors that are also models, their tuning, the paper's settings."""

__all__: list[str] = []
