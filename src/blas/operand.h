/* Operands: checked views with a selected codec, accessed by runs. */
#ifndef STENO_BLAS_OPERAND_H
#define STENO_BLAS_OPERAND_H

#include "order/codes.h"
#include "view/plain.h"

typedef struct stn_operand {
    stn_reader reader;
    int64_t count, stride; /* of the last dimension, positions of the reader */
    int plain_run;         /* contiguous, of a built-in format, with fused loops, and accessible */
    int values;            /* plain_run of the arithmetic type without scale */
} stn_operand;

/* Quickly decides whether the executor can use the view directly: codes of a built-in format
 * without scales, contiguous along this dimension, and read in f64 or f32. 0 does not mean that it
 * cannot. */
static inline int stn_operand_is_plain(const stn_exec *exec, stn_format arithmetic,
                                       const stn_view *view, int rank, int along)
{
    return stn_exec_is_ready(exec) && (arithmetic == STN_F64 || arithmetic == STN_F32) &&
           stn_view_is_at_hand(view) && view->rank == rank && view->stride[along] == 1;
}

/* The same for a vector of values of any arithmetic type, at any stride. */
static inline int stn_operand_is_of_values(const stn_exec *exec, stn_format arithmetic,
                                           const stn_view *view)
{
    return stn_exec_is_ready(exec) && stn_view_is_at_hand(view) && view->rank == 1 &&
           view->storage.format == arithmetic;
}

/* For a plain vector y and any plain x with elements: quickly decides whether y may be written and
 * is disjoint from the memory that x spans. 0 does not mean that it is not. */
static inline int stn_operand_is_disjoint(const stn_view *y, const stn_view *x)
{
    return !stn_view_is_read_only(y) &&
           !stn_memory_is_shared(stn_view_memory(y), stn_view_memory(x));
}

/* STN_ERR_UNSUPPORTED unless arithmetic is f64 or f32 and compatible with the view's format. On
 * the reference executor, everything uses the scalar codec. */
stn_status stn_operand_init(const char *call, const stn_exec *exec, stn_format arithmetic,
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

/* A vector in the arithmetic type, as the other operand of sums of products, in place if
 * possible. */
typedef struct stn_vector {
    const void *values;
    void *owned;                                /* buffer to free, or NULL */
    int factored;                               /* the values include the factor */
    _Alignas(64) double few[STN_TILE_ELEMENTS]; /* up to a tile needs no buffer */
} stn_vector;

/* The elements of a rank-1 operand times `factor`, if that is exact for all of them; else
 * without it. `what` is the copy's name in the message of STN_ERR_MEMORY. */
stn_status stn_vector_init(const stn_operand *operand, double factor, const char *what,
                           stn_vector *vector);

/* Values become alpha * sums + beta * value, with product and sum rounded to the arithmetic
 * type, f64 or f32, of the sums; no multiplication if alpha is 1, and values are not read if
 * beta is 0. */
void stn_update_values(void *values, stn_format arithmetic, int64_t count, double alpha,
                       const double *sums, double beta);

/* The same for elements first, ... of a vector, up to STN_TILE_ELEMENTS. */
void stn_operand_update(const stn_operand *operand, stn_format arithmetic, int64_t first,
                        int64_t count, double alpha, const double *sums, double beta);

/* The checks of each view in every operation: stn_view_expect and
 * stn_view_expect_usable. */
stn_status stn_operand_expect_argument(const char *call, const char *argument, const stn_exec *exec,
                                       const stn_view *view, int rank);
#define stn_operand_expect(call, exec, view, rank)                                                 \
    stn_operand_expect_argument(call, #view, exec, view, rank)

/* STN_ERR_SHAPE unless y = A x matches in extents; all have been checked. */
stn_status stn_operand_expect_product(const char *call, const stn_view *a, const stn_view *x,
                                      const stn_view *y);

#endif
