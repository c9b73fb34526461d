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

static int expected_device;

static void check_device(void)
{
    NEED(device_of_caller() == expected_device);
}

static stn_status launch_twice(const stn_exec *exec, stn_view x, stn_view y)
{
    return twice_run(exec, STN_F64, &x, &y);
}

/* Calls of all kinds on the device hip:1; each leaves the caller's. */
static stn_status work(int caller)
{
    expected_device = caller;
    return work_on("hip:1", launch_twice, check_device);
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
