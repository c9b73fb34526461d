/* The kernels on a device, in CUDA C++ or HIP: prints a word for each, as host.c does, and ends with
 * 77 where there is no device. */
#ifdef __HIP__
#    include <hip/hip_runtime.h>
#    define DEVICE(name) hip##name
#else
#    include <cuda_runtime.h>
#    define DEVICE(name) cuda##name
#endif
#include "kernels.h"

#include <stdio.h>

/* Most of its functions are never called: no reason to warn in the file that defines it. */
STN_ACCESSOR_SCALED(defined_here, 2, float, int8_t, 0x2)

/* As many bytes as the widest format takes. */
enum { MEMORY = ITEMS * REGION * 16, FACTORS = ITEMS * SCALES * 16 };

static stn_u64 words[ITEMS];

/* 0 when the words of a kernel that has been launched have come. */
static int fetch_words(const char *name, const stn_u64 *found)
{
    stn_u64 sum = 0;
    if (DEVICE(DeviceSynchronize)() != DEVICE(Success) ||
        DEVICE(Memcpy)(words, found, sizeof words, DEVICE(MemcpyDeviceToHost)) != DEVICE(Success)) {
        fprintf(stderr, "%s: %s\n", name, DEVICE(GetErrorString)(DEVICE(GetLastError)()));
        return 1;
    }
    for (int item = 0; item < ITEMS; item++)
        sum = stn_hash_bits(sum * 3 + words[item] + 0x9e3779b97f4a7c15u);
    printf("%s %016llx\n", name, (unsigned long long)sum);
    return 0;
}

int main(void)
{
    int devices = 0;
    void *memory, *wide, *scales, *found;
    if (DEVICE(GetDeviceCount)(&devices) != DEVICE(Success) || devices == 0)
        return 77;
    if (DEVICE(Malloc)(&memory, MEMORY) != DEVICE(Success) ||
        DEVICE(Malloc)(&wide, MEMORY) != DEVICE(Success) ||
        DEVICE(Malloc)(&scales, FACTORS) != DEVICE(Success) ||
        DEVICE(Malloc)(&found, sizeof words) != DEVICE(Success))
        return 1;
#define ON_KERNEL(name, format, real, scale)                                                       \
    run_##name<<<(ITEMS + 31) / 32, 32>>>((stn_##format *)memory, (stn_##real *)wide,              \
                                          (stn_##scale *)scales, (stn_u64 *)found);                \
    if (fetch_words(#name, (const stn_u64 *)found) != 0)                                           \
        return 1;
    KERNEL_LIST
    return 0;
}
