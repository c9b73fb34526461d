/* A file with cubins that zstd compressed, where libzstd is missing. */
#include "check.h"
#include "steno/contract.h"

#include <dlfcn.h>

/* Takes the place of the C library's function: no library is found. */
void *dlopen(const char *name, int mode)
{
    (void)name, (void)mode;
    return NULL;
}

UNIT_TEST(libzstd_is_missing)
{
    stn_image *image;
    expect_error(
        stn_image_open(&image, STENO_TEST_DATA "/../fuzz/corpus/fuzz_contract/fatbin_zstd"),
        STN_ERR_UNSUPPORTED,
        "all 2 cubins inside are ignored, the last one because it is compressed with zstd, "
        "and libzstd.so.1 was not found");
}

RUN_UNIT_TESTS(NULL, NULL)
