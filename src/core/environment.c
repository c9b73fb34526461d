/* Environment variables, read once. */
#define _GNU_SOURCE
#include "core/environment.h"

#include <pthread.h>
#include <stdlib.h>

static stn_environment environment;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The name of a file, or NULL for "". */
static const char *read_name(const char *variable)
{
    const char *const name = secure_getenv(variable);
    return name && *name ? name : NULL;
}

static void read_environment(void)
{
    environment.isa = getenv("STENO_ISA");
    environment.threads = getenv("STENO_NUM_THREADS");
    environment.openmp_threads = getenv("OMP_NUM_THREADS");
    environment.tools =
        secure_getenv("STENO_TOOLS_LIBS"); /* these run with the rights of the program */
    environment.cuda_driver = read_name("STENO_CUDA_DRIVER");
    environment.nvrtc = read_name("STENO_NVRTC");
    environment.opencl = read_name("STENO_OPENCL");
    environment.hip = read_name("STENO_HIP");
    environment.hiprtc = read_name("STENO_HIPRTC");
    environment.cache = read_name("STENO_CACHE");
    environment.cache_home = read_name("XDG_CACHE_HOME");
    environment.home = read_name("HOME");
    environment.tune = read_name("STENO_TUNE");
    environment.config_home = read_name("XDG_CONFIG_HOME");
    environment.gemm = read_name("STENO_GEMM");
    environment.compiler = read_name("STENO_CC");
    if (!environment.compiler)
        environment.compiler = read_name("CC");
    environment.compiler_seconds = read_name("STENO_CC_SECONDS");
    environment.path = read_name("PATH");
    environment.temporary = read_name("TMPDIR");
}

const stn_environment *stn_environment_get(void)
{
    pthread_once(&once, read_environment);
    return &environment;
}
