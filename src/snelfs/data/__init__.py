"""`X, y` of any kind become distinct, standardised rows that can be split."""

__all__: list[str] = []
