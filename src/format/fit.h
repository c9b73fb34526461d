/* Whether values fit the range of a format. */
#ifndef STENO_FORMAT_FIT_H
#define STENO_FORMAT_FIT_H

#include "steno/format.h"

/* stn_encode of contiguous f64 values, or of c128 values as pairs, from element `first` on,
 * followed by stn_decode into `stored`. *outside is the index of the first finite value that is
 * beyond the range of the storage, where it saturates or overflows, or `count` if there is no such
 * value. isfinite(stored) does not detect this: integers and 8-bit floats saturate. The range of a
 * registered format is unknown: of these, only values that decode as infinity or NaN are found. */
stn_status stn_encode_within(stn_format arithmetic, const stn_storage *storage, void *codes,
                             int64_t first, const double *values, int64_t count, double *stored,
                             int64_t *outside);

#endif
