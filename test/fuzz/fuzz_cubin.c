/* Fuzzes what decodes instructions of NVIDIA GPUs, and finds their loops and live registers: the
 * first byte chooses the architecture, the others are the code of a kernel. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz/image.h"

FUZZ(bytes, size)
{
    static const int architectures[] = {75, 80, 86, 89, 90, 100, 103, 110, 120, 121};
    enum { ARCHITECTURES = sizeof architectures / sizeof *architectures, BYTES = 16 };
    if (size <= BYTES)
        return 0;
    unsigned char decoded = 0;
    stn_code code = {.count = 0};
    stn_symbol kernel = {.symbol = "k",
                         .name = "k",
                         .machine = STN_MACHINE_NVIDIA,
                         .bytes = size - 1,
                         .code = bytes + 1,
                         .registers = -1,
                         .stack_bytes = -1};
    stn_image image = {.name = "fuzz",
                       .bytes = (unsigned char *)bytes,
                       .size = size,
                       .symbols = &kernel,
                       .count = 1,
                       .codes = &code,
                       .decoded = &decoded};
    snprintf(kernel.target, sizeof kernel.target, "sm_%d", architectures[bytes[0] % ARCHITECTURES]);
    look_at(&image, 0);
    stn_code_release(&code);
    return 0;
}
