/* Reductions of array_functions.c whose states the library's loops over codes compute, too. */
#ifndef STENO_REDUCE_ARRAY_FUNCTIONS_H
#define STENO_REDUCE_ARRAY_FUNCTIONS_H

#include "steno/detail/reduce_types.h"

/* The view is parameter 1. The first value of the state of `means` is the sum; of `variances`, the
 * first three are the count, the mean, and the sum of squared deviations. The other value is
 * parameter 0. */
extern const stn_reduction *const stn_reduction_of_means, *const stn_reduction_of_variances;

#endif
