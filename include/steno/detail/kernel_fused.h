/* The loops of STN_FUSE: blocks of elements are decoded, computed and encoded. */
#ifndef STENO_KERNEL_FUSED_H
#define STENO_KERNEL_FUSED_H

#include "steno/detail/accessor/parts.h"
#include "steno/detail/accessor/run.h"
#include "steno/kernel.h"

/* clang-format off */

/* ---- scales, and elements that keep their codes ----
 *
 * Scales are powers of two, or absent: multiplying by them and by their inverses is exact. i64 and
 * complex arithmetic has none.
 * stn_has_nonfinite_T: is one of the values infinite or NaN?
 * stn_is_unchanged_T: are both values the same, where any NaN equals another? */
#define STN_DEFINE_FUSED_REAL(T)                                                                   \
    STN_KERNEL_INLINE stn_##T stn_scale_of_##T(double scale_) { return (stn_##T)scale_; }          \
    STN_KERNEL_INLINE stn_##T stn_unscaled_##T(stn_##T value_, double inverse_)                    \
    {                                                                                              \
        return value_ * (stn_##T)inverse_;                                                         \
    }                                                                                              \
    STN_KERNEL_INLINE int stn_has_nonfinite_##T(const stn_##T *values_, int64_t count_)            \
    {                                                                                              \
        int64_t nonfinite_ = 0;                                                                    \
        for (int64_t k_ = 0; k_ < count_; k_++) {                                                  \
            const stn_##T zero_ = values_[k_] - values_[k_];                                       \
            nonfinite_ += zero_ != 0;                                                              \
        }                                                                                          \
        return nonfinite_ != 0;                                                                    \
    }                                                                                              \
    STN_KERNEL_INLINE int stn_is_unchanged_##T(stn_##T a_, stn_##T b_)                             \
    {                                                                                              \
        return (a_ != a_ && b_ != b_) || stn_bits_of_##T(a_) == stn_bits_of_##T(b_);               \
    }
#define STN_DEFINE_FUSED_UNSCALED(T)                                                               \
    STN_KERNEL_INLINE stn_##T stn_scale_of_##T(double scale_) { (void)scale_; return stn_one_##T(); }\
    STN_KERNEL_INLINE stn_##T stn_unscaled_##T(stn_##T value_, double inverse_) { (void)inverse_; return value_; }
#define STN_DEFINE_FUSED_COMPLEX(C, T)                                                             \
    STN_DEFINE_FUSED_UNSCALED(C)                                                                   \
    STN_KERNEL_INLINE int stn_has_nonfinite_##C(const stn_##C *values_, int64_t count_)            \
    {                                                                                              \
        return stn_has_nonfinite_##T((const stn_##T *)values_, 2 * count_);                        \
    }                                                                                              \
    STN_KERNEL_INLINE int stn_is_unchanged_##C(stn_##C a_, stn_##C b_)                             \
    {                                                                                              \
        return stn_is_unchanged_##T(a_.re, b_.re) && stn_is_unchanged_##T(a_.im, b_.im);           \
    }
STN_DEFINE_FUSED_REAL(f64)
STN_DEFINE_FUSED_REAL(f32)
STN_DEFINE_FUSED_COMPLEX(c128, f64)
STN_DEFINE_FUSED_COMPLEX(c64, f32)
STN_DEFINE_FUSED_UNSCALED(i64)
STN_KERNEL_INLINE int stn_has_nonfinite_i64(const stn_i64 *values_, int64_t count_)
{
    (void)values_, (void)count_;
    return 0;
}
STN_KERNEL_INLINE int stn_is_unchanged_i64(stn_i64 a_, stn_i64 b_) { return a_ == b_; }

/* ---- the loop ---- */

#define STN_FUSE_LOOP(name, kernel, T, parameters)                                                 \
    STN_KERNEL_KINDS(kernel, T, parameters)                                                        \
    STN_KERNEL_BEGIN                                                                               \
    STN_FUSED_LOOPS(name, kernel, T, parameters)                                                   \
    STN_KERNEL_END                                                                                 \
    static const stn_format name##_formats[] = {                                                   \
        STN_EACH_PARAMETER(STN_FUSED_FORMAT, T, parameters) -1};                                   \
    STN_FUSED_TABLE stn_fused_loop name##_fused = {kernel##_parameters, (stn_format)stn_id_##T,    \
                                                   name##_formats, STN_FUSED_CHOSEN(name, kernel)};\
    static const stn_fused_loop *const name##_listed                                               \
        __attribute__((__section__(STN_FUSED_SECTION), __used__)) = &name##_fused;
#define STN_FUSE_ERROR(name, kernel, T, parameters) STN_EXPLAIN_PARAMETERS(STN_FUSES_, name, parameters)

/* Tests that count calls define tables of loops that they can change. */
#ifndef STN_FUSED_TABLE
#    define STN_FUSED_TABLE static const
#endif
#ifdef STN_KERNEL_TWO_LOOPS
#    define STN_FUSED_LOOPS(name, kernel, T, parameters)                                           \
        STN_FUSED_LOOP(name##_loop, STN_KERNEL_FAST_##T, kernel, T, parameters)                    \
        STN_FUSED_LOOP(name##_loop_exact, STN_KERNEL_EXACT_##T, kernel, T, parameters)
#    define STN_FUSED_CHOSEN(name, kernel) (kernel##_converts ? name##_loop_exact : name##_loop)
#else
#    define STN_FUSED_LOOPS(name, kernel, T, parameters)                                           \
        STN_FUSED_LOOP(name##_loop, STN_KERNEL_EXACT_##T, kernel, T, parameters)
#    define STN_FUSED_CHOSEN(name, kernel) name##_loop
#endif
#define STN_FUSED_LOOP(loop, EXACT, kernel, T, parameters)                                         \
    EXACT static void loop(const stn_tile *STN_KERNEL_RESTRICT stn_tile_now)                       \
    {                                                                                              \
        const int64_t *const stn_i = stn_tile_index(stn_tile_now);                                 \
        const int64_t *const stn_d = stn_steps_of_rank[kernel##_rank];                             \
        const int64_t stn_count = stn_tile_count(stn_tile_now);                                    \
        (void)stn_i, (void)stn_d;                                                                  \
        enum { stn_has_many = kernel##_count >= 8 };                                               \
        STN_EACH_PARAMETER(STN_FUSED_OPEN, T, parameters)                                          \
        int64_t stn_at = 0;                                                                        \
        for (; stn_count - stn_at >= STN_TILE_ELEMENTS; stn_at += STN_TILE_ELEMENTS) {             \
            STN_FUSED_BLOCK(kernel, T, parameters, STN_TILE_ELEMENTS)                              \
        }                                                                                          \
        for (; stn_at < stn_count; stn_at = stn_count) {                                           \
            STN_FUSED_BLOCK(kernel, T, parameters, stn_count - stn_at)                             \
        }                                                                                          \
    }
#define STN_FUSED_BLOCK(kernel, T, parameters, count)                                              \
    const int64_t stn_some = count;                                                                \
    STN_EACH_VIEW(STN_FUSED_READ, T, parameters)                                                   \
    STN_KERNEL_IVDEP                                                                               \
    for (int64_t stn_k = 0; stn_k < stn_some; stn_k++) {                                           \
        kernel##_element_##T(stn_at + stn_k STN_EACH_PARAMETER(STN_FUSED_ARGUMENT, T, parameters));\
        STN_EACH_VIEW(STN_FUSED_UNSCALE, T, parameters)                                            \
    }                                                                                              \
    STN_EACH_VIEW(STN_FUSED_WRITE, T, parameters)

/* ---- parameters, by class and kind ----
 *
 * Of parameter `at`: stn_pAT is the value of a scalar, or the values of a block of a view;
 * stn_cAT are the codes of a view, stn_bAT is the buffer of decoded values, stn_sAT the scale. */

#define STN_FUSED_FORMAT_SCALAR(KIND, T, at, name)       -1,
#define STN_FUSED_FORMAT_INDICES(KIND, T, at, ...)       -1,
#define STN_FUSED_FORMAT_VIEW(KIND, T, at, name, format) (stn_format)stn_id_##format,

#define STN_FUSED_OPEN_SCALAR                            STN_FETCH_SCALAR
#define STN_FUSED_OPEN_INDICES(KIND, T, at, ...)
/* Buffers are on the stack, where compilers see that nothing overlaps them, unless there are many. */
#define STN_FUSED_OPEN_VIEW(KIND, T, at, name, format)                                             \
    STN_FUSED_CODES##KIND(at, stn_##format)                                                        \
    const double stn_s##at = stn_tile_f64(stn_tile_now, at);                                       \
    stn_##T stn_local_##at[stn_has_many ? 1 : STN_TILE_ELEMENTS] __attribute__((__aligned__(64))); \
    stn_##T *STN_KERNEL_RESTRICT const stn_b##at =                                                 \
        stn_has_many ? (stn_##T *)__builtin_assume_aligned(                                        \
                           (stn_##T *)stn_tile_scratch(stn_tile_now) + at * STN_TILE_ELEMENTS, 64) \
                     : stn_local_##at;                                                             \
    (void)stn_b##at, (void)stn_s##at;
#define STN_FUSED_CODES_IN(at, code)                                                               \
    const code *const stn_c##at = (const code *)stn_tile_values(stn_tile_now, at);
#define STN_FUSED_CODES_INOUT(at, code)                                                            \
    code *const stn_c##at = (code *)stn_tile_values(stn_tile_now, at);                             \
    const double stn_inverse_##at = 1.0 / stn_tile_f64(stn_tile_now, at);                          \
    (void)stn_inverse_##at;
#define STN_FUSED_CODES_OUT(at, code)                    STN_FUSED_CODES_INOUT(at, code) STN_FETCH_FLAG(at)

#define STN_FUSED_ARGUMENT_SCALAR                        STN_ARGUMENT_SCALAR
#define STN_FUSED_ARGUMENT_INDICES(KIND, T, at, ...)     STN_EACH_NAME(STN_FUSED_INDEX, at, __VA_ARGS__)
#define STN_FUSED_INDEX(at, d, name)                     , stn_i[d] + stn_d[d] * (stn_at + stn_k)
#define STN_FUSED_ARGUMENT_VIEW(KIND, T, at, name, format) STN_ARGUMENT##KIND(at)

/* Values with the format of the arithmetic type are used in place. */
#define STN_IS_IN_PLACE(T, format) ((int)stn_id_##T == (int)stn_id_##format)
/* Prefetches a later block: with many views, the processor's own prefetching does not follow. */
#define STN_FUSED_PREFETCH(codes)                                                                  \
    for (int64_t stn_f = 0;                                                                        \
         stn_has_many && stn_f < (int64_t)(STN_TILE_ELEMENTS * sizeof *(codes)); stn_f += 64)      \
        __builtin_prefetch((const char *)((codes) + 6 * STN_TILE_ELEMENTS) + stn_f, 0, 1);
#define STN_FUSED_DECODE(T, at, format)                                                            \
    STN_FUSED_PREFETCH(stn_c##at + stn_at)                                                         \
    if (!STN_IS_IN_PLACE(T, format))                                                               \
        stn_read_run_##T##_##format(stn_b##at, stn_c##at + stn_at, stn_some, stn_zero_##T(),       \
                                    stn_scale_of_##T(stn_s##at));
#define STN_FUSED_READ_IN(T, at, name, format)                                                     \
    STN_FUSED_DECODE(T, at, format)                                                                \
    const stn_##T *STN_KERNEL_RESTRICT const stn_p##at =                                           \
        STN_IS_IN_PLACE(T, format) ? (const stn_##T *)(const void *)(stn_c##at + stn_at) : stn_b##at;
#define STN_FUSED_READ_INOUT(T, at, name, format)                                                  \
    STN_FUSED_DECODE(T, at, format)                                                                \
    STN_FUSED_VALUES(T, at, format)
#define STN_FUSED_READ_OUT(T, at, name, format)                                                    \
    STN_FUSED_PREFETCH(stn_c##at + stn_at)                                                         \
    STN_FUSED_VALUES(T, at, format)
#define STN_FUSED_VALUES(T, at, format)                                                            \
    stn_##T *STN_KERNEL_RESTRICT const stn_p##at =                                                 \
        STN_IS_IN_PLACE(T, format) ? (stn_##T *)(void *)(stn_c##at + stn_at) : stn_b##at;

#define STN_FUSED_UNSCALE_IN(T, at, name, format)
#define STN_FUSED_UNSCALE_INOUT(T, at, name, format)                                               \
    if (!STN_IS_IN_PLACE(T, format))                                                               \
        stn_p##at[stn_k] = stn_unscaled_##T(stn_p##at[stn_k], stn_inverse_##at);
#define STN_FUSED_UNSCALE_OUT(T, at, name, format)       STN_FUSED_UNSCALE_INOUT(T, at, name, format)

#define STN_FUSED_WRITE_IN(T, at, name, format)
#define STN_FUSED_WRITE_OUT(T, at, name, format)                                                   \
    if (!STN_IS_IN_PLACE(T, format))                                                               \
        stn_write_run_##T##_##format(stn_c##at + stn_at, stn_p##at, stn_some,                      \
                                     stn_##T##_negate(stn_zero_##T()), stn_one_##T(),              \
                                     STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0);
/* Elements that did not change keep their codes. Only infinities and NaN would not by themselves:
 * fused loops are not taken where finite values would. */
#define STN_FUSED_WRITE_INOUT(T, at, name, format)                                                 \
    if (!STN_IS_IN_PLACE(T, format)) {                                                             \
        stn_##T stn_before[STN_TILE_ELEMENTS];                                                     \
        stn_##format stn_codes[STN_TILE_ELEMENTS];                                                 \
        const int stn_compares = stn_has_nonfinite_##T(stn_p##at, stn_some);                       \
        if (stn_compares) {                                                                        \
            __builtin_memcpy(stn_codes, stn_c##at + stn_at, (size_t)stn_some * sizeof *stn_codes); \
            stn_read_run_##T##_##format(stn_before, stn_codes, stn_some, stn_zero_##T(),           \
                                        stn_one_##T());                                            \
        }                                                                                          \
        STN_FUSED_WRITE_OUT(T, at, name, format)                                                   \
        for (int64_t stn_k = 0; stn_compares && stn_k < stn_some; stn_k++)                         \
            if (stn_is_unchanged_##T(stn_before[stn_k], stn_p##at[stn_k]))                         \
                stn_c##at[stn_at + stn_k] = stn_codes[stn_k];                                      \
    }

/* clang-format on */

#endif
