/* Stencils, gather and scatter in kernels from a text: they give the bits of the same text compiled
 * by STN_MAP, at borders and inside; what is beyond a radius or outside of a view is reported and
 * neither read nor written. */
#define STN_KERNEL_CHECKED
#define STN_SHORT_NAMES
#include <stdio.h>
#include <stdlib.h>

#include "kernel_oracle.h"
#include "text_twin.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"
#include "check.h"

/* A kernel twice: compiled, and its words. */
typedef struct twin {
    const stn_kernel *compiled;
    const char *parameters, *body;
    stn_kernel_class kernel_class;
    int rank;
    const char *lacks; /* the field that lacks an element, or NULL */
} twin;

/* clang-format off */
#define REAL(name, rank, lacks, parameters, ...)                                                   \
    STN_MAP(name, parameters, __VA_ARGS__)                                                         \
    static const twin name##_twin = {&name##_kernel, #parameters, #__VA_ARGS__,                    \
                                      STN_KERNEL_REAL, rank, lacks};
#define INTEGER(name, rank, lacks, parameters, ...)                                                \
    STN_MAP_INTEGER(name, parameters, __VA_ARGS__)                                                 \
    static const twin name##_twin = {&name##_kernel, #parameters, #__VA_ARGS__,                    \
                                      STN_KERNEL_INTEGER, rank, lacks};
#define COMPLEX(name, rank, lacks, parameters, ...)                                                \
    STN_MAP_COMPLEX(name, parameters, __VA_ARGS__)                                                 \
    static const twin name##_twin = {&name##_kernel, #parameters, #__VA_ARGS__,                    \
                                      STN_KERNEL_COMPLEX, rank, lacks};

REAL(line, 1, NULL, (at(i), stencil(u, nearest, 3), out(v)),
    real_t sum = 0;
    for (int64_t a = -3; a <= 3; a++)
        sum = sum * R(0.75) + STN_AT(u, i + a);
    v = sum;
)
REAL(five_points, 2, NULL, (at(i, j), stencil(u, nearest, 1, 1), out(v)),
    v = R(0.5) * STN_AT(u, i, j) + R(0.125) * (STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j)
        + STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1));
)
REAL(wide_plane, 2, NULL, (at(i, j), stencil(u, nearest, 0x1, 2), in(x), inout(v)),
    real_t sum = x;
    for (int64_t a = -1; a <= 1; a++)
        for (int64_t b = -2; b <= 2; b++)
            sum = sum * R(0.75) + STN_AT(u, i + a, j + b);
    v = v + sum;
)
REAL(cube, 3, NULL, (at(i, j, k), stencil(u, nearest, 1, 2, 1), stencil(w, nearest, 0, 2, 0), masked(v)),
    if ((i + j + k) % 3 == 0)
        return;
    real_t sum = STN_AT(w, i, j + 2, k) - STN_AT(w, i, j - 2, k);
    for (int64_t a = -1; a <= 1; a++)
        for (int64_t b = -2; b <= 2; b++)
            for (int64_t c = -1; c <= 1; c++)
                sum = sum * R(0.75) + STN_AT(u, i + a, j + b, k + c);
    STN_STORE(v, sum);
)
REAL(four, 4, NULL, (at(i, j, k, l), stencil(u, nearest, 1, 0, 1, 1), out(v)),
    v = STN_AT(u, i - 1, j, k + 1, l) + R(2) * STN_AT(u, i + 1, j, k - 1, l - 1) - STN_AT(u, i, j, k, l + 1);
)
REAL(upwind, 2, NULL, (at(i, j), stencil(u, nearest, 1, 2), in(x), out(v)),
    const int64_t way = x > 0 ? -1 : 1;
    v = x * (STN_AT(u, i, j) - STN_AT(u, i, j + 2 * way)) + STN_AT(u, i + (j & 1), j);
    if (i > 0 && STN_AT(u, i - 1, j) > v)
        v = (real_t)STN_EXTENT_OF(u, 0) + 100 * (real_t)STN_EXTENT_OF(u, 1);
)
REAL(inner_points, 2, NULL, (at(i, j), stencil(u, inside, 1, 1), inout(v)),
    v = R(0.5) * STN_AT(u, i, j) + R(0.125) * (STN_AT(u, i - 1, j) + STN_AT(u, i, j + 1)) + v;
)
REAL(inner_cube, 3, NULL, (at(i, j, k), stencil(u, inside, 0, 1, 2), stencil(w, zero, 1, 0, 0), masked(v)),
    if ((i + j + k) % 3)
        STN_STORE(v, STN_AT(u, i, j - 1, k + 2) * STN_AT(w, i - 1, j, k));
)
REAL(near_and_far, 1, NULL, (at(i), stencil(u, nearest, 1), gather(w, 1), out(v)),
    v = STN_AT(u, i + 1) + STN_AT(w, STN_EXTENT_OF(w, 0) - 1 - i);
)
INTEGER(integers, 2, NULL, (at(i, j), stencil(u, nearest, 2, 1), out(v)),
    uint64_t sum = 0;
    for (int64_t a = -2; a <= 2; a++)
        for (int64_t b = -1; b <= 1; b++)
            sum = sum * 3 + (uint64_t)STN_AT(u, i + a, j + b);
    v = (real_t)(sum >> 60);
)
COMPLEX(complex_plane, 2, NULL, (at(i, j), stencil(u, nearest, 1, 1), inout(v)),
    for (int64_t a = -1; a <= 1; a++)
        for (int64_t b = -1; b <= 1; b++) {
            const real_t near = STN_AT(u, i + a, j + b);
            v.re = v.re / 2 + near.im;
            v.im = v.im - near.re;
        }
)
REAL(beyond_line, 1, "u", (at(i), stencil(u, nearest, 2), out(v)), v = STN_AT(u, i + 3) + STN_AT(u, i - 2);)
REAL(beyond_row, 2, "u", (at(i, j), stencil(u, nearest, 0, 3), in(x), out(v)), v = STN_AT(u, i - 1, j) + x;)
REAL(beyond_column, 2, "u", (at(i, j), stencil(u, nearest, 3, 0), in(x), out(v)), v = STN_AT(u, i, j - 1) + x;)
REAL(beyond_middle, 3, "w", (at(i, j, k), stencil(u, nearest, 1, 1, 1), stencil(w, nearest, 1, 0, 1), out(v)),
    v = STN_AT(u, i, j + 1, k) + STN_AT(w, i, j + 1, k);
)
REAL(beyond_all, 1, "u", (at(i), stencil(u, nearest, 1), out(v)),
    v = STN_AT(u, 0x7fffffffffffffff) + STN_AT(u, -0x7fffffffffffffff - 1);
)
COMPLEX(beyond_complex, 1, "u", (at(i), stencil(u, nearest, 0), inout(v)), v.re = STN_AT(u, i - 1).im;)
INTEGER(beyond_integer, 1, "u", (at(i), stencil(u, nearest, 0), out(v)), v = STN_AT(u, i + 1) + 5;)
REAL(outside_line, 1, "u", (at(i), gather(u, 1), out(v)), v = STN_AT(u, i + 1) + STN_AT(u, i - 1) + 1;)
REAL(outside_row, 2, "u", (at(i, j), gather(u, 2), in(x), out(v)), v = STN_AT(u, i, j + 1) + x;)
REAL(outside_column, 2, "u", (at(i, j), gather(u, 2), in(x), out(v)), v = STN_AT(u, i - 1, j) + x;)
REAL(outside_index, 1, "w", (at(i), gather(u, 1), gather(w, 1), out(v)),
    v = STN_AT(u, 0) + (real_t)STN_INDEX_AT(w, i - 1);
)
REAL(outside_put, 2, "u", (at(i, j), in(x), scatter(u, 2)), STN_PUT(u, x, i + 1, j - 1);)
INTEGER(outside_put_integer, 1, "u", (at(i), in(x), scatter(u, 1)), STN_PUT(u, x, i - 2);)
COMPLEX(outside_complex, 1, "u", (at(i), in(x), scatter(u, 1)), STN_PUT(u, x, i + 1);)
COMPLEX(outside_read_complex, 1, "u", (at(i), gather(u, 1), inout(v)), v = STN_AT(u, i + 1);)
/* clang-format on */

static const twin *const twins[] = {
    &line_twin,
    &five_points_twin,
    &wide_plane_twin,
    &cube_twin,
    &four_twin,
    &upwind_twin,
    &inner_points_twin,
    &inner_cube_twin,
    &near_and_far_twin,
    &integers_twin,
    &complex_plane_twin,
    &beyond_line_twin,
    &beyond_row_twin,
    &beyond_column_twin,
    &beyond_middle_twin,
    &beyond_all_twin,
    &beyond_complex_twin,
    &beyond_integer_twin,
    &outside_line_twin,
    &outside_row_twin,
    &outside_column_twin,
    &outside_index_twin,
    &outside_put_twin,
    &outside_put_integer_twin,
    &outside_complex_twin,
    &outside_read_complex_twin,
};
enum { TWINS = (int)(sizeof twins / sizeof *twins), VIEWS = 3, RANK = 4 };

static const int64_t shapes[][1 + RANK] = {
    {1, 1},         {1, 2},          {1, 129},          {1, 300},     {2, 1, 1},
    {2, 2, 3},      {2, 5, 131},     {2, 40, 9},        {3, 1, 1, 1}, {3, 4, 6, 5},
    {3, 3, 5, 140}, {4, 1, 1, 1, 1}, {4, 3, 2, 4, 130},
};

/* The arithmetic type, and formats that are narrower. */
static stn_storage storage_of(stn_kernel_class kernel_class, stn_format arithmetic, int which)
{
    static const stn_format real[] = {STN_F16, STN_I8}, integer[] = {STN_I8, STN_I16},
                            complex_ones[] = {STN_C64, STN_C128};
    const stn_format *const narrow = kernel_class == STN_KERNEL_REAL      ? real
                                     : kernel_class == STN_KERNEL_INTEGER ? integer
                                                                          : complex_ones;
    stn_storage storage = stn_storage_of(which ? narrow[which - 1] : arithmetic);
    if (storage.format == STN_I8 && kernel_class == STN_KERNEL_REAL)
        storage.scale = 0.25;
    return storage;
}

static uint8_t *copy_of(const kernel_array *array)
{
    uint8_t *copy = malloc((size_t)array->bytes + 1);
    assert_non_null(copy);
    memcpy(copy, array->memory, (size_t)array->bytes);
    return copy;
}

typedef struct trial {
    kernel_array arrays[VIEWS];
    stn_view views[VIEWS];
    uint8_t *before[VIEWS], *expected[VIEWS];
    stn_argument arguments[VIEWS];
    int count; /* of views, which are what follows the indices */
} trial;

static void begin(trial *now, const twin *t, const int64_t *shape, stn_format arithmetic, int which,
                  uint64_t *state)
{
    int64_t stride[RANK] = {0}, next = 1;
    for (int d = t->rank - 1; d >= 0; next *= shape[1 + d--])
        stride[d] = next;
    now->count = t->compiled->count - 1;
    for (int p = 0; p < now->count; p++) {
        const stn_storage storage = storage_of(t->kernel_class, arithmetic, (which + p) % 3);
        now->arrays[p] = kernel_make(storage, t->rank, shape + 1, stride, state);
        now->before[p] = copy_of(&now->arrays[p]);
        now->views[p] = kernel_view(&now->arrays[p], "view");
        now->arguments[p].view = &now->views[p];
    }
}

static void restore(trial *now)
{
    for (int p = 0; p < now->count; p++) {
        now->expected[p] = copy_of(&now->arrays[p]);
        memcpy(now->arrays[p].memory, now->before[p], (size_t)now->arrays[p].bytes);
    }
}

static void end(trial *now, const char *words)
{
    for (int p = 0; p < now->count; p++) {
        kernel_check(&now->arrays[p], now->expected[p], words);
        free(now->before[p]);
        free(now->expected[p]);
        kernel_drop(&now->arrays[p]);
    }
}

/* Has it no view that it could run over? */
static int needs_extents(const stn_kernel *kernel)
{
    for (int p = 0; p < kernel->count; p++)
        if (kernel->parameters[p].kind >= STN_PARAMETER_IN &&
            kernel->parameters[p].kind < STN_PARAMETER_SHIFTED)
            return 0;
    return 1;
}

/* Both kernels on arrays with the same contents. Returns the status of both. */
static stn_status check_launch(const twin *t, const stn_kernel *text, int setting,
                               const int64_t *shape, stn_format arithmetic, int which,
                               uint64_t *state)
{
    trial now;
    char words[200], sentence[600] = "";
    snprintf(words, sizeof words, "%s in %s on %s over %d x %d, formats %d", t->compiled->name,
             oracle_formats[arithmetic].name, order_setting_name(setting), t->rank,
             (int)shape[t->rank], which);
    begin(&now, t, shape, arithmetic, which, state);
    const int rank = needs_extents(text) ? t->rank : -1;
    const int64_t *const extents = rank < 0 ? NULL : shape + 1;
    const stn_exec *const exec = order_use(setting);
    const stn_status expected =
        stn_kernel_run(exec, t->compiled, arithmetic, rank, extents, now.arguments);
    if (expected != STN_OK)
        snprintf(sentence, sizeof sentence, "%s", stn_error());
    restore(&now);
    const stn_status found = stn_kernel_run(exec, text, arithmetic, rank, extents, now.arguments);
    if (found != expected)
        fail_msg("%s: status %d, not %d", words, found, expected);
    if (found != STN_OK)
        assert_string_equal(stn_error(), sentence);
    end(&now, words);
    return found;
}

/* Some launches of those that lack an element tell it, and only they. */
static void check_status(const twin *t, stn_status status, int *told)
{
    char words[100];
    snprintf(words, sizeof words, "kernel %s: the body reads an element of %s ", t->compiled->name,
             t->lacks ? t->lacks : "");
    if (status == STN_OK)
        return;
    if (!t->lacks || status != STN_ERR_RANGE || strncmp(stn_error(), words, strlen(words)) != 0)
        fail_msg("%s", stn_error());
    ++*told;
}

TEST_CASE(test_twins)
{
    static const stn_format of[][2] = {{STN_F64, STN_F32}, {STN_I64, STN_I64}, {STN_C128, STN_C64}};
    uint64_t state = 7;
    for (int t = 0; t < TWINS; t++) {
        stn_kernel *const text = text_twin(twins[t]->compiled, twins[t]->parameters, twins[t]->body,
                                           twins[t]->kernel_class);
        int told = 0;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (int n = 0; n < 3 * 2 * order_settings(); n++)
                if (shapes[s][0] == twins[t]->rank)
                    check_status(twins[t],
                                 check_launch(twins[t], text, n / 6, shapes[s],
                                              of[twins[t]->kernel_class][n / 3 % 2], n % 3, &state),
                                 &told);
        assert_int_equal(told > 0, twins[t]->lacks != NULL);
        stn_kernel_release(text);
    }
}

/* ---- by hand ---- */

enum { ROWS = 3, COLUMNS = 4, AROUND = 50 };

/* Run `body` for one element with u, the middle of an array of ones; w is read or written. */
static stn_status run_body(const char *parameters, const char *body, int64_t n, double *w,
                           double values[ROWS * COLUMNS + 2 * AROUND])
{
    static const int64_t extents[] = {ROWS, COLUMNS}, space[] = {1, 1};
    stn_kernel *kernel;
    stn_view vu, vw;
    for (int k = 0; k < ROWS * COLUMNS + 2 * AROUND; k++)
        values[k] = 1;
    *w = 7;
    expect_ok(stn_kernel_compile(&kernel, "k", parameters, body, STN_KERNEL_REAL));
    expect_ok(stn_view_wrap(&vu, "u", stn_storage_of(STN_F64), values + AROUND, 2, extents));
    expect_ok(stn_view_wrap(&vw, "w", stn_storage_of(STN_F64), w, 2, space));
    const stn_argument arguments[] = {{.index = n}, {.view = &vu}, {.view = &vw}};
    const stn_status status =
        stn_kernel_run(order_use(0), kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments);
    stn_kernel_release(kernel);
    return status;
}

/* Every index that is not one of the field's, in either dimension. */
TEST_CASE(test_outside)
{
    static const int64_t rows[] = {-1, ROWS, 40, -40, INT64_MAX, INT64_MIN, INT64_C(1) << 61};
    static const struct {
        const char *body;
        double result;
    } cases[] = {
        {"w = STN_AT(u, n, 1) + 5;", 5},
        {"w = STN_AT(u, 1, n + (n == 3)) + 5;", 5},
        {"w = (real_t)STN_INDEX_AT(u, n, 0) + 6;", 6},
        {"STN_PUT(u, 9, n, 0);", 7},
        {"STN_PUT(u, 9, 0, n + (n == 3));", 7},
        {"STN_AT(u, n, 1); (void)w;", 7},
    };
    double w, values[ROWS * COLUMNS + 2 * AROUND];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            const stn_status status =
                run_body("index(n), scatter(u, 2), inout(w)", cases[c].body, rows[r], &w, values);
            if (status != STN_ERR_RANGE || w != cases[c].result)
                fail_msg("%s of %lld: status %d, w %g", cases[c].body, (long long)rows[r], status,
                         w);
            assert_non_null(strstr(stn_error(),
                                   "kernel k: the body reads an element of u outside its extents"));
            for (int k = 0; k < ROWS * COLUMNS + 2 * AROUND; k++)
                assert_true(values[k] == 1);
        }
}

/* Elements that a branch leaves out ask for nothing. */
TEST_CASE(test_masked)
{
    static const char *const bodies[] = {
        "if (n < 3) { w = STN_AT(u, n, n); STN_PUT(u, 9, n, n); }",
        "w = n < 3 ? STN_AT(u, n, n) + STN_INDEX_AT(u, n, n) : 7;",
        "if (n >= 3) return; STN_PUT(u, 9, n, n); w = STN_INDEX_AT(u, n, n);",
        "if (n < 3 && STN_AT(u, n, 0) > 0) w = 3;",
    };
    double w, values[ROWS * COLUMNS + 2 * AROUND];
    for (size_t c = 0; c < sizeof bodies / sizeof *bodies; c++) {
        expect_ok(run_body("index(n), scatter(u, 2), inout(w)", bodies[c], 1000, &w, values));
        assert_true(w == 7);
        expect_ok(run_body("index(n), scatter(u, 2), inout(w)", bodies[c], 2, &w, values));
        assert_true(w != 7);
    }
    expect_ok(run_body("index(n), stencil(u, nearest, 0, 1), inout(w)",
                       "if (n < 3) w = STN_AT(u, n, n);", 1000, &w, values));
    assert_true(w == 7);
    assert_int_equal(run_body("index(n), stencil(u, nearest, 0, 1), inout(w)",
                              "STN_AT(u, n, 0); w = 3;", 1000, &w, values),
                     STN_ERR_RANGE);
    assert_non_null(
        strstr(stn_error(), "kernel k: the body reads an element of u beyond its radius"));
}

/* ---- what is refused ---- */

static void refused(const char *parameters, const char *body, const char *sentence)
{
    stn_kernel *kernel;
    assert_int_equal(stn_kernel_compile(&kernel, "k", parameters, body, STN_KERNEL_REAL),
                     STN_ERR_PARSE);
    assert_string_equal(stn_error(), sentence);
    assert_null(kernel);
}

#define A_RADIUS "a radius must be an integer from 0 to 2147483647"
TEST_CASE(test_words)
{
    static const char near[] = "at(i, j), stencil(u, nearest, 1, 1), out(w)";
    stn_kernel *kernel;
    refused("stencil(u, nearest, )", "", "kernel k, parameters 1:21: " A_RADIUS);
    refused("out(w),\n stencil(u, zero, r)", "", "kernel k, parameters 2:19: " A_RADIUS);
    refused("stencil(u, zero, -1)", "", "kernel k, parameters 1:18: " A_RADIUS);
    refused("stencil(u, zero, 1.5)", "", "kernel k, parameters 1:18: " A_RADIUS);
    refused("stencil(u, zero, 1, 2147483648)", "", "kernel k, parameters 1:21: " A_RADIUS);
    refused("stencil(u, zero, 1x)", "", "kernel k, parameters 1:18: 1x is not a number");
    refused("stencil(u, zero, 1, 1, 1, 1, 1)", "",
            "kernel k, parameters 1:30: more than four dimensions");
    refused("stencil(u, zero, 1 1)", "", "kernel k, parameters 1:20: ')' is missing before '1'");
    refused("in(u, 1)", "", "kernel k, parameters 1:5: ')' is missing before ','");
    refused(near, "w = STN_AT(u, i);",
            "kernel k, 1:16: fewer indices than the view has dimensions");
    refused(near, "w = STN_AT(u, i, j, k);",
            "kernel k, 1:19: more indices than the view has dimensions");
    refused(near, "w = STN_AT(u);", "kernel k, 1:13: an index is missing");
    refused(near, "STN_PUT(u, w, i, j);",
            "kernel k, 1:9: 'u' is a stencil, which only STN_AT reads");
    refused(near, "w = STN_INDEX_AT(u, i, j);",
            "kernel k, 1:18: 'u' is a stencil, which only STN_AT reads");
    refused(near, "w = u;", "kernel k, 1:5: 'u' must be indexed by STN_AT(...)");
    expect_ok(stn_kernel_compile(&kernel, "k", "stencil(u, zero, 0, 0x7fffffff), at(i, j), out(w)",
                                 "w = STN_AT(u, i, j);", STN_KERNEL_REAL));
    assert_int_equal(kernel->parameters[0].kind, STN_PARAMETER_STENCIL);
    assert_int_equal(kernel->parameters[0].rank, 2);
    assert_int_equal(kernel->parameters[0].offset[0], 0);
    assert_int_equal(kernel->parameters[0].offset[1], INT32_MAX);
    assert_int_equal(kernel->parameters[1].rank, 2);
    stn_kernel_release(kernel);
}

RUN_TESTS(NULL, order_teardown, UNIT(test_twins),
          cmocka_unit_test_setup_teardown(test_twins, order_use_odd_modes, order_use_plain_modes),
          UNIT(test_outside), UNIT(test_masked), UNIT(test_words))
