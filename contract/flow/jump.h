/* Jumps through tables, which compilers generate for switches: position and contents of the table.
 * A table is accepted only if code before the jump bounds its length and every entry leads to an
 * instruction of the function. Other indirect jumps are unresolved. */
#ifndef STENO_CONTRACT_JUMP_H
#define STENO_CONTRACT_JUMP_H

#include "contract/image/elf.h"

typedef struct stn_jump_table {
    int32_t pointer;  /* the instruction that loads the table's address */
    uint64_t address; /* that address, as far as it is known before linking */
    uint64_t base;    /* added to entries; STN_NO_TARGET: the table's address */
    int is_absolute;  /* entries are addresses */
    int bytes, shift; /* size of an entry, and its shift */
    int is_signed;    /* entries are signed */
    int32_t load;     /* the instruction that loads the entry */
    int index;        /* register of the index */
} stn_jump_table;

/* jump_x86.c, jump_aarch64.c: analyze the instructions before the jump; 0: not a known pattern. */
int stn_x86_jump_table(const stn_code *code, int32_t jump, stn_jump_table *table);
int stn_aarch64_jump_table(const stn_code *code, int32_t jump, stn_jump_table *table);

/* Effect of an instruction on the index of a table, going backward from the jump. */
typedef enum stn_index_step {
    STN_INDEX_APART,    /* none */
    STN_INDEX_COPIED,   /* the index register is a copy of `number` */
    STN_INDEX_MASKED,   /* the index register has a subset of the bits of `number` */
    STN_INDEX_LOST,     /* computed in another way */
    STN_INDEX_COMPARED, /* compared with `number` */
    STN_INDEX_FLAGS     /* something else is compared */
} stn_index_step;

typedef struct stn_index {
    int number;         /* register, -1: none */
    char memory[64];    /* or the operand from which it was loaded */
    uint64_t addresses; /* its address registers as bits */
} stn_index;

/* jump_x86.c, jump_aarch64.c */
stn_index_step stn_x86_index_step(const stn_code *code, int32_t i, stn_index *index,
                                  int64_t *number);
stn_index_step stn_aarch64_index_step(const stn_code *code, int32_t i, stn_index *index,
                                      int64_t *number);

/* For a branch after an unsigned comparison, with a sign: 1: taken above, 2: at or above, -1: at or
 * below, -2: below; 0: another branch. */
int stn_x86_unsigned_branch(const char *text);
int stn_aarch64_unsigned_branch(const char *text);

/* The last instruction before `before` that writes the register; -1: none. */
int32_t stn_code_writer(const stn_code *code, int32_t before, int number);

/* The same for a register that holds an address throughout, so that restoring it in an epilogue
 * that precedes the jump does not count. */
int32_t stn_code_pointer_writer(const stn_code *code, int32_t before, int number);

/* jump.c: finds the cases of the code, a function of `symbol`. */
stn_status stn_code_find_cases(stn_code *code, const stn_elf *file, const stn_symbol *symbol);

/* elf_relocation.c: the relocations of a section (empty if it has none). Finds the relocation of
 * bytes [from, to): an offset in another section. 0: unknown. */
typedef struct stn_relocation {
    uint64_t position; /* offset of the relocation */
    size_t section;
    uint64_t offset; /* including the addend; relative to `position` if the type requires it */
} stn_relocation;

int stn_elf_relocations(const stn_elf *file, size_t section, stn_section *list);
int stn_elf_relocation(const stn_elf *file, const stn_section *list, uint64_t from, uint64_t to,
                       stn_relocation *found);

#endif
