/* The struct that stn_matrix handles point to, and what operations need of it. */
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
    const int64_t *row_start;   /* CSR: rows + 1, ascending from 0; or `starts` */
    const int32_t *column;      /* CSR: one per entry; or `indices` */
    stn_storage storage;        /* of the values */
    const void *values;         /* `entries` codes, of slices `slots` codes; or `codes` */
    stn_view memory;            /* owner of the arrays that the matrix owns, or empty */
    stn_matrix_kind kind;       /* not STN_MATRIX_AUTO */
    int64_t slots, words;       /* slices: codes, and 32-bit words that describe their columns */
    const int64_t *slice_start; /* begin of the codes and words of each slice, and the ends */
    const int32_t *slice_word;
    stn_view starts;  /* CSR: row starts; SELL: start of each slice, and the end */
    stn_view places;  /* COO: row of each entry; SELL: position of each row, or empty: sorted */
    stn_view indices; /* columns: rank 1, ELL: rows x width; -1: no entry */
    stn_view codes;   /* values, with the extents of `indices` */
    stn_view scales;  /* rank 1, one per row, or empty: all are 1 */
    int64_t height, sigma;          /* SELL: C, and sigma if it is known */
    stn_matrix_duplicates repeated; /* COO */
    int32_t ascends;                /* COO: rows are in ascending order */
    int32_t read_only;              /* the values may not be written */
};

/* ---- handles ---- */

/* A public function that creates a matrix begins and ends with these. The first one sets *made to
 * NULL and allocates an empty matrix; STN_ERR_ARGUMENT if made is NULL, STN_ERR_MEMORY. The second
 * one stores the matrix in *made or, if the status is not STN_OK, frees it; it returns the status,
 * or STN_ERR_MEMORY. */
stn_status stn_matrix_begin(const char *call, stn_matrix **made, stn_matrix **matrix);
stn_status stn_matrix_end(const char *call, stn_matrix **made, stn_matrix *matrix,
                          stn_status status);

/* *copy becomes a copy for stn_free, or NULL. STN_ERR_MEMORY. */
stn_status stn_label_copy(char **copy, const char *label);

/* Releases what the matrix owns and makes the struct empty. */
void stn_matrix_clear(stn_matrix *matrix);

/* A copy in the memory of the executor, and a conversion, as stn_matrix_mirror and
 * stn_sparse_convert describe them. */
stn_status stn_matrix_copy(const stn_exec *exec, stn_matrix *made, const stn_matrix *matrix);
stn_status stn_matrix_convert(const stn_exec *exec, stn_matrix *made, const stn_matrix *matrix,
                              stn_matrix_kind kind, const stn_storage *storage);

/* Compressed rows in arrays of the library's native index formats, which are not checked. */
stn_matrix stn_matrix_of_rows(const char *label, stn_storage storage, int64_t rows, int64_t columns,
                              const int64_t *row_start, const int32_t *column, const void *values);

/* ---- checks and queries ---- */

/* For messages. */
const char *stn_matrix_name(const stn_matrix *matrix);

/* STN_ERR_ARGUMENT if the matrix is NULL. Waits for queued work on pinned arrays. */
stn_status stn_matrix_expect(const char *call, const stn_matrix *matrix);

/* STN_ERR_FORMAT unless values of a matrix can be stored in it; and are real then. */
stn_status stn_matrix_expect_format(const char *name, stn_format format);
stn_status stn_matrix_expect_real(const char *name, stn_format format);

int stn_matrix_is_complex(const stn_matrix *matrix);

/* As stn_matrix_expect, and STN_ERR_UNSUPPORTED unless the arithmetic is f64 or f32, of complex
 * values c128 or c64. */
stn_status stn_matrix_expect_arithmetic(const char *call, stn_format arithmetic,
                                        const stn_matrix *matrix);

/* Is it compressed rows, whose arrays are row_start, column and values, and no views? */
int stn_matrix_is_plain(const stn_matrix *matrix);

/* The arrays of a matrix of any kind as views, where the matrix is: where rows or slices begin,
 * what tells columns, values; rows of entries or places of rows; scales of rows. What a kind does
 * not have is a view of nothing. STN_ERR_ARGUMENT for a storage that there cannot be. */
enum {
    STN_ARRAY_STARTS = 0,
    STN_ARRAY_INDICES = 1,
    STN_ARRAY_VALUES = 2,
    STN_ARRAY_PLACES = 3,
    STN_ARRAY_SCALES = 4,
    STN_ARRAYS = 5
};
stn_status stn_matrix_list_arrays(const stn_matrix *matrix, stn_view *views);

/* The bytes of its codes; elements that strides of 0 repeat count once. */
int64_t stn_matrix_array_bytes(const stn_view *array);

/* Let the arrays be these, by address where they are plain: `views` of STN_ARRAYS. */
void stn_matrix_set_arrays(stn_matrix *matrix, const stn_view *views);

/* The matrix on the host: the arrays where they are, and memory of nothing; or copies of those in a
 * device's memory, in memory that stn_view_release gives back. STN_ERR_ARGUMENT, STN_ERR_FORMAT,
 * STN_ERR_UNSUPPORTED (memory of no device that is known), STN_ERR_MEMORY, STN_ERR_DEVICE. */
stn_status stn_matrix_to_host(const char *call, const stn_matrix *from, stn_matrix *here);

/* What calls that make a matrix end with: what was made on the host, and with which status, goes
 * to where the executor is; of another status than STN_OK, and on an error, it is all zeros. */
stn_status stn_matrix_send(const char *call, const stn_exec *exec, stn_status status,
                           stn_matrix *made);

/* The values of a matrix on a device, of compressed rows at addresses or slices, become those of
 * what was brought from there. */
stn_status stn_matrix_send_values(const char *call, const stn_matrix *matrix,
                                  const stn_matrix *here);

/* Memory for arrays of these bytes, STN_ARRAYS of them, and where each begins in it. All of it
 * is going to be written: STN_ERR_MEMORY, with the number of bytes, if the host has less. */
stn_status stn_matrix_allocate(const stn_exec *exec, const char *label, const int64_t *bytes,
                               stn_view *memory, void **data);

/* Numbers with a dimension more, innermost: the parts of complex ones, 1 of real ones. Strided. */
stn_status stn_parts_of(stn_view *parts, const stn_view *numbers);

/* STN_ERR_ALIAS where a view shares bytes with an array of the matrix. */
stn_status stn_matrix_expect_disjoint(const char *call, const stn_matrix *a, const stn_view *y);

/* Products by a kernel over rows, where the matrix is, of real arithmetic: updated = alpha A x +
 * beta y, all of rank 2, where y may be `updated`; of a complex matrix their columns are parts of
 * complex numbers. Arguments have been checked. */
stn_status stn_spmv_rows(const stn_exec *exec, stn_format arithmetic, double alpha,
                         const stn_matrix *a, const stn_view *x, double beta, const stn_view *y,
                         const stn_view *updated);

/* y = y - A x of as many rows as y has from `first` on, which of slices begins one: of a matrix in
 * plain rows or slices. x and y are rank 2; of a complex matrix their columns are parts. */
stn_status stn_spmv_subtract(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                             int64_t first, const stn_view *x, const stn_view *y);

/* r = b - A x in real arithmetic, all of whose checks but that b goes with r are made. */
stn_status stn_residual_real(const stn_exec *exec, stn_format arithmetic, const stn_view *b,
                             const stn_matrix *a, const stn_view *x, const stn_view *r);

#endif
