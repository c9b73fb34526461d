"""Operators and functions of NumPy, compared with NumPy in f64."""

import operator

import hypothesis.extra.numpy as strategies_np
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, strategies as st

import steno

REALS = ["f64", "f32", "f16", "bf16", "e4m3", "e5m2"]
INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64"]
BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod]
COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]

floats = st.floats(-100, 100, width=16)


def rounded(values, name):
    """Values rounded to a format, as f64."""
    dtype = {"bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}.get(
        name, {"f64": np.float64, "f32": np.float32, "f16": np.float16}.get(name)
    )
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float64).astype(np.float32 if name != "f64" else np.float64).astype(dtype)


def promoted(a, b):
    return np.result_type(a, b)


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("names", [("f64", "f64"), ("f32", "f64"), ("f16", "f32"), ("f32", "f32")])
@given(data=st.data())
def test_floats(op, names, data):
    n = data.draw(st.integers(0, 6))
    x, y = (rounded(data.draw(st.lists(floats, min_size=n, max_size=n)), name) for name in names)
    with np.errstate(all="ignore"):
        expected = op(x.astype(np.float64), y.astype(np.float64)).astype(np.result_type(x, y))
    result = op(steno.asarray(x), steno.asarray(y))
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(result), expected)


@pytest.mark.parametrize("op", [*BINARY, *COMPARISONS])
@pytest.mark.parametrize("names", [("i8", "i8"), ("u8", "i8"), ("i16", "u16"), ("i64", "u32")])
@given(data=st.data())
def test_integers(op, names, data):
    x, y = (
        np.array(data.draw(st.lists(st.integers(1 if name[0] == "u" else -9, 9).filter(bool), min_size=4, max_size=4)), name[0].replace("i", "int").replace("u", "uint") + name[1:])
        for name in names
    )
    expected = op(x.astype(np.int64), y.astype(np.int64))
    result = op(steno.asarray(x), steno.asarray(y))
    wanted = expected.dtype if expected.dtype.kind in "bf" else np.result_type(x, y)
    info = np.iinfo(wanted) if wanted.kind in "iu" else None
    if info:
        expected = np.clip(expected, info.min, info.max)
    assert result.dtype == wanted
    np.testing.assert_array_equal(np.asarray(result), expected)


@given(strategies_np.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=4), st.sampled_from(BINARY[:3]))
def test_broadcasting(shapes, op):
    first, second = (
        np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape) for shape in shapes.input_shapes
    )
    result = op(steno.asarray(first), steno.asarray(second))
    expected = op(first, second)
    assert result.shape == expected.shape
    np.testing.assert_array_equal(np.asarray(result), expected)


PROMOTIONS = [
    ("f16", "f16", "f16"),
    ("f16", "bf16", "f32"),
    ("e4m3", "e5m2", "f16"),
    ("e4m3", "bf16", "bf16"),
    ("i8", "bf16", "bf16"),
    ("i8", "f16", "f16"),
    ("i16", "f16", "f32"),
    ("i32", "f32", "f64"),
    ("i8", "u8", "i16"),
    ("i64", "u64", "f64"),
    ("f16", "c64", "c64"),
    ("f64", "c64", "c128"),
    ("c32", "f16", "c32"),
    ("c32", "bf16", "c64"),
]


@pytest.mark.parametrize("case", PROMOTIONS)
def test_formats_of_results(case):
    a, b, expected = case
    x, y = steno.ones(3, a), steno.ones(3, b)
    assert (x + y).format == expected
    assert (y + x).format == expected
    assert np.asarray(x + y).tolist() == [2, 2, 2]


WIDE = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-9, 9), st.sampled_from([2**k + d for k in (31, 32, 62) for d in (-1, 0, 1)]))


@pytest.mark.parametrize("name", ["i8", "u8", "i16", "u16", "i32", "u32"])
@given(data=st.data())
def test_integers_saturate(name, data):
    """Results beyond i64 saturate in narrower formats: they do not wrap before."""
    dtype = steno.zeros(1, name).dtype
    info = np.iinfo(dtype)
    own = st.one_of(st.integers(int(info.min), int(info.max)), st.sampled_from([int(info.min), int(info.max)]))
    x, y = (data.draw(st.lists(own, min_size=4, max_size=4)) for _ in range(2))
    number, exponents = data.draw(WIDE), data.draw(st.lists(st.integers(0, min(70, int(info.max))), min_size=4, max_size=4))
    a, b, e = (steno.array(np.array(values, dtype)) for values in (x, y, exponents))

    def check(result, expected):
        assert result.format == name
        assert np.asarray(result).tolist() == [min(max(one, int(info.min)), int(info.max)) for one in expected]

    for op in (operator.add, operator.sub, operator.mul):
        check(op(a, b), map(op, x, y))
        check(op(a, number), [op(one, number) for one in x])
        check(op(number, a), [op(number, one) for one in x])
    check(a**e, map(operator.pow, x, exponents))
    check(number**e, [number**one for one in exponents])
    out = steno.zeros(4, "i64")
    np.multiply(a, b, out=out)  # i64 wraps, as in NumPy
    with np.errstate(over="ignore"):
        assert out.tolist() == (np.array(x, np.int64) * np.array(y, np.int64)).tolist()


LIMITS = st.sampled_from([0, *(2**k + d for k in (53, 63) for d in (-1, 0, 1)), 2**64 - 1])
U64 = st.one_of(st.integers(0, 9), LIMITS, st.integers(0, 2**64 - 1))
I64 = st.one_of(st.integers(-9, 9), st.sampled_from([2**53 + 1, 2**63 - 1, -(2**53) - 1, -(2**63)]))
BEYOND = st.sampled_from([2**64, 2**70, -(2**63) - 1, -(2**64)])
UNARY = [np.negative, np.absolute, np.sign, np.square, np.positive]


@pytest.mark.parametrize("op", [*BINARY, *COMPARISONS, np.add, np.power, np.fmod, np.maximum, np.minimum, np.fmax, np.fmin])
@given(data=st.data())
def test_u64(op, data):
    x, y = (np.array(data.draw(st.lists(U64, min_size=4, max_size=4)), np.uint64) for _ in range(2))
    a, b, number = steno.array(x), steno.array(y), int(y[0])
    with np.errstate(all="ignore"):
        cases = ((op(a, b), op(x, y)), (op(a, number), op(x, y[0])), (op(number, a), op(y[0], x)))
    for result, expected in cases:
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(np.asarray(result), expected)
    if isinstance(op, np.ufunc):
        out = np.empty(4)
        op(a, b, out=out)
        np.testing.assert_array_equal(out, np.asarray(op(a, b)).astype(np.float64))


@pytest.mark.parametrize("op", UNARY)
@given(values=st.lists(U64, min_size=1, max_size=4))
def test_u64_unary(op, values):
    x = np.array(values, np.uint64)
    result = op(steno.array(x))
    assert result.format == "u64"
    np.testing.assert_array_equal(np.asarray(result), op(x))


@pytest.mark.parametrize("op", COMPARISONS)
@given(data=st.data())
def test_comparisons_of_integers_are_exact(op, data):
    """Also of different signs, and with Python numbers beyond 64 bits."""
    x, y = (data.draw(st.lists(kind, min_size=4, max_size=4)) for kind in (U64, I64))
    u, i, number = np.array(x, np.uint64), np.array(y, np.int64), data.draw(st.one_of(U64, I64, BEYOND))
    a, b = steno.array(u), steno.array(i)
    assert op(a, b).tolist() == op(a, i).tolist() == [op(one, other) for one, other in zip(x, y)]
    assert op(b, a).tolist() == [op(other, one) for one, other in zip(x, y)]
    for array, values in ((a, x), (b, y)):
        assert op(array, number).tolist() == [op(one, number) for one in values]
        assert op(number, array).tolist() == [op(number, one) for one in values]


def test_u64_and_negative_numbers():
    a = steno.array(np.array([2**64 - 1, 5], np.uint64))
    assert (a + -1).tolist() == [2**64 - 2, 4] and (a * -1).tolist() == [1, 2**64 - 5]
    for call in (lambda: a // -1, lambda: -1 % a, lambda: np.maximum(a, -1), lambda: a**-1):
        with pytest.raises(OverflowError, match="u64 and -1"):
            call()
    a[0] = 2**63 + 1
    assert a[0] == 2**63 + 1 and a[1] == 5


def test_integer_division_by_zero():
    for name in ("i8", "i64", "u64"):
        a = steno.array([-5, 5, 0] if name[0] == "i" else [5, 0, 1], name)
        assert (a // 0).tolist() == (a % 0).tolist() == [0, 0, 0]


def test_divmod():
    a = steno.array([7, -7, 9], "i16")
    for results in (divmod(a, 2), np.divmod(a, 2)):
        assert [np.asarray(one).tolist() for one in results] == [[3, -4, 4], [1, 1, 1]]
    assert [one.format for one in divmod(a, 2)] == ["i16", "i16"]
    assert [one.tolist() for one in divmod(20, a)] == [[2, -3, 2], [6, -1, 2]]
    with pytest.raises(TypeError):
        divmod(a, "text")


def test_python_numbers_adapt():
    x = steno.ones(3, "bf16")
    assert (2.0 * x).format == (x + 1).format == "bf16"
    assert (x * 1j).format == "c64"
    n = steno.ones(3, "i8")
    assert (n + 1).format == "i8" and (n * 0.5).format == "f64"
    assert np.asarray(n * 0.5).tolist() == [0.5, 0.5, 0.5]
    assert np.asarray(1 - n).tolist() == [0, 0, 0]


def test_scaled_operands():
    x = steno.array([1.0, -2.0, 3.0], "i16", scale=0.25)
    y = steno.array(np.arange(3.0), "i8:row")
    assert (x + y).format == "f64"
    assert np.asarray(x + y).tolist() == [1.0, -1.0, 5.0]
    x += 1
    assert (x.format, x.scale) == ("i16", 0.25)
    assert np.asarray(x).tolist() == [2.0, -1.0, 4.0]


UNARY = [
    np.negative, np.absolute, np.square, np.reciprocal, np.sign, np.floor, np.ceil, np.trunc, np.rint, np.fabs,
    np.sqrt, np.exp, np.log, np.sin, np.cos, np.tan, np.sinh, np.cosh, np.tanh, np.cbrt, np.exp2, np.expm1,
    np.log2, np.log10, np.log1p, np.arcsin, np.arccos, np.arctan, np.arcsinh, np.arccosh, np.arctanh,
    np.isnan, np.isinf, np.isfinite, np.signbit, np.logical_not, np.positive, np.conjugate,
]  # fmt: skip


@pytest.mark.parametrize("function", UNARY, ids=lambda f: f.__name__)
def test_functions_of_one(function):
    values = np.array([-np.inf, -2.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 1.5, 2.5, np.inf, np.nan])
    result = function(steno.asarray(values))
    with np.errstate(all="ignore"):
        expected = function(values)
    if expected.dtype == bool:
        assert isinstance(result, np.ndarray) and result.dtype == bool
        np.testing.assert_array_equal(result, expected)
    else:
        assert isinstance(result, steno.Array)
        np.testing.assert_allclose(np.asarray(result), expected, rtol=4e-16)


BINARY_FUNCTIONS = [
    np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.remainder, np.power, np.maximum, np.minimum,
    np.fmax, np.fmin, np.arctan2, np.hypot, np.copysign, np.fmod, np.less, np.logical_and, np.logical_or,
    np.logical_xor, np.equal,
]  # fmt: skip


@pytest.mark.parametrize("function", BINARY_FUNCTIONS, ids=lambda f: f.__name__)
def test_functions_of_two(function):
    values = np.array([-np.inf, -2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 2.5, np.inf, np.nan])
    x, y = (part.ravel() for part in np.meshgrid(values, values))
    with np.errstate(all="ignore"):
        expected = function(x, y)
    for first, second in ((steno.asarray(x), y), (x, steno.asarray(y))):
        np.testing.assert_allclose(np.asarray(function(first, second)), expected, rtol=4e-16)


def test_complex():
    z = np.array([1 + 2j, -3j, 0.5])
    a = steno.asarray(z)
    for result, expected in [
        (a + a, z + z), (a - 1, z - 1), (a * a, z * z), (a / a, z / z), (-a, -z), (abs(a), abs(z)), (2.0 * a, 2 * z),
        (np.conjugate(a), z.conj()), (np.exp(a), np.exp(z)), (np.log(a), np.log(z)), (np.square(a), z**2),
        (np.reciprocal(a), 1 / z),
    ]:  # fmt: skip
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-14, atol=1e-16)
    assert (a == z).tolist() == [True, True, True]
    assert (a != [1 + 2j, 0, 0]).tolist() == [False, True, True]
    with pytest.raises(TypeError):
        a < a


COMPLEX_FUNCTIONS = (
    np.sqrt, np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin,
    np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh, np.square, np.rint,
)  # fmt: skip


@pytest.mark.parametrize("function", COMPLEX_FUNCTIONS)
def test_functions_of_complex_numbers(function):
    z = np.array([1 + 2j, -0.5 + 0.25j, 3 - 1j, -2 + 1e-3j, 0.3 + 4j, 1e-3 - 0.2j])
    a = steno.asarray(z)
    np.testing.assert_allclose(np.asarray(function(a)), function(z), rtol=2e-15)
    narrow = function(steno.asarray(z, "c64"))
    assert narrow.format == "c64"
    np.testing.assert_allclose(np.asarray(narrow), function(z.astype(np.complex64).astype(complex)), rtol=1e-6)
    with pytest.raises(TypeError, match="real array"):
        function(a, out=steno.zeros(z.shape))


def test_powers_of_complex_numbers():
    x, y = np.array([1 + 2j, -3j, 0.5, 2 - 1j]), np.array([2, 0.5j, -1, 3])
    np.testing.assert_allclose(np.asarray(steno.asarray(x) ** y), x**y, rtol=1e-14)
    np.testing.assert_allclose(np.asarray(steno.asarray(x) ** 2.0), x**2, rtol=1e-14)
    np.testing.assert_allclose(np.asarray(2.0 ** steno.asarray(x)), 2.0**x, rtol=1e-14)
    real = np.array([1.0, -3.0, 0.5, 2.0])
    np.testing.assert_allclose(np.asarray(steno.asarray(real) ** x), real**x, rtol=1e-14)


def test_conditions_of_complex_numbers():
    z = np.array([1 + 2j, 0, complex(0, np.nan), complex(np.inf, 0)])
    a = steno.asarray(z)
    for function in (np.isnan, np.isinf, np.isfinite, np.logical_not):
        assert function(a).tolist() == function(z).tolist()
    for function in (np.logical_and, np.logical_or, np.logical_xor):
        assert function(a, z[::-1]).tolist() == function(z, z[::-1]).tolist()
    np.testing.assert_allclose(np.asarray(np.sign(a[:2])), [z[0] / abs(z[0]), 0], rtol=1e-15)


def test_results_in_out():
    x = np.arange(4.0)
    a, out = steno.asarray(x), steno.zeros(4, "bf16")
    assert np.add(a, 1, out=out) is out
    assert np.asarray(out).tolist() == [1, 2, 3, 4]
    values = np.zeros(4, np.float32)
    assert np.multiply(a, a, out=values) is values
    assert values.tolist() == [0, 1, 4, 9]
    mask = np.zeros(4, np.uint8)
    np.greater(a, 1, out=mask)
    assert mask.tolist() == [0, 0, 1, 1]
    b = a
    b *= 2
    assert b is a and x.tolist() == [0, 2, 4, 6]
    with pytest.raises(ValueError):
        np.add(a, 1, out=steno.zeros(5))
    with pytest.raises(ValueError):
        np.add(a[:3], 1, out=a[1:])
    with pytest.raises(TypeError):
        np.add(a, 1j, out=steno.zeros(4))
    assert np.add(a, a, out=a) is a


def test_foreign_operands():
    a = steno.ones(3, "f16")
    assert (a + np.ones(3)).format == "f64"
    assert (np.ones(3, np.float32) + a).format == "f32"
    assert ([1.0, 2.0, 3.0] * a).format == "f64"
    assert not (a == "text")
    with pytest.raises(TypeError):
        a + "text"
    with pytest.raises(TypeError):
        a + object()
    with pytest.raises(TypeError):
        np.bitwise_and(a, a)
    with pytest.raises(TypeError):
        np.add.at(a, 0, 1)

    class Other:
        __array_ufunc__ = None

        def __radd__(self, other):
            return "other"

    assert a + Other() == "other"
    assert np.add.reduce(steno.array([[1.0, 2.0]])).tolist() == [1, 2]
    assert np.add.accumulate(steno.array([1.0, 2.0])).tolist() == [1, 3]


def test_numbers():
    one = steno.array([[2.5]], "f16")
    assert float(one) == 2.5 and int(one) == 2 and complex(one) == 2.5 and bool(one)
    assert f"{one:.2f}" == "2.50"
    with pytest.raises(TypeError):
        float(steno.ones(2))
    with pytest.raises(ValueError):
        bool(steno.ones(2))
    with pytest.raises(TypeError):
        hash(one)


def test_other_functions_are_those_of_numpy():
    a = steno.array([[1.0, 0.0, 3.0], [4.0, 5.0, 6.0]], "f16")
    x = np.asarray(a)
    for call in (
        np.any,
        np.all,
        np.prod,
        lambda v: np.logical_or.reduce(v, 1),
        lambda v: np.multiply.accumulate(v, 1),
        lambda v: np.add.outer(v[0], v[1]),
        lambda v: np.add(v, 1, where=x > 0, out=np.zeros(x.shape)),
        lambda v: np.add(v, 1, dtype=np.float64),
        lambda v: np.add.reduceat(v, [0, 1], 1),
        lambda v: np.nextafter(v, 1),
        lambda v: np.logaddexp(v, v),
        lambda v: np.clip(v, 1, 4),
        lambda v: np.sum(v, 1, where=x > 0),
        lambda v: np.sum(v, initial=2),
        lambda v: np.mean(v, where=x > 3),
        lambda v: np.max(v, 0, initial=4),
        lambda v: np.min(v, where=x > 0, initial=9),
        lambda v: np.any(v, where=x == 0),
        lambda v: np.all(v, where=x > 0),
    ):
        found = call(a)
        assert not isinstance(found, steno.Array) and np.array_equal(found, call(x))
    assert np.array_equal(np.bitwise_and(steno.array([5, 6]), 3), [1, 2])
    assert isinstance(np.sum(a, 0), steno.Array) and isinstance(np.add(a, 1), steno.Array)
    with pytest.raises(TypeError):
        np.add.at(a, [0], 1)
    out = steno.zeros((2, 3), "bf16")
    assert np.clip(x, 1, 4, out=out) is out and np.array_equal(out, np.clip(x, 1, 4))
    assert np.add(x, 1, where=x > 3, out=out) is out
    assert np.array_equal(out, np.where(x > 3, x + 1, np.clip(x, 1, 4)))
    quotient, rest = np.divmod(x, 2, out=(None, out))
    assert rest is out and np.array_equal(out, x % 2) and np.array_equal(quotient, x // 2)
    with pytest.raises(ValueError):
        np.clip(x, 1, 4, out=steno.zeros(3))


def test_expm1_of_complex_infinities():
    inf, nan = np.inf, np.nan
    x = np.array([complex(-inf, inf), complex(-inf, nan), complex(inf, inf), complex(inf, nan), complex(-inf, 1), 1 + 1j])
    with np.errstate(all="ignore"):
        found, expected = np.asarray(np.expm1(steno.asarray(x))), np.expm1(x)
    assert np.array_equal(found[:2], [-1, -1]) and np.array_equal(found[2:4].real, [inf, inf])
    assert np.isnan(found[2:4].imag).all() and np.allclose(found[4:], expected[4:])
