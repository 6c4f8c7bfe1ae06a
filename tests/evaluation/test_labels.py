"""Several labels a row in an evaluation: folds, rivals, scores and sentences."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from snelfs.cli.app import app
from snelfs.evaluation import cross_validation, evaluate
from snelfs.evaluation.files import write_evaluation
from snelfs.evaluation.judges import judge_classes
from snelfs.evaluation.label_judges import judge_labels, split_labels
from snelfs.evaluation.methods import choose_columns
from snelfs.evaluation.rivals.registry import choose


@pytest.fixture(scope="module")
def labelled(table):
    """Two labels, of two columns each; the second is rarer."""
    X, _ = table
    return X, np.c_[X[:, 4] + X[:, 11] > 0, X[:, 17] - X[:, 2] > 0.8].astype(int)


def test_every_fold_tests_rows_with_and_without_each_label(labelled):
    """Each row once; groups stay whole; the rarest label is spread evenly."""
    _, Y = labelled
    groups = np.arange(60) // 2
    for pairs in (split_labels(Y, 5, 0), split_labels(Y, 4, 7, groups)):
        tests = np.concatenate([test for _, test in pairs])
        assert np.sort(tests).tolist() == list(range(60))
        assert all(np.ptp(Y[test], axis=0).all() for _, test in pairs)
        assert all(not set(train) & set(test) for train, test in pairs)
    assert all(not set(groups[train]) & set(groups[test]) for train, test in split_labels(Y, 4, 7, groups))
    rare = [Y[test, 1].sum() for _, test in split_labels(Y, 5, 0)]
    assert max(rare) - min(rare) <= 1
    assert [test.tolist() for _, test in split_labels(Y, 5, 0)] != [
        test.tolist() for _, test in split_labels(Y, 5, 1)
    ]


def test_rows_that_cannot_be_shared_out_are_said():
    """Two groups hold all rows of a label, and there are three folds."""
    Y = np.c_[np.arange(12) % 2, np.arange(12) < 4]
    with pytest.raises(ValueError, match="folds must be fewer: the rows cannot be shared out"):
        split_labels(Y, 3, 0, np.repeat(np.arange(6), 2))


def test_rivals_take_turns_over_labels(labelled):
    """The first of each label's list, then the second; all columns are all columns."""
    X, Y = labelled
    found = choose_columns("f_score", X, Y, regression=False, n_features=4, seed=0)
    lists = [choose("f_score", X, label, "classification", 4) for label in Y.T]
    assert found[:2].tolist() == [lists[0][0], lists[1][0]]
    assert len(set(found.tolist())) == 4
    everything = choose_columns("no_fs", X, Y, regression=False, n_features=4, seed=0)
    assert everything.tolist() == list(range(20))


def test_scores_are_means_over_labels(labelled):
    """Of classifiers that each label has for itself."""
    X, Y = labelled
    train, test = split_labels(Y, 3, 0)[0]
    both = judge_labels(X, Y, train, test, 0)
    alone = [judge_classes(X, label, train, test, 0) for label in Y.T]
    assert both.keys() == alone[0].keys()
    for model, scores in both.items():
        for metric, score in scores.items():
            assert score == pytest.approx(np.mean([each[model][metric] for each in alone]))


def test_ours_learns_all_labels_together(labelled, quick):
    """Without turns."""
    X, Y = labelled
    short = {"n_restarts": quick["n_restarts"], "steps": quick["steps"], "refine": False}
    found = choose_columns("snel", X, Y, regression=False, n_features=5, seed=0, settings=short)
    assert len(set(found.tolist()) & {4, 11, 17, 2}) >= 3


def test_an_evaluation_of_labels_ends_in_a_verdict(labelled, tmp_path, monkeypatch):
    """With covariates and groups; the files say how many labels there were."""
    X, Y = labelled
    asked = []

    def chosen(method, _X, y, *, n_features, groups, settings, **_):
        asked.append((method, y.shape, len(groups), settings))
        return np.arange(4, 4 + n_features)

    monkeypatch.setattr(cross_validation, "choose_columns", chosen)
    more = {"groups": np.arange(60) // 2, "covariates": [3], "methods": ["f_score"], "folds": 2}
    found = evaluate(X, Y, n_features=4, **more)
    assert asked[0] == ("snel", (30, 2), 30, {"covariates": [3]})
    assert asked[-1] == ("f_score", (30, 2), 30, {})
    assert found.scores.shape == (2, 4, 2, 3)
    assert found.metrics == ("auc", "f1", "accuracy")
    assert (found.n_labels, found.n_groups) == (2, 30)
    assert found.verdict().endswith(".")
    paths = write_evaluation(found, tmp_path / "out")
    assert json.loads(paths[1].read_text(encoding="utf-8"))["labels"] == 2


@pytest.mark.parametrize(
    ("Y", "more", "said"),
    [
        (pd.DataFrame({"u": [0, 1] * 30, "v": [1] * 3 + [0] * 57}), {}, "The label 'v' has 3 rows with it"),
        (np.c_[[0, 1] * 30, [0] * 2 + [1] * 58], {}, "The label 'label 2' has 2 rows without it"),
        (np.c_[[0, 1] * 30, [2, 1] * 30], {}, "y of several columns must hold 0 and 1"),
        (np.c_[[0, 1] * 30, [0, 1] * 30], {"task": "regression"}, "one value for each of the 60 rows"),
        (np.c_[[0, 1] * 30, [0, 1] * 30], {"task": "survival"}, "one value for each of the 60 rows"),
        ([0, 1] * 30, {"methods": ["univariate_cox"]}, "methods has 'univariate_cox', which is for censored"),
    ],
)
def test_what_cannot_be_evaluated_is_said_before_anything_is_computed(table, monkeypatch, Y, more, said):
    """In a sentence with the name of the label, if it has one."""
    monkeypatch.setattr(cross_validation, "choose_columns", lambda *_, **__: pytest.fail("computed"))
    with pytest.raises(ValueError, match=said):
        evaluate(table[0], Y, **more)


def test_the_command_takes_labels(labelled, tmp_path, monkeypatch):
    """Its title counts them, and sentences know their names."""
    monkeypatch.setattr(
        cross_validation, "choose_columns", lambda *_, n_features, **__: np.arange(n_features)
    )
    X, Y = labelled
    frame = pd.DataFrame(X, columns=[f"g{place}" for place in range(20)])
    frame.assign(u=Y[:, 0], v=Y[:, 1]).to_csv(tmp_path / "genes.csv", index=False)
    words = ["evaluate", str(tmp_path / "genes.csv"), "--target", "u,v", "--methods", "f_score", "--quiet"]
    shown = CliRunner().invoke(app, [*words, "-k", "3", "--folds", "2"])
    assert shown.exit_code == 0, shown.output
    assert "60 rows, 2 labels, 20 columns" in shown.stdout
    refused = CliRunner().invoke(app, [*words, "--folds", "25"])
    assert refused.exit_code == 2
    assert "The label 'v' has" in " ".join(refused.output.split())
