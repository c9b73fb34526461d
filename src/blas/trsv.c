/* trsv: by diagonal tiles, from the first one that can be solved. gemv subtracts the product of a
 * tile's rows with solved elements; then the calling thread solves the tile by strips of rows:
 * solved elements of the tile are subtracted as sums, and the strip's own products from the rest. A
 * tile of values is solved in place. */
#include <string.h>

#include "blas/band.h"
#include "blas/call.h"
#include "blas/operand.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/detail/reduce_operations.h"
#include "sum/monoid.h"

enum { TILE_ROWS = STN_TILE_ELEMENTS, STRIP = 16 };

/* A square diagonal tile and its elements of x: values in host memory. */
typedef struct tile {
    const stn_reader *a; /* source of the tile; NULL if it consists of values */
    const stn_fused
        *fused;        /* loops over its codes, whose rows or columns are contiguous; or NULL */
    const char *codes; /* for them: the first element of the matrix */
    stn_affine affine;
    int64_t code_bytes;
    int64_t steps[2];
    int64_t position; /* of the tile's first element */
    void *x;
    int64_t count, reach; /* rows, and diagonals on the side of the triangle */
    int is_upper, has_units, is_conjugated;
    stn_monoid products;
} tile;

static int64_t offset_of(const tile *t, int64_t row, int64_t column)
{
    return t->position + row * t->steps[0] + column * t->steps[1];
}

/* Rows of the tile that are solved together, and the number solved before. */
typedef struct strip {
    int64_t begin, end, solved_begin, solved_end;
} strip;

static strip strip_of(const tile *t, int64_t k)
{
    const int64_t begin = k * STRIP, end = begin + STRIP < t->count ? begin + STRIP : t->count;
    return (strip){begin, end, t->is_upper ? end : 0, t->is_upper ? t->count : begin};
}

/* Restricts columns begin to end - 1 of a row to the band. */
static void cut(const tile *t, int64_t row, int64_t *begin, int64_t *end)
{
    if (!t->is_upper && *begin < row - t->reach)
        *begin = row - t->reach;
    if (t->is_upper && *end - 1 - row > t->reach)
        *end = row + t->reach + 1;
}

/* The sum of a[k] * x[k] over 1 to a tile of elements. */
#define DEFINE_SUM(T, conjugate_if)                                                                \
    static stn_##T sum_##T(const tile *t, int64_t row, int64_t first, int64_t count)               \
    {                                                                                              \
        stn_pair_##T pairs[TILE_ROWS];                                                             \
        stn_##T a[TILE_ROWS], sum;                                                                 \
        stn_read(t->a, a, offset_of(t, row, first), t->steps[1], count);                           \
        for (int64_t k = 0; k < count; k++) {                                                      \
            pairs[k].x = conjugate_if(a[k]);                                                       \
            pairs[k].y = ((const stn_##T *)t->x)[first + k];                                       \
        }                                                                                          \
        t->products.tile(pairs, count, 0, 1.0, &sum);                                              \
        return sum;                                                                                \
    }

/* Sums of the products of the strip's rows with solved elements, tile by tile. */
#define DEFINE_SUMS(T, plus)                                                                       \
    static void sum_strip_##T(const tile *t, const strip *s, stn_##T *sums)                        \
    {                                                                                              \
        for (int64_t row = s->begin; row < s->end; row++) {                                        \
            stn_##T *const sum = sums + (row - s->begin);                                          \
            int64_t begin = s->solved_begin, end = s->solved_end;                                  \
            cut(t, row, &begin, &end);                                                             \
            for (int64_t at = begin; at < end; at += TILE_ROWS) {                                  \
                const stn_##T range =                                                              \
                    sum_##T(t, row, at, end - at < TILE_ROWS ? end - at : TILE_ROWS);              \
                *sum = at == begin ? range : plus(*sum, range);                                    \
            }                                                                                      \
        }                                                                                          \
    }

/* The same by the fused loops. */
#define DEFINE_FUSED(T)                                                                            \
    static void fuse_strip_##T(const tile *t, const strip *s, stn_##T *sums)                       \
    {                                                                                              \
        double wide[STRIP];                                                                        \
        const char *const a = t->codes + offset_of(t, s->begin, s->solved_begin) * t->code_bytes;  \
        const stn_##T *const x = (const stn_##T *)t->x + s->solved_begin;                          \
        const int64_t rows = s->end - s->begin, count = s->solved_end - s->solved_begin;           \
        if (count == 0)                                                                            \
            return;                                                                                \
        if (t->steps[1] != 1) {                                                                    \
            t->fused->columns(sums, a, t->steps[1] * t->code_bytes, count, &t->affine, x, rows);   \
            return;                                                                                \
        }                                                                                          \
        t->fused->rows(wide, a, t->steps[0] * t->code_bytes, rows, &t->affine, x, count);          \
        for (int64_t r = 0; r < rows; r++)                                                         \
            sums[r] = (stn_##T)wide[r];                                                            \
    }

/* Elements of the strip's rows in the triangle and the band, values in place or in `buffer`; steps:
 * between rows, and within one. */
#define DEFINE_READ(T)                                                                             \
    static const stn_##T *read_strip_##T(const tile *t, const strip *b, stn_##T *buffer,           \
                                         int64_t *steps)                                           \
    {                                                                                              \
        steps[0] = t->a ? STRIP : t->steps[0];                                                     \
        steps[1] = t->a ? 1 : t->steps[1];                                                         \
        if (!t->a)                                                                                 \
            return (const stn_##T *)(const void *)t->codes + offset_of(t, b->begin, b->begin);     \
        for (int64_t row = b->begin; row < b->end; row++) {                                        \
            int64_t begin = t->is_upper ? row : b->begin, end = t->is_upper ? b->end : row + 1;    \
            cut(t, row, &begin, &end);                                                             \
            stn_read(t->a, buffer + (row - b->begin) * STRIP + begin - b->begin,                   \
                     offset_of(t, row, begin), t->steps[1], end - begin);                          \
        }                                                                                          \
        return buffer;                                                                             \
    }

/* Solves the strip element by element: subtracts the sum of products and divides by the diagonal.
 * Each solved element is added to the sums of the remaining ones. */
#define DEFINE_SOLVE(T, plus, minus, times, over, conjugate_if)                                    \
    static void solve_strip_##T(const tile *t, const strip *s, stn_##T *sums)                      \
    {                                                                                              \
        const int64_t rows = s->end - s->begin, reach = t->reach;                                  \
        stn_##T buffer[STRIP * STRIP], *const x = (stn_##T *)t->x + s->begin;                      \
        int64_t steps[2];                                                                          \
        const stn_##T *const a = read_strip_##T(t, s, buffer, steps);                              \
        for (int64_t n = 0; n < rows; n++) {                                                       \
            const int64_t k = t->is_upper ? rows - 1 - n : n;                                      \
            const int64_t begin = !t->is_upper ? k + 1 : k < reach ? 0 : k - reach;                \
            const int64_t end = t->is_upper ? k : rows - 1 - k < reach ? rows : k + reach + 1;     \
            stn_##T solved = minus(x[k], sums[k]);                                                 \
            if (!t->has_units)                                                                     \
                solved = over(solved, conjugate_if(a[k * (steps[0] + steps[1])]));                 \
            x[k] = solved;                                                                         \
            for (int64_t r = begin; r < end; r++)                                                  \
                sums[r] =                                                                          \
                    plus(sums[r], times(conjugate_if(a[r * steps[0] + k * steps[1]]), solved));    \
        }                                                                                          \
    }

/* All strips, from the first one that can be solved. */
#define DEFINE_TILE(T)                                                                             \
    static void solve_##T(const tile *t)                                                           \
    {                                                                                              \
        const int64_t strips = (t->count + STRIP - 1) / STRIP;                                     \
        for (int64_t k = 0; k < strips; k++) {                                                     \
            const strip s = strip_of(t, t->is_upper ? strips - 1 - k : k);                         \
            stn_##T sums[STRIP] = {0};                                                             \
            SUM_##T(t, &s, sums);                                                                  \
            solve_strip_##T(t, &s, sums);                                                          \
        }                                                                                          \
    }

#define DEFINE_ALL(T, plus, minus, times, over, conjugate_if)                                      \
    DEFINE_SUM(T, conjugate_if)                                                                    \
    DEFINE_SUMS(T, plus)                                                                           \
    DEFINE_READ(T)                                                                                 \
    DEFINE_SOLVE(T, plus, minus, times, over, conjugate_if)                                        \
    DEFINE_TILE(T)

#define DEFINE_COMPLEX(T)                                                                          \
    DEFINE_ALL(T, stn_##T##_add, stn_##T##_subtract, stn_##T##_multiply_fast, stn_##T##_divide,    \
               TAKEN_##T)

#define PLUS(x, y)    ((x) + (y))
#define MINUS(x, y)   ((x) - (y))
#define TIMES(x, y)   ((x) * (y))
#define OVER(x, y)    ((x) / (y))
#define AS_IT_IS(z)   (z)
#define TAKEN_c128(z) (t->is_conjugated ? stn_c128_conj(z) : (z))
#define TAKEN_c64(z)  (t->is_conjugated ? stn_c64_conj(z) : (z))
#define SUM_f64       (t->fused ? fuse_strip_f64 : sum_strip_f64)
#define SUM_f32       (t->fused ? fuse_strip_f32 : sum_strip_f32)
#define SUM_c128      sum_strip_c128
#define SUM_c64       sum_strip_c64

DEFINE_FUSED(f64)
DEFINE_FUSED(f32)
DEFINE_ALL(f64, PLUS, MINUS, TIMES, OVER, AS_IT_IS)
DEFINE_ALL(f32, PLUS, MINUS, TIMES, OVER, AS_IT_IS)
DEFINE_COMPLEX(c128)
DEFINE_COMPLEX(c64)

static void solve_tile(const tile *t, stn_format arithmetic)
{
    (arithmetic == STN_F64    ? solve_f64
     : arithmetic == STN_F32  ? solve_f32
     : arithmetic == STN_C128 ? solve_c128
                              : solve_c64)(t);
}

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
    const int64_t count = n < TILE_ROWS ? n : TILE_ROWS, square[] = {count, count};
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
    tile tile;
} triangular_system;

/* The tile's rows are those of `reader`. */
static void set_reader(triangular_system *s)
{
    s->tile.a = &s->reader;
    memcpy(s->tile.steps, s->reader.steps, sizeof s->tile.steps);
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
    solve_tile(&s->tile, call->arithmetic);
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
    solve_tile(&s->tile, call->arithmetic);
    return stn_view_copy(call->exec, &x, &near_x);
}

static stn_status solve_all(const stn_blas_call *call, triangular_system *s)
{
    const int64_t n = s->x->extent[0], tiles = (n + TILE_ROWS - 1) / TILE_ROWS;
    for (int64_t k = 0; k < tiles; k++) {
        const int64_t first = (s->tile.is_upper ? tiles - 1 - k : k) * TILE_ROWS;
        const int64_t end = first + TILE_ROWS < n ? first + TILE_ROWS : n;
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
    solve_tile(&s->tile, call->arithmetic);
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
    solve_tile(&s->tile, call->arithmetic);
    return STN_OK;
}

/* ---- dense ---- */

/* Of the matrix, or of the host copy of a tile. */
static stn_status init_reader(const stn_blas_call *call, triangular_system *s)
{
    static const stn_exec host = STN_EXEC_OF_THREADS(1);
    const int is_device = stn_exec_device(call->exec) != NULL;
    const stn_view *const a = is_device ? &s->buffers.near_a : s->a;
    const stn_run *const run = &s->reader.run;
    STN_TRY(stn_reader_init(&s->reader, call->name, is_device ? &host : call->exec,
                            call->arithmetic, a));
    set_reader(s);
    if (stn_blas_is_complex(call->arithmetic) || stn_exec_is_reference(call->exec) ||
        (s->reader.steps[0] != 1 && s->reader.steps[1] != 1) || !stn_codes_have_loops(&s->reader))
        return STN_OK;
    s->tile.fused = stn_fused_of(run->real, call->arithmetic);
    s->tile.codes = stn_reader_at(&s->reader, 0);
    s->tile.affine = run->affine;
    s->tile.code_bytes = run->bytes;
    if (s->tile.fused && run->real == call->arithmetic && run->affine.plain)
        s->tile.a = NULL;
    return STN_OK;
}

static stn_status solve_dense(const stn_blas_call *call, triangular_system *s)
{
    if (stn_exec_device(call->exec))
        STN_TRY(allocate_buffers(call, s->x->extent[0], &s->buffers));
    STN_TRY(init_reader(call, s));
    return solve_all(call, s);
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
    _Alignas(64) stn_c128 few[TILE_ROWS];
    void *values = few, *owned = NULL;
    stn_reader reader;
    stn_view decoded;
    STN_TRY(stn_reader_init(&reader, call->name, call->exec, call->arithmetic, x));
    if (n > TILE_ROWS)
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
            (stn_operand_is_plain(call->exec, call->arithmetic, a, 2, 0) &&
             x->extent[0] <= TILE_ROWS)) &&
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
    return solve_all(call, s);
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
    s.tile = (tile){.is_upper = triangle == STN_UPPER,
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
