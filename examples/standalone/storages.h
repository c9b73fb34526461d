/* Storages of x in y = alpha * x + y, with y and the arithmetic in double. A storage is an accessor
 * type and a row of the list. */
#ifndef STORAGES_H
#define STORAGES_H

#ifdef STENO_SINGLE_FILE
#    include "steno_accessor.h"
#else
#    include "steno/accessor.h"
#endif

STN_ACCESSOR(y_f64, 1, double, double)

STN_ACCESSOR(x_f64, 1, double, double)
STN_ACCESSOR(x_f32, 1, double, float)
STN_ACCESSOR(x_f16, 1, double, stn_f16)
STN_ACCESSOR(x_bf16, 1, double, stn_bf16)
STN_ACCESSOR(x_e4m3, 1, double, stn_e4m3)
STN_ACCESSOR_SCALED(x_i8, 1, double, int8_t, 0)                    /* one scale for all */
STN_ACCESSOR_BLOCK_SCALED(x_i8_blocks, 1, double, int8_t, 0x1, 32) /* one per 32 elements */

/* STORAGE(type, element, PLAIN or SCALED, largest error of a value between -1 and 1) */
/* clang-format off */
#define STORAGES(STORAGE)                              \
    STORAGE(x_f64, double, PLAIN, 0.0)                 \
    STORAGE(x_f32, float, PLAIN, 0x1p-25)              \
    STORAGE(x_f16, stn_f16, PLAIN, 0x1p-12)            \
    STORAGE(x_bf16, stn_bf16, PLAIN, 0x1p-9)           \
    STORAGE(x_e4m3, stn_e4m3, PLAIN, 0x1p-5)           \
    STORAGE(x_i8, int8_t, SCALED, 0.5 / 127)           \
    STORAGE(x_i8_blocks, int8_t, SCALED, 0.5 / 127)
/* clang-format on */

enum { COUNT = 10000, BLOCKS = (COUNT + 31) / 32 };

/* An accessor over its own memory, with values stored through it. */
#define MAKE_PLAIN(type, codes, scales)  type##_dense(codes, COUNT)
#define MAKE_SCALED(type, codes, scales) type##_dense(codes, COUNT, scales)
#define STORE_PLAIN(type, x, values)     type##_store(x, 0, COUNT, values)
#define STORE_SCALED(type, x, values)                                                              \
    do {                                                                                           \
        type##_fit_scales(x, values,                                                               \
                          STN_SCALE_EXACT); /* the smallest scales that fit the values */          \
        type##_store(x, 0, COUNT, values);                                                         \
    } while (0)

/* Values between -1 and 1, and the initial values of y. */
static inline double x_value(stn_size i)
{
    return (double)((i * 7919) % 20011 - 10005) / 10006.0;
}

static inline double y_value(stn_size i)
{
    return (double)(i % 101) / 64.0;
}

#endif
