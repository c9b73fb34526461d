/* A slice of elements that may be anywhere is none of aligned ones. */
/* error: row_of: elements of row are aligned, and those of xrange less */
#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, stn_c128, stn_c128)
#ifdef TWIN
STN_ACCESSOR_ALIGNED(row, 1, stn_c128, stn_c128, 1)
#else
STN_ACCESSOR_ALIGNED(row, 1, stn_c128, stn_c128, 16)
#endif
STN_ACCESSOR_SLICE(row_of, xrange, 2, row, 0x1)
