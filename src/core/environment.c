/* Environment variables, read once. */
#include "core/environment.h"

#include <pthread.h>
#include <stdlib.h>

static stn_environment environment;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_environment(void)
{
    environment.isa = getenv("STENO_ISA");
}

const stn_environment *stn_environment_get(void)
{
    pthread_once(&once, read_environment);
    return &environment;
}
