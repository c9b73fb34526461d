/* Transposes: entries are counted by column and then moved in the order of the rows. Rows are
 * divided into a few chunks with separate counters, so that threads can share them. Positions, and
 * therefore the order, do not depend on the number of chunks. */
#include <string.h>

#include "blas/operand.h"
#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "sparse/kinds/compressed.h"
#include "sparse/ops/transpose.h"
#include "steno/sparse_operations.h"

enum { MAX_CHUNKS = 8 };

typedef struct transposition {
    const stn_compressed *from;
    stn_compressed_matrix to;
    int64_t chunks, *position; /* one counter per column, for each chunk except the last */
} transposition;

/* The counters of the last chunk are the row starts of the result, shifted by one: the end of a
 * column's entries is the start of the next row. So no more memory is needed than for the result,
 * unless there are more entries than columns. */
static int64_t *counters_of(const transposition *job, int64_t chunk)
{
    return chunk == job->chunks - 1 ? job->to.start + 1
                                    : job->position + chunk * job->from->columns;
}

static void count_chunk(const transposition *job, int chunk)
{
    const stn_compressed *const from = job->from;
    int64_t *const position = counters_of(job, chunk), begin, end;
    stn_share(from->rows, chunk, (int)job->chunks, &begin, &end);
    memset(position, 0, (size_t)from->columns * sizeof *position);
    for (int64_t k = from->start[begin]; k < from->start[end]; k++)
        position[from->column[k]]++;
}

/* Converts counts into the position of the chunk's first entry in each column. */
static void position_chunks(const transposition *job)
{
    int64_t at = 0;
    job->to.start[0] = 0;
    for (int64_t j = 0; j < job->from->columns; j++)
        for (int64_t chunk = 0; chunk < job->chunks; chunk++) {
            int64_t *const position = counters_of(job, chunk) + j;
            const int64_t count = *position;
            *position = at;
            at += count;
        }
}

/* The number of bytes of a code is a compile-time constant in each call. */
static inline __attribute__((always_inline)) void
move_rows(const transposition *job, int64_t *position, int64_t begin, int64_t end, size_t code)
{
    const stn_compressed *const from = job->from;
    for (int64_t r = begin; r < end; r++)
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            const int64_t at = position[from->column[k]]++;
            job->to.column[at] = (int32_t)r;
            memcpy(job->to.codes + at * (int64_t)code, from->codes + k * (int64_t)code, code);
        }
}

static void move_chunk(const transposition *job, int chunk)
{
    int64_t *const position = counters_of(job, chunk), begin, end;
    stn_share(job->from->rows, chunk, (int)job->chunks, &begin, &end);
    switch (job->from->code) {
    case 1:
        move_rows(job, position, begin, end, 1);
        return;
    case 2:
        move_rows(job, position, begin, end, 2);
        return;
    case 4:
        move_rows(job, position, begin, end, 4);
        return;
    case 8:
        move_rows(job, position, begin, end, 8);
        return;
    default:
        move_rows(job, position, begin, end, (size_t)job->from->code);
    }
}

static void count_share(void *context, int part, int parts)
{
    const transposition *const job = context;
    int64_t begin, end;
    stn_share(job->chunks, part, parts, &begin, &end);
    for (int64_t chunk = begin; chunk < end; chunk++)
        count_chunk(job, (int)chunk);
}

static void move_share(void *context, int part, int parts)
{
    const transposition *const job = context;
    int64_t begin, end;
    stn_share(job->chunks, part, parts, &begin, &end);
    for (int64_t chunk = begin; chunk < end; chunk++)
        move_chunk(job, (int)chunk);
}

static int64_t choose_chunks(const stn_exec *exec, const stn_compressed *from)
{
    const int64_t threads = exec ? stn_exec_threads(exec) : 1;
    const int64_t worth = 1 + from->entries / (1 + from->columns + (1 << 14));
    const int64_t chunks = threads < MAX_CHUNKS ? threads : MAX_CHUNKS;
    return chunks < worth ? chunks : worth;
}

stn_status stn_transpose_compressed(const char *call, const stn_exec *exec, const char *label,
                                    const stn_compressed *from, stn_matrix *result)
{
    transposition job = {.from = from, .chunks = choose_chunks(exec, from)};
    const double bytes = 16.0 * (double)from->entries;
    STN_TRY(stn_compressed_create(call, label, &from->storage, from->columns, from->rows,
                                  from->entries, result, &job.to));
    const stn_status status = stn_allocate(&job.position, (job.chunks - 1) * from->columns,
                                           sizeof *job.position, "a transpose");
    if (status != STN_OK) {
        stn_matrix_clear(result);
        return stn_error_prefix(status, "%s", call);
    }
    stn_exec_run_sized(exec, bytes, count_share, &job);
    position_chunks(&job);
    stn_exec_run_sized(exec, bytes, move_share, &job);
    stn_free(job.position);
    return STN_OK;
}

stn_status stn_transpose(const char *call, const stn_exec *exec, const stn_matrix *matrix,
                         stn_matrix *result)
{
    stn_compressed from;
    STN_TRY(stn_compressed_open(call, exec, matrix, &from));
    const stn_status status = stn_transpose_compressed(call, exec, matrix->label, &from, result);
    stn_compressed_close(&from);
    return stn_matrix_send(call, exec, status, result);
}

stn_status stn_sparse_transpose(const stn_exec *exec, stn_matrix **result, const stn_matrix *a)
{
    static const char call[] = "stn_sparse_transpose";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, result, matrix, stn_transpose(call, exec, a, matrix)));
}

/* The checks of stn_spmv, with messages about the transpose. */
static stn_status check_vectors(const char *call, const stn_exec *exec, const stn_matrix *a,
                                const stn_view *x, const stn_view *y)
{
    const int rank = y && y->size == sizeof *y && y->rank == 2 ? 2 : 1;
    STN_TRY(stn_operand_expect(call, exec, x, rank));
    STN_TRY(stn_operand_expect(call, exec, y, rank));
    const int is_x = x->extent[0] != a->rows;
    if (is_x || y->extent[0] != a->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s must have %lld %s, one per %s of %s (%lld x %lld)",
                        call, stn_view_text(is_x ? x : y), (long long)(is_x ? a->rows : a->columns),
                        rank == 1 ? "elements" : "rows", is_x ? "row" : "column",
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns);
    return stn_matrix_expect_disjoint(call, a, y);
}

static stn_status multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_matrix *a, const stn_view *x, double beta, const stn_view *y)
{
    static const char call[] = "stn_spmv_transposed";
    stn_matrix created;
    STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_expect(call, a));
    STN_TRY(check_vectors(call, exec, a, x, y));
    const int is_prepared = a->transposed != NULL;
    if (!is_prepared)
        STN_TRY(stn_transpose(call, exec, a, &created));
    const stn_status status =
        stn_spmv(exec, arithmetic, alpha, is_prepared ? a->transposed : &created, x, beta, y);
    if (status != STN_OK)
        (void)stn_error_prefix(status, "%s", call);
    if (!is_prepared)
        stn_matrix_clear(&created);
    return status;
}

stn_status stn_spmv_transposed(const stn_exec *exec, stn_format arithmetic, double alpha,
                               const stn_matrix *a, const stn_view *x, double beta,
                               const stn_view *y)
{
    STN_RETURN_IN_MODES(multiply(exec, arithmetic, alpha, a, x, beta, y));
}
