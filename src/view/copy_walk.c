/* Blocks of rows and columns, with tables of where the elements of a row are. */
#include "view/copy_walk.h"

#include "view/copy_run.h"
#include "view/mapping.h"
#include "view/scale_run.h"

/* Elements of a row whose places are looked up at a time, and rows that use one table. */
enum { COLUMNS = 128, ROWS = 64, CODE_BYTES = 16 };

typedef struct walk_side {
    const stn_view *view;
    int64_t bytes;
    int is_separable; /* a table of one row is that of all others */
} walk_side;

typedef struct walk_job {
    walk_side to, from;
    const stn_conversion *conversion;
    int rank;
    int64_t extent[STN_MAX_RANK]; /* in blocks: what the threads share */
    int64_t blocks;
} walk_job;

/* One row of a block: `count` elements from `indices` on. */
typedef struct walk_row {
    int64_t indices[STN_MAX_RANK], count;
    int64_t to[COLUMNS], from[COLUMNS]; /* bytes from the row's first element */
} walk_row;

/* ---- tables ---- */

/* A step of 1 or -1 along a Morton curve carries through the bits of the other dimensions. */
static void look_up_bits(const walk_side *side, uint64_t mask, int64_t step, uint64_t at,
                         int64_t count, int64_t *table)
{
    const uint64_t lowest = mask & (0 - mask), first = at & mask;
    at = first;
    for (int64_t k = 0; k < count; k++) {
        table[k] = (int64_t)(at - first) * side->bytes;
        at = (step < 0 ? at - lowest : (at | ~mask) + lowest) & mask;
    }
}

static void look_up(const walk_side *side, const walk_row *row, int64_t *table)
{
    const stn_view *view = side->view;
    const int last = view->rank - 1;
    const stn_mapping *mapping = view->mapping;
    int64_t indices[STN_MAX_RANK], first = 0;
    if (last < 0) {
        memset(table, 0, (size_t)row->count * sizeof *table);
        return;
    }
    memcpy(indices, row->indices, sizeof indices);
    if (mapping && mapping->layout.kind == STN_LAYOUT_MORTON &&
        (view->stride[last] == 1 || view->stride[last] == -1)) {
        look_up_bits(side, mapping->mask[view->axis[last]], view->stride[last],
                     (uint64_t)stn_view_place(view, indices), row->count, table);
        return;
    }
    for (int64_t k = 0; k < row->count;) {
        int64_t offset, stride;
        const int64_t piece = stn_view_piece(view, indices, row->count - k, &offset, &stride);
        if (k == 0)
            first = offset;
        for (int64_t j = 0; j < piece; j++)
            table[k + j] = (offset - first + j * stride) * side->bytes;
        k += piece;
        indices[last] += piece;
    }
}

static char *place_of(const walk_side *side, const int64_t *indices)
{
    return (char *)side->view->data + stn_view_place(side->view, indices) * side->bytes;
}

/* ---- rows ---- */

#define MOVE(size)                                                                                 \
    case size:                                                                                     \
        for (int64_t k = 0; k < row->count; k++)                                                   \
            memcpy(to + row->to[k], from + row->from[k], size);                                    \
        break;

static void move_row(const walk_row *row, char *to, const char *from, int64_t bytes)
{
    switch (bytes) {
        MOVE(1)
        MOVE(2)
        MOVE(4)
        MOVE(8)
        MOVE(16)
    default:
        for (int64_t k = 0; k < row->count; k++)
            memcpy(to + row->to[k], from + row->from[k], (size_t)bytes);
    }
}
#undef MOVE

#define GATHER(size)                                                                               \
    case size:                                                                                     \
        for (int64_t k = 0; k < count; k++)                                                        \
            memcpy(codes + k * (size), from + table[k], size);                                     \
        break;
#define SCATTER(size)                                                                              \
    case size:                                                                                     \
        for (int64_t k = 0; k < count; k++)                                                        \
            memcpy(to + table[k], codes + k * (size), size);                                       \
        break;

static void gather(char *codes, const char *from, const int64_t *table, int64_t bytes,
                   int64_t count)
{
    switch (bytes) {
        GATHER(1)
        GATHER(2)
        GATHER(4)
        GATHER(8)
    default:
        for (int64_t k = 0; k < count; k++)
            memcpy(codes + k * bytes, from + table[k], (size_t)bytes);
    }
}

static void scatter(char *to, const char *codes, const int64_t *table, int64_t bytes, int64_t count)
{
    switch (bytes) {
        SCATTER(1)
        SCATTER(2)
        SCATTER(4)
        SCATTER(8)
    default:
        for (int64_t k = 0; k < count; k++)
            memcpy(to + table[k], codes + k * bytes, (size_t)bytes);
    }
}

/* Elements from number `at` of a row on that are under one scale, at most `count`. */
static int64_t scale_piece(const walk_side *side, const walk_row *row, int64_t at, stn_run *run)
{
    int64_t indices[STN_MAX_RANK];
    if (!stn_view_has_scales(side->view))
        return row->count - at;
    memcpy(indices, row->indices, sizeof indices);
    if (side->view->rank > 0)
        indices[side->view->rank - 1] += at;
    return stn_scale_run(side->view, indices, row->count - at, run);
}

/* Wide elements are too large, or too strictly aligned, for the buffer of codes. */
static int is_wide(const stn_run *run)
{
    return run->bytes > CODE_BYTES || run->entry->info.alignment > 64;
}

static void decode_row(const walk_job *job, const walk_row *row, const char *from, char *values)
{
    _Alignas(64) char codes[COLUMNS * CODE_BYTES];
    const int64_t value_bytes = job->conversion->value_bytes;
    stn_run run = job->conversion->from;
    if (!is_wide(&run))
        gather(codes, from, row->from, run.bytes, row->count);
    for (int64_t k = 0; k < row->count;) {
        const int64_t piece = scale_piece(&job->from, row, k, &run);
        if (!is_wide(&run))
            stn_conversion_decode(job->conversion, &run, values + k * value_bytes,
                                  codes + k * run.bytes, 1, piece);
        else
            for (int64_t j = k; j < k + piece; j++)
                stn_conversion_decode(job->conversion, &run, values + j * value_bytes,
                                      from + row->from[j], 1, 1);
        k += piece;
    }
}

static void encode_row(const walk_job *job, const walk_row *row, char *to, const char *values,
                       int64_t first)
{
    _Alignas(64) char codes[COLUMNS * CODE_BYTES];
    const int64_t value_bytes = job->conversion->value_bytes;
    stn_run run = job->conversion->to;
    for (int64_t k = 0; k < row->count;) {
        const int64_t piece = scale_piece(&job->to, row, k, &run);
        if (!is_wide(&run))
            stn_run_encode(&run, values + k * value_bytes, codes + k * run.bytes, 1, first + k,
                           piece);
        else
            for (int64_t j = k; j < k + piece; j++)
                stn_run_encode(&run, values + j * value_bytes, to + row->to[j], 1, first + j, 1);
        k += piece;
    }
    if (!is_wide(&run))
        scatter(to, codes, row->to, run.bytes, row->count);
}

static int64_t number_of(const stn_view *view, const int64_t *indices)
{
    int64_t number = 0;
    for (int d = 0; d < view->rank; d++)
        number = number * view->extent[d] + indices[d];
    return number;
}

static void copy_row(const walk_job *job, const walk_row *row)
{
    _Alignas(64) char values[COLUMNS * 16];
    char *to = place_of(&job->to, row->indices);
    const char *from = place_of(&job->from, row->indices);
    if (!job->conversion) {
        move_row(row, to, from, job->to.bytes);
        return;
    }
    decode_row(job, row, from, values);
    encode_row(job, row, to, values, number_of(job->to.view, row->indices));
}

/* ---- blocks ---- */

static void copy_block(const walk_job *job, const int64_t *block)
{
    const stn_view *to = job->to.view;
    const int last = job->rank - 1;
    walk_row row;
    int64_t rows = 1;
    for (int d = 0; d < job->rank; d++)
        row.indices[d] = block[d] * (d == last ? COLUMNS : d == last - 1 ? ROWS : 1);
    row.count = last < 0 ? 1 : to->extent[last] - row.indices[last];
    if (row.count > COLUMNS)
        row.count = COLUMNS;
    if (last > 0)
        rows = to->extent[last - 1] - row.indices[last - 1];
    for (int64_t k = 0; k < rows && k < ROWS; k++) {
        if (k == 0 || !job->to.is_separable)
            look_up(&job->to, &row, row.to);
        if (k == 0 || !job->from.is_separable)
            look_up(&job->from, &row, row.from);
        copy_row(job, &row);
        if (last > 0)
            row.indices[last - 1]++;
    }
}

static void share_blocks(void *context, int part, int parts)
{
    const walk_job *job = context;
    int64_t begin, end, block[STN_MAX_RANK];
    stn_share(job->blocks, part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k++) {
        int64_t rest = k;
        for (int d = job->rank - 1; d >= 0; d--) {
            block[d] = rest % job->extent[d];
            rest /= job->extent[d];
        }
        copy_block(job, block);
    }
}

static walk_side side_of(const stn_view *view)
{
    return (walk_side){view, stn_format_entry_of(view->storage.format)->info.bytes,
                       !view->mapping || view->mapping->layout.kind != STN_LAYOUT_CUSTOM};
}

void stn_copy_walk(const stn_exec *exec, const stn_view *to, const stn_view *from,
                   const stn_conversion *conversion)
{
    walk_job job = {.to = side_of(to),
                    .from = side_of(from),
                    .conversion = conversion,
                    .rank = to->rank,
                    .blocks = 1};
    const int last = to->rank - 1;
    for (int d = 0; d < to->rank; d++) {
        const int64_t size = d == last ? COLUMNS : d == last - 1 ? ROWS : 1;
        job.extent[d] = (to->extent[d] + size - 1) / size;
        job.blocks *= job.extent[d];
    }
    const int64_t widest = job.to.bytes > job.from.bytes ? job.to.bytes : job.from.bytes;
    /* Elements cost more here than their bytes say. */
    stn_copy_share(exec, 4 * stn_view_count(to) * widest, share_blocks, &job);
}
