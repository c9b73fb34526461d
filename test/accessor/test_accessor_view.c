/* Accessors from views: the views that become an accessor of a type, which then reads and writes
 * the same values as the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "accessor_view_types.h"
#include "oracle.h"

/* ---- values of elements ---- */

static int fill_codes(void **context)
{
    (void)context;
    for (int k = 0; k < 64; k++)
        codes[k] = oracle_random(5, (uint64_t)k);
    return 0;
}

static const char *element_of(const stn_view *view, const stn_size *index)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_size offset = 0;
    for (int d = 0; d < view->rank; d++)
        offset += index[d] * view->stride[d];
    assert_int_equal(stn_format_describe(view->storage.format, &info), STN_OK);
    return (const char *)view->data + offset * info.bytes;
}

/* The parts of a value, as doubles; integers up to 2^53 only. */
typedef struct value {
    double part[2];
} value;

static value value_of_f64(double x)
{
    return (value){{x, 0.0}};
}
static value value_of_f32(float x)
{
    return (value){{(double)x, 0.0}};
}
static value value_of_i64(int64_t x)
{
    return (value){{(double)x, 0.0}};
}
static value value_of_c128(stn_c128 x)
{
    return (value){{x.re, x.im}};
}
#define VALUE_OF(x)                                                                                \
    _Generic(x, double                                                                             \
             : value_of_f64, float                                                                 \
             : value_of_f32, int64_t                                                               \
             : value_of_i64, stn_c128                                                              \
             : value_of_c128)(x)

static void expect_same(const char *type, value got, value wanted)
{
    for (int p = 0; p < 2; p++)
        if (got.part[p] != got.part[p]
                ? wanted.part[p] == wanted.part[p]
                : stn_bits_of_f64(got.part[p]) != stn_bits_of_f64(wanted.part[p]))
            fail_msg("%s reads %.17g, stn_decode %.17g", type, got.part[p], wanted.part[p]);
}

/* ---- what is checked of a type ---- */

#define ACCEPT(name, x, view)                                                                      \
    if (name##_from_view(x, view) != STN_OK)                                                       \
    fail_msg("%s", stn_error())

/* NAME_equals: every element reads as stn_decode reads it. */
#define EQUALS(name)                                                                               \
    static void name##_equals(name x, const stn_view *view)                                        \
    {                                                                                              \
        name##_real wanted;                                                                        \
        assert_ptr_equal(name##_data(x), view->data);                                              \
        for (int d = 0; d < name##_rank; d++)                                                      \
            assert_int_equal(name##_length(x, d), view->extent[d]);                                \
        for (stn_size i = 0; i < view->extent[0] && view->extent[1] > 0; i++)                      \
            for (stn_size j = 0; j < view->extent[1]; j++) {                                       \
                const stn_size index[] = {i, j};                                                   \
                if (stn_decode(name##_arithmetic, &wanted, &view->storage,                         \
                               element_of(view, index), 1, 1) != STN_OK)                           \
                    fail_msg("%s", stn_error());                                                   \
                expect_same(#name, VALUE_OF(name##_get(x, i, j)), VALUE_OF(wanted));               \
            }                                                                                      \
    }

/* NAME_reads: so do an accessor from a view, and the companion's. */
#define READS(name)                                                                                \
    EQUALS(name)                                                                                   \
    EQUALS(name##_const)                                                                           \
    static name name##_reads(const stn_view *view)                                                 \
    {                                                                                              \
        name x;                                                                                    \
        name##_const y;                                                                            \
        memset(&x, 0xa5, sizeof x);                                                                \
        memset(&y, 0x5a, sizeof y);                                                                \
        ACCEPT(name, &x, view);                                                                    \
        ACCEPT(name##_const, &y, view);                                                            \
        name##_equals(x, view);                                                                    \
        name##_const_equals(y, view);                                                              \
        return x;                                                                                  \
    }

/* NAME_writes: what the accessor stores equals what stn_encode stores. */
static const double written[] = {0.0,  1.0,  -1.0,  0.3, -0.7,  2.49, 1e9,
                                 -1e9, 77.7, 12.25, 3.5, -5.75, 1e-9, 100.0};
#define WRITES(name)                                                                               \
    READS(name)                                                                                    \
    static name name##_writes(const stn_view *view)                                                \
    {                                                                                              \
        enum { COUNT = sizeof written / sizeof *written };                                         \
        const name x = name##_reads(view);                                                         \
        name##_real values[COUNT];                                                                 \
        stn_u64 wanted[16];                                                                        \
        memcpy(wanted, codes, sizeof wanted);                                                      \
        for (int k = 0; k < COUNT; k++)                                                            \
            values[k] = (name##_real)written[k];                                                   \
        if (stn_encode(name##_arithmetic, &view->storage, wanted, 1, 0, values, COUNT) != STN_OK)  \
            fail_msg("%s", stn_error());                                                           \
        name##_store(x, 0, 0, COUNT, values);                                                      \
        assert_memory_equal(codes, wanted, sizeof wanted);                                         \
        return x;                                                                                  \
    }

READS(left)
READS(strided)
READS(fixed)
READS(whole)
READS(pairs)
WRITES(right)
WRITES(small)
WRITES(scaled)
WRITES(affine)
WRITES(wide_scale)
WRITES(chance)
WRITES(cut)
WRITES(saturating)
WRITES(integers)

/* ---- layouts ---- */

static void test_right(void **context)
{
    (void)context;
    const stn_view dense = matrix(stn_storage_of(STN_F32)), apart = strided_matrix(STN_F32, 9, 1);
    stn_view back = strided_matrix(STN_F32, -8, 1);
    back.data = (float *)codes + 40;
    right_reads(&dense);
    right_reads(&back);
    assert_int_equal(right_stride(right_reads(&apart), 0), 9);
}

static void test_other_layouts(void **context)
{
    (void)context;
    const stn_view f16 = strided_matrix(STN_F16, 1, ROWS), i16 = strided_matrix(STN_I16, 2, 17),
                   same = strided_matrix(STN_I16, 0, 0), f64 = strided_matrix(STN_F64, 4, 1);
    left_reads(&f16);
    strided_reads(&i16);
    strided_reads(&same);
    fixed_reads(&f64);
}

static void test_blocked(void **context)
{
    (void)context;
    const stn_size extents[] = {3, 4, 2}, strides[] = {10, 1, 5};
    const stn_view view = view_of(stn_storage_of(STN_BF16), 3, extents, strides);
    double values[24], wanted;
    blocked x;
    ACCEPT(blocked, &x, &view);
    blocked_load(x, 0, 0, 0, 24, values);
    for (stn_size k = 0; k < 24; k++) {
        const stn_size index[] = {k / 8, k / 2 % 4, k % 2};
        const char *code = element_of(&view, index);
        assert_int_equal(stn_decode(STN_F64, &wanted, &view.storage, code, 1, 1), STN_OK);
        expect_same("blocked_load", value_of_f64(values[k]), value_of_f64(wanted));
        expect_same("blocked", value_of_f64(blocked_get(x, index[0], index[1], index[2])),
                    value_of_f64(wanted));
    }
}

static void test_other_values(void **context)
{
    (void)context;
    const stn_view u16 = matrix(stn_storage_of(STN_U16)), c32 = matrix(stn_storage_of(STN_C32));
    whole_reads(&u16);
    pairs_reads(&c32);
}

/* Strides that no index is multiplied by may be any. */
static void test_idle_strides(void **context)
{
    (void)context;
    const stn_size column[] = {ROWS, 1}, empty[] = {0, 7}, huge[] = {INT64_MAX, 0};
    const stn_view thin = view_of(stn_storage_of(STN_F32), 2, column, (const int64_t[]){2, -77});
    const stn_view none = view_of(stn_storage_of(STN_F32), 2, empty, (const int64_t[]){0, 5});
    stn_view vast = view_of(stn_storage_of(STN_F32), 2, huge, NULL);
    vast.data = NULL;
    const right x = right_reads(&thin);
    assert_int_equal(right_stride(x, 1), 1);
    assert_int_equal(x.stn_stride[1], 1);
    assert_int_equal(right_count(right_reads(&none)), 0);
    assert_int_equal(right_count(right_reads(&vast)), 0);
}

/* 32-bit offsets, in both directions up to the last one that fits. */
static void test_32_bits(void **context)
{
    (void)context;
    static float two[2] = {1.5f, 2.5f};
    const int64_t most = INT32_MAX, many = (int64_t)1 << 31;
    const int64_t pair[] = {2, 1}, repeated[] = {1, many}, empty[] = {2, 0};
    const int64_t back[] = {-1, many}, ahead[] = {most, many}, none[] = {many, 0};
    const stn_view distant = view_of(stn_storage_of(STN_F32), 2, pair, ahead);
    const stn_view wide = view_of(stn_storage_of(STN_F32), 2, repeated, none);
    const stn_view no_elements = view_of(stn_storage_of(STN_F32), 2, empty, none);
    stn_view view = view_of(stn_storage_of(STN_F32), 2, pair, back);
    near x;
    view.data = two + 1;
    ACCEPT(near, &x, &view);
    assert_true(near_get(x, 0, 0) == 2.5 && near_get(x, 1, 0) == 1.5);
    ACCEPT(near, &x, &distant);
    ACCEPT(near, &x, &no_elements);
    ACCEPT(near, &x, &wide);
    assert_int_equal(near_length(x, 1), many);
}

/* ---- scales, zero points and rules ---- */

static void test_scaled(void **context)
{
    (void)context;
    stn_storage storage = stn_storage_of(STN_I8);
    storage.scale = 0.3;
    stn_view view = matrix(storage);
    const scaled x = scaled_writes(&view),
                 made = scaled_make((int8_t *)codes, shape, NULL, &view.storage.scale, NULL);
    assert_memory_equal(&x, &made, sizeof x);
    assert_ptr_equal(scaled_scales(x), &view.storage.scale);
    assert_int_equal(scaled_scale_count(x), 1);
    assert_true(scaled_scale(x, 4, 2) == 0.3);
    view.storage.scale = 2.0; /* the one scale of both */
    scaled_equals(x, &view);
    scaled_set_scale(x, 1, 1, -0.5);
    assert_true(view.storage.scale == -0.5);
    scaled_equals(x, &view);
}

static void test_affine(void **context)
{
    (void)context;
    stn_storage storage = stn_storage_of(STN_U8);
    storage.scale = 0.7;
    storage.zero = 100.5;
    stn_view view = matrix(storage);
    const affine x = affine_writes(&view);
    view.storage.zero = -3.0;
    affine_equals(x, &view);
}

static void test_scale_in_f32(void **context)
{
    (void)context;
    stn_storage storage = stn_storage_of(STN_I8);
    storage.scale = 0.1;
    const stn_view view = matrix(storage);
    wide_scale_writes(&view);
}

static void test_rules(void **context)
{
    (void)context;
    stn_storage storage = stn_storage_of(STN_F16);
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.seed = 0x123456789abcdef;
    const stn_view random = matrix(storage);
    const chance x = chance_writes(&random),
                 made = chance_make((stn_f16 *)codes, shape, NULL, storage.seed);
    assert_memory_equal(&x, &made, sizeof x);
    storage.rounding = STN_ROUND_TOWARD_ZERO;
    storage.overflow = STN_OVERFLOW_SATURATE;
    const stn_view toward_zero = matrix(storage);
    cut_writes(&toward_zero);
}

static stn_view matrix_with(stn_format format, stn_overflow overflow)
{
    stn_storage storage = stn_storage_of(format);
    storage.overflow = overflow;
    return matrix(storage);
}

/* The default is the format's own rule, by whichever name; integers have no other. */
static void test_habits(void **context)
{
    (void)context;
    const stn_view e4m3 = matrix_with(STN_E4M3, STN_OVERFLOW_DEFAULT);
    const stn_view kept = matrix_with(STN_E4M3, STN_OVERFLOW_SATURATE);
    const stn_view f32 = matrix_with(STN_F32, STN_OVERFLOW_INFINITY);
    const stn_view c32 = matrix_with(STN_C32, STN_OVERFLOW_INFINITY);
    const stn_view i8 = matrix_with(STN_I8, STN_OVERFLOW_INFINITY);
    saturating_writes(&e4m3);
    saturating_writes(&kept);
    small_writes(&e4m3);
    small_writes(&kept);
    right_writes(&f32);
    pairs_reads(&c32);
    integers_writes(&i8);
}

/* What only matters for storing does not keep anyone from reading. */
static void test_read_only(void **context)
{
    (void)context;
    stn_counters counters = {0};
    stn_storage storage = stn_storage_of(STN_F32);
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.overflow = STN_OVERFLOW_NAN;
    storage.counters = &counters;
    stn_view view;
    right_const x;
    assert_int_equal(stn_view_wrap_const(&view, "golf", storage, codes, 2, shape), STN_OK);
    ACCEPT(right_const, &x, &view);
    right_const_equals(x, &view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_right, fill_codes),
        cmocka_unit_test_setup(test_other_layouts, fill_codes),
        cmocka_unit_test_setup(test_blocked, fill_codes),
        cmocka_unit_test_setup(test_other_values, fill_codes),
        cmocka_unit_test_setup(test_idle_strides, fill_codes),
        cmocka_unit_test_setup(test_32_bits, fill_codes),
        cmocka_unit_test_setup(test_scaled, fill_codes),
        cmocka_unit_test_setup(test_affine, fill_codes),
        cmocka_unit_test_setup(test_scale_in_f32, fill_codes),
        cmocka_unit_test_setup(test_rules, fill_codes),
        cmocka_unit_test_setup(test_habits, fill_codes),
        cmocka_unit_test_setup(test_read_only, fill_codes),
    };
    return cmocka_run_group_tests_name("accessor_view", tests, NULL, NULL);
}
