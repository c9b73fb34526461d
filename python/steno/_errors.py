"""Exceptions. Each class is also the exception of Python that programs expect."""

import builtins

import numpy as np

#: The exception of NumPy for dimensions that an array does not have: a ``ValueError`` and an ``IndexError``.
AxisError = getattr(np, "exceptions", np).AxisError


class Error(Exception):
    """An error that the library reports.

    Every subclass is also a ``ValueError``, ``TypeError``, ``MemoryError``, ``OSError`` or ``RuntimeError``.

    Attributes
    ----------
    status : str
        The name of the status in C, such as ``"STN_ERR_SHAPE"``.

    Examples
    --------
    >>> import steno
    >>> try:
    ...     steno.dot([1.0, 2.0], [1.0, 2.0, 3.0])
    ... except steno.Error as error:
    ...     print(isinstance(error, ValueError), error.status)
    True STN_ERR_SHAPE
    """

    status = ""


def _define(name, status, base, text):
    return type(name, (Error, base), {"status": status, "__doc__": text, "__module__": "steno"})


ArgumentError = _define("ArgumentError", "STN_ERR_ARGUMENT", ValueError, "An argument has an invalid value.")
FormatError = _define("FormatError", "STN_ERR_FORMAT", TypeError, "A format is unknown or not supported.")
ShapeError = _define("ShapeError", "STN_ERR_SHAPE", ValueError, "Shapes do not match.")
RangeError = _define("RangeError", "STN_ERR_RANGE", ValueError, "A size or an index is out of range.")
AllocationError = _define("AllocationError", "STN_ERR_MEMORY", builtins.MemoryError, "Out of memory.")
FileError = _define("FileError", "STN_ERR_IO", OSError, "A file cannot be opened, read or written.")
ParseError = _define("ParseError", "STN_ERR_PARSE", ValueError, "A file or a text is malformed.")
UnsupportedError = _define(
    "UnsupportedError", "STN_ERR_UNSUPPORTED", TypeError, "The operation does not support these operands."
)
AliasError = _define("AliasError", "STN_ERR_ALIAS", ValueError, "A result overlaps an operand.")
DeviceError = _define("DeviceError", "STN_ERR_DEVICE", RuntimeError, "A device is missing or has failed.")
ConvergenceError = _define(
    "ConvergenceError", "STN_ERR_CONVERGENCE", RuntimeError, "A solver has stopped before it converged."
)

#: The exception of each status, in the order of ``stn_status``.
BY_STATUS = (
    Error,
    ArgumentError,
    FormatError,
    ShapeError,
    RangeError,
    AllocationError,
    FileError,
    ParseError,
    UnsupportedError,
    AliasError,
    DeviceError,
    ConvergenceError,
)
