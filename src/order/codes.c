/* Sums of codes: complete tiles by the loops of their format, the remainder as values. */
#include "order/codes.h"

#include <math.h>

#include "order/tree.h"

#define STN_TEMPLATE           stn_fused
#define STN_TEMPLATE_TYPE      stn_fused_pair
#define STN_TEMPLATE_INSTANCES STN_FUSED_INSTANCES
#define STN_TEMPLATE_PLANES
#include "format/instance_table.h"

const stn_fused *stn_fused_of(stn_format format, stn_format arithmetic)
{
    const stn_fused_pair *const pair = instances[stn_isa_chosen()][format];
    const stn_fused *const loops = !pair ? NULL : arithmetic == STN_F64 ? &pair->f64 : &pair->f32;
    return loops && loops->dot ? loops : NULL;
}

const stn_fused *stn_fused_of_planes(stn_format arithmetic)
{
    const stn_fused_pair *const pair = plane_instances[stn_isa_chosen()];
    return pair && arithmetic == STN_F64 ? &pair->f64 : NULL;
}

/* Codes of a 16-bit format with a narrow exponent, and products of two of them, are multiples of
 * 2^-48 below 2^64; those of every format without the exponent of f64 are multiples of 2^-298 below
 * 2^256. */
double stn_reader_free_scale(const stn_reader *reader)
{
    const stn_run *run = &reader->run;
    const stn_format_info *info = &run->entry->info;
    const int small = info->bits <= 16 && info->exponent_bits <= 5;
    const double limit = run->arithmetic == STN_F64 ? 0x1p256 : 0x1p32;
    const double scale = fabs(run->affine.scale);
    if (!reader->plain && stn_view_has_scales(reader->view))
        return 0.0; /* several scales */
    if (run->affine.zero != 0.0 || run->affine.inverse == 0.0 || !run->codec)
        return 0.0;
    if (info->exponent_bits > 8 || (run->arithmetic != STN_F64 && !small))
        return 0.0;
    if (run->affine.plain)
        return 1.0;
    return scale <= limit && scale >= 1.0 / limit ? run->affine.scale : 0.0;
}

/* Moves scales out of the sum if possible; a negative one would change the sign of a sum of +0. */
static void move_scales_out(stn_code_sum *sum, const stn_reader *x, const stn_reader *y)
{
    sum->affine[0] = x->run.affine;
    sum->affine[1] = (y ? y : x)->run.affine;
    sum->factor = 1.0;
    if (sum->affine[0].plain && sum->affine[1].plain)
        return;
    const double a = stn_reader_free_scale(x), b = y ? stn_reader_free_scale(y) : 1.0;
    if (a <= 0.0 || b <= 0.0)
        return;
    sum->factor = a * b;
    sum->affine[0] = sum->affine[1] = stn_affine_plain();
}

int stn_codes_have_loops(const stn_reader *reader)
{
    return reader->plain && reader->run.codec && !reader->run.portable && reader->run.parts == 1;
}

void stn_code_sum_find(stn_code_sum *sum, const stn_exec *exec, stn_format arithmetic,
                       const stn_reader *x, const stn_reader *y)
{
    sum->fused = NULL;
    if ((arithmetic != STN_F64 && arithmetic != STN_F32) || !stn_exec_has_loops(exec) ||
        !stn_codes_have_loops(x) || (y && (!stn_codes_have_loops(y) || y->run.real != x->run.real)))
        return;
    sum->arithmetic = arithmetic;
    sum->bytes = x->run.bytes;
    sum->fused = stn_fused_of(x->run.real, arithmetic);
    sum->is_square = y == x;
    move_scales_out(sum, x, y);
    sum->is_exact = sum->fused && sum->affine[0].plain && sum->affine[1].plain &&
                    (y ? sum->fused->exact_dot != NULL : sum->fused->exact_sum != NULL);
}

void stn_code_sum_of_products(stn_code_sum *sum, stn_format format, stn_format arithmetic)
{
    sum->fused = stn_fused_of(format, arithmetic);
    sum->arithmetic = arithmetic;
    sum->bytes = stn_format_entry_of(format)->info.bytes;
    sum->affine[0] = sum->affine[1] = stn_affine_plain();
    sum->factor = 1.0;
    sum->is_square = 0;
    sum->is_exact = sum->fused && sum->fused->exact_dot;
}

void stn_code_sum_of_planes(stn_code_sum *sum, stn_format arithmetic, const stn_affine *x,
                            const stn_affine *y)
{
    *sum = (stn_code_sum){.fused = stn_fused_of_planes(arithmetic),
                          .arithmetic = arithmetic,
                          .bytes = sizeof(uint32_t),
                          .affine = {*x, *y},
                          .factor = 1.0};
}

double stn_code_sum_fold(const stn_code_sum *sum, const void *x, const void *y, int64_t count)
{
    const int64_t full = sum->is_exact ? count & -STN_TILE_ELEMENTS : 0, rest = count - full;
    double folded = 0.0, all;
    if (full > 0)
        folded = y ? sum->fused->exact_dot(x, y, full / STN_TILE_ELEMENTS)
                   : sum->fused->exact_sum(x, full / STN_TILE_ELEMENTS);
    if (full > 0 && rest == 0)
        return folded * sum->factor;
    x = (const char *)x + full * sum->bytes;
    all = sum->is_square ? sum->fused->squares(x, &sum->affine[0], rest)
          : y            ? sum->fused->dot(x, &sum->affine[0], (const char *)y + full * sum->bytes,
                                           &sum->affine[1], rest)
                         : sum->fused->sum(x, &sum->affine[0], rest);
    if (full > 0)
        all = sum->arithmetic == STN_F64 ? folded + all : (double)(float)(folded + all);
    return all * sum->factor;
}
