/* A custom accessor: integers of 12 bits, two in three bytes. */
#include <stdio.h>

#include "steno/accessor.h"

/* The context that each call receives in addition to the data. */
typedef struct packing {
    double step; /* difference between the values of adjacent codes */
} packing;

STN_FN double load_12(const uint8_t *data, stn_size index, packing with)
{
    const uint8_t *at = data + index / 2 * 3;
    const int code = index % 2 ? at[1] >> 4 | at[2] << 4 : at[0] | (at[1] & 15) << 8;
    return with.step * (code < 2048 ? code : code - 4096);
}

STN_FN void store_12(uint8_t *data, stn_size index, double value, packing with)
{
    uint8_t *at = data + index / 2 * 3;
    const double wish = value / with.step, least = -2048.0, most = 2047.0;
    const double kept = wish > most    ? most
                        : wish > least ? wish
                                       : least;            /* NaN becomes the least value */
    const int code = ((int)(kept + 2048.5) + 2048) & 4095; /* round to nearest */
    if (index % 2) {
        at[1] = (uint8_t)((at[1] & 15) | (code & 15) << 4);
        at[2] = (uint8_t)(code >> 4);
    } else {
        at[0] = (uint8_t)code;
        at[1] = (uint8_t)((at[1] & 240) | code >> 8);
    }
}

STN_ACCESSOR_CUSTOM(packed, 2, double, uint8_t, packing, load_12, store_12)

enum { ROWS = 3, COLUMNS = 5 }; /* an odd number: rows begin in the middle of a byte */

int main(void)
{
    uint8_t bytes[(ROWS * COLUMNS + 1) / 2 * 3] = {0};
    const packing with = {0.25};
    const packed x = packed_dense(bytes, ROWS, COLUMNS, with);
    double values[ROWS * COLUMNS];
    int wrong = 0;

    for (stn_size i = 0; i < ROWS; i++)
        for (stn_size j = 0; j < COLUMNS; j++)
            packed_set(x, i, j, 100.1 * (double)(i - j));
    packed_load(x, 0, 0, ROWS * COLUMNS, values);
    printf("%d values in %zu bytes:\n", ROWS * COLUMNS, sizeof bytes);
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        const double error = values[k] - 100.1 * (k / COLUMNS - k % COLUMNS);
        printf("%9.2f%s", values[k], k % COLUMNS == COLUMNS - 1 ? "\n" : "");
        wrong += !(error <= with.step / 2 && error >= -with.step / 2);
    }

    /* A subarray. `set` returns the stored value. */
    const packed tail = packed_sub(x, stn_at(2), stn_span_of(1, COLUMNS));
    const double nearest = packed_set(tail, 0, 2, 77.7), most = packed_set(tail, 0, 3, 1000.0);
    printf("77.7 is stored as %g, 1000 as %g\n", nearest, most);
    wrong += nearest != 77.75 || most != 511.75 || packed_get(x, 2, 3) != 77.75;
    return wrong != 0 || packed_get(x, 2, 2) != 0.0;
}
