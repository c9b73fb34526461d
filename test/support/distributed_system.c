#include "distributed_system.h"

#include <math.h>

#include "check.h"
#include "oracle.h"
#include "steno/blas.h"
#include "steno/block_jacobi.h"
#include "steno/ilu.h"

const int rank_counts[RANK_COUNTS] = {1, 2, 3, 5, 8};
stn_exec *system_exec;

/* ---- the matrix ---- */

static void add_entry(test_matrix *a, int64_t *count, int64_t i, int64_t j, double value)
{
    const int parts = a->format == STN_C128 ? 2 : 1;
    if (j < 0 || j >= a->rows)
        return;
    a->column[*count] = (int32_t)j;
    a->value[parts * *count] = value;
    if (parts == 2)
        a->value[2 * *count + 1] = i == j ? 0.0 : i < j ? 0.3 : -0.3;
    (*count)++;
}

void create_test_matrix(test_matrix *a, int64_t side, int64_t more, stn_format format,
                        double diagonal)
{
    int64_t count = 0;
    a->rows = side * side + more;
    a->format = format;
    assert_true(a->rows <= MAX_ROWS);
    for (int64_t i = 0, n = a->rows; i < n; i++) {
        a->row_start[i] = count;
        add_entry(a, &count, i, i + 1, -1.0 - 0.1 * (double)((i + 1) % 3));
        add_entry(a, &count, i, i - side, -1.0);
        add_entry(a, &count, i, i, diagonal + 0.01 * (double)(i % 7));
        add_entry(a, &count, i, i - 1, -1.0 - 0.1 * (double)(i % 3));
        add_entry(a, &count, i, i + side, -1.0);
        if (i % 100 == 7 && n - 1 - i != i)
            add_entry(a, &count, i, n - 1 - i, -0.25);
        if ((n - 1 - i) % 100 == 7 && i % 100 != 7)
            add_entry(a, &count, i, n - 1 - i, -0.25);
    }
    a->row_start[a->rows] = count;
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = "A",
                                   .rows = a->rows,
                                   .columns = a->rows,
                                   .row_start = a->row_start,
                                   .column = a->column,
                                   .values = a->value,
                                   .row_start_format = STN_I64,
                                   .column_format = STN_I32,
                                   .storage = stn_storage_of(format)};
    expect_ok(stn_matrix_wrap_csr(&a->whole, &arrays));
}

stn_status find_local_rows(const test_matrix *a, const stn_partition *p, local_rows *rows)
{
    const int parts = a->format == STN_C128 ? 2 : 1;
    rows->info = (stn_partition_info)STN_PARTITION_INFO_INIT;
    TRY(stn_partition_describe(p, &rows->info));
    const int64_t first = rows->info.first, begin = a->row_start[first];
    for (int64_t i = 0; i <= rows->info.count; i++)
        rows->start[i] = a->row_start[first + i] - begin;
    rows->arrays = (stn_csr_arrays){.size = sizeof rows->arrays,
                                    .label = "A",
                                    .rows = rows->info.count,
                                    .columns = a->rows,
                                    .row_start = rows->start,
                                    .column = a->column + begin,
                                    .values = a->value + parts * begin,
                                    .row_start_format = STN_I64,
                                    .column_format = STN_I32,
                                    .storage = stn_storage_of(a->format)};
    return STN_OK;
}

void set_test_vector(double *x, int64_t count, int seed)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = sin((double)(i * seed)) + 0.001 * (double)seed;
}

stn_status wrap_rows(stn_view *view, stn_storage storage, char *codes, int64_t first, int64_t count)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    TRY(stn_format_describe(storage.format, &info));
    return stn_view_wrap(view, "a vector", storage, codes + first * info.bytes, 1, &count);
}

/* ---- preconditioners ---- */

/* y = (x + (I - w A) x + (I - w A)^2 x) w: by Horner's rule. */
static stn_status apply_polynomial(void *context, const stn_exec *on, stn_format arithmetic,
                                   const stn_view *x, const stn_view *y)
{
    enum { DEGREE = 2 };
    const stn_operator *const a = context;
    const double w = 0.15;
    stn_view product;
    TRY(stn_view_create(on, &product, "a product", stn_storage_of(arithmetic), 1, x->extent));
    stn_status status = stn_view_copy(on, y, x);
    for (int k = 0; status == STN_OK && k < DEGREE; k++) {
        const stn_c128 one = {1.0, 0.0}, less = {-w, 0.0};
        const int is_complex = arithmetic == STN_C128 || arithmetic == STN_C64;
        status = a->apply(a->context, on, arithmetic, y, &product);
        if (status == STN_OK) /* y = y - w A y + x */
            status = is_complex ? stn_axpy_complex(on, arithmetic, less, &product, y)
                                : stn_axpy(on, arithmetic, -w, &product, y);
        if (status == STN_OK)
            status = is_complex ? stn_axpy_complex(on, arithmetic, one, x, y)
                                : stn_axpy(on, arithmetic, 1.0, x, y);
    }
    (void)stn_view_release(&product);
    return status;
}

static stn_status create_factors(const test_system *s, const stn_matrix *block,
                                 const stn_partition *partition, stn_preconditioner **made)
{
    stn_block_jacobi_options options = STN_INIT(stn_block_jacobi_options, .partition = partition);
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    int64_t starts[MAX_ROWS];
    if (s->preconditioner == TEST_ILU)
        return stn_ilu_create(system_exec, made, block, NULL);
    TRY(stn_matrix_describe(block, &info));
    if (s->preconditioner == TEST_JACOBI) {
        options.max_block_rows = 1;
        return stn_block_jacobi_create(system_exec, made, block, &options);
    }
    for (int64_t start = 0; start < info.rows; start += 4) /* aligned: fixed by global rows */
        starts[options.block_count++] = start;
    starts[options.block_count] = info.rows;
    options.block_start = starts;
    return stn_block_jacobi_create(system_exec, made, block, &options);
}

/* A rank without rows applies its empty matrix in place of factors. */
static stn_status create_preconditioner(const test_system *s, const stn_operator *a,
                                        const stn_matrix *block, int64_t count,
                                        const stn_partition *partition, stn_preconditioner **m,
                                        stn_operator *inverse)
{
    if (s->preconditioner == TEST_POLYNOMIAL)
        return stn_operator_create(inverse, "a polynomial", count, apply_polynomial,
                                   (void *)(uintptr_t)a);
    if (count == 0 && s->preconditioner == TEST_ILU)
        return stn_operator_of_matrix(inverse, block);
    TRY(create_factors(s, block, partition, m));
    return stn_operator_of_preconditioner(inverse, *m);
}

/* ---- solves ---- */

static stn_status multiply(void *context, const stn_exec *on, stn_format arithmetic,
                           const stn_view *x, const stn_view *y)
{
    const stn_operator *const a = context;
    return a->apply(a->context, on, arithmetic, x, y);
}

static stn_status solve_with(test_system *s, int rank, const stn_operator *a,
                             const stn_matrix *block, int64_t first, int64_t count,
                             const stn_partition *partition)
{
    const int parts = s->a->format == STN_C128 ? 2 : 1;
    stn_solver_options options = s->options;
    stn_preconditioner *m = NULL;
    stn_operator inverse, function;
    stn_view b, x;
    stn_solver_report *const report = &s->reports[rank];
    *report = (stn_solver_report)STN_INIT(stn_solver_report, .history = s->history[rank],
                                          .history_capacity = MAX_HISTORY);
    options.partition = partition;
    options.checkpoint = s->checkpoints[rank];
    TRY(stn_operator_create(&function, "a function", count, multiply, (void *)(uintptr_t)a));
    TRY(stn_view_wrap(&b, "b", stn_storage_of(s->a->format), s->b + parts * first, 1, &count));
    TRY(wrap_rows(&x, s->x_storage, s->x, first, count));
    if (s->preconditioner != TEST_NONE) {
        TRY(create_preconditioner(s, a, block, count, partition, &m, &inverse));
        options.preconditioner = &inverse;
    }
    const stn_status status =
        stn_solve(system_exec, &x, s->is_function ? &function : a, &b, &options, report);
    stn_preconditioner_release(m);
    return status;
}

stn_status solve_rows(stn_comm *comm, void *context)
{
    test_system *const s = context;
    stn_partition *partition;
    stn_distributed_matrix *a;
    stn_distributed_options options = STN_DISTRIBUTED_OPTIONS_INIT;
    local_rows *const rows = malloc(sizeof *rows);
    stn_matrix *block;
    stn_operator product_with_a;
    options.exchange_format = s->exchange_format;
    TRY(stn_partition_create_aligned(&partition, comm, s->a->rows, s->granule));
    TRY(find_local_rows(s->a, partition, rows));
    TRY(stn_distributed_matrix_create(system_exec, &a, partition, &rows->arrays, &options));
    TRY(stn_distributed_local_matrix(system_exec, &block, partition, &rows->arrays));
    TRY(stn_operator_of_distributed_matrix(&product_with_a, a));
    const stn_status status = solve_with(s, stn_comm_rank(comm), &product_with_a, block,
                                         rows->info.first, rows->info.count, partition);
    stn_matrix_release(block);
    stn_distributed_matrix_release(a);
    stn_partition_release(partition);
    free(rows);
    return status;
}

stn_status solve_whole(test_system *s)
{
    stn_operator a;
    TRY(stn_operator_of_matrix(&a, s->a->whole));
    return solve_with(s, 0, &a, s->a->whole, 0, s->a->rows, NULL);
}

void set_test_system(test_system *s, const test_matrix *a, stn_solver_method method)
{
    memset(s, 0, sizeof *s);
    s->a = a;
    s->options = (stn_solver_options)STN_INIT(stn_solver_options, .method = method,
                                              .relative_tolerance = 1e-9, .restart = 12,
                                              .arithmetic = a->format);
    s->x_storage = stn_storage_of(a->format);
    s->granule = 128;
    set_test_vector(s->b, 2 * a->rows, 7);
}

void reset_solution(test_system *s)
{
    memset(s->x, 0, sizeof s->x);
    if (s->has_guess)
        memcpy(s->x, s->guess, sizeof s->x);
    memset(s->history, 0, sizeof s->history);
}

static void expect_same(const char *name, double found, double expected)
{
    if (memcmp(&found, &expected, sizeof found) != 0)
        fail_msg("%s is %a, not %a", name, found, expected);
}

static void expect_same_report(const stn_solver_report *found, const stn_solver_report *expected)
{
    assert_int_equal(found->reason, expected->reason);
    assert_int_equal(found->iterations, expected->iterations);
    assert_int_equal(found->restarts, expected->restarts);
    assert_int_equal(found->inner_iterations, expected->inner_iterations);
    expect_same("the residual", found->residual, expected->residual);
    expect_same("the rounding error", found->rounding_error, expected->rounding_error);
    expect_same("the backward error", found->backward_error, expected->backward_error);
    expect_same("the stored residual", found->stored_residual, expected->stored_residual);
}

void check_test_system(test_system *s, int is_same)
{
    static char expected[sizeof s->x];
    static double history[MAX_HISTORY];
    rank_result results[MAX_RANKS];
    reset_solution(s);
    const stn_status status = solve_whole(s);
    if (s->reports[0].reason != STN_STOP_RESIDUAL_UNCERTAIN)
        expect_ok(status);
    const stn_solver_report report = s->reports[0];
    assert_true(report.iterations > 2 || s->has_guess);
    memcpy(expected, s->x, sizeof expected);
    memcpy(history, s->history[0], sizeof history);
    for (int k = 0; k < RANK_COUNTS; k++) {
        static int number;
        if (number++ % oracle_count(3, 1, 1) != 0)
            continue;
        reset_solution(s);
        run_ranks(rank_counts[k], 0, solve_rows, s, results);
        for (int r = 0; r < rank_counts[k]; r++)
            if (results[r].status != status)
                fail_msg("rank %d: %s", r, results[r].message);
        for (int r = 0; r < rank_counts[k] && is_same; r++) {
            expect_same_report(&s->reports[r], &report);
            assert_memory_equal(s->history[r], history, sizeof history);
        }
        if (is_same)
            assert_memory_equal(s->x, expected, sizeof expected);
    }
}
