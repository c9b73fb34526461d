/* Queues of CUDA and HIP devices, on the stand-in of test/cuda, which runs queued work as late as
 * the driver's documentation permits: captures into graphs, scratch memory, and memory that the
 * host reaches while kernels use it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "cuda_case.h"
#include "exec/cuda/device.h"
#include "exec/exec.h"
#include "exec/scratch.h"
#include "matrix.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/scan.h"
#include "steno/sparse.h"
#include "steno/view.h"

STN_MAP(twice, (in(x), out(y)), y = x + x;)
STN_MAP(stretch, (at(i), stencil(x, nearest, 1), out(y)), y = STN_AT(x, i - 1);)
STN_REDUCE(total, sum, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)

static const char *kind(void)
{
    return cuda_is_hip() ? "hip" : "cuda";
}

static stn_status adopt(void *context, void *stream, stn_exec **exec)
{
    return cuda_is_hip() ? stn_exec_adopt_hip(exec, context, stream)
                         : stn_exec_adopt_cuda(exec, context, stream);
}

/* ---- captures of streams into graphs ---- */

static stn_status create_pair(const stn_exec *exec, stn_view *x, stn_view *y)
{
    static const int64_t extent = 1000;
    const stn_status status = stn_view_create(exec, x, "x", stn_storage_of(STN_F32), 1, &extent);
    return status ? status : stn_view_create(exec, y, "y", stn_storage_of(STN_F32), 1, &extent);
}

/* A stream that the library does not know, in the device's context. */
static void *make_stream(stn_device *of)
{
    const stn_cuda_driver *const calls = stn_cuda_of(of)->driver;
    void *stream = NULL, *popped;
    need(calls->context_push(stn_cuda_of(of)->context) == 0 &&
             calls->stream_make(&stream, 0) == 0 && calls->context_pop(&popped) == 0,
         "a stream");
    return stream;
}

static void end_stream(stn_device *of, void *stream)
{
    const stn_cuda_driver *const calls = stn_cuda_of(of)->driver;
    void *popped;
    need(calls->context_push(stn_cuda_of(of)->context) == 0 && calls->stream_end(stream) == 0 &&
             calls->context_pop(&popped) == 0,
         "a stream goes");
}

/* While another library captures a stream of its own, an executor does all that it does otherwise,
 * and the capture survives. */
static void captures_of_others(void)
{
    const cuda_stand_in *const d = driver();
    stn_device *other;
    stn_view x, y, pinned;
    double sum = 0;
    MUST(stn_device_open(kind(), 0, &other));
    void *const stream = make_stream(other);
    (void)d->capture(stream, 1);
    stn_exec *const exec = open_exec(cuda_resource());
    MUST(create_pair(exec, &x, &y));
    MUST(stn_view_create_spec(exec, &pinned,
                              &STN_VIEW_SPEC(.label = "pinned", .storage = stn_storage_of(STN_F32),
                                             .rank = 1, .extents = (const int64_t[]){1000},
                                             .flags = STN_CREATE_PINNED)));
    MUST(twice_run(exec, STN_F32, &x, &y));
    MUST(total_reduce(exec, STN_F32, &sum, &x));
    MUST(stn_view_copy(exec, &pinned, &y));
    MUST(stn_view_fill(exec, &pinned, 1.0));
    MUST(stn_exec_wait(exec));
    MUST(stn_view_release(&x));
    MUST(stn_view_release(&y));
    MUST(stn_view_release(&pinned));
    stn_exec_release(exec);
    need(d->capture(stream, 0), "the capture is intact");
    end_stream(other, stream);
    stn_device_release(other);
    need_clean();
}

/* Of an adopted stream, kernels become part of the graph; what needs an answer of the device is
 * refused, before anything of it is captured. */
static void captures_of_adopted(void)
{
    const cuda_stand_in *const d = driver();
    const stand_in_state *const s = d->look();
    stn_device *program;
    stn_exec *exec;
    stn_view x, y, here;
    double sum = 0;
    MUST(stn_device_open(kind(), 0, &program));
    void *const stream = make_stream(program);
    MUST(adopt(stn_cuda_of(program)->context, stream, &exec));
    MUST(create_pair(exec, &x, &y));
    MUST(stn_view_mirror_view(exec, &here, &x, STN_SPACE_HOST, STN_MIRROR_COPY));
    (void)d->capture(stream, 1);
    need(twice_run(exec, STN_F32, &x, &y) == STN_OK && s->captured == 1, "a launch is captured");
    refused(stn_exec_wait(exec), STN_ERR_UNSUPPORTED, "is being captured");
    refused(stn_view_copy(exec, &here, &x), STN_ERR_UNSUPPORTED, "is being captured");
    refused(total_reduce(exec, STN_F32, &sum, &x), STN_ERR_UNSUPPORTED, "is being captured");
    refused(stretch_run(exec, STN_F32, &x, &y), STN_ERR_UNSUPPORTED, "is being captured");
    need(s->captured == 1, "and nothing else");
    MUST(stn_view_release(&y));
    need(d->capture(stream, 0), "the capture is intact");
    MUST(stn_view_copy(exec, &here, &x));
    MUST(total_reduce(exec, STN_F32, &sum, &x));
    MUST(stn_view_release(&x));
    MUST(stn_view_release(&here));
    stn_exec_release(exec);
    end_stream(program, stream);
    stn_device_release(program);
    need_clean();
}

TEST_OF_CASES(outlives_captures, captures_of_others, captures_of_adopted)

/* ---- scratch memory, which stays on the device ---- */

static void counted_copy(const stn_exec *exec, const stn_view *y, const stn_view *x)
{
    static stn_counters counters;
    stn_view counting = *y;
    counting.storage.counters = &counters;
    MUST(stn_view_copy(exec, &counting, x));
}

/* One launch of each kind that needs device memory while it runs, or an answer. */
static void launch_all(const stn_exec *exec, const stn_view *a, const stn_view *x,
                       const stn_view *y, const stn_view *z)
{
    double sum;
    MUST(total_reduce(exec, STN_F64, &sum, x));
    MUST(total_reduce_into(exec, STN_F64, 1, z, a));
    MUST(running_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, y, x));
    MUST(stretch_run(exec, STN_F64, x, y));
    MUST(stn_dot(exec, STN_F64, &sum, x, y));
    MUST(stn_nrm2(exec, STN_F64, &sum, x));
    MUST(stn_gemv(exec, STN_F64, 2.0, a, x, 1.0, z));
    counted_copy(exec, y, z);
}

static int count_stalls(void)
{
    static const char *const calls[] = {"cuMemGetInfo_v2",  "cuMemAlloc_v2",       "cuMemFree_v2",
                                        "cuCtxSynchronize", "hipMemGetInfo",       "hipMalloc",
                                        "hipFree",          "hipDeviceSynchronize"};
    int count = 0;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        count += cuda_stand_in_of()->calls_of(calls[k]);
    return count;
}

static void launches_without_stalls(void)
{
    static const int64_t extents[2] = {1000, 1000};
    const cuda_stand_in *const d = driver();
    stn_view a, x, y, z;
    stn_exec *const exec = open_exec(cuda_resource());
    MUST(stn_view_create(exec, &a, "a", stn_storage_of(STN_F32), 2, extents));
    MUST(stn_view_create(exec, &x, "x", stn_storage_of(STN_F64), 1, extents));
    MUST(stn_view_create(exec, &y, "y", stn_storage_of(STN_F16), 1, extents));
    MUST(stn_view_create(exec, &z, "z", stn_storage_of(STN_F64), 1, extents));
    launch_all(exec, &a, &x, &y, &z);
    launch_all(exec, &a, &x, &y, &z);
    const int before = count_stalls();
    for (int k = 0; k < 5; k++)
        launch_all(exec, &a, &x, &y, &z);
    need(count_stalls() == before, "no launch allocates, or waits for the whole context");
    need(d->look()->queued < 20, "and all that was asked is answered");
    end_case(exec, &a, &x, &y, &z, NULL);
}

static stn_device_scratch *take(stn_device *device, int64_t bytes)
{
    stn_device_scratch *scratch = NULL;
    MUST(stn_device_acquire_scratch(device, "test", bytes, &scratch));
    return scratch;
}

/* What was returned is taken again by calls that need no less than half of it; a block that is too
 * small for a call makes way. */
static void reuses_scratch(void)
{
    const stand_in_state *const s = driver()->look();
    stn_device *device;
    MUST(stn_device_open(kind(), 0, &device));
    stn_device_scratch *const small = take(device, 100), *const large = take(device, 1 << 20);
    need(small->memory != large->memory && large->bytes >= 1 << 20, "two blocks");
    stn_device_return_scratch(device, large);
    stn_device_return_scratch(device, small);
    need(take(device, 50) == small && take(device, 900 << 10) == large, "each has its use");
    stn_device_return_scratch(device, small);
    stn_device_return_scratch(device, large);
    stn_device_return_scratch(device, take(device, 200 << 10));
    need(s->memories == 2, "a block of medium size replaces the small one");
    stn_device_return_scratch(device, take(device, 2 << 20));
    need(s->memories == 1 && s->bytes <= 5 << 19, "and a larger one all others");
    for (int64_t k = 0; k < 100; k++)
        stn_device_return_scratch(device, take(device, (2 << 20) + k * 4096));
    need(cuda_stand_in_of()->calls_of(cuda_is_hip() ? "hipMalloc" : "cuMemAlloc_v2") <= 6,
         "growth allocates seldom");
    stn_device_release(device);
    need_clean();
}

/* Where the device's memory is used up, launches fail with a status, and scratch memory makes way
 * for views, also for those of other executors. */
static void gives_scratch_up(void)
{
    static const int64_t most = 900 << 10, rest = 124 << 10;
    stn_exec *a, *b = NULL;
    stn_view x, y;
    double sum = 0;
    driver()->machine(1, 12020, 1 << 20);
    MUST(stn_exec_create(&a, cuda_resource()));
    MUST(stn_exec_create(&b, cuda_resource()));
    stn_device_return_scratch(a->device, take(a->device, 500 << 10));
    MUST(stn_view_create(b, &x, "x", stn_storage_of(STN_I8), 1, &most));
    MUST(stn_view_create(b, &y, "y", stn_storage_of(STN_I8), 1, &rest));
    refused(total_reduce(a, STN_F64, &sum, &x), STN_ERR_MEMORY, "cannot allocate");
    MUST(stn_view_release(&y));
    MUST(total_reduce(a, STN_F64, &sum, &x));
    MUST(stn_view_release(&x));
    stn_exec_release(a);
    end_case(b, NULL);
}

enum { THREADS = 4, ROUNDS = 2000 };

/* Each thread writes its number, and finds it again. */
static void *use_scratch(void *context)
{
    stn_device *const device = context;
    for (int k = 0; k < ROUNDS; k++) {
        stn_device_scratch *const scratch = take(device, 1000 * (1 + k % 7));
        int64_t *const number = scratch->memory;
        *number = (int64_t)pthread_self();
        sched_yield();
        need(*number == (int64_t)pthread_self(), "a block has one user");
        stn_device_return_scratch(device, scratch);
    }
    return NULL;
}

static void shares_scratch(void)
{
    stn_device *device;
    pthread_t threads[THREADS];
    (void)driver();
    MUST(stn_device_open(kind(), 0, &device));
    for (int k = 0; k < THREADS; k++)
        need(pthread_create(&threads[k], NULL, use_scratch, device) == 0, "a thread");
    for (int k = 0; k < THREADS; k++)
        need(pthread_join(threads[k], NULL) == 0, "a thread ends");
    need(cuda_stand_in_of()->look()->memories <= THREADS, "no more blocks than users");
    stn_device_release(device);
    need_clean();
}

TEST_OF_CASES(keeps_scratch, launches_without_stalls, reuses_scratch, gives_scratch_up,
              shares_scratch)
/* ---- memory that the host reaches while kernels use it ---- */

enum { LENGTH = 100 };

/* An executor, views in its memory, one that a kernel writes and the host reaches, and views of
 * the host's. */
typedef struct shared_case {
    stn_exec *exec, *host;
    stn_view x, z, p, here, ones;
} shared_case;

/* What the kernel writes, when it runs. */
static void write_sevens(void *context)
{
    double *const to = context;
    for (int k = 0; k < LENGTH; k++)
        to[k] = 7.0;
}

static stn_status create(const stn_exec *exec, stn_view *view, const char *label, unsigned flags)
{
    static const int64_t extent = LENGTH;
    return stn_view_create_spec(exec, view,
                                &STN_VIEW_SPEC(.label = label, .storage = stn_storage_of(STN_F64),
                                               .rank = 1, .extents = &extent, .flags = flags));
}

static shared_case begin_shared(unsigned flags)
{
    shared_case c;
    MUST(stn_exec_create(&c.exec, cuda_resource()));
    MUST(stn_exec_create(&c.host, "threads:threads=2"));
    MUST(create(c.exec, &c.x, "x", 0));
    MUST(create(c.exec, &c.z, "z", 0));
    MUST(create(c.exec, &c.p, "p", flags));
    MUST(create(NULL, &c.here, "here", 0));
    MUST(create(NULL, &c.ones, "ones", 0));
    MUST(stn_view_fill(NULL, &c.ones, 1.0));
    cuda_stand_in_of()->kernel("steno_twice", write_sevens, c.p.data);
    return c;
}

static void end_shared(shared_case *c)
{
    MUST(stn_view_release(&c->x));
    MUST(stn_view_release(&c->z));
    MUST(stn_view_release(&c->p));
    MUST(stn_view_release(&c->here));
    MUST(stn_view_release(&c->ones));
    stn_exec_release(c->exec);
    stn_exec_release(c->host);
    need_clean();
}

/* Operations of the host that read p; each returns what it read, of sevens 7. */
static double by_get(const shared_case *c)
{
    double value = 0;
    need(STN_VIEW_GET(&c->p, &value, LENGTH - 1) == STN_OK, "an element");
    return value;
}
static double by_address(const shared_case *c)
{
    void *address;
    MUST(stn_view_address(&c->p, 1, (const int64_t[]){3}, &address));
    return *(const double *)address;
}
static double by_dot(const shared_case *c)
{
    double sum = 0;
    MUST(stn_dot(c->host, STN_F64, &sum, &c->p, &c->ones));
    return sum / LENGTH;
}
static double by_sum(const shared_case *c)
{
    double sum = 0;
    MUST(total_reduce(c->host, STN_F64, &sum, &c->p));
    return sum / LENGTH;
}
static double by_kernel(const shared_case *c)
{
    MUST(twice_run(c->host, STN_F64, &c->p, &c->here));
    return *(const double *)c->here.data / 2;
}
static double by_scan(const shared_case *c)
{
    MUST(running_scan(c->host, STN_F64, STN_SCAN_INCLUSIVE, &c->here, &c->p));
    return ((const double *)c->here.data)[LENGTH - 1] / LENGTH;
}
static double by_copy(const shared_case *c)
{
    MUST(stn_view_copy(c->host, &c->here, &c->p));
    return *(const double *)c->here.data;
}
static double by_mirror(const shared_case *c)
{
    stn_view mirror;
    MUST(stn_view_mirror_view(c->exec, &mirror, &c->p, STN_SPACE_HOST, STN_MIRROR_COPY));
    const double value = *(const double *)mirror.data;
    MUST(stn_view_release(&mirror));
    return value;
}

/* Values of a matrix. */
static double by_spmv(const shared_case *c)
{
    static int64_t starts[LENGTH + 1];
    static int32_t columns[LENGTH];
    stn_matrix *a;
    for (int k = 0; k <= LENGTH; k++)
        starts[k] = k;
    need(wrap_csr(&a, "a", stn_storage_of(STN_F64), LENGTH, 1, starts, columns, c->p.data) ==
             STN_OK,
         "a matrix");
    stn_view one = c->ones;
    one.extent[0] = 1;
    MUST(stn_spmv(c->host, STN_F64, 1.0, a, &one, 0.0, &c->here));
    stn_matrix_release(a);
    return *(const double *)c->here.data;
}

/* Scales of an array of the host's. */
static double by_scales(const shared_case *c)
{
    const stn_scales scales = {
        .data = c->p.data, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1}};
    stn_view scaled = c->ones;
    double sum = 0;
    MUST(stn_view_set_scales(&scaled, &scales));
    MUST(total_reduce(c->host, STN_F64, &sum, &scaled));
    return sum / LENGTH;
}

/* Of launches on the device, which read scales on the host. */
static double by_launch(const shared_case *c)
{
    const stn_scales scales = {
        .data = c->p.data, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1}};
    stn_view scaled = c->x;
    MUST(stn_view_set_scales(&scaled, &scales));
    MUST(twice_run(c->exec, STN_F64, &scaled, &c->z));
    return *(const double *)c->p.data;
}

static double (*const readers[])(const shared_case *c) = {
    by_get,  by_address, by_dot,  by_sum,    by_kernel, by_scan,
    by_copy, by_mirror,  by_spmv, by_scales, by_launch};

static void read_after_kernels(unsigned flags)
{
    (void)driver();
    shared_case c = begin_shared(flags);
    for (size_t k = 0; k < sizeof readers / sizeof *readers; k++) {
        char what[40];
        memset(c.p.data, 0, LENGTH * sizeof(double));
        MUST(twice_run(c.exec, STN_F64, &c.x, &c.p));
        need(*(const double *)c.p.data == 0.0, "the kernel has not run");
        snprintf(what, sizeof what, "reader %zu has what the kernel writes", k);
        need(readers[k](&c) == 7.0, what);
        MUST(stn_exec_wait(c.exec));
    }
    end_shared(&c);
}

static void read_pinned(void)
{
    read_after_kernels(STN_CREATE_PINNED);
}
static void read_managed(void)
{
    read_after_kernels(STN_CREATE_MANAGED);
}

/* What the host writes after a launch is written after its kernel, which reads or writes there. */
static void write_pinned(void)
{
    const cuda_stand_in *const d = driver();
    shared_case c = begin_shared(STN_CREATE_PINNED);
    MUST(twice_run(c.exec, STN_F64, &c.x, &c.p));
    need(STN_VIEW_SET(&c.p, 3.0, 0) == STN_OK, "an element is set");
    need(stn_exec_wait(c.exec) == STN_OK && *(const double *)c.p.data == 3.0, "for good");
    MUST(twice_run(c.exec, STN_F64, &c.x, &c.p));
    MUST(stn_view_fill(c.host, &c.p, 4.0));
    need(stn_exec_wait(c.exec) == STN_OK && *(const double *)c.p.data == 4.0, "for good");
    d->kernel(NULL, NULL, NULL);
    need(twice_run(c.exec, STN_F64, &c.p, &c.x) == STN_OK && d->look()->queued == 1, "it reads");
    need(twice_run(c.host, STN_F64, &c.ones, &c.p) == STN_OK && d->look()->queued == 0, "before");
    end_shared(&c);
}

static stn_status cut(stn_view *part, const shared_case *c, int64_t begin, int64_t count)
{
    const stn_slice slice = stn_slice_strided(begin, count, 1);
    return stn_view_slice(part, &c->p, 1, &slice);
}

/* Only uses of the same memory are waited for, of whichever executor. */
static void wait_for_uses_only(void)
{
    const cuda_stand_in *const d = driver();
    const stand_in_state *const s = d->look();
    shared_case c = begin_shared(STN_CREATE_PINNED);
    stn_view low, high;
    double value;
    d->kernel(NULL, NULL, NULL);
    need(cut(&low, &c, 0, LENGTH / 2) == STN_OK && cut(&high, &c, LENGTH / 2, LENGTH / 2) == STN_OK,
         "two halves");
    need(twice_run(c.exec, STN_F64, &high, &low) == STN_OK && s->queued == 1, "a launch");
    need(STN_VIEW_GET(&c.here, &value, 0) == STN_OK && s->queued == 1, "memory of the host's");
    need(STN_VIEW_GET(&high, &value, 0) == STN_OK && s->queued == 0, "a half that it reads");
    need(twice_run(c.exec, STN_F64, &low, &low) == STN_OK && s->queued == 1, "a launch");
    need(STN_VIEW_GET(&high, &value, 0) == STN_OK && s->queued == 1, "the other half");
    stn_exec *const other = open_exec(cuda_resource());
    need(twice_run(other, STN_F64, &high, &high) == STN_OK && s->queued == 2, "its launch");
    need(STN_VIEW_GET(&high, &value, 0) == STN_OK && s->queued == 1, "is waited for alone");
    need(STN_VIEW_GET(&low, &value, 0) == STN_OK && s->queued == 0, "and then the first");
    stn_exec_release(other);
    end_shared(&c);
}

/* More ranges than a device distinguishes: none is forgotten. */
static void wait_for_many_uses(void)
{
    const cuda_stand_in *const d = driver();
    shared_case c = begin_shared(STN_CREATE_PINNED);
    stn_view one;
    double value;
    d->kernel(NULL, NULL, NULL);
    for (int64_t k = 0; k < LENGTH; k++) {
        for (int64_t n = 0; n < LENGTH; n += 3) {
            need(cut(&one, &c, n, 1) == STN_OK && twice_run(c.exec, STN_F64, &one, &one) == STN_OK,
                 "a launch");
        }
        if (k % 3 == 0)
            need(STN_VIEW_GET(&c.p, &value, k) == STN_OK && d->look()->queued == 0, "a use");
    }
    end_shared(&c);
}

/* Without concurrent access, the host reaches managed memory only while the device is idle,
 * whatever the device works on. */
static void exclusive_managed(void)
{
    const cuda_stand_in *const d = driver();
    double value = 0;
    d->concurrent(0);
    shared_case c = begin_shared(STN_CREATE_MANAGED);
    need(STN_VIEW_GET(&c.p, &value, 0) == STN_OK, "it is idle");
    need(stn_view_fill(c.exec, &c.x, 2.0) == STN_OK && d->look()->queued > 0, "it works");
    refused(STN_VIEW_GET(&c.p, &value, 0), STN_ERR_UNSUPPORTED, "stn_exec_wait");
    refused(stn_view_fill(c.host, &c.p, 1.0), STN_ERR_UNSUPPORTED, "managed memory");
    refused(stn_dot(c.host, STN_F64, &value, &c.p, &c.ones), STN_ERR_UNSUPPORTED, "managed memory");
    need(stn_exec_wait(c.exec) == STN_OK && STN_VIEW_GET(&c.p, &value, 0) == STN_OK, "idle again");
    end_shared(&c);
}

static int queued_at_release = -1;

static void note_queued(void *data, void *context)
{
    const cuda_stand_in *const d = context;
    (void)data;
    queued_at_release = d->look()->queued;
}

/* Memory of the program's goes after the kernels that use it, too. */
static void release_adopted(void)
{
    static const int64_t extent = LENGTH;
    const cuda_stand_in *const d = driver();
    shared_case c = begin_shared(STN_CREATE_PINNED);
    stn_view lent;
    MUST(stn_view_adopt(&lent,
                        &STN_VIEW_SPEC(.label = "lent", .storage = stn_storage_of(STN_F64),
                                       .data = c.z.data, .rank = 1, .extents = &extent,
                                       .free_data = note_queued, .context = (void *)(uintptr_t)d)));
    MUST(stn_view_set_space(&lent, STN_SPACE_DEVICE));
    need(twice_run(c.exec, STN_F64, &c.x, &lent) == STN_OK && d->look()->queued == 1, "a launch");
    need(stn_view_release(&lent) == STN_OK && queued_at_release == 0, "it is waited for");
    end_shared(&c);
}

/* Errors of the kernel that is waited for are reported by the operation. */
static void failed_use(void)
{
    const cuda_stand_in *const d = driver();
    double value;
    shared_case c = begin_shared(STN_CREATE_PINNED);
    MUST(twice_run(c.exec, STN_F64, &c.x, &c.p));
    d->fail_at(cuda_is_hip() ? "hipStreamSynchronize" : "cuStreamSynchronize", 1, 719, 1);
    refused(STN_VIEW_GET(&c.p, &value, 0), STN_ERR_DEVICE, "steno_twice");
}

TEST_OF_CASES(waits_for_uses, read_pinned, read_managed, write_pinned, wait_for_uses_only,
              wait_for_many_uses, exclusive_managed, failed_use, release_adopted)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outlives_captures),
                                       cmocka_unit_test(keeps_scratch),
                                       cmocka_unit_test(waits_for_uses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
