/* Blocks of sums of products in STN_FORMAT, f64 or f32, and of its complex numbers, for STN_ISA.
 * The elements of a tile are processed lane by lane, and lanes in the order in which the tree
 * combines them, so that a binary counter holds all pending sums of lanes and tiles. */
#include "blas/level3/kernel.h"

#include <string.h>

#include "format/vec.h"

#define V_OF_(name, T)    v_##name##_##T
#define V_OF(name, T)     V_OF_(name, T)
#define V(name)           V_OF(name, STN_FORMAT)
#define VECTOR_OF_(T)     v##T
#define VECTOR_OF(T)      VECTOR_OF_(T)
#define STN_UNROLL(count) _Pragma(STN_QUOTE(GCC unroll count))

typedef VECTOR_OF(STN_FORMAT) vector;
typedef code value;

enum {
    LANES = 32,
    DEEP = STN_TILE_ELEMENTS / LANES, /* elements of a complete lane */
    WIDE = (int)(sizeof(vector) / sizeof(value)),
    REGISTERS = sizeof(vector) == 32 ? 16 : 32, /* number of vector registers */
    SIDES = 3,                                  /* vectors per row of a block */
    ROWS = REGISTERS == 16 ? 4 : 8,
    COMPLEX_SIDES = REGISTERS == 16 ? 1 : 3,
    COMPLEX_ROWS = 4,
    SUMS = ROWS * SIDES, /* vectors of a block */
    COMPLEX_SUMS = 2 * COMPLEX_ROWS * COMPLEX_SIDES,
    WAITING =
        5 + 3 /* pending blocks of lanes of a tile, and of tiles: one per bit of their index */
};

static const int8_t lane_order[LANES] = {0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30,
                                         1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31};

/* Number of elements in a lane of a tile with `count` elements. */
STN_FN int64_t depth_of(int64_t count, int lane)
{
    return count >= STN_TILE_ELEMENTS ? DEEP : lane < count ? (count - 1 - lane) / LANES + 1 : 0;
}

/* ---- packs ---- */

/* Values of `lines` lines, `wide` of them per element, in the order of sums; strides in values. */
STN_FN value *pack_element(value *to, const value *from, int64_t across, int64_t lines, int wide)
{
    for (int64_t line = 0; line < lines; line++)
        to[line] = from[line * across];
    for (int64_t line = lines; line < wide; line++)
        to[line] = 0;
    return to + wide;
}

STN_FN void pack(value *to, const stn_lines *from, int64_t lines, int64_t count, int wide,
                 int parts)
{
    const int64_t along = from->along * parts, across = from->across * parts;
    for (int64_t tile = 0; tile < count; tile += STN_TILE_ELEMENTS)
        for (int visit = 0; visit < LANES; visit++) {
            const int64_t first = tile + lane_order[visit];
            const int64_t depth = depth_of(count - tile, lane_order[visit]);
            for (int64_t e = 0; e < depth; e++)
                for (int part = 0; part < parts; part++)
                    to = pack_element(
                        to, (const value *)from->values + (first + e * LANES) * along + part,
                        across, lines, wide);
        }
}

/* ---- lanes: sums of the products of a lane, added to previous ones if present ---- */

STN_FN void sum_lane(vector *to, const vector *before, const value *left, const value *right,
                     int64_t depth)
{
    vector sums[SUMS];
    STN_UNROLL(32)
    for (int k = 0; k < SUMS; k++)
        sums[k] = V(mul)(V(set)(left[k / SIDES]), *(const vector *)(right + k % SIDES * WIDE));
    for (int64_t e = 1; e < depth; e++) {
        left += ROWS;
        right += SIDES * WIDE;
        STN_UNROLL(32)
        for (int k = 0; k < SUMS; k++)
            sums[k] = V(fma)(V(set)(left[k / SIDES]), *(const vector *)(right + k % SIDES * WIDE),
                             sums[k]);
    }
    STN_UNROLL(32)
    for (int k = 0; k < SUMS; k++)
        to[k] = before ? V(add)(before[k], sums[k]) : sums[k];
}

/* Real parts of a block, followed by imaginary ones. */
STN_FN void sum_lane_complex(vector *to, const vector *before, const value *left,
                             const value *right, int64_t depth)
{
    enum { HALF = COMPLEX_SUMS / 2, ACROSS = COMPLEX_SIDES * WIDE };
    vector re[HALF], im[HALF];
    STN_UNROLL(32)
    for (int k = 0; k < HALF; k++) {
        const value *const x = left + k / COMPLEX_SIDES;
        const value *const y = right + k % COMPLEX_SIDES * WIDE;
        const vector y_re = *(const vector *)y, y_im = *(const vector *)(y + ACROSS);
        const vector x_re = V(set)(x[0]), x_im = V(set)(x[COMPLEX_ROWS]);
        re[k] = V(sub)(V(mul)(x_re, y_re), V(mul)(x_im, y_im));
        im[k] = V(add)(V(mul)(x_re, y_im), V(mul)(x_im, y_re));
    }
    for (int64_t e = 1; e < depth; e++) {
        left += 2 * COMPLEX_ROWS;
        right += 2 * ACROSS;
        STN_UNROLL(32)
        for (int k = 0; k < HALF; k++) {
            const value *const x = left + k / COMPLEX_SIDES;
            const value *const y = right + k % COMPLEX_SIDES * WIDE;
            const vector y_re = *(const vector *)y, y_im = *(const vector *)(y + ACROSS);
            const vector x_re = V(set)(x[0]), x_im = V(set)(x[COMPLEX_ROWS]);
            re[k] = V(fma)(V(set)(-x[COMPLEX_ROWS]), y_im, V(fma)(x_re, y_re, re[k]));
            im[k] = V(fma)(x_im, y_re, V(fma)(x_re, y_im, im[k]));
        }
    }
    STN_UNROLL(32)
    for (int k = 0; k < HALF; k++) {
        to[k] = before ? V(add)(before[k], re[k]) : re[k];
        to[HALF + k] = before ? V(add)(before[HALF + k], im[k]) : im[k];
    }
}

/* ---- the tree ---- */

STN_FN void add_block(vector *to, const vector *right, int count)
{
    for (int k = 0; k < count; k++)
        to[k] = V(add)(to[k], right[k]);
}

/* Pending blocks, consecutively. A missing lane or tile adds nothing: of two that are combined, the
 * left one exists if the right one does. */
typedef struct waiting {
    vector *blocks;
    int count, has[WAITING];
} waiting;

STN_FN void combine_last(waiting *w, int vectors)
{
    vector *const left = w->blocks + (w->count - 2) * vectors;
    if (w->has[w->count - 1])
        add_block(left, left + vectors, vectors);
    w->count--;
}

/* Adds the lane with the index `visit`; if `is_added`, its sums were added to the last ones
 * already. */
STN_FN void push(waiting *w, int64_t visit, int is_there, int is_added, int vectors)
{
    if (!is_added)
        w->has[w->count++] = is_there;
    else
        visit >>= 1;
    for (; visit & 1; visit >>= 1)
        combine_last(w, vectors);
}

/* All blocks, the first of which becomes their sum; `sum_lane` and its parameters are constants. */
STN_FN void sum_lanes(vector *blocks, const value *left, const value *right, int64_t count,
                      int is_complex)
{
    const int vectors = is_complex ? COMPLEX_SUMS : SUMS;
    const int rows = is_complex ? 2 * COMPLEX_ROWS : ROWS;
    const int columns = (is_complex ? 2 * COMPLEX_SIDES : SIDES) * WIDE;
    waiting w = {blocks, 0, {0}};
    for (int64_t tile = 0, visit = 0; tile < count; tile += STN_TILE_ELEMENTS)
        for (int k = 0; k < LANES; k++, visit++) {
            const int64_t depth = depth_of(count - tile, lane_order[k]);
            const int is_added = (visit & 1) && depth > 0;
            vector *const to = blocks + (w.count - is_added) * vectors;
            if (depth > 0)
                (is_complex ? sum_lane_complex : sum_lane)(to, is_added ? to : NULL, left, right,
                                                           depth);
            left += depth * rows;
            right += depth * columns;
            push(&w, visit, depth > 0, is_added, vectors);
        }
    while (w.count > 1)
        combine_last(&w, vectors);
}

/* ---- blocks ---- */

static void pack_rows(void *to, const stn_lines *from, int64_t lines, int64_t count)
{
    pack(to, from, lines, count, ROWS, 1);
}

static void pack_columns(void *to, const stn_lines *from, int64_t lines, int64_t count)
{
    if (lines == SIDES * WIDE && from->across == 1)
        pack(to, &(const stn_lines){from->values, from->along, 1}, SIDES * WIDE, count,
             SIDES * WIDE, 1);
    else
        pack(to, from, lines, count, SIDES * WIDE, 1);
}

static void sum(void *to, int64_t row_step, const void *left, const void *right, int64_t count,
                int64_t rows, int64_t columns)
{
    vector blocks[WAITING * SUMS];
    sum_lanes(blocks, left, right, count, 0);
    for (int64_t r = 0; r < rows; r++)
        memcpy((value *)to + r * row_step, blocks + r * SIDES, (size_t)columns * sizeof(value));
}

static void pack_complex_rows(void *to, const stn_lines *from, int64_t lines, int64_t count)
{
    pack(to, from, lines, count, COMPLEX_ROWS, 2);
}

static void pack_complex_columns(void *to, const stn_lines *from, int64_t lines, int64_t count)
{
    pack(to, from, lines, count, COMPLEX_SIDES * WIDE, 2);
}

static void sum_complex(void *to, int64_t row_step, const void *left, const void *right,
                        int64_t count, int64_t rows, int64_t columns)
{
    vector blocks[WAITING * COMPLEX_SUMS];
    sum_lanes(blocks, left, right, count, 1);
    for (int64_t r = 0; r < rows; r++) {
        const value *const re = (const value *)(blocks + r * COMPLEX_SIDES);
        const value *const im = (const value *)(blocks + (COMPLEX_ROWS + r) * COMPLEX_SIDES);
        value *const row = (value *)to + 2 * r * row_step;
        for (int64_t c = 0; c < columns; c++) {
            row[2 * c] = re[c];
            row[2 * c + 1] = im[c];
        }
    }
}

extern const stn_block_kernels STN_INSTANCE(stn_block_kernels);
const stn_block_kernels STN_INSTANCE(stn_block_kernels) = {
    {ROWS, SIDES *WIDE, pack_rows, pack_columns, sum},
    {COMPLEX_ROWS, COMPLEX_SIDES *WIDE, pack_complex_rows, pack_complex_columns, sum_complex}};
