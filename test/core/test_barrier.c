/* Where threads wait for each other: what each did before is seen by all behind, also where there
 * are more of them than processors, and where one of them comes late. */
#define _POSIX_C_SOURCE 200809L
#include <omp.h>
#include <stdio.h>
#include <time.h>

#include "exec/exec.h"
#include "exec/barrier.h"
#include "check.h"

enum { MOST_PARTS = 7, LATE = 40 };

typedef struct round_job {
    stn_barrier barrier;
    int rounds, parts, is_late;
    int at[MOST_PARTS],
        wrong[MOST_PARTS]; /* of each part: the round it is in, those it saw amiss */
} round_job;

static void come_late(void)
{
    const struct timespec some = {0, 300000};
    (void)nanosleep(&some, NULL);
}

static void walk(void *context, int part, int parts)
{
    round_job *const job = context;
    if (part == 0)
        job->parts = parts;
    for (int r = 1; r <= job->rounds; r++) {
        if (job->is_late && r % LATE == 0 && r / LATE % parts == part)
            come_late();
        job->at[part] = r;
        stn_barrier_wait(&job->barrier, parts);
        for (int k = 0; k < parts; k++)
            job->wrong[part] += job->at[k] != r;
        stn_barrier_wait(&job->barrier, parts);
    }
}

static int run_rounds(const char *resource, double bytes, int rounds, int is_late)
{
    round_job job = {.rounds = rounds, .is_late = is_late};
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, resource));
    stn_barrier_open(&job.barrier);
    stn_exec_run_together(exec, bytes, walk, &job);
    stn_barrier_close(&job.barrier);
    for (int k = 0; k < job.parts; k++)
        if (job.at[k] != rounds || job.wrong[k] != 0)
            fail_msg("%s: part %d of %d is in round %d and saw %d amiss", resource, k, job.parts,
                     job.at[k], job.wrong[k]);
    stn_exec_release(exec);
    return job.parts;
}

TEST_CASE(test_rounds)
{
    for (int threads = 1; threads <= MOST_PARTS; threads += 1 + threads / 3) {
        char resource[40];
        snprintf(resource, sizeof resource, "openmp:threads=%d", threads);
        assert_int_equal(run_rounds(resource, 1e9, 1000, 0), threads);
        assert_int_equal(run_rounds(resource, 1e9, 10 * LATE, 1), threads);
    }
}

TEST_CASE(test_one_part)
{
    assert_int_equal(run_rounds("reference", 1e9, 10, 0), 1);
    assert_int_equal(run_rounds("openmp:threads=2", 100, 10, 0), 1); /* not worth another thread */
}

/* In a region of the program's own that grants no others, and whose threads do not meet here. */
TEST_CASE(test_in_a_region)
{
    int parts[3] = {0};
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() > 0)
            parts[omp_get_thread_num()] = run_rounds("openmp:threads=2", 1e9, 50, 0);
    }
    assert_true(omp_get_num_procs() > 0 && parts[0] == 0);
    assert_in_range(parts[1], 0, 1);
    assert_in_range(parts[2], 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_one_part),
        cmocka_unit_test(test_in_a_region),
    };
    return cmocka_run_group_tests_name("meetings", tests, NULL, NULL);
}
