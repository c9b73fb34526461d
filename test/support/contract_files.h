/* Files for the tests of images: seeds of the fuzzer and cubins made by hand. cmocka comes first.
 */
#ifndef STENO_TEST_CONTRACT_FILES_H
#define STENO_TEST_CONTRACT_FILES_H

#include "contract/isa/code.h"
#include "cubin_made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS STENO_TEST_DATA "/../fuzz/corpus/fuzz_contract/"

typedef struct file {
    unsigned char bytes[MADE_ROOM];
    size_t size;
} file;

static file sample; /* scratch of the test that runs */

static inline void read_seed(const char *name, file *to)
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

static inline void make_sample(int sm)
{
    const made_kernel kernels[] = {{"first", store_one, 2, 10, 0}, {"second", store_one, 2, 12, 8}};
    sample.size = made_cubin(sm, 8, kernels, 2, sample.bytes);
}

static inline stn_image *open_sample(void)
{
    stn_image *image;
    expect_ok(stn_image_open_memory(&image, sample.bytes, sample.size, "a.file"));
    return image;
}

/* Without a PATH, so that c++filt is not run for each of thousands of files. */
static char *path_of_programs;

static inline int hide_programs(void **state)
{
    (void)state;
    path_of_programs = strdup(getenv("PATH"));
    return path_of_programs ? setenv("PATH", "/nonexistent", 1) : -1;
}

static inline int show_programs(void **state)
{
    (void)state;
    setenv("PATH", path_of_programs, 1);
    free(path_of_programs);
    return 0;
}

#endif
