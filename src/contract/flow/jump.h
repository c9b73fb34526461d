/* Jumps through tables, as compilers make them of switches: where the table lies and what it holds.
 * A table is taken only where code before the jump bounds its length, and every entry leads to an
 * instruction of the function; nobody knows where other jumps lead to. */
#ifndef STENO_CONTRACT_JUMP_H
#define STENO_CONTRACT_JUMP_H

#include "contract/image/elf.h"

typedef struct stn_jump_table {
    int32_t pointer;  /* the instruction that names the table's address, */
    uint64_t address; /* and that address, as far as it is known before linking */
    uint64_t base;    /* what entries are added to; STN_NO_TARGET: the table's address */
    int is_absolute;  /* entries are addresses */
    int bytes, shift; /* of an entry, and how far it is shifted */
    int is_signed;    /* it counts back, too */
    int32_t load;     /* the instruction that loads the entry, */
    int index;        /* and the register with its number */
} stn_jump_table;

/* jump_x86.c, jump_aarch64.c: what the instructions before the jump say; 0: nothing that is known.
 */
int stn_x86_jump_table(const stn_code *code, int32_t jump, stn_jump_table *table);
int stn_aarch64_jump_table(const stn_code *code, int32_t jump, stn_jump_table *table);

/* What an instruction is to the index of a table, on the way back from the jump. */
typedef enum stn_index_step {
    STN_INDEX_APART,    /* nothing */
    STN_INDEX_COPIED,   /* its register became a copy of `number`, */
    STN_INDEX_MASKED,   /* or has only the bits of `number`; */
    STN_INDEX_LOST,     /* or is made in another way */
    STN_INDEX_COMPARED, /* with `number` */
    STN_INDEX_FLAGS     /* something else was compared */
} stn_index_step;

typedef struct stn_index {
    int number;         /* the register, -1: none */
    char memory[64];    /* or the operand it was loaded from */
    uint64_t addresses; /* the registers in that, as bits */
} stn_index;

/* jump_x86.c, jump_aarch64.c */
stn_index_step stn_x86_index_step(const stn_code *code, int32_t i, stn_index *index,
                                  int64_t *number);
stn_index_step stn_aarch64_index_step(const stn_code *code, int32_t i, stn_index *index,
                                      int64_t *number);

/* Of a branch after an unsigned comparison, with a sign: 1: taken above, 2: at or above, -1: at or
 * below, -2: below; 0: another one. */
int stn_x86_unsigned_branch(const char *text);
int stn_aarch64_unsigned_branch(const char *text);

/* The last instruction before `before` that writes the register; -1: none. */
int32_t stn_code_writer(const stn_code *code, int32_t before, int number);

/* The same of a register that holds an address all the time, so that what a function restores on
 * its way out, earlier in memory, does not count. */
int32_t stn_code_pointer_writer(const stn_code *code, int32_t before, int number);

/* jump.c: fills in the cases of the code, a function of `symbol`. */
stn_status stn_code_find_cases(stn_code *code, const stn_elf *file, const stn_symbol *symbol);

/* elf_relocation.c: the relocations of a section, of which there may be none; and of those what is
 * put in the place of bytes [from, to): an offset in another section. 0: nothing that is known. */
typedef struct stn_relocation {
    uint64_t place; /* of the relocation */
    size_t section;
    uint64_t offset; /* with its addend; relative to `place` where the type says so */
} stn_relocation;

int stn_elf_relocations(const stn_elf *file, size_t section, stn_section *list);
int stn_elf_relocation(const stn_elf *file, const stn_section *list, uint64_t from, uint64_t to,
                       stn_relocation *found);

#endif
