/* Sizes of memory and caches. */
#include "command.h"
#include "core/available.h"

double available_memory(void)
{
    return stn_available_memory();
}

double last_cache_bytes(void)
{
    const double bytes =
        stn_read_number("/sys/devices/system/cpu/cpu0/cache/index3/size", "", 1024.0);
    return bytes > 0.0 ? bytes : 0x1p25;
}

stn_status expect_memory(double bytes, const char *what)
{
    const double there = available_memory();
    if (bytes <= there)
        return STN_OK;
    return stn_fail(STN_ERR_MEMORY, "%s needs %.3g GiB of memory, and %.3g GiB are free", what,
                    bytes * 0x1p-30, there * 0x1p-30);
}
