/* The dot product of two vectors through the standard C interface of BLAS. */
#include <stdio.h>

#include "steno/cblas.h"

int main(void)
{
    const double x[] = {1.0, 2.0, 3.0}, y[] = {4.0, 5.0, 6.0};
    printf("x . y = %g\n", cblas_ddot(3, x, 1, y, 1));
    return 0;
}
