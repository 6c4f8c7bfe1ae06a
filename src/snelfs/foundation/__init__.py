"""What every room stands on: checks of arguments, types, words, files, extras and progress."""

__all__: list[str] = []
