"""The report: one small file that a real browser opens, in which every name stays text."""

import copy
import dataclasses
import json
import os
import re
import shutil

import numpy as np
import pytest
from scipy import sparse

from snelfs.search.feature_count import Curve
from snelfs.selection import Feature, select
from snelfs.selection.report import ASSETS, report_page, write_report
from snelfs.selection.report_data import page_data, rows_drawn, script_json, turning_points
from snelfs.selection.report_text import summary
from snelfs.tables import Table

SCRIPT, CLOSING = "<script>alert(1)</script>", "</script><b>bold</b>"
REPEAT = "snelfs select 'genes & <more>.csv' --target state"
MEGABYTE = 1_000_000
N_SCRIPTS = 4  # the data, two libraries, and ours


def table_of(X, y, names, target):
    rows = tuple(f"patient {i}" for i in range(len(y)))
    return Table(X, tuple(names), rows, y, target, "csv", None, ("A note with <b>signs</b>.",))


@pytest.fixture(scope="module")
def pair(table, quick):
    """A selection in which two columns with dangerous names matter only together."""
    X, _ = table
    names = [f"gene_{i:02d}" for i in range(20)]
    names[4], names[11] = SCRIPT, CLOSING
    y = np.where(X[:, 4] * X[:, 11] > 0, "<i>ill</i>", "well")
    found = select(table_of(X, y, names, "state & stage"), settings=quick)
    return dataclasses.replace(found, warnings=("Few rows <60>.", "Two columns are the same."))


@pytest.fixture(scope="module")
def numbers(table, quick):
    """A selection for a target of numbers, with q-values and a curve of sizes."""
    X, y = table
    found = select(table_of(X, y, [f"x{i}" for i in range(20)], "dose"), settings=quick | {"n_shuffles": 3})
    curve = Curve(np.array([1, 2, 5]), np.array([0.5, 0.8, 0.82]), np.array([0.05, 0.03, 0.04]), 2)
    found.estimator.n_features_curve_ = curve
    return found


@pytest.fixture(scope="module")
def page(pair):
    return report_page(pair, REPEAT)


def inner_json(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1])


def resized(selection, n_rows, n_columns, names=None):
    """Return a selection of another shape without fitting it; one class is rare."""
    X = np.random.default_rng(0).lognormal(3, 2, (n_rows, n_columns))
    y = np.where(np.arange(n_rows) < 5, "rare", "usual")
    names = names or [f"AFFX-HUMGAPDH/M{i:05d}_5_at" for i in range(n_columns)]
    estimator = copy.copy(selection.estimator)
    estimator.ranking_ = np.arange(1, n_columns + 1)
    features = tuple(
        Feature(name, i + 1, 1 / (i + 1), 0.123456, 0.0456, "higher in usual", 0.3, names[-1 - i], i < 30)
        for i, name in enumerate(names)
    )
    return dataclasses.replace(
        selection, table=table_of(X, y, names, "state"), estimator=estimator, features=features
    )


# -- the file ---------------------------------------------------------------------------------------


def test_names_from_the_data_never_become_markup(page):
    """Column, class, target, note, warning and command are escaped wherever they stand."""
    assert page.count("<script") == page.count("</script") == N_SCRIPTS
    for markup in (SCRIPT, CLOSING, "<i>ill", "<b>signs", "Few rows <60>", "genes & <more>"):
        assert markup not in page
    assert "genes &amp; &lt;more&gt;.csv" in page
    assert inner_json(page)["features"]["name"].count(SCRIPT) == 1


def test_script_json_reads_back_and_holds_no_tag():
    """What no script element may hold is written otherwise, and means the same."""
    value = {"a": ["</script>", "<!--", "&lt;", "\u2028", 1.5, None]}
    text = script_json(value)
    assert json.loads(text) == value
    assert not set("<>&") & set(text)


def test_nothing_is_loaded(page):
    """The policy allows three scripts by their digests and no address; no attribute asks for a file."""
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert "default-src 'none'" in policy
    assert re.search(r"script-src( 'sha256-[\w+/=]{44}'){3}$", policy)
    assert not re.search(r"<(?:script|img|iframe)[^>]*\ssrc=|@import|url\(", page.split("<body>")[0])
    assert re.findall(r'<link[^>]*href="([^"]*)"', page) == ["data:,"]


def test_licences_come_with_the_libraries(page):
    """The copyright lines are in every report, the licences beside the files."""
    for library, words in (("d3", "Mike Bostock"), ("plot", "Observable, Inc.")):
        assert words in (ASSETS / f"{library}.LICENSE").read_text()
        assert words in page


def test_verdict_says_how_many_how_stable_and_how_well(pair, numbers):
    """The first sentence counts and names, the others say how far to trust it."""
    first, *others = summary(pair)
    assert first.startswith("5 of 20 features are selected from 60 rows, led by ")
    assert pair.features[0].name in first
    assert f"stability is {pair.estimator.stability_.value:.2f}" in others[0]
    assert "guessing by the classes' sizes has 0.6" in others[1]
    text = " ".join(summary(numbers))
    assert "On rows held out of the whole search, 2 features reach R² 0.80 ± 0.03" in text
    assert "With so few shuffles no q-value can be below 0.25" in text


@pytest.mark.parametrize(
    ("q", "said"), [(0.05, "5 of them have q-values up to 0.1"), (0.2, "None of them has")]
)
def test_verdict_counts_what_is_beyond_chance(numbers, q, said):
    """With shuffles enough, the selected features of small q-values are counted."""
    estimator = copy.copy(numbers.estimator).set_params(n_shuffles=50)
    features = tuple(dataclasses.replace(feature, q_value=q) for feature in numbers.features)
    assert said in summary(dataclasses.replace(numbers, estimator=estimator, features=features))[-1]


def test_page_shows_warnings_notes_settings_and_how_to_repeat(page, pair):
    """The first warning stands in the verdict, all of them and the reading notes below."""
    verdict_part = page.split('id="verdict"')[1].split("</section>")[0]
    assert "Few rows &lt;60&gt;." in verdict_part
    assert "1 more warning" in verdict_part
    assert "Two columns are the same." in page.split('id="warnings"')[1]
    assert "A note with &lt;b&gt;signs&lt;/b&gt;." in page.split('id="notes"')[1]
    for name in (*pair.settings["estimator"], "snelfs", "jax", "python"):
        assert f'<th scope="row">{name}</th>' in page


def test_data_are_those_of_the_selection(pair):
    """Names and scores in the order of ranks, values of the right columns, partners by their place."""
    data = page_data(pair)
    assert data["features"]["name"] == [feature.name for feature in pair.features]
    assert data["features"]["q"] is None
    names = data["features"]["name"]
    for place in (0, 7, 19):
        column = pair.table.feature_names.index(names[place])
        assert np.allclose(data["values"][str(place)], pair.table.X[:, column], atol=2e-3)
    first, second = names.index(SCRIPT), names.index(CLOSING)
    assert data["features"]["partner"][str(first)] == [CLOSING, second]
    assert [data["rows"]["classes"][code] for code in data["rows"]["y"]] == pair.table.y.tolist()
    assert data["curve"] is None


def test_training_is_thinned_but_its_corners_stay(pair):
    """300 steps at most; the penalty weights keep their tops and their ends."""
    training, history = page_data(pair)["training"], pair.estimator.history_
    assert len(training["epoch"]) <= 300
    assert training["n_epochs"] == history.n_epochs
    assert training["lambda_a"][-1][0] == history.n_epochs - 1
    assert max(weight for _, weight in training["lambda_s"]) == pytest.approx(
        history.lambda_s.max(), rel=1e-3
    )
    stairs = np.tile(np.repeat([0.0, 1.0, 2.0, 1.0], 3), 200).astype(np.float32)
    corners = turning_points(stairs)
    assert len(corners) <= 400
    assert {weight for _, weight in corners[1:-1]} == {0, 2}


def test_one_model_alone_says_nothing_of_stability(pair):
    """There is no agreement to speak of, and the verdict says so."""
    estimator = copy.copy(pair.estimator)
    estimator.saliencies_ = estimator.saliencies_[:1]
    assert summary(dataclasses.replace(pair, estimator=estimator))[1].startswith("Only one model was trained")


def test_a_training_that_diverged_is_reported_too(pair):
    """What is no number becomes a gap, and no loss is claimed."""
    estimator = copy.copy(pair.estimator)
    lost = np.full_like(estimator.history_.train_loss, np.nan)
    estimator.history_ = dataclasses.replace(
        estimator.history_, train_loss=lost, validation_loss=lost, sum_penalty=lost, variance_penalty=lost
    )
    estimator.best_epoch_ = np.full_like(estimator.best_epoch_, -1)
    diverged = dataclasses.replace(pair, estimator=estimator)
    training = inner_json(report_page(diverged, REPEAT))["training"]
    assert training["best"] == []
    assert set(training["train"]["middle"]) == {None}
    assert "loss" not in " ".join(summary(diverged))


@pytest.mark.parametrize(("n_rows", "n_columns"), [(72, 7129), (5000, 500), (20, 60_000)])
def test_page_stays_small(pair, n_rows, n_columns):
    """At most 3 MB whatever the shape; the leading features keep their values, and cuts are said."""
    page = report_page(resized(pair, n_rows, n_columns), REPEAT)
    data = inner_json(page)
    assert len(page.encode()) < 3 * MEGABYTE
    assert 80 <= len(data["values"]) <= 600
    assert {str(place) for place in range(40)} <= set(data["values"])
    assert ("of the 5,000 rows" in page) == (n_rows == 5000)
    assert ("of 60,000 features" in page) == (n_columns == 60_000)


def test_long_names_and_half_letters_are_survived(pair, tmp_path):
    """A name of a megabyte is shortened, and one that UTF-8 cannot hold is written all the same."""
    names = ["x" * MEGABYTE, "half \ud800 letter", *(f"<&>{'&' * 150}{i}" for i in range(8000))]
    path = write_report(resized(pair, 20, len(names), names), tmp_path / "report.html", REPEAT)
    assert path.stat().st_size < 3 * MEGABYTE
    assert "half ? letter" in path.read_text(encoding="utf-8")


def test_sampled_rows_hold_every_class(pair):
    """A class of five rows among 5,000 is drawn whole."""
    many = resized(pair, 5000, 3)
    rows = rows_drawn(many)
    assert len(rows) <= 2005
    assert len(np.unique(rows)) == len(rows)
    assert (many.table.y[rows] == "rare").sum() == 5


def test_sparse_tables_are_drawn_alike(pair):
    """Values of a sparse table are those of the dense one."""
    thin = dataclasses.replace(pair, table=dataclasses.replace(pair.table, X=sparse.csr_array(pair.table.X)))
    assert page_data(thin)["values"] == page_data(pair)["values"]


def test_report_is_written_whole_or_not_at_all(pair, tmp_path):
    """A failure on the way leaves neither a file nor a part of one."""
    broken = dataclasses.replace(pair, features=())
    with pytest.raises(IndexError):
        write_report(broken, tmp_path / "report.html", REPEAT)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        write_report(pair, tmp_path / "nowhere" / "report.html", REPEAT)


# -- in a browser -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser():
    """The chromium that is installed; skip without it (fail if it is required)."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        reason = "no chromium on the path"
        (pytest.fail if os.environ.get("SNELFS_REQUIRE_ALL") else pytest.skip)(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def files(pair, page, numbers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    (folder / "pair.html").write_text(page, encoding="utf-8")
    write_report(numbers, folder / "numbers.html", REPEAT)
    for name, found in {"classes by category": pair, "numbers by category": numbers}.items():
        write_report(with_category(found), folder / f"{name}.html", REPEAT)
    return folder


LEVELS = ("stage I", CLOSING, "")


def with_category(selection):
    """Return a selection whose best feature holds three categories, one of them the gaps, without a fit."""
    X, first = selection.table.X.copy(), selection.features[0].name
    X[:, selection.table.feature_names.index(first)] = np.arange(len(X)) % 3
    table = dataclasses.replace(selection.table, X=X, categories={first: LEVELS})
    return dataclasses.replace(selection, table=table)


def test_a_category_is_drawn_as_categories(visit):
    """Its shares in every class, or the mean of the target in each; names are text, and gaps have one."""
    tab = visit("classes by category")
    assert tab.locator("#detail-charts [data-mark=bar] rect").count() == 6
    picture = tab.locator("#detail-charts svg[role=img]").first
    assert "Share of each category" in picture.get_attribute("aria-label")
    assert {"stage I", "(missing)"} <= set(picture.locator("text").all_text_contents())
    other = visit("numbers by category")
    assert other.locator("#detail-charts [data-mark=rule] line").count() == 3
    assert "(missing)" in other.locator("#detail-charts svg[role=img] text").all_text_contents()


@pytest.fixture
def visit(browser, files):
    """Open a report; at the end nothing was asked for but the file, and nothing was complained of."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    asked, complaints = [], []

    def visit(name):
        tab = context.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        tab.goto((files / f"{name}.html").as_uri())
        return tab

    yield visit
    context.close()
    assert complaints == []
    assert asked
    assert all(url.startswith((files.as_uri(), "data:")) for url in asked)


def shown_names(tab):
    return tab.locator("#table tbody td.name").all_inner_texts()


def test_dangerous_names_are_shown_as_text(visit, pair):
    """The column is called as in the data, no element came of it, and no script of it ran."""
    tab = visit("pair")
    assert shown_names(tab) == [feature.name for feature in pair.features]
    assert tab.locator("#table b, #verdict i, h1 i").count() == 0
    assert tab.locator("script").count() == N_SCRIPTS
    assert tab.inner_text("h1") == "Features that tell <i>ill</i> from well"
    assert tab.inner_text("#command") == REPEAT


def test_table_sorts_both_ways(visit, pair):
    """A click on a header sorts by it, a second one turns the order, and aria-sort says so."""
    tab = visit("pair")
    header = tab.locator("#table th", has_text="Feature")
    header.locator("button").click()
    names = sorted(feature.name for feature in pair.features if feature.name.startswith("gene"))
    assert [name for name in shown_names(tab) if name.startswith("gene")] == names
    assert header.get_attribute("aria-sort") == "ascending"
    header.locator("button").press("Enter")
    assert [name for name in shown_names(tab) if name.startswith("gene")] == names[::-1]
    assert header.get_attribute("aria-sort") == "descending"
    assert tab.locator("#table th[aria-sort=none]").count() == tab.locator("#table th").count() - 1


def test_table_filters(visit):
    """By text in any case, and by what is selected; the number left is said."""
    tab = visit("pair")
    tab.fill("#filter", "SCRIPT>ALERT")
    names = shown_names(tab)
    assert SCRIPT in names
    assert len(names) <= 2  # itself, and the one it is the partner of
    assert f"{len(names)} of 20 features" in tab.inner_text("#count")
    tab.fill("#filter", "")
    tab.check("#only-selected")
    assert len(shown_names(tab)) == 5
    tab.fill("#filter", "no such feature")
    assert shown_names(tab) == []


def test_feature_is_shown_by_click_and_by_keyboard(visit, pair):
    """Its values and, as it has one, its partner are drawn; Enter on another name shows that one."""
    tab = visit("pair")
    tab.locator("#table td.name button", has_text=SCRIPT).click()
    assert tab.inner_text("#detail-title") == SCRIPT
    assert tab.locator("#detail-charts svg[role=img]").count() == 2
    assert tab.locator("#detail-charts figcaption").all_inner_texts()[1] == f"With its partner, {CLOSING}"
    assert (
        tab.locator("#detail-charts g[data-mark=dot] path, #detail-charts g[data-mark=dot] circle").count()
        >= 120
    )
    buttons = tab.locator("#table td.name button")
    buttons.nth(6).focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    assert tab.inner_text("#detail-title") == pair.features[7].name
    assert tab.locator("#table tr[aria-current]").inner_text().startswith("8\t")
    assert buttons.nth(7).evaluate("button => button === document.activeElement")
    assert buttons.nth(7).evaluate("button => getComputedStyle(button).outlineStyle") == "solid"


def test_numbers_are_drawn_against_the_target(visit, numbers):
    """A scatter with a line, the curve of sizes, q-values, and three panels of the training."""
    tab = visit("numbers")
    assert tab.locator("#table th", has_text="q-value").count() == 1
    assert tab.locator("#detail-charts svg[role=img]").first.get_attribute("aria-label") == (
        f"dose against {numbers.features[0].name}"
    )
    assert tab.locator("#detail-charts g[data-mark=dot]").first.locator("circle").count() == 60
    assert "2 chosen" in tab.inner_text("#size-chart")
    assert tab.locator("#training-charts svg[role=img]").count() == 3


def test_large_numbers_and_many_classes_can_be_read(visit, pair, files):
    """Figures of thousands are written out, and of 40 classes the 30 largest are drawn, which is said."""
    X = pair.table.X * 20_000
    y = np.array([f"kind {i % 40}" for i in range(len(X))])
    table = dataclasses.replace(pair.table, X=X, y=y)
    write_report(dataclasses.replace(pair, table=table), files / "many.html", REPEAT)
    tab = visit("many")
    assert "the 30 largest of 40 classes" in tab.inner_text("#detail-charts figcaption >> nth=0")
    assert re.search(r"\b[1-9]0,000\b", tab.locator("#detail-charts svg[role=img]").first.text_content())


def test_dark_follows_the_system_and_the_button(visit):
    """Paper turns dark with the system's wish, and light again by the button."""
    tab = visit("pair")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(paper)
    tab.emulate_media(color_scheme="dark")
    dark = tab.evaluate(paper)
    assert dark != light
    tab.click("#theme")
    assert tab.evaluate(paper) == light
    assert tab.get_attribute("#theme", "aria-pressed") == "false"


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_sticks_out(visit, width, tmp_path):
    """On a telephone and on a desk the page is as wide as the window, and so is every picture."""
    tab = visit("pair")
    tab.set_viewport_size({"width": width, "height": 900})
    tab.wait_for_timeout(300)  # it waits until the width rests
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert all(
        box["width"] <= width for box in (svg.bounding_box() for svg in tab.locator("svg[role=img]").all())
    )
    picture = tab.screenshot(path=tmp_path / "report.png", full_page=True)
    assert len(picture) > 20_000


def test_paper_shows_everything_and_no_controls(visit, tmp_path):
    """Printed, the page is light and fits, buttons are gone, and what was folded away is open."""
    tab = visit("pair")
    tab.click("#theme")
    tab.set_viewport_size({"width": 720, "height": 1000})
    tab.emulate_media(media="print")
    assert tab.locator(".screen-only:visible").count() == 0
    assert tab.evaluate("document.documentElement.scrollWidth") <= 720
    assert tab.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.locator("details:not([open])").count() == 0
    printed = tab.pdf(path=tmp_path / "report.pdf", format="A4")
    assert printed.startswith(b"%PDF")
