/* Images: the bytes of a file, its functions, and their code, which is decoded on demand. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/image/elf.h"
#include "core/memory.h"

/* ---- functions ---- */

/* Grows by doubling: the count is a power of two whenever the array is full. */
stn_status stn_image_grow(void *array, int32_t count, size_t bytes, const char *what)
{
    void *old, *more;
    memcpy(&old, array, sizeof old);
    if ((count & (count - 1)) != 0)
        return STN_OK;
    if (count > INT32_MAX / 2)
        return stn_fail(STN_ERR_RANGE, "too many %s", what);
    STN_TRY(stn_allocate(&more, count ? 2 * (int64_t)count : 1, bytes, what));
    if (count > 0)
        memcpy(more, old, (size_t)count * bytes);
    stn_free(old);
    memcpy(array, &more, sizeof more);
    return STN_OK;
}

stn_status stn_image_add_symbol(stn_image *image, const stn_symbol *symbol)
{
    STN_TRY(stn_image_grow(&image->symbols, image->count, sizeof *symbol, "functions"));
    image->symbols[image->count] = *symbol;
    image->symbols[image->count++].name = symbol->symbol;
    return STN_OK;
}

stn_status stn_image_add_indirect(stn_image *image, const char *name)
{
    STN_TRY(stn_image_grow(&image->indirect, image->indirect_count, sizeof name, "functions"));
    image->indirect[image->indirect_count++] = name;
    return STN_OK;
}

static int compare_symbols(const void *left, const void *right)
{
    const stn_symbol *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return strcmp(a->symbol, b->symbol);
}

void stn_image_sort(stn_image *image, int32_t first)
{
    if (image->count - first < 1)
        return;
    qsort(image->symbols + first, (size_t)(image->count - first), sizeof *image->symbols,
          compare_symbols);
    uint64_t next = 0;
    for (int32_t f = image->count - 1; f >= first; f--) {
        stn_symbol *symbol = image->symbols + f;
        const stn_symbol *after = f + 1 < image->count ? symbol + 1 : NULL;
        if (!after || after->section != symbol->section)
            next = symbol->address + symbol->capacity;
        else if (after->address != symbol->address)
            next = after->address;
        if (symbol->bytes == 0 ||
            (symbol->machine == STN_MACHINE_NVIDIA && symbol->bytes > next - symbol->address))
            symbol->bytes = next - symbol->address;
    }
}

/* ---- opening ---- */

static stn_status copy_text(char **copy, const char *text, size_t length)
{
    STN_TRY(stn_allocate(copy, (int64_t)length + 1, 1, "a text"));
    memcpy(*copy, text, length);
    (*copy)[length] = '\0';
    return STN_OK;
}

stn_status stn_image_set_compiler(stn_image *image, const char *text, size_t length)
{
    stn_free(image->compiler);
    image->compiler = NULL;
    return copy_text(&image->compiler, text, length);
}

static stn_status read_all(stn_image *image, FILE *file)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode))
        return stn_fail(STN_ERR_IO, "%s: not a regular file", image->name);
    image->size = (size_t)about.st_size;
    STN_TRY(stn_allocate(&image->bytes, about.st_size, 1, image->name));
    if (image->size > 0 && fread(image->bytes, 1, image->size, file) != image->size)
        return stn_fail(STN_ERR_IO, "%s: cannot be read: %s", image->name, strerror(errno));
    return STN_OK;
}

static stn_status read_file(stn_image *image)
{
    FILE *file = fopen(image->path, "rb");
    if (!file && errno == ENOENT) {
        STN_TRY(stn_ar_split(image));
        file = fopen(image->path, "rb");
    }
    if (!file)
        return stn_fail(STN_ERR_IO, "%s: %s", image->name, strerror(errno));
    const stn_status status = read_all(image, file);
    fclose(file);
    return status;
}

/* Detects the file type and reads the contents. */
static stn_status understand(stn_image *image)
{
    STN_TRY(stn_image_set_compiler(image, "", 0));
    if (image->size == 0)
        return stn_fail(STN_ERR_PARSE, "%s: the file is empty", image->name);
    if (stn_fatbin_is_one(image->bytes, image->size)) {
        image->machine = STN_MACHINE_NVIDIA;
        STN_TRY(stn_fatbin_read(image, image->bytes, image->size));
    } else if (stn_ar_is_one(image->bytes, image->size)) {
        STN_TRY(stn_ar_read(image));
    } else {
        STN_TRY(stn_elf_read(image, image->bytes, image->size));
    }
    if (image->count == 0 && image->left_out > 0)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: all %d cubins inside are ignored, the last one because it is %s",
                        image->name, image->left_out, image->why_left_out);
    STN_TRY(stn_image_demangle(image));
    STN_TRY(stn_allocate(&image->codes, image->count, sizeof *image->codes, "functions"));
    STN_TRY(stn_allocate(&image->decoded, image->count, 1, "functions"));
    if (image->count > 0) {
        memset(image->codes, 0, (size_t)image->count * sizeof *image->codes);
        memset(image->decoded, 0, (size_t)image->count);
    }
    return STN_OK;
}

static stn_status create_image(stn_image **image, const char *name)
{
    stn_image *result;
    *image = NULL;
    STN_TRY(stn_allocate(&result, 1, sizeof *result, "an image"));
    memset(result, 0, sizeof *result);
    result->path_of = -1;
    const stn_status status = copy_text(&result->name, name, strlen(name));
    if (status == STN_OK)
        *image = result;
    else
        stn_free(result);
    return status;
}

/* Returns the image, or releases it after an error. */
static stn_status finish(stn_image *result, stn_status status, stn_image **image)
{
    if (status == STN_OK)
        *image = result;
    else
        stn_image_close(result);
    return status;
}

static stn_status open_named(const char *path, const char *name, stn_image **image)
{
    stn_image *result;
    STN_TRY(create_image(&result, name));
    stn_status status = copy_text(&result->path, path, strlen(path));
    if (status == STN_OK)
        status = read_file(result);
    if (status == STN_OK)
        status = understand(result);
    return finish(result, status, image);
}

stn_status stn_image_open(stn_image **image, const char *path)
{
    if (image)
        *image = NULL;
    if (!path || !image)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_open: %s is NULL", image ? "path" : "image");
    return open_named(path, path, image);
}

stn_status stn_image_open_memory(stn_image **image, const void *bytes, size_t size,
                                 const char *name)
{
    stn_image *result;
    if (image)
        *image = NULL;
    if ((!bytes && size > 0) || !name || !image)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_open_memory: %s is NULL",
                        !image  ? "image"
                        : !name ? "name"
                                : "bytes");
    if (size > (size_t)INT64_MAX)
        return stn_fail(STN_ERR_RANGE, "%s: %zu bytes exceed the maximum file size", name, size);
    STN_TRY(create_image(&result, name));
    stn_status status = stn_allocate(&result->bytes, (int64_t)size, 1, name);
    if (status == STN_OK) {
        result->size = size;
        if (size > 0)
            memcpy(result->bytes, bytes, size);
        status = understand(result);
    }
    return finish(result, status, image);
}

/* Opened by its name in the file system, because /proc/self is another program in a child
 * process. */
stn_status stn_image_open_self(stn_image **image)
{
    char path[4096];
    if (image)
        *image = NULL;
    if (!image)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_open_self: image is NULL");
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0 || (size_t)length >= sizeof path - 1)
        return stn_fail(STN_ERR_IO, "the program's own file cannot be found: %s", strerror(errno));
    path[length] = '\0';
    return open_named(path, path, image);
}

void stn_image_close(stn_image *image)
{
    if (!image)
        return;
    for (int32_t f = 0; image->codes && image->decoded && f < image->count; f++)
        stn_code_release(image->codes + f);
    if (image->path_is_temporary)
        unlink(image->path);
    for (stn_unpacked *last; (last = image->unpacked) != NULL; stn_free(last))
        image->unpacked = last->before;
    stn_free(image->codes);
    stn_free(image->decoded);
    stn_free(image->chosen);
    stn_free(image->indirect);
    stn_ar_release(image);
    stn_free(image->symbols);
    stn_free(image->names);
    stn_free(image->compiler);
    stn_free(image->bytes);
    stn_free(image->path);
    stn_free(image->name);
    stn_free(image);
}
