/* Detection of values outside the range of a format. */
#ifndef STENO_FORMAT_FIT_H
#define STENO_FORMAT_FIT_H

#include "steno/format.h"

/* stn_encode of contiguous f64 values, or of c128 values as pairs, from element `first` on,
 * followed by stn_decode into `stored`. *outside is the index of the first value beyond the range
 * of the storage, which saturates or overflows, or `count` if there is no such value. Infinities
 * are in range if they are stored as infinities. isfinite(stored) does not detect such values:
 * integers and 8-bit floats saturate. The range of a registered format is unknown: of these, only
 * finite values that decode as infinity or NaN are found. */
stn_status stn_encode_within(stn_format arithmetic, const stn_storage *storage, void *codes,
                             int64_t first, const double *values, int64_t count, double *stored,
                             int64_t *outside);

/* stn_storage_fit_scale with messages that do not begin with the name of a function. */
stn_status stn_fit_scale(stn_storage *storage, stn_format arithmetic, const void *values,
                         int64_t count, stn_scale_choice choice);

#endif
