/* State of a solve, and functions that the methods share. */
#ifndef STENO_SOLVER_SOLVER_H
#define STENO_SOLVER_SOLVER_H

#include "core/status.h"
#include "distribute/partition.h"
#include "solver/image.h"
#include "steno/solver.h"

enum { STN_SOLVER_VECTORS = 8 };

enum { STN_STOP_NONE = -1 }; /* no stop reason yet: the method continues */

/* In complex arithmetic, a vector of n complex numbers is stored as 2 n real elements. Maps, norms
 * and the real part of x^H y process the real elements; operators receive the complex numbers. */
typedef struct stn_solver_state {
    const stn_exec *exec;
    const stn_solver_options *options;
    const stn_operator *a;
    stn_format numbers;             /* arithmetic type of the options */
    stn_format arithmetic;          /* of the elements of vectors: f64 or f32 */
    int64_t n, length;              /* numbers and elements of a vector */
    const stn_partition *partition; /* of the rows of distributed vectors, or NULL; then n and
                                     * length are those of this rank */
    int64_t rows;                   /* of all ranks */
    int is_watched;                 /* a rank has a monitor or a time limit */
    int *has_failed;                /* set to 1 if an operator failed */
    int64_t iterations, max_iterations, restart;
    int64_t column;        /* column of b and x that is solved */
    const stn_view *b;     /* this column */
    const stn_view *given; /* this column as the caller stores it, not divided by scale */
    stn_view copy, copied; /* b / scale as a vector, and as complex numbers, if the executor cannot
                            * access b or scale is not 1 */
    double scale;          /* power of two by which b and x are divided */
    stn_view x;            /* current iterate */
    stn_view vectors[STN_SOLVER_VECTORS]; /* vectors of the method */
    const stn_operator *left,
        *right;       /* the preconditioner, if it is on this side; otherwise NULL */
    stn_view between; /* A x, if M is on the left */
    stn_view best; /* iterate with the smallest computed residual; empty if that is always the last
                    * iterate */
    double best_residual;
    double b_norm, goal; /* |b|, and the value of |b - A x| at which the method has converged */
    double begin;        /* start time in seconds, of all columns */
    uint64_t b_sum;      /* checksum of b, if there is a checkpoint */
    double residual;     /* |b - A x| at its last computation */
    double norm, target; /* the same for M (b - A x), if M is on the left */
    double stored;       /* |b - A x| of the stored x */
    int64_t saturated;   /* elements of x that its storage cannot represent */
    int is_lost;    /* elements are saturated, all became 0, or x has the arithmetic type and missed
                     * the tolerance because elements underflowed */
    stn_view guess; /* codes of the caller's x before the solve; empty if x is stored exactly */
    double first;   /* |b - A x| of this x; infinite if it is unknown */
    int is_replaced; /* the solve started from 0: see stn_solver_expect_guess */
    int is_kept;     /* x has its initial values, since the stored x is not better */
    double lost;     /* norm from which the residual cannot return below its first value: that value
                      * divided by the rounding unit */
    const stn_view *from, *to; /* the next product of a method that has steps: to = A from */
    double product;            /* from' to after it, or NaN: it has not been computed */
    int has_list;              /* products are those of a list of vectors (spmv_run.h) */
    int64_t together;          /* columns that are solved together */
    int is_started, is_open;   /* the vectors are set; the method has started */
    int64_t before;            /* iterations when it started */
    double begun;              /* start time of the column */
    stn_solver_report *report; /* of the column */
    size_t report_size;        /* bytes between the caller's reports of columns */
    void *method_data;         /* of the method */
    stn_image saved;           /* new contents of the checkpoint */
    int is_inner;              /* the residual is not verified */
    int has_report;            /* of the caller, who reads the backward error; or of other ranks */
    double a_norm;             /* largest row sum of a_scale A; negative: unknown */
    double a_scale;            /* power of two, less than 1 if the row sums of A overflow */
    int is_accurate;           /* residual was computed in twice the precision of f64 */
    double rounding_error;     /* of the residual; NaN: unknown */
    double largest;            /* magnitude of an element of the residual */
    double backward_error;     /* NaN: unknown */
} stn_solver_state;

/* The x that is returned if the method does not converge. If a limit or the monitor stops CG, it is
 * the last iterate, whose error is smallest in the norm of A. */
typedef enum stn_solver_best {
    STN_BEST_IS_LAST, /* the residual never grows; with a preconditioner on the left: as below */
    STN_BEST_OF_FAILURES, /* the best iterate; at limits the last one */
    STN_BEST_ALWAYS
} stn_solver_best;

/* A method: its vectors, and the function that runs it. */
typedef struct stn_solver_functions {
    const char *name;
    int vectors, more; /* additional vectors with a preconditioner, after the others */
    int has_left;      /* supports a preconditioner on the left */
    int has_basis;
    stn_solver_best best;
    /* Optional: creates data of the method before the first column. `run` is called once per column
     * and finds the data as the previous column left them. */
    stn_status (*begin)(stn_solver_state *s, void **method_data);
    stn_status (*run)(stn_solver_state *s, void *method_data, int *reason);
    /* In place of `run`, of methods that solve several columns together: `open` starts the method,
     * `step` continues after the product s->to = A s->from and sets the next one, `close` ends it.
     */
    stn_status (*open)(stn_solver_state *s, void *method_data, int *reason);
    stn_status (*step)(stn_solver_state *s, void *method_data, int *reason);
    stn_status (*close)(stn_solver_state *s, void *method_data, int reason);
    void (*end)(void *method_data);
} stn_solver_functions;

extern const stn_solver_functions stn_solver_cg, stn_solver_gmres, stn_solver_refinement,
    stn_solver_bicgstab, stn_solver_minres, stn_solver_fgmres;

/* Returns NULL for an invalid method. */
const stn_solver_functions *stn_solver_functions_of(stn_solver_method method);

/* Checks all arguments before memory is allocated, except the sizes of structs. */
stn_status stn_solver_expect(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                             const stn_view *b, const stn_solver_options *options,
                             const stn_solver_report *report, size_t report_size);

/* Compares the memory of the solve, including the basis, with the available memory. STN_ERR_MEMORY.
 */
stn_status stn_solver_expect_memory(const stn_solver_state *s, const stn_solver_functions *method);

int stn_solver_has_default_basis(const stn_solver_options *options); /* `basis` is all zeros */

/* Format of the elements of the basis: the arithmetic type if `basis` is all zeros; in complex
 * arithmetic, a complex format means the format of its parts. */
stn_format stn_solver_basis_format(const stn_solver_state *s);

/* Bytes of an element of the basis. */
double stn_solver_basis_width(const stn_solver_state *s);

int64_t stn_solver_columns_of(const stn_view *b);

/* The caller's report of column c; `size` is the size of each report. */
stn_solver_report *stn_solver_column_report(const stn_solver_report *reports, size_t size,
                                            int64_t c);

/* Compares the arguments of all ranks and sets s->rows. STN_ERR_SHAPE. */
stn_status stn_solver_agree(stn_solver_state *s, const stn_view *b, const stn_view *x);

/* Sets both on all ranks if they are set on one. */
stn_status stn_solver_agree_on_limits(const stn_solver_state *s, int *is_interrupted, int *is_late);

/* x' y and |x| of vectors of the solve, over all ranks. */
stn_status stn_solver_dot(const stn_solver_state *s, double *result, const stn_view *x,
                          const stn_view *y);
stn_status stn_solver_nrm2(const stn_solver_state *s, double *result, const stn_view *x);

/* Starts a column and its method; ends it, with the status and reason so far, and fills s->report;
 * does both, and all iterations. */
stn_status stn_solver_start(stn_solver_state *s, const stn_view *b, const stn_view *x, int *reason);
stn_status stn_solver_end(stn_solver_state *s, const stn_view *x, stn_status status, int reason);
stn_status stn_solver_run(stn_solver_state *s, const stn_view *b, const stn_view *x);

/* Creates the vectors and the data of the method. */
stn_status stn_solver_create_memory(stn_solver_state *s);

/* Computes s->to = A s->from, or M A s->from with M on the left, for `count` solves whose products
 * read the matrix together; several only if `has_list` is set. Each has its own status, which is
 * not changed unless a call fails. */
void stn_solver_multiply_together(stn_solver_state *const *solves, stn_status **statuses,
                                  int64_t count);

/* The real part of from^H to, after to = A from. */
stn_status stn_solver_dot_of_product(const stn_solver_state *s, double *result);

/* Solves all columns of b, of rank 1 or 2. */
stn_status stn_solver_columns(stn_solver_state *s, const stn_view *b, const stn_view *x,
                              stn_solver_report *report);

/* Sets the scale, b and x. */
stn_status stn_solver_load(stn_solver_state *s, const stn_view *b, const stn_view *x);

/* After the residual of the initial guess: if s->scale is less than 1 and the squares of the
 * residual overflow, or if it is not finite although the caller's x is, s->x becomes 0. s->residual
 * and vectors[0] are then those of 0. */
stn_status stn_solver_expect_guess(stn_solver_state *s, const stn_view *x);

/* Copies s->x to the caller's x. */
stn_status stn_solver_copy_x(const stn_solver_state *s, const stn_view *x);

/* The same, followed by a check of the stored values. Sets s->stored, s->saturated, s->is_lost and
 * s->is_kept. Unless x is stored exactly, s->x and vectors[0] are overwritten, and the caller's x
 * is restored if the residual of the stored values is not less than s->first or, with is_last, if
 * it is not finite. */
stn_status stn_solver_store(stn_solver_state *s, const stn_view *x, int is_last);

/* The same without a product with A, after an operator failed: the caller's x is restored if
 * elements of s->x are out of range. */
stn_status stn_solver_store_unmeasured(stn_solver_state *s, const stn_view *x);

/* |b - A x| in twice the precision of f64, with the stored A and b; NaN or infinite if it
 * overflows. A must be a matrix. x is that of the caller; NULL: s->x. *largest is the largest
 * magnitude of an element of b - A x. Overwrites vectors[1]. */
stn_status stn_solver_residual_accurate(stn_solver_state *s, const stn_view *x, double *residual,
                                        double *largest);

/* Estimates the rounding error of the residual of s->x, which is s->residual, and the backward
 * error. If the method converged, but the rounding error exceeds the tolerance, the residual is
 * computed more accurately, or *reason is set. Overwrites vectors[0] to [2]. No-op in an inner
 * solver. */
stn_status stn_solver_verify(stn_solver_state *s, int *reason);

/* The matrix of an operator; NULL if it has none, or has one of the other kind. */
const stn_matrix *stn_operator_matrix(const stn_operator *a);
const stn_distributed_matrix *stn_operator_distributed_matrix(const stn_operator *a);

/* Is A a matrix? A distributed solve needs a distributed one. */
int stn_solver_has_matrix(const stn_solver_state *s);

/* Elements of a vector for each of its numbers: 2 in complex arithmetic. */
int stn_solver_parts(const stn_solver_state *s);

/* stn_solve without verification of the residual, for inner solvers. *kept is all zeros, or as the
 * previous call with the same options left it, tolerances and the checkpoint excepted: it has the
 * memory of the solve, to be released with stn_solver_release. */
stn_status stn_solve_inner(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                           const stn_view *b, const stn_solver_options *options,
                           stn_solver_report *report, stn_solver_state *kept);
void stn_solver_release(stn_solver_state *s, stn_solver_method method);

/* Sets the members that stn_solve sets to those of a failed call. */
void stn_solver_clear(stn_solver_report *report);

/* Creates a vector, uninitialized; returns its complex numbers as a view without a share of the
 * memory. */
stn_status stn_solver_vector(const stn_solver_state *s, const char *label, stn_view *vector);
stn_view stn_solver_numbers(const stn_solver_state *s, const stn_view *vector);
int stn_solver_is_complex(const stn_solver_state *s);

/* y = A x. */
stn_status stn_solver_multiply(const stn_solver_state *s, const stn_view *x, const stn_view *y);

/* y = A x, or y = M A x with M on the left; y = M x with M on the right, which must exist. */
stn_status stn_solver_apply(const stn_solver_state *s, const stn_view *x, const stn_view *y);
stn_status stn_solver_precondition(const stn_solver_state *s, const stn_view *x, const stn_view *y);

/* Counts the elements of a vector that are infinite or NaN. */
stn_status stn_solver_count_not_finite(const stn_solver_state *s, const stn_view *vector,
                                       int64_t *count);

/* r = b - A x for any x, or M (b - A x) with M on the left; sets s->residual, norm and target. Both
 * norms are infinite if x is not finite, because A may have no entry in the column of such an
 * element. */
stn_status stn_solver_residual(stn_solver_state *s, const stn_view *x, const stn_view *r);

/* Sets the target that corresponds to s->residual and s->norm. */
void stn_solver_set_target(stn_solver_state *s);

/* Keeps s->x if its residual, s->residual, is the smallest so far. */
stn_status stn_solver_update_best(stn_solver_state *s);

/* Exchanges the memory of two vectors. */
void stn_solver_swap(stn_view *a, stn_view *b);

/* The rounding unit of the arithmetic. */
double stn_solver_rounding(const stn_solver_state *s);

/* Counts an iteration with this norm of the residual, stores it in the history and calls the
 * monitor. *reason becomes a stop reason or STN_STOP_NONE. */
stn_status stn_solver_count(stn_solver_state *s, double norm, int *reason);

/* The same for the norm of a recurrence. If it is small enough, the residual of s->x is computed:
 * the method has converged, or sets *begins_anew to restart from r, that residual, unless it is
 * barely smaller than *last, its previous value. The same holds if a limit or the monitor stops the
 * method, whose state is then kept. */
stn_status stn_solver_finish(stn_solver_state *s, double norm, const stn_view *r, double *last,
                             int *begins_anew, int *reason);

/* Divides by |b|, unless b is 0. */
double stn_solver_relative(const stn_solver_state *s, double residual);

#endif
