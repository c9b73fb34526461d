/* Products with many right-hand sides in rows, with gaps between the rows or without: each column
 * is what its product by itself is, and gaps stay as they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "matrix.h"
#include "steno/sparse.h"
#include "check.h"

enum { ROWS = 90, COLUMNS = 120, MOST = 4000, WIDEST = 43, PARTS = 2 };

static double any(uint64_t *state)
{
    return (double)(int64_t)(order_next(state) % 2001 - 1000) / 700;
}

typedef struct problem {
    stn_format arithmetic;
    int64_t parts, bytes; /* of a number of the vectors */
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[MOST * PARTS];
    stn_matrix *a;
} problem;

/* Rows of up to 7 entries, and some of 40 and of 150. */
static void make(problem *p, stn_format arithmetic, stn_format values, uint64_t *state)
{
    const int64_t parts = values == STN_C128 ? 2 : 1;
    p->arithmetic = arithmetic;
    p->parts = arithmetic == STN_C128 || arithmetic == STN_C64 ? 2 : 1;
    p->bytes = arithmetic == STN_F64 || arithmetic == STN_C128 ? 8 : 4;
    p->start[0] = 0;
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t count = row == 17 ? 150 : row == 40 ? 40 : row * 5 % 8;
        p->start[row + 1] = p->start[row] + count;
        for (int64_t k = p->start[row]; k < p->start[row + 1]; k++) {
            p->column[k] = (int32_t)(order_next(state) % COLUMNS);
            for (int64_t part = 0; part < parts; part++)
                p->value[k * parts + part] = any(state);
        }
    }
    expect_ok(wrap_csr(&p->a, "mike", stn_storage_of(values), ROWS, COLUMNS, p->start, p->column,
                       p->value));
}

/* Numbers that are rows of `step` elements, whose first `count` are filled: the others are NaN. */
typedef struct numbers {
    double wide[COLUMNS * WIDEST * PARTS];
    float narrow[COLUMNS * WIDEST * PARTS];
} numbers;

static void fill(const problem *p, numbers *made, int64_t rows, int64_t count, int64_t step,
                 uint64_t *state)
{
    for (int64_t k = 0; k < rows * step * p->parts; k++) {
        const int is_gap = k % (step * p->parts) >= count * p->parts;
        made->narrow[k] = is_gap ? NAN : (float)any(state);
        made->wide[k] = (double)made->narrow[k];
    }
}

static char *data_of(const problem *p, numbers *of)
{
    return p->bytes == 8 ? (char *)of->wide : (char *)of->narrow;
}

static stn_view rows_of(const problem *p, numbers *of, int64_t rows, int64_t count, int64_t step)
{
    const int64_t extents[2] = {rows, count}, strides[2] = {step, 1};
    stn_view view;
    expect_ok(stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "victor",
                                                       .storage = stn_storage_of(p->arithmetic),
                                                       .data = data_of(p, of), .rank = 2,
                                                       .extents = extents, .strides = strides)));
    return view;
}

/* Column j, without gaps. */
static void take(const problem *p, char *column, char *from, int64_t rows, int64_t step, int64_t j,
                 int is_back)
{
    const int64_t bytes = p->bytes * p->parts;
    for (int64_t row = 0; row < rows; row++) {
        char *const there = from + (row * step + j) * bytes;
        memcpy(is_back ? there : column + row * bytes, is_back ? column + row * bytes : there,
               (size_t)bytes);
    }
}

static void multiply_each(const problem *p, double beta, numbers *x, numbers *y, int64_t count,
                          int64_t step)
{
    static double from[COLUMNS * PARTS], to[ROWS * PARTS];
    const int64_t rows = ROWS, columns = COLUMNS;
    const stn_storage storage = stn_storage_of(p->arithmetic);
    stn_view xv, yv;
    expect_ok(stn_view_wrap(&xv, "xray", storage, from, 1, &columns));
    expect_ok(stn_view_wrap(&yv, "yankee", storage, to, 1, &rows));
    for (int64_t j = 0; j < count; j++) {
        take(p, (char *)from, data_of(p, x), COLUMNS, step, j, 0);
        take(p, (char *)to, data_of(p, y), ROWS, step, j, 0);
        expect_ok(stn_spmv(order_use(0), p->arithmetic, 0.7, p->a, &xv, beta, &yv));
        take(p, (char *)to, data_of(p, y), ROWS, step, j, 1);
    }
}

static void check(const problem *p, const stn_matrix *a, int64_t count, int64_t step, int number,
                  uint64_t *state)
{
    static numbers x, old, y, expected;
    const double beta = number % 3 ? 0.0 : -0.3;
    fill(p, &x, COLUMNS, count, step, state);
    fill(p, &old, ROWS, count, step, state);
    expected = old;
    multiply_each(p, beta, &x, &expected, count, step);
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, number))
            continue;
        y = old;
        const stn_view from = rows_of(p, &x, COLUMNS, count, step);
        const stn_view to = rows_of(p, &y, ROWS, count, step);
        expect_ok(stn_spmv(order_use(setting), p->arithmetic, 0.7, a, &from, beta, &to));
        if (memcmp(&y, &expected, sizeof y) != 0)
            fail_msg("%d vectors in rows of %d, kind %d, values of format %d, arithmetic %d, on %s",
                     (int)count, (int)step, (int)a->kind, (int)a->storage.format,
                     (int)p->arithmetic, order_setting_name(setting));
    }
}

UNIT_TEST(test_rows)
{
    static const stn_format pairs[][2] = {{STN_F64, STN_F64},   {STN_F32, STN_F64},
                                          {STN_C128, STN_C128}, {STN_C128, STN_F64},
                                          {STN_C64, STN_C128},  {STN_C64, STN_F64}};
    static const int64_t counts[] = {1, 2, 3, 4, 6, 7, 8, 9, 12, 15, 16, 17, 20, 24, 33, 40};
    static problem p;
    uint64_t state = 11;
    int number = 0;
    for (int k = 0; k < 6; k++) {
        make(&p, pairs[k][0], pairs[k][1], &state);
        for (int kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++) {
            stn_matrix *made;
            expect_ok(stn_sparse_convert(NULL, &made, p.a, (stn_matrix_kind)kind, NULL));
            for (int c = 0; c < 16; c++)
                for (int64_t gap = 0; gap <= 3; gap += 3)
                    check(&p, made, counts[c], counts[c] + gap, number++, &state);
            stn_matrix_release(made);
        }
        stn_matrix_release(p.a);
    }
}

RUN_UNIT_TESTS(NULL, release_executors)
