/* Compressed rows on the host: of a matrix of any kind, for reading, and of a new matrix, for
 * writing. */
#ifndef STENO_SPARSE_KINDS_COMPRESSED_H
#define STENO_SPARSE_KINDS_COMPRESSED_H

#include "sparse/matrix.h"

typedef struct stn_compressed {
    int64_t rows, columns, entries;
    const int64_t *start;
    const int32_t *column;
    const char *codes;
    int64_t code; /* bytes per code */
    stn_storage storage;
    stn_view memory; /* owner of the arrays, unless they belong to the matrix */
} stn_compressed;

/* Opens the compressed rows of `from`. A matrix on a device is copied to the host first. Works on
 * the host for executors of devices, too. STN_ERR_ARGUMENT (`from` is NULL), STN_ERR_UNSUPPORTED,
 * STN_ERR_MEMORY, STN_ERR_DEVICE. */
stn_status stn_compressed_open(const char *call, const stn_exec *exec, const stn_matrix *from,
                               stn_compressed *plain);
void stn_compressed_close(stn_compressed *plain);

/* As stn_compressed_open, and moves the matrix *result, which was created by stn_compressed_create:
 * *result is empty afterwards. */
void stn_compressed_move(stn_compressed *plain, stn_matrix *result);

typedef struct stn_compressed_matrix {
    int64_t *start;
    int32_t *column;
    char *codes;
} stn_compressed_matrix;

/* Allocates arrays for a number of entries. *csr becomes the matrix that consists of these arrays
 * and owns them. STN_ERR_SHAPE (columns beyond 2^31 - 1), STN_ERR_MEMORY. */
stn_status stn_compressed_create(const char *call, const char *label, const stn_storage *storage,
                                 int64_t rows, int64_t columns, int64_t entries, stn_matrix *csr,
                                 stn_compressed_matrix *result);

#endif
