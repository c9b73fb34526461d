"""Executors and threads."""

import concurrent.futures
import os
import signal
import threading

import numpy as np
import pytest

import steno


def test_nesting():
    before = steno._core.current_executor()
    with steno.executor("reference") as outer:
        assert steno._core.current_executor()[0] == "reference"
        with steno.executor("threads:threads=3") as inner:
            assert steno._core.current_executor() == ("threads", 3)
            assert (inner.name, inner.threads, inner.resource) == ("threads", 3, "threads:threads=3")
        assert steno._core.current_executor()[0] == outer.name == "reference"
    assert steno._core.current_executor() == before
    assert repr(outer) == "steno.executor('reference')"


def test_exit_by_exception():
    with pytest.raises(KeyError):
        with steno.executor("reference"):
            raise KeyError
    assert steno._core.current_executor()[0] == "threads"


def test_wrong_use():
    with pytest.raises(ValueError):
        steno.executor("fast")
    with pytest.raises(ValueError):
        steno.executor("threads:threads=0")
    with pytest.raises(TypeError):
        steno.executor(3)
    with pytest.raises(TypeError):
        steno.executor("openmp")  # the package has no OpenMP
    one, two = steno.executor("reference"), steno.executor("reference")
    with pytest.raises(RuntimeError):
        one.__exit__(None, None, None)
    with one, two:
        with pytest.raises(RuntimeError):
            one.__exit__(None, None, None)


@pytest.mark.parametrize("resource", ["reference", "threads:threads=1", "threads:threads=3"])
def test_same_bits(resource):
    x = np.random.default_rng(1).normal(size=50_000)
    a, b = steno.asarray(x, "f16"), steno.asarray(x[::-1], "i16")
    expected = [steno.dot(a, b), steno.sum(a), steno.norm(b), np.asarray(a * b).tobytes()]
    with steno.executor(resource):
        assert [steno.dot(a, b), steno.sum(a), steno.norm(b), np.asarray(a * b).tobytes()] == expected


def test_executors_belong_to_threads():
    names = []
    with steno.executor("reference"):
        thread = threading.Thread(target=lambda: names.append(steno._core.current_executor()[0]))
        thread.start()
        thread.join()
    assert names == ["threads"]


def test_concurrent_calls():
    x = steno.asarray(np.arange(10_000.0), "f32")
    results = []

    def work():
        for _ in range(50):
            results.append((steno.sum(x), (x + x)[5], steno.dot(x, x)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 200 and len(set(results)) == 1


def test_gil_is_released():
    """Another thread runs while one call computes."""
    x = np.random.default_rng(0).normal(size=(200, 200))
    with_threads = []

    def count():
        while not done.is_set():
            with_threads.append(1)
            done.wait(0.0005)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    with steno.executor("reference"):
        steno.matmul(steno.asarray(x, "f32"), x)
    seen = len(with_threads)
    done.set()
    thread.join()
    assert seen > 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork():
    x = steno.ones(100_000, "f16")
    assert x.sum() == 100_000
    child = os.fork()
    if child == 0:
        os._exit(0 if x.sum() == 100_000 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_share_matrices():
    """Calls that change a matrix wait for those that read it, and products wait for changes."""
    n = 40_000
    column = np.random.default_rng(0).integers(0, n, 3 * n).astype(np.int32)
    a = steno.sparse.csr((np.ones(3 * n), column, np.arange(0, 3 * n + 1, 3)), "f16", shape=(n, n))
    x = np.random.default_rng(1).normal(size=n)
    expected = (a @ x).tobytes()

    def solve():
        operator = steno.linalg.cg(a, x, maxiter=3, callback=lambda progress: a @ x)
        return operator[0].size

    calls = [
        lambda: a.optimize(1000, kind="sliced")["kind"] == "sliced",
        lambda: a.optimize(0)["reason"],
        lambda: a.convert("sliced").nnz == 3 * n,
        lambda: (a @ x).tobytes() == expected,
        lambda: a.update_values() is None,
        lambda: a.nbytes and a.T.nnz == 3 * n,
        solve,
    ]
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        assert all(pool.map(lambda k: bool(calls[k % len(calls)]()), range(8 * len(calls))))


def test_solvers_do_not_change_their_matrix():
    """A change would wait for its own caller."""
    a = steno.sparse.csr(np.eye(9) * 2.0)
    for change in (a.update_values, lambda: a.optimize(0)):
        with pytest.raises(RuntimeError, match="cannot change a matrix"):
            steno.linalg.cg(a, np.arange(9.0), callback=lambda progress: change())
    assert np.array_equal(a @ np.ones(9), np.full(9, 2.0))
    a.optimize(0)


def test_interrupted_wait():
    """Ctrl-C ends the wait for a solve of another thread, which continues."""
    a = steno.sparse.csr(np.eye(9) * 2.0)
    started, done = threading.Event(), threading.Event()

    def interrupt(progress):
        if not started.is_set():
            started.set()
            threading.Timer(0.05, signal.raise_signal, [signal.SIGALRM]).start()
            assert done.wait(60)

    thread = threading.Thread(target=lambda: steno.linalg.cg(a, np.arange(9.0), callback=interrupt))
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)  # shells can ignore SIGINT in the background
    try:
        with pytest.raises(KeyboardInterrupt):
            thread.start()
            assert started.wait(60)
            a.optimize(0)
    finally:
        done.set()
        thread.join()
        signal.signal(signal.SIGALRM, previous)
    assert a.optimize(0)["reason"]
