/* See cuda.h. */
#define _POSIX_C_SOURCE 200809L
#include "cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/cuda/load.h"

static cuda_stand_in functions;
static int is_stand_in;

static void find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

int cuda_is_hip(void)
{
    const char *const name = getenv("STENO_TEST_EXEC");
    return name && strncmp(name, "hip", 3) == 0;
}

const char *cuda_resource(void)
{
    return cuda_is_hip() ? "hip:0" : "cuda:0";
}

void cuda_choose(int always)
{
    const char *const file = cuda_is_hip() ? STENO_STAND_IN_HIP : STENO_STAND_IN;
    if (!always && !cuda_is_hip() && !cuda_is_compiler_only() &&
        (getenv("STENO_CUDA_DRIVER") || dlopen("libcuda.so.1", RTLD_NOW)))
        return;
    void *const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    setenv(cuda_is_hip() ? "STENO_HIP" : "STENO_CUDA_DRIVER", file, 1);
    setenv(cuda_is_hip() ? "STENO_HIPRTC" : "STENO_NVRTC", file, 1);
    find(library, "stand_in_reset", &functions.reset);
    find(library, "stand_in_look", &functions.look);
    find(library, "stand_in_fail", &functions.fail_at);
    find(library, "stand_in_machine", &functions.machine);
    find(library, "stand_in_architecture", &functions.architecture);
    find(library, "stand_in_calls", &functions.calls_of);
    find(library, "stand_in_kernel", &functions.kernel);
    find(library, "stand_in_capture", &functions.capture);
    find(library, "stand_in_concurrent", &functions.concurrent);
    is_stand_in = 1;
}

void cuda_choose_compiler(void)
{
    const char *const named = getenv("STENO_TEST_NVRTC");
    if (named && !cuda_is_hip())
        setenv("STENO_NVRTC", named, 1);
    else
        unsetenv(cuda_is_hip() ? "STENO_HIPRTC" : "STENO_NVRTC");
}

void cuda_choose_text_compiler(void)
{
    if (!getenv("STENO_TEST_OTHER"))
        cuda_choose_compiler();
}

const int *cuda_architectures(void)
{
    static int all[3] = {80, 90, 100};
    const stn_cuda_compiler *compiler;
    if (cuda_is_compiler_only() &&
        stn_cuda_compiler_get(&stn_cuda_platform_nvidia, 0, &compiler) == STN_OK)
        for (int k = 0; k < 3; k++)
            all[k] = compiler->architecture[k * (compiler->architectures - 1) / 2];
    return all;
}

int cuda_compiles_for(int architecture)
{
    const stn_cuda_compiler *compiler;
    return stn_cuda_compiler_get(&stn_cuda_platform_nvidia, 0, &compiler) != STN_OK ||
           stn_cuda_target(compiler, architecture) == architecture;
}

int cuda_is_compiler_only(void)
{
    return getenv("STENO_TEST_NVRTC") != NULL;
}

int cuda_is_stand_in(void)
{
    return is_stand_in;
}

const cuda_stand_in *cuda_stand_in_of(void)
{
    return &functions;
}
