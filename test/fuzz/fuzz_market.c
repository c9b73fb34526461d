/* Fuzzes the Matrix Market reader with texts in memory, plain and gzip. Whatever the bytes are, it
 * hands out a sound matrix or a status with a sentence. Dictionary: market.dict. */
#define _POSIX_C_SOURCE 200809L
#include "sparse/market.h"
#include "market_check.h"

#include <stdio.h>
#include <stdlib.h>

static void require(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_market: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    stn_text text;
    if (stn_text_open_memory(&text, "fuzz", bytes, size) != STN_OK)
        return 0;
    stn_matrix matrix;
    const stn_status status = stn_market_read(&text, &matrix);
    stn_text_close(&text);
    if (status == STN_OK) {
        const char *fault = market_fault(&matrix);
        require(!fault, fault);
    } else {
        require(market_is_zero(&matrix), "a failure left something in the matrix");
        require(strncmp(stn_error(), "fuzz:", 5) == 0, "the message does not name the file");
    }
    stn_matrix_release(&matrix);
    return 0;
}
