/* Parts of views with scales whose elements share one scale are views with one scale, which every
 * operation takes; the scale is read from memory when the part is used. */
#include "steno/accessor_view.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "make_view.h"

STN_MAP(twice, (in(x), out(y)), y = x + x;)
STN_MAP(plus_one, (in(x), out(y)), y = x + 1;)
STN_MAP(gathered, (at(i), gather(x, 1), out(y)), y = STN_AT(x, i);)
STN_REDUCE(total, sum, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)
STN_ACCESSOR_SCALED(scaled, 1, double, int8_t, 0)
STN_ACCESSOR_FROM_VIEW(scaled)
STN_ACCESSOR_SCALED(by_column, 2, double, int8_t, 0x1)
STN_ACCESSOR_FROM_VIEW(by_column)

static stn_exec *exec;

static stn_view scaled_codes(int8_t *codes, int rank, const int64_t *extents, stn_scales scales)
{
    stn_view view = wrap_view("v", stn_storage_of(STN_I8), codes, rank, extents);
    expect_ok(stn_view_set_scales(&view, &scales));
    return view;
}

static stn_scales by_row(double *data)
{
    return (stn_scales){
        .data = data, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
}

enum { M = 3, N = 200 };

/* Every operation reads code[k] * scale of a row. */
static void read_row(const stn_view *row, const int8_t *code, double scale)
{
    static const int64_t count = N;
    double values[N], sum, expected;
    const stn_view y = wrap_view("y", f64(), values, 1, &count);
    const stn_view s = wrap_view("s", f64(), &sum, 1, (const int64_t[]){1});
    stn_view matrix;
    scaled x;
    expect_ok(twice_run(exec, STN_F64, row, &y));
    for (int k = 0; k < N; k++)
        assert_true(values[k] == code[k] * scale + code[k] * scale);
    expect_ok(stn_view_copy(NULL, &y, row));
    expect_ok(stn_axpy(exec, STN_F64, 2.0, row, &y));
    for (int k = 0; k < N; k++)
        assert_true(values[k] == 2.0 * (code[k] * scale) + code[k] * scale);
    expect_ok(gathered_run(exec, STN_F64, row, &y));
    expect_ok(stn_dot(exec, STN_F64, &expected, &y, &y));
    expect_ok(stn_dot(exec, STN_F64, &sum, row, row));
    assert_true(sum == expected);
    expect_ok(stn_view_insert_axis(&matrix, row, 0));
    expect_ok(stn_gemv(exec, STN_F64, 1.0, &matrix, &y, 0.0, &s));
    assert_true(sum == expected);
    expect_ok(total_reduce(exec, STN_F64, &expected, &y));
    expect_ok(total_reduce(exec, STN_F64, &sum, row));
    assert_true(sum == expected);
    expect_ok(running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &y, row));
    assert_true(values[0] == code[0] * scale);
    expect_ok(scaled_from_view(&x, row));
    assert_true(scaled_get(x, 7) == code[7] * scale);
}

UNIT_TEST(rows_with_one_scale)
{
    const int64_t extents[] = {M, N};
    double scales[M] = {0.5, 3.0, 0.1}, values[N];
    int8_t codes[M * N];
    const stn_view matrix = scaled_codes(codes, 2, extents, by_row(scales));
    const stn_view y = wrap_view("y", f64(), values, 1, extents + 1);
    stn_view row = matrix;
    for (int k = 0; k < M * N; k++)
        codes[k] = (int8_t)(k % 23 - 11);
    for (int64_t i = 0; i < M; i++) {
        row = slice_view(&matrix, 2, (const stn_slice[]){stn_slice_index(i), stn_slice_all()});
        read_row(&row, codes + i * N, scales[i]);
    }
    /* stored with the scale that the matrix has now */
    scales[2] = 4.0;
    for (int k = 0; k < N; k++)
        values[k] = 4.0 * (k % 100);
    expect_ok(twice_run(exec, STN_F64, &y, &row));
    for (int k = 0; k < N; k++)
        assert_int_equal(codes[2 * N + k], k % 100 > 63 ? 127 : 2 * (k % 100));
    expect_ok(stn_view_fill(NULL, &row, 8.0));
    assert_int_equal(codes[2 * N], 2);
    expect_ok(stn_view_fit_scales(NULL, &row, &y, STN_SCALE_POWER_OF_TWO)); /* in the matrix */
    assert_true(scales[2] == 4.0 && scales[1] == 3.0);
    expect_ok(twice_run(exec, STN_F64, &matrix, &matrix)); /* twice the codes */
    assert_int_equal(codes[2 * N], 4);
    scales[2] = 0.0;
    expect_error(twice_run(exec, STN_F64, &row, &y), STN_ERR_ARGUMENT, "v (i8, 200): scale 0");
}

UNIT_TEST(parts_of_blocks)
{
    enum { COUNT = 64 };
    const int64_t extents[] = {COUNT};
    double scales[2] = {0.25, 2.0}, sum;
    int8_t codes[COUNT];
    const stn_view x = scaled_codes(
        codes, 1, extents,
        (stn_scales){
            .data = scales, .format = STN_F64, .dimension = 0, .block = 32, .stride = {1}});
    memset(codes, 1, sizeof codes);
    for (int begin = 0; begin <= COUNT - 8; begin += 4) {
        const stn_slice slice = stn_slice_range(begin, begin + 8);
        const stn_view part = slice_view(&x, 1, &slice);
        expect_ok(total_reduce(exec, STN_F64, &sum, &part));
        assert_true(sum == 4.0 * scales[begin / 32] + 4.0 * scales[(begin + 4) / 32]);
    }
}

/* Accessors without blocks take one column, at any position in a block. */
UNIT_TEST(columns_of_blocks)
{
    int8_t codes[16];
    double scales[] = {10, 20}, values[2];
    const int64_t extents[] = {2, 8};
    const stn_view matrix = scaled_codes(
        codes, 2, extents,
        (stn_scales){
            .data = scales, .format = STN_F64, .dimension = 1, .block = 4, .stride = {0, 1}});
    memset(codes, 1, sizeof codes);
    for (int64_t j = 0; j < 8; j++) {
        const stn_slice slices[] = {stn_slice_all(), stn_slice_range(j, j + 1)};
        const stn_view column = slice_view(&matrix, 2, slices);
        by_column x;
        expect_ok(by_column_from_view(&x, &column));
        for (int row = 0; row < 2; row++) {
            by_column_load(x, row, 0, 1, values);
            assert_true(values[0] == scales[j / 4]);
            assert_true(by_column_get(x, row, 0) == scales[j / 4]);
        }
    }
}

UNIT_TEST(parts_without_elements)
{
    const int64_t extents[] = {6, 30}, none[] = {6, 0};
    int8_t codes[180] = {0};
    double scales[6] = {1, 2, 3, 4, 5, 6}, sum = 99.0;
    const stn_slice slices[] = {stn_slice_all(), stn_slice_range(5, 5)};
    const stn_view matrix = scaled_codes(codes, 2, extents, by_row(scales));
    const stn_view part = slice_view(&matrix, 2, slices), y = wrap_view("y", f64(), NULL, 2, none);
    expect_ok(total_reduce(exec, STN_F64, &sum, &part));
    assert_true(sum == 0.0);
    expect_ok(twice_run(exec, STN_F64, &part, &y));
    expect_ok(running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &y, &part));
}

/* Scales per row and block of columns: an output may follow the scales of an input, not overlap
 * them. */
UNIT_TEST(outputs_over_scales_are_refused)
{
    double codes[2 * 8] = {0}, scales[2 * 4 + 8];
    const int64_t extents[] = {2, 8}, row[] = {8};
    for (int k = 0; k < 16; k++)
        scales[k] = 1;
    stn_view x = wrap_view("x", f64(), codes, 2, extents);
    const stn_view y = wrap_view("y", f64(), scales + 7, 1, row),
                   after = wrap_view("after", f64(), scales + 8, 1, row);
    expect_ok(stn_view_set_scales(
        &x, &(stn_scales){
                .data = scales, .format = STN_F64, .dimension = 1, .block = 2, .stride = {4, 1}}));
    const stn_view second =
        slice_view(&x, 2, (const stn_slice[]){stn_slice_index(1), stn_slice_all()});
    expect_error(plus_one_run(exec, STN_F64, &second, &y), STN_ERR_ALIAS, "y overlaps x");
    expect_error(total_reduce_into(exec, STN_F64, 1, &y, &x), STN_ERR_ALIAS, "overlaps x");
    expect_error(stn_view_copy(NULL, &y, &second), STN_ERR_ALIAS, "overlap");
    expect_ok(plus_one_run(exec, STN_F64, &second, &after));
    expect_ok(stn_view_copy(NULL, &after, &second));
}

RUN_UNIT_TESTS_ON(exec, "threads:threads=2")
