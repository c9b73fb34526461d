"""Kernels and reductions from texts, compared with NumPy."""

import copy
import gc
import pickle
import time
import tracemalloc

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steno
import steno.linalg
import steno.sparse

AXPY = steno.kernel("y = alpha * x + y", inout="y")


def random(shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def test_order_of_arguments():
    x, y = random(5), random(5, 1)
    expected = 0.5 * x + y
    result = y.copy()
    assert AXPY(0.5, x, result) is result
    np.testing.assert_array_equal(result, expected)
    named = y.copy()
    AXPY(y=named, x=x, alpha=0.5)
    np.testing.assert_array_equal(named, expected)
    factors = np.full(5, 0.5)
    again = y.copy()
    AXPY(factors, x, again)
    np.testing.assert_array_equal(again, expected)


@given(st.sampled_from(["f32", "f16", "bf16", "e4m3", "i16", "u8"]), st.integers(0, 300), st.integers(0, 2**32 - 1))
def test_formats(name, n, seed):
    x = random(n, seed)
    a = steno.asarray(x, name, scale=0.5 if name[0] in "iu" else None)
    wide = np.asarray(a.astype("f64"))
    y = steno.ones(n, "bf16")
    AXPY(2.0, a, y)
    expected = (2.0 * wide + 1.0).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(np.asarray(y), expected.astype("float32"))


def test_results():
    square = steno.kernel("z = x * x")
    assert isinstance(square(np.ones(3)), np.ndarray)
    assert isinstance(square(3.0), np.ndarray) and square(3.0)[()] == 9.0
    narrow = square(steno.full(3, 1.5, "f16"))
    assert isinstance(narrow, steno.Array) and narrow.format == "f16"
    assert square(np.arange(3)).dtype == np.float64
    assert square(np.ones(2), format="e4m3").format == "e4m3"
    out = np.zeros(3, "float32")
    assert square([1.0, 2.0, 3.0], out) is out and out.tolist() == [1.0, 4.0, 9.0]
    assert square(steno.asarray([1, 2], "i8"), arithmetic="i64").format == "i8"
    both = steno.kernel("real_t t = x - m, u = 2; a = t * u; b = t > 0 ? t : -t")
    assert both._plan.names == ["x", "m", "a", "b"]
    a, b = both(np.arange(4.0), 1.5)
    assert a.tolist() == [-3.0, -1.0, 1.0, 3.0] and b.tolist() == [1.5, 0.5, 0.5, 1.5]


def test_broadcast_and_strides():
    add = steno.kernel("z = x + y")
    x, y = random((4, 1)), random((1, 6))[:, ::-2]
    np.testing.assert_array_equal(add(x, y), x + y)
    target = np.zeros((3, 4))
    add(x, y, target.T)
    np.testing.assert_array_equal(target.T, x + y)
    with pytest.raises(ValueError):
        add(np.ones(3), np.ones(4))
    assert add(np.ones(0), 1.0).shape == (0,)


def test_arithmetic():
    third = steno.kernel("z = x / 3")
    assert third(1.0, arithmetic="f32")[()] == np.float64(np.float32(1) / np.float32(3))
    whole = steno.kernel("z = x * 2 + n", arithmetic="i64")
    assert whole(np.array([2**61 + 1]), 1)[0] == 2**62 + 3
    product = steno.kernel("z.re = x.re * y.re - x.im * y.im; z.im = x.re * y.im + x.im * y.re")
    np.testing.assert_array_equal(product(np.array([1 + 2j]), 3 - 1j), [5 + 5j])
    assert steno.kernel("z = x")(np.array([1 + 2j], "complex64")).dtype == np.complex64
    with pytest.raises(TypeError):
        steno.kernel("z = x", arithmetic="f16")
    with pytest.raises(TypeError):
        third(1.0, arithmetic="bf16")


def test_stencils():
    laplace = steno.kernel(
        "v = STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) + STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1)"
        " - 4 * STN_AT(u, i, j)",
        "at(i, j), stencil(u, zero, 1, 1), out(v)",
    )
    u = random((7, 9))
    p = np.pad(u, 1)
    expected = p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u
    np.testing.assert_allclose(laplace(u), expected, atol=1e-14)
    narrow = laplace(steno.asarray(u, "f16"))
    assert narrow.format == "f16" and narrow.shape == u.shape
    np.testing.assert_allclose(np.asarray(narrow), expected, atol=2e-2)
    periodic = steno.kernel("v = w - e", "shifted(w, periodic, -1), shifted(e, periodic, 1), out(v)")
    x = random(6)
    np.testing.assert_array_equal(periodic(x, x), np.roll(x, 1) - np.roll(x, -1))
    outside = steno.kernel("v = STN_AT(u, i + 2)", "at(i), stencil(u, zero, 1), out(v)")
    with pytest.raises(steno.RangeError):
        outside(x)


def test_gather_and_scatter():
    gather = steno.kernel(
        "y = STN_AT(table, STN_INDEX_AT(at, i))", "at(i), gather(table, 1), gather(at, 1), out(y)"
    )
    table, at = random(10), np.array([3, 1, 2, 9])
    np.testing.assert_array_equal(gather(table, at, shape=4), table[at])
    np.testing.assert_array_equal(gather(table, at, y=np.zeros(4)), table[at])
    for wrong in (10, -1):
        with pytest.raises(steno.RangeError):
            gather(table, np.array([3, wrong]), shape=2)
    with pytest.raises(ValueError, match="shape"):
        gather(table, at)
    histogram = steno.kernel("STN_ADD(bins, 1, (int64_t)floor(x))", "in(x), scatter(bins, 1)")
    bins = np.zeros(5)
    values = np.random.default_rng(0).uniform(0, 5, 1000)
    assert histogram(values, bins) is bins
    np.testing.assert_array_equal(bins, np.histogram(values, np.arange(6))[0])
    index = steno.kernel("y = x + n * i", "at(i), in(x), index(n), out(y)")
    assert index(np.ones(3), 2).tolist() == [1.0, 3.0, 5.0]


@pytest.mark.parametrize("jit", [True, "threads:threads=1,jit"])
def test_compilation_keeps_bits(jit):
    text = "real_t t = x > 0 ? x : -x; y = alpha * sqrt(t) + y / 3"
    interpreted = steno.kernel(text, inout="y", name="compiled")
    compiled = steno.kernel(text, inout="y", name="compiled", jit=jit)
    x = steno.asarray(random(20000), "f16")
    for name in ("f64", "bf16"):
        a, b = steno.ones(20000, name), steno.ones(20000, name)
        for _ in range(3):
            interpreted(0.7, x, a)
            compiled(0.7, x, b)
        np.testing.assert_array_equal(a.codes, b.codes)


@pytest.mark.parametrize(
    "text, line, column, message",
    [
        ("z = x +", 1, 8, "missing"),
        ("z = foo(x)", 1, 5, "unknown name 'foo'"),
        ("z = x +\n  y * q$", 2, 8, "unexpected character"),
        ("z = (x", 1, 7, r"'\)' is missing"),
        ("z = x;\n\nz = sin(x, 2);", 3, None, "sin"),
        ('z = "text"', 1, None, "unexpected"),
    ],
)
def test_malformed_texts(text, line, column, message):
    with pytest.raises(steno.KernelError, match=message) as caught:
        steno.kernel(text)
    error = caught.value
    assert error.lineno == line and (column is None or error.offset == column)
    assert error.text.rstrip(";") == text.split("\n")[line - 1].rstrip(";")
    assert isinstance(error, (SyntaxError)) and isinstance(error, steno.ParseError)
    assert error.status == "STN_ERR_PARSE"


WORDS = (
    *("x", "y", "z", "t", "real_t t = ", "if (x > 0)", "{", "}", "(", ")", ";", "=", "+", "-", "*", "/", "%", "<", "?"),
    *(":", "sin", "pow", "2", "0.5", "1e400", "do {", "return", "int64_t n = 3", "n", "&&", "<<", ".re", ","),
    *("STN_AT(x, 1)", "break", "for (int64_t k = 0; k < 2; k++)", "\n", "#", "\"", "/*", "z = x;", "z += 2;"),
)


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.booleans())
def test_arbitrary_texts(text, jit):
    """A text is refused, with a location inside it, or it computes something."""
    x = np.array([4.0, -1.0, 5.0])
    try:
        compute = steno.kernel("z = 0; " + text, "in(x), inout(y), out(z)", jit=jit)
    except steno.KernelError as error:
        assert 1 <= error.lineno <= text.count("\n") + 1 and error.offset >= 1
        return
    _, z = compute(x, np.ones(3))
    assert z.shape == (3,)


def test_malformed_parameters():
    for parameters in ("in(x), out(x)", "field(x, 1)", "in(x", "stencil(x), out(z)", "in(int), out(z)"):
        with pytest.raises(steno.KernelError):
            steno.kernel("z = x", parameters)
    with pytest.raises(steno.KernelError):
        steno.kernel("if (x > 0) z = x", "in(x), out(z)")  # not assigned on every path


def test_invalid_arguments():
    read_only = np.ones(3)
    read_only.flags.writeable = False
    shared = np.ones(4)
    cases = [
        (lambda: steno.kernel(3), TypeError),
        (lambda: steno.kernel("y = y + x"), ValueError),
        (lambda: steno.kernel("y = STN_AT(u, i)"), ValueError),
        (lambda: steno.kernel("y = x", "in(x), out(y)", out="y"), ValueError),
        (lambda: steno.kernel("z = shape"), ValueError),
        (lambda: steno.kernel("z = x", out="2z"), ValueError),
        (lambda: AXPY(2.0, [1.0]), TypeError),
        (lambda: AXPY(1, 2, 3, 4), TypeError),
        (lambda: AXPY(1.0, np.ones(3), np.ones(3), y=np.ones(3)), TypeError),
        (lambda: AXPY(1.0, np.ones(3), q=1), TypeError),
        (lambda: AXPY("a", np.ones(3), np.ones(3)), TypeError),
        (lambda: AXPY(2.0, np.ones(3), [1.0, 2.0, 3.0]), TypeError),
        (lambda: AXPY(2.0, np.ones(3), read_only), ValueError),
        (lambda: AXPY(2.0, np.ones(3), np.ones(4)), ValueError),
        (lambda: AXPY(2.0, shared[1:], shared[:-1]), steno.AliasError),
        (lambda: AXPY(2.0, np.array([object()] * 3), np.ones(3)), TypeError),
        (lambda: AXPY(2j, np.ones(3), np.ones(3)), (TypeError, ValueError)),
        (lambda: steno.kernel("z = x", arithmetic="i64")(1.5), TypeError),
    ]
    for call, error in cases:
        with pytest.raises(error):
            call()


REDUCTIONS = {
    "sum": np.sum,
    "min": np.min,
    "max": np.max,
    "argmin": np.argmin,
    "argmax": np.argmax,
    "norm1": lambda x, axis: np.sum(abs(x), axis=axis),
    "norm2": lambda x, axis: np.sqrt(np.sum(x * x, axis=axis)),
    "norm_inf": lambda x, axis: np.max(abs(x), axis=axis),
}


@pytest.mark.parametrize("operation", REDUCTIONS)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_reductions(operation, axis):
    a, b = random((8, 5)), random((1, 5), 1)
    result = steno.reduction("a - w * b", operation)(a, 0.5, b, axis=axis)
    np.testing.assert_allclose(np.asarray(result), REDUCTIONS[operation](a - 0.5 * b, axis=axis), rtol=1e-13)


@pytest.mark.parametrize("operation", REDUCTIONS)
def test_blocks_keep_bits(operation, monkeypatch):
    from steno import _kernels

    a, b = steno.asarray(random((301, 7)), "f16"), random((1, 7), 1)
    reduce = steno.reduction("a * a - w * b", operation)
    whole = reduce(a, 0.5, b)
    integers = np.arange(-1000, 1107).reshape(301, 7)
    counts = steno.reduction("i * i - 5", operation, arithmetic="i64") if operation[:4] != "norm" else None
    for block in (1, 100, 1000):
        monkeypatch.setattr(_kernels, "_BLOCK", block)
        assert reduce(a, 0.5, b) == whole
        if counts:
            assert counts(integers) == REDUCTIONS[operation](integers**2 - 5, None)
    if operation in ("sum", "norm2"):
        z = random(50) + 1j * random(50, 2)
        expected = REDUCTIONS["sum"](z, None) if operation == "sum" else np.linalg.norm(z)
        np.testing.assert_allclose(steno.reduction("z", operation)(z), expected, rtol=1e-13)


def test_conditions():
    x = random((6, 4))
    for operation, function in (("count", np.count_nonzero), ("any", np.any), ("all", np.all)):
        reduce = steno.reduction("x > limit", operation)
        for limit in (-9.0, 0.5, 9.0):
            assert reduce(x, limit) == function(x > limit)
            np.testing.assert_array_equal(np.asarray(reduce(x, limit, axis=0)), function(x > limit, axis=0))
        assert reduce(np.ones(0), 1.0) == function(np.ones(0))
    assert isinstance(steno.reduction("x > 0", "count")(x), int)
    dot = steno.reduction("x * y", arithmetic="i64")
    assert dot(np.array([2**62, 1]), np.array([1, 1])) == 2**62 + 1


def test_invalid_reductions():
    with pytest.raises(ValueError, match="operation"):
        steno.reduction("x", "median")
    with pytest.raises(ValueError):
        steno.reduction("x = 1")
    with pytest.raises(TypeError):
        steno.reduction(2)
    with pytest.raises(steno.KernelError) as caught:
        steno.reduction("a - q(b)")
    assert caught.value.offset == 5
    difference = steno.reduction("a - b")
    for call in (
        lambda: difference(np.ones(3)),
        lambda: difference(1.0, 2.0, 3.0),
        lambda: difference(np.ones(3), np.ones(3), element=1),
        lambda: difference(np.ones(3), np.ones(4)),
        lambda: difference(np.ones(3), np.ones(3), axis=1),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()


def test_no_leaks():
    x = random(100)

    def work():
        k = steno.kernel("z = x * x + a")
        k(x, 2.0), k(x, x), k(steno.asarray(x, "f16"), 1.0)
        steno.reduction("x - 1", "norm2")(x)
        with pytest.raises(steno.KernelError):
            steno.kernel("z = x +")
        with pytest.raises(TypeError):
            k("text", 1.0)

    for _ in range(3):
        work()
    gc.collect()
    tracemalloc.start()
    work()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(20):
        work()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 6000


def test_unassigned_elements_are_zero():
    x = np.arange(5000.0)
    inside = steno.kernel("v = STN_AT(u, i - 1) + STN_AT(u, i + 1)", "at(i), stencil(u, inside, 1), out(v)")
    for _ in range(20):
        garbage = [np.full(5000, 7.0), steno.full(5000, 7.0)]
        del garbage
        v = inside(x)
        assert v[0] == v[-1] == 0 and np.array_equal(v[1:-1], x[:-2] + x[2:])
    v = inside(x, np.full(5000, 3.0))
    assert v[0] == v[-1] == 3


def test_pickle():
    axpy = pickle.loads(pickle.dumps(steno.kernel("y = alpha * x + y", inout="y", arithmetic="f32", name="axpy")))
    assert axpy(2.0, [1.0, 2.0], steno.ones(2)).tolist() == [3.0, 5.0]
    assert axpy.text == "y = alpha * x + y" and axpy._plan.default == "f32" and axpy._plan.name == "axpy"
    assert copy.deepcopy(steno.reduction("x > limit", "count"))([1.0, 5.0, 7.0], limit=4.0) == 2
    a = steno.sparse.csr([[2.0, 1.0], [1.0, 2.0]])
    for other in (steno.linalg.ilu(a), steno.advise(a), steno.executor("threads")):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(other)


def test_many_names():
    """The time to collect names is linear: it was 50 s."""
    begin = time.process_time()
    for text in ("; ".join(f"a{k} = b{k}" for k in range(8000)), "y = " + " + ".join(f"a{k}" for k in range(8000))):
        with pytest.raises(steno.KernelError):
            steno.kernel(text)
    assert time.process_time() - begin < 5.0
