/* Interrupted distributed solves: each rank has a checkpoint, and the continued solve has the bits
 * of a solve without ranks. */
#include "check.h"
#include "distributed_system.h"

static test_matrix grid, complex_grid;
static test_system s;

static const stn_solver_method methods[] = {STN_SOLVER_CG, STN_SOLVER_MINRES, STN_SOLVER_BICGSTAB,
                                            STN_SOLVER_GMRES, STN_SOLVER_FGMRES};
enum { METHODS = sizeof methods / sizeof *methods };

static void create_checkpoints(int ranks)
{
    for (int r = 0; r < ranks; r++)
        expect_ok(stn_checkpoint_create(&s.checkpoints[r]));
}

static void release_checkpoints(void)
{
    for (int r = 0; r < MAX_RANKS; r++) {
        stn_checkpoint_release(s.checkpoints[r]);
        s.checkpoints[r] = NULL;
    }
}

static void interrupt(int ranks, int64_t iterations)
{
    rank_result results[MAX_RANKS];
    s.options.max_iterations = iterations;
    run_ranks(ranks, 0, solve_rows, &s, results);
    s.options.max_iterations = 0;
    for (int r = 0; r < ranks; r++) {
        assert_int_equal(results[r].status, STN_ERR_CONVERGENCE);
        assert_int_equal(s.reports[r].iterations, iterations);
    }
}

/* Interrupted twice. */
static void check_continued(void)
{
    static char expected[sizeof s.x];
    reset_solution(&s);
    expect_ok(solve_whole(&s));
    const stn_solver_report report = s.reports[0];
    memcpy(expected, s.x, sizeof expected);
    assert_true(report.iterations > 6);
    for (int k = 0; k < RANK_COUNTS; k++) {
        create_checkpoints(rank_counts[k]);
        reset_solution(&s);
        interrupt(rank_counts[k], 3);
        interrupt(rank_counts[k], 5);
        run_ranks_ok(rank_counts[k], solve_rows, &s);
        assert_memory_equal(s.x, expected, sizeof expected);
        for (int r = 0; r < rank_counts[k]; r++) {
            const void *bytes;
            int64_t count;
            assert_int_equal(s.reports[r].iterations, report.iterations);
            assert_memory_equal(&s.reports[r].residual, &report.residual, sizeof(double));
            expect_ok(stn_checkpoint_bytes(s.checkpoints[r], &bytes, &count));
            assert_int_equal(count, 0); /* the solve has ended */
        }
        release_checkpoints();
    }
}

UNIT_TEST(continued_solves_have_the_same_bits)
{
    for (int k = 0; k < METHODS; k++)
        for (int is_complex = 0; is_complex < 2; is_complex++) {
            set_test_system(&s, is_complex ? &complex_grid : &grid, methods[k]);
            s.preconditioner = TEST_JACOBI;
            check_continued();
        }
    s.options.orthogonalization = STN_ORTHOGONALIZATION_SKETCHED;
    s.options.basis = stn_storage_of(STN_F16);
    check_continued();
    const stn_solver_options inner = STN_INIT(stn_solver_options, .method = STN_SOLVER_CG,
                                              .arithmetic = STN_F32, .relative_tolerance = 1e-2);
    set_test_system(&s, &grid, STN_SOLVER_REFINEMENT);
    s.options.inner = &inner;
    s.options.relative_tolerance = 1e-14;
    check_continued();
}

/* The state of one rank is also that of a solve without ranks. */
UNIT_TEST(a_checkpoint_of_one_rank_needs_no_ranks)
{
    static char expected[sizeof s.x];
    set_test_system(&s, &grid, STN_SOLVER_CG);
    reset_solution(&s);
    expect_ok(solve_whole(&s));
    memcpy(expected, s.x, sizeof expected);
    create_checkpoints(1);
    reset_solution(&s);
    interrupt(1, 4);
    expect_ok(solve_whole(&s));
    assert_memory_equal(s.x, expected, sizeof expected);
    release_checkpoints();
}

/* ---- refused ---- */

static void exchange(stn_checkpoint **a, stn_checkpoint **b)
{
    stn_checkpoint *const old = *a;
    *a = *b;
    *b = old;
}

static void expect_refused(int ranks, const char *message)
{
    rank_result results[MAX_RANKS];
    run_ranks(ranks, 0, solve_rows, &s, results);
    for (int r = 0; r < ranks; r++) {
        assert_int_not_equal(results[r].status, STN_OK);
        assert_int_not_equal(results[r].status, STN_ERR_CONVERGENCE);
        if (!strstr(results[r].message, message))
            fail_msg("rank %d: %s, not %s", r, results[r].message, message);
    }
}

UNIT_TEST(checkpoints_that_do_not_belong_together)
{
    stn_checkpoint *empty, *const none = NULL, *all;
    set_test_system(&s, &grid, STN_SOLVER_CG);
    create_checkpoints(3);
    reset_solution(&s);
    interrupt(3, 4);
    expect_ok(stn_checkpoint_create(&empty));
    exchange(&s.checkpoints[1], &empty);
    expect_refused(3, "the presence or the state of a checkpoint differs");
    exchange(&s.checkpoints[1], &empty);
    all = s.checkpoints[1];
    s.checkpoints[1] = none;
    expect_refused(3, "the presence or the state of a checkpoint differs");
    s.checkpoints[1] = all;
    exchange(&s.checkpoints[1], &s.checkpoints[2]);
    expect_refused(3, "first row");
    exchange(&s.checkpoints[1], &s.checkpoints[2]);
    expect_refused(2,
                   "the checkpoint has"); /* rows or the first row: of the rank that fails first */
    stn_checkpoint_release(empty);
    release_checkpoints();
}

static void copy_checkpoint(stn_checkpoint *to, const stn_checkpoint *from)
{
    const void *bytes;
    int64_t count;
    expect_ok(stn_checkpoint_bytes(from, &bytes, &count));
    expect_ok(stn_checkpoint_assign(to, bytes, count));
}

UNIT_TEST(checkpoints_of_different_times)
{
    stn_checkpoint *early;
    set_test_system(&s, &grid, STN_SOLVER_GMRES);
    create_checkpoints(3);
    reset_solution(&s);
    interrupt(3, 4);
    expect_ok(stn_checkpoint_create(&early));
    copy_checkpoint(early, s.checkpoints[1]);
    interrupt(3, 6);
    exchange(&s.checkpoints[1], &early);
    expect_refused(3, "were not written by the same call");
    exchange(&s.checkpoints[1], &early);
    run_ranks_ok(3, solve_rows, &s); /* they are unchanged by the refused call */
    stn_checkpoint_release(early);
    release_checkpoints();
}

static int set_up(void **state)
{
    (void)state;
    create_test_matrix(&grid, 37, 3, STN_F64, 5.5);
    create_test_matrix(&complex_grid, 37, 3, STN_C128, 5.5);
    expect_ok(stn_exec_create(&system_exec, "threads:threads=1"));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stn_matrix_release(grid.whole);
    stn_matrix_release(complex_grid.whole);
    stn_exec_release(system_exec);
    return 0;
}

RUN_UNIT_TESTS(set_up, tear_down)
