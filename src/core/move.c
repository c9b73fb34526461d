/* Loops over elements of a few sizes, and of all others. */
#include "core/move.h"

#include <string.h>

#include "core/versions.h"

#define INLINE static inline __attribute__((always_inline))

/* Codes at a stride of `step` bytes become contiguous. Codes of 4 bytes would not become faster. */
STN_VERSIONS static void gather_8(char *restrict to, const char *restrict from, int64_t step,
                                  int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        uint64_t code;
        memcpy(&code, from + k * step, sizeof code);
        memcpy(to + k * 8, &code, sizeof code);
    }
}

/* Reverses an array: to[k] = last[-k]. */
#define DEFINE_REVERSE(bytes, code)                                                                \
    STN_VERSIONS static void reverse_##bytes(char *restrict to, const char *restrict last,         \
                                             int64_t count)                                        \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++) {                                                      \
            code element;                                                                          \
            memcpy(&element, last - k * bytes, bytes);                                             \
            memcpy(to + k * bytes, &element, bytes);                                               \
        }                                                                                          \
    }
DEFINE_REVERSE(1, uint8_t)
DEFINE_REVERSE(2, uint16_t)
DEFINE_REVERSE(4, uint32_t)
DEFINE_REVERSE(8, uint64_t)

/* Returns whether the elements are of these sizes. */
static int reverse(char *restrict to, const char *restrict last, int64_t bytes, int64_t count)
{
    switch (bytes) {
    case 1:
        reverse_1(to, last, count);
        return 1;
    case 2:
        reverse_2(to, last, count);
        return 1;
    case 4:
        reverse_4(to, last, count);
        return 1;
    case 8:
        reverse_8(to, last, count);
        return 1;
    default:
        return 0;
    }
}

INLINE void move_each(char *restrict to, int64_t to_step, const char *restrict from,
                      int64_t from_step, size_t bytes, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        memcpy(to + k * to_step, from + k * from_step, bytes);
}

/* Between `size` and 2 * `size` bytes: two moves that may overlap. Both loads precede the stores:
 * if rows are whole pages apart, processors mistake a load for one of the data just written. */
INLINE void move_ends(char *restrict to, int64_t to_step, const char *restrict from,
                      int64_t from_step, int64_t bytes, int64_t count, size_t size)
{
    const int64_t rest = bytes - (int64_t)size;
    char first[128], last[128];
    for (int64_t k = 0; k < count; k++) {
        memcpy(first, from + k * from_step, size);
        memcpy(last, from + k * from_step + rest, size);
        memcpy(to + k * to_step, first, size);
        memcpy(to + k * to_step + rest, last, size);
    }
}

STN_VERSIONS static void move_elements(char *restrict to, int64_t to_step,
                                       const char *restrict from, int64_t from_step, int64_t bytes,
                                       int64_t count)
{
    switch (bytes) {
#define CASE(size)                                                                                 \
    case size:                                                                                     \
        move_each(to, to_step, from, from_step, size, count);                                      \
        return;
        CASE(1)
        CASE(2)
        CASE(4)
        CASE(8)
        CASE(16)
        CASE(32)
        CASE(64)
        CASE(128)
        CASE(256)
    default:
        break;
    }
#define BETWEEN(size)                                                                              \
    else if (bytes > (size) && bytes < 2 * (size))                                                 \
        move_ends(to, to_step, from, from_step, bytes, count, size);
    if (bytes < 4 || bytes > 256)
        move_each(to, to_step, from, from_step, (size_t)bytes, count);
    BETWEEN(4)
    BETWEEN(8)
    BETWEEN(16)
    BETWEEN(32)
    BETWEEN(64)
    BETWEEN(128)
}

void stn_move(void *restrict to, int64_t to_step, const void *restrict from, int64_t from_step,
              int64_t bytes, int64_t count)
{
    if (to_step == bytes && from_step == bytes) { /* contiguous */
        memcpy(to, from, (size_t)(bytes * count));
        return;
    }
    if (to_step == bytes && from_step == -bytes && reverse(to, from, bytes, count))
        return;
    if (to_step == -bytes && from_step == bytes &&
        reverse((char *)to + (count - 1) * to_step, (const char *)from + (count - 1) * from_step,
                bytes, count))
        return;
    if (to_step == bytes && bytes == 8)
        gather_8(to, from, from_step, count);
    else
        move_elements(to, to_step, from, from_step, bytes, count);
}
