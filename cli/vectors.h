/* Vectors of linear systems and products in files. */
#ifndef STENO_CLI_VECTORS_H
#define STENO_CLI_VECTORS_H

#include <stdint.h>

#include "steno/exec.h"
#include "steno/view.h"

/* Reads a vector of `rows` elements, or several, from a .npy or dense Matrix Market file, into a
 * new view in `format`: of rank 1, or of rank 2 with contiguous columns. `market`:
 * stn_market_flags.
 */
stn_status vectors_read(const stn_exec *exec, const char *path, unsigned market, stn_format format,
                        int64_t rows, stn_view *result);

/* Creates `columns` vectors of zeros: a view of rank 1, or of rank 2 with contiguous columns. */
stn_status vectors_create(const stn_exec *exec, const char *label, stn_format format, int64_t rows,
                          int64_t columns, stn_view *result);

#endif
