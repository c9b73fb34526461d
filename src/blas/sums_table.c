/* Which sums there are. */
#include "blas/sums.h"

#define STN_TEMPLATE      stn_sums
#define STN_TEMPLATE_TYPE stn_sums
#include "format/instance_table.h"

const stn_sums *stn_sums_find(stn_format format)
{
    return instances[stn_isa_chosen()][format];
}
