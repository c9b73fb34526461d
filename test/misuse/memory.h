/* Cases of test_misuse.c: memory. */
#ifndef STENO_TEST_MISUSE_MEMORY_H
#define STENO_TEST_MISUSE_MEMORY_H

#include <stdint.h>
#include <string.h>

#include "order_oracle.h"
#include "partial_model.h"
#include "steno/exec.h"
#include "check.h"

/* A part with something behind it. */
typedef struct memory_painted {
    stn_partial part;
    unsigned char behind[4096];
} memory_painted;

static void memory_paint(memory_painted *painted)
{
    memset(painted->behind, 0x5a, sizeof painted->behind);
}

static void memory_check_paint(const memory_painted *painted)
{
    for (size_t k = 0; k < sizeof painted->behind; k++)
        if (painted->behind[k] != 0x5a)
            fail_msg("byte %zu behind a part was written", k);
}

/* 118 blocks of 2, 1, 2, 1, ... tiles are no part: aligned neighbours would be one block. */
TEST_CASE(memory_part_with_blocks_that_cannot_be)
{
    static memory_painted left, right;
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "reference"));
    const uint64_t mark = partial_mark(exec, &partial_kinds[0]);
    memory_paint(&left);
    left.part = partial_made(&partial_kinds[0], mark, 0, 0);
    left.part.blocks = 118;
    for (int b = 0; b < left.part.blocks; b++) {
        left.part.block_tiles[b] = 2 - b % 2;
        left.part.count += left.part.block_tiles[b] * STN_TILE_ELEMENTS;
    }
    right = left;
    right.part.first = left.part.count;
    expect_error(stn_reduce_merge(partial_kinds[0].reduction, &left.part, &right.part),
                 STN_ERR_ARGUMENT, "left part");
    assert_non_null(strstr(stn_error(), "blocks"));
    memory_check_paint(&left);
    stn_exec_release(exec);
}

/* Numbers in parts of conditions: none can be more than its block has elements, or less than 0. */
TEST_CASE(memory_part_with_conditions_that_cannot_be)
{
    static const struct {
        int kind, in_edge;
        uint64_t value;
        int good;
    } cases[] = {{7, 0, (uint64_t)INT64_MAX - 5, 0},
                 {7, 0, (uint64_t)-3, 0},
                 {7, 0, 257, 0},
                 {7, 0, 256, 1},
                 {7, 1, 2, 0},
                 {7, 1, (uint64_t)-1, 0},
                 {7, 1, 1, 1},
                 {8, 0, 2, 0},
                 {8, 0, 1, 1},
                 {8, 1, 2, 0},
                 {9, 0, 2, 0},
                 {9, 0, 0, 1},
                 {9, 1, 3, 0},
                 {9, 1, 0, 1}};
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "reference"));
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const struct partial_kind *const kind = &partial_kinds[cases[k].kind];
        const uint64_t mark = partial_mark(exec, kind);
        const stn_status wanted = cases[k].good ? STN_OK : STN_ERR_ARGUMENT;
        stn_partial left = partial_made(kind, mark, 0, 260);
        const stn_partial right = partial_made(kind, mark, 260, 260);
        int64_t result = -1;
        *(cases[k].in_edge ? &left.edge[1][3][0] : &left.block[0][0][0]) = cases[k].value;
        assert_int_equal(stn_reduce_finish(kind->reduction, &left, &result), wanted);
        assert_true(cases[k].good == (result != -1));
        assert_int_equal(stn_reduce_merge(kind->reduction, &left, &right), wanted);
        if (!cases[k].good && !strstr(stn_error(), "the left part is not a partial result"))
            fail_msg("case %zu: '%s'", k, stn_error());
    }
    stn_exec_release(exec);
}

/* Parts spoilt in many ways, as test/fuzz/fuzz_partial.c has more of. */
TEST_CASE(memory_part_that_was_spoilt)
{
    static memory_painted left, right;
    uint64_t state = 14;
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "reference"));
    for (int round = 0; round < 20000; round++) {
        uint8_t bytes[28 + 5 * 4];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)(order_next(&state) >> 56);
        memory_paint(&left);
        memory_paint(&right);
        const char *complaint =
            partial_try(exec, bytes, 28 + (size_t)(round % 5) * 5, &left.part, &right.part);
        if (complaint)
            fail_msg("round %d: %s: %s", round, complaint, stn_error());
        memory_check_paint(&left);
        memory_check_paint(&right);
    }
    stn_exec_release(exec);
}

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line.
 */
#define MISUSE_MEMORY                                                                              \
    cmocka_unit_test(memory_part_with_blocks_that_cannot_be),                                      \
        cmocka_unit_test(memory_part_with_conditions_that_cannot_be),                              \
        cmocka_unit_test(memory_part_that_was_spoilt),

#endif
