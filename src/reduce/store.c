/* Conversion of states to results: norms that overflow or underflow are recomputed, and results in
 * views are rounded once. */
#include <math.h>

#include "format/integer64.h"
#include "reduce/job.h"

/* ---- norms whose sum of squares overflows or loses bits ----
 *
 * If elements are multiplied by 2^-600, the sum of up to 2^38 squares cannot overflow. If they are
 * multiplied by 2^600, all squares are normal. Sums of squares below 2^-900 may have lost 2^-53 of
 * their value. */

static int is_wide(stn_format arithmetic)
{
    return arithmetic == STN_F64 || arithmetic == STN_C128;
}

int stn_norm_range(stn_format arithmetic, const void *state)
{
    double sum;
    if (is_wide(arithmetic))
        memcpy(&sum, state, sizeof sum);
    else {
        float narrow;
        memcpy(&narrow, state, sizeof narrow);
        sum = (double)narrow;
    }
    return isinf(sum) ? 1 : sum < (is_wide(arithmetic) ? 0x1p-900 : 0x1p-80) ? 2 : 0;
}

double stn_norm_scale_of(stn_format arithmetic, int which)
{
    static const double scales[2][3] = {{1.0, 0x1p-600, 0x1p600}, {1.0, 0x1p-100, 0x1p100}};
    return scales[!is_wide(arithmetic)][which];
}

double stn_norm_scale(const stn_reduce_job *job, const void *state)
{
    const stn_format arithmetic = job->launch.arithmetic;
    if (job->reduction->operation != STN_REDUCE_WITH_norm2 || job->elements == 0)
        return 1.0;
    return stn_norm_scale_of(arithmetic, stn_norm_range(arithmetic, state));
}

/* ---- single results ---- */

size_t stn_reduce_value_bytes(const stn_monoid *monoid)
{
    const int is_complex = monoid->result == STN_C64 || monoid->result == STN_C128;
    return (size_t)monoid->results * (is_complex ? sizeof(stn_c128) : sizeof(double));
}

void stn_reduce_to_value(const stn_monoid *monoid, const void *result, void *to)
{
    const size_t bytes = stn_reduce_value_bytes(monoid);
    float narrow[STN_STATE_VALUES];
    double wide[STN_STATE_VALUES];
    if (monoid->result != STN_F32 && monoid->result != STN_C64) {
        memcpy(to, result, bytes);
        return;
    }
    memcpy(narrow, result, bytes / 2);
    for (size_t k = 0; k < bytes / sizeof *wide; k++)
        wide[k] = (double)narrow[k];
    memcpy(to, wide, bytes);
}

/* ---- results into a view ---- */

void stn_reduce_widen(const stn_monoid *monoid, const stn_reader *writer, void *results,
                      int64_t count)
{
    const stn_storage *const storage = &writer->view->storage;
    if (monoid->result == STN_I64 && writer->run.arithmetic == STN_F64)
        stn_widen_integers(results, count, 0, storage->format, storage->rounding);
}

/* Neighbors along the last kept axis. */
static void store_run(const stn_reduce_job *job, int64_t output, char *results, int64_t count)
{
    const int last = job->kept.count - 1;
    const int64_t stride = last < 0 ? 1 : job->result_stride[last];
    const int64_t offset =
        last < 0 ? 0 : stn_axes_offset(&job->kept, job->result_stride, last + 1, output);
    const int64_t each = job->monoid.results;
    stn_reduce_widen(&job->monoid, &job->writer, results, count * each);
    if (each == 1)
        stn_write(&job->writer, results, offset, stride, output, count);
    else
        stn_write_rows(&job->writer, results, offset, stride, job->result_step, output * each,
                       count, each);
}

static void store(const stn_reduce_job *job, int64_t output, char *results, int64_t count)
{
    const int last = job->kept.count - 1;
    const int64_t row = last < 0 ? 1 : job->kept.extent[last];
    if (!job->result) {
        stn_reduce_to_value(&job->monoid, results, job->value);
        return;
    }
    for (int64_t done = 0; done < count;) {
        const int64_t left = row - (output + done) % row;
        const int64_t batch = count - done < left ? count - done : left;
        store_run(job, output + done, results + done * job->monoid.result_bytes, batch);
        done += batch;
    }
}

static void finish(const stn_reduce_job *job, int64_t output, const void *states, void *results,
                   int64_t count)
{
    const stn_monoid *monoid = &job->monoid;
    stn_finish(monoid, states, results, count, job->scale);
    if (job->reduction->operation != STN_REDUCE_WITH_norm2 || job->scale != 1.0)
        return;
    for (int64_t k = 0; k < count; k++) {
        _Alignas(16) char state[STN_STATE_BYTES];
        const char *const is_default = (const char *)states + k * monoid->state_bytes;
        const double scale = stn_norm_scale(job, is_default);
        if (scale == 1.0)
            continue;
        const char *const rescaled =
            job->rescaled[stn_norm_range(job->launch.arithmetic, is_default)];
        if (rescaled)
            memcpy(state, rescaled + (output + k) * monoid->state_bytes,
                   (size_t)monoid->state_bytes);
        else
            stn_reduce_reference(job, output + k, scale, state);
        stn_finish(monoid, state, (char *)results + k * monoid->result_bytes, 1, scale);
    }
}

void stn_reduce_store(const stn_reduce_job *job, int64_t output, const void *states, int64_t count)
{
    _Alignas(16) char results[STN_RESULTS * STN_STATE_BYTES];
    const size_t bytes = (size_t)job->monoid.state_bytes;
    for (int64_t k = 0; job->states && k < count; k++)
        memcpy((char *)job->states + (output + k) * job->state_step,
               (const char *)states + (size_t)k * bytes, bytes);
    for (int64_t done = job->states ? count : 0; done < count; done += STN_RESULTS) {
        const int64_t batch = count - done < STN_RESULTS ? count - done : STN_RESULTS;
        finish(job, output + done, (const char *)states + done * job->monoid.state_bytes, results,
               batch);
        store(job, output + done, results, batch);
    }
}
