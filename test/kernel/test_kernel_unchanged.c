/* An inout element that keeps its value keeps its code and counts nothing, for all codes of 16
 * bits, under every rule: storing values that were read may be omitted, or must restore the codes.
 */
#include <string.h>

#include "make_view.h"
#include "oracle.h"
#include "steno/kernel.h"

STN_MAP(above, (in(bound), inout(x)), x = bound > STN_R(2.0) ? STN_R(1.0) : x;)

enum { ROWS = 64, COLUMNS = 1024, BLOCK = 32, CODES = ROWS * COLUMNS, RULES = 6 };
enum { SMALL = 4, LARGE = 5 }; /* of scale_of */

typedef enum scale_kind { ONE_SCALE, PER_ROW, PER_BLOCK } scale_kind;

static const stn_format formats[] = {STN_I8, STN_U8, STN_I16, STN_U16, STN_F16, STN_BF16, STN_E4M3};
/* The last ones are too small or too large for the arithmetic f32 to restore the codes. */
static const double scale_of[] = {1.0, 0.1, -3.0, 0x1p-10, 1e-41, 1e34};

static const struct {
    stn_rounding rounding;
    stn_overflow overflow;
    int counts;
    double zero;
} rules[RULES] = {
    {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0.0},
    {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 1, 0.0},
    {STN_ROUND_NEAREST, STN_OVERFLOW_SATURATE, 1, 3.0},
    {STN_ROUND_TOWARD_ZERO, STN_OVERFLOW_DEFAULT, 1, 0.0},
    {STN_ROUND_TOWARD_ZERO, STN_OVERFLOW_SATURATE, 0, 0.0},
    {STN_ROUND_STOCHASTIC, STN_OVERFLOW_DEFAULT, 1, 0.5},
};

static uint16_t every_code[CODES];

/* Factors of the base from row to row or block to block; with two of the bases, one scale of the
 * others is too large or too small for f32. */
static void set_scales(stn_view *view, scale_kind kind, double base, double *scales)
{
    stn_scales set = {.data = scales, .format = STN_F64, .dimension = STN_NO_DIMENSION};
    for (int k = 0; k < CODES / BLOCK; k++)
        scales[k] = base * (1.0 + 0.01 * (k % 11));
    if (base == scale_of[1])
        scales[ROWS / 2] = scale_of[LARGE];
    else if (base == scale_of[2])
        scales[ROWS / 2] = scale_of[SMALL];
    set.stride[0] = kind == PER_ROW ? 1 : COLUMNS / BLOCK;
    if (kind == PER_BLOCK) {
        set.dimension = 1;
        set.block = BLOCK;
        set.stride[1] = 1;
    }
    expect_ok(stn_view_set_scales(view, &set));
}

static void check_codes(const stn_exec *exec, stn_format format, stn_format arithmetic, int rule,
                        scale_kind kind, double scale)
{
    static uint16_t codes[CODES];
    static double scales[CODES / BLOCK];
    const int64_t extents[] = {ROWS, COLUMNS};
    double zero = 0.0;
    const stn_view bound = wrap_view("bound", stn_storage_of(STN_F64), &zero, 0, NULL);
    stn_counters counters = {0};
    stn_storage storage = stn_storage_of(format);
    storage.rounding = rules[rule].rounding;
    storage.overflow = rules[rule].overflow;
    storage.counters = rules[rule].counts ? &counters : NULL;
    storage.zero = rules[rule].zero;
    storage.scale = kind == ONE_SCALE ? scale : 1.0;
    memcpy(codes, every_code, sizeof codes);
    stn_view x = wrap_view("x", storage, codes, 2, extents);
    if (kind != ONE_SCALE)
        set_scales(&x, kind, scale, scales);
    expect_ok(above_run(exec, arithmetic, &bound, &x));
    assert_memory_equal(codes, every_code, sizeof codes);
    assert_int_equal(counters.saturated + counters.underflowed + counters.nan, 0);
    stn_view_release(&x);
}

static void check_scales(const stn_exec *exec, stn_format format, stn_format arithmetic, int rule)
{
    for (size_t s = 0; s < sizeof scale_of / sizeof *scale_of; s++)
        for (int kind = ONE_SCALE; kind <= PER_BLOCK; kind++)
            check_codes(exec, format, arithmetic, rule, (scale_kind)kind, scale_of[s]);
}

static void check_every_rule(void)
{
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "threads:threads=1"));
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int rule = 0; rule < RULES; rule++) {
            if ((int)f % oracle_count(3, 1, 1) == 0)
                check_scales(exec, formats[f], STN_F64, rule);
            check_scales(exec, formats[f], STN_F32, rule);
        }
    stn_exec_release(exec);
}

/* Factors that are odd permute the codes. */
UNIT_TEST(unchanged_elements_keep_their_codes)
{
    for (int k = 0; k < CODES; k++)
        every_code[k] = (uint16_t)(k * 40503);
    check_every_rule();
}

/* Without the highest bit of the exponent, floats are finite. */
UNIT_TEST(finite_elements_keep_their_codes)
{
    for (int k = 0; k < CODES; k++)
        every_code[k] = (uint16_t)(k * 40503 & 0xbfbf);
    check_every_rule();
}

RUN_UNIT_TESTS(NULL, NULL)
