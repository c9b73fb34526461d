/* Parts of the solution of triangular systems. */
#ifndef STENO_SPARSE_TRIANGULAR_H
#define STENO_SPARSE_TRIANGULAR_H

#include "steno/sparse_operations.h"

typedef struct stn_solution_of {
    const char *call; /* for messages */
    const stn_exec *exec;
    const stn_triangular *t;
    stn_format arithmetic;
    const stn_view *b, *x;
} stn_solution_of;

/* In real arithmetic, with which the vectors go; of a real triangle. */
stn_status stn_triangular_solve_real(const stn_solution_of *s);

/* In complex arithmetic, with which the vectors go; of a real triangle that is a solution of each
 * part. */
stn_status stn_triangular_solve_complex(const stn_solution_of *s);

/* The same on any executor, of a triangle that is complex where the arithmetic is. */
stn_status stn_triangular_solve_by_kernels(const stn_solution_of *s);

/* The arithmetic of parts. */
stn_format stn_triangular_real(stn_format arithmetic);

/* About the bytes that a row of a solution moves. */
double stn_triangular_row_bytes(const stn_triangular *t);

#endif
