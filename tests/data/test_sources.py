"""Tables that are read in blocks: the same statistics, the same columns, the same selection."""

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest
import zarr
from scipy import sparse

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.data import sources
from snelfs.data.rows import merge_rows
from snelfs.data.sources import Source, Standardised, is_on_disk
from snelfs.data.standardisation import Standardisation
from snelfs.foundation import blocks


@pytest.fixture
def counts():
    """Return 60 rows of 20 columns of counts, most of them zero, one of them constant."""
    generator = np.random.default_rng(1)
    values = generator.poisson(2.0, (60, 20)) * (generator.random((60, 20)) < 0.3)
    values[:, 5] = 3
    return values.astype(np.float64)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Let every table be read in several blocks, of 7 rows where they are dense."""
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 7 * 20)


@pytest.fixture(params=["csr", "csr_matrix", "dense", "single", "integers"])
def source(request, counts):
    tables = {
        "csr": sparse.csr_array,
        "csr_matrix": sparse.csr_matrix,
        "dense": np.asarray,
        "single": np.float32,
        "integers": np.int64,
    }
    return Source(tables[request.param](counts))


def test_a_sparse_block_has_the_rows_of_as_many_stored_values(counts):
    """More rows than a dense one, in several blocks; fewer again where columns of it are made dense."""
    dense, filled = Source(counts), Source(sparse.csr_array(counts))
    lengths = [[len(places) for places, _ in blocks] for blocks in (dense.blocks(), filled.blocks())]
    each_row = np.ceil(np.count_nonzero(counts) / 60)
    assert lengths[0] == [7] * 8 + [4]
    assert lengths[1][0] == 140 // each_row > 7
    assert len(lengths[1]) > 2
    assert [len(places) for places, _ in filled.blocks(20)] == lengths[0]
    assert list(Source(sparse.csr_array((0, 20))).blocks()) == []


def test_moments_are_those_of_the_dense_table(source, counts):
    """In one pass, with weights, to double precision; a constant column is told."""
    weights = np.random.default_rng(2).random(60)
    expected = Standardisation.of(counts, weights)
    mean, deviation, varies = source.moments(weights)
    np.testing.assert_allclose(mean, expected.mean, rtol=1e-12)
    np.testing.assert_allclose(deviation[varies], expected.scale[varies], rtol=1e-12)
    np.testing.assert_array_equal(varies, expected.varies)


def test_moments_do_not_cancel():
    """A large offset leaves the variance as it is, in the sparse form as well."""
    values = 1e7 + np.random.default_rng(3).standard_normal((60, 20))
    for table in (values, sparse.csr_array(values)):
        deviation = Source(table).moments(np.ones(60)).deviation
        np.testing.assert_allclose(deviation, values.std(axis=0), rtol=1e-6)


def test_a_sparse_column_varies_as_its_dense_twin_does():
    """Below zero, full or constant, and with values stored twice: what varies is the same in both."""
    dense = np.array([[-2.0, 4.0, 3.0, 0.0], [-1.0, 4.0, 3.0, 0.0], [0.0, 4.0, 3.0, 0.0]])
    values, columns = [-2, 4, 1, 2, -1, 4, 1, 2, 4, 1, 2], [0, 1, 2, 2, 0, 1, 2, 2, 1, 2, 2]
    twice = sparse.csr_array((np.array(values, float), columns, [0, 4, 8, 11]), shape=dense.shape)
    assert twice.nnz == len(values)  # 3 is stored as 1 and 2
    found, expected = (Source(table).moments(np.ones(3)) for table in (twice, dense))
    assert found.varies.tolist() == expected.varies.tolist() == [True, False, False, False]
    np.testing.assert_allclose(found.mean, expected.mean)
    np.testing.assert_allclose(found.deviation, expected.deviation)


def test_values_stored_twice_are_read_as_their_sums(counts):
    """Distances, products, columns and digests are those of the same table stored once; the table stays."""
    stored = sparse.coo_array(counts.astype(float))
    halves = np.r_[stored.data - 1, np.ones(stored.nnz)]
    rows, columns = np.tile(stored.row, 2), np.tile(stored.col, 2)
    order = np.argsort(rows, kind="stable")
    ends = np.r_[0, np.cumsum(np.bincount(rows, minlength=len(counts)))]
    twice = sparse.csr_array((halves[order], columns[order], ends), shape=counts.shape)
    found, once = Source(twice), Source(sparse.csr_array(counts.astype(float)))
    scale, given = np.ones(counts.shape[1]), np.ones((len(counts), 1))
    np.testing.assert_allclose(found.distances(scale, scale), once.distances(scale, scale))
    np.testing.assert_allclose(found.products(given, scale), once.products(given, scale))
    np.testing.assert_array_equal(found[:, :], once[:, :])
    target = np.zeros(len(counts))
    assert found.digests(target).tolist() == once.digests(target).tolist()
    assert twice.nnz == len(halves)


def test_rows_and_columns_come_in_the_order_asked_for(source, counts):
    """Rows may be any, and as often as wanted; columns are dense and of single precision."""
    rows, columns = np.array([59, 3, 3, 41, 0]), np.array([19, 2, 11])
    found = source[rows][:, columns]
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, counts[np.ix_(rows, columns)])
    mask = np.arange(20) % 3 == 0
    np.testing.assert_array_equal(source[:, mask], counts[:, mask])


def test_standardised_columns_are_worked_out_when_asked_for(source, counts):
    """They have mean 0 and variance 1, on the scale of all rows whatever rows are asked for."""
    scale = Standardisation.of(counts, np.ones(60))
    kept = np.flatnonzero(scale.varies)
    view = Standardised(source, kept, scale.mean, scale.scale)
    assert view.shape == (60, 19)
    np.testing.assert_allclose(view[:, :], scale.apply(counts)[:, kept], atol=1e-5)
    np.testing.assert_allclose(
        view[np.array([5, 2])][:, [7]], scale.apply(counts)[[5, 2]][:, kept[[7]]], atol=1e-5
    )


def test_equal_rows_are_merged_and_ordered_as_in_memory(counts):
    """A sparse table and its dense twin have the same rows in the same order."""
    doubled, y = np.r_[counts, counts[:9]], np.r_[np.arange(60.0), np.arange(9.0)]
    dense = merge_rows(doubled, y, np.ones(69))
    merged = merge_rows(Source(sparse.csr_array(doubled)), y, np.ones(69))
    np.testing.assert_array_equal(merged.weights, dense.weights)
    np.testing.assert_array_equal(merged.y, dense.y)
    np.testing.assert_array_equal(merged.X[:, :], dense.X)


def test_a_sparse_table_gives_what_its_dense_twin_gives(counts, quick):
    """The columns are the same up to rounding, and so is what is selected; prediction takes both."""
    y = counts[:, 4] + counts[:, 11]
    dense = SNeLRegressor(**quick).fit(counts, y)
    table = sparse.csr_array(counts)
    selector = SNeLRegressor(**quick).fit(table, y)
    assert set(np.argsort(selector.ranking_)[:2]) == set(np.argsort(dense.ranking_)[:2]) == {4, 11}
    np.testing.assert_allclose(selector.predict(table), selector.predict(counts), rtol=1e-5)
    assert selector.transform(table).shape == (60, 5)
    assert selector.ranking_[5] == 20


@pytest.mark.parametrize("kind", ["memmap", "h5py", "zarr"])
def test_a_table_on_disk_is_never_read_whole(kind, tmp_path, table, quick, monkeypatch):
    """Memory maps, HDF5 and Zarr: fit, transform and predict go by blocks."""
    X, y = table
    monkeypatch.setattr(sources, "LARGE", 1)
    stored = {"memmap": as_memmap, "h5py": as_hdf5, "zarr": as_zarr}[kind](X.astype(np.float32), tmp_path)
    assert is_on_disk(stored)
    classes = np.where(y > 0, "high", "low")
    selector = SNeLClassifier(**quick).fit(stored, classes)
    assert selector.support_[[4, 11, 17]].sum() >= 2
    np.testing.assert_allclose(selector.transform(stored), X[:, selector.support_], rtol=1e-6)
    assert (selector.predict(stored) == classes).mean() > 0.9
    assert selector.n_features_in_ == 20


def as_memmap(X, folder):
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def as_hdf5(X, folder):
    return h5py.File(folder / "X.h5", "w").create_dataset("X", data=X)


def as_zarr(X, folder):
    return zarr.create_array(str(folder / "X.zarr"), data=X)


def test_a_backed_anndata_matrix_is_read_in_blocks(tmp_path, counts, quick):
    """Sparse on disk, as single-cell counts are kept."""
    names = [pd.DataFrame(index=pd.Index(map(str, range(n)), dtype=object)) for n in counts.shape]
    anndata.AnnData(sparse.csr_matrix(counts), *names).write_h5ad(tmp_path / "counts.h5ad")
    backed = anndata.read_h5ad(tmp_path / "counts.h5ad", backed="r")
    selector = SNeLRegressor(**quick).fit(backed.X, counts[:, 4] + counts[:, 11])
    assert set(np.argsort(selector.ranking_)[:2]) == {4, 11}


def test_a_small_memory_map_is_an_array_like_any_other(tmp_path, table):
    """joblib passes arrays on as memory maps: results must not depend on that."""
    assert not is_on_disk(as_memmap(table[0], tmp_path))


@pytest.mark.parametrize(("value", "kind"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_what_is_not_finite_is_refused(value, kind, table, quick, tmp_path, monkeypatch):
    """In whatever block it is."""
    X, y = table[0].copy(), table[1]
    X[50, 3] = value
    monkeypatch.setattr(sources, "LARGE", 1)
    with pytest.raises(ValueError, match=f"Input X contains {kind}; only finite numbers are accepted"):
        SNeLRegressor(**quick).fit(as_memmap(X, tmp_path), y)


def test_a_cube_on_disk_is_no_table(tmp_path, quick, monkeypatch):
    monkeypatch.setattr(sources, "LARGE", 1)
    cube = as_memmap(np.zeros((4, 3, 2)), tmp_path)
    with pytest.raises(ValueError, match=r"X on disk must be a table of numbers, got the shape \(4, 3, 2\)"):
        SNeLRegressor(**quick).fit(cube, np.arange(4.0))


def test_a_matrix_stored_by_columns_is_refused(tmp_path, counts, quick):
    """Its rows are nowhere in one piece."""
    names = [pd.DataFrame(index=pd.Index(map(str, range(n)), dtype=object)) for n in counts.shape]
    anndata.AnnData(sparse.csc_matrix(counts), *names).write_h5ad(tmp_path / "counts.h5ad")
    backed = anndata.read_h5ad(tmp_path / "counts.h5ad", backed="r")
    with pytest.raises(ValueError, match=r"must be stored by rows \(CSR\), got one stored by columns"):
        SNeLRegressor(**quick).fit(backed.X, counts[:, 4])


@pytest.mark.parametrize("spread", [1.0, 30.0])
def test_a_column_far_from_zero_keeps_what_it_varies_by(spread):
    """Single precision tells seconds of a year apart, and no seconds since 1970."""
    generator = np.random.default_rng(0)
    X = np.c_[1.7e9 + spread * generator.standard_normal(50), generator.standard_normal(50)]
    source = Source(sparse.csr_array(X))
    np.testing.assert_array_equal(source[:, [0, 1]], X)
    assert source[:, [1]].dtype == np.float32
    view = Standardised(source, np.arange(2), X.mean(axis=0), X.std(axis=0))
    np.testing.assert_allclose(view[:, :], (X - X.mean(axis=0)) / X.std(axis=0), atol=1e-5)
