/* The library's side of reduce_models.h, scanned. */
#ifndef STENO_TEST_SCAN_KERNELS_H
#define STENO_TEST_SCAN_KERNELS_H

#include "reduce_models.h"
#include "steno/scan.h"

/* The models of reduce_models.c that are scanned, by name. */
extern const char *const scan_names[];
extern const int scan_count;

/* Along a dimension, or with -1 along the last. */
stn_status scan_launch(int scan, const stn_exec *exec, const reduce_case *c,
                       stn_scan_kind exclusive, int dimension, const stn_view *result,
                       const stn_view *v);

#endif
