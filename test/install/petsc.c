/* A program of libsteno_petsc without PETSc's headers; an error has a sentence in libsteno. */
#include <stdio.h>
#include <string.h>

#include <steno/petsc.h>

int main(void)
{
    if (stn_petsc_pc_set_ilu(NULL, NULL, NULL) != STN_ERR_ARGUMENT ||
        !strstr(stn_error(), "pc is NULL"))
        return 1;
    printf("%s\n", stn_version());
    return 0;
}
