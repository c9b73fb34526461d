/* Control codes of NVIDIA instructions, and the registers that each reads and writes. Rows of
 * sass_table.h describe the operands: a, b, c are the first to third operand, x is the operand from
 * bit 32 on, A is a thread register in an instruction on uniform registers. Each may be followed by
 * a register count (default 1). Predicates: p and q are written (bits 81 and 84); s, t, u are read
 * (bits 87, 77, 68); S is a thread predicate; m is a mask of all. */
#include "contract/isa/sass_word.h"

#include "contract/isa/sass_values.h"

/* ---- sets ---- */

static void add(stn_registers *set, int first, int count)
{
    for (int r = first; r < first + count; r++)
        set->bits[r / 64] |= UINT64_C(1) << r % 64;
}

/* Registers from a slot on, up to the end of their file. */
static void add_slots(stn_registers *set, int slot, int count)
{
    const int is_uniform = slot >= STN_FIRST_UNIFORM;
    const int end = is_uniform ? STN_FIRST_PREDICATE - 1 : STN_FIRST_UNIFORM - 1;
    if (slot >= 0)
        add(set, slot, slot + count <= end ? count : end - slot);
}

static void add_predicate(const stn_sass_word *word, stn_registers *set, int from, int is_uniform)
{
    const int number = (int)stn_sass_bits(word, from, 3);
    if (number < 7)
        add(set, (is_uniform ? STN_FIRST_UNIFORM_PREDICATE : STN_FIRST_PREDICATE) + number, 1);
}

/* ---- operands as described in the table ---- */

static int operand(const stn_sass_word *word, char letter)
{
    switch (letter) {
    case 'a':
        return stn_sass_first(word);
    case 'A':
        return stn_sass_bits_register(word, 24);
    case 'b':
        return stn_sass_second(word);
    case 'c':
        return stn_sass_third(word);
    default:
        return stn_sass_operand_b(word);
    }
}

/* A shuffle reads lane and width from registers or immediates. */
static void add_shuffle(const stn_sass_word *word, stn_registers *read)
{
    enum { LANE_IN_REGISTER = 1, PART_IN_REGISTER = 2 };
    static const unsigned char where[8] = {
        [1] = LANE_IN_REGISTER | PART_IN_REGISTER, [2] = LANE_IN_REGISTER, [4] = PART_IN_REGISTER};
    const int form = where[stn_sass_bits(word, 9, 3)];
    add_slots(read, stn_sass_bits_register(word, 24), 1);
    if (form & LANE_IN_REGISTER)
        add_slots(read, stn_sass_bits_register(word, 32), 1);
    if (form & PART_IN_REGISTER)
        add_slots(read, stn_sass_bits_register(word, 64), 1);
}

/* A branch reads a predicate, a uniform predicate, or a uniform register. */
static void add_branch(const stn_sass_word *word, stn_registers *read)
{
    enum { UNIFORM_PREDICATE = 2 };
    add_predicate(word, read, 87, 0);
    if (stn_sass_bits(word, 9, 3) == UNIFORM_PREDICATE)
        add_predicate(word, read, 24, 1);
    else if (stn_sass_bits(word, 91, 1))
        add_slots(read, stn_sass_uniform_register(word, 24), 1);
}

/* P2R reads and R2P writes the predicates of a mask. */
static void add_mask(const stn_sass_word *word, stn_gpu_instruction *gpu)
{
    enum { P2R = 3 };
    const uint64_t mask =
        stn_sass_operand_b(word) == STN_SASS_IMMEDIATE ? stn_sass_bits(word, 32, 7) : 0x7f;
    stn_registers *set = word->row->opcode == P2R ? &gpu->read : &gpu->written;
    set->bits[STN_FIRST_PREDICATE / 64] |= mask;
}

static void add_letter(const stn_sass_word *word, int sm, char letter, int count,
                       stn_gpu_instruction *gpu)
{
    const int is_uniform = (word->row->flags & STN_SASS_UNIFORM) != 0;
    const int is_mixed = word->row->opcode == STN_SASS_PLOP3 && stn_sass_bits(word, 67, 1);
    switch (letter) {
    case 'p':
        add_predicate(word, &gpu->written, 81, is_uniform);
        break;
    case 'q':
        add_predicate(word, &gpu->written, 84, is_uniform);
        break;
    case 's':
    case 'S':
        add_predicate(word, &gpu->read, 87, is_uniform && letter == 's');
        break;
    case 't':
        add_predicate(word, &gpu->read, 77, is_uniform);
        break;
    case 'u':
        add_predicate(word, &gpu->read, 68, is_uniform || is_mixed);
        break;
    case 'm':
        add_mask(word, gpu);
        break;
    case 'v':
        add_slots(&gpu->read, stn_sass_operand_b(word), stn_sass_bits(word, 84, 2) == 3 ? 2 : 1);
        break;
    case 'h':
        add_shuffle(word, &gpu->read);
        break;
    case 'j':
        add_branch(word, &gpu->read);
        break;
    case 'w':
        if (stn_sass_operand_b(word) != STN_SASS_IMMEDIATE)
            add_slots(&gpu->read, stn_sass_bits_register(word, sm < 80 ? 32 : 24), 1);
        break;
    default:
        add_slots(&gpu->read, operand(word, letter), count << stn_sass_is_pair(word, sm));
        break;
    }
}

static void add_operands(const stn_sass_word *word, int sm, stn_gpu_instruction *gpu)
{
    for (const char *at = word->row->uses; *at; at++) {
        const char letter = *at;
        const int has_count = at[1] >= '0' && at[1] <= '9';
        add_letter(word, sm, letter, has_count ? at[1] - '0' : 1, gpu);
        at += has_count;
    }
}

/* ---- memory ---- */

static int data_registers(int bits)
{
    return bits <= 32 ? 1 : bits / 32;
}

static int is_atomic(const stn_sass_word *word)
{
    return word->row->class == STN_SASS_ATOMIC || word->row->class == STN_SASS_ATOMIC_FLOAT;
}

/* Global addresses have 64 bits, except for offsets from a uniform register. This register, or the
 * descriptor in its place since sm_80, has 64 bits as well. */
static void add_address(const stn_sass_word *word, int sm, stn_registers *read)
{
    enum { PLAIN = 1 };
    const int is_memory = word->row->space == STN_SPACE_MEMORY, class = word->row->class;
    const int is_load =
        class == STN_SASS_LOAD || class == STN_SASS_LOAD_256 || class == STN_SASS_LOAD_MATRIX;
    const int has_uniform = stn_sass_bits(word, 9, 3) != PLAIN && stn_sass_bits(word, 91, 1);
    const int is_offset = sm < 80 && has_uniform && !stn_sass_bits(word, 90, 1);
    add_slots(read, stn_sass_bits_register(word, 24), is_memory && !is_offset ? 2 : 1);
    if (has_uniform)
        add_slots(read, stn_sass_uniform_register(word, is_load ? 32 : 64), is_memory ? 2 : 1);
}

static void add_constant(const stn_sass_word *word, stn_registers *read)
{
    stn_sass_address address;
    stn_sass_read_bank(word, &address);
    add_slots(read, address.base, 1);
}

/* Compare-and-swap has two operands; atomics report success by a predicate. */
static void add_atomic(const stn_sass_word *word, int count, stn_gpu_instruction *gpu)
{
    const int opcode = word->row->opcode;
    const int is_cas =
        opcode == STN_SASS_CAS || opcode == STN_SASS_ATOMS_CAS || opcode == STN_SASS_ATOMG_CAS;
    add_slots(&gpu->read, stn_sass_bits_register(word, 32), count);
    if (is_cas)
        add_slots(&gpu->read, stn_sass_bits_register(word, 64), count);
    if (opcode == STN_SASS_ATOMS_CAS && stn_sass_written(word, 0) > 0)
        return;
    if (opcode != STN_SASS_ATOMS && opcode != STN_SASS_RED && opcode != STN_SASS_REDG)
        add_predicate(word, &gpu->written, 81, 0);
}

static void add_memory(const stn_sass_word *word, int sm, int bits, stn_gpu_instruction *gpu)
{
    enum { OLD_STORE = 0x385 };
    const int class = word->row->class, count = data_registers(bits);
    const int data = stn_sass_bits(word, 0, 12) == OLD_STORE ? 64 : 32;
    if (class == STN_SASS_LOAD_CONSTANT) {
        add_constant(word, &gpu->read);
        return;
    }
    add_address(word, sm, &gpu->read);
    if (is_atomic(word))
        add_atomic(word, count, gpu);
    else if (class == STN_SASS_STORE)
        add_slots(&gpu->read, stn_sass_bits_register(word, data), count);
    else if (class == STN_SASS_COPY)
        add_slots(&gpu->read, stn_sass_bits_register(word, 16), 1);
    else if (class == STN_SASS_LOAD_256)
        add_slots(&gpu->written, stn_sass_bits_register(word, 64), 4);
    if (class == STN_SASS_STORE_256) {
        add_slots(&gpu->read, stn_sass_bits_register(word, 32), 4);
        add_slots(&gpu->read, stn_sass_bits_register(word, 16), 4);
    }
}

/* ---- all ---- */

static void read_control(const stn_sass_word *word, stn_gpu_instruction *gpu)
{
    enum { NO_BARRIER = 7 };
    const int write = (int)stn_sass_bits(word, 110, 3), read = (int)stn_sass_bits(word, 113, 3);
    gpu->stall = (uint8_t)stn_sass_bits(word, 105, 4);
    gpu->yield = !stn_sass_bits(word, 109, 1);
    gpu->write_barrier = (int8_t)(write == NO_BARRIER ? -1 : write);
    gpu->read_barrier = (int8_t)(read == NO_BARRIER ? -1 : read);
    gpu->wait = (uint8_t)stn_sass_bits(word, 116, 6);
    gpu->reuse = (uint8_t)stn_sass_bits(word, 122, 4);
}

void stn_sass_read_gpu(const stn_sass_word *word, int sm, stn_gpu_instruction *gpu)
{
    *gpu = (stn_gpu_instruction){.is_known = word->row && word->row->uses};
    read_control(word, gpu);
    if (!gpu->is_known || word->guard == STN_SASS_NEVER)
        return;
    const int bits = stn_sass_access_bits(word, sm);
    gpu->may_write = word->guard != STN_SASS_ALWAYS;
    add_predicate(word, &gpu->read, 12, stn_sass_guard_is_uniform(word));
    add_slots(&gpu->written, stn_sass_destination(word), stn_sass_written(word, sm));
    add_operands(word, sm, gpu);
    if (bits >= 0)
        add_memory(word, sm, bits, gpu);
}
