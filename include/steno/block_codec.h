/** @file
 * Scalar codecs of the block formats: blocks of `bfp8` to `nvfp4` (block_format.h) are read by
 * element and decoded and encoded as a whole.
 *
 * The header needs no library. It is valid C11, C++11, CUDA C++, HIP, and OpenCL C 1.2 on devices
 * with double. The results have the bits of the library; the program must be compiled without
 * unsafe floating-point optimizations. Codes and scales can be at any address. In OpenCL C, they
 * are in the address space STN_BLOCK_MEMORY, which a program may define before it includes this
 * header.
 *
 * @code
 * // element j of row i of a view with separate scales: see stn_view_blocks()
 * const int64_t block = i * row_blocks + j / stn_block_elements(STN_MXFP4);
 * x = stn_block_read(STN_MXFP4, codes + block * code_step, scales + block * scale_step,
 *                    j % stn_block_elements(STN_MXFP4));
 * @endcode
 */
#ifndef STENO_BLOCK_CODEC_H
#define STENO_BLOCK_CODEC_H

#include "steno/codec.h"

#ifdef STN_HAVE_DOUBLE

/** Address space of codes and scales: `__global` in OpenCL C, otherwise nothing. */
#    ifndef STN_BLOCK_MEMORY
#        ifdef STN_OPENCL
#            define STN_BLOCK_MEMORY __global
#        else
#            define STN_BLOCK_MEMORY
#        endif
#    endif

/** Largest number of elements of a block. */
#    define STN_BLOCK_ELEMENTS 32

/** Returns the number of elements of a block of `format`. */
STN_FN int stn_block_elements(int format_) { return format_ == STN_NVFP4 ? 16 : 32; }

/** Returns the bits of an element of `format`. */
STN_FN int stn_block_bits(int format_)
{
    return format_ == STN_BFP32                                     ? 32
           : format_ == STN_BFP16                                   ? 16
           : format_ == STN_MXFP6_E3M2 || format_ == STN_MXFP6_E2M3 ? 6
           : format_ == STN_MXFP4 || format_ == STN_NVFP4           ? 4
                                                                    : 8;
}

/** @cond INTERNAL */
STN_FN int stn_block_is_integer(int format_)
{
    return format_ <= STN_BFP32 || format_ == STN_MXINT8;
}

STN_FN int stn_block_fraction(int format_)
{
    return format_ == STN_MXFP8_E4M3 || format_ == STN_MXFP6_E2M3   ? 3
           : format_ == STN_MXFP8_E5M2 || format_ == STN_MXFP6_E3M2 ? 2
                                                                    : 1;
}

/* Exponents of the spacing of subnormal elements, or of integers, and of the largest power of two.
 */
STN_FN int stn_block_lowest(int format_)
{
    return format_ == STN_MXFP8_E4M3   ? -9
           : format_ == STN_MXFP8_E5M2 ? -16
           : format_ == STN_MXFP6_E3M2 ? -4
           : format_ == STN_MXFP6_E2M3 ? -3
           : format_ == STN_MXINT8     ? -6
           : format_ <= STN_BFP32      ? 0
                                       : -1;
}
STN_FN int stn_block_top(int format_)
{
    return format_ == STN_MXFP8_E4M3   ? 8
           : format_ == STN_MXFP8_E5M2 ? 15
           : format_ == STN_MXFP6_E3M2 ? 4
           : format_ == STN_MXINT8     ? 0
                                       : 2;
}

STN_FN double stn_block_power(int exponent_)
{
    if (exponent_ < -1074)
        return 0.0;
    return stn_f64_of_bits(exponent_ > 1023    ? (stn_u64)0x7ff << 52
                           : exponent_ < -1022 ? (stn_u64)1 << (exponent_ + 1074)
                                               : (stn_u64)(exponent_ + 1023) << 52);
}

STN_FN double stn_block_nan(void) { return stn_f64_of_bits((stn_u64)0x7ff8 << 48); }

/* The exponent of the leading bit of a positive number. */
STN_FN int stn_block_exponent(stn_u64 bits_)
{
    int exponent_ = (int)(bits_ >> 52) - 1023;
    if (exponent_ == -1023)
        for (exponent_ = -1075; bits_; bits_ >>= 1)
            exponent_++;
    return exponent_;
}

STN_FN double stn_block_scale(int format_, STN_BLOCK_MEMORY const stn_u8 *scale_)
{
    const int both_ = format_ <= STN_BFP32 ? scale_[0] | scale_[1] << 8 : 0;
    const int exponent_ = both_ < 0x8000 ? both_ : both_ - 0x10000;
    stn_e4m3 small_;
    if (format_ <= STN_BFP32)
        return exponent_ == 0x7fff ? stn_block_nan() : stn_block_power(exponent_);
    if (format_ != STN_NVFP4)
        return *scale_ == 0xff ? stn_block_nan() : stn_block_power(*scale_ - 127);
    small_.bits = *scale_;
    return stn_e4m3_to_f64(small_);
}

/* The code of element k, which does not extend beyond the block. */
STN_FN stn_u32 stn_block_code(int format_, STN_BLOCK_MEMORY const stn_u8 *codes_, int k_)
{
    const int bits_ = stn_block_bits(format_), at_ = k_ * bits_;
    const int bytes_ = (at_ % 8 + bits_ + 7) / 8;
    stn_u32 code_ = 0;
    int byte_;
    for (byte_ = 0; byte_ < bytes_; byte_++)
        code_ |= (stn_u32)codes_[at_ / 8 + byte_] << 8 * byte_;
    return bits_ == 32 ? code_ : code_ >> at_ % 8 & (((stn_u32)1 << bits_) - 1);
}

/* The value of a code without scale. */
STN_FN double stn_block_element(int format_, stn_u32 code_)
{
    const int bits_ = stn_block_bits(format_), fraction_ = stn_block_fraction(format_);
    const int lowest_ = stn_block_lowest(format_);
    const stn_u32 half_ = (stn_u32)1 << (bits_ - 1), magnitude_ = code_ & (half_ - 1);
    double value_;
    if (stn_block_is_integer(format_))
        return (double)((stn_i64)(code_ ^ half_) - (stn_i64)half_) * stn_block_power(lowest_);
    if ((format_ == STN_MXFP8_E4M3 && magnitude_ == 0x7f) ||
        (format_ == STN_MXFP8_E5M2 && magnitude_ > 0x7c))
        return stn_block_nan();
    if (format_ == STN_MXFP8_E5M2 && magnitude_ == 0x7c)
        value_ = stn_block_power(1024);
    else if (magnitude_ >> fraction_ == 0)
        value_ = (double)magnitude_ * stn_block_power(lowest_);
    else
        value_ = stn_f64_of_bits(((stn_u64)magnitude_ << (52 - fraction_)) +
                                 ((stn_u64)(lowest_ + fraction_ + 1022) << 52));
    return code_ & half_ ? -value_ : value_;
}

/* Rounds a magnitude below 2^51 to an integer: adds 1.5 * 2^52. */
STN_FN stn_u32 stn_block_round(double magnitude_)
{
    return (stn_u32)(stn_bits_of_f64(magnitude_ + 6755399441055744.0) & 0xffffffffu);
}

/* The nearest code of a value that is divided by its scale. */
STN_FN stn_u32 stn_block_nearest(int format_, double value_)
{
    const int bits_ = stn_block_bits(format_), fraction_ = stn_block_fraction(format_);
    const stn_u32 sign_ = (stn_u32)(stn_bits_of_f64(value_) >> 63) << (bits_ - 1);
    const stn_u32 highest_ = format_ == STN_MXFP8_E4M3   ? 0x7e
                             : format_ == STN_MXFP8_E5M2 ? 0x7b
                                                         : ((stn_u32)1 << (bits_ - 1)) - 1;
    const double magnitude_ = sign_ ? -value_ : value_;
    const int lowest_ = stn_block_lowest(format_);
    int above_;
    if (magnitude_ >= stn_block_element(format_, highest_))
        return stn_block_is_integer(format_) && sign_ ? 2 * sign_ - highest_ : sign_ | highest_;
    if (stn_block_is_integer(format_)) {
        const stn_u32 code_ = stn_block_round(magnitude_ * stn_block_power(-lowest_));
        return sign_ ? (2 * sign_ - code_) & (2 * sign_ - 1) : code_;
    }
    if (magnitude_ == 0.0)
        return sign_;
    above_ = stn_block_exponent(stn_bits_of_f64(magnitude_)) - lowest_ - fraction_;
    above_ = above_ < 0 ? 0 : above_;
    return sign_ | (((stn_u32)above_ << fraction_) +
                    stn_block_round(magnitude_ * stn_block_power(-lowest_ - above_)));
}

/* The bits of the largest magnitude; those of infinity or more if a value is not finite. */
STN_FN stn_u64 stn_block_largest(const double *values_, int count_)
{
    stn_u64 largest_ = 0;
    int k_;
    for (k_ = 0; k_ < count_; k_++) {
        const stn_u64 bits_ = stn_bits_of_f64(values_[k_]) & (((stn_u64)1 << 63) - 1);
        largest_ = bits_ > largest_ ? bits_ : largest_;
    }
    return largest_;
}

/* The exponent of the scale, which is a power of two. */
STN_FN int stn_block_exponent_for(int format_, stn_u64 largest_)
{
    const int bits_ = stn_block_bits(format_);
    int exponent_;
    double code_;
    if (format_ > STN_BFP32) {
        exponent_ = largest_ == 0 ? -127 : stn_block_exponent(largest_) - stn_block_top(format_);
        return exponent_ < -127 ? -127 : exponent_ > 127 ? 127 : exponent_;
    }
    if (largest_ == 0)
        return 0;
    exponent_ = stn_block_exponent(largest_) - (bits_ - 2);
    exponent_ = exponent_ < -1074 ? -1074 : exponent_;
    code_ = stn_f64_of_bits(largest_) * stn_block_power(-exponent_ / 2) *
            stn_block_power(-exponent_ - -exponent_ / 2);
    return code_ < stn_block_power(bits_ - 1) - 0.5 || exponent_ + bits_ - 1 == 1024
               ? exponent_
               : exponent_ + 1;
}

/* Stores the scale and returns its exponent; for nvfp4, 0. */
STN_FN int stn_block_put_scale(int format_, STN_BLOCK_MEMORY stn_u8 *scale_, stn_u64 largest_)
{
    const int is_finite_ = largest_ < (stn_u64)0x7ff << 52;
    const int exponent_ =
        is_finite_ && format_ != STN_NVFP4 ? stn_block_exponent_for(format_, largest_) : 0;
    if (format_ == STN_NVFP4) {
        *scale_ = is_finite_ ? stn_e4m3_from_f64(stn_f64_of_bits(largest_) / 6.0).bits : 0x7f;
    } else if (format_ > STN_BFP32) {
        *scale_ = (stn_u8)(is_finite_ ? exponent_ + 127 : 0xff);
    } else {
        scale_[0] = (stn_u8)(is_finite_ ? exponent_ & 0xff : 0xff);
        scale_[1] = (stn_u8)(is_finite_ ? exponent_ >> 8 & 0xff : 0x7f);
    }
    return exponent_;
}
/** @endcond */

/** Returns element `k` of a block of `format`, STN_BFP8 to STN_NVFP4, with these `codes` and this
 * `scale`. */
STN_FN double stn_block_read(int format_, STN_BLOCK_MEMORY const stn_u8 *codes_,
                             STN_BLOCK_MEMORY const stn_u8 *scale_, int k_)
{
    return stn_block_element(format_, stn_block_code(format_, codes_, k_)) *
           stn_block_scale(format_, scale_);
}

/** Decodes a block of `format` with these `codes` and this `scale`: stn_block_elements() `values`.
 */
STN_FN void stn_block_decode(int format_, double *values_, STN_BLOCK_MEMORY const stn_u8 *codes_,
                             STN_BLOCK_MEMORY const stn_u8 *scale_)
{
    const double factor_ = stn_block_scale(format_, scale_);
    int k_;
    for (k_ = 0; k_ < stn_block_elements(format_); k_++)
        values_[k_] = stn_block_element(format_, stn_block_code(format_, codes_, k_)) * factor_;
}

/** @cond INTERNAL */
/* How the values of a block are divided by its scale: by a number, or by a product of two powers of
 * two. */
typedef struct stn_block_division {
    double divisor_, first_, second_;
    int is_zero_; /* all codes are 0: the scale is NaN or 0 */
} stn_block_division;

/* Stores the scale of a block. */
STN_FN stn_block_division stn_block_begin(int format_, STN_BLOCK_MEMORY stn_u8 *scale_,
                                          const double *values_)
{
    const stn_u64 largest_ = stn_block_largest(values_, stn_block_elements(format_));
    const int exponent_ = stn_block_put_scale(format_, scale_, largest_);
    stn_block_division by_;
    by_.divisor_ = format_ == STN_NVFP4 ? stn_block_scale(format_, scale_) : 1.0;
    by_.first_ = stn_block_power(-exponent_ / 2);
    by_.second_ = stn_block_power(-exponent_ - -exponent_ / 2);
    by_.is_zero_ = largest_ >= (stn_u64)0x7ff << 52 || !(by_.divisor_ > 0.0);
    return by_;
}

STN_FN stn_u32 stn_block_code_of(int format_, stn_block_division by_, double value_)
{
    return stn_block_nearest(format_, by_.is_zero_           ? 0.0
                                      : format_ == STN_NVFP4 ? value_ / by_.divisor_
                                                             : value_ * by_.first_ * by_.second_);
}
/** @endcond */

/** Encodes `values` as a block of `format`: sets all `codes` and the `scale`. */
STN_FN void stn_block_encode(int format_, STN_BLOCK_MEMORY stn_u8 *codes_,
                             STN_BLOCK_MEMORY stn_u8 *scale_, const double *values_)
{
    const int count_ = stn_block_elements(format_), bits_ = stn_block_bits(format_);
    const stn_block_division by_ = stn_block_begin(format_, scale_, values_);
    int k_, byte_, at_ = 0;
    stn_u64 pending_ = 0; /* bits that do not fill a byte yet */
    for (k_ = 0, byte_ = 0; k_ < count_; k_++) {
        pending_ |= (stn_u64)stn_block_code_of(format_, by_, values_[k_]) << at_;
        for (at_ += bits_; at_ >= 8; at_ -= 8, pending_ >>= 8)
            codes_[byte_++] = (stn_u8)(pending_ & 0xff);
    }
}

#endif

#endif
