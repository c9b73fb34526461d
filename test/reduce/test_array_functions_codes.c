/* Functions of array_functions.h on codes of each real format, which they read without tiles: the
 * bits of the reference executor, with NaN, zeros of both signs, equal elements, scales of both
 * signs, and steps between the elements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "reduce_check.h"
#include "steno/array_functions.h"

/* Rows of a chunk of loops, complete tiles and an incomplete one. */
enum { ROWS = 2, COLUMNS = 64 * 128 + 2 * 128 + 37, STEP = 2, CODES = ROWS * COLUMNS * STEP };

typedef enum content { FINITE, ZEROS, POSITIVE_NAN, NEGATIVE_NAN, EQUAL, CONTENTS } content;

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 24;
}

/* Codes of `bits` bits; finite floats have no exponent above half of the range. */
static uint64_t code_of(const oracle_format *format, content which, int64_t k, uint64_t *state)
{
    const int is_float = format->kind == ORACLE_FLOAT;
    const uint64_t sign = (uint64_t)1 << (format->bits - 1), top = sign >> 1;
    const uint64_t random = random_bits(state);
    if (which == EQUAL)
        return 5;
    if (which == ZEROS)
        return is_float && random % 3 == 0 ? sign : 0;
    if (which == POSITIVE_NAN && is_float && k % 6007 == 6000)
        return sign - 1;
    if (which == NEGATIVE_NAN && is_float && k % 6007 == 6000)
        return 2 * sign - 1;
    return (random | random << 40) & (is_float ? ~top : ~(uint64_t)0) & (2 * sign - 1);
}

static stn_storage storage_of(const oracle_format *format, int turn)
{
    static const double scales[] = {1.0, 1.0, -0.25, 0.1, 8.0};
    stn_storage storage = stn_storage_of((stn_format)format->id);
    storage.scale = scales[turn % 5];
    storage.zero = turn % 7 == 3 ? 3.0 : 0.0;
    return storage;
}

/* ---- results: one per function, and two for those of rows ---- */

enum { RESULTS = 12 };

typedef struct results {
    double value[RESULTS];
} results;

static results call(const stn_exec *exec, stn_format arithmetic, const stn_view *x)
{
    results r = {{0}};
    int64_t index[2];
    const stn_view rows = check_line(STN_F64, r.value + 8, ROWS);
    const stn_view means = check_line(STN_F64, r.value + 10, ROWS);
    expect_ok(stn_min(exec, arithmetic, &r.value[0], x));
    expect_ok(stn_max(exec, arithmetic, &r.value[1], x));
    expect_ok(stn_argmin(exec, arithmetic, &index[0], x));
    expect_ok(stn_argmax(exec, arithmetic, &index[1], x));
    r.value[2] = (double)index[0];
    r.value[3] = (double)index[1];
    expect_ok(stn_sum(exec, arithmetic, &r.value[4], x));
    expect_ok(stn_norm(exec, arithmetic, &r.value[5], x));
    expect_ok(stn_variance(exec, arithmetic, &r.value[6], x, 1));
    expect_ok(stn_variance_into(exec, arithmetic, &rows, x, 1u << 1, 0));
    expect_ok(stn_mean_into(exec, arithmetic, &means, x, 1u << 1));
    return r;
}

static results call_integer(const stn_exec *exec, const stn_view *x)
{
    results r = {{0}};
    int64_t value[4];
    expect_ok(stn_min_integer(exec, STN_I64, &value[0], x));
    expect_ok(stn_max_integer(exec, STN_I64, &value[1], x));
    expect_ok(stn_argmin(exec, STN_I64, &value[2], x));
    expect_ok(stn_argmax(exec, STN_I64, &value[3], x));
    for (int k = 0; k < 4; k++)
        r.value[k] = (double)value[k];
    return r;
}

static void expect_same(const results *found, const results *expected, const char *words)
{
    for (int k = 0; k < RESULTS; k++)
        if (check_bits(found->value[k]) != check_bits(expected->value[k]))
            fail_msg("result %d of %s: %a, not %a", k, words, found->value[k], expected->value[k]);
}

static stn_view view_of(const oracle_format *format, uint64_t *codes, int64_t step, int turn)
{
    const int64_t extents[] = {ROWS, COLUMNS * STEP};
    const stn_slice slices[] = {stn_slice_all(),
                                stn_slice_strided(step < 0 ? COLUMNS - 1 : 0, COLUMNS, step)};
    stn_view whole, x;
    expect_ok(stn_view_wrap(&whole, "x", storage_of(format, turn), codes, 2, extents));
    expect_ok(stn_view_slice(&x, &whole, 2, slices));
    return x;
}

static void check_codes(const oracle_format *format, content which, int turn)
{
    static uint64_t codes[CODES];
    static const int64_t steps[] = {1, -1, STEP};
    const int64_t bytes = (format->bits + 7) / 8, step = steps[turn % 3];
    const stn_format arithmetic = turn / 2 % 2 ? STN_F32 : STN_F64;
    uint64_t state = (uint64_t)turn + 1;
    char words[100];
    for (int64_t k = 0; k < CODES; k++) {
        const uint64_t code = code_of(format, which, k, &state);
        memcpy((unsigned char *)codes + k * bytes, &code, (size_t)bytes);
    }
    const stn_view x = view_of(format, codes, step, turn);
    snprintf(words, sizeof words, "%s in %s, content %d, step %d, scale %g, zero point %g",
             format->name, arithmetic == STN_F64 ? "f64" : "f32", (int)which, (int)step,
             x.storage.scale, x.storage.zero);
    const results expected = call(check_execs[0], arithmetic, &x);
    for (int e = 1; e < 3; e++) {
        const results found = call(check_execs[e], arithmetic, &x);
        expect_same(&found, &expected, words);
    }
    if (format->kind != ORACLE_INTEGER || x.storage.scale != 1.0)
        return;
    const results integers = call_integer(check_execs[0], &x);
    const results found = call_integer(check_execs[2], &x);
    expect_same(&found, &integers, words);
}

UNIT_TEST(test_codes_of_each_format)
{
    int turn = 0;
    for (int f = 0; f < STN_BUILTIN_FORMATS; f++)
        for (int which = 0; which < CONTENTS && oracle_formats[f].kind != ORACLE_COMPLEX; which++)
            check_codes(&oracle_formats[f], (content)which, turn++);
}

RUN_UNIT_TESTS(check_make_execs, check_release_execs)
