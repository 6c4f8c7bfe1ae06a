"""The time of an epoch against its floor and other frameworks, and how soon a fit computes."""

__all__: list[str] = []
