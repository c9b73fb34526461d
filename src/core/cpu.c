/* Processor features, found once, and the instruction set in use. */
#include "core/cpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "core/environment.h"

#if defined(__x86_64__)
#    include <cpuid.h>

/* clang 14 does not support "f16c" in __builtin_cpu_supports. */
static int has_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) && __builtin_cpu_supports("avx");
}

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && has_avx2();
}
#endif

static const char *const names[STN_ISA_COUNT] = {"c", "neon", "avx2", "avx512"};

const char *stn_isa_name(stn_isa isa)
{
    return names[isa];
}

int stn_isa_available(stn_isa isa)
{
    switch (isa) {
    case STN_ISA_C:
        return 1;
    case STN_ISA_NEON:
#ifdef STN_HAVE_ISA_NEON
        return 1; /* part of the AArch64 baseline */
#else
        return 0;
#endif
    case STN_ISA_AVX2:
#ifdef STN_HAVE_ISA_AVX2
        return has_avx2();
#else
        return 0;
#endif
    case STN_ISA_AVX512:
#ifdef STN_HAVE_ISA_AVX512
        return has_avx512();
#else
        return 0;
#endif
    case STN_ISA_COUNT:
        break;
    }
    return 0;
}

_Atomic int stn_isa_in_use = -1;

/* ---- dot products of bytes ---- */

#if defined(__x86_64__)
static int has_dots(stn_isa isa)
{
    unsigned a = 0, b, c, d;
    if (isa == STN_ISA_AVX512)
        return __builtin_cpu_supports("avx512vnni");
    return isa == STN_ISA_AVX2 && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4);
}
#elif defined(__aarch64__)
static int has_dots(stn_isa isa)
{
    return isa == STN_ISA_NEON && (getauxval(AT_HWCAP) & 1ul << 20); /* HWCAP_ASIMDDP */
}
#else
static int has_dots(stn_isa isa)
{
    return isa < 0;
}
#endif

/* By instruction set: 0 unknown, 1 no, 2 yes. */
static _Atomic signed char dots[STN_ISA_COUNT];
static _Atomic int dots_forgotten;

int stn_isa_dots(void)
{
    const stn_isa isa = stn_isa_chosen();
    int known = atomic_load_explicit(&dots[isa], memory_order_relaxed);
    if (!known) {
        known = has_dots(isa) ? 2 : 1;
        atomic_store_explicit(&dots[isa], (signed char)known, memory_order_relaxed);
    }
    return known == 2 && !atomic_load_explicit(&dots_forgotten, memory_order_relaxed);
}

void stn_isa_forget_dots(int forget)
{
    atomic_store(&dots_forgotten, forget);
}

/* ---- gather instructions ---- */

/* Microcode slows down gather instructions of Intel processors before Sapphire Rapids, which was
 * the first one with AVX512-FP16 (leaf 7, bit 23 of EDX): 8 values take 27 cycles on Cascade Lake
 * and 5 to 6 on Emerald Rapids. */
static int has_fast_gathers(void)
{
#if defined(__x86_64__)
    unsigned a = 0, b, c, d;
    __builtin_cpu_init();
    return __builtin_cpu_is("intel") && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & 1u << 23);
#else
    return 0;
#endif
}

enum { UNKNOWN = -1 };
static _Atomic int gathers = UNKNOWN;

int stn_isa_gathers(void)
{
    int known = atomic_load_explicit(&gathers, memory_order_relaxed);
    if (known == UNKNOWN) {
        known = has_fast_gathers();
        atomic_store_explicit(&gathers, known, memory_order_relaxed);
    }
    return known;
}

void stn_isa_use_gathers(int use)
{
    atomic_store(&gathers, use);
}

/* ---- selection ---- */

stn_status stn_isa_find(const char *name, stn_isa *isa)
{
    for (int k = 0; k < STN_ISA_COUNT; k++)
        if (strcmp(names[k], name) == 0) {
            *isa = (stn_isa)k;
            return STN_OK;
        }
    return stn_fail(STN_ERR_ARGUMENT, "unknown instruction set '%s' (known: c, neon, avx2, avx512)",
                    name);
}

/* The widest available one not above `limit`. */
static stn_isa widest(stn_isa limit)
{
    int isa = (int)limit;
    while (!stn_isa_available((stn_isa)isa))
        isa--;
    return (stn_isa)isa;
}

stn_isa stn_isa_choose(void)
{
    const int selected = atomic_load_explicit(&stn_isa_in_use, memory_order_relaxed);
    stn_isa requested = STN_ISA_AVX512;
    const char *name = stn_environment_get()->isa;
    if (selected >= 0)
        return (stn_isa)selected;
    if (name)
        (void)stn_isa_find(name, &requested); /* stn_isa_check_environment reports errors */
    const stn_isa isa = widest(requested);
    atomic_store_explicit(&stn_isa_in_use, (int)isa, memory_order_relaxed);
    return isa;
}

stn_status stn_isa_check_environment(void)
{
    const char *name = stn_environment_get()->isa;
    stn_isa requested = STN_ISA_C;
    if (!name)
        return STN_OK;
    if (stn_isa_find(name, &requested) != STN_OK)
        return stn_fail(STN_ERR_ARGUMENT, "STENO_ISA is '%s'; it must be c, neon, avx2 or avx512",
                        name);
    if (!stn_isa_available(requested))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "STENO_ISA is '%s', which this processor or build does not support", name);
    return STN_OK;
}

stn_status stn_isa_use(stn_isa isa)
{
    if ((int)isa < 0 || isa >= STN_ISA_COUNT || !stn_isa_available(isa))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "instruction set %s is not supported by this processor or build",
                        (int)isa >= 0 && isa < STN_ISA_COUNT ? names[isa] : "?");
    atomic_store(&stn_isa_in_use, (int)isa);
    return STN_OK;
}

#if defined(__x86_64__)
const char *stn_cpu_features(void)
{
    static _Thread_local char text[256];
    text[0] = '\0';
#    define STN_FEATURE(name)                                                                      \
        if (__builtin_cpu_supports(name))                                                          \
            strcat(strcat(text, text[0] ? " " : ""), name);
    STN_FEATURE("sse2")
    STN_FEATURE("avx")
    if (has_f16c())
        strcat(text, " f16c");
    STN_FEATURE("fma")
    STN_FEATURE("avx2")
    STN_FEATURE("avx512f")
    STN_FEATURE("avx512bw")
    STN_FEATURE("avx512dq")
    STN_FEATURE("avx512vl")
    STN_FEATURE("avx512vbmi")
    STN_FEATURE("avx512vnni")
    STN_FEATURE("avx512bf16")
#    undef STN_FEATURE
    return text;
}
#elif defined(__aarch64__)
const char *stn_cpu_features(void)
{
    return "asimd fp";
}
#else
const char *stn_cpu_features(void)
{
    return "none that Steno uses";
}
#endif

#if defined(__x86_64__)
void stn_cpu_identify(char *text, size_t capacity)
{
    static const unsigned leaves[][2] = {{0, 0}, {1, 0}, {7, 0}, {7, 1}, {0x80000001u, 0}};
    size_t at = 0;
    for (size_t k = 0; k < sizeof leaves / sizeof *leaves && at < capacity; k++) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        (void)__get_cpuid_count(leaves[k][0], leaves[k][1], &a, &b, &c, &d);
        b &= leaves[k][0] == 1 ? 0xffu : ~0u; /* without the number of the current core */
        at += (size_t)snprintf(text + at, capacity - at, "%x:%x:%x:%x ", a, b, c, d);
    }
}
#else
void stn_cpu_identify(char *text, size_t capacity)
{
    snprintf(text, capacity, "%lx %lx", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
}
#endif
