/* symv, hemv and trmv: each tile of the triangle is read once. One off the diagonal is a part of
 * the sums of its lines, by the loops over rows; of those of its mirror image, by the loops over
 * columns; or of both. One on the diagonal is summed as a triangle, or
 * as the square that it represents. The sums of tiles are leaves of the tree (doc/order.md).
 *
 * Lines are rows or columns of the matrix, whose elements follow each other where there is a
 * choice. */
#include "blas/tiles.h"

#include "blas/complex_triangle.h"
#include "blas/operand.h"
#include "blas/packed.h"
#include "core/memory.h"
#include "core/tune.h"
#include "exec/workspace.h"
#include "order/tree.h"
#include "view/trace.h"

enum { STACK_TILES = 3 }; /* tiles along the diagonal whose leaves are on the stack */

_Static_assert(STN_TILE_ELEMENTS *STN_SQUARE_ROW *STN_BLAS_VALUE_BYTES <= STN_TILES_BYTES,
               "a tile fits into the workspace");

typedef struct triangle_job {
    const stn_fused *values;          /* loops over values of the arithmetic type */
    const stn_fused *codes;           /* over lines in place; NULL: lines are decoded */
    const stn_complex_loops *complex; /* over values of complex arithmetic, which has no others */
    const char *a;                    /* lines in place, except for packed ones */
    int64_t line_bytes, code_bytes;
    stn_affine affine;                /* of codes */
    int are_values;                   /* codes are values */
    const stn_line_loops *line_loops; /* over real values in place; or NULL */
    const stn_reader *reader;         /* for all other views */
    int is_packed, has_packed_values;
    stn_packed packed;          /* consecutive lines */
    int ends;                   /* lines end at the diagonal; otherwise they begin there */
    int sums_lines, sums_turns; /* sums of lines, and of elements across lines */
    int has_units, is_hermitian;
    int conjugates_lines, conjugates_turns; /* conjugations */
    const char *x;                          /* values */
    char *y;                                /* values as well, or NULL */
    const stn_operand *to;
    stn_c128 alpha, beta;
    stn_format arithmetic, real; /* arithmetic type, and that of parts */
    int64_t parts, value_bytes, n, tiles;
    double *leaves; /* per block of the result: leaves of its tiles */
} triangle_job;

static int64_t extent_of(const triangle_job *job, int64_t block)
{
    const int64_t left = job->n - block * STN_TILE_ELEMENTS;
    return left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
}

static double *leaves_of(const triangle_job *job, int64_t block, int64_t tile)
{
    return job->leaves +
           (block * STN_TILE_ELEMENTS * job->tiles + tile * extent_of(job, block)) * job->parts;
}

static void update(const triangle_job *job, int64_t first, int64_t count, const double *sums)
{
    if (job->complex)
        stn_complex_update(&job->to->reader, first, count, job->alpha, sums, job->beta);
    else if (job->y)
        stn_update_values(job->y + first * job->value_bytes, job->arithmetic, count, job->alpha.re,
                          sums, job->beta.re);
    else
        stn_operand_update(job->to, job->arithmetic, first, count, job->alpha.re, sums,
                           job->beta.re);
}

/* ---- lines ---- */

static void read_line(const triangle_job *job, int64_t line, int64_t first, int64_t count,
                      void *values)
{
    const stn_reader *const reader = job->reader;
    if (job->is_packed)
        stn_packed_read(&job->packed, reader, line, first, count, values);
    else
        stn_read(reader, values, line * reader->steps[0] + first * reader->steps[1],
                 reader->steps[1], count);
}

/* A tile of real values in place. */
static stn_value_lines lines_of(const triangle_job *job, int64_t lines, int64_t along)
{
    const int64_t line = lines * STN_TILE_ELEMENTS, first = along * STN_TILE_ELEMENTS;
    const int64_t height = extent_of(job, lines), width = extent_of(job, along);
    if (job->is_packed)
        return stn_packed_lines(&job->packed, stn_reader_at(job->reader, 0), job->value_bytes, line,
                                first, height, width);
    return (stn_value_lines){.a = job->a + line * job->line_bytes + first * job->code_bytes,
                             .step = job->line_bytes,
                             .lines = height,
                             .count = width};
}

/* A tile in place, or as values in a workspace. */
typedef struct square {
    const stn_fused *fused;
    const char *at;
    int64_t line_bytes;
    stn_affine affine;
} square;

static square read_tile(const triangle_job *job, stn_workspace *workspace, int64_t lines,
                        int64_t along)
{
    const int is_diagonal = lines == along;
    const int is_changed = is_diagonal && job->has_units && !job->complex;
    const int64_t count = extent_of(job, along), row = STN_SQUARE_ROW * job->value_bytes;
    if ((job->are_values && !is_changed) || (job->codes && !is_diagonal))
        return (square){job->codes,
                        job->a + lines * STN_TILE_ELEMENTS * job->line_bytes +
                            along * STN_TILE_ELEMENTS * job->code_bytes,
                        job->line_bytes, job->affine};
    for (int64_t k = 0; k < extent_of(job, lines); k++) {
        const int64_t begin = is_diagonal && !job->ends ? k : 0;
        const int64_t end = is_diagonal && job->ends ? k + 1 : count;
        read_line(job, lines * STN_TILE_ELEMENTS + k, along * STN_TILE_ELEMENTS + begin,
                  end - begin, workspace->tiles + k * row + begin * job->value_bytes);
    }
    return (square){job->values, workspace->tiles, row, stn_affine_plain()};
}

/* ---- off the diagonal ---- */

/* Of rows in final form, or of values to be conjugated. */
static void sum_rows(const triangle_job *job, const square *rows, double *sums, int64_t count,
                     const void *x, int64_t elements, int is_conjugated)
{
    if (job->complex)
        job->complex->rows(sums, rows->at, rows->line_bytes, 0, count, x, elements, is_conjugated);
    else
        rows->fused->rows(sums, rows->at, rows->line_bytes, count, &rows->affine, x, elements);
}

static void sum_columns(const triangle_job *job, const square *rows, double *sums, int64_t count,
                        const void *x, int64_t columns)
{
    float narrow[STN_TILE_ELEMENTS];
    if (job->complex)
        job->complex->columns(sums, rows->at, rows->line_bytes, 0, count, x, columns,
                              job->conjugates_turns);
    else
        rows->fused->columns(job->real == STN_F64 ? (void *)sums : narrow, rows->at,
                             rows->line_bytes, count, &rows->affine, x, columns);
    for (int64_t k = 0; job->arithmetic == STN_F32 && k < columns; k++)
        sums[k] = (double)narrow[k];
}

/* A tile of packed complex values in place. */
static void sum_packed(const triangle_job *job, int64_t lines, int64_t along)
{
    const stn_value_lines v = lines_of(job, lines, along);
    const int64_t tile_bytes = STN_TILE_ELEMENTS * job->value_bytes;
    if (job->sums_lines)
        job->complex->rows(leaves_of(job, lines, along), v.a, v.step, v.growth, v.lines,
                           job->x + along * tile_bytes, v.count, job->conjugates_lines);
    if (job->sums_turns)
        job->complex->columns(leaves_of(job, along, lines), v.a, v.step, v.growth, v.lines,
                              job->x + lines * tile_bytes, v.count, job->conjugates_turns);
}

static void sum_tile(const triangle_job *job, stn_workspace *workspace, int64_t lines,
                     int64_t along)
{
    const int64_t height = extent_of(job, lines), width = extent_of(job, along);
    const int64_t tile_bytes = STN_TILE_ELEMENTS * job->value_bytes;
    if (job->line_loops) {
        const stn_value_lines values = lines_of(job, lines, along);
        if (job->sums_lines && job->sums_turns)
            job->line_loops->both(leaves_of(job, lines, along), leaves_of(job, along, lines),
                                  &values, job->x + along * tile_bytes,
                                  job->x + lines * tile_bytes);
        else if (job->sums_lines)
            job->line_loops->along(leaves_of(job, lines, along), &values,
                                   job->x + along * tile_bytes);
        else
            job->line_loops->across(leaves_of(job, along, lines), &values,
                                    job->x + lines * tile_bytes);
        return;
    }
    if (job->complex && job->has_packed_values) {
        sum_packed(job, lines, along);
        return;
    }
    const square tile = read_tile(job, workspace, lines, along);
    if (job->sums_lines)
        sum_rows(job, &tile, leaves_of(job, lines, along), height, job->x + along * tile_bytes,
                 width, job->conjugates_lines);
    if (job->sums_turns)
        sum_columns(job, &tile, leaves_of(job, along, lines), height, job->x + lines * tile_bytes,
                    width);
}

/* ---- on the diagonal ---- */

/* Are tiles on the diagonal triangles of values, which loops read in place? */
static int has_triangles(const triangle_job *job)
{
    return job->line_loops && !job->has_units && !(job->sums_lines && job->sums_turns);
}

/* The diagonal of a tile in a workspace. */
static void set_units(const triangle_job *job, char *values, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        if (job->real == STN_F64)
            ((double *)(void *)values)[k * (STN_SQUARE_ROW + 1)] = 1.0;
        else
            ((float *)(void *)values)[k * (STN_SQUARE_ROW + 1)] = 1.0f;
    }
}

static void sum_real(const triangle_job *job, stn_workspace *workspace, int64_t block, double *sums,
                     const char *x)
{
    const stn_line_loops *const loops = stn_line_loops_of(job->real == STN_F64);
    stn_value_lines lines;
    if (has_triangles(job)) {
        lines = lines_of(job, block, block);
    } else {
        const square tile = read_tile(job, workspace, block, block);
        const int64_t count = extent_of(job, block);
        lines = (stn_value_lines){
            .a = tile.at, .step = tile.line_bytes, .lines = count, .count = count};
        if (job->has_units)
            set_units(job, workspace->tiles, count);
    }
    lines.part = job->ends ? STN_LINE_TO_DIAGONAL : STN_LINE_FROM_DIAGONAL;
    (job->sums_lines && job->sums_turns ? loops->symmetric
     : job->sums_lines                  ? loops->along
                                        : loops->across)(sums, &lines, x);
}

static void sum_diagonal(const triangle_job *job, stn_workspace *workspace, int64_t block)
{
    const char *const x = job->x + block * STN_TILE_ELEMENTS * job->value_bytes;
    double *const sums = leaves_of(job, block, block);
    if (!job->complex) {
        sum_real(job, workspace, block, sums, x);
        return;
    }
    const square tile = read_tile(job, workspace, block, block);
    const stn_complex_triangle triangle = {.loops = job->complex,
                                           .is_wide = job->real == STN_F64,
                                           .lines = tile.at,
                                           .line_bytes = tile.line_bytes,
                                           .count = extent_of(job, block),
                                           .ends = job->ends,
                                           .sums_lines = job->sums_lines,
                                           .sums_turns = job->sums_turns,
                                           .conjugates_lines = job->conjugates_lines,
                                           .conjugates_turns = job->conjugates_turns,
                                           .has_units = job->has_units,
                                           .is_hermitian = job->is_hermitian,
                                           .x = x};
    stn_complex_triangle_sum(&triangle, sums);
}

/* ---- all tiles ---- */

/* Tiles of a triangle sequentially, along the lines. */
static void sum_tiles(void *context, stn_workspace *workspace, int part, int parts)
{
    const triangle_job *const job = context;
    int64_t k, end, row = 0;
    stn_share(job->tiles * (job->tiles + 1) / 2, part, parts, &k, &end);
    while ((row + 1) * (row + 2) / 2 <= k)
        row++;
    for (int64_t at = k - row * (row + 1) / 2; k < end; k++) {
        const int64_t lines = job->ends ? row : job->tiles - 1 - row;
        const int64_t along = job->ends ? at : job->tiles - 1 - at;
        if (lines == along)
            sum_diagonal(job, workspace, lines);
        else
            sum_tile(job, workspace, lines, along);
        at = at < row ? at + 1 : 0;
        row += at == 0;
    }
}

static void sum_tiles_in_place(void *context, int part, int parts)
{
    sum_tiles(context, NULL, part, parts);
}

/* Leaves of absent tiles are -0, which changes no sum; or +0 in both parts. */
static void store_blocks(void *context, int part, int parts)
{
    const triangle_job *const job = context;
    const int is_whole = job->sums_lines && job->sums_turns, is_real = !job->complex;
    const int end_on_device = job->ends == job->sums_lines;
    int64_t block, end;
    stn_share(job->tiles, part, parts, &block, &end);
    for (; block < end; block++) {
        double *const leaves = leaves_of(job, block, 0);
        const int64_t count = extent_of(job, block), row = count * job->parts;
        const int64_t first = end_on_device ? block + 1 : 0,
                      after = end_on_device ? job->tiles : block;
        for (int64_t k = first * row; !is_whole && k < after * row; k++)
            leaves[k] = is_real ? -0.0 : 0.0;
        stn_fold_leaves(stn_add_of(job->real), sizeof *leaves, leaves, row, job->tiles);
        update(job, block * STN_TILE_ELEMENTS, count, leaves);
    }
}

static stn_status run_traced(const stn_blas_call *call, triangle_job *job)
{
    const double elements = (double)job->n * (double)job->n / 2;
    const double bytes = elements * (double)job->value_bytes;
    double few[STACK_TILES * STACK_TILES * STN_TILE_ELEMENTS];
    void *buffer = NULL;
    stn_workspaces *workspaces = NULL;
    stn_status status = STN_OK;
    job->leaves = few;
    if (job->tiles * job->n * job->parts > STACK_TILES * STACK_TILES * STN_TILE_ELEMENTS) {
        STN_TRY(stn_allocate(&buffer, job->tiles * job->n, sizeof *job->leaves * (size_t)job->parts,
                             call->name));
        job->leaves = buffer;
    }
    if ((job->are_values && !(job->has_units && !job->complex)) || has_triangles(job)) {
        stn_exec_run_sized(call->exec, bytes, sum_tiles_in_place, job);
    } else {
        status = stn_workspaces_acquire(call->exec, &workspaces);
        if (status == STN_OK) {
            stn_workspaces_run(workspaces, stn_is_for_one_thread(bytes) ? 1 : call->exec->threads,
                               sum_tiles, job);
            stn_workspaces_return(workspaces);
        }
    }
    if (status == STN_OK)
        stn_exec_run_sized(call->exec,
                           (double)(job->tiles * job->n * job->parts) * sizeof *job->leaves,
                           store_blocks, job);
    stn_free(buffer);
    return status;
}

static stn_status run(const stn_blas_call *call, triangle_job *job, const stn_view *y)
{
    const char *const kernel = job->sums_lines && job->sums_turns ? "symv" : "trmv";
    const uint64_t trace = stn_trace_begin(kernel, y);
    const stn_status status = run_traced(call, job);
    stn_trace_end(kernel, y, trace);
    return status;
}

static void set_product(triangle_job *job, const stn_blas_call *call, const stn_tiles_product *p)
{
    const int is_complex = stn_blas_is_complex(call->arithmetic);
    const stn_format_info *const info = &stn_format_entry_of(call->arithmetic)->info;
    job->arithmetic = call->arithmetic;
    job->real = info->component;
    job->parts = is_complex ? 2 : 1;
    job->value_bytes = info->bytes;
    job->values = is_complex ? NULL : stn_fused_of(call->arithmetic, call->arithmetic);
    job->complex = is_complex ? stn_complex_loops_of(call->arithmetic) : NULL;
    job->is_hermitian = p->is_hermitian;
    job->n = p->x->extent[0];
    job->tiles = (job->n + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    job->has_units = p->has_units;
    job->alpha = p->alpha;
    job->beta = p->beta;
    job->is_packed = job->has_packed_values = 0;
    job->line_loops = NULL;
    job->reader = NULL;
}

/* Are lines the columns of A? In one of the triangles they end at the diagonal. */
static void set_lines(triangle_job *job, const stn_tiles_product *p, int are_columns)
{
    job->ends = (p->triangle == STN_LOWER) != are_columns;
    job->sums_lines = p->is_mirrored || !are_columns;
    job->sums_turns = p->is_mirrored || are_columns;
    job->conjugates_lines = p->is_hermitian ? are_columns : p->is_conjugated;
    job->conjugates_turns = p->is_hermitian ? !are_columns : p->is_conjugated;
}

/* Codes with this distance between lines. */
static void set_codes(triangle_job *job, const stn_view *a, int64_t stride, const stn_fused *codes,
                      const stn_affine *affine)
{
    job->codes = codes;
    job->a = a->data;
    job->code_bytes = stn_format_entry_of(a->storage.format)->info.bytes;
    job->line_bytes = stride * job->code_bytes;
    job->affine = *affine;
    job->are_values = a->storage.format == job->arithmetic && affine->plain &&
                      (codes || (job->complex && stn_blas_are_values(job->arithmetic, a)));
}

/* Loops over lines of real values. */
static void set_loops(triangle_job *job)
{
    if (job->are_values && !job->complex)
        job->line_loops = stn_line_loops_of(job->real == STN_F64);
}

/* ---- any operands ---- */

int stn_tiles_support(const stn_blas_call *call)
{
    return stn_exec_has_loops(call->exec) &&
           (stn_blas_is_complex(call->arithmetic)
                ? stn_complex_loops_of(call->arithmetic) != NULL
                : stn_fused_of(call->arithmetic, call->arithmetic) != NULL);
}

static int set_packed(const stn_blas_call *call, triangle_job *job, const stn_tiles_product *p)
{
    if (!stn_packed_of(p->a, p->triangle, &job->packed))
        return 0;
    set_lines(job, p, job->packed.are_columns);
    job->is_packed = 1;
    job->has_packed_values = stn_packed_has_values(call, p->a);
    if (job->has_packed_values && !job->complex)
        job->line_loops = stn_line_loops_of(job->real == STN_F64);
    job->codes = NULL;
    job->are_values = 0;
    return 1;
}

static stn_status init_operand(const stn_blas_call *call, const stn_view *view, stn_operand *made)
{
    if (!stn_blas_is_complex(call->arithmetic))
        return stn_operand_init(call->name, call->exec, call->arithmetic, view, made);
    STN_TRY(stn_reader_init(&made->reader, call->name, call->exec, call->arithmetic, view));
    made->count = view->extent[view->rank - 1];
    made->stride = made->reader.steps[view->rank - 1];
    made->values = made->plain_run =
        stn_blas_are_values(call->arithmetic, view) && made->stride == 1;
    return STN_OK;
}

/* Values of x: from stn_vector_init, or complex ones. */
static stn_status read_x(const stn_blas_call *call, triangle_job *job, const stn_operand *by,
                         stn_vector *vector)
{
    vector->owned = NULL;
    if (!job->complex) {
        STN_TRY(stn_vector_init(by, 1.0, call->name, vector));
        job->x = vector->values;
        return STN_OK;
    }
    job->x = stn_reader_at(&by->reader, 0);
    if (by->values)
        return STN_OK;
    STN_TRY(stn_allocate(&vector->owned, by->count, (size_t)job->value_bytes, call->name));
    stn_operand_read(by, 0, by->count, vector->owned);
    job->x = vector->owned;
    return STN_OK;
}

static const stn_fused *codes_of(const stn_blas_call *call, const stn_operand *from)
{
    return from->plain_run && !stn_blas_is_complex(call->arithmetic)
               ? stn_fused_of(from->reader.run.real, call->arithmetic)
               : NULL;
}

stn_status stn_tiles_multiply(const stn_blas_call *call, const stn_tiles_product *p)
{
    triangle_job job;
    stn_operand from, by, to;
    stn_vector vector;
    stn_view lines = *p->a;
    const int are_columns =
        !stn_view_mapping(&lines) && lines.stride[0] == 1 && lines.stride[1] != 1;
    if (p->x->extent[0] == 0)
        return STN_OK;
    if (are_columns)
        STN_TRY(stn_blas_transpose(&lines, p->a));
    STN_TRY(init_operand(call, &lines, &from));
    STN_TRY(init_operand(call, p->x, &by));
    STN_TRY(init_operand(call, p->y, &to));
    set_product(&job, call, p);
    if (!set_packed(call, &job, p)) {
        set_lines(&job, p, are_columns);
        set_codes(&job, &lines, lines.stride[0], codes_of(call, &from), &from.reader.run.affine);
        job.are_values &= from.plain_run;
        set_loops(&job);
    }
    job.reader = &from.reader;
    job.y = NULL;
    job.to = &to;
    STN_TRY(read_x(call, &job, &by, &vector));
    const stn_status status = run(call, &job, p->y);
    stn_free(vector.owned);
    return status;
}

/* ---- values in place: arithmetic only ---- */

static int are_plain(const stn_blas_call *call, const stn_tiles_product *p)
{
    const stn_view *const a = p->a, *const x = p->x, *const y = p->y;
    return !p->has_units && stn_operand_is_plain(call->exec, call->arithmetic, x, 1, 0) &&
           stn_operand_is_plain(call->exec, call->arithmetic, y, 1, 0) &&
           (stn_operand_is_plain(call->exec, call->arithmetic, a, 2, 1) ||
            stn_operand_is_plain(call->exec, call->arithmetic, a, 2, 0)) &&
           a->storage.format == call->arithmetic && x->storage.format == call->arithmetic &&
           y->storage.format == call->arithmetic && x->extent[0] > 0 &&
           a->extent[0] == x->extent[0] && a->extent[1] == x->extent[0] &&
           y->extent[0] == x->extent[0] && stn_operand_is_disjoint(y, a) &&
           (x == y || stn_operand_is_disjoint(y, x)) &&
           stn_fused_of(call->arithmetic, call->arithmetic) &&
           !stn_blas_is(call->arithmetic, p->alpha, 0.0) &&
           (p->triangle == STN_LOWER || p->triangle == STN_UPPER);
}

int stn_tiles_multiply_plain(const stn_blas_call *call, const stn_tiles_product *p)
{
    const stn_affine plain = stn_affine_plain();
    triangle_job job;
    if (!are_plain(call, p))
        return 0;
    const int are_columns = p->a->stride[1] != 1;
    set_product(&job, call, p);
    set_lines(&job, p, are_columns);
    set_codes(&job, p->a, p->a->stride[are_columns ? 1 : 0], job.values, &plain);
    set_loops(&job);
    job.reader = NULL;
    job.x = p->x->data;
    job.y = p->y->data;
    return run(call, &job, p->y) == STN_OK;
}
