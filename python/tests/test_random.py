"""Random programs: any sequence of calls either works or raises an exception, and leaks nothing."""

import gc
import os
import tracemalloc

import numpy as np
import pytest

import steno

FORMATS = [*steno.formats(), "i8:row", "i16:3", "f17", "e4m3:1"]
FUNCTIONS = [np.add, np.multiply, np.divide, np.exp, np.maximum, np.less, np.negative, np.isnan, np.power, np.matmul]
REDUCTIONS = [steno.sum, steno.mean, steno.min, steno.max, steno.argmin, steno.argmax, steno.norm, steno.cumsum]
EXPECTED = (TypeError, ValueError, IndexError, BufferError, AttributeError, ArithmeticError, MemoryError)


def random_shape(rng):
    return tuple(int(n) for n in rng.integers(0, 5, rng.integers(0, 4)))


def random_key(rng):
    def part():
        kind = rng.integers(0, 8)
        if kind < 3:
            return int(rng.integers(-5, 5))
        if kind < 6:
            bounds = [None if rng.random() < 0.4 else int(n) for n in rng.integers(-6, 7, 3)]
            return slice(bounds[0], bounds[1], bounds[2])
        return [None, ..., [0, -1], np.array([True, False])][rng.integers(0, 4)]

    parts = tuple(part() for _ in range(rng.integers(0, 4)))
    return parts[0] if len(parts) == 1 else parts


def random_operand(rng, arrays):
    kind = rng.integers(0, 10)
    if kind < 6:
        return arrays[rng.integers(0, len(arrays))]
    if kind < 8:
        dtype = [np.float64, np.float16, np.int8, np.complex64, bool, object, ">f4"][rng.integers(0, 7)]
        return rng.integers(0, 3, random_shape(rng)).astype(dtype)
    return [2, 0.5, 1j, np.nan, None, "x", [1.0, 2.0], [[1], [2, 3]], np.float32(3)][rng.integers(0, 9)]


def step(rng, arrays):
    """Performs one random call; new arrays replace old ones."""
    a, b = random_operand(rng, arrays), random_operand(rng, arrays)
    kind = rng.integers(0, 16)
    if kind == 0:
        result = steno.empty(random_shape(rng), FORMATS[rng.integers(0, len(FORMATS))])
        result[...] = 1
    elif kind == 1:
        scale = [None, 0.5, "auto", "exact", np.nan, 0][rng.integers(0, 6)]
        result = steno.asarray(a, FORMATS[rng.integers(0, len(FORMATS))], scale=scale)
    elif kind == 2:
        result = a[random_key(rng)]
    elif kind == 3:
        a[random_key(rng)] = b
        return
    elif kind == 4:
        function = FUNCTIONS[rng.integers(0, len(FUNCTIONS))]
        result = function(*[a, b][: function.nin])
    elif kind == 5:
        function = FUNCTIONS[rng.integers(0, len(FUNCTIONS))]
        function(*[a, b][: function.nin], out=arrays[rng.integers(0, len(arrays))])
        return
    elif kind == 6:
        function = REDUCTIONS[rng.integers(0, len(REDUCTIONS))]
        result = function(a, [None, 0, -1, 2, (0, 1)][rng.integers(0, 5)])
    elif kind == 7:
        result = a @ b
    elif kind == 8:
        steno.axpy(2.0, a, b)
        return
    elif kind == 9:
        result = a.reshape(*random_shape(rng))
    elif kind == 10:
        result = a.T
    elif kind == 11:
        a += b
        return
    elif kind == 12:
        result = steno.from_dlpack(a)
    elif kind == 13:
        result = steno.from_codes(a, FORMATS[rng.integers(0, len(FORMATS))], scale=[1.0, 0.25][rng.integers(0, 2)])
    elif kind == 14:
        result = steno.asarray(np.asarray(a))
        repr(a)
    else:
        result = a.copy()
    if isinstance(result, steno.Array):
        assert result.size < 10**6 and np.asarray(result).shape == result.shape
        if result.size < 1000:
            arrays[rng.integers(0, len(arrays))] = result


def run_programs(count, seed):
    succeeded = 0
    for program in range(count):
        rng = np.random.default_rng((seed, program))
        arrays = [steno.ones((2, 3), "f16"), steno.ones(4, "i16", scale=0.5), steno.ones((3, 3))]
        for _ in range(8):
            try:
                with np.errstate(all="ignore"):
                    step(rng, arrays)
                succeeded += 1
            except EXPECTED:
                pass
    return succeeded


def test_random_programs():
    count = 100_000 if os.environ.get("STENO_TEST_FULL") else 500
    assert run_programs(count, 1) > 2 * count


def assign(a, b):
    a[...] = b


def add_in_place(a, b):
    a += b


CALLS = {
    "add": np.add,
    "add with out": lambda a, b: np.add(a, 1, out=b),
    "add in place": add_in_place,
    "less": np.less,
    "matmul": steno.matmul,
    "matmul with out": lambda a, b: steno.matmul(a, a, out=b),
    "dot": steno.dot,
    "axpy": lambda a, b: steno.axpy(2.0, a, b),
    "sum": lambda a, b: steno.sum(a, 0, b),
    "cumsum": lambda a, b: steno.cumsum(a, 0),
    "assign": assign,
    "indices": lambda a, b: (a[::-1], a[0], a[..., None], a[[0]]),
    "reshape": lambda a, b: (a.T.reshape(-1), a.copy()),
    "asarray": lambda a, b: (steno.asarray(b, "i8:2"), steno.asarray(b, "bf16")),
    "codes": lambda a, b: (a.codes, a.scales, np.asarray(a), np.asarray(a, np.complex128)),
    "dlpack": lambda a, b: steno.from_dlpack(a),
}
OPERANDS = [
    lambda: steno.ones((2, 2), "f16"),
    lambda: steno.array([[1.0, 2.0], [3.0, 4.0]], "i8:row"),
    lambda: steno.ones(2, "c64"),
    lambda: np.ones(3),
    lambda: np.ones(2, object),
    lambda: 0.5,
    lambda: "x",
]


@pytest.mark.parametrize("name", CALLS)
def test_memory_is_released(name):
    """Successful and failing calls leave no memory allocated."""

    def repeat(count):
        for _ in range(count):
            for first in OPERANDS[:3]:
                for second in OPERANDS:
                    try:
                        CALLS[name](first(), second())
                    except EXPECTED:
                        pass
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        repeat(30)
        before = repeat(30)
        assert repeat(100) - before < 20_000  # an array has 350 bytes; caches of attributes grow slowly
    finally:
        tracemalloc.stop()
