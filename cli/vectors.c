/* Vectors of linear systems and products in files. */
#include "vectors.h"

#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "market.h"
#if STN_HAVE_CODEC
#    include "codec/command/npy.h"
#endif

stn_status vectors_create(const stn_exec *exec, const char *label, stn_format format, int64_t rows,
                          int64_t columns, stn_view *result)
{
    const stn_layout by_columns = {.kind = STN_LAYOUT_LEFT};
    const int64_t extents[] = {rows, columns};
    return stn_view_create_spec(exec, result,
                                &STN_VIEW_SPEC(.label = label, .storage = stn_storage_of(format),
                                               .layout = &by_columns, .rank = columns == 1 ? 1 : 2,
                                               .extents = extents));
}

static int is_complex(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK && info.kind == STN_CLASS_COMPLEX;
}

static stn_status copy(const stn_exec *exec, const char *path, stn_format format, int64_t rows,
                       const stn_view *from, stn_view *result)
{
    const stn_slice slices[] = {stn_slice_all(), stn_slice_index(0)};
    const int64_t columns = from->rank == 2 ? from->extent[1] : 1;
    stn_view vectors = *from;
    if (from->rank < 1 || from->rank > 2 || from->extent[0] != rows || columns < 1)
        return stn_fail(STN_ERR_SHAPE,
                        "%s is no vector of %" PRId64 " elements, nor a matrix of such columns",
                        path, rows);
    if (is_complex(from->storage.format) && !is_complex(format))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s is complex, but the arithmetic is not", path);
    if (from->rank == 2 && columns == 1)
        STN_TRY(stn_view_slice(&vectors, from, 2, slices));
    STN_TRY(vectors_create(exec, path, format, rows, columns, result));
    return stn_view_copy(exec, result, &vectors);
}

static stn_status read_market(const stn_exec *exec, const char *path, unsigned flags,
                              stn_format format, int64_t rows, stn_view *result)
{
    stn_market_matrix file = STN_MARKET_MATRIX_INIT;
    stn_view view;
    STN_TRY(market_read(path, flags, &file));
    const int64_t extents[] = {file.rows, file.columns};
    stn_status status =
        file.storage == STN_MARKET_DENSE
            ? stn_view_wrap_const(&view, path, stn_storage_of(file.value_format), file.values, 2,
                                  extents)
            : stn_fail(STN_ERR_UNSUPPORTED, "%s is a sparse matrix, not a vector", path);
    if (status == STN_OK)
        status = copy(exec, path, format, rows, &view, result);
    stn_market_release(&file);
    return status;
}

stn_status vectors_read(const stn_exec *exec, const char *path, unsigned market, stn_format format,
                        int64_t rows, stn_view *result)
{
#if STN_HAVE_CODEC
    const size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".npy") == 0) {
        npy_file file;
        stn_view view;
        STN_TRY(npy_open(path, &file));
        stn_status status = npy_view(&file, path, &view);
        if (status == STN_OK)
            status = copy(exec, path, format, rows, &view, result);
        npy_close(&file);
        return status;
    }
#endif
    return read_market(exec, path, market, format, rows, result);
}
