/* See block_loops.h. */
#include "order/block_loops.h"

#include "core/cpu.h"

#define DECLARE(name, isa) extern const stn_block_loops stn_inline_blocks_##name##_##isa;
#define ROW(isa)                                                                                   \
    {                                                                                              \
        &stn_inline_blocks_i8_##isa, &stn_inline_blocks_i16_##isa, &stn_inline_blocks_i32_##isa    \
    }

enum { FORMATS = 3 };

#ifdef STN_HAVE_ISA_NEON
DECLARE(i8, neon)
DECLARE(i16, neon)
DECLARE(i32, neon)
#endif
#ifdef STN_HAVE_ISA_AVX2
DECLARE(i8, avx2)
DECLARE(i16, avx2)
DECLARE(i32, avx2)
#endif
#ifdef STN_HAVE_ISA_AVX512
DECLARE(i8, avx512)
DECLARE(i16, avx512)
DECLARE(i32, avx512)
#endif

static const stn_block_loops *const loops[STN_ISA_COUNT][FORMATS] = {
    [STN_ISA_C] = {NULL},
#ifdef STN_HAVE_ISA_NEON
    [STN_ISA_NEON] = ROW(neon),
#endif
#ifdef STN_HAVE_ISA_AVX2
    [STN_ISA_AVX2] = ROW(avx2),
#endif
#ifdef STN_HAVE_ISA_AVX512
    [STN_ISA_AVX512] = ROW(avx512),
#endif
};

const stn_block_loops *stn_block_loops_of(stn_format format)
{
    return format >= STN_BFP8 && format <= STN_BFP32 ? loops[stn_isa_chosen()][format - STN_BFP8]
                                                     : NULL;
}
