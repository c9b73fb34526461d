/* Updates of vectors, and norms of the updated vectors, in one pass. */
#include "solver/update.h"

#include <math.h>

#include "blas/values.h"
#include "core/event.h"
#include "core/memory.h"
#include "exec/exec.h"
#include "expr/program.h"
#include "order/chunks.h"

typedef struct pass {
    const stn_kernel *kernel;
    stn_tile_loop *loop;
    const stn_argument *arguments;
    stn_format arithmetic;
    int64_t count, bytes; /* of the vectors; of an element */
    const char *x;        /* the updated vector */
    double *sums;         /* of its chunks */
} pass;

/* The part of the vectors from `first` on, as a tile. */
static void set_tile(const pass *job, stn_tile *tile, int64_t first, int64_t count)
{
    for (int at = 0; at < job->kernel->count; at++) {
        const stn_argument *const argument = &job->arguments[at];
        if (job->kernel->parameters[at].kind != STN_PARAMETER_REAL)
            tile->values[at] = (char *)argument->view->data + first * job->bytes;
        else if (job->arithmetic == STN_F64)
            tile->numbers[at].f64 = argument->real;
        else
            tile->numbers[at].f32 = (float)argument->real;
    }
    tile->index[0] = first;
    tile->step[0] = 1;
    tile->count = count;
    tile->kernel = job->kernel;
    tile->flags = NULL;
    tile->buffer = NULL;
}

static void run_share(void *context, int part, int parts)
{
    const pass *const job = context;
    stn_tile tile; /* large: only used members are set */
    int64_t begin, end;
    stn_share(stn_chunks_of(job->count), part, parts, &begin, &end);
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t first = chunk * STN_CHUNK, left = job->count - first;
        const char *const x = job->x + first * job->bytes;
        set_tile(job, &tile, first, left < STN_CHUNK ? left : STN_CHUNK);
        job->loop(&tile);
        job->sums[chunk] = stn_chunk_dot(job->arithmetic, x, x, tile.count);
    }
}

static stn_status run(const stn_exec *exec, pass *job, double *square)
{
    STN_TRY(stn_allocate(&job->sums, stn_chunks_of(job->count), sizeof *job->sums, "sums"));
    stn_exec_run_sized(exec, 32.0 * (double)job->count, run_share, job);
    *square = stn_chunks_fold(job->arithmetic, job->sums, stn_chunks_of(job->count));
    stn_free(job->sums);
    return STN_OK;
}

stn_status stn_solver_update(const stn_solver_state *s, const stn_kernel *kernel,
                             const stn_argument *arguments, const stn_view *x, double *norm,
                             double *square)
{
    stn_tile_loop *const loop = s->arithmetic == STN_F64 ? kernel->f64 : kernel->f32;
    const int64_t count = x->extent[0];
    *square = NAN;
    if (stn_exec_has_loops(s->exec) && !s->partition && count > STN_CHUNK && loop &&
        stn_fused_of(s->arithmetic, s->arithmetic) && !stn_program_is_loop(loop) &&
        !stn_event_is_traced()) {
        pass job = {.kernel = kernel,
                    .loop = loop,
                    .arguments = arguments,
                    .arithmetic = s->arithmetic,
                    .count = count,
                    .bytes = stn_arithmetic_bytes(s->arithmetic),
                    .x = x->data};
        STN_TRY(run(s->exec, &job, square));
    } else {
        STN_TRY(
            stn_kernel_run(s->exec, kernel, s->arithmetic, STN_RANK_BROADCAST, NULL, arguments));
    }
    return stn_values_root(*square, s->arithmetic, norm) ? STN_OK : stn_solver_nrm2(s, norm, x);
}
