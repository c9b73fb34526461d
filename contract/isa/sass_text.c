/* NVIDIA instructions as text: mnemonic, destination, and operands of addresses and arithmetic. */
#include "contract/isa/sass_word.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "contract/isa/sass_values.h"

typedef struct line {
    char *text;
    size_t capacity, used;
    const char *separator;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(l->text + l->used, l->capacity - l->used, format, arguments);
    va_end(arguments);
    l->used = more < 0 || (size_t)more >= l->capacity - l->used ? l->capacity - 1
                                                                : l->used + (size_t)more;
}

static void begin_operand(line *l)
{
    add(l, "%s", l->separator);
    l->separator = ", ";
}

static void add_register(line *l, int slot, int is_uniform)
{
    if (slot >= STN_SASS_FIRST_UNIFORM)
        add(l, "UR%d", slot - STN_SASS_FIRST_UNIFORM);
    else if (slot >= 0)
        add(l, "R%d", slot);
    else
        add(l, is_uniform ? "URZ" : "RZ");
}

static int is_uniform(const stn_sass_word *word)
{
    return word->row->flags & STN_SASS_UNIFORM;
}

static void add_bank(line *l, int64_t position)
{
    add(l, "c[0x%" PRIx64 "][0x%" PRIx64 "]", (uint64_t)position >> 20,
        (uint64_t)position & 0xfffff);
}

static void add_operand(line *l, const stn_sass_word *word, int operand)
{
    begin_operand(l);
    if (operand == STN_SASS_IMMEDIATE)
        add(l, "0x%" PRIx64, stn_sass_bits(word, 32, 32));
    else if (operand == STN_SASS_BANK)
        add_bank(l, stn_sass_bank_offset(word));
    else
        add_register(l, operand, is_uniform(word));
}

static void add_displacement(line *l, int64_t displacement)
{
    if (displacement < 0)
        add(l, "-0x%" PRIx64, (uint64_t)-displacement);
    else if (displacement > 0)
        add(l, "+0x%" PRIx64, (uint64_t)displacement);
}

static void add_address(line *l, const stn_sass_address *address)
{
    begin_operand(l);
    add(l, "[");
    if (address->base >= 0 || (address->index < 0 && address->displacement == 0))
        add_register(l, address->base, 0);
    if (address->index >= 0) {
        if (address->base >= 0)
            add(l, "+");
        add_register(l, address->index, 0);
        if (address->scale > 1)
            add(l, ".X%d", address->scale);
    }
    if (address->base < 0 && address->index < 0 && address->displacement > 0)
        add(l, "0x%" PRIx64, (uint64_t)address->displacement);
    else
        add_displacement(l, address->displacement);
    add(l, "]");
}

/* Widths other than 32 bits, as modifiers of the mnemonic. */
static void add_width(line *l, const stn_sass_word *word, int bits)
{
    const int code = (int)stn_sass_bits(word, 73, 3);
    if (bits > 32)
        add(l, ".%d", bits);
    else if (bits == 8 || bits == 16)
        add(l, ".%c%d", code & 1 ? 'S' : 'U', bits);
}

static void add_memory(line *l, const stn_sass_word *word, int sm)
{
    stn_sass_address address;
    const int class = word->row->class;
    const int is_store = class == STN_SASS_STORE || class == STN_SASS_STORE_256;
    const int is_atomic = class == STN_SASS_ATOMIC || class == STN_SASS_ATOMIC_FLOAT;
    if (class == STN_SASS_COPY) {
        stn_sass_read_copy(word, &address);
        add_address(l, &address);
    }
    if (class == STN_SASS_LOAD_CONSTANT) {
        stn_sass_read_bank(word, &address);
        add_operand(l, word, stn_sass_destination(word));
        begin_operand(l);
        add_bank(l, address.displacement);
        if (address.base >= 0) {
            add(l, "+");
            add_register(l, address.base, 0);
        }
        return;
    }
    if (stn_sass_written(word, sm) > 0)
        add_operand(l, word, stn_sass_destination(word));
    stn_sass_read_address(word, sm, &address);
    add_address(l, &address);
    if (is_store || is_atomic) /* sm_75 has the data of generic stores in another field */
        add_operand(l, word,
                    stn_sass_bits_register(word, stn_sass_bits(word, 0, 12) == 0x385 ? 64 : 32));
}

static void add_computation(line *l, const stn_sass_word *word)
{
    const stn_sass_row *row = word->row;
    const int is_sum = row->class == STN_SASS_ADD || row->class == STN_SASS_MULTIPLY;
    const int is_one = row->class == STN_SASS_MOVE || row->class == STN_SASS_FUNCTION ||
                       row->class == STN_SASS_CONVERT || row->class == STN_SASS_CONVERT_64;
    const int second = stn_sass_second(word), third = stn_sass_third(word);
    add_operand(l, word, stn_sass_destination(word));
    if (!is_one)
        add_operand(l, word, stn_sass_first(word));
    if (row->opcode == STN_SASS_DADD ||
        (row->opcode == STN_SASS_FADD && stn_sass_bits(word, 9, 3) != 1 && second >= -1))
        add_operand(l, word, third);
    else
        add_operand(l, word, second);
    if (is_sum)
        add_operand(l, word, third);
}

static void add_flow(line *l, const stn_sass_word *word, int sm, uint64_t address)
{
    const int class = word->row->class;
    if (class == STN_SASS_BRANCH || (class == STN_SASS_CALL && stn_sass_call_is_direct(word)))
        add(l, " 0x%" PRIx64, stn_sass_target(word, sm, address));
}

static void add_guard(line *l, const stn_sass_word *word)
{
    const int number = (int)stn_sass_bits(word, 12, 3);
    if (word->guard == STN_SASS_ALWAYS)
        return;
    const int uniform = word->row && stn_sass_guard_is_uniform(word);
    add(l, "@%s%s", stn_sass_bits(word, 15, 1) ? "!" : "", uniform ? "U" : "");
    if (number == 7)
        add(l, "PT ");
    else
        add(l, "P%d ", number);
}

void stn_sass_print(const stn_sass_word *word, int sm, uint64_t address, char *text,
                    size_t capacity)
{
    line l = {text, capacity, 0, " "};
    add_guard(&l, word);
    if (!word->row) {
        add(&l, "unknown 0x%" PRIx64, stn_sass_bits(word, 0, 12));
        return;
    }
    const int bits = stn_sass_access_bits(word, sm);
    add(&l, "%s", word->row->name);
    if (bits >= 0) {
        add_width(&l, word, bits);
        add_memory(&l, word, sm);
    } else if (word->row->class >= STN_SASS_BRANCH) {
        add_flow(&l, word, sm, address);
    } else if (word->row->class != STN_SASS_OTHER && word->row->class < STN_SASS_QUERY) {
        add_computation(&l, word);
    } else if (word->row->writes > 0) {
        add_operand(&l, word, stn_sass_destination(word));
    }
}
