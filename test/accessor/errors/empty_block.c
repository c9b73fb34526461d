/* A block of scales has elements. */
/* error: qrange: a block of scales has at least one element */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR_BLOCK_SCALED(qrange, 2, double, int8_t, 0x1, 8)
#else
STN_ACCESSOR_BLOCK_SCALED(qrange, 2, double, int8_t, 0x1, 0)
#endif
