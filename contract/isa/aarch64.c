/* Decodes one line of AArch64 disassembly. Instructions specific to scalable vectors are in
 * aarch64_sve.c. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/isa/aarch64_operand.h"
#include "contract/isa/aarch64_table.h"
#include "contract/isa/line.h"

enum { CALLED = 0x4007ffff /* x0 to x18 and x30 */ };

static stn_mnemonics words; /* numbers: rows */

static void fill_table(void)
{
    for (int k = 0; k < (int)(sizeof a64_rows / sizeof a64_rows[0]); k++)
        stn_mnemonics_add(&words, a64_rows[k].words, k);
}

typedef struct decoding {
    stn_line line;
    stn_machine_instruction *to;
    a64_row row;
    int bits; /* width in memory, if the mnemonic determines it; 0: the register does */
} decoding;

static a64_operand operand_at(const decoding *d, int k)
{
    return stn_aarch64_register(k < d->line.operands ? d->line.operand[k] : "");
}

/* ---- mnemonics ---- */

static void take(decoding *d, stn_machine_operation operation, a64_more more)
{
    const a64_row row = {operation, 0, more, ""};
    d->row = row;
}

/* ldrb, ldursw and similar: the table has the base, and the suffix determines the width. */
static int take_sized(decoding *d)
{
    static const struct {
        const char *ending;
        int bits;
    } endings[] = {{"sb", 8}, {"sh", 16}, {"sw", 32}, {"b", 8}, {"h", 16}};
    const char *const mnemonic = d->line.mnemonic;
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        if (!stn_ends(mnemonic, endings[k].ending))
            continue;
        const size_t length = strlen(mnemonic) - strlen(endings[k].ending);
        const int row = stn_mnemonics_find(&words, mnemonic, length);
        if (row < 0 || a64_rows[row].more < A64_LOADS || a64_rows[row].more > A64_UPDATES)
            continue;
        d->row = a64_rows[row];
        d->bits = endings[k].bits;
        return 1;
    }
    return 0;
}

/* The suffix after the listed word that the mnemonic begins with; NULL: none. */
static const char *after_one_of(const char *mnemonic, const char *list)
{
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (strncmp(mnemonic, at, length) == 0)
            return mnemonic + length;
        at += length;
    }
    return NULL;
}

/* ldadd with ordering and width, but not ldaddp. */
static int decode_update(decoding *d, const char *list, a64_more more)
{
    const char *rest = after_one_of(d->line.mnemonic, list);
    if (!rest)
        return 0;
    rest += *rest == 'a';
    rest += *rest == 'l';
    if (!stn_is_one_of(rest, "b h") && *rest)
        return 0;
    take(d, STN_OP_OTHER, more);
    d->bits = *rest == 'b' ? 8 : *rest == 'h' ? 16 : 0;
    return 1;
}

static int decode_family(decoding *d)
{
    const char *const mnemonic = d->line.mnemonic;
    if (stn_starts(mnemonic, "b.") || stn_starts(mnemonic, "bc."))
        take(d, STN_OP_OTHER, A64_BRANCHES);
    else if (after_one_of(mnemonic, a64_others))
        take(d, STN_OP_OTHER, A64_WRITES);
    else
        return decode_update(d, a64_paired, A64_UPDATES_PAIR) ||
               decode_update(d, a64_updates, A64_UPDATES);
    return 1;
}

/* za and zt0 of SME, and predicates used as counters: pn8. */
static int is_matrix(const char *text)
{
    text += *text == '{';
    text += *text == ' ';
    return (text[0] == 'z' && (text[1] == 'a' || text[1] == 't')) ||
           (text[0] == 'p' && text[1] == 'n' && isdigit((unsigned char)text[2]));
}

/* dc zva and similar clear a block whose size depends on the processor. */
static int clears_block(const decoding *d)
{
    return strcmp(d->line.mnemonic, "dc") == 0 && d->line.operands > 0 &&
           stn_is_one_of(d->line.operand[0], "zva gva gzva");
}

/* __builtin_debugtrap returns. */
static int continues(const decoding *d)
{
    return strcmp(d->line.mnemonic, "brk") == 0 && d->line.operands > 0 &&
           strcmp(d->line.operand[0], "#0xf000") == 0;
}

static int decode_mnemonic(decoding *d)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_table);
    const char *const mnemonic = d->line.mnemonic;
    const size_t length = strlen(mnemonic);
    for (int k = 0; k < d->line.operands; k++)
        if (is_matrix(d->line.operand[k]))
            return 0;
    if (clears_block(d))
        return 0;
    int row = stn_mnemonics_find(&words, mnemonic, length);
    if (row < 0 && length > 1 && mnemonic[length - 1] == '2') /* for the upper half */
        row = stn_mnemonics_find(&words, mnemonic, length - 1);
    if (row < 0)
        return take_sized(d) || decode_family(d);
    d->row = a64_rows[row];
    if (continues(d))
        d->row.more = A64_CALLS;
    d->bits = strcmp(mnemonic, "ldpsw") == 0 ? 32 : 0;
    return 1;
}

/* ---- memory ---- */

static int memory_operand(const decoding *d)
{
    for (int k = 0; k < d->line.operands; k++)
        if (d->line.operand[k][0] == '[')
            return k;
    return -1;
}

/* {v0.2d-v1.2d}, {v0.d}[1] or {v0.8b, v1.8b}: number of registers times width. */
static void set_list_width(stn_access *access, const char *list, const char *mnemonic)
{
    const char *first = strchr(list, 'v'), *last = strrchr(list, 'v');
    if (!first)
        return;
    char name[16];
    const size_t length = strcspn(first, ",-} [");
    snprintf(name, sizeof name, "%.*s", (int)(length < 15 ? length : 15), first);
    const a64_operand one = stn_aarch64_register(name);
    const int number = atoi(first + 1);
    const int registers = (atoi(last + 1) - number + 32) % 32 + 1;
    const int is_lane = strchr(list, '[') || stn_ends(mnemonic, "r");
    access->element = one.element;
    access->bits = registers * (is_lane ? 8 * one.element : one.bits);
}

static void set_width(decoding *d, stn_access *access, int data, int is_pair)
{
    const char *const text = data < d->line.operands ? d->line.operand[data] : "";
    if (*text == '{') {
        set_list_width(access, text, d->line.mnemonic);
        return;
    }
    const a64_operand moved = stn_aarch64_register(text);
    const int bits = d->bits ? d->bits : moved.bits ? moved.bits : 64;
    access->bits = bits << is_pair;
    const int is_pair_of_numbers = moved.is_vector && moved.bits >= 64; /* q, or d with two f32 */
    access->element = d->bits ? d->bits / 8 : is_pair_of_numbers ? 0 : moved.bits / 8;
}

/* Invalid widths, such as those of three registers, become two accesses. */
static void add_access(decoding *d, const stn_access *access)
{
    stn_machine_instruction *to = d->to;
    int part = 8;
    while (2 * part <= access->bits && part < 512)
        part *= 2;
    to->access[to->accesses] = *access;
    to->access[to->accesses++].bits = part;
    if (part >= access->bits || access->bits > 512)
        return;
    to->access[to->accesses] = *access;
    to->access[to->accesses].displacement += part / 8;
    to->access[to->accesses++].bits = access->bits - part;
}

/* casp and similar compare and exchange a pair of registers. */
static int is_pair(a64_more more)
{
    return more == A64_LOADS_PAIR || more == A64_STORES_PAIR || more == A64_STORES_PAIR_CHECKED ||
           more == A64_UPDATES_PAIR;
}

static int is_checked(a64_more more)
{
    return more == A64_STORES_CHECKED || more == A64_STORES_PAIR_CHECKED;
}

/* ldr x0, 400 */
static void decode_literal(const decoding *d, stn_access *access)
{
    uint64_t address;
    if (d->line.operands == 2 && stn_parse_address(d->line.operand[1], &address))
        access->displacement = (int64_t)address;
}

static void set_accesses(decoding *d)
{
    const a64_more more = d->row.more;
    if (more < A64_LOADS || more > A64_UPDATES)
        return;
    const int position = memory_operand(d), loads = more == A64_LOADS || more == A64_LOADS_PAIR;
    stn_access access = {.space = STN_SPACE_MEMORY, .lanes = 1, .base = -1, .index = -1};
    access.reads = loads || more == A64_UPDATES || more == A64_UPDATES_PAIR;
    access.writes = !loads;
    if (position >= 0)
        stn_aarch64_address(&access, d->line.operand[position]);
    else
        decode_literal(d, &access);
    set_width(d, &access, is_checked(more), is_pair(more));
    add_access(d, &access);
}

/* ---- registers and control ---- */

static void write_register(decoding *d, int k)
{
    const a64_operand found = operand_at(d, k);
    if (found.bits && !found.is_vector && found.number >= 0)
        d->to->written |= UINT64_C(1) << found.number;
}

static void set_step(decoding *d, int number, int64_t step)
{
    if (number < 0 || number >= A64_FIRST_VECTOR)
        return;
    d->to->step_register = number;
    d->to->step = step;
    d->to->written |= UINT64_C(1) << number;
}

static void set_copy(decoding *d, int to, int from, int64_t offset)
{
    d->to->copies = 1;
    d->to->copy_to = to;
    d->to->copy_from = from;
    d->to->copy_offset = offset;
}

/* [x0], #16 or [x0, #16]! or, of unknown size, [x0], x1 */
static void set_indexing(decoding *d)
{
    const int position = memory_operand(d);
    if (position < 0 || d->to->accesses == 0)
        return;
    int64_t step;
    const int base = d->to->access[0].base;
    if (stn_ends(d->line.operand[position], "!"))
        set_step(d, base, d->to->access[0].displacement);
    else if (position + 1 < d->line.operands &&
             stn_parse_number(d->line.operand[position + 1], &step))
        set_step(d, base, step);
    else if (position + 1 < d->line.operands && base >= 0)
        d->to->written |= UINT64_C(1) << base;
}

/* add x1, x1, #16, or as copies add x1, x0, #16 and mov x1, x0 */
static void set_addition(decoding *d)
{
    int64_t step = 0;
    const a64_operand to = operand_at(d, 0), from = operand_at(d, 1);
    const int moves = strcmp(d->line.mnemonic, "mov") == 0;
    if (to.number < 0 || from.number < 0 || to.is_vector || from.is_vector || !from.bits ||
        (!moves && (!stn_is_one_of(d->line.mnemonic, "add adds sub subs") || d->line.operands < 3 ||
                    !stn_parse_number(d->line.operand[2], &step))))
        return;
    if (d->line.operands > 3 && stn_ends(d->line.operand[3], "#12"))
        step = (int64_t)((uint64_t)step << 12);
    if (d->line.mnemonic[0] == 's')
        step = -step;
    if (to.number == from.number && !moves)
        set_step(d, to.number, step);
    else if (to.number != from.number && from.number < A64_FIRST_VECTOR)
        set_copy(d, to.number, from.number, step);
}

static void set_written(decoding *d)
{
    const a64_more more = d->row.more;
    if (more == A64_CALLS)
        d->to->written = CALLED;
    if (more == A64_WRITES || more == A64_DIVIDES || more == A64_APPROXIMATES ||
        more == A64_LOADS || more == A64_LOADS_PAIR || is_checked(more))
        write_register(d, 0);
    const int updates = more == A64_UPDATES || more == A64_UPDATES_PAIR;
    if (more == A64_LOADS_PAIR || updates)
        write_register(d, 1);
    if (updates)
        write_register(d, 0);
    set_indexing(d);
    set_addition(d);
}

static void set_flow(decoding *d)
{
    static const stn_flow flows[] = {[A64_BRANCHES] = STN_FLOW_BRANCH,
                                     [A64_JUMPS] = STN_FLOW_JUMP,
                                     [A64_CALLS] = STN_FLOW_CALL,
                                     [A64_INDIRECT] = STN_FLOW_INDIRECT,
                                     [A64_ENDS] = STN_FLOW_END};
    if (d->row.more < A64_BRANCHES)
        return;
    d->to->flow = flows[d->row.more];
    const int last = d->line.operands - 1;
    if (d->row.more < A64_INDIRECT && last >= 0 &&
        !stn_parse_address(d->line.operand[last], &d->to->target))
        d->to->target = STN_NO_TARGET;
}

static int float_kind(int bytes)
{
    return bytes == 8 ? STN_KIND_F64 : bytes == 4 ? STN_KIND_F32 : STN_KIND_F16;
}

static void set_operation(decoding *d)
{
    stn_machine_instruction *to = d->to;
    int bytes = 0, integers = d->row.is_float == 0;
    to->operation = d->row.operation;
    to->approximates = d->row.more == A64_APPROXIMATES;
    to->is_hint = d->row.more == A64_HINTS;
    to->divides = to->approximates || d->row.more == A64_DIVIDES;
    for (int k = 0; k < d->line.operands && k < 3; k++) {
        const a64_operand found = operand_at(d, k);
        if (found.lanes > 1 && (to->lanes == 1 || found.lanes < to->lanes))
            to->lanes = found.lanes; /* fcvtn2 v0.4s, v1.2d: two */
        integers |= found.bits && !found.is_vector;
        if (found.is_vector && (!bytes || found.element < bytes))
            bytes = found.element;
    }
    to->kind = integers ? STN_KIND_INTEGER : float_kind(bytes);
    if (to->operation == STN_OP_OTHER || to->operation == STN_OP_UNKNOWN)
        to->lanes = 1;
}

/* ---- vectors ---- */

/* Operates on one register, or on each lane separately. */
static int keeps_lanes(const char *mnemonic)
{
    return stn_is_one_of(mnemonic, "sxtl sxtl2 uxtl uxtl2 sshll sshll2 ushll ushll2 shll shll2 xtn "
                                   "xtn2 sqxtn sqxtn2 uqxtn uqxtn2 sqxtun sqxtun2 fabs fneg");
}

/* mov v0.16b, v1.16b */
static int copies_vector(const decoding *d)
{
    return strcmp(d->line.mnemonic, "mov") == 0 && d->line.operands == 2 &&
           operand_at(d, 0).lanes > 1 && operand_at(d, 1).lanes > 1;
}

static stn_handling handling_of(const decoding *d, int registers)
{
    const a64_more more = d->row.more;
    const char *const mnemonic = d->line.mnemonic;
    if (more >= A64_LOADS && more <= A64_UPDATES)
        return !registers                      ? STN_HANDLES_NONE
               : d->line.operand[0][0] != '{'  ? STN_HANDLES_MOVE
               : strstr(mnemonic, "1") != NULL ? STN_HANDLES_BITS
                                               : STN_HANDLES_MIXED;
    if (d->to->operation == STN_OP_ARITHMETIC || d->to->operation == STN_OP_FMA ||
        d->to->operation == STN_OP_CONVERSION || keeps_lanes(mnemonic))
        return registers ? STN_HANDLES_NUMBERS : STN_HANDLES_NONE;
    if (copies_vector(d))
        return STN_HANDLES_MOVE;
    if (after_one_of(mnemonic, "zip uzp trn ext tbl tbx ins"))
        return STN_HANDLES_MIXED;
    return registers || stn_is_one_of(mnemonic, "and orr eor mvn bic orn eon") ? STN_HANDLES_BITS
                                                                               : STN_HANDLES_NONE;
}

/* The bit of a vector register; none for other registers. */
static uint32_t vector_bit(int number)
{
    const int vector = number - A64_FIRST_VECTOR;
    return vector >= 0 && vector < 32 ? UINT32_C(1) << vector : 0;
}

/* Widening sums read the narrow size; otherwise results have the size of operands. */
static void set_vector_sizes(decoding *d)
{
    stn_machine_instruction *to = d->to;
    const a64_operand result = operand_at(d, 0);
    to->out = result.is_vector ? result.element : 0;
    for (int k = 1; k < d->line.operands; k++) {
        const a64_operand from = operand_at(d, k);
        if (from.is_vector && (!to->in || from.element < to->in))
            to->in = from.element;
    }
    for (int k = 1; k < d->line.operands; k++) {
        const a64_operand from = operand_at(d, k);
        if (from.is_vector && from.element != to->in)
            to->wide |= vector_bit(from.number);
    }
    if (to->operation != STN_OP_FMA || !result.is_vector)
        return;
    to->vectors |= vector_bit(result.number);
    if (to->out != to->in)
        to->wide |= vector_bit(result.number);
}

static void set_vectors(decoding *d)
{
    stn_machine_instruction *to = d->to;
    int registers = 0;
    const int stores = d->row.more >= A64_STORES && d->row.more <= A64_STORES_PAIR_CHECKED;
    for (int k = 0; k < d->line.operands; k++) {
        const a64_operand found = operand_at(d, k);
        const int is_list = d->line.operand[k][0] == '{';
        registers += is_list || found.is_vector;
        if (!found.is_vector)
            continue;
        if (k == 0 && !stores && d->row.more != A64_PLAIN && d->row.more != A64_HINTS)
            to->vector = found.number - A64_FIRST_VECTOR;
        else
            to->vectors |= vector_bit(found.number);
    }
    to->handling = handling_of(d, registers);
    to->whole = copies_vector(d) ? 64 : 0;
    if (to->handling == STN_HANDLES_NUMBERS)
        set_vector_sizes(d);
}

/* ---- numbers in general registers ---- */

static int general_bytes(const decoding *d, int k)
{
    const a64_operand found = operand_at(d, k);
    return found.is_vector ? 0 : found.bits / 8;
}

/* Sums: add w0, w1, w2, uxtb and add w0, w1, w2, lsr #8 use a part of w2. A product with 0x01010101
 * is four numbers and yields none. */
static void set_sum_sizes(decoding *d)
{
    stn_machine_instruction *to = d->to;
    const int takes_part = d->line.operands > 3 && !operand_at(d, 3).bits;
    if (takes_part)
        return;
    to->in = general_bytes(d, 1);
    to->out = strchr(d->line.mnemonic, 'm') ? 0 : general_bytes(d, 0);
}

static void set_general_sizes(decoding *d)
{
    stn_machine_instruction *to = d->to;
    const char *const mnemonic = d->line.mnemonic;
    if (to->operation == STN_OP_CONVERSION) {
        to->in = to->in ? to->in : general_bytes(d, 1);
        to->out = to->out ? to->out : general_bytes(d, 0);
    } else if (to->operation == STN_OP_ARITHMETIC && to->handling == STN_HANDLES_NONE) {
        set_sum_sizes(d);
    } else if (stn_is_one_of(mnemonic, "sxtb sxth sxtw")) {
        to->in = mnemonic[3] == 'b' ? 1 : mnemonic[3] == 'h' ? 2 : 4;
        to->out = general_bytes(d, 0);
    } else if (to->accesses > 0 && (stn_starts(mnemonic, "ldrs") || stn_starts(mnemonic, "ldurs") ||
                                    stn_starts(mnemonic, "ldpsw"))) {
        to->in = d->bits / 8;
        to->out = general_bytes(d, 0);
    }
}

static void set_values_read(decoding *d)
{
    const int first_is_read = d->row.more == A64_PLAIN || d->row.more == A64_HINTS ||
                              d->row.more == A64_UPDATES || d->row.more == A64_UPDATES_PAIR ||
                              d->row.more == A64_STORES || d->row.more == A64_STORES_PAIR;
    for (int k = first_is_read ? 0 : 1; k < d->line.operands; k++) {
        const a64_operand found = operand_at(d, k);
        if (found.bits && !found.is_vector && found.number >= 0 && found.number < A64_SP)
            d->to->values_read |= UINT64_C(1) << found.number;
    }
}

/* Products and shifts are not pointers, nor are values of less than 64 bits. */
static const char makes_integers[] =
    "mul mneg smull umull smulh umulh smnegl umnegl sdiv udiv lsl lsr asr ror lslv lsrv asrv rorv "
    "ubfx sbfx ubfiz sbfiz ubfm sbfm sxtw sxth sxtb uxtw uxth uxtb clz cls cset csetm cnt ctz "
    "adr adrp movz movn";

/* The register of an operand that may be a pointer, as a bit. */
static uint64_t pointer_at(const decoding *d, int k)
{
    const a64_operand found = operand_at(d, k);
    const int is_whole = found.bits == 64 && !found.is_vector && found.number >= 0;
    return is_whole && found.number <= A64_SP ? UINT64_C(1) << found.number : 0;
}

static void set_pointers(decoding *d)
{
    stn_machine_instruction *to = d->to;
    const char *const mnemonic = d->line.mnemonic;
    const int is_scaled = d->line.operands > 3 && !operand_at(d, 3).bits;
    const int is_product = d->line.operands == 4 && strchr(mnemonic, 'm') && !is_scaled;
    if (to->written == 0)
        return;
    for (int k = 1; k < d->line.operands && to->accesses == 0; k++)
        if (operand_at(d, k).is_vector)
            to->pointers = ~UINT64_C(0);
    if (to->pointers || (operand_at(d, 0).bits == 32 && to->accesses == 0) ||
        stn_is_one_of(mnemonic, makes_integers))
        return;
    for (int k = is_product ? 3 : 1; k < d->line.operands && !(k == 2 && is_scaled); k++)
        to->pointers |= pointer_at(d, k);
    if (to->accesses > 0 && to->written >> (to->access[0].base & 63) & 1 &&
        to->access[0].base >= 0 && memory_operand(d) + 1 < d->line.operands)
        to->pointers |= UINT64_C(1) << to->access[0].base; /* advanced by a register */
    if (stn_is_one_of(mnemonic, "movk bfi bfxil bfm bfc"))
        to->pointers |= pointer_at(d, 0);
}

void stn_aarch64_decode(const char *text, stn_machine_instruction *instruction)
{
    decoding d = {.to = instruction};
    stn_instruction_clear(instruction);
    stn_line_split(&d.line, text, "//", "");
    if (stn_sve_decode(&d.line, text, instruction)) {
        instruction->pointers = instruction->values_read;
        return;
    }
    if (!decode_mnemonic(&d))
        take(&d, STN_OP_UNKNOWN, A64_PLAIN);
    set_accesses(&d);
    set_operation(&d);
    set_vectors(&d);
    set_general_sizes(&d);
    set_values_read(&d);
    set_flow(&d);
    set_written(&d);
    set_pointers(&d);
}
