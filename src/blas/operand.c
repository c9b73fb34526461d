/* Operands from views. */
#include "blas/operand.h"

#include "core/memory.h"
#include "core/status.h"
#include "view/number.h"

stn_status stn_operand_init(const char *call, const stn_exec *exec, stn_format arithmetic,
                            const stn_view *view, stn_operand *operand)
{
    if (arithmetic != STN_F64 && arithmetic != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: arithmetic is %s; it must be f64 or f32", call,
                        stn_format_text(arithmetic));
    operand->stride = operand->count = 1;
    operand->plain_run = operand->values = 0;
    STN_TRY(stn_reader_init(&operand->reader, call, exec, arithmetic, view));
    const stn_run *run = &operand->reader.run;
    if (view->rank > 0) {
        operand->count = view->extent[view->rank - 1];
        operand->stride = operand->reader.steps[view->rank - 1];
    }
    if (!stn_exec_has_loops(exec))
        return STN_OK;
    operand->plain_run = operand->reader.plain && operand->stride == 1 && run->codec != NULL;
    operand->values = operand->plain_run && view->storage.format == arithmetic &&
                      run->affine.plain && !run->portable;
    return STN_OK;
}

/* Multiplies every value by a power of two; 0 if a value would lose bits. */
#define DEFINE_MULTIPLY(T, type)                                                                   \
    static int multiply_##T(type *values, int64_t count, type factor)                              \
    {                                                                                              \
        int exact = 1;                                                                             \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const type product = values[k] * factor;                                               \
            exact &= product / factor == values[k] || values[k] != values[k];                      \
            values[k] = product;                                                                   \
        }                                                                                          \
        return exact;                                                                              \
    }
DEFINE_MULTIPLY(f64, double)
DEFINE_MULTIPLY(f32, float)

static int multiply(stn_format arithmetic, void *values, int64_t count, double factor)
{
    return arithmetic == STN_F64 ? multiply_f64(values, count, factor)
                                 : multiply_f32(values, count, (float)factor);
}

stn_status stn_vector_init(const stn_operand *operand, double factor, const char *what,
                           stn_vector *vector)
{
    const stn_format arithmetic = operand->reader.run.arithmetic;
    const int multiplies = factor != 1.0 && factor != 0.0;
    void *values = vector->few;
    vector->values = stn_reader_at(&operand->reader, 0);
    vector->owned = NULL;
    vector->factored = factor == 1.0;
    if (operand->values && !multiplies)
        return STN_OK;
    if (operand->count > STN_TILE_ELEMENTS) {
        STN_TRY(stn_allocate(&vector->owned, operand->count,
                             (size_t)stn_arithmetic_bytes(arithmetic), what));
        values = vector->owned;
    }
    stn_operand_read(operand, 0, operand->count, values);
    if (multiplies) {
        vector->factored = multiply(arithmetic, values, operand->count, factor);
        if (!vector->factored)
            stn_operand_read(operand, 0, operand->count, values);
    }
    vector->values = values;
    return STN_OK;
}

#define DEFINE_UPDATE(T, type)                                                                     \
    static void update_##T(type *values, int64_t count, type alpha, const double *sums, type beta) \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const type product = alpha == 1 ? (type)sums[k] : alpha * (type)sums[k];               \
            values[k] = beta == 0 ? product : product + beta * values[k];                          \
        }                                                                                          \
    }
DEFINE_UPDATE(f64, double)
DEFINE_UPDATE(f32, float)

void stn_update_values(void *values, stn_format arithmetic, int64_t count, double alpha,
                       const double *sums, double beta)
{
    if (arithmetic == STN_F64)
        update_f64(values, count, alpha, sums, beta);
    else
        update_f32(values, count, (float)alpha, sums, (float)beta);
}

void stn_operand_update(const stn_operand *operand, stn_format arithmetic, int64_t first,
                        int64_t count, double alpha, const double *sums, double beta)
{
    double values[STN_TILE_ELEMENTS];
    const int reads = arithmetic == STN_F64 ? beta != 0 : (float)beta != 0;
    if (reads)
        stn_operand_read(operand, first, count, values);
    stn_update_values(values, arithmetic, count, alpha, sums, beta);
    stn_operand_write(operand, first, count, values);
}

stn_status stn_operand_expect_argument(const char *call, const char *argument, const stn_exec *exec,
                                       const stn_view *view, int rank)
{
    STN_TRY(stn_view_expect_argument(call, argument, view, rank));
    return stn_view_expect_usable(call, exec, view);
}

stn_status stn_operand_expect_product(const char *call, const stn_view *a, const stn_view *x,
                                      const stn_view *y)
{
    const int is_x = x->extent[0] != a->extent[1];
    if (!is_x && y->extent[0] == a->extent[0])
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "%s: %s must have %lld elements, one per %s of %s", call,
                    stn_view_text(is_x ? x : y), (long long)a->extent[is_x],
                    is_x ? "column" : "row", stn_view_text(a));
}
