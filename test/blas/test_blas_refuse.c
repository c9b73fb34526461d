/* What stn_dot, stn_axpy and stn_gemv refuse: each status of blas.h with a sentence that names the
 * operands, and nothing written; and what becomes of a call for which there is no memory. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "core/memory.h"
#include "order_oracle.h"
#include "steno/blas.h"

/* ---- operands, good to begin with; a test spoils one and calls everything ---- */

typedef struct operands {
    order_array a, x, y;
    stn_view av, xv, yv;
    uint8_t *before; /* y as it was */
    const stn_exec *exec;
    stn_format arithmetic;
} operands;

static operands make_operands(int64_t m, int64_t n)
{
    const stn_storage f16 = stn_storage_of(STN_F16);
    operands o = {.arithmetic = STN_F64, .exec = order_use(2)};
    o.a = order_make(f16, 2, (const int64_t[]){m, n}, (const int64_t[]){n, 1}, ORDER_MIXED, 1);
    o.x = order_make_vector(f16, n, 1, ORDER_MIXED, 2);
    o.y = order_make_vector(f16, m, 1, ORDER_MIXED, 3);
    o.av = order_view(&o.a, "alfa");
    o.xv = order_view(&o.x, "xray");
    o.yv = order_view(&o.y, "yankee");
    o.before = order_image(&o.y);
    return o;
}

static void drop_operands(operands *o)
{
    order_drop(&o->a);
    order_drop(&o->x);
    order_drop(&o->y);
    free(o->before);
}

static void expect(stn_status actual, stn_status wanted, const char *first, const char *second)
{
    if (actual != wanted)
        fail_msg("%s, not %s: %s", stn_status_name(actual), stn_status_name(wanted), stn_error());
    if (!strstr(stn_error(), first) || !strstr(stn_error(), second))
        fail_msg("'%s' says neither '%s' nor '%s', or only one", stn_error(), first, second);
}

static void expect_untouched(const operands *o)
{
    assert_memory_equal(o->y.memory, o->before, (size_t)o->y.bytes);
}

/* The words are to be in the message. */
static void refused_dot(const operands *o, stn_status wanted, const char *first, const char *second)
{
    double result = 7.0;
    expect(stn_dot(o->exec, o->arithmetic, &result, &o->xv, &o->yv), wanted, first, second);
    assert_true(result == 7.0);
    expect_untouched(o);
}

static void refused_axpy(const operands *o, stn_status wanted, const char *first,
                         const char *second)
{
    expect(stn_axpy(o->exec, o->arithmetic, 2.0, &o->xv, &o->yv), wanted, first, second);
    expect_untouched(o);
}

static void refused_gemv(const operands *o, stn_status wanted, const char *first,
                         const char *second)
{
    for (int beta = 0; beta < 2; beta++)
        expect(stn_gemv(o->exec, o->arithmetic, 2.0, &o->av, &o->xv, beta, &o->yv), wanted, first,
               second);
    expect_untouched(o);
}

static void refused(const operands *o, stn_status wanted, const char *first, const char *second)
{
    refused_dot(o, wanted, first, second);
    refused_axpy(o, wanted, first, second);
    refused_gemv(o, wanted, first, second);
}

/* ---- shapes ---- */

TEST_CASE(test_extents)
{
    operands o = make_operands(5, 6);
    refused_dot(&o, STN_ERR_SHAPE, "xray (f16, 6)", "yankee (f16, 5)");
    refused_axpy(&o, STN_ERR_SHAPE, "xray (f16, 6)", "yankee (f16, 5)");
    o.xv.extent[0] = 5;
    refused_gemv(&o, STN_ERR_SHAPE, "alfa (f16, 5 x 6)", "xray (f16, 5)");
    o.xv.extent[0] = 6;
    o.yv.extent[0] = 4;
    refused_gemv(&o, STN_ERR_SHAPE, "alfa (f16, 5 x 6)", "yankee (f16, 4)");
    drop_operands(&o);
}

TEST_CASE(test_ranks)
{
    operands o = make_operands(6, 6);
    const stn_view good = o.xv;
    o.xv = o.av;
    refused(&o, STN_ERR_SHAPE, "alfa (f16, 6 x 6)", "rank 2");
    o.xv = good;
    o.xv.rank = 0;
    refused(&o, STN_ERR_SHAPE, "xray", "rank 0");
    o.xv = good;
    o.av = good;
    refused_gemv(&o, STN_ERR_SHAPE, "xray (f16, 6)", "rank 1");
    o.av = order_view(&o.a, "alfa");
    o.yv = o.av;
    refused(&o, STN_ERR_SHAPE, "alfa (f16, 6 x 6)", "rank 2");
    drop_operands(&o);
}

/* ---- arguments ---- */

TEST_CASE(test_null)
{
    operands o = make_operands(6, 6);
    double result = 7.0;
    expect(stn_dot(o.exec, STN_F64, NULL, &o.xv, &o.yv), STN_ERR_ARGUMENT, "stn_dot", "NULL");
    expect(stn_dot(o.exec, STN_F64, &result, NULL, &o.yv), STN_ERR_ARGUMENT, "stn_dot", "NULL");
    expect(stn_dot(o.exec, STN_F64, &result, &o.xv, NULL), STN_ERR_ARGUMENT, "stn_dot", "NULL");
    expect(stn_axpy(o.exec, STN_F64, 1.0, NULL, &o.yv), STN_ERR_ARGUMENT, "stn_axpy", "NULL");
    expect(stn_axpy(o.exec, STN_F64, 1.0, &o.xv, NULL), STN_ERR_ARGUMENT, "stn_axpy", "NULL");
    expect(stn_gemv(o.exec, STN_F64, 1.0, NULL, &o.xv, 0.0, &o.yv), STN_ERR_ARGUMENT, "stn_gemv",
           "NULL");
    expect(stn_gemv(o.exec, STN_F64, 1.0, &o.av, NULL, 0.0, &o.yv), STN_ERR_ARGUMENT, "stn_gemv",
           "NULL");
    expect(stn_gemv(o.exec, STN_F64, 1.0, &o.av, &o.xv, 0.0, NULL), STN_ERR_ARGUMENT, "stn_gemv",
           "NULL");
    o.exec = NULL;
    refused(&o, STN_ERR_ARGUMENT, "exec", "NULL");
    drop_operands(&o);
}

/* A view that is all zero, or of another version of the library. */
TEST_CASE(test_views_of_nothing)
{
    operands o = make_operands(6, 6);
    const stn_view good = o.xv;
    memset(&o.xv, 0, sizeof o.xv);
    refused(&o, STN_ERR_ARGUMENT, "x is a view of nothing", "");
    o.xv = good;
    o.xv.size += 8;
    refused(&o, STN_ERR_ARGUMENT, "x is not an initialized view", "");
    drop_operands(&o);
}

TEST_CASE(test_read_only)
{
    operands o = make_operands(6, 6);
    o.yv.read_only = 1;
    expect(stn_axpy(o.exec, STN_F64, 1.0, &o.xv, &o.yv), STN_ERR_ARGUMENT, "yankee (f16, 6)",
           "read-only");
    refused_gemv(&o, STN_ERR_ARGUMENT, "yankee (f16, 6)", "read-only");
    double result = 0.0;
    assert_int_equal(stn_dot(o.exec, STN_F64, &result, &o.xv, &o.yv), STN_OK);
    o.yv.read_only = 0;
    o.xv.read_only = o.av.read_only = 1;
    assert_int_equal(stn_axpy(o.exec, STN_F64, 1.0, &o.xv, &o.yv), STN_OK);
    assert_int_equal(stn_gemv(o.exec, STN_F64, 1.0, &o.av, &o.xv, 0.0, &o.yv), STN_OK);
    drop_operands(&o);
}

/* Each operand in turn with storage that stn_decode would refuse too. */
TEST_CASE(test_rules_of_storing)
{
    operands o = make_operands(6, 6);
    stn_view *views[] = {&o.xv, &o.yv, &o.av};
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 5; k++) {
            const stn_storage good = views[v]->storage;
            views[v]->storage.scale = k == 0 ? 0.0 : k == 1 ? (double)INFINITY : 1.0;
            views[v]->storage.zero = k == 2 ? (double)NAN : 0.0;
            views[v]->storage.rounding = k == 3 ? (stn_rounding)9 : STN_ROUND_NEAREST;
            views[v]->storage.overflow = k == 4 ? (stn_overflow)9 : STN_OVERFLOW_DEFAULT;
            if (views[v] != &o.av) {
                refused_dot(&o, STN_ERR_ARGUMENT, "", "");
                refused_axpy(&o, STN_ERR_ARGUMENT, "", "");
            }
            refused_gemv(&o, STN_ERR_ARGUMENT, "", "");
            views[v]->storage = good;
        }
    drop_operands(&o);
}

/* Scales that become 0 or infinite when they are rounded to f32. */
TEST_CASE(test_scales_beyond_f32)
{
    operands o = make_operands(6, 6);
    o.arithmetic = STN_F32;
    o.xv.storage.scale = 1e300;
    refused(&o, STN_ERR_ARGUMENT, "1e+300", "f32");
    o.xv.storage.scale = -1e-300;
    refused(&o, STN_ERR_ARGUMENT, "1e-300", "f32");
    drop_operands(&o);
}

/* ---- formats ---- */

TEST_CASE(test_arithmetic)
{
    operands o = make_operands(6, 6);
    const stn_format wrong[] = {STN_F16, STN_I64, -1, 100000};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        o.arithmetic = wrong[k];
        refused(&o, STN_ERR_UNSUPPORTED, "f64", "f32");
    }
    o.arithmetic = STN_C128;
    refused_dot(&o, STN_ERR_UNSUPPORTED, "f64", "f32");
    drop_operands(&o);
}

/* Complex and opaque elements are not computed with. */
TEST_CASE(test_formats)
{
    operands o = make_operands(6, 6);
    stn_format formats[4] = {STN_C128, STN_C64, STN_C32, 0};
    double storage[2 * 36] = {0};
    assert_int_equal(stn_format_opaque(&formats[3], 4, 4), STN_OK);
    for (int k = 0; k < 4; k++) {
        stn_view odd;
        assert_int_equal(stn_view_wrap(&odd, "odd", stn_storage_of(formats[k]), storage, 1,
                                       (const int64_t[]){6}),
                         STN_OK);
        const stn_view x = o.xv, y = o.yv, a = o.av;
        o.xv = odd;
        refused(&o, STN_ERR_UNSUPPORTED, "format", "f64");
        o.xv = x;
        o.yv = odd;
        refused(&o, STN_ERR_UNSUPPORTED, "format", "f64");
        o.yv = y;
        assert_int_equal(stn_view_wrap(&o.av, "odd", stn_storage_of(formats[k]), storage, 2,
                                       (const int64_t[]){6, 6}),
                         STN_OK);
        refused_gemv(&o, STN_ERR_UNSUPPORTED, "format", "f64");
        o.av = a;
    }
    drop_operands(&o);
}

/* ---- aliases ---- */

TEST_CASE(test_overlap)
{
    float memory[64], before[64];
    for (int k = 0; k < 64; k++)
        before[k] = memory[k] = (float)k;
    const stn_storage f32 = stn_storage_of(STN_F32);
    operands o = {.exec = order_use(1), .arithmetic = STN_F64};
    const int64_t count = 6, square[2] = {6, 6};
    assert_int_equal(stn_view_wrap(&o.xv, "xray", f32, memory, 1, &count), STN_OK);
    assert_int_equal(stn_view_wrap(&o.yv, "yankee", f32, memory + 3, 1, &count), STN_OK);
    assert_int_equal(stn_view_wrap(&o.av, "alfa", f32, memory + 20, 2, square), STN_OK);
    const stn_exec *exec = o.exec;
    expect(stn_axpy(exec, STN_F64, 1.0, &o.xv, &o.yv), STN_ERR_ALIAS, "yankee", "xray");
    expect(stn_gemv(exec, STN_F64, 1.0, &o.av, &o.xv, 0.0, &o.yv), STN_ERR_ALIAS, "yankee", "");
    expect(stn_gemv(exec, STN_F64, 1.0, &o.av, &o.xv, 0.0, &o.xv), STN_ERR_ALIAS, "xray", "");
    assert_int_equal(stn_view_wrap(&o.yv, "yankee", f32, memory + 55, 1, &count), STN_OK);
    expect(stn_gemv(exec, STN_F64, 1.0, &o.av, &o.xv, 0.0, &o.yv), STN_ERR_ALIAS, "yankee", "");
    /* The same memory from its other end, and as another format. */
    o.yv = o.xv;
    o.yv.data = memory + 5;
    o.yv.stride[0] = -1;
    expect(stn_axpy(exec, STN_F64, 1.0, &o.xv, &o.yv), STN_ERR_ALIAS, "", "");
    o.yv = o.xv;
    o.yv.storage.format = STN_I32;
    expect(stn_axpy(exec, STN_F64, 1.0, &o.xv, &o.yv), STN_ERR_ALIAS, "", "");
    /* One element for all. */
    assert_int_equal(
        stn_view_wrap_spec(&o.yv, &STN_VIEW_SPEC(.label = "yankee", .storage = f32,
                                                 .data = memory + 15, .rank = 1, .extents = &count,
                                                 .strides = (const int64_t[]){0})),
        STN_OK);
    expect(stn_axpy(exec, STN_F64, 1.0, &o.xv, &o.yv), STN_ERR_ALIAS, "yankee", "");
    expect(stn_gemv(exec, STN_F64, 1.0, &o.av, &o.xv, 0.0, &o.yv), STN_ERR_ALIAS, "yankee", "");
    assert_memory_equal(memory, before, sizeof memory);
}

/* Neighbours do not overlap, nor does an empty view anything; the same view read differently is
 * read before it is written. */
TEST_CASE(test_no_overlap)
{
    double memory[8] = {1, 2, 3, 4, 10, 20, 30, 40};
    const int64_t count = 4, none = 0;
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_view x, y;
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        const double expected[8] = {1, 2, 3, 4, 12, 24, 36, 48};
        memcpy(memory, (const double[8]){1, 2, 3, 4, 10, 20, 30, 40}, sizeof memory);
        assert_int_equal(stn_view_wrap(&x, "x", f64, memory, 1, &count), STN_OK);
        assert_int_equal(stn_view_wrap(&y, "y", f64, memory + 4, 1, &count), STN_OK);
        assert_int_equal(stn_axpy(exec, STN_F64, 2.0, &x, &y), STN_OK);
        assert_memory_equal(memory, expected, sizeof memory);
        x = y;
        x.storage.scale = 0.5;
        assert_int_equal(stn_axpy(exec, STN_F64, 2.0, &x, &y), STN_OK);
        for (int k = 4; k < 8; k++)
            assert_true(memory[k] == 2.0 * expected[k]);
        assert_int_equal(stn_view_wrap(&x, "x", f64, memory + 4, 1, &none), STN_OK);
        y = x;
        assert_int_equal(stn_axpy(exec, STN_F64, 2.0, &x, &y), STN_OK);
    }
}

/* ---- memory ---- */

/* Let allocation 1, 2, ... fail until the call succeeds. */
static void fail_gemv(const operands *o, int least)
{
    int64_t nth = 1;
    for (; nth < 20; nth++) {
        stn_fail_allocation(nth);
        const stn_status status =
            stn_gemv(o->exec, o->arithmetic, 2.0, &o->av, &o->xv, 1.0, &o->yv);
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        expect(status, STN_ERR_MEMORY, "stn_gemv", "");
        expect_untouched(o);
    }
    assert_in_range(nth, least + 1, 19);
}

TEST_CASE(test_no_memory)
{
    for (int setting = 0; setting < order_settings(); setting++) {
        operands o = make_operands(50, 300);
        o.exec = order_use(setting);
        fail_gemv(&o, 1);
        drop_operands(&o);
        o = make_operands(2, 3000);
        o.exec = order_use(setting);
        o.arithmetic = STN_F32;
        fail_gemv(&o, 1);
        drop_operands(&o);
    }
}

/* dot and axpy promise no STN_ERR_MEMORY. */
TEST_CASE(test_no_need_of_memory)
{
    operands o = make_operands(20000, 1);
    const int64_t count = 20000;
    order_drop(&o.x);
    o.x = order_make_vector(stn_storage_of(STN_I16), count, 2, ORDER_MIXED, 4);
    o.xv = order_view(&o.x, "xray");
    for (int setting = 0; setting < order_settings(); setting++) {
        double result;
        o.exec = order_use(setting);
        stn_fail_allocation(1);
        const stn_status dot = stn_dot(o.exec, STN_F64, &result, &o.xv, &o.yv);
        const stn_status axpy = stn_axpy(o.exec, STN_F64, 1.0, &o.xv, &o.yv);
        stn_fail_allocation(0);
        assert_int_equal(dot, STN_OK);
        assert_int_equal(axpy, STN_OK);
    }
    drop_operands(&o);
}

RUN_TESTS(NULL, order_teardown, UNIT(test_extents), UNIT(test_ranks), UNIT(test_null),
          UNIT(test_views_of_nothing), UNIT(test_read_only), UNIT(test_rules_of_storing),
          UNIT(test_scales_beyond_f32), UNIT(test_arithmetic), UNIT(test_formats),
          UNIT(test_overlap), UNIT(test_no_overlap), UNIT(test_no_memory),
          UNIT(test_no_need_of_memory))
