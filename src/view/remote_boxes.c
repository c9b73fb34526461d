/* Moves codes between a device's memory and the host's, in as few boxes of contiguous runs, rows
 * and planes as the strides allow. */
#include "core/status.h"
#include "view/remote.h"

/* Maximum pitch (bytes from row to row) that the driver accepts. */
enum { MAX_PITCH = 0x7fffffff };

/* The dimensions of a plan that are the runs, rows and planes of a box; -1: none. */
typedef struct box_shape {
    int run, row, plane;
} box_shape;

static int is_run(const stn_copy_plan *plan, int d)
{
    return plan->nest.to[d] == plan->to_bytes && plan->nest.from[d] == plan->from_bytes;
}

static size_t run_bytes(const stn_copy_plan *plan, int run)
{
    return (size_t)(run >= 0 ? plan->nest.extent[run] * plan->to_bytes : plan->to_bytes);
}

/* The pitch of rows must be at least their length. */
static int is_row(const stn_copy_plan *plan, int d, int64_t bytes)
{
    const int64_t to = plan->nest.to[d], from = plan->nest.from[d];
    return to >= bytes && from >= bytes && to <= MAX_PITCH && from <= MAX_PITCH;
}

/* The distance between planes must be a multiple of the pitch, on both sides. */
static int is_plane(const stn_copy_nest *nest, int d, int row)
{
    const int64_t rows = nest->extent[row];
    return nest->to[d] % nest->to[row] == 0 && nest->from[d] % nest->from[row] == 0 &&
           nest->from[d] > 0 && nest->to[d] / nest->to[row] >= rows &&
           nest->from[d] / nest->from[row] >= rows;
}

static box_shape shape_of(const stn_copy_plan *plan)
{
    box_shape shape = {-1, -1, -1};
    for (int d = plan->nest.rank - 1; d >= 0; d--)
        if (shape.run < 0 && is_run(plan, d))
            shape.run = d;
    const int64_t bytes = (int64_t)run_bytes(plan, shape.run);
    for (int d = plan->nest.rank - 1; d >= 0; d--)
        if (shape.row < 0 && d != shape.run && is_row(plan, d, bytes))
            shape.row = d;
    for (int d = plan->nest.rank - 1; d >= 0 && shape.row >= 0; d--)
        if (shape.plane < 0 && d != shape.run && d != shape.row &&
            is_plane(&plan->nest, d, shape.row))
            shape.plane = d;
    return shape;
}

static stn_device_box box_of(const stn_copy_plan *plan, box_shape shape)
{
    stn_device_box box = {.width = run_bytes(plan, shape.run), .height = 1, .depth = 1};
    box.to_pitch = box.from_pitch = box.width;
    box.to_height = box.from_height = 1;
    if (shape.row >= 0) {
        box.height = (size_t)plan->nest.extent[shape.row];
        box.to_pitch = (size_t)plan->nest.to[shape.row];
        box.from_pitch = (size_t)plan->nest.from[shape.row];
        box.to_height = box.from_height = box.height;
    }
    if (shape.plane >= 0) {
        box.depth = (size_t)plan->nest.extent[shape.plane];
        box.to_height = (size_t)plan->nest.to[shape.plane] / box.to_pitch;
        box.from_height = (size_t)plan->nest.from[shape.plane] / box.from_pitch;
    }
    return box;
}

stn_status stn_remote_boxes(stn_device *device, const stn_copy_plan *plan)
{
    const box_shape shape = shape_of(plan);
    stn_device_box box = box_of(plan, shape);
    stn_copy_nest others = {0};
    stn_copy_position position;
    for (int d = 0; d < plan->nest.rank; d++)
        if (d != shape.run && d != shape.row && d != shape.plane)
            stn_copy_nest_add(&others, plan->nest.extent[d], plan->nest.to[d], plan->nest.from[d]);
    const int64_t boxes = stn_copy_count(&others, others.rank);
    stn_copy_seek(&others, others.rank, 0, &position);
    for (int64_t k = 0; k < boxes; k++) {
        box.to = plan->to + position.to;
        box.from = plan->from + position.from;
        STN_TRY(stn_device_copy_box(device, &box));
        stn_copy_step(&others, others.rank, &position);
    }
    return STN_OK;
}
