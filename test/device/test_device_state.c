/* Reductions whose states have several values give the bits of `reference` on devices: whole, along
 * dimensions, as parts, into views of the device and of the host. */
#include "device.h"
#include "steno/array_functions.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE_STATE(moments, (in(x)),
    (count, mean, squares), (1, x, 0), (a.mean, a.squares / a.count), (0, 0, 0),
    const real_t count = a.count + b.count, share = b.count / count, step = b.mean - a.mean;
    a.squares = fma(step * step, a.count * share, a.squares + b.squares);
    a.mean = fma(step, share, a.mean);
    a.count = count;)
STN_REDUCE_STATE(extremes, (at(i), in(x)),
    (least, where, most, last), (x, i, x, i), (a.least, a.where, a.most, a.last),
    (INFINITY, -1, -INFINITY, -1),
    if (b.least < a.least || (b.least == a.least && b.where < a.where))
        a.least = b.least, a.where = b.where;
    if (b.most > a.most || (b.most == a.most && b.last > a.last))
        a.most = b.most, a.last = b.last;)
STN_REDUCE_STATE(dots, (real(scale), in(x)),
    (plain, scaled), (x * x, scale * x), (sqrt(a.plain) - fmax(a.scaled, a.plain)), (0, 0),
    a.plain += b.plain; a.scaled += b.scaled;)
STN_REDUCE_INTEGER_STATE(range, (in(x)),
    (least, most), (x, x), (a.least, a.most, (int64_t)((uint64_t)a.most - (uint64_t)a.least)),
    (INT64_MAX, INT64_MIN),
    a.least = b.least < a.least ? b.least : a.least;
    a.most = b.most > a.most ? b.most : a.most;)
STN_REDUCE_COMPLEX_STATE(both, (in(x)),
    (sum, product), (x, x), (a.sum, a.product), (stn_c_of(0, 0), stn_c_of(1, 0)),
    a.sum = stn_c_add(a.sum, b.sum);
    a.product = stn_c_multiply(a.product, b.product);)
/* clang-format on */

typedef struct row {
    const char *name;
    oracle_class kind;
    int results;
    stn_status (*whole)(const stn_exec *exec, stn_format arithmetic, void *value,
                        const stn_view *x);
    stn_status (*into)(const stn_exec *exec, stn_format arithmetic, unsigned reduced,
                       const stn_view *result, const stn_view *x);
    stn_status (*parts)(const stn_exec *exec, stn_format arithmetic, unsigned reduced,
                        stn_partial *parts, const stn_view *x);
} row;

#define EACH_ROW(ROW)                                                                              \
    ROW(moments, double, FLOAT, 2, x)                                                              \
    ROW(extremes, double, FLOAT, 4, x)                                                             \
    ROW(dots, double, FLOAT, 1, 0.3, x)                                                            \
    ROW(range, int64_t, INTEGER, 3, x)                                                             \
    ROW(both, stn_c128, COMPLEX, 2, x)
#define DEFINE(name, type, kind, results, ...)                                                     \
    static stn_status run_##name(const stn_exec *exec, stn_format arithmetic, void *value,         \
                                 const stn_view *x)                                                \
    {                                                                                              \
        return name##_reduce(exec, arithmetic, (type *)value, __VA_ARGS__);                        \
    }                                                                                              \
    static stn_status run_##name##_into(const stn_exec *exec, stn_format arithmetic,               \
                                        unsigned reduced, const stn_view *result,                  \
                                        const stn_view *x)                                         \
    {                                                                                              \
        return name##_reduce_into(exec, arithmetic, reduced, result, __VA_ARGS__);                 \
    }                                                                                              \
    static stn_status run_##name##_parts(const stn_exec *exec, stn_format arithmetic,              \
                                         unsigned reduced, stn_partial *parts, const stn_view *x)  \
    {                                                                                              \
        return name##_reduce_parts(exec, arithmetic, 77, reduced, parts, __VA_ARGS__);             \
    }
EACH_ROW(DEFINE)
#define ROW_OF(name, type, kind, results, ...)                                                     \
    {#name, ORACLE_##kind, results, run_##name, run_##name##_into, run_##name##_parts},
static const row rows[] = {EACH_ROW(ROW_OF)};

static const int64_t shapes[][2] = {{1, 1}, {7, 300}, {300, 7}, {129, 128},
                                    {0, 5}, {5, 0},   {40, 33}, {2, 9001}};

/* Extents of the result over the dimensions that are not reduced. */
static int extents_of(const row *r, const int64_t *shape, unsigned reduced, int64_t *extent)
{
    int rank = 0;
    for (int d = 0; d < 2; d++)
        if (!(reduced >> d & 1))
            extent[rank++] = shape[d];
    if (r->results > 1)
        extent[rank++] = r->results;
    return rank;
}

static void try_into(const row *r, stn_format arithmetic, const int64_t *shape, unsigned reduced,
                     int is_host, const twins *x)
{
    int64_t extent[3];
    char what[120];
    const int rank = extents_of(r, shape, reduced, extent);
    twins t = is_host ? make_twins(any_target(r->kind), NULL, rank, extent)
                      : any_twins(any_target(r->kind), rank, extent);
    stn_view to = t.device_part;
    if (is_host)
        expect_ok(stn_view_mirror(device_exec, &to, &t.device, STN_SPACE_HOST));
    snprintf(what, sizeof what, "%s in %s of %d x %d %s over 0x%x into %s", r->name,
             row_of(arithmetic)->name, (int)shape[0], (int)shape[1],
             row_of(x->host.storage.format)->name, reduced, row_of(t.host.storage.format)->name);
    const stn_status on_host = r->into(host_exec, arithmetic, reduced, &t.host_part, &x->host_part);
    expect_both(what, on_host, r->into(device_exec, arithmetic, reduced, &to, &x->device_part));
    if (is_host && on_host == STN_OK)
        expect_ok(stn_view_copy(device_exec, &t.device, &to));
    if (on_host == STN_OK)
        expect_numbers(&t, what);
    if (is_host)
        expect_ok(stn_view_release(&to));
    release_twins(&t);
}

static void try_whole(const row *r, stn_format arithmetic, const twins *x)
{
    double here[8] = {0}, there[8] = {0};
    expect_both(r->name, r->whole(host_exec, arithmetic, here, &x->host_part),
                r->whole(device_exec, arithmetic, there, &x->device_part));
    const int doubles = r->kind == ORACLE_COMPLEX ? 2 * r->results : r->results;
    for (int k = 0; k < doubles && device_computes(); k++)
        if (memcmp(&here[k], &there[k], 8) != 0 && (here[k] == here[k] || there[k] == there[k]))
            fail_msg("%s: result %d is %a, not %a", r->name, k, there[k], here[k]);
}

static void try_parts(const row *r, stn_format arithmetic, const int64_t *shape, const twins *x)
{
    stn_partial *const parts = test_calloc((size_t)(2 * shape[0]) + 1, sizeof *parts);
    expect_both(r->name, r->parts(host_exec, arithmetic, 1u << 1, parts, &x->host_part),
                r->parts(device_exec, arithmetic, 1u << 1, parts + shape[0], &x->device_part));
    if (device_computes() && memcmp(parts, parts + shape[0], (size_t)shape[0] * sizeof *parts) != 0)
        fail_msg("%s: partial results of %d x %d differ", r->name, (int)shape[0], (int)shape[1]);
    test_free(parts);
}

static void try_row(int at, stn_storage storage, int is_plain, stn_format arithmetic,
                    const int64_t *shape, int way)
{
    const row *const r = &rows[at];
    twins x = is_plain ? make_twins(storage, NULL, 2, shape) : any_twins(storage, 2, shape);
    tame_twins(&x);
    if (way == 0)
        try_whole(r, arithmetic, &x);
    else if (way == 1)
        try_parts(r, arithmetic, shape, &x);
    else
        try_into(r, arithmetic, shape, 1u + (unsigned)chance(3), way == 2, &x);
    release_twins(&x);
}

/* Any format, layout, scale and destination. */
TEST_CASE(states_give_the_bits_of_the_host)
{
    enum { WAYS = 4 };
    for (int k = 0; k < WAYS * COUNT_OF(rows); k++) {
        const oracle_class kind = rows[k % COUNT_OF(rows)].kind;
        if (device_has_turn(k) && (oracle_full() || k % (oracle_quick() ? 6 : 3) == 0))
            try_row(k % COUNT_OF(rows), any_storage(kind, any_format(kind)), 0,
                    any_arithmetic(kind), shapes[chance(COUNT_OF(shapes))], k % WAYS);
    }
}

/* One text for all shapes. */
TEST_CASE(states_of_all_shapes)
{
    for (int k = 0; k < COUNT_OF(shapes) && device_has_turn(1); k++)
        try_row(1, stn_storage_of(STN_F16), 1, STN_F32, shapes[k], 0);
}

/* Two texts for all shapes. */
TEST_CASE(means_and_variances_give_the_bits_of_the_host)
{
    for (int k = 0; k < COUNT_OF(shapes) && device_has_turn(0); k++) {
        twins x = make_twins(stn_storage_of(STN_F16), NULL, 2, shapes[k]);
        twins to = make_twins(stn_storage_of(STN_F32), NULL, 1, &shapes[k][0]);
        tame_twins(&x);
        expect_both("stn_variance_into",
                    stn_variance_into(host_exec, STN_F64, &to.host, &x.host, 1u << 1, 1),
                    stn_variance_into(device_exec, STN_F64, &to.device, &x.device, 1u << 1, 1));
        expect_numbers(&to, "variances");
        expect_both("stn_mean_into", stn_mean_into(host_exec, STN_F64, &to.host, &x.host, 1u << 1),
                    stn_mean_into(device_exec, STN_F64, &to.device, &x.device, 1u << 1));
        expect_numbers(&to, "means");
        release_twins(&x);
        release_twins(&to);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_give_the_bits_of_the_host), cmocka_unit_test(states_of_all_shapes),
        cmocka_unit_test(means_and_variances_give_the_bits_of_the_host)};
    return device_main(tests, COUNT_OF(tests), 3);
}
