"""Block formats: codes and values next to an oracle of NumPy and ml_dtypes, parts, operations and errors."""

import copy
import math
import pickle

import ml_dtypes
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import steno

INTEGERS = {"bfp8": 8, "bfp16": 16, "bfp32": 32, "mxint8": 8}
ELEMENTS = {  # element, its bits, its largest value
    "mxfp8_e4m3": ("float8_e4m3fn", 8, 448.0),
    "mxfp8_e5m2": ("float8_e5m2", 8, 57344.0),
    "mxfp6_e3m2": ("float6_e3m2fn", 6, 28.0),
    "mxfp6_e2m3": ("float6_e2m3fn", 6, 7.5),
    "mxfp4": ("float4_e2m1fn", 4, 6.0),
    "nvfp4": ("float4_e2m1fn", 4, 6.0),
}
# The ml_dtypes of the oldest NumPy has no elements of 4 and 6 bits.
FLOATS = {name: (getattr(ml_dtypes, element), *rest) for name, (element, *rest) in ELEMENTS.items() if hasattr(ml_dtypes, element)}
FORMATS = [name for name in steno.formats() if steno.finfo(name).block > 1 and (name in FLOATS or name not in ELEMENTS)]
each_format = pytest.mark.parametrize("name", FORMATS)


def unpack(codes, bits):
    """Elements of `bits` bits, the first in the lowest bits, as unsigned integers."""
    stream = np.unpackbits(codes, axis=-1, bitorder="little").reshape(*codes.shape[:-1], -1, bits)
    return np.packbits(stream, axis=-1, bitorder="little")[..., 0]


def decoded(a):
    """The values of an array from its codes and scales."""
    if a.format in INTEGERS:
        elements = a.codes.astype(np.float64) / (64 if a.format == "mxint8" else 1)
    else:
        dtype, bits, _ = FLOATS[a.format]
        elements = unpack(a.codes, bits).view(dtype).astype(np.float64)
    if a.format == "nvfp4":
        scales = a.scales.view(ml_dtypes.float8_e4m3fn).astype(np.float64)
    elif a.format.startswith("bfp"):
        scales = np.ldexp(1.0, a.scales.astype(np.int32))
    else:
        scales = np.ldexp(1.0, a.scales.astype(np.int32) - 127)
    values = elements * scales[..., np.newaxis] * a.scale
    return values.reshape(*a.shape[:-1], -1)[..., : a.shape[-1]]


def in_blocks(x, block):
    rest = -x.shape[-1] % block
    padded = np.concatenate((x, np.zeros((*x.shape[:-1], rest))), -1)
    return padded.reshape(*x.shape[:-1], -1, block)


def expected_values(x, name):
    """The values that an array in a format of OCP MX or bfp stores."""
    blocks = in_blocks(x, 32)
    largest = np.abs(blocks).max(-1, keepdims=True)
    exponent = np.frexp(np.where(largest > 0, largest, 1.0))[1] - 1  # largest in [2^e, 2^(e+1))
    if name.startswith("bfp"):
        bits = INTEGERS[name]
        scale = np.ldexp(1.0, exponent + 2 - bits)
        scale = np.where(np.rint(largest / scale) > 2 ** (bits - 1) - 1, 2 * scale, scale)
        stored = np.rint(blocks / scale) * scale
    elif name == "mxint8":
        scale = np.ldexp(1.0, exponent)
        stored = np.clip(np.rint(blocks / scale * 64), -127, 127) / 64 * scale
    else:
        dtype, _, limit = FLOATS[name]
        scale = np.ldexp(1.0, exponent + 1 - math.frexp(limit)[1])
        stored = np.clip(blocks / scale, -limit, limit).astype(dtype).astype(np.float64) * scale
    return stored.reshape(*x.shape[:-1], -1)[..., : x.shape[-1]]


def matrices(magnitude=1e3):
    shape = arrays.array_shapes(min_dims=1, max_dims=3, max_side=70)
    values = st.floats(-magnitude, magnitude, width=32).map(lambda v: v if abs(v) > 1e-20 else 0.0)
    return arrays.arrays(np.float64, shape, elements=values, fill=st.just(0.5))


@each_format
@given(x=matrices())
def test_conversion(name, x):
    a = steno.asarray(x, name)
    assert a.shape == x.shape and a.format == name and a.block == steno.finfo(name).block
    values = np.asarray(a)
    assert np.array_equal(values, decoded(a))
    if name != "nvfp4":
        assert np.array_equal(values, expected_values(x, name))
    else:  # elements within half a spacing, which is at most a sixth of the largest magnitude of the block
        blocks = in_blocks(x, 16)
        bound = np.abs(blocks).max(-1, keepdims=True) * (1 / 6 + 1 / 16) + a.scale * 2.0**-7
        assert (np.abs(in_blocks(values, 16) - blocks) <= bound).all()
    assert np.array_equal(np.asarray(steno.asarray(values, name, scale=a.scale)), values)
    assert np.array_equal(np.asarray(a.astype("f64").astype(name, scale=a.scale)), values)


@each_format
def test_memory(name):
    block, size = steno.finfo(name).block, steno.finfo(name).block_bytes
    a = steno.array(np.random.default_rng(1).normal(size=(3, 5, 100)), name)
    count = -(-100 // block)
    assert a.nbytes == 15 * count * size == a.codes.nbytes + a.scales.nbytes
    assert a.codes.shape[:-1] == a.scales.shape == (3, 5, count)
    assert not a._is_unscaled and a.dtype == np.float64
    part = a[1:, ::-2, block : 2 * block]
    assert part.shape == (2, 3, block) and part.nbytes == 6 * size
    assert np.shares_memory(part.codes, a.codes) and np.shares_memory(part.scales, a.scales)
    for view in (part, part[0], a.T[:, 2], a[:, None, 1], a.transpose(1, 0, 2)[::2], a[..., 2 * block :], a[2:1]):
        if view.size and _last_is_blocked(view):
            assert np.array_equal(decoded(view), np.asarray(view))
        assert np.array_equal(np.asarray(view.copy()), np.asarray(view))
    assert np.array_equal(np.asarray(a.T), np.asarray(a).T)
    a.codes[0, 0] = 0
    assert (np.asarray(a)[0, 0] == 0).all()
    part[0, 0, 0] = 0.0
    assert a[1, -1, block] == 0


def _last_is_blocked(a):
    return steno._core.block_axis(a) == a.ndim - 1


@each_format
def test_from_codes(name):
    block = steno.finfo(name).block
    a = steno.array(np.linspace(-3, 3, 200).reshape(2, 100), name)
    b = steno.from_codes(a.codes, name, scales=a.scales, shape=a.shape, scale=a.scale)
    assert np.shares_memory(a.codes, b.codes) and np.array_equal(np.asarray(a), np.asarray(b))
    whole = steno.from_codes(a.codes.copy(), name, scales=a.scales.copy(), block=block)
    assert whole.shape == (2, a.codes.shape[1] * block)
    for codes in (np.asfortranarray(a.codes), a.codes[::-1], a.codes[:, ::2]):
        part = steno.from_codes(codes, name, scales=a.scales[: len(codes), : codes.shape[1]])
        assert np.array_equal(part.codes, codes)
    frozen = np.asarray(a.codes.copy())
    frozen.flags.writeable = False
    c = steno.from_codes(frozen, name, scales=a.scales)
    assert not c.writeable
    with pytest.raises(ValueError):
        c[0, 0] = 1
    for options in (
        {},
        {"scales": a.scales[:1]},
        {"scales": a.scales, "shape": (3, 100)},
        {"scales": a.scales, "shape": (200,)},
        {"scales": a.scales, "shape": ()},
        {"scales": a.scales, "block": 8},
        {"scales": a.scales, "zero_point": 1},
        {"scales": a.scales.astype(np.float64)},
    ):
        with pytest.raises(ValueError):
            steno.from_codes(a.codes, name, **options)
    with pytest.raises(ValueError, match="bytes per block"):
        steno.from_codes(a.codes[..., 1:], name, scales=a.scales)
    with pytest.raises(TypeError):
        steno.from_codes(a.codes.astype(object), name, scales=a.scales)
    with pytest.raises(ValueError):
        steno.from_codes(np.ones(3, np.int8), shape=(3,))


@each_format
def test_pickle_and_copies(name):
    a = steno.array(np.linspace(-3, 3, 300).reshape(3, 100), name)
    ones = steno.array(np.linspace(0, 3, 50).reshape(50, 1), name)
    for b in (a, a[1:], a[:, 64:], a.T, a[::-1], a[None, 1:].transpose(2, 0, 1), ones[:, 0], steno.zeros((0, 3), name), steno.zeros((3, 0), name)):
        for c in (copy.copy(b), copy.deepcopy(b), *(pickle.loads(pickle.dumps(b, k)) for k in (2, 4, 5))):
            assert c.format == name and c.scale == b.scale and np.array_equal(np.asarray(c), np.asarray(b))
            assert b.size == 0 or not np.shares_memory(b.codes, c.codes)
    buffers = []
    data = pickle.dumps(a, 5, buffer_callback=buffers.append)
    assert len(data) < 600 and sum(len(b.raw()) for b in buffers) == a.nbytes
    assert np.array_equal(np.asarray(pickle.loads(data, buffers=buffers)), np.asarray(a))


@each_format
def test_indices(name):
    block = steno.finfo(name).block
    x = np.round(np.random.default_rng(2).normal(size=(4, 100)) * 4) / 2
    a = steno.asarray(x, name)
    values = np.asarray(a)
    assert a[1, 7] == values[1, 7] and a[-1, -1] == values[-1, -1] and a.T[7, 1] == values[1, 7]
    assert np.array_equal(np.asarray(a[2]), values[2]) and list(a[2]) == values[2].tolist()
    assert np.array_equal(np.asarray(a[[0, 3]]), values[[0, 3]])
    assert np.array_equal(np.asarray(a[values > 0]), values[values > 0])
    for key in ((0, slice(1, None)), (0, slice(None, 5)), (0, slice(None, None, 2)), (slice(None), 3),
                (0, slice(None, None, -1)), (0, slice(block, block + 1))):  # fmt: skip
        with pytest.raises(ValueError, match=f"blocks of {block}"):
            a[key]
        with pytest.raises(ValueError, match=f"blocks of {block}"):
            a[key] = 1.0
    with pytest.raises(IndexError):
        a[0, 100]
    with pytest.raises(TypeError):
        a[0, 0] = 1j
    with pytest.raises(TypeError):
        a[0, 0] = "x"
    with pytest.raises(ValueError):
        a[[0, 1]] = 1.0
    a[0, 3] = 1.5
    a[1, block : 2 * block] = 0.5
    a[2:] = np.zeros(100)
    assert abs(a[0, 3] - 1.5) < 0.2 and (abs(np.asarray(a[1, block : 2 * block]) - 0.5) < 0.05).all() and not np.asarray(a[2:]).any()


@each_format
def test_shapes(name):
    a = steno.array(np.arange(256.0).reshape(4, 64), name)
    for shape in ((2, 2, 64), (8, 32), (256,), (1, 4, 64), (2, 128)):
        b = a.reshape(shape)
        assert b.format == name and np.shares_memory(a.codes, b.codes)
        assert np.array_equal(np.asarray(b), np.asarray(a).reshape(shape))
    for b in (a.reshape(64, 4), a.T.reshape(256), a[:, :32].reshape(-1)):
        assert b.size in (128, 256)
    assert a.reshape(64, 4).format == "f64" and np.array_equal(np.asarray(a.T.ravel()), np.asarray(a).T.ravel())
    odd = steno.array(np.ones((4, 50)), name)
    assert odd.reshape(2, 2, 50).format == name and odd.reshape(200).format == "f64"
    with pytest.raises(ValueError):
        a.reshape(3, 3)


@each_format
def test_operations(name):
    rng = np.random.default_rng(3)
    a, b = (steno.asarray(rng.normal(size=(33, 70)), name) for _ in range(2))
    x, y = np.asarray(a), np.asarray(b)

    def six(shape):  # exact in all formats
        return steno.full(shape, 6.0, name)

    assert (a + b).format == "f64" and np.array_equal(np.asarray(a + b), x + y)
    assert np.array_equal(np.asarray(a * 2 - b[:1]), x * 2 - y[:1])
    assert np.array_equal(np.asarray(np.maximum(a, b)), np.maximum(x, y)) and ((a < b) == (x < y)).all()
    assert a.max() == x.max() and a.argmin() == x.argmin() and np.allclose(a.sum(0), x.sum(0))
    assert np.isclose(steno.dot(a[0], b[0]), x[0] @ y[0]) and np.isclose(steno.norm(a), np.linalg.norm(x))
    assert np.allclose(np.asarray(a @ b.T), x @ y.T) and np.allclose(np.asarray(a @ b[0]), x @ y[0])
    assert np.array_equal(np.asarray(a.cumsum(1)[:, 3]), x.cumsum(1)[:, 3])
    assert np.array_equal(np.asarray(six((3, 2, 32)) @ six((32, 2))), np.full((3, 2, 2), 32.0 * 36))
    assert np.array_equal(np.asarray(six((4, 1, 40)) + six((3, 1))), np.full((4, 3, 40), 12.0))
    out = steno.zeros(a.shape, name, scale=a.scale)
    assert np.add(a, b, out=out) is out
    assert np.array_equal(np.asarray(out), np.asarray(steno.asarray(x + y, name, scale=a.scale)))
    a += b
    assert np.array_equal(np.asarray(a), np.asarray(out))
    z = six(70)
    assert steno.axpy(-0.5, np.full(70, 6.0), z)[0] == np.asarray(steno.asarray(np.full(70, 3.0), name, scale=1.0))[0]
    double = steno.kernel("y = 2 * x", out="y")
    assert double(z, format=name).format == name
    stencil = steno.kernel("v = STN_AT(u, i - 1) + STN_AT(u, i + 1)", "at(i), stencil(u, nearest, 1), out(v)")
    assert np.array_equal(np.asarray(stencil(z)), 2 * np.asarray(z))
    product = steno.blas.gemv(1.0, b, np.ones(70), 0.0, np.zeros(33))
    assert np.allclose(product, y.sum(1))
    with pytest.raises(ValueError):
        steno.sum(a, arithmetic=name)


@each_format
def test_repr(name):
    a = steno.array(np.ones((2, 3)), name, scale=1.0)
    assert repr(a).endswith(f"format='{name}', blocks of {a.block})")
    big = steno.ones((100, 1000), name)
    assert "shape=(100, 1000)" in repr(big) and "..." in repr(big.T) and len(repr(big)) < 600
    assert steno.zeros((3, 0), name).nbytes == 0 and "shape=(3, 0)" in repr(steno.zeros((3, 0), name))


@each_format
def test_not_a_number(name):
    a = steno.array([1.0, np.nan, *np.full(70, 6.0)], name, scale=1.0)
    assert np.isnan(np.asarray(a)[: a.block]).all() and np.array_equal(np.asarray(a)[64:], np.full(8, 6.0))
    assert np.isnan(a.max()) and np.isnan(a.sum())


@each_format
def test_refusals(name):
    x = np.ones(40)
    for options in ({"zero_point": 1.0}, {"rounding": "stochastic"}, {"overflow": "nan"}, {"scale": np.nan}):
        with pytest.raises(ValueError):
            steno.asarray(x, name, **options)
        if "scale" not in options:
            with pytest.raises(ValueError, match=name):
                steno.zeros(3, name, **options)
    for wrong in (f"{name}:32", f"{name}:row"):
        with pytest.raises(ValueError, match="own scales"):
            steno.asarray(x, wrong)
        with pytest.raises(ValueError, match="own scales"):
            steno.linalg.gmres(np.eye(4), np.ones(4), basis=wrong)
    with pytest.raises(ValueError, match="dimension"):
        steno.asarray(1.0, name)
    with pytest.raises(TypeError):
        steno.asarray(x * 1j, name)
    a = steno.asarray(x, name)
    for attribute in ("strides", "itemsize", "__array_interface__"):
        with pytest.raises(AttributeError):
            getattr(a, attribute)
    for call in (memoryview, np.from_dlpack):
        with pytest.raises(BufferError):
            call(a)
    if name != "bfp32":  # whose codes are not aligned
        assert np.from_dlpack(a.codes).shape == a.codes.shape
    matrix = steno.sparse.csr(np.eye(4) * 2)
    for call in (
        lambda: matrix.compensate(name),
        lambda: steno.linalg.ilu(matrix, name),
        lambda: steno.linalg.ic(matrix, name),
        lambda: steno.linalg.block_jacobi(matrix, name),
        lambda: matrix.dot(np.ones((4, 2)), steno.zeros((4, 2), name)),
    ):
        with pytest.raises(ValueError, match=name):
            call()
    for size in ((2**40, 2**40), 2**62):
        with pytest.raises((ValueError, MemoryError)):
            steno.zeros(size, name)


@each_format
def test_sparse(name):
    matrix = scipy.sparse.csr_array(scipy.sparse.random(60, 50, density=0.2, random_state=4))
    a = steno.sparse.csr(matrix, name)
    assert a.format == name and np.array_equal(np.asarray(a.data), np.asarray(steno.asarray(matrix.data, name, scale=a.scale)))
    assert a.nbytes == a.data.nbytes + a.indices.nbytes + a.indptr.nbytes and a.scale == a.data.scale
    assert a.convert("sliced").format == "f64" and a.astype("f16").format == "f16"
    stored = a.to_scipy()
    x = np.arange(50.0)
    assert np.allclose(a @ x, stored @ x) and np.allclose(a.T @ np.ones(60), stored.T @ np.ones(60))
    blocks = steno.asarray(np.arange(150.0).reshape(50, 3), name)
    assert np.allclose(np.asarray(a @ blocks), stored @ np.asarray(blocks))
    assert np.allclose(np.asarray(a @ blocks[:, 0:3].T.copy().T), stored @ np.asarray(blocks))


@pytest.mark.parametrize("name", FORMATS)
def test_basis(name):
    n = 300
    matrix = scipy.sparse.diags_array([-1.0, 4.0, -1.5], offsets=[-1, 0, 1], shape=(n, n), format="csr")
    right = matrix @ np.linspace(0, 1, n)
    x, info = steno.linalg.gmres(matrix, right, rtol=1e-8, basis=name, maxiter=2000)
    assert info == 0 and np.linalg.norm(matrix @ x - right) <= 1.01e-8 * np.linalg.norm(right)
