/* Freeing the machine code of one function. */
#include "contract/code.h"

#include <string.h>

#include "core/memory.h"

void stn_code_release(stn_code *code)
{
    stn_free(code->instructions);
    stn_free(code->text);
    stn_free(code->loops);
    stn_free(code->loop_of);
    memset(code, 0, sizeof *code);
}
