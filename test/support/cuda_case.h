/* Cases on the stand-in, each in a separate process, since a driver is opened once. */
#ifndef STENO_TEST_CUDA_CASE_H
#define STENO_TEST_CUDA_CASE_H

#include "child.h"
#include "cuda.h"
#include "steno/view.h"

/* The call returns STN_OK. */
#define MUST(call) need((call) == STN_OK, #call)

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

static inline stn_exec *open_exec(const char *resource)
{
    stn_exec *exec;
    MUST(stn_exec_create(&exec, resource));
    return exec;
}

static inline stn_view make_line(const stn_exec *exec, stn_format format, int64_t count)
{
    stn_view view;
    MUST(stn_view_create(exec, &view, "line", stn_storage_of(format), 1, &count));
    return view;
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

/* Releases the executor and views, up to NULL; then everything is released. */
static inline void end_case(stn_exec *exec, ...)
{
    va_list views;
    va_start(views, exec);
    for (stn_view *view; (view = va_arg(views, stn_view *)) != NULL;)
        MUST(stn_view_release(view));
    va_end(views);
    stn_exec_release(exec);
    need_clean();
}

static inline void run_cases(void (*const *cases)(void), int count)
{
    for (int k = 0; k < count; k++)
        run(cases[k]);
}

/* A test that runs each case. */
#define TEST_OF_CASES(name, ...)                                                                   \
    static void name(void **unused_ __attribute__((unused)))                                       \
    {                                                                                              \
        static void (*const cases_[])(void) = {__VA_ARGS__};                                       \
        run_cases(cases_, (int)(sizeof cases_ / sizeof *cases_));                                  \
    }

#endif
