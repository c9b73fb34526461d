/* gemvt: y = alpha A' x + beta y, and z = A y behind it, reading A once: columns of A are taken as
 * many at a time as stay in a cache until their rows are multiplied. Named and defined by the BLAS
 * Technical Forum Standard (2001), section 2.8.4. */
#include "blas/call.h"
#include "blas/operand.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/blas.h"
#include "sum/schedule.h"
#include "view/overlap.h"
#include "view/trace.h"

enum {
    CHUNK_BYTES = 256 << 10, /* of A: of an L2 cache of 512 KiB and more */
    MOST_COLUMNS = 16 * STN_TILE_ELEMENTS,
    SIDE = 4 /* rows whose next columns are fetched while they are multiplied */
};

typedef struct gemvt_job {
    const stn_fused *fused;
    const char *a;
    char *y;
    const void *x; /* values of the arithmetic type */
    const stn_operand *z;
    stn_affine affine; /* of a */
    int64_t rows, columns, row_bytes, a_bytes, value_bytes;
    stn_format arithmetic;
    double alpha, beta;
} gemvt_job;

/* Room of a thread. */
typedef struct gemvt_room {
    double columns[MOST_COLUMNS], sums[STN_TILE_ELEMENTS];
    double levels[STN_TREE_LEVELS * STN_TILE_ELEMENTS];
} gemvt_room;
_Static_assert(sizeof(gemvt_room) <= STN_TILES_BYTES, "rooms of gemvt");

static void update_columns(const gemvt_job *job, double *sums, int64_t first, int64_t count)
{
    const char *const codes = job->a + first * job->a_bytes;
    char *const y = job->y + first * job->value_bytes;
    float narrow[MOST_COLUMNS];
    const int is_wide = job->arithmetic == STN_F64;
    job->fused->columns(is_wide ? (void *)sums : narrow, codes, job->row_bytes, job->rows,
                        &job->affine, job->x, count);
    for (int64_t c = 0; !is_wide && c < count; c++)
        sums[c] = (double)narrow[c];
    stn_update_values(y, job->arithmetic, count, job->alpha, sums, job->beta);
}

/* Meanwhile the same rows of the columns behind them come. */
static void multiply_rows(const gemvt_job *job, double *sums, int64_t first, int64_t count)
{
    const char *const y = job->y + first * job->value_bytes;
    const int64_t behind = job->columns - first - count, next = behind < count ? behind : count;
    for (int64_t row = 0; row < job->rows; row += SIDE) {
        const char *const codes = job->a + row * job->row_bytes + first * job->a_bytes;
        const int64_t some = job->rows - row < SIDE ? job->rows - row : SIDE;
        for (int64_t r = 0; r < some; r++)
            stn_prefetch(codes + r * job->row_bytes + count * job->a_bytes, next * job->a_bytes);
        job->fused->rows(sums + row, codes, job->row_bytes, some, &job->affine, y, count);
    }
}

static const void *fold(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                        int64_t tiles, void *side)
{
    const gemvt_job *const job = context;
    gemvt_room *const room = (gemvt_room *)(void *)workspace->tiles;
    const int64_t first = tile * STN_TILE_ELEMENTS, left = job->columns - first;
    const int64_t count = left < tiles * STN_TILE_ELEMENTS ? left : tiles * STN_TILE_ELEMENTS;
    (void)group, (void)side;
    update_columns(job, room->columns, first, count);
    multiply_rows(job, room->sums, first, count);
    return room->sums;
}

static void store(void *context, int64_t group, int64_t count, const void *states)
{
    const gemvt_job *const job = context;
    (void)group, (void)count;
    stn_operand_update(job->z, job->arithmetic, 0, job->rows, 1.0, states, 0.0);
}

static int64_t choose_chunk(const gemvt_job *job)
{
    int64_t tiles = MOST_COLUMNS / STN_TILE_ELEMENTS;
    while (tiles > 1 && tiles * STN_TILE_ELEMENTS * job->rows * job->a_bytes > CHUNK_BYTES)
        tiles /= 2;
    return tiles;
}

static stn_status run(const stn_exec *exec, gemvt_job *job, const stn_view *y)
{
    stn_workspaces *workspaces;
    STN_TRY(stn_workspaces_take(exec, &workspaces));
    stn_sums_job sums = {.combine = stn_add_of(job->arithmetic),
                         .bytes = sizeof(double),
                         .width = job->rows,
                         .groups = 1,
                         .tiles = (job->columns - 1) / STN_TILE_ELEMENTS + 1,
                         .chunk = choose_chunk(job),
                         .fetches = 1,
                         .fold = fold,
                         .store = store,
                         .context = job,
                         .levels = offsetof(gemvt_room, levels),
                         .values = stn_workspaces_shared(workspaces),
                         .value_bytes = STN_SHARED_BYTES};
    const uint64_t trace = stn_trace_begin("gemvt", y);
    stn_sums_run(&sums, exec, workspaces);
    stn_trace_end("gemvt", y, trace);
    stn_workspaces_give_back(workspaces);
    return STN_OK;
}

/* Rows of contiguous codes, as many as a tile has, and values y that follow each other. z is stored
 * behind all reading of x. */
static int is_usual(const stn_exec *exec, stn_format arithmetic, const stn_view *a,
                    const stn_view *x, const stn_view *y, const stn_view *z)
{
    return stn_operand_is_usual(exec, arithmetic, a, 2, 1) &&
           stn_operand_is_usual(exec, arithmetic, x, 1, 0) &&
           stn_operand_is_usual(exec, arithmetic, y, 1, 0) &&
           stn_operand_is_usual(exec, arithmetic, z, 1, 0) && x->storage.format == arithmetic &&
           y->storage.format == arithmetic && a->extent[0] == x->extent[0] &&
           a->extent[1] == y->extent[0] && a->extent[0] == z->extent[0] && a->extent[0] > 0 &&
           a->extent[0] <= STN_TILE_ELEMENTS && a->extent[1] > STN_TILE_ELEMENTS &&
           stn_operand_is_apart(y, a) && stn_operand_is_apart(y, x) && stn_operand_is_apart(z, a) &&
           stn_operand_is_apart(z, x) && stn_operand_is_apart(z, y);
}

/* Of z, before y is touched; all else stn_gemv says of y. */
static stn_status expect_result(const stn_exec *exec, const stn_view *a, const stn_view *y,
                                const stn_view *z)
{
    STN_TRY(stn_exec_expect("stn_gemvt", exec));
    STN_TRY(stn_operand_expect("stn_gemvt", exec, a, 2));
    STN_TRY(stn_operand_expect("stn_gemvt", exec, y, 1));
    STN_TRY(stn_operand_expect("stn_gemvt", exec, z, 1));
    STN_TRY(stn_view_writable("stn_gemvt", z));
    if (a->extent[1] != y->extent[0] || a->extent[0] != z->extent[0])
        return stn_fail(STN_ERR_SHAPE, "stn_gemvt: %s times %s does not give %s", stn_view_words(a),
                        stn_view_words(y), stn_view_words(z));
    if (stn_view_may_share(z, a) || stn_view_may_share(z, y))
        return stn_fail(STN_ERR_ALIAS, "stn_gemvt: %s overlaps an operand", stn_view_words(z));
    if (!stn_view_is_unique(z))
        return stn_fail(STN_ERR_ALIAS, "stn_gemvt: %s repeats one element", stn_view_words(z));
    return STN_OK;
}

static stn_status multiply_twice(const stn_exec *exec, stn_format arithmetic, double alpha,
                                 const stn_view *a, const stn_view *x, double beta,
                                 const stn_view *y, const stn_view *z)
{
    static const int turned[] = {1, 0};
    stn_view columns;
    STN_TRY(expect_result(exec, a, y, z));
    STN_TRY(stn_view_permute(&columns, a, 2, turned));
    STN_TRY(stn_gemv(exec, arithmetic, alpha, &columns, x, beta, y));
    return stn_gemv(exec, arithmetic, 1.0, a, y, 0.0, z);
}

static stn_status multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *a, const stn_view *x, double beta, const stn_view *y,
                           const stn_view *z)
{
    stn_operand to;
    gemvt_job job = {.arithmetic = arithmetic, .alpha = alpha, .beta = beta};
    if (is_usual(exec, arithmetic, a, x, y, z) &&
        !stn_blas_is(arithmetic, stn_blas_real(alpha), 0.0))
        job.fused = stn_fused_of(a->storage.format, arithmetic);
    if (!job.fused)
        return multiply_twice(exec, arithmetic, alpha, a, x, beta, y, z);
    STN_TRY(stn_operand_make("stn_gemvt", exec, arithmetic, z, &to));
    job.a = a->data;
    job.x = x->data;
    job.y = y->data;
    job.z = &to;
    job.affine = stn_affine_plain();
    job.rows = a->extent[0];
    job.columns = a->extent[1];
    job.a_bytes = stn_format_entry_of(a->storage.format)->info.bytes;
    job.row_bytes = a->stride[0] * job.a_bytes;
    job.value_bytes = stn_arithmetic_bytes(arithmetic);
    return run(exec, &job, y);
}

stn_status stn_gemvt(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *a,
                     const stn_view *x, double beta, const stn_view *y, const stn_view *z)
{
    STN_RETURN_IN_MODES(multiply(exec, arithmetic, alpha, a, x, beta, y, z));
}
