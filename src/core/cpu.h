/* Instruction sets of the processor, and the one that the library uses. */
#ifndef STENO_CORE_CPU_H
#define STENO_CORE_CPU_H

#include <stdatomic.h>

#include "core/status.h"

/* From narrow to wide; STN_ISA_C is portable C for the compiler's baseline and always available. */
typedef enum stn_isa {
    STN_ISA_C,
    STN_ISA_NEON,
    STN_ISA_AVX2,
    STN_ISA_AVX512,
    STN_ISA_COUNT
} stn_isa;

STN_PRIVATE_API const char *stn_isa_name(stn_isa isa);

/* Was code for it built, and can this processor run it? */
STN_PRIVATE_API int stn_isa_available(stn_isa isa);

extern _Atomic int stn_isa_in_use; /* negative: not selected yet */

/* Returns the instruction set in use. Selects it if that has not been done. */
STN_PRIVATE_API stn_isa stn_isa_choose(void);

/* The instruction set in use: the widest available one, limited by
 * STENO_ISA. */
#ifdef STN_IN_COMMAND /* variables of the shared library are not exported */
#    define stn_isa_chosen stn_isa_choose
#else
static inline stn_isa stn_isa_chosen(void)
{
    const int isa = atomic_load_explicit(&stn_isa_in_use, memory_order_relaxed);
    return isa >= 0 ? (stn_isa)isa : stn_isa_choose();
}
#endif

/* STN_ERR_ARGUMENT or STN_ERR_UNSUPPORTED if STENO_ISA is unknown or not
 * available. */
stn_status stn_isa_check_environment(void);

/* Selects another one, for tests and benches; STN_ERR_UNSUPPORTED if it is not available. */
STN_PRIVATE_API stn_status stn_isa_use(stn_isa isa);
STN_PRIVATE_API stn_status stn_isa_find(const char *name, stn_isa *isa);

/* Does the one in use have byte dot products (VNNI, AVX-VNNI or dotprod)? Tests can disable
 * them. */
int stn_isa_dots(void);
void stn_isa_forget_dots(int forget);

/* Are gather instructions of AVX-512 faster than loads and shuffles? `use` replaces the answer for
 * tests; -1 restores it. */
int stn_isa_gathers(void);
void stn_isa_use_gathers(int use);

/* Processor features used by Steno, separated by spaces. */
STN_PRIVATE_API const char *stn_cpu_features(void);

/* Describes everything that code for this processor depends on. */
void stn_cpu_identify(char *text, size_t capacity);

#endif
