/* How the library reports an error: record one sentence for this thread and return the status. */
#ifndef STENO_CORE_STATUS_H
#define STENO_CORE_STATUS_H

#include "steno/status.h"

/* Exported for Steno's other libraries, under a version of their own (src/symbols.map). */
#define STN_PRIVATE_API STN_API

/* Record the message (printf rules) for stn_error() and return `status`. */
STN_PRIVATE_API stn_status stn_fail(stn_status status, const char *message, ...)
    __attribute__((format(printf, 2, 3)));

/* Put words (printf rules) and ": " before the message at hand and return `status`. */
stn_status stn_error_prefix(stn_status status, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* Return from the calling function when `call` did not succeed. */
#define STN_TRY(call)                                                                              \
    do {                                                                                           \
        const stn_status stn_try_status = (call);                                                  \
        if (stn_try_status != STN_OK)                                                              \
            return stn_try_status;                                                                 \
    } while (0)

#endif
