/* Incomplete factors and block-Jacobi of complex matrices against elimination in complex long
 * double: kinds, formats, formats chosen; of real matrices in complex arithmetic part by part; the
 * same bits on every executor; and what is refused. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "preconditioner.h"
#include "matrix.h"
#include "steno/block_jacobi.h"
#include "steno/complex.h"
#include "steno/ilu.h"
#include "check.h"

enum { EDGE = 8, ROWS = EDGE * EDGE, MOST = ROWS * ROWS, BLOCK = 4 };

typedef long double complex wide;

typedef struct problem {
    stn_c128 dense[ROWS][ROWS];
    int in[ROWS][ROWS]; /* the pattern */
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    stn_c128 value[MOST];
    stn_matrix *matrix;
} problem;

static wide wide_of(stn_c128 z)
{
    return (long double)z.re + (long double)z.im * I;
}

/* Rows from `dense` and its pattern, the last column first. */
static void make_rows(problem *s)
{
    int64_t at = 0;
    for (int i = 0; i < ROWS; i++) {
        s->start[i] = at;
        for (int j = ROWS - 1; j >= 0; j--)
            if (s->in[i][j]) {
                s->column[at] = j;
                s->value[at++] = s->dense[i][j];
            }
    }
    s->start[ROWS] = at;
    expect_ok(wrap_csr(&s->matrix, "mike", stn_storage_of(STN_C128), ROWS, ROWS, s->start,
                       s->column, s->value));
}

static void make_adjoint(problem *s)
{
    for (int i = 0; i < ROWS; i++) {
        s->dense[i][i].im = 0;
        for (int j = 0; j < i; j++) {
            s->in[j][i] = s->in[i][j];
            s->dense[j][i] = stn_c128_conj(s->dense[i][j]);
        }
    }
}

/* A 9-point stencil with entries left out here and there. */
static void make_stencil(problem *s, int is_hermitian)
{
    uint64_t state = 11;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            const int far = abs(i % EDGE - j % EDGE) > 1 || abs(i / EDGE - j / EDGE) > 1;
            if (far || (i != j && order_next(&state) % 5 == 0))
                continue;
            s->in[i][j] = 1;
            s->dense[i][j] = i == j ? stn_c128_of(4.5 + draw(&state), 2 * draw(&state))
                                    : stn_c128_of(-0.4 + 0.5 * draw(&state), 0.7 * draw(&state));
        }
    if (is_hermitian)
        make_adjoint(s);
    make_rows(s);
}

/* Hermitian blocks of conditions 1 to 10^9 in turn, I - (1 - 1 / worst) v v^H / v^H v; without them
 * all of one. */
static void make_blocks(problem *s, double condition)
{
    uint64_t state = 17;
    memset(s, 0, sizeof *s);
    for (int b = 0; b < ROWS / BLOCK; b++) {
        const double worst = condition > 0 ? condition : pow(10.0, b % 10);
        stn_c128 v[BLOCK];
        double square = 0;
        for (int i = 0; i < BLOCK; i++) {
            v[i] = stn_c128_of(draw(&state), draw(&state));
            square += v[i].re * v[i].re + v[i].im * v[i].im;
        }
        for (int i = 0; i < BLOCK; i++)
            for (int j = 0; j < BLOCK; j++) {
                const double factor = (1 - 1 / worst) / square;
                const stn_c128 product = stn_c128_multiply(v[i], stn_c128_conj(v[j]));
                s->in[b * BLOCK + i][b * BLOCK + j] = 1;
                s->dense[b * BLOCK + i][b * BLOCK + j] =
                    stn_c128_of((i == j) - factor * product.re, -factor * product.im);
            }
    }
    make_adjoint(s);
    make_rows(s);
}

/* ---- oracles ---- */

/* L below the diagonal, U from it on. */
static wide factors[ROWS][ROWS];

static void eliminate(const problem *s)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            factors[i][j] = wide_of(s->dense[i][j]);
    for (int k = 0; k < ROWS; k++)
        for (int i = k + 1; i < ROWS; i++) {
            if (!s->in[i][k])
                continue;
            factors[i][k] /= factors[k][k];
            for (int j = k + 1; j < ROWS; j++)
                if (s->in[i][j] && s->in[k][j])
                    factors[i][j] -= factors[i][k] * factors[k][j];
        }
}

static void substitute(wide *x)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < i; j++)
            x[i] -= factors[i][j] * x[j];
    for (int i = ROWS - 1; i >= 0; i--) {
        for (int j = i + 1; j < ROWS; j++)
            x[i] -= factors[i][j] * x[j];
        x[i] /= factors[i][i];
    }
}

/* x = B^-1 x of each block, by elimination with pivots. */
static void solve_blocks(const problem *s, wide *x)
{
    for (int first = 0; first < ROWS; first += BLOCK) {
        wide a[BLOCK][BLOCK + 1], kept[BLOCK + 1];
        for (int i = 0; i < BLOCK; i++) {
            for (int j = 0; j < BLOCK; j++)
                a[i][j] = wide_of(s->dense[first + i][first + j]);
            a[i][BLOCK] = x[first + i];
        }
        for (int c = 0; c < BLOCK; c++) {
            int pivot = c;
            for (int i = c; i < BLOCK; i++)
                pivot = cabsl(a[i][c]) > cabsl(a[pivot][c]) ? i : pivot;
            memcpy(kept, a[c], sizeof kept);
            memcpy(a[c], a[pivot], sizeof kept);
            memcpy(a[pivot], kept, sizeof kept);
            for (int i = 0; i < BLOCK; i++) {
                const wide factor = a[i][c] / a[c][c];
                for (int j = c; j <= BLOCK && i != c; j++)
                    a[i][j] -= factor * a[c][j];
            }
        }
        for (int i = 0; i < BLOCK; i++)
            x[first + i] = a[i][BLOCK] / a[i][i];
    }
}

static void draw_vector(stn_c128 *x, uint64_t seed)
{
    for (int i = 0; i < ROWS; i++)
        x[i] = stn_c128_of(draw(&seed), draw(&seed));
}

/* Of M x over its largest element; `s` where blocks are asked for. */
static double error_of(const stn_exec *exec, const stn_operator *op, stn_format arithmetic,
                       const problem *s)
{
    stn_c128 from[ROWS], to[ROWS];
    stn_c64 narrow[ROWS], found[ROWS];
    wide x[ROWS];
    long double worst = 0, most = 0;
    draw_vector(from, 5);
    for (int i = 0; i < ROWS; i++) {
        narrow[i] = stn_c64_of((float)from[i].re, (float)from[i].im);
        x[i] = wide_of(from[i]);
    }
    if (arithmetic == STN_C128)
        apply_operator(exec, op, STN_C128, from, to);
    else
        apply_operator(exec, op, STN_C64, narrow, found);
    s ? solve_blocks(s, x) : substitute(x);
    for (int i = 0; i < ROWS; i++) {
        if (arithmetic == STN_C64)
            to[i] = stn_c128_of((double)found[i].re, (double)found[i].im);
        worst = fmaxl(worst, cabsl(wide_of(to[i]) - x[i]));
        most = fmaxl(most, cabsl(x[i]));
    }
    return (double)(worst / most);
}

/* ---- incomplete factors ---- */

static void test_factors(void **unused)
{
    static problem s;
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        make_stencil(&s, kind == STN_IC0);
        eliminate(&s);
        for (stn_matrix_kind other = STN_MATRIX_CSR; other <= STN_MATRIX_ELL; other++) {
            const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind);
            stn_operator op;
            stn_matrix *a;
            stn_preconditioner *m;
            expect_ok(stn_sparse_convert(NULL, &a, s.matrix, other, NULL));
            expect_ok(stn_ilu_create(order_use(1), &m, a, &asked));
            stn_matrix_release(a);
            expect_ok(stn_operator_of_preconditioner(&op, m));
            const double error = error_of(order_use(1), &op, STN_C128, NULL);
            if (!(error < 1e-14))
                fail_msg("kind %d of %d: error %g", kind, (int)other, error);
            assert_true(error_of(order_use(1), &op, STN_C64, NULL) < 1e-5);
            stn_preconditioner_release(m);
        }
    }
}

static void test_narrow_factors(void **unused)
{
    static problem s;
    static const stn_format formats[] = {STN_C128, STN_F32, STN_C32}; /* f32: pairs of it */
    static const double least[] = {0, 1e-10, 1e-6}, most[] = {1e-14, 2e-7, 2e-3};
    int64_t bytes = INT64_MAX;
    (void)unused;
    for (int k = 0; k < 6; k++) {
        const stn_ilu_options asked =
            STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)(k % 2), .format = &formats[k / 2]);
        stn_operator op;
        stn_preconditioner *m;
        make_stencil(&s, k % 2);
        eliminate(&s);
        expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &asked));
        expect_ok(stn_operator_of_preconditioner(&op, m));
        const double error = error_of(order_use(1), &op, STN_C128, NULL);
        if (!(error >= least[k / 2] && error <= most[k / 2]))
            fail_msg("format %d, kind %d: error %g", (int)formats[k / 2], k % 2, error);
        assert_true(k % 2 || info_of(m).bytes < bytes);
        bytes = k % 2 ? bytes : info_of(m).bytes;
        stn_preconditioner_release(m);
    }
}

/* What is above the diagonal is not looked at; U is the adjoint of L as it is stored, so that M is
 * Hermitian but for roundings. */
static void test_hermitian(void **unused)
{
    static problem s;
    static const stn_format c32 = STN_C32;
    const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = STN_IC0, .format = &c32);
    stn_c128 x[ROWS], y[ROWS], mx[ROWS], my[ROWS];
    stn_operator op;
    stn_preconditioner *m;
    wide left = 0, right = 0;
    (void)unused;
    make_stencil(&s, 1);
    eliminate(&s);
    for (int i = 0; i < ROWS; i++)
        for (int j = i + 1; j < ROWS; j++) {
            s.in[i][j] = (i + j) % 3 == 0;
            s.dense[i][j] = stn_c128_of(3, 7);
        }
    make_rows(&s);
    expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &asked));
    expect_ok(stn_operator_of_preconditioner(&op, m));
    assert_true(error_of(order_use(1), &op, STN_C128, NULL) < 2e-3);
    draw_vector(x, 6);
    draw_vector(y, 7);
    apply_operator(order_use(1), &op, STN_C128, x, mx);
    apply_operator(order_use(1), &op, STN_C128, y, my);
    for (int i = 0; i < ROWS; i++) {
        left += conjl(wide_of(y[i])) * wide_of(mx[i]);
        right += conjl(wide_of(my[i])) * wide_of(x[i]);
    }
    assert_true(cabsl(left - right) < 1e-14 * (double)cabsl(left) + 1e-15);
    stn_preconditioner_release(m);
}

/* ---- block-Jacobi ---- */

static void test_blocks(void **unused)
{
    static problem s;
    static const stn_format formats[] = {STN_C128, STN_C64, STN_C32};
    static const stn_format parts[] = {STN_F64, STN_F32, STN_F16}; /* the same */
    static const double most[] = {1e-14, 1e-6, 1e-2};
    (void)unused;
    make_blocks(&s, 4);
    for (int pass = 0; pass < 6; pass++) {
        const int k = pass % 3;
        const stn_block_jacobi_options asked =
            STN_INIT(stn_block_jacobi_options, .max_block_rows = BLOCK,
                     .format = pass < 3 ? &formats[k] : &parts[k]);
        stn_preconditioner *m;
        stn_operator op;
        expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
        expect_ok(stn_operator_of_preconditioner(&op, m));
        assert_int_equal(info_of(m).blocks, ROWS / BLOCK);
        assert_int_equal(blocks_of(m)->part[2].storage.format, formats[k]);
        const double error = error_of(order_use(0), &op, STN_C128, &s);
        if (!(error <= most[k] && (k == 0 || error >= most[k] / 1e4)))
            fail_msg("format %d: error %g", (int)formats[k], error);
        stn_preconditioner_release(m);
    }
}

/* Conditions of 1, 10, 100: c32; to 1e6: c64; the rest: c128. */
static void test_conditions(void **unused)
{
    static problem s;
    const stn_block_jacobi_options asked =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = BLOCK);
    const int64_t count = ROWS / BLOCK;
    stn_preconditioner *m;
    stn_operator op;
    (void)unused;
    make_blocks(&s, 0);
    expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
    expect_ok(stn_operator_of_preconditioner(&op, m));
    assert_int_equal(info_of(m).blocks, count);
    assert_in_range(info_of(m).format_blocks[0], count * 2 / 10, count * 3 / 10 + 2);
    assert_in_range(info_of(m).format_blocks[2], count * 3 / 10 - 2, count * 4 / 10 + 1);
    assert_int_equal(info_of(m).format_blocks[0] + info_of(m).format_blocks[1] +
                         info_of(m).format_blocks[2],
                     count);
    assert_int_equal(blocks_of(m)->part[0].storage.format, STN_C32);
    assert_int_equal(blocks_of(m)->part[1].storage.format, STN_C64);
    assert_int_equal(blocks_of(m)->part[2].storage.format, STN_C128);
    assert_true(error_of(order_use(0), &op, STN_C128, &s) <= 0.1);
    stn_preconditioner_release(m);
}

/* The inverse of a Hermitian block is Hermitian to the last bit. */
static void test_hermitian_blocks(void **unused)
{
    static problem s;
    static stn_c128 column[ROWS][ROWS];
    const stn_block_jacobi_options asked =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = BLOCK);
    stn_preconditioner *m;
    stn_operator op;
    (void)unused;
    make_blocks(&s, 1000);
    expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
    expect_ok(stn_operator_of_preconditioner(&op, m));
    for (int j = 0; j < ROWS; j++) {
        stn_c128 unit[ROWS] = {{0, 0}};
        unit[j].re = 1;
        apply_operator(order_use(0), &op, STN_C128, unit, column[j]);
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j <= i; j++)
            if (column[j][i].re != column[i][j].re || column[j][i].im != -column[i][j].im)
                fail_msg("%d, %d: %a %a and %a %a", i, j, column[j][i].re, column[j][i].im,
                         column[i][j].re, column[i][j].im);
    stn_preconditioner_release(m);
}

/* ---- every executor, and real matrices ---- */

typedef struct both {
    stn_preconditioner *ilu;
    stn_preconditioner *blocks;
    stn_operator op[2];
} both;

static void make_both(const stn_exec *exec, const stn_matrix *a, stn_ilu_kind kind, both *made)
{
    const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = kind);
    const stn_block_jacobi_options blocks = STN_INIT(stn_block_jacobi_options, .max_block_rows = 3);
    expect_ok(stn_ilu_create(exec, &made->ilu, a, &asked));
    expect_ok(stn_block_jacobi_create(exec, &made->blocks, a, &blocks));
    expect_ok(stn_operator_of_preconditioner(&made->op[0], made->ilu));
    expect_ok(stn_operator_of_preconditioner(&made->op[1], made->blocks));
}

static void drop_both(both *made)
{
    stn_preconditioner_release(made->ilu);
    stn_preconditioner_release(made->blocks);
}

static void test_executors(void **unused)
{
    static problem s;
    stn_c128 from[ROWS], first[2][ROWS], to[ROWS];
    (void)unused;
    draw_vector(from, 8);
    for (int kind = 0; kind < 2; kind++) {
        make_stencil(&s, kind);
        for (int setting = 0; setting < order_settings(); setting++) {
            both made;
            make_both(order_use(setting), s.matrix, (stn_ilu_kind)kind, &made);
            for (int k = 0; k < 2; k++) {
                apply_operator(order_use(setting), &made.op[k], STN_C128, from,
                               setting ? to : first[k]);
                if (setting && memcmp(to, first[k], sizeof to) != 0)
                    fail_msg("%s on %s: other bits", made.op[k].label, order_setting_name(setting));
            }
            drop_both(&made);
        }
    }
}

static void test_device(void **unused)
{
    static problem s;
    stn_c128 from[ROWS], here[ROWS], there[ROWS];
    stn_exec *const device = open_opencl();
    both of_here, of_there;
    stn_matrix *mirror;
    (void)unused;
    draw_vector(from, 9);
    make_stencil(&s, 0);
    expect_ok(stn_matrix_mirror(device, &mirror, s.matrix));
    make_both(order_use(0), s.matrix, STN_ILU0, &of_here);
    make_both(device, mirror, STN_ILU0, &of_there);
    for (int k = 0; k < 2; k++) {
        apply_operator(order_use(0), &of_here.op[k], STN_C128, from, here);
        apply_there(device, &of_there.op[k], STN_C128, from, there);
        assert_memory_equal(here, there, sizeof here);
    }
    drop_both(&of_here);
    drop_both(&of_there);
    stn_matrix_release(mirror);
    stn_exec_release(device);
}

/* Of a real matrix each part of a vector has the bits that it has alone. */
static void test_real_matrices(void **unused)
{
    static problem s;
    static double value[MOST];
    stn_c128 from[ROWS], to[ROWS];
    double part[2][ROWS], found[2][ROWS];
    stn_matrix *real;
    both made;
    (void)unused;
    make_stencil(&s, 0);
    for (int64_t k = 0; k < s.start[ROWS]; k++)
        value[k] = s.value[k].re;
    expect_ok(
        wrap_csr(&real, "romeo", stn_storage_of(STN_F64), ROWS, ROWS, s.start, s.column, value));
    draw_vector(from, 10);
    for (int i = 0; i < ROWS; i++) {
        part[0][i] = from[i].re;
        part[1][i] = from[i].im;
    }
    make_both(order_use(1), real, STN_ILU0, &made);
    for (int k = 0; k < 2; k++) {
        apply_operator(order_use(1), &made.op[k], STN_C128, from, to);
        for (int p = 0; p < 2; p++)
            apply_operator(order_use(1), &made.op[k], STN_F64, part[p], found[p]);
        for (int i = 0; i < ROWS; i++)
            assert_true(to[i].re == found[0][i] && to[i].im == found[1][i]);
    }
    drop_both(&made);
}

/* ---- in solvers ---- */

static int64_t solve(const problem *s, stn_solver_method method, const stn_operator *inverse)
{
    stn_c128 b[ROWS], x[ROWS] = {{0, 0}};
    const int64_t rows = ROWS;
    const stn_solver_options solver = STN_INIT(stn_solver_options, .method = method,
                                               .arithmetic = STN_C128, .preconditioner = inverse);
    stn_solver_report solution = STN_SOLVER_REPORT_INIT;
    stn_operator a;
    stn_view from, to;
    draw_vector(b, 12);
    expect_ok(stn_view_wrap(&from, "b", stn_storage_of(STN_C128), b, 1, &rows));
    expect_ok(stn_view_wrap(&to, "x", stn_storage_of(STN_C128), x, 1, &rows));
    expect_ok(stn_operator_of_matrix(&a, s->matrix));
    expect_ok(stn_solve(order_use(0), &to, &a, &from, &solver, &solution));
    for (int i = 0; i < ROWS; i++) { /* is it the solution? */
        wide rest = wide_of(b[i]);
        for (int j = 0; j < ROWS; j++)
            rest -= wide_of(s->dense[i][j]) * wide_of(x[j]);
        assert_true(cabsl(rest) < 1e-8);
    }
    return solution.iterations;
}

/* Factors and blocks take iterations from GMRES, and of Hermitian ones from CG. */
static void test_in_solvers(void **unused)
{
    static problem s;
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        const stn_solver_method method = kind ? STN_SOLVER_CG : STN_SOLVER_GMRES;
        both made;
        make_stencil(&s, kind);
        make_both(order_use(0), s.matrix, (stn_ilu_kind)kind, &made);
        const int64_t without = solve(&s, method, NULL), with = solve(&s, method, &made.op[0]);
        if (!(2 * with <= without) || solve(&s, method, &made.op[1]) > without)
            fail_msg("kind %d: %d iterations, without %d", kind, (int)with, (int)without);
        drop_both(&made);
    }
}

/* ---- refusals ---- */

static void refuse_factors(stn_ilu_kind kind, stn_c128 a, stn_c128 b, stn_c128 c, stn_c128 d,
                           const char *word)
{
    static const int64_t start[] = {0, 2, 4};
    static const int32_t column[] = {1, 0, 0, 1};
    const stn_c128 values[] = {b, a, c, d};
    const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = kind);
    stn_matrix *matrix;
    stn_preconditioner *m;
    memset(&m, 7, sizeof m);
    expect_ok(wrap_csr(&matrix, "mike", stn_storage_of(STN_C128), 2, 2, start, column, values));
    assert_int_equal(stn_ilu_create(order_use(1), &m, matrix, &asked), STN_ERR_ARGUMENT);
    if (!strstr(stn_error(), word))
        fail_msg("'%s' does not say '%s'", stn_error(), word);
    assert_null(m);
}

static void refuse_formats(const stn_matrix *a, const stn_format *format, const char *word)
{
    const stn_ilu_options asked = STN_INIT(stn_ilu_options, .format = format);
    const stn_block_jacobi_options blocks = STN_INIT(stn_block_jacobi_options, .format = format);
    stn_preconditioner *m;
    stn_preconditioner *b;
    assert_int_equal(stn_ilu_create(order_use(1), &m, a, &asked), STN_ERR_UNSUPPORTED);
    assert_non_null(strstr(stn_error(), word));
    assert_int_equal(stn_block_jacobi_create(order_use(1), &b, a, &blocks), STN_ERR_UNSUPPORTED);
    assert_non_null(strstr(stn_error(), word));
}

static void test_refusals(void **unused)
{
    static problem s;
    static const stn_format bf16 = STN_BF16;
    const stn_c128 one = {1, 0}, i = {0, 1}, no = {0, 0}, none = {NAN, 1};
    const stn_block_jacobi_options good = STN_INIT(stn_block_jacobi_options, .max_block_rows = 1);
    stn_preconditioner *b;
    (void)unused;
    refuse_factors(STN_ILU0, no, one, one, one, "the pivot of row 0 of mike is 0");
    refuse_factors(STN_ILU0, one, i, i, stn_c128_of(-1, 0), "the pivot of row 1 of mike is 0");
    refuse_factors(STN_ILU0, one, i, none, one, "row 1 of mike has an entry of nan");
    refuse_factors(STN_IC0, i, no, no, one, "row 0 of mike has 0 +1 i on the diagonal");
    refuse_factors(STN_IC0, one, no, stn_c128_of(0, 2), one,
                   "the pivot of row 1 of mike is -3 +0 i, not positive");
    make_stencil(&s, 0);
    refuse_formats(s.matrix, &bf16, "format bf16 is not complex, but the matrix is");
    memset(&s.value[s.start[5]], 0, (size_t)(s.start[6] - s.start[5]) * sizeof *s.value);
    assert_int_equal(stn_block_jacobi_create(order_use(1), &b, s.matrix, &good), STN_ERR_ARGUMENT);
    assert_non_null(strstr(stn_error(), "rows 5 to 5 (from 0) of mike is singular"));
}

static void test_without_memory(void **unused)
{
    static problem s;
    const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = STN_IC0);
    int64_t nth = 1;
    (void)unused;
    make_stencil(&s, 1);
    for (; nth < 200; nth++) {
        stn_preconditioner *m;
        stn_fail_allocation(nth);
        const stn_status status = stn_ilu_create(order_use(1), &m, s.matrix, &asked);
        stn_fail_allocation(0);
        if (status == STN_OK) {
            stn_preconditioner_release(m);
            break;
        }
        assert_int_equal(status, STN_ERR_MEMORY);
        assert_null(m);
    }
    assert_in_range(nth, 20, 199);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors),        cmocka_unit_test(test_narrow_factors),
        cmocka_unit_test(test_hermitian),      cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_conditions),     cmocka_unit_test(test_hermitian_blocks),
        cmocka_unit_test(test_executors),      cmocka_unit_test(test_device),
        cmocka_unit_test(test_real_matrices),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_without_memory), cmocka_unit_test(test_in_solvers),
    };
    return cmocka_run_group_tests_name("complex preconditioners", tests, NULL, release_executors);
}
