/* Functions of <math.h> in a kernel's text, and the loops that call them. */
#ifndef STENO_LAUNCH_PROGRAM_MATH_H
#define STENO_LAUNCH_PROGRAM_MATH_H

#include <stdint.h>

/* What a function takes and gives. Numbers are of the arithmetic type; those that conditions take
 * are of their own. */
typedef enum stn_math_shape {
    STN_MATH_NUMBERS,    /* a number, of one to three */
    STN_MATH_BY_INTEGER, /* a number, of one and an integer */
    STN_MATH_TO_INTEGER, /* an integer, of a number */
    STN_MATH_TOWARD,     /* a number, of one and a double */
    STN_MATH_CONDITION   /* 0 or 1, of one or two numbers */
} stn_math_shape;

#define STN_DEFINE_MATH_CALLS(T, real)                                                             \
    typedef union stn_math_##T {                                                                   \
        real (*of_1)(real);                                                                        \
        real (*of_2)(real, real);                                                                  \
        real (*of_3)(real, real, real);                                                            \
        real (*by)(real, int64_t);                                                                 \
        real (*toward)(real, double);                                                              \
        int64_t (*to)(real);                                                                       \
        int64_t (*is_1)(real);                                                                     \
        int64_t (*is_2)(real, real);                                                               \
    } stn_math_##T;
STN_DEFINE_MATH_CALLS(f64, double)
STN_DEFINE_MATH_CALLS(f32, float)

typedef struct stn_math {
    const char *name;
    stn_math_shape shape;
    int count;  /* of arguments */
    int is_int; /* the integer has 32 bits */
    stn_math_f64 f64;
    stn_math_f32 f32;
} stn_math;

/* Function number `at`, or NULL behind the last one. */
const stn_math *stn_math_at(int at);

/* The function of each of some elements, in f64 or in f32. Numbers that are no integers stand in
 * `from` as such; what is not used is NULL. */
void stn_math_call_f64(const stn_math *math, void *to, const void *const *from, int64_t count);
void stn_math_call_f32(const stn_math *math, void *to, const void *const *from, int64_t count);

#endif
