"""The paper's settings and facts are those that the paper prints."""

import math

import pytest

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.estimators.paper import (
    ours,
    paper_facts,
    paper_names,
    paper_settings,
    paper_task,
)

SYNTHETIC = ("Mad", "XOR", "Reg", "Fri", "Mad5k", "XOR5k", "Reg5k", "Fri5k")
REAL = (
    "colon",
    "crohn",
    "breast_cancer",
    "breast",
    "leukemia",
    "lung",
    "prostate",
    "bone_lesion",
    "srbct",
    "glioma",
    "mll",
    "lung_cancer",
)
ARGUMENTS = {
    "batch_size",
    "n_features_to_select",
    "hidden_layer_sizes",
    "lambda_s",
    "lambda_a",
    "steps",
    "cycles_s",
    "cycles_a",
    "epochs_per_stage",
    "learning_rate",
    "optimizer",
    "alpha_l1",
    "alpha_l2",
    "validation_fraction",
    "scoring",
    "penalty_limit",
    "saliency",
    "init",
    "n_restarts",
    "combine",
    "prune",
    "refine",
}


def shares(name, **expected):
    """Return whether the settings of a data set contain the expected ones."""
    return {key: paper_settings(name)[key] for key in expected} == expected


def increments(name):
    """Return the change of λ_S and of λ_A from one stage to the next."""
    settings = paper_settings(name)
    steps = settings["steps"]
    pair = steps if isinstance(steps, tuple) else (steps, steps)
    ranges = (settings["lambda_s"], settings["lambda_a"])
    return tuple((hi - lo) / count for (lo, hi), count in zip(ranges, pair, strict=True))


def test_names_are_the_twenty_data_sets_in_order():
    """The eight synthetic and twelve real data sets come in the order of the paper's tables."""
    assert paper_names() == SYNTHETIC + REAL


@pytest.mark.parametrize("name", SYNTHETIC + REAL)
def test_every_data_set_has_exactly_the_constructor_settings(name):
    """Every data set has a value for each estimator argument the paper speaks of, and no other key."""
    assert set(paper_settings(name)) == ARGUMENTS


@pytest.mark.parametrize("name", SYNTHETIC + REAL)
def test_settings_common_to_all_runs(name):
    """What sections III-B and III-C fix for all runs holds for every data set."""
    assert shares(
        name,
        init="constant",
        cycles_s=1,
        cycles_a=2,
        optimizer="adam",
        n_restarts=1,
        validation_fraction=0.2,
        penalty_limit=0.3,
    )


@pytest.mark.parametrize("name", SYNTHETIC + REAL)
def test_learning_rates_are_the_papers_nearest_to_half_over_the_columns(name):
    """The paper lists three rates; which set had which is ours."""
    target = 0.5 / paper_facts(name)["columns"]
    nearest = min((5e-5, 1e-4, 1e-3), key=lambda rate: abs(math.log(rate / target)))
    assert paper_settings(name)["learning_rate"] == nearest
    assert "learning_rate" in ours(name)


@pytest.mark.parametrize("name", SYNTHETIC + REAL)
def test_the_estimators_take_the_settings(name):
    """Each set's settings construct the estimator of its task."""
    estimator = SNeLRegressor if paper_task(name) == "regression" else SNeLClassifier
    assert estimator(**paper_settings(name)).get_params().items() >= paper_settings(name).items()


@pytest.mark.parametrize("name", SYNTHETIC)
def test_settings_of_the_synthetic_runs(name):
    """Section IV-A3: 15 columns; layers, steps and epochs go by the number of rows."""
    large = name.endswith("5k")
    hidden, steps, epochs = ((10,), 19, 10) if large else ((5, 5), 38, 1)
    assert shares(
        name,
        n_features_to_select=15,
        hidden_layer_sizes=hidden,
        steps=steps,
        epochs_per_stage=epochs,
        saliency="sum",
    )


@pytest.mark.parametrize("name", SYNTHETIC)
def test_only_small_xor_needs_a_smaller_range(name):
    """Section IV-A3: both λ run over 0.01 to 0.2, and over 0.001 to 0.02 for XOR with few rows."""
    lambdas = (0.001, 0.02) if name == "XOR" else (0.01, 0.2)
    assert shares(name, lambda_s=lambdas, lambda_a=lambdas)


@pytest.mark.parametrize("name", SYNTHETIC)
def test_only_xor5k_and_mad5k_go_without_weight_penalties(name):
    """Section IV-A3: l1 and l2 are 0.01, except for XOR5k and Mad5k, which have neither."""
    alpha = 0.0 if name in {"XOR5k", "Mad5k"} else 0.01
    assert shares(name, alpha_l1=alpha, alpha_l2=alpha)


@pytest.mark.parametrize("name", SYNTHETIC)
def test_synthetic_scoring_follows_the_task(name):
    """Section IV-A3: accuracy chooses the classifier, the squared error the regressor."""
    assert paper_settings(name)["scoring"] == {"binary": "accuracy", "regression": "mse"}[paper_task(name)]


@pytest.mark.parametrize("name", REAL)
def test_settings_of_the_real_runs(name):
    """Section IV-B3: 30 columns, and 10 hidden units, or 20 for glioma and lung cancer."""
    assert shares(
        name,
        n_features_to_select=30,
        hidden_layer_sizes=(20,) if name in {"glioma", "lung_cancer"} else (10,),
        epochs_per_stage=1,
        scoring="f1",
        saliency="max",
        alpha_l1=0.01,
        alpha_l2=0.01,
    )


@pytest.mark.parametrize("name", REAL)
def test_ranges_of_the_real_runs(name):
    """Section IV-B3: 0.01 to 0.1 with 18 steps, except for the six data sets it names."""
    usual = ((0.01, 0.1), (0.01, 0.1), 18)
    wide = ((0.01, 0.2), (0.01, 0.2), 19)
    low = ((0.001, 0.01), (0.001, 0.01), 18)
    named = {
        "mll": ((0.01, 0.2), (0.01, 0.1), (19, 18)),
        "breast_cancer": wide,
        "glioma": wide,
        "breast": low,
        "leukemia": low,
        "lung": ((0.001, 0.02), (0.001, 0.02), 19),
    }
    lambda_s, lambda_a, steps = named.get(name, usual)
    assert shares(name, lambda_s=lambda_s, lambda_a=lambda_a, steps=steps)


@pytest.mark.parametrize("name", SYNTHETIC + REAL)
def test_every_range_has_round_increments(name):
    """Each λ changes by 1, 5 or 10 thousandths, or by 5 ten-thousandths, from stage to stage."""
    for increment in increments(name):
        assert any(increment == pytest.approx(value) for value in (0.0005, 0.001, 0.005, 0.01))


@pytest.mark.parametrize("name", SYNTHETIC + REAL)
def test_ours_names_what_the_paper_does_not_give(name):
    """Ours are batch and rate everywhere, l1 and l2 on real data, and the steps of three data sets."""
    expected = {"batch_size", "learning_rate"}
    expected |= {"alpha_l1", "alpha_l2"} if name in REAL else set()
    expected |= {"steps"} if name in {"breast", "leukemia", "lung"} else set()
    assert ours(name) == expected
    assert ours(name) <= ARGUMENTS


def test_tasks():
    """There are four regressions, four multiclass tasks, and binary tasks otherwise."""
    regression, multiclass = {"Reg", "Fri", "Reg5k", "Fri5k"}, {"srbct", "glioma", "mll", "lung_cancer"}
    assert {name for name in paper_names() if paper_task(name) == "regression"} == regression
    assert {name for name in paper_names() if paper_task(name) == "multiclass"} == multiclass
    others = set(paper_names()) - regression - multiclass
    assert {paper_task(name) for name in others} == {"binary"}


@pytest.mark.parametrize("name", SYNTHETIC)
def test_facts_of_the_synthetic_data(name):
    """Table I: 200 or 5,000 rows of 500 columns, two of them relevant for XOR and five otherwise."""
    rows, relevant = 5000 if name.endswith("5k") else 200, 2 if "XOR" in name else 5
    assert paper_facts(name) == {"rows": rows, "columns": 500, "relevant": relevant}


@pytest.mark.parametrize("name", REAL)
def test_class_counts_agree_with_rows_and_task(name):
    """The classes of Table III add up to its rows, and there are two of them exactly in binary tasks."""
    facts = paper_facts(name)
    assert sum(facts["class_counts"]) == facts["rows"]
    assert (len(facts["class_counts"]) == 2) == (paper_task(name) == "binary")


@pytest.mark.parametrize(
    ("name", "rows", "columns", "class_counts"),
    [
        ("colon", 62, 2000, (40, 22)),
        ("breast_cancer", 118, 22215, (43, 75)),
        ("breast", 104, 22283, (62, 42)),
        ("lung", 181, 12533, (94, 87)),
        ("bone_lesion", 173, 12625, (36, 137)),
        ("mll", 72, 12533, (24, 20, 28)),
        ("lung_cancer", 203, 12600, (139, 17, 6, 21, 20)),
    ],
)
def test_facts_of_the_real_data(name, rows, columns, class_counts):
    """Rows, columns and classes are those of Table III."""
    assert paper_facts(name) == {"rows": rows, "columns": columns, "class_counts": class_counts}


@pytest.mark.parametrize("name", ["xor5K", "XOR5K", "xor5k"])
def test_names_ignore_case(name):
    """A name is understood in upper and lower case."""
    assert paper_settings(name) == paper_settings("XOR5k")
    assert paper_task(name) == paper_task("XOR5k")
    assert ours(name) == ours("XOR5k")
    assert paper_facts(name) == paper_facts("XOR5k")


@pytest.mark.parametrize("function", [paper_settings, paper_task, ours, paper_facts])
def test_unknown_name_is_answered_with_the_nearest_and_all_names(function):
    """An unknown name is answered with one sentence: the name, the nearest one and all accepted ones."""
    with pytest.raises(ValueError, match="is no data set") as caught:
        function("Leukaemia")
    accepted = ", ".join(SYNTHETIC + REAL)
    expected = f"'Leukaemia' is no data set of the paper (nearest: 'leukemia'); accepted are {accepted}."
    assert str(caught.value) == expected


def test_nearest_name_is_spelled_as_accepted():
    """The suggested name is spelled as in the list, whatever case was asked for."""
    with pytest.raises(ValueError, match=r"\(nearest: 'Mad5k'\)"):
        paper_settings("MAD-5K")


@pytest.mark.parametrize("name", ["", "iris", "???"])
def test_unknown_name_like_no_other_gets_no_suggestion(name):
    """Where no name is near, none is suggested."""
    with pytest.raises(ValueError, match=r"is no data set of the paper; accepted are Mad, .*lung_cancer\.$"):
        paper_settings(name)


def test_settings_are_independent():
    """Changing the returned settings changes neither a later answer nor that of another data set."""
    settings = paper_settings("colon")
    settings["steps"] = 1
    del settings["optimizer"]
    assert shares("colon", steps=18, optimizer="adam")
    assert shares("crohn", steps=18, optimizer="adam")


def test_settings_hold_no_lists():
    """Ranges and layer sizes are tuples, which cannot be changed in place."""
    values = [value for name in paper_names() for value in paper_settings(name).values()]
    assert {type(value) for value in values} == {bool, int, float, str, tuple, type(None)}


@pytest.mark.parametrize("name", paper_names())
def test_every_run_of_the_paper_is_full_batch(name):
    """III-B allows mini-batches but gives no size; "auto" would take 1,000 of the 5,000 rows."""
    assert paper_settings(name)["batch_size"] is None
