/* Runs of elements in every format and arithmetic type, with and without a scale and a zero point:
 * the bits that single elements have, and those of the library's stn_decode and stn_encode, which
 * share no code with accessors. test_accessor_isa.sh builds it for the machine's vectors as well.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "accessor_types.h"
#include "steno/format.h"

/* plain_f64_f16 and so on for each pair; with one scale for all, scaled_f16 in one arithmetic and
 * affine_f16 in the other. */
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

/* ---- what is stored ---- */

static const oracle_format *component_of(const check_type *type)
{
    return &oracle_formats[oracle_formats[type->format].component];
}

/* A value of the format, one in between, or next to these; of both signs, and beyond. */
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

/* What comes near a hard number when it is divided by the scale. */
static check_value hard_value(const check_type *type, uint64_t k, double scale, double zero)
{
    check_value value = check_input(type, k);
    const double x = (hard_number(component_of(type), k) - zero) * scale;
    if (k % 4 == 0)
        return value;
    if (type->arithmetic == STN_F64)
        value.f64 = x;
    else if (type->arithmetic == STN_F32)
        value.f32 = k % 8 < 4 ? (float)x : nextafterf((float)x, 0.0f);
    return value;
}

/* ---- an array, with one scale and zero point ---- */

typedef struct array {
    check_scene scene;
    double scale, zero;
    char values[16 * COUNT], others[16 * COUNT], codes[16 * COUNT];
} array;

static const stn_size first[1] = {0};

static void open_array(array *a, const check_type *type, double scale, double zero)
{
    const int wide = type->arithmetic == STN_F64;
    memset(a, 0, sizeof *a);
    a->scene = check_open(type, (const stn_size[]){COUNT}, NULL, NULL, 5);
    a->scale = type->has_scales ? scale : 1.0;
    a->zero = type->has_zeros ? zero : 0.0;
    if (type->has_scales)
        check_put_value(type, a->scene.scales, 0,
                        wide ? (check_value){.f64 = scale} : (check_value){.f32 = (float)scale});
    if (type->has_zeros)
        check_put_value(type, a->scene.zeros, 0,
                        wide ? (check_value){.f64 = zero} : (check_value){.f32 = (float)zero});
}

static void choose_codes(array *a, uint64_t from)
{
    const check_type *const type = a->scene.type;
    const oracle_format *const f = component_of(type);
    for (stn_size k = 0; k < COUNT; k++)
        for (int part = 0; part < (f->id == type->format ? 1 : 2); part++) {
            const uint64_t at = (from + (uint64_t)k) % (uint64_t)oracle_code_count(f);
            check_put_code(type->format, type->data(a->scene.x.bytes), k, part,
                           oracle_code(f, (int64_t)at));
        }
}

static void choose_values(array *a, uint64_t from)
{
    for (stn_size k = 0; k < COUNT; k++)
        check_put_value(a->scene.type, a->values, k,
                        hard_value(a->scene.type, from + (uint64_t)k, a->scale, a->zero));
}

static void check_equal_values(const array *a, const char *what)
{
    const check_type *const type = a->scene.type;
    for (stn_size k = 0; k < COUNT; k++)
        if (!check_same(type->arithmetic, check_value_at(type, a->values, k),
                        check_value_at(type, a->others, k)))
            fail_msg("%s, %s: element %d, scale %g, zero %g", type->label, what, (int)k, a->scale,
                     a->zero);
}

static void check_equal_codes(const array *a, const char *what)
{
    const check_type *const type = a->scene.type;
    const char *const codes = type->data(a->scene.x.bytes);
    for (stn_size k = 0; k < COUNT; k++)
        if (memcmp(codes + k * type->bytes, a->codes + k * type->bytes, (size_t)type->bytes) != 0)
            fail_msg("%s, %s: value %d, scale %g, zero %g", type->label, what, (int)k, a->scale,
                     a->zero);
}

/* ---- runs and single elements ---- */

static void check_loads_of_all_codes(array *a)
{
    const check_type *const type = a->scene.type;
    for (int64_t from = 0; from < oracle_code_count(component_of(type)); from += COUNT) {
        choose_codes(a, (uint64_t)from);
        type->load(a->scene.x.bytes, first, COUNT, a->values);
        for (stn_size k = 0; k < COUNT; k++)
            check_put_value(type, a->others, k, type->get(a->scene.x.bytes, &k));
        check_equal_values(a, "loaded and got");
    }
}

static void check_stores_of_hard_values(array *a)
{
    const check_type *const type = a->scene.type;
    for (uint64_t from = 0; from < (uint64_t)oracle_count(3000, 15000, 60000); from += COUNT) {
        choose_values(a, from);
        for (stn_size k = 0; k < COUNT; k++)
            type->set(a->scene.x.bytes, &k, check_value_at(type, a->values, k));
        memcpy(a->codes, type->data(a->scene.x.bytes), (size_t)(COUNT * type->bytes));
        memset(type->data(a->scene.x.bytes), 0x5a, (size_t)(COUNT * type->bytes));
        type->store(a->scene.x.bytes, first, COUNT, a->values);
        check_equal_codes(a, "stored and set");
    }
}

static void check_elements(const check_type *type, double scale, double zero)
{
    static array a;
    open_array(&a, type, scale, zero);
    check_loads_of_all_codes(&a);
    check_stores_of_hard_values(&a);
    check_close(&a.scene);
}

/* ---- runs and the library ---- */

/* The library leaves a zero point of 0 out, an accessor adds it: -0 becomes 0. */
static void check_library(const check_type *type, double scale, double zero)
{
    static array a;
    stn_storage storage = stn_storage_of(type->format);
    if (type->has_zeros && zero == 0.0)
        return;
    open_array(&a, type, scale, zero);
    storage.scale = a.scale;
    storage.zero = a.zero;
    for (uint64_t round = 0; round < 3; round++) {
        choose_codes(&a, COUNT * round);
        choose_values(&a, COUNT * round);
        type->store(a.scene.x.bytes, first, COUNT / 2, a.values);
        type->load(a.scene.x.bytes, first, COUNT, a.values);
        assert_int_equal(
            stn_decode(type->arithmetic, a.others, &storage, type->data(a.scene.x.bytes), 1, COUNT),
            STN_OK);
        check_equal_values(&a, "loaded and decoded");
        choose_values(&a, COUNT * round);
        type->store(a.scene.x.bytes, first, COUNT, a.values);
        assert_int_equal(stn_encode(type->arithmetic, &storage, a.codes, 1, 0, a.values, COUNT),
                         STN_OK);
        check_equal_codes(&a, "stored and encoded");
    }
    check_close(&a.scene);
}

/* ---- every scale with every zero point; f32 has all of them ---- */

static void for_scales(const check_type *type, void (*check)(const check_type *, double, double))
{
    static const double scales[] = {1.0, 0.25, 0x1.8p-7, -0x1.555556p+3, 0x1.99999ap-4};
    static const double zeros[] = {0.0, 10.0, -3.5, 0x1.99999ap-4};
    for (size_t s = 0; s < (type->has_scales ? sizeof scales / sizeof *scales : 1); s++)
        for (size_t z = 0; z < (type->has_zeros ? sizeof zeros / sizeof *zeros : 1); z++)
            check(type, scales[s], zeros[z]);
}

static void test_single_elements(void **state)
{
    for_scales(*state, check_elements);
}

static void test_library(void **state)
{
    for_scales(*state, check_library);
}

/* Every length from every of the first places; nothing is read or written beside it. */
static void test_lengths(void **state)
{
    static const stn_size counts[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100};
    check_scene scene = check_open(*state, (const stn_size[]){140}, NULL, NULL, 6);
    for (stn_size from = 0; from < 40; from++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            check_loads(&scene, from, counts[k]);
            check_stores(&scene, from, counts[k], (uint64_t)from);
        }
    check_close(&scene);
}

#define TYPE_TEST(type)                                                                            \
    {#type " single elements", test_single_elements, NULL, NULL, (void *)(uintptr_t)&type##_type}, \
        {#type " library", test_library, NULL, NULL, (void *)(uintptr_t)&type##_type},             \
        {#type " lengths", test_lengths, NULL, NULL, (void *)(uintptr_t)&type##_type},
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
