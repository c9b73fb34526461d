/* Sketches of vectors: images of a random map with k rows that nearly keeps the norms and products
 * of all vectors of a subspace of much smaller dimension. A block of k elements is multiplied by
 * random signs, the Hadamard matrix and random signs, and blocks are added: O. Balabanov and
 * others, Block subsampled randomized Hadamard transform for low-rank approximation on distributed
 * architectures, ICML (2023). The map is the same in each solve; blocks are added as tiles are in
 * doc/order.md. */
#ifndef STENO_SOLVER_SKETCH_H
#define STENO_SOLVER_SKETCH_H

#include "solver/solver.h"

typedef struct stn_sketch {
    int64_t rows;     /* k: a power of two */
    int64_t length;   /* elements of a sketch: k, or k real parts followed by k imaginary parts */
    double *signs;    /* random signs, from which each block uses two sections */
    double *sums;     /* a sketch for each piece of a thread */
    stn_view on_host; /* staging memory for the vectors of a device */
    stn_exec *host;   /* executor of a device's sketches */
} stn_sketch;

/* Creates a map for subspaces of a dimension; it must be released also after an error.
 * STN_ERR_MEMORY, and STN_ERR_SHAPE if the first row of a rank is no multiple of `rows`. */
stn_status stn_sketch_create(const stn_solver_state *s, int64_t dimension, stn_sketch *sketch);
void stn_sketch_release(stn_sketch *sketch);

/* result = the sketch of a vector: `length` elements. */
stn_status stn_sketch_of(const stn_solver_state *s, const stn_sketch *sketch, const stn_view *w,
                         double *result);

#endif
