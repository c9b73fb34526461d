/** @file
 * All headers of libsteno except those of kernels, reductions and scans.
 */
#ifndef STENO_STENO_H
#define STENO_STENO_H

#include "steno/accessor.h"
#include "steno/accessor_view.h"
#include "steno/advise.h"
#include "steno/array_functions.h"
#include "steno/atomic.h"
#include "steno/blas.h"
#include "steno/block_codec.h"
#include "steno/block_format.h"
#include "steno/block_jacobi.h"
#include "steno/codec.h"
#include "steno/comm.h"
#include "steno/complex.h"
#include "steno/distribute.h"
#include "steno/event.h"
#include "steno/exec.h"
#include "steno/format.h"
#include "steno/ilu.h"
#include "steno/preconditioner.h"
#include "steno/solver.h"
#include "steno/sparse.h"
#include "steno/sparse_operations.h"
#include "steno/sparse_optimize.h"
#include "steno/status.h"
#include "steno/view.h"

#endif
