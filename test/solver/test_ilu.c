/* ILU(0) and IC(0) of real and complex matrices against elimination in long double that skips what
 * is not in the pattern: formats, kinds of matrices, columns in any order, the same bits on every
 * executor, in solvers. */
#include <stdlib.h>

#include "preconditioner.h"
#include "steno/ilu.h"

enum { EDGE = 9 };

static linear_system s;
static outcome o, first;
static const int64_t whole[] = {0, EDGE *EDGE};

static stn_format type_of(int is_complex)
{
    return is_complex ? STN_C128 : STN_F64;
}

/* A 9-point stencil with some entries missing, so that elimination fills in; columns are in a
 * random order. */
static void make_stencil(int is_complex, int is_symmetric)
{
    uint64_t state = 11;
    system_clear(&s, EDGE * EDGE, is_complex);
    s.shuffle = 11;
    for (int i = 0; i < s.rows; i++)
        for (int j = 0; j < s.rows; j++) {
            const int far = abs(i % EDGE - j % EDGE) > 1 || abs(i / EDGE - j / EDGE) > 1;
            if (far || (i != j && order_next(&state) % 5 == 0))
                continue;
            const number imaginary = is_complex ? draw(&state) * I : 0.0;
            system_store(&s, i, j,
                         i == j
                             ? 4.5 + draw(&state) + (is_symmetric ? 0.0 : 2 * imaginary)
                             : (is_complex ? -0.4 : -0.5) + 0.5 * draw(&state) + 0.7 * imaginary);
        }
    for (int i = 0; i < s.rows && is_symmetric; i++)
        for (int j = 0; j < i; j++) {
            s.dense[j][i] = conj(s.dense[i][j]);
            s.is_stored[j][i] = s.is_stored[i][j];
        }
    draw_vector(&s, s.b, 12);
    system_wrap(&s);
}

/* L below the diagonal of `factors`, U from it on. */
static wide factors[MOST_ROWS][MOST_ROWS];

static void eliminate(void)
{
    for (int i = 0; i < s.rows; i++)
        for (int j = 0; j < s.rows; j++)
            factors[i][j] = s.dense[i][j];
    for (int k = 0; k < s.rows; k++)
        for (int i = k + 1; i < s.rows; i++) {
            if (!s.is_stored[i][k])
                continue;
            factors[i][k] /= factors[k][k];
            for (int j = k + 1; j < s.rows; j++)
                if (s.is_stored[i][j] && s.is_stored[k][j])
                    factors[i][j] -= factors[i][k] * factors[k][j];
        }
}

static void substitute(wide *x)
{
    for (int i = 0; i < s.rows; i++)
        for (int j = 0; j < i; j++)
            x[i] -= factors[i][j] * x[j];
    for (int i = s.rows - 1; i >= 0; i--) {
        for (int j = i + 1; j < s.rows; j++)
            x[i] -= factors[i][j] * x[j];
        x[i] /= factors[i][i];
    }
}

static stn_preconditioner *make(const stn_exec *exec, const stn_matrix *a, int kind,
                                const stn_format *format)
{
    const stn_ilu_options options =
        STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind, .format = format);
    stn_preconditioner *m;
    expect_ok(stn_ilu_create(exec, &m, a, &options));
    return m;
}

static double error(const stn_preconditioner *m, stn_format arithmetic)
{
    return error_of(order_use(1), m, &s, arithmetic, whole, 1, substitute);
}

/* ---- factors ---- */

UNIT_TEST(test_factors)
{
    for (int k = 0; k < 4; k++) {
        const int is_complex = k / 2, kind = k % 2;
        make_stencil(is_complex, kind == STN_IC0);
        eliminate();
        for (stn_matrix_kind other = STN_MATRIX_CSR; other <= STN_MATRIX_SLICED; other++) {
            stn_matrix *a;
            if (oracle_leaves_out(k + (int)other))
                continue;
            expect_ok(stn_sparse_convert(NULL, &a, s.matrix, other, NULL));
            stn_preconditioner *const m = make(order_use(1), a, kind, NULL);
            stn_matrix_release(a);
            assert_int_equal(operator_of(m).rows, s.rows);
            if (!(error(m, type_of(is_complex)) < 1e-14))
                fail_msg("kind %d of %d: error %g", kind, (int)other,
                         error(m, type_of(is_complex)));
            assert_true(error(m, STN_C64) < 1e-5 || !is_complex);
            stn_preconditioner_release(m);
        }
    }
}

/* Elements above the diagonal are not read, and U is the adjoint of the rounded L, so that M is
 * Hermitian but for roundings of its application. */
UNIT_TEST(test_lower_triangle)
{
    static const stn_format formats[] = {STN_F64, STN_C32};
    static const double bounds[] = {1e-14, 2e-3};
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        number x[MOST_ROWS], y[MOST_ROWS], mx[MOST_ROWS], my[MOST_ROWS];
        wide left = 0, right = 0;
        make_stencil(is_complex, 1);
        eliminate();
        for (int i = 0; i < s.rows; i++)
            for (int j = i + 1; j < s.rows; j++) {
                s.is_stored[i][j] = (i + j) % 3 == 0;
                s.dense[i][j] = 3 + (is_complex ? 7 * I : 0);
            }
        system_wrap(&s);
        stn_preconditioner *const m = make(order_use(1), s.matrix, STN_IC0, &formats[is_complex]);
        assert_true(error(m, type_of(is_complex)) < bounds[is_complex]);
        draw_vector(&s, x, 6);
        draw_vector(&s, y, 7);
        apply(order_use(1), m, type_of(is_complex), x, mx);
        apply(order_use(1), m, type_of(is_complex), y, my);
        for (int i = 0; i < s.rows; i++) {
            left += conjl((wide)y[i]) * (wide)mx[i];
            right += conjl((wide)my[i]) * (wide)x[i];
        }
        assert_true(cabsl(left - right) < 1e-14L * cabsl(left) + 1e-15L);
        stn_preconditioner_release(m);
    }
}

/* The error of factors in every format; a real format of complex factors stores pairs. */
UNIT_TEST(test_formats)
{
    int tried = 0;
    for (int k = 0; k < 4; k++) {
        const int is_complex = k / 2, kind = k % 2;
        int64_t wide_bytes = 0;
        make_stencil(is_complex, kind == STN_IC0);
        eliminate();
        for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
            const stn_ilu_options options =
                STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind, .format = &format);
            stn_format_info info = STN_FORMAT_INFO_INIT, part = STN_FORMAT_INFO_INIT;
            stn_preconditioner *m;
            expect_ok(stn_format_describe(format, &info));
            expect_ok(stn_format_describe(info.kind == STN_CLASS_COMPLEX ? info.component : format,
                                          &part));
            const stn_status status = stn_ilu_create(order_use(1), &m, s.matrix, &options);
            const int has_pairs = format == STN_F64 || format == STN_F32 || format == STN_F16;
            if (is_complex ? !has_pairs && info.kind != STN_CLASS_COMPLEX
                           : info.kind == STN_CLASS_COMPLEX || !info.is_signed) {
                assert_int_equal(status, STN_ERR_UNSUPPORTED);
                continue;
            }
            expect_ok(status);
            const double digits = part.kind == STN_CLASS_INTEGER ? 8.0 * (double)part.bytes - 2
                                                                 : part.fraction_bits + 1;
            const double found = error(m, type_of(is_complex)), unit = pow(2.0, -digits);
            if (!(found <= 4 * unit + 1e-14) || (digits < 40 && found < unit / 500))
                fail_msg("complex %d, %s: error %g", is_complex, info.name, found);
            wide_bytes = digits == 53 ? info_of(m).bytes : wide_bytes;
            assert_true(digits >= 53 || info_of(m).bytes < wide_bytes);
            stn_preconditioner_release(m);
            tried++;
        }
    }
    assert_true(tried >= 28);
}

/* Factors out of the range of a narrow format have a scale. */
UNIT_TEST(test_ranges)
{
    static const stn_format formats[] = {STN_F16, STN_BF16, STN_F32, STN_I16};
    make_stencil(0, 0);
    for (int i = 1; i < s.rows; i += 2)
        for (int j = 0; j < s.rows; j++)
            s.dense[i][j] *= 0x1p135; /* L has entries up to 2^132, U is unchanged */
    system_wrap(&s);
    for (int k = 0; k < COUNT_OF(formats); k++) {
        stn_preconditioner *const m = make(order_use(1), s.matrix, STN_ILU0, &formats[k]);
        assert_int_equal(factors_of(m)->pivots.storage.format, STN_F64);
        assert_true(factors_of(m)->lower.strict.storage.scale > 1.0);
        stn_preconditioner_release(m);
    }
}

/* ---- in solvers ---- */

/* Factors halve the iterations; in 16 bits they take at most two more, with the same bits on every
 * executor. */
UNIT_TEST(test_in_solvers)
{
    static const stn_format narrow_formats[] = {STN_F16, STN_C32};
    for (int k = 0; k < 4; k++) {
        const int is_complex = k / 2, kind = k % 2;
        const stn_solver_method method = kind ? STN_SOLVER_CG : STN_SOLVER_GMRES;
        make_stencil(is_complex, kind);
        stn_preconditioner *const wide_one = make(order_use(1), s.matrix, kind, NULL),
                                  *const narrow = make(order_use(1), s.matrix, kind,
                                                       &narrow_formats[is_complex]);
        const int64_t without = solve_with(order_use(0), &s, NULL, method, &o);
        const int64_t with = solve_with(order_use(0), &s, wide_one, method, &o);
        assert_true(2 * with <= without);
        for (int setting = 0; setting < order_settings(); setting++) {
            if (!order_has_turn(setting, 0) || (is_complex && setting > 1)) /* test_executors */
                continue;
            assert_true(solve_with(order_use(setting), &s, narrow, method, setting ? &o : &first) <=
                        with + 2);
            if (setting)
                expect_same_bits(&first, &o, order_setting_name(setting));
        }
        stn_preconditioner_release(wide_one);
        stn_preconditioner_release(narrow);
    }
}

/* A device computes the bits of the host. Narrow real factors have narrow pivots. */
UNIT_TEST(test_device)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_BF16, STN_I16, STN_C128};
    stn_exec *const device = open_opencl();
    for (int k = 0; k < COUNT_OF(formats); k++) {
        const int is_complex = formats[k] == STN_C128;
        number from[MOST_ROWS], here[MOST_ROWS] = {0}, there[MOST_ROWS] = {0};
        stn_matrix *mirror = NULL;
        make_stencil(is_complex, 0);
        draw_vector(&s, from, 9);
        stn_preconditioner *m = make(order_use(1), s.matrix, STN_ILU0, &formats[k]);
        assert_true(is_complex || factors_of(m)->pivots.storage.format == (k ? STN_F32 : STN_F64));
        apply(order_use(1), m, type_of(is_complex), from, here);
        stn_preconditioner_release(m);
        if (is_complex)
            expect_ok(stn_matrix_mirror(device, &mirror, s.matrix));
        m = make(device, mirror ? mirror : s.matrix, STN_ILU0, &formats[k]);
        apply(device, m, type_of(is_complex), from, there);
        assert_memory_equal(here, there, sizeof here);
        stn_preconditioner_release(m);
        stn_matrix_release(mirror);
    }
    stn_exec_release(device);
}

/* Factors of a complex matrix have the same bits on every executor, which also computes them. */
UNIT_TEST(test_executors)
{
    number from[MOST_ROWS], expected[MOST_ROWS] = {0}, found[MOST_ROWS] = {0};
    for (int k = 0; k < 2 * order_settings(); k++) {
        const int setting = k / 2, kind = k % 2;
        if (!order_has_turn(setting, kind))
            continue;
        make_stencil(1, kind);
        draw_vector(&s, from, 8);
        stn_preconditioner *m = make(order_use(0), s.matrix, kind, NULL);
        apply(order_use(0), m, STN_C128, from, expected);
        stn_preconditioner_release(m);
        m = make(order_use(setting), s.matrix, kind, NULL);
        apply(order_use(setting), m, STN_C128, from, found);
        stn_preconditioner_release(m);
        if (memcmp(found, expected, sizeof found) != 0)
            fail_msg("kind %d on %s: other bits", kind, order_setting_name(setting));
    }
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
