/* Handles of preconditioners, whatever their kind. */
#include "precondition/preconditioner.h"

#include <string.h>

#include "core/grow.h"
#include "core/memory.h"

stn_status stn_preconditioner_begin(const char *call, stn_preconditioner **result, size_t bytes,
                                    void *allocated)
{
    void *memory;
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the address of the new preconditioner is NULL",
                        call);
    *result = NULL;
    const stn_status status = stn_allocate(&memory, 1, bytes, "a preconditioner");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    memset(memory, 0, bytes);
    memcpy(allocated, &memory, sizeof memory);
    return STN_OK;
}

stn_status stn_preconditioner_end(stn_preconditioner **result, stn_preconditioner *m,
                                  stn_status status)
{
    if (status == STN_OK)
        *result = m;
    else
        stn_preconditioner_release(m);
    return status;
}

void stn_preconditioner_release(stn_preconditioner *m)
{
    if (!m)
        return;
    m->clear(m);
    stn_free(m);
}

stn_status stn_preconditioner_describe(const stn_preconditioner *m, stn_preconditioner_info *info)
{
    static const char call[] = "stn_preconditioner_describe";
    if (!m)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the preconditioner is NULL", call);
    const stn_status status =
        STN_STRUCT_CHECK(info, stn_preconditioner_info, format_blocks, "info");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    STN_STRUCT_WRITE(info, &m->info, stn_preconditioner_info);
    return STN_OK;
}

stn_status stn_operator_of_preconditioner(stn_operator *result, const stn_preconditioner *m)
{
    static const char call[] = "stn_operator_of_preconditioner";
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "%s: made is NULL", call);
    *result = (stn_operator){0};
    if (!m)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the preconditioner is NULL", call);
    return stn_operator_create(result, m->info.name, m->info.rows, m->apply, (void *)(uintptr_t)m);
}
