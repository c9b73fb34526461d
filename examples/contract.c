/* A loop under contract: the program checks its own machine code. */
#include <stdio.h>

#include "steno/contract.h"

void scale(long count, double *x, double factor);

__attribute__((noinline)) void scale(long count, double *x, double factor)
{
    for (long k = 0; k < count; k++)
        x[k] *= factor;
}

int main(int argc, char **argv)
{
    const char *contract = "kernel scale @x86-64|aarch64 loop=main : cvt == 0, divisions == 0";
    double x[] = {1.0, 2.0, 3.0};
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    stn_image *image;

    (void)argv;
    scale(argc, x, (double)argc + 1.0);
    if (stn_image_open_self(&image)) {
        fprintf(stderr, "%s\n", stn_error());
        return 77; /* another machine */
    }
    if (stn_contract_check_text(image, contract, "scale", stderr, &result))
        fprintf(stderr, "%s\n", stn_error());
    stn_image_close(image);
    return result.broken ? 1 : result.held ? 0 : 77;
}
