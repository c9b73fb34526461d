/* The matrix for the inner solver of refinement. */
#ifndef STENO_CLI_NARROW_H
#define STENO_CLI_NARROW_H

#include "steno/sparse.h"

/* Converts to a narrower format, with a scale if the format has a smaller range than f32. Real
 * formats of at most 16 bits keep the sums of rows. Release it with stn_matrix_release. */
stn_status narrow_create(const stn_exec *exec, stn_matrix **result, const stn_matrix *matrix,
                         stn_format format);

#endif
