/* Register allocation: unused results are deleted, and the remaining registers share few slots,
 * which are allocated in text order (linear scan). */
#include "expr/compiler.h"

#include <string.h>

#include "core/memory.h"

enum { NOWHERE = 0xff };

/* First write, last use and slot of a register. */
typedef struct interval {
    int32_t first, last;
    uint8_t position;
    char is_read;
} interval;

static int is_jump(const stn_instruction *instruction)
{
    return instruction->operation == STN_DO_JUMP || instruction->operation == STN_DO_JUMP_NONE;
}

static int jumps(const stn_compiler *c)
{
    for (int32_t k = 0; k < c->count; k++)
        if (is_jump(&c->instructions[k]))
            return 1;
    return 0;
}

static void mark_read(const stn_instruction *instruction, interval *intervals)
{
    for (int o = 0; o < STN_MAX_OPERANDS; o++)
        if (stn_is_register(instruction->from[o]))
            intervals[instruction->from[o]].is_read = 1;
}

/* Backward: in straight-line code, a write ends the previous live range. With jumps, reads anywhere
 * count. */
static void find_unread(stn_compiler *c, interval *intervals)
{
    const int is_straight = !jumps(c);
    for (int32_t k = 0; k < c->count && !is_straight; k++)
        mark_read(&c->instructions[k], intervals);
    for (int32_t k = c->count - 1; k >= 0; k--) {
        stn_instruction *const instruction = &c->instructions[k];
        if (stn_is_register(instruction->to) && !intervals[instruction->to].is_read &&
            !stn_is_check(instruction)) {
            *instruction = stn_nothing;
        } else if (is_straight) {
            if (stn_is_register(instruction->to))
                intervals[instruction->to].is_read = 0;
            mark_read(instruction, intervals);
        }
    }
}

/* Closes gaps and adjusts jump targets. `moved` has one element per instruction. */
static void remove_unread_instructions(stn_compiler *c, int32_t *moved)
{
    int32_t count = 0;
    for (int32_t k = 0; k < c->count; k++) {
        moved[k] = count;
        if (c->instructions[k].operation != STN_OPERATIONS)
            c->instructions[count++] = c->instructions[k];
    }
    c->count = count;
    for (int32_t k = 0; k < count; k++)
        if (is_jump(&c->instructions[k]))
            c->instructions[k].at = (uint16_t)moved[c->instructions[k].at];
}

static void extend(interval *intervals, uint16_t operand, int32_t to)
{
    if (!stn_is_register(operand))
        return;
    if (intervals[operand].first < 0)
        intervals[operand].first = to;
    if (intervals[operand].last < to)
        intervals[operand].last = to;
}

static void find_intervals(const stn_compiler *c, interval *intervals)
{
    for (int32_t t = 0; t < c->temporary_count; t++)
        intervals[t] = (interval){-1, -1, NOWHERE, 0};
    for (int32_t k = 0; k < c->count; k++) {
        for (int o = 0; o < STN_MAX_OPERANDS; o++)
            extend(intervals, c->instructions[k].from[o], k);
        extend(intervals, c->instructions[k].to, k);
    }
    /* Values defined before a loop are live in all of its iterations. Loops are processed from
     * inside out. */
    for (int32_t k = 0; k < c->count; k++)
        for (int32_t t = 0; c->instructions[k].operation == STN_DO_JUMP && t < c->temporary_count;
             t++)
            if (intervals[t].first >= 0 && intervals[t].first < c->instructions[k].at &&
                intervals[t].last >= c->instructions[k].at && intervals[t].last < k)
                intervals[t].last = k;
}

static uint16_t slot_of(const interval *intervals, uint16_t operand)
{
    return stn_is_register(operand) ? intervals[operand].position : operand;
}

/* A slot is not reused by the instruction that reads it last, because values may differ in size. */
static stn_status assign_slots(stn_compiler *c, interval *intervals)
{
    int32_t until[STN_MAX_REGISTERS];
    memset(until, -1, sizeof until);
    for (int32_t k = 0; k < c->count; k++) {
        stn_instruction *const instruction = &c->instructions[k];
        const uint16_t to = instruction->to;
        for (int o = 0; o < STN_MAX_OPERANDS; o++)
            instruction->from[o] = slot_of(intervals, instruction->from[o]);
        if (stn_is_register(to) && intervals[to].position == NOWHERE) {
            int position = 0;
            while (position < STN_MAX_REGISTERS && until[position] >= k)
                position++;
            if (position == STN_MAX_REGISTERS)
                return stn_emit_refuse(c, "too many values are needed at once", STN_MAX_REGISTERS);
            until[position] = intervals[to].last;
            intervals[to].position = (uint8_t)position;
        }
        instruction->to = slot_of(intervals, to);
    }
    return STN_OK;
}

stn_status stn_allocate_registers(stn_compiler *c)
{
    interval *intervals;
    int32_t *moved;
    STN_TRY(stn_allocate(&intervals, c->temporary_count + 1, sizeof *intervals, c->kernel->name));
    stn_status status = stn_allocate(&moved, c->count, sizeof *moved, c->kernel->name);
    if (status == STN_OK) {
        memset(intervals, 0, (size_t)(c->temporary_count + 1) * sizeof *intervals);
        find_unread(c, intervals);
        remove_unread_instructions(c, moved);
        find_intervals(c, intervals);
        status = assign_slots(c, intervals);
    }
    stn_free(moved);
    stn_free(intervals);
    return status;
}
