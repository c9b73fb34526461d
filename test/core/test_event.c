/* Events: each is reported once, with its label, space, data and bytes; no hook; hooks that change;
 * several threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "core/event.h"
#include "core/memory.h"
#include "matrix.h"
#include "steno/blas.h"
#include "steno/event.h"
#include "steno/sparse.h"
#include "steno/view.h"
#include "make_view.h"

enum { MOST = 64, N = 300 };

typedef struct noted {
    stn_event event;
    char label[64], space[64], from_label[64], from_space[64], output[64];
} noted;

typedef struct notes {
    noted list[MOST];
    int count;
} notes;

static void copy_text(char *to, const char *from)
{
    snprintf(to, 64, "%s", from ? from : "(none)");
}

static void note(const stn_event *event, void *context)
{
    notes *all = context;
    assert_int_equal(event->size, sizeof *event);
    assert_true(all->count < MOST);
    noted *const new = &all->list[all->count++];
    new->event = *event;
    copy_text(new->label, event->label);
    copy_text(new->space, event->space);
    copy_text(new->from_label, event->from_label);
    copy_text(new->from_space, event->from_space);
    copy_text(new->output, event->output);
}

static notes heard;
static stn_exec *exec;

static void start_listening(void)
{
    heard.count = 0;
    stn_event_set_hook(note, &heard);
}

static int stop_listening(void **context)
{
    (void)context;
    stn_event_set_hook(NULL, NULL);
    assert_false(stn_event_is_traced());
    return 0;
}

#define EVENT_TEST(name) UNIT_TEST_WITH(name, NULL, stop_listening)

static stn_view create(const char *label, stn_format format, int64_t count, unsigned flags)
{
    stn_view view = create_view(exec, label, stn_storage_of(format), NULL, 1, &count, flags);
    return view;
}

static void check(int k, stn_event_kind kind, const char *label, const void *data, uint64_t bytes)
{
    assert_true(k < heard.count);
    const noted *found = &heard.list[k];
    assert_int_equal(found->event.kind, kind);
    assert_string_equal(found->label, label);
    assert_string_equal(found->space, "host");
    assert_ptr_equal(found->event.data, data);
    assert_int_equal(found->event.bytes, bytes);
}

static void check_kernel(int k, const char *name, const char *output, const void *data,
                         uint64_t bytes)
{
    check(k, STN_EVENT_KERNEL_BEGIN, name, data, bytes);
    check(k + 1, STN_EVENT_KERNEL_END, name, data, bytes);
    assert_string_equal(heard.list[k].output, output);
    assert_string_equal(heard.list[k + 1].output, output);
    assert_int_not_equal(heard.list[k].event.id, 0);
    assert_int_equal(heard.list[k].event.id, heard.list[k + 1].event.id);
}

EVENT_TEST(test_create_and_release)
{
    start_listening();
    stn_view view = create("plain", STN_F32, N, STN_CREATE_UNINITIALIZED), other;
    const void *data = view.data;
    assert_int_equal(heard.count, 1);
    check(0, STN_EVENT_ALLOCATE, "plain", data, N * 4);
    expect_ok(stn_view_share(&other, &view));
    stn_view_release(&view);
    assert_int_equal(heard.count, 1);
    stn_view_release(&other);
    assert_int_equal(heard.count, 2);
    check(1, STN_EVENT_FREE, "plain", data, N * 4);
}

EVENT_TEST(test_initialise)
{
    start_listening();
    stn_view view = create("zeros", STN_F16, N, 0);
    assert_int_equal(heard.count, 3);
    check(0, STN_EVENT_ALLOCATE, "zeros", view.data, N * 2);
    check_kernel(1, "initialise", "zeros", view.data, N * 2);
    stn_view_release(&view);
}

EVENT_TEST(test_fill_and_copy)
{
    stn_view from = create("from", STN_F32, N, 0), to = create("to", STN_F64, N, 0);
    start_listening();
    expect_ok(stn_view_fill(exec, &from, 3.0));
    assert_int_equal(heard.count, 2);
    check_kernel(0, "fill", "from", from.data, N * 4);
    expect_ok(stn_view_copy(exec, &to, &from));
    assert_int_equal(heard.count, 4);
    for (int k = 2; k < 4; k++) {
        check(k, k == 2 ? STN_EVENT_COPY_BEGIN : STN_EVENT_COPY_END, "to", to.data, N * 8);
        assert_string_equal(heard.list[k].from_label, "from");
        assert_string_equal(heard.list[k].from_space, "host");
        assert_ptr_equal(heard.list[k].event.from_data, from.data);
    }
    stn_view_release(&from);
    stn_view_release(&to);
}

/* Without a hook, short copies of one format take a shorter path. */
EVENT_TEST(test_short_copy)
{
    stn_view from = create("from", STN_F64, 3, 0), to = create("to", STN_F64, 3, 0);
    start_listening();
    expect_ok(stn_view_copy(NULL, &to, &from));
    assert_int_equal(heard.count, 2);
    check(0, STN_EVENT_COPY_BEGIN, "to", to.data, 24);
    check(1, STN_EVENT_COPY_END, "to", to.data, 24);
    stn_view_release(&from);
    stn_view_release(&to);
}

static int count_of(stn_event_kind kind)
{
    int count = 0;
    for (int k = 0; k < heard.count; k++)
        count += heard.list[k].event.kind == kind;
    return count;
}

EVENT_TEST(test_resize)
{
    const int64_t same = N, more = N + 7;
    stn_view view = create("grows", STN_F64, N, 0);
    const void *before = view.data;
    start_listening();
    expect_ok(stn_view_resize(exec, &view, 1, &same, 0));
    assert_int_equal(heard.count, 0);
    expect_ok(stn_view_resize(exec, &view, 1, &more, 0));
    check(0, STN_EVENT_RESIZE_BEGIN, "grows", before, N * 8);
    assert_int_equal(heard.list[heard.count - 1].event.kind, STN_EVENT_RESIZE_END);
    assert_string_equal(heard.list[heard.count - 1].label, "grows");
    assert_int_equal(count_of(STN_EVENT_RESIZE_BEGIN), 1);
    assert_int_equal(count_of(STN_EVENT_RESIZE_END), 1);
    assert_int_equal(count_of(STN_EVENT_ALLOCATE), 1);
    assert_int_equal(count_of(STN_EVENT_FREE), 1);
    assert_int_equal(count_of(STN_EVENT_KERNEL_BEGIN), count_of(STN_EVENT_KERNEL_END));
    stn_view_release(&view);
}

EVENT_TEST(test_no_hidden_work)
{
    stn_view view = create("still", STN_F64, N, 0), other, part, mirror;
    const stn_slice slice = stn_slice_range(3, 9);
    int64_t index = 4, offset;
    double value;
    start_listening();
    expect_ok(stn_view_share(&other, &view));
    part = slice_view(&view, 1, &slice);
    expect_ok(stn_view_mirror_view(exec, &mirror, &view, STN_SPACE_HOST, STN_MIRROR_COPY));
    expect_ok(stn_view_set_traits(&part, STN_TRAIT_ATOMIC));
    expect_ok(stn_view_offset(&view, 1, &index, &offset));
    expect_ok(stn_view_get(&view, 1, &index, &value));
    stn_view_release(&mirror);
    stn_view_release(&other);
    assert_int_equal(heard.count, 0);
    stn_view_release(&view);
}

EVENT_TEST(test_kernels)
{
    static double a[6], x[3], y[2], z[3];
    const int64_t shape[] = {2, 3};
    double sum;
    stn_view va = wrap_view("a", f64(), a, 2, shape);
    stn_view vx = wrap_view("x", f64(), x, 1, shape + 1);
    stn_view vy = wrap_view("y", f64(), y, 1, shape);
    stn_view vz = wrap_view(NULL, f64(), z, 1, shape + 1);
    start_listening();
    expect_ok(stn_axpy(exec, STN_F64, 2.0, &vx, &vz));
    expect_ok(stn_dot(exec, STN_F32, &sum, &vx, &vz));
    expect_ok(stn_gemv(exec, STN_F64, 1.0, &va, &vx, 0.0, &vy));
    assert_int_equal(heard.count, 6);
    check_kernel(0, "axpy", "", z, sizeof z);
    check_kernel(2, "dot", "result", &sum, sizeof sum);
    check_kernel(4, "gemv", "y", y, sizeof y);
    assert_true(heard.list[0].event.id != heard.list[2].event.id);
    assert_true(heard.list[2].event.id != heard.list[4].event.id);
}

EVENT_TEST(test_spmv)
{
    const int64_t rows = 2, row_start[] = {0, 1, 2};
    const int32_t column[] = {1, 0};
    const double values[] = {3.0, 4.0}, x[] = {1.0, 2.0};
    double y[2] = {0};
    stn_view vx;
    stn_matrix *a;
    expect_ok(wrap_csr(&a, "a", f64(), rows, rows, row_start, column, values));
    expect_ok(stn_view_wrap_const(&vx, "x", f64(), x, 1, &rows));
    stn_view vy = wrap_view("y", f64(), y, 1, &rows);
    start_listening();
    expect_ok(stn_spmv(exec, STN_F64, 1.0, a, &vx, 0.0, &vy));
    assert_int_equal(heard.count, 2);
    check_kernel(0, "spmv", "y", y, sizeof y);
    stn_matrix_release(a);
}

EVENT_TEST(test_refused_calls_have_no_events)
{
    static double x[3], y[4];
    const int64_t three = 3, four = 4, bad = -1;
    stn_view none;
    stn_view vx = wrap_view("x", f64(), x, 1, &three);
    stn_view vy = wrap_view("y", f64(), y, 1, &four);
    start_listening();
    assert_int_not_equal(stn_axpy(exec, STN_F64, 1.0, &vx, &vy), STN_OK);
    assert_int_not_equal(stn_view_copy(exec, &vx, &vy), STN_OK);
    assert_int_not_equal(stn_view_create(exec, &none, "n", f64(), 1, &bad), STN_OK);
    stn_fail_allocation(1);
    assert_int_not_equal(stn_view_create(exec, &none, "n", f64(), 1, &four), STN_OK);
    stn_fail_allocation(0);
    assert_int_equal(heard.count, 0);
}

static void other_note(const stn_event *event, void *context)
{
    note(event, context);
    stn_event_set_hook(NULL, NULL); /* hooks may change the hook */
}

EVENT_TEST(test_hooks_change)
{
    static notes second;
    stn_view view = create("view", STN_F64, N, 0);
    start_listening();
    expect_ok(stn_view_fill(exec, &view, 1.0));
    assert_int_equal(heard.count, 2);
    stn_event_set_hook(other_note, &second);
    assert_true(stn_event_is_traced());
    expect_ok(stn_view_fill(exec, &view, 1.0));
    assert_int_equal(heard.count, 2);
    assert_int_equal(second.count, 1);
    assert_false(stn_event_is_traced());
    expect_ok(stn_view_fill(exec, &view, 1.0));
    assert_int_equal(heard.count, 2);
    assert_int_equal(second.count, 1);
    stn_view_release(&view);
}

/* With and without a hook, these calls allocate nothing. */
EVENT_TEST(test_nothing_is_allocated)
{
    static double x[3], y[3];
    const int64_t three = 3;
    void *memory;
    stn_view vx = wrap_view("x", f64(), x, 1, &three);
    stn_view vy = wrap_view("y", f64(), y, 1, &three);
    for (int listens = 0; listens < 2; listens++) {
        heard.count = 0;
        stn_event_set_hook(listens ? note : NULL, &heard);
        stn_fail_allocation(1);
        expect_ok(stn_axpy(exec, STN_F64, 1.0, &vx, &vy));
        expect_ok(stn_view_fill(exec, &vy, 0.0));
        expect_ok(stn_view_copy(exec, &vy, &vx));
        expect_error(stn_allocate(&memory, 1, 8, "the failure is still to come"), STN_ERR_MEMORY,
                     NULL);
        assert_int_equal(heard.count, listens ? 6 : 0);
    }
}

enum { THREADS = 4, ROUNDS = 2000 };

static _Atomic int begun, ended;
static _Atomic uint64_t sum_begun, sum_ended;

static void add_up(const stn_event *event, void *context)
{
    (void)context;
    if (event->kind == STN_EVENT_KERNEL_BEGIN) {
        atomic_fetch_add(&begun, 1);
        atomic_fetch_add(&sum_begun, event->id);
    } else if (event->kind == STN_EVENT_KERNEL_END) {
        atomic_fetch_add(&ended, 1);
        atomic_fetch_add(&sum_ended, event->id);
    }
}

static void *work(void *argument)
{
    double x = 1.0, y = *(double *)argument;
    const int64_t one = 1;
    stn_exec *own;
    stn_view vx, vy;
    if (stn_exec_create(&own, "reference") != STN_OK ||
        stn_view_wrap(&vx, "x", f64(), &x, 1, &one) != STN_OK ||
        stn_view_wrap(&vy, "y", f64(), &y, 1, &one) != STN_OK)
        return argument;
    for (int k = 0; k < ROUNDS; k++)
        if (stn_axpy(own, STN_F64, 1.0, &vx, &vy) != STN_OK)
            return argument;
    stn_exec_release(own);
    return NULL;
}

EVENT_TEST(test_threads)
{
    pthread_t thread[THREADS];
    double start = 0.0;
    stn_event_set_hook(add_up, NULL);
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, work, &start), 0);
    for (int k = 0; k < THREADS; k++) {
        void *result;
        pthread_join(thread[k], &result);
        assert_null(result);
    }
    assert_int_equal(begun, THREADS * ROUNDS);
    assert_int_equal(ended, THREADS * ROUNDS);
    assert_int_equal(sum_begun, sum_ended);
}

static int start(void **context)
{
    (void)context;
    return stn_exec_create(&exec, "threads:threads=2") == STN_OK ? 0 : -1;
}

static int stop(void **context)
{
    (void)context;
    stn_exec_release(exec);
    return 0;
}

RUN_UNIT_TESTS(start, stop)
