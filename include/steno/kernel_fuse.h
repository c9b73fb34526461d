/** @file
 * Fused loops: a kernel compiled for views of given formats, whose elements it reads and writes
 * itself instead of through the codecs of the library.
 *
 * @code
 * STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
 * STN_FUSE(axpy_f16, axpy, f64, (real(alpha), in(x, f16), inout(y, f64)))
 * @endcode
 *
 * axpy_run uses the loop if the arithmetic type and the formats match, the views are contiguous
 * along the last dimension and have no scale (or, in f64 and f32 arithmetic and other formats than
 * these, a power of two), and outputs are rounded to nearest with the overflow rule of their
 * format. The executor must not be `reference`. The bits are the same.
 *
 * Fused loops are faster if the program is compiled for the processor that runs it (-march=native).
 * Without F16C and AVX2, the library reads 16-bit and 8-bit floats faster.
 */
#ifndef STENO_KERNEL_FUSE_H
#define STENO_KERNEL_FUSE_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/detail/macro_check.h"
#include "steno/detail/kernel_words.h"
#include "steno/detail/accessor/require.h"
#include "steno/detail/accessor/run.h"
#include "steno/kernel.h"

/** @cond INTERNAL */
/* Scales that are powers of two, or none: multiplying by them and by their inverses is exact. Other
 * arithmetic has none. */
#define STN_FUSED_SCALE_f64(name)          name##_scale
#define STN_FUSED_SCALE_f32(name)          (float)name##_scale
#define STN_FUSED_SCALE_i64(name)          stn_one_i64()
#define STN_FUSED_SCALE_c128(name)         stn_one_c128()
#define STN_FUSED_SCALE_c64(name)          stn_one_c64()
#define STN_FUSED_UNSCALE_f64(value, name) value *= name##_inverse;
#define STN_FUSED_UNSCALE_f32(value, name) value *= (float)name##_inverse;
#define STN_FUSED_UNSCALE_i64(value, name)
#define STN_FUSED_UNSCALE_c128(value, name)
#define STN_FUSED_UNSCALE_c64(value, name)

/* Is one of these infinite or NaN? And is a value what it was, as any NaN is another? */
/* clang-format off */
#define STN_DEFINE_KEPT_REAL(T)                                                                    \
    STN_KERNEL_INLINE int stn_are_odd_##T(const stn_##T *values_, int64_t count_)                    \
    {                                                                                              \
        int64_t odd_ = 0;                                                                           \
        for (int64_t k_ = 0; k_ < count_; k_++) {                                                      \
            const stn_##T nothing_ = values_[k_] - values_[k_];                                         \
            odd_ += nothing_ != 0;                                                                   \
        }                                                                                          \
        return odd_ != 0;                                                                           \
    }                                                                                              \
    STN_KERNEL_INLINE int stn_is_kept_##T(stn_##T was_, stn_##T is_)                                 \
    {                                                                                              \
        return (was_ != was_ && is_ != is_) || stn_bits_of_##T(was_) == stn_bits_of_##T(is_);            \
    }
#define STN_DEFINE_KEPT_COMPLEX(C, T)                                                              \
    STN_KERNEL_INLINE int stn_are_odd_##C(const stn_##C *values_, int64_t count_)                    \
    {                                                                                              \
        return stn_are_odd_##T((const stn_##T *)values_, 2 * count_);                                \
    }                                                                                              \
    STN_KERNEL_INLINE int stn_is_kept_##C(stn_##C was_, stn_##C is_)                                 \
    {                                                                                              \
        return stn_is_kept_##T(was_.re, is_.re) && stn_is_kept_##T(was_.im, is_.im);                   \
    }
/* clang-format on */
STN_DEFINE_KEPT_REAL(f64)
STN_DEFINE_KEPT_REAL(f32)
STN_DEFINE_KEPT_COMPLEX(c128, f64)
STN_DEFINE_KEPT_COMPLEX(c64, f32)
STN_KERNEL_INLINE int stn_are_odd_i64(const stn_i64 *values_, int64_t count_)
{
    (void)values_, (void)count_;
    return 0;
}
STN_KERNEL_INLINE int stn_is_kept_i64(stn_i64 was_, stn_i64 is_)
{
    return was_ == is_;
}

/* Tables of loops; tests that count calls have others. */
#ifndef STN_FUSED_TABLE
#    define STN_FUSED_TABLE static const
#endif

/* What a block some way ahead will need, where there are more views than the machine's own
 * prefetching follows. */
#define STN_FUSED_FETCH(codes)                                                                     \
    for (int64_t stn_f = 0;                                                                        \
         stn_has_many && stn_f < (int64_t)(STN_TILE_ELEMENTS * sizeof *(codes)); stn_f += 64)      \
        __builtin_prefetch((const char *)((codes) + 6 * STN_TILE_ELEMENTS) + stn_f, 0, 1);

/* See kernel_missing.h. */
#undef STN_FUSE

/* clang-format off */
/** @endcond */
/** Defines a fused loop of a kernel.
 *
 * @param name        name of the loop
 * @param kernel      name of the kernel
 * @param T           arithmetic type: f64, f32, i64, c128 or c64
 * @param parameters  the parameters of the kernel, with a format for each view. Kinds other than
 *                    real, index, bits, at, in, out and inout cannot be fused */
#define STN_FUSE(name, kernel, T, parameters)                                                      \
    STN_CHOOSE(STN_IS_NAMELESS(name), STN_REFUSE_NAMELESS,                                         \
               STN_CHOOSE(STN_ARE_PARAMETERS(STN_FUSES_, parameters), STN_FUSE_LOOP, STN_FUSE_WRONG))\
    (name, kernel, T, parameters)
/** @cond INTERNAL */
#define STN_FUSE_WRONG(name, kernel, T, parameters)                                                \
    STN_BLAME_PARAMETERS(STN_FUSES_, name, parameters)
#define STN_FUSE_LOOP(name, kernel, T, parameters)                                                 \
    STN_KERNEL_KINDS(kernel, T, parameters)                                                        \
    STN_KERNEL_BEGIN                                                                               \
    STN_FUSE_LOOPS(name, kernel, T, parameters)                                                    \
    STN_KERNEL_END                                                                                 \
    static const stn_format name##_formats[] = {                                                   \
        STN_EACH_PARAMETER(STN_FUSED_FORMAT, T, parameters) -1};                                   \
    STN_FUSED_TABLE stn_fused_loop name##_fused = {kernel##_parameters, (stn_format)stn_id_##T,    \
                                                   name##_formats, STN_FUSE_CHOSEN(name, kernel)}; \
    static const stn_fused_loop *const name##_listed                                               \
        __attribute__((__section__(STN_FUSED_SECTION), __used__)) = &name##_fused;
#ifdef STN_KERNEL_TWO_LOOPS
#    define STN_FUSE_LOOPS(name, kernel, T, parameters)                                            \
        STN_FUSE_LOOP_AS(name##_loop, STN_KERNEL_FAST_##T, kernel, T, parameters)                  \
        STN_FUSE_LOOP_AS(name##_loop_exact, STN_KERNEL_EXACT_##T, kernel, T, parameters)
#    define STN_FUSE_CHOSEN(name, kernel) (kernel##_converts ? name##_loop_exact : name##_loop)
#else
#    define STN_FUSE_LOOPS(name, kernel, T, parameters)                                            \
        STN_FUSE_LOOP_AS(name##_loop, STN_KERNEL_EXACT_##T, kernel, T, parameters)
#    define STN_FUSE_CHOSEN(name, kernel) name##_loop
#endif
#define STN_FUSE_LOOP_AS(loop, EXACT, kernel, T, parameters)                                       \
    EXACT static void loop(const stn_tile *STN_KERNEL_RESTRICT stn_tile_now)                       \
    {                                                                                              \
        const int64_t *const stn_i = stn_tile_index(stn_tile_now);                                 \
        const int64_t *const stn_d = stn_steps_of_rank[kernel##_rank];                             \
        const int64_t stn_count = stn_tile_count(stn_tile_now);                                    \
        (void)stn_i, (void)stn_d;                                                                  \
        enum { stn_has_many = kernel##_count >= 8 };                                               \
        STN_EACH_PARAMETER(STN_FUSED_BEFORE, T, parameters)                                        \
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
    STN_EACH_PARAMETER(STN_FUSED_READ, T, parameters)                                              \
    STN_KERNEL_APART                                                                               \
    for (int64_t stn_k = 0; stn_k < stn_some; stn_k++) {                                           \
        STN_FUSED_STEP(kernel, T, parameters)                                                      \
    }                                                                                              \
    STN_EACH_PARAMETER(STN_FUSED_WRITE, T, parameters)
#define STN_FUSED_STEP(kernel, T, parameters)                                                      \
    kernel##_element_##T(stn_at + stn_k STN_EACH_PARAMETER(STN_FUSED_GIVE, T, parameters));        \
    STN_EACH_PARAMETER(STN_FUSED_AFTER, T, parameters)

#define STN_FUSED_FORMAT_REAL(T, at, name)              -1,
#define STN_FUSED_FORMAT_INDEX(T, at, name)             -1,
#define STN_FUSED_FORMAT_BITS(T, at, name)              -1,
#define STN_FUSED_FORMAT_AT(T, at, ...)                 -1,
#define STN_FUSED_FORMAT_IN(T, at, name, format)        (stn_format)stn_id_##format,
#define STN_FUSED_FORMAT_INOUT(T, at, name, format)     (stn_format)stn_id_##format,
#define STN_FUSED_FORMAT_OUT(T, at, name, format)       (stn_format)stn_id_##format,

#define STN_FUSED_BEFORE_REAL(T, at, name)              STN_BEFORE_REAL(T, at, name)
#define STN_FUSED_BEFORE_INDEX(T, at, name)             STN_BEFORE_INDEX(T, at, name)
#define STN_FUSED_BEFORE_BITS(T, at, name)              STN_BEFORE_BITS(T, at, name)
#define STN_FUSED_BEFORE_AT(T, at, ...)
/* On the stack, where compilers see that nothing else is there, unless there are many. */
#define STN_FUSED_ROOM(T, at, name)                                                                \
    stn_##T stn_p##at##_local[stn_has_many ? 1 : STN_TILE_ELEMENTS]                                \
        __attribute__((__aligned__(64)));                                                          \
    stn_##T *STN_KERNEL_RESTRICT const stn_p##at##_room =                                          \
        stn_has_many                                                                               \
            ? (stn_##T *)__builtin_assume_aligned(                                                 \
                  (stn_##T *)stn_tile_spare(stn_tile_now) + at * STN_TILE_ELEMENTS, 64)            \
            : stn_p##at##_local;
#define STN_FUSED_BEFORE_IN(T, at, name, format)                                                   \
    const stn_##format *const stn_p##at##_codes =                                                  \
        (const stn_##format *)stn_tile_values(stn_tile_now, at);                                   \
    const double stn_p##at##_scale = stn_tile_f64(stn_tile_now, at);                               \
    STN_FUSED_ROOM(T, at, name)                                                                    \
    (void)stn_p##at##_room, (void)stn_p##at##_scale;
#define STN_FUSED_BEFORE_INOUT(T, at, name, format)                                                \
    stn_##format *const stn_p##at##_codes = (stn_##format *)stn_tile_values(stn_tile_now, at);     \
    const double stn_p##at##_scale = stn_tile_f64(stn_tile_now, at);                               \
    const double stn_p##at##_inverse = 1.0 / stn_p##at##_scale;                                    \
    STN_FUSED_ROOM(T, at, name)                                                                    \
    (void)stn_p##at##_room, (void)stn_p##at##_scale, (void)stn_p##at##_inverse;
#define STN_FUSED_BEFORE_OUT(T, at, name, format)                                                  \
    STN_FUSED_BEFORE_INOUT(T, at, name, format) STN_BEFORE_FLAG(at)

/* Values are where the codes are when they are the same. */
#define STN_FUSED_SAME_f64_f64   ~, _YES
#define STN_FUSED_SAME_f32_f32   ~, _YES
#define STN_FUSED_SAME_i64_i64   ~, _YES
#define STN_FUSED_SAME_c128_c128 ~, _YES
#define STN_FUSED_SAME_c64_c64   ~, _YES
#define STN_FUSED_IS(...)        STN_IS_SECOND(__VA_ARGS__, _NO, ~)
#define STN_FUSED_BY(MACRO, T, name, format)                                                       \
    STN_FUSED_BY_(MACRO, STN_FUSED_IS(STN_FUSED_SAME_##T##_##format), T, name, format)
#define STN_FUSED_BY_(...)                              STN_FUSED_BY__(__VA_ARGS__)
#define STN_FUSED_BY__(MACRO, is, T, name, format)      MACRO##is(T, name, format)

#define STN_FUSED_READ_REAL(T, at, name)
#define STN_FUSED_READ_INDEX(T, at, name)
#define STN_FUSED_READ_BITS(T, at, name)
#define STN_FUSED_READ_AT(T, at, ...)
#define STN_FUSED_READ_IN(T, at, name, format)                                                     \
    STN_FUSED_FETCH(stn_p##at##_codes + stn_at)                                                    \
    STN_FUSED_BY(STN_FUSED_IN, T, stn_p##at, format)
#define STN_FUSED_READ_INOUT(T, at, name, format)                                                  \
    STN_FUSED_FETCH(stn_p##at##_codes + stn_at)                                                    \
    STN_FUSED_BY(STN_FUSED_INOUT, T, stn_p##at, format)
#define STN_FUSED_READ_OUT(T, at, name, format)                                                    \
    STN_FUSED_FETCH(stn_p##at##_codes + stn_at)                                                    \
    STN_FUSED_BY(STN_FUSED_OUT, T, stn_p##at, format)
#define STN_FUSED_IN_YES(T, name, format)                                                          \
    const stn_##T *STN_KERNEL_RESTRICT const name = name##_codes + stn_at;
#define STN_FUSED_IN_NO(T, name, format)                                                           \
    const stn_##T *const name = name##_room;                                                       \
    stn_read_run_##T##_##format(name##_room, name##_codes + stn_at, stn_some, stn_zero_##T(),      \
                                STN_FUSED_SCALE_##T(name));
#define STN_FUSED_INOUT_YES(T, name, format)                                                       \
    stn_##T *STN_KERNEL_RESTRICT const name = name##_codes + stn_at;
#define STN_FUSED_INOUT_NO(T, name, format)                                                        \
    stn_##T *const name = name##_room;                                                             \
    stn_read_run_##T##_##format(name##_room, name##_codes + stn_at, stn_some, stn_zero_##T(),      \
                                STN_FUSED_SCALE_##T(name));
#define STN_FUSED_OUT_YES(T, name, format)              STN_FUSED_INOUT_YES(T, name, format)
#define STN_FUSED_OUT_NO(T, name, format)                                                          \
    stn_##T *const name = name##_room;

#define STN_FUSED_AFTER_REAL(T, at, name)
#define STN_FUSED_AFTER_INDEX(T, at, name)
#define STN_FUSED_AFTER_BITS(T, at, name)
#define STN_FUSED_AFTER_AT(T, at, ...)
#define STN_FUSED_AFTER_IN(T, at, name, format)
#define STN_FUSED_AFTER_INOUT(T, at, name, format)      STN_FUSED_BY(STN_FUSED_DONE, T, stn_p##at, format)
#define STN_FUSED_AFTER_OUT(T, at, name, format)        STN_FUSED_BY(STN_FUSED_DONE, T, stn_p##at, format)
#define STN_FUSED_DONE_YES(T, name, format)
#define STN_FUSED_DONE_NO(T, name, format)              STN_FUSED_UNSCALE_##T(name[stn_k], name)

#define STN_FUSED_WRITE_REAL(T, at, name)
#define STN_FUSED_WRITE_INDEX(T, at, name)
#define STN_FUSED_WRITE_BITS(T, at, name)
#define STN_FUSED_WRITE_AT(T, at, ...)
#define STN_FUSED_WRITE_IN(T, at, name, format)
#define STN_FUSED_WRITE_INOUT(T, at, name, format)      STN_FUSED_BY(STN_FUSED_KEEP, T, stn_p##at, format)
#define STN_FUSED_WRITE_OUT(T, at, name, format)        STN_FUSED_BY(STN_FUSED_PUT, T, stn_p##at, format)
#define STN_FUSED_PUT_YES(T, name, format)
#define STN_FUSED_PUT_NO(T, name, format)                                                          \
    stn_write_run_##T##_##format(name##_codes + stn_at, name##_room, stn_some,                     \
                                 stn_##T##_negate(stn_zero_##T()), stn_one_##T(),                  \
                                 STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0);

/* What was read and is stored again stays as it is: only infinities and NaN would not by themselves,
 * where launches take a fused loop. */
#define STN_FUSED_KEEP_YES(T, name, format)
#define STN_FUSED_KEEP_NO(T, name, format)                                                         \
    {                                                                                              \
        stn_##T stn_was[STN_TILE_ELEMENTS];                                                        \
        stn_##format stn_codes[STN_TILE_ELEMENTS];                                                 \
        const int stn_odd = stn_are_odd_##T(name##_room, stn_some);                                \
        if (stn_odd) {                                                                             \
            __builtin_memcpy(stn_codes, name##_codes + stn_at,                                     \
                             (size_t)stn_some * sizeof *stn_codes);                                \
            stn_read_run_##T##_##format(stn_was, stn_codes, stn_some, stn_zero_##T(), stn_one_##T());\
        }                                                                                          \
        STN_FUSED_PUT_NO(T, name, format)                                                          \
        for (int64_t stn_k = 0; stn_odd && stn_k < stn_some; stn_k++)                              \
            if (stn_is_kept_##T(stn_was[stn_k], name##_room[stn_k]))                               \
                name##_codes[stn_at + stn_k] = stn_codes[stn_k];                                   \
    }

#define STN_FUSED_GIVE_REAL(T, at, name)                , stn_p##at
#define STN_FUSED_GIVE_INDEX(T, at, name)               , stn_p##at
#define STN_FUSED_GIVE_BITS(T, at, name)                , stn_p##at
#define STN_FUSED_GIVE_AT(T, at, ...)                                                              \
    STN_EACH_NAME(STN_FUSED_GIVE_NAME, at, __VA_ARGS__)
#define STN_FUSED_GIVE_NAME(at, d, name)                    , stn_i[d] + stn_d[d] * (stn_at + stn_k)
#define STN_FUSED_GIVE_IN(T, at, name, format)          , stn_p##at[stn_k]
#define STN_FUSED_GIVE_INOUT(T, at, name, format)       , stn_p##at + stn_k
#define STN_FUSED_GIVE_OUT(T, at, name, format)         , stn_p##at + stn_k STN_GIVE_FLAG(at)
/* clang-format on */
/** @endcond */

#endif
