/* Incomplete factors: the work of the elimination is proportional to the shorter of two rows;
 * factors of matrices with long rows have the bits of a plain elimination; factors of badly scaled
 * matrices are applied with the bits of those of the matrix without its scales. */
#include "preconditioner.h"
#include "precondition/ilu_factor.h"
#include "steno/ilu.h"

static linear_system s;

/* ---- work ---- */

enum { ARROW = 20000 };

/* Row and column `hub` and the diagonal are stored. */
static stn_matrix *make_arrow(int32_t hub)
{
    static int64_t start[ARROW + 1];
    static int32_t column[4 * ARROW];
    static double value[4 * ARROW];
    stn_matrix *arrow;
    int64_t at = 0;
    for (int32_t r = 0; r < ARROW; r++) {
        const int32_t few[] = {r < hub ? r : hub, r < hub ? hub : r};
        start[r] = at;
        for (int32_t k = 0; k < (r == hub ? ARROW : 2); k++) {
            column[at] = r == hub ? k : few[k];
            value[at] = column[at] == r ? ARROW : 1.0;
            at++;
        }
    }
    start[ARROW] = at;
    assert_int_equal(at, 3 * ARROW - 2);
    expect_ok(
        wrap_csr(&arrow, "an arrow", stn_storage_of(STN_F64), ARROW, ARROW, start, column, value));
    return arrow;
}

UNIT_TEST(test_arrows)
{
    static const int32_t hubs[] = {0, 1, ARROW / 2, ARROW - 1};
    for (int k = 0; k < 2 * COUNT_OF(hubs); k++) {
        stn_matrix *const arrow = make_arrow(hubs[k / 2]);
        stn_factors factors;
        expect_ok(stn_ilu_factor("test", NULL, arrow, k % 2 ? STN_IC0 : STN_ILU0, &factors));
        assert_in_range(factors.steps, 1, 20 * 3 * ARROW); /* log2(ARROW) is 14.3 */
        stn_factors_release(&factors);
        stn_matrix_release(arrow);
    }
}

/* ---- factors ---- */

enum { ROWS = 60 };

/* Some rows and columns are long, the others short. */
static void make_problem(int is_symmetric, uint64_t *state)
{
    int is_long[ROWS];
    system_clear(&s, ROWS, 0);
    for (int i = 0; i < ROWS; i++)
        is_long[i] = order_next(state) % 6 == 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j <= i; j++) {
            const uint64_t bits = order_next(state), most = is_long[i] || is_long[j] ? 24 : 2;
            const number lower = i == j ? 30.0 + draw(state) : draw(state);
            const number upper = is_symmetric || i == j ? lower : draw(state);
            s.is_stored[i][j] = i == j || bits % 32 < most;
            s.is_stored[j][i] =
                i == j || (is_symmetric ? s.is_stored[i][j] : bits / 32 % 32 < most);
            s.dense[i][j] = lower;
            s.dense[j][i] = upper;
        }
    system_wrap(&s);
}

/* Row by row, each multiple in the order of its column. */
static double eliminated[ROWS][ROWS];

static void eliminate(void)
{
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < ROWS; j++)
            eliminated[r][j] = creal(s.dense[r][j]);
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < r; k++) {
            if (!s.is_stored[r][k])
                continue;
            eliminated[r][k] /= eliminated[k][k];
            for (int j = k + 1; j < ROWS; j++)
                if (s.is_stored[k][j] && s.is_stored[r][j])
                    eliminated[r][j] -= eliminated[r][k] * eliminated[k][j];
        }
}

static void check_triangle(const stn_compressed *factor, int is_upper)
{
    const double *const codes = (const double *)(const void *)factor->codes;
    int64_t k = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = is_upper ? i + 1 : 0; j < (is_upper ? ROWS : i); j++)
            if (s.is_stored[i][j]) {
                assert_true(factor->column[k] == j);
                assert_true(codes[k++] == eliminated[i][j] / (is_upper ? eliminated[i][i] : 1.0));
            }
    assert_int_equal(k, factor->entries);
}

UNIT_TEST(test_long_rows)
{
    uint64_t state = 3;
    for (int round = 0; round < 20; round++) {
        const int is_symmetric = round % 2;
        stn_factors factors;
        make_problem(is_symmetric, &state);
        expect_ok(
            stn_ilu_factor("test", NULL, s.matrix, is_symmetric ? STN_IC0 : STN_ILU0, &factors));
        eliminate();
        check_triangle(&factors.lower, 0);
        if (!is_symmetric)
            check_triangle(&factors.upper, 1);
        for (int i = 0; i < ROWS && !is_symmetric; i++)
            assert_true(((const double *)factors.pivot)[i] == eliminated[i][i]);
        stn_factors_release(&factors);
    }
}

/* ---- scales ---- */

static stn_preconditioner *make(stn_ilu_kind kind, const stn_format *format)
{
    const stn_ilu_options options = STN_INIT(stn_ilu_options, .kind = kind, .format = format);
    stn_preconditioner *m;
    expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &options));
    return m;
}

/* Entries of up to 2^(3 / 2 range), and quotients of up to 2^(2 range). The factors of D B E
 * applied to D x are E^-1 times those of B applied to x. */
static void check_scales(stn_ilu_kind kind, int range, uint64_t *state)
{
    number x[MOST_ROWS] = {0}, y[MOST_ROWS], scaled_y[MOST_ROWS], complex_y[MOST_ROWS];
    int row[ROWS], column[ROWS];
    make_problem(kind == STN_IC0, state);
    stn_preconditioner *m = make(kind, NULL);
    draw_vector(&s, x, order_next(state));
    apply(order_use(1), m, STN_F64, x, y);
    stn_preconditioner_release(m);
    for (int k = 0; k < ROWS; k++) {
        row[k] = (int)(order_next(state) % (uint64_t)(2 * range + 1)) - range;
        column[k] = (int)(order_next(state) % (uint64_t)(range + 1)) - range / 2;
        column[k] = kind == STN_IC0 ? row[k] : column[k];
        x[k] = ldexp(creal(x[k]), row[k]);
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            s.dense[i][j] = ldexp(creal(s.dense[i][j]), row[i] + column[j]);
    system_wrap(&s);
    m = make(kind, NULL);
    apply(order_use(1), m, STN_F64, x, scaled_y);
    apply(order_use(1), m, STN_C128, x, complex_y);
    for (int k = 0; k < ROWS; k++)
        assert_true(scaled_y[k] == ldexp(creal(y[k]), -column[k]) && complex_y[k] == scaled_y[k]);
    stn_preconditioner_release(m);
}

UNIT_TEST(test_scales)
{
    static const int ranges[] = {0, 20, 100, 300, 480, 640};
    uint64_t state = 7;
    for (int k = 0; k < COUNT_OF(ranges); k++)
        for (int kind = 0; kind < 2; kind++)
            for (int round = 0; round < 3 && (kind == 0 || ranges[k] < 500); round++)
                check_scales(kind ? STN_IC0 : STN_ILU0, ranges[k], &state);
}

/* Entries of the factors are out of the range of f64: 1e600, or 1e-400 in half of a pivot. */
UNIT_TEST(test_factors_out_of_range)
{
    static const struct {
        double dense[4], b[2], x[2];
    } cases[] = {{{1e-300, 1e300, 0, 1}, {1, 0}, {1e300, 0}},
                 {{1e-300, 0, 1e300, 1}, {0, 1}, {0, 1}},
                 {{1e200, 1e200, 1e-200, 2e-200}, {3e200, 5e-200}, {1, 2}}};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I16};
    for (int k = 0; k < 4 * COUNT_OF(cases); k++) {
        const int which = k / 4;
        if (which == 2 && k % 4 > 0) /* its factors are not exact in narrow formats */
            continue;
        system_of(&s, 2, cases[which].dense);
        stn_preconditioner *const m = make(STN_ILU0, &formats[k % 4]);
        const stn_operator op = operator_of(m);
        const int64_t two = 2;
        double y[2] = {7, 7};
        float narrow[2] = {1, 1};
        stn_view view;
        apply_operator(order_use(0), &op, STN_F64, cases[which].b, y);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(y[i] - cases[which].x[i]) <= 1e-14 * cases[which].x[i]);
        expect_ok(stn_view_wrap(&view, "y", stn_storage_of(STN_F32), narrow, 1, &two));
        expect_error(op.apply(op.context, order_use(0), STN_F32, &view, &view), STN_ERR_UNSUPPORTED,
                     NULL);
        stn_preconditioner_release(m);
    }
}

/* A matrix without rows. */
UNIT_TEST(test_empty)
{
    system_clear(&s, 0, 0);
    system_wrap(&s);
    for (int kind = STN_ILU0; kind <= STN_IC0; kind++)
        stn_preconditioner_release(make((stn_ilu_kind)kind, NULL));
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
