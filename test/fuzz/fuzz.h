/* A fuzzer is one function, FUZZ(bytes, size) { ...; return 0; }, whose checks abort. */
#ifndef STENO_TEST_FUZZ_H
#define STENO_TEST_FUZZ_H

#include "steno/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ(bytes, size)                                                                          \
    int LLVMFuzzerTestOneInput(const uint8_t *, size_t);                                           \
    int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)

static inline void require(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzzer: %s; the last error: %s\n", what, stn_error());
    abort();
}

#endif
