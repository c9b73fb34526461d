/* Panels of two matrices are decoded and multiplied; the results of panels are summed in the order
 * of doc/order.md, unless the system's gemm sums them. */
#include "blas/level3/product.h"

#include <string.h>

#include "blas/level3/system.h"
#include "core/status.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "view/view.h"

/* clang-format off */
STN_MAP_COMPLEX(conjugated, (in(a), out(value)), value = stn_c_conj(a);)
STN_MAP(mirrored, (at(i, j), index(right), in(below), in(above), out(value)),
    value = j + right <= i ? below : above;
)
STN_MAP_COMPLEX(mirrored_complex, (at(i, j), index(right), index(conjugates_below), index(conjugates_above),
                                   in(below), in(above), out(value)),
    const real_t one = j + right <= i ? below : above;
    const int turns = j + right < i ? conjugates_below != 0 : j + right > i && conjugates_above != 0;
    const int is_real = i == j + right && (conjugates_below || conjugates_above);
    value = stn_c_of(one.re, is_real ? 0 : turns ? -one.im : one.im);
)
STN_MAP(triangular, (at(i, j), index(right), index(upper), index(unit), in(a), out(value)),
    value = i == j + right && unit ? 1 : (upper ? j + right >= i : j + right <= i) ? a : 0;
)
STN_MAP_COMPLEX(triangular_complex, (at(i, j), index(right), index(upper), index(unit), index(turns),
                                     in(a), out(value)),
    value = i == j + right && unit ? stn_c_of(1, 0)
          : (upper ? j + right >= i : j + right <= i) ? stn_c_of(a.re, turns ? -a.im : a.im) : stn_c_of(0, 0);
)
STN_MAP(added, (in(left), in(right), out(sum)), sum = left + right;)
STN_MAP_COMPLEX(added_complex, (in(left), in(right), out(sum)), sum = stn_c_add(left, right);)
STN_REDUCE(panels, products, (in(a), in(b)), a, b)
STN_REDUCE_COMPLEX(panels_complex, products, (in(a), in(b)), a, b)
/* clang-format on */

/* ---- memory ---- */

/* Maximum size m x n of a block of sums; each thread has one. */
enum { BLOCK_ROWS = 512, BLOCK_COLUMNS = 512 };

static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t panels_of(int64_t depth)
{
    return depth == 0 ? 1 : (depth - 1) / STN_PRODUCT_DEPTH + 1;
}

/* One level per bit of their number. */
static int64_t levels_of(int64_t panels)
{
    int64_t levels = 1;
    while (panels >>= 1)
        levels++;
    return levels;
}

static stn_status choose_method(stn_product *p)
{
    int has_system;
    p->way = STN_BY_REDUCTION;
    if (!stn_exec_has_loops(p->call->exec) || p->a.view->extent[1] == 0)
        return STN_OK;
    STN_TRY(stn_system_gemm_find(p->call->name, &has_system));
    p->packs.kernel = stn_block_kernel_of(p->call->arithmetic);
    if (has_system)
        p->way = STN_BY_SYSTEM;
    else if (p->packs.kernel)
        p->way = STN_BY_BLOCKS;
    return STN_OK;
}

static stn_status allocate_buffers(stn_product *p, int64_t k)
{
    const int64_t depth = min_of(k, STN_PRODUCT_DEPTH);
    const int64_t levels = p->way == STN_BY_SYSTEM ? 1 : levels_of(panels_of(k));
    const int64_t a[] = {p->rows, depth}, b[] = {depth, p->columns};
    const int64_t sums[] = {levels, p->rows, p->columns};
    STN_TRY(stn_blas_workspace(p->call, "a panel of A", 2, a, &p->a_buffer));
    STN_TRY(stn_blas_workspace(p->call, "a panel of B", 2, b, &p->b_buffer));
    STN_TRY(stn_blas_workspace(p->call, "sums of a block", 3, sums, &p->sums));
    if (p->way != STN_BY_BLOCKS)
        return STN_OK;
    const stn_status status = stn_packs_create(&p->packs, p->call->arithmetic, p->packs.kernel,
                                               p->rows, p->columns, depth);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", p->call->name);
}

stn_status stn_product_init(stn_product *p, const stn_blas_call *call, const stn_factor *a,
                            const stn_factor *b)
{
    p->call = call;
    p->a = *a;
    p->b = *b;
    return choose_method(p);
}

stn_status stn_product_open(stn_product *p, int64_t m, int64_t n)
{
    const int64_t threads = p->call->exec->threads > 1 ? p->call->exec->threads : 1;
    p->rows = min_of(m, BLOCK_ROWS);
    p->columns = min_of(n, BLOCK_COLUMNS * threads);
    p->packs.rows = p->packs.columns = NULL;
    memset(&p->a_buffer, 0, sizeof p->a_buffer);
    memset(&p->b_buffer, 0, sizeof p->b_buffer);
    memset(&p->sums, 0, sizeof p->sums);
    return allocate_buffers(p, p->a.view->extent[1]);
}

void stn_product_close(stn_product *p)
{
    (void)stn_view_release(&p->a_buffer);
    (void)stn_view_release(&p->b_buffer);
    (void)stn_view_release(&p->sums);
    stn_packs_release(&p->packs);
}

/* ---- panels ---- */

/* A corner of a buffer with contiguous rows. */
static stn_status corner_of(const stn_view *buffer, int64_t rows, int64_t columns, stn_view *corner)
{
    const stn_slice both[] = {stn_slice_range(0, rows), stn_slice_range(0, columns)};
    return stn_view_slice(corner, buffer, 2, both);
}

static stn_status decode_mirrored(const stn_blas_call *call, const stn_factor *f,
                                  const stn_slice *slices, const stn_view *buffer)
{
    const int64_t right = slices[1].begin - slices[0].begin;
    const int is_upper = f->triangle == STN_UPPER;
    stn_view stored, mirror;
    STN_TRY(stn_blas_transpose(&mirror, f->view));
    STN_TRY(stn_view_slice(&mirror, &mirror, 2, slices));
    STN_TRY(stn_view_slice(&stored, f->view, 2, slices));
    const stn_view *const below = is_upper ? &mirror : &stored;
    const stn_view *const above = is_upper ? &stored : &mirror;
    if (!stn_blas_is_complex(call->arithmetic))
        return mirrored_run(call->exec, call->arithmetic, right, below, above, buffer);
    return mirrored_complex_run(call->exec, call->arithmetic, right, f->is_hermitian && is_upper,
                                f->is_hermitian && !is_upper, below, above, buffer);
}

static stn_status decode_triangular(const stn_blas_call *call, const stn_factor *f,
                                    const stn_slice *slices, const stn_view *buffer)
{
    const int64_t right = slices[1].begin - slices[0].begin;
    stn_view part;
    STN_TRY(stn_view_slice(&part, f->view, 2, slices));
    return stn_blas_is_complex(call->arithmetic)
               ? triangular_complex_run(call->exec, call->arithmetic, right, f->triangle,
                                        f->diagonal, f->conj, &part, buffer)
               : triangular_run(call->exec, call->arithmetic, right, f->triangle, f->diagonal,
                                &part, buffer);
}

static stn_status decode_full(const stn_blas_call *call, stn_conjugate conj, const stn_view *part,
                              const stn_view *buffer)
{
    return conj == STN_CONJUGATE && stn_blas_is_complex(call->arithmetic)
               ? conjugated_run(call->exec, call->arithmetic, part, buffer)
               : stn_blas_store(call, buffer, part);
}

/* Are the slices on one side of the diagonal, below or above it? */
static int is_off_diagonal(const stn_slice *slices, int above)
{
    const stn_slice *const low = &slices[above], *const high = &slices[!above];
    return high->begin + high->count <= low->begin;
}

/* A view that represents the slices directly; 0: none. */
static stn_status find_part(const stn_factor *f, const stn_slice *slices, stn_view *part,
                            stn_conjugate *conj, int *is_found)
{
    const int is_upper = f->triangle == STN_UPPER;
    const int is_mirror = f->shape == STN_FACTOR_MIRRORED && is_off_diagonal(slices, !is_upper);
    const stn_slice turned[] = {slices[1], slices[0]};
    *is_found = f->shape == STN_FACTOR_FULL || is_mirror || is_off_diagonal(slices, is_upper);
    *conj = is_mirror && f->is_hermitian ? STN_CONJUGATE : f->conj;
    if (!*is_found)
        return STN_OK;
    STN_TRY(stn_view_slice(part, f->view, 2, is_mirror ? turned : slices));
    return is_mirror ? stn_blas_transpose(part, part) : STN_OK;
}

stn_status stn_factor_decode(const stn_blas_call *call, const stn_factor *f,
                             const stn_slice *slices, const stn_view *buffer)
{
    stn_view part;
    stn_conjugate conj;
    int is_found;
    STN_TRY(find_part(f, slices, &part, &conj, &is_found));
    return is_found                          ? decode_full(call, conj, &part, buffer)
           : f->shape == STN_FACTOR_MIRRORED ? decode_mirrored(call, f, slices, buffer)
                                             : decode_triangular(call, f, slices, buffer);
}

/* Can the values be multiplied in place? */
static int is_in_place(const stn_product *p, stn_conjugate conj, const stn_view *part)
{
    const stn_format arithmetic = p->call->arithmetic;
    const int is_it = conj == STN_NO_CONJUGATE || !stn_blas_is_complex(arithmetic);
    return p->way == STN_BY_SYSTEM   ? is_it && stn_system_gemm_supports(arithmetic, part)
           : p->way == STN_BY_BLOCKS ? is_it && stn_blas_are_values(arithmetic, part)
                                     : 0;
}

/* The panel of these slices, as values. */
static stn_status read_panel(const stn_product *p, const stn_factor *f, const stn_slice *slices,
                             const stn_view *buffer, stn_view *panel)
{
    stn_conjugate conj;
    int is_found;
    STN_TRY(find_part(f, slices, panel, &conj, &is_found));
    if (is_found && is_in_place(p, conj, panel))
        return STN_OK;
    STN_TRY(corner_of(buffer, slices[0].count, slices[1].count, panel));
    return stn_factor_decode(p->call, f, slices, panel);
}

/* ---- sums ---- */

static stn_status reduce_panel(const stn_blas_call *call, const stn_view *a, const stn_view *b,
                               const stn_view *sums)
{
    stn_view rows, columns;
    STN_TRY(stn_view_insert_axis(&rows, a, 1));
    STN_TRY(stn_blas_transpose(&columns, b));
    STN_TRY(stn_view_insert_axis(&columns, &columns, 0));
    return stn_blas_is_complex(call->arithmetic)
               ? panels_complex_reduce_into(call->exec, call->arithmetic, 4, sums, &rows, &columns)
               : panels_reduce_into(call->exec, call->arithmetic, 4, sums, &rows, &columns);
}

static stn_status sum_panel(const stn_product *p, const stn_slice *rows, const stn_slice *columns,
                            const stn_slice *range, int is_first, const stn_view *sums)
{
    stn_view a, b;
    STN_TRY(read_panel(p, &p->a, (const stn_slice[]){*rows, *range}, &p->a_buffer, &a));
    STN_TRY(read_panel(p, &p->b, (const stn_slice[]){*range, *columns}, &p->b_buffer, &b));
    if (p->way == STN_BY_SYSTEM)
        stn_system_gemm(p->call->arithmetic, stn_blas_real(1.0), &a, &b,
                        stn_blas_real(is_first ? 0.0 : 1.0), sums);
    else if (p->way == STN_BY_BLOCKS)
        stn_block_product(p->call->exec, &p->packs, &a, &b, sums);
    else
        return reduce_panel(p->call, &a, &b, sums);
    return STN_OK;
}

/* The pending block of this level. */
static stn_status level_of(const stn_product *p, int64_t level, const stn_slice *rows,
                           const stn_slice *columns, stn_view *sums)
{
    const stn_slice all[] = {stn_slice_index(level), stn_slice_range(0, rows->count),
                             stn_slice_range(0, columns->count)};
    return stn_view_slice(sums, &p->sums, 3, all);
}

/* The second-to-last block becomes the sum of the last two. */
static stn_status add_last(const stn_product *p, int64_t count, const stn_slice *rows,
                           const stn_slice *columns)
{
    const stn_blas_call *const call = p->call;
    stn_view left, right;
    STN_TRY(level_of(p, count - 2, rows, columns, &left));
    STN_TRY(level_of(p, count - 1, rows, columns, &right));
    return stn_blas_is_complex(call->arithmetic)
               ? added_complex_run(call->exec, call->arithmetic, &left, &right, &left)
               : added_run(call->exec, call->arithmetic, &left, &right, &left);
}

stn_status stn_product_sum(stn_product *p, const stn_slice *rows, const stn_slice *columns,
                           const stn_slice *range, stn_view *sums)
{
    const int64_t panels = panels_of(range->count);
    const int is_tree = p->way != STN_BY_SYSTEM;
    int64_t count = 0;
    for (int64_t k = 0; k < panels; k++) {
        const int64_t first = range->begin + k * STN_PRODUCT_DEPTH;
        const int64_t left = range->begin + range->count - first;
        const stn_slice depth_range =
            stn_slice_range(first, first + min_of(left, STN_PRODUCT_DEPTH));
        count += is_tree || k == 0;
        STN_TRY(level_of(p, count - 1, rows, columns, sums));
        STN_TRY(sum_panel(p, rows, columns, &depth_range, k == 0, sums));
        for (int64_t odd = k; is_tree && odd & 1; odd >>= 1, count--)
            STN_TRY(add_last(p, count, rows, columns));
    }
    for (; count > 1; count--)
        STN_TRY(add_last(p, count, rows, columns));
    return level_of(p, 0, rows, columns, sums);
}
