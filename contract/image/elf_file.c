/* ELF files through libelf: headers, sections and symbols, checked against the file size. */
#include "contract/image/elf.h"

#include <inttypes.h>
#include <string.h>

/* Adds libelf's message if libelf detected the error. */
static stn_status damaged(const stn_elf *file, const char *what)
{
    const int error = elf_errno();
    return stn_fail(STN_ERR_PARSE, "%s: damaged or truncated: %s%s%s", file->image->name, what,
                    error ? ": " : "", error ? elf_errmsg(error) : "");
}

/* libelf treats a section table beyond the end of the file as missing. */
static stn_status check_table(const stn_elf *file)
{
    const uint64_t start = file->header.e_shoff;
    const uint64_t count = file->header.e_shnum > 0 ? file->header.e_shnum : 1;
    if (start == 0)
        return STN_OK;
    if (start > file->size || (file->size - start) / sizeof(Elf64_Shdr) < count)
        return stn_fail(STN_ERR_PARSE,
                        "%s: truncated: the table of sections at byte %" PRIu64
                        " does not fit into %zu",
                        file->image->name, start, file->size);
    return STN_OK;
}

/* Only files with very many sections have a table of section numbers. */
static stn_status find_far_sections(stn_elf *file)
{
    size_t number = 0;
    if (stn_elf_sections(file) < SHN_LORESERVE)
        return STN_OK;
    STN_TRY(stn_elf_find_type(file, SHT_SYMTAB_SHNDX, &number));
    return number == 0 ? STN_OK : stn_elf_section(file, number, &file->far_sections);
}

int stn_elf_is_bitcode(const unsigned char *bytes, size_t size)
{
    static const unsigned char plain[] = {'B', 'C', 0xc0, 0xde},
                               wrapped[] = {0xde, 0xc0, 0x17, 0x0b};
    return size >= sizeof plain &&
           (memcmp(bytes, plain, sizeof plain) == 0 || memcmp(bytes, wrapped, sizeof wrapped) == 0);
}

static stn_status not_elf(const stn_image *image, const unsigned char *bytes, size_t size)
{
    return stn_elf_is_bitcode(bytes, size)
               ? stn_fail(STN_ERR_PARSE,
                          "%s: LLVM bitcode instead of machine code, from link-time optimization "
                          "(clang -flto); compile it without, or check the linked file",
                          image->name)
               : stn_fail(STN_ERR_PARSE, "%s: neither an ELF file nor a fat binary", image->name);
}

stn_status stn_elf_open(stn_elf *file, const stn_image *image, const unsigned char *bytes,
                        size_t size)
{
    *file = (stn_elf){.image = image, .bytes = bytes, .size = size};
    if (size < EI_NIDENT || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return not_elf(image, bytes, size);
    if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: an ELF file of 32 bits or of a big-endian machine", image->name);
    if (size < sizeof(Elf64_Ehdr) || elf_version(EV_CURRENT) == EV_NONE)
        return damaged(file, "the file header");
    (void)elf_errno(); /* clears previous errors */
    file->elf = elf_memory((char *)(uintptr_t)bytes, size);
    if (!file->elf)
        return damaged(file, "the file header");
    if (!gelf_getehdr(file->elf, &file->header) ||
        elf_getshdrstrndx(file->elf, &file->section_names) != 0) {
        const stn_status status = damaged(file, "the table of sections");
        stn_elf_close(file);
        return status;
    }
    file->is_object = file->header.e_type == ET_REL;
    stn_status status = check_table(file);
    if (status == STN_OK)
        status = find_far_sections(file);
    if (status != STN_OK)
        stn_elf_close(file);
    return status;
}

void stn_elf_close(stn_elf *file)
{
    elf_end(file->elf);
    file->elf = NULL;
}

size_t stn_elf_sections(const stn_elf *file)
{
    size_t count = 0;
    return elf_getshdrnum(file->elf, &count) == 0 ? count : 0;
}

stn_status stn_elf_section(const stn_elf *file, size_t number, stn_section *section)
{
    *section = (stn_section){.handle = elf_getscn(file->elf, number)};
    if (!section->handle || !gelf_getshdr(section->handle, &section->header))
        return damaged(file, "a section header");
    section->name = elf_strptr(file->elf, file->section_names, section->header.sh_name);
    if (!section->name)
        return damaged(file, "the name of a section");
    if (section->header.sh_type == SHT_NOBITS || section->header.sh_type == SHT_NULL)
        return STN_OK;
    if (section->header.sh_offset > file->size ||
        section->header.sh_size > file->size - section->header.sh_offset)
        return stn_fail(STN_ERR_PARSE, "%s: truncated: section %s ends at byte %" PRIu64 " of %zu",
                        file->image->name, section->name,
                        section->header.sh_offset + section->header.sh_size, file->size);
    section->bytes = file->bytes + section->header.sh_offset;
    section->size = (size_t)section->header.sh_size;
    return STN_OK;
}

stn_status stn_elf_find_type(const stn_elf *file, uint32_t type, size_t *number)
{
    stn_section section;
    *number = 0;
    for (size_t s = 1; s < stn_elf_sections(file); s++) {
        STN_TRY(stn_elf_section(file, s, &section));
        if (section.header.sh_type == type) {
            *number = s;
            return STN_OK;
        }
    }
    return STN_OK;
}

stn_status stn_elf_find_name(const stn_elf *file, const char *name, size_t *number)
{
    stn_section section;
    *number = 0;
    for (size_t s = 1; s < stn_elf_sections(file); s++) {
        STN_TRY(stn_elf_section(file, s, &section));
        if (section.size > 0 && strcmp(section.name, name) == 0) {
            *number = s;
            return STN_OK;
        }
    }
    return STN_OK;
}

size_t stn_elf_section_of(const stn_elf *file, const stn_section *symbols, size_t number,
                          const Elf64_Sym *symbol)
{
    const stn_section *far = &file->far_sections;
    uint32_t section = 0;
    if (symbol->st_shndx < SHN_LORESERVE)
        return symbol->st_shndx;
    if (symbol->st_shndx != SHN_XINDEX || far->header.sh_link != elf_ndxscn(symbols->handle) ||
        number >= far->size / sizeof section)
        return 0;
    memcpy(&section, far->bytes + number * sizeof section, sizeof section);
    return section;
}

stn_status stn_elf_table_of(const stn_elf *file, size_t section, stn_elf_table *table)
{
    STN_TRY(stn_elf_section(file, section, &table->symbols));
    STN_TRY(stn_elf_section(file, table->symbols.header.sh_link, &table->strings));
    table->count = table->symbols.size / sizeof(Elf64_Sym);
    table->versions = (stn_section){.size = 0};
    if (table->strings.size > 0 && table->strings.bytes[table->strings.size - 1] == '\0')
        return STN_OK;
    return table->count == 0 ? STN_OK : damaged(file, "the names of symbols");
}

/* Of several versions of a symbol, all except the default version are hidden. */
static int is_older_version(const stn_elf_table *table, size_t number)
{
    enum { HIDDEN = 0x8000 };
    uint16_t version = 0;
    if (number < table->versions.size / sizeof version)
        memcpy(&version, table->versions.bytes + number * sizeof version, sizeof version);
    return (version & HIDDEN) != 0;
}

stn_status stn_elf_add(const stn_elf *file, const stn_elf_table *table, size_t number,
                       const stn_symbol *like, stn_image *image)
{
    stn_section section;
    Elf64_Sym symbol;
    stn_symbol function = *like;
    memcpy(&symbol, table->symbols.bytes + number * sizeof symbol, sizeof symbol);
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    const size_t position = stn_elf_section_of(file, &table->symbols, number, &symbol);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || position == SHN_UNDEF)
        return STN_OK;
    STN_TRY(stn_elf_section(file, position, &section));
    image->is_debug |= section.header.sh_type == SHT_NOBITS;
    if (!(section.header.sh_flags & SHF_EXECINSTR) || section.size == 0)
        return STN_OK;
    if (symbol.st_name >= table->strings.size)
        return damaged(file, "the name of a function");
    function.symbol = (const char *)table->strings.bytes + symbol.st_name;
    if (type == STT_GNU_IFUNC)
        return stn_image_add_indirect(image, function.symbol);
    const uint64_t start = symbol.st_value - (file->is_object ? 0 : section.header.sh_addr);
    if (start > section.size || symbol.st_size > section.size - start)
        return stn_fail(STN_ERR_PARSE,
                        "%s: damaged: function %.80s is not inside its section %.80s", image->name,
                        function.symbol, section.name);
    function.address = symbol.st_value;
    function.bytes = symbol.st_size;
    function.section = (int32_t)position;
    function.code = section.bytes + start;
    function.capacity = section.size - start;
    function.is_older = is_older_version(table, number);
    return start == section.size ? STN_OK : stn_image_add_symbol(image, &function);
}
