/* Contents of an ELF file: machine, compiler, functions, and embedded cubins. */
#define _POSIX_C_SOURCE 200809L
#include "contract/image/elf.h"

#include <stdio.h>
#include <string.h>

static stn_status read_functions(const stn_elf *file, stn_image *image, const stn_symbol *like)
{
    size_t number, versions = 0;
    stn_elf_table table;
    STN_TRY(stn_elf_find_type(file, SHT_SYMTAB, &number));
    if (number == 0) {
        image->is_stripped = 1;
        STN_TRY(stn_elf_find_type(file, SHT_DYNSYM, &number));
        STN_TRY(stn_elf_find_type(file, SHT_GNU_versym, &versions));
    }
    if (number == 0)
        return STN_OK;
    STN_TRY(stn_elf_table_of(file, number, &table));
    if (versions > 0)
        STN_TRY(stn_elf_section(file, versions, &table.versions));
    for (size_t s = 0; s < table.count; s++)
        STN_TRY(stn_elf_add(file, &table, s, like, image));
    return STN_OK;
}

/* The compiler notes of all linked objects: the first that is not from GCC, because startup code
 * comes from GCC; else the first. */
static stn_status read_compiler(const stn_elf *file, stn_image *image)
{
    static const char several[] = "several compilers";
    size_t number, length = 0, capacity;
    stn_section section;
    const char *chosen = NULL;
    STN_TRY(stn_elf_find_name(file, ".comment", &number));
    if (number == 0)
        return STN_OK;
    STN_TRY(stn_elf_section(file, number, &section));
    for (size_t start = 0; start < section.size; start += capacity + 1) {
        const char *note = (const char *)section.bytes + start;
        capacity = strnlen(note, section.size - start);
        if (capacity > 0 && (!chosen || strncmp(note, "GCC:", 4) != 0)) {
            chosen = note;
            length = capacity;
        }
    }
    if (chosen && *image->compiler && strncmp(image->compiler, chosen, length) != 0)
        return stn_image_set_compiler(image, several, sizeof several - 1); /* of an archive */
    return chosen ? stn_image_set_compiler(image, chosen, length) : STN_OK;
}

static stn_status read_sections(const stn_elf *file, stn_image *image)
{
    stn_section section;
    for (size_t s = 1; s < stn_elf_sections(file); s++) {
        STN_TRY(stn_elf_section(file, s, &section));
        image->is_lto |= strncmp(section.name, ".gnu.lto_", 9) == 0;
        if (section.size > 0 && (strcmp(section.name, ".nv_fatbin") == 0 ||
                                 strcmp(section.name, "__nv_relfatbin") == 0))
            STN_TRY(stn_fatbin_read(image, section.bytes, section.size));
    }
    return STN_OK;
}

static stn_status read_host(const stn_elf *file, stn_image *image)
{
    stn_symbol like = {
        .cubin = -1, .member = image->member_count - 1, .registers = -1, .stack_bytes = -1};
    const int32_t first = image->count;
    like.machine = file->header.e_machine == EM_X86_64 ? STN_MACHINE_X86_64 : STN_MACHINE_AARCH64;
    if (first == 0)
        image->machine = like.machine;
    snprintf(like.target, sizeof like.target, "%s",
             like.machine == STN_MACHINE_X86_64 ? "x86-64" : "aarch64");
    image->is_object = file->is_object;
    STN_TRY(read_compiler(file, image));
    STN_TRY(read_functions(file, image, &like));
    stn_image_sort(image, first);
    return read_sections(file, image);
}

stn_status stn_elf_read(stn_image *image, const unsigned char *bytes, size_t size)
{
    stn_elf file;
    STN_TRY(stn_elf_open(&file, image, bytes, size));
    stn_status status;
    switch (file.header.e_type == ET_CORE ? EM_NONE : file.header.e_machine) {
    case EM_X86_64:
    case EM_AARCH64:
        status = read_host(&file, image);
        break;
    case STN_MACHINE_CUDA:
        image->machine = STN_MACHINE_NVIDIA;
        status = stn_cubin_read(image, bytes, size, image->member_count > 0 ? image->cubins++ : -1);
        break;
    case EM_NONE:
        status = stn_fail(STN_ERR_UNSUPPORTED, "%s: %s", image->name,
                          file.header.e_type == ET_CORE ? "a core file; pass the program instead"
                                                        : "an ELF file without a machine type");
        break;
    default:
        status = stn_fail(STN_ERR_UNSUPPORTED,
                          "%s: for ELF machine %d; x86-64, AArch64 and NVIDIA are supported",
                          image->name, file.header.e_machine);
    }
    stn_elf_close(&file);
    return status;
}
