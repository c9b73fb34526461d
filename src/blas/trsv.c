/* trsv: by tiles of the diagonal, from the first that can be solved on. What is solved is taken
 * from a tile's rows by gemv; the tile is decoded row by row and solved by the calling thread. One
 * tile of values is solved where it is. */
#include <string.h>

#include "blas/band.h"
#include "blas/call.h"
#include "blas/operand.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/detail/reduce_operations.h"
#include "sum/monoid.h"

enum { TILE = STN_TILE_ELEMENTS };

/* A square tile of the diagonal, and the elements of x that are its own: values in host memory. */
typedef struct tile {
    const stn_reader *a; /* what the tile is a part of; NULL where its rows stand as values */
    const char *values;  /* there: the first element of all, and elements from one to the next */
    int64_t steps[2];
    int64_t position; /* of its first element */
    void *x;
    int64_t count, reach; /* rows, and diagonals on the triangle's side */
    int is_upper, has_units, is_conjugated;
    const stn_fused *fused; /* loops over values, in place of the monoid's; or NULL */
    stn_monoid products;
} tile;

/* Elements first to first + count - 1 of a row: where they are, or into `values`. */
static const void *read_row(const tile *t, int64_t row, int64_t first, int64_t count, void *values,
                            size_t bytes)
{
    const int64_t position = t->position + row * t->steps[0] + first * t->steps[1];
    if (!t->a)
        return t->values + position * (int64_t)bytes;
    stn_read(t->a, values, position, t->steps[1], count);
    return values;
}

/* The sum of a[k] * x[k], one element or more. */
#define DEFINE_SUM(T, as_taken)                                                                    \
    static stn_##T sum_##T(const tile *t, const stn_##T *a, const stn_##T *x, int64_t count)       \
    {                                                                                              \
        stn_pair_##T pairs[TILE];                                                                  \
        stn_##T sum;                                                                               \
        for (int64_t k = 0; k < count; k++) {                                                      \
            pairs[k].x = as_taken(a[k]);                                                           \
            pairs[k].y = x[k];                                                                     \
        }                                                                                          \
        t->products.tile(pairs, count, 0, 1.0, &sum);                                              \
        return sum;                                                                                \
    }

/* By the fused loops, where there are any. FEW elements at most, each in a lane of its own, are not
 * worth the call: what is left of vectors is copied there. */
enum { FEW = STN_LANES };
#define DEFINE_FOLD(T)                                                                             \
    static stn_##T few_##T(const stn_##T *a, const stn_##T *x, int64_t count)                      \
    {                                                                                              \
        stn_##T lanes[FEW];                                                                        \
        for (int64_t l = 0; l < count; l++)                                                        \
            lanes[l] = a[l] * x[l];                                                                \
        for (int64_t half = FEW / 2; half > 0; half /= 2)                                          \
            for (int64_t l = 0; l < half && l + half < count; l++)                                 \
                lanes[l] += lanes[l + half];                                                       \
        return lanes[0];                                                                           \
    }                                                                                              \
    static stn_##T fold_##T(const tile *t, const stn_##T *a, const stn_##T *x, int64_t count)      \
    {                                                                                              \
        const stn_affine plain = stn_affine_plain();                                               \
        double sum;                                                                                \
        if (!t->fused)                                                                             \
            return sum_##T(t, a, x, count);                                                        \
        if (count <= FEW)                                                                          \
            return few_##T(a, x, count);                                                           \
        t->fused->rows(&sum, a, 0, 1, &plain, x, count);                                           \
        return (stn_##T)sum;                                                                       \
    }

/* The elements of a row that are solved before it: the first one, and their number. */
static int64_t solved_before(const tile *t, int64_t row, int64_t *first)
{
    const int64_t behind = t->count - 1 - row;
    *first = t->is_upper ? row + 1 : row < t->reach ? 0 : row - t->reach;
    return !t->is_upper ? row - *first : behind < t->reach ? behind : t->reach;
}

/* x[row] becomes (x[row] - sum) / a[row][row] for one row after the other, where the sum is that of
 * a[row][k] * x[k] over the elements that are solved before; more than a tile of them are
 * subtracted tile by tile. The diagonal is read with its neighbours. */
#define DEFINE_SOLVE(T, minus, over, as_taken)                                                     \
    static void solve_##T(const tile *t)                                                           \
    {                                                                                              \
        stn_##T *const x = t->x, room[TILE + 1];                                                   \
        for (int64_t k = 0; k < t->count; k++) {                                                   \
            stn_##T pivot = x[0]; /* is set */                                                     \
            int64_t first, done = 0;                                                               \
            const int64_t row = t->is_upper ? t->count - 1 - k : k;                                \
            const int64_t count = solved_before(t, row, &first);                                   \
            do {                                                                                   \
                const int64_t some = count - done < TILE ? count - done : TILE, at = first + done; \
                const int before = t->is_upper && done == 0, behind = done + some == count;        \
                const stn_##T *const a = read_row(                                                 \
                    t, row, at - before, some + (t->is_upper ? before : behind), room, sizeof *a); \
                if (some > 0)                                                                      \
                    x[row] = minus(x[row], FOLD_##T(t, a + before, x + at, some));                 \
                if (t->is_upper ? before : behind)                                                 \
                    pivot = as_taken(a[t->is_upper ? 0 : some]);                                   \
                done += some;                                                                      \
            } while (done < count);                                                                \
            if (!t->has_units)                                                                     \
                x[row] = over(x[row], pivot);                                                      \
        }                                                                                          \
    }

#define MINUS(x, y)   ((x) - (y))
#define OVER(x, y)    ((x) / (y))
#define AS_IT_IS(z)   (z)
#define TAKEN_c128(z) (t->is_conjugated ? stn_c128_conj(z) : (z))
#define TAKEN_c64(z)  (t->is_conjugated ? stn_c64_conj(z) : (z))
DEFINE_SUM(f64, AS_IT_IS)
DEFINE_SUM(f32, AS_IT_IS)
DEFINE_SUM(c128, TAKEN_c128)
DEFINE_SUM(c64, TAKEN_c64)
DEFINE_FOLD(f64)
DEFINE_FOLD(f32)
#define FOLD_f64  fold_f64
#define FOLD_f32  fold_f32
#define FOLD_c128 sum_c128
#define FOLD_c64  sum_c64
DEFINE_SOLVE(f64, MINUS, OVER, AS_IT_IS)
DEFINE_SOLVE(f32, MINUS, OVER, AS_IT_IS)
DEFINE_SOLVE(c128, stn_c128_subtract, stn_c128_divide, TAKEN_c128)
DEFINE_SOLVE(c64, stn_c64_subtract, stn_c64_divide, TAKEN_c64)

static void solve_tile(const tile *t, stn_format arithmetic)
{
    (arithmetic == STN_F64    ? solve_f64
     : arithmetic == STN_F32  ? solve_f32
     : arithmetic == STN_C128 ? solve_c128
                              : solve_c64)(t);
}

/* ---- rooms ---- */

typedef struct rooms {
    stn_view x;                 /* all of it decoded, where the executor reaches */
    stn_view a, near_a, near_x; /* of a device: a tile there and here, and x here */
} rooms;

static void release_rooms(rooms *r)
{
    (void)stn_view_release(&r->x);
    (void)stn_view_release(&r->a);
    (void)stn_view_release(&r->near_a);
    (void)stn_view_release(&r->near_x);
}

static stn_status take_rooms(const stn_blas_call *call, const stn_view *x, rooms *r)
{
    const stn_blas_call near = {call->name, NULL, call->arithmetic};
    const int64_t count = x->extent[0] < TILE ? x->extent[0] : TILE, square[] = {count, count};
    STN_TRY(stn_blas_room(call, "x decoded", 1, x->extent, &r->x));
    if (!stn_exec_device(call->exec))
        return STN_OK;
    STN_TRY(stn_blas_room(call, "a tile decoded", 2, square, &r->a));
    STN_TRY(stn_blas_room(&near, "a tile", 2, square, &r->near_a));
    return stn_blas_room(&near, "x of a tile", 1, &count, &r->near_x);
}

/* ---- all tiles ---- */

typedef struct triangular_system {
    const stn_view *a;
    rooms rooms;
    stn_taken taken;
    stn_reader reader;
    tile tile;
} triangular_system;

/* The tile's rows are those of what `reader` reads. */
static void set_reader(triangular_system *s)
{
    s->tile.a = &s->reader;
    memcpy(s->tile.steps, s->reader.steps, sizeof s->tile.steps);
}

/* x of a block minus the rows' products with what is solved, columns first to end - 1. */
static stn_status update_block(const stn_blas_call *call, const triangular_system *s,
                               const stn_slice *block, int64_t first, int64_t end)
{
    const stn_slice solved = stn_slice_range(first, end), both[] = {*block, solved};
    stn_view a, from, to;
    if (first == end)
        return STN_OK;
    STN_TRY(stn_view_slice(&a, s->a, 2, both));
    STN_TRY(stn_view_slice(&from, &s->rooms.x, 1, &solved));
    STN_TRY(stn_view_slice(&to, &s->rooms.x, 1, block));
    if (stn_blas_is_complex(call->arithmetic))
        return stn_gemv_complex(call->exec, call->arithmetic, stn_blas_real(-1.0), s->taken, &a,
                                &from, stn_blas_real(1.0), &to);
    return stn_gemv(call->exec, call->arithmetic, -1.0, &a, &from, 1.0, &to);
}

static stn_status solve_block(const stn_blas_call *call, triangular_system *s,
                              const stn_slice *block)
{
    const int64_t *const steps = s->tile.steps;
    stn_view x;
    STN_TRY(stn_view_slice(&x, &s->rooms.x, 1, block));
    s->tile.position = block->begin * (steps[0] + steps[1]);
    s->tile.x = x.data;
    s->tile.count = s->tile.reach = block->count;
    solve_tile(&s->tile, call->arithmetic);
    return STN_OK;
}

/* Tile and x are brought to the host, and x back. */
static stn_status solve_block_of_device(const stn_blas_call *call, triangular_system *s,
                                        const stn_slice *block)
{
    const stn_slice some = stn_slice_range(0, block->count);
    stn_view a, x, room, near_a, near_x;
    STN_TRY(stn_view_slice(&a, s->a, 2, (const stn_slice[]){*block, *block}));
    STN_TRY(stn_view_slice(&x, &s->rooms.x, 1, block));
    STN_TRY(stn_view_slice(&room, &s->rooms.a, 2, (const stn_slice[]){some, some}));
    STN_TRY(stn_view_slice(&near_a, &s->rooms.near_a, 2, (const stn_slice[]){some, some}));
    STN_TRY(stn_view_slice(&near_x, &s->rooms.near_x, 1, &some));
    STN_TRY(stn_blas_store(call, &room, &a));
    STN_TRY(stn_view_copy(call->exec, &near_a, &room));
    STN_TRY(stn_view_copy(call->exec, &near_x, &x));
    s->tile.position = 0;
    s->tile.x = near_x.data;
    s->tile.count = s->tile.reach = block->count;
    solve_tile(&s->tile, call->arithmetic);
    return stn_view_copy(call->exec, &x, &near_x);
}

static stn_status solve_all(const stn_blas_call *call, triangular_system *s, const stn_view *x)
{
    const int64_t n = x->extent[0], tiles = (n + TILE - 1) / TILE;
    STN_TRY(stn_blas_store(call, &s->rooms.x, x));
    for (int64_t k = 0; k < tiles; k++) {
        const int64_t first = (s->tile.is_upper ? tiles - 1 - k : k) * TILE;
        const int64_t end = first + TILE < n ? first + TILE : n;
        const stn_slice block = stn_slice_range(first, end);
        STN_TRY(s->tile.is_upper ? update_block(call, s, &block, end, n)
                                 : update_block(call, s, &block, 0, first));
        STN_TRY(
            (stn_exec_device(call->exec) ? solve_block_of_device : solve_block)(call, s, &block));
    }
    return stn_blas_store(call, x, &s->rooms.x);
}

/* ---- banded ---- */

/* All of the band's memory and x, decoded, come to the host, and x goes back. */
static stn_status solve_band_of_device(const stn_blas_call *call, triangular_system *s,
                                       const stn_band *band)
{
    const stn_blas_call near = {call->name, NULL, call->arithmetic};
    const int64_t span = s->a->mapping->span, n = s->rooms.x.extent[0];
    const int64_t bytes = stn_format_entry_of(s->a->storage.format)->info.bytes;
    stn_view all = *s->a, lines = band->lines;
    all.rank = 1;
    all.extent[0] = span;
    all.stride[0] = 1;
    all.mapping = NULL;
    all.owner = NULL;
    STN_TRY(stn_blas_room(call, "a band decoded", 1, &span, &s->rooms.a));
    STN_TRY(stn_blas_room(&near, "a band", 1, &span, &s->rooms.near_a));
    STN_TRY(stn_blas_room(&near, "x", 1, &n, &s->rooms.near_x));
    STN_TRY(stn_blas_store(call, &s->rooms.a, &all));
    STN_TRY(stn_view_copy(call->exec, &s->rooms.near_a, &s->rooms.a));
    STN_TRY(stn_view_copy(call->exec, &s->rooms.near_x, &s->rooms.x));
    lines.data =
        (char *)s->rooms.near_a.data + ((char *)band->lines.data - (char *)all.data) / bytes *
                                           stn_format_entry_of(call->arithmetic)->info.bytes;
    lines.storage = s->rooms.near_a.storage;
    lines.space = STN_SPACE_HOST;
    STN_TRY(stn_reader_make(&s->reader, call->name, NULL, call->arithmetic, &lines));
    set_reader(s);
    s->tile.x = s->rooms.near_x.data;
    solve_tile(&s->tile, call->arithmetic);
    return stn_view_copy(call->exec, &s->rooms.x, &s->rooms.near_x);
}

static stn_status solve_band(const stn_blas_call *call, triangular_system *s, const stn_view *x)
{
    stn_band band;
    STN_TRY(stn_band_of(call, s->a, &band));
    s->tile.count = x->extent[0];
    s->tile.reach = s->tile.is_upper ? band.above : band.below;
    s->tile.position = 0;
    if (s->tile.reach < 0 || (s->tile.is_upper ? band.below : band.above) < 0)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the band of %s has no diagonal", call->name,
                        stn_view_words(s->a));
    STN_TRY(stn_blas_room(call, "x decoded", 1, x->extent, &s->rooms.x));
    STN_TRY(stn_blas_store(call, &s->rooms.x, x));
    if (stn_exec_device(call->exec)) {
        STN_TRY(solve_band_of_device(call, s, &band));
    } else {
        s->tile.x = s->rooms.x.data;
        STN_TRY(stn_reader_make(&s->reader, call->name, call->exec, call->arithmetic, &band.lines));
        set_reader(s);
        solve_tile(&s->tile, call->arithmetic);
    }
    return stn_blas_store(call, x, &s->rooms.x);
}

/* ---- values, where they are: nothing but the arithmetic ---- */

/* No says nothing. */
static int is_usual(const stn_blas_call *call, stn_triangle triangle, stn_diagonal diagonal,
                    stn_taken taken, const stn_view *a, const stn_view *x)
{
    return stn_operand_is_usual(call->exec, call->arithmetic, a, 2, 1) &&
           stn_operand_is_usual(call->exec, call->arithmetic, x, 1, 0) &&
           a->storage.format == call->arithmetic && x->storage.format == call->arithmetic &&
           x->extent[0] > 0 && x->extent[0] <= TILE && a->extent[0] == x->extent[0] &&
           a->extent[1] == x->extent[0] && stn_operand_is_apart(x, a) &&
           stn_fused_of(call->arithmetic, call->arithmetic) &&
           (triangle == STN_LOWER || triangle == STN_UPPER) &&
           (diagonal == STN_NON_UNIT || diagonal == STN_UNIT) &&
           (taken == STN_AS_STORED || taken == STN_CONJUGATED);
}

static void solve_usual(const stn_blas_call *call, stn_triangle triangle, stn_diagonal diagonal,
                        const stn_view *a, const stn_view *x)
{
    const tile all = {.values = a->data,
                      .steps = {a->stride[0], 1},
                      .x = x->data,
                      .count = x->extent[0],
                      .reach = x->extent[0],
                      .is_upper = triangle == STN_UPPER,
                      .has_units = diagonal == STN_UNIT,
                      .fused = stn_fused_of(call->arithmetic, call->arithmetic)};
    solve_tile(&all, call->arithmetic);
}

/* ---- any ---- */

/* Of the matrix, or on the host of the copy of a tile of it. */
static stn_status make_reader(const stn_blas_call *call, triangular_system *s)
{
    static const stn_exec host = {.kind = STN_EXEC_OPENMP, .threads = 1};
    const int is_device = stn_exec_device(call->exec) != NULL;
    const stn_view *const a = is_device ? &s->rooms.near_a : s->a;
    const stn_run *const run = &s->reader.run;
    STN_TRY(stn_reader_make(&s->reader, call->name, is_device ? &host : call->exec,
                            call->arithmetic, a));
    set_reader(s);
    if (s->reader.plain && s->reader.steps[1] == 1 && run->codec &&
        a->storage.format == call->arithmetic && run->affine.plain && !run->portable) {
        s->tile.a = NULL;
        s->tile.values = stn_reader_at(&s->reader, 0);
    }
    return STN_OK;
}

static stn_status solve_dense(const stn_blas_call *call, triangular_system *s, const stn_view *x)
{
    STN_TRY(take_rooms(call, x, &s->rooms));
    STN_TRY(make_reader(call, s));
    return solve_all(call, s, x);
}

static stn_status solve_any(const stn_blas_call *call, stn_triangle triangle, stn_diagonal diagonal,
                            stn_taken taken, const stn_view *a, const stn_view *x)
{
    static const stn_reduction products = {.operation = STN_REDUCE_WITH_products};
    triangular_system s = {.a = a, .taken = taken};
    STN_TRY(stn_blas_check_triangle(call, triangle, diagonal, taken, a, x));
    if (x->extent[0] == 0)
        return STN_OK;
    s.tile.is_upper = triangle == STN_UPPER;
    s.tile.has_units = diagonal == STN_UNIT;
    s.tile.is_conjugated = taken == STN_CONJUGATED;
    s.tile.products = stn_monoid_of(&products, call->arithmetic);
    if (!stn_blas_is_complex(call->arithmetic) && call->exec->kind != STN_EXEC_REFERENCE)
        s.tile.fused = stn_fused_of(call->arithmetic, call->arithmetic);
    const stn_status status =
        stn_blas_is_banded(a) ? solve_band(call, &s, x) : solve_dense(call, &s, x);
    release_rooms(&s.rooms);
    return status == STN_OK || strncmp(stn_error(), call->name, strlen(call->name)) == 0
               ? status
               : stn_blame(status, "%s", call->name);
}

static stn_status solve(const stn_blas_call *call, stn_triangle triangle, stn_diagonal diagonal,
                        stn_taken taken, const stn_view *a, const stn_view *x)
{
    if (!is_usual(call, triangle, diagonal, taken, a, x))
        return solve_any(call, triangle, diagonal, taken, a, x);
    solve_usual(call, triangle, diagonal, a, x);
    return STN_OK;
}

stn_status stn_trsv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    stn_diagonal diagonal, stn_taken taken, const stn_view *a, const stn_view *x)
{
    const stn_blas_call call = {"stn_trsv", exec, arithmetic};
    STN_RETURN_IN_MODES(solve(&call, triangle, diagonal, taken, a, x));
}
