/* Rows of x are combined, and each thread processes some of their columns. */
#include "blas/level3/triangle.h"

#include "core/versions.h"
#include "steno/codec.h"
#include "steno/complex.h"

/* x = x + factor * y, and x = factor * x. */
#define DEFINE_REAL(T)                                                                             \
    STN_VERSIONS static void add_row_##T(stn_##T *restrict x, const stn_##T *restrict y,           \
                                         stn_##T factor, int64_t count)                            \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            x[k] = x[k] + factor * y[k];                                                           \
    }                                                                                              \
    STN_VERSIONS static void multiply_row_##T(stn_##T *x, stn_##T factor, int64_t count)           \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            x[k] = factor * x[k];                                                                  \
    }

/* The same for complex numbers. gcc 12 fuses adjacent differences and sums of products whatever the
 * contraction option: both are sums here, of a factor whose sign it does not know. */
#define DEFINE_COMPLEX(T, real)                                                                    \
    STN_VERSIONS static void add_parts_##T(stn_##T *restrict x, const stn_##T *restrict y,         \
                                           real re, real im, real minus_im, int64_t count)         \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++) {                                                      \
            x[k].re = x[k].re + (re * y[k].re + minus_im * y[k].im);                               \
            x[k].im = x[k].im + (re * y[k].im + im * y[k].re);                                     \
        }                                                                                          \
    }                                                                                              \
    STN_VERSIONS static void multiply_parts_##T(stn_##T *x, real re, real im, real minus_im,       \
                                                int64_t count)                                     \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const stn_##T y = x[k];                                                                \
            x[k].re = re * y.re + minus_im * y.im;                                                 \
            x[k].im = re * y.im + im * y.re;                                                       \
        }                                                                                          \
    }                                                                                              \
    static void add_row_##T(stn_##T *x, const stn_##T *y, stn_##T factor, int64_t count)           \
    {                                                                                              \
        add_parts_##T(x, y, factor.re, factor.im, -factor.im, count);                              \
    }                                                                                              \
    static void multiply_row_##T(stn_##T *x, stn_##T factor, int64_t count)                        \
    {                                                                                              \
        multiply_parts_##T(x, factor.re, factor.im, -factor.im, count);                            \
    }

/* Products need later rows, solutions earlier ones. */
#define DEFINE_RUN(T, minus, over)                                                                 \
    static void add_others_##T(const stn_triangle_job *job, int64_t row, stn_##T *x,               \
                               int64_t columns)                                                    \
    {                                                                                              \
        const stn_##T *const a = (const stn_##T *)job->a + row * job->a_step;                      \
        const int64_t begin = job->is_upper ? row + 1 : 0, end = job->is_upper ? job->n : row;     \
        for (int64_t k = begin; k < end; k++)                                                      \
            add_row_##T(x + row * job->x_step, x + k * job->x_step,                                \
                        job->solves ? minus(a[k]) : a[k], columns);                                \
    }                                                                                              \
    static void run_##T(const stn_triangle_job *job, stn_##T *x, int64_t columns)                  \
    {                                                                                              \
        const int ascends = job->solves ? !job->is_upper : job->is_upper;                          \
        for (int64_t k = 0; k < job->n; k++) {                                                     \
            const int64_t row = ascends ? k : job->n - 1 - k;                                      \
            const stn_##T pivot = ((const stn_##T *)job->a)[row * (job->a_step + 1)];              \
            stn_##T *const own = x + row * job->x_step;                                            \
            if (!job->solves && !job->has_units)                                                   \
                multiply_row_##T(own, pivot, columns);                                             \
            add_others_##T(job, row, x, columns);                                                  \
            for (int64_t c = 0; job->solves && !job->has_units && c < columns; c++)                \
                own[c] = over(own[c], pivot);                                                      \
        }                                                                                          \
    }

#define MINUS(x)      (-(x))
#define OVER(x, y)    ((x) / (y))
#define MINUS_c128(z) stn_c128_of(-(z).re, -(z).im)
#define MINUS_c64(z)  stn_c64_of(-(z).re, -(z).im)
DEFINE_REAL(f64)
DEFINE_REAL(f32)
DEFINE_COMPLEX(c128, double)
DEFINE_COMPLEX(c64, float)
DEFINE_RUN(f64, MINUS, OVER)
DEFINE_RUN(f32, MINUS, OVER)
DEFINE_RUN(c128, MINUS_c128, stn_c128_divide)
DEFINE_RUN(c64, MINUS_c64, stn_c64_divide)

static void run_share(void *context, int part, int parts)
{
    const stn_triangle_job *job = context;
    int64_t begin, end;
    stn_share(job->columns, part, parts, &begin, &end);
    if (job->arithmetic == STN_F64)
        run_f64(job, (double *)job->x + begin, end - begin);
    else if (job->arithmetic == STN_F32)
        run_f32(job, (float *)job->x + begin, end - begin);
    else if (job->arithmetic == STN_C128)
        run_c128(job, (stn_c128 *)job->x + begin, end - begin);
    else
        run_c64(job, (stn_c64 *)job->x + begin, end - begin);
}

void stn_triangle_run(const stn_exec *exec, const stn_triangle_job *job)
{
    const double work = (double)job->n * (double)job->n * (double)job->columns;
    stn_exec_run_sized(exec, work, run_share, (void *)(uintptr_t)job);
}
