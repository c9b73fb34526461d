/* Compares storage formats for given data (doc/choosing.md): stores the values in each format and
 * prints the error and the losses. Replace `initialize` by the data of your program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "steno/steno.h"

enum { COUNT = 10000 };

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "choosing: %s\n", stn_error());
        exit(1);
    }
}

/* Values of both signs with magnitudes up to 400, some of them very small. */
static void initialize(double *values)
{
    for (int k = 0; k < COUNT; k++)
        values[k] = sin(k) * exp(6.0 * sin(0.37 * k));
}

/* Stores the values in a format and reads them again. */
static void compare(const char *name, int scaled, const double *values)
{
    static unsigned char codes[COUNT * 8];
    static double stored[COUNT];
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_counters counters = {0, 0, 0};
    stn_storage storage = stn_storage_of(STN_F64);
    must(stn_format_find(name, &storage.format));
    must(stn_format_describe(storage.format, &info));
    if (scaled) /* the smallest scale with which all values fit */
        must(stn_storage_fit_scale(&storage, STN_F64, values, COUNT, STN_SCALE_EXACT));
    storage.counters = &counters;
    must(stn_encode(STN_F64, &storage, codes, 1, 0, values, COUNT));
    must(stn_decode(STN_F64, stored, &storage, codes, 1, COUNT));

    double difference = 0.0, norm = 0.0, largest = 0.0;
    for (int k = 0; k < COUNT; k++) {
        const double error = fabs(stored[k] - values[k]);
        difference += error * error;
        norm += values[k] * values[k];
        if (values[k] != 0.0)
            largest = fmax(largest, error / fabs(values[k]));
    }
    printf("%-5s %-6s  %5d  %-8.1e  %-8.1e  %9d  %11d\n", name, scaled ? "scaled" : "",
           (int)info.bytes, sqrt(difference / norm), largest, (int)counters.saturated,
           (int)counters.underflowed);
}

int main(void)
{
    static double values[COUNT];
    initialize(values);
    printf("format        bytes  in norm   largest   saturated  underflowed\n");
    compare("f32", 0, values);
    compare("f16", 0, values);
    compare("f16", 1, values);
    compare("bf16", 0, values);
    compare("i16", 0, values);
    compare("i16", 1, values);
    compare("e4m3", 0, values);
    compare("e4m3", 1, values);
    compare("e5m2", 0, values);
    compare("i8", 1, values);
    return 0;
}
