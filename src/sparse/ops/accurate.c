/* Residuals in twice the precision of f64: T. Ogita, S. Rump, S. Oishi, SIAM J. Sci. Comput. 26
 * (2005). */
#include "sparse/ops/accurate.h"

#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/kinds/compressed.h"

/* The unevaluated sum of both. */
typedef struct twofold {
    double high, low;
} twofold;

typedef struct accurate_job {
    stn_compressed from;
    stn_run run;
    int64_t parts;   /* numbers per value of the matrix: 2 if it is complex */
    int is_in_place; /* codes are values */
    int is_complex;  /* vectors are */
    const double *b, *x;
    double *r;
    double scale;  /* of the values in norms */
    double *norms; /* largest of each share */
} accurate_job;

/* sum - a b: rounding errors of the product and of the sum are added to the lower part. */
static inline twofold subtract(twofold sum, double a, double b)
{
    const double product = -a * b, rest = fma(-a, b, -product);
    const double high = sum.high + product, part = high - sum.high;
    const double lost = (sum.high - (high - part)) + (product - part);
    return (twofold){high, sum.low + (lost + rest)};
}

static inline double round_once(twofold sum)
{
    return sum.high + sum.low;
}

/* Up to STN_TILE_ELEMENTS values from entry `first`, in place or decoded to the buffer. */
static const double *values_of(const accurate_job *job, int64_t first, int64_t count,
                               double *buffer)
{
    const char *const codes = job->from.codes + first * job->from.code;
    if (job->is_in_place)
        return (const void *)codes;
    stn_run_decode(&job->run, buffer, codes, 1, count);
    return buffer;
}

static void residual_of_row(const accurate_job *job, int64_t row, double *buffer)
{
    const int64_t width = job->is_complex ? 2 : 1, end = job->from.start[row + 1];
    twofold re = {job->b[width * row], 0.0}, im = {job->b[width * row + width - 1], 0.0};
    for (int64_t first = job->from.start[row]; first < end; first += STN_TILE_ELEMENTS) {
        const int64_t count = end - first < STN_TILE_ELEMENTS ? end - first : STN_TILE_ELEMENTS;
        const double *const a = values_of(job, first, count, buffer);
        for (int64_t e = 0; e < count; e++) {
            const double *const x = job->x + width * job->from.column[first + e];
            const double *const value = a + job->parts * e;
            re = subtract(re, value[0], x[0]);
            if (job->is_complex)
                im = subtract(im, value[0], x[1]);
            if (job->parts == 2) {
                re = subtract(re, -value[1], x[1]);
                im = subtract(im, value[1], x[0]);
            }
        }
    }
    job->r[width * row] = round_once(re);
    if (job->is_complex)
        job->r[width * row + 1] = round_once(im);
}

static void residual_share(void *context, int part, int parts)
{
    const accurate_job *const job = context;
    double buffer[2 * STN_TILE_ELEMENTS];
    int64_t begin, end;
    stn_share(job->from.rows, part, parts, &begin, &end);
    for (int64_t row = begin; row < end; row++)
        residual_of_row(job, row, buffer);
}

static double sum_of_row(const accurate_job *job, int64_t row, double *buffer)
{
    const int64_t end = job->from.start[row + 1];
    double sum = 0.0;
    for (int64_t first = job->from.start[row]; first < end; first += STN_TILE_ELEMENTS) {
        const int64_t count = end - first < STN_TILE_ELEMENTS ? end - first : STN_TILE_ELEMENTS;
        const double *const a = values_of(job, first, count, buffer);
        for (int64_t k = 0; k < job->parts * count; k++)
            sum += fabs(job->scale * a[k]);
    }
    return sum;
}

/* NaN exceeds every number. */
static double larger(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

static void norm_share(void *context, int part, int parts)
{
    const accurate_job *const job = context;
    double buffer[2 * STN_TILE_ELEMENTS], norm = 0.0;
    int64_t begin, end;
    stn_share(job->from.rows, part, parts, &begin, &end);
    for (int64_t row = begin; row < end; row++)
        norm = larger(sum_of_row(job, row, buffer), norm);
    job->norms[part] = norm;
}

static stn_status open_job(const char *call, const stn_exec *exec, const stn_matrix *a,
                           accurate_job *job)
{
    const int has_parts = stn_matrix_is_complex(a);
    job->parts = has_parts ? 2 : 1;
    STN_TRY(stn_compressed_open(call, exec, a, &job->from));
    const stn_storage *const storage = &job->from.storage;
    const stn_format wide = has_parts ? STN_C128 : STN_F64;
    job->is_in_place = storage->format == wide && stn_storage_is_plain(storage);
    const stn_status status = stn_run_init(&job->run, wide, storage);
    if (status != STN_OK)
        stn_compressed_close(&job->from);
    return status;
}

stn_status stn_residual_accurate(const stn_exec *exec, const stn_matrix *a, int is_complex,
                                 const double *b, const double *x, double *r)
{
    accurate_job job = {.is_complex = is_complex, .b = b, .x = x, .r = r};
    STN_TRY(open_job("an accurate residual", exec, a, &job));
    stn_exec_run_sized(exec, 16.0 * (double)job.from.entries, residual_share, &job);
    stn_compressed_close(&job.from);
    return STN_OK;
}

stn_status stn_matrix_norm(const stn_exec *exec, const stn_matrix *a, double scale, double *norm)
{
    accurate_job job = {.is_complex = 0, .scale = scale};
    const int64_t threads = exec ? stn_exec_threads(exec) : 1;
    *norm = 0.0;
    STN_TRY(open_job("a norm", exec, a, &job));
    const stn_status status = stn_allocate(&job.norms, threads, sizeof *job.norms, "a norm");
    if (status == STN_OK) {
        for (int64_t k = 0; k < threads; k++)
            job.norms[k] = 0.0;
        stn_exec_run_sized(exec, 8.0 * (double)job.from.entries, norm_share, &job);
        for (int64_t k = 0; k < threads; k++)
            *norm = larger(job.norms[k], *norm);
        stn_free(job.norms);
    }
    stn_compressed_close(&job.from);
    return status;
}
