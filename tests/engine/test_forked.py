"""A process that is copied after a training."""

import subprocess
import sys

CODE = """
import os, sys, warnings
import numpy as np
from snelfs import SNeLRegressor
warnings.simplefilter("ignore")
X = np.random.default_rng(0).standard_normal((60, 20))
def fit():
    SNeLRegressor(5, n_restarts=4, steps=10, refine=False, random_state=0).fit(X, X[:, 4])
if sys.argv[1] == "after":
    fit()
child = os.fork()
if not child:
    try:
        fit()
    except RuntimeError as error:
        print(error, flush=True)
        os._exit(3)
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def test_a_copy_of_a_process_that_has_fitted_says_that_it_cannot():
    """It does not hang: JAX's threads are not copied with the process."""
    command = [sys.executable, "-c", CODE, "after"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert shown.stdout.startswith("This process was forked from one that has fitted already")
    assert shown.stdout.endswith("\n3\n")


def test_a_copy_of_a_process_that_has_not_fitted_fits():
    command = [sys.executable, "-c", CODE, "before"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert shown.stdout == "0\n"
