/* Runs of contiguous elements: stn_read_run_f64_f16 and stn_write_run_f64_f16 for every pair of
 * value.h, with the same bits, and with scale and zero point. */
#ifndef STENO_ACCESSOR_RUN_H
#define STENO_ACCESSOR_RUN_H

#include "steno/detail/accessor/index.h"
#include "steno/detail/accessor/value.h"
#include "steno/detail/accessor/vectors.h"

/* The statement for `at_` from k_ up to count_. gcc -O2 vectorizes loops with a constant number of
 * steps only; clang vectorizes any loop except nested ones. */
#if defined(__GNUC__) && !defined(__clang__)
#    define STN_FOR_EACH(...)                                                                      \
        for (; count_ - k_ >= 32; k_ += 32)                                                        \
            for (int j_ = 0; j_ < 32; j_++) {                                                      \
                const stn_size at_ = k_ + j_;                                                      \
                __VA_ARGS__                                                                        \
            }                                                                                      \
        for (; k_ < count_; k_++) {                                                                \
            const stn_size at_ = k_;                                                               \
            __VA_ARGS__                                                                            \
        }
#else
#    define STN_FOR_EACH(...)                                                                      \
        for (; k_ < count_; k_++) {                                                                \
            const stn_size at_ = k_;                                                               \
            __VA_ARGS__                                                                            \
        }
#endif

/* Scales and zero points exist in floating-point arithmetic. Without them, they are constants that
 * change no bit, not even the sign of -0, and compilers remove the operations. */
#define STN_SCALE_READ_f64(v)   (((v)-stn_zero) * stn_scale)
#define STN_SCALE_READ_f32(v)   (((v)-stn_zero) * stn_scale)
#define STN_SCALE_READ_i64(v)   (v)
#define STN_SCALE_READ_c128(v)  (v)
#define STN_SCALE_READ_c64(v)   (v)
#define STN_SCALE_WRITE_f64(v)  ((v) / stn_scale + stn_zero)
#define STN_SCALE_WRITE_f32(v)  ((v) / stn_scale + stn_zero)
#define STN_SCALE_WRITE_i64(v)  (v)
#define STN_SCALE_WRITE_c128(v) (v)
#define STN_SCALE_WRITE_c64(v)  (v)

#define STN_READ_RUN(real, format)                                                                 \
    STN_FN void stn_read_run_##real##_##format(                                                    \
        stn_##real *STN_NO_ALIAS values_, const STN_MEM stn_##format *STN_NO_ALIAS codes_,         \
        stn_size count_, stn_##real stn_zero, stn_##real stn_scale)                                \
    {                                                                                              \
        stn_size k_ = 0;                                                                           \
        (void)stn_zero, (void)stn_scale;                                                           \
        STN_FOR_EACH(values_[at_] =                                                                \
                         STN_SCALE_READ_##real(stn_read_##real##_##format(codes_[at_]));)          \
    }
#define STN_WRITE_RUN(real, format)                                                                \
    STN_FN void stn_write_run_##real##_##format(                                                   \
        STN_MEM stn_##format *STN_NO_ALIAS codes_, const stn_##real *STN_NO_ALIAS values_,         \
        stn_size count_, stn_##real stn_zero, stn_##real stn_scale, STN_RULES)                     \
    {                                                                                              \
        stn_size k_ = 0;                                                                           \
        (void)stn_zero, (void)stn_scale;                                                           \
        STN_FOR_EACH(codes_[at_] = stn_write_##real##_##format(                                    \
                         STN_SCALE_WRITE_##real(values_[at_]), rounding_, overflow_, seed_,        \
                         index_ + (stn_u64)at_);)                                                  \
    }

/* Runs of 8- and 16-bit formats by the functions of vectors.h for eight or sixteen elements. */
#ifdef STN_HAVE_VECTORS
#    define STN_READ_RUN_BY(real, format, ...)                                                     \
        STN_FN void stn_read_run_##real##_##format(                                                \
            stn_##real *STN_NO_ALIAS values_, const stn_##format *STN_NO_ALIAS codes_,             \
            stn_size count_, stn_##real stn_zero, stn_##real stn_scale)                            \
        {                                                                                          \
            stn_size k_ = 0;                                                                       \
            __VA_ARGS__                                                                            \
            for (; k_ < count_; k_++)                                                              \
                values_[k_] = STN_SCALE_READ_##real(stn_read_##real##_##format(codes_[k_]));       \
        }
#    define STN_READ_RUN_NARROW(real, format, width)                                               \
        STN_READ_RUN_BY(real, format,                                                              \
                        for (; count_ - k_ >= 16; k_ += 16)                                        \
                            stn_put_floats_##real(values_ + k_, codes_ + k_, width,                \
                                                  stn_##format##_kind(), stn_zero, stn_scale);)
#    define STN_READ_RUN_INTEGER(real, format, width, is_signed)                                   \
        STN_READ_RUN_BY(real, format,                                                              \
                        for (; count_ - k_ >= 16; k_ += 16) stn_put_integers_##real(               \
                            values_ + k_, codes_ + k_, width, is_signed, stn_zero, stn_scale);)
#    define STN_WRITE_RUN_NARROW(real, format, width)                                              \
        STN_FN void stn_write_run_##real##_##format(                                               \
            stn_##format *STN_NO_ALIAS codes_, const stn_##real *STN_NO_ALIAS values_,             \
            stn_size count_, stn_##real stn_zero, stn_##real stn_scale, STN_RULES)                 \
        {                                                                                          \
            const stn_float_kind kind_ = stn_##format##_kind();                                    \
            stn_size k_ = 0;                                                                       \
            if (stn_can_write_sixteen(kind_, rounding_, overflow_))                                \
                for (; count_ - k_ >= 16; k_ += 16)                                                \
                    stn_write_sixteen(codes_ + k_,                                                 \
                                      stn_get_sixteen_##real(values_ + k_, stn_zero, stn_scale),   \
                                      kind_);                                                      \
            STN_FOR_EACH(codes_[at_] = stn_write_##real##_##format(                                \
                             STN_SCALE_WRITE_##real(values_[at_]), rounding_, overflow_, seed_,    \
                             index_ + (stn_u64)at_);)                                              \
        }
#else
#    define STN_READ_RUN_NARROW(real, format, width)             STN_READ_RUN(real, format)
#    define STN_READ_RUN_INTEGER(real, format, width, is_signed) STN_READ_RUN(real, format)
#    define STN_WRITE_RUN_NARROW(real, format, width)            STN_WRITE_RUN(real, format)
#endif

#define STN_RUNS(real, format) STN_READ_RUN(real, format) STN_WRITE_RUN(real, format)
#define STN_RUNS_NARROW(real, format, width)                                                       \
    STN_READ_RUN_NARROW(real, format, width) STN_WRITE_RUN_NARROW(real, format, width)
#define STN_RUNS_INTEGER_8(real, format, is_signed)                                                \
    STN_READ_RUN_INTEGER(real, format, 8, is_signed) STN_WRITE_RUN(real, format)
#define STN_RUNS_INTEGER_16(real, format, is_signed)                                               \
    STN_READ_RUN_INTEGER(real, format, 16, is_signed) STN_WRITE_RUN(real, format)
#define STN_RUNS_INTEGER_32(real, format, is_signed)                                               \
    STN_READ_RUN_WORD_##real##_##is_signed(format) STN_WRITE_RUN(real, format)
#define STN_READ_RUN_WORD_f32_0(format) STN_READ_RUN(f32, format)
#define STN_READ_RUN_WORD_f32_1(format) STN_READ_RUN(f32, format)
#define STN_READ_RUN_WORD_f64_1(format) STN_READ_RUN(f64, format)
#if defined(STN_HAVE_VECTORS) && defined(__AVX512F__)
#    define STN_READ_RUN_WORD_f64_0(format)                                                        \
        STN_READ_RUN_BY(f64, format,                                                               \
                        for (; count_ - k_ >= 8; k_ += 8)                                          \
                            stn_put_eight_u32(values_ + k_, codes_ + k_, stn_zero, stn_scale);)
#else
#    define STN_READ_RUN_WORD_f64_0(format) STN_READ_RUN(f64, format)
#endif
#define STN_RUNS_INTEGER_64(real, format, is_signed) STN_RUNS(real, format)

#define STN_RUNS_64(name) STN_IF_DOUBLE(STN_RUNS(f32, name) STN_RUNS(f64, name))
#define STN_RUNS_48(name) STN_RUNS_64(name)
#define STN_RUNS_40(name) STN_RUNS_64(name)
#define STN_RUNS_32(name) STN_RUNS(f32, name) STN_IF_DOUBLE(STN_RUNS(f64, name))
#define STN_RUNS_24(name) STN_RUNS_32(name)
#define STN_RUNS_16(name)                                                                          \
    STN_RUNS_NARROW(f32, name, 16) STN_IF_DOUBLE(STN_RUNS_NARROW(f64, name, 16))
#define STN_RUNS_8(name) STN_RUNS_NARROW(f32, name, 8) STN_IF_DOUBLE(STN_RUNS_NARROW(f64, name, 8))
/* Complex numbers are processed as contiguous parts. They have no scale. */
#define STN_RUNS_OF_PARTS(complex, name, real, part)                                               \
    STN_FN void stn_read_run_##complex##_##name(                                                   \
        stn_##complex *STN_NO_ALIAS values_, const STN_MEM stn_##name *STN_NO_ALIAS codes_,        \
        stn_size count_, stn_##complex stn_zero, stn_##complex stn_scale)                          \
    {                                                                                              \
        (void)stn_zero, (void)stn_scale;                                                           \
        stn_read_run_##real##_##part((stn_##real *)values_, (const STN_MEM stn_##part *)codes_,    \
                                     2 * count_, stn_zero_##real(), stn_one_##real());             \
    }                                                                                              \
    STN_FN void stn_write_run_##complex##_##name(                                                  \
        STN_MEM stn_##name *STN_NO_ALIAS codes_, const stn_##complex *STN_NO_ALIAS values_,        \
        stn_size count_, stn_##complex stn_zero, stn_##complex stn_scale, STN_RULES)               \
    {                                                                                              \
        (void)stn_zero, (void)stn_scale;                                                           \
        stn_write_run_##real##_##part((STN_MEM stn_##part *)codes_, (const stn_##real *)values_,   \
                                      2 * count_, stn_##real##_negate(stn_zero_##real()),          \
                                      stn_one_##real(), rounding_, overflow_, seed_, 2 * index_);  \
    }
#define STN_RUNS_F64(name)                                                                         \
    STN_IF_DOUBLE(STN_RUNS_OF_PARTS(c64, name, f32, f64) STN_RUNS_OF_PARTS(c128, name, f64, f64))
#define STN_RUNS_F32(name)                                                                         \
    STN_RUNS_OF_PARTS(c64, name, f32, f32) STN_IF_DOUBLE(STN_RUNS_OF_PARTS(c128, name, f64, f32))
#define STN_RUNS_F16(name)                                                                         \
    STN_RUNS_OF_PARTS(c64, name, f32, f16) STN_IF_DOUBLE(STN_RUNS_OF_PARTS(c128, name, f64, f16))

#define STN_RUN_FLOAT_ROW(id, NAME, name, bits, ...)   STN_RUNS_##bits(name)
#define STN_RUN_COMPLEX_ROW(id, NAME, name, COMPONENT) STN_RUNS_##COMPONENT(name)
#define STN_RUN_INTEGER_ROW(id, NAME, name, bits, is_signed)                                       \
    STN_RUNS(i64, name)                                                                            \
    STN_RUNS_INTEGER_##bits(f32, name, is_signed)                                                  \
        STN_IF_DOUBLE(STN_RUNS_INTEGER_##bits(f64, name, is_signed))

STN_FORMAT_TABLE(STN_RUN_FLOAT_ROW, STN_RUN_INTEGER_ROW, STN_RUN_COMPLEX_ROW)

#endif
