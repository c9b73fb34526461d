/* Expectation files. */
#include "contract/check/expect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

enum { MAX_BYTES = 4 << 20, FIRST_BYTES = 1 << 14 };

static stn_status grow(char **text, int64_t capacity)
{
    char *larger;
    STN_TRY(stn_allocate(&larger, 2 * capacity, 1, "an expectation file"));
    memcpy(larger, *text, (size_t)capacity);
    stn_free(*text);
    *text = larger;
    return STN_OK;
}

/* Reads a file of any kind completely, followed by a 0. */
static stn_status read_all(FILE *file, const char *path, char **text, int64_t *length)
{
    int64_t capacity = FIRST_BYTES;
    *length = 0;
    STN_TRY(stn_allocate(text, capacity, 1, "an expectation file"));
    for (;;) {
        errno = 0;
        *length += (int64_t)fread(*text + *length, 1, (size_t)(capacity - *length), file);
        if (ferror(file))
            return stn_fail(STN_ERR_IO, "cannot read %s: %s", path, strerror(errno));
        if (*length < capacity)
            return STN_OK;
        if (capacity == MAX_BYTES)
            return stn_fail(STN_ERR_PARSE, "%s: larger than %d MiB", path, MAX_BYTES >> 20);
        STN_TRY(grow(text, capacity));
        capacity *= 2;
    }
}

/* A zero byte would hide the text after it. */
static stn_status check_bytes(const char *text, int64_t length, const char *path)
{
    const char *zero = memchr(text, 0, (size_t)length);
    int32_t line = 1;
    const char *start = text;
    if (!zero)
        return STN_OK;
    for (const char *c = text; c < zero; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    return stn_fail(STN_ERR_PARSE, "%s:%" PRId32 ":%td: the text contains a zero byte", path, line,
                    zero - start + 1);
}

stn_status stn_contract_check(stn_image *image, const char *path, FILE *report,
                              stn_contract_result *result)
{
    char *text = NULL;
    int64_t length;
    if (!path)
        return stn_fail(STN_ERR_ARGUMENT, "the name of the expectation file is NULL");
    FILE *file = fopen(path, "rb");
    if (!file)
        return stn_fail(STN_ERR_IO, "cannot open %s: %s", path, strerror(errno));
    stn_status status = read_all(file, path, &text, &length);
    fclose(file);
    if (status == STN_OK) {
        text[length] = '\0';
        status = check_bytes(text, length, path);
    }
    if (status == STN_OK)
        status = stn_contract_check_text(image, text, path, report, result);
    stn_free(text);
    return status;
}
