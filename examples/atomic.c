/* Several threads add to one histogram. Its counts are stored in 16 bits and saturate at 65535. */
#include <inttypes.h>
#include <stdio.h>

#include "steno/atomic.h"

int main(void)
{
    const int64_t bins = 4;
    stn_view histogram;
    if (stn_view_create(NULL, &histogram, "histogram", stn_storage_of(STN_U16), 1, &bins)) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }

    int failed = 0;
#pragma omp parallel for reduction(| : failed)
    for (int64_t k = 0; k < 350000; k++)
        failed |= STN_VIEW_ATOMIC_ADD(&histogram, 1.0, k % 7 % bins) != STN_OK;

    for (int64_t bin = 0; bin < bins; bin++) {
        double count = 0.0;
        failed |= STN_VIEW_GET(&histogram, &count, bin) != STN_OK;
        printf("bin %" PRId64 ": %g\n", bin, count);
    }
    stn_view_release(&histogram);
    return failed;
}
