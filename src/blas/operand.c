/* Operands from views. */
#include "blas/operand.h"

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
        if (operand->run.codec)
            operand->run.codec = &stn_portable_codec_of(operand->run.real)->codec;
        return STN_OK;
    }
    operand->plain_run = operand->stride == 1 && operand->run.codec != NULL;
    operand->values = operand->plain_run && view->storage.format == arithmetic &&
                      operand->run.affine.plain && !operand->run.portable;
    return STN_OK;
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
