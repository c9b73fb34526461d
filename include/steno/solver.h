/** @file
 * Iterative solvers for linear systems A x = b: Krylov methods and iterative refinement.
 *
 * The vectors of a method may be stored in a narrower format than the arithmetic type. The solvers
 * consist of the kernels, reductions and products of this library and run on the same executors.
 * x, the number of iterations and each residual have the same bits on every executor and for every
 * number of threads.
 *
 * Calls with different operands may run in different threads at the same time.
 */
#ifndef STENO_SOLVER_H
#define STENO_SOLVER_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/sparse.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/* ---- operators ---- */

/** Function that computes y = A x.
 *
 * The solver calls it in one thread at a time. If the function changes the floating-point
 * environment, the library restores it after the call.
 *
 * @param context     context of the operator
 * @param exec        executor of the solve
 * @param arithmetic  arithmetic type of the solve
 * @param x           rank 1, contiguous, in the arithmetic type and the memory of the executor
 * @param[out] y      same shape and format as x, disjoint from x; uninitialized
 * @return STN_OK; any other status ends the solve, and stn_solve() returns it */
typedef stn_status (*stn_operator_apply)(void *context, const stn_exec *exec, stn_format arithmetic,
                                         const stn_view *x, const stn_view *y);

/** Square matrix, or another linear map, as its product with a vector.
 *
 * Operators are created by stn_operator_create() and the stn_operator_of_ functions. They need not
 * be initialized before or released afterward, and may be copied. The layout does not change; later
 * members use the reserved bytes. */
typedef struct stn_operator {
    size_t size;              /**< size of this struct; 0 if it is empty */
    const char *label;        /**< name in error messages; not copied */
    int64_t rows;             /**< number of rows and columns */
    stn_operator_apply apply; /**< product with a vector */
    void *context;            /**< first argument of `apply` */
    void *reserved[3];        /**< NULL */
} stn_operator;

/** Creates an operator from a function.
 * @param[out] op  operator; all zeros on error
 * @param label    name in error messages, or NULL; not copied
 * @param rows     number of rows and columns
 * @param apply    product with a vector
 * @param context  first argument of `apply`
 * @retval STN_ERR_ARGUMENT  op or apply is NULL
 * @retval STN_ERR_SHAPE     rows is negative */
STN_API stn_status stn_operator_create(stn_operator *op, const char *label, int64_t rows,
                                       stn_operator_apply apply, void *context);

/** Creates an operator, `op`, from a sparse, square `matrix`, which must live as long as the
 * operator. On error the operator is all zeros.
 * @retval STN_ERR_ARGUMENT  op or matrix is NULL, or matrix is empty
 * @retval STN_ERR_SHAPE     the matrix is not square */
STN_API stn_status stn_operator_of_matrix(stn_operator *op, const stn_matrix *matrix);

struct stn_distributed_matrix; /* steno/distribute.h */

/** Creates an operator, `op`, from a distributed `matrix`, which must live as long as the operator.
 * Its products are those of stn_distributed_spmv(). On error the operator is all zeros.
 * @retval STN_ERR_ARGUMENT  op or matrix is NULL */
STN_API stn_status stn_operator_of_distributed_matrix(stn_operator *op,
                                                      const struct stn_distributed_matrix *matrix);

/* ---- checkpoints ---- */

/** State of an interrupted solve, with which it continues in this process or another: the vectors
 * and scalars of its method as a sequence of bytes. A checkpoint is empty or belongs to one solve.
 */
typedef struct stn_checkpoint stn_checkpoint;

/** Creates an empty `checkpoint`, to be released by stn_checkpoint_release(); NULL on error.
 * @retval STN_ERR_ARGUMENT  checkpoint is NULL
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_checkpoint_create(stn_checkpoint **checkpoint);

/** Releases `checkpoint`; NULL is a no-op. */
STN_API void stn_checkpoint_release(stn_checkpoint *checkpoint);

/** Returns the `bytes` of `checkpoint` and their `count`: valid until it changes; NULL if it is
 * empty. They begin with a version, a length and a checksum.
 * @retval STN_ERR_ARGUMENT  an argument is NULL */
STN_API stn_status stn_checkpoint_bytes(const stn_checkpoint *checkpoint, const void **bytes,
                                        int64_t *count);

/** Sets `checkpoint` to a copy of the `count` `bytes` of another one; 0 makes it empty. On error it
 * is unchanged.
 * @retval STN_ERR_ARGUMENT  a pointer is NULL or count is negative
 * @retval STN_ERR_PARSE     the bytes are no checkpoint, are truncated or altered, or have another
 *                           version or byte order
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_checkpoint_assign(stn_checkpoint *checkpoint, const void *bytes,
                                         int64_t count);

/** Saves `checkpoint` to the file `path`. On error an existing file is unchanged.
 * @retval STN_ERR_ARGUMENT  an argument is NULL or the checkpoint is empty
 * @retval STN_ERR_IO        the file cannot be written */
STN_API stn_status stn_checkpoint_save(const stn_checkpoint *checkpoint, const char *path);

/** Loads `checkpoint` from the file `path`. On error it is unchanged.
 * @retval STN_ERR_ARGUMENT  an argument is NULL
 * @retval STN_ERR_IO        the file cannot be read
 * @retval STN_ERR_PARSE     as in stn_checkpoint_assign()
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_checkpoint_load(stn_checkpoint *checkpoint, const char *path);

/* ---- options ---- */

/** Method of a solver. The number of vectors of n elements in the arithmetic type that it allocates
 * is given without and with a preconditioner. The solver allocates one more for b if the executor
 * cannot access b. */
typedef enum stn_solver_method {
    /** Conjugate gradients, for symmetric (complex: Hermitian) positive definite matrices and
     * preconditioners: 5 vectors, or 6. */
    STN_SOLVER_CG = 0,
    /** GMRES with restarts, for general matrices: 4 vectors, or 5; in complex arithmetic one more;
     * and a basis of restart + 1 vectors in the format of `basis`, orthogonalized as
     * `orthogonalization` selects. */
    STN_SOLVER_GMRES = 1,
    /** Iterative refinement: x becomes x + d, where `inner` solves A d = b - A x approximately: 4
     * vectors and those of `inner`. The inner solver need not converge. If d increases the
     * residual, x becomes x + t d with the t that minimizes the residual. */
    STN_SOLVER_REFINEMENT = 2,
    /** BiCGStab, for general matrices: 7 vectors, or 9. An iteration has two products with A. After
     * a breakdown the method restarts from x, provided that the residual has decreased. */
    STN_SOLVER_BICGSTAB = 3,
    /** MINRES, for symmetric (complex: Hermitian) matrices, which may be indefinite, with a
     * positive definite preconditioner: 7 vectors, or 10. */
    STN_SOLVER_MINRES = 4,
    /** Flexible GMRES: the preconditioner may be a different operator in each application, for
     * example an iterative solver. Vectors as for GMRES; with a preconditioner also a second basis
     * of `restart` vectors. */
    STN_SOLVER_FGMRES = 5
} stn_solver_method;

/** Orthogonalization of the vectors of GMRES: classical Gram-Schmidt in several variants. A pass
 * reads the basis once. */
typedef enum stn_orthogonalization {
    /** The fastest variant that is safe: STN_ORTHOGONALIZATION_DELAYED for a basis whose format is
     * narrower than the arithmetic type, otherwise STN_ORTHOGONALIZATION_ONCE. */
    STN_ORTHOGONALIZATION_DEFAULT = 0,
    /** One projection, in two passes. A vector that loses all but 1 % of its norm is orthogonalized
     * again. */
    STN_ORTHOGONALIZATION_ONCE = 1,
    /** Two passes, and a third one if the projection removes more than half of the squared norm. */
    STN_ORTHOGONALIZATION_IF_NEEDED = 2,
    /** Two projections, in three passes. */
    STN_ORTHOGONALIZATION_TWICE = 3,
    /** One projection, in two passes, with about the orthogonality of two: the second pass also
     * computes the products of the remainder with the vectors, by which the coefficients of later
     * vectors are corrected. A third pass follows if these products are large. */
    STN_ORTHOGONALIZATION_DELAYED = 4,
    /** One pass: random sketches of the vectors decide the coefficients. The vectors are nearly
     * orthogonal, and the residual between restarts is an estimate. The sketches have 8 to 16 rows
     * per vector of the basis, are stored in f64 on the host, and are the same in each solve.
     * Distributed vectors need an aligned partition: see `partition` in stn_solver_options. */
    STN_ORTHOGONALIZATION_SKETCHED = 5
} stn_orthogonalization;

/** Side on which the preconditioner is applied. */
typedef enum stn_preconditioner_side {
    /** A M y = b with x = M y: the recurrences have the residual of A x = b. */
    STN_PRECONDITIONER_RIGHT = 0,
    /** M A x = M b: GMRES, flexible GMRES and BiCGStab only; two vectors more. The stopping
     * criterion remains |b - A x|. It is computed at restarts; between them it is estimated from
     * the preconditioned residual |M (b - A x)|. */
    STN_PRECONDITIONER_LEFT = 1
} stn_preconditioner_side;

/** Progress information passed to the monitor after each iteration. `size` is that of the library:
 * members beyond it must not be read. */
typedef struct stn_solver_progress {
    size_t size;       /**< size of this struct in the library */
    int64_t iteration; /**< number of completed iterations: 1, 2, ... */
    double residual;   /**< |b - A x| / |b| according to the recurrence; |b - A x| if b is 0 */
    double seconds;    /**< time since the call */
    int64_t column;    /**< index of the column of b */
} stn_solver_progress;

/** Function called after each iteration. The library restores the floating-point environment after
 * the call.
 * @param context   `monitor_context` of the options
 * @param progress  state of the solve; valid during the call
 * @return 0 to continue; any other value stops the solve with STN_STOP_INTERRUPTED */
typedef int (*stn_solver_monitor)(void *context, const stn_solver_progress *progress);

/** Options of a solver. The default of each member is 0. Initialize the struct with
 * STN_SOLVER_OPTIONS_INIT: conjugate gradients in f64 to a relative residual of 1e-10. */
typedef struct stn_solver_options {
    size_t size;              /**< size of this struct */
    stn_solver_method method; /**< method */
    stn_format arithmetic;    /**< STN_F64 (0), STN_F32, STN_C128 or STN_C64 */
    /** The solve has converged when |b - A x|, recomputed from x, is at most
     * max(relative_tolerance |b|, absolute_tolerance). If both are 0, relative_tolerance is 1e-10.
     */
    double relative_tolerance;
    double absolute_tolerance; /**< see relative_tolerance */
    /** Maximum number of iterations, including those of all restarts and those before the
     * checkpoint. 0 selects min(10 n, 100000). */
    int64_t max_iterations;
    /** Time limit in seconds: no iteration starts after it. 0: no limit. */
    double max_seconds;
    /** Number of iterations between restarts of GMRES and flexible GMRES, at most 2^20. The default
     * (0) is 100 iterations. Values larger than n are reduced to n. */
    int64_t restart;
    /** Storage of the basis of GMRES: a signed real format; all zeros select the arithmetic type.
     * In complex arithmetic, real and imaginary parts are stored as separate vectors, and a complex
     * format means the format of its parts. Each vector has a scale that adapts it to the range of
     * the format: a power of two for floating-point formats; for integers, the largest magnitude
     * divided by the largest code. The scale of `basis` must be 1 or 0, its zero point 0.
     * If narrow vectors would limit the residual of a cycle, its first vectors are stored in the
     * arithmetic type: with a strong preconditioner up to a whole basis. `bytes` of the report has
     * their memory, too.
     * Methods other than GMRES and flexible GMRES have no basis and require all zeros. */
    stn_storage basis;
    const stn_operator *preconditioner;     /**< approximate inverse of A, or NULL */
    stn_preconditioner_side side;           /**< side of the preconditioner */
    const struct stn_solver_options *inner; /**< inner solver of STN_SOLVER_REFINEMENT */
    const stn_operator *inner_operator;     /**< approximation of A for `inner`; NULL: A itself */
    stn_solver_monitor monitor;             /**< called after each iteration, or NULL */
    void *monitor_context;                  /**< first argument of `monitor` */
    /** Checkpoint, or NULL. If it is empty, the solve starts from x. Otherwise the solve continues
     * from it: x and each residual have the bits of an uninterrupted solve.
     *
     * A solve that stops by max_iterations, max_seconds or the monitor (of this solver or of
     * `inner`) sets the checkpoint. A solve that stops for another reason makes it empty. If a call
     * fails, the checkpoint is unchanged. It does not contain A, b, the kind of executor,
     * tolerances and limits. Its method, arithmetic, basis, restart, orthogonalization, b (compared
     * by a checksum), number of rows and side must match those of the call. */
    stn_checkpoint *checkpoint;
    /** Elements per scale in a basis of integers: 32, or 0 for one scale per vector. Blocks of 32
     * elements with f32 scales reduce the rounding error of small elements. Other formats do not
     * support blocks; methods without a basis require 0. */
    int64_t basis_block;
    /** Orthogonalization of GMRES and flexible GMRES; other methods require the default. */
    stn_orthogonalization orthogonalization;
    /** Rows of all ranks if the vectors are distributed (steno/distribute.h), or NULL. The call is
     * then collective. A, b, x and the preconditioner have the rows of this rank; A exchanges
     * elements with other ranks, for example stn_operator_of_distributed_matrix(). x, each residual
     * and the number of iterations have the bits of a solve on one rank if products with A and the
     * preconditioner do. Each rank has its own checkpoint, with its rows: the solve continues with
     * the checkpoints that one call wrote, with the same partition. STN_ORTHOGONALIZATION_SKETCHED
     * needs a partition by stn_partition_create_aligned(), whose granule is a multiple of the rows
     * of a sketch. If one rank fails, the call fails on all ranks and leaves x and the checkpoints
     * unchanged. If a rank has a monitor or max_seconds, each iteration has one exchange more.
     * `inner` has the same partition. */
    const struct stn_partition *partition;
    /** STN_SOLVER_REFINEMENT: array of approximations of A for `inner`, in the order of increasing
     * accuracy, in place of inner_operator; or NULL. The first correction uses the first one. If a
     * correction does not reduce the residual to an eighth, the following ones use the next
     * operator; a correction that does not reduce it at all is repeated with that operator.
     * Matrices of stn_matrix_planes() with 1, 2 and 3 planes are such operators with one stored
     * matrix. */
    const stn_operator *inner_operators;
    /** Length of inner_operators; 0 if it is NULL. A checkpoint contains the index of the current
     * one. */
    int64_t inner_operator_count;
} stn_solver_options;
/** Initializer of stn_solver_options. */
#define STN_SOLVER_OPTIONS_INIT STN_INIT(stn_solver_options)

/* ---- reports ---- */

/** Reason for which a solve stopped. Values are only appended. */
typedef enum stn_stop_reason {
    STN_STOP_CONVERGED = 0,      /**< converged */
    STN_STOP_MAX_ITERATIONS = 1, /**< max_iterations was reached */
    STN_STOP_MAX_SECONDS = 2,    /**< max_seconds was reached */
    STN_STOP_INTERRUPTED = 3,    /**< the monitor returned a nonzero value */
    STN_STOP_STAGNATED = 4,      /**< a restart or refinement barely reduced the residual */
    /** Breakdown. CG and MINRES: r' M r is 0 and r is not. GMRES and MINRES: A is singular to
     * working precision, and no x has a smaller residual. BiCGStab: an inner product is 0 twice
     * without progress. CG and BiCGStab: the residual grew by a factor of 1 / u, as it does if A is
     * singular and b is not in its range. */
    STN_STOP_BREAKDOWN = 5,
    /** CG: p' A p or r' M r is not positive. MINRES: r' M r is not positive. */
    STN_STOP_NOT_POSITIVE_DEFINITE = 6,
    /** A, b, x or vectors computed from them contain an infinity or NaN, possibly in elements of x
     * that A does not reference. x is the best finite iterate, or unchanged. */
    STN_STOP_NOT_FINITE = 7,
    STN_STOP_CALL_FAILED = 8, /**< the status is neither STN_OK nor STN_ERR_CONVERGENCE */
    /** The method converged, but elements of x exceed the range of its storage, or all of them are
     * rounded to 0; or x is stored in the arithmetic type without a scale and misses the tolerance
     * because elements underflow. */
    STN_STOP_NOT_REPRESENTABLE = 9,
    /** The computed residual reached the tolerance, but its rounding error is larger than the
     * tolerance, and the residual in twice the precision of f64 exceeds the tolerance. If A is a
     * function, the latter cannot be computed. */
    STN_STOP_RESIDUAL_UNCERTAIN = 10
} stn_stop_reason;

/** Report of a solve. Initialize it with STN_SOLVER_REPORT_INIT. `history`, `history_capacity`,
 * `column_reports` and `column_capacity` are set by the caller, all other members by stn_solve().
 */
typedef struct stn_solver_report {
    size_t size;              /**< size of this struct */
    stn_stop_reason reason;   /**< why the solve stopped */
    int64_t iterations;       /**< completed iterations */
    int64_t restarts;         /**< GMRES: restarts; STN_SOLVER_REFINEMENT: corrections of x */
    int64_t inner_iterations; /**< STN_SOLVER_REFINEMENT: total iterations of the inner solver */
    /** |b - A x| / |b|, or |b - A x| if b is 0, for x in the arithmetic type. It decides the
     * reason. If the method converged, `rounding_error` exceeds the tolerance and A is a matrix,
     * the residual is that in twice the precision of f64, with the stored values of A and b;
     * otherwise A and b are rounded to the arithmetic type. NaN: not computed. */
    double residual;
    /** The same for x as stored by the call. It differs from `residual` if x is rounded to its
     * storage, overflows or underflows in it, or keeps the initial guess. NaN: not computed. */
    double stored_residual;
    int64_t saturated; /**< elements of x that exceed the range of its storage */
    /** Duration of the call. In the report of a column it is the time between its start and its
     * end, in which columns that are solved together are solved, too. */
    double seconds;
    /** Array of history_capacity elements for the residuals after each iteration of this call, or
     * NULL. They equal `residual` of stn_solver_progress. */
    double *history;
    int64_t history_capacity; /**< length of history; later residuals are not stored */
    int64_t history_count;    /**< number of stored residuals */
    int64_t columns;          /**< columns of b that were processed; 1 if b has rank 1 */
    int64_t unsolved_columns; /**< columns that did not converge or failed */
    /** Array of column_capacity reports, one per column of b, or NULL. Each has its own history and
     * the same size as this report. With column_reports, or if b has several columns, this report
     * summarizes all columns: the first reason that is not STN_STOP_CONVERGED, sums of iterations,
     * the largest residuals, and no history. */
    struct stn_solver_report *column_reports;
    int64_t column_capacity; /**< length of column_reports; at least the number of columns */
    /** Estimated rounding error of |b - A x| in the arithmetic type, relative as `residual` is:
     * u (|A D x| + |b|) with the rounding unit u and random signs and weights D. NaN: unknown. */
    double rounding_error;
    /** Backward error of x in the arithmetic type: |b - A x| / (|A| |x| + |b|) with maximum norms.
     * It is the smallest e for which x solves a system whose A and b differ by at most e |A| and
     * e |b|. Complex systems are considered as real ones of 2 n equations. If A is a function, or a
     * matrix on a device, |A| is estimated from below, and the backward error is an upper bound.
     * NaN: unknown, or A is not finite. It is 0 only if the residual in the arithmetic type is 0.
     */
    double backward_error;
    /** Time in products with A, for any purpose; with STN_SOLVER_REFINEMENT also those of the inner
     * solver. The times of the four phases are disjoint: their sum does not exceed `seconds`, apart
     * from columns that are solved together. On a device they are those until the calls return. */
    double seconds_products;
    double seconds_preconditioner;    /**< time in products with the preconditioner */
    double seconds_orthogonalization; /**< GMRES: time of Gram-Schmidt */
    /** Time for rounding_error and backward_error, without products. */
    double seconds_verification;
    /** GMRES and flexible GMRES: memory of the bases in bytes, with the vectors that are stored in
     * the arithmetic type; 0 if the method has no basis or did not start. Of several columns, the
     * largest. */
    int64_t bytes;
} stn_solver_report;
/** Initializer of stn_solver_report. */
#define STN_SOLVER_REPORT_INIT STN_INIT(stn_solver_report)

/** Solves A x = b, starting from the values of x.
 *
 * x is written when the method stops. If the solve does not converge, the call returns
 * STN_ERR_CONVERGENCE, and x is the iterate with the smallest residual of all that were computed
 * from an iterate; it is never worse than the initial guess, which is returned if it is as good.
 * GMRES and refinement compute the residual after each cycle or correction. The other methods
 * compute it at the start, when the recurrence reaches the tolerance, and at the end. Exception: if
 * a limit or the monitor stops CG, x is the last iterate.
 *
 * If x is rounded to its storage and the result is not better than the initial guess, x keeps its
 * values, even if the method converged. A solve that continues from a checkpoint does not know the
 * initial guess: it stores x unless its residual is not finite.
 *
 * Each column has the bits of a separate solve. CG, MINRES and BiCGStab in real arithmetic solve up
 * to 8 columns together, each with its own vectors, if A is a matrix in compressed rows, sorted
 * entries or slices on the host; products then read the matrix once. Otherwise columns are solved
 * sequentially. If a column fails, the other columns are solved nevertheless. The status is the
 * first one that is not STN_ERR_CONVERGENCE, and its message names the columns that failed.
 *
 * If an operator fails, its status is returned. x is then the last completed iterate, or unchanged
 * if that exceeds the range of the storage. All other errors leave x unchanged. The report is set
 * unless its own size is invalid.
 *
 * @param exec         executor of all products, kernels and reductions
 * @param[in,out] x    initial guess and result: rank 1, n elements; or rank 2, n x k, for k
 *                     systems. Any format, scale and layout; no two elements share memory
 * @param a            operator with n rows
 * @param b            right-hand sides: shape of x, any format, scale and layout, disjoint from x
 * @param options      options; NULL selects the defaults
 * @param[out] report  report, or NULL
 * @retval STN_ERR_CONVERGENCE  the solve stopped for a reason other than STN_STOP_CONVERGED
 * @retval STN_ERR_ARGUMENT     an argument is NULL or empty, the size of a struct is invalid, an
 *                              option is negative, NaN or out of range, basis or basis_block is
 *                              set for a method without a basis, basis has a scale or zero point,
 *                              or the checkpoint belongs to a
 *                              different solve
 * @retval STN_ERR_RANGE        restart exceeds 2^20
 * @retval STN_ERR_SHAPE        the extents of a, the preconditioner, b and x do not match, or
 *                              column_capacity is less than the number of columns
 * @retval STN_ERR_FORMAT       b or x is complex in real arithmetic, or real in complex arithmetic;
 *                              or the format of basis is unknown
 * @retval STN_ERR_UNSUPPORTED  the arithmetic, the format of the basis, a preconditioner of
 *                              STN_SOLVER_REFINEMENT, a preconditioner on the left of CG or MINRES,
 *                              or a checkpoint with several columns is not supported
 * @retval STN_ERR_ALIAS        x overlaps b, itself, or an array of the matrix a
 * @retval STN_ERR_MEMORY       out of memory; large solves are refused before they allocate
 *
 * @code
 * stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
 * options.max_iterations = 500;
 * status = stn_solve(exec, &x, &a, &b, &options, NULL);
 * @endcode */
STN_API stn_status stn_solve(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                             const stn_view *b, const stn_solver_options *options,
                             stn_solver_report *report);

/** Returns the name of a stop `reason`, such as "converged"; "unknown stop reason" for an invalid
 * value. */
STN_API const char *stn_stop_reason_name(stn_stop_reason reason);

STN_END_DECLS

#endif
