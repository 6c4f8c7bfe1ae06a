"""Work for other processes, in a file of its own that is quick to import."""

import os
import time
from pathlib import Path


def square(trial):
    return {"value": trial.seed**2}


def fail_on_one(trial):
    if trial.seed == 1:
        raise ArithmeticError("one is\nnot allowed")
    return square(trial)


def crash_on_one(trial):
    return os._exit(7) if trial.seed == 1 else square(trial)


def hang_but_for_quick(trial):
    return square(trial) if trial.method == "quick" else hang(trial)


def end_as_told(trial):
    if trial.method == "fails":
        raise ArithmeticError("one is\nnot allowed")
    if trial.method == "crashes":
        os._exit(7)
    return square(trial)


def hang(_):
    return time.sleep(600)


def wait_for_the_first(trial):
    """The second trial ends only when somebody has seen the first one's record."""
    while trial.seed == 1 and not Path(trial.data, "seen").exists():
        time.sleep(0.05)
    return {"value": trial.seed}


def hang_on_the_victim(trial):
    """On the worker to be killed, no trial ever ends."""
    folder = Path(trial.data)
    if os.getppid() == int((folder / "victim").read_text()):
        (folder / "caught").write_text(str(os.getpid()))
        time.sleep(600)
    return {"value": trial.seed}
