/* Copies of a matrix that products read, one of them transposed: creation, and values that change.
 */
#include "sparse/kinds/optimized_copy.h"

#include "core/clock.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "sparse/kinds/plain.h"
#include "sparse/ops/transpose.h"
#include "steno/sparse_optimize.h"

static const char call[] = "stn_matrix_update_values";

stn_matrix stn_copy_source(const stn_matrix *a)
{
    stn_matrix source = *a;
    source.optimized = source.transposed = NULL;
    source.duplicates = STN_DUPLICATES_KEEP;
    return source;
}

stn_status stn_copy_create(const stn_exec *exec, stn_matrix **copy, const stn_matrix *a,
                           stn_matrix_kind kind)
{
    const stn_matrix source = stn_copy_source(a);
    STN_TRY(stn_allocate(copy, 1, sizeof **copy, "a matrix"));
    const stn_status status = stn_matrix_convert(exec, *copy, &source, kind, NULL);
    if (status == STN_OK) {
        (*copy)->label = a->label;
        (*copy)->own_label = NULL;
        return STN_OK;
    }
    stn_free(*copy);
    *copy = NULL;
    return status;
}

void stn_copy_release(stn_matrix *copy)
{
    if (!copy)
        return;
    stn_matrix_clear(copy);
    stn_free(copy);
}

void stn_matrix_discard_optimized(stn_matrix *matrix)
{
    stn_copy_release(matrix->optimized);
    matrix->optimized = NULL;
}

void stn_matrix_discard_copies(stn_matrix *matrix)
{
    stn_matrix_discard_optimized(matrix);
    stn_copy_release(matrix->transposed);
    matrix->transposed = NULL;
}

/* ---- the transpose ---- */

static stn_status create_transpose(const char *name, const stn_exec *exec, const stn_matrix *a,
                                   stn_matrix **copy)
{
    const stn_matrix source = stn_copy_source(a);
    STN_TRY(stn_allocate(copy, 1, sizeof **copy, "a transpose"));
    stn_status status = stn_transpose(name, exec, &source, *copy);
    if (status == STN_OK) {
        (*copy)->label = a->label;
        (*copy)->own_label = NULL;
        return STN_OK;
    }
    stn_free(*copy);
    *copy = NULL;
    return status;
}

static stn_status prepare_transpose(const char *name, const stn_exec *exec, stn_matrix *a)
{
    stn_matrix *copy;
    STN_TRY(stn_exec_expect(name, exec));
    STN_TRY(stn_matrix_expect(name, a));
    STN_TRY(create_transpose(name, exec, a, &copy));
    stn_copy_release(a->transposed);
    a->transposed = copy;
    return STN_OK;
}

stn_status stn_matrix_prepare_transpose(const stn_exec *exec, stn_matrix *a)
{
    STN_RETURN_IN_MODES(prepare_transpose("stn_matrix_prepare_transpose", exec, a));
}

/* ---- values that change ---- */

static stn_status update_slices(const stn_exec *exec, const stn_matrix *a, stn_matrix *sliced)
{
    const stn_matrix source = stn_copy_source(a);
    stn_matrix host, rows;
    STN_TRY(stn_matrix_to_host(call, &source, &host));
    STN_TRY(stn_plain_create(call, exec, &host, 1, NULL, &rows));
    stn_matrix_update_slices(exec, &rows, sliced);
    (void)stn_view_release(&rows.memory);
    return STN_OK;
}

/* Packed slices become slices if there are too many distinct values now. */
static stn_status convert_again(const stn_exec *exec, stn_matrix *a)
{
    const stn_matrix_kind kind = a->optimized->kind;
    stn_matrix *copy;
    stn_status status = stn_copy_create(exec, &copy, a, kind);
    if (status == STN_ERR_UNSUPPORTED && kind == STN_MATRIX_PACKED)
        status = stn_copy_create(exec, &copy, a, STN_MATRIX_SLICED);
    STN_TRY(status);
    stn_matrix_discard_optimized(a);
    a->optimized = copy;
    return STN_OK;
}

static stn_status update(const stn_exec *exec, stn_matrix *a)
{
    STN_TRY(stn_exec_expect(call, exec));
    stn_status status = stn_spmv_expect_matrix(exec, a);
    if (status == STN_OK && a->optimized)
        status = a->optimized->kind == STN_MATRIX_SLICED && !stn_exec_device(exec)
                     ? update_slices(exec, a, a->optimized)
                     : convert_again(exec, a);
    if (status == STN_OK && a->transposed)
        status = prepare_transpose(call, exec, a);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

stn_status stn_matrix_update_values(const stn_exec *exec, stn_matrix *a)
{
    STN_RETURN_IN_MODES(update(exec, a));
}
