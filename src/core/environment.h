/* The only place that reads the environment. */
#ifndef STENO_CORE_ENVIRONMENT_H
#define STENO_CORE_ENVIRONMENT_H

enum { STN_MAX_PATH = 4096 }; /* bytes of a path, including its terminator */

typedef struct stn_environment {
    const char *isa;                      /* STENO_ISA: c, neon, avx2 or avx512; NULL if not set */
    const char *threads, *openmp_threads; /* STENO_NUM_THREADS, OMP_NUM_THREADS */
    const char *tools; /* STENO_TOOLS_LIBS: paths of tool libraries, separated by colons */
    /* Libraries to open instead of the defaults; ignored by set-user-ID programs. */
    const char *cuda_driver; /* STENO_CUDA_DRIVER */
    const char *nvrtc;       /* STENO_NVRTC */
    const char *opencl;      /* STENO_OPENCL */
    const char *hip;         /* STENO_HIP */
    const char *hiprtc;      /* STENO_HIPRTC */
    /* Folder of compiled kernels; ignored by set-user-ID programs. */
    const char *cache;             /* STENO_CACHE: a folder, or "off" */
    const char *cache_home, *home; /* XDG_CACHE_HOME, HOME */
    /* Memory access parameters; ignored by set-user-ID programs. */
    const char *tune;        /* STENO_TUNE: a file */
    const char *config_home; /* XDG_CONFIG_HOME */
    const char *gemm; /* STENO_GEMM: a library with cblas_dgemm, or "own"; ignored by them, too */
    /* Compilation of kernels for the host; ignored by set-user-ID programs. */
    const char *compiler;         /* STENO_CC, or else CC */
    const char *compiler_seconds; /* STENO_CC_SECONDS: time limit */
    const char *path, *temporary; /* PATH, TMPDIR */
} stn_environment;

/* Read by the first call. */
const stn_environment *stn_environment_get(void);

#endif
