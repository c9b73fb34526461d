/* Sums of the rows of a band: one reduction for the rows with all diagonals, and one for each other
 * row. */
#include "blas/band.h"

#include "core/status.h"
#include "steno/reduce.h"
#include "view/view.h"

/* clang-format off */
STN_REDUCE(band, products, (at(i, d), index(diagonal), index(unit), in(a), in(above), in(x)),
    unit && d == diagonal ? STN_R(1) : d <= diagonal ? a : above, x)
STN_REDUCE_COMPLEX(band_complex, products,
    (at(i, d), index(diagonal), index(unit), index(conjugates_below), index(conjugates_above), in(a),
     in(above), in(x)),
    d < diagonal   ? (conjugates_below ? stn_c_conj(a) : a)
    : d > diagonal ? (conjugates_above ? stn_c_conj(above) : above)
    : unit         ? stn_c_of(1, 0)
    : conjugates_below != conjugates_above ? stn_c_of(a.re, 0) : conjugates_below ? stn_c_conj(a) : a, x)
/* clang-format on */

static int64_t bytes_of(const stn_view *view)
{
    return stn_format_entry_of(view->storage.format)->info.bytes;
}

/* The address may be outside of the memory, where no element is in the band. */
static void *moved(const stn_view *view, int64_t offset)
{
    return (void *)((uintptr_t)view->data + (uintptr_t)(offset * bytes_of(view)));
}

stn_status stn_band_of(const stn_blas_call *call, const stn_view *a, stn_band *band)
{
    const stn_mapping *const mapping = stn_view_mapping(a);
    const int64_t *const diagonals = mapping->layout.tile;
    int64_t base[STN_MAX_RANK];
    stn_view_base(a, base);
    const int64_t right =
        base[1] - base[0]; /* column of the first element relative to the diagonal */
    const int turned = a->axis[0] == 1, by_row = mapping->layout.inner == STN_LAYOUT_RIGHT;
    if (a->stride[0] != 1 || a->stride[1] != 1 || a->axis[0] == a->axis[1])
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "%s: %s is a subview of a banded matrix with a step, which is not supported",
            call->name, stn_view_text(a));
    band->below = turned ? diagonals[1] - right : diagonals[0] + right;
    band->above = turned ? diagonals[0] + right : diagonals[1] - right;
    band->lines = *a;
    band->lines.extra = NULL;
    band->lines.first = 0;
    band->lines.owner = NULL;
    for (int d = 0; d < 2; d++)
        band->lines.stride[d] = mapping->within[a->axis[d]];
    band->lines.data = moved(a, diagonals[by_row ? 0 : 1] + base[0] * mapping->within[0] +
                                    base[1] * mapping->within[1]);
    return STN_OK;
}

void stn_band_cut(stn_band *band, stn_triangle triangle)
{
    int64_t *const side = triangle == STN_UPPER ? &band->below : &band->above;
    *side = *side < 0 ? *side : 0;
}

/* Rows from `row` on, elements from column `first` on, shifted by one column per row. */
static stn_view part_of(const stn_view *lines, int64_t row, int64_t rows, int64_t first,
                        int64_t count)
{
    stn_view part = *lines;
    part.data = moved(lines, row * lines->stride[0] + first * lines->stride[1]);
    part.extent[0] = rows;
    part.extent[1] = count;
    part.stride[0] = rows > 1 ? lines->stride[0] + lines->stride[1] : 0;
    return part;
}

static stn_status sum_some(const stn_blas_call *call, const stn_band_sums *s,
                           const stn_view *result, int64_t row, int64_t rows, int64_t first,
                           int64_t count)
{
    const stn_slice rows_range = stn_slice_range(row, row + rows);
    const stn_view a = part_of(&s->band.lines, row, rows, first, count),
                   above = part_of(&s->above, row, rows, first, count);
    stn_view to, x = *s->x;
    STN_TRY(stn_view_slice(&to, result, 1, &rows_range));
    x.data = moved(&x, first * x.stride[0]);
    x.rank = 2;
    x.extent[0] = rows;
    x.extent[1] = count;
    x.stride[1] = x.stride[0];
    x.owner = NULL;
    return stn_blas_is_complex(call->arithmetic)
               ? band_complex_reduce_into(call->exec, call->arithmetic, 2, &to, row - first,
                                          s->has_units, s->conjugates_below, s->conjugates_above,
                                          &a, &above, &x)
               : band_reduce_into(call->exec, call->arithmetic, 2, &to, row - first, s->has_units,
                                  &a, &above, &x);
}

stn_status stn_band_sum_rows(const stn_blas_call *call, const stn_band_sums *s,
                             const stn_view *result)
{
    const int64_t m = s->band.lines.extent[0], n = s->band.lines.extent[1];
    const int64_t below = s->band.below, above = s->band.above;
    const int64_t begin = stn_band_clamp(0, below, m), end = stn_band_clamp(begin, n - above, m);
    for (int64_t i = 0; i < m; i++) {
        const int64_t first = stn_band_clamp(0, i - below, n),
                      last = stn_band_clamp(first, i + above + 1, n);
        const int is_whole = i == begin && begin < end;
        STN_TRY(sum_some(call, s, result, i, is_whole ? end - begin : 1, first, last - first));
        i += is_whole ? end - begin - 1 : 0;
    }
    return STN_OK;
}
