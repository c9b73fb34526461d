/* A formula that is read at run time: the first argument, or a default one, applied to values
 * stored in f16. */
#include <stdio.h>
#include <steno/kernel_text.h>

enum { COUNT = 6 };

int main(int count, char **words)
{
    const char *const formula =
        count > 1 ? words[1] : "if (x > 0)\n    y = a * sqrt(x) + R(0.25) * (real_t)i;";
    const int64_t extent = COUNT;
    stn_f16 x[COUNT];
    double y[COUNT] = {0};
    for (int k = 0; k < COUNT; k++)
        x[k] = stn_f16_from_f64(4 * k - 4);

    stn_exec *exec = NULL;
    stn_kernel *kernel = NULL;
    stn_view vx, vy;
    int failed = stn_exec_create(&exec, "threads") ||
                 stn_view_wrap_const(&vx, "x", stn_storage_of(STN_F16), x, 1, &extent) ||
                 stn_view_wrap(&vy, "y", stn_storage_of(STN_F64), y, 1, &extent) ||
                 stn_kernel_compile(&kernel, "formula", "at(i), real(a), in(x), inout(y)", formula,
                                    STN_KERNEL_REAL);
    if (!failed) {
        const stn_argument arguments[] = {{.real = 1.5}, {.view = &vx}, {.view = &vy}};
        failed =
            stn_kernel_run(exec, kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments) != STN_OK;
    }
    if (failed)
        fprintf(stderr, "%s\n", stn_error());
    for (int k = 0; k < COUNT && !failed; k++)
        printf("%4g -> %g\n", stn_f16_to_f64(x[k]), y[k]);
    stn_kernel_release(kernel);
    stn_exec_release(exec);
    return failed;
}
