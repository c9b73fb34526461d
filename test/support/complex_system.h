/* Complex systems to solve, as dense and as sparse matrices, with their solutions by elimination in
 * long double. */
#ifndef STENO_TEST_COMPLEX_SYSTEM_H
#define STENO_TEST_COMPLEX_SYSTEM_H

#include <complex.h>

#include "steno/solver.h"

enum { EDGE = 11, ROWS = EDGE * EDGE, MOST_HISTORY = 1500 };

typedef double complex number;
typedef long double complex wide;

typedef enum system_kind {
    MAGNETIC,  /* a Laplacian whose couplings have phases: Hermitian positive definite */
    SHIFTED,   /* the same less a multiple of the identity: Hermitian, indefinite */
    HELMHOLTZ, /* a Laplacian less a complex multiple of the identity: complex symmetric */
    WINDY,     /* phases, damping and wind: neither */
    SYSTEMS
} system_kind;

/* What each method is for. */
enum { METHODS = 6 };
extern const struct system_trait {
    const char *name;
    int is_hermitian, is_definite; /* A must be */
    int has_left;
} system_traits[METHODS];

/* Storage of the basis of a method; all zeros if it has none. */
static inline stn_storage basis_of(stn_solver_method method, stn_format format)
{
    const int has_basis = method == STN_SOLVER_GMRES || method == STN_SOLVER_FGMRES;
    return has_basis ? stn_storage_of(format) : (stn_storage){0};
}

extern const stn_solver_options system_inner; /* of refinement: CG in c64 */

typedef struct complex_system {
    number dense[ROWS][ROWS], b[ROWS];
    wide x[ROWS];
    int64_t start[ROWS + 1];
    int32_t column[5 * ROWS];
    number value[5 * ROWS];
    stn_matrix *matrix;
    stn_operator a;
} complex_system;

typedef struct complex_outcome {
    number x[ROWS];
    double history[MOST_HISTORY];
    stn_solver_report solution;
    stn_status status;
} complex_outcome;

/* Fails with the status in words. */
void system_must(stn_status status);

/* With x, unless the matrix is changed behind it: system_wrap takes the entries that there are. */
void system_make(complex_system *s, system_kind kind);
void system_wrap(complex_system *s);

/* Of x, in long double: relative to |b|, and to the largest element of the solution. */
double system_residual(const complex_system *s, const number *x);
double system_error(const complex_system *s, const number *x);

/* ROWS numbers as a vector. */
void system_vector(stn_view *view, const char *label, number *data);

/* From zeros. */
void system_solve(const stn_exec *exec, const stn_solver_options *solver, const complex_system *s,
                  complex_outcome *o);

/* Diagonals in the arithmetic that they are asked for: of complex numbers that are about the
 * inverse of A's, and of positive ones. */
stn_status system_turned(void *context, const stn_exec *exec, stn_format arithmetic,
                         const stn_view *x, const stn_view *y);
stn_status system_positive(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *x, const stn_view *y);

/* The latter for Hermitian methods. */
stn_operator system_inverse(int is_hermitian);

#endif
