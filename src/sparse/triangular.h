/* Parts of the solution of triangular systems. */
#ifndef STENO_SPARSE_TRIANGULAR_H
#define STENO_SPARSE_TRIANGULAR_H

#include "sparse/fused.h"
#include "sparse/levels.h"
#include "sparse/matrix.h"
#include "steno/sparse_operations.h"

/* A triangle whose rows are in the order of their levels: the rows of a level depend only on rows
 * of earlier levels. Position k of that order has row order[k]; row r is at position place[r]. */
struct stn_triangular {
    const char *label; /* the matrix's, or NULL */
    char *own_label;   /* the copy that a handle owns, or NULL */
    int64_t rows, levels;
    int64_t bytes;     /* that a solve reads in addition to the vectors */
    stn_matrix strict; /* the entries next to the diagonal, rows and columns in that order */
    stn_view diagonal; /* in that order; empty for a unit diagonal */
    stn_view order;    /* -1: no row */
    stn_view place;
    stn_view level; /* for each level, its first position and number of rows; on the host */
    stn_view work;  /* workspace: a vector in that order, in f64 or c128 */
};

enum { STN_IN_CACHE = 2 << 20 }; /* bytes of a vector that is in a second-level cache, or near it */

typedef struct stn_solution_of {
    const char *call; /* for messages */
    const stn_exec *exec;
    const stn_triangular *t;
    stn_format arithmetic;
    const stn_view *b, *x;
} stn_solution_of;

/* stn_triangular_create of checked arguments; its rows in the order of `levels` where they are not
 * NULL, of an upper triangle the last level first. */
stn_status stn_triangular_make_in(const stn_exec *exec, stn_triangular *made, const stn_matrix *a,
                                  stn_triangle triangle, stn_diagonal diagonal,
                                  const stn_levels *levels);

/* Releases what the triangle owns and makes the struct empty. */
void stn_triangular_clear(stn_triangular *t);

/* The checks of a call of stn_triangular_solve. */
stn_status stn_triangular_expect(const stn_solution_of *s);

/* A status of one of those below, with the call before its message unless that names it already. */
stn_status stn_triangular_error_prefix(const stn_solution_of *s, stn_status status);

/* In real arithmetic, with which the vectors go; of a real triangle. */
stn_status stn_triangular_solve_real(const stn_solution_of *s);

/* In complex arithmetic, with which the vectors go; of a real triangle that is a solution of each
 * part. */
stn_status stn_triangular_solve_complex(const stn_solution_of *s);

/* The same on any executor, of a triangle that is complex where the arithmetic is. */
stn_status stn_triangular_solve_by_kernels(const stn_solution_of *s);

/* What loops read of the entries beside the diagonal. */
stn_rows stn_triangular_rows(const stn_triangular *t, const stn_affine *affine);

/* The arithmetic of parts. */
stn_format stn_triangular_real(stn_format arithmetic);

/* About the bytes that a row of a solution moves. */
double stn_triangular_row_bytes(const stn_triangular *t);

#endif
