/* See text_twin.h. */
#include "check.h"
#include "text_twin.h"

stn_kernel *text_twin(const stn_kernel *compiled, const char *parameters, const char *body,
                      stn_kernel_class kernel_class)
{
    char bare[400];
    stn_kernel *kernel;
    const size_t length = strlen(parameters);
    assert_true(length < sizeof bare);
    memcpy(bare, parameters + 1, length - 2);
    bare[length - 2] = '\0';
    if (stn_kernel_compile(&kernel, compiled->name, bare, body, kernel_class) != STN_OK)
        fail_msg("%s", stn_error());
    return kernel;
}
