/** @file
 * Storage formats: their properties, conversion of arrays, and formats that a program registers.
 */
#ifndef STENO_FORMAT_H
#define STENO_FORMAT_H

#include "steno/detail/macro_check.h"
#include "steno/codec.h"
#include "steno/complex.h"
#include "steno/status.h"

STN_BEGIN_DECLS

#ifdef STN_DOXYGEN
/** Ids of the formats of the library. */
enum {
    STN_F64 = 0,    /**< 64-bit float; also an arithmetic type. */
    STN_F32 = 1,    /**< 32-bit float; also an arithmetic type. */
    STN_F16 = 2,    /**< 16-bit float of IEEE 754: 5 bits of exponent, 10 of fraction. */
    STN_BF16 = 3,   /**< 16-bit float: 8 bits of exponent, 7 of fraction. */
    STN_E4M3 = 4,   /**< 8-bit float of OCP: 4 bits of exponent, 3 of fraction, no infinity. */
    STN_I8 = 5,     /**< Signed integer of 8 bits. */
    STN_U8 = 6,     /**< Unsigned integer of 8 bits. */
    STN_I16 = 7,    /**< Signed integer of 16 bits. */
    STN_U16 = 8,    /**< Unsigned integer of 16 bits. */
    STN_I32 = 9,    /**< Signed integer of 32 bits. */
    STN_U32 = 10,   /**< Unsigned integer of 32 bits. */
    STN_I64 = 11,   /**< Signed integer of 64 bits; also an arithmetic type. */
    STN_U64 = 12,   /**< Unsigned integer of 64 bits. */
    STN_C128 = 13,  /**< Complex number of two f64; also an arithmetic type. */
    STN_C64 = 14,   /**< Complex number of two f32; also an arithmetic type. */
    STN_C32 = 15,   /**< Complex number of two f16. */
    STN_E5M2 = 16,  /**< 8-bit float of OCP: 5 bits of exponent, 2 of fraction. */
    STN_F24 = 17,   /**< 24-bit float: 8 bits of exponent, 15 of fraction; 3 bytes, alignment 1. */
    STN_F40 = 18,   /**< 40-bit float: 11 bits of exponent, 28 of fraction; 5 bytes, alignment 1. */
    STN_F48 = 19,   /**< 48-bit float: 11 bits of exponent, 36 of fraction; 6 bytes, alignment 1. */
    STN_BFP8 = 20,  /**< Blocks of 32 integers of 8 bits with a common power of two. */
    STN_BFP16 = 21, /**< Blocks of 32 integers of 16 bits with a common power of two. */
    STN_BFP32 = 22, /**< Blocks of 32 integers of 32 bits with a common power of two. */
    STN_MXFP8_E4M3 = 23, /**< OCP MX: blocks of 32 e4m3 with an E8M0 scale. */
    STN_MXFP8_E5M2 = 24, /**< OCP MX: blocks of 32 e5m2 with an E8M0 scale. */
    STN_MXFP6_E3M2 = 25, /**< OCP MX: blocks of 32 e3m2, 6 bits each, with an E8M0 scale. */
    STN_MXFP6_E2M3 = 26, /**< OCP MX: blocks of 32 e2m3, 6 bits each, with an E8M0 scale. */
    STN_MXFP4 = 27,      /**< OCP MX: blocks of 32 e2m1, 4 bits each, with an E8M0 scale. */
    STN_MXINT8 = 28,     /**< OCP MX: blocks of 32 integers of 8 bits with an E8M0 scale. */
    STN_NVFP4 = 29       /**< Blocks of 16 e2m1, 4 bits each, with an e4m3 scale. */
};
#endif

/** Id of a format: STN_F64, ..., or an id from stn_format_register(), stn_format_register_blocks()
 * or stn_format_opaque(). */
typedef int32_t stn_format;

/** Classes of formats. */
typedef enum stn_format_class {
    STN_CLASS_FLOAT = 0,      /**< Floats. */
    STN_CLASS_INTEGER = 1,    /**< Integers. */
    STN_CLASS_COMPLEX = 2,    /**< Complex numbers. */
    STN_CLASS_OPAQUE = 3,     /**< Structs: stored and copied, without arithmetic. */
    STN_CLASS_REGISTERED = 4, /**< Codec functions of the program. */
    STN_CLASS_BLOCK = 5       /**< Blocks of elements with a common scale (block_format.h). */
} stn_format_class;

/** Properties of a format. */
typedef struct stn_format_info {
    size_t size;           /**< Size of this struct in bytes. */
    stn_format format;     /**< Id. */
    stn_format_class kind; /**< Class. */
    stn_format component;  /**< Format of the parts of a complex format; STN_F64 for a block format,
                            * whose elements are decoded to it; otherwise the format. */
    const char *name;      /**< Name, such as "f16". */
    int64_t bytes;         /**< Size of an element in bytes; 8 for a block format. */
    int64_t alignment;     /**< Alignment of an element in bytes. */
    int bits;              /**< Bits of an element without padding. */
    int exponent_bits;     /**< Floats and complex formats: bits of the exponent; block formats:
                            * bits of the exponent of a scale; otherwise 0. */
    int fraction_bits;     /**< Floats and complex formats: bits of the fraction; otherwise 0. */
    int is_signed;         /**< 1 if the format has negative values. */
    double highest;        /**< Largest finite value; 2^63 and 2^64 for i64 and u64. */
    double lowest;         /**< Smallest finite value. */
    double smallest;       /**< Smallest positive value; 1 for integers. */
    double epsilon;        /**< Spacing of the values above 1; 1 for integers; block formats: the
                            * spacing below the largest element of a block, relative to it. */
    int64_t block_elements; /**< Elements of a block; 1 unless it is a block format. */
    int64_t block_bytes;    /**< Bytes of a block including its scale; otherwise `bytes`. */
} stn_format_info;
/** Initializer of stn_format_info. */
#define STN_FORMAT_INFO_INIT STN_INIT(stn_format_info)

/** Returns the properties of a `format` in `info`, whose size must be set.
 * @retval STN_ERR_ARGUMENT  info is NULL or its size is invalid
 * @retval STN_ERR_FORMAT    no format has this id */
STN_API stn_status stn_format_describe(stn_format format, stn_format_info *info);

/** Returns the number of formats, built-in and registered. Ids are from 0 to this number minus 1.
 */
STN_API int32_t stn_format_count(void);
/** Returns the id of the format with a `name`, such as "f16", in `format`. If no format has the
 * name, the message of STN_ERR_FORMAT lists the known names. */
STN_API stn_status stn_format_find(const char *name, stn_format *format);

/** Codec of a format that a program registers.
 *
 * Each function converts contiguous elements. Several threads may call it at the same time.
 * Floating-point modes that it changes are restored. `decode` must be exact or rounded once.
 * `encode` receives values that are divided by the scale and shifted by the zero point; it defines
 * its own rounding and overflow.
 *
 * `device_text` contains both functions for compilers of devices, in the common part of C, OpenCL C
 * and CUDA C++ with the types of codec.h. A code is an unsigned integer of its size, which must be
 * 1, 2, 4 or 8 bytes with the same alignment:
 *
 * @code
 * STN_FN stn_f64 decode(stn_u16 code) { return (stn_f64)code / 256; }
 * STN_FN stn_u16 encode(stn_f64 value) { ... }
 * @endcode
 *
 * Other names in the text must be unique. Without a text, devices cannot use views in the format.
 */
typedef struct stn_format_codec {
    size_t size;       /**< Size of this struct in bytes. */
    const char *name;  /**< Letters, digits, '_' and '-'; copied. */
    int64_t bytes;     /**< Size of an element in bytes. */
    int64_t alignment; /**< Alignment: a power of two that divides bytes. */
    /** Decodes `count` codes. */
    void (*decode)(double *values, const void *codes, int64_t count, void *context);
    /** Encodes `count` values. */
    void (*encode)(void *codes, const double *values, int64_t count, void *context);
    void *context;           /**< Passed to both functions. */
    const char *device_text; /**< Text for devices, copied; or NULL. */
} stn_format_codec;
/** Initializer of stn_format_codec. */
#define STN_FORMAT_CODEC_INIT STN_INIT(stn_format_codec)

/** Registers a format for the life of the process.
 * @param[out] format  id of the new format
 * @param codec        the codec
 * @retval STN_ERR_ARGUMENT     the codec is invalid
 * @retval STN_ERR_UNSUPPORTED  it has a text for devices, and codes of another size than 1, 2, 4 or
 *                              8
 * @retval STN_ERR_FORMAT       a format of this name exists
 * @retval STN_ERR_RANGE        there are 1024 formats already */
STN_API stn_status stn_format_register(stn_format *format, const stn_format_codec *codec);

/** Returns in `format` the id of the format of structs with a given size in `bytes` and
 * `alignment`: the same id for the same pair. Such elements can be stored and copied.
 * @retval STN_ERR_ARGUMENT  the size or the alignment is invalid, or format is NULL
 * @retval STN_ERR_RANGE     there are 1024 formats already */
STN_API stn_status stn_format_opaque(stn_format *format, int64_t bytes, int64_t alignment);

/** Counts of events while values are stored. The library adds to them atomically and never resets
 * them. */
typedef struct stn_counters {
    int64_t saturated;   /**< Values beyond the largest finite one, without stored infinities. */
    int64_t underflowed; /**< Nonzero values that were stored as zero, not as subnormals. */
    int64_t nan;         /**< NaN. */
} stn_counters;

/** Storage of the values of an array: value = scale * (code - zero). */
typedef struct stn_storage {
    stn_format format;      /**< Format of the codes. */
    stn_rounding rounding;  /**< Rounding of stored values. */
    stn_overflow overflow;  /**< Result for values beyond the largest finite one. */
    double scale;           /**< Finite and not 0; stn_storage_of() sets 1. */
    double zero;            /**< Zero point: finite, in units of the code. */
    uint64_t seed;          /**< Stochastic rounding: seed. The element's index is the counter. */
    stn_counters *counters; /**< Counts events; NULL: no counting. */
} stn_storage;

/** Returns storage in `format` with scale 1, zero point 0, rounding to nearest and the overflow
 * rule of the format. */
STN_FN stn_storage stn_storage_of(stn_format format_)
{
    stn_storage storage_;
    storage_.format = format_;
    storage_.rounding = STN_ROUND_NEAREST;
    storage_.overflow = STN_OVERFLOW_DEFAULT;
    storage_.scale = 1.0;
    storage_.zero = 0.0;
    storage_.seed = 0;
    storage_.counters = NULL;
    return storage_;
}

/** Decodes an array.
 *
 * In f64, f32, c128 and c64, the code is rounded once to the arithmetic type, then the zero point
 * is subtracted and the scale multiplied, each rounded to nearest. Without scale and zero point,
 * decoding is exact if the arithmetic type can represent the value. In i64, the computation is
 * modulo 2^64: codes of u64 from 2^63 on are negative values there, which matters to comparisons,
 * but not to sums and differences.
 *
 * @param arithmetic   type of the values: STN_F64 and STN_F32 match every real format, STN_C128 and
 *                     STN_C64 every complex one, STN_I64 integers with scale 1 and an integer zero
 *                     point
 * @param[out] values  `count` values
 * @param storage      storage of the codes
 * @param codes        the first code; codes and values must not overlap
 * @param stride       distance between codes in elements, of any sign
 * @param count        number of elements
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, count is negative, or the storage is invalid
 * @retval STN_ERR_FORMAT       the format is invalid
 * @retval STN_ERR_UNSUPPORTED  the format does not match the arithmetic type
 * @retval STN_ERR_ALIAS        codes and values overlap
 * @retval STN_ERR_RANGE        the span of the codes exceeds the address space */
STN_API stn_status stn_decode(stn_format arithmetic, void *values, const stn_storage *storage,
                              const void *codes, int64_t stride, int64_t count);

/** Encodes an array: the reverse of stn_decode(), with the same parameters and errors.
 *
 * The value is divided by the scale and the zero point is added, each rounded to nearest in the
 * arithmetic type. The result is rounded once to the format, by the rules of the storage. In i64,
 * the zero point is added; i64 and u64 store the sum modulo 2^64, other formats saturate.
 *
 * `first` is the index of the first element for stochastic rounding: element k uses
 * stn_rounding_bits(seed, first + k), part p of a complex element 2 * (first + k) + p. Stride 0,
 * which would store several values in one element, is STN_ERR_ALIAS. */
STN_API stn_status stn_encode(stn_format arithmetic, const stn_storage *storage, void *codes,
                              int64_t stride, int64_t first, const void *values, int64_t count);

/** Sets the scale with which all values fit the finite range of the format.
 *
 * NaN and infinities are skipped. If all values are zero, the scale is 1. The scale is not less
 * than the smallest normal number of the arithmetic type.
 *
 * @param[in,out] storage  the storage; its zero point must be 0
 * @param arithmetic       type of the values: STN_F64 or STN_F32
 * @param values           `count` values
 * @param count            number of values
 * @param choice           kind of scale
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, count is negative, or `choice` is invalid
 * @retval STN_ERR_UNSUPPORTED  the format has no known range, another arithmetic type, or a zero
 *                              point
 * @retval STN_ERR_RANGE        a value is negative, and the format is unsigned */
STN_API stn_status stn_storage_fit_scale(stn_storage *storage, stn_format arithmetic,
                                         const void *values, int64_t count,
                                         stn_scale_choice choice);

STN_END_DECLS

#endif
