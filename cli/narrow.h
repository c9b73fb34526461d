/* The matrix that an inner solver of refinement reads. */
#ifndef STENO_CLI_NARROW_H
#define STENO_CLI_NARROW_H

#include "steno/sparse.h"

/* The same in a narrower format, with a scale where that has less range than f32; of real formats
 * of 16 bits and fewer rows keep their sums. To be given back with stn_matrix_release. */
stn_status narrow_make(stn_matrix *made, const stn_exec *exec, const stn_matrix *matrix,
                       stn_format format);

#endif
