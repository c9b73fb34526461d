/* dot, axpy and gemv on devices give the bits of `reference`, in every format and layout. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_run.h"
#include "matrix.h"
#include "steno/blas.h"
#include "steno/solver.h"
#include "steno/sparse.h"
#include "check.h"

static int rounds(void)
{
    return getenv("STENO_TEST_FULL") ? 100 : getenv("STENO_TEST_QUICK") ? 1 : 4;
}

/* ---- one case ---- */

typedef struct operand {
    twins t;
    char words[100];
} operand;

/* Most of them with numbers whose sums round. */
static void make(operand *o, int rank, const int64_t *extents)
{
    const stn_storage s = any_storage(ORACLE_FLOAT, any_format(ORACLE_FLOAT));
    make_operand(&o->t, s, rank, extents);
    if (chance(4))
        tame_twins(&o->t);
    snprintf(o->words, sizeof o->words, "%s (scale %g, zero %g, rounding %d)",
             row_of(s.format)->name, s.scale, s.zero, (int)s.rounding);
}

static void expect_both(const char *what, stn_status expected, stn_status found)
{
    if (expected != found)
        fail_msg("%s: %s, on the host %s: %s", what, stn_status_name(found),
                 stn_status_name(expected), stn_error());
}

static int64_t any_length(void)
{
    static const int64_t lengths[] = {1, 5, 33, 127, 128, 129, 1000, 5000};
    return lengths[chance(8)];
}

static void try_vectors(void)
{
    char what[300];
    operand x, y;
    double expected = 1, found = 2;
    const int64_t count = any_length();
    const stn_format arithmetic = chance(2) ? STN_F32 : STN_F64;
    make(&x, 1, &count);
    make(&y, 1, &count);
    snprintf(what, sizeof what, "%d elements on %s in %s: %s, %s", (int)count, resource,
             row_of(arithmetic)->name, x.words, y.words);
    expect_both(what, stn_dot(reference, arithmetic, &expected, &x.t.host_part, &y.t.host_part),
                stn_dot(on, arithmetic, &found, &x.t.device_part, &y.t.device_part));
    if (memcmp(&expected, &found, sizeof found) != 0 && (expected == expected || found == found))
        fail_msg("dot of %s is %a, on the host %a", what, found, expected);
    expect_both(what, stn_axpy(reference, arithmetic, 0.7, &x.t.host_part, &y.t.host_part),
                stn_axpy(on, arithmetic, 0.7, &x.t.device_part, &y.t.device_part));
    expect_numbers(&y.t, what);
    release_twins(&x.t);
    release_twins(&y.t);
}

static void try_matrix(int k)
{
    static const double factors[][2] = {{1, 0}, {0.7, 0}, {1, -1.3}, {-0.3, 1}};
    const double alpha = factors[k % 4][0], beta = factors[k % 4][1];
    char what[400];
    operand a, x, y;
    const int64_t extents[2] = {1 + (int64_t)chance(60), any_length()};
    const stn_format arithmetic = chance(2) ? STN_F32 : STN_F64;
    make(&a, 2, extents);
    make(&x, 1, &extents[1]);
    make(&y, 1, &extents[0]);
    snprintf(what, sizeof what, "gemv of %d x %d on %s in %s by %g and %g: %s, %s, %s",
             (int)extents[0], (int)extents[1], resource, row_of(arithmetic)->name, alpha, beta,
             a.words, x.words, y.words);
    expect_both(what,
                stn_gemv(reference, arithmetic, alpha, &a.t.host_part, &x.t.host_part, beta,
                         &y.t.host_part),
                stn_gemv(on, arithmetic, alpha, &a.t.device_part, &x.t.device_part, beta,
                         &y.t.device_part));
    expect_numbers(&y.t, what);
    release_twins(&a.t);
    release_twins(&x.t);
    release_twins(&y.t);
}

/* Rows of up to three tiles, or, of one matrix in four, of up to 12, which fold as a tree; some are
 * empty. */
static int64_t any_row(int is_long)
{
    return chance(4) == 0 ? 0 : (int64_t)chance(is_long ? 1500 : chance(3) ? 9 : 385);
}

typedef struct sparse {
    int64_t rows, columns, start[41];
    int32_t *column;
    void *values;
    stn_storage storage;
    stn_matrix *here, *there;
} sparse;

/* Every other one with values whose products and sums round; on the device in rows or in slices, of
 * which some have columns beside each other. */
static void make_sparse(sparse *s, int rounds_much)
{
    const int is_long = rounds_much || chance(4) == 0;
    const stn_format format =
        rounds_much ? (chance(2) ? STN_F32 : STN_F64) : any_format(ORACLE_FLOAT);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    s->storage = any_storage(ORACLE_FLOAT, format);
    s->rows = (int64_t)chance(41);
    s->columns = 1 + (int64_t)chance(100);
    s->start[0] = 0;
    for (int64_t row = 0; row < s->rows; row++)
        s->start[row + 1] = s->start[row] + any_row(is_long);
    const int64_t entries = s->start[s->rows];
    s->column = malloc((size_t)(entries + 1) * sizeof *s->column);
    s->values = malloc((size_t)(entries + 1) * (size_t)info.bytes);
    assert_true(s->column && s->values);
    for (int64_t k = 0; k < entries; k++)
        s->column[k] = (int32_t)chance((uint64_t)s->columns);
    for (int64_t row = 0; row < s->rows && s->columns > 60 && s->rows > 20; row++)
        for (int64_t k = s->start[row]; k < s->start[row + 1]; k++)
            s->column[k] = (int32_t)(row + (k - s->start[row]) % 20);
    scatter(s->values, entries * info.bytes);
    if (rounds_much || chance(4))
        tame(format, s->values, entries * info.bytes);
    expect_ok(wrap_csr(&s->here, "sparse", s->storage, s->rows, s->columns, s->start, s->column,
                       s->values));
    if (chance(2)) {
        expect_ok(stn_matrix_mirror(on, &s->there, s->here));
        return;
    }
    stn_matrix *sliced;
    expect_ok(stn_sparse_convert(NULL, &sliced, s->here, STN_MATRIX_SLICED, NULL));
    expect_ok(stn_matrix_mirror(on, &s->there, sliced));
    stn_matrix_release(sliced);
}

static void release_sparse(sparse *s)
{
    stn_matrix_release(s->here);
    stn_matrix_release(s->there);
    free(s->column);
    free(s->values);
}

static void try_sparse(int k)
{
    static const double factors[][2] = {{1, 0}, {0.7, 0}, {1, -1.3}, {-0.3, 1}};
    const double alpha = factors[k % 4][0], beta = factors[k % 4][1];
    char what[400];
    sparse s;
    operand x, y;
    make_sparse(&s, k % 2);
    const stn_format arithmetic = chance(2) ? STN_F32 : STN_F64;
    make(&x, 1, &s.columns);
    make(&y, 1, &s.rows);
    snprintf(what, sizeof what, "spmv of %d x %d, %d of %s, on %s in %s by %g and %g: %s, %s",
             (int)s.rows, (int)s.columns, (int)s.start[s.rows], row_of(s.storage.format)->name,
             resource, row_of(arithmetic)->name, alpha, beta, x.words, y.words);
    expect_both(
        what, stn_spmv(reference, arithmetic, alpha, s.here, &x.t.host_part, beta, &y.t.host_part),
        stn_spmv(on, arithmetic, alpha, s.there, &x.t.device_part, beta, &y.t.device_part));
    expect_numbers(&y.t, what);
    release_sparse(&s);
    release_twins(&x.t);
    release_twins(&y.t);
}

static void gives_the_bits_of_the_host(void **state)
{
    (void)state;
    seed = 4;
    for (int k = 0; k < rounds(); k++) {
        try_vectors();
        try_matrix(k);
        try_sparse(k);
    }
}

static void takes_views_without_elements(void **state)
{
    static const int64_t none[2] = {0, 3}, some[2] = {3, 0};
    stn_view x, y, a;
    double sum = 3;
    (void)state;
    for (int k = 0; k < 2; k++) {
        expect_ok(stn_view_create(on, &a, "a", stn_storage_of(STN_F32), 2, k ? some : none));
        expect_ok(stn_view_create(on, &x, "x", stn_storage_of(STN_F32), 1, &(k ? some : none)[1]));
        expect_ok(stn_view_create(on, &y, "y", stn_storage_of(STN_F32), 1, k ? some : none));
        expect_ok(stn_view_fill(on, &y, 7));
        expect_ok(stn_gemv(on, STN_F32, 2, &a, &x, 0.5, &y));
        expect_ok(stn_dot(on, STN_F32, &sum, &y, &y));
        assert_true(sum == (k ? 3 * 3.5 * 3.5 : 0));
        expect_ok(stn_view_release(&a));
        expect_ok(stn_view_release(&x));
        expect_ok(stn_view_release(&y));
    }
}

static void refuses_what_devices_lack(void **state)
{
    static const int64_t three = 3, starts[4] = {0, 1, 2, 3};
    static const int32_t columns[3] = {0, 1, 2};
    static const float values[3] = {1, 2, 3};
    stn_view x, y, here;
    stn_matrix *matrix, *there;
    double sum = 3;
    (void)state;
    expect_ok(stn_view_create(on, &x, "x", stn_storage_of(STN_F32), 1, &three));
    expect_ok(stn_view_create(on, &y, "y", stn_storage_of(STN_F32), 1, &three));
    expect_ok(stn_view_create(NULL, &here, "here", stn_storage_of(STN_F32), 1, &three));
    expect_ok(wrap_csr(&matrix, "matrix", stn_storage_of(STN_F32), 3, 3, starts, columns, values));
    refused(stn_dot(on, STN_F32, &sum, &x, &here), STN_ERR_UNSUPPORTED, "here");
    refused(stn_dot(reference, STN_F32, &sum, &x, &here), STN_ERR_UNSUPPORTED, "x");
    refused(stn_dot(on, STN_I64, &sum, &x, &y), STN_ERR_UNSUPPORTED, "f64 or f32");
    refused(stn_axpy(on, STN_F32, 1, &here, &y), STN_ERR_UNSUPPORTED, "here");
    refused(stn_spmv(on, STN_F32, 1, matrix, &x, 0, &y), STN_ERR_UNSUPPORTED, "stn_matrix_mirror");
    expect_ok(stn_matrix_mirror(on, &there, matrix));
    refused(stn_spmv(reference, STN_F32, 1, there, &here, 0, &here), STN_ERR_UNSUPPORTED,
            "out of the host's reach");
    refused(stn_spmv(on, STN_F32, 1, there, &x, 0, &here), STN_ERR_UNSUPPORTED, "here");
    refused(stn_spmv(on, STN_F32, 1, there, &x, 0, &x), STN_ERR_ALIAS, "overlaps");
    stn_matrix_release(there);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_ok(stn_view_release(&here));
}

/* ---- without a GPU: NVRTC takes the texts ---- */

static stn_status compile_all(int at, int architecture)
{
    (void)at, (void)architecture;
    static const int64_t extents[2] = {7, 9}, starts[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    static const int32_t column = 8;
    static const double value = 3;
    const stn_format format = any_format(ORACLE_FLOAT);
    stn_matrix *here, *there;
    stn_view a, x, y;
    double sum;
    expect_ok(stn_view_create(on, &a, "a", any_storage(ORACLE_FLOAT, format), 2, extents));
    expect_ok(stn_view_create(on, &x, "x", stn_storage_of(format), 1, &extents[1]));
    expect_ok(stn_view_create(on, &y, "y", any_storage(ORACLE_FLOAT, format), 1, extents));
    stn_status status = stn_dot(on, STN_F32, &sum, &y, &y);
    if (status == STN_OK)
        status = stn_axpy(on, STN_F64, 2, &y, &y);
    if (status == STN_OK)
        status = stn_gemv(on, STN_F64, 2, &a, &x, 1, &y);
    expect_ok(wrap_csr(&here, "here", stn_storage_of(format), 7, 9, starts, &column, &value));
    expect_ok(stn_matrix_mirror(on, &there, here));
    if (status == STN_OK)
        status = stn_spmv(on, STN_F64, 2, there, &x, 1, &y);
    stn_matrix_release(there);
    expect_ok(stn_view_release(&a));
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    return status;
}

static void compiles_for_cuda(void **state)
{
    (void)state;
    compile_texts(1, compile_all);
}

/* ---- solvers: b and x on the host ---- */

enum { UNKNOWNS = 90 };

typedef struct diagonals {
    int64_t start[UNKNOWNS + 1];
    int32_t column[3 * UNKNOWNS];
    double value[3 * UNKNOWNS];
    stn_matrix *here, *there;
} diagonals;

static void make_diagonals(diagonals *d, double wind)
{
    int64_t at = 0;
    for (int i = 0; i < UNKNOWNS; i++) {
        d->start[i] = at;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < UNKNOWNS) {
                d->column[at] = j;
                d->value[at++] = j == i ? 3.0 : j < i ? -1.0 - wind : -1.0 + wind;
            }
    }
    d->start[UNKNOWNS] = at;
    expect_ok(wrap_csr(&d->here, "diagonals", stn_storage_of(STN_F64), UNKNOWNS, UNKNOWNS, d->start,
                       d->column, d->value));
    expect_ok(stn_matrix_mirror(on, &d->there, d->here));
}

typedef struct found {
    double x[UNKNOWNS], residuals[400];
    stn_solver_report solution;
} found;

/* With a limit of iterations, and behind it from the checkpoint on, x is in that. */
static void solve(const stn_exec *exec, const stn_matrix *matrix, const stn_solver_options *solver,
                  found *f)
{
    double right[UNKNOWNS];
    const int64_t n = UNKNOWNS, entries = f->solution.history_count;
    stn_operator a;
    stn_view b, x;
    f->solution = (stn_solver_report)STN_INIT(stn_solver_report, .history = f->residuals + entries,
                                              .history_capacity = 400 - entries);
    for (int i = 0; i < UNKNOWNS; i++)
        right[i] = 1.0 + (double)(i % 7) / 3.0;
    expect_ok(stn_operator_of_matrix(&a, matrix));
    expect_ok(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), right, 1, &n));
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), f->x, 1, &n));
    const stn_status status = stn_solve(exec, &x, &a, &b, solver, &f->solution);
    if (status != STN_ERR_CONVERGENCE || !solver->checkpoint)
        expect_ok(status);
    f->solution.history_count += entries;
}

/* Begun on the host, ended on the device. */
static void solve_both(const diagonals *d, const stn_solver_options *solver, found *f)
{
    stn_solver_options part = *solver;
    expect_ok(stn_checkpoint_create(&part.checkpoint));
    part.max_iterations = 2;
    memset(f, 0, sizeof *f);
    solve(reference, d->here, &part, f);
    part.max_iterations = 0;
    solve(on, d->there, &part, f);
    stn_checkpoint_release(part.checkpoint);
}

static void solvers_give_the_bits_of_the_host(void **state)
{
    static const stn_format bases[] = {STN_F64, STN_F16, STN_I16};
    static const stn_solver_method methods[] = {
        STN_SOLVER_GMRES,  STN_SOLVER_GMRES,      STN_SOLVER_GMRES,
        STN_SOLVER_CG,     STN_SOLVER_BICGSTAB,   STN_SOLVER_MINRES,
        STN_SOLVER_FGMRES, STN_SOLVER_REFINEMENT, STN_SOLVER_GMRES};
    static diagonals d;
    static found here, there, both;
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 0.1);
    (void)state;
    for (int turn = 0; turn < 18; turn++) {
        const int k = turn % 9, is_single = turn >= 9;
        const int is_symmetric = k == 3 || k == 5 || k == 7, has_blocks = k == 8;
        const int has_basis = methods[k] == STN_SOLVER_GMRES || methods[k] == STN_SOLVER_FGMRES;
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = methods[k], .arithmetic = is_single ? STN_F32 : STN_F64,
            .relative_tolerance = is_single ? 1e-5 : 0.0, .restart = 12, .inner = &inner,
            .basis = has_basis ? stn_storage_of(bases[k % 3]) : (stn_storage){0},
            .basis_block = has_blocks ? 32 : 0);
        make_diagonals(&d, is_symmetric ? 0.0 : 0.4);
        memset(&here, 0, sizeof here);
        memset(&there, 0, sizeof there);
        solve(reference, d.here, &solver, &here);
        solve(on, d.there, &solver, &there);
        solve_both(&d, &solver, &both);
        assert_true(here.solution.iterations > 2);
        assert_int_equal(there.solution.iterations, here.solution.iterations);
        assert_int_equal(both.solution.iterations, here.solution.iterations);
        if (memcmp(here.x, there.x, sizeof here.x) != 0 ||
            memcmp(here.residuals, there.residuals, sizeof here.residuals) != 0)
            fail_msg("solver %d: other bits", turn);
        if (memcmp(here.x, both.x, sizeof here.x) != 0 ||
            memcmp(here.residuals, both.residuals, sizeof here.residuals) != 0)
            fail_msg("solver %d: other bits from a checkpoint", turn);
        stn_matrix_release(d.there);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_views_without_elements),
                                       cmocka_unit_test(refuses_what_devices_lack),
                                       cmocka_unit_test(gives_the_bits_of_the_host),
                                       cmocka_unit_test(solvers_give_the_bits_of_the_host)};
    const struct CMUnitTest compile = cmocka_unit_test(compiles_for_cuda);
    return run_on_devices(tests, sizeof tests / sizeof *tests, &compile);
}
