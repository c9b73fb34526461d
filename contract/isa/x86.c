/* Decodes one line of x86-64 disassembly. */
#include <string.h>

#include "contract/isa/x86_decoding.h"
#include "contract/isa/x86_operand.h"

static const char prefixes[] = "lock rep repz repnz repe repne bnd notrack data16 addr32 cs ds es "
                               "ss fs gs xacquire xrelease rex rex.w";

static int operand_register(const x86_decoding *d, int operand, int *bits)
{
    int length;
    *bits = 0;
    return operand < d->line.operands ? stn_x86_register(d->line.operand[operand], bits, &length)
                                      : -1;
}

static int vector_bits(const x86_decoding *d)
{
    int maximum = 0;
    for (int k = 0; k < d->line.operands; k++) {
        int bits;
        if (operand_register(d, k, &bits) >= X86_FIRST_VECTOR && bits > maximum)
            maximum = bits;
    }
    for (int k = 0; k < d->to->accesses; k++)
        if (d->to->access[k].bits > maximum)
            maximum = d->to->access[k].bits;
    return maximum;
}

static void set_operation(x86_decoding *d)
{
    stn_machine_instruction *to = d->to;
    to->operation = d->row.operation;
    to->kind = d->kind;
    to->approximates = d->row.more == X86_APPROXIMATES;
    to->is_hint = d->row.more == X86_HINTS;
    to->divides = to->approximates || d->row.more == X86_DIVIDES;
    if (d->row.operation == STN_OP_OTHER || d->is_scalar)
        return;
    const int bytes = d->widest ? d->widest : d->element ? d->element : 4;
    const int lanes = vector_bits(d) / 8 / bytes;
    to->lanes = lanes > 1 ? lanes : 1;
}

/* ---- vectors ---- */

static int is_move(const char *stem)
{
    return stn_is_one_of(stem, "lddqu movss movsd movsh movd movq movw movntss movntsd") ||
           (stn_starts(stem, "mov") &&
            ((stem[3] && strchr("aun", stem[3])) || stn_starts(stem + 3, "dq") ||
             stn_starts(stem + 3, "lp") || stn_starts(stem + 3, "hp")) &&
            !stn_is_one_of(stem, "movq2dq movdq2q"));
}

static int mixes(const char *stem)
{
    return stn_starts(stem, "shuf") || stn_starts(stem, "unpck") || stn_starts(stem, "punpck") ||
           stn_starts(stem, "perm") || stn_starts(stem, "pperm") || stn_starts(stem, "pack") ||
           stn_starts(stem, "palignr") || stn_starts(stem, "align") || stn_starts(stem, "blend") ||
           stn_starts(stem, "pblend") || stn_starts(stem, "insert") || stn_starts(stem, "pinsr") ||
           stn_starts(stem, "hadd") || stn_starts(stem, "hsub") || stn_starts(stem, "phadd") ||
           stn_starts(stem, "phsub") || stn_starts(stem, "dpp") || stn_starts(stem, "mpsad") ||
           stn_starts(stem, "compress") || stn_starts(stem, "pcompress") ||
           stn_starts(stem, "expand") || stn_starts(stem, "pexpand") || stn_starts(stem, "pshufb");
}

/* Operations that combine lanes of one register with itself use one register. */
static int takes_several(const x86_decoding *d)
{
    int first, second, length, bits;
    const int from = d->line.mnemonic[0] == 'v' && d->line.operands > 2 ? 1 : 0;
    if (d->line.operands < 2)
        return 0;
    first = stn_x86_register(d->line.operand[from], &bits, &length);
    second = stn_x86_register(d->line.operand[from + 1], &bits, &length);
    return first != second;
}

static stn_handling handling_of(const x86_decoding *d, int registers)
{
    const char *const stem = d->line.mnemonic + (d->line.mnemonic[0] == 'v');
    const int in_memory = d->to->accesses > 0;
    if (mixes(stem) && takes_several(d))
        return STN_HANDLES_MIXED;
    if (d->in || d->out)
        return STN_HANDLES_NUMBERS;
    if (registers && is_move(stem) && (in_memory || !stn_is_one_of(stem, "movss movsd movsh")))
        return STN_HANDLES_MOVE;
    const int is_logic = stn_is_one_of(d->line.mnemonic, "and or xor not andn");
    return registers || is_logic ? STN_HANDLES_BITS : STN_HANDLES_NONE;
}

/* Shuffles of floats or of parts of registers, and operations that keep all bits. */
static int whole_of(const char *stem)
{
    if (stn_is_one_of(stem, "movlhps movhlps movddup"))
        return 8;
    if (strstr(stem, "xor") || stn_starts(stem, "mova") || stn_starts(stem, "movu") ||
        stn_starts(stem, "movdq"))
        return 64;
    if (stn_starts(stem, "extractf") || stn_starts(stem, "insertf") || stn_starts(stem, "perm2f") ||
        stn_starts(stem, "shuff"))
        return 16;
    if (!stn_starts(stem, "unpck") && !stn_starts(stem, "shufp") && !stn_starts(stem, "permilp") &&
        !stn_starts(stem, "permp") && !stn_starts(stem, "blendp"))
        return 0;
    return stem[strlen(stem) - 1] == 'd' ? 8 : 4;
}

/* pxor xmm0,xmm0 and similar produce zero. */
static int makes_zero(const x86_decoding *d)
{
    const int last = d->line.operands - 1;
    return last > 0 && (strstr(d->line.mnemonic, "xor") || strcmp(d->line.mnemonic, "sub") == 0) &&
           strcmp(d->line.operand[last], d->line.operand[last - 1]) == 0;
}

/* Is the second of three operands only merged into the result? */
static int only_fills_up(const x86_decoding *d)
{
    static const char *const of_one[] = {"sqrt",     "rsqrt",  "rcp",    "round",
                                         "rndscale", "reduce", "getexp", "getmant"};
    const char *const stem = d->line.mnemonic + (d->line.mnemonic[0] == 'v');
    int takes_one = d->row.operation == STN_OP_CONVERSION;
    for (size_t k = 0; k < sizeof of_one / sizeof *of_one; k++)
        takes_one |= stn_starts(stem, of_one[k]);
    return d->is_scalar && d->line.operands > 2 && takes_one;
}

static void set_vectors(x86_decoding *d)
{
    stn_machine_instruction *to = d->to;
    int registers = 0, bits;
    for (int k = 0; k < d->line.operands; k++) {
        const int number = operand_register(d, k, &bits) - X86_FIRST_VECTOR;
        if (number < 0)
            continue;
        registers++;
        if (k == 1 && only_fills_up(d))
            continue;
        const int is_result = k == 0 && d->row.first != X86_READ;
        if (is_result)
            to->vector = number;
        if (!is_result || d->row.operation == STN_OP_FMA ||
            (d->line.mnemonic[0] != 'v' && d->line.operands == 2 && (d->in || d->out) &&
             d->row.operation == STN_OP_ARITHMETIC))
            to->vectors |= UINT32_C(1) << number;
    }
    if (makes_zero(d)) {
        to->vectors = 0;
        return;
    }
    to->handling = handling_of(d, registers);
    to->whole = whole_of(d->line.mnemonic + (d->line.mnemonic[0] == 'v'));
    if (to->handling == STN_HANDLES_NUMBERS) {
        to->in = d->in;
        to->out = d->out;
    }
}

/* ---- numbers in general registers ---- */

/* Size of an operand: a general register or memory; 0: other. */
static int bytes_of(const x86_decoding *d, int operand)
{
    int bits;
    stn_access access;
    if (operand < 0 || operand >= d->line.operands)
        return 0;
    if (operand_register(d, operand, &bits) >= 0)
        return bits / 8;
    return stn_x86_memory(d->line.operand[operand], &access) && access.bits <= 64 ? access.bits / 8
                                                                                  : 0;
}

/* Sums and similar operations read and write numbers; a product with 0x01010101 is four numbers and
 * yields none. Sign extensions determine the size of a number. */
static void set_sizes(x86_decoding *d)
{
    stn_machine_instruction *to = d->to;
    const char *const mnemonic = d->line.mnemonic;
    const int last = d->line.operands - 1, is_general = d->row.form == X86_EXACT && d->is_scalar;
    if (d->row.operation == STN_OP_CONVERSION && to->handling == STN_HANDLES_NUMBERS) {
        to->in = to->in ? to->in : bytes_of(d, last);
        to->out = to->out ? to->out : bytes_of(d, 0);
    } else if (is_general && d->row.operation == STN_OP_ARITHMETIC && d->kind == STN_KIND_INTEGER) {
        to->in = bytes_of(d, 0);
        to->out = strstr(mnemonic, "mul") ? 0 : to->in;
    } else if (stn_is_one_of(mnemonic, "movsx movsxd")) {
        to->in = bytes_of(d, last);
        to->out = bytes_of(d, 0);
    }
}

static void read_register(x86_decoding *d, int operand)
{
    int bits;
    const int number = operand_register(d, operand, &bits);
    if (number >= 0 && number < X86_FIRST_VECTOR)
        d->to->values_read |= UINT64_C(1) << number;
}

static void set_values_read(x86_decoding *d)
{
    for (int k = 0; k < d->line.operands; k++)
        if (k > 0 || d->row.first != X86_WRITE)
            read_register(d, k);
}

/* ---- memory ---- */

static x86_first use_of(const x86_decoding *d, int operand)
{
    if (operand < 2 && d->row.more == X86_BOTH)
        return X86_UPDATE;
    if (operand == 0)
        return d->row.first;
    return d->row.first == X86_NO_ACCESS ? X86_NO_ACCESS : X86_READ;
}

static int index_bits(const char *operand)
{
    return strstr(operand, "zmm") ? 512 : strstr(operand, "ymm") ? 256 : 128;
}

/* Lanes of a gather: the minimum of the lanes of data and indices. */
static void set_gathered(x86_decoding *d, stn_access *access, int operand)
{
    const char *stem = d->line.mnemonic + 1 + (d->line.mnemonic[1] == 'p');
    const char *after = stem + (stem[0] == 'g' ? strlen("gather") : strlen("scatter"));
    int data_bits = 0;
    (void)operand_register(d, operand == 0 ? 1 : 0, &data_bits);
    const int data = data_bits / 8 / d->element;
    const int indices = index_bits(d->line.operand[operand]) / (*after == 'q' ? 64 : 32);
    access->bits = 8 * d->element;
    access->lanes = data < indices ? data : indices;
    if (access->lanes < 1)
        access->lanes = 1;
}

/* If an operand lacks "QWORD PTR" or similar, a register operand determines the width for a few
 * instructions; 0: unknown. */
static int set_width(x86_decoding *d, stn_access *access)
{
    int bits;
    const int is_as_register = stn_is_one_of(d->line.mnemonic, "movabs lddqu vlddqu");
    for (int k = 0; k < d->line.operands && access->bits == 0 && is_as_register; k++)
        if (operand_register(d, k, &bits) >= 0)
            access->bits = bits;
    if (access->bits == 0)
        return 0;
    access->element = d->element;
    if (access->element == 0 && (d->row.form == X86_EXACT || d->is_scalar) && access->bits <= 64)
        access->element = access->bits / 8;
    return 1;
}

/* bts [rdi],rax accesses bit rax relative to rdi, which may be far away. */
static int is_bit_elsewhere(const x86_decoding *d)
{
    int bits;
    return stn_is_one_of(d->line.mnemonic, "bt bts btr btc") && operand_register(d, 1, &bits) >= 0;
}

static void add_access(x86_decoding *d, const stn_access *access)
{
    if (d->to->accesses < 2)
        d->to->access[d->to->accesses++] = *access;
}

static void decode_memory(x86_decoding *d, int operand)
{
    stn_access access;
    const x86_first use = use_of(d, operand);
    if (use == X86_NO_ACCESS || !stn_x86_memory(d->line.operand[operand], &access))
        return;
    access.reads = use != X86_WRITE;
    access.writes = use == X86_WRITE || use == X86_UPDATE;
    if (!set_width(d, &access) || is_bit_elsewhere(d)) {
        d->row.operation = STN_OP_UNKNOWN;
        return;
    }
    if (access.index >= X86_FIRST_VECTOR && d->element)
        set_gathered(d, &access, operand);
    add_access(d, &access);
}

/* 16 if the mnemonic ends in w or the operand has 16 bits: push ax, pop WORD PTR [rdi], pushfw. */
static int stack_bits(const x86_decoding *d)
{
    int bits = 0;
    stn_access access;
    if (d->line.operands > 0 && operand_register(d, 0, &bits) < 0 &&
        stn_x86_memory(d->line.operand[0], &access))
        bits = access.bits;
    return bits == 16 || stn_ends(d->line.mnemonic, "w") ? 16 : 64;
}

static void decode_stack(x86_decoding *d, int reads)
{
    const stn_access access = {.space = STN_SPACE_STACK,
                               .bits = stack_bits(d),
                               .lanes = 1,
                               .reads = reads,
                               .writes = !reads,
                               .base = X86_RSP,
                               .index = -1};
    add_access(d, &access);
}

/* movdir64b rax,[rsi] */
static void decode_block(x86_decoding *d)
{
    stn_access to = {.bits = 512, .lanes = 1, .writes = 1, .index = -1}, from;
    int bits;
    to.base = operand_register(d, 0, &bits);
    if (d->line.operands < 2 || to.base < 0 || !stn_x86_memory(d->line.operand[1], &from))
        return;
    from.bits = 512;
    from.reads = 1;
    add_access(d, &to);
    add_access(d, &from);
}

/* maskmovdqu xmm0,xmm1 stores at most the whole register. */
static void decode_masked(x86_decoding *d)
{
    stn_access access = {.lanes = 1, .element = 1, .writes = 1, .base = X86_RDI, .index = -1};
    if (operand_register(d, 0, &access.bits) >= 0)
        add_access(d, &access);
}

/* Among the words before the mnemonic, which end with 0. */
static int has_prefix_of_repetition(const stn_line *line)
{
    for (const char *word = line->text; word < line->mnemonic; word += strlen(word) + 1)
        if (stn_starts(word, "rep"))
            return 1;
    return 0;
}

static void set_accesses(x86_decoding *d)
{
    const int is_plain = d->row.more != X86_ADDRESS && d->row.more != X86_BLOCK;
    for (int k = 0; k < d->line.operands && is_plain && d->row.operation != STN_OP_UNKNOWN; k++)
        decode_memory(d, k);
    if (d->row.operation == STN_OP_UNKNOWN) {
        d->to->accesses = 0;
        return;
    }
    if (d->row.more == X86_BLOCK)
        decode_block(d);
    if (d->row.more == X86_MASKED)
        decode_masked(d);
    if (d->row.more == X86_PUSHES)
        decode_stack(d, 0);
    if (d->row.more == X86_POPS)
        decode_stack(d, 1);
    d->to->repeats = d->to->accesses > 0 && has_prefix_of_repetition(&d->line) &&
                     (d->row.more == X86_PLAIN || d->row.more == X86_BOTH);
}

/* ---- control and registers ---- */

static void set_flow(x86_decoding *d)
{
    stn_machine_instruction *to = d->to;
    const int has_operand = d->line.operands > 0;
    if (to->flow == STN_FLOW_BRANCH || d->row.more == X86_JUMPS || d->row.more == X86_CALLS) {
        if (has_operand && !stn_parse_address(d->line.operand[0], &to->target))
            to->target = STN_NO_TARGET;
    }
    if (d->row.more == X86_ENDS)
        to->flow = STN_FLOW_END;
    if (d->row.more == X86_CALLS || d->row.more == X86_TRAPS)
        to->flow = STN_FLOW_CALL;
    if (d->row.more == X86_JUMPS) { /* through a linker's table: to another function */
        const int is_linked = has_operand && strstr(d->line.operand[0], "[rip") != NULL;
        to->flow = to->target != STN_NO_TARGET || is_linked ? STN_FLOW_JUMP : STN_FLOW_INDIRECT;
    }
}

/* jmp 401136 <__x86_indirect_thunk_rcx> */
static void set_thunk(x86_decoding *d, const char *text)
{
    const char *const name = strchr(text, '<');
    if (name && d->to->target != STN_NO_TARGET)
        stn_x86_name_target(d->to, name + 1, strcspn(name + 1, "+>@"));
}

static void write_register(x86_decoding *d, int operand)
{
    int bits;
    const int number = operand_register(d, operand, &bits);
    if (number >= 0 && number < X86_FIRST_VECTOR)
        d->to->written |= UINT64_C(1) << number;
}

static void set_written(x86_decoding *d)
{
    const int names_result = d->line.operands > 1 && stn_starts(d->line.mnemonic, "imul");
    d->to->written = names_result ? 0 : (uint64_t)d->row.written;
    if (names_result || d->row.first == X86_WRITE || d->row.first == X86_UPDATE)
        write_register(d, 0);
    if (d->row.more == X86_BOTH)
        write_register(d, 1);
    if (strcmp(d->line.mnemonic, "xchg") == 0 && d->line.operands == 2 &&
        strcmp(d->line.operand[0], d->line.operand[1]) == 0)
        d->to->written = 0; /* xchg ax,ax is a nop */
    if (strcmp(d->line.mnemonic, "leave") == 0)
        d->to->written |= 1u << X86_RSP | 1u << X86_RBP;
}

/* Products and shifts are not pointers, nor are values of less than 64 bits. */
static const char makes_integers[] =
    "imul mul mulx div idiv shl shr sar sal shlx shrx sarx rol ror rcl rcr rorx popcnt lzcnt tzcnt "
    "bsf bsr crc32 pdep pext bextr bzhi cqo cdq cwd movsx movzx "
    "movsxd cdqe cwde";

static uint64_t address_pointers(const x86_decoding *d)
{
    stn_access access;
    if (d->line.operands < 2 || !stn_x86_memory(d->line.operand[1], &access))
        return 0;
    return (access.base >= 0 ? UINT64_C(1) << access.base : 0) |
           (access.index >= 0 && access.scale == 1 ? UINT64_C(1) << access.index : 0);
}

static void set_pointers(x86_decoding *d)
{
    enum { MANY = 3 };
    stn_machine_instruction *to = d->to;
    int bits;
    const int number = operand_register(d, 0, &bits);
    const uint64_t kept =
        number >= 0 && number < X86_FIRST_VECTOR ? UINT64_C(1) << number : UINT64_C(0);
    if (to->written == 0)
        return;
    if (to->vectors || __builtin_popcountll(to->written) >= MANY)
        to->pointers = ~UINT64_C(0);
    else if (kept && bits == 32)
        to->pointers = 0;
    else if (stn_is_one_of(d->line.mnemonic, makes_integers) || makes_zero(d))
        to->pointers = 0;
    else if (d->row.more == X86_ADDRESS)
        to->pointers = address_pointers(d);
    else if (kept && (bits < 32 || stn_starts(d->line.mnemonic, "cmov")))
        to->pointers =
            to->values_read | kept; /* keeps a part of the register, or may not write it */
    else
        to->pointers = to->values_read;
}

static int added(const x86_decoding *d, int number, int64_t *step)
{
    const char *const mnemonic = d->line.mnemonic;
    stn_access access;
    if (stn_is_one_of(mnemonic, "inc dec")) {
        *step = mnemonic[0] == 'i' ? 1 : -1;
        return 1;
    }
    if (d->line.operands != 2)
        return 0;
    if (strcmp(mnemonic, "lea") == 0) {
        if (!stn_x86_memory(d->line.operand[1], &access) || access.base != number)
            return 0;
        *step = access.displacement;
        return access.index < 0;
    }
    if (!stn_is_one_of(mnemonic, "add sub") || !stn_parse_number(d->line.operand[1], step))
        return 0;
    return 1;
}

static void set_step(x86_decoding *d)
{
    int bits;
    int64_t step;
    const int number = operand_register(d, 0, &bits);
    if (number < 0 || number >= X86_FIRST_VECTOR || bits < 32 || !added(d, number, &step))
        return;
    if (bits == 32)
        step = (int32_t)(uint32_t)step;
    d->to->step_register = number;
    d->to->step = d->line.mnemonic[0] == 's' ? (int64_t)(0 - (uint64_t)step) : step;
}

static void decode_copy(x86_decoding *d, int to, int from, int64_t offset)
{
    d->to->copies = 1;
    d->to->copy_to = to;
    d->to->copy_from = from;
    d->to->copy_offset = offset;
}

/* mov rax,rcx and lea rax,[rcx+0x20]; enter, after its push. */
static void set_copy(x86_decoding *d)
{
    int bits, from_bits;
    stn_access access = {.base = -1, .index = -1};
    const int to = operand_register(d, 0, &bits);
    if (strcmp(d->line.mnemonic, "enter") == 0) {
        decode_copy(d, X86_RBP, X86_RSP, -8);
        return;
    }
    if (to < 0 || to >= X86_FIRST_VECTOR || bits < 32 || d->line.operands != 2)
        return;
    if (strcmp(d->line.mnemonic, "mov") == 0)
        access.base = operand_register(d, 1, &from_bits);
    else if (strcmp(d->line.mnemonic, "lea") != 0 || !stn_x86_memory(d->line.operand[1], &access) ||
             access.index >= 0)
        return;
    if (access.base < 0 || access.base >= X86_FIRST_VECTOR || access.base == to)
        return;
    decode_copy(d, to, access.base, access.displacement);
}

void stn_x86_decode(const char *text, stn_machine_instruction *instruction)
{
    x86_decoding d = {.to = instruction};
    stn_instruction_clear(instruction);
    stn_line_split(&d.line, text, "#", prefixes);
    if (!stn_x86_mnemonic(&d))
        stn_x86_decode_mnemonic(&d, STN_OP_UNKNOWN, d.line.operands > 1 ? X86_WRITE : X86_READ);
    set_accesses(&d);
    set_operation(&d);
    set_vectors(&d);
    set_sizes(&d);
    set_values_read(&d);
    set_flow(&d);
    set_thunk(&d, text);
    set_written(&d);
    set_pointers(&d);
    set_step(&d);
    set_copy(&d);
}
