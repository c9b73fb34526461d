/* Wrapped views: their members, views without elements, strides that no element uses, inserted
 * dimensions, and operations on interleaved parts of one array. */
#include "matrix.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/sparse.h"
#include "make_view.h"

STN_MAP(twice, (in(x), out(y)), y = x + x;)
STN_MAP(split, (in(x), out(even), out(odd)), even = x; odd = -x;)
STN_MAP(sum_of_two, (in(x), in(z), out(y)), y = x + z;)
STN_MAP(turned, (at(i, j, k), gather(x, 3), out(y)), y = STN_AT(x, k, j, i);)
STN_REDUCE(total, sum, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)

static double memory[64];
static stn_exec *exec;

/* ---- members ---- */

UNIT_TEST(members)
{
    const int64_t extents[] = {2, 3}, strides[] = {-7, 2};
    stn_storage storage = stn_storage_of(STN_I16);
    storage.scale = 0.25;
    storage.zero = 3.0;
    stn_view view = wrap_strided("golf", storage, memory + 8, 2, extents, strides);
    assert_int_equal(view.size, sizeof view);
    assert_string_equal(view.label, "golf");
    assert_int_equal(view.storage.format, STN_I16);
    assert_true(view.storage.scale == 0.25 && view.storage.zero == 3.0);
    assert_ptr_equal(view.data, memory + 8);
    assert_true(view.rank == 2 && !view.read_only);
    assert_memory_equal(view.extent, extents, sizeof extents);
    assert_memory_equal(view.stride, strides, sizeof strides);
    expect_ok(stn_view_wrap_const(&view, NULL, storage, memory, 2, extents));
    assert_true(view.read_only && !view.label);
}

UNIT_TEST(layout_right_of_rank_8)
{
    static const int64_t extents[STN_MAX_RANK] = {1, 2, 1, 2, 2, 1, 2, 3};
    static const int64_t expected[STN_MAX_RANK] = {48, 24, 24, 12, 6, 6, 3, 1};
    const stn_view view = wrap_view("golf", f64(), memory, STN_MAX_RANK, extents);
    assert_memory_equal(view.stride, expected, sizeof expected);
    assert_int_equal(stn_view_count(&view), 48);
}

/* ---- views without elements, and strides that no element uses ---- */

UNIT_TEST(memory_and_strides_that_no_element_uses)
{
    static const struct {
        int64_t extents[3], strides[3];
        int rank, has_strides, first; /* position in `memory`; -1: no memory */
    } cases[] = {{{0}, {0}, 1, 0, 0},
                 {{0}, {0}, 1, 0, -1},
                 {{3, 0, 7}, {0}, 3, 0, -1},
                 {{0}, {0}, 0, 0, 0},
                 {{INT64_MAX, INT64_MAX, 0}, {0}, 3, 0, -1},
                 {{INT64_MAX, INT64_MAX, 0}, {1, 1, 1}, 3, 1, -1},
                 {{0, 2, INT64_MAX / 2}, {0}, 3, 0, -1},
                 {{INT64_MAX}, {0}, 1, 1, 0},
                 {{10}, {-7}, 1, 1, 63},
                 {{1}, {INT64_MIN}, 1, 1, 0},
                 {{1}, {INT64_MAX}, 1, 1, 0}};
    for (int k = 0; k < COUNT_OF(cases); k++)
        (void)wrap_strided("golf", f64(), cases[k].first < 0 ? NULL : memory + cases[k].first,
                           cases[k].rank, cases[k].extents,
                           cases[k].has_strides ? cases[k].strides : NULL);
}

/* Queries, slices and handles of views without elements do not look at their memory. */
UNIT_TEST(views_without_elements)
{
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR, STN_LAYOUT_MORTON};
    void *const invalid[] = {NULL, (void *)(uintptr_t)64, (void *)(UINTPTR_MAX - 63)};
    const int64_t extents[] = {3, 0, 7};
    const stn_slice slices[] = {stn_slice_index(1), stn_slice_all(), stn_slice_range(2, 5)};
    for (int k = 0; k < COUNT_OF(kinds); k++)
        for (int b = 0; b < COUNT_OF(invalid); b++) {
            const stn_layout layout = stn_layout_of(kinds[k]);
            stn_view view = wrap_layout("golf", f64(), invalid[b], &layout, 3, extents), copy;
            assert_int_equal(stn_view_count(&view) + stn_view_span(&view), 0);
            assert_int_equal(stn_view_is_contiguous(&view), 1);
            assert_int_equal(stn_view_is_unique(&view), 1);
            expect_ok(stn_view_set_traits(&view, STN_TRAIT_ALIGNED));
            const stn_view part = slice_view(&view, 3, slices);
            assert_int_equal(stn_view_count(&part), 0);
            assert_int_equal(part.extent[1], 3);
            expect_ok(stn_view_share(&copy, &view));
            assert_int_equal(stn_view_equal(&copy, &view), 1);
            expect_error(STN_VIEW_GET(&view, &(double){0}, 0, 0, 0), STN_ERR_RANGE, NULL);
            stn_view_release(&copy);
            stn_view_release(&view);
        }
}

/* One extent is 0, the others are 2^40. */
UNIT_TEST(empty_extents_next_to_huge_ones)
{
    static const char *const layouts[] = {"right", "left", "block_col_major", "tiled:2x2x2",
                                          "morton"};
    for (int zero = 0; zero < 3; zero++)
        for (int l = 0; l < COUNT_OF(layouts); l++) {
            int64_t extents[] = {(int64_t)1 << 40, (int64_t)1 << 40, (int64_t)1 << 40};
            stn_layout layout;
            stn_view part;
            double sum = 1.0;
            extents[zero] = 0;
            expect_ok(stn_layout_parse(layouts[l], &layout));
            stn_view a =
                create_view(NULL, "a", f64(), &layout, 3, extents, l < 3 ? STN_CREATE_PADDED : 0);
            stn_view b = wrap_layout("b", stn_storage_of(STN_F32), NULL, &layout, 3, extents);
            assert_int_equal(stn_view_count(&a) + stn_view_span(&a), 0);
            expect_ok(stn_view_copy(NULL, &a, &b));
            expect_ok(stn_view_fill(NULL, &a, 1.0));
            expect_ok(stn_view_insert_axis(&part, &a, 1));
            if (l < 3) {
                expect_ok(twice_run(exec, STN_F64, &b, &a));
                expect_ok(running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &a, &b));
                expect_ok(total_reduce(exec, STN_F64, &sum, &a));
                assert_true(sum == 0.0);
            }
            expect_ok(stn_view_resize(NULL, &a, 3, (const int64_t[]){2, 2, 2}, 0));
            assert_int_equal(stn_view_count(&a), 8);
            expect_ok(stn_view_release(&a));
            expect_ok(stn_view_release(&b));
        }
}

/* Strides of views without elements are not multiplied: the undefined-behavior sanitizer checks. */
UNIT_TEST(strides_of_views_without_elements)
{
    const int64_t extents[] = {0, 2, (int64_t)1 << 31}, small[] = {2, 0, 2};
    const int64_t strides[] = {1, 5, -((int64_t)1 << 62)}, kept[] = {2, 2};
    int8_t code = 0;
    double sum = 1.0, sums[4] = {1.0, 1.0, 1.0, 1.0};
    const stn_view x = wrap_strided("x", stn_storage_of(STN_I8), &code, 3, extents, strides);
    const stn_view y = wrap_view("y", f64(), &sum, 3, extents);
    const stn_view z = wrap_strided("z", f64(), &sum, 3, extents, strides);
    const stn_view narrow = wrap_strided("w", stn_storage_of(STN_I8), &code, 3, small, strides);
    const stn_view none = wrap_view("none", f64(), NULL, 1, extents);
    const stn_view result = wrap_view("result", f64(), sums, 2, kept);
    expect_ok(total_reduce(exec, STN_F64, &sum, &x));
    assert_true(sum == 0.0);
    expect_ok(running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &y, &x));
    expect_ok(running_scan(exec, STN_F64, STN_SCAN_EXCLUSIVE, &y, &x));
    expect_ok(twice_run(exec, STN_F64, &x, &y));
    expect_ok(turned_run(exec, STN_F64, &z, &y));
    expect_ok(total_reduce(exec, STN_F64, &sum, &z));
    expect_ok(total_reduce_into(exec, STN_F64, 6, &none, &x));
    expect_ok(total_reduce_into(exec, STN_F64, 2, &result, &narrow));
    for (int k = 0; k < 4; k++)
        assert_true(sums[k] == 0.0);
}

/* NumPy arrays may have such strides. */
UNIT_TEST(strides_of_single_elements)
{
    const int64_t strides[] = {INT64_MIN, INT64_MAX}, one[] = {1, 1}, none[] = {0, 3};
    const int64_t near[] = {1}, far[] = {5};
    double x = 3.0, y = 1.0, sum;
    for (int k = 0; k < 2; k++) {
        const stn_view from = wrap_strided("from", f64(), &x, 2, k ? none : one, strides);
        const stn_view to = wrap_strided("to", f64(), &y, 2, k ? none : one, strides);
        expect_ok(stn_view_copy(NULL, &to, &from));
        expect_ok(twice_run(exec, STN_F64, &from, &to));
        expect_ok(total_reduce(exec, STN_F64, &sum, &from));
        expect_ok(running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &to, &from));
        expect_ok(stn_view_fill(NULL, &to, 5.0));
        assert_true(sum == (k ? 0.0 : 3.0) && y == 5.0);
    }
    /* the same element with two strides is no partial overlap */
    const stn_view a = wrap_strided("a", f64(), &x, 1, one, near);
    const stn_view b = wrap_strided("b", f64(), &x, 1, one, far);
    expect_ok(stn_axpy(exec, STN_F64, 2.0, &a, &b));
    assert_true(x == 9.0);
}

/* ---- inserted dimensions ---- */

/* (n, d) as (n, 1, d) plus (m, d) as (1, m, d), with a scale per row. */
UNIT_TEST(inserted_axes_broadcast)
{
    enum { N = 5, M = 3, D = 4 };
    const int64_t a_extents[] = {N, D}, b_extents[] = {M, D}, extents[] = {N, M, D};
    const int64_t wide_extents[] = {N, 1, D};
    double scales[N] = {1.0, 0.5, 2.0, 4.0, 8.0}, b[M * D], sums[N * M * D], decoded[N * D];
    int8_t a[N * D];
    stn_scales by_row = {
        .data = scales, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    stn_view va = wrap_view("a", stn_storage_of(STN_I8), a, 2, a_extents), wide, wide_b;
    const stn_view vb = wrap_view("b", f64(), b, 2, b_extents);
    const stn_view vsums = wrap_view("sums", f64(), sums, 3, extents);
    const stn_view vdecoded = wrap_view("decoded", f64(), decoded, 3, wide_extents);
    for (int k = 0; k < N * D; k++)
        a[k] = (int8_t)k;
    for (int k = 0; k < M * D; k++)
        b[k] = 100.0 * k;
    expect_ok(stn_view_set_scales(&va, &by_row));
    expect_ok(stn_view_fix_extents(&va, 2));
    expect_ok(stn_view_insert_axis(&wide, &va, 1));
    assert_true(wide.rank == 3 && wide.fixed == 4 && !wide.owner);
    expect_ok(stn_view_copy(NULL, &vdecoded, &wide));
    expect_ok(stn_view_insert_axis(&wide_b, &vb, 0));
    expect_ok(sum_of_two_run(exec, STN_F64, &vdecoded, &wide_b, &vsums));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < D; k++)
                assert_true(sums[(i * M + j) * D + k] == a[i * D + k] * scales[i] + b[j * D + k]);
    expect_error(stn_view_insert_axis(&wide, &va, 3), STN_ERR_RANGE, "dimension 3 is out of range");
    expect_error(stn_view_insert_axis(&wide, &va, -1), STN_ERR_RANGE,
                 "dimension -1 is out of range");
    const stn_view full = wrap_view("full", f64(), b, 8, (const int64_t[]){1, 1, 1, 1, 1, 1, 1, 1});
    expect_error(stn_view_insert_axis(&wide, &full, 0), STN_ERR_RANGE,
                 "has rank 8, which is the maximum");
}

/* In place, at every position: the handle is kept, and the new dimension can be sliced. */
UNIT_TEST(axes_are_inserted_in_every_layout)
{
    static const char *const layouts[] = {"right",     "left",           "block_col_major",
                                          "tiled:2x3", "tiled:2x3:left", "morton"};
    const stn_slice first = stn_slice_index(0), rows = stn_slice_range(1, 4),
                    columns = stn_slice_range(2, 5);
    const stn_slice slices[3][3] = {
        {first, rows, columns}, {rows, first, columns}, {rows, columns, first}};
    const int64_t extents[] = {5, 6};
    for (int l = 0; l < COUNT_OF(layouts); l++)
        for (int d = 0; d <= 2; d++) {
            stn_layout layout;
            expect_ok(stn_layout_parse(layouts[l], &layout));
            stn_view view = create_view(NULL, "v", f64(), &layout, 2, extents, 0), wide = view;
            for (int64_t k = 0; k < 30; k++)
                expect_ok(STN_VIEW_SET(&view, (double)(10 * (k / 6) + k % 6), k / 6, k % 6));
            expect_ok(stn_view_insert_axis(&wide, &wide, d));
            assert_int_equal(stn_view_use_count(&wide), 1);
            assert_int_equal(wide.extent[d], 1);
            assert_int_equal(stn_view_layout(&wide), stn_view_layout(&view));
            const stn_view to = wrap_view("to", f64(), memory, 3, wide.extent);
            expect_ok(stn_view_copy(NULL, &to, &wide));
            for (int k = 0; k < 30; k++)
                assert_true(memory[k] == 10 * (k / 6) + k % 6);
            expect_ok(stn_view_copy(NULL, &wide, &wide));
            const stn_view flat = slice_view(&wide, 3, slices[d]);
            assert_int_equal(flat.rank, 2);
            for (int64_t k = 0; k < 9; k++)
                assert_true(VALUE_AT(&flat, k / 3, k % 3) ==
                            (double)(10 * (k / 3 + 1) + k % 3 + 2));
            expect_ok(stn_view_release(&wide));
        }
}

/* ---- interleaved parts ---- */

/* Three disjoint parts of a matrix whose spans overlap: columns, pairs of columns, or rows. */
static void cut_in_thirds(const stn_view *whole, int how, stn_view *parts)
{
    for (int p = 0; p < 3; p++) {
        const stn_slice slices[][2] = {{stn_slice_all(), stn_slice_strided(p, 2, 3)},
                                       {stn_slice_all(), stn_slice_range(2 * p, 2 * p + 2)},
                                       {stn_slice_strided(p, 2, 3), stn_slice_all()}};
        parts[p] = slice_view(whole, 2, slices[how]);
    }
}

UNIT_TEST(interleaved_outputs_of_kernels)
{
    const int64_t extents[] = {6, 8};
    const stn_view whole = wrap_view("whole", f64(), memory, 2, extents);
    for (int how = 0; how < 3; how++) {
        stn_view parts[3];
        double sums[3] = {0};
        cut_in_thirds(&whole, how, parts);
        expect_ok(stn_view_fill(NULL, &whole, 7.0));
        expect_ok(stn_view_fill(NULL, &parts[0], 1.5));
        expect_ok(split_run(exec, STN_F64, &parts[0], &parts[1], &parts[2]));
        for (int p = 0; p < 3; p++)
            expect_ok(total_reduce(exec, STN_F64, &sums[p], &parts[p]));
        const double each = 1.5 * (double)stn_view_count(&parts[0]);
        assert_true(sums[0] == each && sums[1] == each && sums[2] == -each);
        expect_ok(running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &parts[1], &parts[0]));
        expect_error(running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &parts[1], &whole),
                     STN_ERR_SHAPE, "result");
        expect_error(split_run(exec, STN_F64, &parts[0], &parts[1], &parts[1]), STN_ERR_ALIAS,
                     "overlaps");
    }
}

/* axpy, gemv, spmv and a reduction from columns of a matrix into another column. */
UNIT_TEST(interleaved_columns)
{
    enum { N = 12 };
    const int64_t extents[] = {N, 3};
    int64_t row_start[N + 1];
    int32_t columns[N];
    double threes[N];
    const stn_view whole = wrap_view("whole", f64(), memory, 2, extents);
    const stn_view five = wrap_view("x", f64(), (double[]){5.0}, 1, (const int64_t[]){1});
    stn_view column[3], matrix;
    stn_matrix *csr;
    for (int k = 0; k < N; k++) {
        row_start[k + 1] = k + 1;
        columns[k] = k;
        threes[k] = 3.0;
    }
    row_start[0] = 0;
    for (int64_t j = 0; j < 3; j++) {
        column[j] = slice_view(&whole, 2, (const stn_slice[]){stn_slice_all(), stn_slice_index(j)});
        expect_ok(stn_view_fill(NULL, &column[j], (double)j + 1.0));
    }
    expect_ok(stn_axpy(exec, STN_F64, 2.0, &column[0], &column[1]));
    assert_true(memory[1] == 4.0 && memory[2] == 3.0 && memory[0] == 1.0);
    expect_ok(stn_view_insert_axis(&matrix, &column[0], 1));
    expect_ok(stn_gemv(exec, STN_F64, 1.0, &matrix, &five, 0.0, &column[2]));
    assert_true(memory[2] == 5.0 && memory[1] == 4.0 && memory[0] == 1.0);
    expect_ok(wrap_csr(&csr, "3 I", f64(), N, N, row_start, columns, threes));
    expect_ok(stn_spmv(exec, STN_F64, 1.0, csr, &column[2], 0.0, &column[0]));
    assert_true(memory[0] == 15.0 && memory[1] == 4.0 && memory[2] == 5.0);
    stn_matrix_release(csr);
    expect_ok(total_reduce_into(exec, STN_F64, 2, &column[1], &matrix));
    assert_true(memory[0] == 15.0 && memory[1] == 15.0 && memory[2] == 5.0);
}

RUN_UNIT_TESTS_ON(exec, "threads:threads=2")
