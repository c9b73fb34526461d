"""Wrong use: the right exception, and an interpreter that goes on."""

import os
import resource
import subprocess
import sys

import numpy as np
import pytest

import steno


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        object(),
        "text",
        ["a", "b"],
        [object()],
        np.array([object()]),
        np.array(["2020-01-01"], "datetime64[D]"),
        np.zeros(2, np.longdouble),
        np.zeros(2, [("a", np.int32)]),
        {1: 2},
        [[1.0, 2.0], [3.0]],
        [1.0, [2.0, 3.0]],
    ],
    ids=str,
)
def test_wrong_elements(wrong):
    for call in (steno.asarray, lambda a: steno.dot(a, a), steno.sum, lambda a: steno.asarray(a, "f16")):
        with pytest.raises((TypeError, ValueError)):
            call(wrong)


def test_wrong_shapes():
    for shape in (-1, (2, -3), (1,) * 9):
        with pytest.raises(ValueError):
            steno.zeros(shape)
    for shape in ("x", 1.5, (1.5,), None):
        with pytest.raises(TypeError):
            steno.zeros(shape)
    with pytest.raises(ValueError):
        steno.asarray(np.zeros((1,) * 9))
    for shape in (2**62, (2**40, 2**40), (2**31, 2**31, 2)):
        with pytest.raises((ValueError, MemoryError)):
            steno.zeros(shape)
    with pytest.raises(ValueError):
        steno.zeros(2**70)
    assert steno.zeros((0, 2**40)).size == 0


def test_masked_arrays():
    """Elements cannot be missing: masked arrays are refused unless nothing is masked."""
    m = np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0])
    a, square = steno.ones(3, "f16"), np.ma.masked_array(np.eye(3), np.eye(3))
    calls = [
        lambda: steno.asarray(m),
        lambda: steno.asarray(m, "f16"),
        lambda: steno.array(m, "i16:row"),
        lambda: steno.from_codes(m),
        lambda: steno.from_dlpack(m),
        lambda: steno.sum(m),
        lambda: steno.dot(a, m),
        lambda: np.add(a, m),
        lambda: np.add(a, a, out=m),
        lambda: a.__setitem__(slice(None), m),
        lambda: a.__iadd__(m),
        lambda: steno.blas.dot(a, m),
        lambda: steno.kernel("y = 2 * x")(m),
        lambda: steno.sparse.csr(square),
        lambda: steno.sparse.csr(square, "i8:row"),
        lambda: steno.sparse.csr((m, [0, 1, 2], [0, 1, 2, 3])),
        lambda: steno.linalg.cg(np.eye(3), m),
        lambda: steno.advise(m, 0.1),
        lambda: steno.io.mmwrite(os.devnull, square),
        lambda: steno.asarray(np.ma.masked),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="masked"):
            call()
    assert a.tolist() == [1, 1, 1] and m.data.tolist() == [1, 2, 3]
    for result in (a + m, m + a, np.divmod(m, a)[0]):  # those of NumPy keep the mask
        assert result.mask.tolist() == [False, True, False]
    complete = np.ma.masked_array([1.0, 2.0])
    assert steno.asarray(complete).tolist() == [1, 2] and np.shares_memory(steno.asarray(complete).codes, complete.data)


def test_iteration():
    a = steno.array([[1.0, 2.0], [3.0, 4.0]], "f16")
    assert [row.tolist() for row in a] == [[1, 2], [3, 4]] and list(a[1]) == [3.0, 4.0]
    assert list(reversed(a[0])) == [2.0, 1.0] and 3.0 in a and 5.0 not in a
    assert list(steno.zeros((0, 3))) == []
    with pytest.raises(TypeError, match="iterated"):
        iter(steno.zeros(()))


def test_undetermined_extents():
    empty = steno.zeros((0, 3))
    assert empty.reshape(-1, 3).shape == (0, 3)
    with pytest.raises(ValueError, match="not determined"):
        empty.reshape(-1, 0)


def test_wrong_options():
    for options in (
        {"rounding": "up"},
        {"overflow": "wrap"},
        {"scale": float("nan")},
        {"scale": float("inf")},
        {"scale": 0.0},
        {"scale": "large"},
        {"zero_point": float("nan"), "scale": 1.0},
        {"zero_point": 1.0, "scale": "auto"},
    ):
        with pytest.raises(ValueError):
            steno.asarray([1.0, 2.0], "i8", **options)
    for options in ({"scale": []}, {"zero_point": "x", "scale": 1.0}, {"seed": "x", "scale": 1.0}):
        with pytest.raises(TypeError):
            steno.asarray([1.0, 2.0], "i8", **options)
    for name in ("i8:0", "i8:-1", "i8:x", "i8:", "i8:1.5"):
        with pytest.raises(ValueError):
            steno.asarray([1.0, 2.0], name)
    with pytest.raises(ValueError):
        steno.asarray([1.0], "i8:4", scale=2.0)
    with pytest.raises(ValueError):
        steno.asarray(1.0, "i8:4")
    with pytest.raises(ValueError):
        steno.asarray([-1.0], "u8")  # no scale makes the value fit
    with pytest.raises(TypeError):
        steno.array([1.0], copy=True, unknown=1)


def test_wrong_codes():
    codes = np.zeros((2, 4), np.int8)
    for options in (
        {"scales": np.zeros((3, 1))},
        {"scales": np.ones((3, 1))},
        {"scales": np.full((2, 1), np.nan)},
        {"scales": np.ones((2, 3)), "block": 2},
        {"block": 2},
        {"format": "i16"},
        {"scales": np.ones((1, 1, 1))},
    ):
        with pytest.raises(ValueError):
            steno.from_codes(codes, **options)
    with pytest.raises(ValueError):
        steno.from_codes(steno.ones(2, "i8", scale=0.5))


def test_attributes_cannot_be_set():
    a = steno.zeros(3)
    for name in ("shape", "format", "scale", "unknown"):
        with pytest.raises(AttributeError):
            setattr(a, name, 1)
    with pytest.raises(TypeError):
        steno.Array()
    with pytest.raises(TypeError):
        steno._core.ArrayBase()


def test_results_that_cannot_be_written():
    frozen = steno.asarray(np.broadcast_to(1.0, (3,)))
    constant = np.ones(3)
    constant.flags.writeable = False
    repeated = steno.asarray(np.lib.stride_tricks.as_strided(np.ones(1), (3,), (0,)))
    x = steno.ones(4)
    for out in (frozen, constant, repeated):
        for call in (
            lambda: np.add(np.ones(3), 1, out=out if isinstance(out, steno.Array) else steno.asarray(out)),
            lambda: steno.axpy(1.0, np.ones(3), out),
            lambda: steno.matmul(np.ones((3, 2)), np.ones(2), out),
            lambda: steno.sum(np.ones((2, 3)), 0, out),
            lambda: steno.cumsum(np.ones(3), 0, out),
        ):
            with pytest.raises(ValueError):
                call()
    with pytest.raises(ValueError):
        frozen += 1
    with pytest.raises(ValueError):
        frozen.fill(2)
    with pytest.raises(steno.AliasError):
        steno.axpy(2.0, x[1:], x[:-1])
    with pytest.raises(steno.AliasError):
        steno.cumsum(x, 0, out=x)
    assert x.tolist() == [1, 1, 1, 1] and frozen.tolist() == [1, 1, 1]


def test_error_classes():
    for error in (steno.ShapeError, steno.ArgumentError, steno.AliasError, steno.RangeError):
        assert issubclass(error, steno.Error) and issubclass(error, ValueError) and error.status
    assert issubclass(steno.AllocationError, MemoryError)
    with pytest.raises(steno.ShapeError, match="x"):
        steno.dot([1.0], [1.0, 2.0])


def test_core_functions_check_arguments():
    """Functions of the extension that the Python layer calls survive wrong arguments."""
    core = steno._core
    a = steno.zeros(3)
    bad = [None, 5, "x", (), [], a, object()]
    for name in dir(core):
        function = getattr(core, name)
        if name.startswith("_") or name == "connect" or isinstance(function, type) or not callable(function):
            continue
        for count in range(5):
            for value in bad:
                try:
                    function(*[value] * count)
                except Exception as error:
                    assert not isinstance(error, SystemError), (name, count, value)


def run(program, **limits):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, **limits)


def test_exhausted_memory():
    program = """
import resource, numpy as np, steno
a = steno.ones(10**6, "f32")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**26, used + 2**26))
for call in (lambda: steno.zeros(10**8), lambda: steno.empty(10**8), lambda: a.astype("f64").astype("c128"),
             lambda: np.add.outer(np.ones(10**4), 1) + steno.ones((10**4, 10**4)) ):
    kept = []
    try:
        for k in range(100):
            kept.append(call())
    except MemoryError as error:
        print(type(error).__name__)
    del kept
print(a.sum())
"""
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "1000000.0" and done.stdout.count("Error") == 4


def test_subinterpreter_is_refused():
    program = """
import steno
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
identifier = interpreters.create()
try:
    result = interpreters.run_string(identifier, "import steno")
    print(result)
except Exception as error:
    print(error)
print(steno.sum([1.0]))
"""
    done = run(program)
    assert "subinterpreter" in done.stdout and done.stdout.split()[-1] == "1.0", done.stdout + done.stderr


def test_second_module_is_refused():
    program = """
import sys, steno
for name in [name for name in sys.modules if name.startswith("steno")]:
    del sys.modules[name]
try:
    import steno as again
except ImportError as error:
    print(error)
print(steno.sum([1.0]))
"""
    done = run(program)
    assert "already loaded" in done.stdout and done.stdout.split()[-1] == "1.0", done.stdout + done.stderr


def test_environment():
    import os

    environment = {**os.environ, "STENO_NUM_THREADS": "x"}
    done = run("import steno\ntry:\n    steno.sum([1.0])\nexcept ValueError as e:\n    print(e)", env=environment)
    assert "STENO_NUM_THREADS" in done.stdout
    environment["STENO_NUM_THREADS"] = "2"
    done = run("import steno\nprint(steno._core.current_executor())", env=environment)
    assert done.stdout.strip() == "('threads', 2)"
