/* Products, sparse matrices and solvers with views in block formats. */
#include "check.h"

#include <math.h>
#include <stdio.h>

#include "host_execs.h"
#include "make_view.h"
#include "steno/array_functions.h"
#include "steno/blas.h"
#include "steno/block_format.h"
#include "steno/solver.h"
#include "steno/sparse.h"

/* ---- long products, which have loops for blocks ---- */

enum { ROWS = 7, LONG = 70 * 128 + 37 };

static void fill_long(double *values, int64_t count, int first)
{
    for (int64_t k = 0; k < count; k++) {
        values[k] = ldexp(sin(0.37 * (double)(k + first)), (int)(k / 64 % 7));
        if (k / 32 == 3)
            values[k] *= 0x1p-1040; /* a scale that is not a normal number */
    }
}

typedef struct products {
    stn_view a, x, y, h, w;
} products;

static const stn_format arithmetics[] = {STN_F64, STN_F32};

static void expect_products(const stn_exec *exec, stn_format arithmetic, products *blocks,
                            products *plain, const stn_view *values)
{
    double found[6] = {0}, expected[6] = {0};
    stn_view columns[2];
    products *const both[] = {blocks, plain};
    double *const results[] = {found, expected};
    for (int k = 0; k < 2; k++) {
        products *const p = both[k];
        expect_ok(stn_view_fill(exec, &p->w, 0.5));
        expect_ok(stn_dot(exec, arithmetic, &results[k][0], &p->x, &p->y));
        expect_ok(stn_dot(exec, arithmetic, &results[k][1], &p->x, values));
        expect_ok(stn_dot(exec, arithmetic, &results[k][2], values, &p->y));
        expect_ok(stn_gemv(exec, arithmetic, 1.5, &p->a, values, 0.0, &p->h));
        expect_ok(stn_sum(exec, STN_F64, &results[k][3], &p->h));
        expect_ok(stn_view_permute(&columns[k], &p->a, 2, (const int[]){1, 0}));
        expect_ok(stn_gemv(exec, arithmetic, 1e-3, &columns[k], &p->h, 1.0, &p->w));
        expect_ok(stn_sum(exec, STN_F64, &results[k][4], &p->w));
        expect_ok(stn_gemvt(exec, arithmetic, -1e-6, &p->a, &p->h, 1.0, &p->w, &p->h));
        expect_ok(stn_sum(exec, STN_F64, &results[k][5], &p->h));
    }
    for (int k = 0; k < 6; k++)
        if (memcmp(&found[k], &expected[k], sizeof *found) != 0)
            fail_msg("%s, product %d: %.17g, not %.17g", arithmetic == STN_F64 ? "f64" : "f32", k,
                     found[k], expected[k]);
}

static products create_products(stn_format format, stn_format arithmetic, int64_t n)
{
    const int64_t extents[] = {ROWS, n};
    const stn_storage storage = stn_storage_of(format);
    return (products){create_view(NULL, "a", storage, NULL, 2, extents, 0),
                      create_view(NULL, "x", storage, NULL, 1, extents + 1, 0),
                      create_view(NULL, "y", storage, NULL, 1, extents + 1, 0),
                      create_view(NULL, "h", stn_storage_of(arithmetic), NULL, 1, extents, 0),
                      create_view(NULL, "w", stn_storage_of(arithmetic), NULL, 1, extents + 1, 0)};
}

static void release_products(products *p)
{
    stn_view *const views[] = {&p->a, &p->x, &p->y, &p->h, &p->w};
    for (int k = 0; k < COUNT_OF(views); k++)
        expect_ok(stn_view_release(views[k]));
}

static void expect_long_products(stn_format format, stn_format arithmetic, int64_t n)
{
    static double numbers[ROWS * LONG], others[LONG];
    const int64_t extents[] = {ROWS, n};
    products blocks = create_products(format, arithmetic, n);
    products plain = create_products(STN_F64, arithmetic, n);
    stn_view values = create_view(NULL, "values", stn_storage_of(arithmetic), NULL, 1, &n, 0);
    const stn_view from = wrap_view("a", f64(), numbers, 2, extents);
    const stn_view first = wrap_view("x", f64(), numbers, 1, &n);
    const stn_view second = wrap_view("y", f64(), others, 1, &n);
    fill_long(numbers, ROWS * n, 0);
    fill_long(others, n, 5);
    expect_ok(stn_view_copy(NULL, &values, &second));
    expect_ok(stn_view_copy(NULL, &blocks.a, &from));
    expect_ok(stn_view_copy(NULL, &blocks.x, &first));
    expect_ok(stn_view_copy(NULL, &blocks.y, &second));
    expect_ok(stn_view_copy(NULL, &plain.a, &blocks.a));
    expect_ok(stn_view_copy(NULL, &plain.x, &blocks.x));
    expect_ok(stn_view_copy(NULL, &plain.y, &blocks.y));
    for (int e = 0; e < EXECS; e++)
        expect_products(execs[e], arithmetic, &blocks, &plain, &values);
    expect_ok(stn_view_release(&values));
    release_products(&blocks);
    release_products(&plain);
}

UNIT_TEST(long_products_have_the_bits_of_decoded_values)
{
    static const int64_t lengths[] = {1, 31, 128, 300, LONG};
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++)
        for (int k = 0; k < COUNT_OF(lengths); k++)
            for (int m = 0; m < COUNT_OF(arithmetics); m++)
                if (lengths[k] < LONG || format <= STN_BFP32 || format % 4 == 0)
                    expect_long_products(format, arithmetics[m], lengths[k]);
}

/* More rows than a tile has elements are processed in groups. */
UNIT_TEST(many_rows_have_the_bits_of_decoded_values)
{
    enum { MANY = 259, COLUMNS = 300 };
    static double numbers[MANY * COLUMNS], factors[COLUMNS], found[MANY], expected[MANY];
    const int64_t extents[] = {MANY, COLUMNS};
    fill_long(numbers, MANY * COLUMNS, 0);
    fill_long(factors, COLUMNS, 3);
    const stn_view from = wrap_view("numbers", f64(), numbers, 2, extents);
    const stn_view x = wrap_view("x", f64(), factors, 1, extents + 1);
    const stn_view y = wrap_view("y", f64(), found, 1, extents);
    const stn_view z = wrap_view("z", f64(), expected, 1, extents);
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        stn_view a = create_view(NULL, "a", stn_storage_of(format), NULL, 2, extents, 0);
        stn_view plain = create_view(NULL, "plain", f64(), NULL, 2, extents, 0);
        expect_ok(stn_view_copy(NULL, &a, &from));
        expect_ok(stn_view_copy(NULL, &plain, &a));
        for (int m = 0; m < EXECS * COUNT_OF(arithmetics); m++) {
            const stn_format arithmetic = arithmetics[m / EXECS];
            for (int k = 0; k < MANY; k++)
                found[k] = expected[k] = k;
            expect_ok(stn_gemv(execs[m % EXECS], arithmetic, 1.5, &a, &x, 0.5, &y));
            expect_ok(stn_gemv(execs[m % EXECS], arithmetic, 1.5, &plain, &x, 0.5, &z));
            assert_memory_equal(found, expected, sizeof found);
        }
        expect_ok(stn_view_release(&a));
        expect_ok(stn_view_release(&plain));
    }
}

/* Blocks along columns: the transposed matrix, and parts of it, in both types, with operands of
 * other formats. */
UNIT_TEST(transposed_matrices_have_the_bits_of_decoded_values)
{
    enum { MANY = 300, COLUMNS = 203, FIRST = 32, LAST = 192 };
    static double numbers[MANY * COLUMNS], factors[MANY];
    static const int turned[] = {1, 0};
    static const int64_t parts[][2] = {{0, COLUMNS}, {FIRST, COLUMNS}, {0, LAST}, {FIRST, LAST}};
    const int64_t extents[] = {MANY, COLUMNS};
    fill_long(numbers, MANY * COLUMNS, 0);
    fill_long(factors, MANY, 3);
    const stn_view from = wrap_view("numbers", f64(), numbers, 2, extents);
    const stn_view values = wrap_view("x", f64(), factors, 1, extents);
    stn_view narrow = create_view(NULL, "x", stn_storage_of(STN_F16), NULL, 1, extents, 0);
    expect_ok(stn_view_copy(NULL, &narrow, &values));
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        stn_view both[] = {create_view(NULL, "a", stn_storage_of(format), NULL, 2, extents, 0),
                           create_view(NULL, "plain", f64(), NULL, 2, extents, 0)};
        expect_ok(stn_view_copy(NULL, &both[0], &from));
        expect_ok(stn_view_copy(NULL, &both[1], &both[0]));
        for (int k = 0; k < EXECS * COUNT_OF(parts); k++) {
            const int64_t *const part = parts[k / EXECS], count = part[1] - part[0];
            const stn_slice slices[] = {stn_slice_all(), stn_slice_range(part[0], part[1])};
            const stn_format arithmetic = k % 2 ? STN_F32 : STN_F64;
            double found[2][COLUMNS] = {{0}};
            for (int m = 0; m < 2; m++) {
                stn_view a, y = create_view(NULL, "y", stn_storage_of(k % 3 ? STN_F64 : STN_F32),
                                            NULL, 1, &count, 0);
                const stn_view result = wrap_view("found", f64(), found[m], 1, &count);
                expect_ok(stn_view_fill(NULL, &y, 3.0));
                expect_ok(stn_view_slice(&a, &both[m], 2, slices));
                expect_ok(stn_view_permute(&a, &a, 2, turned));
                expect_ok(stn_gemv(execs[k % EXECS], arithmetic, 1e-4, &a,
                                   k % 4 ? &values : &narrow, 0.5, &y));
                expect_ok(stn_view_copy(NULL, &result, &y));
                expect_ok(stn_view_release(&y));
            }
            assert_memory_equal(found[0], found[1], sizeof *found);
        }
        expect_ok(stn_view_release(&both[0]));
        expect_ok(stn_view_release(&both[1]));
    }
    expect_ok(stn_view_release(&narrow));
}

/* ---- any codes and scales ---- */

enum { ANY_ROWS = 5, ANY_COLUMNS = 5 * 128, ANY = ANY_ROWS * ANY_COLUMNS };

/* Scales: of similar magnitude; of so different ones that sums are rounded; so small that values
 * are subnormal in f32; of any magnitude; NaN now and then. */
enum { NEAR_SCALES, FAR_SCALES, LOW_SCALES, ANY_SCALES, NAN_SCALES, SCALES };

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static stn_format_info info_of(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    return info;
}

static void fill_scale(stn_format format, unsigned char *scale, int kind, uint32_t *state)
{
    const stn_format_info info = info_of(format);
    const int is_nan = kind == NAN_SCALES && next_number(state) % 16 == 0;
    const int near = kind == LOW_SCALES ? (int)(next_number(state) % 64)
                                        : 100 + (int)(next_number(state) % (kind ? 32 : 4));
    const int any = (int)(next_number(state) & 0xff);
    const int16_t exponent = (int16_t)(is_nan               ? INT16_MAX
                                       : kind <= FAR_SCALES ? near - 110
                                       : kind == LOW_SCALES ? near - 170
                                                            : any * 8 - 1074);
    if (format <= STN_BFP32)
        memcpy(scale, &exponent, sizeof exponent);
    else if (info.block_elements == 32)
        *scale = (unsigned char)(is_nan ? 255 : kind <= LOW_SCALES ? near : any % 255);
    else
        *scale = (unsigned char)(is_nan ? 127 : kind <= LOW_SCALES ? near : any % 127);
}

/* A matrix of blocks with inline or separate scales, whose codes are any bytes if `any` is set, and
 * otherwise the codes of numbers. */
static stn_view wrap_any(stn_format format, unsigned char *memory, int is_inline, int kind, int any,
                         uint32_t *state)
{
    static const int64_t extents[] = {ANY_ROWS, ANY_COLUMNS};
    const stn_format_info info = info_of(format);
    const int64_t scale_bytes = format <= STN_BFP32 ? 2 : 1, blocks = ANY / info.block_elements;
    const int64_t code_bytes = info.block_bytes - scale_bytes;
    const stn_block_arrays arrays =
        STN_INIT(stn_block_arrays, .codes = is_inline ? memory + scale_bytes : memory,
                 .scales = is_inline ? memory : memory + blocks * code_bytes,
                 .code_step = is_inline ? info.block_bytes : code_bytes,
                 .scale_step = is_inline ? info.block_bytes : scale_bytes);
    static double numbers[ANY];
    stn_view view;
    expect_ok(
        stn_view_wrap_blocks(&view,
                             &STN_VIEW_SPEC(.label = "blocks", .storage = stn_storage_of(format),
                                            .rank = 2, .extents = extents),
                             &arrays));
    for (int64_t k = 0; any && k < blocks * info.block_bytes; k++)
        memory[k] = (unsigned char)next_number(state);
    for (int64_t k = 0; !any && k < ANY; k++)
        numbers[k] = (double)next_number(state) - 0x1p23;
    const stn_view from = wrap_view("numbers", f64(), numbers, 2, extents);
    if (!any)
        expect_ok(stn_view_copy(NULL, &view, &from));
    for (int64_t k = 0; k < blocks; k++)
        fill_scale(format, (unsigned char *)arrays.scales + k * arrays.scale_step, kind, state);
    return view;
}

static void expect_equal_or_nan(const double *found, const double *expected, int64_t count,
                                const char *what)
{
    for (int64_t k = 0; k < count; k++)
        if (memcmp(&found[k], &expected[k], sizeof *found) != 0 &&
            !(isnan(found[k]) && isnan(expected[k])))
            fail_msg("%s: element %d: %.17g, not %.17g", what, (int)k, found[k], expected[k]);
}

static void expect_any_blocks(stn_format format, stn_format arithmetic, int is_inline, int kind,
                              int any)
{
    static const int64_t extents[] = {ANY_ROWS, ANY_COLUMNS};
    static const int turned[] = {1, 0};
    static unsigned char memory[2][ANY * 5];
    static double values[2][ANY], others[ANY_COLUMNS], found[ANY_COLUMNS], expected[ANY_COLUMNS];
    uint32_t state = (uint32_t)(format * 8 + kind);
    char what[80];
    stn_view blocks[2], decoded[2], x[2], y[2], columns[2];
    for (int k = 0; k < 2; k++) {
        blocks[k] = wrap_any(format, memory[k], is_inline, kind, any, &state);
        decoded[k] = wrap_view("decoded", f64(), values[k], 2, extents);
        expect_ok(stn_view_copy(NULL, &decoded[k], &blocks[k]));
    }
    fill_long(others, ANY_COLUMNS, 3);
    const stn_view from = wrap_view("others", f64(), others, 1, extents + 1);
    stn_view by = create_view(NULL, "by", stn_storage_of(arithmetic), NULL, 1, extents + 1, 0);
    expect_ok(stn_view_copy(NULL, &by, &from));
    const stn_view few = wrap_view("few", f64(), others, 1, extents);
    const stn_view result = wrap_view("found", f64(), found, 1, extents);
    const stn_view right = wrap_view("expected", f64(), expected, 1, extents);
    const stn_view result_columns = wrap_view("found", f64(), found, 1, extents + 1);
    const stn_view right_columns = wrap_view("expected", f64(), expected, 1, extents + 1);
    (void)snprintf(what, sizeof what, "format %d, arithmetic %d, inline %d, scales %d, any %d",
                   (int)format, (int)arithmetic, is_inline, kind, any);
    for (int r = 0; r < ANY_ROWS; r++) {
        const stn_slice row[] = {stn_slice_index(r), stn_slice_all()};
        for (int k = 0; k < 2; k++) {
            expect_ok(stn_view_slice(&x[k], &blocks[k], 2, row));
            expect_ok(stn_view_slice(&y[k], &decoded[k], 2, row));
        }
        expect_ok(stn_dot(execs[1], arithmetic, &found[0], &x[0], &x[1]));
        expect_ok(stn_dot(execs[1], arithmetic, &expected[0], &y[0], &y[1]));
        expect_ok(stn_dot(execs[1], arithmetic, &found[1], &x[0], &by));
        expect_ok(stn_dot(execs[1], arithmetic, &expected[1], &y[0], &by));
        expect_equal_or_nan(found, expected, 2, what);
    }
    expect_ok(stn_gemv(execs[1], arithmetic, 1.5, &blocks[0], &by, 0.0, &result));
    expect_ok(stn_gemv(execs[1], arithmetic, 1.5, &decoded[0], &by, 0.0, &right));
    expect_equal_or_nan(found, expected, ANY_ROWS, what);
    expect_ok(stn_view_permute(&columns[0], &blocks[0], 2, turned));
    expect_ok(stn_view_permute(&columns[1], &decoded[0], 2, turned));
    expect_ok(stn_gemv(execs[1], arithmetic, 1.5, &columns[0], &few, 0.0, &result_columns));
    expect_ok(stn_gemv(execs[1], arithmetic, 1.5, &columns[1], &few, 0.0, &right_columns));
    expect_equal_or_nan(found, expected, ANY_COLUMNS, what);
    expect_ok(stn_view_release(&by));
    expect_ok(stn_view_release(&blocks[0]));
    expect_ok(stn_view_release(&blocks[1]));
}

UNIT_TEST(any_blocks_have_the_products_of_their_decoded_values)
{
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++)
        for (int kind = 0; kind < SCALES; kind++)
            for (int k = 0; k < 8; k++)
                expect_any_blocks(format, arithmetics[k / 4], k % 2, kind, k / 2 % 2);
}

/* A sum of products that are all -0 is -0. */
UNIT_TEST(products_of_zeros_keep_their_sign)
{
    const int64_t n = 256;
    stn_view x = create_view(NULL, "x", stn_storage_of(STN_BFP16), NULL, 1, &n, 0);
    stn_view y = create_view(NULL, "y", stn_storage_of(STN_BFP16), NULL, 1, &n, 0);
    stn_view zeros = create_view(NULL, "zeros", f64(), NULL, 1, &n, 0);
    stn_view minus = create_view(NULL, "minus", f64(), NULL, 1, &n, 0);
    expect_ok(stn_view_fill(NULL, &y, -3.0));
    expect_ok(stn_view_fill(NULL, &minus, -3.0));
    for (int e = 0; e < EXECS; e++) {
        double found = 1.0, expected = 2.0;
        expect_ok(stn_dot(execs[e], STN_F64, &found, &x, &y));
        expect_ok(stn_dot(execs[e], STN_F64, &expected, &zeros, &minus));
        assert_memory_equal(&found, &expected, sizeof found);
    }
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&y));
    expect_ok(stn_view_release(&zeros));
    expect_ok(stn_view_release(&minus));
}

/* ---- solvers and sparse matrices ---- */

static stn_view blocks_of(stn_format format, const double *values, int64_t count)
{
    const stn_view from = wrap_view("values", f64(), (void *)(uintptr_t)values, 1, &count);
    stn_view view = create_view(NULL, "blocks", stn_storage_of(format), NULL, 1, &count, 0);
    expect_ok(stn_view_copy(NULL, &view, &from));
    return view;
}

/* -1 2 -1 on 200 unknowns, which most formats represent exactly. */
UNIT_TEST(solvers_and_sparse_products_take_blocks)
{
    enum { UNKNOWNS = 200, ENTRIES = 3 * UNKNOWNS - 2 };
    static int32_t start[UNKNOWNS + 1], column[ENTRIES];
    static double value[ENTRIES], b[UNKNOWNS], y[UNKNOWNS], z[UNKNOWNS];
    const int64_t n = UNKNOWNS, rows = n + 1, entries = ENTRIES;
    for (int32_t i = 0, k = 0; i < UNKNOWNS; i++, start[i] = k)
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < UNKNOWNS; j++, k++) {
            column[k] = j;
            value[k] = i == j ? 2.0 : -1.0;
        }
    for (int k = 0; k < UNKNOWNS; k++)
        b[k] = k % 3 - 1;
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        stn_view values = blocks_of(format, value, entries), rhs = blocks_of(format, b, n);
        const stn_view decoded = wrap_view("value", f64(), value, 1, &entries);
        expect_ok(stn_view_copy(NULL, &decoded, &values));
        const stn_view starts = wrap_view("starts", stn_storage_of(STN_I32), start, 1, &rows);
        const stn_view columns = wrap_view("columns", stn_storage_of(STN_I32), column, 1, &entries);
        const stn_view from = wrap_view("b", f64(), b, 1, &n);
        expect_ok(stn_view_copy(NULL, &from, &rhs));
        const stn_view to = wrap_view("y", f64(), y, 1, &n);
        const stn_view expected = wrap_view("z", f64(), z, 1, &n);
        const stn_matrix_views arrays =
            STN_INIT(stn_matrix_views, .kind = STN_MATRIX_CSR, .rows = n, .columns = n,
                     .row_start = starts, .column = columns, .values = values);
        stn_matrix *plain, *stored, *slices;
        stn_operator a;
        expect_ok(stn_matrix_wrap_csr_i32(&plain, n, n, start, column, f64(), value));
        expect_ok(stn_matrix_wrap_views(&stored, &arrays));
        expect_ok(stn_spmv(execs[2], STN_F64, 1.0, plain, &from, 0.0, &expected));
        expect_ok(stn_spmv(execs[2], STN_F64, 1.0, stored, &rhs, 0.0, &to));
        assert_memory_equal(y, z, sizeof y);
        expect_ok(stn_sparse_convert(NULL, &slices, stored, STN_MATRIX_SELL, NULL));
        expect_ok(stn_spmv(execs[2], STN_F64, 1.0, slices, &rhs, 0.0, &to));
        assert_memory_equal(y, z, sizeof y);
        stn_solver_report report = STN_SOLVER_REPORT_INIT;
        memset(y, 0, sizeof y);
        expect_ok(stn_operator_of_matrix(&a, stored));
        expect_ok(stn_solve(execs[2], &to, &a, &rhs, NULL, &report));
        assert_int_equal(report.reason, STN_STOP_CONVERGED);
        stn_matrix_release(plain);
        stn_matrix_release(stored);
        stn_matrix_release(slices);
        expect_ok(stn_view_release(&values));
        expect_ok(stn_view_release(&rhs));
    }
}

/* Iterations of GMRES with this basis on a matrix that is not symmetric; 0: it failed. */
static int64_t iterations_with(stn_storage basis, int64_t basis_block)
{
    enum { UNKNOWNS = 400, ENTRIES = 3 * UNKNOWNS - 2 };
    static int32_t start[UNKNOWNS + 1], column[ENTRIES];
    static double value[ENTRIES], b[UNKNOWNS], x[UNKNOWNS];
    const int64_t n = UNKNOWNS;
    for (int32_t i = 0, k = 0; i < UNKNOWNS; i++, start[i] = k)
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < UNKNOWNS; j++, k++) {
            column[k] = j;
            value[k] = i == j ? 2.05 + 0.1 * (i % 5) : j < i ? -1.2 : -0.8;
        }
    for (int k = 0; k < UNKNOWNS; k++)
        b[k] = sin(0.1 * k) + (k == 7);
    memset(x, 0, sizeof x);
    const stn_view rhs = wrap_view("b", f64(), b, 1, &n), to = wrap_view("x", f64(), x, 1, &n);
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    stn_matrix *matrix;
    stn_operator a;
    options.method = STN_SOLVER_GMRES;
    options.relative_tolerance = 1e-9;
    options.restart = 30;
    options.basis = basis;
    options.basis_block = (int32_t)basis_block;
    expect_ok(stn_matrix_wrap_csr_i32(&matrix, n, n, start, column, f64(), value));
    expect_ok(stn_operator_of_matrix(&a, matrix));
    const stn_status status = stn_solve(execs[1], &to, &a, &rhs, &options, &report);
    stn_matrix_release(matrix);
    if (status != STN_OK && status != STN_ERR_CONVERGENCE)
        fail_msg("%s", stn_error());
    return report.reason == STN_STOP_CONVERGED ? report.iterations : 0;
}

/* A narrow basis takes about as many iterations as integers of the same width with scales. */
UNIT_TEST(gmres_stores_its_basis_in_blocks)
{
    const int64_t wide = iterations_with(f64(), 0);
    const int64_t scaled = iterations_with(stn_storage_of(STN_I16), 32);
    const int64_t bfp32 = iterations_with(stn_storage_of(STN_BFP32), 0);
    const int64_t bfp16 = iterations_with(stn_storage_of(STN_BFP16), 0);
    assert_true(wide > 20 && scaled > 20);
    assert_true(bfp32 > 0 && bfp32 <= wide + 2);
    assert_true(bfp16 > 0 && bfp16 <= scaled + scaled / 20 + 2);
    assert_true(iterations_with(stn_storage_of(STN_BFP8), 0) > 0);
    assert_true(iterations_with(stn_storage_of(STN_MXINT8), 0) > 0);
    assert_true(iterations_with(stn_storage_of(STN_MXFP8_E4M3), 0) > 0);
}

int main(void)
{
    return run_unit_tests("products of blocks", create_execs, release_execs);
}
