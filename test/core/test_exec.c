/* Executors: which resource strings name one, what they say of themselves, and the workspaces that
 * their launches take. */
#include <limits.h>
#include <omp.h>

#include "check.h"
#include "core/memory.h"
#include "exec/workspace.h"
#include "steno/blas.h"
#include "steno/view.h"

static void check_good(const char *resource, const char *name, int threads)
{
    stn_exec *exec = NULL;
    if (stn_exec_create(&exec, resource) != STN_OK)
        fail_msg("%s: %s", resource, stn_error());
    assert_non_null(exec);
    assert_string_equal(stn_exec_name(exec), name);
    assert_int_equal(stn_exec_threads(exec), threads);
    stn_exec_release(exec);
}

TEST_CASE(test_good)
{
    check_good("reference", "reference", 1);
    check_good("openmp:threads=1", "openmp", 1);
    check_good("openmp:threads=4", "openmp", 4);
    check_good("openmp:threads=1024", "openmp", 1024);
}

TEST_CASE(test_as_many_threads_as_openmp_gives)
{
    const int before = omp_get_max_threads();
    for (int threads = 1; threads < 6; threads++) {
        omp_set_num_threads(threads);
        check_good("openmp", "openmp", threads);
    }
    omp_set_num_threads(1024);
    check_good("openmp", "openmp", 1024);
    omp_set_num_threads(300000); /* as OMP_NUM_THREADS does */
    check_good("openmp", "openmp", 1024);
    omp_set_num_threads(INT_MAX);
    check_good("openmp", "openmp", 1024);
    omp_set_num_threads(before);
}

TEST_CASE(test_bad)
{
    static const char *const bad[] = {"",
                                      ":",
                                      " ",
                                      "Reference",
                                      "reference ",
                                      " reference",
                                      "reference:",
                                      "reference:threads=1",
                                      "referenc",
                                      "references",
                                      "openmp:",
                                      "openmp2",
                                      "open",
                                      "OPENMP",
                                      "openmp:threads",
                                      "openmp:threads=",
                                      "openmp:threads=0",
                                      "openmp:threads=-1",
                                      "openmp:threads=+2",
                                      "openmp:threads= 2",
                                      "openmp:threads=2 ",
                                      "openmp:threads=2,",
                                      "openmp:threads=2:threads=3",
                                      "openmp:threads=0x2",
                                      "openmp:threads=2.0",
                                      "openmp:threads=1025",
                                      "openmp:threads=9999999",
                                      "openmp:threads=4294967297",
                                      "openmp:threads=99999999999999999999999",
                                      "openmp:thread=2",
                                      "openmp:Threads=2",
                                      "openmp:2",
                                      "cuda:",
                                      "cuda:-1",
                                      "cuda:x",
                                      "cuda:0x1",
                                      "cuda:1024",
                                      "cuda0",
                                      "opencl:",
                                      "opencl:0:inexact",
                                      "opencl:0:inexact=allow,",
                                      "opencl::inexact=allow"};
    for (int k = 0; k < COUNT_OF(bad); k++) {
        int dummy;
        stn_exec *exec = (stn_exec *)(void *)&dummy;
        const stn_status status = stn_exec_create(&exec, bad[k]);
        if (status != STN_ERR_ARGUMENT)
            fail_msg("'%s': %s", bad[k], stn_status_name(status));
        assert_null(exec);
        if (!strstr(stn_error(), bad[k]))
            fail_msg("'%s' does not name '%s'", stn_error(), bad[k]);
    }
}

TEST_CASE(test_null)
{
    int dummy;
    stn_exec *exec = (stn_exec *)(void *)&dummy;
    expect_error(stn_exec_create(&exec, NULL), STN_ERR_ARGUMENT, NULL);
    assert_null(exec);
    assert_non_null(strstr(stn_error(), "NULL"));
    expect_error(stn_exec_create(NULL, "reference"), STN_ERR_ARGUMENT, "NULL");
    stn_exec_release(NULL);
}

/* The executor, and the workspaces of its two threads: each allocation may fail. */
TEST_CASE(test_no_memory)
{
    int refused = 0;
    stn_exec *exec = NULL;
    for (;; refused++) {
        stn_fail_allocation(refused + 1);
        const stn_status status = stn_exec_create(&exec, "openmp:threads=2");
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        assert_int_equal(status, STN_ERR_MEMORY);
        assert_null(exec);
        assert_string_equal(stn_error(),
                            "executor 'openmp:threads=2': no memory for its 2 threads");
    }
    assert_int_equal(refused, 4);
    stn_exec_release(exec);
}

/* Calls with memory that is no executor, or no longer. */
static void check_refused(stn_exec *exec)
{
    static const char text[] = "exec is not an executor, or has been released";
    const int64_t three[] = {3}, four[] = {4};
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_view x, y;
    double result;
    expect_ok(stn_view_create(NULL, &x, "x", f64, 1, three));
    expect_ok(stn_view_create(NULL, &y, "y", stn_storage_of(STN_F32), 1, three));
    expect_error(stn_exec_wait(exec), STN_ERR_ARGUMENT, text);
    expect_error(stn_view_fill(exec, &x, 1.0), STN_ERR_ARGUMENT, text);
    expect_error(stn_view_copy(exec, &x, &y), STN_ERR_ARGUMENT, text);
    expect_error(stn_view_resize(exec, &x, 1, four, 0), STN_ERR_ARGUMENT, text);
    expect_error(stn_dot(exec, STN_F64, &result, &x, &y), STN_ERR_ARGUMENT, text);
    stn_exec_release(exec);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_error(stn_view_create(exec, &x, "x", f64, 1, three), STN_ERR_ARGUMENT, text);
    assert_null(x.data);
}

static void test_other_memory(void **context)
{
    (void)context;
    static max_align_t zeros[64];
    check_refused((stn_exec *)zeros);
}

/* Address sanitizers report the access itself. */
static void test_released(void **context)
{
    (void)context;
    stn_exec *exec;
    if (IS_SANITIZED)
        skip();
    expect_ok(stn_exec_create(&exec, "openmp:threads=2"));
    stn_exec_release(exec);
    check_refused(exec);
}

/* ---- workspaces ---- */

/* A launch by one thread needs no memory; one at the same time has workspaces of its own, which
 * stay for later ones. */
TEST_CASE(test_workspaces)
{
    stn_exec *exec;
    stn_workspaces *one, *two, *three;
    expect_ok(stn_exec_create(&exec, "openmp:threads=2"));
    stn_fail_allocation(1);
    for (int round = 0; round < 3; round++) {
        expect_ok(stn_workspaces_acquire(exec, &one));
        stn_workspaces_return(one);
    }
    expect_ok(stn_workspaces_acquire(exec, &one));
    for (int nth = 1; nth <= 3; nth++) {
        stn_fail_allocation(nth);
        expect_error(stn_workspaces_acquire(exec, &two), STN_ERR_MEMORY, NULL);
        assert_string_equal(stn_error(), "executor 'openmp': no memory for its 2 threads");
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
TEST_CASE(test_workspaces_of_several_threads)
{
    stn_exec *exec;
    int wrong = 0;
    expect_ok(stn_exec_create(&exec, "openmp:threads=2"));
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

/* Each part has the workspace of a thread, also inside of a parallel region of the program's. */
TEST_CASE(test_workspaces_of_parts)
{
    stn_exec *exec;
    int wrong = 0;
    expect_ok(stn_exec_create(&exec, "openmp:threads=3"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_as_many_threads_as_openmp_gives),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_other_memory),
        cmocka_unit_test(test_released),
        cmocka_unit_test(test_workspaces),
        cmocka_unit_test(test_workspaces_of_several_threads),
        cmocka_unit_test(test_workspaces_of_parts),
    };
    return cmocka_run_group_tests_name("exec", tests, NULL, NULL);
}
