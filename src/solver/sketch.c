/* The block Hadamard map. The host computes the sketches of all executors, in f64. */
#include "solver/sketch.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/versions.h"
#include "exec/exec.h"
#include "steno/detail/tile.h"

enum {
    MIN_ROWS = 64,
    PER_DIMENSION = 8, /* rows per dimension: 1024 for 100 vectors */
    MAX_PIECES = 64,   /* aligned powers of two of blocks, each added by one thread */
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
    while (rows < PER_DIMENSION * dimension && rows < s->rows)
        rows *= 2;
    if (s->partition && s->partition->tiles * STN_TILE_ELEMENTS % rows != 0)
        return stn_fail(STN_ERR_SHAPE,
                        "stn_solve: STN_ORTHOGONALIZATION_SKETCHED with restart %lld requires that "
                        "the first row of each rank is a multiple of %lld: see "
                        "stn_partition_create_aligned",
                        (long long)s->restart, (long long)rows);
    sketch->rows = rows;
    sketch->length = stn_solver_is_complex(s) ? 2 * rows : rows;
    STN_TRY(stn_allocate(&sketch->signs, SECTIONS + rows, sizeof *sketch->signs, "random signs"));
    for (int64_t i = 0; i < SECTIONS + rows; i++)
        sketch->signs[i] = hash((uint64_t)i) >> 63 ? -1.0 : 1.0;
    STN_TRY(stn_allocate(&sketch->sums, MAX_PIECES * sketch->length, sizeof *sketch->sums,
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

/* The levels of butterflies of distances h and 2 h. */
STN_FN void add_two_levels(double *x, int64_t count, int64_t h)
{
    for (int64_t first = 0; first < count; first += 4 * h) {
        double *const y = x + first;
        STN_APART
        for (int64_t i = 0; i < h; i++) {
            const double a = y[i] + y[i + h], b = y[i] - y[i + h];
            const double c = y[i + 2 * h] + y[i + 3 * h], d = y[i + 2 * h] - y[i + 3 * h];
            y[i] = a + c;
            y[i + h] = b + d;
            y[i + 2 * h] = a - c;
            y[i + 3 * h] = b - d;
        }
    }
}

/* x = H x, without the factor 1 / sqrt(count); count is at least MIN_ROWS. */
STN_FN void transform(double *x, int64_t count)
{
    int64_t h = 16;
    add_two_levels(x, count, 1);
    add_two_levels(x, count, 4);
    for (; 4 * h <= count; h *= 4)
        add_two_levels(x, count, h);
    for (; 2 * h <= count; h *= 2)
        STN_APART
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
    int64_t offset;        /* number of blocks of previous ranks */
    int64_t begin, blocks; /* those that are added */
    int64_t piece;         /* blocks of a piece */
    int levels;            /* sketches in the buffer of a thread */
    double *buffers;
} sketch_job;

static int64_t blocks_of(const stn_sketch *sketch, int64_t rows)
{
    return (rows + sketch->rows - 1) / sketch->rows;
}

/* Random signs before (0) and after (1) the transform of a block. */
static const double *signs_of(const sketch_job *job, int64_t block, int is_after)
{
    return job->sketch->signs + hash((uint64_t)(2 * (job->offset + block) + is_after)) % SECTIONS;
}

/* Elements of a block, multiplied by signs; `part` of complex numbers. */
STN_FN void load(const sketch_job *job, int64_t block, int64_t part, double *x)
{
    const int64_t k = job->sketch->rows, parts = job->sketch->length / k, first = block * k;
    const int64_t left = job->s->n - first, count = left < k ? left : k;
    const double *const signs = signs_of(job, block, 0);
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

STN_VERSIONS static void sketch_block(const sketch_job *job, int64_t block, double *x)
{
    const int64_t k = job->sketch->rows;
    const double *const signs = signs_of(job, block, 1);
    for (int64_t part = 0; part < job->sketch->length / k; part++) {
        load(job, block, part, x + part * k);
        transform(x + part * k, k);
        for (int64_t i = 0; i < k; i++)
            x[part * k + i] *= signs[i];
    }
}

STN_VERSIONS static void add_sketch(double *restrict sum, const double *restrict more,
                                    int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += more[i];
}

/* The largest power of two that is less than `count`. */
static int64_t left_of(int64_t count)
{
    int64_t left = 1;
    while (2 * left < count)
        left *= 2;
    return left;
}

/* The sum of blocks; `buffer` has a sketch for each level below the first. */
static void add_blocks(const sketch_job *job, int64_t first, int64_t count, double *sum,
                       double *buffer)
{
    const int64_t left = left_of(count), length = job->sketch->length;
    if (count == 1) {
        sketch_block(job, first, sum);
        return;
    }
    add_blocks(job, first, left, sum, buffer + length);
    add_blocks(job, first + left, count - left, buffer, buffer + length);
    add_sketch(sum, buffer, length);
}

static int64_t pieces_of(const sketch_job *job)
{
    return (job->blocks + job->piece - 1) / job->piece;
}

static void add_pieces(void *context, int part, int parts)
{
    const sketch_job *const job = context;
    const int64_t length = job->sketch->length;
    int64_t begin, end;
    stn_share(pieces_of(job), part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k++) {
        const int64_t first = k * job->piece, left = job->blocks - first;
        add_blocks(job, job->begin + first, left < job->piece ? left : job->piece,
                   job->sketch->sums + k * length, job->buffers + part * job->levels * length);
    }
}

/* Replaces the first of `count` pieces by their sum. */
static void fold(double *sums, int64_t count, int64_t length)
{
    const int64_t left = left_of(count);
    if (count == 1)
        return;
    fold(sums, left, length);
    fold(sums + left * length, count - left, length);
    add_sketch(sums, sums + left * length, length);
}

/* The sum of the blocks of some rows of this rank. */
static stn_status sketch_rows(void *context, int64_t first, int64_t count, double *sums)
{
    sketch_job *const job = context;
    const stn_sketch *const sketch = job->sketch;
    const stn_exec *const exec = sketch->host ? sketch->host : job->s->exec;
    job->begin = first / sketch->rows;
    job->blocks = blocks_of(sketch, count);
    job->levels = 1;
    for (job->piece = 1; job->piece * MAX_PIECES < job->blocks; job->piece *= 2)
        job->levels++;
    const int64_t pieces = pieces_of(job);
    const int threads = pieces < exec->threads ? (int)pieces : exec->threads;
    memset(sums, 0, (size_t)sketch->length * sizeof *sums);
    if (pieces == 0)
        return STN_OK;
    STN_TRY(stn_allocate(&job->buffers, threads * job->levels * sketch->length, sizeof(double),
                         "blocks of a sketch"));
    stn_exec_run_parts(exec, threads, add_pieces, job);
    stn_free(job->buffers);
    fold(sketch->sums, pieces, sketch->length);
    memcpy(sums, sketch->sums, (size_t)sketch->length * sizeof *sums);
    return STN_OK;
}

stn_status stn_sketch_of(const stn_solver_state *s, const stn_sketch *sketch, const stn_view *w,
                         double *result)
{
    const double factor = 1.0 / sqrt((double)sketch->rows);
    sketch_job job = {.s = s, .sketch = sketch, .values = w->data};
    if (sketch->host) {
        STN_TRY(stn_view_copy(s->exec, &sketch->on_host, w));
        STN_TRY(stn_exec_wait(s->exec));
        job.values = sketch->on_host.data;
    }
    if (s->partition)
        job.offset = stn_partition_first(s->partition) / sketch->rows;
    STN_TRY(s->partition ? stn_partition_sum(s->partition, STN_F64, sketch->length, sketch_rows,
                                             &job, result)
                         : sketch_rows(&job, 0, s->n, result));
    for (int64_t i = 0; i < sketch->length; i++)
        result[i] *= factor;
    return STN_OK;
}
