/* Arrays in the memory of an executor: the same program on the host and on a GPU.
 *
 *   device [reference|threads|opencl:0|cuda:0] */
#include <stdio.h>

#include "steno/kernel.h"
#include "steno/steno.h"

/* Each element becomes the mean of its neighbors in the row; stored in 16 bits, computed in f64. */
/* clang-format off */
STN_MAP(smooth, (shifted(west, nearest, 0, -1), shifted(east, nearest, 0, 1), in(here), out(there)),
    there = STN_R(0.25) * west + STN_R(0.5) * here + STN_R(0.25) * east;
)
/* clang-format on */

static int fail(void)
{
    fprintf(stderr, "device: %s\n", stn_error());
    return 1;
}

int main(int argc, char **argv)
{
    const int64_t extents[] = {3, 4};
    stn_exec *exec;
    stn_view here, there, narrow, back;
    double value;

    if (stn_exec_create(&exec, argc > 1 ? argv[1] : "reference") != STN_OK)
        return fail();

    /* An array on the host, and a mirror in the memory of the executor: the same array if that is
     * host memory, otherwise a copy on the device. */
    if (stn_view_create(NULL, &here, "here", stn_storage_of(STN_F64), 2, extents) ||
        stn_view_fill(NULL, &here, 1.1) || STN_VIEW_SET(&here, 70000.0, 2, 3) ||
        stn_view_mirror_view(exec, &there, &here, stn_exec_space(exec), STN_MIRROR_COPY))
        return fail();

    /* The executor converts formats in its memory, with the same bits as the host. */
    if (stn_view_create(exec, &narrow, "narrow", stn_storage_of(STN_F16), 2, extents) ||
        stn_view_copy(exec, &narrow, &there))
        return fail();

    /* Copy to the host. The copy is complete when the call returns. */
    if (stn_view_mirror_view(exec, &back, &narrow, STN_SPACE_HOST, STN_MIRROR_COPY) ||
        STN_VIEW_GET(&back, &value, 0, 0))
        return fail();
    printf("1.1 in f16 is %.17g\n", value);
    if (STN_VIEW_GET(&back, &value, 2, 3))
        return fail();
    printf("70000 in f16 is %g\n", value);

    /* The kernel runs in the memory of its views. */
    if (smooth_run(exec, STN_F64, &there, &there, &there, &narrow) ||
        stn_view_copy(exec, &back, &narrow) || STN_VIEW_GET(&back, &value, 2, 2))
        return fail();
    printf("the element next to 70000 becomes %g\n", value);

    stn_view_release(&here);
    stn_view_release(&there);
    stn_view_release(&narrow);
    stn_view_release(&back);
    stn_exec_release(exec);
    return 0;
}
