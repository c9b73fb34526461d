"""BLAS by name, over arrays of any format.

Functions have the names of BLAS without the letter of the type. Results are computed in place, in arrays of steno or
NumPy, and returned. The transpose of an operand is ``a.T``; a part of a matrix is a slice.

Parameters that several functions have:

- ``arithmetic``: ``"f64"`` (the default), ``"f32"``, ``"c128"`` (the default of complex operands) or ``"c64"``
- ``triangle``: ``"lower"`` or ``"upper"``, the triangle of a matrix that is read or written
- ``side``: ``"left"`` or ``"right"``, the side of the matrix `a` in a product
- ``unit``: whether the diagonal of a triangular matrix consists of ones, and is not read
- ``conj``: whether the conjugates of the elements of `a` are used

>>> import steno
>>> y = steno.zeros(2, "f32")
>>> steno.blas.gemv(2.0, [[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0], 0.0, y)
Array([ 6., 14.], format='f32')
"""

from steno import _core

__all__ = [
    *("asum", "axpby", "axpy", "copy", "dot", "dotc", "dotu", "gemm", "gemv", "gemvt", "ger", "gerc", "geru", "hemm"),
    *("hemv", "her", "her2", "her2k", "herk", "iamax", "nrm2", "rot", "rotg", "rotm", "rotmg", "scal", "swap", "symm"),
    *("symv", "syr", "syr2", "syr2k", "syrk", "trmm", "trmv", "trsm", "trsv"),
]

_TRIANGLES = ("lower", "upper")
_SIDES = ("left", "right")


def _triangle(name):
    if name not in _TRIANGLES:
        raise ValueError(f"triangle is {name!r}, which is neither 'lower' nor 'upper'")
    return _TRIANGLES.index(name)


def _side(name):
    if name not in _SIDES:
        raise ValueError(f"side is {name!r}, which is neither 'left' nor 'right'")
    return _SIDES.index(name)


def _call(name, operands, scalars, options, arithmetic):
    return _core.blas(name, operands, scalars, options, arithmetic)


# ---- vectors ----


def dot(x, y, *, arithmetic=None):
    """The sum of ``x[i] * y[i]`` of real vectors.

    Examples
    --------
    >>> import steno
    >>> steno.blas.dot([1.0, 2.0], [3.0, 4.0])
    11.0
    """
    return _call("dot", (x, "x", y, "y"), (), (), arithmetic)


def dotu(x, y, *, arithmetic="c128"):
    """The sum of ``x[i] * y[i]`` of complex vectors."""
    return _call("dotu", (x, "x", y, "y"), (), (), arithmetic)


def dotc(x, y, *, arithmetic="c128"):
    """The sum of ``conj(x[i]) * y[i]`` of complex vectors."""
    return _call("dotc", (x, "x", y, "y"), (), (), arithmetic)


def nrm2(x, *, arithmetic=None):
    """The Euclidean norm, without overflow of intermediate results."""
    return _call("nrm2", (x, "x"), (), (), arithmetic)


def asum(x, *, arithmetic=None):
    """The sum of ``abs(x[i])``, of complex elements ``abs(re) + abs(im)``."""
    return _call("asum", (x, "x"), (), (), arithmetic)


def iamax(x, *, arithmetic=None):
    """The index of the first element of largest magnitude, or of the first NaN; -1 if there are no elements."""
    return _call("iamax", (x, "x"), (), (), arithmetic)


def copy(x, y):
    """``y = x``, converted to the format of y. Returns y."""
    _call("copy", (x, "x", y, "y"), (), (), None)
    return y


def swap(x, y, *, arithmetic=None):
    """Exchange two vectors. Returns x and y."""
    _call("swap", (x, "x", y, "y"), (), (), arithmetic)
    return x, y


def scal(alpha, x, *, arithmetic=None):
    """``x = alpha * x``. Returns x."""
    _call("scal", (x, "x"), (alpha,), (), arithmetic)
    return x


def axpy(alpha, x, y, *, arithmetic=None):
    """``y = alpha * x + y``. Returns y."""
    _call("axpy", (x, "x", y, "y"), (alpha,), (), arithmetic)
    return y


def axpby(alpha, x, beta, y, *, arithmetic=None):
    """``y = alpha * x + beta * y``. Returns y."""
    _call("axpby", (x, "x", y, "y"), (alpha, beta), (), arithmetic)
    return y


def rot(x, y, c, s, *, arithmetic=None):
    """Apply a plane rotation: ``x, y = c * x + s * y, c * y - conj(s) * x``. Returns x and y."""
    _call("rot", (x, "x", y, "y"), (c, s), (), arithmetic)
    return x, y


def rotg(a, b, *, arithmetic=None):
    """The rotation with ``c * a + s * b == r`` and ``c * b - conj(s) * a == 0``.

    Returns
    -------
    r, z, c, s : float or complex
        r; a number from which c and s can be computed (of complex arguments b); cosine and sine.

    Examples
    --------
    >>> import steno
    >>> r, z, c, s = steno.blas.rotg(3.0, 4.0)
    >>> r, round(c, 3), round(s, 3)
    (5.0, 0.6, 0.8)
    """
    return _core.rotg(a, b, arithmetic)


def rotm(x, y, parameter, *, arithmetic=None):
    """Apply a modified rotation with the parameter (flag, h11, h21, h12, h22). Returns x and y."""
    _call("rotm", (x, "x", y, "y"), tuple(parameter), (), arithmetic)
    return x, y


def rotmg(d1, d2, x1, y1, *, arithmetic=None):
    """The modified rotation that makes the second component of ``(sqrt(d1) * x1, sqrt(d2) * y1)`` zero.

    Returns
    -------
    d1, d2, x1 : float
        The new weights and the new first component.
    parameter : tuple of float
        The parameter of `rotm`.
    """
    return _core.rotmg(d1, d2, x1, y1, arithmetic)


# ---- a matrix and vectors ----


def gemv(alpha, a, x, beta, y, *, conj=False, arithmetic=None):
    """``y = alpha * a @ x + beta * y``. If beta is 0, y is not read. Returns y."""
    _call("gemv", (a, "a", x, "x", y, "y"), (alpha, beta), (bool(conj),), arithmetic)
    return y


def gemvt(alpha, a, x, beta, y, z, *, arithmetic=None):
    """``y = alpha * a.T @ x + beta * y``, followed by ``z = a @ y``. Returns y and z."""
    _call("gemvt", (a, "a", x, "x", y, "y", z, "z"), (alpha, beta), (), arithmetic)
    return y, z


def symv(alpha, a, x, beta, y, *, triangle="lower", arithmetic=None):
    """``y = alpha * a @ x + beta * y`` with a symmetric matrix. Returns y."""
    _call("symv", (a, "a", x, "x", y, "y"), (alpha, beta), (_triangle(triangle),), arithmetic)
    return y


def hemv(alpha, a, x, beta, y, *, triangle="lower", arithmetic="c128"):
    """``y = alpha * a @ x + beta * y`` with a Hermitian matrix. Returns y."""
    _call("hemv", (a, "a", x, "x", y, "y"), (alpha, beta), (_triangle(triangle),), arithmetic)
    return y


def trmv(a, x, *, triangle="lower", unit=False, conj=False, arithmetic=None):
    """``x = a @ x`` with a triangular matrix. Returns x."""
    _call("trmv", (a, "a", x, "x"), (), (_triangle(triangle), bool(unit), bool(conj)), arithmetic)
    return x


def trsv(a, x, *, triangle="lower", unit=False, conj=False, arithmetic=None):
    """Solve ``a @ x = b`` with a triangular matrix; x is b before the call. Returns x."""
    _call("trsv", (a, "a", x, "x"), (), (_triangle(triangle), bool(unit), bool(conj)), arithmetic)
    return x


def ger(alpha, x, y, a, *, arithmetic=None):
    """``a = a + alpha * outer(x, y)``. Returns a."""
    _call("ger", (x, "x", y, "y", a, "a"), (alpha,), (), arithmetic)
    return a


def geru(alpha, x, y, a, *, arithmetic="c128"):
    """``a = a + alpha * outer(x, y)`` of complex operands. Returns a."""
    _call("geru", (x, "x", y, "y", a, "a"), (alpha,), (), arithmetic)
    return a


def gerc(alpha, x, y, a, *, arithmetic="c128"):
    """``a = a + alpha * outer(x, conj(y))``. Returns a."""
    _call("gerc", (x, "x", y, "y", a, "a"), (alpha,), (), arithmetic)
    return a


def syr(alpha, x, a, *, triangle="lower", arithmetic=None):
    """``a = a + alpha * outer(x, x)`` in one triangle. Returns a."""
    _call("syr", (x, "x", a, "a"), (alpha,), (_triangle(triangle),), arithmetic)
    return a


def her(alpha, x, a, *, triangle="lower", arithmetic="c128"):
    """``a = a + alpha * outer(x, conj(x))`` in one triangle. Returns a."""
    _call("her", (x, "x", a, "a"), (alpha,), (_triangle(triangle),), arithmetic)
    return a


def syr2(alpha, x, y, a, *, triangle="lower", arithmetic=None):
    """``a = a + alpha * (outer(x, y) + outer(y, x))`` in one triangle. Returns a."""
    _call("syr2", (x, "x", y, "y", a, "a"), (alpha,), (_triangle(triangle),), arithmetic)
    return a


def her2(alpha, x, y, a, *, triangle="lower", arithmetic="c128"):
    """``a = a + alpha * outer(x, conj(y)) + conj(alpha) * outer(y, conj(x))`` in one triangle. Returns a."""
    _call("her2", (x, "x", y, "y", a, "a"), (alpha,), (_triangle(triangle),), arithmetic)
    return a


# ---- matrices ----


def gemm(alpha, a, b, beta, c, *, conj_a=False, conj_b=False, arithmetic=None):
    """``c = alpha * a @ b + beta * c``. If beta is 0, c is not read. Returns c.

    Examples
    --------
    >>> import numpy as np, steno
    >>> a = steno.asarray([[1.0, 2.0], [3.0, 4.0]], "f16")
    >>> steno.blas.gemm(1.0, a, a.T, 0.0, np.zeros((2, 2)))
    array([[ 5., 11.],
           [11., 25.]])
    """
    _call("gemm", (a, "a", b, "b", c, "c"), (alpha, beta), (bool(conj_a), bool(conj_b)), arithmetic)
    return c


def symm(alpha, a, b, beta, c, *, side="left", triangle="lower", arithmetic=None):
    """``c = alpha * a @ b + beta * c``, or with ``b @ a``, with a symmetric matrix a. Returns c."""
    _call("symm", (a, "a", b, "b", c, "c"), (alpha, beta), (_side(side), _triangle(triangle)), arithmetic)
    return c


def hemm(alpha, a, b, beta, c, *, side="left", triangle="lower", arithmetic="c128"):
    """``c = alpha * a @ b + beta * c``, or with ``b @ a``, with a Hermitian matrix a. Returns c."""
    _call("hemm", (a, "a", b, "b", c, "c"), (alpha, beta), (_side(side), _triangle(triangle)), arithmetic)
    return c


def syrk(alpha, a, beta, c, *, triangle="lower", arithmetic=None):
    """``c = alpha * a @ a.T + beta * c`` in one triangle. Returns c."""
    _call("syrk", (a, "a", c, "c"), (alpha, beta), (_triangle(triangle),), arithmetic)
    return c


def herk(alpha, a, beta, c, *, triangle="lower", conj=False, arithmetic="c128"):
    """``c = alpha * a @ conj(a).T + beta * c`` in one triangle. Returns c."""
    _call("herk", (a, "a", c, "c"), (alpha, beta), (_triangle(triangle), bool(conj)), arithmetic)
    return c


def syr2k(alpha, a, b, beta, c, *, triangle="lower", arithmetic=None):
    """``c = alpha * (a @ b.T + b @ a.T) + beta * c`` in one triangle. Returns c."""
    _call("syr2k", (a, "a", b, "b", c, "c"), (alpha, beta), (_triangle(triangle),), arithmetic)
    return c


def her2k(alpha, a, b, beta, c, *, triangle="lower", conj=False, arithmetic="c128"):
    """``c = alpha * a @ conj(b).T + conj(alpha) * b @ conj(a).T + beta * c`` in one triangle. Returns c."""
    options = (_triangle(triangle), bool(conj))
    _call("her2k", (a, "a", b, "b", c, "c"), (alpha, beta), options, arithmetic)
    return c


def trmm(alpha, a, b, *, side="left", triangle="lower", unit=False, conj=False, arithmetic=None):
    """``b = alpha * a @ b``, or with ``b @ a``, with a triangular matrix a. Returns b."""
    options = (_side(side), _triangle(triangle), bool(unit), bool(conj))
    _call("trmm", (a, "a", b, "b"), (alpha,), options, arithmetic)
    return b


def trsm(alpha, a, b, *, side="left", triangle="lower", unit=False, conj=False, arithmetic=None):
    """Solve ``a @ x = alpha * b``, or ``x @ a = alpha * b``, with a triangular matrix a; b becomes x. Returns b."""
    options = (_side(side), _triangle(triangle), bool(unit), bool(conj))
    _call("trsm", (a, "a", b, "b"), (alpha,), options, arithmetic)
    return b
