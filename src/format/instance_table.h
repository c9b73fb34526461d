/* Include-as-template: `instances[isa][format]`, a table of the objects STN_TEMPLATE_NAME_ISA that
 * a source compiled once for every format and instruction set defines; their type is
 * STN_TEMPLATE_TYPE. With STN_TEMPLATE_FUSED, integers of 64 bits have no object, with
 * STN_TEMPLATE_WORDS floats of 24, 40 and 48 bits neither (cmake/library.cmake): their entries are
 * NULL. With STN_TEMPLATE_PLANES, `plane_instances[isa]` are those of format/upper.h. */
#include "core/cpu.h"
#include "steno/detail/format_table.h"

#define STN_PASTE_(template, name, isa) template##_##name##_##isa
#define STN_PASTE(template, name, isa)  STN_PASTE_(template, name, isa)

#define STN_DECLARE(name, isa)     extern const STN_TEMPLATE_TYPE STN_PASTE(STN_TEMPLATE, name, isa);
#define STN_ENTRY(NAME, name, isa) [STN_##NAME] = &STN_PASTE(STN_TEMPLATE, name, isa),

#define STN_INTEGER_8(row)  row
#define STN_INTEGER_16(row) row
#define STN_INTEGER_32(row) row
#define STN_FLOAT_8(row)    row
#define STN_FLOAT_16(row)   row
#define STN_FLOAT_32(row)   row
#define STN_FLOAT_64(row)   row
#ifdef STN_TEMPLATE_FUSED
#    define STN_INTEGER_64(row)
#else
#    define STN_INTEGER_64(row) row
#endif
#ifdef STN_TEMPLATE_WORDS
#    define STN_FLOAT_24(row)
#    define STN_FLOAT_40(row)
#    define STN_FLOAT_48(row)
#else
#    define STN_FLOAT_24(row) row
#    define STN_FLOAT_40(row) row
#    define STN_FLOAT_48(row) row
#endif

/* Rows of floats and integers for an instruction set. */
#define STN_DECLARE_NEON(id, NAME, name, bits, ...) STN_FLOAT_##bits(STN_DECLARE(name, neon))
#define STN_DECLARE_NEON_INTEGER(id, NAME, name, bits, is_signed)                                  \
    STN_INTEGER_##bits(STN_DECLARE(name, neon))
#define STN_ENTRY_NEON(id, NAME, name, bits, ...) STN_FLOAT_##bits(STN_ENTRY(NAME, name, neon))
#define STN_ENTRY_NEON_INTEGER(id, NAME, name, bits, is_signed)                                    \
    STN_INTEGER_##bits(STN_ENTRY(NAME, name, neon))
#define STN_DECLARE_AVX2(id, NAME, name, bits, ...) STN_FLOAT_##bits(STN_DECLARE(name, avx2))
#define STN_DECLARE_AVX2_INTEGER(id, NAME, name, bits, is_signed)                                  \
    STN_INTEGER_##bits(STN_DECLARE(name, avx2))
#define STN_ENTRY_AVX2(id, NAME, name, bits, ...) STN_FLOAT_##bits(STN_ENTRY(NAME, name, avx2))
#define STN_ENTRY_AVX2_INTEGER(id, NAME, name, bits, is_signed)                                    \
    STN_INTEGER_##bits(STN_ENTRY(NAME, name, avx2))
#define STN_DECLARE_AVX512(id, NAME, name, bits, ...) STN_FLOAT_##bits(STN_DECLARE(name, avx512))
#define STN_DECLARE_AVX512_INTEGER(id, NAME, name, bits, is_signed)                                \
    STN_INTEGER_##bits(STN_DECLARE(name, avx512))
#define STN_ENTRY_AVX512(id, NAME, name, bits, ...) STN_FLOAT_##bits(STN_ENTRY(NAME, name, avx512))
#define STN_ENTRY_AVX512_INTEGER(id, NAME, name, bits, is_signed)                                  \
    STN_INTEGER_##bits(STN_ENTRY(NAME, name, avx512))

#ifdef STN_HAVE_ISA_NEON
STN_FORMAT_TABLE(STN_DECLARE_NEON, STN_DECLARE_NEON_INTEGER, STN_NO_ROW)
#endif
#ifdef STN_HAVE_ISA_AVX2
STN_FORMAT_TABLE(STN_DECLARE_AVX2, STN_DECLARE_AVX2_INTEGER, STN_NO_ROW)
#endif
#ifdef STN_HAVE_ISA_AVX512
STN_FORMAT_TABLE(STN_DECLARE_AVX512, STN_DECLARE_AVX512_INTEGER, STN_NO_ROW)
#endif

static const STN_TEMPLATE_TYPE *const instances[STN_ISA_COUNT][STN_BUILTIN_FORMATS] = {
    [STN_ISA_C] = {NULL},
#ifdef STN_HAVE_ISA_NEON
    [STN_ISA_NEON] = {STN_FORMAT_TABLE(STN_ENTRY_NEON, STN_ENTRY_NEON_INTEGER, STN_NO_ROW)},
#endif
#ifdef STN_HAVE_ISA_AVX2
    [STN_ISA_AVX2] = {STN_FORMAT_TABLE(STN_ENTRY_AVX2, STN_ENTRY_AVX2_INTEGER, STN_NO_ROW)},
#endif
#ifdef STN_HAVE_ISA_AVX512
    [STN_ISA_AVX512] = {STN_FORMAT_TABLE(STN_ENTRY_AVX512, STN_ENTRY_AVX512_INTEGER, STN_NO_ROW)},
#endif
};

#ifdef STN_TEMPLATE_PLANES
#    ifdef STN_HAVE_ISA_NEON
STN_DECLARE(upper, neon)
#    endif
#    ifdef STN_HAVE_ISA_AVX2
STN_DECLARE(upper, avx2)
#    endif
#    ifdef STN_HAVE_ISA_AVX512
STN_DECLARE(upper, avx512)
#    endif
static const STN_TEMPLATE_TYPE *const plane_instances[STN_ISA_COUNT] = {
    [STN_ISA_C] = NULL,
#    ifdef STN_HAVE_ISA_NEON
    [STN_ISA_NEON] = &STN_PASTE(STN_TEMPLATE, upper, neon),
#    endif
#    ifdef STN_HAVE_ISA_AVX2
    [STN_ISA_AVX2] = &STN_PASTE(STN_TEMPLATE, upper, avx2),
#    endif
#    ifdef STN_HAVE_ISA_AVX512
    [STN_ISA_AVX512] = &STN_PASTE(STN_TEMPLATE, upper, avx512),
#    endif
};
#endif
