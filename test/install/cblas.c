/* A program of libsteno_cblas, by its C names, in both orders, with its own error exit. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <steno/cblas.h>
#include <steno/status.h>

static int refused;

void cblas_xerbla(int place, const char *routine, const char *message, ...)
{
    (void)message;
    refused = strcmp(routine, "cblas_dgemv") == 0 ? place : -1;
}

int main(void)
{
    const double a[] = {1, 2, 3, 4}, x[] = {1, 10};
    double y[] = {0, 0};
    enum CBLAS_ORDER order = CblasRowMajor;
    cblas_dgemv(order, CblasNoTrans, 2, 2, 1.0, a, 2, x, 1, 0.0, y, 1);
    if (y[0] != 21 || y[1] != 43)
        return 1;
    cblas_dgemv(CblasColMajor, CblasNoTrans, 2, 2, 1.0, a, 2, x, 1, 0.0, y, 1);
    if (y[0] != 31 || y[1] != 42)
        return 2;
    cblas_dgemv(CblasColMajor, CblasNoTrans, 2, 2, 1.0, a, 1, x, 1, 0.0, y, 1);
    if (refused != 7 || y[0] != 31)
        return 3;
    printf("%s\n", stn_version());
    return 0;
}
