/* Sums in the order chosen by the compiler, for comparison with the fixed order. */
#ifndef STENO_BENCH_REDUCE_FREE_H
#define STENO_BENCH_REDUCE_FREE_H

#include "steno/view.h"

/* Is there a loop for this format? */
int free_knows(stn_format format);

/* The sum of a contiguous vector, and of the products of two, of one format. */
double free_sum(int threads, const stn_view *x);
double free_dot(int threads, const stn_view *x, const stn_view *y);

#endif
