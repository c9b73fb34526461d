/* Arrays whose shape, layout and storage are determined at run time: creation, subviews, layouts,
 * handles. */
#include <stdio.h>
#include <stdlib.h>

#include "steno/view.h"

static void must(stn_status status)
{
    if (status == STN_OK)
        return;
    fprintf(stderr, "%s: %s\n", stn_status_name(status), stn_error());
    exit(1);
}

/* 200 x 50 x 4 zeros in bfloat16, initialized by the threads of an executor. */
static stn_view create(const stn_exec *exec)
{
    const int64_t extents[] = {200, 50, 4};
    stn_view field;
    must(stn_view_create(exec, &field, "field", stn_storage_of(STN_BF16), 3, extents));
    return field;
}

/* A view of every second row of plane 3, without a copy. */
static void slice(const stn_view *field)
{
    const stn_slice slices[] = {stn_slice_index(3), stn_slice_strided(0, 25, 2), stn_slice_all()};
    stn_view rows;
    double value;
    must(stn_view_slice(&rows, field, 3, slices));
    must(STN_VIEW_SET(&rows, 1.5, 20, 1));
    must(STN_VIEW_GET(field, &value, 3, 40, 1));
    printf("%lld x %lld, and field(3, 40, 1) is %g\n", (long long)rows.extent[0],
           (long long)rows.extent[1], value);
}

/* The offset of element (2, 5) of the same matrix in several layouts. */
static void print_offsets(void)
{
    static const char *const texts[] = {"right", "left", "tiled:2x4", "tiled:2x4:left", "morton"};
    const int64_t extents[] = {6, 8}, indices[] = {2, 5};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        stn_layout layout;
        stn_view matrix;
        int64_t offset = 0;
        must(stn_layout_parse(texts[k], &layout));
        must(
            stn_view_create_spec(NULL, &matrix,
                                 &STN_VIEW_SPEC(.label = "m", .storage = stn_storage_of(STN_F32),
                                                .layout = &layout, .rank = 2, .extents = extents)));
        must(stn_view_offset(&matrix, 2, indices, &offset));
        printf("%-15s %lld\n", texts[k], (long long)offset);
        stn_view_release(&matrix);
    }
}

/* Two handles of one array, which is released with the last handle. */
static void share(stn_view *field)
{
    stn_view again;
    must(stn_view_share(&again, field));
    stn_view_release(field);
    printf("%lld handle left of %s\n", (long long)stn_view_use_count(&again), again.label);
    stn_view_release(&again);
}

int main(void)
{
    stn_exec *exec;
    must(stn_exec_create(&exec, "threads"));
    stn_view field = create(exec);
    slice(&field);
    print_offsets();
    stn_view part;
    const stn_slice beyond[] = {stn_slice_all(), stn_slice_range(40, 60), stn_slice_all()};
    if (stn_view_slice(&part, &field, 3, beyond) != STN_OK)
        printf("%s\n", stn_error());
    share(&field);
    stn_exec_release(exec);
    return 0;
}
