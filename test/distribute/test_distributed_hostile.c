/* Hostile calls of distributed functions: random partitions and matrices, compared with those
 * without ranks; arguments and allocations that fail on one rank; messages in small parts. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "core/memory.h"
#include "core/status.h"
#include "distributed_system.h"
#include "steno/blas.h"
#include "steno/market.h"

static test_matrix grid, small;

/* ---- random partitions and matrices ---- */

enum { MOST_ROWS = 2000, MOST_ENTRIES = 40000 };

typedef struct random_case {
    uint64_t state;
    int ranks;
    int64_t rows, counts[MAX_RANKS], start[MOST_ROWS + 1];
    int64_t column[MOST_ENTRIES];
    double value[2 * MOST_ENTRIES];
    stn_matrix_kind kind;
    stn_format values, vectors, arithmetic;
    double alpha, beta, x[2 * MOST_ROWS], y[2 * MOST_ROWS], expected[2 * MOST_ROWS];
    double dot;
    int is_complex;
} random_case;

static int64_t below(random_case *c, int64_t limit)
{
    c->state = c->state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((c->state >> 33) % (uint64_t)limit);
}

static double number(random_case *c)
{
    return (double)(below(c, 1 << 30) - (1 << 29)) / (1 << 25);
}

/* Ranks without rows anywhere; the last one with rows may have any number. */
static void choose_counts(random_case *c)
{
    int64_t left = c->rows;
    for (int r = 0; r < c->ranks; r++) {
        const int64_t tiles = below(c, 3) ? below(c, left / 128 + 2) : 0;
        c->counts[r] = r == c->ranks - 1 ? left : 128 * tiles < left ? 128 * tiles : left;
        left -= c->counts[r];
    }
}

/* Columns in any order, repeated ones included; some rows are empty or long. */
static void choose_entries(random_case *c)
{
    int64_t count = 0;
    for (int64_t i = 0; i < c->rows; i++) {
        const int64_t kind = below(c, 20);
        int64_t entries = kind == 0 ? 0 : kind == 1 ? below(c, 300) : below(c, 9);
        c->start[i] = count;
        for (; entries > 0 && count < MOST_ENTRIES; entries--) {
            const int64_t near = i + below(c, 61) - 30;
            c->column[count++] =
                below(c, 4) && near >= 0 && near < c->rows ? near : below(c, c->rows);
        }
    }
    c->start[c->rows] = count;
    for (int64_t k = 0; k < 2 * count; k++)
        c->value[k] = number(c);
    for (int64_t k = 0; k < 2 * c->rows; k++) {
        c->x[k] = number(c);
        c->y[k] = number(c);
    }
}

static stn_csr_arrays rows_of(const random_case *c, int64_t first, int64_t count, int64_t *start)
{
    const int parts = c->values == STN_C128 ? 2 : 1;
    for (int64_t i = 0; i <= count; i++)
        start[i] = c->start[first + i] - c->start[first];
    return (stn_csr_arrays){.size = sizeof(stn_csr_arrays),
                            .label = "random",
                            .rows = count,
                            .columns = c->rows,
                            .row_start = start,
                            .column = c->column + c->start[first],
                            .values = c->value + parts * c->start[first],
                            .row_start_format = STN_I64,
                            .column_format = STN_I64,
                            .storage = stn_storage_of(c->values)};
}

static stn_status expect_rows(const random_case *c, const stn_view *x, const stn_view *y,
                              const stn_partition *p, int64_t first, int64_t count)
{
    const size_t bytes = c->is_complex ? 16 : 8;
    double dot;
    if (memcmp(y->data, (const char *)c->expected + (size_t)first * bytes, (size_t)count * bytes) !=
        0)
        return STN_ERR_RANGE;
    if (c->is_complex)
        return STN_OK;
    TRY(stn_distributed_dot(system_exec, c->arithmetic, &dot, p, x, y));
    return memcmp(&dot, &c->dot, sizeof dot) == 0 ? STN_OK : STN_ERR_FORMAT;
}

static stn_status multiply_part(stn_comm *comm, void *context)
{
    const random_case *const c = context;
    const int parts = c->is_complex ? 2 : 1;
    stn_partition_info info = STN_PARTITION_INFO_INIT;
    stn_distributed_options options = {.size = sizeof options, .kind = c->kind};
    stn_partition *p;
    stn_distributed_matrix *a;
    int64_t start[MOST_ROWS + 1];
    double y[2 * MOST_ROWS];
    stn_view x_view, y_view;
    TRY(stn_partition_create_local(&p, comm, c->counts[stn_comm_rank(comm)]));
    TRY(stn_partition_describe(p, &info));
    const stn_csr_arrays rows = rows_of(c, info.first, info.count, start);
    TRY(stn_distributed_matrix_create(system_exec, &a, p, &rows, &options));
    memcpy(y, c->y + parts * info.first, (size_t)(parts * info.count) * sizeof *y);
    TRY(stn_view_wrap(&x_view, "x", stn_storage_of(c->vectors),
                      (void *)(uintptr_t)(c->x + parts * info.first), 1, &info.count));
    TRY(stn_view_wrap(&y_view, "y", stn_storage_of(c->vectors), y, 1, &info.count));
    stn_status status =
        stn_distributed_spmv(system_exec, c->arithmetic, c->alpha, a, &x_view, c->beta, &y_view);
    if (status == STN_OK)
        status = expect_rows(c, &x_view, &y_view, p, info.first, info.count);
    stn_distributed_matrix_release(a);
    stn_partition_release(p);
    return status;
}

static void check_random(random_case *c)
{
    static int64_t start[MOST_ROWS + 1];
    static int32_t columns[MOST_ENTRIES];
    stn_csr_arrays rows = rows_of(c, 0, c->rows, start);
    stn_matrix *whole;
    stn_view x, y;
    for (int64_t k = 0; k < c->start[c->rows]; k++)
        columns[k] = (int32_t)c->column[k];
    rows.column = columns;
    rows.column_format = STN_I32;
    memcpy(c->expected, c->y, sizeof c->expected);
    expect_ok(stn_matrix_wrap_csr(&whole, &rows));
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(c->vectors), c->x, 1, &c->rows));
    expect_ok(stn_view_wrap(&y, "y", stn_storage_of(c->vectors), c->expected, 1, &c->rows));
    expect_ok(stn_spmv(system_exec, c->arithmetic, c->alpha, whole, &x, c->beta, &y));
    if (!c->is_complex)
        expect_ok(stn_dot(system_exec, c->arithmetic, &c->dot, &x, &y));
    run_ranks_ok(c->ranks, multiply_part, c);
    stn_matrix_release(whole);
}

UNIT_TEST(random_matrices_and_partitions)
{
    static const stn_matrix_kind kinds[] = {STN_MATRIX_AUTO, STN_MATRIX_CSR, STN_MATRIX_SELL};
    static random_case c;
    for (int k = 0; k < 60; k++) {
        c.state = 1000 + (uint64_t)k;
        c.ranks = 1 + (int)below(&c, 9);
        c.rows = k % 3 == 0 ? 1 + below(&c, 300) : 1 + below(&c, MOST_ROWS - 1);
        c.kind = kinds[below(&c, 3)];
        c.is_complex = below(&c, 3) == 0;
        c.values = c.is_complex && below(&c, 2) ? STN_C128 : STN_F64;
        c.vectors = c.is_complex ? STN_C128 : STN_F64;
        c.arithmetic = below(&c, 2) ? c.vectors : c.is_complex ? STN_C64 : STN_F32;
        c.alpha = number(&c);
        c.beta = below(&c, 2) ? number(&c) : 0.0;
        choose_counts(&c);
        choose_entries(&c);
        check_random(&c);
    }
}

/* ---- messages in parts ---- */

UNIT_TEST(messages_in_parts)
{
    static test_system s;
    static char expected[sizeof s.x];
    rank_result results[MAX_RANKS];
    set_test_system(&s, &grid, STN_SOLVER_GMRES);
    s.options.orthogonalization = STN_ORTHOGONALIZATION_SKETCHED;
    reset_solution(&s);
    expect_ok(solve_whole(&s));
    memcpy(expected, s.x, sizeof expected);
    for (int64_t bytes = 100; bytes < 9000; bytes = 9 * bytes + 5) {
        reset_solution(&s);
        run_ranks(3, bytes, solve_rows, &s, results);
        for (int r = 0; r < 3; r++)
            check_ok(results[r].status, results[r].message, "a rank", __FILE__, __LINE__);
        assert_memory_equal(s.x, expected, sizeof expected);
    }
}

/* ---- arguments of one rank ---- */

typedef enum mistake {
    NULL_OPTIONS,
    NO_PARTITION,
    BAD_OPTIONS,
    BAD_REPORT,
    OTHER_PARTITION,
    NULL_A,
    FUNCTION_A,
    NULL_B,
    SHORT_X,
    TWO_COLUMNS,
    OTHER_METHOD,
    OTHER_OPERATORS,
    SAME_VECTORS,
    MISTAKES
} mistake;

static const char *const messages[] = {"requires options with its partition",
                                       "requires options with its partition",
                                       "options",
                                       "report",
                                       "another partition",
                                       "A is NULL",
                                       "the kind of A differs between ranks",
                                       "NULL",
                                       "not vectors of",
                                       "different numbers of columns",
                                       "method differs between ranks",
                                       "inner_operator_count differs between ranks",
                                       "overlaps"};

static stn_status apply_nothing(void *context, const stn_exec *on, stn_format arithmetic,
                                const stn_view *x, const stn_view *y)
{
    (void)context, (void)arithmetic;
    return stn_view_copy(on, y, x);
}

typedef struct wrong_call {
    mistake which; /* of this rank, or MISTAKES */
    int is_refinement;
    stn_partition *p, *other;
    stn_distributed_matrix *matrix;
    stn_operator a, function, operators[2];
    stn_solver_options options, inner;
    stn_solver_report report;
    local_rows rows;
    double b[2 * MAX_ROWS], x[2 * MAX_ROWS];
    stn_view b_view, x_view;
} wrong_call;

static stn_status create_call(stn_comm *comm, wrong_call *c)
{
    TRY(stn_partition_create(&c->p, comm, grid.rows));
    TRY(stn_partition_create_aligned(&c->other, comm, grid.rows, 512));
    TRY(find_local_rows(&grid, c->p, &c->rows));
    TRY(stn_distributed_matrix_create(system_exec, &c->matrix, c->p, &c->rows.arrays, NULL));
    TRY(stn_operator_of_distributed_matrix(&c->a, c->matrix));
    return stn_operator_create(&c->function, "a function", c->rows.info.count, apply_nothing, NULL);
}

static stn_status solve_call(wrong_call *c)
{
    int64_t extents[] = {c->rows.info.count, 2};
    const mistake m = c->which;
    TRY(stn_view_wrap(&c->b_view, "b", stn_storage_of(STN_F64), c->b, 1, extents));
    c->options.partition = m == NO_PARTITION ? NULL : m == OTHER_PARTITION ? c->other : c->p;
    c->options.method = m == OTHER_METHOD ? STN_SOLVER_GMRES : STN_SOLVER_CG;
    if (c->is_refinement) {
        c->inner = (stn_solver_options)STN_SOLVER_OPTIONS_INIT;
        c->operators[0] = c->operators[1] = c->a;
        c->options.method = STN_SOLVER_REFINEMENT;
        c->options.inner = &c->inner;
        c->options.inner_operators = c->operators;
        c->options.inner_operator_count = m == OTHER_OPERATORS ? 1 : 2;
    }
    if (m == BAD_OPTIONS)
        c->options.size = 3;
    if (m == BAD_REPORT)
        c->report.size = 3;
    extents[0] -= m == SHORT_X;
    TRY(stn_view_wrap(&c->x_view, "x", stn_storage_of(STN_F64), m == SAME_VECTORS ? c->b : c->x,
                      m == TWO_COLUMNS ? 2 : 1, extents));
    extents[1] = 1;
    if (m == TWO_COLUMNS)
        TRY(stn_view_wrap(&c->b_view, "b", stn_storage_of(STN_F64), c->b, 2, extents));
    return stn_solve(system_exec, &c->x_view,
                     m == NULL_A       ? NULL
                     : m == FUNCTION_A ? &c->function
                                       : &c->a,
                     m == NULL_B ? NULL : &c->b_view, m == NULL_OPTIONS ? NULL : &c->options,
                     &c->report);
}

/* Rank 1 makes the mistake. Another rank may have its error in the previous call. */
static stn_status solve_wrongly(stn_comm *comm, void *context)
{
    wrong_call *const c = calloc(1, sizeof *c);
    char message[512];
    c->which = stn_comm_rank(comm) == 1 ? *(const mistake *)context : MISTAKES;
    c->is_refinement = *(const mistake *)context == OTHER_OPERATORS;
    c->options = (stn_solver_options)STN_SOLVER_OPTIONS_INIT;
    c->report = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    for (int64_t k = 0; k < MAX_ROWS; k++)
        c->b[k] = 1.0;
    stn_status status = create_call(comm, c);
    if (status == STN_OK)
        status = solve_call(c);
    snprintf(message, sizeof message, "%s", stn_error());
    stn_distributed_matrix_release(c->matrix);
    stn_partition_release(c->p);
    stn_partition_release(c->other);
    free(c);
    return strstr(message, messages[*(const mistake *)context]) ? status : STN_OK;
}

UNIT_TEST(one_rank_with_wrong_arguments)
{
    rank_result results[MAX_RANKS];
    for (mistake which = (mistake)0; which < MISTAKES; which++) {
        run_ranks(3, 0, solve_wrongly, &which, results);
        for (int r = 0; r < 3; r++)
            if (results[r].status == STN_OK || results[r].status == STN_ERR_CONVERGENCE)
                fail_msg("mistake %d, rank %d: no message \"%s\"", (int)which, r, messages[which]);
    }
}

/* ---- allocations of one rank ---- */

typedef struct failing_solve {
    test_system *system;
    int64_t nth;
} failing_solve;

typedef struct solve_call_ {
    stn_partition *p;
    stn_distributed_matrix *a;
    stn_operator product;
    stn_view b, x;
    local_rows rows;
    stn_solver_options options;
} solve_call_;

static stn_status prepare_solve(stn_comm *comm, test_system *s, solve_call_ *c)
{
    TRY(stn_partition_create(&c->p, comm, s->a->rows));
    TRY(find_local_rows(s->a, c->p, &c->rows));
    TRY(stn_distributed_matrix_create(system_exec, &c->a, c->p, &c->rows.arrays, NULL));
    TRY(stn_operator_of_distributed_matrix(&c->product, c->a));
    c->options = s->options;
    c->options.partition = c->p;
    TRY(stn_checkpoint_create(&c->options.checkpoint));
    const int64_t first = c->rows.info.first, count = c->rows.info.count;
    TRY(stn_view_wrap(&c->b, "b", stn_storage_of(STN_F64), s->b + first, 1, &count));
    return wrap_rows(&c->x, stn_storage_of(STN_F64), s->x, first, count);
}

/* The allocation fails on one of the ranks. */
static stn_status fail_and_solve(stn_comm *comm, void *context)
{
    const failing_solve *const f = context;
    solve_call_ *const c = calloc(1, sizeof *c);
    const void *bytes;
    int64_t count = 0;
    stn_status status = stn_comm_agree(comm, prepare_solve(comm, f->system, c));
    if (stn_comm_rank(comm) == 1)
        stn_fail_allocation(f->nth);
    if (status == STN_OK)
        status = stn_solve(system_exec, &c->x, &c->product, &c->b, &c->options, NULL);
    (void)stn_checkpoint_bytes(c->options.checkpoint, &bytes, &count);
    stn_checkpoint_release(c->options.checkpoint);
    stn_distributed_matrix_release(c->a);
    stn_partition_release(c->p);
    free(c);
    return count > 0 && status != STN_ERR_CONVERGENCE ? STN_ERR_RANGE : status;
}

/* A sketched GMRES that a limit interrupts, so that it writes checkpoints on all ranks or none. */
UNIT_TEST(a_failing_allocation_in_a_solve)
{
    static test_system s;
    rank_result results[MAX_RANKS];
    int failed = 1, count = 0;
    set_test_system(&s, &small, STN_SOLVER_GMRES);
    s.options.orthogonalization = STN_ORTHOGONALIZATION_SKETCHED;
    s.options.basis = stn_storage_of(STN_I16);
    s.options.basis_block = 32;
    s.options.max_iterations = 5;
    for (int64_t nth = 1; failed; nth++) {
        failing_solve f = {&s, nth};
        reset_solution(&s);
        run_ranks(2, 0, fail_and_solve, &f, results);
        stn_fail_allocation(0);
        failed = results[1].status != STN_ERR_CONVERGENCE;
        for (int r = 0; r < 2; r++)
            assert_int_equal(results[r].status, failed ? STN_ERR_MEMORY : STN_ERR_CONVERGENCE);
        count += failed;
    }
    assert_true(count > 20);
}

static char path[] = "/tmp/steno-hostile-XXXXXX";

static stn_status fail_and_read(stn_comm *comm, void *context)
{
    stn_market_matrix part = STN_MARKET_MATRIX_INIT;
    stn_partition *p;
    TRY(stn_partition_create(&p, comm, 900));
    if (stn_comm_rank(comm) == 1)
        stn_fail_allocation(*(const int64_t *)context);
    const stn_status status = stn_market_read_distributed(&part, path, STN_MARKET_SUM, p);
    const int is_empty = !part.values && part.rows == 0;
    stn_market_release(&part);
    stn_partition_release(p);
    return status != STN_OK && !is_empty ? STN_ERR_RANGE : status;
}

UNIT_TEST(a_failing_allocation_in_a_reader)
{
    rank_result results[MAX_RANKS];
    int failed = 1, count = 0;
    const int descriptor = mkstemp(path);
    FILE *const file = fdopen(descriptor, "w");
    fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n900 900 1799\n");
    for (int i = 900; i >= 1; i--) {
        fprintf(file, "%d %d 2\n", i, i);
        if (i > 1)
            fprintf(file, "%d 1 0.5\n", i);
    }
    assert_int_equal(fclose(file), 0);
    for (int64_t nth = 1; failed; nth++) {
        run_ranks(3, 0, fail_and_read, &nth, results);
        stn_fail_allocation(0);
        failed = results[1].status != STN_OK;
        for (int r = 0; r < 3; r++)
            assert_int_equal(results[r].status, failed ? STN_ERR_MEMORY : STN_OK);
        count += failed;
    }
    (void)remove(path);
    assert_true(count > 8);
}

/* ---- functions of the communicator that fail on one rank ---- */

typedef struct collective_calls {
    int refusing_rank;
    stn_status recovered[MAX_RANKS];
} collective_calls;

static stn_status gather_ranks(stn_comm *comm)
{
    char all[MAX_RANKS], mine = (char)stn_comm_rank(comm);
    TRY(stn_comm_allgather(comm, all, &mine, 1));
    for (int r = 0; r < stn_comm_ranks(comm); r++)
        if (all[r] != r)
            return STN_ERR_RANGE;
    return STN_OK;
}

/* All ranks return at their first failure; then the communicator can be used again. */
static stn_status call_repeatedly(stn_comm *comm, void *context)
{
    collective_calls *const c = context;
    const int rank = stn_comm_rank(comm);
    char message[512];
    stn_status status = stn_comm_agree(comm, rank == c->refusing_rank ? STN_ERR_PARSE : STN_OK);
    for (int k = 0; status == STN_OK && k < 6; k++) {
        stn_partition *p = NULL;
        status = stn_partition_create(&p, comm, 1000);
        stn_partition_release(p);
        if (status == STN_OK)
            status = gather_ranks(comm);
    }
    snprintf(message, sizeof message, "%s", stn_error());
    if (status != STN_OK)
        c->recovered[rank] = gather_ranks(comm);
    return status == STN_OK ? STN_OK : stn_fail(status, "%s", message);
}

static void check_failing_calls(int refusing, comm_function function, int64_t nth, int64_t count)
{
    collective_calls c = {.refusing_rank = refusing};
    rank_result results[MAX_RANKS];
    for (int rank = 0; rank < 3; rank++) {
        fail_comm_calls(rank, function, nth, count);
        run_ranks(3, 0, call_repeatedly, &c, results);
        for (int r = 0; r < 3; r++) {
            if (results[r].status == STN_OK)
                fail_msg("function %d, call %d, rank %d: rank %d succeeded", (int)function,
                         (int)nth, rank, r);
            expect_ok(c.recovered[r]);
        }
        if (count > 1 || refusing >= 0)
            continue;
        for (int r = 0; r < 3; r++)
            assert_int_equal(results[r].status, STN_ERR_DEVICE);
        assert_non_null(strstr(results[rank].message, function == COMM_WAIT
                                                          ? "the function wait"
                                                          : "the function exchange"));
    }
}

UNIT_TEST(failing_functions_of_the_communicator)
{
    for (int64_t nth = 1; nth <= 30; nth++) {
        check_failing_calls(-1, COMM_EXCHANGE, nth, 1);
        check_failing_calls(-1, COMM_WAIT, nth, 1);
    }
}

/* The ranks cannot exchange the failure. */
UNIT_TEST(functions_of_the_communicator_that_fail_twice)
{
    for (int64_t nth = 1; nth <= 30; nth++) {
        check_failing_calls(-1, COMM_EXCHANGE, nth, 2);
        check_failing_calls(-1, COMM_WAIT, nth, 2);
    }
    for (int64_t nth = 1; nth <= 2; nth++)
        for (int rank = 0; rank < 3; rank++) {
            check_failing_calls(rank, COMM_EXCHANGE, nth, 1);
            check_failing_calls(rank, COMM_WAIT, nth, 1);
        }
}

static int set_up(void **state)
{
    (void)state;
    create_test_matrix(&grid, 37, 3, STN_F64, 5.5);
    create_test_matrix(&small, 17, 11, STN_F64, 5.5);
    expect_ok(stn_exec_create(&system_exec, "threads:threads=1"));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stn_matrix_release(grid.whole);
    stn_matrix_release(small.whole);
    stn_exec_release(system_exec);
    return 0;
}

RUN_UNIT_TESTS(set_up, tear_down)
