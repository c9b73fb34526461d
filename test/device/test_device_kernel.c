/* Kernels on devices give the bits of `reference`, for every kind of parameter, arithmetic, format,
 * rounding, scale and layout, drawn at random since each text takes the compiler some tenths of a
 * second. With STENO_TEST_EXEC=threads:jit, code compiled for the host. */
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>

#include "compile_events.h"
#include "core/memory.h"
#include "device.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)),
    y = alpha * x + y;
)
STN_MAP(fused, (real(alpha), in(x), in(w), out(y)),
    y = fma(alpha, x, w) / (fabs(w) + STN_R(0.1));
)
STN_MAP(many, (real(alpha), in(a), in(b), in(c), in(d), in(e), in(f), in(g), out(y)),
    y = ((alpha * a + b) - (c + d) * e) + (f - g);
)
STN_MAP(cut, (real(bound), inout(y)),
    if (fabs(y) <= bound)
        return;
    y = y < 0 ? -bound : bound;
)
STN_MAP(pick, (in(x), inout(w), masked(y)),
    if (!isless(x, w) || isnan(w - 1.0f))
        return;
    w = w - x;
    for (int k = 0; k < 3; k++)
        if (x < (real_t)k)
            return;
    STN_STORE(y, sqrt(fmax(x, 0)) * STN_R(0.1));
)
STN_MAP(words, (real(kernel), in(half), in(V), out(new)),
    const real_t class = kernel * half, global = V;
    real_t log = fabs(class);
    new = class + global - log;
)
STN_MAP(where, (at(i, j), in(x), out(y)),
    y = x + (real_t)(1000 * i + j);
)
STN_MAP(numbered, (index(n), bits(m), in(x), out(y)),
    y = (real_t)(n % 1000) + (real_t)(m >> 60) * floor(x);
)
STN_MAP(nearest, (shifted(u, nearest, -1, 2), out(y)), y = 2 * u;)
STN_MAP(zero, (shifted(u, zero, 3, -1), in(x), out(y)), y = u + x;)
STN_MAP(periodic, (shifted(u, periodic, -50, 1), out(y)), y = u;)
STN_MAP(valued, (shifted(u, value(1.5), 0, 1), out(y)), y = u;)
STN_MAP(inside, (shifted(u, inside, -1, 1), in(x), inout(y)), y = u - x;)
STN_MAP(five, (stencil(u, nearest, 1, 1), at(i, j), out(y)),
    y = STN_R(0.5) * STN_AT(u, i, j) + STN_R(0.125) * (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) +
                                              STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1));
)
STN_MAP(within, (at(i, j), stencil(u, inside, 0, 2), inout(y)),
    y = STN_AT(u, i, j - 2) - STN_AT(u, i, j + 2);
)
STN_MAP(turned, (at(i, j), gather(u, 2), out(y)),
    y = STN_AT(u, STN_EXTENT_OF(u, 0) - 1 - i, j);
)
STN_MAP(spread, (at(i, j), in(x), scatter(y, 2)),
    STN_PUT(y, x + 1, i, STN_EXTENT_OF(y, 1) - 1 - j);
)
STN_MAP(gathered, (at(i, j), gather(n, 2), gather(u, 2), out(y)),
    y = STN_AT(u, ((STN_INDEX_AT(n, i, j) % 5) + 5) % 5, 0);
)
STN_MAP(extremes, (at(i, j), in(x), scatter(y, 2)),
    STN_MIN(y, x, i / 4, 0);
    STN_MAX(y, x, i / 4, 1);
)
STN_MAP_INTEGER(hashed, (in(x), inout(y)),
    const unsigned long long mixed = (uint64_t)x * 0x9E3779B97F4A7C15ull >> 40;
    const long long less = INT64_MIN + 1LL;
    y = (int64_t)mixed + (int64_t)sizeof(long long) + (less < 0) + abs(-3) - 5 +
        (int64_t)(uint8_t)x;
)
STN_MAP_INTEGER(whole, (index(n), in(x), inout(y)),
    y = (x ^ n) + (y / 4) % 1000;
)
STN_MAP_INTEGER(counted, (at(i, j), in(x), scatter(y, 2)),
    STN_ADD(y, x & 1, i / 4, 0);
)
STN_MAP_INTEGER(shifted_whole, (shifted(u, value(-7), 1, 0), out(y)), y = u;)
STN_MAP_COMPLEX(turn, (real(a), in(x), inout(y)),
    y.re += a.re * x.re - a.im * x.im;
    y.im += a.re * x.im + a.im * x.re;
)
STN_MAP_COMPLEX(conjugated, (shifted(u, zero, 0, 1), out(y)),
    y = u;
    y.im = -y.im;
)
/* clang-format on */

enum { VIEWS = 3 };
typedef stn_status launch(const stn_exec *exec, stn_format arithmetic, const stn_view *v);

/* `finite`: values may not be infinities or NaN. */
typedef struct row {
    const char *name;
    launch *run;
    oracle_class kind;
    int is_2d, finite;
} row;

/* clang-format off */
#define EACH_ROW(ROW)                                                                              \
    ROW(axpy, FLOAT, 0, 0, 0.7, &v[0], &v[2])                                                      \
    ROW(fused, FLOAT, 0, 0, -1.3, &v[0], &v[1], &v[2])                                             \
    ROW(many, FLOAT, 0, 0, 0.3, &v[0], &v[1], &v[1], &v[0], &v[1], &v[0], &v[1], &v[2])            \
    ROW(cut, FLOAT, 0, 0, 2.25, &v[2])                                                             \
    ROW(words, FLOAT, 0, 0, 0.75, &v[0], &v[1], &v[2])                                             \
    ROW(pick, FLOAT, 0, 0, &v[0], &v[1], &v[2])                                                    \
    ROW(where, FLOAT, 1, 0, &v[0], &v[2])                                                          \
    ROW(numbered, FLOAT, 0, 0, -123456, (uint64_t)7 << 60, &v[0], &v[2])                           \
    ROW(nearest, FLOAT, 1, 0, &v[0], &v[2])                                                        \
    ROW(zero, FLOAT, 1, 0, &v[0], &v[1], &v[2])                                                    \
    ROW(periodic, FLOAT, 1, 0, &v[0], &v[2])                                                       \
    ROW(valued, FLOAT, 1, 0, &v[0], &v[2])                                                         \
    ROW(inside, FLOAT, 1, 0, &v[0], &v[1], &v[2])                                                  \
    ROW(five, FLOAT, 1, 0, &v[0], &v[2])                                                           \
    ROW(within, FLOAT, 1, 0, &v[0], &v[2])                                                         \
    ROW(turned, FLOAT, 1, 0, &v[0], &v[2])                                                         \
    ROW(spread, FLOAT, 1, 0, &v[0], &v[2])                                                         \
    ROW(gathered, FLOAT, 1, 1, &v[1], &v[0], &v[2])                                                \
    ROW(extremes, FLOAT, 1, 1, &v[0], &v[2])                                                       \
    ROW(hashed, INTEGER, 0, 0, &v[0], &v[2])                                                       \
    ROW(whole, INTEGER, 0, 0, 12345, &v[0], &v[2])                                                 \
    ROW(counted, INTEGER, 1, 0, &v[0], &v[2])                                                      \
    ROW(shifted_whole, INTEGER, 1, 0, &v[0], &v[2])                                                \
    ROW(turn, COMPLEX, 0, 0, ((stn_c128){0.7, -0.2}), &v[0], &v[2])                                \
    ROW(conjugated, COMPLEX, 1, 0, &v[0], &v[2])
/* clang-format on */
#define RUN(name, kind, is_2d, finite, ...)                                                        \
    static stn_status run_##name(const stn_exec *exec, stn_format arithmetic, const stn_view *v)   \
    {                                                                                              \
        return name##_run(exec, arithmetic, __VA_ARGS__);                                          \
    }
EACH_ROW(RUN)
#define TABLE_ROW(name, kind, is_2d, finite, ...) {#name, run_##name, ORACLE_##kind, is_2d, finite},
static const row rows[] = {EACH_ROW(TABLE_ROW)};
enum { ROWS = COUNT_OF(rows) };

/* ---- operands ---- */

static int is_jit(void)
{
    return strcmp(test_exec_name(), "threads:jit") == 0;
}

/* Codes of 3, 5 and 6 bytes are not updated atomically by compiled texts. */
static int has_odd_size(stn_format format)
{
    const int bytes = row_of(format)->bits / 8;
    return (bytes & (bytes - 1)) != 0;
}

/* Multiples of 1/16 in place of random codes. */
static void set_numbers(twins *t)
{
    int64_t index[STN_MAX_RANK] = {0};
    do
        expect_ok(stn_view_set(&t->host, t->host.rank, index,
                               (double)((int64_t)chance(2001) - 1000) / 16));
    while (next_indices(t->host.rank, t->host.extent, index));
    send_twins(t);
}

/* What code is compiled for on the host: rows, contiguous or separate. */
static twins make_rows(stn_storage storage, int rank, const int64_t *extents)
{
    int64_t whole[3];
    stn_slice slices[3];
    for (int d = 0; d < rank; d++) {
        const int64_t before = (int64_t)chance(3);
        whole[d] = extents[d] + before + (int64_t)chance(2);
        slices[d] = stn_slice_range(before, before + extents[d]);
    }
    twins t = make_twins(storage, NULL, rank, whole);
    slice_twins(&t, slices);
    return t;
}

/* Contiguous, or in rows that begin at multiples of 16 elements: several are one access. */
static twins make_contiguous(stn_storage storage, int rank, const int64_t *extents, int is_padded)
{
    int64_t whole[3] = {extents[0] + 16, extents[1], extents[2]};
    stn_slice slices[3] = {stn_slice_range(0, extents[0]), stn_slice_all(), stn_slice_all()};
    if (is_padded && rank > 1) {
        whole[rank - 1] = (extents[rank - 1] + 31) / 16 * 16;
        slices[rank - 1] = stn_slice_range(0, extents[rank - 1]);
    }
    twins t = make_twins(storage, NULL, rank, whole);
    slice_twins(&t, slices);
    return t;
}

/* ---- one case ---- */

static int tries;

static void try_one(const row *r, stn_format format)
{
    char what[400];
    twins t[VIEWS];
    stn_view here[VIEWS], there[VIEWS];
    int64_t extents[3] = {1 + (int64_t)chance(40), 1 + (int64_t)chance(150),
                          1 + (int64_t)chance(9)};
    const int rank = r->is_2d ? 2 : 1 + (int)chance(3);
    const stn_format arithmetic = any_arithmetic(r->kind);
    int at =
        snprintf(what, sizeof what, "%s in %s, rank %d:", r->name, row_of(arithmetic)->name, rank);
    const int is_contiguous = !is_jit() && chance(2), is_padded = (int)chance(2);
    if (r->is_2d) /* kernels name rows and columns that exist */
        extents[0] += 5, extents[1] += 2;
    for (int v = 0; v < VIEWS; v++) {
        stn_storage s = any_storage(r->kind, v == 0 ? format : any_format(r->kind));
        while (r->run == run_extremes && has_odd_size(s.format))
            s = any_storage(r->kind, any_format(r->kind));
        if (r->run == run_extremes) /* whatever the order in which elements are updated */
            s.rounding = STN_ROUND_NEAREST;
        int64_t own[3] = {extents[0], extents[1], extents[2]};
        if (is_jit() && v == 0 && !r->is_2d && chance(4) == 0)
            own[chance((uint64_t)rank)] = 1; /* which is repeated */
        t[v] = is_contiguous           ? make_contiguous(s, rank, own, is_padded)
               : is_jit() && chance(8) ? make_rows(s, rank, own)
                                       : any_twins(s, rank, own);
        if (r->finite)
            set_numbers(&t[v]);
        count_some(&t[v], v);
        here[v] = t[v].host_part;
        there[v] = t[v].device_part;
        at += snprintf(what + at, sizeof what - (size_t)at, " %s (scale %g, zero %g, rounding %d)",
                       row_of(s.format)->name, s.scale, s.zero, (int)s.rounding);
    }
    tries++;
    const stn_status on_host = r->run(host_exec, arithmetic, here);
    expect_both(what, on_host, r->run(device_exec, arithmetic, there));
    for (int v = 0; v < VIEWS; v++) {
        expect_numbers(&t[v], what);
        expect_counts(v, what);
        release_twins(&t[v]);
    }
}

static int rounds(void)
{
    return !device_computes() ? 1 : oracle_count(1, 3, 40);
}

TEST_CASE(gives_the_bits_of_the_host)
{
    for (int k = 0; k < ROWS; k++)
        for (int round = 0; round < rounds() && device_has_turn(k); round++) {
            stn_format format = (stn_format)((k * 5 + round * 3) % STN_BUILTIN_FORMATS);
            try_one(&rows[k], goes_with(rows[k].kind, format) ? format : any_format(rows[k].kind));
        }
}

/* On the host: the compiler accepts all texts. */
static void compiles_on_the_host(void **state)
{
    compilations = notes = tries = 0;
    stn_event_set_hook(listen, NULL);
    gives_the_bits_of_the_host(state);
    stn_event_set_hook(NULL, NULL);
    if (notes)
        fail_msg("%d notes, the last one %s", notes, last_note);
    assert_true(compilations > (oracle_quick() ? 0 : tries / 6));
}

/* ---- what random cases do not try ---- */

static stn_view make_view(stn_format format, int rank, const int64_t *extents)
{
    return create_view(device_exec, "view", stn_storage_of(format), NULL, rank, extents, 0);
}

static double value_at(const stn_view *view, int64_t i, int64_t j)
{
    stn_view back;
    expect_ok(stn_view_mirror_view(device_exec, &back, view, STN_SPACE_HOST, STN_MIRROR_COPY));
    const double value = VALUE_AT(&back, i, j);
    expect_ok(stn_view_release(&back));
    return value;
}

STN_MAP(beyond, (at(i, j), stencil(u, zero, 1, 1), out(y)), y = STN_AT(u, i + 2, j);)
STN_MAP(beyond_inside, (at(i, j), stencil(u, zero, 1, 1), out(y)),
        y = STN_AT(u, i == 9 && j == 4 ? i + 2 : i, j);)

/* At a boundary, and where no access needs one. */
TEST_CASE(reports_reads_beyond_the_radius)
{
    static const int64_t extents[2] = {20, 8};
    stn_view u = make_view(STN_F32, 2, extents), y = make_view(STN_F32, 2, extents);
    expect_error(beyond_run(device_exec, STN_F64, &u, &y), STN_ERR_RANGE, "beyond its radius");
    expect_error(beyond_inside_run(device_exec, STN_F64, &u, &y), STN_ERR_RANGE,
                 "beyond its radius");
    expect_ok(stn_view_release(&u));
    expect_ok(stn_view_release(&y));
}

STN_MAP(line, (stencil(u, periodic, 2), at(i), inout(y)), y += STN_AT(u, i - 2) - STN_AT(u, i + 1);)
STN_MAP(box, (shifted(a, zero, 0, -1, 1), shifted(b, nearest, 2, 1, 0), in(x), masked(y)),
        if (a < b) STN_STORE(y, a + b + x);)

/* With elements that need no boundary, and numbers of rows that no group of rows divides. */
static void try_interior(int rank, const int64_t *extents)
{
    twins u = make_twins(stn_storage_of(STN_F16), NULL, rank, extents);
    twins y = make_twins(stn_storage_of(STN_F32), NULL, rank, extents);
    stn_view *const here[2] = {&u.host, &y.host}, *const there[2] = {&u.device, &y.device};
    set_numbers(&u);
    set_numbers(&y);
    if (rank == 1) {
        expect_ok(line_run(host_exec, STN_F64, here[0], here[1]));
        expect_ok(line_run(device_exec, STN_F64, there[0], there[1]));
    } else {
        expect_ok(box_run(host_exec, STN_F32, here[0], here[0], here[0], here[1]));
        expect_ok(box_run(device_exec, STN_F32, there[0], there[0], there[0], there[1]));
    }
    expect_numbers(&y, rank == 1 ? "line" : "box");
    release_twins(&u);
    release_twins(&y);
}

TEST_CASE(computes_stencils_of_one_and_three_dimensions)
{
    try_interior(1, (const int64_t[]){301});
    try_interior(3, (const int64_t[]){6, 23, 37});
    try_interior(3, (const int64_t[]){5, 3, 2});
}

/* As on the host, whatever the arithmetic: 3 times this scale is less than 3, but not in f32. */
TEST_CASE(reads_indices_in_f64)
{
    static const int64_t extents[2] = {6, 40};
    twins u = make_twins(stn_storage_of(STN_F32), NULL, 2, extents);
    stn_view n = make_view(STN_F32, 2, extents), y = make_view(STN_F32, 2, extents);
    for (int64_t k = 0; k < extents[0]; k++)
        expect_ok(STN_VIEW_SET(&u.host, (double)k, k, 0));
    send_twins(&u);
    n.storage.scale = 1 - 0x1p-26;
    expect_ok(stn_view_fill(device_exec, &n, 3));
    expect_ok(gathered_run(device_exec, STN_F32, &n, &u.device, &y));
    assert_true(value_at(&y, 5, 7) == 2);
    expect_ok(stn_view_release(&n));
    expect_ok(stn_view_release(&y));
    release_twins(&u);
}

/* A device keeps scales that it was sent, and is sent again what has changed. */
TEST_CASE(reads_scales_that_change)
{
    static const int64_t extents[2] = {6, 300};
    double factors[6] = {1, 0.3, -2, 4, 0.125, 3};
    const stn_scales scales = {
        .data = factors, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    twins x = make_twins(stn_storage_of(STN_I8), NULL, 2, extents);
    twins y = make_twins(stn_storage_of(STN_F32), NULL, 2, extents);
    expect_ok(stn_view_set_scales(&x.host_part, &scales));
    expect_ok(stn_view_set_scales(&x.device_part, &scales));
    for (int k = 0; k < 12; k++) {
        factors[k % 6] = k % 4 ? factors[k % 6] + 1 : 7;
        expect_ok(axpy_run(host_exec, STN_F64, 0.5, &x.host_part, &y.host));
        expect_ok(axpy_run(device_exec, STN_F64, 0.5, &x.device_part, &y.device));
        factors[(k + 3) % 6] *= 2; /* of the next one: what is queued has its own */
    }
    expect_numbers(&y, "scales that change");
    release_twins(&x);
    release_twins(&y);
}

/* The threads of an OpenCL implementation are not in a child. */
TEST_CASE(refuses_a_forked_process)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        stn_exec *other;
        alarm(20);
        _exit(stn_exec_create(&other, test_exec_name()) == STN_ERR_UNSUPPORTED ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_CASE(takes_empty_and_single_views)
{
    static const int64_t extents[2][2] = {{0, 5}, {1, 1}};
    for (int k = 0; k < 2; k++) {
        stn_view x = make_view(STN_F16, 2, extents[k]), y = make_view(STN_F32, 2, extents[k]);
        expect_ok(axpy_run(device_exec, STN_F64, 1, &x, &y));
        expect_ok(stn_exec_wait(device_exec));
        expect_ok(stn_view_release(&x));
        expect_ok(stn_view_release(&y));
    }
}

/* ---- every allocation that fails ---- */

/* A device that is opened, filled, computes and is read; STN_ERR_MEMORY, or the sum. */
static stn_status use_device(double *value)
{
    static const int64_t extents[2] = {5, 7};
    stn_exec *exec = NULL;
    stn_view x = {0}, y = {0}, back = {0};
    stn_status status = stn_exec_create(&exec, test_exec_name());
    if (status == STN_OK)
        status = stn_view_create(exec, &x, "x", stn_storage_of(STN_F16), 2, extents);
    if (status == STN_OK)
        status = stn_view_create(exec, &y, "y", stn_storage_of(STN_F64), 2, extents);
    if (status == STN_OK)
        status = stn_view_fill(exec, &x, 1.5);
    if (status == STN_OK)
        status = axpy_run(exec, STN_F64, 2.0, &x, &y);
    if (status == STN_OK)
        status = stn_view_mirror_view(exec, &back, &y, STN_SPACE_HOST, STN_MIRROR_COPY);
    if (status == STN_OK)
        status = STN_VIEW_GET(&back, value, 4, 6);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_ok(stn_view_release(&back));
    stn_exec_release(exec);
    return status;
}

static int let_go(void **state) /* so that the test opens it */
{
    (void)state;
    stn_exec_release(device_exec);
    device_exec = NULL;
    return 0;
}

static int open_again(void **state)
{
    (void)state;
    return stn_exec_create(&device_exec, test_exec_name()) != STN_OK;
}

TEST_CASE(survives_without_memory)
{
    double value = 0;
    for (int64_t nth = 1;; nth++) {
        stn_fail_allocation(nth);
        const stn_status status = use_device(&value);
        stn_fail_allocation(0);
        if (status == STN_OK && nth > 5)
            break;
        if (status != STN_ERR_MEMORY)
            fail_msg("allocation %d: %s, %s", (int)nth, stn_status_name(status), stn_error());
    }
    assert_true(value == 3.0);
}

int main(void)
{
    const struct CMUnitTest on_device[] = {
        cmocka_unit_test(gives_the_bits_of_the_host),
        cmocka_unit_test(reports_reads_beyond_the_radius),
        cmocka_unit_test(computes_stencils_of_one_and_three_dimensions),
        cmocka_unit_test(reads_indices_in_f64),
        cmocka_unit_test(takes_empty_and_single_views),
        cmocka_unit_test(reads_scales_that_change),
        cmocka_unit_test(refuses_a_forked_process),
        cmocka_unit_test_setup_teardown(survives_without_memory, let_go, open_again)};
    const struct CMUnitTest on_the_host[] = {
        cmocka_unit_test(compiles_on_the_host), cmocka_unit_test(reports_reads_beyond_the_radius),
        cmocka_unit_test(reads_indices_in_f64), cmocka_unit_test(takes_empty_and_single_views)};
    return test_exec_name() && is_jit() ? device_main(on_the_host, COUNT_OF(on_the_host), 0)
                                        : device_main(on_device, COUNT_OF(on_device), 1);
}
