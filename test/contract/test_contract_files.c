/* Files that contracts cannot be about: refused with a sentence that names them; whatever the
 * bytes, nothing crashes and nothing is lost. */
#define _GNU_SOURCE
#include "check.h"
#include "contract_files.h"

#include <elf.h>

static void assert_refused(stn_status status, const char *sentence)
{
    stn_image *image = (stn_image *)(uintptr_t)1;
    const stn_status found = stn_image_open_memory(&image, sample.bytes, sample.size, "a.file");
    assert_string_equal(stn_status_name(found), stn_status_name(status));
    assert_string_equal(stn_error(), sentence);
    assert_null(image);
}

/* ---- refusals ---- */

TEST_CASE(paths)
{
    stn_image *image;
    expect_error(stn_image_open(&image, "/nonexistent/a.o"), STN_ERR_IO, NULL);
    assert_string_equal(stn_error(), "/nonexistent/a.o: No such file or directory");
    assert_null(image);
    expect_error(stn_image_open(&image, "/"), STN_ERR_IO, NULL);
    assert_string_equal(stn_error(), "/: not a regular file");
    assert_null(image);
}

TEST_CASE(arguments)
{
    stn_image *image;
    stn_image_info info = {.size = 1};
    stn_function_info function = {.size = 1};
    stn_code_counts counts = {.size = 1};
    int32_t number;
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

TEST_CASE(not_files_of_code)
{
    sample.size = 0;
    assert_refused(STN_ERR_PARSE, "a.file: the file is empty");
    sample.size =
        (size_t)snprintf((char *)sample.bytes, sizeof sample.bytes, "%%MatrixMarket\n%40s", "");
    assert_refused(STN_ERR_PARSE, "a.file: neither an ELF file nor a fat binary");
    make_sample(90);
    sample.size = 15;
    assert_refused(STN_ERR_PARSE, "a.file: neither an ELF file nor a fat binary");
    make_sample(90);
    sample.bytes[EI_CLASS] = ELFCLASS32;
    assert_refused(STN_ERR_UNSUPPORTED,
                   "a.file: an ELF file of 32 bits or of a big-endian machine");
}

TEST_CASE(other_machines)
{
    make_sample(70);
    assert_refused(STN_ERR_UNSUPPORTED, "a.file: a cubin for sm_70; sm_75 to sm_121 are supported");
    make_sample(130);
    assert_refused(STN_ERR_UNSUPPORTED,
                   "a.file: a cubin for sm_130; sm_75 to sm_121 are supported");
    read_seed("object", &sample);
    sample.bytes[offsetof(Elf64_Ehdr, e_machine)] = EM_RISCV;
    assert_refused(STN_ERR_UNSUPPORTED,
                   "a.file: for ELF machine 243; x86-64, AArch64 and NVIDIA are supported");
}

TEST_CASE(a_function_outside_of_its_section)
{
    Elf64_Ehdr header;
    Elf64_Shdr symbols;
    const uint64_t size = 1000;
    make_sample(90);
    memcpy(&header, sample.bytes, sizeof header);
    memcpy(&symbols, sample.bytes + header.e_shoff + 3 * sizeof symbols, sizeof symbols);
    memcpy(sample.bytes + symbols.sh_offset + sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_size),
           &size, sizeof size);
    assert_refused(STN_ERR_PARSE,
                   "a.file: damaged: function first is not inside its section .text.first");
}

TEST_CASE(names_without_an_end)
{
    Elf64_Ehdr header;
    Elf64_Shdr strings;
    make_sample(90);
    memcpy(&header, sample.bytes, sizeof header);
    memcpy(&strings, sample.bytes + header.e_shoff + 2 * sizeof strings, sizeof strings);
    sample.bytes[strings.sh_offset + strings.sh_size - 1] = 'x';
    assert_refused(STN_ERR_PARSE, "a.file: damaged or truncated: the names of symbols");
}

/* ---- any bytes ---- */

/* Opens it, decodes what needs no other program, and returns the status of opening. */
static stn_status look_through(const unsigned char *bytes, size_t size)
{
    stn_image *image = (stn_image *)(uintptr_t)1;
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    const stn_status status = stn_image_open_memory(&image, bytes, size, "a.file");
    if (status != STN_OK) {
        assert_null(image);
        assert_memory_equal(stn_error(), "a.file", 6); /* or what is in it: a.file(part.o) */
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
TEST_CASE(truncated)
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

TEST_CASE(flipped_bytes)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths),
        cmocka_unit_test(arguments),
        cmocka_unit_test(not_files_of_code),
        cmocka_unit_test(other_machines),
        cmocka_unit_test(a_function_outside_of_its_section),
        cmocka_unit_test(names_without_an_end),
        cmocka_unit_test_setup_teardown(truncated, hide_programs, show_programs),
        cmocka_unit_test_setup_teardown(flipped_bytes, hide_programs, show_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
