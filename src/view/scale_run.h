/* Scales that differ from element to element along a dimension. */
#ifndef STENO_VIEW_SCALE_RUN_H
#define STENO_VIEW_SCALE_RUN_H

#include "format/run.h"
#include "view/scales.h"

/* The scales along a dimension (-1: of one element), from an element on. */
typedef struct stn_scale_line {
    const void *first;
    stn_format format;
    int64_t step;        /* distance between scales; 0: a single scale */
    int64_t block, left; /* elements per scale, and remaining elements of the first scale */
} stn_scale_line;

stn_scale_line stn_scale_line_of(const stn_scales *scales, int rank, const int64_t *indices,
                                 int dimension);

/* Scale n. */
static inline double stn_scale_number(const stn_scale_line *line, int64_t n)
{
    return line->format == STN_F32 ? (double)((const float *)line->first)[n * line->step]
                                   : ((const double *)line->first)[n * line->step];
}

/* Multiplies or divides values by their scales, which are rounded to the arithmetic type, f64 or
 * f32. Complex values have two parts. `to` may be `from`. */
void stn_scale_multiply(const stn_scale_line *line, stn_format arithmetic, int64_t parts, void *to,
                        const void *from, int64_t count);
void stn_scale_divide(const stn_scale_line *line, stn_format arithmetic, int64_t parts, void *to,
                      const void *from, int64_t count);

/* The number of scales along a dimension of the view, and the first index of the k-th. */
int64_t stn_view_scale_extent(const stn_view *view, const stn_scales *scales, int dimension);
int64_t stn_view_scale_begin(const stn_view *view, const stn_scales *scales, int dimension,
                             int64_t k);

/* Finds the range of the magnitudes of all scales. Returns 0 if there is more than one scale per 16
 * elements, so that the search would take too long. */
int stn_scales_find_range(const stn_view *view, double *least, double *greatest);

/* STN_ERR_ARGUMENT unless every scale of the view is finite and not 0 in the arithmetic;
 * STN_ERR_UNSUPPORTED in i64 unless it is 1. */
stn_status stn_scales_check(const char *call, stn_format arithmetic, const stn_view *view);

#endif
