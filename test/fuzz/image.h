/* Invariants of images, for all bytes. */
#ifndef STENO_TEST_FUZZ_IMAGE_H
#define STENO_TEST_FUZZ_IMAGE_H

#include "contract/check/expect.h"
#include "fuzz/fuzz.h"

enum { MOST_FUNCTIONS = 16 };

static FILE *nowhere;

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

static inline int lies_in(const unsigned char *bytes, size_t size, const stn_symbol *symbol)
{
    return symbol->code >= bytes && symbol->code <= bytes + size &&
           symbol->bytes <= (size_t)(bytes + size - symbol->code);
}

static inline int is_inside(const stn_image *image, const stn_symbol *symbol)
{
    for (const stn_unpacked *block = image->unpacked; block; block = block->before)
        if (lies_in(block->bytes, block->size, symbol))
            return 1;
    return lies_in(image->bytes, image->size, symbol);
}

/* At least as many registers are live as are written. */
static inline void look_at_registers(const stn_code *code)
{
    static const int most[STN_REGISTER_FILES] = {255, 7, 255, 7};
    for (int32_t i = 0; i < code->count; i++) {
        const stn_gpu_instruction *gpu = code->gpu + i;
        int written = 0;
        for (int w = 0; w < STN_FIRST_UNIFORM / 64; w++)
            written += __builtin_popcountll(gpu->written.bits[w]);
        require(gpu->live[STN_FILE_THREAD] >= written, "fewer live than written");
        for (int f = 0; f < STN_REGISTER_FILES; f++)
            require(gpu->live[f] <= most[f], "more live than there are");
        require(gpu->write_barrier < 7 && gpu->read_barrier < 7 && gpu->wait < 64, "barriers");
    }
}

static inline void look_at(stn_image *image, int32_t function)
{
    const stn_symbol *symbol = image->symbols + function;
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    require(is_inside(image, symbol), "a function is outside of the file");
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
    look_at_registers(image->codes + function);
    require(stn_code_print(image->codes + function, STN_LOOP_NONE, -1, 1, nowhere) == STN_OK,
            "not printed");
}

/* An image has sound counts; otherwise there is an error message. */
static inline void look_at_bytes(const uint8_t *bytes, size_t size)
{
    stn_image *image;
    int32_t function;
    if (stn_image_open_memory(&image, bytes, size, "fuzz") != STN_OK) {
        require(image == NULL, "a failure left an image");
        require(strncmp(stn_error(), "fuzz", 4) == 0, "the message does not name the file");
        return;
    }
    for (int32_t f = 0; f < image->count && f < MOST_FUNCTIONS; f++)
        look_at(image, f);
    (void)stn_image_find(image, "k", &function);
    stn_image_close(image);
}

#endif
