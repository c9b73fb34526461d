"""Products of sparse matrices and GMRES, next to SciPy in the same process.

    python bench_sparse.py [points per side of products] [points per side of GMRES] [threads]

The matrix of products is the 7-point one of the Laplace operator, that of GMRES has convection and a shift in addition.
SciPy uses one thread. Times of products are the minimum and the median of alternating rounds.
"""

import ctypes
import sys
import time

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg

import steno

ROUNDS = 12
RESTART, RTOL = 30, 1e-6


def seven_points(n, wind=0.0, shift=0.0):
    line = sp.diags_array([-1.0 - wind, 2.0, -1.0 + wind], offsets=[-1, 0, 1], shape=(n, n))
    one = sp.eye_array(n)
    plane = sp.kron(line, one) + sp.kron(one, line)
    matrix = (sp.kron(plane, one) + sp.kron(sp.eye_array(n * n), line) + shift * sp.eye_array(n**3)).tocsr()
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    return matrix


def products(n, threads):
    matrix = seven_points(n)
    a, optimized = steno.sparse.csr(matrix, "f16"), steno.sparse.csr(matrix, "f16")
    x, times = np.random.default_rng(0).normal(size=n**3), {}
    print(f"{n}^3 points: {optimized.optimize(1000)['reason']}")

    def measure(name, multiply):
        begin = time.perf_counter()
        multiply(x)
        times.setdefault(name, []).append(time.perf_counter() - begin)

    for _ in range(ROUNDS):
        measure("SciPy f64", matrix.__matmul__)
        for count in sorted({1, threads}):
            with steno.executor(f"threads:threads={count}"):
                measure(f"steno f16, {count} threads", a.__matmul__)
                measure(f"steno f16 after optimize(), {count} threads", optimized.__matmul__)
    peer = times["SciPy f64"]
    for name, each in times.items():
        print(
            f"{name:40} {min(each) * 1e3:6.2f} ms, median {np.median(each) * 1e3:6.2f};"
            f" SciPy / this {min(peer) / min(each):.2f}, median {np.median(peer) / np.median(each):.2f}"
        )


def peak_after(call):
    """The seconds of a call, and the growth of the resident memory in MB."""

    def read(key):
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(key)) / 1024

    ctypes.CDLL(None).malloc_trim(0)  # memory of earlier calls
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # resets the peak
    before, begin = read("VmRSS"), time.perf_counter()
    result = call()
    return time.perf_counter() - begin, read("VmHWM") - before, result


def solves(n, threads):
    matrix = seven_points(n, 0.4, 0.02)
    b = np.random.default_rng(0).normal(size=n**3)
    a = steno.sparse.csr(matrix, "f32")
    a.optimize(300)
    a @ b
    count = [0]

    def count_up(_):
        count[0] += 1

    options = {"rtol": RTOL, "restart": RESTART}
    print(f"GMRES({RESTART}), {n}^3 points, basis of {RESTART + 1} vectors of {n**3 * 8 / 2**20:.0f} MB in f64")
    seconds, memory, _ = peak_after(
        lambda: scipy.sparse.linalg.gmres(matrix, b, callback=count_up, callback_type="pr_norm", **options)
    )
    print(f"SciPy                  {seconds:6.2f} s {memory:6.0f} MB {count[0]} iterations")
    for basis in ("f64", "f16", "i16", "i16:32"):
        for number in sorted({1, threads}):
            report = steno.linalg.Report()
            with steno.executor(f"threads:threads={number}"):
                each, space, (x, info) = peak_after(
                    lambda: steno.linalg.gmres(a, b, basis=basis, report=report, **options)
                )
            assert info == 0 and np.linalg.norm(matrix @ x - b) <= 1.01 * RTOL * np.linalg.norm(b)
            print(
                f"steno {basis:7} {number} threads {each:6.2f} s {space:6.0f} MB {report.iterations} iterations;"
                f" SciPy / this {seconds / each:.2f}, memory {space / memory:.2f}"
            )


def main():
    numbers = [int(one) for one in sys.argv[1:]] + [128, 88, 2][len(sys.argv) - 1 :]
    products(numbers[0], numbers[2])
    solves(numbers[1], numbers[2])


if __name__ == "__main__":
    main()
