/* Assigns the output of objdump to functions. */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contract/flow/jump.h"
#include "contract/isa/line.h"
#include "contract/image/objdump.h"
#include "core/memory.h"

enum {
    TEXT = 160,  /* bytes of text kept per instruction */
    COPIES = 16, /* maximum average number of functions that contain an instruction */
    SLACK = 4096
};

/* Overlapping functions, such as aliases, form a group; lines are collected until its end and then
 * copied to each function. */
struct stn_disassembly {
    stn_image *image;
    stn_elf elf;
    int32_t *order; /* wanted functions, sorted by archive member, section and address */
    char **names;   /* their sections, without duplicates */
    int32_t name_count;
    int32_t member; /* member of the archive */
    size_t section; /* section of the current lines */
    int32_t wanted, next, group_end;
    uint64_t low, high; /* addresses of the group; equal: none */
    stn_machine machine;
    stn_machine_instruction *instructions;
    char *text;
    int64_t count, capacity, text_count, text_capacity;
    int64_t seen, copied;
};

/* ---- which functions ---- */

static int by_position(const void *one, const void *other, void *image)
{
    const stn_symbol *symbols = ((const stn_image *)image)->symbols;
    const stn_symbol *a = &symbols[*(const int32_t *)one], *b = &symbols[*(const int32_t *)other];
    if (a->member != b->member)
        return a->member < b->member ? -1 : 1;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

static const stn_symbol *wanted(const stn_disassembly *d, int32_t k)
{
    return &d->image->symbols[d->order[k]];
}

/* Is function k in the section of the current lines? */
static int is_in_section(const stn_disassembly *d, int32_t k)
{
    return k < d->wanted && wanted(d, k)->member == d->member &&
           (size_t)wanted(d, k)->section == d->section;
}

/* The group that begins at `next`. */
static void collect_group(stn_disassembly *d)
{
    d->group_end = d->next;
    d->low = d->high = 0;
    if (!is_in_section(d, d->next))
        return;
    d->low = wanted(d, d->next)->address;
    d->high = d->low + wanted(d, d->next)->bytes;
    for (d->group_end++; is_in_section(d, d->group_end); d->group_end++) {
        const stn_symbol *symbol = wanted(d, d->group_end);
        if (symbol->address >= d->high)
            break;
        if (symbol->address + symbol->bytes > d->high)
            d->high = symbol->address + symbol->bytes;
    }
}

/* ---- copying to functions ---- */

static int64_t at_or_after(const stn_disassembly *d, uint64_t address)
{
    int64_t low = 0, high = d->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (d->instructions[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Relative to the next instruction. */
static int is_relative(const char *text)
{
    return strstr(text, "[rip") != NULL;
}

static void copy_part(const stn_disassembly *d, stn_code *code, int64_t first, uint64_t end)
{
    const int is_x86 = code->machine == STN_MACHINE_X86_64;
    const stn_machine_instruction *from = d->instructions + first;
    memcpy(code->instructions, from, (size_t)code->count * sizeof *from);
    for (int32_t i = 0; i < code->count; i++) {
        stn_machine_instruction *to = &code->instructions[i];
        const uint64_t next = i + 1 < code->count ? to[1].address : end;
        to->bytes = (int32_t)(next - to->address);
        to->text -= from->text;
        if (is_x86 && to->accesses > 0 && is_relative(code->text + to->text))
            to->access[0].displacement =
                (int64_t)((uint64_t)to->access[0].displacement + next); /* from rip */
    }
}

static stn_status fill_code(stn_disassembly *d, int32_t function)
{
    const stn_symbol *symbol = &d->image->symbols[function];
    stn_code *code = &d->image->codes[function];
    const uint64_t end = symbol->address + symbol->bytes;
    const int64_t first = at_or_after(d, symbol->address), last = at_or_after(d, end);
    stn_code_release(code);
    code->machine = symbol->machine;
    if (first == last)
        return STN_OK;
    const int64_t text = d->instructions[first].text;
    const int64_t text_end = last < d->count ? d->instructions[last].text : d->text_count;
    d->copied += last - first;
    if (d->copied > COPIES * d->seen + SLACK)
        return stn_fail(STN_ERR_PARSE, "%s: its functions overlap too often", d->image->name);
    STN_TRY(stn_allocate(&code->instructions, last - first, sizeof *code->instructions,
                         "instructions"));
    STN_TRY(stn_allocate(&code->text, text_end - text, 1, "instructions"));
    code->count = (int32_t)(last - first);
    memcpy(code->text, d->text + text, (size_t)(text_end - text));
    copy_part(d, code, first, end);
    if (code->machine == STN_MACHINE_X86_64)
        STN_TRY(stn_x86_mark_thunks(code));
    if (code->machine == STN_MACHINE_AARCH64)
        stn_sve_mark_steps(code);
    STN_TRY(stn_code_mark_frames(code)); /* jump tables use values restored from the stack */
    STN_TRY(stn_code_find_cases(code, &d->elf, symbol));
    return code->case_count > 0 ? stn_code_mark_frames(code) : STN_OK; /* cases are successors */
}

static stn_status finish_group(stn_disassembly *d)
{
    for (; d->next < d->group_end; d->next++)
        STN_TRY(fill_code(d, d->order[d->next]));
    d->count = d->text_count = 0;
    d->low = d->high = 0;
    return STN_OK;
}

/* ---- lines ---- */

static stn_status grow(void *array, int64_t *capacity, int64_t needed, size_t bytes)
{
    void *old, *larger;
    memcpy(&old, array, sizeof old);
    if (needed <= *capacity)
        return STN_OK;
    if (needed > INT32_MAX / 2)
        return stn_fail(STN_ERR_RANGE,
                        "a function whose disassembly has more than 2^30 characters");
    const int64_t next = 2 * needed;
    STN_TRY(stn_allocate(&larger, next, bytes, "disassembly"));
    if (old)
        memcpy(larger, old, (size_t)*capacity * bytes);
    stn_free(old);
    memcpy(array, &larger, sizeof larger);
    *capacity = next;
    return STN_OK;
}

/* Copies the text without its comment and with single spaces; returns its length including the
 * 0. */
static int64_t copy_text(char *to, const char *from, const char *comment)
{
    int64_t length = 0;
    for (; *from && length + 1 < TEXT && !stn_starts(from, comment); from++) {
        const char plain = *from == '\t' ? ' ' : *from;
        if (plain != ' ' || (length > 0 && to[length - 1] != ' '))
            to[length++] = plain;
    }
    while (length > 0 && to[length - 1] == ' ')
        length--;
    to[length++] = 0;
    return length;
}

static stn_status add_instruction(stn_disassembly *d, uint64_t address, const char *text)
{
    const int is_x86 = d->machine == STN_MACHINE_X86_64;
    if (d->count > 0 && address <= d->instructions[d->count - 1].address)
        return STN_OK;
    STN_TRY(grow(&d->instructions, &d->capacity, d->count + 1, sizeof *d->instructions));
    STN_TRY(grow(&d->text, &d->text_capacity, d->text_count + TEXT, 1));
    stn_machine_instruction *to = &d->instructions[d->count++];
    memset(to, 0, sizeof *to);
    to->address = address;
    to->text = (int32_t)d->text_count;
    d->text_count += copy_text(d->text + d->text_count, text, is_x86 ? "#" : "//");
    if (is_x86)
        stn_x86_decode(text, to);
    else
        stn_aarch64_decode(text, to);
    d->seen++;
    return STN_OK;
}

/* The symbol of a relocation without its addend. */
static size_t symbol_length(const char *symbol)
{
    size_t length = strcspn(symbol, " \t");
    for (const char *sign = symbol; (sign = strpbrk(sign, "+-")) != NULL; sign++)
        if (stn_starts(sign + 1, "0x"))
            length = (size_t)(sign - symbol);
    return length;
}

/* Before linking, a jump out of its section is a jump to the next instruction with a relocation. */
static void relocate_jump(stn_disassembly *d, stn_machine_instruction *to, const char *symbol)
{
    to->target = STN_NO_TARGET;
    char *const text = d->text + to->text, *const space = strchr(text, ' ');
    if (!space || strchr(text, ',') || strchr(text, '['))
        return;
    const int64_t length = (int64_t)symbol_length(symbol), maximum = TEXT - 2 - (space - text);
    const int64_t kept = length < maximum ? length : maximum;
    memcpy(space + 1, symbol, (size_t)kept);
    space[1 + kept] = 0;
    d->text_count = to->text + (space - text) + kept + 2;
    if (d->machine == STN_MACHINE_X86_64)
        stn_x86_name_target(to, symbol, (size_t)length);
}

/* A hash (FNV-1a) in place of the address of a symbol, which is unknown before linking. An entry of
 * the global offset table differs from the symbol it points to. */
static uint64_t address_of_symbol(const char *type, const char *symbol)
{
    const size_t length = symbol_length(symbol);
    const int is_negative = symbol[length] == '-';
    uint64_t hash = strstr(type, "GOT") ? 0x84222325cbf29ce4u : 0xcbf29ce484222325u;
    uint64_t addend = 0;
    for (size_t k = 0; k < length; k++)
        hash = (hash ^ (unsigned char)symbol[k]) * 0x100000001b3u;
    if (symbol[length] == '+' || is_negative)
        addend = strtoull(symbol + length + 1, NULL, 16);
    return hash + (is_negative ? 0 - addend : addend);
}

/* Memory operands with relocations. Those relative to the next instruction are adjusted, see
 * copy_part. */
static void relocate_access(const stn_disassembly *d, stn_machine_instruction *to,
                            uint64_t position, const char *type, const char *symbol)
{
    const char *const text = d->text + to->text;
    const int relative = is_relative(text);
    if (to->accesses == 0 ||
        !(relative || strstr(text, "+0x0]") || strstr(text, "ds:0x0") || strstr(type, "_LDST")))
        return;
    to->access[0].displacement =
        (int64_t)((uint64_t)to->access[0].displacement + address_of_symbol(type, symbol) -
                  (relative ? position : 0));
}

/* `type` and `symbol`, with its addend, are parts of a line. */
static void relocate(stn_disassembly *d, uint64_t position, const char *type)
{
    const char *symbol = type + strcspn(type, " \t");
    symbol += strspn(symbol, " \t");
    if (d->count == 0 || d->low == d->high)
        return;
    stn_machine_instruction *to = &d->instructions[d->count - 1];
    if (to->flow == STN_FLOW_BRANCH || to->flow == STN_FLOW_JUMP || to->flow == STN_FLOW_CALL)
        relocate_jump(d, to, symbol);
    relocate_access(d, to, position, type, symbol);
}

static stn_status enter_section(stn_disassembly *d, const char *name)
{
    const size_t length = strlen(name), sections = stn_elf_sections(&d->elf);
    stn_section section;
    STN_TRY(finish_group(d));
    for (size_t s = d->section + 1; s < sections && length > 0; s++) {
        STN_TRY(stn_elf_section(&d->elf, s, &section));
        if (section.size == 0 || strncmp(section.name, name, length - 1) != 0 ||
            section.name[length - 1] != 0)
            continue;
        d->section = s;
        while (d->next < d->wanted && wanted(d, d->next)->member == d->member &&
               (size_t)wanted(d, d->next)->section < s)
            d->next++;
        collect_group(d);
        return STN_OK;
    }
    return STN_OK; /* contains no wanted functions */
}

static stn_status open_elf(stn_elf *elf, const stn_image *image, int32_t member)
{
    return member < 0 ? stn_elf_open(elf, image, image->bytes, image->size)
                      : stn_elf_open(elf, image, image->members[member].bytes,
                                     image->members[member].size);
}

/* Begins another member of the archive, by number. */
static stn_status enter_member(stn_disassembly *d, int32_t member)
{
    STN_TRY(finish_group(d));
    while (d->next < d->wanted && wanted(d, d->next)->member < member)
        d->next++;
    d->section = 0;
    if (member == d->member || d->next >= d->wanted || wanted(d, d->next)->member != member)
        return STN_OK;
    stn_elf_close(&d->elf);
    d->member = member;
    return open_elf(&d->elf, d->image, member);
}

/* The number in a heading such as `m12:     file format elf64-x86-64`, or of llvm-objdump
 * `/tmp/steno-a1b2c3(m12):`; -1: not a heading. */
static int32_t member_in_heading(const char *line)
{
    const char *const bracket = strrchr(line, '(');
    const char *const name = *line == '/' || *line == '.' ? (bracket ? bracket + 1 : "") : line;
    char *end;
    if (*name != 'm' || !isdigit((unsigned char)name[1]) || !strstr(name, ":") ||
        !strstr(name, "file format "))
        return -1;
    const long number = strtol(name + 1, &end, 10);
    return *end == ':' || *end == ')' ? (int32_t)number : -1;
}

stn_status stn_disassembly_line(stn_disassembly *d, const char *line)
{
    static const char heading[] = "Disassembly of section ";
    if (stn_starts(line, heading))
        return enter_section(d, line + sizeof heading - 1);
    if (d->member >= 0 && member_in_heading(line) >= 0)
        return enter_member(d, member_in_heading(line));
    char *end;
    const char *at = line + strspn(line, " \t");
    if (!isxdigit((unsigned char)*at))
        return STN_OK;
    const uint64_t address = strtoull(at, &end, 16);
    if (*end != ':' || !end[1])
        return STN_OK;
    const char *text = end + 1 + strspn(end + 1, " \t");
    if (stn_starts(text, "R_")) {
        relocate(d, address, text);
        return STN_OK;
    }
    if (d->low != d->high && address >= d->high) {
        STN_TRY(finish_group(d));
        collect_group(d);
        while (d->low != d->high && address >= d->high) { /* gap in the disassembly */
            d->next = d->group_end;
            collect_group(d);
        }
    }
    return address >= d->low && address < d->high && *text ? add_instruction(d, address, text)
                                                           : STN_OK;
}

/* ---- beginning and end ---- */

stn_status stn_disassembly_begin(stn_image *image, int32_t first, int32_t last,
                                 stn_disassembly **disassembly)
{
    stn_disassembly *d;
    STN_TRY(stn_allocate(&d, 1, sizeof *d, "disassembly"));
    memset(d, 0, sizeof *d);
    d->image = image;
    d->machine = image->symbols[first].machine;
    d->member = image->symbols[first].member;
    stn_status status = open_elf(&d->elf, image, image->symbols[first].member);
    if (status == STN_OK)
        status = stn_allocate(&d->order, (int64_t)last - first + 1, sizeof *d->order, "functions");
    if (status != STN_OK)
        return stn_disassembly_end(d, status);
    for (int32_t f = first; f <= last; f++)
        if (stn_image_wants(image, f))
            d->order[d->wanted++] = f;
    qsort_r(d->order, (size_t)d->wanted, sizeof *d->order, by_position, image);
    *disassembly = d;
    return STN_OK;
}

static stn_status add_name(stn_disassembly *d, const char *name)
{
    for (int32_t k = 0; k < d->name_count; k++)
        if (strcmp(d->names[k], name) == 0)
            return STN_OK;
    STN_TRY(
        stn_allocate(&d->names[d->name_count], (int64_t)strlen(name) + 1, 1, "names of sections"));
    strcpy(d->names[d->name_count++], name);
    return STN_OK;
}

/* The name of the section of function k, in the open file or in another member. */
static stn_status name_section(stn_disassembly *d, int32_t k)
{
    stn_section section;
    if (wanted(d, k)->member != d->member) {
        stn_elf_close(&d->elf);
        d->member = wanted(d, k)->member;
        STN_TRY(open_elf(&d->elf, d->image, d->member));
    }
    STN_TRY(stn_elf_section(&d->elf, (size_t)wanted(d, k)->section, &section));
    return add_name(d, section.name);
}

/* The sections of the functions, and their address range if they are in one section. */
stn_status stn_disassembly_range(stn_disassembly *d, stn_range *range)
{
    int32_t locations = 0;
    STN_TRY(stn_allocate(&d->names, d->wanted, sizeof *d->names, "names of sections"));
    for (int32_t k = 0; k < d->wanted; k++) {
        if (k > 0 && wanted(d, k)->member == wanted(d, k - 1)->member &&
            wanted(d, k)->section == wanted(d, k - 1)->section)
            continue;
        locations++;
        STN_TRY(name_section(d, k));
    }
    range->sections = (const char *const *)d->names;
    range->section_count = d->name_count;
    if (locations != 1)
        return STN_OK;
    range->start = wanted(d, 0)->address;
    for (int32_t k = 0; k < d->wanted; k++) {
        const uint64_t end = wanted(d, k)->address + wanted(d, k)->bytes;
        range->stop = end > range->stop ? end : range->stop;
    }
    return STN_OK;
}

int64_t stn_disassembly_seen(const stn_disassembly *d)
{
    return d->seen;
}

stn_status stn_disassembly_end(stn_disassembly *d, stn_status status)
{
    if (status == STN_OK)
        status = finish_group(d);
    if (d->elf.elf)
        stn_elf_close(&d->elf);
    for (int32_t k = 0; k < d->name_count; k++)
        stn_free(d->names[k]);
    stn_free(d->names);
    stn_free(d->order);
    stn_free(d->instructions);
    stn_free(d->text);
    stn_free(d);
    return status;
}
