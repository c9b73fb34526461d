/* Functions of an image, decoded on demand. */
#define _GNU_SOURCE
#include <ar.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/isa/code.h"
#include "core/grow.h"
#include "core/memory.h"

/* ---- decoding ---- */

static stn_status write_all(int file, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return stn_fail(STN_ERR_IO, "a temporary file cannot be written: %s", strerror(errno));
        bytes += written;
        size -= (size_t)written;
    }
    return STN_OK;
}

/* Writes a member of an archive under its number, by which the disassembly identifies it. */
static stn_status write_member(int file, const stn_member *member, int32_t number)
{
    char name[16], header[sizeof(struct ar_hdr) + 1];
    snprintf(name, sizeof name, "m%" PRId32 "/", number);
    snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8o%-10zu" ARFMAG, name, 0, 0, 0, 0644u,
             member->size);
    STN_TRY(write_all(file, (const unsigned char *)header, sizeof header - 1));
    STN_TRY(write_all(file, member->bytes, member->size));
    return member->size % 2 ? write_all(file, (const unsigned char *)"\n", 1) : STN_OK;
}

/* Writes the whole file, or the members with wanted functions from first to last. */
static stn_status write_part(int file, const stn_image *image, int32_t first, int32_t last)
{
    int32_t written = -1;
    if (image->symbols[first].member < 0)
        return write_all(file, image->bytes, image->size);
    STN_TRY(write_all(file, (const unsigned char *)ARMAG, SARMAG));
    for (int32_t f = first; f <= last; f++) {
        const int32_t member = image->symbols[f].member;
        if (member != written && stn_image_wants(image, f))
            STN_TRY(write_member(file, image->members + (written = member), member));
    }
    return STN_OK;
}

static stn_status write_temporary(stn_image *image, int32_t first, int32_t last)
{
    const int file = mkstemp(image->path);
    if (file < 0)
        return stn_fail(STN_ERR_IO, "temporary file %s cannot be created: %s", image->path,
                        strerror(errno));
    stn_status status = write_part(file, image, first, last);
    if (close(file) != 0 && status == STN_OK)
        status = stn_fail(STN_ERR_IO, "a temporary file cannot be written: %s", strerror(errno));
    if (status != STN_OK)
        unlink(image->path);
    return status;
}

static void drop_path(stn_image *image)
{
    if (image->path_is_temporary)
        unlink(image->path);
    image->path_is_temporary = 0;
    stn_free(image->path);
    image->path = NULL;
}

/* objdump reads files: a temporary one for images from memory and one for archive members, which is
 * kept while the same member is requested. */
static stn_status need_path(stn_image *image, int32_t first, int32_t last)
{
    const char *folder = getenv("TMPDIR");
    const int32_t member = image->symbols[first].member;
    const int is_one = image->symbols[last].member == member;
    if (image->path && is_one && image->path_of == member)
        return STN_OK;
    if (!folder || !*folder)
        folder = "/tmp";
    drop_path(image);
    const size_t capacity = strlen(folder) + sizeof "/steno-XXXXXX";
    STN_TRY(stn_allocate(&image->path, (int64_t)capacity, 1, "a path"));
    snprintf(image->path, capacity, "%s/steno-XXXXXX", folder);
    const stn_status status = write_temporary(image, first, last);
    image->path_is_temporary = status == STN_OK;
    image->path_of = is_one ? member : STN_SEVERAL_MEMBERS;
    if (status != STN_OK)
        drop_path(image);
    return status;
}

/* Decodes the wanted functions from first to last in one run of objdump. */
static stn_status decode_run(stn_image *image, int32_t first, int32_t last)
{
    STN_TRY(need_path(image, first, last));
    stn_status status = stn_objdump_decode(image, first, last);
    for (int32_t f = first; f <= last && status == STN_OK; f++)
        if (stn_image_wants(image, f))
            status = stn_code_find_loops(image->codes + f);
    for (int32_t f = first; f <= last; f++)
        if (stn_image_wants(image, f) && status != STN_OK)
            stn_code_release(image->codes + f);
        else if (stn_image_wants(image, f))
            image->decoded[f] = 1;
    return status;
}

/* End of a run that begins at `first`. Starting objdump takes as long as decoding 64 KiB, so that
 * functions further apart are decoded separately. In objects, each function may be in its own
 * section; in archives, in its own member. `maximum` is the maximum number of bytes of functions.
 */
static int32_t end_of_run(const stn_image *image, int32_t first, uint64_t maximum)
{
    enum { GAP = 1 << 16, SECTIONS = 256, FILES = 1 << 24 };
    const stn_symbol *before = image->symbols + first;
    uint64_t bytes = before->bytes, files = 0;
    int32_t last = first, sections = 1;
    for (int32_t f = first + 1; f < image->count && bytes < maximum; f++) {
        const stn_symbol *symbol = image->symbols + f;
        if (!stn_image_wants(image, f))
            continue;
        if (symbol->member != before->member) {
            files += image->members[symbol->member].size;
            if (++sections > SECTIONS || files > FILES)
                break;
        } else if (symbol->section != before->section) {
            if (!image->is_object || ++sections > SECTIONS)
                break;
        } else if (symbol->address > before->address + before->bytes + GAP) {
            break;
        }
        bytes += symbol->bytes;
        before = symbol;
        last = f;
    }
    return last;
}

/* Running objdump for each of thousands of functions takes minutes, and the code of a large program
 * takes gigabytes. If the requested functions are not known in advance, the first ones are decoded
 * separately, then runs of increasing length. */
static stn_status decode_host(stn_image *image, int32_t function)
{
    enum { ALONE = 4 };
    const uint64_t least = 1 << 16, maximum = 1 << 19;
    uint64_t bytes = image->chosen ? maximum : image->together;
    if (!image->chosen && image->requests++ < ALONE)
        bytes = 0;
    else if (bytes < least)
        bytes = least;
    if (image->chosen)
        image->chosen[function] = 1;
    const int32_t last = end_of_run(image, function, bytes < maximum ? bytes : maximum);
    for (int32_t f = function; f <= last; f++)
        image->together += stn_image_wants(image, f) ? image->symbols[f].bytes : 0;
    return decode_run(image, function, last);
}

stn_status stn_image_choose(stn_image *image, const int32_t *functions, int64_t count)
{
    if (!image->chosen)
        STN_TRY(stn_allocate(&image->chosen, image->count, 1, "functions"));
    if (image->count > 0)
        memset(image->chosen, 0, (size_t)image->count);
    for (int64_t k = 0; k < count; k++)
        image->chosen[functions[k]] = 1;
    return STN_OK;
}

void stn_image_forget(stn_image *image, int32_t function)
{
    if (image->chosen)
        image->chosen[function] = 0;
    stn_code_release(image->codes + function);
    image->decoded[function] = 0;
}

static stn_status decode_kernel(stn_image *image, int32_t function)
{
    stn_status status = stn_sass_decode(image, function);
    if (status == STN_OK)
        status = stn_code_find_loops(image->codes + function);
    if (status == STN_OK)
        status = stn_code_find_live(image->codes + function);
    if (status == STN_OK)
        image->decoded[function] = 1;
    else
        stn_code_release(image->codes + function);
    return status;
}

static stn_status decode(stn_image *image, int32_t function)
{
    if (function < 0 || function >= image->count)
        return stn_fail(STN_ERR_RANGE,
                        "%s: function %" PRId32
                        " does not exist; the number of functions is %" PRId32,
                        image->name, function, image->count);
    if (image->decoded[function])
        return STN_OK;
    return image->symbols[function].machine == STN_MACHINE_NVIDIA ? decode_kernel(image, function)
                                                                  : decode_host(image, function);
}

/* ---- queries ---- */

stn_status stn_image_describe(const stn_image *image, stn_image_info *info)
{
    STN_TRY(STN_STRUCT_CHECK(info, stn_image_info, name, "stn_image_describe: info"));
    if (!image)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_describe: image is NULL");
    const stn_image_info found =
        STN_INIT(stn_image_info, .name = image->name, .machine = image->machine,
                 .compiler = image->compiler, .functions = image->count);
    STN_STRUCT_WRITE(info, &found, stn_image_info);
    return STN_OK;
}

stn_status stn_image_function(stn_image *image, int32_t function, stn_function_info *info)
{
    STN_TRY(STN_STRUCT_CHECK(info, stn_function_info, symbol, "stn_image_function: info"));
    if (!image)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_function: image is NULL");
    STN_TRY(decode(image, function));
    const stn_symbol *symbol = image->symbols + function;
    const stn_function_info found = STN_INIT(
        stn_function_info, .symbol = symbol->symbol, .name = symbol->name, .target = symbol->target,
        .address = symbol->address, .bytes = symbol->bytes,
        .loops = image->codes[function].loop_count, .main_loop = image->codes[function].main_loop,
        .irreducible = image->codes[function].irreducible, .registers = symbol->registers,
        .stack_bytes = symbol->stack_bytes);
    STN_STRUCT_WRITE(info, &found, stn_function_info);
    return STN_OK;
}

stn_status stn_image_count(stn_image *image, int32_t function, int32_t loop,
                           stn_code_counts *counts)
{
    stn_code_counts found = STN_CODE_COUNTS_INIT;
    STN_TRY(STN_STRUCT_CHECK(counts, stn_code_counts, unknown, "stn_image_count: counts"));
    if (!image)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_count: image is NULL");
    STN_TRY(decode(image, function));
    const stn_code *code = image->codes + function;
    const int is_main = loop == STN_LOOP_MAIN;
    if (is_main && (loop = code->main_loop) < 0)
        return stn_fail(STN_ERR_RANGE, "%s: %.200s has no loops", image->name,
                        image->symbols[function].name);
    if (loop != STN_LOOP_NONE && (loop < 0 || loop >= code->loop_count))
        return stn_fail(STN_ERR_RANGE,
                        "%s: %.200s has no loop %" PRId32 "; it has %" PRId32 ", numbered from 0",
                        image->name, image->symbols[function].name, loop, code->loop_count);
    STN_TRY(stn_code_count(code, loop, &found));
    found.irreducible |= is_main && code->main_cycle >= 0;
    STN_STRUCT_WRITE(counts, &found, stn_code_counts);
    return STN_OK;
}
