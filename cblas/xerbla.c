/* Default error handlers, which the program may replace. Nothing else is in this file, so that a
 * static link uses the program's. */
#include "cblas/xerbla.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "steno/cblas.h"

#define MAY_BE_OTHERS __attribute__((weak))

int RowMajorStrg, CBLAS_CallFromC;

MAY_BE_OTHERS void cblas_xerbla(int place, const char *routine, const char *message, ...)
{
    va_list values;
    va_start(values, message);
    if (*message)
        (void)vfprintf(stderr, message, values);
    else
        (void)fprintf(stderr, "%s: argument %d is invalid\n", routine, place);
    va_end(values);
    exit(EXIT_FAILURE);
}

MAY_BE_OTHERS void xerbla_(const char *name, const int *info, size_t length)
{
    const char *const reason = stn_cblas_reason();
    while (length > 0 && name[length - 1] == ' ')
        length--;
    (void)fprintf(stderr, "%.*s: argument %d %s\n", (int)length, name, *info,
                  *reason ? reason : "is invalid");
    exit(EXIT_FAILURE);
}
