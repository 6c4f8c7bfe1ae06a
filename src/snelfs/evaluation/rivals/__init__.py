"""The selectors that ours is compared with."""

__all__: list[str] = []
