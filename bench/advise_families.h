/* Families of matrices that the model of stn_advise_solve was not fitted to. */
#ifndef STENO_BENCH_ADVISE_FAMILIES_H
#define STENO_BENCH_ADVISE_FAMILIES_H

#include <stdint.h>

#include "steno/sparse.h"

/* Compressed rows under construction. Values of complex matrices are pairs. */
typedef struct bench_rows {
    int64_t rows, entries, capacity;
    int64_t *start;
    int32_t *column;
    double *value;
    int is_complex;
} bench_rows;

typedef struct bench_family {
    const char *name;
    int64_t edge; /* points per edge of a grid, or rows */
    double parameter;
    void (*fill)(bench_rows *to, int64_t edge, double parameter);
    int is_complex;
} bench_family;

extern const bench_family bench_families[]; /* the last one has no name */

stn_matrix *bench_family_create(const bench_family *of, bench_rows *rows);
void bench_family_release(stn_matrix *a, bench_rows *rows);

#endif
