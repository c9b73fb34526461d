/* Sparse products of oneMKL, opened at run time. */
#ifndef STENO_BENCH_MKL_H
#define STENO_BENCH_MKL_H

#include "sparse_cases.h"

/* Opens libmkl_rt, by the path in the environment variable STENO_BENCH_MKL or by its usual names,
 * with 32-bit indices, and GNU threads unless `threads` is 1. Returns 0 if it is missing. */
int bench_mkl_open(int threads);

/* A matrix in f64, optimized for products. */
typedef struct bench_mkl_matrix {
    void *handle;
    int32_t *start;
} bench_mkl_matrix;

void bench_mkl_create(bench_mkl_matrix *a, const bench_csr *rows);
void bench_mkl_multiply(const bench_mkl_matrix *a, const double *x, double *y);
void bench_mkl_release(bench_mkl_matrix *a);

#endif
