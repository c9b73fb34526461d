/* A tile of a triangular system, strip by strip. */
#include "blas/trsv_tile.h"

#include "steno/detail/reduce_operations.h"

enum { STRIP = 16 };

static int64_t offset_of(const stn_triangle_tile *t, int64_t row, int64_t column)
{
    return t->position + row * t->steps[0] + column * t->steps[1];
}

/* Rows of the tile that are solved together, and the number solved before. */
typedef struct strip {
    int64_t begin, end, solved_begin, solved_end;
} strip;

static strip strip_of(const stn_triangle_tile *t, int64_t k)
{
    const int64_t begin = k * STRIP, end = begin + STRIP < t->count ? begin + STRIP : t->count;
    return (strip){begin, end, t->is_upper ? end : 0, t->is_upper ? t->count : begin};
}

/* Restricts columns begin to end - 1 of a row to the band. */
static void cut(const stn_triangle_tile *t, int64_t row, int64_t *begin, int64_t *end)
{
    if (!t->is_upper && *begin < row - t->reach)
        *begin = row - t->reach;
    if (t->is_upper && *end - 1 - row > t->reach)
        *end = row + t->reach + 1;
}

/* The sum of a[k] * x[k] over 1 to a tile of elements, in place or decoded. Up to STN_LANES
 * elements are products in lanes. */
#define DEFINE_SUM(T, plus, times, conjugate_if)                                                   \
    static stn_##T sum_few_##T(const stn_triangle_tile *t, const stn_##T *a, int64_t step,         \
                               const stn_##T *x, int64_t count)                                    \
    {                                                                                              \
        stn_##T lanes[STN_LANES];                                                                  \
        for (int64_t k = 0; k < count; k++)                                                        \
            lanes[k] = times(conjugate_if(a[k * step]), x[k]);                                     \
        for (int64_t half = STN_LANES / 2; half > 0; half /= 2) {                                  \
            for (int64_t l = half; l < count; l++)                                                 \
                lanes[l - half] = plus(lanes[l - half], lanes[l]);                                 \
            count = count < half ? count : half;                                                   \
        }                                                                                          \
        (void)t;                                                                                   \
        return lanes[0];                                                                           \
    }                                                                                              \
    static stn_##T sum_##T(const stn_triangle_tile *t, int64_t row, int64_t first, int64_t count)  \
    {                                                                                              \
        const stn_##T *const x = (const stn_##T *)t->x + first;                                    \
        const int64_t at = offset_of(t, row, first), step = t->a ? 1 : t->steps[1];                \
        stn_pair_##T pairs[STN_TILE_ELEMENTS];                                                     \
        stn_##T decoded[STN_TILE_ELEMENTS], sum;                                                   \
        const stn_##T *const a = t->a ? decoded : (const stn_##T *)(const void *)t->codes + at;    \
        if (t->a)                                                                                  \
            stn_read(t->a, decoded, at, t->steps[1], count);                                       \
        if (count <= STN_LANES)                                                                    \
            return sum_few_##T(t, a, step, x, count);                                              \
        for (int64_t k = 0; k < count; k++) {                                                      \
            pairs[k].x = conjugate_if(a[k * step]);                                                \
            pairs[k].y = x[k];                                                                     \
        }                                                                                          \
        t->products.tile(pairs, count, 0, 1.0, &sum);                                              \
        return sum;                                                                                \
    }

/* Sums of the products of the strip's rows with solved elements, tile by tile. */
#define DEFINE_SUMS(T, plus)                                                                       \
    static void sum_strip_##T(const stn_triangle_tile *t, const strip *s, stn_##T *sums)           \
    {                                                                                              \
        for (int64_t row = s->begin; row < s->end; row++) {                                        \
            stn_##T *const sum = sums + (row - s->begin);                                          \
            int64_t begin = s->solved_begin, end = s->solved_end;                                  \
            cut(t, row, &begin, &end);                                                             \
            for (int64_t at = begin; at < end; at += STN_TILE_ELEMENTS) {                          \
                const stn_##T range = sum_##T(                                                     \
                    t, row, at, end - at < STN_TILE_ELEMENTS ? end - at : STN_TILE_ELEMENTS);      \
                *sum = at == begin ? range : plus(*sum, range);                                    \
            }                                                                                      \
        }                                                                                          \
    }

/* The same by the fused loops. */
#define DEFINE_FUSED(T)                                                                            \
    static void fuse_strip_##T(const stn_triangle_tile *t, const strip *s, stn_##T *sums)          \
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

#define DEFINE_FUSED_COMPLEX(T)                                                                    \
    static void fuse_strip_##T(const stn_triangle_tile *t, const strip *s, stn_##T *sums)          \
    {                                                                                              \
        double parts[2 * STRIP];                                                                   \
        const stn_##T *const codes = (const stn_##T *)(const void *)t->codes;                      \
        const stn_##T *const a = codes + offset_of(t, s->begin, s->solved_begin);                  \
        const stn_##T *const x = (const stn_##T *)t->x + s->solved_begin;                          \
        const int64_t rows = s->end - s->begin, count = s->solved_end - s->solved_begin;           \
        const int64_t bytes = (int64_t)sizeof *a;                                                  \
        if (count == 0)                                                                            \
            return;                                                                                \
        if (t->steps[1] != 1)                                                                      \
            t->complex->columns(parts, a, t->steps[1] * bytes, 0, count, x, rows,                  \
                                t->is_conjugated);                                                 \
        else                                                                                       \
            t->complex->rows(parts, a, t->steps[0] * bytes, 0, rows, x, count, t->is_conjugated);  \
        for (int64_t r = 0; r < rows; r++)                                                         \
            sums[r] = stn_##T##_of(PART_##T(parts[2 * r]), PART_##T(parts[2 * r + 1]));            \
    }
#define PART_c128(part) (part)
#define PART_c64(part)  ((float)(part))

/* Elements of the strip's rows in the triangle and the band, values in place or in `buffer`; steps:
 * between rows, and within one. */
#define DEFINE_READ(T)                                                                             \
    static const stn_##T *read_strip_##T(const stn_triangle_tile *t, const strip *b,               \
                                         stn_##T *buffer, int64_t *steps)                          \
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
    static void solve_strip_##T(const stn_triangle_tile *t, const strip *s, stn_##T *sums)         \
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
    static void solve_##T(const stn_triangle_tile *t)                                              \
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
    DEFINE_SUM(T, plus, times, conjugate_if)                                                       \
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
#define SUM_c128      (t->complex ? fuse_strip_c128 : sum_strip_c128)
#define SUM_c64       (t->complex ? fuse_strip_c64 : sum_strip_c64)

DEFINE_FUSED(f64)
DEFINE_FUSED(f32)
DEFINE_FUSED_COMPLEX(c128)
DEFINE_FUSED_COMPLEX(c64)
DEFINE_ALL(f64, PLUS, MINUS, TIMES, OVER, AS_IT_IS)
DEFINE_ALL(f32, PLUS, MINUS, TIMES, OVER, AS_IT_IS)
DEFINE_COMPLEX(c128)
DEFINE_COMPLEX(c64)

void stn_triangle_tile_solve(const stn_triangle_tile *t, stn_format arithmetic)
{
    (arithmetic == STN_F64    ? solve_f64
     : arithmetic == STN_F32  ? solve_f32
     : arithmetic == STN_C128 ? solve_c128
                              : solve_c64)(t);
}
