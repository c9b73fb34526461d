/* Products of rows of real codes with complex vectors, against long double by parts; the same bits
 * in one pass and in several, on every executor, of every length. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "blas/pairs.h"
#include "core/status.h"
#include "order_oracle.h"
#include "make_view.h"

enum { MOST_ROWS = 130, MOST_NUMBERS = 3000, PAD = 8 };

/* Rows as values, and what there is before a call and behind it, as values of the arithmetic. */
typedef struct pairs_case {
    stn_format format, arithmetic;
    int64_t rows, numbers;
    double *a;
    double w[2 * MOST_NUMBERS], x[2][MOST_ROWS];
    double w_found[2 * MOST_NUMBERS], found[2][MOST_ROWS];
} pairs_case;

static double draw(uint64_t *state)
{
    return (double)(order_next(state) >> 11) * 0x1p-52 - 1.0;
}

/* Codes of integers up to 100, of floats values from -1 to 1 as they are decoded. */
static void fill(pairs_case *it, stn_view *rows, void *codes, uint64_t *state)
{
    const int64_t extents[] = {it->rows, 2 * it->numbers}, strides[] = {extents[1] + PAD, 1};
    stn_format_info info = STN_FORMAT_INFO_INIT;
    const stn_storage storage = stn_storage_of(it->format);
    expect_ok(stn_format_describe(it->format, &info));
    const double scale = info.kind == STN_CLASS_INTEGER ? 100.0 : 1.0;
    for (int64_t i = 0; i < it->rows; i++) {
        char *const row = (char *)codes + i * strides[0] * info.bytes;
        double *const values = it->a + i * extents[1];
        for (int64_t k = 0; k < extents[1]; k++)
            values[k] = scale * draw(state);
        expect_ok(stn_encode(STN_F64, &storage, row, 1, 0, values, extents[1]));
        expect_ok(stn_decode(STN_F64, values, &storage, row, 1, extents[1]));
    }
    for (int64_t k = 0; k < extents[1]; k++)
        it->w[k] = order_round(it->arithmetic, draw(state));
    for (int64_t i = 0; i < it->rows; i++)
        for (int part = 0; part < 2; part++)
            it->x[part][i] = order_round(it->arithmetic, draw(state) / 64.0);
    expect_ok(stn_view_wrap_spec(rows, &STN_VIEW_SPEC(.label = "rows", .storage = storage,
                                                      .data = codes, .rank = 2, .extents = extents,
                                                      .strides = strides)));
}

typedef enum what { PROJECT, COMBINE, ADD, SUBTRACT, CALLS } what;

static void run(const stn_exec *exec, pairs_case *it, const stn_view *rows, what call)
{
    stn_pairs p = {.exec = exec, .arithmetic = it->arithmetic, .rows = *rows};
    const int64_t elements = 2 * it->numbers;
    const stn_storage storage = stn_storage_of(it->arithmetic);
    stn_view w, turned, values;
    expect_ok(stn_view_create(exec, &w, "w", storage, 1, &elements));
    expect_ok(stn_view_create(exec, &turned, "turned", storage, 1, &elements));
    stn_view w_values = wrap_view("w", stn_storage_of(STN_F64), it->w, 1, &elements);
    expect_ok(stn_view_copy(exec, &w, &w_values));
    p.rotated = &turned;
    for (int part = 0; part < 2; part++) {
        stn_view *const x = part ? &p.im : &p.re;
        expect_ok(stn_view_create(exec, x, "x", storage, 1, &it->rows));
        values = wrap_view("x", stn_storage_of(STN_F64), it->x[part], 1, &it->rows);
        expect_ok(stn_view_copy(exec, x, &values));
    }
    expect_ok(call == PROJECT   ? stn_pairs_project(&p, &w)
              : call == COMBINE ? stn_pairs_combine(&p, 1.0, 0.0, &w)
              : call == ADD     ? stn_pairs_combine(&p, -1.0, 1.0, &w)
                                : stn_pairs_subtract(&p, &w));
    w_values = wrap_view("w", stn_storage_of(STN_F64), it->w_found, 1, &elements);
    expect_ok(stn_view_copy(exec, &w_values, &w));
    for (int part = 0; part < 2; part++) {
        stn_view *const x = part ? &p.im : &p.re;
        values = wrap_view("x", stn_storage_of(STN_F64), it->found[part], 1, &it->rows);
        expect_ok(stn_view_copy(exec, &values, x));
        expect_ok(stn_view_release(x));
    }
    expect_ok(stn_view_release(&w));
    expect_ok(stn_view_release(&turned));
}

static void expect_near(double found, long double expected, long double magnitude,
                        const pairs_case *it, int64_t terms, const char *name)
{
    const double u = it->arithmetic == STN_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
    const long double error = fabsl((long double)found - expected);
    if (!(error <= (log2l((long double)terms + 1) + 6) * (long double)u * magnitude))
        fail_msg("%s of %lld x %lld in format %d: %g, not %g", name, (long long)it->rows,
                 (long long)it->numbers, (int)it->format, found, (double)expected);
}

/* w += sign * sum of x_i v_i, of parts by parts. */
static void check_w(const pairs_case *it, what call)
{
    const long double sign = call == COMBINE ? 1 : -1;
    for (int64_t k = 0; k < it->numbers; k++) {
        long double re = call == COMBINE ? 0 : it->w[2 * k];
        long double im = call == COMBINE ? 0 : it->w[2 * k + 1];
        long double size = fabsl(re) + fabsl(im);
        for (int64_t i = 0; i < it->rows; i++) {
            const double *const v = it->a + 2 * (i * it->numbers + k);
            const long double x = it->x[0][i], y = it->x[1][i];
            re += sign * (x * v[0] - y * v[1]);
            im += sign * (x * v[1] + y * v[0]);
            size += fabsl(x * v[0]) + fabsl(y * v[1]) + fabsl(x * v[1]) + fabsl(y * v[0]);
        }
        expect_near(it->w_found[2 * k], re, size, it, it->rows, "a real part of w");
        expect_near(it->w_found[2 * k + 1], im, size, it, it->rows, "an imaginary part of w");
    }
}

/* v^H w, of w as it became. */
static void check_products(const pairs_case *it)
{
    for (int64_t i = 0; i < it->rows; i++) {
        long double re = 0, im = 0, size = 0;
        for (int64_t k = 0; k < it->numbers; k++) {
            const double *const v = it->a + 2 * (i * it->numbers + k);
            const long double x = it->w_found[2 * k], y = it->w_found[2 * k + 1];
            re += v[0] * x + v[1] * y;
            im += v[0] * y - v[1] * x;
            size += fabsl(v[0] * x) + fabsl(v[1] * y) + fabsl(v[0] * y) + fabsl(v[1] * x);
        }
        expect_near(it->found[0][i], re, size, it, 2 * it->numbers, "a real part of a product");
        expect_near(it->found[1][i], im, size, it, 2 * it->numbers, "an imaginary part of one");
    }
}

static void check(pairs_case *it, int number, uint64_t *state)
{
    static pairs_case first;
    stn_view rows;
    it->a = malloc((size_t)(it->rows * it->numbers * 2) * sizeof *it->a);
    void *const codes = calloc((size_t)(it->rows * (2 * it->numbers + PAD)), sizeof(double));
    assert_true(it->a && codes);
    fill(it, &rows, codes, state);
    for (int call = 0; call < CALLS; call++)
        for (int setting = 0; setting < order_settings(); setting++) {
            if (setting > 0 && !order_has_turn(setting, number))
                continue;
            run(order_use(setting), it, &rows, (what)call);
            if (setting == 0) {
                first = *it;
                if (call != PROJECT)
                    check_w(it, (what)call);
                if (call == PROJECT || call == SUBTRACT)
                    check_products(it);
            } else if (memcmp(first.w_found, it->w_found, sizeof it->w_found) != 0 ||
                       memcmp(first.found, it->found, sizeof it->found) != 0)
                fail_msg("call %d of %lld x %lld in format %d: other bits on %s", call,
                         (long long)it->rows, (long long)it->numbers, (int)it->format,
                         order_setting_name(setting));
        }
    free(codes);
    free(it->a);
}

UNIT_TEST(test_all)
{
    static pairs_case it;
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_BF16,
                                         STN_I16, STN_I8,  STN_E4M3};
    static const int64_t heights[] = {1, 5, 64, 128, MOST_ROWS};
    static const int64_t widths[] = {1, 64, 65, 700, MOST_NUMBERS};
    uint64_t state = 5;
    int number = 0;
    for (int f = 0; f < 7; f++)
        for (int k = 0; k < (oracle_quick() ? 3 : 6); k++, number++) {
            it.format = formats[f];
            it.arithmetic = number % 2 ? STN_F32 : STN_F64;
            it.rows = k == 0 ? 20 : heights[order_next(&state) % 5];
            it.numbers = k == 0 ? MOST_NUMBERS : widths[order_next(&state) % 5];
            check(&it, number, &state);
        }
    order_release_executors();
}

RUN_UNIT_TESTS(NULL, NULL)
