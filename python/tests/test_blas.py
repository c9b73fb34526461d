"""BLAS by name, compared with NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steno
from steno import blas

RNG = np.random.default_rng(0)
ALPHA, BETA = 0.75, -0.5


def real(*shape):
    return RNG.normal(size=shape)


def complex_(*shape):
    return real(*shape) + 1j * real(*shape)


def check(result, expected):
    np.testing.assert_allclose(np.asarray(result), expected, rtol=0, atol=1e-12)


def merged(updated, original, triangle):
    """One triangle of a matrix is updated."""
    part = np.tril(np.ones(original.shape, bool)) if triangle == "lower" else np.triu(np.ones(original.shape, bool))
    return np.where(part, updated, original)


def full(a, triangle, hermitian=False):
    """The matrix of which one triangle is stored."""
    one = np.tril(a) if triangle == "lower" else np.triu(a)
    other = np.tril(a, -1) if triangle == "lower" else np.triu(a, 1)
    result = one + (other.conj() if hermitian else other).T
    if hermitian:
        result[np.diag_indices(len(a))] = np.diag(a).real
    return result


def test_vectors():
    x, y = real(9), real(9)
    check(blas.dot(x, y), x @ y)
    check(blas.nrm2(x), np.linalg.norm(x))
    check(blas.asum(x), abs(x).sum())
    assert blas.iamax(x) == abs(x).argmax() and blas.iamax(np.ones(0)) == -1
    u, v = complex_(5), complex_(5)
    check(blas.dotu(u, v), u @ v)
    check(blas.dotc(u, v), np.vdot(u, v))
    check(blas.dotu(u, x[:5]), u @ x[:5])
    check(blas.nrm2(u), np.linalg.norm(u))
    check(blas.axpy(ALPHA, x, y.copy()), ALPHA * x + y)
    check(blas.axpy(1j, u, v.copy()), 1j * u + v)
    check(blas.axpby(ALPHA, x, BETA, y.copy()), ALPHA * x + BETA * y)
    check(blas.scal(2.0, x.copy()), 2 * x)
    check(blas.scal(2j, u.copy()), 2j * u)
    check(blas.copy(x, np.zeros(9)), x)
    check(blas.copy(u, np.zeros(5, complex)), u)
    a, b = x.copy(), y.copy()
    assert blas.swap(a, b)[0] is a
    check(a, y), check(b, x)
    c, s = 0.6, 0.8
    a, b = blas.rot(x.copy(), y.copy(), c, s)
    check(a, c * x + s * y), check(b, c * y - s * x)
    a, b = blas.rot(u.copy(), v.copy(), c, 0.8j)
    check(a, c * u + 0.8j * v), check(b, c * v + 0.8j * u)


def test_rotations():
    r, _, c, s = blas.rotg(3.0, 4.0)
    check((c * 3 + s * 4, c * 4 - s * 3), (r, 0))
    r, _, c, s = blas.rotg(3.0 + 1j, 4.0)
    check((c * (3 + 1j) + s * 4, c * 4 - np.conj(s) * (3 + 1j)), (r, 0))
    d1, d2, x1, parameter = blas.rotmg(1.0, 2.0, 3.0, 4.0)
    x, y = blas.rotm(np.array([3.0]), np.array([4.0]), parameter)
    check(y, [0.0]), check(x, [x1])
    check(d1 * x1**2, 1 * 3.0**2 + 2 * 4.0**2)


@pytest.mark.parametrize("triangle", ["lower", "upper"])
def test_matrix_and_vectors(triangle):
    a, x, y = real(4, 6), real(6), real(4)
    check(blas.gemv(ALPHA, a, x, BETA, y.copy()), ALPHA * a @ x + BETA * y)
    check(blas.gemv(ALPHA, a.T, y, BETA, x.copy()), ALPHA * a.T @ y + BETA * x)
    z = complex_(4, 6)
    check(blas.gemv(1j, z, x + 0j, 0.5j, y + 0j, conj=True), 1j * z.conj() @ x + 0.5j * y)
    p, q = blas.gemvt(ALPHA, a, y, BETA, x.copy(), np.zeros(4))
    check(p, ALPHA * a.T @ y + BETA * x), check(q, a @ p)
    s, h, v, w = real(4, 4), complex_(4, 4), real(4), complex_(4)
    check(blas.symv(ALPHA, s, v, BETA, y.copy(), triangle=triangle), ALPHA * full(s, triangle) @ v + BETA * y)
    check(blas.hemv(1j, h, w, 0.5, w[::-1].copy(), triangle=triangle), 1j * full(h, triangle, True) @ w + 0.5 * w[::-1])
    part = np.tril(s) if triangle == "lower" else np.triu(s)
    check(blas.trmv(s, v.copy(), triangle=triangle), part @ v)
    unit = part - np.diag(np.diag(part)) + np.eye(4)
    check(blas.trmv(s, v.copy(), triangle=triangle, unit=True), unit @ v)
    check(unit @ blas.trsv(s, v.copy(), triangle=triangle, unit=True), v)
    check(blas.ger(ALPHA, y, x, a.copy()), a + ALPHA * np.outer(y, x))
    check(blas.geru(1j, w, w[::-1].copy(), h.copy()), h + 1j * np.outer(w, w[::-1]))
    check(blas.gerc(1j, w, w[::-1].copy(), h.copy()), h + 1j * np.outer(w, w[::-1].conj()))
    check(blas.syr(ALPHA, v, s.copy(), triangle=triangle), merged(s + ALPHA * np.outer(v, v), s, triangle))
    both = np.outer(v, y) + np.outer(y, v)
    check(blas.syr2(ALPHA, v, y, s.copy(), triangle=triangle), merged(s + ALPHA * both, s, triangle))
    k = h + h.conj().T
    check(blas.her(ALPHA, w, k.copy(), triangle=triangle), merged(k + ALPHA * np.outer(w, w.conj()), k, triangle))
    u = complex_(4)
    both = 1j * np.outer(w, u.conj()) - 1j * np.outer(u, w.conj())
    check(blas.her2(1j, w, u, k.copy(), triangle=triangle), merged(k + both, k, triangle))


@pytest.mark.parametrize("triangle", ["lower", "upper"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_matrices(triangle, side):
    a, b, c = real(3, 5), real(5, 4), real(3, 4)
    check(blas.gemm(ALPHA, a, b, BETA, c.copy()), ALPHA * a @ b + BETA * c)
    u, v, w = complex_(3, 5), complex_(5, 4), complex_(3, 4)
    check(blas.gemm(1j, u, v, 1.0, w.copy(), conj_b=True), 1j * u @ v.conj() + w)
    n = 3 if side == "left" else 4
    s, h = real(n, n), complex_(n, n)

    def product(x, y):
        return x @ y if side == "left" else y @ x

    options = {"side": side, "triangle": triangle}
    check(blas.symm(ALPHA, s, c, BETA, c[::-1].copy(), **options), ALPHA * product(full(s, triangle), c) + BETA * c[::-1])
    check(blas.hemm(1j, h, w, 1.0, w[::-1].copy(), **options), 1j * product(full(h, triangle, True), w) + w[::-1])
    part = np.tril(s) if triangle == "lower" else np.triu(s)
    check(blas.trmm(ALPHA, s, c.copy(), **options), ALPHA * product(part, c))
    unit = part - np.diag(np.diag(part)) + np.eye(n)
    check(product(unit, blas.trsm(ALPHA, s, c.copy(), unit=True, **options)), ALPHA * c)
    m, k = real(3, 3), complex_(3, 3)
    k = k + k.conj().T
    check(blas.syrk(ALPHA, a, BETA, m.copy(), triangle=triangle), merged(ALPHA * a @ a.T + BETA * m, m, triangle))
    two = real(3, 5)
    both = ALPHA * (a @ two.T + two @ a.T) + BETA * m
    check(blas.syr2k(ALPHA, a, two, BETA, m.copy(), triangle=triangle), merged(both, m, triangle))
    check(blas.herk(ALPHA, u, BETA, k.copy(), triangle=triangle), merged(ALPHA * u @ u.conj().T + BETA * k, k, triangle))
    t = complex_(3, 5)
    both = 1j * u @ t.conj().T - 1j * t @ u.conj().T + BETA * k
    check(blas.her2k(1j, u, t, BETA, k.copy(), triangle=triangle), merged(both, k, triangle))


@given(st.sampled_from(["f32", "f16", "bf16", "e4m3", "i16"]), st.integers(1, 20), st.integers(1, 20), st.integers(0, 99))
def test_narrow_operands(name, m, n, seed):
    rng = np.random.default_rng(seed)
    a, x = steno.asarray(rng.normal(size=(m, n)), name), steno.asarray(rng.normal(size=n), "bf16")
    wide_a, wide_x = np.asarray(a.astype("f64")), np.asarray(x.astype("f64"))
    check(blas.gemv(1.0, a, x, 0.0, np.full(m, np.nan)), wide_a @ wide_x)
    y = blas.gemv(1.0, a, x, 0.0, steno.zeros(m, "f16"))
    np.testing.assert_allclose(np.asarray(y), wide_a @ wide_x, rtol=2**-10, atol=1e-6)
    c = blas.gemm(1.0, a, a.T, 0.0, np.zeros((m, m)), arithmetic="f32")
    np.testing.assert_allclose(c, wide_a @ wide_a.T, rtol=1e-4, atol=1e-4)


def test_invalid_arguments():
    x, a = np.ones(3), np.ones((3, 3))
    read_only = np.ones(3)
    read_only.flags.writeable = False
    cases = [
        (lambda: blas.axpy(1.0, x, np.ones(4)), steno.ShapeError),
        (lambda: blas.axpy(1.0, x, [1.0, 2.0, 3.0]), TypeError),
        (lambda: blas.axpy(1.0, x, read_only), ValueError),
        (lambda: blas.axpy("a", x, x.copy()), TypeError),
        (lambda: blas.axpy(1.0, x, x.copy(), arithmetic="f16"), TypeError),
        (lambda: blas.axpy(1j, x, x.copy()), TypeError),
        (lambda: blas.gemv(1.0, a, x, 0.0, x), steno.AliasError),
        (lambda: blas.gemv(1.0, x, x, 0.0, np.ones(3)), steno.ShapeError),
        (lambda: blas.symv(1.0, a, x, 0.0, np.ones(3), triangle="middle"), ValueError),
        (lambda: blas.symm(1.0, a, a, 0.0, np.ones((3, 3)), side="top"), ValueError),
        (lambda: blas.dot(x, np.array([object()] * 3)), TypeError),
        (lambda: blas.dot(x, 1j * x), TypeError),
        (lambda: blas.rotm(x.copy(), x.copy(), (1.0, 2.0)), TypeError),
    ]
    for call, error in cases:
        with pytest.raises(error):
            call()
