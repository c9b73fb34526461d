/* The struct that stn_matrix handles point to, and functions that operations share. */
#ifndef STENO_SPARSE_MATRIX_H
#define STENO_SPARSE_MATRIX_H

#include "steno/sparse.h"

/* An array is stored as a pointer if it is contiguous and of the format below, and as a view
 * otherwise; the other one of the two is empty. Arrays are in host memory unless `memory` is in
 * that of a device. */
struct stn_matrix {
    size_t size;       /* sizeof(stn_matrix); 0 in a struct that is empty */
    const char *label; /* for messages, or NULL */
    char *own_label;   /* the copy that a handle owns, or NULL */
    int64_t rows, columns;
    int64_t entries;
    const int64_t *row_start; /* CSR: rows + 1, ascending from 0; or `starts` */
    const int32_t *column;    /* CSR: one per entry; or `indices` */
    stn_storage storage;      /* of the values */
    const void *values;       /* `entries` codes, of slices `slots` codes; or `codes` */
    const void *dictionary;   /* PACKED: distinct codes; `values` are indices of them (packed.h) */
    int64_t distinct, bits;   /* PACKED: number of distinct codes, and bits per index */
    stn_view memory;          /* owner of the arrays that the matrix owns, or empty */
    stn_matrix_kind kind;     /* not STN_MATRIX_AUTO */
    int64_t slots, words;     /* slices: codes, and 32-bit words that describe their columns */
    const int64_t *slice_start; /* begin of the codes and words of each slice, and the ends */
    const int32_t *slice_word;
    stn_view starts;    /* CSR: row starts; SELL: start of each slice, and the end */
    stn_view positions; /* COO: row of each entry; SELL: position of each row, or empty: sorted */
    stn_view indices;   /* columns: rank 1, ELL: rows x width; -1: no entry */
    stn_view codes;     /* values, with the extents of `indices` */
    stn_view scales;    /* rank 1, one per row, or empty: all are 1 */
    int64_t height, sigma;            /* SELL: C, and sigma if it is known */
    stn_matrix_duplicates duplicates; /* COO */
    int32_t ascends;                  /* COO: rows are in ascending order */
    int32_t read_only;                /* the values may not be written */
    stn_matrix *optimized;  /* copy of the entries that products read, or NULL; handles own it */
    stn_matrix *transposed; /* transpose that stn_spmv_transposed reads, or NULL; likewise */
};

/* Returns whether the columns are stored in slices. */
static inline int stn_matrix_has_slices(const stn_matrix *matrix)
{
    return matrix->kind == STN_MATRIX_SLICED || matrix->kind == STN_MATRIX_PACKED;
}

/* ---- handles ---- */

/* A public function that creates a matrix begins and ends with these. The first one sets *result to
 * NULL and allocates an empty matrix; STN_ERR_ARGUMENT if `result` is NULL, STN_ERR_MEMORY. The
 * second one stores the matrix in *result or, if the status is not STN_OK, frees it; it returns the
 * status, or STN_ERR_MEMORY. */
stn_status stn_matrix_begin(const char *call, stn_matrix **result, stn_matrix **matrix);
stn_status stn_matrix_end(const char *call, stn_matrix **result, stn_matrix *matrix,
                          stn_status status);

/* The matrix whose arrays products read. */
static inline const stn_matrix *stn_matrix_of_products(const stn_matrix *matrix)
{
    return matrix->optimized ? matrix->optimized : matrix;
}

/* Releases the copy that products read. */
void stn_matrix_discard_optimized(stn_matrix *matrix);

/* Releases this copy and the transpose. To be called when values or scales change. */
void stn_matrix_discard_copies(stn_matrix *matrix);

/* *copy becomes a copy for stn_free, or NULL. STN_ERR_MEMORY. */
stn_status stn_label_copy(char **copy, const char *label);

/* Releases what the matrix owns and makes the struct empty. */
void stn_matrix_clear(stn_matrix *matrix);

/* A copy in the memory of the executor, and a conversion, as stn_matrix_mirror and
 * stn_sparse_convert describe them. */
stn_status stn_matrix_copy(const stn_exec *exec, stn_matrix *result, const stn_matrix *matrix);
stn_status stn_matrix_convert(const stn_exec *exec, stn_matrix *result, const stn_matrix *matrix,
                              stn_matrix_kind kind, const stn_storage *storage);

/* Writes the values of plain compressed rows to slices that were created from them, on the host. */
void stn_matrix_update_slices(const stn_exec *exec, const stn_matrix *rows, stn_matrix *sliced);

/* Compressed rows in arrays of the library's native index formats, which are not checked. */
stn_matrix stn_matrix_of_rows(const char *label, stn_storage storage, int64_t rows, int64_t columns,
                              const int64_t *row_start, const int32_t *column, const void *values);

/* ---- checks and queries ---- */

/* For messages. */
const char *stn_matrix_name(const stn_matrix *matrix);

/* STN_ERR_ARGUMENT if the matrix is NULL. Waits for queued work on pinned arrays. */
stn_status stn_matrix_expect(const char *call, const stn_matrix *matrix);

/* STN_ERR_FORMAT unless the format can store values of a matrix. The second function also requires
 * that they are real. */
stn_status stn_matrix_expect_format(const char *name, stn_format format);
stn_status stn_matrix_expect_real(const char *name, stn_format format);

int stn_matrix_is_complex(const stn_matrix *matrix);

/* As stn_matrix_expect. STN_ERR_UNSUPPORTED unless the arithmetic is f64 or f32, or c128 or c64 if
 * values are complex. */
stn_status stn_matrix_expect_arithmetic(const char *call, stn_format arithmetic,
                                        const stn_matrix *matrix);

/* STN_ERR_UNSUPPORTED unless stn_spmv multiplies the matrix on the executor. */
stn_status stn_spmv_expect_matrix(const stn_exec *exec, const stn_matrix *a);

/* Returns whether there are loops over rows for the arrays of a real matrix: contiguous arrays with
 * row starts of 32 or 64 bits, and either one scale or one scale per row. */
int stn_spmv_is_fusible(const stn_matrix *a);

/* Returns whether the matrix is compressed rows in the arrays row_start, column and values,
 * without views. */
int stn_matrix_is_plain(const stn_matrix *matrix);

/* The arrays of a matrix of any kind as views, in the memory of the matrix: starts of rows or
 * slices, columns or the words that encode them, values, row indices of entries or positions of
 * rows, scales of rows, distinct values. Arrays that the kind does not have are empty views.
 * STN_ERR_ARGUMENT for an invalid storage. */
enum {
    STN_ARRAY_STARTS = 0,
    STN_ARRAY_INDICES = 1,
    STN_ARRAY_VALUES = 2,
    STN_ARRAY_POSITIONS = 3,
    STN_ARRAY_SCALES = 4,
    STN_ARRAY_DICTIONARY = 5,
    STN_ARRAYS = 6
};
stn_status stn_matrix_list_arrays(const stn_matrix *matrix, stn_view *views);

/* The bytes of the codes of an array. Elements that strides of 0 repeat count once. */
int64_t stn_matrix_array_bytes(const stn_view *array);

/* Sets the arrays from `views`, which has STN_ARRAYS elements; plain arrays are stored as
 * addresses. */
void stn_matrix_set_arrays(stn_matrix *matrix, const stn_view *views);

/* Makes values in planes or blocks refer to a copy of their memory, which begins at `to` in
 * `memory`. */
stn_status stn_matrix_move_values(const stn_view *memory, void *to, stn_view *values);

/* Makes the matrix accessible on the host. *host has the same arrays and empty memory, or, if the
 * matrix is in a device's memory, copies of the arrays, whose memory is released with
 * stn_view_release. STN_ERR_ARGUMENT, STN_ERR_FORMAT, STN_ERR_UNSUPPORTED (unknown device),
 * STN_ERR_MEMORY, STN_ERR_DEVICE. */
stn_status stn_matrix_to_host(const char *call, const stn_matrix *from, stn_matrix *host);

/* Last step of functions that create a matrix: moves the matrix created on the host, with the
 * given status, to the memory of the executor. If the status is not STN_OK, or on an error, *result
 * is cleared. */
stn_status stn_matrix_send(const char *call, const stn_exec *exec, stn_status status,
                           stn_matrix *result);

/* Copies the values of a host copy back to the matrix on a device, which has plain compressed rows
 * or slices. */
stn_status stn_matrix_send_values(const char *call, const stn_matrix *matrix,
                                  const stn_matrix *host);

/* Allocates memory for STN_ARRAYS arrays of these sizes and returns the start of each. All of it
 * will be written, so STN_ERR_MEMORY, with the number of bytes, is returned if the host does not
 * have as much available memory. */
stn_status stn_matrix_allocate(const stn_exec *exec, const char *label, const int64_t *bytes,
                               stn_view *memory, void **data);

/* Adds an innermost dimension to a strided view: the 2 parts of complex elements, or 1 for real
 * ones. */
stn_status stn_parts_of(stn_view *parts, const stn_view *numbers);

/* STN_ERR_ALIAS if the view shares bytes with an array of the matrix. */
stn_status stn_matrix_expect_disjoint(const char *call, const stn_matrix *a, const stn_view *y);

/* Product by a kernel over rows, in the memory of the matrix and in real arithmetic: updated =
 * alpha A x + beta y. All vectors have rank 2, and y may be `updated`. If the matrix is complex,
 * columns are parts of complex vectors. The caller has checked the arguments. */
stn_status stn_spmv_rows(const stn_exec *exec, stn_format arithmetic, double alpha,
                         const stn_matrix *a, const stn_view *x, double beta, const stn_view *y,
                         const stn_view *updated);

/* y = y - A x for rows `first` to first + (rows of y) - 1, where `first` is the first row of a
 * slice in a sliced matrix. The matrix must be plain compressed rows or slices. x and y have rank
 * 2. If the matrix is complex, their columns are parts of complex vectors. */
stn_status stn_spmv_subtract(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                             int64_t first, const stn_view *x, const stn_view *y);

/* r = b - A x in real arithmetic. The caller has checked everything except that b and r match. */
stn_status stn_residual_real(const stn_exec *exec, stn_format arithmetic, const stn_view *b,
                             const stn_matrix *a, const stn_view *x, const stn_view *r);

#endif
