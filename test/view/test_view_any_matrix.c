/* Operations take views of every format in every layout, under scales per row, column and block,
 * and give the bits of the same data in layout right. The expected result: elements are found by
 * their indices, decoded one by one under a scale that is looked up here, and calculated as plain
 * views of the arithmetic type by the reference executor; results are encoded one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "any_view.h"
#include "core/cpu.h"
#include "exec.h"
#include "order_oracle.h"
#include "matrix.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/sparse.h"

enum { RANK = 3, VIEWS = 3 };

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)),
    y = alpha * x + y;
)
STN_MAP(where_1, (at(i), in(x), out(y)), y = x + (real_t)(100 * i);)
STN_MAP(where_2, (at(i, j), in(x), out(y)), y = x + (real_t)(100 * i + 10 * j);)
STN_MAP(where_3, (at(i, j, k), in(x), out(y)), y = x + (real_t)(100 * i + 10 * j + k);)
STN_MAP(keep, (in(x), in(w), out(y)),
    if (x > w)
        y = x;
)
STN_MAP(some, (in(x), in(w), masked(y)),
    if (x > w)
        STN_STORE(y, x + w);
)
STN_MAP(turn, (at(i, j), in(x), gather(u, 2), scatter(v, 2)),
    STN_PUT(v, STN_AT(u, i, j) + x, i, j);
)
STN_MAP(cross, (at(i, j), stencil(u, nearest, 1, 2), out(v)),
    v = STN_AT(u, i - 1, j) + STN_AT(u, i + 1, j) - STN_AT(u, i, j - 2) * STN_AT(u, i, j + 1);
)
STN_MAP(moved, (shifted(u, periodic, 1, -2), shifted(w, zero, -1, 1), out(v)),
    v = u - 2 * w;
)
STN_MAP_INTEGER(indexed, (at(i, j), gather(n, 2), out(y)),
    y = STN_INDEX_AT(n, i, j);
)
STN_MAP_INTEGER(whole_axpy, (in(x), inout(y)),
    y = 3 * x + y;
)
STN_MAP_COMPLEX(complex_axpy, (real(a), in(x), inout(y)),
    y.re += a.re * x.re - a.im * x.im;
    y.im += a.re * x.im + a.im * x.re;
)
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(product_of, products, (in(x), in(y)), x, y)
STN_REDUCE(length, norm2, (in(x)), x)
STN_REDUCE(least, argmin, (in(x)), x)
STN_SCAN(running, sum, (in(x)), x)
/* clang-format on */

/* ---- operations ---- */

typedef struct results {
    double value;
    int64_t place;
} results;

typedef stn_status operation(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                             results *r);

static stn_status run_axpy(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                           results *r)
{
    (void)r;
    return axpy_run(exec, arithmetic, 0.7, &v[0], &v[2]);
}

/* x's first row, or first column, for all of y. */
static stn_status run_repeated(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                               int dimension)
{
    stn_view part;
    stn_slice slices[STN_MAX_RANK];
    for (int d = 0; d < v[0].rank; d++)
        slices[d] = d == dimension ? stn_slice_range(0, 1) : stn_slice_all();
    const stn_status status = stn_view_slice(&part, &v[0], v[0].rank, slices);
    return status ? status : axpy_run(exec, arithmetic, 0.7, &part, &v[2]);
}

static stn_status run_row(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                          results *r)
{
    (void)r;
    return run_repeated(exec, arithmetic, v, v[0].rank - 2);
}

static stn_status run_column(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                             results *r)
{
    (void)r;
    return run_repeated(exec, arithmetic, v, v[0].rank - 1);
}

static stn_status run_where(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                            results *r)
{
    (void)r;
    return (v[2].rank == 1   ? where_1_run
            : v[2].rank == 2 ? where_2_run
                             : where_3_run)(exec, arithmetic, &v[0], &v[2]);
}

static stn_status run_keep(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                           results *r)
{
    (void)r;
    return keep_run(exec, arithmetic, &v[0], &v[1], &v[2]);
}

static stn_status run_some(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                           results *r)
{
    (void)r;
    return some_run(exec, arithmetic, &v[0], &v[1], &v[2]);
}

static stn_status run_fields(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                             results *r)
{
    (void)r;
    return turn_run(exec, arithmetic, &v[0], &v[1], &v[2]);
}

static stn_status run_stencil(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                              results *r)
{
    (void)r;
    return cross_run(exec, arithmetic, &v[0], &v[2]);
}

static stn_status run_shifted(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                              results *r)
{
    (void)r;
    return moved_run(exec, arithmetic, &v[0], &v[1], &v[2]);
}

static stn_status run_totals(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                             results *r)
{
    stn_status status = total_reduce(exec, arithmetic, &r->value, &v[0]);
    return status ? status : least_reduce(exec, arithmetic, &r->place, &v[0]);
}

static stn_status run_products(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                               results *r)
{
    return product_of_reduce(exec, arithmetic, &r->value, &v[0], &v[1]);
}

static stn_status run_length(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                             results *r)
{
    return length_reduce(exec, arithmetic, &r->value, &v[0]);
}

/* Along each dimension but one, into a part of the output. */
static stn_status reduce_into(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                              int kept)
{
    stn_view part;
    stn_slice slices[STN_MAX_RANK];
    for (int d = 0; d < v[2].rank; d++)
        slices[d] = d == kept ? stn_slice_all() : stn_slice_index(0);
    stn_status status = stn_view_slice(&part, &v[2], v[2].rank, slices);
    if (status == STN_OK)
        status = total_reduce_into(exec, arithmetic, ((1u << v[2].rank) - 1) & ~(1u << kept), &part,
                                   &v[0]);
    return status;
}

static stn_status run_rows(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                           results *r)
{
    (void)r;
    return reduce_into(exec, arithmetic, v, 0);
}

static stn_status run_columns(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                              results *r)
{
    (void)r;
    return reduce_into(exec, arithmetic, v, v[2].rank - 1);
}

static stn_status run_scan(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                           results *r)
{
    (void)r;
    return running_scan(exec, arithmetic, STN_SCAN_INCLUSIVE, &v[2], &v[0]);
}

static stn_status run_scan_dimension(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                                     results *r)
{
    (void)r;
    return running_scan_dimension(exec, arithmetic, STN_SCAN_EXCLUSIVE, 0, &v[2], &v[0]);
}

static stn_status run_gemv(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                           results *r)
{
    const stn_slice row[] = {stn_slice_index(0), stn_slice_all()},
                    column[] = {stn_slice_all(), stn_slice_index(0)};
    stn_view x, y;
    (void)r;
    stn_status status = stn_view_slice(&x, &v[1], 2, row);
    if (status == STN_OK)
        status = stn_view_slice(&y, &v[2], 2, column);
    return status ? status : stn_gemv(exec, arithmetic, 0.7, &v[0], &x, -1.5, &y);
}

static stn_status run_dot(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                          results *r)
{
    return stn_dot(exec, arithmetic, &r->value, &v[0], &v[1]);
}

static stn_status run_blas_axpy(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                                results *r)
{
    (void)r;
    return stn_axpy(exec, arithmetic, 0.7, &v[0], &v[2]);
}

static stn_status run_spmv(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                           results *r)
{
    static double values[3 * 700];
    static int32_t columns[3 * 700];
    static int64_t starts[701];
    const int64_t rows = v[2].extent[0], wide = v[0].extent[0];
    stn_matrix *a;
    (void)r;
    for (int64_t k = 0; k <= rows; k++)
        starts[k] = wide > 0 ? 3 * k : 0;
    for (int64_t k = 0; k < 3 * rows && wide > 0; k++) {
        values[k] = (double)(k % 17) - 8;
        columns[k] = (int32_t)((k / 3 + k % 3 * (wide / 3)) % wide);
    }
    stn_status status =
        wrap_csr(&a, "a", stn_storage_of(STN_F64), rows, wide, starts, columns, values);
    stn_matrix *there = NULL;
    if (status == STN_OK && exec == test_exec())
        status = stn_matrix_mirror(exec, &there, a);
    if (status == STN_OK)
        status = stn_spmv(exec, arithmetic, 0.7, there ? there : a, &v[0], -1.5, &v[2]);
    stn_matrix_release(there);
    stn_matrix_release(a);
    return status;
}

static stn_status run_whole(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                            results *r)
{
    (void)r;
    return whole_axpy_run(exec, arithmetic, &v[0], &v[2]);
}

static stn_status run_complex(const stn_exec *exec, stn_format arithmetic, const stn_view *v,
                              results *r)
{
    (void)r;
    return complex_axpy_run(exec, arithmetic, (stn_c128){0.7, -0.2}, &v[0], &v[2]);
}

typedef struct row_of_table {
    const char *name;
    operation *run;
    oracle_class kind;
    int ranks; /* bit r: rank r */
} row_of_table;
static const row_of_table table[] = {
    {"axpy", run_axpy, ORACLE_FLOAT, 15},
    {"row vector", run_row, ORACLE_FLOAT, 12},
    {"column vector", run_column, ORACLE_FLOAT, 12},
    {"where", run_where, ORACLE_FLOAT, 14},
    {"keep", run_keep, ORACLE_FLOAT, 15},
    {"some", run_some, ORACLE_FLOAT, 15},
    {"fields", run_fields, ORACLE_FLOAT, 4},
    {"stencil", run_stencil, ORACLE_FLOAT, 4},
    {"totals", run_totals, ORACLE_FLOAT, 15},
    {"products", run_products, ORACLE_FLOAT, 15},
    {"norm2", run_length, ORACLE_FLOAT, 14},
    {"rows", run_rows, ORACLE_FLOAT, 12},
    {"columns", run_columns, ORACLE_FLOAT, 12},
    {"scan", run_scan, ORACLE_FLOAT, 14},
    {"scan along", run_scan_dimension, ORACLE_FLOAT, 14},
    {"gemv", run_gemv, ORACLE_FLOAT, 4},
    {"dot", run_dot, ORACLE_FLOAT, 2},
    {"stn_axpy", run_blas_axpy, ORACLE_FLOAT, 2},
    {"spmv", run_spmv, ORACLE_FLOAT, 2},
    {"integers", run_whole, ORACLE_INTEGER, 14},
    {"complex", run_complex, ORACLE_COMPLEX, 14},
    {"shifted", run_shifted, ORACLE_FLOAT, 4},
};
enum { OPERATIONS = (int)(sizeof table / sizeof *table) };

typedef struct shape {
    int rank;
    int64_t extent[RANK];
} shape;
static const shape shapes[] = {{0, {0}},       {1, {1}},        {1, {131}},     {1, {700}},
                               {2, {9, 131}},  {2, {40, 37}},   {2, {130, 5}},  {2, {1, 1}},
                               {2, {32, 64}},  {2, {3, 300}},   {3, {3, 5, 7}}, {3, {4, 9, 40}},
                               {2, {20, 600}}, {3, {3, 35, 70}}};
enum { SHAPES = (int)(sizeof shapes / sizeof *shapes) };

/* ---- one case ---- */

static void check_codes(const operand *x, const operand *expected, const char *words)
{
    int64_t index[STN_MAX_RANK] = {0}, number = 0;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    ok(stn_format_describe(x->view.storage.format, &info), words);
    const size_t bytes = (size_t)info.bytes;
    if (stn_view_count(&x->view) == 0)
        return;
    do {
        const void *const code = code_of(x, index);
        const void *const other = code_of(expected, index);
        if (memcmp(code, other, bytes) != 0)
            fail_msg("%s: element %lld differs", words, (long long)number);
        number++;
    } while (next_index(&x->view, index));
}

typedef struct one_case {
    const row_of_table *row;
    stn_format arithmetic;
    stn_storage storage[VIEWS];
    layout_case layout[VIEWS];
    scale_case scaling[VIEWS];
    shape over;
} one_case;

static void check_case(const one_case *c, int setting, uint64_t seed)
{
    char words[400];
    uint64_t state = seed, again = seed;
    operand x[VIEWS], output;
    stn_view views[VIEWS], plain[VIEWS];
    results found = {0, 0}, expected = {0, 0};
    stn_exec *reference;
    int at =
        snprintf(words, sizeof words, "%s in %s on %s, rank %d:", c->row->name,
                 oracle_formats[c->arithmetic].name, order_setting_name(setting), c->over.rank);
    for (int v = 0; v < VIEWS; v++) {
        x[v] = make_operand(c->arithmetic, c->storage[v], c->layout[v], c->scaling[v], c->over.rank,
                            c->over.extent, &state);
        at += snprintf(words + at, sizeof words - (size_t)at, " %s %s (%s scale)",
                       oracle_formats[c->storage[v].format].name, layout_names[c->layout[v]],
                       scale_names[c->scaling[v]]);
        if (v == VIEWS - 2)
            again = state;
    }
    output = make_operand(c->arithmetic, c->storage[2], c->layout[2], c->scaling[2], c->over.rank,
                          c->over.extent, &again);
    for (int v = 0; v < VIEWS; v++) {
        views[v] = send_operand(&x[v]);
        plain[v] = x[v].values;
    }
    ok(stn_exec_create(&reference, "reference"), words);
    ok(c->row->run(reference, c->arithmetic, plain, &expected), words);
    stn_exec_release(reference);
    encode_all(&output, c->arithmetic, x[2].memory);
    const stn_status status = c->row->run(order_use(setting), c->arithmetic, views, &found);
    ok(status, words);
    test_fetch();
    check_codes(&x[2], &output, words);
    if (memcmp(&found, &expected, sizeof found) != 0)
        fail_msg("%s: %.17g at %lld, not %.17g at %lld", words, found.value, (long long)found.place,
                 expected.value, (long long)expected.place);
    for (int v = 0; v < VIEWS; v++)
        drop_operand(&x[v]);
    drop_operand(&output);
}

/* ---- what to try ---- */

static int goes_with(oracle_class kind, stn_format format)
{
    const oracle_class found = oracle_formats[format].kind;
    return kind == ORACLE_FLOAT ? found != ORACLE_COMPLEX : found == kind;
}

static stn_format any_format(oracle_class kind, uint64_t *state)
{
    stn_format format;
    do
        format = (stn_format)below(state, STN_BUILTIN_FORMATS);
    while (!goes_with(kind, format));
    return format;
}

static stn_format arithmetic_of(oracle_class kind, uint64_t *state)
{
    return kind == ORACLE_INTEGER   ? STN_I64
           : kind == ORACLE_COMPLEX ? STN_C128
           : below(state, 2)        ? STN_F32
                                    : STN_F64;
}

/* Mapped views have one scale, integers none, and one element has no rows. */
static scale_case any_scaling(oracle_class kind, layout_case layout, int rank, uint64_t *state)
{
    const scale_case scaling = (scale_case)below(state, SCALES);
    if (kind == ORACLE_INTEGER)
        return NONE;
    return layout >= TILED || rank == 0 ? (scaling > ONE ? ONE : scaling) : scaling;
}

static void try_one(const row_of_table *row, shape over, layout_case first, stn_format format,
                    uint64_t *state)
{
    one_case c = {.row = row, .over = over, .arithmetic = arithmetic_of(row->kind, state)};
    for (int v = 0; v < VIEWS; v++) {
        c.storage[v] = stn_storage_of(v == 0 ? format : any_format(row->kind, state));
        c.layout[v] = v == 0 ? first : (layout_case)below(state, LAYOUTS);
        c.scaling[v] = any_scaling(row->kind, c.layout[v], over.rank, state);
        if (v == 2 && below(state, 4) == 0) {
            c.storage[v].rounding = STN_ROUND_STOCHASTIC;
            c.storage[v].seed = 11;
        }
    }
    if (c.layout[2] == BACKWARDS || c.layout[2] == PADDED || c.layout[2] == PART ||
        row->run == run_rows || row->run == run_columns || row->run == run_gemv)
        c.storage[2].rounding = STN_ROUND_NEAREST; /* parts draw by the numbers of the whole */
    check_case(&c, (int)below(state, order_settings()), order_next(state));
}

/* Each operation, over each shape, of an operand of each layout and each format. */
static void test_all(void **context)
{
    uint64_t state = 1;
    (void)context;
    for (int o = 0; o < OPERATIONS; o++)
        for (int s = 0; s < SHAPES; s++)
            for (int l = 0; l < LAYOUTS && (table[o].ranks >> shapes[s].rank & 1); l++)
                for (int f = 0; f < STN_BUILTIN_FORMATS; f++)
                    if (goes_with(table[o].kind, (stn_format)f) &&
                        (f + l + s + o) % oracle_count(11 * oracle_quick(), 11, 1) == 0)
                        try_one(&table[o], shapes[s], (layout_case)l, (stn_format)f, &state);
}

/* Each operation once, of random formats, layouts, scales and shape: for devices, where each
 * combination is compiled. */
static void test_each(void **context)
{
    uint64_t state = 4;
    (void)context;
    for (int k = 0; k < oracle_count(1, 1, 30) * OPERATIONS; k++) {
        const row_of_table *const row = &table[k % OPERATIONS];
        shape over;
        do
            over = shapes[below(&state, SHAPES)];
        while (!(row->ranks >> over.rank & 1));
        try_one(row, over, (layout_case)below(&state, LAYOUTS), any_format(row->kind, &state),
                &state);
    }
}

/* Rows of 5 that are apart in the output, which draws by the numbers of its elements: so many that
 * a tile spans more of them than are stored at once. */
static void test_short_rows(void **context)
{
    static const stn_format formats[] = {STN_I8, STN_F16};
    static operation *const operations[] = {run_axpy, run_row, run_keep, run_some};
    uint64_t state = 2;
    (void)context;
    for (int setting = 0; setting < order_settings(); setting++)
        for (int k = 0; k < 16; k++) {
            if (!order_has_turn(setting, k))
                continue;
            const row_of_table row = {"short rows", operations[k / 2 % 4], ORACLE_FLOAT, 4};
            one_case c = {.row = &row,
                          .arithmetic = k & 1 ? STN_F32 : STN_F64,
                          .layout = {RIGHT, RIGHT, LEFT},
                          .over = {2, {3300, 5}}};
            for (int v = 0; v < VIEWS; v++)
                c.storage[v] = stn_storage_of(v == 2 ? formats[k / 8] : STN_F32);
            c.storage[2].rounding = STN_ROUND_STOCHASTIC;
            c.storage[2].seed = 17;
            check_case(&c, setting, order_next(&state));
        }
}

/* Elements of gather as whole numbers, which are read one by one. */
static void test_indices(void **context)
{
    static const int64_t extents[2] = {13, 21};
    static const stn_format formats[] = {STN_I8, STN_U16, STN_I32, STN_I64, STN_U64};
    uint64_t state = 3;
    (void)context;
    for (int layout = 0; layout < LAYOUTS; layout++)
        for (int f = 0; f < 5; f++) {
            operand n = make_operand(STN_I64, stn_storage_of(formats[f]), (layout_case)layout, NONE,
                                     2, extents, &state);
            int64_t found[13 * 21];
            stn_view y;
            ok(stn_view_wrap(&y, "y", stn_storage_of(STN_I64), found, 2, extents), "y");
            ok(indexed_run(order_use(layout % order_settings()), STN_I64, &n.view, &y), "indexed");
            for (int64_t k = 0; k < 13 * 21; k++)
                if (found[k] != ((int64_t *)n.memory)[k] &&
                    (formats[f] != STN_U64 || ((int64_t *)n.memory)[k] >= 0)) /* too large */
                    fail_msg("%s, format %d: element %lld", layout_names[layout], (int)formats[f],
                             (long long)k);
            drop_operand(&n);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_rows),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_all),
    };
    const struct CMUnitTest on_device[] = {cmocka_unit_test(test_each)};
    const int failed = test_exec()
                           ? cmocka_run_group_tests_name(test_exec_name(), on_device, NULL, NULL)
                           : cmocka_run_group_tests_name("any_view_matrix", tests, NULL, NULL);
    order_release_executors();
    return failed;
}
