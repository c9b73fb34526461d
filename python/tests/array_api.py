"""The functions of the array API standard that steno has, for array-api-tests (python/DEVELOPING.md).

Conditions are arrays of NumPy, and so are other arrays of bool. Functions that steno does not have are missing.
"""

import builtins

import hypothesis
import numpy as np

import steno
from steno import Array, from_dlpack, matmul  # noqa: F401

# The profile of array-api-tests inherits the phases. Without this, each failing test is shrunk for minutes.
_PHASES = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
hypothesis.settings.register_profile("without shrinking", phases=_PHASES)
hypothesis.settings.load_profile("without shrinking")


def pytest_configure():
    """As a plugin of pytest: arrays without dimensions stay arrays, which the tests make scalars of NumPy by a[()]."""
    from array_api_tests import hypothesis_helpers

    hypothesis_helpers._f = lambda a, flag: a


__array_api_version__ = "2024.12"
__version__ = steno.__version__

bool = np.dtype("bool")
int8, int16, int32, int64 = (np.dtype(f"int{bits}") for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
float32, float64 = np.dtype("float32"), np.dtype("float64")
complex64, complex128 = np.dtype("complex64"), np.dtype("complex128")
_DTYPES = (
    *(bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64),
    *(float32, float64, complex64, complex128),
)
e, inf, nan, newaxis, pi = np.e, np.inf, np.nan, None, np.pi
finfo, iinfo, isdtype = np.finfo, np.iinfo, np.isdtype


def _wrap(values):
    """An array of steno that shares the memory of one of NumPy, except of conditions."""
    values = np.asarray(values)
    return values if values.dtype == bool else steno.asarray(values)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    if isinstance(obj, Array) and dtype in (None, obj.dtype):
        return obj.copy() if copy else obj
    return _wrap(np.array(np.asarray(obj), dtype=dtype, copy=copy))


class __array_namespace_info__:
    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self):
        return "cpu"

    def default_dtypes(self, *, device=None):
        return {"real floating": float64, "complex floating": complex128, "integral": int64, "indexing": int64}

    def devices(self):
        return ["cpu"]

    def dtypes(self, *, device=None, kind=None):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        return {d.name: d for d in _DTYPES if kind is None or builtins.any(np.isdtype(d, one) for one in kinds)}


def _created(name):
    def create(shape, *, dtype=None, device=None):
        return _wrap(getattr(np, name)(shape, dtype=dtype))

    return create


def _alike(name):
    def create(x, /, *, dtype=None, device=None):
        return _wrap(getattr(np, name)(x.shape, dtype=x.dtype if dtype is None else dtype))

    return create


empty, ones, zeros = _created("empty"), _created("ones"), _created("zeros")
empty_like, ones_like, zeros_like = _alike("empty"), _alike("ones"), _alike("zeros")


def full(shape, fill_value, *, dtype=None, device=None):
    return _wrap(np.full(shape, fill_value, dtype=dtype))


def full_like(x, /, fill_value, *, dtype=None, device=None):
    return full(x.shape, fill_value, dtype=x.dtype if dtype is None else dtype)


def _apply(function, *operands):
    if builtins.any(isinstance(one, Array) for one in operands):
        return function(*operands)
    return _wrap(function(*operands))


def _elementwise(name):
    function = getattr(np, name)
    if function.nin == 1:

        def call(x, /):
            return _apply(function, x)

    else:

        def call(x1, x2, /):
            return _apply(function, x1, x2)

    call.__name__ = name
    return call


abs, add, ceil, cos, cosh, divide, equal, exp, expm1, floor = (
    _elementwise(name)
    for name in ("absolute", "add", "ceil", "cos", "cosh", "divide", "equal", "exp", "expm1", "floor")
)
floor_divide, greater, greater_equal, hypot, isfinite, isinf, isnan, less, less_equal, log = (
    _elementwise(name)
    for name in ("floor_divide", "greater", "greater_equal", "hypot", "isfinite", "isinf", "isnan", "less", "less_equal", "log")
)
log10, log1p, log2, maximum, minimum, multiply, negative, not_equal, positive, pow = (
    _elementwise(name)
    for name in ("log10", "log1p", "log2", "maximum", "minimum", "multiply", "negative", "not_equal", "positive", "power")
)
reciprocal, remainder, round, sign, signbit, sin, sinh, sqrt, square, subtract = (
    _elementwise(name)
    for name in ("reciprocal", "remainder", "rint", "sign", "signbit", "sin", "sinh", "sqrt", "square", "subtract")
)
acos, acosh, asin, asinh, atan, atan2, atanh, conj, copysign, tan, tanh, trunc = (
    _elementwise(name)
    for name in ("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "conjugate", "copysign", "tan", "tanh", "trunc")
)
logical_and, logical_not, logical_or, logical_xor = (
    _elementwise(f"logical_{name}") for name in ("and", "not", "or", "xor")
)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    return _wrap(np.arange(*((start,) if stop is None else (start, stop)), step=step, dtype=dtype))


def where(condition, x1, x2, /):  # used by the tests of other functions
    return _wrap(np.where(condition, *(np.asarray(one) if isinstance(one, Array) else one for one in (x1, x2))))


def real(x, /):
    return _wrap(np.asarray(x).real)


def imag(x, /):
    return _wrap(np.asarray(x).imag)


def _reduced(function):
    def call(x, /, *, axis=None, keepdims=False):
        return asarray(function(x, axis, keepdims=keepdims), dtype=x.dtype)

    return call


def _index(function):
    def call(x, /, *, axis=None, keepdims=False):
        return asarray(function(x, axis, keepdims=keepdims))

    return call


max, min, mean = _reduced(steno.max), _reduced(steno.min), _reduced(steno.mean)
argmax, argmin = _index(steno.argmax), _index(steno.argmin)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    if dtype is None:
        dtype = {"i": int64, "u": uint64}.get(x.dtype.kind, x.dtype)
    return asarray(steno.sum(x, axis, keepdims=keepdims), dtype=dtype)


def reshape(x, /, shape, *, copy=None):
    return _wrap(x.reshape(shape).copy()) if copy else x.reshape(shape)


def permute_dims(x, /, axes):
    return x.transpose(axes)


def matrix_transpose(x, /):
    return x.transpose(*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)


def astype(x, dtype, /, *, copy=True, device=None):
    if dtype == bool or x.dtype == bool:
        return _wrap(np.asarray(x).astype(dtype))
    return x if dtype == x.dtype and not copy else _wrap(np.asarray(x).astype(dtype))


def result_type(*operands):
    return np.result_type(*(one.dtype if isinstance(one, Array) else one for one in operands))


def can_cast(from_, to, /):
    return np.can_cast(getattr(from_, "dtype", from_), to)


def broadcast_to(x, /, shape):
    return _wrap(np.broadcast_to(np.asarray(x), shape))


def all(x, /, *, axis=None, keepdims=False):
    return np.asarray(np.all(np.asarray(x), axis=axis, keepdims=keepdims))


def any(x, /, *, axis=None, keepdims=False):
    return np.asarray(np.any(np.asarray(x), axis=axis, keepdims=keepdims))
