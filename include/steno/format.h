/* Storage formats: what is known of each, encoding and decoding of whole runs, and formats that a
 * program registers. */
#ifndef STENO_FORMAT_H
#define STENO_FORMAT_H

#include "steno/detail/macro_check.h"
#include "steno/codec.h"
#include "steno/complex.h"
#include "steno/status.h"

STN_BEGIN_DECLS

/* STN_F64, ... of format_table.h, or an id from stn_format_register or stn_format_opaque. */
typedef int32_t stn_format;

typedef enum stn_format_class {
    STN_CLASS_FLOAT = 0,
    STN_CLASS_INTEGER = 1,
    STN_CLASS_COMPLEX = 2,
    STN_CLASS_OPAQUE = 3,    /* stored and moved, never computed with */
    STN_CLASS_REGISTERED = 4 /* codec functions of the program's own */
} stn_format_class;

typedef struct stn_format_info {
    size_t size; /* of this struct */
    stn_format format;
    stn_format_class kind;
    stn_format component; /* of a complex format; else the format itself */
    const char *name;
    int64_t bytes, alignment;         /* of one element */
    int bits;                         /* of one element, padding left out */
    int exponent_bits, fraction_bits; /* floats and their complex; else 0 */
    int is_signed;
    double highest; /* largest finite value; 2^63 and 2^64 stand for the one below in i64 and u64 */
    double lowest;  /* smallest finite value */
    double smallest; /* smallest positive value; 1 for integers */
    double epsilon;  /* spacing of the values above 1; 1 for integers */
} stn_format_info;

/* Everything known about a format. STN_ERR_FORMAT when there is none of this id. */
STN_API stn_status stn_format_describe(stn_format format, stn_format_info *info);

/* Number of formats there are, built in and registered; ids run from 0 to one less. */
STN_API int32_t stn_format_count(void);

/* Id of the format of this name ("f16", "bf16", ...). STN_ERR_FORMAT names the known ones. */
STN_API stn_status stn_format_find(const char *name, stn_format *format);

/* Codec of a registered format. Each function handles `count` elements, contiguous on both sides,
 * and may be called from several threads at once; floating-point modes that it changes are set
 * again. `decode` must be exact or rounded once; `encode`
 * gets values with scale and zero point already divided out, and rounds and saturates as it sees
 * fit.
 *
 * `device_text` is both as functions for compilers of devices, in what C, OpenCL C and CUDA C++
 * share and the types of steno/codec.h, with a code as an unsigned number of its bytes:
 *     STN_FN stn_f64 decode(stn_u16 code) { return (stn_f64)code / 256; }
 *     STN_FN stn_u16 encode(stn_f64 value) { ... }
 * Codes have 1, 2, 4 or 8 bytes then, aligned to as many, and what else the text names has names
 * of its own. Without one, views in the format are the host's. */
typedef struct stn_format_codec {
    const char *name;         /* letters, digits, '_', '-'; copied */
    int64_t bytes, alignment; /* of one element; alignment a power of two that divides bytes */
    void (*decode)(double *values, const void *codes, int64_t count, void *context);
    void (*encode)(void *codes, const double *values, int64_t count, void *context);
    void *context;           /* handed to both */
    const char *device_text; /* copied; or NULL */
} stn_format_codec;

/* Make a format of the program's own, for the life of the process. STN_ERR_ARGUMENT for an unusable
 * description, STN_ERR_UNSUPPORTED for a text of such codes, STN_ERR_FORMAT when the name is taken,
 * STN_ERR_RANGE after 1024 formats. */
STN_API stn_status stn_format_register(const stn_format_codec *codec, stn_format *format);

/* The format of structs of this size and alignment; the same id for the same pair. Such elements
 * can be stored and moved, not computed with. */
STN_API stn_status stn_format_opaque(int64_t bytes, int64_t alignment, stn_format *format);

/* What happened to the values stored under one stn_storage. Added to atomically; never reset by the
 * library. */
typedef struct stn_counters {
    int64_t saturated;   /* beyond the largest finite value; not infinities stored as such */
    int64_t underflowed; /* nonzero, stored as zero */
    int64_t nan;         /* NaN */
} stn_counters;

/* How the values of an array are stored: value = scale * (code - zero). */
typedef struct stn_storage {
    stn_format format;
    stn_rounding rounding;
    stn_overflow overflow;
    double scale;           /* finite and not 0; stn_storage_of sets 1 */
    double zero;            /* finite; in units of the code */
    uint64_t seed;          /* of stochastic rounding, together with the element's index */
    stn_counters *counters; /* NULL: not counted */
} stn_storage;

/* Storage in `format` with scale 1, zero point 0, rounding to nearest and the format's overflow. */
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

/* Decode `count` elements into `values`, an array of the arithmetic type: f64, f32, i64, c128 or
 * c64.
 *
 * `stride` is the distance between elements in elements, of any sign; codes points at the first
 * one. f64 and f32 take every real format, c128 and c64 every complex one, i64 integers with scale
 * 1 and an integer zero point. In floating point the code is rounded once to the arithmetic type,
 * then the zero point is subtracted, then the scale multiplied, each rounded to nearest: exact
 * without scale and zero wherever the value fits. In i64 all is modulo 2^64: u64 of 2^63 and more
 * are negative values there, which comparisons see, and sums and differences are right. Values and
 * codes must not overlap. Errors: STN_ERR_FORMAT, STN_ERR_ARGUMENT (rules of storing, null
 * pointers, negative count), STN_ERR_UNSUPPORTED (formats that do not go with this arithmetic),
 * STN_ERR_ALIAS, STN_ERR_RANGE (the span of a strided run exceeds the address space). */
STN_API stn_status stn_decode(stn_format arithmetic, void *values, const stn_storage *storage,
                              const void *codes, int64_t stride, int64_t count);

/* Encode `count` values of the arithmetic type: the reverse of stn_decode.
 *
 * The value is divided by the scale and the zero point added, each rounded to nearest in the
 * arithmetic type; the quotient is then rounded once, by the rules of `storage`, to the format. In
 * i64 the zero point is added; i64 and u64 take the sum modulo 2^64, narrower formats saturate.
 * `first` is the index of the first element for stochastic rounding: element k draws from
 * stn_random_bits(seed, first + k), part p of a complex one from 2 * (first + k) + p. Errors as in
 * stn_decode; STN_ERR_ALIAS also when stride 0 would store several values in one element. */
STN_API stn_status stn_encode(stn_format arithmetic, const stn_storage *storage, void *codes,
                              int64_t stride, int64_t first, const void *values, int64_t count);

/* Set the scale with which every one of `count` values fits the format's finite range: the smallest
 * power of two that does (exact to multiply by), or, when `any` is not 0, the exact quotient of the
 * largest magnitude and the format's. Zero points are kept out of it: the storage's must be 0. NaN
 * and infinities are passed over; all zeros give 1; no scale is below the arithmetic's smallest
 * normal number. Arithmetic f64 or f32. STN_ERR_RANGE for negative values in an unsigned format,
 * STN_ERR_UNSUPPORTED (no known range, another arithmetic, a zero point), STN_ERR_ARGUMENT. */
STN_API stn_status stn_storage_fit_scale(stn_storage *storage, stn_format arithmetic,
                                         const void *values, int64_t count, int any);

STN_END_DECLS

#endif
