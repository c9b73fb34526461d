"""The class of arrays."""

import math

import numpy as np

from steno import _core, _functions
from steno._create import asarray, empty, from_codes
from steno._formats import BLOCKS, DTYPES, OVERFLOWS, ROUNDINGS, dtype_format, format_name, is_integer

_REDUCTIONS = {"add": "sum", "maximum": "max", "minimum": "min"}
_BLOCK_CODES, _BLOCK_SCALES, _BLOCK_BYTES = range(3)
_EDGE = 3  # elements that repr prints at each end of a long dimension


class Array(_core.ArrayBase):
    """An N-dimensional array whose elements are stored in one format and computed in another.

    Arrays are created by `steno.asarray`, `steno.array`, `steno.zeros` and other functions. Indexing and slicing
    follow NumPy: slices are views, lists and masks select copies. The result of an operation on arrays has the
    format that represents the values of both; scaled operands give f64. Computations are in f64, in i64 for integers
    without scale, and in c128 for complex numbers.

    Examples
    --------
    >>> import steno
    >>> x = steno.array([1.0, 2.0, 3.0, 4.0], "f16")
    >>> x[::-2]
    Array([4., 2.], format='f16')
    >>> x * 2.0 + x
    Array([ 3.,  6.,  9., 12.], format='f16')
    """

    __slots__ = ("__weakref__",)
    __array_priority__ = 1000

    # ---- properties ----

    @property
    def dtype(self):
        """The dtype of ``numpy.asarray(a)``: the smallest of NumPy that represents all values."""
        return DTYPES[self._value_format]

    @property
    def rounding(self):
        """How stored values are rounded: ``"nearest"``, ``"toward_zero"`` or ``"stochastic"``."""
        return ROUNDINGS[self._rounding[0]]

    @property
    def overflow(self):
        """The rule for values beyond the largest finite one, as of `steno.asarray`."""
        return OVERFLOWS[self._rounding[1]]

    @property
    def codes(self):
        """The raw codes: a NumPy array that shares the memory.

        Formats that NumPy does not have are unsigned integers of the same size, or ``void`` if there are none. Codes
        of block formats have one row per block, in an additional dimension: integers of ``bfp*`` and ``mxint8``, and
        bytes of the other formats, of which formats with 4 or 6 bits fill each byte from the lowest bit on.
        """
        if self.format in BLOCKS:
            return np.asarray(_Codes(self, _core.block_interface(self, _BLOCK_CODES)))
        return np.asarray(_Codes(self))

    @property
    def scales(self):
        """The scales per row or block as a NumPy array, which shares the memory, or None.

        They are broadcast to the shape of the array; if `block` is not None, the last dimension has one scale per
        block. The attribute `scale` is a further factor. Those of block formats are raw codes, one per block:
        exponents of two of ``bfp*``, E8M0 of ``mx*``, and e4m3 of ``nvfp4``.
        """
        if self.format in BLOCKS:
            return np.asarray(_Codes(self, _core.block_interface(self, _BLOCK_SCALES)))
        scales = self._raw_scales
        return None if scales is None else np.asarray(memoryview(scales[0]))

    @property
    def block(self):
        """The number of elements of the last dimension with one scale, or None."""
        if self.format in BLOCKS:
            return BLOCKS[self.format]
        scales = self._raw_scales
        return None if scales is None or scales[1] < 0 else scales[2]

    # ---- conversion ----

    def astype(
        self, format, *, scale=None, zero_point=0.0, rounding="nearest", overflow="default", seed=0, copy=True
    ):
        """The values in another format; the parameters are those of `steno.asarray`.

        Examples
        --------
        >>> import steno
        >>> steno.array([1.0, 1000.0]).astype("e4m3")
        Array([  1., 448.], format='e4m3')
        """
        if copy and scale is None and not zero_point and rounding == "nearest" and overflow == "default":
            result = _core.cast(self, format)
            if result is not None:
                return result
        return asarray(
            self,
            format,
            scale=scale,
            zero_point=zero_point,
            rounding=rounding,
            overflow=overflow,
            seed=seed,
            copy=True if copy else None,
        )

    def copy(self):
        """A contiguous copy in the same storage. In block formats, the order of the dimensions is kept."""
        if self.format in BLOCKS:
            source, axis = _rows_of_blocks(self)
            result = empty(source.shape, self.format, scale=self.scale)
            _core.assign(result, source)
            return _with_blocks_along(result, axis)
        return from_codes(np.array(self.codes, order="C"), self.format, **self._storage(copies=True))

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def _storage(self, copies=False):
        if self.format in BLOCKS:
            return {"scale": self.scale}
        rounding, overflow, seed = self._rounding
        scales = self.scales
        if scales is not None:
            dimension, block, phase = self._raw_scales[1:]
            if dimension >= 0 and (phase or dimension != self.ndim - 1):
                # Blocks that a copy cannot describe: one scale per element.
                index = (np.arange(self.shape[dimension]) + phase) // block
                scales = np.take(scales, index, dimension)
                dimension = -1
            if dimension < 0:
                block = None
            scales = np.array(scales) if copies else scales
        else:
            block = None
        return {
            "scale": self.scale,
            "zero_point": self.zero_point,
            "scales": scales,
            "block": block,
            "rounding": ROUNDINGS[rounding],
            "overflow": OVERFLOWS[overflow],
            "seed": seed,
        }

    def tolist(self):
        """The values as nested lists of Python numbers."""
        return np.asarray(self).tolist()

    def fill(self, value):
        """Assigns a value to all elements."""
        self[...] = value

    def __array__(self, dtype=None, copy=None):
        dtype = self.dtype if dtype is None else np.dtype(dtype)
        if self._is_unscaled and _has_format(dtype, self.format):
            shared = self.codes.view(dtype)
            return shared.copy() if copy else shared
        if copy is False:
            raise ValueError(f"a conversion from {self.format} to {dtype} requires a copy")
        if not _has_format(dtype):
            return np.asarray(self).astype(dtype)
        result = np.empty(self.shape, dtype)
        _core.assign(result, self)
        return result

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule of DLPack. A scaled array raises ``BufferError``: export `codes` and `scales`."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array is on the device {self.__dlpack_device__()}, not on {tuple(dl_device)}")
        source = self.copy() if copy else self
        return _core.dlpack_export(source, max_version is not None and max_version[0] >= 1)

    def __dlpack_device__(self):
        return _core.dlpack_device(self)

    def __reduce_ex__(self, protocol):
        """Pickles codes and scales. With protocol 5, their memory can be passed out of band."""
        if self.format in BLOCKS:
            source, axis = _rows_of_blocks(self)
            if axis != self.ndim - 1:
                return _with_blocks_along, (source, axis)
            return _rebuild_blocks, (self.format, *_raw_blocks(self), self.shape, self.scale)
        return _rebuild, (np.asarray(self.codes, order="C"), self.format, self._storage())

    # ---- shape ----

    def transpose(self, *axes):
        """The array with permuted dimensions, which shares the memory; reversed by default."""
        if len(axes) == 1 and _is_list(axes[0]):
            axes = axes[0]
        if axes is None or (self.ndim and not axes):
            return self._transpose(None)
        return self._transpose(tuple(self._axis(one) for one in axes) if len(axes) == self.ndim else tuple(axes))

    def reshape(self, *shape):
        """The elements in C order with other extents; a view if the array is contiguous, otherwise a copy.

        One extent may be -1: it is determined by the others.
        """
        if len(shape) == 1 and _is_list(shape[0]):
            shape = tuple(shape[0])
        if -1 in shape:
            known = -math.prod(shape)
            at = shape.index(-1)
            if known == 0:
                raise ValueError(f"an extent of -1 is not determined by the other extents of {shape}")
            shape = (*shape[:at], self.size // known if known > 0 else 0, *shape[at + 1 :])
        result = self._reshape(shape)
        if result is not None:
            return result
        if self.format in BLOCKS:
            return self._reshape_blocks(shape)
        if self.scales is not None:
            return self.astype(self._value_format).reshape(shape)
        return self.copy()._reshape(shape)

    def _reshape_blocks(self, shape):
        """Whole blocks keep their codes; otherwise the values are copied to f64."""
        block = BLOCKS[self.format]
        are_whole = self.ndim and len(shape) and _core.block_axis(self) == self.ndim - 1
        if are_whole and (self.shape[-1] == shape[-1] or self.shape[-1] % block == shape[-1] % block == 0):
            codes, scales = self.codes, self.scales
            counts = (*shape[:-1], -(-shape[-1] // block))
            return from_codes(
                codes.reshape(*counts, codes.shape[-1]),
                self.format,
                scales=scales.reshape(counts),
                shape=shape,
                scale=self.scale,
            )
        return self.astype("f64").reshape(shape)

    def ravel(self):
        """The elements in C order as a vector."""
        return self.reshape(self.size)

    def flatten(self):
        """A copy of the elements in C order as a vector."""
        return self.copy().ravel()

    def squeeze(self, axis=None):
        """The array without dimensions of extent 1, or without those of `axis`, which shares the memory."""
        axes = range(self.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        removed = {self._axis(one) for one in axes if axis is not None or self.shape[one] == 1}
        if any(self.shape[d] != 1 for d in removed):
            raise ValueError(f"axis {axis} of an array with the shape {self.shape} does not have the extent 1")
        if len(removed) == self.ndim:
            return self.reshape(())
        return self[tuple(0 if d in removed else slice(None) for d in range(self.ndim))]

    def swapaxes(self, axis1, axis2):
        """The array with two dimensions exchanged, which shares the memory."""
        order = list(range(self.ndim))
        first, second = self._axis(axis1), self._axis(axis2)
        order[first], order[second] = second, first
        return self.transpose(order)

    def _axis(self, axis):
        return _functions.axis_index(axis, self.ndim)

    # ---- reductions ----

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, arithmetic=None, **options):
        """The sum of the elements, as `steno.sum`; with ``where=`` or ``initial=`` that of NumPy."""
        if options:
            return np.sum(np.asarray(self), axis, dtype, out, keepdims, **options)
        return _in_dtype(_functions.sum(self, axis, out, keepdims, arithmetic), dtype)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, arithmetic=None, **options):
        """The mean of the elements, as `steno.mean`; with ``where=`` that of NumPy."""
        if options:
            return np.mean(np.asarray(self), axis, dtype, out, keepdims, **options)
        return _in_dtype(_functions.mean(self, axis, out, keepdims, arithmetic), dtype)

    def min(self, axis=None, out=None, keepdims=False, arithmetic=None, **options):
        """The smallest element, as `steno.min`; with ``where=`` or ``initial=`` that of NumPy."""
        if options:
            return np.min(np.asarray(self), axis, out, keepdims, **options)
        return _functions.min(self, axis, out, keepdims, arithmetic)

    def max(self, axis=None, out=None, keepdims=False, arithmetic=None, **options):
        """The largest element, as `steno.max`; with ``where=`` or ``initial=`` that of NumPy."""
        if options:
            return np.max(np.asarray(self), axis, out, keepdims, **options)
        return _functions.max(self, axis, out, keepdims, arithmetic)

    def argmin(self, axis=None, out=None, keepdims=False, arithmetic=None):
        """The index of the smallest element, as `steno.argmin`."""
        return _functions.argmin(self, axis, out, keepdims, arithmetic)

    def argmax(self, axis=None, out=None, keepdims=False, arithmetic=None):
        """The index of the largest element, as `steno.argmax`."""
        return _functions.argmax(self, axis, out, keepdims, arithmetic)

    def cumsum(self, axis=None, dtype=None, out=None, arithmetic=None):
        """The running sums, as `steno.cumsum`."""
        return _in_dtype(_functions.cumsum(self, axis, out, arithmetic), dtype)

    def any(self, axis=None, out=None, keepdims=False, **options):
        """Whether an element is not 0, as of NumPy."""
        return np.any(np.asarray(self), axis, out, keepdims, **options)

    def all(self, axis=None, out=None, keepdims=False, **options):
        """Whether no element is 0, as of NumPy."""
        return np.all(np.asarray(self), axis, out, keepdims, **options)

    def dot(self, other, out=None):
        """The product with another array, as `steno.matmul`."""
        return _core.matmul(self, other, out)

    # ---- NumPy ----

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("an array without dimensions cannot be iterated over")
        return map(self.__getitem__, range(len(self)))

    def __contains__(self, value):
        return bool(np.any(self == value))

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        if any(_overrides(one) for one in inputs):
            return NotImplemented
        result = self._run_ufunc(ufunc.__name__, method, inputs, out, dict(options))
        if result is not NotImplemented or method == "at":
            return result
        # Other functions and options are those of NumPy, on the values.
        values = [_plain(one) for one in inputs]
        options = {key: _plain(one) for key, one in options.items()}
        if out is None or not any(isinstance(one, Array) for one in out):
            return getattr(ufunc, method)(*values, **options, **({} if out is None else {"out": out}))
        # Elements that `where` excludes keep the values of `out`.
        if "where" in options:
            options["out"] = tuple(np.array(_plain(one)) if isinstance(one, Array) else one for one in out)
        results = getattr(ufunc, method)(*values, **options)
        results = results if isinstance(results, tuple) else (results,)
        stored = tuple(_store(target, one) for target, one in zip(out, results))
        return stored if len(stored) > 1 else stored[0]

    @staticmethod
    def _run_ufunc(name, method, inputs, out, options):
        """The result of a function of the library; NotImplemented if there is none."""
        if out is not None:
            if len(out) != 1:
                return NotImplemented
            out = out[0]
        if method == "__call__" and not options:
            return _core.matmul(*inputs, out) if name == "matmul" else _core.apply(name, inputs, out)
        if method == "reduce" and name in _REDUCTIONS:
            axis, keepdims = options.pop("axis", 0), options.pop("keepdims", False)
            if options.pop("dtype", None) is None and not options:
                return getattr(_functions, _REDUCTIONS[name])(inputs[0], axis, out, keepdims)
        if method == "accumulate" and name == "add":
            axis = options.pop("axis", 0)
            if options.pop("dtype", None) is None and not options:
                return _functions.cumsum(inputs[0], axis, out)
        return NotImplemented

    def __repr__(self):
        values = _corners(self)
        text = np.array2string(
            values,
            separator=", ",
            prefix="Array(",
            threshold=0 if values.shape != self.shape else max(1000, self.size),
            edgeitems=_EDGE,
        )
        parts = [text if self.size or self.ndim == 1 else f"[], shape={self.shape}", f"format={self.format!r}"]
        if values.shape != self.shape:
            parts.insert(1, f"shape={self.shape}")
        if self.scale != 1.0:
            parts.append(f"scale={self.scale!r}")
        if self.zero_point != 0.0:
            parts.append(f"zero_point={self.zero_point!r}")
        scales = self.scales
        if self.format in BLOCKS:
            parts.append(f"blocks of {BLOCKS[self.format]}")
        elif scales is not None:
            parts.append(f"scales of the shape {scales.shape}")
        return f"Array({', '.join(parts)})"

    def __str__(self):
        return np.array2string(_corners(self), threshold=0 if self.size > 1000 else 1001, edgeitems=_EDGE)

    def __format__(self, specification):
        return format(self.item() if specification and self.size == 1 else str(self), specification)


class _Codes:
    """The memory of an array for NumPy, which keeps it alive."""

    __slots__ = ("__array_interface__", "array")

    def __init__(self, array, interface=None):
        self.array = array
        self.__array_interface__ = array._code_interface if interface is None else interface


def _has_format(dtype, format=None):
    """Whether a dtype is one of the formats, or this one."""
    if dtype.kind not in "iufcV" or not dtype.isnative:
        return False
    try:
        name = format_name(dtype)
    except (TypeError, ValueError):
        return False
    return format is None or name == format


def _plain(operand):
    return np.asarray(operand) if isinstance(operand, Array) else operand


def _store(target, result):
    """Assigns the result of a function of NumPy to `out`, if there is one."""
    if target is None:
        return result
    if np.broadcast_shapes(np.shape(result), target.shape) != target.shape:
        raise ValueError(f"out has the shape {target.shape}, but the result has the shape {np.shape(result)}")
    if target is not result:
        _core.assign(target, result)
    return target


def _is_list(argument):
    """Whether an argument has several integers; arrays have `__index__` as well."""
    return argument is None or getattr(argument, "ndim", 0) > 0 or not hasattr(argument, "__index__")


def _in_dtype(result, dtype):
    if dtype is None:
        return result
    format = dtype_format(dtype)
    if isinstance(result, Array):
        return result.astype(format, scale=1.0 if is_integer(format) else None)
    return asarray(result, format, scale=1.0).item()


def _overrides(operand):
    """Whether an operand of another class defines what functions of NumPy do."""
    return not isinstance(operand, (Array, np.ndarray, np.generic)) and hasattr(type(operand), "__array_ufunc__")


def _corners(array):
    """The values that repr prints: all of small arrays, otherwise those at the ends of the dimensions."""
    if array.size <= 1000:
        return np.asarray(array)

    def cut(part, axis):
        if axis == part.ndim:
            return np.asarray(part)
        before = (slice(None),) * axis
        if part.shape[axis] <= 2 * _EDGE + 1:
            return cut(part, axis + 1)
        # Parts of an array in a block format consist of blocks.
        size = BLOCKS[array.format] if axis == along else 1
        end = min(-(-(_EDGE + 1) // size) * size, part.shape[axis])
        begin = (part.shape[axis] - _EDGE) // size * size
        first = cut(part[(*before, slice(end))], axis + 1)[(*before, slice(_EDGE + 1))]
        last = cut(part[(*before, slice(begin, None))], axis + 1)[(*before, slice(-_EDGE, None))]
        return np.concatenate((first, last), axis)

    along = _core.block_axis(array) if array.format in BLOCKS else -1
    return cut(array, 0)


def _rebuild(codes, format, storage):
    return from_codes(codes, format, **storage)


def _rows_of_blocks(array):
    """An array whose last dimension consists of blocks, with the same codes, and the dimension that did before."""
    axis = _core.block_axis(array)
    if axis == array.ndim - 1:
        return array, axis
    if axis >= 0:
        return array.transpose(*(d for d in range(array.ndim) if d != axis), axis), axis
    rows = empty((*array.shape, 1), array.format, scale=array.scale)  # each element is a block
    _core.assign(rows[..., 0], array)
    return rows, axis


def _with_blocks_along(array, axis):
    """The inverse of `_rows_of_blocks`."""
    if axis < 0:
        return array[..., 0]
    order = list(range(array.ndim - 1))
    order.insert(axis, array.ndim - 1)
    return array.transpose(order)


def _raw_blocks(array):
    """Contiguous bytes of codes and scales, or of whole blocks and None if they contain their scales."""
    interface = _core.block_interface(array, _BLOCK_BYTES)
    if interface is not None:
        return np.ascontiguousarray(_Codes(array, interface)), None
    return np.ascontiguousarray(array.codes), np.ascontiguousarray(array.scales)


def _rebuild_blocks(format, codes, scales, shape, scale):
    if scales is None:
        codes, scales = codes[..., 2:], codes[..., :2].view(np.int16)[..., 0]
    return from_codes(codes, format, scales=scales, shape=shape, scale=scale)


def _plain_key(key):
    """A key with NumPy arrays in place of arrays."""
    if isinstance(key, tuple):
        return tuple(_plain_key(part) for part in key)
    return np.asarray(key) if isinstance(key, Array) else key


def pick(array, key):
    """Elements at lists of indices, or of a mask: a copy."""
    key = _plain_key(key)
    if array.scales is not None:
        return asarray(np.asarray(array)[key])
    storage = array._storage()
    return from_codes(np.asarray(array.codes[key]), array.format, **storage)


def put(array, key, value):
    """Assigns to elements at lists of indices, or of a mask."""
    key = _plain_key(key)
    if array.format in BLOCKS:
        raise ValueError(f"lists of indices cannot be assigned to in the block format {array.format}")
    if array.scales is not None:
        raise TypeError("lists of indices cannot be assigned to in an array with several scales")
    if not array.writeable:
        raise ValueError("the array is read-only")
    selected = pick(array, key)
    _core.assign(selected, value)
    array.codes[key] = selected.codes


def as_bool(array):
    """The conditions 0 and 1 as an array of NumPy."""
    return np.asarray(memoryview(array)).view(np.bool_)
