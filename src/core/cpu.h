/* Which instruction sets this processor has, and which one the library uses. */
#ifndef STENO_CORE_CPU_H
#define STENO_CORE_CPU_H

#include <stdatomic.h>

#include "core/status.h"

/* From narrow to wide; STN_ISA_C is portable C for the compiler's baseline and always there. */
typedef enum stn_isa {
    STN_ISA_C,
    STN_ISA_NEON,
    STN_ISA_AVX2,
    STN_ISA_AVX512,
    STN_ISA_COUNT
} stn_isa;

const char *stn_isa_name(stn_isa isa);

/* Was code for it built, and can this processor run it? */
int stn_isa_available(stn_isa isa);

extern _Atomic int stn_isa_in_use; /* negative: none has been chosen */
stn_isa stn_isa_choose(void);

/* The one in use: the widest available, not wider than what the environment's STENO_ISA asks for.
 */
static inline stn_isa stn_isa_chosen(void)
{
    const int isa = atomic_load_explicit(&stn_isa_in_use, memory_order_relaxed);
    return isa >= 0 ? (stn_isa)isa : stn_isa_choose();
}

/* STN_ERR_ARGUMENT or STN_ERR_UNSUPPORTED when STENO_ISA asks for one that is unknown or not
 * available. */
stn_status stn_isa_check_environment(void);

/* Use another from now on, for tests and benches; STN_ERR_UNSUPPORTED when it is not available. */
stn_status stn_isa_use(stn_isa isa);
stn_status stn_isa_find(const char *name, stn_isa *isa);

/* Has the one in use instructions for dot products of bytes: VNNI, AVX-VNNI or dotprod? And do as
 * if it had none, or not any more, for tests. */
int stn_isa_dots(void);
void stn_isa_forget_dots(int forget);

/* Features of the processor that Steno looks at, as words separated by spaces. */
const char *stn_cpu_features(void);

/* What code for this very processor depends on, in words. */
void stn_cpu_identify(char *words, size_t room);

#endif
