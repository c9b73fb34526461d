/* Every call that writes refuses views that are read-only, and every call reads arrays in memory
 * that cannot be written. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sparse_arrays.h"
#include "matrix.h"
#include "steno/sparse_operations.h"
#include "check.h"

enum { N = 3, PAGE = 4096 };

/* A matrix, vectors and factors in a page that becomes read-only. */
typedef struct page {
    int64_t start[N + 1];
    int32_t narrow_start[N + 1], row[6], column[6], padded[2 * N];
    double value[6], padded_value[2 * N], vector[N], other[N], pair[2 * N];
    stn_c128 complex_vector[N];
} page;

static page *make_page(void)
{
    page *const p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(p != MAP_FAILED && sizeof *p <= PAGE);
    *p = (page){.start = {0, 1, 3, 5},
                .narrow_start = {0, 1, 3, 5},
                .row = {0, 1, 1, 2, 2},
                .column = {0, 0, 1, 1, 2},
                .padded = {0, -1, 0, 1, 1, 2},
                .value = {2, 3, 4, 5, 6},
                .padded_value = {2, 0, 3, 4, 5, 6},
                .vector = {1, 2, 3},
                .other = {4, 5, 6}};
    assert_int_equal(mprotect(p, PAGE, PROT_READ), 0);
    return p;
}

/* How a view is read-only. */
typedef enum protection { BY_WRAP, BY_MEMBER, BY_TRAIT, WAYS } protection;

static stn_view read_only(protection way, stn_format format, const void *data, int rank,
                          const int64_t *extents)
{
    stn_view view;
    const stn_storage storage = stn_storage_of(format);
    if (way == BY_WRAP)
        expect_ok(stn_view_wrap_const(&view, "read-only", storage, data, rank, extents));
    else
        expect_ok(
            stn_view_wrap(&view, "read-only", storage, (void *)(uintptr_t)data, rank, extents));
    if (way == BY_MEMBER)
        view.read_only = 1;
    if (way == BY_TRAIT)
        view.traits |= STN_TRAIT_RANDOM_ACCESS;
    return view;
}

/* The matrix by views of the page: row starts of 64 or 32 bits. */
static stn_matrix *make_rows(const page *p, protection way, int is_narrow)
{
    static const int64_t starts = N + 1, entries = 5;
    stn_matrix *made;
    stn_view start = read_only(way, is_narrow ? STN_I32 : STN_I64,
                               is_narrow ? (const void *)p->narrow_start : p->start, 1, &starts);
    stn_view column = read_only(way, STN_I32, p->column, 1, &entries);
    stn_view value = read_only(way, STN_F64, p->value, 1, &entries);
    expect_ok(wrap_csr_views(&made, "mike", N, &start, &column, &value));
    return made;
}

static stn_matrix *make_kind(const page *p, stn_matrix_kind kind)
{
    static const int64_t entries = 5, table[2] = {N, 2};
    stn_matrix *made, *rows = make_rows(p, BY_WRAP, 0);
    stn_view row = read_only(BY_WRAP, STN_I32, p->row, 1, &entries);
    stn_view column = read_only(BY_WRAP, STN_I32, p->column, 1, &entries);
    stn_view value = read_only(BY_WRAP, STN_F64, p->value, 1, &entries);
    stn_view padded = read_only(BY_WRAP, STN_I32, p->padded, 2, table);
    stn_view padded_value = read_only(BY_WRAP, STN_F64, p->padded_value, 2, table);
    if (kind == STN_MATRIX_CSR)
        return rows;
    if (kind == STN_MATRIX_COO)
        expect_ok(wrap_coo(&made, "mike", N, N, &row, &column, &value, STN_DUPLICATES_SUM));
    else if (kind == STN_MATRIX_ELL)
        expect_ok(wrap_ell(&made, "mike", N, &padded, &padded_value));
    else
        expect_ok(stn_sparse_convert(NULL, &made, rows, kind, NULL));
    stn_matrix_release(rows);
    return made;
}

/* ---- results ---- */

typedef struct operands {
    const stn_exec *exec;
    const stn_matrix *a;
    const stn_view *x, *result, *pair, *complex_result;
} operands;

static stn_status multiply(const operands *o)
{
    return stn_spmv(o->exec, STN_F64, 1, o->a, o->x, 0, o->result);
}

static stn_status multiply_pair(const operands *o)
{
    double x[2 * N] = {0};
    const int64_t extents[2] = {N, 2};
    stn_view view;
    expect_ok(stn_view_wrap(&view, "x", stn_storage_of(STN_F64), x, 2, extents));
    return stn_spmv(o->exec, STN_F64, 1, o->a, &view, 0, o->pair);
}

static stn_status multiply_complex(const operands *o)
{
    stn_c128 x[N] = {{1, 2}};
    const int64_t n = N;
    const stn_c128 one = {1, 0}, zero = {0, 0};
    stn_view view;
    expect_ok(stn_view_wrap(&view, "x", stn_storage_of(STN_C128), x, 1, &n));
    return stn_spmv_complex(o->exec, STN_C128, one, o->a, &view, zero, o->complex_result);
}

static stn_status multiply_transposed(const operands *o)
{
    return stn_spmv_transposed(o->exec, STN_F64, 1, o->a, o->x, 0, o->result);
}

static stn_status find_residual(const operands *o)
{
    return stn_sparse_residual(o->exec, STN_F64, o->result, o->x, o->a, o->x);
}

static stn_status solve(const operands *o)
{
    stn_triangular *t;
    expect_ok(stn_triangular_create(o->exec, &t, o->a, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    const stn_status status = stn_triangular_solve(o->exec, STN_F64, o->result, t, o->x);
    stn_triangular_release(t);
    return status;
}

static stn_status find_diagonal(const operands *o)
{
    return stn_sparse_diagonal(o->exec, STN_F64, o->result, o->a);
}

static stn_status find_row_norms(const operands *o)
{
    return stn_sparse_row_norms(o->exec, STN_F64, o->result, o->a, STN_SPARSE_NORM_1);
}

static stn_status find_column_norms(const operands *o)
{
    return stn_sparse_column_norms(o->exec, STN_F64, o->result, o->a, STN_SPARSE_NORM_2);
}

UNIT_TEST(test_results)
{
    static stn_status (*const writers[])(const operands *) = {
        multiply, multiply_pair, multiply_complex, multiply_transposed, find_residual,
        solve,    find_diagonal, find_row_norms,   find_column_norms};
    const page *const p = make_page();
    const int64_t n = N, pair_extents[2] = {N, 2};
    const stn_view x = read_only(BY_WRAP, STN_F64, p->vector, 1, &n);
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++)
        for (protection way = 0; way < WAYS; way++)
            for (int e = 0; e < 2; e++) {
                stn_matrix *a = make_kind(p, kind);
                const stn_view result = read_only(way, STN_F64, p->other, 1, &n);
                const stn_view pair = read_only(way, STN_F64, p->pair, 2, pair_extents);
                const stn_view complex_result = read_only(way, STN_C128, p->complex_vector, 1, &n);
                const operands o = {order_use(e), a, &x, &result, &pair, &complex_result};
                for (size_t k = 0; k < sizeof writers / sizeof *writers; k++)
                    says(writers[k](&o), STN_ERR_ARGUMENT, "read-only", "");
                stn_matrix_release(a);
            }
}

/* ---- values ---- */

UNIT_TEST(test_values)
{
    const page *const p = make_page();
    const int64_t n = N;
    const stn_view by = read_only(BY_WRAP, STN_F64, p->vector, 1, &n);
    stn_matrix *pattern;
    for (protection way = 0; way < WAYS; way++)
        for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
            stn_matrix *made, *a = make_rows(p, way, is_narrow);
            says(stn_sparse_scale(order_use(0), STN_F64, a, &by, NULL), STN_ERR_ARGUMENT,
                 "stn_sparse_scale: the values of mike are read-only", "");
            expect_ok(stn_matrix_mirror(NULL, &made, a)); /* a copy of its own may be written */
            expect_ok(stn_sparse_scale(order_use(0), STN_F64, made, &by, NULL));
            stn_matrix_release(made);
            for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_SLICED; kind++) {
                expect_ok(stn_sparse_convert(NULL, &made, a, kind, NULL));
                expect_ok(stn_sparse_scale(order_use(0), STN_F64, made, &by, NULL));
                stn_matrix_release(made);
            }
            stn_matrix_release(a);
        }
    const int64_t starts = N + 1, entries = 5;
    const stn_view start = read_only(BY_WRAP, STN_I64, p->start, 1, &starts);
    const stn_view column = read_only(BY_WRAP, STN_I32, p->column, 1, &entries);
    expect_ok(wrap_csr_views(&pattern, "mike", N, &start, &column, NULL));
    says(stn_sparse_scale(order_use(0), STN_F64, pattern, &by, NULL), STN_ERR_ARGUMENT, "read-only",
         "mike");
    stn_matrix_release(pattern);
}

/* Values that may be written, of views of any kind. */
UNIT_TEST(test_scaling_of_views)
{
    static const stn_format formats[] = {STN_I64, STN_I32, STN_U8};
    const page *const p = make_page();
    const int64_t n = N, starts = N + 1, entries = 5;
    const stn_view by = read_only(BY_WRAP, STN_F64, p->vector, 1, &n);
    const stn_view other = read_only(BY_WRAP, STN_F64, p->other, 1, &n);
    for (int f = 0; f < 3; f++)
        for (int64_t stride = 1; stride < 4; stride++)
            for (int e = 0; e < 2; e++) {
                unsigned char start[8 * (N + 1)], column[8 * 5];
                float values[15];
                stn_view start_view, column_view, value_view;
                stn_matrix *a;
                const stn_storage storage = stn_storage_of(formats[f]);
                for (int k = 0; k < 15; k++)
                    values[k] =
                        k % stride == 0 && k / stride < 5 ? (float)p->value[k / stride] : -7.0f;
                for (int k = 0; k <= N; k++)
                    expect_ok(stn_encode(STN_I64, &storage, start, 1, 0, p->start, N + 1));
                const int64_t columns[] = {0, 0, 1, 1, 2};
                expect_ok(stn_encode(STN_I64, &storage, column, 1, 0, columns, entries));
                expect_ok(stn_view_wrap(&start_view, "start", storage, start, 1, &starts));
                expect_ok(stn_view_wrap(&column_view, "column", storage, column, 1, &entries));
                expect_ok(stn_view_wrap_spec(
                    &value_view,
                    &STN_VIEW_SPEC(.label = "value", .storage = stn_storage_of(STN_F32),
                                   .data = values, .rank = 1, .extents = &entries,
                                   .strides = &stride)));
                expect_ok(wrap_csr_views(&a, "mike", N, &start_view, &column_view, &value_view));
                expect_ok(stn_sparse_scale(order_use(e), STN_F64, a, &by, &other));
                stn_matrix_release(a);
                for (int k = 0; k < 15; k++) {
                    const int entry = (int)(k / stride);
                    if (k % stride == 0 && entry < 5)
                        assert_true(values[k] ==
                                    (float)(p->value[entry] * p->vector[p->row[entry]] *
                                            p->other[p->column[entry]]));
                    else
                        assert_true(values[k] == -7.0f);
                }
            }
}

UNIT_TEST(test_refused_scaling)
{
    const page *const p = make_page();
    const int64_t n = N;
    const stn_view by = read_only(BY_WRAP, STN_F64, p->vector, 1, &n);
    double value[5] = {1, 2, 3, 4, 5};
    stn_matrix *a;
    for (stn_matrix_kind kind = STN_MATRIX_COO; kind <= STN_MATRIX_SELL; kind++) {
        a = make_kind(p, kind);
        says(stn_sparse_scale(order_use(0), STN_F64, a, &by, NULL), STN_ERR_UNSUPPORTED,
             "mike is of kind", "STN_MATRIX_CSR");
        stn_matrix_release(a);
    }
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), N, N, p->start, p->column, value));
    expect_ok(stn_matrix_set_row_scales(a, &by));
    says(stn_sparse_scale(order_use(0), STN_F64, a, &by, NULL), STN_ERR_UNSUPPORTED,
         "scales of rows", "mike");
    stn_matrix_release(a);
}

/* ---- operands ---- */

UNIT_TEST(test_operands)
{
    const page *const p = make_page();
    const stn_storage f16 = stn_storage_of(STN_F16);
    const int64_t order[] = {2, 0, 1};
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_PACKED; kind++) {
        stn_matrix *a = make_kind(p, kind), *made;
        for (stn_matrix_kind other = STN_MATRIX_CSR; other <= STN_MATRIX_PACKED; other++) {
            expect_ok(stn_sparse_convert(order_use(0), &made, a, other, NULL));
            stn_matrix_release(made);
        }
        expect_ok(stn_sparse_transpose(order_use(0), &made, a));
        stn_matrix_release(made);
        expect_ok(stn_sparse_sort(order_use(0), &made, a));
        stn_matrix_release(made);
        expect_ok(stn_sparse_permute(order_use(0), &made, a, order, order));
        stn_matrix_release(made);
        expect_ok(stn_sparse_extract(order_use(0), &made, a, 0, 2, 0, 2));
        stn_matrix_release(made);
        expect_ok(stn_sparse_add(order_use(0), STN_F64, &made, 1, a, 2, a, &f16));
        stn_matrix_release(made);
        expect_ok(stn_sparse_compensate(order_use(0), &made, a, &f16));
        stn_matrix_release(made);
        stn_matrix_release(a);
    }
}

RUN_UNIT_TESTS(NULL, release_executors)
