/* Operations of every kind on executors `threads`, by several threads of the program at the same
 * time: the bits of the reference executor, with their own executors and with a shared one. The
 * thread sanitizers run this program, too. */
#include <pthread.h>
#include <stdio.h>

#include "steno/blas.h"
#include "steno/ilu.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/scan.h"
#include "steno/solver.h"
#include "steno/sparse.h"
#include "check.h"

/* Vectors and the matrix are too large for one thread. */
enum { EDGE = 64, ROWS = EDGE * EDGE, ENTRIES = 5 * ROWS, LONG = 40001, TALL = 301, CALLERS = 4 };

/* clang-format off */
STN_MAP(fill, (at(i), inout(x)), x = STN_R(0.5) - (real_t)(i * 7 % 13) / STN_R(8.0);)
STN_MAP(update, (in(x), inout(y)), y = STN_R(0.25) * x + y;)
STN_REDUCE(inner, sum, (in(x), in(y)), x * y)
STN_SCAN(sums, sum, (in(x)), x)
/* clang-format on */

/* ---- a matrix of five-point differences, which all threads share ---- */

static struct {
    int64_t row_start[ROWS + 1];
    int32_t column[ENTRIES];
    double value[ENTRIES];
    stn_matrix *matrix;
} poisson;

static void add_entry(int64_t *count, int64_t column, double value)
{
    poisson.column[*count] = (int32_t)column;
    poisson.value[(*count)++] = value;
}

static int create_matrix(void **unused)
{
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = "A",
                                   .rows = ROWS,
                                   .columns = ROWS,
                                   .row_start = poisson.row_start,
                                   .row_start_format = STN_I64,
                                   .column = poisson.column,
                                   .column_format = STN_I32,
                                   .values = poisson.value,
                                   .storage = stn_storage_of(STN_F64)};
    int64_t count = 0;
    (void)unused;
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t i = row / EDGE, j = row % EDGE;
        if (i > 0)
            add_entry(&count, row - EDGE, -1.0);
        if (j > 0)
            add_entry(&count, row - 1, -1.0);
        add_entry(&count, row, 4.5);
        if (j < EDGE - 1)
            add_entry(&count, row + 1, -1.0);
        if (i < EDGE - 1)
            add_entry(&count, row + EDGE, -1.0);
        poisson.row_start[row + 1] = count;
    }
    return stn_matrix_wrap_csr(&poisson.matrix, &arrays) == STN_OK ? 0 : -1;
}

static int release_matrix(void **unused)
{
    (void)unused;
    stn_matrix_release(poisson.matrix);
    return 0;
}

/* ---- operations: each writes its result into `out` ---- */

typedef struct operands {
    stn_view x, y, narrow, out; /* f64, f32, f16, f64 */
    stn_view a, b, solution;    /* f32, TALL x TALL; f64, of the matrix */
} operands;

static stn_status create(operands *o)
{
    const int64_t all = LONG, rows = ROWS, square[] = {TALL, TALL};
    const stn_storage f64 = stn_storage_of(STN_F64), f32 = stn_storage_of(STN_F32);
    stn_status status = stn_view_create(NULL, &o->x, "x", f64, 1, &all);
    status = status ? status : stn_view_create(NULL, &o->y, "y", f32, 1, &all);
    status = status ? status : stn_view_create(NULL, &o->out, "out", f64, 1, &all);
    status = status ? status : stn_view_create(NULL, &o->a, "a", f32, 2, square);
    status = status ? status : stn_view_create(NULL, &o->b, "b", f64, 1, &rows);
    status = status ? status : stn_view_create(NULL, &o->solution, "solution", f64, 1, &rows);
    return status ? status
                  : stn_view_create(NULL, &o->narrow, "narrow", stn_storage_of(STN_F16), 1, &all);
}

static void release(operands *o)
{
    stn_view *const views[] = {&o->x, &o->y, &o->narrow, &o->out, &o->a, &o->b, &o->solution};
    for (size_t k = 0; k < sizeof views / sizeof *views; k++)
        (void)stn_view_release(views[k]);
}

static stn_status run_map(const stn_exec *exec, operands *o)
{
    stn_status status = fill_run(exec, STN_F64, &o->x);
    status = status ? status : fill_run(exec, STN_F32, &o->y);
    status = status ? status : update_run(exec, STN_F32, &o->x, &o->y);
    return status ? status : stn_view_copy(exec, &o->out, &o->y);
}

static stn_status run_copies(const stn_exec *exec, operands *o)
{
    const stn_status status = stn_view_copy(exec, &o->narrow, &o->x);
    return status ? status : stn_view_copy(exec, &o->out, &o->narrow);
}

static stn_status run_reductions(const stn_exec *exec, operands *o)
{
    double found[2] = {0.0, 0.0};
    stn_status status = inner_reduce(exec, STN_F64, &found[0], &o->x, &o->y);
    status = status ? status : stn_dot(exec, STN_F32, &found[1], &o->narrow, &o->y);
    status = status ? status : STN_VIEW_SET(&o->out, found[0], 0);
    return status ? status : STN_VIEW_SET(&o->out, found[1], 1);
}

static stn_status run_scan(const stn_exec *exec, operands *o)
{
    return sums_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &o->out, &o->narrow);
}

static stn_status run_product(const stn_exec *exec, operands *o)
{
    stn_view x, y;
    stn_status status = stn_view_fill(exec, &o->a, 0.75);
    status = status ? status : stn_view_slice(&x, &o->x, 1, &(stn_slice){.count = TALL, .step = 1});
    status =
        status ? status : stn_view_slice(&y, &o->out, 1, &(stn_slice){.count = TALL, .step = 1});
    status = status ? status : stn_gemv(exec, STN_F32, 1.5, &o->a, &x, 0.0, &y);
    return status ? status : stn_gemv(exec, STN_F64, 1.5, &o->a, &x, 0.5, &y);
}

/* Sparse products, triangular systems and sums of vectors. */
static stn_status run_solver(const stn_exec *exec, operands *o)
{
    stn_preconditioner *ilu = NULL;
    stn_operator a, inverse;
    stn_view out;
    stn_status status = stn_ilu_create(exec, &ilu, poisson.matrix, NULL);
    status = status ? status : stn_operator_of_preconditioner(&inverse, ilu);
    status = status ? status : stn_operator_of_matrix(&a, poisson.matrix);
    const stn_solver_options options =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .restart = 10,
                 .basis = stn_storage_of(STN_F16), .preconditioner = &inverse);
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    status = status ? status : stn_view_fill(exec, &o->b, 1.0);
    status = status ? status : stn_view_fill(exec, &o->solution, 0.0);
    status = status ? status : stn_solve(exec, &o->solution, &a, &o->b, &options, &report);
    status =
        status ? status : stn_view_slice(&out, &o->out, 1, &(stn_slice){.count = ROWS, .step = 1});
    status = status ? status : stn_view_copy(exec, &out, &o->solution);
    stn_preconditioner_release(ilu);
    return status;
}

typedef stn_status operation(const stn_exec *exec, operands *o);
static operation *const operations[] = {run_map,  run_copies,  run_reductions,
                                        run_scan, run_product, run_solver};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Hashes of `out` after each operation. */
typedef struct results {
    uint64_t hash[OPERATIONS];
} results;

static uint64_t hash_of(const stn_view *view)
{
    const unsigned char *const bytes = view->data;
    uint64_t hash = 14695981039346656037u;
    for (size_t k = 0; k < LONG * sizeof(double); k++)
        hash = (hash ^ bytes[k]) * 1099511628211u;
    return hash;
}

static stn_status run_all(const stn_exec *exec, results *r)
{
    operands o = {.x = {0}};
    stn_status status = create(&o);
    for (int k = 0; k < OPERATIONS && status == STN_OK; k++) {
        status = operations[k](exec, &o);
        r->hash[k] = status == STN_OK ? hash_of(&o.out) : 0;
    }
    release(&o);
    return status;
}

/* ---- callers ---- */

static results expected;

typedef struct caller {
    pthread_t id;
    const stn_exec *exec; /* NULL: its own ones */
    int rounds, threads, failed;
    char message[256]; /* of the failure */
} caller;

static void check(caller *c, const stn_exec *exec)
{
    results found = {{0}};
    if (run_all(exec, &found) != STN_OK) {
        c->failed = 1;
        snprintf(c->message, sizeof c->message, "%s", stn_error());
    }
    for (int k = 0; k < OPERATIONS && !c->failed; k++)
        if (found.hash[k] != expected.hash[k]) {
            c->failed = 1;
            snprintf(c->message, sizeof c->message, "operation %d has other bits", k);
        }
}

static void *work(void *context)
{
    caller *const c = context;
    for (int round = 0; round < c->rounds && !c->failed; round++) {
        char resource[32];
        stn_exec *own = NULL;
        snprintf(resource, sizeof resource, "threads:threads=%d", c->threads + round);
        if (!c->exec && stn_exec_create(&own, resource) != STN_OK)
            c->failed = 1;
        else
            check(c, c->exec ? c->exec : own);
        stn_exec_release(own);
    }
    return NULL;
}

static void run_callers(const stn_exec *exec, int rounds)
{
    caller callers[CALLERS];
    for (int k = 0; k < CALLERS; k++) {
        callers[k] = (caller){.exec = exec, .rounds = rounds, .threads = 1 + k};
        assert_int_equal(pthread_create(&callers[k].id, NULL, work, &callers[k]), 0);
    }
    for (int k = 0; k < CALLERS; k++)
        assert_int_equal(pthread_join(callers[k].id, NULL), 0);
    for (int k = 0; k < CALLERS; k++)
        if (callers[k].failed)
            fail_msg("thread %d: %s", k, callers[k].message);
}

static void compute_expected(void)
{
    stn_exec *reference;
    expect_ok(stn_exec_create(&reference, "reference"));
    expect_ok(run_all(reference, &expected));
    stn_exec_release(reference);
}

UNIT_TEST(executors_of_several_threads)
{
    compute_expected();
    run_callers(NULL, 3);
}

UNIT_TEST(one_executor_of_several_threads)
{
    stn_exec *exec;
    compute_expected();
    expect_ok(stn_exec_create(&exec, "threads:threads=3"));
    run_callers(exec, 2);
    stn_exec_release(exec);
}

RUN_UNIT_TESTS(create_matrix, release_matrix)
