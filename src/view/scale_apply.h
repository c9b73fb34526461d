/* Loops of view/scale_run.c that multiply or divide values of the arithmetic type T by scales. */
#include "format/of.h"

#define STN_PASTE3(a, b) a##_##b
#define STN_NAMED(a, b)  STN_PASTE3(a, b)
#define named(name)      STN_PASTE_T(STN_NAMED(NAME, name##_), T)

STN_VERSIONS static void named(each)(REAL *to, const REAL *from, const REAL *scales, int64_t count)
{
    STN_APART
    for (int64_t k = 0; k < count; k++)
        to[k] = from[k] BY(scales[k]);
}

STN_VERSIONS static void named(by_one)(REAL *to, const REAL *from, REAL scale, int64_t count)
{
    STN_APART
    for (int64_t k = 0; k < count; k++)
        to[k] = from[k] BY(scale);
}

static void named(vector)(const stn_scale_line *line, int64_t parts, REAL *to, const REAL *from,
                          int64_t count)
{
    enum { BATCH = STN_TILE_ELEMENTS };
    REAL scales[2 * BATCH];
    for (int64_t k = 0, batch; k < count; k += batch) {
        batch = count - k < BATCH ? count - k : BATCH;
        for (int64_t j = 0; j < batch * parts; j++)
            scales[j] = (REAL)stn_scale_number(line, k + j / parts);
        named(each)(to + k * parts, from + k * parts, scales, batch * parts);
    }
}

static void named(blocks)(const stn_scale_line *line, int64_t parts, REAL *to, const REAL *from,
                          int64_t count)
{
    int64_t left = line->left;
    for (int64_t k = 0, batch, number = 0; k < count; k += batch, left = line->block) {
        batch = count - k < left ? count - k : left;
        named(by_one)(to + k * parts, from + k * parts, (REAL)stn_scale_number(line, number++),
                      batch * parts);
    }
}

#undef STN_PASTE3
#undef STN_NAMED
#undef named
#undef T
#undef REAL
#undef NAME
#undef BY
