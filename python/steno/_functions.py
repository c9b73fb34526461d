"""Reductions along axes."""

import math
import operator

import numpy as np

from steno import _core
from steno._create import asarray, view_of
from steno._errors import AxisError, ShapeError


def axis_index(axis, ndim):
    """A dimension, counted from 0."""
    at = operator.index(axis)
    if not -ndim <= at < ndim:
        raise AxisError(f"axis {at} is out of range for an array with {ndim} dimensions")
    return at % ndim


def _mask(axis, ndim):
    """Bits of the dimensions that are reduced."""
    if axis is None:
        return (1 << ndim) - 1
    axes = axis if isinstance(axis, tuple) else (axis,)
    if ndim == 0 and axes in ((0,), (-1,)):  # as in NumPy
        return 0
    mask = 0
    for one in axes:
        bit = 1 << axis_index(one, ndim)
        if mask & bit:
            raise ValueError(f"axis {one} occurs twice")
        mask |= bit
    return mask


def _reduce(name, x, axis, out, keepdims, arithmetic):
    x = asarray(x)
    mask = _mask(axis, x.ndim)
    is_unsigned = arithmetic in (None, "i64") and x._value_format == "u64"
    if not keepdims and not is_unsigned:
        return _core.reduce(name, x, mask, arithmetic, out)
    if is_unsigned and arithmetic is None and name in _EXTREMES:
        result = _unsigned_extreme(name, x, mask)
    else:
        result = _core.reduce(name, x, mask, arithmetic, ...)
    if keepdims:
        result = result.reshape(_shape(x, mask, True))
    if out is not None:
        return _stored(out, result)
    return result if result.ndim else result.item()


def _unsigned_extreme(name, x, mask):
    """An extreme of integers that i64 arithmetic does not order, by NumPy."""
    order = sorted(range(x.ndim), key=lambda d: mask >> d & 1)
    shape = _shape(x, mask, False)
    size = math.prod(x.shape[d] for d in order[len(shape) :])
    values = np.asarray(x).transpose(order).reshape(*shape, size)
    return view_of(np.asarray(getattr(np, name)(values, axis=-1)))


def _shape(x, mask, keepdims):
    extents = ((extent, mask >> d & 1) for d, extent in enumerate(x.shape))
    return tuple(1 if is_reduced else extent for extent, is_reduced in extents if keepdims or not is_reduced)


def _stored(out, result):
    """Assigns a result to an array of the same shape."""
    shape = getattr(out, "shape", None)
    if shape is not None and tuple(shape) != result.shape:
        raise ShapeError(f"out has the shape {tuple(shape)}, but the result has the shape {result.shape}")
    _core.assign(out, result)
    return out


_EXTREMES = ("min", "max", "argmin", "argmax")
_PARAMETERS = """
    Parameters
    ----------
    x : array_like
        An array.
    axis : int or tuple of int, optional
        The dimensions that are reduced; all by default.
    out : Array or numpy.ndarray, optional
        The result.
    keepdims : bool, optional
        Keep reduced dimensions with extent 1.
    arithmetic : str, optional
        The type of the computation: ``"f64"``, ``"f32"``, ``"i64"``, ``"c128"`` or ``"c64"``. The default is
        ``"i64"`` for integers without scale, ``"c128"`` for complex elements and ``"f64"`` for others. Sums in
        ``"i64"`` are modulo 2^64; those of ``u64`` have the format ``u64``.

    Returns
    -------
    Array, float, int or complex
        The result{returns}; a number if all dimensions are reduced.

    Examples
    --------
    >>> import steno
    >>> x = steno.array([[1.0, 2.0], [3.0, 4.0]], "f16")
    >>> {example}
"""


def _documented(text, returns, example):
    def document(function):
        function.__doc__ = text + "\n" + _PARAMETERS.format(returns=returns, example=example)
        return function

    return document


@_documented(
    "The sum of the elements.",
    " in the arithmetic type",
    "steno.sum(x, axis=0)\n    Array([4., 6.], format='f64')",
)
def sum(x, axis=None, out=None, keepdims=False, arithmetic=None):
    return _reduce("sum", x, axis, out, keepdims, arithmetic)


@_documented(
    "The mean of the elements.", " in the arithmetic type", "steno.mean(x)\n    2.5"
)
def mean(x, axis=None, out=None, keepdims=False, arithmetic=None):
    x = asarray(x)
    if arithmetic is None:
        arithmetic = "c128" if x._value_format[0] == "c" else "f64"
    mask = _mask(axis, x.ndim)
    count = math.prod(extent for d, extent in enumerate(x.shape) if mask >> d & 1)
    total = _reduce("sum", x, axis, None, keepdims, arithmetic)
    result = total / count if count else total * math.nan
    return result if out is None else _stored(out, view_of(result))


@_documented(
    "The smallest element, or NaN if an element is NaN.",
    " in the format of the values",
    "steno.min(x, axis=1)\n    Array([1., 3.], format='f16')",
)
def min(x, axis=None, out=None, keepdims=False, arithmetic=None):
    return _reduce("min", x, axis, out, keepdims, arithmetic)


@_documented(
    "The largest element, or NaN if an element is NaN.",
    " in the format of the values",
    "steno.max(x, axis=1)\n    Array([2., 4.], format='f16')",
)
def max(x, axis=None, out=None, keepdims=False, arithmetic=None):
    return _reduce("max", x, axis, out, keepdims, arithmetic)


@_documented(
    "The index of the first smallest element, or of the first NaN, in C order of the reduced dimensions.",
    " in i64",
    "steno.argmin(x)\n    0",
)
def argmin(x, axis=None, out=None, keepdims=False, arithmetic=None):
    return _reduce("argmin", x, axis, out, keepdims, arithmetic)


@_documented(
    "The index of the first largest element, or of the first NaN, in C order of the reduced dimensions.",
    " in i64",
    "steno.argmax(x, axis=0)\n    Array([1, 1], format='i64')",
)
def argmax(x, axis=None, out=None, keepdims=False, arithmetic=None):
    return _reduce("argmax", x, axis, out, keepdims, arithmetic)


@_documented(
    "The Euclidean norm: the square root of the sum of the squared magnitudes, without overflow.",
    " in the arithmetic type",
    "steno.norm([3.0, 4.0])\n    5.0",
)
def norm(x, axis=None, out=None, keepdims=False, arithmetic=None):
    return _reduce("norm", x, axis, out, keepdims, arithmetic)


def cumsum(x, axis=None, out=None, arithmetic=None):
    """The running sums along a dimension, in the order of doc/order.md; those of complex numbers by parts.

    Parameters
    ----------
    x : array_like
        An array.
    axis : int, optional
        The dimension. By default, the array is flattened.
    out : Array or numpy.ndarray, optional
        The result.
    arithmetic : str, optional
        The type of the computation, as of `sum`.

    Returns
    -------
    Array
        The sums in the arithmetic type.

    Examples
    --------
    >>> import steno
    >>> steno.cumsum([1.0, 2.0, 3.0])
    Array([1., 3., 6.], format='f64')
    """
    x = asarray(x)
    if axis is None or x.ndim == 0:
        x = x.reshape(x.size)
        axis = 0 if axis is None else axis
    at = axis_index(axis, x.ndim)
    if out is None or x._value_format != "u64":
        return _core.cumsum(x, at, arithmetic, out)
    return _stored(out, _core.cumsum(x, at, arithmetic, None))
