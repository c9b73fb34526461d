/* Triangular systems: checks of a call, and selection of the arithmetic. */
#include <string.h>

#include "blas/call.h"
#include "blas/operand.h"
#include "core/modes.h"
#include "core/status.h"
#include "sparse/matrix.h"
#include "sparse/ops/triangular.h"
#include "view/overlap.h"

double stn_triangular_row_bytes(const stn_triangular *t)
{
    return ((double)t->bytes + 32.0 * (double)t->rows) / (double)(t->rows + 1);
}

static stn_status check_vectors(const stn_triangular_call *s)
{
    const stn_view *const b = s->b, *const x = s->x;
    stn_reader reader;
    STN_TRY(stn_operand_expect(s->call, s->exec, b, 1));
    STN_TRY(stn_operand_expect(s->call, s->exec, x, 1));
    STN_TRY(stn_view_writable(s->call, x));
    if (b->extent[0] != s->t->rows || x->extent[0] != s->t->rows)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has %lld rows, which does not match %s and %s",
                        s->call, s->t->label ? s->t->label : "a matrix", (long long)s->t->rows,
                        stn_view_text(b), stn_view_text(x));
    if (!stn_view_is_unique(x))
        return stn_fail(STN_ERR_ALIAS, "%s: %s repeats one element", s->call, stn_view_text(x));
    if (stn_view_may_share(x, b) && !stn_view_is_same(x, b))
        return stn_fail(STN_ERR_ALIAS, "%s: %s overlaps %s", s->call, stn_view_text(x),
                        stn_view_text(b));
    if (!stn_blas_is_complex(s->arithmetic))
        return STN_OK; /* the solving function checks the operands */
    STN_TRY(stn_reader_init(&reader, s->call, s->exec, s->arithmetic, b));
    return stn_reader_init(&reader, s->call, s->exec, s->arithmetic, x);
}

stn_status stn_triangular_expect(const stn_triangular_call *s)
{
    STN_TRY(stn_exec_expect(s->call, s->exec));
    if (!s->t)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the triangle is NULL", s->call);
    STN_TRY(stn_matrix_expect(s->call, &s->t->strict));
    STN_TRY(stn_operand_expect(s->call, s->exec, &s->t->work, 1));
    if (stn_matrix_is_complex(&s->t->strict) && !stn_blas_is_complex(s->arithmetic))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: values of %s are complex: arithmetic c128 or c64",
                        s->call, s->t->label ? s->t->label : "a matrix");
    return check_vectors(s);
}

stn_status stn_triangular_error_prefix(const stn_triangular_call *s, stn_status status)
{
    return status == STN_OK || strstr(stn_error(), s->call)
               ? status
               : stn_error_prefix(status, "%s", s->call);
}

static stn_status solve(const stn_triangular_call *s)
{
    STN_TRY(stn_triangular_expect(s));
    const stn_status status = stn_blas_is_complex(s->arithmetic) ? stn_triangular_solve_complex(s)
                                                                 : stn_triangular_solve_real(s);
    return stn_triangular_error_prefix(s, status);
}

stn_status stn_triangular_solve(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                                const stn_triangular *t, const stn_view *b)
{
    const stn_triangular_call s = {"stn_triangular_solve", exec, t, arithmetic, b, x};
    STN_RETURN_IN_MODES(solve(&s));
}
