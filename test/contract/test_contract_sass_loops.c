/* Loops of NVIDIA instructions, assembled here: bytes, distinct bytes, elements, counts. */
#include "check.h"
#include "contract_sass.h"

/* ---- loops ---- */

static made_word add_constant(int destination, int source, int constant)
{
    return with_constant(0x810, destination, source, (uint32_t)constant, 255);
}

typedef struct loop_case {
    const made_word *body;
    size_t count;
    int elements, read, distinct_read;
} loop_case;

/* The body between an instruction before it and a jump back. */
static void assert_loop(int sm, const loop_case *c)
{
    made_word words[32] = {made_load(0x981, 4, 20, 30, 0)};
    memcpy(words + 1, c->body, c->count * sizeof *words);
    words[c->count + 1] = made_branch(sm, 0, -(int)c->count - 1);
    words[c->count + 2] = exit_word();
    stn_image *image = image_of(sm, words, c->count + 3);
    const stn_code_counts counts = count(image, STN_LOOP_MAIN);
    assert_int_equal(counts.instructions, c->count + 1);
    assert_int_equal(counts.raw_read, c->read);
    assert_int_equal(counts.distinct_read, c->distinct_read);
    assert_int_equal(counts.elements, c->elements);
    assert_int_equal(counts.branches, 1);
    stn_image_close(image);
}

#define ASSERT_LOOP(body, elements, read, distinct)                                                \
    assert_loop(90, &(loop_case){body, COUNT_OF(body), elements, read, distinct});                 \
    assert_loop(80, &(loop_case){body, COUNT_OF(body), elements, read, distinct})

UNIT_TEST(steps)
{
    const made_word use = made_registers(0x22b, 8, 4, 6, 8); /* arithmetic of 8 bytes */
    const made_word first = made_load(0x981, 5, 4, 2, 0), second = made_load(0x981, 5, 6, 2, 8);
    const made_word one[] = {first, use, add_constant(2, 2, 8)};
    ASSERT_LOOP(one, 1, 8, 8);
    const made_word two[] = {first, second, use, add_constant(2, 2, 16)};
    ASSERT_LOOP(two, 2, 16, 16);
    const made_word again[] = {first, second, first, use, add_constant(2, 2, 16)};
    ASSERT_LOOP(again, 2, 24, 16);
    const made_word halfway[] = {first, add_constant(2, 2, 8), first, use, add_constant(2, 2, 8)};
    ASSERT_LOOP(halfway, 2, 16, 16);
    const made_word through_another[] = {first, add_constant(10, 2, 8), use,
                                         made_registers(0x202, 2, 0, 10, 0)};
    ASSERT_LOOP(through_another, 1, 8, 8);
    const made_word by_move[] = {first, add_constant(10, 2, 8), use,
                                 made_registers(0x224, 2, 255, 255, 10)};
    ASSERT_LOOP(by_move, 1, 8, 8);
    const made_word backwards[] = {first, use, add_constant(2, 2, -8)};
    ASSERT_LOOP(backwards, 1, 8, 8);
}

UNIT_TEST(what_is_no_step)
{
    const made_word use = made_registers(0x22b, 8, 4, 6, 8);
    const made_word load = made_load(0x981, 5, 4, 2, 0);
    const made_word chased[] = {load, use, made_registers(0x224, 2, 4, 5, 6)};
    ASSERT_LOOP(chased, 0, 8, 8);
    const made_word changed[] = {load, use, made_registers(0x224, 2, 4, 5, 6), load,
                                 add_constant(2, 2, 8)};
    ASSERT_LOOP(changed, 0, 16, 16);
    const made_word stepped_first[] = {load, use, add_constant(2, 2, 8),
                                       made_registers(0x224, 2, 4, 5, 6)};
    ASSERT_LOOP(stepped_first, 0, 8, 8);
    const made_word loaded_over[] = {load, use, made_load(0x981, 6, 0, 12, 0),
                                     add_constant(2, 2, 8)}; /* R0 to R3 */
    ASSERT_LOOP(loaded_over, 0, 24, 24);
    const made_word sometimes[] = {load, use, made_with(add_constant(2, 2, 8), 12, 4, 1)};
    ASSERT_LOOP(sometimes, 0, 8, 8);
    const made_word negated[] = {load, use, made_with(add_constant(2, 2, 8), 72, 1, 1)};
    ASSERT_LOOP(negated, 0, 8, 8);
    const made_word after_call[] = {load, use, made_registers(0x343, 0, 20, 0, 0),
                                    add_constant(2, 2, 8)};
    ASSERT_LOOP(after_call, 0, 8, 8);
    const made_word after_unknown[] = {load, use, made_instruction(0x1ff), add_constant(2, 2, 8)};
    ASSERT_LOOP(after_unknown, 0, 8, 8);
}

/* Results of 64 bits take two registers, of which the second may have been a base. */
UNIT_TEST(pairs)
{
    const made_word use = made_registers(0x22b, 8, 4, 6, 8), load = made_load(0x981, 5, 4, 17, 0);
    const made_word from_f64 = made_with(made_registers(0x310, 16, 0, 4, 0), 84, 2, 3);
    const made_word narrow = made_with(from_f64, 75, 2, 2);
    const made_word to_float[] = {load, use, narrow, add_constant(17, 17, 8)};
    ASSERT_LOOP(to_float, 0, 8, 8); /* of f32 or of f64? */
    const made_word to_double[] = {load, use, made_with(narrow, 75, 2, 3), add_constant(17, 17, 8)};
    ASSERT_LOOP(to_double, 0, 8, 8);
    const made_word pair[] = {load, use, with_constant(0x835, 16, 16, 8, 0),
                              add_constant(17, 17, 8)};
    assert_loop(120, &(loop_case){pair, COUNT_OF(pair), 0, 8, 8});
}

/* Of an outer loop, what comes after the inner one says nothing of addresses before it. */
UNIT_TEST(nested)
{
    const made_word words[] = {
        made_registers(0x22b, 8, 4, 6, 8),
        made_load(0x981, 5, 4, 2, 0), /* the outer loop */
        made_load(0x981, 5, 6, 14, 0),
        made_load(0x981, 5, 6, 12, 0), /* the inner one */
        made_registers(0x22b, 8, 4, 6, 8),
        add_constant(12, 12, 8),
        made_branch(90, 0, -4),
        made_registers(0x22b, 8, 4, 6, 8),
        add_constant(20, 20, 8),
        made_branch(90, 1, -9),
        exit_word(),
    };
    stn_image *image = image_of(90, words, COUNT_OF(words));
    assert_int_equal(count(image, 0).elements, 0);
    assert_int_equal(count(image, 0).distinct_read, 16);
    assert_int_equal(count(image, 1).elements, 1);
    stn_image_close(image);
}

/* More registers than a loop has classes for: nothing is told rather than something wrong. */
UNIT_TEST(many_registers)
{
    made_word words[200];
    size_t used = 0;
    for (int r = 0; r < 80; r++)
        words[used++] = made_load(0x981, 5, 240, 2 * r, 0);
    words[used++] = made_registers(0x22b, 240, 242, 244, 240);
    for (int r = 0; r < 80; r++)
        if (r >= 64)
            words[used++] = add_constant(2 * r, 2 * r, 8);
    words[used] = made_branch(90, 0, -(int)used - 1);
    words[used + 1] = exit_word();
    stn_image *image = image_of(90, words, used + 2);
    const stn_code_counts counts = count(image, STN_LOOP_MAIN);
    assert_int_equal(counts.elements, 0);
    assert_int_equal(counts.distinct_read, 80 * 8);
    stn_image_close(image);
}

/* y[k] += a * x[k], f32 in memory, f64 in registers, four at a time: all counts. */
UNIT_TEST(a_whole_loop)
{
    const made_word words[] = {
        made_with(made_load(0xb82, 5, 2, 255, 0), 32, 32, 0x8400),
        made_load(0x981, 6, 4, 2, 0),
        made_load(0x981, 6, 8, 12, 0),
        made_with(made_with(made_registers(0x310, 16, 0, 4, 0), 75, 2, 3), 84, 2, 2),
        made_registers(0x22b, 16, 16, 18, 20),
        made_with(made_with(made_registers(0x310, 8, 0, 16, 0), 75, 2, 2), 84, 2, 3),
        made_store(0x986, 6, 12, 0, 8),
        made_store(0x387, 5, 1, 8, 16),
        add_constant(2, 2, 16),
        add_constant(12, 12, 16),
        made_branch(90, 0, -10),
        exit_word(),
    };
    stn_image *image = image_of(90, words, COUNT_OF(words));
    const stn_code_counts counts = count(image, STN_LOOP_MAIN);
    assert_counts(&counts,
                  "instructions 10, unknown 0, loads.128 2, stores.128 1, distinct_read 32, "
                  "distinct_written 16, scalar_conversions 2, scalar_fma.f64 1, scalar.int 2, "
                  "local_stores 1, stack_bytes 8, constant_loads 0",
                  "axpy");
    assert_int_equal(counts.elements, 0); /* of f32 or of f64? */
    assert_int_equal(count(image, STN_LOOP_NONE).constant_loads, 1);
    stn_image_close(image);
}

RUN_UNIT_TESTS(NULL, NULL)
