/* Conversion between kinds of sparse matrices, by way of plain compressed rows, and conversion of
 * their values. */
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "sparse/kinds/cost.h"
#include "sparse/kinds/layout.h"
#include "sparse/matrix.h"
#include "sparse/kinds/packed.h"
#include "sparse/kinds/plain.h"
#include "sparse/kinds/slice.h"
#include "view/overlap.h"
#include "view/reader.h"

static int64_t code_bytes(stn_format format)
{
    return stn_format_entry_of(format)->info.bytes;
}

/* ---- values ---- */

/* Multiplies values by the scales of their rows; the results are f64 or c128. */
static stn_status scale_values(stn_matrix *rows, stn_view *values)
{
    const int64_t parts = stn_matrix_is_complex(rows) ? 2 : 1;
    double *const value = values->data, scale;
    stn_reader scales;
    STN_TRY(stn_reader_init(&scales, "stn_sparse_convert", NULL, STN_F64, &rows->scales));
    for (int64_t row = 0; row < rows->rows; row++) {
        stn_read(&scales, &scale, row * scales.steps[0], scales.steps[0], 1);
        for (int64_t k = rows->row_start[row] * parts; k < rows->row_start[row + 1] * parts; k++)
            value[k] *= scale;
    }
    rows->scales = (stn_view){0};
    return STN_OK;
}

static stn_status copy_values(const stn_exec *exec, const stn_storage *storage, int64_t count,
                              const stn_view *from, stn_view *result)
{
    STN_TRY(
        stn_view_create_spec(NULL, result,
                             &STN_VIEW_SPEC(.label = from->label, .storage = *storage, .rank = 1,
                                            .extents = &count, .flags = STN_CREATE_UNINITIALIZED)));
    return count > 0 ? stn_view_copy(exec, result, from) : STN_OK;
}

/* Converts the codes of plain compressed rows, or of slices, to another storage, in separate
 * memory. `wide` is workspace for the values multiplied by their scales. */
static stn_status convert_values(const stn_exec *exec, stn_matrix *rows, const stn_storage *storage,
                                 stn_view *wide, stn_view *codes)
{
    const int64_t count = rows->kind == STN_MATRIX_SLICED ? rows->slots : rows->entries;
    const stn_storage f64 = stn_storage_of(stn_matrix_is_complex(rows) ? STN_C128 : STN_F64);
    stn_view old = rows->codes;
    if (rows->values || count == 0)
        STN_TRY(stn_view_wrap_const(&old, stn_matrix_name(rows), rows->storage, rows->values, 1,
                                    &count));
    if (!stn_view_is_empty(&rows->scales)) {
        STN_TRY(copy_values(exec, &f64, count, &old, wide));
        STN_TRY(scale_values(rows, wide));
        old = *wide;
    }
    STN_TRY(copy_values(exec, storage, count, &old, codes));
    rows->storage = *storage;
    rows->values = codes->data;
    rows->codes = (stn_view){0};
    return STN_OK;
}

/* ---- bytes ---- */

static int64_t bytes_of_starts(const stn_matrix *csr)
{
    return 2 * (stn_slices_of(csr->rows) + 1) * (int64_t)sizeof(int64_t);
}

/* A sliced matrix keeps its slices. */
static int64_t bytes_of_slices(const stn_matrix *csr, const stn_matrix *rows, int64_t code)
{
    int64_t bytes = bytes_of_starts(csr), slots = csr->slots, words = csr->words;
    if (csr->kind == STN_MATRIX_SLICED)
        return bytes + slots * code + words * (int64_t)sizeof(int32_t);
    for (int64_t slice = 0; slice < stn_slices_of(csr->rows); slice++) {
        stn_slice_measure(rows, slice, code, 0, &slots, &words);
        bytes += slots * code + words * (int64_t)sizeof(int32_t);
    }
    return bytes;
}

/* Packed slices with a dictionary of `distinct` codes. */
static int64_t bytes_of_packed(const stn_matrix *rows, int64_t distinct, int64_t code)
{
    const int64_t bits = stn_packed_bits(distinct), index = bits == 16 ? 2 : 1;
    int64_t bytes = bytes_of_starts(rows) + distinct * code + STN_PACKED_PADDING;
    for (int64_t slice = 0; slice < stn_slices_of(rows->rows); slice++) {
        int64_t slots, words;
        stn_slice_measure(rows, slice, index, 1, &slots, &words);
        bytes += (slots + STN_SLICE_ROWS - 1) / STN_SLICE_ROWS * (STN_SLICE_ROWS / 8) * bits +
                 words * (int64_t)sizeof(int32_t);
    }
    return bytes;
}

/* The number of distinct values of plain compressed rows, converted to the format, and the bytes of
 * packed slices, or 0 if there are too many values. */
static stn_status measure_values(const stn_matrix *rows, stn_format format, int64_t *distinct,
                                 int64_t *bytes)
{
    const stn_storage storage = stn_storage_of(format);
    stn_matrix converted = *rows;
    stn_view wide = {0}, codes = {0};
    stn_status status = STN_OK;
    if (format != rows->storage.format || !stn_view_is_empty(&rows->scales))
        status = convert_values(NULL, &converted, &storage, &wide, &codes);
    if (status == STN_OK)
        status = stn_packed_count(&converted, distinct);
    *bytes = status == STN_OK && *distinct <= STN_PACKED_DISTINCT
                 ? bytes_of_packed(&converted, *distinct, code_bytes(format))
                 : 0;
    (void)stn_view_release(&wide);
    (void)stn_view_release(&codes);
    return status;
}

static stn_status measure_packed(const char *call, const stn_matrix *rows, stn_format format,
                                 int64_t *bytes)
{
    int64_t distinct;
    STN_TRY(measure_values(rows, format, &distinct, bytes));
    return distinct > STN_PACKED_DISTINCT ? stn_packed_refuse(call, rows) : STN_OK;
}

/* A slice stores the ends of its rows in 32 bits. */
static stn_status expect_slices(const char *call, const stn_matrix *csr)
{
    for (int64_t slice = 0; slice < stn_slices_of(csr->rows); slice++) {
        const int64_t row = slice * STN_SLICE_ROWS, left = csr->rows - row;
        const int64_t end = row + (left < STN_SLICE_ROWS ? left : STN_SLICE_ROWS);
        if (csr->row_start[end] - csr->row_start[row] > INT32_MAX)
            return stn_fail(STN_ERR_UNSUPPORTED,
                            "%s: %s has 2^31 or more entries in the 16 rows of a slice", call,
                            stn_matrix_name(csr));
    }
    return STN_OK;
}

/* The bytes of a matrix of one kind, from plain compressed rows. */
static stn_status measure_kind(const char *call, const stn_matrix *csr, const stn_matrix *rows,
                               stn_format format, stn_matrix_kind kind, int64_t *bytes)
{
    if (kind == STN_MATRIX_PACKED) {
        STN_TRY(expect_slices(call, rows));
        return measure_packed(call, rows, format, bytes);
    }
    if (kind != STN_MATRIX_SLICED)
        return stn_layout_measure(call, rows, code_bytes(format), kind, STN_SELL_HEIGHT,
                                  STN_SELL_SIGMA, bytes);
    if (csr->kind != STN_MATRIX_SLICED)
        STN_TRY(expect_slices(call, rows));
    *bytes = bytes_of_slices(csr, rows, code_bytes(format));
    return STN_OK;
}

/* Longest row of which sums of complex slices stay in registers. Longer rows are slower in slices
 * than in compressed rows. */
enum { MAX_COMPLEX_ENTRIES = 32 };

static int is_faster_in_slices(const stn_matrix *rows, stn_format format)
{
    if (stn_format_entry_of(format)->info.kind == STN_CLASS_COMPLEX)
        return rows->entries / MAX_COMPLEX_ENTRIES <= rows->rows;
    return stn_cost_prefers_slices(rows, format);
}

/* Replaces slices by packed ones if these are preferred. */
static stn_status prefer_packed(const stn_matrix *rows, stn_format format, stn_matrix_kind *kind,
                                int64_t *bytes)
{
    int64_t distinct, packed;
    STN_TRY(measure_values(rows, format, &distinct, &packed));
    if (distinct <= STN_PACKED_DISTINCT &&
        stn_cost_prefers_packed(rows, distinct, *bytes, packed)) {
        *kind = STN_MATRIX_PACKED;
        *bytes = packed;
    }
    return STN_OK;
}

/* Packed slices are selected on the host only. */
static stn_status choose_kind(const char *call, const stn_matrix *csr, const stn_matrix *rows,
                              stn_format format, int is_on_host, stn_matrix_kind *kind,
                              int64_t *bytes)
{
    const int keeps_scales = !stn_view_is_empty(&rows->scales) && format == rows->storage.format;
    int64_t slice_bytes;
    if (*kind != STN_MATRIX_AUTO)
        return measure_kind(call, csr, rows, format, *kind, bytes);
    *kind = STN_MATRIX_CSR;
    STN_TRY(measure_kind(call, csr, rows, format, STN_MATRIX_CSR, bytes));
    if (keeps_scales || !is_faster_in_slices(rows, format))
        return STN_OK;
    STN_TRY(measure_kind(call, csr, rows, format, STN_MATRIX_SLICED, &slice_bytes));
    if (slice_bytes < *bytes) {
        *kind = STN_MATRIX_SLICED;
        *bytes = slice_bytes;
    }
    return *kind == STN_MATRIX_SLICED && is_on_host && !stn_matrix_is_complex(rows)
               ? prefer_packed(rows, format, kind, bytes)
               : STN_OK;
}

static stn_status expect_convertible(const char *call, const stn_matrix *csr, stn_format format,
                                     stn_matrix_kind kind)
{
    STN_TRY(stn_matrix_expect_format(stn_matrix_name(csr), format));
    if (kind < STN_MATRIX_AUTO || kind > STN_MATRIX_PACKED)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: kind is %d; it must be STN_MATRIX_AUTO (0) to STN_MATRIX_PACKED (6)",
                        call, (int)kind);
    return STN_OK;
}

static stn_status measure(const stn_matrix *csr, stn_matrix_kind kind, stn_format format,
                          int64_t *bytes)
{
    static const char call[] = "stn_sparse_bytes";
    stn_matrix host, rows;
    STN_TRY(stn_matrix_expect(call, csr));
    STN_TRY(expect_convertible(call, csr, format, kind));
    STN_TRY(stn_matrix_to_host(call, csr, &host));
    const int is_whole = kind == STN_MATRIX_PACKED || kind == STN_MATRIX_AUTO;
    host.duplicates = STN_DUPLICATES_KEEP;
    stn_status status = stn_plain_create(call, NULL, &host, is_whole, NULL, &rows);
    if (status == STN_OK)
        status = choose_kind(call, &host, &rows, format, 1, &kind, bytes);
    (void)stn_view_release(&rows.memory);
    (void)stn_view_release(&host.memory);
    return status;
}

stn_status stn_sparse_bytes(const stn_matrix *a, stn_matrix_kind kind, stn_format format,
                            int64_t *bytes)
{
    if (!bytes)
        return stn_fail(STN_ERR_ARGUMENT, "stn_sparse_bytes: bytes is NULL");
    STN_RETURN_IN_MODES(measure(a, kind, format, bytes));
}

/* ---- slices ---- */

typedef struct folding {
    const stn_matrix *from;
    int64_t code;  /* bytes per code */
    int is_packed; /* codes are indices, and slices begin at multiples of 16 of them */
    int64_t *start;
    int32_t *words;
    char *values;
} folding;

/* Stores the size of each slice at the position after its start. */
static void measure_share(void *context, int part, int parts)
{
    const folding *const job = context;
    int64_t begin, end;
    stn_share(stn_slices_of(job->from->rows), part, parts, &begin, &end);
    for (int64_t slice = begin; slice < end; slice++) {
        int64_t *const size = job->start + 2 * slice + 2;
        stn_slice_measure(job->from, slice, job->code, job->is_packed, size, size + 1);
        if (job->is_packed)
            size[0] = (size[0] + STN_SLICE_ROWS - 1) / STN_SLICE_ROWS * STN_SLICE_ROWS;
    }
}

static void fill_share(void *context, int part, int parts)
{
    const folding *const job = context;
    int64_t begin, end;
    stn_share(stn_slices_of(job->from->rows), part, parts, &begin, &end);
    for (int64_t slice = begin; slice < end; slice++)
        stn_slice_fill(job->from, slice, job->code, job->is_packed, job->from->values,
                       job->values + job->start[2 * slice] * job->code,
                       job->words + job->start[2 * slice + 1]);
}

static stn_status allocate_slices(folding *job, stn_matrix *result, int64_t starts)
{
    const int64_t bytes[STN_ARRAYS] = {starts * (int64_t)sizeof *job->start,
                                       result->words * (int64_t)sizeof *job->words,
                                       result->slots * job->code};
    void *data[STN_ARRAYS];
    STN_TRY(stn_matrix_allocate(NULL, stn_matrix_name(result), bytes, &result->memory, data));
    memcpy(data[STN_ARRAY_STARTS], job->start, (size_t)bytes[STN_ARRAY_STARTS]);
    result->row_start = NULL;
    result->column = NULL;
    result->slice_start = data[STN_ARRAY_STARTS];
    result->slice_word = job->words = data[STN_ARRAY_INDICES];
    result->values = job->values = data[STN_ARRAY_VALUES];
    return STN_OK;
}

static stn_status fold(const stn_exec *exec, const stn_matrix *from, int is_packed,
                       stn_matrix *result)
{
    folding job = {.from = from, .code = code_bytes(from->storage.format), .is_packed = is_packed};
    const int64_t slices = stn_slices_of(from->rows);
    const double bytes = 12.0 * (double)from->entries;
    STN_TRY(stn_allocate(&job.start, 2 * (slices + 1), sizeof *job.start, "slices of a matrix"));
    job.start[0] = job.start[1] = 0;
    stn_exec_run_sized(exec, bytes, measure_share, &job);
    for (int64_t k = 2; k < 2 * (slices + 1); k++)
        job.start[k] += job.start[k - 2];
    *result = *from;
    result->read_only = 0;
    result->kind = STN_MATRIX_SLICED;
    result->slots = job.start[2 * slices];
    result->words = job.start[2 * slices + 1];
    const stn_status status = allocate_slices(&job, result, 2 * (slices + 1));
    if (status == STN_OK && is_packed) /* unused slots */
        memset(job.values, 0, (size_t)(result->slots * job.code));
    if (status == STN_OK)
        stn_exec_run_sized(exec, bytes, fill_share, &job);
    stn_free(job.start);
    return status;
}

/* ---- packed slices ---- */

/* Copies slices of indices, packed, and the dictionary to the memory of the result. */
static stn_status pack_slices(const stn_matrix *slices, const stn_dictionary *dictionary,
                              const stn_storage *storage, stn_matrix *result)
{
    const int64_t starts = 2 * (stn_slices_of(slices->rows) + 1);
    const int64_t bytes[STN_ARRAYS] = {
        [STN_ARRAY_STARTS] = starts * (int64_t)sizeof *slices->slice_start,
        [STN_ARRAY_INDICES] = slices->words * (int64_t)sizeof *slices->slice_word,
        [STN_ARRAY_VALUES] = stn_packed_bytes(slices->slots, dictionary->bits),
        [STN_ARRAY_DICTIONARY] = dictionary->distinct * code_bytes(storage->format)};
    void *data[STN_ARRAYS];
    *result = *slices;
    STN_TRY(stn_matrix_allocate(NULL, stn_matrix_name(slices), bytes, &result->memory, data));
    memcpy(data[STN_ARRAY_STARTS], slices->slice_start, (size_t)bytes[STN_ARRAY_STARTS]);
    if (slices->words > 0)
        memcpy(data[STN_ARRAY_INDICES], slices->slice_word, (size_t)bytes[STN_ARRAY_INDICES]);
    stn_packed_store(data[STN_ARRAY_VALUES], slices->values, slices->slots, dictionary->bits);
    if (dictionary->distinct > 0)
        memcpy(data[STN_ARRAY_DICTIONARY], dictionary->codes, (size_t)bytes[STN_ARRAY_DICTIONARY]);
    result->kind = STN_MATRIX_PACKED;
    result->storage = *storage;
    result->slice_start = data[STN_ARRAY_STARTS];
    result->slice_word = data[STN_ARRAY_INDICES];
    result->values = data[STN_ARRAY_VALUES];
    result->dictionary = data[STN_ARRAY_DICTIONARY];
    result->distinct = dictionary->distinct;
    result->bits = dictionary->bits;
    return STN_OK;
}

/* Slices of the indices, which are packed afterwards. */
static stn_status pack(const stn_exec *exec, const stn_matrix *rows, stn_matrix *result)
{
    stn_matrix indices = *rows, slices = {.size = 0};
    stn_dictionary dictionary;
    stn_status status = stn_dictionary_create("stn_sparse_convert", rows, &dictionary);
    if (status == STN_OK) {
        indices.values = dictionary.indices;
        indices.storage = stn_storage_of(dictionary.bits == 16 ? STN_U16 : STN_U8);
        status = fold(exec, &indices, 1, &slices);
    }
    if (status == STN_OK)
        status = pack_slices(&slices, &dictionary, &rows->storage, result);
    (void)stn_view_release(&slices.memory);
    stn_dictionary_release(&dictionary);
    return status;
}

/* ---- values of slices that change ---- */

typedef struct slice_update {
    const stn_matrix *from, *to;
    int64_t code;
    char *values;
} slice_update;

static void update_share(void *context, int part, int parts)
{
    const slice_update *const job = context;
    int64_t begin, end;
    stn_share(stn_slices_of(job->from->rows), part, parts, &begin, &end);
    for (int64_t slice = begin; slice < end; slice++) {
        const int64_t *const start = job->to->slice_start + 2 * slice;
        stn_slice_update(job->from, slice, job->code, job->from->values,
                         job->to->slice_word + start[1], job->values + start[0] * job->code);
    }
}

void stn_matrix_update_slices(const stn_exec *exec, const stn_matrix *rows, stn_matrix *sliced)
{
    slice_update job = {rows, sliced, code_bytes(rows->storage.format),
                        (char *)(uintptr_t)sliced->values};
    stn_exec_run_sized(exec, 16.0 * (double)rows->entries, update_share, &job);
}

static stn_status build(const stn_exec *exec, const stn_matrix *rows, stn_matrix_kind kind,
                        int64_t height, int64_t sigma, stn_matrix *result)
{
    if (kind == STN_MATRIX_SLICED && rows->kind == STN_MATRIX_CSR)
        return fold(exec, rows, 0, result);
    if (kind == STN_MATRIX_PACKED && rows->kind == STN_MATRIX_CSR)
        return pack(exec, rows, result);
    if (kind == rows->kind)
        return stn_matrix_copy(NULL, result, rows);
    return stn_layout_create(exec, rows, kind, height, sigma, result);
}

/* ---- calls ---- */

typedef struct conversion {
    stn_matrix rows;
    stn_view wide, codes;
} conversion;

static stn_status expect_storage(const char *call, const stn_matrix *from, stn_matrix_kind kind,
                                 const stn_storage *storage)
{
    const int are_slices = kind == STN_MATRIX_SLICED || kind == STN_MATRIX_PACKED;
    const int is_scaled = are_slices && !stn_view_is_empty(&from->scales);
    if (storage || (!stn_view_has_scales(&from->codes) && !is_scaled))
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s: storage is NULL, but %s has scales per %s, which require a storage", call,
                    stn_matrix_name(from), is_scaled ? "row" : "entry");
}

/* Slices that remain slices are not converted to compressed rows, nor are packed ones that keep
 * their values. */
static stn_status run(const char *call, const stn_exec *exec, int is_on_host, conversion *job,
                      const stn_matrix *from, stn_matrix_kind kind, int64_t height, int64_t sigma,
                      const stn_storage *storage, stn_matrix *result)
{
    int64_t bytes;
    STN_TRY(expect_storage(call, from, kind, storage));
    if (kind == from->kind &&
        (kind == STN_MATRIX_SLICED || (kind == STN_MATRIX_PACKED && !storage))) {
        job->rows = *from;
        job->rows.memory = (stn_view){0};
    } else {
        STN_TRY(stn_plain_create(call, exec, from, 1, storage, &job->rows));
    }
    if (storage)
        STN_TRY(convert_values(exec, &job->rows, storage, &job->wide, &job->codes));
    if (job->rows.kind == STN_MATRIX_CSR)
        STN_TRY(choose_kind(call, from, &job->rows, job->rows.storage.format, is_on_host, &kind,
                            &bytes));
    return build(exec, &job->rows, kind, height, sigma, result);
}

/* Whether the scales of rows are in memory that a matrix owns. */
static int owns_scales(const stn_matrix *a)
{
    return !stn_view_is_empty(&a->memory) && !stn_view_is_empty(&a->scales) &&
           stn_view_may_share(&a->memory, &a->scales);
}

/* Copies scales of rows that belong to a matrix which may be released before the result. */
static stn_status own_scales(stn_matrix *result)
{
    stn_matrix owned;
    if (stn_view_is_empty(&result->scales))
        return STN_OK;
    const stn_status status = stn_matrix_copy(NULL, &owned, result);
    stn_matrix_clear(result);
    *result = owned;
    return status;
}

static stn_status convert(const char *call, const stn_exec *exec, stn_matrix *result,
                          const stn_matrix *from, stn_matrix_kind kind, int64_t height,
                          int64_t sigma, const stn_storage *storage)
{
    conversion job = {.codes = {0}};
    stn_matrix host;
    if (exec)
        STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_expect(call, from));
    STN_TRY(expect_convertible(call, from, storage ? storage->format : from->storage.format, kind));
    if (storage && stn_matrix_is_complex(from) !=
                       (stn_format_entry_of(storage->format)->info.kind == STN_CLASS_COMPLEX))
        return stn_fail(STN_ERR_FORMAT, "%s: %s is %s, but the format of storage is not", call,
                        stn_matrix_name(from), stn_matrix_is_complex(from) ? "complex" : "real");
    STN_TRY(stn_matrix_to_host(call, from, &host));
    stn_status status = run(call, stn_exec_on_host(exec), !stn_exec_device(exec), &job, &host, kind,
                            height, sigma, storage, result);
    (void)stn_view_release(&job.rows.memory);
    (void)stn_view_release(&job.wide);
    (void)stn_view_release(&job.codes);
    if (status == STN_OK && (!stn_view_is_empty(&host.memory) || owns_scales(from)))
        status = own_scales(result);
    status = stn_matrix_send(call, exec, status, result);
    (void)stn_view_release(&host.memory);
    return status;
}

stn_status stn_matrix_convert(const stn_exec *exec, stn_matrix *result, const stn_matrix *matrix,
                              stn_matrix_kind kind, const stn_storage *storage)
{
    memset(result, 0, sizeof *result);
    return convert("stn_sparse_convert", exec, result, matrix, kind, STN_SELL_HEIGHT,
                   STN_SELL_SIGMA, storage);
}

stn_status stn_sparse_convert(const stn_exec *exec, stn_matrix **result, const stn_matrix *a,
                              stn_matrix_kind kind, const stn_storage *storage)
{
    static const char call[] = "stn_sparse_convert";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(
        stn_matrix_end(call, result, matrix, stn_matrix_convert(exec, matrix, a, kind, storage)));
}

static stn_status convert_sell(const stn_exec *exec, stn_matrix *result, const stn_matrix *from,
                               int64_t height, int64_t sigma, const stn_storage *storage)
{
    static const char call[] = "stn_sparse_convert_sell";
    if (height < 1 || height > INT32_MAX || sigma < 1)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: height is %lld and sigma is %lld; height must be from 1 to %d, and "
                        "sigma at least 1",
                        call, (long long)height, (long long)sigma, INT32_MAX);
    return convert(call, exec, result, from, STN_MATRIX_SELL, height, sigma, storage);
}

stn_status stn_sparse_convert_sell(const stn_exec *exec, stn_matrix **result, const stn_matrix *a,
                                   int64_t height, int64_t sigma, const stn_storage *storage)
{
    static const char call[] = "stn_sparse_convert_sell";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, result, matrix,
                                       convert_sell(exec, matrix, a, height, sigma, storage)));
}
