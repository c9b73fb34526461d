/* Jumps through tables on AArch64:
 *   adrp x1,table; add x1,x1,#low; ldrb w1,[x1,w0,uxtw]; adr x2,base; add x1,x2,w1,sxtb #2; br x1
 * with ldrb, ldrh or ldr, or ldrsw of entries that count from the table itself. */
#include "contract/flow/jump.h"

#include <stdlib.h>
#include <string.h>

#include "contract/isa/aarch64_operand.h"
#include "contract/isa/line.h"

static void split(const stn_code *code, int32_t i, stn_line *line)
{
    stn_line_split(line, code->text + code->instructions[i].text, "//", "");
}

static int register_at(const stn_line *line, int operand)
{
    const a64_operand found =
        stn_aarch64_register(operand < line->operands ? line->operand[operand] : "");
    return found.bits && !found.is_vector ? found.number : -1;
}

/* The address in a register, from adr or from adrp and add. */
static int take_address(const stn_code *code, int32_t before, int number, int32_t *pointer,
                        uint64_t *address)
{
    const int32_t i = number < 0 ? -1 : stn_code_pointer_writer(code, before, number);
    stn_line line;
    int64_t low;
    if (i < 0)
        return 0;
    split(code, i, &line);
    *pointer = i;
    if (strcmp(line.mnemonic, "adr") == 0)
        return line.operands == 2 && stn_parse_address(line.operand[1], address);
    if (strcmp(line.mnemonic, "add") != 0 || line.operands != 3 ||
        !stn_parse_number(line.operand[2], &low))
        return 0;
    const int32_t page = stn_code_pointer_writer(code, i, register_at(&line, 1));
    if (page < 0)
        return 0;
    split(code, page, &line);
    if (strcmp(line.mnemonic, "adrp") != 0 || line.operands != 2 ||
        !stn_parse_address(line.operand[1], address))
        return 0;
    *address += (uint64_t)low;
    return 1;
}

/* A register between brackets, such as [x1, w0, uxtw]: 0 is the first, 1 the second. */
static int register_in(const char *operand, int which)
{
    char name[8];
    const char *at = operand + 1;
    for (int k = 0; k < which && *at; k++)
        at += strcspn(at, ",") + 1;
    at += strspn(at, " ");
    const size_t length = strcspn(at, ",] ");
    if (operand[0] != '[' || length >= sizeof name)
        return -1;
    memcpy(name, at, length);
    name[length] = 0;
    return stn_aarch64_register(name).number;
}

/* The entry loaded into `number`, and the position of the table. */
static int take_entry(const stn_code *code, int32_t add, int number, stn_jump_table *table,
                      int *pointer)
{
    static const struct {
        const char *mnemonic;
        int bytes, is_signed;
    } loads[] = {{"ldrb", 1, 0},  {"ldrh", 2, 0},  {"ldr", 4, 0},
                 {"ldrsb", 1, 1}, {"ldrsh", 2, 1}, {"ldrsw", 4, 1}};
    stn_line line;
    table->load = number < 0 ? -1 : stn_code_writer(code, add, number);
    if (table->load < 0)
        return 0;
    split(code, table->load, &line);
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
        if (strcmp(line.mnemonic, loads[k].mnemonic) != 0 || line.operands != 2)
            continue;
        table->bytes = loads[k].bytes;
        table->is_signed |= loads[k].is_signed;
        *pointer = register_in(line.operand[1], 0);
        table->index = register_in(line.operand[1], 1);
        return *pointer >= 0 && table->index >= 0;
    }
    return 0;
}

/* sxtb #2, lsl #2 or empty. */
static void take_extension(const stn_line *line, stn_jump_table *table)
{
    if (line->operands < 4)
        return;
    const char *const mark = strchr(line->operand[3], '#');
    table->is_signed = line->operand[3][0] == 's';
    table->shift = mark ? atoi(mark + 1) & 7 : 0;
}

int stn_aarch64_jump_table(const stn_code *code, int32_t jump, stn_jump_table *table)
{
    stn_line line;
    int pointer;
    int32_t base;
    split(code, jump, &line);
    const int target = register_at(&line, 0);
    const int32_t add = target < 0 ? -1 : stn_code_writer(code, jump, target);
    if (add < 0)
        return 0;
    split(code, add, &line);
    if (strcmp(line.mnemonic, "add") != 0 || line.operands < 3)
        return 0;
    const int from = register_at(&line, 1), entry = register_at(&line, 2);
    take_extension(&line, table);
    if (!take_entry(code, add, entry, table, &pointer))
        return 0;
    if (from != pointer && !take_address(code, add, from, &base, &table->base))
        return 0;
    if (from == pointer)
        table->base = STN_NO_TARGET;
    return take_address(code, table->load, pointer, &table->pointer, &table->address);
}

/* ---- the index ---- */

stn_index_step stn_aarch64_index_step(const stn_code *code, int32_t i, stn_index *index,
                                      int64_t *number)
{
    stn_line line;
    split(code, i, &line);
    const int is_comparison = stn_is_one_of(line.mnemonic, "cmp cmn tst ccmp ccmn subs adds ands");
    if (is_comparison)
        return strcmp(line.mnemonic, "cmp") == 0 && register_at(&line, 0) == index->number &&
                       line.operands == 2 && stn_parse_number(line.operand[1], number)
                   ? STN_INDEX_COMPARED
                   : STN_INDEX_FLAGS;
    if (index->number < 0 || !(code->instructions[i].written >> index->number & 1))
        return STN_INDEX_APART;
    if (strcmp(line.mnemonic, "and") == 0 && line.operands == 3 &&
        stn_parse_number(line.operand[2], number))
        return STN_INDEX_MASKED;
    if (!stn_is_one_of(line.mnemonic, "mov uxtb uxth uxtw sxtw"))
        return STN_INDEX_LOST;
    index->number = register_at(&line, 1);
    return index->number >= 0 ? STN_INDEX_COPIED : STN_INDEX_LOST;
}

int stn_aarch64_unsigned_branch(const char *text)
{
    const size_t length = strcspn(text, " ");
    return length != 4                                                                ? 0
           : strncmp(text, "b.hi", length) == 0                                       ? 1
           : strncmp(text, "b.cs", length) == 0 || strncmp(text, "b.hs", length) == 0 ? 2
           : strncmp(text, "b.ls", length) == 0                                       ? -1
           : strncmp(text, "b.cc", length) == 0 || strncmp(text, "b.lo", length) == 0 ? -2
                                                                                      : 0;
}
