"""Indices, slices and assignment, compared with NumPy."""

import hypothesis.extra.numpy as strategies_np
import numpy as np
import pytest
from hypothesis import given, strategies as st

import steno

shapes = strategies_np.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)


def values_of(shape, dtype=np.float32):
    return np.arange(np.prod(shape, dtype=int), dtype=dtype).reshape(shape)


@st.composite
def shapes_and_keys(draw):
    shape = draw(shapes)
    key = draw(strategies_np.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True, max_dims=8))
    return shape, key


def same(a, expected):
    if np.ndim(expected) == 0 and not isinstance(expected, np.ndarray):
        return not isinstance(a, steno.Array) and a == expected
    return a.shape == expected.shape and np.array_equal(np.asarray(a), expected)


@given(shapes_and_keys())
def test_basic_indices(case):
    shape, key = case
    values = values_of(shape)
    part, expected = steno.asarray(values)[key], values[key]
    assert same(part, expected)
    if isinstance(part, steno.Array) and part.size:
        assert np.shares_memory(part.codes, values)
        assert part.strides == tuple(
            s if n > 1 else t for s, t, n in zip(expected.strides, part.strides, part.shape)
        )


@given(shapes_and_keys(), st.sampled_from(["f32", "f16", "bf16", "i16", "u8"]))
def test_indices_of_copies(case, name):
    shape, key = case
    values = values_of(shape)
    assert same(steno.array(values, name, scale=1.0)[key], values[key])


@given(shapes_and_keys(), st.data())
def test_assignment(case, data):
    shape, key = case
    values = values_of(shape)
    a = steno.array(values)
    target = np.shape(values[key])
    keep = data.draw(st.integers(0, len(target)))
    source_shape = tuple(
        1 if data.draw(st.booleans()) else extent for extent in target[len(target) - keep :]
    )
    source = -1 - values_of(source_shape)
    values[key] = source
    a[key] = steno.asarray(source)
    assert same(a, values)
    values[key] = 100
    a[key] = 100.0
    assert same(a, values)


@given(st.lists(st.integers(-6, 5), max_size=8), st.integers(0, 3))
def test_lists_of_indices(indices, kind):
    values = values_of((6, 4), np.float16)
    a = steno.array(values)
    key = [indices, (slice(None), np.array(indices, int) % 4), np.array(indices, int), values[:, 0] > 7][kind]
    assert same(a[key], values[key])
    a[key] = 3
    values[key] = 3
    assert same(a, values)
    assert same(a[steno.asarray(values) > 2], values[values > 2])


def test_elements_are_python_numbers():
    assert type(steno.array([1.5], "bf16")[0]) is float
    assert type(steno.array([1, 2])[1]) is int
    assert type(steno.array([1, 2], "i8", scale=0.5)[1]) is float
    assert type(steno.array([1j])[0]) is complex
    large = steno.array([2**64 - 1], np.uint64)
    assert large[0] == 2**64 - 1
    assert list(steno.array([1, 2, 3])) == [1, 2, 3]


def test_scaled_parts():
    values = np.arange(64.0).reshape(2, 32)
    a = steno.array(values, "i16:8")
    assert a.scales.shape == (2, 4) and a.block == 8
    for key in [1, (0, 5), np.s_[:, 8:24], np.s_[:, 3:5], np.s_[::-1], np.s_[:, None, 4:]]:
        assert same(a[key], np.asarray(a)[key])
    b = steno.array(values, "e4m3:row")
    assert b.scales.shape == (2, 1) and b.block is None
    assert same(b[::-1, ::-3].T, np.asarray(b)[::-1, ::-3].T)


def test_overlap_in_assignment():
    values = values_of(10)
    a = steno.array(values)
    a[1:] = a[:-1]
    values[1:] = values[:-1].copy()
    assert same(a, values)
    a[::-1] = a
    assert same(a, values[::-1])


@given(shapes, st.data())
def test_shapes(shape, data):
    values = values_of(shape)
    a = steno.array(values, "i16", scale=1.0)
    order = data.draw(st.permutations(range(len(shape))))
    assert same(a.transpose(order), values.transpose(order))
    assert same(a.T, values.T)
    assert same(a.T.reshape(a.size), values.T.reshape(-1))
    if a.size:
        assert same(a.T.reshape(-1, 1), values.T.reshape(-1, 1))
    assert same(a.ravel(), values.ravel())


def test_bad_indices():
    a = steno.zeros((3, 4), "f16")
    for key in (3, -4, (0, 4), (0, 0, 0), (..., ...), 2**70):
        with pytest.raises(IndexError):
            a[key]
        with pytest.raises(IndexError):
            a[key] = 0
    for key in ("x", 1.5, (None,) * 9):
        with pytest.raises((IndexError, TypeError)):
            a[key]
    with pytest.raises(ValueError):
        a[::0]
    with pytest.raises(ValueError):
        a[0] = [1.0, 2.0, 3.0]
    with pytest.raises(TypeError):
        del a[0]
    with pytest.raises(TypeError):
        a[0, 0] = "x"
    with pytest.raises(TypeError):
        a[0, 0] = 1j
    with pytest.raises(ValueError):
        a.transpose(0, 0)
    with pytest.raises(ValueError):
        a.reshape(5)
    with pytest.raises(TypeError):
        len(steno.array(1.0))
