/* Scales per element. */
#include "view/scale_run.h"

#include <float.h>
#include <math.h>

#include "core/divide.h"
#include "core/status.h"
#include "core/versions.h"
#include "format/rounding.h"
#include "steno/detail/tile.h"

stn_scale_line stn_scale_line_of(const stn_scales *scales, int rank, const int64_t *indices,
                                 int dimension)
{
    stn_scale_line line = {.first = stn_scales_at(scales, rank, indices),
                           .format = scales->format,
                           .step = dimension < 0 ? 0 : scales->stride[dimension],
                           .block = 1,
                           .left = 1};
    if (dimension >= 0 && scales->dimension == dimension) {
        const int64_t at = scales->phase + indices[dimension];
        line.block = scales->block;
        line.left = scales->block - (at - stn_divide(at, scales->block) * scales->block);
    }
    return line;
}

/* The number of the scale of an element. */
static int64_t number_of(const stn_scale_line *line, int64_t k)
{
    return line->block == 1 ? k : k < line->left ? 0 : (k - line->left) / line->block + 1;
}

#define T     f64
#define REAL  double
#define NAME  multiply
#define BY(s) *(s)
#include "view/scale_apply.h"

#define T     f64
#define REAL  double
#define NAME  divide
#define BY(s) / (s)
#include "view/scale_apply.h"

#define T     f32
#define REAL  float
#define NAME  multiply
#define BY(s) *(s)
#include "view/scale_apply.h"

#define T     f32
#define REAL  float
#define NAME  divide
#define BY(s) / (s)
#include "view/scale_apply.h"

/* Returns whether scales are a contiguous array of values of the arithmetic type. */
static int is_array(const stn_scale_line *line, stn_format arithmetic, int64_t parts)
{
    return line->block == 1 && line->step == 1 && line->format == arithmetic && parts == 1;
}

typedef void scale_blocks(void *to, const void *from, int64_t count, const void *scales,
                          int64_t left, int64_t block);

enum { BLOCKS = 32 };

static void take_f64(const stn_scale_line *line, int64_t from, int64_t count, double *scales)
{
    for (int64_t k = 0; k < count; k++)
        scales[k] = stn_scale_number(line, from + k);
}

/* A loop without branches for an array of f64. */
static void take_f32(const stn_scale_line *line, int64_t from, int64_t count, float *scales)
{
    const double *const array = (const double *)line->first + from;
    const int is_array_of_f64 = line->step == 1 && line->format == STN_F64;
    for (int64_t k = 0; is_array_of_f64 && k < count; k++)
        scales[k] = (float)array[k];
    for (int64_t k = 0; !is_array_of_f64 && k < count; k++)
        scales[k] = (float)stn_scale_number(line, from + k);
}

/* The scales are converted to the arithmetic type in batches, unless they are an array of it. */
static void apply_blocks(scale_blocks *apply, const stn_scale_line *line, stn_format arithmetic,
                         int64_t parts, void *to, const void *from, int64_t count)
{
    const int64_t bytes = arithmetic == STN_F32 ? 4 : 8, reals = count * parts;
    const int64_t block = line->block * parts;
    union {
        double f64[BLOCKS];
        float f32[BLOCKS];
    } scales;
    if (line->step == 1 && line->format == arithmetic) {
        apply(to, from, reals, line->first, line->left * parts, block);
        return;
    }
    int64_t left = line->left * parts;
    for (int64_t k = 0, number = 0, done; k < reals; k += done, number += BLOCKS, left = block) {
        int64_t batch = 1;
        for (done = left; batch < BLOCKS && done < reals - k; batch++)
            done += block;
        done = done < reals - k ? done : reals - k;
        if (arithmetic == STN_F32)
            take_f32(line, number, batch, scales.f32);
        else
            take_f64(line, number, batch, scales.f64);
        apply((char *)to + k * bytes, (const char *)from + k * bytes, done, &scales, left, block);
    }
}

void stn_scale_multiply(const stn_scale_line *line, stn_format arithmetic, int64_t parts, void *to,
                        const void *from, int64_t count)
{
    const stn_rule_loops *const own = stn_rule_loops_of(arithmetic);
    if (line->block > 1 && own)
        apply_blocks(own->multiply_blocks, line, arithmetic, parts, to, from, count);
    else if (arithmetic == STN_F64 && is_array(line, arithmetic, parts))
        multiply_each_f64(to, from, line->first, count);
    else if (arithmetic == STN_F64)
        multiply_vector_f64(line, parts, to, from, count);
    else if (is_array(line, arithmetic, parts))
        multiply_each_f32(to, from, line->first, count);
    else
        multiply_vector_f32(line, parts, to, from, count);
}

void stn_scale_divide(const stn_scale_line *line, stn_format arithmetic, int64_t parts, void *to,
                      const void *from, int64_t count)
{
    const stn_rule_loops *const own = stn_rule_loops_of(arithmetic);
    if (line->block > 1 && own)
        apply_blocks(own->divide_blocks, line, arithmetic, parts, to, from, count);
    else if (arithmetic == STN_F64)
        divide_vector_f64(line, parts, to, from, count);
    else
        divide_vector_f32(line, parts, to, from, count);
}

int64_t stn_view_scale_extent(const stn_view *view, const stn_scales *scales, int dimension)
{
    const int64_t extent = view->extent[dimension];
    if (extent == 0)
        return 0;
    if (scales->stride[dimension] == 0)
        return 1;
    if (dimension != scales->dimension)
        return extent;
    return (scales->phase + extent - 1) / scales->block + 1; /* phase is less than block */
}

int64_t stn_view_scale_begin(const stn_view *view, const stn_scales *scales, int dimension,
                             int64_t k)
{
    if (k == 0)
        return 0;
    if (scales->stride[dimension] == 0)
        return view->extent[dimension];
    if (dimension != scales->dimension)
        return k;
    const int64_t begin = k * scales->block - scales->phase;
    return begin < view->extent[dimension] ? begin : view->extent[dimension];
}

static stn_status check_scale(const char *call, stn_format arithmetic, const stn_view *view,
                              double scale)
{
    const int narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    const double used = narrow ? (double)(float)scale : scale;
    if (arithmetic == STN_I64 && scale != 1.0)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s: scale %g; in i64 arithmetic it must be 1",
                        call, stn_view_text(view), scale);
    if (!isfinite(scale) || scale == 0.0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s: scale %g; it must be finite and not 0", call,
                        stn_view_text(view), scale);
    if (!isfinite(used) || used == 0.0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s: scale %g is 0 or infinite in f32 arithmetic",
                        call, stn_view_text(view), scale);
    return STN_OK;
}

/* The range of magnitudes, as bits without sign, which increase with them; NaN is the greatest. */
#define DEFINE_FIND_RANGE(T, word)                                                                 \
    STN_VERSIONS static void find_range_##T(const word *scales, int64_t count, word *least,        \
                                            word *greatest)                                        \
    {                                                                                              \
        word low = (word)-1 >> 1, high = 0;                                                        \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const word size = scales[k] & ((word)-1 >> 1);                                         \
            low = size < low ? size : low;                                                         \
            high = size > high ? size : high;                                                      \
        }                                                                                          \
        *least = low;                                                                              \
        *greatest = high;                                                                          \
    }
DEFINE_FIND_RANGE(f64, uint64_t)
DEFINE_FIND_RANGE(f32, uint32_t)

/* The magnitudes of scales `begin` to `end` - 1; comparisons with a NaN are false. */
static void find_range(const stn_scale_line *line, int64_t begin, int64_t end, double *least,
                       double *greatest)
{
    const int64_t count = end - begin;
    if (line->step == 1 && line->format == STN_F64) {
        uint64_t low, high;
        find_range_f64((const uint64_t *)line->first + begin, count, &low, &high);
        *least = stn_f64_of_bits(low);
        *greatest = stn_f64_of_bits(high);
    } else if (line->step == 1) {
        uint32_t low, high;
        find_range_f32((const uint32_t *)line->first + begin, count, &low, &high);
        *least = (double)stn_f32_of_bits(low);
        *greatest = (double)stn_f32_of_bits(high);
    } else {
        *least = INFINITY;
        *greatest = 0.0;
        for (int64_t k = begin; k < end; k++) {
            const double size = fabs(stn_scale_number(line, k));
            *least = size < *least ? size : *least;
            *greatest = size <= *greatest ? *greatest : size;
        }
    }
}

/* Each element may have its scale, so candidates for invalid ones are found by their range.
 * Returns the number of the first one from k on, or `count`. */
static int64_t find_unusable(const stn_scale_line *line, int64_t k, int64_t count,
                             stn_format arithmetic)
{
    const int narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    const double maximum = narrow ? (double)FLT_MAX : DBL_MAX, minimum = narrow ? 0x1p-150 : 0.0;
    double least, greatest;
    find_range(line, k, count, &least, &greatest);
    if (least > minimum && greatest <= maximum && arithmetic != STN_I64)
        return count;
    for (; k < count; k++) {
        const double scale = fabs(stn_scale_number(line, k));
        if (!(scale > minimum && scale <= maximum) || arithmetic == STN_I64)
            return k;
    }
    return count;
}

/* The dimension along which scales are adjacent, or the last one. */
static int find_along(const stn_view *view, const stn_scales *scales)
{
    for (int d = 0; d < view->rank; d++)
        if (scales->stride[d] == 1)
            return d;
    return view->rank - 1;
}

/* All scales of a view, in lines along one dimension. */
typedef struct scale_lines {
    const stn_view *view;
    stn_scales scales;
    int along;
    int64_t count; /* of the scales of a line */
    int64_t extents[STN_MAX_RANK], numbers[STN_MAX_RANK];
} scale_lines;

static void begin_lines(scale_lines *lines, const stn_view *view)
{
    *lines = (scale_lines){.view = view, .scales = stn_scales_of(view), .count = 1};
    lines->along = find_along(view, &lines->scales);
    for (int d = 0; d < view->rank; d++) {
        const int64_t extent = stn_view_scale_extent(view, &lines->scales, d);
        lines->extents[d] = d == lines->along ? 1 : extent;
        lines->count = d == lines->along ? extent : lines->count;
    }
}

static stn_scale_line current_line(const scale_lines *lines)
{
    int64_t indices[STN_MAX_RANK];
    for (int d = 0; d < lines->view->rank; d++)
        indices[d] = stn_view_scale_begin(lines->view, &lines->scales, d, lines->numbers[d]);
    return stn_scale_line_of(&lines->scales, lines->view->rank, indices, lines->along);
}

static int next_line(scale_lines *lines)
{
    return stn_nest_next(lines->view->rank, lines->extents, lines->numbers);
}

stn_status stn_scales_check(const char *call, stn_format arithmetic, const stn_view *view)
{
    scale_lines lines;
    if (!stn_view_has_scales(view) || stn_view_count(view) == 0)
        return STN_OK;
    begin_lines(&lines, view);
    do {
        const stn_scale_line line = current_line(&lines);
        for (int64_t k = 0; k < lines.count; k++) { /* candidates are checked individually */
            k = find_unusable(&line, k, lines.count, arithmetic);
            if (k < lines.count)
                STN_TRY(check_scale(call, arithmetic, view, stn_scale_number(&line, k)));
        }
    } while (next_line(&lines));
    return STN_OK;
}

int stn_scales_find_range(const stn_view *view, double *least, double *greatest)
{
    enum { ELEMENTS_PER_SCALE = 16 };
    scale_lines lines;
    int64_t left = stn_view_count(view) / ELEMENTS_PER_SCALE;
    *least = INFINITY;
    *greatest = 0.0;
    if (left == 0)
        return 0;
    begin_lines(&lines, view);
    do {
        const stn_scale_line line = current_line(&lines);
        left -= lines.count;
        if (left >= 0) {
            double low, high;
            find_range(&line, 0, lines.count, &low, &high);
            *least = low < *least ? low : *least;
            *greatest = high > *greatest ? high : *greatest;
        }
    } while (left >= 0 && next_line(&lines));
    return left >= 0;
}
