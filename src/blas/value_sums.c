/* Sums of short vectors of values of type STN_FORMAT, f64 or f32, at any increments, for
 * STN_ISA. */
#include "blas/value_calls.h"
#include "blas/value_lines.h"
#include "core/modes.h"
#include "format/vec.h"
#include "order/fold.h"

#include "order/vector.h"

enum { REGISTERS = STN_LANES / STN_WIDTH };

#define TWO(x, k, step)     x[(k)*step], x[((k) + 1) * step]
#define FOUR(x, k, step)    TWO(x, k, step), TWO(x, (k) + 2, step)
#define EIGHT(x, k, step)   FOUR(x, k, step), FOUR(x, (k) + 4, step)
#define SIXTEEN(x, k, step) EIGHT(x, k, step), EIGHT(x, (k) + 8, step)

STN_FN vector collect(const value *x, int64_t step)
{
    if (step == 1)
        return load(x);
#if STN_WIDTH == 2
    return (vector){TWO(x, 0, step)};
#elif STN_WIDTH == 4
    return (vector){FOUR(x, 0, step)};
#elif STN_WIDTH == 8
    return (vector){EIGHT(x, 0, step)};
#else
    return (vector){SIXTEEN(x, 0, step)};
#endif
}

/* The first `count` values, followed by zeros. */
STN_FN vector collect_some(const value *x, int64_t step, int64_t count)
{
    value some[STN_WIDTH] = {0};
    if (step == 1)
        return load_some(x, count);
    for (int64_t k = 0; k < count; k++)
        some[k] = x[k * step];
    return load(some);
}

/* lane + x * y, or lane + |x|. */
STN_FN vector add_one(vector lane, vector x, vector y, int is_product)
{
    return is_product ? STN_OF(v_fma)(x, y, lane) : STN_OF(v_add)(lane, STN_ABSOLUTE(x));
}

/* The sum of up to a tile. The first products of lanes are added to -0, which leaves them
 * unchanged; -0 is also the sum of a lane without elements. */
STN_FN value sum_tile(const value *x, int64_t x_step, const value *y, int64_t y_step, int64_t count,
                      int is_product)
{
    vector lanes[REGISTERS];
#pragma GCC unroll 16
    for (int r = 0; r < REGISTERS; r++)
        lanes[r] = STN_OF(v_set)((value)-0.0);
    for (; count >= STN_LANES; count -= STN_LANES) {
#pragma GCC unroll 16
        for (int r = 0; r < REGISTERS; r++)
            lanes[r] = add_one(lanes[r], collect(x + r * STN_WIDTH * x_step, x_step),
                               collect(y + r * STN_WIDTH * y_step, y_step), is_product);
        x += STN_LANES * x_step;
        y += STN_LANES * y_step;
    }
#pragma GCC unroll 16
    for (int r = 0; r < REGISTERS; r++) {
        const int64_t left = count - r * STN_WIDTH;
        if (left >= STN_WIDTH)
            lanes[r] = add_one(lanes[r], collect(x + r * STN_WIDTH * x_step, x_step),
                               collect(y + r * STN_WIDTH * y_step, y_step), is_product);
        else if (left > 0)
            lanes[r] = STN_OF(v_first)(
                add_one(lanes[r], collect_some(x + r * STN_WIDTH * x_step, x_step, left),
                        collect_some(y + r * STN_WIDTH * y_step, y_step, left), is_product),
                lanes[r], left);
    }
    add_registers(lanes, REGISTERS);
    return (value)STN_OF(v_sum)(lanes[0]);
}

STN_FN double sum_tiles(const stn_strided *job, int64_t x_step, int64_t y_step, int is_product)
{
    const value *x = job->x, *y = is_product ? job->y : job->x;
    int64_t left = job->count, tiles = 0;
    value leaves[STN_VALUE_CALLS_TILES];
    if (left <= STN_TILE_ELEMENTS)
        return (double)sum_tile(x, x_step, y, y_step, left, is_product);
    for (; left > 0; left -= STN_TILE_ELEMENTS) {
        leaves[tiles++] = sum_tile(x, x_step, y, y_step,
                                   left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS, is_product);
        x += STN_TILE_ELEMENTS * x_step;
        y += STN_TILE_ELEMENTS * y_step;
    }
    return (double)STN_OF(fold_leaves)(leaves, tiles);
}

static double dot(const stn_strided *job)
{
    const stn_modes saved = stn_modes_enter();
    const double sum = job->x_stride == 1 && job->y_stride == 1
                           ? sum_tiles(job, 1, 1, 1)
                           : sum_tiles(job, job->x_stride, job->y_stride, 1);
    stn_modes_leave(saved);
    return sum;
}

static double asum(const stn_strided *job)
{
    const stn_modes saved = stn_modes_enter();
    const double sum = job->x_stride == 1 ? sum_tiles(job, 1, 1, 0)
                                          : sum_tiles(job, job->x_stride, job->x_stride, 0);
    stn_modes_leave(saved);
    return sum;
}

extern const stn_line_loops STN_INSTANCE(stn_line_loops);

static void multiply(const stn_value_product *job)
{
    const stn_modes saved = stn_modes_enter();
    const stn_value_lines lines = {.a = job->a,
                                   .step = job->step * (int64_t)sizeof(value),
                                   .lines = job->lines,
                                   .count = job->count};
    const int64_t rows = job->is_across ? job->count : job->lines;
    const value alpha = (value)job->alpha, beta = (value)job->beta;
    value *const y = job->y;
    double sums[STN_TILE_ELEMENTS];
    if (job->is_across)
        STN_INSTANCE(stn_line_loops).across(sums, &lines, job->x);
    else
        STN_INSTANCE(stn_line_loops).along(sums, &lines, job->x);
    for (int64_t r = 0; r < rows; r++) {
        const value product = alpha == 1 ? (value)sums[r] : alpha * (value)sums[r];
        y[r] = beta == 0 ? product : product + beta * y[r];
    }
    stn_modes_leave(saved);
}

extern const stn_value_sums STN_INSTANCE(stn_value_sums);
const stn_value_sums STN_INSTANCE(stn_value_sums) = {dot, asum, multiply};
