/* Selects the loops over packed slices. */
#include "sparse/product/slice_sums.h"

#define STN_TEMPLATE      stn_packed_sums
#define STN_TEMPLATE_TYPE stn_sum_slices
#include "format/arithmetic_table.h"

stn_sum_slices *stn_packed_sums_of(stn_format arithmetic)
{
    return loops[stn_isa_chosen()][arithmetic == STN_F32];
}
