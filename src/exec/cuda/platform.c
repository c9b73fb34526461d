/* NVIDIA's driver and NVRTC. */
#include "exec/cuda/load.h"

#include <stdio.h>

#include "core/environment.h"

enum {
    OLDEST_DRIVER = 11020, /* 11.2, as the driver has it */
    PROCESSORS = 16,
    MAJOR = 75,
    MINOR = 76
};

static stn_cuda_driver driver;
static stn_cuda_compiler compiler;

#define DRIVER_ENTRY(member, name, parameters)   {name, &driver.member},
#define COMPILER_ENTRY(member, name, parameters) {name, &compiler.member},

static const stn_cuda_entry driver_entries[] = {STN_CUDA_DRIVER_TABLE(DRIVER_ENTRY)};
static const stn_cuda_entry compiler_entries[] = {STN_CUDA_COMPILER_TABLE(COMPILER_ENTRY)};

static const char *named_driver(void)
{
    return stn_environment_get()->cuda_driver;
}

static const char *named_compiler(void)
{
    return stn_environment_get()->nvrtc;
}

static void start(char *failure, size_t room)
{
    int version = 0;
    if (stn_cuda_start(&stn_cuda_platform_nvidia, failure, room) &&
        (driver.version(&version) != 0 || version < OLDEST_DRIVER))
        snprintf(failure, room, "the CUDA driver is for CUDA %d.%d: 11.2 or later is needed",
                 version / 1000, version % 1000 / 10);
}

static const char *const driver_files[] = {"libcuda.so.1"};
static const char *const compiler_files[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                             "/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so"};

static stn_cuda_library driver_library =
    STN_CUDA_LIBRARY("the CUDA driver", "there is no CUDA driver", "", driver_files, named_driver,
                     driver_entries, start);
static stn_cuda_library compiler_library = STN_CUDA_LIBRARY(
    "NVRTC", "there is no NVRTC, which compiles kernels for CUDA devices",
    " (STENO_NVRTC names another file)", compiler_files, named_compiler, compiler_entries, NULL);

static int find_architecture(stn_cuda_device *device)
{
    int major = 0, minor = 0;
    int error = driver.attribute(&major, MAJOR, device->id);
    error = error ? error : driver.attribute(&minor, MINOR, device->id);
    snprintf(device->architecture, sizeof device->architecture, "--gpu-architecture=sm_%d%d", major,
             minor);
    snprintf(device->device.version, sizeof device->device.version, "compute capability %d.%d",
             major, minor);
    return error;
}

/* Hexadecimal literals of floating-point numbers are C++17's; NVRTC 11 compiles C++03 by default.
 */
static const char *const exact[] = {"--fmad=false",     "--ftz=false",     "--prec-div=true",
                                    "--prec-sqrt=true", "-default-device", "--device-int128",
                                    "--std=c++17"};

const stn_cuda_platform stn_cuda_platform_nvidia = {.name = "CUDA",
                                                    .driver_library = &driver_library,
                                                    .compiler_library = &compiler_library,
                                                    .driver = &driver,
                                                    .compiler = &compiler,
                                                    .compiler_name = "NVRTC",
                                                    .exact = exact,
                                                    .exact_count = sizeof exact / sizeof *exact,
                                                    .processors = PROCESSORS,
                                                    .find_architecture = find_architecture};
