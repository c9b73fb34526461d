/* A test program: every format with every arithmetic type that goes with it, in the layout
 * MATRIX_LAYOUT, which the file that includes this defines. Rows of the table of formats are met by
 * themselves. The rank goes by the arithmetic, MATRIX_RANK_f64 and so on, other ranks in other
 * layouts: how a format is read has nothing to do with it. All ranks: test_accessor_ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accessor_types.h"

/* ---- the types ---- */

#define MATRIX_TYPE(rank, real, name) MATRIX_TYPE_(rank, real, name, MATRIX_LAYOUT, MATRIX_ACCESSOR)
#define MATRIX_TYPE_(rank, real, name, layout, accessor)                                           \
    MATRIX_TYPE__(rank, real, name, layout, accessor)
#define MATRIX_TYPE__(rank, real, name, layout, accessor)                                          \
    accessor(real##_##name, rank, stn_##real, stn_##name)                                          \
        CHECK_TYPE(real##_##name, rank, layout, FEW, PLAIN, NO, , )
#define MATRIX_TYPES(real, name) MATRIX_TYPE(MATRIX_RANK_##real, real, name)

#define FLOAT_TYPES(id, NAME, name, ...)   MATRIX_TYPES(f64, name) MATRIX_TYPES(f32, name)
#define INTEGER_TYPES(id, NAME, name, ...) FLOAT_TYPES(id, NAME, name, ) MATRIX_TYPES(i64, name)
#define COMPLEX_TYPES(id, NAME, name, ...) MATRIX_TYPES(c128, name) MATRIX_TYPES(c64, name)

STN_FORMAT_TABLE(FLOAT_TYPES, INTEGER_TYPES, COMPLEX_TYPES)

/* ---- the tests ---- */

static const stn_size shapes[][3] = {{2, 3, 4}, {5, 1, 7}, {1, 1, 1}, {3, 6, 1}, {4, 2, 35}};
enum { SHAPES = sizeof shapes / sizeof *shapes, GAPS = 3 };

static check_scene open_shape(const check_type *type, int shape, int gap)
{
    const stn_size *const extent = shapes[shape] + 3 - type->rank;
    stn_size stride[8];
    check_strides(type->layout, type->rank, extent, gap, stride);
    return check_open(type, extent, gap ? stride : NULL, NULL, (uint64_t)(10 * shape + gap));
}

static void test_whole(void **state)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int gap = 0; gap < GAPS; gap++) {
            check_scene scene = open_shape(*state, shape, gap);
            check_all(&scene, (uint64_t)(100 * shape));
            check_close(&scene);
        }
}

static void test_parts(void **state)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        check_scene whole = open_shape(*state, shape, shape % GAPS);
        check_parts(&whole);
        check_close(&whole);
    }
}

/* ---- a test of each kind for each type ---- */

#define TYPE_TEST(test, accessor)                                                                  \
    {#accessor " " #test, test, NULL, NULL, (void *)(uintptr_t)&accessor##_type},
#define TYPE_TESTS(real, name)                                                                     \
    TYPE_TEST(test_whole, real##_##name) TYPE_TEST(test_parts, real##_##name)

#define FLOAT_TESTS(id, NAME, name, ...)   TYPE_TESTS(f64, name) TYPE_TESTS(f32, name)
#define INTEGER_TESTS(id, NAME, name, ...) FLOAT_TESTS(id, NAME, name, ) TYPE_TESTS(i64, name)
#define COMPLEX_TESTS(id, NAME, name, ...) TYPE_TESTS(c128, name) TYPE_TESTS(c64, name)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(FLOAT_TESTS, INTEGER_TESTS, COMPLEX_TESTS)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
