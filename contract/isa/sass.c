/* Instructions of NVIDIA GPUs, 16 bytes each, by the table in sass_table.h. */
#include "contract/isa/sass_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contract/isa/sass_values.h"
#include "core/memory.h"

enum { TEXT_CAPACITY = 80, OPCODES = 512 };

/* State of decoding a function. */
typedef struct decoder {
    const stn_sass_row *rows[OPCODES]; /* rows for this sm */
    int sm;
    stn_sass_values values;
} decoder;

/* ---- operations ---- */

static void set_operation(stn_machine_instruction *instruction, stn_machine_operation operation,
                          int kind, int lanes)
{
    instruction->operation = operation;
    instruction->kind = kind;
    instruction->lanes = lanes;
}

/* x * 0 + z and 0 * y + z are moves; x * 1 + z and x * y + 0 are one operation. */
static void decode_multiply(const stn_sass_word *word, stn_machine_instruction *instruction)
{
    const stn_sass_row *row = word->row;
    const int first = stn_sass_first(word), second = stn_sass_second(word);
    const int third = stn_sass_third(word);
    if (first == STN_SASS_ZERO || second == STN_SASS_ZERO)
        return;
    if (row->kind == STN_KIND_INTEGER && row->lanes == 1 &&
        (third == STN_SASS_ZERO || (second == STN_SASS_IMMEDIATE && stn_sass_constant(word) == 1)))
        set_operation(instruction, STN_OP_ARITHMETIC, row->kind, row->lanes);
    else
        set_operation(instruction, STN_OP_FMA, row->kind, row->lanes);
}

/* Half arithmetic with a float result: 0 + x is a conversion. */
static void decode_half_add(const stn_sass_word *word, stn_machine_instruction *instruction)
{
    if (!stn_sass_bits(word, 78, 1))
        set_operation(instruction, STN_OP_ARITHMETIC, STN_KIND_F16, 2);
    else if (stn_sass_first(word) == STN_SASS_ZERO)
        set_operation(instruction, STN_OP_CONVERSION, STN_KIND_F16, 1);
    else
        set_operation(instruction, STN_OP_ARITHMETIC, STN_KIND_F32, 1);
}

/* Functions by number; divisions consist of reciprocals and square roots. */
static void decode_function(const stn_sass_word *word, stn_machine_instruction *instruction)
{
    enum { RECIPROCAL = 4, SQUARE_ROOT = 5, RECIPROCAL_64 = 6, SQUARE_ROOT_64 = 7, ROOT = 8 };
    const int function = (int)stn_sass_bits(word, 74, 4);
    const int is_double = function == RECIPROCAL_64 || function == SQUARE_ROOT_64;
    set_operation(instruction, STN_OP_ARITHMETIC, is_double ? STN_KIND_F64 : STN_KIND_F32, 1);
    instruction->divides = instruction->approximates = function >= RECIPROCAL && function <= ROOT;
}

/* The narrower of two floats, by size codes: 16, 32 or 64 bits. */
static int narrower(const stn_sass_word *word)
{
    const uint64_t to = stn_sass_bits(word, 75, 2), from = stn_sass_bits(word, 84, 2);
    const uint64_t least = to < from ? to : from;
    return least <= 1 ? STN_KIND_F16 : least == 2 ? STN_KIND_F32 : STN_KIND_F64;
}

static void decode_operation(const stn_sass_word *word, stn_machine_instruction *instruction)
{
    const stn_sass_row *row = word->row;
    switch (row->class) {
    case STN_SASS_ADD:
    case STN_SASS_ADD_TWO:
    case STN_SASS_ARITHMETIC:
        set_operation(instruction, STN_OP_ARITHMETIC, row->kind, stn_sass_lanes(word));
        break;
    case STN_SASS_MULTIPLY:
        decode_multiply(word, instruction);
        break;
    case STN_SASS_HALF_ADD:
        decode_half_add(word, instruction);
        break;
    case STN_SASS_FUNCTION:
        decode_function(word, instruction);
        break;
    case STN_SASS_CONVERT:
    case STN_SASS_CONVERT_64:
        set_operation(instruction, STN_OP_CONVERSION,
                      row->opcode == STN_SASS_F2F || row->opcode == STN_SASS_F2F_64 ? narrower(word)
                                                                                    : row->kind,
                      1);
        break;
    case STN_SASS_CONVERT_PAIR:
        set_operation(instruction, STN_OP_CONVERSION, row->kind,
                      stn_sass_first(word) == STN_SASS_ZERO ? 1 : 2);
        break;
    default:
        break;
    }
}

/* ---- memory ---- */

static stn_access *add_access(stn_machine_instruction *instruction, stn_code_space space, int bits)
{
    stn_access *access = instruction->access + instruction->accesses++;
    *access =
        (stn_access){.space = space, .bits = bits, .lanes = 1, .base = -1, .index = -1, .scale = 1};
    return access;
}

static void set_address(stn_access *access, decoder *d, const stn_sass_address *address)
{
    int64_t offset = 0, more = 0;
    access->base = stn_sass_values_read(&d->values, address->base, &offset);
    access->index = stn_sass_values_read(&d->values, address->index, &more);
    access->scale = address->scale;
    access->displacement = (int64_t)((uint64_t)address->displacement + (uint64_t)offset +
                                     (uint64_t)more * (uint64_t)address->scale);
}

/* An operand in a constant bank, such as kernel arguments on sm_75 to sm_89. */
static void add_constant(const stn_sass_word *word, stn_machine_instruction *instruction)
{
    if (stn_sass_has_bank(word) && instruction->accesses < 2) {
        stn_access *access =
            add_access(instruction, STN_SPACE_CONSTANT, word->row->kind == STN_KIND_F64 ? 64 : 32);
        access->displacement = stn_sass_bank_offset(word);
        access->reads = 1;
    }
}

/* Accesses of unknown size have 0 bits. */
static int decode_unsized(const stn_sass_word *word, stn_machine_instruction *instruction)
{
    enum { BARRIER_BITS = 64 };
    stn_sass_effect effects[2];
    const int count = stn_sass_effects(word, effects);
    instruction->is_hint = word->row->class == STN_SASS_HINT;
    for (int k = 0; k < count; k++) {
        stn_access *access = add_access(instruction, effects[k].space,
                                        word->row->class == STN_SASS_BARRIER ? BARRIER_BITS : 0);
        access->reads = effects[k].reads;
        access->writes = effects[k].writes;
    }
    return count;
}

static void decode_access(decoder *d, const stn_sass_word *word,
                          stn_machine_instruction *instruction)
{
    const int bits = stn_sass_access_bits(word, d->sm);
    stn_sass_address address;
    if (bits < 0) {
        if (!decode_unsized(word, instruction))
            add_constant(word, instruction);
        return;
    }
    if (bits == 0) {
        instruction->operation = STN_OP_UNKNOWN;
        return;
    }
    stn_access *access = add_access(instruction, (stn_code_space)word->row->space, bits);
    if (word->row->class == STN_SASS_LOAD_CONSTANT) {
        access->space = STN_SPACE_CONSTANT;
        stn_sass_read_bank(word, &address);
    } else {
        stn_sass_read_address(word, d->sm, &address);
    }
    set_address(access, d, &address);
    access->reads = word->row->class != STN_SASS_STORE && word->row->class != STN_SASS_STORE_256;
    access->writes = !access->reads || word->row->class == STN_SASS_ATOMIC ||
                     word->row->class == STN_SASS_ATOMIC_FLOAT;
    if (word->row->class == STN_SASS_COPY) {
        stn_access *to = add_access(instruction, STN_SPACE_SHARED, bits);
        to->writes = 1;
        stn_sass_read_copy(word, &address);
        set_address(to, d, &address);
    }
}

/* ---- flow ---- */

static void decode_flow(const decoder *d, const stn_sass_word *word,
                        stn_machine_instruction *instruction)
{
    const int sometimes = word->guard != STN_SASS_ALWAYS;
    if (word->row->class == STN_SASS_BRANCH) {
        const int also = stn_sass_branch_has_condition(word);
        instruction->flow = sometimes || also ? STN_FLOW_BRANCH : STN_FLOW_JUMP;
        instruction->target = stn_sass_target(word, d->sm, instruction->address);
    } else if (word->row->class == STN_SASS_INDIRECT) {
        instruction->flow = STN_FLOW_INDIRECT;
    } else if (word->row->class == STN_SASS_END) {
        instruction->flow = sometimes ? STN_FLOW_BRANCH : STN_FLOW_END;
    } else if (word->row->class == STN_SASS_CALL) {
        instruction->flow = STN_FLOW_CALL;
        if (stn_sass_call_is_direct(word))
            instruction->target = stn_sass_target(word, d->sm, instruction->address);
    }
}

/* ---- registers ---- */

/* Rd = Ra + constant, or Rd = Rb: tracked values. */
static int is_followed(const stn_sass_word *word, int *source, int64_t *constant)
{
    const stn_sass_row *row = word->row;
    if (word->guard != STN_SASS_ALWAYS)
        return 0;
    *constant = 0;
    if (row->class == STN_SASS_MOVE) {
        *source = stn_sass_second(word);
        return *source >= 0;
    }
    if (row->class == STN_SASS_MULTIPLY && row->opcode == STN_SASS_IMAD &&
        stn_sass_first(word) == STN_SASS_ZERO && !stn_sass_is_extended(word)) {
        *source = stn_sass_third(word);
        return *source >= 0;
    }
    if ((row->class == STN_SASS_ADD && stn_sass_third(word) == STN_SASS_ZERO &&
         !stn_sass_is_extended(word)) ||
        (row->class == STN_SASS_ADD_TWO && stn_sass_lanes(word) == 1)) {
        *source = stn_sass_first(word);
        *constant = stn_sass_constant(word);
        return *source >= 0 && stn_sass_second(word) == STN_SASS_IMMEDIATE;
    }
    return 0;
}

/* 256-bit loads and textures have a second destination. */
static int writes_twice(const stn_sass_word *word)
{
    const int class = word->row->class;
    return class == STN_SASS_LOAD_256 || class == STN_SASS_FETCH || class == STN_SASS_QUERY ||
           class == STN_SASS_CHANGE;
}

static void write_registers(decoder *d, const stn_sass_word *word,
                            stn_machine_instruction *instruction)
{
    int64_t constant;
    int source;
    const int destination = stn_sass_destination(word), count = stn_sass_written(word, d->sm);
    if (word->row->class == STN_SASS_CALL || count > STN_SASS_MAX_WRITTEN) {
        stn_sass_values_forget_all(&d->values, instruction);
    } else if (count > 0 && is_followed(word, &source, &constant)) {
        stn_sass_values_add(&d->values, destination, source, constant, instruction);
        stn_sass_values_forget(&d->values, destination < 0 ? -1 : destination + 1, count - 1,
                               instruction);
    } else {
        stn_sass_values_forget(&d->values, destination, count, instruction);
        if (writes_twice(word))
            stn_sass_values_forget(&d->values, stn_sass_bits_register(word, 64), 4, instruction);
    }
}

/* ---- functions ---- */

/* A 64-bit load may be two f32: arithmetic determines the size, conversions do not. */
static void set_sizes(stn_machine_instruction *instruction)
{
    static const int bytes[STN_KINDS] = {
        [STN_KIND_F64] = 8, [STN_KIND_F32] = 4, [STN_KIND_F16] = 2};
    if (instruction->operation == STN_OP_CONVERSION)
        instruction->handling = STN_HANDLES_BITS;
    if (instruction->operation == STN_OP_ARITHMETIC || instruction->operation == STN_OP_FMA)
        instruction->in = instruction->out = bytes[instruction->kind];
}

static void decode_instruction(decoder *d, const stn_sass_word *word,
                               stn_machine_instruction *instruction)
{
    if (!word->row) {
        instruction->operation = STN_OP_UNKNOWN;
        stn_sass_values_forget_all(&d->values, instruction);
    } else if (word->guard != STN_SASS_NEVER) {
        decode_operation(word, instruction);
        set_sizes(instruction);
        decode_access(d, word, instruction);
        decode_flow(d, word, instruction);
        write_registers(d, word, instruction);
    }
}

static void find_rows(decoder *d)
{
    for (size_t r = 0; r < sizeof stn_sass_rows / sizeof stn_sass_rows[0]; r++)
        if (d->sm >= stn_sass_rows[r].first && d->sm <= stn_sass_rows[r].last)
            d->rows[stn_sass_rows[r].opcode] = stn_sass_rows + r;
}

/* Omits padding at the end, and the preceding jump to itself that stops prefetching. */
static int32_t without_padding(const decoder *d, const unsigned char *bytes, int32_t count)
{
    stn_sass_word word;
    while (count > 1) {
        stn_sass_read(&word, d->rows, bytes + (size_t)(count - 1) * STN_SASS_BYTES, d->sm);
        if (!word.row || word.row->opcode != STN_SASS_NOP)
            break;
        count--;
    }
    stn_sass_read(&word, d->rows, bytes + (size_t)(count - 1) * STN_SASS_BYTES, d->sm);
    if (count > 1 && word.row && word.row->class == STN_SASS_BRANCH &&
        stn_sass_target(&word, d->sm, 0) == 0)
        count--;
    return count;
}

/* For each instruction, the last one that jumps back to it; -1: none. */
static void find_ends(const decoder *d, const unsigned char *bytes, int32_t count, int32_t *ends)
{
    stn_sass_word word;
    for (int32_t i = 0; i < count; i++) {
        ends[i] = -1;
        stn_sass_read(&word, d->rows, bytes + (size_t)i * STN_SASS_BYTES, d->sm);
        if (!word.row || word.row->class != STN_SASS_BRANCH)
            continue;
        const uint64_t target = stn_sass_target(&word, d->sm, (uint64_t)i * STN_SASS_BYTES);
        if (target / STN_SASS_BYTES <= (uint64_t)i)
            ends[target / STN_SASS_BYTES] = i;
    }
}

static void begin_instruction(stn_machine_instruction *instruction, uint64_t address, int32_t text)
{
    *instruction = (stn_machine_instruction){.address = address,
                                             .bytes = STN_SASS_BYTES,
                                             .target = STN_NO_TARGET,
                                             .step_register = -1,
                                             .lanes = 1,
                                             .text = text};
}

static void decode_all(decoder *d, const stn_symbol *symbol, const unsigned char *bytes,
                       const int32_t *ends, stn_code *code)
{
    stn_sass_word word;
    int32_t end = -1; /* end of the innermost loop */
    stn_sass_values_begin(&d->values);
    for (int32_t i = 0; i < code->count; i++) {
        stn_machine_instruction *instruction = code->instructions + i;
        begin_instruction(instruction, symbol->address + (uint64_t)i * STN_SASS_BYTES,
                          i * TEXT_CAPACITY);
        stn_sass_read(&word, d->rows, bytes + (size_t)i * STN_SASS_BYTES, d->sm);
        if (ends[i] >= 0) {
            stn_sass_values_begin_loop(&d->values);
            end = ends[i];
        }
        decode_instruction(d, &word, instruction);
        stn_sass_read_gpu(&word, d->sm, code->gpu + i);
        stn_sass_print(&word, d->sm, instruction->address, code->text + instruction->text,
                       TEXT_CAPACITY);
        if (i == end)
            stn_sass_values_end_loop(&d->values);
    }
}

stn_status stn_sass_decode(stn_image *image, int32_t function)
{
    const stn_symbol *symbol = image->symbols + function;
    const unsigned char *bytes = symbol->code;
    stn_code *code = image->codes + function;
    decoder d = {.sm = 0};
    int32_t *ends;
    if (sscanf(symbol->target, "sm_%d", &d.sm) != 1 || symbol->bytes / STN_SASS_BYTES == 0 ||
        symbol->bytes / STN_SASS_BYTES > INT32_MAX / TEXT_CAPACITY)
        return stn_fail(STN_ERR_PARSE, "%s: %s has no readable instructions", image->name,
                        symbol->symbol);
    find_rows(&d);
    const int32_t count = without_padding(&d, bytes, (int32_t)(symbol->bytes / STN_SASS_BYTES));
    code->machine = STN_MACHINE_NVIDIA;
    STN_TRY(stn_allocate(&code->instructions, count, sizeof *code->instructions, "instructions"));
    STN_TRY(stn_allocate(&code->gpu, count, sizeof *code->gpu, "instructions"));
    STN_TRY(stn_allocate(&code->text, count, TEXT_CAPACITY, "instructions"));
    STN_TRY(stn_allocate(&ends, count, sizeof *ends, "instructions"));
    code->count = count;
    find_ends(&d, bytes, count, ends);
    decode_all(&d, symbol, bytes, ends, code);
    stn_free(ends);
    return STN_OK;
}
