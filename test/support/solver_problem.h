/* A system of five diagonals to solve, as a dense and as a sparse matrix, with its solution by
 * elimination in long double; and what tests of solvers do with one. */
#ifndef STENO_TEST_SOLVER_PROBLEM_H
#define STENO_TEST_SOLVER_PROBLEM_H

#include "steno/solver.h"

enum { N = 150, WIDE = 12 /* between the diagonal and the outer ones */ };

typedef struct problem {
    double dense[N][N], b[N];
    long double x[N];
    int64_t start[N + 1];
    int32_t column[5 * N];
    double value[5 * N];
    stn_matrix *matrix;
    stn_operator a;
} problem;

/* What each method is for. */
enum { METHODS = 6 };
typedef struct solver_trait {
    const char *name;
    int is_symmetric, is_definite; /* A must be */
    int has_left;
} solver_trait;
extern const solver_trait traits[METHODS];

/* Storage of the basis of a method; all zeros if it has none. */
static inline stn_storage basis_of(stn_solver_method method, stn_format format)
{
    const int has_basis = method == STN_SOLVER_GMRES || method == STN_SOLVER_FGMRES;
    return has_basis ? stn_storage_of(format) : (stn_storage){0};
}

typedef struct outcome {
    double x[N], history[1000];
    stn_solver_report solution;
    stn_status status;
} outcome;

/* Fails with the status in words. */
void solver_must(stn_status status);

/* Five diagonals; wind makes it nonsymmetric, and `shift` takes from the diagonal. With x too; and
 * x alone, of the entries and b that there are. */
void problem_set(problem *p, double wind, double shift);
void problem_make(problem *p, double wind, double shift);
void problem_eliminate(problem *p);

/* Of x: relative to the largest element, and to |b|, in long double. */
double problem_error(const problem *p, const double *x);
double problem_residual(const problem *p, const double *x);

/* N numbers as a vector. */
void problem_wrap(stn_view *view, const char *label, double *data);

/* From zeros. */
void problem_solve(const stn_exec *exec, const stn_solver_options *solver, problem *p, outcome *o);

/* A diagonal, positive where its factor, a double, is. */
stn_status problem_diagonal(void *context, const stn_exec *exec, stn_format arithmetic,
                            const stn_view *x, const stn_view *y);

#endif
