#!/usr/bin/env python3
"""Write test/oracle/NAME.sum: check sums of what NumPy and ml_dtypes make of the codes and values
that test/format/test_codec.c decodes and encodes.

    pip install numpy ml_dtypes
    python3 test/oracle/generate.py [NAME...]      without names: every format of the table

One line per sum: what, the number of results, the CRC-32 (zlib) of their little-endian words.

    decode_f64, decode_f32   all codes of up to 16 bits, else random ones. Floats: `astype` of NumPy
                             (f16, f32) or ml_dtypes (the others); integers: `astype`. Every NaN
                             counts as the positive quiet one.
    f32_nearest              f32 to the nearest code. Floats: `astype` of NumPy or ml_dtypes;
                             integers: `rint`, then clipped; NaN to 0.
    f64_nearest              f64 likewise, but ml_dtypes rounds f64 twice, by way of f32 (this
                             program shows how often): for its formats the nearest value is searched
                             in the table of all values that ml_dtypes itself decodes, compared with
                             midpoints exact in f64.
    f32_toward_zero,         the value of the table (or of `astype`, stepped back) that is not
    f64_toward_zero          larger; integers: `trunc`.

Beyond the largest value all floats give infinity, or NaN where there is none, except that finite
values cut toward zero give the largest. Every NaN code counts as the canonical one. A sample of
each line, rich in ties, is compared with exact rational arithmetic (fractions) before it is summed.

A format that NumPy and ml_dtypes do not offer is decoded by its definition alone. Floats of 24, 40 and
48 bits, which have too many codes for tables, are decoded by NumPy with their missing bytes appended as
zeros, and values are rounded as multiples of their spacing."""

import os
import re
import sys
import zlib
from fractions import Fraction

import ml_dtypes
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "include", "steno", "detail", "format_table.h")
COUNT = 1 << 20

DTYPES = {
    (11, 52, "IEEE"): np.float64,
    (8, 23, "IEEE"): np.float32,
    (5, 10, "IEEE"): np.float16,
    (8, 7, "IEEE"): ml_dtypes.bfloat16,
    (4, 3, "FN"): ml_dtypes.float8_e4m3fn,
    (4, 3, "IEEE"): ml_dtypes.float8_e4m3,
    (5, 2, "IEEE"): ml_dtypes.float8_e5m2,
    (3, 4, "IEEE"): ml_dtypes.float8_e3m4,
}


def read_table():
    rows = {}
    text = open(TABLE).read()
    for name, bits, e, f, special in re.findall(
        r"^ +FLOAT\(\d+, *\w+, *(\w+), *(\d+), *(\d+), *(\d+), *(\w+),", text, re.M
    ):
        rows[name] = ("FLOAT", int(bits), int(e), int(f), special)
    for name, bits, signed in re.findall(
        r"^ +INTEGER\(\d+, *\w+, *(\w+), *(\d+), *(\d+)\)", text, re.M
    ):
        rows[name] = ("INTEGER", int(bits), int(signed))
    return rows


# ---- inputs: the same as oracle_input_f64 and oracle_input_f32 of test/support/oracle.c ----


def random(seed, k):
    """Output k of SplitMix64 started with seed."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + (k + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def inputs(row, e_bits, f_bits):
    """COUNT binary floats of these widths, as unsigned integers of 64 bits."""
    k = np.arange(COUNT, dtype=np.uint64)
    width, bias = 1 + e_bits + f_bits, (1 << (e_bits - 1)) - 1
    bits = random(1, k) >> np.uint64(64 - width)
    choice = random(2, k)
    if row[0] == "FLOAT":
        top, bottom = 1 << (row[2] - 1), 2 - (1 << (row[2] - 1)) - row[3]
    else:
        top, bottom = row[1], 0
    low = min(max(bias + bottom - 3, 0), 2 * bias)
    high = min(max(bias + top + 1, 0), 2 * bias)
    exponent = np.uint64(low) + choice % np.uint64(high - low + 1)
    fraction = bits & np.uint64((1 << f_bits) - 1)
    cut = np.uint64(f_bits) - (choice >> np.uint64(32)) % np.uint64(f_bits + 1)
    short = fraction >> cut << cut
    fraction = np.where(k % np.uint64(4) == 3, short, fraction)
    fraction ^= (k % np.uint64(8) == 7).astype(np.uint64)
    sign = bits >> np.uint64(width - 1) << np.uint64(width - 1)
    return np.where(k % np.uint64(2) == 0, bits, sign | exponent << np.uint64(f_bits) | fraction)


def f64_inputs(row):
    return inputs(row, 11, 52).view(np.float64)


def f32_inputs(row):
    return inputs(row, 8, 23).astype(np.uint32).view(np.float32)


# ---- floats ----


class Float:
    def __init__(self, row):
        _, self.bits, self.e, self.f, self.special = row
        self.word = np.dtype(f"u{self.bits // 8}")
        self.dtype = DTYPES.get((self.e, self.f, self.special))
        magnitudes = 1 << (self.bits - 1)
        hidden = 1 << self.f
        self.infinity = None if self.special == "FN" else magnitudes - hidden
        self.nan = magnitudes - 1 if self.special == "FN" else self.infinity + hidden // 2
        self.largest = (self.nan if self.special == "FN" else self.infinity) - 1
        self.sign = self.word.type(magnitudes)

    def value(self, magnitude):
        """Exact value of a magnitude, continued beyond the largest."""
        fraction, exponent = magnitude % (1 << self.f), magnitude >> self.f
        step = Fraction(2) ** (2 - (1 << (self.e - 1)) - self.f)
        if exponent == 0:
            return fraction * step
        return ((1 << self.f) + fraction) * step * 2 ** (exponent - 1)

    def decode(self, codes):
        if self.dtype is not None:
            return codes.view(self.dtype).astype(np.float64)
        magnitude = (codes & ~self.sign).astype(np.int64)
        last = self.largest + 1
        table = np.array([float(self.value(m)) for m in range(last)])
        table = np.append(table, np.full((1 << (self.bits - 1)) - last, np.nan))
        if self.infinity is not None:
            table[self.infinity] = np.inf
        return np.where(codes & self.sign, -table[magnitude], table[magnitude])

    def canonical(self, codes):
        magnitude = codes & ~self.sign
        is_nan = magnitude > self.infinity if self.special != "FN" else magnitude == self.nan
        return np.where(is_nan, self.word.type(self.nan), codes)

    def search(self, x, nearest):
        """Codes of f64 values by comparison with all values of the format."""
        codes = np.arange(self.largest + 1, dtype=self.word)
        table = np.append(self.decode(codes), float(self.value(self.largest + 1)))
        size = np.abs(x)
        below = np.clip(np.searchsorted(table, size, side="right") - 1, 0, self.largest)
        beyond = size >= table[-1]
        code = below.astype(np.int64)
        if nearest:
            middle = table[below] + (table[below + 1] - table[below]) / 2
            code += (size > middle) | ((size == middle) & (below % 2 == 1))
        return self.finish(x, code, beyond, nearest)

    def finish(self, x, code, beyond, nearest):
        code = np.where(beyond, self.largest + 1, code)
        over = self.nan if self.infinity is None else self.infinity
        finite = np.isfinite(x)
        kept = np.where(finite & (not nearest), self.largest, over)
        code = np.where(code > self.largest, kept, code).astype(self.word)
        code |= np.where(np.signbit(x), self.sign, self.word.type(0))
        return self.canonical(np.where(np.isnan(x), self.word.type(self.nan), code))

    def step_back(self, x, y):
        """Toward zero where `astype` went away from it."""
        away = np.abs(y.astype(np.float64)) > np.abs(x)
        return np.where(away & np.isfinite(x), np.nextafter(y, y.dtype.type(0)), y)

    def encode(self, x, nearest):
        if self.dtype in (np.float64, np.float32):
            y = x.astype(self.dtype)
            y = y if nearest else self.step_back(x.astype(np.float64), y)
            return self.canonical(y.view(self.word))
        if nearest and self.dtype is not None:
            direct = self.canonical(x.astype(self.dtype).view(self.word))
            if x.dtype == np.float32 or self.dtype == np.float16:
                return direct
        exact = self.search(x.astype(np.float64), nearest)
        if nearest and self.dtype is not None:
            differ = np.count_nonzero(direct != exact)
            print(f"  {np.dtype(self.dtype).name}: {differ} of {COUNT} values rounded twice by astype")
        return exact

    def check(self, x, codes, nearest):
        """One code against exact rational arithmetic."""
        magnitude, size = int(codes & ~self.sign), abs(float(x))
        if magnitude == self.nan or magnitude == self.infinity:
            if not np.isfinite(x):
                return True
            half = (self.value(self.largest + 1) - self.value(self.largest)) / 2
            return nearest and Fraction(size) >= self.value(self.largest) + half
        if nearest:
            here = abs(Fraction(size) - self.value(magnitude))
            for other in (magnitude - 1, magnitude + 1):
                there = abs(Fraction(size) - self.value(other)) if other >= 0 else here + 1
                if there < here or (there == here and magnitude % 2 == 1):
                    return False
            return True
        if magnitude == self.largest:
            return Fraction(size) >= self.value(magnitude)
        return self.value(magnitude) <= Fraction(size) < self.value(magnitude + 1)


class Upper(Float):
    """The upper bytes of f32 or f64."""

    def __init__(self, row):
        _, self.bits, self.e, self.f, self.special = row
        self.wide = np.dtype(np.float32 if self.e == 8 else np.float64)
        self.word = np.dtype(f"u{self.wide.itemsize}")
        self.missing = 8 * self.wide.itemsize - self.bits
        magnitudes = 1 << (self.bits - 1)
        self.infinity = magnitudes - (1 << self.f)
        self.nan = self.infinity + (1 << self.f) // 2
        self.largest = self.infinity - 1
        self.sign = self.word.type(magnitudes)

    def decode(self, codes):
        return (codes << self.word.type(self.missing)).view(self.wide).astype(np.float64)

    def encode(self, x, nearest):
        x = x.astype(np.float64)
        finite = np.where(np.isfinite(x), x, 0.0)
        _, exponent = np.frexp(finite)
        lowest = 2 - (1 << (self.e - 1)) - self.f
        spacing = np.maximum(exponent - 1 - self.f, lowest)
        units = np.abs(np.ldexp(finite, -spacing))
        whole = np.rint(units) if nearest else np.trunc(units)
        values = np.ldexp(whole, spacing)
        beyond = values > float(self.value(self.largest))
        values = np.where(beyond, 0.0, values).astype(self.wide)
        code = values.view(self.word).astype(np.int64) >> self.missing
        return self.finish(x, code, beyond | np.isinf(x), nearest)


# ---- integers ----


class Integer:
    def __init__(self, row):
        _, self.bits, self.signed = row
        self.word = np.dtype(f"u{self.bits // 8}")
        self.dtype = np.dtype(f"{'i' if self.signed else 'u'}{self.bits // 8}")
        self.low, self.high = int(np.iinfo(self.dtype).min), int(np.iinfo(self.dtype).max)

    def decode(self, codes):
        return codes.view(self.dtype).astype(np.float64)

    def decode_f32(self, codes):
        return codes.view(self.dtype).astype(np.float32)

    def encode(self, x, nearest):
        x = x.astype(np.float64)
        whole = np.rint(x) if nearest else np.trunc(x)
        above, under = whole >= float(self.high), whole <= float(self.low)
        inside = np.where(above | under | np.isnan(x), 0.0, whole)
        codes = inside.astype(self.dtype)
        codes = np.where(above, self.dtype.type(self.high), codes)
        return np.where(under, self.dtype.type(self.low), codes).view(self.word)

    def check(self, x, codes, nearest):
        if np.isnan(x):
            return codes == 0
        if np.isinf(x):
            exact = self.high if x > 0 else self.low
        else:
            exact = round(Fraction(float(x))) if nearest else int(Fraction(float(x)))
        exact = min(max(exact, self.low), self.high)
        return exact % (1 << self.bits) == int(codes)


# ---- sums ----


def sum_line(what, words, size=None):
    """The first `size` bytes of each word."""
    size = size or words.itemsize
    octets = np.ascontiguousarray(words).view(np.uint8).reshape(len(words), words.itemsize)
    return f"{what} {len(words)} {zlib.crc32(octets[:, :size].tobytes()):08x}\n"


def quiet(x):
    """Bits, every NaN as the positive quiet one."""
    return np.where(np.isnan(x), x.dtype.type(np.nan), x).view(f"u{x.itemsize}")


def decode_lines(codec, row):
    if codec.bits <= 16:
        codes = np.arange(1 << codec.bits, dtype=codec.word)
    else:
        k = np.arange(COUNT, dtype=np.uint64)
        codes = (random(3, k) >> np.uint64(64 - codec.bits)).astype(codec.word)
    wide = codec.decode(codes)
    narrow = codec.decode_f32(codes) if row[0] == "INTEGER" else wide.astype(np.float32)
    yield sum_line("decode_f64", quiet(wide))
    yield sum_line("decode_f32", quiet(narrow))


def encode_lines(codec, row):
    for source, x in (("f64", f64_inputs(row)), ("f32", f32_inputs(row))):
        for nearest in (True, False):
            codes = codec.encode(x, nearest)
            for k in range(0, 4000 if codec.bits < 64 else 1000):
                if not codec.check(x[k], codes[k], nearest):
                    sys.exit(f"{source} {x[k]!r} gives {codes[k]:#x}: not what exact arithmetic says")
            what = f"{source}_{'nearest' if nearest else 'toward_zero'}"
            yield sum_line(what, codes, codec.bits // 8)


def write(name, row):
    print(name)
    codec = Integer(row) if row[0] == "INTEGER" else Upper(row) if row[1] in (24, 40, 48) else Float(row)
    with open(os.path.join(HERE, f"{name}.sum"), "w") as file:
        file.writelines(decode_lines(codec, row))
        file.writelines(encode_lines(codec, row))


def main(names):
    np.seterr(over="ignore", invalid="ignore")
    rows = read_table()
    for name in names or rows:
        write(name, rows[name])


main(sys.argv[1:])
