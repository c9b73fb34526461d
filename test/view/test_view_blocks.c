/* Views in block formats: each operation on the host reads and writes them as views of f64 with the
 * decoded values, and stores whole blocks. */
#include "check.h"

#include <math.h>
#include <stdio.h>

#include "host_execs.h"
#include "make_view.h"
#include "steno/array_functions.h"
#include "steno/atomic.h"
#include "steno/blas.h"
#include "steno/block_format.h"
#include "steno/kernel.h"

enum { N = 53, VIEWS = 6 };

/* ---- operands: three matrices, of which b has layout left, and three vectors ---- */

typedef struct operands {
    stn_view a, b, c, x, y, z;
} operands;

static stn_view *view_at(operands *all, int k)
{
    stn_view *const views[VIEWS] = {&all->a, &all->b, &all->c, &all->x, &all->y, &all->z};
    return views[k];
}

static double value_of(int view, int64_t k)
{
    const double values = sin(0.7 * (double)(k + 11 * view) + 1.0);
    return ldexp(values, (int)(k / 29 % 5)) + (view == 0 && k % (N + 1) == 0 ? 40.0 : 0.0);
}

static operands create_operands(stn_format format)
{
    const stn_layout left = {.kind = STN_LAYOUT_LEFT};
    operands all;
    for (int k = 0; k < VIEWS; k++)
        *view_at(&all, k) =
            create_view(NULL, "operand", stn_storage_of(format), k == 1 ? &left : NULL,
                        k < 3 ? 2 : 1, (const int64_t[]){N, N}, 0);
    return all;
}

static void release_operands(operands *all)
{
    for (int k = 0; k < VIEWS; k++)
        expect_ok(stn_view_release(view_at(all, k)));
}

static void fill_operands(operands *blocks, operands *plain)
{
    static double values[N * N];
    for (int k = 0; k < VIEWS; k++) {
        for (int64_t e = 0; e < N * N; e++)
            values[e] = value_of(k, e);
        const stn_view from =
            wrap_view("values", f64(), values, k < 3 ? 2 : 1, (const int64_t[]){N, N});
        expect_ok(stn_view_copy(NULL, view_at(blocks, k), &from));
        expect_ok(stn_view_copy(NULL, view_at(plain, k), view_at(blocks, k)));
    }
}

/* Rounds rows of values to a block format: encodes and decodes them. */
static void round_rows(stn_format format, double *values, int64_t rows, int64_t count)
{
    unsigned char codes[512];
    const stn_storage storage = stn_storage_of(format);
    for (int64_t r = 0; r < rows; r++) {
        expect_ok(stn_encode(STN_F64, &storage, codes, 1, 0, values + r * count, count));
        expect_ok(stn_decode(STN_F64, values + r * count, &storage, codes, 1, count));
    }
}

/* Views of blocks have the values of the others, rounded row by row. */
static void expect_same(const char *name, stn_format format, operands *blocks, operands *plain)
{
    static double found[N * N], expected[N * N];
    for (int k = 0; k < VIEWS; k++) {
        const int rank = k < 3 ? 2 : 1;
        const int64_t extents[] = {N, N};
        stn_view b = *view_at(blocks, k), p = *view_at(plain, k);
        if (k == 1) {
            expect_ok(stn_view_permute(&b, &b, 2, (const int[]){1, 0}));
            expect_ok(stn_view_permute(&p, &p, 2, (const int[]){1, 0}));
        }
        const stn_view to = wrap_view("found", f64(), found, rank, extents);
        const stn_view other = wrap_view("expected", f64(), expected, rank, extents);
        expect_ok(stn_view_copy(NULL, &to, &b));
        expect_ok(stn_view_copy(NULL, &other, &p));
        const int64_t rows = rank == 2 ? N : 1;
        round_rows(format, expected, rows, N);
        for (int64_t e = 0; e < rows * N; e++)
            if (memcmp(&found[e], &expected[e], sizeof *found) != 0 && found[e] != expected[e])
                fail_msg("%s: operand %d, element %lld: %.17g, not %.17g", name, k, (long long)e,
                         found[e], expected[e]);
    }
}

/* ---- operations ---- */

/* clang-format off */
STN_MAP(combine, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(square, (in(x), out(y)), y = x * x;)
STN_MAP(keep_some, (in(x), masked(y)), if (x > 0) STN_STORE(y, 3 * x);)
STN_MAP(five, (at(i, j), stencil(u, inside, 1, 1), out(v)),
        v = STN_AT(u, i - 1, j) + STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1) + STN_AT(u, i + 1, j);)
STN_MAP(move_back, (shifted(u, zero, 0, -3), out(v)), v = u;)
STN_MAP(transpose, (at(i, j), gather(u, 2), out(v)), v = STN_AT(u, j, i);)
STN_MAP(spread, (at(i), in(x), scatter(u, 1)), STN_PUT(u, x + 1, (i * 7) % 53);)
/* clang-format on */

typedef stn_status operation(const stn_exec *exec, operands *o);

static const double rotation[] = {-1, 0.75, -0.5, 0.25, 1.25};

#define OPERATION(name, ...)                                                                       \
    static stn_status run_##name(const stn_exec *exec, operands *o)                                \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
OPERATION(copy, stn_view_copy(exec, &o->c, &o->a))
OPERATION(copy_left, stn_view_copy(exec, &o->c, &o->b))
OPERATION(copy_to_left, stn_view_copy(exec, &o->b, &o->a))
OPERATION(fill, stn_view_fill(exec, &o->c, 0.3))
OPERATION(combine, combine_run(exec, STN_F64, 1.5, &o->a, &o->c))
OPERATION(combine_mixed, combine_run(exec, STN_F64, 1.5, &o->b, &o->c))
OPERATION(combine_left, combine_run(exec, STN_F64, 1.5, &o->a, &o->b))
OPERATION(combine_rows, combine_run(exec, STN_F64, 1.5, &o->x, &o->c))
OPERATION(square_f32, square_run(exec, STN_F32, &o->a, &o->c))
OPERATION(keep_some, keep_some_run(exec, STN_F64, &o->a, &o->c))
OPERATION(keep_some_left, keep_some_run(exec, STN_F64, &o->a, &o->b))
OPERATION(five, five_run(exec, STN_F64, &o->a, &o->c))
OPERATION(five_left, five_run(exec, STN_F64, &o->b, &o->c))
OPERATION(move_back, move_back_run(exec, STN_F64, &o->a, &o->c))
OPERATION(transpose, transpose_run(exec, STN_F64, &o->a, &o->c))
OPERATION(spread, spread_run(exec, STN_F64, &o->x, &o->y))
OPERATION(axpy, stn_axpy(exec, STN_F64, 0.25, &o->x, &o->y))
OPERATION(axpby, stn_axpby(exec, STN_F64, 0.25, &o->x, -1.5, &o->y))
OPERATION(scal, stn_scal(exec, STN_F64, 1.25, &o->x))
OPERATION(swap, stn_swap(exec, STN_F64, &o->x, &o->y))
OPERATION(rot, stn_rot(exec, STN_F64, &o->x, &o->y, 0.6, 0.8))
OPERATION(gemv, stn_gemv(exec, STN_F64, 1.5, &o->a, &o->x, 0.5, &o->y))
OPERATION(gemv_left, stn_gemv(exec, STN_F64, 1.5, &o->b, &o->x, 0.0, &o->y))
OPERATION(gemv_f32, stn_gemv(exec, STN_F32, 1.5, &o->a, &o->x, 0.5, &o->y))
OPERATION(symv, stn_symv(exec, STN_F64, STN_LOWER, 1.5, &o->a, &o->x, 0.5, &o->y))
OPERATION(trmv,
          stn_trmv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &o->a, &o->x))
OPERATION(trsv,
          stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &o->a, &o->x))
OPERATION(trsv_upper,
          stn_trsv(exec, STN_F64, STN_UPPER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &o->a, &o->x))
OPERATION(ger, stn_ger(exec, STN_F64, 0.5, &o->x, &o->y, &o->c))
OPERATION(ger_left, stn_ger(exec, STN_F64, 0.5, &o->x, &o->y, &o->b))
OPERATION(syr, stn_syr(exec, STN_F64, STN_UPPER, 0.5, &o->x, &o->c))
OPERATION(gemm, stn_gemm(exec, STN_F64, 0.5, &o->a, &o->b, 0.25, &o->c))
OPERATION(gemm_left, stn_gemm(exec, STN_F32, 0.5, &o->a, &o->c, 0.0, &o->b))
OPERATION(syrk, stn_syrk(exec, STN_F64, STN_LOWER, 0.5, &o->a, 0.25, &o->c))
OPERATION(trsm, stn_trsm(exec, STN_F64, STN_SIDE_LEFT, STN_LOWER, STN_DIAGONAL_NON_UNIT,
                         STN_NO_CONJUGATE, 0.5, &o->a, &o->c))
OPERATION(cumsum, stn_cumsum(exec, STN_F64, &o->c, &o->a, 1))
OPERATION(cumsum_down, stn_cumsum(exec, STN_F64, &o->c, &o->a, 0))
OPERATION(row_sums, stn_sum_into(exec, STN_F64, &o->y, &o->a, 1u << 1))
OPERATION(column_sums, stn_sum_into(exec, STN_F64, &o->y, &o->a, 1u << 0))
OPERATION(combine_f32, combine_run(exec, STN_F32, 1.5, &o->b, &o->c))
OPERATION(rotm, stn_rotm(exec, STN_F64, &o->x, &o->y, rotation))
OPERATION(syr2, stn_syr2(exec, STN_F64, STN_LOWER, 0.5, &o->x, &o->y, &o->c))
OPERATION(syr2_left, stn_syr2(exec, STN_F64, STN_UPPER, 0.5, &o->x, &o->y, &o->b))
OPERATION(symm, stn_symm(exec, STN_F64, STN_SIDE_LEFT, STN_LOWER, 0.5, &o->a, &o->b, 0.25, &o->c))
OPERATION(syr2k, stn_syr2k(exec, STN_F64, STN_UPPER, 0.5, &o->a, &o->b, 0.25, &o->c))
OPERATION(trmm, stn_trmm(exec, STN_F64, STN_SIDE_RIGHT, STN_LOWER, STN_DIAGONAL_NON_UNIT, 0.5,
                         STN_NO_CONJUGATE, &o->a, &o->c))
OPERATION(cumsum_f32, stn_cumsum(exec, STN_F32, &o->b, &o->a, 1))
OPERATION(row_means, stn_mean_into(exec, STN_F64, &o->y, &o->a, 1u << 1))
OPERATION(row_variances, stn_variance_into(exec, STN_F64, &o->y, &o->b, 1u << 1, 1))
OPERATION(column_minima, stn_min_into(exec, STN_F64, &o->y, &o->a, 1u << 0))
OPERATION(row_maxima, stn_max_into(exec, STN_F32, &o->y, &o->b, 1u << 1))
OPERATION(row_norms, stn_norm_into(exec, STN_F64, &o->y, &o->a, 1u << 1))

#define ROW(name)                                                                                  \
    {                                                                                              \
#        name, run_##name                                                                          \
    }
static const struct {
    const char *name;
    operation *run;
} operations[] = {ROW(copy),
                  ROW(copy_left),
                  ROW(copy_to_left),
                  ROW(fill),
                  ROW(combine),
                  ROW(combine_mixed),
                  ROW(combine_left),
                  ROW(combine_rows),
                  ROW(square_f32),
                  ROW(keep_some),
                  ROW(keep_some_left),
                  ROW(five),
                  ROW(five_left),
                  ROW(move_back),
                  ROW(transpose),
                  ROW(spread),
                  ROW(axpy),
                  ROW(axpby),
                  ROW(scal),
                  ROW(swap),
                  ROW(rot),
                  ROW(gemv),
                  ROW(gemv_left),
                  ROW(gemv_f32),
                  ROW(symv),
                  ROW(trmv),
                  ROW(trsv),
                  ROW(trsv_upper),
                  ROW(ger),
                  ROW(ger_left),
                  ROW(syr),
                  ROW(gemm),
                  ROW(gemm_left),
                  ROW(syrk),
                  ROW(trsm),
                  ROW(cumsum),
                  ROW(cumsum_down),
                  ROW(row_sums),
                  ROW(column_sums),
                  ROW(combine_f32),
                  ROW(rotm),
                  ROW(syr2),
                  ROW(syr2_left),
                  ROW(symm),
                  ROW(syr2k),
                  ROW(trmm),
                  ROW(cumsum_f32),
                  ROW(row_means),
                  ROW(row_variances),
                  ROW(column_minima),
                  ROW(row_maxima),
                  ROW(row_norms)};

UNIT_TEST(operations_store_rounded_rows)
{
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++)
        for (int k = 0; k < COUNT_OF(operations); k++)
            for (int e = 0; e < EXECS; e++) {
                if (!getenv("STENO_TEST_FULL") && e != (k + format) % EXECS)
                    continue;
                operands blocks = create_operands(format), plain = create_operands(STN_F64);
                fill_operands(&blocks, &plain);
                expect_ok_for(operations[k].run(execs[e], &blocks), operations[k].name);
                expect_ok_for(operations[k].run(execs[e], &plain), operations[k].name);
                expect_same(operations[k].name, format, &blocks, &plain);
                release_operands(&blocks);
                release_operands(&plain);
            }
}

typedef stn_status query(const stn_exec *exec, double *result, operands *o);

#define QUERY(name, ...)                                                                           \
    static stn_status ask_##name(const stn_exec *exec, double *result, operands *o)                \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
QUERY(sum, stn_sum(exec, STN_F64, result, &o->a))
QUERY(sum_left, stn_sum(exec, STN_F32, result, &o->b))
QUERY(max, stn_max(exec, STN_F64, result, &o->a))
QUERY(variance, stn_variance(exec, STN_F64, result, &o->a, 1))
QUERY(norm, stn_norm(exec, STN_F64, result, &o->b))
QUERY(dot, stn_dot(exec, STN_F64, result, &o->x, &o->y))
QUERY(dot_f32, stn_dot(exec, STN_F32, result, &o->x, &o->y))
QUERY(nrm2, stn_nrm2(exec, STN_F64, result, &o->x))
QUERY(asum, stn_asum(exec, STN_F64, result, &o->x))
QUERY(mean, stn_mean(exec, STN_F32, result, &o->a))
QUERY(min, stn_min(exec, STN_F64, result, &o->b))

/* Indices as numbers. */
#define INDEX_QUERY(name, ...)                                                                     \
    static stn_status ask_##name(const stn_exec *exec, double *result, operands *o)                \
    {                                                                                              \
        int64_t index = -1;                                                                        \
        const stn_status status = __VA_ARGS__;                                                     \
        *result = (double)index;                                                                   \
        return status;                                                                             \
    }
INDEX_QUERY(argmax, stn_argmax(exec, STN_F64, &index, &o->a))
INDEX_QUERY(argmin, stn_argmin(exec, STN_F64, &index, &o->b))
INDEX_QUERY(iamax, stn_iamax(exec, STN_F64, &index, &o->x))

/* The same bits as from values in f64. */
UNIT_TEST(reductions_read_blocks)
{
    static query *const queries[] = {ask_sum, ask_sum_left, ask_max,    ask_variance, ask_norm,
                                     ask_dot, ask_dot_f32,  ask_nrm2,   ask_asum,     ask_mean,
                                     ask_min, ask_argmax,   ask_argmin, ask_iamax};
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        operands blocks = create_operands(format), plain = create_operands(STN_F64);
        fill_operands(&blocks, &plain);
        for (int k = 0; k < COUNT_OF(queries); k++)
            for (int e = 0; e < EXECS; e++) {
                double found = 0.0, expected = 1.0;
                expect_ok(queries[k](execs[e], &found, &blocks));
                expect_ok(queries[k](execs[e], &expected, &plain));
                if (memcmp(&found, &expected, sizeof found) != 0)
                    fail_msg("format %d, query %d, executor %d: %.17g, not %.17g", format, k, e,
                             found, expected);
            }
        release_operands(&blocks);
        release_operands(&plain);
    }
}

/* ---- parts, elements, memory ---- */

UNIT_TEST(slices_do_not_cut_blocks)
{
    const int64_t extents[] = {5, 100};
    stn_view view = create_view(NULL, "matrix", stn_storage_of(STN_BFP16), NULL, 2, extents, 0),
             part;
    double values[500], found[5 * 68];
    for (int k = 0; k < 500; k++)
        values[k] = k;
    const stn_view from = wrap_view("values", f64(), values, 2, extents);
    expect_ok(stn_view_copy(NULL, &view, &from));
    const stn_slice good[][2] = {{stn_slice_all(), stn_slice_range(32, 100)},
                                 {stn_slice_range(0, 5), stn_slice_strided(32, 68, 1)}};
    for (int k = 0; k < COUNT_OF(good); k++) {
        expect_ok(stn_view_slice(&part, &view, 2, good[k]));
        const stn_view to = wrap_view("found", f64(), found, 2, (const int64_t[]){5, 68});
        expect_ok(stn_view_copy(NULL, &to, &part));
        for (int e = 0; e < 5 * 68; e++)
            assert_true(found[e] == values[e / 68 * 100 + 32 + e % 68]);
        expect_ok(stn_view_fill(NULL, &part, 7.0));
        assert_true(VALUE_AT(&view, 3, 31) == 331.0 && VALUE_AT(&view, 3, 32) == 7.0);
        expect_ok(stn_view_copy(NULL, &view, &from));
    }
    const stn_slice bad[][2] = {{stn_slice_all(), stn_slice_range(16, 100)},
                                {stn_slice_all(), stn_slice_range(32, 90)},
                                {stn_slice_all(), stn_slice_strided(0, 50, 2)},
                                {stn_slice_all(), stn_slice_strided(99, 100, -1)},
                                {stn_slice_all(), stn_slice_index(32)}};
    for (int k = 0; k < COUNT_OF(bad); k++)
        expect_error(stn_view_slice(&part, &view, 2, bad[k]), STN_ERR_UNSUPPORTED,
                     "would cut blocks of 32 elements");
    const stn_slice row[] = {stn_slice_index(3), stn_slice_all()};
    expect_ok(stn_view_slice(&part, &view, 2, row));
    expect_ok(stn_view_fill(NULL, &part, 1.0));
    assert_true(VALUE_AT(&view, 3, 99) == 1.0 && VALUE_AT(&view, 4, 0) == 400.0);
    expect_ok(stn_view_release(&view));
}

/* The other elements of the block keep their values if these are exact with the new scale. */
UNIT_TEST(elements_are_read_and_written)
{
    const int64_t extents[] = {40};
    for (int k = 0; k < 2; k++) {
        stn_view view =
            create_view(NULL, "x", stn_storage_of(k ? STN_BFP16 : STN_BFP32), NULL, 1, extents, 0);
        for (int e = 0; e < 40; e++)
            expect_ok(STN_VIEW_SET(&view, 2.0 * e, e));
        expect_ok(STN_VIEW_SET(&view, 1e4, 5));
        for (int e = 0; e < 40; e++)
            assert_true(VALUE_AT(&view, e) == (e == 5 ? 1e4 : 2.0 * e));
        expect_ok(STN_VIEW_SET(&view, (double)NAN, 2));
        assert_true(isnan(VALUE_AT(&view, 1)) && VALUE_AT(&view, 32) == 64.0);
        expect_ok(stn_view_release(&view));
    }
}

/* Blocks in memory of the program, with inline and with separate scales. */
UNIT_TEST(memory_of_blocks)
{
    enum { ROWS = 3, COLUMNS = 40, BLOCKS = 2 * ROWS };
    const int64_t extents[] = {ROWS, COLUMNS};
    double values[ROWS * COLUMNS], found[ROWS * COLUMNS], expected[ROWS * COLUMNS];
    unsigned char codes[BLOCKS * 160], scales[BLOCKS * 3];
    for (int k = 0; k < ROWS * COLUMNS; k++)
        values[k] = value_of(2, k);
    const stn_view from = wrap_view("from", f64(), values, 2, extents);
    const stn_view to = wrap_view("to", f64(), found, 2, extents);
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        expect_ok(stn_format_describe(format, &info));
        if (info.block_elements == 16)
            continue; /* three blocks per row */
        memcpy(expected, values, sizeof expected);
        round_rows(format, expected, ROWS, COLUMNS);
        for (int separate = 0; separate < 2; separate++) {
            stn_view view, again;
            stn_block_arrays arrays =
                STN_INIT(stn_block_arrays, .codes = codes, .scales = separate ? scales : NULL,
                         .scale_step = separate ? 3 : 0);
            const stn_view_spec spec =
                STN_VIEW_SPEC(.storage = stn_storage_of(format), .rank = 2, .extents = extents);
            memset(codes, 0, sizeof codes);
            memset(scales, 0, sizeof scales);
            expect_ok(stn_view_wrap_blocks(&view, &spec, &arrays));
            expect_ok(stn_view_copy(NULL, &view, &from));
            expect_ok(stn_view_wrap_blocks(&again, &spec, &arrays));
            expect_ok(stn_view_copy(NULL, &to, &again));
            assert_memory_equal(found, expected, sizeof found);
            stn_block_arrays known = STN_BLOCK_ARRAYS_INIT;
            expect_ok(stn_view_blocks(&view, &known));
            assert_true(known.blocks == BLOCKS && known.row_blocks == 2);
            assert_ptr_equal(known.scales, separate ? scales : codes);
            /* a row in contiguous inline blocks is what stn_decode reads */
            const stn_storage storage = stn_storage_of(format);
            if (!separate) {
                expect_ok(
                    stn_decode(STN_F64, found, &storage, codes + 2 * info.block_bytes, 1, COLUMNS));
                assert_memory_equal(found, expected + COLUMNS, COLUMNS * sizeof *found);
            }
            expect_ok(stn_view_release(&view));
            expect_ok(stn_view_release(&again));
        }
    }
}

/* A kernel that stores some elements of blocks: stn_view_blocks encodes them. */
UNIT_TEST(incomplete_blocks_are_encoded)
{
    const int64_t extents[] = {32};
    unsigned char codes[66] = {0}, expected[66];
    double values[32];
    stn_view view, x = create_view(NULL, "x", f64(), NULL, 1, extents, 0);
    stn_block_arrays arrays = STN_INIT(stn_block_arrays, .codes = codes);
    const stn_storage storage = stn_storage_of(STN_BFP16);
    const stn_view_spec spec = STN_VIEW_SPEC(.storage = storage, .rank = 1, .extents = extents);
    expect_ok(stn_view_wrap_blocks(&view, &spec, &arrays));
    for (int k = 0; k < 32; k++) {
        expect_ok(STN_VIEW_SET(&x, k % 3 ? 1.5 * k : -1.0, k));
        values[k] = k % 3 ? 4.5 * k : 0.0;
    }
    expect_ok(keep_some_run(execs[0], STN_F64, &x, &view));
    expect_ok(stn_view_blocks(&view, &arrays));
    expect_ok(stn_encode(STN_F64, &storage, expected, 1, 0, values, 32));
    assert_memory_equal(codes, expected, sizeof codes);
    expect_ok(stn_view_release(&view));
    expect_ok(stn_view_release(&x));
}

UNIT_TEST(shapes_of_each_rank)
{
    const int64_t extents[] = {2, 3, 4, 37}, empty[] = {3, 0};
    static double values[2 * 3 * 4 * 37];
    for (int k = 0; k < 2 * 3 * 4 * 37; k++)
        values[k] = k % 100;
    for (int rank = 0; rank <= 4; rank++) {
        const int64_t *const last = extents + (rank > 0 ? 4 - rank : 0);
        double sum = 0.0, expected = 1.0;
        const stn_view from = wrap_view("from", f64(), values, rank, last);
        stn_view view = create_view(NULL, "x", stn_storage_of(STN_BFP16), NULL, rank, last, 0);
        expect_ok(stn_view_copy(execs[2], &view, &from));
        expect_ok(stn_sum(execs[2], STN_F64, &sum, &view));
        expect_ok(stn_sum(execs[2], STN_F64, &expected, &from));
        assert_true(sum == expected);
        expect_ok(stn_view_release(&view));
    }
    stn_view view = create_view(NULL, "x", stn_storage_of(STN_BFP16), NULL, 2, empty, 0);
    double sum = 1.0;
    expect_ok(stn_view_fill(NULL, &view, 1.0));
    expect_ok(stn_sum(execs[2], STN_F64, &sum, &view));
    assert_true(sum == 0.0);
    expect_ok(stn_view_release(&view));
}

UNIT_TEST(scales_of_views_apply)
{
    const int64_t extents[] = {48};
    stn_storage storage = stn_storage_of(STN_NVFP4);
    double values[48];
    for (int k = 0; k < 48; k++)
        values[k] = 1e6 * sin(k);
    expect_ok(stn_storage_fit_scale(&storage, STN_F64, values, 48, STN_SCALE_EXACT));
    stn_view view = create_view(NULL, "x", storage, NULL, 1, extents, 0);
    const stn_view from = wrap_view("from", f64(), values, 1, extents);
    expect_ok(stn_view_copy(NULL, &view, &from));
    for (int k = 0; k < 48; k++)
        assert_true(fabs(VALUE_AT(&view, k) - values[k]) <= 1e6 / 6 * 1.07);
    expect_ok(stn_view_release(&view));
}

/* ---- rows at a distance of more blocks than they have ---- */

UNIT_TEST(padded_rows_have_the_elements_of_contiguous_ones)
{
    enum { ROWS = 3, COLUMNS = 70, STRIDE = 160 };
    static const int64_t extents[] = {2, ROWS, COLUMNS}, strides[] = {ROWS * STRIDE, STRIDE, 1};
    static double values[2 * ROWS * COLUMNS], found[2 * ROWS * COLUMNS], known[2 * ROWS * COLUMNS];
    const stn_layout layout = stn_layout_strided(3, strides);
    for (int k = 0; k < COUNT_OF(values); k++)
        values[k] = value_of(1, k);
    const stn_view from = wrap_view("values", f64(), values, 3, extents);
    const stn_view to = wrap_view("found", f64(), found, 3, extents);
    const stn_view expected = wrap_view("known", f64(), known, 3, extents);
    for (stn_format format = STN_BUILTIN_FORMATS; format < STN_FIRST_REGISTERED; format++) {
        const int64_t elements = format == STN_NVFP4 ? 16 : 32;
        stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
        stn_view padded = create_view(NULL, "p", stn_storage_of(format), &layout, 3, extents, 0);
        stn_view rows = create_view(NULL, "r", stn_storage_of(format), NULL, 3, extents, 0);
        for (int e = 0; e < EXECS; e++) {
            memset(found, 0, sizeof found);
            expect_ok(stn_view_copy(execs[e], &padded, &from));
            expect_ok(stn_view_copy(execs[e], &rows, &from));
            expect_ok(stn_view_copy(execs[e], &to, &padded));
            expect_ok(stn_view_copy(execs[e], &expected, &rows));
            assert_memory_equal(found, known, sizeof found);
        }
        expect_ok(STN_VIEW_SET(&padded, 0.5, 0, 0, COLUMNS - 1));
        expect_ok(STN_VIEW_SET(&rows, 0.5, 0, 0, COLUMNS - 1));
        for (int64_t c = 0; c < COLUMNS; c++)
            assert_true(VALUE_AT(&padded, 0, 0, c) == VALUE_AT(&rows, 0, 0, c));
        expect_ok(stn_view_blocks(&padded, &arrays));
        assert_int_equal(arrays.row_blocks, STRIDE / elements);
        assert_int_equal(arrays.blocks, 2 * ROWS * STRIDE / elements);
        expect_ok(stn_view_release(&padded));
        expect_ok(stn_view_release(&rows));
    }
}

UNIT_TEST(distances_of_rows_that_are_not_complete_blocks_are_refused)
{
    static const int64_t extents[] = {2, 3, 70}, refused[][3] = {{480, 168, 1},
                                                                 {192, 64, 1},
                                                                 {960, 160, 2},
                                                                 {448, 160, 1},
                                                                 {1, 160, 480}};
    stn_view view;
    for (int k = 0; k < COUNT_OF(refused); k++) {
        const stn_layout layout = stn_layout_strided(3, refused[k]);
        expect_error(
            stn_view_create_spec(NULL, &view,
                                 &STN_VIEW_SPEC(.storage = stn_storage_of(STN_BFP16),
                                                .layout = &layout, .rank = 3, .extents = extents)),
            STN_ERR_UNSUPPORTED, "rows at a distance of complete blocks");
    }
}

/* ---- errors ---- */

UNIT_TEST(what_blocks_cannot_do_is_refused)
{
    const int64_t extents[] = {4, 64}, indices[] = {1, 2}, strides[] = {100, 1};
    stn_storage storage = stn_storage_of(STN_MXFP4);
    stn_view view = create_view(NULL, "m", storage, NULL, 2, extents, 0), other;
    stn_view_spec spec = STN_VIEW_SPEC(.storage = storage, .rank = 2, .extents = extents);
    stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
    unsigned char codes[4096];
    void *address;
    int64_t whole = 0;
    expect_error(stn_view_address(&view, 2, indices, &address), STN_ERR_UNSUPPORTED,
                 "stored in blocks");
    expect_error(stn_view_atomic_add(&view, 2, indices, 1.0), STN_ERR_UNSUPPORTED,
                 "stored in blocks");
    expect_error(stn_view_resize(NULL, &view, 2, extents, 0), STN_ERR_UNSUPPORTED, "blocks");
    expect_error(stn_view_wrap(&other, "w", storage, codes, 2, extents), STN_ERR_UNSUPPORTED,
                 "stn_view_wrap_blocks");
    spec.strides = strides;
    expect_error(stn_view_create_spec(NULL, &other, &spec), STN_ERR_UNSUPPORTED, "layout strided");
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_ARGUMENT, "strides");
    spec.strides = NULL;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_ARGUMENT, "codes is NULL");
    arrays.codes = codes;
    arrays.code_step = 3;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_ARGUMENT, "at least 17");
    expect_error(stn_view_wrap_blocks(NULL, &spec, &arrays), STN_ERR_ARGUMENT, "view is NULL");
    spec.storage.format = STN_F16;
    expect_error(stn_view_wrap_blocks(&other, &spec, &arrays), STN_ERR_FORMAT, "f16");
    storage.zero = 1.0;
    expect_error(stn_view_create(NULL, &other, "z", storage, 2, extents), STN_ERR_UNSUPPORTED,
                 "zero point");
    storage.zero = 0.0;
    storage.rounding = STN_ROUND_TOWARD_ZERO;
    expect_error(stn_view_create(NULL, &other, "r", storage, 2, extents), STN_ERR_UNSUPPORTED,
                 "rounds to nearest");
    storage.rounding = STN_ROUND_NEAREST;
    expect_error(stn_sum_integer(execs[0], STN_I64, &whole, &view), STN_ERR_UNSUPPORTED,
                 "f64 or f32");
    expect_error(stn_decode(STN_F64, codes + 2048, &storage, codes, 2, 64), STN_ERR_UNSUPPORTED,
                 "stride is 2");
    const stn_slice half[] = {stn_slice_all(), stn_slice_range(0, 32)};
    expect_ok(stn_view_slice(&other, &view, 2, half));
    expect_error(stn_view_blocks(&other, &arrays), STN_ERR_UNSUPPORTED, "all elements");
    expect_ok(stn_view_release(&view));
}

int main(void)
{
    return run_unit_tests("blocks", create_execs, release_execs);
}
