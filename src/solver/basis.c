/* The basis of GMRES. Products use the codes without scale, in every format; sums are then
 * multiplied by the factors. */
#include "solver/basis.h"

#include <math.h>

#include "blas/pairs.h"
#include "core/available.h"
#include "core/memory.h"
#include "format/block.h"
#include "format/registry.h"
#include "format/run.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "view/blocks.h"
#include "view/view.h"

/* clang-format off */
STN_MAP(encode, (real(factor), in(w), out(v)), v = factor * w;)
STN_MAP(decode, (real(factor), in(v), out(w)), w = factor * v;)
STN_REDUCE(greatest, norm_inf, (in(w)), w)
/* clang-format on */

/* Elements between rows: distances that are powers of two would map rows to the same cache sets.
 * Rows of blocks are at a distance of complete blocks, PAGE_PART bytes or more from a multiple of
 * HALF_PAGE. */
enum { ROW_STEP = 64, PAD = 5 * ROW_STEP, HALF_PAGE = 2048, PAGE_PART = 640 };

static const double small = 0x1p24; /* bytes of a basis */

/* Floating-point and block formats with a smaller range than f32 are scaled to fill it. */
static stn_status choose_factors(const stn_format_entry *entry, int has_blocks, stn_basis *basis)
{
    const stn_format_info *const info = &entry->info;
    if (info->kind == STN_CLASS_COMPLEX || info->kind == STN_CLASS_OPAQUE)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: the format of the basis is %s, which is not a real format",
                        info->name);
    if (info->kind == STN_CLASS_INTEGER && !info->is_signed)
        return stn_fail(STN_ERR_UNSUPPORTED, "stn_solve: the format of the basis is unsigned: %s",
                        info->name);
    const int is_float = info->kind == STN_CLASS_FLOAT || info->kind == STN_CLASS_BLOCK;
    if (has_blocks && is_float)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: basis_block requires an integer format of the basis, not %s",
                        info->name);
    basis->has_powers = is_float;
    basis->highest = is_float && info->exponent_bits >= 8 ? 0.0 : info->highest;
    return STN_OK;
}

static int is_near_page(int64_t bytes)
{
    const int64_t part = bytes % HALF_PAGE;
    return part < PAGE_PART || part > HALF_PAGE - PAGE_PART;
}

/* Elements from one row of blocks to the next. Registered formats can have blocks of any size. */
static int64_t block_stride(const stn_block_format *format, int64_t length)
{
    const int64_t bytes = format->code_bytes + (format->is_inline ? format->scale_bytes : 0);
    int64_t blocks = (length + format->elements - 1) / format->elements;
    for (int k = 0; k < HALF_PAGE && is_near_page(blocks * bytes); k++)
        blocks++;
    return blocks * format->elements;
}

int64_t stn_basis_row(const stn_solver_state *s, stn_format format)
{
    const stn_block_format *const blocks = stn_format_block(format);
    return blocks ? block_stride(blocks, s->length)
                  : (s->length + ROW_STEP - 1) / ROW_STEP * ROW_STEP + PAD;
}

static stn_status create_codes(const stn_solver_state *s, const stn_storage *storage,
                               int64_t vectors, stn_view *codes)
{
    const int64_t extents[] = {vectors, s->length},
                  strides[] = {stn_basis_row(s, storage->format), 1};
    const stn_layout layout = stn_layout_strided(2, strides);
    return stn_view_create_spec(s->exec, codes,
                                &STN_VIEW_SPEC(.label = "the basis of GMRES", .storage = *storage,
                                               .layout = &layout, .rank = 2, .extents = extents,
                                               .flags = STN_CREATE_UNINITIALIZED));
}

/* All but the codes. */
static stn_status create_numbers(const stn_solver_state *s, int64_t vectors, stn_basis *basis)
{
    const int64_t parts[] = {stn_solver_is_complex(s) ? 2 : 1, vectors};
    const stn_storage storage = stn_storage_of(s->arithmetic);
    STN_TRY(stn_allocate(&basis->factors, (1 + parts[0]) * vectors, sizeof(double),
                         "factors of a basis"));
    basis->host = basis->factors + vectors;
    basis->is_single = s->arithmetic == STN_F32;
    STN_TRY(stn_view_create(s->exec, &basis->numbers, "values of a basis", storage, 2, parts));
    if (stn_solver_is_complex(s))
        STN_TRY(stn_solver_vector(s, "a vector of GMRES", &basis->rotated));
    return stn_view_wrap(&basis->host_numbers, "values of a basis", storage, basis->host, 2, parts);
}

stn_status stn_basis_create(const stn_solver_state *s, int64_t vectors, stn_basis *basis)
{
    stn_storage storage = s->options->basis;
    storage.format = stn_solver_basis_format(s);
    storage.scale = 1.0;
    storage.zero = 0.0;
    const int has_blocks = s->options->basis_block != 0;
    STN_TRY(choose_factors(stn_format_entry_of(storage.format), has_blocks, basis));
    STN_TRY(create_codes(s, &storage, vectors, &basis->codes));
    if (has_blocks)
        STN_TRY(stn_basis_create_blocks(s, vectors, basis));
    return create_numbers(s, vectors, basis);
}

stn_status stn_basis_create_wide(const stn_solver_state *s, int64_t vectors, stn_basis *basis)
{
    basis->highest = 0.0;
    return create_numbers(s, vectors, basis);
}

/* Address and number of bytes of the codes. */
static char *memory_of(const stn_view *codes, int64_t *bytes)
{
    const stn_format_info *const info = &stn_format_entry_of(codes->storage.format)->info;
    const char *blocks = codes->data;
    int64_t row_bytes = codes->stride[0] * info->bytes;
    *bytes = 0;
    if (codes->rank != 2 || codes->extent[0] < 1)
        return NULL;
    if (info->kind == STN_CLASS_BLOCK) {
        stn_blocks memory;
        int64_t row_blocks;
        if (!stn_blocks_rows(codes, &memory, &row_blocks) || memory.scale_step != info->block_bytes)
            return NULL;
        blocks = (const char *)memory.scales;
        *bytes = codes->extent[0] * row_blocks * info->block_bytes;
    } else {
        *bytes = (codes->extent[0] - 1) * row_bytes + codes->extent[1] * info->bytes;
    }
    return (char *)(uintptr_t)blocks;
}

stn_status stn_basis_borrow(const stn_solver_state *s, const stn_basis *lender, stn_basis *basis)
{
    const stn_storage storage = stn_storage_of(s->arithmetic);
    const int64_t stride = stn_basis_row(s, s->arithmetic),
                  width = stn_arithmetic_bytes(s->arithmetic);
    int64_t bytes;
    char *const memory = memory_of(&lender->codes, &bytes);
    const int64_t row = s->length * width;
    if (!memory || bytes < row || (uintptr_t)memory % STN_LINE != 0)
        return STN_OK;
    const int64_t extents[] = {(bytes - row) / (stride * width) + 1, s->length},
                  strides[] = {stride, 1};
    const stn_layout layout = stn_layout_strided(2, strides);
    STN_TRY(stn_view_wrap_spec(&basis->codes,
                               &STN_VIEW_SPEC(.label = lender->codes.label, .storage = storage,
                                              .data = memory, .layout = &layout, .rank = 2,
                                              .extents = extents)));
    return stn_view_set_space(&basis->codes, (stn_space)lender->codes.space);
}

stn_status stn_basis_reserve(const stn_solver_state *s, stn_basis *basis, int64_t vectors)
{
    const int64_t stored = basis->codes.data ? basis->codes.extent[0] : 0,
                  kept = stored < vectors ? stored : vectors;
    const stn_storage storage = stn_storage_of(s->arithmetic);
    const stn_slice rows[] = {stn_slice_range(0, kept), stn_slice_all()};
    const double bytes = (double)vectors * (double)stn_basis_row(s, s->arithmetic) *
                         (double)stn_arithmetic_bytes(s->arithmetic);
    stn_view codes, from, to;
    if (stn_space_accessible(s->exec, STN_SPACE_HOST))
        STN_TRY(stn_memory_expect("stn_solve: vectors of GMRES in the arithmetic type",
                                  bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX));
    STN_TRY(create_codes(s, &storage, vectors, &codes));
    stn_status status = STN_OK;
    if (kept > 0) {
        status = stn_view_slice(&from, &basis->codes, 2, rows);
        if (status == STN_OK)
            status = stn_view_slice(&to, &codes, 2, rows);
        if (status == STN_OK)
            status = stn_view_copy(s->exec, &to, &from);
    }
    stn_solver_swap(&codes, status == STN_OK ? &basis->codes : &codes);
    (void)stn_view_release(&codes);
    return status;
}

int64_t stn_basis_bytes(const stn_basis *basis)
{
    const stn_view *const codes = &basis->codes;
    const stn_format_info *const info = &stn_format_entry_of(codes->storage.format)->info;
    stn_block_arrays arrays = STN_BLOCK_ARRAYS_INIT;
    int64_t bytes;
    if (codes->data && info->kind == STN_CLASS_BLOCK)
        return stn_view_blocks(codes, &arrays) == STN_OK ? arrays.blocks * info->block_bytes : 0;
    (void)memory_of(codes, &bytes);
    return bytes + (bytes > 0 ? stn_basis_scale_bytes(basis, codes->extent[0]) : 0);
}

int stn_basis_is_small(const stn_solver_state *s, double vectors)
{
    const double parts = stn_solver_is_complex(s) ? 2.0 : 1.0;
    const double width = (double)stn_arithmetic_bytes(s->arithmetic);
    return width * parts * (double)s->rows * vectors <= small;
}

double stn_basis_rounding(const stn_solver_state *s, const stn_basis *basis)
{
    /* Root mean squares of the errors: 0.21 spacings of floats, and 0.29 of integers and in blocks.
     * The largest magnitude is 4 root mean squares of a vector, and 2.2 of a block. */
    const stn_format_info *const info = &stn_format_entry_of(basis->codes.storage.format)->info;
    const double error = info->kind == STN_CLASS_FLOAT   ? 0.21 * info->epsilon
                         : info->kind == STN_CLASS_BLOCK ? 0.29 * 2.2 * info->epsilon
                         : basis->scales                 ? 0.29 * 2.2 / info->highest
                                                         : 0.29 * 4.0 / info->highest;
    return error > stn_solver_rounding(s) ? error : 0.0;
}

void stn_basis_release(stn_basis *basis)
{
    (void)stn_view_release(&basis->rotated);
    (void)stn_view_release(&basis->numbers);
    (void)stn_view_release(&basis->fitted);
    (void)stn_view_release(&basis->largest);
    (void)stn_view_release(&basis->codes);
    stn_free(basis->scales);
    stn_free(basis->factors);
}

static stn_status row_of(const stn_basis *basis, int64_t k, stn_view *row)
{
    const stn_slice slices[] = {stn_slice_index(k), stn_slice_all()};
    return stn_view_slice(row, &basis->codes, 2, slices);
}

stn_status stn_basis_get(const stn_solver_state *s, const stn_basis *basis, int64_t k,
                         const stn_view *v)
{
    stn_view row;
    STN_TRY(row_of(basis, k, &row));
    return decode_run(s->exec, s->arithmetic, basis->factors[k], &row, v);
}

/* Chooses the factor of a vector with this largest magnitude. */
static double factor_of(const stn_basis *basis, double max)
{
    int exponent;
    const double factor = max / basis->highest;
    if (basis->highest == 0.0 || !(factor >= 0x1p-1000) || !isfinite(factor))
        return 1.0;
    if (!basis->has_powers)
        return factor;
    (void)frexp(factor, &exponent);
    return ldexp(1.0, exponent); /* not less than the quotient */
}

/* v is w / norm before rounding. */
static stn_status set_blocks(const stn_solver_state *s, stn_basis *basis, int64_t k,
                             const stn_view *w, double norm, double size, const stn_view *v)
{
    stn_view row;
    basis->factors[k] = size;
    STN_TRY(decode_run(s->exec, s->arithmetic, 1.0 / norm, w, v));
    STN_TRY(stn_basis_fit_blocks(s, basis, k, v));
    STN_TRY(row_of(basis, k, &row));
    STN_TRY(encode_run(s->exec, s->arithmetic, 1.0, v, &row));
    return decode_run(s->exec, s->arithmetic, size, &row, v);
}

/* Scales w and its norm to about 1, by a power of two, which is exact, if quotients would leave the
 * range of the arithmetic. */
static stn_status scale_to_one(const stn_solver_state *s, const stn_view *w, double *norm)
{
    const int unscaled = s->arithmetic == STN_F32 ? 30 : 900,
              max = s->arithmetic == STN_F32 ? 120 : 1000;
    int exponent;
    (void)frexp(*norm, &exponent);
    if (exponent >= -unscaled && exponent <= unscaled)
        return STN_OK;
    const double factor = ldexp(1.0, exponent > max ? -max : exponent < -max ? max : -exponent);
    *norm *= factor;
    return stn_scal(s->exec, s->arithmetic, factor, w);
}

stn_status stn_basis_set(const stn_solver_state *s, stn_basis *basis, int64_t k, const stn_view *w,
                         double norm, double size, const stn_view *v)
{
    double max = 0.0;
    stn_view row;
    STN_TRY(scale_to_one(s, w, &norm));
    if (basis->scales)
        return set_blocks(s, basis, k, w, norm, size, v);
    STN_TRY(row_of(basis, k, &row));
    if (basis->highest > 0.0)
        STN_TRY(greatest_reduce(s->exec, s->arithmetic, &max, w));
    STN_TRY(stn_partition_max(s->partition, &max));
    const double factor = factor_of(basis, max / norm);
    basis->factors[k] = factor * size;
    STN_TRY(encode_run(s->exec, s->arithmetic, 1.0 / (norm * factor), w, &row));
    return decode_run(s->exec, s->arithmetic, factor * size, &row, v);
}

/* ---- products with the first `count` vectors: their codes, and their numbers on the executor ----
 */

typedef struct products {
    stn_pairs of;                /* codes and coefficients; real vectors have no imaginary parts */
    stn_view columns;            /* of the codes */
    stn_view on_device, on_host; /* coefficients with both parts */
    int parts;
} products;

static stn_status find(const stn_solver_state *s, const stn_basis *basis, int64_t count,
                       products *job)
{
    static const int transposed[] = {1, 0};
    const stn_slice vectors[] = {stn_slice_range(0, count), stn_slice_all()};
    const stn_slice numbers[] = {stn_slice_all(), stn_slice_range(0, count)};
    stn_view *const parts[] = {&job->of.re, &job->of.im};
    job->parts = stn_solver_is_complex(s) ? 2 : 1;
    job->of.exec = s->exec;
    job->of.arithmetic = s->arithmetic;
    job->of.rotated = &basis->rotated;
    STN_TRY(stn_view_slice(&job->of.rows, &basis->codes, 2, vectors));
    STN_TRY(stn_view_permute(&job->columns, &job->of.rows, 2, transposed));
    STN_TRY(stn_view_slice(&job->on_device, &basis->numbers, 2, numbers));
    STN_TRY(stn_view_slice(&job->on_host, &basis->host_numbers, 2, numbers));
    for (int part = 0; part < job->parts; part++) {
        const stn_slice row[] = {stn_slice_index(part), stn_slice_all()};
        STN_TRY(stn_view_slice(parts[part], &job->on_device, 2, row));
    }
    return STN_OK;
}

/* Coefficients on the host have the arithmetic type, as those on the executor: a copy to a device
 * converts nothing. */
static void put(const stn_basis *basis, int64_t place, double number)
{
    if (basis->is_single)
        ((float *)basis->host)[place] = (float)number;
    else
        ((double *)basis->host)[place] = number;
}

static double get(const stn_basis *basis, int64_t place)
{
    return basis->is_single ? ((const float *)basis->host)[place]
                            : ((const double *)basis->host)[place];
}

/* Coefficients of vectors, divided by the factors of the codes. */
static stn_status send(const stn_solver_state *s, const stn_basis *basis, int64_t count,
                       const stn_c128 *numbers, const products *job)
{
    const int64_t im = (job->parts - 1) * basis->host_numbers.stride[0];
    for (int64_t i = 0; i < count; i++) {
        put(basis, im + i, numbers[i].im * basis->factors[i]);
        put(basis, i,
            numbers[i].re * basis->factors[i]); /* real vectors: both are the same location */
    }
    return stn_view_copy(s->exec, &job->on_device, &job->on_host);
}

static stn_status receive(const stn_solver_state *s, const stn_basis *basis, int64_t count,
                          stn_c128 *numbers, const products *job)
{
    const int64_t im = (job->parts - 1) * basis->host_numbers.stride[0];
    STN_TRY(stn_view_copy(s->exec, &job->on_host, &job->on_device));
    STN_TRY(stn_exec_wait(s->exec));
    for (int64_t i = 0; i < count; i++)
        numbers[i] = stn_c128_of(get(basis, i) * basis->factors[i],
                                 job->parts == 2 ? get(basis, im + i) * basis->factors[i] : 0.0);
    return STN_OK;
}

/* Products with rows of distributed vectors. */
typedef struct block_job {
    const stn_solver_state *s;
    const stn_basis *basis;
    const stn_view *w;
    int64_t count;
    products products;
} block_job;

/* `sums` are numbers, whose parts are adjacent if they are complex. */
static stn_status project_block(void *context, int64_t first, int64_t rows, double *sums)
{
    block_job *const job = context;
    const stn_solver_state *const s = job->s;
    const int parts = job->products.parts;
    const stn_slice part[] = {stn_slice_all(),
                              stn_slice_range(parts * first, parts * (first + rows))};
    stn_pairs of = job->products.of;
    stn_view w, rotated;
    STN_TRY(stn_view_slice(&of.rows, &job->products.of.rows, 2, part));
    STN_TRY(stn_view_slice(&w, job->w, 1, &part[1]));
    if (parts == 2) {
        STN_TRY(stn_view_slice(&rotated, job->products.of.rotated, 1, &part[1]));
        of.rotated = &rotated;
        STN_TRY(stn_pairs_project(&of, &w));
    } else
        STN_TRY(stn_gemv(s->exec, s->arithmetic, 1.0, &of.rows, &w, 0.0, &of.re));
    STN_TRY(stn_view_copy(s->exec, &job->products.on_host, &job->products.on_device));
    STN_TRY(stn_exec_wait(s->exec));
    for (int64_t i = 0; i < job->count; i++)
        for (int k = 0; k < parts; k++)
            sums[parts * i + k] = get(job->basis, k * job->basis->host_numbers.stride[0] + i);
    return STN_OK;
}

static stn_status project_distributed(const stn_solver_state *s, const stn_basis *basis,
                                      int64_t count, const stn_view *w, stn_c128 *numbers)
{
    block_job job = {.s = s, .basis = basis, .w = w, .count = count};
    double *const sums = (double *)numbers; /* real ones are the first half of the array */
    STN_TRY(find(s, basis, count, &job.products));
    const int parts = job.products.parts;
    STN_TRY(
        stn_partition_sum(s->partition, s->arithmetic, parts * count, project_block, &job, sums));
    for (int64_t i = count; i-- > 0;)
        numbers[i] = stn_c128_of(sums[parts * i] * basis->factors[i],
                                 parts == 2 ? sums[2 * i + 1] * basis->factors[i] : 0.0);
    return STN_OK;
}

stn_status stn_basis_project(const stn_solver_state *s, stn_basis *basis, int64_t count,
                             const stn_view *w, stn_c128 *numbers)
{
    products job;
    if (s->partition)
        return project_distributed(s, basis, count, w, numbers);
    STN_TRY(find(s, basis, count, &job));
    STN_TRY(job.parts == 2
                ? stn_pairs_project(&job.of, w)
                : stn_gemv(s->exec, s->arithmetic, 1.0, &job.of.rows, w, 0.0, &job.of.re));
    return receive(s, basis, count, numbers, &job);
}

stn_status stn_basis_combine(const stn_solver_state *s, const stn_basis *basis, int64_t count,
                             const stn_c128 *numbers, double sign, const stn_view *w)
{
    const double alpha = sign == 0.0 ? 1.0 : sign, beta = sign == 0.0 ? 0.0 : 1.0;
    products job;
    STN_TRY(find(s, basis, count, &job));
    STN_TRY(send(s, basis, count, numbers, &job));
    return job.parts == 2
               ? stn_pairs_combine(&job.of, alpha, beta, w)
               : stn_gemv(s->exec, s->arithmetic, alpha, &job.columns, &job.of.re, beta, w);
}

stn_status stn_basis_subtract(const stn_solver_state *s, stn_basis *basis, int64_t count,
                              const stn_c128 *numbers, const stn_view *w, stn_c128 *left)
{
    products job;
    if (s->partition) {
        STN_TRY(stn_basis_combine(s, basis, count, numbers, -1.0, w));
        return stn_basis_project(s, basis, count, w, left);
    }
    STN_TRY(find(s, basis, count, &job));
    STN_TRY(send(s, basis, count, numbers, &job));
    STN_TRY(job.parts == 2 ? stn_pairs_subtract(&job.of, w)
                           : stn_gemvt(s->exec, s->arithmetic, -1.0, &job.of.rows, &job.of.re, 1.0,
                                       w, &job.of.re));
    return receive(s, basis, count, left, &job);
}
