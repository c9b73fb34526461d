/* An ELF file in memory, opened by libelf; sizes and offsets are checked. */
#ifndef STENO_CONTRACT_ELF_H
#define STENO_CONTRACT_ELF_H

#include <gelf.h>

#include "contract/isa/code.h"

enum { STN_MACHINE_CUDA = 190 }; /* value of e_machine */

/* A section as bytes of the file. */
typedef struct stn_section {
    Elf_Scn *handle;
    GElf_Shdr header;
    const char *name;
    const unsigned char *bytes;
    size_t size; /* 0 if it has no bytes in the file */
} stn_section;

typedef struct stn_elf {
    Elf *elf;
    GElf_Ehdr header;
    const stn_image *image;
    const unsigned char *bytes;
    size_t size;
    size_t section_names;
    int is_object;            /* not linked: addresses are relative to their sections */
    stn_section far_sections; /* section numbers of symbols in 32 bits, if there are more sections
                                 than 16 bits can hold */
} stn_elf;

/* STN_ERR_PARSE unless it is a 64-bit little-endian ELF file. Close it only after success. */
stn_status stn_elf_open(stn_elf *file, const stn_image *image, const unsigned char *bytes,
                        size_t size);
void stn_elf_close(stn_elf *file);

/* The section of that number. */
stn_status stn_elf_section(const stn_elf *file, size_t number, stn_section *section);

/* Number of sections, including the null section 0. */
size_t stn_elf_sections(const stn_elf *file);

/* The first section of a type, or of a name; `*number` is 0 if there is none. */
stn_status stn_elf_find_type(const stn_elf *file, uint32_t type, size_t *number);
stn_status stn_elf_find_name(const stn_elf *file, const char *name, size_t *number);

/* Section number of symbol `number` of a table; 0 if it has none. */
size_t stn_elf_section_of(const stn_elf *file, const stn_section *symbols, size_t number,
                          const Elf64_Sym *symbol);

/* A symbol table and its strings. */
typedef struct stn_elf_table {
    stn_section symbols, strings, versions; /* versions: of dynamic symbols, if present */
    size_t count;
} stn_elf_table;

stn_status stn_elf_table_of(const stn_elf *file, size_t section, stn_elf_table *table);

/* Adds symbol `number` of the table to the image, based on the symbol `like`, if it is a function
 * with bytes in a code section. */
stn_status stn_elf_add(const stn_elf *file, const stn_elf_table *table, size_t number,
                       const stn_symbol *like, stn_image *image);

/* Sorts functions from index `first` on. Functions of cubins end at the next function inside their
 * size; others only if the file contains no size. */
void stn_image_sort(stn_image *image, int32_t first);

#endif
