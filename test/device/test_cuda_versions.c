/* Which of the installed versions of NVRTC compiles for a device and a driver. Each case is a
 * process: libraries are opened once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "cuda_case.h"
#include "exec/device.h"

/* Versions 13.0, 12.4 and 11.8 in the place of the installed ones. */
static const char *const installed[] = {
    STENO_STAND_IN_NVRTC "_13.so", STENO_STAND_IN_NVRTC "_12.so", STENO_STAND_IN_NVRTC "_11.so"};

static stn_status compile_text(const char *words)
{
    const stn_device_text text = {.name = "text.cu", .text = words};
    stn_device *device;
    void *module;
    MUST(stn_device_open("cuda", 0, &device));
    const stn_status status = stn_device_compile(device, &text, &module);
    stn_device_unload(device, module);
    stn_device_release(device);
    return status;
}

/* A driver and an architecture, the NVRTC that STENO_NVRTC names, if any, and the begin of the code
 * or a part of the message. */
typedef struct versions {
    const char *name;
    int driver, architecture;
    const char *named, *code, *refusal;
} versions;
static const versions rows[] = {
    {"newest", 13000, 90, NULL, "NVRTC 13.0 --gpu-architecture=sm_90 ", NULL},
    {"driver of 12", 12040, 90, NULL, "NVRTC 12.4 --gpu-architecture=sm_90 ", NULL},
    {"older minor version", 12020, 90, NULL, "NVRTC 12.4 --gpu-architecture=sm_90 ", NULL},
    {"driver of 11", 11080, 80, NULL, "NVRTC 11.8 --gpu-architecture=sm_80 ", NULL},
    {"Pascal", 13000, 61, NULL, "NVRTC 12.4 --gpu-architecture=sm_61 ", NULL},
    {"Kepler", 12040, 37, NULL, "NVRTC 11.8 --gpu-architecture=sm_37 ", NULL},
    {"newer device", 13000, 199, NULL, "NVRTC 13.0 --gpu-architecture=compute_120 ", NULL},
    {"newer device, driver of 12", 12040, 199, NULL, "NVRTC 12.4 --gpu-architecture=compute_90 ",
     NULL},
    {"older device", 11080, 30, NULL, NULL,
     "no installed NVRTC compiles for compute capability 3.0: NVRTC 11.8 compiles for 3.5 and "
     "later (STENO_NVRTC selects another file)"},
    {"named version", 13000, 61, STENO_STAND_IN_NVRTC "_13.so", NULL,
     "compute capability 6.1: NVRTC 13.0 compiles for 7.5 and later"},
    {"old version", 13000, 61, STENO_STAND_IN_NVRTC "_old.so", NULL,
     "NVRTC 11.4 is too old; 11.5 or later is required"},
};
static const versions *current;

static void expect_code(const char *expected)
{
    MUST(compile_text("text"));
    const char *const loaded = cuda_stand_in_of()->look()->options;
    if (strncmp(loaded, expected, strlen(expected)) == 0)
        return;
    fprintf(stderr, "%s: %s, not %s\n", current->name, loaded, expected);
    _exit(1);
}

static void begin_versions(void)
{
    cuda_choose(1);
    cuda_choose_compiler();
    for (int k = 0; k < 3; k++)
        NEED(dlopen(installed[k], RTLD_NOW | RTLD_LOCAL) != NULL);
    cuda_stand_in_of()->machine(1, current->driver, 1 << 20);
    cuda_stand_in_of()->architecture(current->architecture);
    if (current->named)
        setenv("STENO_NVRTC", current->named, 1);
}

static void try_row(void)
{
    begin_versions();
    if (current->code)
        expect_code(current->code);
    else
        refused(compile_text("text"), STN_ERR_DEVICE, current->refusal);
}

static void selects_a_version(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        current = &rows[k];
        run(try_row);
    }
}

/* The driver decides about newer code, if there is no other. */
static void newer_version(void)
{
    static const versions newer = {"newer version",
                                   12040,
                                   90,
                                   STENO_STAND_IN_NVRTC "_13.so",
                                   "NVRTC 13.0 --gpu-architecture=sm_90 ",
                                   NULL};
    current = &newer;
    begin_versions();
    expect_code(newer.code);
    cuda_stand_in_of()->fail_at("cuModuleLoadData", 1, 222, 0);
    refused(compile_text("text"), STN_ERR_DEVICE,
            "the code of text.cu cannot be loaded (compiled by NVRTC 13.0; the driver supports "
            "CUDA 12.4): ");
    expect_code(newer.code);
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

TEST_OF_CASES(loads_newer_code, newer_version)
TEST_OF_CASES(compiles_ptx_for_newer_devices, ptx_rounds_once)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(selects_a_version),
                                       cmocka_unit_test(loads_newer_code),
                                       cmocka_unit_test(compiles_ptx_for_newer_devices)};
    unsetenv("STENO_TEST_NVRTC");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
