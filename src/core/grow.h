/* Public structs that may grow. Each begins with `size_t size`: its sizeof in the headers with
 * which the program was compiled. A smaller size belongs to an earlier version, whose missing
 * members are 0, which is their default. A larger size belongs to a later version, whose additional
 * members must be 0. All sizes are multiples of sizeof(size_t): a new member never reuses padding.
 */
#ifndef STENO_CORE_GROW_H
#define STENO_CORE_GROW_H

#include <stddef.h>

#include "core/status.h"

enum { STN_STRUCT_MAX = 4096 }; /* bytes; no struct grows beyond: larger sizes are uninitialized */

/* Bytes of `type` up to and including `member`. */
#define STN_SIZE_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* Reads an input struct: copies *from, a `type` of any known size, to *to and sets the rest of *to
 * to 0 (to->size is then sizeof(type)). `last` is the last member of the shortest layout, `name`
 * the name of the argument in messages. STN_ERR_ARGUMENT: `from` is NULL; its size is smaller than
 * the shortest layout, larger than STN_STRUCT_MAX or no multiple of sizeof(size_t); or bytes after
 * the known ones are not 0. */
#define STN_STRUCT_READ(to, from, type, last, name)                                                \
    stn_struct_read(1 ? (to) : (type *)NULL, sizeof(type), 1 ? (from) : (const type *)NULL,        \
                    STN_SIZE_TO(type, last), #type, name)

/* Checks the size of an output struct; its other bytes may have any values. STN_ERR_ARGUMENT: as
 * above, except that additional bytes are not examined. */
#define STN_STRUCT_CHECK(to, type, last, name)                                                     \
    stn_struct_check(1 ? (to) : (const type *)NULL, STN_SIZE_TO(type, last), #type, name)

/* Writes an output struct whose size has been checked: copies *from to *to, at most to->size bytes,
 * and leaves to->size unchanged. Members that this version does not know are left unchanged. */
#define STN_STRUCT_WRITE(to, from, type)                                                           \
    stn_struct_write(1 ? (to) : (type *)NULL, 1 ? (from) : (const type *)NULL, sizeof(type))

STN_PRIVATE_API stn_status stn_struct_read(void *to, size_t known_bytes, const void *from,
                                           size_t min_bytes, const char *type, const char *name);
STN_PRIVATE_API stn_status stn_struct_check(const void *from, size_t min_bytes, const char *type,
                                            const char *name);
STN_PRIVATE_API void stn_struct_write(void *to, const void *from, size_t known_bytes);

#endif
