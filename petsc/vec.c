/* Views of vectors. */
#include "petsc/adapter.h"

/* For the owner of the view. If PETSc fails here, its error handler has reported it. */
static void restore(void *data, void *context)
{
    Vec vec = context;
    PetscScalar *elements = data;
    if (!VecRestoreArray(vec, &elements))
        (void)VecDestroy(&vec);
}

static void restore_const(void *data, void *context)
{
    Vec vec = context;
    const PetscScalar *elements = data;
    if (!VecRestoreArrayRead(vec, &elements))
        (void)VecDestroy(&vec);
}

/* The array has been borrowed by VecGetArray or VecGetArrayRead. */
static stn_status adopt(const char *call, stn_view *view, Vec vec, stn_view_spec *spec)
{
    PetscInt count;
    STN_PETSC_TRY(call, VecGetLocalSize(vec, &count));
    const int64_t extent = count;
    spec->storage = stn_storage_of(STN_F64);
    spec->label = "vec";
    spec->rank = 1;
    spec->extents = &extent;
    spec->context = vec;
    STN_PETSC_TRY(call, PetscObjectReference((PetscObject)vec));
    const stn_status status = stn_view_adopt(view, spec);
    if (status != STN_OK)
        (void)PetscObjectDereference((PetscObject)vec);
    return status;
}

static stn_status begin(const char *call, stn_view *view, Vec vec)
{
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is NULL", call);
    *view = (stn_view){0};
    if (!vec)
        return stn_fail(STN_ERR_ARGUMENT, "%s: vec is NULL", call);
    return STN_OK;
}

stn_status stn_petsc_vec_wrap(stn_view *view, Vec vec)
{
    static const char call[] = "stn_petsc_vec_wrap";
    PetscScalar *elements;
    STN_TRY(begin(call, view, vec));
    STN_PETSC_TRY(call, VecGetArray(vec, &elements));
    stn_view_spec spec = STN_VIEW_SPEC(.data = elements, .free_data = restore);
    const stn_status status = adopt(call, view, vec, &spec);
    if (status != STN_OK)
        (void)VecRestoreArray(vec, &elements);
    return status;
}

stn_status stn_petsc_vec_wrap_const(stn_view *view, Vec vec)
{
    static const char call[] = "stn_petsc_vec_wrap_const";
    const PetscScalar *elements;
    STN_TRY(begin(call, view, vec));
    STN_PETSC_TRY(call, VecGetArrayRead(vec, &elements));
    stn_view_spec spec = STN_VIEW_SPEC(.const_data = elements, .free_data = restore_const);
    const stn_status status = adopt(call, view, vec, &spec);
    if (status != STN_OK)
        (void)VecRestoreArrayRead(vec, &elements);
    return status;
}
