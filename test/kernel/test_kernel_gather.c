/* Elements of gather and scatter views of every format: the values of the codec. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle.h"
#include "steno/kernel.h"
#include "make_view.h"

/* clang-format off */
STN_MAP(pick, (at(i), gather(u, 1), out(y)), y = STN_AT(u, i);)
STN_MAP(put, (at(i), in(x), scatter(u, 1)), STN_PUT(u, x, i);)
STN_MAP_INTEGER(pick_integer, (at(i), gather(u, 1), out(y)), y = STN_AT(u, i);)
STN_MAP_INTEGER(put_integer, (at(i), in(x), scatter(u, 1)), STN_PUT(u, x, i);)
STN_MAP(row_sums, (at(i), gather(u, 2), out(y)),
    real_t sum = 0;
    for (int64_t k = 0; k < STN_EXTENT_OF(u, 1); k++)
        sum += STN_AT(u, i, k);
    y = sum;
)
/* clang-format on */

enum { MOST = 5000 };

static const char *const executors[] = {"threads:threads=1", "reference"};

static stn_view wrapped(stn_storage storage, void *data, int64_t count)
{
    return wrap_view("view", storage, data, 1, &count);
}

static void check_same(const char *what, const stn_storage *storage, stn_format arithmetic,
                       const void *is, const void *wanted, int64_t count)
{
    const int64_t bytes = arithmetic == STN_F32 ? 4 : 8;
    for (int64_t k = 0; k < count; k++) {
        const char *const a = (const char *)is + k * bytes, *const b =
                                                                (const char *)wanted + k * bytes;
        float f[2];
        double d[2];
        memcpy(&f[0], a, sizeof *f), memcpy(&f[1], b, sizeof *f);
        memcpy(&d[0], a, (size_t)bytes), memcpy(&d[1], b, (size_t)bytes);
        const int are_nan = arithmetic == STN_F32   ? isnan(f[0]) && isnan(f[1])
                            : arithmetic == STN_F64 ? isnan(d[0]) && isnan(d[1])
                                                    : 0;
        if (memcmp(a, b, (size_t)bytes) != 0 && !are_nan)
            fail_msg("%s %s, arithmetic %d, scale %g, zero %g: element %lld differs", what,
                     oracle_formats[storage->format].name, (int)arithmetic, storage->scale,
                     storage->zero, (long long)k);
    }
}

static void check_read(stn_exec *exec, stn_storage storage, stn_format arithmetic, void *codes,
                       int64_t count)
{
    static double values[MOST], wanted[MOST];
    const stn_view u = wrapped(storage, codes, count);
    const stn_view y = wrapped(stn_storage_of(arithmetic), values, count);
    expect_ok(stn_decode(arithmetic, wanted, &storage, codes, 1, count));
    expect_ok(arithmetic == STN_I64 ? pick_integer_run(exec, arithmetic, &u, &y)
                                    : pick_run(exec, arithmetic, &u, &y));
    check_same("read", &storage, arithmetic, values, wanted, count);
}

/* Values between codes and beyond the range. */
static void check_write(stn_exec *exec, stn_storage storage, stn_format arithmetic, int64_t count)
{
    static double values[MOST];
    static uint8_t codes[MOST * 8], wanted[MOST * 8];
    const oracle_format *const f = &oracle_formats[storage.format];
    for (int64_t k = 0; k < count; k++) {
        const double x = stn_f64_of_bits(oracle_input_f64(f, (uint64_t)k));
        const float narrow = (float)x;
        const int64_t whole = (int64_t)oracle_random(3, (uint64_t)k) >> k % 64;
        if (arithmetic == STN_F64)
            memcpy(&values[k], &x, sizeof x);
        else if (arithmetic == STN_F32)
            memcpy((char *)values + 4 * k, &narrow, sizeof narrow);
        else
            memcpy(&values[k], &whole, sizeof whole);
    }
    const stn_view x = wrapped(stn_storage_of(arithmetic), values, count);
    const stn_view u = wrapped(storage, codes, count);
    expect_ok(stn_encode(arithmetic, &storage, wanted, 1, 0, values, count));
    expect_ok(arithmetic == STN_I64 ? put_integer_run(exec, arithmetic, &x, &u)
                                    : put_run(exec, arithmetic, &x, &u));
    if (memcmp(codes, wanted, (size_t)(count * f->bits / 8)) != 0)
        fail_msg("stored %s, arithmetic %d, scale %g, zero %g, rounding %d, overflow %d", f->name,
                 (int)arithmetic, storage.scale, storage.zero, (int)storage.rounding,
                 (int)storage.overflow);
}

static void check_arithmetic(stn_exec *exec, const oracle_format *f, stn_format arithmetic)
{
    static uint8_t codes[MOST * 8];
    static const double scales[] = {1.0, 0.1, -0x1p-3}, zeros[] = {0.0, 3.0, 0.1, -1e-50};
    static const double whole_zeros[] = {0.0, 3.0, -7.0, 0x1p62, -0x1p62, 0x1.8p62};
    const int64_t all = oracle_code_count(f), count = all < MOST ? all : MOST;
    for (int64_t k = 0; k < count; k++) {
        const uint64_t code = oracle_code(f, all <= MOST ? k : k * 13 % all);
        memcpy(codes + k * (f->bits / 8), &code, (size_t)f->bits / 8);
    }
    for (int k = 0; k < 3 * 4 * 3; k++) {
        stn_storage storage = stn_storage_of(f->id);
        storage.scale = arithmetic == STN_I64 ? 1.0 : scales[k % 3];
        storage.zero = arithmetic == STN_I64 ? whole_zeros[k % 6] : zeros[k / 3 % 4];
        storage.rounding = (stn_rounding)(k / 12);
        storage.overflow = (stn_overflow)(k % 4);
        storage.seed = 5;
        check_read(exec, storage, arithmetic, codes, count);
        check_write(exec, storage, arithmetic, count < 1000 ? count : 1000);
    }
}

static void elements_are_those_of_the_codec(void **state)
{
    const oracle_format *const f = *state;
    for (size_t e = 0; e < sizeof executors / sizeof *executors; e++) {
        stn_exec *exec;
        expect_ok(stn_exec_create(&exec, executors[e]));
        check_arithmetic(exec, f, STN_F64);
        check_arithmetic(exec, f, STN_F32);
        if (f->kind == ORACLE_INTEGER)
            check_arithmetic(exec, f, STN_I64);
        stn_exec_release(exec);
    }
}

/* Along rows of a part whose strides are not 1, with another origin. */
static void sums_rows_of_a_part(void **state)
{
    enum { ROWS = 7, COLUMNS = 50 };
    const oracle_format *const f = *state;
    const int64_t extents[] = {2 * ROWS, 2 * COLUMNS}, rows = ROWS;
    stn_storage storage = stn_storage_of(f->id);
    stn_exec *exec;
    stn_view whole, part, sums;
    storage.scale = 0.5;
    expect_ok(stn_exec_create(&exec, executors[0]));
    expect_ok(stn_view_create(exec, &whole, "whole", storage, 2, extents));
    expect_ok(stn_view_create(exec, &sums, "sums", stn_storage_of(STN_F64), 1, &rows));
    for (int64_t i = 0; i < extents[0]; i++)
        for (int64_t j = 0; j < extents[1]; j++)
            expect_ok(stn_view_set(&whole, 2, (int64_t[]){i, j}, (double)((i + 3 * j) % 8)));
    const stn_slice slices[] = {stn_slice_strided(1, ROWS, 2), stn_slice_strided(0, COLUMNS, 2)};
    expect_ok(stn_view_slice(&part, &whole, 2, slices));
    expect_ok(row_sums_run(exec, STN_F64, &part, &sums));
    for (int64_t i = 0; i < ROWS; i++) {
        double wanted = 0.0;
        for (int64_t j = 0; j < COLUMNS; j++)
            wanted += (double)((2 * i + 1 + 6 * j) % 8);
        assert_true(((const double *)sums.data)[i] == wanted);
    }
    stn_view_release(&whole);
    stn_view_release(&sums);
    stn_exec_release(exec);
}

#define TEST(test, id, name)                                                                       \
    {#name " " #test, test, NULL, NULL, (void *)(uintptr_t)&oracle_formats[id]},
#define TESTS(id, NAME, name, ...)                                                                 \
    TEST(elements_are_those_of_the_codec, id, name)                                                \
    TEST(sums_rows_of_a_part, id, name)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(TESTS, TESTS, STN_NO_ROW)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
