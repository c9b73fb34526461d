/* Reading and writing public structs of older and newer layouts. */
#include "core/grow.h"

#include <string.h>

static size_t size_of(const void *sized)
{
    size_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

stn_status stn_struct_check(const void *from, size_t min_bytes, const char *type, const char *name)
{
    if (from == NULL)
        return stn_fail(STN_ERR_ARGUMENT, "%s is NULL", name);
    const size_t size = size_of(from);
    if (size < min_bytes || size > STN_STRUCT_MAX || size % sizeof(size_t) != 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: the member size is %zu, which no version of %s has: initialize the "
                        "struct with its _INIT macro",
                        name, size, type);
    return STN_OK;
}

stn_status stn_struct_read(void *to, size_t known_bytes, const void *from, size_t min_bytes,
                           const char *type, const char *name)
{
    STN_TRY(stn_struct_check(from, min_bytes, type, name));
    const size_t size = size_of(from);
    const unsigned char *const bytes = from;
    for (size_t k = known_bytes; k < size; k++)
        if (bytes[k] != 0)
            return stn_fail(STN_ERR_ARGUMENT,
                            "%s: the member size is %zu, this version of %s has %zu bytes, and "
                            "byte %zu, which only a later version has, is not 0",
                            name, size, type, known_bytes, k);
    memset(to, 0, known_bytes);
    memcpy(to, from, size < known_bytes ? size : known_bytes);
    memcpy(to, &known_bytes, sizeof known_bytes);
    return STN_OK;
}

void stn_struct_write(void *to, const void *from, size_t known_bytes)
{
    const size_t size = size_of(to), count = size < known_bytes ? size : known_bytes;
    memcpy((unsigned char *)to + sizeof size, (const unsigned char *)from + sizeof size,
           count - sizeof size);
}
