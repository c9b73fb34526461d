/* Operands: views whose checks are made and whose codec is chosen, read and written by runs. */
#ifndef STENO_BLAS_OPERAND_H
#define STENO_BLAS_OPERAND_H

#include "blas/fused.h"
#include "exec/exec.h"
#include "view/reader.h"

typedef struct stn_operand {
    stn_reader reader;
    int64_t count, stride; /* of the last dimension, positions of the reader */
    int plain_run;         /* contiguous, of a built-in format, known to the fused loops */
    int values;            /* plain_run of the arithmetic type itself, without scale */
} stn_operand;

/* STN_ERR_UNSUPPORTED unless arithmetic is f64 or f32 and goes with the view's format. On the
 * reference executor everything goes through the scalar codec. */
stn_status stn_operand_make(const char *call, const stn_exec *exec, stn_format arithmetic,
                            const stn_view *view, stn_operand *operand);

static inline void stn_operand_read(const stn_operand *operand, int64_t k, int64_t count,
                                    void *values)
{
    stn_read(&operand->reader, values, k * operand->stride, operand->stride, count);
}

static inline void stn_operand_write(const stn_operand *operand, int64_t k, int64_t count,
                                     const void *values)
{
    stn_write(&operand->reader, values, k * operand->stride, operand->stride, k, count);
}

/* The power of two that may be taken out of sums of products with this reader's values, because it
 * changes no bit of them: its scale, when nothing can overflow or become subnormal for it. 1 when
 * there is nothing to take out; 0 when it must stay in, and for formats whose own values may
 * overflow in a product. */
double stn_reader_free_scale(const stn_reader *reader);

/* The scale and zero point of a run whose free scale has been taken out. */
static inline stn_affine stn_affine_plain(void)
{
    return (stn_affine){.scale = 1.0, .inverse = 1.0, .plain = 1};
}

/* A vector in the arithmetic type, as the other operand of sums of products. */
typedef struct stn_vector {
    const void *values;
    void *owned;  /* what stn_free gives back; NULL when `values` is the caller's */
    int factored; /* the factor is in the values */
} stn_vector;

/* The elements of a rank-1 operand times `factor`, if that is exact for every one of them; else
 * without. `what` names the copy in the message of STN_ERR_MEMORY. */
stn_status stn_vector_make(const stn_operand *operand, double factor, const char *what,
                           stn_vector *vector);

/* Elements first, ... of a vector become alpha * sums + beta * element, product and sum rounded
 * each to the arithmetic type, f64 or f32, which the sums are values of; alpha 1 multiplies
 * nothing, beta 0 reads nothing. `count` is at most STN_TILE_ELEMENTS. */
void stn_operand_update(const stn_operand *operand, stn_format arithmetic, int64_t first,
                        int64_t count, double alpha, const double *sums, double beta);

/* A tile of decoded values. */
typedef union stn_tile_values {
    double f64[STN_TILE_ELEMENTS];
    float f32[STN_TILE_ELEMENTS];
} stn_tile_values;

/* The sum of x * y over the first `count` values of a tile. What lies behind them is overwritten:
 * it multiplies to -0, which no sum notices. */
double stn_tile_dot(const stn_fused *values, stn_format arithmetic, stn_tile_values *x,
                    stn_tile_values *y, int64_t count);

/* The loops over values on this executor. */
const stn_fused *stn_exec_values(const stn_exec *exec, stn_format arithmetic);

/* Checks every operation makes of its executor, and of each view. */
stn_status stn_exec_expect(const char *call, const stn_exec *exec);
stn_status stn_operand_expect(const char *call, const stn_exec *exec, const stn_view *view,
                              int rank);

#endif
