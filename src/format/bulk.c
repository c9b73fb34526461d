/* Public functions that decode and encode runs, with their checks. */
#include "core/modes.h"
#include "core/nontemporal.h"
#include "core/tune.h"
#include "core/status.h"
#include "format/block.h"
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

/* Bytes of the blocks of `count` elements. They are not accessed at strides. */
static stn_status span_of_blocks(const char *call, const stn_block_format *block, const void *codes,
                                 int64_t stride, int64_t count, span *result)
{
    const int64_t bytes = block->code_bytes + block->scale_bytes;
    if (stride != 1)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: stride is %lld; for block formats it must be 1",
                        call, (long long)stride);
    return span_of(call, codes, bytes, 1, (count - 1) / block->elements + 1, result);
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
    span wide, narrow = {0, 0};
    STN_TRY(span_of(call, values, stn_arithmetic_bytes(arithmetic), 1, count, &wide));
    STN_TRY(run->entry->block
                ? span_of_blocks(call, run->entry->block, codes, stride, count, &narrow)
                : span_of(call, codes, run->bytes, stride, count, &narrow));
    if (wide.begin < narrow.end && narrow.begin < wide.end)
        return stn_fail(STN_ERR_ALIAS, "%s: values and codes overlap", call);
    return STN_OK;
}

/* ---- blocks, through f64 ---- */

static void decode_blocks(const stn_run *run, char *values, const void *codes, int64_t count)
{
    const stn_block_format *const block = run->entry->block;
    const stn_blocks blocks = stn_blocks_inline(block, (void *)(uintptr_t)codes);
    const int64_t bytes = stn_arithmetic_bytes(run->arithmetic);
    double decoded[STN_BLOCK_MOST_ELEMENTS];
    for (int64_t k = 0; k < count; k += block->elements) {
        const int64_t left = count - k, elements = left < block->elements ? left : block->elements;
        block->decode(block, decoded, stn_blocks_from(blocks, k / block->elements), 1);
        stn_run_decode(run, values + k * bytes, decoded, 1, elements);
    }
}

static void encode_blocks(const stn_run *run, void *codes, const char *values, int64_t count)
{
    const stn_block_format *const block = run->entry->block;
    const stn_blocks blocks = stn_blocks_inline(block, codes);
    const int64_t bytes = stn_arithmetic_bytes(run->arithmetic);
    double encoded[STN_BLOCK_MOST_ELEMENTS] = {0};
    for (int64_t k = 0; k < count; k += block->elements) {
        const int64_t left = count - k, elements = left < block->elements ? left : block->elements;
        stn_run_encode(run, values + k * bytes, encoded, 1, 0, elements);
        for (int64_t j = elements; j < block->elements; j++)
            encoded[j] = 0.0;
        block->encode(block, stn_blocks_from(blocks, k / block->elements), encoded, 1);
    }
}

/* ---- the public functions ---- */

stn_status stn_decode(stn_format arithmetic, void *values, const stn_storage *storage,
                      const void *codes, int64_t stride, int64_t count)
{
    stn_run run;
    STN_TRY(check_run("stn_decode", arithmetic, values, storage, codes, stride, count, &run));
    if (count == 0)
        return STN_OK;
    const stn_modes modes = stn_modes_enter();
    if (run.entry->block)
        decode_blocks(&run, values, codes, count);
    else
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
    if (run.entry->block) {
        encode_blocks(&run, codes, values, count);
    } else if (stride == 1 && stn_passes_caches(count * run.bytes)) {
        stn_run_encode_nontemporal(&run, values, codes, first, count);
        stn_nontemporal_fence();
    } else {
        stn_run_encode(&run, values, codes, stride, first, count);
    }
    stn_modes_leave(modes);
    return STN_OK;
}
