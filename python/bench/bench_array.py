"""Times of calls and of conversions, next to NumPy and ml_dtypes: the tables of doc/python.md."""

import statistics
import time
import timeit

import ml_dtypes
import numpy as np

import steno

FORMATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}


def shortest(function, calls=1, rounds=9):
    return min(timeit.repeat(function, number=calls, repeat=rounds)) / calls


def print_calls():
    x = np.arange(8.0)
    print("calls on 8 elements, us")
    print(f"  dot of f64, NumPy  {1e6 * shortest(lambda: np.dot(x, x), 20_000):.2f}")
    for name in ("f64", "f16", "i16"):
        a = steno.asarray(x, name)
        print(f"  dot of {name}         {1e6 * shortest(lambda: steno.dot(a, a), 20_000):.2f}")
    print(f"  dot of NumPy arrays {1e6 * shortest(lambda: steno.dot(x, x), 20_000):.2f}")


def processor_times(functions, calls, rounds=9):
    """The median processor time of each function, in alternating rounds."""
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, each in zip(functions, times):
            begin = time.thread_time()
            for _ in range(calls):
                function()
            each.append((time.thread_time() - begin) / calls)
    return [statistics.median(each) for each in times]


def print_conversions(size):
    """`bound` is the ratio that a conversion would have whose only work is to store the result."""
    wide = np.random.default_rng(0).normal(size=size)
    print(f"conversions of {size} elements, processor time in us: NumPy or ml_dtypes / steno = ratio (bound)")
    for name, dtype in FORMATS.items():
        for target in (np.float64, np.float32):
            values = wide.astype(target)
            narrow = values.astype(dtype)
            a, b = steno.asarray(narrow), steno.asarray(values)
            format = b.format
            for text, source, other in ((f"{name} to {format}", a, narrow), (f"{format} to {name}", b, values)):
                new, newer = (format, target) if source is a else (name, dtype)
                stored = np.empty(size, target if source is a else f"u{narrow.itemsize}")
                functions = (lambda: other.astype(newer), lambda: source.astype(new), lambda: stored.fill(1))
                peer, own, fill = processor_times(functions, max(1, 1_000_000 // size))
                print(f"  {text:12} {1e6 * peer:7.0f} / {1e6 * own:7.0f} = {peer / own:5.2f} ({peer / fill:.1f})")


if __name__ == "__main__":
    with steno.executor("threads:threads=1"):
        print_calls()
        for size in (100_000, 1_000_000):
            print_conversions(size)
