/* Linear systems with real or complex entries as dense and as sparse matrices, their solutions by
 * elimination in long double, and solves of them. */
#ifndef STENO_TEST_LINEAR_SYSTEM_H
#define STENO_TEST_LINEAR_SYSTEM_H

#include <complex.h>

#include "matrix.h"
#include "steno/solver.h"

enum {
    MOST_ROWS = 240,
    MOST_ENTRIES = 8192,
    MOST_HISTORY = 1500,
    METHODS = 6,
    ORTHOGONALIZATIONS = STN_ORTHOGONALIZATION_SKETCHED + 1
};

typedef double complex number;
typedef long double complex wide;

/* Static: it must be all zeros before the first call, and be released after the last one. */
typedef struct linear_system {
    int rows, is_complex;
    uint64_t shuffle; /* random state of the order of columns in rows; 0: ascending */
    number dense[MOST_ROWS][MOST_ROWS], b[MOST_ROWS];
    char is_stored[MOST_ROWS][MOST_ROWS]; /* entries of the sparse matrix */
    wide x[MOST_ROWS];                    /* solution, set by system_eliminate() */
    int64_t start[MOST_ROWS + 1];
    int32_t column[MOST_ENTRIES];
    number pairs[MOST_ENTRIES]; /* values of a complex system */
    double value[MOST_ENTRIES]; /* real parts of the values */
    stn_matrix *matrix;
    stn_operator a;
} linear_system;

typedef enum system_kind {
    POSITIVE,   /* symmetric or Hermitian, positive definite */
    INDEFINITE, /* symmetric or Hermitian */
    GENERAL,    /* neither */
    HELMHOLTZ,  /* complex symmetric */
    SYSTEMS
} system_kind;

typedef struct outcome {
    number x[MOST_ROWS];
    double history[MOST_HISTORY];
    stn_solver_report solution;
    stn_status status;
} outcome;

/* Requirements of each method on A, and whether it supports a preconditioner on the left. */
extern const struct method_traits {
    const char *name;
    int is_symmetric, is_definite, has_left, has_basis;
} traits[METHODS];

/* Inner solvers of refinement: CG in f32, and in c64. */
extern const stn_solver_options narrow_inner[2];

/* Storage of the basis of a method; all zeros if it has none. */
stn_storage basis_of(stn_solver_method method, stn_format format);

/* An empty system of that size; then is_stored and dense are set, and the matrix is wrapped. */
void system_clear(linear_system *s, int rows, int is_complex);
void system_store(linear_system *s, int row, int column, number entry);
void system_wrap(linear_system *s);
void system_release(linear_system *s);

/* Real: 150 rows of five diagonals. Complex: the five-point stencil of a grid of 11 x 11. */
void system_make(linear_system *s, system_kind kind, int is_complex);

/* Real: wind makes the matrix nonsymmetric, and `shift` is subtracted from the diagonal. */
void system_diagonals(linear_system *s, double wind, double shift);

/* Real, from the rows of a dense matrix: its nonzero elements are stored. */
void system_of(linear_system *s, int rows, const double *dense);

/* x of the elements and b as they are now. */
void system_eliminate(linear_system *s);

/* Of x in long double: relative to |b|, and to the largest element of the solution. */
double system_residual(const linear_system *s, const number *x);
double system_error(const linear_system *s, const number *x);

/* A vector of elements: pairs, or of a real system the real parts, at stride 2. */
void system_vector(const linear_system *s, stn_view *view, const char *label, number *data);

/* From zeros; and from o->x, with residuals after those that o has. */
void system_solve(const stn_exec *exec, const stn_solver_options *solver, const linear_system *s,
                  outcome *o);
void system_continue(const stn_exec *exec, const stn_solver_options *solver, const linear_system *s,
                     outcome *o);

/* Fails unless x and the history have the same bits. */
void expect_same_bits(const outcome *first, const outcome *o, const char *what);

/* Fails unless the solve converged and x is accurate. */
void expect_solved(const linear_system *s, const outcome *o, double relative, const char *what);

/* Multiplies by a diagonal in any arithmetic: the number that is the context times 1 to 1.375. */
stn_status system_diagonal(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *x, const stn_view *y);

/* A preconditioner: a positive diagonal of about a quarter, or a complex one. */
stn_operator system_inverse(const linear_system *s, int is_symmetric);

#endif
