/* Solvers of real and complex systems: every method against elimination in long double, every
 * format of a basis, the same bits on every executor, vectors in any storage. */
#include <math.h>
#include <stdio.h>

#include "solver/basis.h"
#include "linear_system.h"
#include "matrix.h"
#include "order_oracle.h"

static linear_system s;
static outcome o, other;

/* f64, or the narrow arithmetic type; of complex systems the complex one. */
static stn_format arithmetic_of(int is_complex, int is_narrow)
{
    static const stn_format formats[2][2] = {{STN_F64, STN_F32}, {STN_C128, STN_C64}};
    return formats[is_complex][is_narrow];
}

/* Does a method converge on such a system in f64, and in f32? */
static int converges(int method, system_kind kind, int is_narrow)
{
    if (traits[method].is_symmetric && kind >= GENERAL)
        return 0;
    return kind != INDEFINITE || !(traits[method].is_definite || is_narrow);
}

UNIT_TEST(test_methods)
{
    int solved = 0;
    for (int k = 0; k < 2 * SYSTEMS; k++) {
        const int is_complex = k % 2;
        const system_kind kind = (system_kind)(k / 2);
        if (kind == HELMHOLTZ && !is_complex)
            continue;
        system_make(&s, kind, is_complex);
        system_eliminate(&s);
        for (int way = 0; way < METHODS * 6; way++) {
            const int method = way / 6, is_narrow = way % 2, side = way / 2 % 3;
            if (oracle_leaves_out(k + way) || method == STN_SOLVER_REFINEMENT ||
                !converges(method, kind, is_narrow) || (side == 2 && !traits[method].has_left) ||
                (is_complex && kind == INDEFINITE && method == STN_SOLVER_BICGSTAB))
                continue;
            const stn_operator m = system_inverse(&s, traits[method].is_symmetric);
            const double relative = is_narrow ? 1e-5 : kind == INDEFINITE ? 1e-12 : 1e-11;
            const stn_solver_options solver = STN_INIT(
                stn_solver_options, .method = (stn_solver_method)method,
                .arithmetic = arithmetic_of(is_complex, is_narrow), .relative_tolerance = relative,
                .restart = s.rows, .preconditioner = side ? &m : NULL,
                .side = side == 2 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT);
            char what[80];
            system_solve(order_use(1), &solver, &s, &o);
            snprintf(what, sizeof what, "complex %d, system %d, %s, narrow %d, preconditioner %d",
                     is_complex, (int)kind, traits[method].name, is_narrow, side);
            expect_solved(&s, &o, relative, what);
            solved++;
        }
    }
    assert_true(solved >= (oracle_leaves_out(1) ? 30 : 110));
}

/* Another diagonal at each call. */
static stn_status vary(void *context, const stn_exec *exec, stn_format arithmetic,
                       const stn_view *x, const stn_view *y)
{
    int *const calls = context;
    number factor = 0.22 + 0.04 * (++*calls % 3);
    return system_diagonal(&factor, exec, arithmetic, x, y);
}

/* One cycle of flexible GMRES is enough: its recurrence has the residual. That of GMRES has not. */
UNIT_TEST(test_flexible)
{
    static const stn_format bases[] = {STN_F64, STN_F32, STN_I16};
    for (int k = 0; k < 6; k++) {
        const int is_complex = k % 2, basis = k / 2;
        int calls = 0;
        stn_operator m;
        system_make(&s, GENERAL, is_complex);
        system_eliminate(&s);
        expect_ok(stn_operator_create(&m, "it varies", s.rows, vary, &calls));
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_FGMRES,
                     .arithmetic = arithmetic_of(is_complex, 0),
                     .relative_tolerance = basis == 2 ? 3e-4 : 1e-6,
                     .basis = stn_storage_of(bases[basis]), .preconditioner = &m);
        system_solve(order_use(1), &solver, &s, &o);
        expect_solved(&s, &o, solver.relative_tolerance, "flexible GMRES");
        assert_int_equal(o.solution.restarts, 0);
        solver.method = STN_SOLVER_GMRES;
        system_solve(order_use(1), &solver, &s, &o);
        assert_true(o.status == STN_ERR_CONVERGENCE || o.solution.restarts > 0);
    }
}

/* Formats of few digits take more restarts and reach the same x; only integers have blocks. */
UNIT_TEST(test_bases)
{
    const stn_exec *const exec = order_use(1);
    int solved = 0;
    for (int k = 0; k < 2 * STN_BUILTIN_FORMATS; k++) {
        const stn_format format = (stn_format)(k % STN_BUILTIN_FORMATS);
        const int is_complex = k / STN_BUILTIN_FORMATS;
        stn_format_info info = STN_FORMAT_INFO_INIT;
        expect_ok(stn_format_describe(format, &info));
        stn_solver_options solver = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES,
                                             .arithmetic = arithmetic_of(is_complex, 0),
                                             .restart = 12, .basis = stn_storage_of(format));
        if (k % STN_BUILTIN_FORMATS == 0) {
            system_make(&s, GENERAL, is_complex);
            system_eliminate(&s);
        }
        system_solve(exec, &solver, &s, &o);
        if (info.kind == STN_CLASS_COMPLEX ? !is_complex : !info.is_signed) {
            assert_int_equal(o.status, STN_ERR_UNSUPPORTED);
            continue;
        }
        expect_solved(&s, &o, 1e-10, info.name);
        solved++;
        if (oracle_leaves_out(k))
            continue;
        solver.basis_block = 32;
        system_solve(exec, &solver, &s, &o);
        if (info.kind == STN_CLASS_INTEGER)
            expect_solved(&s, &o, 1e-10, info.name);
        else
            assert_int_equal(o.status, STN_ERR_UNSUPPORTED);
        solver.basis_block = 16;
        system_solve(exec, &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_ARGUMENT);
    }
    assert_true(solved >= 21);
}

/* A complex format of the basis is the format of its parts. */
UNIT_TEST(test_pairs)
{
    static const stn_format of[][2] = {{STN_F64, STN_C128}, {STN_F32, STN_C64}, {STN_F16, STN_C32}};
    system_make(&s, GENERAL, 1);
    for (int k = 0; k < 3; k++) {
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_C128);
        solver.basis = stn_storage_of(of[k][0]);
        system_solve(order_use(1), &solver, &s, &o);
        solver.basis = stn_storage_of(of[k][1]);
        system_solve(order_use(1), &solver, &s, &other);
        expect_same_bits(&o, &other, "pairs");
    }
}

/* The largest error of an element of a stored vector: small elements in blocks without large ones
 * keep their digits if each block has a scale. */
static double error_of_small(int64_t block)
{
    static const int64_t n = 150;
    static double w[150], v[150];
    const stn_storage f64 = stn_storage_of(STN_F64);
    const stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .basis = stn_storage_of(STN_I8),
                 .basis_block = block);
    const stn_solver_state state = {.exec = order_use(1),
                                    .options = &solver,
                                    .numbers = STN_F64,
                                    .arithmetic = STN_F64,
                                    .n = n,
                                    .length = n};
    stn_basis basis = {0};
    stn_view from, to;
    double error = 0.0;
    for (int i = 0; i < n; i++)
        w[i] = i < 32 ? 0.1 : 1e-6 * i;
    expect_ok(stn_view_wrap(&from, "w", f64, w, 1, &n));
    expect_ok(stn_view_wrap(&to, "v", f64, v, 1, &n));
    expect_ok(stn_basis_create(&state, 1, &basis));
    expect_ok(stn_basis_set(&state, &basis, 0, &from, 1.0, 1.0, &to));
    stn_basis_release(&basis);
    for (int i = 32; i < n; i++)
        error = fmax(error, fabs(v[i] - w[i]));
    return error;
}

UNIT_TEST(test_blocks_are_finer)
{
    const double plain = error_of_small(0), blocks = error_of_small(32);
    assert_true(plain > 1e-4 && blocks <= 1e-6 && blocks > 0.0);
}

/* A narrow basis needs at most 1.15 times the iterations of a wide one, with a preconditioner that
 * solves in few iterations too: the first vectors of its cycles are stored wide. */
UNIT_TEST(test_iterations)
{
    static const stn_format bases[] = {STN_F32, STN_F16, STN_BF16, STN_I16, STN_I8, STN_E4M3};
    for (int k = 0; k < 12; k++) {
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .restart = k % 2 ? 80 : 12);
        system_diagonals(&s, 0.6, 0.0);
        system_solve(order_use(1), &solver, &s, &o);
        expect_ok(o.status);
        solver.basis = stn_storage_of(bases[k / 2]);
        system_solve(order_use(1), &solver, &s, &other);
        expect_ok(other.status);
        if ((double)other.solution.iterations > 1.15 * (double)o.solution.iterations)
            fail_msg("basis %d, restart %d: %d iterations, not %d", (int)bases[k / 2],
                     (int)solver.restart, (int)other.solution.iterations,
                     (int)o.solution.iterations);
    }
}

/* The matrix of the inner solver in f16 or pairs of it, and its arithmetic in f32 or c64. */
UNIT_TEST(test_refinement)
{
    static const struct {
        int is_complex;
        system_kind kind;
        stn_solver_method inner;
        stn_format values;
    } cases[] = {{0, POSITIVE, STN_SOLVER_CG, STN_F16},
                 {1, POSITIVE, STN_SOLVER_CG, STN_C32},
                 {1, HELMHOLTZ, STN_SOLVER_GMRES, STN_C32}};
    static stn_f16 codes[2 * MOST_ENTRIES];
    const stn_storage f16 = stn_storage_of(STN_F16);
    for (int k = 0; k < 3; k++) {
        const int is_complex = cases[k].is_complex;
        stn_matrix *narrow;
        stn_operator approximation;
        system_make(&s, cases[k].kind, is_complex);
        system_eliminate(&s);
        expect_ok(stn_encode(STN_F64, &f16, codes, 1, 0,
                             is_complex ? (void *)s.pairs : (void *)s.value,
                             (is_complex + 1) * s.start[s.rows]));
        expect_ok(wrap_csr(&narrow, "narrow", stn_storage_of(cases[k].values), s.rows, s.rows,
                           s.start, s.column, codes));
        expect_ok(stn_operator_of_matrix(&approximation, narrow));
        stn_solver_options inner = narrow_inner[is_complex];
        inner.method = cases[k].inner;
        inner.max_iterations = 60;
        inner.basis = basis_of(inner.method, STN_C32);
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT,
                     .arithmetic = arithmetic_of(is_complex, 0), .relative_tolerance = 1e-13,
                     .inner = &inner, .inner_operator = &approximation);
        system_solve(order_use(1), &solver, &s, &o);
        expect_solved(&s, &o, 1e-13, "refinement");
        assert_true(o.solution.inner_iterations > o.solution.iterations);
        assert_int_equal(o.solution.restarts, o.solution.iterations);
        stn_matrix_release(narrow);
    }
}

/* Solvers whose bits are compared; the basis is ignored by methods without one. */
static const struct bits_case {
    stn_solver_method method;
    stn_format basis, complex_basis;
    int block, has_inverse, side, is_narrow;
} bits_cases[] = {
    {STN_SOLVER_GMRES, STN_F64, STN_C128, 0, 0, 0, 0},
    {STN_SOLVER_GMRES, STN_F32, STN_C64, 0, 0, 0, 0},
    {STN_SOLVER_GMRES, STN_F16, STN_C32, 0, 0, 0, 0},
    {STN_SOLVER_GMRES, STN_I16, STN_I16, 0, 0, 0, 1},
    {STN_SOLVER_GMRES, STN_I8, STN_I8, 0, 0, 0, 0},
    {STN_SOLVER_GMRES, STN_BF16, STN_BF16, 0, 0, 0, 0},
    {STN_SOLVER_GMRES, STN_I8, STN_I8, 32, 0, 0, 0},
    {STN_SOLVER_FGMRES, STN_I8, STN_C32, 0, 1, 0, 0},
    {STN_SOLVER_CG, STN_F64, STN_F64, 0, 0, 0, 0},
    {STN_SOLVER_REFINEMENT, STN_F64, STN_F64, 0, 0, 0, 0},
    {STN_SOLVER_BICGSTAB, STN_F64, STN_F64, 0, 1, 0, 0},
    {STN_SOLVER_BICGSTAB, STN_F64, STN_F64, 0, 1, 1, 1},
    {STN_SOLVER_MINRES, STN_F64, STN_F64, 0, 1, 0, 0},
    /* only real */
    {STN_SOLVER_GMRES, STN_I16, STN_F64, 32, 1, 0, 0},
    {STN_SOLVER_GMRES, STN_I32, STN_F64, 32, 1, 0, 0},
    {STN_SOLVER_FGMRES, STN_I16, STN_F64, 32, 1, 0, 0},
};
enum { BITS_CASES = sizeof bits_cases / sizeof *bits_cases, REAL_CASES = 3 };

UNIT_TEST(test_same_bits)
{
    for (int k = 0; k < 2 * BITS_CASES - REAL_CASES; k++) {
        const int is_complex = k >= BITS_CASES;
        const struct bits_case *const one = &bits_cases[k % BITS_CASES];
        char what[80];
        if (oracle_leaves_out(k))
            continue;
        system_make(&s, traits[one->method].is_symmetric ? POSITIVE : GENERAL, is_complex);
        const stn_operator m = system_inverse(&s, 1);
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = one->method,
                     .arithmetic = arithmetic_of(is_complex, one->is_narrow),
                     .relative_tolerance = one->is_narrow ? 1e-5 : 1e-10, .restart = 25,
                     .basis = basis_of(one->method, is_complex ? one->complex_basis : one->basis),
                     .basis_block = one->block, .preconditioner = one->has_inverse ? &m : NULL,
                     .side = one->side ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT,
                     .inner = &narrow_inner[is_complex]);
        system_solve(order_use(0), &solver, &s, &o);
        expect_ok(o.status);
        for (int setting = 1; setting < order_settings(); setting++) {
            if (!order_has_turn(setting, k))
                continue;
            system_solve(order_use(setting), &solver, &s, &other);
            snprintf(what, sizeof what, "case %d, complex %d, on %s", k % BITS_CASES, is_complex,
                     order_setting_name(setting));
            expect_same_bits(&o, &other, what);
        }
    }
}

/* Every orthogonalization in real and complex arithmetic of both widths, with plain, narrow and
 * blocked bases, converges, and to the same bits with every setting. */
UNIT_TEST(test_orthogonalizations)
{
    static const stn_format bases[] = {STN_F64, STN_F32, STN_F16, STN_I16, STN_I8, STN_I16};
    for (int k = 0; k < 6 * ORTHOGONALIZATIONS; k++) {
        const int which = k % 6, is_complex = (k + k / 6) % 2, is_narrow = which == 1 || which == 3;
        char what[80];
        if (oracle_leaves_out(k + k / 6))
            continue;
        system_make(&s, GENERAL, is_complex);
        const stn_operator m = system_inverse(&s, 1);
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = k % 3 ? STN_SOLVER_GMRES : STN_SOLVER_FGMRES,
                     .arithmetic = arithmetic_of(is_complex, is_narrow),
                     .relative_tolerance = is_narrow ? 1e-5 : 1e-10, .restart = 20,
                     .basis = stn_storage_of(bases[which]), .basis_block = which == 5 ? 32 : 0,
                     .preconditioner = k % 5 ? &m : NULL,
                     .orthogonalization = (stn_orthogonalization)(k / 6));
        snprintf(what, sizeof what, "orthogonalization %d, basis %d, complex %d", k / 6, which,
                 is_complex);
        system_solve(order_use(0), &solver, &s, &o);
        expect_ok_for(o.status, what);
        assert_true(system_residual(&s, o.x) <= 1.01 * (is_narrow ? 1e-5 : 1e-10));
        for (int setting = 1; setting < order_settings(); setting++) {
            if (!order_has_turn(setting, k))
                continue;
            system_solve(order_use(setting), &solver, &s, &other);
            expect_same_bits(&o, &other, what);
        }
    }
}

/* b in 16 bits with a scale, and x in f32 at a stride of three; complex ones in pairs. */
UNIT_TEST(test_any_views)
{
    static float x[MOST_ROWS][3][2];
    static int16_t b[MOST_ROWS];
    static stn_f16 pairs[2 * MOST_ROWS];
    const stn_storage f16 = stn_storage_of(STN_F16);
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        const stn_solver_options solver = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES,
                                                   .arithmetic = arithmetic_of(is_complex, 0));
        stn_storage storage = stn_storage_of(is_complex ? STN_C32 : STN_I16);
        stn_view from, to;
        system_make(&s, GENERAL, is_complex);
        const int64_t rows = s.rows, stride = is_complex ? 3 : 6;
        storage.scale = is_complex ? 0.25 : 1.0 / 7.0;
        memset(x, 0, sizeof x);
        for (int i = 0; i < rows; i++) {
            s.b[i] = is_complex ? (double)(i % 9) - (double)(i % 5) * I : 7.0 + (i * 37) % 11;
            b[i] = (int16_t)creal(s.b[i]);
        }
        expect_ok(stn_encode(STN_F64, &f16, pairs, 1, 0, s.b, 2 * rows));
        for (int i = 0; i < rows; i++)
            s.b[i] *= storage.scale;
        expect_ok(
            stn_view_wrap(&from, "b", storage, is_complex ? (void *)pairs : (void *)b, 1, &rows));
        expect_ok(stn_view_wrap_spec(
            &to,
            &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(is_complex ? STN_C64 : STN_F32),
                           .data = x, .rank = 1, .extents = &rows, .strides = &stride)));
        expect_ok(stn_solve(order_use(0), &to, &s.a, &from, &solver, NULL));
        for (int i = 0; i < rows; i++) {
            o.x[i] = (double)x[i][0][0] + (double)x[i][0][1] * I;
            assert_true(x[i][1][0] == 0 && x[i][2][1] == 0);
        }
        assert_true(system_residual(&s, o.x) <= 1e-6);
    }
}

/* Complex systems on a device, with a mirror of the matrix; test_device_blas solves real ones. */
UNIT_TEST(test_device)
{
    static const struct {
        stn_solver_method method;
        system_kind kind;
        stn_orthogonalization orthogonalization;
    } cases[] = {{STN_SOLVER_CG, POSITIVE, STN_ORTHOGONALIZATION_DEFAULT},
                 {STN_SOLVER_BICGSTAB, GENERAL, STN_ORTHOGONALIZATION_DEFAULT},
                 {STN_SOLVER_GMRES, GENERAL, STN_ORTHOGONALIZATION_DEFAULT},
                 {STN_SOLVER_GMRES, GENERAL, STN_ORTHOGONALIZATION_SKETCHED},
                 {STN_SOLVER_MINRES, INDEFINITE, STN_ORTHOGONALIZATION_DEFAULT}};
    enum { CASES = sizeof cases / sizeof *cases };
    stn_exec *device;
    stn_matrix *mirror;
    if (stn_exec_create(&device, "opencl") != STN_OK)
        skip();
    for (int turn = 0; turn < 2 * CASES; turn++) {
        const stn_solver_method method = cases[turn % CASES].method;
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = method, .arithmetic = arithmetic_of(1, turn / CASES),
            .max_iterations = 12, .restart = 5, .basis = basis_of(method, STN_C32),
            .orthogonalization = cases[turn % CASES].orthogonalization);
        system_make(&s, cases[turn % CASES].kind, 1);
        system_solve(order_use(0), &solver, &s, &o);
        expect_ok(stn_matrix_mirror(device, &mirror, s.matrix));
        expect_ok(stn_operator_of_matrix(&s.a, mirror));
        system_solve(device, &solver, &s, &other);
        assert_int_equal(o.status, other.status);
        assert_int_equal(o.solution.history_count, 12);
        expect_same_bits(&o, &other, traits[method].name);
        stn_matrix_release(mirror);
    }
    stn_exec_release(device);
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
