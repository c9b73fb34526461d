/* What launches of kernels refuse: each error names kernel and parameter, and nothing is written.
 */
#include "make_view.h"
#include "order_oracle.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)),
    y = alpha * x + y;
)
STN_MAP(double_out, (in(x), out(y), out(z)),
    y = x;
    z = x;
)
STN_MAP(twice_named, (at(i), at(j), out(y)), y = (real_t)(i + j);)
STN_MAP(smooth, (at(i), gather(u, 1), out(y)),
    y = STN_AT(u, i);
)
STN_MAP(scatter, (at(i), in(x), scatter(u, 1)),
    STN_PUT(u, x, i);
)
STN_MAP(nested, (at(i), gather(u, 2), gather(places, 1), out(y)),
    y = STN_AT(u, STN_INDEX_AT(places, i), (i + 1) % 4);
)
STN_MAP_INTEGER(add_integers, (in(x), inout(y)),
    y = x + y;
)
STN_MAP_COMPLEX(add_complex, (in(x), inout(y)),
    y.re += x.re;
)
/* clang-format on */

enum { N = 200 };
static double memory[2][N], kept[2][N];
static const stn_exec *exec;

static void fill(void)
{
    for (int k = 0; k < 2 * N; k++)
        memory[k / N][k % N] = k;
    memcpy(kept, memory, sizeof memory);
}

static void refused(stn_status status, stn_status expected, const char *words, const char *more)
{
    if (status != expected)
        fail_msg("%s, not %s: %s", stn_status_name(status), stn_status_name(expected), stn_error());
    if (!strstr(stn_error(), words) || !strstr(stn_error(), more))
        fail_msg("'%s' does not name '%s' and '%s'", stn_error(), words, more);
    assert_memory_equal(memory, kept, sizeof memory);
}

static stn_view view_of(const char *label, stn_format format, void *data, int rank,
                        const int64_t *extents, const int64_t *strides)
{
    const stn_view view = wrap_strided(label, stn_storage_of(format), data, rank, extents, strides);
    return view;
}

static stn_view line(int which, int64_t count)
{
    return view_of(which ? "right" : "left", STN_F64, memory[which], 1, &count, NULL);
}

TEST_CASE(test_arguments)
{
    const stn_view x = line(0, N), y = line(1, N);
    stn_view none;
    memset(&none, 0, sizeof none);
    stn_view constant = y;
    constant.read_only = 1;
    refused(axpy_run(NULL, STN_F64, 1, &x, &y), STN_ERR_ARGUMENT, "axpy", "");
    refused(twice_named_run(exec, STN_F64, &y), STN_ERR_ARGUMENT, "twice_named", "at(i, j)");
    refused(axpy_run(exec, STN_F64, 1, NULL, &y), STN_ERR_ARGUMENT, "axpy", "x is NULL");
    refused(axpy_run(exec, STN_F64, 1, &x, NULL), STN_ERR_ARGUMENT, "axpy", "y is NULL");
    refused(axpy_run(exec, STN_F64, 1, &none, &y), STN_ERR_ARGUMENT,
            "kernel axpy: x is a view of nothing", "");
    refused(axpy_run(exec, STN_F64, 1, &x, &constant), STN_ERR_ARGUMENT, "axpy", "y is read-only");
    refused(smooth_run(exec, STN_F64, NULL, &y), STN_ERR_ARGUMENT, "smooth", "u is NULL");
    refused(scatter_run(exec, STN_F64, &x, &constant), STN_ERR_ARGUMENT, "scatter",
            "u is read-only");
}

TEST_CASE(test_arithmetic)
{
    const stn_view x = line(0, N), y = line(1, N);
    static const stn_format others[] = {STN_I64, STN_C128, STN_C64, STN_F16, STN_I8, -1, 9999};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        refused(axpy_run(exec, others[k], 1, &x, &y), STN_ERR_ARGUMENT, "axpy", "arithmetic");
    refused(add_integers_run(exec, STN_F64, &x, &y), STN_ERR_ARGUMENT, "add_integers", "");
    refused(add_complex_run(exec, STN_F64, &x, &y), STN_ERR_ARGUMENT, "add_complex", "");
    refused(add_integers_run(exec, STN_I64, &x, &y), STN_ERR_UNSUPPORTED, "kernel add_integers: x",
            "f64");
    refused(add_complex_run(exec, STN_C128, &x, &y), STN_ERR_UNSUPPORTED, "kernel add_complex: x",
            "f64 cannot be used with arithmetic c128");
}

TEST_CASE(test_formats)
{
    const int64_t count = N;
    const stn_view x = line(0, N), y = line(1, N);
    stn_view complex_x = view_of("complex", STN_C64, memory[0], 1, &count, NULL), unknown = x;
    unknown.storage.format = 9999;
    const stn_view complex_y = view_of("complex", STN_C64, memory[1], 1, &count, NULL);
    refused(axpy_run(exec, STN_F64, 1, &complex_x, &y), STN_ERR_UNSUPPORTED, "kernel axpy: x",
            "c64 cannot be used with arithmetic f64");
    refused(axpy_run(exec, STN_F64, 1, &x, &complex_y), STN_ERR_UNSUPPORTED, "kernel axpy: y",
            "c64 cannot be used with arithmetic f64");
    refused(axpy_run(exec, STN_F64, 1, &unknown, &y), STN_ERR_FORMAT, "kernel axpy: x", "9999");
    refused(smooth_run(exec, STN_F64, &complex_x, &y), STN_ERR_UNSUPPORTED, "kernel smooth: u",
            "c64 cannot be used with arithmetic f64");
}

/* Atomic views, and scales that the arithmetic cannot have. */
TEST_CASE(test_kinds_of_views)
{
    const int64_t square[] = {4, 4};
    const stn_view y = view_of("right", STN_F64, memory[1], 2, square, NULL);
    double factors[] = {1, 2, 1e300, 4};
    const stn_scales scales = {
        .data = factors, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    stn_view scaled = view_of("scaled", STN_F64, memory[0], 2, square, NULL),
             whole = view_of("whole", STN_I64, memory[0], 2, square, NULL),
             atomic = view_of("atomic", STN_F64, memory[0], 2, square, NULL);
    const stn_view integers = view_of("integers", STN_I64, memory[1], 2, square, NULL);
    expect_ok(stn_view_set_scales(&scaled, &scales));
    expect_ok(stn_view_set_scales(&whole, &scales));
    expect_ok(stn_view_set_traits(&atomic, STN_TRAIT_ATOMIC));
    expect_ok(axpy_run(exec, STN_F64, 0, &scaled, &y));
    refused(axpy_run(exec, STN_F32, 1, &scaled, &y), STN_ERR_ARGUMENT,
            "kernel axpy: x: ", "is 0 or infinite in f32 arithmetic");
    refused(add_integers_run(exec, STN_I64, &whole, &integers), STN_ERR_UNSUPPORTED,
            "kernel add_integers: x: ", "in i64 arithmetic it must be 1");
    factors[2] = 0;
    refused(axpy_run(exec, STN_F64, 1, &scaled, &y), STN_ERR_ARGUMENT,
            "kernel axpy: x: ", "must be finite and not 0");
    refused(axpy_run(exec, STN_F64, 1, &atomic, &y), STN_ERR_UNSUPPORTED,
            "kernel axpy: x: ", "is atomic");
}

TEST_CASE(test_shapes)
{
    const int64_t wide[] = {10, 20}, tall[] = {20, 10}, thin[] = {10, 1};
    const stn_view x = view_of("left", STN_F64, memory[0], 2, wide, NULL),
                   turned = view_of("right", STN_F64, memory[1], 2, tall, NULL),
                   column = view_of("right", STN_F64, memory[1], 2, thin, NULL), row = line(1, 20),
                   y = view_of("right", STN_F64, memory[1], 2, wide, NULL);
    refused(axpy_run(exec, STN_F64, 1, &x, &turned), STN_ERR_SHAPE, "axpy", "y");
    refused(axpy_run(exec, STN_F64, 1, &x, &column), STN_ERR_SHAPE, "axpy", "y");
    refused(axpy_run(exec, STN_F64, 1, &x, &row), STN_ERR_SHAPE, "axpy", "y");
    refused(axpy_run_over(exec, STN_F64, 1, wide, 1, &x, &y), STN_ERR_SHAPE, "axpy", "x");
    refused(axpy_run_over(exec, STN_F64, 2, tall, 1, &x, &y), STN_ERR_SHAPE, "axpy", "x");
    refused(axpy_run_over(exec, STN_F64, 9, tall, 1, &x, &y), STN_ERR_ARGUMENT, "axpy", "rank 9");
    refused(axpy_run_over(exec, STN_F64, -2, tall, 1, &x, &y), STN_ERR_ARGUMENT, "axpy", "rank");
    refused(axpy_run_over(exec, STN_F64, 2, (const int64_t[]){-1, 20}, 1, &x, &y), STN_ERR_SHAPE,
            "axpy", "negative");
}

/* The view has as many dimensions as the parameter says. */
TEST_CASE(test_ranks)
{
    const int64_t square[] = {4, 4}, cube[] = {2, 2, 4};
    const stn_view row = line(0, 4), y = line(1, 4);
    const stn_view matrix = view_of("matrix", STN_F64, memory[0], 2, square, NULL);
    const stn_view block = view_of("block", STN_F64, memory[0], 3, cube, NULL);
    const char *const words = "u has rank ";
    refused(smooth_run(exec, STN_F64, &matrix, &y), STN_ERR_SHAPE, "smooth", words);
    refused(scatter_run(exec, STN_F64, &row, &matrix), STN_ERR_SHAPE, "scatter", words);
    refused(nested_run(exec, STN_F64, &row, &row, &y), STN_ERR_SHAPE, "nested", words);
    refused(nested_run(exec, STN_F64, &block, &row, &y), STN_ERR_SHAPE, "nested", words);
    refused(nested_run(exec, STN_F64, &matrix, &matrix, &y), STN_ERR_SHAPE, "nested",
            "places has rank 1 in the kernel: matrix");
    memset(memory[0], 0, sizeof memory[0]);
    expect_ok(nested_run(exec, STN_F64, &matrix, &row, &y));
}

TEST_CASE(test_too_many_elements)
{
    const int64_t many[] = {INT64_MAX / 2, 3}, three = 3, far[] = {INT64_MAX / 2, 1};
    const stn_view u = line(0, 3);
    const stn_view wide = view_of("left", STN_F64, memory[0], 2, far, (const int64_t[]){0, 1}),
                   long_one = view_of("right", STN_F64, memory[1], 1, &three, NULL);
    refused(axpy_run(exec, STN_F64, 1, &wide, &long_one), STN_ERR_RANGE, "axpy",
            "more than 2^63 - 1 elements");
    refused(axpy_run_over(exec, STN_F64, 2, many, 1, &u, &u), STN_ERR_RANGE, "axpy",
            "more than 2^63 - 1 elements");
}

TEST_CASE(test_overlap)
{
    const int64_t count = 100, back = -1, square[] = {10, 10};
    const stn_view first = view_of("first", STN_F64, memory[0], 1, &count, NULL),
                   second = view_of("second", STN_F64, memory[0] + 50, 1, &count, NULL),
                   shifted = view_of("shifted", STN_F64, memory[0] + 1, 1, &count, NULL),
                   turned = view_of("turned", STN_F64, memory[0] + 99, 1, &count, &back),
                   narrow = view_of("narrow", STN_F32, memory[0], 1, &count, NULL),
                   one = view_of("one", STN_F64, memory[0] + 5, 0, NULL, NULL);
    const stn_view *const bad[] = {&second, &shifted, &turned, &narrow, &one};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        refused(axpy_run(exec, STN_F64, 1, bad[k], &first), STN_ERR_ALIAS, "axpy", "y overlaps x");
    refused(smooth_run(exec, STN_F64, &first, &first), STN_ERR_ALIAS, "smooth", "overlaps u");
    refused(scatter_run(exec, STN_F64, &first, &first), STN_ERR_ALIAS, "scatter", "u overlaps x");
    const stn_view x = line(1, count);
    refused(double_out_run(exec, STN_F64, &x, &first, &first), STN_ERR_ALIAS, "double_out",
            "overlaps");
    const stn_view matrix = view_of("matrix", STN_F64, memory[0], 2, square, NULL),
                   transposed = view_of("transposed", STN_F64, memory[0], 2, square,
                                        (const int64_t[]){1, 10});
    refused(axpy_run(exec, STN_F64, 1, &transposed, &matrix), STN_ERR_ALIAS, "axpy", "overlaps");
    const int64_t few[] = {7, 5}, apart[] = {6, 1}, repeats[] = {0, 1}, wide[] = {9, 2};
    const stn_view rows = view_of("rows", STN_F64, memory[0], 2, few, NULL),
                   spread = view_of("spread", STN_F64, memory[0], 2, few, apart),
                   row = view_of("row", STN_F64, memory[0], 1, few + 1, NULL),
                   one_row = view_of("one row", STN_F64, memory[0], 2, few, repeats),
                   sparse = view_of("sparse", STN_F64, memory[0], 2, few, wide);
    const stn_view *const short_rows[] = {&spread, &row, &one_row, &sparse};
    for (size_t k = 0; k < sizeof short_rows / sizeof *short_rows; k++)
        refused(axpy_run(exec, STN_F64, 1, short_rows[k], &rows), STN_ERR_ALIAS, "axpy",
                "y overlaps x");
}

TEST_CASE(test_repeated_outputs)
{
    static const int64_t extent[] = {4, 5};
    static const int64_t strides[][2] = {{0, 1}, {1, 0}, {0, 0}, {1, 1}, {4, 1}, {-1, 1}, {2, 3}};
    const stn_view x = view_of("left", STN_F64, memory[0], 2, extent, NULL);
    for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
        const stn_view y = view_of("right", STN_F64, memory[1] + 50, 2, extent, strides[k]);
        refused(axpy_run(exec, STN_F64, 1, &x, &y), STN_ERR_ALIAS, "axpy", "y repeats");
    }
}

TEST_CASE(test_no_kernel)
{
    stn_argument arguments[3];
    stn_kernel other = axpy_kernel;
    memset(arguments, 0, sizeof arguments);
    other.size = 8;
    refused(stn_kernel_run(exec, NULL, STN_F64, STN_RANK_BROADCAST, NULL, arguments),
            STN_ERR_ARGUMENT, "kernel", "");
    refused(stn_kernel_run(exec, &other, STN_F64, STN_RANK_BROADCAST, NULL, arguments),
            STN_ERR_UNSUPPORTED, "kernel", "headers of another version");
    refused(stn_kernel_run(exec, &axpy_kernel, STN_F64, STN_RANK_BROADCAST, NULL, NULL),
            STN_ERR_ARGUMENT, "axpy", "arguments");
}

/* Compilers refuse most such bodies: the text of a kernel is replaced. */
TEST_CASE(test_static_variables)
{
    static const char *const variables[] = {
        "static int n; n++; y = n;",
        "{static real_t a[3] = {1, 2, 3}; y = a[0];}",
        "const real_t f = 3; static const int k = 3; static int n = 1; y = f + k + n;",
        "static const double *p = 0; y = p != 0;",
        "real_t t; const int k = 2;static struct { int a; } s; y = t + k + s.a;",
        "/* static const */ static /* const */ int n; y = n;",
        "struct pair { int a; }; static pair p; y = p.a;",
        "struct f { static int next() { static int n; return n++; } }; y = f::next();",
        "y = 10'000 + '\"'; static int n = 0; y = n++;",
        "/*/ static const */ static auto f = [] { return 1; }; y = f();",
        "constexpr int one = 1; static const int *p = &one; y = *p;",
        "if (x > 0) {y = 1;} static int n"};
    static const char *const constants[] = {
        "const real_t static_pressure = 3; nonstatic = 4; y = x;",
        "static const double t[3] = {1, 2, 3}, *const p = t; y = t[0];",
        "const static double t[3] = {1, 2, 3}; y = t[0];",
        "static double const t[3] = {1, 2, 3}; y = t[0];",
        "static const double *const p = 0; y = p != 0;",
        "/* static int n; */ y = 1; // static int n;",
        "static constexpr const char *a = \"static int n;\"; y = *a;",
        "static_assert(sizeof(real_t) > 1, \"static int n;\"); y = x;",
        "struct f : g { static int one() { return 1; } static real_t two(); }; y = f::one();",
        "const real_t static a = 1; constexpr static const char *p = 0; y = a + (p != 0);",
        "real_t f(const real_t a[static 3]); y = f(0);",
        "y = sizeof \"static \\\"int n;\" + '\"' + sizeof \"static int n;\";"};
    const stn_view x = line(0, N), y = line(1, N);
    const stn_argument arguments[] = {{.real = 1}, {.view = &x}, {.view = &y}};
    stn_kernel changed = axpy_kernel;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        changed.text = variables[k];
        refused(stn_kernel_run(exec, &changed, STN_F64, STN_RANK_BROADCAST, NULL, arguments),
                STN_ERR_UNSUPPORTED, "kernel axpy: static variables of a body must be const", "");
    }
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
        changed.text = constants[k];
        if (stn_kernel_run(exec, &changed, STN_F64, STN_RANK_BROADCAST, NULL, arguments) != STN_OK)
            fail_msg("%s: %s", constants[k], stn_error());
    }
}

static int each_executor(void **context)
{
    exec = order_use(*(int *)*context);
    fill();
    return 0;
}

int main(void)
{
    int setting;
    int failed = 0;
    for (setting = 0; setting < 3; setting++) {
#define WITH_EXECUTOR(test)                                                                        \
    cmocka_unit_test_prestate_setup_teardown(test, each_executor, NULL, &setting)
        const struct CMUnitTest tests[] = {
            WITH_EXECUTOR(test_arguments),
            WITH_EXECUTOR(test_arithmetic),
            WITH_EXECUTOR(test_formats),
            WITH_EXECUTOR(test_kinds_of_views),
            WITH_EXECUTOR(test_shapes),
            WITH_EXECUTOR(test_ranks),
            WITH_EXECUTOR(test_too_many_elements),
            WITH_EXECUTOR(test_overlap),
            WITH_EXECUTOR(test_repeated_outputs),
            WITH_EXECUTOR(test_no_kernel),
            WITH_EXECUTOR(test_static_variables),
        };
        failed += cmocka_run_group_tests_name("kernel_refuse", tests, NULL, NULL);
    }
    order_release_executors();
    return failed;
}
