/* Block-Jacobi: the blocks, their inverses, and the format of each. An application is a product
 * with one sparse matrix per format; these have disjoint sets of rows. */
#include "steno/block_jacobi.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "solver/block_jacobi.h"
#include "solver/invert.h"
#include "solver/factor_format.h"
#include "sparse/compressed.h"

enum { USUAL_BLOCK = 8, NARROW = 0, MIDDLE = 1, FULL = 2 };

static const char call[] = "stn_block_jacobi_create";

typedef struct making {
    const stn_exec *exec;
    const char *name; /* name of the matrix */
    stn_compressed from;
    const stn_block_jacobi_options *asked;
    stn_block_jacobi *made;
    int64_t parts;         /* of a number */
    int64_t count, *start; /* of blocks */
    int64_t *at;           /* position of the first number of each inverse, which is stored by
                            * columns */
    double *inverse;
    double *most;        /* largest magnitude of a part of each inverse */
    unsigned char *part; /* format of each inverse */
    double values[1024]; /* of a row; capacity of one read */
    stn_storage storage[STN_BLOCK_JACOBI_FORMATS];
} making;

/* ---- blocks ---- */

static int64_t row_length(const stn_compressed *a, int64_t row)
{
    return a->start[row + 1] - a->start[row];
}

static int is_alike(const stn_compressed *a, int64_t row, int64_t other)
{
    return row_length(a, row) == row_length(a, other) &&
           (row_length(a, row) == 0 ||
            memcmp(a->column + a->start[row], a->column + a->start[other],
                   (size_t)row_length(a, row) * sizeof *a->column) == 0);
}

/* The end of the consecutive rows with the same pattern as this one; at most `most` rows. */
static int64_t end_of_alike(const stn_compressed *a, int64_t row, int64_t most)
{
    int64_t end = row + 1;
    while (end < a->rows && end - row < most && is_alike(a, row, end))
        end++;
    return end;
}

static void find_blocks(making *all, int64_t most)
{
    const stn_compressed *const a = &all->from;
    int64_t row = 0;
    all->count = 0;
    all->start[0] = 0;
    while (row < a->rows) {
        const int64_t end = end_of_alike(a, row, most);
        if (row > all->start[all->count] && end - all->start[all->count] > most)
            all->start[++all->count] = row;
        row = end;
    }
    if (a->rows > 0)
        all->start[++all->count] = a->rows;
}

static stn_status take_blocks(making *all)
{
    const stn_block_jacobi_options *const asked = all->asked;
    if (asked->block_count < 0 || asked->block_start[0] != 0 ||
        asked->block_start[asked->block_count] != all->from.rows)
        return stn_fail(STN_ERR_ARGUMENT, "%s: blocks must begin at 0 and end at %lld", call,
                        (long long)all->from.rows);
    for (int64_t k = 0; k < asked->block_count; k++) {
        const int64_t rows = asked->block_start[k + 1] - asked->block_start[k];
        if (rows < 1)
            return stn_fail(STN_ERR_ARGUMENT, "%s: block %lld has %lld rows", call, (long long)k,
                            (long long)rows);
        if (rows > STN_BLOCK_JACOBI_MAX_ROWS)
            return stn_fail(STN_ERR_RANGE, "%s: block %lld has %lld rows; at most %d", call,
                            (long long)k, (long long)rows, STN_BLOCK_JACOBI_MAX_ROWS);
    }
    memcpy(all->start, asked->block_start, (size_t)(asked->block_count + 1) * sizeof *all->start);
    all->count = asked->block_count;
    return STN_OK;
}

static stn_status choose_blocks(making *all)
{
    const int64_t most = all->asked->max_block_rows;
    if (most < 0 || most > STN_BLOCK_JACOBI_MAX_ROWS)
        return stn_fail(STN_ERR_RANGE, "%s: blocks of %lld rows; at most %d", call, (long long)most,
                        STN_BLOCK_JACOBI_MAX_ROWS);
    const int64_t room = all->asked->block_start && all->asked->block_count > all->from.rows
                             ? 0 /* a block has no rows */
                             : all->from.rows;
    STN_TRY(stn_allocate(&all->start, room + 2, sizeof *all->start, "blocks"));
    if (!all->asked->block_start)
        find_blocks(all, most ? most : USUAL_BLOCK);
    else if (room < all->asked->block_count)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %lld blocks of %lld rows", call,
                        (long long)all->asked->block_count, (long long)all->from.rows);
    else
        STN_TRY(take_blocks(all));
    return STN_OK;
}

/* ---- inverses ---- */

static stn_format wide_of(const making *all)
{
    return all->parts == 2 ? STN_C128 : STN_F64;
}

/* Extracts the entries of the block, by columns. */
static stn_status extract(making *all, int64_t first, int64_t rows, double *block)
{
    enum { ROOM = sizeof all->values / sizeof *all->values };
    const stn_compressed *const a = &all->from;
    const int64_t parts = all->parts, room = ROOM / parts;
    memset(block, 0, (size_t)(rows * rows * parts) * sizeof *block);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t end = a->start[first + i + 1];
        for (int64_t begin = a->start[first + i]; begin < end; begin += room) {
            const int64_t count = end - begin < room ? end - begin : room;
            STN_TRY(stn_decode(wide_of(all), all->values, &a->storage, a->codes + begin * a->code,
                               1, count));
            for (int64_t k = 0; k < count; k++) {
                const int64_t column = a->column[begin + k] - first;
                for (int64_t p = 0; p < parts && column >= 0 && column < rows; p++)
                    block[(column * rows + i) * parts + p] += all->values[k * parts + p];
            }
        }
    }
    return STN_OK;
}

/* The narrowest format for this condition number, if the magnitude is in its range. */
static unsigned char choose_part(double condition, double most)
{
    static const double allowed = 0.1;
    if (condition * 0x1p-11 <= allowed)
        return NARROW;
    return condition * 0x1p-24 <= allowed && most <= 0x1p120 && most >= 0x1p-120 ? MIDDLE : FULL;
}

static stn_status invert_block(making *all, int64_t k, double *block)
{
    const int64_t first = all->start[k], rows = all->start[k + 1] - first;
    double *const inverse = all->inverse + all->at[k] * all->parts;
    double condition;
    STN_TRY(extract(all, first, rows, block));
    if (!stn_invert(block, (int)rows, all->parts == 2, inverse, &condition))
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: the block of rows %lld to %lld (from 0) of %s is singular or not "
                        "finite",
                        call, (long long)first, (long long)(first + rows - 1), all->name);
    all->most[k] = 0.0;
    for (int64_t i = 0; i < rows * rows * all->parts; i++)
        all->most[k] = fmax(all->most[k], fabs(inverse[i]));
    all->part[k] = all->asked->format ? FULL : choose_part(condition, all->most[k]);
    return STN_OK;
}

static stn_status invert(making *all)
{
    double *block = NULL;
    stn_status status =
        stn_allocate(&block, 2 * STN_BLOCK_JACOBI_MAX_ROWS * STN_BLOCK_JACOBI_MAX_ROWS * all->parts,
                     sizeof *block, "a block");
    for (int64_t k = 0; k < all->count && status == STN_OK; k++)
        status = invert_block(all, k, block);
    stn_free(block);
    return status;
}

/* ---- formats ---- */

/* The power of two that scales this magnitude into the range of the format. */
static double scale_for(double most, double highest)
{
    enum { LEAST = DBL_MIN_EXP - DBL_MANT_DIG }; /* for f64: the quotient may be smaller */
    int exponent, other;
    const int is_more = frexp(most, &exponent) >= frexp(highest, &other);
    exponent += is_more - other;
    return ldexp(1.0, exponent > LEAST ? exponent : LEAST);
}

/* All narrow blocks share one scale, determined by their largest number. A block whose numbers
 * would be subnormal with that scale gets a wider format. */
static void scale_narrow(making *all)
{
    double most = 0.0;
    for (int64_t k = 0; k < all->count; k++)
        if (all->part[k] == NARROW)
            most = fmax(most, all->most[k]);
    const double scale = most > 0.0 ? scale_for(most, 65504.0) : 1.0;
    for (int64_t k = 0; k < all->count; k++)
        if (all->part[k] == NARROW && !(all->most[k] >= scale * 0x1p-13))
            all->part[k] = choose_part(1e4, all->most[k]);
    all->storage[NARROW] = stn_storage_of(all->parts == 2 ? STN_C32 : STN_F16);
    all->storage[NARROW].scale = scale;
    all->storage[MIDDLE] = stn_storage_of(all->parts == 2 ? STN_C64 : STN_F32);
    all->storage[FULL] = stn_storage_of(wide_of(all));
}

static stn_status choose_formats(making *all)
{
    double most = 0.0;
    if (!all->asked->format) {
        scale_narrow(all);
        return STN_OK;
    }
    const stn_format format = stn_factor_format(*all->asked->format, all->parts == 2);
    const stn_format_info *const info = stn_parts_info(format);
    for (int64_t k = 0; k < all->count; k++)
        most = fmax(most, all->most[k]);
    all->storage[FULL] = stn_storage_of(format);
    if (stn_factor_needs_scale(info, most))
        all->storage[FULL].scale = scale_for(most, info->highest);
    return STN_OK;
}

/* ---- matrices ---- */

typedef struct rows_of {
    int64_t *start;
    int32_t *column;
    double *values;
} rows_of;

static void release_rows(rows_of *rows)
{
    stn_free(rows->start);
    stn_free(rows->column);
    stn_free(rows->values);
}

/* Writes the rows of one format, in f64 or c128. Each row begins at its diagonal and wraps around,
 * so that entry e of every row is in column row + e, or row + e minus the rows of the block: two
 * runs in slices. */
static void fill_rows(const making *all, int part, rows_of *made)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < all->count; k++) {
        const int64_t first = all->start[k], rows = all->start[k + 1] - first;
        const double *const inverse = all->inverse + all->at[k] * all->parts;
        for (int64_t i = 0; i < rows; i++) {
            made->start[first + i] = entries;
            for (int64_t e = 0; e < rows && all->part[k] == part; e++) {
                const int64_t j = i + e < rows ? i + e : i + e - rows;
                made->column[entries] = (int32_t)(first + j);
                memcpy(made->values + entries++ * all->parts, inverse + (j * rows + i) * all->parts,
                       (size_t)all->parts * sizeof *inverse);
            }
        }
    }
    made->start[all->from.rows] = entries;
}

static stn_status narrow(const making *all, int part, const stn_exec *host, const stn_matrix *wide,
                         stn_matrix *made)
{
    int64_t bytes;
    STN_TRY(stn_matrix_convert(host, made, wide, STN_MATRIX_AUTO, &all->storage[part]));
    STN_TRY(stn_sparse_bytes(made, made->kind, made->storage.format, &bytes));
    all->made->base.info.bytes += bytes;
    return STN_OK;
}

static stn_status convert(const making *all, int part, const rows_of *rows, stn_matrix *made)
{
    static const char *const labels[2][STN_BLOCK_JACOBI_FORMATS] = {
        {"blocks in f16", "blocks in f32", "blocks"}, {"blocks in c32", "blocks in c64", "blocks"}};
    const int64_t n = all->from.rows;
    const stn_exec *const exec = all->exec;
    stn_matrix here = {0};
    const stn_matrix wide =
        stn_matrix_of_rows(labels[all->parts - 1][part], stn_storage_of(wide_of(all)), n, n,
                           rows->start, rows->column, rows->values);
    if (stn_space_accessible(exec, STN_SPACE_HOST))
        return narrow(all, part, exec, &wide, made);
    stn_exec *host;
    STN_TRY(stn_exec_create(&host, "openmp"));
    stn_status status = narrow(all, part, host, &wide, &here);
    if (status == STN_OK)
        status = stn_matrix_copy(exec, made, &here);
    stn_matrix_clear(&here);
    stn_exec_release(host);
    return status;
}

static stn_status make_part(making *all, int part)
{
    stn_block_jacobi *const made = all->made;
    rows_of rows = {NULL, NULL, NULL};
    int64_t entries = 0;
    for (int64_t k = 0; k < all->count; k++)
        if (all->part[k] == part) {
            const int64_t edge = all->start[k + 1] - all->start[k];
            entries += edge * edge;
            made->base.info.format_blocks[part]++;
        }
    if (entries == 0)
        return STN_OK;
    stn_status status =
        stn_allocate(&rows.start, all->from.rows + 1, sizeof *rows.start, "rows of blocks");
    if (status == STN_OK)
        status = stn_allocate(&rows.column, entries, sizeof *rows.column, "columns of blocks");
    if (status == STN_OK)
        status = stn_allocate(&rows.values, entries * all->parts, sizeof *rows.values, "blocks");
    if (status == STN_OK) {
        fill_rows(all, part, &rows);
        status = convert(all, part, &rows, &made->part[part]);
    }
    release_rows(&rows);
    return status;
}

static stn_status make(making *all)
{
    int64_t entries = 0;
    STN_TRY(choose_blocks(all));
    STN_TRY(stn_allocate(&all->at, all->count + 1, sizeof *all->at, "blocks"));
    for (int64_t k = 0; k < all->count; k++) {
        const int64_t rows = all->start[k + 1] - all->start[k];
        all->at[k] = entries;
        entries += rows * rows;
    }
    STN_TRY(
        stn_allocate(&all->inverse, entries * all->parts, sizeof(double), "inverses of blocks"));
    STN_TRY(stn_allocate(&all->most, all->count, sizeof(double), "blocks"));
    STN_TRY(stn_allocate(&all->part, all->count, 1, "blocks"));
    STN_TRY(invert(all));
    STN_TRY(choose_formats(all));
    for (int part = 0; part < STN_BLOCK_JACOBI_FORMATS; part++)
        STN_TRY(make_part(all, part));
    all->made->base.info.rows = all->from.rows;
    all->made->base.info.blocks = all->count;
    return STN_OK;
}

/* ---- calls ---- */

static stn_status expect_blocks(const stn_matrix *a, const stn_block_jacobi_options *blocks)
{
    STN_TRY(stn_matrix_expect(call, a));
    if (a->rows != a->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s (%lld x %lld) is not square", call,
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns);
    return blocks->format
               ? stn_expect_factor_format(call, *blocks->format, stn_matrix_is_complex(a))
               : STN_OK;
}

static stn_status make_checked(const stn_exec *exec, stn_block_jacobi *made, const stn_matrix *a,
                               const stn_block_jacobi_options *blocks)
{
    making *all = NULL;
    stn_block_jacobi_options options = STN_BLOCK_JACOBI_OPTIONS_INIT;
    if (blocks)
        STN_TRY(STN_STRUCT_READ(&options, blocks, stn_block_jacobi_options, max_block_rows,
                                "stn_block_jacobi_create: options"));
    STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(expect_blocks(a, &options));
    STN_TRY(stn_allocate(&all, 1, sizeof *all, "block-Jacobi"));
    memset(all, 0, sizeof *all);
    all->exec = exec;
    all->name = stn_matrix_name(a);
    all->parts = stn_matrix_is_complex(a) ? 2 : 1;
    all->asked = &options;
    all->made = made;
    stn_status status = stn_compressed_open(call, exec, a, &all->from);
    if (status == STN_OK)
        status = make(all);
    stn_compressed_close(&all->from);
    stn_free(all->start);
    stn_free(all->at);
    stn_free(all->inverse);
    stn_free(all->most);
    stn_free(all->part);
    stn_free(all);
    return status;
}

static void clear(stn_preconditioner *itself)
{
    stn_block_jacobi *const all = (stn_block_jacobi *)itself;
    for (int part = 0; part < STN_BLOCK_JACOBI_FORMATS; part++)
        stn_matrix_clear(&all->part[part]);
}

static stn_status apply(void *context, const stn_exec *exec, stn_format arithmetic,
                        const stn_view *x, const stn_view *y)
{
    const stn_block_jacobi *const all = context;
    double beta = 0.0;
    for (int part = 0; part < STN_BLOCK_JACOBI_FORMATS; part++)
        if (all->base.info.format_blocks[part] > 0) {
            STN_TRY(stn_spmv(exec, arithmetic, 1.0, &all->part[part], x, beta, y));
            beta = 1.0;
        }
    return STN_OK;
}

stn_status stn_block_jacobi_create(const stn_exec *exec, stn_preconditioner **made,
                                   const stn_matrix *a, const stn_block_jacobi_options *options)
{
    stn_block_jacobi *m;
    STN_TRY(stn_preconditioner_begin(call, made, sizeof *m, &m));
    m->base.info.name = "block-Jacobi";
    m->base.apply = apply;
    m->base.clear = clear;
    STN_RETURN_IN_MODES(stn_preconditioner_end(made, &m->base, make_checked(exec, m, a, options)));
}
