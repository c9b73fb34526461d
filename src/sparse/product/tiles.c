/* Selects the loops over tiles of entries. */
#include "sparse/product/tile.h"

#define STN_TEMPLATE      stn_sparse_tiles
#define STN_TEMPLATE_TYPE const stn_sparse_tiles
#include "format/arithmetic_table.h"

const stn_sparse_tiles *stn_sparse_tiles_of(stn_format arithmetic)
{
    return loops[stn_isa_chosen()][arithmetic == STN_F32];
}
