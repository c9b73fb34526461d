/** @file
 * Selection of the storage that products of a sparse matrix read.
 *
 * stn_matrix_optimize stores a copy of the entries in another kind of storage inside the handle, if
 * the expected products become faster by more than the conversion takes. Products have the same
 * bits with and without the copy, so only their speed and the memory of the matrix change.
 */
#ifndef STENO_SPARSE_OPTIMIZE_H
#define STENO_SPARSE_OPTIMIZE_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/sparse.h"

STN_BEGIN_DECLS

/** How stn_matrix_optimize decides. Values are only ever appended. */
typedef enum stn_optimize_method {
    /** A model estimates the times of products and conversions. If the estimates leave the decision
     * open, products are timed: first with the arrays of the matrix, then with a copy. */
    STN_OPTIMIZE_TIMED = 0,
    /** The model decides. The decision depends on the matrix, the arguments, the number of threads,
     * the instruction set and the vendor of the processor only. */
    STN_OPTIMIZE_MODEL = 1
} stn_optimize_method;

/** Options of stn_matrix_optimize. Initialize the struct with STN_OPTIMIZE_OPTIONS_INIT. */
typedef struct stn_optimize_options {
    size_t size; /**< size of this struct */
    /** Kind of the copy. STN_MATRIX_AUTO: the fastest, or no copy. Any other kind is created
     * regardless of the expected products. */
    stn_matrix_kind kind;
    stn_optimize_method method; /**< how the kind is selected */
    int64_t max_bytes;          /**< maximum size of the copy in bytes; 0: no limit */
} stn_optimize_options;
/** Initializer of stn_optimize_options. */
#define STN_OPTIMIZE_OPTIONS_INIT STN_INIT(stn_optimize_options)

/** Decision of stn_matrix_optimize. Initialize the struct with STN_OPTIMIZE_REPORT_INIT. */
typedef struct stn_optimize_report {
    size_t size;                /**< size of this struct */
    stn_matrix_kind kind;       /**< kind of storage that products read */
    stn_matrix_kind other_kind; /**< fastest other kind, or STN_MATRIX_AUTO if none was compared */
    int64_t bytes;              /**< size of the copy; 0: products read the arrays of the matrix */
    /** Seconds per product with the arrays of the matrix; 0 if it was not determined. */
    double original_seconds;
    double other_seconds;      /**< seconds per product with the other kind */
    double conversion_seconds; /**< seconds of the conversion; measured if the kind was created */
    int is_timed;     /**< whether both times of products are measured; otherwise estimated */
    char reason[252]; /**< the decision and its reason as a sentence */
} stn_optimize_report;
/** Initializer of stn_optimize_report. */
#define STN_OPTIMIZE_REPORT_INIT STN_INIT(stn_optimize_report)

/** Selects the kind of storage that products of a matrix read.
 *
 * Afterwards, stn_spmv, stn_spmv_complex, stn_sparse_residual and the solvers read a copy of the
 * entries in another kind of storage, or still the arrays of the matrix. All other functions,
 * stn_matrix_describe and stn_matrix_get_views included, use the arrays, which remain unchanged.
 *
 * The copy contains the values at the time of the call. If the program writes the values of its
 * arrays, it must call stn_matrix_update_values before the next product. stn_sparse_scale and
 * stn_matrix_set_row_scales discard the copy. No other call may use the matrix at the same time;
 * afterwards, several threads may.
 *
 * Values with scales of stn_view_set_scales have no other kind, and scales of rows none in slices
 * and packed slices.
 * On an error, the matrix is unchanged, including its copy.
 *
 * @code
 * stn_optimize_report report = STN_OPTIMIZE_REPORT_INIT;
 * stn_matrix_optimize(exec, STN_F64, a, 1000, NULL, &report);
 * puts(report.reason);
 * @endcode
 *
 * @param exec, arithmetic   executor and arithmetic type of the products
 * @param[in,out] a          matrix of any kind, in memory of the executor
 * @param expected_products  number of products with one vector that will follow; 0 discards the
 *                           copy
 * @param options            options, or NULL
 * @param[out] report        decision, or NULL
 * @retval STN_ERR_ARGUMENT     a negative number of products, or an invalid option
 * @retval STN_ERR_FORMAT       an invalid or opaque format
 * @retval STN_ERR_MEMORY       not enough memory for the copy or for the vectors of timed products
 * @retval STN_ERR_UNSUPPORTED  stn_spmv does not support the matrix, the arithmetic or the memory;
 *                              the kind that the options request is not possible
 * @retval STN_ERR_RANGE        the requested kind takes more than `max_bytes`
 * @retval STN_ERR_DEVICE       the device failed */
STN_API stn_status stn_matrix_optimize(const stn_exec *exec, stn_format arithmetic, stn_matrix *a,
                                       int64_t expected_products,
                                       const stn_optimize_options *options,
                                       stn_optimize_report *report);

/** Stores the transpose of a matrix in its handle, which stn_spmv_transposed reads from then on.
 *
 * The products have the same bits, in about a tenth of the time. The transpose consists of
 * compressed rows in the memory of the executor: 8 bytes per column, and per entry 4 bytes and the
 * size of a value; values keep their storage. It contains the values at the time of the call, and
 * replaces a transpose that the matrix has already. stn_matrix_update_values creates it again;
 * stn_sparse_scale, stn_matrix_set_row_scales and stn_matrix_release discard it. No other call may
 * use the matrix at the same time; afterwards, several threads may. On an error, the matrix is
 * unchanged.
 *
 * @param exec       executor of the products
 * @param[in,out] a  matrix of any kind
 * @retval STN_ERR_SHAPE        the matrix has more than 2^31 - 1 rows
 * @retval STN_ERR_UNSUPPORTED  device memory that was not allocated by the library */
STN_API stn_status stn_matrix_prepare_transpose(const stn_exec *exec, stn_matrix *a);

/** Copies the values of the arrays of a matrix to the copies that products read, one of them
 * transposed.
 *
 * To be called after the program has written values, and before the next product. Slices on the
 * host take the time of a few products; copies of other kinds are created again. A copy in packed
 * slices becomes slices if there are too many distinct values now. A matrix without a copy is
 * unchanged. No other call may use the matrix at the same time. On an error, the copy is
 * unchanged.
 *
 * @param exec       executor of the products
 * @param[in,out] a  matrix
 * @retval STN_ERR_UNSUPPORTED  memory that the executor cannot access */
STN_API stn_status stn_matrix_update_values(const stn_exec *exec, stn_matrix *a);

STN_END_DECLS

#endif
