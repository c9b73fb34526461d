/* The fields of one instruction of an NVIDIA GPU. */
#ifndef STENO_CONTRACT_SASS_WORD_H
#define STENO_CONTRACT_SASS_WORD_H

#include "contract/isa/code.h"

typedef enum stn_sass_class {
    STN_SASS_OTHER,      /* moves no counted memory and computes nothing counted */
    STN_SASS_MOVE,       /* copies the second operand */
    STN_SASS_ADD,        /* first + second + third operand, of integers */
    STN_SASS_ADD_TWO,    /* first + second operand, of integers */
    STN_SASS_ARITHMETIC, /* of the row's kind and lanes */
    STN_SASS_MULTIPLY,   /* first * second + third operand, of integers or floats */
    STN_SASS_HALF_ADD,   /* of halves; a conversion to float if the first operand is 0 */
    STN_SASS_FUNCTION,   /* reciprocal, square root, exponential, ... by number */
    STN_SASS_CONVERT,    /* between numbers of at most 32 bits */
    STN_SASS_CONVERT_64, /* one of the types has 64 bits */
    STN_SASS_CONVERT_PAIR,
    STN_SASS_LOAD,
    STN_SASS_STORE,
    STN_SASS_LOAD_256,
    STN_SASS_STORE_256,
    STN_SASS_LOAD_MATRIX,
    STN_SASS_LOAD_CONSTANT,
    STN_SASS_ATOMIC,       /* reads and writes; sizes of integers and, before sm_90, of floats */
    STN_SASS_ATOMIC_FLOAT, /* the same with a separate size code */
    STN_SASS_COPY,         /* global to shared */
    STN_SASS_QUERY,        /* of a texture; writes two register sets, as the loads do */
    STN_SASS_HINT,         /* cache hint */
    STN_SASS_FETCH,        /* accesses without sizes in the instruction from here on; loads */
    STN_SASS_PUT,          /* stores */
    STN_SASS_CHANGE,       /* reads and writes */
    STN_SASS_BARRIER,      /* reads and writes a barrier in shared memory */
    STN_SASS_TENSOR_FETCH, /* global to shared */
    STN_SASS_TENSOR_PUT,   /* shared to global */
    STN_SASS_TENSOR_CHANGE,
    STN_SASS_BULK_COPY,   /* between global and shared memory */
    STN_SASS_BULK_CHANGE, /* with an addition or another operation on the destination */
    STN_SASS_BRANCH,
    STN_SASS_CALL,
    STN_SASS_INDIRECT,
    STN_SASS_END
} stn_sass_class;

enum { STN_SASS_UNIFORM = 1 }; /* flag: operands are uniform registers */

typedef struct stn_sass_row {
    uint16_t opcode;
    uint8_t first, last; /* range of sm numbers */
    const char *name;
    uint8_t class;
    uint8_t kind, lanes;
    uint8_t writes; /* registers, if the width of an access does not determine them */
    uint8_t flags;
    uint8_t space;
    const char
        *uses; /* operands and predicates in the notation of sass_registers.c; NULL: unknown */
} stn_sass_row;

enum { STN_SASS_BYTES = 16, STN_SASS_MAX_WRITTEN = 8 };

/* Opcodes that need special treatment. */
enum {
    STN_SASS_MOV = 0x002,
    STN_SASS_SEL = 0x007,
    STN_SASS_ISETP = 0x00c,
    STN_SASS_IMNMX = 0x017,
    STN_SASS_PLOP3 = 0x01c,
    STN_SASS_FADD = 0x021,
    STN_SASS_IMAD = 0x024,
    STN_SASS_DADD = 0x029,
    STN_SASS_VIADD = 0x036,
    STN_SASS_UMOV = 0x082,
    STN_SASS_VOTEU = 0x086,
    STN_SASS_UISETP = 0x08c,
    STN_SASS_ULDC = 0x0b9, /* without a register */
    STN_SASS_R2UR = 0x0ca,
    STN_SASS_CREDUX = 0x0cc,
    STN_SASS_FIRST_THREAD = 0x100, /* smaller opcodes use uniform registers and predicates */
    STN_SASS_F2F = 0x104,
    STN_SASS_F2F_64 = 0x110,
    STN_SASS_LAST_COMPUTING = 0x113,
    STN_SASS_NOP = 0x118,
    STN_SASS_CAS = 0x18b,
    STN_SASS_ATOMS = 0x18c,
    STN_SASS_ATOMS_CAS = 0x18d,
    STN_SASS_RED = 0x18e,
    STN_SASS_REDG = 0x1a6,
    STN_SASS_ATOMG_CAS = 0x1a9,
    STN_SASS_HGMMA = 0x1f0,
    STN_SASS_LDCU = 0x1ac,
    STN_SASS_S2UR = 0x1c3
};

typedef enum stn_sass_guard {
    STN_SASS_ALWAYS,
    STN_SASS_SOMETIMES, /* depends on a predicate */
    STN_SASS_NEVER
} stn_sass_guard;

typedef struct stn_sass_word {
    uint64_t low, high;
    const stn_sass_row *row; /* NULL: unknown */
    stn_sass_guard guard;
    int uniform_zero; /* number of the uniform register that is 0 */
} stn_sass_word;

void stn_sass_read(stn_sass_word *word, const stn_sass_row *const *rows, const unsigned char *bytes,
                   int sm);

uint64_t stn_sass_bits(const stn_sass_word *word, int from, int count);

/* Operands are slots of sass_values.h, or one of these. */
enum { STN_SASS_ZERO = -1, STN_SASS_IMMEDIATE = -2, STN_SASS_BANK = -3 };
int stn_sass_destination(const stn_sass_word *word);
int stn_sass_operand_b(const stn_sass_word *word); /* operand from bit 32 on */
int stn_sass_first(const stn_sass_word *word);
int stn_sass_second(const stn_sass_word *word);
int stn_sass_third(const stn_sass_word *word);

/* The thread register numbered by eight bits from `from` on, or STN_SASS_ZERO. */
int stn_sass_bits_register(const stn_sass_word *word, int from);

/* The signed immediate operand. */
int64_t stn_sass_constant(const stn_sass_word *word);

/* Is an operand in a constant bank, and where? */
int stn_sass_has_bank(const stn_sass_word *word);
int64_t stn_sass_bank_offset(const stn_sass_word *word);

/* Negated or with a carry, so that it is not a plain sum. */
int stn_sass_is_extended(const stn_sass_word *word);

int stn_sass_lanes(const stn_sass_word *word);

/* The uniform register added to an address; STN_SASS_ZERO: none. */
int stn_sass_uniform_register(const stn_sass_word *word, int from);

/* Do operands that usually have 32 bits have 64, from sm_100 on? */
int stn_sass_is_pair(const stn_sass_word *word, int sm);

/* Is the guarding predicate a uniform one? */
int stn_sass_guard_is_uniform(const stn_sass_word *word);

/* Number of registers written from the destination on. */
int stn_sass_written(const stn_sass_word *word, int sm);

/* For accesses without sizes in the instruction: memory spaces and directions; returns their
 * number. */
typedef struct stn_sass_effect {
    stn_code_space space;
    int reads, writes;
} stn_sass_effect;
int stn_sass_effects(const stn_sass_word *word, stn_sass_effect effects[2]);

/* Bits loaded or stored: -1: none, or see stn_sass_effects; 0: unknown. */
int stn_sass_access_bits(const stn_sass_word *word, int sm);

typedef struct stn_sass_address {
    int base, index; /* slots */
    int scale;       /* scale of the index */
    int64_t displacement;
} stn_sass_address;

void stn_sass_read_address(const stn_sass_word *word, int sm, stn_sass_address *address);
void stn_sass_read_bank(const stn_sass_word *word, stn_sass_address *address);

/* Destination address of a copy. */
void stn_sass_read_copy(const stn_sass_word *word, stn_sass_address *address);

int stn_sass_branch_has_condition(const stn_sass_word *word);
int stn_sass_call_is_direct(const stn_sass_word *word);
uint64_t stn_sass_target(const stn_sass_word *word, int sm, uint64_t address);

/* sass_registers.c: control codes, and the registers read and written. */
void stn_sass_read_gpu(const stn_sass_word *word, int sm, stn_gpu_instruction *gpu);

/* sass_text.c: mnemonic, and the operands of addresses and arithmetic. */
void stn_sass_print(const stn_sass_word *word, int sm, uint64_t address, char *text,
                    size_t capacity);

#endif
