"""Pressure of a fluid: the Poisson equation on a square, solved with a matrix, factors and a basis of 16 bits.

The 5-point matrix is stored in f16, its incomplete factors in f16, and the basis of GMRES in i16 with one scale per 32
elements. The residual is computed in f64, so the solution is as accurate as with f64 everywhere.

    python poisson.py [points per side]
"""

import sys

import numpy as np

import steno


def five_points(n):
    """The matrix of 4 u - (sum of the neighbors) on n x n points, zero outside."""
    point = np.arange(n * n, dtype=np.int32).reshape(n, n)
    rows, columns, values = [point.ravel()], [point.ravel()], [np.full(n * n, 4.0)]
    for one, other in ((point[1:], point[:-1]), (point[:, 1:], point[:, :-1])):
        for a, b in ((one, other), (other, one)):
            rows.append(a.ravel())
            columns.append(b.ravel())
            values.append(np.full(a.size, -1.0))
    row, column, value = (np.concatenate(part) for part in (rows, columns, values))
    return steno.sparse.coo((value, (row, column)), "f16", shape=(n * n, n * n)).convert("csr")


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    a = five_points(n)
    x, y = np.meshgrid(np.linspace(0.0, 1.0, n + 2)[1:-1], np.linspace(0.0, 1.0, n + 2)[1:-1])
    exact = (np.sin(np.pi * x) * np.sin(2 * np.pi * y)).ravel()
    b = a @ exact

    a.optimize(100)
    report = steno.linalg.Report()
    u, info = steno.linalg.gmres(
        a, b, rtol=1e-8, restart=30, basis="i16:32", preconditioner=steno.linalg.ilu(a, "f16"), report=report
    )
    error = np.abs(u - exact).max()
    print(f"{n} x {n} points, matrix of {a.nbytes / a.nnz:.1f} bytes per entry")
    print(f"{report.iterations} iterations, residual {report.residual:.1e}, error {error:.1e}")
    return 0 if info == 0 and error < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
