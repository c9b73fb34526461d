/* Scales are f64 or f32. */
/* error: qrange: .*scales */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR(qrange, 2, stn_c128, stn_c64)
#else
STN_ACCESSOR_SCALED(qrange, 2, stn_c128, stn_c64, 0x2)
#endif
