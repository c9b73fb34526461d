/* Scans on devices give the bits of `reference`, along every dimension, inclusive or not, with and
 * without totals, in every format and layout. Combinations are drawn by chance, and more of them
 * where STENO_TEST_FULL is set: each text takes a device's compiler some tenths of a second. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "device_run.h"
#include "steno/reduce.h"
#include "check.h"

/* clang-format off */
STN_SCAN(running, sum, (in(x)), x)
STN_SCAN(grown, product, (in(x)), STN_R(1) + x / (STN_R(64) * (STN_R(1) + fabs(x))))
STN_SCAN(lowest, min, (in(x)), x)
STN_SCAN(highest, max, (real(half), in(x)), half * x)
STN_SCAN(placed, sum, (at(i, j), in(x)), x + (real_t)(3 * i + j))
STN_SCAN_BY(decaying, (in(x)), x, a * STN_R(0.75) + b, 5)
STN_SCAN_INTEGER(whole, sum, (index(n), in(x)), x ^ n)
STN_SCAN_INTEGER(whole_lowest, min, (in(x)), x)
STN_SCAN_INTEGER_BY(appended, (in(x)), x, (int64_t)((uint64_t)a * 31 + (uint64_t)b), 7)
/* clang-format on */

typedef stn_status launch(const stn_exec *exec, stn_format arithmetic, int exclusive, int dimension,
                          const stn_view *result, const stn_view *totals, const stn_view *x);
typedef struct row {
    const char *name;
    launch *run;
    oracle_class kind;
    int is_2d;
} row;
#define EACH_ROW(ROW)                                                                              \
    ROW(running, FLOAT, 0, x)                                                                      \
    ROW(grown, FLOAT, 0, x)                                                                        \
    ROW(lowest, FLOAT, 0, x)                                                                       \
    ROW(highest, FLOAT, 0, 0.7, x)                                                                 \
    ROW(placed, FLOAT, 1, x)                                                                       \
    ROW(decaying, FLOAT, 0, x)                                                                     \
    ROW(whole, INTEGER, 0, 12345, x)                                                               \
    ROW(whole_lowest, INTEGER, 0, x)                                                               \
    ROW(appended, INTEGER, 0, x)
#define LAUNCH(name, kind, is_2d, ...)                                                             \
    static stn_status run_##name(const stn_exec *exec, stn_format arithmetic, int exclusive,       \
                                 int dimension, const stn_view *result, const stn_view *totals,    \
                                 const stn_view *x)                                                \
    {                                                                                              \
        return name##_scan_total(exec, arithmetic, (stn_scan_kind)exclusive, dimension, result,    \
                                 totals, __VA_ARGS__);                                             \
    }
EACH_ROW(LAUNCH)
#define TABLE_ROW(name, kind, is_2d, ...) {#name, run_##name, ORACLE_##kind, is_2d},
static const row rows[] = {EACH_ROW(TABLE_ROW)};
enum { ROWS = (int)(sizeof rows / sizeof *rows) };

static int rounds(void)
{
    return getenv("STENO_TEST_FULL") ? 60 : getenv("STENO_TEST_QUICK") ? 0 : 1;
}

static stn_storage any_target(oracle_class kind)
{
    const stn_format format = any_format(chance(2) ? kind : ORACLE_FLOAT);
    const int is_integer = row_of(format)->kind == ORACLE_INTEGER;
    return any_storage(is_integer ? ORACLE_INTEGER : ORACLE_FLOAT, format);
}

/* ---- one case ---- */

static void try_one(const row *r)
{
    static const int64_t lengths[] = {1, 2, 5, 31, 33, 100, 127, 128, 129, 300};
    char what[300];
    twins x, result, totals;
    int64_t extent[3], rest[3];
    const int rank = r->is_2d ? 2 : 1 + (int)chance(3);
    const int dimension = (int)chance((uint64_t)rank), exclusive = (int)chance(2);
    const int has_totals = (int)chance(2);
    const stn_format arithmetic = any_arithmetic(r->kind);
    for (int d = 0, k = 0; d < rank; d++) {
        extent[d] = lengths[chance(d == dimension ? 10 : 5)];
        if (d != dimension)
            rest[k++] = extent[d];
    }
    const stn_storage from = any_storage(r->kind, any_format(r->kind)), to = any_target(r->kind);
    make_operand(&x, from, rank, extent);
    if (chance(4))
        tame_twins(&x);
    make_operand(&result, to, rank, extent);
    make_operand(&totals, any_target(r->kind), rank - 1, rest);
    count_some(&result, 0);
    count_some(&totals, 1);
    snprintf(what, sizeof what,
             "%s on %s in %s, along %d of %d, %d elements, exclusive %d, totals %d: %s to %s "
             "(rounding %d)",
             r->name, resource, row_of(arithmetic)->name, dimension, rank, (int)extent[dimension],
             exclusive, has_totals, row_of(from.format)->name, row_of(to.format)->name,
             (int)to.rounding);
    const stn_status expected =
        r->run(reference, arithmetic, exclusive, dimension, &result.host_part,
               has_totals ? &totals.host_part : NULL, &x.host_part);
    const stn_status found = r->run(on, arithmetic, exclusive, dimension, &result.device_part,
                                    has_totals ? &totals.device_part : NULL, &x.device_part);
    if (expected != found)
        fail_msg("%s: %s, on the host %s: %s", what, stn_status_name(found),
                 stn_status_name(expected), stn_error());
    expect_numbers(&result, what);
    expect_numbers(&totals, what);
    expect_counts(0, what);
    expect_counts(1, what);
    release_twins(&x);
    release_twins(&result);
    release_twins(&totals);
}

static void gives_the_bits_of_the_host(void **state)
{
    (void)state;
    seed = 4;
    for (int round = 0; round < rounds(); round++)
        for (int k = 0; k < ROWS; k++)
            try_one(&rows[k]);
}

/* ---- sizes: one text for lines along each dimension, of an operation that knows left and right
 * ----
 */

static void try_shape(const int64_t *shape, int dimension, int has_totals)
{
    char what[100];
    twins x, result, totals;
    const stn_storage f32 = stn_storage_of(STN_F32);
    snprintf(what, sizeof what, "%d x %d along %d", (int)shape[0], (int)shape[1], dimension);
    make_twins(&x, f32, NULL, 2, shape);
    tame_twins(&x);
    make_twins(&result, f32, NULL, 2, shape);
    make_twins(&totals, f32, NULL, 1, &shape[1 - dimension]);
    expect_ok(decaying_scan_total(reference, STN_F32, STN_SCAN_EXCLUSIVE, dimension, &result.host,
                                  has_totals ? &totals.host : NULL, &x.host));
    expect_ok(decaying_scan_total(on, STN_F32, STN_SCAN_EXCLUSIVE, dimension, &result.device,
                                  has_totals ? &totals.device : NULL, &x.device));
    expect_same(&result, what);
    expect_same(&totals, what);
    release_twins(&x);
    release_twins(&result);
    release_twins(&totals);
}

static void takes_all_shapes(void **state)
{
    static const int64_t shapes[][2] = {{1, 1},       {3, 127},    {2, 128},  {2, 129}, {5, 257},
                                        {1, 1000003}, {100001, 2}, {300, 40}, {0, 5},   {5, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int dimension = 0; dimension < 2; dimension++)
            try_shape(shapes[k], dimension, 1);
}

/* ---- what is refused ---- */

static void refuses_what_devices_lack(void **state)
{
    static const int64_t extents[2] = {6, 8};
    stn_view x, y, here, ends;
    (void)state;
    expect_ok(stn_view_create(on, &x, "x", stn_storage_of(STN_F32), 2, extents));
    expect_ok(stn_view_create(on, &y, "y", stn_storage_of(STN_F32), 2, extents));
    expect_ok(stn_view_create(NULL, &here, "here", stn_storage_of(STN_F32), 2, extents));
    expect_ok(stn_view_create(NULL, &ends, "ends", stn_storage_of(STN_F32), 1, extents));
    refused(running_scan(on, STN_F64, STN_SCAN_INCLUSIVE, &y, &here), STN_ERR_UNSUPPORTED, "here");
    refused(running_scan(on, STN_F64, STN_SCAN_INCLUSIVE, &here, &x), STN_ERR_UNSUPPORTED, "here");
    refused(running_scan_total(on, STN_F64, STN_SCAN_INCLUSIVE, 1, &y, &ends, &x),
            STN_ERR_UNSUPPORTED, "ends");
    refused(running_scan(reference, STN_F64, STN_SCAN_INCLUSIVE, &y, &here), STN_ERR_UNSUPPORTED,
            "y");
    refused(running_scan(on, STN_F64, STN_SCAN_INCLUSIVE, &x, &x), STN_ERR_ALIAS, "overlaps");
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&ends));
}

/* ---- without a GPU: NVRTC takes the texts ---- */

static stn_status compile_row(int at, int architecture)
{
    static const int64_t extents[2] = {7, 9};
    const row *const r = &rows[at];
    stn_view x, y, ends;
    if (!getenv("STENO_TEST_FULL") && at % 3 != architecture)
        return STN_OK;
    expect_ok(stn_view_create(on, &x, "x", any_storage(r->kind, any_format(r->kind)), 2, extents));
    expect_ok(stn_view_create(on, &y, "y", any_target(r->kind), 2, extents));
    expect_ok(stn_view_create(on, &ends, "ends", any_target(r->kind), 1, extents));
    const stn_status status =
        r->run(on, any_arithmetic(r->kind), at % 2, 1, &y, at % 4 ? &ends : NULL, &x);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_ok(stn_view_release(&ends));
    return status;
}

static void compiles_for_cuda(void **state)
{
    (void)state;
    compile_texts(ROWS, compile_row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_all_shapes),
                                       cmocka_unit_test(refuses_what_devices_lack),
                                       cmocka_unit_test(gives_the_bits_of_the_host)};
    const struct CMUnitTest compile = cmocka_unit_test(compiles_for_cuda);
    return run_on_devices(tests, sizeof tests / sizeof *tests, &compile);
}
