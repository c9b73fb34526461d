"""Arrays that are stored narrow and computed wide.

Values are stored as f64, f32, f16, bf16, 8-bit floats or scaled integers, and computed in f64 or f32. Arithmetic,
reductions and products accept every format, and results have the same bits for every number of threads.

>>> import steno
>>> x = steno.array([1.0, 2.0, 3.0], "f16")
>>> steno.dot(x, x)
14.0
"""

import sysconfig as _sysconfig

if _sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError("steno does not support free-threaded builds of Python")

from steno import _core, _errors  # before NumPy: it refuses subinterpreters

from numpy import ndarray as _ndarray
from steno._core import axpy, dot, executor, matmul
from steno._errors import (
    AliasError,
    AllocationError,
    ArgumentError,
    ConvergenceError,
    DeviceError,
    Error,
    FileError,
    FormatError,
    ParseError,
    RangeError,
    ShapeError,
    UnsupportedError,
)
from steno._array import Array, as_bool as _as_bool, pick as _pick, put as _put
from steno._create import (
    array,
    asarray,
    check_mask as _check_mask,
    empty,
    from_codes,
    from_dlpack,
    full,
    ones,
    view_of as _view_of,
    zeros,
)
from steno._formats import finfo, formats
from steno._kernels import KernelError, kernel, reduction
from steno._plot import plot_error
from steno._functions import argmax, argmin, cumsum, max, mean, min, norm, sum

_core.connect(
    _errors.BY_STATUS,
    array=Array,
    convert=_view_of,
    ndarray=_ndarray,
    check_mask=_check_mask,
    as_bool=_as_bool,
    pick=_pick,
    put=_put,
)

from steno import blas, io, linalg, sparse  # they need the names above
from steno._advise import ArrayAdvice, SolveAdvice, advise

__version__ = _core.__version__
__all__ = [
    "AliasError",
    "AllocationError",
    "ArgumentError",
    "Array",
    "ArrayAdvice",
    "ConvergenceError",
    "DeviceError",
    "Error",
    "FileError",
    "FormatError",
    "KernelError",
    "ParseError",
    "RangeError",
    "ShapeError",
    "SolveAdvice",
    "UnsupportedError",
    "advise",
    "argmax",
    "argmin",
    "array",
    "asarray",
    "axpy",
    "blas",
    "cumsum",
    "dot",
    "empty",
    "executor",
    "finfo",
    "formats",
    "from_codes",
    "from_dlpack",
    "full",
    "io",
    "kernel",
    "linalg",
    "matmul",
    "max",
    "mean",
    "min",
    "norm",
    "ones",
    "plot_error",
    "reduction",
    "sparse",
    "sum",
    "zeros",
]
