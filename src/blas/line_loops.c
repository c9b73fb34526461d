/* Selection of the loops over lines of values. */
#include "blas/value_lines.h"

#define STN_TEMPLATE      stn_line_loops
#define STN_TEMPLATE_TYPE const stn_line_loops
#include "format/arithmetic_table.h"

const stn_line_loops *stn_line_loops_of(int is_wide)
{
    return loops[stn_isa_chosen()][!is_wide];
}
