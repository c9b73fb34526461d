/* Partial results with invalid contents are refused, and no byte after them is written. */
#include "order_oracle.h"
#include "partial_model.h"
#include "steno/exec.h"
#include "make_view.h"

/* A partial result followed by bytes that must not change. */
typedef struct painted_part {
    stn_partial part;
    unsigned char after[4096];
} painted_part;

static painted_part left, right;
static stn_exec *exec;

static void paint(painted_part *painted)
{
    memset(painted->after, 0x5a, sizeof painted->after);
}

static void check_paint(const painted_part *painted)
{
    for (int k = 0; k < COUNT_OF(painted->after); k++)
        if (painted->after[k] != 0x5a)
            fail_msg("byte %d after a part was written", k);
}

/* 118 blocks of 2, 1, 2, 1, ... tiles: two aligned neighbors would be one block. */
UNIT_TEST(invalid_blocks_are_refused)
{
    paint(&left);
    left.part = partial_made(&partial_kinds[0], partial_mark(exec, &partial_kinds[0]), 0, 0);
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
    check_paint(&left);
}

/* A count is at most the number of elements of its block, a truth value at most 1. */
UNIT_TEST(invalid_conditions_are_refused)
{
    static const struct {
        int kind, in_edge;
        uint64_t value;
        int is_valid;
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
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const struct partial_kind *const kind = &partial_kinds[cases[k].kind];
        const uint64_t mark = partial_mark(exec, kind);
        const stn_status expected = cases[k].is_valid ? STN_OK : STN_ERR_ARGUMENT;
        stn_partial first = partial_made(kind, mark, 0, 260);
        const stn_partial second = partial_made(kind, mark, 260, 260);
        int64_t result = -1;
        *(cases[k].in_edge ? &first.edge[1][3][0] : &first.block[0][0][0]) = cases[k].value;
        expect_error(stn_reduce_finish(kind->reduction, &first, &result), expected, NULL);
        assert_true(cases[k].is_valid == (result != -1));
        expect_error(stn_reduce_merge(kind->reduction, &first, &second), expected,
                     cases[k].is_valid ? NULL : "the left part is not a partial result");
    }
}

/* Random changes, of which test/fuzz/fuzz_partial.c makes more. */
UNIT_TEST(changed_parts_are_merged_or_refused)
{
    uint64_t state = 14;
    for (int round = 0; round < 20000; round++) {
        uint8_t bytes[28 + 5 * 4];
        for (int k = 0; k < COUNT_OF(bytes); k++)
            bytes[k] = (uint8_t)(order_next(&state) >> 56);
        paint(&left);
        paint(&right);
        const char *complaint =
            partial_try(exec, bytes, 28 + (size_t)(round % 5) * 5, &left.part, &right.part);
        if (complaint)
            fail_msg("round %d: %s: %s", round, complaint, stn_error());
        check_paint(&left);
        check_paint(&right);
    }
}

RUN_UNIT_TESTS_ON(exec, "reference")
