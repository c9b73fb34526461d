/* Distributed matrices: local rows, and the elements of x that products exchange. */
#ifndef STENO_DISTRIBUTE_MATRIX_H
#define STENO_DISTRIBUTE_MATRIX_H

#include "distribute/partition.h"
#include "steno/sparse.h"

enum { STN_ELEMENT_BYTES = 16 }; /* maximum size of an element of x */

/* Elements that are exchanged with one rank: adjacent elements of a list. */
typedef struct stn_halo_part {
    int rank;
    int64_t first, count;
} stn_halo_part;

/* The boundary uses the elements `needed` of x, as ascending rows of the whole vector. Elements
 * owned_begin, ..., owned_end - 1 of this list are of this rank; the others are received in this
 * order. Elements `sent` of this rank are sent. */
typedef struct stn_halo {
    int64_t needed_count, owned_begin, owned_end, sent_count;
    int64_t *needed, *sent;
    stn_halo_part *receives, *sends;
    int receive_count, send_count;
    stn_comm_message *messages; /* sends, followed by receives */
} stn_halo;

/* Exchanges the lists of elements, within a collective call; `needed`, its count and the bounds of
 * this rank are set. Must be released also after an error. */
stn_status stn_halo_create(const stn_partition *p, stn_halo *halo);
void stn_halo_release(stn_halo *halo);

struct stn_distributed_matrix {
    const stn_partition *partition;
    char *label;
    stn_matrix *interior; /* all rows; those of the boundary are empty; NULL without rows */
    stn_matrix *boundary; /* NULL without boundary */
    int64_t boundary_count, entries;
    int64_t *boundary_rows;
    stn_halo halo;
    stn_format exchange_format;
    /* Buffers of elements: sent, packed and received in exchange_format; x and y of the boundary.
     */
    char *out, *narrow, *x, *y;
};

/* r = b - A x of the rows of this rank as in sparse/ops/accurate.h, within a collective call; and
 * the largest row sum of magnitudes of scale A of all ranks. */
stn_status stn_distributed_residual(const stn_exec *exec, const stn_distributed_matrix *a,
                                    int is_complex, const double *b, const double *x, double *r);
stn_status stn_distributed_norm(const stn_exec *exec, const stn_distributed_matrix *a, double scale,
                                double *norm);

#endif
