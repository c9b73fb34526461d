/* Arguments of kernels, reductions and scans: which parameters are stored, which arguments are
 * refused, and that a refused call writes nothing. Each test runs on two executors. */
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"
#include "steno/reduce.h"
#include "make_view.h"

enum { N = 6 };

static stn_exec *exec;

static stn_view line(const char *label, stn_storage storage, void *data)
{
    static const int64_t count = N;
    return wrap_view(label, storage, data, 1, &count);
}

/* ---- a variable in the body with the name of a parameter is no assignment to the parameter ----
 */

/* clang-format off */
#define SHADOWING(ROW)                                                                             \
    ROW(block, {real_t z = x; y = z;})                                                             \
    ROW(constant, {const real_t z = x; y = z;})                                                    \
    ROW(second, {real_t t = x, z = t; y = z;})                                                     \
    ROW(later, {real_t z; z = x; y = z;})                                                          \
    ROW(nested, {{real_t z = x; {z = z + 0; y = z;}}})                                             \
    ROW(in_parentheses, {real_t (z) = x; y = z;})                                                  \
    ROW(another_type, {double z = (double)x; y = (real_t)z;})                                      \
    ROW(loop, {for (int64_t n = 0, z = 1; n < z; n++) y = x;})                                     \
    ROW(comparison, {y = x + 0 * (z == x);})                                                       \
    ROW(text, {"z = x;"; y = x;})                                                                  \
    ROW(comment, {/* z = x; */ y = x; /* z = 1 */})                                                \
    ROW(by_macro, {DECLARE(z) = x; y = z;})                                                        \
    ROW(by_type, {other_real z = x; y = (real_t)z;})                                               \
    ROW(by_pointer, {const real_t *const p = &x; y = *p;})
#define DECLARE(name) real_t name
typedef double other_real;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wconversion"
#define DEFINE(name, ...)                                                                          \
    STN_MAP(out_##name, (in(x), out(y), masked(z)), __VA_ARGS__)                                   \
    STN_MAP(inout_##name, (in(x), out(y), inout(z)), __VA_ARGS__)
SHADOWING(DEFINE)
#pragma GCC diagnostic pop

STN_MAP(assigns, (in(x), out(y), out(z)), real_t t = x; y = z = t; z = z + y - (real_t)x;)
/* clang-format on */

typedef stn_status run_function(const stn_exec *executor, stn_format arithmetic, const stn_view *x,
                                const stn_view *y, const stn_view *z);

/* Storing the codes of z again would change them: 0.3 times the code divided by 0.3, toward 0. */
static void check_not_stored(run_function *run, const char *name)
{
    static const int16_t before[N] = {11, 12, 13, 14, 17, 19};
    double x[N] = {1, 2, 3, 4, 5, 6}, y[N] = {0};
    int16_t z[N];
    stn_storage codes = stn_storage_of(STN_I16);
    codes.scale = 0.3;
    codes.rounding = STN_ROUND_TOWARD_ZERO;
    memcpy(z, before, sizeof z);
    const stn_view vx = line("x", f64(), x), vy = line("y", f64(), y), vz = line("z", codes, z);
    expect_ok_for(run(exec, STN_F64, &vx, &vy, &vz), name);
    if (memcmp(z, before, sizeof z) != 0)
        fail_msg("%s: z was stored", name);
    assert_memory_equal(x, y, sizeof x);
}

UNIT_TEST(a_shadowed_parameter_is_not_stored)
{
#define CHECK(name, ...)                                                                           \
    check_not_stored(out_##name##_run, #name);                                                     \
    check_not_stored(inout_##name##_run, #name);
    SHADOWING(CHECK)
}

static stn_kernel *text;
static stn_status run_text(const stn_exec *executor, stn_format arithmetic, const stn_view *x,
                           const stn_view *y, const stn_view *z)
{
    const stn_argument arguments[] = {{.view = x}, {.view = y}, {.view = z}};
    return stn_kernel_run(executor, text, arithmetic, STN_RANK_BROADCAST, NULL, arguments);
}

UNIT_TEST(a_parameter_shadowed_in_a_text_is_not_stored)
{
    static const char *const texts[] = {
        "{real_t z = x; y = z;}",         "real_t z = x; y = z;",
        "{real_t t = x, z = t; y = z;}",  "{real_t z; z = x; y = z;}",
        "{{double const z = x; y = z;}}", "y = x; // z = x;"};
    static const char *const parameters[] = {"in(x), out(y), masked(z)", "in(x), out(y), inout(z)"};
    for (int k = 0; k < 2 * COUNT_OF(texts); k++) {
        expect_ok(
            stn_kernel_compile(&text, "text", parameters[k % 2], texts[k / 2], STN_KERNEL_REAL));
        check_not_stored(run_text, texts[k / 2]);
        stn_kernel_release(text);
    }
}

UNIT_TEST(assigned_outputs_are_stored)
{
    double x[N] = {1, 2, 3, 4, 5, 6};
    int16_t y[N] = {0}, z[N] = {0};
    const stn_view vx = line("x", f64(), x), vy = line("y", stn_storage_of(STN_I16), y),
                   vz = line("z", stn_storage_of(STN_I16), z);
    expect_ok(assigns_run(exec, STN_F64, &vx, &vy, &vz));
    for (int k = 0; k < N; k++)
        assert_true(y[k] == k + 1 && z[k] == k + 1);
}

/* ---- refused arguments ---- */

#define STORE(u, value) STN_PUT(u, value, i)
/* clang-format off */
STN_MAP(hidden, (at(i), in(x), scatter(u, 1)), STORE(u, x + 1);)
STN_MAP(hidden_two, (at(i), in(x), scatter(u, 1), gather(w, 1)), STORE(u, x + STN_AT(w, i));)
STN_MAP(fields_only, (at(i), scatter(u, 1)), STN_PUT(u, 7, i);)
STN_MAP(stencil_only, (at(i), stencil(u, nearest, 1), scatter(w, 1)), STN_PUT(w, STN_AT(u, i), i);)
STN_MAP(scalars_only, (real(a)), (void)a;)
STN_MAP(twice, (inout(y)), y = y + y;)
STN_REDUCE(gathered, sum, (at(i), gather(u, 1)), STN_AT(u, i))
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(greatest, argmax, (in(x)), x)
STN_REDUCE_COMPLEX(complex_total, sum, (in(z)), z)
STN_SCAN(gathered_sums, sum, (at(i), gather(u, 1)), STN_AT(u, i))
STN_SCAN(sums, sum, (in(x)), x)
/* clang-format on */

static struct {
    double x[N], u[N];
    float narrow[N];
} fields, before;
static stn_view vx, vu, vnarrow;
static double result;
static stn_partial part;

static int prepare(void **state)
{
    (void)state;
    for (int k = 0; k < N; k++) {
        fields.x[k] = k;
        fields.u[k] = -k;
        fields.narrow[k] = (float)-k;
    }
    before = fields;
    vx = line("x", f64(), fields.x);
    vu = line("u", f64(), fields.u);
    vnarrow = line("narrow", stn_storage_of(STN_F32), fields.narrow);
    result = -1;
    return 0;
}

static int check_kept(void **state)
{
    (void)state;
    return memcmp(&fields, &before, sizeof fields) != 0 || result != -1;
}

UNIT_TEST_WITH(read_only_outputs_of_scatters_are_refused, prepare, check_kept)
{
    static const char message[] = "kernel hidden: u is read-only";
    expect_ok(hidden_run(exec, STN_F64, &vx, &vnarrow));
    assert_true(fields.narrow[0] == 1 && fields.narrow[5] == 6);
    prepare(NULL);
    vu.read_only = vnarrow.read_only = 1;
    expect_error(hidden_run(exec, STN_F64, &vx, &vu), STN_ERR_ARGUMENT, message);
    expect_error(hidden_run(exec, STN_F64, &vx, &vnarrow), STN_ERR_ARGUMENT, message);
}

UNIT_TEST_WITH(overlapping_outputs_of_scatters_are_refused, prepare, check_kept)
{
    expect_error(hidden_run(exec, STN_F64, &vu, &vu), STN_ERR_ALIAS, "kernel hidden: u overlaps x");
    expect_error(hidden_two_run(exec, STN_F64, &vx, &vnarrow, &vnarrow), STN_ERR_ALIAS,
                 "kernel hidden_two: u overlaps w");
}

UNIT_TEST_WITH(scatters_of_texts_are_refused, prepare, check_kept)
{
    const stn_argument read_only[] = {{.view = &vx}, {.view = &vu}};
    const stn_argument same[] = {{.view = &vnarrow}, {.view = &vnarrow}};
    stn_kernel *kernel = NULL;
    vu.read_only = 1;
    expect_error(stn_kernel_compile(&kernel, "text", "scatter(u, 1)", "STN_PUT(u, 1, 0, 0);",
                                    STN_KERNEL_REAL),
                 STN_ERR_PARSE, "more indices than the view has dimensions");
    assert_null(kernel);
    expect_ok(stn_kernel_compile(&kernel, "text", "at(i), in(x), scatter(u, 1)",
                                 "STN_PUT /**/ (u, x + 1, i);", STN_KERNEL_REAL));
    expect_error(stn_kernel_run(exec, kernel, STN_F64, STN_RANK_BROADCAST, NULL, read_only),
                 STN_ERR_ARGUMENT, "kernel text: u is read-only");
    expect_error(stn_kernel_run(exec, kernel, STN_F64, STN_RANK_BROADCAST, NULL, same),
                 STN_ERR_ALIAS, "kernel text: u overlaps x");
    stn_kernel_release(kernel);
}

static void expect_version_error(stn_status status)
{
    expect_error(status, STN_ERR_UNSUPPORTED,
                 "headers of another version of Steno than this library");
}

/* Tables of an older header, or of another size. */
UNIT_TEST_WITH(programs_of_other_headers_are_refused, prepare, check_kept)
{
    const stn_argument of_u[] = {{.view = &vu}}, of_x[] = {{.view = &vx}};
    stn_partial next;
    expect_ok(total_reduce_part(exec, STN_F64, 0, &part, &vx));
    expect_ok(total_reduce_part(exec, STN_F64, N, &next, &vx));
    for (int k = 0; k < 2; k++) {
        stn_kernel kernel = twice_kernel;
        stn_reduction r = total_reduction;
        kernel.version -= k == 0;
        kernel.size -= k == 1 ? 8 : 0;
        r.kernel.version -= k == 0;
        r.kernel.size -= k == 1 ? 8 : 0;
        expect_version_error(
            stn_kernel_run(exec, &kernel, STN_F64, STN_RANK_BROADCAST, NULL, of_u));
        expect_version_error(stn_reduce_run(exec, &r, STN_F64, -1, NULL, &result, of_x));
        expect_version_error(stn_reduce_into(exec, &r, STN_F64, -1, NULL, 0, &vu, of_x));
        expect_version_error(stn_scan_run(exec, &r, STN_F64, -1, NULL, 0, -1, &vu, NULL, of_x));
        expect_version_error(
            stn_reduce_parts(exec, &r, STN_F64, 0, STN_REDUCED_ALL, 0, &part, of_x));
        expect_version_error(stn_reduce_merge(&r, &part, &next));
        expect_version_error(stn_reduce_finish(&r, &part, &result));
    }
}

UNIT_TEST_WITH(fields_and_scalars_do_not_determine_extents, prepare, check_kept)
{
    static const char message[] =
        "no parameter of kind in, inout, out or masked determines the extents, and none are given";
    const int64_t extent = N;
    double one = -1;
    const stn_view scalar = wrap_view("one", f64(), &one, 0, NULL);
#define CHECK_EXTENTS(call) expect_error(call, STN_ERR_ARGUMENT, message)
    CHECK_EXTENTS(fields_only_run(exec, STN_F64, &vu));
    CHECK_EXTENTS(stencil_only_run(exec, STN_F64, &vx, &vu));
    CHECK_EXTENTS(scalars_only_run(exec, STN_F64, 1));
    CHECK_EXTENTS(gathered_reduce(exec, STN_F64, &result, &vu));
    CHECK_EXTENTS(gathered_reduce_into(exec, STN_F64, 0, &scalar, &vu));
    CHECK_EXTENTS(gathered_reduce_part(exec, STN_F64, 0, &part, &vu));
    CHECK_EXTENTS(gathered_sums_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &scalar, &vu));
    assert_int_equal(check_kept(NULL), 0);
    assert_true(one == -1);
    expect_ok(fields_only_run_over(exec, STN_F64, 1, &extent, &vu));
    assert_true(fields.u[0] == 7 && fields.u[5] == 7);
    prepare(NULL);
}

UNIT_TEST_WITH(ranks_and_extents_are_refused, prepare, check_kept)
{
    static const int64_t wide[] = {1, 299};
    expect_error(twice_run_over(exec, STN_F64, 5, NULL, &vu), STN_ERR_ARGUMENT,
                 "kernel twice: rank is 5, but extents is NULL");
    expect_error(twice_run_over(exec, STN_F64, 9, NULL, &vu), STN_ERR_ARGUMENT,
                 "rank 9 is out of range (0 to 8)");
    expect_error(twice_run_over(exec, STN_F64, -3, NULL, &vu), STN_ERR_ARGUMENT,
                 "rank -3 is out of range (0 to 8)");
    expect_error(twice_run_over(exec, STN_F64, 0, NULL, &vu), STN_ERR_SHAPE,
                 "y must have the extents that the kernel runs over, no dimensions: u (f64");
    expect_error(twice_run_over(exec, STN_F64, 2, wide, &vu), STN_ERR_SHAPE,
                 "y must have the extents that the kernel runs over, 1 x 299: u (f64");
    expect_error(total_reduce_over(exec, STN_F64, 1, NULL, &result, &vu), STN_ERR_ARGUMENT,
                 "kernel total: rank is 1, but extents is NULL");
    expect_error(total_reduce_into_over(exec, STN_F64, 1, NULL, 0, &vx, &vu), STN_ERR_ARGUMENT,
                 "rank is 1, but extents is NULL");
    expect_error(twice_run(NULL, STN_F64, NULL), STN_ERR_ARGUMENT, NULL);
}

UNIT_TEST_WITH(results_of_reductions_and_scans_are_refused, prepare, check_kept)
{
    const int64_t few = N - 1;
    double memory[N];
    const stn_view to = wrap_view("to", f64(), memory, 1, &few);
    const stn_view scalar = wrap_view("s", f64(), memory, 0, NULL);
    expect_error(total_reduce_part(exec, STN_F64, -2, &part, &vx), STN_ERR_ARGUMENT,
                 "kernel total: first is -2; it must be at least 0");
    expect_error(total_reduce(exec, (stn_format)9999, &result, &vx), STN_ERR_ARGUMENT,
                 "kernel total: arithmetic is format 9999; it must be f64");
    expect_error(total_reduce_into(exec, STN_F64, 0, &to, &vx), STN_ERR_SHAPE,
                 "kernel total: result must have extents 6: to (");
    expect_error(total_reduce_into(exec, STN_F64, 1, &to, &vx), STN_ERR_SHAPE,
                 "kernel total: result must have no dimensions: to (");
    expect_error(total_reduce_into(exec, STN_F64, 4, &to, &vx), STN_ERR_ARGUMENT,
                 "reduced is 0x4, but the kernel runs over 1 dimension; only bits of 0x1 are");
    expect_error(sums_scan_dimension(exec, STN_F64, STN_SCAN_INCLUSIVE, -2, &vu, &vx),
                 STN_ERR_ARGUMENT,
                 "the dimension to scan along is out of range: the views have rank 1");
    expect_error(sums_scan(exec, STN_F64, STN_SCAN_INCLUSIVE, &vnarrow, &scalar), STN_ERR_SHAPE,
                 "result must have no dimensions");
}

/* ---- results ---- */

/* A double, not only the half of it that is a float. */
UNIT_TEST(results_in_f32_arithmetic_are_whole_doubles)
{
    float values[] = {1.5f, -0.25f, 8.0f}, complex_values[] = {1.5f, -2.0f, 0.25f, 3.0f};
    const int64_t three = 3, two = 2;
    const stn_view x = wrap_view("x", stn_storage_of(STN_F32), values, 1, &three);
    const stn_view z = wrap_view("z", stn_storage_of(STN_C64), complex_values, 1, &two);
    double sum = -1.0, product = -1.0, of_part = -1.0;
    int64_t index = -1;
    stn_c128 complex_sum = {-1.0, -1.0};
    expect_ok(total_reduce(exec, STN_F32, &sum, &x));
    expect_ok(stn_dot(exec, STN_F32, &product, &x, &x));
    expect_ok(greatest_reduce(exec, STN_F32, &index, &x));
    expect_ok(complex_total_reduce(exec, STN_C64, &complex_sum, &z));
    expect_ok(total_reduce_part(exec, STN_F32, 0, &part, &x));
    expect_ok(total_reduce_finish(&part, &of_part));
    assert_true(sum == 9.25 && product == 66.3125 && index == 2 && of_part == 9.25);
    assert_true(complex_sum.re == 1.75 && complex_sum.im == 1.0);
}

STN_MAP(raise, (at(i), in(x), scatter(y, 1)), STN_MAX(y, x, i);)

/* Updates use the arithmetic of the kernel for one scale and for scales per element alike. */
UNIT_TEST(scales_of_elements_update_as_one_scale)
{
    enum { COUNT = 2000 };
    static float values[COUNT];
    static uint32_t codes[2][COUNT];
    static double factors[COUNT];
    static const int64_t extent = COUNT;
    const stn_scales scales = {
        .data = factors, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1}};
    const stn_view x = wrap_view("x", stn_storage_of(STN_F32), values, 1, &extent);
    stn_storage storage = stn_storage_of(STN_U32);
    storage.scale = 0.3;
    memset(codes, 0, sizeof codes);
    for (int k = 0; k < COUNT; k++) {
        values[k] = (float)k / 16;
        factors[k] = storage.scale;
    }
    for (int k = 0; k < 2; k++) {
        stn_view y = wrap_view("y", storage, codes[k], 1, &extent);
        if (k == 1)
            expect_ok(stn_view_set_scales(&y, &scales));
        expect_ok(raise_run(exec, STN_F32, &x, &y));
        stn_view_release(&y);
    }
    assert_memory_equal(codes[0], codes[1], sizeof codes[0]);
}

RUN_UNIT_TESTS_ON(exec, "reference", "threads:threads=2")
