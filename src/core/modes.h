/* Floating-point modes: work happens with rounding to nearest, subnormals kept and traps masked,
 * whatever the caller has set; the caller's modes and flags come back unchanged. */
#ifndef STENO_CORE_MODES_H
#define STENO_CORE_MODES_H

#include <stdint.h>

#if defined(__x86_64__)
#    include <xmmintrin.h>

typedef unsigned stn_modes;

static inline stn_modes stn_modes_enter(void)
{
    const stn_modes saved = _mm_getcsr();
    _mm_setcsr(0x1f80u);
    return saved;
}

static inline void stn_modes_leave(stn_modes saved)
{
    _mm_setcsr(saved);
}
#elif defined(__aarch64__)
typedef struct stn_modes {
    uint64_t control, status;
} stn_modes;

static inline stn_modes stn_modes_enter(void)
{
    stn_modes saved;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(saved.control), "=r"(saved.status));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0) : "memory");
    return saved;
}

static inline void stn_modes_leave(stn_modes saved)
{
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1"
                     :
                     : "r"(saved.control), "r"(saved.status)
                     : "memory");
}
#else
#    include <fenv.h>

typedef fenv_t stn_modes;

static inline stn_modes stn_modes_enter(void)
{
    stn_modes saved;
    fegetenv(&saved);
    fesetenv(FE_DFL_ENV);
    return saved;
}

static inline void stn_modes_leave(stn_modes saved)
{
    fesetenv(&saved);
}
#endif

#endif
