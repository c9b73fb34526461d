/* Executed instructions: the number of executions of each by all warps. */
#include "contract/model/model.h"

#include <inttypes.h>
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"

enum { MAX_BLOCK = 1024, MAX_STRIDE = 1 << 16 };

/* ---- the launch ---- */

static int64_t warps_of(int64_t threads)
{
    return (threads + STN_WARP_THREADS - 1) / STN_WARP_THREADS;
}

stn_gpu_shape stn_launch_shape(const stn_gpu_launch *launch)
{
    const int64_t launched = launch->blocks * launch->threads;
    const int64_t elements = launch->elements < launched ? launch->elements : launched;
    stn_gpu_shape shape = {.full = elements / launch->threads, .rest = elements % launch->threads};
    shape.warps = launch->blocks * warps_of(launch->threads);
    shape.busy = shape.full * warps_of(launch->threads) + warps_of(shape.rest);
    return shape;
}

static stn_status check_launch(const stn_gpu_launch *launch)
{
    if (launch->threads < 1 || launch->threads > MAX_BLOCK || launch->blocks < 1 ||
        launch->blocks > INT32_MAX)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_image_model: %" PRId64 " blocks of %" PRId32
                        " threads are out of range (1 to 2^31 - 1 blocks of 1 to %d threads)",
                        launch->blocks, launch->threads, MAX_BLOCK);
    if (launch->elements < 0 || launch->stride < 0 || launch->stride > MAX_STRIDE ||
        launch->offset < 0 || launch->offset >= STN_SECTOR_BYTES)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_image_model: %" PRId64 " elements at a stride of %" PRId32
                        " bytes, the first at byte %" PRId32 " of a sector, are out of range",
                        launch->elements, launch->stride, launch->offset);
    return STN_OK;
}

/* ---- instructions ---- */

/* A conditional exit, such as a bounds check. */
static int is_check(const stn_machine_instruction *at)
{
    return at->flow == STN_FLOW_BRANCH && at->target == STN_NO_TARGET;
}

static int touches_memory(const stn_machine_instruction *at)
{
    for (int k = 0; k < at->accesses; k++)
        if (at->access[k].space == STN_SPACE_MEMORY || at->access[k].space == STN_SPACE_LOCAL)
            return 1;
    return 0;
}

/* Target of a branch that only skips instructions up to the target, none of which accesses memory
 * or branches elsewhere; 0: not such a branch. */
static int32_t end_of_detour(const stn_code *code, int32_t branch)
{
    const stn_machine_instruction *at = &code->instructions[branch];
    const int32_t to = at->flow == STN_FLOW_BRANCH ? stn_code_at_address(code, at->target) : -1;
    for (int32_t i = branch + 1; i < to; i++)
        if (touches_memory(&code->instructions[i]) || code->instructions[i].flow != STN_FLOW_NEXT ||
            code->instructions[i].operation == STN_OP_UNKNOWN)
            return 0;
    return to > branch ? to : 0;
}

/* The reason why the count of an instruction does not follow from the code, or NULL. */
static const char *obstacle(const stn_code *code, int32_t instruction)
{
    const stn_machine_instruction *at = &code->instructions[instruction];
    if (at->operation == STN_OP_UNKNOWN)
        return "is unknown";
    if (at->flow != STN_FLOW_NEXT && at->flow != STN_FLOW_END && !is_check(at) &&
        !end_of_detour(code, instruction))
        return "jumps to an unsupported target";
    if (touches_memory(at) && code->text[at->text] == '@')
        return "accesses memory conditionally";
    for (int k = 0; k < at->accesses; k++) {
        if (at->access[k].space == STN_SPACE_MEMORY && at->access[k].bits == 0)
            return "moves a number of bytes that it does not contain";
        if (at->access[k].reads && at->access[k].writes)
            return "is atomic";
    }
    return NULL;
}

static stn_status refuse(const stn_code *code, int32_t instruction, const char *reason)
{
    const stn_machine_instruction *at = &code->instructions[instruction];
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "the work of a launch cannot be determined: '%s' at %" PRIx64 " %s",
                    code->text + at->text, at->address, reason);
}

/* The reason why idle threads may deviate from the code before their first check, or NULL. */
static const char *obstacle_of_idle(const stn_machine_instruction *at, int32_t checks)
{
    if (is_check(at) && checks > 0)
        return "is a second bounds check after one at which threads leave";
    if (touches_memory(at) && checks == 0)
        return "accesses memory before threads without an element leave";
    return NULL;
}

stn_status stn_code_executions(const stn_code *code, const stn_gpu_launch *launch, int64_t *times)
{
    const stn_gpu_shape shape = stn_launch_shape(launch);
    int64_t now = shape.warps;
    int32_t checks = 0, i = 0, detour = 0;
    for (; i < code->count; i++) {
        const stn_machine_instruction *at = &code->instructions[i];
        const char *reason = obstacle(code, i);
        if (!reason && shape.busy < shape.warps)
            reason = obstacle_of_idle(at, checks);
        if (reason)
            return refuse(code, i, reason);
        times[i] = i < detour ? STN_UNTOLD : now;
        if (end_of_detour(code, i) > detour)
            detour = end_of_detour(code, i);
        if (is_check(at))
            now = shape.busy;
        checks += is_check(at);
        if (at->flow == STN_FLOW_END)
            break;
    }
    if (i + 1 != code->count)
        return refuse(code, i < code->count ? i : i - 1, "is not the end of the code");
    return STN_OK;
}

static void count_access(const stn_access *access, int64_t times, stn_gpu_counts *counts)
{
    if (access->space == STN_SPACE_MEMORY) {
        counts->global_loads += access->reads ? times : 0;
        counts->global_stores += access->writes ? times : 0;
    } else if (access->space == STN_SPACE_LOCAL) {
        counts->local_loads += access->reads ? times : 0;
        counts->local_stores += access->writes ? times : 0;
    }
}

static stn_status count_executed(const stn_code *code, const stn_gpu_launch *launch,
                                 stn_gpu_counts *counts)
{
    int64_t *times;
    STN_TRY(stn_allocate(&times, code->count, sizeof *times, "instructions"));
    const stn_status status = stn_code_executions(code, launch, times);
    for (int32_t i = 0; status == STN_OK && i < code->count; i++) {
        const stn_machine_instruction *at = &code->instructions[i];
        counts->instructions = times[i] == STN_UNTOLD || counts->instructions == STN_UNTOLD
                                   ? STN_UNTOLD
                                   : counts->instructions + times[i];
        for (int k = 0; k < at->accesses; k++)
            count_access(&at->access[k], times[i], counts);
    }
    stn_free(times);
    return status;
}

/* ---- derived values ---- */

static double ratio(double part, double of)
{
    return of > 0.0 ? part / of : 0.0;
}

static void derive(stn_gpu_counts *c)
{
    c->load_requests = c->global_loads;
    c->store_requests = c->global_stores;
    c->load_sectors_per_request = ratio((double)c->load_sectors, (double)c->load_requests);
    c->store_sectors_per_request = ratio((double)c->store_sectors, (double)c->store_requests);
    c->load_efficiency = ratio((double)c->load_bytes, (double)c->load_sectors * STN_SECTOR_BYTES);
    c->store_efficiency =
        ratio((double)c->store_bytes, (double)c->store_sectors * STN_SECTOR_BYTES);
    c->load_hits = c->load_misses < 0
                       ? -1.0
                       : ratio((double)(c->load_sectors - c->load_misses), (double)c->load_sectors);
}

stn_status stn_image_model(stn_image *image, int32_t function, const stn_gpu_launch *launch,
                           stn_gpu_counts *counts)
{
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    stn_gpu_launch shape;
    STN_TRY(STN_STRUCT_CHECK(counts, stn_gpu_counts, warps, "stn_image_model: counts"));
    STN_TRY(STN_STRUCT_READ(&shape, launch, stn_gpu_launch, threads, "stn_image_model: launch"));
    if (!image)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_model: image is NULL");
    STN_TRY(check_launch(&shape));
    STN_TRY(stn_image_function(image, function, &info));
    const stn_code *code = &image->codes[function];
    if (code->machine != STN_MACHINE_NVIDIA)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %.200s is not a CUDA kernel", image->name,
                        info.name);
    stn_gpu_counts found = STN_INIT(stn_gpu_counts, .warps = stn_launch_shape(&shape).warps);
    STN_TRY(count_executed(code, &shape, &found));
    STN_TRY(stn_code_sectors(code, &shape, &found));
    derive(&found);
    STN_STRUCT_WRITE(counts, &found, stn_gpu_counts);
    return STN_OK;
}
