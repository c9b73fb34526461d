/* Reductions over the shapes of other libraries' tests: vectors, matrices, their rows and columns
 * into views with gaps, up to a hundred million elements; with results that do not depend on the
 * order of the additions. */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#include <inttypes.h>
#include <stdlib.h>

#include "oracle.h"
#include "steno/reduce.h"
#include "make_view.h"

/* clang-format off */
STN_REDUCE_INTEGER(total, sum, (in(x)), x)
STN_REDUCE(total_real, sum, (in(x)), x)
STN_REDUCE_INTEGER_BY(twice, (in(x)), x, a + b, 2 * a, 0)
STN_REDUCE_BY(four_times, (in(x)), x, a + b, STN_R(4) * a, STN_R(0))
STN_REDUCE_INTEGER_BY(and_five, (in(x)), x, a + b, a + 5, 0)
STN_REDUCE(greatest, max, (in(x)), x)
STN_REDUCE_INTEGER(greatest_integer, max, (in(x)), x)
STN_REDUCE_INTEGER(greatest_place, max, (at(i, j), index(n)), i + j + n)
STN_REDUCE_INTEGER_BY(length, (at(i), index(n)), (i + n) * n, a + b, 2 * a, 0)
STN_REDUCE_INTEGER_BY(area, (at(i, j), index(n)), (i + n) * (j + n), a + b, 2 * a, 0)
/* clang-format on */

static stn_exec *exec;

static int begin(void **context)
{
    (void)context;
    return stn_exec_create(&exec, "threads:threads=2") != STN_OK;
}

static int end(void **context)
{
    (void)context;
    stn_exec_release(exec);
    return 0;
}

/* ---- a matrix of small integers ---- */

typedef struct matrix {
    int64_t rows, columns;
    int8_t *codes; /* by row */
    stn_view view;
} matrix;

/* Between -9 and -1 where it is negative, else between -4 and 6. */
static matrix make(int rank, int64_t rows, int64_t columns, int is_negative)
{
    const int64_t count = rows * columns, extent[2] = {rows, columns};
    matrix m = {rows, columns, malloc((size_t)count + 1), {0}};
    assert_non_null(m.codes);
    for (int64_t k = 0; k < count; k++) {
        const uint64_t random = (uint64_t)k * UINT64_C(0x9E3779B97F4A7C15) >> 40;
        m.codes[k] = (int8_t)(is_negative ? -1 - (int)(random % 9) : (int)(random % 11) - 4);
    }
    m.view =
        wrap_view("matrix", stn_storage_of(STN_I8), m.codes, rank, rank == 1 ? extent + 1 : extent);
    return m;
}

static void drop(matrix *m)
{
    free(m->codes);
}

static int64_t sum_of(const matrix *m)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < m->rows * m->columns; k++)
        sum += m->codes[k];
    return sum;
}

static void check_whole(int rank, int64_t rows, int64_t columns)
{
    matrix m = make(rank, rows, columns, 0);
    const int64_t sum = sum_of(&m);
    int64_t found = -1;
    double real = -1.0;
    expect_ok(total_reduce(exec, STN_I64, &found, &m.view));
    assert_int_equal(found, sum);
    expect_ok(twice_reduce(exec, STN_I64, &found, &m.view));
    assert_int_equal(found, 2 * sum);
    expect_ok(and_five_reduce(exec, STN_I64, &found, &m.view));
    assert_int_equal(found, sum + 5);
    expect_ok(total_real_reduce(exec, STN_F64, &real, &m.view));
    assert_true(real == (double)sum);
    expect_ok(four_times_reduce(exec, STN_F64, &real, &m.view));
    assert_true(real == (double)(4 * sum));
    drop(&m);
}

UNIT_TEST(test_vectors)
{
    check_whole(1, 1, 0);
    check_whole(1, 1, 100);
    check_whole(1, 1, 100000);
}

UNIT_TEST(test_matrices)
{
    static const int64_t extents[][2] = {{0, 0}, {0, 10}, {10, 0}, {10, 10}, {1000, 100}};
    for (int k = 0; k < 5; k++)
        check_whole(2, extents[k][0], extents[k][1]);
}

/* ---- rows and columns ---- */

enum { GAP = 0x6B };

/* One number per row, or per column, as sums of all codes. */
static int64_t *sums_of(const matrix *m, int of_rows)
{
    int64_t *sums = calloc((size_t)(of_rows ? m->rows : m->columns) + 1, sizeof *sums);
    assert_non_null(sums);
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++)
            sums[of_rows ? i : j] += m->codes[i * m->columns + j];
    return sums;
}

/* Into a view of every second element of f64 or i64. */
static void check_lines(const matrix *m, int of_rows, int in_integers)
{
    const int64_t count = of_rows ? m->rows : m->columns, stride = 2;
    const size_t bytes = (size_t)count * 16 + 8;
    const unsigned reduced = of_rows ? 2 : 1;
    uint8_t *memory = malloc(bytes), *expected = malloc(bytes);
    int64_t *sums = sums_of(m, of_rows);
    assert_non_null(memory);
    assert_non_null(expected);
    memset(memory, GAP, bytes);
    memset(expected, GAP, bytes);
    for (int64_t k = 0; k < count; k++) {
        const double real = (double)sums[k];
        memcpy(expected + 16 * k, in_integers ? (const void *)&sums[k] : (const void *)&real, 8);
    }
    const stn_view result = wrap_strided("result", stn_storage_of(in_integers ? STN_I64 : STN_F64),
                                         memory, 1, &count, &stride);
    expect_ok(in_integers ? total_reduce_into(exec, STN_I64, reduced, &result, &m->view)
                          : total_real_reduce_into(exec, STN_F64, reduced, &result, &m->view));
    for (int64_t k = 0; k < (int64_t)bytes; k++)
        if (memory[k] != expected[k])
            fail_msg("%s %" PRId64 " of %" PRId64 " x %" PRId64 ": byte %" PRId64 " is %x, not %x",
                     of_rows ? "row" : "column", k / 16, m->rows, m->columns, k % 16, memory[k],
                     expected[k]);
    free(memory);
    free(expected);
    free(sums);
}

static void check_shape(int64_t rows, int64_t columns, int of_rows)
{
    matrix m = make(2, rows, columns, 0);
    if (rows * columns <= 1000000 || !oracle_quick()) {
        check_lines(&m, of_rows, 0);
        check_lines(&m, of_rows, 1);
    }
    drop(&m);
}

UNIT_TEST(test_rows)
{
    static const int64_t rows[] = {0, 100, 1000, 10000}, columns[] = {0, 10, 100, 1000, 10000};
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 5; c++)
            check_shape(rows[r], columns[c], 1);
}

UNIT_TEST(test_columns)
{
    static const int64_t rows[] = {0, 10, 100, 1000, 10000};
    static const int64_t columns[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 63, 127, 128, 129};
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 16; c++)
            check_shape(rows[r], columns[c], 0);
}

/* ---- extremes of negative numbers ---- */

static void check_greatest(int rank, int64_t rows, int64_t columns)
{
    matrix m = make(rank, rows, columns, 1);
    const int64_t count = rows * columns;
    double found = 0.0;
    int64_t integer = 0;
    memset(m.codes, -100, (size_t)count);
    for (int64_t at = count - 1; at >= 0; at -= count / 3 + 1) { /* the greatest, here and there */
        m.codes[at] = -7;
        expect_ok(greatest_reduce(exec, STN_F32, &found, &m.view));
        assert_true(found == -7.0);
        expect_ok(greatest_integer_reduce(exec, STN_I64, &integer, &m.view));
        assert_int_equal(integer, -7);
        m.codes[at] = -100;
    }
    drop(&m);
}

static void check_greatest_of_lines(int64_t rows, int64_t columns, int of_rows)
{
    matrix m = make(2, rows, columns, 1);
    const int64_t count = of_rows ? rows : columns;
    int8_t *expected = malloc((size_t)count), *found = malloc((size_t)count);
    assert_non_null(expected);
    assert_non_null(found);
    memset(expected, INT8_MIN, (size_t)count);
    memset(found, 0, (size_t)count);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const int64_t k = of_rows ? i : j;
            const int8_t code = m.codes[i * columns + j];
            expected[k] = code > expected[k] ? code : expected[k];
        }
    const stn_view result = wrap_view("result", stn_storage_of(STN_I8), found, 1, &count);
    expect_ok(greatest_reduce_into(exec, STN_F32, of_rows ? 2 : 1, &result, &m.view));
    assert_memory_equal(found, expected, (size_t)count);
    free(expected);
    free(found);
    drop(&m);
}

/* ---- indices alone, without a view to read ---- */

/* The greatest i + j + 2 of all, of rows and of columns. */
static void check_greatest_places(int64_t rows, int64_t columns)
{
    const int64_t extent[] = {rows, columns};
    int64_t greatest = 0, *found = malloc((size_t)(rows > columns ? rows : columns) * 8);
    assert_non_null(found);
    expect_ok(greatest_place_reduce_over(exec, STN_I64, 2, extent, &greatest, 2));
    assert_int_equal(greatest, rows + columns);
    for (int of_rows = 0; of_rows < 2; of_rows++) {
        const int64_t outputs = of_rows ? rows : columns, others = of_rows ? columns : rows;
        const stn_view result = wrap_view("result", stn_storage_of(STN_I64), found, 1, &outputs);
        expect_ok(
            greatest_place_reduce_into_over(exec, STN_I64, 2, extent, of_rows ? 2 : 1, &result, 2));
        for (int64_t k = 0; k < outputs; k++)
            assert_int_equal(found[k], others + k + 1);
    }
    free(found);
}

/* Twice the sum of (i + 1) (j + 1), of which the reference checks the same shapes. */
static void check_area(int rank, int64_t rows, int64_t columns)
{
    const int64_t extent[] = {rows, columns};
    const int64_t expected = rows * (rows + 1) / 2 * (rank == 1 ? 2 : columns * (columns + 1));
    int64_t found = -1;
    expect_ok((rank == 1 ? length_reduce_over : area_reduce_over)(exec, STN_I64, rank, extent,
                                                                  &found, 1));
    assert_int_equal(found, expected);
}

static void check_areas_of_lines(int64_t rows, int64_t columns, int of_rows)
{
    const int64_t extent[] = {rows, columns}, two = 2;
    const int64_t outputs = of_rows ? rows : columns, others = of_rows ? columns : rows;
    int64_t *found = malloc((size_t)(2 * outputs + 1) * sizeof *found);
    assert_non_null(found);
    for (int64_t k = 0; k < 2 * outputs; k++)
        found[k] = 1234;
    const stn_view result =
        wrap_strided("result", stn_storage_of(STN_I64), found, 1, &outputs, &two);
    expect_ok(area_reduce_into_over(exec, STN_I64, 2, extent, of_rows ? 2 : 1, &result, 1));
    for (int64_t k = 0; k < outputs; k++)
        assert_true(found[2 * k] == others * (others + 1) * (k + 1) && found[2 * k + 1] == 1234);
    free(found);
}

UNIT_TEST(test_indices)
{
    static const int64_t extents[][2] = {{0, 0}, {0, 10}, {10, 0}, {10, 10}, {1000, 100}};
    static const int64_t many[] = {0, 10, 100, 1000, 10000};
    static const int64_t columns[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 63, 127, 128, 129};
    const int sizes = oracle_quick() ? 4 : 5;
    check_area(1, 0, 0);
    check_area(1, 100, 0);
    check_area(1, 100000, 0);
    for (int k = 0; k < 5; k++)
        check_area(2, extents[k][0], extents[k][1]);
    for (int r = 0; r < sizes; r++) {
        for (int c = 0; c < sizes; c++)
            if (many[r] != 10)
                check_areas_of_lines(many[r], many[c], 1);
        for (int c = 0; c < 16; c++)
            check_areas_of_lines(many[r], columns[c], 0);
    }
}

UNIT_TEST(test_greatest)
{
    static const int64_t extents[][2] = {
        {20, 10},    {10, 3000},  {1000, 5},   {30, 50},    {600, 500},   {500, 600},
        {1000, 900}, {900, 1000}, {1, 100000}, {100000, 1}, {500000, 20}, {20, 500000},
        {100, 3},    {3, 100},    {1000, 17},  {17, 1000},  {5, 40000},   {40000, 5}};
    static const int64_t lengths[] = {10, 1000, 1000000, 1234567, 7654321, 12345};
    for (int k = 0; k < COUNT_OF(extents); k++) {
        check_greatest(2, extents[k][0], extents[k][1]);
        check_greatest_of_lines(extents[k][0], extents[k][1], 0);
        check_greatest_of_lines(extents[k][0], extents[k][1], 1);
        check_greatest_places(extents[k][0], extents[k][1]);
    }
    for (int k = 0; k < 6; k++)
        check_greatest(1, 1, lengths[k]);
}

RUN_UNIT_TESTS(begin, end)
