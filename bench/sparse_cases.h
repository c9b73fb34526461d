/* Sparse matrices of benches: stencils and random rows. */
#ifndef STENO_BENCH_SPARSE_CASES_H
#define STENO_BENCH_SPARSE_CASES_H

#include <stdint.h>

typedef struct bench_csr {
    int64_t rows, columns, *start;
    int32_t *column;
    double *value;
} bench_csr;

/* Points of a cube of edge n at distance 1 along `axes` axes or fewer: 7 or 27 with the point
 * itself. With 2 distinct values, coefficients are constant: one for the point and one for the
 * others. With others, values are drawn; with 0, all of them differ. */
bench_csr bench_grid(int64_t n, int axes, int64_t distinct);

/* Rows of 1 to `most` ascending random columns; with `dense`, the first row has every column. */
bench_csr bench_random(int64_t rows, int64_t most, int dense, int64_t distinct);

/* Rows of ascending random columns whose number is at least k with probability k^-1.2, and at most
 * `most`. */
bench_csr bench_power(int64_t rows, int64_t most);

void bench_drop_csr(bench_csr *m);

#endif
