/* gemv: every row is a dot product with x, which is decoded once; a thread processes ROWS rows of
 * codes concurrently. Other operands use the reduction of products and a kernel for y. */
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "core/tune.h"
#include "blas/band.h"
#include "blas/call.h"
#include "blas/panels.h"
#include "blas/tall.h"
#include "steno/blas.h"
#include "steno/reduce.h"
#include "order/block_loops.h"
#include "order/schedule.h"
#include "view/blocks.h"
#include "view/overlap.h"
#include "view/segmented.h"
#include "view/trace.h"

STN_REDUCE(gemv, products, (in(a), in(x)), a, x)
enum { ROWS = 4, CHUNK = STN_EXACT_TILES * STN_TILE_ELEMENTS, TURNED = 8 * STN_TILE_ELEMENTS };

typedef struct gemv_job {
    const stn_fused *fused; /* the rows, or the columns, are contiguous codes of this format */
    const stn_block_loops *loops; /* the rows are blocks, which `from` reads, too; or NULL */
    const stn_operand *from;
    stn_blocks blocks;
    int64_t row_blocks, block_elements;
    const char *a, *x;     /* x: values of the arithmetic type, or codes like those of a */
    char *y;               /* values as well, or NULL */
    const stn_operand *to; /* y if it is not values */
    stn_affine affine;     /* of a */
    int64_t rows, columns, row_bytes, column_bytes, a_bytes, value_bytes;
    int64_t side;  /* rows summed concurrently */
    int integers;  /* x is codes */
    double factor; /* factor of sums of these */
    stn_format arithmetic;
    double alpha, beta;
} gemv_job;

static void update(const gemv_job *job, int64_t first, int64_t count, const double *sums)
{
    if (job->y)
        stn_update_values(job->y + first * job->value_bytes, job->arithmetic, count, job->alpha,
                          sums, job->beta);
    else
        stn_operand_update(job->to, job->arithmetic, first, count, job->alpha, sums, job->beta);
}

/* The sums of elements first, ..., fewer than a tile, of rows of blocks. */
static void sum_rests(const gemv_job *job, double *rests, int64_t row, int64_t rows, int64_t first,
                      int64_t count)
{
    const stn_reader *const from = &job->from->reader;
    const stn_fused *const values = stn_fused_of(job->arithmetic, job->arithmetic);
    const stn_affine plain = stn_affine_plain();
    _Alignas(64) double decoded[STN_TILE_ELEMENTS];
    for (int64_t r = 0; r < rows; r++) {
        stn_read(from, decoded, (row + r) * from->steps[0] + first * from->steps[1], from->steps[1],
                 count);
        values->rows(rests + r, decoded, 0, 1, &plain, job->x + first * job->value_bytes, count);
    }
}

static void sum_block_rows(const gemv_job *job, double *sums, int64_t row, int64_t rows,
                           int64_t first, int64_t count)
{
    double rests[STN_TILE_ELEMENTS];
    const int64_t rest = count % STN_TILE_ELEMENTS;
    const int64_t block = row * job->row_blocks + first / job->block_elements;
    if (rest > 0)
        sum_rests(job, rests, row, rows, first + count - rest, rest);
    job->loops->rows(sums, stn_blocks_from(job->blocks, block), job->row_blocks, rows,
                     job->x + first * job->value_bytes, count / STN_TILE_ELEMENTS,
                     rest > 0 ? rests : NULL);
}

/* Elements first to first + count - 1 of consecutive rows, up to a tile. */
static void sum_rows(const gemv_job *job, double *sums, int64_t row, int64_t rows, int64_t first,
                     int64_t count)
{
    const char *const codes = job->a + row * job->row_bytes + first * job->a_bytes;
    if (job->loops) {
        sum_block_rows(job, sums, row, rows, first, count);
        return;
    }
    if (!job->integers) {
        job->fused->rows(sums, codes, job->row_bytes, rows, &job->affine,
                         job->x + first * job->value_bytes, count);
        return;
    }
    job->fused->integer_rows(sums, codes, job->row_bytes, rows, job->x + first * job->a_bytes,
                             count);
    for (int64_t r = 0; job->factor != 1.0 && r < rows; r++)
        sums[r] *= job->factor;
}

/* ---- rows of at most a chunk: each thread processes complete rows ---- */

static void multiply_share(void *context, int part, int parts)
{
    const gemv_job *job = context;
    double sums[STN_TILE_ELEMENTS];
    int64_t begin, end;
    stn_share((job->rows + ROWS - 1) / ROWS, part, parts, &begin, &end);
    end = end * ROWS < job->rows ? end * ROWS : job->rows;
    for (int64_t r = begin * ROWS; r < end; r += STN_TILE_ELEMENTS) {
        const int64_t batch = end - r < STN_TILE_ELEMENTS ? end - r : STN_TILE_ELEMENTS;
        sum_rows(job, sums, r, batch, 0, job->columns);
        update(job, r, batch, sums);
    }
}

/* ---- longer rows, processed concurrently by the schedule of sums ---- */

/* Sums of a chunk; if there are fewer rows, the last sums are undefined. */
static const void *fold_chunk(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                              int64_t count, void *buffer)
{
    const gemv_job *job = context;
    const int64_t row = group * job->side, left = job->rows - row;
    const int64_t first = tile * STN_TILE_ELEMENTS, after = job->columns - first;
    double *const sums = memset(buffer, 0, (size_t)job->side * sizeof *sums);
    (void)workspace;
    sum_rows(job, sums, row, left < job->side ? left : job->side, first,
             count * STN_TILE_ELEMENTS < after ? count * STN_TILE_ELEMENTS : after);
    return sums;
}

static void store_rows(void *context, int64_t group, int64_t count, const void *states)
{
    const gemv_job *job = context;
    const int64_t first = group * job->side, left = job->rows - first;
    update(job, first, left < count * job->side ? left : count * job->side, states);
}

static void multiply_long(const stn_exec *exec, gemv_job *job)
{
    double values[STN_MAX_BLOCKS];
    stn_sums_job sums = {.combine = stn_add_of(job->arithmetic),
                         .bytes = sizeof *values,
                         .width = job->side,
                         .groups = (job->rows + job->side - 1) / job->side,
                         .tiles = (job->columns - 1) / STN_TILE_ELEMENTS + 1,
                         .chunk = STN_EXACT_TILES,
                         .fetches = job->a_bytes < job->value_bytes,
                         .fold = fold_chunk,
                         .store = store_rows,
                         .context = job,
                         .values = values,
                         .value_bytes = sizeof values};
    stn_sums_run(&sums, exec, NULL);
}

/* ---- up to a tile of contiguous columns: threads process rows ---- */

static void multiply_turned(const gemv_job *job, int64_t first, int64_t count)
{
    double sums[TURNED];
    float narrow[TURNED];
    const int is_wide = job->arithmetic == STN_F64;
    job->fused->columns(is_wide ? (void *)sums : narrow, job->a + first * job->a_bytes,
                        job->column_bytes, job->columns, &job->affine, job->x, count);
    for (int64_t r = 0; !is_wide && r < count; r++)
        sums[r] = (double)narrow[r];
    update(job, first, count, sums);
}

static void multiply_turned_share(void *context, int part, int parts)
{
    const gemv_job *job = context;
    int64_t begin, end;
    stn_share((job->rows + TURNED - 1) / TURNED, part, parts, &begin, &end);
    end = end * TURNED < job->rows ? end * TURNED : job->rows;
    for (int64_t r = begin * TURNED; r < end; r += TURNED)
        multiply_turned(job, r, end - r < TURNED ? end - r : TURNED);
}

static int are_few_rows(const stn_view *a)
{
    return a->extent[1] <= STN_TILE_ELEMENTS && a->extent[1] > 0;
}

/* ---- selection ---- */

static void set_positions(gemv_job *job, const stn_view *a)
{
    job->a = a->data;
    job->a_bytes = stn_format_entry_of(a->storage.format)->info.bytes;
    job->rows = a->extent[0];
    job->columns = a->extent[1];
    job->row_bytes = a->stride[0] * job->a_bytes;
    job->column_bytes = a->stride[1] * job->a_bytes;
    job->value_bytes = stn_arithmetic_bytes(job->arithmetic);
}

static void multiply_codes(const stn_exec *exec, gemv_job *job, const stn_view *a,
                           const stn_view *y)
{
    const uint64_t trace = stn_trace_begin("gemv", y);
    set_positions(job, a);
    const double bytes = (double)job->rows * (double)job->columns * (double)job->value_bytes;
    if (a->stride[1] != 1 && a->extent[1] != 1)
        stn_exec_run_sized(exec, bytes, multiply_turned_share, job);
    else if (job->columns > CHUNK)
        multiply_long(exec, job);
    else
        stn_exec_run_sized(exec, bytes, multiply_share, job);
    stn_trace_end("gemv", y, trace);
}

static stn_status check_shapes(const stn_exec *exec, const stn_view *a, const stn_view *x,
                               const stn_view *y)
{
    STN_TRY(stn_exec_expect("stn_gemv", exec));
    STN_TRY(stn_operand_expect("stn_gemv", exec, a, 2));
    STN_TRY(stn_operand_expect("stn_gemv", exec, x, 1));
    STN_TRY(stn_operand_expect("stn_gemv", exec, y, 1));
    STN_TRY(stn_view_writable("stn_gemv", y));
    STN_TRY(stn_operand_expect_product("stn_gemv", a, x, y));
    if (stn_view_may_share(y, a) || stn_view_may_share(y, x))
        return stn_fail(STN_ERR_ALIAS, "stn_gemv: %s overlaps an operand", stn_view_text(y));
    if (!stn_view_is_unique(y))
        return stn_fail(STN_ERR_ALIAS, "stn_gemv: %s repeats one element", stn_view_text(y));
    return STN_OK;
}

/* A and x. */
static stn_status sum_any(const stn_blas_call *call, const stn_view *result, const void *context)
{
    const stn_view *const *operands = context;
    return gemv_reduce_into(call->exec, call->arithmetic, 2, result, operands[0], operands[1]);
}

/* Integer rows times integers of the same format, whose scales can be moved out of sums. */
static int find_integers(const stn_exec *exec, gemv_job *job, const stn_view *a,
                         const stn_operand *from, const stn_operand *by, const stn_view *x)
{
    stn_code_sum codes;
    if (!from->plain_run || !by->plain_run || a->stride[1] != 1)
        return 0;
    stn_code_sum_find(&codes, exec, job->arithmetic, &from->reader, &by->reader);
    job->integers = codes.fused && codes.is_exact && codes.fused->integer_rows;
    job->factor = codes.factor;
    job->x = x->data;
    return job->integers;
}

/* Few long rows, or columns, without loops; y or x is values. *is_done: was it such a product? */
static stn_status multiply_panels(const stn_exec *exec, const gemv_job *job, const stn_view *a,
                                  const stn_operand *by, const stn_operand *to, const stn_view *y,
                                  int *is_done)
{
    static const int turned[] = {1, 0};
    stn_view columns;
    stn_panels panels = {.arithmetic = job->arithmetic, .a = a, .parts = 1};
    STN_TRY(stn_view_permute(&columns, a, 2, turned));
    const int is_long = by->values && stn_panels_support(exec, a);
    const int is_transposed = by->values && to->values && stn_panels_support(exec, &columns);
    const void *const x = stn_reader_at(&by->reader, 0);
    *is_done = is_long || is_transposed;
    if (!*is_done)
        return STN_OK;
    if (is_long) {
        panels.y = (void *)(uintptr_t)x;
        panels.z[0] = to;
        panels.factor = job->alpha;
        panels.z_beta = job->beta;
    } else {
        panels.a = &columns;
        panels.x[0] = x;
        panels.y = stn_reader_at(&to->reader, 0);
        panels.alpha = job->alpha;
        panels.beta = job->beta;
    }
    return stn_panels_run("stn_gemv", exec, &panels, y);
}

/* Without loops for the codes: in panels, or by the reduction of products. */
static stn_status multiply_views(const stn_exec *exec, const gemv_job *job, const stn_view *a,
                                 const stn_view *x, const stn_view *y, const stn_operand *by,
                                 const stn_operand *to)
{
    const stn_blas_call call = {"stn_gemv", exec, job->arithmetic};
    const stn_view *const operands[] = {a, x};
    const stn_c128 alpha = stn_blas_real(job->alpha), beta = stn_blas_real(job->beta);
    int is_done = 0;
    if (!stn_blas_is(job->arithmetic, alpha, 0.0) && !stn_blas_is_banded(a)) {
        STN_TRY(multiply_panels(exec, job, a, by, to, y, &is_done));
        if (!is_done && stn_tall_support(exec, a))
            return stn_tall_run(exec,
                                &(stn_tall){job->arithmetic, a, by, to, job->alpha, job->beta});
    }
    if (is_done)
        return STN_OK;
    return stn_blas_is_banded(a) ? stn_blas_update_banded(&call, 0, alpha, a, x, beta, y)
                                 : stn_blas_update(&call, sum_any, operands, alpha, beta, y);
}

/* The planes of a segmented matrix as codes, if its rows are contiguous; or few columns, where y is
 * values. */
static int find_planes(const stn_exec *exec, gemv_job *job, const stn_view *a,
                       const stn_operand *to, stn_view *plane)
{
    if (!stn_exec_is_ready(exec) || !stn_view_as_planes(a, plane, &job->affine))
        return 0;
    if (plane->stride[1] != 1 && (plane->stride[0] != 1 || !are_few_rows(plane) || !to->values))
        return 0;
    if (to->values)
        job->y = stn_reader_at(&to->reader, 0);
    job->fused = stn_fused_of_planes(job->arithmetic);
    return job->fused != NULL;
}

/* Rows of blocks that have loops. */
static int find_blocks(const stn_exec *exec, gemv_job *job, const stn_view *a,
                       const stn_operand *from)
{
    const stn_format format = a->storage.format;
    if (!stn_exec_has_loops(exec) || !stn_blocks_rows(a, &job->blocks, &job->row_blocks))
        return 0;
    job->loops = stn_block_loops_of(format, job->arithmetic, &job->blocks);
    job->block_elements = stn_format_entry_of(format)->info.block_elements;
    job->from = from;
    return job->loops != NULL;
}

/* Decodes x unless it is contiguous values. */
static stn_status multiply_operands(const stn_exec *exec, gemv_job *job, const stn_view *a,
                                    const stn_view *x, const stn_view *y)
{
    stn_operand from, by, to;
    stn_vector vector;
    stn_view plane;
    STN_TRY(check_shapes(exec, a, x, y));
    STN_TRY(stn_operand_init("stn_gemv", exec, job->arithmetic, a, &from));
    STN_TRY(stn_operand_init("stn_gemv", exec, job->arithmetic, x, &by));
    STN_TRY(stn_operand_init("stn_gemv", exec, job->arithmetic, y, &to));
    job->y = NULL;
    job->fused = from.plain_run ? stn_fused_of(from.reader.run.real, job->arithmetic) : NULL;
    const int has_planes = find_planes(exec, job, a, &to, &plane);
    if (has_planes)
        a = &plane;
    if ((!job->fused && !find_blocks(exec, job, a, &from)) ||
        stn_blas_is(job->arithmetic, stn_blas_real(job->alpha), 0.0))
        return multiply_views(exec, job, a, x, y, &by, &to);
    job->to = &to;
    if (job->fused && find_integers(exec, job, a, &from, &by, x)) {
        multiply_codes(exec, job, a, y);
        return STN_OK;
    }
    STN_TRY(
        stn_vector_init(&by, stn_reader_free_scale(&from.reader), "stn_gemv: x decoded", &vector));
    if (!has_planes)
        job->affine = vector.factored ? stn_affine_plain() : from.reader.run.affine;
    job->x = vector.values;
    multiply_codes(exec, job, a, y);
    stn_free(vector.owned);
    return STN_OK;
}

/* Codes with contiguous rows, or few contiguous columns, multiplied by values, yield values. */
static int is_plain(const stn_exec *exec, stn_format arithmetic, const stn_view *a,
                    const stn_view *x, const stn_view *y)
{
    return stn_exec_is_ready(exec) && (arithmetic == STN_F64 || arithmetic == STN_F32) &&
           stn_view_is_at_hand(a) && stn_view_is_at_hand(x) && stn_view_is_at_hand(y) &&
           a->rank == 2 && x->rank == 1 && y->rank == 1 && x->stride[0] == 1 && y->stride[0] == 1 &&
           (a->stride[1] == 1 || (a->stride[0] == 1 && are_few_rows(a))) &&
           a->extent[0] == y->extent[0] && a->extent[1] == x->extent[0] &&
           (x->storage.format == arithmetic || x->storage.format == a->storage.format) &&
           y->storage.format == arithmetic && stn_operand_is_disjoint(y, a) &&
           stn_operand_is_disjoint(y, x);
}

/* If all values are integers of a's format, and there are enough rows: returns them as codes in a
 * buffer that stn_free releases; or NULL. */
static void *convert_to_integers(gemv_job *job, const stn_view *a)
{
    enum { MANY = 32 };
    void *buffer;
    if (!job->fused->convert_to_integers || a->stride[1] != 1 || a->extent[0] < MANY ||
        stn_allocate(&buffer, a->extent[1], 2, "stn_gemv: x as integers") != STN_OK)
        return NULL;
    job->integers =
        job->fused->convert_to_integers(buffer, (const double *)(const void *)job->x, a->extent[1]);
    if (job->integers)
        job->x = buffer;
    return buffer;
}

static stn_status multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *a, const stn_view *x, double beta, const stn_view *y)
{
    gemv_job job;
    job.arithmetic = arithmetic;
    job.alpha = alpha;
    job.beta = beta;
    job.side = stn_tuned()->rows;
    job.fused = NULL;
    job.loops = NULL;
    job.integers = 0;
    job.factor = 1.0;
    if (is_plain(exec, arithmetic, a, x, y) && !stn_blas_is(arithmetic, stn_blas_real(alpha), 0.0))
        job.fused = stn_fused_of(a->storage.format, arithmetic);
    const int are_codes = job.fused && x->storage.format != arithmetic;
    if (!job.fused || (are_codes && (!job.fused->integer_rows || a->stride[1] != 1)))
        return multiply_operands(exec, &job, a, x, y);
    job.affine = stn_affine_plain();
    job.x = x->data;
    job.y = y->data;
    job.integers = are_codes;
    void *const buffer = are_codes ? NULL : convert_to_integers(&job, a);
    multiply_codes(exec, &job, a, y);
    stn_free(buffer);
    return STN_OK;
}

stn_status stn_gemv(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *a,
                    const stn_view *x, double beta, const stn_view *y)
{
    if (stn_blas_is_complex(arithmetic))
        return stn_gemv_complex(exec, arithmetic, stn_blas_real(alpha), STN_NO_CONJUGATE, a, x,
                                stn_blas_real(beta), y);
    STN_RETURN_IN_MODES(multiply(exec, arithmetic, alpha, a, x, beta, y));
}
