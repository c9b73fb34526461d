/* The smallest program outside the project: prints the version it runs with. */
#include <stdio.h>
#include <steno/status.h>

int main(void)
{
    printf("%s\n", stn_version());
    return stn_abi_version() == STN_ABI_VERSION ? 0 : 1;
}
