/* The tile as the square that it represents, a strip of rows at a time. Absent elements are zeros
 * whose products with x are +0 in both parts, like those of 0 * 0; if x has non-finite elements,
 * each row has its own x with 0 there. */
#include "blas/complex_triangle.h"

#include <math.h>
#include <string.h>

#include "core/transpose.h"

enum {
    STRIP = 4, /* rows composed at once; MAX_STRIP for short ones */
    MAX_STRIP = 16,
    BYTES = STN_BLAS_VALUE_BYTES
};

typedef struct square {
    const stn_complex_triangle *of;
    int64_t bytes;     /* of a value */
    int64_t rows, row; /* number of rows at once, and bytes between them */
    int is_finite;
    _Alignas(64) char zeros[STN_TILE_ELEMENTS * BYTES];
    _Alignas(64) char strip[STRIP * STN_SQUARE_ROW * BYTES];
} square;

#define DEFINE_VALUES(T, type)                                                                     \
    static int are_finite_##T(const void *values, int64_t count)                                   \
    {                                                                                              \
        const type *const x = values;                                                              \
        int odd = 0;                                                                               \
        for (int64_t k = 0; k < 2 * count; k++)                                                    \
            odd |= x[k] - x[k] != 0;                                                               \
        return !odd;                                                                               \
    }                                                                                              \
    /* Zeros with the sign of the real part. */                                                    \
    static void take_zeros_##T(void *zeros, const void *values, int64_t count)                     \
    {                                                                                              \
        type *const zero = zeros;                                                                  \
        const type *const x = values;                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            zero[2 * k] = zero[2 * k + 1] = signbit(x[2 * k]) ? (type)-0.0 : (type)0.0;            \
    }                                                                                              \
    static void conjugate_##T(void *values, int64_t count)                                         \
    {                                                                                              \
        type *const value = values;                                                                \
        for (int64_t k = 0; k < count; k++)                                                        \
            value[2 * k + 1] = -value[2 * k + 1];                                                  \
    }
DEFINE_VALUES(f64, double)
DEFINE_VALUES(f32, float)

static void begin(square *s)
{
    const stn_complex_triangle *const t = s->of;
    const int is_whole = t->sums_lines && t->sums_turns;
    s->is_finite = is_whole || (t->is_wide ? are_finite_f64 : are_finite_f32)(t->x, t->count);
    if (!s->is_finite)
        memset(s->zeros, 0, (size_t)(t->count * s->bytes));
    else if (!is_whole)
        (t->is_wide ? take_zeros_f64 : take_zeros_f32)(s->zeros, t->x, t->count);
}

/* Elements first to end - 1. */
static void move(const square *s, char *row, const char *from, int64_t first, int64_t end)
{
    memcpy(row + first * s->bytes, from + first * s->bytes, (size_t)((end - first) * s->bytes));
}

static void conjugate(const square *s, char *row, int64_t first, int64_t end)
{
    (s->of->is_wide ? conjugate_f64 : conjugate_f32)(row + first * s->bytes, end - first);
}

static void set_diagonal(const square *s, char *row, const char *line, int64_t k)
{
    static const double unit_f64[2] = {1, 0};
    static const float unit_f32[2] = {1, 0};
    const stn_complex_triangle *const t = s->of;
    const void *const unit = t->is_wide ? (const void *)unit_f64 : unit_f32;
    char *const to = row + k * s->bytes;
    memcpy(to, t->has_units ? unit : line + k * s->bytes, (size_t)s->bytes);
    if (t->is_hermitian)
        memset(to + s->bytes / 2, 0, (size_t)s->bytes / 2);
    else if (t->conjugates_lines && !t->has_units)
        conjugate(s, row, k, k + 1);
}

/* Row k: the line's elements, and zeros for absent ones. */
static void copy_line(const square *s, char *row, int64_t k)
{
    const stn_complex_triangle *const t = s->of;
    const char *const line = t->lines + k * t->line_bytes, *const own =
                                                               t->sums_lines ? line : s->zeros;
    const int64_t first = t->ends ? 0 : k, end = t->ends ? k + 1 : t->count;
    if (!t->sums_turns)
        move(s, row, s->zeros, t->ends ? end : 0, t->ends ? t->count : first);
    move(s, row, own, first, end);
    if (t->sums_lines && t->conjugates_lines)
        conjugate(s, row, first, end);
    if (t->has_units || t->is_hermitian || !t->sums_lines)
        set_diagonal(s, row, line, k);
}

/* For some rows, the elements across lines. A corner of the tile is transposed completely; elements
 * of the lines are overwritten later. */
static void read_transposed(square *s, int64_t row, int64_t rows)
{
    const stn_complex_triangle *const t = s->of;
    const int64_t first = t->ends ? row : 0, end = t->ends ? t->count : row + rows;
    stn_transpose_words(s->strip + first * s->bytes, s->row / s->bytes,
                        t->lines + first * t->line_bytes + row * s->bytes, t->line_bytes / s->bytes,
                        end - first, rows, s->bytes);
    for (int64_t r = 0; t->conjugates_turns && r < rows; r++)
        conjugate(s, s->strip + r * s->row, first, end);
}

/* Rows one by one, each with an x that is 0 for absent elements. */
static void sum_separately(const square *s, double *sums, int64_t row, int64_t rows)
{
    const stn_complex_triangle *const t = s->of;
    const int end_at_diagonal = t->ends == t->sums_lines;
    _Alignas(64) char x[STN_TILE_ELEMENTS * BYTES];
    for (int64_t k = row; k < row + rows; k++) {
        memset(x, 0, (size_t)(t->count * s->bytes));
        move(s, x, t->x, end_at_diagonal ? 0 : k, end_at_diagonal ? k + 1 : t->count);
        t->loops->rows(sums + 2 * k, s->strip + (k - row) * s->row, 0, 0, 1, x, t->count, 0);
    }
}

void stn_complex_triangle_sum(const stn_complex_triangle *t, double *sums)
{
    square s;
    s.of = t;
    s.bytes = t->is_wide ? sizeof(stn_c128) : sizeof(stn_c64);
    s.row = (t->count + STN_SQUARE_PAD) * s.bytes;
    const int64_t buffer = (int64_t)sizeof s.strip / s.row;
    s.rows = buffer < MAX_STRIP ? buffer & -4 : MAX_STRIP;
    begin(&s);
    for (int64_t row = 0; row < t->count; row += s.rows) {
        const int64_t rows = t->count - row < s.rows ? t->count - row : s.rows;
        if (t->sums_turns)
            read_transposed(&s, row, rows);
        for (int64_t r = 0; r < rows; r++)
            copy_line(&s, s.strip + r * s.row, row + r);
        if (s.is_finite)
            t->loops->rows(sums + 2 * row, s.strip, s.row, 0, rows, t->x, t->count, 0);
        else
            sum_separately(&s, sums, row, rows);
    }
}
