"""Executors and threads."""

import os
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
