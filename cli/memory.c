/* How much memory and cache there is. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "core/room.h"

/* The number behind `key` in a file of numbers, in units of `unit` bytes; a negative number when
 * there is none. An empty key means the file's first word. */
static double read_number(const char *path, const char *key, double unit)
{
    FILE *file = fopen(path, "r");
    char line[256];
    double number = -1.0;
    if (!file)
        return number;
    while (number < 0.0 && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%lf", &number) == 1)
            number *= unit;
    fclose(file);
    return number;
}

double available_memory(void)
{
    return stn_room();
}

double last_cache_bytes(void)
{
    const double bytes = read_number("/sys/devices/system/cpu/cpu0/cache/index3/size", "", 1024.0);
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
