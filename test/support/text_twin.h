/* A kernel compiled from the text of one that STN_MAP has made. */
#ifndef STENO_TEST_TEXT_TWIN_H
#define STENO_TEST_TEXT_TWIN_H

#include "steno/kernel_text.h"

/* `parameters` with their parentheses. Release with stn_kernel_release. */
stn_kernel *text_twin(const stn_kernel *compiled, const char *parameters, const char *body,
                      stn_kernel_class kernel_class);

#endif
