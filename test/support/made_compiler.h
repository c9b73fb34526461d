/* A compiler for STENO_CC that is a script, which notes each of its runs in the file `runs` next to
 * it. */
#ifndef STENO_TEST_MADE_COMPILER_H
#define STENO_TEST_MADE_COMPILER_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The system's compiler. With STENO_TEST_QUICK, -O1 takes half the time of the library's -O3, under
 * which test_device_kernel_jit compares bits. */
#define SYSTEM_COMPILER "exec cc \"$@\" ${STENO_TEST_QUICK:+-O1}"

static inline int make_compiler_in(const char *folder, const char *words)
{
    char path[512];
    snprintf(path, sizeof path, "%s/compiler", folder);
    FILE *const file = fopen(path, "w");
    if (file == NULL)
        return 1;
    fprintf(file, "#!/bin/sh\necho run >>%s/runs\n%s\n", folder, words);
    fclose(file);
    return chmod(path, 0700) || setenv("STENO_CC", path, 1);
}

#endif
