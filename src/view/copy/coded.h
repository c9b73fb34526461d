/* Copies between views in the same block format, whose blocks are moved without decoding. */
#ifndef STENO_VIEW_COPY_CODED_H
#define STENO_VIEW_COPY_CODED_H

#include "exec/exec.h"
#include "view/view.h"

/* Copies if both views consist of whole blocks along the same dimension; otherwise returns 0. The
 * views have equal extents and scales and are on the host. */
int stn_copy_coded(const stn_exec *exec, const stn_view *to, const stn_view *from);

#endif
