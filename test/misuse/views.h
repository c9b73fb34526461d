/* Cases of test_misuse.c: views. Helpers are those of data.h. */
#ifndef STENO_TEST_MISUSE_VIEWS_H
#define STENO_TEST_MISUSE_VIEWS_H

#include "misuse/data.h"
#include "matrix.h"
#include "steno/sparse.h"
#include "make_view.h"

STN_ACCESSOR_SCALED(data_scaled, 1, double, int8_t, 0)
STN_ACCESSOR_FROM_VIEW(data_scaled)
STN_MAP(data_twice, (in(x), out(y)), y = x + x;)
STN_MAP(data_apart, (in(x), out(even), out(odd)), even = x; odd = -x;)
STN_MAP(data_sum_of_two, (in(x), in(z), out(y)), y = x + z;)
STN_MAP(data_turned, (at(i, j, k), gather(x, 3), out(y)), y = STN_AT(x, k, j, i);)
STN_MAP(data_gather, (at(i), gather(x, 1), out(y)), y = STN_AT(x, i);)

/* ---- a slice whose elements share one scale ---- */

/* A matrix with a scale per row: its rows are vectors like any others. */
TEST_CASE(a_row_under_one_scale_is_a_view_with_one_scale)
{
    enum { M = 3, N = 200 };
    const int64_t extents[] = {M, N}, one[] = {1}, row_extents[] = {N};
    double scales[M] = {0.5, 3.0, 0.1}, values[N], sum, wanted;
    int8_t codes[M * N];
    stn_scales given = {
        .data = scales, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    stn_view matrix = data_view(stn_storage_of(STN_I8), codes, 2, extents), row, part;
    const stn_view y = data_view(stn_storage_of(STN_F64), values, 1, row_extents);
    const stn_view s = data_view(stn_storage_of(STN_F64), &sum, 1, one);
    for (int k = 0; k < M * N; k++)
        codes[k] = (int8_t)(k % 23 - 11);
    expect_ok(stn_view_set_scales(&matrix, &given));
    for (int64_t i = 0; i < M; i++) {
        const stn_slice slices[] = {stn_slice_index(i), stn_slice_all()};
        const int8_t *code = codes + i * N;
        data_scaled x;
        expect_ok(stn_view_slice(&row, &matrix, 2, slices));
        expect_ok(data_twice_run(data_exec(), STN_F64, &row, &y));
        for (int k = 0; k < N; k++)
            assert_true(values[k] == code[k] * scales[i] + code[k] * scales[i]);
        expect_ok(stn_view_copy(NULL, &y, &row));
        expect_ok(stn_axpy(data_exec(), STN_F64, 2.0, &row, &y));
        for (int k = 0; k < N; k++)
            assert_true(values[k] == 2.0 * (code[k] * scales[i]) + code[k] * scales[i]);
        expect_ok(data_gather_run(data_exec(), STN_F64, &row, &y));
        expect_ok(stn_dot(data_exec(), STN_F64, &wanted, &y, &y));
        expect_ok(stn_dot(data_exec(), STN_F64, &sum, &row, &row));
        assert_true(sum == wanted);
        expect_ok(stn_view_insert_axis(&part, &row, 0));
        expect_ok(stn_gemv(data_exec(), STN_F64, 1.0, &part, &y, 0.0, &s));
        assert_true(sum == wanted);
        expect_ok(data_sum_reduce(data_exec(), STN_F64, &wanted, &y));
        expect_ok(data_sum_reduce(data_exec(), STN_F64, &sum, &row));
        assert_true(sum == wanted);
        expect_ok(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, &y, &row));
        assert_true(values[0] == code[0] * scales[i]);
        expect_ok(data_scaled_from_view(&x, &row));
        assert_true(data_scaled_get(x, 7) == code[7] * scales[i]);
    }
    /* stored by the scale that the matrix has at that moment */
    scales[2] = 4.0;
    for (int k = 0; k < N; k++)
        values[k] = 4.0 * (k % 100);
    expect_ok(data_twice_run(data_exec(), STN_F64, &y, &row));
    for (int k = 0; k < N; k++)
        assert_int_equal(codes[2 * N + k], k % 100 > 63 ? 127 : 2 * (k % 100));
    expect_ok(stn_view_fill(NULL, &row, 8.0));
    assert_int_equal(codes[2 * N], 2);
    expect_ok(stn_view_fit_scales(NULL, &row, &y, STN_SCALE_POWER_OF_TWO)); /* the matrix's own */
    assert_true(scales[2] == 4.0 && scales[1] == 3.0);
    expect_ok(data_twice_run(data_exec(), STN_F64, &matrix, &matrix)); /* twice the codes */
    assert_int_equal(codes[2 * N], 4);
    scales[2] = 0.0;
    expect_error(data_twice_run(data_exec(), STN_F64, &row, &y), STN_ERR_ARGUMENT,
                 "v (i8, 200): scale 0");
}

/* A part of a block along the dimension that has blocks of scales. */
TEST_CASE(a_part_of_a_block_of_scales_is_a_view_with_one_scale)
{
    enum { N = 64 };
    const int64_t extents[] = {N};
    double scales[2] = {0.25, 2.0}, sum;
    int8_t codes[N];
    stn_scales given = {
        .data = scales, .format = STN_F64, .dimension = 0, .block = 32, .stride = {1}};
    stn_view x = data_view(stn_storage_of(STN_I8), codes, 1, extents), part;
    memset(codes, 1, sizeof codes);
    expect_ok(stn_view_set_scales(&x, &given));
    for (int begin = 0; begin <= N - 8; begin += 4) {
        const stn_slice slice = stn_slice_range(begin, begin + 8);
        expect_ok(stn_view_slice(&part, &x, 1, &slice));
        expect_ok(data_sum_reduce(data_exec(), STN_F64, &sum, &part));
        assert_true(sum == 4.0 * scales[begin / 32] + 4.0 * scales[(begin + 4) / 32]);
    }
}

/* ---- slices outside ---- */

/* The message has the numbers that the program gave, wherever they wrap. */
TEST_CASE(slices_outside_are_named_as_they_were_given)
{
    const int64_t extents[] = {3}, least = INT64_MIN, most = INT64_MAX;
    const struct {
        stn_slice slice;
        const char *words;
    } cases[] = {
        {stn_slice_range(-1, 2), "begin -1 and end 2 leave the extent 3 of dimension 0"},
        {stn_slice_range(-5, -2), "begin -5 and end -2 leave the extent 3 of dimension 0"},
        {stn_slice_range(0, 9), "begin 0 and end 9 leave the extent 3 of dimension 0"},
        {stn_slice_range(4, 4), "begin 4 and end 4 leave the extent 3 of dimension 0"},
        {stn_slice_range(least, 2),
         "begin -9223372036854775808 and end 2 leave the extent 3 of dimension 0"},
        {stn_slice_range(least, most), "begin -9223372036854775808 and end 9223372036854775807 "
                                       "leave the extent 3 of dimension 0"},
        {stn_slice_range(2, least), "begin 2 and end -9223372036854775808 of dimension 0 are "
                                    "reversed"},
        {stn_slice_range(2, 1), "begin 2 and end 1 of dimension 0 are reversed"},
        {stn_slice_strided(0, 2, 3), "2 indices from 0 on, by 3, leave the extent 3 of dimension"},
        {stn_slice_strided(2, -1, -1), "-1 indices from 2 on, by -1, leave the extent 3"},
        {stn_slice_index(-1), "index -1 of dimension 0 is outside its extent 3"}};
    double memory[3];
    const stn_view view = data_view(stn_storage_of(STN_F64), memory, 1, extents);
    stn_view part;
    for (int k = 0; k < COUNT_OF(cases); k++) {
        expect_error(stn_view_slice(&part, &view, 1, &cases[k].slice), STN_ERR_RANGE,
                     cases[k].words);
        expect_error(stn_view_share_slice(&part, &view, 1, &cases[k].slice), STN_ERR_RANGE,
                     "stn_view_share_slice: v (f64, 3): ");
    }
}

/* ---- custom layouts that do not take the extents ---- */

static int64_t data_no_offset(const void *context, int rank, const int64_t *extents,
                              const int64_t *indices)
{
    (void)context, (void)rank, (void)extents, (void)indices;
    return 0;
}

static int64_t data_no_span(const void *context, int rank, const int64_t *extents)
{
    (void)context, (void)rank, (void)extents;
    return -1;
}

TEST_CASE(extents_that_a_custom_layout_refuses_are_named)
{
    const int64_t extents[] = {10, 7};
    const stn_layout layout = stn_layout_custom(data_no_offset, data_no_span, NULL);
    stn_view view;
    expect_error(
        stn_view_create_spec(NULL, &view,
                             &STN_VIEW_SPEC(.label = "c", .storage = stn_storage_of(STN_F64),
                                            .layout = &layout, .rank = 2, .extents = extents)),
        STN_ERR_RANGE,
        "stn_view_create_spec: view c: the span function of its custom layout rejects extents 10 x "
        "7");
}

/* ---- disjoint but interleaved ---- */

/* Three parts of one array of 6 x 8 that share no element, though their spans overlap. */
static void data_thirds(const stn_view *whole, int how, stn_view *parts)
{
    for (int p = 0; p < 3; p++) {
        const stn_slice steps[] = {stn_slice_all(), stn_slice_strided(p, 2, 3)};
        const stn_slice blocks[] = {stn_slice_all(), stn_slice_range(2 * p, 2 * p + 2)};
        const stn_slice rows[] = {stn_slice_strided(p, 2, 3), stn_slice_all()};
        const stn_slice *slices[] = {steps, blocks, rows};
        expect_ok(stn_view_slice(&parts[p], whole, 2, slices[how]));
    }
}

TEST_CASE(interleaved_outputs_are_accepted)
{
    enum { N = 48 };
    const int64_t extents[] = {6, 8};
    double memory[N];
    const stn_view whole = data_view(stn_storage_of(STN_F64), memory, 2, extents);
    for (int how = 0; how < 3; how++) {
        stn_view parts[3];
        data_thirds(&whole, how, parts);
        expect_ok(stn_view_fill(NULL, &whole, 7.0));
        expect_ok(stn_view_fill(NULL, &parts[0], 1.5));
        expect_ok(data_apart_run(data_exec(), STN_F64, &parts[0], &parts[1], &parts[2]));
        double sums[3] = {0};
        for (int p = 0; p < 3; p++)
            expect_ok(data_sum_reduce(data_exec(), STN_F64, &sums[p], &parts[p]));
        const double each = 1.5 * (double)stn_view_count(&parts[0]);
        assert_true(sums[0] == each && sums[1] == each && sums[2] == -each);
        expect_ok(
            data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, &parts[1], &parts[0]));
        expect_error(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, &parts[1], &whole),
                     STN_ERR_SHAPE, "result");
        expect_error(data_apart_run(data_exec(), STN_F64, &parts[0], &parts[1], &parts[1]),
                     STN_ERR_ALIAS, "overlaps");
    }
}

/* axpy, gemv, spmv and reductions: into one of 3 columns from the others. */
TEST_CASE(interleaved_vectors_are_accepted)
{
    enum { N = 12 };
    const int64_t extents[] = {N, 3}, row_start[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const int32_t columns[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    double memory[3 * N], identity[N];
    stn_view whole = data_view(stn_storage_of(STN_F64), memory, 2, extents), column[3], matrix;
    stn_matrix *csr;
    for (int64_t j = 0; j < 3; j++) {
        const stn_slice slices[] = {stn_slice_all(), stn_slice_index(j)};
        expect_ok(stn_view_slice(&column[j], &whole, 2, slices));
        expect_ok(stn_view_fill(NULL, &column[j], (double)j + 1.0));
    }
    expect_ok(stn_axpy(data_exec(), STN_F64, 2.0, &column[0], &column[1]));
    assert_true(memory[1] == 4.0 && memory[2] == 3.0 && memory[0] == 1.0);
    expect_ok(stn_view_insert_axis(&matrix, &column[0], 1));
    const int64_t one[] = {1};
    const stn_view x = data_view(stn_storage_of(STN_F64), (double[]){5.0}, 1, one);
    expect_ok(stn_gemv(data_exec(), STN_F64, 1.0, &matrix, &x, 0.0, &column[2]));
    assert_true(memory[2] == 5.0 && memory[1] == 4.0 && memory[0] == 1.0);
    for (int k = 0; k < N; k++)
        identity[k] = 3.0;
    expect_ok(
        wrap_csr(&csr, "identity", stn_storage_of(STN_F64), N, N, row_start, columns, identity));
    expect_ok(stn_spmv(data_exec(), STN_F64, 1.0, csr, &column[2], 0.0, &column[0]));
    assert_true(memory[0] == 15.0 && memory[1] == 4.0 && memory[2] == 5.0);
    expect_ok(data_sum_reduce_into(data_exec(), STN_F64, 2, &column[1], &matrix));
    assert_true(memory[0] == 15.0 && memory[1] == 15.0 && memory[2] == 5.0);
    expect_error(stn_axpy(data_exec(), STN_F64, 1.0, &column[0], &(stn_view){.size = 0}),
                 STN_ERR_ARGUMENT, "nothing");
}

/* ---- zero extents beside huge ones ---- */

TEST_CASE(zero_extents_beside_huge_ones_are_empty)
{
    static const int64_t huge = (int64_t)1 << 40;
    static const char *const layouts[] = {"right", "left", "block_col_major", "tiled:2x2x2",
                                          "morton"};
    for (int zero = 0; zero < 3; zero++)
        for (int l = 0; l < COUNT_OF(layouts); l++) {
            const int64_t extents[] = {zero == 0 ? 0 : huge, zero == 1 ? 0 : huge,
                                       zero == 2 ? 0 : huge};
            stn_layout layout;
            stn_view a, b, part;
            double sum = 1.0;
            expect_ok(stn_layout_parse(layouts[l], &layout));
            a = create_view(NULL, "a", stn_storage_of(STN_F64), &layout, 3, extents,
                            l < 3 ? STN_CREATE_PADDED : 0);
            b = wrap_layout("b", stn_storage_of(STN_F32), NULL, &layout, 3, extents);
            assert_int_equal(stn_view_count(&a), 0);
            assert_int_equal(stn_view_span(&a), 0);
            expect_ok(stn_view_copy(NULL, &a, &b));
            expect_ok(stn_view_fill(NULL, &a, 1.0));
            expect_ok(stn_view_insert_axis(&part, &a, 1));
            if (l < 3) {
                expect_ok(data_twice_run(data_exec(), STN_F64, &b, &a));
                expect_ok(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, &a, &b));
                expect_ok(data_sum_reduce(data_exec(), STN_F64, &sum, &a));
                assert_true(sum == 0.0);
            }
            expect_ok(stn_view_resize(NULL, &a, 3, (const int64_t[]){2, 2, 2}, 0));
            assert_int_equal(stn_view_count(&a), 8);
            expect_ok(stn_view_release(&a));
            expect_ok(stn_view_release(&b));
        }
}

/* ---- an axis more ---- */

/* Broadcast (n, d) as (n, 1, d) against (1, m, d), with a scale per row. */
TEST_CASE(an_axis_of_extent_1_is_inserted)
{
    enum { N = 5, M = 3, D = 4 };
    const int64_t a_extents[] = {N, D}, b_extents[] = {M, D}, extents[] = {N, M, D};
    double scales[N] = {1.0, 0.5, 2.0, 4.0, 8.0}, b[M * D], sums[N * M * D];
    int8_t a[N * D];
    stn_scales given = {
        .data = scales, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    stn_view va = data_view(stn_storage_of(STN_I8), a, 2, a_extents), wide, wide_b, plain;
    double decoded[N * D];
    const stn_view vb = data_view(stn_storage_of(STN_F64), b, 2, b_extents);
    const stn_view vsums = data_view(stn_storage_of(STN_F64), sums, 3, extents);
    for (int k = 0; k < N * D; k++)
        a[k] = (int8_t)k;
    for (int k = 0; k < M * D; k++)
        b[k] = 100.0 * k;
    expect_ok(stn_view_set_scales(&va, &given));
    expect_ok(stn_view_fix_extents(&va, 2));
    expect_ok(stn_view_insert_axis(&wide, &va, 1));
    assert_int_equal(wide.rank, 3);
    assert_int_equal(wide.fixed, 4);
    assert_null(wide.owner);
    const int64_t wide_extents[] = {N, 1, D};
    const stn_view vdecoded = data_view(stn_storage_of(STN_F64), decoded, 3, wide_extents);
    expect_ok(stn_view_copy(NULL, &vdecoded, &wide));
    expect_ok(stn_view_insert_axis(&wide_b, &vb, 0));
    expect_ok(data_sum_of_two_run(data_exec(), STN_F64, &vdecoded, &wide_b, &vsums));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < D; k++)
                assert_true(sums[(i * M + j) * D + k] == a[i * D + k] * scales[i] + b[j * D + k]);
    expect_error(stn_view_insert_axis(&plain, &va, 3), STN_ERR_RANGE,
                 "dimension 3 is out of range");
    expect_error(stn_view_insert_axis(&plain, &va, -1), STN_ERR_RANGE,
                 "dimension -1 is out of range");
}

/* In every layout, at every place, the handle kept, and cut and turned like any dimension. */
TEST_CASE(an_axis_is_inserted_in_every_layout)
{
    const char *layouts[] = {"right",     "left",           "block_col_major",
                             "tiled:2x3", "tiled:2x3:left", "morton"};
    const int64_t extents[] = {5, 6};
    for (int l = 0; l < 6; l++)
        for (int place = 0; place <= 2; place++) {
            stn_layout layout;
            stn_view view, flat, wide;
            expect_ok(stn_layout_parse(layouts[l], &layout));
            view = create_view(NULL, "v", stn_storage_of(STN_F64), &layout, 2, extents, 0);
            for (int64_t i = 0; i < 5; i++)
                for (int64_t j = 0; j < 6; j++)
                    expect_ok(STN_VIEW_SET(&view, (double)(10 * i + j), i, j));
            wide = view;
            expect_ok(stn_view_insert_axis(&wide, &wide, place));
            assert_int_equal(stn_view_use_count(&wide), 1);
            assert_int_equal(wide.extent[place], 1);
            assert_int_equal(stn_view_layout(&wide), stn_view_layout(&view));
            double memory[30];
            const stn_view to = data_view(stn_storage_of(STN_F64), memory, 3, wide.extent);
            expect_ok(stn_view_copy(NULL, &to, &wide));
            for (int k = 0; k < 30; k++)
                assert_true(memory[k] == 10 * (k / 6) + k % 6);
            expect_ok(stn_view_copy(NULL, &wide, &wide));
            stn_slice slices[] = {stn_slice_range(1, 4), stn_slice_range(2, 5), stn_slice_all()};
            slices[2] = slices[place == 2 ? 1 : 2];
            if (place == 0) {
                slices[2] = slices[1];
                slices[1] = slices[0];
            } else if (place == 1) {
                slices[2] = slices[1];
            }
            slices[place] = stn_slice_index(0);
            expect_ok(stn_view_slice(&flat, &wide, 3, slices));
            assert_int_equal(flat.rank, 2);
            for (int64_t i = 0; i < 3; i++)
                for (int64_t j = 0; j < 3; j++) {
                    double value;
                    expect_ok(STN_VIEW_GET(&flat, &value, i, j));
                    assert_true(value == (double)(10 * (i + 1) + j + 2));
                }
            expect_ok(stn_view_release(&wide));
        }
    double memory[1];
    const int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
    stn_view full = data_view(stn_storage_of(STN_F64), memory, 8, ones), wide;
    expect_error(stn_view_insert_axis(&wide, &full, 0), STN_ERR_RANGE,
                 "has rank 8, which is the maximum");
}

/* ---- views that are wrong, and ones that only look so ---- */

/* value = code - zero, exactly, whatever the zero points are. */
TEST_CASE(copies_of_integers_keep_values_under_large_zero_points)
{
    __extension__ typedef __int128 wide;
    enum { N = 4, ZEROS = 8 };
    const double zeros[ZEROS] = {0x1p60,  0x1p62,  0x1p63 - 1024, 0x1p63,
                                 -0x1p62, -0x1p63, 0x1p64,        -0x1p80};
    const int64_t extents[] = {N}, values[N] = {INT64_MIN, -1, 1, INT64_MAX - 1};
    int64_t from[N], back[N];
    uint64_t codes[N];
    memcpy(from, values, sizeof values);
    for (int z = 0; z < ZEROS; z++) {
        stn_storage storage = stn_storage_of(STN_U64);
        storage.zero = zeros[z];
        const stn_view x = data_view(stn_storage_of(STN_I64), from, 1, extents);
        const stn_view moved = data_view(storage, codes, 1, extents);
        const stn_view again = data_view(stn_storage_of(STN_I64), back, 1, extents);
        expect_ok(stn_view_copy(NULL, &moved, &x));
        expect_ok(stn_view_copy(NULL, &again, &moved));
        for (int k = 0; k < N; k++) {
            const wide exact = (wide)values[k] + (wide)zeros[z];
            const wide code = exact < 0 ? 0 : exact > UINT64_MAX ? (wide)UINT64_MAX : exact;
            const wide value = code - (wide)zeros[z];
            assert_true(codes[k] == (uint64_t)code);
            assert_true(back[k] == (value < INT64_MIN   ? INT64_MIN
                                    : value > INT64_MAX ? INT64_MAX
                                                        : (int64_t)value));
        }
    }
    /* two zero points whose difference 64 bits do not hold */
    stn_storage high = stn_storage_of(STN_U64), low = stn_storage_of(STN_I64);
    high.zero = 0x1p63;
    low.zero = -0x1p63;
    const stn_view a = data_view(high, codes, 1, extents), b = data_view(low, back, 1, extents);
    memcpy(codes, (uint64_t[]){0, 1, 5, UINT64_MAX}, sizeof codes);
    expect_ok(stn_view_copy(NULL, &b, &a)); /* -2^63, 1 - 2^63, 5 - 2^63, 2^63 - 1, less 2^63 */
    for (int k = 0; k < N; k++)
        assert_true(back[k] == (k < 3 ? INT64_MIN : -1));
}

TEST_CASE(parts_without_elements_have_no_scales_that_differ)
{
    const int64_t extents[] = {6, 30}, none[] = {6, 0};
    int8_t codes[180] = {0};
    double scales[6] = {1, 2, 3, 4, 5, 6}, sum = 99.0;
    const stn_scales given = {
        .data = scales, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    const stn_slice slices[] = {stn_slice_all(), stn_slice_range(5, 5)};
    stn_view matrix = data_view(stn_storage_of(STN_I8), codes, 2, extents), part;
    const stn_view y = data_view(stn_storage_of(STN_F64), NULL, 2, none);
    expect_ok(stn_view_set_scales(&matrix, &given));
    expect_ok(stn_view_slice(&part, &matrix, 2, slices));
    expect_ok(data_sum_reduce(data_exec(), STN_F64, &sum, &part));
    assert_true(sum == 0.0);
    expect_ok(data_twice_run(data_exec(), STN_F64, &part, &y));
    expect_ok(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, &y, &part));
}

/* Strides mean nothing where there are no elements; the undefined-behaviour sanitizer looks on. */
TEST_CASE(strides_of_nothing_are_not_multiplied)
{
    const int64_t extents[] = {0, 2, (int64_t)1 << 31}, small[] = {2, 0, 2};
    const int64_t strides[] = {1, 5, -((int64_t)1 << 62)}, kept[] = {2, 2};
    int8_t code = 0;
    double sum = 1.0, sums[4] = {1.0, 1.0, 1.0, 1.0};
    stn_view x, y, z;
    x = wrap_strided("x", stn_storage_of(STN_I8), &code, 3, extents, strides);
    expect_ok(stn_view_wrap(&y, "y", stn_storage_of(STN_F64), &sum, 3, extents));
    expect_ok(data_sum_reduce(data_exec(), STN_F64, &sum, &x));
    assert_true(sum == 0.0);
    expect_ok(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, &y, &x));
    expect_ok(data_running_scan(data_exec(), STN_F64, STN_SCAN_EXCLUSIVE, &y, &x));
    expect_ok(data_twice_run(data_exec(), STN_F64, &x, &y));
    z = wrap_strided("z", stn_storage_of(STN_F64), &sum, 3, extents, strides);
    expect_ok(data_turned_run(data_exec(), STN_F64, &z, &y));
    expect_ok(data_sum_reduce(data_exec(), STN_F64, &sum, &z));
    const stn_view none = data_view(stn_storage_of(STN_F64), NULL, 1, extents);
    expect_ok(data_sum_reduce_into(data_exec(), STN_F64, 6, &none, &x));
    z = wrap_strided("z", stn_storage_of(STN_I8), &code, 3, small, strides);
    const stn_view result = data_view(stn_storage_of(STN_F64), sums, 2, kept);
    expect_ok(data_sum_reduce_into(data_exec(), STN_F64, 2, &result, &z));
    for (int k = 0; k < 4; k++)
        assert_true(sums[k] == 0.0);
}

TEST_CASE(one_element_is_the_same_under_every_stride)
{
    const int64_t one[] = {1}, near[] = {1}, far[] = {5};
    double value = 3.0;
    stn_view x, y;
    x = wrap_strided("x", stn_storage_of(STN_F64), &value, 1, one, near);
    y = wrap_strided("y", stn_storage_of(STN_F64), &value, 1, one, far);
    expect_ok(stn_axpy(data_exec(), STN_F64, 2.0, &x, &y));
    assert_true(value == 9.0);
}

/* NumPy's arrays may have such strides. */
TEST_CASE(strides_that_no_element_goes_by_may_be_any)
{
    const int64_t strides[] = {INT64_MIN, INT64_MAX}, one[] = {1, 1}, none[] = {0, 3};
    double x = 3.0, y = 1.0, sum;
    for (int k = 0; k < 2; k++) {
        stn_view from, to;
        from = wrap_strided("from", stn_storage_of(STN_F64), &x, 2, k ? none : one, strides);
        to = wrap_strided("to", stn_storage_of(STN_F64), &y, 2, k ? none : one, strides);
        expect_ok(stn_view_copy(NULL, &to, &from));
        expect_ok(data_twice_run(data_exec(), STN_F64, &from, &to));
        expect_ok(data_sum_reduce(data_exec(), STN_F64, &sum, &from));
        expect_ok(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, &to, &from));
        expect_ok(stn_view_fill(NULL, &to, 5.0));
        assert_true(sum == (k ? 0.0 : 3.0) && y == 5.0);
    }
}

/* What every operation says to a view whose members were overwritten. */
static void refuse_everywhere(const stn_view *wrong, const stn_view *good, stn_status status,
                              const char *words)
{
    const int64_t at[] = {1, 1};
    const int order[] = {1, 0};
    const stn_slice slices[] = {stn_slice_all(), stn_slice_all()};
    double value;
    stn_view room = *wrong;
    expect_error(stn_view_get(wrong, 2, at, &value), status, words);
    expect_error(stn_view_set(wrong, 2, at, 1.0), status, words);
    expect_error(STN_VIEW_ATOMIC_ADD(wrong, 1.0, 1, 1), status, words);
    expect_error(stn_view_copy(NULL, wrong, good), status, words);
    expect_error(stn_view_copy(NULL, good, wrong), status, words);
    expect_error(stn_view_fill(NULL, wrong, 1.0), status, words);
    expect_error(stn_view_fit_scales(NULL, &room, good, STN_SCALE_POWER_OF_TWO), status, words);
    expect_error(stn_view_slice(&room, wrong, 2, slices), status, words);
    expect_error(stn_view_permute(&room, wrong, 2, order), status, words);
    expect_error(stn_view_insert_axis(&room, wrong, 0), status, words);
    expect_error(stn_view_share(&room, wrong), status, words);
    expect_error(data_twice_run(data_exec(), STN_F64, wrong, good), status, words);
    expect_error(data_twice_run(data_exec(), STN_F64, good, wrong), status, words);
    expect_error(data_sum_reduce(data_exec(), STN_F64, &value, wrong), status, words);
    expect_error(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, good, wrong), status,
                 words);
    expect_error(data_running_scan(data_exec(), STN_F64, STN_SCAN_INCLUSIVE, wrong, good), status,
                 words);
    expect_error(stn_gemv(data_exec(), STN_F64, 1.0, wrong, good, 0.0, good), status, words);
}

TEST_CASE(views_with_wrong_members_are_refused)
{
    const int8_t ranks[] = {9, -1, INT8_MAX};
    const int formats[] = {-1, 99999, INT32_MAX};
    const int64_t extents[] = {4, 4}, row[] = {4};
    double x[16] = {0}, y[16] = {0};
    const stn_view good = data_view(stn_storage_of(STN_F64), y, 2, extents);
    const stn_view made = data_view(stn_storage_of(STN_F64), x, 2, extents);
    stn_view wrong, other;
    for (int k = 0; k < 3; k++) {
        wrong = made;
        wrong.rank = ranks[k];
        refuse_everywhere(&wrong, &good, STN_ERR_ARGUMENT, "rank");
        wrong = made;
        wrong.storage.format = formats[k];
        refuse_everywhere(&wrong, &good, STN_ERR_FORMAT, "format");
    }
    wrong = made;
    wrong.size = 0;
    refuse_everywhere(&wrong, &good, STN_ERR_ARGUMENT, "is not an initialized view");
    wrong = made;
    wrong.data = NULL;
    refuse_everywhere(&wrong, &good, STN_ERR_ARGUMENT, "data is NULL");
    /* short arrays, which are copied at once */
    wrong = data_view(stn_storage_of(STN_F64), x, 1, row);
    other = data_view(stn_storage_of(STN_F64), y, 1, row);
    wrong.data = NULL;
    expect_error(stn_view_copy(NULL, &other, &wrong), STN_ERR_ARGUMENT, "data is NULL");
    expect_error(stn_view_copy(NULL, &wrong, &other), STN_ERR_ARGUMENT, "data is NULL");
    wrong.data = x;
    wrong.storage.format = other.storage.format = 99999;
    expect_error(stn_view_copy(NULL, &other, &wrong), STN_ERR_FORMAT, "format 99999");
}

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line.
 */
// clang-format off
#define MISUSE_VIEWS                                                                               \
    cmocka_unit_test(slices_outside_are_named_as_they_were_given),                                 \
    cmocka_unit_test(extents_that_a_custom_layout_refuses_are_named),                              \
    cmocka_unit_test(a_row_under_one_scale_is_a_view_with_one_scale),                              \
    cmocka_unit_test(a_part_of_a_block_of_scales_is_a_view_with_one_scale),                        \
    cmocka_unit_test(interleaved_outputs_are_accepted),                                            \
    cmocka_unit_test(interleaved_vectors_are_accepted),                                            \
    cmocka_unit_test(zero_extents_beside_huge_ones_are_empty),                                     \
    cmocka_unit_test(an_axis_of_extent_1_is_inserted),                                             \
    cmocka_unit_test(an_axis_is_inserted_in_every_layout),                                         \
    cmocka_unit_test(copies_of_integers_keep_values_under_large_zero_points),                      \
    cmocka_unit_test(parts_without_elements_have_no_scales_that_differ),                           \
    cmocka_unit_test(strides_of_nothing_are_not_multiplied),                                       \
    cmocka_unit_test(one_element_is_the_same_under_every_stride),                                  \
    cmocka_unit_test(strides_that_no_element_goes_by_may_be_any),                                  \
    cmocka_unit_test(views_with_wrong_members_are_refused),
// clang-format on

#endif
