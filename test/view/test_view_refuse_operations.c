/* Operations on refused operands: invalid, released, atomic, out of reach or of the wrong type; and
 * properties that a view cannot have. Messages begin with the operation, and nothing is written. */
#include <math.h>

#include "matrix.h"
#include "steno/accessor_view.h"
#include "steno/atomic.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/sparse.h"
#include "view/extra.h"
#include "view_model.h"
#include "make_view.h"

STN_MAP(copy, (in(x), out(y)), y = x;)
STN_MAP_INTEGER(plus, (in(x), in(z), inout(y)), y = (int64_t)((uint64_t)x + (uint64_t)z);)
STN_REDUCE(total, sum, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)
STN_ACCESSOR(vector, 1, double, double)
STN_ACCESSOR_FROM_VIEW(vector)
STN_ACCESSOR_FROM_VIEW(vector_const)

static stn_exec *exec;

/* ---- one invalid operand ---- */

enum { N = 4 };
static const int64_t extents[] = {N, N};
static double scales[N * N];

/* A valid and an invalid view of each rank, 1 and 2, with memory of their own. */
typedef struct operands {
    double memory[4][N * N];
    stn_view good[2], wrong[2];
} operands;

static void make_operands(operands *o)
{
    memset(o, 0, sizeof *o);
    for (int r = 0; r < 2; r++) {
        o->good[r] = wrap_view("good", f64(), o->memory[r], r + 1, extents);
        o->wrong[r] = wrap_view("v", f64(), o->memory[2 + r], r + 1, extents);
    }
}

static void check_operation(stn_status status, const char *operation, const char *call,
                            stn_status expected, const char *text)
{
    if (status != expected || strncmp(stn_error(), operation, strlen(operation)) != 0 ||
        !strstr(stn_error(), text))
        fail_msg("%s: %s: '%s' does not begin with '%s' and contain '%s'", call,
                 stn_status_name(status), stn_error(), operation, text);
}

/* Operations that read or write single elements, create parts, and work on all elements. */
enum { ELEMENTS = 1, PARTS = 2, ARRAYS = 4, ALL = 7 };

static void refuse_everywhere(operands *o, unsigned groups, stn_status expected, const char *text)
{
    static const int64_t at[] = {1, 1}, row_start[] = {0, 1, 2, 3, 4};
    static const int32_t columns[] = {0, 1, 2, 3};
    static const double ones[] = {1, 1, 1, 1};
    const int order[] = {1, 0};
    const stn_slice all[] = {stn_slice_all(), stn_slice_all()};
    const stn_view *x = &o->wrong[0], *m = &o->wrong[1], *y = &o->good[0], *g = &o->good[1];
    const stn_view z = wrap_view("z", f64(), o->memory[0] + 2 * N, 1, extents);
    stn_view to = *m;
    double value = 7.0;
    stn_matrix *csr;
    operands before = *o;
    expect_ok(wrap_csr(&csr, "s", f64(), N, N, row_start, columns, ones));
#define REFUSED(group, operation, call)                                                            \
    if (groups & (group))                                                                          \
    check_operation(call, operation ": ", #call, expected, text)
    REFUSED(ELEMENTS, "stn_view_get", stn_view_get(m, 2, at, &value));
    REFUSED(ELEMENTS, "stn_view_set", stn_view_set(m, 2, at, 1.0));
    REFUSED(ELEMENTS, "stn_view_atomic_add", STN_VIEW_ATOMIC_ADD(m, 1.0, 1, 1));
    REFUSED(PARTS, "stn_view_slice", stn_view_slice(&to, m, 2, all));
    REFUSED(PARTS, "stn_view_permute", stn_view_permute(&to, m, 2, order));
    REFUSED(PARTS, "stn_view_insert_axis", stn_view_insert_axis(&to, m, 0));
    REFUSED(PARTS, "stn_view_share", stn_view_share(&to, m));
    REFUSED(ARRAYS, "stn_view_copy", stn_view_copy(NULL, m, g));
    REFUSED(ARRAYS, "stn_view_copy", stn_view_copy(NULL, g, m));
    REFUSED(ARRAYS, "stn_view_copy", stn_view_copy(NULL, x, y)); /* short: copied directly */
    REFUSED(ARRAYS, "stn_view_copy", stn_view_copy(NULL, y, x));
    REFUSED(ARRAYS, "stn_view_fill", stn_view_fill(NULL, m, 1.0));
    REFUSED(ARRAYS, "kernel copy", copy_run(exec, STN_F64, m, g));
    REFUSED(ARRAYS, "kernel copy", copy_run(exec, STN_F64, g, m));
    REFUSED(ARRAYS, "kernel total", total_reduce(exec, STN_F64, &value, m));
    REFUSED(ARRAYS, "kernel total", total_reduce_into(exec, STN_F64, 0, m, g));
    REFUSED(ARRAYS, "kernel running", running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, g, m));
    REFUSED(ARRAYS, "kernel running", running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, m, g));
    REFUSED(ARRAYS, "stn_axpy", stn_axpy(exec, STN_F64, 1.0, x, y));
    REFUSED(ARRAYS, "stn_axpy", stn_axpy(exec, STN_F64, 1.0, y, x));
    REFUSED(ARRAYS, "stn_dot", stn_dot(exec, STN_F64, &value, x, y));
    REFUSED(ARRAYS, "stn_dot", stn_dot(exec, STN_F64, &value, y, x));
    REFUSED(ARRAYS, "stn_gemv", stn_gemv(exec, STN_F64, 1.0, m, y, 0.0, &z));
    REFUSED(ARRAYS, "stn_gemv", stn_gemv(exec, STN_F64, 1.0, g, x, 0.0, &z));
    REFUSED(ARRAYS, "stn_gemv", stn_gemv(exec, STN_F64, 1.0, g, y, 0.0, x));
    REFUSED(ARRAYS, "stn_spmv", stn_spmv(exec, STN_F64, 1.0, csr, x, 0.0, y));
    REFUSED(ARRAYS, "stn_spmv", stn_spmv(exec, STN_F64, 1.0, csr, y, 0.0, x));
    to = *m;
    REFUSED(PARTS, "stn_view_fit_scales", stn_view_fit_scales(NULL, &to, g, STN_SCALE_EXACT));
    assert_true(value == 7.0);
    assert_memory_equal(o->memory, before.memory, sizeof o->memory);
    stn_matrix_release(csr);
}

/* `statement` spoils the view `v`. */
#define SPOILED(statement, groups, status, text)                                                   \
    do {                                                                                           \
        operands o;                                                                                \
        make_operands(&o);                                                                         \
        for (stn_view *v = o.wrong; v < o.wrong + 2; v++)                                          \
            statement;                                                                             \
        refuse_everywhere(&o, groups, status, text);                                               \
        for (stn_view *v = o.wrong; v < o.wrong + 2; v++)                                          \
            if (v->size == sizeof *v && v->owner)                                                  \
                (void)stn_view_release(v);                                                         \
    } while (0)

/* The scale of the elements 1 and (1, 1) is 0. */
static void set_zero_scale(stn_view *view)
{
    for (int k = 0; k < N * N; k++)
        scales[k] = k == 1 || k == N + 1 ? 0.0 : 1.0;
    const stn_scales each = {.data = scales,
                             .format = STN_F64,
                             .dimension = STN_NO_DIMENSION,
                             .stride = {view->rank == 1 ? 1 : N, 1}};
    expect_ok(stn_view_set_scales(view, &each));
}

UNIT_TEST(invalid_operands)
{
    const unsigned elements_and_arrays = ELEMENTS | ARRAYS;
    SPOILED(v->rank = 9, ALL, STN_ERR_ARGUMENT, "rank");
    SPOILED(v->rank = -1, ALL, STN_ERR_ARGUMENT, "rank");
    SPOILED(v->rank = INT8_MAX, ALL, STN_ERR_ARGUMENT, "rank");
    SPOILED(v->storage.format = -1, ALL, STN_ERR_FORMAT, "format");
    SPOILED(v->storage.format = 99999, ALL, STN_ERR_FORMAT, "format");
    SPOILED(v->storage.format = INT32_MAX, ALL, STN_ERR_FORMAT, "format");
    SPOILED(v->size = 0, ALL, STN_ERR_ARGUMENT, "is not an initialized view");
    SPOILED(memset(v, 0xab, sizeof *v), ALL, STN_ERR_ARGUMENT, "its member size is 43947");
    SPOILED(v->data = NULL, ALL, STN_ERR_ARGUMENT, "data is NULL");
    SPOILED(v->storage.scale = 0.0, elements_and_arrays, STN_ERR_ARGUMENT, "): scale 0");
    SPOILED(set_zero_scale(v), elements_and_arrays, STN_ERR_ARGUMENT, "): scale 0");
    SPOILED(v->traits = STN_TRAIT_ATOMIC, ARRAYS, STN_ERR_UNSUPPORTED, "is atomic");
    SPOILED(v->space = STN_SPACE_DEVICE, elements_and_arrays, STN_ERR_UNSUPPORTED, "device");
}

/* A struct that was never initialized; views of all zeros remain valid. */
UNIT_TEST(uninitialized_views)
{
    const stn_view empty = {0};
    stn_view garbage, before, zeros = {0};
    memset(&garbage, 0xab, sizeof garbage);
    before = garbage;
    expect_error(stn_view_release(&garbage), STN_ERR_ARGUMENT,
                 "stn_view_release: view is not an initialized view: its member size is 43947");
    assert_memory_equal(&garbage, &before, sizeof garbage);
    assert_int_equal(stn_view_count(&garbage), 0);
    assert_int_equal(stn_view_span(&garbage), 0);
    assert_int_equal(stn_view_use_count(&garbage), 0);
    assert_int_equal(stn_view_is_contiguous(&garbage), 0);
    assert_int_equal(stn_view_is_unique(&garbage), 0);
    assert_int_equal(stn_view_is_lvalue(&garbage), 0);
    assert_int_equal(stn_view_equal(&garbage, &garbage), 0);
    assert_int_equal(stn_view_equal(&garbage, &empty), 0);
    assert_int_equal(stn_view_can_assign(&zeros, &garbage, NULL, 0), 0);
    assert_int_equal(stn_view_layout(&garbage), STN_LAYOUT_STRIDED);
    expect_ok(stn_view_release(&zeros));
    assert_int_equal(stn_view_is_contiguous(&zeros), 1);
    assert_int_equal(stn_view_layout(&zeros), STN_LAYOUT_RIGHT);
    assert_int_equal(stn_view_equal(&zeros, &empty), 1);
}

UNIT_TEST(scales_of_negative_values)
{
    double memory[N] = {-2.0};
    uint8_t codes[N];
    stn_view to = wrap_view("quebec", stn_storage_of(STN_U8), codes, 1, extents);
    const stn_view from = wrap_view("from", f64(), memory, 1, extents);
    expect_error(stn_view_fit_scales(NULL, &to, &from, STN_SCALE_EXACT), STN_ERR_RANGE,
                 "stn_view_fit_scales: quebec (u8, 4): -2 is negative, but format u8 is unsigned");
}

/* ---- accessors ---- */

UNIT_TEST(accessors_of_other_views)
{
    static const char *const texts[] = {"layout morton", "scales that differ", "is atomic",
                                        "device memory"};
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    operands o;
    vector all;
    vector_const read;
    make_operands(&o);
    for (int k = 0; k < COUNT_OF(texts); k++) {
        stn_view view = wrap_layout("v", f64(), o.memory[0], k == 0 ? &morton : NULL, 1, extents);
        if (k == 1)
            set_zero_scale(&view);
        expect_ok(stn_view_set_traits(&view, k == 2 ? STN_TRAIT_ATOMIC : 0));
        if (k == 3)
            expect_ok(stn_view_set_space(&view, STN_SPACE_DEVICE));
        expect_error(vector_from_view(&all, &view), STN_ERR_UNSUPPORTED, texts[k]);
        expect_error(vector_const_from_view(&read, &view), STN_ERR_UNSUPPORTED, texts[k]);
        stn_view_release(&view);
    }
    expect_ok(stn_view_set_traits(&o.good[0], STN_TRAIT_RANDOM_ACCESS));
    expect_error(vector_from_view(&all, &o.good[0]), STN_ERR_ARGUMENT, "read-only");
    expect_ok(vector_const_from_view(&read, &o.good[0]));
}

/* ---- traits ---- */

UNIT_TEST(traits_of_operands)
{
    operands o;
    make_operands(&o);
    stn_view *x = &o.good[0], *y = &o.wrong[0];
    expect_ok(stn_view_set_traits(y, STN_TRAIT_RANDOM_ACCESS));
    assert_true(y->read_only);
    expect_error(stn_axpy(exec, STN_F64, 1.0, x, y), STN_ERR_ARGUMENT, "read-only");
    expect_error(stn_view_fill(NULL, y, 1.0), STN_ERR_ARGUMENT, "read-only");
    expect_ok(stn_axpy(exec, STN_F64, 1.0, y, x));
    expect_error(stn_axpy(exec, STN_F64, 1.0, x, &(stn_view){.size = 0}), STN_ERR_ARGUMENT,
                 "empty view");
    /* an atomic view becomes an ordinary one; STN_TRAIT_RESTRICT promises that nothing overlaps */
    stn_view next = wrap_view("next", f64(), o.memory[0] + 1, 1, extents);
    expect_ok(stn_view_set_traits(&next, STN_TRAIT_ATOMIC));
    expect_error(stn_view_fill(NULL, &next, 1.0), STN_ERR_UNSUPPORTED, "is atomic");
    expect_ok(stn_view_set_traits(&next, 0));
    expect_ok(stn_view_fill(NULL, &next, 1.0));
    assert_true(o.memory[0][0] == 0.0 && o.memory[0][1] == 1.0);
    expect_error(stn_axpy(exec, STN_F64, 1.0, x, &next), STN_ERR_ALIAS, "overlap");
    expect_error(stn_view_copy(exec, &next, x), STN_ERR_ALIAS, "overlap");
    expect_ok(stn_view_set_traits(&next, STN_TRAIT_RESTRICT));
    expect_ok(stn_axpy(exec, STN_F64, 0.0, x, &next));
    expect_ok(stn_view_set_traits(&next, 0));
    expect_error(stn_axpy(exec, STN_F64, 1.0, x, &next), STN_ERR_ALIAS, "overlap");
}

/* ---- types of elements ---- */

UNIT_TEST(complex_elements)
{
    const int64_t one[] = {1}, at[] = {0};
    stn_c128 number = {0, 0};
    double value;
    const stn_view x = wrap_view("v", stn_storage_of(STN_C128), &number, 1, one);
    expect_error(stn_view_get(&x, 1, at, &value), STN_ERR_UNSUPPORTED,
                 "stn_view_get: v (c128, 1): format c128");
    expect_error(stn_view_set(&x, 1, at, 1.0), STN_ERR_UNSUPPORTED,
                 "stn_view_set: v (c128, 1): format c128");
    expect_error(STN_VIEW_ATOMIC_ADD(&x, 1.0, 0), STN_ERR_UNSUPPORTED,
                 "stn_view_atomic_add: v (c128, 1): format");
    expect_error(stn_dot(exec, STN_F64, &value, &x, &x), STN_ERR_UNSUPPORTED,
                 "stn_dot: v (c128, 1): format");
    expect_error(stn_view_get(&x, 1, at, &number.re), STN_ERR_UNSUPPORTED, "stn_view_get: v (c128");
    expect_error(stn_view_get_complex(&x, 1, at, &number), STN_ERR_ALIAS,
                 "stn_view_get_complex: v (c128, 1): value points into its memory");
}

UNIT_TEST(codecs_without_a_scale)
{
    double value = 0.0;
    int8_t code = 0;
    stn_storage storage = stn_storage_of(STN_I8);
    storage.scale = 0.0;
    expect_error(stn_decode(STN_F64, &value, &storage, &code, 1, 1), STN_ERR_ARGUMENT,
                 "stn_decode: scale 0");
    expect_error(stn_encode(STN_F64, &storage, &code, 1, 0, &value, 1), STN_ERR_ARGUMENT,
                 "stn_encode: scale 0");
}

UNIT_TEST(zero_points_in_i64_arithmetic)
{
    static const struct {
        double zero;
        const char *text;
    } cases[] = {
        {0x1p63, "zero point 9.22337e+18; in i64 arithmetic it must be between -2^63 and 2^63"},
        {-0x1p63, "zero point -9.22337e+18; in i64 arithmetic it must be between"},
        {1e300, "zero point 1e+300; in i64 arithmetic it must be between"},
        {2.5, "zero point 2.5; in i64 arithmetic it must be an integer"},
        {0x1p51 + 0.5, "in i64 arithmetic it must be an integer"}};
    const int64_t one[] = {1};
    int64_t codes[1] = {0}, values[1] = {0};
    const stn_view y = wrap_view("y", stn_storage_of(STN_I64), values, 1, one);
    for (int k = 0; k < COUNT_OF(cases); k++) {
        stn_storage storage = stn_storage_of(STN_I64);
        storage.zero = cases[k].zero;
        const stn_view x = wrap_view("x", storage, codes, 1, one);
        expect_error(plus_run(exec, STN_I64, &x, &x, &y), STN_ERR_UNSUPPORTED, cases[k].text);
    }
}

/* ---- released handles ---- */

/* Also if another view has the memory of the owner by now. */
UNIT_TEST(released_handles)
{
    static const char message[] = "(f64, 4 x 4): its memory was released";
    double value;
    for (int round = 0; round < 200; round++) {
        stn_view v = create_view(NULL, "twice", f64(), NULL, 2, extents, 0), w = v, other = v, next;
        expect_ok(stn_view_release(&v));
        if (round % 2)
            next = create_view(NULL, "next", f64(), NULL, 2, extents, 0);
        expect_error(stn_view_share(&v, &w), STN_ERR_ARGUMENT, message);
        expect_error(STN_VIEW_GET(&w, &value, 0, 0), STN_ERR_ARGUMENT, "released");
        expect_error(stn_view_copy(NULL, &w, &other), STN_ERR_ARGUMENT, "released");
        assert_int_equal(stn_view_use_count(&w), 0);
        expect_error(stn_view_release(&w), STN_ERR_ARGUMENT, message);
        assert_int_equal(w.size, 0);
        if (round % 2) {
            assert_int_equal(stn_view_use_count(&next), 1);
            expect_ok(stn_view_release(&next));
        }
    }
}

/* ---- outputs over the arrays of a matrix ---- */

UNIT_TEST(outputs_over_the_indices_of_a_matrix)
{
    int64_t starts[] = {0, 1, 2, 2, 2, 2};
    int32_t columns[] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    double values[] = {1, 2}, x[] = {1, 1};
    const int64_t two[] = {2}, five[] = {5};
    stn_matrix *matrix;
    const stn_view vx = wrap_view("x", f64(), x, 1, two),
                   over_starts = wrap_view("y", stn_storage_of(STN_I64), starts, 1, five),
                   over_columns = wrap_view("y", f64(), columns, 1, five);
    expect_ok(wrap_csr(&matrix, "a", f64(), 5, 2, starts, columns, values));
    expect_error(stn_spmv(exec, STN_F64, 1, matrix, &vx, 0, &over_starts), STN_ERR_ALIAS,
                 "overlaps");
    expect_error(stn_spmv(exec, STN_F64, 1, matrix, &vx, 0, &over_columns), STN_ERR_ALIAS,
                 "overlaps");
    stn_matrix_release(matrix);
}

static _Alignas(64) double elements[64];
static const int64_t shape[] = {3, 4};

static stn_view wrapped(int rank)
{
    return wrap_view("oscar", f64(), elements, rank, shape);
}

/* ---- properties ---- */

UNIT_TEST(strides_and_scales_of_other_layouts)
{
    const stn_scales by_element = {.data = elements, .format = STN_F64};
    for (model_layout l = MODEL_TILED_RIGHT; l < MODEL_LAYOUTS; l++) {
        stn_view view = model_create(l, "tango", f64(), 2, shape);
        int64_t strides[2] = {7, 7}, leading = 7;
        int flag = 7;
        expect_refused(STN_ERR_UNSUPPORTED, "no strides", stn_view_stride(&view, 0, strides));
        expect_refused(STN_ERR_UNSUPPORTED, "no strides", stn_view_strides(&view, strides, 2));
        expect_refused(STN_ERR_UNSUPPORTED, "no strides",
                       stn_view_leading_dimension(&view, &leading, &flag));
        expect_refused(STN_ERR_UNSUPPORTED, "only strided views take scales that differ",
                       stn_view_set_scales(&view, &by_element));
        assert_true(strides[0] == 7 && leading == 7 && flag == 7);
        stn_view_release(&view);
    }
}

UNIT_TEST(members_of_scales)
{
    stn_view view = wrapped(2);
    const stn_scales good = {.data = elements,
                             .format = STN_F64,
                             .dimension = 1,
                             .block = 2,
                             .phase = 1,
                             .stride = {2, 1}};
    stn_scales bad;
#define BAD_SCALES(member, value, status, text)                                                    \
    bad = good;                                                                                    \
    bad.member = value;                                                                            \
    expect_refused(status, text, stn_view_set_scales(&view, &bad))
    BAD_SCALES(format, STN_F16, STN_ERR_FORMAT, "scales->format is f16; it must be f64 or f32");
    BAD_SCALES(data, (char *)elements + 1, STN_ERR_ARGUMENT, "not aligned");
    BAD_SCALES(dimension, 2, STN_ERR_ARGUMENT, "scales->dimension is 2, but");
    BAD_SCALES(dimension, -2, STN_ERR_ARGUMENT, "scales->dimension is -2, but");
    BAD_SCALES(block, 0, STN_ERR_ARGUMENT, "scales->block is 0");
    BAD_SCALES(phase, 2, STN_ERR_ARGUMENT, "scales->block is 2 and scales->phase 2");
    BAD_SCALES(stride[0], INT64_MAX / 2, STN_ERR_RANGE, "address space");
    assert_false(stn_view_has_scales(&view));
    expect_ok(stn_view_set_scales(&view, &good));
    expect_ok(stn_view_set_scales(&view, &(stn_scales){.data = NULL}));
    assert_int_equal(stn_view_is_lvalue(&view), 1);
}

/* K65, K72: data that is not aligned as promised, and fixed extents. */
UNIT_TEST(traits_and_fixed_extents)
{
    for (int k = 1; k < 8; k++) {
        stn_view view = wrap_view("papa", f64(), elements + k, 1, shape);
        expect_refused(STN_ERR_ARGUMENT, "papa (f64, 3): data at",
                       stn_view_set_traits(&view, STN_TRAIT_ALIGNED));
        assert_int_equal(view.traits, 0);
    }
    stn_view view = wrapped(1), to = wrapped(2);
    const stn_view other = wrap_view("papa", f64(), elements, 2, (const int64_t[]){3, 11});
    expect_ok(stn_view_set_traits(&view, STN_TRAIT_ALIGNED));
    expect_refused(STN_ERR_ARGUMENT, "traits 0x20 are unknown", stn_view_set_traits(&view, 32));
    assert_int_equal(view.traits, STN_TRAIT_ALIGNED);
    expect_ok(stn_view_fix_extents(&to, 2));
    expect_refused(STN_ERR_SHAPE,
                   "extent 1 of oscar (f64, 3 x 4) is fixed, and papa (f64, 3 x 11) has 11",
                   stn_view_assign(&to, &other));
    expect_refused(STN_ERR_SHAPE, "rank", stn_view_assign(&to, &view));
    expect_refused(STN_ERR_ARGUMENT, "dimensions is 0x4, but oscar (f64, 3 x 4) has rank 2",
                   stn_view_fix_extents(&to, 4));
    assert_int_equal(to.fixed, 2);
}

UNIT_TEST(spaces)
{
    stn_view view = wrapped(1);
    expect_refused(STN_ERR_ARGUMENT, "space 4", stn_view_set_space(&view, (stn_space)4));
    expect_refused(STN_ERR_ARGUMENT, "space -1", stn_view_set_space(&view, (stn_space)-1));
    assert_int_equal(view.space, STN_SPACE_HOST);
    view = create_view(NULL, "uniform", f64(), NULL, 1, shape, 0);
    expect_refused(STN_ERR_ARGUMENT, "uniform (f64, 3) owns memory that the library allocated",
                   stn_view_set_space(&view, STN_SPACE_DEVICE));
    stn_view_release(&view);
    assert_string_equal(stn_space_name((stn_space)9), "unknown space");
    for (int k = -1; k <= 4; k++)
        assert_int_equal(stn_space_accessible(NULL, (stn_space)k), k >= 0 && k < 3);
}

/* ---- elements ---- */

/* Device memory, at ranks 0 to 8, is not accessed in any build. */
UNIT_TEST(elements_in_device_memory)
{
    const int64_t indices[STN_MAX_RANK] = {0}, ones[STN_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int rank = 0; rank <= STN_MAX_RANK; rank++) {
        stn_view view = wrap_view("victor", f64(), (void *)(uintptr_t)4096, rank, ones);
        double value;
        void *address;
        int64_t offset;
        expect_ok(stn_view_set_space(&view, STN_SPACE_DEVICE));
        expect_refused(STN_ERR_UNSUPPORTED,
                       "device) is in device memory, which the host cannot access",
                       stn_view_get(&view, rank, indices, &value));
        expect_refused(STN_ERR_UNSUPPORTED, "victor", stn_view_set(&view, rank, indices, 1.0));
        expect_refused(STN_ERR_UNSUPPORTED, "victor",
                       stn_view_address(&view, rank, indices, &address));
        assert_int_equal(stn_view_is_lvalue(&view), 0);
        expect_ok(stn_view_offset(&view, rank, indices, &offset));
    }
}

UNIT_TEST(elements_of_other_types)
{
    stn_view view = wrapped(1);
    double value;
    void *address;
    const int64_t index = 1;
    stn_format opaque;
    elements[1] = 5.0;
    view.read_only = 1;
    expect_refused(STN_ERR_ARGUMENT, "oscar (f64, 3) is read-only",
                   stn_view_set(&view, 1, &index, 1.0));
    view.read_only = 0;
    expect_ok(stn_view_set_traits(&view, STN_TRAIT_RANDOM_ACCESS));
    expect_refused(STN_ERR_ARGUMENT, "read-only", stn_view_set(&view, 1, &index, 1.0));
    assert_true(VALUE_AT(&view, 1) == 5.0);
    expect_ok(stn_view_set_traits(&view, STN_TRAIT_ATOMIC));
    expect_refused(STN_ERR_UNSUPPORTED, "atomic", stn_view_address(&view, 1, &index, &address));
    assert_int_equal(stn_view_is_lvalue(&view), 0);
    expect_ok(stn_format_opaque(&opaque, 16, 8));
    view = wrap_view("opaque", stn_storage_of(opaque), elements, 1, shape);
    expect_refused(STN_ERR_UNSUPPORTED, "", stn_view_get(&view, 1, &index, &value));
    assert_true(elements[1] == 5.0);
}

RUN_UNIT_TESTS_ON(exec, "reference", "threads:threads=2")
