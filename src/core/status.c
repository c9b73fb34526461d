/* The last error of each thread, and the names of statuses. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/failures.h"

static _Thread_local char last_error[512];
static _Thread_local uint64_t failures; /* number of recorded messages */

stn_status stn_fail(stn_status status, const char *message, ...)
{
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(last_error, sizeof last_error, message, arguments);
    va_end(arguments);
    failures++;
    return status;
}

uint64_t stn_failures(void)
{
    return failures;
}

stn_status stn_error_prefix(stn_status status, const char *message_format, ...)
{
    char reason[sizeof last_error];
    va_list arguments;
    memcpy(reason, last_error, sizeof reason);
    va_start(arguments, message_format);
    vsnprintf(last_error, sizeof last_error, message_format, arguments);
    va_end(arguments);
    const size_t length = strlen(last_error), capacity = sizeof last_error - length;
    snprintf(last_error + length, capacity, ": %.*s", (int)capacity, reason);
    return status;
}

const char *stn_error(void)
{
    return last_error;
}

const char *stn_status_name(stn_status status)
{
    switch (status) {
    case STN_OK:
        return "STN_OK";
    case STN_ERR_ARGUMENT:
        return "STN_ERR_ARGUMENT";
    case STN_ERR_FORMAT:
        return "STN_ERR_FORMAT";
    case STN_ERR_SHAPE:
        return "STN_ERR_SHAPE";
    case STN_ERR_RANGE:
        return "STN_ERR_RANGE";
    case STN_ERR_MEMORY:
        return "STN_ERR_MEMORY";
    case STN_ERR_IO:
        return "STN_ERR_IO";
    case STN_ERR_PARSE:
        return "STN_ERR_PARSE";
    case STN_ERR_UNSUPPORTED:
        return "STN_ERR_UNSUPPORTED";
    case STN_ERR_ALIAS:
        return "STN_ERR_ALIAS";
    case STN_ERR_DEVICE:
        return "STN_ERR_DEVICE";
    case STN_ERR_CONVERGENCE:
        return "STN_ERR_CONVERGENCE";
    }
    return "unknown status";
}

int stn_abi_version(void)
{
    return STN_ABI_VERSION;
}

const char *stn_version(void)
{
    return STENO_VERSION;
}
