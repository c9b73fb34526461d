/* Values of registers in a kernel, as needed for addresses. Registers with the same value number
 * and offset hold the same value. A value at the beginning of a loop gets a number whose last six
 * bits, its class, are unique in the loop: steps and written bits of stn_machine_instruction refer
 * to these classes. All other values share the last class. */
#ifndef STENO_CONTRACT_SASS_VALUES_H
#define STENO_CONTRACT_SASS_VALUES_H

#include "contract/isa/code.h"

/* Thread registers come first, then uniform registers; -1 is the register that is always 0. */
enum { STN_SASS_FIRST_UNIFORM = 256, STN_SASS_SLOTS = 512 };

typedef struct stn_sass_values {
    int32_t number[STN_SASS_SLOTS];
    int64_t offset[STN_SASS_SLOTS];
    unsigned char class[STN_SASS_SLOTS]; /* of the value at the beginning of the loop */
    int32_t known_since[STN_SASS_SLOTS]; /* before `epoch`: the register holds a new value */
    int32_t epoch;
    uint32_t others; /* number of values in the last class */
    int next_class;
} stn_sass_values;

void stn_sass_values_begin(stn_sass_values *values);

/* Forgets all values at the beginning and the end of a loop. */
void stn_sass_values_begin_loop(stn_sass_values *values);
void stn_sass_values_end_loop(stn_sass_values *values);

/* The instruction may have written any register. */
void stn_sass_values_forget_all(stn_sass_values *values, stn_machine_instruction *instruction);

/* The instruction writes `count` registers from `slot` on with new values. */
void stn_sass_values_forget(stn_sass_values *values, int slot, int count,
                            stn_machine_instruction *instruction);

/* The value number of a register, -1: none; its offset is added to `offset`. */
int stn_sass_values_read(stn_sass_values *values, int slot, int64_t *offset);

/* slot = source + constant: a step if the source is the slot's value at the beginning of the
 * loop. */
void stn_sass_values_add(stn_sass_values *values, int slot, int source, int64_t constant,
                         stn_machine_instruction *instruction);

#endif
