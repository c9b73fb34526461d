/* spmv on devices: a kernel over rows, of which a device needs the text only. */
#include "core/status.h"
#include "sparse/csr.h"
#include "steno/detail/kernel_types.h"

/* A thread has a row. In the order of the bits of a lane's number, the lowest ones outermost, few
 * sums are held: l4 is the lane, and of those that share its lowest k bits, s(k) is the sum so far.
 */
static const char text[] =
    "const int64_t begin = STN_INDEX_AT(start, row), end = STN_INDEX_AT(start, row + 1);\n"
    "real_t level[58], s0, s1, s2, s3, s4, s5;\n"
    "int depth = 0;\n"
    "s0 = s1 = s2 = s3 = s4 = 0;\n"
    "for (int64_t tile = 0; tile < (end - begin + 127) / 128; tile++) {\n"
    "    const int64_t at = begin + tile * 128;\n"
    "    const int held = end - at < 128 ? (int)(end - at) : 128;\n"
    "    for (int l0 = 0; l0 < 2 && l0 < held; l0++) {\n"
    "        for (int l1 = l0; l1 < l0 + 4 && l1 < held; l1 += 2) {\n"
    "            for (int l2 = l1; l2 < l1 + 8 && l2 < held; l2 += 4) {\n"
    "                for (int l3 = l2; l3 < l2 + 16 && l3 < held; l3 += 8) {\n"
    "                    for (int l4 = l3; l4 < l3 + 32 && l4 < held; l4 += 16) {\n"
    "                        s5 = STN_AT(a, at + l4) * STN_AT(x, STN_INDEX_AT(column, at + l4));\n"
    "                        for (int64_t k = at + l4 + 32; k < at + held; k += 32)\n"
    "                            s5 = fma(STN_AT(a, k), STN_AT(x, STN_INDEX_AT(column, k)), s5);\n"
    "                        s4 = l4 == l3 ? s5 : s4 + s5;\n"
    "                    }\n"
    "                    s3 = l3 == l2 ? s4 : s3 + s4;\n"
    "                }\n"
    "                s2 = l2 == l1 ? s3 : s2 + s3;\n"
    "            }\n"
    "            s1 = l1 == l0 ? s2 : s1 + s2;\n"
    "        }\n"
    "        s0 = l0 == 0 ? s1 : s0 + s1;\n"
    "    }\n"
    "    for (int64_t k = tile; k & 1; k >>= 1)\n"
    "        s0 = level[--depth] + s0;\n"
    "    level[depth++] = s0;\n"
    "}\n"
    "for (; depth > 1; depth--)\n"
    "    level[depth - 2] = level[depth - 2] + level[depth - 1];\n"
    "const real_t sum = depth == 0 ? (real_t)0 : level[0];\n"
    "const real_t product = alpha == 1 ? sum : alpha * sum;\n"
    "updated = beta == 0 ? product : product + beta * y;";

static void no_loop(const stn_tile *tile)
{
    (void)tile;
}

#define PARAMETER(what, of, called)                                                                \
    {                                                                                              \
        .kind = STN_PARAMETER_##what, .name = #called, .rank = of                                  \
    }
static const stn_parameter parameters[] = {
    PARAMETER(REAL, 0, alpha),   PARAMETER(REAL, 0, beta),     PARAMETER(AT, 1, row),
    PARAMETER(GATHER, 1, start), PARAMETER(GATHER, 1, column), PARAMETER(GATHER, 1, a),
    PARAMETER(GATHER, 1, x),     PARAMETER(IN, 0, y),          PARAMETER(OUT, 0, updated)};
static const stn_kernel spmv = {.size = sizeof spmv,
                                .version = STN_KERNEL_VERSION,
                                .count = (int32_t)(sizeof parameters / sizeof *parameters),
                                .name = "spmv",
                                .text = text,
                                .parameters = parameters,
                                .f64 = no_loop,
                                .f32 = no_loop};

/* An array of the matrix, as a view in its memory. */
static stn_status view_array(const stn_csr *csr, const char *name, stn_storage storage,
                             const void *data, int64_t count, stn_view *view)
{
    STN_TRY(stn_view_wrap_const(view, name, storage, data, 1, &count, NULL));
    return stn_view_in_space(view, (stn_space)csr->memory.space);
}

stn_status stn_spmv_remote(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_csr *a, const stn_view *x, double beta, const stn_view *y)
{
    stn_view start, column, values;
    STN_TRY(view_array(a, "row_start", stn_storage_of(STN_I64), a->row_start, a->rows + 1, &start));
    STN_TRY(view_array(a, "column", stn_storage_of(STN_I32), a->column, a->entries, &column));
    STN_TRY(view_array(a, "values", a->storage, a->values, a->entries, &values));
    const stn_argument arguments[] = {{.real = alpha},   {.real = beta},    {.view = &start},
                                      {.view = &column}, {.view = &values}, {.view = x},
                                      {.view = y},       {.view = y}};
    return stn_kernel_run(exec, &spmv, arithmetic, -1, NULL, arguments);
}
