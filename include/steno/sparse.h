/* Sparse matrices in compressed rows or in slices, and their product with a vector. */
#ifndef STENO_SPARSE_H
#define STENO_SPARSE_H

#include "steno/detail/names/hide.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/* How the entries of a matrix lie. Numbers are only ever appended. */
typedef enum stn_sparse_kind {
    STN_SPARSE_AUTO = 0, /* of those below the one of the fewest bytes */
    STN_SPARSE_CSR = 1,  /* row after row */
    /* Slices of 16 rows, in which entry e of all rows lies side by side and columns are compressed:
     * to a number or two for 16 neighbours, to 16 bits, or not at all. Slices whose rows differ
     * too much have them one after the other. Their arrays are the library's own. */
    STN_SPARSE_SLICED = 2
} stn_sparse_kind;

/* A sparse matrix whose values are stored in any real format. Made by stn_csr_wrap, which owns
 * nothing, or by stn_csr_mirror or stn_sparse_convert. */
typedef struct stn_csr {
    size_t size;              /* of this struct */
    const char *label;        /* appears in error messages; not copied */
    int64_t rows, columns;    /* columns at most 2^31 - 1 */
    int64_t entries;          /* of all rows */
    const int64_t *row_start; /* rows + 1, ascending from 0; NULL in slices */
    const int32_t *column;    /* row_start[rows] of them; NULL in slices */
    stn_storage storage;      /* of the values */
    const void *values;       /* row_start[rows] codes; in slices as many as `slots` */
    stn_view memory;      /* where the arrays are that the matrix owns; else a view of nothing */
    stn_sparse_kind kind; /* STN_SPARSE_CSR or STN_SPARSE_SLICED */
    int64_t slots, words; /* of slices: codes, and 32-bit words that describe their columns */
    const int64_t
        *slice_start; /* where the codes and the words of each slice, and one more, begin */
    const int32_t *slice_word;
} stn_csr;

/* Describe arrays as a sparse matrix. All indices are read and checked here, once, so that no
 * operation need look at them again: row_start must ascend from 0, and every column be from 0 to
 * columns - 1 (in any order within a row; repeated ones add up). STN_ERR_ARGUMENT (null pointers,
 * misaligned values), STN_ERR_FORMAT (none, or no real one), STN_ERR_SHAPE (negative sizes, too
 * many columns), STN_ERR_RANGE (an index, with its row). */
STN_API stn_status stn_csr_wrap(stn_csr *csr, const char *label, stn_storage storage, int64_t rows,
                                int64_t columns, const int64_t *row_start, const int32_t *column,
                                const void *values);

/* A copy of a matrix in the memory of an executor's device, or on the host: its three arrays, in
 * one allocation. To be given back with stn_csr_release. STN_ERR_ARGUMENT, STN_ERR_UNSUPPORTED (a
 * matrix that is on a device already), STN_ERR_MEMORY, STN_ERR_DEVICE; *mirror is all zeros then.
 */
STN_API stn_status stn_csr_mirror(const stn_exec *exec, stn_csr *mirror, const stn_csr *csr);

/* The bytes of a matrix's arrays, as that kind with values of that format: what a product moves
 * beside the vectors. *kind is what is asked for, and becomes what STN_SPARSE_AUTO chooses. All
 * columns are read, and nothing is allocated. STN_ERR_ARGUMENT (NULL, no such kind), STN_ERR_FORMAT
 * (none, or no real one), STN_ERR_UNSUPPORTED (a matrix that is not in compressed rows on the host,
 * unless it is asked for as it is; 16 rows of 2^31 entries or more as a slice). */
STN_API stn_status stn_sparse_bytes(const stn_csr *matrix, stn_format format, stn_sparse_kind *kind,
                                    int64_t *bytes);

/* A new matrix of that kind in host memory, with the same entries in the same order, so that
 * products give the same bits where the values are the same. `storage` of its values: they are
 * converted as stn_view_copy does, which counts and rounds by its rules; NULL: the codes as they
 * are. To be given back with stn_csr_release. Devices: convert, then stn_csr_mirror. As
 * stn_sparse_bytes and stn_view_copy; STN_ERR_ARGUMENT (made is the matrix), STN_ERR_MEMORY; *made
 * is all zeros then. */
STN_API stn_status stn_sparse_convert(const stn_exec *exec, stn_csr *made, const stn_csr *matrix,
                                      stn_sparse_kind kind, const stn_storage *storage);

/* Give back what the matrix owns, when what uses it is done; *csr is all zeros then. All zeros and
 * matrices that own nothing may be given back too. STN_ERR_ARGUMENT as stn_view_release. */
STN_API stn_status stn_csr_release(stn_csr *csr);

/* y = alpha * A x + beta * y. Element e of a row's sum is the row's e-th stored entry; otherwise
 * sums, alpha and beta are as in stn_gemv, and so is the error. x: rank 1, columns; y: rank 1,
 * rows. On a device the matrix is a mirror there, and the call returns before it is done; on the
 * host it allocates room for x decoded unless x is contiguous in the arithmetic type.
 * STN_ERR_SHAPE, STN_ERR_UNSUPPORTED, STN_ERR_ARGUMENT, STN_ERR_ALIAS (y overlaps x or the values),
 * STN_ERR_MEMORY. */
STN_API stn_status stn_spmv(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_csr *a, const stn_view *x, double beta, const stn_view *y);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
