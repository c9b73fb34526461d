/* Unchanged outputs: values beyond a bound are replaced by the bound, in 8 bits with a scale.
 * Elements that are not assigned are not stored; with this rounding rule, storing them again would
 * change them. */
#include <stdio.h>

#include "steno/kernel.h"

/* clang-format off */
STN_MAP(cut, (real(bound), inout(x)),
    if (fabs(x) <= bound)
        return;
    x = x < 0 ? -bound : bound;
)
/* clang-format on */

enum { N = 255 };

int main(void)
{
    const int64_t count = N;
    int8_t codes[N];
    stn_storage storage = stn_storage_of(STN_I8);
    storage.scale = 0.3;
    storage.rounding = STN_ROUND_TOWARD_ZERO;
    for (int k = 0; k < N; k++)
        codes[k] = (int8_t)(k - 127);

    stn_exec *exec = NULL;
    stn_view x;
    if (stn_exec_create(&exec, "threads") || stn_view_wrap(&x, "x", storage, codes, 1, &count) ||
        cut_run(exec, STN_F32, 30.1, &x)) {
        fprintf(stderr, "%s\n", stn_error());
        stn_exec_release(exec);
        return 1;
    }
    stn_exec_release(exec);
    int wrong = 0; /* 30.1 is slightly more than 100 steps of 0.3 */
    for (int k = 0; k < N; k++) {
        const int before = k - 127;
        wrong += codes[k] != (before < -100 ? -100 : before > 100 ? 100 : before);
    }
    printf("%d %d %d ... %d %d: %d wrong\n", codes[0], codes[26], codes[28], codes[226], codes[254],
           wrong);
    return wrong != 0;
}
