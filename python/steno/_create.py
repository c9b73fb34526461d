"""Creation of arrays."""

import math
import sys
import warnings

import numpy as np

from steno import _core
from steno._errors import RangeError
from steno._formats import BLOCKS, OVERFLOWS, ROUNDINGS, choice, format_name, is_complex, is_integer, split_format

_PARTS = {"c128": "f64", "c64": "f32", "c32": "f16"}
_FITS = {"auto": 0, "exact": 1}


def check_mask(a):
    """Refuse a masked array with missing elements."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and masked.is_masked(a):
        raise TypeError(
            "the array is masked, but elements cannot be missing: replace them, such as by a.filled(np.nan)"
        )


def view_of(a, copies=True):
    """An array that shares the memory of an object if possible, and otherwise has a copy of its values.

    If `copies` is False, ``ValueError`` is raised instead of a copy.
    """
    if isinstance(a, _core.ArrayBase):
        return a
    wrapped = _core.wrap(a)
    if wrapped is not None:
        return wrapped
    if hasattr(a, "__dlpack__") and not isinstance(a, np.ndarray):
        return from_dlpack(a)
    values = np.asarray(a)
    is_shared = any(hasattr(type(a), name) for name in ("__array__", "__array_interface__", "__array_struct__"))
    if values.dtype.kind in "OSUMm":
        raise TypeError(f"elements of the dtype {values.dtype} are not supported")
    if values.ndim > 8:
        raise ValueError(f"the array has {values.ndim} dimensions; at most 8 are supported")
    wrapped = _core.wrap(values) if is_shared or copies else None
    if wrapped is not None:
        return wrapped
    if not copies:
        raise ValueError("the memory of the values cannot be shared: a copy is required")
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.isbuiltin == 2 and not isinstance(a, _core.ArrayBase):
        values = _widened(values)
    wrapped = _core.wrap(values)
    if wrapped is None:
        wrapped = _core.wrap(np.array(values, order="C"))
    if wrapped is None:
        raise TypeError(f"elements of the dtype {values.dtype} are not supported")
    return wrapped


def _widened(values):
    """Values of ml_dtypes that have no format, in the narrowest format that contains them."""
    try:
        format_name(values.dtype)
    except (TypeError, ValueError):
        wide = np.int8 if values.dtype.name.startswith("int") else np.uint8
        return values.astype(wide if "int" in values.dtype.name else np.float32)
    return values


def _storage(name, scale, zero_point, rounding, overflow, seed):
    if name in BLOCKS and (zero_point or rounding != "nearest" or overflow != "default"):
        raise ValueError(
            f"values in {name} are rounded to nearest and saturate: zero_point, rounding and overflow cannot be chosen"
        )
    return (
        name,
        scale,
        zero_point,
        choice(rounding, ROUNDINGS, "rounding"),
        choice(overflow, OVERFLOWS, "overflow"),
        seed,
    )


def _add_blocks(array, block, format):
    """Gives an array scales per row or per block of the last dimension, to be fitted."""
    if array.ndim == 0:
        raise ValueError("an array without dimensions has no blocks of elements with one scale")
    extent = array.shape[-1]
    count = 1 if block == "row" else -(-extent // block)
    scales = _core.create((*array.shape[:-1], count), True, format, 1.0, 0.0, 0, 0, 0)
    by_row = block == "row"
    _core.set_scales(array, scales, -1 if by_row else array.ndim - 1, 0 if by_row else block)
    return scales


def _fitted(source, storage, block, fit):
    """A new array in blocks, with scales that fit the values of another array."""
    if is_complex(storage[0]):  # scales fit the larger part
        values = np.asarray(source)
        larger = view_of(np.maximum(np.abs(values.real), np.abs(values.imag)))
        parts = _fitted(larger, (_PARTS[storage[0]], *storage[1:]), block, fit)
        array = _core.create(source.shape, False, *storage)
        if parts._raw_scales is not None:  # it has elements
            _core.set_scales(array, *parts._raw_scales[:3])
        return array
    for format in ("f32", "f64"):
        array = _core.create(source.shape, False, *storage)
        scales = _add_blocks(array, block, format)
        try:
            _core.fit_scales(array, source, fit)
        except RangeError:  # scales of values near the limits of f64 exceed f32
            if format == "f64":
                raise
        else:
            break
    return array


def store(source, name, block, scale, zero_point, rounding, overflow, seed):
    """A new array with the values of another one."""
    if is_complex(source.format) and not is_complex(name):
        raise TypeError(f"complex values cannot be stored in {name}")
    fit = None
    if isinstance(scale, str):
        if scale not in _FITS:
            raise ValueError(f"scale is {scale!r}, which is neither a number, 'auto' nor 'exact'")
        fit = _FITS[scale]
    elif scale is None and name == "nvfp4":
        fit = 0
    elif scale is None and (block is not None or is_integer(name)):
        by_value = is_integer(source._value_format) and block is None
        fit = None if by_value or (zero_point and block is None) else 0
    elif scale is not None and block is not None:
        raise ValueError("a scale cannot be given for a format with blocks, whose scales are fitted")
    if fit is not None and zero_point:
        raise ValueError("scales can be fitted only if zero_point is 0: give a scale")
    number = 1.0 if scale is None or fit is not None else scale
    storage = _storage(name, number, zero_point, rounding, overflow, seed)
    if block is not None:
        array = _fitted(source, storage, block, fit)
    else:
        array = _core.create(source.shape, False, *storage)
        if fit is not None:
            _core.fit_scales(array, source, fit)
    _core.assign(array, source)
    if is_integer(name) and not is_integer(source._value_format) and not _is_finite(source):
        if np.isnan(np.asarray(source)).any():
            warnings.warn(f"{name} has no NaN: NaN is stored as 0", RuntimeWarning, stacklevel=3)
    return array


def _is_finite(source):
    """Whether the sum is finite, which proves that no element is NaN."""
    return source.size == 0 or math.isfinite(_core.reduce("sum", source, (1 << source.ndim) - 1, "f64", None))


def asarray(
    a, format=None, *, scale=None, zero_point=0.0, rounding="nearest", overflow="default", seed=0, copy=None
):
    """Convert the input to an array in a storage format.

    The memory of the input is shared if it has the format already: that of NumPy and ml_dtypes arrays with any
    strides, of memory-mapped files, and of all objects that export a buffer or support DLPack.

    Parameters
    ----------
    a : array_like
        Values.
    format : str or dtype, optional
        The storage format, such as ``"f16"``, ``np.float16`` or ``ml_dtypes.bfloat16``. ``"i16:32"`` has one scale
        per 32 elements of the last dimension, ``"i16:row"`` one per row. Block formats such as ``"mxfp4"`` contain their
        scales. The default is the format of the input.
    scale : float, "auto" or "exact", optional
        value = scale * (code - zero_point). ``"auto"`` selects the smallest power of two with which all values fit,
        ``"exact"`` the smallest scale. The default is ``"auto"`` for floats in an integer format and for ``"nvfp4"``,
        and 1 otherwise.
    zero_point : float, optional
        The code of the value 0. It requires a scale.
    rounding : {"nearest", "toward_zero", "stochastic"}, optional
        How values are rounded to the format, also by later assignments.
    overflow : {"default", "infinity", "saturate", "nan"}, optional
        The result for values beyond the largest finite one of a float format. Integers saturate.
    seed : int, optional
        The seed of stochastic rounding.
    copy : bool, optional
        True: always copy. False: raise ``ValueError`` if a copy is necessary.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import numpy as np, steno
    >>> x = np.linspace(0.0, 1.0, 5)
    >>> steno.asarray(x, "f16")
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], format='f16')
    >>> steno.asarray(x, "i8")
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], format='i8', scale=0.015625)
    >>> steno.asarray(x, "mxfp4")
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], format='mxfp4', blocks of 32)
    """
    source = view_of(a, copy is not False)
    plain = scale is None and not zero_point and rounding == "nearest" and overflow == "default"
    if plain and (format is None or (source.format == format and source._is_unscaled)):
        return source.copy() if copy else source
    if plain and copy is not False:
        result = _core.cast(source, format)
        if result is not None:
            return result
    name, block = (source.format, None) if format is None else split_format(format)
    if plain and block is None and source.format == name and source._is_unscaled:
        return source.copy() if copy else source
    if copy is False:
        raise ValueError(f"a conversion from {source.format} to {format} requires a copy")
    return store(source, name, block, scale, zero_point, rounding, overflow, seed)


_OPTIONS = ("scale", "zero_point", "rounding", "overflow", "seed")


def _check_options(function, options):
    for name in options:
        if name not in _OPTIONS:
            hint = ": a dtype or the name of a format is its parameter 'format'" if name == "dtype" else ""
            raise TypeError(f"steno.{function} has no parameter {name!r}{hint}")


def array(a, format=None, **options):
    """Create an array with a copy of the values of the input.

    Parameters
    ----------
    a, format
        As of `asarray`.
    **options
        As of `asarray`, without ``copy``.

    Returns
    -------
    Array
        The new array.

    Examples
    --------
    >>> import steno
    >>> steno.array([1, 2, 3], "bf16")
    Array([1., 2., 3.], format='bf16')
    """
    _check_options("array", options)
    return asarray(a, format, copy=True, **options)


def empty(
    shape, format="f64", *, scale=1.0, zero_point=0.0, rounding="nearest", overflow="default", seed=0
):
    """Create an array with uninitialized elements.

    Parameters
    ----------
    shape : int or tuple of int
        The number of elements along each dimension.
    format : str or dtype, optional
        The storage format.
    scale, zero_point, rounding, overflow, seed
        As of `asarray`, with a number as scale.

    Returns
    -------
    Array
        The new array.

    Examples
    --------
    >>> import steno
    >>> steno.empty((2, 3), "e4m3").nbytes
    6
    """
    storage = _storage(format_name(format), scale, zero_point, rounding, overflow, seed)
    return _core.create(shape, False, *storage)


def full(shape, value, format="f64", **options):
    """Create an array with equal elements.

    Parameters
    ----------
    shape : int or tuple of int
        The number of elements along each dimension.
    value : float or complex
        The value of the elements.
    format : str or dtype, optional
        The storage format.
    **options
        As of `empty`.

    Returns
    -------
    Array
        The new array.

    Examples
    --------
    >>> import steno
    >>> steno.full(3, 0.5, "bf16")
    Array([0.5, 0.5, 0.5], format='bf16')
    """
    _check_options("full", options)
    result = empty(shape, format, **options)
    result[...] = value
    return result


def zeros(shape, format="f64", **options):
    """Create an array of zeros.

    Parameters
    ----------
    shape, format, **options
        As of `full`.

    Returns
    -------
    Array
        The new array.

    Examples
    --------
    >>> import steno
    >>> steno.zeros(2, "f16")
    Array([0., 0.], format='f16')
    """
    _check_options("zeros", options)
    return full(shape, 0, format, **options)


def ones(shape, format="f64", **options):
    """Create an array of ones.

    Parameters
    ----------
    shape, format, **options
        As of `full`.

    Returns
    -------
    Array
        The new array.

    Examples
    --------
    >>> import steno
    >>> steno.ones(2, "f16")
    Array([1., 1.], format='f16')
    """
    _check_options("ones", options)
    return full(shape, 1, format, **options)


def _bytes(a, name):
    """An array whose last dimension consists of the bytes of a block."""
    a = np.asarray(a)
    if a.dtype.kind not in "iufV" or a.dtype.hasobject:
        raise TypeError(f"{name} have the dtype {a.dtype}, which is not that of raw data")
    if a.ndim == 0:
        raise ValueError(f"{name} need one element or row for each block")
    if a.strides[-1] != a.itemsize and a.shape[-1] > 1:
        a = np.ascontiguousarray(a)
    return a.view(np.uint8)


def _from_blocks(codes, name, scales, shape, storage):
    """An array in a block format that shares codes and scales if each has one distance of blocks."""
    if scales is None:
        raise ValueError(f"{name} needs codes and scales of blocks")
    codes, scales = _bytes(codes, "codes"), _bytes(np.asarray(scales)[..., np.newaxis], "scales")
    if shape is None:
        if codes.ndim < 2:
            raise ValueError(f"codes of {name} have one row for each block, of at least two dimensions")
        shape = (*codes.shape[:-2], codes.shape[-2] * BLOCKS[name])
    result = _core.wrap_blocks(view_of(codes), view_of(scales), shape, *storage)
    if result is None:
        codes, scales = np.ascontiguousarray(codes), np.ascontiguousarray(scales)
        result = _core.wrap_blocks(view_of(codes), view_of(scales), shape, *storage)
    return result


def from_codes(
    codes,
    format=None,
    *,
    scale=1.0,
    zero_point=0.0,
    scales=None,
    block=None,
    shape=None,
    rounding="nearest",
    overflow="default",
    seed=0,
):
    """Create an array from raw codes, whose memory is shared.

    Parameters
    ----------
    codes : array_like
        Integers with the size of an element, or values in a format of NumPy. Block formats: one row of raw codes per
        block, as of ``a.codes``.
    format : str or dtype, optional
        The storage format. The default is that of the codes.
    scale, zero_point : float, optional
        value = scale * (code - zero_point).
    scales : array_like, optional
        Further factors: an array that is broadcast to that of the codes; with `block`, the last dimension has one
        scale per block. Block formats: the raw scale of each block, as of ``a.scales``.
    block : int, optional
        The number of elements of the last dimension with one scale.
    shape : tuple of int, optional
        Block formats: the shape of the array, if its last extent is not a multiple of the block.
    rounding, overflow, seed
        As of `asarray`.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import numpy as np, steno
    >>> temperature = np.array([[-100, 0], [250, 300]], np.int16)  # in hundredths of a degree
    >>> steno.from_codes(temperature, scale=0.01)
    Array([[-1. ,  0. ],
           [ 2.5,  3. ]], format='i16', scale=0.01)
    >>> steno.from_codes(np.array([0x3F80, 0x4000], np.uint16), "bf16")
    Array([1., 2.], format='bf16')
    >>> codes = np.arange(16, dtype=np.uint8).reshape(1, 16)  # one block of 32 elements of 4 bits
    >>> steno.from_codes(codes, "mxfp4", scales=np.array([127], np.uint8)).max()
    6.0
    """
    name = None if format is None else format_name(format)
    if name in BLOCKS:
        if block not in (None, BLOCKS[name]):
            raise ValueError(f"{name} has blocks of {BLOCKS[name]} elements, not {block}")
        storage = _storage(name, scale, zero_point, rounding, overflow, seed)
        return _from_blocks(codes, name, scales, shape, storage)
    if shape is not None:
        raise ValueError("shape is a parameter of block formats: other codes have the shape of the array")
    if format is not None and isinstance(codes, np.ndarray) and codes.dtype.kind == "V" and codes.dtype.isbuiltin != 2:
        source = _core.wrap_codes(codes, name)
        if source is None:
            raise ValueError(f"codes with {codes.dtype.itemsize} bytes do not have the size of {format}")
    else:
        source = view_of(codes)
    if not source._is_unscaled:
        raise ValueError("the codes are those of a scaled array: use its attribute codes")
    name = source.format if name is None else name
    result = _core.recode(source, *_storage(name, scale, zero_point, rounding, overflow, seed))
    if scales is not None:
        values = np.asarray(scales)
        if values.dtype not in (np.float32, np.float64):
            values = values.astype(np.float64)
        if not np.isfinite(values).all() or not (values != 0).all():
            raise ValueError("scales must be finite and not 0")
        values = values.reshape((1,) * (result.ndim - values.ndim) + values.shape)
        dimension = -1 if block is None else result.ndim - 1
        _core.set_scales(result, _core.wrap(values), dimension, 0 if block is None else block)
    elif block is not None:
        raise ValueError("block needs scales")
    return result


_CUDA = (2, 13)  # device memory and managed memory in DLPack


def from_dlpack(x, *, copy=None):
    """Create an array from an object that supports DLPack.

    Parameters
    ----------
    x : object
        An object with the methods ``__dlpack__`` and ``__dlpack_device__``, in host memory or, in a ``with`` statement
        of ``steno.executor("cuda:N")``, in the memory of CUDA device N.
    copy : bool, optional
        True: copy the elements. The default is to share the memory.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import numpy as np, steno
    >>> steno.from_dlpack(np.array([1.0, 2.0]))
    Array([1., 2.], format='f64')
    """
    check_mask(x)
    device = getattr(x, "__dlpack_device__", None)
    # Ready on the default stream; the import waits for the context.
    is_cuda = device is not None and int(device()[0]) in _CUDA
    options = {"stream": 1} if is_cuda else {}
    try:
        capsule = x.__dlpack__(max_version=(1, 1), **options)
    except TypeError:  # a producer of DLPack before 1.0
        capsule = x.__dlpack__(**options)
    result = _core.dlpack_import(capsule)
    return result.copy() if copy else result
