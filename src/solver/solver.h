/* A run of a solver: what its methods share. */
#ifndef STENO_SOLVER_SOLVER_H
#define STENO_SOLVER_SOLVER_H

#include "core/status.h"
#include "solver/image.h"
#include "steno/solver.h"

enum { STN_SOLVER_VECTORS = 8 };

enum { STN_STOP_NONE = -1 }; /* no stop reason yet: the method continues */

/* In complex arithmetic a vector of n numbers is one of 2 n real elements, which maps, norms and
 * the real part of x^H y do not tell from others; operators are given its numbers. */
typedef struct stn_solving {
    const stn_exec *exec;
    const stn_solver_options *options;
    const stn_operator *a;
    stn_format numbers;    /* arithmetic type of the options */
    stn_format arithmetic; /* of a vector's elements: f64 or f32 */
    int64_t n, length;     /* numbers, and elements, of a vector */
    int64_t iterations, max_iterations, restart;
    int64_t column;                       /* of b and x, that is solved */
    const stn_view *b;                    /* that column */
    stn_view copy, copied;                /* of it / scale, where the executor does not reach it or
                                           * scale is not 1: a vector, and its numbers */
    double scale;                         /* of b and x, whose vectors are divided by it: a power of
                                           * two */
    stn_view x;                           /* what is found so far */
    stn_view vectors[STN_SOLVER_VECTORS]; /* of the method */
    const stn_operator *left, *right;     /* the preconditioner, on its side; NULL: not there */
    stn_view between;                     /* A x, where M A x is asked for */
    stn_view best;                        /* the x of the least residual that was calculated; empty
                                           * if the last one is */
    double best_residual;
    double b_norm, goal;       /* |b|, and the |b - A x| at which it is solved */
    double begin;              /* seconds, of all columns */
    uint64_t b_sum;            /* of the elements of b, where there is a checkpoint */
    double residual;           /* |b - A x|, when it was calculated last */
    double norm, target;       /* the same of M (b - A x) with M on the left */
    double stored;             /* |b - A x| of x as the caller has it */
    int64_t saturated;         /* elements of it that its storage cannot represent */
    int is_lost;               /* some are saturated, all became 0, or x has the arithmetic type and
                                * missed the goal because elements underflowed */
    stn_view guess;            /* codes of the caller's x before the solve; empty if x is stored
                                * exactly */
    double first;              /* |b - A x| of that x; infinite if the vectors began with another */
    int is_replaced;           /* the vectors began with 0: see stn_solver_expect_guess */
    int is_kept;               /* x has its initial values, since the stored x is not better */
    double lost;               /* the norm beyond which it cannot become smaller than it
                                * was at first: that over the rounding unit */
    stn_solver_report *report; /* of the column */
    size_t report_size;        /* bytes between the caller's reports of columns */
    void *own;                 /* of the method */
    stn_image kept;            /* what the checkpoint becomes */
} stn_solving;

/* Which x a solve returns that does not converge: where a limit or the monitor ends CG, the last
 * one, whose error is the smallest in the norm of A. */
typedef enum stn_solver_best {
    STN_BEST_IS_LAST, /* the residual never grows; with a preconditioner on the left: as below */
    STN_BEST_OF_FAILURES, /* the best, but the last one at limits */
    STN_BEST_ALWAYS
} stn_solver_best;

/* What a method is: its vectors, and how it runs until it ends. */
typedef struct stn_solver_functions {
    const char *name;
    int vectors, more; /* more of them where there is a preconditioner, behind the others */
    int has_left;      /* takes one on the left */
    stn_solver_best best;
    /* May be NULL. What it needs beside its vectors, before anything is computed; and a run for
     * each column, which finds it as the one before left it. */
    stn_status (*begin)(stn_solving *s, void **own);
    stn_status (*run)(stn_solving *s, void *own, int *reason);
    void (*end)(void *own);
} stn_solver_functions;

extern const stn_solver_functions stn_solver_cg, stn_solver_gmres, stn_solver_refinement,
    stn_solver_bicgstab, stn_solver_minres, stn_solver_fgmres;

/* NULL: there is no such method. */
const stn_solver_functions *stn_solver_functions_of(stn_solver_method method);

/* Everything that stn_solve refuses before it allocates, except invalid sizes of structs. */
stn_status stn_solver_expect(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                             const stn_view *b, const stn_solver_options *options,
                             const stn_solver_report *report, size_t report_size);

/* All of it, with GMRES's basis, against what is there; STN_ERR_MEMORY. */
stn_status stn_solver_expect_memory(const stn_solving *s, const stn_solver_functions *method);

/* Of the elements of GMRES's vectors: all zeros are the arithmetic type, complex formats the
 * format of their parts where the arithmetic is complex. */
stn_format stn_solver_basis_format(const stn_solving *s);

int64_t stn_solver_columns_of(const stn_view *b);

/* The caller's report of column c; `size` is the size of each report. */
stn_solver_report *stn_solver_column_report(const stn_solver_report *all, size_t size, int64_t c);

/* A run for one column, into s->report; and for each of b, of rank 1 or 2. */
stn_status stn_solver_run(stn_solving *s, const stn_view *b, const stn_view *x);
stn_status stn_solver_columns(stn_solving *s, const stn_view *b, const stn_view *x,
                              stn_solver_report *report);

/* The scale, b and x. */
stn_status stn_solver_take(stn_solving *s, const stn_view *b, const stn_view *x);

/* After the residual of the first x: if s->scale is less than 1 and that residual is so large that
 * squares of it overflow, or it is not finite although the caller's x is, s->x becomes 0. Its
 * residual is s->residual then, and in vectors[0]. */
stn_status stn_solver_expect_guess(stn_solving *s, const stn_view *x);

/* Copies s->x to the caller's x. */
stn_status stn_solver_give(const stn_solving *s, const stn_view *x);

/* The same, followed by a check of the stored values. Sets s->stored, s->saturated, s->is_lost and
 * s->is_kept. Unless x is stored exactly, s->x and vectors[0] are overwritten, and the caller's x
 * gets its initial values again if the residual of the stored values is not less than s->first, or,
 * with is_last, if it is not finite. */
stn_status stn_solver_store(stn_solving *s, const stn_view *x, int is_last);

/* The same without a product with A, after an operator failed: x gets its initial values again if
 * elements of s->x are out of range. */
stn_status stn_solver_store_unmeasured(stn_solving *s, const stn_view *x);

/* Sets the members that stn_solve sets to those of a failed call. */
void stn_solver_clear(stn_solver_report *report);

/* A new vector of the run, uninitialised; and its numbers, where they are complex: no handle. */
stn_status stn_solver_vector(const stn_solving *s, const char *label, stn_view *vector);
stn_view stn_solver_numbers(const stn_solving *s, const stn_view *vector);
int stn_solver_is_complex(const stn_solving *s);

/* y = A x, or M A x with M on the left; and y = M x with M on the right, which must be there. */
stn_status stn_solver_apply(const stn_solving *s, const stn_view *x, const stn_view *y);
stn_status stn_solver_precondition(const stn_solving *s, const stn_view *x, const stn_view *y);

/* The number of elements of a vector that are infinite or NaN. */
stn_status stn_solver_count_not_finite(const stn_solving *s, const stn_view *vector,
                                       int64_t *count);

/* r = b - A x of any x, times M where that is on the left; s->residual, norm and target. Both norms
 * are infinite if x is not finite: A may have no entry that shows it. */
stn_status stn_solver_residual(stn_solving *s, const stn_view *x, const stn_view *r);

/* The target that goes with s->residual and norm. */
void stn_solver_set_target(stn_solving *s);

/* Keeps s->x if s->residual, which is its residual, is the least so far. */
stn_status stn_solver_keep_best(stn_solving *s);

/* Exchanges the memory of two vectors. */
void stn_solver_swap(stn_view *a, stn_view *b);

/* The rounding unit of the arithmetic. */
double stn_solver_rounding(const stn_solving *s);

/* Counts an iteration behind which the method has this norm of its residual: it is told and noted.
 * The reason that it brings, or STN_STOP_NONE. */
int stn_solver_count(stn_solving *s, double norm);

/* The same of a recurrence, and where the norm is small enough: is that of s->x? It has converged
 * then; else *begins_anew from r, that of x, unless it is hardly less than *last, what it was the
 * time before; also where the reason is a limit's or the monitor's, of which the state is kept. */
stn_status stn_solver_finish(stn_solving *s, double norm, const stn_view *r, double *last,
                             int *begins_anew, int *reason);

/* Relative to b, unless that is 0. */
double stn_solver_relative(const stn_solving *s, double residual);

double stn_solver_now(void);

#endif
