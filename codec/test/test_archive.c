/* Archives: creation, boxes, descriptions, and each codec with each format, rank and shape. */
#include "check.h"

#include <string.h>

#include "archive_data.h"
#include "codec/archive.h"
#include "codec/checksum.h"
#include "oracle.h"
#include "steno/archive.h"
#include "steno/format.h"

enum { MAX_ELEMENTS = 6000 };

static _Alignas(64) char original[MAX_ELEMENTS * 16], restored[MAX_ELEMENTS * 16];

static int is_available(const char *name)
{
    for (int k = 0; k < stn_archive_codec_count(); k++) {
        stn_archive_codec_info info = STN_ARCHIVE_CODEC_INFO_INIT;
        expect_ok(stn_archive_codec_describe(k, &info));
        if (strncmp(name, info.name, strlen(info.name)) == 0 || strstr(name, "shuffle+") == name)
            if (strstr(name, info.name) && !info.library)
                return 0;
    }
    return 1;
}

static stn_format_info info_of(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    return info;
}

static stn_view view_of(void *data, stn_format format, int rank, const int64_t *extents)
{
    stn_view view;
    expect_ok(stn_view_wrap(&view, "view", stn_storage_of(format), data, rank, extents));
    return view;
}

static const char *const lossless[] = {
    "none",           "zstd",           "zstd:level=1",
    "zlib",           "zlib:level=1",   "lz4",
    "lz4:level=9",    "blosc:level=3",  "lzw",
    "shuffle+zstd",   "shuffle+zlib",   "shuffle+lz4",
    "bitshuffle+lzw", "bitshuffle+lz4", "shuffle+none",
};

typedef struct shape {
    int rank;
    int64_t extent[4], block[4];
    int chooses; /* the library chooses the block */
} shape;

static const shape shapes[] = {
    {0, {0}, {0}, 1},
    {1, {0}, {5}, 0},
    {1, {1}, {5}, 0},
    {1, {5}, {5}, 0},
    {1, {301}, {64}, 0},
    {1, {5000}, {0}, 1},
    {2, {1, 1}, {4, 4}, 0},
    {2, {0, 7}, {4, 4}, 0},
    {2, {7, 0}, {0}, 1},
    {2, {33, 65}, {16, 16}, 0},
    {2, {3, 1000}, {2, 1}, 0},
    {2, {70, 70}, {0}, 1},
    {3, {9, 10, 11}, {4, 4, 4}, 0},
    {3, {1, 17, 1}, {1, 3, 1}, 0},
    {3, {20, 15, 14}, {0}, 1},
    {4, {5, 6, 7, 8}, {4, 4, 4, 4}, 0},
    {4, {3, 1, 9, 2}, {0}, 1},
    {4, {9, 8, 8, 9}, {0}, 1},
};

static int64_t count_of(const shape *s)
{
    int64_t count = 1;
    for (int d = 0; d < s->rank; d++)
        count *= s->extent[d];
    return count;
}

static stn_archive *pack(const char *codec, const shape *s, stn_format format, const stn_exec *exec)
{
    const stn_view view = view_of(original, format, s->rank, s->extent);
    const stn_archive_options options =
        STN_INIT(stn_archive_options, .codec = codec, .block = s->chooses ? NULL : s->block);
    stn_archive *archive;
    expect_ok_for(stn_archive_pack(exec, &archive, format, &view, &options), codec);
    return archive;
}

static void unpack(stn_archive *archive, const shape *s, stn_format format)
{
    const stn_view view = view_of(restored, format, s->rank, s->extent);
    memset(restored, 0x55, sizeof restored);
    expect_ok(stn_archive_read(NULL, &view, archive, NULL));
}

static void check_bits(const char *codec, const shape *s, stn_format format, kind_of_data kind)
{
    const stn_format_info info = info_of(format);
    const int64_t bytes = count_of(s) * info.bytes;
    fill_data(kind, format, original, count_of(s), info.bytes);
    stn_archive *archive = pack(codec, s, format, NULL);
    unpack(archive, s, format);
    if (memcmp(original, restored, (size_t)bytes) != 0)
        fail_msg("%s, %s, rank %d, %lld elements, %s data: bits differ", codec, info.name, s->rank,
                 (long long)count_of(s), data_names[kind]);
    stn_archive_release(archive);
}

UNIT_TEST(lossless_codecs_restore_each_bit_of_each_format_and_shape)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16,  STN_E4M3, STN_I8, STN_I32,
                                         STN_I64, STN_C64, STN_C128, STN_F24,  STN_F48};
    for (int c = 0; c < COUNT_OF(lossless); c++)
        for (int f = 0; f < COUNT_OF(formats); f++)
            for (int s = 0; s < COUNT_OF(shapes) && is_available(lossless[c]); s++)
                check_bits(lossless[c], &shapes[s], formats[f],
                           (kind_of_data)((c + f + s) % DATA_KINDS));
}

UNIT_TEST(zfp_without_parameters_restores_each_bit)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_C64, STN_C128};
    for (int f = 0; f < COUNT_OF(formats) && is_available("zfp"); f++)
        for (int s = 0; s < COUNT_OF(shapes); s++)
            for (int kind = oracle_full() ? 0 : s % 2; kind < DATA_KINDS;
                 kind += oracle_full() ? 1 : 2)
                check_bits("zfp", &shapes[s], formats[f], (kind_of_data)kind);
}

/* ---- error bounds ---- */

static double value_at(const char *elements, stn_format component, int64_t k)
{
    return component == STN_F64 ? ((const double *)(const void *)elements)[k]
                                : (double)((const float *)(const void *)elements)[k];
}

static void check_bound(const char *codec, double bound, const shape *s, stn_format format,
                        kind_of_data kind)
{
    const stn_format_info info = info_of(format);
    const int64_t parts = info.kind == STN_CLASS_COMPLEX ? 2 : 1;
    fill_data(kind, format, original, count_of(s), info.bytes);
    stn_archive *archive = pack(codec, s, format, NULL);
    unpack(archive, s, format);
    for (int64_t k = 0; k < count_of(s) * parts; k++) {
        const double was = value_at(original, info.component, k);
        const double is = value_at(restored, info.component, k);
        if (!(fabs(was - is) <= bound || was == is || (isnan(was) && isnan(is))))
            fail_msg("%s, %s, rank %d, %s data: value %lld is %.17g, not %.17g", codec, info.name,
                     s->rank, data_names[kind], (long long)k, is, was);
    }
    stn_archive_info about = STN_ARCHIVE_INFO_INIT;
    expect_ok(stn_archive_describe(archive, &about));
    assert_int_equal(about.loss, STN_ARCHIVE_BOUNDED);
    assert_true(about.error_bound == bound);
    stn_archive_release(archive);
}

UNIT_TEST(errors_are_within_the_bound)
{
    static const struct {
        const char *codec;
        double bound;
    } codecs[] = {{"zfp:accuracy=1e-3", 1e-3}, {"zfp:accuracy=1e-12", 1e-12},
                  {"sz:error=1e-3", 1e-3},     {"sz:error=1e-12", 1e-12},
                  {"sz:error=3", 3.0},         {"zfp:accuracy=1e-300", 1e-300},
                  {"sz:error=1e-300", 1e-300}, {"sz:error=1e300", 1e300}};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_C64, STN_C128};
    for (int c = 0; c < COUNT_OF(codecs); c++)
        for (int f = 0; f < COUNT_OF(formats) && is_available(codecs[c].codec); f++)
            for (int s = 0; s < COUNT_OF(shapes); s++)
                for (int kind = oracle_full() ? 0 : (c + s) % 2; kind < DATA_KINDS;
                     kind += oracle_full() ? 1 : 2)
                    check_bound(codecs[c].codec, codecs[c].bound, &shapes[s], formats[f],
                                (kind_of_data)kind);
}

UNIT_TEST(smooth_data_becomes_small)
{
    static const struct {
        const char *codec;
        double ratio;
    } codecs[] = {{"zfp:accuracy=1e-3", 4.0}, {"sz:error=1e-3", 8.0}, {"zfp:rate=8", 7.5},
                  {"zfp:precision=12", 3.0},  {"zfp", 1.1},           {"shuffle+zstd", 1.1}};
    const shape s = {1, {5000}, {0}, 1};
    for (int c = 0; c < COUNT_OF(codecs); c++) {
        stn_archive_info info = STN_ARCHIVE_INFO_INIT;
        if (!is_available(codecs[c].codec))
            continue;
        fill_data(DATA_SMOOTH, STN_F64, original, 5000, 8);
        stn_archive *archive = pack(codecs[c].codec, &s, STN_F64, NULL);
        expect_ok(stn_archive_describe(archive, &info));
        if (!(info.ratio >= codecs[c].ratio))
            fail_msg("%s: ratio %g, less than %g", codecs[c].codec, info.ratio, codecs[c].ratio);
        assert_true(info.smallest_block <= info.largest_block);
        unpack(archive, &s, STN_F64);
        for (int k = 0; k < 5000; k++)
            assert_true(fabs(value_at(original, STN_F64, k) - value_at(restored, STN_F64, k)) <
                        0.05);
        stn_archive_release(archive);
    }
}

/* ---- boxes ---- */

UNIT_TEST(boxes_are_read_and_written)
{
    enum { N = 20, M = 30 };
    static const char *const codecs[] = {"lzw", "sz:error=1e-9", "none"};
    static double model[N][M], box[N][M];
    uint64_t state = 5;
    for (int c = 0; c < COUNT_OF(codecs); c++) {
        const int64_t extents[] = {N, M}, block[] = {7, 8};
        stn_archive_options options =
            STN_INIT(stn_archive_options, .codec = codecs[c], .block = block);
        stn_archive *archive;
        memset(model, 0, sizeof model);
        expect_ok(stn_archive_create(&archive, STN_F64, 2, extents, &options));
        for (int k = 0; k < 200; k++) {
            const int64_t first[] = {(int64_t)(next_random(&state) % N),
                                     (int64_t)(next_random(&state) % M)};
            const int64_t size[] = {(int64_t)(next_random(&state) % (uint64_t)(N - first[0] + 1)),
                                    (int64_t)(next_random(&state) % (uint64_t)(M - first[1] + 1))};
            stn_view view = view_of(box, STN_F64, 2, size);
            double *const values = &box[0][0];
            if (k % 2 == 0) {
                for (int64_t i = 0; i < size[0] * size[1]; i++) {
                    values[i] = (double)(next_random(&state) % 1000);
                    model[first[0] + i / size[1]][first[1] + i % size[1]] = values[i];
                }
                expect_ok(stn_archive_write(NULL, archive, &view, first));
                continue;
            }
            expect_ok(stn_archive_read(NULL, &view, archive, first));
            for (int64_t i = 0; i < size[0] * size[1]; i++)
                assert_true(fabs(values[i] -
                                 model[first[0] + i / size[1]][first[1] + i % size[1]]) <= 1e-6);
        }
        stn_archive_release(archive);
    }
}

UNIT_TEST(elements_are_converted_to_the_format_and_layout_of_the_view)
{
    const int64_t extents[] = {6, 10};
    const stn_layout left = stn_layout_of(STN_LAYOUT_LEFT);
    stn_view from, to;
    stn_archive *archive;
    float *const values = (float *)(void *)original;
    for (int k = 0; k < 60; k++)
        values[k] = (float)k;
    from = view_of(original, STN_F32, 2, extents);
    expect_ok(stn_archive_pack(NULL, &archive, STN_I16, &from, NULL));
    expect_ok(stn_view_wrap_spec(
        &to, &STN_VIEW_SPEC(.label = "to", .storage = stn_storage_of(STN_F64), .data = restored,
                            .layout = &left, .rank = 2, .extents = extents)));
    expect_ok(stn_archive_read(NULL, &to, archive, NULL));
    for (int k = 0; k < 60; k++)
        assert_true(value_at(restored, STN_F64, k / 10 + k % 10 * 6) == (double)k);
    stn_archive_release(archive);
}

UNIT_TEST(new_archives_are_zero_and_take_no_memory)
{
    const int64_t extents[] = {(int64_t)1 << 20, 4096};
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    stn_archive *archive;
    expect_ok(stn_archive_create(&archive, STN_F64, 2, extents, NULL));
    expect_ok(stn_archive_describe(archive, &info));
    assert_int_equal(info.bytes, 0);
    assert_int_equal(info.array_bytes, (int64_t)1 << 35);
    assert_int_equal(info.largest_block, 0);
    assert_true(isinf(info.ratio));
    const int64_t one[] = {1, 3}, first[] = {1000000, 4093};
    stn_view view = view_of(restored, STN_F64, 2, one);
    memset(restored, 1, 24);
    expect_ok(stn_archive_read(NULL, &view, archive, first));
    assert_true(value_at(restored, STN_F64, 0) == 0.0 && value_at(restored, STN_F64, 2) == 0.0);
    stn_archive_release(archive);
    stn_archive_release(NULL);
}

UNIT_TEST(threads_give_the_same_bytes)
{
    const shape s = {2, {70, 70}, {8, 9}, 0};
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "threads:threads=3"));
    for (int c = 0; c < COUNT_OF(lossless); c++) {
        if (!is_available(lossless[c]))
            continue;
        fill_data(DATA_SMOOTH, STN_F64, original, 4900, 8);
        stn_archive *const alone = pack(lossless[c], &s, STN_F64, NULL);
        stn_archive *const threads = pack(lossless[c], &s, STN_F64, exec);
        assert_int_equal(alone->blocks, threads->blocks);
        for (int64_t k = 0; k < alone->blocks; k++) {
            assert_int_equal(alone->packed[k].length, threads->packed[k].length);
            assert_int_equal(alone->packed[k].checksum, threads->packed[k].checksum);
        }
        const stn_view view = view_of(restored, STN_F64, 2, s.extent);
        expect_ok(stn_archive_read(exec, &view, threads, NULL));
        assert_memory_equal(original, restored, 4900 * 8);
        expect_ok(stn_archive_verify(exec, threads));
        stn_archive_release(alone);
        stn_archive_release(threads);
    }
    stn_exec_release(exec);
}

/* ---- parts ---- */

UNIT_TEST(checksums_are_those_of_xxh64)
{
    assert_true(stn_checksum("", 0) == 0xef46db3751d8e999);
    assert_true(stn_checksum("a", 1) == 0xd24ec4f1a98c6e5b);
    assert_true(stn_checksum("abc", 3) == 0x44bc2cf5ad770999);
    assert_true(stn_checksum("No"
                             "body inspects the spammish repetition",
                             39) == 0xfbcea83c8a378bf1);
}

UNIT_TEST(filters_group_bytes_and_bits)
{
    const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 8, 16}, counts[] = {1, 7, 8, 9, 100, 520, 1100};
    static uint8_t from[1100 * 16], to[1100 * 16], back[1100 * 16];
    uint64_t state = 9;
    for (int k = 0; k < 1100 * 16; k++)
        from[k] = (uint8_t)next_random(&state);
    for (int s = 0; s < COUNT_OF(sizes); s++)
        for (int c = 0; c < COUNT_OF(counts); c++) {
            const int64_t bytes = sizes[s], count = counts[c];
            stn_packer_shuffle.filter(to, from, count, bytes);
            for (int64_t k = 0; k < count * bytes; k++)
                assert_int_equal(to[k % bytes * count + k / bytes], from[k]);
            stn_packer_shuffle.unfilter(back, to, count, bytes);
            assert_memory_equal(back, from, (size_t)(count * bytes));
            stn_packer_bitshuffle.filter(to, from, count, bytes);
            for (int64_t k = 0; count == 8 && k < 64 * bytes; k++) {
                const int64_t b = k / 64, t = k / 8 % 8, j = k % 8;
                assert_int_equal(to[8 * b + t] >> j & 1, from[j * bytes + b] >> t & 1);
            }
            stn_packer_bitshuffle.unfilter(back, to, count, bytes);
            assert_memory_equal(back, from, (size_t)(count * bytes));
        }
}

UNIT_TEST(codecs_are_listed)
{
    static const char *const names[] = {"none", "zstd", "zlib", "lz4",     "blosc",
                                        "lzw",  "zfp",  "sz",   "shuffle", "bitshuffle"};
    stn_archive_codec_info info = STN_ARCHIVE_CODEC_INFO_INIT;
    assert_int_equal(stn_archive_codec_count(), COUNT_OF(names));
    for (int k = 0; k < COUNT_OF(names); k++) {
        expect_ok(stn_archive_codec_describe(k, &info));
        assert_string_equal(info.name, names[k]);
        assert_int_equal(info.is_filter, k >= 8);
    }
    expect_error(stn_archive_codec_describe(COUNT_OF(names), &info), STN_ERR_RANGE, "0 to 9");
    expect_error(stn_archive_codec_describe(0, NULL), STN_ERR_ARGUMENT, "info");
}

RUN_UNIT_TESTS(NULL, NULL)
