"""Iterative solvers for linear systems, with the signatures of ``scipy.sparse.linalg``.

The vectors of a method may be stored in fewer bits than the arithmetic type, matrices and preconditioners in any
format.

>>> import numpy as np, steno
>>> a = steno.sparse.csr([[4.0, 1.0], [1.0, 3.0]], "f16")
>>> x, info = steno.linalg.cg(a, np.array([1.0, 2.0]), rtol=1e-12)
>>> info, np.round(x, 6).tolist()
(0, [0.090909, 0.636364])
"""

import contextlib
import threading

import numpy as np

from steno import _core
from steno._array import Array
from steno._create import asarray, view_of, zeros
from steno._formats import DTYPES, element_format, format_name, split_format
from steno.sparse import SparseMatrix, _is_scipy, csr

__all__ = [
    "Preconditioner",
    "Progress",
    "Report",
    "bicgstab",
    "block_jacobi",
    "cg",
    "gmres",
    "ic",
    "ilu",
    "minres",
    "refine",
]

_CG, _GMRES, _REFINEMENT, _BICGSTAB, _MINRES, _FGMRES = range(6)
_METHODS = {"cg": _CG, "gmres": _GMRES, "bicgstab": _BICGSTAB, "minres": _MINRES, "fgmres": _FGMRES}
_ARITHMETIC = ("f64", "f32", "c128", "c64")
_SIDES = ("right", "left")
_ORTHOGONALIZATIONS = (None, "once", "if_needed", "twice", "delayed", "sketched")
_HISTORY = 1 << 20
# Stop reasons without an iterate that more iterations would improve: breakdown, not positive definite, not finite,
# call failed, not representable.
_FAILURES = {5: -10, 6: -11, 7: -12, 8: -13, 9: -14}


class Progress(float):
    """The argument of a callback: the relative residual, with further attributes.

    Attributes
    ----------
    iteration : int
        The number of completed iterations.
    seconds : float
        The time since the call of the solver.
    """

    def __new__(cls, residual, iteration, seconds):
        self = super().__new__(cls, residual)
        self.iteration = iteration
        self.seconds = seconds
        return self


class Report:
    """A report that a solver fills in.

    Attributes
    ----------
    reason : str
        Why the solve stopped, such as ``"converged"``.
    iterations, restarts, inner_iterations : int
        Numbers of iterations, of restarts of GMRES or corrections of refinement, and of iterations of the inner solver.
    residual : float
        The norm of ``b - A @ x`` relative to that of `b`, computed from x.
    stored_residual : float
        The same for x in its storage format.
    saturated : int
        The number of elements of x that exceed the range of its format.
    rounding_error : float
        The estimated rounding error of `residual`. A solve whose tolerance is smaller converges only if the residual in
        twice the precision of f64 reaches the tolerance; otherwise the reason is ``"residual uncertain"``.
    backward_error : float
        The norm of ``b - A @ x`` divided by that of A times that of x, plus that of `b`, with maximum norms.
    seconds : float
        The duration.
    seconds_products, seconds_preconditioner, seconds_orthogonalization, seconds_verification : float
        Times in products with A, in products with the preconditioner, in the Gram-Schmidt process of GMRES, and for
        `rounding_error` and `backward_error`.
    bytes : int
        The memory of the basis of GMRES, including the vectors that are stored in f64; 0 without a basis.
    columns, unsolved_columns : int
        Numbers of columns of `b`, and of those that did not converge.
    history : numpy.ndarray
        The relative residual after each iteration; empty if `b` has several columns.

    Examples
    --------
    >>> import numpy as np, steno
    >>> report = steno.linalg.Report()
    >>> x, info = steno.linalg.cg(np.eye(2), np.ones(2), report=report)
    >>> report
    Report(reason='converged', iterations=1, residual=0.0)
    """

    def __init__(self):
        self.reason = None
        self.iterations = self.restarts = self.inner_iterations = 0
        self.residual = self.stored_residual = float("nan")
        self.saturated = self.bytes = self.columns = self.unsolved_columns = 0
        self.rounding_error = self.backward_error = float("nan")
        self.seconds = self.seconds_products = self.seconds_preconditioner = 0.0
        self.seconds_orthogonalization = self.seconds_verification = 0.0
        self.history = np.empty(0)

    def __repr__(self):
        return f"Report(reason={self.reason!r}, iterations={self.iterations}, residual={self.residual!r})"

    def _fill(self, values, history):
        for name, value in values.items():
            if name not in ("code", "history_count"):
                setattr(self, name, value)
        self.history = history[: values["history_count"]].copy()


# ---- preconditioners ----


class Preconditioner:
    """An approximate inverse of a matrix, created by `ilu`, `ic` or `block_jacobi`.

    Attributes
    ----------
    name : str
        The kind.
    shape : tuple of int
        The numbers of rows and columns.
    nbytes : int
        The number of bytes that an application reads in addition to the vectors.
    levels : tuple of int
        The numbers of levels of the lower and the upper factor, whose rows are solved in parallel.
    blocks : int
        The number of blocks of block-Jacobi.

    Examples
    --------
    >>> import numpy as np, steno
    >>> a = steno.sparse.csr([[4.0, 1.0], [1.0, 3.0]])
    >>> m = steno.linalg.ilu(a, "f16")
    >>> np.round(m @ (a @ np.array([1.0, 2.0])), 3).tolist()
    [1.0, 2.0]
    """

    __slots__ = ("__weakref__", "_handle", "_lock", "blocks", "dtype", "levels", "name", "nbytes", "shape")
    __array_priority__ = 1000
    __array_ufunc__ = None
    ndim = 2

    def __init__(self, handle, dtype):
        self._handle = handle
        self._lock = threading.RLock()  # one thread at a time may apply incomplete factors
        self.name, rows, self.nbytes, lower, upper, self.blocks = _core.preconditioner_info(handle)
        self.shape = (rows, rows)
        self.levels = (lower, upper)
        self.dtype = dtype

    def __reduce__(self):
        raise TypeError("a preconditioner cannot be pickled: pickle its matrix, and create it again")

    def __repr__(self):
        return f"Preconditioner({self.name!r}, shape={self.shape}, nbytes={self.nbytes})"

    def matvec(self, x, arithmetic=None):
        """The product with a vector, in the arithmetic type: by default f64, or c128 for complex operands."""
        source = view_of(x)
        if arithmetic is None:
            arithmetic = "c128" if self.dtype.kind == "c" or source.dtype.kind == "c" else "f64"
        with self._lock:
            result = _core.preconditioner_apply(self._handle, source, format_name(arithmetic))
        return result if isinstance(x, Array) else np.asarray(result)

    def __matmul__(self, x):
        return self.matvec(x)

    def aslinearoperator(self):
        """The preconditioner as a ``scipy.sparse.linalg.LinearOperator``."""
        from scipy.sparse.linalg import LinearOperator

        return LinearOperator(self.shape, matvec=lambda x: self.matvec(np.ravel(x)), dtype=self.dtype)


def _sparse(a):
    return a if isinstance(a, SparseMatrix) else csr(a)


def _format_or_none(format):
    return None if format is None else element_format(format, "a preconditioner")


def _value_dtype(matrix):
    return np.dtype("complex128" if matrix.dtype.kind == "c" else "float64")


def ilu(a, format=None):
    """Incomplete factors without fill-in, ILU(0).

    Parameters
    ----------
    a : SparseMatrix, scipy sparse matrix or array_like
        A square matrix without zeros on the diagonal.
    format : str or dtype, optional
        The format of the factors outside of their diagonal; f64 by default.

    Returns
    -------
    Preconditioner
        The preconditioner, which does not refer to the matrix.
    """
    a = _sparse(a)
    return Preconditioner(_core.ilu_create(a._handle, False, _format_or_none(format)), _value_dtype(a))


def ic(a, format=None):
    """Incomplete Cholesky factors without fill-in, IC(0), of a symmetric positive definite matrix.

    The parameters are those of `ilu`. Entries above the diagonal are not read.
    """
    a = _sparse(a)
    return Preconditioner(_core.ilu_create(a._handle, True, _format_or_none(format)), _value_dtype(a))


def block_jacobi(a, format=None, *, max_block_rows=0, block_starts=None):
    """The inverses of square blocks on the diagonal.

    Parameters
    ----------
    a : SparseMatrix, scipy sparse matrix or array_like
        A square matrix.
    format : str or dtype, optional
        The format of all blocks. By default f16, f32 or f64 is selected for each block by its condition number.
    max_block_rows : int, optional
        The maximum number of rows of a block, at most 32; 0 selects 8. Rows with the same columns form blocks.
    block_starts : array_like of int, optional
        The first row of each block, followed by the number of rows.

    Returns
    -------
    Preconditioner
        The preconditioner, which does not refer to the matrix.

    Examples
    --------
    >>> import steno
    >>> steno.linalg.block_jacobi([[4.0, 1.0], [1.0, 3.0]], max_block_rows=1).blocks
    2
    """
    a = _sparse(a)
    starts = None
    if block_starts is not None:
        starts = np.asarray(block_starts)
        if starts.dtype.kind not in "iu" or starts.ndim != 1:
            raise ValueError("block_starts is not a vector of integers")
        starts = view_of(np.ascontiguousarray(starts, dtype=np.int64))
    handle = _core.block_jacobi_create(a._handle, max_block_rows, starts, _format_or_none(format))
    return Preconditioner(handle, _value_dtype(a))


# ---- operators ----


def _dtype_of(a):
    dtype = getattr(a, "dtype", None)
    return np.dtype("float64") if dtype is None else np.dtype(dtype)


def _function_of(matvec):
    def function(x):
        return np.asarray(matvec(np.asarray(x)))

    return function


class _Operator:
    """An operator as the extension expects it: a matrix, an array, a preconditioner or a function."""

    def __init__(self, a, name):
        self.lock = contextlib.nullcontext()
        if isinstance(a, (SparseMatrix, Preconditioner)):
            self.handle, self.shape, self.dtype = a._handle, a.shape, a.dtype
            self.lock = getattr(a, "_lock", self.lock)
        elif _is_scipy(a):
            matrix = csr(a)
            self.handle, self.shape, self.dtype = matrix._handle, matrix.shape, matrix.dtype
        elif hasattr(a, "matvec") and hasattr(a, "shape"):
            self.handle, self.shape, self.dtype = _function_of(a.matvec), tuple(a.shape), _dtype_of(a)
        else:
            try:
                array = view_of(a)
            except TypeError as error:
                kind = type(a).__name__
                raise TypeError(f"{name} is neither a matrix nor an object with shape and matvec: {kind}") from error
            self.handle, self.shape, self.dtype = array, array.shape, array.dtype
        if len(self.shape) != 2 or self.shape[0] != self.shape[1]:
            raise ValueError(f"{name} has the shape {self.shape}, which is not square")


def _operator(a, name, rows):
    if a is None:
        return None
    operator = _Operator(a, name)
    if operator.shape[0] != rows:
        raise ValueError(f"{name} has {operator.shape[0]} rows, but b has {rows}")
    return operator


def _handle(operator):
    return None if operator is None else operator.handle


# ---- solvers ----


def _count(value, name):
    if value is None:
        return 0
    count = value.__index__()
    if count < 1:
        raise ValueError(f"{name} is {count}, which is not positive")
    return count


def _options(method, arithmetic, rtol, atol, maxiter, max_seconds, restart, basis, side, orthogonalization=None):
    if side not in _SIDES:
        raise ValueError(f"side is {side!r}, which is neither 'right' nor 'left'")
    if orthogonalization not in _ORTHOGONALIZATIONS:
        known = ", ".join(repr(name) for name in _ORTHOGONALIZATIONS)
        raise ValueError(f"orthogonalization is {orthogonalization!r}, which is not one of {known}")
    name, block = (None, None) if basis is None else split_format(basis)
    if block == "row":
        raise ValueError(f"basis is {basis!r}: each vector has one scale, or 'i16:32' one per block")
    return (
        method,
        format_name(arithmetic),
        rtol,
        atol,
        maxiter,
        0.0 if max_seconds is None else max_seconds,
        restart,
        name,
        block or 0,
        _SIDES.index(side),
        _ORTHOGONALIZATIONS.index(orthogonalization),
    )


def _arithmetic(arithmetic, operators, vectors):
    if arithmetic is not None:
        name = format_name(arithmetic)
        if name not in _ARITHMETIC:
            raise TypeError(f"arithmetic is {name!r}, which is not one of {', '.join(_ARITHMETIC)}")
        return name
    dtypes = [operator.dtype for operator in operators if operator is not None]
    dtypes += [vector.dtype for vector in vectors if vector is not None]
    return "c128" if any(dtype.kind == "c" for dtype in dtypes) else "f64"


def _solution(b, right, x0, arithmetic):
    """The array of the result, with the initial guess."""
    x = zeros(right.shape, arithmetic) if isinstance(b, Array) else np.zeros(right.shape, DTYPES[arithmetic])
    if x0 is not None:
        guess = view_of(x0)
        if guess.shape != right.shape:
            raise ValueError(f"x0 has the shape {guess.shape}, but b has the shape {right.shape}")
        _core.assign(x, guess)
    return x


def _callback(callback):
    if callback is None:
        return None
    if not callable(callback):
        raise TypeError(f"callback is {callback!r}, which is not a function")
    return lambda iteration, residual, seconds: callback(Progress(residual, iteration, seconds))


def _preconditioner(M, preconditioner):
    if M is not None and preconditioner is not None:
        raise ValueError("M and preconditioner are two names of one argument")
    return preconditioner if M is None else M


def _solve(
    method,
    A,
    b,
    x0,
    *,
    rtol,
    atol,
    maxiter,
    M,
    callback,
    arithmetic,
    report,
    restart=0,
    basis=None,
    side="right",
    orthogonalization=None,
    max_seconds=None,
    inner=None,
    inner_A=None,
    inner_M=None,
):
    right = view_of(b)
    if right.ndim not in (1, 2):
        raise ValueError(f"b has {right.ndim} dimensions, neither 1 nor 2")
    if A is None:
        raise TypeError("A is None, which is not a matrix")
    rows = right.shape[0]
    a, m = _operator(A, "A", rows), _operator(M, "M", rows)
    inner_a, inner_m = _operator(inner_A, "approximation", rows), _operator(inner_M, "M", rows)
    guess = None if x0 is None else view_of(x0)
    chosen = _arithmetic(arithmetic, (a, m, inner_a, inner_m), (right, guess))
    options = _options(method, chosen, rtol, atol, maxiter, max_seconds, restart, basis, side, orthogonalization)
    if inner is not None:
        inner = _options(*inner(chosen))
    x = _solution(b, right, guess, chosen)
    if report is not None and not isinstance(report, Report):
        raise TypeError("report is not a steno.linalg.Report")
    keeps = report is not None and right.ndim == 1
    history = np.empty(min(maxiter or min(10 * rows, 100000), _HISTORY)) if keeps else None
    with contextlib.ExitStack() as stack:
        for operator in (a, m, inner_a, inner_m):
            if operator is not None:
                stack.enter_context(operator.lock)
        result = _core.solve(
            a.handle,
            right,
            x,
            options,
            _handle(m),
            _callback(callback),
            history,
            inner,
            _handle(inner_a),
            _handle(inner_m),
        )
    if report is not None:
        report._fill(result, np.empty(0) if history is None else history)
    code = result["code"]
    info = 0 if code == 0 else _FAILURES.get(code) or max(result["iterations"], 1)
    return x, info


_PARAMETERS = """
    Parameters
    ----------
    A : SparseMatrix, scipy sparse matrix, array_like or LinearOperator
        {matrix} An object with `shape` and `matvec` is called with NumPy arrays.
    b : array_like
        The right-hand side, or several of them as columns.
    x0 : array_like, optional
        The initial guess; zeros by default.
    rtol, atol : float, optional
        The solve has converged when ``norm(b - A @ x) <= max(rtol * norm(b), atol)``, recomputed from x.
{restart}    maxiter : int, optional
        The maximum number of {iterations}.
    M, preconditioner : Preconditioner, SparseMatrix, array_like or LinearOperator, optional
        An approximate inverse of A. The two names are equivalent.
    callback : callable, optional
        A function that is called after each iteration with a `Progress`: the relative residual. It may raise
        ``StopIteration`` to stop the solve; other exceptions are passed on. x is not available before the end.
{more}    arithmetic : str, optional
        The type of the computation: ``"f64"`` (the default), ``"f32"``, ``"c128"`` (the default of complex
        operands) or ``"c64"``.
{basis}    max_seconds : float, optional
        A time limit.
    report : Report, optional
        A report to be filled in.

    Returns
    -------
    x : numpy.ndarray or Array
        The solution in the arithmetic type, or the best iterate; an `Array` if `b` is one.
    info : int
        0 if the solve converged, the number of iterations if it stopped before, and a negative number if the method
        failed: -10 breakdown, -11 not positive definite, -12 not finite, -14 not representable.

    Examples
    --------
    >>> import numpy as np, steno
    >>> a = steno.sparse.csr([[4.0, 1.0], [1.0, 3.0]], "f16")
    >>> x, info = steno.linalg.{name}(a, [5.0, 4.0], rtol=1e-12)
    >>> info, np.round(x, 9).tolist()
    (0, [1.0, 1.0])
"""

_SIDE = """    side : {"right", "left"}, optional
        The side of the preconditioner.
"""
_RESTART = """    restart : int, optional
        The number of iterations between restarts, 20 by default.
"""
_BASIS = """    basis : str or dtype, optional
        The format of the basis, such as ``"f16"`` or ``"i16"`` with one scale per vector, or ``"i16:32"`` with one
        scale per 32 elements, or ``"bfp16"``. The default is the arithmetic type.
"""


def _documented(text, matrix, restart="", iterations="iterations", more="", basis=""):
    def document(function):
        function.__doc__ = text + "\n" + _PARAMETERS.format(
            matrix=matrix, restart=restart, iterations=iterations, more=more, basis=basis, name=function.__name__
        )
        return function

    return document


@_documented(
    "Conjugate gradients.", "A symmetric or Hermitian positive definite matrix."
)
def cg(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    atol=0.0,
    maxiter=None,
    M=None,
    callback=None,
    arithmetic=None,
    preconditioner=None,
    max_seconds=None,
    report=None,
):
    return _solve(
        _CG,
        A,
        b,
        x0,
        rtol=rtol,
        atol=atol,
        maxiter=_count(maxiter, "maxiter"),
        M=_preconditioner(M, preconditioner),
        callback=callback,
        arithmetic=arithmetic,
        max_seconds=max_seconds,
        report=report,
    )


@_documented("The stabilized biconjugate gradient method.", "A square matrix.", more=_SIDE)
def bicgstab(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    atol=0.0,
    maxiter=None,
    M=None,
    callback=None,
    side="right",
    arithmetic=None,
    preconditioner=None,
    max_seconds=None,
    report=None,
):
    return _solve(
        _BICGSTAB,
        A,
        b,
        x0,
        rtol=rtol,
        atol=atol,
        maxiter=_count(maxiter, "maxiter"),
        M=_preconditioner(M, preconditioner),
        callback=callback,
        side=side,
        arithmetic=arithmetic,
        max_seconds=max_seconds,
        report=report,
    )


class _Shifted:
    """A - shift I."""

    def __init__(self, a, shift):
        self.shape, self.dtype, self.shift = a.shape, _dtype_of(a), shift
        self.a = a

    def matvec(self, x):
        product = self.a.matvec(x) if hasattr(self.a, "matvec") else self.a @ x
        return np.ravel(product) - self.shift * x


@_documented(
    "The minimum residual method.",
    "A symmetric or Hermitian matrix, which may be indefinite.",
    more="""    shift : float, optional
        Solve ``(A - shift * I) @ x = b``.
""",
)
def minres(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    atol=0.0,
    shift=0.0,
    maxiter=None,
    M=None,
    callback=None,
    arithmetic=None,
    preconditioner=None,
    max_seconds=None,
    report=None,
):
    if shift != 0.0:
        A = _Shifted(A if hasattr(A, "shape") else np.asarray(A), shift)
    return _solve(
        _MINRES,
        A,
        b,
        x0,
        rtol=rtol,
        atol=atol,
        maxiter=_count(maxiter, "maxiter"),
        M=_preconditioner(M, preconditioner),
        callback=callback,
        arithmetic=arithmetic,
        max_seconds=max_seconds,
        report=report,
    )


@_documented(
    "The generalized minimal residual method, with restarts.",
    "A square matrix.",
    restart=_RESTART,
    iterations="cycles of `restart` iterations",
    more="""    callback_type : {"pr_norm", "legacy"}, optional
        For compatibility with SciPy; both pass the residual.
"""
    + _SIDE
    + """    orthogonalization : {"once", "if_needed", "twice", "delayed", "sketched"}, optional
        The orthogonalization of the basis: with one projection; with a second one if the first removes more than half
        of the square of the norm; with two; with one that later coefficients correct; by
        random sketches. The default is the fastest that is safe.
    flexible : bool, optional
        The preconditioner may differ between iterations.
""",
    basis=_BASIS,
)
def gmres(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    atol=0.0,
    restart=None,
    maxiter=None,
    M=None,
    callback=None,
    callback_type=None,
    side="right",
    orthogonalization=None,
    flexible=False,
    arithmetic=None,
    basis=None,
    preconditioner=None,
    max_seconds=None,
    report=None,
):
    if callback_type not in (None, "pr_norm", "legacy"):
        raise ValueError(f"callback_type is {callback_type!r}, which is neither 'pr_norm' nor 'legacy'")
    cycle = _count(restart, "restart") or 20
    return _solve(
        _FGMRES if flexible else _GMRES,
        A,
        b,
        x0,
        rtol=rtol,
        atol=atol,
        maxiter=_count(maxiter, "maxiter") * min(cycle, max(len(b), 1)),
        M=_preconditioner(M, preconditioner),
        callback=callback,
        restart=cycle,
        side=side,
        orthogonalization=orthogonalization,
        arithmetic=arithmetic,
        basis=basis,
        max_seconds=max_seconds,
        report=report,
    )


def refine(
    A,
    b,
    x0=None,
    *,
    inner="gmres",
    approximation=None,
    rtol=1e-10,
    atol=0.0,
    maxiter=None,
    M=None,
    callback=None,
    arithmetic=None,
    basis=None,
    preconditioner=None,
    inner_rtol=1e-2,
    inner_maxiter=None,
    inner_arithmetic=None,
    restart=None,
    max_seconds=None,
    report=None,
):
    """Iterative refinement: x becomes x + d, where an inner solver solves ``A @ d = b - A @ x`` approximately.

    Parameters
    ----------
    A : SparseMatrix, scipy sparse matrix, array_like or LinearOperator
        A square matrix.
    b : array_like
        The right-hand side, or several of them as columns.
    x0 : array_like, optional
        The initial guess; zeros by default.
    inner : {"cg", "gmres", "bicgstab", "minres", "fgmres"}, optional
        The inner solver.
    approximation : SparseMatrix, array_like or LinearOperator, optional
        A cheaper approximation of A, such as ``A.compensate("f16")``, for the inner solver; A by default.
    rtol, atol : float, optional
        The solve has converged when ``norm(b - A @ x) <= max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The maximum number of corrections.
    M, preconditioner : Preconditioner, SparseMatrix, array_like or LinearOperator, optional
        The preconditioner of the inner solver.
    callback : callable, optional
        A function that is called after each correction, as of `cg`.
    arithmetic, inner_arithmetic : str, optional
        The types of the computation, and of that of the inner solver: ``"f64"``, ``"f32"``, ``"c128"`` or ``"c64"``.
    basis : str or dtype, optional
        The format of the basis of an inner GMRES, as of `gmres`.
    inner_rtol : float, optional
        The relative residual of the inner solver.
    inner_maxiter, restart : int, optional
        The maximum number of inner iterations, and between restarts of an inner GMRES.
    max_seconds : float, optional
        A time limit.
    report : Report, optional
        A report to be filled in.

    Returns
    -------
    x : numpy.ndarray or Array
        The solution, as of `cg`.
    info : int
        0 if the solve converged, as of `cg`.

    Examples
    --------
    >>> import numpy as np, steno
    >>> a = steno.sparse.csr([[4.1, 1.2], [1.2, 3.3]])
    >>> x, info = steno.linalg.refine(a, a @ [1.0, 1.0], approximation=a.astype("e4m3"))
    >>> info, np.round(x, 9).tolist()
    (0, [1.0, 1.0])
    """
    if inner not in _METHODS:
        raise ValueError(f"inner is {inner!r}, which is not one of {', '.join(_METHODS)}")
    iterations, cycle = _count(inner_maxiter, "inner_maxiter"), _count(restart, "restart")

    def inner_options(chosen):
        method = _METHODS[inner]
        return (
            method,
            inner_arithmetic or chosen,
            inner_rtol,
            0.0,
            iterations,
            None,
            cycle if method in (_GMRES, _FGMRES) else 0,
            basis,
            "right",
        )

    return _solve(
        _REFINEMENT,
        A,
        b,
        x0,
        rtol=rtol,
        atol=atol,
        maxiter=_count(maxiter, "maxiter"),
        M=None,
        callback=callback,
        arithmetic=arithmetic,
        max_seconds=max_seconds,
        report=report,
        inner=inner_options,
        inner_A=approximation,
        inner_M=_preconditioner(M, preconditioner),
    )
