/* Arithmetic in i64: integer formats decoded to and encoded from int64_t, never through a float.
 *
 * Kernels compute 64-bit integers modulo 2^64, so that storing an unmodified value restores its
 * code and sums and differences of u64 are correct. Copies preserve values: they read codes, as
 * int64_t or as uint64_t, and apply both zero points when they store. */
#ifndef STENO_FORMAT_INTEGER64_H
#define STENO_FORMAT_INTEGER64_H

#include "steno/format.h"

/* Differences of zero points, and codes shifted by them. */
__extension__ typedef __int128 stn_wide;

/* value = code - zero, modulo 2^64. */
void stn_decode_i64(stn_format format, int64_t *values, const void *codes, int64_t count,
                    int64_t zero);

/* code = value + zero: modulo 2^64 in 64-bit formats, saturating in narrower ones; counted if
 * counters is not NULL. */
void stn_encode_i64(stn_format format, void *codes, const int64_t *values, int64_t count,
                    int64_t zero, stn_counters *counters);

/* The same, saturating in every format; `is_unsigned`: values are uint64_t. |zero| is below
 * 2^126. */
void stn_encode_i64_value(stn_format format, void *codes, const int64_t *values, int is_unsigned,
                          int64_t count, stn_wide zero, stn_counters *counters);

/* Converts 64-bit integers to doubles in place so that rounding them to a format is a single
 * rounding: beyond 53 bits, the last bit is sticky. For f64, rounds to nearest or toward
 * zero. */
void stn_widen_integers(void *values, int64_t count, int is_unsigned, stn_format format,
                        stn_rounding rounding);

#endif
