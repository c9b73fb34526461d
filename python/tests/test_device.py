"""Arrays in the memory of a CUDA device, exchanged by DLPack: refused without a device, and with a driver stand-in."""

import ctypes
import os
import subprocess
import sys

import numpy as np
import pytest

import steno

CPU, CUDA, VULKAN, CUDA_MANAGED = 1, 2, 7, 13


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("number", ctypes.c_int32), ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("release", ctypes.c_void_p),
    ]  # fmt: skip


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class Producer:
    """An array of f32 on a device, as another library exports it. Its memory is that of the host."""

    def __init__(self, values, device=CUDA, number=0):
        self.values = np.array(values, np.float32)
        self.shape = (ctypes.c_int64 * 1)(self.values.size)
        self.tensor = Tensor(self.values.ctypes.data, device, number, 1, 2, 32, 1, self.shape, None, 0, None, None)
        self.streams = []

    def __dlpack_device__(self):
        return self.tensor.device, self.tensor.number

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        return new_capsule(ctypes.addressof(self.tensor), b"dltensor", None)


def test_refused_without_a_device():
    for device in (CUDA, CUDA_MANAGED):
        with pytest.raises(BufferError, match=r'CUDA device 3: import it in .*executor\("cuda:3"\)'):
            steno.from_dlpack(Producer([1.0], device, 3))
    with pytest.raises(BufferError, match="type 7, neither in host memory"):
        steno.from_dlpack(Producer([1.0], VULKAN))
    with steno.executor("threads:threads=1"), pytest.raises(BufferError, match="CUDA device 0"):
        steno.asarray(Producer([1.0]))
    assert steno.from_dlpack(Producer([1.0, 2.0], CPU)).tolist() == [1.0, 2.0]
    assert steno.ones(2).__dlpack_device__() == (CPU, 0)
    with pytest.raises(BufferError, match="not on"):
        steno.ones(2).__dlpack__(dl_device=(CUDA, 0))


def test_streams():
    producer = Producer([1.0])
    with pytest.raises(BufferError):
        steno.from_dlpack(producer)
    host = Producer([1.0], CPU)
    steno.from_dlpack(host)
    # The first call has the parameter max_version, which this producer does not know.
    assert producer.streams == [1] and host.streams == [None]


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from test_device import *

device = Producer([1.0, 2.0, 3.0])
with steno.executor("cuda:0"):
    # Other libraries leave their context current.
    driver, context = ctypes.CDLL(os.environ["STENO_CUDA_DRIVER"]), ctypes.c_void_p()
    with pytest.raises(BufferError, match="error 201"):
        steno.from_dlpack(Producer([1.0]))
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0 and driver.cuCtxPushCurrent_v2(context) == 0
    a = steno.from_dlpack(device)
    assert a.shape == (3,) and a.format == "f32" and device.streams == [1]
    assert a.__dlpack_device__() == (CUDA, 0)
    capsule = a.__dlpack__()
    tensor = Tensor.from_address(pointer_of(capsule, b"dltensor"))
    assert (tensor.data, tensor.device, tensor.number) == (device.values.ctypes.data, CUDA, 0)
    assert (tensor.rank, tensor.shape[0], tensor.strides[0]) == (1, 3, 1)
    assert (tensor.code, tensor.bits, tensor.lanes, tensor.offset) == (2, 32, 1, 0)
    managed = steno.from_dlpack(Producer([1.0], CUDA_MANAGED))
    assert managed.__dlpack_device__() == (CUDA_MANAGED, 0)
    made = steno.zeros(4, "bf16")
    assert made.__dlpack_device__() == (CUDA, 0)
    with pytest.raises(BufferError, match="device 1"):
        steno.from_dlpack(Producer([1.0], CUDA, 1))
    with pytest.raises(BufferError, match="not on"):
        a.__dlpack__(dl_device=(CPU, 0))
for call in (a.__dlpack__, a.__dlpack_device__):
    with pytest.raises(BufferError, match="with statement of its CUDA executor"):
        call()
for export in (lambda: memoryview(a), lambda: a.codes):
    with pytest.raises(BufferError):
        export()
print("done")
"""


def test_stand_in():
    driver = os.environ.get("STENO_STAND_IN")
    if not driver:
        pytest.skip("STENO_STAND_IN does not name the driver stand-in of test/cuda")
    environment = {**os.environ, "STENO_CUDA_DRIVER": driver}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, os.path.dirname(__file__)], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "done\n", done.stdout + done.stderr
