/* See kernel_oracle.h. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "check.h"
#include "kernel_oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/cpu.h"
#include "exec.h"

/* ---- arrays ---- */

static int next_index(int rank, const int64_t *extent, int64_t *index)
{
    for (int d = rank - 1; d >= 0; d--) {
        if (++index[d] < extent[d])
            return 1;
        index[d] = 0;
    }
    return 0;
}

static int is_empty(int rank, const int64_t *extent)
{
    for (int d = 0; d < rank; d++)
        if (extent[d] == 0)
            return 1;
    return 0;
}

/* ---- memory between pages that nothing may touch: it begins or ends at one ---- */

enum { PAGE = 1 << 16 }; /* or several */

static size_t pages_of(const kernel_array *array)
{
    return (size_t)(array->bytes + PAGE - 1) / PAGE * PAGE;
}

static void take(kernel_array *array)
{
    static int taken;
    const size_t inside = pages_of(array);
    char *const all = mmap(NULL, inside + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED && mprotect(all + PAGE, inside, PROT_READ | PROT_WRITE) == 0);
    array->mapped = all;
    array->memory = (uint8_t *)all + PAGE + (taken++ % 2 ? 0 : inside - (size_t)array->bytes);
}

void kernel_drop(kernel_array *array)
{
    if (array->memory)
        (void)munmap(array->mapped, pages_of(array) + 2 * PAGE);
    array->memory = NULL;
}

static void allocate(kernel_array *array)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    int64_t below = 0, above = 0;
    expect_ok(stn_format_describe(array->storage.format, &info));
    array->element = info.bytes;
    for (int d = 0; d < array->rank && !is_empty(array->rank, array->extent); d++) {
        const int64_t reach = (array->extent[d] - 1) * array->stride[d];
        *(reach < 0 ? &below : &above) += reach < 0 ? -reach : reach;
    }
    array->first = below * info.bytes;
    array->bytes = (below + above + 1) * info.bytes;
    take(array);
}

static uint8_t *place_of(const kernel_array *array, int rank, const int64_t *index)
{
    int64_t offset = 0;
    for (int d = 0; d < array->rank; d++)
        if (array->extent[d] != 1)
            offset += index[rank - array->rank + d] * array->stride[d];
    return array->memory + array->first + offset * array->element;
}

/* Between -8 and 8, or any code. */
static void fill(kernel_array *array, uint64_t *state)
{
    for (int64_t k = 0; k < array->bytes; k++)
        array->memory[k] = (uint8_t)order_next(state);
    if (oracle_formats[array->storage.format].kind == ORACLE_COMPLEX)
        for (int64_t k = 0; k < array->bytes / array->element; k++) {
            const uint64_t random = order_next(state);
            const stn_c128 value = {(double)(random % 1601) / 100 - 8,
                                    (double)(random >> 32) / 0x1p29 - 4};
            if (random >> 20 & 3)
                stn_encode(STN_C128, &array->storage, array->memory + k * array->element, 1, 0,
                           &value, 1);
        }
    else
        for (int64_t k = 0; k < array->bytes / array->element; k++) {
            const uint64_t random = order_next(state);
            const double value = ((double)(random % 1601) / 100 - 8) * array->storage.scale;
            if (random >> 20 & 3)
                stn_encode(STN_F64, &array->storage, array->memory + k * array->element, 1, 0,
                           &value, 1);
        }
}

kernel_array kernel_make(stn_storage storage, int rank, const int64_t *extent,
                         const int64_t *stride, uint64_t *state)
{
    kernel_array array = {.storage = storage, .rank = rank};
    memcpy(array.extent, extent, (size_t)rank * sizeof *extent);
    memcpy(array.stride, stride, (size_t)rank * sizeof *stride);
    allocate(&array);
    fill(&array, state);
    return array;
}

uint8_t *kernel_copy(const kernel_array *array)
{
    uint8_t *copy = malloc((size_t)array->bytes);
    assert_non_null(copy);
    memcpy(copy, array->memory, (size_t)array->bytes);
    return copy;
}

void kernel_tell_arrays(char *words, size_t size, int at, const kernel_array *arrays, int count)
{
    for (int k = 0; k < count; k++) {
        const kernel_array *a = &arrays[k];
        at += snprintf(words + at, size - (size_t)at, "; %s %a %g rounding %d strides",
                       oracle_formats[a->storage.format].name, a->storage.scale, a->storage.zero,
                       (int)a->storage.rounding);
        for (int d = 0; d < a->rank; d++)
            at += snprintf(words + at, size - (size_t)at, " %" PRId64 "(%" PRId64 ")", a->stride[d],
                           a->extent[d]);
    }
}

stn_view kernel_view(const kernel_array *array, const char *label)
{
    stn_view view;
    expect_ok(stn_view_wrap_spec(
        &view, &STN_VIEW_SPEC(.label = label, .storage = array->storage,
                              .data = array->memory + array->first, .rank = array->rank,
                              .extents = array->extent, .strides = array->stride)));
    if (array->rank > 0 && array->extent[array->rank - 1] % 2 &&
        stn_view_set_traits(&view, STN_TRAIT_STREAMING) != STN_OK) /* which changes nothing */
        fail_msg("%s", stn_error());
    return test_send(&view, array->memory, array->bytes);
}

kernel_value kernel_get(stn_format arithmetic, const kernel_array *array, int rank,
                        const int64_t *index)
{
    kernel_value value;
    memset(&value, 0, sizeof value);
    if (stn_decode(arithmetic, &value, &array->storage, place_of(array, rank, index), 1, 1))
        fail_msg("%s", stn_error());
    return value;
}

void kernel_put(stn_format arithmetic, kernel_array *array, int rank, const int64_t *index,
                kernel_value value, int64_t draw)
{
    if (stn_encode(arithmetic, &array->storage, place_of(array, rank, index), 1, draw, &value, 1))
        fail_msg("%s", stn_error());
}

static int same_f64(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Of floats in f32, too: as doubles they are as different as they were. */
int kernel_is_kept(stn_format arithmetic, kernel_value a, kernel_value b)
{
    switch (arithmetic) {
    case STN_F64:
        return same_f64(a.f64, b.f64);
    case STN_F32:
        return same_f64((double)a.f32, (double)b.f32);
    case STN_I64:
        return a.i64 == b.i64;
    case STN_C128:
        return same_f64(a.c128.re, b.c128.re) && same_f64(a.c128.im, b.c128.im);
    default:
        return same_f64((double)a.c64.re, (double)b.c64.re) &&
               same_f64((double)a.c64.im, (double)b.c64.im);
    }
}

/* ---- comparing ---- */

static int both_nan(const oracle_format *format, const uint8_t *a, const uint8_t *b)
{
    const int bytes = format->bits / 8;
    uint64_t code[2] = {0, 0};
    memcpy(&code[0], a, (size_t)bytes);
    memcpy(&code[1], b, (size_t)bytes);
    return format->kind == ORACLE_FLOAT && oracle_is_nan(format, code[0]) &&
           oracle_is_nan(format, code[1]);
}

void kernel_check(const kernel_array *array, const uint8_t *expected, const char *what)
{
    const oracle_format *format = &oracle_formats[array->storage.format];
    const oracle_format *part =
        format->kind == ORACLE_COMPLEX ? &oracle_formats[format->component] : format;
    const int64_t step = part->bits / 8;
    if (memcmp(array->memory, expected, (size_t)array->bytes) == 0)
        return;
    for (int64_t at = 0; at < array->bytes; at += step) {
        const uint8_t *found = array->memory + at, *wanted = expected + at;
        uint64_t codes[2] = {0, 0};
        if (memcmp(found, wanted, (size_t)step) == 0 || both_nan(part, found, wanted))
            continue;
        memcpy(&codes[0], found, (size_t)step);
        memcpy(&codes[1], wanted, (size_t)step);
        fail_msg("%s: element %" PRId64 " of the memory is %" PRIx64 ", not %" PRIx64, what,
                 (at - array->first) / array->element, codes[0], codes[1]);
    }
}

/* ---- kernels ---- */

/* For both real types: SQRT is that of the type. */
#define DEFINE_REALS(T, SQRT)                                                                      \
    KERNEL_ELEMENT_OF(axpy, T)                                                                     \
    {                                                                                              \
        const stn_##T product = (stn_##T)n->real * v[0].T;                                         \
        v[1].T = product + v[1].T;                                                                 \
        stored[1] = 1;                                                                             \
    }                                                                                              \
    KERNEL_ELEMENT_OF(pick, T)                                                                     \
    {                                                                                              \
        const stn_##T x = v[0].T, y = v[1].T;                                                      \
        stored[2] = x < y;                                                                         \
        stored[3] = x < y && !(x < 0);                                                             \
        if (stored[2])                                                                             \
            v[2].T = v[2].T + x;                                                                   \
        if (stored[3])                                                                             \
            v[3].T = SQRT(y - x) * (stn_##T)0.1;                                                   \
    }                                                                                              \
    KERNEL_ELEMENT_OF(where, T)                                                                    \
    {                                                                                              \
        const int64_t number = 1000 * at[0] + 100 * at[1] + 10 * at[2] + at[3];                    \
        v[1].T = v[0].T + (stn_##T)number;                                                         \
        stored[1] = 1;                                                                             \
    }                                                                                              \
    KERNEL_ELEMENT_OF(numbered, T)                                                                 \
    {                                                                                              \
        const stn_##T low = (stn_##T)(n->index % 1000), high = (stn_##T)(n->bits >> 60);           \
        const stn_##T product = high * v[0].T;                                                     \
        v[1].T = low + product;                                                                    \
        stored[1] = 1;                                                                             \
    }
DEFINE_REALS(f64, sqrt)
DEFINE_REALS(f32, sqrtf)
KERNEL_ELEMENT(axpy, STN_F64, f64, f32)
KERNEL_ELEMENT(pick, STN_F64, f64, f32)
KERNEL_ELEMENT(where, STN_F64, f64, f32)
KERNEL_ELEMENT(numbered, STN_F64, f64, f32)

KERNEL_ELEMENT_OF(mixed_integers, i64)
{
    v[1].i64 = (v[0].i64 ^ n->index) + (v[1].i64 / 4) % 1000;
    stored[1] = 1;
}

KERNEL_ELEMENT_OF(pick_integers, i64)
{
    stored[1] = v[0].i64 > at[0];
    v[1].i64 = stored[1] ? v[0].i64 - at[0] : v[1].i64;
}
KERNEL_ELEMENT(mixed_integers, STN_I64, i64, i64)
KERNEL_ELEMENT(pick_integers, STN_I64, i64, i64)

#define DEFINE_COMPLEX(C, T)                                                                       \
    KERNEL_ELEMENT_OF(rotate, C)                                                                   \
    {                                                                                              \
        const stn_##C a = {(stn_##T)n->complex_number.re, (stn_##T)n->complex_number.im};          \
        const stn_##C x = v[0].C;                                                                  \
        const stn_##T rr = a.re * x.re, ii = a.im * x.im, ri = a.re * x.im, ir = a.im * x.re;      \
        const stn_##T re = rr - ii, im = ri + ir;                                                  \
        v[1].C.re = v[1].C.re + re;                                                                \
        v[1].C.im = v[1].C.im + im;                                                                \
        stored[1] = 1;                                                                             \
    }                                                                                              \
    KERNEL_ELEMENT_OF(pick_complex, C)                                                             \
    {                                                                                              \
        stored[1] = v[0].C.re > 0;                                                                 \
        if (stored[1])                                                                             \
            v[1] = v[0];                                                                           \
    }
DEFINE_COMPLEX(c128, f64)
DEFINE_COMPLEX(c64, f32)
KERNEL_ELEMENT(rotate, STN_C128, c128, c64)
KERNEL_ELEMENT(pick_complex, STN_C128, c128, c64)

const kernel_model kernel_models[] = {
    {"axpy", ORACLE_FLOAT, 2, {KERNEL_IN, KERNEL_INOUT}, axpy_element},
    {"pick", ORACLE_FLOAT, 4, {KERNEL_IN, KERNEL_IN, KERNEL_INOUT, KERNEL_OUT}, pick_element},
    {"where", ORACLE_FLOAT, 2, {KERNEL_IN, KERNEL_OUT}, where_element},
    {"numbered", ORACLE_FLOAT, 2, {KERNEL_IN, KERNEL_OUT}, numbered_element},
    {"mixed_integers", ORACLE_INTEGER, 2, {KERNEL_IN, KERNEL_INOUT}, mixed_integers_element},
    {"pick_integers", ORACLE_INTEGER, 2, {KERNEL_IN, KERNEL_OUT}, pick_integers_element},
    {"rotate", ORACLE_COMPLEX, 2, {KERNEL_IN, KERNEL_INOUT}, rotate_element},
    {"pick_complex", ORACLE_COMPLEX, 2, {KERNEL_IN, KERNEL_OUT}, pick_complex_element},
};
const int kernel_model_count = (int)(sizeof kernel_models / sizeof *kernel_models);

void kernel_expect(const kernel_model *model, stn_format arithmetic, int rank,
                   const int64_t *extent, const kernel_numbers *numbers, kernel_array *arrays)
{
    int64_t index[KERNEL_RANK] = {0}, draw = 0;
    if (is_empty(rank, extent))
        return;
    do {
        kernel_value before[KERNEL_VIEWS], values[KERNEL_VIEWS];
        int stored[KERNEL_VIEWS] = {0};
        for (int v = 0; v < model->views; v++)
            before[v] = values[v] = kernel_get(arithmetic, &arrays[v], rank, index);
        model->element(arithmetic, index, numbers, values, stored);
        for (int v = 0; v < model->views; v++) {
            const int kept =
                model->use[v] == KERNEL_INOUT && kernel_is_kept(arithmetic, before[v], values[v]);
            if (stored[v] && !kept)
                kernel_put(arithmetic, &arrays[v], rank, index, values[v], draw);
        }
        draw++;
    } while (next_index(rank, extent, index));
}

static double add_product(stn_format arithmetic, double sum, kernel_value a, kernel_value x)
{
    if (arithmetic == STN_F64)
        return order_add(STN_F64, sum, order_multiply(STN_F64, a.f64, x.f64));
    return order_add(STN_F32, sum, order_multiply(STN_F32, a.f32, x.f32));
}

void kernel_expect_csr(stn_format arithmetic, const kernel_array *begins,
                       const kernel_array *columns, const kernel_array *values,
                       const kernel_array *x, kernel_array *y)
{
    for (int64_t row = 0; row < y->extent[0]; row++) {
        const int64_t next = row + 1;
        const int64_t begin = kernel_get(STN_I64, begins, 1, &row).i64;
        const int64_t end = kernel_get(STN_I64, begins, 1, &next).i64;
        kernel_value result = {.f64 = 0.0};
        double sum = 0.0;
        for (int64_t e = begin; e < end; e++) {
            const int64_t column = kernel_get(STN_I64, columns, 1, &e).i64;
            sum = add_product(arithmetic, sum, kernel_get(arithmetic, values, 1, &e),
                              kernel_get(arithmetic, x, 1, &column));
        }
        if (arithmetic == STN_F64)
            result.f64 = sum;
        else
            result.f32 = (float)sum;
        kernel_put(arithmetic, y, 1, &row, result, row);
    }
}
