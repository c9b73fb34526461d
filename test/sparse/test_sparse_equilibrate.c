/* stn_sparse_equilibrate: scales are powers of two, scaled entries are exact, rows and columns have
 * largest magnitudes near 1 and come into the range of f16, symmetric matrices stay symmetric; rows
 * without entries, zeros, subnormals and the largest magnitudes; refusals. */
#include <math.h>

#include "matrix.h"

enum { ROWS = 40, COLUMNS = 30, MOST = ROWS * COLUMNS };

typedef struct scaled_case {
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[MOST], by_row[ROWS], by_column[COLUMNS];
    stn_matrix *a, *made;
    stn_view row_view, column_view;
} scaled_case;

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Rows and columns of different magnitudes; row 7 is empty, column 3 has zeros only. */
static void make_case(scaled_case *c, int spread)
{
    static const int64_t rows = ROWS, columns = COLUMNS;
    uint32_t state = 17;
    int64_t at = 0;
    int shift[COLUMNS];
    for (int k = 0; k < COLUMNS; k++)
        shift[k] = (int)(next(&state) % (unsigned)(spread + 1)) - spread / 2;
    for (int r = 0; r < ROWS; r++) {
        const int row_shift = (int)(next(&state) % (unsigned)(spread + 1)) - spread / 2;
        c->start[r] = at;
        for (int k = 0; k < COLUMNS && r != 7; k++) {
            const uint32_t random = next(&state);
            if (random % 3 == 0)
                continue;
            c->column[at] = k;
            c->value[at++] = k == 3 ? 0.0
                                    : ldexp((double)(random % 1000) + 1.0, row_shift + shift[k]) *
                                          (random & 4 ? -1.0 : 1.0);
        }
    }
    c->start[ROWS] = at;
    expect_ok(wrap_csr(&c->a, "a", stn_storage_of(STN_F64), ROWS, COLUMNS, c->start, c->column,
                       c->value));
    expect_ok(stn_view_wrap(&c->row_view, "r", stn_storage_of(STN_F64), c->by_row, 1, &rows));
    expect_ok(
        stn_view_wrap(&c->column_view, "c", stn_storage_of(STN_F64), c->by_column, 1, &columns));
}

static void release_case(scaled_case *c)
{
    stn_matrix_release(c->a);
    stn_matrix_release(c->made);
}

static void expect_power(double scale)
{
    int exponent;
    assert_true(frexp(scale, &exponent) == 0.5);
}

/* Entries are value * R * C, and the largest magnitudes are within `least` and `most`. */
static void check_scaled(const scaled_case *c, stn_equilibration choice, double least, double most)
{
    const double *const scaled = c->made->values;
    double rows[ROWS] = {0}, columns[COLUMNS] = {0};
    for (int r = 0; r < ROWS; r++)
        for (int64_t k = c->start[r]; k < c->start[r + 1]; k++) {
            const int at = c->column[k];
            assert_int_equal(c->made->column[k], at);
            assert_true(scaled[k] / c->by_row[r] / c->by_column[at] == c->value[k]);
            rows[r] = fmax(rows[r], fabs(scaled[k]));
            columns[at] = fmax(columns[at], fabs(scaled[k]));
        }
    for (int r = 0; r < ROWS; r++) {
        expect_power(c->by_row[r]);
        if (choice == STN_EQUILIBRATE_COLUMNS || r == 7)
            assert_true(c->by_row[r] == 1.0);
        else
            assert_true(rows[r] >= least && rows[r] < most);
    }
    for (int k = 0; k < COLUMNS; k++) {
        expect_power(c->by_column[k]);
        if (choice == STN_EQUILIBRATE_ROWS || k == 3)
            assert_true(c->by_column[k] == 1.0);
        else
            assert_true(columns[k] >= least && columns[k] < most);
    }
}

UNIT_TEST(rows_and_columns_are_near_one)
{
    static const stn_equilibration choices[] = {STN_EQUILIBRATE_BOTH, STN_EQUILIBRATE_ROWS,
                                                STN_EQUILIBRATE_COLUMNS};
    for (int spread = 0; spread <= 400; spread += 100)
        for (int k = 0; k < 3; k++) {
            scaled_case c;
            const int is_both = choices[k] == STN_EQUILIBRATE_BOTH;
            make_case(&c, spread);
            expect_ok(stn_sparse_equilibrate(NULL, &c.made, &c.row_view, &c.column_view, c.a,
                                             choices[k]));
            check_scaled(&c, choices[k], is_both ? 0.5 : 1.0, is_both ? 4.0 : 2.0);
            release_case(&c);
        }
}

/* The largest entries of each row become numbers that f16 can hold; unscaled, most are not. */
static int64_t lost_in_f16(const stn_matrix *a)
{
    stn_counters counters = {0};
    stn_storage storage = stn_storage_of(STN_F16);
    stn_matrix *narrow;
    storage.counters = &counters;
    expect_ok(stn_sparse_convert(NULL, &narrow, a, STN_MATRIX_CSR, &storage));
    stn_matrix_release(narrow);
    return counters.saturated;
}

UNIT_TEST(badly_scaled_rows_fit_f16)
{
    scaled_case c;
    make_case(&c, 60);
    expect_ok(stn_sparse_equilibrate(NULL, &c.made, NULL, NULL, c.a, STN_EQUILIBRATE_BOTH));
    assert_true(lost_in_f16(c.a) > 0);
    assert_int_equal(lost_in_f16(c.made), 0);
    release_case(&c);
}

UNIT_TEST(symmetric_matrices_stay_symmetric)
{
    static const int64_t start[] = {0, 2, 5, 7}, rows = 3;
    static const int32_t column[] = {0, 1, 0, 1, 2, 1, 2};
    static const double value[] = {0x1p60, 0x1.8p10, 0x1.8p10, -0x1p-40, 3.0, 3.0, 0x1p90};
    double r[3], c[3];
    stn_view by_row, by_column;
    stn_matrix *a, *made;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_F64), 3, 3, start, column, value));
    expect_ok(stn_view_wrap(&by_row, "r", stn_storage_of(STN_F64), r, 1, &rows));
    expect_ok(stn_view_wrap(&by_column, "c", stn_storage_of(STN_F64), c, 1, &rows));
    expect_ok(stn_sparse_equilibrate(NULL, &made, &by_row, &by_column, a, STN_EQUILIBRATE_BOTH));
    assert_memory_equal(r, c, sizeof r);
    assert_true(((const double *)made->values)[1] == ((const double *)made->values)[2]);
    stn_matrix_release(made);
    stn_matrix_release(a);
}

UNIT_TEST(extreme_magnitudes)
{
    static const int64_t start[] = {0, 1, 2, 2}, rows = 3;
    static const int32_t column[] = {0, 1};
    static const double value[] = {0x1p-1074, 0x1.fffffffffffffp1023};
    double r[3];
    stn_view by_row;
    stn_matrix *a, *made;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_F64), 3, 3, start, column, value));
    expect_ok(stn_view_wrap(&by_row, "r", stn_storage_of(STN_F64), r, 1, &rows));
    expect_ok(stn_sparse_equilibrate(NULL, &made, &by_row, NULL, a, STN_EQUILIBRATE_BOTH));
    assert_true(((const double *)made->values)[0] == 1.0);
    assert_true(((const double *)made->values)[1] == 0x1.fffffffffffffp1 ||
                ((const double *)made->values)[1] == 0x1.fffffffffffffp0);
    assert_true(r[2] == 1.0);
    stn_matrix_release(made);
    stn_matrix_release(a);
}

UNIT_TEST(complex_values)
{
    static const int64_t start[] = {0, 1, 2};
    static const int32_t column[] = {1, 0};
    static const stn_c128 value[] = {{0x1.8p-30, 0x1.4p40}, {-0x1p50, 0.0}};
    stn_matrix *a, *made;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_C128), 2, 2, start, column, value));
    expect_ok(stn_sparse_equilibrate(NULL, &made, NULL, NULL, a, STN_EQUILIBRATE_ROWS));
    const stn_c128 *const scaled = made->values;
    assert_true(scaled[0].re == 0x1.8p-70 && scaled[0].im == 1.25 && scaled[1].re == -1.0);
    stn_matrix_release(made);
    stn_matrix_release(a);
}

UNIT_TEST(refusals)
{
    static const int64_t start[] = {0, 1, 2}, two = 2, three = 3;
    static const int32_t column[] = {1, 0};
    double value[] = {1.0, INFINITY}, scales[3];
    float narrow[2];
    stn_matrix *a, *made;
    stn_view wrong, f32, same;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_F64), 2, 2, start, column, value));
    expect_ok(stn_view_wrap(&wrong, "r", stn_storage_of(STN_F64), scales, 1, &three));
    expect_ok(stn_view_wrap(&same, "r", stn_storage_of(STN_F64), scales, 1, &two));
    expect_ok(stn_view_wrap(&f32, "r", stn_storage_of(STN_F32), narrow, 1, &two));
    expect_error(stn_sparse_equilibrate(NULL, &made, NULL, NULL, a, STN_EQUILIBRATE_BOTH),
                 STN_ERR_ARGUMENT, "row 1, column 0 of a is inf");
    assert_null(made);
    value[1] = NAN;
    expect_error(stn_sparse_equilibrate(NULL, &made, NULL, NULL, a, STN_EQUILIBRATE_ROWS),
                 STN_ERR_ARGUMENT, "finite");
    value[1] = 1.0;
    expect_error(stn_sparse_equilibrate(NULL, &made, NULL, NULL, a, (stn_equilibration)3),
                 STN_ERR_ARGUMENT, "choice is 3");
    expect_error(stn_sparse_equilibrate(NULL, &made, &wrong, NULL, a, STN_EQUILIBRATE_BOTH),
                 STN_ERR_SHAPE, "2 rows");
    expect_error(stn_sparse_equilibrate(NULL, &made, NULL, &f32, a, STN_EQUILIBRATE_BOTH),
                 STN_ERR_FORMAT, "f64 without a scale");
    expect_error(stn_sparse_equilibrate(NULL, &made, &same, &same, a, STN_EQUILIBRATE_BOTH),
                 STN_ERR_ALIAS, "overlap");
    expect_error(stn_sparse_equilibrate(NULL, &made, NULL, NULL, NULL, STN_EQUILIBRATE_BOTH),
                 STN_ERR_ARGUMENT, NULL);
    stn_matrix_release(a);
}

RUN_UNIT_TESTS(NULL, NULL)
