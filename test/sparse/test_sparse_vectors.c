/* Products with several right-hand sides whose columns are contiguous: each column has the bits of
 * a separate product, in every kind of slice, and gaps between columns are not written. */
#include <math.h>

#include "matrix.h"
#include "order_oracle.h"
#include "steno/sparse.h"
#include "check.h"

enum { ROWS = 90, COLUMNS = 120, MOST = 2600, MOST_VECTORS = 9, GAP = 3, LONG_ROW = 150 };

static double any(uint64_t *state)
{
    return (double)(int64_t)(order_next(state) % 2001 - 1000) / 700;
}

typedef struct entries {
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[MOST];
    int64_t count;
} entries;

static void add(entries *a, int64_t column, double value)
{
    a->column[a->count] = (int32_t)column;
    a->value[a->count++] = value;
}

/* Rows that slices store in each of their kinds: 16 rows with the same entries, in the first slice
 * also with the same values; rows without some entries of their neighbors; 7, 27 and 36 entries;
 * random columns, and a row of more than a tile. */
static stn_matrix *make(uint64_t *state)
{
    static entries a;
    stn_matrix *result;
    a.count = 0;
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t slice = row / 16, width = slice == 4 ? 36 : slice >= 2 ? 27 : 7;
        a.start[row] = a.count;
        for (int64_t e = 0; e < width && slice < 5; e++)
            if (slice % 2 == 0 || (row + e) % 5 != 0)
                add(&a, row + e, slice == 0 ? (double)(e + 1) / 8.0 : any(state));
        for (int64_t e = 0; e < (row == 85 ? LONG_ROW : row % 9) && slice == 5; e++)
            add(&a, (int64_t)(order_next(state) % COLUMNS), any(state));
    }
    a.start[ROWS] = a.count;
    assert_true(a.count <= MOST);
    expect_ok(wrap_csr(&result, "mike", stn_storage_of(STN_F64), ROWS, COLUMNS, a.start, a.column,
                       a.value));
    return result;
}

typedef struct vectors {
    double wide[MOST_VECTORS * (COLUMNS + GAP)];
    float narrow[MOST_VECTORS * (COLUMNS + GAP)];
} vectors;

static void fill(vectors *v, int64_t rows, uint64_t *state)
{
    for (int64_t k = 0; k < MOST_VECTORS * (rows + GAP); k++) {
        v->narrow[k] = k % (rows + GAP) >= rows ? NAN : (float)any(state);
        v->wide[k] = (double)v->narrow[k];
    }
}

/* `count` vectors from vector `first` on; one is of rank 1. */
static stn_view view_of(vectors *v, stn_format arithmetic, int64_t rows, int64_t first,
                        int64_t count)
{
    const int64_t extents[] = {rows, count}, strides[] = {1, rows + GAP}, at = first * (rows + GAP);
    void *const data = arithmetic == STN_F64 ? (void *)(v->wide + at) : v->narrow + at;
    stn_view view;
    expect_ok(stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "victor",
                                                       .storage = stn_storage_of(arithmetic),
                                                       .data = data, .rank = count == 1 ? 1 : 2,
                                                       .extents = extents, .strides = strides)));
    return view;
}

static void check(const stn_matrix *a, stn_format arithmetic, int number, uint64_t *state)
{
    static vectors x, old, y, expected;
    const int64_t count = number % MOST_VECTORS + 1;
    const double alpha = number % 2 ? 1.0 : 0.7, beta = number % 3 ? 0.0 : -0.3;
    fill(&x, COLUMNS, state);
    fill(&old, ROWS, state);
    expected = old;
    for (int64_t k = 0; k < count; k++) {
        const stn_view from = view_of(&x, arithmetic, COLUMNS, k, 1),
                       to = view_of(&expected, arithmetic, ROWS, k, 1);
        expect_ok(stn_spmv(order_use(0), arithmetic, alpha, a, &from, beta, &to));
    }
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, number))
            continue;
        y = old;
        const stn_view from = view_of(&x, arithmetic, COLUMNS, 0, count),
                       to = view_of(&y, arithmetic, ROWS, 0, count);
        expect_ok(stn_spmv(order_use(setting), arithmetic, alpha, a, &from, beta, &to));
        if (memcmp(&y, &expected, sizeof y) != 0)
            fail_msg("%d vectors, kind %d, values of format %d, arithmetic %d, on %s", (int)count,
                     (int)a->kind, (int)a->storage.format, (int)arithmetic,
                     order_setting_name(setting));
    }
}

static void check_all(const stn_matrix *a, uint64_t *state)
{
    static int number;
    for (int k = 0; k < 2 * MOST_VECTORS; k++)
        check(a, k % 2 ? STN_F32 : STN_F64, number++, state);
}

UNIT_TEST(test_kinds)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I8};
    static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_COO, STN_MATRIX_SLICED,
                                            STN_MATRIX_PACKED};
    uint64_t state = 11;
    stn_matrix *const given = make(&state);
    for (int k = 0; k < 4 * 4; k++) {
        stn_storage storage = stn_storage_of(formats[k % 4]);
        stn_matrix *rounded, *a;
        if (formats[k % 4] == STN_I8)
            storage.scale = 1.0 / 64.0;
        expect_ok(stn_sparse_convert(NULL, &rounded, given, STN_MATRIX_CSR, &storage));
        expect_ok(stn_sparse_convert(NULL, &a, rounded, kinds[k / 4], NULL));
        check_all(a, &state);
        stn_matrix_release(a);
        stn_matrix_release(rounded);
    }
    stn_matrix_release(given);
}

/* The first planes and all planes of segmented values. */
UNIT_TEST(test_planes)
{
    uint64_t state = 13;
    stn_matrix *const given = make(&state);
    stn_matrix *sliced, *all, *first;
    expect_ok(stn_sparse_convert(NULL, &sliced, given, STN_MATRIX_SLICED, NULL));
    expect_ok(stn_matrix_segment(NULL, &all, sliced));
    expect_ok(stn_matrix_planes(&first, all, 2));
    check_all(all, &state);
    check_all(first, &state);
    stn_matrix_release(first);
    stn_matrix_release(all);
    stn_matrix_release(sliced);
    stn_matrix_release(given);
}

RUN_UNIT_TESTS(NULL, release_executors)
