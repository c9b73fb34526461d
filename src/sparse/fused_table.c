/* Which fused loops of sparse rows there are. */
#include "sparse/fused.h"

#define STN_TEMPLATE      stn_sparse_fused
#define STN_TEMPLATE_TYPE stn_sparse_fused
#include "format/instance_table.h"

const stn_sparse_fused *stn_sparse_fused_of(stn_format format)
{
    return instances[stn_isa_chosen()][format];
}
