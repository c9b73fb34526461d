/* Bytes at distinct addresses: unions of intervals, one per base and index register. */
#include "contract/flow/distinct.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* On GPUs, several registers share a value number. */
static stn_code_location position(const stn_access *access, int32_t instruction, int is_gpu)
{
    stn_code_location result = {.base = is_gpu ? access->base : 0,
                                .base_value = access->base_value,
                                .index = is_gpu ? access->index : 0,
                                .index_value = access->index_value,
                                .scale = access->scale,
                                .from = access->moved,
                                .origins = access->origins,
                                .instruction = instruction};
    result.to = (int64_t)((uint64_t)access->moved + (uint64_t)access->bits / 8);
    if (result.origins == 0)
        result.origins = ~UINT64_C(0);
    return result;
}

#define ORDER(field)                                                                               \
    if (a->field != b->field)                                                                      \
    return a->field < b->field ? -1 : 1

static int compare(const void *one, const void *other)
{
    const stn_code_location *a = one, *b = other;
    ORDER(writes);
    ORDER(base);
    ORDER(base_value);
    ORDER(index);
    ORDER(index_value);
    ORDER(scale);
    ORDER(from);
    ORDER(to);
    return 0;
}

int stn_code_location_is_contiguous(const stn_code_location *a, const stn_code_location *b)
{
    return a->writes == b->writes && a->base == b->base && a->base_value == b->base_value &&
           a->index == b->index && a->index_value == b->index_value && a->scale == b->scale;
}

typedef struct collector {
    stn_code_location *locations;
    int32_t count;
    stn_code_counts *counts;
    int32_t overlap[2]; /* for reads and writes: an instruction; -1: none */
} collector;

static void note_overlap(collector *job, int writes, int32_t instruction)
{
    if (job->overlap[writes] < 0 || instruction < job->overlap[writes])
        job->overlap[writes] = instruction;
}

static void collect_access(collector *job, const stn_access *access, int32_t instruction,
                           int is_gpu)
{
    if (access->space != STN_SPACE_MEMORY || access->bits == 0)
        return;
    if (access->lanes > 1) { /* gather: the addresses are unknown */
        note_overlap(job, access->writes != 0, instruction);
        const int64_t bytes = (int64_t)access->bits / 8 * access->lanes;
        job->counts->distinct_read += access->reads ? bytes : 0;
        job->counts->distinct_written += access->writes ? bytes : 0;
        return;
    }
    stn_code_location found = position(access, instruction, is_gpu);
    for (int writes = 0; writes < 2; writes++) {
        found.writes = writes;
        if (writes ? access->writes : access->reads)
            job->locations[job->count++] = found;
    }
}

static void collect_instruction(collector *job, const stn_code *code, int32_t loop, int32_t i)
{
    const stn_machine_instruction *at = &code->instructions[i];
    const int counts = loop < 0 || code->loop_of[i] == loop;
    for (int k = 0; k < at->accesses && counts; k++)
        collect_access(job, &at->access[k], i, code->machine == STN_MACHINE_NVIDIA);
}

static void unite(collector *job)
{
    int64_t reached = 0;
    for (int32_t k = 0; k < job->count; k++) {
        const stn_code_location *at = &job->locations[k];
        const int continues = k > 0 && stn_code_location_is_contiguous(at, at - 1);
        const int64_t from = continues && at->from < reached ? reached : at->from;
        if (at->to > from)
            *(at->writes ? &job->counts->distinct_written : &job->counts->distinct_read) +=
                at->to - from;
        reached = continues && reached > at->to ? reached : at->to;
    }
}

/* Origins of all places other than the consecutive ones from `from` to before `end`. */
static uint64_t other_origins(const collector *job, int32_t from, int32_t *end)
{
    uint64_t origins = 0;
    int32_t k = from;
    for (; k < job->count &&
           stn_code_location_is_contiguous(&job->locations[k], &job->locations[from]);
         k++)
        origins |= job->locations[k].origins;
    *end = k;
    return origins;
}

static void find_overlaps(collector *job)
{
    uint64_t seen[2] = {0, 0};
    int32_t end;
    for (int32_t k = 0; k < job->count; k = end) {
        const int writes = job->locations[k].writes != 0;
        const uint64_t origins = other_origins(job, k, &end);
        if (seen[writes] & origins)
            note_overlap(job, writes, job->locations[k].instruction);
        seen[writes] |= origins;
    }
}

static int64_t most_places(const stn_code *code, const stn_loop *range)
{
    int64_t maximum = 0;
    for (int32_t i = range->first; i <= range->last; i++)
        maximum += 2 * code->instructions[i].accesses;
    return maximum;
}

/* The sorted accesses of a loop; gathers, whose addresses are unknown, are only added to the
 * counts. */
static stn_status collect(const stn_code *code, int32_t loop, collector *job)
{
    const stn_loop whole = {.last = code->count - 1};
    const stn_loop *range = loop < 0 ? &whole : &code->loops[loop];
    STN_TRY(stn_allocate(&job->locations, most_places(code, range), sizeof *job->locations,
                         "memory accesses"));
    for (int32_t k = 0; k <= range->last - range->first; k++)
        collect_instruction(job, code, loop, stn_loop_at(range, k));
    if (job->count > 0)
        qsort(job->locations, (size_t)job->count, sizeof *job->locations, compare);
    return STN_OK;
}

static stn_status begin(const stn_code *code, int32_t loop, stn_code_counts *counts,
                        collector **job)
{
    counts->distinct_read = counts->distinct_written = 0;
    STN_TRY(stn_allocate(job, 1, sizeof **job, "registers"));
    memset(*job, 0, sizeof **job);
    (*job)->counts = counts;
    (*job)->overlap[0] = (*job)->overlap[1] = -1;
    return collect(code, loop, *job);
}

static void end(collector *job)
{
    if (job)
        stn_free(job->locations);
    stn_free(job);
}

stn_status stn_code_distinct(const stn_code *code, int32_t loop, stn_code_counts *counts)
{
    collector *job = NULL;
    const stn_status status = begin(code, loop, counts, &job);
    if (status == STN_OK) {
        unite(job);
        find_overlaps(job);
        counts->read_overlaps = job->overlap[0] >= 0;
        counts->write_overlaps = job->overlap[1] >= 0;
    }
    end(job);
    return status;
}

stn_status stn_code_overlap(const stn_code *code, int32_t loop, int writes, int32_t *instruction)
{
    stn_code_counts ignored = STN_CODE_COUNTS_INIT;
    collector *job = NULL;
    const stn_status status = begin(code, loop, &ignored, &job);
    if (status == STN_OK) {
        find_overlaps(job);
        *instruction = job->overlap[writes];
    }
    end(job);
    return status;
}

stn_status stn_code_locations(const stn_code *code, stn_code_location **locations, int32_t *count)
{
    stn_code_counts ignored = STN_CODE_COUNTS_INIT;
    collector *job = NULL;
    *locations = NULL;
    const stn_status status = begin(code, STN_LOOP_NONE, &ignored, &job);
    if (job) {
        *locations = job->locations;
        *count = job->count;
    }
    stn_free(job);
    return status;
}
