/* Files of archives: saved and opened again, corrupt, truncated, hostile; and memory that runs out.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive_data.h"
#include "codec/archive.h"
#include "codec/checksum.h"
#include "codec/file.h"
#include "core/memory.h"
#include "oracle.h"

enum { N = 40, M = 50, HEADER = 256, MAX_FILE = 1 << 16 };

static char folder[64], path[128];
static double original[N][M], restored[N][M];

static int enter_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "archive-files-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/a.sta", folder);
    fill_data(DATA_SMOOTH, STN_F64, original, (int64_t)N * M, 8);
    return 0;
}

static int leave_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails, and the test with it, if another file remains */
}

static stn_view whole(double values[N][M])
{
    stn_view view;
    expect_ok(
        stn_view_wrap(&view, "whole", stn_storage_of(STN_F64), values, 2, (const int64_t[]){N, M}));
    return view;
}

static stn_archive *pack(const char *codec)
{
    const int64_t block[] = {13, 17};
    const stn_archive_options options =
        STN_INIT(stn_archive_options, .codec = codec, .block = block);
    const stn_view view = whole(original);
    stn_archive *archive;
    expect_ok(stn_archive_pack(NULL, &archive, STN_F64, &view, &options));
    return archive;
}

static stn_status read_all(stn_archive *archive)
{
    const stn_view view = whole(restored);
    return stn_archive_read(NULL, &view, archive, NULL);
}

/* The bytes of the file. */
static int64_t load(uint8_t *bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, MAX_FILE, file);
    fclose(file);
    assert_in_range(count, HEADER, MAX_FILE - 1);
    return (int64_t)count;
}

static void save(const char *codec)
{
    stn_archive *archive = pack(codec);
    expect_ok(stn_archive_save(archive, path));
    stn_archive_release(archive);
}

UNIT_TEST_WITH(a_saved_archive_is_opened_again, enter_folder, leave_folder)
{
    stn_archive_info saved = STN_ARCHIVE_INFO_INIT, opened = STN_ARCHIVE_INFO_INIT;
    stn_archive *archive = pack("lzw");
    expect_ok(stn_archive_describe(archive, &saved));
    expect_ok(stn_archive_save(archive, path));
    stn_archive_release(archive);
    expect_ok(stn_archive_open(&archive, path));
    expect_ok(stn_archive_describe(archive, &opened));
    assert_int_equal(opened.is_mapped, 1);
    opened.is_mapped = 0;
    assert_memory_equal(&saved, &opened, sizeof saved);
    expect_ok(stn_archive_verify(NULL, archive));
    expect_ok(read_all(archive));
    assert_memory_equal(original, restored, sizeof original);
    stn_archive_release(archive);
}

UNIT_TEST_WITH(changed_blocks_are_saved_to_the_same_file, enter_folder, leave_folder)
{
    stn_archive *archive;
    stn_view view;
    save("lzw");
    expect_ok(chmod(path, 0640) == 0 ? STN_OK : STN_ERR_IO);
    expect_ok(stn_archive_open(&archive, path));
    original[3][4] = 1e10;
    expect_ok(stn_view_wrap(&view, "one", stn_storage_of(STN_F64), &original[3][4], 2,
                            (const int64_t[]){1, 1}));
    expect_ok(stn_archive_write(NULL, archive, &view, (const int64_t[]){3, 4}));
    expect_ok(stn_archive_save(archive, path));
    stn_archive_release(archive);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    expect_ok(stn_archive_open(&archive, path));
    expect_ok(read_all(archive));
    assert_memory_equal(original, restored, sizeof original);
    stn_archive_release(archive);
}

UNIT_TEST_WITH(files_that_cannot_be_opened_or_saved_are_refused, enter_folder, leave_folder)
{
    stn_archive *archive = (stn_archive *)(uintptr_t)folder;
    expect_error(stn_archive_open(&archive, path), STN_ERR_IO, "cannot be opened");
    assert_null(archive);
    expect_error(stn_archive_open(&archive, folder), STN_ERR_IO, "not a regular file");
    archive = pack("none");
    expect_error(stn_archive_save(archive, folder), STN_ERR_ARGUMENT, "not a regular file");
    expect_error(stn_archive_save(archive, "missing/folder/a.sta"), STN_ERR_IO,
                 "cannot be created");
    expect_error(stn_archive_save(archive, NULL), STN_ERR_ARGUMENT, "path is NULL");
    expect_error(stn_archive_save(NULL, path), STN_ERR_ARGUMENT, "archive is NULL");
    stn_archive_release(archive);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("short", file) >= 0);
    fclose(file);
    expect_error(stn_archive_open(&archive, path), STN_ERR_PARSE, "5 bytes");
}

/* ---- corrupt files ---- */

/* Opens the bytes and reads all elements. */
static stn_status try_bytes(const uint8_t *bytes, int64_t count)
{
    stn_archive *archive;
    stn_status status = stn_archive_read_bytes("test", bytes, count, &archive);
    if (status != STN_OK) {
        assert_null(archive);
        return status;
    }
    status = read_all(archive);
    stn_archive_release(archive);
    return status;
}

UNIT_TEST_WITH(each_corrupt_byte_is_an_error, enter_folder, leave_folder)
{
    static uint8_t bytes[MAX_FILE];
    char expected[64];
    save("lzw");
    const int64_t count = load(bytes);
    expect_ok(try_bytes(bytes, count));
    const int64_t index = 12 * 16, contents = HEADER + index;
    int64_t block = 0, end = contents + bytes[HEADER] + bytes[HEADER + 1] * 256;
    for (int64_t k = 0; k < count; k++) {
        if (k >= contents && k % oracle_count(5, 1, 1) != 0)
            continue;
        const uint8_t was = bytes[k];
        while (k >= end) {
            block++;
            end += bytes[HEADER + 16 * block] + bytes[HEADER + 16 * block + 1] * 256;
        }
        snprintf(expected, sizeof expected, "block %lld, ", (long long)block);
        bytes[k] ^= (uint8_t)(1 + k % 255);
        const stn_status status = try_bytes(bytes, count);
        if (status != STN_ERR_PARSE && status != STN_ERR_UNSUPPORTED)
            fail_msg("a change of byte %lld is not found", (long long)k);
        if (k >= contents && !strstr(stn_error(), expected))
            fail_msg("byte %lld: '%s' does not contain '%s'", (long long)k, stn_error(), expected);
        bytes[k] = was;
    }
}

UNIT_TEST_WITH(truncated_and_longer_files_are_errors, enter_folder, leave_folder)
{
    static uint8_t bytes[MAX_FILE];
    save("lzw");
    const int64_t count = load(bytes);
    for (int64_t k = 0; k < count; k += k < 300 ? 1 : oracle_count(397, 97, 97))
        expect_error(try_bytes(bytes, k), STN_ERR_PARSE, "test: ");
    expect_error(try_bytes(bytes, count + 1), STN_ERR_PARSE, "instead of");
}

/* Sets the checksums of index and header, as a hostile writer does. */
static void seal(uint8_t *bytes, int64_t blocks)
{
    const uint64_t index = stn_checksum(bytes + HEADER, blocks * 16);
    memcpy(bytes + HEADER - 16, &index, 8);
    const uint64_t header = stn_checksum(bytes, HEADER - 8);
    memcpy(bytes + HEADER - 8, &header, 8);
}

static void put(uint8_t *at, int64_t number)
{
    memcpy(at, &number, 8);
}

UNIT_TEST_WITH(hostile_headers_are_errors, enter_folder, leave_folder)
{
    enum {
        RANK = 12,
        FORMAT = 16,
        CODEC = 32,
        EXTENT = 96,
        BLOCK = 160,
        BLOCKS = 224,
        BYTES = 232
    };
    static uint8_t good[MAX_FILE], bytes[MAX_FILE];
    static const struct {
        int at;
        int64_t number;
        stn_status status;
        const char *text;
    } cases[] = {
        {RANK, 9, STN_ERR_PARSE, "rank"},
        {RANK, -1, STN_ERR_PARSE, "rank"},
        {EXTENT, -1, STN_ERR_PARSE, "extents"},
        {EXTENT, INT64_MAX, STN_ERR_PARSE, "extents"},
        {EXTENT, (int64_t)1 << 40, STN_ERR_PARSE, "extents"},
        {EXTENT, 0, STN_ERR_PARSE, "extents"},
        {BLOCK, 0, STN_ERR_PARSE, "extents"},
        {BLOCK, -5, STN_ERR_PARSE, "extents"},
        {BLOCK, INT64_MIN, STN_ERR_PARSE, "extents"},
        {BLOCK, (int64_t)1 << 30, STN_ERR_PARSE, "extents"},
        {BLOCKS, 13, STN_ERR_PARSE, "extents"},
        {BYTES, 100, STN_ERR_PARSE, "instead of 100"},
        {HEADER, (int64_t)1 << 40, STN_ERR_PARSE, "block 0"},
        {HEADER, 0, STN_ERR_PARSE, "bytes follow"},
        {HEADER + 16, -1, STN_ERR_PARSE, "block 1"},
        {FORMAT, 0x7a7a, STN_ERR_UNSUPPORTED, "format 'zz'"},
        {FORMAT, 0, STN_ERR_PARSE, "format"},
        {CODEC, 0x7a7a, STN_ERR_PARSE, "codec 'zz'"},
        {CODEC + 56, -1, STN_ERR_PARSE, "codec"},
    };
    save("lzw");
    const int64_t count = load(good);
    for (int k = 0; k < COUNT_OF(cases); k++) {
        memcpy(bytes, good, (size_t)count);
        put(bytes + cases[k].at, cases[k].number);
        seal(bytes, 12);
        expect_error(try_bytes(bytes, count), cases[k].status, cases[k].text);
    }
    memcpy(bytes, good, (size_t)count);
    bytes[8] = 2;
    expect_error(try_bytes(bytes, count), STN_ERR_UNSUPPORTED, "version of the file is 2");
}

/* Blocks whose checksums match, but that no encoder writes: an error or elements, no crash. */
UNIT_TEST_WITH(hostile_blocks_are_errors_or_elements, enter_folder, leave_folder)
{
    static uint8_t bytes[MAX_FILE];
    static const char *const codecs[] = {
        "none", "zstd",         "zlib", "lz4", "shuffle+zlib", "lzw", "blosc", "zfp:accuracy=1e-3",
        "zfp",  "sz:error=1e-3"};
    uint64_t state = 3;
    int errors = 0;
    for (int c = 0; c < COUNT_OF(codecs); c++) {
        stn_packer packer;
        if (stn_packer_parse("test", codecs[c], &packer) != STN_OK)
            continue;
        save(codecs[c]);
        const int64_t count = load(bytes), contents = HEADER + 12 * 16;
        for (int k = 0; k < oracle_count(100, 400, 4000); k++) {
            const int64_t length = bytes[HEADER] + bytes[HEADER + 1] * 256;
            const int64_t at = contents + (int64_t)(next_random(&state) % (uint64_t)length);
            const uint8_t was = bytes[at];
            bytes[at] = (uint8_t)next_random(&state);
            const uint64_t sum = stn_checksum(bytes + contents, length);
            memcpy(bytes + HEADER + 8, &sum, 8);
            seal(bytes, 12);
            const stn_status status = try_bytes(bytes, count);
            errors += status == STN_ERR_PARSE;
            if (status != STN_OK)
                expect_error(status, STN_ERR_PARSE, "block 0, ");
            bytes[at] = was;
        }
    }
    assert_true(errors > oracle_count(25, 100, 1000));
}

/* ---- arguments and memory ---- */

UNIT_TEST(invalid_arguments_are_refused)
{
    static const struct {
        const char *codec;
        stn_status status;
        const char *text;
    } texts[] = {
        {"zip", STN_ERR_PARSE, "'zip' is unknown; known are none, "},
        {"", STN_ERR_PARSE, "codec '' is unknown"},
        {"swap+lzw", STN_ERR_PARSE, "filter 'swap' is unknown; known are shuffle, bitshuffle"},
        {"shuffle", STN_ERR_PARSE, "codec 'shuffle' is unknown"},
        {"shuffle+", STN_ERR_PARSE, "codec '' is unknown"},
        {"shuffle+shuffle+lzw", STN_ERR_PARSE, "unknown"},
        {"shuffle+sz:error=1", STN_ERR_PARSE, "no filter"},
        {"lzw:level=3", STN_ERR_PARSE, "no parameter 'level'"},
        {"sz", STN_ERR_PARSE, "requires a parameter: error=BOUND"},
        {"sz:error", STN_ERR_PARSE, "has no value"},
        {"sz:error=", STN_ERR_PARSE, "not a number"},
        {"sz:error=x", STN_ERR_PARSE, "not a number"},
        {"sz:error=nan", STN_ERR_PARSE, "not a number"},
        {"sz:error=1e-3 ", STN_ERR_PARSE, "not a number"},
        {"sz:error=1,error=2", STN_ERR_PARSE, "occurs twice"},
        {"sz:error=1,", STN_ERR_PARSE, "no parameter ''"},
        {"sz:error=0", STN_ERR_RANGE, "error is 0"},
        {"sz:error=-1", STN_ERR_RANGE, "error is -1"},
        {"lzw:0123456789012345678901234567890123456789012345678901234567890123", STN_ERR_PARSE,
         "at most 63"},
    };
    const int64_t extents[] = {3, 4};
    stn_archive *archive;
    for (int k = 0; k < COUNT_OF(texts); k++) {
        const stn_archive_options options = STN_INIT(stn_archive_options, .codec = texts[k].codec);
        expect_error(stn_archive_create(&archive, STN_F64, 2, extents, &options), texts[k].status,
                     texts[k].text);
        assert_null(archive);
    }
    const int64_t zero[] = {0, 1}, large[] = {2000, 1000}, huge[] = {INT64_MAX / 2, 3};
    const stn_archive_options lossy = STN_INIT(stn_archive_options, .codec = "sz:error=1"),
                              none = STN_INIT(stn_archive_options, .block = zero),
                              many = STN_INIT(stn_archive_options, .block = large),
                              cache = STN_INIT(stn_archive_options, .cached_blocks = -1);
    expect_error(stn_archive_create(&archive, STN_I32, 2, extents, &lossy), STN_ERR_UNSUPPORTED,
                 "not i32");
    expect_error(stn_archive_create(&archive, STN_F64, 2, extents, &none), STN_ERR_RANGE,
                 "extent 0 of a block is 0");
    expect_error(stn_archive_create(&archive, STN_F64, 2, large, &many), STN_ERR_RANGE,
                 "more than 1048576");
    expect_error(stn_archive_create(&archive, STN_F64, 2, extents, &cache), STN_ERR_ARGUMENT, "-1");
    expect_error(stn_archive_create(&archive, STN_F64, 2, huge, NULL), STN_ERR_RANGE, "exceed");
    expect_error(stn_archive_create(&archive, STN_F64, 9, extents, NULL), STN_ERR_ARGUMENT,
                 "rank is 9");
    expect_error(stn_archive_create(&archive, STN_F64, 1, NULL, NULL), STN_ERR_ARGUMENT,
                 "extents is NULL");
    expect_error(stn_archive_create(&archive, STN_F64, 1, (const int64_t[]){-1}, NULL),
                 STN_ERR_SHAPE, "extent 0 is -1");
    expect_error(stn_archive_create(&archive, 12345, 2, extents, NULL), STN_ERR_FORMAT, "12345");
    expect_error(stn_archive_create(NULL, STN_F64, 2, extents, NULL), STN_ERR_ARGUMENT,
                 "archive is NULL");
}

/* Arrays of one element are checked as others are. */
UNIT_TEST(read_only_and_released_views_of_rank_0_are_refused)
{
    static const double constant = 7.0;
    stn_archive *archive;
    stn_view view, released = {0};
    expect_ok(stn_archive_create(&archive, STN_F64, 0, NULL, NULL));
    expect_ok(stn_view_wrap_const(&view, "constant", stn_storage_of(STN_F64), &constant, 0, NULL));
    expect_error(stn_archive_read(NULL, &view, archive, NULL), STN_ERR_ARGUMENT, "is read-only");
    expect_ok(stn_archive_write(NULL, archive, &view, NULL));
    expect_error(stn_archive_read(NULL, &released, archive, NULL), STN_ERR_ARGUMENT, "");
    stn_archive_release(archive);
}

UNIT_TEST(boxes_outside_of_the_array_are_refused)
{
    stn_archive *archive = pack("lzw");
    stn_view view = whole(restored), vector, constant;
    expect_error(stn_archive_read(NULL, &view, archive, (const int64_t[]){1, 0}), STN_ERR_RANGE,
                 "begins at index 1 of dimension 0, whose extent is 40, and has 40 elements");
    expect_error(stn_archive_read(NULL, &view, archive, (const int64_t[]){INT64_MAX, 0}),
                 STN_ERR_RANGE, "begins at index 9223372036854775807");
    expect_error(stn_archive_read(NULL, &view, archive, (const int64_t[]){0, -1}), STN_ERR_RANGE,
                 "dimension 1");
    expect_error(stn_archive_read(NULL, NULL, archive, NULL), STN_ERR_ARGUMENT, "to is NULL");
    expect_error(stn_archive_read(NULL, &view, NULL, NULL), STN_ERR_ARGUMENT, "archive is NULL");
    expect_ok(
        stn_view_wrap(&vector, "v", stn_storage_of(STN_F64), restored, 1, (const int64_t[]){N}));
    expect_error(stn_archive_write(NULL, archive, &vector, NULL), STN_ERR_SHAPE, "rank");
    expect_ok(stn_view_wrap_const(&constant, "c", stn_storage_of(STN_F64), restored, 2,
                                  (const int64_t[]){N, M}));
    expect_error(stn_archive_read(NULL, &constant, archive, NULL), STN_ERR_ARGUMENT, "c");
    expect_ok(stn_archive_write(NULL, archive, &constant, NULL));
    expect_ok(stn_view_release(&view));
    expect_error(stn_archive_read(NULL, &view, archive, NULL), STN_ERR_ARGUMENT,
                 "to is not a view");
    stn_archive_release(archive);
}

/* Every operation, with the n-th allocation failing, for every n. */
static stn_status use_memory(void)
{
    const stn_view from = whole(original), to = whole(restored);
    const stn_archive_options options = STN_INIT(stn_archive_options, .codec = "sz:error=1e-3");
    stn_archive *archive, *opened;
    STN_TRY(stn_archive_pack(NULL, &archive, STN_F64, &from, &options));
    stn_status status = stn_archive_save(archive, path);
    if (status == STN_OK)
        status = stn_archive_open(&opened, path);
    if (status == STN_OK) {
        status = stn_archive_read(NULL, &to, opened, NULL);
        if (status == STN_OK)
            status = stn_archive_write(NULL, opened, &from, NULL);
        stn_archive_release(opened);
    }
    stn_archive_release(archive);
    return status;
}

UNIT_TEST_WITH(each_failing_allocation_is_an_error, enter_folder, leave_folder)
{
    int64_t n = 0;
    stn_status status;
    do {
        stn_fail_allocation(++n);
        status = use_memory();
        assert_true(status == STN_OK || status == STN_ERR_MEMORY);
    } while (status != STN_OK);
    stn_fail_allocation(0);
    assert_in_range(n, 10, 1000);
}

RUN_UNIT_TESTS(NULL, NULL)
