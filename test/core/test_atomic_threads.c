/* Atomics under contention: sums in two bins equal serial sums, elements of every size are never
 * torn, their neighbors keep their values, and elements that share a lock do not deadlock. */

#include "oracle.h"
#include "core/atomic_model.h"
#include "make_view.h"

enum { THREADS = 4, FEW = 100000, MANY = 1000000 };

/* Runs the work of every thread, which returns 0 on success. */
static void run(int (*work)(void *job, int thread), void *job)
{
    int failed = 0;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1) reduction(+ : failed)
    for (int k = 0; k < THREADS; k++)
        failed += work(job, k);
    assert_int_equal(failed, 0);
}

/* ---- contributions in two bins ---- */

typedef struct bins {
    stn_view view;
    stn_format arithmetic;
    stn_atomic_op op;
    int count;
} bins;

typedef union number {
    double f64;
    int64_t i64;
    stn_c128 c128;
} number;

static int is_rare(int k)
{
    return k / 2 % (FEW / 10 + 1) == 7; /* a few times in each bin */
}

/* Contribution k. Their order does not matter, and the narrowest format does not round. */
static int64_t contribution(stn_atomic_op op, int is_signed, int k)
{
    switch (op) {
    case STN_ATOMIC_ADD:
    case STN_ATOMIC_SUBTRACT:
        return is_rare(k) ? 1 : 0;
    case STN_ATOMIC_MULTIPLY:
        return is_rare(k) && k < FEW ? 2 : is_signed && k % 6 == 0 ? -1 : 1;
    case STN_ATOMIC_DIVIDE:
        return is_rare(k) && k < FEW / 2 ? 2 : is_signed && k % 6 == 0 ? -1 : 1;
    case STN_ATOMIC_MIN:
    case STN_ATOMIC_MAX:
        return k * 7 % 8 - (is_signed ? 4 : 0);
    case STN_ATOMIC_AND:
        return ~(int64_t)0 ^ (is_rare(k) ? 1 << k % 3 : 0);
    case STN_ATOMIC_OR:
        return is_rare(k) ? 16 << k % 3 : 0;
    case STN_ATOMIC_XOR:
        return k * 37 % 128;
    default:
        return is_rare(k) && k < FEW / 2;
    }
}

static number number_of(stn_format arithmetic, int64_t integer)
{
    number x = {.i64 = integer};
    if (arithmetic == STN_F64)
        x.f64 = (double)integer;
    else if (arithmetic == STN_C128)
        x.c128 = stn_c128_of((double)integer, 0.0);
    return x;
}

static int is_signed_format(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK && info.is_signed;
}

static int contribute(void *job, int thread)
{
    const bins *all = job;
    const int is_signed = is_signed_format(all->view.storage.format);
    for (int k = thread; k < all->count; k += THREADS) {
        const number x = number_of(all->arithmetic, contribution(all->op, is_signed, k));
        const int64_t bin = k / 2 % 2;
        if (stn_view_atomic_update(&all->view, 1, &bin, all->arithmetic, all->op, &x, NULL))
            return 1;
    }
    return 0;
}

static int64_t first_value(stn_atomic_op op)
{
    switch (op) {
    case STN_ATOMIC_DIVIDE:
        return 64;
    case STN_ATOMIC_AND:
    case STN_ATOMIC_XOR:
    case STN_ATOMIC_SHIFT_RIGHT:
        return 127;
    case STN_ATOMIC_SHIFT_LEFT:
        return 3;
    case STN_ATOMIC_OR:
        return 0;
    default:
        return 1;
    }
}

static int64_t serial(const bins *all, int64_t bin, const stn_format_info *info)
{
    wide value = first_value(all->op);
    for (int k = 0; k < all->count; k++)
        if (k / 2 % 2 == bin)
            value =
                update_integer(all->op, info, 0, value, contribution(all->op, info->is_signed, k));
    return (int64_t)value;
}

static void check_bins(stn_format format, stn_format arithmetic, stn_atomic_op op, int count)
{
    _Alignas(64) char data[64];
    const int64_t two = 2;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    bins all = {.arithmetic = arithmetic, .op = op, .count = oracle_quick() ? FEW : count};
    const number first = number_of(arithmetic, first_value(op));
    expect_ok(stn_format_describe(format, &info));
    if (info.kind != STN_CLASS_INTEGER)
        info.bits = 62; /* nothing saturates in the serial sum */
    all.view = wrap_view("bins", stn_storage_of(format), data, 1, &two);
    for (int64_t bin = 0; bin < 2; bin++)
        expect_ok(stn_view_atomic_store(&all.view, 1, &bin, arithmetic, &first));
    run(contribute, &all);
    for (int64_t bin = 0; bin < 2; bin++) {
        number found;
        const number expected = number_of(arithmetic, serial(&all, bin, &info));
        expect_ok(stn_view_atomic_load(&all.view, 1, &bin, arithmetic, &found));
        const int same = arithmetic == STN_F64   ? found.f64 == expected.f64
                         : arithmetic == STN_I64 ? found.i64 == expected.i64
                                                 : found.c128.re == expected.c128.re;
        if (!same)
            fail_msg("%s, operation %d, bin %d: not the serial sum", info.name, (int)op, (int)bin);
    }
}

#define FLOAT_ROW(id, NAME, name, bits, exponent, fraction, specials, overflow_rule)               \
    for (stn_atomic_op op = STN_ATOMIC_ADD; op <= STN_ATOMIC_MAX; op++)                            \
        check_bins(STN_##NAME, STN_F64, op, bits >= 32 ? MANY : FEW);
#define INTEGER_ROW(id, NAME, name, bits, is_signed)                                               \
    for (stn_atomic_op op = STN_ATOMIC_ADD; op <= STN_ATOMIC_SHIFT_RIGHT; op++)                    \
        check_bins(STN_##NAME, STN_I64, op, bits >= 32 ? MANY : FEW);                              \
    check_bins(STN_##NAME, STN_F64, STN_ATOMIC_ADD, FEW);
#define COMPLEX_ROW(id, NAME, name, component)                                                     \
    for (stn_atomic_op op = STN_ATOMIC_ADD; op <= STN_ATOMIC_DIVIDE; op++)                         \
        check_bins(STN_##NAME, STN_C128, op, FEW);
#define NO_ROW(...)

UNIT_TEST(test_bins_of_floats){STN_FORMAT_TABLE(FLOAT_ROW, NO_ROW, NO_ROW)}

UNIT_TEST(test_bins_of_integers){STN_FORMAT_TABLE(NO_ROW, INTEGER_ROW, NO_ROW)}

UNIT_TEST(test_bins_of_complex)
{
    STN_FORMAT_TABLE(NO_ROW, NO_ROW, COMPLEX_ROW)
}

/* ---- structs of every size: a counter, encoded differently in every byte ---- */

enum { LARGEST = 64, STEPS = 20000 };

typedef struct structs {
    stn_view view;
    stn_format format;
    int64_t bytes;
} structs;

static void write_struct(unsigned char *element, int64_t bytes, uint32_t counter)
{
    for (int64_t k = 0; k < bytes; k++)
        element[k] = (unsigned char)((counter >> 8 * (k % (bytes < 4 ? bytes : 4))) ^ (k / 4 * 29));
}

/* The counter, as far as it fits; -1 for a torn struct. */
static int64_t read_struct(const unsigned char *element, int64_t bytes)
{
    unsigned char whole[LARGEST];
    uint32_t counter = 0;
    for (int64_t k = 0; k < bytes && k < 4; k++)
        counter |= (uint32_t)element[k] << 8 * k;
    write_struct(whole, bytes, counter);
    return memcmp(whole, element, (size_t)bytes) == 0 ? (int64_t)counter : -1;
}

static int increment(const structs *all, int64_t at)
{
    unsigned char is[LARGEST], fresh[LARGEST];
    int exchanged = 0;
    if (stn_view_atomic_load(&all->view, 1, &at, all->format, is))
        return 1;
    while (!exchanged) {
        const int64_t counter = read_struct(is, all->bytes);
        if (counter < 0)
            return 1;
        write_struct(fresh, all->bytes, (uint32_t)counter + 1);
        if (stn_view_atomic_compare_exchange(&all->view, 1, &at, all->format, is, fresh,
                                             &exchanged))
            return 1;
    }
    return 0;
}

/* Three threads count in the middle element; the last one writes its neighbors non-atomically. */
static int count_in_the_middle(void *job, int thread)
{
    const structs *all = job;
    unsigned char *const data = all->view.data;
    for (int k = 0; k < STEPS; k++) {
        if (thread < THREADS - 1) {
            if (increment(all, 1))
                return 1;
        } else {
            data[all->bytes - 1]++;
            data[2 * all->bytes]++;
        }
    }
    return 0;
}

static void check_struct(int64_t bytes, int64_t alignment, int64_t shift)
{
    _Alignas(64) unsigned char memory[4 * LARGEST] = {0};
    const int64_t three = 3;
    const unsigned last = (unsigned char)STEPS;
    structs all = {.bytes = bytes};
    expect_ok(stn_format_opaque(&all.format, bytes, alignment));
    all.view = wrap_view("structs", stn_storage_of(all.format), memory + shift, 1, &three);
    write_struct(memory + shift + bytes, bytes, 0);
    run(count_in_the_middle, &all);
    const uint32_t mask = bytes >= 4 ? UINT32_MAX : (1u << 8 * bytes) - 1;
    const int64_t counted = read_struct(memory + shift + bytes, bytes);
    assert_int_equal(counted, (uint32_t)((THREADS - 1) * STEPS) & mask);
    assert_int_equal(memory[shift + bytes - 1], last);
    assert_int_equal(memory[shift + 2 * bytes], last);
    for (int64_t k = 0; k < (int64_t)sizeof memory; k++) {
        const int64_t at = k - shift;
        if (at != bytes - 1 && at != 2 * bytes && (at < bytes || at >= 2 * bytes))
            assert_int_equal(memory[k], 0);
    }
}

UNIT_TEST(test_structs_of_every_size)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 48, 64};
    for (int k = 0; k < COUNT_OF(sizes); k++)
        check_struct(sizes[k], sizes[k] & -sizes[k], 0);
    check_struct(8, 1, 3); /* not at a multiple of their size */
    check_struct(16, 8, 8);
    check_struct(4, 2, 2);
}

/* ---- more elements than locks, all shared ---- */

enum { ELEMENTS = 3000 };

static int count_everywhere(void *job, int thread)
{
    const structs *all = job;
    uint64_t random = (uint64_t)thread + 1;
    for (int k = 0; k < 10 * ELEMENTS; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (increment(all, (int64_t)(random >> 33) % ELEMENTS))
            return 1;
    }
    return 0;
}

UNIT_TEST(test_shared_locks)
{
    static _Alignas(64) unsigned char memory[ELEMENTS * 24];
    const int64_t count = ELEMENTS;
    int64_t sum = 0;
    structs all = {.bytes = 24};
    expect_ok(stn_format_opaque(&all.format, 24, 8));
    all.view = wrap_view("structs", stn_storage_of(all.format), memory, 1, &count);
    for (int64_t k = 0; k < ELEMENTS; k++)
        write_struct(memory + 24 * k, 24, 0);
    run(count_everywhere, &all);
    for (int64_t k = 0; k < ELEMENTS; k++) {
        const int64_t counter = read_struct(memory + 24 * k, 24);
        assert_true(counter >= 0);
        sum += counter;
    }
    assert_int_equal(sum, (int64_t)THREADS * 10 * ELEMENTS);
}

/* ---- exchange: every value stored is returned once or remains ---- */

typedef struct tokens {
    stn_view view;
    double received[THREADS];
} tokens;

static int pass_tokens(void *job, int thread)
{
    tokens *all = job;
    const int64_t zero = 0;
    for (int k = 0; k < STEPS; k++) {
        double value = thread * STEPS + k, old;
        if (stn_view_atomic_exchange(&all->view, 1, &zero, STN_F64, &value, &old))
            return 1;
        all->received[thread] += old;
    }
    return 0;
}

UNIT_TEST(test_exchange)
{
    double data = 0.0, sum = 0.0;
    const int64_t one = 1;
    tokens all = {.received = {0}};
    all.view = wrap_view("token", f64(), &data, 1, &one);
    run(pass_tokens, &all);
    for (int k = 0; k < THREADS; k++)
        sum += all.received[k];
    const double most = (double)THREADS * STEPS;
    assert_true(sum + data == most * (most - 1.0) / 2.0);
}

/* ---- helpers on plain arrays ---- */

typedef struct plain {
    double f64[3];
    float f32[3];
    stn_f16 f16[3];
    stn_bf16 bf16[3];
    int64_t i64[3];
    int32_t i32[3];
} plain;

#define HELPERS(name, type, x)                                                                     \
    (void)stn_atomic_add_##name(&all->name[0], (type)(is_rare(x) ? 1 : 0));                        \
    (void)stn_atomic_min_##name(&all->name[1], (type)(x % 100 - 50));                              \
    (void)stn_atomic_max_##name(&all->name[2], (type)(x % 100 - 50));

static int use_helpers(void *job, int thread)
{
    plain *all = job;
    for (int k = thread; k < FEW; k += THREADS) {
        HELPERS(f64, double, k)
        HELPERS(f32, float, k)
        HELPERS(f16, float, k)
        HELPERS(bf16, float, k)
        HELPERS(i64, int64_t, k)
        HELPERS(i32, int32_t, k)
    }
    return 0;
}

UNIT_TEST(test_helpers)
{
    static plain all;
    int sum = 0;
    for (int k = 0; k < FEW; k++)
        sum += is_rare(k);
    run(use_helpers, &all);
    const double found[][3] = {
        {all.f64[0], all.f64[1], all.f64[2]},
        {all.f32[0], all.f32[1], all.f32[2]},
        {stn_f16_to_f64(all.f16[0]), stn_f16_to_f64(all.f16[1]), stn_f16_to_f64(all.f16[2])},
        {stn_bf16_to_f64(all.bf16[0]), stn_bf16_to_f64(all.bf16[1]), stn_bf16_to_f64(all.bf16[2])},
        {(double)all.i64[0], (double)all.i64[1], (double)all.i64[2]},
        {all.i32[0], all.i32[1], all.i32[2]}};
    for (int k = 0; k < COUNT_OF(found); k++) {
        assert_true(found[k][0] == sum);
        assert_true(found[k][1] == -50.0);
        assert_true(found[k][2] == 49.0);
    }
}

RUN_UNIT_TESTS(NULL, NULL)
