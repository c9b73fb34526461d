#include "sparse/kinds/row_order.h"

#include <stdlib.h>

#include "core/memory.h"

stn_status stn_row_order_init(stn_row_order *order, const int64_t *start, int64_t rows)
{
    int64_t longest = 0;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t count = start[row + 1] - start[row];
        longest = count > longest ? count : longest;
    }
    return stn_allocate(&order->entry, longest, sizeof *order->entry, "entries of a row");
}

void stn_row_order_release(stn_row_order *order)
{
    stn_free(order->entry);
}

static int compare(const void *left, const void *right)
{
    const stn_row_entry *const a = left, *const b = right;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

int64_t stn_row_order_sort(const stn_row_order *order, const int64_t *start, const int32_t *column,
                           int64_t row)
{
    const int64_t begin = start[row], count = start[row + 1] - begin;
    int ascends = 1;
    for (int64_t e = 0; e < count; e++) {
        order->entry[e] = (stn_row_entry){begin + e, column[begin + e]};
        ascends &= e == 0 || column[begin + e - 1] <= column[begin + e];
    }
    if (!ascends)
        qsort(order->entry, (size_t)count, sizeof *order->entry, compare);
    return count;
}
