/* Copies of views in block formats that a device performs: codes and scales are moved as bytes. */
#include <string.h>

#include "core/status.h"
#include "view/blocks.h"
#include "view/layout/mapping.h"
#include "view/remote.h"

/* A part of each block: its codes, its scale, or both if they are adjacent. */
typedef struct block_part {
    unsigned char *data;
    int64_t step, bytes;
} block_part;

static int are_inline(const stn_block_format *format, stn_blocks memory)
{
    return memory.code_step == memory.scale_step &&
           memory.codes == memory.scales + format->scale_bytes;
}

/* The bytes of a part of the view's blocks: the dimensions of the view, those along the blocks
 * counted in blocks, followed by the bytes. Returns 0 if there are too many dimensions. */
static int as_bytes(const stn_view *view, int64_t elements, block_part part, stn_view *bytes)
{
    static const int64_t zero[STN_MAX_RANK];
    const stn_mapping *const mapping = stn_view_mapping(view);
    int rank = 0;
    *bytes = *view;
    bytes->storage = stn_storage_of(STN_U8);
    bytes->extra = NULL;
    bytes->first = 0;
    bytes->data = part.data + stn_view_element_offset(view, zero) / elements * part.step;
    memset(bytes->extent, 0, sizeof bytes->extent);
    memset(bytes->stride, 0, sizeof bytes->stride);
    for (int d = 0; d < view->rank; d++) {
        const int axis = view->axis[d], is_row = axis == mapping->rank - 1;
        if (view->extent[d] == 1)
            continue;
        if (rank == STN_MAX_RANK - 1)
            return 0;
        bytes->extent[rank] =
            is_row ? (view->extent[d] + elements - 1) / elements : view->extent[d];
        bytes->stride[rank++] =
            is_row ? part.step
                   : view->stride[d] * mapping->tile_stride[axis] / elements * part.step;
    }
    bytes->extent[rank] = part.bytes;
    bytes->stride[rank] = 1;
    bytes->rank = (int8_t)(rank + 1);
    return 1;
}

/* The dimension that has several elements of a block; -1: none. */
static int row_of(const stn_view *view)
{
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] == stn_view_mapping(view)->rank - 1 && view->extent[d] > 1)
            return d;
    return -1;
}

static stn_status refuse(const char *call, const stn_remote_task *task)
{
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s: the blocks of %s and %s are in different orders, or have %d dimensions: "
                    "copy by a mirror of one of them (stn_view_mirror)",
                    call, stn_view_text(task->to), stn_view_text(task->from), STN_MAX_RANK);
}

static stn_status copy_part(const char *call, const stn_remote_task *task, int64_t elements,
                            block_part to, block_part from)
{
    stn_view to_bytes, from_bytes;
    return as_bytes(task->to, elements, to, &to_bytes) &&
                   as_bytes(task->from, elements, from, &from_bytes)
               ? stn_remote_copy(call, task->exec, &to_bytes, &from_bytes, NULL)
               : refuse(call, task);
}

/* Between memories. */
static stn_status copy_blocks(const char *call, const stn_remote_task *task)
{
    const stn_block_format *format;
    stn_blocks to, from;
    if (!stn_blocks_of(task->to, &format, &to) || !stn_blocks_of(task->from, &format, &from) ||
        row_of(task->to) != row_of(task->from))
        return refuse(call, task);
    const int64_t elements = format->elements, both = format->code_bytes + format->scale_bytes;
    if (are_inline(format, to) && are_inline(format, from))
        return copy_part(call, task, elements, (block_part){to.scales, to.scale_step, both},
                         (block_part){from.scales, from.scale_step, both});
    STN_TRY(copy_part(call, task, elements,
                      (block_part){to.codes, to.code_step, format->code_bytes},
                      (block_part){from.codes, from.code_step, format->code_bytes}));
    return copy_part(call, task, elements,
                     (block_part){to.scales, to.scale_step, format->scale_bytes},
                     (block_part){from.scales, from.scale_step, format->scale_bytes});
}

stn_status stn_remote_move_blocks(const char *call, const stn_remote_task *task)
{
    const int is_there = task->from->space != STN_SPACE_HOST || task->is_constant;
    return task->to->space != STN_SPACE_HOST && is_there ? stn_remote_map(call, task)
                                                         : copy_blocks(call, task);
}
