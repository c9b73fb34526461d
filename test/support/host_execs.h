/* The executors of the host that tests compare with each other. */
#ifndef STENO_TEST_HOST_EXECS_H
#define STENO_TEST_HOST_EXECS_H

#include "steno/exec.h"

enum { EXECS = 3 };

static stn_exec *execs[EXECS];

static int create_execs(void **state)
{
    static const char *const names[] = {"reference", "threads:threads=1", "threads:threads=4"};
    (void)state;
    for (int k = 0; k < EXECS; k++)
        if (stn_exec_create(&execs[k], names[k]) != STN_OK)
            return -1;
    return 0;
}

static int release_execs(void **state)
{
    (void)state;
    for (int k = 0; k < EXECS; k++)
        stn_exec_release(execs[k]);
    return 0;
}

#endif
