/* Files that contracts are about: functions are listed as they are, found by name, and decoded;
 * every allocation on the way may fail. */
#define _GNU_SOURCE
#include "check.h"
#include "contract/image/unpack.h"
#include "contract_files.h"
#include "core/memory.h"

#include <dirent.h>
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what is there ---- */

TEST_CASE(a_listed_cubin)
{
    stn_image_info about = STN_IMAGE_INFO_INIT;
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    make_sample(86);
    stn_image *image = open_sample();
    expect_ok(stn_image_describe(image, &about));
    assert_string_equal(about.name, "a.file");
    assert_int_equal(about.machine, STN_MACHINE_NVIDIA);
    assert_int_equal(about.functions, 2);
    assert_string_equal(about.compiler, "Cuda compilation tools, release 99.5, V99.5.1");
    expect_ok(stn_image_function(image, 1, &info));
    assert_string_equal(info.symbol, "second");
    assert_string_equal(info.name, "second");
    assert_string_equal(info.target, "sm_86");
    assert_int_equal(info.bytes, 32);
    assert_int_equal(info.registers, 12);
    assert_int_equal(info.stack_bytes, 8);
    assert_int_equal(info.loops, 0);
    assert_int_equal(info.main_loop, -1);
    stn_image_close(image);
}

/* Symbol 1 is the function first, 2 second; each is all of section 6 or 7. */
static void change_symbol(int number, size_t field, const void *value, size_t size)
{
    Elf64_Ehdr header;
    Elf64_Shdr symbols;
    memcpy(&header, sample.bytes, sizeof header);
    memcpy(&symbols, sample.bytes + header.e_shoff + 3 * sizeof symbols, sizeof symbols);
    memcpy(sample.bytes + symbols.sh_offset + (size_t)number * sizeof(Elf64_Sym) + field, value,
           size);
}

/* ptxas puts what a kernel calls into its section, inside of its size. */
TEST_CASE(a_function_inside_of_a_kernel)
{
    const uint64_t place = 16, size = 16;
    const Elf64_Section section = 6;
    make_sample(90);
    change_symbol(2, offsetof(Elf64_Sym, st_value), &place, sizeof place);
    change_symbol(2, offsetof(Elf64_Sym, st_size), &size, sizeof size);
    change_symbol(2, offsetof(Elf64_Sym, st_shndx), &section, sizeof section);
    stn_image *image = open_sample();
    assert_int_equal(image->count, 2);
    assert_string_equal(image->symbols[0].symbol, "first");
    assert_int_equal(image->symbols[0].bytes, 16);
    assert_int_equal(image->symbols[1].address, 16);
    assert_int_equal(image->symbols[1].bytes, 16);
    assert_int_equal(image->symbols[1].code - image->symbols[0].code, 16);
    stn_image_close(image);
}

TEST_CASE(a_function_of_unknown_size)
{
    const uint64_t size = 0;
    make_sample(90);
    change_symbol(1, offsetof(Elf64_Sym, st_size), &size, sizeof size);
    stn_image *image = open_sample();
    assert_int_equal(image->symbols[0].bytes, 32); /* all of its section */
    stn_image_close(image);
}

TEST_CASE(a_section_without_code)
{
    Elf64_Ehdr header;
    Elf64_Shdr text;
    make_sample(90);
    memcpy(&header, sample.bytes, sizeof header);
    unsigned char *place = sample.bytes + header.e_shoff + 6 * sizeof text;
    memcpy(&text, place, sizeof text);
    text.sh_flags = SHF_ALLOC;
    memcpy(place, &text, sizeof text);
    stn_image *image = open_sample();
    assert_int_equal(image->count, 1);
    assert_string_equal(image->symbols[0].symbol, "second");
    stn_image_close(image);
}

TEST_CASE(nothing_said_of_registers)
{
    const made_kernel kernel = {"k", store_one, 2, -1, -1};
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    sample.size = made_cubin(75, 7, &kernel, 1, sample.bytes);
    stn_image *image = open_sample();
    expect_ok(stn_image_function(image, 0, &info));
    assert_string_equal(info.target, "sm_75"); /* of the older ABI */
    assert_int_equal(info.registers, -1);
    assert_int_equal(info.stack_bytes, -1);
    stn_image_close(image);
}

TEST_CASE(fat_binaries)
{
    static unsigned char cubin[3][MADE_ROOM], fat[4 * MADE_ROOM];
    static const int sms[3] = {80, 90, 60};
    size_t size[3];
    stn_image *image;
    int32_t function;
    for (int c = 0; c < 3; c++) {
        const made_kernel kernel = {"k", store_one, 2, 20 + c, 0};
        size[c] = made_cubin(sms[c], 8, &kernel, 1, cubin[c]);
    }
    const made_part parts[] = {{1, (const unsigned char *)".version 9.0", 12},
                               {2, cubin[0], size[0]},
                               {2, (const unsigned char *)"\x28\xb5\x2f\xfd", 4},
                               {2, cubin[2], size[2]},
                               {2, cubin[1], size[1]}};
    const size_t fat_size = made_fatbin(parts, 5, fat, sizeof fat);
    expect_ok(stn_image_open_memory(&image, fat, fat_size, "f"));
    assert_int_equal(image->count, 2);
    assert_int_equal(image->left_out, 2);
    expect_error(stn_image_find(image, "k", &function), STN_ERR_RANGE, NULL);
    assert_string_equal(stn_error(), "f: 2 functions are named k, the first for sm_80");
    expect_ok(stn_image_find(image, "k@sm_90", &function));
    assert_string_equal(image->symbols[function].target, "sm_90");
    assert_int_equal(image->symbols[function].registers, 21);
    stn_image_close(image);
    const size_t compressed = made_fatbin(parts + 2, 2, fat, sizeof fat);
    expect_error(stn_image_open_memory(&image, fat, compressed, "f"), STN_ERR_UNSUPPORTED, NULL);
    assert_string_equal(stn_error(), "f: all 2 cubins inside are ignored, the last one because it "
                                     "is for an unsupported machine (supported: sm_75 to sm_121)");
    fat[16 + 8 + 3] = 0x7f; /* the size of the first entry */
    expect_error(stn_image_open_memory(&image, fat, compressed, "f"), STN_ERR_PARSE, NULL);
    assert_string_equal(stn_error(), "f: a damaged or truncated fat binary");
}

/* What liblz4 and libzstd packed, in the containers of nvcc 13.0. */
TEST_CASE(compressed_cubins)
{
    static const char *const seeds[] = {"fatbin_lz4", "fatbin_zstd"};
    static const char *const cubins[] = {"cubin_75", "cubin_90"};
    static file plain;
    for (int s = 0; s < 2; s++) {
        read_seed(seeds[s], &sample);
        stn_image *image = open_sample();
        assert_int_equal(image->cubins, 2);
        assert_int_equal(image->other_entries, 1);
        const stn_unpacked *block = image->unpacked;
        for (int c = 1; c >= 0; c--, block = block->before) {
            read_seed(cubins[c], &plain);
            assert_non_null(block);
            assert_int_equal(block->size, plain.size);
            assert_memory_equal(block->bytes, plain.bytes, plain.size);
        }
        stn_image_close(image);
        sample.bytes[16 + 56]++; /* the size of the first cubin */
        expect_error(stn_image_open_memory(&image, sample.bytes, sample.size, "f"), STN_ERR_PARSE,
                     NULL);
        assert_string_equal(stn_error(), "f: a damaged or truncated fat binary");
        sample.bytes[16 + 56 + 5] = 1; /* 2^40 bytes */
        expect_error(stn_image_open_memory(&image, sample.bytes, sample.size, "f"), STN_ERR_PARSE,
                     NULL);
    }
}

/* A literal, a copy that overlaps itself, lengths of several bytes; and all that can be wrong. */
TEST_CASE(lz4_by_hand)
{
    unsigned char to[400], from[400];
    static const unsigned char short_one[] = {0x20, 'a', 'b', 2, 0, 0x10, 'c'};
    static const unsigned char long_one[] = {0x1f, 'x', 1, 0, 255, 20, 0x00};
    static const unsigned char before_start[] = {0x10, 'a', 2, 0, 0x00},
                               no_step[] = {0x10, 'a', 0, 0, 0};
    assert_int_equal(stn_unpack_lz4(short_one, sizeof short_one, to, 7), 1);
    assert_memory_equal(to, "abababc", 7);
    for (size_t room = 0; room < 7; room++) {
        memset(to, 0, sizeof to);
        assert_int_equal(stn_unpack_lz4(short_one, sizeof short_one, to, room), 0);
        assert_int_equal(to[room], 0); /* behind it nothing is written */
    }
    assert_int_equal(stn_unpack_lz4(short_one, sizeof short_one, to, 8), 0);
    for (size_t size = 0; size < sizeof short_one; size++)
        assert_int_equal(stn_unpack_lz4(short_one, size, to, 7), 0);
    memset(to, 0, sizeof to);
    assert_int_equal(stn_unpack_lz4(long_one, sizeof long_one, to, 295), 1);
    for (int k = 0; k < 295; k++)
        assert_int_equal(to[k], 'x');
    assert_int_equal(stn_unpack_lz4(before_start, sizeof before_start, to, 5), 0);
    assert_int_equal(stn_unpack_lz4(no_step, sizeof no_step, to, 5), 0);
    memset(from, 7, sizeof from);
    from[0] = 0xf0;
    from[1] = 255;
    from[2] = 30;
    assert_int_equal(stn_unpack_lz4(from, 303, to, 300), 1);
    assert_int_equal(stn_unpack_lz4(from, 302, to, 300), 0);
}

/* Linking puts those of several object files one after the other, with padding between. */
TEST_CASE(several_fat_binaries)
{
    static unsigned char fat[4 * MADE_ROOM];
    make_sample(90);
    const made_part part = {2, sample.bytes, sample.size};
    const size_t first = made_fatbin(&part, 1, fat, MADE_ROOM) + 16;
    const size_t second = made_fatbin(&part, 1, fat + first, MADE_ROOM);
    stn_image *image;
    expect_ok(stn_image_open_memory(&image, fat, first + second, "f"));
    assert_int_equal(image->count, 4);
    assert_int_equal(image->symbols[0].cubin, 0);
    assert_int_equal(image->symbols[3].cubin, 1);
    stn_image_close(image);
}

TEST_CASE(a_host_object_with_cubins)
{
    int32_t function;
    read_seed("host", &sample);
    stn_image *image = open_sample();
    assert_int_equal(image->machine, STN_MACHINE_X86_64);
    expect_ok(stn_image_find(image, "loop", &function));
    assert_string_equal(image->symbols[function].target, "x86-64");
    expect_ok(stn_image_find(image, "k_one@sm_120", &function));
    assert_int_equal(image->symbols[function].registers, 24);
    assert_int_equal(image->symbols[function].stack_bytes, 856);
    assert_true(function >= 2); /* after the host's */
    assert_memory_equal(image->compiler, "GCC: ", 5);
    stn_image_close(image);
}

TEST_CASE(names)
{
    const made_kernel kernels[] = {{"axpy_f32", store_one, 2, 1, 0},
                                   {"axpy_f64", store_one, 2, 1, 0},
                                   {"_Z4axpyIfEvPT_", store_one, 2, 1, 0}};
    int32_t function = -7;
    sample.size = made_cubin(90, 8, kernels, 3, sample.bytes);
    stn_image *image = open_sample();
    expect_ok(stn_image_find(image, "axpy_f64", &function));
    assert_string_equal(image->symbols[function].symbol, "axpy_f64");
    expect_ok(stn_image_find(image, "/f32$/", &function));
    assert_string_equal(image->symbols[function].symbol, "axpy_f32");
    expect_error(stn_image_find(image, "/axpy_/", &function), STN_ERR_RANGE, NULL);
    expect_error(stn_image_find(image, "/(/", &function), STN_ERR_PARSE, NULL);
    expect_error(stn_image_find(image, "axpy_f16", &function), STN_ERR_RANGE, NULL);
    assert_string_equal(stn_error(), "a.file: none of its 3 functions is axpy_f16; similar: "
                                     "axpy_f32, axpy_f64");
    expect_error(stn_image_find(image, "axpy_f64@sm_80", &function), STN_ERR_RANGE, NULL);
    assert_string_equal(stn_error(),
                        "a.file: none of its 3 functions is axpy_f64 of sm_80; similar: "
                        "axpy_f64, axpy_f32");
    expect_ok(stn_image_find(image, "void axpy<float>(float*)", &function));
    expect_ok(stn_image_find(image, "/^void axpy<float>/", &function));
    assert_string_equal(image->symbols[function].symbol, "_Z4axpyIfEvPT_");
    stn_image_close(image);
}

/* Without c++filt names stay as they are. */
TEST_CASE(without_demangler)
{
    const made_kernel kernel = {"_Z4axpyIfEvPT_", store_one, 2, 1, 0};
    sample.size = made_cubin(90, 8, &kernel, 1, sample.bytes);
    stn_image *image = open_sample();
    assert_string_equal(image->symbols[0].name, "_Z4axpyIfEvPT_");
    stn_image_close(image);
}

TEST_CASE(a_stripped_file)
{
    int32_t function;
    read_seed("stripped", &sample);
    stn_image *image = open_sample();
    expect_ok(stn_image_find(image, "twice", &function)); /* it is exported */
    expect_error(stn_image_find(image, "hidden", &function), STN_ERR_RANGE, NULL);
    assert_string_equal(stn_error(), "a.file: none of its 2 functions is hidden; the file is "
                                     "stripped of its symbols");
    stn_image_close(image);
}

/* ---- the host's own code ---- */

double stn_test_probe(const double *x, int n);

__attribute__((noinline)) double stn_test_probe(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sum;
}

TEST_CASE(the_program_itself)
{
    const double one = 1;
    stn_image *image;
    int32_t function;
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    assert_true(stn_test_probe(&one, 1) == 1);
    expect_ok(stn_image_open_self(&image));
    expect_ok(stn_image_find(image, "stn_test_probe", &function));
    expect_ok(stn_image_function(image, function, &info));
    assert_in_range(info.loops, 1, 8);
    expect_ok(stn_image_count(image, function, STN_LOOP_MAIN, &counts));
    assert_true(counts.raw_read >= 8);
    stn_image_close(image);
}

static int files_in(const char *folder)
{
    int count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

/* objdump reads a temporary file, which goes with the image. */
TEST_CASE(an_object_in_memory)
{
    char folder[] = "/tmp/steno-test-XXXXXX";
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    int32_t function;
    assert_non_null(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
    read_seed("object", &sample);
    stn_image *image = open_sample();
    assert_int_equal(files_in(folder), 0);
    expect_ok(stn_image_find(image, "loop", &function));
    expect_ok(stn_image_function(image, function, &info));
    assert_int_equal(info.loops, 1);
    assert_string_equal(info.target, "x86-64");
    assert_int_equal(files_in(folder), 1);
    stn_image_close(image);
    assert_int_equal(files_in(folder), 0);
    assert_int_equal(rmdir(folder), 0);
    image = open_sample(); /* TMPDIR names no folder any more */
    expect_error(stn_image_function(image, function, &info), STN_ERR_IO, NULL);
    stn_image_close(image);
    unsetenv("TMPDIR");
}

/* ---- memory ---- */

static stn_status count_everything(void)
{
    stn_image *image;
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    STN_TRY(stn_image_open_memory(&image, sample.bytes, sample.size, "a.file"));
    stn_status status = STN_OK;
    for (int32_t f = 0; f < image->count && status == STN_OK; f++)
        status = stn_image_count(image, f, STN_LOOP_NONE, &counts);
    if (status != STN_OK) { /* a second time it goes well */
        stn_fail_allocation(0);
        for (int32_t f = 0; f < image->count; f++)
            expect_ok(stn_image_count(image, f, STN_LOOP_NONE, &counts));
    }
    stn_image_close(image);
    return status;
}

TEST_CASE(every_allocation_fails_once)
{
    static const char *const files[] = {"cubin_120", "host", "fatbin_zstd", "archive"};
    for (int s = 0; s < 4; s++) {
        stn_status status = STN_ERR_MEMORY;
        int64_t nth = 0;
        read_seed(files[s], &sample);
        while (status != STN_OK) {
            stn_fail_allocation(++nth);
            status = count_everything();
            stn_fail_allocation(0);
            assert_true(status == STN_OK || status == STN_ERR_MEMORY);
        }
        assert_in_range(nth, 10, 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listed_cubin),
        cmocka_unit_test(a_function_inside_of_a_kernel),
        cmocka_unit_test(a_function_of_unknown_size),
        cmocka_unit_test(a_section_without_code),
        cmocka_unit_test(nothing_said_of_registers),
        cmocka_unit_test(fat_binaries),
        cmocka_unit_test(compressed_cubins),
        cmocka_unit_test(lz4_by_hand),
        cmocka_unit_test(several_fat_binaries),
        cmocka_unit_test(a_host_object_with_cubins),
        cmocka_unit_test(names),
        cmocka_unit_test_setup_teardown(without_demangler, hide_programs, show_programs),
        cmocka_unit_test(a_stripped_file),
        cmocka_unit_test(the_program_itself),
        cmocka_unit_test(an_object_in_memory),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
