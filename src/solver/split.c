/* Products with both parts of a basis. */
#include "solver/split.h"

#include "format/run.h"

stn_status stn_split_create(const stn_solver_state *s, int64_t vectors, stn_split *split)
{
    STN_TRY(stn_basis_create(s, vectors, &split->narrow));
    split->vectors = vectors;
    split->rounding = stn_basis_rounding(s, &split->narrow);
    split->shared = (int64_t)((double)vectors * stn_solver_basis_width(s) /
                              (double)stn_arithmetic_bytes(s->arithmetic));
    return split->rounding > 0.0 ? stn_basis_create_wide(s, vectors, &split->wide) : STN_OK;
}

void stn_split_release(stn_split *split)
{
    stn_basis_release(&split->wide);
    stn_basis_release(&split->narrow);
}

/* Number of wide vectors among the first `count`. */
static int64_t wide_of(const stn_split *split, int64_t count)
{
    return count < split->wide_count ? count : split->wide_count;
}

/* Memory for the first `count` vectors, which are wide. */
static stn_status reserve(const stn_solver_state *s, stn_split *split, int64_t count)
{
    const int may_borrow = split->wide_count == STN_SPLIT_ALL;
    if (may_borrow && !split->wide.codes.data) {
        STN_TRY(stn_basis_borrow(s, &split->narrow, &split->wide));
        split->is_borrowed = split->wide.codes.data != NULL;
    }
    const int64_t stored = split->wide.codes.data ? split->wide.codes.extent[0] : 0;
    if (count <= stored && (may_borrow || !split->is_borrowed))
        return STN_OK;
    const int64_t rows = !may_borrow || count > 2 * stored ? count : 2 * stored;
    STN_TRY(stn_basis_reserve(s, &split->wide, rows < split->vectors ? rows : split->vectors));
    split->is_borrowed = 0;
    return STN_OK;
}

stn_status stn_split_end_wide(const stn_solver_state *s, stn_split *split, int64_t count)
{
    split->wide_count = count;
    return reserve(s, split, count);
}

int64_t stn_split_bytes(const stn_split *split)
{
    return stn_basis_bytes(&split->narrow) +
           (split->is_borrowed ? 0 : stn_basis_bytes(&split->wide));
}

stn_status stn_split_set(const stn_solver_state *s, stn_split *split, int64_t k, const stn_view *w,
                         double norm, const stn_view *v)
{
    if (k >= split->wide_count)
        return stn_basis_set(s, &split->narrow, k - split->wide_count, w, norm, 1.0, v);
    STN_TRY(reserve(s, split, k + 1));
    return stn_basis_set(s, &split->wide, k, w, norm, 1.0, v);
}

stn_status stn_split_project(const stn_solver_state *s, stn_split *split, int64_t count,
                             const stn_view *w, stn_c128 *numbers)
{
    const int64_t wide = wide_of(split, count);
    if (wide > 0)
        STN_TRY(stn_basis_project(s, &split->wide, wide, w, numbers));
    return wide < count ? stn_basis_project(s, &split->narrow, count - wide, w, numbers + wide)
                        : STN_OK;
}

stn_status stn_split_combine(const stn_solver_state *s, const stn_split *split, int64_t count,
                             const stn_c128 *numbers, double sign, const stn_view *w)
{
    const int64_t wide = wide_of(split, count);
    if (wide > 0)
        STN_TRY(stn_basis_combine(s, &split->wide, wide, numbers, sign, w));
    return wide < count ? stn_basis_combine(s, &split->narrow, count - wide, numbers + wide,
                                            wide > 0 && sign == 0.0 ? 1.0 : sign, w)
                        : STN_OK;
}

stn_status stn_split_subtract(const stn_solver_state *s, stn_split *split, int64_t count,
                              const stn_c128 *numbers, const stn_view *w, stn_c128 *left)
{
    const int64_t wide = wide_of(split, count);
    if (wide == count)
        return stn_basis_subtract(s, &split->wide, count, numbers, w, left);
    if (wide == 0)
        return stn_basis_subtract(s, &split->narrow, count, numbers, w, left);
    STN_TRY(stn_basis_combine(s, &split->wide, wide, numbers, -1.0, w));
    STN_TRY(stn_basis_subtract(s, &split->narrow, count - wide, numbers + wide, w, left + wide));
    return stn_basis_project(s, &split->wide, wide, w, left);
}

stn_status stn_split_save(stn_solver_state *s, const stn_split *split, int64_t count)
{
    const int64_t wide = wide_of(split, count);
    if (wide > 0)
        STN_TRY(stn_basis_save(s, &split->wide, wide));
    return stn_basis_save(s, &split->narrow, count - wide);
}

stn_status stn_split_restore(stn_solver_state *s, stn_split *split, int64_t count)
{
    const int64_t wide = wide_of(split, count);
    if (wide > 0) {
        STN_TRY(reserve(s, split, wide));
        STN_TRY(stn_basis_restore(s, &split->wide, wide));
    }
    return stn_basis_restore(s, &split->narrow, count - wide);
}

stn_status stn_split_narrow(const stn_solver_state *s, stn_split *split, int64_t count,
                            const stn_view *v)
{
    for (int64_t k = 0; k < count; k++) {
        STN_TRY(stn_basis_get(s, &split->wide, k, v));
        STN_TRY(stn_basis_set(s, &split->narrow, k, v, 1.0, 1.0, v));
    }
    split->wide_count = 0;
    return STN_OK;
}
