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

static void named(vector)(const stn_scale_line *line, int64_t parts, REAL *to, const REAL *from,
                          int64_t count)
{
    enum { BATCH = STN_TILE_ELEMENTS };
    REAL scales[2 * BATCH];
    for (int64_t k = 0, batch; k < count; k += batch) {
        batch = count - k < BATCH ? count - k : BATCH;
        for (int64_t j = 0; j < batch * parts; j++)
            scales[j] = (REAL)stn_scale_number(line, number_of(line, k + j / parts));
        named(each)(to + k * parts, from + k * parts, scales, batch * parts);
    }
}

#undef STN_PASTE3
#undef STN_NAMED
#undef named
#undef T
#undef REAL
#undef NAME
#undef BY
