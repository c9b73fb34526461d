/* Views whose elements are numbered by their indices, for tests of other sizes. */
#ifndef STENO_TEST_NUMBERED_VIEW_H
#define STENO_TEST_NUMBERED_VIEW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "steno/view.h"
#include "check.h"

static inline stn_view make(stn_format format, const stn_layout *layout, int rank,
                            const int64_t *extents, unsigned flags)
{
    stn_view view;
    expect_ok(stn_view_create_spec(NULL, &view,
                                   &STN_VIEW_SPEC(.label = "oak", .storage = stn_storage_of(format),
                                                  .layout = layout, .rank = rank,
                                                  .extents = extents, .flags = flags)));
    return view;
}

/* Indices below `extents` one after the other; 0 behind the last. */
static inline int next(int rank, const int64_t *extents, int64_t *indices)
{
    for (int d = rank - 1; d >= 0; d--) {
        if (++indices[d] < extents[d])
            return 1;
        indices[d] = 0;
    }
    return 0;
}

static inline double value_at(int rank, const int64_t *indices)
{
    double value = 1;
    for (int d = 0; d < rank; d++)
        value = value * 7 + (double)indices[d];
    return value;
}

static inline void number(const stn_view *view)
{
    int64_t indices[STN_MAX_RANK] = {0};
    do
        expect_ok(stn_view_set(view, view->rank, indices, value_at(view->rank, indices)));
    while (next(view->rank, view->extent, indices));
}

/* What was inside `kept` is as it was numbered, the rest is zero. */
static inline void expect_kept(const stn_view *view, const int64_t *kept)
{
    int64_t indices[STN_MAX_RANK] = {0};
    do {
        double value;
        int is_kept = 1;
        for (int d = 0; d < view->rank; d++)
            is_kept &= indices[d] < kept[d];
        expect_ok(stn_view_get(view, view->rank, indices, &value));
        if (value != (is_kept ? value_at(view->rank, indices) : 0.0))
            fail_msg("%g at %lld, ...", value, (long long)indices[0]);
    } while (next(view->rank, view->extent, indices));
}

#endif
