/* Bases of integers with a scale for each block of 32 elements of a vector. */
#include "core/memory.h"
#include "solver/basis.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "view/view.h"

/* Scales are f32, not less than the exact quotient, and not 0: elements smaller than 1e-36 of the
 * norm of the vector become 0. */
/* clang-format off */
STN_MAP(fit, (real(share), in(largest), out(scale)), scale = fmax(largest * share, STN_R(1e-36));)
STN_REDUCE(block, norm_inf, (in(v)), v)
/* clang-format on */

static int64_t blocks_of(const stn_view *codes)
{
    return (codes->extent[1] + STN_BASIS_BLOCK - 1) / STN_BASIS_BLOCK;
}

static int64_t row_scales(const stn_basis *basis)
{
    return basis->codes.stride[0] / STN_BASIS_BLOCK;
}

int64_t stn_basis_scale_bytes(const stn_basis *basis, int64_t rows)
{
    return basis->scales ? rows * row_scales(basis) * (int64_t)sizeof *basis->scales : 0;
}

stn_status stn_basis_create_blocks(const stn_solver_state *s, int64_t vectors, stn_basis *basis)
{
    const int64_t blocks = blocks_of(&basis->codes), count = vectors * row_scales(basis);
    STN_TRY(stn_allocate(&basis->scales, count, sizeof *basis->scales, "scales of a basis"));
    for (int64_t k = 0; k < count; k++)
        basis->scales[k] = 1.0f;
    const stn_scales scales = {.data = basis->scales,
                               .format = STN_F32,
                               .dimension = 1,
                               .block = STN_BASIS_BLOCK,
                               .stride = {row_scales(basis), 1}};
    STN_TRY(stn_view_set_scales(&basis->codes, &scales));
    STN_TRY(stn_view_create(s->exec, &basis->largest, "magnitudes of blocks",
                            stn_storage_of(s->arithmetic), 1, &blocks));
    return stn_view_create(s->exec, &basis->fitted, "scales of blocks", stn_storage_of(STN_F32), 1,
                           &blocks);
}

/* Blocks first to first + count - 1 of v as rows of `width` elements. */
static stn_status find_largest(const stn_solver_state *s, const stn_basis *basis, const stn_view *v,
                               int64_t first, int64_t count, int64_t width)
{
    const int64_t begin = first * STN_BASIS_BLOCK;
    const stn_slice elements = stn_slice_range(begin, begin + count * width);
    const stn_slice results = stn_slice_range(first, first + count);
    stn_view rows, largest;
    if (count == 0 || width == 0)
        return STN_OK;
    STN_TRY(stn_view_slice(&rows, v, 1, &elements));
    STN_TRY(stn_view_slice(&largest, &basis->largest, 1, &results));
    STN_TRY(stn_view_insert_axis(&rows, &rows, 0));
    rows.extent[0] = count; /* contiguous */
    rows.extent[1] = width;
    rows.stride[0] = width;
    return block_reduce_into(s->exec, s->arithmetic, 2, &largest, &rows);
}

stn_status stn_basis_fit_blocks(const stn_solver_state *s, stn_basis *basis, int64_t k,
                                const stn_view *v)
{
    const int64_t full = s->length / STN_BASIS_BLOCK, blocks = blocks_of(&basis->codes);
    const double share = (1.0 + 0x1p-23) / basis->highest;
    float *const row = basis->scales + k * row_scales(basis);
    stn_view on_host;
    STN_TRY(find_largest(s, basis, v, 0, full, STN_BASIS_BLOCK));
    STN_TRY(find_largest(s, basis, v, full, blocks - full, s->length % STN_BASIS_BLOCK));
    STN_TRY(fit_run(s->exec, s->arithmetic, share, &basis->largest, &basis->fitted));
    STN_TRY(
        stn_view_wrap(&on_host, "scales of a vector", stn_storage_of(STN_F32), row, 1, &blocks));
    STN_TRY(stn_view_copy(s->exec, &on_host, &basis->fitted));
    return stn_exec_wait(s->exec);
}
