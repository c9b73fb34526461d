/* Right-hand sides: x is decoded with the elements of a row beside each other, unless they are so;
 * sums become rows of y. */
#include "sparse/vectors.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"

int stn_vectors_are_values(stn_format arithmetic, const stn_view *view)
{
    return view->storage.format == arithmetic && stn_storage_is_usual(&view->storage) &&
           !view->storage.counters && !view->mapping && !view->scales.data;
}

static int64_t width_of(int64_t count)
{
    int64_t width = 1;
    while (width < count)
        width *= 2;
    return width;
}

/* What is left, or 8, so that few places stay empty: rooms for 16 are so large that memory is asked
 * for each. */
int64_t stn_vectors_count(const stn_vectors *vectors, int64_t first)
{
    const int64_t left = vectors->columns - first, half = STN_TILE_WIDEST / 2;
    if (vectors->are_pairs)
        return 2;
    return left == STN_TILE_WIDEST && !vectors->room ? left : left < half ? left : half;
}

/* Do numbers of the arithmetic lie side by side, those of one row behind `row` of another? */
static int are_rows(const stn_vectors *vectors, const stn_view *view, int64_t row)
{
    return view->extent[0] > 0 && view->stride[0] == row &&
           (view->rank == 2 || view->stride[2] == 1) &&
           stn_vectors_are_values(vectors->arithmetic, view);
}

static int are_pairs(const stn_vectors *vectors, const stn_view *view)
{
    return view->rank == 3 && are_rows(vectors, view, 2);
}

/* Do rows lie as they are read, or written? */
static int is_together(const stn_vectors *vectors, const stn_view *view)
{
    const int64_t parts = view->rank == 3 ? 2 : 1;
    if (vectors->are_pairs)
        return are_pairs(vectors, view);
    return vectors->columns == vectors->width && are_rows(vectors, view, vectors->width) &&
           (view->stride[1] == parts || view->extent[1] == 1);
}

/* Where those from column `first` on are. */
static void *together_at(const stn_vectors *vectors, const stn_view *view, int64_t first)
{
    const int64_t bytes = stn_arithmetic_bytes(vectors->arithmetic);
    return (char *)view->data + (first > 0 ? first / 2 * view->stride[1] * bytes : 0);
}

/* The first columns are the most. */
stn_status stn_vectors_make(stn_vectors *made, stn_format arithmetic, double alpha,
                            const stn_view *x, double beta, const stn_view *y, int is_read_again)
{
    memset(made, 0, sizeof *made);
    made->arithmetic = arithmetic;
    made->alpha = alpha;
    made->beta = beta;
    made->all_x = x;
    made->all_y = y;
    made->columns = x->rank == 3 ? 2 * x->extent[1] : x->extent[1];
    made->writes_values = stn_vectors_are_values(arithmetic, y) && !(y->traits & STN_STREAMING);
    made->are_pairs = is_read_again && are_pairs(made, x);
    made->width = width_of(stn_vectors_count(made, 0));
    if (is_together(made, x))
        return STN_OK;
    made->width = made->width < STN_TILE_WIDEST ? made->width : STN_TILE_WIDEST / 2;
    const size_t row = (size_t)(made->width * stn_arithmetic_bytes(arithmetic));
    const int64_t rows = x->extent[0] > 0 ? x->extent[0] : 1; /* where there is none, one is read */
    STN_TRY(stn_allocate(&made->room, rows, row, "stn_spmv: x decoded"));
    memset(made->room, 0, row);
    return STN_OK;
}

void stn_vectors_drop(stn_vectors *vectors)
{
    stn_free(vectors->room);
}

/* ---- x ---- */

#define DEFINE_PLACE(T, type)                                                                      \
    static void place_##T(void *room, const void *values, int64_t first, int64_t width, int64_t j, \
                          int64_t count)                                                           \
    {                                                                                              \
        const type *const from = values;                                                           \
        type *const to = room;                                                                     \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[(first + k) * width + j] = from[k];                                                 \
    }
DEFINE_PLACE(f64, double)
DEFINE_PLACE(f32, float)

/* Columns beyond the last one are zeros, whose sums nobody looks at. */
static void place_share(void *context, int part, int parts)
{
    const stn_vectors *const all = context;
    double values[STN_TILE_ELEMENTS];
    int64_t begin, end;
    stn_share(all->all_x->extent[0], part, parts, &begin, &end);
    for (int64_t k = begin; k < end; k += STN_TILE_ELEMENTS)
        for (int64_t j = 0; j < all->width; j++) {
            const int64_t some = end - k < STN_TILE_ELEMENTS ? end - k : STN_TILE_ELEMENTS;
            if (j < all->count)
                stn_operand_read(&all->from[j], k, some, values);
            else
                memset(values, 0, sizeof values);
            (all->arithmetic == STN_F64 ? place_f64 : place_f32)(all->room, values, k, all->width,
                                                                 j, some);
        }
}

static stn_status take_column(stn_view *column, const stn_view *all, int64_t j)
{
    const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(j)};
    const stn_slice parts[3] = {stn_slice_all(), stn_slice_index(j / 2), stn_slice_index(j % 2)};
    return all->rank == 3 ? stn_view_slice(column, all, 3, parts)
                          : stn_view_slice(column, all, 2, slices);
}

static stn_status take_columns(const stn_exec *exec, stn_vectors *vectors, int64_t first)
{
    static const char call[] = "stn_spmv";
    const stn_format arithmetic = vectors->arithmetic;
    for (int64_t j = 0; j < vectors->count; j++) {
        stn_view *const x = &vectors->from_views[j], *const y = &vectors->y_views[j];
        STN_TRY(take_column(x, vectors->all_x, first + j));
        STN_TRY(take_column(y, vectors->all_y, first + j));
        STN_TRY(stn_operand_make(call, exec, arithmetic, x, &vectors->from[j]));
        STN_TRY(stn_operand_make(call, exec, arithmetic, y, &vectors->y[j]));
    }
    return STN_OK;
}

stn_status stn_vectors_take(const stn_exec *exec, stn_vectors *vectors, int64_t first)
{
    const stn_view *const x = vectors->all_x;
    vectors->count = stn_vectors_count(vectors, first);
    vectors->width = width_of(vectors->count);
    STN_TRY(take_columns(exec, vectors, first));
    vectors->sums = vectors->writes_values && is_together(vectors, vectors->all_y)
                        ? together_at(vectors, vectors->all_y, first)
                        : NULL;
    if (is_together(vectors, x)) {
        vectors->x = together_at(vectors, x, first);
        return STN_OK;
    }
    stn_exec_run_worth(exec, 8.0 * (double)(x->extent[0] * vectors->width), place_share, vectors);
    vectors->x = vectors->room;
    return STN_OK;
}

/* ---- y ---- */

#define DEFINE_WRITE(T, type)                                                                      \
    static void write_some_##T(const stn_vectors *all, type *to, int64_t step, int64_t count,      \
                               const double *sums, int64_t sums_step)                              \
    {                                                                                              \
        const type alpha = (type)all->alpha, beta = (type)all->beta;                               \
        for (int64_t r = 0; r < count; r++, to += step) {                                          \
            const type sum = (type)sums[r * sums_step], product = alpha == 1 ? sum : alpha * sum;  \
            *to = beta == 0 ? product : product + beta * *to;                                      \
        }                                                                                          \
    }                                                                                              \
    static void write_##T(const stn_vectors *all, int64_t row, int64_t count, const double *sums)  \
    {                                                                                              \
        const int64_t width = all->width;                                                          \
        if (all->sums) {                                                                           \
            write_some_##T(all, (type *)all->sums + row * width, 1, count * width, sums, 1);       \
            return;                                                                                \
        }                                                                                          \
        for (int64_t j = 0; j < all->count; j++) {                                                 \
            const int64_t step = all->y[j].stride;                                                 \
            write_some_##T(all, stn_reader_at(&all->y[j].reader, row *step), step, count,          \
                           sums + j, width);                                                       \
        }                                                                                          \
    }
DEFINE_WRITE(f64, double)
DEFINE_WRITE(f32, float)

double *stn_vectors_sums(const stn_vectors *vectors, int64_t row)
{
    const int is_sum = vectors->arithmetic == STN_F64 && vectors->alpha == 1 && vectors->beta == 0;
    return is_sum && vectors->sums ? (double *)vectors->sums + row * vectors->width : NULL;
}

void stn_vectors_write(const stn_vectors *vectors, int64_t row, int64_t count, const double *sums)
{
    double column[STN_ROWS_AT_ONCE];
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
