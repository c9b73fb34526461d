/* The entries of a row in the order of their columns. */
#ifndef STENO_SPARSE_ROW_ORDER_H
#define STENO_SPARSE_ROW_ORDER_H

#include "core/status.h"

typedef struct stn_row_entry {
    int64_t at; /* index of the entry in the matrix */
    int32_t column;
} stn_row_entry;

typedef struct stn_row_order {
    stn_row_entry *entry; /* of the row sorted last */
} stn_row_order;

/* Capacity for any row of a matrix. STN_ERR_MEMORY; release with stn_row_order_drop in any case. */
stn_status stn_row_order_make(stn_row_order *order, const int64_t *start, int64_t rows);
void stn_row_order_drop(stn_row_order *order);

/* Sorts the entries of a row; entries of one column remain in their order. Returns their count. */
int64_t stn_row_order_sort(const stn_row_order *order, const int64_t *start, const int32_t *column,
                           int64_t row);

#endif
