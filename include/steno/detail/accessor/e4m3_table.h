/* Tables of the upper 16 bits of each e4m3 magnitude as a double and as a float; the other bits are
 * 0. */
#ifndef STENO_ACCESSOR_E4M3_TABLE_H
#define STENO_ACCESSOR_E4M3_TABLE_H

/* `top` is the position of the exponent, `one` the biased exponent of 2^-9, the smallest value. The
 * first 8 codes are multiples of it, the exponent of the others is shifted, and the last one is
 * NaN. */
/* clang-format off */
#define STN_UPPER_LEAST_8(top, one)                                                                \
    0, (one) << (top), ((one) + 1) << (top), ((one) + 1) << (top) | 1 << ((top)-1),                \
        ((one) + 2) << (top), ((one) + 2) << (top) | 1 << ((top)-2),                               \
        ((one) + 2) << (top) | 2 << ((top)-2), ((one) + 2) << (top) | 3 << ((top)-2)
#define STN_E4M3_ROW(m, top, one) ((m) << ((top)-3)) + (((one) + 2) << (top))
#define STN_E4M3_ROW_7(m, ...)                                                                        \
    STN_E4M3_ROW(m, __VA_ARGS__), STN_E4M3_ROW(m + 1, __VA_ARGS__), STN_E4M3_ROW(m + 2, __VA_ARGS__),       \
        STN_E4M3_ROW(m + 3, __VA_ARGS__), STN_E4M3_ROW(m + 4, __VA_ARGS__),                              \
        STN_E4M3_ROW(m + 5, __VA_ARGS__), STN_E4M3_ROW(m + 6, __VA_ARGS__)
#define STN_E4M3_ROW_8(m, ...) STN_E4M3_ROW_7(m, __VA_ARGS__), STN_E4M3_ROW(m + 7, __VA_ARGS__)
#define STN_E4M3_ROW_128(nan, ...)                                                                    \
    {STN_UPPER_LEAST_8(__VA_ARGS__), STN_E4M3_ROW_8(8, __VA_ARGS__), STN_E4M3_ROW_8(16, __VA_ARGS__),    \
     STN_E4M3_ROW_8(24, __VA_ARGS__), STN_E4M3_ROW_8(32, __VA_ARGS__), STN_E4M3_ROW_8(40, __VA_ARGS__),     \
     STN_E4M3_ROW_8(48, __VA_ARGS__), STN_E4M3_ROW_8(56, __VA_ARGS__), STN_E4M3_ROW_8(64, __VA_ARGS__),     \
     STN_E4M3_ROW_8(72, __VA_ARGS__), STN_E4M3_ROW_8(80, __VA_ARGS__), STN_E4M3_ROW_8(88, __VA_ARGS__),     \
     STN_E4M3_ROW_8(96, __VA_ARGS__), STN_E4M3_ROW_8(104, __VA_ARGS__), STN_E4M3_ROW_8(112, __VA_ARGS__),   \
     STN_E4M3_ROW_7(120, __VA_ARGS__), nan}
/* clang-format on */

/* Initializers of uint16_t[128]. */
#define STN_E4M3_TABLE_F64 STN_E4M3_ROW_128(0x7ff8, 4, 1014)
#define STN_E4M3_TABLE_F32 STN_E4M3_ROW_128(0x7fc0, 7, 118)

#endif
