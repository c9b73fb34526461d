/* An ELF file in memory, opened through libelf; sizes and places are checked. */
#ifndef STENO_CONTRACT_ELF_H
#define STENO_CONTRACT_ELF_H

#include <gelf.h>

#include "contract/isa/code.h"

enum { STN_MACHINE_CUDA = 190 }; /* of e_machine */

/* A section as bytes of the file. */
typedef struct stn_section {
    Elf_Scn *handle;
    GElf_Shdr header;
    const char *name;
    const unsigned char *bytes;
    size_t size; /* 0 of one that has no bytes in the file */
} stn_section;

typedef struct stn_elf {
    Elf *elf;
    GElf_Ehdr header;
    const stn_image *image;
    const unsigned char *bytes;
    size_t size;
    size_t section_names;
    int is_object;            /* not linked: addresses count from the beginning of each section */
    stn_section far_sections; /* where there are more sections than 16 bits of a symbol can name:
                               * the number of each symbol's one, in 32 bits */
} stn_elf;

/* STN_ERR_PARSE when it is no ELF file of 64 bits, little-endian. Close it after success only. */
stn_status stn_elf_open(stn_elf *file, const stn_image *image, const unsigned char *bytes,
                        size_t size);
void stn_elf_close(stn_elf *file);

/* The section of that number. */
stn_status stn_elf_section(const stn_elf *file, size_t number, stn_section *section);

/* How many sections, with the one of no meaning at 0. */
size_t stn_elf_sections(const stn_elf *file);

/* The first section of a type, or of a name: `*number` is 0 when there is none. */
stn_status stn_elf_find_type(const stn_elf *file, uint32_t type, size_t *number);
stn_status stn_elf_find_name(const stn_elf *file, const char *name, size_t *number);

/* The number of the section that symbol `number` of a table lies in; 0 of one that lies in none. */
size_t stn_elf_section_of(const stn_elf *file, const stn_section *symbols, size_t number,
                          const Elf64_Sym *symbol);

/* A table of symbols and the names in it. */
typedef struct stn_elf_table {
    stn_section symbols, strings, versions; /* versions: of dynamic ones, where there are any */
    size_t count;
} stn_elf_table;

stn_status stn_elf_table_of(const stn_elf *file, size_t section, stn_elf_table *table);

/* Adds symbol `number` of the table to the image, like the symbol `like`, when it is a function
 * with bytes in a section of code. */
stn_status stn_elf_add(const stn_elf *file, const stn_elf_table *table, size_t number,
                       const stn_symbol *like, stn_image *image);

/* Sorts functions from number `first` on. Those of cubins end where the next one begins, which lies
 * inside their size; others only where the file tells no size. */
void stn_image_sort(stn_image *image, int32_t first);

#endif
