/* What the text of a kernel tells about it. */
#ifndef STENO_LAUNCH_TEXT_H
#define STENO_LAUNCH_TEXT_H

#include "steno/kernel_types.h"

enum {
    STN_TEXT_READ = 1,     /* the other bits are known */
    STN_TEXT_INDICES = 2,  /* the indices of elements may be used */
    STN_TEXT_BRANCHES = 4, /* an output may be left as it is */
    STN_TEXT_HIDES = 8,    /* words that may be macros or functions: anything may be in them */
    STN_TEXT_BREAKS = 16   /* times the bits of stn_kernel_breaks: what the compiler did not keep */
};

/* The traits of a kernel, found once. What its text does not tell is taken to be so. */
unsigned stn_kernel_traits(stn_kernel *kernel);

/* STN_ERR_UNSUPPORTED when the kernel's compiler has not kept the rules of its arithmetic. */
stn_status stn_kernel_keeps_rules(const stn_kernel *kernel, unsigned traits);

/* Does a text that neither branches nor hides anything assign this parameter? Where a declaration
 * has its name too, that cannot be told: no. */
int stn_text_assigns(const char *text, const char *name);

/* Is there a STN_PUT into this field? */
int stn_text_puts(const char *text, const char *name);

/* Do all uses of this field that can be seen have so many indices? */
int stn_text_indexes(const char *text, const char *name, int count);

#endif
