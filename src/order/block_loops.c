/* See block_loops.h. */
#include "order/block_loops.h"

#include "core/cpu.h"

#define DECLARE_neon(id, NAME, name, ...) extern const stn_block_pair stn_block_sums_##name##_neon;
#define DECLARE_avx2(id, NAME, name, ...) extern const stn_block_pair stn_block_sums_##name##_avx2;
#define DECLARE_avx512(id, NAME, name, ...)                                                        \
    extern const stn_block_pair stn_block_sums_##name##_avx512;
#define ROW_neon(id, NAME, name, ...)                                                              \
    [STN_##NAME - STN_BUILTIN_FORMATS] = &stn_block_sums_##name##_neon,
#define ROW_avx2(id, NAME, name, ...)                                                              \
    [STN_##NAME - STN_BUILTIN_FORMATS] = &stn_block_sums_##name##_avx2,
#define ROW_avx512(id, NAME, name, ...)                                                            \
    [STN_##NAME - STN_BUILTIN_FORMATS] = &stn_block_sums_##name##_avx512,

#ifdef STN_HAVE_ISA_NEON
STN_BLOCK_TABLE(DECLARE_neon)
#endif
#ifdef STN_HAVE_ISA_AVX2
STN_BLOCK_TABLE(DECLARE_avx2)
#endif
#ifdef STN_HAVE_ISA_AVX512
STN_BLOCK_TABLE(DECLARE_avx512)
#endif

static const stn_block_pair *const pairs[STN_ISA_COUNT][STN_BLOCK_FORMATS] = {
    [STN_ISA_C] = {NULL},
#ifdef STN_HAVE_ISA_NEON
    [STN_ISA_NEON] = {STN_BLOCK_TABLE(ROW_neon)},
#endif
#ifdef STN_HAVE_ISA_AVX2
    [STN_ISA_AVX2] = {STN_BLOCK_TABLE(ROW_avx2)},
#endif
#ifdef STN_HAVE_ISA_AVX512
    [STN_ISA_AVX512] = {STN_BLOCK_TABLE(ROW_avx512)},
#endif
};

/* Loops expect blocks at the distances of new memory. */
static int are_as_expected(const stn_block_format *format, const stn_blocks *blocks)
{
    const int64_t bytes = format->code_bytes + format->scale_bytes;
    if (!format->is_inline)
        return blocks->code_step == format->code_bytes && blocks->scale_step == format->scale_bytes;
    return blocks->code_step == bytes && blocks->scale_step == bytes &&
           blocks->codes == blocks->scales + format->scale_bytes;
}

const stn_block_loops *stn_block_loops_of(stn_format format, stn_format arithmetic,
                                          const stn_blocks *blocks)
{
    if (format < STN_BUILTIN_FORMATS || format >= STN_FIRST_REGISTERED ||
        (arithmetic != STN_F64 && arithmetic != STN_F32) ||
        !are_as_expected(stn_block_builtin(format), blocks))
        return NULL;
    const stn_block_pair *const pair = pairs[stn_isa_chosen()][format - STN_BUILTIN_FORMATS];
    if (!pair)
        return NULL;
    return arithmetic == STN_F64 ? &pair->f64 : &pair->f32;
}
