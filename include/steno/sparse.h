/** @file
 * Sparse matrices of several kinds, with values in any format, and their products with vectors.
 *
 * A stn_matrix is a handle. The stn_matrix_wrap functions create one that refers to arrays of the
 * program: they copy nothing, and the arrays must live as long as the matrix, unchanged except for
 * the values. stn_matrix_mirror, stn_sparse_convert and the functions of
 * steno/sparse_operations.h create a matrix that owns its arrays. Both are released with
 * stn_matrix_release. Labels are copied. On errors, the new matrix is NULL.
 *
 * Several threads may read one matrix at the same time.
 *
 * Errors of all functions, where they apply:
 * @retval STN_ERR_ARGUMENT  NULL, or an invalid size of a struct, kind or view
 * @retval STN_ERR_FORMAT    an invalid or opaque format
 * @retval STN_ERR_MEMORY    not enough memory
 * @retval STN_ERR_DEVICE    the device failed
 */
#ifndef STENO_SPARSE_H
#define STENO_SPARSE_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/** Sparse matrix of any kind. */
typedef struct stn_matrix stn_matrix;

/** How the entries of a matrix are stored. Values are only ever appended. */
typedef enum stn_matrix_kind {
    /** In conversions: STN_MATRIX_SLICED if it takes fewer bytes than STN_MATRIX_CSR and a model
     * estimates that products are not slower, otherwise STN_MATRIX_CSR. STN_MATRIX_PACKED instead
     * of STN_MATRIX_SLICED for real matrices on the host with at most 16 distinct values, if
     * products read at most 0.8 times the bytes, x and y included. Complex matrices with more than
     * 32 entries per row on average become STN_MATRIX_CSR. */
    STN_MATRIX_AUTO = 0,
    STN_MATRIX_CSR = 1, /**< compressed sparse rows */
    /** Slices of 16 rows with compressed column indices. Entry e of the 16 rows is stored
     * contiguously; its 16 columns are stored as one or two integers, as 16-bit differences or as
     * 32-bit indices. Slices whose rows differ too much in length are stored row by row. Created
     * by stn_sparse_convert only. */
    STN_MATRIX_SLICED = 2,
    STN_MATRIX_COO = 3, /**< coordinates: row and column of each entry */
    STN_MATRIX_ELL = 4, /**< rows of equal width; column -1 marks an absent entry */
    /** SELL-C-sigma: ELL in slices of C rows, each as wide as its longest row. Within groups of
     * sigma rows, the rows are sorted by length in descending order. */
    STN_MATRIX_SELL = 5,
    /** Slices whose values are indices of 2, 4, 8 or 16 bits into an array of the distinct values,
     * at most 65536. Values are distinct if their codes are, so no value changes. In host memory
     * only. Created by stn_sparse_convert only. */
    STN_MATRIX_PACKED = 6
} stn_matrix_kind;

/** What a conversion does with several entries of one row and column of a STN_MATRIX_COO. Products
 * always add them. */
typedef enum stn_matrix_duplicates {
    STN_DUPLICATES_REFUSE = 0, /**< fails with STN_ERR_RANGE; the message has the position */
    STN_DUPLICATES_SUM = 1,    /**< adds them; the columns of each row become sorted */
    STN_DUPLICATES_KEEP = 2    /**< keeps them as separate entries */
} stn_matrix_duplicates;

/** Compressed sparse rows in plain arrays, as SciPy, PETSc and MKL store them. */
typedef struct stn_csr_arrays {
    size_t size;           /**< sizeof(stn_csr_arrays) */
    const char *label;     /**< name for error messages, or NULL */
    int64_t rows;          /**< number of rows */
    int64_t columns;       /**< number of columns, at most 2^31 - 1 */
    const void *row_start; /**< rows + 1 integers, ascending from 0 to the number of entries */
    const void *column;    /**< column of each entry, from 0, in any order within a row */
    const void *values;    /**< value of each entry */
    stn_format row_start_format; /**< STN_I32 or STN_I64; required, and not verified */
    stn_format column_format;    /**< STN_I32 or STN_I64; required, and not verified */
    stn_storage storage;         /**< format and scale of the values; all zeros: f64 */
} stn_csr_arrays;

/** Arrays of a matrix as views, for stn_matrix_wrap_views and stn_matrix_get_views. Arrays that the
 * kind does not have are empty views. Index arrays have any integer format without scales. */
typedef struct stn_matrix_views {
    size_t size;          /**< sizeof(stn_matrix_views) */
    const char *label;    /**< name for error messages, or NULL */
    stn_matrix_kind kind; /**< kind; STN_MATRIX_AUTO is STN_MATRIX_CSR */
    int64_t rows;         /**< number of rows; may be 0 for CSR and ELL, whose arrays define it */
    int64_t columns;      /**< number of columns, at most 2^31 - 1 */
    /** CSR: rank 1, rows + 1 elements, ascending from 0 to the number of entries. */
    stn_view row_start;
    stn_view row; /**< COO: rank 1, row of each entry, in any order */
    /** SELL: rank 1, index of the first element of each slice in `column` and `values`, and the
     * end; ascending from 0 by multiples of the height. */
    stn_view slice_start;
    /** SELL: rank 1, position of each row in the sorted order, each once; empty: row r is at
     * position r. Element e of the row at position p is element
     * slice_start[p / height] + e * height + p % height of `column` and `values`. */
    stn_view row_position;
    /** Column indices: rank 1, for ELL rank 2, rows x width. In ELL and SELL, -1 marks an absent
     * entry, and no entry of the row may follow it. */
    stn_view column;
    /** Values, real or complex, with the extents of `column`. They may have one scale or those of
     * stn_view_set_scales. Empty: a pattern, all values are 1. */
    stn_view values;
    stn_view row_scales;              /**< scales as of stn_matrix_set_row_scales, or empty */
    int64_t height;                   /**< SELL: C, number of rows per slice */
    stn_matrix_duplicates duplicates; /**< COO: treatment of repeated entries in conversions */
} stn_matrix_views;

/** Properties of a matrix. Members that do not apply to its kind are 0. */
typedef struct stn_matrix_info {
    size_t size;          /**< sizeof(stn_matrix_info), set by the caller */
    const char *label;    /**< label or NULL; valid as long as the matrix */
    stn_matrix_kind kind; /**< kind, never STN_MATRIX_AUTO */
    int64_t rows;         /**< number of rows */
    int64_t columns;      /**< number of columns */
    int64_t entries;      /**< number of stored entries, without the absent ones of ELL and SELL */
    int64_t bytes;        /**< size of all arrays, without planes that are not read */
    stn_storage storage;  /**< storage of the values */
    stn_space space;      /**< memory of the arrays */
    int64_t height;       /**< SELL: C */
    int64_t sigma;        /**< SELL: sigma, or 0 if it is unknown */
    stn_matrix_duplicates duplicates; /**< COO: treatment of repeated entries */
} stn_matrix_info;
/** Initializer of a stn_csr_arrays. */
#define STN_CSR_ARRAYS_INIT STN_INIT(stn_csr_arrays)
/** Initializer of a stn_matrix_views. */
#define STN_MATRIX_VIEWS_INIT STN_INIT(stn_matrix_views)
/** Initializer of a stn_matrix_info. */
#define STN_MATRIX_INFO_INIT STN_INIT(stn_matrix_info)

/** Wraps compressed sparse rows in plain arrays.
 *
 * Nothing is copied, and the values are never written. All indices are checked here, once. Repeated
 * entries of a row add up in products.
 *
 * @code
 * stn_csr_arrays arrays = STN_CSR_ARRAYS_INIT;
 * arrays.rows = arrays.columns = n;
 * arrays.row_start = indptr;
 * arrays.column = indices;
 * arrays.values = data;
 * arrays.row_start_format = arrays.column_format = STN_I32;
 * arrays.storage = stn_storage_of(STN_F64);
 * stn_matrix_wrap_csr(&a, &arrays);
 * @endcode
 *
 * @param[out] made  matrix
 * @param arrays     arrays, which must live as long as the matrix
 * @retval STN_ERR_ARGUMENT  NULL, an invalid size, or values that are not aligned
 * @retval STN_ERR_FORMAT    indices that are not i32 or i64; values in an invalid or opaque format
 * @retval STN_ERR_SHAPE     a negative size, or more than 2^31 - 1 columns
 * @retval STN_ERR_RANGE     an invalid row start or column; the message has the row */
STN_API stn_status stn_matrix_wrap_csr(stn_matrix **made, const stn_csr_arrays *arrays);

/** Wraps compressed sparse rows with 32-bit row starts and columns, as stn_matrix_wrap_csr does.
 * @param[out] made        matrix
 * @param rows, columns    numbers of rows and columns
 * @param row_start        rows + 1 integers, ascending from 0 to the number of entries
 * @param column           column of each entry
 * @param storage, values  format and scale of the values, and the value of each entry */
STN_API stn_status stn_matrix_wrap_csr_i32(stn_matrix **made, int64_t rows, int64_t columns,
                                           const int32_t *row_start, const int32_t *column,
                                           stn_storage storage, const void *values);

/** Wraps a matrix of kind CSR, COO, ELL or SELL over views of any format and stride.
 *
 * Nothing is copied. All indices are checked here, once. Products are fastest if the arrays are
 * contiguous, row starts have 32 or 64 bits, columns 32 bits, and the values one scale. stn_spmv of
 * a STN_MATRIX_COO needs rows in ascending order. stn_sparse_scale writes the values unless their
 * view is read-only.
 *
 * @param[out] made  matrix
 * @param views      views in host memory; their buffers must live as long as the matrix
 * @retval STN_ERR_FORMAT       indices that are not integers without scales; values in an opaque
 *                              format
 * @retval STN_ERR_SHAPE        ranks or extents that do not match, or more than 2^31 - 1 columns
 * @retval STN_ERR_RANGE        an invalid row start, slice start, position, row or column
 * @retval STN_ERR_UNSUPPORTED  views in device memory; complex values with a layout without strides
 */
STN_API stn_status stn_matrix_wrap_views(stn_matrix **made, const stn_matrix_views *views);

/** Sets scales of rows: the values of row r are the stored ones times scales[r].
 *
 * Each value is decoded, multiplied, and rounded once to the arithmetic type. On an error, the
 * matrix is unchanged.
 *
 * @param[in,out] a  matrix on the host, of any kind except STN_MATRIX_SLICED and STN_MATRIX_PACKED
 * @param scales     rank 1, real and finite, one per row; its buffer must live as long as the
 *                   matrix; NULL removes the scales
 * @retval STN_ERR_SHAPE        scales has another extent
 * @retval STN_ERR_FORMAT       scales is not real
 * @retval STN_ERR_RANGE        a scale is not finite; the message has the row
 * @retval STN_ERR_UNSUPPORTED  STN_MATRIX_SLICED, STN_MATRIX_PACKED, or device memory */
STN_API stn_status stn_matrix_set_row_scales(stn_matrix *a, const stn_view *scales);

/** Sets the label of the matrix `a` to a copy of `label`, a name for error messages, or NULL. On an
 * error, the label is unchanged. */
STN_API stn_status stn_matrix_set_label(stn_matrix *a, const char *label);
/** Reports the properties of the matrix `a` in `info`, whose `size` must be set. */
STN_API stn_status stn_matrix_describe(const stn_matrix *a, stn_matrix_info *info);

/** Returns the arrays of the matrix `a` as read-only `views`, whose `size` must be set.
 *
 * The views own nothing and are valid as long as the matrix. Those of a matrix on a device are in
 * device memory. For STN_MATRIX_SLICED, `values` has the codes in the order of the slices, and the
 * index arrays are empty, because their columns are compressed. For STN_MATRIX_PACKED, `values` has
 * the distinct values. */
STN_API stn_status stn_matrix_get_views(const stn_matrix *a, stn_matrix_views *views);

/** Releases the matrix `a`, and its arrays if it owns them. NULL is a no-op. No call may be using
 * it. The function waits for work on a device. The use of a released matrix is not detected. */
STN_API void stn_matrix_release(stn_matrix *a);

/** Copies a matrix to the memory of an executor's device, or to the host.
 *
 * All arrays are stored in one allocation. Scales of stn_view_set_scales are not copied. A matrix
 * on a device is transferred to the host first.
 *
 * @param exec       executor; NULL is the calling thread
 * @param[out] made  copy
 * @param a          matrix
 * @retval STN_ERR_UNSUPPORTED  STN_MATRIX_PACKED to a device; device memory that was not allocated
 *                              by the library */
STN_API stn_status stn_matrix_mirror(const stn_exec *exec, stn_matrix **made, const stn_matrix *a);

/** Computes the size of a matrix in another kind and format, without converting it.
 *
 * A product reads this number of bytes in addition to the vectors. Scales of rows are not counted,
 * and repeated entries are counted separately. All columns are read; for STN_MATRIX_PACKED and
 * STN_MATRIX_AUTO also all values, which are converted to the format with a scale of 1 unless that
 * is their format. Memory is allocated unless the matrix is STN_MATRIX_CSR with contiguous 64-bit
 * row starts and 32-bit columns.
 *
 * @param a           matrix
 * @param kind        kind; STN_MATRIX_AUTO is the one that stn_sparse_convert selects on the host
 * @param format      format of the values
 * @param[out] bytes  size of the arrays
 * @retval STN_ERR_UNSUPPORTED  16 rows with 2^31 entries or more in a slice; more than 65536
 *                              distinct values in STN_MATRIX_PACKED
 * @retval STN_ERR_RANGE        a size that exceeds 63 bits or the address space */
STN_API stn_status stn_sparse_bytes(const stn_matrix *a, stn_matrix_kind kind, stn_format format,
                                    int64_t *bytes);

/** Converts a matrix to another kind and storage, in the memory of the executor.
 *
 * The entries and their order stay the same, so products have the same bits if the values do.
 * STN_MATRIX_COO is sorted by rows, STN_MATRIX_ELL is stored column by column, and STN_MATRIX_SELL
 * has slices of 32 rows, sorted within 256. Row starts have 64 bits; other indices have 32, or 64
 * if 32 are too few. The conversion runs on the host; for a device it takes two transfers.
 *
 * Repeated entries of a STN_MATRIX_COO are treated as its `duplicates` say. Sums are computed in
 * the order of the entries in f64 or c128, and exactly if the values are integers without a scale.
 * Entries that are not repeated keep their values. A sum is stored in the format of its summands
 * or, if storage is not NULL, converted to storage. The sums of a pattern are the number of entries
 * of each position, in u8, or u32 if one exceeds 255.
 *
 * @param exec       executor; NULL is the calling thread
 * @param[out] made  matrix
 * @param a          matrix of any kind, in any memory
 * @param kind       kind of the result
 * @param storage    storage of the values, which are converted as by stn_view_copy. NULL: the codes
 *                   are copied, scales of rows are kept, and a pattern becomes ones in u8
 * @retval STN_ERR_FORMAT       an invalid or opaque format; complex values to a real format or vice
 *                              versa
 * @retval STN_ERR_UNSUPPORTED  16 rows with 2^31 entries or more in a slice; without a storage,
 *                              values with scales of stn_view_set_scales, or scales of rows to
 *                              STN_MATRIX_SLICED or STN_MATRIX_PACKED; STN_MATRIX_PACKED with
 *                              more than 65536 distinct values or on a device; device memory that
 *                              was not allocated by the library
 * @retval STN_ERR_RANGE        repeated entries that are refused; a size that exceeds 63 bits; a
 *                              sum that its format cannot hold */
STN_API stn_status stn_sparse_convert(const stn_exec *exec, stn_matrix **made, const stn_matrix *a,
                                      stn_matrix_kind kind, const stn_storage *storage);

/** Version of stn_sparse_convert to STN_MATRIX_SELL. `height` is C, the number of rows per slice,
 * at least 1. `sigma` is the number of consecutive rows that are sorted together, at least 1; 1
 * keeps the order of the rows. */
STN_API stn_status stn_sparse_convert_sell(const stn_exec *exec, stn_matrix **made,
                                           const stn_matrix *a, int64_t height, int64_t sigma,
                                           const stn_storage *storage);

/** Copies a matrix, with its values as planes of 32, 16 and 16 bits (stn_view_create_segmented()).
 *
 * Products and all other operations on the host read the values as f64, of which NaN keep only 32
 * bits. Kind, entries and their order are those of `a`. stn_matrix_planes() derives matrices that
 * read fewer bits per value. A mirror on a device has all planes and reads those that `a` reads;
 * other functions that copy or convert such a matrix return plain values of f64.
 *
 * @param exec       executor of the host; NULL is the calling thread
 * @param[out] made  matrix
 * @param a          matrix of any kind with values of f64, without a scale
 * @retval STN_ERR_FORMAT       values of another format
 * @retval STN_ERR_UNSUPPORTED  a device, values with a scale, a pattern, or STN_MATRIX_PACKED */
STN_API stn_status stn_matrix_segment(const stn_exec *exec, stn_matrix **made, const stn_matrix *a);

/** Creates a matrix that reads the first 1, 2 or 3 planes of the values of another one.
 *
 * The new matrix shares all arrays with `a`, which may be released before it. The values are those
 * of stn_view_planes(), and are read-only with fewer than 3 planes.
 *
 * @param[out] made  matrix
 * @param a          matrix of stn_matrix_segment(), or one that wraps a segmented view of values
 * @param planes     number of planes: 1 (32 bits per value), 2 (48 bits) or 3 (64 bits)
 * @retval STN_ERR_RANGE        planes is out of range
 * @retval STN_ERR_UNSUPPORTED  the values are not segmented
 *
 * @code
 * stn_matrix_segment(exec, &full, a);
 * stn_matrix_planes(&coarse, full, 1);
 * @endcode */
STN_API stn_status stn_matrix_planes(stn_matrix **made, const stn_matrix *a, int planes);

/** Computes y = alpha A x + beta y.
 *
 * Element e of the sum of a row is its e-th stored entry. Apart from that, sums, alpha, beta and
 * the error bound are those of stn_gemv, with the number of entries of the row as the length of the
 * sum. With several vectors, each column has the bits of a single product. In complex arithmetic
 * with a real matrix, the sums of both parts are those of real arithmetic.
 *
 * On a device, the matrix must be a mirror there; the call returns before the product is done. On
 * the host, x is decoded into a workspace unless it is contiguous in the arithmetic type; a real
 * matrix in complex arithmetic needs a workspace for x and the sums.
 *
 * @param exec, arithmetic  executor; f64 or f32 for real x and y, c128 or c64 for complex ones
 * @param alpha             factor of the product
 * @param a                 matrix of any kind; the rows of a STN_MATRIX_COO must ascend
 * @param x                 rank 1, columns; or rank 2, columns x k
 * @param beta              factor of y; if it is 0, the values of y have no effect. If alpha is 0,
 *                          elements whose value in the arithmetic type does not change are not
 *                          stored
 * @param[in,out] y         rank 1, rows; or rank 2, rows x k
 * @retval STN_ERR_SHAPE        extents do not match
 * @retval STN_ERR_UNSUPPORTED  the arithmetic, memory that the executor cannot access, or a
 *                              STN_MATRIX_COO whose rows do not ascend
 * @retval STN_ERR_ALIAS        y overlaps x or an array of the matrix */
STN_API stn_status stn_spmv(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_matrix *a, const stn_view *x, double beta, const stn_view *y);
/** Complex factors version of stn_spmv, in arithmetic c128 or c64. */
STN_API stn_status stn_spmv_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    const stn_matrix *a, const stn_view *x, stn_c128 beta,
                                    const stn_view *y);

STN_END_DECLS

#endif
