/* Fused reductions: compiled for views of given formats, whose elements they read themselves
 * instead of through the library's codecs.
 *
 *     STN_REDUCE(dot, products, (in(x), in(y)), x, y)
 *     STN_FUSE_REDUCE(dot_f16, dot, f64, (in(x, f16), in(y, f64)))
 *
 * has the parameters of the reduction again, in f64, f32 or i64 arithmetic, each view with its
 * format. The functions of dot take the loop wherever arithmetic and formats are these, outputs are
 * calculated along the last dimension, and the views are contiguous along it and stored without
 * scale or, in f64 and f32 and in other formats, with a power of two; on every executor but
 * `reference`. The bits are the same. Fields are not fused.
 *
 * Sums of nothing but a view, and products of views of one format, are folded by the library's own
 * loops already. What is fused pays where the program is compiled for the machine at hand
 * (-march=native): without F16C and AVX2, 16- and 8-bit floats are read faster by the library. */
#ifndef STENO_REDUCE_FUSE_H
#define STENO_REDUCE_FUSE_H

#include "steno/names/fuse_words.h"
#include "steno/names/hide.h"
#include "steno/kernel_fuse.h"
#include "steno/reduce.h"

STN_KERNEL_INLINE void stn_reduction_fuse(stn_reduction *reduction, stn_fused_fold *fused)
{
    fused->next = reduction->fused;
    reduction->fused = fused;
}

/* clang-format off */
#define STN_FUSE_REDUCE(name, kernel, T, parameters)                                               \
    STN_KERNEL_BEGIN                                                                               \
    STN_REDUCE_FOLD(name##_fold, kernel, kernel##_as, T, parameters, STN_FUSED_BEFORE,             \
                    STN_FUSED_READ, STN_FUSED_GIVE, 0)                                             \
    STN_KERNEL_END                                                                                 \
    static const stn_format name##_formats[] = {                                                   \
        STN_EACH_PARAMETER(STN_FUSED_FORMAT, T, parameters)};                                      \
    static stn_fused_fold name##_fused = {0, (stn_format)stn_id_##T, name##_formats, name##_fold}; \
    __attribute__((__constructor__)) static void name##_register(void)                             \
    {                                                                                              \
        STN_STATIC_ASSERT(sizeof name##_formats / sizeof *name##_formats ==                        \
                              sizeof kernel##_parameters / sizeof *kernel##_parameters,            \
                          #name ": other parameters than " #kernel " has");                        \
        stn_reduction_fuse(&kernel##_reduction, &name##_fused);                                    \
    }
/* clang-format on */

#include "steno/names/show.h"

#endif
