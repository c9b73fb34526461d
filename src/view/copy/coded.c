/* See coded.h. Decoding and encoding again could change values: nvfp4 rounds its smallest scales,
 * and blocks of other programs need not have the scales that the encoders choose. */
#include "view/copy/coded.h"

#include <string.h>

#include "core/nest.h"
#include "view/blocks.h"

typedef struct coded_job {
    const stn_block_format *format;
    stn_blocks to, from; /* the first block of each view */
    int rank;            /* of the blocks, whose last dimension is along the rows */
    int64_t extent[STN_MAX_RANK], to_step[STN_MAX_RANK], from_step[STN_MAX_RANK];
    int64_t count;
} coded_job;

static void move_block(const stn_block_format *format, stn_blocks to, stn_blocks from)
{
    memcpy(to.codes, from.codes, (size_t)format->code_bytes);
    memcpy(to.scales, from.scales, (size_t)format->scale_bytes);
}

static void share_blocks(void *context, int part, int parts)
{
    const coded_job *const job = context;
    int64_t begin, end, index[STN_MAX_RANK];
    stn_share(job->count, part, parts, &begin, &end);
    if (begin < end)
        stn_nest_indices(job->rank, job->extent, (uint64_t)begin, index);
    for (int64_t k = begin; k < end; k++) {
        int64_t to = 0, from = 0;
        for (int d = 0; d < job->rank; d++) {
            to += index[d] * job->to_step[d];
            from += index[d] * job->from_step[d];
        }
        move_block(job->format, stn_blocks_from(job->to, to), stn_blocks_from(job->from, from));
        (void)stn_nest_next(job->rank, job->extent, index);
    }
}

int stn_copy_coded(const stn_exec *exec, const stn_view *to, const stn_view *from)
{
    coded_job job = {.rank = to->rank, .count = 1};
    const int along = stn_blocks_steps(to, &job.format, &job.to, job.to_step);
    if (along < 0 || stn_blocks_steps(from, &job.format, &job.from, job.from_step) != along)
        return 0;
    const int last = job.rank - 1;
    for (int d = 0, at = 0; d < job.rank; d++)
        if (d != along) {
            job.extent[at] = to->extent[d];
            job.to_step[at] = job.to_step[d];
            job.from_step[at++] = job.from_step[d];
        }
    job.extent[last] = (to->extent[along] + job.format->elements - 1) / job.format->elements;
    job.to_step[last] = job.from_step[last] = 1;
    for (int d = 0; d < job.rank; d++)
        job.count *= job.extent[d];
    const int64_t bytes = job.format->code_bytes + job.format->scale_bytes;
    stn_exec_run_sized(exec, (double)job.count * (double)bytes, share_blocks, &job);
    return 1;
}
