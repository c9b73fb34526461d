"""Conversions of all formats, compared with NumPy and ml_dtypes."""

import pickle
import warnings

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, strategies as st

import steno

NARROW = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
INTEGERS = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32}


def codes_of(name):
    return np.arange(256, dtype=np.uint8) if name[0] == "e" else np.arange(65536, dtype=np.uint16)


@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("target", [np.float64, np.float32])
def test_all_codes(name, target):
    codes = codes_of(name)
    a = steno.from_codes(codes, name)
    with np.errstate(all="ignore"):
        expected = codes.view(NARROW[name]).astype(target)
    np.testing.assert_array_equal(np.asarray(a, target), expected)
    np.testing.assert_array_equal(np.asarray(a.astype(target)), expected)
    # Finite values survive a conversion there and back.
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(steno.asarray(expected, name).codes.view(codes.dtype)[finite], codes[finite])


@pytest.mark.parametrize("name", NARROW)
@given(st.lists(st.floats(width=32), min_size=1, max_size=40))
def test_rounding_of_floats(name, values):
    x = np.array(values, np.float32)
    limit = steno.finfo(name).max
    if name[0] == "e":
        x = x[~(np.abs(x) > limit)]  # ml_dtypes does not saturate
    with np.errstate(all="ignore"):
        expected = x.astype(NARROW[name]).astype(np.float64)
    np.testing.assert_array_equal(np.asarray(steno.asarray(x, name), np.float64), expected)


@pytest.mark.parametrize("name", INTEGERS)
@given(st.lists(st.floats(-1e12, 1e12) | st.integers(-300, 300).map(lambda n: n / 2), min_size=1, max_size=40))
def test_rounding_of_integers(name, values):
    x = np.array(values)
    info = np.iinfo(INTEGERS[name])
    expected = np.clip(np.rint(x), info.min, info.max)
    np.testing.assert_array_equal(np.asarray(steno.asarray(x, name, scale=1.0), np.float64), expected)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50), st.sampled_from(["i8", "i16", "i32", "e4m3"]))
def test_fitted_scales(values, name):
    x = np.array(values)
    a = steno.asarray(x, name, scale="auto")
    largest = np.abs(x).max()
    if largest > 0:
        assert np.log2(a.scale) % 1 == 0 or a.scale < 1e-300
        limits = steno.finfo(name)
        assert a.scale * limits.min <= x.min() and x.max() <= a.scale * limits.max
    if name[0] == "i":
        assert np.abs(np.asarray(a) - x).max() <= a.scale / 2 * (1 + 1e-12)
    exact = steno.asarray(x, name, scale="exact")
    assert exact.scale <= a.scale


@given(
    st.integers(1, 3), st.integers(1, 70), st.sampled_from([1, 3, 32, 100, "row"]), st.sampled_from(["i8", "i16", "e4m3"])
)
def test_blocks(rows, columns, block, name):
    x = np.random.default_rng(columns).normal(size=(rows, columns)) * 10.0 ** np.arange(rows)[:, None]
    a = steno.asarray(x, f"{name}:{block}")
    count = 1 if block == "row" else -(-columns // block)
    assert a.scales.shape == (rows, count)
    wide = np.repeat(a.scales, columns if block == "row" else block, axis=1)[:, :columns]
    codes = a.codes.view(NARROW.get(name, a.codes.dtype)).astype(np.float64)
    np.testing.assert_array_equal(np.asarray(a), codes * wide)
    assert (np.abs(np.asarray(a) - x) <= wide * (0.5 if name[0] == "i" else 16)).all()
    np.testing.assert_array_equal(np.asarray(a.copy()), np.asarray(a))


def test_extreme_blocks():
    a = steno.asarray([[1e300, -1e299], [0.0, 0.0], [1e-300, 1e-301]], "i16:row")
    np.testing.assert_allclose(np.asarray(a), [[1e300, -1e299], [0, 0], [1e-300, 1e-301]], rtol=1e-3)


def test_zero_point():
    x = np.array([0.0, 0.5, 1.0])
    a = steno.asarray(x, "u8", scale=1 / 128, zero_point=10)
    assert a.codes.tolist() == [10, 74, 138] and a.zero_point == 10
    assert np.asarray(a).tolist() == x.tolist()
    assert steno.zeros(2, "u8", scale=0.5, zero_point=3).codes.tolist() == [3, 3]


def test_rounding_modes():
    x = np.full(1000, 1.75)
    assert steno.asarray(x, "i8", scale=1.0, rounding="toward_zero").codes.max() == 1
    codes = steno.asarray(x, "i8", scale=1.0, rounding="stochastic", seed=7).codes
    assert 650 < (codes == 2).sum() < 850 and set(codes.tolist()) == {1, 2}
    again = steno.asarray(x, "i8", scale=1.0, rounding="stochastic", seed=7).codes
    assert (codes == again).all()
    assert steno.empty(1, "f16", rounding="stochastic").rounding == "stochastic"


def test_overflow_modes():
    def store(name, overflow):
        return np.asarray(steno.asarray([1e9], name, overflow=overflow), np.float64)[0]

    assert store("f16", "default") == np.inf and store("e4m3", "default") == 448
    assert store("f16", "saturate") == 65504 and np.isnan(store("f16", "nan"))
    assert store("e5m2", "infinity") == np.inf and np.isnan(store("e4m3", "infinity"))


@pytest.mark.parametrize("name", ["c128", "c64", "c32"])
def test_complex(name):
    z = np.array([[1 + 2j, -0.5j], [3, 4]])
    a = steno.asarray(z, name)
    assert (np.asarray(a) == z).all()
    assert a.astype("c128").format == "c128"
    assert a.copy().format == name
    with pytest.raises(TypeError):
        a.astype("f64")
    assert np.asarray(steno.asarray([1.0, 2.0], name)).tolist() == [1, 2]


def test_copies():
    x = np.arange(3.0)
    assert steno.asarray(x).codes.base is not None and np.shares_memory(steno.asarray(x).codes, x)
    a = steno.asarray(x)
    assert steno.asarray(a) is a and steno.asarray(a, "f64") is a
    assert steno.asarray(a, copy=True) is not a
    assert not np.shares_memory(steno.array(x).codes, x)
    with pytest.raises(ValueError, match="requires a copy"):
        steno.asarray(x, "f16", copy=False)


def test_integers_do_not_pass_through_floats():
    x = np.array([2**62 + 1, -(2**62) - 1])
    assert np.asarray(steno.asarray(x, "i64")).tolist() == x.tolist()
    assert steno.asarray(np.array([2**53 + 1]), np.uint64)[0] == 2**53 + 1


def test_byte_order_and_bool():
    big = np.arange(4, dtype=">f4")
    assert np.asarray(steno.asarray(big)).tolist() == [0, 1, 2, 3]
    flags = np.array([True, False])
    a = steno.asarray(flags)
    assert a.format == "u8" and not a.writeable
    fields = np.zeros(3, dtype=[("a", np.int8), ("b", np.float32)])
    fields["b"] = [1, 2, 3]
    assert np.asarray(steno.asarray(fields["b"])).tolist() == [1, 2, 3]  # not aligned


BYTES = {"f24": (np.float32, 1), "f40": (np.float64, 3), "f48": (np.float64, 2)}


@pytest.mark.parametrize("name", BYTES)
def test_byte_width_floats(name):
    """Their codes are the upper bytes of a wider float."""
    wide, dropped = BYTES[name]
    x = np.random.default_rng(0).normal(size=(3, 5)).astype(wide)
    upper = x.view(np.uint8).reshape(3, 5, -1).copy()
    upper[..., :dropped] = 0
    expected = upper.reshape(3, -1).view(wide)
    a = steno.asarray(expected, name)
    assert a.codes.dtype.kind == "V" and a.nbytes == 15 * a.itemsize
    np.testing.assert_array_equal(np.asarray(a), expected)
    np.testing.assert_array_equal(np.frombuffer(a.codes.tobytes(), np.uint8).reshape(3, 5, -1), upper[..., dropped:])
    limit = np.abs(x) * steno.finfo(name).eps / 2
    assert (np.abs(np.asarray(steno.asarray(x, name)) - x) <= limit).all()
    for same in (a.copy(), a[[0, 1, 2]], pickle.loads(pickle.dumps(a)), steno.from_codes(a.codes, name), a.T.T):
        assert same.format == name and (np.asarray(same) == expected).all()
    a[[0]] = 7
    assert (np.asarray(a)[0] == 7).all() and (a + a).format == name
    with pytest.raises(BufferError):
        a.__dlpack__()
    with pytest.raises(ValueError):
        steno.from_codes(np.zeros(2, "V7"), name)
    scaled = steno.from_codes(a.codes, name, scale=0.5)
    assert scaled[0, 0] == 3.5


@pytest.mark.parametrize("name", ["i8", "u16", "i16:row", "i8:4"])
def test_nan_in_integers_is_reported(name):
    x = np.abs(np.arange(12.0)).reshape(3, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steno.asarray(x, name)
        steno.asarray(x.astype(int), name)
        steno.asarray(np.zeros((0, 3)), name)
    x[1, 2] = np.nan
    for call in (lambda: steno.asarray(x, name), lambda: steno.array(x).astype(name)):
        with pytest.warns(RuntimeWarning, match="NaN is stored as 0"):
            assert call()[1, 2] == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steno.asarray(np.where(np.isnan(x), np.inf, x), "i8", scale=1.0)  # infinities saturate


@pytest.mark.parametrize(
    "name", ["float8_e4m3b11fnuz", "float8_e5m2fnuz", "float6_e3m2fn", "float6_e2m3fn", "float4_e2m1fn", "int4", "uint4", "int2"]
)
def test_other_types_of_ml_dtypes(name):
    if not hasattr(ml_dtypes, name):
        pytest.skip(f"this ml_dtypes has no {name}")
    x = np.array([[0, 1], [1, 0]]).astype(getattr(ml_dtypes, name))
    a = steno.asarray(x)
    assert a.format == ("f32" if "float" in name else "u8" if name[0] == "u" else "i8")
    assert np.array_equal(np.asarray(a), x.astype(np.float64)) and steno.asarray(x, "mxfp4")[0, 1] == 1
