/* A program that causes every event that is reported to tools. */
#include <stdio.h>

#include "steno/steno.h"

static int failed;

static void expect(stn_status status)
{
    if (status == STN_OK)
        return;
    printf("%s: %s\n", stn_status_name(status), stn_error());
    failed = 1;
}

int main(void)
{
    const int64_t count = 100, more = 120;
    const stn_storage f64 = stn_storage_of(STN_F64), f32 = stn_storage_of(STN_F32);
    stn_exec *exec = NULL;
    stn_view x, y;
    double sum = 0.0;
    expect(stn_exec_create(&exec, "threads"));
    if (!exec)
        expect(stn_exec_create(&exec, "threads"));
    expect(stn_view_create(exec, &x, "x", f32, 1, &count));
    expect(
        stn_view_create_spec(exec, &y,
                             &STN_VIEW_SPEC(.label = "y", .storage = f64, .rank = 1,
                                            .extents = &count, .flags = STN_CREATE_UNINITIALIZED)));
    expect(stn_view_fill(exec, &x, 2.0));
    expect(stn_view_copy(exec, &y, &x));
    expect(stn_axpy(exec, STN_F64, 3.0, &x, &y));
    expect(stn_dot(exec, STN_F64, &sum, &x, &y));
    expect(stn_view_resize(exec, &y, 1, &more, 0));
    stn_view_release(&x);
    stn_view_release(&y);
    stn_exec_release(exec);
    printf("sum %g\n", sum);
    return failed;
}
