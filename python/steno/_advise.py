"""Advice about storage and methods for a given error."""

import math

import numpy as np

from steno import _core, sparse
from steno._array import Array
from steno._create import asarray, check_mask, view_of
from steno._formats import BLOCKS, choice, is_complex

_NORMS = ("max", "rms")
_GOALS = ("bytes", "speed")


class _Figures:
    """A choice of an advice; the figures are attributes."""

    __slots__ = ("__dict__",)

    def __init__(self, figures):
        self.__dict__.update(figures)

    def as_dict(self):
        """The figures as a dict of numbers and texts."""
        return dict(self.__dict__)

    def __repr__(self):
        return f"<{self.text}: {self.nbytes} bytes>"


class StorageChoice(_Figures):
    """A storage of an array with its errors.

    Attributes
    ----------
    text : str
        The storage as ``"f16"``, ``"i16"`` with a fitted scale, or ``"i16:32"`` with one scale per 32 elements,
        which are 16 if the format is complex.
    format : str
        The name of the format.
    scales : {"none", "array", "block"}
        What has a scale.
    scale : float
        The scale of the array.
    nbytes : int
        The bytes of codes and scales.
    max_error, rms_error : float
        The largest magnitude and the root mean square of the errors; infinity if a value is not stored.
    max_relative, rms_relative : float
        The same, divided by the same norm of the finite values.
    read_seconds : float
        The measured time per element to read and sum it.
    meets_target, is_efficient : bool
        Whether the error is at most the target; whether no other storage is at least as good in bytes, error and time.
    """

    def store(self, a):
        """An array with the values of `a` in this storage."""
        if self.scales == "block":
            return asarray(a, self.text, copy=True)
        return asarray(a, self.format, scale=self.scale, copy=True)


class ArrayAdvice:
    """Storages of an array in ascending order of bytes, created by `advise`.

    Attributes
    ----------
    choices : list of StorageChoice
        All storages.
    efficient : list of StorageChoice
        The curve of the trade-off between bytes, error and time.
    best : StorageChoice or None
        The best storage that meets the target.
    target : str
        The target, such as ``"max=0.001"`` or ``"relative-rms=0.0001"``.
    """

    def __init__(self, source, target, norm, relative, prefer):
        index, choices = _core.advise_array(
            source, target, choice(norm, _NORMS, "norm"), bool(relative), choice(prefer, _GOALS, "prefer")
        )
        for one in choices:
            # Blocks consist of 32 numbers, which are 16 elements if these are complex.
            block = 16 if is_complex(one["format"]) else 32
            one["text"] = f"{one['format']}:{block}" if one["scales"] == "block" else one["format"]
        self.choices = [StorageChoice(one) for one in choices]
        self.efficient = [one for one in self.choices if one.is_efficient]
        self.best = self.choices[index] if index >= 0 else None
        self.target = f"{'relative-' if relative else ''}{norm}={target:g}"
        self._source = source

    def certificate(self):
        """Figures of the best storage as a dict for ``json.dumps``; another machine computes the same ones.

        ``checksum`` is FNV-1a of the bytes of the values in C order.
        """
        if self.best is None:
            raise ValueError(f"no storage meets the target {self.target}: nothing is certified")
        best = self.best
        return {
            "certificate": "array",
            "checksum": _checksum(self._source),
            "target": self.target,
            "storage": best.text,
            "scale": best.scale,
            "elements": self._source.size,
            "bytes": best.nbytes,
            "max_error": best.max_error,
            "rms_error": best.rms_error,
        }

    def __repr__(self):
        best = "none" if self.best is None else self.best.text
        return f"ArrayAdvice(target={self.target!r}, best={best!r}, efficient={[c.text for c in self.efficient]})"


class SolveChoice(_Figures):
    """A method for a linear system with its formats and predictions.

    Attributes
    ----------
    text : str
        A description, such as ``"GMRES(100), basis f16, ILU(0) in f16"``.
    method, inner_method : str
        Names of functions of `steno.linalg`; `inner_method` is None unless `method` is ``"refine"``.
    matrix_format, basis_format, preconditioner_format : str or None
        Formats of the values that the method reads.
    restart : int
        The restart of GMRES, otherwise 0.
    preconditioner : str or None
        ``"jacobi"``, ``"ilu"`` or ``"ic"``.
    is_equilibrated : bool
        Whether rows and columns are scaled.
    nbytes : int
        Bytes of the narrow matrix, basis, preconditioner and vectors.
    iterations, seconds, error : float
        Predicted number of iterations, time and relative residual.
    """


class SolveResult:
    """The result of `SolveAdvice.solve`.

    Attributes
    ----------
    x : numpy.ndarray
        The solution.
    converged : bool
        Whether the residual, computed in twice the precision of f64, meets the target.
    residual, backward_error : float
        ``|b - A x| / |b|`` and ``|b - A x| / (|A| |x| + |b|)``, the latter with maximum norms.
    iterations, promotions : int
        The iterations of all attempts, and how often a format was widened or the method changed.
    reason : str
        Why that was necessary.
    used : SolveChoice
        The last method.
    seconds : float
        The duration.
    """

    def __init__(self, x, report, target, matrix, b):
        self.x = x
        self.__dict__.update(report)
        self.used = SolveChoice(self.used)
        self._certified = matrix, b, target

    def certificate(self):
        """Figures of the solve as a dict for ``json.dumps``. A solve by the same method has the same ones."""
        matrix, b, target = self._certified
        return {
            "certificate": "solve",
            "matrix_checksum": _checksum(matrix.data),
            "rhs_checksum": _checksum(b),
            "target": target,
            "method": self.used.text,
            "residual": self.residual,
            "backward_error": self.backward_error,
            "iterations": self.iterations,
            "promotions": self.promotions,
            "solution_checksum": _checksum(self.x),
        }

    def __repr__(self):
        state = "converged" if self.converged else "not converged"
        return f"SolveResult({self.used.text!r}, {state}, residual={self.residual:.1e}, iterations={self.iterations})"


class SolveAdvice:
    """Methods for a linear system, in ascending order of predicted times, created by `advise`.

    Attributes
    ----------
    choices : list of SolveChoice
        The methods.
    best : SolveChoice
        The first one.
    traits : dict
        Properties of the matrix, such as ``is_symmetric``.
    target : float
        The relative residual.
    """

    def __init__(self, matrix, target, max_bytes, max_seconds):
        self._handle, choices = _core.advise_solve(matrix._handle, target, max_bytes, max_seconds)
        self.choices = [SolveChoice(one) for one in choices]
        self.best = self.choices[0]
        self.traits = _core.matrix_traits(matrix._handle)
        self.target = target
        self._matrix = matrix

    def solve(self, b, x0=None, *, method=0):
        """Solve A x = b under a guard, which widens formats or changes the method if an attempt fails.

        Parameters
        ----------
        b : array_like
            The right-hand side, a vector.
        x0 : array_like, optional
            The initial guess, zero by default.
        method : int, str or SolveChoice
            A method in `choices`, its index or its text; the best one by default.

        Returns
        -------
        SolveResult
            The solution. Ctrl-C ends the call between two iterations.
        """
        if isinstance(method, SolveChoice):
            method = method.text
        if isinstance(method, str):
            texts = [one.text for one in self.choices]
            if method not in texts:
                raise ValueError(f"{method!r} is not a method of this advice")
            method = texts.index(method)
        if not 0 <= method < len(self.choices):
            raise ValueError(f"method {method} is out of range: there are {len(self.choices)}")
        check_mask(b)
        right = np.asarray(b)
        dtype = np.dtype("complex128" if self._matrix.dtype.kind == "c" else "float64")
        if right.shape != self._matrix.shape[:1]:
            raise ValueError(f"b has the shape {right.shape}, not that of the {self._matrix.shape[0]} rows")
        if right.dtype.kind == "c" and dtype.kind != "c":
            raise TypeError("a complex right-hand side needs a complex matrix")
        right = np.ascontiguousarray(right, dtype)
        x = np.zeros(right.shape, dtype) if x0 is None else np.array(x0, dtype)
        if x.shape != right.shape:
            raise ValueError(f"x0 has the shape {x.shape}, not {right.shape}")
        report = _core.solve_advised(self._handle, method, x, right)
        return SolveResult(x, report, self.target, self._matrix, right)

    def __reduce__(self):
        raise TypeError("an advice for a linear system cannot be pickled: pickle its matrix, and call steno.advise again")

    def __repr__(self):
        return f"SolveAdvice(target={self.target:g}, best={self.best.text!r}, {len(self.choices)} methods)"


def _checksum(a):
    if isinstance(a, Array) and a.format in BLOCKS:
        a = np.asarray(a)
    a = a.codes if isinstance(a, Array) else np.asarray(a)
    return _core.checksum(np.ascontiguousarray(a).reshape(-1).view(np.uint8))


def advise(a, target=None, *, norm="max", relative=False, prefer="bytes", max_bytes=None, max_seconds=None):
    """Select the storage of an array for a given error, or a method for a linear system.

    Storages have no zero points. They are measured: errors are those of the values, and times are those of this machine. Methods are ranked by
    predictions, which `SolveAdvice.solve` verifies.

    Parameters
    ----------
    a : array_like, SparseMatrix or scipy sparse matrix
        An array, or the matrix of a linear system.
    target : float, optional
        The largest error of an array, 0 by default; the relative residual of a linear system, 1e-10 by default.
    norm : {"max", "rms"}
        Arrays: the measure of the error.
    relative : bool
        Arrays: whether errors are relative to the same norm of the values.
    prefer : {"bytes", "speed"}
        Arrays: what is minimized among the storages that meet the target.
    max_bytes : int, optional
        Systems: the limit of the bytes of narrow matrix, basis, preconditioner and vectors.
    max_seconds : float, optional
        Systems: the limit of the time of a solve, after which no iteration starts.

    Returns
    -------
    ArrayAdvice or SolveAdvice
        All choices and the best one.

    Examples
    --------
    >>> import numpy as np, steno
    >>> x = np.sin(np.arange(4096.0))
    >>> advice = steno.advise(x, 1e-3)
    >>> advice.best.nbytes < x.nbytes / 3, advice.best.max_error <= 1e-3
    (True, True)
    >>> narrow = advice.best.store(x)
    >>> float(abs(np.asarray(narrow) - x).max()) == advice.best.max_error
    True
    """
    if isinstance(a, sparse.SparseMatrix) or sparse._is_scipy(a):
        if norm != "max" or relative or prefer != "bytes":
            raise ValueError("norm, relative and prefer are parameters of arrays")
        matrix = a if isinstance(a, sparse.SparseMatrix) else sparse.csr(a)
        target = 1e-10 if target is None else target
        if not 0.0 < target < 1.0:
            raise ValueError(f"target is {target}; a relative residual is between 0 and 1")
        return SolveAdvice(matrix, target, _limit(max_bytes, "max_bytes"), _limit(max_seconds, "max_seconds"))
    if max_bytes is not None or max_seconds is not None:
        raise ValueError("max_bytes and max_seconds are parameters of linear systems")
    target = 0.0 if target is None else target
    if not target >= 0.0 or math.isinf(target):
        raise ValueError(f"target is {target}; an error is finite and at least 0")
    return ArrayAdvice(view_of(a), target, norm, relative, prefer)


def _limit(value, name):
    if value is not None and not value > 0:
        raise ValueError(f"{name} is {value}, which is not positive")
    return 0 if value is None else value
