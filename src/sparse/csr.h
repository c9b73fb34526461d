/* What operations ask of a matrix. */
#ifndef STENO_SPARSE_CSR_H
#define STENO_SPARSE_CSR_H

#include "steno/sparse.h"

/* For messages. */
const char *stn_csr_name(const stn_matrix *csr);

/* STN_ERR_ARGUMENT unless it was made by the library, STN_ERR_FORMAT where its format has been
 * overwritten since. */
stn_status stn_csr_expect(const char *call, const stn_matrix *csr);

/* STN_ERR_FORMAT unless values of a matrix can be stored in it; and are real then. */
stn_status stn_csr_expect_format(const char *name, stn_format format);
stn_status stn_csr_expect_real(const char *name, stn_format format);

int stn_csr_is_complex(const stn_matrix *csr);

/* As stn_csr_expect, and STN_ERR_UNSUPPORTED unless the arithmetic is f64 or f32, of complex values
 * c128 or c64. */
stn_status stn_csr_expect_arithmetic(const char *call, stn_format arithmetic,
                                     const stn_matrix *csr);

/* Is it compressed rows, whose arrays are row_start, column and values, and no views? */
int stn_csr_is_plain(const stn_matrix *csr);

/* STN_ERR_UNSUPPORTED unless it is that, real and on the host: what loops of the library's other
 * operations read. */
stn_status stn_csr_expect_plain(const char *call, const stn_matrix *csr);

/* The arrays of a matrix of any kind as views, where the matrix is: where rows or slices begin,
 * what tells columns, values; rows of entries or places of rows; scales of rows. What a kind does
 * not have is a view of nothing. STN_ERR_ARGUMENT for a storage that there cannot be. */
enum {
    STN_CSR_STARTS = 0,
    STN_CSR_INDICES = 1,
    STN_CSR_VALUES = 2,
    STN_CSR_PLACES = 3,
    STN_CSR_SCALES = 4,
    STN_CSR_ARRAYS = 5
};
stn_status stn_csr_views(const stn_matrix *csr, stn_view *views);

/* Let the arrays be these, by address where they are plain: `views` of STN_CSR_ARRAYS. */
void stn_csr_set(stn_matrix *csr, const stn_view *views);

/* The matrix on the host: the arrays where they are, and memory of nothing; or copies of those in a
 * device's memory, in memory that stn_view_release gives back. STN_ERR_ARGUMENT, STN_ERR_FORMAT,
 * STN_ERR_UNSUPPORTED (memory of no device that is known), STN_ERR_MEMORY, STN_ERR_DEVICE. */
stn_status stn_matrix_to_host(const char *call, const stn_matrix *from, stn_matrix *here);

/* What calls that make a matrix end with: what was made on the host, and with which status, goes
 * to where the executor is; of another status than STN_OK, and on an error, it is all zeros. */
stn_status stn_csr_send(const char *call, const stn_exec *exec, stn_status status,
                        stn_matrix *made);

/* The values of a matrix on a device, of compressed rows at addresses or slices, become those of
 * what was brought from there. */
stn_status stn_csr_send_values(const char *call, const stn_matrix *matrix, const stn_matrix *here);

/* Memory for arrays of these bytes, STN_CSR_ARRAYS of them, and where each begins in it. All of it
 * is going to be written: STN_ERR_MEMORY, with the number of bytes, if the host has less. */
stn_status stn_csr_allocate(const stn_exec *exec, const char *label, const int64_t *bytes,
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
