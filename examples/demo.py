"""Select features from data with known relevant columns, then from real data that scikit-learn ships.

Run with ``make demo``; it takes under a minute. It ends with a report to open in a browser.
"""

import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer

from snelfs import SNeLClassifier
from snelfs.bench.synthetic import index_of_success
from snelfs.datasets import make_madelon
from snelfs.selection import select
from snelfs.selection.report import write_report
from snelfs.tables import Table

FOLDER = Path("demo-selection")


def show(selector: SNeLClassifier, relevant: set[str] = frozenset(), n_shown: int = 15) -> None:
    """Print the ranked features with their scores, and a star at the relevant ones."""
    print(f"{'rank':>4}  {'score':>6}  feature")
    for row in selector.ranked_features()[:n_shown]:
        star = "  * relevant" if row["name"] in relevant else ""
        print(f"{row['rank']:>4}  {row['score']:>6.3f}  {row['name']}{star}")


def select_known() -> None:
    """Find the 5 columns that separate two classes of clusters among 500."""
    X, y, relevant = make_madelon(1000, 500, random_state=0)
    print(f"Madelon: {X.shape[0]:,} rows, {X.shape[1]} columns in random order, {len(relevant)} relevant.")
    started = time.perf_counter()
    selector = SNeLClassifier(n_features_to_select=15, random_state=0, verbose=1).fit(X, y)
    show(selector, {f"x{j}" for j in relevant})
    found = np.flatnonzero(selector.support_[relevant])
    success = index_of_success(selector.ranking_, relevant, 15)
    print(f"{len(found)} of {len(relevant)} relevant columns found (index of success {success:.4f})")
    print(f"in {time.perf_counter() - started:.1f} s, compilation included.\n")


def select_measured() -> None:
    """Rank the 30 measurements of the breast-cancer data, predict from 5 of them, and write a report."""
    data = load_breast_cancer(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    train = np.arange(len(y)) % 3 > 0
    print(f"Breast cancer: {train.sum()} of {len(y)} rows to fit on, {X.shape[1]} named columns.")
    rows = tuple(str(row) for row in np.flatnonzero(train))
    names = tuple(data.feature_names)
    table = Table(X[train].to_numpy(), names, rows, y[train], "diagnosis", "scikit-learn", None, ())
    selection = select(table, settings={"n_features_to_select": 5, "random_state": 0})
    show(selection.estimator, n_shown=5)
    accuracy = selection.estimator.score(X[~train], y[~train])
    print(f"Accuracy on the other {(~train).sum()} rows from these 5 columns: {accuracy:.3f}")
    FOLDER.mkdir(exist_ok=True)
    path = write_report(selection, FOLDER / "report.html", "python examples/demo.py")
    print(f"Open {path} in a browser: verdict, features, pictures, training.")


if __name__ == "__main__":
    select_known()
    select_measured()
