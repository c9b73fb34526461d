/* Sparse products and solvers on devices give the bits of `reference`: matrices of every kind, over
 * views, in any format, with scales; solutions and residuals of each method. */
#include "device.h"
#include "matrix.h"
#include "steno/solver.h"
#include "steno/sparse.h"
#include "steno/sparse_optimize.h"

enum { ROWS = 37, COLUMNS = 50, MOST = 9000, WIDTH = 3, BLOCKS = MOST / 32 + 1 };

/* Rows of up to 12 tiles; values of any real format at a stride of 2, or complex. */
typedef struct sparse {
    int32_t start[ROWS + 1], row[MOST];
    int64_t column[MOST];
    double codes[4 * MOST], block_scales[BLOCKS], row_scales[2 * ROWS]; /* codes: room for them */
    stn_view starts, rows, columns, values, scales;
} sparse;

static void make_sparse(sparse *s, stn_format format)
{
    const int64_t strides[2] = {1, 2}, starts = ROWS + 1, rows = ROWS;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    s->start[0] = 0;
    for (int row = 0; row < ROWS; row++) {
        const int32_t count = (int32_t)(row == 5 ? 1500 : chance(3) ? chance(9) : chance(300));
        s->start[row + 1] = s->start[row] + count;
        for (int32_t k = s->start[row]; k < s->start[row + 1]; k++)
            s->row[k] = row;
        s->row_scales[2 * row] = (double)chance(1000) / 700 - 0.5;
    }
    const int64_t count = s->start[ROWS];
    assert_true(count <= MOST);
    for (int64_t k = 0; k < count; k++)
        s->column[k] = (int64_t)chance(COLUMNS);
    for (int k = 0; k < BLOCKS; k++)
        s->block_scales[k] = 0.25 + (double)chance(7) / 8;
    memset(s->codes, 0, sizeof s->codes);
    scatter(s->codes, 2 * count * info.bytes);
    tame(info.component, s->codes, 2 * count * info.bytes);
    expect_ok(stn_view_wrap(&s->starts, "start", stn_storage_of(STN_I32), s->start, 1, &starts));
    expect_ok(stn_view_wrap(&s->rows, "row", stn_storage_of(STN_I32), s->row, 1, &count));
    expect_ok(stn_view_wrap(&s->columns, "column", stn_storage_of(STN_I64), s->column, 1, &count));
    expect_ok(stn_view_wrap_spec(
        &s->values,
        &STN_VIEW_SPEC(.label = "values", .storage = stn_storage_of(format), .data = s->codes,
                       .rank = 1, .extents = &count, .strides = &strides[1])));
    expect_ok(stn_view_wrap_spec(
        &s->scales,
        &STN_VIEW_SPEC(.label = "scales", .storage = stn_storage_of(STN_F64), .data = s->row_scales,
                       .rank = 1, .extents = &rows, .strides = &strides[1])));
}

/* y = 0.7 A x - 1.3 y for vectors, or for WIDTH columns, by a matrix on the host and one on the
 * device. */
static void compare(const char *what, const stn_matrix *here, const stn_matrix *there,
                    stn_format arithmetic, int rank)
{
    char label[100];
    const int64_t columns[2] = {COLUMNS, WIDTH}, rows[2] = {ROWS, WIDTH};
    twins x = make_twins(stn_storage_of(arithmetic), NULL, rank, columns);
    twins y = make_twins(stn_storage_of(arithmetic), NULL, rank, rows);
    tame_twins(&x);
    tame_twins(&y);
    snprintf(label, sizeof label, "%s, kind %d, rank %d", what, (int)here->kind, rank);
    expect_both(label, stn_spmv(host_exec, arithmetic, 0.7, here, &x.host, -1.3, &y.host),
                stn_spmv(device_exec, arithmetic, 0.7, there, &x.device, -1.3, &y.device));
    expect_same(&y, label);
    release_twins(&x);
    release_twins(&y);
}

static void check(const char *what, const stn_matrix *here, stn_format arithmetic, int rank)
{
    stn_matrix *there;
    expect_ok(stn_matrix_mirror(device_exec, &there, here));
    compare(what, here, there, arithmetic, rank);
    stn_matrix_release(there);
}

TEST_CASE(views_give_the_bits_of_the_host)
{
    static sparse s;
    stn_matrix *csr;
    device_seed = 7;
    make_sparse(&s, STN_F16);
    expect_ok(wrap_csr_views(&csr, "views", COLUMNS, &s.starts, &s.columns, &s.values));
    expect_ok(stn_matrix_set_row_scales(csr, &s.scales));
    check("scales of rows", csr, STN_F64, 2);
    stn_matrix_release(csr);
    const stn_scales blocks = {
        .data = s.block_scales, .format = STN_F64, .dimension = 0, .block = 32, .stride = {1}};
    expect_ok(stn_view_set_scales(&s.values, &blocks));
    expect_ok(wrap_csr_views(&csr, "blocks", COLUMNS, &s.starts, &s.columns, &s.values));
    check("scales of blocks", csr, STN_F32, 1);
    stn_matrix_release(csr);
    const int64_t count = s.start[ROWS];
    stn_view blocks_of_32 =
        create_view(NULL, "values", stn_storage_of(STN_MXFP6_E2M3), NULL, 1, &count, 0);
    expect_ok(stn_view_copy(NULL, &blocks_of_32, &s.values));
    expect_ok(wrap_csr_views(&csr, "block format", COLUMNS, &s.starts, &s.columns, &blocks_of_32));
    check("block format", csr, STN_F64, 1);
    stn_matrix_release(csr);
    expect_ok(stn_view_release(&blocks_of_32));
    expect_ok(wrap_csr_views(&csr, "pattern", COLUMNS, &s.starts, &s.columns, NULL));
    check("pattern", csr, STN_F32, 2);
    stn_matrix_release(csr);
}

/* A matrix on the device, copied back to the host, gives the product of the original. */
static void check_copy(const char *what, const stn_matrix *here, const stn_matrix *there)
{
    stn_matrix *back;
    const int64_t columns = COLUMNS, rows = ROWS;
    if (!device_computes())
        return;
    twins x = make_twins(stn_storage_of(STN_F64), NULL, 1, &columns);
    twins y = make_twins(stn_storage_of(STN_F64), NULL, 1, &rows);
    twins z = make_twins(stn_storage_of(STN_F64), NULL, 1, &rows);
    tame_twins(&x);
    expect_ok(stn_matrix_mirror(NULL, &back, there));
    expect_ok(stn_spmv(host_exec, STN_F64, 1.0, here, &x.host, 0.0, &y.host));
    expect_ok(stn_spmv(host_exec, STN_F64, 1.0, back, &x.host, 0.0, &z.host));
    if (memcmp(y.host.data, z.host.data, (size_t)y.bytes) != 0)
        fail_msg("%s: the copy on the host gives another product", what);
    stn_matrix_release(back);
    release_twins(&x);
    release_twins(&y);
    release_twins(&z);
}

static int64_t bytes_of(const stn_matrix *a)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    expect_ok(stn_matrix_describe(a, &info));
    return info.bytes;
}

/* Mirrors have the blocks and planes of the original. */
TEST_CASE(narrow_values_stay_narrow)
{
    static const stn_format formats[] = {STN_BFP16, STN_MXFP4};
    static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_SLICED, STN_MATRIX_ELL};
    static sparse s;
    stn_matrix *csr, *made, *segmented, *there;
    device_seed = 11;
    make_sparse(&s, STN_F64);
    const int64_t count = s.start[ROWS];
    for (int k = 0; k < COUNT_OF(formats); k++) {
        stn_view blocks =
            create_view(NULL, "values", stn_storage_of(formats[k]), NULL, 1, &count, 0);
        expect_ok(stn_view_copy(NULL, &blocks, &s.values));
        expect_ok(wrap_csr_views(&csr, "blocks", COLUMNS, &s.starts, &s.columns, &blocks));
        expect_ok(stn_matrix_mirror(device_exec, &there, csr));
        assert_int_equal(there->codes.storage.format, formats[k]);
        assert_true(bytes_of(there) == bytes_of(csr));
        compare("blocks", csr, there, STN_F64, 1 + k);
        check_copy("blocks", csr, there);
        stn_matrix_release(there);
        stn_matrix_release(csr);
        expect_ok(stn_view_release(&blocks));
    }
    expect_ok(wrap_csr_views(&csr, "planes", COLUMNS, &s.starts, &s.columns, &s.values));
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        expect_ok(stn_sparse_convert(NULL, &made, csr, kinds[k], NULL));
        expect_ok(stn_matrix_segment(NULL, &segmented, made));
        stn_matrix_release(made);
        expect_ok(stn_matrix_planes(&made, segmented, 1 + k));
        expect_ok(stn_matrix_mirror(device_exec, &there, made));
        assert_int_equal(stn_view_plane_count(&there->codes), 1 + k);
        compare("planes", made, there, STN_F64, 1 + k % 2);
        check_copy("planes", made, there);
        stn_matrix_release(made);
        expect_ok(stn_matrix_planes(&made, there, 3));
        compare("all planes", segmented, made, STN_F64, 1);
        stn_matrix_release(made);
        stn_matrix_release(there);
        stn_matrix_release(segmented);
    }
    stn_matrix_release(csr);
}

TEST_CASE(kinds_give_the_bits_of_the_host)
{
    static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_SLICED, STN_MATRIX_COO,
                                            STN_MATRIX_ELL, STN_MATRIX_SELL};
    static sparse s;
    stn_matrix *coo, *made, *there;
    device_seed = 8;
    make_sparse(&s, STN_F32);
    expect_ok(wrap_coo(&coo, "entries", ROWS, COLUMNS, &s.rows, &s.columns, &s.values,
                       STN_DUPLICATES_KEEP));
    for (int k = 0; k < 5; k++) {
        expect_ok(stn_sparse_convert(NULL, &made, coo, kinds[k], NULL));
        check("converted", made, STN_F64, 1 + k % 2);
        stn_matrix_release(made);
    }
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_PACKED, NULL));
    expect_error(stn_matrix_mirror(device_exec, &there, made), STN_ERR_UNSUPPORTED,
                 "STN_MATRIX_PACKED");
    expect_error(stn_sparse_convert(device_exec, &there, coo, STN_MATRIX_PACKED, NULL),
                 STN_ERR_UNSUPPORTED, "STN_MATRIX_PACKED");
    stn_matrix_release(made);
    stn_matrix_release(coo);
}

/* Copies of every kind, and those that the model and timed products select. */
TEST_CASE(optimized_matrices_give_the_bits_of_the_host)
{
    static sparse s;
    stn_matrix *csr, *there;
    device_seed = 10;
    make_sparse(&s, STN_F32);
    expect_ok(wrap_csr_views(&csr, "optimized", COLUMNS, &s.starts, &s.columns, &s.values));
    expect_ok(stn_matrix_mirror(device_exec, &there, csr));
    for (int k = STN_MATRIX_AUTO; k <= STN_MATRIX_SELL + 1; k++) {
        stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
        options.method = k == STN_MATRIX_AUTO ? STN_OPTIMIZE_TIMED : STN_OPTIMIZE_MODEL;
        options.kind = (stn_matrix_kind)(k % (STN_MATRIX_SELL + 1));
        expect_ok(stn_matrix_optimize(device_exec, STN_F64, there, 1000000, &options, NULL));
        assert_true(options.kind == STN_MATRIX_AUTO || there->optimized->kind == options.kind);
        compare("optimized", csr, there, STN_F64, k % 2 == 0 && options.kind ? 2 : 1);
    }
    stn_matrix_release(there);
    stn_matrix_release(csr);
}

TEST_CASE(complex_numbers_give_the_bits_of_the_host)
{
    static sparse s;
    stn_matrix *csr, *sell;
    device_seed = 9;
    make_sparse(&s, STN_C64);
    expect_ok(wrap_csr_views(&csr, "complex", COLUMNS, &s.starts, &s.columns, &s.values));
    check("complex", csr, STN_C128, 2);
    expect_ok(stn_sparse_convert(NULL, &sell, csr, STN_MATRIX_SELL, NULL));
    check("complex", sell, STN_C128, 1);
    stn_matrix_release(sell);
    expect_ok(stn_sparse_convert(NULL, &sell, csr, STN_MATRIX_SLICED, NULL));
    check("complex", sell, STN_C64, 2);
    stn_matrix_release(sell);
    stn_matrix_release(csr);
    make_sparse(&s, STN_F64);
    expect_ok(wrap_csr_views(&csr, "real", COLUMNS, &s.starts, &s.columns, &s.values));
    check("real times complex", csr, STN_C128, 1);
    stn_matrix_release(csr);
}

/* ---- compressed rows and slices in any format, vectors in any storage ---- */

/* Rows of up to three tiles, or, of one matrix in four, of up to 12, which fold as a tree; some are
 * empty. */
static int64_t any_row(int is_long)
{
    return chance(4) == 0 ? 0 : (int64_t)chance(is_long ? 1500 : chance(3) ? 9 : 385);
}

typedef struct rows {
    int64_t count, columns, start[41];
    int32_t *column;
    void *values;
    stn_storage storage;
    stn_matrix *here, *there;
} rows;

/* Every other one with values whose products and sums round; on the device in rows or in slices, of
 * which some have columns beside each other. */
static void make_rows(rows *s, int rounds_much)
{
    const int is_long = rounds_much || chance(4) == 0;
    const stn_format format =
        rounds_much ? (chance(2) ? STN_F32 : STN_F64) : any_format(ORACLE_FLOAT);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    s->storage = any_storage(ORACLE_FLOAT, format);
    s->count = (int64_t)chance(41);
    s->columns = 1 + (int64_t)chance(100);
    s->start[0] = 0;
    for (int64_t row = 0; row < s->count; row++)
        s->start[row + 1] = s->start[row] + any_row(is_long);
    const int64_t entries = s->start[s->count];
    s->column = malloc((size_t)(entries + 1) * sizeof *s->column);
    s->values = malloc((size_t)(entries + 1) * (size_t)info.bytes);
    assert_true(s->column && s->values);
    for (int64_t k = 0; k < entries; k++)
        s->column[k] = (int32_t)chance((uint64_t)s->columns);
    for (int64_t row = 0; row < s->count && s->columns > 60 && s->count > 20; row++)
        for (int64_t k = s->start[row]; k < s->start[row + 1]; k++)
            s->column[k] = (int32_t)(row + (k - s->start[row]) % 20);
    scatter(s->values, entries * info.bytes);
    if (rounds_much || chance(4))
        tame(format, s->values, entries * info.bytes);
    expect_ok(wrap_csr(&s->here, "sparse", s->storage, s->count, s->columns, s->start, s->column,
                       s->values));
    if (chance(2)) {
        expect_ok(stn_matrix_mirror(device_exec, &s->there, s->here));
        return;
    }
    stn_matrix *sliced;
    expect_ok(stn_sparse_convert(NULL, &sliced, s->here, STN_MATRIX_SLICED, NULL));
    expect_ok(stn_matrix_mirror(device_exec, &s->there, sliced));
    stn_matrix_release(sliced);
}

static void release_rows(rows *s)
{
    stn_matrix_release(s->here);
    stn_matrix_release(s->there);
    free(s->column);
    free(s->values);
}

static void try_rows(int k)
{
    static const double factors[][2] = {{1, 0}, {0.7, 0}, {1, -1.3}, {-0.3, 1}};
    const double alpha = factors[k % 4][0], beta = factors[k % 4][1];
    char what[400];
    rows s;
    make_rows(&s, k % 2);
    const stn_format arithmetic = chance(2) ? STN_F32 : STN_F64;
    const stn_storage sx = any_storage(ORACLE_FLOAT, any_format(ORACLE_FLOAT));
    const stn_storage sy = any_storage(ORACLE_FLOAT, any_format(ORACLE_FLOAT));
    twins x = any_twins(sx, 1, &s.columns), y = any_twins(sy, 1, &s.count);
    tame_twins(&x);
    snprintf(what, sizeof what, "spmv of %d x %d, %d of %s, in %s by %g and %g: %s to %s",
             (int)s.count, (int)s.columns, (int)s.start[s.count], row_of(s.storage.format)->name,
             row_of(arithmetic)->name, alpha, beta, row_of(sx.format)->name,
             row_of(sy.format)->name);
    expect_both(
        what, stn_spmv(host_exec, arithmetic, alpha, s.here, &x.host_part, beta, &y.host_part),
        stn_spmv(device_exec, arithmetic, alpha, s.there, &x.device_part, beta, &y.device_part));
    expect_numbers(&y, what);
    release_rows(&s);
    release_twins(&x);
    release_twins(&y);
}

TEST_CASE(rows_give_the_bits_of_the_host)
{
    const int rounds = oracle_count(1, 4, 100);
    for (int k = 0; k < rounds; k++)
        try_rows(k);
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
    expect_ok(stn_matrix_mirror(device_exec, &d->there, d->here));
}

typedef struct found {
    double x[UNKNOWNS], residuals[400];
    stn_solver_report solution;
} found;

/* With a limit of iterations, and after it from the checkpoint, in which x is. */
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
    solve(host_exec, d->here, &part, f);
    part.max_iterations = 0;
    solve(device_exec, d->there, &part, f);
    stn_checkpoint_release(part.checkpoint);
}

TEST_CASE(solvers_give_the_bits_of_the_host)
{
    static const stn_format bases[] = {STN_F64, STN_F16, STN_I16};
    static const stn_solver_method methods[] = {
        STN_SOLVER_GMRES,    STN_SOLVER_GMRES,  STN_SOLVER_GMRES,  STN_SOLVER_CG,
        STN_SOLVER_BICGSTAB, STN_SOLVER_MINRES, STN_SOLVER_FGMRES, STN_SOLVER_REFINEMENT,
        STN_SOLVER_GMRES,    STN_SOLVER_GMRES,  STN_SOLVER_GMRES};
    enum { KINDS = sizeof methods / sizeof *methods, FIRST_SKETCHED = 9 };
    static diagonals d;
    static found here, there, both;
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 0.1);
    for (int turn = 0; turn < 2 * KINDS; turn++) {
        const int k = turn % KINDS, is_single = turn >= KINDS;
        const int is_symmetric = k == 3 || k == 5 || k == 7, has_blocks = k == 8;
        const int has_basis = methods[k] == STN_SOLVER_GMRES || methods[k] == STN_SOLVER_FGMRES;
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = methods[k], .arithmetic = is_single ? STN_F32 : STN_F64,
            .relative_tolerance = is_single ? 1e-5 : 0.0, .restart = 12, .inner = &inner,
            .basis = has_basis ? stn_storage_of(bases[k % 3]) : (stn_storage){0},
            .basis_block = has_blocks ? 32 : 0,
            .orthogonalization = k >= FIRST_SKETCHED ? STN_ORTHOGONALIZATION_SKETCHED
                                                     : STN_ORTHOGONALIZATION_DEFAULT);
        make_diagonals(&d, is_symmetric ? 0.0 : 0.4);
        memset(&here, 0, sizeof here);
        memset(&there, 0, sizeof there);
        solve(host_exec, d.here, &solver, &here);
        solve(device_exec, d.there, &solver, &there);
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
        stn_matrix_release(d.here);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_give_the_bits_of_the_host),
        cmocka_unit_test(rows_give_the_bits_of_the_host),
        cmocka_unit_test(narrow_values_stay_narrow),
        cmocka_unit_test(kinds_give_the_bits_of_the_host),
        cmocka_unit_test(optimized_matrices_give_the_bits_of_the_host),
        cmocka_unit_test(complex_numbers_give_the_bits_of_the_host),
        cmocka_unit_test(solvers_give_the_bits_of_the_host)};
    return device_main(tests, COUNT_OF(tests), 1);
}
