/* More than 2^32 elements: offsets of 64 bits in every function that has one. The memory is mapped,
 * and few of its pages are touched. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR(bytes, 2, double, int8_t)
STN_ACCESSOR_LEFT(left, 2, int64_t, uint8_t)
STN_ACCESSOR_STRIDED(far, 1, float, stn_f16)
STN_ACCESSOR_BLOCK_SCALED(scaled, 2, double, int8_t, 0x1, 32)

#define STN_NAME     seeded
#define STN_RANK     1
#define STN_REAL     double
#define STN_STORAGE  int8_t
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#include "steno/accessor_define.h"

static const stn_size rows = 3, columns = ((stn_size)1 << 31) + 7;
static int8_t *memory;

static void *map(stn_size size)
{
    void *const address = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}

static int map_memory(void **state)
{
    (void)state;
    memory = map(rows * columns);
    return memory ? 0 : -1;
}

static int unmap_memory(void **state)
{
    (void)state;
    return munmap(memory, (size_t)(rows * columns));
}

static void test_elements_runs_and_parts(void **state)
{
    const bytes x = bytes_dense(memory, rows, columns);
    const bytes part = bytes_sub(x, stn_span_of(1, 3), stn_span_of(columns - 9, columns));
    const left y = left_dense((uint8_t *)memory, columns, rows);
    double values[100], back[100];
    (void)state;
    assert_int_equal(bytes_count(x), rows * columns);
    assert_int_equal(bytes_offset(x, 2, columns - 1), rows * columns - 1);
    assert_true(bytes_set(x, 2, columns - 1, 11.0) == 11.0);
    assert_int_equal(memory[rows * columns - 1], 11);
    assert_true(bytes_get(x, 2, columns - 1) == 11.0);
    assert_ptr_equal(bytes_address(x, 2, 5), memory + 2 * columns + 5);
    assert_true(bytes_add(x, 2, columns - 1, 1.0) == 12.0);
    for (int k = 0; k < 100; k++)
        values[k] = k;
    bytes_store(x, 1, columns - 40, 100, values); /* continues in the last row */
    bytes_load(x, 1, columns - 40, 100, back);
    assert_memory_equal(values, back, sizeof values);
    for (int k = 0; k < 100; k++)
        assert_int_equal(memory[2 * columns - 40 + k], k);
    bytes_set(part, 1, 3, -7.0);
    assert_int_equal(memory[rows * columns - 6], -7);
    assert_true(bytes_get(bytes_sub(part, stn_at(1), stn_at(3)), 0, 0) == -7.0);
    assert_int_equal(bytes_stride(part, 0), columns);
    left_set(y, columns - 2, 2, 200);
    assert_int_equal((uint8_t)memory[rows * columns - 2], 200);
    assert_int_equal(left_stride(y, 1), columns);
}

/* Strides of 3 * 2^28, forwards and backwards. */
static void test_far_strides(void **state)
{
    const stn_size step = (stn_size)3 << 28;
    stn_f16 *const halves = (stn_f16 *)(void *)memory;
    const far x = far_make(halves, (const stn_size[]){4}, &step), y = far_reverse(x, 0);
    const float values[] = {1.0f, 2.0f, 3.0f, 4.0f};
    float back[4];
    (void)state;
    far_store(x, 0, 4, values);
    far_load(y, 0, 4, back);
    for (int k = 0; k < 4; k++) {
        assert_true(halves[k * step].bits == stn_f16_from_f32(values[k]).bits);
        assert_true(far_get(y, 3 - k) == values[k] && back[3 - k] == values[k]);
    }
    assert_int_equal(far_stride(far_every(x, 0, 3), 0), 3 * step);
    assert_true(far_get(far_every(x, 0, 3), 1) == 4.0f);
}

/* One scale for each block of a row. */
static void test_scales(void **state)
{
    const stn_size blocks = (columns + 31) / 32;
    double *const scales = map(blocks * (stn_size)sizeof(double));
    (void)state;
    assert_non_null(scales);
    const scaled x = scaled_dense(memory, rows, columns, scales);
    assert_int_equal(scaled_scale_count(x), blocks);
    scaled_set_scale(x, 0, columns - 1, 0.5);
    assert_true(scales[blocks - 1] == 0.5);
    scaled_set(x, 2, columns - 1, 3.0);
    assert_int_equal(memory[rows * columns - 1], 6);
    const scaled part = scaled_sub(x, stn_at(2), stn_span_of(columns - 5, columns));
    assert_ptr_equal(scaled_scales(part), scales + blocks - 1);
    assert_true(scaled_get(part, 0, 4) == 3.0);
    munmap(scales, (size_t)blocks * sizeof(double));
}

/* The counter of stochastic rounding is the offset, all of it. */
static void test_random_bits(void **state)
{
    const stn_size far_off = 2 * columns;
    const seeded x = seeded_dense(memory, rows * columns, 3);
    const seeded part = seeded_sub(x, stn_span_of(far_off, far_off + 200));
    int differ = 0;
    (void)state;
    for (int k = 0; k < 200; k++) {
        unsigned events = 0;
        const uint64_t wanted =
            stn_integer_encode(stn_bits_of_f64(0.5), 8, 1, STN_ROUND_STOCHASTIC,
                               stn_rounding_bits(3, (uint64_t)(far_off + k)), &events);
        const uint64_t low =
            stn_integer_encode(stn_bits_of_f64(0.5), 8, 1, STN_ROUND_STOCHASTIC,
                               stn_rounding_bits(3, (uint32_t)(far_off + k)), &events);
        assert_true(seeded_set(part, k, 0.5) == (double)wanted);
        differ += wanted != low;
    }
    assert_true(differ > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements_runs_and_parts), cmocka_unit_test(test_far_strides),
        cmocka_unit_test(test_scales), cmocka_unit_test(test_random_bits)};
    return cmocka_run_group_tests(tests, map_memory, unmap_memory);
}
