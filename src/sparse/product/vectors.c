/* Right-hand sides: x is decoded with the elements of a row contiguous, unless it is stored that
 * way. Sums are written to rows of y. */
#include "sparse/product/vectors.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"

static int64_t width_of(int64_t count)
{
    int64_t width = 1;
    while (width < count)
        width *= 2;
    return width;
}

/* Returns whether the numbers of each row are contiguous values of the arithmetic type. */
static int are_rows(const stn_vectors *vectors, const stn_view *view)
{
    const int64_t parts = view->rank == 3 ? 2 : 1;
    return view->extent[0] > 0 && (view->rank == 2 || view->stride[2] == 1) &&
           (view->stride[1] == parts || view->extent[1] == 1) &&
           stn_view_is_of_values(view, vectors->arithmetic);
}

/* Returns whether both parts of a column are contiguous in every row. */
static int are_pairs(const stn_vectors *vectors, const stn_view *view)
{
    return view->rank == 3 && view->extent[0] > 0 && view->stride[0] == 2 && view->stride[2] == 1 &&
           stn_view_is_of_values(view, vectors->arithmetic);
}

/* 16 columns if rows are read in place; otherwise the remaining ones, up to 8, because buffers for
 * 16 are so large that each allocation would go to the operating system. */
static int64_t count_from(const stn_vectors *vectors, int64_t first)
{
    const int64_t left = vectors->columns - first, half = STN_TILE_MAX_WIDTH / 2;
    if (vectors->are_pairs)
        return 2;
    if (left >= STN_TILE_MAX_WIDTH && are_rows(vectors, vectors->all_x))
        return STN_TILE_MAX_WIDTH;
    return left < half ? left : half;
}

/* Returns whether `count` columns can be read or written in place. Loops for 1 or 2 numbers
 * require contiguous rows if there are several. */
static int is_in_place(const stn_vectors *vectors, const stn_view *view, int64_t count)
{
    if (vectors->are_pairs)
        return are_pairs(vectors, view);
    return width_of(count) == count && are_rows(vectors, view) &&
           (count > 2 || view->stride[0] == count);
}

/* The location of the columns from `first` on. */
static void *column_address(const stn_vectors *vectors, const stn_view *view, int64_t first)
{
    const int64_t parts = view->rank == 3 ? 2 : 1,
                  bytes = stn_arithmetic_bytes(vectors->arithmetic);
    return (char *)view->data + (first > 0 ? first / parts * view->stride[1] * bytes : 0);
}

/* The width of the buffer for columns that cannot be read in place, or 0. */
static int64_t buffer_width(const stn_vectors *vectors)
{
    int64_t width = 0, count;
    for (int64_t first = 0; first < vectors->columns; first += count) {
        count = count_from(vectors, first);
        if (!is_in_place(vectors, vectors->all_x, count) && width_of(count) > width)
            width = width_of(count);
    }
    return width;
}

/* The first group of columns is the widest. */
stn_status stn_vectors_init(stn_vectors *result, stn_format arithmetic, double alpha,
                            const stn_view *x, double beta, const stn_view *y, int is_read_again)
{
    memset(result, 0, sizeof *result);
    result->arithmetic = arithmetic;
    result->alpha = alpha;
    result->beta = beta;
    result->all_x = x;
    result->all_y = y;
    result->columns = x->rank == 3 ? 2 * x->extent[1] : x->extent[1];
    result->writes_values =
        stn_view_is_of_values(y, arithmetic) && !(y->traits & STN_TRAIT_STREAMING);
    result->are_pairs = is_read_again && are_pairs(result, x);
    result->width = result->columns > 0 ? width_of(count_from(result, 0)) : 1;
    const size_t row = (size_t)(buffer_width(result) * stn_arithmetic_bytes(arithmetic));
    const int64_t rows = x->extent[0] > 0 ? x->extent[0] : 1; /* an empty x has one readable row */
    if (row == 0)
        return STN_OK;
    STN_TRY(stn_allocate(&result->buffer, rows, row, "stn_spmv: x decoded"));
    memset(result->buffer, 0, row);
    return STN_OK;
}

void stn_vectors_release(stn_vectors *vectors)
{
    stn_free(vectors->buffer);
}

/* ---- x ---- */

#define DEFINE_PLACE(T, type)                                                                      \
    static void place_##T(void *buffer, const void *values, int64_t first, int64_t width,          \
                          int64_t j, int64_t count)                                                \
    {                                                                                              \
        const type *const from = values;                                                           \
        type *const to = buffer;                                                                   \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[(first + k) * width + j] = from[k];                                                 \
    }
DEFINE_PLACE(f64, double)
DEFINE_PLACE(f32, float)

/* Padding columns are zero, and their sums are ignored. */
static void interleave_share(void *context, int part, int parts)
{
    const stn_vectors *const vectors = context;
    double values[STN_TILE_ELEMENTS];
    int64_t begin, end;
    stn_share(vectors->all_x->extent[0], part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k += STN_TILE_ELEMENTS)
        for (int64_t j = 0; j < vectors->width; j++) {
            const int64_t count_now = end - k < STN_TILE_ELEMENTS ? end - k : STN_TILE_ELEMENTS;
            if (j < vectors->count)
                stn_operand_read(&vectors->from[j], k, count_now, values);
            else
                memset(values, 0, sizeof values);
            (vectors->arithmetic == STN_F64 ? place_f64 : place_f32)(vectors->buffer, values, k,
                                                                     vectors->width, j, count_now);
        }
}

static stn_status view_column(stn_view *column, const stn_view *columns, int64_t j)
{
    const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(j)};
    const stn_slice parts[3] = {stn_slice_all(), stn_slice_index(j / 2), stn_slice_index(j % 2)};
    return columns->rank == 3 ? stn_view_slice(column, columns, 3, parts)
                              : stn_view_slice(column, columns, 2, slices);
}

static stn_status decode_columns_of_x(const stn_exec *exec, stn_vectors *vectors, int64_t first)
{
    static const char call[] = "stn_spmv";
    const stn_format arithmetic = vectors->arithmetic;
    for (int64_t j = 0; j < vectors->count; j++) {
        stn_view *const x = &vectors->from_views[j], *const y = &vectors->y_views[j];
        STN_TRY(view_column(x, vectors->all_x, first + j));
        STN_TRY(view_column(y, vectors->all_y, first + j));
        STN_TRY(stn_operand_init(call, exec, arithmetic, x, &vectors->from[j]));
        STN_TRY(stn_operand_init(call, exec, arithmetic, y, &vectors->y[j]));
    }
    return STN_OK;
}

static void set_y(stn_vectors *vectors, int64_t first)
{
    const stn_view *const y = vectors->all_y;
    const int are_together = vectors->writes_values && is_in_place(vectors, y, vectors->count);
    vectors->sums = are_together ? column_address(vectors, y, first) : NULL;
    vectors->sums_step = y->stride[0];
}

static void set_x(const stn_exec *exec, stn_vectors *vectors, int64_t first)
{
    const stn_view *const x = vectors->all_x;
    vectors->x_step = vectors->width;
    if (is_in_place(vectors, x, vectors->count)) {
        vectors->x = column_address(vectors, x, first);
        vectors->x_step = x->stride[0];
    } else {
        stn_exec_run_sized(exec, 8.0 * (double)(x->extent[0] * vectors->width), interleave_share,
                           vectors);
        vectors->x = vectors->buffer;
    }
    vectors->own_steps[0] = vectors->own_steps[1] = 1;
    vectors->own_steps[2] = vectors->x_step;
    vectors->steps = vectors->x_step == vectors->width ? NULL : vectors->own_steps;
}

stn_status stn_vectors_select(const stn_exec *exec, stn_vectors *vectors, int64_t first)
{
    vectors->count = count_from(vectors, first);
    vectors->width = width_of(vectors->count);
    STN_TRY(decode_columns_of_x(exec, vectors, first));
    set_y(vectors, first);
    set_x(exec, vectors, first);
    return STN_OK;
}

/* ---- y ---- */

#define DEFINE_WRITE(T, type)                                                                      \
    static void write_some_##T(const stn_vectors *vectors, type *to, int64_t step, int64_t count,  \
                               const double *sums, int64_t sums_step)                              \
    {                                                                                              \
        const type alpha = (type)vectors->alpha, beta = (type)vectors->beta;                       \
        for (int64_t r = 0; r < count; r++, to += step) {                                          \
            const type sum = (type)sums[r * sums_step], product = alpha == 1 ? sum : alpha * sum;  \
            *to = beta == 0 ? product : product + beta * *to;                                      \
        }                                                                                          \
    }                                                                                              \
    static void write_##T(const stn_vectors *vectors, int64_t row, int64_t count,                  \
                          const double *sums)                                                      \
    {                                                                                              \
        const int64_t width = vectors->width, step = vectors->sums_step;                           \
        const int64_t once = step == width ? count : 1; /* rows written at once */                 \
        for (int64_t r = 0; vectors->sums && r < count; r += once)                                 \
            write_some_##T(vectors, (type *)vectors->sums + (row + r) * step, 1, once * width,     \
                           sums + r * width, 1);                                                   \
        if (vectors->sums)                                                                         \
            return;                                                                                \
        for (int64_t j = 0; j < vectors->count; j++) {                                             \
            const int64_t one = vectors->y[j].stride;                                              \
            write_some_##T(vectors, stn_reader_at(&vectors->y[j].reader, row *one), one, count,    \
                           sums + j, width);                                                       \
        }                                                                                          \
    }
DEFINE_WRITE(f64, double)
DEFINE_WRITE(f32, float)

double *stn_vectors_sums(const stn_vectors *vectors, int64_t row)
{
    const int is_sum = vectors->arithmetic == STN_F64 && vectors->alpha == 1 &&
                       vectors->beta == 0 && vectors->sums_step == vectors->width;
    return is_sum && vectors->sums ? (double *)vectors->sums + row * vectors->width : NULL;
}

void stn_vectors_write(const stn_vectors *vectors, int64_t row, int64_t count, const double *sums)
{
    double column[STN_MAX_WRITTEN_ROWS];
    if (vectors->writes_values) {
        (vectors->arithmetic == STN_F64 ? write_f64 : write_f32)(vectors, row, count, sums);
        return;
    }
    for (int64_t j = 0; j < vectors->count; j++) {
        for (int64_t r = 0; r < count; r++)
            column[r] = sums[r * vectors->width + j];
        stn_operand_update(&vectors->y[j], vectors->arithmetic, row, count, vectors->alpha, column,
                           vectors->beta);
    }
}
