/* Scaled accessors of rank 3 with a scale per first and last index, of every real storage format in
 * f64 or f32, and in the other with zero points, of rank 2. The rows of the table of formats are
 * met by themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accessor_types.h"

#define SCALED(name, real, other) SCALED_(name, real, other)
#define SCALED_(name, real, other)                                                                 \
    STN_ACCESSOR_SCALED(scaled_##name, 3, stn_##real, stn_##name, 0x5)                             \
    CHECK_TYPE(scaled_##name, 3, RIGHT, ALL, SCALED, YES, stn_id_##real, 0)                        \
    STN_ACCESSOR_AFFINE(affine_##name, 2, stn_##other, stn_##name, 0x2)                            \
    CHECK_TYPE(affine_##name, 2, RIGHT, FEW, AFFINE, YES, stn_id_##other, 1)
#define SCALED_ROW(id, NAME, name, bits, ...) SCALED(name, CHECK_REAL_##bits, CHECK_OTHER_##bits)
#define NO_ROW(...)

STN_FORMAT_TABLE(SCALED_ROW, SCALED_ROW, NO_ROW)

static check_scene open_dense(const check_type *type)
{
    return check_open(type, (const stn_size[]){2, 3, 4}, NULL, NULL, 1);
}

/* Strides of elements and of scales that leave gaps. */
static check_scene open_padded(const check_type *type)
{
    static const stn_size extents[] = {2, 2, 3}, strides[] = {15, 5, 1},
                          scale_strides[] = {7, 0, 1};
    return check_open(type, extents, strides, scale_strides, 2);
}

static void test_shape(void **state)
{
    check_scene dense = open_dense(*state), padded = open_padded(*state);
    check_shape(&dense);
    assert_int_equal(dense.type->length(dense.x.bytes, 3), 1);
    assert_int_equal(dense.type->scale_stride(dense.x.bytes, 0), 4);
    assert_int_equal(dense.type->scale_stride(dense.x.bytes, 1), 0);
    assert_int_equal(dense.type->scale_stride(dense.x.bytes, 2), 1);
    assert_int_equal(dense.type->scale_stride(dense.x.bytes, 3), 0);
    assert_int_equal(dense.type->scale_count(dense.x.bytes), 8);
    assert_ptr_equal(dense.type->scales(dense.x.bytes), dense.scales);
    check_shape(&padded);
    assert_int_equal(padded.type->scale_stride(padded.x.bytes, 0), 7);
    check_close(&dense);
    check_close(&padded);
}

/* Reads, of the const companion too; writes change one element and no scale. */
static void test_elements(void **state)
{
    check_scene dense = open_dense(*state), padded = open_padded(*state);
    check_all(&dense, 10);
    check_all(&padded, 20);
    check_close(&dense);
    check_close(&padded);
}

static void test_scales(void **state)
{
    check_scene dense = open_dense(*state), padded = open_padded(*state);
    check_scales(&dense);
    check_scales(&padded);
    check_close(&dense);
    check_close(&padded);
}

static void test_sub(void **state)
{
    check_scene scene = open_padded(*state);
    const stn_span cut[] = {stn_at(1), stn_span_of(0, 2), stn_span_of(1, 3)};
    const stn_span again[] = {stn_all(), stn_at(1), stn_at(1)};
    const check_scene part = check_part(&scene, cut), of_part = check_part(&part, again);
    check_all(&part, 30);
    check_scales(&part);
    check_scales(&of_part);
    check_parts(&scene);
    check_gets(&scene);
    check_close(&scene);
}

/* ---- arithmetic ---- */

#define OPERATE(member)                                                                            \
    (which == CHECK_ADD        ? a.member + b.member                                               \
     : which == CHECK_SUBTRACT ? a.member - b.member                                               \
     : which == CHECK_MULTIPLY ? a.member * b.member                                               \
                               : a.member / b.member)

static check_value operate(const check_type *type, int which, check_value a, check_value b)
{
    check_value result = {0};
    if (type->arithmetic == STN_F64)
        result.f64 = OPERATE(f64);
    else
        result.f32 = OPERATE(f32);
    return result;
}

static void check_update(const check_scene *scene, int which, const stn_size *at, check_value b)
{
    const check_type *const type = scene->type;
    const check_value result = operate(type, which, check_read(scene, at), b);
    const check_value stored = check_write(scene, at, result);
    if (!check_same(type->arithmetic, type->update[which](scene->x.bytes, at, b), stored))
        fail_msg("%s: operation %d", type->label, which);
    check_memory(scene);
}

/* By a value, by another element and by itself, with scales of both signs. */
static void test_updates(void **state)
{
    check_scene scene = open_dense(*state);
    const check_type *const type = scene.type;
    const stn_size other[] = {1, 2, 3};
    for (int which = CHECK_ADD; which <= CHECK_DIVIDE; which++)
        for (stn_size k = 0; k < 23; k++) {
            stn_size at[3];
            check_value by = {0}, start = {0};
            check_index(3, scene.extent, k, at);
            const check_value scale = type->scale(scene.x.bytes, other);
            if (type->arithmetic == STN_F64)
                start.f64 = 3.0 * scale.f64, by.f64 = 1.0 - (double)k;
            else
                start.f32 = 3.0f * scale.f32, by.f32 = 1.0f - (float)k;
            type->set(scene.x.bytes, other, start);
            check_write(&scene, other, start);
            type->set(scene.x.bytes, at, start);
            check_write(&scene, at, start);
            if (k != 1)
                check_update(&scene, which, at, by);
            check_update(&scene, which, at, type->get(scene.x.bytes, other));
        }
    check_close(&scene);
}

/* ---- zero points ---- */

static void test_zero_points(void **state)
{
    check_scene dense = check_open(*state, (const stn_size[]){3, 40}, NULL, NULL, 3);
    check_scene padded = check_open(*state, (const stn_size[]){4, 5}, (const stn_size[]){9, 1},
                                    (const stn_size[]){1, 0}, 4);
    check_all(&dense, 40);
    check_scales(&dense);
    check_all(&padded, 41);
    check_parts(&padded);
    check_close(&dense);
    check_close(&padded);
}

#define TYPE_TEST(test, name) {#name " " #test, test, NULL, NULL, (void *)(uintptr_t)&name##_type},
#define TEST_ROW(id, NAME, name, ...)                                                              \
    TYPE_TEST(test_shape, scaled_##name)                                                           \
    TYPE_TEST(test_elements, scaled_##name)                                                        \
    TYPE_TEST(test_scales, scaled_##name)                                                          \
    TYPE_TEST(test_sub, scaled_##name)                                                             \
    TYPE_TEST(test_updates, scaled_##name)                                                         \
    TYPE_TEST(test_zero_points, affine_##name)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(TEST_ROW, TEST_ROW, NO_ROW)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
