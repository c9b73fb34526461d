/* Products of complex vectors: matrices whose slices are of every kind, in every kind of storage
 * and format, times one vector or several, in rows and in columns, to the bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_complex.h"
#include "matrix.h"
#include "steno/sparse.h"
#include "check.h"

enum { ROWS = 90, MOST = 12000, FAR = 70000, WIDEST = 8 };
enum { BEHIND = 16 * WIDEST }; /* elements behind y that no product may write */

static double any(uint64_t *state)
{
    return (double)(int64_t)(order_next(state) % 2001 - 1000) / 700;
}

/* ---- matrices ---- */

typedef struct pattern {
    const char *name;
    int64_t rows, columns;
    int64_t (*length)(int64_t row);
    int64_t (*column)(int64_t row, int64_t entry);
} pattern;

static int64_t six(int64_t row)
{
    return row % 30 < 25 ? 6 : 5;
}

static int64_t band(int64_t row, int64_t entry)
{
    return row + (entry + (row % 30 < 25 ? 0 : 1)) * 9;
}

static int64_t forty(int64_t row)
{
    return row % 16 == 5 ? 33 : 40;
}

static int64_t hundred(int64_t row)
{
    return 100 - row % 2;
}

static int64_t beside(int64_t row, int64_t entry)
{
    return row + entry;
}

static int64_t few(int64_t row)
{
    return row == 4 ? 0 : 3 + row % 3;
}

static int64_t near(int64_t row, int64_t entry)
{
    return row * 37 % 50 + 100 * entry;
}

static int64_t far(int64_t row, int64_t entry)
{
    return (row * 7919 + entry * 33331) % FAR;
}

static int64_t uneven(int64_t row)
{
    return row == 3 ? 1000 : row % 5 == 4 ? 0 : row * row % 23;
}

static int64_t long_rows(int64_t row)
{
    return row % 2 ? 200 : 129;
}

static int64_t any_near(int64_t row, int64_t entry)
{
    return (row * 131 + entry * 17) % 1100;
}

static const pattern patterns[] = {
    {"a stencil", 88, 160, six, band},           {"a stencil in 16 rows", 16, 70, six, band},
    {"bands of 40", 64, 104, forty, beside},     {"bands of 100", 35, 140, hundred, beside},
    {"neighbours", 37, 600, few, near},          {"far entries", 48, FAR, few, far},
    {"uneven rows", 45, 1100, uneven, any_near}, {"long and far rows", 20, FAR, long_rows, far},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

typedef struct problem {
    const pattern *of;
    int is_wide, is_complex;
    stn_storage storage;
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double codes[2 * MOST];
    stn_c128 value[MOST]; /* as decoded */
} problem;

/* Values as they are stored and decoded. */
static void store(problem *p, int64_t e, stn_c128 value)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(p->storage.format, &info));
    char *const code = (char *)p->codes + e * info.bytes;
    const stn_format from = p->is_complex ? STN_C128 : STN_F64;
    double wide[2] = {0, 0};
    expect_ok(stn_encode(from, &p->storage, code, 1, 0, &value, 1));
    expect_ok(stn_decode(from, wide, &p->storage, code, 1, 1));
    p->value[e] = p->is_wide ? stn_c128_of(wide[0], wide[1])
                             : stn_c128_of((double)(float)wide[0], (double)(float)wide[1]);
}

static problem *make_problem(const pattern *of, stn_format format, int is_wide, uint64_t *state)
{
    problem *const p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->of = of;
    p->is_wide = is_wide;
    p->is_complex = format == STN_C128 || format == STN_C64 || format == STN_C32;
    p->storage = stn_storage_of(format);
    for (int64_t row = 0; row < of->rows; row++) {
        const int64_t begin = p->start[row], count = of->length(row);
        assert_true(begin + count <= MOST);
        p->start[row + 1] = begin + count;
        for (int64_t e = 0; e < count; e++) {
            p->column[begin + e] = (int32_t)of->column(row, e);
            store(p, begin + e, stn_c128_of(any(state), any(state)));
        }
    }
    return p;
}

/* ---- vectors ---- */

typedef struct layout {
    int64_t count;
    int is_by_columns;
} layout;

static const layout layouts[] = {{1, 0}, {3, 0}, {3, 1}, {2, 1}, {8, 0}, {5, 1}, {2, 0}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static int64_t place_of(const layout *l, int64_t rows, int64_t row, int64_t j)
{
    return l->is_by_columns ? row + j * rows : row * l->count + j;
}

/* Of the arithmetic type, in rows or columns. */
typedef struct vectors {
    stn_c128 wide[FAR * WIDEST];
    stn_c64 narrow[FAR * WIDEST];
} vectors;

static stn_view view_of(vectors *v, int is_wide, const layout *l, int64_t rows)
{
    const int64_t extents[2] = {rows, l->count};
    const int64_t strides[2] = {l->is_by_columns ? 1 : l->count, l->is_by_columns ? rows : 1};
    stn_view view;
    expect_ok(stn_view_wrap_spec(
        &view,
        &STN_VIEW_SPEC(.label = "victor", .storage = stn_storage_of(is_wide ? STN_C128 : STN_C64),
                       .data = is_wide ? (void *)v->wide : v->narrow, .rank = l->count == 1 ? 1 : 2,
                       .extents = extents, .strides = strides)));
    return view;
}

static void fill(vectors *v, int is_wide, int64_t count, uint64_t state)
{
    for (int64_t k = 0; k < count; k++) {
        const stn_c128 z = stn_c128_of(any(&state), any(&state));
        v->narrow[k] = (stn_c64){(float)z.re, (float)z.im};
        v->wide[k] = is_wide ? z : stn_c128_of((double)(float)z.re, (double)(float)z.im);
    }
}

/* ---- what is expected ---- */

static stn_c128 narrow(int is_wide, stn_c128 z)
{
    return is_wide ? z : stn_c128_of((double)(float)z.re, (double)(float)z.im);
}

static stn_c128 sum_of(const problem *p, const stn_c128 *values, const stn_c128 *x, int64_t count)
{
    static double real[MOST], re[MOST], im[MOST];
    const stn_format arithmetic = p->is_wide ? STN_F64 : STN_F32;
    if (p->is_complex)
        return row_sum(p->is_wide, values, x, count);
    for (int64_t e = 0; e < count; e++) {
        real[e] = values[e].re;
        re[e] = x[e].re;
        im[e] = x[e].im;
    }
    return stn_c128_of(order_dot(arithmetic, real, re, count),
                       order_dot(arithmetic, real, im, count));
}

typedef struct factors {
    stn_c128 alpha, beta;
} factors;

static void expect(const problem *p, const layout *l, const vectors *x, factors by,
                   const vectors *old, stn_c128 *y)
{
    static stn_c128 gathered[MOST];
    for (int64_t row = 0; row < p->of->rows; row++)
        for (int64_t j = 0; j < l->count; j++) {
            const int64_t begin = p->start[row], count = p->start[row + 1] - begin;
            const int64_t at = place_of(l, p->of->rows, row, j);
            for (int64_t e = 0; e < count; e++)
                gathered[e] = x->wide[place_of(l, p->of->columns, p->column[begin + e], j)];
            stn_c128 sum = sum_of(p, p->value + begin, gathered, count);
            if (by.alpha.re != 1 || by.alpha.im != 0)
                sum = times(p->is_wide, narrow(p->is_wide, by.alpha), sum);
            const stn_c128 product =
                by.beta.re == 1 && by.beta.im == 0
                    ? old->wide[at]
                    : times(p->is_wide, narrow(p->is_wide, by.beta), old->wide[at]);
            y[at] = by.beta.re == 0 && by.beta.im == 0 ? sum : plus(p->is_wide, sum, product);
        }
}

/* ---- products ---- */

static void check(const problem *p, const stn_matrix *a, const layout *l, vectors *x, factors by,
                  const vectors *old, const stn_c128 *expected, int number)
{
    static vectors y;
    const int64_t rows = p->of->rows, count = rows * l->count;
    const stn_view from = view_of(x, p->is_wide, l, p->of->columns);
    const stn_view to = view_of(&y, p->is_wide, l, rows);
    for (int setting = 0; setting < order_settings(); setting++) {
        const int is_slow = strstr(order_setting_name(setting), "reference") != NULL;
        if (!order_has_turn(setting, number) || (is_slow && number % 5 != 0))
            continue;
        memcpy(y.wide, old->wide, (size_t)(count + BEHIND) * sizeof *y.wide);
        memcpy(y.narrow, old->narrow, (size_t)(count + BEHIND) * sizeof *y.narrow);
        expect_ok(stn_spmv_complex(order_use(setting), p->is_wide ? STN_C128 : STN_C64, by.alpha, a,
                                   &from, by.beta, &to));
        for (int64_t k = 0; k < count; k++) {
            const stn_c128 is = p->is_wide
                                    ? y.wide[k]
                                    : stn_c128_of((double)y.narrow[k].re, (double)y.narrow[k].im);
            if (memcmp(&is, &expected[k], sizeof is) != 0)
                fail_msg("%s of format %d as kind %d, %d vectors%s, on %s: place %d: %a %a, not %a "
                         "%a",
                         p->of->name, (int)p->storage.format, (int)a->kind, (int)l->count,
                         l->is_by_columns ? " in columns" : "", order_setting_name(setting), (int)k,
                         is.re, is.im, expected[k].re, expected[k].im);
        }
        if (memcmp(y.wide + count, old->wide + count, BEHIND * sizeof *y.wide) != 0 ||
            memcmp(y.narrow + count, old->narrow + count, BEHIND * sizeof *y.narrow) != 0)
            fail_msg("%s of format %d as kind %d, %d vectors%s, on %s: written behind y",
                     p->of->name, (int)p->storage.format, (int)a->kind, (int)l->count,
                     l->is_by_columns ? " in columns" : "", order_setting_name(setting));
    }
}

/* What is at places of no entry is not read for a sum: bits of all ones are not numbers. */
static void spoil_absent(const stn_matrix *made)
{
    const int64_t width = made->kind == STN_MATRIX_ELL ? made->indices.extent[1] : 1;
    const int64_t places = made->indices.extent[0] * width;
    const int32_t *const column = made->indices.data;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(made->storage.format, &info));
    char *const codes = (char *)(uintptr_t)made->codes.data;
    for (int64_t k = 0; k < places; k++)
        if (column[k] < 0)
            memset(codes + k * info.bytes, 0xff, (size_t)info.bytes);
}

/* One sorted as a whole, beyond what windows hold; and slices of 5 rows, sorted by 10. */
static void convert(stn_matrix **made, const stn_matrix *a, int form)
{
    if (form <= STN_MATRIX_SELL)
        expect_ok(stn_sparse_convert(NULL, made, a, (stn_matrix_kind)form, NULL));
    else
        expect_ok(stn_sparse_convert_sell(NULL, made, a, form == STN_MATRIX_SELL + 1 ? 8 : 5,
                                          form == STN_MATRIX_SELL + 1 ? 1000 : 10, NULL));
    if ((*made)->kind == STN_MATRIX_ELL || (*made)->kind == STN_MATRIX_SELL)
        spoil_absent(*made);
}

static void check_problem(const problem *p, uint64_t *state, int *number)
{
    static const factors all[] = {{{1, 0}, {0, 0}}, {{0.5, -0.7}, {-0.3, 0.2}}, {{1, 0}, {1, 0}}};
    static vectors x, old;
    static stn_c128 expected[ROWS * WIDEST];
    stn_matrix *a, *made;
    expect_ok(wrap_csr(&a, "mike", p->storage, p->of->rows, p->of->columns, p->start, p->column,
                       p->codes));
    const uint64_t chosen = order_next(state);
    for (int k = 0; k < oracle_count(1, 2, LAYOUTS); k++) {
        const layout *const l = &layouts[(chosen + (uint64_t)k) % LAYOUTS];
        const factors by = all[order_next(state) % 3];
        fill(&x, p->is_wide, p->of->columns * l->count, order_next(state));
        fill(&old, p->is_wide, p->of->rows * l->count, order_next(state));
        expect(p, l, &x, by, &old, expected);
        for (int form = STN_MATRIX_CSR; form <= STN_MATRIX_SELL + 2; form++) {
            convert(&made, a, form);
            check(p, made, l, &x, by, &old, expected, ++*number);
            stn_matrix_release(made);
        }
    }
}

TEST_CASE(test_kinds)
{
    static const stn_format formats[] = {STN_C128, STN_C64, STN_C32, STN_F64, STN_F32, STN_F16};
    uint64_t state = 7;
    int number = 0;
    for (int k = 0; k < PATTERNS; k++)
        for (int f = 0; f < 6; f++)
            for (int is_wide = 0; is_wide < 2; is_wide++) {
                problem *const p = make_problem(&patterns[k], formats[f], is_wide, &state);
                check_problem(p, &state, &number);
                free(p);
            }
}

/* Sums of negative zeros are such, in lanes of one entry and of two. */
TEST_CASE(test_negative_zeros)
{
    static const stn_format formats[] = {STN_C128, STN_F64, STN_F16};
    static const factors as_it_is = {{1, 0}, {0, 0}};
    static vectors x, old;
    static stn_c128 expected[ROWS * WIDEST];
    uint64_t state = 5;
    stn_matrix *a, *made;
    for (int k = 0; k < 6 * LAYOUTS; k++) {
        const layout *const l = &layouts[k / 6];
        problem *const p = make_problem(&patterns[2], formats[k % 3], k / 3 % 2, &state);
        for (int64_t e = 0; e < p->start[p->of->rows]; e++)
            store(p, e, stn_c128_of(-0.0, 0.0));
        for (int64_t e = 0; e < p->of->columns * l->count; e++) {
            x.wide[e] = stn_c128_of(1, 0);
            x.narrow[e] = (stn_c64){1, 0};
        }
        expect(p, l, &x, as_it_is, &old, expected);
        assert_true(signbit(expected[0].re) && expected[0].re == 0);
        expect_ok(wrap_csr(&a, "mike", p->storage, p->of->rows, p->of->columns, p->start, p->column,
                           p->codes));
        for (int form = STN_MATRIX_CSR; form <= STN_MATRIX_SELL + 2; form++) {
            convert(&made, a, form);
            check(p, made, l, &x, as_it_is, &old, expected, 5 * form);
            stn_matrix_release(made);
        }
        free(p);
    }
}

/* The patterns above have slices of every kind, and entries of every run. */
TEST_CASE(test_slices)
{
    uint64_t state = 3;
    int kinds = 0, runs = 0;
    for (int k = 0; k < PATTERNS; k++) {
        problem *const p = make_problem(&patterns[k], STN_C128, 1, &state);
        stn_matrix *a, *made;
        expect_ok(wrap_csr(&a, "mike", p->storage, p->of->rows, p->of->columns, p->start, p->column,
                           p->codes));
        expect_ok(stn_sparse_convert(NULL, &made, a, STN_MATRIX_SLICED, NULL));
        for (int64_t slice = 0; slice < (made->rows + 15) / 16; slice++) {
            const int32_t *const word = made->slice_word + made->slice_start[2 * slice + 1];
            kinds |= 1 << word[0] % 4;
            for (int64_t e = 0; word[0] % 4 == 1 && e < word[0] / 4; e++)
                runs |= 1 << word[1 + e] % 4;
        }
        stn_matrix_release(made);
        free(p);
    }
    assert_int_equal(kinds, 15);
    assert_int_equal(runs, 7);
}

RUN_TESTS(NULL, release_executors, UNIT(test_slices), UNIT(test_kinds), UNIT(test_negative_zeros))
