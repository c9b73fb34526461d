/* Masks of outputs for the instruction set in use. */
#include "map/mask.h"

#include <math.h>

#include "core/versions.h"

/* Zeros with different signs differ; all NaNs are equal. */
#define REALS_DIFFER(a, b)    (((a) == (a) || (b) == (b)) && ((a) != (b) || signbit(a) != signbit(b)))
#define PARTS_DIFFER(a, b)    (REALS_DIFFER((a).re, (b).re) | REALS_DIFFER((a).im, (b).im))
#define INTEGERS_DIFFER(a, b) ((a) != (b))

#define DEFINE_MARK(T, word, DIFFER)                                                               \
    STN_VERSIONS static void mark_##T(word *restrict mask, const stn_##T *restrict a,              \
                                      const stn_##T *restrict b, int64_t count)                    \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            mask[k] = (word) - (word)DIFFER(a[k], b[k]);                                           \
    }
/* The same by bits without the sign, which compilers vectorize. */
#define DEFINE_MARK_REALS(T, word, infinity)                                                       \
    STN_VERSIONS static void mark_##T(word *restrict mask, const word *restrict a,                 \
                                      const word *restrict b, int64_t count)                       \
    {                                                                                              \
        const word magnitude = (word)-1 >> 1;                                                      \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const int are_nan =                                                                    \
                ((a[k] & magnitude) > (infinity)) & ((b[k] & magnitude) > (infinity));             \
            mask[k] = (word)0 - (word)((a[k] != b[k]) & !are_nan);                                 \
        }                                                                                          \
    }
DEFINE_MARK_REALS(f64, uint64_t, 0x7ff0000000000000u)
DEFINE_MARK_REALS(f32, uint32_t, 0x7f800000u)
DEFINE_MARK(i64, int64_t, INTEGERS_DIFFER)
DEFINE_MARK(c128, int64_t, PARTS_DIFFER)
DEFINE_MARK(c64, int32_t, PARTS_DIFFER)

void stn_mask_mark(stn_format arithmetic, void *mask, const void *values, const void *before,
                   int64_t count)
{
    switch (arithmetic) {
    case STN_F64:
        mark_f64(mask, values, before, count);
        break;
    case STN_F32:
        mark_f32(mask, values, before, count);
        break;
    case STN_I64:
        mark_i64(mask, values, before, count);
        break;
    case STN_C128:
        mark_c128(mask, values, before, count);
        break;
    default:
        mark_c64(mask, values, before, count);
    }
}

/* x - x is NaN if x is not finite. */
STN_VERSIONS static int finds_nonfinite_f64(const double *values, int64_t count)
{
    int64_t odd = 0;
    for (int64_t k = 0; k < count; k++)
        odd += values[k] - values[k] != 0;
    return odd != 0;
}

STN_VERSIONS static int finds_nonfinite_f32(const float *values, int64_t count)
{
    int64_t odd = 0;
    for (int64_t k = 0; k < count; k++)
        odd += values[k] - values[k] != 0;
    return odd != 0;
}

int stn_mask_finds_nonfinite(const void *values, int64_t bytes, int64_t count)
{
    return bytes == 4 ? finds_nonfinite_f32(values, count) : finds_nonfinite_f64(values, count);
}

STN_VERSIONS static void store_4(uint32_t *restrict to, const uint32_t *restrict values,
                                 const uint32_t *restrict mask, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (mask[k])
            to[k] = values[k];
}

STN_VERSIONS static void store_8(uint64_t *restrict to, const uint64_t *restrict values,
                                 const uint64_t *restrict mask, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (mask[k])
            to[k] = values[k];
}

void stn_mask_store(void *to, const void *values, const void *mask, int64_t bytes, int64_t count)
{
    if (bytes == 4)
        store_4(to, values, mask, count);
    else
        store_8(to, values, mask, count);
}

#define DEFINE_KIND(bytes, word)                                                                   \
    STN_VERSIONS static stn_mask_kind kind_##bytes(const word *mask, int64_t count)                \
    {                                                                                              \
        word any = 0, all = (word)-1;                                                              \
        for (int64_t k = 0; k < count; k++) {                                                      \
            any |= mask[k];                                                                        \
            all &= mask[k];                                                                        \
        }                                                                                          \
        return all ? STN_MASK_ALL : any ? STN_MASK_SOME : STN_MASK_NONE;                           \
    }                                                                                              \
    STN_VERSIONS static void select_##bytes(word *restrict to, const word *restrict values,        \
                                            const word *restrict mask, int64_t count)              \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[k] = values[k] & mask[k];                                                           \
    }
DEFINE_KIND(4, uint32_t)
DEFINE_KIND(8, uint64_t)

stn_mask_kind stn_mask_kind_of(const void *mask, int64_t bytes, int64_t count)
{
    return bytes == 4 ? kind_4(mask, count) : kind_8(mask, count);
}

void stn_mask_select(void *to, const void *values, const void *mask, int64_t bytes, int64_t count)
{
    if (bytes == 4)
        select_4(to, values, mask, count);
    else
        select_8(to, values, mask, count);
}

static int is_set(const void *mask, int64_t bytes, int64_t k)
{
    return bytes == 4 ? ((const uint32_t *)mask)[k] != 0 : ((const uint64_t *)mask)[k] != 0;
}

int64_t stn_mask_next(const void *mask, int64_t bytes, int64_t k, int64_t count, int64_t *begin)
{
    while (k < count && !is_set(mask, bytes, k))
        k++;
    *begin = k;
    while (k < count && is_set(mask, bytes, k))
        k++;
    return k - *begin;
}
