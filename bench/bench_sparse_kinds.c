/* bench sparse_kinds: products of a 7-point matrix in every kind of storage, of complex and real
 * values and vectors, one and several, in rows and in columns.
 *
 *   bench_sparse_kinds [--threads N] [--megabytes N] [--repeat N] [--json FILE]
 *
 * The matrix belongs to the largest cube of points whose c128 values fit into N megabytes. Each
 * line contains the milliseconds of y = A x in compressed rows (best round), and the times of the
 * other kinds relative to them. For several vectors, compressed rows and slices are also compared
 * with the same number of products with contiguous vectors. Vectors have the arithmetic type. */
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"
#include "steno/sparse.h"

enum { KINDS = 6, POINTS = 7 };
static const stn_matrix_kind kinds[KINDS] = {STN_MATRIX_CSR,  STN_MATRIX_SLICED, STN_MATRIX_ELL,
                                             STN_MATRIX_SELL, STN_MATRIX_COO,    STN_MATRIX_PACKED};

static const bench_frame *frame;

/* ---- the matrix ---- */

typedef struct cube {
    int64_t side, rows;
    int64_t *start;
    int32_t *column;
    stn_c128 *value;
    double *real;
} cube;

static void fill_row(cube *c, int64_t row)
{
    const int64_t n = c->side, x = row % n, y = row / n % n, z = row / n / n;
    const int64_t near[POINTS] = {z > 0 ? -n * n : 0, y > 0 ? -n : 0,    x > 0 ? -1 : 0,       0,
                                  x < n - 1 ? 1 : 0,  y < n - 1 ? n : 0, z < n - 1 ? n * n : 0};
    int64_t at = c->start[row];
    for (int p = 0; p < POINTS; p++)
        if (near[p] != 0 || p == POINTS / 2) {
            c->column[at] = (int32_t)(row + near[p]);
            c->real[at] = 1.0 + p + 0.125 * (double)(row % 7);
            c->value[at] = stn_c128_of(1.0 + p, 0.125 * (double)(row % 7));
            at++;
        }
    c->start[row + 1] = at;
}

static cube make_cube(int64_t bytes)
{
    cube c = {.side = 2};
    while ((c.side + 1) * (c.side + 1) * (c.side + 1) * POINTS * 16 <= bytes)
        c.side++;
    c.rows = c.side * c.side * c.side;
    c.start = bench_allocate(c.rows + 1, sizeof *c.start);
    c.column = bench_allocate(POINTS * c.rows, sizeof *c.column);
    c.value = bench_allocate(POINTS * c.rows, sizeof *c.value);
    c.real = bench_allocate(POINTS * c.rows, sizeof *c.real);
    for (int64_t row = 0; row < c.rows; row++)
        fill_row(&c, row);
    return c;
}

static void drop_cube(cube *c)
{
    free(c->start);
    free(c->column);
    free(c->value);
    free(c->real);
}

/* ---- a line ---- */

typedef struct one_line {
    stn_format arithmetic, values;
    int64_t count;
    int is_by_columns;
} one_line;

static void make_kinds(const cube *c, const one_line *l, stn_matrix **result)
{
    const int is_real = bench_described(l->values).kind != STN_CLASS_COMPLEX;
    const stn_storage storage = stn_storage_of(l->values);
    stn_matrix *wide;
    wide = bench_wrap_csr("a", c->rows, c->rows, c->start, c->column, is_real ? STN_F64 : STN_C128,
                          is_real ? (const void *)c->real : c->value);
    for (int k = 0; k < KINDS; k++)
        bench_must(stn_sparse_convert(frame->exec, &result[k], wide, kinds[k], &storage));
    stn_matrix_release(wide);
}

static stn_view make_vectors(const cube *c, const one_line *l, void *data)
{
    const int64_t extents[2] = {c->rows, l->count};
    const int64_t rows[2] = {l->count, 1}, columns[2] = {1, c->rows};
    stn_view result;
    bench_must(stn_view_wrap_spec(
        &result, &STN_VIEW_SPEC(.label = "vectors", .storage = stn_storage_of(l->arithmetic),
                                .data = data, .rank = l->count == 1 ? 1 : 2, .extents = extents,
                                .strides = l->is_by_columns ? columns : rows)));
    return result;
}

static double time_once(const one_line *l, const stn_matrix *a, const stn_view *x,
                        const stn_view *y)
{
    const double begin = measure_now();
    bench_must(stn_spmv(frame->exec, l->arithmetic, 1.0, a, x, 0.0, y));
    return measure_now() - begin;
}

/* All columns one by one, each without gaps. */
static double time_singles(const cube *c, const one_line *l, const stn_matrix *a, void *from,
                           void *to)
{
    const one_line columns = {l->arithmetic, l->values, l->count, 1};
    const stn_view x = make_vectors(c, &columns, from), y = make_vectors(c, &columns, to);
    double seconds = 0;
    for (int64_t j = 0; j < l->count; j++) {
        const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(j)};
        stn_view one, sum;
        bench_must(stn_view_slice(&one, &x, 2, slices));
        bench_must(stn_view_slice(&sum, &y, 2, slices));
        seconds += time_once(l, a, &one, &sum);
    }
    return seconds;
}

typedef struct timing {
    double together, singles; /* seconds, the best of the rounds */
} timing;

static void keep_best(double *best, double seconds)
{
    if (*best == 0 || seconds < *best)
        *best = seconds;
}

static void time_kinds(const cube *c, const one_line *l, stn_matrix *const *result, timing *best,
                       void *from, void *to)
{
    const stn_view x = make_vectors(c, l, from), y = make_vectors(c, l, to);
    bench_must(stn_view_fill(frame->exec, &x, 1.5));
    for (int round = 0; round < frame->repeats; round++)
        for (int k = 0; k < KINDS; k++) {
            (void)time_once(l, result[k], &x, &y); /* what others left in the caches */
            keep_best(&best[k].together, time_once(l, result[k], &x, &y));
            if (l->count > 1 && k < 2)
                keep_best(&best[k].singles, time_singles(c, l, result[k], from, to));
        }
}

static void bench_line(const cube *c, const one_line *l)
{
    stn_matrix *result[KINDS];
    timing best[KINDS] = {{0, 0}};
    void *const from = bench_allocate(c->rows * l->count, 16), *const to = bench_allocate(
                                                                   c->rows * l->count, 16);
    make_kinds(c, l, result);
    time_kinds(c, l, result, best, from, to);
    const char *const lie = l->count == 1 ? "" : l->is_by_columns ? " in columns" : " in rows";
    printf("%-5s %-5s %d%-11s %8.3f", bench_described(l->arithmetic).name,
           bench_described(l->values).name, (int)l->count, lie, best[0].together * 1e3);
    for (int k = 1; k < KINDS; k++)
        printf(" %7.2f", best[k].together / best[0].together);
    for (int k = 0; k < 2 && l->count > 1; k++)
        printf(" %7.2f", best[k].together / best[k].singles);
    puts("");
    for (int k = 0; k < KINDS; k++)
        stn_matrix_release(result[k]);
    free(from);
    free(to);
}

int main(int count, char **words)
{
    static const stn_format formats[][2] = {
        {STN_C128, STN_C128}, {STN_C128, STN_C64}, {STN_C128, STN_C32}, {STN_C128, STN_F64},
        {STN_C128, STN_F32},  {STN_C64, STN_C64},  {STN_C64, STN_C32},  {STN_C64, STN_F16},
        {STN_F64, STN_F64},   {STN_F32, STN_F32},  {STN_F32, STN_F16}};
    bench_frame begun = bench_begin(count, words);
    frame = &begun;
    cube c = make_cube(begun.bytes);
    printf("7 points of %d^3, %d threads\n", (int)c.side, begun.threads);
    printf("arith value vectors       csr ms  sliced     ell    sell     coo  packed  of one by "
           "one: csr, "
           "sliced\n");
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        one_line l = {formats[f][0], formats[f][1], 1, 0};
        bench_line(&c, &l);
        for (l.count = 2; l.count <= 8 && (f == 0 || f == 3); l.count *= 2)
            for (l.is_by_columns = 0; l.is_by_columns < 2; l.is_by_columns++)
                bench_line(&c, &l);
    }
    drop_cube(&c);
    bench_end(&begun);
    return 0;
}
