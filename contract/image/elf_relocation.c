/* Relocations of object files. */
#include "contract/flow/jump.h"

#include <string.h>

/* Section and offset of a symbol; 0 if it has no section. */
static size_t find_symbol(const stn_elf *file, size_t table, uint64_t number, uint64_t *offset)
{
    stn_section symbols;
    Elf64_Sym symbol;
    if (stn_elf_section(file, table, &symbols) != STN_OK || number >= symbols.size / sizeof symbol)
        return 0;
    memcpy(&symbol, symbols.bytes + number * sizeof symbol, sizeof symbol);
    *offset = symbol.st_value;
    return stn_elf_section_of(file, &symbols, (size_t)number, &symbol);
}

static Elf64_Rela entry_at(const stn_section *list, size_t k)
{
    Elf64_Rela entry;
    memcpy(&entry, list->bytes + k * sizeof entry, sizeof entry);
    return entry;
}

/* The first relocation at or after `from` if they are sorted, which is not guaranteed. */
static size_t guess(const stn_section *list, uint64_t from)
{
    size_t low = 0, high = list->size / sizeof(Elf64_Rela);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (entry_at(list, middle).r_offset < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int stn_elf_relocations(const stn_elf *file, size_t section, stn_section *list)
{
    for (size_t s = 1; s < stn_elf_sections(file); s++)
        if (stn_elf_section(file, s, list) == STN_OK && list->header.sh_type == SHT_RELA &&
            list->header.sh_info == section)
            return 1;
    *list = (stn_section){.size = 0};
    return 0;
}

int stn_elf_relocation(const stn_elf *file, const stn_section *list, uint64_t from, uint64_t to,
                       stn_relocation *found)
{
    const size_t count = list->size / sizeof(Elf64_Rela), first = guess(list, from);
    for (size_t k = 0; k < count; k++) {
        const Elf64_Rela entry = entry_at(list, (first + k) % count);
        if (entry.r_offset < from || entry.r_offset >= to)
            continue;
        found->section =
            find_symbol(file, list->header.sh_link, ELF64_R_SYM(entry.r_info), &found->offset);
        if (found->section == SHN_UNDEF)
            continue;
        found->position = entry.r_offset;
        found->offset += (uint64_t)entry.r_addend;
        return 1;
    }
    return 0;
}
