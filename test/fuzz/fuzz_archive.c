/* Fuzzes files of archives in memory, as they are and with the checksums that a hostile writer
 * computes, so that blocks reach the decoders; and NPY files. Whatever the bytes are, opening and
 * reading them gives elements or a status with a sentence. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz/fuzz.h"

#include "codec/archive.h"
#include "codec/checksum.h"
#include "codec/command/npy.c"
#include "codec/file.h"

/* Offsets of codec/file.c. Elements beyond MOST are not read, which would only take longer. */
enum { HEADER = 256, AT_BLOCKS = 224, AT_BYTES = 232, AT_INDEX_SUM = 240, AT_SUM = 248 };
enum { INDEX = 16, MOST = 1 << 16, MOST_FILE = 1 << 16 };

static uint8_t file[MOST_FILE];
static _Alignas(64) char elements[MOST * 16];

static uint64_t load(size_t at)
{
    uint64_t number;
    memcpy(&number, file + at, sizeof number);
    return number;
}

static void store(size_t at, uint64_t number)
{
    memcpy(file + at, &number, sizeof number);
}

/* Sets the size of the file, the length of the last block and all checksums. */
static void seal(size_t size)
{
    const uint64_t blocks = load(AT_BLOCKS);
    if (size < HEADER || blocks > (size - HEADER) / INDEX)
        return;
    size_t at = HEADER + (size_t)blocks * INDEX;
    for (size_t k = 0; k < blocks; k++) {
        const size_t entry = HEADER + k * INDEX, left = size - at;
        const uint64_t length = k + 1 == blocks || load(entry) > left ? left : load(entry);
        store(entry, length);
        store(entry + 8, stn_checksum(file + at, (int64_t)length));
        at += (size_t)length;
    }
    store(AT_BYTES, size);
    store(AT_INDEX_SUM, stn_checksum(file + HEADER, (int64_t)blocks * INDEX));
    store(AT_SUM, stn_checksum(file, AT_SUM));
}

static void expect_sentence(stn_status status)
{
    require(status == STN_ERR_PARSE || status == STN_ERR_UNSUPPORTED || status == STN_ERR_RANGE ||
                status == STN_ERR_FORMAT || status == STN_ERR_SHAPE,
            "the status of a corrupt archive");
    require(strlen(stn_error()) > 10, "there is no sentence");
}

/* Reads all elements, twice: into memory and through a view. */
static void read_archive(size_t size)
{
    stn_archive *archive;
    stn_view to, from;
    stn_status status = stn_archive_read_bytes("fuzz", file, (int64_t)size, &archive);
    if (status != STN_OK) {
        require(!archive, "a failure left an archive");
        expect_sentence(status);
        return;
    }
    int64_t count = 1;
    for (int d = 0; d < archive->rank; d++)
        count = archive->extent[d] > MOST || count > MOST ? MOST + 1 : count * archive->extent[d];
    if (count <= MOST && archive->cells.count <= MOST) {
        status = stn_view_wrap(&to, "to", stn_storage_of(archive->format), elements, archive->rank,
                               archive->extent);
        require(status == STN_OK, "a view of the elements");
        status = stn_archive_read(NULL, &to, archive, NULL);
        const stn_status verified = stn_archive_verify(NULL, archive);
        require((verified == STN_OK) == (status == STN_OK), "verification and reading differ");
        if (status != STN_OK)
            expect_sentence(status);
        archive->cached_blocks = 3;
        require(stn_archive_view(&from, archive) == STN_OK, "a view of the archive");
        if (status == STN_OK)
            require(stn_view_copy(NULL, &to, &from) == STN_OK &&
                        stn_view_fill(NULL, &from, 1.0) == STN_OK,
                    "an operation on a sound archive");
        require(stn_view_release(&from) == STN_OK, "release");
    }
    stn_archive_release(archive);
}

static void read_npy(const uint8_t *bytes, size_t size)
{
    npy_file found;
    stn_view view;
    const stn_status status = npy_parse("fuzz", bytes, (int64_t)size, &found);
    if (status != STN_OK) {
        expect_sentence(status);
        return;
    }
    require(npy_view(&found, "npy", &view) == STN_OK, "a view of an NPY file");
    require(found.data_bytes >= 0 && found.data_bytes <= (int64_t)size, "the bytes of an NPY file");
}

FUZZ(bytes, size)
{
    if (size > MOST_FILE)
        return 0;
    memcpy(file, bytes, size);
    read_npy(file, size);
    read_archive(size);
    seal(size);
    read_archive(size);
    return 0;
}
