/* NVIDIA cubins: kernels, registers and stack frames. */
#define _POSIX_C_SOURCE 200809L
#include "contract/image/elf.h"

#include <stdio.h>
#include <string.h>

#include "contract/image/unpack.h"
#include "core/memory.h"

/* ---- attributes of symbols in .nv.info ---- */

typedef struct resources {
    int32_t *registers, *frame; /* by symbol index, -1: unknown */
    size_t count;
} resources;

static stn_status create_resources(resources *list, size_t count)
{
    *list = (resources){.count = count};
    STN_TRY(stn_allocate(&list->registers, (int64_t)count, 2 * sizeof *list->registers, "symbols"));
    for (size_t s = 0; s < 2 * count; s++)
        list->registers[s] = -1;
    list->frame = list->registers + count;
    return STN_OK;
}

/* Attributes: format, number, and either 16 bits or a byte count followed by the bytes. */
static void read_resources(const stn_section *info, resources *list)
{
    enum { FORMAT_SIZED = 4, FRAME_SIZE = 0x11, REGISTER_COUNT = 0x2f };
    size_t at = 0;
    while (info->size - at >= 4) {
        const unsigned char *attribute = info->bytes + at;
        const size_t sized = attribute[2] | (size_t)attribute[3] << 8;
        const size_t payload = attribute[0] == FORMAT_SIZED ? sized : 0;
        if (payload > info->size - at - 4)
            return;
        at += 4 + payload;
        if (payload < 8 || stn_read_32(attribute + 4) >= list->count)
            continue;
        const uint32_t symbol = stn_read_32(attribute + 4), value = stn_read_32(attribute + 8);
        if (attribute[1] == REGISTER_COUNT && value <= INT32_MAX)
            list->registers[symbol] = (int32_t)value;
        if (attribute[1] == FRAME_SIZE && value <= INT32_MAX)
            list->frame[symbol] = (int32_t)value;
    }
}

/* ---- cubins ---- */

/* Bits 8 to 15 of the flags since version 8 of the ABI, bits 0 to 7 before. */
static int sm_of(const stn_elf *file)
{
    enum { ABI_SINCE = 8 };
    const int shift = file->header.e_ident[EI_ABIVERSION] >= ABI_SINCE ? 8 : 0;
    return (int)(file->header.e_flags >> shift & 0xff);
}

/* The note of ptxas: "Cuda compilation tools, release 13.0, V13.0.88". */
static stn_status read_tool(const stn_elf *file, stn_image *image)
{
    static const char beginning[] = "Cuda compilation tools";
    size_t number;
    stn_section note;
    if (*image->compiler)
        return STN_OK;
    STN_TRY(stn_elf_find_name(file, ".note.nv.tkinfo", &number));
    if (number == 0)
        return STN_OK;
    STN_TRY(stn_elf_section(file, number, &note));
    for (size_t at = 0; at + sizeof beginning <= note.size; at++)
        if (memcmp(note.bytes + at, beginning, sizeof beginning - 1) == 0) {
            const char *text = (const char *)note.bytes + at;
            return stn_image_set_compiler(image, text, strnlen(text, note.size - at));
        }
    return STN_OK;
}

static stn_status add_kernels(const stn_elf *file, stn_image *image, const stn_elf_table *table,
                              const resources *list, stn_symbol *like)
{
    for (size_t s = 0; s < list->count; s++) {
        like->registers = list->registers[s];
        like->stack_bytes = list->frame[s];
        STN_TRY(stn_elf_add(file, table, s, like, image));
    }
    return STN_OK;
}

static stn_status read_kernels(const stn_elf *file, stn_image *image, stn_symbol *like)
{
    size_t number;
    stn_elf_table table;
    stn_section info = {.size = 0};
    resources list;
    STN_TRY(stn_elf_find_type(file, SHT_SYMTAB, &number));
    if (number == 0) {
        image->is_stripped = 1;
        return STN_OK;
    }
    STN_TRY(stn_elf_table_of(file, number, &table));
    if (table.count == 0)
        return STN_OK;
    STN_TRY(stn_elf_find_name(file, ".nv.info", &number));
    if (number > 0)
        STN_TRY(stn_elf_section(file, number, &info));
    STN_TRY(create_resources(&list, table.count));
    read_resources(&info, &list);
    const stn_status status = add_kernels(file, image, &table, &list, like);
    stn_free(list.registers);
    return status;
}

stn_status stn_cubin_read(stn_image *image, const unsigned char *bytes, size_t size, int32_t cubin)
{
    enum { FIRST_SM = 75, LAST_SM = 121 };
    stn_elf file;
    stn_symbol like = {
        .machine = STN_MACHINE_NVIDIA, .cubin = cubin, .member = image->member_count - 1};
    const int32_t first = image->count;
    STN_TRY(stn_elf_open(&file, image, bytes, size));
    const int sm = sm_of(&file);
    stn_status status;
    if (file.header.e_machine != STN_MACHINE_CUDA || sm < FIRST_SM || sm > LAST_SM) {
        status =
            stn_fail(STN_ERR_UNSUPPORTED, "%s: a cubin for sm_%d; sm_%d to sm_%d are supported",
                     image->name, sm, FIRST_SM, LAST_SM);
    } else {
        snprintf(like.target, sizeof like.target, "sm_%d", sm);
        status = read_tool(&file, image);
        if (status == STN_OK)
            status = read_kernels(&file, image, &like);
        stn_image_sort(image, first);
    }
    stn_elf_close(&file);
    return status;
}
