/* Error reporting: records one message for this thread and returns the status. */
#ifndef STENO_CORE_STATUS_H
#define STENO_CORE_STATUS_H

#include "steno/status.h"

/* Exported to the other libraries and the command, under a separate version (src/symbols.map). */
#define STN_PRIVATE_API STN_API

/* Records the message (printf rules) for stn_error() and returns `status`. */
STN_PRIVATE_API stn_status stn_fail(stn_status status, const char *message, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts a prefix (printf rules) and ": " before the current message and returns `status`. */
stn_status stn_error_prefix(stn_status status, const char *message_format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns from the calling function if `call` fails. */
#define STN_TRY(call)                                                                              \
    do {                                                                                           \
        const stn_status stn_try_status = (call);                                                  \
        if (stn_try_status != STN_OK)                                                              \
            return stn_try_status;                                                                 \
    } while (0)

#endif
