/* <math.h> functions in kernel texts, and their loops. */
#include "expr/math.h"

#include <math.h>

#include "expr/program.h"
#include "steno/detail/kernel_math.h"

/* clang-format off */

/* Integers in tiles have 64 bits. Results that C leaves undefined are saturated. */
#define DEFINE_BY(name, type)                                                                      \
    static double name##_by_f64(double a, int64_t b) { return name(a, (type)b); }                  \
    static float name##_by_f32(float a, int64_t b) { return name##f(a, (type)b); }
#define FITS(a, type) (sizeof(type) == sizeof(int) || ((a) > -0x1p62 && (a) < 0x1p62))
#define DEFINE_TO(name, type)                                                                      \
    static int64_t name##_to_f64(double a)                                                         \
    {                                                                                              \
        return FITS(a, type) ? name(a) : stn_i64_of_f64(a);                                        \
    }                                                                                              \
    static int64_t name##_to_f32(float a)                                                          \
    {                                                                                              \
        return FITS(a, type) ? name##f(a) : stn_i64_of_f64((double)a);                             \
    }
#define DEFINE_CONDITION_1(name)                                                                   \
    static int64_t name##_f64(double a) { return name(a) != 0; }                                   \
    static int64_t name##_f32(float a) { return name(a) != 0; }
#define DEFINE_CONDITION_2(name)                                                                   \
    static int64_t name##_f64(double a, double b) { return name(a, b) != 0; }                      \
    static int64_t name##_f32(float a, float b) { return name(a, b) != 0; }
STN_MATH_BY_INTEGER(DEFINE_BY)
STN_MATH_TO_INTEGER(DEFINE_TO)
STN_MATH_MACROS_OF_1(DEFINE_CONDITION_1)
STN_MATH_MACROS_OF_2(DEFINE_CONDITION_2)
static double toward_f64(double a, double b) { return nexttoward(a, (long double)b); }
static float toward_f32(float a, double b) { return nexttowardf(a, (long double)b); }

#define IS_INT(type)       sizeof(type) == sizeof(int)
#define OF_1(name)         {#name, STN_MATH_NUMBERS, 1, 0, {.of_1 = name}, {.of_1 = name##f}},
#define OF_2(name)         {#name, STN_MATH_NUMBERS, 2, 0, {.of_2 = name}, {.of_2 = name##f}},
#define OF_3(name)         {#name, STN_MATH_NUMBERS, 3, 0, {.of_3 = name}, {.of_3 = name##f}},
#define NEXT(name, sign)   {#name, STN_MATH_NUMBERS, 1, 0, {.of_1 = stn_##name##_f64}, {.of_1 = stn_##name##_f32}},
#define BY(name, type)     {#name, STN_MATH_BY_INTEGER, 2, IS_INT(type), {.by = name##_by_f64}, {.by = name##_by_f32}},
#define TO(name, type)     {#name, STN_MATH_TO_INTEGER, 1, IS_INT(type), {.to = name##_to_f64}, {.to = name##_to_f32}},
#define CONDITION_1(name)  {#name, STN_MATH_CONDITION, 1, 1, {.is_1 = name##_f64}, {.is_1 = name##_f32}},
#define CONDITION_2(name)  {#name, STN_MATH_CONDITION, 2, 1, {.is_2 = name##_f64}, {.is_2 = name##_f32}},
static const stn_math functions[] = {
    STN_MATH_OF_1(OF_1)
    STN_MATH_OF_2(OF_2)
    STN_MATH_OF_3(OF_3)
    STN_MATH_NEXT(NEXT)
    STN_MATH_BY_INTEGER(BY)
    STN_MATH_TO_INTEGER(TO)
    STN_MATH_MACROS_OF_1(CONDITION_1)
    STN_MATH_MACROS_OF_2(CONDITION_2)
    {"nexttoward", STN_MATH_TOWARD, 2, 0, {.toward = toward_f64}, {.toward = toward_f32}},
};

const stn_math *stn_math_at(int at)
{
    return at < (int)(sizeof functions / sizeof *functions) ? &functions[at] : NULL;
}

#define EACH(type, value)                                                                          \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            ((type *)to)[k] = (value);                                                             \
        return;                                                                                    \
    }
#define DEFINE_CALL(T, real)                                                                       \
    void stn_math_call_##T(const stn_math *math, void *to, const void *const *from, int64_t count) \
    {                                                                                              \
        const real *const a = from[0], *const b = from[1], *const c = from[2];                     \
        switch (math->shape) {                                                                     \
        case STN_MATH_NUMBERS:                                                                     \
            if (math->count == 2)                                                                  \
                EACH(real, math->T.of_2(a[k], b[k]))                                               \
            if (math->count == 3)                                                                  \
                EACH(real, math->T.of_3(a[k], b[k], c[k]))                                         \
            EACH(real, math->T.of_1(a[k]))                                                         \
        case STN_MATH_BY_INTEGER:                                                                  \
            EACH(real, math->T.by(a[k], ((const int64_t *)from[1])[k]))                            \
        case STN_MATH_TO_INTEGER:                                                                  \
            EACH(int64_t, math->T.to(a[k]))                                                        \
        case STN_MATH_TOWARD:                                                                      \
            EACH(real, math->T.toward(a[k], ((const double *)from[1])[k]))                         \
        case STN_MATH_CONDITION:                                                                   \
            EACH(int64_t, math->count == 2 ? math->T.is_2(a[k], b[k]) : math->T.is_1(a[k]))        \
        }                                                                                          \
    }
DEFINE_CALL(f64, double)
DEFINE_CALL(f32, float)
/* clang-format on */
