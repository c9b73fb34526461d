/* spmv of any matrix by any executor: a kernel over rows. */
#include "core/status.h"
#include "sparse/csr.h"
#include "steno/kernel.h"

/* In the order of the bits of a lane's number, the lowest ones outermost, few sums are held: l4 is
 * the lane, and of those that share its lowest k bits, s(k) is the sum so far. -0 is what any sum
 * leaves unchanged. How words tell columns: slice.h. A row of compressed rows is one of a WIDE
 * slice without a head. */
/* clang-format off */
STN_MAP(spmv, (real(alpha), real(beta), index(is_sliced), at(row), gather(start, 1),
               gather(word, 1), gather(a, 1), gather(x, 1), in(y), out(updated)),
    enum { STRAIGHT, MIXED, NARROW, WIDE };
    enum { RUNS, NEAR, FAR };
    const int64_t slice = is_sliced ? row / 16 * 2 : row, r = is_sliced ? row % 16 : 0;
    const int64_t head = is_sliced ? STN_INDEX_AT(start, slice + 1) : 0;
    const int64_t kind = is_sliced ? STN_INDEX_AT(word, head) % 4 : WIDE;
    const int is_row = kind == NARROW || kind == WIDE;
    const int64_t before = is_sliced && is_row && r > 0 ? STN_INDEX_AT(word, head + r) : 0;
    const int64_t begin = STN_INDEX_AT(start, slice) + (is_row ? before : r);
    const int64_t step = is_row ? 1 : 16;
    const int64_t columns = !is_sliced ? begin : is_row ? head + 18 : head + 1;
    int64_t count = 0;
    if (!is_sliced)
        count = STN_INDEX_AT(start, row + 1) - begin;
    else if (is_row)
        count = STN_INDEX_AT(word, head + 1 + r) - before;
    else
        count = STN_INDEX_AT(word, head) / 4;
    while (kind == MIXED && count > 0 &&
           !(STN_INDEX_AT(word, head + STN_INDEX_AT(word, head + count) / 4) >> r & 1))
        count--;
    real_t level[58], s0, s1, s2, s3, s4, s5;
    int depth = 0;
    s0 = s1 = s2 = s3 = s4 = 0;
    for (int64_t tile = 0; tile < (count + 127) / 128; tile++) {
        const int64_t from = tile * 128;
        const int held = count - from < 128 ? (int)(count - from) : 128;
        for (int l0 = 0; l0 < 2 && l0 < held; l0++) {
            for (int l1 = l0; l1 < l0 + 4 && l1 < held; l1 += 2) {
                for (int l2 = l1; l2 < l1 + 8 && l2 < held; l2 += 4) {
                    for (int l3 = l2; l3 < l2 + 16 && l3 < held; l3 += 8) {
                        for (int l4 = l3; l4 < l3 + 32 && l4 < held; l4 += 16) {
                            s5 = -(real_t)0;
                            for (int64_t e = from + l4; e < from + held; e += 32) {
                                int64_t column = 0;
                                if (kind == WIDE) {
                                    column = STN_INDEX_AT(word, columns + before + e);
                                } else if (kind == STRAIGHT) {
                                    column = STN_INDEX_AT(word, columns + e) + r;
                                } else if (kind == NARROW) {
                                    const int64_t two =
                                        STN_INDEX_AT(word, columns + (before + e) / 2);
                                    column = STN_INDEX_AT(word, head + 17) +
                                             (two >> (before + e) % 2 * 16 & 65535);
                                } else {
                                    const int64_t run = STN_INDEX_AT(word, columns + e);
                                    const int64_t p = head + run / 4;
                                    if (run % 4 == RUNS)
                                        column = r + STN_INDEX_AT(word, p + 1 +
                                            (STN_INDEX_AT(word, p) >> (16 + r) & 1));
                                    else if (run % 4 == FAR)
                                        column = STN_INDEX_AT(word, p + 1 + r);
                                    else
                                        column = STN_INDEX_AT(word, p + 1) +
                                            (STN_INDEX_AT(word, p + 2 + r / 2) >> r % 2 * 16 & 65535);
                                }
                                s5 = fma(STN_AT(a, begin + step * e), STN_AT(x, column), s5);
                            }
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

stn_status stn_spmv_rows(const stn_exec *exec, stn_format arithmetic, double alpha,
                         const stn_csr *a, const stn_view *x, double beta, const stn_view *y)
{
    stn_csr_array arrays[STN_CSR_ARRAYS];
    stn_view views[STN_CSR_ARRAYS]; /* in the matrix's memory */
    stn_csr_list(a, arrays);
    for (int k = 0; k < STN_CSR_ARRAYS; k++) {
        STN_TRY(stn_view_wrap_const(&views[k], arrays[k].name, arrays[k].storage, arrays[k].data, 1,
                                    &arrays[k].count, NULL));
        STN_TRY(stn_view_in_space(&views[k], (stn_space)a->memory.space));
    }
    return spmv_run(exec, arithmetic, alpha, beta, a->kind == STN_SPARSE_SLICED,
                    &views[STN_CSR_STARTS], &views[STN_CSR_INDICES], &views[STN_CSR_VALUES], x, y,
                    y);
}
