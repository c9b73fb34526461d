/* Sparse matrices, in compressed rows and other kinds, and their products with vectors. */
#ifndef STENO_SPARSE_H
#define STENO_SPARSE_H

#include "steno/detail/macro_check.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/* How the entries of a matrix lie. Numbers are only ever appended. */
typedef enum stn_matrix_kind {
    STN_MATRIX_AUTO = 0, /* of the next two, whose loops are the fastest, that of fewer bytes; of
                          * complex values the first where rows have more than 32 on average */
    STN_MATRIX_CSR = 1,  /* row after row */
    /* Slices of 16 rows, in which entry e of all rows lies side by side and columns are compressed:
     * to a number or two for 16 neighbours, to 16 bits, or not at all. Slices whose rows differ
     * too much have them one after the other. Their arrays are the library's own. */
    STN_MATRIX_SLICED = 2,
    STN_MATRIX_COO = 3, /* each entry with its row and column */
    STN_MATRIX_ELL =
        4, /* as many places for entries in each row; what is left over has column -1 */
    /* SELL-C-sigma: the same in slices of C rows, each as wide as its longest row; of sigma rows
     * that follow each other the longest come first. */
    STN_MATRIX_SELL = 5
} stn_matrix_kind;

/* What becomes of several entries for one row and column of a STN_MATRIX_COO when it is converted.
 */
typedef enum stn_matrix_duplicates {
    STN_DUPLICATES_REFUSE = 0, /* STN_ERR_RANGE, with the position */
    STN_DUPLICATES_SUM = 1,    /* one entry, their sum; the columns of each row are sorted */
    STN_DUPLICATES_KEEP = 2    /* entries that products add up */
} stn_matrix_duplicates;

/* A sparse matrix whose values are stored in any format, real or complex. Made by
 * stn_matrix_wrap_csr_arrays and the like, which own nothing, or by stn_matrix_mirror or
 * stn_sparse_convert. What is a pointer below is an array without gaps, on the host unless `memory`
 * is elsewhere; what is NULL is in the view beside it, if the kind has it. */
typedef struct stn_matrix {
    size_t size;              /* of this struct */
    const char *label;        /* appears in error messages; not copied */
    int64_t rows, columns;    /* columns at most 2^31 - 1 */
    int64_t entries;          /* of all rows */
    const int64_t *row_start; /* of compressed rows: rows + 1, ascending from 0; or `starts` */
    const int32_t *column;    /* of compressed rows: `entries` of them; or `indices` */
    stn_storage storage;      /* of the values */
    const void *values;       /* `entries` codes, in slices `slots`; or `codes` */
    stn_view memory;      /* where the arrays are that the matrix owns; else a view of nothing */
    stn_matrix_kind kind; /* not STN_MATRIX_AUTO */
    int64_t slots, words; /* of slices: codes, and 32-bit words that describe their columns */
    const int64_t
        *slice_start; /* where the codes and the words of each slice, and one more, begin */
    const int32_t *slice_word;
    stn_view starts; /* row starts; of STN_MATRIX_SELL the first place of each slice, and the end */
    stn_view places; /* of STN_MATRIX_COO the row of each entry; of STN_MATRIX_SELL for each row
                      * which one of the sorted rows it is, or nothing: itself */
    stn_view indices;      /* columns: rank 1; of STN_MATRIX_ELL rows x width; -1: no entry */
    stn_view codes;        /* values, of the same extents */
    stn_view scales;       /* rank 1: times them are the values of each row; or nothing: all 1 */
    int64_t height, sigma; /* of STN_MATRIX_SELL: C, and sigma where it is known */
    stn_matrix_duplicates repeated; /* of STN_MATRIX_COO */
    int32_t ascends;                /* of STN_MATRIX_COO: rows do */
    int32_t read_only;              /* the values: calls that would write them refuse the matrix */
} stn_matrix;

/* Describe arrays as a sparse matrix. All indices are read and checked here, once, so that no
 * operation need look at them again: row_start must ascend from 0, and every column be from 0 to
 * columns - 1 (in any order within a row; repeated ones add up). STN_ERR_ARGUMENT (null pointers,
 * misaligned values), STN_ERR_FORMAT (none, or an opaque), STN_ERR_SHAPE (negative sizes, too
 * many columns), STN_ERR_RANGE (an index, with its row). */
STN_API stn_status stn_matrix_wrap_csr_arrays(stn_matrix *csr, const char *label,
                                              stn_storage storage, int64_t rows, int64_t columns,
                                              const int64_t *row_start, const int32_t *column,
                                              const void *values);

/* The same over views of any format and stride, which must live as long as the matrix. row_start:
 * rank 1, rows + 1 elements, and column: rank 1, one for each entry, integers without scales of any
 * width. values: the same extent, real or complex, with one scale or with scales of
 * stn_view_set_scales (such as one for 32 neighbours), or NULL: all are 1, a pattern. Without gaps
 * and with starts of 32 or 64 bits, columns of 32 and values under one scale, products are as fast
 * as those of stn_matrix_wrap_csr_arrays. All in host memory. Errors as above, of views as blas.h
 * says; the entries must be as many as the last row start (STN_ERR_SHAPE). */
STN_API stn_status stn_matrix_wrap_csr(stn_matrix *csr, const char *label, int64_t columns,
                                       const stn_view *row_start, const stn_view *column,
                                       const stn_view *values);

/* Let the values of row r be those stored times scales[r]: decoded, multiplied, and rounded once to
 * the arithmetic type. scales: rank 1, real, one for each row, all of them finite, which must live
 * as long; NULL: none. STN_MATRIX_SLICED has none (STN_ERR_UNSUPPORTED). STN_ERR_ARGUMENT,
 * STN_ERR_SHAPE, STN_ERR_FORMAT, STN_ERR_RANGE (a scale that is not finite, with its row); the
 * matrix is as it was then. */
STN_API stn_status stn_matrix_set_row_scales(stn_matrix *csr, const stn_view *scales);

/* Entries with their rows and columns, in any order: three views as above. `repeated` is for
 * conversions; products add up what is repeated. stn_spmv needs rows that ascend, and within a row
 * goes by the order of the entries; else convert to compressed rows, which keeps that order. */
STN_API stn_status stn_matrix_wrap_coo(stn_matrix *coo, const char *label, int64_t rows,
                                       int64_t columns, const stn_view *row, const stn_view *column,
                                       const stn_view *values, stn_matrix_duplicates repeated);

/* Rows of as many places each: column and values are rank 2, rows x width, of any layout, complex
 * values by strides (else STN_ERR_UNSUPPORTED, as above); column -1 says that there is no
 * entry, nor any behind it (STN_ERR_RANGE). */
STN_API stn_status stn_matrix_wrap_ell(stn_matrix *ell, const char *label, int64_t columns,
                                       const stn_view *column, const stn_view *values);

/* Slices of `height` rows. Place e of row p of the sorted ones is slice_start[p / height] + e *
 * height + p % height in column and values, rank 1 as of stn_matrix_wrap_csr; column -1 as above.
 * slice_start: rank 1, an element for each slice and one more, ascending from 0 by multiples of
 * height. sorted: rank 1, for each row which of the sorted ones it is, each once (STN_ERR_RANGE);
 * NULL: the row itself. Rows behind the last one in its slice have no entries. */
STN_API stn_status stn_matrix_wrap_sell(stn_matrix *sell, const char *label, int64_t rows,
                                        int64_t columns, int64_t height,
                                        const stn_view *slice_start, const stn_view *sorted,
                                        const stn_view *column, const stn_view *values);

/* A copy of a matrix in the memory of an executor's device, or on the host: its arrays, in one
 * allocation; scales that stn_view_set_scales gave stay where they are. A matrix that is on a
 * device comes to the host first, by one transfer, and goes from there to the executor's memory. To
 * be given back with stn_matrix_release. STN_ERR_ARGUMENT, STN_ERR_UNSUPPORTED (memory of a device
 * that is not the library's), STN_ERR_MEMORY, STN_ERR_DEVICE; *mirror is all zeros then. */
STN_API stn_status stn_matrix_mirror(const stn_exec *exec, stn_matrix *mirror,
                                     const stn_matrix *csr);

/* The bytes of a matrix's arrays, as that kind with values of that format: what a product moves
 * beside the vectors. *kind is what is asked for, and becomes what STN_MATRIX_AUTO chooses: of
 * compressed rows and slices that of fewer bytes. All columns are read; memory is
 * allocated only where the matrix is not plain compressed rows. Scales of rows are not counted, and
 * repeated entries as if they were kept. STN_ERR_ARGUMENT (NULL, no such kind), STN_ERR_FORMAT
 * (none, or an opaque one), STN_ERR_UNSUPPORTED (16 rows of
 * 2^31 entries or more as a slice), STN_ERR_RANGE (more places than 63 bits count, or row starts
 * than memory has addresses), STN_ERR_MEMORY;
 * of a matrix on a device those of stn_matrix_mirror. */
STN_API stn_status stn_sparse_bytes(const stn_matrix *matrix, stn_format format,
                                    stn_matrix_kind *kind, int64_t *bytes);

/* Creates a matrix of that kind in the memory of the executor, with the same entries in the same
 * order: products have the same bits if the values are the same. Release it with
 * stn_matrix_release.
 *
 * storage  of the values, which are converted as by stn_view_copy, including its counters and
 *          rounding rules. NULL: codes are copied, scales of rows remain where they are, and a
 *          pattern becomes ones in u8. Values with scales of stn_view_set_scales, and slices of a
 *          matrix with scales of rows, need a storage.
 *
 * STN_MATRIX_COO is sorted by rows, STN_MATRIX_ELL is stored column by column, and STN_MATRIX_SELL
 * has slices of 32 rows, sorted within 256. Row starts have 64 bits, other indices 32, or 64 if 32
 * are too few.
 *
 * Repeated entries of a STN_MATRIX_COO are treated as stn_matrix_duplicates says. Sums are computed
 * in the order of the entries: in f64, or c128; exactly if values are integers without a scale. A
 * value that is not repeated is not changed. A sum is stored in the format of its summands, if
 * storage is NULL, or is then converted to storage. The sums of a pattern, the number of entries
 * of each position, are u8, or u32 if one of them exceeds 255.
 *
 * The matrix is created on the host, also from and for a device, which takes two transfers. On an
 * error, *made is all zeros.
 *
 * STN_ERR_ARGUMENT     NULL, an invalid kind, or made is the matrix
 * STN_ERR_FORMAT       an invalid or opaque format; complex values to a real format or vice versa
 * STN_ERR_UNSUPPORTED  16 rows with 2^31 entries or more as a slice; scales that need a storage;
 *                      device memory that is not the library's
 * STN_ERR_RANGE        repeated entries under STN_DUPLICATES_REFUSE; sizes as of stn_sparse_bytes;
 *                      without a storage, a sum that the format of its summands does not hold;
 *                      a sum of integers that does not fit 64 bits, or the integers without a
 *                      scale that it is converted to
 * STN_ERR_MEMORY, STN_ERR_DEVICE */
STN_API stn_status stn_sparse_convert(const stn_exec *exec, stn_matrix *made,
                                      const stn_matrix *matrix, stn_matrix_kind kind,
                                      const stn_storage *storage);

/* The same into a STN_MATRIX_SELL of this height and sigma, 1 or more; sigma 1 leaves rows as they
 * are. */
STN_API stn_status stn_sparse_convert_sell(const stn_exec *exec, stn_matrix *made,
                                           const stn_matrix *matrix, int64_t height, int64_t sigma,
                                           const stn_storage *storage);

/* Give back what the matrix owns, when what uses it is done; *csr is all zeros then. All zeros and
 * matrices that own nothing may be given back too. STN_ERR_ARGUMENT as stn_view_release. */
STN_API stn_status stn_matrix_release(stn_matrix *csr);

/* y = alpha * A x + beta * y. Element e of a row's sum is the row's e-th stored entry; otherwise
 * sums, alpha and beta are as in stn_gemv, and so is the error. x: rank 1, columns; y: rank 1,
 * rows; or several at once, of the same bits: x rank 2, columns x k, y rank 2, rows x k. Real, or
 * complex: then x and y are complex, and of a real matrix the sums of both parts are those of real
 * arithmetic. On a device the matrix is a mirror there, and the call returns before it is done; on
 * the host it allocates room for x decoded unless x is contiguous in the arithmetic type, and of a
 * real matrix in complex arithmetic for x and the sums. STN_ERR_SHAPE, STN_ERR_UNSUPPORTED,
 * STN_ERR_ARGUMENT, STN_ERR_ALIAS (y overlaps x or an array of the matrix), STN_ERR_MEMORY. */
STN_API stn_status stn_spmv(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_matrix *a, const stn_view *x, double beta, const stn_view *y);
STN_API stn_status stn_spmv_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    const stn_matrix *a, const stn_view *x, stn_c128 beta,
                                    const stn_view *y);

STN_END_DECLS

#endif
