/* Conversions of sparse matrices: the bytes they predict, repeated entries, values and scales,
 * sorted rows; what is refused, and what is left when memory ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "sparse_arrays.h"
#include "check.h"

/* ---- repeated entries: as a table of sums ---- */

UNIT_TEST(test_repeated)
{
    int32_t row[] = {2, 0, 2, 0, 2, 1}, column[] = {1, 3, 0, 3, 1, 4};
    int8_t value[] = {100, 1, 5, -2, 100, 7};
    const int64_t count = 6;
    const stn_storage i16 = stn_storage_of(STN_I16), f64 = stn_storage_of(STN_F64);
    stn_view rows, columns, values;
    stn_matrix *coo, *made;
    wrap(&rows, "row", STN_I32, row, count);
    wrap(&columns, "column", STN_I32, column, count);
    wrap(&values, "values", STN_I8, value, count);
    expect_ok(wrap_coo(&coo, "mike", 3, 5, &rows, &columns, &values, STN_DUPLICATES_REFUSE));
    says(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL), STN_ERR_RANGE,
         "entries 1 and 3 are both for row 0 and column 3", "mike");
    assert_null(made);
    stn_matrix_release(coo);
    expect_ok(wrap_coo(&coo, "mike", 3, 5, &rows, &columns, &values, STN_DUPLICATES_SUM));
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, &i16));
    assert_memory_equal(made->row_start, ((int64_t[]){0, 1, 2, 4}), 4 * sizeof(int64_t));
    assert_memory_equal(made->column, ((int32_t[]){3, 4, 0, 1}), 4 * sizeof(int32_t));
    assert_memory_equal(made->values, ((int16_t[]){-1, 7, 5, 200}), 4 * sizeof(int16_t));
    stn_matrix_release(made);
    says(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_ELL, NULL), STN_ERR_RANGE,
         "the sum of the 2 entries of row 2, column 1 is out of the range of i8", "mike");
    assert_null(made);
    value[0] = 27;
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_ELL, NULL));
    assert_true(made->entries == 4 && ((const int8_t *)made->codes.data)[2 + 3] == 127);
    stn_matrix_release(made);
    stn_matrix_release(coo);
    values.storage.scale = 0.1; /* no power of two: summed as f64 */
    expect_ok(wrap_coo(&coo, "mike", 3, 5, &rows, &columns, &values, STN_DUPLICATES_SUM));
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, &f64));
    assert_true(((const double *)made->values)[0] == 1 * 0.1 + -2 * 0.1 && made->entries == 4);
    stn_matrix_release(made);
    stn_matrix_release(coo);
    expect_ok(wrap_coo(&coo, "mike", 3, 5, &rows, &columns, NULL, STN_DUPLICATES_SUM));
    expect_ok(
        stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL)); /* how often each is there */
    assert_memory_equal(made->values, ((uint8_t[]){2, 1, 1, 2}), 4);
    stn_matrix_release(made);
    stn_matrix_release(coo);
}

/* In the order given, which rounds differently from any other. */
UNIT_TEST(test_order_of_repeated)
{
    enum { ENTRIES = 4000 };
    static int64_t row[ENTRIES], column[ENTRIES];
    static double value[ENTRIES], sums[20][30];
    static int there[20][30];
    const int64_t count = ENTRIES;
    uint64_t state = 5;
    stn_view rows, columns, values;
    stn_matrix *coo, *made;
    int64_t places = 0;
    memset(sums, 0, sizeof sums);
    for (int64_t k = 0; k < count; k++) {
        row[k] = (int64_t)(order_next(&state) % 20);
        column[k] = (int64_t)(order_next(&state) % 30);
        value[k] = ldexp((double)(order_next(&state) % 1000), (int)(order_next(&state) % 60));
        sums[row[k]][column[k]] += value[k];
        places += !there[row[k]][column[k]];
        there[row[k]][column[k]] = 1;
    }
    wrap(&rows, "row", STN_I64, row, count);
    wrap(&columns, "column", STN_I64, column, count);
    wrap(&values, "values", STN_F64, value, count);
    expect_ok(wrap_coo(&coo, "mike", 20, 30, &rows, &columns, &values, STN_DUPLICATES_SUM));
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL));
    assert_true(made->entries == places);
    for (int64_t i = 0; i < 20; i++)
        for (int64_t k = made->row_start[i]; k < made->row_start[i + 1]; k++) {
            assert_true(((const double *)made->values)[k] == sums[i][made->column[k]]);
            assert_true(k == made->row_start[i] || made->column[k - 1] < made->column[k]);
        }
    stn_matrix_release(made);
    stn_matrix_release(coo);
}

/* ---- conversions of values, and bytes ---- */

UNIT_TEST(test_values_of_conversions)
{
    const stn_storage f32 = stn_storage_of(STN_F32);
    double block[1] = {0.1};
    const stn_scales scales = {
        .data = block, .format = STN_F64, .dimension = 0, .block = 32, .stride = {1}};
    arrays a;
    stn_matrix *csr, *made;
    make(&a);
    expect_ok(stn_view_set_scales(&a.value, &scales));
    expect_ok(wrap_csr_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
    says(stn_sparse_convert(NULL, &made, csr, STN_MATRIX_COO, NULL), STN_ERR_UNSUPPORTED,
         "scales per entry", "storage");
    assert_null(made);
    expect_ok(stn_matrix_set_row_scales(csr, &a.scale));
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++) {
        stn_matrix *back;
        expect_ok(stn_sparse_convert(NULL, &made, csr, kind, &f32));
        assert_true(made->scales.size == 0);
        expect_ok(stn_sparse_convert(NULL, &back, made, STN_MATRIX_CSR, NULL));
        assert_true(((const float *)back->values)[0] == (float)(1 * 0.1 * 1));
        assert_true(((const float *)back->values)[2] == (float)(3 * 0.1 * 3));
        stn_matrix_release(back);
        stn_matrix_release(made);
    }
    stn_matrix_release(csr);
    expect_ok(stn_view_release(&a.value));
}

/* Scales of rows that the source owns are copied: the result is valid after its release. */
UNIT_TEST(test_scales_of_released_sources)
{
    const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_COO, STN_MATRIX_ELL,
                                     STN_MATRIX_SELL};
    arrays a;
    make(&a);
    for (int k = 0; k < 16; k++) {
        stn_matrix *csr, *owner, *first, *second;
        expect_ok(wrap_csr_views(&csr, "mike", 5, &a.starts, &a.columns, &a.value));
        expect_ok(stn_matrix_set_row_scales(csr, &a.scale));
        expect_ok(stn_matrix_mirror(NULL, &owner, csr));
        expect_ok(stn_sparse_convert(NULL, &first, owner, kinds[k / 4], NULL));
        expect_ok(stn_sparse_convert(NULL, &second, first, kinds[k % 4], NULL));
        assert_true(first->scales.data != owner->scales.data);
        assert_true(second->scales.data != first->scales.data);
        stn_matrix_release(owner);
        stn_matrix_release(first);
        for (int64_t row = 0; row < 3; row++) {
            double scale, expected;
            expect_ok(stn_view_get(&second->scales, 1, &row, &scale));
            expect_ok(stn_view_get(&a.scale, 1, &row, &expected));
            assert_true(scale == expected);
        }
        stn_matrix_release(second);
        stn_matrix_release(csr);
    }
}

/* stn_sparse_bytes returns the bytes of each kind, and for AUTO the smaller of compressed rows and
 * slices. */
UNIT_TEST(test_bytes)
{
    int64_t start[41];
    static int64_t column[40 * 9];
    const int64_t starts = 41;
    uint64_t state = 8;
    for (int even = 0; even < 2; even++) {
        stn_view rows, columns;
        stn_matrix *csr;
        int64_t fast_bytes[2] = {0, 0}, predicted;
        start[0] = 0;
        for (int64_t row = 0; row < 40; row++)
            start[row + 1] = start[row] + (even ? 5 : (int64_t)(order_next(&state) % 9));
        const int64_t count = start[40];
        for (int64_t k = 0; k < count; k++)
            column[k] = (int64_t)(order_next(&state) % 1000000);
        wrap(&rows, "start", STN_I64, start, starts);
        wrap(&columns, "column", STN_I64, column, count);
        expect_ok(wrap_csr_views(&csr, "mike", 1000000, &rows, &columns, NULL));
        for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++) {
            stn_matrix *made;
            int64_t bytes, again;
            expect_ok(stn_sparse_bytes(csr, kind, STN_U8, &bytes));
            expect_ok(stn_sparse_convert(NULL, &made, csr, kind, NULL));
            expect_ok(stn_sparse_bytes(made, kind, STN_U8, &again));
            assert_true(made->kind == kind && again == bytes);
            if (kind == STN_MATRIX_COO)
                assert_true(bytes == count * (4 + 4 + 1));
            if (kind == STN_MATRIX_ELL && even)
                assert_true(bytes == count * (4 + 1));
            if (kind == STN_MATRIX_SELL && even) /* slices of 32 and of 8 rows */
                assert_true(bytes == 64 * 5 * (4 + 1) + 3 * 8 + 40 * 4);
            if (kind <= STN_MATRIX_SLICED)
                fast_bytes[kind - STN_MATRIX_CSR] = bytes;
            if (kind == STN_MATRIX_PACKED) /* a pattern has one distinct value */
                assert_true(made->distinct == (count > 0) && made->bits == 2);
            stn_matrix_release(made);
        }
        expect_ok(stn_sparse_bytes(csr, STN_MATRIX_AUTO, STN_U8, &predicted));
        assert_true(predicted == fast_bytes[0] || predicted < fast_bytes[0]);
        stn_matrix_release(csr);
    }
}

/* Rows of 1 and of 9 entries in turn: of sigma rows the longest come first, then as they were. */
UNIT_TEST(test_sorted_rows)
{
    int64_t start[65] = {0};
    static int32_t column[64 * 9];
    stn_view rows, columns;
    stn_matrix *csr, *made;
    for (int64_t row = 0; row < 64; row++)
        start[row + 1] = start[row] + (row % 2 ? 9 : 1);
    wrap(&rows, "start", STN_I64, start, 65);
    wrap(&columns, "column", STN_I32, column, start[64]);
    expect_ok(wrap_csr_views(&csr, "mike", 1, &rows, &columns, NULL));
    expect_ok(stn_sparse_convert_sell(NULL, &made, csr, 32, 1000, NULL));
    assert_true(made->height == 32 && made->sigma == 1000 &&
                made->indices.extent[0] == 32 * (9 + 1));
    for (int row = 0; row < 64; row++)
        assert_int_equal(((const int32_t *)made->positions.data)[row],
                         row % 2 ? row / 2 : 32 + row / 2);
    stn_matrix_release(made);
    expect_ok(stn_sparse_convert_sell(NULL, &made, csr, 32, 1, NULL));
    assert_true(made->positions.size == 0 && made->indices.extent[0] == 64 * 9);
    stn_matrix_release(made);
    stn_matrix_release(csr);
}

/* ---- from plain rows ---- */

/* Rows of 0, 2 and 1 entries, and of `long_row` in the last. */
static void make_uneven(stn_matrix **csr, int64_t rows, int64_t long_row)
{
    static int64_t start[101];
    static int32_t column[600];
    static double values[600];
    for (int64_t r = 0; r < rows; r++)
        start[r + 1] = start[r] + (r == rows - 1 ? long_row : r % 3 == 1 ? 2 : r % 3 == 2);
    for (int64_t k = 0; k < start[rows]; k++) {
        column[k] = (int32_t)(k * 37 % 200);
        values[k] = (double)(k % 7) - 3.0;
    }
    expect_ok(wrap_csr(csr, "uneven", stn_storage_of(STN_F64), rows, 200, start, column, values));
}

/* The predicted bytes are those of the result, AUTO chooses fewer bytes, and values are converted.
 */
UNIT_TEST(test_conversions)
{
    stn_storage halves = stn_storage_of(STN_I8);
    halves.scale = 0.5;
    for (int64_t rows = 1; rows <= 100; rows += 9)
        for (int64_t more = 0; more <= 400; more += 100) {
            stn_matrix *csr, *made, *back;
            const stn_matrix_kind sliced = STN_MATRIX_SLICED, plain = STN_MATRIX_CSR;
            int64_t bytes, least, most, predicted;
            make_uneven(&csr, rows, more);
            expect_ok(stn_sparse_bytes(csr, sliced, STN_I8, &bytes));
            expect_ok(stn_sparse_bytes(csr, plain, STN_I8, &most));
            expect_ok(stn_sparse_bytes(csr, STN_MATRIX_AUTO, STN_I8, &least));
            assert_true(most == 8 * (rows + 1) + 5 * csr->entries);
            assert_true(least == most || (least == bytes && bytes < most));
            expect_ok(stn_sparse_convert(NULL, &made, csr, sliced, &halves));
            assert_true(bytes == 16 * ((rows + 15) / 16 + 1) + 4 * made->words + made->slots);
            expect_ok(stn_sparse_bytes(made, sliced, STN_I8, &predicted));
            assert_true(predicted == bytes);
            expect_ok(stn_sparse_convert(NULL, &back, made, STN_MATRIX_CSR, NULL));
            assert_true(back->storage.format == STN_I8 && back->storage.scale == 0.5);
            for (int64_t k = 0; k < csr->entries; k++)
                assert_true(((const int8_t *)back->values)[k] == k % 7 * 2 - 6 &&
                            back->column[k] == csr->column[k]);
            stn_matrix_release(made);
            stn_matrix_release(back);
            stn_matrix_release(csr);
        }
}

/* ---- memory ---- */

/* Each allocation of a conversion to kind k fails once, also to f16; kind -1 is a mirror. */
static void fail_each(const stn_matrix *from, int k, int64_t least)
{
    const stn_storage f16 = stn_storage_of(STN_F16);
    int64_t nth = 1;
    for (; nth < 40; nth++) {
        stn_matrix *made;
        stn_fail_allocation(nth);
        const stn_status status =
            k < 0 ? stn_matrix_mirror(NULL, &made, from)
                  : stn_sparse_convert(NULL, &made, from, (stn_matrix_kind)(k % 6),
                                       k / 6 ? &f16 : NULL);
        stn_fail_allocation(0);
        assert_true((status == STN_OK) == (made != NULL));
        stn_matrix_release(made);
        if (status == STN_OK)
            break;
        assert_int_equal(status, STN_ERR_MEMORY);
    }
    assert_in_range(nth, least, 39);
}

UNIT_TEST(test_no_memory)
{
    static int32_t row[300], column[300];
    static double value[600];
    const int64_t count = 300, stride = 2;
    uint64_t state = 9;
    stn_view rows, columns, values;
    for (int64_t k = 0; k < count; k++) {
        row[k] = (int32_t)(k / 6);
        column[k] = (int32_t)(order_next(&state) % 4);
    }
    wrap(&rows, "row", STN_I32, row, count);
    wrap(&columns, "column", STN_I32, column, count);
    expect_ok(stn_view_wrap_spec(
        &values, &STN_VIEW_SPEC(.label = "values", .storage = stn_storage_of(STN_F64),
                                .data = value, .rank = 1, .extents = &count, .strides = &stride)));
    for (int repeated = STN_DUPLICATES_SUM; repeated <= STN_DUPLICATES_KEEP; repeated++) {
        stn_matrix *coo;
        expect_ok(wrap_coo(&coo, "mike", 50, 4, &rows, &columns, &values,
                           (stn_matrix_duplicates)repeated));
        for (int k = -1; k < 12; k++)
            fail_each(coo, k, k < 0 ? 2 : 5);
        for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++) {
            stn_matrix *made;
            expect_ok(stn_sparse_convert(NULL, &made, coo, kind, NULL));
            for (int k = 0; k < 12; k++)
                fail_each(made, k, 2);
            stn_matrix_release(made);
        }
        stn_matrix_release(coo);
    }
}

RUN_UNIT_TESTS(NULL, release_executors)
