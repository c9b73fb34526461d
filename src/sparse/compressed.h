/* Compressed rows of a matrix of any kind, on the host, to be read; and those of a new one, to be
 * written. */
#ifndef STENO_SPARSE_COMPRESSED_H
#define STENO_SPARSE_COMPRESSED_H

#include "sparse/matrix.h"

typedef struct stn_compressed {
    int64_t rows, columns, entries;
    const int64_t *start;
    const int32_t *column;
    const char *codes;
    int64_t code; /* bytes of one */
    stn_storage storage;
    stn_view memory; /* what the arrays are in, where they are not the matrix's own */
} stn_compressed;

/* `from` may be NULL: STN_ERR_ARGUMENT; or on a device: it is brought to the host. Works on the
 * host for an executor of a device, too. STN_ERR_UNSUPPORTED, STN_ERR_MEMORY, STN_ERR_DEVICE. */
stn_status stn_compressed_open(const char *call, const stn_exec *exec, const stn_matrix *from,
                               stn_compressed *plain);
void stn_compressed_close(stn_compressed *plain);

/* Those of a matrix that stn_compressed_make made, which is all zeros from now on. */
void stn_compressed_take(stn_compressed *plain, stn_matrix *made);

typedef struct stn_compressed_made {
    int64_t *start;
    int32_t *column;
    char *codes;
} stn_compressed_made;

/* Arrays for so many entries; *csr is what stands before, with these arrays, and owns them.
 * STN_ERR_SHAPE (columns beyond 2^31 - 1), STN_ERR_MEMORY. */
stn_status stn_compressed_make(const char *call, const char *label, const stn_storage *storage,
                               int64_t rows, int64_t columns, int64_t entries, stn_matrix *csr,
                               stn_compressed_made *made);

#endif
