/* Loops, single elements and copies for CPUs; see alignment.c. */
#include "complex.h"

#define KERNELS(type)                                                                              \
    void muladd_##type(type *restrict c, const type *restrict a, const type *restrict b,           \
                       long count);                                                                \
    void muladd_##type(type *restrict c, const type *restrict a, const type *restrict b,           \
                       long count)                                                                 \
    {                                                                                              \
        for (long i = 0; i < count; i++) {                                                         \
            c[i].re += a[i].re * b[i].re - a[i].im * b[i].im;                                      \
            c[i].im += a[i].re * b[i].im + a[i].im * b[i].re;                                      \
        }                                                                                          \
    }                                                                                              \
    void muladd1_##type(type *restrict c, const type *restrict a, const type *restrict b);         \
    void muladd1_##type(type *restrict c, const type *restrict a, const type *restrict b)          \
    {                                                                                              \
        c->re += a->re * b->re - a->im * b->im;                                                    \
        c->im += a->re * b->im + a->im * b->re;                                                    \
    }                                                                                              \
    void copy_##type(type *restrict to, const type *restrict from);                                \
    void copy_##type(type *restrict to, const type *restrict from)                                 \
    {                                                                                              \
        *to = *from;                                                                               \
    }

KERNELS(c8)
KERNELS(c16)
