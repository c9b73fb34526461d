/* The basis of GMRES. Codes are multiplied as such, and sums by their factor, so that products go
 * over plain codes in every format. */
#include "solver/basis.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "format/registry.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "view/view.h"

/* clang-format off */
STN_MAP(encode, (real(factor), in(w), out(v)), v = factor * w;)
STN_MAP(decode, (real(factor), in(v), out(w)), w = factor * v;)
STN_REDUCE(greatest, norm_inf, (in(w)), w)
/* clang-format on */

enum {
    ROW_STEP = 64,
    PAD = 5 * ROW_STEP
}; /* elements: rows at powers of two would share the caches' sets */

/* Floats whose range is less than that of f32 are scaled to fill it. */
static stn_status choose_factors(const stn_format_entry *entry, stn_basis *basis)
{
    const stn_format_info *const info = &entry->info;
    if (info->kind == STN_CLASS_COMPLEX || info->kind == STN_CLASS_OPAQUE)
        return stn_fail(STN_ERR_UNSUPPORTED, "stn_solve: a basis of format %s has no real numbers",
                        info->name);
    if (info->kind == STN_CLASS_INTEGER && !info->is_signed)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_solve: a basis of format %s has no negative numbers", info->name);
    const int is_float = info->kind == STN_CLASS_FLOAT;
    basis->has_powers = is_float;
    basis->highest = is_float && info->exponent_bits >= 8 ? 0.0 : info->highest;
    return STN_OK;
}

stn_status stn_basis_make(const stn_solving *s, int64_t vectors, stn_basis *basis)
{
    const int64_t stride = (s->n + ROW_STEP - 1) / ROW_STEP * ROW_STEP + PAD;
    const int64_t extents[] = {vectors, s->n}, strides[] = {stride, 1};
    const stn_layout layout = stn_layout_strided(2, strides);
    stn_storage storage = s->solver->basis;
    const stn_storage none = {0};
    if (memcmp(&storage, &none, sizeof none) == 0)
        storage = stn_storage_of(s->arithmetic);
    const stn_format_entry *const entry = stn_format_entry_of(storage.format);
    if (!entry)
        return STN_ERR_FORMAT;
    storage.scale = 1.0;
    storage.zero = 0.0;
    STN_TRY(choose_factors(entry, basis));
    STN_TRY(stn_allocate(&basis->factors, 2 * vectors, sizeof(double), "factors of a basis"));
    basis->host = basis->factors + vectors;
    STN_TRY(stn_view_create(s->exec, &basis->codes, "the basis of GMRES", storage, &layout, 2,
                            extents, STN_UNINITIALISED));
    STN_TRY(stn_view_create(s->exec, &basis->numbers, "numbers of a basis",
                            stn_storage_of(s->arithmetic), NULL, 1, &vectors, 0));
    return stn_view_wrap(&basis->few, "numbers of a basis", stn_storage_of(STN_F64), basis->host, 1,
                         &vectors, NULL);
}

void stn_basis_release(stn_basis *basis)
{
    (void)stn_view_release(&basis->numbers);
    (void)stn_view_release(&basis->codes);
    stn_free(basis->factors);
}

/* The first rows, vector k alone, and the first numbers. */
static stn_status slice(const stn_view *view, int64_t begin, int64_t end, stn_view *part)
{
    const stn_slice slices[] = {stn_slice_range(begin, end), stn_slice_all()};
    return stn_view_slice(part, view, view->rank, slices);
}

static stn_status row_of(const stn_basis *basis, int64_t k, stn_view *row)
{
    const stn_slice slices[] = {stn_slice_index(k), stn_slice_all()};
    return stn_view_slice(row, &basis->codes, 2, slices);
}

/* A vector whose largest magnitude is this. */
static double factor_of(const stn_basis *basis, double most)
{
    int exponent;
    const double factor = most / basis->highest;
    if (basis->highest == 0.0 || !(factor >= 0x1p-1000) || !isfinite(factor))
        return 1.0;
    if (!basis->has_powers)
        return factor;
    (void)frexp(factor, &exponent);
    return ldexp(1.0, exponent); /* above the quotient */
}

stn_status stn_basis_set(const stn_solving *s, stn_basis *basis, int64_t k, const stn_view *w,
                         double norm, double size, const stn_view *v)
{
    double most = 0.0;
    stn_view row;
    STN_TRY(row_of(basis, k, &row));
    if (basis->highest > 0.0)
        STN_TRY(greatest_reduce(s->exec, s->arithmetic, &most, w));
    const double factor = factor_of(basis, most / norm);
    basis->factors[k] = factor * size;
    STN_TRY(encode_run(s->exec, s->arithmetic, 1.0 / (norm * factor), w, &row));
    return decode_run(s->exec, s->arithmetic, factor * size, &row, v);
}

/* ---- products with the first `count` vectors: their codes, and their numbers on the executor ----
 */

typedef struct products {
    stn_view rows, there, here;
} products;

static stn_status find(const stn_basis *basis, int64_t count, products *of)
{
    STN_TRY(slice(&basis->codes, 0, count, &of->rows));
    STN_TRY(slice(&basis->numbers, 0, count, &of->there));
    return slice(&basis->few, 0, count, &of->here);
}

/* Numbers of vectors, as numbers of codes. */
static stn_status send(const stn_solving *s, const stn_basis *basis, int64_t count,
                       const double *numbers, const products *of)
{
    for (int64_t i = 0; i < count; i++)
        basis->host[i] = numbers[i] * basis->factors[i];
    return stn_view_copy(s->exec, &of->there, &of->here);
}

static stn_status receive(const stn_solving *s, const stn_basis *basis, int64_t count,
                          double *numbers, const products *of)
{
    STN_TRY(stn_view_copy(s->exec, &of->here, &of->there));
    STN_TRY(stn_exec_wait(s->exec));
    for (int64_t i = 0; i < count; i++)
        numbers[i] = basis->host[i] * basis->factors[i];
    return STN_OK;
}

stn_status stn_basis_project(const stn_solving *s, stn_basis *basis, int64_t count,
                             const stn_view *w, double *numbers)
{
    products of;
    STN_TRY(find(basis, count, &of));
    STN_TRY(stn_gemv(s->exec, s->arithmetic, 1.0, &of.rows, w, 0.0, &of.there));
    return receive(s, basis, count, numbers, &of);
}

stn_status stn_basis_combine(const stn_solving *s, const stn_basis *basis, int64_t count,
                             const double *numbers, double sign, const stn_view *w)
{
    static const int turned[] = {1, 0};
    products of;
    stn_view columns;
    STN_TRY(find(basis, count, &of));
    STN_TRY(send(s, basis, count, numbers, &of));
    STN_TRY(stn_view_permute(&columns, &of.rows, 2, turned));
    return stn_gemv(s->exec, s->arithmetic, sign == 0.0 ? 1.0 : sign, &columns, &of.there,
                    sign == 0.0 ? 0.0 : 1.0, w);
}

stn_status stn_basis_subtract(const stn_solving *s, stn_basis *basis, int64_t count,
                              const double *numbers, const stn_view *w, double *left)
{
    products of;
    STN_TRY(find(basis, count, &of));
    STN_TRY(send(s, basis, count, numbers, &of));
    STN_TRY(stn_gemvt(s->exec, s->arithmetic, -1.0, &of.rows, &of.there, 1.0, w, &of.there));
    return receive(s, basis, count, left, &of);
}
