/* Fuzzes what reads ELF files, cubins, fat binaries and NVIDIA instructions. Whatever the bytes
 * are, there is an image with sound counts, or a status with a sentence. No other program is run.
 */
#define _POSIX_C_SOURCE 200809L
#include "contract/isa/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 16 };

static FILE *nowhere;

static void require(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_contract: %s\n", what);
    abort();
}

/* Without a PATH neither objdump nor c++filt is found. */
int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    setenv("PATH", "/nonexistent", 1);
    nowhere = fopen("/dev/null", "w");
    require(nowhere != NULL, "no /dev/null");
    return 0;
}

static int lies_in(const unsigned char *bytes, size_t size, const stn_symbol *symbol)
{
    return symbol->code >= bytes && symbol->code <= bytes + size &&
           symbol->bytes <= (size_t)(bytes + size - symbol->code);
}

static int is_inside(const stn_image *image, const stn_symbol *symbol)
{
    for (const stn_unpacked *block = image->unpacked; block; block = block->before)
        if (lies_in(block->bytes, block->size, symbol))
            return 1;
    return lies_in(image->bytes, image->size, symbol);
}

static void look_at(stn_image *image, int32_t function)
{
    const stn_symbol *symbol = image->symbols + function;
    stn_function_info info = {.size = sizeof info};
    stn_code_counts counts = {.size = sizeof counts};
    require(is_inside(image, symbol), "a function lies outside of the file");
    if (symbol->machine != STN_MACHINE_NVIDIA)
        return;
    if (stn_image_function(image, function, &info) != STN_OK) {
        require(*stn_error() != '\0', "no sentence for a function");
        return;
    }
    require(stn_image_count(image, function, STN_LOOP_NONE, &counts) == STN_OK, "not counted");
    require(counts.instructions > 0 && (uint64_t)counts.instructions <= info.bytes / 16,
            "instructions beyond the end");
    require(counts.unknown >= 0 && counts.unknown <= counts.instructions, "too many unknown");
    require(counts.distinct_read >= 0 && counts.distinct_read <= counts.raw_read,
            "more distinct bytes than bytes");
    require((stn_image_count(image, function, STN_LOOP_MAIN, &counts) == STN_OK) ==
                (info.main_loop >= 0),
            "a main loop or none");
    require(stn_image_print(image, function, STN_LOOP_NONE, nowhere) == STN_OK, "not printed");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    stn_image *image;
    int32_t function;
    if (stn_image_open_memory(bytes, size, "fuzz", &image) != STN_OK) {
        require(image == NULL, "a failure left an image");
        require(strncmp(stn_error(), "fuzz", 4) == 0, "the message does not name the file");
        return 0;
    }
    for (int32_t f = 0; f < image->count && f < MOST_FUNCTIONS; f++)
        look_at(image, f);
    (void)stn_image_find(image, "k", &function);
    stn_image_close(image);
    return 0;
}
