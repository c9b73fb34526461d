"""Reductions, running sums and products, compared with NumPy."""

import math

import hypothesis.extra.numpy as strategies_np
import numpy as np
import pytest
from hypothesis import given, strategies as st

import steno

arrays = strategies_np.arrays(
    st.sampled_from([np.float64, np.float32, np.float16, np.int32, np.uint8]),
    strategies_np.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=5),
    elements=st.integers(0, 50),
)


def close(result, expected):
    np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-14)
    assert np.shape(result) == np.shape(expected)


@pytest.mark.parametrize("name", ["sum", "mean", "min", "max", "argmin", "argmax"])
@given(x=arrays, data=st.data())
def test_reductions(name, x, data):
    a = steno.asarray(x)
    axes = st.none() | st.integers(-x.ndim, x.ndim - 1)
    if not name.startswith("arg"):
        axes = axes | st.lists(st.integers(0, x.ndim - 1), unique=True).map(tuple)
    axis, keepdims = data.draw(axes), data.draw(st.booleans())
    wide = x.astype(np.int64 if x.dtype.kind in "iu" else np.float64)
    expected = getattr(np, name)(wide, axis=axis, keepdims=keepdims)
    close(getattr(steno, name)(a, axis, keepdims=keepdims), expected)
    close(getattr(np, name)(a, axis=axis, keepdims=keepdims), expected)
    close(getattr(a, name)(axis, keepdims=keepdims), expected)
    out = np.zeros(np.shape(expected))
    if out.ndim:
        assert getattr(steno, name)(a, axis, out, keepdims) is out
        close(out, expected)


@given(arrays, st.data())
def test_norm_and_cumsum(x, data):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    wide = x.astype(np.float64)
    close(steno.norm(x, axis), np.sqrt((wide * wide).sum(axis)))
    close(steno.cumsum(x, axis), np.cumsum(wide, axis))
    close(np.cumsum(steno.asarray(x), axis), np.cumsum(wide, axis))


def test_types_of_results():
    x = steno.array([[1, 2], [3, 4]], "i8")
    assert type(x.sum()) is int and x.sum(0).format == "i64" and x.max(0).format == "i8"
    assert type(x.mean()) is float and x.mean(0).format == "f64"
    y = steno.array([[1.0, 2.0]], "bf16")
    assert y.sum(0).format == "f64" and y.max(0).format == "bf16" and y.argmax(1).format == "i64"
    assert type(steno.sum([1j])) is complex and steno.norm([3, 4j]) == 5.0
    assert y.sum(0, dtype="f32").format == "f32"
    assert x.astype("i16:row", copy=True).max(0).format == "f64"
    assert steno.sum(np.ones(5), arithmetic="f32") == 5


def test_exact_integers():
    assert steno.sum(np.array([2**62, 1])) == 2**62 + 1
    assert steno.max(np.array([2**62 + 1, 5])) == 2**62 + 1


large = strategies_np.arrays(
    st.sampled_from([np.uint64, np.int64]),
    strategies_np.array_shapes(min_dims=1, max_dims=3, max_side=4),
    elements=st.sampled_from([0, 1, *(2**k + d for k in (53, 62) for d in (-1, 0, 1)), 2**63 - 1]),
)


@pytest.mark.parametrize("name", ["sum", "min", "max", "argmin", "argmax"])
@given(x=large, high=st.booleans(), data=st.data())
def test_64_bits(name, x, high, data):
    """Sums wrap, and extremes are exact, as in NumPy."""
    if x.dtype == np.uint64 and high:
        x = ~x  # above 2^63
    a, axis, keepdims = steno.asarray(x), data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1)), data.draw(st.booleans())
    expected = getattr(np, name)(x, axis=axis, keepdims=keepdims)
    result = getattr(steno, name)(a, axis, keepdims=keepdims)
    np.testing.assert_array_equal(np.asarray(result, expected.dtype), expected)
    assert type(result) is int if np.ndim(expected) == 0 else result.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(steno.cumsum(a, axis)), np.cumsum(x, axis))
    out = np.empty(expected.shape)
    if out.ndim:
        assert getattr(steno, name)(a, axis, out, keepdims) is out
        np.testing.assert_array_equal(out, expected.astype(np.float64))
        steno.cumsum(a, 0, total := np.empty(x.shape))
        np.testing.assert_array_equal(total, np.cumsum(x, 0).astype(np.float64))


def test_extremes_of_u64_along_several_axes():
    x = np.array([[1, 2**63], [2**64 - 1, 0]], np.uint64)
    a = steno.asarray(x)
    assert a.argmax((0, 1)) == 2 and a.argmin((1, 0)) == 3 and a.max((0, 1)) == 2**64 - 1 and a.max(()).tolist() == x.tolist()
    with pytest.raises(ValueError):
        steno.max(steno.zeros(0, "u64"))


def test_empty_and_nan():
    nothing = steno.zeros(0)
    assert nothing.sum() == 0 and np.isnan(nothing.mean()) and steno.norm(nothing) == 0
    for function in (steno.min, steno.max, steno.argmin, steno.argmax):
        with pytest.raises(ValueError):
            function(nothing)
    x = [1.0, np.nan, 3.0]
    assert np.isnan(steno.max(x)) and steno.argmax(x) == 1


@pytest.mark.parametrize("name", ["c128", "c64", "c32"])
@given(x=strategies_np.arrays(np.complex64, strategies_np.array_shapes(max_dims=3, max_side=5), elements=st.sampled_from([1, 2j, 3 - 1j, 0])), data=st.data())
def test_complex_cumsum(name, x, data):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    for values in (x, x.T[::-1]):
        result = steno.cumsum(steno.asarray(values, name), axis)
        assert result.format == "c128"
        np.testing.assert_array_equal(np.asarray(result), np.cumsum(values, axis))
    assert steno.cumsum([1.0, 2.0], arithmetic="c64").format == "c64"
    with pytest.raises(TypeError, match="real array"):
        steno.cumsum(x, 0, np.zeros(x.shape))


AXIS_ERROR = getattr(np, "exceptions", np).AxisError


@pytest.mark.parametrize("name", ["sum", "min", "max", "argmin", "argmax", "cumsum"])
def test_axis_without_dimensions(name):
    for axis in (0, -1):
        result, expected = getattr(steno, name)(steno.asarray(5.0), axis), getattr(np, name)(np.array(5.0), axis)
        assert np.shape(result) == np.shape(expected) and np.asarray(result).tolist() == expected.tolist()
    for axis in (1, -2):
        with pytest.raises(AXIS_ERROR):
            getattr(steno, name)(5.0, axis)


@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
@pytest.mark.parametrize("format", ["f64", "u64"])
def test_extremes_of_no_elements(name, format):
    x = steno.zeros((0, 3), format)
    with pytest.raises(ValueError):
        getattr(x, name)(0)
    assert getattr(x, name)(1).shape == (0,)


def test_dtype_of_results():
    x = steno.array([1.0, 2.5])
    for dtype in ("int8", np.int8, "i4", "int64"):
        assert type(np.sum(x, dtype=dtype)) is int
    assert steno.ones((2, 3)).sum(0, "f4").format == "f32" and steno.ones((2, 3)).sum(0, "bf16").format == "bf16"
    for dtype in ("i8", "u8", "f16", "c32"):
        with pytest.raises(ValueError, match="ambiguous"):
            np.sum(x, dtype=dtype)
    for call in (steno.array, steno.zeros, steno.ones):
        with pytest.raises(TypeError, match="parameter 'format'"):
            call(3, dtype="f32")


def test_bad_axes():
    x = steno.zeros((2, 3))
    for axis in (2, -3, (0, 0), (0, 5)):
        with pytest.raises(ValueError):
            steno.sum(x, axis)
    for call in (lambda: x.sum(2), lambda: x.cumsum(2), lambda: x.transpose(0, 2), lambda: x.swapaxes(0, 2), lambda: x.squeeze(2)):
        with pytest.raises(AXIS_ERROR, match="axis 2"):
            call()
    with pytest.raises(TypeError):
        steno.sum(x, "x")
    with pytest.raises(ValueError):
        steno.sum(x, 0, out=np.zeros(2))
    with pytest.raises(ValueError):
        steno.cumsum(x, 2)
    with pytest.raises(TypeError):
        steno.sum(x, arithmetic="i64")
    with pytest.raises(TypeError):
        steno.sum(x, 0, out="x")


# ---- products ----


@pytest.mark.parametrize("names", [("f64", "f64"), ("f16", "bf16"), ("i8", "f32"), ("e4m3", "f64")])
@given(data=st.data())
def test_matmul(names, data):
    shapes = data.draw(strategies_np.mutually_broadcastable_shapes(signature=np.matmul.signature, max_dims=2, max_side=4))
    x, y = (
        np.random.default_rng(k).integers(-8, 8, shape).astype(np.float64) for k, shape in enumerate(shapes.input_shapes)
    )
    a, b = (steno.asarray(v, name, scale=1.0) for v, name in zip((x, y), names))
    close(a @ b, x @ y)
    close(np.matmul(a, b), x @ y)
    if np.ndim(x @ y):
        out = np.zeros(np.shape(x @ y), np.float32)
        assert steno.matmul(a, b, out) is out
        close(out, x @ y)


def test_transposed_and_complex_products():
    x = np.arange(12.0).reshape(3, 4)
    z = x + 1j
    for m in (x, z, x[::-1, ::2].T):
        a = steno.asarray(m)
        close(a @ a.T, m @ m.T)
        close(a.T @ m, m.T @ m)
        close(m @ a.T, m @ m.T)
    close(steno.asarray(x) @ z.T, x @ z.T)
    assert steno.dot([1j, 2], [1j, 3]) == 5


def test_dot_and_axpy():
    x = np.linspace(0, 1, 1000)
    a, b = steno.asarray(x, "f16"), steno.asarray(x, "i16")
    expected = np.dot(np.asarray(a, np.float64), np.asarray(b, np.float64))
    assert abs(steno.dot(a, b) - expected) < 1e-12
    assert steno.dot(x, arithmetic="f32", y=x) == pytest.approx(np.dot(x, x), rel=1e-6)
    y = np.ones(1000)
    assert steno.axpy(2, a, y) is y
    np.testing.assert_array_equal(y, 2 * np.asarray(a, np.float64) + 1)
    z = steno.zeros(3, "c64")
    steno.axpy(1j, [1, 2, 3], z)
    assert np.asarray(z).tolist() == [1j, 2j, 3j]
    for call in (
        lambda: steno.dot(x),
        lambda: steno.dot(x, x, x, x),
        lambda: steno.dot(x, x, order=1),
        lambda: steno.dot(x, y=x, x=x),
        lambda: steno.dot(x, x, arithmetic=1),
        lambda: steno.axpy("2", x, y),
        lambda: steno.axpy(2, x, [1.0, 2.0]),
    ):
        with pytest.raises(TypeError):
            call()
    for call in (
        lambda: steno.dot(x, x[1:]),
        lambda: steno.dot(x, np.ones((2, 2))),
        lambda: steno.axpy(2, x[1:], x[:-1]),
        lambda: steno.matmul(np.ones((2, 3)), np.ones((2, 3))),
        lambda: steno.matmul(np.ones((2, 3)), np.ones((3, 3)), out=np.ones((2, 2))),
        lambda: steno.matmul(1.0, x),
        lambda: np.ones((2, 3, 4)) @ steno.ones((3, 4, 2)),
    ):
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize("name", ["sum", "mean", "min", "argmax", "norm"])
def test_results_in_place(name):
    a = steno.array(np.arange(12.0).reshape(3, 4), "f16")
    reduce = getattr(steno, name)
    memory = np.zeros((3, 8))
    for axis, keepdims, out in (
        (0, True, memory[:1, ::2]),
        (1, True, memory[:, 3:4]),
        (0, True, steno.zeros((1, 8), "bf16")[:, ::2]),
        (None, True, memory[1:2, 1:2]),
        ((0, 1), False, np.zeros(())),
        (0, False, memory[1, ::-2]),
    ):
        assert reduce(a, axis=axis, keepdims=keepdims, out=out) is out
        np.testing.assert_allclose(out, reduce(a, axis=axis, keepdims=keepdims), rtol=4e-3)
    for keepdims, out in ((True, np.zeros(4)), (True, np.zeros((2, 2))), (False, np.zeros((1, 4))), (False, np.zeros(8))):
        with pytest.raises(ValueError):
            reduce(a, axis=0, keepdims=keepdims, out=out)
    for out in (np.zeros((1, 4), ">f8"), [[0.0] * 4]):
        with pytest.raises(TypeError):
            reduce(a, axis=0, keepdims=True, out=out)
    with pytest.raises(TypeError):
        reduce(a, axis=1.5)


def test_signed_zeros_are_ordered():
    """-0 is less than +0, so that results do not depend on the order of the elements."""
    for zeros in ([-0.0, 0.0], [0.0, -0.0]):
        a = steno.array(zeros, "f16")
        assert math.copysign(1, a.max()) == 1 and math.copysign(1, a.min()) == -1
        assert math.copysign(1, zeros[a.argmax()]) == 1 and math.copysign(1, zeros[a.argmin()]) == -1
