/* Targets of jumps through tables: the length of a table from the comparison before the jump, its
 * entries from the file. */
#include "contract/flow/jump.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* MAX_WORK: adversarial functions keep unresolved jumps. */
enum { WINDOW = 16, MAX_STEPS = 32, MAX_ENTRIES = 4096, MAX_WORK = 1 << 29 };

int32_t stn_code_writer(const stn_code *code, int32_t before, int number)
{
    for (int32_t i = before - 1; i >= 0 && i >= before - WINDOW; i--)
        if (code->instructions[i].written >> (number % 64) & 1)
            return i;
    return -1;
}

int32_t stn_code_pointer_writer(const stn_code *code, int32_t before, int number)
{
    for (int32_t i = before - 1; i >= 0; i--) {
        const stn_machine_instruction *at = &code->instructions[i];
        const int restores =
            at->accesses > 0 && at->access[0].reads && at->access[0].space == STN_SPACE_STACK;
        if ((at->written >> (number % 64) & 1) && !restores)
            return i;
    }
    return -1;
}

typedef struct reader {
    const stn_elf *file;
    const stn_symbol *symbol;
    stn_code *code;
    stn_section section; /* section of the table */
    size_t number;
    uint64_t start;                   /* offset in that section */
    stn_section relocations, of_code; /* of the table, of the function */
    int64_t capacity;
    int64_t work; /* visited instructions */
} reader;

/* ---- length of a table ---- */

/* The only predecessor of an instruction, and whether it jumps (`*by_target`); -1: none or
 * several. */
static int32_t before(const stn_code *code, int32_t i, int *by_target)
{
    const uint64_t address = code->instructions[i].address;
    int32_t source = -1, sources = 0;
    for (int32_t k = 0; k < code->count; k++) {
        const stn_machine_instruction *at = &code->instructions[k];
        if ((at->flow != STN_FLOW_BRANCH && at->flow != STN_FLOW_JUMP) || at->target != address)
            continue;
        source = k;
        sources++;
    }
    const stn_flow flow = i > 0 ? code->instructions[i - 1].flow : STN_FLOW_END;
    const int falls = flow == STN_FLOW_NEXT || flow == STN_FLOW_BRANCH || flow == STN_FLOW_CALL;
    *by_target = !falls;
    return falls ? (sources ? -1 : i - 1) : sources == 1 ? source : -1;
}

/* The number of index values that pass a branch after a comparison with `limit`. */
static int64_t passing(int branch, int is_taken, int64_t limit)
{
    const int is_upper = branch > 0, includes = branch == 1 || branch == -1;
    return is_upper == is_taken ? -1 : limit + includes;
}

/* The number of reachable entries, from the comparison or mask of the index; 0: unknown. */
static int64_t find_length(reader *r, const stn_jump_table *table)
{
    const stn_code *code = r->code;
    const int is_x86 = code->machine == STN_MACHINE_X86_64;
    stn_index index = {.number = table->index};
    int branch = 0, is_taken = 0, by_target;
    int32_t i = table->load;
    for (int step = 0; step < MAX_STEPS; step++) {
        int64_t number = 0;
        r->work += code->count;
        i = r->work > MAX_WORK ? -1 : before(code, i, &by_target);
        if (i < 0)
            return 0;
        const stn_machine_instruction *at = &code->instructions[i];
        if (at->flow == STN_FLOW_BRANCH) {
            const char *text = code->text + at->text;
            if (branch)
                return 0;
            branch = is_x86 ? stn_x86_unsigned_branch(text) : stn_aarch64_unsigned_branch(text);
            is_taken = by_target;
            continue;
        }
        const stn_index_step found = is_x86 ? stn_x86_index_step(code, i, &index, &number)
                                            : stn_aarch64_index_step(code, i, &index, &number);
        if (found == STN_INDEX_MASKED)
            return number + 1;
        if (found == STN_INDEX_COMPARED && branch)
            return passing(branch, is_taken, number);
        if (found == STN_INDEX_LOST || (found == STN_INDEX_FLAGS && branch) ||
            at->flow == STN_FLOW_CALL)
            return 0;
    }
    return 0;
}

/* ---- the entries ---- */

/* Before linking, the relocation contains the table's position; after linking, the address does. */
static int find_table(reader *r, const stn_jump_table *table)
{
    const stn_machine_instruction *at = &r->code->instructions[table->pointer];
    const uint64_t end = at->address + (uint64_t)at->bytes;
    stn_relocation found;
    if (r->file->is_object) {
        if (!stn_elf_relocation(r->file, &r->of_code, at->address, end, &found))
            return 0;
        const int is_relative = r->code->machine == STN_MACHINE_X86_64 && !table->is_absolute;
        r->number = found.section;
        r->start = found.offset + (is_relative ? end - found.position : 0);
        (void)stn_elf_relocations(r->file, r->number, &r->relocations);
        return stn_elf_section(r->file, r->number, &r->section) == STN_OK &&
               r->start < r->section.size;
    }
    for (r->number = 1; r->number < stn_elf_sections(r->file); r->number++) {
        if (stn_elf_section(r->file, r->number, &r->section) != STN_OK || r->section.size == 0 ||
            !(r->section.header.sh_flags & SHF_ALLOC))
            continue;
        r->start = table->address - r->section.header.sh_addr;
        if (table->address >= r->section.header.sh_addr && r->start < r->section.size)
            return 1;
    }
    return 0;
}

static int read_entry(const reader *r, const stn_jump_table *table, int64_t k, uint64_t *entry)
{
    const uint64_t bytes = (uint64_t)table->bytes, at = r->start + (uint64_t)k * bytes;
    *entry = 0;
    if (at > r->section.size || r->section.size - at < bytes)
        return 0;
    memcpy(entry, r->section.bytes + at, bytes);
    if (table->is_signed && bytes < 8 && *entry >> (8 * bytes - 1))
        *entry -= UINT64_C(1) << (8 * bytes);
    *entry <<= table->shift;
    return 1;
}

/* The target address of entry k. */
static int read_target(const reader *r, const stn_jump_table *table, int64_t k, uint64_t *target)
{
    const uint64_t at = r->start + (uint64_t)(k * table->bytes);
    stn_relocation found;
    if (r->file->is_object && stn_elf_relocation(r->file, &r->relocations, at, at + 1, &found)) {
        *target = found.offset - (table->is_absolute ? 0 : at - r->start);
        return found.section == (size_t)r->symbol->section;
    }
    if (r->file->is_object && (table->is_absolute || table->base == STN_NO_TARGET))
        return 0;
    if (!read_entry(r, table, k, target))
        return 0;
    *target += table->is_absolute ? 0 : table->base == STN_NO_TARGET ? table->address : table->base;
    return 1;
}

static stn_status add_case(reader *r, int32_t from, int32_t to)
{
    stn_code *code = r->code;
    if (code->case_count == r->capacity) {
        stn_case *larger;
        const int64_t capacity = 2 * r->capacity + 16;
        STN_TRY(stn_allocate(&larger, capacity, sizeof *larger, "cases"));
        if (code->cases)
            memcpy(larger, code->cases, (size_t)code->case_count * sizeof *larger);
        stn_free(code->cases);
        code->cases = larger;
        r->capacity = capacity;
    }
    code->cases[code->case_count++] = (stn_case){from, to};
    return STN_OK;
}

/* Reads all entries or none. */
static stn_status read_table(reader *r, int32_t jump, const stn_jump_table *table)
{
    const int64_t length = find_length(r, table);
    const int32_t kept = r->code->case_count;
    if (length < 1 || length > MAX_ENTRIES || !find_table(r, table))
        return STN_OK;
    for (int64_t k = 0; k < length; k++) {
        uint64_t target;
        const int32_t to =
            read_target(r, table, k, &target) ? stn_code_at_address(r->code, target) : -1;
        if (to < 0) {
            r->code->case_count = kept;
            return STN_OK;
        }
        STN_TRY(add_case(r, jump, to));
    }
    return STN_OK;
}

stn_status stn_code_find_cases(stn_code *code, const stn_elf *file, const stn_symbol *symbol)
{
    reader r = {.file = file, .symbol = symbol, .code = code};
    int is_first = 1;
    for (int32_t i = 0; i < code->count; i++) {
        stn_jump_table table = {.index = -1, .base = STN_NO_TARGET};
        if (code->instructions[i].flow != STN_FLOW_INDIRECT)
            continue;
        if (is_first && file->is_object)
            (void)stn_elf_relocations(file, (size_t)symbol->section, &r.of_code);
        is_first = 0;
        if (code->machine == STN_MACHINE_X86_64 ? stn_x86_jump_table(code, i, &table)
                                                : stn_aarch64_jump_table(code, i, &table))
            STN_TRY(read_table(&r, i, &table));
    }
    return STN_OK;
}
