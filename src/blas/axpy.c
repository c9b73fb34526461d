/* axpy: onto values straight from codes; all else is a kernel. */
#include "core/modes.h"
#include "core/status.h"
#include "blas/call.h"
#include "blas/operand.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "view/overlap.h"
#include "view/trace.h"

STN_MAP(axpy, (real(alpha), in(x), in(y), out(sum)), sum = alpha * x + y;)

typedef struct axpy_job {
    stn_operand x, y;
    const stn_fused *fused; /* x is contiguous codes of this format and y values */
    double alpha;
} axpy_job;

static void add_share(void *context, int part, int parts)
{
    const axpy_job *job = context;
    const int64_t tiles = (job->x.count + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    int64_t begin, end;
    stn_share(tiles, part, parts, &begin, &end);
    begin *= STN_TILE_ELEMENTS;
    end = end * STN_TILE_ELEMENTS < job->x.count ? end * STN_TILE_ELEMENTS : job->x.count;
    if (begin < end)
        job->fused->axpy(stn_reader_at(&job->y.reader, begin), stn_reader_at(&job->x.reader, begin),
                         &job->x.reader.run.affine, job->alpha, end - begin);
}

static stn_status add(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *x,
                      const stn_view *y)
{
    axpy_job job;      /* large: only what is used is set */
    job.alpha = alpha; /* the loops round it to their type */
    job.fused = NULL;
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
    if (stn_blas_is(arithmetic, stn_blas_real(alpha), 0.0))
        return STN_OK;
    if (job.x.plain_run && job.y.values && !same)
        job.fused = stn_fused_of(job.x.reader.run.real, arithmetic);
    if (!job.fused)
        return axpy_run(exec, arithmetic, alpha, x, y, y);
    const uint64_t trace = stn_trace_begin("axpy", y);
    stn_exec_run(exec, add_share, &job);
    stn_trace_end("axpy", y, trace);
    return STN_OK;
}

stn_status stn_axpy(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *x,
                    const stn_view *y)
{
    if (stn_blas_is_complex(arithmetic))
        return stn_axpy_complex(exec, arithmetic, stn_blas_real(alpha), x, y);
    STN_RETURN_IN_MODES(add(exec, arithmetic, alpha, x, y));
}
