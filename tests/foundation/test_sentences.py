"""Sentences and errors keep the arguments they mention, on whatever way they reach the reader."""

import copy
import json
import pickle

import pytest

from snelfs.foundation import checks
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.sentences import Argument, Sentence, said_by

ADVICE = Sentence("if each row is a feature, pass ", Argument("transpose=True"), ".")


def with_hyphens(argument):
    return "--" + argument.name.replace("_", "-")


def test_a_sentence_is_a_string_like_any_other():
    """It equals its text, and is written to a file as such."""
    assert ADVICE == "if each row is a feature, pass transpose=True."
    assert {ADVICE: 1}[str(ADVICE)] == 1
    assert json.loads(json.dumps([ADVICE])) == [str(ADVICE)]
    assert type(f"{ADVICE}") is str


def test_a_sentence_within_a_sentence_keeps_its_arguments():
    whole = Sentence("It has more rows than columns: ", ADVICE)
    assert [argument.name for argument in whole.arguments] == ["transpose"]
    assert whole.spelled(with_hyphens) == (
        "It has more rows than columns: if each row is a feature, pass --transpose."
    )


def test_what_a_value_holds_is_no_argument():
    """Only marked parts are spelled: a file may be called like an argument, and hold any sign."""
    path = "transpose=True {n_shuffles} %s.csv"
    sentence = Sentence(f"{path} has no column 'target'; pass ", Argument("transpose=True"), ".")
    assert sentence.spelled(with_hyphens) == f"{path} has no column 'target'; pass --transpose."


@pytest.mark.parametrize(
    ("check", "bad"),
    [
        (lambda name, value: checks.count(name, value, 1), 0),
        (checks.counts, "ten"),
        (checks.counts, [10, 0]),
        (checks.non_negative, -1),
        (checks.positive, 0),
        (checks.fraction, 1),
        (checks.interval, (2, 1)),
        (lambda name, value: checks.choice(name, value, ["max", "sum"]), "mean"),
        (checks.flag, "yes"),
    ],
)
def test_every_check_names_its_argument(check, bad):
    with pytest.raises(ArgumentError) as caught:
        check("n_shuffles", bad)
    assert caught.value.argument == "n_shuffles"
    python = str(caught.value)
    assert said_by(caught.value).spelled(with_hyphens) == python.replace("n_shuffles", "--n-shuffles")


def test_a_seed_is_an_argument_too():
    with pytest.raises(ArgumentError, match=r"^random_state must be None") as caught:
        checks.random_numbers(-1)
    assert caught.value.argument == "random_state"


@pytest.mark.parametrize(
    "error",
    [
        ArgumentError("n_shuffles", "must be an integer of at least 0, got -1."),
        ArgumentError(checks.each_of("steps"), "must be an integer of at least 1, got 0."),
        ValueError(ADVICE),
    ],
)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_keep_their_sentences_between_processes(error, again):
    """A copy, also by way of a pickle, says the same to Python and to the command line."""
    found = again(error)
    assert type(found) is type(error)
    assert str(found) == str(error)
    assert said_by(found).parts == said_by(error).parts
    assert said_by(found).spelled(with_hyphens) == said_by(error).spelled(with_hyphens) != str(error)


def test_other_errors_say_their_text():
    assert said_by(ValueError()) == ""
    assert said_by(FileNotFoundError(2, "No such file", "a.csv")) == "[Errno 2] No such file: 'a.csv'"
