/* Runs of elements in every format and arithmetic type, with and without a scale and a zero point:
 * the bits of single elements, and of stn_decode and stn_encode, which share no code with
 * accessors. test_accessor_isa.sh builds it for the machine's vectors, too. */
#include <math.h>
#include <string.h>

#include "accessor_types.h"
#include "check.h"
#include "steno/format.h"

/* plain_f64_f16 and so on for each pair; with one scale for all, scaled_f16 in one arithmetic type
 * and affine_f16 in the other. */
#define PLAIN(real, name)                                                                          \
    STN_ACCESSOR(plain_##real##_##name, 1, stn_##real, stn_##name)                                 \
    CHECK_TYPE(plain_##real##_##name, 1, RIGHT, FEW, PLAIN, NO, , )
#define SCALED(name, real, other) SCALED_(name, real, other)
#define SCALED_(name, real, other)                                                                 \
    STN_ACCESSOR_SCALED(scaled_##name, 1, stn_##real, stn_##name, 0)                               \
    CHECK_TYPE(scaled_##name, 1, RIGHT, FEW, SCALED, YES, stn_id_##real, 0)                        \
    STN_ACCESSOR_AFFINE(affine_##name, 1, stn_##other, stn_##name, 0)                              \
    CHECK_TYPE(affine_##name, 1, RIGHT, FEW, AFFINE, YES, stn_id_##other, 1)
#define FLOAT_ROW(id, NAME, name, bits, ...)                                                       \
    PLAIN(f64, name) PLAIN(f32, name) SCALED(name, CHECK_OTHER_##bits, CHECK_REAL_##bits)
#define INTEGER_ROW(id, NAME, name, bits, ...) FLOAT_ROW(id, NAME, name, bits, ) PLAIN(i64, name)
#define COMPLEX_ROW(id, NAME, name, ...)       PLAIN(c128, name) PLAIN(c64, name)

STN_FORMAT_TABLE(FLOAT_ROW, INTEGER_ROW, COMPLEX_ROW)

enum { COUNT = 3000 };

/* ---- stored values ---- */

static const oracle_format *component_of(const check_type *type)
{
    return &oracle_formats[oracle_formats[type->format].component];
}

/* A value of the format, one between two of them, or next to these; of both signs, and beyond. */
static double hard_number(const oracle_format *f, uint64_t k)
{
    static const double parts[] = {0.0, 0.5, 0.25, 1.0};
    const uint64_t random = oracle_random(21, k);
    const uint64_t code = oracle_code(f, (int64_t)(random % (uint64_t)oracle_code_count(f)));
    const double value = fabs(oracle_decode(f, code));
    const double x = isfinite(value) ? value + parts[random >> 40 & 3] * oracle_step(f, code)
                     : f->bits <= 16 ? value
                                     : (double)INFINITY;
    const double near = random >> 42 & 1   ? x
                        : random >> 43 & 1 ? nextafter(x, 0.0)
                                           : nextafter(x, (double)INFINITY);
    return random >> 44 & 1 ? near : -near;
}

/* A value whose code is near a hard number; every fourth is any input. */
static check_value hard_value(const check_type *type, uint64_t k, double scale, double zero)
{
    const double x = (hard_number(component_of(type), k) - zero) * scale;
    if (k % 4 == 0 || (type->arithmetic != STN_F64 && type->arithmetic != STN_F32))
        return check_input(type, k);
    if (type->arithmetic == STN_F64 || k % 8 < 4)
        return (check_value){.re = check_round(type, x)};
    return (check_value){.re = (double)nextafterf((float)x, 0.0f)};
}

/* ---- an array, with one scale and zero point ---- */

typedef struct run {
    check_array array;
    double scale, zero;
    _Alignas(16) char values[16 * COUNT], others[16 * COUNT], codes[16 * COUNT];
} run;

static const stn_size first[1] = {0};

static void open_run(run *r, const check_type *type, double scale, double zero)
{
    memset(r, 0, sizeof *r);
    r->array = check_open(type, (const stn_size[]){COUNT}, NULL, NULL, 5);
    r->scale = type->has_scales ? scale : 1.0;
    r->zero = type->has_zeros ? zero : 0.0;
    if (type->has_scales)
        check_put_value(type->arithmetic, r->array.scales, 0, (check_value){.re = scale});
    if (type->has_zeros)
        check_put_value(type->arithmetic, r->array.zeros, 0, (check_value){.re = zero});
}

static void choose_codes(run *r, uint64_t from)
{
    const check_type *const type = r->array.type;
    const oracle_format *const f = component_of(type);
    for (stn_size k = 0; k < COUNT; k++)
        for (int part = 0; part < (f->id == type->format ? 1 : 2); part++) {
            const uint64_t at = (from + (uint64_t)k) % (uint64_t)oracle_code_count(f);
            check_put_code(type->format, type->data(r->array.x.bytes), k, part,
                           oracle_code(f, (int64_t)at));
        }
}

static void choose_values(run *r, uint64_t from)
{
    const check_type *const type = r->array.type;
    for (stn_size k = 0; k < COUNT; k++)
        check_put_value(type->arithmetic, r->values, k,
                        hard_value(type, from + (uint64_t)k, r->scale, r->zero));
}

static void expect_equal(const run *r, int equal, const char *what, stn_size k)
{
    if (!equal)
        fail_msg("%s, %s: element %d, scale %g, zero %g", r->array.type->label, what, (int)k,
                 r->scale, r->zero);
}

static void expect_equal_values(const run *r, const char *what)
{
    const int arithmetic = r->array.type->arithmetic;
    for (stn_size k = 0; k < COUNT; k++)
        expect_equal(r,
                     check_same(check_value_at(arithmetic, r->values, k),
                                check_value_at(arithmetic, r->others, k)),
                     what, k);
}

static void expect_equal_codes(const run *r, const char *what)
{
    const check_type *const type = r->array.type;
    const char *const codes = type->data(r->array.x.bytes);
    for (stn_size k = 0, at = 0; k < COUNT; k++, at += type->bytes)
        expect_equal(r, memcmp(codes + at, r->codes + at, (size_t)type->bytes) == 0, what, k);
}

/* ---- runs and single elements ---- */

static void check_elements(run *r)
{
    const check_type *const type = r->array.type;
    void *const x = r->array.x.bytes;
    for (int64_t from = 0; from < oracle_code_count(component_of(type)); from += COUNT) {
        choose_codes(r, (uint64_t)from);
        type->load(x, first, COUNT, r->values);
        for (stn_size k = 0; k < COUNT; k++)
            check_put_value(type->arithmetic, r->others, k, type->get(x, &k));
        expect_equal_values(r, "load and get");
    }
    for (uint64_t from = 0; from < (uint64_t)oracle_count(3000, 15000, 60000); from += COUNT) {
        choose_values(r, from);
        for (stn_size k = 0; k < COUNT; k++)
            type->set(x, &k, check_value_at(type->arithmetic, r->values, k));
        memcpy(r->codes, type->data(x), (size_t)(COUNT * type->bytes));
        memset(type->data(x), 0x5a, (size_t)(COUNT * type->bytes));
        type->store(x, first, COUNT, r->values);
        expect_equal_codes(r, "store and set");
    }
}

/* ---- runs and the library ---- */

/* The library omits a zero point of 0, an accessor adds it: -0 becomes 0. */
static void check_library(run *r)
{
    const check_type *const type = r->array.type;
    void *const x = r->array.x.bytes;
    stn_storage storage = stn_storage_of(type->format);
    storage.scale = r->scale;
    storage.zero = r->zero;
    for (uint64_t from = 0; from < 3 * COUNT && !(type->has_zeros && r->zero == 0.0);
         from += COUNT) {
        choose_codes(r, from);
        choose_values(r, from);
        type->store(x, first, COUNT / 2, r->values);
        type->load(x, first, COUNT, r->values);
        expect_ok(stn_decode(type->arithmetic, r->others, &storage, type->data(x), 1, COUNT));
        expect_equal_values(r, "load and stn_decode");
        choose_values(r, from);
        type->store(x, first, COUNT, r->values);
        expect_ok(stn_encode(type->arithmetic, &storage, r->codes, 1, 0, r->values, COUNT));
        expect_equal_codes(r, "store and stn_encode");
    }
}

/* Every scale with every zero point; f32 has all of them. */
static void test_scales_and_zeros(void **state)
{
    static const double scales[] = {1.0, 0.25, 0x1.8p-7, -0x1.555556p+3, 0x1.99999ap-4};
    static const double zeros[] = {0.0, 10.0, -3.5, 0x1.99999ap-4};
    static run r;
    const check_type *const type = *state;
    for (size_t s = 0; s < (type->has_scales ? sizeof scales / sizeof *scales : 1); s++)
        for (size_t z = 0; z < (type->has_zeros ? sizeof zeros / sizeof *zeros : 1); z++) {
            open_run(&r, type, scales[s], zeros[z]);
            check_elements(&r);
            check_library(&r);
            check_close(&r.array);
        }
}

/* Every length from every of the first positions; nothing else is read or written. */
static void test_lengths(void **state)
{
    static const stn_size counts[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100};
    check_array array = check_open(*state, (const stn_size[]){140}, NULL, NULL, 6);
    for (stn_size from = 0; from < 40; from++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            check_loads(&array, from, counts[k]);
            check_stores(&array, from, counts[k], (uint64_t)from);
        }
    check_close(&array);
}

#define TYPE_TEST(type)                                                                            \
    CHECK_TEST_BY(test_scales_and_zeros, type)                                                     \
    CHECK_TEST_BY(test_lengths, type)
#define PLAIN_TEST(real, name) TYPE_TEST(plain_##real##_##name)
#define FLOAT_TESTS(id, NAME, name, ...)                                                           \
    PLAIN_TEST(f64, name) PLAIN_TEST(f32, name) TYPE_TEST(scaled_##name) TYPE_TEST(affine_##name)
#define INTEGER_TESTS(id, NAME, name, ...) FLOAT_TESTS(id, NAME, name, ) PLAIN_TEST(i64, name)
#define COMPLEX_TESTS(id, NAME, name, ...) PLAIN_TEST(c128, name) PLAIN_TEST(c64, name)

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(FLOAT_TESTS, INTEGER_TESTS, COMPLEX_TESTS)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
