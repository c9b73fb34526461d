/* See cuda.h. */
#define _POSIX_C_SOURCE 200809L
#include "cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cuda_stand_in functions;
static int is_stand_in;

static void find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

void cuda_choose(int always)
{
    if (!always && (getenv("STENO_CUDA_DRIVER") || dlopen("libcuda.so.1", RTLD_NOW)))
        return;
    void *const library = dlopen(STENO_STAND_IN, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    setenv("STENO_CUDA_DRIVER", STENO_STAND_IN, 1);
    setenv("STENO_NVRTC", STENO_STAND_IN, 1);
    find(library, "stand_in_reset", &functions.reset);
    find(library, "stand_in_look", &functions.look);
    find(library, "stand_in_fail", &functions.fail_at);
    find(library, "stand_in_machine", &functions.machine);
    find(library, "stand_in_architecture", &functions.architecture);
    is_stand_in = 1;
}

int cuda_is_stand_in(void)
{
    return is_stand_in;
}

const cuda_stand_in *cuda_stand_in_of(void)
{
    return &functions;
}
