/* Benches of products with a sparse matrix: of Matrix Market files, whose names end the command
 * line, or of generated rows. Values are f64. */
#ifndef STENO_BENCH_SPARSE_PRODUCTS_H
#define STENO_BENCH_SPARSE_PRODUCTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "sparse_cases.h"
#include "steno/market.h"

/* A matrix in compressed rows and vectors of f64. */
typedef struct bench_operands {
    const char *name;
    stn_matrix *a;
    stn_view x, y;
} bench_operands;

/* Measures the matrix and prints a line. */
typedef void bench_matrix(const bench_operands *operands);

/* Seconds of a product with another form of the matrix. */
static inline double bench_time_product(const stn_exec *exec, const bench_operands *o,
                                        const stn_matrix *a)
{
    const double begin = measure_now();
    bench_must(stn_spmv(exec, STN_F64, 1.0, a, &o->x, 0.0, &o->y));
    return measure_now() - begin;
}

/* Updates the best seconds of each form in alternating rounds; forms may be NULL. */
static inline void bench_time_forms(const stn_exec *exec, const bench_operands *o,
                                    stn_matrix *const *forms, int count, int rounds, double *best)
{
    for (int k = 0; k < count; k++)
        best[k] = INFINITY;
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < count; k++)
            if (forms[k]) {
                (void)bench_time_product(exec, o, forms[k]); /* loads the caches */
                best[k] = fmin(best[k], bench_time_product(exec, o, forms[k]));
            }
}

static inline void bench_with_vectors(const stn_exec *exec, const char *name, stn_matrix *a,
                                      int64_t rows, int64_t columns, bench_matrix *bench)
{
    bench_operands o = {.name = name, .a = a};
    void *const x = bench_allocate(columns, sizeof(double));
    void *const y = bench_allocate(rows, sizeof(double));
    bench_must(stn_view_wrap(&o.x, "x", stn_storage_of(STN_F64), x, 1, &columns));
    bench_must(stn_view_wrap(&o.y, "y", stn_storage_of(STN_F64), y, 1, &rows));
    bench_must(stn_view_fill(exec, &o.x, 1.5));
    bench(&o);
    free(x);
    free(y);
}

/* Releases the rows. */
static inline void bench_rows(const stn_exec *exec, const char *name, bench_csr m,
                              bench_matrix *bench)
{
    stn_matrix *const a =
        bench_wrap_csr(name, m.rows, m.columns, m.start, m.column, STN_F64, m.value);
    bench_with_vectors(exec, name, a, m.rows, m.columns, bench);
    stn_matrix_release(a);
    bench_drop_csr(&m);
}

/* A Matrix Market file, as compressed rows. */
typedef struct bench_sparse_file {
    char name[17];
    stn_market_matrix read;
    stn_matrix *file, *a;
} bench_sparse_file;

static inline void bench_release_sparse(bench_sparse_file *f)
{
    stn_matrix_release(f->a);
    stn_matrix_release(f->file);
    stn_market_release(&f->read);
}

/* Returns 0 and prints the reason if values are not real. */
static inline int bench_read_sparse(bench_sparse_file *f, const char *path)
{
    const stn_storage f64 = stn_storage_of(STN_F64);
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    f->read = (stn_market_matrix)STN_MARKET_MATRIX_INIT;
    (void)snprintf(f->name, sizeof f->name, "%.*s", (int)strcspn(name, "."), name);
    bench_must(stn_market_read_file(&f->read, path, 0));
    bench_must(stn_market_wrap(&f->file, &f->read, path));
    if (stn_sparse_convert(NULL, &f->a, f->file, STN_MATRIX_CSR, &f64) == STN_OK)
        return 1;
    printf("%s: skipped: %s\n", path, stn_error());
    bench_release_sparse(f);
    return 0;
}

static inline void bench_file(const stn_exec *exec, const char *path, bench_matrix *bench)
{
    bench_sparse_file f;
    if (!bench_read_sparse(&f, path))
        return;
    bench_with_vectors(exec, f.name, f.a, f.read.rows, f.read.columns, bench);
    bench_release_sparse(&f);
}

/* The number of files, which are the last words. */
static inline int bench_count_files(int count, char **words)
{
    int files = 0;
    for (int k = 1; k < count; k++)
        files += strstr(words[k], ".mtx") != NULL;
    return files;
}

#endif
