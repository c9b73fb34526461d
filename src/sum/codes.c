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
    const double x = stn_reader_free_scale(sum->x);
    const double y = sum->y ? stn_reader_free_scale(sum->y) : 1.0;
    sum->affine[0] = sum->x->run.affine;
    sum->affine[1] = (sum->y ? sum->y : sum->x)->run.affine;
    sum->factor = 1.0;
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

/* The sums of full tiles, or the one sum of all of them; how many there are. */
static int64_t sum_full(const stn_code_sum *sum, const void *x, const void *y, double *sums,
                        int64_t tiles)
{
    if (tiles > 0 && sum->is_exact)
        sums[0] = y ? sum->fused->exact_dot(x, y, tiles) : sum->fused->exact_sum(x, tiles);
    else if (y)
        sum->fused->dot(sums, x, &sum->affine[0], y, &sum->affine[1], tiles);
    else
        sum->fused->sum(sums, x, &sum->affine[0], tiles);
    tiles = tiles > 0 && sum->is_exact ? 1 : tiles;
    for (int64_t t = 0; sum->factor != 1.0 && t < tiles; t++)
        sums[t] *= sum->factor;
    return tiles;
}

/* Less than a tile. */
static double sum_rest(const stn_code_sum *sum, const void *x, const void *y, int64_t count)
{
    stn_decoded_tile left, right;
    stn_run_decode(&sum->x->run, &left, x, 1, count);
    if (y)
        stn_run_decode(&sum->y->run, &right, y, 1, count);
    for (int64_t k = 0; !y && k < count; k++)
        if (sum->arithmetic == STN_F64)
            right.f64[k] = 1.0;
        else
            right.f32[k] = 1.0f;
    return stn_tile_dot(sum->arithmetic, &left, &right, count);
}

double stn_code_sum_fold(const stn_code_sum *sum, const void *x, const void *y, int64_t count)
{
    const int64_t full = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;
    const int64_t done = full * STN_TILE_ELEMENTS;
    double sums[STN_EXACT_TILES + 1];
    int64_t leaves = sum_full(sum, x, y, sums, full);
    if (rest > 0)
        sums[leaves++] = sum_rest(sum, (const char *)x + done * sum->x->run.bytes,
                                  y ? (const char *)y + done * sum->y->run.bytes : NULL, rest);
    stn_fold_leaves(stn_add_of(sum->arithmetic), sizeof *sums, sums, 1, leaves);
    return sums[0];
}

double stn_tile_dot(stn_format arithmetic, stn_decoded_tile *x, stn_decoded_tile *y, int64_t count)
{
    const stn_affine plain = stn_affine_plain();
    double sum;
    for (int64_t k = count; k < STN_TILE_ELEMENTS; k++)
        if (arithmetic == STN_F64)
            x->f64[k] = -0.0, y->f64[k] = 1.0;
        else
            x->f32[k] = -0.0f, y->f32[k] = 1.0f;
    stn_fused_of(arithmetic, arithmetic)->dot(&sum, x, &plain, y, &plain, 1);
    return sum;
}
