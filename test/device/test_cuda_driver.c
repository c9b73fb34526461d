/* The CUDA executor on the stand-in of test/cuda: what is opened, in which order the driver is
 * called, that all is given back, and what becomes of every error. Each case is a process of its
 * own, since a driver is opened once. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "cuda_case.h"
#include "exec/cuda/device.h"
#include "exec/exec.h"
#include "steno/kernel.h"
#include "steno/view.h"

STN_MAP(twice, (in(x), out(y)), y = x + x;)

/* ---- what is opened ---- */

/* A machine whose driver has so many devices and this version, or a driver of another file. */
typedef struct machine {
    const char *file;
    int devices, version;
    const char *failing, *text;
} machine;
static const machine machines[] = {
    {"/nowhere/libcuda.so", 0, 0, NULL, "CUDA driver not found"},
    {"/nowhere/libcuda.so", 0, 0, NULL, "/nowhere/libcuda.so"},
    {"libm.so.6", 0, 0, NULL, "too old: it has no cuInit"},
    {NULL, 0, 12020, NULL, "found no device"},
    {NULL, 1, 10010, NULL, "supports CUDA 10.1"},
    {NULL, 1, 12020, "cuInit", "as the test wanted"},
};
static const machine *current;

static void open_machine(void)
{
    stn_exec *exec;
    if (current->file)
        setenv("STENO_CUDA_DRIVER", current->file, 1);
    else
        driver()->machine(current->devices, current->version, 1 << 20);
    if (current->failing)
        cuda_stand_in_of()->fail_at(current->failing, 1, 999, 0);
    refused(stn_exec_create(&exec, "cuda:0"), STN_ERR_DEVICE, current->text);
    need(!exec && (current->failing || stn_device_count("cuda") == 0), "a device");
}

static void refuses_machines(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof machines / sizeof *machines; k++) {
        current = &machines[k];
        run(open_machine);
    }
}

static void number_too_large(void)
{
    driver()->machine(2, 12020, 1 << 20);
    stn_exec *exec = open_exec("cuda:1");
    need(strcmp(stn_exec_name(exec), "cuda") == 0 && stn_exec_threads(exec) == 1, "its name");
    stn_exec_release(exec);
    refused(stn_exec_create(&exec, "cuda:2"), STN_ERR_RANGE, "the last device is cuda:1");
    need_clean();
}

static void no_compiler(void)
{
    static const int64_t extents[2] = {4, 4};
    stn_view x, turned;
    (void)driver();
    setenv("STENO_NVRTC", "/nowhere/libnvrtc.so", 1);
    stn_exec *const exec = open_exec("cuda:0");
    MUST(stn_view_create(exec, &x, "x", stn_storage_of(STN_F64), 2, extents));
    MUST(stn_view_create(exec, &turned, "turned", stn_storage_of(STN_F64), 2, extents));
    MUST(stn_view_copy(exec, &x, &turned));
    MUST(stn_view_permute(&turned, &turned, 2, (const int[]){1, 0}));
    refused(stn_view_copy(exec, &x, &turned), STN_ERR_DEVICE, "NVRTC, which compiles");
    end_case(exec, &x, &turned, NULL);
}

TEST_OF_CASES(opens_devices, number_too_large, no_compiler)

/* ---- every call fails once ---- */

/* A kernel that is sent scales and returns counters. */
static stn_status calculate(const stn_exec *exec, stn_view x, stn_view y)
{
    static stn_counters counters;
    static double rows[40];
    const stn_scales scales = {
        .data = rows, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    for (int k = 0; k < 40; k++)
        rows[k] = 0.5;
    y.storage.counters = &counters;
    const stn_status status = stn_view_set_scales(&x, &scales);
    return status == STN_OK ? twice_run(exec, STN_F64, &x, &y) : status;
}

/* A call or two of each kind; everything is released, whatever fails. */
static stn_status work(void)
{
    return work_on("cuda:0", calculate, NULL);
}

static void nth_call(int nth, int error, stn_status expected)
{
    cuda_stand_in_of()->reset();
    cuda_stand_in_of()->fail_at(NULL, nth, error, 0);
    const stn_status status = work();
    if (status != STN_OK && status != expected && status != STN_ERR_MEMORY) {
        char what[64];
        snprintf(what, sizeof what, "call %d: %s", nth, stn_status_name(status));
        need(0, what);
    }
    need(status == STN_OK || strlen(stn_error()) > 10, "a sentence");
}

/* What could not be given back since giving back failed is not counted. */
static void each_call_fails(void)
{
    (void)driver();
    need(work() == STN_OK, "without a failure");
    const int calls = cuda_stand_in_of()->look()->calls;
    need(calls > 60, "calls");
    need_clean();
    for (int nth = 1; nth <= calls; nth++) {
        nth_call(nth, 999, STN_ERR_DEVICE);
        nth_call(nth, 2, STN_ERR_DEVICE);
        need(cuda_stand_in_of()->look()->wrong == 0, cuda_stand_in_of()->look()->what);
        need(cuda_stand_in_of()->look()->contexts_in == 0, "a context is left on the stack");
    }
}

static void each_allocation_fails(void)
{
    (void)driver();
    need(work() == STN_OK, "without a failure");
    for (int nth = 1; nth < 60; nth++) {
        stn_fail_allocation(nth);
        const stn_status status = work();
        stn_fail_allocation(0);
        need(status == STN_OK || status == STN_ERR_MEMORY, "a status of memory");
        need_clean();
    }
}

TEST_OF_CASES(survives_every_failure, each_call_fails, each_allocation_fails)

/* ---- a kernel that fails ---- */

static void failed_kernel(void)
{
    static const int64_t extent = 100;
    stn_view y;
    const cuda_stand_in *const d = driver();
    stn_exec *const exec = open_exec("cuda:0");
    stn_view x = make_line(exec, STN_F32, extent);
    MUST(stn_view_fill(exec, &x, 2.0));
    d->fail_at("cuStreamSynchronize", 1, 700, 1); /* and so does every call from now on */
    refused(stn_exec_wait(exec), STN_ERR_DEVICE, "steno_copy");
    refused(stn_view_fill(exec, &x, 1.0), STN_ERR_DEVICE, "failed earlier");
    refused(stn_view_create(exec, &y, "y", stn_storage_of(STN_F32), 1, &extent), STN_ERR_DEVICE,
            "cuda:0");
    MUST(stn_view_release(&x));
    stn_exec_release(exec);
}

/* Errors that CUresult and hipError_t document as final; none of the others is. */
static int is_final(int error)
{
    static const int final[] = {214, 220, 226, 700, 702, 709, 710, 714,
                                715, 716, 717, 718, 719, 721, 810, 911};
    for (size_t k = 0; k < sizeof final / sizeof *final; k++)
        if (final[k] == error)
            return 1;
    return 0;
}

/* Other errors are of one call: the next one works. */
static void errors_of_one_call(void)
{
    const cuda_stand_in *const d = driver();
    for (int error = 1; error < 1000; error++) {
        stn_exec *exec;
        char what[80];
        exec = open_exec("cuda:0");
        d->fail_at("cuStreamSynchronize", 1, error, 0);
        snprintf(what, sizeof what, "error %d", error);
        need(stn_exec_wait(exec) == (error == 2 ? STN_ERR_MEMORY : STN_ERR_DEVICE), what);
        if (is_final(error))
            refused(stn_exec_wait(exec), STN_ERR_DEVICE, "failed earlier");
        else
            need(stn_exec_wait(exec) == STN_OK, what);
        stn_exec_release(exec);
    }
    need_clean();
}

static void bad_text(void)
{
    stn_device *device;
    void *module;
    const stn_device_text text = {.name = "broken.cu", .text = "a mistake"};
    (void)driver();
    MUST(stn_device_open("cuda", 0, &device));
    refused(stn_device_compile(device, &text, &module), STN_ERR_DEVICE,
            "broken.cu cannot be compiled: kernels.cu(1): error");
    stn_device_release(device);
    need_clean();
}

static void unknown_kernel(void)
{
    stn_device *device;
    void *module, *function;
    const stn_device_text text = {.name = "good.cu", .text = "nothing"};
    (void)driver();
    MUST(stn_device_open("cuda", 0, &device));
    MUST(stn_device_compile(device, &text, &module));
    need(strstr(cuda_stand_in_of()->look()->options,
                "--gpu-architecture=sm_90 --fmad=false --ftz=false --prec-div=true "
                "--prec-sqrt=true") != NULL,
         "options by which results are the same everywhere");
    refused(stn_device_find(device, module, "nobody", &function), STN_ERR_DEVICE, "nobody");
    stn_device_unload(device, module);
    stn_device_release(device);
    need_clean();
}

TEST_OF_CASES(names_what_failed, failed_kernel, errors_of_one_call, bad_text, unknown_kernel)

/* ---- processes and executors ---- */

static void after_a_fork(void)
{
    int status;
    (void)driver();
    stn_exec *const exec = open_exec("cuda:0");
    stn_view x = make_line(exec, STN_F32, 10);
    const pid_t child = fork();
    if (child == 0) {
        stn_exec *another;
        refused(stn_exec_create(&another, "cuda:0"), STN_ERR_UNSUPPORTED, "forked");
        refused(stn_view_fill(exec, &x, 1.0), STN_ERR_UNSUPPORTED, "forked");
        refused(stn_exec_wait(exec), STN_ERR_UNSUPPORTED, "forked");
        MUST(stn_view_release(&x));
        stn_exec_release(exec);
        _exit(0);
    }
    need(waitpid(child, &status, 0) == child && status == 0, "the child");
    MUST(stn_view_fill(exec, &x, 1.0));
    end_case(exec, &x, NULL);
}

static void two_executors(void)
{
    driver()->machine(2, 12020, 1 << 20);
    stn_exec *const a = open_exec("cuda:0");
    stn_exec *const b = open_exec("cuda:0");
    stn_exec *const c = open_exec("cuda:1");
    stn_view x = make_line(a, STN_F32, 10);
    stn_view y = make_line(c, STN_F32, 10);
    stn_exec_release(a);
    MUST(stn_view_fill(b, &x, 1.0));
    refused(stn_view_copy(b, &x, &y), STN_ERR_UNSUPPORTED, "cuda:1");
    refused(stn_view_fill(c, &x, 1.0), STN_ERR_UNSUPPORTED, "which cuda:1 cannot access");
    stn_exec_release(b);
    end_case(c, &x, &y, NULL);
}

/* Context and stream of a program stay when the executor goes. */
static void adopted(void)
{
    stn_device *program;
    stn_exec *exec;
    driver()->machine(2, 12020, 1 << 20);
    MUST(stn_device_open("cuda", 1, &program));
    const stn_cuda_device *const of = stn_cuda_of(program);
    const int calls = cuda_stand_in_of()->look()->streams;
    MUST(stn_exec_adopt_cuda(&exec, of->context, of->queue));
    need(cuda_stand_in_of()->look()->streams == calls, "no stream of its own");
    need(exec->device->number == 1 && stn_cuda_of(exec->device)->queue == of->queue, "the same");
    stn_view x = make_line(exec, STN_F32, 10);
    MUST(stn_view_fill(exec, &x, 1.0));
    MUST(stn_view_release(&x));
    stn_exec_release(exec);
    need(cuda_stand_in_of()->look()->streams == calls, "the stream stays");
    MUST(stn_device_wait(program));
    stn_device_release(program);
    need_clean();
    refused(stn_exec_adopt_cuda(&exec, NULL, NULL), STN_ERR_ARGUMENT, "context is NULL");
}

/* What is queued has ended before its memory goes. */
static void released_in_use(void)
{
    stn_view here;
    (void)driver();
    stn_exec *const exec = open_exec("cuda:0");
    stn_view x = make_line(exec, STN_F32, 1000);
    stn_view y = make_line(exec, STN_F32, 1000);
    MUST(stn_view_mirror_view(exec, &here, &x, STN_SPACE_HOST, STN_MIRROR_COPY));
    need(cuda_stand_in_of()->look()->queued == 0, "what the host reads has arrived");
    MUST(stn_view_release(&here));
    MUST(stn_view_copy(exec, &x, &y));
    need(cuda_stand_in_of()->look()->queued > 0, "is queued");
    MUST(stn_view_release(&x));
    need(cuda_stand_in_of()->look()->queued == 0, "after it was waited for");
    end_case(exec, &y, NULL);
}

/* Managed memory beyond what is free is not asked for. */
static void managed_within_bounds(void)
{
    static const int64_t extent = 200000;
    stn_view x;
    driver()->machine(1, 12020, 1 << 20);
    stn_exec *const exec = open_exec("cuda:0");
    refused(stn_view_create_spec(exec, &x,
                                 &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                .rank = 1, .extents = &extent,
                                                .flags = STN_CREATE_MANAGED)),
            STN_ERR_MEMORY, "1600000 bytes of managed memory: 1048576 of 1048576 bytes are free");
    need(cuda_stand_in_of()->calls_of("cuMemAllocManaged") == 0, "the driver is not asked");
    refused(stn_view_create(exec, &x, "x", stn_storage_of(STN_F64), 1, &extent), STN_ERR_MEMORY,
            "1600000 bytes of device memory");
    end_case(exec, NULL);
}

/* ---- scales, which stay on the device ---- */

enum { ROWS = 1 << 17, OTHERS = 40 };

static double scales_of_rows[ROWS];

/* How often the host's bytes are sent for a launch. */
static int sent_for(const stn_exec *exec, const stn_view *x, const stn_view *y)
{
    const int before = cuda_stand_in_of()->look()->sent;
    need(twice_run(exec, STN_F64, x, y) == STN_OK, "a launch");
    return cuda_stand_in_of()->look()->sent - before;
}

static void make_scaled(const stn_exec *exec, stn_view *x, stn_view *y)
{
    static const int64_t extents[2] = {ROWS, 3};
    const stn_scales scales = {
        .data = scales_of_rows, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    for (int k = 0; k < ROWS; k++)
        scales_of_rows[k] = 1 + k % 7;
    MUST(stn_view_create(exec, x, "x", stn_storage_of(STN_I8), 2, extents));
    MUST(stn_view_create(exec, y, "y", stn_storage_of(STN_F32), 2, extents));
    MUST(stn_view_set_scales(x, &scales));
}

static void sent_once(void)
{
    int status;
    stn_view x, y;
    (void)driver();
    stn_exec *const exec = open_exec("cuda:0");
    make_scaled(exec, &x, &y);
    need(sent_for(exec, &x, &y) == 1, "they are sent");
    need(cuda_stand_in_of()->look()->queued > 0, "and the launch is not waited for");
    need(sent_for(exec, &x, &y) == 0, "once");
    scales_of_rows[ROWS - 1] = 0.5;
    need(sent_for(exec, &x, &y) == 1, "again when the last one differs");
    need(sent_for(exec, &x, &y) == 0, "once");
    scales_of_rows[ROWS - 1] = 1 + (ROWS - 1) % 7;
    need(sent_for(exec, &x, &y) == 0, "the others are still there");
    (void)pthread_mutex_lock(&exec->device->keeping); /* as if a thread were at it */
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        (void)stn_view_release(&x);
        (void)stn_view_release(&y);
        stn_exec_release(exec);
        _exit(0);
    }
    (void)pthread_mutex_unlock(&exec->device->keeping);
    need(waitpid(child, &status, 0) == child && status == 0, "a child can end them");
    end_case(exec, &x, &y, NULL);
}

/* Scales that differ in each launch are sent to memory that is there already. */
static void sends_without_stalls(void)
{
    const cuda_stand_in *const d = driver();
    stn_view x, y;
    stn_exec *const exec = open_exec("cuda:0");
    make_scaled(exec, &x, &y);
    for (int k = 0, before = 0; k < 2 * OTHERS; k++) {
        scales_of_rows[0] = k + 1;
        need(sent_for(exec, &x, &y) == 1, "they are sent");
        const int calls = d->calls_of("cuMemAlloc_v2") + d->calls_of("cuMemFree_v2");
        before = k < OTHERS ? calls : before;
        need(calls == before, "no memory is allocated or released any more");
    }
    end_case(exec, &x, &y, NULL);
}

/* No more than 32 MiB, of which those used last stay; and none where a view needs the memory. */
static void kept_within_bounds(void)
{
    static const int64_t most = 50 << 20;
    const cuda_stand_in *const d = driver();
    const stand_in_state *const s = d->look();
    stn_view x, y;
    d->machine(1, 12020, 64 << 20);
    stn_exec *const exec = open_exec("cuda:0");
    make_scaled(exec, &x, &y);
    const size_t views = s->bytes;
    for (int k = 0; k < OTHERS; k++) {
        scales_of_rows[0] = k + 1;
        need(sent_for(exec, &x, &y) == 1 && s->bytes - views <= 33u << 20, "within bounds");
    }
    need(sent_for(exec, &x, &y) == 0 && s->bytes - views > 20u << 20, "what was used last stays");
    scales_of_rows[0] = 1;
    need(sent_for(exec, &x, &y) == 1, "what was used first is gone");
    stn_view z = make_line(exec, STN_I8, most);
    need(sent_for(exec, &x, &y) == 1, "they are sent again");
    end_case(exec, &z, &x, &y, NULL);
}

static void keeps_scales(void **state)
{
    (void)state;
    setenv("STENO_CACHE", "off", 1);
    run(sent_once);
    run(sends_without_stalls);
    run(kept_within_bounds);
}

TEST_OF_CASES(shares_devices, after_a_fork, two_executors, adopted, released_in_use,
              managed_within_bounds)

/* ---- the library's own text ---- */

static int is_missing; /* there is no NVRTC */

/* The compiler is a real one where there is one; what comes out is not run. */
static void compile_copy(stn_exec *exec, stn_storage to, stn_storage from, int repeats)
{
    static const int64_t extents[2] = {16, 16};
    static const int order[2] = {1, 0};
    static const _Alignas(16) char code[16] = {0};
    stn_view x, y, part;
    MUST(stn_view_create(exec, &x, "x", to, 2, extents));
    MUST(stn_view_create(exec, &y, "y", from, 2, extents));
    MUST(stn_view_permute(&part, &y, 2, order));
    if (repeats)
        MUST(stn_view_wrap_spec(
            &part, &STN_VIEW_SPEC(.label = "one", .storage = from, .const_data = code, .rank = 2,
                                  .extents = extents, .strides = (const int64_t[]){0, 0})));
    if (!is_missing && stn_view_copy(exec, &x, &part) != STN_OK) {
        is_missing = strstr(stn_error(), "NVRTC, which compiles") != NULL;
        need(is_missing, "the text of copies");
    }
    (void)stn_view_release(&x);
    (void)stn_view_release(&y);
}

static void compile_copies(stn_exec *exec)
{
    static stn_counters counters;
    static const stn_format moved[] = {STN_I8, STN_F16, STN_F32, STN_F64};
    static const stn_format pairs[][2] = {{STN_F16, STN_F64},  {STN_E4M3, STN_F32},
                                          {STN_U64, STN_I8},   {STN_BF16, STN_I64},
                                          {STN_C32, STN_C128}, {STN_F64, STN_E5M2}};
    for (int k = 0; k < 4; k++)
        compile_copy(exec, stn_storage_of(moved[k]), stn_storage_of(moved[k]), k % 2);
    for (int k = 0; k < 6; k++) {
        stn_storage to = stn_storage_of(pairs[k][0]), from = stn_storage_of(pairs[k][1]);
        to.rounding = (stn_rounding)(k % 3);
        if (k < 2)
            to.scale = from.scale = 3.0;
        if (k % 2)
            to.counters = &counters;
        compile_copy(exec, to, from, k == 0);
    }
}

static void texts_compile(void)
{
    const cuda_stand_in *const d = driver();
    cuda_choose_text_compiler();
    const int *const architectures = cuda_architectures();
    for (int k = 0; k < 3 && !is_missing; k++) {
        stn_exec *exec;
        d->architecture(architectures[k]);
        exec = open_exec("cuda:0");
        compile_copies(exec);
        stn_exec_release(exec);
    }
    if (is_missing)
        printf("skipped: %s\n", stn_error());
}

TEST_OF_CASES(compiles_its_text, texts_compile)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_its_text),

        cmocka_unit_test(refuses_machines),       cmocka_unit_test(opens_devices),
        cmocka_unit_test(survives_every_failure), cmocka_unit_test(names_what_failed),
        cmocka_unit_test(shares_devices),         cmocka_unit_test(keeps_scales)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
