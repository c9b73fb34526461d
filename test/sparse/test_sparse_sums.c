/* Sums of repeated entries in every format: exact or refused, and values that are not summed keep
 * their bits; rows sorted by columns. */
#include <math.h>
#include <stdlib.h>

#include "sparse_arrays.h"
#include "matrix.h"
#include "steno/sparse_operations.h"
#include "check.h"

/* ---- sums in every format: raw codes, added by position ---- */

enum { SUMMED = 60, SUM_ROWS = 5, SUM_COLUMNS = 8 };

typedef struct sums {
    stn_storage storage;
    stn_format_info info;
    int32_t row[SUMMED], column[SUMMED];
    unsigned char codes[SUMMED * 16];
    stn_matrix *coo;
} sums;

__extension__ typedef __int128 exact;

static exact integer_of(const sums *s, int k)
{
    int64_t code = 0;
    const int shift = 64 - s->info.bits;
    memcpy(&code, s->codes + k * s->info.bytes, (size_t)s->info.bytes); /* little endian */
    if (!s->info.is_signed)
        return (exact)((uint64_t)code << shift >> shift);
    return (exact)((int64_t)((uint64_t)code << shift) >> shift);
}

/* Few columns have one entry, most several; codes are any, or small ones. */
static void make_sums(sums *s, stn_format format, uint64_t *state)
{
    const uint64_t kind = order_next(state) % 3;
    const int64_t count = SUMMED;
    stn_view rows, columns, values;
    stn_matrix_release(s->coo); /* of the previous sums */
    s->info.size = sizeof s->info;
    expect_ok(stn_format_describe(format, &s->info));
    s->storage = stn_storage_of(format);
    for (int k = 0; k < SUMMED; k++) {
        const uint64_t bits = order_next(state);
        s->row[k] = (int32_t)(bits % SUM_ROWS);
        s->column[k] = (int32_t)((bits >> 8 & 15) < 12 ? bits >> 16 & 3 : bits >> 16 & 7);
        for (int64_t b = 0; b < s->info.bytes; b++)
            s->codes[k * s->info.bytes + b] = (unsigned char)(order_next(state) >> 20);
        if (kind == 0)
            memset(s->codes + k * s->info.bytes + 1, 0, (size_t)s->info.bytes - 1);
        if (kind < 2)
            s->codes[k * s->info.bytes] &= 7;
    }
    wrap(&rows, "row", STN_I32, s->row, count);
    wrap(&columns, "column", STN_I32, s->column, count);
    expect_ok(stn_view_wrap(&values, "values", s->storage, s->codes, 1, &count));
    expect_ok(wrap_coo(&s->coo, "mike", SUM_ROWS, SUM_COLUMNS, &rows, &columns, &values,
                       STN_DUPLICATES_SUM));
}

/* The entries of a position. */
static int find_position(const sums *s, int64_t row, int64_t column, int *found)
{
    int count = 0;
    for (int k = 0; k < SUMMED; k++)
        if (s->row[k] == row && s->column[k] == column)
            found[count++] = k;
    return count;
}

/* Whether the sum is in the range of the format: integers. */
static int is_integer_in_range(const sums *s, const int *found, int count, exact *sum)
{
    const exact limit = (exact)1 << (s->info.bits - s->info.is_signed);
    *sum = 0;
    for (int k = 0; k < count; k++)
        *sum += integer_of(s, found[k]);
    return *sum < limit && *sum >= (s->info.is_signed ? -limit : 0);
}

/* Half a unit in the last place above the largest value. */
static long double edge_of(const sums *s)
{
    return s->info.highest + ldexpl(0.5L * s->info.epsilon, ilogb(s->info.highest));
}

/* 1: so near to the largest value that it may be in range or not. */
static int is_real_at_edge(const sums *s, const int *found, int count, long double *sum)
{
    double value[SUMMED];
    double in_order = 0.0;
    expect_ok(stn_decode(STN_F64, value, &s->storage, s->codes, 1, SUMMED));
    for (int k = 0; k < count; k++)
        in_order = k ? in_order + value[found[k]] : value[found[k]];
    *sum = in_order;
    return isfinite(in_order) && fabsl(*sum) == edge_of(s);
}

/* Infinities of e5m2 saturate unless the storage says otherwise. */
static int is_in_range(const sums *s)
{
    int found[SUMMED], fits = 1;
    for (int p = 0; p < SUM_ROWS * SUM_COLUMNS; p++) {
        const int count = find_position(s, p / SUM_COLUMNS, p % SUM_COLUMNS, found);
        exact integer;
        long double real;
        if (count < 2)
            continue;
        if (s->info.kind == STN_CLASS_INTEGER) {
            fits &= is_integer_in_range(s, found, count, &integer);
        } else if (is_real_at_edge(s, found, count, &real)) {
            return -1;
        } else {
            fits &= isnan((double)real) || fabsl(real) < edge_of(s) ||
                    (isinf((double)real) && s->info.format != STN_E5M2);
        }
    }
    return fits;
}

static void check_entry(const sums *s, const stn_matrix *made, int64_t k, const int *found,
                        int count)
{
    const unsigned char *const code = (const unsigned char *)made->values + k * s->info.bytes;
    double stored;
    exact integer = 0;
    long double real;
    if (count == 1) {
        assert_memory_equal(code, s->codes + found[0] * s->info.bytes, (size_t)s->info.bytes);
        return;
    }
    if (s->info.kind == STN_CLASS_INTEGER) {
        sums one = *s;
        (void)is_integer_in_range(s, found, count, &integer);
        memcpy(one.codes, code, (size_t)s->info.bytes);
        assert_true(integer_of(&one, 0) == integer);
        return;
    }
    (void)is_real_at_edge(s, found, count, &real);
    expect_ok(stn_decode(STN_F64, &stored, &s->storage, code, 1, 1));
    if (isnan((double)real))
        assert_true(isnan(stored));
    else if (isinf((double)real))
        assert_true(stored == (double)real);
    else
        assert_true(fabsl((long double)stored - real) <=
                    0.5L * fmaxl(s->info.epsilon * fabsl(real), s->info.smallest));
}

UNIT_TEST(test_sums_of_every_format)
{
    const int rounds = getenv("STENO_TEST_QUICK") ? 20 : 100;
    uint64_t state = 11;
    int outcomes[2] = {0, 0};
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int round = 0; round < rounds; round++) {
            static sums s;
            int found[SUMMED];
            stn_matrix *made;
            make_sums(&s, format, &state);
            if (s.info.kind == STN_CLASS_COMPLEX)
                continue; /* test_sums_of_complex */
            const int expected = is_in_range(&s);
            const stn_status status = stn_sparse_convert(NULL, &made, s.coo, STN_MATRIX_CSR, NULL);
            if (expected >= 0 && status != (expected ? STN_OK : STN_ERR_RANGE))
                fail_msg("%s: %s", s.info.name, status ? stn_error() : "a sum out of range");
            outcomes[status == STN_OK]++;
            int64_t k = 0;
            for (int p = 0; status == STN_OK && p < SUM_ROWS * SUM_COLUMNS; p++) {
                const int count = find_position(&s, p / SUM_COLUMNS, p % SUM_COLUMNS, found);
                if (count == 0)
                    continue;
                assert_int_equal(made->column[k], p % SUM_COLUMNS);
                check_entry(&s, made, k++, found, count);
            }
            if (status != STN_OK)
                continue;
            assert_int_equal(k, made->entries);
            stn_matrix_release(made);
        }
    assert_true(outcomes[0] > rounds && outcomes[1] > rounds);
}

/* Entries of a position, kept, are next to each other in their order, however many columns there
 * are.
 */
static void check_sorted(const sums *s, int64_t spread)
{
    int found[SUMMED];
    int64_t k = 0;
    const int64_t bytes = s->info.bytes;
    stn_matrix *made;
    expect_ok(stn_sparse_sort(order_use(0), &made, s->coo));
    for (int p = 0; p < SUM_ROWS * SUM_COLUMNS; p++) {
        const int count = find_position(s, p / SUM_COLUMNS, p % SUM_COLUMNS * spread, found);
        if (p % SUM_COLUMNS == 0)
            assert_int_equal(made->row_start[p / SUM_COLUMNS], k);
        for (int e = 0; e < count; e++, k++) {
            assert_int_equal(made->column[k], p % SUM_COLUMNS * spread);
            assert_memory_equal((const char *)made->values + k * bytes, s->codes + found[e] * bytes,
                                (size_t)bytes);
        }
    }
    assert_int_equal(k, SUMMED);
    stn_matrix_release(made);
}

UNIT_TEST(test_sorted_rows_of_every_format)
{
    uint64_t state = 12;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int round = 0; round < 4; round++) {
            static sums s;
            const int spread = round % 2 ? 10000 : 1;
            make_sums(&s, format, &state);
            for (int k = 0; k < SUMMED; k++)
                s.column[k] *= spread;
            s.coo->columns = SUM_COLUMNS * spread;
            s.coo->duplicates = STN_DUPLICATES_KEEP;
            check_sorted(&s, spread);
        }
}

UNIT_TEST(test_sums_of_complex)
{
    static const stn_c64 value[] = {{1, -2}, {NAN, -0.0f}, {0.5f, 4}};
    int32_t row[] = {1, 0, 1}, column[] = {0, 1, 0};
    const int64_t count = 3;
    stn_view rows, columns, values;
    stn_matrix *coo, *made;
    wrap(&rows, "row", STN_I32, row, count);
    wrap(&columns, "column", STN_I32, column, count);
    expect_ok(stn_view_wrap_const(&values, "values", stn_storage_of(STN_C64), value, 1, &count));
    expect_ok(wrap_coo(&coo, "mike", 2, 2, &rows, &columns, &values, STN_DUPLICATES_SUM));
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL));
    assert_memory_equal(made->values, &value[1], sizeof *value);
    assert_true(((const stn_c64 *)made->values)[1].re == 1.5f &&
                ((const stn_c64 *)made->values)[1].im == 2.0f);
    stn_matrix_release(made);
    stn_matrix_release(coo);
}

/* Values 1 to 4 under a scale and a zero point, of which the last two are added, in another
 * storage. */
UNIT_TEST(test_scaled_sums_of_every_format)
{
    static const int32_t row[] = {0, 1, 1, 1}, column[] = {0, 0, 1, 1};
    static const double value[] = {1, 2, 3, 4}, sum[] = {1, 2, 7};
    const stn_storage wide = stn_storage_of(STN_F64), *const wanted[] = {NULL, &wide};
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        expect_ok(stn_format_describe(format, &info));
        if (info.kind != STN_CLASS_FLOAT && info.kind != STN_CLASS_INTEGER)
            continue;
        stn_storage storage = stn_storage_of(format);
        storage.scale = 0.25;
        storage.zero = info.kind == STN_CLASS_INTEGER ? 1 : 0;
        for (int k = 0; k < 2; k++) {
            unsigned char codes[4 * 8];
            double found[3];
            stn_view rows, columns, values;
            stn_matrix *coo, *made;
            expect_ok(stn_encode(STN_F64, &storage, codes, 1, 0, value, 4));
            wrap(&rows, "row", STN_I32, (void *)(uintptr_t)row, 4);
            wrap(&columns, "column", STN_I32, (void *)(uintptr_t)column, 4);
            const int64_t count = 4;
            expect_ok(stn_view_wrap(&values, "value", storage, codes, 1, &count));
            expect_ok(wrap_coo(&coo, "coo", 2, 2, &rows, &columns, &values, STN_DUPLICATES_SUM));
            expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, wanted[k]));
            assert_int_equal(made->entries, 3);
            expect_ok(stn_decode(STN_F64, found, &made->storage, made->values, 1, 3));
            for (int e = 0; e < 3; e++)
                if (found[e] != sum[e])
                    fail_msg("%s, storage %d: %g, not %g", info.name, k, found[e], sum[e]);
            stn_matrix_release(made);
            stn_matrix_release(coo);
        }
    }
}

/* u64 beyond i64, alone, added, and converted; sums that are converted to integers. */
UNIT_TEST(test_sums_of_large_integers)
{
    static const uint64_t large = ((uint64_t)1 << 63) + 5;
    uint64_t value[] = {large, 1, 2};
    int32_t row[] = {0, 1, 1}, column[] = {0, 1, 1};
    const stn_storage f64 = stn_storage_of(STN_F64), u8 = stn_storage_of(STN_U8);
    const int64_t count = 3;
    stn_view rows, columns, values;
    stn_matrix *coo, *made;
    wrap(&rows, "row", STN_I32, row, count);
    wrap(&columns, "column", STN_I32, column, count);
    wrap(&values, "values", STN_U64, value, count);
    expect_ok(wrap_coo(&coo, "mike", 2, 2, &rows, &columns, &values, STN_DUPLICATES_SUM));
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL));
    assert_memory_equal(made->values, ((uint64_t[]){large, 3}), 2 * sizeof large);
    stn_matrix_release(made);
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, &f64));
    assert_memory_equal(made->values, ((double[]){0x1p63, 3}), 2 * sizeof(double));
    stn_matrix_release(made);
    value[1] = large;
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL));
    assert_memory_equal(made->values, ((uint64_t[]){large, large + 2}), 2 * sizeof large);
    stn_matrix_release(made);
    value[2] = large;
    says(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL), STN_ERR_RANGE,
         "row 1, column 1 is out of the range of u64", "mike");
    value[1] = 200;
    value[2] = 56;
    says(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, &u8), STN_ERR_RANGE,
         "row 1, column 1 is out of the range of u8", "mike");
    stn_matrix_release(coo);
}

/* Counts beyond u8 are u32; of a storage that is given, its own. */
UNIT_TEST(test_sums_of_patterns)
{
    static int32_t zero[300];
    static const uint32_t all = 300;
    const stn_storage f16 = stn_storage_of(STN_F16), u8 = stn_storage_of(STN_U8);
    stn_view rows;
    stn_matrix *coo, *made;
    for (int64_t count = 255; count <= 256; count++) {
        wrap(&rows, "row", STN_I32, zero, count);
        expect_ok(wrap_coo(&coo, "mike", 1, 1, &rows, &rows, NULL, STN_DUPLICATES_SUM));
        expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL));
        assert_int_equal(made->storage.format, count == 255 ? STN_U8 : STN_U32);
        stn_matrix_release(made);
        stn_matrix_release(coo);
    }
    wrap(&rows, "row", STN_I32, zero, 300);
    expect_ok(wrap_coo(&coo, "mike", 1, 1, &rows, &rows, NULL, STN_DUPLICATES_SUM));
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, NULL));
    assert_memory_equal(made->values, &all, sizeof all);
    stn_matrix_release(made);
    expect_ok(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, &f16));
    assert_int_equal(((const uint16_t *)made->values)[0], 0x5cb0);
    stn_matrix_release(made);
    says(stn_sparse_convert(NULL, &made, coo, STN_MATRIX_CSR, &u8), STN_ERR_RANGE,
         "the sum of the 300 entries", "u8");
    stn_matrix_release(coo);
}

RUN_UNIT_TESTS(NULL, release_executors)
