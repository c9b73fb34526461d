/* Rows of a matrix and their entries. */
#include "sparse/product/source.h"

#include "core/status.h"
#include "exec/exec.h"
#include "view/plain.h"

#define STN_TEMPLATE           stn_slice_loops
#define STN_TEMPLATE_TYPE      stn_slice_loops
#define STN_TEMPLATE_INSTANCES STN_SLICE_INSTANCES
#define STN_TEMPLATE_PLANES
#include "format/instance_table.h"

enum { NEAR_BYTES = 384 << 10 }; /* an x of more bytes is not in the second-level cache */
enum { BUFFERED = 1 << 13 };     /* entries of a small matrix */
enum { GATHERED = 8 };           /* entries per row, from which gather instructions convert rows */

int stn_source_is_supported(const stn_exec *exec, const stn_matrix *a)
{
    if (!stn_exec_has_loops(exec) || !stn_sum_rows_is_supported())
        return 0;
    if (a->kind == STN_MATRIX_SLICED && !a->values)
        return stn_view_planes_of(&a->codes) && plane_instances[stn_isa_chosen()];
    if (a->kind == STN_MATRIX_SLICED)
        return a->storage.format < STN_BUILTIN_FORMATS && !stn_matrix_is_complex(a) &&
               instances[stn_isa_chosen()][a->storage.format];
    if (a->kind == STN_MATRIX_PACKED)
        return !stn_matrix_is_complex(a);
    return a->kind == STN_MATRIX_CSR || a->kind == STN_MATRIX_COO;
}

/* ---- opening ---- */

static stn_status open_slices(stn_row_source *source)
{
    const stn_matrix *const a = source->a;
    const stn_isa isa = stn_isa_chosen();
    const int is_wide = source->entries.arithmetic == STN_F64;
    source->slices = (stn_slices){.start = a->slice_start,
                                  .word = a->slice_word,
                                  .codes = a->values,
                                  .run = &source->run,
                                  .count = a->slots,
                                  .entries = &source->entries};
    if (a->kind == STN_MATRIX_PACKED) {
        source->slices.packed = &source->packed;
        source->sum_slices = stn_packed_sums_of(source->entries.arithmetic);
        return stn_packed_open(&source->packed, a, source->entries.arithmetic);
    }
    const stn_slice_loops *const of_format = instances[isa][source->run.real];
    source->sum_slices = is_wide ? of_format->f64 : of_format->f32;
    return STN_OK;
}

void stn_source_close(stn_row_source *source)
{
    stn_packed_close(&source->packed);
}

/* Slices of segmented values. Their affine has the planes; those stored row by row are read. */
static stn_status open_planes(stn_row_source *source, const char *call, const stn_exec *exec)
{
    const stn_planes *const planes = stn_view_planes_of(&source->a->codes);
    const stn_slice_loops *const loops = plane_instances[stn_isa_chosen()];
    STN_TRY(open_slices(source));
    STN_TRY(stn_reader_init(&source->values, call, exec, source->entries.arithmetic,
                            &source->a->codes));
    source->entries.values = &source->values;
    source->slices.codes = planes->upper;
    source->run.affine = stn_planes_affine(planes);
    source->sum_slices = source->entries.arithmetic == STN_F64 ? loops->f64 : loops->f32;
    return STN_OK;
}

/* The first plane alone is read in place. */
static void open_plane(stn_row_entries *entries, const stn_reader *values)
{
    entries->planes = (const char *)(values->planes->upper + values->planes_first);
    entries->are_in_place = values->planes->count == 1 && values->run.affine.plain &&
                            values->planes_step * values->steps[0] == 1 &&
                            entries->arithmetic == STN_F64;
    entries->form = entries->are_in_place ? STN_ROW_UPPERS : STN_ROW_VALUES;
}

/* The form of contiguous codes that rows read in place, and whether there is one. In small
 * matrices, conversion to a buffer of several rows takes less time than that of each row, unless
 * that takes place in registers. */
static int find_form(const stn_matrix *a, stn_format arithmetic, stn_format values_in,
                     stn_row_form *form)
{
#define FORM(NAME, name) [STN_##NAME] = STN_ROW_##NAME,
    static const stn_row_form forms[STN_BUILTIN_FORMATS] = {[STN_F32] = STN_ROW_FLOATS,
                                                            STN_ROW_FORMATS(FORM)};
#undef FORM
    const stn_format format = a->storage.format;
    const int is_converted = arithmetic == STN_F64 && format < STN_BUILTIN_FORMATS &&
                             (format == STN_F32 || a->entries > BUFFERED ||
                              (stn_isa_gathers() && a->entries >= GATHERED * a->rows));
    *form = is_converted ? forms[format] : STN_ROW_VALUES;
    return a->kind != STN_MATRIX_PACKED && a->values && stn_storage_is_plain(&a->storage) &&
           (*form != STN_ROW_VALUES || format == values_in);
}

/* Compressed rows whose arrays are not all contiguous, and sorted entries. */
static stn_status open_views(stn_row_source *source, const char *call, const stn_exec *exec,
                             stn_format values_in)
{
    const stn_matrix *const a = source->a;
    stn_row_entries *const entries = &source->entries;
    STN_TRY(stn_matrix_list_arrays(a, source->views));
    if (!stn_view_is_empty(&a->indices)) {
        STN_TRY(
            stn_indices_init(&source->indices, call, stn_matrix_name(a), "column", &a->indices, 1));
        entries->indices = &source->indices;
    }
    source->is_scaled = !stn_view_is_empty(&a->scales);
    if (source->is_scaled)
        STN_TRY(stn_reader_init(&source->scales, call, exec, entries->arithmetic, &a->scales));
    if (entries->codes)
        return STN_OK;
    const stn_view *const values = &source->views[STN_ARRAY_VALUES];
    STN_TRY(stn_reader_init(&source->values, call, exec, values_in, values));
    source->run = source->values.run;
    entries->values = &source->values;
    if (source->values.planes)
        open_plane(entries, &source->values);
    if (source->values.plain && source->values.steps[0] == 1) {
        entries->codes = stn_reader_at(&source->values, 0);
        entries->are_in_place = stn_view_is_of_values(values, values_in);
    }
    return STN_OK;
}

stn_status stn_source_open(stn_row_source *source, const char *call, const stn_exec *exec,
                           stn_format arithmetic, const stn_run *run, const stn_matrix *a)
{
    const stn_format complex = arithmetic == STN_F64 ? STN_C128 : STN_C64;
    const int64_t parts = stn_matrix_is_complex(a) ? 2 : 1;
    const stn_format values_in = parts == 2 ? complex : arithmetic;
    source->a = a;
    source->run = *run;
    source->is_scaled = 0;
    source->sum_slices = NULL;
    source->packed.table = NULL;
    source->entries = (stn_row_entries){
        .arithmetic = arithmetic,
        .parts = parts,
        .count = a->entries,
        .column = a->column,
        .codes = a->kind == STN_MATRIX_PACKED ? NULL : a->values,
        .run = &source->run,
        .is_far = a->columns * parts * stn_arithmetic_bytes(arithmetic) > NEAR_BYTES,
        .has_gathers = stn_isa_gathers()};
    source->entries.are_in_place = find_form(a, arithmetic, values_in, &source->entries.form);
    if (a->kind == STN_MATRIX_SLICED && !a->values)
        return open_planes(source, call, exec);
    if (stn_matrix_has_slices(a))
        return open_slices(source);
    STN_TRY(stn_starts_init(&source->starts, call, a));
    source->entries.are_irregular = stn_starts_are_irregular(&source->starts);
    return a->column && a->values && stn_view_is_empty(&a->scales)
               ? STN_OK
               : open_views(source, call, exec, values_in);
}

/* ---- sums ---- */

/* Decodes scales of rows into the arithmetic type. */
static void read_scales(const stn_row_source *source, double *scales, int64_t row, int64_t count)
{
    float narrow[STN_ROW_BATCH];
    const int64_t step = source->scales.steps[0];
    if (source->entries.arithmetic == STN_F64) {
        stn_read(&source->scales, scales, row * step, step, count);
        return;
    }
    stn_read(&source->scales, narrow, row * step, step, count);
    for (int64_t r = 0; r < count; r++)
        scales[r] = (double)narrow[r];
}

void stn_source_sum(const stn_row_source *source, const stn_right *right, double *sums,
                    int64_t first, int64_t count)
{
    int64_t buffer[STN_ROW_BATCH + 1];
    double scales[STN_ROW_BATCH];
    if (source->sum_slices) {
        source->sum_slices(sums, &source->slices, first, count, right->x);
        return;
    }
    const int64_t *const start = stn_starts_read(&source->starts, buffer, first, count + 1);
    if (source->is_scaled)
        read_scales(source, scales, first, count);
    stn_sum_rows(&source->entries, right, sums, start, source->is_scaled ? scales : NULL, count);
}

int64_t stn_source_share(const stn_row_source *source, int64_t part, int64_t parts)
{
    return source->sum_slices ? stn_slices_share(source->a, part, parts)
                              : stn_starts_share(&source->starts, part, parts);
}
