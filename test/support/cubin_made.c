/* Cubins made by hand. */
#include "cubin_made.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

/* ---- instructions ---- */

made_word made_with(made_word word, int from, int count, uint64_t value)
{
    for (int b = 0; b < count; b++) {
        const int bit = from + b;
        uint64_t *half = bit < 64 ? &word.low : &word.high;
        const uint64_t mask = UINT64_C(1) << bit % 64;
        *half = value >> b & 1 ? *half | mask : *half & ~mask;
    }
    return word;
}

made_word made_instruction(unsigned opcode)
{
    made_word word = {opcode, 0};
    return made_with(word, 12, 4, MADE_ALWAYS);
}

made_word made_registers(unsigned opcode, int destination, int first, int second, int third)
{
    made_word word = made_instruction(opcode);
    word = made_with(word, 16, 8, (uint64_t)destination);
    word = made_with(word, 24, 8, (uint64_t)first);
    word = made_with(word, 32, 8, (uint64_t)second);
    return made_with(word, 64, 8, (uint64_t)third);
}

made_word made_load(unsigned opcode, int size, int destination, int base, int displacement)
{
    made_word word = made_registers(opcode, destination, base, 0, 0);
    word = made_with(word, 40, 24, (uint64_t)displacement);
    return made_with(word, 73, 3, (uint64_t)size);
}

made_word made_store(unsigned opcode, int size, int base, int displacement, int data)
{
    return made_with(made_load(opcode, size, 0, base, displacement), 32, 8, (uint64_t)data);
}

made_word made_branch(int sm, int guard, int instructions)
{
    const uint64_t words = (uint64_t)((int64_t)instructions * 4);
    made_word word = made_with(made_instruction(0x947), 12, 4, (uint64_t)guard);
    word = made_with(word, 87, 3, 7);
    if (sm < 90)
        return made_with(word, 34, 48, words);
    word = made_with(word, 16, 8, words);
    return made_with(word, 34, 48, (uint64_t)((int64_t)words >> 8));
}

/* ---- files ---- */

typedef struct writer {
    unsigned char *bytes;
    size_t used;
} writer;

static size_t put(writer *w, const void *bytes, size_t size)
{
    const size_t at = w->used;
    assert(at + size <= MADE_ROOM);
    memcpy(w->bytes + at, bytes, size);
    w->used += size;
    return at;
}

static void align_to(writer *w, size_t alignment)
{
    while (w->used % alignment)
        put(w, "", 1);
}

static size_t put_text(writer *w, const char *text)
{
    return put(w, text, strlen(text) + 1);
}

enum { NAMES = 1, STRINGS, SYMBOLS, INFO, TOOL, FIRST_TEXT, MOST_KERNELS = 8 };

typedef struct sections {
    Elf64_Shdr header[FIRST_TEXT + MOST_KERNELS];
    size_t count;
} sections;

static void put_names(writer *w, sections *all, const made_kernel *kernels)
{
    static const char *const fixed[FIRST_TEXT] = {"",        ".shstrtab", ".strtab",
                                                  ".symtab", ".nv.info",  ".note.nv.tkinfo"};
    const size_t start = w->used;
    all->header[NAMES].sh_type = SHT_STRTAB;
    all->header[NAMES].sh_offset = start;
    for (size_t s = 0; s < all->count; s++) {
        all->header[s].sh_name = (Elf64_Word)(w->used - start);
        if (s < FIRST_TEXT) {
            put_text(w, fixed[s]);
        } else {
            put(w, ".text.", 6);
            put_text(w, kernels[s - FIRST_TEXT].name);
        }
    }
    all->header[NAMES].sh_size = w->used - start;
}

/* Strings and symbols: symbol k + 1 is kernel k, all of its section. */
static void put_symbols(writer *w, sections *all, const made_kernel *kernels, size_t count)
{
    Elf64_Sym symbols[MOST_KERNELS + 1];
    memset(symbols, 0, sizeof symbols);
    const size_t start = put_text(w, "");
    for (size_t k = 0; k < count; k++) {
        symbols[k + 1].st_name = (Elf64_Word)(put_text(w, kernels[k].name) - start);
        symbols[k + 1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
        symbols[k + 1].st_shndx = (Elf64_Section)(FIRST_TEXT + k);
        symbols[k + 1].st_size = kernels[k].count * sizeof(made_word);
    }
    all->header[STRINGS] = (Elf64_Shdr){.sh_name = all->header[STRINGS].sh_name,
                                        .sh_type = SHT_STRTAB,
                                        .sh_offset = start,
                                        .sh_size = w->used - start};
    align_to(w, 8);
    Elf64_Shdr *table = all->header + SYMBOLS;
    table->sh_type = SHT_SYMTAB;
    table->sh_link = STRINGS;
    table->sh_entsize = sizeof(Elf64_Sym);
    table->sh_info = 1;
    table->sh_addralign = 8;
    table->sh_size = (count + 1) * sizeof(Elf64_Sym);
    table->sh_offset = put(w, symbols, table->sh_size);
}

static void put_attribute(writer *w, int number, size_t symbol, int value)
{
    const unsigned char head[4] = {4, (unsigned char)number, 8, 0};
    const uint32_t payload[2] = {(uint32_t)symbol, (uint32_t)value};
    if (value < 0)
        return;
    put(w, head, sizeof head);
    put(w, payload, sizeof payload);
}

static void put_info(writer *w, sections *all, const made_kernel *kernels, size_t count)
{
    Elf64_Shdr *info = all->header + INFO, *tool = all->header + TOOL;
    info->sh_type = SHT_LOPROC;
    info->sh_offset = w->used;
    put(w, "\3\67\2\0", 4); /* an attribute of 16 bits */
    for (size_t k = 0; k < count; k++) {
        put_attribute(w, 0x2f, k + 1, kernels[k].registers);
        put_attribute(w, 0x11, k + 1, kernels[k].frame);
    }
    info->sh_size = w->used - info->sh_offset;
    tool->sh_type = SHT_NOTE;
    tool->sh_offset = w->used;
    put(w, "\1\2\3\4", 4);
    put_text(w, "Cuda compilation tools, release 99.5, V99.5.1");
    tool->sh_size = w->used - tool->sh_offset;
}

static void put_kernels(writer *w, sections *all, const made_kernel *kernels, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        Elf64_Shdr *text = all->header + FIRST_TEXT + k;
        align_to(w, 128);
        text->sh_type = SHT_PROGBITS;
        text->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
        text->sh_addralign = 128;
        text->sh_size = kernels[k].count * sizeof(made_word);
        text->sh_offset = put(w, kernels[k].words, text->sh_size);
    }
}

static void put_header(writer *w, const sections *all, int sm, int abi)
{
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                                     EV_CURRENT, 0x41, (unsigned char)abi},
                         .e_type = ET_EXEC,
                         .e_machine = 190,
                         .e_version = EV_CURRENT,
                         .e_flags = (Elf64_Word)(abi >= 8 ? sm << 8 | 0x6000004 : sm | sm << 16),
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = (Elf64_Half)all->count,
                         .e_shstrndx = NAMES};
    align_to(w, 8);
    header.e_shoff = put(w, all->header, all->count * sizeof *all->header);
    memcpy(w->bytes, &header, sizeof header);
}

size_t made_cubin(int sm, int abi, const made_kernel *kernels, size_t count, unsigned char *bytes)
{
    writer w = {bytes, sizeof(Elf64_Ehdr)};
    sections all = {.count = FIRST_TEXT + count};
    assert(count <= MOST_KERNELS);
    put_names(&w, &all, kernels);
    put_symbols(&w, &all, kernels, count);
    put_info(&w, &all, kernels, count);
    put_kernels(&w, &all, kernels, count);
    put_header(&w, &all, sm, abi);
    return w.used;
}

size_t made_fatbin(const made_part *parts, size_t count, unsigned char *bytes, size_t capacity)
{
    enum { HEADER = 16, ENTRY = 64 };
    size_t used = HEADER;
    memset(bytes, 0, capacity);
    for (size_t p = 0; p < count; p++) {
        unsigned char *entry = bytes + used;
        const uint64_t padded = (parts[p].size + 7) / 8 * 8;
        const uint32_t head[2] = {(uint32_t)parts[p].kind | 0x01010000, ENTRY};
        assert(used + ENTRY + padded <= capacity);
        memcpy(entry, head, sizeof head);
        memcpy(entry + 8, &padded, sizeof padded);
        memcpy(entry + ENTRY, parts[p].bytes, parts[p].size);
        used += ENTRY + padded;
    }
    const uint32_t magic[2] = {0xba55ed50, HEADER << 16 | 1};
    const uint64_t payload = used - HEADER;
    memcpy(bytes, magic, sizeof magic);
    memcpy(bytes + 8, &payload, sizeof payload);
    return used;
}
