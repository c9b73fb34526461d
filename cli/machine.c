/* The processor, and sizes of memory and caches. */
#include <stdio.h>
#include <string.h>

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
    const double available = available_memory();
    if (bytes <= available)
        return STN_OK;
    return stn_fail(STN_ERR_MEMORY, "%s needs %.3g GiB of memory, and %.3g GiB are free", what,
                    bytes * 0x1p-30, available * 0x1p-30);
}

const char *processor_name(void)
{
    static char line[256];
    char *name = NULL;
    FILE *const info = *line ? NULL : fopen("/proc/cpuinfo", "re");
    while (info && !name && fgets(line, sizeof line, info))
        if (strncmp(line, "model name", 10) == 0)
            name = strchr(line, ':');
    if (info) {
        (void)fclose(info);
        line[strcspn(line, "\n")] = '\0';
        memmove(line, name ? name + 2 : "", name ? strlen(name + 2) + 1 : 1);
    }
    return line;
}
