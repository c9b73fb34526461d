/* Creation of distributed matrices from compressed rows. */
#include "distribute/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "format/registry.h"
#include "view/view.h"

/* ---- the arrays of the caller ---- */

static int64_t index_of(const void *indices, stn_format format, int64_t k)
{
    return format == STN_I64 ? ((const int64_t *)indices)[k] : ((const int32_t *)indices)[k];
}

static int64_t start_of(const stn_csr_arrays *rows, int64_t row)
{
    return index_of(rows->row_start, rows->row_start_format, row);
}

static int64_t column_of(const stn_csr_arrays *rows, int64_t entry)
{
    return index_of(rows->column, rows->column_format, entry);
}

static stn_status expect_indices(const char *call, const stn_csr_arrays *rows)
{
    if (start_of(rows, 0) != 0)
        return stn_fail(STN_ERR_RANGE, "%s: the first row start is %lld; it must be 0", call,
                        (long long)start_of(rows, 0));
    for (int64_t row = 0; row < rows->rows; row++)
        if (start_of(rows, row + 1) < start_of(rows, row))
            return stn_fail(STN_ERR_RANGE,
                            "%s: the start of row %lld is less than that of the "
                            "previous row",
                            call, (long long)row + 1);
    const int64_t entries = start_of(rows, rows->rows);
    if (entries > 0 && (!rows->column || !rows->values))
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call,
                        rows->column ? "values" : "column");
    for (int64_t k = 0; k < entries; k++)
        if (column_of(rows, k) < 0 || column_of(rows, k) >= rows->columns)
            return stn_fail(STN_ERR_RANGE, "%s: column %lld is out of range (0 to %lld)", call,
                            (long long)column_of(rows, k), (long long)rows->columns - 1);
    return STN_OK;
}

/* Is it a format of separate elements? */
static int has_elements(stn_format format)
{
    const stn_format_entry *const entry = stn_format_entry_of(format);
    return entry && entry->info.block_elements <= 1;
}

static int is_index(stn_format format)
{
    return format == STN_I32 || format == STN_I64;
}

static stn_status expect_rows(const char *call, const stn_partition *p, const stn_csr_arrays *given,
                              stn_csr_arrays *rows)
{
    static const stn_storage none = {0};
    STN_TRY(STN_STRUCT_READ(rows, given, stn_csr_arrays, storage, call));
    if (memcmp(&rows->storage, &none, sizeof none) == 0)
        rows->storage = stn_storage_of(STN_F64);
    if (!is_index(rows->row_start_format) || !is_index(rows->column_format) ||
        !has_elements(rows->storage.format))
        return stn_fail(STN_ERR_FORMAT, "%s: %s", call,
                        is_index(rows->row_start_format) && is_index(rows->column_format)
                            ? "the format of the values is invalid or has blocks"
                            : "indices must be i32 or i64");
    if (rows->rows != stn_partition_count(p) || rows->columns != p->rows)
        return stn_fail(
            STN_ERR_SHAPE,
            "%s: the arrays have %lld rows and %lld columns; this rank has %lld of %lld "
            "rows",
            call, (long long)rows->rows, (long long)rows->columns,
            (long long)stn_partition_count(p), (long long)p->rows);
    if (!rows->row_start)
        return stn_fail(STN_ERR_ARGUMENT, "%s: row_start is NULL", call);
    return expect_indices(call, rows);
}

/* ---- parts of the rows ---- */

/* Selected rows with renumbered columns. */
typedef struct part {
    const stn_csr_arrays *from;
    int64_t rows, columns, entries;
    int64_t *start;
    int32_t *column;
    char *values;
    int64_t value_bytes;
} part;

static void release_part(part *p)
{
    stn_free(p->start);
    stn_free(p->column);
    stn_free(p->values);
}

static stn_status allocate_part(part *p, const stn_csr_arrays *from, int64_t rows, int64_t columns,
                                int64_t entries)
{
    *p = (part){.from = from, .rows = rows, .columns = columns};
    p->value_bytes = stn_format_entry_of(from->storage.format)->info.bytes;
    if (columns > INT32_MAX)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "a rank uses %lld columns of a distributed matrix; the maximum is 2^31 - 1",
                        (long long)columns);
    STN_TRY(stn_allocate(&p->start, rows + 1, sizeof *p->start, "rows of a matrix"));
    STN_TRY(stn_allocate(&p->column, entries, sizeof *p->column, "columns of a matrix"));
    STN_TRY(stn_allocate(&p->values, entries, (size_t)p->value_bytes, "values of a matrix"));
    p->start[0] = 0;
    p->rows = 0;
    return STN_OK;
}

static void add_entry(part *p, int64_t entry, int64_t column)
{
    p->column[p->entries] = (int32_t)column;
    memcpy(p->values + p->entries * p->value_bytes,
           (const char *)p->from->values + entry * p->value_bytes, (size_t)p->value_bytes);
    p->entries++;
}

static void end_row(part *p)
{
    p->start[++p->rows] = p->entries;
}

/* The matrix owns its arrays. */
static stn_status convert(const stn_exec *exec, const part *p, stn_matrix_kind kind,
                          const stn_storage *storage, stn_matrix **made)
{
    stn_matrix *wrapped;
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = p->from->label,
                                   .rows = p->rows,
                                   .columns = p->columns,
                                   .row_start = p->start,
                                   .column = p->column,
                                   .values = p->values,
                                   .row_start_format = STN_I64,
                                   .column_format = STN_I32,
                                   .storage = p->from->storage};
    STN_TRY(stn_matrix_wrap_csr(&wrapped, &arrays));
    const stn_status status = stn_sparse_convert(exec, made, wrapped, kind, storage);
    stn_matrix_release(wrapped);
    return status;
}

/* ---- interior and boundary ---- */

static int is_owned(const stn_partition *p, int64_t column)
{
    const int64_t first = stn_partition_first(p);
    return column >= first && column < first + stn_partition_count(p);
}

static int is_in_boundary(const stn_partition *p, const stn_csr_arrays *rows, int64_t row)
{
    for (int64_t k = start_of(rows, row); k < start_of(rows, row + 1); k++)
        if (!is_owned(p, column_of(rows, k)))
            return 1;
    return 0;
}

static int compare(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Lists the rows of the boundary and, ascending, their columns. */
static stn_status find_boundary(const stn_csr_arrays *rows, stn_distributed_matrix *a)
{
    const stn_partition *const p = a->partition;
    int64_t entries = 0, count = 0;
    STN_TRY(stn_allocate(&a->boundary_rows, rows->rows, sizeof *a->boundary_rows,
                         "rows of the boundary"));
    for (int64_t row = 0; row < rows->rows; row++)
        if (is_in_boundary(p, rows, row)) {
            a->boundary_rows[a->boundary_count++] = row;
            entries += start_of(rows, row + 1) - start_of(rows, row);
        }
    STN_TRY(
        stn_allocate(&a->halo.needed, entries, sizeof *a->halo.needed, "columns of the boundary"));
    for (int64_t k = 0; k < a->boundary_count; k++)
        for (int64_t e = start_of(rows, a->boundary_rows[k]);
             e < start_of(rows, a->boundary_rows[k] + 1); e++)
            a->halo.needed[count++] = column_of(rows, e);
    if (count > 0)
        qsort(a->halo.needed, (size_t)count, sizeof *a->halo.needed, compare);
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || a->halo.needed[k] != a->halo.needed[a->halo.needed_count - 1])
            a->halo.needed[a->halo.needed_count++] = a->halo.needed[k];
    return STN_OK;
}

static stn_status build_boundary(const stn_exec *exec, const stn_csr_arrays *rows,
                                 const stn_storage *storage, stn_distributed_matrix *a)
{
    const stn_halo *const halo = &a->halo;
    int64_t entries = 0;
    part boundary;
    if (a->boundary_count == 0)
        return STN_OK;
    for (int64_t k = 0; k < a->boundary_count; k++)
        entries += start_of(rows, a->boundary_rows[k] + 1) - start_of(rows, a->boundary_rows[k]);
    stn_status status =
        allocate_part(&boundary, rows, a->boundary_count, halo->needed_count, entries);
    for (int64_t k = 0; status == STN_OK && k < a->boundary_count; k++) {
        const int64_t row = a->boundary_rows[k];
        for (int64_t e = start_of(rows, row); e < start_of(rows, row + 1); e++) {
            const int64_t column = column_of(rows, e);
            const int64_t *const found = bsearch(&column, halo->needed, (size_t)halo->needed_count,
                                                 sizeof *halo->needed, compare);
            add_entry(&boundary, e, found - halo->needed);
        }
        end_row(&boundary);
    }
    if (status == STN_OK)
        status = convert(exec, &boundary, STN_MATRIX_CSR, storage, &a->boundary);
    release_part(&boundary);
    return status;
}

/* Rows of this rank and entries of its columns; without those of the boundary, if there is one. */
static stn_status build_interior(const stn_exec *exec, const stn_partition *p,
                                 const stn_csr_arrays *rows, const stn_distributed_matrix *a,
                                 stn_matrix_kind kind, const stn_storage *storage,
                                 stn_matrix **made)
{
    const int64_t first = stn_partition_first(p);
    part interior;
    stn_status status =
        allocate_part(&interior, rows, rows->rows, rows->rows, start_of(rows, rows->rows));
    for (int64_t row = 0, k = 0; status == STN_OK && row < rows->rows; row++) {
        const int is_left_out = a && k < a->boundary_count && a->boundary_rows[k] == row;
        k += is_left_out;
        for (int64_t e = start_of(rows, row); !is_left_out && e < start_of(rows, row + 1); e++)
            if (is_owned(p, column_of(rows, e)))
                add_entry(&interior, e, column_of(rows, e) - first);
        end_row(&interior);
    }
    if (status == STN_OK)
        status = convert(exec, &interior, kind, storage, made);
    release_part(&interior);
    return status;
}

static stn_status allocate_buffers(stn_distributed_matrix *a)
{
    const int64_t needed = a->halo.needed_count, sent = a->halo.sent_count;
    STN_TRY(stn_allocate(&a->out, sent, STN_ELEMENT_BYTES, "elements to send"));
    STN_TRY(stn_allocate(&a->x, needed, STN_ELEMENT_BYTES, "elements of other ranks"));
    STN_TRY(stn_allocate(&a->y, a->boundary_count, STN_ELEMENT_BYTES, "rows of the boundary"));
    if (a->exchange_format == STN_F64)
        return STN_OK;
    return stn_allocate(&a->narrow, sent + needed, STN_ELEMENT_BYTES, "elements to send");
}

static stn_status build(const stn_exec *exec, const stn_partition *p, const stn_csr_arrays *given,
                        const stn_distributed_options *options, stn_distributed_matrix **made)
{
    static const char call[] = "stn_distributed_matrix_create: rows";
    stn_distributed_options known = STN_DISTRIBUTED_OPTIONS_INIT;
    stn_csr_arrays rows;
    if (options)
        STN_TRY(STN_STRUCT_READ(&known, options, stn_distributed_options, storage,
                                "stn_distributed_matrix_create: options"));
    STN_TRY(expect_rows(call, p, given, &rows));
    if (known.storage && !has_elements(known.storage->format))
        return stn_fail(STN_ERR_FORMAT,
                        "stn_distributed_matrix_create: the format of options.storage is invalid "
                        "or has blocks");
    if (!has_elements(known.exchange_format))
        return stn_fail(
            STN_ERR_FORMAT,
            "stn_distributed_matrix_create: exchange_format is %d, which is not a format of "
            "separate elements",
            (int)known.exchange_format);
    STN_TRY(stn_allocate(made, 1, sizeof **made, "a distributed matrix"));
    stn_distributed_matrix *const a = *made;
    memset(a, 0, sizeof *a);
    a->partition = p;
    a->entries = start_of(&rows, rows.rows);
    a->exchange_format = known.exchange_format;
    if (rows.label) {
        STN_TRY(stn_allocate(&a->label, (int64_t)strlen(rows.label) + 1, 1, "a label"));
        memcpy(a->label, rows.label, strlen(rows.label) + 1);
    }
    STN_TRY(find_boundary(&rows, a));
    STN_TRY(stn_halo_create(p, &a->halo));
    STN_TRY(allocate_buffers(a));
    if (rows.rows > 0)
        STN_TRY(build_interior(exec, p, &rows, a, known.kind, known.storage, &a->interior));
    return build_boundary(exec, &rows, known.storage, a);
}

stn_status stn_distributed_matrix_create(const stn_exec *exec, stn_distributed_matrix **made,
                                         const stn_partition *partition, const stn_csr_arrays *rows,
                                         const stn_distributed_options *options)
{
    stn_distributed_matrix *a = NULL;
    if (!partition)
        return stn_fail(STN_ERR_ARGUMENT, "stn_distributed_matrix_create: partition is NULL");
    stn_comm_begin(partition->comm);
    stn_status status =
        made ? build(exec, partition, rows, options, &a)
             : stn_fail(STN_ERR_ARGUMENT, "stn_distributed_matrix_create: made is NULL");
    status = stn_comm_end(partition->comm, status, STN_COMM_ENDS_TOGETHER);
    if (status != STN_OK) {
        stn_distributed_matrix_release(a);
        a = NULL;
    }
    if (made)
        *made = a;
    return status;
}

void stn_distributed_matrix_release(stn_distributed_matrix *a)
{
    if (!a)
        return;
    stn_matrix_release(a->interior);
    stn_matrix_release(a->boundary);
    stn_halo_release(&a->halo);
    stn_free(a->boundary_rows);
    stn_free(a->label);
    stn_free(a->out);
    stn_free(a->narrow);
    stn_free(a->x);
    stn_free(a->y);
    stn_free(a);
}

stn_status stn_distributed_local_matrix(const stn_exec *exec, stn_matrix **made,
                                        const stn_partition *partition, const stn_csr_arrays *given)
{
    stn_csr_arrays rows;
    if (!made || !partition)
        return stn_fail(STN_ERR_ARGUMENT, "stn_distributed_local_matrix: %s is NULL",
                        made ? "partition" : "made");
    *made = NULL;
    STN_TRY(expect_rows("stn_distributed_local_matrix: rows", partition, given, &rows));
    return build_interior(exec, partition, &rows, NULL, STN_MATRIX_CSR, NULL, made);
}

/* ---- properties ---- */

static stn_status add_bytes(const stn_matrix *matrix, int64_t *bytes)
{
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    if (!matrix)
        return STN_OK;
    STN_TRY(stn_matrix_describe(matrix, &info));
    *bytes += info.bytes;
    return STN_OK;
}

stn_status stn_distributed_matrix_describe(const stn_distributed_matrix *a,
                                           stn_distributed_info *info)
{
    STN_TRY(STN_STRUCT_CHECK(info, stn_distributed_info, bytes,
                             "stn_distributed_matrix_describe: info"));
    if (!a)
        return stn_fail(STN_ERR_ARGUMENT, "stn_distributed_matrix_describe: a is NULL");
    const stn_halo *const halo = &a->halo;
    const int64_t owned = halo->owned_end - halo->owned_begin;
    stn_distributed_info known = {.size = sizeof known,
                                  .rows = stn_partition_count(a->partition),
                                  .boundary_rows = a->boundary_count,
                                  .entries = a->entries,
                                  .ghosts = halo->needed_count - owned,
                                  .sent = halo->sent_count,
                                  .receives = halo->receive_count,
                                  .sends = halo->send_count};
    known.bytes = (halo->needed_count + halo->sent_count + a->boundary_count) *
                  (STN_ELEMENT_BYTES + (int64_t)sizeof(int64_t));
    STN_TRY(add_bytes(a->interior, &known.bytes));
    STN_TRY(add_bytes(a->boundary, &known.bytes));
    STN_STRUCT_WRITE(info, &known, stn_distributed_info);
    return STN_OK;
}
