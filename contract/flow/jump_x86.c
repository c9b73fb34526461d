/* Jumps through tables on x86-64:
 *   lea rdx,[rip+table]; movsxd rax,DWORD PTR [rdx+rcx*4]; add rax,rdx; jmp rax
 *   jmp QWORD PTR [rcx*8+table], or the same by mov rax,QWORD PTR [rcx*8+table]; jmp rax */
#include "contract/flow/jump.h"

#include <stdio.h>
#include <string.h>

#include "contract/isa/line.h"
#include "contract/isa/x86_operand.h"

static void split(const stn_code *code, int32_t i, stn_line *line)
{
    stn_line_split(line, code->text + code->instructions[i].text, "#", "notrack bnd");
}

static int register_at(const stn_line *line, int operand)
{
    int bits, length;
    const int number =
        operand < line->operands ? stn_x86_register(line->operand[operand], &bits, &length) : -1;
    return number < X86_FIRST_VECTOR ? number : -1;
}

/* [rcx*8+table] */
static int take_absolute(const stn_line *line, int operand, int32_t i, stn_jump_table *table)
{
    stn_access access;
    if (operand >= line->operands || !stn_x86_memory(line->operand[operand], &access) ||
        access.base >= 0 || access.index < 0 || access.index >= X86_FIRST_VECTOR ||
        access.scale != 8)
        return 0;
    table->pointer = table->load = i;
    table->address = (uint64_t)access.displacement;
    table->is_absolute = 1;
    table->bytes = 8;
    table->index = access.index;
    return 1;
}

/* lea rdx,[rip+table] */
static int take_pointer(const stn_code *code, int32_t before, int number, stn_jump_table *table)
{
    const int32_t i = stn_code_pointer_writer(code, before, number);
    stn_line line;
    stn_access access;
    if (i < 0)
        return 0;
    split(code, i, &line);
    if (strcmp(line.mnemonic, "lea") != 0 || line.operands != 2 ||
        !strstr(line.operand[1], "rip") || !stn_x86_memory(line.operand[1], &access))
        return 0;
    const stn_machine_instruction *at = &code->instructions[i];
    table->pointer = i;
    table->address = at->address + (uint64_t)at->bytes + (uint64_t)access.displacement;
    return 1;
}

/* The entry loaded into `offset` from a table at `pointer`. */
static int take_entry(const stn_code *code, int32_t add, int offset, int pointer,
                      stn_jump_table *table)
{
    const int32_t i = offset < 0 ? -1 : stn_code_writer(code, add, offset);
    stn_line line;
    stn_access access;
    if (i < 0 || pointer < 0)
        return 0;
    split(code, i, &line);
    if (strcmp(line.mnemonic, "movsxd") != 0 || line.operands != 2 ||
        !stn_x86_memory(line.operand[1], &access) || access.base != pointer || access.index < 0 ||
        access.scale != 4 || access.displacement != 0)
        return 0;
    table->bytes = 4;
    table->is_signed = 1;
    table->load = i;
    table->index = access.index;
    return take_pointer(code, i, pointer, table);
}

int stn_x86_jump_table(const stn_code *code, int32_t jump, stn_jump_table *table)
{
    stn_line line;
    split(code, jump, &line);
    if (take_absolute(&line, 0, jump, table))
        return 1;
    const int target = register_at(&line, 0);
    const int32_t i = target < 0 ? -1 : stn_code_writer(code, jump, target);
    if (i < 0)
        return 0;
    split(code, i, &line);
    if (strcmp(line.mnemonic, "mov") == 0)
        return take_absolute(&line, 1, i, table);
    const int one = register_at(&line, 0), other = register_at(&line, 1);
    return strcmp(line.mnemonic, "add") == 0 &&
           (take_entry(code, i, one, other, table) || take_entry(code, i, other, one, table));
}

/* ---- the index ---- */

static const char *address_in(const char *operand)
{
    return strchr(operand, '[');
}

static int is_index(const stn_line *line, const stn_index *index)
{
    const char *const memory = address_in(line->operand[0]);
    return memory ? index->memory[0] && strcmp(memory, index->memory) == 0
                  : index->number >= 0 && register_at(line, 0) == index->number;
}

static stn_index_step copy(const stn_line *line, stn_index *index)
{
    stn_access access;
    const char *const memory = address_in(line->operand[1]);
    index->number = register_at(line, 1);
    if (!memory)
        return index->number >= 0 ? STN_INDEX_COPIED : STN_INDEX_LOST;
    if (strlen(memory) >= sizeof index->memory || !stn_x86_memory(line->operand[1], &access))
        return STN_INDEX_LOST;
    snprintf(index->memory, sizeof index->memory, "%s", memory);
    index->addresses = (access.base >= 0 ? UINT64_C(1) << access.base : 0) |
                       (access.index >= 0 ? UINT64_C(1) << access.index % 64 : 0);
    return STN_INDEX_COPIED;
}

stn_index_step stn_x86_index_step(const stn_code *code, int32_t i, stn_index *index,
                                  int64_t *number)
{
    const stn_machine_instruction *at = &code->instructions[i];
    stn_line line;
    split(code, i, &line);
    if (strcmp(line.mnemonic, "cmp") == 0 || strcmp(line.mnemonic, "test") == 0)
        return line.mnemonic[0] == 'c' && line.operands == 2 && is_index(&line, index) &&
                       stn_parse_number(line.operand[1], number)
                   ? STN_INDEX_COMPARED
                   : STN_INDEX_FLAGS;
    if (at->written & index->addresses)
        return STN_INDEX_LOST;
    if (index->number < 0 || !(at->written >> index->number & 1))
        return STN_INDEX_APART;
    if (line.operands != 2)
        return STN_INDEX_LOST;
    if (strcmp(line.mnemonic, "and") == 0 && stn_parse_number(line.operand[1], number))
        return STN_INDEX_MASKED;
    return stn_is_one_of(line.mnemonic, "mov movzx movsxd movsx") ? copy(&line, index)
                                                                  : STN_INDEX_LOST;
}

int stn_x86_unsigned_branch(const char *text)
{
    const size_t length = strcspn(text, " ");
    return length == 2 && strncmp(text, "ja", length) == 0    ? 1
           : length == 3 && strncmp(text, "jae", length) == 0 ? 2
           : length == 3 && strncmp(text, "jbe", length) == 0 ? -1
           : length == 2 && strncmp(text, "jb", length) == 0  ? -2
                                                              : 0;
}
