/* The one place that reads the environment. */
#ifndef STENO_CORE_ENVIRONMENT_H
#define STENO_CORE_ENVIRONMENT_H

enum { STN_MOST_PATH = 4096 }; /* bytes of a path, with its end */

typedef struct stn_environment {
    const char *isa;   /* STENO_ISA: c, neon, avx2 or avx512; NULL when not set */
    const char *tools; /* STENO_TOOLS_LIBS: paths of tool libraries, with colons between */
    /* Libraries in place of those that the loader knows; set-user-ID programs do not read them. */
    const char *cuda_driver; /* STENO_CUDA_DRIVER */
    const char *nvrtc;       /* STENO_NVRTC */
    const char *opencl;      /* STENO_OPENCL */
    const char *hip;         /* STENO_HIP */
    const char *hiprtc;      /* STENO_HIPRTC */
    /* Where compiled kernels are kept; neither do set-user-ID programs read these. */
    const char *cache;             /* STENO_CACHE: a folder, or "off" */
    const char *cache_home, *home; /* XDG_CACHE_HOME, HOME */
    /* How threads walk through memory; nor these. */
    const char *tune;        /* STENO_TUNE: a file */
    const char *config_home; /* XDG_CONFIG_HOME */
    const char *gemm;        /* STENO_GEMM: a library with cblas_dgemm, or "own"; nor this */
    /* How kernels are compiled for the host; nor these. */
    const char *compiler;         /* STENO_CC, or else CC */
    const char *compiler_seconds; /* STENO_CC_SECONDS: that it may take */
    const char *path, *temporary; /* PATH, TMPDIR */
} stn_environment;

/* Read once, at the first call. */
const stn_environment *stn_environment_get(void);

#endif
