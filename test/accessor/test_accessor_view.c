/* Accessors from views: the views that match an accessor type. The accessor reads and writes the
 * same values as the library. */
#include <stdio.h>
#include <string.h>

#include "accessor_view_types.h"

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
    expect_ok(stn_format_describe(view->storage.format, &info));
    return (const char *)view->data + offset * info.bytes;
}

/* The value at this index is the one that stn_decode reads. */
static void expect_decoded(const char *type, int arithmetic, const void *value,
                           const stn_view *view, const stn_size *index)
{
    stn_c128 decoded;
    expect_ok(stn_decode(arithmetic, &decoded, &view->storage, element_of(view, index), 1, 1));
    if (!check_same(check_value_at(arithmetic, value, 0), check_value_at(arithmetic, &decoded, 0)))
        fail_msg("%s reads another value than stn_decode", type);
}

/* ---- checks of a type ---- */

/* NAME_equals: every element has the value that stn_decode reads. */
#define EQUALS(name)                                                                               \
    static void name##_equals(name x, const stn_view *view)                                        \
    {                                                                                              \
        assert_ptr_equal(name##_data(x), view->data);                                              \
        for (int d = 0; d < name##_rank; d++)                                                      \
            assert_int_equal(name##_length(x, d), view->extent[d]);                                \
        for (stn_size i = 0; i < view->extent[0] && view->extent[1] > 0; i++)                      \
            for (stn_size j = 0; j < view->extent[1]; j++) {                                       \
                const name##_real value = name##_get(x, i, j);                                     \
                expect_decoded(#name, name##_arithmetic, &value, view, (const stn_size[]){i, j});  \
            }                                                                                      \
    }

/* NAME_reads: so have those of an accessor from a view, and of its companion. */
#define READS(name)                                                                                \
    EQUALS(name)                                                                                   \
    EQUALS(name##_const)                                                                           \
    static name name##_reads(const stn_view view)                                                  \
    {                                                                                              \
        name x;                                                                                    \
        name##_const y;                                                                            \
        memset(&x, 0xa5, sizeof x);                                                                \
        memset(&y, 0x5a, sizeof y);                                                                \
        expect_ok(name##_from_view(&x, &view));                                                    \
        expect_ok(name##_const_from_view(&y, &view));                                              \
        name##_equals(x, &view);                                                                   \
        name##_const_equals(y, &view);                                                             \
        return x;                                                                                  \
    }

/* NAME_writes: the accessor stores what stn_encode stores. */
static const double written[] = {0.0,  1.0,  -1.0,  0.3, -0.7,  2.49, 1e9,
                                 -1e9, 77.7, 12.25, 3.5, -5.75, 1e-9, 100.0};
#define WRITES(name)                                                                               \
    READS(name)                                                                                    \
    static void name##_writes(const stn_view view)                                                 \
    {                                                                                              \
        enum { COUNT = sizeof written / sizeof *written };                                         \
        name x;                                                                                    \
        name##_real values[COUNT];                                                                 \
        stn_u64 expected[16];                                                                      \
        name##_reads(view);                                                                        \
        expect_ok(name##_from_view(&x, &view));                                                    \
        memcpy(expected, codes, sizeof expected);                                                  \
        for (int k = 0; k < COUNT; k++)                                                            \
            values[k] = (name##_real)written[k];                                                   \
        expect_ok(stn_encode(name##_arithmetic, &view.storage, expected, 1, 0, values, COUNT));    \
        name##_store(x, 0, 0, COUNT, values);                                                      \
        assert_memory_equal(codes, expected, sizeof expected);                                     \
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

static stn_view plain(stn_format format)
{
    return matrix(stn_storage_of(format));
}

static stn_view f32_matrix(int64_t rows, int64_t columns, int64_t stride0, int64_t stride1)
{
    return view_of(stn_storage_of(STN_F32), 2, (const int64_t[]){rows, columns},
                   (const int64_t[]){stride0, stride1});
}

static void test_layouts(void **context)
{
    (void)context;
    stn_view back = strided_matrix(STN_F32, -8, 1);
    back.data = (float *)codes + 40;
    right_reads(plain(STN_F32));
    right_reads(back);
    assert_int_equal(right_stride(right_reads(strided_matrix(STN_F32, 9, 1)), 0), 9);
    left_reads(strided_matrix(STN_F16, 1, ROWS));
    strided_reads(strided_matrix(STN_I16, 2, 17));
    strided_reads(strided_matrix(STN_I16, 0, 0));
    fixed_reads(strided_matrix(STN_F64, 4, 1));
    whole_reads(plain(STN_U16));
    pairs_reads(plain(STN_C32));
}

static void test_blocked(void **context)
{
    (void)context;
    const stn_size extents[] = {3, 4, 2}, strides[] = {10, 1, 5};
    const stn_view view = view_of(stn_storage_of(STN_BF16), 3, extents, strides);
    double values[24];
    blocked x;
    expect_ok(blocked_from_view(&x, &view));
    blocked_load(x, 0, 0, 0, 24, values);
    for (stn_size k = 0; k < 24; k++) {
        const stn_size index[] = {k / 8, k / 2 % 4, k % 2};
        const double value = blocked_get(x, index[0], index[1], index[2]);
        expect_decoded("blocked_load", STN_F64, values + k, &view, index);
        expect_decoded("blocked", STN_F64, &value, &view, index);
    }
}

/* Strides that no index is multiplied by may have any value. */
static void test_unused_strides(void **context)
{
    (void)context;
    stn_view vast = view_of(stn_storage_of(STN_F32), 2, (const int64_t[]){INT64_MAX, 0}, NULL);
    vast.data = NULL;
    const right x = right_reads(f32_matrix(ROWS, 1, 2, -77));
    assert_int_equal(right_stride(x, 1), 1);
    assert_int_equal(x.stn_stride[1], 1);
    assert_int_equal(right_count(right_reads(f32_matrix(0, 7, 0, 5))), 0);
    assert_int_equal(right_count(right_reads(vast)), 0);
}

/* 32-bit offsets in both directions, up to the last one that fits. */
static void test_32_bits(void **context)
{
    (void)context;
    static float two[2] = {1.5f, 2.5f};
    const int64_t many = (int64_t)1 << 31;
    const stn_view far[] = {f32_matrix(2, 1, INT32_MAX, many), f32_matrix(2, 0, many, 0),
                            f32_matrix(1, many, many, 0)};
    stn_view view = f32_matrix(2, 1, -1, many);
    near x;
    view.data = two + 1;
    expect_ok(near_from_view(&x, &view));
    assert_true(near_get(x, 0, 0) == 2.5 && near_get(x, 1, 0) == 1.5);
    for (int k = 0; k < 3; k++)
        expect_ok(near_from_view(&x, &far[k]));
    assert_int_equal(near_length(x, 1), many);
}

/* ---- scales, zero points and rules ---- */

static stn_view affine_matrix(stn_format format, double scale, double zero)
{
    stn_storage storage = stn_storage_of(format);
    storage.scale = scale;
    storage.zero = zero;
    return matrix(storage);
}

/* The accessor and the view share scale and zero point. */
static void test_one_scale(void **context)
{
    (void)context;
    stn_view i8 = affine_matrix(STN_I8, 0.3, 0.0), u8 = affine_matrix(STN_U8, 0.7, 100.5);
    const scaled made = scaled_make((int8_t *)codes, shape, NULL, &i8.storage.scale, NULL);
    scaled x;
    affine y;
    scaled_writes(i8);
    affine_writes(u8);
    wide_scale_writes(affine_matrix(STN_I8, 0.1, 0.0));
    expect_ok(scaled_from_view(&x, &i8));
    assert_memory_equal(&x, &made, sizeof x);
    assert_ptr_equal(scaled_scales(x), &i8.storage.scale);
    assert_int_equal(scaled_scale_count(x), 1);
    assert_true(scaled_scale(x, 4, 2) == 0.3);
    i8.storage.scale = 2.0;
    scaled_equals(x, &i8);
    scaled_set_scale(x, 1, 1, -0.5);
    assert_true(i8.storage.scale == -0.5);
    scaled_equals(x, &i8);
    expect_ok(affine_from_view(&y, &u8));
    u8.storage.zero = -3.0;
    affine_equals(y, &u8);
}

static stn_view ruled_matrix(stn_format format, stn_rounding rounding, stn_overflow overflow)
{
    stn_storage storage = stn_storage_of(format);
    storage.rounding = rounding;
    storage.overflow = overflow;
    storage.seed = 0x123456789abcdef;
    return matrix(storage);
}

/* The default overflow rule is the format's, by either name; integers have no other. */
static void test_rules(void **context)
{
    (void)context;
    stn_counters counters = {0};
    stn_storage storage = stn_storage_of(STN_F32);
    const stn_view random = ruled_matrix(STN_F16, STN_ROUND_STOCHASTIC, STN_OVERFLOW_DEFAULT);
    const chance made = chance_make((stn_f16 *)codes, shape, NULL, random.storage.seed);
    stn_view view;
    chance x;
    right_const y;
    chance_writes(random);
    expect_ok(chance_from_view(&x, &random));
    assert_memory_equal(&x, &made, sizeof x);
    cut_writes(ruled_matrix(STN_F16, STN_ROUND_TOWARD_ZERO, STN_OVERFLOW_SATURATE));
    for (int k = 0; k < 2; k++) {
        const stn_overflow overflow = k ? STN_OVERFLOW_SATURATE : STN_OVERFLOW_DEFAULT;
        saturating_writes(ruled_matrix(STN_E4M3, STN_ROUND_NEAREST, overflow));
        small_writes(ruled_matrix(STN_E4M3, STN_ROUND_NEAREST, overflow));
    }
    right_writes(ruled_matrix(STN_F32, STN_ROUND_NEAREST, STN_OVERFLOW_INFINITY));
    pairs_reads(ruled_matrix(STN_C32, STN_ROUND_NEAREST, STN_OVERFLOW_INFINITY));
    integers_writes(ruled_matrix(STN_I8, STN_ROUND_NEAREST, STN_OVERFLOW_INFINITY));
    /* rules of storing do not matter to reads */
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.overflow = STN_OVERFLOW_NAN;
    storage.counters = &counters;
    expect_ok(stn_view_wrap_const(&view, "golf", storage, codes, 2, shape));
    expect_ok(right_const_from_view(&y, &view));
    right_const_equals(y, &view);
}

/* ---- scales that indices select ---- */

enum { WIDTH = 12 };

static stn_view scaled_matrix(int32_t dimension, int64_t block, int64_t row, int64_t column)
{
    static double scales[2 * ROWS * WIDTH];
    const stn_scales given = {.data = scales,
                              .format = STN_F64,
                              .dimension = dimension,
                              .block = block,
                              .stride = {row, column}};
    stn_view view = view_of(stn_storage_of(STN_I8), 2, (const int64_t[]){ROWS, WIDTH}, NULL);
    for (int k = 0; k < 2 * ROWS * WIDTH; k++)
        scales[k] = 0.1 + 0.3 * k;
    expect_ok(stn_view_set_scales(&view, &given));
    return view;
}

/* Elements are those of the view, read and stored. */
#define SAME_ELEMENTS(name, scaled_view)                                                           \
    {                                                                                              \
        const stn_view view = scaled_view;                                                         \
        name x;                                                                                    \
        expect_ok(name##_from_view(&x, &view));                                                    \
        for (int64_t i = 0; i < view.extent[0]; i++)                                               \
            for (int64_t j = 0; j < view.extent[1]; j++) {                                         \
                double value, stored;                                                              \
                expect_ok(STN_VIEW_GET(&view, &value, i, j));                                      \
                assert_true(name##_get(x, i, j) == value);                                         \
                expect_ok(STN_VIEW_SET(&view, 3.7, i, j));                                         \
                expect_ok(STN_VIEW_GET(&view, &stored, i, j));                                     \
                name##_set(x, i, j, -3.7);                                                         \
                assert_true(name##_get(x, i, j) == -stored);                                       \
                expect_ok(STN_VIEW_SET(&view, value, i, j));                                       \
            }                                                                                      \
    }

static void test_selected_scales(void **context)
{
    (void)context;
    const stn_slice odd[] = {stn_slice_strided(1, 2, 2), stn_slice_range(3, 10)};
    const stn_view blocks = scaled_matrix(1, 4, 3, 1);
    stn_view part;
    stn_scales found;
    SAME_ELEMENTS(by_row, scaled_matrix(-1, 1, 1, 0))
    SAME_ELEMENTS(by_column, scaled_matrix(-1, 1, 0, 1))
    SAME_ELEMENTS(by_element, scaled_matrix(-1, 1, WIDTH, 1))
    SAME_ELEMENTS(by_element, scaled_matrix(-1, 1, WIDTH + 3, 1))
    SAME_ELEMENTS(by_block, blocks)
    expect_ok(stn_view_slice(&part, &blocks, 2, odd)); /* begins inside a block */
    expect_ok(stn_view_scales(&part, &found));
    assert_int_equal(found.phase, 3);
    SAME_ELEMENTS(by_block, part)
}

#define TEST(test) cmocka_unit_test_setup(test, fill_codes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_layouts),   TEST(test_blocked), TEST(test_unused_strides), TEST(test_32_bits),
        TEST(test_one_scale), TEST(test_rules),   TEST(test_selected_scales)};
    return cmocka_run_group_tests_name("accessor_view", tests, NULL, NULL);
}
