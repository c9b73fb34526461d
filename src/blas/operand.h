/* Operands: views whose checks are made and whose codec is chosen, read and written by runs. */
#ifndef STENO_BLAS_OPERAND_H
#define STENO_BLAS_OPERAND_H

#include "sum/codes.h"

typedef struct stn_operand {
    stn_reader reader;
    int64_t count, stride; /* of the last dimension, positions of the reader */
    int plain_run; /* contiguous, of a built-in format, known to the fused loops, and here */
    int values;    /* plain_run of the arithmetic type itself, without scale */
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

/* A vector in the arithmetic type, as the other operand of sums of products. It stays where it is.
 */
typedef struct stn_vector {
    const void *values;
    void *owned;                                /* what stn_free gives back, or NULL */
    int factored;                               /* the factor is in the values */
    _Alignas(64) double few[STN_TILE_ELEMENTS]; /* up to a tile needs no memory of its own */
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

/* Checks every operation makes of each view. */
stn_status stn_operand_expect(const char *call, const stn_exec *exec, const stn_view *view,
                              int rank);

#endif
