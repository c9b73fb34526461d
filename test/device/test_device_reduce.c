/* Reductions on devices give the bits of `reference`, for every operation, direction, arithmetic,
 * format and layout, as a value, in a view of the host's and in one on the device. Each text that
 * is new to a device takes its compiler some tenths of a second: combinations are drawn by chance,
 * and more of them where STENO_TEST_FULL is set. */
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
#include "view/extra.h"
#include "check.h"

#define NOTHING ((real_t){3, 4})
/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(grown, product, (in(x)), STN_R(1) + x / (STN_R(64) * (STN_R(1) + fabs(x))))
STN_REDUCE(inner, products, (in(x), in(y)), x, y)
STN_REDUCE(least, min, (in(x)), x)
STN_REDUCE(greatest, max, (real(half), in(x), in(y)), y - half * x)
STN_REDUCE(where_least, argmin, (in(x)), x)
STN_REDUCE(where_greatest, argmax, (in(x), in(y)), y - x)
STN_REDUCE(how_many, count, (in(x), in(y)), isless(x, y))
STN_REDUCE(has_negative, any, (in(x)), x < 0)
STN_REDUCE(has_numbers_only, all, (in(x)), x == x)
STN_REDUCE(size1, norm1, (in(x)), x)
STN_REDUCE(size2, norm2, (in(x)), x)
STN_REDUCE(size_largest, norm_inf, (in(x)), x)
STN_REDUCE(numbered, sum, (at(i, j), index(n), in(x)), x + (real_t)(3 * i + j + n % 1000))
STN_REDUCE(gathered, sum, (at(i, j), bits(m), in(x), gather(y, 2)),
    x * STN_AT(y, i % STN_EXTENT_OF(y, 0), 0) + (real_t)(m >> 60))
STN_REDUCE_BY(leaning, (in(x)), x * STN_R(0.5), a + STN_R(0.75) * b, sqrt(fabs(a)), STN_R(7))
STN_REDUCE_INTEGER(whole, sum, (index(n), in(x)), x ^ n)
STN_REDUCE_INTEGER(whole_product, product, (in(x)), x | 1LL)
STN_REDUCE_INTEGER(whole_inner, products, (in(x), in(y)), x % 1000, y)
STN_REDUCE_INTEGER(whole_least, min, (in(x)), x)
STN_REDUCE_INTEGER(whole_greatest, max, (in(x)), x)
STN_REDUCE_INTEGER(whole_where, argmin, (in(x)), x % 1000)
STN_REDUCE_INTEGER(whole_many, count, (in(x), in(y)), x < y)
STN_REDUCE_INTEGER(whole_size1, norm1, (in(x)), x)
STN_REDUCE_INTEGER(whole_largest, norm_inf, (in(x)), x)
STN_REDUCE_INTEGER_BY(appended, (in(x)), x, (int64_t)((uint64_t)a * 31 + (uint64_t)b), ~a, 7)
STN_REDUCE_COMPLEX(complex_total, sum, (in(x)), x)
STN_REDUCE_COMPLEX(complex_product, product, (in(x)), x)
STN_REDUCE_COMPLEX(complex_inner, products, (in(x), in(y)), x, y)
STN_REDUCE_COMPLEX(complex_size1, norm1, (in(x)), x)
STN_REDUCE_COMPLEX(complex_size2, norm2, (in(x)), x)
STN_REDUCE_COMPLEX(complex_largest, norm_inf, (in(x)), x)
STN_REDUCE_COMPLEX_BY(complex_last, (in(x)), x, b, a, NOTHING)
/* clang-format on */

enum { VIEWS = 2 };

/* The value of all elements, or, where `value` is NULL, results in a view. */
typedef stn_status launch(const stn_exec *exec, stn_format arithmetic, void *value,
                          unsigned reduced, const stn_view *result, const stn_view *v);
typedef stn_status launch_parts(const stn_exec *exec, stn_format arithmetic, int64_t first,
                                unsigned reduced, stn_partial *parts, const stn_view *v);
typedef struct row {
    const char *name;
    launch *run;
    launch_parts *run_parts;
    oracle_class kind, gives;
    int is_2d;
} row;

/* clang-format off */
#define EACH_ROW(ROW)                                                                              \
    ROW(total, double, FLOAT, FLOAT, 0, &v[0])                                                     \
    ROW(grown, double, FLOAT, FLOAT, 0, &v[0])                                                     \
    ROW(inner, double, FLOAT, FLOAT, 0, &v[0], &v[1])                                              \
    ROW(least, double, FLOAT, FLOAT, 0, &v[0])                                                     \
    ROW(greatest, double, FLOAT, FLOAT, 0, 0.7, &v[0], &v[1])                                      \
    ROW(where_least, int64_t, FLOAT, INTEGER, 0, &v[0])                                            \
    ROW(where_greatest, int64_t, FLOAT, INTEGER, 0, &v[0], &v[1])                                  \
    ROW(how_many, int64_t, FLOAT, INTEGER, 0, &v[0], &v[1])                                        \
    ROW(has_negative, int64_t, FLOAT, INTEGER, 0, &v[0])                                           \
    ROW(has_numbers_only, int64_t, FLOAT, INTEGER, 0, &v[0])                                       \
    ROW(size1, double, FLOAT, FLOAT, 0, &v[0])                                                     \
    ROW(size2, double, FLOAT, FLOAT, 0, &v[0])                                                     \
    ROW(size_largest, double, FLOAT, FLOAT, 0, &v[0])                                              \
    ROW(numbered, double, FLOAT, FLOAT, 1, -123456, &v[0])                                         \
    ROW(gathered, double, FLOAT, FLOAT, 1, (uint64_t)7 << 60, &v[0], &v[1])                        \
    ROW(leaning, double, FLOAT, FLOAT, 0, &v[0])                                                   \
    ROW(whole, int64_t, INTEGER, INTEGER, 0, 12345, &v[0])                                         \
    ROW(whole_product, int64_t, INTEGER, INTEGER, 0, &v[0])                                        \
    ROW(whole_inner, int64_t, INTEGER, INTEGER, 0, &v[0], &v[1])                                   \
    ROW(whole_least, int64_t, INTEGER, INTEGER, 0, &v[0])                                          \
    ROW(whole_greatest, int64_t, INTEGER, INTEGER, 0, &v[0])                                       \
    ROW(whole_where, int64_t, INTEGER, INTEGER, 0, &v[0])                                          \
    ROW(whole_many, int64_t, INTEGER, INTEGER, 0, &v[0], &v[1])                                    \
    ROW(whole_size1, int64_t, INTEGER, INTEGER, 0, &v[0])                                          \
    ROW(whole_largest, int64_t, INTEGER, INTEGER, 0, &v[0])                                        \
    ROW(appended, int64_t, INTEGER, INTEGER, 0, &v[0])                                             \
    ROW(complex_total, stn_c128, COMPLEX, COMPLEX, 0, &v[0])                                       \
    ROW(complex_product, stn_c128, COMPLEX, COMPLEX, 0, &v[0])                                     \
    ROW(complex_inner, stn_c128, COMPLEX, COMPLEX, 0, &v[0], &v[1])                                \
    ROW(complex_size1, double, COMPLEX, FLOAT, 0, &v[0])                                           \
    ROW(complex_size2, double, COMPLEX, FLOAT, 0, &v[0])                                           \
    ROW(complex_largest, double, COMPLEX, FLOAT, 0, &v[0])                                         \
    ROW(complex_last, stn_c128, COMPLEX, COMPLEX, 0, &v[0])
/* clang-format on */
#define LAUNCH(name, type, kind, gives, is_2d, ...)                                                \
    static stn_status run_##name(const stn_exec *exec, stn_format arithmetic, void *value,         \
                                 unsigned reduced, const stn_view *result, const stn_view *v)      \
    {                                                                                              \
        return value ? name##_reduce(exec, arithmetic, (type *)value, __VA_ARGS__)                 \
                     : name##_reduce_into(exec, arithmetic, reduced, result, __VA_ARGS__);         \
    }                                                                                              \
    static stn_status parts_##name(const stn_exec *exec, stn_format arithmetic, int64_t first,     \
                                   unsigned reduced, stn_partial *parts, const stn_view *v)        \
    {                                                                                              \
        return name##_reduce_parts(exec, arithmetic, first, reduced, parts, __VA_ARGS__);          \
    }
EACH_ROW(LAUNCH)
#define TABLE_ROW(name, type, kind, gives, is_2d, ...)                                             \
    {#name, run_##name, parts_##name, ORACLE_##kind, ORACLE_##gives, is_2d},
static const row rows[] = {EACH_ROW(TABLE_ROW)};
enum { ROWS = (int)(sizeof rows / sizeof *rows) };

static int rounds(void)
{
    return getenv("STENO_TEST_FULL") ? 40 : 1;
}

/* ---- data ---- */

/* Integers go into integers as they are. */
static stn_storage any_target(oracle_class gives)
{
    if (gives != ORACLE_INTEGER)
        return any_storage(gives, any_format(gives));
    const stn_format format = any_format(chance(2) ? ORACLE_INTEGER : ORACLE_FLOAT);
    const int is_integer = row_of(format)->kind == ORACLE_INTEGER;
    return any_storage(is_integer ? ORACLE_INTEGER : ORACLE_FLOAT, format);
}

/* ---- one case ---- */

typedef struct operands {
    twins t[VIEWS];
    stn_view here[VIEWS], there[VIEWS];
    int64_t extent[3];
    int rank;
    char what[400];
} operands;

/* The second view may be broadcast. */
static void make_operands(const row *r, stn_format arithmetic, operands *o)
{
    int at = snprintf(o->what, sizeof o->what, "%s on %s in %s, over", r->name, resource,
                      row_of(arithmetic)->name);
    for (int d = 0; d < o->rank; d++)
        at += snprintf(o->what + at, sizeof o->what - (size_t)at, " %d", (int)o->extent[d]);
    for (int v = 0; v < VIEWS; v++) {
        const stn_storage s = any_storage(r->kind, any_format(r->kind));
        int64_t extent[3];
        for (int d = 0; d < o->rank; d++)
            extent[d] = v && o->extent[d] && chance(4) == 0 ? 1 : o->extent[d];
        make_operand(&o->t[v], s, o->rank, extent);
        if (chance(4))
            tame_twins(&o->t[v]);
        o->here[v] = o->t[v].host_part;
        o->there[v] = o->t[v].device_part;
        at += snprintf(o->what + at, sizeof o->what - (size_t)at, ", %s (scale %g, zero %g, %s)",
                       row_of(s.format)->name, s.scale, s.zero,
                       stn_view_mapping(&o->here[v]) ? "mapped" : "strided");
    }
}

static void release_operands(operands *o)
{
    for (int v = 0; v < VIEWS; v++)
        release_twins(&o->t[v]);
}

static void expect_status(const operands *o, stn_status expected, stn_status found)
{
    if (expected != found)
        fail_msg("%s: %s, on the host %s: %s", o->what, stn_status_name(found),
                 stn_status_name(expected), stn_error());
}

/* Words of a value, with one NaN for all. */
static void expect_result(const row *r, const operands *o, const double *a, const double *b)
{
    const int words = r->gives == ORACLE_COMPLEX ? 2 : 1;
    for (int k = 0; k < words; k++)
        if (memcmp(a + k, b + k, 8) != 0 &&
            (r->gives == ORACLE_INTEGER || a[k] == a[k] || b[k] == b[k]))
            fail_msg("%s: %a, on the host %a", o->what, a[k], b[k]);
}

static void try_value(const row *r, stn_format arithmetic, const operands *o)
{
    double expected[2] = {1, 2}, found[2] = {3, 4};
    const stn_status status = r->run(reference, arithmetic, expected, 0, NULL, o->here);
    expect_status(o, status, r->run(on, arithmetic, found, 0, NULL, o->there));
    if (status == STN_OK)
        expect_result(r, o, found, expected);
}

static void kept_of(const operands *o, unsigned reduced, int *rank, int64_t *extent)
{
    *rank = 0;
    for (int d = 0; d < o->rank; d++)
        if (!(reduced >> d & 1))
            extent[(*rank)++] = o->extent[d];
}

static void try_into_device(const row *r, stn_format arithmetic, operands *o, unsigned reduced)
{
    int rank;
    int64_t extent[3];
    twins result;
    const size_t end = strlen(o->what);
    const stn_storage s = any_target(r->gives);
    kept_of(o, reduced, &rank, extent);
    make_operand(&result, s, rank, extent);
    count_some(&result, 0);
    snprintf(o->what + end, sizeof o->what - end, " into %s (scale %g, rounding %d, %s), over 0x%x",
             row_of(s.format)->name, s.scale, (int)s.rounding,
             stn_view_mapping(&result.host_part) ? "mapped" : "strided", reduced);
    const stn_status status =
        r->run(reference, arithmetic, NULL, reduced, &result.host_part, o->here);
    expect_status(o, status, r->run(on, arithmetic, NULL, reduced, &result.device_part, o->there));
    expect_numbers(&result, o->what);
    expect_counts(0, o->what);
    release_twins(&result);
    o->what[end] = '\0';
}

/* What the host stores is copied there to be compared. */
static void try_into_host(const row *r, stn_format arithmetic, operands *o, unsigned reduced)
{
    int rank;
    int64_t extent[3];
    twins result;
    stn_view here;
    const stn_storage s = any_target(r->gives);
    kept_of(o, reduced, &rank, extent);
    make_twins(&result, s, NULL, rank, extent);
    expect_ok(stn_view_mirror(on, &here, &result.device, STN_SPACE_HOST));
    const stn_status status = r->run(reference, arithmetic, NULL, reduced, &result.host, o->here);
    expect_status(o, status, r->run(on, arithmetic, NULL, reduced, &here, o->there));
    if (status == STN_OK) {
        expect_ok(stn_view_copy(on, &result.device, &here));
        expect_numbers(&result, o->what);
    }
    expect_ok(stn_view_release(&here));
    release_twins(&result);
}

/* Where NaN is left open, only their being there is compared: bytes of a part are numbers. */
static int is_same_part(const row *r, stn_format arithmetic, const stn_partial *a,
                        const stn_partial *b)
{
    const int is_narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    for (size_t k = 0; k < sizeof *a; k += 4) {
        uint32_t x, y;
        double wide_x, wide_y;
        memcpy(&x, (const char *)a + k, 4);
        memcpy(&y, (const char *)b + k, 4);
        memcpy(&wide_x, (const char *)a + k / 8 * 8, 8);
        memcpy(&wide_y, (const char *)b + k / 8 * 8, 8);
        const int both = is_narrow
                             ? (x & 0x7fffffffu) > 0x7f800000u && (y & 0x7fffffffu) > 0x7f800000u
                             : wide_x != wide_x && wide_y != wide_y;
        if (x != y && (!both || r->kind == ORACLE_INTEGER))
            return 0;
    }
    return 1;
}

static void try_parts(const row *r, stn_format arithmetic, operands *o, unsigned reduced)
{
    static const int64_t firsts[] = {0, 1, 127, 128, 12345, 1 << 20};
    int rank;
    int64_t extent[3], count = 1;
    kept_of(o, reduced, &rank, extent);
    for (int d = 0; d < rank; d++)
        count *= extent[d];
    stn_partial *const parts = test_calloc((size_t)(2 * count), sizeof *parts);
    const int64_t first = firsts[chance(6)];
    const stn_status status = r->run_parts(reference, arithmetic, first, reduced, parts, o->here);
    expect_status(o, status, r->run_parts(on, arithmetic, first, reduced, parts + count, o->there));
    for (int64_t k = 0; k < count; k++)
        if (!is_same_part(r, arithmetic, &parts[k], &parts[count + k]))
            fail_msg("%s: part %d from %d on differs", o->what, (int)k, (int)first);
    test_free(parts);
}

/* A text for values and views of the host's, and one for views on the device. */
static void try_one(const row *r)
{
    static const int64_t lengths[] = {1, 2, 5, 31, 33, 100, 127, 128, 129, 300};
    operands o = {.rank = r->is_2d ? 2 : 1 + (int)chance(3)};
    const stn_format arithmetic = any_arithmetic(r->kind);
    for (int d = 0; d < o.rank; d++)
        o.extent[d] = lengths[chance(o.rank == 3 ? 5 : 10)];
    const unsigned reduced = 1 + (unsigned)chance((1u << o.rank) - 1);
    make_operands(r, arithmetic, &o);
    switch (chance(4)) {
    case 3:
        try_parts(r, arithmetic, &o, reduced);
        break;
    case 0:
        try_value(r, arithmetic, &o);
        break;
    case 1:
        try_into_host(r, arithmetic, &o, reduced);
        break;
    default:
        try_into_device(r, arithmetic, &o, reduced);
    }
    release_operands(&o);
}

static void gives_the_bits_of_the_host(void **state)
{
    (void)state;
    seed = 4;
    for (int round = 0; round < rounds(); round++)
        for (int k = 0; k < ROWS; k++)
            if (getenv("STENO_TEST_FULL") || k % (oracle_quick() ? 4 * oracle_quick() : 2) == 0)
                try_one(&rows[k]);
}

/* ---- sizes: of one text each ---- */

static void fill_with(stn_view *host, stn_view *device, int rank, const int64_t *extents)
{
    expect_ok(stn_view_create(NULL, host, "here", stn_storage_of(STN_F32), rank, extents));
    expect_ok(stn_view_create(on, device, "there", stn_storage_of(STN_F32), rank, extents));
    const int64_t bytes = 4 * stn_view_count(host);
    scatter(host->data, bytes);
    tame(STN_F32, host->data, bytes);
    expect_ok(stn_view_copy(on, device, host));
}

static void takes_all_sizes(void **state)
{
    static const int64_t sizes[] = {0,   1,    31,   32,   33,   127,        128,
                                    129, 4095, 4096, 4097, 5000, 300 * 1000, (1 << 20) + 77};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        stn_view here, there;
        double expected, found;
        fill_with(&here, &there, 1, &sizes[k]);
        expect_ok(total_reduce(reference, STN_F32, &expected, &here));
        expect_ok(total_reduce(on, STN_F32, &found, &there));
        if (memcmp(&expected, &found, sizeof found) != 0)
            fail_msg("%d elements: %a, on the host %a", (int)sizes[k], found, expected);
        expect_ok(stn_view_release(&here));
        expect_ok(stn_view_release(&there));
    }
}

static void takes_all_shapes(void **state)
{
    static const int64_t shapes[][2] = {{20000, 5}, {3, 50001}, {1000, 257}, {130, 3},
                                        {0, 7},     {7, 0},     {129, 128}};
    (void)state;
    for (size_t k = 0; k < 2 * sizeof shapes / sizeof *shapes; k++) {
        const int64_t *const shape = shapes[k / 2];
        stn_view here, there;
        twins result;
        char what[100];
        snprintf(what, sizeof what, "%d x %d, dimension %d goes", (int)shape[0], (int)shape[1],
                 (int)k % 2);
        fill_with(&here, &there, 2, shape);
        make_twins(&result, stn_storage_of(STN_F32), NULL, 1, &shape[(k + 1) % 2]);
        expect_ok(inner_reduce_into(reference, STN_F32, 1u << k % 2, &result.host, &here, &here));
        expect_ok(inner_reduce_into(on, STN_F32, 1u << k % 2, &result.device, &there, &there));
        expect_same(&result, what);
        release_twins(&result);
        expect_ok(stn_view_release(&here));
        expect_ok(stn_view_release(&there));
    }
}

/* Rows that begin at multiples of 64 bytes, whole ones and parts, in which several elements are one
 * access; and parts that begin within a tile. */
static void try_padded(stn_format format, int64_t columns)
{
    const int64_t extents[2] = {37, columns};
    double expected, found;
    stn_partial there;
    twins x, result;
    stn_storage storage = stn_storage_of(format);
    const stn_slice slices[2] = {stn_slice_all(), stn_slice_range(0, columns)};
    make_twins(&x, storage, NULL, 2, (int64_t[]){37, (columns + 64) / 64 * 64});
    tame_twins(&x);
    expect_ok(stn_view_slice(&x.host_part, &x.host, 2, slices));
    expect_ok(stn_view_slice(&x.device_part, &x.device, 2, slices));
    make_twins(&result, stn_storage_of(STN_F64), NULL, 1, extents);
    expect_ok(inner_reduce_into(reference, STN_F64, 2, &result.host, &x.host_part, &x.host_part));
    expect_ok(inner_reduce_into(on, STN_F64, 2, &result.device, &x.device_part, &x.device_part));
    expect_numbers(&result, "padded rows");
    expect_ok(inner_reduce(reference, STN_F64, &expected, &x.host_part, &x.host_part));
    expect_ok(inner_reduce(on, STN_F64, &found, &x.device_part, &x.device_part));
    assert_true(expected == found || (expected != expected && found != found));
    for (int64_t first = 0; first < 140; first += 1 + first % 3 * 63) {
        expect_ok(inner_reduce_part(on, STN_F64, first, &there, &x.device_part, &x.device_part));
        if (first > 0)
            continue;
        expect_ok(inner_reduce_finish(&there, &found));
        assert_true(expected == found || (expected != expected && found != found));
    }
    release_twins(&result);
    release_twins(&x);
}

/* Sums down columns, of which a thread has as many as are 16 bytes; the last ones are fewer. */
static void try_columns(stn_format format, int64_t height, int64_t columns)
{
    const stn_slice slices[2] = {stn_slice_all(), stn_slice_range(0, columns)};
    char what[60];
    twins x, result;
    snprintf(what, sizeof what, "%d columns of %d, format %d", (int)columns, (int)height,
             (int)format);
    make_twins(&x, stn_storage_of(format), NULL, 2, (int64_t[]){height, (columns + 64) / 64 * 64});
    tame_twins(&x);
    expect_ok(stn_view_slice(&x.host_part, &x.host, 2, slices));
    expect_ok(stn_view_slice(&x.device_part, &x.device, 2, slices));
    make_twins(&result, stn_storage_of(STN_F64), NULL, 1, &columns);
    expect_ok(inner_reduce_into(reference, STN_F64, 1, &result.host, &x.host_part, &x.host_part));
    expect_ok(inner_reduce_into(on, STN_F64, 1, &result.device, &x.device_part, &x.device_part));
    expect_numbers(&result, what);
    expect_ok(total_reduce_into(reference, STN_F32, 1, &result.host, &x.host_part));
    expect_ok(total_reduce_into(on, STN_F32, 1, &result.device, &x.device_part));
    expect_numbers(&result, what);
    release_twins(&result);
    release_twins(&x);
}

static void takes_padded_columns(void **state)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_E4M3, STN_I8};
    static const int64_t shapes[][2] = {{37, 1000}, {700, 1007}, {129, 6}, {1, 67}, {40000, 17}};
    (void)state;
    for (int k = 0; k < 5; k++)
        for (int n = 0; n < 5; n++)
            try_columns(formats[k], shapes[n][0], shapes[n][1]);
}

static void takes_padded_rows(void **state)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_E4M3};
    (void)state;
    for (int k = 0; k < 4; k++) {
        try_padded(formats[k], 1000 + 16 * k);
        try_padded(formats[k], 1007);
    }
}

/* As of right-hand sides side by side: what comes of each is finished by the program's words. */
static void takes_own_operations_of_columns(void **state)
{
    static const int64_t extents[2] = {5000, 4};
    stn_view here, there;
    twins result;
    (void)state;
    fill_with(&here, &there, 2, extents);
    make_twins(&result, stn_storage_of(STN_F64), NULL, 1, &extents[1]);
    expect_ok(leaning_reduce_into(reference, STN_F64, 1, &result.host, &here));
    expect_ok(leaning_reduce_into(on, STN_F64, 1, &result.device, &there));
    expect_same(&result, "an operation of the program's, for each column");
    release_twins(&result);
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&there));
}

static void counts_what_it_stores(void **state)
{
    static const int64_t extents[2] = {300, 40};
    stn_storage storage = stn_storage_of(STN_E5M2);
    stn_view here, there;
    twins result;
    (void)state;
    storage.scale = 0x1p-60;
    fill_with(&here, &there, 2, extents);
    make_twins(&result, storage, NULL, 1, &extents[1]);
    count_always(&result, 0);
    expect_ok(total_reduce_into(reference, STN_F32, 1, &result.host_part, &here));
    expect_ok(total_reduce_into(on, STN_F32, 1, &result.device_part, &there));
    expect_same(&result, "columns");
    expect_counts(0, "columns");
    assert_int_equal(counted[0][1].saturated, 40);
    release_twins(&result);
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&there));
}

/* ---- norms whose squares leave the range ---- */

static void takes_norms_of_any_size(void **state)
{
    static const int64_t extents[2] = {4, 500};
    static const double sizes[4] = {1e300, 1e-300, 1.0, 0.0};
    stn_view here, there, on_host;
    twins result;
    (void)state;
    expect_ok(stn_view_create(NULL, &here, "here", stn_storage_of(STN_F64), 2, extents));
    expect_ok(stn_view_create(on, &there, "there", stn_storage_of(STN_F64), 2, extents));
    for (int k = 0; k < 2000; k++)
        ((double *)here.data)[k] = sizes[k / 500] * (1.0 + (double)chance(1000) / 997.0);
    expect_ok(stn_view_copy(on, &there, &here));
    make_twins(&result, stn_storage_of(STN_F64), NULL, 1, extents);
    expect_ok(stn_view_mirror(on, &on_host, &result.device, STN_SPACE_HOST));
    expect_ok(size2_reduce_into(reference, STN_F64, 2, &result.host, &here));
    expect_ok(size2_reduce_into(on, STN_F64, 2, &result.device, &there));
    expect_same(&result, "norms on the device");
    expect_ok(size2_reduce_into(on, STN_F64, 2, &on_host, &there));
    assert_memory_equal(on_host.data, result.host.data, 32);
    for (int k = 0; k < 4; k++) {
        double expected = ((double *)result.host.data)[k], found;
        stn_view line;
        expect_ok(
            stn_view_slice(&line, &there, 2, (stn_slice[]){stn_slice_index(k), stn_slice_all()}));
        expect_ok(size2_reduce(on, STN_F64, &found, &line));
        assert_true(expected == found && expected < 1e305 && (k == 3 || expected > 1e-305));
    }
    release_twins(&result);
    expect_ok(stn_view_release(&on_host));
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&there));
}

/* ---- integers beyond 53 bits ---- */

/* One rounding, not by way of a double's: the last bit decides between two floats. Zero points are
 * added modulo 2^64 where there are so many bits. */
static void rounds_integers_once(void **state)
{
    static const int64_t extents[2] = {1, 6};
    static const int64_t integers[6] = {((int64_t)1 << 60) + ((int64_t)1 << 36) + 1,
                                        -((int64_t)1 << 60) - ((int64_t)1 << 36) - 1,
                                        ((int64_t)1 << 53) + 1,
                                        ((int64_t)1 << 53) + 3,
                                        INT64_MIN,
                                        INT64_MAX};
    stn_storage to[] = {stn_storage_of(STN_F32), stn_storage_of(STN_F64), stn_storage_of(STN_F64),
                        stn_storage_of(STN_U64), stn_storage_of(STN_I16)};
    stn_view here, there;
    (void)state;
    to[2].rounding = STN_ROUND_TOWARD_ZERO;
    to[3].zero = to[4].zero = 3; /* modulo 2^64, and saturating */
    expect_ok(stn_view_create(on, &there, "there", stn_storage_of(STN_I64), 2, extents));
    expect_ok(stn_view_wrap_const(&here, "here", stn_storage_of(STN_I64), integers, 2, extents));
    expect_ok(stn_view_copy(on, &there, &here));
    for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
        twins result;
        make_twins(&result, to[k], NULL, 1, &extents[1]);
        expect_ok(whole_reduce_into(reference, STN_I64, 1, &result.host, 0, &here));
        expect_ok(whole_reduce_into(on, STN_I64, 1, &result.device, 0, &there));
        expect_same(&result, row_of(to[k].format)->name);
        release_twins(&result);
    }
    expect_ok(stn_view_release(&there));
}

/* ---- parts ---- */

/* A norm of three parts, one of them of the host's. */
static void merges_parts(void **state)
{
    static const int64_t count = 300000, cuts[4] = {0, 100001, 140000, 300000};
    stn_view here, there;
    stn_partial parts[3];
    double expected, found;
    (void)state;
    fill_with(&here, &there, 1, &count);
    for (int k = 0; k < 3; k++) {
        const stn_slice slice = stn_slice_range(cuts[k], cuts[k + 1]);
        stn_view part;
        expect_ok(stn_view_slice(&part, k == 1 ? &here : &there, 1, &slice));
        expect_ok(size2_reduce_part(k == 1 ? reference : on, STN_F32, cuts[k], &parts[k], &part));
    }
    expect_ok(size2_reduce_merge(&parts[1], &parts[2]));
    expect_ok(size2_reduce_merge(&parts[0], &parts[1]));
    expect_ok(size2_reduce_finish(&parts[0], &found));
    expect_ok(size2_reduce(reference, STN_F32, &expected, &here));
    if (memcmp(&expected, &found, sizeof found) != 0)
        fail_msg("%a, on the host %a", found, expected);
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&there));
}

/* ---- what is refused ---- */

STN_REDUCE_BY(with_semicolon, (in(x)), x, __extension__({ a + b; }), a, 0)

static void refuses_what_devices_lack(void **state)
{
    static const int64_t extents[2] = {6, 8};
    stn_view x, here;
    double value = 17;
    (void)state;
    expect_ok(stn_view_create(on, &x, "x", stn_storage_of(STN_F32), 2, extents));
    expect_ok(stn_view_create(NULL, &here, "here", stn_storage_of(STN_F32), 2, extents));
    refused(total_reduce(on, STN_F64, &value, &here), STN_ERR_UNSUPPORTED, "here");
    refused(total_reduce(reference, STN_F64, &value, &x), STN_ERR_UNSUPPORTED, "x");
    refused(total_reduce_into(reference, STN_F64, 0, &x, &here), STN_ERR_UNSUPPORTED, "x");
    refused(with_semicolon_reduce(on, STN_F64, &value, &x), STN_ERR_UNSUPPORTED, "semicolon");
    refused(total_reduce(on, STN_I64, &value, &x), STN_ERR_ARGUMENT, "i64");
    assert_true(value == 17);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&here));
}

/* ---- without a GPU: NVRTC takes the texts ---- */

/* As a value, and in a view. */
/* One of twelve is enough but in a full run. */
static stn_status compile_row(int at, int architecture)
{
    const row *const r = &rows[at];
    const int is_value = at % 8 == 0;
    static const int64_t extents[2] = {7, 9};
    stn_view views[VIEWS], result;
    double value[2];
    if (rounds() < 40 && at % 12 != 4 * architecture)
        return STN_OK;
    const unsigned reduced = 1 + (unsigned)chance(2);
    for (int v = 0; v < VIEWS; v++)
        expect_ok(stn_view_create(on, &views[v], "view", any_storage(r->kind, any_format(r->kind)),
                                  2, extents));
    expect_ok(
        stn_view_create(on, &result, "result", any_target(r->gives), 1, extents + (reduced == 1)));
    const stn_status status =
        r->run(on, any_arithmetic(r->kind), is_value ? value : NULL, reduced, &result, views);
    for (int v = 0; v < VIEWS; v++)
        expect_ok(stn_view_release(&views[v]));
    expect_ok(stn_view_release(&result));
    return status;
}

static void compiles_for_cuda(void **state)
{
    (void)state;
    compile_texts(ROWS, compile_row);
}

/* ---- every allocation that fails ---- */

static stn_status use_device(const stn_view *x, const stn_view *sums, double *value)
{
    const stn_status status = total_reduce_into(on, STN_F32, 1, sums, x);
    return status ? status : size2_reduce(on, STN_F64, value, x);
}

static void survives_without_memory(void **state)
{
    static const int64_t extents[2] = {40000, 3};
    stn_view x, sums;
    double value = 0;
    (void)state;
    expect_ok(stn_view_create(on, &x, "x", stn_storage_of(STN_F16), 2, extents));
    expect_ok(stn_view_create(on, &sums, "sums", stn_storage_of(STN_F32), 1, extents + 1));
    expect_ok(stn_view_fill(on, &x, 0x1p-14));
    for (int64_t nth = 1;; nth++) {
        stn_fail_allocation(nth);
        const stn_status status = use_device(&x, &sums, &value);
        stn_fail_allocation(0);
        if (status == STN_OK && nth > 3)
            break;
        if (status != STN_ERR_MEMORY)
            fail_msg("allocation %d: %s, %s", (int)nth, stn_status_name(status), stn_error());
    }
    assert_true(value > 0.02 && value < 0.03);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&sums));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives_without_memory),
                                       cmocka_unit_test(takes_all_sizes),
                                       cmocka_unit_test(takes_all_shapes),
                                       cmocka_unit_test(takes_padded_rows),
                                       cmocka_unit_test(takes_padded_columns),
                                       cmocka_unit_test(counts_what_it_stores),
                                       cmocka_unit_test(takes_own_operations_of_columns),
                                       cmocka_unit_test(takes_norms_of_any_size),
                                       cmocka_unit_test(rounds_integers_once),
                                       cmocka_unit_test(merges_parts),
                                       cmocka_unit_test(refuses_what_devices_lack),
                                       cmocka_unit_test(gives_the_bits_of_the_host)};
    const struct CMUnitTest compile = cmocka_unit_test(compiles_for_cuda);
    return run_on_devices(tests, sizeof tests / sizeof *tests, &compile);
}
