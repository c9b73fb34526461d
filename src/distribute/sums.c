/* Sums over all ranks in the order of doc/order.md. Each rank computes the sums of the aligned
 * blocks of granules of which its rows consist. Merging two adjacent ranges combines the blocks
 * that have become complete, so that the result does not depend on the number of ranks. */
#include <math.h>
#include <string.h>

#include "blas/call.h"
#include "core/memory.h"
#include "core/modes.h"
#include "distribute/partition.h"
#include "order/tree.h"
#include "reduce/job.h"
#include "steno/blas.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(scaled_squares, products, (real(factor), in(x)), x * factor, x * factor)
STN_REDUCE_COMPLEX(length, norm2, (in(x)), x)
/* clang-format on */

/* Granules begin, ..., end - 1; the rows of the sums of their largest aligned blocks follow. */
typedef struct range {
    int64_t begin, end;
    double sums[];
} range;

/* log2 of the granules of the largest aligned block of begin, ..., end - 1 that starts at `begin`.
 */
static int scale_of(int64_t begin, int64_t end)
{
    int scale = begin > 0 ? __builtin_ctzll((uint64_t)begin) : 62;
    while ((int64_t)1 << scale > end - begin)
        scale--;
    return scale;
}

typedef struct sum_job {
    const stn_partition *partition;
    stn_combine *combine;
    int64_t width;
} sum_job;

/* Joins an adjacent range that follows. */
static stn_status merge_ranges(void *context, void *left, const void *right)
{
    const sum_job *const job = context;
    range *const to = left;
    const range *const from = right;
    stn_tree tree;
    if (from->begin == from->end)
        return STN_OK;
    if (to->begin == to->end)
        to->begin = to->end = from->begin;
    stn_tree_begin(&tree, job->combine, sizeof(double), job->width, to->sums, to->end);
    for (int64_t at = to->begin; at < to->end; at += (int64_t)1 << tree.scale[tree.blocks++])
        tree.scale[tree.blocks] = (int8_t)scale_of(at, to->end);
    const double *sums = from->sums;
    for (int64_t at = from->begin; at < from->end; sums += job->width) {
        const int scale = scale_of(at, from->end);
        stn_tree_push(&tree, sums, scale);
        at += (int64_t)1 << scale;
    }
    to->end = from->end;
    return STN_OK;
}

static void fold(const sum_job *job, range *all, double *sums)
{
    stn_tree tree;
    memset(sums, 0, (size_t)job->width * sizeof *sums);
    if (all->begin == all->end)
        return;
    stn_tree_begin(&tree, job->combine, sizeof(double), job->width, all->sums, all->end);
    for (int64_t at = all->begin; at < all->end; at += (int64_t)1 << tree.scale[tree.blocks++])
        tree.scale[tree.blocks] = (int8_t)scale_of(at, all->end);
    memcpy(sums, stn_tree_fold(&tree), (size_t)job->width * sizeof *sums);
}

/* Sums of the blocks of this rank. */
static stn_status sum_blocks(const sum_job *job, stn_block_sums *of, void *context, range *mine)
{
    const stn_partition *const p = job->partition;
    const int64_t rows = p->tiles * STN_TILE_ELEMENTS, first = stn_partition_first(p);
    const int64_t count = stn_partition_count(p);
    double *sums = mine->sums;
    mine->begin = first / rows;
    mine->end = count == 0 ? mine->begin : (first + count - 1) / rows + 1;
    for (int64_t at = mine->begin; at < mine->end; sums += job->width) {
        const int scale = scale_of(at, mine->end);
        const int64_t begin = at * rows - first, left = count - begin;
        const int64_t whole = rows > left >> scale ? left : rows << scale;
        STN_TRY(of(context, begin, whole < left ? whole : left, sums));
        at += (int64_t)1 << scale;
    }
    return STN_OK;
}

static stn_status sum_in(const sum_job *job, stn_block_sums *of, void *context, range *mine,
                         int64_t bytes, double *sums)
{
    memset(mine, 0, (size_t)bytes);
    STN_TRY(sum_blocks(job, of, context, mine));
    STN_TRY(
        stn_comm_reduce(job->partition->comm, mine, bytes, merge_ranges, (void *)(uintptr_t)job));
    fold(job, mine, sums);
    return STN_OK;
}

stn_status stn_partition_sum(const stn_partition *p, stn_format arithmetic, int64_t width,
                             stn_block_sums *of, void *context, double *sums)
{
    const sum_job job = {p, stn_add_of(arithmetic), width};
    const int64_t bytes = (int64_t)sizeof(range) + p->blocks * width * (int64_t)sizeof(double);
    _Alignas(16) char buffer[STN_COMM_SHORT];
    range *mine = (range *)(void *)buffer;
    if (bytes > (int64_t)sizeof buffer)
        STN_TRY(stn_allocate(&mine, bytes, 1, "sums of a distributed vector"));
    const stn_status status = sum_in(&job, of, context, mine, bytes, sums);
    if ((char *)mine != buffer)
        stn_free(mine);
    return status;
}

/* ---- dot products and norms ---- */

typedef struct product_job {
    const stn_exec *exec;
    stn_format arithmetic;
    int64_t parts; /* elements of a row */
    const stn_view *x, *y;
    double factor; /* of the elements of norms */
} product_job;

static stn_status rows_of(const product_job *job, const stn_view *view, int64_t first,
                          int64_t count, stn_view *rows)
{
    const stn_slice part = stn_slice_range(job->parts * first, job->parts * (first + count));
    return stn_view_slice(rows, view, 1, &part);
}

static stn_status dot_block(void *context, int64_t first, int64_t count, double *sums)
{
    const product_job *const job = context;
    stn_view x, y;
    STN_TRY(rows_of(job, job->x, first, count, &x));
    if (job->factor != 1.0)
        return scaled_squares_reduce(job->exec, job->arithmetic, sums, job->factor, &x);
    STN_TRY(rows_of(job, job->y, first, count, &y));
    return stn_dot(job->exec, job->arithmetic, sums, &x, &y);
}

stn_status stn_partition_dot(const stn_partition *p, const stn_exec *exec, stn_format arithmetic,
                             int parts, double *result, const stn_view *x, const stn_view *y)
{
    product_job job = {exec, arithmetic, parts, x, y, 1.0};
    if (!p)
        return stn_dot(exec, arithmetic, result, x, y);
    return stn_partition_sum(p, arithmetic, 1, dot_block, &job, result);
}

static stn_status dotc_block(void *context, int64_t first, int64_t count, double *sums)
{
    const product_job *const job = context;
    stn_view x, y;
    stn_c128 sum;
    STN_TRY(rows_of(job, job->x, first, count, &x));
    STN_TRY(rows_of(job, job->y, first, count, &y));
    STN_TRY(stn_dotc(job->exec, job->arithmetic, &sum, &x, &y));
    sums[0] = sum.re;
    sums[1] = sum.im;
    return STN_OK;
}

stn_status stn_partition_dotc(const stn_partition *p, const stn_exec *exec, stn_format arithmetic,
                              stn_c128 *result, const stn_view *x, const stn_view *y)
{
    product_job job = {exec, arithmetic, 1, x, y, 1.0};
    double sums[2];
    if (!p)
        return stn_dotc(exec, arithmetic, result, x, y);
    STN_TRY(
        stn_partition_sum(p, arithmetic == STN_C64 ? STN_F32 : STN_F64, 2, dotc_block, &job, sums));
    *result = stn_c128_of(sums[0], sums[1]);
    return STN_OK;
}

/* The index of the scale in which the sum of squares is in range. */
static int range_of(stn_format arithmetic, double square)
{
    const float narrow = (float)square;
    return arithmetic == STN_F32 ? stn_norm_range(arithmetic, &narrow)
                                 : stn_norm_range(arithmetic, &square);
}

typedef stn_status merge_function(stn_partial *left, const stn_partial *right);

static stn_status merge_parts(void *context, void *left, const void *right)
{
    merge_function *const *const merge = context;
    return (*merge)(left, right);
}

/* The first term of a lane is no product as in dotc_block. */
static stn_status complex_nrm2(const stn_partition *p, const stn_exec *exec, stn_format arithmetic,
                               double *result, const stn_view *x)
{
    merge_function *merge = length_reduce_merge;
    stn_partial part;
    STN_TRY(length_reduce_part(exec, arithmetic, stn_partition_first(p), &part, x));
    STN_TRY(stn_comm_reduce(p->comm, &part, sizeof part, merge_parts, &merge));
    return length_reduce_finish(&part, result);
}

stn_status stn_partition_nrm2(const stn_partition *p, const stn_exec *exec, stn_format arithmetic,
                              int parts, double *result, const stn_view *x)
{
    product_job job = {exec, arithmetic, parts, x, x, 1.0};
    double square;
    if (!p)
        return stn_nrm2(exec, arithmetic, result, x);
    if (stn_blas_is_complex(arithmetic))
        return complex_nrm2(p, exec, arithmetic, result, x);
    STN_TRY(stn_partition_sum(p, arithmetic, 1, dot_block, &job, &square));
    const int which = range_of(arithmetic, square);
    job.factor = stn_norm_scale_of(arithmetic, which);
    if (which != 0)
        STN_TRY(stn_partition_sum(p, arithmetic, 1, dot_block, &job, &square));
    *result = arithmetic == STN_F32 ? (double)(sqrtf((float)square) / (float)job.factor)
                                    : sqrt(square) / job.factor;
    return STN_OK;
}

/* ---- other operations, whose order does not matter ---- */

static stn_status add_counts(void *context, void *left, const void *right)
{
    int64_t sum, more;
    (void)context;
    memcpy(&sum, left, sizeof sum);
    memcpy(&more, right, sizeof more);
    sum += more;
    memcpy(left, &sum, sizeof sum);
    return STN_OK;
}

stn_status stn_partition_count_all(const stn_partition *p, int64_t *count)
{
    return p ? stn_comm_reduce(p->comm, count, sizeof *count, add_counts, NULL) : STN_OK;
}

stn_status stn_partition_agree(const stn_partition *p)
{
    int64_t nothing = 0;
    return stn_partition_count_all(p, &nothing);
}

static stn_status keep_larger(void *context, void *left, const void *right)
{
    double a, b;
    (void)context;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    if (b > a || isnan(b))
        memcpy(left, right, sizeof b);
    return STN_OK;
}

stn_status stn_partition_max(const stn_partition *p, double *number)
{
    return p ? stn_comm_reduce(p->comm, number, sizeof *number, keep_larger, NULL) : STN_OK;
}

/* ---- public functions ---- */

enum { REAL = 1, COMPLEX = 2 };

static stn_status expect(const char *call, int kinds, stn_format arithmetic, const void *result,
                         const stn_partition *p, const stn_view *x)
{
    if (!result || !x)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, x ? "result" : "a view");
    const int is_real = arithmetic == STN_F64 || arithmetic == STN_F32;
    if (!((is_real && (kinds & REAL)) || (stn_blas_is_complex(arithmetic) && (kinds & COMPLEX))))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the arithmetic type must be %s", call,
                        kinds == REAL      ? "f64 or f32"
                        : kinds == COMPLEX ? "c128 or c64"
                                           : "f64, f32, c128 or c64");
    if (x->rank != 1 || x->extent[0] != stn_partition_count(p))
        return stn_fail(STN_ERR_SHAPE, "%s: a view does not have the %lld rows of this rank", call,
                        (long long)stn_partition_count(p));
    return STN_OK;
}

static stn_status dot(const stn_exec *exec, stn_format arithmetic, double *result,
                      const stn_partition *p, const stn_view *x, const stn_view *y)
{
    static const char call[] = "stn_distributed_dot";
    if (!p)
        return stn_fail(STN_ERR_ARGUMENT, "%s: partition is NULL", call);
    stn_comm_begin(p->comm);
    stn_status status = expect(call, REAL, arithmetic, result, p, x);
    if (status == STN_OK)
        status = expect(call, REAL, arithmetic, result, p, y);
    if (status == STN_OK)
        status = stn_partition_dot(p, exec, arithmetic, 1, result, x, y);
    return stn_comm_end(p->comm, status, STN_COMM_ENDS_ALONE);
}

stn_status stn_distributed_dot(const stn_exec *exec, stn_format arithmetic, double *result,
                               const stn_partition *partition, const stn_view *x, const stn_view *y)
{
    STN_RETURN_IN_MODES(dot(exec, arithmetic, result, partition, x, y));
}

static stn_status dotc(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                       const stn_partition *p, const stn_view *x, const stn_view *y)
{
    static const char call[] = "stn_distributed_dotc";
    if (!p)
        return stn_fail(STN_ERR_ARGUMENT, "%s: partition is NULL", call);
    stn_comm_begin(p->comm);
    stn_status status = expect(call, COMPLEX, arithmetic, result, p, x);
    if (status == STN_OK)
        status = expect(call, COMPLEX, arithmetic, result, p, y);
    if (status == STN_OK)
        status = stn_partition_dotc(p, exec, arithmetic, result, x, y);
    return stn_comm_end(p->comm, status, STN_COMM_ENDS_ALONE);
}

stn_status stn_distributed_dotc(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                                const stn_partition *partition, const stn_view *x,
                                const stn_view *y)
{
    STN_RETURN_IN_MODES(dotc(exec, arithmetic, result, partition, x, y));
}

static stn_status nrm2(const stn_exec *exec, stn_format arithmetic, double *result,
                       const stn_partition *p, const stn_view *x)
{
    static const char call[] = "stn_distributed_nrm2";
    if (!p)
        return stn_fail(STN_ERR_ARGUMENT, "%s: partition is NULL", call);
    stn_comm_begin(p->comm);
    stn_status status = expect(call, REAL | COMPLEX, arithmetic, result, p, x);
    if (status == STN_OK)
        status = stn_partition_nrm2(p, exec, arithmetic, 1, result, x);
    return stn_comm_end(p->comm, status, STN_COMM_ENDS_ALONE);
}

stn_status stn_distributed_nrm2(const stn_exec *exec, stn_format arithmetic, double *result,
                                const stn_partition *partition, const stn_view *x)
{
    STN_RETURN_IN_MODES(nrm2(exec, arithmetic, result, partition, x));
}

stn_status stn_distributed_merge(stn_comm *comm, stn_partial *part,
                                 stn_status (*merge)(stn_partial *left, const stn_partial *right))
{
    if (!comm || !part || !merge)
        return stn_fail(STN_ERR_ARGUMENT, "stn_distributed_merge: %s is NULL",
                        !comm   ? "comm"
                        : !part ? "part"
                                : "merge");
    return stn_comm_allreduce(comm, part, sizeof *part, merge_parts, &merge);
}
