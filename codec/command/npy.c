/* See npy.h. */
#define _POSIX_C_SOURCE 200809L
#include "codec/command/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* PREFIX: bytes of magic and version; ALIGNMENT: of the data. */
enum { PREFIX = 8, ALIGNMENT = 64, MAX_HEADER = 1 << 16 };
static const char magic[] = "\x93NUMPY";

static const struct {
    const char *name;
    stn_format format;
} types[] = {{"<f8", STN_F64}, {"<f4", STN_F32}, {"<f2", STN_F16}, {"<c16", STN_C128},
             {"<c8", STN_C64}, {"|i1", STN_I8},  {"<i2", STN_I16}, {"<i4", STN_I32},
             {"<i8", STN_I64}, {"|u1", STN_U8},  {"<u2", STN_U16}, {"<u4", STN_U32},
             {"<u8", STN_U64}};
enum { TYPES = sizeof types / sizeof *types };

/* ---- reading ---- */

/* The dictionary of a header, which is Python text. */
typedef struct header_text {
    const char *name; /* of the file */
    const char *at, *end;
} header_text;

static stn_status fail(const header_text *text, const char *what)
{
    return stn_fail(STN_ERR_PARSE, "%s: the NPY header is malformed: %s", text->name, what);
}

static void skip_blanks(header_text *text)
{
    while (text->at < text->end && strchr(" \t\n\r", *text->at) && *text->at)
        text->at++;
}

/* Returns whether the word is next, after blanks, and skips it. */
static int accept(header_text *text, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(text);
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, word, length) != 0)
        return 0;
    text->at += length;
    return 1;
}

/* A string in single or double quotes, without escapes. */
static stn_status read_string(header_text *text, char *string, size_t capacity)
{
    const char *const quote = accept(text, "'") ? "'" : accept(text, "\"") ? "\"" : NULL;
    if (!quote)
        return fail(text, "a string is missing");
    const char *const end = memchr(text->at, *quote, (size_t)(text->end - text->at));
    const size_t length = end ? (size_t)(end - text->at) : 0;
    if (!end || length >= capacity)
        return fail(text, "a string is too long or not closed");
    memcpy(string, text->at, length);
    string[length] = '\0';
    text->at = end + 1;
    return strlen(string) == length ? STN_OK : fail(text, "a string contains a zero byte");
}

static stn_status read_type(header_text *text, npy_file *file)
{
    char type[32];
    skip_blanks(text);
    if (text->at < text->end && *text->at == '[')
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: arrays of records are not supported", text->name);
    STN_TRY(read_string(text, type, sizeof type));
    for (int k = 0; k < TYPES; k++)
        if (strcmp(type, types[k].name) == 0 ||
            (types[k].name[0] == '|' && strchr("<>", type[0]) && type[0] &&
             strcmp(type + 1, types[k].name + 1) == 0)) {
            file->format = types[k].format;
            return STN_OK;
        }
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s: type '%s' is not supported; it must be f2, f4, f8, c8, c16 or an integer "
                    "of 1 to 8 bytes, in little-endian order",
                    text->name, type);
}

static stn_status read_order(header_text *text, npy_file *file)
{
    file->is_fortran = accept(text, "True");
    return file->is_fortran || accept(text, "False")
               ? STN_OK
               : fail(text, "fortran_order is neither True nor False");
}

static stn_status read_extent(header_text *text, int64_t *extent)
{
    const char *const begin = text->at;
    for (*extent = 0; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++)
        if (__builtin_mul_overflow(*extent, 10, extent) ||
            __builtin_add_overflow(*extent, *text->at - '0', extent))
            return fail(text, "an extent exceeds 64 bits");
    (void)(text->at != begin && accept(text, "L")); /* Python 2 */
    return text->at == begin ? fail(text, "an extent is missing or negative") : STN_OK;
}

static stn_status read_shape(header_text *text, npy_file *file)
{
    if (!accept(text, "("))
        return fail(text, "shape is not a tuple");
    for (file->rank = 0; !accept(text, ")");) {
        int64_t extent;
        STN_TRY(read_extent(text, &extent));
        if (file->rank == STN_MAX_RANK)
            return stn_fail(STN_ERR_UNSUPPORTED, "%s: the array has more than %d dimensions",
                            text->name, STN_MAX_RANK);
        file->extent[file->rank++] = extent;
        if (accept(text, ","))
            skip_blanks(text);
        else if (file->rank == 1 || !accept(text, ")"))
            return fail(text, "a comma is missing in the shape");
        else
            break;
    }
    return STN_OK;
}

/* Each of the three keys once, in any order. */
static stn_status read_dictionary(header_text *text, npy_file *file)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static stn_status (*const readers[])(header_text *, npy_file *) = {read_type, read_order,
                                                                       read_shape};
    char key[32];
    unsigned seen = 0;
    if (!accept(text, "{"))
        return fail(text, "it is not a dictionary");
    while (!accept(text, "}")) {
        int k = 0;
        STN_TRY(read_string(text, key, sizeof key));
        while (k < 3 && strcmp(key, keys[k]) != 0)
            k++;
        if (k == 3 || seen & 1u << k || !accept(text, ":"))
            return fail(text, "a key is unknown or occurs twice, or a colon is missing");
        seen |= 1u << k;
        STN_TRY(readers[k](text, file));
        if (!accept(text, ",") && !(accept(text, "}") && text->at--))
            return fail(text, "a comma is missing");
    }
    skip_blanks(text);
    if (seen != 7 || text->at != text->end)
        return fail(text, seen != 7 ? "a key is missing" : "text follows the dictionary");
    return STN_OK;
}

static stn_status check_data(const char *name, const npy_file *file)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(stn_format_describe(file->format, &info));
    int64_t bytes = info.bytes, is_empty = 0;
    for (int d = 0; d < file->rank; d++) {
        is_empty |= file->extent[d] == 0;
        if (__builtin_mul_overflow(bytes, file->extent[d] > 0 ? file->extent[d] : 1, &bytes))
            return stn_fail(STN_ERR_PARSE, "%s: the array exceeds the address space", name);
    }
    bytes = is_empty ? 0 : bytes;
    if (bytes != file->data_bytes)
        return stn_fail(STN_ERR_PARSE, "%s: the file has %lld bytes of elements instead of %lld",
                        name, (long long)file->data_bytes, (long long)bytes);
    if ((uintptr_t)file->data % (uintptr_t)info.alignment != 0)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: its elements are not aligned to %lld bytes", name,
                        (long long)info.alignment);
    return STN_OK;
}

stn_status npy_parse(const char *name, const void *bytes, int64_t count, npy_file *file)
{
    const unsigned char *const at = bytes;
    *file = (npy_file){0};
    if (count < PREFIX + 4 || memcmp(at, magic, sizeof magic - 1) != 0)
        return stn_fail(STN_ERR_PARSE, "%s: the file is not an NPY file", name);
    const int version = at[6];
    if (version < 1 || version > 3 || at[7] != 0)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: NPY version %d.%d is not supported", name,
                        version, at[7]);
    const int64_t begin = PREFIX + (version == 1 ? 2 : 4);
    int64_t length = at[8] | (int64_t)at[9] << 8;
    if (version > 1)
        length |= (int64_t)at[10] << 16 | (int64_t)at[11] << 24;
    if (length > count - begin || length > MAX_HEADER)
        return stn_fail(STN_ERR_PARSE, "%s: the NPY header exceeds the file or %d bytes", name,
                        MAX_HEADER);
    header_text text = {name, (const char *)at + begin, (const char *)at + begin + length};
    STN_TRY(read_dictionary(&text, file));
    file->data = at + begin + length;
    file->data_bytes = count - begin - length;
    return check_data(name, file);
}

stn_status npy_open(const char *path, npy_file *file)
{
    struct stat about;
    void *bytes = MAP_FAILED;
    const int opened = open(path, O_RDONLY | O_CLOEXEC);
    *file = (npy_file){0};
    if (opened < 0)
        return stn_fail(STN_ERR_IO, "cannot open %s: %s", path, strerror(errno));
    const int is_file = fstat(opened, &about) == 0 && S_ISREG(about.st_mode);
    const size_t count = is_file ? (size_t)about.st_size : 0;
    if (count > 0)
        bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE, opened, 0);
    close(opened);
    if (bytes == MAP_FAILED)
        return is_file && count == 0
                   ? stn_fail(STN_ERR_PARSE, "%s: the file is empty", path)
                   : stn_fail(STN_ERR_IO,
                              "cannot read %s: it is not a regular file or cannot be "
                              "mapped",
                              path);
    const stn_status status = npy_parse(path, bytes, (int64_t)count, file);
    if (status != STN_OK) {
        munmap(bytes, count);
        return status;
    }
    file->mapped = bytes;
    file->mapped_bytes = count;
    return STN_OK;
}

void npy_close(npy_file *file)
{
    if (file->mapped)
        munmap(file->mapped, file->mapped_bytes);
    *file = (npy_file){0};
}

stn_status npy_view(const npy_file *file, const char *label, stn_view *view)
{
    const stn_layout layout = stn_layout_of(file->is_fortran ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT);
    return stn_view_wrap_spec(view, &STN_VIEW_SPEC(.label = label,
                                                   .storage = stn_storage_of(file->format),
                                                   .const_data = file->data, .layout = &layout,
                                                   .rank = file->rank, .extents = file->extent));
}

/* ---- writing ---- */

int npy_write_header(stn_format format, int rank, const int64_t *extent,
                     char header[NPY_HEADER_BYTES])
{
    int k = 0, at = PREFIX + 2;
    while (k < TYPES && types[k].format != format)
        k++;
    if (k == TYPES)
        return 0;
    memcpy(header, magic, sizeof magic - 1);
    header[6] = 1;
    header[7] = 0;
    at += snprintf(header + at, (size_t)(NPY_HEADER_BYTES - at),
                   "{'descr': '%s', 'fortran_order': False, 'shape': (", types[k].name);
    for (int d = 0; d < rank; d++)
        at += snprintf(header + at, (size_t)(NPY_HEADER_BYTES - at), "%lld%s", (long long)extent[d],
                       d + 1 < rank ? ", "
                       : rank == 1  ? ","
                                    : "");
    at += snprintf(header + at, (size_t)(NPY_HEADER_BYTES - at), "), }");
    const int end = (at + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    memset(header + at, ' ', (size_t)(end - at - 1));
    header[end - 1] = '\n';
    header[8] = (char)((end - PREFIX - 2) & 0xff);
    header[9] = (char)((end - PREFIX - 2) >> 8);
    return end;
}
