/* What the text of a kernel tells about it. */
#ifndef STENO_LAUNCH_TEXT_H
#define STENO_LAUNCH_TEXT_H

#include "steno/kernel_types.h"

enum {
    STN_TEXT_READ = 1,     /* the other bits are known */
    STN_TEXT_INDICES = 2,  /* the indices of elements may be used */
    STN_TEXT_BRANCHES = 4, /* an output may be left as it is */
    STN_TEXT_HIDES = 8     /* words that may be macros or functions: anything may be in them */
};

/* The traits of a kernel, read from its text once. What cannot be told is taken to be so. */
unsigned stn_kernel_traits(stn_kernel *kernel);

/* Does a text that neither branches nor hides anything assign this parameter? Where a declaration
 * has its name too, that cannot be told: no. */
int stn_text_assigns(const char *text, const char *name);

/* Is there a STN_PUT into this field? */
int stn_text_puts(const char *text, const char *name);

/* Do all uses of this field that can be seen have so many indices? */
int stn_text_indexes(const char *text, const char *name, int count);

#endif
