/* Files of archives. All numbers are little-endian.
 *
 *     header   HEADER_BYTES, see write_header
 *     index    per block: bytes (8) and checksum (8)
 *     blocks   consecutively, in the order of the index
 *
 * The checksum of the header covers its other bytes, and the header has the checksum of the index,
 * so each byte of the file is covered. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/cache.h"
#include "codec/checksum.h"
#include "codec/file.h"
#include "core/memory.h"
#include "core/temporary.h"

enum {
    VERSION = 1,
    INDEX_BYTES = 16, /* of a block */
    MAGIC_BYTES = 8,
    /* Offsets in the header. */
    AT_VERSION = MAGIC_BYTES,
    AT_RANK = AT_VERSION + 4,
    AT_FORMAT = AT_RANK + 4, /* name */
    FORMAT_BYTES = 16,
    AT_CODEC = AT_FORMAT + FORMAT_BYTES,
    AT_EXTENT = AT_CODEC + STN_PACKER_TEXT,
    AT_BLOCK = AT_EXTENT + 8 * STN_MAX_RANK,
    AT_BLOCKS = AT_BLOCK + 8 * STN_MAX_RANK,
    AT_BYTES = AT_BLOCKS + 8, /* of the file */
    AT_INDEX_SUM = AT_BYTES + 8,
    AT_SUM = AT_INDEX_SUM + 8,
    HEADER_BYTES = AT_SUM + 8
};
static const char magic[MAGIC_BYTES] = {'S', 'T', 'E', 'N', 'O', 'A', 'R', '\n'};

static void put(uint8_t *at, uint64_t number, int bytes)
{
    for (int k = 0; k < bytes; k++)
        at[k] = (uint8_t)(number >> 8 * k);
}

static uint64_t get(const uint8_t *at, int bytes)
{
    uint64_t number = 0;
    for (int k = 0; k < bytes; k++)
        number |= (uint64_t)at[k] << 8 * k;
    return number;
}

/* ---- writing ---- */

static stn_status file_failed(const char *path, const char *what)
{
    return stn_fail(STN_ERR_IO, "%s: %s: %s", stn_tail_of(path), what, strerror(errno));
}

static void write_header(const stn_archive *archive, const uint8_t *index, uint8_t *header)
{
    const int64_t index_bytes = archive->blocks * INDEX_BYTES;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    int64_t bytes = HEADER_BYTES + index_bytes;
    (void)stn_format_describe(archive->format, &info); /* the format exists */
    for (int64_t k = 0; k < archive->blocks; k++)
        bytes += archive->packed[k].length;
    memset(header, 0, HEADER_BYTES);
    memcpy(header, magic, sizeof magic);
    put(header + AT_VERSION, VERSION, 4);
    put(header + AT_RANK, (uint64_t)archive->rank, 4);
    strncpy((char *)header + AT_FORMAT, info.name, FORMAT_BYTES - 1);
    memcpy(header + AT_CODEC, archive->text, sizeof archive->text);
    for (int d = 0; d < archive->rank; d++) {
        put(header + AT_EXTENT + 8 * d, (uint64_t)archive->extent[d], 8);
        put(header + AT_BLOCK + 8 * d, (uint64_t)archive->block[d], 8);
    }
    put(header + AT_BLOCKS, (uint64_t)archive->blocks, 8);
    put(header + AT_BYTES, (uint64_t)bytes, 8);
    put(header + AT_INDEX_SUM, stn_checksum(index, index_bytes), 8);
    put(header + AT_SUM, stn_checksum(header, AT_SUM), 8);
}

static stn_status write_contents(const stn_archive *archive, stn_temporary *file)
{
    uint8_t header[HEADER_BYTES], *index;
    STN_TRY(stn_allocate(&index, archive->blocks, INDEX_BYTES, "index of an archive"));
    for (int64_t k = 0; k < archive->blocks; k++) {
        put(index + k * INDEX_BYTES, archive->packed[k].length, 8);
        put(index + k * INDEX_BYTES + 8, archive->packed[k].checksum, 8);
    }
    write_header(archive, index, header);
    stn_status status = stn_temporary_write(file, header, sizeof header);
    if (status == STN_OK)
        status = stn_temporary_write(file, index, (size_t)(archive->blocks * INDEX_BYTES));
    stn_free(index);
    for (int64_t k = 0; status == STN_OK && k < archive->blocks; k++)
        status = stn_temporary_write(file, archive->packed[k].bytes, archive->packed[k].length);
    return status == STN_OK ? stn_temporary_commit(file) : status;
}

stn_status stn_archive_save(stn_archive *archive, const char *path)
{
    static const char call[] = "stn_archive_save";
    stn_temporary file;
    STN_TRY(stn_archive_expect(call, archive));
    if (!path)
        return stn_fail(STN_ERR_ARGUMENT, "%s: path is NULL", call);
    STN_TRY(stn_cache_flush(call, archive, 0));
    stn_status status = stn_temporary_begin(&file, path);
    if (status == STN_OK)
        status = write_contents(archive, &file);
    stn_temporary_discard(&file);
    return status;
}

/* ---- reading ---- */

static stn_status refuse(const char *name, const char *reason)
{
    return stn_fail(STN_ERR_PARSE, "%s: %s", name, reason);
}

/* A text of at most `capacity` bytes with its end, followed by zeros only. */
static int is_text(const uint8_t *at, size_t capacity)
{
    size_t length = 0;
    while (length < capacity && at[length])
        length++;
    for (size_t k = length; k < capacity; k++)
        if (at[k])
            return 0;
    return length > 0 && length < capacity;
}

static stn_status check_header(const char *name, const uint8_t *bytes, int64_t count)
{
    if (count < HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return refuse(name, "the file is not an archive: it does not begin with STENOAR");
    if (get(bytes + AT_VERSION, 4) != VERSION)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the version of the file is %llu; %d is supported",
                        name, (unsigned long long)get(bytes + AT_VERSION, 4), VERSION);
    if (get(bytes + AT_SUM, 8) != stn_checksum(bytes, AT_SUM))
        return refuse(name, "the header is corrupt: its checksum does not match");
    if (!is_text(bytes + AT_CODEC, STN_PACKER_TEXT) || !is_text(bytes + AT_FORMAT, FORMAT_BYTES) ||
        get(bytes + AT_RANK, 4) > STN_MAX_RANK)
        return refuse(name, "the header is corrupt: its codec, format or rank is invalid");
    if (get(bytes + AT_BYTES, 8) != (uint64_t)count)
        return stn_fail(STN_ERR_PARSE, "%s: the file has %lld bytes instead of %llu", name,
                        (long long)count, (unsigned long long)get(bytes + AT_BYTES, 8));
    return STN_OK;
}

/* Is the number of blocks that of the file, whose index fits into it? Checked before the index is
 * allocated. */
static stn_status check_extents(const char *name, const uint8_t *bytes, int64_t count, int rank,
                                int64_t *extent, int64_t *block)
{
    int64_t blocks = 1;
    int is_good = 1;
    for (int d = 0; d < rank; d++) {
        extent[d] = (int64_t)get(bytes + AT_EXTENT + 8 * d, 8);
        block[d] = (int64_t)get(bytes + AT_BLOCK + 8 * d, 8);
        is_good &= extent[d] >= 0 && block[d] >= 1 && block[d] <= STN_BLOCK_MAX_ELEMENTS &&
                   (block[d] <= extent[d] || block[d] == 1);
    }
    for (int d = 0; is_good && d < rank; d++)
        is_good = !__builtin_mul_overflow(
            blocks, extent[d] / block[d] + (extent[d] % block[d] != 0), &blocks);
    const int64_t most = (count - HEADER_BYTES) / INDEX_BYTES;
    if (!is_good || blocks > most || get(bytes + AT_BLOCKS, 8) != (uint64_t)blocks)
        return refuse(name, "the header is corrupt: its extents are invalid");
    return STN_OK;
}

static stn_status read_index(const char *name, const uint8_t *bytes, int64_t count,
                             stn_archive *archive)
{
    const uint8_t *const index = bytes + HEADER_BYTES;
    int64_t at = HEADER_BYTES + archive->blocks * INDEX_BYTES;
    if (stn_checksum(index, archive->blocks * INDEX_BYTES) != get(bytes + AT_INDEX_SUM, 8))
        return refuse(name, "the index is corrupt: its checksum does not match");
    for (int64_t k = 0; k < archive->blocks; k++) {
        const uint64_t length = get(index + k * INDEX_BYTES, 8);
        if (length > (uint64_t)(count - at) || length > UINT32_MAX)
            return stn_fail(STN_ERR_PARSE, "%s: the index is corrupt: block %lld exceeds the file",
                            name, (long long)k);
        archive->packed[k] = (stn_packed_block){.bytes = length ? bytes + at : NULL,
                                                .checksum = get(index + k * INDEX_BYTES + 8, 8),
                                                .length = (uint32_t)length};
        at += (int64_t)length;
    }
    return at == count ? STN_OK : refuse(name, "bytes follow the last block");
}

stn_status stn_archive_read_bytes(const char *name, const uint8_t *bytes, int64_t count,
                                  stn_archive **archive)
{
    int64_t extent[STN_MAX_RANK], block[STN_MAX_RANK];
    stn_format format;
    *archive = NULL;
    STN_TRY(check_header(name, bytes, count));
    const int rank = (int)get(bytes + AT_RANK, 4);
    STN_TRY(check_extents(name, bytes, count, rank, extent, block));
    if (stn_format_find((const char *)bytes + AT_FORMAT, &format) != STN_OK)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: format '%s' is unknown", name,
                        (const char *)bytes + AT_FORMAT);
    const stn_archive_options options =
        STN_INIT(stn_archive_options, .codec = (const char *)bytes + AT_CODEC, .block = block);
    STN_TRY(stn_archive_allocate(name, format, rank, extent, &options, archive));
    const stn_status status = read_index(name, bytes, count, *archive);
    if (status != STN_OK) {
        stn_archive_release(*archive);
        *archive = NULL;
    }
    return status;
}

static stn_status map_file(const char *path, void **bytes, int64_t *count)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return file_failed(path, "cannot be opened");
    stn_status status = STN_OK;
    *bytes = NULL;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        status = stn_fail(STN_ERR_IO, "%s: is not a regular file", path);
    else if (about.st_size < HEADER_BYTES)
        status = stn_fail(STN_ERR_PARSE, "%s: the file has %lld bytes, less than a header", path,
                          (long long)about.st_size);
    if (status == STN_OK) {
        *count = (int64_t)about.st_size;
        *bytes = mmap(NULL, (size_t)*count, PROT_READ, MAP_PRIVATE, file, 0);
        if (*bytes == MAP_FAILED)
            status = file_failed(path, "cannot be mapped");
    }
    close(file);
    return status;
}

stn_status stn_archive_open(stn_archive **archive, const char *path)
{
    static const char call[] = "stn_archive_open";
    void *bytes;
    int64_t count = 0;
    char *copy;
    if (!archive || !path)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, archive ? "path" : "archive");
    *archive = NULL;
    const size_t length = strlen(path) + 1;
    STN_TRY(stn_allocate(&copy, (int64_t)length, 1, "path of an archive"));
    memcpy(copy, path, length);
    stn_status status = map_file(path, &bytes, &count);
    if (status == STN_OK) {
        status = stn_archive_read_bytes(path, bytes, count, archive);
        if (status != STN_OK)
            munmap(bytes, (size_t)count);
    }
    if (status != STN_OK) {
        stn_free(copy);
        return status;
    }
    (*archive)->path = copy;
    (*archive)->mapped = bytes;
    (*archive)->mapped_bytes = (size_t)count;
    return STN_OK;
}
