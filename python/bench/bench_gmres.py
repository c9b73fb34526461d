"""GMRES of SciPy and of steno with bases in several formats, in alternating rounds of one process.

    steno matrix convection --size 48 --output convection.mtx
    OMP_NUM_THREADS=1 python bench_gmres.py convection.mtx [rounds] [orthogonalization]

Restart 100, relative residual 1e-10, which is recomputed from x, b = A times ones, one thread. Times are medians of processor
times; quotients are medians of those of the rounds.
"""

import sys
import time

import numpy as np
import scipy.io
import scipy.sparse.linalg

import steno

BASES = ("f64", "f32", "f16", "i16")
OPTIONS = {"rtol": 1e-10, "restart": 100}


def measured(solve, *arguments):
    begin = time.process_time()
    x, iterations = solve(*arguments)
    return time.process_time() - begin, x, iterations


def by_scipy(matrix, b):
    count = [0]

    def count_up(_):
        count[0] += 1

    x, info = scipy.sparse.linalg.gmres(matrix, b, callback=count_up, callback_type="pr_norm", **OPTIONS)
    assert info == 0
    return x, count[0]


def by_steno(a, b, basis, orthogonalization):
    report = steno.linalg.Report()
    x, info = steno.linalg.gmres(a, b, basis=basis, orthogonalization=orthogonalization, report=report, **OPTIONS)
    assert info == 0
    return np.asarray(x), report.iterations


def main():
    path, rounds = sys.argv[1:3] + ["3"][len(sys.argv) - 2 :]
    orthogonalization = sys.argv[3] if len(sys.argv) > 3 else None
    matrix = scipy.io.mmread(path).tocsr()
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    b = matrix @ np.ones(matrix.shape[0])
    a, rows = steno.sparse.csr(matrix, "f64"), {}
    a.optimize(1000)
    with steno.executor("threads:threads=1"):
        for _ in range(int(rounds)):
            for basis in BASES:
                peer, x, iterations = measured(by_scipy, matrix, b)
                rows.setdefault("SciPy", []).append((peer, 1.0, iterations, x))
                seconds, x, iterations = measured(by_steno, a, b, basis, orthogonalization)
                rows.setdefault(basis, []).append((seconds, peer / seconds, iterations, x))
    print("| solver | iterations | seconds | SciPy / steno | residual |\n|---|---|---|---|---|")
    for name, each in rows.items():
        residual = np.linalg.norm(matrix @ each[-1][3] - b) / np.linalg.norm(b)
        seconds, quotient = np.median([one[0] for one in each]), np.median([one[1] for one in each])
        print(f"| {name} | {each[-1][2]} | {seconds:.2f} | {quotient:.2f} | {residual:.1e} |")


if __name__ == "__main__":
    main()
