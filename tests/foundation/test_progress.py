"""How far a fit is: shares of a whole, and one line that is written over where somebody watches."""

import sys

import pytest

from snelfs import SNeLRegressor
from snelfs.foundation.progress import ProgressLine, TimeLeft, parts


class Stream:
    """A stream that keeps what is written, a terminal or not."""

    def __init__(self, terminal):
        self.terminal, self.text = terminal, ""

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.text += text

    def flush(self):
        pass


class NotebookStream(Stream):
    """The stream of a notebook as ipykernel has it, which is no terminal."""

    __module__ = "ipykernel.iostream"


def seen(text):
    """Return the lines that a screen shows in the end, given carriage returns."""
    screen = []
    for line in text.split("\n"):
        shown = ""
        for part in line.split("\r"):
            shown = part + shown[len(part) :]
        screen.append(shown.rstrip())
    return [line for line in screen if line]


def test_parts_add_up_to_the_whole():
    """Whatever a part counts in, the listener hears a share that only rises and ends at the whole."""
    heard = []
    first, nothing, last = parts(lambda done, total: heard.append(done / total), [2, 0, 6])
    for done in (1, 2):
        first(done, 2)
    nothing(7, 7)
    for done in (50, 100):
        last(done, 100)
    assert heard == [0.125, 0.25, 0.25, 0.625, 1.0]
    assert parts(None, [1, 2]) == [None, None]


def test_time_left_follows_the_pace_after_the_first_report(monkeypatch):
    """What came before the first report, compilation, does not count."""
    clock = iter([100.0, 101.0, 103.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    left = TimeLeft()
    assert left(10, 100) is None
    assert left(20, 100) == pytest.approx(8.0)
    assert left(40, 100) == pytest.approx(6.0)


@pytest.mark.parametrize("stream", [Stream(terminal=True), NotebookStream(terminal=False)])
def test_one_line_is_written_over_in_terminals_and_notebooks(monkeypatch, stream):
    """Many reports make one line, and a long one leaves nothing behind a short one; no terminal codes."""
    monkeypatch.setattr(sys, "stderr", stream)
    line = ProgressLine()
    for done in range(1, 101):
        line(done, 100)
    line(100, 100)  # training may say twice that it is done
    assert stream.text.count("\n") == 1
    assert "50 %" in stream.text
    assert "\033" not in stream.text
    (shown,) = seen(stream.text)
    assert shown.startswith("snelfs: done in ")
    assert shown.endswith(" s")


def test_a_file_gets_one_line_at_the_end(monkeypatch):
    """Nobody wants a log full of percentages."""
    stream = Stream(terminal=False)
    monkeypatch.setattr(sys, "stderr", stream)
    line = ProgressLine()
    for done in range(1, 11):
        line(done, 10)
    assert stream.text.count("\n") == 1
    assert "\r" not in stream.text


def test_a_whole_fit_is_heard_from_start_to_end(table, quick, monkeypatch):
    """Rounds, folds of "auto" and shuffles are parts of one whole, whose share only rises and ends at 1."""

    def scores_of_a_fold(_, held_out, n_features, *others):
        for done in (1, 2):
            others[-1](done, 2)
        return n_features / 100 + held_out.sum()

    monkeypatch.setattr("snelfs.search.feature_count._fold_scores", scores_of_a_fold)
    X, y = table
    heard = []
    settings = quick | {"n_features_to_select": "auto", "n_shuffles": 2, "steps": 4, "penalty_limit": 9}
    SNeLRegressor(**settings)._fit(X, y, on_progress=lambda done, total: heard.append(done / total))
    assert heard == sorted(heard)
    assert heard[-1] == pytest.approx(1)
    assert len(heard) >= 2 + 5 * 2 + 2
