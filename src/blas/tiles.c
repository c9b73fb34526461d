/* symv and trmv: each tile of the triangle is read once. One off the diagonal is a part of the sums
 * of its lines, by the loops over rows; of those of its mirror image, by the loops over columns; or
 * of both. One on the diagonal is put together as a square, some rows of the result at a time. The
 * sums of tiles are leaves of the tree (doc/order.md).
 *
 * Lines are rows or columns of the matrix, whose elements follow each other where there is a
 * choice. */
#include "blas/tiles.h"

#include <math.h>
#include <string.h>

#include "blas/operand.h"
#include "core/memory.h"
#include "core/tune.h"
#include "exec/workspace.h"
#include "map/transpose.h"
#include "sum/tree.h"
#include "view/layout/mapping.h"
#include "view/trace.h"

enum {
    TILE = STN_TILE_ELEMENTS,
    PAD = 4,           /* elements between rows: no power of two, for the caches' sake */
    WIDE = TILE + PAD, /* elements from a row to the next */
    STRIP = 8,         /* rows of the result that are put together at once; of short ones MOST */
    MOST = 16,
    FEW = 3 /* tiles along the diagonal whose leaves are on the stack */
};

typedef struct triangle_job {
    const stn_fused *values; /* loops over values of the arithmetic type */
    const stn_fused *codes;  /* over lines where they are; NULL: they are read */
    const char *a;           /* lines where they are, but packed ones without a distance */
    int64_t line_bytes, code_bytes;
    stn_affine affine;         /* of codes */
    int are_values;            /* codes are values */
    const stn_reader *reader;  /* of all others */
    const stn_mapping *packed; /* NULL, or lines follow each other as it says, from line `base` */
    int64_t base;
    int ends;                   /* lines end at the diagonal; else they begin there */
    int sums_lines, sums_turns; /* sums are those of lines, or of the elements across */
    int has_units;
    const char *x; /* values */
    char *y;       /* values too, or NULL */
    const stn_operand *to;
    double alpha, beta;
    stn_format arithmetic;
    int64_t value_bytes, n, tiles;
    double *leaves; /* of each block of the result, those of its tiles, side by side */
} triangle_job;

static int64_t extent_of(const triangle_job *job, int64_t block)
{
    const int64_t left = job->n - block * TILE;
    return left < TILE ? left : TILE;
}

static double *leaves_of(const triangle_job *job, int64_t block, int64_t tile)
{
    return job->leaves + block * TILE * job->tiles + tile * extent_of(job, block);
}

static void update(const triangle_job *job, int64_t first, int64_t count, const double *sums)
{
    if (job->y)
        stn_update_values(job->y + first * job->value_bytes, job->arithmetic, count, job->alpha,
                          sums, job->beta);
    else
        stn_operand_update(job->to, job->arithmetic, first, count, job->alpha, sums, job->beta);
}

/* ---- lines ---- */

static void read_line(const triangle_job *job, int64_t line, int64_t first, int64_t count,
                      void *values)
{
    const stn_reader *const reader = job->reader;
    const int64_t indices[] = {job->base + line, job->base + first};
    if (job->packed)
        stn_run_decode(&reader->run, values,
                       stn_reader_at(reader, stn_mapping_offset(job->packed, indices)), 1, count);
    else
        stn_read(reader, values, line * reader->steps[0] + first * reader->steps[1],
                 reader->steps[1], count);
}

/* A tile where it is, or as values in a workspace. */
typedef struct square {
    const stn_fused *fused;
    const char *at;
    int64_t line_bytes;
    stn_affine affine;
} square;

static square take_tile(const triangle_job *job, stn_workspace *workspace, int64_t lines,
                        int64_t along)
{
    const int is_diagonal = lines == along;
    const int64_t count = extent_of(job, along), row = WIDE * job->value_bytes;
    if (job->codes && (job->are_values || !is_diagonal))
        return (square){job->codes,
                        job->a + lines * TILE * job->line_bytes + along * TILE * job->code_bytes,
                        job->line_bytes, job->affine};
    for (int64_t k = 0; k < extent_of(job, lines); k++) {
        const int64_t begin = is_diagonal && !job->ends ? k : 0;
        const int64_t end = is_diagonal && job->ends ? k + 1 : count;
        read_line(job, lines * TILE + k, along * TILE + begin, end - begin,
                  workspace->tiles + k * row + begin * job->value_bytes);
    }
    return (square){job->values, workspace->tiles, row, stn_affine_plain()};
}

/* ---- off the diagonal ---- */

static void sum_tile(const triangle_job *job, stn_workspace *workspace, int64_t lines,
                     int64_t along)
{
    const int64_t height = extent_of(job, lines), width = extent_of(job, along);
    const square tile = take_tile(job, workspace, lines, along);
    double *const across = leaves_of(job, along, lines);
    float narrow[TILE];
    if (job->sums_lines)
        tile.fused->rows(leaves_of(job, lines, along), tile.at, tile.line_bytes, height,
                         &tile.affine, job->x + along * TILE * job->value_bytes, width);
    if (!job->sums_turns)
        return;
    const int is_wide = job->arithmetic == STN_F64;
    tile.fused->columns(is_wide ? (void *)across : narrow, tile.at, tile.line_bytes, height,
                        &tile.affine, job->x + lines * TILE * job->value_bytes, width);
    for (int64_t k = 0; !is_wide && k < width; k++)
        across[k] = (double)narrow[k];
}

/* ---- on the diagonal ---- */

/* The tile as the square that it stands for, some rows at a time. Absent elements are zeros whose
 * products with x are -0, which changes no sum; where some x is not finite, a row has an x of its
 * own, with 0 there. Rows end with whole lanes, as zeros do. */
typedef struct diagonal {
    const char *from; /* lines */
    int64_t step, count, lanes;
    int64_t rows, row; /* at once, and elements from one to the next */
    int is_finite;
    _Alignas(64) char x[TILE * sizeof(double)];
    _Alignas(64) char zeros[TILE * sizeof(double)];
    _Alignas(64) char strip[STRIP * WIDE * sizeof(double)];
} diagonal;

#define DEFINE_VALUES(T, type)                                                                     \
    static int are_finite_##T(const void *values, int64_t count)                                   \
    {                                                                                              \
        const type *const x = values;                                                              \
        int odd = 0;                                                                               \
        for (int64_t k = 0; k < count; k++)                                                        \
            odd |= x[k] - x[k] != 0;                                                               \
        return !odd;                                                                               \
    }                                                                                              \
    static void take_zeros_##T(void *zeros, const void *values, int64_t count)                     \
    {                                                                                              \
        type *const zero = zeros;                                                                  \
        const type *const x = values;                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            zero[k] = signbit(x[k]) ? (type)0.0 : (type)-0.0;                                      \
    }                                                                                              \
    static const type unit_##T = 1;
DEFINE_VALUES(f64, double)
DEFINE_VALUES(f32, float)

/* Elements begin to end - 1. */
static void move(const triangle_job *job, char *row, const char *from, int64_t begin, int64_t end)
{
    memcpy(row + begin * job->value_bytes, from + begin * job->value_bytes,
           (size_t)((end - begin) * job->value_bytes));
}

static void begin_diagonal(const triangle_job *job, diagonal *d, const char *x)
{
    const int is_wide = job->arithmetic == STN_F64;
    const int64_t all = d->lanes * job->value_bytes;
    move(job, d->x, x, 0, d->count);
    memset(d->x + d->count * job->value_bytes, 0,
           (size_t)((d->lanes - d->count) * job->value_bytes));
    d->is_finite = (job->sums_lines && job->sums_turns) ||
                   (is_wide ? are_finite_f64 : are_finite_f32)(d->x, d->count);
    if (d->is_finite && !(job->sums_lines && job->sums_turns))
        (is_wide ? take_zeros_f64 : take_zeros_f32)(d->zeros, d->x, d->lanes);
    else if (d->count < d->lanes || !d->is_finite)
        (is_wide ? take_zeros_f64 : take_zeros_f32)(d->zeros, memset(d->zeros, 0, (size_t)all),
                                                    d->lanes);
    for (int64_t i = 0; d->count < d->lanes && i < d->rows; i++)
        move(job, d->strip + i * d->row * job->value_bytes, d->zeros, d->count, d->lanes);
}

static void set_diagonal(const triangle_job *job, char *row, const char *line, int64_t k)
{
    const void *const unit =
        job->arithmetic == STN_F64 ? (const void *)&unit_f64 : (const void *)&unit_f32;
    memcpy(row + k * job->value_bytes, job->has_units ? unit : line + k * job->value_bytes,
           (size_t)job->value_bytes);
}

/* Row k: the line's own elements, and zeros where others are absent. */
static void take_line(const triangle_job *job, const diagonal *d, char *row, int64_t k)
{
    const char *const line = d->from + k * d->step, *const own = job->sums_lines ? line : d->zeros;
    if (job->ends) {
        if (!job->sums_turns)
            move(job, row, d->zeros, k + 1, d->count);
        move(job, row, own, 0, k + 1);
    } else {
        if (!job->sums_turns)
            move(job, row, d->zeros, 0, k);
        move(job, row, own, k, d->count);
    }
    if (job->has_units || !job->sums_lines)
        set_diagonal(job, row, line, k);
}

/* Of rows first to first + some - 1 the elements that stand across the lines. A corner of the tile
 * is turned as a whole: the lines' own elements come later. */
static void take_turns(const triangle_job *job, diagonal *d, int64_t first, int64_t some)
{
    const int64_t bytes = job->value_bytes;
    const int64_t begin = job->ends ? first : 0, end = job->ends ? d->count : first + some;
    stn_transpose_words(d->strip + begin * bytes, d->row, d->from + begin * d->step + first * bytes,
                        d->step / bytes, end - begin, some, bytes);
}

/* Rows one by one, each with an x that is 0 where the row's elements are absent. */
static void sum_apart(const triangle_job *job, const diagonal *d, double *sums, int64_t first,
                      int64_t some)
{
    const stn_affine plain = stn_affine_plain();
    const int end_there = job->ends == job->sums_lines;
    _Alignas(64) char x[TILE * sizeof(double)];
    for (int64_t k = first; k < first + some; k++) {
        memset(x, 0, sizeof x);
        move(job, x, d->x, end_there ? 0 : k, end_there ? k + 1 : d->count);
        job->values->rows(sums + k, d->strip + (k - first) * d->row * job->value_bytes, 0, 1,
                          &plain, x, d->lanes);
    }
}

static void sum_diagonal(const triangle_job *job, stn_workspace *workspace, int64_t block)
{
    const stn_affine plain = stn_affine_plain();
    const square tile = take_tile(job, workspace, block, block);
    double *const sums = leaves_of(job, block, block);
    diagonal d;
    d.from = tile.at;
    d.step = tile.line_bytes;
    d.count = extent_of(job, block);
    d.lanes = (d.count + STN_LANES - 1) / STN_LANES * STN_LANES;
    d.row = d.lanes + PAD;
    d.rows = (int64_t)sizeof d.strip / (d.row * job->value_bytes) < MOST ? STRIP : MOST;
    const int64_t row = d.row * job->value_bytes;
    begin_diagonal(job, &d, job->x + block * TILE * job->value_bytes);
    for (int64_t first = 0; first < d.count; first += d.rows) {
        const int64_t some = d.count - first < d.rows ? d.count - first : d.rows;
        if (job->sums_turns)
            take_turns(job, &d, first, some);
        for (int64_t i = 0; i < some; i++)
            take_line(job, &d, d.strip + i * row, first + i);
        if (d.is_finite)
            job->values->rows(sums + first, d.strip, row, some, &plain, d.x, d.lanes);
        else
            sum_apart(job, &d, sums, first, some);
    }
}

/* ---- all tiles ---- */

/* Tiles of a triangle one after the other, along the lines. */
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

/* The leaves of tiles that are absent, where they are not the last ones, are -0. */
static void store_blocks(void *context, int part, int parts)
{
    const triangle_job *const job = context;
    const int is_whole = job->sums_lines && job->sums_turns,
              end_there = job->ends == job->sums_lines;
    int64_t block, end;
    stn_share(job->tiles, part, parts, &block, &end);
    for (; block < end; block++) {
        double *const leaves = leaves_of(job, block, 0);
        const int64_t count = extent_of(job, block);
        for (int64_t k = 0; !is_whole && !end_there && k < block * count; k++)
            leaves[k] = -0.0;
        stn_fold_leaves(stn_add_of(job->arithmetic), sizeof *leaves, leaves, count,
                        !is_whole && end_there ? block + 1 : job->tiles);
        update(job, block * TILE, count, leaves);
    }
}

static stn_status run_traced(const stn_blas_call *call, triangle_job *job)
{
    const double elements = (double)job->n * (double)job->n / 2;
    const double bytes = elements * (double)job->value_bytes;
    double few[FEW * FEW * TILE];
    void *room = NULL;
    stn_workspaces *workspaces = NULL;
    stn_status status = STN_OK;
    job->leaves = few;
    if (job->tiles > FEW) {
        STN_TRY(stn_allocate(&room, job->tiles * job->n, sizeof *job->leaves, call->name));
        job->leaves = room;
    }
    if (job->are_values) {
        stn_exec_run_worth(call->exec, bytes, sum_tiles_in_place, job);
    } else {
        status = stn_workspaces_take(call->exec, &workspaces);
        if (status == STN_OK) {
            stn_workspaces_run(workspaces, stn_is_for_one_thread(bytes) ? 1 : call->exec->threads,
                               sum_tiles, job);
            stn_workspaces_give_back(workspaces);
        }
    }
    if (status == STN_OK)
        stn_exec_run_worth(call->exec, (double)(job->tiles * job->n) * sizeof *job->leaves,
                           store_blocks, job);
    stn_free(room);
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
    job->arithmetic = call->arithmetic;
    job->value_bytes = stn_arithmetic_bytes(call->arithmetic);
    job->values = stn_fused_of(call->arithmetic, call->arithmetic);
    job->n = p->x->extent[0];
    job->tiles = (job->n + TILE - 1) / TILE;
    job->has_units = p->has_units;
    job->alpha = p->alpha;
    job->beta = p->beta;
    job->packed = NULL;
    job->reader = NULL;
}

/* Are lines the columns of A? They end at the diagonal in one of the triangles. */
static void set_lines(triangle_job *job, const stn_tiles_product *p, int are_columns)
{
    job->ends = (p->triangle == STN_LOWER) != are_columns;
    job->sums_lines = p->is_mirrored || !are_columns;
    job->sums_turns = p->is_mirrored || are_columns;
}

/* Codes whose lines are so many elements apart. */
static void set_codes(triangle_job *job, const stn_view *a, int64_t stride, const stn_fused *codes,
                      const stn_affine *affine)
{
    job->codes = codes;
    job->a = a->data;
    job->code_bytes = stn_format_entry_of(a->storage.format)->info.bytes;
    job->line_bytes = stride * job->code_bytes;
    job->affine = *affine;
    job->are_values = codes && a->storage.format == job->arithmetic && affine->plain;
}

/* ---- any operands ---- */

int stn_tiles_take(const stn_blas_call *call)
{
    return !stn_blas_is_complex(call->arithmetic) && call->exec->kind == STN_EXEC_OPENMP &&
           stn_fused_of(call->arithmetic, call->arithmetic) != NULL;
}

static int set_packed(triangle_job *job, const stn_tiles_product *p)
{
    const stn_view *const a = p->a;
    if (!stn_blas_is_packed(a) || a->stride[0] != 1)
        return 0;
    const int grows = stn_mapping_grows(a->mapping);
    set_lines(job, p, grows != (p->triangle == STN_LOWER));
    job->packed = a->mapping;
    job->base = a->base[0];
    job->codes = NULL;
    job->are_values = 0;
    return 1;
}

stn_status stn_tiles_multiply(const stn_blas_call *call, const stn_tiles_product *p)
{
    triangle_job job;
    stn_operand from, by, to;
    stn_vector vector;
    stn_view lines = *p->a;
    const int are_columns = !lines.mapping && lines.stride[0] == 1 && lines.stride[1] != 1;
    if (p->x->extent[0] == 0)
        return STN_OK;
    if (are_columns)
        STN_TRY(stn_blas_transpose(&lines, p->a));
    STN_TRY(stn_operand_make(call->name, call->exec, call->arithmetic, &lines, &from));
    STN_TRY(stn_operand_make(call->name, call->exec, call->arithmetic, p->x, &by));
    STN_TRY(stn_operand_make(call->name, call->exec, call->arithmetic, p->y, &to));
    set_product(&job, call, p);
    if (!set_packed(&job, p)) {
        set_lines(&job, p, are_columns);
        set_codes(&job, &lines, lines.stride[0],
                  from.plain_run ? stn_fused_of(from.reader.run.real, call->arithmetic) : NULL,
                  &from.reader.run.affine);
    }
    job.reader = &from.reader;
    job.y = NULL;
    job.to = &to;
    STN_TRY(stn_vector_make(&by, 1.0, call->name, &vector));
    job.x = vector.values;
    const stn_status status = run(call, &job, p->y);
    stn_free(vector.owned);
    return status;
}

/* ---- values, where they are: nothing but the arithmetic ---- */

static int are_usual(const stn_blas_call *call, const stn_tiles_product *p)
{
    const stn_view *const a = p->a, *const x = p->x, *const y = p->y;
    return stn_operand_is_usual(call->exec, call->arithmetic, x, 1, 0) &&
           stn_operand_is_usual(call->exec, call->arithmetic, y, 1, 0) &&
           (stn_operand_is_usual(call->exec, call->arithmetic, a, 2, 1) ||
            stn_operand_is_usual(call->exec, call->arithmetic, a, 2, 0)) &&
           a->storage.format == call->arithmetic && x->storage.format == call->arithmetic &&
           y->storage.format == call->arithmetic && x->extent[0] > 0 &&
           a->extent[0] == x->extent[0] && a->extent[1] == x->extent[0] &&
           y->extent[0] == x->extent[0] && stn_operand_is_apart(y, a) &&
           (x == y || stn_operand_is_apart(y, x)) &&
           stn_fused_of(call->arithmetic, call->arithmetic) &&
           !stn_blas_is(call->arithmetic, stn_blas_real(p->alpha), 0.0) &&
           (p->triangle == STN_LOWER || p->triangle == STN_UPPER);
}

int stn_tiles_multiply_usual(const stn_blas_call *call, const stn_tiles_product *p)
{
    const stn_affine plain = stn_affine_plain();
    triangle_job job;
    if (!are_usual(call, p))
        return 0;
    const int are_columns = p->a->stride[1] != 1;
    set_product(&job, call, p);
    set_lines(&job, p, are_columns);
    set_codes(&job, p->a, p->a->stride[are_columns ? 1 : 0], job.values, &plain);
    job.reader = NULL;
    job.x = p->x->data;
    job.y = p->y->data;
    return run(call, &job, p->y) == STN_OK;
}
