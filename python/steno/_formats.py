"""Formats, dtypes and the options of storage."""

import numpy as np

from steno import _core

#: The smallest dtype of NumPy that represents all values of a format.
DTYPES = {
    "f64": np.dtype("float64"),
    "f32": np.dtype("float32"),
    "f16": np.dtype("float16"),
    "bf16": np.dtype("float32"),
    "e4m3": np.dtype("float32"),
    "e5m2": np.dtype("float32"),
    "i8": np.dtype("int8"),
    "u8": np.dtype("uint8"),
    "i16": np.dtype("int16"),
    "u16": np.dtype("uint16"),
    "i32": np.dtype("int32"),
    "u32": np.dtype("uint32"),
    "i64": np.dtype("int64"),
    "u64": np.dtype("uint64"),
    "c128": np.dtype("complex128"),
    "c64": np.dtype("complex64"),
    "c32": np.dtype("complex64"),
    "f24": np.dtype("float32"),
    "f40": np.dtype("float64"),
    "f48": np.dtype("float64"),
}

#: Block formats, and the number of elements of a block with a common scale.
BLOCKS = {
    name: info["block"] for name in _core.format_names() if (info := _core.format_info(name))["block"] > 1
}

ROUNDINGS = ("nearest", "toward_zero", "stochastic")
OVERFLOWS = ("default", "infinity", "saturate", "nan")
_TYPES = {float: "f64", int: "i64", complex: "c128", bool: "u8"}


def formats():
    """The names of all storage formats.

    Examples
    --------
    >>> import steno
    >>> "bf16" in steno.formats()
    True
    """
    return _core.format_names()


class finfo:
    """Properties of a format.

    Parameters
    ----------
    format : str or dtype
        A format.

    Attributes
    ----------
    name : str
        The name.
    bits, exponent_bits, fraction_bits : int
        The bits of an element, and of exponent and fraction of floats.
    max, min : float
        The largest and the smallest finite value.
    smallest : float
        The smallest positive value.
    eps : float
        The distance of the values above 1; of block formats that below the largest element of a block, relative to it.
    block, block_bytes : int
        Elements with a common scale in a block format and the bytes of a block; otherwise 1 and the bytes of an element.

    Examples
    --------
    >>> import steno
    >>> steno.finfo("e4m3").max
    448.0
    >>> steno.finfo("f24")
    finfo('f24', bits=24, max=3.4028e+38, smallest=3.5873e-43, eps=3.0518e-05)
    """

    def __init__(self, format):
        info = _core.format_info(format_name(format))
        self.name = info["name"]
        self.bits = info["bits"]
        self.exponent_bits = info["exponent_bits"]
        self.fraction_bits = info["fraction_bits"]
        self.max = info["highest"]
        self.min = info["lowest"]
        self.smallest = info["smallest"]
        self.eps = info["epsilon"]
        self.block = info["block"]
        self.block_bytes = info["block_bytes"]

    def __repr__(self):
        values = f"max={self.max:.5g}, smallest={self.smallest:.5g}, eps={self.eps:.5g}"
        return f"finfo({self.name!r}, bits={self.bits}, {values})"


def format_name(format):
    """The name of a format that is given as a name, a dtype of NumPy or ml_dtypes, or a type of Python."""
    if isinstance(format, str):
        return _core.format_name(format)
    if isinstance(format, type) and format in _TYPES:
        return _TYPES[format]
    try:
        dtype = np.dtype(format)
    except TypeError:
        raise TypeError(f"{format!r} is neither a format nor a dtype") from None
    if not dtype.isnative:
        raise TypeError(f"the dtype {dtype!r} does not have the byte order of this machine")
    return _core.format_name(dtype.name)


def dtype_format(dtype):
    """The name of the format of a parameter `dtype` of NumPy's functions: a dtype, or a format that no dtype is called."""
    if not isinstance(dtype, str):
        return format_name(dtype)
    try:
        meant = np.dtype(dtype)
    except TypeError:
        return format_name(dtype)
    if dtype in _core.format_names():
        raise ValueError(
            f"dtype {dtype!r} is ambiguous: {meant.name} in NumPy, a format of {finfo(dtype).bits} bits in steno. "
            f"Give np.{meant.name}, or call astype({dtype!r})"
        )
    return format_name(meant)


def split_format(format):
    """The format and the blocks of ``"i16"``, ``"i16:32"`` or ``"i16:row"``."""
    if not isinstance(format, str) or ":" not in format:
        return format_name(format), None
    name, _, block = format.partition(":")
    if block != "row" and not (block.isdigit() and int(block) > 0):
        raise ValueError(f"format {format!r}: {block!r} is neither 'row' nor a positive number of elements")
    if format_name(name) in BLOCKS:
        raise ValueError(f"format {format!r}: {name} has its own scales, one per {BLOCKS[name]} elements")
    return format_name(name), block if block == "row" else int(block)


def element_format(format, what):
    """The name of a format whose elements are stored separately, which block formats are not."""
    name = format_name(format)
    if name in BLOCKS:
        raise ValueError(f"{what} cannot be in the block format {name}: use one without blocks, such as 'f16'")
    return name


def choice(value, names, parameter):
    """The index of an option."""
    try:
        return names.index(value)
    except ValueError:
        raise ValueError(f"{parameter} is {value!r}, which is not one of {', '.join(names)}") from None


def is_integer(name):
    return name[0] in "iu"


def is_complex(name):
    return name[0] == "c"
