/* Value numbers of registers. */
#include "contract/isa/sass_values.h"

#include <string.h>

enum { CLASSES = 64, LAST_CLASS = CLASSES - 1 };

void stn_sass_values_begin(stn_sass_values *values)
{
    memset(values, 0, sizeof *values);
    stn_sass_values_end_loop(values);
}

void stn_sass_values_begin_loop(stn_sass_values *values)
{
    values->epoch++;
    values->next_class = 0;
}

void stn_sass_values_end_loop(stn_sass_values *values)
{
    values->epoch++;
    values->next_class = LAST_CLASS;
}

void stn_sass_values_forget_all(stn_sass_values *values, stn_machine_instruction *instruction)
{
    instruction->written |= (UINT64_C(1) << values->next_class) - 1;
    stn_sass_values_end_loop(values);
}

static void renew(stn_sass_values *values, int slot)
{
    values->number[slot] = (int32_t)((values->others++ * CLASSES + LAST_CLASS) & INT32_MAX);
    values->offset[slot] = 0;
}

/* The first read of a register in a loop. */
static void enter(stn_sass_values *values, int slot)
{
    renew(values, slot);
    values->class[slot] = (unsigned char)values->next_class;
    values->known_since[slot] = values->epoch;
    if (values->next_class < LAST_CLASS)
        values->number[slot] -= LAST_CLASS - values->next_class++;
}

static int is_entered(const stn_sass_values *values, int slot)
{
    return values->known_since[slot] == values->epoch;
}

void stn_sass_values_forget(stn_sass_values *values, int slot, int count,
                            stn_machine_instruction *instruction)
{
    for (int s = slot; slot >= 0 && s < slot + count && s < STN_SASS_SLOTS; s++) {
        if (is_entered(values, s) && values->class[s] != LAST_CLASS)
            instruction->written |= UINT64_C(1) << values->class[s];
        else
            values->class[s] = LAST_CLASS;
        values->known_since[s] = values->epoch;
        renew(values, s);
    }
}

int stn_sass_values_read(stn_sass_values *values, int slot, int64_t *offset)
{
    if (slot < 0)
        return -1;
    if (!is_entered(values, slot))
        enter(values, slot);
    *offset = (int64_t)((uint64_t)*offset + (uint64_t)values->offset[slot]);
    return values->number[slot];
}

void stn_sass_values_add(stn_sass_values *values, int slot, int source, int64_t constant,
                         stn_machine_instruction *instruction)
{
    int64_t offset = constant, before = 0;
    const int number = stn_sass_values_read(values, source, &offset);
    if (slot < 0)
        return;
    const int was = is_entered(values, slot) ? stn_sass_values_read(values, slot, &before) : -1;
    const int class = was < 0 ? LAST_CLASS : values->class[slot];
    stn_sass_values_forget(values, slot, 1, instruction);
    if (number < 0)
        return;
    values->number[slot] = number;
    values->offset[slot] = offset;
    if (class == LAST_CLASS || number % CLASSES != class)
        return;
    instruction->written &= ~(UINT64_C(1) << class);
    instruction->step_register = number;
    instruction->step = (int64_t)((uint64_t)offset - (uint64_t)before);
}
