/* ger, syr, her and their two-vector forms on the host: one line of the matrix at a time, in place
 * if it consists of values. Lines are rows, or columns if these are contiguous. */
#include "blas/outer.h"

#include <string.h>

#include "blas/operand.h"
#include "core/memory.h"
#include "core/versions.h"
#include "format/returns.h"
#include "map/mask.h"
#include "steno/complex.h"
#include "view/layout/mapping.h"
#include "view/overlap.h"
#include "view/trace.h"

enum {
    STACK_ELEMENTS = STN_TILE_ELEMENTS, /* elements of vectors on the stack */
    PIECE = 2 * STN_TILE_ELEMENTS,
    LINES = 16 /* lines per thread and turn */
};

/* a[k] = g * y[k] + (f * x[k] + a[k]); y NULL: without the first term. */
typedef void add_line(void *a, const void *f, const void *x, const void *g, const void *y,
                      int64_t count);

typedef struct outer_job {
    add_line *add;
    stn_format arithmetic;
    int64_t bytes; /* of a value */
    int are_columns;
    int64_t lines, count;
    enum { ALL, TO_DIAGONAL, FROM_DIAGONAL } part; /* of a line */
    int is_hermitian;
    const char *f[2], *x[2]; /* factors of lines, and their vectors; x[1] may be NULL */
    /* Values in place, or everything through the reader. */
    char *a;
    int64_t line_bytes;
    const stn_mapping *packed; /* or by the mapping, from line `base` on */
    int64_t base;
    const stn_reader *reader;
    int64_t steps[2], numbers; /* positions; and element numbers between lines, in C order */
    stn_return_kind returns;
} outer_job;

/* ---- lines of each arithmetic ---- */

#define DEFINE_REAL(T, type)                                                                       \
    STN_VERSIONS static void add_two_##T(type *restrict a, type f, const type *restrict x, type g, \
                                         const type *restrict y, int64_t count)                    \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            a[k] = g * y[k] + (f * x[k] + a[k]);                                                   \
    }                                                                                              \
    STN_VERSIONS static void add_one_##T(type *restrict a, type f, const type *restrict x,         \
                                         int64_t count)                                            \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++)                                                        \
            a[k] = f * x[k] + a[k];                                                                \
    }                                                                                              \
    static void add_##T(void *a, const void *f, const void *x, const void *g, const void *y,       \
                        int64_t count)                                                             \
    {                                                                                              \
        if (y)                                                                                     \
            add_two_##T(a, *(const type *)f, x, *(const type *)g, y, count);                       \
        else                                                                                       \
            add_one_##T(a, *(const type *)f, x, count);                                            \
    }                                                                                              \
    static void scale_##T(void *scaled, const void *row, int64_t count, const stn_outer *o,        \
                          int which)                                                               \
    {                                                                                              \
        type *const to = scaled;                                                                   \
        const type *const from = row;                                                              \
        (void)which;                                                                               \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[k] = (type)o->alpha.re * from[k];                                                   \
    }
DEFINE_REAL(f64, double)
DEFINE_REAL(f32, float)

/* gcc 12 fuses adjacent differences and sums of products whatever the contraction option: both are
 * sums here, of a factor whose sign it does not know. */
#define DEFINE_COMPLEX(T, type)                                                                    \
    STN_VERSIONS static void add_scaled_##T(stn_##T *restrict a, type re, type im, type minus_im,  \
                                            const stn_##T *restrict x, int64_t count)              \
    {                                                                                              \
        for (int64_t k = 0; k < count; k++) {                                                      \
            a[k].re = (re * x[k].re + minus_im * x[k].im) + a[k].re;                               \
            a[k].im = (re * x[k].im + im * x[k].re) + a[k].im;                                     \
        }                                                                                          \
    }                                                                                              \
    static void add_##T(void *a, const void *f, const void *x, const void *g, const void *y,       \
                        int64_t count)                                                             \
    {                                                                                              \
        const stn_##T *const first = f, *const second = g;                                         \
        add_scaled_##T(a, first->re, first->im, -first->im, x, count);                             \
        if (y)                                                                                     \
            add_scaled_##T(a, second->re, second->im, -second->im, y, count);                      \
    }                                                                                              \
    static void scale_##T(void *scaled, const void *row, int64_t count, const stn_outer *o,        \
                          int which)                                                               \
    {                                                                                              \
        stn_##T *const to = scaled;                                                                \
        const stn_##T *const from = row, alpha = {(type)o->alpha.re, (type)o->alpha.im};           \
        const int are_two = o->rows[1] != NULL;                                                    \
        const int before = o->is_conjugated || (o->is_hermitian && are_two && which == 0);         \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const stn_##T one = before ? stn_##T##_conj(from[k]) : from[k];                        \
            to[k] = stn_##T##_multiply_fast(alpha, one);                                           \
            if (o->is_hermitian && !are_two)                                                       \
                to[k] = stn_##T##_of(alpha.re * one.re, alpha.re * one.im);                        \
            if (o->is_hermitian && !before)                                                        \
                to[k] = stn_##T##_conj(to[k]);                                                     \
        }                                                                                          \
    }
DEFINE_COMPLEX(c128, double)
DEFINE_COMPLEX(c64, float)

static void scale(const stn_blas_call *call, const stn_outer *o, int which, void *scaled,
                  const void *row, int64_t count)
{
    (call->arithmetic == STN_F64    ? scale_f64
     : call->arithmetic == STN_F32  ? scale_f32
     : call->arithmetic == STN_C128 ? scale_c128
                                    : scale_c64)(scaled, row, count, o, which);
}

/* ---- one line ---- */

static void find_range(const outer_job *job, int64_t line, int64_t *begin, int64_t *end)
{
    *begin = job->part == FROM_DIAGONAL ? line : 0;
    *end = job->part == TO_DIAGONAL ? line + 1 : job->count;
}

/* Adds to elements begin to end - 1, which are values. */
static void add_values(const outer_job *job, void *values, int64_t line, int64_t begin, int64_t end)
{
    const int64_t at = line * job->bytes, along = begin * job->bytes;
    job->add(values, job->f[0] + at, job->x[0] + along, job->x[1] ? job->f[1] + at : NULL,
             job->x[1] ? job->x[1] + along : NULL, end - begin);
    if (job->is_hermitian && begin <= line && line < end)
        memset((char *)values + (line - begin) * job->bytes + job->bytes / 2, 0,
               (size_t)job->bytes / 2);
}

/* Stores with random numbers that begin at `number`. */
static void store(const outer_job *job, const void *before, const void *values, int64_t position,
                  int64_t number, int64_t count)
{
    _Alignas(8) char mask[PIECE * sizeof(double)];
    const int64_t part = stn_mask_bytes(job->arithmetic), step = job->steps[1];
    int64_t begin = 0;
    if (job->part != ALL || job->returns == STN_RETURNS_ALL ||
        !stn_mask_finds_nonfinite(values, part, count * job->bytes / part)) {
        stn_write(job->reader, values, position, step, number, count);
        return;
    }
    stn_mask_mark(job->arithmetic, mask, values, before, count);
    for (int64_t k = 0, batch; k < count; k = begin + batch) {
        batch = stn_mask_next(mask, part, k, count, &begin);
        if (batch > 0)
            stn_write(job->reader, (const char *)values + begin * job->bytes,
                      position + begin * step, step, number + begin, batch);
    }
}

static void add_read(const outer_job *job, int64_t line, int64_t begin, int64_t end)
{
    _Alignas(64) char values[PIECE * STN_BLAS_VALUE_BYTES], before[PIECE * STN_BLAS_VALUE_BYTES];
    for (int64_t k = begin; k < end; k += PIECE) {
        const int64_t count = end - k < PIECE ? end - k : PIECE;
        const int64_t position = line * job->steps[0] + k * job->steps[1];
        stn_read(job->reader, values, position, job->steps[1], count);
        if (job->part == ALL && job->returns != STN_RETURNS_ALL)
            memcpy(before, values, (size_t)(count * job->bytes));
        add_values(job, values, line, k, k + count);
        store(job, before, values, position, line * job->numbers + k, count);
    }
}

static void add_one_line(const outer_job *job, int64_t line)
{
    int64_t begin, end;
    find_range(job, line, &begin, &end);
    const int64_t indices[] = {job->base + line, job->base + begin};
    if (job->packed)
        add_values(job, job->a + stn_mapping_offset(job->packed, indices) * job->bytes, line, begin,
                   end);
    else if (job->a)
        add_values(job, job->a + line * job->line_bytes + begin * job->bytes, line, begin, end);
    else
        add_read(job, line, begin, end);
}

/* Lines of a triangle have different lengths, so threads process them in an interleaved order. */
static void add_share(void *context, int part, int parts)
{
    const outer_job *const job = context;
    for (int64_t first = (int64_t)part * LINES; first < job->lines; first += (int64_t)parts * LINES)
        for (int64_t line = first; line < first + LINES && line < job->lines; line++)
            add_one_line(job, line);
}

/* ---- all lines ---- */

static void set_arithmetic(const stn_blas_call *call, const stn_outer *o, outer_job *job)
{
    job->add = call->arithmetic == STN_F64    ? add_f64
               : call->arithmetic == STN_F32  ? add_f32
               : call->arithmetic == STN_C128 ? add_c128
                                              : add_c64;
    job->arithmetic = call->arithmetic;
    job->bytes = stn_format_entry_of(call->arithmetic)->info.bytes;
    job->is_hermitian = o->is_hermitian;
    job->packed = NULL;
    job->a = NULL;
    job->returns = STN_RETURNS_ALL;
}

static void set_lines(const stn_outer *o, outer_job *job, int are_columns)
{
    const int is_upper = (o->triangle == STN_UPPER) != are_columns;
    job->are_columns = are_columns;
    job->lines = o->a->extent[are_columns];
    job->count = o->a->extent[!are_columns];
    job->part = !o->is_triangle ? ALL : is_upper ? FROM_DIAGONAL : TO_DIAGONAL;
}

/* Readers of the vectors that are not contiguous values. */
typedef struct vectors {
    const stn_reader *columns[2], *rows[2];
} vectors;

static void take(const outer_job *job, const stn_view *view, const stn_reader *reader, void *values)
{
    if (reader)
        stn_read(reader, values, 0, reader->steps[0], view->extent[0]);
    else
        memcpy(values, view->data, (size_t)(view->extent[0] * job->bytes));
}

/* Assigns column and row vectors to factors of lines and to lines, or vice versa. `buffer` has
 * space for four vectors, `step` apart. */
static void set_vectors(const stn_blas_call *call, const stn_outer *o, outer_job *job,
                        const vectors *from, char *buffer, int64_t step)
{
    const int are_columns = job->are_columns;
    for (int t = 0; t < 2; t++) {
        char *const column = buffer + 2 * t * step, *const row = column + step;
        job->f[t] = o->rows[t] ? (are_columns ? row : column) : NULL;
        job->x[t] = o->rows[t] ? (are_columns ? column : row) : NULL;
        if (!o->rows[t])
            return;
        take(job, o->columns[t], from->columns[t], column);
        take(job, o->rows[t], from->rows[t], row);
        scale(call, o, t, row, row, o->rows[t]->extent[0]);
    }
}

static stn_status add(const stn_blas_call *call, const stn_outer *o, outer_job *job,
                      const vectors *from)
{
    const int64_t maximum = job->lines > job->count ? job->lines : job->count;
    const double bytes = (double)job->lines * (double)job->count * (double)job->bytes;
    _Alignas(64) char few[4 * STACK_ELEMENTS * STN_BLAS_VALUE_BYTES];
    void *buffer = NULL;
    if (maximum > STACK_ELEMENTS)
        STN_TRY(stn_allocate(&buffer, 4 * maximum, (size_t)job->bytes, call->name));
    set_vectors(call, o, job, from, buffer ? buffer : few, maximum * job->bytes);
    stn_exec_run_sized(call->exec, o->is_triangle ? bytes / 2 : bytes, add_share, job);
    stn_free(buffer);
    return STN_OK;
}

static stn_status add_traced(const stn_blas_call *call, const stn_outer *o, outer_job *job,
                             const vectors *from)
{
    const uint64_t trace = stn_trace_begin(call->name + 4, o->a);
    const stn_status status = add(call, o, job, from);
    stn_trace_end(call->name + 4, o->a, trace);
    return status;
}

/* ---- any operands ---- */

static int are_plain_values(const outer_job *job, const stn_view *view, const stn_reader *reader)
{
    return view->storage.format == job->arithmetic && stn_view_has_plain_elements(view) &&
           reader->run.codec;
}

/* Uses contiguous lines if possible. Stochastic rounding counts along rows. */
static int set_matrix(const stn_blas_call *call, const stn_outer *o, outer_job *job,
                      const stn_reader *reader)
{
    const stn_view *const a = o->a;
    const int is_packed = o->is_triangle && stn_blas_is_packed(a) && a->stride[0] == 1;
    const int is_strided = !stn_view_mapping(a);
    int are_columns = is_strided && a->stride[0] == 1 && a->stride[1] != 1;
    set_arithmetic(call, o, job);
    job->reader = reader;
    if (!o->is_triangle)
        job->returns = stn_view_has_scales(a) ? STN_RETURNS_SOME : stn_run_returns(&reader->run);
    if (job->returns == STN_RETURNS_SOME || (stn_view_mapping(a) && o->is_triangle && !is_packed))
        return 0;
    if (is_packed)
        are_columns = stn_mapping_grows(stn_view_mapping(a)) == (o->triangle == STN_UPPER);
    if (a->storage.rounding == STN_ROUND_STOCHASTIC)
        are_columns = 0;
    set_lines(o, job, are_columns);
    job->steps[0] = reader->steps[are_columns];
    job->steps[1] = reader->steps[!are_columns];
    job->numbers = a->extent[1];
    if (!are_plain_values(job, a, reader))
        return 1;
    if (is_packed) {
        int64_t base[STN_MAX_RANK];
        stn_view_base(a, base);
        job->packed = stn_view_mapping(a);
        job->base = base[0];
        job->a = a->data;
    } else if (is_strided && (job->steps[1] == 1 || job->count == 1)) {
        job->line_bytes = job->steps[0] * job->bytes;
        job->a = a->data;
    }
    return 1;
}

stn_status stn_outer_add(const stn_blas_call *call, const stn_outer *o, int *is_done)
{
    stn_reader matrix, readers[4];
    vectors from = {{NULL, NULL}, {NULL, NULL}};
    outer_job job;
    *is_done = 0;
    if (!stn_exec_has_loops(call->exec))
        return STN_OK;
    STN_TRY(stn_reader_init(&matrix, call->name, call->exec, call->arithmetic, o->a));
    if (!set_matrix(call, o, &job, &matrix))
        return STN_OK;
    for (int t = 0; t < 2 && o->rows[t]; t++) {
        STN_TRY(stn_reader_init(&readers[2 * t], call->name, call->exec, call->arithmetic,
                                o->columns[t]));
        STN_TRY(stn_reader_init(&readers[2 * t + 1], call->name, call->exec, call->arithmetic,
                                o->rows[t]));
        from.columns[t] = &readers[2 * t];
        from.rows[t] = &readers[2 * t + 1];
    }
    *is_done = 1;
    if (job.lines == 0 || job.count == 0 || stn_blas_is(call->arithmetic, o->alpha, 0.0))
        return STN_OK;
    return add_traced(call, o, &job, &from);
}

/* ---- values in place ---- */

static int is_plain(const stn_blas_call *call, const stn_view *view, int rank, int along)
{
    return stn_view_is_at_hand(view) && view->storage.format == call->arithmetic &&
           view->rank == rank && view->stride[along] == 1 && view->extent[0] > 0;
}

/* A vector with this number of elements, outside of the memory from `begin` to before `end`. */
static int is_plain_vector(const stn_blas_call *call, const stn_view *x, int64_t count,
                           uintptr_t begin, uintptr_t end, int64_t bytes)
{
    return is_plain(call, x, 1, 0) && x->extent[0] == count &&
           ((uintptr_t)x->data >= end || (uintptr_t)x->data + (uintptr_t)(count * bytes) <= begin);
}

int stn_outer_add_plain(const stn_blas_call *call, const stn_outer *o)
{
    const vectors all = {{NULL, NULL}, {NULL, NULL}};
    const stn_view *const a = o->a;
    outer_job job;
    if (!stn_exec_is_ready(call->exec))
        return 0;
    if (!is_plain(call, a, 2, 1) && !is_plain(call, a, 2, 0))
        return 0;
    const int are_columns = a->stride[1] != 1;
    set_arithmetic(call, o, &job);
    set_lines(o, &job, are_columns);
    const int64_t stride = a->stride[are_columns];
    const uintptr_t begin = (uintptr_t)a->data;
    const uintptr_t end = begin + (uintptr_t)(((job.lines - 1) * stride + job.count) * job.bytes);
    if (job.count == 0 || stride < job.count || stn_view_is_read_only(a) ||
        (o->is_triangle && a->extent[0] != a->extent[1]) ||
        (o->triangle != STN_LOWER && o->triangle != STN_UPPER) ||
        stn_blas_is(call->arithmetic, o->alpha, 0.0))
        return 0;
    for (int t = 0; t < 2 && o->rows[t]; t++)
        if (!is_plain_vector(call, o->columns[t], a->extent[0], begin, end, job.bytes) ||
            !is_plain_vector(call, o->rows[t], a->extent[1], begin, end, job.bytes))
            return 0;
    job.reader = NULL;
    job.a = a->data;
    job.line_bytes = stride * job.bytes;
    return add_traced(call, o, &job, &all) == STN_OK;
}
