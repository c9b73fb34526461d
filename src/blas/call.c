/* Checks of calls, and the combination of sums with y. */
#include "blas/call.h"

#include "blas/operand.h"
#include "core/status.h"
#include "exec/exec.h"
#include "steno/kernel.h"
#include "view/create.h"
#include "view/overlap.h"
#include "view/plain.h"

/* clang-format off */
STN_MAP(update, (real(alpha), real(beta), in(sum), in(y), out(updated)),
    const real_t product = alpha == 1 ? sum : alpha * sum;
    updated = beta == 0 ? product : product + beta * y;
)
STN_MAP_COMPLEX(update_complex, (real(alpha), real(beta), in(sum), in(y), out(updated)),
    const real_t product = alpha.re == 1 && alpha.im == 0 ? sum : stn_c_multiply(alpha, sum);
    const real_t old = beta.re == 1 && beta.im == 0 ? y : stn_c_multiply(beta, y);
    updated = beta.re == 0 && beta.im == 0 ? product : stn_c_add(product, old);
)
STN_MAP(scaled, (real(beta), inout(y)),
    y = beta == 0 ? 0 : beta * y;
)
STN_MAP_COMPLEX(scaled_complex, (real(beta), inout(y)),
    const real_t old = beta.re == 1 && beta.im == 0 ? y : stn_c_multiply(beta, y);
    y = beta.re == 0 && beta.im == 0 ? stn_c_of(0, 0) : old;
)
STN_MAP(stored, (in(value), out(y)), y = value;)
STN_MAP_COMPLEX(stored_complex, (in(value), out(y)), y = value;)
/* clang-format on */

/* ---- checks ---- */

static stn_status check_arithmetic(const stn_blas_call *call, int kinds)
{
    static const char *const names[] = {"", "f64 or f32", "c128 or c64", "f64, f32, c128 or c64"};
    if (stn_blas_has(call, kinds))
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "%s: arithmetic is %s; it must be %s", call->name,
                    stn_format_text(call->arithmetic), names[kinds]);
}

static stn_status check_operand(const stn_blas_call *call, const stn_blas_operand *operand)
{
    stn_reader reader;
    STN_TRY(stn_operand_expect_argument(call->name, operand->name, call->exec, operand->view,
                                        operand->rank));
    if (operand->use >= STN_BLAS_WRITTEN)
        STN_TRY(stn_view_writable(call->name, operand->view));
    return stn_reader_init(&reader, call->name, call->exec, call->arithmetic, operand->view);
}

static int is_banded(const stn_view *a)
{
    return stn_view_mapping(a) && stn_view_mapping(a)->layout.kind == STN_LAYOUT_BANDED;
}

/* A triangle of a packed matrix has unique elements, and so have subviews that do not intersect the
 * diagonal. */
static stn_status expect_unique(const stn_blas_call *call, const stn_blas_operand *written)
{
    const stn_view *const a = written->view;
    const int is_packed = stn_blas_is_packed(a);
    if ((written->use == STN_BLAS_TRIANGLE && is_packed) || stn_view_is_unique(a))
        return STN_OK;
    if (is_packed || is_banded(a))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is %s", call->name, stn_view_text(a),
                        is_packed ? "packed, but this function writes both triangles"
                                  : "banded, but this function writes outside the band");
    return stn_fail(STN_ERR_ALIAS, "%s: %s repeats one element", call->name, stn_view_text(a));
}

static stn_status check_aliases(const stn_blas_call *call, const stn_blas_operand *written,
                                int count, const stn_blas_operand *operands)
{
    for (int k = 0; k < count; k++) {
        const stn_blas_operand *other = &operands[k];
        const int is_known = other == written || (other->use == STN_BLAS_READ_TOO &&
                                                  stn_view_is_same(other->view, written->view));
        if (!is_known && stn_view_may_share(written->view, other->view))
            return stn_fail(STN_ERR_ALIAS, "%s: %s overlaps %s", call->name,
                            stn_view_text(written->view), stn_view_text(other->view));
    }
    return expect_unique(call, written);
}

static stn_status expect_full(const stn_blas_call *call, const stn_blas_operand *operand)
{
    const stn_view *const a = operand->view;
    if (!is_banded(a) && (operand->use < STN_BLAS_WRITTEN || !stn_blas_is_packed(a)))
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is %s", call->name, stn_view_text(a),
                    is_banded(a) ? "banded, which this function does not support"
                                 : "packed, which this function only reads");
}

/* ---- operands that need no further checks ---- */

/* Does a strided view have an element, and distinct ones for all indices? 0 does not mean that it
 * has not. */
static int has_distinct_elements(const stn_view *view)
{
    const int small = view->rank == 2 && view->stride[1] < view->stride[0];
    for (int d = 0; d < view->rank; d++)
        if (view->stride[d] <= 0)
            return 0;
    return view->rank == 1 || view->stride[!small] >= view->stride[small] * view->extent[small];
}

/* Quickly: are all operands values at hand, and disjoint from those that are written? 0 does not
 * mean that they are invalid. */
static int are_at_hand(const stn_blas_call *call, int kinds, int count,
                       const stn_blas_operand *operands)
{
    enum { MAX_OPERANDS = 3 };
    stn_memory_span memory[MAX_OPERANDS];
    if (!stn_exec_is_ready(call->exec) || !stn_blas_has(call, kinds) || count > MAX_OPERANDS)
        return 0;
    for (int k = 0; k < count; k++) {
        const stn_view *const view = operands[k].view;
        const int is_written = operands[k].use >= STN_BLAS_WRITTEN;
        if (!stn_view_is_at_hand(view) || view->rank != operands[k].rank ||
            view->storage.format != call->arithmetic || view->extent[0] <= 0 ||
            (view->rank == 2 && view->extent[1] <= 0) ||
            (is_written && (stn_view_is_read_only(view) || !has_distinct_elements(view))))
            return 0;
        memory[k] = stn_view_memory(view);
    }
    for (int k = 0; k < count; k++)
        for (int other = 0; other < count; other++)
            if (operands[k].use >= STN_BLAS_WRITTEN && other != k &&
                stn_memory_is_shared(memory[k], memory[other]))
                return 0;
    return 1;
}

static stn_status check(const stn_blas_call *call, int kinds, int count,
                        const stn_blas_operand *operands, int is_whole)
{
    if (are_at_hand(call, kinds, count, operands))
        return STN_OK;
    STN_TRY(stn_exec_expect(call->name, call->exec));
    STN_TRY(check_arithmetic(call, kinds));
    for (int k = 0; k < count; k++) {
        STN_TRY(check_operand(call, &operands[k]));
        if (is_whole)
            STN_TRY(expect_full(call, &operands[k]));
    }
    for (int k = 0; k < count; k++)
        if (operands[k].use >= STN_BLAS_WRITTEN)
            STN_TRY(check_aliases(call, &operands[k], count, operands));
    return STN_OK;
}

stn_status stn_blas_check(const stn_blas_call *call, int kinds, int count,
                          const stn_blas_operand *operands)
{
    return check(call, kinds, count, operands, 0);
}

stn_status stn_blas_check_full(const stn_blas_call *call, int kinds, int count,
                               const stn_blas_operand *operands)
{
    return check(call, kinds, count, operands, 1);
}

stn_status stn_blas_expect_pair(const stn_blas_call *call, const stn_view *x, const stn_view *y)
{
    if (x->extent[0] == y->extent[0])
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "%s: %s and %s differ in extent", call->name, stn_view_text(x),
                    stn_view_text(y));
}

stn_status stn_blas_expect_product(const stn_blas_call *call, const stn_view *a, const stn_view *x,
                                   const stn_view *y)
{
    return stn_operand_expect_product(call->name, a, x, y);
}

stn_status stn_blas_expect_outer(const stn_blas_call *call, const stn_view *x, const stn_view *y,
                                 const stn_view *a)
{
    if (a->extent[0] == x->extent[0] && a->extent[1] == y->extent[0])
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "%s: %s times the transpose of %s does not have the shape of %s",
                    call->name, stn_view_text(x), stn_view_text(y), stn_view_text(a));
}

stn_status stn_blas_expect_square(const stn_blas_call *call, const stn_view *a, const stn_view *x)
{
    if (a->extent[0] != a->extent[1])
        return stn_fail(STN_ERR_SHAPE, "%s: %s is not square", call->name, stn_view_text(a));
    if (a->extent[0] != x->extent[0])
        return stn_fail(STN_ERR_SHAPE, "%s: the extent of %s does not match %s", call->name,
                        stn_view_text(x), stn_view_text(a));
    return STN_OK;
}

stn_status stn_blas_expect_choice(const stn_blas_call *call, const char *what, int number)
{
    if (number == 0 || number == 1)
        return STN_OK;
    const char *const allowed = what[0] == 's' ? "STN_SIDE_LEFT (0) or STN_SIDE_RIGHT (1)"
                                : what[0] == 'd'
                                    ? "STN_DIAGONAL_NON_UNIT (0) or STN_DIAGONAL_UNIT (1)"
                                : what[1] == 'r' ? "STN_LOWER (0) or STN_UPPER (1)"
                                                 : "STN_NO_CONJUGATE (0) or STN_CONJUGATE (1)";
    return stn_fail(STN_ERR_ARGUMENT, "%s: %s is %d; it must be %s", call->name, what, number,
                    allowed);
}

stn_status stn_blas_check_triangle(const stn_blas_call *call, stn_triangle triangle,
                                   stn_diagonal diagonal, stn_conjugate conj, const stn_view *a,
                                   const stn_view *x)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(a, 2, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(x, 1, STN_BLAS_WRITTEN)};
    STN_TRY(stn_blas_check(call, STN_BLAS_ANY, 2, operands));
    STN_TRY(stn_blas_expect_choice(call, "triangle", (int)triangle));
    STN_TRY(stn_blas_expect_choice(call, "diagonal", (int)diagonal));
    STN_TRY(stn_blas_expect_choice(call, "conj", (int)conj));
    return stn_blas_expect_square(call, a, x);
}

int stn_blas_is_packed(const stn_view *a)
{
    const stn_mapping *const mapping = stn_view_mapping(a);
    int64_t base[STN_MAX_RANK];
    if (!mapping || mapping->layout.kind != STN_LAYOUT_PACKED)
        return 0;
    stn_view_base(a, base);
    return base[0] == base[1] && a->stride[0] == a->stride[1] && a->stride[0] != 0;
}

int stn_blas_are_values(stn_format arithmetic, const stn_view *view)
{
    return stn_view_is_of_values(view, arithmetic) && view->space == STN_SPACE_HOST;
}

int stn_blas_is(stn_format arithmetic, stn_c128 alpha, double number)
{
    const int is_wide = arithmetic == STN_F64 || arithmetic == STN_C128;
    const double re = is_wide ? alpha.re : (double)(float)alpha.re;
    const double im = is_wide ? alpha.im : (double)(float)alpha.im;
    return re == number && im == 0.0;
}

/* ---- views ---- */

stn_status stn_blas_transpose(stn_view *transposed, const stn_view *a)
{
    return stn_view_permute(transposed, a, 2, (const int[]){1, 0});
}

stn_status stn_blas_column(stn_view *column, const stn_view *x)
{
    return stn_view_insert_axis(column, x, 1);
}

stn_status stn_blas_workspace(const stn_blas_call *call, const char *label, int rank,
                              const int64_t *extents, stn_view *buffer)
{
    const stn_status status = stn_view_create_scratch(
        call->exec, buffer, label, stn_storage_of(call->arithmetic), rank, extents);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call->name);
}

/* ---- sums ---- */

stn_status stn_blas_combine(const stn_blas_call *call, stn_c128 alpha, const stn_view *sums,
                            stn_c128 beta, const stn_view *y)
{
    if (stn_blas_is_complex(call->arithmetic))
        return update_complex_run(call->exec, call->arithmetic, alpha, beta, sums, y, y);
    return update_run(call->exec, call->arithmetic, alpha.re, beta.re, sums, y, y);
}

stn_status stn_blas_scale(const stn_blas_call *call, stn_c128 beta, const stn_view *y)
{
    return stn_blas_is_complex(call->arithmetic)
               ? scaled_complex_run(call->exec, call->arithmetic, beta, y)
               : scaled_run(call->exec, call->arithmetic, beta.re, y);
}

stn_status stn_blas_update(const stn_blas_call *call, stn_blas_sums *sums, const void *context,
                           stn_c128 alpha, stn_c128 beta, const stn_view *y)
{
    stn_view buffer;
    if (stn_blas_is(call->arithmetic, alpha, 0.0))
        return stn_blas_scale(call, beta, y);
    if (stn_blas_is(call->arithmetic, alpha, 1.0) && stn_blas_is(call->arithmetic, beta, 0.0))
        return sums(call, y, context);
    STN_TRY(stn_blas_workspace(call, "sums of rows", 1, y->extent, &buffer));
    stn_status status = sums(call, &buffer, context);
    if (status == STN_OK)
        status = stn_blas_combine(call, alpha, &buffer, beta, y);
    (void)stn_view_release(&buffer);
    return status;
}

stn_status stn_blas_store(const stn_blas_call *call, const stn_view *y, const stn_view *values)
{
    return stn_blas_is_complex(call->arithmetic)
               ? stored_complex_run(call->exec, call->arithmetic, values, y)
               : stored_run(call->exec, call->arithmetic, values, y);
}

stn_status stn_blas_store_from_host(const stn_blas_call *call, const stn_view *y,
                                    const stn_view *values)
{
    stn_view buffer;
    if (!stn_exec_device(call->exec))
        return stn_blas_store(call, y, values);
    STN_TRY(stn_blas_workspace(call, "values", 1, values->extent, &buffer));
    stn_status status = stn_view_copy(call->exec, &buffer, values);
    if (status == STN_OK)
        status = stn_blas_store(call, y, &buffer);
    (void)stn_view_release(&buffer);
    return status;
}
