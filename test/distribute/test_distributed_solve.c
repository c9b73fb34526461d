/* Distributed products and solves have the bits of those on one rank, by communicators of threads.
 */
#include "check.h"
#include "core/memory.h"
#include "distributed_system.h"
#include "steno/block_jacobi.h"

static stn_exec *exec;
static test_matrix grid, complex_grid, small, near[2] /* to a singular one */;

enum { ROWS = 37 * 37 + 3 };

/* ---- products ---- */

typedef struct product {
    const test_matrix *a;
    stn_storage x_storage, y_storage;
    stn_format arithmetic, exchange_format;
    stn_matrix_kind kind;
    double alpha, beta;
    char x[ROWS * 16], before[ROWS * 16], expected[ROWS * 16], found[ROWS * 16];
} product;

static stn_status multiply(product *p, const stn_partition *partition, local_rows *rows,
                           stn_distributed_matrix **a)
{
    stn_distributed_options options = STN_DISTRIBUTED_OPTIONS_INIT;
    stn_view x, y;
    options.kind = p->kind;
    options.exchange_format = p->exchange_format;
    TRY(find_local_rows(p->a, partition, rows));
    TRY(stn_distributed_matrix_create(exec, a, partition, &rows->arrays, &options));
    TRY(wrap_rows(&x, p->x_storage, p->x, rows->info.first, rows->info.count));
    TRY(wrap_rows(&y, p->y_storage, p->found, rows->info.first, rows->info.count));
    return stn_distributed_spmv(exec, p->arithmetic, p->alpha, *a, &x, p->beta, &y);
}

static stn_status multiply_rows(stn_comm *comm, void *context)
{
    product *const p = context;
    stn_partition *partition;
    stn_distributed_matrix *a = NULL;
    TRY(stn_partition_create(&partition, comm, p->a->rows));
    local_rows *const rows = malloc(sizeof *rows);
    const stn_status status = multiply(p, partition, rows, &a);
    stn_distributed_matrix_release(a);
    stn_partition_release(partition);
    free(rows);
    return status;
}

static void check_product(product *p)
{
    double numbers[2 * ROWS];
    stn_view from, x, y;
    const int64_t count = p->a->rows;
    set_test_vector(numbers, 2 * count, 3);
    expect_ok(stn_view_wrap(&from, "x", stn_storage_of(p->a->format), numbers, 1, &count));
    expect_ok(wrap_rows(&x, p->x_storage, p->x, 0, count));
    expect_ok(stn_view_copy(exec, &x, &from));
    expect_ok(wrap_rows(&y, p->y_storage, p->before, 0, count));
    expect_ok(stn_view_copy(exec, &y, &from));
    memcpy(p->expected, p->before, sizeof p->expected);
    expect_ok(wrap_rows(&y, p->y_storage, p->expected, 0, count));
    expect_ok(stn_spmv(exec, p->arithmetic, p->alpha, p->a->whole, &x, p->beta, &y));
    for (int k = 0; k < RANK_COUNTS; k++) {
        memcpy(p->found, p->before, sizeof p->found);
        run_ranks_ok(rank_counts[k], multiply_rows, p);
        assert_memory_equal(p->found, p->expected, sizeof p->found);
    }
}

UNIT_TEST(products_have_the_same_bits_on_all_numbers_of_ranks)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_BF16, STN_E4M3};
    static product p;
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        memset(&p, 0, sizeof p);
        p.a = &grid;
        p.x_storage = p.y_storage = stn_storage_of(formats[k]);
        p.x_storage.scale = k == 2 ? 0.5 : 1.0;
        p.arithmetic = k % 2 ? STN_F32 : STN_F64;
        p.alpha = 1.0;
        check_product(&p);
        p.alpha = 0.75;
        p.beta = -0.5;
        p.kind = STN_MATRIX_CSR;
        check_product(&p);
        p.a = &small; /* most ranks have no rows */
        check_product(&p);
    }
}

UNIT_TEST(complex_products)
{
    static const stn_format formats[] = {STN_C128, STN_C64, STN_C32};
    static product p;
    rank_result results[MAX_RANKS];
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        memset(&p, 0, sizeof p);
        p.a = &complex_grid;
        p.x_storage = p.y_storage = stn_storage_of(formats[k]);
        p.arithmetic = k % 2 ? STN_C64 : STN_C128;
        p.alpha = 0.75;
        check_product(&p);
        p.beta = -0.5;
        check_product(&p);
    }
    p.exchange_format = STN_F16;
    run_ranks(3, 0, multiply_rows, &p, results);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(results[r].status, STN_ERR_FORMAT);
        assert_non_null(strstr(results[r].message, "cannot be sent as f16"));
    }
}

/* ---- solves ---- */

static const stn_solver_method methods[] = {STN_SOLVER_CG, STN_SOLVER_MINRES, STN_SOLVER_BICGSTAB,
                                            STN_SOLVER_GMRES, STN_SOLVER_FGMRES};
enum { METHODS = sizeof methods / sizeof *methods };

UNIT_TEST(solves_have_the_same_bits_on_all_numbers_of_ranks)
{
    static test_system s;
    for (int k = 0; k < METHODS; k++)
        for (test_preconditioner m = TEST_NONE; m <= TEST_POLYNOMIAL; m++) {
            set_test_system(&s, &grid, methods[k]);
            s.preconditioner = m;
            check_test_system(&s, 1);
        }
}

UNIT_TEST(complex_solves)
{
    static test_system s;
    for (int k = 0; k < METHODS; k++)
        for (test_preconditioner m = TEST_NONE; m <= TEST_POLYNOMIAL; m++) {
            set_test_system(&s, &complex_grid, methods[k]);
            s.preconditioner = m;
            check_test_system(&s, 1);
        }
    set_test_system(&s, &complex_grid, STN_SOLVER_GMRES);
    s.options.basis = stn_storage_of(STN_F16);
    check_test_system(&s, 1);
    s.options.arithmetic = STN_C64;
    s.options.relative_tolerance = 1e-4;
    s.x_storage = stn_storage_of(STN_C32);
    check_test_system(&s, 1);
    s.options.method = STN_SOLVER_BICGSTAB;
    s.options.basis = (stn_storage){0};
    s.exchange_format = STN_C32;
    check_test_system(&s, 0);
}

/* The largest inverses of the ranks differ by factors of up to 2^36, so that each rank would choose
 * other formats and scales. */
UNIT_TEST(block_jacobi_of_a_badly_scaled_matrix)
{
    static test_matrix scaled;
    static test_system s;
    create_test_matrix(&scaled, 37, 3, STN_F64, 5.5);
    for (int64_t i = 0; i < scaled.rows; i++)
        for (int64_t k = scaled.row_start[i]; k < scaled.row_start[i + 1]; k++)
            scaled.value[k] = ldexp(scaled.value[k], -(int)(i / 75) - (int)(scaled.column[k] / 75));
    for (test_preconditioner m = TEST_JACOBI; m <= TEST_BLOCKS; m++) {
        set_test_system(&s, &scaled, STN_SOLVER_CG);
        s.preconditioner = m;
        check_test_system(&s, 1);
    }
    stn_matrix_release(scaled.whole);
}

/* 300 rows: most of 5 and 8 ranks have none. */
UNIT_TEST(ranks_without_rows)
{
    static test_system s;
    for (int k = 0; k < METHODS; k++)
        for (test_preconditioner m = TEST_NONE; m <= TEST_POLYNOMIAL; m++) {
            set_test_system(&s, &small, methods[k]);
            s.preconditioner = m;
            check_test_system(&s, 1);
        }
    set_test_system(&s, &small, STN_SOLVER_GMRES);
    s.options.basis = stn_storage_of(STN_I16);
    s.options.basis_block = 32;
    check_test_system(&s, 1);
    s.options.basis_block = 0;
    s.options.basis = stn_storage_of(STN_BF16);
    s.options.orthogonalization = STN_ORTHOGONALIZATION_SKETCHED;
    s.granule = 512;
    check_test_system(&s, 1);
}

UNIT_TEST(orthogonalizations)
{
    static test_system s;
    rank_result results[MAX_RANKS];
    for (stn_orthogonalization o = STN_ORTHOGONALIZATION_ONCE; o <= STN_ORTHOGONALIZATION_SKETCHED;
         o++)
        for (int is_complex = 0; is_complex < 2; is_complex++) {
            set_test_system(&s, is_complex ? &complex_grid : &grid, STN_SOLVER_GMRES);
            s.options.orthogonalization = o;
            check_test_system(&s, 1); /* sketches of 128 rows */
            s.options.restart = 30;
            s.granule = 256;
            check_test_system(&s, 1);
        }
    s.granule = 128;
    run_ranks(3, 0, solve_rows, &s, results);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(results[r].status, STN_ERR_SHAPE);
        assert_non_null(strstr(results[r].message, "is a multiple of 256"));
    }
}

UNIT_TEST(solves_in_narrow_formats)
{
    static test_system s;
    set_test_system(&s, &grid, STN_SOLVER_GMRES);
    s.options.basis = stn_storage_of(STN_F16);
    check_test_system(&s, 1);
    s.options.basis = stn_storage_of(STN_I16);
    s.options.basis_block = 32;
    check_test_system(&s, 1);
    set_test_system(&s, &grid, STN_SOLVER_CG);
    s.options.arithmetic = STN_F32;
    s.options.relative_tolerance = 1e-4;
    s.x_storage = stn_storage_of(STN_F32);
    check_test_system(&s, 1);
    set_test_system(&s, &grid, STN_SOLVER_CG);
    s.options.relative_tolerance = 1e-2;
    s.x_storage = stn_storage_of(STN_BF16);
    check_test_system(&s, 1);
}

UNIT_TEST(refinement_has_the_same_bits)
{
    static test_system s;
    stn_solver_options inner = STN_INIT(stn_solver_options, .method = STN_SOLVER_CG,
                                        .arithmetic = STN_F32, .relative_tolerance = 1e-3);
    set_test_system(&s, &grid, STN_SOLVER_REFINEMENT);
    s.options.inner = &inner;
    check_test_system(&s, 1);
    set_test_system(&s, &complex_grid, STN_SOLVER_REFINEMENT);
    inner.arithmetic = STN_C64;
    s.options.inner = &inner;
    check_test_system(&s, 1);
}

UNIT_TEST(solves_that_depend_on_the_partition_converge)
{
    static test_system s;
    set_test_system(&s, &grid, STN_SOLVER_CG);
    s.preconditioner = TEST_ILU;
    check_test_system(&s, 0);
    set_test_system(&s, &grid, STN_SOLVER_CG);
    s.exchange_format = STN_F32;
    s.options.relative_tolerance = 1e-5;
    check_test_system(&s, 0);
}

/* ---- residuals in twice the precision ---- */

/* The computed residual of the initial x is 0, its rounding error exceeds the tolerance, and b - A
 * x is not 0. */
static void start_from_solution(test_system *s, const test_matrix *a, double tolerance)
{
    const int64_t count = a->rows;
    const stn_storage storage = stn_storage_of(a->format);
    stn_view x, b;
    set_test_system(s, a, STN_SOLVER_CG);
    s->options.relative_tolerance = tolerance;
    s->has_guess = 1;
    for (int64_t i = 0; i < 2 * count; i++)
        s->guess[i] = 1.0 + 0.25 * s->b[i];
    expect_ok(stn_view_wrap(&x, "x", storage, s->guess, 1, &count));
    expect_ok(stn_view_wrap(&b, "b", storage, s->b, 1, &count));
    expect_ok(stn_spmv(exec, a->format, 1.0, a->whole, &x, 0.0, &b));
}

UNIT_TEST(uncertain_residuals_are_computed_again)
{
    static test_system s;
    rank_result results[MAX_RANKS];
    const stn_solver_report *const report = &s.reports[0];
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        start_from_solution(&s, &near[is_complex], 1e-17);
        check_test_system(&s, 1);
        assert_int_equal(report->reason, STN_STOP_RESIDUAL_UNCERTAIN);
        assert_true(0.0 < report->residual && report->residual < report->rounding_error);
        s.options.relative_tolerance = 0.5 * (report->residual + report->rounding_error);
        check_test_system(&s, 1);
        assert_int_equal(report->reason, STN_STOP_CONVERGED);
        assert_true(report->residual > 0.0);
    }
    s.is_function = 1;
    reset_solution(&s);
    run_ranks(3, 0, solve_rows, &s, results);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(results[r].status, STN_ERR_CONVERGENCE);
        assert_int_equal(s.reports[r].reason, STN_STOP_RESIDUAL_UNCERTAIN);
        assert_true(s.reports[r].residual == 0.0);
    }
}

/* ---- bytes ---- */

static int64_t bytes_of_product(stn_format format)
{
    static product p;
    rank_result results[MAX_RANKS], without[MAX_RANKS];
    int64_t bytes = 0;
    memset(&p, 0, sizeof p);
    p.a = &grid;
    p.x_storage = p.y_storage = stn_storage_of(format);
    p.arithmetic = STN_F64;
    run_ranks(4, 0, multiply_rows, &p, without); /* alpha is 0: the same exchange */
    run_ranks(4, 0, multiply_rows, &p, results);
    for (int r = 0; r < 4; r++) {
        expect_ok(results[r].status);
        assert_int_equal(results[r].bytes, without[r].bytes);
        bytes += results[r].bytes;
    }
    return bytes;
}

UNIT_TEST(codes_travel_in_the_format_of_the_vector)
{
    const int64_t f64 = bytes_of_product(STN_F64), f32 = bytes_of_product(STN_F32);
    const int64_t f16 = bytes_of_product(STN_F16);
    assert_true(f64 > f32);
    assert_int_equal((f64 - f32) * 3, (f64 - f16) * 2); /* 4 and 6 bytes less per element */
}

/* ---- failures ---- */

typedef struct failure {
    int failing, calls; /* rank; applications before it fails */
    int is_monitor;
    int64_t nth; /* allocation that fails */
} failure;

typedef struct failing_operator {
    const failure *failure;
    stn_comm *comm;
    int calls;
    const stn_operator *a;
} failing_operator;

static stn_status fail_later(void *context, const stn_exec *on, stn_format arithmetic,
                             const stn_view *x, const stn_view *y)
{
    failing_operator *const op = context;
    if (stn_comm_rank(op->comm) == op->failure->failing && op->calls++ == op->failure->calls)
        return STN_ERR_DEVICE;
    return op->a->apply(op->a->context, on, arithmetic, x, y);
}

static int interrupt(void *context, const stn_solver_progress *progress)
{
    const failing_operator *const op = context;
    return stn_comm_rank(op->comm) == op->failure->failing && progress->iteration == 3;
}

static stn_status solve_and_fail(stn_comm *comm, void *context)
{
    const failure *const f = context;
    const int is_failing = stn_comm_rank(comm) == f->failing;
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_partition *partition = NULL;
    stn_distributed_matrix *a = NULL;
    local_rows *const rows = malloc(sizeof *rows);
    double *const b = malloc(sizeof(double) * ROWS), *const x = calloc(ROWS, sizeof(double));
    failing_operator op = {.failure = f, .comm = comm};
    stn_operator product_with_a, wrapped;
    stn_view b_view, x_view;
    set_test_vector(b, ROWS, 5);
    if (is_failing && f->nth)
        stn_fail_allocation(f->nth);
    stn_status status = stn_partition_create(&partition, comm, ROWS);
    if (status == STN_OK)
        status = find_local_rows(&grid, partition, rows);
    if (status == STN_OK)
        status = stn_distributed_matrix_create(exec, &a, partition, &rows->arrays, NULL);
    if (status == STN_OK)
        status = stn_operator_of_distributed_matrix(&product_with_a, a);
    if (status == STN_OK) {
        const int64_t count = rows->info.count;
        op.a = &product_with_a;
        status = stn_operator_create(&wrapped, "the failing operator", count, fail_later, &op);
        options.partition = partition;
        options.monitor = f->is_monitor && is_failing ? interrupt : NULL;
        options.monitor_context = &op;
        if (status == STN_OK)
            status = stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 1, &count);
        if (status == STN_OK)
            status = stn_view_wrap(&x_view, "x", stn_storage_of(STN_F64), x, 1, &count);
        if (status == STN_OK)
            status = stn_solve(exec, &x_view, &wrapped, &b_view, &options, NULL);
    }
    if (is_failing)
        stn_fail_allocation(0);
    stn_distributed_matrix_release(a);
    stn_partition_release(partition);
    free(rows);
    free(b);
    free(x);
    return status;
}

UNIT_TEST(a_failing_operator_fails_on_all_ranks)
{
    rank_result results[MAX_RANKS];
    for (int ranks = 1; ranks <= 5; ranks += 2)
        for (int calls = 0; calls < 4; calls++) {
            failure f = {.failing = ranks / 2, .calls = calls};
            run_ranks(ranks, 0, solve_and_fail, &f, results);
            for (int r = 0; r < ranks; r++) {
                assert_int_equal(results[r].status, STN_ERR_DEVICE);
                assert_non_null(strstr(results[r].message, "the failing operator"));
                assert_int_equal(strstr(results[r].message, "rank ") != NULL, r != f.failing);
            }
        }
}

UNIT_TEST(a_monitor_on_one_rank_stops_all)
{
    rank_result results[MAX_RANKS];
    failure f = {.failing = 2, .calls = -1, .is_monitor = 1};
    run_ranks(4, 0, solve_and_fail, &f, results);
    for (int r = 0; r < 4; r++) {
        assert_int_equal(results[r].status, STN_ERR_CONVERGENCE);
        assert_non_null(strstr(results[r].message, "after 3 iterations"));
    }
}

UNIT_TEST(a_failing_allocation_fails_on_all_ranks)
{
    rank_result results[MAX_RANKS];
    int failed = 1, count = 0;
    for (int64_t nth = 1; failed; nth++) {
        failure f = {.failing = 1, .calls = -1, .nth = nth};
        run_ranks(3, 0, solve_and_fail, &f, results);
        failed = results[1].status != STN_OK;
        for (int r = 0; r < 3; r++)
            assert_int_equal(results[r].status, failed ? STN_ERR_MEMORY : STN_OK);
        count += failed;
    }
    assert_true(count > 20);
}

static stn_status pass_a_wrong_shape(stn_comm *comm, void *context)
{
    stn_partition *partition;
    stn_distributed_matrix *a;
    (void)context;
    /* The failure of the next call on another rank can end this one. */
    TRY(stn_partition_create(&partition, comm, ROWS));
    local_rows *const rows = malloc(sizeof *rows);
    TRY(find_local_rows(&grid, partition, rows));
    rows->arrays.columns -= stn_comm_rank(comm) == 2;
    const stn_status status =
        stn_distributed_matrix_create(exec, &a, partition, &rows->arrays, NULL);
    stn_partition_release(partition);
    free(rows);
    return status;
}

UNIT_TEST(unequal_shapes_fail_on_all_ranks)
{
    rank_result results[MAX_RANKS];
    run_ranks(4, 0, pass_a_wrong_shape, NULL, results);
    for (int r = 0; r < 4; r++) {
        assert_int_equal(results[r].status, STN_ERR_SHAPE);
        assert_non_null(strstr(results[r].message, "1371 columns"));
    }
}

static stn_status pass_other_rows(stn_comm *comm, void *context)
{
    stn_block_jacobi_options options = STN_INIT(stn_block_jacobi_options, .max_block_rows = 1);
    stn_partition *partition;
    stn_preconditioner *m;
    stn_matrix *block = NULL;
    (void)context;
    TRY(stn_partition_create(&partition, comm, ROWS));
    local_rows *const rows = malloc(sizeof *rows);
    TRY(find_local_rows(&grid, partition, rows));
    stn_status status = stn_distributed_local_matrix(exec, &block, partition, &rows->arrays);
    options.partition = partition;
    if (status == STN_OK)
        status = stn_block_jacobi_create(exec, &m, stn_comm_rank(comm) == 2 ? grid.whole : block,
                                         &options);
    stn_matrix_release(block);
    stn_partition_release(partition);
    free(rows);
    return status;
}

UNIT_TEST(block_jacobi_of_other_rows_fails_on_all_ranks)
{
    rank_result results[MAX_RANKS];
    run_ranks(4, 0, pass_other_rows, NULL, results);
    for (int r = 0; r < 4; r++) {
        assert_int_equal(results[r].status, STN_ERR_SHAPE);
        assert_non_null(strstr(results[r].message, "has 1372 rows, but this rank has"));
    }
}

/* Rank 1 requests blocks, of which a distributed matrix cannot consist. */
static stn_status request_blocks(stn_comm *comm, void *context)
{
    const stn_storage blocks = stn_storage_of(*(const stn_format *)context);
    stn_distributed_options options = STN_DISTRIBUTED_OPTIONS_INIT;
    stn_partition *partition;
    stn_distributed_matrix *a = NULL;
    TRY(stn_partition_create(&partition, comm, grid.rows));
    local_rows *const rows = malloc(sizeof *rows);
    TRY(find_local_rows(&grid, partition, rows));
    options.storage = stn_comm_rank(comm) == 1 ? &blocks : NULL;
    const stn_status status =
        stn_distributed_matrix_create(exec, &a, partition, &rows->arrays, &options);
    stn_partition_release(partition);
    free(rows);
    return status;
}

UNIT_TEST(storage_with_blocks_fails_on_all_ranks)
{
    stn_format blocks = STN_BFP16;
    rank_result results[MAX_RANKS];
    run_ranks(2, 0, request_blocks, &blocks, results);
    for (int r = 0; r < 2; r++) {
        assert_int_equal(results[r].status, STN_ERR_FORMAT);
        assert_non_null(strstr(results[r].message, "options.storage is invalid or has blocks"));
    }
}

UNIT_TEST(invalid_arguments)
{
    stn_distributed_matrix *a;
    stn_distributed_info info = STN_DISTRIBUTED_INFO_INIT;
    stn_matrix *block;
    stn_operator op;
    stn_view x = {0};
    expect_error(stn_distributed_matrix_create(exec, &a, NULL, NULL, NULL), STN_ERR_ARGUMENT,
                 "partition is NULL");
    expect_error(stn_distributed_local_matrix(exec, &block, NULL, NULL), STN_ERR_ARGUMENT,
                 "partition is NULL");
    expect_error(stn_distributed_spmv(exec, STN_F64, 1.0, NULL, &x, 0.0, &x), STN_ERR_ARGUMENT,
                 "a is NULL");
    expect_error(stn_distributed_matrix_describe(NULL, &info), STN_ERR_ARGUMENT, "a is NULL");
    expect_error(stn_operator_of_distributed_matrix(&op, NULL), STN_ERR_ARGUMENT, "matrix is NULL");
    expect_error(stn_operator_of_distributed_matrix(NULL, NULL), STN_ERR_ARGUMENT, "op is NULL");
    stn_distributed_matrix_release(NULL);
}

static int set_up(void **state)
{
    (void)state;
    create_test_matrix(&grid, 37, 3, STN_F64, 5.5);
    create_test_matrix(&complex_grid, 37, 3, STN_C128, 5.5);
    create_test_matrix(&small, 17, 11, STN_F64, 5.5);
    create_test_matrix(&near[0], 37, 3, STN_F64, 4.4);
    create_test_matrix(&near[1], 37, 3, STN_C128, 4.7);
    expect_ok(stn_exec_create(&exec, "threads:threads=1"));
    system_exec = exec;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stn_matrix_release(grid.whole);
    stn_matrix_release(complex_grid.whole);
    stn_matrix_release(small.whole);
    stn_matrix_release(near[0].whole);
    stn_matrix_release(near[1].whole);
    stn_exec_release(exec);
    return 0;
}

RUN_UNIT_TESTS(set_up, tear_down)
