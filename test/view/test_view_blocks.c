/* Views in block formats: each operation on the host reads and writes them as views of f64 with the
 * decoded values, and stores whole blocks. */
#include "check.h"

#include <math.h>
#include <stdio.h>

#include "block_views.h"
#include "host_execs.h"
#include "steno/atomic.h"

/* Rounds rows of values to a block format: encodes and decodes them. */
static void round_rows(stn_format format, double *values, int64_t rows, int64_t count)
{
    unsigned char codes[512];
    const stn_storage storage = stn_storage_of(format);
    for (int64_t r = 0; r < rows; r++) {
        expect_ok(stn_encode(STN_F64, &storage, codes, 1, 0, values + r * count, count));
        expect_ok(stn_decode(STN_F64, values + r * count, &storage, codes, 1, count));
    }
}

/* Views of blocks have the values of the others, rounded row by row. */
static void expect_same(const char *name, stn_format format, operands *blocks, operands *plain)
{
    static double found[N * N], expected[N * N];
    for (int k = 0; k < VIEWS; k++) {
        const int rank = k < 3 ? 2 : 1;
        const int64_t extents[] = {N, N};
        stn_view b = *view_at(blocks, k), p = *view_at(plain, k);
        if (k == 1) {
            expect_ok(stn_view_permute(&b, &b, 2, (const int[]){1, 0}));
            expect_ok(stn_view_permute(&p, &p, 2, (const int[]){1, 0}));
        }
        const stn_view to = wrap_view("found", f64(), found, rank, extents);
        const stn_view other = wrap_view("expected", f64(), expected, rank, extents);
        expect_ok(stn_view_copy(NULL, &to, &b));
        expect_ok(stn_view_copy(NULL, &other, &p));
        const int64_t rows = rank == 2 ? N : 1;
        round_rows(format, expected, rows, N);
        for (int64_t e = 0; e < rows * N; e++)
            if (memcmp(&found[e], &expected[e], sizeof *found) != 0 && found[e] != expected[e])
                fail_msg("%s: operand %d, element %lld: %.17g, not %.17g", name, k, (long long)e,
                         found[e], expected[e]);
    }
}

UNIT_TEST(operations_store_rounded_rows)
{
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++)
        for (int k = 0; k < COUNT_OF(operations); k++)
            for (int e = 0; e < EXECS; e++) {
                if (!getenv("STENO_TEST_FULL") && e != (k + format) % EXECS)
                    continue;
                operands blocks = create_operands(NULL, format),
                         plain = create_operands(NULL, STN_F64);
                fill_operands(&blocks, &plain);
                expect_ok_for(operations[k].run(execs[e], &blocks), operations[k].name);
                expect_ok_for(operations[k].run(execs[e], &plain), operations[k].name);
                expect_same(operations[k].name, format, &blocks, &plain);
                release_operands(&blocks);
                release_operands(&plain);
            }
}

/* The same bits as from values in f64. */
UNIT_TEST(reductions_read_blocks)
{
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        operands blocks = create_operands(NULL, format), plain = create_operands(NULL, STN_F64);
        fill_operands(&blocks, &plain);
        for (int k = 0; k < COUNT_OF(queries); k++)
            for (int e = 0; e < EXECS; e++) {
                double found = 0.0, expected = 1.0;
                expect_ok(queries[k](execs[e], &found, &blocks));
                expect_ok(queries[k](execs[e], &expected, &plain));
                if (memcmp(&found, &expected, sizeof found) != 0)
                    fail_msg("format %d, query %d, executor %d: %.17g, not %.17g", format, k, e,
                             found, expected);
            }
        release_operands(&blocks);
        release_operands(&plain);
    }
}

/* ---- parts, elements, memory ---- */

UNIT_TEST(slices_do_not_cut_blocks)
{
    const int64_t extents[] = {5, 100};
    stn_view view = create_view(NULL, "matrix", stn_storage_of(STN_BFP16), NULL, 2, extents, 0),
             part;
    double values[500], found[5 * 68];
    for (int k = 0; k < 500; k++)
        values[k] = k;
    const stn_view from = wrap_view("values", f64(), values, 2, extents);
    expect_ok(stn_view_copy(NULL, &view, &from));
    const stn_slice good[][2] = {{stn_slice_all(), stn_slice_range(32, 100)},
                                 {stn_slice_range(0, 5), stn_slice_strided(32, 68, 1)}};
    for (int k = 0; k < COUNT_OF(good); k++) {
        expect_ok(stn_view_slice(&part, &view, 2, good[k]));
        const stn_view to = wrap_view("found", f64(), found, 2, (const int64_t[]){5, 68});
        expect_ok(stn_view_copy(NULL, &to, &part));
        for (int e = 0; e < 5 * 68; e++)
            assert_true(found[e] == values[e / 68 * 100 + 32 + e % 68]);
        expect_ok(stn_view_fill(NULL, &part, 7.0));
        assert_true(VALUE_AT(&view, 3, 31) == 331.0 && VALUE_AT(&view, 3, 32) == 7.0);
        expect_ok(stn_view_copy(NULL, &view, &from));
    }
    const stn_slice bad[][2] = {{stn_slice_all(), stn_slice_range(16, 100)},
                                {stn_slice_all(), stn_slice_range(32, 90)},
                                {stn_slice_all(), stn_slice_strided(0, 50, 2)},
                                {stn_slice_all(), stn_slice_strided(99, 100, -1)},
                                {stn_slice_all(), stn_slice_index(32)}};
    for (int k = 0; k < COUNT_OF(bad); k++)
        expect_error(stn_view_slice(&part, &view, 2, bad[k]), STN_ERR_UNSUPPORTED,
                     "would cut blocks of 32 elements");
    const stn_slice row[] = {stn_slice_index(3), stn_slice_all()};
    expect_ok(stn_view_slice(&part, &view, 2, row));
    expect_ok(stn_view_fill(NULL, &part, 1.0));
    assert_true(VALUE_AT(&view, 3, 99) == 1.0 && VALUE_AT(&view, 4, 0) == 400.0);
    expect_ok(stn_view_release(&view));
}

/* The other elements of the block keep their values if these are exact with the new scale. */
UNIT_TEST(elements_are_read_and_written)
{
    const int64_t extents[] = {40};
    for (int k = 0; k < 2; k++) {
        stn_view view =
            create_view(NULL, "x", stn_storage_of(k ? STN_BFP16 : STN_BFP32), NULL, 1, extents, 0);
        for (int e = 0; e < 40; e++)
            expect_ok(STN_VIEW_SET(&view, 2.0 * e, e));
        expect_ok(STN_VIEW_SET(&view, 1e4, 5));
        for (int e = 0; e < 40; e++)
            assert_true(VALUE_AT(&view, e) == (e == 5 ? 1e4 : 2.0 * e));
        expect_ok(STN_VIEW_SET(&view, (double)NAN, 2));
        assert_true(isnan(VALUE_AT(&view, 1)) && VALUE_AT(&view, 32) == 64.0);
        expect_ok(stn_view_release(&view));
    }
}

/* Blocks in memory of the program, with inline and with separate scales. */
UNIT_TEST(memory_of_blocks)
{
    enum { ROWS = 3, COLUMNS = 40, BLOCKS = 2 * ROWS };
    const int64_t extents[] = {ROWS, COLUMNS};
    double values[ROWS * COLUMNS], found[ROWS * COLUMNS], expected[ROWS * COLUMNS];
    unsigned char codes[BLOCKS * 160], scales[BLOCKS * 3];
    for (int k = 0; k < ROWS * COLUMNS; k++)
        values[k] = value_of(2, k);
    const stn_view from = wrap_view("from", f64(), values, 2, extents);
    const stn_view to = wrap_view("to", f64(), found, 2, extents);
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        expect_ok(stn_format_describe(format, &info));
        if (info.block_elements == 16)
            continue; /* three blocks per row */
        memcpy(expected, values, sizeof expected);
        round_rows(format, expected, ROWS, COLUMNS);
        for (int separate = 0; separate < 2; separate++) {
            stn_view view, again;
            stn_block_arrays arrays =
                STN_INIT(stn_block_arrays, .codes = codes, .scales = separate ? scales : NULL,
                         .scale_step = separate ? 3 : 0);
            const stn_view_spec spec =
                STN_VIEW_SPEC(.storage = stn_storage_of(format), .rank = 2, .extents = extents);
            memset(codes, 0, sizeof codes);
            memset(scales, 0, sizeof scales);
            expect_ok(stn_view_wrap_blocks(&view, &spec, &arrays));
            expect_ok(stn_view_copy(NULL, &view, &from));
            expect_ok(stn_view_wrap_blocks(&again, &spec, &arrays));
            expect_ok(stn_view_copy(NULL, &to, &again));
            assert_memory_equal(found, expected, sizeof found);
            stn_block_arrays known = STN_BLOCK_ARRAYS_INIT;
            expect_ok(stn_view_blocks(&view, &known));
            assert_true(known.blocks == BLOCKS && known.row_blocks == 2);
            assert_ptr_equal(known.scales, separate ? scales : codes);
            /* a row in contiguous inline blocks is what stn_decode reads */
            const stn_storage storage = stn_storage_of(format);
            if (!separate) {
                expect_ok(
                    stn_decode(STN_F64, found, &storage, codes + 2 * info.block_bytes, 1, COLUMNS));
                assert_memory_equal(found, expected + COLUMNS, COLUMNS * sizeof *found);
            }
            expect_ok(stn_view_release(&view));
            expect_ok(stn_view_release(&again));
        }
    }
}

/* A kernel that stores some elements of blocks: stn_view_blocks encodes them. */
UNIT_TEST(incomplete_blocks_are_encoded)
{
    const int64_t extents[] = {32};
    unsigned char codes[66] = {0}, expected[66];
    double values[32];
    stn_view view, x = create_view(NULL, "x", f64(), NULL, 1, extents, 0);
    stn_block_arrays arrays = STN_INIT(stn_block_arrays, .codes = codes);
    const stn_storage storage = stn_storage_of(STN_BFP16);
    const stn_view_spec spec = STN_VIEW_SPEC(.storage = storage, .rank = 1, .extents = extents);
    expect_ok(stn_view_wrap_blocks(&view, &spec, &arrays));
    for (int k = 0; k < 32; k++) {
        expect_ok(STN_VIEW_SET(&x, k % 3 ? 1.5 * k : -1.0, k));
        values[k] = k % 3 ? 4.5 * k : 0.0;
    }
    expect_ok(keep_some_run(execs[0], STN_F64, &x, &view));
    expect_ok(stn_view_blocks(&view, &arrays));
    expect_ok(stn_encode(STN_F64, &storage, expected, 1, 0, values, 32));
    assert_memory_equal(codes, expected, sizeof codes);
    expect_ok(stn_view_release(&view));
    expect_ok(stn_view_release(&x));
}

UNIT_TEST(shapes_of_each_rank)
{
    const int64_t extents[] = {2, 3, 4, 37}, empty[] = {3, 0};
    static double values[2 * 3 * 4 * 37];
    for (int k = 0; k < 2 * 3 * 4 * 37; k++)
        values[k] = k % 100;
    for (int rank = 0; rank <= 4; rank++) {
        const int64_t *const last = extents + (rank > 0 ? 4 - rank : 0);
        double sum = 0.0, expected = 1.0;
        const stn_view from = wrap_view("from", f64(), values, rank, last);
        stn_view view = create_view(NULL, "x", stn_storage_of(STN_BFP16), NULL, rank, last, 0);
        expect_ok(stn_view_copy(execs[2], &view, &from));
        expect_ok(stn_sum(execs[2], STN_F64, &sum, &view));
        expect_ok(stn_sum(execs[2], STN_F64, &expected, &from));
        assert_true(sum == expected);
        expect_ok(stn_view_release(&view));
    }
    stn_view view = create_view(NULL, "x", stn_storage_of(STN_BFP16), NULL, 2, empty, 0);
    double sum = 1.0;
    expect_ok(stn_view_fill(NULL, &view, 1.0));
    expect_ok(stn_sum(execs[2], STN_F64, &sum, &view));
    assert_true(sum == 0.0);
    expect_ok(stn_view_release(&view));
}

UNIT_TEST(scales_of_views_apply)
{
    const int64_t extents[] = {48};
    stn_storage storage = stn_storage_of(STN_NVFP4);
    double values[48];
    for (int k = 0; k < 48; k++)
        values[k] = 1e6 * sin(k);
    expect_ok(stn_storage_fit_scale(&storage, STN_F64, values, 48, STN_SCALE_EXACT));
    stn_view view = create_view(NULL, "x", storage, NULL, 1, extents, 0);
    const stn_view from = wrap_view("from", f64(), values, 1, extents);
    expect_ok(stn_view_copy(NULL, &view, &from));
    for (int k = 0; k < 48; k++)
        assert_true(fabs(VALUE_AT(&view, k) - values[k]) <= 1e6 / 6 * 1.07);
    expect_ok(stn_view_release(&view));
}

/* ---- rows at a distance of more blocks than they have ---- */

UNIT_TEST(padded_rows_have_the_elements_of_contiguous_ones)
{
    enum { ROWS = 3, COLUMNS = 70, STRIDE = 160 };
    static const int64_t extents[] = {2, ROWS, COLUMNS}, strides[] = {ROWS * STRIDE, STRIDE, 1};
    static double values[2 * ROWS * COLUMNS], found[2 * ROWS * COLUMNS], known[2 * ROWS * COLUMNS];
    const stn_layout layout = stn_layout_strided(3, strides);
    for (int k = 0; k < COUNT_OF(values); k++)
        values[k] = value_of(1, k);
    const stn_view from = wrap_view("values", f64(), values, 3, extents);
    const stn_view to = wrap_view("found", f64(), found, 3, extents);
    const stn_view expected = wrap_view("known", f64(), known, 3, extents);
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        const int64_t elements = format == STN_NVFP4 ? 16 : 32;
        stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
        stn_view padded = create_view(NULL, "p", stn_storage_of(format), &layout, 3, extents, 0);
        stn_view rows = create_view(NULL, "r", stn_storage_of(format), NULL, 3, extents, 0);
        for (int e = 0; e < EXECS; e++) {
            memset(found, 0, sizeof found);
            expect_ok(stn_view_copy(execs[e], &padded, &from));
            expect_ok(stn_view_copy(execs[e], &rows, &from));
            expect_ok(stn_view_copy(execs[e], &to, &padded));
            expect_ok(stn_view_copy(execs[e], &expected, &rows));
            assert_memory_equal(found, known, sizeof found);
        }
        expect_ok(STN_VIEW_SET(&padded, 0.5, 0, 0, COLUMNS - 1));
        expect_ok(STN_VIEW_SET(&rows, 0.5, 0, 0, COLUMNS - 1));
        for (int64_t c = 0; c < COLUMNS; c++)
            assert_true(VALUE_AT(&padded, 0, 0, c) == VALUE_AT(&rows, 0, 0, c));
        expect_ok(stn_view_blocks(&padded, &arrays));
        assert_int_equal(arrays.row_blocks, STRIDE / elements);
        assert_int_equal(arrays.blocks, 2 * ROWS * STRIDE / elements);
        expect_ok(stn_view_release(&padded));
        expect_ok(stn_view_release(&rows));
    }
}

/* Blocks of other programs: encoded again, 240 would become 224, because the scale of the encoder
 * is smaller. Parts of rows that begin and end with blocks are moved in each layout. */
UNIT_TEST(copies_of_blocks_in_one_format_keep_their_codes)
{
    enum { ROWS = 5, COLUMNS = 70, ROW_BLOCKS = 3, BLOCKS = ROWS * ROW_BLOCKS };
    static unsigned char codes[BLOCKS * 32], scales[BLOCKS];
    static const int64_t extents[] = {ROWS, COLUMNS}, strides[] = {160, 1};
    const stn_storage storage = stn_storage_of(STN_MXFP8_E4M3);
    const stn_layout layouts[] = {stn_layout_of(STN_LAYOUT_RIGHT), stn_layout_strided(2, strides)};
    const stn_slice slices[] = {stn_slice_strided(4, 2, -2), stn_slice_range(32, COLUMNS)};
    const int order[] = {1, 0};
    const stn_block_arrays arrays = STN_INIT(stn_block_arrays, .codes = codes, .scales = scales);
    stn_view from, part, to, to_part, columns;
    for (int k = 0; k < BLOCKS * 32; k++)
        codes[k] = 0x77; /* 240 */
    for (int k = 0; k < BLOCKS; k++)
        scales[k] = (unsigned char)(127 + k);
    expect_ok(stn_view_wrap_blocks(
        &from, &STN_VIEW_SPEC(.storage = storage, .rank = 2, .extents = extents), &arrays));
    for (int e = 0; e < EXECS; e++)
        for (int k = 0; k < 4; k++) {
            to = create_view(NULL, "to", storage, &layouts[k % 2], 2, extents, 0);
            part = slice_view(&from, 2, slices);
            to_part = slice_view(&to, 2, slices);
            if (k >= 2) {
                expect_ok(stn_view_permute(&part, &part, 2, order));
                expect_ok(stn_view_permute(&to_part, &to_part, 2, order));
            }
            expect_ok(stn_view_copy(execs[e], &to_part, &part));
            for (int64_t i = 0; i < ROWS; i++)
                for (int64_t j = 0; j < COLUMNS; j++)
                    assert_true(
                        VALUE_AT(&to, i, j) ==
                        (i % 2 == 0 && i > 0 && j >= 32 ? ldexp(240, (int)(3 * i + j / 32)) : 0.0));
            expect_ok(stn_view_release(&to));
        }
    /* blocks along different dimensions are encoded: 224 is the largest with the new scale */
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    columns = create_view(NULL, "columns", storage, &left, 2, extents, 0);
    expect_ok(stn_view_copy(NULL, &columns, &from));
    assert_true(VALUE_AT(&columns, ROWS - 1, 0) == ldexp(224, 12));
    expect_ok(stn_view_release(&columns));
    expect_ok(stn_view_release(&from));
}

UNIT_TEST(vectors_can_have_the_stride_of_contiguous_elements)
{
    const int64_t extents[] = {40}, strides[] = {1};
    const stn_layout layout = stn_layout_strided(1, strides);
    stn_view x = create_view(NULL, "x", stn_storage_of(STN_BFP16), &layout, 1, extents, 0);
    expect_ok(STN_VIEW_SET(&x, 0.5, 39));
    assert_true(VALUE_AT(&x, 39) == 0.5);
    expect_ok(stn_view_release(&x));
}

UNIT_TEST(distances_of_rows_that_are_not_complete_blocks_are_refused)
{
    static const int64_t extents[] = {2, 3, 70}, refused[][3] = {{480, 168, 1},
                                                                 {192, 64, 1},
                                                                 {960, 160, 2},
                                                                 {448, 160, 1},
                                                                 {1, 160, 480}};
    stn_view view;
    for (int k = 0; k < COUNT_OF(refused); k++) {
        const stn_layout layout = stn_layout_strided(3, refused[k]);
        expect_error(
            stn_view_create_spec(NULL, &view,
                                 &STN_VIEW_SPEC(.storage = stn_storage_of(STN_BFP16),
                                                .layout = &layout, .rank = 3, .extents = extents)),
            STN_ERR_UNSUPPORTED, "rows at a distance of complete blocks");
    }
}

/* ---- errors ---- */

UNIT_TEST(what_blocks_cannot_do_is_refused)
{
    const int64_t extents[] = {4, 64}, indices[] = {1, 2}, strides[] = {100, 1};
    stn_storage storage = stn_storage_of(STN_MXFP4);
    stn_view view = create_view(NULL, "m", storage, NULL, 2, extents, 0), other;
    stn_view_spec spec = STN_VIEW_SPEC(.storage = storage, .rank = 2, .extents = extents);
    stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
    unsigned char codes[4096];
    void *address;
    int64_t whole = 0;
    expect_error(stn_view_address(&view, 2, indices, &address), STN_ERR_UNSUPPORTED,
                 "stored in blocks");
    expect_error(stn_view_atomic_add(&view, 2, indices, 1.0), STN_ERR_UNSUPPORTED,
                 "stored in blocks");
    expect_error(stn_view_resize(NULL, &view, 2, extents, 0), STN_ERR_UNSUPPORTED, "blocks");
    expect_error(stn_view_wrap(&other, "w", storage, codes, 2, extents), STN_ERR_UNSUPPORTED,
                 "stn_view_wrap_blocks");
    spec.strides = strides;
    expect_error(stn_view_create_spec(NULL, &other, &spec), STN_ERR_UNSUPPORTED, "layout strided");
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_ARGUMENT, "strides");
    spec.strides = NULL;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_ARGUMENT, "codes is NULL");
    arrays.codes = codes;
    arrays.code_step = 3;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_ARGUMENT, "at least 17");
    expect_error(stn_view_wrap_blocks(NULL, &spec, &arrays), STN_ERR_ARGUMENT, "view is NULL");
    arrays.code_step = INT64_MAX / 4;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_RANGE, "address space");
    arrays.code_step = 0;
    spec.rank = 9;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_ARGUMENT,
                 "stn_view_wrap_blocks: view ");
    spec.rank = 2;
    spec.extents = NULL;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_ARGUMENT, "extents");
    expect_error(stn_view_create_spec(NULL, &other, &spec), STN_ERR_ARGUMENT, "extents");
    spec.extents = extents;
    spec.storage.format = STN_F16;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_FORMAT, "f16");
    storage.zero = 1.0;
    expect_error(stn_view_create(NULL, &other, "z", storage, 2, extents), STN_ERR_UNSUPPORTED,
                 "zero point");
    storage.zero = 0.0;
    storage.rounding = STN_ROUND_TOWARD_ZERO;
    expect_error(stn_view_create(NULL, &other, "r", storage, 2, extents), STN_ERR_UNSUPPORTED,
                 "rounds to nearest");
    assert_null(strstr(stn_error(), "stn_view_create: stn_view_create"));
    storage.rounding = STN_ROUND_NEAREST;
    expect_error(stn_view_create(NULL, &other, "e", storage, 2, (const int64_t[]){-1, 64}),
                 STN_ERR_SHAPE, "extent -1 of dimension 0 is negative");
    expect_error(stn_view_create(NULL, &other, "e", storage, 9, extents), STN_ERR_ARGUMENT,
                 "rank 9");
    expect_error(stn_sum_integer(execs[0], STN_I64, &whole, &view), STN_ERR_UNSUPPORTED,
                 "f64 or f32");
    expect_error(stn_decode(STN_F64, codes + 2048, &storage, codes, 2, 64), STN_ERR_UNSUPPORTED,
                 "stride is 2");
    const stn_slice half[] = {stn_slice_all(), stn_slice_range(0, 32)};
    expect_ok(stn_view_slice(&other, &view, 2, half));
    expect_error(stn_view_blocks(&other, &arrays), STN_ERR_UNSUPPORTED, "all elements");
    expect_ok(stn_view_release(&view));
}

int main(void)
{
    return run_unit_tests("blocks", create_execs, release_execs);
}
