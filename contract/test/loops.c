/* Loops that are compiled for several machines and whose codegen is looked at: complex numbers of
 * two alignments, copies, and a narrow type computed wide. */
#include <stddef.h>
#include <stdint.h>

typedef struct c8 {
    double re, im;
} c8;

typedef struct c16 {
    _Alignas(16) double re;
    double im;
} c16;

#define MULADD(type)                                                                               \
    void muladd_##type(type *restrict c, const type *restrict a, const type *restrict b,           \
                       ptrdiff_t count)                                                            \
    {                                                                                              \
        for (ptrdiff_t i = 0; i < count; i++) {                                                    \
            c[i].re += a[i].re * b[i].re - a[i].im * b[i].im;                                      \
            c[i].im += a[i].re * b[i].im + a[i].im * b[i].re;                                      \
        }                                                                                          \
    }                                                                                              \
    void copy_##type(type *restrict to, const type *restrict from)                                 \
    {                                                                                              \
        *to = *from;                                                                               \
    }

MULADD(c8)
MULADD(c16)

/* Twelve bytes per element: four of x, and four of y twice. */
void axpy_narrow(float *restrict y, const float *restrict x, double a, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        y[i] = (float)((double)y[i] + a * (double)x[i]);
}

/* Twenty bytes per element: x is narrow, y is wide. */
void axpy_mixed(double *restrict y, const float *restrict x, double a, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        y[i] += a * (double)x[i];
}

void scale(double *restrict y, const double *restrict x, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        y[i] = 3 * x[i];
}

void add_words(int16_t *restrict y, const int16_t *restrict x, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        y[i] = (int16_t)(y[i] + x[i]);
}

double strided_sum(const double *x, ptrdiff_t stride, ptrdiff_t count)
{
    double sum = 0;
    for (ptrdiff_t i = 0; i < count; i++)
        sum += x[i * stride];
    return sum;
}

void gather(double *restrict y, const double *restrict x, const int32_t *restrict index,
            ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        y[i] = x[index[i]];
}

/* The outer loop and the loop inside it. */
void matrix(double *restrict y, const double *restrict a, const double *restrict x, ptrdiff_t rows,
            ptrdiff_t columns)
{
    for (ptrdiff_t r = 0; r < rows; r++) {
        double sum = 0;
        for (ptrdiff_t k = 0; k < columns; k++)
            sum += a[r * columns + k] * x[k];
        y[r] = sum;
    }
}

extern double unknown_function(double x);

void calls(double *y, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        y[i] = unknown_function(y[i]) / 3;
}

double passes_on(double x)
{
    return unknown_function(x + 1);
}
