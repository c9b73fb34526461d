/** @file
 * Matrix Market files: reading and writing sparse and dense matrices (library libsteno_market).
 *
 * Source: R. F. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats: Initial
 * Design, NISTIR 5935, 1996.
 */
#ifndef STENO_MARKET_H
#define STENO_MARKET_H

#include "steno/detail/macro_check.h"
#include "steno/sparse.h"

STN_BEGIN_DECLS

struct stn_partition; /* steno/distribute.h */

/** Field of a Matrix Market file: the type of its entries. */
typedef enum stn_market_field {
    STN_MARKET_REAL = 0,    /**< real */
    STN_MARKET_INTEGER = 1, /**< integer */
    STN_MARKET_COMPLEX = 2, /**< complex */
    STN_MARKET_PATTERN = 3  /**< positions without values */
} stn_market_field;

/** Symmetry of a Matrix Market file, which stores one triangle unless it is general. */
typedef enum stn_market_symmetry {
    STN_MARKET_GENERAL = 0,   /**< all entries are stored */
    STN_MARKET_SYMMETRIC = 1, /**< a(j, i) = a(i, j) */
    STN_MARKET_SKEW = 2,      /**< a(j, i) = -a(i, j) */
    STN_MARKET_HERMITIAN = 3  /**< a(j, i) = conj(a(i, j)) */
} stn_market_symmetry;

/** Storage of a matrix in memory. */
typedef enum stn_market_storage {
    STN_MARKET_CSR = 0,  /**< compressed sparse rows */
    STN_MARKET_DENSE = 1 /**< all elements, row by row */
} stn_market_storage;

/** Matrix in host memory. Indices start at 0. Initialize it with STN_MARKET_MATRIX_INIT, which is
 * an empty matrix. */
typedef struct stn_market_matrix {
    size_t size;                  /**< size of this struct */
    stn_market_field field;       /**< field of the file */
    stn_market_symmetry symmetry; /**< symmetry of the file; `values` has the expanded entries */
    stn_market_storage storage;   /**< CSR or dense */
    int64_t rows;                 /**< number of rows: 1 to 2^31 - 1 */
    int64_t columns;              /**< number of columns: 1 to 2^31 - 1 */
    int64_t stored;               /**< number of entries in the file */
    int64_t summed; /**< number of them that were added to an earlier entry: see STN_MARKET_SUM */
    int64_t unused_values;   /**< number of ignored values after the positions of a pattern */
    int64_t entries;         /**< length of `values`: rows * columns, or nonzeros after expansion */
    int64_t *row_start;      /**< CSR: rows + 1 offsets, from 0 to `entries`; dense: NULL */
    int32_t *column;         /**< CSR: `entries` columns, ascending in each row; dense: NULL */
    stn_format value_format; /**< STN_F64 (real, pattern), STN_I64 (integer), STN_C128 (complex) */
    void *values; /**< double (ones for a pattern), int64_t or stn_c128; NULL without entries */
    int64_t deviations[8]; /**< number of deviations of each kind, by stn_market_deviation */
} stn_market_matrix;
/** Initializer of stn_market_matrix: an empty matrix. */
#define STN_MARKET_MATRIX_INIT STN_INIT(stn_market_matrix)

/** Deviations from the specification that STN_MARKET_LENIENT accepts: indices of `deviations`. */
typedef enum stn_market_deviation {
    STN_MARKET_BYTE_ORDER_MARK = 0, /**< the file begins with the UTF-8 byte-order mark */
    STN_MARKET_LEADING_BLANKS = 1,  /**< white space or blank lines precede the banner */
    STN_MARKET_REAL_HERMITIAN = 2,  /**< hermitian, but not complex: read as symmetric */
    STN_MARKET_ZERO_DIAGONAL = 3,   /**< explicit zero on the diagonal of a skew-symmetric matrix */
    STN_MARKET_TRAILING_COMMENT = 4, /**< a comment follows the size line or an entry */
    STN_MARKET_NONFINITE = 5,        /**< a value is spelled inf, infinity or nan, in any case */
    STN_MARKET_OVERFLOW = 6          /**< a value or a sum exceeds the range of double: infinity */
} stn_market_deviation;

/** Flags of stn_market_read_file(), combined with |. */
typedef enum stn_market_flags {
    /** Adds entries with the same position, as finite-element programs write them, in the order of
     * the file. Each real sum is rounded to nearest; integers are exact; in a pattern a position
     * counts once. `summed` is the number of entries that were added to an earlier one. */
    STN_MARKET_SUM = 1u << 0,
    /** Accepts and counts the deviations listed in stn_market_deviation. Without this flag, each of
     * them is an error. */
    STN_MARKET_LENIENT = 1u << 1
} stn_market_flags;

/** Reads a Matrix Market file, plain or compressed with gzip.
 *
 * The function reads coordinate and array files with all fields and symmetries of the
 * specification, and expands symmetric matrices. It accepts banners in any case; comments and blank
 * lines anywhere after the banner; white space including CRLF between numbers; indices with a sign;
 * coordinate entries in any order and, for symmetric matrices, in either triangle; explicit zeros;
 * and exponents with D. Decimals are rounded correctly, independent of locale and rounding mode;
 * integers are exact. One or two values after a position of a pattern are ignored and counted.
 *
 * Lines of more than 256 KiB are refused. Memory grows with the number of entries that are read,
 * not with the number that the file announces. Because CSR needs 8 bytes per row, a coordinate file
 * of more than 2^23 rows must have one entry per 16 additional rows.
 *
 * @param[in,out] matrix  matrix with its `size` set; its other members are overwritten. Release it
 *                        with stn_market_release(). Empty on error
 * @param path            file
 * @param flags           0, or stn_market_flags
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, the size is invalid or a flag is unknown
 * @retval STN_ERR_IO           the file cannot be read
 * @retval STN_ERR_PARSE        the file is malformed: the message contains file, line and reason.
 *                              Duplicate positions without STN_MARKET_SUM and deviations without
 *                              STN_MARKET_LENIENT are included
 * @retval STN_ERR_RANGE        an index is outside the matrix, or a value exceeds its type
 * @retval STN_ERR_UNSUPPORTED  more than 2^31 - 1 rows or columns, or too few entries for the rows
 * @retval STN_ERR_MEMORY       out of memory
 *
 * @code
 * stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
 * status = stn_market_read_file(&matrix, "bcsstk03.mtx.gz", 0);
 * @endcode */
STN_API stn_status stn_market_read_file(stn_market_matrix *matrix, const char *path,
                                        unsigned flags);

/** Reads the banner and the size line of a Matrix Market file: `matrix` has field, symmetry,
 * storage, rows, columns and stored, but no arrays. Arguments and errors are those of
 * stn_market_read_file(). */
STN_API stn_status stn_market_read_header(stn_market_matrix *matrix, const char *path,
                                          unsigned flags);

/** Reads the rows that each rank of a partition has (steno/distribute.h). Collective.
 *
 * `matrix` has the rows of this rank and all columns: `rows` is the number of rows of this rank,
 * which may be 0, and `row_start` belongs to these rows. The other members describe the file or,
 * if they count, sums over all ranks. Rows have the bits of stn_market_read_file().
 *
 * Each rank parses one of equal parts of the bytes of the file, and sends each entry to the rank
 * that has its row. On each rank, memory is needed for the entries that it parses, those of its
 * rows and copies of both, but not for the whole matrix. If the file is compressed or not a regular
 * file, the first rank parses it and sends the entries in groups; only this rank opens it.
 *
 * Messages on repeated entries and on a wrong number of entries contain no line, because no rank
 * parses the whole file. If a file has several errors, the status and the message are those of one
 * of them, not always of the first.
 * @param[in,out] matrix  as for stn_market_read_file()
 * @param path            file, the same on every rank
 * @param flags           0, or stn_market_flags, the same on every rank
 * @param partition       rows of all ranks; see stn_market_read_header() for their number
 * @retval STN_ERR_SHAPE        the file and the partition have different numbers of rows
 * @retval STN_ERR_UNSUPPORTED  an array file
 * @return other errors of stn_market_read_file()
 *
 * @code
 * status = stn_market_read_header(&matrix, path, 0);
 * status = stn_partition_create(&partition, comm, matrix.rows);
 * status = stn_market_read_distributed(&matrix, path, 0, partition);
 * @endcode */
STN_API stn_status stn_market_read_distributed(stn_market_matrix *matrix, const char *path,
                                               unsigned flags,
                                               const struct stn_partition *partition);

/** Writes a matrix to a Matrix Market file, compressed with gzip if the path ends in ".gz".
 *
 * The file is general, and of coordinate form for CSR or array form for dense matrices. Reading it
 * yields the same bits: decimals have the smallest number of 15 to 17 digits that identifies the
 * value. The function writes a temporary file in the same directory and renames it, so that `path`
 * is always a complete file. It keeps the permissions of the old file; a symbolic link is replaced.
 * On error the temporary file is removed.
 *
 * @param matrix  matrix
 * @param path    file
 * @retval STN_ERR_ARGUMENT  an argument is NULL, the members of the matrix are inconsistent, a
 *                           value is not finite, a pattern is dense or has a value other than 1, or
 *                           `path` exists and is not a regular file
 * @retval STN_ERR_FORMAT    value_format does not match the field
 * @retval STN_ERR_IO        the file cannot be written
 * @retval STN_ERR_MEMORY    out of memory */
STN_API stn_status stn_market_write_file(const stn_market_matrix *matrix, const char *path);

/** Wraps the arrays of a sparse stn_market_matrix as a stn_matrix, which refers to them.
 * @param[out] made  matrix, to be released with stn_matrix_release before `matrix`; NULL on errors
 * @param matrix     sparse matrix as of stn_market_read_file
 * @param label      name for error messages, which is copied, or NULL
 * @retval STN_ERR_ARGUMENT     NULL
 * @retval STN_ERR_UNSUPPORTED  the matrix is dense
 * @return other errors of stn_matrix_wrap_csr */
STN_API stn_status stn_market_wrap(stn_matrix **made, const stn_market_matrix *matrix,
                                   const char *label);

/** Releases the arrays of `matrix` that stn_market_read_file() allocated and makes it empty. NULL
 * is a no-op. */
STN_API void stn_market_release(stn_market_matrix *matrix);

STN_END_DECLS

#endif
