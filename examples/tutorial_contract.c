/* The test of the tutorial (doc/tutorial.md): the program checks the machine code of its kernel. */

/* Compile each loop once, for the processor selected by the compiler options. Without this, gcc
 * compiles several versions, one of which is selected when the program starts. */
#ifndef STN_KERNEL_ONE_VERSION
#    define STN_KERNEL_ONE_VERSION
#endif
#include <stdio.h>

#include "kernels/advance.h"
#include "steno/contract.h"
#include "steno/steno.h"

#ifdef __OPTIMIZE__
enum { OPTIMIZED = 1 };
#else
enum { OPTIMIZED = 0 };
#endif

/* In one iteration of its main loop, the kernel calls no function, does not divide, and keeps all
 * values in registers. The library decodes tiles before the loop. */
static const char contract[] =
    "kernel advance_loop_f64 @x86-64|aarch64 loop=main : calls == 0, divisions == 0, spill == 0\n"
    "kernel advance_loop_f32 @x86-64|aarch64 loop=main : calls == 0, divisions == 0, spill == 0\n";

/* Runs the kernel once on a small plate. */
static stn_status run_once(const stn_exec *exec)
{
    static double numbers[3][8][8];
    const int64_t extents[] = {8, 8};
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_view u, v, conductivity;
    stn_status status = stn_view_wrap(&u, "u", f64, numbers[0], 2, extents);
    if (status == STN_OK)
        status = stn_view_wrap(&v, "v", f64, numbers[1], 2, extents);
    if (status == STN_OK)
        status = stn_view_wrap(&conductivity, "conductivity", f64, numbers[2], 2, extents);
    return status == STN_OK ? advance_run(exec, STN_F64, 0.2, &conductivity, &u, &v) : status;
}

int main(void)
{
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    stn_image *image;
    stn_exec *exec;
    if (!OPTIMIZED)
        return 77; /* skipped: the contract is for optimized code */
    if (stn_exec_create(&exec, "reference") != STN_OK || run_once(exec) != STN_OK) {
        fprintf(stderr, "tutorial_contract: %s\n", stn_error());
        return 1;
    }
    stn_exec_release(exec);
    if (stn_image_open_self(&image) != STN_OK) {
        fprintf(stderr, "tutorial_contract: %s\n", stn_error());
        return 77; /* skipped: no objdump, or another processor */
    }
    if (stn_contract_check_text(image, contract, "advance", stdout, &result) != STN_OK)
        fprintf(stderr, "tutorial_contract: %s\n", stn_error());
    stn_image_close(image);
    printf("%d facts held, %d broken, %d skipped\n", (int)result.held, (int)result.broken,
           (int)result.skipped);
    return result.broken ? 1 : result.held ? 0 : 77;
}
