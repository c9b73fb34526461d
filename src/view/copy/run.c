/* Runs of a copy. */
#include "view/copy/run.h"

#include "core/nontemporal.h"
#include "core/versions.h"

/* bytes of a run that one thread processes at a time */
enum { CHUNK = 32 << 10 };

/* ---- repeated elements ---- */

static int is_one_byte(const char *element, int64_t bytes)
{
    for (int64_t k = 1; k < bytes; k++)
        if (element[k] != element[0])
            return 0;
    return 1;
}

/* Repeats a line full of elements. */
static void repeat_lines(char *to, const char *line, int64_t lines)
{
    for (int64_t k = 0; k < lines; k++)
        stn_copy_nontemporal(to + k * STN_LINE, line, STN_LINE);
}

void stn_copy_repeat(char *to, const char *element, int64_t bytes, int64_t count, int streaming)
{
    _Alignas(64) char line[STN_LINE];
    const int64_t in_line = STN_LINE / bytes;
    if (!streaming && is_one_byte(element, bytes)) {
        memset(to, element[0], (size_t)(count * bytes));
        return;
    }
    const int64_t past = (int64_t)((uintptr_t)to % STN_LINE);
    if (in_line * bytes != STN_LINE || past % bytes != 0 || count < 2 * in_line) {
        stn_move(to, bytes, element, 0, bytes, count);
        return;
    }
    stn_move(line, bytes, element, 0, bytes, in_line);
    const int64_t head = past ? in_line - past / bytes : 0;
    const int64_t lines = (count - head) / in_line;
    memcpy(to, line, (size_t)(head * bytes));
    to += head * bytes;
    if (streaming)
        repeat_lines(to, line, lines);
    else
        stn_move(to, STN_LINE, line, 0, STN_LINE, lines);
    memcpy(to + lines * STN_LINE, line, (size_t)((count - head - lines * in_line) * bytes));
}

/* ---- conversions ---- */

/* Bytes of the values of a batch on the stack: codes of any format then fill whole lines. */
enum { BATCH_BYTES = 15 << 10 };

/* Elements too large for the buffers of codec functions are processed one by one. */
static int64_t batch_of(const stn_conversion *conversion)
{
    return BATCH_BYTES / conversion->value_bytes;
}

/* Stored NaNs are canonical, decoded ones are not. The difference of the bits of infinity and those
 * of the magnitude is negative for NaN. */
#define DEFINE_HAS_NAN(bits, infinity)                                                             \
    STN_VERSIONS static int has_nan_##bits(const char *values, int64_t count)                      \
    {                                                                                              \
        uint##bits##_t any = 0, code;                                                              \
        for (int64_t k = 0; k < count; k++) {                                                      \
            memcpy(&code, values + k * (bits / 8), bits / 8);                                      \
            any |= infinity - (code & (UINT##bits##_MAX >> 1));                                    \
        }                                                                                          \
        return any >> (bits - 1) != 0;                                                             \
    }
DEFINE_HAS_NAN(64, UINT64_C(0x7ff0000000000000))
DEFINE_HAS_NAN(32, UINT32_C(0x7f800000))

static int has_nan(const stn_run *run, const void *values, int64_t count)
{
    return run->arithmetic == STN_F64 ? has_nan_64(values, count * run->parts)
                                      : has_nan_32(values, count * run->parts);
}

/* Returns whether the values of the arithmetic type are the codes of the result, except NaNs. */
static int stores_values(const stn_conversion *conversion, int64_t to_stride)
{
    const stn_run *to = &conversion->to;
    return stn_conversion_keeps(to, to_stride) && to->codec && !to->portable && !conversion->widens;
}

void stn_copy_convert(const stn_conversion *conversion, char *to, int64_t to_step, const char *from,
                      int64_t from_step, int64_t first, int64_t count, int streaming)
{
    _Alignas(64) char values[BATCH_BYTES];
    const int64_t batch = batch_of(conversion);
    const int64_t to_stride = to_step / conversion->to.bytes;
    const int64_t from_stride = from_step / conversion->from.bytes;
    const int as_is = stn_conversion_keeps(&conversion->from, from_stride) && !conversion->widens;
    const int in_place = !as_is && !streaming && stores_values(conversion, to_stride);
    for (int64_t k = 0; k < count; k += batch) {
        const int64_t batch_count = count - k < batch ? count - k : batch;
        char *const result = to + k * to_step;
        const void *decoded = as_is ? from + k * from_step : in_place ? result : values;
        if (!as_is) {
            stn_run_decode(&conversion->from, in_place ? result : values, from + k * from_step,
                           from_stride, batch_count);
            stn_conversion_widen(conversion, values, batch_count);
        }
        if (in_place && !has_nan(&conversion->to, result, batch_count))
            continue;
        if (in_place)
            decoded = memcpy(values, result, (size_t)(batch_count * to_step));
        if (streaming && to_stride == 1)
            stn_run_encode_nontemporal(&conversion->to, decoded, result, first + k, batch_count);
        else
            stn_run_encode(&conversion->to, decoded, result, to_stride, first + k, batch_count);
    }
}

/* ---- a plan ---- */

typedef struct runs_job {
    const stn_copy_plan *plan;
    int64_t run, chunk, chunks; /* elements of the last dimension; elements of a chunk; number of
                                 * chunks */
    int64_t to_step, from_step; /* along the last dimension */
    int64_t rows;               /* product of the other extents */
    int is_dense;               /* the last dimension is contiguous on both sides */
    int is_lines; /* dense, and every row of `to` consists of whole lines, for non-temporal stores
                   */
} runs_job;

static void copy_part(const runs_job *job, char *to, const char *from, int64_t count)
{
    const stn_copy_plan *plan = job->plan;
    const int64_t bytes = count * plan->to_bytes;
    if (plan->conversion)
        stn_copy_convert(plan->conversion, to, job->to_step, from, job->from_step, 0, count,
                         plan->streaming);
    else if (job->from_step == 0 && job->to_step == plan->to_bytes)
        stn_copy_repeat(to, from, plan->to_bytes, count, plan->streaming);
    else if (!job->is_dense)
        stn_move(to, job->to_step, from, job->from_step, plan->to_bytes, count);
    else if (plan->streaming && bytes >= 4 * STN_LINE)
        stn_copy_stream(to, from, bytes);
    else
        memcpy(to, from, (size_t)bytes);
}

/* Long runs: the chunks of a thread, merged within each row. */
static void copy_chunks(const runs_job *job, int64_t begin, int64_t end)
{
    const stn_copy_plan *plan = job->plan;
    while (begin < end) {
        const int64_t row = begin / job->chunks, chunk = begin % job->chunks;
        const int64_t stop = job->chunks - chunk < end - begin ? job->chunks : chunk + end - begin;
        const int64_t first = chunk * job->chunk;
        const int64_t limit = stop * job->chunk < job->run ? stop * job->chunk : job->run;
        stn_copy_position position;
        stn_copy_seek(&plan->nest, plan->nest.rank - 1, row, &position);
        copy_part(job, plan->to + position.to + first * job->to_step,
                  plan->from + position.from + first * job->from_step, limit - first);
        begin += stop - chunk;
    }
}

/* Short runs: whole rows. */
static void copy_rows(const runs_job *job, int64_t begin, int64_t end)
{
    const stn_copy_plan *plan = job->plan;
    const int outer = plan->nest.rank - 1;
    stn_copy_position position;
    stn_copy_seek(&plan->nest, outer, begin, &position);
    for (; begin < end; begin++) {
        copy_part(job, plan->to + position.to, plan->from + position.from, job->run);
        stn_copy_step(&plan->nest, outer, &position);
    }
}

/* Short runs of moved codes: all rows of the second-to-last dimension in one loop. */
static void copy_planes(const runs_job *job, int64_t begin, int64_t end)
{
    const stn_copy_plan *plan = job->plan;
    const int outer = plan->nest.rank - 2;
    const int64_t rows = plan->nest.extent[outer];
    const int64_t to_row = plan->nest.to[outer], from_row = plan->nest.from[outer];
    stn_copy_position position;
    while (begin < end) {
        const int64_t row = begin % rows;
        const int64_t batch_count = rows - row < end - begin ? rows - row : end - begin;
        stn_copy_seek(&plan->nest, outer, begin / rows, &position);
        char *to = plan->to + position.to + row * to_row;
        const char *from = plan->from + position.from + row * from_row;
        if (job->is_lines)
            for (int64_t k = 0; k < batch_count; k++)
                stn_copy_nontemporal(to + k * to_row, from + k * from_row,
                                     job->run * plan->to_bytes);
        else if (job->is_dense)
            stn_move(to, to_row, from, from_row, job->run * plan->to_bytes, batch_count);
        else
            for (int64_t k = 0; k < job->run; k++)
                stn_move(to + k * job->to_step, to_row, from + k * job->from_step, from_row,
                         plan->to_bytes, batch_count);
        begin += batch_count;
    }
}

static void share_runs(void *context, int part, int parts)
{
    const runs_job *job = context;
    const stn_copy_plan *plan = job->plan;
    int64_t begin, end;
    stn_share(job->rows * job->chunks, part, parts, &begin, &end);
    if (begin == end)
        return;
    if (job->chunks > 1)
        copy_chunks(job, begin, end);
    else if (plan->nest.rank > 1 && !plan->conversion &&
             (job->is_dense ? job->run * plan->to_bytes <= 256 : job->run <= 4))
        copy_planes(job, begin, end);
    else
        copy_rows(job, begin, end);
    if (plan->streaming)
        stn_nontemporal_fence();
}

static int has_lines(const runs_job *job)
{
    const stn_copy_plan *plan = job->plan;
    int64_t steps = (int64_t)(uintptr_t)plan->to | job->run * plan->to_bytes;
    for (int d = 0; d < plan->nest.rank - 1; d++)
        steps |= plan->nest.to[d];
    return plan->streaming && job->is_dense && steps % STN_LINE == 0;
}

/* Bytes that a row moves through the caches: whole lines for elements that are not contiguous. */
static int64_t cost_of_row(const runs_job *job, int64_t widest)
{
    const int64_t piece = job->is_dense ? job->run * widest : widest;
    return (job->is_dense ? 1 : job->run) * (piece < STN_LINE ? STN_LINE : piece);
}

void stn_copy_runs(const stn_exec *exec, const stn_copy_plan *plan)
{
    const stn_copy_nest *const nest = &plan->nest;
    const int last = nest->rank - 1;
    const int64_t widest = plan->to_bytes > plan->from_bytes ? plan->to_bytes : plan->from_bytes;
    runs_job job = {.plan = plan,
                    .run = nest->extent[last],
                    .to_step = nest->to[last],
                    .from_step = nest->from[last],
                    .rows = stn_copy_count(nest, last)};
    job.chunk = CHUNK / widest > 0 ? CHUNK / widest : 1;
    job.chunks = (job.run + job.chunk - 1) / job.chunk;
    job.is_dense = job.to_step == plan->to_bytes && job.from_step == plan->from_bytes;
    job.is_lines = has_lines(&job);
    stn_exec_run_sized(exec, (double)(job.rows * cost_of_row(&job, widest)), share_runs, &job);
}
