/* Extremes of contiguous codes: vectors of keys of 8, 16 or 32 bits, and no decoded values. */
#include "order/extremes.h"

#include <math.h>

#include "core/versions.h"
#include "order/codes.h"

/* ---- keys ---- */

/* Larger magnitudes are NaN: that of infinity, or all ones but the last if there is none. */
static int32_t largest_magnitude(const stn_run *run)
{
    const stn_format_info *const info = &run->entry->info;
    const int32_t top = ((1 << info->exponent_bits) - 1) << info->fraction_bits;
    const stn_affine plain = stn_affine_plain();
    double value;
    run->codec->decode_f64(&value, &top, 1, &plain);
    return isinf(value) ? top : INT32_MAX >> (32 - info->bits) & ~1;
}

/* Scales that are not powers of two may round different values to the same one. */
static int is_injective(const stn_reader *reader)
{
    const stn_run *const run = &reader->run;
    const int is_exact = run->entry->info.bits <= 16 || run->arithmetic != STN_F32 ||
                         run->entry->info.kind == STN_CLASS_FLOAT;
    return is_exact && (run->affine.plain || stn_reader_free_scale(reader) > 0.0);
}

void stn_extremes_find(stn_extremes *extremes, const stn_reader *reader)
{
    const stn_run *const run = &reader->run;
    const stn_format_info *const info = &run->entry->info;
    const int is_float = info->kind == STN_CLASS_FLOAT;
    extremes->bytes = 0;
    if (!reader->plain || run->parts != 1 || (!is_float && info->kind != STN_CLASS_INTEGER) ||
        (info->bits != 8 && info->bits != 16 && info->bits != 32) ||
        (run->arithmetic == STN_I64 && run->zero != 0))
        return;
    const int32_t most = INT32_MAX >> (32 - info->bits);
    *extremes = (stn_extremes){.bytes = info->bytes,
                               .offset = info->is_signed ? 0 : ~most,
                               .flip = is_float ? most : 0,
                               .lowest = ~most,
                               .highest = most,
                               .is_descending = run->affine.scale < 0.0,
                               .is_injective = is_injective(reader)};
    if (is_float) {
        extremes->highest = largest_magnitude(run);
        extremes->lowest = ~extremes->highest;
    }
}

/* ---- loops ---- */

typedef struct key_range {
    int32_t least, greatest;
} key_range;

/* Whether the key is outside of a range, by one comparison of unsigned integers. */
#define IS_OUTSIDE(uint, key, least, greatest)                                                     \
    ((uint)((uint)(key) - (uint)(least)) > (uint)((uint)(greatest) - (uint)(least)))

/* For codes of one width: their range of keys; the first index whose key is outside of a range. */
#define DEFINE_LOOPS(bits)                                                                         \
    static int##bits##_t key_##bits(int##bits##_t code, int##bits##_t offset, int##bits##_t flip)  \
    {                                                                                              \
        const int##bits##_t shifted = (int##bits##_t)(code ^ offset);                              \
        return (int##bits##_t)(shifted ^ ((shifted >> (bits - 1)) & flip));                        \
    }                                                                                              \
    STN_VERSIONS static key_range extremes_range_##bits(const stn_extremes *extremes,              \
                                                        const void *codes, int64_t count)          \
    {                                                                                              \
        const int##bits##_t *const code = codes;                                                   \
        const int##bits##_t offset = (int##bits##_t)extremes->offset;                              \
        const int##bits##_t flip = (int##bits##_t)extremes->flip;                                  \
        int##bits##_t least = INT##bits##_MAX, greatest = INT##bits##_MIN;                         \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const int##bits##_t key = key_##bits(code[k], offset, flip);                           \
            least = key < least ? key : least;                                                     \
            greatest = key > greatest ? key : greatest;                                            \
        }                                                                                          \
        return (key_range){least, greatest};                                                       \
    }                                                                                              \
    STN_VERSIONS static int64_t extremes_index_##bits(const stn_extremes *extremes,                \
                                                      const void *codes, int64_t count,            \
                                                      int##bits##_t least, int##bits##_t greatest) \
    {                                                                                              \
        const int##bits##_t *const code = codes;                                                   \
        const int##bits##_t offset = (int##bits##_t)extremes->offset;                              \
        const int##bits##_t flip = (int##bits##_t)extremes->flip;                                  \
        int64_t k = 0;                                                                             \
        for (int##bits##_t found = 0; k + STN_TILE_ELEMENTS <= count; k += STN_TILE_ELEMENTS) {    \
            for (int e = 0; e < STN_TILE_ELEMENTS; e++)                                            \
                found |= IS_OUTSIDE(uint##bits##_t, key_##bits(code[k + e], offset, flip), least,  \
                                    greatest);                                                     \
            if (found)                                                                             \
                break;                                                                             \
        }                                                                                          \
        while (!IS_OUTSIDE(uint##bits##_t, key_##bits(code[k], offset, flip), least, greatest))    \
            k++;                                                                                   \
        return k;                                                                                  \
    }
DEFINE_LOOPS(8)
DEFINE_LOOPS(16)
DEFINE_LOOPS(32)

static key_range range_of(const stn_extremes *extremes, const void *codes, int64_t count)
{
    return extremes->bytes == 1   ? extremes_range_8(extremes, codes, count)
           : extremes->bytes == 2 ? extremes_range_16(extremes, codes, count)
                                  : extremes_range_32(extremes, codes, count);
}

stn_extreme stn_extremes_fold(const stn_extremes *extremes, const void *codes, int64_t count,
                              int is_greatest)
{
    const key_range range = range_of(extremes, codes, count);
    const int takes_greatest = is_greatest != extremes->is_descending;
    const int32_t key = takes_greatest ? range.greatest : range.least;
    if (range.least < extremes->lowest || range.greatest > extremes->highest)
        return (stn_extreme){range.least < extremes->lowest ? range.least : range.greatest,
                             1,
                             INT64_MIN,
                             {extremes->lowest, extremes->highest}};
    return (stn_extreme){
        key,
        0,
        takes_greatest ? ~(int64_t)key : key,
        {(int64_t)range.least + !takes_greatest, (int64_t)range.greatest - takes_greatest}};
}

void stn_extremes_code(const stn_extremes *extremes, const stn_extreme *extreme, void *code)
{
    const int32_t key = extreme->key;
    const int32_t found = key ^ ((key >> 31) & extremes->flip) ^ extremes->offset;
    memcpy(code, &found, (size_t)extremes->bytes);
}

int64_t stn_extremes_index(const stn_extremes *extremes, const stn_extreme *extreme,
                           const void *codes, int64_t count)
{
    if (extreme->inside[0] > extreme->inside[1]) /* all elements are equal */
        return 0;
    const int32_t least = (int32_t)extreme->inside[0], greatest = (int32_t)extreme->inside[1];
    return extremes->bytes == 1
               ? extremes_index_8(extremes, codes, count, (int8_t)least, (int8_t)greatest)
           : extremes->bytes == 2
               ? extremes_index_16(extremes, codes, count, (int16_t)least, (int16_t)greatest)
               : extremes_index_32(extremes, codes, count, least, greatest);
}
