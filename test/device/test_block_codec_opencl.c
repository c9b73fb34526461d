/* The codecs of block formats in OpenCL C, on every device with double: they give the bits of the
 * library. */
#include "check.h"

#include <math.h>
#include <stdio.h>

#include "opencl.h"
#include "steno/block_format.h"

enum { BLOCKS = 64, MAX_ELEMENTS = 32, MAX_BYTES = 160 };

static const char text[] =
    "kernel void convert(global uchar *blocks, global const double *values,\n"
    "                    global double *decoded, global double *elements, int format, int bytes)\n"
    "{\n"
    "    const int b = get_global_id(0), count = stn_block_elements(format);\n"
    "    global uchar *scale = blocks + b * 160, *codes = scale + bytes;\n"
    "    double block[32];\n"
    "    for (int k = 0; k < count; k++)\n"
    "        block[k] = values[b * 32 + k];\n"
    "    stn_block_encode(format, codes, scale, block);\n"
    "    stn_block_decode(format, block, codes, scale);\n"
    "    for (int k = 0; k < count; k++) {\n"
    "        decoded[b * 32 + k] = block[k];\n"
    "        elements[b * 32 + k] = stn_block_read(format, codes, scale, k);\n"
    "    }\n"
    "}\n";

/* A header without its includes. */
static char *header_of(const char *name)
{
    static const char included[] = "#include \"steno/";
    char path[1024];
    snprintf(path, sizeof path, "%s/../../include/steno/%s", STENO_TEST_DATA, name);
    char *const header = opencl_read(path);
    for (char *line; (line = strstr(header, included));)
        memset(line, ' ', strcspn(line, "\n"));
    return header;
}

static void build(opencl_device *d)
{
    char *const table = header_of("detail/format_table.h"), *const codec = header_of("codec.h"),
                *const blocks = header_of("block_codec.h");
    const char *const texts[] = {table, codec, blocks, text};
    opencl_build(d, texts, COUNT_OF(texts), "-cl-std=CL1.2");
    free(table);
    free(codec);
    free(blocks);
}

static void check_format(const opencl_device *d, stn_format format)
{
    static double values[BLOCKS * MAX_ELEMENTS], decoded[BLOCKS * MAX_ELEMENTS],
        elements[BLOCKS * MAX_ELEMENTS];
    static unsigned char blocks[BLOCKS * MAX_BYTES];
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(format, &info));
    for (int k = 0; k < BLOCKS * MAX_ELEMENTS; k++)
        values[k] = ldexp(sin(k * 0.37 + format), k / 64 % 40 - 20 + (k % 3 == 0 ? 3 : 0));
    values[3] = (double)NAN;
    const stn_storage storage = stn_storage_of(format);
    const int64_t count = info.block_elements;
    const uint32_t scale_bytes = (uint32_t)(info.block_bytes - count * info.bits / 8);
    const opencl_array arrays[] = {{blocks, sizeof blocks},
                                   {values, sizeof values},
                                   {decoded, sizeof decoded},
                                   {elements, sizeof elements}};
    memset(blocks, 0, sizeof blocks);
    opencl_run(d, "convert", BLOCKS, arrays, 4, (const uint32_t[]){(uint32_t)format, scale_bytes},
               2);
    for (int b = 0; b < BLOCKS; b++) {
        unsigned char expected[MAX_BYTES] = {0};
        double known[MAX_ELEMENTS];
        const int64_t at = (int64_t)b * MAX_ELEMENTS;
        expect_ok(stn_encode(STN_F64, &storage, expected, 1, 0, values + at, count));
        expect_ok(stn_decode(STN_F64, known, &storage, expected, 1, count));
        assert_memory_equal(blocks + b * MAX_BYTES, expected, sizeof expected);
        for (int64_t k = 0; k < count; k++)
            if (!isnan(known[k]) || !isnan(decoded[at + k]) || !isnan(elements[at + k]))
                assert_true(decoded[at + k] == known[k] && elements[at + k] == known[k]);
    }
}

static int device_count;

UNIT_TEST(blocks_have_the_bits_of_the_library)
{
    for (int k = 0; k < device_count; k++) {
        opencl_device d;
        opencl_open(&d, k);
        if (d.has_double)
            build(&d);
        for (stn_format f = STN_BUILTIN_FORMATS; d.has_double && f < STN_FIRST_REGISTERED; f++)
            check_format(&d, f);
        opencl_close(&d);
    }
}

int main(void)
{
    device_count = opencl_count();
    if (device_count == 0) {
        print_message("skipped: no OpenCL device, or no libOpenCL.so.1\n");
        return 77;
    }
    return run_unit_tests("block codecs in OpenCL C", NULL, NULL);
}
