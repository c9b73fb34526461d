"""Creation and properties of arrays."""

import ml_dtypes
import numpy as np
import pytest

import steno

DTYPES = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "u64": np.uint64,
    "c128": np.complex128,
    "c64": np.complex64,
}


@pytest.mark.parametrize("name", DTYPES)
def test_formats_by_dtype(name):
    dtype = DTYPES[name]
    values = np.arange(6).reshape(2, 3).astype(dtype)
    a = steno.asarray(values)
    assert (a.format, a.shape, a.ndim, a.size, a.itemsize) == (name, (2, 3), 2, 6, values.itemsize)
    assert a.nbytes == values.nbytes
    assert a.strides == values.strides
    assert steno.zeros(3, dtype).format == name
    assert steno.zeros(3, np.dtype(dtype)).format == name


@pytest.mark.parametrize("name", DTYPES)
def test_memory_is_shared(name):
    values = np.arange(12).reshape(3, 4).astype(DTYPES[name])[::-1, ::2].T
    a = steno.asarray(values)
    a[1, 2] = 7
    assert values[1, 2] == 7
    back = np.asarray(a.codes)
    assert np.shares_memory(back, values)
    assert back.tobytes() == np.ascontiguousarray(values).tobytes()


def test_unknown_formats():
    with pytest.raises(steno.FormatError, match="unknown format 'f17'"):
        steno.zeros(3, "f17")
    for wrong in (object(), np.dtype("U3"), np.dtype(">f8"), str):
        with pytest.raises(TypeError):
            steno.zeros(3, wrong)


def test_shapes_as_in_numpy():
    x = np.arange(6.0).reshape(1, 2, 3, 1)
    for name in ("f16", "i8", "i8:row"):
        a = steno.asarray(x, name)
        values = np.asarray(a)
        for b, expected in (
            (a.squeeze(), values.squeeze()),
            (a.squeeze(0), values.squeeze(0)),
            (a.squeeze((0, -1)), values.squeeze((0, -1))),
            (a.swapaxes(1, -2), values.swapaxes(1, -2)),
            (a.flatten(), values.flatten()),
            (a.reshape(np.array([3, 2])), values.reshape(3, 2)),
            (a.reshape(steno.array([6, 1])), values.reshape(6, 1)),
            (+a, +values),
        ):
            assert b.shape == expected.shape and np.array_equal(np.asarray(b), expected)
        assert a.any() and not a.all() and a.any(1).shape == (1, 3, 1)
    assert steno.ones((1, 1)).squeeze().shape == () and not np.shares_memory((+a).codes, a.codes)
    with pytest.raises(ValueError):
        a.squeeze(1)
    with pytest.raises(ValueError):
        a.squeeze(4)
    with pytest.raises(ValueError):
        a.swapaxes(0, 4)


def test_index_protocol():
    assert [1, 2, 3][steno.array(1)] == 2 and range(5)[steno.array(2, "u8")] == 2
    for wrong in (steno.array(1.0), steno.array([1]), steno.array(1, "i8", scale=0.5)):
        with pytest.raises(TypeError):
            [1, 2, 3][wrong]
    assert steno.zeros(np.array([2, 3])).shape == (2, 3) == steno.zeros(steno.array([2, 3])).shape
