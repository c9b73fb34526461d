"""Codecs of archives next to zfpy, blosc2, zstandard and memcpy, and OCP MX formats next to ml_dtypes: tables of doc/compression.md.

Arguments: the path of the steno command (default: steno), and elements per dimension of the field (default: 128).
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import blosc2
import ml_dtypes
import numpy as np
import zfpy
import zstandard

import steno

ROUNDS = 5


def field(n):
    """Waves with noise of 1e-7, as in bench_archive."""
    x, y, z = np.meshgrid(*3 * [np.linspace(0.0, 1.0, n)], indexing="ij")
    waves = np.sin(7 * x + 2 * y) * np.cos(5 * y - z) + 0.5 * np.sin(9 * z * x)
    return waves + 1e-7 * np.random.default_rng(0).random(waves.shape)



def seconds(function):
    begin = time.perf_counter()
    result = function()
    return time.perf_counter() - begin, result


def blocks(a, bytes_per_block=32768):
    """Contiguous blocks of the size that archives have by default."""
    return np.split(a.ravel(), range(bytes_per_block // 8, a.size, bytes_per_block // 8))


def zstd_pair():
    encoder, decoder = zstandard.ZstdCompressor(level=3), zstandard.ZstdDecompressor()
    return (lambda a: [encoder.compress(part) for part in blocks(a)]), (
        lambda parts: b"".join(map(decoder.decompress, parts))
    )


def blosc2_pair(filter):
    options = {"codec": blosc2.Codec.ZSTD, "clevel": 3, "filters": [filter], "nthreads": 1}
    return (lambda a: [blosc2.compress2(part, typesize=8, **options) for part in blocks(a)]), (
        lambda parts: b"".join(blosc2.decompress2(part, nthreads=1) for part in parts)
    )


def zfp_pair(**options):
    return (lambda a: [zfpy.compress_numpy(a, **options)]), (lambda parts: zfpy.decompress_numpy(parts[0]))


PEERS = {
    "memcpy": ((lambda a: [a.copy()]), (lambda parts: parts[0].copy()), "none"),
    "zstd (zstandard)": (*zstd_pair(), "zstd"),
    "shuffle, zstd (blosc2)": (*blosc2_pair(blosc2.Filter.SHUFFLE), "shuffle+zstd"),
    "bitshuffle, zstd (blosc2)": (*blosc2_pair(blosc2.Filter.BITSHUFFLE), "bitshuffle+zstd"),
    "zfp rate 8 (zfpy)": (*zfp_pair(rate=8), "zfp:rate=8"),
    "zfp accuracy 1e-6 (zfpy)": (*zfp_pair(tolerance=1e-6), "zfp:accuracy=1e-6"),
}


def measure_peer(a, encode, decode):
    coding, parts = seconds(lambda: encode(a))
    decoding, _ = seconds(lambda: decode(parts))
    size = sum(part.nbytes if isinstance(part, np.ndarray) else len(part) for part in parts)
    return a.nbytes / size, a.nbytes / coding / 1e9, a.nbytes / decoding / 1e9


def measure_steno(command, path, codecs):
    options = [word for codec in codecs for word in ("--codec", codec)]
    arguments = [command, "pack", path, *options, "--exec", "reference", "--json", "-"]
    output = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {row["codec"]: (row["compression_ratio"], row["encode_gbps"], row["decode_gbps"]) for row in rows}


def best(samples, choice=max):
    """The best of the rounds in each column."""
    return tuple(choice(values) for values in zip(*samples))


def print_codecs(command, n):
    a = field(n)
    codecs = list(dict.fromkeys(codec for _, _, codec in PEERS.values()))
    peers, own = {name: [] for name in PEERS}, {codec: [] for codec in codecs}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "field.npy"
        np.save(path, a)
        for _ in range(ROUNDS):
            for codec, row in measure_steno(command, path, codecs).items():
                own[codec].append(row)
            for name, (encode, decode, _) in PEERS.items():
                peers[name].append(measure_peer(a, encode, decode))
    print(f"field of {n}^3 f64, one thread, best of {ROUNDS} rounds; speeds in GB/s\n")
    print("| library | ratio | encode | decode | archive | ratio | encode | decode |\n|---|---|---|---|---|---|---|---|")
    for name, (_, _, codec) in PEERS.items():
        values = (*best(peers[name]), *best(own[codec]))
        texts = [f"{value:.{2 if k % 3 == 0 else 3}{'f' if k % 3 == 0 else 'g'}}" for k, value in enumerate(values)]
        print(f"| {name} | {' | '.join(texts[:3])} | `{codec}` | {' | '.join(texts[3:])} |")


ELEMENTS = {
    "mxfp8_e4m3": (ml_dtypes.float8_e4m3fn, 8, 448.0),
    "mxfp8_e5m2": (ml_dtypes.float8_e5m2, 15, 57344.0),
    "mxfp6_e3m2": (ml_dtypes.float6_e3m2fn, 4, 28.0),
    "mxfp6_e2m3": (ml_dtypes.float6_e2m3fn, 2, 7.5),
    "mxfp4": (ml_dtypes.float4_e2m1fn, 2, 6.0),
}


def quantize(values, dtype, top, largest):
    """Elements and exponents of blocks of 32, by NumPy and ml_dtypes; elements are not packed."""
    part = values.reshape(-1, 32)
    exponents = np.frexp(np.abs(part).max(axis=1, keepdims=True))[1] - 1 - top
    return np.clip(np.ldexp(part, -exponents), -largest, largest).astype(dtype), exponents


def print_blocks(size):
    values = np.random.default_rng(1).normal(size=size)
    values = values.astype(np.float32).astype(np.float64)  # ml_dtypes rounds f64 to f32 first
    print(f"\n{size} values, one thread, best of {ROUNDS} rounds; ns per value\n")
    print("| format | ml_dtypes: encode | decode | steno: encode | decode |\n|---|---|---|---|---|")
    for name, (dtype, top, largest) in ELEMENTS.items():
        samples = []
        for _ in range(ROUNDS):
            encode, (codes, exponents) = seconds(lambda: quantize(values, dtype, top, largest))
            decode, wide = seconds(lambda: np.ldexp(codes.astype(np.float64), exponents))
            own_encode, a = seconds(lambda: steno.asarray(values, name))
            own_decode, own = seconds(lambda: np.asarray(a))
            if not np.array_equal(own, wide.ravel()):
                sys.exit(f"{name}: the values differ from those of ml_dtypes")
            samples.append([1e9 / size * t for t in (encode, decode, own_encode, own_decode)])
        print(f"| `{name}` | " + " | ".join(f"{t:.2f}" for t in best(samples, min)) + " |")


if __name__ == "__main__":
    with steno.executor("threads:threads=1"):
        print_codecs(sys.argv[1] if len(sys.argv) > 1 else "steno", int(sys.argv[2]) if len(sys.argv) > 2 else 128)
        print_blocks(1 << 22)
