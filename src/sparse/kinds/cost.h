/* Model of the times of sparse products and conversions. */
#ifndef STENO_SPARSE_KINDS_COST_H
#define STENO_SPARSE_KINDS_COST_H

#include "exec/exec.h"
#include "sparse/matrix.h"

/* A product takes the time of its memory traffic or that of its instructions, whichever is longer.
 * From memory, the instructions of slices wait for their traffic, so both times add up. */
typedef struct stn_cost {
    double bytes;  /* of the matrix and both vectors */
    double cycles; /* of one thread */
    int waits;     /* whether the times add up from memory */
} stn_cost;

/* Costs of products with a matrix in contiguous compressed rows, slices and packed slices, and of
 * creating them. Slices are examined at regular distances, at most STN_COST_SLICES of them. */
enum { STN_COST_SLICES = 1024 };
typedef struct stn_costs {
    stn_cost compressed, sliced, packed;
    double compress_cycles, slice_cycles, pack_cycles; /* of conversions, by one thread */
} stn_costs;

/* `rows` are plain compressed rows whose values are not read. `value` is the format of the values,
 * and `arithmetic` that of the products. */
void stn_cost_estimate(const stn_matrix *rows, stn_format value, stn_format arithmetic,
                       stn_costs *costs);

/* Adds the costs of packed slices with a dictionary of `distinct` values. */
void stn_cost_estimate_packed(const stn_matrix *rows, int64_t distinct, stn_format arithmetic,
                              stn_costs *costs);

/* The cost of a product with the arrays of `a` unchanged. */
stn_cost stn_cost_of_arrays(const stn_matrix *a, const stn_costs *costs);

/* Seconds on the executor, which is one of the host. */
double stn_cost_seconds(const stn_exec *exec, const stn_cost *cost);
double stn_cost_conversion_seconds(const stn_exec *exec, double cycles);

/* Returns whether products of a real matrix in f64 on two threads are at most as slow with slices
 * as with compressed rows. `rows` and `value` are as above. The answer depends on the vendor of
 * the processor only, not on its instruction sets. */
int stn_cost_prefers_slices(const stn_matrix *rows, stn_format value);

/* Returns whether packed slices with this number of distinct values and bytes are preferred to
 * slices of `slice_bytes`, for products in f64. The answer is the same on all machines. */
int stn_cost_prefers_packed(const stn_matrix *rows, int64_t distinct, int64_t slice_bytes,
                            int64_t packed_bytes);

/* Seconds of a product on a device with `bytes` of matrix arrays, and of the conversion on the host
 * with two transfers. */
double stn_cost_device_seconds(stn_matrix_kind kind, int64_t bytes);
double stn_cost_device_conversion(int64_t bytes, const stn_costs *costs);

#endif
