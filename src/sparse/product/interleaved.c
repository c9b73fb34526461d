/* Products of interleaved rows. Entries that are adjacent in memory are read and summed together;
 * with more than two right-hand sides, rows are summed one by one. Sums of sorted rows are stored
 * in memory, for all rows or for sigma rows, and written to y in the order of rows. */
#include "sparse/product/interleaved.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "sparse/product/group.h"
#include "sparse/product/vectors.h"
#include "order/tree.h"
#include "view/trace.h"

enum { MAX_LEVELS = 48 }; /* levels of the tree: no memory has rows of 2^47 tiles */
enum { WINDOW = 512 };    /* largest sigma whose sums stay in a cache */

int stn_interleaved_support(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a)
{
    return stn_exec_has_loops(exec) && stn_groups_support(a) &&
           stn_sparse_tiles_of(arithmetic) != NULL;
}

/* Workspace of a thread. */
typedef struct workspace {
    stn_group group;
    double sums[STN_GROUP_ROWS * STN_TILE_MAX_WIDTH];
    double states[MAX_LEVELS * STN_SPARSE_TILE_ROWS * STN_TILE_MAX_WIDTH];
    double window[(WINDOW + STN_SPARSE_TILE_ROWS) * STN_TILE_MAX_WIDTH];
} workspace;

typedef struct interleaved_job {
    stn_groups groups;
    stn_vectors vectors;
    stn_sparse_row_tile *side; /* NULL: sums rows one by one */
    stn_sparse_tile *tile;
    stn_indices positions; /* positions of sorted rows */
    int is_sorted;
    int64_t window;  /* number of rows that are sorted among each other, or 0 */
    int64_t *row_of; /* sorted rows with scales: the row at each position */
    double *sums;    /* sums of sorted rows, unless they are sorted in windows */
    workspace *threads;
} interleaved_job;

/* ---- sums ---- */

static void sum_rows(const interleaved_job *job, const stn_group *group, double *sums)
{
    const int64_t width = job->vectors.width;
    const int64_t steps[3] = {group->steps[0], group->steps[1], job->vectors.x_step};
    for (int64_t r = 0; r < group->count; r++, sums += width) {
        const int64_t held = stn_group_row_length(group, r);
        if (held == 0)
            for (int64_t j = 0; j < width; j++)
                sums[j] = -0.0;
        else if (group->is_interleaved)
            job->tile(sums, (const char *)group->values + r * job->groups.bytes, group->column + r,
                      steps, held, job->vectors.x);
        else
            job->tile(sums, group->row_values[r], group->column + r * STN_TILE_ELEMENTS,
                      job->vectors.steps, held, job->vectors.x);
    }
}

static void sum_tile(const interleaved_job *job, const stn_group *group, double *sums)
{
    if (!group->is_interleaved || !job->side) {
        sum_rows(job, group, sums);
        return;
    }
    for (int64_t r = 0; r < group->span; r += STN_SPARSE_TILE_ROWS)
        job->side(sums + r * job->vectors.width,
                  (const char *)group->values + r * job->groups.bytes, group->column + r,
                  group->steps, group->held, job->vectors.x);
}

/* Missing entries contribute -0, which changes no sum, so the tree of the longest row serves all
 * rows. Groups of such rows have at most 8 rows. */
static void sum_long(const interleaved_job *job, workspace *work, double *sums)
{
    stn_group *const group = &work->group;
    const int64_t states = STN_SPARSE_TILE_ROWS * job->vectors.width;
    stn_tree tree;
    stn_tree_begin(&tree, stn_add_of(job->groups.arithmetic), sizeof *sums, states, work->states,
                   0);
    for (int64_t from = 0; from < group->width; from += STN_TILE_ELEMENTS) {
        if (from > 0)
            stn_group_read(&job->groups, group, from);
        sum_tile(job, group, work->sums);
        stn_tree_push(&tree, work->sums, 0);
    }
    memcpy(sums, stn_tree_fold(&tree), (size_t)(group->count * job->vectors.width) * sizeof *sums);
}

/* The sum of a row without entries is +0. `sums` has capacity for a multiple of 8 rows. */
static void sum_group(const interleaved_job *job, workspace *work, double *sums)
{
    stn_group *const group = &work->group;
    const int64_t width = job->vectors.width;
    int is_empty[STN_GROUP_ROWS];
    stn_group_read(&job->groups, group, 0);
    for (int64_t r = 0; r < group->count; r++)
        is_empty[r] = group->width == 0 ||
                      (group->is_interleaved ? group->column[r] < 0 : group->row_length[r] == 0);
    if (group->width > STN_TILE_ELEMENTS)
        sum_long(job, work, sums);
    else if (group->width > 0)
        sum_tile(job, group, sums);
    for (int64_t r = 0; r < group->count; r++)
        for (int64_t j = 0; is_empty[r] && j < width; j++)
            sums[r * width + j] = 0.0;
}

/* ---- shares ---- */

/* Shares begin at a slice, at a window, or at a multiple of the largest group. */
static int64_t first_line(const interleaved_job *job, int part, int parts)
{
    const stn_matrix *const a = job->groups.a;
    const int64_t unit = job->window ? job->window : STN_GROUP_ROWS;
    int64_t first, end;
    if (stn_matrix_has_slices(a))
        return stn_slices_share(a, part, parts);
    stn_share(a->rows / unit, part < parts ? part : 0, parts, &first, &end);
    return part == parts ? a->rows : first * unit;
}

/* Sums lines `line` to end - 1 into the window, into the sums of all rows, or directly into y. */
static void sum_lines(const interleaved_job *job, workspace *work, int64_t line, int64_t end,
                      double *window)
{
    const int64_t width = job->vectors.width;
    for (; line < end; line += work->group.count) {
        stn_group_find(&job->groups, &work->group, line, end);
        const int64_t count = work->group.count;
        const int is_filled = work->group.span == count; /* the group has no padding rows that would
                                                          * overwrite following sums */
        double *const y =
            job->is_sorted || !is_filled ? NULL : stn_vectors_sums(&job->vectors, line);
        sum_group(job, work, window ? window : y ? y : work->sums);
        if (window)
            window += count * width;
        else if (job->is_sorted)
            memcpy(job->sums + line * width, work->sums,
                   (size_t)(count * width) * sizeof *work->sums);
        else if (!y)
            stn_vectors_write(&job->vectors, line, count, work->sums);
    }
}

static inline void copy_sums(double *sums, const double *kept, const int64_t *positions,
                             int64_t count, const int64_t width)
{
    for (int64_t r = 0; r < count; r++)
        memcpy(sums + r * width, kept + positions[r] * width, (size_t)width * sizeof *sums);
}

/* Writes rows whose sums are in `kept`, which begins with line `line`. */
static void write_rows(const interleaved_job *job, workspace *work, int64_t row, int64_t end,
                       const double *kept, int64_t line)
{
    const int64_t width = job->vectors.width;
    int64_t positions[STN_MAX_WRITTEN_ROWS];
    for (; row < end; row += STN_MAX_WRITTEN_ROWS) {
        const int64_t left = end - row,
                      count = left < STN_MAX_WRITTEN_ROWS ? left : STN_MAX_WRITTEN_ROWS;
        double *const y = stn_vectors_sums(&job->vectors, row);
        stn_indices_read(&job->positions, positions, row, 1, count);
        for (int64_t r = 0; r < count; r++)
            positions[r] -= line;
        if (width == 1)
            copy_sums(y ? y : work->sums, kept, positions, count, 1);
        else if (width == 2)
            copy_sums(y ? y : work->sums, kept, positions, count, 2);
        else
            copy_sums(y ? y : work->sums, kept, positions, count, width);
        if (!y)
            stn_vectors_write(&job->vectors, row, count, work->sums);
    }
}

static void sum_share(void *context, int part, int parts)
{
    const interleaved_job *const job = context;
    workspace *const work = job->threads + part;
    const int64_t line = first_line(job, part, parts), end = first_line(job, part + 1, parts);
    if (!job->window) {
        sum_lines(job, work, line, end, NULL);
        return;
    }
    for (int64_t from = line; from < end; from += job->window) {
        const int64_t to = end - from < job->window ? end : from + job->window;
        sum_lines(job, work, from, to, work->window);
        write_rows(job, work, from, to, work->window, from);
    }
}

static void write_share(void *context, int part, int parts)
{
    const interleaved_job *const job = context;
    int64_t row, end;
    stn_share(job->groups.a->rows, part, parts, &row, &end);
    write_rows(job, job->threads + part, row, end, job->sums, 0);
}

/* ---- the call ---- */

static stn_status set_matrix(const stn_exec *exec, interleaved_job *job, const stn_matrix *a)
{
    static const char call[] = "stn_spmv";
    STN_TRY(stn_groups_init(&job->groups, call, exec, job->vectors.arithmetic, a));
    job->is_sorted = a->kind == STN_MATRIX_SELL && !stn_view_is_empty(&a->positions);
    STN_TRY(stn_allocate(&job->threads, exec->threads, sizeof *job->threads,
                         "stn_spmv: interleaved rows"));
    if (!job->is_sorted)
        return STN_OK;
    STN_TRY(
        stn_indices_init(&job->positions, call, stn_matrix_name(a), "sorted", &a->positions, 1));
    job->window = a->sigma <= WINDOW ? a->sigma : 0;
    if (!job->window)
        STN_TRY(stn_allocate(&job->sums, a->rows, (size_t)job->vectors.width * sizeof *job->sums,
                             "stn_spmv: sums of rows"));
    if (!job->groups.is_scaled)
        return STN_OK;
    STN_TRY(stn_allocate(&job->row_of, a->rows, sizeof *job->row_of, "stn_spmv: sorted rows"));
    for (int64_t row = 0; row < a->rows; row++)
        job->row_of[stn_index_at(&job->positions, row)] = row;
    job->groups.row_of = job->row_of;
    return STN_OK;
}

static void choose_loops(interleaved_job *job)
{
    const stn_sparse_tiles *const tiles = stn_sparse_tiles_of(job->groups.arithmetic);
    const int is_complex = job->groups.parts == 2;
    const int64_t width = job->vectors.width;
    const int loop = stn_vectors_loop(width);
    job->tile = is_complex ? tiles->complex[loop] : tiles->real[loop];
    job->side = width > 2    ? NULL
                : is_complex ? tiles->side_complex
                : width == 2 ? tiles->side_of_pairs
                             : tiles->side;
}

static stn_status multiply(const stn_exec *exec, interleaved_job *job, const stn_matrix *a,
                           const stn_view *y)
{
    STN_TRY(set_matrix(exec, job, a));
    const uint64_t trace = stn_trace_begin("spmv", y);
    stn_status status = STN_OK;
    for (int64_t first = 0; first < job->vectors.columns; first += job->vectors.count) {
        status = stn_vectors_select(exec, &job->vectors, first);
        if (status != STN_OK)
            break;
        choose_loops(job);
        stn_exec_run_sized(exec, 16.0 * (double)a->entries, sum_share, job);
        if (job->sums)
            stn_exec_run_sized(exec, 16.0 * (double)a->rows, write_share, job);
    }
    stn_trace_end("spmv", y, trace);
    return status;
}

stn_status stn_interleaved_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                                    const stn_matrix *a, const stn_view *x, double beta,
                                    const stn_view *y)
{
    interleaved_job *job = NULL;
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "stn_spmv: interleaved rows"));
    memset(job, 0, sizeof *job);
    stn_status status = stn_vectors_init(&job->vectors, arithmetic, alpha, x, beta, y, 1);
    if (status == STN_OK)
        status = multiply(exec, job, a, y);
    stn_vectors_release(&job->vectors);
    stn_groups_release(&job->groups);
    stn_free(job->sums);
    stn_free(job->row_of);
    stn_free(job->threads);
    stn_free(job);
    return status;
}
