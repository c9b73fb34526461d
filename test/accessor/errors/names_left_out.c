/* An accessor by names needs four of them. */
/* error: define STN_NAME, STN_RANK, STN_REAL and STN_STORAGE */
#include "steno/accessor.h"

#define STN_NAME    xrange
#define STN_REAL    double
#define STN_STORAGE float
#ifdef TWIN
#    define STN_RANK 2
#endif
#include "steno/accessor_define.h"
