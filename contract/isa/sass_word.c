/* Bit fields of NVIDIA instructions. */
#include "contract/isa/sass_word.h"

#include "contract/isa/sass_values.h"

uint64_t stn_sass_bits(const stn_sass_word *word, int from, int count)
{
    uint64_t value;
    if (from >= 64)
        value = word->high >> (from - 64);
    else if (from + count <= 64)
        value = word->low >> from;
    else
        value = word->low >> from | word->high << (64 - from);
    return value & (((uint64_t)1 << count) - 1);
}

static int64_t signed_bits(const stn_sass_word *word, int from, int count)
{
    const uint64_t value = stn_sass_bits(word, from, count), sign = (uint64_t)1 << (count - 1);
    return (int64_t)(value ^ sign) - (int64_t)sign;
}

static uint64_t read_64(const unsigned char *bytes)
{
    uint64_t value = 0;
    for (int b = 7; b >= 0; b--)
        value = value << 8 | bytes[b];
    return value;
}

void stn_sass_read(stn_sass_word *word, const stn_sass_row *const *rows, const unsigned char *bytes,
                   int sm)
{
    word->low = read_64(bytes);
    word->high = read_64(bytes + 8);
    word->row = rows[stn_sass_bits(word, 0, 9)];
    word->uniform_zero = sm < 100 ? 63 : 255;
    const uint64_t guard = stn_sass_bits(word, 12, 4); /* 7: true, +8: negated */
    word->guard = guard == 7 ? STN_SASS_ALWAYS : guard == 15 ? STN_SASS_NEVER : STN_SASS_SOMETIMES;
}

/* ---- operands ---- */

/* Bits 9 to 11: sources of the second and third operand other than registers. */
enum {
    FORM_REGISTERS = 1,
    FORM_THIRD_IMMEDIATE = 2,
    FORM_THIRD_BANK = 3,
    FORM_SECOND_IMMEDIATE = 4,
    FORM_SECOND_BANK = 5,
    FORM_SECOND_UNIFORM = 6,
    FORM_THIRD_UNIFORM = 7
};

static int form_of(const stn_sass_word *word)
{
    return (int)stn_sass_bits(word, 9, 3);
}

int stn_sass_uniform_register(const stn_sass_word *word, int from)
{
    const int number = (int)stn_sass_bits(word, from, word->uniform_zero == 63 ? 6 : 8);
    return number == word->uniform_zero ? STN_SASS_ZERO : STN_SASS_FIRST_UNIFORM + number;
}

int stn_sass_bits_register(const stn_sass_word *word, int from)
{
    const int number = (int)stn_sass_bits(word, from, 8);
    return number == 255 ? STN_SASS_ZERO : number;
}

static int own_register(const stn_sass_word *word, int from)
{
    return word->row->flags & STN_SASS_UNIFORM ? stn_sass_uniform_register(word, from)
                                               : stn_sass_bits_register(word, from);
}

int stn_sass_destination(const stn_sass_word *word)
{
    return own_register(word, 16);
}

int stn_sass_first(const stn_sass_word *word)
{
    return own_register(word, 24);
}

int stn_sass_second(const stn_sass_word *word)
{
    switch (form_of(word)) {
    case FORM_REGISTERS:
        return own_register(word, 32);
    case FORM_SECOND_IMMEDIATE:
        return STN_SASS_IMMEDIATE;
    case FORM_SECOND_BANK:
        return STN_SASS_BANK;
    case FORM_SECOND_UNIFORM:
        return stn_sass_uniform_register(word, 32);
    case FORM_THIRD_IMMEDIATE:
        if (word->row->class == STN_SASS_MOVE)
            return STN_SASS_IMMEDIATE;
        return own_register(word, 64);
    default:
        return own_register(word, 64);
    }
}

int stn_sass_operand_b(const stn_sass_word *word)
{
    switch (form_of(word)) {
    case FORM_REGISTERS:
        return own_register(word, 32);
    case FORM_THIRD_BANK: /* selections between pairs have a register in this position */
        return word->row->opcode == STN_SASS_SEL ? own_register(word, 32) : STN_SASS_BANK;
    case FORM_SECOND_BANK:
        return STN_SASS_BANK;
    case FORM_THIRD_UNIFORM:
    case FORM_SECOND_UNIFORM:
        return stn_sass_uniform_register(word, 32);
    default:
        return STN_SASS_IMMEDIATE;
    }
}

int stn_sass_third(const stn_sass_word *word)
{
    switch (form_of(word)) {
    case FORM_THIRD_IMMEDIATE:
        return STN_SASS_IMMEDIATE;
    case FORM_THIRD_BANK:
        return STN_SASS_BANK;
    case FORM_THIRD_UNIFORM:
        return stn_sass_uniform_register(word, 32);
    default:
        return own_register(word, 64);
    }
}

int64_t stn_sass_constant(const stn_sass_word *word)
{
    return signed_bits(word, 32, 32);
}

int stn_sass_has_bank(const stn_sass_word *word)
{
    return word->row->opcode <= STN_SASS_LAST_COMPUTING &&
           (form_of(word) == FORM_SECOND_BANK || form_of(word) == FORM_THIRD_BANK);
}

/* Banks have at most 64 KiB, so that these offsets are disjoint. */
static int64_t bank_start(const stn_sass_word *word)
{
    return (int64_t)stn_sass_bits(word, 54, 5) << 20;
}

int64_t stn_sass_bank_offset(const stn_sass_word *word)
{
    return bank_start(word) + (int64_t)stn_sass_bits(word, 38, 16);
}

int stn_sass_is_extended(const stn_sass_word *word)
{
    return stn_sass_bits(word, 72, 1) || stn_sass_bits(word, 74, 1) ||
           (word->row->class == STN_SASS_MULTIPLY && stn_sass_bits(word, 75, 1));
}

int stn_sass_lanes(const stn_sass_word *word)
{
    const uint64_t parts = stn_sass_bits(word, 72, 4);
    if (word->row->opcode == STN_SASS_VIADD && parts)
        return parts == 8 ? 4 : 2;
    return word->row->lanes;
}

/* A flag; moves, and selections whose other operand would be in a bank, have forms without it. */
int stn_sass_is_pair(const stn_sass_word *word, int sm)
{
    if (sm < 100)
        return 0;
    switch (word->row->opcode) {
    case STN_SASS_MOV:
    case STN_SASS_UMOV:
        return form_of(word) == FORM_THIRD_IMMEDIATE || stn_sass_bits(word, 80, 1);
    case STN_SASS_SEL:
        return form_of(word) == FORM_THIRD_IMMEDIATE || form_of(word) == FORM_THIRD_BANK ||
               form_of(word) == FORM_THIRD_UNIFORM;
    case STN_SASS_IMNMX:
        return (int)stn_sass_bits(word, 74, 1);
    case STN_SASS_ISETP:
    case STN_SASS_UISETP:
        return (int)stn_sass_bits(word, 80, 1);
    default:
        return 0;
    }
}

int stn_sass_guard_is_uniform(const stn_sass_word *word)
{
    switch (word->row->opcode) {
    case STN_SASS_VOTEU:
    case STN_SASS_R2UR:
    case STN_SASS_CREDUX:
        return 0;
    case STN_SASS_LDCU:
    case STN_SASS_S2UR:
        return 1;
    default:
        return (word->row->flags & STN_SASS_UNIFORM) && word->row->opcode < STN_SASS_FIRST_THREAD;
    }
}

int stn_sass_written(const stn_sass_word *word, int sm)
{
    const stn_sass_row *row = word->row;
    const int bits = stn_sass_access_bits(word, sm);
    switch (row->class) {
    case STN_SASS_MOVE:
        return stn_sass_is_pair(word, sm) ? 2 : 1;
    case STN_SASS_CONVERT_64: /* 3: the result has 64 bits */
        return stn_sass_bits(word, 75, 2) == 3 ? 2 : 1;
    case STN_SASS_LOAD_256:
        return 4;
    case STN_SASS_ATOMIC:
    case STN_SASS_ATOMIC_FLOAT:
        if (row->opcode == STN_SASS_RED || row->opcode == STN_SASS_REDG ||
            (row->opcode == STN_SASS_ATOMS_CAS && form_of(word) != FORM_REGISTERS))
            return 0;
        return (bits + 31) / 32;
    case STN_SASS_LOAD:
    case STN_SASS_LOAD_MATRIX:
    case STN_SASS_LOAD_CONSTANT:
        return (bits + 31) / 32;
    default:
        return row->writes && stn_sass_is_pair(word, sm) ? 2 : row->writes;
    }
}

/* ---- memory ---- */

/* Operand type of atomics, by the same three bits; from sm_90 on, float atomics have separate
 * opcodes. */
static int atomic_bits(const stn_sass_word *word, int sm, int code)
{
    static const unsigned char before[8] = {32, 32, 64, 32, 32, 64, 64, 0};
    static const unsigned char integers[8] = {32, 32, 64, 64, 0, 0, 0, 0};
    static const unsigned char floats[8] = {32, 32, 0, 0, 0, 0, 0, 64};
    if (word->row->class == STN_SASS_ATOMIC_FLOAT)
        return floats[code];
    return sm < 90 ? before[code] : integers[code];
}

static const unsigned char plain_sizes[8] = {8, 8, 16, 16, 32, 64, 128, 0};

/* sm_75 has a second code for 128 bits of global memory, shown as U.128 by its disassembler. */
static int plain_bits(const stn_sass_word *word, int sm, int code)
{
    const int is_second = code == 7 && sm < 80 && word->row->space == STN_SPACE_MEMORY;
    return is_second ? 128 : plain_sizes[code];
}

int stn_sass_access_bits(const stn_sass_word *word, int sm)
{
    const int code = (int)stn_sass_bits(word, 73, 3);
    switch (word->row->class) {
    case STN_SASS_LOAD:
    case STN_SASS_STORE:
    case STN_SASS_LOAD_CONSTANT:
        return plain_bits(word, sm, code);
    case STN_SASS_LOAD_256:
    case STN_SASS_STORE_256:
        return 256;
    case STN_SASS_LOAD_MATRIX:
        return stn_sass_bits(word, 72, 2) == 3 ? 0 : 32 << stn_sass_bits(word, 72, 2);
    case STN_SASS_ATOMIC:
    case STN_SASS_ATOMIC_FLOAT:
        return atomic_bits(word, sm, code);
    case STN_SASS_COPY:
        if (sm < 100)
            return plain_sizes[code];
        return code >> 1 == 3 ? 0 : 32 << (code >> 1);
    default:
        return -1;
    }
}

/* Flags of bulk copies select global or shared memory for source and destination. */
static int bulk_effects(const stn_sass_word *word, stn_sass_effect effects[2])
{
    const int from = stn_sass_bits(word, 73, 1) ? STN_SPACE_MEMORY : STN_SPACE_SHARED;
    const int to = stn_sass_bits(word, 74, 1) ? STN_SPACE_MEMORY : STN_SPACE_SHARED;
    const int changes = word->row->class == STN_SASS_BULK_CHANGE;
    effects[0] = (stn_sass_effect){(stn_code_space)from, 1, 0};
    effects[1] = (stn_sass_effect){(stn_code_space)to, changes, 1};
    return 2;
}

int stn_sass_effects(const stn_sass_word *word, stn_sass_effect effects[2])
{
    const int class = word->row->class;
    const int is_tensor = class >= STN_SASS_TENSOR_FETCH && class <= STN_SASS_TENSOR_CHANGE;
    const int fetches = class == STN_SASS_FETCH || class == STN_SASS_TENSOR_FETCH;
    const int puts = class == STN_SASS_PUT || class == STN_SASS_TENSOR_PUT;
    if (class == STN_SASS_BULK_COPY || class == STN_SASS_BULK_CHANGE)
        return bulk_effects(word, effects);
    effects[0] = (stn_sass_effect){(stn_code_space)word->row->space, !puts, !fetches};
    effects[1] = (stn_sass_effect){STN_SPACE_SHARED, !fetches, fetches};
    if (word->row->opcode == STN_SASS_HGMMA) { /* matrices from shared memory */
        effects[0] = (stn_sass_effect){STN_SPACE_SHARED, 1, 0};
        return 1;
    }
    return class < STN_SASS_FETCH || class > STN_SASS_BULK_CHANGE ? 0 : 1 + is_tensor;
}

/* A flag selects a uniform register in addition to the base; before sm_80 also for global memory,
 * where later it selects a descriptor. Its position differs from that of store data. */
static int uniform_part(const stn_sass_word *word, int sm)
{
    const int is_register = stn_sass_bits(word, 91, 1) != 0;
    const int class = word->row->class;
    if (!is_register || (word->row->space == STN_SPACE_MEMORY && sm >= 80))
        return STN_SASS_ZERO;
    return stn_sass_uniform_register(
        word, class == STN_SASS_LOAD || class == STN_SASS_LOAD_MATRIX ? 32 : 64);
}

static int64_t displacement_of(const stn_sass_word *word)
{
    switch (word->row->class) {
    case STN_SASS_LOAD_256:
    case STN_SASS_STORE_256:
        return 32 * signed_bits(word, 40, 17);
    case STN_SASS_ATOMIC:
    case STN_SASS_ATOMIC_FLOAT:
        return signed_bits(word, 40, 23);
    case STN_SASS_COPY:
        return signed_bits(word, 32, 12);
    default:
        return signed_bits(word, 40, 24);
    }
}

void stn_sass_read_address(const stn_sass_word *word, int sm, stn_sass_address *address)
{
    static const int scales[4] = {1, 4, 8, 16};
    const int register_part = stn_sass_bits_register(word, 24);
    const int uniform = uniform_part(word, sm);
    *address = (stn_sass_address){register_part, uniform, 1, displacement_of(word)};
    if (word->row->space == STN_SPACE_SHARED && word->row->class != STN_SASS_LOAD_MATRIX) {
        address->scale = scales[stn_sass_bits(word, 78, 2)];
        if (address->scale > 1) {
            address->base = uniform;
            address->index = register_part;
        }
    }
}

void stn_sass_read_bank(const stn_sass_word *word, stn_sass_address *address)
{
    const int is_new = word->row->opcode == STN_SASS_LDCU; /* one more bit for the offset */
    *address = (stn_sass_address){
        word->row->opcode == STN_SASS_ULDC ? STN_SASS_ZERO : own_register(word, 24), STN_SASS_ZERO,
        1, bank_start(word) + (int64_t)stn_sass_bits(word, is_new ? 37 : 38, is_new ? 17 : 16)};
}

void stn_sass_read_copy(const stn_sass_word *word, stn_sass_address *address)
{
    *address = (stn_sass_address){stn_sass_bits_register(word, 16), STN_SASS_ZERO, 1,
                                  signed_bits(word, 44, 20)};
}

/* ---- flow ---- */

int stn_sass_branch_has_condition(const stn_sass_word *word)
{
    return form_of(word) == FORM_THIRD_IMMEDIATE || stn_sass_bits(word, 87, 3) != 7;
}

int stn_sass_call_is_direct(const stn_sass_word *word)
{
    return form_of(word) == FORM_SECOND_IMMEDIATE;
}

uint64_t stn_sass_target(const stn_sass_word *word, int sm, uint64_t address)
{
    uint64_t immediate = (uint64_t)signed_bits(word, 34, 48);
    if (sm >= 90)
        immediate = immediate << 8 | stn_sass_bits(word, 16, 8);
    return address + STN_SASS_BYTES + 4 * immediate;
}
