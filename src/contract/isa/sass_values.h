/* What registers hold while the instructions of a kernel go by, as far as addresses need it.
 *
 * Values have numbers: two registers with the same number and offset hold the same. A value that a
 * register has at the beginning of a loop gets a number of which the last six bits, its class, are
 * its own in that loop: these are the registers that stn_machine_instruction's steps and written
 * bits speak of. All other values share the last class. */
#ifndef STENO_CONTRACT_SASS_VALUES_H
#define STENO_CONTRACT_SASS_VALUES_H

#include "contract/isa/code.h"

/* Registers of a thread come first, then the uniform ones; -1 is the register that is always 0. */
enum { STN_SASS_FIRST_UNIFORM = 256, STN_SASS_SLOTS = 512 };

typedef struct stn_sass_values {
    int32_t number[STN_SASS_SLOTS];
    int64_t offset[STN_SASS_SLOTS];
    unsigned char class[STN_SASS_SLOTS]; /* of the value at the beginning of the loop */
    int32_t known_since[STN_SASS_SLOTS]; /* before `epoch`: the register holds a new value */
    int32_t epoch;
    uint32_t others; /* values of the last class so far */
    int next_class;
} stn_sass_values;

void stn_sass_values_begin(stn_sass_values *values);

/* Nothing is known any more: a loop begins, or one has ended. */
void stn_sass_values_begin_loop(stn_sass_values *values);
void stn_sass_values_end_loop(stn_sass_values *values);

/* The instruction may have written any register. */
void stn_sass_values_forget_all(stn_sass_values *values, stn_machine_instruction *instruction);

/* The instruction writes `count` registers from `slot` on, with values that nothing else has. */
void stn_sass_values_forget(stn_sass_values *values, int slot, int count,
                            stn_machine_instruction *instruction);

/* The number of the value in a register, -1 of none; `offset` is added to its offset. */
int stn_sass_values_read(stn_sass_values *values, int slot, int64_t *offset);

/* slot = source + constant: a step when that is its own value at the beginning of the loop. */
void stn_sass_values_add(stn_sass_values *values, int slot, int source, int64_t constant,
                         stn_machine_instruction *instruction);

#endif
