/* Detects static variables in the text of a body. C++ programs run the same scanner at compile
 * time; C compilers detect only some of the variables (steno/detail/kernel_define.h). */
#include "steno/detail/kernel_static.h"

#include "map/launch.h"

#include <string.h>

int stn_body_has_variable(const char *text)
{
    return strstr(text, "static") && stn_has_static_variable(text, strlen(text) + 1);
}
