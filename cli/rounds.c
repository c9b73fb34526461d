/* Measures a kernel in several formats in alternating rounds. */
#include "rounds.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "executor.h"
#include "problem.h"
#include "progress.h"

enum { MIN_ROUNDS = 5, MAX_ROUNDS = 15, MAX_CALLS = 1000 };

static const double default_seconds = 4.0; /* total time of rounds if their number is not given */
static const double min_seconds = 2e-4;    /* minimum time of one measurement */

static int width_of(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? 8 : 4;
}

/* ---- memory ---- */

static double stream_bytes(const bench_problem *problem)
{
    const double whole = 8.0 * (double)(problem->n + problem->vector);
    return fmin(whole, fmax(0x1p27, problem_large_bytes() / 2.0));
}

double rounds_memory(const bench_kernel *kernel, const bench_settings *settings,
                     const bench_problem *problem)
{
    const double n = kernel->a == ABSENT ? 0.0 : (double)problem->n;
    const double vectors = (double)problem->vector * (kernel->y == ABSENT ? 1.0 : 2.0);
    const double rows = kernel->sparse ? 8.0 * (double)problem->pattern.rows + 4.0 * n : 0.0;
    double bytes = 8.0 * (n + vectors + (double)problem->results) + rows;
    for (int k = 0; k < settings->format_count; k++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        if (stn_format_describe(settings->formats[k], &info) != STN_OK)
            continue;
        if (settings->formats[k] != STN_F64)
            bytes += (double)info.bytes * (n + vectors);
        if (kernel->sparse == STN_MATRIX_SLICED) /* plus at most one word for each */
            bytes += (double)(info.bytes + 4) * n;
    }
    const int streams = kernel->outcome == SCALAR ? 1 : 4;
    return bytes + streams * stream_bytes(problem);
}

/* ---- setting up ---- */

static int same_mix(measure_mix a, measure_mix b)
{
    return a.read == b.read && a.update == b.update && a.write == b.write;
}

/* On a device, copies within its memory are the streaming loop. */
static stn_status create_device_stream(measurement *all)
{
    const int64_t words = (int64_t)fmax(1.0, stream_bytes(&all->problem) / 8.0);
    const stn_storage storage = stn_storage_of(STN_I64);
    if (all->stream_to.data)
        return STN_OK;
    STN_TRY(stn_view_create(all->exec, &all->stream_from, "stream", storage, 1, &words));
    return stn_view_create(all->exec, &all->stream_to, "stream", storage, 1, &words);
}

/* Seconds per byte. */
static stn_status time_stream(const measurement *all, const variant *own, double *seconds)
{
    const double start = measure_now();
    if (own->stream) {
        *seconds = measure_stream_round(own->stream, own->mix);
        return STN_OK;
    }
    STN_TRY(stn_view_copy(all->exec, &all->stream_to, &all->stream_from));
    STN_TRY(stn_exec_wait(all->exec));
    *seconds = (measure_now() - start) / (16.0 * (double)all->stream_to.extent[0]);
    return STN_OK;
}

static stn_status find_stream(measurement *all, int which)
{
    variant *own = &all->variants[which];
    own->mix = operands_mix(all->kernel, &own->operands, all->settings->arithmetic);
    for (int k = 0; k < which; k++)
        if (same_mix(all->variants[k].mix, own->mix)) {
            own->stream = all->variants[k].stream;
            return STN_OK;
        }
    if (executor_is_device(all->exec))
        return create_device_stream(all);
    own->stream =
        measure_stream_create((int64_t)stream_bytes(&all->problem), stn_exec_threads(all->exec));
    return own->stream ? STN_OK : stn_fail(STN_ERR_MEMORY, "no memory for a streaming loop");
}

static uint64_t hash(const void *bytes, int64_t count)
{
    uint64_t state = (uint64_t)count, word;
    const char *at = bytes;
    for (; count >= 8; count -= 8, at += 8) {
        memcpy(&word, at, sizeof word);
        state = stn_hash_bits(state ^ word);
    }
    word = 0;
    memcpy(&word, at, (size_t)count);
    return stn_hash_bits(state ^ word);
}

static stn_status run_compared(const measurement *all, const variant *own, stn_matrix_kind kind,
                               kernel_operands *operands)
{
    const stn_format arithmetic = all->settings->arithmetic;
    STN_TRY(operands_create(all->kernel, &all->problem, all->compared, kind, own->format,
                            arithmetic, all->compared_result, operands));
    return operands_run(all->kernel, all->compared, arithmetic, operands, all->compared_result);
}

/* Does the current result have the bits of the other executor? */
static stn_status compare(const measurement *all, const variant *own, stn_matrix_kind kind)
{
    kernel_operands operands = {.problem = NULL};
    const int64_t width = width_of(all->settings->arithmetic), count = all->problem.results;
    int64_t differing = 0;
    const char *const here = all->result, *const there = all->compared_result;
    if (!all->compared)
        return STN_OK;
    const stn_status status = run_compared(all, own, kind, &operands);
    for (int64_t k = 0; status == STN_OK && k < count; k++)
        differing += memcmp(here + k * width, there + k * width, (size_t)width) != 0;
    operands_release(&operands);
    return differing == 0 ? status
                          : stn_fail(STN_ERR_DEVICE,
                                     "%s of %s: %" PRId64 " of %" PRId64
                                     " results on %s have other bits than on %s",
                                     all->kernel->name, own->operands.x.info.name, differing, count,
                                     executor_name(all->exec), executor_name(all->compared));
}

/* Both errors of the current result. */
static stn_status judge(const measurement *all, variant *own)
{
    const stn_format arithmetic = all->settings->arithmetic;
    kernel_operands original;
    STN_TRY(operands_borrow(all->kernel, &all->problem, &original));
    STN_TRY(all->kernel->error(&original, arithmetic, all->result, &own->error));
    STN_TRY(all->kernel->error(&own->operands, arithmetic, all->result, &own->error_stored));
    if (all->settings->bits)
        own->bits = hash(all->result, all->problem.results * width_of(arithmetic));
    return STN_OK;
}

/* Seconds of each of `calls` calls. */
static stn_status time_calls(const measurement *all, const variant *own, int calls, double *seconds)
{
    const stn_format arithmetic = all->settings->arithmetic;
    const double start = measure_now();
    for (int k = 0; k < calls; k++)
        STN_TRY(all->kernel->run(all->exec, arithmetic, &own->operands, all->result));
    STN_TRY(stn_exec_wait(all->exec));
    *seconds = (measure_now() - start) / calls;
    return STN_OK;
}

static stn_status choose_calls(const measurement *all, variant *own)
{
    double seconds;
    STN_TRY(time_calls(all, own, 1, &seconds));
    const double calls = ceil(min_seconds / (seconds + 1e-9));
    own->calls = calls < 1.0 ? 1 : calls > MAX_CALLS ? MAX_CALLS : (int)calls;
    return STN_OK;
}

static stn_status prepare(measurement *all, int which, stn_matrix_kind kind, stn_format format)
{
    variant *own = &all->variants[which];
    const bench_settings *settings = all->settings;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(stn_format_describe(format, &info));
    progress("%s: storing %s", all->kernel->name, info.name);
    own->format = format;
    STN_TRY(operands_create(all->kernel, &all->problem, all->exec, kind, format,
                            settings->arithmetic, all->result, &own->operands));
    own->bytes = operands_bytes(all->kernel, &own->operands, settings->arithmetic);
    STN_TRY(find_stream(all, which));
    const int64_t samples = settings->repeat ? settings->repeat : MAX_ROUNDS;
    STN_TRY(stn_allocate(&own->samples, samples, sizeof(double), "samples"));
    STN_TRY(stn_allocate(&own->fractions, samples, sizeof(double), "samples"));
    STN_TRY(
        operands_run(all->kernel, all->exec, settings->arithmetic, &own->operands, all->result));
    STN_TRY(judge(all, own));
    STN_TRY(compare(all, own, kind));
    return choose_calls(all, own);
}

/* f64 in compressed rows comes first, even if it is not requested. */
static stn_status prepare_all(measurement *all)
{
    const bench_settings *settings = all->settings;
    const stn_matrix_kind kind = all->kernel->sparse;
    STN_TRY(stn_allocate(&all->variants, settings->format_count + 1, sizeof(variant), "variants"));
    memset(all->variants, 0, (size_t)(settings->format_count + 1) * sizeof(variant));
    STN_TRY(prepare(all, all->variant_count++, STN_MATRIX_CSR, STN_F64));
    for (int k = 0; k < settings->format_count; k++)
        if (settings->formats[k] != STN_F64 || kind == STN_MATRIX_SLICED)
            STN_TRY(prepare(all, all->variant_count++, kind, settings->formats[k]));
    return STN_OK;
}

/* ---- measuring ---- */

static int owns_stream(const measurement *all, int which)
{
    for (int k = 0; k < which; k++)
        if (all->variants[k].stream == all->variants[which].stream)
            return 0;
    return 1;
}

/* Measures every format once, each immediately after the streaming loop of the same number of
 * bytes. */
static stn_status measure_round(measurement *all)
{
    for (int k = 0; k < all->variant_count; k++) {
        variant *own = &all->variants[k];
        double stream;
        STN_TRY(time_stream(all, own, &stream));
        STN_TRY(time_calls(all, own, own->calls, &own->samples[all->rounds]));
        own->fractions[all->rounds] = own->bytes * stream / own->samples[all->rounds];
    }
    all->rounds++;
    return STN_OK;
}

/* Estimates the number of rounds from those measured so far. */
static int64_t estimate_rounds(const measurement *all, double start)
{
    if (all->settings->repeat)
        return all->settings->repeat;
    if (all->rounds == 0)
        return MAX_ROUNDS;
    const double seconds = (measure_now() - start) / all->rounds;
    return (int64_t)fmin(MAX_ROUNDS, fmax(MIN_ROUNDS, ceil(default_seconds / seconds)));
}

static stn_status measure(measurement *all)
{
    const double start = measure_now();
    for (int64_t rounds; all->rounds < (rounds = estimate_rounds(all, start));) {
        progress("%s: round %d of %" PRId64, all->kernel->name, all->rounds + 1, rounds);
        STN_TRY(measure_round(all));
    }
    for (int k = 0; k < all->variant_count; k++) {
        variant *own = &all->variants[k];
        own->seconds = measure_median(own->samples, all->rounds);
        own->stream_seconds = own->seconds * measure_median(own->fractions, all->rounds);
    }
    return STN_OK;
}

/* ---- entry point ---- */

stn_status rounds_run(measurement *all, const stn_market_matrix *file)
{
    const size_t width = (size_t)width_of(all->settings->arithmetic);
    progress("%s: generating data", all->kernel->name);
    stn_status status = problem_fill(all->kernel, file, &all->problem);
    if (status == STN_OK)
        status = stn_allocate(&all->result, all->problem.results, width, "result");
    if (status == STN_OK && all->compared)
        status = stn_allocate(&all->compared_result, all->problem.results, width, "result");
    if (status == STN_OK)
        status = prepare_all(all);
    if (status == STN_OK)
        status = measure(all);
    progress_end();
    return status;
}

void rounds_release(measurement *all)
{
    for (int k = 0; k < all->variant_count; k++) {
        if (owns_stream(all, k))
            measure_stream_release(all->variants[k].stream);
        operands_release(&all->variants[k].operands);
        stn_free(all->variants[k].samples);
        stn_free(all->variants[k].fractions);
    }
    stn_free(all->variants);
    stn_free(all->result);
    stn_free(all->compared_result);
    (void)stn_view_release(&all->stream_from);
    (void)stn_view_release(&all->stream_to);
    problem_release(&all->problem);
    *all = (measurement){.rounds = 0};
}
