/* Executors: their resource strings, their workspaces, and the barriers of their threads. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "measure/openmp.h"
#include "core/memory.h"
#include "exec/barrier.h"
#include "exec/exec.h"
#include "exec/workspace.h"
#include "steno/blas.h"
#include "steno/view.h"
#include "make_view.h"

static int unset; /* its address must be replaced by NULL */
#define INVALID ((stn_exec *)(void *)&unset)

static void check_exec(const char *resource, const char *name, int threads)
{
    stn_exec *exec = NULL;
    expect_ok_for(stn_exec_create(&exec, resource), resource);
    assert_non_null(exec);
    assert_string_equal(stn_exec_name(exec), name);
    assert_int_equal(stn_exec_threads(exec), threads);
    stn_exec_release(exec);
}

UNIT_TEST(names_and_threads)
{
    check_exec("reference", "reference", 1);
    check_exec(OPENMP ":threads=1", OPENMP, 1);
    check_exec(OPENMP ":threads=4", OPENMP, 4);
    check_exec(OPENMP ":threads=1024", OPENMP, 1024);
    check_exec("threads:threads=1", "threads", 1);
    check_exec("threads:threads=4,streams=2", "threads", 4);
    check_exec("threads:streams=2,threads=1024", "threads", 1024);
}

#ifdef _OPENMP
UNIT_TEST(openmp_has_its_default_number_of_threads)
{
    /* 300000: as OMP_NUM_THREADS allows */
    static const int threads[][2] = {{1, 1}, {2, 2},       {3, 3},         {4, 4},
                                     {5, 5}, {1024, 1024}, {300000, 1024}, {INT_MAX, 1024}};
    const int before = omp_get_max_threads();
    for (int k = 0; k < COUNT_OF(threads); k++) {
        omp_set_num_threads(threads[k][0]);
        check_exec("openmp", "openmp", threads[k][1]);
    }
    omp_set_num_threads(before);
}
#else
UNIT_TEST(openmp_is_refused_without_it)
{
    stn_exec *exec = NULL;
    expect_error(
        stn_exec_create(&exec, "openmp:threads=2"), STN_ERR_UNSUPPORTED,
        "executor 'openmp:threads=2': this library was built without OpenMP; use 'threads'");
    assert_null(exec);
}
#endif

UNIT_TEST(invalid_resource_strings_are_refused)
{
    /* clang-format off */
    static const char *const invalid[] = {
        "", ":", " ", "Reference", "reference ", " reference", "reference:",
        "reference:threads=1", "referenc", "references", OPENMP ":", "openmp2", "open", "OPENMP",
        OPENMP ":threads", OPENMP ":threads=", OPENMP ":threads=0", OPENMP ":threads=-1",
        OPENMP ":threads=+2", OPENMP ":threads= 2", OPENMP ":threads=2 ", OPENMP ":threads=2,",
        OPENMP ":threads=2:threads=3", OPENMP ":threads=0x2", OPENMP ":threads=2.0",
        OPENMP ":threads=1025", OPENMP ":threads=9999999", OPENMP ":threads=4294967297",
        OPENMP ":threads=99999999999999999999999", OPENMP ":thread=2", OPENMP ":Threads=2",
        OPENMP ":2", "cuda:", "cuda:-1", "cuda:x", "cuda:0x1", "cuda:1024", "cuda0", "opencl:",
        "opencl:0:inexact", "opencl:0:inexact=allow,", "opencl::inexact=allow",
        OPENMP ":threads=2,jitt", "thread", "threads:", "threads2", "Threads", "threads:threads",
        "threads:threads=0", "threads:threads=1025", "threads:threads=2,", "threads:2",
        "threads:threads=2,threads=2", "threads:threads=18446744073709551617"
    };
    /* clang-format on */
    for (int k = 0; k < COUNT_OF(invalid); k++) {
        stn_exec *exec = INVALID;
        expect_error(stn_exec_create(&exec, invalid[k]), STN_ERR_ARGUMENT, invalid[k]);
        assert_null(exec);
    }
    stn_exec *exec = INVALID;
    expect_error(stn_exec_create(&exec, NULL), STN_ERR_ARGUMENT, "NULL");
    assert_null(exec);
    expect_error(stn_exec_create(NULL, "reference"), STN_ERR_ARGUMENT, "NULL");
    stn_exec_release(NULL);
    assert_string_equal(stn_exec_name(NULL), "no executor");
    assert_int_equal(stn_exec_threads(NULL), 0);
}

/* The executor, and the workspaces of its two threads: each allocation may fail. */
static void check_allocations(const char *resource)
{
    int refused = 0;
    stn_exec *exec = NULL;
    char message[80];
    snprintf(message, sizeof message, "executor '%s': no memory for its 2 threads", resource);
    for (;; refused++) {
        stn_fail_allocation(refused + 1);
        const stn_status status = stn_exec_create(&exec, resource);
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        expect_error(status, STN_ERR_MEMORY, message);
        assert_null(exec);
    }
    assert_int_equal(refused, 4);
    stn_exec_release(exec);
}

UNIT_TEST(allocations_fail)
{
    check_allocations(OPENMP ":threads=2");
    check_allocations("threads:threads=2");
}

/* Calls with memory that is no executor, or no longer. */
static void check_refused(stn_exec *exec)
{
    static const char text[] = "exec is not an executor, or has been released";
    const int64_t three[] = {3}, four[] = {4};
    double result;
    stn_view x = create_view(NULL, "x", f64(), NULL, 1, three, 0);
    stn_view y = create_view(NULL, "y", stn_storage_of(STN_F32), NULL, 1, three, 0);
    expect_error(stn_exec_wait(exec), STN_ERR_ARGUMENT, text);
    expect_error(stn_view_fill(exec, &x, 1.0), STN_ERR_ARGUMENT, text);
    expect_error(stn_view_copy(exec, &x, &y), STN_ERR_ARGUMENT, text);
    expect_error(stn_view_resize(exec, &x, 1, four, 0), STN_ERR_ARGUMENT, text);
    expect_error(stn_dot(exec, STN_F64, &result, &x, &y), STN_ERR_ARGUMENT, text);
    stn_exec_release(exec);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_error(stn_view_create(exec, &x, "x", f64(), 1, three), STN_ERR_ARGUMENT, text);
    assert_null(x.data);
}

UNIT_TEST(other_memory_is_refused)
{
    static max_align_t zeros[64];
    check_refused((stn_exec *)zeros);
}

/* Address sanitizers report the access itself. */
UNIT_TEST(released_executors_are_refused)
{
    stn_exec *exec;
    if (IS_SANITIZED)
        skip();
    expect_ok(stn_exec_create(&exec, OPENMP ":threads=2"));
    stn_exec_release(exec);
    check_refused(exec);
}

/* ---- workspaces ---- */

/* The first launch allocates nothing. A concurrent launch has its own workspaces, which are kept
 * for later launches. */
UNIT_TEST(workspaces_are_reused)
{
    stn_exec *exec;
    stn_workspaces *one, *two, *three;
    expect_ok(stn_exec_create(&exec, OPENMP ":threads=2"));
    stn_fail_allocation(1);
    for (int round = 0; round < 3; round++) {
        expect_ok(stn_workspaces_acquire(exec, &one));
        stn_workspaces_return(one);
    }
    expect_ok(stn_workspaces_acquire(exec, &one));
    for (int nth = 1; nth <= 3; nth++) {
        stn_fail_allocation(nth);
        expect_error(stn_workspaces_acquire(exec, &two), STN_ERR_MEMORY,
                     "executor '" OPENMP "': no memory for its 2 threads");
    }
    stn_fail_allocation(0);
    expect_ok(stn_workspaces_acquire(exec, &two));
    assert_ptr_not_equal(stn_workspaces_first(one), stn_workspaces_first(two));
    assert_int_equal((uintptr_t)stn_workspaces_first(two) % 64, 0);
    assert_int_equal((uintptr_t)stn_workspaces_shared(two) % 64, 0);
    stn_workspaces_return(one);
    stn_fail_allocation(1);
    expect_ok(stn_workspaces_acquire(exec, &three));
    assert_ptr_equal(one, three);
    stn_workspaces_return(two);
    stn_workspaces_return(three);
    stn_fail_allocation(0);
    stn_exec_release(exec);
}

enum { CALLERS = 6, ROUNDS = 2000 };

/* No two threads have the same workspaces at once. */
UNIT_TEST(threads_have_different_workspaces)
{
    stn_exec *exec;
    int wrong = 0;
    expect_ok(stn_exec_create(&exec, OPENMP ":threads=2"));
#pragma omp parallel num_threads(CALLERS) reduction(+ : wrong)
    for (int round = 0; round < ROUNDS; round++) {
        stn_workspaces *mine;
        if (stn_workspaces_acquire(exec, &mine) != STN_OK) {
            wrong++;
            continue;
        }
        volatile char *here = stn_workspaces_shared(mine);
        const char mark = (char)omp_get_thread_num();
        for (int k = 0; k < 100; k++)
            here[k * 64] = mark;
        for (int k = 0; k < 100; k++)
            wrong += here[k * 64] != mark;
        stn_workspaces_return(mine);
    }
    assert_int_equal(wrong, 0);
    stn_exec_release(exec);
}

static void note_workspace(void *context, stn_workspace *workspace, int part, int parts)
{
    stn_workspace **seen = context;
    (void)parts;
    workspace->tiles[0] = (char)part;
    seen[part] = workspace;
}

/* Each part has the workspace of a thread, also in a parallel region of the program. */
UNIT_TEST(parts_have_different_workspaces)
{
    stn_exec *exec;
    int wrong = 0;
    expect_ok(stn_exec_create(&exec, OPENMP ":threads=3"));
#pragma omp parallel num_threads(CALLERS) reduction(+ : wrong)
    for (int round = 0; round < 20; round++)
        for (int threads = 1; threads <= 3; threads++) {
            stn_workspace *seen[3] = {NULL, NULL, NULL};
            stn_workspaces *mine;
            wrong += stn_workspaces_acquire(exec, &mine) != STN_OK;
            stn_workspaces_run(mine, threads, note_workspace, seen);
            for (int k = 0; k < 3; k++)
                wrong += (seen[k] != NULL) != (k < threads);
            wrong += threads == 1 && seen[0] != stn_workspaces_first(mine);
            stn_workspaces_return(mine);
        }
    assert_int_equal(wrong, 0);
    stn_exec_release(exec);
}

/* ---- barriers ---- */

/* After a barrier, each part sees what every part did before it, also if there are more parts than
 * processors or one of them is late. */
enum { MOST_PARTS = 7, LATE = 40 };

typedef struct barrier_job {
    stn_barrier barrier;
    int rounds, parts, has_late_parts;
    int at[MOST_PARTS], wrong[MOST_PARTS]; /* per part: its round, other parts in another round */
} barrier_job;

static void do_rounds(void *context, int part, int parts)
{
    barrier_job *const job = context;
    if (part == 0)
        job->parts = parts;
    for (int r = 1; r <= job->rounds; r++) {
        if (job->has_late_parts && r % LATE == 0 && r / LATE % parts == part)
            nanosleep(&(struct timespec){0, 300000}, NULL);
        job->at[part] = r;
        stn_barrier_wait(&job->barrier, parts);
        for (int k = 0; k < parts; k++)
            job->wrong[part] += job->at[k] != r;
        stn_barrier_wait(&job->barrier, parts);
    }
}

static int run_rounds(const char *resource, double bytes, int rounds, int has_late_parts)
{
    barrier_job job = {.rounds = rounds, .has_late_parts = has_late_parts};
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, resource));
    stn_barrier_open(&job.barrier);
    stn_exec_run_together(exec, bytes, do_rounds, &job);
    stn_barrier_close(&job.barrier);
    for (int k = 0; k < job.parts; k++)
        if (job.at[k] != rounds || job.wrong[k] != 0)
            fail_msg("%s: part %d of %d is in round %d and saw %d others", resource, k, job.parts,
                     job.at[k], job.wrong[k]);
    stn_exec_release(exec);
    return job.parts;
}

UNIT_TEST(barriers_separate_rounds)
{
    for (int threads = 1; threads <= MOST_PARTS; threads += 1 + threads / 3) {
        char resource[40];
        snprintf(resource, sizeof resource, OPENMP ":threads=%d", threads);
        assert_int_equal(run_rounds(resource, 1e9, 1000, 0), threads);
        assert_int_equal(run_rounds(resource, 1e9, 10 * LATE, 1), threads);
    }
}

UNIT_TEST(little_work_has_one_part)
{
    assert_int_equal(run_rounds("reference", 1e9, 10, 0), 1);
    assert_int_equal(run_rounds(OPENMP ":threads=2", 100, 10, 0),
                     1); /* too little work for another thread */
}

/* In a parallel region of the program that grants no further threads. */
UNIT_TEST(barriers_in_parallel_regions)
{
    int parts[3] = {0};
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() > 0)
            parts[omp_get_thread_num()] = run_rounds(OPENMP ":threads=2", 1e9, 50, 0);
    }
    assert_true(parts[0] == 0);
    assert_in_range(parts[1], 0, 1);
    assert_in_range(parts[2], 0, 1);
}

RUN_UNIT_TESTS(NULL, NULL)
