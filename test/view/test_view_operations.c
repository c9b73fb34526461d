/* Operations refuse atomic views and memory out of reach, accessors other layouts and scales too,
 * and write nothing. */

#include "matrix.h"
#include "steno/accessor_view.h"
#include "steno/blas.h"
#include "steno/sparse.h"
#include "make_view.h"

STN_ACCESSOR(vector, 1, double, double)
STN_ACCESSOR_FROM_VIEW(vector)
STN_ACCESSOR_FROM_VIEW(vector_const)

static double elements[4096];

static void expect(stn_status wanted, const char *words, stn_status status)
{
    if (status != wanted)
        fail_msg("%s, not %s: %s", stn_status_name(status), stn_status_name(wanted), stn_error());
    if (!strstr(stn_error(), words))
        fail_msg("'%s' does not say '%s'", stn_error(), words);
}

/* A view in a way that operations of strides do not know. */
static stn_view special(int way, int rank)
{
    static const char *const labels[] = {"morton", "scaled", "atomic", "device"};
    static double scales[] = {1.0, 2.0, 4.0};
    static const int64_t threes[] = {3, 3};
    const stn_layout layout = stn_layout_of(STN_LAYOUT_MORTON);
    stn_view view;
    view = wrap_layout(labels[way], f64(), elements, way == 0 ? &layout : NULL, rank, threes);
    if (way == 1)
        expect_ok(stn_view_set_scales(&view, &(stn_scales){.data = scales,
                                                           .format = STN_F64,
                                                           .dimension = STN_NO_DIMENSION,
                                                           .stride = {1}}));
    if (way == 2)
        expect_ok(stn_view_set_traits(&view, STN_TRAIT_ATOMIC));
    if (way == 3)
        expect_ok(stn_view_set_space(&view, STN_SPACE_DEVICE));
    return view;
}

static const char *const words[] = {"layout morton", "scales that differ", "is atomic",
                                    "device memory"};

TEST_CASE(test_accessors)
{
    static const int64_t threes[] = {3};
    vector all;
    vector_const read;
    for (int way = 0; way < 4; way++) {
        stn_view odd = special(way, 1);
        expect(STN_ERR_UNSUPPORTED, words[way], vector_from_view(&all, &odd));
        expect(STN_ERR_UNSUPPORTED, words[way], vector_const_from_view(&read, &odd));
        stn_view_release(&odd);
    }
    stn_view y;
    expect_ok(stn_view_wrap(&y, "y", f64(), elements + 1024, 1, threes));
    expect_ok(stn_view_set_traits(&y, STN_TRAIT_RANDOM_ACCESS));
    expect(STN_ERR_ARGUMENT, "read-only", vector_from_view(&all, &y));
    expect_ok(vector_const_from_view(&read, &y));
}

TEST_CASE(test_operations)
{
    static const char *const names[] = {"reference", "openmp"};
    static const int64_t threes[] = {3, 3}, ends[] = {0, 1, 2, 3};
    static const int32_t columns[] = {0, 1, 2};
    static double values[3] = {1.0, 1.0, 1.0};
    for (int k = 0; k < 2; k++)
        for (int way = 2; way < 4; way++) {
            stn_exec *exec;
            stn_view odd = special(way, 1), square = special(way, 2), y, matrix;
            double result = 7.0;
            stn_matrix *csr;
            expect_ok(stn_exec_create(&exec, names[k]));
            expect_ok(stn_view_wrap(&y, "y", f64(), elements + 1024, 1, threes));
            expect_ok(stn_view_wrap(&matrix, "a", f64(), elements + 2048, 2, threes));
            expect(STN_ERR_UNSUPPORTED, words[way], stn_axpy(exec, STN_F64, 1.0, &odd, &y));
            expect(STN_ERR_UNSUPPORTED, words[way], stn_axpy(exec, STN_F64, 1.0, &y, &odd));
            expect(STN_ERR_UNSUPPORTED, words[way], stn_dot(exec, STN_F64, &result, &odd, &y));
            expect(STN_ERR_UNSUPPORTED, words[way], stn_dot(exec, STN_F64, &result, &y, &odd));
            expect(STN_ERR_UNSUPPORTED, words[way],
                   stn_gemv(exec, STN_F64, 1.0, &square, &y, 0.0, &y));
            expect(STN_ERR_UNSUPPORTED, words[way],
                   stn_gemv(exec, STN_F64, 1.0, &matrix, &odd, 0.0, &y));
            expect(STN_ERR_UNSUPPORTED, words[way],
                   stn_gemv(exec, STN_F64, 1.0, &matrix, &y, 0.0, &odd));
            expect_ok(wrap_csr(&csr, "s", f64(), 3, 3, ends, columns, values));
            expect(STN_ERR_UNSUPPORTED, words[way],
                   stn_spmv(exec, STN_F64, 1.0, csr, &odd, 0.0, &y));
            expect(STN_ERR_UNSUPPORTED, words[way],
                   stn_spmv(exec, STN_F64, 1.0, csr, &y, 0.0, &odd));
            assert_true(result == 7.0);
            stn_view_release(&odd);
            expect_ok(stn_view_set_traits(&y, STN_TRAIT_RANDOM_ACCESS));
            expect_ok(stn_view_wrap(&odd, "x", f64(), elements, 1, threes));
            expect(STN_ERR_ARGUMENT, "read-only", stn_axpy(exec, STN_F64, 1.0, &odd, &y));
            expect_ok(stn_axpy(exec, STN_F64, 1.0, &y, &odd));
            stn_view_release(&square);
            stn_exec_release(exec);
        }
}

/* Copies and fills of atomic views would not be atomic. */
TEST_CASE(test_atomic)
{
    static const int64_t threes[] = {3};
    stn_view odd = special(2, 1), y;
    expect_ok(stn_view_wrap(&y, "y", f64(), elements + 1024, 1, threes));
    elements[0] = 7.0;
    expect(STN_ERR_UNSUPPORTED, "is atomic", stn_view_copy(NULL, &odd, &y));
    expect(STN_ERR_UNSUPPORTED, "is atomic", stn_view_copy(NULL, &y, &odd));
    expect(STN_ERR_UNSUPPORTED, "is atomic", stn_view_fill(NULL, &odd, 1.0));
    assert_true(elements[0] == 7.0);
    expect_ok(stn_view_set_traits(&odd, 0));
    expect_ok(stn_view_fill(NULL, &odd, 1.0));
    assert_true(elements[0] == 1.0);
}

/* What promises that nothing else refers to its elements is taken at its word. */
TEST_CASE(test_restrict)
{
    static const int64_t threes[] = {3};
    stn_exec *exec;
    stn_view x, y;
    expect_ok(stn_exec_create(&exec, "reference"));
    expect_ok(stn_view_wrap(&x, "x", f64(), elements, 1, threes));
    expect_ok(stn_view_wrap(&y, "y", f64(), elements + 1, 1, threes));
    expect(STN_ERR_ALIAS, "overlap", stn_axpy(exec, STN_F64, 1.0, &x, &y));
    expect(STN_ERR_ALIAS, "overlap", stn_view_copy(exec, &y, &x));
    expect_ok(stn_view_set_traits(&y, STN_TRAIT_RESTRICT));
    expect_ok(stn_axpy(exec, STN_F64, 0.0, &x, &y));
    expect_ok(stn_view_set_traits(&y, 0));
    expect(STN_ERR_ALIAS, "overlap", stn_axpy(exec, STN_F64, 1.0, &x, &y));
    stn_exec_release(exec);
}

static int64_t by_rows(const void *context, int rank, const int64_t *extents,
                       const int64_t *indices)
{
    (void)context, (void)rank;
    return indices[0] * extents[1] + indices[1];
}

static int64_t of_rows(const void *context, int rank, const int64_t *extents)
{
    (void)context, (void)rank;
    return extents[0] * extents[1];
}

/* Tells of a stride of 2 where it is 1. */
static int64_t wrong_run(const void *context, int rank, const int64_t *extents,
                         const int64_t *indices, int dimension, int64_t *offset, int64_t *stride)
{
    *offset = by_rows(context, rank, extents, indices);
    *stride = 2;
    return dimension == 1 ? extents[1] : 1;
}

TEST_CASE(test_runs_of_layouts)
{
    static const int64_t extents[] = {4, 5};
    stn_layout layout = stn_layout_custom(by_rows, of_rows, NULL);
    stn_view view;
    view = wrap_layout("rows", f64(), elements, &layout, 2, extents);
    stn_view_release(&view);
    layout.run = wrong_run;
    expect(STN_ERR_ARGUMENT, "a run of 5 elements along dimension 1",
           stn_view_wrap_spec(&view,
                              &STN_VIEW_SPEC(.label = "rows", .storage = f64(), .data = elements,
                                             .layout = &layout, .rank = 2, .extents = extents)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations), cmocka_unit_test(test_accessors),
        cmocka_unit_test(test_atomic), cmocka_unit_test(test_restrict),
        cmocka_unit_test(test_runs_of_layouts)};
    return cmocka_run_group_tests_name("views and operations", tests, NULL, NULL);
}
