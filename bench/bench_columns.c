/* bench columns: four right-hand sides next to one, in products and in CG, whose columns read the
 * matrix together.
 *
 *   bench_columns [--threads N] [--megabytes N] [--repeat N]
 *
 * The matrix, in slices, has 7 or 27 points on the largest cube whose values in f64 fit into N
 * megabytes. Each line contains the bytes of the matrix per row, and the time of four columns
 * relative to one: the bound by bytes of matrix and vectors in memory, and the median of
 * alternating rounds with its range. CG takes 40 iterations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "frame.h"
#include "sparse_cases.h"
#include "steno/solver.h"

enum { COLUMNS = 4, ITERATIONS = 40 };

/* Bytes per row of the vectors of a column: x and y of the product, which is read before it is
 * written; in CG also r - alpha q, and both updates. Sums are computed while their vectors are in
 * the cache. */
static const double product_bytes = 24.0, cg_bytes = 24.0 + 24.0 + 40.0;

typedef struct job {
    const bench_frame *frame;
    const stn_matrix *a;
    stn_operator op;
    int64_t rows;
    double *b, *x;
} job;

static void views_of(const job *j, int64_t count, stn_view *b, stn_view *x)
{
    const int64_t extents[] = {j->rows, count}, strides[] = {1, j->rows};
    const stn_storage f64 = stn_storage_of(STN_F64);
    bench_must(
        stn_view_wrap_spec(b, &STN_VIEW_SPEC(.label = "b", .storage = f64, .data = j->b, .rank = 2,
                                             .extents = extents, .strides = strides)));
    bench_must(
        stn_view_wrap_spec(x, &STN_VIEW_SPEC(.label = "x", .storage = f64, .data = j->x, .rank = 2,
                                             .extents = extents, .strides = strides)));
}

static double time_product(const job *j, int64_t count)
{
    stn_view b, x;
    views_of(j, count, &b, &x);
    const double begun = stn_seconds_now();
    for (int k = 0; k < 10; k++)
        bench_must(stn_spmv(j->frame->exec, STN_F64, 1.0, j->a, &b, 0.0, &x));
    return stn_seconds_now() - begun;
}

static double time_cg(const job *j, int64_t count)
{
    const stn_solver_options options =
        STN_INIT(stn_solver_options, .relative_tolerance = 1e-30, .max_iterations = ITERATIONS);
    stn_view b, x;
    views_of(j, count, &b, &x);
    memset(j->x, 0, (size_t)(count * j->rows) * sizeof *j->x);
    const double begun = stn_seconds_now();
    if (stn_solve(j->frame->exec, &x, &j->op, &b, &options, NULL) != STN_ERR_CONVERGENCE)
        bench_fail("CG: more than 40 iterations are expected");
    return stn_seconds_now() - begun;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_ratio(const job *j, double (*time)(const job *, int64_t), double matrix,
                        double vectors)
{
    const int repeats = j->frame->repeats;
    double ratios[BENCH_MOST_REPEATS];
    (void)time(j, COLUMNS);
    for (int k = 0; k < repeats; k++) {
        const double one = time(j, 1);
        ratios[k] = time(j, COLUMNS) / one;
    }
    qsort(ratios, (size_t)repeats, sizeof *ratios, compare);
    printf("  %6.2f %6.2f (%.2f to %.2f)", (matrix + COLUMNS * vectors) / (matrix + vectors),
           ratios[repeats / 2], ratios[0], ratios[repeats - 1]);
}

/* Off-diagonal entries are -1, and rows are diagonally dominant. */
static void set_values(bench_csr *m)
{
    for (int64_t row = 0; row < m->rows; row++)
        for (int64_t k = m->start[row]; k < m->start[row + 1]; k++)
            m->value[k] = m->column[k] == row ? (double)(m->start[row + 1] - m->start[row]) : -1.0;
}

static void run(const bench_frame *frame, int axes, stn_format format)
{
    const int64_t points = axes == 1 ? 7 : 27;
    const stn_storage storage = stn_storage_of(format);
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    stn_matrix *sliced;
    int64_t n = 4;
    while ((n + 1) * (n + 1) * (n + 1) * points * 8 <= frame->bytes)
        n++;
    bench_csr m = bench_grid(n, axes, 0);
    set_values(&m);
    stn_matrix *const csr =
        bench_wrap_csr("grid", m.rows, m.columns, m.start, m.column, STN_F64, m.value);
    bench_must(stn_sparse_convert(frame->exec, &sliced, csr, STN_MATRIX_SLICED, &storage));
    bench_must(stn_matrix_describe(sliced, &info));
    job j = {.frame = frame, .a = sliced, .rows = m.rows};
    bench_must(stn_operator_of_matrix(&j.op, sliced));
    j.b = bench_allocate(COLUMNS * j.rows, sizeof *j.b);
    j.x = bench_allocate(COLUMNS * j.rows, sizeof *j.x);
    for (int64_t k = 0; k < COLUMNS * j.rows; k++)
        j.b[k] = (double)(k * 37 % 101) / 50.0 - 1.0;
    const double matrix = (double)info.bytes / (double)j.rows;
    printf("%6d %5lld^3 %6s %7.1f", (int)points, (long long)n, bench_described(format).name,
           matrix);
    print_ratio(&j, time_product, matrix, product_bytes);
    print_ratio(&j, time_cg, matrix, cg_bytes);
    printf("\n");
    free(j.b);
    free(j.x);
    stn_matrix_release(sliced);
    stn_matrix_release(csr);
    bench_drop_csr(&m);
}

int main(int count, char **words)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16};
    bench_frame frame = bench_begin(count, words);
    printf("points   grid format   bytes  product: bound, measured      CG: bound, measured\n");
    for (int k = 0; k < 6; k++)
        run(&frame, k < 3 ? 1 : 3, formats[k % 3]);
    bench_end(&frame);
    return 0;
}
