/* What the library knows of each format, built in or registered. */
#ifndef STENO_FORMAT_REGISTRY_H
#define STENO_FORMAT_REGISTRY_H

#include "steno/format.h"

typedef struct stn_format_entry {
    stn_format_info info;
    stn_format_codec codec; /* of a registered format */
    char word[16];          /* its name in texts for compilers */
} stn_format_entry;

/* The entry of a format, valid for the life of the process; NULL, with the error recorded, when
 * there is none. */
const stn_format_entry *stn_format_entry_of(stn_format format);

#endif
