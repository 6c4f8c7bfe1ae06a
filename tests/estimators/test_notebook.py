"""What a notebook shows of an estimator."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context

from snelfs import SNeLClassifier


class Words(HTMLParser):
    """Collect the tags and the words of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(page)

    def handle_starttag(self, tag, _):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def model(table, quick):
    X, y = table
    names = ["<script>alert(1)</script>", "a & b", *(f"g{i}" for i in range(2, 20))]
    return SNeLClassifier(**quick | {"refine": False}).fit(pd.DataFrame(X, columns=names), y > 0)


def test_a_fitted_estimator_shows_its_result_below_the_diagram(model):
    """Ten rows, best first, with score, frequency and choice, and the stability, in Jupyter's two ways."""
    page = Words(model._repr_html_())
    text = " ".join(page.words)
    assert model._repr_mimebundle_()["text/html"].count("snelfs-result") >= 1
    assert "sk-top-container" in model._repr_html_()
    assert f"5 of 20 columns selected; stability of the restarts {model.stability_}" in text
    names = [str(name) for name in model.ranked_features()["name"][:10]]
    places = [page.words.index(name) for name in names if name in page.words]
    assert len(places) == 10
    assert places == sorted(places)


def test_names_are_escaped(model):
    """A name that is a script is shown letter by letter."""
    ranked = model.ranked_features().copy()
    ranked["name"][0] = "<script>alert(1)</script>"
    from snelfs.estimators.notebook import result_html

    page = Words(result_html(ranked, np.ones(20), "<b>"))
    assert "script" not in page.tags
    assert "b" not in page.tags
    assert "<script>alert(1)</script>" in page.words


def test_an_unfitted_estimator_shows_the_diagram_alone():
    """And without diagrams there is nothing to show, as with any estimator."""
    assert "snelfs-result" not in SNeLClassifier()._repr_html_()
    with config_context(display="text"):
        assert not hasattr(SNeLClassifier(), "_repr_html_")
