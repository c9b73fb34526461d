/* Blocks of rows and columns, a piece of a row at a time. */
#include "view/copy/walk.h"

#include "core/memory.h"
#include "view/layout/mapping.h"
#include "view/layout/lines.h"
#include "view/reader.h"

/* COLUMNS: elements of a row that are copied at a time; ROWS: rows of a block. Contiguous rows are
 * copied in the order of memory, in blocks of one row and MOST_COLUMNS. */
enum { COLUMNS = 2 * STN_TILE_ELEMENTS, MOST_COLUMNS = 2 * COLUMNS, ROWS = 64 };

typedef struct walk_job {
    const stn_view *to, *from;
    stn_reader writer, reader;
    int64_t to_step[STN_MAX_RANK], from_step[STN_MAX_RANK]; /* steps of the positions */
    int64_t bytes;                                          /* size of a code that is moved */
    const stn_conversion *conversion;
    int64_t extent[STN_MAX_RANK];  /* of the whole copy, in blocks, which threads share */
    int64_t blocks, rows, columns; /* number of blocks, and their size */
} walk_job;

/* ---- rows ---- */

static void move_row(const walk_job *job, const stn_view_line *line)
{
    _Alignas(64) char codes[MOST_COLUMNS * STN_CODE_BYTES];
    if (job->bytes <= STN_CODE_BYTES) {
        stn_view_line_gather(job->from, line, job->bytes, codes);
        stn_view_line_scatter(job->to, line, job->bytes, codes);
        return;
    }
    for (int64_t k = 0; k < line->count; k++)
        memcpy(stn_view_line_at(job->to, line, k, job->bytes),
               stn_view_line_at(job->from, line, k, job->bytes), (size_t)job->bytes);
}

static void convert_row(const walk_job *job, const stn_view_line *line)
{
    _Alignas(64) char buffer[MOST_COLUMNS * 16];
    void *values = buffer;
    const int last = line->dimension;
    const int64_t from = stn_nest_offset(job->from->rank, job->from_step, line->index);
    const int64_t to = stn_nest_offset(job->to->rank, job->to_step, line->index);
    int64_t number = 0;
    for (int d = 0; d < job->to->rank; d++)
        number = number * job->to->extent[d] + line->index[d];
    if (job->rows == 1 && job->reader.plain)
        stn_prefetch(stn_reader_at(&job->reader, from + line->count),
                     line->count * job->reader.run.bytes);
    const int64_t stride = last < 0 ? 1 : job->from_step[last];
    if (job->reader.plain && stn_conversion_keeps(&job->reader.run, stride) &&
        !job->conversion->widens) {
        values = stn_reader_at(&job->reader, from);
    } else {
        stn_read(&job->reader, values, from, stride, line->count);
        stn_conversion_widen(job->conversion, values, line->count);
    }
    stn_write(&job->writer, values, to, last < 0 ? 1 : job->to_step[last], number, line->count);
}

/* ---- blocks ---- */

static void copy_block(const walk_job *job, const int64_t *block)
{
    const int last = job->to->rank - 1;
    stn_view_line line = {.dimension = last, .count = 1};
    int64_t rows = 1;
    for (int d = 0; d <= last; d++)
        line.index[d] = block[d] * (d == last ? job->columns : d == last - 1 ? job->rows : 1);
    if (last >= 0)
        line.count = job->to->extent[last] - line.index[last];
    if (line.count > job->columns)
        line.count = job->columns;
    if (last > 0)
        rows = job->to->extent[last - 1] - line.index[last - 1];
    for (int64_t k = 0; k < rows && k < job->rows; k++) {
        if (job->conversion)
            convert_row(job, &line);
        else
            move_row(job, &line);
        if (last > 0)
            line.index[last - 1]++;
    }
}

static void share_blocks(void *context, int part, int parts)
{
    const walk_job *job = context;
    int64_t begin, end, block[STN_MAX_RANK];
    stn_share(job->blocks, part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k++) {
        stn_nest_indices(job->to->rank, job->extent, (uint64_t)k, block);
        copy_block(job, block);
    }
}

static int has_contiguous_rows(const stn_view *view)
{
    return view->rank > 0 && view->stride[view->rank - 1] == 1 && !stn_view_mapping(view);
}

void stn_copy_walk(const stn_exec *exec, const stn_view *to, const stn_view *from,
                   const stn_conversion *conversion)
{
    walk_job job = {.to = to, .from = from, .conversion = conversion, .blocks = 1};
    const int last = to->rank - 1;
    const int64_t from_bytes = stn_format_entry_of(from->storage.format)->info.bytes;
    job.bytes = stn_format_entry_of(to->storage.format)->info.bytes;
    if (conversion) {
        stn_reader_set(&job.writer, &conversion->to, to);
        stn_reader_set(&job.reader, &conversion->from, from);
        stn_reader_steps(&job.writer, job.to_step);
        stn_reader_steps(&job.reader, job.from_step);
    }
    job.rows = has_contiguous_rows(to) && has_contiguous_rows(from) ? 1 : ROWS;
    job.columns = job.rows == 1 ? MOST_COLUMNS : COLUMNS;
    for (int d = 0; d <= last; d++) {
        const int64_t size = d == last ? job.columns : d == last - 1 ? job.rows : 1;
        job.extent[d] = (to->extent[d] + size - 1) / size;
        job.blocks *= job.extent[d];
    }
    /* elements cost more here than their size suggests */
    const int64_t widest = job.bytes > from_bytes ? job.bytes : from_bytes;
    stn_exec_run_sized(exec, (double)(4 * stn_view_count(to) * widest), share_blocks, &job);
}
