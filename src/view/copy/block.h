/* Copies whose sides are fastest in different dimensions: transposed block by block. */
#ifndef STENO_VIEW_COPY_BLOCK_H
#define STENO_VIEW_COPY_BLOCK_H

#include "view/copy/plan.h"

/* Executes a plan whose `from_axis` is not its last dimension. */
void stn_copy_blocks(const stn_exec *exec, const stn_copy_plan *plan);

#endif
