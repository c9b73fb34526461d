/* Options of `steno bench`. */
#ifndef STENO_CLI_SETTINGS_H
#define STENO_CLI_SETTINGS_H

#include "columns.h"
#include "kernels.h"
#include "steno/exec.h"

enum { MAX_KERNELS = 8, MAX_REPEATS = 1000, MAX_THREADS = 1024 };

typedef struct bench_settings {
    const bench_kernel
        *kernels[MAX_KERNELS]; /* empty: those that match the matrix, or the defaults */
    int kernel_count;
    stn_format formats[STN_FIRST_REGISTERED];
    int format_count;
    stn_format arithmetic;
    int64_t size;                    /* elements; 0: large enough to be limited by memory */
    int64_t rows, columns;           /* of a dense matrix; 0: square */
    int64_t repeat;                  /* 0: as time allows */
    int64_t threads;                 /* 0: the default of the executor */
    const char *exec, *isa, *matrix; /* NULL: not given */
    const char *same_bits;           /* executor to compare bits with; NULL: none */
    columns_files files;
    unsigned market; /* stn_market_flags of the matrix */
    int bits;        /* add result_bits */
    int help;
} bench_settings;

/* Parses the command line and performs all checks that do not need a file. */
stn_status settings_parse(int argc, char **argv, bench_settings *settings);

/* Takes a word of a list of formats: a real format, or all; `settings` is a bench_settings. */
stn_status settings_take_format(const char *word, void *settings);

/* Creates the requested executor; also sets the instruction set and the number of OpenMP
 * threads. */
stn_status settings_make_exec(const bench_settings *settings, stn_exec **exec);

extern const char settings_help[];

#endif
