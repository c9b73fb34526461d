/* Shared parts of triangular solves. */
#ifndef STENO_SPARSE_OPS_TRIANGULAR_H
#define STENO_SPARSE_OPS_TRIANGULAR_H

#include "sparse/ops/levels.h"
#include "sparse/matrix.h"
#include "steno/sparse_operations.h"

/* A triangle whose rows are in the order of their levels: the rows of a level depend only on rows
 * of earlier levels. Position k of that order has row order[k]; row r is at position position[r].
 */
struct stn_triangular {
    const char *label; /* the matrix's, or NULL */
    char *own_label;   /* the copy that a handle owns, or NULL */
    int64_t rows, levels;
    int64_t bytes;     /* read by a solve in addition to the vectors */
    stn_matrix strict; /* off-diagonal entries; rows and columns in that order */
    stn_view diagonal; /* in that order; empty if the diagonal is unit */
    stn_view order;    /* -1: padding */
    stn_view position;
    stn_view level; /* for each level, its first position and number of rows; on the host */
    stn_view work;  /* workspace: a vector in that order, in f64 or c128 */
};

enum {
    STN_CACHED_VECTOR_BYTES = 2 << 20
}; /* bytes of a vector that fits approximately into the second-level
    * cache */

typedef struct stn_triangular_call {
    const char *call; /* for messages */
    const stn_exec *exec;
    const stn_triangular *t;
    stn_format arithmetic;
    const stn_view *b, *x;
} stn_triangular_call;

/* stn_triangular_create with checked arguments. If `levels` is not NULL, its order is used; for an
 * upper triangle, the last level is first. */
stn_status stn_triangular_create_in(const stn_exec *exec, stn_triangular *result,
                                    const stn_matrix *a, stn_triangle triangle,
                                    stn_diagonal diagonal, const stn_levels *levels);

/* Releases what the triangle owns and makes the struct empty. */
void stn_triangular_clear(stn_triangular *t);

/* The checks of stn_triangular_solve. */
stn_status stn_triangular_expect(const stn_triangular_call *s);

/* Prefixes the message of one of the functions below with the name of the call, unless it contains
 * that already. */
stn_status stn_triangular_error_prefix(const stn_triangular_call *s, stn_status status);

/* In real arithmetic, with real vectors and a real triangle. */
stn_status stn_triangular_solve_real(const stn_triangular_call *s);

/* In complex arithmetic, with complex vectors. With a real triangle, the parts are solved
 * separately. */
stn_status stn_triangular_solve_complex(const stn_triangular_call *s);

/* The same on any executor. The triangle is complex if the arithmetic is. */
stn_status stn_triangular_solve_by_kernels(const stn_triangular_call *s);

/* The arithmetic of the parts of complex numbers. */
stn_format stn_triangular_real(stn_format arithmetic);

/* Approximate number of bytes that the solution of one row moves. */
double stn_triangular_row_bytes(const stn_triangular *t);

#endif
