/* NVIDIA's driver and NVRTC. */
#include "exec/cuda/load.h"

#include <stddef.h>
#include <stdio.h>

#include "core/environment.h"

enum {
    OLDEST_DRIVER = 11020, /* 11.2, in the driver's units */
    OLDEST_NVRTC = 11050,  /* which added --device-int128 */
    PROCESSORS = 16,
    CONCURRENT = 89, /* access of host and device to managed memory */
    MAJOR = 75,
    MINOR = 76
};

static stn_cuda_driver driver;

#define DRIVER_ENTRY(member, name, parameters)   {name, offsetof(stn_cuda_driver, member)},
#define COMPILER_ENTRY(member, name, parameters) {name, offsetof(stn_cuda_compiler, member)},

static const stn_cuda_entry driver_entries[] = {STN_CUDA_DRIVER_TABLE(DRIVER_ENTRY)};
static const stn_cuda_entry compiler_entries[] = {STN_CUDA_COMPILER_TABLE(COMPILER_ENTRY)
                                                      STN_CUDA_NVRTC_TABLE(COMPILER_ENTRY)};

static const char *named_driver(void)
{
    return stn_environment_get()->cuda_driver;
}

static const char *named_compiler(void)
{
    return stn_environment_get()->nvrtc;
}

static void start(char *failure, size_t capacity)
{
    int version = 0;
    if (stn_cuda_start(&stn_cuda_platform_nvidia, failure, capacity) &&
        (driver.version(&version) != 0 || version < OLDEST_DRIVER))
        snprintf(failure, capacity,
                 "the CUDA driver supports CUDA %d.%d; 11.2 or later is required", version / 1000,
                 version % 1000 / 10);
}

static const char *const driver_files[] = {"libcuda.so.1"};
static const char *const compiler_files[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                             "/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so"};

static stn_cuda_library driver_library = STN_CUDA_LIBRARY(
    "the CUDA driver", "CUDA driver not found", "", driver_files, named_driver, driver_entries);
static stn_cuda_compilers compilers = {
    .library = STN_CUDA_LIBRARY(
        "NVRTC", "NVRTC, which compiles kernels for CUDA devices, was not found",
        " (STENO_NVRTC selects another file)", compiler_files, named_compiler, compiler_entries)};

/* ---- versions of NVRTC ---- */

static int start_compiler(stn_cuda_compiler *compiler, char *failure, size_t capacity)
{
    int major = 0, minor = 0, count = 0;
    if (compiler->compiler_version(&major, &minor) != 0 ||
        compiler->architecture_count(&count) != 0 || count < 1 || count > STN_CUDA_ARCHITECTURES ||
        compiler->architecture_list(compiler->architecture) != 0)
        snprintf(failure, capacity, "NVRTC does not report its supported architectures");
    else if (1000 * major + 10 * minor < OLDEST_NVRTC)
        snprintf(failure, capacity, "NVRTC %d.%d is too old; 11.5 or later is required", major,
                 minor);
    compiler->version = 1000 * major + 10 * minor;
    compiler->architectures = count;
    return failure[0] == '\0';
}

/* Drivers load cubins of their own and earlier major versions, and PTX of their own and earlier
 * versions. Newer code is tried last: the driver decides. */
static int rank_compiler(const stn_cuda_compiler *compiler, int capability)
{
    const int target = stn_cuda_target(compiler, capability);
    int version = 0;
    (void)driver.version(&version);
    if (target == 0)
        return STN_CUDA_UNABLE;
    if (target == capability)
        return compiler->version / 1000 <= version / 1000 ? 0 : 2;
    return compiler->version <= version ? 1 : 3;
}

/* ---- devices ---- */

static int find_architecture(stn_cuda_device *device)
{
    int major = 0, minor = 0;
    int error = driver.attribute(&major, MAJOR, device->id);
    error = error ? error : driver.attribute(&minor, MINOR, device->id);
    device->capability = 10 * major + minor;
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
                                                    .driver = &driver,
                                                    .start = start,
                                                    .compilers = &compilers,
                                                    .start_compiler = start_compiler,
                                                    .rank_compiler = rank_compiler,
                                                    .exact = exact,
                                                    .exact_count = sizeof exact / sizeof *exact,
                                                    .processors = PROCESSORS,
                                                    .concurrent = CONCURRENT,
                                                    .find_architecture = find_architecture};
