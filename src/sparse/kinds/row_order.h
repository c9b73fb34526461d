/* Sorting the entries of a row by column. */
#ifndef STENO_SPARSE_KINDS_ROW_ORDER_H
#define STENO_SPARSE_KINDS_ROW_ORDER_H

#include "core/status.h"

typedef struct stn_row_entry {
    int64_t at; /* index of the entry in the matrix */
    int32_t column;
} stn_row_entry;

typedef struct stn_row_order {
    stn_row_entry *entry; /* entries of the row sorted last */
} stn_row_order;

/* Allocates capacity for every row of a matrix. STN_ERR_MEMORY. Release with stn_row_order_release
 * even after an error. */
stn_status stn_row_order_init(stn_row_order *order, const int64_t *start, int64_t rows);
void stn_row_order_release(stn_row_order *order);

/* Sorts the entries of a row; entries of one column remain in their order. Returns their number. */
int64_t stn_row_order_sort(const stn_row_order *order, const int64_t *start, const int32_t *column,
                           int64_t row);

#endif
