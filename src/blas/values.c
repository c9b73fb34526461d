/* Vectors of values: quick checks, strided loops, and sums. */
#include "blas/values.h"

#include <math.h>

#include "core/event.h"
#include "core/tune.h"
#include "core/versions.h"
#include "order/tree.h"

/* ---- vectors that are written ---- */

static int is_writable(const stn_view *x)
{
    return !stn_view_is_read_only(x) && (x->stride[0] != 0 || x->extent[0] == 1);
}

static int is_vector(const stn_blas_call *call, const stn_view *x)
{
    return stn_blas_has(call, STN_BLAS_ANY) &&
           stn_operand_is_of_values(call->exec, call->arithmetic, x) && x->extent[0] > 0 &&
           !stn_event_is_traced();
}

stn_values_way stn_values_find_one(const stn_blas_call *call, const stn_view *x)
{
    return !is_vector(call, x) || !is_writable(x) ? STN_VALUES_UNKNOWN
           : x->stride[0] == 1                    ? STN_VALUES_CONTIGUOUS
                                                  : STN_VALUES_STRIDED;
}

stn_values_way stn_values_find(const stn_blas_call *call, const stn_view *x, const stn_view *y,
                               int is_x_written)
{
    if (!is_vector(call, x) || (is_x_written && !is_writable(x)) ||
        !stn_operand_is_of_values(call->exec, call->arithmetic, y) ||
        y->extent[0] != x->extent[0] || !is_writable(y))
        return STN_VALUES_UNKNOWN;
    if (stn_memory_is_shared(stn_view_memory(x), stn_view_memory(y)))
        return STN_VALUES_UNKNOWN;
    return x->stride[0] == 1 && y->stride[0] == 1 ? STN_VALUES_CONTIGUOUS : STN_VALUES_STRIDED;
}

static int type_of(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? 0 : arithmetic == STN_F32 ? 1 : arithmetic == STN_C128 ? 2 : 3;
}

typedef struct strided_job {
    stn_strided all;
    stn_strided_loop *loop;
    int64_t bytes;
} strided_job;

static void run_share(void *context, int part, int parts)
{
    const strided_job *const job = context;
    stn_strided own = job->all;
    int64_t begin, end;
    stn_share(own.count, part, parts, &begin, &end);
    own.x = (char *)own.x + begin * own.x_stride * job->bytes;
    own.y = (char *)own.y + begin * own.y_stride * job->bytes;
    own.count = end - begin;
    job->loop(&own);
}

void stn_strided_run(const stn_blas_call *call, stn_strided_loops loops, const stn_view *x,
                     const stn_view *y, const stn_c128 *numbers, int number_count)
{
    const stn_view *const other = y ? y : x;
    strided_job job = {.loop = loops[type_of(call->arithmetic)],
                       .bytes = stn_format_entry_of(call->arithmetic)->info.bytes};
    job.all.x = x->data;
    job.all.x_stride = x->stride[0];
    job.all.y = other->data;
    job.all.y_stride = other->stride[0];
    job.all.count = x->extent[0];
    for (int k = 0; k < number_count; k++)
        job.all.numbers[k] = numbers[k];
    if (call->exec->threads == 1)
        job.loop(&job.all);
    else
        stn_exec_run_sized(call->exec, 32.0 * (double)job.all.count, run_share, &job);
}

/* ---- vectors that are read ---- */

int stn_values_read(stn_values *v, const stn_blas_call *call, const stn_view *x)
{
    const int is_wide = call->arithmetic == STN_F64 || call->arithmetic == STN_C128;
    if (!is_vector(call, x) || x->extent[0] > (int64_t)STN_VALUES_CHUNK * STN_VALUES_CHUNKS)
        return 0;
    v->part = is_wide ? STN_F64 : STN_F32;
    v->fused = stn_fused_of(v->part, v->part);
    v->x = x->data;
    v->x_stride = x->stride[0];
    v->y = NULL;
    v->y_stride = 0;
    v->count = x->extent[0];
    v->bytes = stn_format_entry_of(call->arithmetic)->info.bytes;
    return v->fused && (call->exec->threads == 1 ||
                        stn_is_for_one_thread(2.0 * (double)v->count * (double)v->bytes));
}

int stn_values_read_both(stn_values *v, const stn_blas_call *call, const stn_view *x,
                         const stn_view *y)
{
    if (!stn_values_read(v, call, x) ||
        !stn_operand_is_of_values(call->exec, call->arithmetic, y) || y->extent[0] != v->count)
        return 0;
    v->y = y->data;
    v->y_stride = y->stride[0];
    return 1;
}

static const void *gather(const char *from, int64_t stride, int64_t count, int64_t bytes,
                          void *buffer)
{
    if (stride == 1)
        return from;
    stn_move(buffer, bytes, from, stride * bytes, bytes, count);
    return buffer;
}

static const void *values_of_x(const stn_values *v, int64_t first, int64_t count, void *buffer)
{
    return gather(v->x + first * v->x_stride * v->bytes, v->x_stride, count, v->bytes, buffer);
}

/* The sum of the sums of chunks, in the order of doc/order.md. */
typedef double chunk_sum(const stn_values *v, int64_t first, int64_t count);

static double fold(const stn_values *v, int64_t chunk, chunk_sum *sum)
{
    double sums[STN_VALUES_CHUNKS];
    int64_t chunks = 0;
    if (v->count <= chunk)
        return sum(v, 0, v->count);
    for (int64_t first = 0; first < v->count; first += chunk) {
        const int64_t left = v->count - first;
        sums[chunks++] = sum(v, first, left < chunk ? left : chunk);
    }
    stn_fold_leaves(stn_add_of(v->part), sizeof *sums, sums, 1, chunks);
    return sums[0];
}

static stn_strided strided_of(const stn_values *v, int64_t first, int64_t count)
{
    return (stn_strided){.x = (char *)(uintptr_t)v->x + first * v->x_stride * v->bytes,
                         .y = (char *)(uintptr_t)v->y + first * v->y_stride * v->bytes,
                         .x_stride = v->x_stride,
                         .y_stride = v->y_stride,
                         .count = count};
}

static double dot_chunk(const stn_values *v, int64_t first, int64_t count)
{
    const stn_strided both = strided_of(v, first, count);
    return stn_value_sums_of(v->part)->dot(&both);
}

double stn_values_dot(const stn_values *v)
{
    return fold(v, STN_VALUE_CALLS_ELEMENTS, dot_chunk);
}

int stn_values_root(double sum, stn_format real, double *result)
{
    if (!(sum >= (real == STN_F64 ? 0x1p-900 : 0x1p-80)) || isinf(sum))
        return 0;
    *result = real == STN_F64 ? sqrt(sum) : (double)sqrtf((float)sum);
    return 1;
}

#define DEFINE_MAGNITUDES(T, C, absolute)                                                          \
    STN_VERSIONS static void magnitudes_##C(stn_##T *restrict to, const stn_##C *restrict from,    \
                                            int64_t count)                                         \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[k] = absolute(from[k].re) + absolute(from[k].im);                                   \
    }
DEFINE_MAGNITUDES(f64, c128, fabs)
DEFINE_MAGNITUDES(f32, c64, fabsf)

/* Magnitudes of complex elements, in the buffer, which has STN_VALUES_CHUNK elements. */
static void find_magnitudes(const stn_values *v, int64_t first, int64_t count, void *buffer)
{
    _Alignas(64) stn_c128 x[STN_VALUES_CHUNK / 4];
    const int64_t part_bytes = v->bytes / 2;
    for (int64_t k = 0, batch; k < count; k += batch) {
        const int64_t left = count - k;
        batch = left < STN_VALUES_CHUNK / 4 ? left : STN_VALUES_CHUNK / 4;
        const void *const from = values_of_x(v, first + k, batch, x);
        void *const to = (char *)buffer + k * part_bytes;
        if (v->part == STN_F64)
            magnitudes_c128(to, from, batch);
        else
            magnitudes_c64(to, from, batch);
    }
}

static int is_complex(const stn_values *v)
{
    return v->bytes > stn_arithmetic_bytes(v->part);
}

static double asum_chunk(const stn_values *v, int64_t first, int64_t count)
{
    const stn_strided one = strided_of(v, first, count);
    return stn_value_sums_of(v->part)->asum(&one);
}

static double asum_complex_chunk(const stn_values *v, int64_t first, int64_t count)
{
    static const stn_affine plain = {.scale = 1.0, .inverse = 1.0, .plain = 1};
    _Alignas(64) double x[STN_VALUES_CHUNK];
    find_magnitudes(v, first, count, x);
    return v->fused->sum(x, &plain, count);
}

double stn_values_asum(const stn_values *v)
{
    return is_complex(v) ? fold(v, STN_VALUES_CHUNK, asum_complex_chunk)
                         : fold(v, STN_VALUE_CALLS_ELEMENTS, asum_chunk);
}

typedef int64_t __attribute__((may_alias)) bits_f64;
typedef int32_t __attribute__((may_alias)) bits_f32;

/* Magnitudes are compared as integers, without their sign: a NaN is larger than every number. */
#define DEFINE_LARGEST(T, word, sign)                                                              \
    STN_VERSIONS static word largest_##T(const word *x, int64_t count)                             \
    {                                                                                              \
        word largest = 0;                                                                          \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const word bits = x[k] & sign;                                                         \
            largest = bits > largest ? bits : largest;                                             \
        }                                                                                          \
        return largest;                                                                            \
    }                                                                                              \
    /* The index of the first element with at least this magnitude; there is one. */               \
    STN_VERSIONS static int64_t first_##T(const word *x, word largest, int64_t count)              \
    {                                                                                              \
        int64_t k = 0;                                                                             \
        for (word reached = 0; k + STN_LANES <= count; k += STN_LANES) {                           \
            for (int64_t l = 0; l < STN_LANES; l++)                                                \
                reached |= (x[k + l] & sign) >= largest;                                           \
            if (reached)                                                                           \
                break;                                                                             \
        }                                                                                          \
        while ((x[k] & sign) < largest)                                                            \
            k++;                                                                                   \
        return k;                                                                                  \
    }                                                                                              \
    static int64_t iamax_##T(const stn_values *v, word nan)                                        \
    {                                                                                              \
        _Alignas(64) double buffer[STN_VALUES_CHUNK];                                              \
        int64_t found = 0;                                                                         \
        word most = 0;                                                                             \
        for (int64_t first = 0; first < v->count && most < nan; first += STN_VALUES_CHUNK) {       \
            const int64_t left = v->count - first,                                                 \
                          count = left < STN_VALUES_CHUNK ? left : STN_VALUES_CHUNK;               \
            const word *x = (const word *)(void *)buffer;                                          \
            if (is_complex(v))                                                                     \
                find_magnitudes(v, first, count, buffer);                                          \
            else                                                                                   \
                x = values_of_x(v, first, count, buffer);                                          \
            const word largest = largest_##T(x, count);                                            \
            if (largest > most) {                                                                  \
                most = largest;                                                                    \
                found = first + first_##T(x, largest < nan ? largest : nan, count);                \
            }                                                                                      \
        }                                                                                          \
        return found;                                                                              \
    }
DEFINE_LARGEST(f64, bits_f64, INT64_MAX)
DEFINE_LARGEST(f32, bits_f32, INT32_MAX)

int64_t stn_values_iamax(const stn_values *v)
{
    const int64_t wide_infinity = (int64_t)0x7ff << 52;
    const int32_t infinity = 0xff << 23;
    return v->part == STN_F64 ? iamax_f64(v, wide_infinity + 1) : iamax_f32(v, infinity + 1);
}
