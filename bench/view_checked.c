/* The stencil of bench_view through accessors that check every index. */
#define STN_CHECKED
#include "steno/accessor_view.h"

#include "view_loops.h"

STN_ACCESSOR(checked, 3, double, double)
STN_ACCESSOR_FROM_VIEW(checked)

void bench_stencil_checked(void *cubes)
{
    const bench_cubes *both = cubes;
    checked x = {0}, y = {0};
    if (checked_from_view(&x, &both->from) != STN_OK || checked_from_view(&y, &both->to) != STN_OK)
        return;
    for (stn_size i = 1; i < checked_length(x, 0) - 1; i++)
        for (stn_size j = 1; j < checked_length(x, 1) - 1; j++)
            for (stn_size k = 1; k < checked_length(x, 2) - 1; k++) {
                BENCH_AROUND(checked_get(x, i + a, j + b, k + c))
                checked_set(y, i, j, k, sum);
            }
}
