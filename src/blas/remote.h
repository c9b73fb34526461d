/* The operations on devices, whose kernels and reductions they are: src/reduce/blas.c. Arguments
 * have been checked. */
#ifndef STENO_BLAS_REMOTE_H
#define STENO_BLAS_REMOTE_H

#include "steno/detail/kernel_types.h"
#include "steno/view.h"

stn_status stn_dot_remote(const stn_exec *exec, stn_format arithmetic, double *result,
                          const stn_view *x, const stn_view *y);
stn_status stn_axpy_remote(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *x, const stn_view *y);
stn_status stn_gemv_remote(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *a, const stn_view *x, double beta, const stn_view *y);

/* ---- kernels and reductions of which devices need the texts only ---- */

#define STN_TEXT_PARAMETER(what, of, called)                                                       \
    {                                                                                              \
        .kind = STN_PARAMETER_##what, .name = #called, .rank = of                                  \
    }
#define STN_TEXT_KERNEL(table, called, words, which)                                               \
    {                                                                                              \
        .size = sizeof(table), .version = STN_KERNEL_VERSION,                                      \
        .count = (int32_t)(sizeof(which) / sizeof *(which)), .name = called, .text = words,        \
        .parameters = which, .f64 = stn_no_loop, .f32 = stn_no_loop                                \
    }
static inline void stn_no_loop(const stn_tile *tile)
{
    (void)tile;
}

#endif
