/* Relocations: what object files leave to the linker. */
#include "contract/jump.h"

#include <string.h>

static int read_symbol(const stn_elf *file, size_t table, uint64_t number, Elf64_Sym *symbol)
{
    stn_section symbols;
    if (stn_elf_section(file, table, &symbols) != STN_OK || number >= symbols.size / sizeof *symbol)
        return 0;
    memcpy(symbol, symbols.bytes + number * sizeof *symbol, sizeof *symbol);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE;
}

static int find_in(const stn_elf *file, const stn_section *list, uint64_t from, uint64_t to,
                   stn_relocation *found)
{
    Elf64_Rela entry;
    Elf64_Sym symbol;
    for (size_t k = 0; k < list->size / sizeof entry; k++) {
        memcpy(&entry, list->bytes + k * sizeof entry, sizeof entry);
        if (entry.r_offset < from || entry.r_offset >= to ||
            !read_symbol(file, list->header.sh_link, ELF64_R_SYM(entry.r_info), &symbol))
            continue;
        found->place = entry.r_offset;
        found->section = symbol.st_shndx;
        found->offset = symbol.st_value + (uint64_t)entry.r_addend;
        return 1;
    }
    return 0;
}

int stn_elf_relocation(const stn_elf *file, size_t section, uint64_t from, uint64_t to,
                       stn_relocation *found)
{
    stn_section list;
    for (size_t s = 1; s < stn_elf_sections(file); s++)
        if (stn_elf_section(file, s, &list) == STN_OK && list.header.sh_type == SHT_RELA &&
            list.header.sh_info == section && find_in(file, &list, from, to, found))
            return 1;
    return 0;
}
