/* Aligned allocation with huge pages for large arrays, and simulated failures for tests. */
#define _GNU_SOURCE
#include "core/memory.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

static _Atomic int64_t allocations_until_failure;

void stn_fail_allocation(int64_t nth)
{
    atomic_store(&allocations_until_failure, nth);
}

static int must_fail(void)
{
    if (atomic_load(&allocations_until_failure) <= 0)
        return 0;
    return atomic_fetch_sub(&allocations_until_failure, 1) == 1;
}

stn_status stn_allocate(void *memory, int64_t count, size_t bytes, const char *what)
{
    void *result = NULL;
    memcpy(memory, &result, sizeof result);
    size_t total;
    if (count < 0 || __builtin_mul_overflow((size_t)count, bytes, &total) ||
        total > (size_t)PTRDIFF_MAX - HUGE_PAGE)
        return stn_fail(STN_ERR_RANGE,
                        "%s: %" PRId64 " elements of %zu bytes exceed the address space", what,
                        count, bytes);
    if (total == 0)
        return STN_OK;
    const size_t alignment = total >= 2 * (size_t)HUGE_PAGE ? HUGE_PAGE : STN_LINE;
    const size_t rounded = (total + alignment - 1) / alignment * alignment;
    result = must_fail() ? NULL : aligned_alloc(alignment, rounded);
    if (!result)
        return stn_fail(STN_ERR_MEMORY, "%s: no memory for %zu bytes", what, total);
    if (alignment == HUGE_PAGE)
        (void)madvise(result, rounded, MADV_HUGEPAGE); /* advice only: a refusal costs speed */
    memcpy(memory, &result, sizeof result);
    return STN_OK;
}

void stn_free(void *memory)
{
    free(memory);
}
