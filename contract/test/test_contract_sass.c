/* Code of NVIDIA instructions, assembled here: unknown instructions, padding, and the counts of
 * loops. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "contract_report.h"
#include "contract_sass.h"

enum { ZERO = 255 };

UNIT_TEST(unknown)
{
    const made_word words[] = {made_instruction(0x1ff), made_instruction(0x035), exit_word()};
    stn_image *image = image_of(80, words, 3);
    assert_int_equal(count(image, STN_LOOP_NONE).unknown, 1); /* sm_80 has 0x035 */
    stn_image_close(image);
}

/* A jump to itself and padding after the end are not the kernel's. */
UNIT_TEST(padding)
{
    const made_word nop = made_instruction(0x918);
    const made_word words[] = {made_load(0x981, 4, 4, 2, 0), nop, exit_word(),
                               made_branch(90, 7, -1),       nop, nop};
    stn_image *image = image_of(90, words, COUNT_OF(words));
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    assert_int_equal(count(image, STN_LOOP_NONE).instructions, 3);
    assert_int_equal(count(image, STN_LOOP_NONE).branches, 0);
    expect_ok(stn_image_function(image, 0, &info));
    assert_int_equal(info.loops, 0);
    stn_image_close(image);
}

/* Copies 4096 bytes from global to shared memory. */
UNIT_TEST(bulk_copies_have_no_bytes)
{
    const made_word words[] = {{0x00000006080073ba, 0x0005d80008000204}, exit_word()};
    stn_image *image = image_of(90, words, 2);
    EXPECT_REPORT(
        image,
        "kernel k @sm_90 : load >= 1, load <= 1, store == 0, shared == 1\n"
        "kernel k @sm_90 : load == 0, bytes.read == 0, bytes <= 4096, load.128 == 0, "
        "load.width >= 8, bytes.raw == 0, elements == 1\n",
        4, 7, 0, "load == 0, found 1",
        "bytes.read == 0 cannot be determined: 'UBLKCP' at 0 moves a number of bytes that "
        "the instruction does not contain");
    stn_image_close(image);
}

/* ---- loops ---- */

static made_word add_constant(int destination, int source, int constant)
{
    return with_constant(0x810, destination, source, (uint32_t)constant, ZERO);
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
                                 made_registers(0x224, 2, ZERO, ZERO, 10)};
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

/* Steps of an outer loop after its inner loop do not determine addresses before it. */
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

/* More registers than a loop has classes for: the number of elements is undetermined. */
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

/* ---- control codes ---- */

UNIT_TEST(control_codes)
{
    made_word word = made_registers(0x22b, 2, 4, 6, 8);
    word = made_with(word, 105, 4, 9);    /* stall */
    word = made_with(word, 109, 1, 1);    /* no yield */
    word = made_with(word, 110, 3, 2);    /* write barrier */
    word = made_with(word, 113, 3, 7);    /* no read barrier */
    word = made_with(word, 116, 6, 0x21); /* waits for 0 and 5 */
    word = made_with(word, 122, 4, 13);   /* reuse of operands 0, 2 and 3 */
    const made_word words[] = {word, made_with(exit_word(), 113, 3, 4)};
    stn_image *image = image_of(90, words, COUNT_OF(words));
    const stn_code_counts counts = count(image, STN_LOOP_NONE);
    const stn_gpu_instruction *gpu = image->codes[0].gpu;
    assert_int_equal(gpu[0].stall, 9);
    assert_int_equal(gpu[0].yield, 0);
    assert_int_equal(gpu[0].write_barrier, 2);
    assert_int_equal(gpu[0].read_barrier, -1);
    assert_int_equal(gpu[0].wait, 0x21);
    assert_int_equal(gpu[0].reuse, 13);
    assert_int_equal(gpu[1].yield, 1);
    assert_int_equal(gpu[1].read_barrier, 4);
    assert_int_equal(counts.stalls, 9);
    assert_int_equal(counts.waits, 1);
    stn_image_close(image);
}

/* ---- live registers ---- */

static void assert_live(const made_word *words, size_t size, const int *expected)
{
    stn_image *image = image_of(90, words, size);
    (void)count(image, STN_LOOP_NONE);
    for (size_t i = 0; i < size; i++)
        if (image->codes[0].gpu[i].live[STN_FILE_THREAD] != expected[i])
            fail_msg("instruction %zu: %d live, not %d", i,
                     image->codes[0].gpu[i].live[STN_FILE_THREAD], expected[i]);
    stn_image_close(image);
}

static made_word move(int destination, int source)
{
    return made_registers(0x202, destination, 0, source, 0);
}

/* The stack pointer R1 is always among them. */
UNIT_TEST(live_in_straight_code)
{
    const made_word words[] = {
        move(1, ZERO),                     /* R1 */
        move(2, ZERO),                     /* R1 R2 */
        move(3, ZERO),                     /* R1 R2 R3 */
        made_registers(0x228, 4, 2, 2, 0), /* R1 R2 R3 R4 R5 */
        move(2, ZERO),                     /* R1 R4 R5, and R2, which no instruction reads */
        made_store(0x388, 5, ZERO, 0, 4),  /* R1 R4 R5 */
        exit_word(),
    };
    assert_live(words, COUNT_OF(words), (int[]){1, 2, 3, 5, 4, 3, 1});
}

/* What an iteration reads before it writes it is needed all around the loop. */
UNIT_TEST(live_in_loops)
{
    const made_word words[] = {
        move(1, ZERO),
        move(2, ZERO),
        move(4, ZERO),                     /* R1 R2 R4 */
        made_registers(0x223, 6, 4, 4, 2), /* R1 R2 R4 R6 */
        made_registers(0x223, 2, 6, 6, 2), /* R1 R2 R4 R6 */
        made_branch(90, 0, -3),            /* R1 R2 R4 */
        made_store(0x388, 4, ZERO, 0, 2),  /* R1 R2 */
        exit_word(),
    };
    assert_live(words, COUNT_OF(words), (int[]){1, 2, 3, 4, 4, 3, 2, 1});
}

/* A predicate may leave what was there before. */
UNIT_TEST(live_under_predicates)
{
    const made_word words[] = {
        move(1, ZERO),
        move(2, ZERO),
        move(3, ZERO),                      /* R1 R2, and R3, which no instruction reads */
        made_with(move(2, ZERO), 12, 4, 0), /* R1 R2 */
        move(3, ZERO),                      /* R1 R2 R3 */
        made_registers(0x220, 4, 2, 3, 0),  /* R1 R2 R3 R4 */
        exit_word(),
    };
    assert_live(words, COUNT_OF(words), (int[]){1, 2, 3, 2, 3, 4, 1});
}

UNIT_TEST(counts_take_the_most)
{
    const made_word words[] = {
        move(1, ZERO),
        made_registers(0x22b, 20, 4, 6, 8),
        made_registers(0x290, 4, 5, 6, 63),
        made_with(exit_word(), 87, 3, 7),
    };
    stn_image *image = image_of(90, words, COUNT_OF(words));
    const stn_code_counts counts = count(image, STN_LOOP_NONE);
    assert_counts(&counts,
                  "live.thread 9, used.thread 22, used.uniform 7, live.uniform 3, "
                  "used.predicate 0, live.uniform_predicate 1, unknown_registers 0",
                  "largest numbers");
    stn_image_close(image);
}

/* ---- contracts ---- */

static void assert_contract(const made_word *words, size_t size, const char *contract, int held,
                            const char *expected)
{
    stn_image *image = image_of(90, words, size);
    EXPECT_REPORT(image, contract, held, *expected != '\0', 0, expected);
    stn_image_close(image);
}

UNIT_TEST(contracts_on_registers)
{
    const made_word words[] = {move(1, ZERO), made_with(move(2, 1), 105, 4, 3), exit_word()};
    const made_word call[] = {move(1, ZERO), made_with(made_branch(90, 7, 9), 0, 12, 0x944),
                              exit_word()};
    const made_word texture[] = {move(1, ZERO), made_instruction(0xb60), exit_word()};
    assert_contract(words, 3, "kernel k @sm_* : live <= 2, used == 3, stalls <= 3, waits == 0", 4,
                    "");
    assert_contract(words, 3, "kernel k @sm_* : live <= 1", 0, "broken: live <= 1, found 2");
    assert_contract(call, 3, "kernel k @sm_* : live <= 9", 0,
                    "cannot be determined: 'CALL 0xb0' at 10 leaves");
    assert_contract(call, 3, "kernel k @sm_* : live >= 1", 1, "");
    assert_contract(texture, 3, "kernel k @sm_* : live <= 9", 0, "at 10 uses unknown registers");
}

RUN_UNIT_TESTS(NULL, NULL)
