/* Operands from views. */
#include "blas/operand.h"

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"

stn_status stn_operand_make(const stn_exec *exec, stn_format arithmetic, const stn_view *view,
                            stn_operand *operand)
{
    if (arithmetic != STN_F64 && arithmetic != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: arithmetic f64 or f32 only",
                        stn_view_words(view));
    *operand = (stn_operand){.data = view->data, .stride = 1, .count = 1};
    STN_TRY(stn_run_make(&operand->run, arithmetic, &view->storage));
    if (view->rank > 0) {
        operand->count = view->extent[view->rank - 1];
        operand->stride = view->stride[view->rank - 1];
    }
    if (exec->kind == STN_EXEC_REFERENCE) {
        stn_run_use_scalar(&operand->run);
        return STN_OK;
    }
    operand->plain_run = operand->stride == 1 && operand->run.codec != NULL;
    operand->values = operand->plain_run && view->storage.format == arithmetic &&
                      operand->run.affine.plain && !operand->run.portable;
    return STN_OK;
}

stn_status stn_operand_values(const stn_operand *operand, stn_format arithmetic, const char *what,
                              const void **values, void **owned)
{
    *owned = NULL;
    *values = operand->data;
    if (operand->values)
        return STN_OK;
    STN_TRY(stn_allocate(owned, operand->count, (size_t)stn_arithmetic_bytes(arithmetic), what));
    const stn_modes modes = stn_modes_enter();
    stn_operand_read(operand, 0, operand->count, *owned);
    stn_modes_leave(modes);
    *values = *owned;
    return STN_OK;
}

static void update_f64(const stn_operand *operand, int64_t first, int64_t count, double alpha,
                       const double *sums, double beta)
{
    double values[STN_TILE];
    if (beta != 0.0)
        stn_operand_read(operand, first, count, values);
    for (int64_t k = 0; k < count; k++) {
        const double product = alpha == 1.0 ? sums[k] : alpha * sums[k];
        values[k] = beta == 0.0 ? product : product + beta * values[k];
    }
    stn_operand_write(operand, first, count, values);
}

static void update_f32(const stn_operand *operand, int64_t first, int64_t count, float alpha,
                       const double *sums, float beta)
{
    float values[STN_TILE];
    if (beta != 0.0f)
        stn_operand_read(operand, first, count, values);
    for (int64_t k = 0; k < count; k++) {
        const float sum = (float)sums[k];
        const float product = alpha == 1.0f ? sum : alpha * sum;
        values[k] = beta == 0.0f ? product : product + beta * values[k];
    }
    stn_operand_write(operand, first, count, values);
}

void stn_operand_update(const stn_operand *operand, stn_format arithmetic, int64_t first,
                        int64_t count, double alpha, const double *sums, double beta)
{
    if (arithmetic == STN_F64)
        update_f64(operand, first, count, alpha, sums, beta);
    else
        update_f32(operand, first, count, (float)alpha, sums, (float)beta);
}

const stn_fused *stn_exec_values(const stn_exec *exec, stn_format arithmetic)
{
    return exec->kind == STN_EXEC_REFERENCE ? stn_fused_portable() : stn_fused_values(arithmetic);
}

stn_status stn_exec_expect(const char *call, const stn_exec *exec)
{
    return exec ? STN_OK : stn_fail(STN_ERR_ARGUMENT, "%s: exec is NULL", call);
}

stn_status stn_view_writable(const char *call, const stn_view *view)
{
    return view->read_only
               ? stn_fail(STN_ERR_ARGUMENT, "%s: %s is read-only", call, stn_view_words(view))
               : STN_OK;
}
