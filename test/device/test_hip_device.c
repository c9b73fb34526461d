/* HIP, whose contexts are devices: hipCtxPushCurrent changes the calling thread's device. No call
 * of the library leaves it changed, whether it succeeds or fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "cuda_case.h"
#include "exec/cuda/device.h"
#include "exec/exec.h"
#include "steno/kernel.h"

STN_MAP(twice, (in(x), out(y)), y = x + x;)

enum { CALLERS = 0, USED = 1, DEVICES = 3 };

static int (*device_of_caller)(void); /* no call of the runtime, so that none fails in its place */
static int (*set_device)(int device);

static void begin_case(void)
{
    void *symbol;
    cuda_choose(1);
    void *const runtime = dlopen(STENO_STAND_IN_HIP, RTLD_NOW | RTLD_NOLOAD);
    NEED(runtime != NULL);
    symbol = dlsym(runtime, "stand_in_hip_device");
    memcpy(&device_of_caller, &symbol, sizeof symbol);
    symbol = dlsym(runtime, "hipSetDevice");
    memcpy(&set_device, &symbol, sizeof symbol);
    cuda_stand_in_of()->machine(DEVICES, 60000000, 1 << 24);
    NEED(set_device(CALLERS) == 0);
}

/* Calls of all kinds on the device hip:1; each leaves the caller's. */
static stn_status work(int caller)
{
    static const int64_t extents[2] = {30, 40};
    static const int order[2] = {1, 0};
    stn_exec *exec = NULL;
    stn_view x = {0}, y = {0}, here = {0}, turned;
    stn_status status = stn_exec_create(&exec, "hip:1");
    NEED(device_of_caller() == caller);
#define STEP(call)                                                                                 \
    status = status == STN_OK ? (call) : status;                                                   \
    NEED(device_of_caller() == caller)
    STEP(stn_view_create(exec, &x, "x", stn_storage_of(STN_F32), 2, extents));
    STEP(stn_view_mirror_view(exec, &here, &x, STN_SPACE_HOST, STN_MIRROR_COPY));
    STEP(stn_view_create_spec(exec, &y,
                              &STN_VIEW_SPEC(.label = "y", .storage = stn_storage_of(STN_F32),
                                             .rank = 2, .extents = (const int64_t[]){40, 30},
                                             .flags = STN_CREATE_PINNED)));
    STEP(stn_view_permute(&turned, &y, 2, order));
    STEP(stn_view_copy(exec, &turned, &x));
    STEP(stn_view_fill(exec, &x, 2.0));
    STEP(twice_run(exec, STN_F64, &x, &turned));
    STEP(stn_view_copy(exec, &here, &x));
    STEP(stn_exec_wait(exec));
#undef STEP
    (void)stn_view_release(&x);
    NEED(device_of_caller() == caller);
    (void)stn_view_release(&y);
    (void)stn_view_release(&here);
    stn_exec_release(exec);
    NEED(device_of_caller() == caller);
    return status;
}

static void all_calls(void)
{
    begin_case();
    NEED(work(CALLERS) == STN_OK);
    NEED(set_device(2) == 0 && work(2) == STN_OK);
    NEED(set_device(USED) == 0 && work(USED) == STN_OK);
    NEED(cuda_stand_in_of()->look()->contexts_in == 0);
}

static void each_call_fails(void)
{
    begin_case();
    cuda_stand_in_of()->reset();
    NEED(work(CALLERS) == STN_OK);
    const int calls = cuda_stand_in_of()->look()->calls;
    NEED(calls > 100);
    for (int nth = 1; nth <= calls; nth++) {
        cuda_stand_in_of()->reset();
        cuda_stand_in_of()->fail_at(NULL, nth, 999, 0);
        (void)work(CALLERS);
        NEED(cuda_stand_in_of()->look()->contexts_in == 0);
    }
}

static void adopted_context(void)
{
    stn_exec *program = NULL, *exec = NULL;
    begin_case();
    NEED(stn_exec_create(&program, "hip:1") == STN_OK);
    const stn_cuda_device *const of = stn_cuda_of(program->device);
    NEED(stn_exec_adopt_hip(&exec, of->context, of->queue) == STN_OK);
    NEED(exec->device->number == USED);
    NEED(device_of_caller() == CALLERS);
    stn_exec_release(exec);
    NEED(device_of_caller() == CALLERS);
    stn_exec_release(program);
    NEED(device_of_caller() == CALLERS);
}

TEST_OF_CASES(leaves_the_device_of_the_thread, all_calls, each_call_fails)
TEST_OF_CASES(leaves_it_with_adopted_contexts, adopted_context)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_the_device_of_the_thread),
                                       cmocka_unit_test(leaves_it_with_adopted_contexts)};
    setenv("STENO_TEST_EXEC", "hip:0", 1);
    setenv("STENO_CACHE", "off", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
