/* Include-as-template: `loops[isa][is f32]`, a table of the objects or functions
 * STN_TEMPLATE_f64_ISA and STN_TEMPLATE_f32_ISA that a source compiled once for both and every
 * instruction set defines; their type is STN_TEMPLATE_TYPE. NULL in portable C. */
#include "core/cpu.h"

#define STN_PASTE_(template, arithmetic, isa) template##_##arithmetic##_##isa
#define STN_PASTE(template, arithmetic, isa)  STN_PASTE_(template, arithmetic, isa)
#define STN_DECLARE(isa)                                                                           \
    extern STN_TEMPLATE_TYPE STN_PASTE(STN_TEMPLATE, f64, isa), STN_PASTE(STN_TEMPLATE, f32, isa);
#define STN_ENTRIES(isa)                                                                           \
    {                                                                                              \
        &STN_PASTE(STN_TEMPLATE, f64, isa), &STN_PASTE(STN_TEMPLATE, f32, isa)                     \
    }

#ifdef STN_HAVE_ISA_NEON
STN_DECLARE(neon)
#endif
#ifdef STN_HAVE_ISA_AVX2
STN_DECLARE(avx2)
#endif
#ifdef STN_HAVE_ISA_AVX512
STN_DECLARE(avx512)
#endif

static STN_TEMPLATE_TYPE *const loops[STN_ISA_COUNT][2] = {
#ifdef STN_HAVE_ISA_NEON
    [STN_ISA_NEON] = STN_ENTRIES(neon),
#endif
#ifdef STN_HAVE_ISA_AVX2
    [STN_ISA_AVX2] = STN_ENTRIES(avx2),
#endif
#ifdef STN_HAVE_ISA_AVX512
    [STN_ISA_AVX512] = STN_ENTRIES(avx512),
#endif
    [STN_ISA_C] = {NULL, NULL}};

#undef STN_ENTRIES
#undef STN_DECLARE
#undef STN_PASTE
#undef STN_PASTE_
