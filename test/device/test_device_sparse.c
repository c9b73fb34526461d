/* Mirrors of sparse matrices of every kind, over views, on devices: the bits of `reference`. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_run.h"
#include "matrix.h"
#include "steno/sparse.h"
#include "check.h"

enum { ROWS = 37, COLUMNS = 50, MOST = 9000, WIDTH = 3, BLOCKS = MOST / 32 + 1 };

/* Rows of up to 12 tiles; values of any real format at a stride of 2, or complex. */
typedef struct sparse {
    int32_t start[ROWS + 1], row[MOST];
    int64_t column[MOST];
    double codes[4 * MOST], block_scales[BLOCKS], row_scales[2 * ROWS]; /* codes: room for them */
    stn_view starts, rows, columns, values, scales;
} sparse;

static void make_sparse(sparse *s, stn_format format)
{
    const int64_t strides[2] = {1, 2}, starts = ROWS + 1, rows = ROWS;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    s->start[0] = 0;
    for (int row = 0; row < ROWS; row++) {
        const int32_t count = (int32_t)(row == 5 ? 1500 : chance(3) ? chance(9) : chance(300));
        s->start[row + 1] = s->start[row] + count;
        for (int32_t k = s->start[row]; k < s->start[row + 1]; k++)
            s->row[k] = row;
        s->row_scales[2 * row] = (double)chance(1000) / 700 - 0.5;
    }
    const int64_t count = s->start[ROWS];
    assert_true(count <= MOST);
    for (int64_t k = 0; k < count; k++)
        s->column[k] = (int64_t)chance(COLUMNS);
    for (int k = 0; k < BLOCKS; k++)
        s->block_scales[k] = 0.25 + (double)chance(7) / 8;
    memset(s->codes, 0, sizeof s->codes);
    scatter(s->codes, 2 * count * info.bytes);
    tame(info.component, s->codes, 2 * count * info.bytes);
    expect_ok(stn_view_wrap(&s->starts, "start", stn_storage_of(STN_I32), s->start, 1, &starts));
    expect_ok(stn_view_wrap(&s->rows, "row", stn_storage_of(STN_I32), s->row, 1, &count));
    expect_ok(stn_view_wrap(&s->columns, "column", stn_storage_of(STN_I64), s->column, 1, &count));
    expect_ok(stn_view_wrap_spec(
        &s->values,
        &STN_VIEW_SPEC(.label = "values", .storage = stn_storage_of(format), .data = s->codes,
                       .rank = 1, .extents = &count, .strides = &strides[1])));
    expect_ok(stn_view_wrap_spec(
        &s->scales,
        &STN_VIEW_SPEC(.label = "scales", .storage = stn_storage_of(STN_F64), .data = s->row_scales,
                       .rank = 1, .extents = &rows, .strides = &strides[1])));
}

typedef struct vectors {
    int rank;
    stn_format format;
    stn_view x, y, there_x, there_y; /* x and y on the host */
    double x_data[2 * COLUMNS * WIDTH], y_data[2 * ROWS * WIDTH];
    double found_data[2 * ROWS * WIDTH];
} vectors;

/* In the arithmetic type. */
static void make_vectors(vectors *v, stn_format arithmetic, int rank)
{
    const int64_t x[2] = {COLUMNS, WIDTH}, y[2] = {ROWS, WIDTH};
    const stn_storage storage = stn_storage_of(arithmetic);
    v->rank = rank;
    v->format = arithmetic;
    scatter(v->x_data, sizeof v->x_data);
    scatter(v->y_data, sizeof v->y_data);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(arithmetic, &info));
    tame(info.component, v->x_data, sizeof v->x_data);
    tame(info.component, v->y_data, sizeof v->y_data);
    expect_ok(stn_view_wrap(&v->x, "x", storage, v->x_data, rank, x));
    expect_ok(stn_view_wrap(&v->y, "y", storage, v->y_data, rank, y));
    expect_ok(stn_view_create(on, &v->there_x, "x", storage, rank, x));
    expect_ok(stn_view_create(on, &v->there_y, "y", storage, rank, y));
    expect_ok(stn_view_copy(on, &v->there_x, &v->x));
    expect_ok(stn_view_copy(on, &v->there_y, &v->y));
}

static void check(const char *what, const stn_matrix *here, stn_format arithmetic, int rank)
{
    static vectors v;
    stn_matrix *there;
    stn_view found;
    make_vectors(&v, arithmetic, rank);
    expect_ok(stn_matrix_mirror(on, &there, here));
    expect_ok(stn_spmv(reference, arithmetic, 0.7, here, &v.x, -1.3, &v.y));
    expect_ok(stn_spmv(on, arithmetic, 0.7, there, &v.there_x, -1.3, &v.there_y));
    found = v.y;
    found.data = v.found_data;
    expect_ok(stn_view_copy(on, &found, &v.there_y));
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(arithmetic, &info));
    if (memcmp(v.y_data, v.found_data, (size_t)(ROWS * (rank == 2 ? WIDTH : 1) * info.bytes)) != 0)
        fail_msg("%s, kind %d, rank %d on %s: other bits", what, (int)here->kind, rank, resource);
    stn_matrix_release(there);
    expect_ok(stn_view_release(&v.there_x));
    expect_ok(stn_view_release(&v.there_y));
}

static void views_give_the_bits_of_the_host(void **state)
{
    static sparse s;
    stn_matrix *csr;
    (void)state;
    seed = 7;
    make_sparse(&s, STN_F16);
    expect_ok(wrap_csr_views(&csr, "views", COLUMNS, &s.starts, &s.columns, &s.values));
    expect_ok(stn_matrix_set_row_scales(csr, &s.scales));
    check("scales of rows", csr, STN_F64, 2);
    const stn_scales blocks = {
        .data = s.block_scales, .format = STN_F64, .dimension = 0, .block = 32, .stride = {1}};
    expect_ok(stn_view_set_scales(&s.values, &blocks));
    expect_ok(wrap_csr_views(&csr, "blocks", COLUMNS, &s.starts, &s.columns, &s.values));
    check("scales of blocks", csr, STN_F32, 1);
    expect_ok(wrap_csr_views(&csr, "pattern", COLUMNS, &s.starts, &s.columns, NULL));
    check("pattern", csr, STN_F32, 2);
}

static void kinds_give_the_bits_of_the_host(void **state)
{
    static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_SLICED, STN_MATRIX_COO,
                                            STN_MATRIX_ELL, STN_MATRIX_SELL};
    static sparse s;
    stn_matrix *coo, *made;
    (void)state;
    seed = 8;
    make_sparse(&s, STN_F32);
    expect_ok(wrap_coo(&coo, "entries", ROWS, COLUMNS, &s.rows, &s.columns, &s.values,
                       STN_DUPLICATES_KEEP));
    for (int k = 0; k < 5; k++) {
        expect_ok(stn_sparse_convert(NULL, &made, coo, kinds[k], NULL));
        check("converted", made, STN_F64, 1 + k % 2);
        stn_matrix_release(made);
    }
}

static void complex_numbers_give_the_bits_of_the_host(void **state)
{
    static sparse s;
    stn_matrix *csr, *sell;
    (void)state;
    seed = 9;
    make_sparse(&s, STN_C64);
    expect_ok(wrap_csr_views(&csr, "complex", COLUMNS, &s.starts, &s.columns, &s.values));
    check("complex", csr, STN_C128, 2);
    expect_ok(stn_sparse_convert(NULL, &sell, csr, STN_MATRIX_SELL, NULL));
    check("complex", sell, STN_C128, 1);
    stn_matrix_release(sell);
    expect_ok(stn_sparse_convert(NULL, &sell, csr, STN_MATRIX_SLICED, NULL));
    check("complex", sell, STN_C64, 2);
    stn_matrix_release(sell);
    make_sparse(&s, STN_F64);
    expect_ok(wrap_csr_views(&csr, "real", COLUMNS, &s.starts, &s.columns, &s.values));
    check("real times complex", csr, STN_C128, 1);
}

static void refuses_what_devices_lack(void **state)
{
    static sparse s;
    static vectors v;
    stn_matrix *csr, *there, *made;
    (void)state;
    seed = 10;
    make_sparse(&s, STN_F32);
    make_vectors(&v, STN_F32, 1);
    expect_ok(wrap_csr_views(&csr, "views", COLUMNS, &s.starts, &s.columns, &s.values));
    refused(stn_spmv(on, STN_F32, 1, csr, &v.there_x, 0, &v.there_y), STN_ERR_UNSUPPORTED,
            "stn_matrix_mirror");
    expect_ok(stn_matrix_mirror(on, &there, csr));
    refused(stn_matrix_set_row_scales(there, &s.scales), STN_ERR_UNSUPPORTED, "device memory");
    refused(wrap_csr_views(&made, "x", COLUMNS, &v.there_x, &s.columns, &s.values),
            STN_ERR_UNSUPPORTED, "x");
    stn_matrix_release(there);
    expect_ok(stn_view_release(&v.there_x));
    expect_ok(stn_view_release(&v.there_y));
}

/* ---- without a GPU: NVRTC takes the text ---- */

static stn_status compile_one(int at, int architecture)
{
    static sparse s;
    static vectors v;
    stn_matrix *csr, *there;
    (void)at, (void)architecture;
    make_sparse(&s, STN_F32);
    make_vectors(&v, STN_F64, 2);
    expect_ok(wrap_csr_views(&csr, "views", COLUMNS, &s.starts, &s.columns, &s.values));
    expect_ok(stn_matrix_mirror(on, &there, csr));
    const stn_status status = stn_spmv(on, STN_F64, 2, there, &v.there_x, 1, &v.there_y);
    stn_matrix_release(there);
    expect_ok(stn_view_release(&v.there_x));
    expect_ok(stn_view_release(&v.there_y));
    return status;
}

static void compiles_for_cuda(void **state)
{
    (void)state;
    compile_texts(1, compile_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(views_give_the_bits_of_the_host),
                                       cmocka_unit_test(kinds_give_the_bits_of_the_host),
                                       cmocka_unit_test(complex_numbers_give_the_bits_of_the_host),
                                       cmocka_unit_test(refuses_what_devices_lack)};
    const struct CMUnitTest compile = cmocka_unit_test(compiles_for_cuda);
    return run_on_devices(tests, sizeof tests / sizeof *tests, &compile);
}
