/* Conversion of plain compressed rows to compressed rows, COO, ELL and SELL-C-sigma. */
#ifndef STENO_SPARSE_KINDS_LAYOUT_H
#define STENO_SPARSE_KINDS_LAYOUT_H

#include "sparse/matrix.h"

enum { STN_SELL_HEIGHT = 32, STN_SELL_SIGMA = 256 };

/* The bytes of a matrix of this kind with codes of `code` bytes. STN_ERR_RANGE (beyond 63 bits),
 * STN_ERR_MEMORY. */
stn_status stn_layout_measure(const char *call, const stn_matrix *rows, int64_t code,
                              stn_matrix_kind kind, int64_t height, int64_t sigma, int64_t *bytes);

/* Creates a matrix of this kind in its own memory, with the codes of the rows. */
stn_status stn_layout_create(const stn_exec *exec, const stn_matrix *rows, stn_matrix_kind kind,
                             int64_t height, int64_t sigma, stn_matrix *result);

#endif
