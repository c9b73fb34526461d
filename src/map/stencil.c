/* Stencils. The space is traversed in boxes, plane by plane: rows within the radius of a plane are
 * decoded once, and reused by the next planes. */
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "expr/program.h"
#include "map/launch.h"
#include "view/overlap.h"

/* Workspace for decoded rows per thread, and minimum box extents. */
enum { BUFFER_BYTES = 192 << 10, MIN_COLUMNS = 128, MIN_ROWS = 16, PIECES_EACH = 4 };

/* Limits of shifted views that share rows, so that the rows of a smallest box fit. */
enum { MAX_SHARED_ROWS = 25, MAX_SHARED_REACH = 64, MAX_SHARED_VIEWS = 2 };

typedef struct stencil_workspace {
    _Alignas(STN_LINE) char values[BUFFER_BYTES];
    stn_tile_buffer tiles;
    stn_tile tile;
    stn_stencil_rows rows[STN_MAX_PARAMETERS];
} stencil_workspace;

/* A box of the space. In spaces with one dimension, there is one plane, which is a row. */
typedef struct stencil_box {
    int64_t begin[STN_MAX_RANK], extent[STN_MAX_RANK];
} stencil_box;

/* Decoded rows of one view within the radius: plane p is in slot (p + radius) % planes of a
 * ring. */
typedef struct stencil_lines {
    const stn_slot *slot;
    const stn_parameter *parameter;
    const int32_t *radius;
    int at;                     /* index of the parameter */
    int native;                 /* rows are accessed in place */
    int64_t step[STN_MAX_RANK]; /* positions of the view */
    char *values;
    int64_t planes;        /* of the ring */
    int64_t margin, bytes; /* elements of a row before the first one of the box; bytes of a row */
    int64_t count;         /* rows of a plane: middle dimensions including margins */
    int64_t around;        /* rows within the radius */
    int64_t row_bytes;     /* from a row to the next one of the same plane */
} stencil_lines;

static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Arrangement of the rows of a view for boxes of `extent`. */
static stencil_lines lines_of(const stn_launch *launch, int number, const int64_t *extent)
{
    const int at = launch->stencil.view_at[number], last = launch->rank - 1;
    stencil_lines lines = {.slot = &launch->slots[at],
                           .parameter = &launch->kernel->parameters[at],
                           .radius = launch->stencil.radius[number],
                           .at = at,
                           .planes = 1,
                           .count = 1,
                           .around = 1};
    const int32_t *const radius = lines.radius;
    stn_reader_steps(&lines.slot->reader, lines.step);
    lines.native = lines.slot->kind == STN_PARAMETER_STENCIL &&
                   lines.parameter->boundary == STN_BOUNDARY_INSIDE && lines.slot->indexed.native &&
                   lines.slot->view->stride[last] == 1;
    for (int d = 0; d < last; d++)
        lines.around *= 2 * (int64_t)radius[d] + 1;
    if (lines.native) {
        lines.row_bytes = lines.slot->view->stride[last > 0 ? last - 1 : 0] * launch->bytes;
        return lines;
    }
    lines.margin = round_up(radius[last], STN_LINE / 4);
    lines.bytes = round_up((2 * lines.margin + extent[last]) * launch->bytes, STN_LINE);
    lines.row_bytes = lines.bytes;
    if (last > 0)
        lines.planes = 2 * (int64_t)radius[0] + 1;
    for (int d = 1; d < last; d++)
        lines.count *= extent[d] + 2 * (int64_t)radius[d];
    return lines;
}

/* ---- shifted parameters that share rows ---- */

/* Rows are long, and contiguous in all views. */
static int has_long_rows(const stn_launch *launch)
{
    const int last = launch->rank - 1;
    int has = launch->rank > 0 && launch->extent[last] >= MIN_COLUMNS;
    for (int v = 0; v < launch->views && has; v++) {
        const int64_t stride = launch->slots[launch->view_at[v]].stride[last];
        has = stride == 0 || stride == 1;
    }
    return has;
}

static int is_same_source(const stn_launch *launch, int a, int b)
{
    const stn_parameter *const p = &launch->kernel->parameters[a];
    const stn_parameter *const q = &launch->kernel->parameters[b];
    return launch->slots[b].kind == STN_PARAMETER_SHIFTED && p->boundary == q->boundary &&
           p->integer == q->integer && memcmp(&p->value, &q->value, sizeof p->value) == 0 &&
           stn_view_is_same(launch->slots[a].view, launch->slots[b].view);
}

/* The parameters that are the same view as `at`, from it on: their number, or 0 if they reach too
 * far to keep their rows. */
static int find_reach(const stn_launch *launch, int at, int32_t *radius)
{
    int count = 0;
    int64_t rows = 1;
    for (int b = at; b < launch->kernel->count; b++)
        if (is_same_source(launch, at, b)) {
            for (int d = 0; d < launch->rank; d++) {
                const int64_t offset = launch->kernel->parameters[b].offset[d];
                const int64_t distance = offset < 0 ? -offset : offset;
                radius[d] = distance > MAX_SHARED_REACH ? MAX_SHARED_REACH + 1
                            : distance > radius[d]      ? (int32_t)distance
                                                        : radius[d];
            }
            count++;
        }
    for (int d = 0; d < launch->rank - 1 && rows <= MAX_SHARED_ROWS; d++)
        rows *= 2 * (int64_t)radius[d] + 1;
    return rows > MAX_SHARED_ROWS || radius[launch->rank - 1] > MAX_SHARED_REACH ? 0 : count;
}

void stn_stencil_share_rows(stn_launch *launch)
{
    stn_stencil_plan *const stencil = &launch->stencil;
    if (!launch->shifted || stencil->views > 0 || !launch->has_tiles || !has_long_rows(launch))
        return;
    for (int at = 0; at < launch->kernel->count && stencil->views < MAX_SHARED_VIEWS; at++) {
        stn_slot *const slot = &launch->slots[at];
        int32_t *const radius = stencil->radius[stencil->views];
        if (slot->kind != STN_PARAMETER_SHIFTED || slot->lines >= 0 ||
            stn_launch_is_plain(launch, slot))
            continue;
        memset(radius, 0, sizeof stencil->radius[0]);
        if (find_reach(launch, at, radius) < 2)
            continue;
        for (int b = at; b < launch->kernel->count; b++)
            if (is_same_source(launch, at, b))
                launch->slots[b].lines = stencil->views;
        stencil->view_at[stencil->views++] = at;
    }
}

void *stn_stencil_values(const stn_launch *launch, int at, const stn_tile *tile,
                         const stn_stencil_rows *rows)
{
    const int lines = launch->slots[at].lines, last = launch->rank - 1;
    const int32_t *const offset = launch->kernel->parameters[at].offset;
    const int32_t *const radius = launch->stencil.radius[lines];
    int64_t number = 0;
    for (int d = 0; d < last; d++)
        number = number * (2 * (int64_t)radius[d] + 1) + offset[d] + radius[d];
    const int64_t index = tile->index[last] + offset[last] - rows[lines].first;
    return (char *)(uintptr_t)rows[lines].rows[number] + index * launch->bytes;
}

/* ---- the plan ---- */

int stn_stencil_fits_rows(const stn_parameter *parameter)
{
    int64_t rows = 1;
    for (int d = 0; d < parameter->rank - 1 && rows <= STN_STENCIL_ROWS; d++)
        rows *= 2 * (int64_t)parameter->offset[d] + 1;
    return rows <= STN_STENCIL_ROWS;
}

static stn_status expect_view(const stn_launch *launch, int number)
{
    const int at = launch->stencil.view_at[number];
    const stn_parameter *parameter = &launch->kernel->parameters[at];
    const stn_view *view = launch->slots[at].view;
    if (parameter->rank != launch->rank || view->rank != launch->rank)
        return stn_fail(
            STN_ERR_SHAPE,
            "kernel %s: the radius of %s has %d dimensions, but the kernel runs over %d: %s",
            launch->kernel->name, parameter->name, (int)parameter->rank, launch->rank,
            stn_view_text(view));
    for (int d = 0; d < launch->rank; d++) {
        if (view->extent[d] == 0 && launch->pieces > 0)
            return stn_fail(STN_ERR_SHAPE, "kernel %s: %s has no elements: %s",
                            launch->kernel->name, parameter->name, stn_view_text(view));
        if (parameter->offset[d] < 0)
            return stn_fail(STN_ERR_ARGUMENT, "kernel %s: the radius %d of %s is negative",
                            launch->kernel->name, (int)parameter->offset[d], parameter->name);
    }
    if (!stn_stencil_fits_rows(parameter))
        return stn_fail(STN_ERR_UNSUPPORTED, "kernel %s: the radius of %s covers more than %d rows",
                        launch->kernel->name, parameter->name, STN_STENCIL_ROWS);
    return STN_OK;
}

static int fits_buffer(const stn_launch *launch)
{
    int64_t bytes = 0;
    for (int f = 0; f < launch->stencil.views; f++) {
        const stencil_lines lines = lines_of(launch, f, launch->stencil.box);
        if (lines.bytes > BUFFER_BYTES || lines.count > BUFFER_BYTES ||
            lines.count * lines.bytes > BUFFER_BYTES)
            return 0;
        bytes += lines.planes * lines.count * lines.bytes;
    }
    return bytes <= BUFFER_BYTES;
}

/* Halves the longest of the middle dimensions, then rows, then the middle dimensions again. */
static int cut_box(stn_launch *launch)
{
    const int last = launch->rank - 1;
    int64_t *box = launch->stencil.box;
    int longest = last;
    for (int d = 1; d < last; d++)
        if (longest == last || box[d] > box[longest])
            longest = d;
    if (longest == last || (box[longest] <= MIN_ROWS && box[last] > MIN_COLUMNS))
        longest = last;
    if (longest == last && box[last] <= MIN_COLUMNS)
        return 0;
    if (longest != last && box[longest] <= 1)
        return 0;
    box[longest] =
        longest == last ? round_up((box[last] + 1) / 2, MIN_COLUMNS) : (box[longest] + 1) / 2;
    return 1;
}

/* First or last element that a parameter reads in a dimension. */
static int64_t reach_of(const stn_launch *launch, int at, int d, int is_ahead)
{
    const stn_parameter *const parameter = &launch->kernel->parameters[at];
    const int64_t offset = parameter->offset[d];
    return parameter->kind == STN_PARAMETER_STENCIL && !is_ahead ? -offset : offset;
}

/* The traversed range: the space, or its interior. */
static void find_extent(stn_launch *launch)
{
    stn_stencil_plan *stencil = &launch->stencil;
    for (int d = 0; d < launch->rank; d++) {
        int64_t begin = 0, end = launch->extent[d];
        for (int at = 0; at < launch->kernel->count; at++) {
            if (launch->kernel->parameters[at].boundary != STN_BOUNDARY_INSIDE)
                continue;
            const int64_t back = -reach_of(launch, at, d, 0);
            const int64_t limit = launch->slots[at].view->extent[d] - reach_of(launch, at, d, 1);
            begin = back > begin ? back : begin;
            end = limit < end ? limit : end;
        }
        stencil->begin[d] = begin;
        stencil->extent[d] = end > begin ? end - begin : 0;
    }
}

/* Planes of boxes, which are distributed over threads. */
static int64_t count_pieces(stn_launch *launch)
{
    stn_stencil_plan *stencil = &launch->stencil;
    const int last = launch->rank - 1;
    int64_t pieces = stencil->planes;
    for (int d = last > 0; d <= last && pieces > 0; d++) {
        stencil->boxes[d] = (stencil->extent[d] + stencil->box[d] - 1) /
                            (stencil->box[d] > 0 ? stencil->box[d] : 1);
        pieces *= stencil->boxes[d];
    }
    return pieces;
}

stn_status stn_stencil_create_plan(stn_launch *launch)
{
    stn_stencil_plan *stencil = &launch->stencil;
    const int last = launch->rank - 1;
    for (int f = 0; f < stencil->views; f++) {
        const int at = stencil->view_at[f];
        if (launch->slots[at].kind != STN_PARAMETER_STENCIL)
            continue;
        STN_TRY(expect_view(launch, f));
        memcpy(stencil->radius[f], launch->kernel->parameters[at].offset,
               sizeof stencil->radius[f]);
    }
    if (launch->pieces == 0)
        return STN_OK;
    find_extent(launch);
    for (int d = 0; d < launch->rank; d++)
        stencil->box[d] = stencil->extent[d] < BUFFER_BYTES ? stencil->extent[d] : BUFFER_BYTES;
    while (!fits_buffer(launch))
        if (!cut_box(launch))
            return stn_fail(
                STN_ERR_UNSUPPORTED,
                "kernel %s: the rows within the radius need more than %d bytes of workspace",
                launch->kernel->name, (int)BUFFER_BYTES);
    stencil->planes = last > 0 ? stencil->extent[0] : 1;
    launch->pieces = count_pieces(launch);
    while (launch->pieces > 0 && launch->pieces < PIECES_EACH * (int64_t)launch->exec->threads &&
           cut_box(launch))
        launch->pieces = count_pieces(launch);
    if (!launch->converts && !launch->shifted && launch->masks == 0 &&
        !stn_exec_is_reference(launch->exec) && !stn_program_is_loop(launch->loop))
        launch->tile = stencil->box[last];
    return STN_OK;
}

/* ---- rows within the radius ---- */

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Decodes the part of a plane of the view that the box needs. */
static void read_plane(const stn_launch *launch, const stencil_lines *lines, const stencil_box *box,
                       int64_t plane)
{
    if (lines->native)
        return;
    const int last = launch->rank - 1;
    const stn_view *view = lines->slot->view;
    const int64_t *step = lines->step;
    const int32_t *const radius = lines->radius;
    char *values =
        lines->values + (plane + radius[0]) % lines->planes * lines->count * lines->bytes;
    const int64_t skipped = (lines->margin - radius[last]) * launch->bytes;
    for (int64_t line = 0; line < lines->count; line++) {
        const stn_parameter *const parameter = lines->parameter;
        int64_t rest = line, found = 0;
        int exists = last == 0 || stn_boundary_find(parameter, plane, view->extent[0], &found);
        int64_t position = last > 0 ? found * step[0] : 0;
        for (int d = last - 1; d > 0; d--) {
            const int64_t extent = box->extent[d] + 2 * (int64_t)radius[d];
            exists &= stn_boundary_find(parameter, box->begin[d] - radius[d] + rest % extent,
                                        view->extent[d], &found);
            position += found * step[d];
            rest /= extent;
        }
        char *const row = values + line * lines->bytes + skipped;
        const int64_t count = box->extent[last] + 2 * (int64_t)radius[last];
        if (exists)
            stn_boundary_read(launch, lines->at, position, step[last], view->extent[last],
                              box->begin[last] - radius[last], count, row);
        else
            stn_boundary_fill(launch, parameter, row, count);
    }
}

/* Bytes from the view's first row to row `at` of dimension d, or from the first line of the ring to
 * its line. */
static int64_t step_to(const stencil_lines *lines, const stencil_box *box, int d, int64_t at)
{
    const stn_view *view = lines->slot->view;
    const int32_t *const radius = lines->radius;
    if (lines->native)
        return clamp(at, 0, view->extent[d] - 1) * view->stride[d] * lines->slot->reader.run.bytes;
    if (d == 0)
        return (at + radius[0]) % lines->planes * lines->count * lines->bytes;
    int64_t line = at - box->begin[d] + radius[d];
    for (int e = d + 1; e < view->rank - 1; e++)
        line *= box->extent[e] + 2 * (int64_t)radius[e];
    return line * lines->bytes;
}

/* Pointers to the rows around a row with given indices except for the last: for each dimension,
 * those found so far are repeated for every offset. */
static void find_rows(const stn_launch *launch, const stencil_lines *lines, const stencil_box *box,
                      const int64_t *row, stn_stencil_rows *rows)
{
    const int last = launch->rank - 1;
    int64_t count = 1;
    rows->first = lines->native ? 0 : box->begin[last];
    rows->rows[0] = lines->native ? (const char *)lines->slot->view->data
                                  : lines->values + lines->margin * launch->bytes;
    for (int d = 0; d < last; d++) {
        const int64_t radius = lines->radius[d], more = 2 * radius + 1;
        int64_t step[STN_STENCIL_ROWS];
        for (int64_t k = 0; k < more; k++)
            step[k] = step_to(lines, box, d, row[d] + k - radius);
        for (int64_t k = count - 1; k >= 0; k--) {
            const char *from = rows->rows[k];
            for (int64_t m = more - 1; m >= 0; m--)
                rows->rows[k * more + m] = from + step[m];
        }
        count *= more;
    }
}

/* ---- pieces ---- */

/* Address that is read when the row of the next plane is decoded. */
static const char *row_ahead(const stencil_lines *lines, const stencil_box *box, const int64_t *row)
{
    const stn_view *view = lines->slot->view;
    const int last = view->rank - 1;
    int64_t offset = lines->slot->reader.plain ? box->begin[last] : 0;
    for (int d = 0; d < last && lines->slot->reader.plain; d++)
        offset += clamp(row[d] + (d == 0 ? lines->radius[0] + 1 : 0), 0, view->extent[d] - 1) *
                  view->stride[d];
    return (const char *)view->data + offset * lines->slot->reader.run.bytes;
}

/* The rows of a plane along the dimension before the last; in fewer than three dimensions, a plane
 * is a row. Those around the next row are found from those around this one. */
static void calculate_rows(const stn_launch *launch, stencil_workspace *buffer,
                           const stencil_lines *lines, const stencil_box *box, int64_t *row)
{
    const int last = launch->rank - 1;
    const int64_t rows = last > 1 ? box->extent[last - 1] : 1;
    int64_t number = 0;
    for (int d = 0; d < last; d++)
        number = number * launch->extent[d] + row[d];
    for (int f = 0; f < launch->stencil.views; f++)
        find_rows(launch, &lines[f], box, row, &buffer->rows[f]);
    for (int64_t r = 0; r < rows; r++) {
        for (int f = 0; f < launch->stencil.views && launch->fetches; f++)
            buffer->tiles.ahead[f] = row_ahead(&lines[f], box, row);
        stn_launch_row(launch, &buffer->tiles, &buffer->tile, number + r, row, box->begin[last],
                       box->begin[last] + box->extent[last]);
        if (r == rows - 1)
            return;
        row[last - 1]++;
        for (int f = 0; f < launch->stencil.views; f++)
            for (int64_t k = 0; k < lines[f].around; k++)
                buffer->rows[f].rows[k] =
                    (const char *)buffer->rows[f].rows[k] + lines[f].row_bytes;
    }
}

static void calculate_plane(const stn_launch *launch, stencil_workspace *buffer,
                            const stencil_lines *lines, const stencil_box *box, int64_t plane)
{
    const int last = launch->rank - 1;
    int64_t row[STN_MAX_RANK] = {plane};
    for (int d = 1; d < last; d++)
        row[d] = box->begin[d];
    for (;;) {
        calculate_rows(launch, buffer, lines, box, row);
        int d = last - 1;
        for (; d > 0 && row[d] == box->begin[d] + box->extent[d] - 1; d--)
            row[d] = box->begin[d];
        if (d <= 0)
            return;
        row[d]++;
    }
}

static stencil_box find_box(const stn_launch *launch, int64_t number)
{
    const stn_stencil_plan *stencil = &launch->stencil;
    const int last = launch->rank - 1;
    stencil_box box;
    for (int d = last; d >= (last > 0); d--) {
        const int64_t box_index = number % stencil->boxes[d];
        number /= stencil->boxes[d];
        const int64_t rest = stencil->extent[d] - box_index * stencil->box[d];
        box.begin[d] = stencil->begin[d] + box_index * stencil->box[d];
        box.extent[d] = rest < stencil->box[d] ? rest : stencil->box[d];
    }
    return box;
}

/* Computes planes begin to end - 1 of a box. */
static void calculate_box(const stn_launch *launch, stencil_workspace *buffer,
                          const stencil_box *box, int64_t begin, int64_t end)
{
    stencil_lines lines[STN_MAX_PARAMETERS];
    char *values = buffer->values;
    for (int f = 0; f < launch->stencil.views; f++) {
        lines[f] = lines_of(launch, f, box->extent);
        lines[f].values = values;
        values += lines[f].planes * lines[f].count * lines[f].bytes;
        for (int64_t p = begin - lines[f].planes / 2; p < begin + lines[f].planes / 2; p++)
            read_plane(launch, &lines[f], box, p);
    }
    for (int64_t plane = begin; plane < end; plane++) {
        for (int f = 0; f < launch->stencil.views; f++)
            read_plane(launch, &lines[f], box, plane + lines[f].planes / 2);
        calculate_plane(launch, buffer, lines, box, plane);
    }
}

_Static_assert(sizeof(stencil_workspace) <= STN_TILES_BYTES,
               "rows within the radius fit into the workspace");

void stn_stencil_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                        int64_t end)
{
    const int64_t planes = launch->stencil.planes;
    stencil_workspace *buffer = (stencil_workspace *)(void *)workspace->tiles;
    stn_launch_begin(launch, workspace, &buffer->tiles, &buffer->tile);
    for (int f = 0; f < launch->stencil.views; f++) {
        const int at = launch->stencil.view_at[f];
        buffer->rows[f].view = launch->slots[at].view;
        if (launch->slots[at].kind != STN_PARAMETER_STENCIL)
            continue;
        buffer->rows[f].beyond = launch->slots[at].indexed.beyond;
        buffer->tile.values[at] = &buffer->rows[f];
    }
    buffer->tiles.rows = buffer->rows;
    while (begin < end) {
        const int64_t first = begin % planes;
        const int64_t batch = planes - first < end - begin ? planes - first : end - begin;
        const stencil_box box = find_box(launch, begin / planes);
        const int64_t plane = first + (launch->rank > 1 ? launch->stencil.begin[0] : 0);
        calculate_box(launch, buffer, &box, plane, plane + batch);
        begin += batch;
    }
}
