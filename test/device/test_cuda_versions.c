/* Which of the installed versions of NVRTC compiles for a device and a driver. Each case is a
 * process: libraries are opened once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "child.h"
#include "cuda.h"
#include "exec/device.h"

enum { DRIVER_13 = 13000, DRIVER_12 = 12040, DRIVER_11 = 11080 };

static const char *const installed[] = {
    STENO_STAND_IN_NVRTC "_13.so", STENO_STAND_IN_NVRTC "_12.so", STENO_STAND_IN_NVRTC "_11.so"};

/* The driver of a case, and the versions 13.0, 12.4 and 11.8 in the place of the installed ones. */
static void begin_case(int driver, int architecture)
{
    cuda_choose(1);
    cuda_choose_compiler();
    for (int k = 0; k < 3; k++)
        NEED(dlopen(installed[k], RTLD_NOW | RTLD_LOCAL) != NULL);
    cuda_stand_in_of()->machine(1, driver, 1 << 20);
    cuda_stand_in_of()->architecture(architecture);
}

static stn_status compile_text(const char *words)
{
    const stn_device_text text = {.name = "text.cu", .text = words};
    stn_device *device;
    void *module;
    NEED(stn_device_open("cuda", 0, &device) == STN_OK);
    const stn_status status = stn_device_compile(device, &text, &module);
    stn_device_unload(device, module);
    stn_device_release(device);
    return status;
}

static stn_status compile(void)
{
    return compile_text("text");
}

static void expect_code(const char *expected)
{
    NEED(compile() == STN_OK);
    const char *const loaded = cuda_stand_in_of()->look()->options;
    if (strncmp(loaded, expected, strlen(expected)) == 0)
        return;
    fprintf(stderr, "%s, not %s\n", loaded, expected);
    _exit(1);
}

static void expect_refusal(const char *reason)
{
    NEED(compile() == STN_ERR_DEVICE);
    if (strstr(stn_error(), reason))
        return;
    fprintf(stderr, "%s, not %s\n", stn_error(), reason);
    _exit(1);
}

/* ---- the newest version for both ---- */

static void newest(void)
{
    begin_case(DRIVER_13, 90);
    expect_code("NVRTC 13.0 --gpu-architecture=sm_90 ");
}

static void driver_of_12(void)
{
    begin_case(DRIVER_12, 90);
    expect_code("NVRTC 12.4 --gpu-architecture=sm_90 ");
}

static void older_minor_version(void)
{
    begin_case(12020, 90);
    expect_code("NVRTC 12.4 --gpu-architecture=sm_90 ");
}

static void driver_of_11(void)
{
    begin_case(DRIVER_11, 80);
    expect_code("NVRTC 11.8 --gpu-architecture=sm_80 ");
}

static void pascal(void)
{
    begin_case(DRIVER_13, 61);
    expect_code("NVRTC 12.4 --gpu-architecture=sm_61 ");
}

static void kepler(void)
{
    begin_case(DRIVER_12, 37);
    expect_code("NVRTC 11.8 --gpu-architecture=sm_37 ");
}

/* ---- architectures newer than the compiler ---- */

static void newer_device(void)
{
    begin_case(DRIVER_13, 199);
    expect_code("NVRTC 13.0 --gpu-architecture=compute_120 ");
}

static void newer_device_with_driver_of_12(void)
{
    begin_case(DRIVER_12, 199);
    expect_code("NVRTC 12.4 --gpu-architecture=compute_90 ");
}

/* The PTX of an installed NVRTC, if there is one. The driver's compiler fuses no operations that
 * have a rounding mode. */
static void ptx_rounds_once(void)
{
    static char path[] = "/tmp/steno-test-XXXXXX", code[1 << 16];
    const int file = mkstemp(path);
    NEED(file >= 0 && setenv("STENO_STAND_IN_CODE", path, 1) == 0);
    cuda_choose(1);
    cuda_choose_compiler();
    cuda_stand_in_of()->machine(1, 99000, 1 << 20);
    cuda_stand_in_of()->architecture(199);
    const stn_status status = compile_text("extern \"C\" __global__ void steno_k(double *x)\n"
                                           "{ x[0] = x[0] * x[1] + x[2] / x[3]; }\n");
    NEED(unlink(path) == 0);
    if (status == STN_ERR_DEVICE && strstr(stn_error(), "NVRTC, which compiles")) {
        printf("skipped: %s\n", stn_error());
        return;
    }
    NEED(status == STN_OK && read(file, code, sizeof code - 1) > 0);
    NEED(strstr(code, ".target") && strstr(code, "mul.rn.f64") && strstr(code, "add.rn.f64"));
    NEED(strstr(code, "div.rn.f64") && !strstr(code, "fma"));
}

/* ---- refusals ---- */

static void older_device(void)
{
    begin_case(DRIVER_11, 30);
    expect_refusal("no installed NVRTC compiles for compute capability 3.0: NVRTC 11.8 compiles "
                   "for 3.5 and later (STENO_NVRTC selects another file)");
}

static void named_version(void)
{
    begin_case(DRIVER_13, 61);
    setenv("STENO_NVRTC", installed[0], 1);
    expect_refusal("compute capability 6.1: NVRTC 13.0 compiles for 7.5 and later");
}

static void old_version(void)
{
    begin_case(DRIVER_13, 61);
    setenv("STENO_NVRTC", STENO_STAND_IN_NVRTC "_old.so", 1);
    expect_refusal("NVRTC 11.4 is too old; 11.5 or later is required");
}

/* The driver decides about newer code, if there is no other. */
static void newer_version(void)
{
    begin_case(DRIVER_12, 90);
    setenv("STENO_NVRTC", installed[0], 1);
    expect_code("NVRTC 13.0 --gpu-architecture=sm_90 ");
    cuda_stand_in_of()->fail_at("cuModuleLoadData", 1, 222, 0);
    expect_refusal("the code of text.cu cannot be loaded (compiled by NVRTC 13.0; the driver "
                   "supports CUDA 12.4): ");
    expect_code("NVRTC 13.0 --gpu-architecture=sm_90 ");
}

/* ---- groups ---- */

static void chooses_the_newest_that_suits(void **state)
{
    static void (*const cases[])(void) = {newest,       driver_of_12, older_minor_version,
                                          driver_of_11, pascal,       kepler};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        run(cases[k]);
}

static void compiles_ptx_for_newer_devices(void **state)
{
    (void)state;
    run(newer_device);
    run(newer_device_with_driver_of_12);
    run(ptx_rounds_once);
}

static void refuses_what_no_version_compiles(void **state)
{
    (void)state;
    run(older_device);
    run(named_version);
    run(old_version);
    run(newer_version);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chooses_the_newest_that_suits),
                                       cmocka_unit_test(compiles_ptx_for_newer_devices),
                                       cmocka_unit_test(refuses_what_no_version_compiles)};
    unsetenv("STENO_TEST_NVRTC");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
