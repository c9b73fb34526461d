/* Reduced accessors of rank 3, every storage format with every arithmetic type: what they are,
 * reads, writes, and arithmetic on elements. The rows of the table of formats are met by
 * themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accessor_types.h"

#define REDUCED(real, name)                                                                        \
    STN_ACCESSOR(real##_##name, 3, stn_##real, stn_##name)                                         \
    CHECK_TYPE(real##_##name, 3, RIGHT, ALL, PLAIN, NO, , )
#define REDUCED_FLOAT(id, NAME, name, bits, ...) EXPANDED(REDUCED, CHECK_OTHER_##bits, name)
#define REDUCED_INTEGER(id, NAME, name, bits, ...)                                                 \
    REDUCED_FLOAT(id, NAME, name, bits, ) REDUCED(i64, name)
#define EXPANDED(item, real, name)           item(real, name)
#define REDUCED_COMPLEX(id, NAME, name, ...) REDUCED(c128, name) REDUCED(c64, name)

STN_FORMAT_TABLE(REDUCED_FLOAT, REDUCED_INTEGER, REDUCED_COMPLEX)

static check_scene open_dense(const check_type *type)
{
    return check_open(type, (const stn_size[]){2, 3, 4}, NULL, NULL, 1);
}

static check_scene open_padded(const check_type *type)
{
    return check_open(type, (const stn_size[]){2, 2, 3}, (const stn_size[]){12, 4, 1}, NULL, 2);
}

/* ---- what it is ---- */

static void test_shape(void **state)
{
    check_scene dense = open_dense(*state), padded = open_padded(*state);
    check_shape(&dense);
    assert_int_equal(dense.type->length(dense.x.bytes, 3), 1);
    assert_int_equal(dense.type->stride(dense.x.bytes, 0), 12);
    assert_int_equal(dense.type->stride(dense.x.bytes, 1), 4);
    assert_int_equal(dense.type->stride(dense.x.bytes, 2), 1);
    assert_int_equal(dense.type->count(dense.x.bytes), 24);
    check_shape(&padded);
    check_close(&dense);
    check_close(&padded);
}

static void test_data(void **state)
{
    check_scene scene = open_dense(*state);
    unsigned char *const data = scene.memory + scene.origin * scene.type->bytes;
    assert_ptr_equal(scene.type->data(scene.x.bytes), data);
    assert_ptr_equal(scene.type->address(scene.x.bytes, (const stn_size[]){1, 2, 3}),
                     data + 23 * scene.type->bytes);
    check_close(&scene);
}

/* ---- reads, which the const companion shares ---- */

static void test_read(void **state)
{
    check_scene dense = open_dense(*state), padded = open_padded(*state);
    check_gets(&dense);
    check_gets(&padded);
    check_close(&dense);
    check_close(&padded);
}

/* ---- writes ---- */

/* A number of the arithmetic type that every format has. */
static check_value small(const check_type *type, int re, int im)
{
    check_value value = {0};
    if (type->arithmetic == STN_F64)
        value.f64 = re;
    else if (type->arithmetic == STN_F32)
        value.f32 = (float)re;
    else if (type->arithmetic == STN_I64)
        value.i64 = re;
    else if (type->arithmetic == STN_C128)
        value.c128 = stn_c128_of(re, im);
    else
        value.c64 = stn_c64_of((float)re, (float)im);
    return value;
}

static void assert_same(const check_type *type, check_value a, check_value b)
{
    if (!check_same(type->arithmetic, a, b))
        fail_msg("%s", type->label);
}

static void check_exact_write(const check_scene *scene)
{
    const stn_size at[] = {1, 0, 2};
    const check_value five = small(scene->type, 5, 2);
    check_write(scene, at, five);
    assert_same(scene->type, scene->type->set(scene->x.bytes, at, five), five);
    assert_same(scene->type, scene->type->get(scene->x.bytes, at), five);
    check_memory(scene); /* nothing else has changed */
}

static void test_write(void **state)
{
    check_scene dense = open_dense(*state), padded = open_padded(*state);
    check_exact_write(&dense);
    check_exact_write(&padded);
    check_sets(&dense, 17);
    check_sets(&padded, 18);
    check_close(&dense);
    check_close(&padded);
}

static void test_element_to_element(void **state)
{
    check_scene scene = open_dense(*state);
    const check_type *const type = scene.type;
    const stn_size from[] = {1, 2, 3}, to[] = {0, 1, 1};
    const check_value six = small(type, 6, 1);
    type->set(scene.x.bytes, from, six);
    check_write(&scene, from, six);
    type->set(scene.x.bytes, to, type->get(scene.x.bytes, from));
    check_write(&scene, to, six);
    check_gets(&scene);
    check_close(&scene);
}

/* ---- arithmetic: on values read, and by the compound functions ---- */

#define OPERATION(member, real)                                                                    \
    {                                                                                              \
        result.member = which == CHECK_ADD        ? stn_##real##_add(a.member, b.member)           \
                        : which == CHECK_SUBTRACT ? stn_##real##_subtract(a.member, b.member)      \
                        : which == CHECK_MULTIPLY ? stn_##real##_multiply(a.member, b.member)      \
                                                  : stn_##real##_divide(a.member, b.member);       \
    }
#define REAL_OPERATION(member)                                                                     \
    {                                                                                              \
        result.member = which == CHECK_ADD        ? a.member + b.member                            \
                        : which == CHECK_SUBTRACT ? a.member - b.member                            \
                        : which == CHECK_MULTIPLY ? a.member * b.member                            \
                                                  : a.member / b.member;                           \
    }

static check_value operate(const check_type *type, int which, check_value a, check_value b)
{
    check_value result = {0};
    if (type->arithmetic == STN_F64)
        REAL_OPERATION(f64)
    else if (type->arithmetic == STN_F32)
        REAL_OPERATION(f32)
    else if (type->arithmetic == STN_I64)
        REAL_OPERATION(i64)
    else if (type->arithmetic == STN_C128)
        OPERATION(c128, c128)
    else
        OPERATION(c64, c64)
    return result;
}

/* The element becomes what a read, the operation and a write make of it. */
static void check_update(const check_scene *scene, int which, const stn_size *at, check_value b)
{
    const check_value result = operate(scene->type, which, check_read(scene, at), b);
    const check_value stored = check_write(scene, at, result);
    assert_same(scene->type, scene->type->update[which](scene->x.bytes, at, b), stored);
    check_memory(scene);
}

static void start(const check_scene *scene, const stn_size *at, int re, int im)
{
    const check_value value = small(scene->type, re, im);
    scene->type->set(scene->x.bytes, at, value);
    check_write(scene, at, value);
}

static void test_update_by_value(void **state)
{
    check_scene scene = open_dense(*state);
    const stn_size at[] = {1, 1, 1};
    for (int which = CHECK_ADD; which <= CHECK_DIVIDE; which++)
        for (int a = -7; a <= 7; a++)
            for (int b = -3; b <= 3; b += 2) {
                start(&scene, at, a, a % 3);
                check_update(&scene, which, at, small(scene.type, b, 2 - b));
            }
    check_close(&scene);
}

static void test_update_by_element(void **state)
{
    check_scene scene = open_dense(*state);
    const stn_size at[] = {0, 2, 1}, other[] = {1, 0, 3};
    for (int which = CHECK_ADD; which <= CHECK_DIVIDE; which++) {
        start(&scene, at, 6, 1);
        start(&scene, other, 3, -1);
        check_update(&scene, which, at, scene.type->get(scene.x.bytes, other));
        start(&scene, at, 6, 1);
        check_update(&scene, which, at, scene.type->get(scene.x.bytes, at)); /* by itself */
    }
    check_close(&scene);
}

/* What is computed from values read is not stored. */
static void test_operations_leave_elements(void **state)
{
    check_scene scene = open_dense(*state);
    const stn_size at[] = {0, 0, 0}, other[] = {1, 1, 2};
    start(&scene, at, 4, 0);
    start(&scene, other, 2, 0);
    const check_value a = scene.type->get(scene.x.bytes, at);
    const check_value b = scene.type->get(scene.x.bytes, other);
    assert_same(scene.type, operate(scene.type, CHECK_ADD, a, b), small(scene.type, 6, 0));
    assert_same(scene.type, operate(scene.type, CHECK_SUBTRACT, a, b), small(scene.type, 2, 0));
    assert_same(scene.type, operate(scene.type, CHECK_MULTIPLY, a, b), small(scene.type, 8, 0));
    assert_same(scene.type, operate(scene.type, CHECK_DIVIDE, a, b), small(scene.type, 2, 0));
    check_memory(&scene);
    check_close(&scene);
}

/* ---- sub-ranges, of the const companion too ---- */

static void test_sub(void **state)
{
    check_scene scene = open_padded(*state);
    const check_scene part =
        check_part(&scene, (const stn_span[]){stn_at(1), stn_span_of(0, 2), stn_span_of(1, 3)});
    check_all(&part, 3);
    check_gets(&scene);
    check_parts(&scene);
    check_close(&scene);
}

/* ---- a test of each kind for each pair ---- */

#define PAIR_TEST(test, pair) {#pair " " #test, test, NULL, NULL, (void *)(uintptr_t)&pair##_type},
#define PAIR_TESTS(real, name)                                                                     \
    PAIR_TEST(test_shape, real##_##name)                                                           \
    PAIR_TEST(test_data, real##_##name)                                                            \
    PAIR_TEST(test_read, real##_##name)                                                            \
    PAIR_TEST(test_write, real##_##name)                                                           \
    PAIR_TEST(test_element_to_element, real##_##name)                                              \
    PAIR_TEST(test_update_by_value, real##_##name)                                                 \
    PAIR_TEST(test_update_by_element, real##_##name)                                               \
    PAIR_TEST(test_operations_leave_elements, real##_##name)                                       \
    PAIR_TEST(test_sub, real##_##name)
#define FLOAT_TESTS(id, NAME, name, bits, ...) EXPANDED(PAIR_TESTS, CHECK_OTHER_##bits, name)
#define INTEGER_TESTS(id, NAME, name, bits, ...)                                                   \
    FLOAT_TESTS(id, NAME, name, bits, ) PAIR_TESTS(i64, name)
#define COMPLEX_TESTS(id, NAME, name, ...) PAIR_TESTS(c128, name) PAIR_TESTS(c64, name)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(FLOAT_TESTS, INTEGER_TESTS, COMPLEX_TESTS)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
