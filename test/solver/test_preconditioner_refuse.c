/* Refused calls of stn_ilu_create and stn_block_jacobi_create for real and complex matrices,
 * failing allocations, and real preconditioners in complex arithmetic. */
#include <stdio.h>

#include "core/memory.h"
#include "preconditioner.h"
#include "steno/block_jacobi.h"
#include "steno/ilu.h"

static linear_system s;

static const stn_block_jacobi_options blocks = STN_BLOCK_JACOBI_OPTIONS_INIT;
static const stn_ilu_options factors = STN_ILU_OPTIONS_INIT;

static void refused_factors(const stn_matrix *a, const stn_ilu_options *options, stn_status status,
                            const char *text)
{
    stn_preconditioner *m;
    memset(&m, 7, sizeof m);
    expect_error(stn_ilu_create(order_use(1), &m, a, options), status, text);
    assert_null(m);
}

static void refused_blocks(const stn_matrix *a, const stn_block_jacobi_options *options,
                           stn_status status, const char *text)
{
    stn_preconditioner *m;
    memset(&m, 7, sizeof m);
    expect_error(stn_block_jacobi_create(order_use(1), &m, a, options), status, text);
    assert_null(m);
}

/* ---- incomplete factors ---- */

/* Matrices of two rows whose entries are all stored. */
UNIT_TEST(test_pivots)
{
    const struct {
        stn_ilu_kind kind;
        int is_complex;
        number dense[4];
        const char *text;
    } cases[] = {
        {STN_ILU0, 0, {0, 1, 1, 1}, "the pivot of row 0 of a matrix is 0"},
        {STN_ILU0, 0, {1, 2, 3, 6}, "the pivot of row 1 of a matrix is 0"},
        {STN_ILU0, 0, {1e-300, 1e300, 1e300, 1}, "the pivot of row 1 of a matrix is -inf"},
        {STN_ILU0, 0, {1, 2, NAN, 6}, "row 1 of a matrix has an entry of"},
        {STN_ILU0, 0, {1, INFINITY, 2, 6}, "row 0 of a matrix has an entry of inf"},
        {STN_IC0, 0, {-1, 0, 0, 1}, "the pivot of row 0 of a matrix is -1, not positive"},
        {STN_IC0, 0, {1, 2, 2, 1}, "the pivot of row 1 of a matrix is -3, not positive"},
        {STN_ILU0, 1, {0, 1, 1, 1}, "the pivot of row 0 of a matrix is 0"},
        {STN_ILU0, 1, {1, I, I, -1}, "the pivot of row 1 of a matrix is 0"},
        {STN_ILU0, 1, {1, I, NAN, 1}, "row 1 of a matrix has an entry of nan"},
        {STN_IC0, 1, {I, 0, 0, 1}, "row 0 of a matrix has 0 +1 i on the diagonal"},
        {STN_IC0, 1, {1, 0, 2 * I, 1}, "the pivot of row 1 of a matrix is -3 +0 i, not positive"}};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const stn_ilu_options options = STN_INIT(stn_ilu_options, .kind = cases[k].kind);
        system_clear(&s, 2, cases[k].is_complex);
        for (int i = 0; i < 4; i++)
            system_store(&s, i / 2, i % 2, cases[k].dense[i]);
        system_wrap(&s);
        refused_factors(s.matrix, &options, STN_ERR_ARGUMENT, cases[k].text);
    }
}

UNIT_TEST(test_patterns)
{
    static const double values[] = {1, 2, 3, 4};
    static const struct {
        int64_t columns, start[3];
        int32_t column[4];
        stn_status status;
        const char *text;
    } cases[] = {
        {2, {0, 2, 4}, {0, 1, 0, 0}, STN_ERR_ARGUMENT, "two entries in row 1, column 0"},
        {2, {0, 2, 4}, {0, 1, 1, 1}, STN_ERR_ARGUMENT, "two entries in row 1, column 1"},
        {3, {0, 2, 4}, {0, 1, 0, 2}, STN_ERR_SHAPE, "mike (2 x 3)"},
        {2, {0, 1, 2}, {0, 0}, STN_ERR_ARGUMENT, "row 1 of mike has no entry on the diagonal"}};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        stn_matrix *a;
        expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 2, cases[k].columns, cases[k].start,
                           cases[k].column, values));
        refused_factors(a, &factors, cases[k].status, cases[k].text);
        stn_matrix_release(a);
    }
}

UNIT_TEST(test_ilu_options)
{
    static const stn_format complex_format = STN_C64, invalid = -1, bf16 = STN_BF16;
    const struct {
        int is_complex;
        stn_ilu_options options;
        stn_status status;
        const char *text;
    } cases[] = {
        {0, STN_INIT(stn_ilu_options, .format = &complex_format), STN_ERR_UNSUPPORTED, "c64"},
        {0, STN_INIT(stn_ilu_options, .format = &invalid), STN_ERR_FORMAT, ""},
        {0, STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)2), STN_ERR_ARGUMENT,
         "kind is 2; it must be STN_ILU0"},
        {0, {1, STN_ILU0, NULL}, STN_ERR_ARGUMENT, "size"},
        {1, STN_INIT(stn_ilu_options, .format = &bf16), STN_ERR_UNSUPPORTED,
         "format bf16 is not complex, but the matrix is"}};
    stn_preconditioner *m = NULL;
    for (int k = 0; k < COUNT_OF(cases); k++) {
        system_make(&s, POSITIVE, cases[k].is_complex);
        refused_factors(s.matrix, &cases[k].options, cases[k].status, cases[k].text);
    }
    refused_factors(NULL, &factors, STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_ilu_create(NULL, &m, s.matrix, &factors), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_ilu_create(order_use(1), NULL, s.matrix, &factors), STN_ERR_ARGUMENT, NULL);
}

/* ---- blocks ---- */

UNIT_TEST(test_block_options)
{
    static const stn_format unknown = (stn_format)999, bf16 = STN_BF16;
    static const int64_t wide_block[] = {0, 48, 96, 144, 150}, empty[] = {0, 12, 24, 24, 150},
                         short_by_one[] = {0, 30, 60, 90, 120, 149};
    const struct {
        int is_complex;
        stn_block_jacobi_options options;
        stn_status status;
        const char *text;
    } cases[] = {
#define BLOCKS(...) STN_INIT(stn_block_jacobi_options, __VA_ARGS__)
        {0, BLOCKS(.max_block_rows = 33), STN_ERR_RANGE,
         "max_block_rows is 33; it must be from 0 to 32"},
        {0, BLOCKS(.max_block_rows = -1), STN_ERR_RANGE, "max_block_rows is -1"},
        {0, BLOCKS(.format = &unknown), STN_ERR_FORMAT, "999"},
        {0, BLOCKS(.block_start = wide_block, .block_count = 4), STN_ERR_RANGE,
         "block 0 has 48 rows; the maximum is 32"},
        {0, BLOCKS(.block_start = empty, .block_count = 4), STN_ERR_ARGUMENT, "block 2 has 0 rows"},
        {0, BLOCKS(.block_start = short_by_one, .block_count = 5), STN_ERR_ARGUMENT,
         "end with 150"},
        {0, BLOCKS(.block_start = wide_block, .block_count = -1), STN_ERR_ARGUMENT, "begin with 0"},
        {0, BLOCKS(.block_start = wide_block, .block_count = INT64_MAX), STN_ERR_ARGUMENT,
         "the matrix has 150 rows"},
        {1, BLOCKS(.format = &bf16), STN_ERR_UNSUPPORTED,
         "format bf16 is not complex, but the matrix is"}};
#undef BLOCKS
    stn_block_jacobi_options sized = blocks;
    for (int k = 0; k < COUNT_OF(cases); k++) {
        system_make(&s, POSITIVE, cases[k].is_complex);
        refused_blocks(s.matrix, &cases[k].options, cases[k].status, cases[k].text);
    }
    refused_blocks(NULL, &blocks, STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_block_jacobi_create(order_use(0), NULL, s.matrix, &blocks), STN_ERR_ARGUMENT,
                 NULL);
    sized.size = 1;
    refused_blocks(
        s.matrix, &sized, STN_ERR_ARGUMENT,
        "options: the member size is 1, which no version of stn_block_jacobi_options has");
}

/* Singular blocks, blocks that are not finite, and a matrix that is not square. */
UNIT_TEST(test_block_matrices)
{
    static const number entries[] = {0, NAN, INFINITY, -INFINITY};
    static int64_t fives[31];
    stn_matrix *oblong;
    for (int k = 0; k <= 30; k++)
        fives[k] = 5 * k;
    for (int k = 0; k < 2 * COUNT_OF(entries); k++) {
        const int is_complex = k % 2;
        const stn_block_jacobi_options options =
            STN_INIT(stn_block_jacobi_options, .max_block_rows = 1,
                     .block_start = is_complex ? NULL : fives, .block_count = is_complex ? 0 : 30);
        char text[80];
        system_make(&s, POSITIVE, is_complex);
        for (int j = 0; j < s.rows; j++)
            s.dense[7][j] = j == 7 ? entries[k / 2] : 0;
        system_wrap(&s);
        snprintf(text, sizeof text, "rows %s (from 0) of a matrix%s",
                 is_complex ? "7 to 7" : "5 to 9", k / 2 ? "" : " is singular");
        refused_blocks(s.matrix, &options, STN_ERR_ARGUMENT, text);
    }
    expect_ok(wrap_csr(&oblong, "oblong", stn_storage_of(STN_F64), s.rows - 1, s.rows, s.start,
                       s.column, s.value));
    refused_blocks(oblong, &blocks, STN_ERR_SHAPE, "not square");
    stn_matrix_release(oblong);
}

/* ---- both ---- */

UNIT_TEST(test_operators)
{
    stn_operator op;
    expect_error(stn_operator_of_preconditioner(&op, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_operator_of_preconditioner(NULL, NULL), STN_ERR_ARGUMENT, "made is NULL");
    stn_preconditioner_release(NULL);
}

/* Each allocation fails once: real and complex factors, ILU(0) and IC(0), and blocks. */
UNIT_TEST(test_no_memory)
{
    static const stn_format formats[] = {STN_F16, STN_C32};
    for (int k = 0; k < 6; k++) {
        const int is_complex = k % 2, kind = k / 2;
        const stn_ilu_options options =
            STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind, .format = &formats[is_complex]);
        stn_status status = STN_ERR_MEMORY;
        int64_t nth = 0;
        const stn_exec *const exec = order_use(1);
        system_make(&s, POSITIVE, is_complex);
        while (status == STN_ERR_MEMORY && ++nth < 200) {
            stn_preconditioner *m;
            stn_fail_allocation(nth);
            status = kind < 2 ? stn_ilu_create(exec, &m, s.matrix, &options)
                              : stn_block_jacobi_create(exec, &m, s.matrix, &blocks);
            stn_fail_allocation(0);
            assert_true(status == STN_OK || !m);
            stn_preconditioner_release(m);
        }
        expect_ok(status);
        assert_in_range(nth, kind < 2 ? 20 : 10, 199);
    }
}

/* A real preconditioner applies to each part of a complex vector as to a real vector. */
UNIT_TEST(test_complex_vectors)
{
    const stn_block_jacobi_options options =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = 3);
    number from[MOST_ROWS], both[MOST_ROWS], part[2][MOST_ROWS];
    system_make(&s, GENERAL, 0);
    for (int k = 0; k < 2; k++) {
        stn_preconditioner *m;
        uint64_t state = 10;
        expect_ok(k ? stn_block_jacobi_create(order_use(1), &m, s.matrix, &options)
                    : stn_ilu_create(order_use(1), &m, s.matrix, &factors));
        for (int i = 0; i < s.rows; i++) {
            from[i] = draw(&state);
            from[i] += draw(&state) * I;
        }
        apply(order_use(1), m, STN_C128, from, both);
        for (int p = 0; p < 2; p++) {
            number real[MOST_ROWS];
            for (int i = 0; i < s.rows; i++)
                real[i] = p ? cimag(from[i]) : creal(from[i]);
            apply(order_use(1), m, STN_F64, real, part[p]);
        }
        for (int i = 0; i < s.rows; i++)
            assert_true(both[i] == part[0][i] + part[1][i] * I);
        stn_preconditioner_release(m);
    }
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
