/* spmv of any matrix on any executor: a kernel over rows. */
#include "core/status.h"
#include "format/registry.h"
#include "sparse/matrix.h"
#include "sparse/kinds/plain.h"
#include "sparse/kinds/slice.h"
#include "steno/kernel.h"
#include "view/view.h"

/* Real values in plain compressed rows or slices. The text is short, because with the general
 * kernel below alone, rows of a stencil took 1.8 times as long on an OpenCL device.
 *
 * If lanes are visited in bit-reversed order, few sums are held at a time: l4 is the lane, and
 * s(k) is the sum so far of the lanes that share its lowest k bits. Adding -0 changes no sum.
 * slice.h describes how words encode columns. A row of compressed rows is handled as one of a WIDE
 * slice without a header. */
/* clang-format off */
STN_MAP(spmv, (real(alpha), real(beta), index(is_sliced), at(row), gather(start, 1),
               gather(word, 1), gather(a, 1), gather(x, 1), in(y), out(updated)),
    enum { STRAIGHT, MIXED, NARROW, WIDE };
    enum { RUNS, NEAR, FAR };
    const int64_t slice = is_sliced ? row / 16 * 2 : row, r = is_sliced ? row % 16 : 0;
    const int64_t head = is_sliced ? STN_INDEX_AT(start, slice + 1) : 0;
    const int64_t kind = is_sliced ? STN_INDEX_AT(word, head) % 4 : WIDE;
    const int is_row = kind == NARROW || kind == WIDE;
    const int64_t before = is_sliced && is_row && r > 0 ? STN_INDEX_AT(word, head + r) : 0;
    const int64_t begin = STN_INDEX_AT(start, slice) + (is_row ? before : r);
    const int64_t step = is_row ? 1 : 16;
    const int64_t columns = !is_sliced ? begin : is_row ? head + 18 : head + 1;
    int64_t count = 0;
    if (!is_sliced)
        count = STN_INDEX_AT(start, row + 1) - begin;
    else if (is_row)
        count = STN_INDEX_AT(word, head + 1 + r) - before;
    else
        count = STN_INDEX_AT(word, head) / 4;
    while (kind == MIXED && count > 0 &&
           !(STN_INDEX_AT(word, head + STN_INDEX_AT(word, head + count) / 4) >> r & 1))
        count--;
    real_t level[58], s0, s1, s2, s3, s4, s5;
    int depth = 0;
    s0 = s1 = s2 = s3 = s4 = 0;
    for (int64_t tile = 0; tile < (count + 127) / 128; tile++) {
        const int64_t from = tile * 128;
        const int held = count - from < 128 ? (int)(count - from) : 128;
        for (int l0 = 0; l0 < 2 && l0 < held; l0++) {
            for (int l1 = l0; l1 < l0 + 4 && l1 < held; l1 += 2) {
                for (int l2 = l1; l2 < l1 + 8 && l2 < held; l2 += 4) {
                    for (int l3 = l2; l3 < l2 + 16 && l3 < held; l3 += 8) {
                        for (int l4 = l3; l4 < l3 + 32 && l4 < held; l4 += 16) {
                            s5 = -(real_t)0;
                            for (int64_t e = from + l4; e < from + held; e += 32) {
                                int64_t column = 0;
                                if (kind == WIDE) {
                                    column = STN_INDEX_AT(word, columns + before + e);
                                } else if (kind == STRAIGHT) {
                                    column = STN_INDEX_AT(word, columns + e) + r;
                                } else if (kind == NARROW) {
                                    const int64_t two =
                                        STN_INDEX_AT(word, columns + (before + e) / 2);
                                    column = STN_INDEX_AT(word, head + 17) +
                                             (two >> (before + e) % 2 * 16 & 65535);
                                } else {
                                    const int64_t run = STN_INDEX_AT(word, columns + e);
                                    const int64_t p = head + run / 4;
                                    if (run % 4 == RUNS)
                                        column = r + STN_INDEX_AT(word, p + 1 +
                                            (STN_INDEX_AT(word, p) >> (16 + r) & 1));
                                    else if (run % 4 == FAR)
                                        column = STN_INDEX_AT(word, p + 1 + r);
                                    else
                                        column = STN_INDEX_AT(word, p + 1) +
                                            (STN_INDEX_AT(word, p + 2 + r / 2) >> r % 2 * 16 & 65535);
                                }
                                s5 = fma(STN_AT(a, begin + step * e), STN_AT(x, column), s5);
                            }
                            s4 = l4 == l3 ? s5 : s4 + s5;
                        }
                        s3 = l3 == l2 ? s4 : s3 + s4;
                    }
                    s2 = l2 == l1 ? s3 : s2 + s3;
                }
                s1 = l1 == l0 ? s2 : s1 + s2;
            }
            s0 = l0 == 0 ? s1 : s0 + s1;
        }
        for (int64_t k = tile; k & 1; k >>= 1)
            s0 = level[--depth] + s0;
        level[depth++] = s0;
    }
    for (; depth > 1; depth--)
        level[depth - 2] = level[depth - 2] + level[depth - 1];
    const real_t sum = depth == 0 ? (real_t)0 : level[0];
    const real_t product = alpha == 1 ? sum : alpha * sum;
    updated = beta == 0 ? product : product + beta * y;
)
/* clang-format on */

/* Matrices of any kind with any values, and several columns. `kind` is the stn_matrix_kind. Value
 * e of a row is element first + step * e of a line of `a`. In slices, whose words are `column`,
 * `shape` is the stn_slice_kind; the columns of the row are encoded from word `columns` on, or
 * `before` entries after it. If the matrix is complex, column j is one part of x and of y, and
 * column j ^ 1 is the other part. The first product of a lane is a product of complex numbers. */
/* clang-format off */
STN_MAP(spmv_views, (real(alpha), real(beta), index(kind), index(height), index(is_complex), at(row, j),
                     gather(start, 1), gather(place, 1), gather(column, 2), gather(a, 3),
                     gather(scale, 1), gather(x, 2), in(y), out(updated)),
    enum { SLICED = 2, COO = 3, ELL = 4, SELL = 5 };
    enum { STRAIGHT, MIXED, NARROW, WIDE, PLACES };
    enum { RUNS, NEAR, FAR };
    int64_t line = 0, first = 0, step = 1, count = 0;
    int64_t shape = PLACES, head = 0, columns = 0, before = 0, r = 0;
    if (kind == SLICED) {
        const int64_t slice = row / 16 * 2;
        r = row % 16;
        head = STN_INDEX_AT(start, slice + 1);
        shape = STN_INDEX_AT(column, 0, head) % 4;
        first = STN_INDEX_AT(start, slice);
        if (shape == NARROW || shape == WIDE) {
            before = r > 0 ? STN_INDEX_AT(column, 0, head + r) : 0;
            count = STN_INDEX_AT(column, 0, head + 1 + r) - before;
            columns = head + 18;
            first += before;
        } else {
            count = STN_INDEX_AT(column, 0, head) / 4;
            columns = head + 1;
            first += r;
            step = 16;
        }
        while (shape == MIXED && count > 0 &&
               !(STN_INDEX_AT(column, 0, head + STN_INDEX_AT(column, 0, head + count) / 4) >> r & 1))
            count--;
    } else if (kind == ELL) {
        line = row;
        count = STN_EXTENT_OF(column, 1);
    } else if (kind == SELL) {
        const int64_t p = STN_EXTENT_OF(place, 0) > 0 ? STN_INDEX_AT(place, row) : row;
        const int64_t begin = STN_INDEX_AT(start, p / height);
        step = height;
        first = begin + p % height;
        count = (STN_INDEX_AT(start, p / height + 1) - begin) / height;
    } else if (kind == COO) {
        int64_t low = 0, high = STN_EXTENT_OF(place, 0), end = high;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (STN_INDEX_AT(place, middle) < row)
                low = middle + 1;
            else
                high = middle;
        }
        first = low;
        while (low < end) {
            const int64_t middle = low + (end - low) / 2;
            if (STN_INDEX_AT(place, middle) <= row)
                low = middle + 1;
            else
                end = middle;
        }
        count = end - first;
    } else {
        first = STN_INDEX_AT(start, row);
        count = STN_INDEX_AT(start, row + 1) - first;
    }
    if (kind == ELL || kind == SELL) {
        int64_t low = 0;
        while (low < count) {
            const int64_t middle = low + (count - low) / 2;
            if (STN_INDEX_AT(column, line, first + step * middle) >= 0)
                low = middle + 1;
            else
                count = middle;
        }
    }
    const int is_scaled = STN_EXTENT_OF(scale, 0) > 0;
    const real_t factor = is_scaled ? STN_AT(scale, row) : (real_t)1;
    const int64_t part = is_complex ? j & 1 : 0;
    const real_t sign = part ? (real_t)1 : -(real_t)1;
    real_t level[58], s0, s1, s2, s3, s4, s5;
    int depth = 0;
    s0 = s1 = s2 = s3 = s4 = 0;
    for (int64_t tile = 0; tile < (count + 127) / 128; tile++) {
        const int64_t from = tile * 128;
        const int held = count - from < 128 ? (int)(count - from) : 128;
        for (int l0 = 0; l0 < 2 && l0 < held; l0++) {
            for (int l1 = l0; l1 < l0 + 4 && l1 < held; l1 += 2) {
                for (int l2 = l1; l2 < l1 + 8 && l2 < held; l2 += 4) {
                    for (int l3 = l2; l3 < l2 + 16 && l3 < held; l3 += 8) {
                        for (int l4 = l3; l4 < l3 + 32 && l4 < held; l4 += 16) {
                            s5 = -(real_t)0;
                            for (int64_t e = from + l4; e < from + held; e += 32) {
                                const int64_t slot = first + step * e;
                                int64_t from_x = 0;
                                if (shape == PLACES) {
                                    from_x = STN_INDEX_AT(column, line, slot);
                                } else if (shape == STRAIGHT) {
                                    from_x = STN_INDEX_AT(column, 0, columns + e) + r;
                                } else if (shape == WIDE) {
                                    from_x = STN_INDEX_AT(column, 0, columns + before + e);
                                } else if (shape == NARROW) {
                                    const int64_t two =
                                        STN_INDEX_AT(column, 0, columns + (before + e) / 2);
                                    from_x = STN_INDEX_AT(column, 0, head + 17) +
                                             (two >> (before + e) % 2 * 16 & 65535);
                                } else {
                                    const int64_t run = STN_INDEX_AT(column, 0, columns + e);
                                    const int64_t p = head + run / 4;
                                    if (run % 4 == RUNS)
                                        from_x = r + STN_INDEX_AT(column, 0, p + 1 +
                                            (STN_INDEX_AT(column, 0, p) >> (16 + r) & 1));
                                    else if (run % 4 == FAR)
                                        from_x = STN_INDEX_AT(column, 0, p + 1 + r);
                                    else
                                        from_x = STN_INDEX_AT(column, 0, p + 1) +
                                            (STN_INDEX_AT(column, 0, p + 2 + r / 2) >>
                                             r % 2 * 16 & 65535);
                                }
                                const real_t stored = STN_AT(a, line, slot, 0);
                                const real_t value = is_scaled ? factor * stored : stored;
                                const real_t by = STN_AT(x, from_x, j);
                                if (!is_complex) {
                                    s5 = fma(value, by, s5);
                                } else {
                                    const real_t other = sign * (factor * STN_AT(a, line, slot, 1));
                                    const real_t by_other = STN_AT(x, from_x, j ^ 1);
                                    if (e == from + l4) {
                                        const real_t product = value * by;
                                        const real_t second = other * by_other;
                                        s5 = product + second;
                                    } else {
                                        s5 = fma(other, by_other, fma(value, by, s5));
                                    }
                                }
                            }
                            s4 = l4 == l3 ? s5 : s4 + s5;
                        }
                        s3 = l3 == l2 ? s4 : s3 + s4;
                    }
                    s2 = l2 == l1 ? s3 : s2 + s3;
                }
                s1 = l1 == l0 ? s2 : s1 + s2;
            }
            s0 = l0 == 0 ? s1 : s0 + s1;
        }
        for (int64_t k = tile; k & 1; k >>= 1)
            s0 = level[--depth] + s0;
        level[depth++] = s0;
    }
    for (; depth > 1; depth--)
        level[depth - 2] = level[depth - 2] + level[depth - 1];
    const real_t sum = depth == 0 ? (real_t)0 : level[0];
    const real_t product = alpha == 1 ? sum : alpha * sum;
    updated = beta == 0 ? product : product + beta * y;
)
/* clang-format on */

/* Replaces an array that the kind does not have with a view of no elements in the same memory. */
static stn_status put_empty(const stn_matrix *a, stn_view *view)
{
    static const int64_t none = 0;
    if (!stn_view_is_empty(view))
        return STN_OK;
    STN_TRY(stn_view_wrap_const(view, "nothing", stn_storage_of(STN_I64), NULL, 1, &none));
    return stn_view_set_space(view, (stn_space)a->memory.space);
}

/* Entries as a matrix: rows of entries, or a single row. */
static stn_status put_row(stn_view *view)
{
    stn_view lines;
    if (view->rank == 2)
        return STN_OK;
    STN_TRY(stn_view_insert_axis(&lines, view, 0));
    *view = lines;
    return STN_OK;
}

stn_status stn_parts_of(stn_view *parts, const stn_view *numbers)
{
    const int is_complex =
        stn_format_entry_of(numbers->storage.format)->info.kind == STN_CLASS_COMPLEX;
    STN_TRY(stn_view_insert_axis(parts, numbers, numbers->rank));
    if (!is_complex)
        return STN_OK;
    for (int d = 0; d < numbers->rank; d++)
        parts->stride[d] *= 2;
    parts->storage.format = stn_format_entry_of(numbers->storage.format)->info.component;
    parts->extent[numbers->rank] = 2;
    parts->stride[numbers->rank] = 1;
    return STN_OK;
}

/* Vectors have rank 2. `views` are the arrays of the matrix, possibly from a later row on. */
static stn_status multiply_views(const stn_exec *exec, stn_format arithmetic, double alpha,
                                 const stn_matrix *a, stn_view *views, const stn_view *x,
                                 double beta, const stn_view *y, const stn_view *updated)
{
    stn_view codes;
    STN_TRY(put_empty(a, &views[STN_ARRAY_STARTS]));
    STN_TRY(put_empty(a, &views[STN_ARRAY_POSITIONS]));
    STN_TRY(put_empty(a, &views[STN_ARRAY_SCALES]));
    STN_TRY(put_row(&views[STN_ARRAY_INDICES]));
    STN_TRY(put_row(&views[STN_ARRAY_VALUES]));
    STN_TRY(stn_parts_of(&codes, &views[STN_ARRAY_VALUES]));
    return spmv_views_run(exec, arithmetic, alpha, beta, (int64_t)a->kind, a->height,
                          stn_matrix_is_complex(a), &views[STN_ARRAY_STARTS],
                          &views[STN_ARRAY_POSITIONS], &views[STN_ARRAY_INDICES], &codes,
                          &views[STN_ARRAY_SCALES], x, y, updated);
}

/* Column by column. */
static stn_status multiply_plain(const stn_exec *exec, stn_format arithmetic, double alpha,
                                 const stn_matrix *a, const stn_view *views, const stn_view *x,
                                 double beta, const stn_view *y, const stn_view *updated)
{
    stn_view from, old, to;
    for (int64_t j = 0; j < x->extent[1]; j++) {
        const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(j)};
        STN_TRY(stn_view_slice(&from, x, 2, slices));
        STN_TRY(stn_view_slice(&old, y, 2, slices));
        STN_TRY(stn_view_slice(&to, updated, 2, slices));
        STN_TRY(spmv_run(exec, arithmetic, alpha, beta, a->kind == STN_MATRIX_SLICED,
                         &views[STN_ARRAY_STARTS], &views[STN_ARRAY_INDICES],
                         &views[STN_ARRAY_VALUES], &from, &old, &to));
    }
    return STN_OK;
}

static stn_status multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_matrix *a, stn_view *views, const stn_view *x, double beta,
                           const stn_view *y, const stn_view *updated)
{
    const int is_plain =
        a->kind == STN_MATRIX_SLICED || (stn_matrix_is_plain(a) && x->extent[1] == 1);
    return is_plain && !stn_matrix_is_complex(a)
               ? multiply_plain(exec, arithmetic, alpha, a, views, x, beta, y, updated)
               : multiply_views(exec, arithmetic, alpha, a, views, x, beta, y, updated);
}

stn_status stn_spmv_rows(const stn_exec *exec, stn_format arithmetic, double alpha,
                         const stn_matrix *a, const stn_view *x, double beta, const stn_view *y,
                         const stn_view *updated)
{
    stn_view views[STN_ARRAYS];
    stn_matrix rows = {.size = 0};
    if (a->kind == STN_MATRIX_PACKED) { /* the kernels have no dictionaries */
        STN_TRY(stn_plain_create("stn_spmv", NULL, a, 1, NULL, &rows));
        a = &rows;
    }
    stn_status status = stn_matrix_list_arrays(a, views);
    if (status == STN_OK)
        status = multiply(exec, arithmetic, alpha, a, views, x, beta, y, updated);
    (void)stn_view_release(&rows.memory);
    return status;
}

stn_status stn_spmv_subtract(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                             int64_t first, const stn_view *x, const stn_view *y)
{
    stn_view views[STN_ARRAYS];
    stn_view *const starts = &views[STN_ARRAY_STARTS];
    STN_TRY(stn_matrix_list_arrays(a, views));
    const stn_slice from = stn_slice_range(
        a->kind == STN_MATRIX_SLICED ? first / STN_SLICE_ROWS * 2 : first, starts->extent[0]);
    STN_TRY(stn_view_slice(starts, starts, 1, &from));
    return multiply(exec, arithmetic, -1.0, a, views, x, 1.0, y, y);
}
