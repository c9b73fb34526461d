/* Progress of a long command on one line of the terminal. */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void progress(const char *text, ...)
{
    if (!isatty(STDERR_FILENO))
        return;
    va_list values;
    va_start(values, text);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, text, values);
    va_end(values);
    fflush(stderr);
}

void progress_end(void)
{
    progress("%s", "");
}
