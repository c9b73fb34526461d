/* Cases over the stand-in, each in a process of its own, since a driver is opened once. */
#ifndef STENO_TEST_CUDA_CASE_H
#define STENO_TEST_CUDA_CASE_H

#include "child.h"
#include "cuda.h"
#include "steno/status.h"

static inline void refused(stn_status status, stn_status expected, const char *words)
{
    char what[256];
    snprintf(what, sizeof what, "%s, not %s with \"%s\"", stn_status_name(status),
             stn_status_name(expected), words);
    need(status == expected && strstr(stn_error(), words) != NULL, what);
}

/* The driver of the case. */
static inline const cuda_stand_in *driver(void)
{
    cuda_choose(1);
    cuda_stand_in_of()->reset();
    return cuda_stand_in_of();
}

static inline void need_clean(void)
{
    const stand_in_state *s = cuda_stand_in_of()->look();
    need(s->wrong == 0, s->what);
    need(s->freed_queued == 0, "memory was given back in use");
    need(s->contexts == 0 && s->contexts_in == 0, "a context is left");
    need(s->mode == 0, "the thread's capture mode is left");
    need(s->streams == 0, "a stream is left");
    need(s->modules == 0, "code is left");
    need(s->memories == 0, "memory is left");
}

#endif
