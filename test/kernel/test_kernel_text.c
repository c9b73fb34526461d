/* Kernels from a text give the bits, and the errors, of the same text compiled by STN_MAP: every
 * construct, in every arithmetic, over formats with and without scales, on every executor;
 * stencils, gather and scatter inside, at borders and beyond, which neither reads nor writes. */
#define STN_KERNEL_CHECKED
#define STN_SHORT_NAMES
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel_oracle.h"
#include "make_view.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"

/* A kernel twice: compiled, and as a text. */
typedef struct twin {
    const stn_kernel *compiled;
    const char *parameters, *body;
    stn_kernel_class kernel_class;
} twin;

/* All of them, which add themselves before main. */
enum { MAX_TWINS = 100 };
static twin twins[MAX_TWINS];
static int twin_count;

#define TWIN(name, parameters, body, kernel_class)                                                 \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        twins[twin_count++] = (twin){&name##_kernel, parameters, body, kernel_class};              \
    }
#define REAL(name, parameters, ...)                                                                \
    STN_MAP(name, parameters, __VA_ARGS__)                                                         \
    TWIN(name, #parameters, #__VA_ARGS__, STN_KERNEL_REAL)
#define INTEGER(name, parameters, ...)                                                             \
    STN_MAP_INTEGER(name, parameters, __VA_ARGS__)                                                 \
    TWIN(name, #parameters, #__VA_ARGS__, STN_KERNEL_INTEGER)
#define COMPLEX(name, parameters, ...)                                                             \
    STN_MAP_COMPLEX(name, parameters, __VA_ARGS__)                                                 \
    TWIN(name, #parameters, #__VA_ARGS__, STN_KERNEL_COMPLEX)

#include "kernel/twins.h"

/* Kernels that read or write elements which this view does not have. */
static const char *const lacking[][2] = {
    {"beyond_line", "u"},         {"beyond_row", "u"},      {"beyond_column", "u"},
    {"beyond_middle", "w"},       {"beyond_all", "u"},      {"beyond_complex", "u"},
    {"beyond_integer", "u"},      {"outside_line", "u"},    {"outside_row", "u"},
    {"outside_column", "u"},      {"outside_index", "w"},   {"outside_put", "u"},
    {"outside_put_integer", "u"}, {"outside_complex", "u"}, {"outside_read_complex", "u"}};

static const char *view_lacking(const twin *t)
{
    for (int k = 0; k < COUNT_OF(lacking); k++)
        if (strcmp(lacking[k][0], t->compiled->name) == 0)
            return lacking[k][1];
    return NULL;
}

enum { MOST = STN_MAX_PARAMETERS, RANK = 4 };

/* ---- one launch of both ---- */

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

typedef struct shape {
    int rank;
    int64_t extent[RANK];
} shape;
/* Kernels without indices run over the first of them. */
static const shape shapes[] = {
    {1, {1}},          {1, {5}},           {1, {127}},     {1, {128}},      {1, {129}},
    {1, {300}},        {2, {3, 50}},       {0, {0}},       {3, {2, 3, 70}}, {1, {0}},
    {2, {1, 200}},     {2, {2, 131}},      {1, {2}},       {2, {1, 1}},     {2, {2, 3}},
    {2, {5, 131}},     {2, {40, 9}},       {3, {1, 1, 1}}, {3, {4, 6, 5}},  {3, {3, 5, 140}},
    {4, {1, 1, 1, 1}}, {4, {3, 2, 4, 130}}};
enum { WITHOUT_INDICES = 12 };

static stn_format arithmetic_of(stn_kernel_class kernel_class, int narrow)
{
    static const stn_format of[][2] = {{STN_F64, STN_F32}, {STN_I64, STN_I64}, {STN_C128, STN_C64}};
    return of[kernel_class][narrow];
}

static stn_format any_format(stn_kernel_class kernel_class, uint64_t *state)
{
    for (;;) {
        const stn_format format = (stn_format)below(state, STN_BUILTIN_FORMATS);
        const oracle_class kind = oracle_formats[format].kind;
        if (kernel_class == STN_KERNEL_COMPLEX   ? kind == ORACLE_COMPLEX
            : kernel_class == STN_KERNEL_INTEGER ? kind == ORACLE_INTEGER
                                                 : kind != ORACLE_COMPLEX)
            return format;
    }
}

static stn_storage any_storage(stn_kernel_class kernel_class, stn_format arithmetic,
                               uint64_t *state)
{
    const stn_format any = below(state, 2) ? arithmetic : any_format(kernel_class, state);
    /* whether a part is left alone may depend on the payload of the other, a NaN */
    const stn_format format = arithmetic == STN_C64 && any == STN_C128 ? STN_C64 : any;
    stn_storage storage = stn_storage_of(format);
    if (kernel_class == STN_KERNEL_REAL && below(state, 3))
        return order_target(arithmetic, format, state);
    storage.rounding = (stn_rounding)below(state, 3);
    storage.overflow = (stn_overflow)below(state, 4);
    storage.seed = order_next(state);
    return storage;
}

static kernel_array any_array(stn_storage storage, shape s, uint64_t *state)
{
    int64_t stride[RANK] = {0}, next = 1 + (below(state, 3) == 0);
    for (int d = s.rank - 1; d >= 0; d--) {
        stride[d] = next;
        next *= s.extent[d] > 1 ? s.extent[d] : 1;
    }
    return kernel_make(storage, s.rank, s.extent, stride, state);
}

typedef struct launch {
    int count; /* of parameters; those that are views have arrays */
    kernel_array arrays[MOST];
    uint8_t *before[MOST];
    stn_view views[MOST];
    stn_argument arguments[MOST];
} launch;

static void prepare(launch *now, const twin *t, shape s, stn_format arithmetic, uint64_t *state)
{
    stn_argument *next = now->arguments;
    now->count = t->compiled->count;
    for (int p = 0; p < now->count; p++) {
        const stn_parameter_kind kind = t->compiled->parameters[p].kind;
        now->before[p] = NULL;
        if (kind == STN_PARAMETER_REAL && t->kernel_class == STN_KERNEL_REAL)
            *next++ = (stn_argument){.real = 0.7};
        else if (kind == STN_PARAMETER_REAL && t->kernel_class == STN_KERNEL_COMPLEX)
            *next++ = (stn_argument){.complex_number = {0.6, -0.8}};
        else if (kind < STN_PARAMETER_AT)
            *next++ = (stn_argument){.bits = 0x4000000000000123};
        else if (kind >= STN_PARAMETER_IN) {
            now->arrays[p] = any_array(any_storage(t->kernel_class, arithmetic, state), s, state);
            now->before[p] = kernel_copy(&now->arrays[p]);
            now->views[p] = kernel_view(&now->arrays[p], "view");
            *next++ = (stn_argument){.view = &now->views[p]};
        }
    }
}

/* An error names the view that lacks an element. */
static void check_status(const twin *t, stn_status status)
{
    const char *const view = view_lacking(t);
    char begin[100], element[100];
    snprintf(begin, sizeof begin, "kernel %s: the body ", t->compiled->name);
    snprintf(element, sizeof element, " an element of %s ", view ? view : "");
    if (status != STN_OK &&
        (!view || status != STN_ERR_RANGE || strncmp(stn_error(), begin, strlen(begin)) != 0 ||
         !strstr(stn_error(), element)))
        fail_msg("%s", stn_error());
}

/* Both kernels on arrays with the same contents. Returns the status of both. */
static stn_status check_launch(const twin *t, const stn_kernel *text, int setting, shape s,
                               int is_narrow, uint64_t *state)
{
    const stn_format arithmetic = arithmetic_of(t->kernel_class, is_narrow);
    const stn_exec *const exec = order_use(setting);
    launch now;
    uint8_t *expected[MOST];
    char label[300], message[600];
    prepare(&now, t, s, arithmetic, state);
    int at = snprintf(label, sizeof label, "%s in %s on %s over %d x %d", t->compiled->name,
                      oracle_formats[arithmetic].name, order_setting_name(setting), s.rank,
                      s.rank ? (int)s.extent[s.rank - 1] : 1);
    const stn_status status =
        stn_kernel_run(exec, t->compiled, arithmetic, s.rank, s.extent, now.arguments);
    check_status(t, status);
    snprintf(message, sizeof message, "%s", stn_error());
    for (int p = 0; p < now.count; p++)
        if (now.before[p]) {
            at += snprintf(label + at, sizeof label - (size_t)at, " %s",
                           oracle_formats[now.arrays[p].storage.format].name);
            expected[p] = kernel_copy(&now.arrays[p]);
            memcpy(now.arrays[p].memory, now.before[p], (size_t)now.arrays[p].bytes);
        }
    const order_modes saved = order_begin();
    const stn_status found =
        stn_kernel_run(exec, text, arithmetic, s.rank, s.extent, now.arguments);
    order_end(found == status ? STN_OK : found, saved, label);
    if (found != status || (status != STN_OK && strcmp(stn_error(), message) != 0))
        fail_msg("%s: '%s', not '%s'", label, stn_error(), message);
    for (int p = 0; p < now.count; p++)
        if (now.before[p]) {
            kernel_check(&now.arrays[p], expected[p], label);
            free(now.before[p]);
            free(expected[p]);
            kernel_drop(&now.arrays[p]);
        }
    return status;
}

/* The kernel from the text; its parameters have parentheses. */
static stn_kernel *compile(const twin *t)
{
    char parameters[400];
    stn_kernel *kernel;
    snprintf(parameters, sizeof parameters, "%.*s", (int)strlen(t->parameters) - 2,
             t->parameters + 1);
    expect_ok(stn_kernel_compile(&kernel, t->compiled->name, parameters, t->body, t->kernel_class));
    return kernel;
}

/* Kernels that name indices run over their number of dimensions, others over a few shapes; those
 * with fields, over some element. */
static int is_candidate(const stn_kernel *kernel, int k)
{
    const shape *const s = &shapes[k];
    int has_indices = 0, is_one = 1;
    for (int p = 0; p < kernel->count; p++)
        if (kernel->parameters[p].kind == STN_PARAMETER_AT) {
            has_indices = 1;
            is_one &= kernel->parameters[p].rank == s->rank;
        } else if (kernel->parameters[p].kind >= STN_PARAMETER_SHIFTED) {
            is_one &= s->extent[0] > 0;
        }
    return is_one && (has_indices || k < WITHOUT_INDICES);
}

UNIT_TEST(test_twins)
{
    uint64_t state = 7;
    for (int t = 0; t < twin_count; t++) {
        stn_kernel *const text = compile(&twins[t]);
        int errors = 0;
        for (int round = 0; round < oracle_count(1, 2, 4); round++)
            for (int k = 0; k < COUNT_OF(shapes); k++)
                for (int setting = 0; setting < order_settings(); setting++)
                    if (is_candidate(text, k))
                        errors += check_launch(&twins[t], text, setting, shapes[k],
                                               (setting + k + round) % 2, &state) != STN_OK;
        assert_int_equal(errors > 0, view_lacking(&twins[t]) != NULL);
        stn_kernel_release(text);
    }
}

UNIT_TEST_WITH(test_twins_in_odd_modes, order_use_odd_modes, order_use_plain_modes)
{
    test_twins(NULL);
}

/* ---- elements outside of a view ---- */

enum { ROWS = 3, COLUMNS = 4, AROUND = 50 };

/* Run `body` for one element with u, the middle of an array of ones; w is read or written. */
static stn_status run_body(const char *parameters, const char *body, int64_t n, double *w,
                           double values[ROWS * COLUMNS + 2 * AROUND])
{
    static const int64_t extents[] = {ROWS, COLUMNS}, space[] = {1, 1};
    stn_kernel *kernel;
    for (int k = 0; k < ROWS * COLUMNS + 2 * AROUND; k++)
        values[k] = 1;
    *w = 7;
    expect_ok(stn_kernel_compile(&kernel, "k", parameters, body, STN_KERNEL_REAL));
    const stn_view vu = wrap_view("u", f64(), values + AROUND, 2, extents),
                   vw = wrap_view("w", f64(), w, 2, space);
    const stn_argument arguments[] = {{.index = n}, {.view = &vu}, {.view = &vw}};
    const stn_status status =
        stn_kernel_run(order_use(0), kernel, STN_F64, STN_RANK_BROADCAST, NULL, arguments);
    stn_kernel_release(kernel);
    return status;
}

/* Every index that is not one of the field's, in either dimension. */
UNIT_TEST(test_outside)
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
    for (int c = 0; c < COUNT_OF(cases); c++)
        for (int r = 0; r < COUNT_OF(rows); r++) {
            const stn_status status =
                run_body("index(n), scatter(u, 2), inout(w)", cases[c].body, rows[r], &w, values);
            if (status != STN_ERR_RANGE || w != cases[c].result)
                fail_msg("%s of %lld: status %d, w %g", cases[c].body, (long long)rows[r], status,
                         w);
            assert_non_null(
                strstr(stn_error(),
                       "kernel k: the body stores or reads an element of u outside its extents"));
            for (int k = 0; k < ROWS * COLUMNS + 2 * AROUND; k++)
                assert_true(values[k] == 1);
        }
}

/* Elements that a branch leaves out ask for nothing. */
UNIT_TEST(test_masked)
{
    static const char *const bodies[] = {
        "if (n < 3) { w = STN_AT(u, n, n); STN_PUT(u, 9, n, n); }",
        "w = n < 3 ? STN_AT(u, n, n) + STN_INDEX_AT(u, n, n) : 7;",
        "if (n >= 3) return; STN_PUT(u, 9, n, n); w = STN_INDEX_AT(u, n, n);",
        "if (n < 3 && STN_AT(u, n, 0) > 0) w = 3;",
    };
    double w, values[ROWS * COLUMNS + 2 * AROUND];
    for (int c = 0; c < COUNT_OF(bodies); c++) {
        expect_ok(run_body("index(n), scatter(u, 2), inout(w)", bodies[c], 1000, &w, values));
        assert_true(w == 7);
        expect_ok(run_body("index(n), scatter(u, 2), inout(w)", bodies[c], 2, &w, values));
        assert_true(w != 7);
    }
    expect_ok(run_body("index(n), stencil(u, nearest, 0, 1), inout(w)",
                       "if (n < 3) w = STN_AT(u, n, n);", 1000, &w, values));
    assert_true(w == 7);
    expect_error(run_body("index(n), stencil(u, nearest, 0, 1), inout(w)",
                          "STN_AT(u, n, 0); w = 3;", 1000, &w, values),
                 STN_ERR_RANGE, "kernel k: the body reads an element of u beyond its radius");
}

RUN_UNIT_TESTS(NULL, order_teardown)
