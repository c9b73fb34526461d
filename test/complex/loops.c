/* Loops over complex numbers: none calls a function, and gcc and clang make vectors of them. */
#include "steno/complex.h"

#define LOOPS(T)                                                                                   \
    void multiply_##T(int n, const stn_##T *restrict x, const stn_##T *restrict y,                 \
                      stn_##T *restrict z);                                                        \
    void multiply_##T(int n, const stn_##T *restrict x, const stn_##T *restrict y,                 \
                      stn_##T *restrict z)                                                         \
    {                                                                                              \
        for (int k = 0; k < n; k++)                                                                \
            z[k] = stn_##T##_multiply(x[k], y[k]);                                                 \
    }                                                                                              \
    void multiply_fast_##T(int n, const stn_##T *restrict x, const stn_##T *restrict y,            \
                           stn_##T *restrict z);                                                   \
    void multiply_fast_##T(int n, const stn_##T *restrict x, const stn_##T *restrict y,            \
                           stn_##T *restrict z)                                                    \
    {                                                                                              \
        for (int k = 0; k < n; k++)                                                                \
            z[k] = stn_##T##_multiply_fast(x[k], y[k]);                                            \
    }                                                                                              \
    void divide_##T(int n, const stn_##T *restrict x, const stn_##T *restrict y,                   \
                    stn_##T *restrict z);                                                          \
    void divide_##T(int n, const stn_##T *restrict x, const stn_##T *restrict y,                   \
                    stn_##T *restrict z)                                                           \
    {                                                                                              \
        for (int k = 0; k < n; k++)                                                                \
            z[k] = stn_##T##_divide(x[k], y[k]);                                                   \
    }                                                                                              \
    void divide_fast_##T(int n, const stn_##T *restrict x, const stn_##T *restrict y,              \
                         stn_##T *restrict z);                                                     \
    void divide_fast_##T(int n, const stn_##T *restrict x, const stn_##T *restrict y,              \
                         stn_##T *restrict z)                                                      \
    {                                                                                              \
        for (int k = 0; k < n; k++)                                                                \
            z[k] = stn_##T##_divide_fast(x[k], y[k]);                                              \
    }
LOOPS(c128)
LOOPS(c64)
