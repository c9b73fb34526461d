/* A kernel in a separate file, outside the project: prints a result and the text. */
#include <stdio.h>
#include <steno/kernel.h>

#define STN_KERNEL_NAME       twice
#define STN_KERNEL_PARAMETERS (in(x), out(y))
#define STN_KERNEL_FILE       "twice.k"
#include <steno/kernel_file.h>

int main(void)
{
    double x = 3, y = 0;
    stn_exec *exec = NULL;
    stn_view vx, vy;
    if (stn_exec_create(&exec, "reference") ||
        stn_view_wrap(&vx, "x", stn_storage_of(STN_F64), &x, 0, NULL) ||
        stn_view_wrap(&vy, "y", stn_storage_of(STN_F64), &y, 0, NULL) ||
        twice_run(exec, STN_F64, &vx, &vy)) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    stn_exec_release(exec);
    printf("%g from %s", y, twice_kernel.text);
    return 0;
}
