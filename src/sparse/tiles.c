/* Which loops over tiles of entries there are. */
#include "core/cpu.h"
#include "sparse/tile.h"

#define DECLARE(isa)                                                                               \
    extern const stn_sparse_tiles stn_sparse_tiles_f64_##isa, stn_sparse_tiles_f32_##isa;
#define ROW(isa)                                                                                   \
    {                                                                                              \
        &stn_sparse_tiles_f64_##isa, &stn_sparse_tiles_f32_##isa                                   \
    }
#ifdef STN_HAVE_ISA_NEON
DECLARE(neon)
#endif
#ifdef STN_HAVE_ISA_AVX2
DECLARE(avx2)
#endif
#ifdef STN_HAVE_ISA_AVX512
DECLARE(avx512)
#endif

static const stn_sparse_tiles *const loops[STN_ISA_COUNT][2] = {
#ifdef STN_HAVE_ISA_NEON
    [STN_ISA_NEON] = ROW(neon),
#endif
#ifdef STN_HAVE_ISA_AVX2
    [STN_ISA_AVX2] = ROW(avx2),
#endif
#ifdef STN_HAVE_ISA_AVX512
    [STN_ISA_AVX512] = ROW(avx512),
#endif
    [STN_ISA_C] = {NULL, NULL}};

const stn_sparse_tiles *stn_sparse_tiles_of(stn_format arithmetic)
{
    return loops[stn_isa_chosen()][arithmetic == STN_F32];
}
