/* Fuzzes the Matrix Market reader with texts in memory, plain and gzip. Whatever the bytes are, it
 * hands out a sound matrix or a status with a sentence. Dictionary: market.dict. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz/fuzz.h"
#include "market/market.h"
#include "market/test/market_check.h"

/* What the bytes give; *matrix is to be released. */
static stn_status check(const uint8_t *bytes, size_t size, unsigned flags,
                        stn_market_matrix *matrix)
{
    stn_text text;
    *matrix = (stn_market_matrix){0};
    STN_TRY(stn_text_open_memory(&text, "fuzz", bytes, size));
    const stn_status status = stn_market_read(&text, flags, matrix);
    stn_text_close(&text);
    if (status == STN_OK) {
        const char *fault = market_fault(matrix);
        require(!fault, fault);
    } else {
        require(market_is_empty(matrix), "a failure left something in the matrix");
        require(strncmp(stn_error(), "fuzz:", 5) == 0, "the message does not name the file");
    }
    return status;
}

static size_t value_bytes(const stn_market_matrix *matrix)
{
    return (size_t)matrix->entries * (matrix->field == STN_MARKET_COMPLEX ? 16 : 8);
}

FUZZ(bytes, size)
{
    stn_market_matrix plain = STN_MARKET_MATRIX_INIT, summed = STN_MARKET_MATRIX_INIT,
                      lenient = STN_MARKET_MATRIX_INIT;
    const stn_status status = check(bytes, size, 0, &plain);
    const stn_status second = check(bytes, size, STN_MARKET_SUM, &summed);
    const stn_status third = check(bytes, size, STN_MARKET_LENIENT, &lenient);
    if (status == STN_OK) {
        require(second == STN_OK && summed.summed == 0 && summed.entries == plain.entries,
                "asking for sums changes a matrix without any");
        require(plain.entries == 0 || memcmp(plain.values, summed.values, value_bytes(&plain)) == 0,
                "asking for sums changes values that need none");
        require(third == STN_OK && lenient.entries == plain.entries,
                "a lenient reader changes a matrix without deviations");
        for (int k = 0; k < 8; k++)
            require(lenient.deviations[k] == 0, "a valid file has deviations");
    }
    stn_market_release(&plain);
    stn_market_release(&summed);
    stn_market_release(&lenient);
    return 0;
}
