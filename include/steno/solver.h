/* Linear systems A x = b by Krylov methods, whose vectors may be stored narrower than the
 * arithmetic computes. All of it is made of this library's kernels, reductions and products: it
 * runs where they run, and x, the number of iterations and each residual have the same bits on
 * every executor and for every number of threads. */
#ifndef STENO_SOLVER_H
#define STENO_SOLVER_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/sparse.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/* ---- operators ---- */

/* Computes y = A x. x and y are disjoint, of rank 1, contiguous, in the arithmetic type of the
 * solver and in the memory of the executor; y is uninitialized. One thread calls it at a time. A
 * status other than STN_OK ends the solve and is its status. If the function changes the
 * floating-point environment, the library restores it after the call. */
typedef stn_status (*stn_operator_apply)(void *context, const stn_exec *exec, stn_format arithmetic,
                                         const stn_view *x, const stn_view *y);

/* A square matrix, or what stands for one: a product with a vector. */
typedef struct stn_operator {
    size_t size;       /* of this struct */
    const char *label; /* appears in error messages; not copied */
    int64_t rows;
    stn_operator_apply apply;
    void *context;
} stn_operator;

/* By a function, which is called with `context`; by a sparse matrix, which must live as long.
 * STN_ERR_ARGUMENT (NULL, no matrix), STN_ERR_SHAPE (a negative number of rows, a matrix that is
 * not square); *made is all zeros then. */
STN_API stn_status stn_operator_create(stn_operator *made, const char *label, int64_t rows,
                                       stn_operator_apply apply, void *context);
STN_API stn_status stn_operator_of_matrix(stn_operator *made, const stn_matrix *matrix);

/* ---- checkpoints ---- */

/* What a solve that ended early needs to go on, in this process or another: the vectors and numbers
 * of its method, in so many bytes. It is empty, or of one solve. */
typedef struct stn_checkpoint stn_checkpoint;

/* An empty one, to be released. STN_ERR_ARGUMENT (NULL), STN_ERR_MEMORY; *made is NULL then. */
STN_API stn_status stn_checkpoint_create(stn_checkpoint **made);
STN_API void stn_checkpoint_release(stn_checkpoint *checkpoint); /* NULL: nothing */

/* Its bytes, which live until it is changed; NULL and 0 where it is empty. They begin with a
 * version, a length and a sum over all of them. */
STN_API stn_status stn_checkpoint_bytes(const stn_checkpoint *checkpoint, const void **bytes,
                                        int64_t *count);

/* It becomes these bytes; empty of 0. STN_ERR_PARSE (no checkpoint; one that was cut off or
 * altered; of another version, or byte order), STN_ERR_MEMORY: it is as it was. */
STN_API stn_status stn_checkpoint_assign(stn_checkpoint *checkpoint, const void *bytes,
                                         int64_t count);

/* The bytes in a file, which is there whole or, on an error, as it was before; and from one. An
 * empty one is not saved (STN_ERR_ARGUMENT). STN_ERR_IO, STN_ERR_PARSE as above. */
STN_API stn_status stn_checkpoint_save(const stn_checkpoint *checkpoint, const char *path);
STN_API stn_status stn_checkpoint_load(stn_checkpoint *checkpoint, const char *path);

/* ---- methods ---- */

/* Vectors are those that a method keeps, of n elements in the arithmetic type; b is one more
 * where the executor does not reach it. */
typedef enum stn_solver_method {
    /* Conjugate gradients, for symmetric (complex: Hermitian) positive definite matrices, with a
     * preconditioner of that kind: 5 vectors, with a preconditioner 6. */
    STN_SOLVER_CG = 0,
    /* GMRES(restart), for any: 4 vectors, with a preconditioner 5, of complex numbers one more, and
     * a basis of restart + 1 in the storage of `basis`. Classical Gram-Schmidt, and again where a
     * vector loses more than half of its square by it. */
    STN_SOLVER_GMRES = 1,
    /* Iterative refinement: x becomes x + d, where `inner` solves `inner_operator` d = b - A x
     * approximately. Stores 4 vectors and those of `inner`. The inner solver need not converge. If
     * its d increases the residual, x becomes x + t d with the t that minimizes the residual. */
    STN_SOLVER_REFINEMENT = 2,
    /* BiCGStab, for any: 7 vectors, with a preconditioner 9. An iteration has two products with A;
     * where it breaks down it begins again from x, if that has become better. */
    STN_SOLVER_BICGSTAB = 3,
    /* MINRES, for symmetric (Hermitian) matrices, definite or not, with a positive definite
     * preconditioner: 7 vectors, with a preconditioner 10. */
    STN_SOLVER_MINRES = 4,
    /* Flexible GMRES: the preconditioner may differ from call to call, as one that is a solver of
     * its own does. As GMRES, and with a preconditioner another basis of `restart`. */
    STN_SOLVER_FGMRES = 5
} stn_solver_method;

/* Progress information passed to the monitor after each iteration. */
typedef struct stn_solver_progress {
    size_t size;
    int64_t iteration; /* from 1 on */
    double residual;   /* |b - A x| / |b| as the method's recurrence has it, else |b - A x| */
    double seconds;    /* since the call */
    int64_t column;    /* of b; from 0 on */
} stn_solver_progress;

/* Called after each iteration. A nonzero return value stops the solve. The floating-point
 * environment is restored after the call. */
typedef int (*stn_solver_monitor)(void *context, const stn_solver_progress *progress);

/* How to solve. All zeros, but the size, are CG in f64 to a relative residual of 1e-10. */
typedef struct stn_solver_options {
    size_t size; /* of this struct */
    stn_solver_method method;
    stn_format arithmetic; /* 0, which is STN_F64, or STN_F32, STN_C128, STN_C64 */
    double relative; /* done when |b - A x|, calculated anew, is at most relative |b|; 0: 1e-10, */
    double absolute; /* or at most this */
    int64_t iterations; /* at most, of all restarts together, and with those before a checkpoint;
                         * 0: 10 n, but no more than 100000 */
    double seconds;     /* after which no other begins; 0: any number */
    int64_t restart;    /* of both kinds of GMRES, up to 2^20; 0: 100. Never more than n */
    /* Of GMRES's basis: any real format with a sign; all zeros is f64, or f32 in that
     * arithmetic. Complex vectors are stored by their parts, one behind the other: in a real
     * format, or a complex one, which says the same. Each vector has a factor of its own, with
     * which it fills the range of the format: a power of two for floats, so that no element of f16
     * is subnormal that need not be; for integers the largest magnitude over the largest code. A
     * scale and a zero point are left to it. */
    stn_storage basis;
    /* NULL, or about the inverse of A. It is applied on the right, so that recurrences have the
     * residual of A x = b; or, where on_left is not 0, on the left: of GMRES, flexible GMRES and
     * BiCGStab, which then solve M A x = M b (two vectors more). What is small enough is
     * |b - A x| there too; between restarts it is told as |M (b - A x)| lets expect it. */
    const stn_operator *preconditioner;
    int on_left;
    const struct stn_solver_options *inner; /* of STN_SOLVER_REFINEMENT */
    const stn_operator *inner_operator;     /* about A; NULL: A */
    stn_solver_monitor monitor;             /* NULL, or called behind each iteration */
    void *context;
    /* NULL, or: where it is empty, x begins the solve; else the solve goes on from there, and x has
     * the bits that it would have, and so has each residual, had the solve not ended. It is made
     * where one ends by its iterations, its time or its monitor, also of an inner solver; emptied
     * where one ends otherwise; and as it was where a call fails. A, b, the executor's kind, the
     * tolerances and the limits are not in it. STN_ERR_ARGUMENT where it is of another method,
     * arithmetic, basis, restart, b (compared by a checksum of its elements), number of rows or
     * side of a preconditioner; STN_ERR_UNSUPPORTED with several columns. */
    stn_checkpoint *checkpoint;
    /* Of a basis of integers, 32: each 32 elements have a factor of their own, of f32, so that the
     * small ones beside each other are not rounded as the largest of the vector are. 0: a factor
     * for each vector. STN_ERR_UNSUPPORTED with other formats. */
    int64_t basis_block;
} stn_solver_options;

/* Why a method ended. Numbers are only ever appended. */
typedef enum stn_stop_reason {
    STN_STOP_CONVERGED = 0,
    STN_STOP_MAX_ITERATIONS = 1,
    STN_STOP_MAX_SECONDS = 2,
    STN_STOP_INTERRUPTED = 3, /* by the monitor */
    STN_STOP_STAGNATED = 4,   /* a restart, or refinement, that made the residual hardly smaller */
    STN_STOP_BREAKDOWN = 5, /* of CG and MINRES: r' M r is 0 and r is not; of GMRES and MINRES: A is
                             * singular to working precision, and no x has a smaller residual; of
                             * BiCGStab: a product of vectors is 0, twice without progress; of CG
                             * and BiCGStab: the residual has grown by 1 / u, as where A is singular
                             * and b is not in its range */
    STN_STOP_NOT_POSITIVE_DEFINITE =
        6,                   /* of CG: p' A p, or r' M r, is not positive; of MINRES: r' M r */
    STN_STOP_NOT_FINITE = 7, /* an infinity or NaN in A, b, x or vectors computed from them, also in
                              * elements of x that A does not read; x is the best finite one, or
                              * unchanged */
    STN_STOP_CALL_FAILED = 8, /* another status than STN_OK and STN_ERR_CONVERGENCE says why */
    /* The method converged, but elements of x are outside the range of its storage, or all of them
     * became 0 in it, or x is stored in the arithmetic type without a scale and misses the goal
     * because elements underflowed. */
    STN_STOP_NOT_REPRESENTABLE = 9
} stn_stop_reason;

typedef struct stn_solver_report {
    size_t size; /* of this struct */
    stn_stop_reason reason;
    int64_t iterations; /* completed */
    int64_t restarts;   /* GMRES: cycles after the first; STN_SOLVER_REFINEMENT: corrections of x */
    int64_t inner_iterations; /* of STN_SOLVER_REFINEMENT, of all of them together */
    /* |b - A x| / |b|, or |b - A x| if b is 0, calculated from x. `residual` is that of x in the
     * arithmetic type, which decides the reason. `stored_residual` is that of the x that the caller
     * has after the call. They differ if storing changes x: it is rounded to another format or
     * scale, elements overflow or underflow, or the initial guess is kept. NaN if it was not
     * calculated. */
    double residual, stored_residual;
    int64_t saturated; /* elements of x outside the range of its storage */
    double seconds;
    double *history;  /* NULL, or the caller's room for `most` numbers: residuals behind each */
    int64_t most;     /* iteration of this call, as the monitor is told them */
    int64_t entries;  /* of history, that were set */
    int64_t columns;  /* of b, that were tried; 1 where it is of rank 1 */
    int64_t unsolved; /* of them */
    /* NULL, or the caller's room for `each_most` solutions, one per column of b, each with its size
     * and its history. This one then, or where there are several columns, is of all together: the
     * first reason that is not STN_STOP_CONVERGED, sums of iterations, the largest residual, and no
     * history. */
    struct stn_solver_report *each;
    int64_t each_most;
} stn_solver_report;

/* Solves A x = b, starting from the values of x.
 *
 * exec      executor of all products, kernels and reductions
 * solver    options
 * a         operator A, of n rows
 * b, x      rank 1, n elements; or rank 2, n x k, for k systems. Any format, scale and layout;
 *           complex if and only if the arithmetic is. They must be disjoint, and no two elements of
 *           x may share memory.
 * solution  report, or NULL
 *
 * x is written when the method ends. A solve that does not converge returns STN_ERR_CONVERGENCE,
 * and stn_error() has the reason. x is then the one with the smallest residual of all x whose
 * residual was calculated, and never worse than the initial guess: GMRES and refinement calculate
 * it after each cycle or correction, the other methods when they begin, when their recurrence
 * reaches the goal, and when they end. One exception: if a limit or the monitor ends CG, x is that
 * of the last iteration. If x is rounded to its storage and the result is not better than the
 * initial guess, x keeps its values, also if the method converged. A resumed solve does not have
 * the guess: it stores x unless its residual is not finite.
 *
 * Columns are solved sequentially, each with the bits of a separate solve. A column that fails does
 * not stop the others. The status, whose message names the columns that failed, is the first that
 * is not STN_ERR_CONVERGENCE.
 *
 * If an operator fails, its status is returned. x is then that of the last finished iteration, or
 * unchanged if that has elements outside the range of the storage.
 *
 * The other errors leave x unchanged:
 * STN_ERR_ARGUMENT     NULL; a size that is not that of the struct; a negative option or a NaN
 * STN_ERR_RANGE        restart is too large
 * STN_ERR_SHAPE        extents of a, the preconditioner, b or x do not match
 * STN_ERR_FORMAT       complex b or x in real arithmetic, or real ones in complex arithmetic
 * STN_ERR_UNSUPPORTED  the arithmetic; the format of the basis; a preconditioner of
 * STN_SOLVER_REFINEMENT, or on the left of CG or MINRES; a checkpoint with several columns
 * STN_ERR_ALIAS        x overlaps b or itself
 * STN_ERR_MEMORY       not enough memory; a large solve is refused before any is allocated
 *
 * solution is set, except if its own size is wrong. */
STN_API stn_status stn_solve(const stn_exec *exec, const stn_solver_options *solver,
                             const stn_operator *a, const stn_view *b, const stn_view *x,
                             stn_solver_report *solution);

/* Name of an reason, such as "converged"; "unknown stop reason" for any other number. */
STN_API const char *stn_stop_reason_name(stn_stop_reason reason);

STN_END_DECLS

#endif
