/* Packed matrices: lines, which are rows or columns, of consecutive elements. */
#ifndef STENO_BLAS_PACKED_H
#define STENO_BLAS_PACKED_H

#include "blas/call.h"
#include "blas/value_lines.h"
#include "view/layout/mapping.h"
#include "view/plain.h"
#include "view/reader.h"

typedef struct stn_packed {
    const stn_mapping *mapping;
    int64_t base;    /* index of the view's first row and column in the packed matrix */
    int are_columns; /* lines are columns of this triangle */
    int ends;        /* lines end at the diagonal; otherwise they begin there */
} stn_packed;

/* Are the elements of a packed matrix's triangle consecutive? */
static inline int stn_packed_of(const stn_view *a, stn_triangle triangle, stn_packed *packed)
{
    int64_t base[STN_MAX_RANK];
    if (!stn_blas_is_packed(a) || a->stride[0] != 1)
        return 0;
    stn_view_base(a, base);
    packed->mapping = stn_view_mapping(a);
    packed->base = base[0];
    packed->are_columns = stn_mapping_grows(packed->mapping) != (triangle == STN_LOWER);
    packed->ends = (triangle == STN_LOWER) != packed->are_columns;
    return 1;
}

/* Elements first to first + count - 1 of a line, decoded. */
static inline void stn_packed_read(const stn_packed *packed, const stn_reader *reader, int64_t line,
                                   int64_t first, int64_t count, void *values)
{
    const int64_t indices[] = {packed->base + line, packed->base + first};
    stn_run_decode(&reader->run, values,
                   stn_reader_at(reader, stn_mapping_offset(packed->mapping, indices)), 1, count);
}

/* Does the matrix consist of values of the arithmetic type, which loops read in place? */
static inline int stn_packed_has_values(const stn_blas_call *call, const stn_view *a)
{
    return a->storage.format == call->arithmetic && a->space == STN_SPACE_HOST &&
           stn_view_has_plain_elements(a);
}

/* A tile of such values at the address of the matrix: `lines` lines from `line` on, and `count`
 * elements from `first` on. */
static inline stn_value_lines stn_packed_lines(const stn_packed *packed, const void *values,
                                               int64_t bytes, int64_t line, int64_t first,
                                               int64_t lines, int64_t count)
{
    const int64_t indices[] = {packed->base + line, packed->base + first};
    const int64_t order = packed->mapping->extent[0];
    const int64_t step = packed->ends ? indices[0] + 1 : order - 1 - indices[0];
    return (stn_value_lines){.a = (const char *)values +
                                  stn_mapping_offset(packed->mapping, indices) * bytes,
                             .step = step * bytes,
                             .growth = packed->ends ? bytes : -bytes,
                             .lines = lines,
                             .count = count};
}

#endif
