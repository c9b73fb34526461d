/* Distributed products and solves have the bits of those on one rank, by communicators of threads.
 */
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "core/memory.h"
#include "processes.h"
#include "steno/block_jacobi.h"
#include "steno/distribute.h"
#include "steno/ilu.h"
#include "steno/solver.h"

enum { SIDE = 37, ROWS = SIDE * SIDE + 3, MOST = 8 * ROWS };

static const int rank_counts[] = {1, 2, 3, 5, 8};
static stn_exec *exec;

/* ---- a matrix: a grid with some entries far from the diagonal, in any order ---- */

static int64_t row_start[ROWS + 1];
static int32_t column[MOST];
static double value[MOST];
static stn_matrix *whole;

static void add_entry(int64_t *count, int64_t j, double a)
{
    if (j < 0 || j >= ROWS)
        return;
    column[*count] = (int32_t)j;
    value[(*count)++] = a;
}

/* Symmetric and positive definite. */
static void build_matrix(void)
{
    int64_t count = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        row_start[i] = count;
        add_entry(&count, i + 1, -1.0 - 0.1 * (double)((i + 1) % 3));
        add_entry(&count, i - SIDE, -1.0);
        add_entry(&count, i, 5.5 + 0.01 * (double)(i % 7));
        add_entry(&count, i - 1, -1.0 - 0.1 * (double)(i % 3));
        add_entry(&count, i + SIDE, -1.0);
        if (i % 100 == 7 && ROWS - 1 - i != i)
            add_entry(&count, ROWS - 1 - i, -0.25);
        if ((ROWS - 1 - i) % 100 == 7 && i % 100 != 7)
            add_entry(&count, ROWS - 1 - i, -0.25);
    }
    row_start[ROWS] = count;
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const stn_status status_ = (call);                                                         \
        if (status_ != STN_OK)                                                                     \
            return status_;                                                                        \
    } while (0)

/* The rows of a rank, with row starts from 0. */
typedef struct local_rows {
    stn_partition_info info;
    stn_csr_arrays arrays;
    int64_t start[ROWS + 1];
} local_rows;

static stn_status find_rows(const stn_partition *p, local_rows *rows)
{
    rows->info = (stn_partition_info)STN_PARTITION_INFO_INIT;
    TRY(stn_partition_describe(p, &rows->info));
    const int64_t first = rows->info.first, begin = row_start[first];
    for (int64_t i = 0; i <= rows->info.count; i++)
        rows->start[i] = row_start[first + i] - begin;
    rows->arrays = (stn_csr_arrays){.size = sizeof rows->arrays,
                                    .label = "A",
                                    .rows = rows->info.count,
                                    .columns = ROWS,
                                    .row_start = rows->start,
                                    .column = column + begin,
                                    .values = value + begin,
                                    .row_start_format = STN_I64,
                                    .column_format = STN_I32};
    return STN_OK;
}

static void set_vector(double *x, int seed)
{
    for (int64_t i = 0; i < ROWS; i++)
        x[i] = sin((double)(i * seed)) + 0.001 * (double)seed;
}

/* ---- products ---- */

typedef struct product {
    stn_storage x_storage, y_storage;
    stn_format arithmetic;
    stn_matrix_kind kind;
    double alpha, beta;
    char x[ROWS * 8], before[ROWS * 8], expected[ROWS * 8], found[ROWS * 8];
} product;

static stn_status wrap_rows(stn_view *view, stn_storage storage, char *codes, int64_t first,
                            int64_t count)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    TRY(stn_format_describe(storage.format, &info));
    return stn_view_wrap(view, "a vector", storage, codes + first * info.bytes, 1, &count);
}

static stn_status multiply_rows(stn_comm *comm, void *context)
{
    product *const p = context;
    stn_partition *partition;
    stn_distributed_matrix *a;
    stn_distributed_options options = STN_DISTRIBUTED_OPTIONS_INIT;
    local_rows *const rows = malloc(sizeof *rows);
    stn_view x, y;
    options.kind = p->kind;
    TRY(stn_partition_create(&partition, comm, ROWS));
    TRY(find_rows(partition, rows));
    TRY(stn_distributed_matrix_create(exec, &a, partition, &rows->arrays, &options));
    TRY(wrap_rows(&x, p->x_storage, p->x, rows->info.first, rows->info.count));
    TRY(wrap_rows(&y, p->y_storage, p->found, rows->info.first, rows->info.count));
    const stn_status status =
        stn_distributed_spmv(exec, p->arithmetic, p->alpha, a, &x, p->beta, &y);
    stn_distributed_matrix_release(a);
    stn_partition_release(partition);
    free(rows);
    return status;
}

static void check_product(product *p)
{
    double numbers[ROWS];
    stn_view from, x, y;
    const int64_t count = ROWS;
    set_vector(numbers, 3);
    expect_ok(stn_view_wrap(&from, "x", stn_storage_of(STN_F64), numbers, 1, &count));
    expect_ok(wrap_rows(&x, p->x_storage, p->x, 0, ROWS));
    expect_ok(stn_view_copy(exec, &x, &from));
    expect_ok(wrap_rows(&y, p->y_storage, p->before, 0, ROWS));
    expect_ok(stn_view_copy(exec, &y, &from));
    memcpy(p->expected, p->before, sizeof p->expected);
    expect_ok(wrap_rows(&y, p->y_storage, p->expected, 0, ROWS));
    expect_ok(stn_spmv(exec, p->arithmetic, p->alpha, whole, &x, p->beta, &y));
    for (size_t k = 0; k < sizeof rank_counts / sizeof *rank_counts; k++) {
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
        p.x_storage = p.y_storage = stn_storage_of(formats[k]);
        p.x_storage.scale = k == 2 ? 0.5 : 1.0;
        p.arithmetic = k % 2 ? STN_F32 : STN_F64;
        p.alpha = 1.0;
        check_product(&p);
        p.alpha = 0.75;
        p.beta = -0.5;
        p.kind = STN_MATRIX_CSR;
        check_product(&p);
    }
}

/* ---- solves ---- */

typedef enum preconditioner { NONE, JACOBI, BLOCKS, ILU } preconditioner;

typedef struct system_ {
    stn_solver_options options;
    preconditioner preconditioner;
    stn_format exchange_format;
    stn_storage x_storage;
    double b[ROWS];
    char x[ROWS * 8];
    stn_solver_report reports[MAX_RANKS];
    double history[MAX_RANKS][400];
} system_;

static stn_status create_preconditioner(const system_ *s, const stn_matrix *block,
                                        stn_preconditioner **made)
{
    stn_block_jacobi_options options = STN_BLOCK_JACOBI_OPTIONS_INIT;
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    int64_t starts[ROWS];
    if (s->preconditioner == ILU)
        return stn_ilu_create(exec, made, block, NULL);
    TRY(stn_matrix_describe(block, &info));
    if (s->preconditioner == JACOBI) {
        options.max_block_rows = 1;
        return stn_block_jacobi_create(exec, made, block, &options);
    }
    for (int64_t start = 0; start < info.rows; start += 4) /* aligned: fixed by global rows */
        starts[options.block_count++] = start;
    starts[options.block_count] = info.rows;
    options.block_start = starts;
    return stn_block_jacobi_create(exec, made, block, &options);
}

static stn_status solve_with(system_ *s, int rank, const stn_operator *a, const stn_matrix *block,
                             int64_t first, int64_t count, const stn_partition *partition)
{
    stn_solver_options options = s->options;
    stn_preconditioner *m = NULL;
    stn_operator inverse;
    stn_view b, x;
    stn_solver_report *const report = &s->reports[rank];
    *report = (stn_solver_report)STN_INIT(stn_solver_report, .history = s->history[rank],
                                          .history_capacity = 400);
    options.partition = partition;
    TRY(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), s->b + first, 1, &count));
    TRY(wrap_rows(&x, s->x_storage, s->x, first, count));
    if (s->preconditioner != NONE && count > 0) {
        TRY(create_preconditioner(s, block, &m));
        TRY(stn_operator_of_preconditioner(&inverse, m));
        options.preconditioner = &inverse;
    } else if (s->preconditioner != NONE) {
        TRY(stn_operator_of_matrix(&inverse, block));
        options.preconditioner = &inverse;
    }
    const stn_status status = stn_solve(exec, &x, a, &b, &options, report);
    stn_preconditioner_release(m);
    return status;
}

static stn_status solve_rows(stn_comm *comm, void *context)
{
    system_ *const s = context;
    stn_partition *partition;
    stn_distributed_matrix *a;
    stn_distributed_options options = STN_DISTRIBUTED_OPTIONS_INIT;
    local_rows *const rows = malloc(sizeof *rows);
    stn_matrix *block;
    stn_operator product_with_a;
    options.exchange_format = s->exchange_format;
    TRY(stn_partition_create(&partition, comm, ROWS));
    TRY(find_rows(partition, rows));
    TRY(stn_distributed_matrix_create(exec, &a, partition, &rows->arrays, &options));
    TRY(stn_distributed_local_matrix(exec, &block, partition, &rows->arrays));
    TRY(stn_operator_of_distributed_matrix(&product_with_a, a));
    const stn_status status = solve_with(s, stn_comm_rank(comm), &product_with_a, block,
                                         rows->info.first, rows->info.count, partition);
    stn_matrix_release(block);
    stn_distributed_matrix_release(a);
    stn_partition_release(partition);
    free(rows);
    return status;
}

static void reset(system_ *s)
{
    memset(s->x, 0, sizeof s->x);
    memset(s->history, 0, sizeof s->history);
}

static void check_solve(system_ *s, int is_same)
{
    static char expected[ROWS * 8];
    static double history[400];
    stn_operator a;
    set_vector(s->b, 7);
    reset(s);
    expect_ok(stn_operator_of_matrix(&a, whole));
    expect_ok(solve_with(s, 0, &a, whole, 0, ROWS, NULL));
    const stn_solver_report report = s->reports[0];
    assert_true(report.iterations > 2);
    memcpy(expected, s->x, sizeof expected);
    memcpy(history, s->history[0], sizeof history);
    for (size_t k = 0; k < sizeof rank_counts / sizeof *rank_counts; k++) {
        reset(s);
        run_ranks_ok(rank_counts[k], solve_rows, s);
        for (int r = 0; r < rank_counts[k] && is_same; r++) {
            assert_int_equal(s->reports[r].iterations, report.iterations);
            assert_int_equal(s->reports[r].restarts, report.restarts);
            assert_memory_equal(&s->reports[r].residual, &report.residual, sizeof(double));
            assert_memory_equal(s->history[r], history, sizeof history);
        }
        for (int r = 0; r < rank_counts[k]; r++)
            assert_int_equal(s->reports[r].reason, STN_STOP_CONVERGED);
        if (is_same)
            assert_memory_equal(s->x, expected, sizeof expected);
    }
}

static system_ plain(stn_solver_method method)
{
    return (system_){.options = STN_INIT(stn_solver_options, .method = method,
                                         .relative_tolerance = 1e-9, .restart = 12),
                     .x_storage = stn_storage_of(STN_F64)};
}

UNIT_TEST(solves_have_the_same_bits_on_all_numbers_of_ranks)
{
    static const stn_solver_method methods[] = {
        STN_SOLVER_CG, STN_SOLVER_MINRES, STN_SOLVER_BICGSTAB, STN_SOLVER_GMRES, STN_SOLVER_FGMRES};
    static system_ s;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (preconditioner m = NONE; m <= BLOCKS; m++) {
            s = plain(methods[k]);
            s.preconditioner = m;
            check_solve(&s, 1);
        }
}

UNIT_TEST(solves_in_narrow_formats)
{
    static system_ s;
    s = plain(STN_SOLVER_GMRES);
    s.options.basis = stn_storage_of(STN_F16);
    check_solve(&s, 1);
    s.options.basis = stn_storage_of(STN_I16);
    s.options.basis_block = 32;
    check_solve(&s, 1);
    s = plain(STN_SOLVER_CG);
    s.options.arithmetic = STN_F32;
    s.options.relative_tolerance = 1e-4;
    s.x_storage = stn_storage_of(STN_F32);
    check_solve(&s, 1);
    s = plain(STN_SOLVER_CG);
    s.options.relative_tolerance = 1e-2;
    s.x_storage = stn_storage_of(STN_BF16);
    check_solve(&s, 1);
}

UNIT_TEST(refinement_has_the_same_bits)
{
    static system_ s;
    const stn_solver_options inner = STN_INIT(stn_solver_options, .method = STN_SOLVER_CG,
                                              .arithmetic = STN_F32, .relative_tolerance = 1e-3);
    s = plain(STN_SOLVER_REFINEMENT);
    s.options.inner = &inner;
    check_solve(&s, 1);
}

UNIT_TEST(what_depends_on_the_partition_converges)
{
    static system_ s;
    s = plain(STN_SOLVER_CG);
    s.preconditioner = ILU;
    check_solve(&s, 0);
    s = plain(STN_SOLVER_CG);
    s.exchange_format = STN_F32;
    s.options.relative_tolerance = 1e-5;
    check_solve(&s, 0);
}

/* ---- bytes ---- */

static int64_t bytes_of_product(stn_format format)
{
    static product p;
    rank_result results[MAX_RANKS], without[MAX_RANKS];
    int64_t bytes = 0;
    memset(&p, 0, sizeof p);
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
    set_vector(b, 5);
    if (is_failing && f->nth)
        stn_fail_allocation(f->nth);
    stn_status status = stn_partition_create(&partition, comm, ROWS);
    if (status == STN_OK)
        status = find_rows(partition, rows);
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
    TRY(find_rows(partition, rows));
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
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = "A",
                                   .rows = ROWS,
                                   .columns = ROWS,
                                   .row_start = row_start,
                                   .column = column,
                                   .values = value,
                                   .row_start_format = STN_I64,
                                   .column_format = STN_I32};
    build_matrix();
    return stn_exec_create(&exec, "threads:threads=1") != STN_OK ||
           stn_matrix_wrap_csr(&whole, &arrays) != STN_OK;
}

static int tear_down(void **state)
{
    (void)state;
    stn_matrix_release(whole);
    stn_exec_release(exec);
    return 0;
}

RUN_UNIT_TESTS(set_up, tear_down)
