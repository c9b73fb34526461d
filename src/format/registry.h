/* Properties of formats, built in or registered. */
#ifndef STENO_FORMAT_REGISTRY_H
#define STENO_FORMAT_REGISTRY_H

#include <stdatomic.h>
#include <stddef.h>

#include "steno/format.h"

struct stn_block_format;

typedef struct stn_format_entry {
    stn_format_info info;
    stn_format_codec codec;               /* of a registered format */
    char word[16];                        /* its name in texts for compilers */
    const struct stn_block_format *block; /* of a block format, otherwise NULL */
} stn_format_entry;

/* Built-in formats, after their initialization. */
extern const stn_format_entry *_Atomic stn_format_entries;

const stn_format_entry *stn_format_entry_find(stn_format format);

/* The entry of a format, valid until the process ends; NULL, with the error recorded, for
 * unknown formats. Inline, because it is called often. */
static inline const stn_format_entry *stn_format_entry_of(stn_format format)
{
    const stn_format_entry *const entries =
        atomic_load_explicit(&stn_format_entries, memory_order_acquire);
    return entries && (uint32_t)format < STN_BUILTIN_FORMATS ? entries + format
                                                             : stn_format_entry_find(format);
}

/* The codec of a block format; NULL for other and unknown formats. */
static inline const struct stn_block_format *stn_format_block(stn_format format)
{
    const stn_format_entry *const entry =
        (uint32_t)format < STN_BUILTIN_FORMATS ? NULL : stn_format_entry_of(format);
    return entry ? entry->block : NULL;
}

/* Do devices read and write the format? */
static inline int stn_format_is_on_devices(stn_format format)
{
    return (uint32_t)format < STN_FIRST_REGISTERED ||
           stn_format_entry_of(format)->codec.device_text != NULL;
}

/* For messages: the format's name, or "format 99" if it is unknown. Valid until the next call in
 * this thread. */
const char *stn_format_text(stn_format format);

#endif
