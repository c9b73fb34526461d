"""Times of calls and of conversions, next to NumPy and ml_dtypes: the tables of doc/python.md."""

import timeit

import ml_dtypes
import numpy as np

import steno

FORMATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
SIZE = 1_000_000


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


def print_conversions():
    wide = np.random.default_rng(0).normal(size=SIZE)
    print(f"conversions of {SIZE} elements, ms: NumPy or ml_dtypes / steno")
    print("  format   to f64         from f64       to f32         from f32")
    for name, dtype in FORMATS.items():
        times = []
        for target in (np.float64, np.float32):
            values = wide.astype(target)
            narrow = values.astype(dtype)
            a, b = steno.asarray(narrow), steno.asarray(values)
            target = b.format
            times += [
                (shortest(lambda: narrow.astype(values.dtype)), shortest(lambda: a.astype(target))),
                (shortest(lambda: values.astype(dtype)), shortest(lambda: b.astype(name))),
            ]
        print(f"  {name:6}" + "".join(f"  {1e3 * p:5.2f} / {1e3 * s:5.2f}" for p, s in times))


if __name__ == "__main__":
    with steno.executor("threads:threads=1"):
        print_calls()
        print_conversions()
