/* <math.h> functions in kernel texts, and their loops. */
#ifndef STENO_LAUNCH_PROGRAM_MATH_H
#define STENO_LAUNCH_PROGRAM_MATH_H

#include <stdint.h>

/* Parameter and result types. Numbers have the arithmetic type; those of conditions have their
 * own type. */
typedef enum stn_math_shape {
    STN_MATH_NUMBERS,    /* number, from one to three numbers */
    STN_MATH_BY_INTEGER, /* number, from a number and an integer */
    STN_MATH_TO_INTEGER, /* integer, from a number */
    STN_MATH_TOWARD,     /* number, from a number and a double */
    STN_MATH_CONDITION   /* 0 or 1, from one or two numbers */
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
    int count;  /* number of arguments */
    int is_int; /* the integer has 32 bits */
    stn_math_f64 f64;
    stn_math_f32 f32;
} stn_math;

/* Function `at`, or NULL after the last one. */
const stn_math *stn_math_at(int at);

/* Applies the function to each element in f64 or f32. Unconverted numbers are in `from`; unused
 * arguments are NULL. */
void stn_math_call_f64(const stn_math *math, void *to, const void *const *from, int64_t count);
void stn_math_call_f32(const stn_math *math, void *to, const void *const *from, int64_t count);

#endif
