from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from steno import Array

_Format = str | DTypeLike
_Callback = Callable[[Progress], object] | None
_Side = Literal["right", "left"]
_Result = tuple[Any, int]

class Progress(float):
    iteration: int
    seconds: float
    def __new__(cls, residual: float, iteration: int, seconds: float) -> Progress: ...

class Report:
    reason: str | None
    iterations: int
    restarts: int
    inner_iterations: int
    residual: float
    stored_residual: float
    saturated: int
    bytes: int
    seconds: float
    columns: int
    unsolved_columns: int
    history: NDArray[np.float64]
    def __init__(self) -> None: ...

class Preconditioner:
    name: str
    shape: tuple[int, int]
    nbytes: int
    levels: tuple[int, int]
    blocks: int
    dtype: np.dtype[Any]
    ndim: int
    def matvec(self, x: ArrayLike | Array, arithmetic: str | None = None) -> Any: ...
    def __matmul__(self, x: ArrayLike | Array) -> Any: ...
    def aslinearoperator(self) -> Any: ...

def ilu(a: Any, format: _Format | None = None) -> Preconditioner: ...
def ic(a: Any, format: _Format | None = None) -> Preconditioner: ...
def block_jacobi(
    a: Any, format: _Format | None = None, *, max_block_rows: int = 0, block_starts: ArrayLike | None = None
) -> Preconditioner: ...
def cg(
    A: Any,
    b: ArrayLike | Array,
    x0: ArrayLike | Array | None = None,
    *,
    rtol: float = 1e-05,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
    arithmetic: str | None = None,
    preconditioner: Any = None,
    max_seconds: float | None = None,
    report: Report | None = None,
) -> _Result: ...
def bicgstab(
    A: Any,
    b: ArrayLike | Array,
    x0: ArrayLike | Array | None = None,
    *,
    rtol: float = 1e-05,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
    side: _Side = "right",
    arithmetic: str | None = None,
    preconditioner: Any = None,
    max_seconds: float | None = None,
    report: Report | None = None,
) -> _Result: ...
def minres(
    A: Any,
    b: ArrayLike | Array,
    x0: ArrayLike | Array | None = None,
    *,
    rtol: float = 1e-05,
    atol: float = 0.0,
    shift: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
    arithmetic: str | None = None,
    preconditioner: Any = None,
    max_seconds: float | None = None,
    report: Report | None = None,
) -> _Result: ...
def gmres(
    A: Any,
    b: ArrayLike | Array,
    x0: ArrayLike | Array | None = None,
    *,
    rtol: float = 1e-05,
    atol: float = 0.0,
    restart: int | None = None,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
    callback_type: Literal["pr_norm", "legacy"] | None = None,
    side: _Side = "right",
    orthogonalization: Literal["once", "if_needed", "twice", "delayed", "sketched"] | None = None,
    flexible: bool = False,
    arithmetic: str | None = None,
    basis: _Format | None = None,
    preconditioner: Any = None,
    max_seconds: float | None = None,
    report: Report | None = None,
) -> _Result: ...
def refine(
    A: Any,
    b: ArrayLike | Array,
    x0: ArrayLike | Array | None = None,
    *,
    inner: Literal["cg", "gmres", "bicgstab", "minres", "fgmres"] = "gmres",
    approximation: Any = None,
    rtol: float = 1e-10,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
    arithmetic: str | None = None,
    basis: _Format | None = None,
    preconditioner: Any = None,
    inner_rtol: float = 0.01,
    inner_maxiter: int | None = None,
    inner_arithmetic: str | None = None,
    restart: int | None = None,
    max_seconds: float | None = None,
    report: Report | None = None,
) -> _Result: ...
