/* Scales are f64 or f32. */
/* error: qrange: .*scales */
#include "steno/accessor.h"

#ifdef TWIN
STN_ACCESSOR(qrange, 2, int64_t, int8_t)
#else
STN_ACCESSOR_SCALED(qrange, 2, int64_t, int8_t, 0x2)
#endif
