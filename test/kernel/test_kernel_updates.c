/* Atomic updates in kernels: many elements update few, in every format, on every executor, by
 * compiled kernels and by texts. */
#include "kernel_oracle.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"
#include "make_view.h"

STN_MAP(collect, (in(place), in(x), scatter(sum, 1), scatter(least, 1), scatter(most, 1)),
        STN_ADD(sum, 1, (int64_t)place);
        STN_MIN(least, x, (int64_t)place); STN_MAX(most, x, (int64_t)place);)
STN_MAP_INTEGER(collect_integers,
                (in(place), in(x), scatter(sum, 1), scatter(least, 1), scatter(most, 1)),
                STN_ADD(sum, 1, place);
                STN_MIN(least, x, place); STN_MAX(most, x, place);)
STN_MAP_COMPLEX(collect_parts, (in(x), scatter(sum, 1)), STN_ADD(sum, x, 0);)

enum { ELEMENTS = 3000, PLACES = 25 };

static void check_updates(stn_format format, stn_format arithmetic, int setting, stn_kernel *text)
{
    static int8_t where[ELEMENTS], x[ELEMENTS];
    const int64_t count = ELEMENTS, places = PLACES;
    const stn_storage storage = stn_storage_of(format);
    const stn_exec *const exec = order_use(setting);
    stn_view v[3];
    for (int k = 0; k < ELEMENTS; k++) {
        where[k] = (int8_t)(k % PLACES);
        x[k] = (int8_t)(1 + k / 7 % 100);
    }
    const stn_view vwhere = wrap_view("place", stn_storage_of(STN_I8), where, 1, &count);
    const stn_view vx = wrap_view("x", stn_storage_of(STN_I8), x, 1, &count);
    for (int n = 0; n < 3; n++) {
        expect_ok(stn_view_create(exec, &v[n], "v", storage, 1, &places));
        expect_ok(stn_view_fill(exec, &v[n], n == 1 ? 99.0 : 0.0));
    }
    const stn_argument arguments[] = {
        {.view = &vwhere}, {.view = &vx}, {.view = &v[0]}, {.view = &v[1]}, {.view = &v[2]}};
    expect_ok(text ? stn_kernel_run(exec, text, arithmetic, STN_RANK_BROADCAST, NULL, arguments)
              : arithmetic == STN_I64
                  ? collect_integers_run(exec, arithmetic, &vwhere, &vx, &v[0], &v[1], &v[2])
                  : collect_run(exec, arithmetic, &vwhere, &vx, &v[0], &v[1], &v[2]));
    for (int64_t p = 0; p < places; p++) {
        double is[3], least = 99, most = 0;
        for (int n = 0; n < 3; n++)
            expect_ok(stn_view_get(&v[n], 1, &p, &is[n]));
        for (int64_t k = p; k < ELEMENTS; k += PLACES) {
            least = x[k] < least ? x[k] : least;
            most = x[k] > most ? x[k] : most;
        }
        if (oracle_formats[format].bits == 8 && oracle_formats[format].kind == ORACLE_FLOAT)
            assert_true(is[0] >= 8); /* where one more is too little for two or three bits */
        else
            assert_true(is[0] == ELEMENTS / PLACES && is[1] == least && is[2] == most);
    }
    for (int n = 0; n < 3; n++)
        stn_view_release(&v[n]);
}

UNIT_TEST(test_updates)
{
    static const char parameters[] =
        "in(place), in(x), scatter(sum, 1), scatter(least, 1), scatter(most, 1)";
    stn_kernel *real_text, *whole_text;
    expect_ok(
        stn_kernel_compile(&real_text, "collect", parameters,
                           "STN_ADD(sum, 1, (int64_t)place); STN_MIN(least, x, (int64_t)place);"
                           "STN_MAX(most, x, (int64_t)place);",
                           STN_KERNEL_REAL));
    expect_ok(stn_kernel_compile(&whole_text, "collect", parameters,
                                 "STN_ADD(sum, 1, place); STN_MIN(least, x, place);"
                                 "STN_MAX(most, x, place);",
                                 STN_KERNEL_INTEGER));
    for (int format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int setting = 0; setting < order_settings(); setting++) {
            const oracle_class kind = oracle_formats[format].kind;
            if (kind == ORACLE_COMPLEX)
                continue;
            check_updates((stn_format)format, STN_F64, setting, NULL);
            check_updates((stn_format)format, STN_F32, setting, real_text);
            if (kind != ORACLE_INTEGER)
                continue;
            check_updates((stn_format)format, STN_I64, setting, NULL);
            check_updates((stn_format)format, STN_I64, setting, whole_text);
        }
    stn_kernel_release(real_text);
    stn_kernel_release(whole_text);
}

UNIT_TEST(test_complex_updates)
{
    enum { N = 1000 };
    static stn_c64 x[N];
    static const stn_format formats[] = {STN_C128, STN_C64};
    const int64_t count = N, one = 1;
    for (int k = 0; k < N; k++)
        x[k] = (stn_c64){(float)(k % 3), (float)(k % 5)};
    for (int setting = 0; setting < order_settings(); setting++)
        for (int f = 0; f < 2; f++) {
            stn_c128 wide = {0, 0};
            stn_c64 narrow = {0, 0};
            const stn_view vx = wrap_view("x", stn_storage_of(STN_C64), x, 1, &count);
            const stn_view to = wrap_view("to", stn_storage_of(formats[f]),
                                          f ? (void *)&narrow : (void *)&wide, 1, &one);
            expect_ok(collect_parts_run(order_use(setting), f ? STN_C64 : STN_C128, &vx, &to));
            assert_true((f ? (double)narrow.re : wide.re) == 999 &&
                        (f ? (double)narrow.im : wide.im) == 2000);
        }
}

/* All threads update one element, in another format than that of the arithmetic. */
STN_MAP(gathered_up, (in(x), scatter(sum, 1)), STN_ADD(sum, x, 0);)
UNIT_TEST(test_contention)
{
    enum { N = 400000 };
    static int8_t x[N];
    const int64_t count = N, one = 1;
    memset(x, 1, sizeof x);
    for (int setting = 0; setting < order_settings(); setting++)
        for (int narrow = 0; narrow < 2; narrow++) {
            int32_t sum = 0;
            double wide = 0;
            const stn_view vx = wrap_view("x", stn_storage_of(STN_I8), x, 1, &count);
            const stn_view to = wrap_view("to", stn_storage_of(narrow ? STN_I32 : STN_F64),
                                          narrow ? (void *)&sum : (void *)&wide, 1, &one);
            expect_ok(gathered_up_run(order_use(setting), STN_F64, &vx, &to));
            assert_true(narrow ? sum == N : wide == N);
        }
}

RUN_UNIT_TESTS(NULL, order_teardown)
