"""From prepared rows to a ranking: associations, rounds, how many, and what chance would find."""

__all__: list[str] = []
