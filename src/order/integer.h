/* Products of rows of integer codes and a vector of integer codes. They are exact in f64 for
 * STN_EXACT_TILES tiles, so integers can be summed in any order. Included after order/exact.h and
 * the loops.
 *
 * If the processor has instructions for dot products of bytes (VNNI, AVX-VNNI, Arm's dotprod), they
 * are used. Those of x86 multiply unsigned bytes by signed ones: x is used unchanged, the codes
 * have their highest bit flipped, and DOT_OFFSET times the sum of x is subtracted from the result.
 */
#ifndef STENO_ORDER_INTEGER_H
#define STENO_ORDER_INTEGER_H

#include "core/cpu.h"

#ifdef INTEGER_ROWS

#    define STN_INTEGER static __attribute__((unused))
#    ifdef __x86_64__
enum { INTEGER_SIDE = 4, DOT_OFFSET = 128 };
#    else
enum { INTEGER_SIDE = 4, DOT_OFFSET = 0 };
#    endif

/* Are all values codes? -0 is not, because its products have another sign. */
STN_INTEGER int convert_to_integers(void *codes, const double *x, int64_t count)
{
    code *to = codes;
    for (int64_t first = 0; first < count; first += STN_TILE_ELEMENTS) {
        const int64_t left = count - first;
        int are = 1;
        for (int64_t k = first; k < first + (left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS);
             k++) {
            const int within = x[k] >= (double)LOWEST && x[k] <= (double)HIGHEST;
            const code value = (code)(within ? x[k] : 0.0);
            uint64_t bits;
            memcpy(&bits, &x[k], sizeof bits);
            are &= within & ((double)value == x[k]) & (bits != (uint64_t)1 << 63);
            to[k] = value;
        }
        if (!are)
            return 0;
    }
    return 1;
}

/* V_BYTES codes of each row times the same number of x. */
STN_FN void add_bytes(vb *sums, const char *codes, int64_t row_bytes, int rows, const code *x,
                      int by_dots)
{
    if (by_dots) {
        const vb shared = v_load_b(x);
        STN_UNROLL(4)
        for (int r = 0; r < rows; r++)
            sums[r] = v_dots_b(sums[r], v_load_b(codes + r * row_bytes), shared, IS_SIGNED);
        return;
    }
    STN_UNROLL(2)
    for (int half = 0; half < V_BYTES; half += V_BYTES / 2) {
        const vb shared = IS_SIGNED ? v_load_i8_i16(x + half) : v_load_u8_i16(x + half);
        STN_UNROLL(4)
        for (int r = 0; r < rows; r++) {
            const char *const row = codes + r * row_bytes + half;
            sums[r] = v_add_i32(
                sums[r], v_pairs_i16(IS_SIGNED ? v_load_i8_i16(row) : v_load_u8_i16(row), shared));
        }
    }
}

STN_FN void sum_bytes(int64_t *totals, const char *codes, int64_t row_bytes, int rows,
                      const code *x, int64_t count, int by_dots)
{
    const int64_t rest = count % V_BYTES, full = count - rest;
    vb sums[INTEGER_SIDE];
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++)
        sums[r] = v_zero_b();
    for (int64_t e = 0; e < full; e += V_BYTES) {
        STN_UNROLL(4)
        for (int r = 0; r < rows; r++)
            fetch((const code *)(codes + r * row_bytes) + e, V_BYTES);
        add_bytes(sums, codes + e, row_bytes, rows, x + e, by_dots);
    }
    if (rest > 0) {
        code some_x[V_BYTES] = {0}, some[INTEGER_SIDE * V_BYTES] = {0};
        memcpy(some_x, x + full, (size_t)rest);
        for (int r = 0; r < rows; r++)
            memcpy(some + r * V_BYTES, codes + r * row_bytes + full, (size_t)rest);
        add_bytes(sums, (const char *)some, V_BYTES, rows, some_x, by_dots);
    }
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++)
        totals[r] = v_total_i32(sums[r]);
}

STN_FN void rows_of_bytes(int64_t *totals, const char *codes, int64_t row_bytes, int64_t rows,
                          const code *x, int64_t count, int by_dots)
{
    int64_t r = 0;
    for (; r + INTEGER_SIDE <= rows; r += INTEGER_SIDE)
        sum_bytes(totals + r, codes + r * row_bytes, row_bytes, INTEGER_SIDE, x, count, by_dots);
    for (; r < rows; r++)
        sum_bytes(totals + r, codes + r * row_bytes, row_bytes, 1, x, count, by_dots);
}

/* A sum of 0 may have to be -0. */
STN_FN double integer_sum(int64_t total, const void *row, const void *x, int64_t count)
{
    const stn_affine none = stn_affine_plain();
    return IS_SIGNED && total == 0 ? dot_f64(row, &none, x, &none, count) : (double)total;
}

/* `rows` is at most STN_TILE_ELEMENTS. */
STN_INTEGER void integer_rows_8(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                                const void *x, int64_t count)
{
    int64_t totals[STN_TILE_ELEMENTS], offset = 0;
    const code *values = x;
    const int by_dots = stn_isa_dots();
    for (int64_t k = 0; by_dots && DOT_OFFSET > 0 && k < count; k++)
        offset += values[k];
    offset *= IS_SIGNED ? -DOT_OFFSET : DOT_OFFSET;
    if (by_dots)
        rows_of_bytes(totals, codes, row_bytes, rows, x, count, 1);
    else
        rows_of_bytes(totals, codes, row_bytes, rows, x, count, 0);
    for (int64_t r = 0; r < rows; r++)
        sums[r] = integer_sum(totals[r] + offset, (const char *)codes + r * row_bytes, x, count);
}

STN_INTEGER void integer_rows_16(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                                 const void *x, int64_t count)
{
    const int64_t full = count / STN_TILE_ELEMENTS * STN_TILE_ELEMENTS;
    for (int64_t r = 0; r < rows; r++) {
        const code *const row = (const code *)(const void *)((const char *)codes + r * row_bytes);
        int64_t rest = 0;
        for (int64_t k = full; k < count; k++)
            rest += (int64_t)row[k] * ((const code *)x)[k];
        const double sum = EXACT_DOT(row, x, full / STN_TILE_ELEMENTS) + (double)rest;
        sums[r] = integer_sum((int64_t)sum, row, x, count);
    }
}

#else
#    define INTEGER_ROWS        NULL
#    define convert_to_integers NULL
#endif

#endif
