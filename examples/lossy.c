/* Losses of narrow formats: fractions in integers without a scale, and values outside the range of
 * f16. Storing returns STN_OK; counters report the losses. */
#include <stdio.h>
#include <stdlib.h>

#include "steno/view.h"

enum { COUNT = 4 };

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "%s\n", stn_error());
        exit(1);
    }
}

/* Stores four values, and prints the stored values and the counters. */
static stn_counters store(const char *name, stn_storage storage, const double *values)
{
    const int64_t count = COUNT;
    stn_counters counters = {0, 0, 0};
    stn_view from, to;
    double value = 0.0;
    storage.counters = &counters;
    must(stn_view_wrap_const(&from, "values", stn_storage_of(STN_F64), values, 1, &count));
    must(stn_view_create(NULL, &to, name, storage, 1, &count));
    must(stn_view_copy(NULL, &to, &from));
    printf("%-16s", name);
    for (int64_t k = 0; k < count; k++) {
        must(STN_VIEW_GET(&to, &value, k));
        printf(" %8.5g", value);
    }
    printf("   saturated %lld, underflowed %lld\n", (long long)counters.saturated,
           (long long)counters.underflowed);
    must(stn_view_release(&to));
    return counters;
}

int main(void)
{
    const double small[COUNT] = {0.1, 0.2, 0.3, 0.4}, large[COUNT] = {1.0, 1000.0, 65504.0, 1e5};
    stn_storage scaled = stn_storage_of(STN_I16), saturating = stn_storage_of(STN_F16);
    must(stn_storage_fit_scale(&scaled, STN_F64, small, COUNT, STN_SCALE_EXACT));
    saturating.overflow = STN_OVERFLOW_SATURATE;
    const stn_counters plain = store("i16", stn_storage_of(STN_I16), small);
    const stn_counters fitted = store("i16, scaled", scaled, small);
    const stn_counters infinite = store("f16", stn_storage_of(STN_F16), large);
    const stn_counters finite = store("f16, saturating", saturating, large);
    return plain.underflowed != 4 || fitted.underflowed != 0 || infinite.saturated != 1 ||
           finite.saturated != 1;
}
