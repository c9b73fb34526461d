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
            scales[j] = (REAL)stn_scale_number(line, k + j / parts);
        named(each)(to + k * parts, from + k * parts, scales, batch * parts);
    }
}

STN_VERSIONS static void named(blocks)(const stn_scale_line *line, int64_t parts, REAL *to,
                                       const REAL *from, int64_t count)
{
    const int64_t reals = count * parts;
    int64_t left = line->left * parts;
    for (int64_t begin = 0, end, number = 0; begin < reals; begin = end) {
        const REAL scale = (REAL)stn_scale_number(line, number++);
        end = reals - begin < left ? reals : begin + left;
        left = line->block * parts;
        STN_APART
        for (int64_t k = begin; k < end; k++)
            to[k] = from[k] BY(scale);
    }
}

#undef STN_PASTE3
#undef STN_NAMED
#undef named
#undef T
#undef REAL
#undef NAME
#undef BY
