/* Products of complex matrices of several tiles, by rows and by columns, have the bits that the
 * reductions of `reference` give, which test_levels_matrix compares with its models; nothing is
 * conj from the triangle that is not theirs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_oracle.h"
#include "steno/blas.h"
#include "check.h"

enum { LAYOUTS = 4 /* two bits of a choice */, MOST = 513 + 3 };

typedef enum function { GEMV, HEMV, SYMV, TRMV, FUNCTIONS } function;

/* Numbers, zeros of both signs among them; now and then what is not finite; or zeros alone. */
typedef enum numbers { USUAL, SPECIAL, ZEROS, KINDS } numbers;

typedef struct product {
    function function;
    stn_format arithmetic, format; /* of the matrix */
    int64_t m, n;
    int layout, is_upper, has_units;
    numbers kind;
    stn_conjugate conj;
    stn_c128 alpha, beta;
} product;

static stn_c128 a[2 * MOST * MOST], x[MOST], y[MOST], before[MOST], expected[MOST];

static double any_number(uint64_t *state, numbers kind)
{
    const uint64_t bits = order_next(state);
    const double size = (double)(int64_t)(bits >> 40 & 0xffff) * 0x1p-8;
    if (kind == SPECIAL && bits % 4096 == 0)
        return bits >> 20 & 1 ? (double)INFINITY : (double)NAN;
    return (kind == ZEROS || bits % 16 == 1 ? 0.0 : size) * (bits >> 16 & 1 ? -1.0 : 1.0);
}

/* Values of the view's format at its strides. */
static void fill(const stn_view *view, uint64_t *state, numbers kind)
{
    int64_t index[2] = {0, 0};
    for (index[0] = 0; index[0] < view->extent[0]; index[0]++)
        for (index[1] = 0; index[1] < (view->rank == 2 ? view->extent[1] : 1); index[1]++)
            expect_ok_for(
                stn_view_set_complex(view, view->rank, index,
                                     (stn_c128){any_number(state, kind), any_number(state, kind)}),
                "set");
}

static int is_read(const product *p, int64_t i, int64_t j)
{
    return p->function == GEMV || (i == j ? !p->has_units : p->is_upper ? j > i : j < i);
}

static void spoil(const product *p, const stn_view *view)
{
    int64_t index[2];
    for (index[0] = 0; index[0] < p->m; index[0]++)
        for (index[1] = 0; index[1] < p->n; index[1]++)
            if (!is_read(p, index[0], index[1]))
                expect_ok_for(
                    stn_view_set_complex(view, 2, index, (stn_c128){(double)NAN, (double)INFINITY}),
                    "set");
}

static stn_status run(const product *p, const stn_exec *exec, const stn_view *av,
                      const stn_view *xv, const stn_view *yv)
{
    const stn_triangle triangle = p->is_upper ? STN_UPPER : STN_LOWER;
    switch (p->function) {
    case GEMV:
        return stn_gemv_complex(exec, p->arithmetic, p->alpha, p->conj, av, xv, p->beta, yv);
    case HEMV:
        return stn_hemv(exec, p->arithmetic, triangle, p->alpha, av, xv, p->beta, yv);
    case SYMV:
        return stn_symv(exec, p->arithmetic, triangle, p->alpha.re, av, xv, p->beta.re, yv);
    default:
        return stn_trmv(exec, p->arithmetic, triangle,
                        p->has_units ? STN_DIAGONAL_UNIT : STN_DIAGONAL_NON_UNIT, p->conj, av, yv);
    }
}

static void check_vector(stn_format arithmetic, int64_t count, const char *words)
{
    for (int64_t k = 0; k < count * 2; k++) {
        const double is =
            arithmetic == STN_C128 ? ((const double *)y)[k] : (double)((const float *)y)[k];
        const double should = arithmetic == STN_C128 ? ((const double *)expected)[k]
                                                     : (double)((const float *)expected)[k];
        if (!order_same(is, should))
            fail_msg("%s: part %d is %a, not %a", words, (int)k, is, should);
    }
}

static void check_product(const product *p, int number)
{
    const int64_t m = p->m, n = p->n, extents[] = {m, n};
    const int64_t strides[LAYOUTS][2] = {{n, 1}, {1, m}, {n + 3, 1}, {2, 2 * m + 1}};
    const stn_storage values = stn_storage_of(p->arithmetic);
    uint64_t state = (uint64_t)number;
    stn_view av, xv, yv;
    char words[200];
    expect_ok_for(
        stn_view_wrap_spec(&av, &STN_VIEW_SPEC(.label = "A", .storage = stn_storage_of(p->format),
                                               .data = a, .rank = 2, .extents = extents,
                                               .strides = strides[p->layout])),
        "wrap");
    expect_ok_for(stn_view_wrap(&xv, "x", values, x, 1, &extents[1]), "wrap");
    expect_ok_for(stn_view_wrap(&yv, "y", values, y, 1, &extents[0]), "wrap");
    fill(&av, &state, p->kind);
    fill(&xv, &state, p->kind);
    fill(&yv, &state, p->kind);
    memcpy(before, y, sizeof y);
    spoil(p, &av);
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, number))
            continue;
        (void)snprintf(words, sizeof words,
                       "function %d in %s, %s, %d x %d, layout %d, %d%d%d on %s", (int)p->function,
                       oracle_formats[p->arithmetic].name, oracle_formats[p->format].name, (int)m,
                       (int)n, p->layout, p->is_upper, p->has_units, (int)p->conj,
                       order_setting_name(setting));
        memcpy(y, before, sizeof y);
        expect_ok_for(run(p, order_use(setting), &av, &xv, &yv), words);
        if (setting == 0) /* `reference` */
            memcpy(expected, y, sizeof y);
        check_vector(p->arithmetic, m, words);
    }
}

TEST_CASE(test_products)
{
    static const int64_t sizes[] = {1, 4, 31, 33, 64, 127, 128, 129, 140, 255, 257, 300, 513};
    static const stn_c128 factors[] = {{1, 0}, {-1.5, 0.25}, {0, 0}, {0.5, 0}};
    const int ways = oracle_full() ? 600 : 28;
    uint64_t state = 11;
    int number = 0;
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        for (int way = 0; way < ways / (sizes[s] > 200 ? 5 : 1); way++, number++) {
            const uint64_t bits = order_next(&state) >> 20;
            const stn_format arithmetic = bits & 1 ? STN_C64 : STN_C128;
            const function f = (function)(number % FUNCTIONS);
            const product p = {.function = f,
                               .arithmetic = arithmetic,
                               .format = bits >> 1 & 3 ? arithmetic : STN_C32,
                               .m = f == GEMV && sizes[s] > 1 ? sizes[s] - way % 2 : sizes[s],
                               .n = sizes[s],
                               .layout = (int)(bits >> 3 & 3),
                               .is_upper = bits >> 5 & 1,
                               .has_units = f == TRMV && bits >> 6 & 1,
                               .kind = (numbers)((bits >> 7 & 0xff) % KINDS),
                               .conj = (stn_conjugate)(bits >> 15 & 1),
                               .alpha = factors[bits >> 16 & 1],
                               .beta = factors[bits >> 17 & 3]};
            check_product(&p, number);
        }
}

/* Sums of two vectors, of up to as many tiles as one thread takes, and one element more. */
TEST_CASE(test_dots)
{
    static const int64_t sizes[] = {1, 33, 127, 128, 129, 300, 1000, 8192, 8193};
    uint64_t state = 12;
    for (int k = 0; k < 4 * (int)(sizeof sizes / sizeof *sizes); k++) {
        const int64_t count = sizes[k / 4];
        const stn_format arithmetic = k % 2 ? STN_C64 : STN_C128;
        const numbers kind = (numbers)(order_next(&state) % KINDS);
        stn_c128 should = {0, 0}, is;
        stn_view left, right;
        expect_ok_for(stn_view_wrap(&left, "x", stn_storage_of(arithmetic), a, 1, &count), "wrap");
        expect_ok_for(stn_view_wrap(&right, "y", stn_storage_of(arithmetic), a + count, 1, &count),
                      "wrap");
        fill(&left, &state, kind);
        fill(&right, &state, kind);
        for (int setting = 0; setting < order_settings(); setting++) {
            expect_ok_for((k / 2 % 2 ? stn_dotc : stn_dotu)(order_use(setting), arithmetic, &is,
                                                            &left, &right),
                          "dot");
            should = setting == 0 ? is : should;
            if (!order_same(is.re, should.re) || !order_same(is.im, should.im))
                fail_msg("dot of %d in %s on %s: (%a, %a), not (%a, %a)", (int)count,
                         oracle_formats[arithmetic].name, order_setting_name(setting), is.re, is.im,
                         should.re, should.im);
        }
    }
}

RUN_TESTS(NULL, order_teardown, UNIT(test_products), UNIT(test_dots))
