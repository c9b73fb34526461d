/* The basis of GMRES in checkpoints: raw codes, their factors and scales. */
#include "solver/basis.h"
#include "solver/checkpoint.h"
#include "view/extra.h"

static stn_status rows_of(const stn_basis *basis, int64_t count, stn_view *rows)
{
    const stn_slice slices[] = {stn_slice_range(0, count), stn_slice_all()};
    STN_TRY(stn_view_slice(rows, &basis->codes, 2, slices));
    stn_view_drop_scales(rows); /* they are kept separately */
    return STN_OK;
}

stn_status stn_basis_save(stn_solver_state *s, const stn_basis *basis, int64_t count)
{
    stn_view rows;
    STN_TRY(rows_of(basis, count, &rows));
    STN_TRY(stn_image_put(&s->saved, basis->factors, count * (int64_t)sizeof *basis->factors));
    STN_TRY(stn_image_put(&s->saved, basis->scales, stn_basis_scale_bytes(basis, count)));
    return stn_solver_save_view(s, &rows);
}

stn_status stn_basis_restore(stn_solver_state *s, const stn_basis *basis, int64_t count)
{
    stn_image *const image = &s->options->checkpoint->image;
    stn_view rows;
    STN_TRY(rows_of(basis, count, &rows));
    STN_TRY(stn_image_get(image, basis->factors, count * (int64_t)sizeof *basis->factors));
    STN_TRY(stn_image_get(image, basis->scales, stn_basis_scale_bytes(basis, count)));
    return stn_solver_restore_view(s, &rows);
}
