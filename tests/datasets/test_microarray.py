"""The microarray data sets are what the registry says, from the disk, from the cache and from the network."""

import hashlib
import os
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from snelfs import datasets
from snelfs.datasets import formats, list_microarray, load_microarray, microarray, microarray_facts
from snelfs.estimators.paper import paper_facts, paper_names, paper_task

REAL = paper_names()[8:]
REDUCED = ("glioma_10367", "lung_cancer_1543", "bone_lesion_anova1660")
ON_DISK = ("colon", "breast", "leukemia", "lung", "prostate", "srbct", "mll", *REDUCED)
SHARED_DATA = Path(__file__).parents[3] / "shared" / "data" / "microarray"

X = np.array([[1.5, -2.0, 3.0], [4.0, 5.25, 6.0], [7.0, 8.0, 9.0], [0.5, 0.25, 0.125]], dtype=np.float32)
LABELS = ["t", "n", "t", "t"]
NAMES = ["g1_at", "g2_at", "g3_at"]

TAB = "cell\tg1_at\tnote\tg2_at\tg3_at\nd\tc\ts\tcontinuous\tc\nclass\t\tmeta\t\t\n" + "".join(
    f"{label}\t{row[0]}\tsome text\t{row[1]}\t{row[2]}\n" for label, row in zip(LABELS, X, strict=True)
)
CSV = '"","g1_at","g2_at","state","g3_at"\n' + "".join(
    f'"{place}",{row[0]},{row[1]},"{label}",{row[2]}\n'
    for place, (label, row) in enumerate(zip(LABELS, X, strict=True))
)
TRANSPOSED = "GENES\tt\tn\tt\tt.1\n" + "".join(
    "\t".join([name, *map(str, column)]) + "\n" for name, column in zip(NAMES, X.T, strict=True)
)


def git_id(content):
    return f"git:{hashlib.sha1(b'blob %d' % len(content) + bytes(1) + content).hexdigest()}"


def facts_of(url, reader="tab", digest=None, **reading):
    """Facts of the small set above, as the registry would have them."""
    return replace(
        microarray_facts("colon"),
        n_samples=4,
        n_features=3,
        class_counts={"t": 3, "n": 1},
        url=url,
        digest=digest,
        reader=reader,
        reading={"from": {"t": ("t",), "n": ("n",)}, **reading},
    )


def rdata_bytes(folder, x=None):
    rdata = pytest.importorskip("rdata")
    pandas = pytest.importorskip("pandas")
    path = folder / "made.RData"
    rdata.write_rda(
        path, {"made": {"x": X.astype(np.float64) if x is None else x, "y": pandas.Categorical(LABELS)}}
    )
    return path.read_bytes()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Server:
    """A web server of this computer whose answers are a list of (status, content, promised length)."""

    def __init__(self):
        self.answers, self.requests = [], []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests.append(self.path)
                place = min(len(outer.requests), len(outer.answers)) - 1
                status, content, length = outer.answers[place]
                self.send_response(status)
                self.send_header("Content-Length", str(len(content) if length is None else length))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def serve(self, *answers):
        """Give these answers in turn, the last one from then on; return the address of the file."""
        self.answers = [(*answer, None)[:3] for answer in answers]
        return f"http://127.0.0.1:{self.http.server_port}/folder/made.file"

    def close(self):
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


@pytest.fixture
def server(monkeypatch):
    pytest.importorskip("pooch")
    monkeypatch.setattr(microarray, "_WAIT", 0.0)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    running = Server()
    yield running
    running.close()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Use an empty cache folder and no other."""
    monkeypatch.delenv("SNELFS_DATA", raising=False)
    monkeypatch.setenv("SNELFS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def load(cache, monkeypatch):  # noqa: ARG001 (the cache must be a fresh one)
    """Load "colon" by the public function, with other facts behind its name."""

    def load_with(facts, **options):
        monkeypatch.setattr(microarray, "microarray_facts", lambda name: replace(facts, name=name))
        return load_microarray("colon", **options)

    return load_with


def held(folder):
    return sorted(path.name for path in folder.rglob("*")) if folder.exists() else []


def assert_is_small_set(data, names=NAMES):
    assert data.X.dtype == np.float32
    assert np.array_equal(data.X, X)
    assert data.y.tolist() == LABELS
    assert data.feature_names.tolist() == names


# The registry


def test_names_are_the_papers_twelve_in_its_order_then_the_reduced_ones():
    """The list starts with the real sets of the paper; full_only leaves it at that."""
    assert list_microarray() == (*REAL, *REDUCED)
    assert list_microarray(full_only=True) == REAL


@pytest.mark.parametrize("name", [*REAL, *REDUCED])
def test_every_entry_is_complete_and_consistent(name):
    """Counts add up to the rows, the second of two classes is positive, the source and its kind are named."""
    facts = microarray_facts(name)
    assert facts.name == name
    assert facts.paper_name in REAL
    assert sum(facts.class_counts.values()) == facts.n_samples
    two = paper_task(facts.paper_name) == "binary"
    assert facts.positive == (list(facts.class_counts)[1] if two else None)
    assert facts.url.startswith("https://raw.githubusercontent.com/")
    assert facts.reader in {"rdata", "tab", "csv", "mat", "transposed"}
    assert ("label_column" in facts.reading) == (facts.reader == "csv")
    assert facts.digest is None or facts.digest.startswith("git:")
    assert facts.digest is None or len(facts.digest) == len("git:") + 40
    assert facts.study
    assert facts.note.endswith(".")


@pytest.mark.parametrize("name", REAL)
def test_full_sets_have_the_papers_numbers_but_for_three(name):
    """Rows, columns and class counts are those of Table III; lung, srbct and bone_lesion say how not."""
    facts, printed = microarray_facts(name), paper_facts(name)
    columns = {"srbct": 2308, "bone_lesion": 12622}.get(name, printed["columns"])
    counts = {"lung": (150, 31)}.get(name, printed["class_counts"])
    assert (facts.n_samples, facts.n_features) == (printed["rows"], columns)
    assert tuple(facts.class_counts.values()) == counts
    assert facts.reduced is None
    assert not facts.label_filtered


@pytest.mark.parametrize("name", REDUCED)
def test_reduced_sets_say_so(name):
    """A reduced set has the paper's rows and classes, fewer columns, and a sentence on what is left out."""
    facts, printed = microarray_facts(name), paper_facts(microarray_facts(name).paper_name)
    assert tuple(facts.class_counts.values()) == printed["class_counts"]
    assert facts.n_features < printed["columns"]
    assert facts.reduced.endswith(".")
    assert facts.label_filtered == (name == "bone_lesion_anova1660")


def test_facts_are_fresh_and_names_may_be_in_capitals():
    """Changing the facts returned changes nothing for the next caller."""
    microarray_facts("MLL").class_counts["MLL"] = 0
    assert microarray_facts("mll").class_counts == {"ALL": 24, "MLL": 20, "AML": 28}


@pytest.mark.parametrize("ask", [microarray_facts, load_microarray])
def test_unknown_name_is_answered_with_the_nearest_and_all(ask):
    """A wrong name is refused with the nearest one and the accepted ones."""
    with pytest.raises(
        ValueError, match=r"^'colo' is no .* \(nearest: 'colon'\); accepted are colon, crohn,.*\.$"
    ):
        ask("colo")


# From disk


@pytest.mark.parametrize("name", ON_DISK)
def test_real_files_are_what_the_registry_says(name):
    """Every set that was collected loads with its shape, classes and finite values."""
    folder = Path(os.environ.get("SNELFS_DATA", SHARED_DATA))
    if not (folder / f"{name}.npz").exists():
        reason = f"no {name}.npz in the folder that SNELFS_DATA names"
        if os.environ.get("SNELFS_REQUIRE_ALL"):
            pytest.fail(reason)
        pytest.skip(reason)
    data = load_microarray(name, data_home=folder)
    assert data.X.shape == (data.facts.n_samples, data.facts.n_features)
    assert data.X.dtype == np.float32
    assert {label: (data.y == label).sum() for label in data.facts.class_counts} == data.facts.class_counts
    assert data.feature_names.shape == data.X.shape[1:]


def test_folder_of_the_environment_comes_before_the_cache(load, cache, tmp_path, monkeypatch):
    """SNELFS_DATA is looked in first, then the cache; names are made up where there are none."""
    cache.mkdir()
    np.savez(cache / "colon.npz", X=X + 1, y=np.array(LABELS))
    monkeypatch.setenv("SNELFS_DATA", str(tmp_path))
    facts = facts_of("http://127.0.0.1:9/none")
    assert np.array_equal(load(facts).X, X + 1)
    np.savez(tmp_path / "colon.npz", X=X, y=np.array(LABELS))
    assert_is_small_set(load(facts), ["x0001", "x0002", "x0003"])


def test_explicit_folder_is_the_only_place(cache, tmp_path):
    """With data_home nothing is downloaded: the missing path is named, and what is there."""
    np.savez(tmp_path / "mll.npz", X=X)
    with pytest.raises(FileNotFoundError, match=r"^There is no .*colon\.npz; the folder holds mll\.$"):
        load_microarray("colon", data_home=tmp_path)
    with pytest.raises(FileNotFoundError, match=r"the folder holds no data set\.$"):
        load_microarray("colon", data_home=tmp_path / "none")
    assert not cache.exists()


def test_no_download_without_leave(cache):
    """download=False names the folder and leaves it as it is."""
    with pytest.raises(FileNotFoundError, match=r"no colon\.npz in .*cache, and nothing may be downloaded"):
        load_microarray("colon", download=False)
    assert not cache.exists()


@pytest.mark.parametrize("wrong", ["text", "empty", "cut", "object", "no y", "npy"])
def test_broken_npz_is_named(wrong, load, tmp_path):
    """A file that is no npz of plain X and y is one sentence with its path."""
    path = tmp_path / "colon.npz"
    if wrong == "npy":
        with path.open("wb") as file:
            np.save(file, X)
    elif wrong == "object":
        np.savez(path, X=np.array([{}], dtype=object), y=np.array(LABELS))
    else:
        np.savez(path, X=X, **({} if wrong == "no y" else {"y": np.array(LABELS)}))
    content = path.read_bytes()
    path.write_bytes(
        {"text": b"hello", "empty": b"", "cut": content[: len(content) // 2]}.get(wrong, content)
    )
    with pytest.raises(ValueError, match=r"^\S*colon\.npz is no readable npz file with X and y; .*\.$"):
        load(facts_of("none"), data_home=tmp_path)


@pytest.mark.parametrize(
    ("values", "labels", "found"),
    [
        (X[:, :2], LABELS, "found are 4 x 2 values and the classes t 3, n 1"),
        (X, ["t", "n", "n", "t"], "found are 4 x 3 values and the classes t 2, n 2"),
        (X[0], LABELS, "found are 3 values"),
        (X, LABELS[:3], "the classes t 2, n 1"),
    ],
)
def test_other_data_under_the_name_are_refused(values, labels, found, load, tmp_path):
    """A wrong shape or wrong class counts are refused with what was expected and found."""
    np.savez(tmp_path / "colon.npz", X=values, y=np.array(labels))
    with pytest.raises(
        ValueError, match=r"expected are 4 x 3 values and the classes t 3, n 1; found"
    ) as caught:
        load(facts_of("none"), data_home=tmp_path)
    assert found in str(caught.value)


def test_missing_values_and_stray_names_are_refused(load, tmp_path):
    """A value that is not a number, or too few names, are refused."""
    holed = X.copy()
    holed[1, 2] = np.nan
    np.savez(tmp_path / "colon.npz", X=holed, y=np.array(LABELS))
    with pytest.raises(ValueError, match=r"missing or infinite values in 1 columns"):
        load(facts_of("none"), data_home=tmp_path)
    np.savez(tmp_path / "colon.npz", X=X, y=np.array(LABELS), feature_names=np.array(NAMES[:2]))
    with pytest.raises(ValueError, match=r"2 feature names; expected are 3"):
        load(facts_of("none"), data_home=tmp_path)


# The formats


def test_classes_known_by_size_are_found_merged_and_named(load, tmp_path):
    """Sizes stand in for labels that are not known, and several classes become one."""
    np.savez(tmp_path / "colon.npz", X=np.vstack([X, X]), y=np.array(list("aabbbccd")))
    facts = replace(facts_of("none"), n_samples=8, class_counts={"ill": 5, "well": 3})
    unclear = replace(facts, reading={"from": {"ill": (2, 3), "well": (2, 1)}})
    with pytest.raises(ValueError, match=r"expected are .* ill 5, well 3; found .* a 2"):
        load(unclear, data_home=tmp_path)
    np.savez(tmp_path / "colon.npz", X=np.vstack([X, X]), y=np.array(list("aaaabccc")))
    clear = replace(facts, reading={"from": {"ill": (4, 1), "well": (3,)}})
    assert load(clear, data_home=tmp_path).y.tolist() == ["ill"] * 5 + ["well"] * 3


@pytest.mark.parametrize("ending", ["", "\n\n", "\t\t\t\t\n"])
def test_orange_table_is_read(ending, tmp_path):
    """The class column gives the labels, meta and text columns are left out, empty lines do not count."""
    (tmp_path / "a.tab").write_text(TAB + ending)
    table = formats.read_tab(tmp_path / "a.tab")
    assert np.array_equal(table.X, X)
    assert table.y.tolist() == LABELS
    assert table.names.tolist() == NAMES


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\tb\nc\tc\n\t\n1\t2\n", "0 columns are flagged as the class"),
        ("a\tb\n", "1 rows"),
        ("a\tb\nc\td\n\tclass\n1\n", "data row 1 is short"),
        ("a\tb\nc\td\n\tclass\nx\tt\n", "could not convert"),
    ],
)
def test_wrong_orange_table_says_why(text, reason, tmp_path):
    """A table without a class, without rows, with a short row or with words for numbers is refused."""
    (tmp_path / "a.tab").write_text(text)
    with pytest.raises(ValueError, match=reason):
        formats.read_tab(tmp_path / "a.tab")


def test_comma_separated_table_is_read(tmp_path):
    """The named column gives the labels, wherever it is; the column of row numbers is left out."""
    (tmp_path / "a.csv").write_text(CSV)
    table = formats.read_csv(tmp_path / "a.csv", "state")
    assert np.array_equal(table.X, X)
    assert table.y.tolist() == LABELS
    assert table.names.tolist() == NAMES
    with pytest.raises(ValueError, match=r"0 columns are named 'class'"):
        formats.read_csv(tmp_path / "a.csv", "class")


def test_missing_cells_become_missing_values(tmp_path):
    """Cells that say they are missing are NaN, for the check to refuse."""
    (tmp_path / "a.csv").write_text("class,a,b\nt,1,NA\nn,?,2\n")
    assert np.isnan(formats.read_csv(tmp_path / "a.csv", "class").X).tolist() == [
        [False, True],
        [True, False],
    ]


def test_transposed_table_is_read(tmp_path):
    """Headings are the labels, with the numbers that a tool added taken off."""
    (tmp_path / "a.txt").write_text(TRANSPOSED)
    table = formats.read_transposed(tmp_path / "a.txt")
    assert np.array_equal(table.X, X)
    assert table.y.tolist() == LABELS
    assert table.names.tolist() == NAMES
    (tmp_path / "a.txt").write_text(TRANSPOSED + "g4_at\t1\n")
    with pytest.raises(ValueError, match=r"the row 'g4_at' is short"):
        formats.read_transposed(tmp_path / "a.txt")


@pytest.mark.parametrize("shape", [(4, 1), (1, 4)])
def test_matlab_file_is_read(shape, tmp_path):
    """The matrix is found by its shape, the label codes by their length."""
    savemat(tmp_path / "a.mat", {"X": X, "Y": np.array([4.0, 1, 4, 4]).reshape(shape)})
    table = formats.read_mat(tmp_path / "a.mat")
    assert np.array_equal(table.X, X)
    assert table.y.tolist() == ["4", "1", "4", "4"]
    savemat(tmp_path / "a.mat", {"X": X, "Y": np.ones((5, 1))})
    with pytest.raises(ValueError, match="0 vectors"):
        formats.read_mat(tmp_path / "a.mat")


def test_r_matrix_and_data_frame_are_read(tmp_path):
    """A matrix has no names, a data frame keeps its own, and names that only count are dropped."""
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "made.RData"
    rdata_bytes(tmp_path)
    plain = formats.read_rdata(path)
    assert np.array_equal(plain.X, X)
    assert plain.y.tolist() == LABELS
    assert plain.names is None
    rdata_bytes(tmp_path, pandas.DataFrame(X.astype(np.float64), columns=NAMES))
    assert formats.read_rdata(path).names.tolist() == NAMES
    rdata_bytes(tmp_path, pandas.DataFrame(X.astype(np.float64), columns=["V1", "V2", "V3"]))
    assert formats.read_rdata(path).names is None


def test_r_matrix_with_dimnames_has_them(tmp_path, monkeypatch):
    """A matrix with column names comes as a labelled array, and keeps them."""
    rdata, xarray = pytest.importorskip("rdata"), pytest.importorskip("xarray")
    x = xarray.DataArray(X, dims=["dim_0", "dim_1"], coords={"dim_1": NAMES})
    monkeypatch.setattr(rdata, "read_rda", lambda _: {"made": {"x": x, "y": np.array(LABELS)}})
    table = formats.read_rdata(tmp_path)
    assert np.array_equal(table.X, X)
    assert table.names.tolist() == NAMES


def test_r_file_of_something_else_is_refused(tmp_path):
    """A workspace without a list of x and y names what it holds."""
    rdata = pytest.importorskip("rdata")
    rdata.write_rda(tmp_path / "a.RData", {"letters": ["a", "b"]})
    with pytest.raises(ValueError, match="it holds letters and not one list of x and y"):
        formats.read_rdata(tmp_path / "a.RData")


# From the network


@pytest.mark.parametrize("reader", ["tab", "csv", "transposed", "rdata"])
def test_download_is_checked_converted_and_kept(reader, server, load, cache, tmp_path):
    """One request gives the data and an npz in the cache; the second load asks nobody."""
    texts = {"tab": TAB, "csv": CSV, "transposed": TRANSPOSED}
    content = texts[reader].encode() if reader in texts else rdata_bytes(tmp_path)
    names = NAMES if reader in texts else ["x0001", "x0002", "x0003"]
    facts = facts_of(server.serve((200, content)), reader, git_id(content), label_column="state")
    for _ in range(2):
        assert_is_small_set(load(facts), names)
    assert len(server.requests) == 1
    assert held(cache) == ["colon.npz"]


def test_columns_to_drop_are_dropped(server, load):
    """Columns that the registry names are left out, missing values and all."""
    url = server.serve((200, TAB.replace("-2.0", "?").encode()))
    data = load(replace(facts_of(url, drop=["g2_at"]), n_features=2))
    assert np.array_equal(data.X, X[:, [0, 2]])
    assert data.feature_names.tolist() == ["g1_at", "g3_at"]


def test_broken_transfer_starts_again(server, load, cache):
    """A connection that closes early is tried again from the start."""
    content = TAB.encode()
    url = server.serve((200, content[:50], len(content)), (200, content))
    assert_is_small_set(load(facts_of(url, digest=f"sha256:{hashlib.sha256(content).hexdigest()}")))
    assert len(server.requests) == 2
    assert held(cache) == ["colon.npz"]


@pytest.mark.parametrize(
    ("answer", "tries"),
    [((200, TAB.encode()[:50], len(TAB)), 3), ((404, b"none"), 1), ((503, b"later"), 3)],
    ids=["broken", "404", "503"],
)
def test_failed_download_says_where_to_put_the_file(answer, tries, server, load, cache):
    """A source that cannot be had is named with both places for a file by hand, and nothing stays."""
    url = server.serve(answer)
    with pytest.raises(ConnectionError) as caught:
        load(facts_of(url))
    said = str(caught.value)
    assert said.startswith(f"{url} could not be downloaded (")
    assert f"tries: {tries}" in said
    assert str(cache / "made.file") in said
    assert said.endswith(f"{cache / 'colon.npz'}.")
    assert len(server.requests) == tries
    assert held(cache) == []


def test_nobody_at_the_address_is_such_a_failure(server, load, cache):
    """A refused connection is the same sentence."""
    url = server.serve((200, b"")).replace(str(server.http.server_port), str(free_port()))
    with pytest.raises(
        ConnectionError, match=r"could not be downloaded \(\w+, tries: 3\); get the file by hand"
    ):
        load(facts_of(url))
    assert held(cache) == []


@pytest.mark.parametrize("digest", ["git:" + "0" * 40, "sha256:" + "0" * 64])
def test_wrong_digest_is_refused(digest, server, load, cache):
    """Another file at the address is refused with both digests, without another try, and nothing stays."""
    content = TAB.encode()
    right = git_id(content) if digest[0] == "g" else f"sha256:{hashlib.sha256(content).hexdigest()}"
    with pytest.raises(ValueError, match=rf"its digest should be {digest} and is {right}\.$"):
        load(facts_of(server.serve((200, content)), digest=digest))
    assert len(server.requests) == 1
    assert held(cache) == []


@pytest.mark.parametrize("reader", ["tab", "csv", "mat", "transposed", "rdata"])
@pytest.mark.parametrize(
    "content", [b"", b"<html>sorry</html>", bytes(range(256))], ids=["empty", "html", "noise"]
)
def test_unreadable_content_is_named(reader, content, server, load, cache):
    """A file of another kind is one sentence with the address and the format, and nothing stays."""
    if reader == "rdata":
        pytest.importorskip("rdata")
    url = server.serve((200, content))
    with pytest.raises(ValueError, match=rf"^{url} cannot be read as {reader}: [^\n]+\.$"):
        load(facts_of(url, reader, label_column="state"))
    assert held(cache) == []


def test_other_data_at_the_address_are_not_kept(server, load, cache):
    """A readable table of another shape is refused, and no npz is made of it."""
    url = server.serve((200, TAB.encode()))
    with pytest.raises(ValueError, match=r"expected are 5 x 3 values"):
        load(replace(facts_of(url), n_samples=5))
    assert held(cache) == []


def test_file_put_by_hand_is_taken(server, load, cache):
    """A source file in the cache is checked and converted without a request, and stays."""
    content = TAB.encode()
    facts = facts_of(server.serve((404, b"")), digest=git_id(content))
    cache.mkdir()
    (cache / "made.file").write_bytes(content + b"x")
    with pytest.raises(ValueError, match=r"made\.file is not the file expected for 'colon'"):
        load(facts)
    (cache / "made.file").write_bytes(content)
    assert_is_small_set(load(facts, download=False))
    assert held(cache) == ["colon.npz", "made.file"]
    assert server.requests == []


def test_loads_at_the_same_time_do_not_disturb_each_other(server, load, cache):
    """Several threads that start on an empty cache all get the data and leave one file."""
    facts = facts_of(server.serve((200, TAB.encode())))
    load_one, results = lambda: load_microarray("colon"), []
    with pytest.raises(FileNotFoundError):
        load(facts, download=False)  # puts the facts in place
    threads = [threading.Thread(target=lambda: results.append(load_one())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    for data in results:
        assert_is_small_set(data)
    assert held(cache) == ["colon.npz"]


# Packages


@pytest.mark.parametrize("missing", ["pooch", "rdata"])
def test_missing_package_is_one_sentence(missing, cache, monkeypatch):
    """Without the extra's packages the message says how to get them."""
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"^[^.]+ needs the extra 'data': pip install 'snelfs\[data\]'\.$"):
        load_microarray("colon")
    assert not cache.exists()


def test_importing_the_data_sets_imports_no_network_packages():
    """pooch, rdata and requests are imported where they are used."""
    heavy = {"pooch", "rdata", "requests", "xarray"}
    code = f"import sys, snelfs.datasets; print(sorted({heavy} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_public_names_are_those_of_datasets():
    """What microarray makes public, datasets passes on."""
    assert set(microarray.__all__) <= set(datasets.__all__)
    assert datasets.__all__ == sorted(datasets.__all__)
