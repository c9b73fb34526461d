/* Masks of outputs for the instruction set in use. */
#include "map/mask.h"

#include <math.h>

#include "core/cpu.h"

typedef struct mask_functions {
    void (*mark_f64)(int64_t *mask, const stn_f64 *a, const stn_f64 *b, int64_t count);
    void (*mark_f32)(int32_t *mask, const stn_f32 *a, const stn_f32 *b, int64_t count);
    void (*mark_i64)(int64_t *mask, const stn_i64 *a, const stn_i64 *b, int64_t count);
    void (*mark_c128)(int64_t *mask, const stn_c128 *a, const stn_c128 *b, int64_t count);
    void (*mark_c64)(int32_t *mask, const stn_c64 *a, const stn_c64 *b, int64_t count);
    int (*nonfinite_4)(const float *values, int64_t count);
    int (*nonfinite_8)(const double *values, int64_t count);
    void (*store_4)(uint32_t *to, const uint32_t *values, const uint32_t *mask, int64_t count);
    void (*store_8)(uint64_t *to, const uint64_t *values, const uint64_t *mask, int64_t count);
} mask_functions;

/* clang-format off */
/* Zeros with different signs differ; all NaNs are equal. */
#define REALS_DIFFER(a, b)                                                                         \
    (((a) == (a) || (b) == (b)) && ((a) != (b) || signbit(a) != signbit(b)))
#define PARTS_DIFFER(a, b)    (REALS_DIFFER((a).re, (b).re) | REALS_DIFFER((a).im, (b).im))
#define INTEGERS_DIFFER(a, b) ((a) != (b))
#define DEFINE_MARK(name, target, word, type, DIFFER)                                              \
    target static void name(word *restrict mask, const type *restrict a, const type *restrict b,   \
                            int64_t count)                                                         \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            mask[k] = (word)-(word)DIFFER(a[k], b[k]);                                             \
    }
/* x - x is NaN if x is not finite. */
#define DEFINE_NONFINITE(name, target, type)                                                             \
    target static int name(const type *values, int64_t count)                                      \
    {                                                                                              \
        int64_t odd = 0;                                                                           \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const type nothing = values[k] - values[k];                                            \
            odd += nothing != 0;                                                                   \
        }                                                                                          \
        return odd != 0;                                                                           \
    }
#define DEFINE_STORE(name, target, word)                                                           \
    target static void name(word *restrict to, const word *restrict values,                        \
                            const word *restrict mask, int64_t count)                              \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            if (mask[k])                                                                           \
                to[k] = values[k];                                                                 \
    }
#define DEFINE_FUNCTIONS(isa, target)                                                              \
    DEFINE_MARK(mark_f64_##isa, target, int64_t, stn_f64, REALS_DIFFER)                            \
    DEFINE_MARK(mark_f32_##isa, target, int32_t, stn_f32, REALS_DIFFER)                            \
    DEFINE_MARK(mark_i64_##isa, target, int64_t, stn_i64, INTEGERS_DIFFER)                         \
    DEFINE_MARK(mark_c128_##isa, target, int64_t, stn_c128, PARTS_DIFFER)                          \
    DEFINE_MARK(mark_c64_##isa, target, int32_t, stn_c64, PARTS_DIFFER)                            \
    DEFINE_NONFINITE(nonfinite_4_##isa, target, float)                                                         \
    DEFINE_NONFINITE(nonfinite_8_##isa, target, double)                                                        \
    DEFINE_STORE(store_4_##isa, target, uint32_t)                                                  \
    DEFINE_STORE(store_8_##isa, target, uint64_t)                                                  \
    static const mask_functions functions_##isa = {                                                 \
        mark_f64_##isa, mark_f32_##isa, mark_i64_##isa, mark_c128_##isa, mark_c64_##isa,           \
        nonfinite_4_##isa,    nonfinite_8_##isa,    store_4_##isa,  store_8_##isa};
/* clang-format on */

DEFINE_FUNCTIONS(c, )
#ifdef STN_HAVE_ISA_AVX2
DEFINE_FUNCTIONS(avx2, __attribute__((target("avx2"))))
#endif
#ifdef STN_HAVE_ISA_AVX512
DEFINE_FUNCTIONS(avx512, __attribute__((target("avx512f,avx512bw,avx512vl"))))
#endif

static const mask_functions *functions(void)
{
    switch (stn_isa_chosen()) {
#ifdef STN_HAVE_ISA_AVX2
    case STN_ISA_AVX2:
        return &functions_avx2;
#endif
#ifdef STN_HAVE_ISA_AVX512
    case STN_ISA_AVX512:
        return &functions_avx512;
#endif
    default:
        return &functions_c;
    }
}

void stn_mask_mark(stn_format arithmetic, void *mask, const void *values, const void *before,
                   int64_t count)
{
    switch (arithmetic) {
    case STN_F64:
        functions()->mark_f64(mask, values, before, count);
        break;
    case STN_F32:
        functions()->mark_f32(mask, values, before, count);
        break;
    case STN_I64:
        functions()->mark_i64(mask, values, before, count);
        break;
    case STN_C128:
        functions()->mark_c128(mask, values, before, count);
        break;
    default:
        functions()->mark_c64(mask, values, before, count);
    }
}

int stn_mask_finds_nonfinite(const void *values, int64_t bytes, int64_t count)
{
    return bytes == 4 ? functions()->nonfinite_4(values, count)
                      : functions()->nonfinite_8(values, count);
}

void stn_mask_store(void *to, const void *values, const void *mask, int64_t bytes, int64_t count)
{
    if (bytes == 4)
        functions()->store_4(to, values, mask, count);
    else
        functions()->store_8(to, values, mask, count);
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
