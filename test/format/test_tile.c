/* The bulk codecs on every instruction set of this processor: the bits of the scalar codec of
 * codec.h, for every format, arithmetic type, length, alignment, stride, scale and zero point,
 * whatever floating-point modes the caller has set. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/cpu.h"
#include "order_oracle.h"
#include "steno/format.h"

__extension__ typedef __int128 wide;

/* A format in one arithmetic type. A complex format is its component, two parts to an element. */
typedef struct subject {
    const oracle_format *row, *real;
    stn_format arithmetic, part; /* as passed to the library; of one part: f64, f32 or i64 */
    int64_t parts;
} subject;

static int64_t value_bytes(const subject *s)
{
    return s->part == STN_F32 ? 4 : 8;
}

static int64_t code_bytes(const subject *s)
{
    return s->real->bits / 8;
}

/* ---- what the scalar codec gives ---- */

static int is_plain(const stn_storage *storage)
{
    return storage->scale == 1.0 && storage->zero == 0.0;
}

static wide integer_of(const subject *s, uint64_t code)
{
    const int64_t whole = stn_integer_decode(code, s->real->bits, s->real->is_signed);
    return s->real->is_signed ? (wide)whole : (wide)(uint64_t)whole;
}

/* In i64, 64 bits are modulo 2^64; narrower formats saturate. */
static uint64_t encode_i64(const subject *s, const stn_storage *storage, int64_t value)
{
    const int bits = s->real->bits, is_signed = s->real->is_signed;
    if (bits == 64)
        return (uint64_t)((wide)value + (wide)storage->zero);
    const wide highest = ((wide)1 << (bits - is_signed)) - 1;
    const wide lowest = is_signed ? -highest - 1 : 0;
    wide code = (wide)value + (wide)storage->zero;
    code = code > highest ? highest : code < lowest ? lowest : code;
    return (uint64_t)code & ~(uint64_t)0 >> (64 - bits);
}

static int64_t decode_i64(const subject *s, const stn_storage *storage, uint64_t code)
{
    return (int64_t)(uint64_t)(integer_of(s, code) - (wide)storage->zero);
}

/* x in the arithmetic type of a part. One operation on f32 values, computed in f64 and rounded, has
 * the bits of the operation in f32. */
static double rounded(const subject *s, double x)
{
    return s->part == STN_F32 ? (double)(float)x : x;
}

static double value_at(const subject *s, const void *values, int64_t k)
{
    return s->part == STN_F32 ? (double)((const float *)values)[k] : ((const double *)values)[k];
}

static void put_value(const subject *s, void *values, int64_t k, double x)
{
    if (s->part == STN_F32)
        ((float *)values)[k] = (float)x;
    else
        ((double *)values)[k] = x;
}

/* Code of element k of an array of parts. */
static uint64_t reference_encode(const subject *s, const stn_storage *storage, const void *values,
                                 int64_t k)
{
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    unsigned events = 0;
    if (s->part == STN_I64)
        return encode_i64(s, storage, ((const int64_t *)values)[k]);
    double x = value_at(s, values, k);
    if (!is_plain(storage))
        x = rounded(s, x / rounded(s, storage->scale));
    if (storage->zero != 0.0)
        x = rounded(s, x + rounded(s, storage->zero));
    return steno_encode(s->real, x, rule, &events);
}

/* Stores the value of a code as element k of an array of parts; if it is NaN, any NaN is accepted.
 */
static void reference_decode(const subject *s, const stn_storage *storage, uint64_t code,
                             void *values, const void *actual, int64_t k)
{
    if (s->part == STN_I64) {
        ((int64_t *)values)[k] = decode_i64(s, storage, code);
        return;
    }
    double x =
        s->part == STN_F32 ? (double)steno_decode_f32(s->real, code) : steno_decode(s->real, code);
    if (!is_plain(storage))
        x = rounded(s, rounded(s, x - rounded(s, storage->zero)) * rounded(s, storage->scale));
    if (isnan(x) && isnan(value_at(s, actual, k)))
        memcpy((char *)values + k * value_bytes(s), (const char *)actual + k * value_bytes(s),
               (size_t)value_bytes(s));
    else
        put_value(s, values, k, x);
}

/* Little-endian. */
static uint64_t get_code(const subject *s, const uint8_t *at)
{
    uint64_t code = 0;
    memcpy(&code, at, (size_t)code_bytes(s));
    return code;
}

static void put_code(const subject *s, uint8_t *at, uint64_t code)
{
    memcpy(at, &code, (size_t)code_bytes(s));
}

/* ---- one run in the middle of guard bytes ---- */

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

typedef struct place {
    uint8_t *actual, *expected; /* images of the same memory */
    size_t bytes;
    int64_t first; /* offset of the first element */
} place;

static place make_place(int64_t element, int64_t stride, int64_t count, int64_t offset)
{
    const int64_t reach = count > 0 ? (count - 1) * stride * element : 0;
    const int64_t total = 2 * GUARD + offset + llabs(reach) + element;
    place p = {.bytes = ((size_t)total + 63) / 64 * 64};
    p.actual = aligned_alloc(64, p.bytes);
    p.expected = aligned_alloc(64, p.bytes);
    assert_non_null(p.actual);
    assert_non_null(p.expected);
    memset(p.actual, GUARD_BYTE, p.bytes);
    memset(p.expected, GUARD_BYTE, p.bytes);
    p.first = GUARD + offset + (reach < 0 ? -reach : 0);
    return p;
}

static void check_place(place p, const subject *s, const stn_storage *storage, const char *what,
                        int64_t stride, int64_t count, int64_t unit)
{
    size_t k = 0;
    if (memcmp(p.actual, p.expected, p.bytes) != 0) {
        while (p.actual[k] == p.expected[k])
            k++;
        const int64_t at = ((int64_t)k - p.first) / unit * unit + p.first;
        uint64_t found = 0, wanted = 0;
        if (at >= 0 && at + unit <= (int64_t)p.bytes) {
            memcpy(&found, p.actual + at, (size_t)unit);
            memcpy(&wanted, p.expected + at, (size_t)unit);
        }
        fail_msg("%s, %s %s in arithmetic %s, scale %a, zero %g, stride %" PRId64 ", %" PRId64
                 " elements, byte %" PRId64 " of them: %" PRIx64 ", expected %" PRIx64,
                 stn_isa_name(stn_isa_chosen()), what, s->row->name,
                 oracle_formats[s->arithmetic].name, storage->scale, storage->zero, stride, count,
                 (int64_t)k - p.first, found, wanted);
    }
    free(p.actual);
    free(p.expected);
}

static void check_encode(const subject *s, const stn_storage *storage, const void *values,
                         int64_t stride, int64_t count, int64_t offset)
{
    const int64_t width = code_bytes(s), element = width * s->parts;
    place p = make_place(element, stride, count, offset);
    for (int64_t k = 0; k < count * s->parts; k++)
        put_code(s, p.expected + p.first + k / s->parts * stride * element + k % s->parts * width,
                 reference_encode(s, storage, values, k));
    const order_modes saved = order_begin();
    order_end(stn_encode(s->arithmetic, storage, p.actual + p.first, stride, 0, values, count),
              saved, "stn_encode");
    check_place(p, s, storage, "encode", stride, count, width);
}

/* `offset` is of the values, in parts; `codes` is the first element. */
static void check_decode(const subject *s, const stn_storage *storage, const uint8_t *codes,
                         int64_t stride, int64_t count, int64_t offset)
{
    const int64_t width = code_bytes(s), element = width * s->parts;
    place p = make_place(value_bytes(s) * s->parts, 1, count, offset * value_bytes(s));
    const order_modes saved = order_begin();
    order_end(stn_decode(s->arithmetic, p.actual + p.first, storage, codes, stride, count), saved,
              "stn_decode");
    for (int64_t k = 0; k < count * s->parts; k++) {
        const uint8_t *at = codes + k / s->parts * stride * element + k % s->parts * width;
        reference_decode(s, storage, get_code(s, at), p.expected + p.first, p.actual + p.first, k);
    }
    check_place(p, s, storage, "decode", stride, count, value_bytes(s));
}

/* ---- codes and values ---- */

typedef struct sample {
    uint8_t *codes; /* aligned to 64 bytes */
    void *values;   /* of the part's arithmetic type */
    int64_t code_count, value_count;
} sample;

static void add_value(const subject *s, sample *all, double x)
{
    const int64_t k = all->value_count++;
    if (s->part != STN_I64)
        put_value(s, all->values, k, x);
    else
        ((int64_t *)all->values)[k] = x >= 0x1p63    ? INT64_MAX
                                      : x >= -0x1p63 ? (int64_t)x
                                                     : INT64_MIN;
}

/* x, its neighbours in the arithmetic type, and the same below zero. */
static void add_around(const subject *s, sample *all, double x)
{
    double up = nextafter(x, (double)INFINITY), down = nextafter(x, -(double)INFINITY);
    if (s->part == STN_F32) {
        up = (double)nextafterf((float)x, INFINITY);
        down = (double)nextafterf((float)x, -INFINITY);
    } else if (s->part == STN_I64) {
        up = x + 1.0;
        down = x - 1.0;
    }
    const double near[] = {x, up, down, -x, -up, -down};
    for (int k = 0; k < 6; k++)
        add_value(s, all, near[k]);
}

enum { RANDOM_VALUES = 60000 };

/* In a short run, about some codes of large formats. */
static void add_values(const subject *s, sample *all)
{
    const int step = all->code_count > 256 ? oracle_count(7, 1, 1) : 1;
    for (int64_t k = 0; k < all->code_count; k += step) {
        const uint64_t code = get_code(s, all->codes + k * code_bytes(s));
        const double x = oracle_decode(s->real, code);
        if (!isfinite(x) || (x < 0.0 && s->real->kind == ORACLE_FLOAT))
            continue;
        add_around(s, all, x);
        add_around(s, all, x + oracle_step(s->real, code) / 2);
    }
    for (int k = 0; k < oracle_special_f64_count; k++)
        add_around(s, all, stn_f64_of_bits(oracle_specials_f64[k]));
    for (int k = 0; k < oracle_special_f32_count; k++)
        add_around(s, all, (double)stn_f32_of_bits(oracle_specials_f32[k]));
    for (uint64_t k = 0; k < RANDOM_VALUES; k++) {
        const int64_t at = all->value_count++;
        if (s->part == STN_F64)
            ((double *)all->values)[at] = stn_f64_of_bits(oracle_input_f64(s->real, k));
        else if (s->part == STN_F32)
            ((float *)all->values)[at] = stn_f32_of_bits(oracle_input_f32(s->real, k));
        else
            ((uint64_t *)all->values)[at] = oracle_random(4, k) >> (k % 64);
    }
}

static sample make_sample(const subject *s)
{
    sample all = {.code_count = oracle_code_count(s->real)};
    const int64_t most = 12 * all.code_count + RANDOM_VALUES + 1000;
    all.codes = aligned_alloc(64, (size_t)(all.code_count * 8 + 63) / 64 * 64);
    all.values = malloc((size_t)most * 8);
    assert_non_null(all.codes);
    assert_non_null(all.values);
    for (int64_t k = 0; k < all.code_count; k++)
        put_code(s, all.codes + k * code_bytes(s), oracle_code(s->real, k));
    add_values(s, &all);
    assert_true(all.value_count <= most);
    return all;
}

static void free_sample(sample all)
{
    free(all.codes);
    free(all.values);
}

/* ---- every subject of a row of the table, on every instruction set ---- */

typedef void check_subject(const subject *s, const sample *all);

static void on_every_isa(const subject *s, check_subject *check)
{
    const stn_isa before = stn_isa_chosen();
    const sample all = make_sample(s);
    int isas = 0;
    for (int isa = 0; isa < STN_ISA_COUNT; isa++)
        if (stn_isa_available((stn_isa)isa)) {
            assert_int_equal(stn_isa_use((stn_isa)isa), STN_OK);
            assert_int_equal(stn_isa_chosen(), isa);
            check(s, &all);
            isas++;
        }
    assert_true(isas > 0);
    assert_int_equal(stn_isa_use(before), STN_OK);
    free_sample(all);
}

static void for_every_subject(const oracle_format *row, check_subject *check)
{
    const oracle_format *real = &oracle_formats[row->component];
    if (row->kind == ORACLE_COMPLEX) {
        on_every_isa(&(subject){row, real, STN_C128, STN_F64, 2}, check);
        on_every_isa(&(subject){row, real, STN_C64, STN_F32, 2}, check);
        return;
    }
    on_every_isa(&(subject){row, real, STN_F64, STN_F64, 1}, check);
    on_every_isa(&(subject){row, real, STN_F32, STN_F32, 1}, check);
    if (row->kind == ORACLE_INTEGER)
        on_every_isa(&(subject){row, real, STN_I64, STN_I64, 1}, check);
}

/* ---- scales and zero points ---- */

static const double scales_f64[] = {1.0,  0x1p-3, 0x1p20,    1.0 / 3.0, -0.7,
                                    -1.0, 1e-300, 0x1p-1070, 0x1p-1022, 0x1p1000};
static const double scales_f32[] = {1.0,  0x1p-3, 0x1p20,   1.0 / 3.0, -0.7,
                                    -1.0, 1e-30,  0x1p-140, 0x1p-126,  0x1p127};
static const double zeros_float[] = {0.0, 3.0, -7.5, 0.1};
static const double zeros_i64[] = {0.0, 3.0, -7.0, 0x1p40, -0x1p62};

typedef struct affine {
    const double *scales, *zeros;
    int scale_count, zero_count;
} affine;

static affine affine_of(const subject *s)
{
    if (s->part == STN_I64)
        return (affine){scales_f64, zeros_i64, 1, 5};
    return (affine){s->part == STN_F32 ? scales_f32 : scales_f64, zeros_float, 10, 4};
}

static stn_storage storage_of(const subject *s, double scale, double zero)
{
    stn_storage storage = stn_storage_of(s->row->id);
    storage.scale = scale;
    storage.zero = zero;
    return storage;
}

/* Every second one of the values is replaced by what a code would decode to, so that ties stay
 * ties. */
static void scale_values(const subject *s, const sample *all, int64_t first, int64_t count,
                         double scale, double zero, void *scaled)
{
    for (int64_t k = first; k < first + count; k++)
        if (s->part != STN_I64 && k % 2 == 0) {
            const double x = rounded(s, value_at(s, all->values, k) - rounded(s, zero));
            put_value(s, scaled, k, rounded(s, x * rounded(s, scale)));
        }
}

/* ---- checks ---- */

static void check_every_code_and_value(const subject *s, const sample *all)
{
    const stn_storage storage = stn_storage_of(s->row->id);
    check_decode(s, &storage, all->codes, 1, all->code_count / s->parts, 0);
    check_encode(s, &storage, all->values, 1, all->value_count / s->parts, 0);
}

static void check_scales_and_zeros(const subject *s, const sample *all)
{
    const affine a = affine_of(s);
    const int64_t some = oracle_count(1000, 10000, 100000);
    const int64_t codes = all->code_count < some ? all->code_count : some;
    const int64_t values = all->value_count < some ? all->value_count : some;
    const int64_t skip = (all->value_count - values) / 2;
    void *scaled = malloc((size_t)(all->value_count * value_bytes(s)));
    assert_non_null(scaled);
    memcpy(scaled, all->values, (size_t)(all->value_count * value_bytes(s)));
    for (int k = 0; k < a.scale_count * a.zero_count; k++) {
        const double scale = a.scales[k / a.zero_count], zero = a.zeros[k % a.zero_count];
        const stn_storage storage = storage_of(s, scale, zero);
        scale_values(s, all, skip, values, scale, zero, scaled);
        check_decode(s, &storage, all->codes, 1, codes / s->parts, 0);
        check_encode(s, &storage, (const char *)scaled + skip * value_bytes(s), 1,
                     values / s->parts, 0);
    }
    free(scaled);
}

enum { LONGEST = 300 };

/* A part of the sample that moves on with `k` and leaves room for `count` elements. */
static int64_t part_of(int64_t available, const subject *s, int64_t count, int64_t k)
{
    const int64_t room = available - count * s->parts;
    return room > 0 ? 13 * k % room / s->parts * s->parts : 0;
}

static const char *values_at(const subject *s, const sample *all, int64_t count, int64_t k)
{
    return (const char *)all->values + part_of(all->value_count, s, count, k) * value_bytes(s);
}

static int64_t shorter(int64_t count, const subject *s, const sample *all)
{
    const int64_t most = all->code_count / s->parts;
    return count < most ? count : most;
}

static void check_every_length(const subject *s, const sample *all)
{
    const stn_storage plain = stn_storage_of(s->row->id);
    const stn_storage scaled = storage_of(s, s->part == STN_I64 ? 1.0 : 0.3, 3.0);
    for (int64_t count = 0; count <= LONGEST; count++)
        for (int k = 0; k < 4; k++) {
            const stn_storage *storage = k % 2 ? &scaled : &plain;
            const int64_t aligned = k < 2 ? 0 : count % 5, some = shorter(count, s, all);
            const int64_t from = part_of(all->code_count, s, some, count + k);
            check_encode(s, storage, values_at(s, all, count, count + k), 1, count,
                         aligned * code_bytes(s));
            check_decode(s, storage, all->codes + from * code_bytes(s), 1, some, aligned);
        }
}

/* Codes at every byte of a line, values at every element of one. */
static void check_every_alignment(const subject *s, const sample *all)
{
    static const int64_t counts[] = {1, 2, 7, 16, 33, 64, 129, 256, 300};
    const stn_storage storage = stn_storage_of(s->row->id);
    uint8_t *moved = aligned_alloc(64, 64 + LONGEST * 16 + 64);
    assert_non_null(moved);
    for (int64_t offset = 0; offset < 64; offset++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const int64_t count = counts[c], some = shorter(count, s, all);
            const int64_t from = part_of(all->code_count, s, some, offset);
            check_encode(s, &storage, values_at(s, all, count, offset), 1, count, offset);
            memcpy(moved + offset, all->codes + from * code_bytes(s),
                   (size_t)(some * s->parts * code_bytes(s)));
            check_decode(s, &storage, moved + offset, 1, some, offset % 16);
        }
    free(moved);
}

static void check_every_stride(const subject *s, const sample *all)
{
    static const int64_t strides[] = {1, 2, 3, 7, -1, -2, -5, 0};
    static const int64_t counts[] = {0, 1, 2, 17, 127, 128, 129, 300};
    const stn_storage plain = stn_storage_of(s->row->id);
    const stn_storage scaled = storage_of(s, s->part == STN_I64 ? 1.0 : 0.3, 3.0);
    const int64_t element = code_bytes(s) * s->parts;
    uint8_t *spread = malloc((size_t)(LONGEST * 8 * element));
    assert_non_null(spread);
    for (int64_t k = 0; k < LONGEST * 8 * s->parts; k++)
        put_code(s, spread + k * code_bytes(s), oracle_code(s->real, k * 31 % all->code_count));
    for (size_t k = 0; k < 2 * 8 * 8; k++) {
        const stn_storage *storage = k % 2 ? &plain : &scaled;
        const int64_t stride = strides[k / 2 % 8], count = counts[k / 16];
        if (stride != 0 || count <= 1)
            check_encode(s, storage, values_at(s, all, count, (int64_t)k), stride, count, 0);
        const int64_t last = count > 0 ? count - 1 : 0;
        check_decode(s, storage, spread + (stride < 0 ? last * -stride * element : 0), stride,
                     count, 0);
    }
    free(spread);
}

static void check_any_modes(const subject *s, const sample *all)
{
    const affine a = affine_of(s);
    const int64_t codes = all->code_count < 3000 ? all->code_count : 3000;
    const int64_t values = all->value_count < 8000 ? all->value_count : 8000;
    for (int k = 0; k < a.scale_count * a.zero_count; k++) {
        const stn_storage storage =
            storage_of(s, a.scales[k / a.zero_count], a.zeros[k % a.zero_count]);
        const char *last = (const char *)all->values + (all->value_count - values) * value_bytes(s);
        check_decode(s, &storage, all->codes, 1, codes / s->parts, 0);
        check_encode(s, &storage, all->values, 1, values / s->parts, 0);
        check_encode(s, &storage, last, 1, values / s->parts, 0);
    }
}

/* ---- a test of each kind for each row of the table ---- */

#define EVERY(test, check)                                                                         \
    static void test(void **state)                                                                 \
    {                                                                                              \
        for_every_subject(*state, check);                                                          \
    }
EVERY(gives_the_scalar_codec_s_bits, check_every_code_and_value)
EVERY(scales_and_zero_points, check_scales_and_zeros)
EVERY(every_length, check_every_length)
EVERY(every_alignment, check_every_alignment)
EVERY(every_stride, check_every_stride)
EVERY(any_floating_point_modes, check_any_modes)

#define TEST(test, id, name)                                                                       \
    {#name " " #test, test, NULL, NULL, (void *)(uintptr_t)&oracle_formats[id]},
#define TESTS(id, NAME, name, ...)                                                                 \
    TEST(gives_the_scalar_codec_s_bits, id, name)                                                  \
    TEST(scales_and_zero_points, id, name)                                                         \
    TEST(every_length, id, name)                                                                   \
    TEST(every_alignment, id, name)                                                                \
    TEST(every_stride, id, name){#name " any_floating_point_modes", any_floating_point_modes,      \
                                 order_use_odd_modes, order_use_plain_modes,                       \
                                 (void *)(uintptr_t)&oracle_formats[id]},

int main(void)
{
    const struct CMUnitTest tests[] = {STN_FORMAT_TABLE(TESTS, TESTS, TESTS)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
