/* Floating-point modes: work is done with round to nearest, subnormals and masked traps,
 * whatever the caller has set; the caller's modes and flags are restored. */
#ifndef STENO_CORE_MODES_H
#define STENO_CORE_MODES_H

#include <stdint.h>

/* Used around functions of the program: stn_modes_guard before, stn_modes_again after. If they
 * change the modes, the library's are restored. */

#if defined(__x86_64__)
#    include <xmmintrin.h>

typedef unsigned stn_modes;

/* Flags are sticky, and most callers have them set: in most calls neither flags nor modes
 * change. Writing an unchanged register takes as long as changing it, up to 35 ns on Intel. */
enum { STN_MODES = 0x1f80, STN_MODES_FLAGS = 0x3f };

static inline stn_modes stn_modes_enter(void)
{
    const stn_modes saved = _mm_getcsr();
    if ((saved & ~(stn_modes)STN_MODES_FLAGS) != STN_MODES)
        _mm_setcsr(STN_MODES);
    return saved;
}

static inline void stn_modes_leave(stn_modes saved)
{
    if (_mm_getcsr() != saved)
        _mm_setcsr(saved);
}

/* Long double has separate modes. */
typedef struct stn_modes_guarded {
    unsigned vector;
    unsigned short legacy;
} stn_modes_guarded;

static inline stn_modes_guarded stn_modes_guard(void)
{
    stn_modes_guarded modes;
    modes.vector = _mm_getcsr();
    __asm__ volatile("fnstcw %0" : "=m"(modes.legacy));
    return modes;
}

static inline void stn_modes_again(stn_modes_guarded modes)
{
    const unsigned flags = 0x3fu; /* not read before the caller's are restored */
    const stn_modes_guarded now = stn_modes_guard();
    if ((now.vector | flags) != (modes.vector | flags))
        _mm_setcsr(modes.vector);
    if (now.legacy != modes.legacy)
        __asm__ volatile("fldcw %0" : : "m"(modes.legacy));
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

typedef uint64_t stn_modes_guarded;

static inline stn_modes_guarded stn_modes_guard(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

static inline void stn_modes_again(stn_modes_guarded modes)
{
    if (stn_modes_guard() != modes)
        __asm__ volatile("msr fpcr, %0" : : "r"(modes) : "memory");
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

typedef fenv_t stn_modes_guarded;

static inline stn_modes_guarded stn_modes_guard(void)
{
    stn_modes_guarded modes;
    fegetenv(&modes);
    return modes;
}

static inline void stn_modes_again(stn_modes_guarded modes)
{
    fesetenv(&modes);
}
#endif

/* Returns the result of a call in these modes, including checks and final roundings. */
#define STN_RETURN_IN_MODES(...)                                                                   \
    do {                                                                                           \
        const stn_modes stn_saved_modes = stn_modes_enter();                                       \
        const stn_status stn_status_in_modes = (__VA_ARGS__);                                      \
        stn_modes_leave(stn_saved_modes);                                                          \
        return stn_status_in_modes;                                                                \
    } while (0)

#endif
