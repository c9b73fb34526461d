/* The block Hadamard map. The host computes the sketches of all executors, in f64. */
#include "solver/sketch.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "exec/exec.h"

enum {
    MIN_ROWS = 64,
    PER_DIMENSION = 8, /* rows per dimension: 1024 for 100 vectors */
    GROUP = 8,         /* blocks that one thread adds */
    SECTIONS = 8192    /* starts of sections of signs: a power of two */
};

/* A counter-based random number: the finalizer of splitmix64 (S. Vigna). */
static uint64_t hash(uint64_t counter)
{
    uint64_t x = (counter + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int64_t blocks_of(const stn_solver_state *s, const stn_sketch *sketch)
{
    return (s->n + sketch->rows - 1) / sketch->rows;
}

static int64_t groups_of(const stn_solver_state *s, const stn_sketch *sketch)
{
    return (blocks_of(s, sketch) + GROUP - 1) / GROUP;
}

static stn_status create_staging(const stn_solver_state *s, stn_sketch *sketch)
{
    if (stn_space_accessible(s->exec, STN_SPACE_HOST))
        return STN_OK;
    STN_TRY(stn_exec_create(&sketch->host, "reference"));
    return stn_view_create(NULL, &sketch->on_host, "a vector of GMRES",
                           stn_storage_of(s->arithmetic), 1, &s->length);
}

stn_status stn_sketch_create(const stn_solver_state *s, int64_t dimension, stn_sketch *sketch)
{
    int64_t rows = MIN_ROWS;
    while (rows < PER_DIMENSION * dimension && rows < s->n)
        rows *= 2;
    sketch->rows = rows;
    sketch->length = stn_solver_is_complex(s) ? 2 * rows : rows;
    STN_TRY(stn_allocate(&sketch->signs, SECTIONS + rows, sizeof *sketch->signs, "random signs"));
    for (int64_t i = 0; i < SECTIONS + rows; i++)
        sketch->signs[i] = hash((uint64_t)i) >> 63 ? -1.0 : 1.0;
    STN_TRY(stn_allocate(&sketch->sums, groups_of(s, sketch) * sketch->length, sizeof *sketch->sums,
                         "sketches of GMRES"));
    return create_staging(s, sketch);
}

void stn_sketch_release(stn_sketch *sketch)
{
    (void)stn_view_release(&sketch->on_host);
    stn_exec_release(sketch->host);
    stn_free(sketch->sums);
    stn_free(sketch->signs);
}

/* x = H x, without the factor 1 / sqrt(count), by two levels of butterflies at a time. */
static void transform(double *x, int64_t count)
{
    int64_t h = 1;
    for (; 4 * h <= count; h *= 4)
        for (int64_t first = 0; first < count; first += 4 * h)
            for (int64_t i = first; i < first + h; i++) {
                const double a = x[i] + x[i + h], b = x[i] - x[i + h];
                const double c = x[i + 2 * h] + x[i + 3 * h], d = x[i + 2 * h] - x[i + 3 * h];
                x[i] = a + c;
                x[i + h] = b + d;
                x[i + 2 * h] = a - c;
                x[i + 3 * h] = b - d;
            }
    for (; 2 * h <= count; h *= 2)
        for (int64_t i = 0; i < h; i++) {
            const double a = x[i], b = x[i + h];
            x[i] = a + b;
            x[i + h] = a - b;
        }
}

typedef struct sketch_job {
    const stn_solver_state *s;
    const stn_sketch *sketch;
    const void *values;
    double *buffers; /* a block for each part of the work */
} sketch_job;

/* Elements of a block, multiplied by signs; `part` of complex numbers. */
static void load(const sketch_job *job, int64_t block, int64_t part, double *x)
{
    const int64_t k = job->sketch->rows, parts = job->sketch->length / k, first = block * k;
    const int64_t left = job->s->n - first, count = left < k ? left : k;
    const double *const signs = job->sketch->signs + hash((uint64_t)(2 * block)) % SECTIONS;
    const double *const wide = (const double *)job->values + first * parts + part;
    const float *const narrow = (const float *)job->values + first * parts + part;
    if (job->s->arithmetic == STN_F32)
        for (int64_t i = 0; i < count; i++)
            x[i] = signs[i] * (double)narrow[i * parts];
    else if (parts == 1)
        for (int64_t i = 0; i < count; i++)
            x[i] = signs[i] * wide[i];
    else
        for (int64_t i = 0; i < count; i++)
            x[i] = signs[i] * wide[2 * i];
    memset(x + count, 0, (size_t)(k - count) * sizeof *x);
}

static void add_block(const sketch_job *job, int64_t block, int64_t part, double *x, double *sum)
{
    const int64_t k = job->sketch->rows;
    const double *const signs = job->sketch->signs + hash((uint64_t)(2 * block + 1)) % SECTIONS;
    load(job, block, part, x);
    transform(x, k);
    for (int64_t i = 0; i < k; i++)
        sum[i] += signs[i] * x[i];
}

static void add_groups(void *context, int part, int parts)
{
    const sketch_job *const job = context;
    const stn_sketch *const sketch = job->sketch;
    const int64_t blocks = blocks_of(job->s, sketch), k = sketch->rows;
    int64_t begin, end;
    stn_share(groups_of(job->s, sketch), part, parts, &begin, &end);
    memset(sketch->sums + begin * sketch->length, 0,
           (size_t)((end - begin) * sketch->length) * sizeof(double));
    for (int64_t block = begin * GROUP; block < end * GROUP && block < blocks; block++)
        for (int64_t p = 0; p < sketch->length / k; p++)
            add_block(job, block, p, job->buffers + part * k,
                      sketch->sums + block / GROUP * sketch->length + p * k);
}

static void finish(const stn_solver_state *s, const stn_sketch *sketch, double *result)
{
    const double factor = 1.0 / sqrt((double)sketch->rows);
    memset(result, 0, (size_t)sketch->length * sizeof *result);
    for (int64_t group = 0; group < groups_of(s, sketch); group++)
        for (int64_t i = 0; i < sketch->length; i++)
            result[i] += sketch->sums[group * sketch->length + i];
    for (int64_t i = 0; i < sketch->length; i++)
        result[i] *= factor;
}

stn_status stn_sketch_of(const stn_solver_state *s, const stn_sketch *sketch, const stn_view *w,
                         double *result)
{
    const stn_exec *const exec = sketch->host ? sketch->host : s->exec;
    const int64_t groups = groups_of(s, sketch);
    const int threads = groups < exec->threads ? (int)groups : exec->threads;
    sketch_job job = {.s = s, .sketch = sketch, .values = w->data};
    if (sketch->host) {
        STN_TRY(stn_view_copy(s->exec, &sketch->on_host, w));
        STN_TRY(stn_exec_wait(s->exec));
        job.values = sketch->on_host.data;
    }
    STN_TRY(stn_allocate(&job.buffers, (threads > 0 ? threads : 1) * sketch->rows, sizeof(double),
                         "a block of a sketch"));
    stn_exec_run_parts(exec, threads > 0 ? threads : 1, add_groups, &job);
    finish(s, sketch, result);
    stn_free(job.buffers);
    return STN_OK;
}
