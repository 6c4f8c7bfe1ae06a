"""The command `snelfs`, also as ``python -m snelfs``."""

from snelfs.cli import endings


def main() -> None:
    """Run the command line, or say which extra it needs."""
    with endings.on_request():
        _run()


def _run() -> None:
    try:
        from snelfs.cli.app import app
    except ModuleNotFoundError as error:
        if error.name != "typer":
            raise
        raise SystemExit(
            "snelfs: the command line needs the extra 'cli': pip install 'snelfs[cli]'"
        ) from None
    app(prog_name="snelfs")


if __name__ == "__main__":
    main()
