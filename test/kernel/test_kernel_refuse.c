/* What launches of kernels refuse: each error names kernel and parameter, and nothing is written.
 */
#include "measure/openmp.h"
#include "make_view.h"
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
STN_MAP(too_far, (at(i, j), stencil(u, nearest, 1, 1), out(v)), v = STN_AT(u, i - 1, j) + STN_AT(u, i, j + 2);)
STN_MAP(at_distance, (at(i, j), index(n), stencil(u, nearest, 1, 1), out(v)), v = STN_AT(u, i, j + n);)
STN_MAP(centered, (at(i, j), stencil(u, nearest, 1, 1), out(v)), v = STN_AT(u, i, j);)
STN_MAP(many_rows, (at(i, j, k), stencil(u, nearest, 8, 8, 1), out(v)), v = STN_AT(u, i, j, k);)
STN_MAP(long_rows, (at(i, j), stencil(u, nearest, 40, 30000), out(v)), v = STN_AT(u, i, j);)
STN_MAP(two_stencils, (at(i, j, k), stencil(u, inside, 1, 1, 1), stencil(w, inside, 0, 2, 0), masked(v)),
    STN_STORE(v, STN_AT(u, i, j, k) + STN_AT(w, i, j + 2, k));
)
STN_MAP(no_elements, (at(i, j), stencil(u, nearest, 1, 1), scatter(w, 2)), STN_PUT(w, STN_AT(u, i, j), i, j);)
STN_MAP_COMPLEX(near_complex, (at(i, j), stencil(u, nearest, 1, 1), inout(v)), v.re += STN_AT(u, i, j - 1).im;)
STN_MAP(two_ranks, (at(i), shifted(u, nearest, 1, 1), out(v)), v = u + (real_t)i;)
STN_MAP(next, (shifted(u, nearest, 1), out(v)), v = u;)
/* clang-format on */

enum { N = 200 };
static double memory[2][N], kept[2][N];
static stn_exec *exec;

static int prepare(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * N; k++)
        memory[k / N][k % N] = k;
    memcpy(kept, memory, sizeof memory);
    return 0;
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

UNIT_TEST_WITH(test_arguments, prepare, NULL)
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
            "kernel axpy: x is an empty view (not created, or released)", "");
    refused(axpy_run(exec, STN_F64, 1, &x, &constant), STN_ERR_ARGUMENT, "axpy", "y is read-only");
    refused(smooth_run(exec, STN_F64, NULL, &y), STN_ERR_ARGUMENT, "smooth", "u is NULL");
    refused(scatter_run(exec, STN_F64, &x, &constant), STN_ERR_ARGUMENT, "scatter",
            "u is read-only");
}

UNIT_TEST_WITH(test_arithmetic, prepare, NULL)
{
    const stn_view x = line(0, N), y = line(1, N);
    static const stn_format others[] = {STN_I64, STN_C128, STN_C64, STN_F16, STN_I8, -1, 9999};
    for (int k = 0; k < COUNT_OF(others); k++)
        refused(axpy_run(exec, others[k], 1, &x, &y), STN_ERR_ARGUMENT, "axpy", "arithmetic");
    refused(add_integers_run(exec, STN_F64, &x, &y), STN_ERR_ARGUMENT, "add_integers", "");
    refused(add_complex_run(exec, STN_F64, &x, &y), STN_ERR_ARGUMENT, "add_complex", "");
    refused(add_integers_run(exec, STN_I64, &x, &y), STN_ERR_UNSUPPORTED, "kernel add_integers: x",
            "f64");
    refused(add_complex_run(exec, STN_C128, &x, &y), STN_ERR_UNSUPPORTED, "kernel add_complex: x",
            "f64 cannot be used with arithmetic c128");
}

UNIT_TEST_WITH(test_formats, prepare, NULL)
{
    const int64_t count = N;
    const stn_view x = line(0, N), y = line(1, N);
    stn_view complex_x = view_of("complex", STN_C64, memory[0], 1, &count, NULL), unknown = x;
    unknown.storage.format = 9999;
    const stn_view complex_y = view_of("complex", STN_C64, memory[1], 1, &count, NULL);
    refused(axpy_run(exec, STN_F64, 1, &complex_x, &y), STN_ERR_UNSUPPORTED, "kernel axpy: x",
            "c64 cannot be used with arithmetic f64; it requires c128 or c64");
    refused(axpy_run(exec, STN_F64, 1, &x, &complex_y), STN_ERR_UNSUPPORTED, "kernel axpy: y",
            "c64 cannot be used with arithmetic f64");
    refused(axpy_run(exec, STN_F64, 1, &unknown, &y), STN_ERR_FORMAT, "kernel axpy: x", "9999");
    refused(smooth_run(exec, STN_F64, &complex_x, &y), STN_ERR_UNSUPPORTED, "kernel smooth: u",
            "c64 cannot be used with arithmetic f64");
}

/* Atomic views, and scales that the arithmetic cannot have. */
UNIT_TEST_WITH(test_kinds_of_views, prepare, NULL)
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

UNIT_TEST_WITH(test_shapes, prepare, NULL)
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
UNIT_TEST_WITH(test_ranks, prepare, NULL)
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

UNIT_TEST_WITH(test_too_many_elements, prepare, NULL)
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

UNIT_TEST_WITH(test_overlap, prepare, NULL)
{
    const int64_t count = 100, back = -1, square[] = {10, 10};
    const stn_view first = view_of("first", STN_F64, memory[0], 1, &count, NULL),
                   second = view_of("second", STN_F64, memory[0] + 50, 1, &count, NULL),
                   shifted = view_of("shifted", STN_F64, memory[0] + 1, 1, &count, NULL),
                   turned = view_of("turned", STN_F64, memory[0] + 99, 1, &count, &back),
                   narrow = view_of("narrow", STN_F32, memory[0], 1, &count, NULL),
                   one = view_of("one", STN_F64, memory[0] + 5, 0, NULL, NULL);
    const stn_view *const bad[] = {&second, &shifted, &turned, &narrow, &one};
    for (int k = 0; k < COUNT_OF(bad); k++)
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
    for (int k = 0; k < COUNT_OF(short_rows); k++)
        refused(axpy_run(exec, STN_F64, 1, short_rows[k], &rows), STN_ERR_ALIAS, "axpy",
                "y overlaps x");
}

UNIT_TEST_WITH(test_repeated_outputs, prepare, NULL)
{
    static const int64_t extent[] = {4, 5};
    static const int64_t strides[][2] = {{0, 1}, {1, 0}, {0, 0}, {1, 1}, {4, 1}, {-1, 1}, {2, 3}};
    const stn_view x = view_of("left", STN_F64, memory[0], 2, extent, NULL);
    for (int k = 0; k < COUNT_OF(strides); k++) {
        const stn_view y = view_of("right", STN_F64, memory[1] + 50, 2, extent, strides[k]);
        refused(axpy_run(exec, STN_F64, 1, &x, &y), STN_ERR_ALIAS, "axpy", "y repeats");
    }
}

UNIT_TEST_WITH(test_no_kernel, prepare, NULL)
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
UNIT_TEST_WITH(test_static_variables, prepare, NULL)
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
    for (int k = 0; k < COUNT_OF(variables); k++) {
        changed.text = variables[k];
        refused(stn_kernel_run(exec, &changed, STN_F64, STN_RANK_BROADCAST, NULL, arguments),
                STN_ERR_UNSUPPORTED, "kernel axpy: static variables of a body must be const", "");
    }
    for (int k = 0; k < COUNT_OF(constants); k++) {
        changed.text = constants[k];
        if (stn_kernel_run(exec, &changed, STN_F64, STN_RANK_BROADCAST, NULL, arguments) != STN_OK)
            fail_msg("%s: %s", constants[k], stn_error());
    }
}

/* ---- stencils and shifted parameters ---- */

/* Compilers refuse a negative radius in STN_MAP. */
static stn_status run_backwards(const stn_view *from, const stn_view *to)
{
    const stn_argument arguments[] = {{.view = from}, {.view = to}};
    stn_parameter parameters[3];
    stn_kernel kernel = centered_kernel;
    memcpy(parameters, centered_parameters, sizeof parameters);
    parameters[1].offset[1] = -1;
    kernel.parameters = parameters;
    return stn_kernel_run(exec, &kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments);
}

UNIT_TEST(test_stencils)
{
    static const int64_t extent[] = {3, 4}, solid[] = {2, 3, 2}, row[] = {4}, empty[] = {0, 4},
                         huge[] = {INT64_MAX / 2, 4};
    double u[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, v[12] = {0};
    const stn_view from = wrap_view("from", f64(), u, 2, extent),
                   to = wrap_view("to", f64(), v, 2, extent),
                   from_solid = wrap_view("from", f64(), u, 3, solid),
                   to_solid = wrap_view("to", f64(), v, 3, solid),
                   flat = wrap_view("flat", f64(), u, 1, row),
                   none = wrap_view("none", f64(), u, 2, empty);
    expect_error(too_far_run(exec, STN_F64, &from, &to), STN_ERR_RANGE, "beyond its radius 1 x");
    expect_error(at_distance_run(exec, STN_F64, 2, &from, &to), STN_ERR_RANGE, "beyond");
    expect_ok(at_distance_run(exec, STN_F64, 1, &from, &to));
    assert_true(v[0] == 2.0 && v[3] == 4.0 && v[11] == 12.0);
    expect_error(run_backwards(&from, &to), STN_ERR_ARGUMENT,
                 "kernel centered: the radius -1 of u is negative");
    expect_error(long_rows_run(exec, STN_F64, &from, &to), STN_ERR_UNSUPPORTED, "workspace");
    expect_error(many_rows_run(exec, STN_F64, &from_solid, &to_solid), STN_ERR_UNSUPPORTED, "rows");
    expect_error(two_stencils_run(exec, STN_F64, &from_solid, &from_solid, &from_solid),
                 STN_ERR_ALIAS, "overlaps");
    expect_error(too_far_run(exec, STN_F64, &flat, &to), STN_ERR_SHAPE, "has rank 2");
    expect_error(near_complex_run(exec, STN_F64, &from, &to), STN_ERR_ARGUMENT,
                 "arithmetic is f64; it must be c128 or c64");
    expect_error(two_stencils_run(NULL, STN_F64, &from_solid, &from_solid, &to_solid),
                 STN_ERR_ARGUMENT, "kernel two_stencils: exec is NULL");
    expect_error(at_distance_run(exec, STN_F64, 0, &none, &to), STN_ERR_SHAPE, "none");
    expect_ok(at_distance_run(exec, STN_F64, 0, &from, &none));
    expect_error(no_elements_run_over(exec, STN_F64, 1, row, &from, &to), STN_ERR_SHAPE,
                 "kernel no_elements has 2 indices, but runs over 1 dimension");
    expect_error(no_elements_run_over(exec, STN_F64, 2, huge, &from, &to), STN_ERR_RANGE,
                 "more than 2^63 - 1 elements");
    expect_ok(no_elements_run_over(exec, STN_F64, 2, extent, &from, &to));
    assert_memory_equal(u, v, sizeof u);
}

UNIT_TEST(test_shifted)
{
    static const int64_t extent[] = {3, 4}, flat = 12, none = 0;
    double x[12] = {0}, y[12] = {0};
    const stn_view x_line = wrap_view("line", f64(), x, 1, &flat),
                   empty = wrap_view("empty", f64(), x, 1, &none),
                   plane = wrap_view("plane", f64(), x, 2, extent),
                   other = wrap_view("other", f64(), y, 1, &flat);
    expect_error(two_ranks_run(exec, STN_F64, &plane, &other), STN_ERR_SHAPE,
                 "kernel two_ranks: u has 2 dimensions, but other parameters have 1");
    expect_error(next_run(exec, STN_F64, &plane, &other), STN_ERR_SHAPE,
                 "u has rank 1 in the kernel");
    expect_error(next_run(exec, STN_F64, &x_line, &x_line), STN_ERR_ALIAS, "v overlaps u");
    expect_error(next_run(exec, STN_F64, &empty, &other), STN_ERR_SHAPE, "u has no elements");
    expect_ok(next_run(exec, STN_F64, &x_line, &empty));
}

RUN_UNIT_TESTS_ON(exec, "reference", OPENMP ":threads=1", "threads:threads=2")
