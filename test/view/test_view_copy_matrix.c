/* stn_view_copy over formats, layouts, ranks and executors, against copies element by element. */
#include <stdio.h>

#include "copy_oracle.h"
#include "oracle.h"
#include "check.h"

static const int64_t shapes[STN_MAX_RANK + 1][STN_MAX_RANK] = {{0},
                                                               {300},
                                                               {37, 45},
                                                               {5, 19, 18},
                                                               {3, 2, 9, 7},
                                                               {3, 2, 2, 9, 5},
                                                               {2, 3, 2, 1, 5, 6},
                                                               {2, 3, 1, 4, 2, 3, 2},
                                                               {2, 3, 2, 2, 1, 3, 4, 2}};

static void copy_on(const copied_array *to, const copied_array *from, int executor)
{
    char what[128];
    snprintf(what, sizeof what, "%s of format %d from %s of format %d, executor %d",
             copied_layout_name(to->layout), to->view.storage.format,
             copied_layout_name(from->layout), from->view.storage.format, executor);
    if (stn_view_copy(executor < 0 ? NULL : copied_executor(executor), &to->view, &from->view) !=
        STN_OK)
        fail_msg("%s: %s", what, stn_error());
    copied_same(to, what);
    copied_reset(to);
}

static void copy_once(copied_layout to_layout, stn_storage to_storage, copied_layout from_layout,
                      stn_storage from_storage, int rank)
{
    copied_array to, from;
    copied_make(&to, to_layout, to_storage, rank, shapes[rank], 1);
    copied_make(&from, from_layout, from_storage, rank, shapes[rank], 2);
    copied_copy(&to, &from);
    copy_on(&to, &from, -1);
    copied_large(1);
    for (int executor = 0; executor < COPIED_EXECUTORS; executor++)
        copy_on(&to, &from, executor);
    copied_large(0);
    copied_free(&to);
    copied_free(&from);
}

/* All with STENO_TEST_FULL, otherwise one in `default_step`, or one in `quick_step`: primes that
 * divide neither the pairs of layouts nor the variants of a pair of formats, so that each has its
 * turn. */
static int is_taken(int default_step, int quick_step)
{
    static int count;
    return oracle_full() || count++ % (oracle_quick() ? quick_step : default_step) == 0;
}

/* ---- layouts, ranks and executors, for a storage of each width and way to convert ---- */

static void copy_layouts(stn_storage to, stn_storage from)
{
    for (int rank = 0; rank <= STN_MAX_RANK; rank++)
        for (int a = 0; a < COPIED_LAYOUTS; a++)
            for (int b = 0; b < COPIED_LAYOUTS; b++)
                if (is_taken(7, 29))
                    copy_once((copied_layout)a, to, (copied_layout)b, from, rank);
}

UNIT_TEST(test_moves)
{
    static const stn_format formats[] = {STN_I8, STN_BF16, STN_F32, STN_F64, STN_C128};
    stn_format opaque;
    for (int k = 0; k < COUNT_OF(formats); k++)
        copy_layouts(stn_storage_of(formats[k]), stn_storage_of(formats[k]));
    expect_ok(stn_format_opaque(&opaque, 12, 4));
    copy_layouts(stn_storage_of(opaque), stn_storage_of(opaque));
}

UNIT_TEST(test_conversions)
{
    copy_layouts(stn_storage_of(STN_F16), stn_storage_of(STN_F64));
    copy_layouts(stn_storage_of(STN_F64), stn_storage_of(STN_E4M3));
    copy_layouts(stn_storage_of(STN_U8), stn_storage_of(STN_I32));
    copy_layouts(stn_storage_of(STN_C32), stn_storage_of(STN_C128));
}

UNIT_TEST(test_draws)
{
    stn_storage to = stn_storage_of(STN_BF16);
    to.rounding = STN_ROUND_STOCHASTIC;
    to.seed = 7;
    copy_layouts(to, stn_storage_of(STN_F32));
}

/* ---- every format from every other ---- */

static int goes(stn_format to, stn_format from)
{
    stn_format_info a = STN_FORMAT_INFO_INIT, b = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(to, &a));
    expect_ok(stn_format_describe(from, &b));
    return (a.kind == STN_CLASS_COMPLEX) == (b.kind == STN_CLASS_COMPLEX);
}

/* Both with and without scale and zero point. */
static void copy_pair(stn_format to, stn_format from)
{
    static const copied_layout layouts[][2] = {{COPIED_RIGHT, COPIED_RIGHT},
                                               {COPIED_LEFT, COPIED_RIGHT},
                                               {COPIED_GAPS, COPIED_TILED_LEFT},
                                               {COPIED_MORTON, COPIED_BACKWARD}};
    for (int k = 0; k < COUNT_OF(layouts); k++)
        for (int variant = 0; variant < 4; variant++) {
            if (!is_taken(3, 13))
                continue;
            stn_storage a = stn_storage_of(to), b = stn_storage_of(from);
            if (variant & 1) {
                a.scale = 0.3;
                a.rounding = STN_ROUND_TOWARD_ZERO;
            }
            if (variant & 2) {
                b.scale = 0.5;
                b.zero = 3.0;
            }
            copy_once(layouts[k][0], a, layouts[k][1], b, 3);
        }
}

UNIT_TEST(test_formats)
{
    for (stn_format to = 0; to < STN_BUILTIN_FORMATS; to++)
        for (stn_format from = 0; from < STN_BUILTIN_FORMATS; from++)
            if (goes(to, from))
                copy_pair(to, from);
}

RUN_UNIT_TESTS(NULL, copied_release_executors)
