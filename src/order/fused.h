/* Fused loops, which process the codes of a format without a buffer of decoded values. */
#ifndef STENO_ORDER_FUSED_H
#define STENO_ORDER_FUSED_H

#include "format/codec.h"

enum {
    STN_EXACT_SCALE = 6,
    STN_EXACT_TILES = 1 << STN_EXACT_SCALE,
    STN_LEAVES = STN_EXACT_TILES + 1 /* and the remainder */
};

/* Sums are values of f64 or f32. The order is that of doc/order.md: element e of a tile belongs
 * to lane e % 32; fma in ascending order, then halves of lanes. */
typedef struct stn_fused {
    /* Of x * y over `count` elements, up to STN_EXACT_TILES tiles; both operands in the
     * format. */
    double (*dot)(const void *x, const stn_affine *x_affine, const void *y,
                  const stn_affine *y_affine, int64_t count);
    double (*squares)(const void *x, const stn_affine *affine, int64_t count); /* of x * x */
    /* The same over `count` elements of each of `rows` rows of codes at a distance of row_bytes,
     * with shared values y of the arithmetic type. */
    void (*rows)(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                 const stn_affine *affine, const void *y, int64_t count);
    /* For each of `columns` columns of codes over up to a tile of `rows` rows at a distance of
     * row_bytes: sums of code * y[row]; sums and y have the arithmetic type. */
    void (*columns)(void *sums, const void *codes, int64_t row_bytes, int64_t rows,
                    const stn_affine *affine, const void *y, int64_t columns);
    /* The same with affine->blocks; NULL for more than 16 bits. Tiles of elements, and of columns,
     * are complete. */
    void (*block_rows)(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                       const stn_affine *affine, const void *y, int64_t count);
    void (*block_columns)(void *sums, const void *codes, int64_t row_bytes, int64_t rows,
                          const stn_affine *affine, const void *y, int64_t columns);
    /* y = alpha * x + y over `count` values y of the arithmetic type; product and sum are
     * rounded. */
    void (*axpy)(void *restrict y, const void *restrict x, const stn_affine *x_affine, double alpha,
                 int64_t count);
    /* The same for codes y in the format of x, both without scale: rounded once more. */
    void (*update)(void *restrict y, const void *restrict x, double alpha, int64_t count);
    /* Of x over `count` elements, up to STN_EXACT_TILES tiles. */
    double (*sum)(const void *x, const stn_affine *affine, int64_t count);
    /* Mean and sum of squared deviations, values of the arithmetic type, of complete tiles, whose
     * number is a power of two up to STN_EXACT_TILES. */
    void (*moments)(double *moments, const void *x, const stn_affine *affine, int64_t tiles);
    /* Of complete tiles without scale, if sums of STN_EXACT_TILES tiles are exact; else
     * NULL. */
    double (*exact_sum)(const void *x, int64_t tiles);
    double (*exact_dot)(const void *x, const void *y, int64_t tiles);
    /* In f64, for 8- and 16-bit integers; else NULL: rows as above, up to a tile of them and
     * STN_EXACT_TILES tiles long, times codes x; and values as codes (0 if impossible). */
    void (*integer_rows)(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                         const void *x, int64_t count);
    int (*convert_to_integers)(void *codes, const double *values, int64_t count);
} stn_fused;

typedef struct stn_fused_pair {
    stn_fused f64, f32;
} stn_fused_pair;

/* The loops of a real built-in format for the instruction set in use; NULL in portable C, for
 * integers of 64 bits, and for f40 and f48 in f32. */
const stn_fused *stn_fused_of(stn_format format, stn_format arithmetic);

/* The same for planes of segmented values, in f64 (format/upper.h). */
const stn_fused *stn_fused_of_planes(stn_format arithmetic);

#endif
