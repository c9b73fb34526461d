/* axpy: y = alpha x + y, in runs of tiles. */
#include "core/modes.h"
#include "core/status.h"
#include "blas/operand.h"
#include "blas/remote.h"
#include "steno/blas.h"
#include "view/overlap.h"
#include "view/trace.h"

typedef struct axpy_job {
    stn_operand x, y;
    const stn_fused *fused;  /* x is contiguous codes of this format and y values; or NULL */
    const stn_fused *values; /* loops over decoded tiles */
    stn_format arithmetic;
    double alpha;
} axpy_job;

static void axpy_decoded(const axpy_job *job, int64_t first, int64_t count)
{
    stn_tile_values x, y;
    const stn_affine plain = stn_affine_plain();
    for (int64_t k = first; k < first + count; k += STN_TILE_ELEMENTS) {
        const int64_t rest = first + count - k,
                      some = rest < STN_TILE_ELEMENTS ? rest : STN_TILE_ELEMENTS;
        stn_operand_read(&job->x, k, some, &x);
        stn_operand_read(&job->y, k, some, &y);
        (job->arithmetic == STN_F64 ? job->values->axpy_f64
                                    : job->values->axpy_f32)(&y, &x, &plain, job->alpha, some);
        stn_operand_write(&job->y, k, some, &y);
    }
}

static void axpy_run(const axpy_job *job, int64_t first, int64_t count)
{
    if (!job->fused)
        axpy_decoded(job, first, count);
    else
        (job->arithmetic == STN_F64 ? job->fused->axpy_f64 : job->fused->axpy_f32)(
            stn_reader_at(&job->y.reader, first), stn_reader_at(&job->x.reader, first),
            &job->x.reader.run.affine, job->alpha, count);
}

static void axpy_share(void *context, int part, int parts)
{
    const axpy_job *job = context;
    const int64_t tiles = (job->x.count + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    int64_t begin, end;
    stn_share(tiles, part, parts, &begin, &end);
    begin *= STN_TILE_ELEMENTS;
    end = end * STN_TILE_ELEMENTS < job->x.count ? end * STN_TILE_ELEMENTS : job->x.count;
    if (begin < end)
        axpy_run(job, begin, end - begin);
}

static stn_status axpy(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *x,
                       const stn_view *y)
{
    axpy_job job = {.arithmetic = arithmetic};
    STN_TRY(stn_exec_expect("stn_axpy", exec));
    STN_TRY(stn_operand_expect("stn_axpy", exec, x, 1));
    STN_TRY(stn_operand_expect("stn_axpy", exec, y, 1));
    STN_TRY(stn_view_writable("stn_axpy", y));
    if (x->extent[0] != y->extent[0])
        return stn_fail(STN_ERR_SHAPE, "stn_axpy: %s and %s differ in extent", stn_view_words(x),
                        stn_view_words(y));
    const int same = x->data == y->data && x->storage.format == y->storage.format &&
                     (x->stride[0] == y->stride[0] || x->extent[0] == 1);
    if (!same && stn_view_may_share(x, y))
        return stn_fail(STN_ERR_ALIAS, "stn_axpy: %s and %s overlap", stn_view_words(x),
                        stn_view_words(y));
    if (y->stride[0] == 0 && y->extent[0] > 1)
        return stn_fail(STN_ERR_ALIAS, "stn_axpy: %s repeats one element", stn_view_words(y));
    STN_TRY(stn_operand_make("stn_axpy", exec, arithmetic, x, &job.x));
    STN_TRY(stn_operand_make("stn_axpy", exec, arithmetic, y, &job.y));
    if (stn_exec_device(exec))
        return stn_axpy_remote(exec, arithmetic, alpha, x, y);
    job.alpha = alpha; /* the loops round it to their type */
    if (job.x.plain_run && job.y.values && !same)
        job.fused = stn_fused_of(job.x.reader.run.real);
    job.values = stn_exec_values(exec, arithmetic);
    const uint64_t trace = stn_trace_begin("axpy", y);
    stn_exec_run(exec, axpy_share, &job);
    stn_trace_end("axpy", y, trace);
    return STN_OK;
}

/* All of it, checks and last roundings too, in the library's own floating-point modes. */
stn_status stn_axpy(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *x,
                    const stn_view *y)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = axpy(exec, arithmetic, alpha, x, y);
    stn_modes_leave(modes);
    return status;
}
