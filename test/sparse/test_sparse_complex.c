/* Products of sparse matrices in complex arithmetic: the order of doc/order.md by parts for complex
 * values, two real products for real ones; every kind of matrix and of slice, format, layout of
 * vectors, factor and scales of rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matrix.h"
#include "order_complex.h"
#include "steno/sparse_optimize.h"

enum { ROWS = 90, MOST = 24000, FAR = 70000, WIDEST = 8 };
enum { AFTER = 16 * WIDEST }; /* elements after y that no product may write */

/* Twice from -1000 to 1000, over 700. */
static double any(uint64_t *state)
{
    return (double)(int64_t)(order_next(state) % 2001 - 1000) / 700;
}

/* Rounded to the parts of the arithmetic type. */
static stn_c128 narrow(int is_wide, stn_c128 z)
{
    return is_wide ? z : stn_c128_of((double)(float)z.re, (double)(float)z.im);
}

static int is_number(stn_c128 z, double re)
{
    return z.re == re && z.im == 0;
}

/* ---- matrices ---- */

typedef enum pattern {
    STENCIL,
    SHORT_STENCIL, /* in 16 rows */
    BANDS_OF_40,
    BANDS_OF_100,
    NEIGHBORS,
    FAR_ENTRIES,
    UNEVEN,
    LONG_AND_FAR,
    RANDOM, /* with a row of 10001 entries, or without */
    PATTERNS
} pattern;

static const struct {
    const char *name;
    int64_t rows, columns;
} shapes[PATTERNS] = {
    {"a stencil", 88, 160},    {"a stencil in 16 rows", 16, 70}, {"bands of 40", 64, 104},
    {"bands of 100", 35, 140}, {"neighbors", 37, 600},           {"far entries", 48, FAR},
    {"uneven rows", 45, 1100}, {"long and far rows", 20, FAR},   {"random rows", 60, 60}};

static int64_t length_of(pattern kind, int64_t row, uint64_t *state)
{
    const uint64_t random = order_next(state);
    switch (kind) {
    case STENCIL:
    case SHORT_STENCIL:
        return row % 30 < 25 ? 6 : 5;
    case BANDS_OF_40:
        return row % 16 == 5 ? 33 : 40;
    case BANDS_OF_100:
        return 100 - row % 2;
    case NEIGHBORS:
    case FAR_ENTRIES:
        return row == 4 ? 0 : 3 + row % 3;
    case UNEVEN:
        return row == 3 ? 1000 : row % 5 == 4 ? 0 : row * row % 23;
    case LONG_AND_FAR:
        return row % 2 ? 200 : 129;
    case RANDOM:
    case PATTERNS:
    default:
        return row == 7          ? 10001
               : random % 4 == 0 ? 0
                                 : (int64_t)(random / 4 % (random % 3 ? 9 : 290));
    }
}

static int64_t column_of(pattern kind, int64_t row, int64_t e, uint64_t *state)
{
    switch (kind) {
    case STENCIL:
    case SHORT_STENCIL:
        return row + (e + (row % 30 < 25 ? 0 : 1)) * 9;
    case BANDS_OF_40:
    case BANDS_OF_100:
        return row + e;
    case NEIGHBORS:
        return row * 37 % 50 + 100 * e;
    case FAR_ENTRIES:
    case LONG_AND_FAR:
        return (row * 7919 + e * 33331) % FAR;
    case UNEVEN:
        return (row * 131 + e * 17) % 1100;
    case RANDOM:
    case PATTERNS:
    default:
        return (int64_t)(order_next(state) % 60);
    }
}

typedef struct problem {
    pattern kind;
    int is_wide, is_complex, is_scaled; /* by rows */
    int64_t rows, columns, start[ROWS + 1];
    stn_storage storage;
    int32_t column[MOST];
    double codes[2 * MOST], row_scale[ROWS];
    stn_c128 value[MOST]; /* decoded in the arithmetic */
    stn_matrix *a;
} problem;

static void store(problem *p, int64_t e, stn_c128 value)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(p->storage.format, &info));
    char *const code = (char *)p->codes + e * info.bytes;
    const stn_format from = p->is_complex ? STN_C128 : STN_F64;
    double parts[2] = {0, 0};
    expect_ok(stn_encode(from, &p->storage, code, 1, 0, &value, 1));
    expect_ok(stn_decode(from, parts, &p->storage, code, 1, 1));
    p->value[e] = narrow(p->is_wide, stn_c128_of(parts[0], parts[1]));
}

static problem *make_problem(pattern kind, stn_format format, int is_wide, uint64_t *state)
{
    problem *const p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->kind = kind;
    p->rows = shapes[kind].rows;
    p->columns = shapes[kind].columns;
    p->is_wide = is_wide;
    p->is_complex = format == STN_C128 || format == STN_C64 || format == STN_C32;
    p->is_scaled = kind == RANDOM && order_next(state) % 2;
    p->storage = stn_storage_of(format);
    p->storage.scale = kind == RANDOM && order_next(state) % 2 ? 0.25 : 1.0;
    for (int64_t row = 0; row < p->rows; row++) {
        const int64_t begin = p->start[row], count = length_of(kind, row, state);
        assert_true(begin + count <= MOST);
        p->start[row + 1] = begin + count;
        p->row_scale[row] = p->is_scaled ? any(state) : 1.0;
        for (int64_t e = begin; e < begin + count; e++) {
            p->column[e] = (int32_t)column_of(kind, row, e - begin, state);
            store(p, e, stn_c128_of(any(state), any(state)));
        }
    }
    return p;
}

static void wrap(problem *p)
{
    stn_view scales;
    expect_ok(
        wrap_csr(&p->a, "mike", p->storage, p->rows, p->columns, p->start, p->column, p->codes));
    expect_ok(
        stn_view_wrap_const(&scales, "scales", stn_storage_of(STN_F64), p->row_scale, 1, &p->rows));
    if (p->is_scaled)
        expect_ok(stn_matrix_set_row_scales(p->a, &scales));
}

static void drop(problem *p)
{
    stn_matrix_release(p->a);
    free(p);
}

/* ---- vectors: of the arithmetic type, or of c128 ---- */

typedef struct layout {
    int64_t count;
    int is_by_columns, is_c128;
} layout;

static const layout layouts[] = {{1, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0}, {8, 0, 0},
                                 {5, 1, 0}, {2, 0, 0}, {1, 0, 1}, {3, 0, 1}, {3, 1, 1}};

static int64_t place_of(const layout *l, int64_t rows, int64_t row, int64_t j)
{
    return l->is_by_columns ? row + j * rows : row * l->count + j;
}

typedef struct vectors {
    stn_c128 wide[FAR * WIDEST];
    stn_c64 narrow[FAR * WIDEST];
} vectors;

static stn_view view_of(vectors *v, int is_wide, const layout *l, int64_t rows)
{
    const int64_t extents[2] = {rows, l->count};
    const int64_t strides[2] = {l->is_by_columns ? 1 : l->count, l->is_by_columns ? rows : 1};
    stn_view view;
    is_wide |= l->is_c128;
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
        v->wide[k] = narrow(is_wide, stn_c128_of(any(&state), any(&state)));
        v->narrow[k] = (stn_c64){(float)v->wide[k].re, (float)v->wide[k].im};
    }
}

/* ---- expected products ---- */

typedef struct factors {
    stn_c128 alpha, beta;
} factors;

static const factors plain = {{1, 0}, {0, 0}};
static const factors all_factors[] = {
    {{1, 0}, {0, 0}}, {{0.5, -0.7}, {-0.3, 0.2}}, {{1, 0}, {1, 0}},      {{0, 0}, {-0.3, 0.2}},
    {{0, 1}, {0, 0}}, {{0, 0}, {1, 0}},           {{0.5, -0.7}, {0, 0}}, {{0, 0}, {0, 0}}};

static stn_c128 sum_of(const problem *p, int64_t row, const layout *l, const vectors *v, int64_t j)
{
    static stn_c128 a[MOST], x[MOST];
    static double real[MOST], re[MOST], im[MOST];
    const stn_format arithmetic = p->is_wide ? STN_F64 : STN_F32;
    const int64_t begin = p->start[row], count = p->start[row + 1] - begin;
    const double scale = order_round(arithmetic, p->row_scale[row]);
    for (int64_t e = 0; e < count; e++) {
        x[e] = v->wide[place_of(l, p->columns, p->column[begin + e], j)];
        a[e] = stn_c128_of(order_multiply(arithmetic, scale, p->value[begin + e].re),
                           order_multiply(arithmetic, scale, p->value[begin + e].im));
        real[e] = a[e].re;
        re[e] = x[e].re;
        im[e] = x[e].im;
    }
    return p->is_complex ? row_sum(p->is_wide, a, x, count)
                         : stn_c128_of(order_dot(arithmetic, real, re, count),
                                       order_dot(arithmetic, real, im, count));
}

static void expect(const problem *p, const layout *l, const vectors *x, factors by,
                   const vectors *old, stn_c128 *y)
{
    const int has_product = !is_number(by.alpha, 0), has_old = !is_number(by.beta, 0);
    for (int64_t row = 0; row < p->rows; row++)
        for (int64_t j = 0; j < l->count; j++) {
            const int64_t at = place_of(l, p->rows, row, j);
            stn_c128 sum = has_product ? sum_of(p, row, l, x, j) : stn_c128_of(0, 0);
            if (has_product && !is_number(by.alpha, 1))
                sum = times(p->is_wide, narrow(p->is_wide, by.alpha), sum);
            const stn_c128 before =
                is_number(by.beta, 1)
                    ? old->wide[at]
                    : times(p->is_wide, narrow(p->is_wide, by.beta), old->wide[at]);
            y[at] = !has_old ? sum : has_product ? plus(p->is_wide, sum, before) : before;
        }
}

/* ---- products ---- */

static void check(const problem *p, const stn_matrix *a, const layout *l, vectors *x, factors by,
                  const vectors *old, const stn_c128 *expected, int number)
{
    static vectors y;
    const int64_t count = p->rows * l->count;
    const stn_view from = view_of(x, p->is_wide, l, p->columns);
    const stn_view to = view_of(&y, p->is_wide, l, p->rows);
    const stn_c128 first = x->wide[0];
    if (is_number(by.alpha, 0)) /* x is not read */
        x->wide[0].re = NAN;
    for (int setting = 0; setting < order_settings(); setting++) {
        const int is_slow = strstr(order_setting_name(setting), "reference") != NULL;
        char words[300];
        if (!order_has_turn(setting, number) || (is_slow && number % 5 != 0))
            continue;
        snprintf(words, sizeof words, "%s of format %d as kind %d, %d vectors%s, on %s",
                 shapes[p->kind].name, (int)p->storage.format, (int)a->kind, (int)l->count,
                 l->is_by_columns ? " in columns" : "", order_setting_name(setting));
        memcpy(y.wide, old->wide, (size_t)(count + AFTER) * sizeof *y.wide);
        memcpy(y.narrow, old->narrow, (size_t)(count + AFTER) * sizeof *y.narrow);
        expect_ok(stn_spmv_complex(order_use(setting), p->is_wide ? STN_C128 : STN_C64, by.alpha, a,
                                   &from, by.beta, &to));
        for (int64_t k = 0; k < count; k++) {
            const stn_c64 low = y.narrow[k];
            const stn_c128 is =
                p->is_wide || l->is_c128 ? y.wide[k] : stn_c128_of((double)low.re, (double)low.im);
            if (memcmp(&is, &expected[k], sizeof is) != 0)
                fail_msg("%s: element %d: %a %a, not %a %a", words, (int)k, is.re, is.im,
                         expected[k].re, expected[k].im);
        }
        if (memcmp(y.wide + count, old->wide + count, AFTER * sizeof *y.wide) != 0 ||
            memcmp(y.narrow + count, old->narrow + count, AFTER * sizeof *y.narrow) != 0)
            fail_msg("%s: written after y", words);
    }
    x->wide[0] = first;
}

/* Codes of padding are not read: bits of all ones are NaN. */
static void spoil_padding(const stn_matrix *made)
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

/* All kinds, SELL sorted by more rows than a window, and SELL with slices of 5 rows. */
enum { FORMS = STN_MATRIX_PACKED + 3 };

static stn_matrix *convert(const problem *p, int form)
{
    static const int64_t sell[2][2] = {{8, 1000}, {5, 10}};
    stn_matrix *made;
    const int64_t *const sizes = sell[form == FORMS - 1];
    if (form <= STN_MATRIX_PACKED)
        expect_ok(stn_sparse_convert(NULL, &made, p->a, (stn_matrix_kind)form, NULL));
    else
        expect_ok(stn_sparse_convert_sell(NULL, &made, p->a, sizes[0], sizes[1], NULL));
    if (made->kind == STN_MATRIX_ELL || made->kind == STN_MATRIX_SELL)
        spoil_padding(made);
    return made;
}

static int has_no_scales(stn_matrix_kind kind)
{
    return kind == STN_MATRIX_SLICED || kind == STN_MATRIX_PACKED;
}

/* Products read a copy of one of the kinds, or the one that the model selects. */
static void check_optimized(const problem *p, const layout *l, vectors *x, factors by,
                            const vectors *old, const stn_c128 *expected, int number)
{
    stn_optimize_options options = STN_OPTIMIZE_OPTIONS_INIT;
    const stn_format arithmetic = p->is_wide ? STN_C128 : STN_C64;
    options.kind = (stn_matrix_kind)(number % (STN_MATRIX_PACKED + 1));
    options.method = STN_OPTIMIZE_MODEL;
    if (has_no_scales(options.kind) && p->is_scaled)
        return;
    expect_ok(stn_matrix_optimize(order_use(0), arithmetic, p->a, INT64_MAX, &options, NULL));
    check(p, p->a, l, x, by, old, expected, number);
    expect_ok(stn_matrix_optimize(order_use(0), arithmetic, p->a, 0, NULL, NULL));
}

static void check_forms(const problem *p, const layout *l, vectors *x, factors by,
                        const vectors *old, int *number)
{
    static stn_c128 expected[ROWS * WIDEST];
    expect(p, l, x, by, old, expected);
    check(p, p->a, l, x, by, old, expected, ++*number);
    check_optimized(p, l, x, by, old, expected, ++*number);
    for (int form = STN_MATRIX_AUTO; form < FORMS; form++) {
        if (has_no_scales((stn_matrix_kind)form) && p->is_scaled)
            continue;
        stn_matrix *const made = convert(p, form);
        check(p, made, l, x, by, old, expected, ++*number);
        stn_matrix_release(made);
    }
}

UNIT_TEST(test_products)
{
    static const stn_format formats[] = {STN_C128, STN_C64, STN_C32, STN_F64,
                                         STN_F32,  STN_F16, STN_I8};
    static vectors x, old;
    uint64_t state = 7;
    int number = 0;
    for (int k = 0; k < PATTERNS * COUNT_OF(formats) * 2; k++) {
        if (oracle_leaves_out(k))
            continue;
        problem *const p = make_problem((pattern)(k / 2 / COUNT_OF(formats)),
                                        formats[k / 2 % COUNT_OF(formats)], k % 2, &state);
        const int is_random = p->kind == RANDOM;
        const uint64_t chosen = order_next(&state);
        wrap(p);
        for (int n = 0; n < (is_random ? 3 : 1) * oracle_count(1, 2, COUNT_OF(layouts)); n++) {
            const layout *const l = &layouts[(chosen + (uint64_t)n) % COUNT_OF(layouts)];
            const factors by = all_factors[order_next(&state) % COUNT_OF(all_factors)];
            fill(&x, p->is_wide, p->columns * l->count, order_next(&state));
            fill(&old, p->is_wide, p->rows * l->count + AFTER, order_next(&state));
            check_forms(p, l, &x, by, &old, &number);
        }
        drop(p);
    }
}

/* Sums of negative zeros are negative zeros, in lanes of one entry and of two. */
UNIT_TEST(test_negative_zeros)
{
    static const stn_format formats[] = {STN_C128, STN_F64, STN_F16};
    static vectors x, old;
    static stn_c128 expected[ROWS * WIDEST];
    uint64_t state = 5;
    int number = 0;
    for (int k = 0; k < 6 * COUNT_OF(layouts); k++) {
        const layout *const l = &layouts[k / 6];
        problem *const p = make_problem(BANDS_OF_40, formats[k % 3], k / 3 % 2, &state);
        for (int64_t e = 0; e < p->start[p->rows]; e++)
            store(p, e, stn_c128_of(-0.0, 0.0));
        for (int64_t e = 0; e < p->columns * l->count; e++) {
            x.wide[e] = stn_c128_of(1, 0);
            x.narrow[e] = (stn_c64){1, 0};
        }
        wrap(p);
        expect(p, l, &x, plain, &old, expected);
        assert_true(signbit(expected[0].re) && expected[0].re == 0);
        number = k * 5;
        check_forms(p, l, &x, plain, &old, &number);
        drop(p);
    }
}

/* The patterns have slices of every kind, with entries of every run. */
UNIT_TEST(test_slices)
{
    uint64_t state = 3;
    int kinds = 0, runs = 0;
    for (int k = 0; k < RANDOM; k++) {
        problem *const p = make_problem((pattern)k, STN_C128, 1, &state);
        wrap(p);
        stn_matrix *const made = convert(p, STN_MATRIX_SLICED);
        for (int64_t slice = 0; slice < (made->rows + 15) / 16; slice++) {
            const int32_t *const word = made->slice_word + made->slice_start[2 * slice + 1];
            kinds |= 1 << word[0] % 4;
            for (int64_t e = 0; word[0] % 4 == 1 && e < word[0] / 4; e++)
                runs |= 1 << word[1 + e] % 4;
        }
        stn_matrix_release(made);
        drop(p);
    }
    assert_int_equal(kinds, 15);
    assert_int_equal(runs, 7);
}

/* STN_MATRIX_AUTO chooses slices for up to 32 adjacent diagonals. */
UNIT_TEST(test_chosen_kind)
{
    enum { HEIGHT = 64, DIAGONALS = 40 };
    static int64_t start[HEIGHT + 1];
    static int32_t column[HEIGHT * DIAGONALS];
    static stn_c128 value[HEIGHT * DIAGONALS];
    for (int diagonals = 1; diagonals <= DIAGONALS; diagonals++) {
        stn_matrix *a, *made;
        int64_t entries = 0;
        for (int row = 0; row < HEIGHT; row++, start[row] = entries)
            for (int k = 0; k < diagonals; k++)
                column[entries++] = row + k;
        expect_ok(wrap_csr(&a, "diagonals", stn_storage_of(STN_C128), HEIGHT, HEIGHT + DIAGONALS,
                           start, column, value));
        expect_ok(stn_sparse_convert(NULL, &made, a, STN_MATRIX_AUTO, NULL));
        assert_int_equal(made->kind, diagonals <= 32 ? STN_MATRIX_SLICED : STN_MATRIX_CSR);
        stn_matrix_release(made);
        stn_matrix_release(a);
    }
}

/* stn_spmv with real factors is stn_spmv_complex; x with distant columns. */
UNIT_TEST(test_real_factors)
{
    static vectors x, y[2];
    static const layout rows = {3, 0, 1};
    uint64_t state = 2;
    problem *const p = make_problem(RANDOM, STN_C64, 1, &state);
    const int64_t extents[2] = {p->columns, 3}, strides[2] = {1, 2 * p->columns};
    stn_c128 distant[6 * 60];
    stn_view turned;
    wrap(p);
    fill(&x, 1, 3 * p->columns, 9);
    for (int64_t k = 0; k < 3 * p->columns; k++)
        distant[k / 3 + k % 3 * 2 * p->columns] = x.wide[k];
    expect_ok(stn_view_wrap_spec(&turned, &STN_VIEW_SPEC(.label = "xray",
                                                         .storage = stn_storage_of(STN_C128),
                                                         .data = distant, .rank = 2,
                                                         .extents = extents, .strides = strides)));
    const stn_view from = view_of(&x, 1, &rows, p->columns), to = view_of(&y[0], 1, &rows, p->rows),
                   again = view_of(&y[1], 1, &rows, p->rows);
    for (int setting = 0; setting < order_settings(); setting++) {
        expect_ok(stn_spmv_complex(order_use(setting), STN_C128, stn_c128_of(0.7, 0), p->a, &from,
                                   stn_c128_of(0, 0), &to));
        expect_ok(stn_spmv(order_use(setting), STN_C128, 0.7, p->a, &turned, 0.0, &again));
        assert_memory_equal(y[0].wide, y[1].wide, (size_t)(3 * p->rows) * sizeof *y[0].wide);
    }
    drop(p);
}

RUN_UNIT_TESTS(NULL, release_executors)
