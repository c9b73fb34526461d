/* Control codes and live registers of NVIDIA instructions, assembled here. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "contract_report.h"
#include "contract_sass.h"

enum { ZERO = 255, TRUE_PREDICATE = 7 };

static made_word with_predicate(made_word word, int from, int number)
{
    return made_with(word, from, 3, (uint64_t)number);
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
    word = made_with(word, 122, 4, 5);    /* reuse of the first and third operand */
    const made_word words[] = {word, made_with(exit_word(), 113, 3, 4)};
    stn_image *image = image_of(90, words, COUNT_OF(words));
    const stn_code_counts counts = count(image, STN_LOOP_NONE);
    const stn_gpu_instruction *gpu = image->codes[0].gpu;
    assert_int_equal(gpu[0].stall, 9);
    assert_int_equal(gpu[0].yield, 0);
    assert_int_equal(gpu[0].write_barrier, 2);
    assert_int_equal(gpu[0].read_barrier, -1);
    assert_int_equal(gpu[0].wait, 0x21);
    assert_int_equal(gpu[0].reuse, 5);
    assert_int_equal(gpu[1].yield, 1);
    assert_int_equal(gpu[1].read_barrier, 4);
    assert_int_equal(counts.stalls, 9);
    assert_int_equal(counts.waits, 1);
    stn_image_close(image);
}

/* ---- which registers an instruction has to do with ---- */

static void add_registers(const stn_registers *set, char *text, size_t room)
{
    static const struct {
        int first, end;
        const char *name;
    } files[] = {{0, STN_FIRST_UNIFORM, "R"},
                 {STN_FIRST_UNIFORM, STN_FIRST_PREDICATE, "UR"},
                 {STN_FIRST_PREDICATE, STN_FIRST_UNIFORM_PREDICATE, "P"},
                 {STN_FIRST_UNIFORM_PREDICATE, STN_FIRST_UNIFORM_PREDICATE + 8, "UP"}};
    for (int f = 0; f < COUNT_OF(files); f++)
        for (int r = files[f].first; r < files[f].end; r++)
            if (set->bits[r / 64] >> r % 64 & 1)
                snprintf(text + strlen(text), room - strlen(text), "%s%d ", files[f].name,
                         r - files[f].first);
}

/* "written <- read". */
static void assert_uses(int sm, made_word word, const char *expected)
{
    char text[256] = "";
    const made_word words[] = {word, exit_word()};
    stn_image *image = image_of(sm, words, COUNT_OF(words));
    (void)count(image, STN_LOOP_NONE);
    add_registers(&image->codes[0].gpu[0].written, text, sizeof text);
    snprintf(text + strlen(text), sizeof text - strlen(text), "<- ");
    add_registers(&image->codes[0].gpu[0].read, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(image->codes[0].gpu[0].is_known, 1);
    stn_image_close(image);
}

UNIT_TEST(widths_make_pairs)
{
    assert_uses(90, made_registers(0x223, 2, 4, 6, 8), "R2 <- R4 R6 R8 ");
    assert_uses(90, made_registers(0x22b, 2, 4, 6, 8), "R2 R3 <- R4 R5 R6 R7 R8 R9 ");
    assert_uses(90, made_registers(0x22b, 2, 4, ZERO, 8), "R2 R3 <- R4 R5 R8 R9 ");
    assert_uses(90, made_registers(0x229, 2, 4, 0, 8), "R2 R3 <- R4 R5 R8 R9 ");
    made_word wide = with_predicate(made_registers(0x225, 2, 4, 6, 8), 81, TRUE_PREDICATE);
    assert_uses(90, with_predicate(wide, 87, TRUE_PREDICATE), "R2 R3 <- R4 R6 R8 R9 ");
    made_word narrow = made_with(made_registers(0x310, 5, 0, 4, 0), 75, 2, 2);
    assert_uses(90, made_with(narrow, 84, 2, 3), "R5 <- R4 R5 ");
    const made_word load = made_with(made_with(made_load(0x381, 6, 4, 2, 0), 72, 1, 1), 9, 3, 1);
    assert_uses(75, load, "R4 R5 R6 R7 <- R2 R3 ");
    assert_uses(90, made_load(0x984, 5, 4, 2, 0), "R4 R5 <- R2 ");
    assert_uses(90, made_store(0x388, 5, 2, 0, 8), "<- R2 R8 R9 ");
    const made_word described = made_with(made_load(0x981, 4, 4, 2, 0), 91, 1, 1);
    assert_uses(90, made_with(described, 32, 8, 6), "R4 <- R2 R3 UR6 UR7 ");
    assert_uses(120, made_with(made_with(made_registers(0x202, 2, 0, 6, 0), 80, 1, 1), 72, 4, 15),
                "R2 R3 <- R6 R7 ");
    made_word least = with_predicate(made_registers(0x217, 2, 4, 6, 0), 87, TRUE_PREDICATE);
    assert_uses(90, made_with(least, 74, 1, 1), "R2 <- R4 R6 ");
    assert_uses(120, made_with(least, 74, 1, 1), "R2 R3 <- R4 R5 R6 R7 ");
}

UNIT_TEST(predicates)
{
    made_word compare = made_registers(0x20c, 0, 4, 6, 0); /* ISETP P2, P3, R4, R6, P5, P1 */
    compare = with_predicate(with_predicate(compare, 81, 2), 84, 3);
    compare = with_predicate(with_predicate(compare, 87, 5), 68, 1);
    assert_uses(90, compare, "P2 P3 <- R4 R6 P1 P5 ");
    assert_uses(90, made_with(made_registers(0x223, 2, 4, 6, 8), 12, 4, 11), "R2 <- R4 R6 R8 P3 ");
    made_word mixed = with_predicate(with_predicate(made_instruction(0x81c), 81, 1), 84, 7);
    mixed = with_predicate(with_predicate(with_predicate(mixed, 87, 7), 77, 4), 68, 2);
    assert_uses(90, mixed, "P1 <- P2 P4 ");
    assert_uses(90, made_with(mixed, 67, 1, 1), "P1 <- P4 UP2 ");
    const made_word mask = made_with(made_registers(0x803, 9, ZERO, 0, 0), 32, 32, 0x11);
    assert_uses(90, mask, "R9 <- P0 P4 ");
    const made_word branch = made_with(made_branch(90, 7, 0), 9, 3, 2);
    assert_uses(90, with_predicate(branch, 24, 3), "<- UP3 ");
}

UNIT_TEST(uniform_ones)
{
    made_word sum = made_registers(0x290, 4, 5, 6, 63); /* UIADD3 */
    sum = with_predicate(with_predicate(sum, 81, 7), 84, 7);
    sum = with_predicate(with_predicate(sum, 87, 7), 77, 7);
    assert_uses(90, sum, "UR4 <- UR5 UR6 ");
    assert_uses(90, made_registers(0x3c4, 4, 5, 0, 0), "UR4 <- R5 ");
    assert_uses(120, made_registers(0x249, 4, 5, 6, 0), "UR4 <- UR5 UR6 ");
    assert_uses(100, made_registers(0x249, 4, 6, 8, 10), "R4 R5 <- R6 R7 R8 R9 R10 R11 ");
    assert_uses(90, made_with(made_registers(0x2ca, 4, 5, 0, 0), 12, 4, 0), "UR4 <- R5 P0 ");
}

UNIT_TEST(shuffles_and_atomics)
{
    const int form[] = {0x389, 0x589, 0x989, 0xf89};
    const char *expected[] = {"R2 <- R4 R6 R8 ", "R2 <- R4 R6 ", "R2 <- R4 R8 ", "R2 <- R4 "};
    for (int k = 0; k < COUNT_OF(form); k++)
        assert_uses(
            90, with_predicate(made_registers((unsigned)form[k], 2, 4, 6, 8), 81, TRUE_PREDICATE),
            expected[k]);
    const made_word cas = with_predicate(made_registers(0x3a9, 2, 4, 6, 8), 81, 1);
    assert_uses(90, cas, "R2 P1 <- R4 R5 R6 R8 ");
    assert_uses(90, made_registers(0x38d, 2, 4, 6, 8), "R2 <- R4 R6 R8 ");
    const made_word shared = with_predicate(made_registers(0x58d, 2, 4, 6, 8), 81, 1);
    assert_uses(120, shared, "P1 <- R4 R6 R8 ");
    const made_word wide[] = {{0xfffff9040410797e, 0x0ea80008121914},
                              {0xf80005080208797f, 0x008fe2000f12180c}};
    assert_uses(120, wide[0], "R16 R17 R18 R19 R20 R21 R22 R23 <- R4 R5 UR4 UR5 ");
    assert_uses(120, made_with(wide[1], 16, 8, 12),
                "<- R2 R3 R8 R9 R10 R11 R12 R13 R14 R15 UR12 UR13 ");
}

/* ---- how many hold what is still needed ---- */

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
UNIT_TEST(straight_code)
{
    const made_word words[] = {
        move(1, ZERO),                     /* R1 */
        move(2, ZERO),                     /* R1 R2 */
        move(3, ZERO),                     /* R1 R2 R3 */
        made_registers(0x228, 4, 2, 2, 0), /* R1 R2 R3 R4 R5 */
        move(2, ZERO),                     /* R1 R4 R5, and R2, which nobody reads */
        made_store(0x388, 5, ZERO, 0, 4),  /* R1 R4 R5 */
        exit_word(),
    };
    assert_live(words, COUNT_OF(words), (int[]){1, 2, 3, 5, 4, 3, 1});
}

/* What an iteration reads before it writes it is needed all around the loop. */
UNIT_TEST(loops)
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
UNIT_TEST(predicates_keep)
{
    const made_word words[] = {
        move(1, ZERO),
        move(2, ZERO),
        move(3, ZERO),                      /* R1 R2, and R3, which nobody reads */
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
        with_predicate(exit_word(), 87, TRUE_PREDICATE),
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

UNIT_TEST(contracts)
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
