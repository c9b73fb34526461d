/* codec.h as OpenCL C on every device there is: decoding and encoding give the bits that C11 gives.
 * The loader is opened at run time; without it, or without a device, the test is skipped. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "opencl.h"
#include "oracle.h"

/* ---- the program: codec.h and two kernels for each format ---- */

static const char kernels[] =
    "#define F32_8(name) stn_bits_of_f32(stn_##name##_to_f32(code))\n"
    "#define F32_16(name) F32_8(name)\n"
    "#define F32_24(name) F32_8(name)\n"
    "#define F32_32(name) 0\n"
    "#define F32_40(name) F32_8(name)\n"
    "#define F32_48(name) F32_8(name)\n"
    "#define F32_64(name) 0\n"
    "#define FROM_8(name) stn_bits_of_##name(\\\n"
    "    stn_##name##_from_f32(stn_f32_of_bits((stn_u32)values[k])))\n"
    "#define FROM_16(name) FROM_8(name)\n"
    "#define FROM_24(name) FROM_8(name)\n"
    "#define FROM_32(name) 0\n"
    "#define FROM_40(name) FROM_8(name)\n"
    "#define FROM_48(name) FROM_8(name)\n"
    "#define FROM_64(name) 0\n"
    "#define CODE_8(name, given) const stn_##name code = stn_##name##_of_bits(given);\n"
    "#define CODE_16(name, given) CODE_8(name, given)\n"
    "#define CODE_24(name, given) CODE_8(name, given)\n"
    "#define CODE_40(name, given) CODE_8(name, given)\n"
    "#define CODE_48(name, given) CODE_8(name, given)\n"
    "#define CODE_32(name, given)\n"
    "#define CODE_64(name, given)\n"
    "#define FLOAT_KERNELS(id, NAME, name, width, e, f, specials, habit)\\\n"
    "kernel void decode_##name(global const ulong *codes, global ulong *wide,\\\n"
    "                          global uint *narrow)\\\n"
    "{\\\n"
    "    const size_t k = get_global_id(0);\\\n"
    "    CODE_##width(name, codes[k])\\\n"
    "    wide[k] = stn_float_decode(codes[k], stn_##name##_kind());\\\n"
    "    narrow[k] = F32_##width(name);\\\n"
    "}\\\n"
    "kernel void encode_##name(global const ulong *values, global ulong *codes,\\\n"
    "                          global uint *events, uint rounding, uint overflow)\\\n"
    "{\\\n"
    "    const size_t k = get_global_id(0);\\\n"
    "    unsigned happened = 0;\\\n"
    "    codes[k] = stn_float_encode(values[k], stn_##name##_kind(), (stn_rounding)rounding,\\\n"
    "                                (stn_overflow)overflow, stn_random_bits(5, k), &happened);\\\n"
    "    const ulong named = FROM_##width(name);\\\n"
    "    events[k] = happened | (uint)(named ^ named >> 24) << 8;\\\n"
    "}\n"
    "#define INTEGER_KERNELS(id, NAME, name, width, is_signed)\\\n"
    "kernel void decode_##name(global const ulong *codes, global ulong *wide,\\\n"
    "                          global uint *narrow)\\\n"
    "{\\\n"
    "    const size_t k = get_global_id(0);\\\n"
    "    wide[k] = (ulong)stn_integer_decode(codes[k], width, is_signed);\\\n"
    "    narrow[k] = 0;\\\n"
    "}\\\n"
    "kernel void encode_##name(global const ulong *values, global ulong *codes,\\\n"
    "                          global uint *events, uint rounding, uint overflow)\\\n"
    "{\\\n"
    "    const size_t k = get_global_id(0);\\\n"
    "    unsigned happened = 0;\\\n"
    "    codes[k] = stn_integer_encode(values[k], width, is_signed, (stn_rounding)rounding,\\\n"
    "                                  stn_random_bits(5, k), &happened);\\\n"
    "    events[k] = happened;\\\n"
    "}\n"
    "#define NO_KERNEL(id, NAME, name, component)\n"
    "STN_FORMAT_TABLE(FLOAT_KERNELS, INTEGER_KERNELS, NO_KERNEL)\n"
    "#ifdef STN_HAVE_DOUBLE\n"
    "#define F64_8(name, width) F64(name, width)\n"
    "#define F64_16(name, width) F64(name, width)\n"
    "#define F64_24(name, width) F64(name, width)\n"
    "#define F64_40(name, width) F64(name, width)\n"
    "#define F64_48(name, width) F64(name, width)\n"
    "#define F64_32(name, width)\n"
    "#define F64_64(name, width)\n"
    "#define F64(name, width)\\\n"
    "kernel void double_##name(global const ulong *codes, global ulong *wide,\\\n"
    "                          global const ulong *values, global ulong *made)\\\n"
    "{\\\n"
    "    const size_t k = get_global_id(0);\\\n"
    "    CODE_##width(name, codes[k])\\\n"
    "    wide[k] = stn_bits_of_f64(stn_##name##_to_f64(code));\\\n"
    "    made[k] = stn_bits_of_##name(stn_##name##_from_f64(stn_f64_of_bits(values[k])));\\\n"
    "}\n"
    "#define F64_ROW(id, NAME, name, width, e, f, specials, habit) F64_##width(name, width)\n"
    "#define NO_INTEGER(id, NAME, name, width, is_signed)\n"
    "STN_FORMAT_TABLE(F64_ROW, NO_INTEGER, NO_KERNEL)\n"
    "#endif\n";

/* A header's text; the headers that it includes are blanked: they have come before, or hide macros
 * of a program's own. */
static char *text_of(const char *name)
{
    static const char included[] = "#include \"steno/";
    char path[1024];
    snprintf(path, sizeof path, "%s/../../include/steno/%s", STENO_TEST_DATA, name);
    char *text = opencl_read(path);
    for (char *line; (line = strstr(text, included));)
        memset(line, ' ', strcspn(line, "\n"));
    return text;
}

static void build(opencl_device *d)
{
    char *table = text_of("detail/format_table.h");
    char *codec = text_of("codec.h");
    const char *const texts[] = {table, codec, kernels};
    opencl_build(d, texts, 3, "-cl-std=CL1.2");
    free(table);
    free(codec);
}

enum { MOST = 100000 };

/* The arrays go there and come back; then come two numbers, if the kernel has them. */
static void run(const opencl_device *d, const char *what, const char *format, size_t count,
                const opencl_array *arrays, int array_count, const uint32_t *numbers)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s", what, format);
    opencl_run(d, name, count, arrays, array_count, numbers, numbers ? 2 : 0);
}

static void compare(const opencl_device *d, const char *what, const oracle_format *f,
                    uint64_t given, uint64_t found, uint64_t expected)
{
    if (found != expected)
        fail_msg("%s, %s %s of %016" PRIx64 ": %" PRIx64 ", in C11 %" PRIx64, d->name, f->name,
                 what, given, found, expected);
}

/* ---- what C11 gives ---- */

typedef struct named_codec {
    uint32_t (*to_f32)(uint64_t code);
    uint64_t (*to_f64)(uint64_t code);
    uint64_t (*from_f32)(uint64_t bits);
    uint64_t (*from_f64)(uint64_t bits);
} named_codec;

#define NAMED_8(name)                                                                              \
    static uint32_t name##_to_f32(uint64_t code)                                                   \
    {                                                                                              \
        stn_##name narrow;                                                                         \
        memcpy(&narrow, &code, sizeof narrow);                                                     \
        return stn_bits_of_f32(stn_##name##_to_f32(narrow));                                       \
    }                                                                                              \
    static uint64_t name##_to_f64(uint64_t code)                                                   \
    {                                                                                              \
        stn_##name narrow;                                                                         \
        memcpy(&narrow, &code, sizeof narrow);                                                     \
        return stn_bits_of_f64(stn_##name##_to_f64(narrow));                                       \
    }                                                                                              \
    static uint64_t name##_from_f32(uint64_t bits)                                                 \
    {                                                                                              \
        return stn_bits_of_##name(stn_##name##_from_f32(stn_f32_of_bits((uint32_t)bits)));         \
    }                                                                                              \
    static uint64_t name##_from_f64(uint64_t bits)                                                 \
    {                                                                                              \
        return stn_bits_of_##name(stn_##name##_from_f64(stn_f64_of_bits(bits)));                   \
    }
#define NAMED_16(name) NAMED_8(name)
#define NAMED_24(name) NAMED_8(name)
#define NAMED_32(name)
#define NAMED_40(name) NAMED_8(name)
#define NAMED_48(name) NAMED_8(name)
#define NAMED_64(name)
#define ENTRY_8(NAME, name)                                                                        \
    [STN_##NAME] = {name##_to_f32, name##_to_f64, name##_from_f32, name##_from_f64},
#define ENTRY_16(NAME, name) ENTRY_8(NAME, name)
#define ENTRY_24(NAME, name) ENTRY_8(NAME, name)
#define ENTRY_32(NAME, name)
#define ENTRY_40(NAME, name) ENTRY_8(NAME, name)
#define ENTRY_48(NAME, name) ENTRY_8(NAME, name)
#define ENTRY_64(NAME, name)
#define NAMED_ROW(id, NAME, name, bits, ...) NAMED_##bits(name)
#define ENTRY_ROW(id, NAME, name, bits, ...) ENTRY_##bits(NAME, name)
#define NO_ROW(...)

STN_FORMAT_TABLE(NAMED_ROW, NO_ROW, NO_ROW)

static const named_codec named[STN_BUILTIN_FORMATS] = {STN_FORMAT_TABLE(ENTRY_ROW, NO_ROW, NO_ROW)};

/* ---- the tests ---- */

static uint64_t codes[MOST], values[MOST], wide[MOST];
static uint32_t small[MOST];

static void check_decode(const opencl_device *d, const oracle_format *f)
{
    const size_t count = (size_t)oracle_code_count(f);
    assert_true(count <= MOST);
    for (size_t k = 0; k < count; k++)
        codes[k] = oracle_code(f, (int64_t)k);
    const opencl_array arrays[] = {{codes, 8 * count}, {wide, 8 * count}, {small, 4 * count}};
    run(d, "decode", f->name, count, arrays, 3, NULL);
    for (size_t k = 0; k < count; k++) {
        const uint64_t expected =
            f->kind == ORACLE_FLOAT ? stn_float_decode(codes[k], steno_kind(f))
                                    : (uint64_t)stn_integer_decode(codes[k], f->bits, f->is_signed);
        compare(d, "decode", f, codes[k], wide[k], expected);
        if (named[f->id].to_f32)
            compare(d, "to_f32", f, codes[k], small[k], named[f->id].to_f32(codes[k]));
    }
}

/* A code of more than 24 bits in 24 bits. */
static uint64_t folded(uint64_t code)
{
    return (code ^ code >> 24) & 0xffffff;
}

static void check_encode(const opencl_device *d, const oracle_format *f, uint32_t rounding,
                         uint32_t overflow)
{
    const opencl_array arrays[] = {
        {values, sizeof values}, {codes, sizeof codes}, {small, sizeof small}};
    const uint32_t numbers[] = {rounding, overflow};
    for (uint64_t k = 0; k < MOST; k++)
        values[k] = k < (uint64_t)oracle_special_f64_count
                        ? oracle_specials_f64[k]
                        : oracle_input_f64(f, k + MOST * rounding);
    run(d, "encode", f->name, MOST, arrays, 3, numbers);
    for (uint64_t k = 0; k < MOST; k++) {
        const oracle_rule rule = {(stn_rounding)rounding, (stn_overflow)overflow,
                                  stn_random_bits(5, k)};
        unsigned events = 0;
        const uint64_t expected = steno_encode(f, stn_f64_of_bits(values[k]), rule, &events);
        compare(d, "encode", f, values[k], codes[k], expected);
        compare(d, "events", f, values[k], small[k] & 0xff, events);
        if (named[f->id].from_f32)
            compare(d, "from_f32", f, values[k], small[k] >> 8,
                    folded(named[f->id].from_f32(values[k])));
    }
}

static void check_double(const opencl_device *d, const oracle_format *f)
{
    static uint64_t made[MOST];
    const opencl_array arrays[] = {
        {codes, sizeof codes}, {wide, sizeof wide}, {values, sizeof values}, {made, sizeof made}};
    if (!d->has_double || !named[f->id].to_f64)
        return;
    for (uint64_t k = 0; k < MOST; k++) {
        codes[k] = f->bits <= 16 ? k & (((uint64_t)1 << f->bits) - 1)
                                 : oracle_random(3, k) >> (64 - f->bits);
        values[k] = oracle_input_f64(f, 9 * k);
    }
    run(d, "double", f->name, MOST, arrays, 4, NULL);
    for (uint64_t k = 0; k < MOST; k++) {
        compare(d, "to_f64", f, codes[k], wide[k], named[f->id].to_f64(codes[k]));
        compare(d, "from_f64", f, values[k], made[k], named[f->id].from_f64(values[k]));
    }
}

static int device_count;

TEST_CASE(gives_the_bits_of_c11)
{
    for (int k = 0; k < device_count; k++) {
        opencl_device d;
        opencl_open(&d, k);
        build(&d);
        print_message("%s, double: %s\n", d.name, d.has_double ? "yes" : "no");
        for (stn_i64 id = 0; id < STN_BUILTIN_FORMATS; id++) {
            const oracle_format *f = &oracle_formats[id];
            if (f->kind == ORACLE_COMPLEX)
                continue;
            check_decode(&d, f);
            for (uint32_t rule = 0; rule < 6; rule++)
                check_encode(&d, f, rule % 3, rule % 4);
            check_double(&d, f);
        }
        opencl_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_the_bits_of_c11)};
    device_count = opencl_count();
    if (device_count == 0) {
        print_message("skipped: no OpenCL device, or no libOpenCL.so.1\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
