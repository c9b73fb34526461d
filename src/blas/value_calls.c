/* Level 1 without views: loops and sums in the floating-point modes of the library. */
#include "blas/value_calls.h"

#include <math.h>

#include "blas/complex.h"
#include "blas/values.h"
#include "core/event.h"
#include "core/modes.h"
#include "order/tree.h"

#define STN_TEMPLATE      stn_value_sums
#define STN_TEMPLATE_TYPE const stn_value_sums
#include "format/arithmetic_table.h"

const stn_value_sums *stn_value_sums_of(stn_format real)
{
    return loops[stn_isa_chosen()][real == STN_F32];
}

static void run(stn_strided_loop *loop, const stn_strided *job)
{
    const stn_modes saved = stn_modes_enter();
    loop(job);
    stn_modes_leave(saved);
}

/* ---- real vectors ---- */

static int nrm2_real(const stn_strided *job, int is_wide, double *result)
{
    const stn_modes saved = stn_modes_enter();
    stn_strided both = *job;
    both.y = job->x;
    both.y_stride = job->x_stride;
    const int is_found = stn_values_root(loops[stn_isa_chosen()][!is_wide]->dot(&both),
                                         is_wide ? STN_F64 : STN_F32, result);
    stn_modes_leave(saved);
    return is_found;
}

static int nrm2_f64(const stn_strided *job, double *result)
{
    return nrm2_real(job, 1, result);
}

static int nrm2_f32(const stn_strided *job, double *result)
{
    return nrm2_real(job, 0, result);
}

/* ---- complex vectors ---- */

/* Elements of a tile, in place or in the buffer. */
static const void *tile_of(const void *x, int64_t stride, int64_t tile, int64_t count,
                           int64_t bytes, void *buffer)
{
    const char *const first = (const char *)x + tile * STN_TILE_ELEMENTS * stride * bytes;
    if (stride == 1)
        return first;
    stn_move(buffer, bytes, first, stride * bytes, bytes, count);
    return buffer;
}

static stn_c128 dot_complex(const stn_strided *job, stn_format arithmetic, int is_conjugated)
{
    const stn_complex_loops *const of = stn_complex_loops_of(arithmetic);
    const int is_wide = arithmetic == STN_C128;
    const int64_t bytes = is_wide ? sizeof(stn_c128) : sizeof(stn_c64);
    _Alignas(64) stn_c128 x[STN_TILE_ELEMENTS], y[STN_TILE_ELEMENTS];
    double sums[2 * STN_VALUE_CALLS_TILES];
    int64_t tiles = 0;
    for (int64_t left = job->count; left > 0; left -= STN_TILE_ELEMENTS, tiles++) {
        const int64_t count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        of->rows(sums + 2 * tiles, tile_of(job->x, job->x_stride, tiles, count, bytes, x), 0, 0, 1,
                 tile_of(job->y, job->y_stride, tiles, count, bytes, y), count, is_conjugated);
    }
    if (tiles > 1)
        stn_fold_leaves(stn_add_of(is_wide ? STN_F64 : STN_F32), sizeof *sums, sums, 2, tiles);
    return stn_c128_of(sums[0], sums[1]);
}

static int nrm2_complex(const stn_strided *job, stn_format arithmetic, double *result)
{
    const stn_complex_loops *const of = stn_complex_loops_of(arithmetic);
    const stn_format real = arithmetic == STN_C128 ? STN_F64 : STN_F32;
    const int64_t bytes = arithmetic == STN_C128 ? sizeof(stn_c128) : sizeof(stn_c64);
    _Alignas(64) stn_c128 x[STN_TILE_ELEMENTS];
    double sums[STN_VALUE_CALLS_TILES];
    int64_t tiles = 0;
    for (int64_t left = job->count; left > 0; left -= STN_TILE_ELEMENTS, tiles++) {
        const int64_t count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        sums[tiles] = of->squares(tile_of(job->x, job->x_stride, tiles, count, bytes, x), count);
    }
    if (tiles > 1)
        stn_fold_leaves(stn_add_of(real), sizeof *sums, sums, 1, tiles);
    return stn_values_root(sums[0], real, result);
}

#define DEFINE_COMPLEX(T, arithmetic)                                                              \
    static stn_c128 dot_##T(const stn_strided *job, int is_conjugated)                             \
    {                                                                                              \
        const stn_modes saved = stn_modes_enter();                                                 \
        const stn_c128 sum = dot_complex(job, arithmetic, is_conjugated);                          \
        stn_modes_leave(saved);                                                                    \
        return sum;                                                                                \
    }                                                                                              \
    static int nrm2_##T(const stn_strided *job, double *result)                                    \
    {                                                                                              \
        const stn_modes saved = stn_modes_enter();                                                 \
        const int is_found = nrm2_complex(job, arithmetic, result);                                \
        stn_modes_leave(saved);                                                                    \
        return is_found;                                                                           \
    }
DEFINE_COMPLEX(c128, STN_C128)
DEFINE_COMPLEX(c64, STN_C64)

/* Contiguous vectors by vectors of pairs. */
#define DEFINE_AXPY(T, arithmetic)                                                                 \
    static void axpy_##T(const stn_strided *job)                                                   \
    {                                                                                              \
        stn_strided both = *job;                                                                   \
        both.numbers[1] = stn_c128_of(1.0, 0.0);                                                   \
        if (job->x_stride == 1 && job->y_stride == 1)                                              \
            stn_complex_loops_of(arithmetic)->axpy(job->y, job->x, job->numbers[0], job->count);   \
        else                                                                                       \
            stn_strided_axpby[arithmetic == STN_C128 ? 2 : 3](&both);                              \
    }                                                                                              \
    static stn_strided_loop *const axpy_of_##T = axpy_##T;
DEFINE_AXPY(c128, STN_C128)
DEFINE_AXPY(c64, STN_C64)

/* ---- all vectors ---- */

static stn_values values_of(const stn_strided *job, stn_format part, int64_t bytes)
{
    return (stn_values){.fused = stn_fused_of(part, part),
                        .part = part,
                        .x = job->x,
                        .x_stride = job->x_stride,
                        .count = job->count,
                        .bytes = bytes};
}

#define DEFINE_MAGNITUDES(T, part)                                                                 \
    static double asum_##T(const stn_strided *job)                                                 \
    {                                                                                              \
        const stn_values values = values_of(job, part, sizeof(stn_##T));                           \
        const stn_modes saved = stn_modes_enter();                                                 \
        const double sum = stn_values_asum(&values);                                               \
        stn_modes_leave(saved);                                                                    \
        return sum;                                                                                \
    }                                                                                              \
    static int64_t iamax_##T(const stn_strided *job)                                               \
    {                                                                                              \
        const stn_values values = values_of(job, part, sizeof(stn_##T));                           \
        const stn_modes saved = stn_modes_enter();                                                 \
        const int64_t index = stn_values_iamax(&values);                                           \
        stn_modes_leave(saved);                                                                    \
        return index;                                                                              \
    }
DEFINE_MAGNITUDES(f64, STN_F64)
DEFINE_MAGNITUDES(f32, STN_F32)
DEFINE_MAGNITUDES(c128, STN_F64)
DEFINE_MAGNITUDES(c64, STN_F32)

#define CALLS(T, dot, axpy, parts, k)                                                              \
    {                                                                                              \
        run, axpy, stn_strided_axpby + (k), stn_strided_scal + (k), stn_strided_##parts + (k),     \
            stn_strided_swap + (k), stn_strided_rot + (k), dot, nrm2_##T, asum_##T, iamax_##T      \
    }
static const stn_value_calls calls[] = {
    CALLS(f64, NULL, stn_strided_axpy, scal, 0), CALLS(f32, NULL, stn_strided_axpy + 1, scal, 1),
    CALLS(c128, dot_c128, &axpy_of_c128, parts, 2), CALLS(c64, dot_c64, &axpy_of_c64, parts, 3)};

const stn_value_calls *stn_value_calls_of(stn_format arithmetic, const stn_value_sums **sums)
{
    const int is_narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    *sums = loops[stn_isa_chosen()][is_narrow];
    if (!*sums || stn_event_is_traced())
        return NULL;
    return &calls[is_narrow + (stn_blas_is_complex(arithmetic) ? 2 : 0)];
}
