/* Public functions that decode and encode runs, with their checks. */
#include "core/modes.h"
#include "core/nontemporal.h"
#include "core/tune.h"
#include "core/status.h"
#include "format/run.h"

/* The bytes from the lowest to the end of the highest element of a strided run. */
typedef struct span {
    uintptr_t begin, end;
} span;

static stn_status span_of(const char *call, const void *codes, int64_t bytes, int64_t stride,
                          int64_t count, span *result)
{
    const uintptr_t start = (uintptr_t)codes;
    *result = (span){start, start};
    int64_t reach;
    if (__builtin_mul_overflow(count - 1, stride, &reach) ||
        __builtin_mul_overflow(reach, bytes, &reach))
        return stn_fail(STN_ERR_RANGE, "%s: %lld elements at stride %lld exceed the address space",
                        call, (long long)count, (long long)stride);
    const uintptr_t last = start + (uintptr_t)reach;
    if (reach >= 0 ? last < start || last + (uintptr_t)bytes < last : last > start)
        return stn_fail(STN_ERR_RANGE, "%s: %lld elements at stride %lld exceed the address space",
                        call, (long long)count, (long long)stride);
    *result = reach >= 0 ? (span){start, last + (uintptr_t)bytes}
                         : (span){last, start + (uintptr_t)bytes};
    return STN_OK;
}

static stn_status check_run(const char *call, stn_format arithmetic, const void *values,
                            const stn_storage *storage, const void *codes, int64_t stride,
                            int64_t count, stn_run *run)
{
    if (!storage)
        return stn_fail(STN_ERR_ARGUMENT, "%s: storage is NULL", call);
    const stn_status made = stn_run_init(run, arithmetic, storage);
    if (made != STN_OK)
        return stn_error_prefix(made, "%s", call);
    if (count < 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: count is %lld; it must be at least 0", call,
                        (long long)count);
    if (count == 0)
        return STN_OK;
    if (!values || !codes)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, values ? "codes" : "values");
    span wide, narrow;
    STN_TRY(span_of(call, values, stn_arithmetic_bytes(arithmetic), 1, count, &wide));
    STN_TRY(span_of(call, codes, run->bytes, stride, count, &narrow));
    if (wide.begin < narrow.end && narrow.begin < wide.end)
        return stn_fail(STN_ERR_ALIAS, "%s: values and codes overlap", call);
    return STN_OK;
}

stn_status stn_decode(stn_format arithmetic, void *values, const stn_storage *storage,
                      const void *codes, int64_t stride, int64_t count)
{
    stn_run run;
    STN_TRY(check_run("stn_decode", arithmetic, values, storage, codes, stride, count, &run));
    if (count == 0)
        return STN_OK;
    const stn_modes modes = stn_modes_enter();
    stn_run_decode(&run, values, codes, stride, count);
    stn_modes_leave(modes);
    return STN_OK;
}

stn_status stn_encode(stn_format arithmetic, const stn_storage *storage, void *codes,
                      int64_t stride, int64_t first, const void *values, int64_t count)
{
    stn_run run;
    if (stride == 0 && count > 1)
        return stn_fail(STN_ERR_ALIAS, "stn_encode: stride 0 stores %lld values in one element",
                        (long long)count);
    STN_TRY(check_run("stn_encode", arithmetic, values, storage, codes, stride, count, &run));
    if (count == 0)
        return STN_OK;
    const stn_modes modes = stn_modes_enter();
    if (stride == 1 && stn_passes_caches(count * run.bytes)) {
        stn_run_encode_nontemporal(&run, values, codes, first, count);
        stn_nontemporal_fence();
    } else {
        stn_run_encode(&run, values, codes, stride, first, count);
    }
    stn_modes_leave(modes);
    return STN_OK;
}
