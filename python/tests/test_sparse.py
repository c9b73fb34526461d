"""Sparse matrices and Matrix Market files, compared with SciPy."""

import concurrent.futures
import gc
import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steno
import steno.io
import steno.sparse

sp = pytest.importorskip("scipy.sparse")

KINDS = ("csr", "sliced", "coo", "ell", "sell", "packed")


def random_matrix(rows, columns, density=0.2, seed=0, dtype="float64"):
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((rows, columns)) < density, rng.normal(size=(rows, columns)), 0.0)
    if dtype[0] == "c":
        dense = dense * (1 + 0.5j)
    return sp.csr_matrix(dense.astype(dtype))


def bound(matrix, x, unit):
    """A bound of the error of a product whose values have this unit roundoff."""
    scale = abs(matrix) @ np.abs(x)
    return unit * scale + 1e-13 * (scale + 1)


@st.composite
def problems(draw):
    rows, columns = draw(st.integers(1, 70)), draw(st.integers(1, 70))
    density = draw(st.sampled_from([0.0, 0.05, 0.3, 1.0]))
    return random_matrix(rows, columns, density, draw(st.integers(0, 2**32 - 1)))


@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from(KINDS), st.integers(0, 3))
def test_products_of_all_kinds(matrix, kind, vectors):
    shape = (matrix.shape[1], vectors) if vectors else matrix.shape[1]
    x = np.random.default_rng(1).normal(size=shape)
    a = steno.sparse.csr(matrix)
    converted = a.convert(kind)
    assert (converted.kind, converted.shape, converted.nnz) == (kind, matrix.shape, matrix.nnz)
    assert a.converted_nbytes(kind) == converted.nbytes
    product = converted @ x
    assert isinstance(product, np.ndarray) and product.dtype == np.float64
    np.testing.assert_array_less(abs(product - matrix @ x) - 1e-300, bound(matrix, x, 0))
    assert np.array_equal(product, a @ x)
    assert np.array_equal(converted.toarray(), matrix.toarray())
    assert abs(converted.to_scipy() - matrix).sum() == 0
    y = np.random.default_rng(2).normal(size=matrix.shape[0])
    np.testing.assert_allclose(converted.T @ y, matrix.T @ y, atol=1e-12)
    np.testing.assert_allclose(y @ converted, y @ matrix, atol=1e-12)


@pytest.mark.parametrize("name, unit", [("f32", 2**-24), ("f16", 2**-11), ("bf16", 2**-8), ("e4m3", 2**-4)])
@pytest.mark.parametrize("kind", KINDS)
def test_narrow_values(name, unit, kind):
    matrix = random_matrix(60, 50)
    x = np.random.default_rng(1).normal(size=50)
    a = steno.sparse.csr(matrix, name).convert(kind)
    assert a.format == name
    difference = abs(a @ x - matrix @ x)
    # Values below the smallest normal number have an absolute error.
    assert (difference <= bound(matrix, x, unit) + 2**-10 * abs(x).sum()).all()
    assert difference.max() > 0
    # The stored values are multiplied in f64.
    rounded = matrix.copy()
    rounded.data = np.asarray(steno.asarray(matrix.data, name), dtype="float64")
    np.testing.assert_allclose(a @ x, rounded @ x, rtol=0, atol=1e-12)


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_memory_is_shared(index):
    matrix = random_matrix(30, 20)
    indices, indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    a = steno.sparse.csr((matrix.data, indices, indptr), shape=matrix.shape)
    assert np.shares_memory(a.data.codes, matrix.data)
    assert np.shares_memory(a.indices, indices) and np.shares_memory(a.indptr, indptr)
    narrow = a.astype("f16")
    assert np.shares_memory(narrow.indices, indices)
    values = matrix.data.copy()
    del indices, indptr
    gc.collect()
    matrix.data[:] = 2 * values
    x = np.ones(20)
    np.testing.assert_allclose(a @ x, 2 * np.asarray(narrow.dot(x)), atol=0.1)
    assert not a.indices.flags.writeable
    c = steno.sparse.coo(matrix.tocoo())
    assert c.kind == "coo" and np.array_equal(c @ x, a @ x)


@pytest.mark.parametrize("kind", ["csr", "coo", "sliced"])
def test_diagonal_adds_repeated_entries(kind):
    data, row, column = [1.0, 2.0, 4.0, 8.0], [0, 0, 1, 2], [0, 0, 0, 2]
    a = steno.sparse.csr((data, column, [0, 2, 3, 4]), "f16", shape=(3, 3))
    if kind == "coo":
        a = steno.sparse.coo((data, (row, column)), "f16", shape=(3, 3))
    elif kind != "csr":
        a = a.convert(kind)
    assert a.diagonal().tolist() == a.toarray().diagonal().tolist() == [3.0, 0.0, 8.0]


def test_coordinates_are_sorted_and_added():
    data, row, column = [1.0, 2.0, 4.0, 8.0], [2, 0, 2, 1], [1, 1, 1, 0]
    a = steno.sparse.coo((data, (row, column)), "f16")
    assert a.shape == (3, 2) and a.nnz == 4
    assert (a @ [1.0, 10.0]).tolist() == [20.0, 8.0, 50.0]
    assert a.convert("csr").nnz == 3
    assert a.toarray().tolist() == [[0.0, 2.0], [8.0, 0.0], [0.0, 5.0]]


def test_complex_values():
    matrix = random_matrix(20, 20, dtype="complex128")
    x = np.random.default_rng(3).normal(size=20)
    a = steno.sparse.csr(matrix, "c64")
    assert a.dtype == np.complex64
    for vector in (x, x + 2j * x):
        np.testing.assert_allclose(a @ vector, matrix @ vector, atol=1e-5)
        np.testing.assert_allclose(a.rmatvec(vector), matrix.conj().T @ vector, atol=1e-5)
    real = steno.sparse.csr(matrix.real)
    np.testing.assert_allclose(real @ (x + 1j * x), matrix.real @ (x + 1j * x), atol=1e-12)
    np.testing.assert_allclose(a.diagonal(), matrix.diagonal(), atol=1e-6)


def test_integers_have_a_scale():
    matrix = random_matrix(40, 30)
    a = steno.sparse.csr(matrix, "i16")
    assert a.scale == 2.0 ** np.round(np.log2(a.scale)) and a.scale < 1
    x = np.ones(30)
    np.testing.assert_allclose(a @ x, matrix @ x, atol=40 * a.scale)
    exact = steno.sparse.csr(np.array([[1, 2], [0, 3]]), "i8")
    assert (exact @ np.array([1, 1])).tolist() == [3, 3]
    assert exact.scale == 1.0


@pytest.mark.parametrize("name, bits", [("i8", 7), ("i16", 15), ("e4m3", 3)])
def test_scales_of_rows(name, bits):
    matrix = random_matrix(40, 30)
    matrix.data *= np.repeat(10.0 ** np.linspace(-30, 30, 40), np.diff(matrix.indptr))
    a = steno.sparse.csr(matrix, name + ":row")
    assert a.format == name and a.row_scales.shape == (40,)
    assert (np.frexp(a.row_scales)[0] == 0.5).all()
    x = np.random.default_rng(5).normal(size=30)
    largest = abs(matrix).max(axis=1).toarray().ravel()
    assert (abs(a @ x - matrix @ x) <= 2.0**-bits * largest * abs(x).sum()).all()
    np.testing.assert_allclose(a.to_scipy() @ x, a @ x, rtol=1e-6)
    np.testing.assert_allclose(a.toarray() @ x, a @ x, rtol=1e-6)
    again = steno.sparse.csr(steno.sparse.csr(matrix), name + ":row")
    assert np.array_equal(again @ x, a @ x)
    assert np.array_equal(pickle.loads(pickle.dumps(a)) @ x, a @ x)
    for wrong in ({"scale": 2.0}, {"format": "c64:row"}):
        with pytest.raises((ValueError, TypeError)):
            steno.sparse.csr(matrix, **{"format": "i8:row", **wrong})
    blocks = steno.sparse.csr(random_matrix(40, 30), name + ":8")  # one scale per 8 values
    np.testing.assert_allclose(blocks @ x, blocks.toarray() @ x, rtol=0, atol=1e-12)
    matrix.data[3] = np.inf
    with pytest.raises(ValueError):
        steno.sparse.csr(matrix, "i8:row")


@pytest.mark.parametrize("kind", ["csr", "coo", "ell", "sell"])
def test_formats_of_matrices_with_scales_of_rows(kind):
    dense = np.array([[1e6, 0.0, 0.0, 2.0], [0.0, 3.0, 0.0, 0.5], [0.0, 0.0, 1e-3, 0.0]])
    a = steno.sparse.csr(dense, "i32:row").convert("csr").convert(kind)
    filling = [np.full(3, np.nan) for _ in range(100)]
    assert a.row_scales is not None
    for other in ("sliced", "packed"):
        with pytest.raises(steno.UnsupportedError, match=f"scales per row, but kind '{other}' has none"):
            a.convert(other)
        assert np.allclose(a.convert(other, "f32").toarray(), dense)
    narrow = a.astype("f64")
    assert narrow.row_scales is None and narrow.kind == kind and np.allclose(narrow.toarray(), dense, 1e-6)
    assert a.row_scales.tolist() == steno.sparse.csr(dense, "i32:row").row_scales.tolist()  # those of a released matrix
    assert len(filling) == 100
    assert np.isinf(a.astype("f16").toarray()[0, 0]) and a.astype("f16").toarray()[1, 3] == 0.5
    assert np.allclose(a.astype("i32").toarray(), dense, atol=1e-3)


def test_empty_matrices(tmp_path):
    for shape in ((0, 0), (0, 3), (3, 0), (3, 3)):
        a = steno.sparse.csr(np.zeros(shape), "f16")
        for kind in KINDS:
            b = a.convert(kind)
            assert (b @ np.ones(shape[1])).tolist() == [0.0] * shape[0]
            assert b.toarray().shape == shape and b.nnz == 0
            assert (b @ np.ones((shape[1], 2))).shape == (shape[0], 2)
        assert steno.sparse.csr(np.zeros(shape), "i8:row").T.shape == shape[::-1]
    path = tmp_path / "empty.mtx"
    steno.io.mmwrite(path, a)
    assert steno.io.mmread(path).nnz == 0


def test_formats_of_results():
    a = steno.sparse.csr(random_matrix(8, 8), "f16")
    x = np.ones(8)
    assert isinstance(a @ steno.asarray(x), steno.Array)
    assert (a @ steno.asarray(x, "f16")).format == "f16"
    assert (a @ x.astype("float32")).dtype == np.float32
    y = np.ones(8)
    assert a.dot(x, y, alpha=2.0, beta=3.0) is y
    np.testing.assert_allclose(y, 2 * (a @ x) + 3)
    z = steno.zeros(8, "bf16")
    assert a.dot(x, out=z) is z
    np.testing.assert_allclose(np.asarray(z), a @ x, rtol=2**-8)
    assert a.dot(x, arithmetic="f32").dtype == np.float64
    assert a.dot(x[::-1]) is not None and (a @ x[::-1]).shape == (8,)


def test_optimize_keeps_bits():
    matrix = random_matrix(300, 300, 0.03)
    x = np.random.default_rng(4).normal(size=300)
    a = steno.sparse.csr(matrix, "f16")
    before = a @ x
    report = a.optimize(10**6, method="model")
    assert report["kind"] in KINDS and report["reason"]
    assert a.optimize(1, kind="ell")["kind"] == "ell"
    assert np.array_equal(a @ x, before)
    values = matrix.data.copy()
    shared = steno.sparse.csr((values, matrix.indices, matrix.indptr), shape=matrix.shape)
    shared.optimize(1, kind="sliced")
    transposed = shared.T @ x
    values *= 2
    shared.update_values()
    assert np.array_equal(shared @ x, steno.sparse.csr(2 * matrix) @ x)
    assert np.array_equal(shared.T @ x, 2 * transposed)
    with pytest.raises(ValueError, match="method"):
        a.optimize(1, method="guess")
    with pytest.raises(steno.RangeError):
        a.optimize(1, kind="ell", max_bytes=10)


def many_entries(format):
    """A matrix with enough entries to be optimized, and the arrays of SciPy."""
    n = 60_000
    matrix = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)).tocsr()
    return steno.sparse.csr(matrix, format), matrix, np.random.default_rng(5).normal(size=n)


def test_automatic_optimization_keeps_bits():
    a, _, x = many_entries("f16")
    before, handle = a @ x, a._handle
    for _ in range(8):
        a @ x
    assert a._handle is handle
    assert np.array_equal(a @ x, before) and a._handle is not handle
    assert np.array_equal(a.dot(x), before) and np.array_equal(a.T @ x, steno.sparse.csr(a.T.to_scipy()) @ x)


def test_no_automatic_optimization():
    a, matrix, x = many_entries("f16")
    shared, small = steno.sparse.csr(matrix), steno.sparse.csr(random_matrix(30, 30), "f16")
    a.optimize(0)
    handles = [one._handle for one in (a, shared, small)]
    for _ in range(12):
        a @ x, shared @ x, small @ x[:30]
    assert handles == [one._handle for one in (a, shared, small)]
    before = shared @ x
    matrix.data *= 2  # shared values may change as long as nothing is optimized
    assert np.array_equal(shared @ x, 2 * before)


def test_products_of_threads_during_automatic_optimization():
    a, _, x = many_entries("f32")
    expected = a @ x
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: a @ x, range(40)))
    assert all(np.array_equal(one, expected) for one in results)


def test_compensate():
    n = 40
    matrix = sp.diags([-0.3, 0.6, -0.3], [-1, 0, 1], shape=(n, n)).tocsr()
    narrow = steno.sparse.csr(matrix).compensate("f16")
    assert narrow.format == "f16"
    inner = narrow @ np.ones(n)
    np.testing.assert_allclose(inner[1:-1], 0, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_pickle(kind):
    a = steno.sparse.csr(random_matrix(20, 30), "i16").convert(kind)
    b = pickle.loads(pickle.dumps(a, protocol=5))
    assert repr(a) == repr(b)
    assert np.array_equal(a.toarray(), b.toarray())


def test_linear_operator():
    linalg = pytest.importorskip("scipy.sparse.linalg")
    matrix = random_matrix(20, 20) + 10 * sp.eye(20, format="csr")
    op = steno.sparse.csr(matrix, "f32").aslinearoperator()
    x = np.ones(20)
    np.testing.assert_allclose(op @ x, matrix @ x, rtol=1e-5)
    np.testing.assert_allclose(op.T @ x, matrix.T @ x, rtol=1e-5)
    solution, info = linalg.gmres(op, x)
    assert info == 0 and np.linalg.norm(matrix @ solution - x) < 1e-4


@pytest.mark.parametrize(
    "argument, options, error",
    [
        (([1.0], [0.5], [0, 1]), {}, TypeError),
        (([1.0], [5], [0, 1]), {"shape": (1, 2)}, steno.RangeError),
        (([1.0], [-1], [0, 1]), {"shape": (1, 2)}, steno.RangeError),
        (([1.0, 2.0], [0], [0, 1]), {"shape": (1, 2)}, ValueError),
        (([1.0], [0], [0, 2]), {"shape": (1, 2)}, ValueError),
        (([1.0], [0], [1, 1]), {"shape": (1, 2)}, ValueError),
        (([1.0], [0], [0, 1]), {"shape": (2, 2)}, ValueError),
        (([1.0], [0], [0, 1]), {"shape": (1, 2**31)}, ValueError),
        (([1.0], [0], [0, 1]), {"shape": (-1, 2)}, ValueError),
        (([1.0], [[0]], [0, 1]), {}, ValueError),
        (([1.0], [0]), {}, (ValueError, TypeError)),
        ((1, 2, 3, 4), {}, ValueError),
        (np.ones(3), {}, ValueError),
        (np.array([[object()]]), {}, TypeError),
        ("text", {}, (TypeError, ValueError)),
        (None, {}, (TypeError, ValueError)),
        (([1.0], [0], [0, 1]), {"format": "f17"}, ValueError),
        (([1.0], [0], [0, 1]), {"format": "i8", "scale": float("nan")}, ValueError),
        (([1.0], [0], [0, 1]), {"scale": 2.0}, ValueError),
    ],
)
def test_invalid_matrices(argument, options, error):
    if options.get("format") == "f17":
        error = steno.FormatError
    with pytest.raises(error):
        steno.sparse.csr(argument, **options)


@given(
    st.lists(st.integers(-2, 6), max_size=8),
    st.lists(st.integers(-1, 9), min_size=1, max_size=6),
    st.integers(0, 9),
    st.integers(-1, 6),
    st.sampled_from(["int8", "uint8", "int32", "int64", "uint64", "float64"]),
    st.sampled_from([None, "f16", "i8", "c64"]),
)
def test_arbitrary_arrays(indices, indptr, count, columns, dtype, format):
    """Arrays that are no matrix raise an exception; all others give the right product."""
    indices = np.array(indices, "int64").astype(dtype)
    data = np.arange(1.0, count + 1)
    try:
        a = steno.sparse.csr((data, indices, np.array(indptr)), format, shape=(len(indptr) - 1, columns))
    except (ValueError, TypeError):
        return
    assert indptr[0] == 0 and indptr == sorted(indptr) and indptr[-1] == count == len(indices)
    assert columns >= 0 and all(0 <= index < columns for index in indices)
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    dense = np.zeros((len(indptr) - 1, columns))
    np.add.at(dense, (rows, indices.astype("int64")), data)
    np.testing.assert_allclose(a @ np.ones(columns), dense.sum(axis=1))
    np.testing.assert_allclose(a.convert("sell", height=2, sigma=4).toarray(), dense)


def test_invalid_products():
    a = steno.sparse.csr(random_matrix(5, 4))
    x = np.ones(4)
    read_only = np.ones(5)
    read_only.flags.writeable = False
    for call, error in [
        (lambda: a @ np.ones(5), steno.ShapeError),
        (lambda: a @ np.ones((4, 2, 2)), ValueError),
        (lambda: a @ "text", (TypeError, ValueError)),
        (lambda: a @ np.array([object()] * 4), TypeError),
        (lambda: a @ a, TypeError),
        (lambda: a.dot(x, out=np.ones(4)), steno.ShapeError),
        (lambda: a.dot(x, out=[0.0] * 5), TypeError),
        (lambda: a.dot(x, out=read_only), ValueError),
        (lambda: a.dot(x, beta=1.0), ValueError),
        (lambda: a.dot(x, arithmetic="f16"), TypeError),
        (lambda: a.convert("dense"), ValueError),
        (lambda: a.convert("sell", height=0), ValueError),
        (lambda: a.astype("c64").astype("f32"), TypeError),
        (lambda: np.asarray(a), TypeError),
    ]:
        with pytest.raises(error):
            call()
    square = steno.sparse.csr(random_matrix(4, 4))
    y = np.ones(4)
    with pytest.raises(steno.AliasError):
        square.dot(y, out=y)


# ---- Matrix Market files ----


@pytest.mark.parametrize("suffix", [".mtx", ".mtx.gz"])
@pytest.mark.parametrize("dtype", ["float64", "int64", "complex128"])
def test_files(tmp_path, suffix, dtype):
    path = tmp_path / ("a" + suffix)
    matrix = random_matrix(30, 20, dtype="complex128" if dtype == "complex128" else "float64")
    if dtype == "int64":
        matrix.data = np.round(100 * matrix.data)
        matrix = matrix.astype(dtype)
    steno.io.mmwrite(path, matrix)
    a = steno.io.mmread(path)
    assert a.shape == matrix.shape and a.dtype == np.dtype(dtype)
    assert np.array_equal(a.toarray(), matrix.toarray())
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    from scipy.io import mmread

    assert abs(sp.csr_matrix(mmread(str(path))) - matrix).sum() == 0
    dense = matrix.toarray()
    steno.io.mmwrite(path, dense)
    b = steno.io.mmread(path, None)
    assert isinstance(b, steno.Array) and np.array_equal(np.asarray(b), dense)


def test_files_of_scipy(tmp_path):
    from scipy.io import mmwrite

    path = str(tmp_path / "a.mtx")
    matrix = random_matrix(20, 20)
    matrix = matrix + matrix.T
    mmwrite(path, matrix, symmetry="symmetric")
    a = steno.io.mmread(path, "f32")
    assert a.format == "f32" and a.nnz == matrix.nnz
    np.testing.assert_allclose(a.toarray(), matrix.toarray(), rtol=1e-6)


def test_invalid_files(tmp_path):
    path = tmp_path / "a.mtx"
    with pytest.raises(FileNotFoundError):
        steno.io.mmread(path)
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n")
    with pytest.raises(ValueError, match="a.mtx:3"):
        steno.io.mmread(path)
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n1 1 2.0\n")
    assert steno.io.mmread(path).toarray()[0, 0] == 3.0
    with pytest.raises(steno.ParseError):
        steno.io.mmread(path, strict=True)
    path.write_bytes(b"\x1f\x8bdamaged")
    with pytest.raises(steno.ParseError, match="gzip"):
        steno.io.mmread(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.mtx"]
    with pytest.raises(ValueError):
        steno.io.mmwrite(path, np.array([[np.nan]]))
    with pytest.raises(ValueError):
        steno.io.mmwrite(path, np.ones(3))


def test_no_leaks():
    matrix = random_matrix(200, 200)
    x = np.ones(200)

    def work():
        a = steno.sparse.csr(matrix, "f16")
        for kind in KINDS:
            b = a.convert(kind)
            b @ x, b.data, b.toarray()
        a.T @ x
        a.optimize(1, kind="sliced")
        with pytest.raises(ValueError):
            a @ np.ones(3)

    work()
    gc.collect()
    tracemalloc.start()
    for _ in range(3):
        work()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(20):
        work()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 4000


def test_incomplete_gzip(tmp_path):
    path = tmp_path / "a.mtx.gz"
    steno.io.mmwrite(path, steno.sparse.csr(np.eye(9)))
    content = path.read_bytes()
    for broken in (content[:-5], content[:15], content[:40] + b"xxxx" + content[44:]):
        path.write_bytes(broken)
        with pytest.raises(steno.ParseError, match="a.mtx.gz"):
            steno.io.mmread(path)


def test_scales():
    values = [[1.0, 2.0], [0.0, 50.0]]
    a = steno.sparse.csr(values, "i8:row")
    assert a.scales.tolist() == a.row_scales.tolist() == [2.0**-5, 0.5]
    assert steno.sparse.csr(values, "f16").scales is None
    blocks = steno.sparse.csr(values, "bfp16")
    assert blocks.row_scales is None and blocks.scales.tolist() == blocks.data.scales.tolist()
