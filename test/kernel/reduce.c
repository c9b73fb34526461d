/* Reductions whose loops are under contract: see reduce.cg. */
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(dot, products, (in(x), in(y)), x, y)
STN_REDUCE(nonzeros, count, (in(x)), x != 0)
/* clang-format on */

/* What is not used is not compiled. */
extern const stn_reduction *const under_contract[3];
const stn_reduction *const under_contract[3] = {&total_reduction, &dot_reduction,
                                                &nonzeros_reduction};
