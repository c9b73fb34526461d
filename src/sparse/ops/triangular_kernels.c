/* Triangular systems by kernels, on any executor. Vectors are matrices of parts: one column if
 * real, two if complex. */
#include "blas/call.h"
#include "core/status.h"
#include "sparse/matrix.h"
#include "sparse/ops/triangular.h"
#include "steno/kernel.h"
#include "view/view.h"

/* clang-format off */
STN_MAP(take_rows, (at(row, j), gather(position, 1), in(b), scatter(y, 2)),
    STN_PUT(y, b, STN_INDEX_AT(position, row), j);
)
STN_MAP(give_rows, (at(row, j), gather(position, 1), gather(y, 2), out(x)),
    x = STN_AT(y, STN_INDEX_AT(position, row), j);
)
STN_MAP(divide_rows, (in(d), inout(y)), y = y / d;)
STN_MAP_COMPLEX(divide_complex, (in(d), inout(y)), y = stn_c_divide(y, d);)
/* clang-format on */

stn_format stn_triangular_real(stn_format arithmetic)
{
    return arithmetic == STN_C128 || arithmetic == STN_F64 ? STN_F64 : STN_F32;
}

/* The part of the vector that a level solves; the kernel reads the other parts. */
static stn_status view_level(const stn_view *vector, const int64_t *level, stn_view *part)
{
    const stn_slice slices[2] = {stn_slice_range(level[0], level[0] + level[1]), stn_slice_all()};
    return stn_view_slice(part, vector, vector->rank, slices);
}

static stn_status divide(const stn_triangular_call *s, const stn_view *work, const int64_t *level)
{
    stn_view part, divisors;
    if (stn_view_is_empty(&s->t->diagonal))
        return STN_OK;
    STN_TRY(view_level(work, level, &part));
    STN_TRY(view_level(&s->t->diagonal, level, &divisors));
    return stn_blas_is_complex(s->arithmetic)
               ? divide_complex_run(s->exec, s->arithmetic, &divisors, &part)
               : divide_rows_run(s->exec, s->arithmetic, &divisors, &part);
}

stn_status stn_triangular_solve_by_kernels(const stn_triangular_call *s)
{
    const stn_triangular *const t = s->t;
    const int64_t *const level = t->level.data;
    const stn_format real = stn_triangular_real(s->arithmetic);
    stn_view work, parts, rows, b, x;
    STN_TRY(stn_view_wrap(&work, "a solution", stn_storage_of(s->arithmetic), t->work.data, 1,
                          t->work.extent));
    STN_TRY(stn_view_set_space(&work, (stn_space)t->work.space));
    STN_TRY(stn_view_set_traits(&work, STN_TRAIT_RESTRICT));
    STN_TRY(stn_parts_of(&parts, &work));
    STN_TRY(stn_parts_of(&b, s->b));
    STN_TRY(stn_parts_of(&x, s->x));
    STN_TRY(take_rows_run(s->exec, real, &t->position, &b, &parts));
    for (int64_t k = 0; k < t->levels; k++) {
        STN_TRY(view_level(&parts, level + 2 * k, &rows));
        STN_TRY(stn_spmv_subtract(s->exec, real, &t->strict, level[2 * k], &parts, &rows));
        STN_TRY(divide(s, &work, level + 2 * k));
    }
    return give_rows_run(s->exec, real, &t->position, &parts, &x);
}
