/* Arrays of every layout, and copies element by element. */
#include "copy_oracle.h"

#include <math.h>
#include <stdlib.h>

#include "measure/openmp.h"
#include "format/registry.h"
#include "core/tune.h"
#include "view/copy/plan.h"
#include "view/scales.h"
#include "view/extra.h"
#include "make_view.h"
#include "order_oracle.h"

enum { PART = 2 }; /* index of the whole that a tiled part begins with */

static const char *const names[] = {"right",     "left",        "gaps",       "backward",
                                    "block_col", "tiled_right", "tiled_left", "tiled_part",
                                    "morton",    "custom"};
static const int64_t tiles[STN_MAX_RANK] = {3, 4, 2, 5, 1, 2, 3, 2};

const char *copied_layout_name(copied_layout layout)
{
    return names[layout];
}

/* ---- index arithmetic ---- */

static int64_t right_offset(int rank, const int64_t *extents, const int64_t *indices)
{
    int64_t offset = 0;
    for (int d = 0; d < rank; d++)
        offset = offset * extents[d] + indices[d];
    return offset;
}

static int64_t left_offset(int rank, const int64_t *extents, const int64_t *indices)
{
    int64_t offset = 0;
    for (int d = rank - 1; d >= 0; d--)
        offset = offset * extents[d] + indices[d];
    return offset;
}

static int64_t tiled_offset(int rank, const int64_t *extents, const int64_t *indices, int is_left)
{
    int64_t grid[STN_MAX_RANK], tile[STN_MAX_RANK], inside[STN_MAX_RANK], volume = 1;
    for (int d = 0; d < rank; d++) {
        grid[d] = (extents[d] + tiles[d] - 1) / tiles[d];
        tile[d] = indices[d] / tiles[d];
        inside[d] = indices[d] % tiles[d];
        volume *= tiles[d];
    }
    return right_offset(rank, grid, tile) * volume +
           (is_left ? left_offset : right_offset)(rank, tiles, inside);
}

static int64_t morton_offset(int rank, const int64_t *extents, const int64_t *indices)
{
    int64_t offset = 0;
    int position = 0;
    for (int bit = 0; bit < 20; bit++)
        for (int d = rank - 1; d >= 0; d--)
            if ((extents[d] - 1) >> bit)
                offset |= (indices[d] >> bit & 1) << position++;
    return offset;
}

static int64_t product(int rank, const int64_t *extents)
{
    int64_t count = 1;
    for (int d = 0; d < rank; d++)
        count *= extents[d];
    return count;
}

static int64_t reversed_offset(const void *context, int rank, const int64_t *extents,
                               const int64_t *indices)
{
    (void)context;
    return product(rank, extents) - 1 - right_offset(rank, extents, indices);
}

static int64_t reversed_span(const void *context, int rank, const int64_t *extents)
{
    (void)context;
    return product(rank, extents);
}

static int is_strided(copied_layout layout)
{
    return layout <= COPIED_BLOCK_COL;
}

/* With gaps, the elements of a row are two apart, and rows have three more elements. */
static void strides_of(copied_layout layout, int rank, const int64_t *extents, int64_t *strides)
{
    int64_t step = layout == COPIED_GAPS ? 2 : layout == COPIED_BACKWARD ? -1 : 1;
    for (int k = 0; k < rank; k++) {
        const int by_column = layout == COPIED_BLOCK_COL && rank >= 2 && k < 2;
        const int d = layout == COPIED_LEFT ? k : by_column ? rank - 2 + k : rank - 1 - k;
        strides[d] = step;
        step = step * extents[d] + (layout == COPIED_GAPS && k == 0 ? 3 : 0);
    }
}

int64_t copied_offset(const copied_array *array, const int64_t *indices)
{
    const int rank = array->view.rank;
    const int64_t *extents = array->whole.extent;
    int64_t other[STN_MAX_RANK], offset = 0;
    if (is_strided(array->layout)) {
        strides_of(array->layout, rank, extents, other);
        for (int d = 0; d < rank; d++)
            offset += (other[d] < 0 ? indices[d] + 1 - extents[d] : indices[d]) * other[d];
        return offset;
    }
    if (array->layout == COPIED_MORTON)
        return morton_offset(rank, extents, indices);
    if (array->layout == COPIED_CUSTOM)
        return reversed_offset(NULL, rank, extents, indices);
    for (int d = 0; d < rank; d++)
        other[d] = indices[d] + (array->layout == COPIED_TILED_PART ? PART : 0);
    return tiled_offset(rank, extents, other, array->layout == COPIED_TILED_LEFT);
}

/* ---- arrays ---- */

static stn_layout layout_of(copied_layout layout, int rank, const int64_t *extents)
{
    static const stn_layout_kind kinds[] = {[COPIED_RIGHT] = STN_LAYOUT_RIGHT,
                                            [COPIED_LEFT] = STN_LAYOUT_LEFT,
                                            [COPIED_BLOCK_COL] = STN_LAYOUT_BLOCK_COL_MAJOR,
                                            [COPIED_MORTON] = STN_LAYOUT_MORTON};
    int64_t strides[STN_MAX_RANK];
    if (layout == COPIED_GAPS || layout == COPIED_BACKWARD) {
        strides_of(layout, rank, extents, strides);
        return stn_layout_strided(rank, strides);
    }
    if (layout == COPIED_CUSTOM)
        return stn_layout_custom(reversed_offset, reversed_span, NULL);
    if (is_strided(layout) || layout == COPIED_MORTON)
        return stn_layout_of(kinds[layout]);
    return stn_layout_tiled(rank, tiles,
                            layout == COPIED_TILED_LEFT ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT);
}

static int64_t span_of(const copied_array *array, int rank, const int64_t *extents)
{
    int64_t last[STN_MAX_RANK], first[STN_MAX_RANK] = {0}, span = 1;
    for (int d = 0; d < rank; d++) {
        last[d] = extents[d] - 1;
        span *= (extents[d] + tiles[d] - 1) / tiles[d] * tiles[d];
    }
    if (array->layout >= COPIED_TILED_RIGHT && array->layout <= COPIED_TILED_PART)
        return span;
    const int64_t end = copied_offset(array, last), begin = copied_offset(array, first);
    return 1 + (end > begin ? end : begin);
}

void copied_make(copied_array *array, copied_layout layout, stn_storage storage, int rank,
                 const int64_t *extents, uint64_t seed)
{
    int64_t whole[STN_MAX_RANK];
    stn_slice slices[STN_MAX_RANK];
    *array = (copied_array){.layout = layout};
    for (int d = 0; d < rank; d++) {
        whole[d] = extents[d] + (layout == COPIED_TILED_PART ? PART : 0);
        slices[d] = stn_slice_range(layout == COPIED_TILED_PART ? PART : 0, whole[d]);
        array->whole.extent[d] = whole[d];
    }
    array->view.rank = (int8_t)rank;
    array->bytes = stn_format_entry_of(storage.format)->info.bytes;
    array->span = span_of(array, rank, whole);
    const size_t bytes = (size_t)(array->span * array->bytes);
    array->memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
    array->expected = malloc(bytes + 1);
    array->before = malloc(bytes + 1);
    assert_true(array->memory && array->expected && array->before);
    uint64_t random = 0;
    for (size_t k = 0; k < bytes; k++) {
        random = k % 8 ? random >> 8 : order_next(&seed);
        array->memory[k] = (char)random;
    }
    memcpy(array->expected, array->memory, bytes);
    memcpy(array->before, array->memory, bytes);
    char *data = array->memory;
    if (layout == COPIED_BACKWARD)
        data += (array->span - 1) * array->bytes;
    const stn_layout made = layout_of(layout, rank, whole);
    array->whole = wrap_layout(names[layout], storage, data, &made, rank, whole);
    array->view = slice_view(&array->whole, rank, slices);
}

void copied_free(copied_array *array)
{
    stn_view_release(&array->whole);
    free(array->memory);
    free(array->before);
    free(array->expected);
}

void copied_reset(const copied_array *array)
{
    memcpy(array->memory, array->before, (size_t)(array->span * array->bytes));
}

/* ---- the oracle ---- */

static int is_integer(const stn_view *view)
{
    return stn_format_entry_of(view->storage.format)->info.kind == STN_CLASS_INTEGER &&
           view->storage.scale == 1.0 && !stn_view_has_scales(view);
}

int64_t copied_number(const copied_array *array, const int64_t *indices)
{
    const int64_t before = array->layout == COPIED_TILED_PART ? PART : 0;
    int64_t number = 0;
    for (int d = 0; d < array->view.rank; d++)
        number = number * (array->view.extent[d] + before) + indices[d] + before;
    return number;
}

__extension__ typedef __int128 wide_integer;

/* The code of an integer without a scale, and the limits of its format. */
static wide_integer integer_of(const stn_format_info *info, const void *source)
{
    uint64_t code = 0;
    memcpy(&code, source, (size_t)info->bytes); /* little-endian */
    if (info->is_signed && info->bits < 64 && code >> (info->bits - 1))
        code -= (uint64_t)1 << info->bits;
    return info->is_signed ? (wide_integer)(int64_t)code : (wide_integer)code;
}

static void convert_integer(const stn_view *to, void *code, const stn_view *from,
                            const void *source)
{
    const stn_format_info *a = &stn_format_entry_of(to->storage.format)->info;
    const stn_format_info *b = &stn_format_entry_of(from->storage.format)->info;
    const wide_integer highest = ((wide_integer)1 << (a->bits - a->is_signed)) - 1;
    const wide_integer lowest = a->is_signed ? -highest - 1 : 0;
    const wide_integer exact =
        integer_of(b, source) - (wide_integer)from->storage.zero + (wide_integer)to->storage.zero;
    const uint64_t kept = (uint64_t)(exact > highest ? highest : exact < lowest ? lowest : exact);
    memcpy(code, &kept, (size_t)a->bytes);
}

/* A double that rounds as an integer does to every narrower format: one that is not a double has an
 * odd last bit. */
static double odd_double(wide_integer exact)
{
    double value = (double)(long double)exact;
    uint64_t bits;
    if ((wide_integer)value == exact)
        return value;
    if (((wide_integer)value < exact) != (exact > 0))
        value = nextafter(value, 0.0);
    memcpy(&bits, &value, sizeof bits);
    bits |= 1;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int is_plain(const stn_view *view)
{
    return view->storage.scale == 1.0 && view->storage.zero == 0.0 && !stn_view_has_scales(view);
}

static void convert(const stn_view *to, void *code, const stn_view *from, const void *source,
                    const int64_t *indices, int64_t number)
{
    const stn_format_info *info = &stn_format_entry_of(to->storage.format)->info;
    const int moves = to->storage.format == from->storage.format && !stn_view_has_scales(to) &&
                      !stn_view_has_scales(from) && to->storage.scale == from->storage.scale &&
                      to->storage.zero == from->storage.zero;
    const stn_format arithmetic = info->kind == STN_CLASS_COMPLEX      ? STN_C128
                                  : is_integer(to) && is_integer(from) ? STN_I64
                                                                       : STN_F64;
    char value[16];
    stn_storage read = from->storage, write = to->storage;
    read.scale = stn_scale_at(from, indices);
    write.scale = stn_scale_at(to, indices);
    if (moves) {
        memcpy(code, source, (size_t)info->bytes);
        return;
    }
    if (arithmetic == STN_I64) {
        convert_integer(to, code, from, source);
        return;
    }
    const stn_format_info *whole = &stn_format_entry_of(from->storage.format)->info;
    if (whole->kind == STN_CLASS_INTEGER && info->kind == STN_CLASS_FLOAT && info->bits < 64 &&
        is_plain(to) && is_plain(from)) {
        const double odd = odd_double(integer_of(whole, source));
        memcpy(value, &odd, sizeof odd);
    } else {
        expect_ok(stn_decode(arithmetic, value, &read, source, 1, 1));
    }
    expect_ok(stn_encode(arithmetic, &write, code, 1, number, value, 1));
}

void copied_copy(copied_array *to, const copied_array *from)
{
    const stn_view *view = &to->view;
    int64_t indices[STN_MAX_RANK] = {0};
    if (product(view->rank, view->extent) == 0)
        return;
    do
        convert(view, to->expected + copied_offset(to, indices) * to->bytes, &from->view,
                from->memory + copied_offset(from, indices) * from->bytes, indices,
                copied_number(to, indices));
    while (next_indices(view->rank, view->extent, indices));
}

void copied_same(const copied_array *array, const char *what)
{
    if (memcmp(array->memory, array->expected, (size_t)(array->span * array->bytes)) == 0)
        return;
    for (int64_t k = 0; k < array->span; k++)
        if (memcmp(array->memory + k * array->bytes, array->expected + k * array->bytes,
                   (size_t)array->bytes) != 0)
            fail_msg("%s: rank %d: element %lld of the memory differs", what, array->view.rank,
                     (long long)k);
}

/* ---- executors ---- */

static stn_exec *executors[COPIED_EXECUTORS];

stn_exec *copied_executor(int number)
{
    static const char *const resources[COPIED_EXECUTORS] = {
        "reference", OPENMP ":threads=1", "threads:threads=2", "threads:threads=5"};
    if (!executors[number])
        expect_ok(stn_exec_create(&executors[number], resources[number]));
    return executors[number];
}

int copied_release_executors(void **state)
{
    (void)state;
    for (int k = 0; k < COPIED_EXECUTORS; k++) {
        stn_exec_release(executors[k]);
        executors[k] = NULL;
    }
    return 0;
}

void copied_large(int is_large)
{
    stn_tune tune = stn_tune_of_family(NULL);
    if (is_large)
        tune.alone = tune.nontemporal = 0;
    stn_tune_use(&tune);
}
