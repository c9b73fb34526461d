/* Scaled accessors of every real format in f64 or f32, of rank 3 with a scale for each first and
 * last index; and in the other arithmetic type with zero points, of rank 2. */
#include "accessor_types.h"

#define TYPES(name, real, other) TYPES_(name, real, other)
#define TYPES_(name, real, other)                                                                  \
    STN_ACCESSOR_SCALED(scaled_##name, 3, stn_##real, stn_##name, 0x5)                             \
    CHECK_TYPE(scaled_##name, 3, RIGHT, ALL, SCALED, YES, stn_id_##real, 0)                        \
    STN_ACCESSOR_AFFINE(affine_##name, 2, stn_##other, stn_##name, 0x2)                            \
    CHECK_TYPE(affine_##name, 2, RIGHT, FEW, AFFINE, YES, stn_id_##other, 1)
#define TYPE_ROW(id, NAME, name, bits, ...) TYPES(name, CHECK_REAL_##bits, CHECK_OTHER_##bits)
#define TEST_ROW(id, NAME, name, ...)       CHECK_TEST(scaled_##name) CHECK_TEST(affine_##name)
#define NO_ROW(...)

STN_FORMAT_TABLE(TYPE_ROW, TYPE_ROW, NO_ROW)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(TEST_ROW, TEST_ROW, NO_ROW)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
