/* See block_loops.h. */
#include "order/block_loops.h"

#define STN_TEMPLATE           stn_block_sums
#define STN_TEMPLATE_TYPE      stn_block_pair
#define STN_TEMPLATE_INSTANCES STN_BLOCK_INSTANCES
#include "format/instance_table.h"

/* Loops expect blocks at the distances of new memory. */
static int are_as_expected(const stn_block_format *format, const stn_blocks *blocks)
{
    const int64_t bytes = format->code_bytes + format->scale_bytes;
    if (!format->is_inline)
        return blocks->code_step == format->code_bytes && blocks->scale_step == format->scale_bytes;
    return blocks->code_step == bytes && blocks->scale_step == bytes &&
           blocks->codes == blocks->scales + format->scale_bytes;
}

const stn_block_loops *stn_block_loops_of(stn_format format, stn_format arithmetic,
                                          const stn_blocks *blocks)
{
    if (format < STN_BUILTIN_FORMATS || format >= STN_FIRST_REGISTERED ||
        (arithmetic != STN_F64 && arithmetic != STN_F32) ||
        !are_as_expected(stn_block_builtin(format), blocks))
        return NULL;
    const stn_block_pair *const pair = instances[stn_isa_chosen()][format];
    if (!pair)
        return NULL;
    return arithmetic == STN_F64 ? &pair->f64 : &pair->f32;
}
