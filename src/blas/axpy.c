/* axpy: codes are added directly to values; other operands use a kernel. */
#include "core/modes.h"
#include "core/status.h"
#include "blas/values.h"
#include "steno/blas.h"
#include "view/overlap.h"
#include "view/trace.h"

STN_MAP(axpy, (real(alpha), in(x), in(y), out(sum)), sum = alpha * x + y;)

#define ALPHA(T) const real_t alpha = STN_STRIDED_NUMBER(T, 0);
STN_STRIDED(strided, f64, ALPHA(f64), X_IN, y = alpha * x + y;)
STN_STRIDED(strided, f32, ALPHA(f32), X_IN, y = alpha * x + y;)
stn_strided_loops stn_strided_axpy = {strided_f64, strided_f32, NULL, NULL};

typedef struct axpy_job {
    const stn_fused *fused; /* x is contiguous codes of this format, and y values or codes */
    const char *x;
    char *y;
    stn_affine affine; /* of x */
    int64_t count, x_bytes, y_bytes;
    double alpha;
    int is_narrow; /* y is codes */
} axpy_job;

static void add_share(void *context, int part, int parts)
{
    const axpy_job *job = context;
    const int64_t tiles = (job->count + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    int64_t begin, end;
    stn_share(tiles, part, parts, &begin, &end);
    begin *= STN_TILE_ELEMENTS;
    end = end * STN_TILE_ELEMENTS < job->count ? end * STN_TILE_ELEMENTS : job->count;
    if (begin < end && job->is_narrow)
        job->fused->update(job->y + begin * job->y_bytes, job->x + begin * job->x_bytes, job->alpha,
                           end - begin);
    else if (begin < end)
        job->fused->axpy(job->y + begin * job->y_bytes, job->x + begin * job->x_bytes, &job->affine,
                         job->alpha, end - begin);
}

/* Adds contiguous codes with any scale to contiguous values. */
static stn_status find_codes(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                             const stn_view *y, axpy_job *job)
{
    stn_operand from, to;
    STN_TRY(stn_exec_expect("stn_axpy", exec));
    STN_TRY(stn_operand_expect("stn_axpy", exec, x, 1));
    STN_TRY(stn_operand_expect("stn_axpy", exec, y, 1));
    STN_TRY(stn_view_writable("stn_axpy", y));
    if (x->extent[0] != y->extent[0])
        return stn_fail(STN_ERR_SHAPE, "stn_axpy: %s and %s differ in extent", stn_view_text(x),
                        stn_view_text(y));
    const int same = x->data == y->data && x->storage.format == y->storage.format &&
                     (x->stride[0] == y->stride[0] || x->extent[0] == 1);
    if (!same && stn_view_may_share(x, y))
        return stn_fail(STN_ERR_ALIAS, "stn_axpy: %s and %s overlap", stn_view_text(x),
                        stn_view_text(y));
    if (y->stride[0] == 0 && y->extent[0] > 1)
        return stn_fail(STN_ERR_ALIAS, "stn_axpy: %s repeats one element", stn_view_text(y));
    STN_TRY(stn_operand_init("stn_axpy", exec, arithmetic, x, &from));
    STN_TRY(stn_operand_init("stn_axpy", exec, arithmetic, y, &to));
    if (from.plain_run && to.values && !same)
        job->fused = stn_fused_of(from.reader.run.real, arithmetic);
    job->affine = from.reader.run.affine;
    return STN_OK;
}

static stn_status add(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *x,
                      const stn_view *y)
{
    axpy_job job;
    job.fused = NULL;
    job.is_narrow = 0;
    if (stn_operand_is_plain(exec, arithmetic, x, 1, 0) &&
        stn_operand_is_plain(exec, arithmetic, y, 1, 0) &&
        (y->storage.format == arithmetic || y->storage.format == x->storage.format) &&
        stn_operand_is_disjoint(y, x) && x->extent[0] == y->extent[0]) {
        job.fused = stn_fused_of(x->storage.format, arithmetic);
        job.affine = stn_affine_plain();
        job.is_narrow = y->storage.format != arithmetic;
    }
    const stn_blas_call call = {"stn_axpy", exec, arithmetic};
    if (!job.fused && stn_values_find(&call, x, y, 0) == STN_VALUES_STRIDED) {
        const stn_c128 factor = stn_blas_real(alpha);
        if (!stn_blas_is(arithmetic, factor, 0.0))
            stn_strided_run(&call, stn_strided_axpy, x, y, &factor, 1);
        return STN_OK;
    }
    if (!job.fused)
        STN_TRY(find_codes(exec, arithmetic, x, y, &job));
    if (stn_blas_is(arithmetic, stn_blas_real(alpha), 0.0))
        return STN_OK;
    if (!job.fused)
        return axpy_run(exec, arithmetic, alpha, x, y, y);
    job.x = x->data;
    job.y = y->data;
    job.count = x->extent[0];
    job.x_bytes = stn_format_entry_of(x->storage.format)->info.bytes;
    job.y_bytes = stn_format_entry_of(y->storage.format)->info.bytes;
    job.alpha = alpha; /* loops round it to their type */
    const uint64_t trace = stn_trace_begin("axpy", y);
    stn_exec_run_sized(exec, (double)(job.x_bytes + 2 * job.y_bytes) * (double)job.count, add_share,
                       &job);
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
