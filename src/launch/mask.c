/* Masks of outputs, on the instruction set in use. */
#include "launch/mask.h"

#include <string.h>

#include "core/cpu.h"

/* A NaN with a payload that no operation makes: signalling. */
static const uint64_t unassigned_f64 = 0x7ff453544e4f5554u;
static const uint32_t unassigned_f32 = 0x7fa5544eu;

typedef struct two_words {
    uint64_t low, high;
} two_words;

typedef struct mask_functions {
    void (*fill_4)(uint32_t *values, int64_t count);
    void (*fill_8)(uint64_t *values, int64_t count);
    int64_t (*same_4)(const uint32_t *a, const uint32_t *b, int repeats, int64_t count);
    int64_t (*same_8)(const uint64_t *a, const uint64_t *b, int repeats, int64_t count);
    int64_t (*same_16)(const two_words *a, const two_words *b, int repeats, int64_t count);
} mask_functions;

#define WORDS_ARE_SAME(a, b) ((a) == (b))
#define TWO_ARE_SAME(a, b)   ((((a).low ^ (b).low) | ((a).high ^ (b).high)) == 0)

#define DEFINE_FILL(name, target, type, value)                                                     \
    target static void name(type *values, int64_t count)                                           \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            values[k] = value;                                                                     \
    }
/* How many elements are the same. */
#define DEFINE_SAME(name, target, type, ARE_SAME)                                                  \
    target static int64_t name(const type *a, const type *b, int repeats, int64_t count)           \
    {                                                                                              \
        int64_t same = 0;                                                                          \
        if (repeats)                                                                               \
            for (int64_t k = 0; k < count; k++)                                                    \
                same += ARE_SAME(a[k], b[0]);                                                      \
        else                                                                                       \
            for (int64_t k = 0; k < count; k++)                                                    \
                same += ARE_SAME(a[k], b[k]);                                                      \
        return same;                                                                               \
    }
#define DEFINE_FUNCTIONS(isa, target)                                                              \
    DEFINE_FILL(fill_4_##isa, target, uint32_t, unassigned_f32)                                    \
    DEFINE_FILL(fill_8_##isa, target, uint64_t, unassigned_f64)                                    \
    DEFINE_SAME(same_4_##isa, target, uint32_t, WORDS_ARE_SAME)                                    \
    DEFINE_SAME(same_8_##isa, target, uint64_t, WORDS_ARE_SAME)                                    \
    DEFINE_SAME(same_16_##isa, target, two_words, TWO_ARE_SAME)                                    \
    static const mask_functions functions_##isa = {fill_4_##isa, fill_8_##isa, same_4_##isa,       \
                                                   same_8_##isa, same_16_##isa};

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

void stn_mask_fill(stn_format arithmetic, void *values, int64_t count)
{
    switch (arithmetic) {
    case STN_F32:
        functions()->fill_4(values, count);
        break;
    case STN_C64:
        functions()->fill_4(values, 2 * count);
        break;
    case STN_C128:
        functions()->fill_8(values, 2 * count);
        break;
    default:
        functions()->fill_8(values, count);
    }
}

static int64_t count_same(const void *a, const void *b, int repeats, int64_t bytes, int64_t count)
{
    return bytes == 4   ? functions()->same_4(a, b, repeats, count)
           : bytes == 8 ? functions()->same_8(a, b, repeats, count)
                        : functions()->same_16(a, b, repeats, count);
}

int64_t stn_mask_mark(uint8_t *changed, const void *values, const void *before, int repeats,
                      int64_t bytes, int64_t count)
{
    const int64_t same = count_same(values, before, repeats, bytes, count);
    if (same == 0)
        return count;
    const char *value = values, *was = before;
    for (int64_t k = 0; k < count; k++)
        changed[k] = memcmp(value + k * bytes, repeats ? was : was + k * bytes, (size_t)bytes) != 0;
    return count - same;
}
