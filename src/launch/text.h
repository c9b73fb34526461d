/* What the text of a kernel tells about it. */
#ifndef STENO_LAUNCH_TEXT_H
#define STENO_LAUNCH_TEXT_H

#include "steno/kernel_types.h"

enum {
    STN_TEXT_READ = 1,    /* the other bits are known */
    STN_TEXT_INDICES = 2, /* the indices of elements may be used */
    STN_TEXT_BRANCHES = 4 /* an output may be left as it is */
};

/* The traits of a kernel, read from its text once. What cannot be told is taken to be so. */
unsigned stn_kernel_traits(stn_kernel *kernel);

/* Is there an assignment to this name, somewhere? */
int stn_text_assigns(const char *text, const char *name);

/* Is there a STN_PUT into this field? */
int stn_text_puts(const char *text, const char *name);

/* Do all uses of this field that can be seen have so many indices? */
int stn_text_indexes(const char *text, const char *name, int count);

#endif
