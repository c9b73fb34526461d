"""Memory that is exchanged with NumPy, ml_dtypes, DLPack, pickle and files."""

import array
import copy
import gc
import pickle
import weakref

import ml_dtypes
import numpy as np
import pytest

import steno

NATIVE = ["f64", "f32", "f16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "c128", "c64"]


@pytest.mark.parametrize("name", NATIVE)
def test_export_of_native_formats(name):
    a = steno.ones((3, 4), name)[::-1, 1::2]
    shared = np.asarray(a)
    assert shared.shape == (3, 2) and shared.strides == a.strides and (shared == 1).all()
    shared[0, 0] = 5
    assert a[0, 0] == 5
    assert memoryview(a).shape == (3, 2)
    interface = np.asarray(type("I", (), {"__array_interface__": a.__array_interface__})())
    assert np.shares_memory(interface, shared) and interface.dtype == shared.dtype
    assert np.from_dlpack(a) is not None and np.shares_memory(np.from_dlpack(a), shared)


def scaled_arrays():
    return [
        steno.ones(3, "i16", scale=0.5),
        steno.ones(3, "u8", scale=1.0, zero_point=1),
        steno.array([1.0, 2.0], "i8:row"),
        steno.ones(3, "f32", scale=2.0),
    ]


def test_scaled_arrays_are_not_exported():
    for a in scaled_arrays():
        with pytest.raises(BufferError):
            memoryview(a)
        with pytest.raises(AttributeError):
            a.__array_interface__
        with pytest.raises(BufferError):
            a.__dlpack__()
        assert np.asarray(a)[0] == 1 and np.asarray(a).dtype == np.float64
        assert not np.shares_memory(np.asarray(a), a.codes)
    with pytest.raises(BufferError):
        memoryview(steno.ones(3, "bf16"))
    assert np.from_dlpack(steno.asarray(scaled_arrays()[0].codes))[0] == 2


def test_array_protocol():
    a = steno.array([1.0, 2.0], "bf16")
    assert np.asarray(a).dtype == np.float32
    assert np.asarray(a, np.float64).tolist() == [1, 2]
    same = np.asarray(a, ml_dtypes.bfloat16)
    assert same.dtype == ml_dtypes.bfloat16 and np.shares_memory(same, a.codes)
    assert np.asarray(a, object).tolist() == [1, 2] and np.asarray(a, bool).tolist() == [True, True]
    with pytest.raises(ValueError):
        a.__array__(np.float64, copy=False)
    assert not np.shares_memory(a.__array__(ml_dtypes.bfloat16, copy=True), a.codes)
    with pytest.raises(TypeError):
        steno.ones(2, "c64").__array__(np.float64)


def test_buffer_flags():
    a = steno.zeros((3, 4))
    assert bytes(memoryview(a)) == bytes(96)
    with pytest.raises((BufferError, TypeError, ValueError)):
        memoryview(a.T).cast("B")
    with pytest.raises(BufferError):
        array.array("d").frombytes(a.T)
    frozen = steno.asarray(np.broadcast_to(1.0, (3,)))
    assert not frozen.writeable and memoryview(frozen).readonly
    with pytest.raises(ValueError):
        frozen[0] = 2
    with pytest.raises((TypeError, BufferError)):
        import io

        io.BytesIO(b"12345678").readinto(frozen)


def test_other_exporters():
    numbers = array.array("h", [1, 2, 3])
    a = steno.asarray(numbers)
    assert a.format == "i16"
    a[0] = 7
    assert numbers[0] == 7
    with pytest.raises(BufferError):
        numbers.append(1)
    del a
    gc.collect()
    numbers.append(1)
    assert steno.asarray(b"abc").format == "u8" and not steno.asarray(b"abc").writeable
    view = memoryview(bytearray(8))
    view.release()
    with pytest.raises((ValueError, TypeError)):
        steno.asarray(view)


def test_lifetime():
    class Memory(np.ndarray):
        pass

    values = np.ones(1000).view(Memory)
    alive = weakref.ref(values)
    part = steno.asarray(values)[10:20][2:]
    del values
    gc.collect()
    assert part.sum() == 8
    codes = part.codes
    del part
    assert codes.sum() == 8
    del codes
    gc.collect()
    assert alive() is None
    scales = np.full((1, 1), 2.0)
    a = steno.from_codes(np.ones((1, 4), np.int8), scales=scales)[0]
    del scales
    gc.collect()
    assert a.sum() == 8 and a.T[1:].scales.tolist() == [2.0]


def test_memmap(tmp_path):
    path = tmp_path / "values"
    np.arange(1000, dtype=np.float16).tofile(path)
    a = steno.asarray(np.memmap(path, np.float16, "r+"))
    a[3] = 42
    del a
    gc.collect()
    frozen = steno.asarray(np.memmap(path, np.float16, "r"))
    assert frozen[3] == 42 and not frozen.writeable
    with pytest.raises(ValueError):
        frozen[3] = 1


def test_large_sparse_file(tmp_path):
    path = tmp_path / "large"
    with open(path, "wb") as file:
        file.truncate(2**40)
    a = steno.asarray(np.memmap(path, np.float16, "r"))
    assert a.size == 2**39 and a[-1] == 0
    assert "shape=(549755813888,)" in repr(a) and len(repr(a)) < 200


@pytest.mark.parametrize("name", ["bf16", "e4m3", "e5m2"])
def test_dlpack_of_narrow_floats(name):
    a = steno.array([[1.0, 2.0, 3.0]], name).T
    b = steno.from_dlpack(a)
    assert b.format == name and np.shares_memory(b.codes, a.codes) and b.strides == a.strides
    b[0, 0] = 5
    assert a[0, 0] == 5


def test_dlpack():
    x = np.arange(6.0).reshape(2, 3)[:, ::-1]
    a = steno.from_dlpack(x)
    assert np.shares_memory(a.codes, x) and (np.asarray(a) == x).all()
    assert not np.shares_memory(steno.from_dlpack(x, copy=True).codes, x)
    assert a.__dlpack_device__() == (1, 0)
    del x
    gc.collect()
    assert a.sum() == 15
    capsule = a.__dlpack__()
    assert "dltensor" in repr(capsule)
    steno._core.dlpack_import(capsule)
    with pytest.raises(TypeError):
        steno._core.dlpack_import(capsule)  # used
    a.__dlpack__(max_version=(1, 0))  # never used: the capsule releases it
    with pytest.raises(BufferError):
        a.__dlpack__(dl_device=(2, 0))
    frozen = steno.asarray(np.broadcast_to(1.0, (3,)))
    with pytest.raises(BufferError):
        frozen.__dlpack__()
    assert not steno.from_dlpack(frozen).writeable
    for wrong in (None, 3, object()):
        with pytest.raises((TypeError, AttributeError)):
            steno.from_dlpack(wrong)

    class Liar:
        def __dlpack__(self, **options):
            return 5

    with pytest.raises(TypeError):
        steno.from_dlpack(Liar())


def test_objects_with_dlpack_only():
    class Tensor:
        """As those of other libraries, which export no buffer."""

        values = np.arange(3.0)

        def __dlpack__(self, *, stream=None):
            return self.values.__dlpack__()

        def __dlpack_device__(self):
            return (1, 0)

    a = steno.asarray(Tensor())
    assert np.shares_memory(a.codes, Tensor.values) and steno.dot(Tensor(), Tensor()) == 5


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    for a in [*scaled_arrays(), steno.array(np.arange(64.0).reshape(2, 32), "i16:8")[:, 8:], steno.ones((2, 3), "bf16").T, steno.array(2.0)]:
        b = pickle.loads(pickle.dumps(a, protocol))
        for attribute in ("format", "shape", "scale", "zero_point", "rounding", "overflow"):
            assert getattr(a, attribute) == getattr(b, attribute)
        assert (np.asarray(a) == np.asarray(b)).all()


def test_pickle_out_of_band():
    a = steno.array(np.arange(1000.0), "f16")
    buffers = []
    data = pickle.dumps(a, 5, buffer_callback=buffers.append)
    assert len(data) < 500 and sum(len(b.raw()) for b in buffers) == 2000
    b = pickle.loads(data, buffers=buffers)
    assert np.shares_memory(a.codes, b.codes)


def test_copy_module():
    for a in scaled_arrays():
        for b in (copy.copy(a), copy.deepcopy(a), a.copy()):
            assert (np.asarray(a) == np.asarray(b)).all() and b.format == a.format
            assert not np.shares_memory(a.codes, b.codes)


def test_repr():
    assert repr(steno.array([1.0, 2.0], "i16", scale=0.5)) == "Array([1., 2.], format='i16', scale=0.5)"
    assert repr(steno.zeros(0)) == "Array([], format='f64')"
    assert "zero_point=3.0" in repr(steno.zeros(2, "u8", scale=0.5, zero_point=3))
    assert "shape=(0, 3)" in repr(steno.zeros((0, 3)))
    assert "..." in repr(steno.zeros((200, 200), "f16")) and "shape=(200, 200)" in repr(steno.zeros((200, 200)))
    assert "scales of the shape (2, 1)" in repr(steno.array([[1.0], [2.0]], "i8:row"))
    assert str(steno.array([1, 2])) == "[1 2]" and repr(steno.array(2.5)) == "Array(2.5, format='f64')"


def test_copy_is_refused():
    fields = np.zeros(3, [("a", "i1"), ("b", "f8")])
    for a in ([1.0, 2.0], (1, 2), 3.0, np.arange(3, dtype=">f8"), fields["b"]):
        with pytest.raises(ValueError, match="copy"):
            steno.asarray(a, copy=False)
        assert steno.asarray(a).shape == np.shape(a)
    x = np.arange(3.0)
    assert np.shares_memory(steno.asarray(x[::-1], copy=False).codes, x)


def test_scalars_without_strides():
    for a in (np.datetime64("2020-01-01"), np.timedelta64(1, "s")):
        with pytest.raises(TypeError, match="dtype"):
            steno.asarray(a)
        with pytest.raises(TypeError):
            steno.ones(2) + a
