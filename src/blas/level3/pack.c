/* Packing of panels, and blocks of their products. */
#include "blas/level3/pack.h"

#include "core/memory.h"

typedef struct panel {
    const stn_packs *packs;
    stn_lines a, b;
    char *to;
    int64_t m, n, k, row_step, value_bytes;
    int64_t row_packs, column_packs;
} panel;

/* ---- selection of the kernel ---- */

#define STN_TEMPLATE      stn_block_kernels
#define STN_TEMPLATE_TYPE const stn_block_kernels
#include "format/arithmetic_table.h"

const stn_block_kernel *stn_block_kernel_of(stn_format arithmetic)
{
    const int is_narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    const stn_block_kernels *const kernels = loops[stn_isa_chosen()][is_narrow];
    if (!kernels)
        return NULL;
    return arithmetic == STN_F64 || arithmetic == STN_F32 ? &kernels->real : &kernels->complex;
}

/* ---- packs ---- */

static int64_t packs_of(int64_t lines, int wide)
{
    return (lines + wide - 1) / wide;
}

static int64_t bytes_of(stn_format arithmetic)
{
    return stn_format_entry_of(arithmetic)->info.bytes;
}

stn_status stn_packs_create(stn_packs *packs, stn_format arithmetic, const stn_block_kernel *kernel,
                            int64_t rows, int64_t columns, int64_t depth)
{
    const size_t bytes = (size_t)(depth * bytes_of(arithmetic));
    packs->kernel = kernel;
    packs->arithmetic = arithmetic;
    packs->rows = packs->columns = NULL;
    STN_TRY(stn_allocate(&packs->rows, packs_of(rows, kernel->rows) * kernel->rows, bytes,
                         "packed rows"));
    return stn_allocate(&packs->columns, packs_of(columns, kernel->columns) * kernel->columns,
                        bytes, "packed columns");
}

void stn_packs_release(stn_packs *packs)
{
    stn_free(packs->rows);
    stn_free(packs->columns);
    packs->rows = packs->columns = NULL;
}

static char *pack_at(const panel *p, void *packs, int64_t number, int wide)
{
    return (char *)packs + number * wide * p->k * p->value_bytes;
}

static void pack_one(const panel *p, int64_t number, int is_column)
{
    const stn_block_kernel *const kernel = p->packs->kernel;
    const stn_lines *const all = is_column ? &p->b : &p->a;
    const int wide = is_column ? kernel->columns : kernel->rows;
    const int64_t first = number * wide, left = (is_column ? p->n : p->m) - first;
    const stn_lines from = {(const char *)all->values + first * all->across * p->value_bytes,
                            all->along, all->across};
    (is_column ? kernel->pack_columns : kernel->pack_rows)(
        pack_at(p, is_column ? p->packs->columns : p->packs->rows, number, wide), &from,
        left < wide ? left : wide, p->k);
}

static void pack_share(void *context, int part, int parts)
{
    const panel *p = context;
    int64_t begin, end;
    stn_share(p->row_packs, part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k++)
        pack_one(p, k, 0);
    stn_share(p->column_packs, part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k++)
        pack_one(p, k, 1);
}

/* ---- products ---- */

static void sum_block(const panel *p, int64_t row_pack, int64_t column_pack)
{
    const stn_block_kernel *const kernel = p->packs->kernel;
    const int64_t row = row_pack * kernel->rows, column = column_pack * kernel->columns;
    const int64_t rows = p->m - row, columns = p->n - column;
    kernel->sum(p->to + (row * p->row_step + column) * p->value_bytes, p->row_step,
                pack_at(p, p->packs->rows, row_pack, kernel->rows),
                pack_at(p, p->packs->columns, column_pack, kernel->columns), p->k,
                rows < kernel->rows ? rows : kernel->rows,
                columns < kernel->columns ? columns : kernel->columns);
}

static void sum_share(void *context, int part, int parts)
{
    const panel *p = context;
    int64_t begin, end;
    stn_share(p->row_packs * p->column_packs, part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k++)
        sum_block(p, k % p->row_packs, k / p->row_packs);
}

void stn_block_product(const stn_exec *exec, const stn_packs *packs, const stn_view *a,
                       const stn_view *b, const stn_view *to)
{
    const int64_t m = to->extent[0], n = to->extent[1], k = a->extent[1];
    const int64_t bytes = bytes_of(packs->arithmetic);
    panel p = {.packs = packs,
               .a = {a->data, a->stride[1], a->stride[0]},
               .b = {b->data, b->stride[0], b->stride[1]},
               .to = to->data,
               .m = m,
               .n = n,
               .k = k,
               .row_step = to->stride[0],
               .value_bytes = bytes,
               .row_packs = packs_of(m, packs->kernel->rows),
               .column_packs = packs_of(n, packs->kernel->columns)};
    stn_exec_run_sized(exec, (double)(m + n) * (double)(k * bytes), pack_share, &p);
    stn_exec_run_sized(exec, (double)m * (double)n * (double)k, sum_share, &p);
}
