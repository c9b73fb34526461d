/* Operands: views whose checks are made and whose codec is chosen, read and written by runs. */
#ifndef STENO_BLAS_OPERAND_H
#define STENO_BLAS_OPERAND_H

#include "blas/fused.h"
#include "exec/exec.h"
#include "format/run.h"
#include "view/view.h"

typedef struct stn_operand {
    stn_run run;
    char *data;
    int64_t count, stride; /* of the last dimension, in elements */
    int plain_run;         /* contiguous, of a built-in format, known to the fused loops */
    int values;            /* plain_run of the arithmetic type itself, without scale */
} stn_operand;

/* STN_ERR_UNSUPPORTED unless arithmetic is f64 or f32 and goes with the view's format. On the
 * reference executor everything goes through the scalar codec. */
stn_status stn_operand_make(const stn_exec *exec, stn_format arithmetic, const stn_view *view,
                            stn_operand *operand);

/* The codes of element k of the last dimension. */
static inline void *stn_operand_at(const stn_operand *operand, int64_t k)
{
    return operand->data + k * operand->stride * operand->run.bytes;
}

static inline void stn_operand_read(const stn_operand *operand, int64_t k, int64_t count,
                                    void *values)
{
    stn_run_decode(&operand->run, values, stn_operand_at(operand, k), operand->stride, count);
}

static inline void stn_operand_write(const stn_operand *operand, int64_t k, int64_t count,
                                     const void *values)
{
    stn_run_encode(&operand->run, values, stn_operand_at(operand, k), operand->stride, k, count);
}

/* Point *values at the elements of a vector in the arithmetic type: the vector itself where it is
 * stored so, else a copy that the caller frees through *owned (NULL when there is none). `what`
 * names the copy in the message of STN_ERR_MEMORY. */
stn_status stn_operand_values(const stn_operand *operand, stn_format arithmetic, const char *what,
                              const void **values, void **owned);

/* Elements first, ... of a vector become alpha * sums + beta * element, product and sum rounded
 * each to the arithmetic type, f64 or f32, which the sums are values of; alpha 1 multiplies
 * nothing, beta 0 reads nothing. `count` is at most STN_TILE. */
void stn_operand_update(const stn_operand *operand, stn_format arithmetic, int64_t first,
                        int64_t count, double alpha, const double *sums, double beta);

/* The loops over values on this executor. */
const stn_fused *stn_exec_values(const stn_exec *exec, stn_format arithmetic);

/* Checks every operation makes of its executor. */
stn_status stn_exec_expect(const char *call, const stn_exec *exec);

/* STN_ERR_ARGUMENT when the view may not be written. */
stn_status stn_view_writable(const char *call, const stn_view *view);

#endif
