/* A layout defined by the program: each row is rotated by one element more than the preceding one.
 * The elements of a column are then in different banks of a memory, as those of a row are. */
#include <stdio.h>
#include <stdlib.h>

#include "steno/view.h"

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "%s\n", stn_error());
        exit(1);
    }
}

/* Every element has a distinct offset from 0 to the span minus 1. */
static int64_t skewed(const void *context, int rank, const int64_t *extents, const int64_t *indices)
{
    (void)context, (void)rank;
    return indices[0] * extents[1] + (indices[0] + indices[1]) % extents[1];
}

/* Number of elements for which memory is required; -1 for extents that are not supported. */
static int64_t skewed_span(const void *context, int rank, const int64_t *extents)
{
    (void)context;
    return rank == 2 ? extents[0] * extents[1] : -1;
}

int main(void)
{
    const int64_t extents[] = {3, 4};
    const stn_layout layout = stn_layout_custom(skewed, skewed_span, NULL);
    stn_view matrix;
    must(stn_view_create_spec(NULL, &matrix,
                              &STN_VIEW_SPEC(.label = "matrix", .storage = stn_storage_of(STN_F32),
                                             .layout = &layout, .rank = 2, .extents = extents)));
    for (int64_t i = 0; i < extents[0]; i++)
        for (int64_t j = 0; j < extents[1]; j++) {
            int64_t offset;
            must(stn_view_offset(&matrix, 2, (const int64_t[]){i, j}, &offset));
            printf("%3d%s", (int)offset, j == extents[1] - 1 ? "\n" : "");
        }
    must(stn_view_release(&matrix));
    return 0;
}
