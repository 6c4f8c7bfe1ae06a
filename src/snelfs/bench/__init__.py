"""Every figure of README and docs, and the command that makes it."""

__all__: list[str] = []
