/* A test program: every format with every arithmetic type that matches it, in the layout
 * MATRIX_LAYOUT, with the functions MATRIX_FUNCTIONS, which the including file defines. Ranks are
 * MATRIX_RANK_f64 and so on: reading a format is independent of rank and layout, so that other
 * layouts have other ranks. test_accessor_ranks has all ranks. */
#include "accessor_types.h"

#define MATRIX_TYPE(real, name)                                                                    \
    MATRIX_TYPE_(MATRIX_RANK_##real, real, name, MATRIX_LAYOUT, MATRIX_ACCESSOR, MATRIX_FUNCTIONS)
#define MATRIX_TYPE_(rank, real, name, layout, accessor, functions)                                \
    MATRIX_TYPE__(rank, real, name, layout, accessor, functions)
#define MATRIX_TYPE__(rank, real, name, layout, accessor, functions)                               \
    accessor(real##_##name, rank, stn_##real, stn_##name)                                          \
        CHECK_TYPE(real##_##name, rank, layout, functions, PLAIN, NO, , )

/* With CHECK_PAIRS, programs that define MATRIX_WIDER have only the wider (1) or narrower (0) of
 * two types. */
#if !defined CHECK_PAIRS || !defined MATRIX_WIDER
#    define MATRIX_PAIR(X, wide, narrow, name) X(wide, name) X(narrow, name)
#elif MATRIX_WIDER
#    define MATRIX_PAIR(X, wide, narrow, name) X(wide, name)
#else
#    define MATRIX_PAIR(X, wide, narrow, name) X(narrow, name)
#endif
#define MATRIX_TEST(real, name)            CHECK_TEST(real##_##name)
#define FLOAT_TYPES(id, NAME, name, ...)   MATRIX_PAIR(MATRIX_TYPE, f64, f32, name)
#define INTEGER_TYPES(id, NAME, name, ...) FLOAT_TYPES(id, NAME, name, ) MATRIX_TYPE(i64, name)
#define COMPLEX_TYPES(id, NAME, name, ...) MATRIX_PAIR(MATRIX_TYPE, c128, c64, name)
#define FLOAT_TESTS(id, NAME, name, ...)   MATRIX_PAIR(MATRIX_TEST, f64, f32, name)
#define INTEGER_TESTS(id, NAME, name, ...) FLOAT_TESTS(id, NAME, name, ) MATRIX_TEST(i64, name)
#define COMPLEX_TESTS(id, NAME, name, ...) MATRIX_PAIR(MATRIX_TEST, c128, c64, name)

STN_FORMAT_TABLE(FLOAT_TYPES, INTEGER_TYPES, COMPLEX_TYPES)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(FLOAT_TESTS, INTEGER_TESTS, COMPLEX_TESTS)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
