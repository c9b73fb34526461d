/* Atomic bytes: the processor's instructions for small aligned elements, locks for the others. */
#include "core/atomic.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "steno/atomic.h"

/* ---- locks: at most one per thread, so that there are no deadlocks ---- */

enum { LOCK_BITS = 9, PATIENCE = 64 };

static struct padded_lock {
    _Alignas(64) atomic_flag flag; /* all zeros are unlocked */
} locks[1 << LOCK_BITS];

static atomic_flag *lock_of(const void *element)
{
    const uint64_t mixed = ((uint64_t)(uintptr_t)element >> 3) * 0x9e3779b97f4a7c15u;
    atomic_flag *const flag = &locks[mixed >> (64 - LOCK_BITS)].flag;
    for (int tries = 1; atomic_flag_test_and_set_explicit(flag, memory_order_acquire); tries++)
        if (tries % PATIENCE == 0)
            sched_yield(); /* the holder may be waiting for this core */
    return flag;
}

static void read_locked(const void *element, size_t bytes, void *value)
{
    atomic_flag *const flag = lock_of(element);
    memcpy(value, element, bytes);
    atomic_flag_clear_explicit(flag, memory_order_release);
}

static int replace_locked(void *element, size_t bytes, void *expected, const void *desired)
{
    atomic_flag *const flag = lock_of(element);
    const int same = memcmp(element, expected, bytes) == 0;
    if (same)
        memcpy(element, desired, bytes);
    else
        memcpy(expected, element, bytes);
    atomic_flag_clear_explicit(flag, memory_order_release);
    return same;
}

/* ---- 16 bytes: cmpxchg16b, and loads that are single accesses with AVX ---- */

#if defined(__x86_64__)
#    include <cpuid.h>

static int detect_wide(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_CMPXCHG16B) && __builtin_cpu_supports("avx");
}

static int has_wide(void)
{
    static _Atomic int known = -1;
    int has = atomic_load_explicit(&known, memory_order_relaxed);
    if (has < 0) {
        has = detect_wide();
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    return has;
}

static void read_wide(const void *element, void *value)
{
    struct halves {
        uint64_t low, high;
    } halves;
    __asm__ volatile("vmovdqa %1, %%xmm0\n\tvmovdqu %%xmm0, %0"
                     : "=m"(halves)
                     : "m"(*(const struct halves *)element)
                     : "xmm0");
    memcpy(value, &halves, sizeof halves);
}

static int replace_wide(void *element, void *expected, const void *desired)
{
    uint64_t old[2], fresh[2];
    unsigned char same;
    memcpy(old, expected, sizeof old);
    memcpy(fresh, desired, sizeof fresh);
    __asm__ volatile("lock cmpxchg16b %1\n\tsetz %0"
                     : "=q"(same), "+m"(*(char(*)[16])element), "+a"(old[0]), "+d"(old[1])
                     : "b"(fresh[0]), "c"(fresh[1])
                     : "cc");
    memcpy(expected, old, sizeof old);
    return same;
}
#else
static int has_wide(void)
{
    return 0;
}

static void read_wide(const void *element, void *value)
{
    read_locked(element, 16, value);
}

static int replace_wide(void *element, void *expected, const void *desired)
{
    return replace_locked(element, 16, expected, desired);
}
#endif

int stn_atomic_is_lock_free(int64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || (bytes == 16 && has_wide());
}

/* The size of an element that needs no lock, 0 for others. Such sizes are powers of two; a division
 * takes longer than the access. */
static int64_t free_bytes(const void *element, int64_t bytes)
{
    const int aligned = ((uintptr_t)element & ((size_t)bytes - 1)) == 0;
    return aligned && stn_atomic_is_lock_free(bytes) ? bytes : 0;
}

#define READ(type, element, value)                                                                 \
    do {                                                                                           \
        const type whole = __atomic_load_n((const type *)(element), __ATOMIC_RELAXED);             \
        memcpy(value, &whole, sizeof whole);                                                       \
    } while (0)

void stn_atomic_read(const void *element, int64_t bytes, void *value)
{
    switch (free_bytes(element, bytes)) {
    case 1:
        READ(uint8_t, element, value);
        break;
    case 2:
        READ(uint16_t, element, value);
        break;
    case 4:
        READ(uint32_t, element, value);
        break;
    case 8:
        READ(uint64_t, element, value);
        break;
    case 16:
        read_wide(element, value);
        break;
    default:
        read_locked(element, (size_t)bytes, value);
    }
}

#define REPLACE(bits)                                                                              \
    static int replace_##bits(void *element, void *expected, const void *desired)                  \
    {                                                                                              \
        uint##bits##_t old, fresh;                                                                 \
        memcpy(&old, expected, sizeof old);                                                        \
        memcpy(&fresh, desired, sizeof fresh);                                                     \
        const int same = __atomic_compare_exchange_n((uint##bits##_t *)element, &old, fresh, 1,    \
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);          \
        memcpy(expected, &old, sizeof old);                                                        \
        return same;                                                                               \
    }
REPLACE(8)
REPLACE(16)
REPLACE(32)
REPLACE(64)

int stn_atomic_replace(void *element, int64_t bytes, void *expected, const void *desired)
{
    switch (free_bytes(element, bytes)) {
    case 1:
        return replace_8(element, expected, desired);
    case 2:
        return replace_16(element, expected, desired);
    case 4:
        return replace_32(element, expected, desired);
    case 8:
        return replace_64(element, expected, desired);
    case 16:
        return replace_wide(element, expected, desired);
    default:
        return replace_locked(element, (size_t)bytes, expected, desired);
    }
}
