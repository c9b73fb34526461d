/* A program of libsteno_contract: its own main is found in its own machine code; an error has a
 * sentence in libsteno. */
#include <stdio.h>
#include <string.h>

#include <steno/contract.h>

int main(void)
{
    stn_image *image = NULL;
    int32_t function;
    if (stn_image_open(&image, "/none") != STN_ERR_IO || !strstr(stn_error(), "/none"))
        return 1;
    if (stn_image_open_self(&image) || stn_image_find(image, "main", &function)) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    stn_image_close(image);
    printf("%s\n", stn_version());
    return 0;
}
