/* Cases of test_misuse.c: what operands are made of beside their elements. */
#ifndef STENO_TEST_MISUSE_OPERANDS_H
#define STENO_TEST_MISUSE_OPERANDS_H

#include "misuse/data.h"
#include "matrix.h"
#include "steno/sparse.h"
#include "check.h"

TEST_CASE(an_output_over_the_indices_of_a_matrix_is_refused)
{
    int64_t starts[] = {0, 1, 2, 2, 2, 2};
    int32_t columns[] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    double values[] = {1, 2}, x[] = {1, 1};
    const int64_t extents[] = {2}, rows[] = {5};
    static const char *const names[] = {"reference", "openmp:threads=2"};
    stn_matrix *matrix;
    const stn_view vx = data_view(stn_storage_of(STN_F64), x, 1, extents),
                   over_starts = data_view(stn_storage_of(STN_I64), starts, 1, rows),
                   over_columns = data_view(stn_storage_of(STN_F64), columns, 1, rows);
    expect_ok(wrap_csr(&matrix, "a", stn_storage_of(STN_F64), 5, 2, starts, columns, values));
    for (int k = 0; k < 2; k++) {
        stn_exec *exec;
        expect_ok(stn_exec_create(&exec, names[k]));
        expect_error(stn_spmv(exec, STN_F64, 1, matrix, &vx, 0, &over_starts), STN_ERR_ALIAS,
                     "overlaps");
        expect_error(stn_spmv(exec, STN_F64, 1, matrix, &vx, 0, &over_columns), STN_ERR_ALIAS,
                     "overlaps");
        stn_exec_release(exec);
    }
}

STN_MAP(misuse_over_plus, (in(x), out(y)), y = x + 1;)
STN_REDUCE(misuse_over_total, sum, (in(x)), x)

/* Scales per row and in blocks of columns; the output is one row of them, or beside them. */
TEST_CASE(an_output_over_scales_of_an_input_is_refused)
{
    double codes[2 * 8] = {0}, scales[2 * 4 + 8];
    const int64_t extents[] = {2, 8}, row[] = {8};
    const stn_scales blocks = {
        .data = scales, .format = STN_F64, .dimension = 1, .block = 2, .stride = {4, 1}};
    for (int k = 0; k < 16; k++)
        scales[k] = 1;
    stn_view x = data_view(stn_storage_of(STN_F64), codes, 2, extents), first;
    const stn_view y = data_view(stn_storage_of(STN_F64), scales + 7, 1, row),
                   beside = data_view(stn_storage_of(STN_F64), scales + 8, 1, row);
    const stn_slice cut[] = {stn_slice_index(1), stn_slice_all()};
    expect_ok(stn_view_set_scales(&x, &blocks));
    expect_ok(stn_view_slice(&first, &x, 2, cut));
    expect_error(misuse_over_plus_run(data_exec(), STN_F64, &first, &y), STN_ERR_ALIAS,
                 "y overlaps x");
    expect_error(misuse_over_total_reduce_into(data_exec(), STN_F64, 1, &y, &x), STN_ERR_ALIAS,
                 "overlaps x");
    expect_error(stn_view_copy(NULL, &y, &first), STN_ERR_ALIAS, "overlap");
    expect_ok(misuse_over_plus_run(data_exec(), STN_F64, &first, &beside));
    expect_ok(stn_view_copy(NULL, &beside, &first));
}

TEST_CASE(no_executor_has_a_name)
{
    assert_string_equal(stn_exec_name(NULL), "no executor");
    assert_int_equal(stn_exec_threads(NULL), 0);
}

STN_ACCESSOR_SCALED(misuse_by_column, 2, double, int8_t, 0x1)
STN_ACCESSOR_FROM_VIEW(misuse_by_column)

/* Of one column there are no blocks, wherever in one it stood. */
TEST_CASE(one_column_of_a_block_has_its_scale)
{
    int8_t codes[16];
    double scales[] = {10, 20}, values[2];
    const int64_t extents[] = {2, 8};
    const stn_scales blocks = {
        .data = scales, .format = STN_F64, .dimension = 1, .block = 4, .stride = {0, 1}};
    memset(codes, 1, sizeof codes);
    stn_view matrix = data_view(stn_storage_of(STN_I8), codes, 2, extents), column;
    expect_ok(stn_view_set_scales(&matrix, &blocks));
    for (int64_t j = 0; j < 8; j++) {
        const stn_slice cut[] = {stn_slice_all(), stn_slice_range(j, j + 1)};
        misuse_by_column x;
        expect_ok(stn_view_slice(&column, &matrix, 2, cut));
        expect_ok(misuse_by_column_from_view(&x, &column));
        for (int row = 0; row < 2; row++) {
            misuse_by_column_load(x, row, 0, 1, values);
            assert_true(values[0] == scales[j / 4]);
            assert_true(misuse_by_column_get(x, row, 0) == scales[j / 4]);
        }
    }
}

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line.
 */
// clang-format off
#define MISUSE_OPERANDS                                                                            \
    cmocka_unit_test(an_output_over_the_indices_of_a_matrix_is_refused),                           \
    cmocka_unit_test(an_output_over_scales_of_an_input_is_refused),                                \
    cmocka_unit_test(no_executor_has_a_name),                                                      \
    cmocka_unit_test(one_column_of_a_block_has_its_scale),
// clang-format on

#endif
