/* stn_sparse_compensate: entries beside the diagonal are rounded, rows keep their sums to 22 bits
 * of the diagonal, symmetric matrices stay symmetric, refinement by 16 bits takes about as many
 * iterations as by f32, and what is no such matrix is refused. */
#include <math.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "matrix.h"
#include "steno/exec.h"
#include "steno/solver.h"
#include "steno/sparse_operations.h"

enum { EDGE = 24, ROWS = EDGE * EDGE, MOST = 5 * ROWS };

/* Diffusion on a square with conductivities of three magnitudes: symmetric, rows sum to 0 inside.
 */
typedef struct diffusion {
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[MOST];
    stn_matrix *csr;
} diffusion;

static double face(int64_t a, int64_t b)
{
    return 0.37 + 29.0 * (double)((31 * EDGE + (a < b ? a * 31 + b : b * 31 + a)) % 13);
}

static void make_diffusion(diffusion *d)
{
    static const int64_t steps[] = {-EDGE, -1, 1, EDGE};
    int64_t at = 0;
    for (int64_t r = 0; r < ROWS; r++) {
        double sum = 0.0;
        d->start[r] = at;
        for (int s = 0; s < 4; s++) {
            const int64_t to = r + steps[s];
            const int inside = to >= 0 && to < ROWS && (s == 0 || s == 3 || to / EDGE == r / EDGE);
            sum += face(r, to);
            if (!inside)
                continue;
            d->column[at] = (int32_t)to;
            d->value[at++] = -face(r, to);
        }
        d->column[at] = (int32_t)r;
        d->value[at++] = sum;
    }
    d->start[ROWS] = at;
    expect_ok(wrap_csr(&d->csr, "diffusion", stn_storage_of(STN_F64), ROWS, ROWS, d->start,
                       d->column, d->value));
}

/* A dense matrix in long double, of what is stored. */
static long double *expand(const stn_matrix *csr)
{
    long double *dense = calloc((size_t)(csr->rows * csr->columns), sizeof *dense);
    double *value = malloc((size_t)csr->entries * sizeof *value);
    assert_true(dense && value);
    expect_ok(stn_decode(STN_F64, value, &csr->storage, csr->values, 1, csr->entries));
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = csr->row_start[r]; k < csr->row_start[r + 1]; k++)
            dense[r * csr->columns + csr->column[k]] += value[k];
    free(value);
    return dense;
}

static stn_storage storage_for(const diffusion *d, stn_format format)
{
    stn_storage storage = stn_storage_of(format);
    expect_ok(stn_storage_fit_scale(&storage, STN_F64, d->value, d->csr->entries,
                                    STN_SCALE_POWER_OF_TWO));
    storage.scale *= 2.0;
    return storage;
}

static void check_format(const diffusion *d, stn_format format)
{
    const stn_storage storage = storage_for(d, format);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_matrix *made;
    expect_ok(stn_format_describe(format, &info));
    expect_ok(stn_sparse_compensate(NULL, &made, d->csr, &storage));
    long double *const was = expand(d->csr), *const is = expand(made);
    const double unit = info.kind == STN_CLASS_INTEGER ? storage.scale : 0.0;
    const double part = info.kind == STN_CLASS_INTEGER ? 0.0 : info.epsilon / 2;
    const int parts = info.bits == 8 ? 4 : format == STN_BF16 ? 3 : format == STN_F16 ? 2 : 1;
    const double kept = pow(part, parts); /* of the diagonal */
    for (int64_t r = 0; r < ROWS; r++) {
        long double lost = 0;
        for (int64_t c = 0; c < ROWS; c++) {
            const long double a = was[r * ROWS + c], b = is[r * ROWS + c];
            lost += a - b;
            assert_true(is[c * ROWS + r] == b || r == c); /* symmetric */
            if (r != c)
                assert_true(fabsl(a - b) <= part * fabsl(a) + unit / 2 + storage.scale * 1e-2);
        }
        assert_true(fabsl(lost) <=
                    (2 * kept + 1e-15) * was[r * ROWS + r] + unit / 2 + storage.scale * 1e-3);
    }
    free(was);
    free(is);
    stn_matrix_release(made);
}

UNIT_TEST(test_rows_keep_sums)
{
    static const stn_format formats[] = {STN_F64,  STN_F32, STN_F16, STN_BF16, STN_E4M3,
                                         STN_E5M2, STN_I32, STN_I16, STN_I8};
    static diffusion d;
    make_diffusion(&d);
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        check_format(&d, formats[k]);
    stn_matrix_release(d.csr);
}

static int64_t refine(const diffusion *d, const stn_matrix *narrow, double relative, double each)
{
    const int64_t rows = ROWS;
    const stn_solver_options inner = STN_INIT(stn_solver_options, .arithmetic = STN_F32,
                                              .relative_tolerance = each, .max_iterations = 5000);
    stn_solver_options solver = STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT,
                                         .relative_tolerance = relative);
    stn_solver_report solution = STN_SOLVER_REPORT_INIT;
    static double b[ROWS], x[ROWS];
    stn_operator a, about;
    stn_view vb, vx;
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    for (int k = 0; k < ROWS; k++) {
        b[k] = 1.0 + k % 3;
        x[k] = 0.0;
    }
    expect_ok(stn_view_wrap(&vb, "b", stn_storage_of(STN_F64), b, 1, &rows));
    expect_ok(stn_view_wrap(&vx, "x", stn_storage_of(STN_F64), x, 1, &rows));
    expect_ok(stn_operator_of_matrix(&a, d->csr));
    expect_ok(stn_operator_of_matrix(&about, narrow));
    solver.inner = &inner;
    solver.inner_operator = &about;
    expect_ok(stn_solve(exec, &vx, &a, &vb, &solver, &solution));
    stn_exec_release(exec);
    return solution.inner_iterations;
}

UNIT_TEST(test_refinement)
{
    static diffusion d;
    const stn_storage wide = stn_storage_of(STN_F32);
    stn_matrix *f32, *f16;
    make_diffusion(&d);
    const stn_storage narrow = storage_for(&d, STN_F16);
    expect_ok(stn_sparse_convert(NULL, &f32, d.csr, STN_MATRIX_AUTO, &wide));
    expect_ok(stn_sparse_compensate(NULL, &f16, d.csr, &narrow));
    assert_true((double)refine(&d, f16, 1e-9, 1e-3) <= 1.3 * (double)refine(&d, f32, 1e-9, 1e-3));
    /* no further than a quarter of the goal, whatever the inner solver would do */
    assert_int_equal(refine(&d, f32, 1e-2, 1e-6), refine(&d, f32, 1e-2, 2.5e-3));
    stn_matrix_release(f16);
    stn_matrix_release(f32);
    stn_matrix_release(d.csr);
}

static void refused(stn_status wanted, const stn_matrix *matrix, const stn_storage *storage)
{
    stn_matrix *made;
    memset(&made, 1, sizeof made);
    assert_int_equal(stn_sparse_compensate(NULL, &made, matrix, storage), wanted);
    assert_null(made);
}

UNIT_TEST(test_refuses)
{
    static diffusion d;
    const stn_storage f16 = stn_storage_of(STN_F16), c64 = stn_storage_of(STN_C64);
    const stn_storage none = {.format = -1, .scale = 1.0};
    stn_matrix *wide;
    make_diffusion(&d);
    refused(STN_ERR_ARGUMENT, NULL, &f16);
    refused(STN_ERR_ARGUMENT, d.csr, NULL);
    refused(STN_ERR_UNSUPPORTED, d.csr, &c64);
    refused(STN_ERR_FORMAT, d.csr, &none);
    expect_ok(wrap_csr(&wide, "wide", stn_storage_of(STN_F64), ROWS, ROWS + 1, d.start, d.column,
                       d.value));
    refused(STN_ERR_SHAPE, wide, &f16);
    assert_int_equal(stn_sparse_compensate(NULL, NULL, d.csr, &f16), STN_ERR_ARGUMENT);
    d.value[d.start[7] - 1] = 1e9;
    refused(STN_ERR_RANGE, d.csr, &f16);
    d.value[3] = NAN;
    refused(STN_ERR_ARGUMENT, d.csr, &f16);
    stn_matrix_release(wide);
    stn_matrix_release(d.csr);
}

/* ---- values in and out of range ---- */

/* Row sums to within the rounding of the last part of the diagonal, or STN_ERR_RANGE; which of them
 * follows from the largest and smallest values of the format. */
typedef struct range_case {
    stn_storage storage;
    stn_format_info info;
    double value[2][2];
} range_case;

static double bits_of_parts(const stn_format_info *info)
{
    const int bits = 1 + info->fraction_bits;
    const int parts = bits >= 22 ? 1 : (22 + bits - 1) / bits > 4 ? 4 : (22 + bits - 1) / bits;
    return parts * bits;
}

/* 1: it fits; -1: it does not; 0: it is within a rounding of the largest value. */
static int fits(const range_case *c, long double x)
{
    const long double code = x / c->storage.scale + c->storage.zero;
    const long double edge =
        c->info.kind == STN_CLASS_INTEGER ? 1.0L : (long double)c->info.highest * c->info.epsilon;
    if (code <= c->info.highest - edge && code >= c->info.lowest + (c->info.is_signed ? edge : 0))
        return 1;
    return code >= c->info.highest + edge || code <= c->info.lowest - edge ? -1 : 0;
}

static void check_row(const range_case *c, const long double *is, int r)
{
    const long double wanted = (long double)c->value[r][0] + c->value[r][1];
    const long double size = fabsl(c->value[r][r]) + fabsl(c->value[r][1 - r]);
    const long double bound = c->info.kind == STN_CLASS_INTEGER
                                  ? (long double)c->storage.scale * 0.5001L
                                  : size * ldexp(1.0, 1 - (int)bits_of_parts(&c->info)) +
                                        (long double)c->info.smallest * c->storage.scale;
    if (!(fabsl(is[2 * r] + is[2 * r + 1] - wanted) <= bound + size * 0x1p-50L))
        fail_msg("%s, scale %g: %g next to %g: the row sum becomes %Lg", c->info.name,
                 c->storage.scale, c->value[r][r], c->value[r][1 - r], is[2 * r] + is[2 * r + 1]);
}

static int check_range(const range_case *c)
{
    static const int64_t start[] = {0, 2, 4};
    static const int32_t column[] = {0, 1, 1, 0};
    const double value[] = {c->value[0][0], c->value[0][1], c->value[1][1], c->value[1][0]};
    int expected = 1;
    stn_matrix *a, *made;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_F64), 2, 2, start, column, value));
    const stn_status status = stn_sparse_compensate(NULL, &made, a, &c->storage);
    stn_matrix_release(a);
    for (int r = 0; r < 2; r++) {
        const int other = fits(c, c->value[r][1 - r]);
        const long double lost = c->info.kind == STN_CLASS_INTEGER
                                     ? c->storage.scale
                                     : fabsl(c->value[r][1 - r]) * c->info.epsilon;
        const long double d = c->value[r][r];
        const int least = fits(c, d - lost), most = fits(c, d + lost);
        const int diagonal = least == most ? least : 0;
        const int both = other < diagonal ? other : diagonal;
        expected = both < expected ? both : expected;
    }
    if (status != STN_OK) {
        assert_int_equal(status, STN_ERR_RANGE);
        assert_true(expected <= 0);
        return 0;
    }
    if (expected < 0)
        fail_msg("%s, scale %g: (%g %g; %g %g) does not fit, and is stored", c->info.name,
                 c->storage.scale, value[0], value[1], value[3], value[2]);
    long double *const is = expand(made);
    for (int r = 0; r < 2; r++)
        check_row(c, is, r);
    free(is);
    stn_matrix_release(made);
    return 1;
}

/* Magnitudes around the largest and the smallest values of the format. */
static double draw_value(const range_case *c, uint64_t *state)
{
    const uint64_t bits = order_next(state);
    const double fraction = 1.0 + (double)(bits >> 12 & 0xffff) / 65536.0;
    const int span = ilogb(c->info.highest) - ilogb(c->info.smallest) + 4;
    const int exponent = ilogb(c->info.smallest) - 1 + (int)(bits >> 32 & 0xffff) % span;
    const double x = fmin(ldexp(fraction, exponent) * c->storage.scale, 1e300);
    return bits & 1 ? -x : x;
}

UNIT_TEST(test_range)
{
    static const stn_overflow rules[] = {STN_OVERFLOW_DEFAULT, STN_OVERFLOW_INFINITY,
                                         STN_OVERFLOW_SATURATE, STN_OVERFLOW_NAN};
    const char *const quick = getenv("STENO_TEST_QUICK");
    const int cases = quick && *quick != '0' ? 200 : 1000;
    uint64_t state = 20;
    int64_t stored = 0, refused = 0;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        range_case c = {.info = STN_FORMAT_INFO_INIT};
        expect_ok(stn_format_describe(format, &c.info));
        for (int k = 0; k < cases && c.info.kind != STN_CLASS_COMPLEX; k++) {
            const uint64_t bits = order_next(&state);
            c.storage = stn_storage_of(format);
            c.storage.overflow = rules[bits % 4];
            c.storage.scale = ldexp(1.0, (int)(bits >> 8 & 15) - 8);
            for (int e = 0; e < 4; e++)
                c.value[e / 2][e % 2] = draw_value(&c, &state);
            *(check_range(&c) ? &stored : &refused) += 1;
        }
    }
    assert_true(stored > 2 * cases && refused > 2 * cases);
}

/* A quotient by the scale may overflow where the format is f64; no entries are no problem. */
UNIT_TEST(test_ends_of_range)
{
    static const int64_t start[] = {0, 2, 3}, none[] = {0, 0, 0};
    static const int32_t column[] = {0, 1, 1};
    static const double value[] = {1.0, 1e300, 1.0};
    stn_storage storage = stn_storage_of(STN_F64);
    stn_matrix *a, *made;
    expect_ok(wrap_csr(&a, "a", storage, 2, 2, start, column, value));
    storage.scale = 1e-200;
    refused(STN_ERR_RANGE, a, &storage);
    stn_matrix_release(a);
    expect_ok(wrap_csr(&a, "a", storage, 2, 2, none, column, value));
    expect_ok(stn_sparse_compensate(NULL, &made, a, &storage));
    assert_int_equal(made->entries, 2);
    stn_matrix_release(made);
    stn_matrix_release(a);
}

static void half_decode(double *values, const void *codes, int64_t count, void *context)
{
    (void)context;
    for (int64_t k = 0; k < count; k++)
        values[k] = ((const int8_t *)codes)[k] / 2.0;
}

static void half_encode(void *codes, const double *values, int64_t count, void *context)
{
    (void)context;
    for (int64_t k = 0; k < count; k++)
        ((int8_t *)codes)[k] = (int8_t)fmax(-127.0, fmin(127.0, 2.0 * values[k]));
}

UNIT_TEST(test_registered_format)
{
    static const stn_format_codec codec = {.size = sizeof codec,
                                           .name = "halves",
                                           .bytes = 1,
                                           .alignment = 1,
                                           .decode = half_decode,
                                           .encode = half_encode};
    static diffusion d;
    stn_format format;
    make_diffusion(&d);
    expect_ok(stn_format_register(&format, &codec));
    const stn_storage storage = stn_storage_of(format);
    refused(STN_ERR_UNSUPPORTED, d.csr, &storage);
    stn_matrix_release(d.csr);
}

RUN_UNIT_TESTS(NULL, NULL)
