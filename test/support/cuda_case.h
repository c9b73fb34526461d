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

/* Calls of all kinds on a device, until one fails; each is followed by `check`, if there is one.
 * Everything is released. */
static inline stn_status work_on(const char *resource,
                                 stn_status (*launch)(const stn_exec *exec, stn_view x, stn_view y),
                                 void (*check)(void))
{
    static const int64_t extents[2] = {40, 300}, turned_extents[2] = {300, 40};
    static const int order[2] = {1, 0};
    const stn_storage f32 = stn_storage_of(STN_F32);
    stn_exec *exec = NULL;
    stn_view x = {0}, y = {0}, here = {0}, turned = {0};
    stn_status status = stn_exec_create(&exec, resource);
#define STEP(call)                                                                                 \
    status = status == STN_OK ? (call) : status;                                                   \
    if (check)                                                                                     \
    check()
    STEP(STN_OK);
    STEP(stn_view_create(exec, &x, "x", f32, 2, extents));
    STEP(stn_view_mirror_view(exec, &here, &x, STN_SPACE_HOST, STN_MIRROR_COPY));
    STEP(stn_view_create_spec(exec, &y,
                              &STN_VIEW_SPEC(.label = "y", .storage = f32, .rank = 2,
                                             .extents = turned_extents,
                                             .flags = STN_CREATE_PINNED)));
    STEP(stn_view_permute(&turned, &y, 2, order));
    STEP(stn_view_copy(exec, &turned, &x));
    STEP(stn_view_copy(exec, &x, &turned));
    STEP(stn_view_fill(exec, &x, 2.0));
    STEP(launch(exec, x, turned));
    STEP(stn_view_copy(exec, &here, &x));
    STEP(stn_exec_wait(exec));
    (void)stn_view_release(&x);
    (void)stn_view_release(&y);
    (void)stn_view_release(&here);
    stn_exec_release(exec);
    STEP(STN_OK);
#undef STEP
    return status;
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
