/* The codecs of block formats in OpenCL C, on every device with double: they give the bits of the
 * library. */
#include "check.h"

#include <math.h>
#include <stdio.h>

#include "opencl.h"
#include "steno/block_format.h"

enum { BLOCKS = 64, MAX_ELEMENTS = 32, MAX_BYTES = 160 };

static const char text[] =
    "kernel void convert_all(global uchar *blocks, global const double *values,\n"
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

static void build(opencl_device *d)
{
    static const char *const texts[] = {"#include \"kernels.h\"\n", text};
    opencl_build(d, texts, COUNT_OF(texts),
                 "-cl-std=CL1.2 -I " STENO_TEST_DATA "/../../include -I " STENO_TEST_DATA
                 "/../format/blocks");
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
    opencl_run(d, "convert_all", BLOCKS, arrays, 4,
               (const uint32_t[]){(uint32_t)format, scale_bytes}, 2);
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

/* A kernel of accessors stores the blocks of a view, and reads its values. */
static void check_accessors(const opencl_device *d, const char *kernel, stn_format format)
{
    enum { ROWS = 5, COLUMNS = 70, MOST = ROWS * 5 * 130 };
    static double values[ROWS * COLUMNS], elements[ROWS * COLUMNS], loaded[ROWS * COLUMNS];
    static unsigned char codes[MOST], scales[MOST];
    const int64_t extents[] = {ROWS, COLUMNS};
    stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_view view, from;
    expect_ok(stn_format_describe(format, &info));
    expect_ok(stn_view_create(NULL, &view, "x", stn_storage_of(format), 2, extents));
    for (int64_t k = 0; k < ROWS * COLUMNS; k++)
        values[k] = ldexp(cos(0.4 * (double)k), (int)(k / 33 % 9));
    expect_ok(stn_view_wrap(&from, "values", stn_storage_of(STN_F64), values, 2, extents));
    expect_ok(stn_view_copy(NULL, &view, &from));
    expect_ok(stn_view_blocks(&view, &arrays));
    const opencl_array memory[] = {{codes, sizeof codes},
                                   {scales, sizeof scales},
                                   {values, sizeof values},
                                   {elements, sizeof elements},
                                   {loaded, sizeof loaded}};
    opencl_run(d, kernel, ROWS, memory, COUNT_OF(memory), (const uint32_t[]){ROWS, COLUMNS}, 2);
    const int64_t code_bytes = info.block_elements * info.bits / 8;
    const int64_t scale_bytes = info.block_bytes - code_bytes;
    for (int64_t b = 0; b < arrays.blocks; b++) {
        assert_memory_equal(codes + b * code_bytes, (char *)arrays.codes + b * arrays.code_step,
                            (size_t)code_bytes);
        assert_memory_equal(scales + b * scale_bytes, (char *)arrays.scales + b * arrays.scale_step,
                            (size_t)scale_bytes);
    }
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) {
        double known;
        expect_ok(STN_VIEW_GET(&view, &known, k / COLUMNS, k % COLUMNS));
        assert_true(elements[k] == known && loaded[k] == known);
    }
    expect_ok(stn_view_release(&view));
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
#define CHECK_ROW(id, NAME, name, element, elements, scale, placement)                             \
    if (d.has_double)                                                                              \
        check_accessors(&d, "access_" #name, STN_##NAME);
        STN_BLOCK_TABLE(CHECK_ROW)
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
