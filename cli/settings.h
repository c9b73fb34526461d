/* What `steno bench` is asked to do. */
#ifndef STENO_CLI_SETTINGS_H
#define STENO_CLI_SETTINGS_H

#include "kernels.h"
#include "steno/exec.h"

enum { MOST_KERNELS = 8, MOST_REPEATS = 1000, MOST_THREADS = 1024 };

typedef struct bench_settings {
    const bench_kernel
        *kernels[MOST_KERNELS]; /* none: those that suit the matrix, or the usual ones */
    int kernel_count;
    stn_format formats[STN_BUILTIN_FORMATS];
    int format_count;
    stn_format arithmetic;
    int64_t size;                                 /* elements; 0: as many as memory needs to show */
    int64_t rows, columns;                        /* of a dense matrix; 0: square */
    int64_t repeat;                               /* 0: as many as time allows */
    int64_t threads;                              /* 0: as many as OpenMP gives */
    const char *exec, *isa, *matrix, *json, *csv; /* NULL: not given */
    unsigned market;                              /* stn_market_flags of the matrix */
    int bits;                                     /* add result_bits */
    int help;
} bench_settings;

/* Read the words of the command line and check all that can be checked without reading a file. */
stn_status settings_parse(int argc, char **argv, bench_settings *settings);

/* A word of a list of formats: a real one, or all of them; `settings` are a bench_settings. */
stn_status settings_take_format(const char *word, void *settings);

/* The executor asked for; also sets the instruction set and OpenMP's number of threads. */
stn_status settings_make_exec(const bench_settings *settings, stn_exec **exec);

extern const char settings_help[];

#endif
