/** @file
 * Advice: selection of storage formats for a given error, and of methods for linear systems.
 *
 * The functions measure: errors are those of the given values, and times are those of kernels of
 * this library on the executor. Results are therefore specific to the machine, except for bytes and
 * errors of arrays, which are exact.
 *
 * Errors of all functions, where they apply:
 * @retval STN_ERR_ARGUMENT     an argument is NULL or invalid
 * @retval STN_ERR_UNSUPPORTED  device memory, or an executor of a device
 * @retval STN_ERR_MEMORY       out of memory
 */
#ifndef STENO_ADVISE_H
#define STENO_ADVISE_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/solver.h"
#include "steno/sparse.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/* ---- arrays ---- */

/** Measure of the error of a stored array. */
typedef enum stn_error_norm {
    STN_ERROR_MAX = 0, /**< largest magnitude of an error */
    STN_ERROR_RMS = 1  /**< root mean square of the errors */
} stn_error_norm;

/** Quantity that is minimized among the formats that meet the target. */
typedef enum stn_advise_goal {
    STN_ADVISE_BYTES = 0, /**< bytes; of equal ones, the shortest time per element */
    STN_ADVISE_SPEED = 1  /**< time per element; within 10 % of the shortest one, bytes */
} stn_advise_goal;

/** Scales of a storage. */
typedef enum stn_advise_scales {
    STN_ADVISE_UNSCALED = 0, /**< scale 1 */
    STN_ADVISE_FITTED = 1,   /**< one power of two for the array, as of stn_view_fit_scales() */
    /** One f32 power of two for each 32 consecutive elements of the last dimension. */
    STN_ADVISE_BLOCKS = 2
} stn_advise_scales;

/** Options of stn_advise_array(). Initialize the struct with STN_ARRAY_ADVICE_OPTIONS_INIT: maximum
 * error 0. */
typedef struct stn_array_advice_options {
    size_t size;          /**< size of this struct */
    double target;        /**< largest admissible error */
    stn_error_norm norm;  /**< measure of the error */
    int32_t is_relative;  /**< 1: errors are relative to the same norm of the values */
    stn_advise_goal goal; /**< what is minimized */
} stn_array_advice_options;
/** Initializer of stn_array_advice_options. */
#define STN_ARRAY_ADVICE_OPTIONS_INIT STN_INIT(stn_array_advice_options)

/** A storage of an array with its errors. Initialize the struct with STN_ARRAY_CHOICE_INIT. */
typedef struct stn_array_choice {
    size_t size;              /**< size of this struct */
    stn_format format;        /**< format */
    stn_advise_scales scales; /**< kind of scales */
    double scale;             /**< scale of STN_ADVISE_FITTED; otherwise 1 */
    int64_t bytes;            /**< bytes of all elements and scales */
    /** Largest magnitude of an error. Infinity if an infinity or NaN is not stored as such, or if a
     * value overflows. */
    double max_error;
    double rms_error; /**< root mean square of the errors */
    /** `max_error` divided by the largest finite magnitude of the array; max_error if all values
     * are 0. */
    double max_relative;
    /** `rms_error` divided by the root mean square of the finite values of the array; rms_error if
     * all are 0. */
    double rms_relative;
    double read_seconds;  /**< measured seconds per element to read and sum it in f64 */
    int32_t meets_target; /**< 1 if the error is at most the target */
    /** 1 if no other storage is at least as good in bytes, error and time, and better in one of
     * them. */
    int32_t is_efficient;
} stn_array_choice;
/** Initializer of stn_array_choice. */
#define STN_ARRAY_CHOICE_INIT STN_INIT(stn_array_choice)

/** List of storages of an array. */
typedef struct stn_array_advice stn_array_advice;

/** Evaluates an array in all formats that match it, with all kinds of scales.
 *
 * Real arrays are evaluated in all real formats, registered ones included; complex arrays in all
 * complex formats. Errors are differences between the values of the view in f64 and the stored
 * values. They are computed for all elements. The speed is measured on at most 2^21 elements.
 * Storages that cannot hold the array, such as unsigned formats for negative values, are omitted.
 *
 * @param exec         executor of the host
 * @param[out] advice  list, to be released with stn_array_advice_release(); NULL on error
 * @param view         array of any shape, format and layout
 * @param options      target; NULL selects the defaults
 * @retval STN_ERR_FORMAT  the format of the view is opaque
 * @code
 * stn_array_advice_options options = STN_INIT(stn_array_advice_options, .target = 1e-4,
 *                                             .norm = STN_ERROR_RMS, .is_relative = 1);
 * stn_advise_array(exec, &advice, &view, &options);
 * stn_array_advice_describe(advice, stn_array_advice_best(advice), &choice);
 * @endcode */
STN_API stn_status stn_advise_array(const stn_exec *exec, stn_array_advice **advice,
                                    const stn_view *view, const stn_array_advice_options *options);

/** Returns the number of storages of `advice`, which are in ascending order of bytes. */
STN_API int stn_array_advice_count(const stn_array_advice *advice);
/** Returns the index of the best storage of `advice` that meets the target, or -1 if none does. */
STN_API int stn_array_advice_best(const stn_array_advice *advice);
/** Returns the storage of `advice` with an `index`, from 0, in `choice`.
 * @retval STN_ERR_RANGE  the index is out of range */
STN_API stn_status stn_array_advice_describe(const stn_array_advice *advice, int index,
                                             stn_array_choice *choice);
/** Releases `advice`; NULL is a no-op. */
STN_API void stn_array_advice_release(stn_array_advice *advice);

/* ---- products ---- */

/** Errors of rounded operands: an element z is stored as z (1 + d) + e with |d| at most the
 * relative and |e| at most the absolute error. Initialize the struct with
 * STN_PRODUCT_ROUNDING_INIT. */
typedef struct stn_product_rounding {
    size_t size;            /**< size of this struct */
    double matrix_relative; /**< relative error of values of the matrix */
    double matrix_absolute; /**< absolute error of values of the matrix */
    double vector_relative; /**< relative error of elements of x */
    double vector_absolute; /**< absolute error of elements of x */
} stn_product_rounding;
/** Initializer of stn_product_rounding. */
#define STN_PRODUCT_ROUNDING_INIT STN_INIT(stn_product_rounding)

/** Returns the errors of values that are stored in `storage`, if they are within its range, in
 * `relative` and `absolute`: half the spacing of floats, and of their subnormals or of integers;
 * for rounding modes other than to nearest twice as much.
 * @retval STN_ERR_UNSUPPORTED  the format is neither a float nor an integer */
STN_API stn_status stn_rounding_of(const stn_storage *storage, double *relative, double *absolute);

/** Computes a componentwise bound of the error of a product whose operands are rounded.
 *
 * If A and x are stored with the errors of `rounding` and multiplied by stn_spmv() in f64, the
 * element i of the product differs from that of A x by at most bound[i] =
 * (u_A + u_x + u_A u_x + gamma_n) (|A| |x|)[i] and the terms of the absolute errors, where n is the
 * number of entries of the row. The bound is computed in one pass over the unrounded matrix and is
 * itself rounded up.
 *
 * @param exec        executor of the host
 * @param[out] bound  rank 1, rows
 * @param a           real matrix, unrounded
 * @param x           rank 1, columns, unrounded
 * @param rounding    errors of the stored operands
 * @retval STN_ERR_SHAPE  extents do not match
 * @retval STN_ERR_ALIAS  bound overlaps x or the matrix */
STN_API stn_status stn_spmv_error_bound(const stn_exec *exec, const stn_view *bound,
                                        const stn_matrix *a, const stn_view *x,
                                        const stn_product_rounding *rounding);

/* ---- linear systems ---- */

/** Preconditioner of an advised solve. */
typedef enum stn_advise_preconditioner {
    STN_ADVISE_NO_PRECONDITIONER = 0, /**< none */
    STN_ADVISE_JACOBI = 1,            /**< Jacobi */
    STN_ADVISE_ILU0 = 2,              /**< ILU(0) */
    STN_ADVISE_IC0 = 3                /**< IC(0) */
} stn_advise_preconditioner;

/** Options of stn_advise_solve(). Initialize the struct with STN_SOLVE_ADVICE_OPTIONS_INIT. */
typedef struct stn_solve_advice_options {
    size_t size;   /**< size of this struct */
    double target; /**< relative residual |b - A x| / |b|, less than 1; 0 selects 1e-10 */
    /** Limit of the bytes of narrow matrix, basis, preconditioner and vectors, those of the guard
     * included; 0: no limit. The restart is reduced before a method is excluded, also by the
     * guard. */
    int64_t max_bytes;
    /** Limit of the time of stn_solve_advised() in seconds, after which no iteration starts; 0: no
     * limit. */
    double max_seconds;
    /** Called by stn_solve_advised() after each iteration, those of corrections included, or NULL.
     * A nonzero return value ends the call: no further method is tried. */
    stn_solver_monitor monitor;
    void *monitor_context; /**< first argument of `monitor` */
} stn_solve_advice_options;
/** Initializer of stn_solve_advice_options. */
#define STN_SOLVE_ADVICE_OPTIONS_INIT STN_INIT(stn_solve_advice_options)

/** A method with its formats, and predictions. Initialize the struct with STN_SOLVE_CHOICE_INIT. */
typedef struct stn_solve_choice {
    size_t size;                    /**< size of this struct */
    stn_solver_method method;       /**< method */
    stn_solver_method inner_method; /**< STN_SOLVER_REFINEMENT: method of the corrections */
    stn_format matrix_format;       /**< format of the values that the method reads */
    stn_format basis_format; /**< GMRES: format of the basis; otherwise the arithmetic type */
    int64_t restart;         /**< GMRES: restart; otherwise 0 */
    stn_orthogonalization orthogonalization;  /**< GMRES: orthogonalization */
    stn_advise_preconditioner preconditioner; /**< preconditioner */
    stn_format preconditioner_format;         /**< format of its values */
    /** 1: the method solves the system equilibrated by stn_sparse_equilibrate(). */
    int32_t is_equilibrated;
    int64_t bytes;     /**< bytes of narrow matrix, basis, preconditioner and vectors */
    double iterations; /**< predicted number of iterations */
    double seconds;    /**< predicted time with the creation of the preconditioner */
    double error;      /**< predicted relative residual */
    char text[120];    /**< description, such as "GMRES(100), basis f16, ILU(0) in f16" */
} stn_solve_choice;
/** Initializer of stn_solve_choice. */
#define STN_SOLVE_CHOICE_INIT STN_INIT(stn_solve_choice)

/** Properties of a matrix that decide about methods. Initialize the struct with
 * STN_MATRIX_TRAITS_INIT. */
typedef struct stn_matrix_traits {
    size_t size;            /**< size of this struct */
    int32_t is_symmetric;   /**< equal to its transpose, for complex values to its adjoint */
    int32_t has_diagonal;   /**< every diagonal entry is stored, once, and not 0 */
    int32_t is_positive;    /**< every diagonal entry is real and positive */
    int32_t has_nonfinite;  /**< a value is infinite or NaN */
    double largest;         /**< largest magnitude */
    double row_spread;      /**< quotient of the largest magnitudes of two rows, at most */
    double diagonal_spread; /**< quotient of the magnitudes of two diagonal entries, at most */
    /** Largest sum of the magnitudes next to the diagonal, divided by the diagonal one; infinity
     * without a diagonal entry. */
    double dominance;
    double mean_dominance; /**< the same sum of all rows divided by that of the diagonal entries */
    double norm;           /**< largest sum of magnitudes of a row */
    int64_t bandwidth;     /**< largest distance of an entry from the diagonal */
    /** Mean over the rows of the smallest magnitude next to the diagonal divided by the largest
     * one: 1 if all are equal, small for anisotropic problems. */
    double similarity;
    /** Mean over the rows of the sum of the magnitudes next to the diagonal divided by the largest
     * one: the number of strong neighbors; 2 if points are coupled along lines. */
    double width;
} stn_matrix_traits;
/** Initializer of stn_matrix_traits. */
#define STN_MATRIX_TRAITS_INIT STN_INIT(stn_matrix_traits)

/** Determines the properties of a matrix in one pass over its entries.
 *
 * Symmetry is decided by checksums of 64 bits of the entries on both sides of the diagonal. The
 * magnitude of a complex value is |re| + |im|.
 *
 * @param exec         executor of the host
 * @param a            matrix of any kind on the host
 * @param[out] traits  properties */
STN_API stn_status stn_sparse_traits(const stn_exec *exec, const stn_matrix *a,
                                     stn_matrix_traits *traits);

/** Ranked list of methods for a linear system. */
typedef struct stn_solve_advice stn_solve_advice;

/** Ranks methods, preconditioners and formats for A x = b by their predicted times.
 *
 * The prediction consists of the properties of the matrix, a product and vector operations that are
 * timed, and the measured speed of each format, which a process measures once. The call takes the
 * time of at most ten products. It neither factors nor solves.
 *
 * @param exec         executor of the host
 * @param[out] advice  list, to be released with stn_solve_advice_release(); NULL on error
 * @param a            square matrix of any kind, which must live as long as the advice
 * @param options      options, or NULL
 * @retval STN_ERR_SHAPE  the matrix is not square
 * @retval STN_ERR_RANGE  no method needs at most max_bytes */
STN_API stn_status stn_advise_solve(const stn_exec *exec, stn_solve_advice **advice,
                                    const stn_matrix *a, const stn_solve_advice_options *options);

/** Returns the number of methods of `advice`; the first one is predicted to be the fastest. */
STN_API int stn_solve_advice_count(const stn_solve_advice *advice);
/** Returns the method of `advice` with an `index`, from 0, in `choice`.
 * @retval STN_ERR_RANGE  the index is out of range */
STN_API stn_status stn_solve_advice_describe(const stn_solve_advice *advice, int index,
                                             stn_solve_choice *choice);
/** Releases `advice`; NULL is a no-op. */
STN_API void stn_solve_advice_release(stn_solve_advice *advice);

/** What an advised solve did. Initialize the struct with STN_GUARD_REPORT_INIT. */
typedef struct stn_guard_report {
    size_t size; /**< size of this struct */
    int32_t
        promotions;    /**< number of times that the guard widened a format or changed the method */
    int32_t converged; /**< 1 if the residual meets the target */
    /** |b - A x| / |b|, or |b - A x| if b is 0, of x as stored, computed with the matrix as given
     * in twice the precision of f64. */
    double residual;
    /** Backward error of x as stored: |b - A x| / (|A| |x| + |b|) with maximum norms, of the same
     * residual.
     */
    double backward_error;
    double seconds;     /**< duration of the call */
    int64_t iterations; /**< iterations of all attempts; of refinement those of the inner solver */
    char reason[232];   /**< promotions and their reasons, or "" */
    stn_solve_choice *used; /**< the last method is stored here; set by the caller, or NULL */
    /** Values of narrow matrices and preconditioners, in all attempts, that exceeded the range of
     * their format. An attempt with such values does not solve: the guard widens the format. */
    int64_t saturated;
    /** Values other than 0 that were stored as 0. An attempt in which these are more than 1/16 of
     * the entries of the matrix does not solve, either. */
    int64_t underflowed;
} stn_guard_report;
/** Initializer of stn_guard_report. */
#define STN_GUARD_REPORT_INIT STN_INIT(stn_guard_report)

/** Solves A x = b by a method of an advice, under a guard.
 *
 * The guard ends an attempt that stagnates, breaks down, or whose preconditioner cannot be created
 * or overflows. It then widens the format of the basis, the matrix or the preconditioner, changes
 * the method, and continues from the best x. The result is accepted only if the residual of x as
 * stored, with the matrix as given and in twice the precision of f64, meets the target. A view in
 * f16, for example, stores no x with a residual of 1e-10 unless its elements are representable.
 *
 * @param exec         executor of the advice
 * @param[in,out] x    rank 1: initial guess, which must be finite, and result; no two elements
 *                     share memory
 * @param advice       advice
 * @param index        method of the advice; 0 is the best one
 * @param b            rank 1: right-hand side, finite and disjoint from x
 * @param[out] report  report, or NULL
 * @retval STN_ERR_CONVERGENCE  no attempt met the target, or x as stored does not; x is the best
 *                              iterate, and never worse than the initial guess
 * @retval STN_ERR_ARGUMENT     x or b has infinite or NaN elements
 * @retval STN_ERR_ALIAS        x overlaps b or itself
 * @return other errors of stn_solve() */
STN_API stn_status stn_solve_advised(const stn_exec *exec, const stn_view *x,
                                     const stn_solve_advice *advice, int index, const stn_view *b,
                                     stn_guard_report *report);

/** Estimates the condition number |A| |A^-1| of the matrix of an advice, with the norms that belong
 * to maximum norms of vectors.
 *
 * The norm of the inverse is estimated from at most 10 solves with A and its transpose to a
 * relative residual of 1e-3, by advised methods. The result is a lower bound except for rounding
 * errors, and in most cases within a factor of 3 of the condition number. It depends on the advised
 * methods, which depend on measured times.
 *
 * The forward error of a solution with a backward error e is |x - exact x| / |x| <= 2 e c / (1 - e
 * c) with the condition number c. With an estimate of c, this is an estimate, not a bound.
 *
 * @param exec        executor of the advice
 * @param advice      advice; its matrix must not have been released
 * @param[out] value  estimate, at least 1
 * @retval STN_ERR_CONVERGENCE  a solve did not converge: the matrix is singular or nearly so
 * @return other errors of stn_advise_solve() and stn_solve_advised()
 * @par Source
 * N. Higham, ACM Trans. Math. Softw. 14 (1988), 381. */
STN_API stn_status stn_estimate_condition(const stn_exec *exec, const stn_solve_advice *advice,
                                          double *value);

STN_END_DECLS

#endif
