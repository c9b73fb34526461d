/* See reduce_check.h. */
#include "measure/openmp.h"
#include "check.h"
#include "reduce_check.h"

stn_exec *check_execs[CHECK_EXECS];

int check_make_execs(void **context)
{
    (void)context;
    static const char *const resources[CHECK_EXECS] = {"reference", OPENMP ":threads=1",
                                                       OPENMP ":threads=3", "threads:threads=5"};
    for (int e = 0; e < CHECK_EXECS; e++)
        expect_ok(stn_exec_create(&check_execs[e], resources[e]));
    return 0;
}

int check_release_execs(void **context)
{
    (void)context;
    for (int e = 0; e < CHECK_EXECS; e++)
        stn_exec_release(check_execs[e]);
    return 0;
}

stn_view check_view(const char *label, stn_format format, const void *data, int rank,
                    const int64_t *extents, const int64_t *strides)
{
    stn_view view;
    expect_ok(
        stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = label, .storage = stn_storage_of(format),
                                                 .data = (void *)(uintptr_t)data, .rank = rank,
                                                 .extents = extents, .strides = strides)));
    return view;
}

stn_view check_line(stn_format format, const void *data, int64_t count)
{
    return check_view("x", format, data, 1, &count, NULL);
}

uint64_t check_bits(double value)
{
    uint64_t bits;
    if (value != value)
        return UINT64_MAX;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
