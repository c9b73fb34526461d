/* A view describes the storage of an array at run time, an accessor type at compile time. */
#include <stdio.h>

#include "steno/accessor_view.h"

STN_ACCESSOR_SCALED(scaled, 2, double, int8_t, 0x0)
STN_ACCESSOR_FROM_VIEW(scaled)

int main(void)
{
    int8_t codes[2 * 3] = {1, 2, 3, 4, 5, 6};
    const int64_t extents[] = {2, 3}, column_major[] = {1, 2};
    stn_storage storage = stn_storage_of(STN_I8);
    storage.scale = 0.5;

    stn_view view, other;
    scaled x;
    if (stn_view_wrap(&view, "a", storage, codes, 2, extents) ||
        stn_view_wrap_spec(&other, &STN_VIEW_SPEC(.label = "b", .storage = storage, .data = codes,
                                                  .rank = 2, .extents = extents,
                                                  .strides = column_major)) ||
        scaled_from_view(&x, &view)) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    printf("a(1, 2) is %g\n", scaled_get(x, 1, 2));

    const stn_status status = scaled_from_view(&x, &other); /* refused: x is unchanged */
    printf("%s: %s\n", stn_status_name(status), stn_error());
    return status != STN_ERR_SHAPE || scaled_get(x, 1, 2) != 3.0;
}
