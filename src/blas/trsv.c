/* trsv: by diagonal tiles, from the first one that can be solved. gemv, or for packed matrices the
 * loops over decoded tiles, subtract the product of a tile's rows with solved elements; then the
 * calling thread solves the tile. A tile of values is solved in place. */
#include <string.h>

#include "blas/band.h"
#include "blas/call.h"
#include "blas/complex.h"
#include "blas/operand.h"
#include "blas/packed.h"
#include "blas/tiles.h"
#include "blas/trsv_tile.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "core/tune.h"
#include "exec/workspace.h"
#include "steno/detail/reduce_operations.h"
#include "order/monoid.h"
#include "order/tree.h"

/* ---- buffers ---- */

/* For devices: decoded x and a tile in device memory, and both in host memory. */
typedef struct buffers {
    stn_view x, a, near_a, near_x;
} buffers;

static void release_buffers(buffers *r)
{
    (void)stn_view_release(&r->x);
    (void)stn_view_release(&r->a);
    (void)stn_view_release(&r->near_a);
    (void)stn_view_release(&r->near_x);
}

/* Buffers of a tile. */
static stn_status allocate_buffers(const stn_blas_call *call, int64_t n, buffers *r)
{
    const stn_blas_call near = {call->name, NULL, call->arithmetic};
    const int64_t count = n < STN_TILE_ELEMENTS ? n : STN_TILE_ELEMENTS, square[] = {count, count};
    STN_TRY(stn_blas_workspace(call, "a tile decoded", 2, square, &r->a));
    STN_TRY(stn_blas_workspace(&near, "a tile", 2, square, &r->near_a));
    return stn_blas_workspace(&near, "x of a tile", 1, &count, &r->near_x);
}

/* ---- all tiles ---- */

typedef struct triangular_system {
    const stn_view *a;
    const stn_view *x; /* decoded, accessible to the executor */
    buffers buffers;
    stn_conjugate conj;
    stn_reader reader;
    stn_triangle_tile tile;
} triangular_system;

/* The tile's rows are those of `reader`. */
static void set_reader(triangular_system *s)
{
    s->tile.a = &s->reader;
    memcpy(s->tile.steps, s->reader.steps, sizeof s->tile.steps);
}

/* Values are used in place. */
static void use_values(const stn_blas_call *call, triangular_system *s, const stn_view *a)
{
    if (stn_exec_is_reference(call->exec) || !stn_blas_are_values(call->arithmetic, a))
        return;
    s->tile.a = NULL;
    s->tile.codes = stn_reader_at(&s->reader, 0);
    s->tile.code_bytes = s->reader.run.bytes;
}

/* Subtracts from a block of x the products of its rows with solved elements, columns first to end -
 * 1. */
static stn_status update_block(const stn_blas_call *call, const triangular_system *s,
                               const stn_slice *block, int64_t first, int64_t end)
{
    const stn_slice solved = stn_slice_range(first, end), both[] = {*block, solved};
    stn_view a, from, to;
    STN_TRY(stn_view_slice(&a, s->a, 2, both));
    STN_TRY(stn_view_slice(&from, s->x, 1, &solved));
    STN_TRY(stn_view_slice(&to, s->x, 1, block));
    if (stn_blas_is_complex(call->arithmetic))
        return stn_gemv_complex(call->exec, call->arithmetic, stn_blas_real(-1.0), s->conj, &a,
                                &from, stn_blas_real(1.0), &to);
    return stn_gemv(call->exec, call->arithmetic, -1.0, &a, &from, 1.0, &to);
}

static stn_status solve_block(const stn_blas_call *call, triangular_system *s,
                              const stn_slice *block)
{
    const int64_t *const steps = s->tile.steps;
    s->tile.position = block->begin * (steps[0] + steps[1]);
    s->tile.x =
        (char *)s->x->data + block->begin * stn_format_entry_of(call->arithmetic)->info.bytes;
    s->tile.count = s->tile.reach = block->count;
    stn_triangle_tile_solve(&s->tile, call->arithmetic);
    return STN_OK;
}

/* Copies tile and x to the host, and x back. */
static stn_status solve_block_of_device(const stn_blas_call *call, triangular_system *s,
                                        const stn_slice *block)
{
    const stn_slice range = stn_slice_range(0, block->count);
    stn_view a, x, buffer, near_a, near_x;
    STN_TRY(stn_view_slice(&a, s->a, 2, (const stn_slice[]){*block, *block}));
    STN_TRY(stn_view_slice(&x, s->x, 1, block));
    STN_TRY(stn_view_slice(&buffer, &s->buffers.a, 2, (const stn_slice[]){range, range}));
    STN_TRY(stn_view_slice(&near_a, &s->buffers.near_a, 2, (const stn_slice[]){range, range}));
    STN_TRY(stn_view_slice(&near_x, &s->buffers.near_x, 1, &range));
    STN_TRY(stn_blas_store(call, &buffer, &a));
    STN_TRY(stn_view_copy(call->exec, &near_a, &buffer));
    STN_TRY(stn_view_copy(call->exec, &near_x, &x));
    s->tile.position = 0;
    s->tile.x = near_x.data;
    s->tile.count = s->tile.reach = block->count;
    stn_triangle_tile_solve(&s->tile, call->arithmetic);
    return stn_view_copy(call->exec, &x, &near_x);
}

static stn_status solve_all(const stn_blas_call *call, triangular_system *s)
{
    const int64_t n = s->x->extent[0], tiles = (n + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    for (int64_t k = 0; k < tiles; k++) {
        const int64_t first = (s->tile.is_upper ? tiles - 1 - k : k) * STN_TILE_ELEMENTS;
        const int64_t end = first + STN_TILE_ELEMENTS < n ? first + STN_TILE_ELEMENTS : n;
        const stn_slice block = stn_slice_range(first, end);
        if (k > 0)
            STN_TRY(s->tile.is_upper ? update_block(call, s, &block, end, n)
                                     : update_block(call, s, &block, 0, first));
        STN_TRY(
            (stn_exec_device(call->exec) ? solve_block_of_device : solve_block)(call, s, &block));
    }
    return STN_OK;
}

/* ---- banded ---- */

/* Copies the band and x, decoded, to the host, and x back. */
static stn_status solve_band_of_device(const stn_blas_call *call, triangular_system *s,
                                       const stn_band *band)
{
    const stn_blas_call near = {call->name, NULL, call->arithmetic};
    const int64_t span = stn_view_mapping(s->a)->span, n = s->x->extent[0];
    const int64_t bytes = stn_format_entry_of(s->a->storage.format)->info.bytes;
    stn_view whole = *s->a, lines = band->lines;
    whole.rank = 1;
    whole.extent[0] = span;
    whole.stride[0] = 1;
    whole.extra = NULL;
    whole.first = 0;
    whole.owner = NULL;
    STN_TRY(stn_blas_workspace(call, "a band decoded", 1, &span, &s->buffers.a));
    STN_TRY(stn_blas_workspace(&near, "a band", 1, &span, &s->buffers.near_a));
    STN_TRY(stn_blas_workspace(&near, "x", 1, &n, &s->buffers.near_x));
    STN_TRY(stn_blas_store(call, &s->buffers.a, &whole));
    STN_TRY(stn_view_copy(call->exec, &s->buffers.near_a, &s->buffers.a));
    STN_TRY(stn_view_copy(call->exec, &s->buffers.near_x, s->x));
    lines.data =
        (char *)s->buffers.near_a.data + ((char *)band->lines.data - (char *)whole.data) / bytes *
                                             stn_format_entry_of(call->arithmetic)->info.bytes;
    lines.storage = s->buffers.near_a.storage;
    lines.space = STN_SPACE_HOST;
    STN_TRY(stn_reader_init(&s->reader, call->name, NULL, call->arithmetic, &lines));
    set_reader(s);
    s->tile.x = s->buffers.near_x.data;
    stn_triangle_tile_solve(&s->tile, call->arithmetic);
    return stn_view_copy(call->exec, s->x, &s->buffers.near_x);
}

static stn_status solve_band(const stn_blas_call *call, triangular_system *s)
{
    stn_band band;
    STN_TRY(stn_band_of(call, s->a, &band));
    s->tile.count = s->x->extent[0];
    s->tile.reach = s->tile.is_upper ? band.above : band.below;
    s->tile.position = 0;
    if (s->tile.reach < 0 || (s->tile.is_upper ? band.below : band.above) < 0)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: the band of %s does not contain the main diagonal", call->name,
                        stn_view_text(s->a));
    if (stn_exec_device(call->exec))
        return solve_band_of_device(call, s, &band);
    s->tile.x = s->x->data;
    STN_TRY(stn_reader_init(&s->reader, call->name, call->exec, call->arithmetic, &band.lines));
    set_reader(s);
    use_values(call, s, &band.lines);
    stn_triangle_tile_solve(&s->tile, call->arithmetic);
    return STN_OK;
}

/* ---- dense ---- */

/* Of the matrix, or of the host copy of a tile. */
static stn_status init_reader(const stn_blas_call *call, triangular_system *s)
{
    const int is_device = stn_exec_device(call->exec) != NULL;
    const stn_view *const a = is_device ? &s->buffers.near_a : s->a;
    const stn_run *const run = &s->reader.run;
    STN_TRY(stn_reader_init(&s->reader, call->name, is_device ? &stn_exec_alone : call->exec,
                            call->arithmetic, a));
    set_reader(s);
    if (stn_exec_is_reference(call->exec) || (s->reader.steps[0] != 1 && s->reader.steps[1] != 1))
        return STN_OK;
    if (stn_blas_is_complex(call->arithmetic)) {
        use_values(call, s, a);
        s->tile.complex = s->tile.a ? NULL : stn_complex_loops_of(call->arithmetic);
        return STN_OK;
    }
    if (!stn_codes_have_loops(&s->reader))
        return STN_OK;
    s->tile.fused = stn_fused_of(run->real, call->arithmetic);
    s->tile.codes = stn_reader_at(&s->reader, 0);
    s->tile.affine = run->affine;
    s->tile.code_bytes = run->bytes;
    if (s->tile.fused && run->real == call->arithmetic && run->affine.plain)
        s->tile.a = NULL;
    return STN_OK;
}

/* ---- tiles, by loops ---- */

/* Tiles in place, or packed ones decoded into a workspace. Each tile of solved elements is a leaf
 * of the sums of a block's rows. */
enum { PACKED_ROW = STN_TILE_ELEMENTS + 4 };
typedef struct tiles_job {
    triangular_system *s;
    const stn_packed *packed; /* or NULL */
    int is_in_place;          /* packed values */
    const stn_line_loops *line_loops;
    stn_format arithmetic;
    int parts;
    stn_reader x;                 /* of complex numbers */
    int64_t n, block, first, end; /* solved tiles */
    double *leaves;
} tiles_job;

static int64_t tile_extent(const tiles_job *job, int64_t at)
{
    const int64_t left = job->n - at * STN_TILE_ELEMENTS;
    return left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
}

/* Of a packed tile on the diagonal, the triangle. */
static void read_packed_tile(const tiles_job *job, int64_t rows, int64_t columns,
                             stn_triangle_tile *t, char *values)
{
    const int are_columns = job->packed->are_columns, is_diagonal = rows == columns;
    const int64_t lines = are_columns ? columns : rows, along = are_columns ? rows : columns;
    t->a = NULL;
    t->codes = values;
    t->code_bytes = stn_format_entry_of(job->arithmetic)->info.bytes;
    t->affine = stn_affine_plain();
    t->steps[are_columns] = PACKED_ROW;
    t->steps[!are_columns] = 1;
    t->position = 0;
    for (int64_t k = 0; k < tile_extent(job, lines); k++) {
        const int64_t begin = is_diagonal && !job->packed->ends ? k : 0;
        const int64_t end = is_diagonal && job->packed->ends ? k + 1 : tile_extent(job, along);
        stn_packed_read(job->packed, &job->s->reader, lines * STN_TILE_ELEMENTS + k,
                        along * STN_TILE_ELEMENTS + begin, end - begin,
                        values + (k * PACKED_ROW + begin) * t->code_bytes);
    }
}

static stn_triangle_tile read_tile(const tiles_job *job, int64_t rows, int64_t columns,
                                   stn_workspace *workspace)
{
    stn_triangle_tile t = job->s->tile;
    if (job->packed)
        read_packed_tile(job, rows, columns, &t, workspace->tiles);
    else
        t.position = STN_TILE_ELEMENTS * (rows * t.steps[0] + columns * t.steps[1]);
    t.count = t.reach = tile_extent(job, rows);
    return t;
}

static void sum_tile(const tiles_job *job, const stn_triangle_tile *t, const void *x, int64_t count,
                     double *sums)
{
    float narrow[STN_TILE_ELEMENTS];
    const int are_rows = t->steps[1] == 1, is_narrow = job->arithmetic == STN_F32;
    const char *const a = t->codes + t->position * t->code_bytes;
    const int64_t line_bytes = t->steps[!are_rows] * t->code_bytes;
    if (t->complex && are_rows)
        t->complex->rows(sums, a, line_bytes, 0, t->count, x, count, t->is_conjugated);
    else if (t->complex)
        t->complex->columns(sums, a, line_bytes, 0, count, x, t->count, t->is_conjugated);
    else if (are_rows)
        t->fused->rows(sums, a, line_bytes, t->count, &t->affine, x, count);
    else
        t->fused->columns(is_narrow ? (void *)narrow : sums, a, line_bytes, count, &t->affine, x,
                          t->count);
    for (int64_t r = 0; is_narrow && !are_rows && r < t->count; r++)
        sums[r] = (double)narrow[r];
}

/* The same for packed values in place. */
static void sum_packed_tile(const tiles_job *job, int64_t rows, int64_t columns, const void *x,
                            double *sums)
{
    const int are_columns = job->packed->are_columns;
    const int64_t line = are_columns ? columns : rows, along = are_columns ? rows : columns;
    const stn_value_lines lines = stn_packed_lines(
        job->packed, stn_reader_at(&job->s->reader, 0),
        stn_format_entry_of(job->arithmetic)->info.bytes, line * STN_TILE_ELEMENTS,
        along * STN_TILE_ELEMENTS, tile_extent(job, line), tile_extent(job, along));
    const stn_complex_loops *const complex = job->s->tile.complex;
    const int is_conjugated = job->s->tile.is_conjugated;
    if (!complex)
        (are_columns ? job->line_loops->across : job->line_loops->along)(sums, &lines, x);
    else if (are_columns)
        complex->columns(sums, lines.a, lines.step, lines.growth, lines.lines, x, lines.count,
                         is_conjugated);
    else
        complex->rows(sums, lines.a, lines.step, lines.growth, lines.lines, x, lines.count,
                      is_conjugated);
}

static char *x_of(const tiles_job *job, int64_t tile)
{
    return (char *)job->s->x->data +
           tile * STN_TILE_ELEMENTS * stn_format_entry_of(job->arithmetic)->info.bytes;
}

static void sum_tiles(void *context, stn_workspace *workspace, int part, int parts)
{
    const tiles_job *const job = context;
    int64_t begin, end;
    stn_share(job->end - job->first, part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k++) {
        double *const leaves = job->leaves + k * tile_extent(job, job->block) * job->parts;
        if (job->is_in_place) {
            sum_packed_tile(job, job->block, job->first + k, x_of(job, job->first + k), leaves);
            continue;
        }
        const stn_triangle_tile t = read_tile(job, job->block, job->first + k, workspace);
        sum_tile(job, &t, x_of(job, job->first + k), tile_extent(job, job->first + k), leaves);
    }
}

static void sum_tiles_in_place(void *context, int part, int parts)
{
    sum_tiles(context, NULL, part, parts);
}

static void subtract_solved(tiles_job *job, const stn_exec *exec, const stn_workspaces *workspaces)
{
    const int64_t numbers = tile_extent(job, job->block) * job->parts;
    const int is_wide = job->arithmetic == STN_F64 || job->arithmetic == STN_C128;
    const int64_t tiles = job->end - job->first;
    const double bytes = (double)(tiles * numbers * STN_TILE_ELEMENTS) * sizeof(double);
    if (tiles == 0)
        return;
    if (workspaces)
        stn_workspaces_run(workspaces, stn_is_for_one_thread(bytes) ? 1 : exec->threads, sum_tiles,
                           job);
    else
        stn_exec_run_sized(exec, bytes, sum_tiles_in_place, job);
    stn_fold_leaves(stn_add_of(is_wide ? STN_F64 : STN_F32), sizeof(double), job->leaves, numbers,
                    tiles);
    if (job->parts == 2)
        stn_complex_update(&job->x, job->block * STN_TILE_ELEMENTS, tile_extent(job, job->block),
                           stn_blas_real(-1.0), job->leaves, stn_blas_real(1.0));
    else
        stn_update_values(x_of(job, job->block), job->arithmetic, numbers, -1.0, job->leaves, 1.0);
}

static void solve_tiles_in(tiles_job *job, const stn_exec *exec, const stn_workspaces *workspaces)
{
    const int64_t tiles = (job->n + STN_TILE_ELEMENTS - 1) / STN_TILE_ELEMENTS;
    const int is_upper = job->s->tile.is_upper;
    for (int64_t k = 0; k < tiles; k++) {
        job->block = is_upper ? tiles - 1 - k : k;
        job->first = is_upper ? job->block + 1 : 0;
        job->end = is_upper ? tiles : job->block;
        subtract_solved(job, exec, workspaces);
        stn_triangle_tile t = read_tile(job, job->block, job->block,
                                        workspaces ? stn_workspaces_first(workspaces) : NULL);
        t.x = x_of(job, job->block);
        stn_triangle_tile_solve(&t, job->arithmetic);
    }
}

/* `packed`: NULL for tiles in place. Nothing has been written if it fails. */
static stn_status solve_tiles(const stn_blas_call *call, triangular_system *s,
                              const stn_packed *packed)
{
    double few[STN_TILE_ELEMENTS * 2];
    void *owned = NULL;
    stn_workspaces *workspaces = NULL;
    if (!packed && s->x->extent[0] <= STN_TILE_ELEMENTS) {
        const stn_slice all = stn_slice_range(0, s->x->extent[0]);
        return solve_block(call, s, &all);
    }
    tiles_job job = {.s = s,
                     .packed = packed,
                     .is_in_place = packed && stn_packed_has_values(call, s->a),
                     .line_loops = stn_line_loops_of(call->arithmetic == STN_F64),
                     .arithmetic = call->arithmetic,
                     .parts = stn_blas_is_complex(call->arithmetic) ? 2 : 1,
                     .n = s->x->extent[0],
                     .leaves = few};
    if (job.parts == 2)
        STN_TRY(stn_reader_init(&job.x, call->name, call->exec, call->arithmetic, s->x));
    if (packed)
        STN_TRY(stn_workspaces_acquire(call->exec, &workspaces));
    const stn_status status =
        job.n <= 2 * STN_TILE_ELEMENTS
            ? STN_OK
            : stn_allocate(&owned, job.n, sizeof(double) * (size_t)job.parts, call->name);
    if (owned)
        job.leaves = owned;
    if (status == STN_OK)
        solve_tiles_in(&job, call->exec, workspaces);
    if (workspaces)
        stn_workspaces_return(workspaces);
    stn_free(owned);
    return status;
}

static stn_status init_packed(const stn_blas_call *call, triangular_system *s)
{
    s->tile.fused = stn_fused_of(call->arithmetic, call->arithmetic);
    s->tile.complex =
        stn_blas_is_complex(call->arithmetic) ? stn_complex_loops_of(call->arithmetic) : NULL;
    return stn_reader_init(&s->reader, call->name, call->exec, call->arithmetic, s->a);
}

static stn_status solve_dense(const stn_blas_call *call, triangular_system *s)
{
    stn_packed packed;
    const int is_device = stn_exec_device(call->exec) != NULL;
    const int is_packed = !is_device && stn_tiles_support(call) &&
                          stn_packed_of(s->a, s->tile.is_upper ? STN_UPPER : STN_LOWER, &packed);
    if (is_device)
        STN_TRY(allocate_buffers(call, s->x->extent[0], &s->buffers));
    STN_TRY((is_packed ? init_packed : init_reader)(call, s));
    if (is_device || !(s->tile.fused || s->tile.complex))
        return solve_all(call, s);
    return solve_tiles(call, s, is_packed ? &packed : NULL);
}

/* ---- x ---- */

static stn_status solve_decoded(const stn_blas_call *call, triangular_system *s)
{
    return (stn_blas_is_banded(s->a) ? solve_band : solve_dense)(call, s);
}

static stn_status solve_on_device(const stn_blas_call *call, triangular_system *s,
                                  const stn_view *x)
{
    memset(&s->buffers, 0, sizeof s->buffers);
    stn_status status = stn_blas_workspace(call, "x decoded", 1, x->extent, &s->buffers.x);
    s->x = &s->buffers.x;
    if (status == STN_OK)
        status = stn_blas_store(call, s->x, x);
    if (status == STN_OK)
        status = solve_decoded(call, s);
    if (status == STN_OK)
        status = stn_blas_store(call, x, s->x);
    release_buffers(&s->buffers);
    return status;
}

/* Up to a tile needs no allocation. */
static stn_status solve_on_host(const stn_blas_call *call, triangular_system *s, const stn_view *x)
{
    const int64_t n = x->extent[0];
    _Alignas(64) stn_c128 few[STN_TILE_ELEMENTS];
    void *values = few, *owned = NULL;
    stn_reader reader;
    stn_view decoded;
    STN_TRY(stn_reader_init(&reader, call->name, call->exec, call->arithmetic, x));
    if (n > STN_TILE_ELEMENTS)
        STN_TRY(stn_allocate(&owned, n, (size_t)stn_format_entry_of(call->arithmetic)->info.bytes,
                             "stn_trsv: x decoded"));
    values = owned ? owned : few;
    stn_read(&reader, values, 0, reader.steps[0], n);
    stn_status status =
        stn_view_wrap(&decoded, "x decoded", stn_storage_of(call->arithmetic), values, 1, &n);
    s->x = &decoded;
    if (status == STN_OK)
        status = solve_decoded(call, s);
    if (status == STN_OK)
        stn_write(&reader, values, 0, reader.steps[0], 0, n);
    stn_free(owned);
    return status;
}

/* Contiguous values are solved in place if nothing can fail afterward. 0 does not mean that the
 * operands are invalid. */
static int is_plain(const stn_blas_call *call, const stn_view *a, const stn_view *x)
{
    return stn_operand_is_plain(call->exec, call->arithmetic, x, 1, 0) &&
           (stn_operand_is_plain(call->exec, call->arithmetic, a, 2, 1) ||
            stn_operand_is_plain(call->exec, call->arithmetic, a, 2, 0)) &&
           a->storage.format == call->arithmetic && x->storage.format == call->arithmetic &&
           x->extent[0] > 0 && a->extent[0] == x->extent[0] && a->extent[1] == x->extent[0] &&
           stn_operand_is_disjoint(x, a) && stn_fused_of(call->arithmetic, call->arithmetic);
}

static stn_status solve_plain(const stn_blas_call *call, triangular_system *s, const stn_view *x)
{
    s->x = x;
    s->tile.fused = stn_fused_of(call->arithmetic, call->arithmetic);
    s->tile.codes = s->a->data;
    s->tile.affine = stn_affine_plain();
    s->tile.code_bytes = stn_arithmetic_bytes(call->arithmetic);
    memcpy(s->tile.steps, s->a->stride, sizeof s->tile.steps);
    return solve_tiles(call, s, NULL);
}

static int are_choices(stn_triangle triangle, stn_diagonal diagonal, stn_conjugate conj)
{
    return (triangle == STN_LOWER || triangle == STN_UPPER) &&
           (diagonal == STN_DIAGONAL_NON_UNIT || diagonal == STN_DIAGONAL_UNIT) &&
           (conj == STN_NO_CONJUGATE || conj == STN_CONJUGATE);
}

static stn_status solve_any(const stn_blas_call *call, triangular_system *s, const stn_view *x)
{
    static const stn_reduction products = {.operation = STN_REDUCE_WITH_products};
    s->tile.products = stn_monoid_of(&products, call->arithmetic);
    const stn_status status =
        (stn_exec_device(call->exec) ? solve_on_device : solve_on_host)(call, s, x);
    return status == STN_OK || strncmp(stn_error(), call->name, strlen(call->name)) == 0
               ? status
               : stn_error_prefix(status, "%s", call->name);
}

static stn_status solve(const stn_blas_call *call, stn_triangle triangle, stn_diagonal diagonal,
                        stn_conjugate conj, const stn_view *a, const stn_view *x)
{
    triangular_system s;
    s.a = a;
    s.conj = conj;
    s.tile = (stn_triangle_tile){.is_upper = triangle == STN_UPPER,
                                 .has_units = diagonal == STN_DIAGONAL_UNIT,
                                 .is_conjugated = conj == STN_CONJUGATE};
    if (are_choices(triangle, diagonal, conj) && is_plain(call, a, x))
        return solve_plain(call, &s, x);
    STN_TRY(stn_blas_check_triangle(call, triangle, diagonal, conj, a, x));
    return x->extent[0] == 0 ? STN_OK : solve_any(call, &s, x);
}

stn_status stn_trsv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    stn_diagonal diagonal, stn_conjugate conj, const stn_view *a, const stn_view *x)
{
    const stn_blas_call call = {"stn_trsv", exec, arithmetic};
    STN_RETURN_IN_MODES(solve(&call, triangle, diagonal, conj, a, x));
}
