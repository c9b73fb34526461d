"""Solvers, compared with scipy.sparse.linalg."""

import gc
import signal
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steno
from steno import linalg

sp = pytest.importorskip("scipy.sparse")
scipy_linalg = pytest.importorskip("scipy.sparse.linalg")

SOLVERS = ("cg", "gmres", "minres", "bicgstab")


def laplacian(n, wind=0.0):
    """The 5-point matrix of n x n points; with wind it is not symmetric."""
    line = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    slope = sp.diags([-wind, wind], [-1, 1], shape=(n, n))
    one = sp.identity(n)
    return (sp.kron(line + slope, one) + sp.kron(one, line)).tocsr()


def matrix_of(solver, n=16):
    return laplacian(n, 0.3 if solver in ("gmres", "bicgstab") else 0.0)


def right_side(matrix, seed=0):
    return np.random.default_rng(seed).normal(size=matrix.shape[0])


def residual(matrix, x, b):
    return np.linalg.norm(matrix @ x - b) / np.linalg.norm(b)


def solve_by_scipy(solver, matrix, b, rtol, **options):
    count = [0]

    def count_up(_):
        count[0] += 1

    if solver == "gmres":
        options["callback_type"] = "pr_norm"
    name = "rtol" if "rtol" in scipy_linalg.cg.__doc__.split("maxiter")[0] else "tol"
    x, info = getattr(scipy_linalg, solver)(matrix, b, callback=count_up, **{name: rtol}, **options)
    assert info == 0
    return count[0]


@pytest.mark.parametrize("solver", SOLVERS)
def test_iterations_are_those_of_scipy(solver):
    matrix = matrix_of(solver)
    b = right_side(matrix)
    report = linalg.Report()
    x, info = getattr(linalg, solver)(matrix, b, rtol=1e-8, report=report)
    assert info == 0 and isinstance(x, np.ndarray) and x.shape == b.shape and x.dtype == np.float64
    assert residual(matrix, x, b) <= 1.001e-8
    assert report.reason == "converged" and len(report.history) == report.iterations
    assert report.history[-1] <= 1e-8
    if solver != "minres":  # SciPy stops earlier, by another criterion
        count = solve_by_scipy(solver, matrix, b, 1e-8)
        assert abs(report.iterations - count) <= max(1, count // 10)


@given(st.integers(1, 12), st.sampled_from(SOLVERS), st.integers(0, 2**32 - 1))
def test_random_systems(n, solver, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(n, n)) / (4 * np.sqrt(n)) + 2 * np.eye(n)
    if solver in ("cg", "minres"):
        matrix = (matrix + matrix.T) / 2
    b = rng.normal(size=n)
    x, info = getattr(linalg, solver)(matrix, b, rtol=1e-9)
    assert info == 0
    np.testing.assert_allclose(x, np.linalg.solve(matrix, b), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("basis", ["f16", "i16", "i16:32", "bf16", np.float32])
def test_basis(basis):
    matrix = matrix_of("gmres", 24)
    b = right_side(matrix)
    wide, narrow = linalg.Report(), linalg.Report()
    linalg.gmres(matrix, b, rtol=1e-6, restart=30, report=wide)
    x, info = linalg.gmres(matrix, b, rtol=1e-6, restart=30, basis=basis, report=narrow)
    assert info == 0 and residual(matrix, x, b) <= 1.001e-6
    limit = 1.3 if basis == "bf16" else 1.1
    assert narrow.iterations <= limit * wide.iterations
    assert narrow.restarts >= (narrow.iterations - 1) // 30


@pytest.mark.parametrize("orthogonalization", [None, "once", "if_needed", "twice", "delayed", "sketched"])
def test_orthogonalization(orthogonalization):
    a = steno.sparse.csr(np.diag(np.arange(4.0, 34.0)) + np.diag(np.ones(29), 1))
    b = a @ np.ones(30)
    x, info = linalg.gmres(a, b, rtol=1e-12, restart=30, orthogonalization=orthogonalization)
    assert info == 0 and np.allclose(x, 1.0, atol=1e-10)
    with pytest.raises(ValueError, match="orthogonalization is 'thrice', which is not one of None, 'once'"):
        linalg.gmres(a, b, orthogonalization="thrice")


@pytest.mark.parametrize("kind", ["csr", "sliced", "coo", "ell"])
def test_kinds_of_operators(kind):
    matrix = matrix_of("gmres", 10)
    b = right_side(matrix)
    narrow = steno.sparse.csr(matrix, "f16").convert(kind)
    operator = scipy_linalg.aslinearoperator(matrix)
    results = [
        linalg.gmres(a, b, rtol=1e-8)[0]
        for a in (matrix, matrix.tocoo(), narrow, operator, matrix.toarray(), steno.asarray(matrix.toarray(), "f32"))
    ]
    for x in results:  # all elements are exact in f16 except those of the wind
        np.testing.assert_allclose(x, results[0], rtol=0, atol=5e-3)


class Operator:
    """An operator without the classes of SciPy, whose result is a column."""

    def __init__(self, matrix):
        self.matrix, self.shape = matrix, matrix.shape
        self.calls = []

    def matvec(self, x):
        self.calls.append(x)
        return (self.matrix @ x).reshape(-1, 1)


def test_vectors_of_functions_remain_valid():
    matrix = laplacian(8)
    operator = Operator(matrix)
    b = right_side(matrix)
    x, info = linalg.cg(operator, b, rtol=1e-10)
    assert info == 0 and residual(matrix, x, b) < 1e-9
    gc.collect()
    assert len(operator.calls) > 5
    assert all(isinstance(v, np.ndarray) and v.shape == b.shape and np.isfinite(v).all() for v in operator.calls)


@pytest.mark.parametrize("format", [None, "f32", "f16", "e4m3", "i16"])
def test_incomplete_factors(format):
    matrix = matrix_of("gmres")
    b = right_side(matrix)
    plain, report = linalg.Report(), linalg.Report()
    linalg.gmres(matrix, b, rtol=1e-8, report=plain)
    m = linalg.ilu(matrix, format)
    for side in ("right", "left"):
        x, info = linalg.gmres(matrix, b, rtol=1e-8, preconditioner=m, side=side, report=report)
        assert info == 0 and residual(matrix, x, b) <= 1.001e-8
        assert report.iterations < 0.6 * plain.iterations
    assert m.shape == matrix.shape and m.nbytes > 0 and m.levels[0] > 1
    symmetric = laplacian(16)
    linalg.cg(symmetric, b, rtol=1e-8, report=plain)
    linalg.cg(symmetric, b, rtol=1e-8, M=linalg.ic(symmetric, format), report=report)
    assert report.iterations < 0.6 * plain.iterations


def test_preconditioners_as_operators():
    matrix = matrix_of("gmres")
    b = right_side(matrix)
    m = linalg.ilu(matrix, "f16")
    np.testing.assert_array_equal(m @ b, m.aslinearoperator() @ b)
    assert isinstance(m @ steno.asarray(b), steno.Array)
    count = solve_by_scipy("bicgstab", matrix, b, 1e-8, M=m.aslinearoperator())
    report = linalg.Report()
    for inverse in (m, m.aslinearoperator(), Operator(np.linalg.inv(matrix.toarray()))):
        x, info = linalg.bicgstab(matrix, b, rtol=1e-8, M=inverse, report=report)
        assert info == 0 and report.iterations <= count + 2
    x, info = linalg.bicgstab(matrix, b, rtol=1e-8, M=sp.diags(1 / matrix.diagonal()))
    assert info == 0


def test_block_jacobi():
    blocks = sp.block_diag([np.array([[4.0, 1.0], [2.0, 3.0]])] * 20).tocsr()
    b = np.ones(40)
    m = linalg.block_jacobi(blocks, "f64", block_starts=np.arange(0, 41, 2))
    assert m.blocks == 20
    np.testing.assert_allclose(blocks @ (m @ b), b)
    assert linalg.block_jacobi(blocks, max_block_rows=1).blocks == 40
    for starts in ([0, 50], [0.5, 1.0], [[0]], []):
        with pytest.raises(ValueError):
            linalg.block_jacobi(blocks, block_starts=starts)


def test_refine():
    matrix = laplacian(24)
    b = right_side(matrix)
    a = steno.sparse.csr(0.3 * matrix)
    report = linalg.Report()
    x, info = linalg.refine(a, b, inner="cg", approximation=a.compensate("f16"), report=report)
    assert info == 0 and residual(0.3 * matrix, x, b) <= 1e-10
    assert 1 < report.restarts < 12 and report.inner_iterations > report.restarts
    x, info = linalg.refine(a, b, inner="gmres", basis="i16:32", restart=30, M=linalg.ilu(a, "f16"))
    assert info == 0 and residual(0.3 * matrix, x, b) <= 1e-10
    x, info = linalg.refine(a, b, inner="cg", inner_arithmetic="f32")
    assert info == 0


def test_complex_systems():
    matrix = laplacian(12) + 0.2j * sp.identity(144)
    b = right_side(matrix)
    for basis in (None, "f16"):
        x, info = linalg.gmres(matrix, b, rtol=1e-6, restart=50, basis=basis)
        assert info == 0 and x.dtype == np.complex128 and residual(matrix, x, b) <= 1.001e-6
    m = linalg.ilu(matrix, "c32")
    x, info = linalg.gmres(matrix, b + 1j, rtol=1e-6, M=m)
    assert info == 0 and residual(matrix, x, b + 1j) <= 1.001e-6
    x, info = linalg.gmres(scipy_linalg.aslinearoperator(matrix), b, rtol=1e-6)
    assert info == 0 and residual(matrix, x, b) <= 1.001e-6
    real = laplacian(12)
    x, info = linalg.cg(scipy_linalg.aslinearoperator(real), b + 1j * b, rtol=1e-6)
    assert info == 0 and residual(real, x, b + 1j * b) <= 1.001e-6


def test_several_columns():
    matrix = laplacian(10)
    b = np.random.default_rng(0).normal(size=(100, 3))
    report = linalg.Report()
    x, info = linalg.cg(matrix, b, rtol=1e-9, report=report)
    assert info == 0 and x.shape == (100, 3) and report.columns == 3
    np.testing.assert_array_equal(x[:, 1], linalg.cg(matrix, b[:, 1], rtol=1e-9)[0])


def test_initial_guess_and_results():
    matrix = laplacian(10)
    b = right_side(matrix)
    x, _ = linalg.cg(matrix, b, rtol=1e-10)
    guess = x.copy()
    report = linalg.Report()
    again, info = linalg.cg(matrix, b, x0=guess, rtol=1e-9, report=report)
    assert info == 0 and report.iterations == 0 and np.array_equal(guess, x) and again is not guess
    array, _ = linalg.cg(matrix, steno.asarray(b, "f32"), rtol=1e-6)
    assert isinstance(array, steno.Array) and array.format == "f64"
    assert linalg.cg(matrix, b, arithmetic="f32", rtol=1e-4)[0].dtype == np.float32
    zero, info = linalg.cg(matrix, np.zeros(100))
    assert info == 0 and not zero.any()
    shifted, info = linalg.minres(matrix, b, shift=0.5, rtol=1e-8)
    assert info == 0 and residual(matrix - 0.5 * sp.identity(100), shifted, b) < 1e-7


def test_limits():
    matrix = laplacian(20)
    b = right_side(matrix)
    report = linalg.Report()
    x, info = linalg.cg(matrix, b, rtol=1e-12, maxiter=5, report=report)
    assert info == 5 and report.iterations == 5 and np.isfinite(x).all()
    _, info = linalg.gmres(matrix, b, rtol=1e-12, restart=4, maxiter=3, report=report)
    assert info == report.iterations == 12
    _, info = linalg.cg(-matrix, b, report=report)
    assert info < 0 and report.reason != "converged"
    singular = sp.csr_matrix(np.diag([1.0, 0.0]))
    assert linalg.gmres(singular, np.ones(2))[1] != 0
    _, info = linalg.cg(matrix, np.full(400, np.nan))
    assert info == -12


def test_callbacks():
    matrix = laplacian(16)
    b = right_side(matrix)
    seen = []
    report = linalg.Report()
    linalg.cg(matrix, b, callback=seen.append, report=report)
    assert [p.iteration for p in seen] == list(range(1, report.iterations + 1))
    assert [float(p) for p in seen] == report.history.tolist()
    assert all(p.seconds >= 0 for p in seen)

    def stop(progress):
        if progress.iteration == 7:
            raise StopIteration

    x, info = linalg.cg(matrix, b, callback=stop, report=report)
    assert info == report.iterations == 7 and report.reason != "converged"


class Failure(Exception):
    pass


def fail(*_):
    raise Failure("this function fails")


@pytest.mark.parametrize("solver", [*SOLVERS, "refine"])
def test_exceptions_reach_the_caller(solver):
    matrix = laplacian(8)
    b = right_side(matrix)
    solve = getattr(linalg, solver)
    broken = scipy_linalg.LinearOperator(matrix.shape, matvec=fail, dtype=float)
    with pytest.raises(Failure):
        solve(matrix, b, callback=fail)
    with pytest.raises(Failure):
        solve(broken, b)
    with pytest.raises(Failure):
        solve(matrix, b, M=broken)
    if solver == "refine":
        with pytest.raises(Failure):
            solve(matrix, b, approximation=broken)
    for wrong in (lambda x: x[:-1], lambda x: "text", lambda x: None, lambda x: np.ones((2, 2, 2))):
        operator = Operator(matrix)
        operator.matvec = wrong
        with pytest.raises((TypeError, ValueError)):
            solve(operator, b)
    assert solve(matrix, b)[1] == 0


def test_interrupts():
    """A signal whose handler raises an exception ends a solve that would run for long."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals are handled by the main thread")
    matrix = laplacian(200)
    b = right_side(matrix)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        advice = steno.advise(steno.sparse.csr(matrix), 1e-300)
        options = {"rtol": 1e-300, "maxiter": 10**7}
        for solve in (
            lambda: linalg.cg(matrix, b, **options),
            lambda: linalg.refine(matrix, b, **options),
            lambda: advice.solve(b),
        ):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            begin = time.process_time()
            with pytest.raises(KeyboardInterrupt):
                solve()
            assert time.process_time() - begin < 10
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_threads():
    """Threads share a matrix and a preconditioner."""
    matrix = matrix_of("gmres")
    a, m = steno.sparse.csr(matrix, "f16"), linalg.ilu(matrix, "f16")
    b = right_side(matrix)
    expected = linalg.gmres(a, b, M=m)[0]
    results = [None] * 4

    def work(k):
        results[k] = linalg.gmres(a, b, M=m)[0]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(x, expected) for x in results)


def test_invalid_arguments():
    matrix = laplacian(4)
    b = np.ones(16)
    cases = [
        (lambda: linalg.cg(matrix, np.ones(15)), ValueError),
        (lambda: linalg.cg(matrix[:, :8], b), ValueError),
        (lambda: linalg.cg(np.ones(16), b), ValueError),
        (lambda: linalg.cg(None, b), (TypeError, ValueError)),
        (lambda: linalg.cg("matrix", b), (TypeError, ValueError)),
        (lambda: linalg.cg(matrix, np.array([object()] * 16)), TypeError),
        (lambda: linalg.cg(matrix, 1.0), ValueError),
        (lambda: linalg.cg(matrix, b, x0=np.ones(3)), ValueError),
        (lambda: linalg.cg(matrix, b, rtol=-1.0), ValueError),
        (lambda: linalg.cg(matrix, b, rtol=float("nan")), ValueError),
        (lambda: linalg.cg(matrix, b, rtol="small"), TypeError),
        (lambda: linalg.cg(matrix, b, maxiter=0), ValueError),
        (lambda: linalg.cg(matrix, b, maxiter=1.5), (TypeError, AttributeError)),
        (lambda: linalg.cg(matrix, b, callback=3), TypeError),
        (lambda: linalg.cg(matrix, b, report={}), TypeError),
        (lambda: linalg.cg(matrix, b, arithmetic="f16"), TypeError),
        (lambda: linalg.cg(matrix, b, arithmetic="c128", x0=None, M=None), None),
        (lambda: linalg.cg(1j * matrix, b, arithmetic="f64"), (TypeError, ValueError)),
        (lambda: linalg.cg(matrix, b, M=np.eye(15)), ValueError),
        (lambda: linalg.cg(matrix, b, M=np.eye(16), preconditioner=np.eye(16)), ValueError),
        (lambda: linalg.gmres(matrix, b, basis="u16"), TypeError),
        (lambda: linalg.gmres(matrix, b, basis="f17"), steno.FormatError),
        (lambda: linalg.gmres(matrix, b, basis="i16:row"), ValueError),
        (lambda: linalg.gmres(matrix, b, basis="i16:7"), (ValueError, TypeError)),
        (lambda: linalg.gmres(matrix, b, restart=-1), ValueError),
        (lambda: linalg.gmres(matrix, b, side="top"), ValueError),
        (lambda: linalg.gmres(matrix, b, callback_type="x"), ValueError),
        (lambda: linalg.refine(matrix, b, inner="direct"), ValueError),
        (lambda: linalg.ilu(sp.csr_matrix(np.array([[0.0, 1.0], [1.0, 0.0]]))), ValueError),
        (lambda: linalg.ic(-matrix), ValueError),
        (lambda: linalg.ilu(matrix, "u8"), TypeError),
        (lambda: linalg.ilu(matrix) @ np.ones(3), ValueError),
    ]
    for call, error in cases:
        if error is None:
            call()
            continue
        with pytest.raises(error):
            call()


def test_no_leaks():
    matrix = laplacian(8)
    b = right_side(matrix)

    def work():
        m = linalg.ilu(matrix, "f16")
        linalg.gmres(matrix, b, M=m, basis="f16", callback=lambda p: None, report=linalg.Report())
        linalg.gmres(Operator(matrix), b, M=m)
        for broken in ({"callback": fail}, {"M": scipy_linalg.LinearOperator(matrix.shape, matvec=fail, dtype=float)}):
            with pytest.raises(Failure):
                linalg.cg(matrix, b, **broken)
        with pytest.raises(ValueError):
            linalg.cg(matrix, np.ones(3))

    for _ in range(3):
        work()
    gc.collect()
    tracemalloc.start()
    work()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    references = sys.getrefcount(b)
    for _ in range(20):
        work()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 8000
    assert sys.getrefcount(b) == references
