/* spmv of any matrix by any executor: a kernel over rows. */
#include "core/status.h"
#include "sparse/csr.h"
#include "steno/kernel.h"

/* In the order of the bits of a lane's number, the lowest ones outermost, few sums are held: l4 is
 * the lane, and of those that share its lowest k bits, s(k) is the sum so far. */
/* clang-format off */
STN_MAP(spmv, (real(alpha), real(beta), at(row), gather(start, 1), gather(column, 1), gather(a, 1),
               gather(x, 1), in(y), out(updated)),
    const int64_t begin = STN_INDEX_AT(start, row), end = STN_INDEX_AT(start, row + 1);
    real_t level[58], s0, s1, s2, s3, s4, s5;
    int depth = 0;
    s0 = s1 = s2 = s3 = s4 = 0;
    for (int64_t tile = 0; tile < (end - begin + 127) / 128; tile++) {
        const int64_t at = begin + tile * 128;
        const int held = end - at < 128 ? (int)(end - at) : 128;
        for (int l0 = 0; l0 < 2 && l0 < held; l0++) {
            for (int l1 = l0; l1 < l0 + 4 && l1 < held; l1 += 2) {
                for (int l2 = l1; l2 < l1 + 8 && l2 < held; l2 += 4) {
                    for (int l3 = l2; l3 < l2 + 16 && l3 < held; l3 += 8) {
                        for (int l4 = l3; l4 < l3 + 32 && l4 < held; l4 += 16) {
                            s5 = STN_AT(a, at + l4) * STN_AT(x, STN_INDEX_AT(column, at + l4));
                            for (int64_t k = at + l4 + 32; k < at + held; k += 32)
                                s5 = fma(STN_AT(a, k), STN_AT(x, STN_INDEX_AT(column, k)), s5);
                            s4 = l4 == l3 ? s5 : s4 + s5;
                        }
                        s3 = l3 == l2 ? s4 : s3 + s4;
                    }
                    s2 = l2 == l1 ? s3 : s2 + s3;
                }
                s1 = l1 == l0 ? s2 : s1 + s2;
            }
            s0 = l0 == 0 ? s1 : s0 + s1;
        }
        for (int64_t k = tile; k & 1; k >>= 1)
            s0 = level[--depth] + s0;
        level[depth++] = s0;
    }
    for (; depth > 1; depth--)
        level[depth - 2] = level[depth - 2] + level[depth - 1];
    const real_t sum = depth == 0 ? (real_t)0 : level[0];
    const real_t product = alpha == 1 ? sum : alpha * sum;
    updated = beta == 0 ? product : product + beta * y;
)
/* clang-format on */

/* An array of the matrix, as a view in its memory. */
static stn_status view_array(const stn_csr *csr, const char *name, stn_storage storage,
                             const void *data, int64_t count, stn_view *view)
{
    STN_TRY(stn_view_wrap_const(view, name, storage, data, 1, &count, NULL));
    return stn_view_in_space(view, (stn_space)csr->memory.space);
}

stn_status stn_spmv_rows(const stn_exec *exec, stn_format arithmetic, double alpha,
                         const stn_csr *a, const stn_view *x, double beta, const stn_view *y)
{
    stn_view start, column, values;
    STN_TRY(view_array(a, "row_start", stn_storage_of(STN_I64), a->row_start, a->rows + 1, &start));
    STN_TRY(view_array(a, "column", stn_storage_of(STN_I32), a->column, a->entries, &column));
    STN_TRY(view_array(a, "values", a->storage, a->values, a->entries, &values));
    return spmv_run(exec, arithmetic, alpha, beta, &start, &column, &values, x, y, y);
}
