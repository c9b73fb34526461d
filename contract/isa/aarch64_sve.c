/* Scalable vectors of AArch64 (SVE): loads, stores, and instructions that count in vector lengths.
 * All numbers assume vectors of 128 bits. */
#include <stdlib.h>
#include <string.h>

#include "contract/isa/aarch64_operand.h"
#include "contract/isa/line.h"

enum { VECTOR = 128, PREDICATE = 16 }; /* bits; a predicate has one bit per byte */

/* ---- loads and stores ---- */

typedef struct moved {
    int is_store, registers;
    int bytes; /* size of a number in memory */
    int is_signed;
    int repeated; /* bits repeated in all parts of the vector; 0: none */
} moved;

/* The suffix of "ld1sw" after "ld1": sign and size. */
static int parse_size(const char *ending, moved *m)
{
    static const char sizes[] = "bhwdq";
    m->is_signed = *ending == 's';
    ending += m->is_signed;
    const char *const size = *ending ? strchr(sizes, *ending) : NULL;
    m->bytes = size ? 1 << (size - sizes) : 0;
    return size && ending[1] == '\0';
}

static int parse_name(const char *mnemonic, moved *m)
{
    static const struct {
        const char *begins;
        int is_store, registers, repeated; /* -1: one number */
    } names[] = {{"ld1ro", 0, 1, 256}, {"ld1rq", 0, 1, 128}, {"ld1r", 0, 1, -1}, {"ldff1", 0, 1, 0},
                 {"ldnf1", 0, 1, 0},   {"ldnt1", 0, 1, 0},   {"ld1", 0, 1, 0},   {"ld2", 0, 2, 0},
                 {"ld3", 0, 3, 0},     {"ld4", 0, 4, 0},     {"stnt1", 1, 1, 0}, {"st1", 1, 1, 0},
                 {"st2", 1, 2, 0},     {"st3", 1, 3, 0},     {"st4", 1, 4, 0}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (!stn_starts(mnemonic, names[k].begins) ||
            !parse_size(mnemonic + strlen(names[k].begins), m))
            continue;
        m->is_store = names[k].is_store;
        m->registers = names[k].registers;
        m->repeated = names[k].repeated < 0 ? 8 * m->bytes : names[k].repeated;
        return 1;
    }
    return 0;
}

/* The register in { z0.d }, or the first of several. */
static a64_operand first_of(const char *list)
{
    char name[8];
    list += 1 + strspn(list + 1, " ");
    const size_t length = strcspn(list, " ,-}");
    if (length >= sizeof name)
        return stn_aarch64_register("");
    memcpy(name, list, length);
    name[length] = '\0';
    return stn_aarch64_register(name);
}

/* Invalid widths, such as those of three registers, become two accesses. */
static void add_access(stn_machine_instruction *to, const stn_access *access)
{
    to->access[to->accesses++] = *access;
    if (access->bits != 3 * VECTOR)
        return;
    to->access[0].bits = 2 * VECTOR;
    to->access[to->accesses] = *access;
    to->access[to->accesses].displacement += 2 * VECTOR / 8;
    to->access[to->accesses++].bits = VECTOR;
}

static void decode_general(stn_machine_instruction *to, int number)
{
    if (number >= 0 && number < A64_SP)
        to->values_read |= UINT64_C(1) << number;
}

static void decode_vector(stn_machine_instruction *to, int number)
{
    if (number >= A64_FIRST_VECTOR)
        to->vectors |= UINT32_C(1) << (number - A64_FIRST_VECTOR);
}

/* If numbers in registers are wider than in memory, the width is known only for sign-extending
 * loads. */
static void set_handling(stn_machine_instruction *to, const moved *m, a64_operand data)
{
    const int narrows = data.element != m->bytes;
    to->handling = m->registers > 1               ? STN_HANDLES_MIXED
                   : !narrows                     ? STN_HANDLES_MOVE
                   : m->is_signed && !m->is_store ? STN_HANDLES_NUMBERS
                                                  : STN_HANDLES_BITS;
    if (to->handling == STN_HANDLES_NUMBERS) {
        to->in = m->bytes;
        to->out = data.element;
    }
    if (m->is_store)
        decode_vector(to, data.number);
    else
        to->vector = data.number - A64_FIRST_VECTOR;
}

/* ld1d {z0.d}, p0/z, [x0, x1, lsl #3], [x0, #1, mul vl], [x0, z1.d] or [z1.d, #8] */
static int decode_list(const stn_line *line, stn_machine_instruction *to)
{
    moved m;
    const int last = line->operands - 1;
    if (last < 1 || line->operand[0][0] != '{' || line->operand[last][0] != '[' ||
        !parse_name(line->mnemonic, &m))
        return 0;
    const a64_operand data = first_of(line->operand[0]);
    const int lanes = data.element ? VECTOR / 8 / data.element : 0;
    if (!data.is_vector || data.bits != VECTOR || !lanes || m.bytes > data.element)
        return 0;
    stn_access access = {.space = STN_SPACE_MEMORY, .lanes = 1, .base = -1, .index = -1};
    access.reads = !m.is_store;
    access.writes = m.is_store;
    access.element = m.bytes;
    access.bits = m.repeated ? m.repeated : lanes * 8 * m.bytes * m.registers;
    stn_aarch64_address(&access, line->operand[last]);
    if (strstr(line->operand[last], "mul vl"))
        access.displacement *= access.bits / 8 / m.registers;
    if (access.base >= A64_FIRST_VECTOR || access.index >= A64_FIRST_VECTOR) {
        access.bits = 8 * m.bytes;
        access.lanes = lanes;
    }
    set_handling(to, &m, data);
    decode_vector(to, access.base);
    decode_vector(to, access.index);
    add_access(to, &access);
    return 1;
}

/* ldr z0, [sp, #1, mul vl] and the same for predicates, mostly spills. */
static int decode_whole(const stn_line *line, stn_machine_instruction *to)
{
    const int loads = strcmp(line->mnemonic, "ldr") == 0;
    if ((!loads && strcmp(line->mnemonic, "str") != 0) || line->operands != 2 ||
        line->operand[1][0] != '[')
        return 0;
    const char *const name = line->operand[0];
    const a64_operand data = stn_aarch64_register(name);
    const int is_predicate = name[0] == 'p';
    if ((name[0] != 'z' && !is_predicate) || name[1] < '0' || name[1] > '9')
        return 0;
    stn_access access = {.space = STN_SPACE_MEMORY, .lanes = 1, .base = -1, .index = -1};
    access.reads = loads;
    access.writes = !loads;
    access.bits = is_predicate ? PREDICATE : VECTOR;
    stn_aarch64_address(&access, line->operand[1]);
    access.displacement *= access.bits / 8;
    to->handling = is_predicate ? STN_HANDLES_NONE : STN_HANDLES_MOVE;
    if (!is_predicate && loads)
        to->vector = data.number - A64_FIRST_VECTOR;
    else
        decode_vector(to, data.number);
    add_access(to, &access);
    return 1;
}

/* ---- counting ---- */

/* "mul #2" in operand k, or 1. */
static int64_t factor_at(const stn_line *line, int k)
{
    const char *const number = k < line->operands ? strchr(line->operand[k], '#') : NULL;
    return number ? atoi(number + 1) : 1;
}

static int counted(const char *text, int *to, int64_t *number)
{
    static const char sizes[] = "dwhb";
    stn_line line;
    stn_line_split(&line, text, "//", "");
    const char *const mnemonic = line.mnemonic;
    const int rdvl = strcmp(mnemonic, "rdvl") == 0;
    const a64_operand found = stn_aarch64_register(line.operands > 0 ? line.operand[0] : "");
    if (found.is_vector || found.number < 0)
        return 0;
    *to = found.number;
    if (rdvl) {
        *number = VECTOR / 8 * factor_at(&line, 1);
        return line.operands == 2;
    }
    const char *const size = strlen(mnemonic) == 4 ? strchr(sizes, mnemonic[3]) : NULL;
    if (!size || (!stn_starts(mnemonic, "cnt") && !stn_starts(mnemonic, "inc") &&
                  !stn_starts(mnemonic, "dec")))
        return 0;
    *number = (INT64_C(2) << (size - sizes)) * factor_at(&line, 2);
    *number = mnemonic[0] == 'd' ? -*number : *number;
    return line.operands == 1 || strcmp(line.operand[1], "all") == 0;
}

/* incd x0, all, mul #2 */
static int decode_step(const stn_line *line, const char *text, stn_machine_instruction *to)
{
    const char *const mnemonic = line->mnemonic;
    const int steps = stn_is_one_of(mnemonic, "incb inch incw incd decb dech decw decd");
    const int others = stn_is_one_of(mnemonic, "cntb cnth cntw cntd rdvl incp decp sqincb sqinch "
                                               "sqincw sqincd sqincp sqdecb sqdech sqdecw sqdecd "
                                               "sqdecp uqincb uqinch uqincw uqincd uqincp uqdecb "
                                               "uqdech uqdecw uqdecd uqdecp");
    const a64_operand found = stn_aarch64_register(line->operands > 0 ? line->operand[0] : "");
    int number;
    if (!steps && !others)
        return 0;
    if (found.is_vector) {
        to->handling = STN_HANDLES_BITS;
        to->vector = found.number - A64_FIRST_VECTOR;
        decode_vector(to, found.number);
        return 1;
    }
    if (found.number >= 0)
        to->written = UINT64_C(1) << found.number;
    if (!stn_starts(mnemonic, "cnt") && strcmp(mnemonic, "rdvl") != 0)
        decode_general(to, found.number);
    if (steps && counted(text, &number, &to->step))
        to->step_register = number;
    return 1;
}

/* addvl x0, x1, #2: adds two vector lengths, or with addpl predicate lengths. */
static int decode_offset(const stn_line *line, stn_machine_instruction *to)
{
    int64_t count;
    const int vectors = strcmp(line->mnemonic, "addvl") == 0;
    if ((!vectors && strcmp(line->mnemonic, "addpl") != 0) || line->operands != 3 ||
        !stn_parse_number(line->operand[2], &count))
        return 0;
    const int result = stn_aarch64_register(line->operand[0]).number;
    const int from = stn_aarch64_register(line->operand[1]).number;
    const int64_t offset = count * (vectors ? VECTOR : PREDICATE) / 8;
    to->operation = STN_OP_ARITHMETIC;
    to->kind = STN_KIND_INTEGER;
    decode_general(to, from);
    if (result < 0 || from < 0)
        return 1;
    to->written = UINT64_C(1) << result;
    if (result == from) {
        to->step_register = result;
        to->step = offset;
    } else {
        to->copies = 1;
        to->copy_to = result;
        to->copy_from = from;
        to->copy_offset = offset;
    }
    return 1;
}

int stn_sve_decode(const stn_line *line, const char *text, stn_machine_instruction *to)
{
    return decode_list(line, to) || decode_whole(line, to) || decode_offset(line, to) ||
           decode_step(line, text, to);
}

/* ---- counters ---- */

/* General registers with multiples of the vector length that do not change. */
typedef struct lengths {
    uint64_t known, lost; /* bit per register */
    int64_t number[A64_SP];
} lengths;

static void note_written(lengths *known_lengths, const char *text,
                         const stn_machine_instruction *at)
{
    int to;
    int64_t number;
    uint64_t others = at->written;
    if ((stn_starts(text, "cnt") || stn_starts(text, "rdvl")) && counted(text, &to, &number) &&
        to < A64_SP) {
        others &= ~(UINT64_C(1) << to);
        if ((known_lengths->known >> to & 1) && known_lengths->number[to] != number)
            known_lengths->lost |= UINT64_C(1) << to;
        known_lengths->known |= UINT64_C(1) << to;
        known_lengths->number[to] = number;
    }
    known_lengths->lost |= others;
}

/* add x0, x0, x1 */
static void set_step(const lengths *known_lengths, const char *text, stn_machine_instruction *at)
{
    stn_line line;
    stn_line_split(&line, text, "//", "");
    if (strcmp(line.mnemonic, "add") != 0 || line.operands != 3)
        return;
    const int to = stn_aarch64_register(line.operand[0]).number;
    const a64_operand first = stn_aarch64_register(line.operand[1]);
    const a64_operand second = stn_aarch64_register(line.operand[2]);
    const int from = first.number == to ? second.number : first.number;
    if (to < 0 || to >= A64_SP || (first.number != to && second.number != to) || from < 0 ||
        from >= A64_SP || from == to ||
        !(known_lengths->known & ~known_lengths->lost & UINT64_C(1) << from))
        return;
    at->step_register = to;
    at->step = known_lengths->number[from];
}

void stn_sve_mark_steps(stn_code *code)
{
    lengths known_lengths = {.known = 0};
    for (int32_t i = 0; i < code->count; i++)
        note_written(&known_lengths, code->text + code->instructions[i].text,
                     code->instructions + i);
    for (int32_t i = 0; i < code->count && (known_lengths.known & ~known_lengths.lost); i++)
        set_step(&known_lengths, code->text + code->instructions[i].text, code->instructions + i);
}
