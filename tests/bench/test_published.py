"""The published results are those that the paper prints."""

import itertools
from statistics import fmean

import pytest

from snelfs.bench.published import published_cost, published_scores, published_success
from snelfs.estimators.paper import paper_names

SYNTHETIC, REAL = paper_names()[:8], paper_names()[8:]
CLASSIFIERS = ("NB", "SVC", "RF", "kNN")
SUCCESS_METHODS = ("mrmr", "relieff", "f_score", "snel_fs")
SCORE_METHODS = ("no_fs", *SUCCESS_METHODS)


def test_published_tables_are_independent():
    """Changing a returned table does not change a later answer."""
    published_success()["Mad"]["snel_fs"] = 0.0
    published_scores()["colon"]["NB"].clear()
    published_cost()["NB"]["ratio"] = 0.0
    assert published_success()["Mad"]["snel_fs"] == 0.99
    assert set(published_scores()["colon"]["NB"]) == set(SCORE_METHODS)
    assert published_cost()["NB"]["ratio"] == 74.47


def test_published_success_has_every_cell():
    """Table II has the eight synthetic data sets and four methods, each index between 0 and 1."""
    table = published_success()
    assert tuple(table) == SYNTHETIC
    assert all(tuple(row) == SUCCESS_METHODS for row in table.values())
    assert all(0 <= value <= 1 for row in table.values() for value in row.values())


@pytest.mark.parametrize(
    ("name", "method", "index"),
    [
        ("Mad", "mrmr", 0.40),
        ("XOR", "relieff", 0.50),
        ("XOR", "snel_fs", 1.00),
        ("Fri", "relieff", 0.99),
        ("Fri", "snel_fs", 0.80),
        ("Reg5k", "mrmr", 0.99),
        ("Reg5k", "relieff", 0.80),
        ("Fri5k", "f_score", 0.99),
    ],
)
def test_published_success_values(name, method, index):
    """Cells of Table II read by eye are found where they belong."""
    assert published_success()[name][method] == index


@pytest.mark.parametrize(
    ("names", "means"),
    [(SYNTHETIC[:4], (0.45, 0.62, 0.50, 0.95)), (SYNTHETIC[4:], (0.70, 0.95, 0.70, 1.00))],
)
def test_published_success_agrees_with_the_printed_means(names, means):
    """The mean of four indices is the one Table II prints, up to the rounding of both to two digits."""
    table = published_success()
    for method, mean in zip(SUCCESS_METHODS, means, strict=True):
        assert fmean(table[name][method] for name in names) == pytest.approx(mean, abs=0.01)


def test_published_scores_have_every_cell():
    """Table IV has twelve data sets, four classifiers and their average, and five methods."""
    table = published_scores()
    assert tuple(table) == REAL
    for rows in table.values():
        assert tuple(rows) == (*CLASSIFIERS, "avg")
        assert all(tuple(row) == SCORE_METHODS for row in rows.values())


@pytest.mark.parametrize(
    ("name", "classifier", "method", "score"),
    [
        ("colon", "NB", "no_fs", (0.5867, 0.1384)),
        ("colon", "SVC", "snel_fs", (0.8290, 0.1674)),
        ("crohn", "RF", "f_score", (0.9210, 0.0859)),
        ("breast_cancer", "kNN", "relieff", (0.9138, 0.0451)),
        ("breast", "avg", "snel_fs", (0.9718, 0.0526)),
        ("leukemia", "SVC", "no_fs", (0.6233, 0.3426)),
        ("lung", "NB", "mrmr", (1.0, 0.0)),
        ("prostate", "kNN", "snel_fs", (0.9290, 0.0829)),
        ("bone_lesion", "RF", "relieff", (0.8849, 0.0246)),
        ("srbct", "kNN", "f_score", (1.0, 0.0)),
        ("glioma", "avg", "snel_fs", (0.7515, 0.0837)),
        ("mll", "kNN", "mrmr", (1.0, 0.0)),
        ("lung_cancer", "avg", "f_score", (0.8171, 0.0509)),
    ],
)
def test_published_scores_values(name, classifier, method, score):
    """Cells of Table IV read by eye are found where they belong."""
    assert published_scores()[name][classifier][method] == score


@pytest.mark.parametrize("name", REAL)
def test_published_averages_agree_with_the_classifiers(name):
    """Each printed average is the mean of the four classifiers, up to the rounding of both to four digits."""
    rows = published_scores()[name]
    for method, part in itertools.product(SCORE_METHODS, (0, 1)):
        mean = fmean(rows[classifier][method][part] for classifier in CLASSIFIERS)
        assert rows["avg"][method][part] == pytest.approx(mean, abs=1e-4)


def test_one_published_average_needs_the_rounding_of_the_classifiers():
    """Only MLL's f-score average (0.9468) is not the rounded mean of the printed scores (0.9467)."""
    apart = [
        (name, method)
        for name, method in itertools.product(REAL, SCORE_METHODS)
        for part in (0, 1)
        if abs(
            published_scores()[name]["avg"][method][part]
            - fmean(published_scores()[name][classifier][method][part] for classifier in CLASSIFIERS)
        )
        > 0.5e-4 + 1e-9
    ]
    assert apart == [("mll", "f_score")]


def test_the_averages_give_the_printed_wins():
    """Counting wins, ties and losses in the averages of Table IV gives its last row."""
    averages = [
        {method: mean for method, (mean, _) in rows["avg"].items()} for rows in published_scores().values()
    ]
    classical = SUCCESS_METHODS[:3]
    rivals = {method: [row[method] for row in averages] for method in classical}
    rivals["best"] = [max(row[method] for method in classical) for row in averages]
    counted = {}
    for method, values in rivals.items():
        pairs = [(row["snel_fs"], value) for row, value in zip(averages, values, strict=True)]
        counted[method] = (
            sum(a > b for a, b in pairs),
            sum(a == b for a, b in pairs),
            sum(a < b for a, b in pairs),
        )
    assert counted == {"mrmr": (11, 0, 1), "relieff": (12, 0, 0), "f_score": (11, 1, 0), "best": (10, 1, 1)}


def test_published_cost_values():
    """Table V holds the times of the four classifiers, under their names in Table IV."""
    assert published_cost() == {
        "NB": {"before": 0.04635, "after": 0.00062, "ratio": 74.47},
        "SVC": {"before": 0.47195, "after": 0.00099, "ratio": 476.27},
        "RF": {"before": 5.25366, "after": 0.98497, "ratio": 5.33},
        "kNN": {"before": 0.0927, "after": 0.00076, "ratio": 122.05},
    }


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_published_ratios_agree_with_the_times(classifier):
    """Each ratio of Table V is that of its two times, up to their rounding to five digits."""
    row = published_cost()[classifier]
    half = 0.5e-5
    lowest, highest = (
        (row["before"] - half) / (row["after"] + half),
        (row["before"] + half) / (row["after"] - half),
    )
    assert lowest - 0.005 <= row["ratio"] <= highest + 0.005
