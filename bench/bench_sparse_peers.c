/* bench sparse_peers: products of f64 vectors with compressed rows and slices compared with a plain
 * C loop and with oneMKL (mkl.h), if that is installed, in alternating rounds.
 *
 *   bench_sparse_peers [--threads N] [--megabytes N] [--repeat N] [--json FILE] [MATRIX.mtx...]
 *
 * Without files: rows of up to 64 and up to 8 random columns, lengths by a power law, short rows
 * and a dense one, stencils of 7 and 27 points on cubes of 48^3 and 128^3. Columns: microseconds of
 * compressed rows, the least of all rounds; medians over rounds of the time of each contestant
 * divided by that of compressed rows in f64: the loop, oneMKL, slices, the kind that
 * STN_MATRIX_AUTO selects, and compressed rows and slices of f32, f16 and i8 values. MATRIX.mtx may
 * also be compressed (.mtx.gz). */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frame.h"
#include "mkl.h"
#include "sparse_products.h"

typedef enum contestant {
    ROWS,
    LOOP,
    MKL,
    SLICES,
    AUTO,
    ROWS_F32,
    ROWS_F16,
    ROWS_I8,
    SLICES_F32,
    SLICES_F16,
    SLICES_I8,
    CONTESTANTS
} contestant;

static const struct {
    const char *name;
    stn_matrix_kind kind;
    stn_format format;
} table[CONTESTANTS] = {[ROWS] = {"csr us", STN_MATRIX_CSR, STN_F64},
                        [LOOP] = {"loop", STN_MATRIX_CSR, STN_F64},
                        [MKL] = {"mkl", STN_MATRIX_CSR, STN_F64},
                        [SLICES] = {"slices", STN_MATRIX_SLICED, STN_F64},
                        [AUTO] = {"auto", STN_MATRIX_AUTO, STN_F64},
                        [ROWS_F32] = {"csr32", STN_MATRIX_CSR, STN_F32},
                        [ROWS_F16] = {"csr16", STN_MATRIX_CSR, STN_F16},
                        [ROWS_I8] = {"csr i8", STN_MATRIX_CSR, STN_I8},
                        [SLICES_F32] = {"sl 32", STN_MATRIX_SLICED, STN_F32},
                        [SLICES_F16] = {"sl 16", STN_MATRIX_SLICED, STN_F16},
                        [SLICES_I8] = {"sl i8", STN_MATRIX_SLICED, STN_I8}};

static const double sample_seconds = 1e-4; /* of the calls that are timed together */

typedef struct bench_case {
    const bench_frame *frame;
    bench_csr rows;
    stn_matrix *matrix[CONTESTANTS];
    bench_mkl_matrix mkl;
    int has_mkl;
    double *x, *y;
    stn_view x_view, y_view;
} bench_case;

static inline double sum_row(const bench_csr *a, const double *x, int64_t r)
{
    double sum = 0.0;
    for (int64_t k = a->start[r]; k < a->start[r + 1]; k++)
        sum += a->value[k] * x[a->column[k]];
    return sum;
}

/* Without OpenMP on one thread: its regions take a fraction of a microsecond. */
static void multiply_loop(const bench_csr *a, const double *x, double *y, int threads)
{
    if (threads == 1) {
        for (int64_t r = 0; r < a->rows; r++)
            y[r] = sum_row(a, x, r);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < a->rows; r++)
        y[r] = sum_row(a, x, r);
}

static void multiply(const bench_case *c, contestant k)
{
    if (k == LOOP)
        multiply_loop(&c->rows, c->x, c->y, c->frame->threads);
    else if (k == MKL)
        bench_mkl_multiply(&c->mkl, c->x, c->y);
    else
        bench_must(
            stn_spmv(c->frame->exec, STN_F64, 1.0, c->matrix[k], &c->x_view, 0.0, &c->y_view));
}

/* Threads of OpenMP poll for milliseconds after a region and would slow down the next contestant;
 * those of the executor are woken again by the calls before the timed ones. */
static double time_calls(const bench_case *c, contestant k, int calls)
{
    const double warm = c->frame->threads > 1 ? 4e-3 : 0.0, pause = c->frame->threads > 1 ? 3e6 : 0;
    nanosleep(&(struct timespec){.tv_nsec = (long)pause}, NULL);
    double begin = measure_now();
    do
        multiply(c, k);
    while (measure_now() - begin < warm);
    begin = measure_now();
    for (int call = 0; call < calls; call++)
        multiply(c, k);
    return (measure_now() - begin) / calls;
}

static void measure(const bench_case *c, const char *name)
{
    double ratios[CONTESTANTS][BENCH_MOST_REPEATS], least = INFINITY;
    const int calls = 1 + (int)(sample_seconds / time_calls(c, ROWS, 1));
    for (int round = 0; round < c->frame->repeats; round++) {
        const double rows = time_calls(c, ROWS, calls);
        least = fmin(least, rows);
        for (contestant k = LOOP; k < CONTESTANTS; k++)
            if (k != MKL || c->has_mkl)
                ratios[k][round] = time_calls(c, k, calls) / rows;
    }
    printf("%-16s %9.2f", name, 1e6 * least);
    for (contestant k = LOOP; k < CONTESTANTS; k++)
        if (k != MKL || c->has_mkl)
            printf(" %6.2f", measure_median(ratios[k], c->frame->repeats));
        else
            printf(" %6s", "-");
    printf("\n");
    fflush(stdout);
}

static void create(bench_case *c)
{
    bench_csr *const m = &c->rows;
    stn_exec *const exec = c->frame->exec;
    c->matrix[ROWS] =
        bench_wrap_csr("a", m->rows, m->columns, m->start, m->column, STN_F64, m->value);
    for (contestant k = SLICES; k < CONTESTANTS; k++) {
        const stn_storage storage = stn_storage_of(table[k].format);
        bench_must(
            stn_sparse_convert(exec, &c->matrix[k], c->matrix[ROWS], table[k].kind, &storage));
    }
    if (c->has_mkl)
        bench_mkl_create(&c->mkl, m);
    c->x = bench_allocate(m->columns, sizeof *c->x);
    c->y = bench_allocate(m->rows, sizeof *c->y);
    bench_must(stn_view_wrap(&c->x_view, "x", stn_storage_of(STN_F64), c->x, 1, &m->columns));
    bench_must(stn_view_wrap(&c->y_view, "y", stn_storage_of(STN_F64), c->y, 1, &m->rows));
    bench_must(stn_view_fill(exec, &c->x_view, 1.5));
}

static void compare_rows(bench_case *c, const char *name, bench_csr rows)
{
    c->rows = rows;
    create(c);
    measure(c, name);
    for (contestant k = ROWS; k < CONTESTANTS; k++)
        stn_matrix_release(c->matrix[k]);
    if (c->has_mkl)
        bench_mkl_release(&c->mkl);
    free(c->x);
    free(c->y);
    bench_drop_csr(&c->rows);
}

static void compare_file(bench_case *c, const char *path)
{
    bench_sparse_file file;
    stn_matrix_views arrays = STN_MATRIX_VIEWS_INIT;
    if (!bench_read_sparse(&file, path))
        return;
    bench_must(stn_matrix_get_views(file.a, &arrays));
    const int64_t rows = file.read.rows, entries = file.read.entries;
    bench_csr copy = {.rows = rows,
                      .columns = file.read.columns,
                      .start = bench_allocate(rows + 1, sizeof *copy.start),
                      .column = bench_allocate(entries, sizeof *copy.column),
                      .value = bench_allocate(entries, sizeof *copy.value)};
    memcpy(copy.start, file.read.row_start, (size_t)(rows + 1) * sizeof *copy.start);
    memcpy(copy.column, file.read.column, (size_t)entries * sizeof *copy.column);
    memcpy(copy.value, arrays.values.data, (size_t)entries * sizeof *copy.value);
    compare_rows(c, file.name, copy);
    bench_release_sparse(&file);
}

static void bench_generated(bench_case *c)
{
    compare_rows(c, "random 64 x 2e4", bench_random(20000, 64, 0, 0));
    compare_rows(c, "random 64 x 2e5", bench_random(200000, 64, 0, 0));
    compare_rows(c, "random 8 x 1e5", bench_random(100000, 8, 0, 0));
    compare_rows(c, "power", bench_power(20000, 2000));
    compare_rows(c, "one dense row", bench_random(100000, 3, 1, 0));
    compare_rows(c, "7 points 48^3", bench_grid(48, 1, 0));
    compare_rows(c, "27 points 48^3", bench_grid(48, 3, 0));
    compare_rows(c, "7 points 128^3", bench_grid(128, 1, 0));
    compare_rows(c, "27 points 128^3", bench_grid(128, 3, 0));
}

int main(int count, char **words)
{
    const int files = bench_count_files(count, words);
    bench_frame frame = bench_begin(count - files, words);
    bench_case c = {.frame = &frame, .has_mkl = bench_mkl_open(frame.threads)};
    printf("%d threads%s\n%-16s", frame.threads, c.has_mkl ? "" : ", without oneMKL", "");
    for (contestant k = ROWS; k < CONTESTANTS; k++)
        printf(k == ROWS ? " %9s" : " %6s", table[k].name);
    printf("\n");
    for (int k = count - files; k < count; k++)
        compare_file(&c, words[k]);
    if (files == 0)
        bench_generated(&c);
    bench_end(&frame);
    return 0;
}
