"""The command `snelfs`, also as ``python -m snelfs``."""


def main() -> None:
    """Run the command line, or say which extra it needs."""
    try:
        from snelfs.cli.app import app
    except ModuleNotFoundError as error:
        if error.name != "typer":
            raise
        raise SystemExit(
            "snelfs: the command line needs the extra 'cli': pip install 'snelfs[cli]'"
        ) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    app(prog_name="snelfs")


if __name__ == "__main__":
    main()
