/* Available memory, as reported by Linux; unlimited on other systems. */
#define _POSIX_C_SOURCE 200809L
#include "core/available.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    ALWAYS_TRIED = 64 << 20
}; /* smaller requests are not checked: writing this number of bytes
    * takes longer than reading the files */

static double pretended = -1.0;

void stn_memory_pretend(double bytes)
{
    pretended = bytes;
}

double stn_read_number(const char *path, const char *key, double unit)
{
    FILE *const file = fopen(path, "re");
    char line[256];
    double number = -1.0;
    if (!file)
        return number;
    while (number < 0.0 && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%lf", &number) == 1)
            number *= unit;
    (void)fclose(file);
    return number;
}

double stn_available_memory(void)
{
    if (pretended >= 0.0)
        return pretended;
    double bytes = stn_read_number("/proc/meminfo", "MemAvailable:", 1024.0);
    if (bytes < 0.0)
        bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    static const char *const limits[] = {
        "/sys/fs/cgroup/memory.max", /* of control groups 2 and 1 */
        "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    for (int k = 0; k < 2; k++) {
        const double limit = stn_read_number(limits[k], "", 1.0);
        bytes = limit >= 0.0 && limit < bytes ? limit : bytes;
    }
    return bytes;
}

stn_status stn_memory_expect(const char *what, int64_t bytes)
{
    if (bytes < ALWAYS_TRIED && pretended < 0.0)
        return STN_OK;
    const double capacity = stn_available_memory();
    return (double)bytes <= capacity
               ? STN_OK
               : stn_fail(STN_ERR_MEMORY, "%s: %lld bytes of memory are needed; %.0f are available",
                          what, (long long)bytes, capacity);
}
