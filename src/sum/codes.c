/* Sums straight from codes: full tiles by the loops of their format, what is left as values. */
#include "sum/codes.h"

#include <math.h>

#include "sum/tree.h"

#define STN_TEMPLATE      stn_fused
#define STN_TEMPLATE_TYPE stn_fused_pair
#include "format/instance_table.h"

const stn_fused *stn_fused_of(stn_format format, stn_format arithmetic)
{
    const stn_fused_pair *const pair = instances[stn_isa_chosen()][format];
    return !pair ? NULL : arithmetic == STN_F64 ? &pair->f64 : &pair->f32;
}

/* Codes of a 16-bit format without a wide exponent, and products of two of them, are multiples of
 * 2^-48 and below 2^64; those of every format but f64 multiples of 2^-298 and below 2^256. */
double stn_reader_free_scale(const stn_reader *reader)
{
    const stn_run *run = &reader->run;
    const stn_format_info *info = &run->entry->info;
    const int small = info->bits <= 16 && info->exponent_bits <= 5;
    const double limit = run->arithmetic == STN_F64 ? 0x1p256 : 0x1p32;
    const double scale = fabs(run->affine.scale);
    if (!reader->plain && reader->view->scales.data)
        return 0.0; /* more than one */
    if (run->affine.zero != 0.0 || run->affine.inverse == 0.0 || !run->codec)
        return 0.0;
    if (run->real == STN_F64 || (run->arithmetic != STN_F64 && !small))
        return 0.0;
    if (run->affine.plain)
        return 1.0;
    return scale <= limit && scale >= 1.0 / limit ? run->affine.scale : 0.0;
}

/* Scales that may leave the sum do; a negative one would turn the sign of a sum of +0. */
static void take_scales_out(stn_code_sum *sum)
{
    double x, y;
    sum->affine[0] = sum->x->run.affine;
    sum->affine[1] = (sum->y ? sum->y : sum->x)->run.affine;
    sum->factor = 1.0;
    if (sum->affine[0].plain && sum->affine[1].plain)
        return;
    x = stn_reader_free_scale(sum->x);
    y = sum->y ? stn_reader_free_scale(sum->y) : 1.0;
    if (x <= 0.0 || y <= 0.0)
        return;
    sum->factor = x * y;
    sum->affine[0] = sum->affine[1] = stn_affine_plain();
}

static int has_loops(const stn_reader *reader, stn_format format)
{
    return reader->plain && reader->run.codec && !reader->run.portable && reader->run.parts == 1 &&
           reader->run.real == format;
}

void stn_code_sum_find(stn_code_sum *sum, const stn_exec *exec, stn_format arithmetic,
                       const stn_reader *x, const stn_reader *y)
{
    sum->fused = NULL;
    if ((arithmetic != STN_F64 && arithmetic != STN_F32) || exec->kind != STN_EXEC_OPENMP ||
        !has_loops(x, x->run.real) || (y && !has_loops(y, x->run.real)))
        return;
    sum->x = x;
    sum->y = y;
    sum->arithmetic = arithmetic;
    sum->fused = stn_fused_of(x->run.real, arithmetic);
    take_scales_out(sum);
    sum->is_exact = sum->fused && sum->affine[0].plain && sum->affine[1].plain &&
                    (y ? sum->fused->exact_dot != NULL : sum->fused->exact_sum != NULL);
}

/* The one sum of full tiles where it is exact; 0 tiles otherwise. */
static int64_t sum_exact(const stn_code_sum *sum, const void *x, const void *y, double *sums,
                         int64_t tiles)
{
    if (!sum->is_exact || tiles == 0)
        return 0;
    sums[0] = y ? sum->fused->exact_dot(x, y, tiles) : sum->fused->exact_sum(x, tiles);
    return tiles;
}

double stn_code_sum_fold(const stn_code_sum *sum, const void *x, const void *y, int64_t count)
{
    double sums[STN_EXACT_TILES + 1];
    sums[0] = 0.0; /* of nothing */
    const int64_t done = sum_exact(sum, x, y, sums, count / STN_TILE_ELEMENTS) * STN_TILE_ELEMENTS;
    const int64_t first = done > 0, rest = count - done;
    const int64_t leaves = first + (rest + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    const void *const x_rest = (const char *)x + done * sum->x->run.bytes;
    if (y)
        sum->fused->dot(sums + first, x_rest, &sum->affine[0],
                        (const char *)y + done * sum->y->run.bytes, &sum->affine[1], rest);
    else
        sum->fused->sum(sums + first, x_rest, &sum->affine[0], rest);
    for (int64_t t = 0; sum->factor != 1.0 && t < leaves; t++)
        sums[t] *= sum->factor;
    stn_fold_leaves(stn_add_of(sum->arithmetic), sizeof *sums, sums, 1, leaves);
    return sums[0];
}
