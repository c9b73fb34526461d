/* Files with code: functions are listed, found by name and decoded; other files are refused with a
 * message that names them. Damaged files and failing allocations are errors, not crashes. */
#define _GNU_SOURCE
#include "check.h"
#include "contract/image/unpack.h"
#include "contract/isa/code.h"
#include "core/memory.h"
#include "cubin_made.h"

#include <dirent.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEEDS STENO_TEST_DATA "/../fuzz/corpus/fuzz_contract/"

typedef struct file {
    unsigned char bytes[MADE_ROOM];
    size_t size;
} file;

static file sample; /* the file of the current test */

static void read_seed(const char *name, file *to)
{
    char path[4096];
    snprintf(path, sizeof path, SEEDS "%s", name);
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    to->size = fread(to->bytes, 1, sizeof to->bytes, from);
    fclose(from);
    assert_true(to->size > 0);
}

static const made_word store_one[] = {{0x000000ff02007986, 0x0000000000000800},
                                      {0x000000000000794d, 0}};

static void make_sample(int sm)
{
    const made_kernel kernels[] = {{"first", store_one, 2, 10, 0}, {"second", store_one, 2, 12, 8}};
    sample.size = made_cubin(sm, 8, kernels, 2, sample.bytes);
}

static stn_image *open_sample(void)
{
    stn_image *image;
    expect_ok(stn_image_open_memory(&image, sample.bytes, sample.size, "a.file"));
    return image;
}

/* Without a PATH, so that c++filt is not run for each of thousands of files. */
static char *path_of_programs;

static int hide_programs(void **state)
{
    (void)state;
    path_of_programs = strdup(getenv("PATH"));
    return path_of_programs ? setenv("PATH", "/nonexistent", 1) : -1;
}

static int show_programs(void **state)
{
    (void)state;
    setenv("PATH", path_of_programs, 1);
    free(path_of_programs);
    return 0;
}

/* ---- changes to the sample: section 2 contains names, 3 symbols, 6 and 7 the functions ---- */

static Elf64_Off section_at(int number)
{
    Elf64_Ehdr header;
    memcpy(&header, sample.bytes, sizeof header);
    return header.e_shoff + (Elf64_Off)number * sizeof(Elf64_Shdr);
}

static Elf64_Shdr section(int number)
{
    Elf64_Shdr found;
    memcpy(&found, sample.bytes + section_at(number), sizeof found);
    return found;
}

/* Symbol 1 is the function first, 2 is second. */
static void change_symbol(int number, size_t field, uint64_t value, size_t size)
{
    memcpy(sample.bytes + section(3).sh_offset + (size_t)number * sizeof(Elf64_Sym) + field, &value,
           size);
}

#define CHANGE_SYMBOL(number, field, value)                                                        \
    change_symbol(number, offsetof(Elf64_Sym, field), value, sizeof(((Elf64_Sym *)0)->field))

/* ---- functions ---- */

static void assert_function(stn_image *image, int32_t function, const char *expected)
{
    char text[200];
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    expect_ok(stn_image_function(image, function, &info));
    snprintf(text, sizeof text, "%s for %s, %d bytes at %d, %d registers, stack %d, %d loops",
             info.symbol, info.target, (int)info.bytes, (int)image->symbols[function].address,
             (int)info.registers, (int)info.stack_bytes, (int)info.loops);
    assert_string_equal(text, expected);
}

UNIT_TEST(a_listed_cubin)
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
    assert_function(image, 1, "second for sm_86, 32 bytes at 0, 12 registers, stack 8, 0 loops");
    expect_ok(stn_image_function(image, 1, &info));
    assert_string_equal(info.name, "second");
    assert_int_equal(info.main_loop, -1);
    stn_image_close(image);
}

UNIT_TEST(unusual_symbols_and_sections)
{
    /* ptxas stores functions that a kernel calls in the section of the kernel, within its size */
    make_sample(90);
    CHANGE_SYMBOL(2, st_value, 16);
    CHANGE_SYMBOL(2, st_size, 16);
    CHANGE_SYMBOL(2, st_shndx, 6);
    stn_image *image = open_sample();
    assert_int_equal(image->count, 2);
    assert_function(image, 0, "first for sm_90, 16 bytes at 0, 10 registers, stack 0, 0 loops");
    assert_function(image, 1, "second for sm_90, 16 bytes at 16, 12 registers, stack 8, 0 loops");
    assert_int_equal(image->symbols[1].code - image->symbols[0].code, 16);
    stn_image_close(image);
    /* a function of unknown size is all of its section */
    make_sample(90);
    CHANGE_SYMBOL(1, st_size, 0);
    image = open_sample();
    assert_int_equal(image->symbols[0].bytes, 32);
    stn_image_close(image);
    /* a section without code has no functions */
    make_sample(90);
    Elf64_Shdr text = section(6);
    text.sh_flags = SHF_ALLOC;
    memcpy(sample.bytes + section_at(6), &text, sizeof text);
    image = open_sample();
    assert_int_equal(image->count, 1);
    assert_string_equal(image->symbols[0].symbol, "second");
    stn_image_close(image);
}

UNIT_TEST(an_unknown_number_of_registers)
{
    const made_kernel kernel = {"k", store_one, 2, -1, -1};
    sample.size = made_cubin(75, 7, &kernel, 1, sample.bytes); /* of the older ABI */
    stn_image *image = open_sample();
    assert_function(image, 0, "k for sm_75, 32 bytes at 0, -1 registers, stack -1, 0 loops");
    stn_image_close(image);
}

UNIT_TEST(fat_binaries)
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
    expect_error(stn_image_find(image, "k", &function), STN_ERR_RANGE,
                 "f: 2 functions are named k, the first for sm_80");
    expect_ok(stn_image_find(image, "k@sm_90", &function));
    assert_function(image, function, "k for sm_90, 32 bytes at 0, 21 registers, stack 0, 0 loops");
    stn_image_close(image);
    const size_t compressed = made_fatbin(parts + 2, 2, fat, sizeof fat);
    expect_error(stn_image_open_memory(&image, fat, compressed, "f"), STN_ERR_UNSUPPORTED,
                 "f: all 2 cubins inside are ignored, the last one because it is for an "
                 "unsupported machine (supported: sm_75 to sm_121)");
    fat[16 + 8 + 3] = 0x7f; /* the size of the first entry */
    expect_error(stn_image_open_memory(&image, fat, compressed, "f"), STN_ERR_PARSE,
                 "f: a damaged or truncated fat binary");
}

/* What liblz4 and libzstd packed, in the containers of nvcc 13.0. */
UNIT_TEST(compressed_cubins)
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

/* A literal, a copy that overlaps itself, lengths of several bytes; and damaged blocks. */
UNIT_TEST(lz4_by_hand)
{
    unsigned char to[400], from[400] = {0xf0, 255, 30};
    static const unsigned char short_one[] = {0x20, 'a', 'b', 2, 0, 0x10, 'c'};
    static const unsigned char long_one[] = {0x1f, 'x', 1, 0, 255, 20, 0x00};
    static const unsigned char early[] = {0x10, 'a', 2, 0, 0x00}, no_step[] = {0x10, 'a', 0, 0, 0};
    assert_int_equal(stn_unpack_lz4(short_one, sizeof short_one, to, 7), 1);
    assert_memory_equal(to, "abababc", 7);
    for (size_t capacity = 0; capacity < 7; capacity++) {
        memset(to, 0, sizeof to);
        assert_int_equal(stn_unpack_lz4(short_one, sizeof short_one, to, capacity), 0);
        assert_int_equal(to[capacity], 0); /* nothing after it is written */
    }
    assert_int_equal(stn_unpack_lz4(short_one, sizeof short_one, to, 8), 0);
    for (size_t size = 0; size < sizeof short_one; size++)
        assert_int_equal(stn_unpack_lz4(short_one, size, to, 7), 0);
    memset(to, 0, sizeof to);
    assert_int_equal(stn_unpack_lz4(long_one, sizeof long_one, to, 295), 1);
    assert_true(strspn((const char *)to, "x") == 295);
    assert_int_equal(stn_unpack_lz4(early, sizeof early, to, 5), 0);
    assert_int_equal(stn_unpack_lz4(no_step, sizeof no_step, to, 5), 0);
    memset(from + 3, 7, sizeof from - 3);
    assert_int_equal(stn_unpack_lz4(from, 303, to, 300), 1);
    assert_int_equal(stn_unpack_lz4(from, 302, to, 300), 0);
}

/* Linking concatenates the fat binaries of object files, with padding between them. */
UNIT_TEST(several_fat_binaries)
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

UNIT_TEST(a_host_object_with_cubins)
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

UNIT_TEST(names)
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
    expect_error(stn_image_find(image, "axpy_f16", &function), STN_ERR_RANGE,
                 "a.file: none of its 3 functions is axpy_f16; similar: axpy_f32, axpy_f64");
    expect_error(
        stn_image_find(image, "axpy_f64@sm_80", &function), STN_ERR_RANGE,
        "a.file: none of its 3 functions is axpy_f64 of sm_80; similar: axpy_f64, axpy_f32");
    expect_ok(stn_image_find(image, "void axpy<float>(float*)", &function));
    expect_ok(stn_image_find(image, "/^void axpy<float>/", &function));
    assert_string_equal(image->symbols[function].symbol, "_Z4axpyIfEvPT_");
    stn_image_close(image);
}

/* Without c++filt, names are not demangled. */
UNIT_TEST_WITH(without_demangler, hide_programs, show_programs)
{
    const made_kernel kernel = {"_Z4axpyIfEvPT_", store_one, 2, 1, 0};
    sample.size = made_cubin(90, 8, &kernel, 1, sample.bytes);
    stn_image *image = open_sample();
    assert_string_equal(image->symbols[0].name, "_Z4axpyIfEvPT_");
    stn_image_close(image);
}

UNIT_TEST(a_stripped_file)
{
    int32_t function;
    read_seed("stripped", &sample);
    stn_image *image = open_sample();
    expect_ok(stn_image_find(image, "twice", &function)); /* it is exported */
    expect_error(stn_image_find(image, "hidden", &function), STN_ERR_RANGE,
                 "a.file: none of its 2 functions is hidden; the file is stripped of its symbols");
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

UNIT_TEST(the_program_itself)
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

/* objdump reads a temporary file, which is removed with the image. */
UNIT_TEST(an_object_in_memory)
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

static stn_status count_everything(void)
{
    stn_image *image;
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    STN_TRY(stn_image_open_memory(&image, sample.bytes, sample.size, "a.file"));
    stn_status status = STN_OK;
    for (int32_t f = 0; f < image->count && status == STN_OK; f++)
        status = stn_image_count(image, f, STN_LOOP_NONE, &counts);
    if (status != STN_OK) { /* the second attempt succeeds */
        stn_fail_allocation(0);
        for (int32_t f = 0; f < image->count; f++)
            expect_ok(stn_image_count(image, f, STN_LOOP_NONE, &counts));
    }
    stn_image_close(image);
    return status;
}

UNIT_TEST(every_allocation_fails_once)
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

static void assert_refused(stn_status status, const char *sentence)
{
    stn_image *image = (stn_image *)(uintptr_t)1;
    const stn_status found = stn_image_open_memory(&image, sample.bytes, sample.size, "a.file");
    assert_string_equal(stn_status_name(found), stn_status_name(status));
    assert_memory_equal(stn_error(), "a.file: ", 8);
    assert_string_equal(stn_error() + 8, sentence);
    assert_null(image);
}

/* A cubin for this sm after a change. */
#define REFUSED(sm, change, status, sentence)                                                      \
    make_sample(sm);                                                                               \
    change;                                                                                        \
    assert_refused(STN_ERR_##status, sentence)

UNIT_TEST(refused_files)
{
    const Elf64_Half other = EM_RISCV;
    REFUSED(90, sample.size = 0, PARSE, "the file is empty");
    REFUSED(90, memset(sample.bytes, ' ', 60), PARSE, "neither an ELF file nor a fat binary");
    REFUSED(90, sample.size = 15, PARSE, "neither an ELF file nor a fat binary");
    REFUSED(90, sample.bytes[EI_CLASS] = ELFCLASS32, UNSUPPORTED,
            "an ELF file of 32 bits or of a big-endian machine");
    REFUSED(70, (void)0, UNSUPPORTED, "a cubin for sm_70; sm_75 to sm_121 are supported");
    REFUSED(130, (void)0, UNSUPPORTED, "a cubin for sm_130; sm_75 to sm_121 are supported");
    REFUSED(90, CHANGE_SYMBOL(1, st_size, 1000), PARSE,
            "damaged: function first is not inside its section .text.first");
    REFUSED(90, sample.bytes[section(2).sh_offset + section(2).sh_size - 1] = 'x', PARSE,
            "damaged or truncated: the names of symbols");
    static const char archive[64] = "!<arch>\n/               0           0     0     0       0 ";
    REFUSED(90, (memcpy(sample.bytes, archive, 64), sample.size = 64), PARSE,
            "a damaged or truncated archive");
    read_seed("object", &sample);
    memcpy(sample.bytes + offsetof(Elf64_Ehdr, e_machine), &other, sizeof other);
    assert_refused(STN_ERR_UNSUPPORTED,
                   "for ELF machine 243; x86-64, AArch64 and NVIDIA are supported");
}

UNIT_TEST(refused_arguments)
{
    stn_image *image;
    stn_image_info info = {.size = 1};
    stn_function_info function = {.size = 1};
    stn_code_counts counts = {.size = 1};
    int32_t number;
    expect_error(stn_image_open(&image, "/nonexistent/a.o"), STN_ERR_IO,
                 "/nonexistent/a.o: No such file or directory");
    assert_null(image);
    expect_error(stn_image_open(&image, "/"), STN_ERR_IO, "/: not a regular file");
    assert_null(image);
    expect_error(stn_image_open(&image, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_open(NULL, "a"), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_open_memory(&image, NULL, 4, "a"), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_open_memory(&image, "a", 1, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_open_self(NULL), STN_ERR_ARGUMENT, NULL);
    make_sample(90);
    image = open_sample();
    expect_error(stn_image_describe(image, &info), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_function(image, 0, &function), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_count(image, 0, STN_LOOP_NONE, &counts), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_image_find(image, NULL, &number), STN_ERR_ARGUMENT, NULL);
    counts = (stn_code_counts)STN_CODE_COUNTS_INIT;
    expect_error(stn_image_count(image, 2, STN_LOOP_NONE, &counts), STN_ERR_RANGE, NULL);
    expect_error(stn_image_count(image, -1, STN_LOOP_NONE, &counts), STN_ERR_RANGE, NULL);
    expect_error(stn_image_count(image, 0, 0, &counts), STN_ERR_RANGE, NULL);
    expect_error(stn_image_count(image, 0, STN_LOOP_MAIN, &counts), STN_ERR_RANGE, NULL);
    stn_image_close(image);
    stn_image_close(NULL);
}

/* ---- damaged files ---- */

/* Opens it, decodes what needs no other program, and returns the status of opening. */
static stn_status look_through(const unsigned char *bytes, size_t size)
{
    stn_image *image = (stn_image *)(uintptr_t)1;
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    const stn_status status = stn_image_open_memory(&image, bytes, size, "a.file");
    if (status != STN_OK) {
        assert_null(image);
        assert_memory_equal(stn_error(), "a.file", 6); /* or its member: a.file(part.o) */
        return status;
    }
    for (int32_t f = 0; f < image->count; f++)
        if (image->symbols[f].machine == STN_MACHINE_NVIDIA &&
            stn_image_function(image, f, &info) == STN_OK) {
            expect_ok(stn_image_count(image, f, STN_LOOP_NONE, &counts));
            assert_in_range(counts.instructions, 1, info.bytes / 16);
        }
    stn_image_close(image);
    return STN_OK;
}

static const char *const seeds[] = {"object",    "aarch64", "stripped",   "host",        "cubin_75",
                                    "cubin_120", "fatbin",  "fatbin_lz4", "fatbin_zstd", "archive"};
enum { SEED_COUNT = COUNT_OF(seeds) };

/* From its end, so that an access beyond it is one outside of the block. */
UNIT_TEST_WITH(truncated, hide_programs, show_programs)
{
    for (int s = 0; s < SEED_COUNT; s++) {
        int refused = 0;
        read_seed(seeds[s], &sample);
        expect_ok(look_through(sample.bytes, sample.size));
        for (size_t size = 1; size < sample.size; size += 97) {
            unsigned char *part = malloc(size);
            assert_non_null(part);
            memcpy(part, sample.bytes, size);
            const stn_status status = look_through(part, size);
            assert_true(status == STN_OK || status == STN_ERR_PARSE ||
                        status == STN_ERR_UNSUPPORTED);
            refused += status != STN_OK;
            free(part);
        }
        assert_true(refused > 5); /* headers of ELF lie at the end: whatever is cut is missed */
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

UNIT_TEST_WITH(flipped_bytes, hide_programs, show_programs)
{
    uint32_t random = 1;
    const int rounds = getenv("STENO_TEST_QUICK") ? 200 : 2000;
    for (int s = 0; s < SEED_COUNT; s++) {
        file good;
        int opened = 0;
        read_seed(seeds[s], &good);
        for (int round = 0; round < rounds; round++) {
            sample = good;
            for (uint32_t flips = 1 + next_random(&random) % 8; flips > 0; flips--)
                sample.bytes[next_random(&random) % sample.size] ^=
                    (unsigned char)(1 << next_random(&random) % 8);
            opened += look_through(sample.bytes, sample.size) == STN_OK;
        }
        assert_in_range(opened, 1, rounds - 1);
    }
}

RUN_UNIT_TESTS(NULL, NULL)
