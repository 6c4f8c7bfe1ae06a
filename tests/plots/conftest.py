"""Fitted selectors to plot, and Axes of the width of a paper's column."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from plotted import NAMES
from snelfs import SNeLClassifier, SNeLRegressor


@pytest.fixture(scope="session")
def frame(table):
    X, y = table
    return pd.DataFrame(X, columns=NAMES), np.where(y > 0, "$high$", "_low")


@pytest.fixture(scope="session")
def classifier(quick, frame):
    return SNeLClassifier(**quick, refine=False).fit(*frame)


@pytest.fixture(scope="session")
def regressor(quick, table):
    return SNeLRegressor(**quick, refine=False).fit(*table)


@pytest.fixture
def ax():
    return Figure(figsize=(3.3, 3), layout="constrained").add_subplot()
