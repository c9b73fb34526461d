/* NVIDIA's fat binaries: cubins, plain or compressed, and other entries, each with a header. The
 * layout is unpublished; this one is that of nvcc 13.0 and its libraries. */
#define _POSIX_C_SOURCE 200809L
#include "contract/image/elf.h"

#include <string.h>

#include "contract/image/unpack.h"
#include "core/memory.h"

enum { FATBIN_HEADER = 16, ENTRY_HEADER = 64, KIND_CUBIN = 2 };

/* Flags of an entry. */
enum { PACKED_BY_LZ4 = 0x2000, PACKED_BY_ZSTD = 0x8000 };

int stn_fatbin_is_one(const unsigned char *bytes, size_t size)
{
    return size >= FATBIN_HEADER && stn_read_32(bytes) == 0xba55ed50;
}

static stn_status bad_fatbin(const stn_image *image)
{
    return stn_fail(STN_ERR_PARSE, "%s: a damaged or truncated fat binary", image->name);
}

/* Ignored entries are only counted. */
static stn_status leave_out(stn_image *image, const char *reason)
{
    image->left_out++;
    image->why_left_out = reason;
    return STN_OK;
}

static stn_status read_cubin(stn_image *image, const unsigned char *bytes, size_t size)
{
    if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return leave_out(image, "compressed by an unknown method");
    const stn_status status = stn_cubin_read(image, bytes, size, image->cubins++);
    return status == STN_ERR_UNSUPPORTED
               ? leave_out(image, "for an unsupported machine (supported: sm_75 to sm_121)")
               : status;
}

/* Unpacks `size` bytes into `unpacked` bytes, which the image owns in any case. */
static stn_status read_packed(stn_image *image, const unsigned char *bytes, size_t size,
                              uint64_t unpacked, int is_zstd)
{
    enum { MAX_RATIO = 4096 }; /* cubins have 3 to 15 */
    const int64_t maximum = (int64_t)1 << 30;
    stn_unpacked *block;
    if (unpacked / MAX_RATIO > size)
        return bad_fatbin(image);
    if (unpacked > (uint64_t)(maximum - image->unpacked_bytes))
        return leave_out(image, "beyond the limit of 2^30 bytes of compressed cubins");
    STN_TRY(stn_allocate(&block, (int64_t)(sizeof *block + unpacked), 1, "compressed cubins"));
    block->before = image->unpacked;
    block->size = (size_t)unpacked;
    image->unpacked = block;
    image->unpacked_bytes += (int64_t)unpacked;
    const int done = is_zstd ? stn_unpack_zstd(bytes, size, block->bytes, block->size)
                             : stn_unpack_lz4(bytes, size, block->bytes, block->size);
    if (done < 0)
        return leave_out(image, "compressed with zstd, and libzstd.so.1 was not found");
    return done ? read_cubin(image, block->bytes, block->size) : bad_fatbin(image);
}

/* The header of a compressed entry contains its size without padding and the size of the cubin. */
static stn_status read_entry(stn_image *image, const unsigned char *header,
                             const unsigned char *bytes, size_t size)
{
    const uint64_t flags = stn_read_64(header + 40);
    const uint32_t packed = stn_read_32(header + 16);
    if (!(flags & (PACKED_BY_LZ4 | PACKED_BY_ZSTD)))
        return read_cubin(image, bytes, size);
    if (packed > size)
        return bad_fatbin(image);
    return read_packed(image, bytes, packed, stn_read_64(header + 56),
                       (flags & PACKED_BY_ZSTD) != 0);
}

/* The entries of one fat binary: PTX and cubins, each with a header that contains its size. */
static stn_status read_entries(stn_image *image, const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const unsigned char *entry = bytes + at;
        if (size - at < ENTRY_HEADER)
            return bad_fatbin(image);
        const uint64_t header = stn_read_32(entry + 4), payload = stn_read_64(entry + 8);
        if (header < ENTRY_HEADER || header > size - at || payload > size - at - header)
            return bad_fatbin(image);
        if ((stn_read_32(entry) & 0xffff) == KIND_CUBIN)
            STN_TRY(read_entry(image, entry, entry + header, (size_t)payload));
        else
            image->other_entries++;
        at += (size_t)(header + payload);
    }
    return STN_OK;
}

stn_status stn_fatbin_read(stn_image *image, const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at < size && size - at >= FATBIN_HEADER;) {
        const unsigned char *one = bytes + at;
        if (stn_read_64(one) == 0) { /* padding between the binaries of several objects */
            at += 8;
            continue;
        }
        const uint64_t header = stn_read_32(one + 4) >> 16, payload = stn_read_64(one + 8);
        if (!stn_fatbin_is_one(one, size - at) || header < FATBIN_HEADER || header > size - at ||
            payload > size - at - header)
            return bad_fatbin(image);
        STN_TRY(read_entries(image, one + header, (size_t)payload));
        at += (size_t)((header + payload + 7) / 8 * 8);
    }
    return STN_OK;
}
