/* Arithmetic in i64: integer formats decoded to and encoded from int64_t, never through a float. */
#ifndef STENO_FORMAT_INTEGER64_H
#define STENO_FORMAT_INTEGER64_H

#include "steno/format.h"

/* value = code - zero, saturating at the limits of i64. */
void stn_decode_i64(stn_format format, int64_t *values, const void *codes, int64_t count,
                    int64_t zero);

/* code = value + zero, saturating at the format's limits; counted when counters is not NULL. */
void stn_encode_i64(stn_format format, void *codes, const int64_t *values, int64_t count,
                    int64_t zero, stn_counters *counters);

#endif
