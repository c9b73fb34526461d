/* Operands in every layout, under scales per row, column and block. */
#include "any_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec.h"
#include "order_oracle.h"
#include "view/store.h"

const char *const layout_names[] = {
    "right",  "left",   "padded",           "backwards",      "tiled", "tiled left",
    "Morton", "custom", "custom with runs", "part of Morton", "stored"};
const char *const scale_names[] = {"no", "one", "row",        "column", "32",
                                   "3",  "70",  "f32 column", "element"};

/* Rows begin two elements further on each, and go round. */
static int64_t skewed(const void *context, int rank, const int64_t *extents, const int64_t *indices)
{
    int64_t row = 0;
    (void)context;
    for (int d = 0; d + 1 < rank; d++)
        row = row * extents[d] + indices[d];
    return rank == 0 ? 0
                     : row * extents[rank - 1] + (2 * row + indices[rank - 1]) % extents[rank - 1];
}

static int64_t skewed_span(const void *context, int rank, const int64_t *extents)
{
    int64_t count = 1;
    (void)context;
    for (int d = 0; d < rank; d++)
        count *= extents[d];
    return count;
}

static int64_t skewed_run(const void *context, int rank, const int64_t *extents,
                          const int64_t *indices, int dimension, int64_t *offset, int64_t *stride)
{
    *offset = skewed(context, rank, extents, indices);
    *stride = 1;
    return dimension == rank - 1 ? extents[rank - 1] - *offset % extents[rank - 1] : 1;
}

static stn_layout layout_of(layout_case which, int rank)
{
    static const int64_t tiles[] = {3, 8, 4}, long_tiles[] = {40};
    stn_layout layout = stn_layout_of(STN_LAYOUT_RIGHT);
    if (which == LEFT)
        layout = stn_layout_of(STN_LAYOUT_LEFT);
    else if (which == TILED || which == TILED_LEFT || which == STORED)
        layout = stn_layout_tiled(rank, rank == 1 ? long_tiles : tiles,
                                  which == TILED_LEFT ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT);
    else if (which == MORTON || which == PART)
        layout = stn_layout_of(STN_LAYOUT_MORTON);
    else if (which == SKEWED || which == RUNS)
        layout = stn_layout_custom(skewed, skewed_span, NULL);
    if (which == RUNS)
        layout.run = skewed_run;
    return layout;
}

/* ---- operands: the view, and what its elements are ---- */

int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

void ok(stn_status status, const char *words)
{
    if (status != STN_OK)
        fail_msg("%s: %s", words, stn_error());
}

int next_index(const stn_view *view, int64_t *index)
{
    for (int d = view->rank - 1; d >= 0; d--) {
        if (++index[d] < view->extent[d])
            return 1;
        index[d] = 0;
    }
    return 0;
}

/* Of the element, by which its scale is found here. */
static double scale_of(const operand *x, const int64_t *index)
{
    const int last = x->view.rank - 1;
    const int64_t row = last > 0 ? index[last - 1] : 0, column = last < 0 ? 0 : index[last];
    const int64_t extent = last < 0 ? 1 : x->view.extent[last];
    switch (x->scaling) {
    case NONE:
        return 1.0;
    case ONE:
        return 0.75;
    case PER_ROW:
        return x->scales[row];
    case PER_COLUMN:
        return x->scales[column];
    case BLOCKS_OF_32:
        return x->scales[(column + 5) / 32];
    case BLOCKS_OF_3:
        return x->scales[(column + 1) / 3];
    case BLOCKS_OF_70:
        return x->scales[(column + 33) / 70];
    case PER_COLUMN_F32:
        return (double)(float)x->scales[column];
    default:
        return x->scales[(row * extent + column) % MOST_SCALES];
    }
}

static void set_scales(operand *x, scale_case scaling, uint64_t *state)
{
    const int last = x->view.rank - 1;
    const int64_t elements = stn_view_count(&x->view),
                  count = elements < MOST_SCALES ? elements : MOST_SCALES;
    x->scales = calloc((size_t)count + 1, sizeof *x->scales);
    x->narrow = calloc((size_t)count + 1, sizeof *x->narrow);
    assert_non_null(x->scales);
    assert_non_null(x->narrow);
    stn_scales scales = {
        .data = x->scales, .format = STN_F64, .dimension = STN_NO_DIMENSION, .block = 1};
    x->scaling = scaling;
    if (scaling == ONE)
        x->view.storage.scale = 0.75;
    if (scaling < PER_ROW)
        return;
    for (int64_t k = 0; k < count; k++) { /* powers of two, and others */
        x->scales[k] = below(state, 2) ? 0.25 * (double)(1 << below(state, 5))
                                       : 0.3 + 0.1 * (double)below(state, 9);
        x->narrow[k] = (float)x->scales[k];
    }
    if (scaling == PER_ROW && last > 0)
        scales.stride[last - 1] = 1;
    if (scaling == PER_ELEMENT && last > 0)
        scales.stride[last - 1] = x->view.extent[last];
    if (scaling != PER_ROW)
        scales.stride[last] = 1;
    if (scaling == BLOCKS_OF_32 || scaling == BLOCKS_OF_3 || scaling == BLOCKS_OF_70) {
        scales.dimension = last;
        scales.block = scaling == BLOCKS_OF_32 ? 32 : scaling == BLOCKS_OF_3 ? 3 : 70;
        scales.phase = scaling == BLOCKS_OF_32 ? 5 : scaling == BLOCKS_OF_3 ? 1 : 33;
    }
    if (scaling == PER_COLUMN_F32) {
        scales.format = STN_F32;
        scales.data = x->narrow;
    }
    ok(stn_view_set_scales(&x->view, &scales), "scales");
}

static int64_t bytes_of(stn_format arithmetic)
{
    return arithmetic == STN_C128 ? 16 : arithmetic == STN_F32 ? 4 : 8;
}

/* ---- elements that are not in memory ---- */

static void move_stored(void *context, int64_t offset, int64_t stride, int64_t count, void *codes,
                        int stores)
{
    const operand *const x = context;
    for (int64_t k = 0; k < count; k++) {
        char *const element = x->stored + (offset + k * stride) * x->bytes;
        char *const code = (char *)codes + k * x->bytes;
        memcpy(stores ? element : code, stores ? code : element, (size_t)x->bytes);
    }
}

static stn_status prepare_stored(void *context, const char *call, const stn_exec *exec)
{
    (void)context, (void)call, (void)exec;
    return STN_OK;
}

static void release_stored(void *context)
{
    operand *const x = context;
    free(x->stored);
    free(x);
}

/* The copy of the operand that functions of the store use has the elements. */
static void make_stored(operand *x, stn_storage storage, const stn_layout *layout, int rank,
                        const int64_t *extents)
{
    static const int64_t ones[STN_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int64_t *const tile = rank > 0 ? layout->tile : ones;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    operand *const kept = calloc(1, sizeof *kept);
    stn_slice all[STN_MAX_RANK];
    int64_t count = 1;
    for (int d = 0; d < STN_MAX_RANK; d++)
        all[d] = stn_slice_all();
    ok(stn_format_describe(storage.format, &info), "describe");
    for (int d = 0; d < rank; d++)
        count *= (extents[d] + tile[d] - 1) / tile[d] * tile[d];
    assert_non_null(kept);
    x->bytes = kept->bytes = info.bytes;
    x->stored = kept->stored = calloc((size_t)count + 1, (size_t)info.bytes);
    assert_non_null(x->stored);
    const stn_store store = {.move = move_stored,
                             .prepare = prepare_stored,
                             .release = release_stored,
                             .context = kept,
                             .state = "stored"};
    ok(stn_view_create_stored(
           &x->whole,
           &STN_VIEW_SPEC(.label = "operand", .storage = storage, .rank = rank, .extents = extents),
           tile, &store),
       "create a stored view");
    ok(stn_view_slice(&x->view, &x->whole, rank, all), "slice");
}

void *code_of(const operand *x, const int64_t *index)
{
    void *code;
    int64_t offset;
    if (x->stored) {
        ok(stn_view_offset(&x->view, x->view.rank, index, &offset), "offset");
        return x->stored + offset * x->bytes;
    }
    ok(stn_view_address(&x->view, x->view.rank, index, &code), "address");
    return code;
}

/* The storage of one element. */
static stn_storage storage_of(const operand *x, const int64_t *index)
{
    stn_storage storage = x->view.storage;
    storage.scale = scale_of(x, index);
    return storage;
}

void decode_all(const operand *x, stn_format arithmetic, void *values)
{
    int64_t index[STN_MAX_RANK] = {0};
    char *to = values;
    if (stn_view_count(&x->view) == 0)
        return;
    do {
        const stn_storage storage = storage_of(x, index);
        void *const code = code_of(x, index);
        ok(stn_decode(arithmetic, to, &storage, code, 1, 1), "decode");
        to += bytes_of(arithmetic);
    } while (next_index(&x->view, index));
}

void encode_all(const operand *x, stn_format arithmetic, const void *values)
{
    int64_t index[STN_MAX_RANK] = {0}, number = 0;
    const char *from = values;
    if (stn_view_count(&x->view) == 0)
        return;
    do {
        const stn_storage storage = storage_of(x, index);
        void *const code = code_of(x, index);
        ok(stn_encode(arithmetic, &storage, code, 1, number++, from, 1), "encode");
        from += bytes_of(arithmetic);
    } while (next_index(&x->view, index));
}

static void make_view(operand *x, stn_storage storage, layout_case which, int rank,
                      const int64_t *extents)
{
    const stn_layout layout = layout_of(which, rank);
    int64_t larger[STN_MAX_RANK] = {0};
    stn_slice part[STN_MAX_RANK];
    if (which == STORED && !test_exec()) {
        make_stored(x, storage, &layout, rank, extents);
        return;
    }
    for (int d = 0; d < rank; d++) {
        const int64_t extent = extents[d];
        const int steps = which == BACKWARDS || which == PART, last = d == rank - 1;
        larger[d] = which == PADDED && last ? extent + 3 : steps ? 2 * extent + 1 : extent;
        part[d] = which == BACKWARDS ? stn_slice_strided(2 * extent - 1, extent, -2)
                  : which == PART    ? stn_slice_strided(1, extent, 2)
                                     : stn_slice_range(0, extent);
    }
    ok(stn_view_create_spec(NULL, &x->whole,
                            &STN_VIEW_SPEC(.label = "operand", .storage = storage,
                                           .layout = &layout, .rank = rank, .extents = larger)),
       "create");
    ok(stn_view_slice(&x->view, &x->whole, rank, part), "slice");
}

operand make_operand(stn_format arithmetic, stn_storage storage, layout_case which,
                     scale_case scaling, int rank, const int64_t *extents, uint64_t *state)
{
    operand x;
    memset(&x, 0, sizeof x);
    make_view(&x, storage, which, rank, extents);
    set_scales(&x, scaling, state);
    const int64_t count = stn_view_count(&x.view);
    x.memory = calloc((size_t)count + 1, sizeof *x.memory);
    assert_non_null(x.memory);
    for (int64_t k = 0; k < count; k++) {
        const double value = (double)(below(state, 2001) - 1000) / 64;
        if (arithmetic == STN_C128)
            x.memory[k] = (stn_c128){value, (double)below(state, 9) - 4};
        else if (arithmetic == STN_C64)
            ((stn_c64 *)x.memory)[k] = (stn_c64){(float)value, (float)below(state, 9) - 4};
        else if (arithmetic == STN_F32)
            ((float *)x.memory)[k] = (float)value;
        else if (arithmetic == STN_I64)
            ((int64_t *)x.memory)[k] = below(state, 2001) - 1000;
        else
            ((double *)x.memory)[k] = value;
    }
    encode_all(&x, arithmetic, x.memory);
    ok(stn_view_wrap(&x.values, "values", stn_storage_of(arithmetic), x.memory, rank, extents),
       "wrap");
    decode_all(&x, arithmetic, x.memory);
    /* Values under scales that are not powers of two lie next to their codes, and may be rounded to
     * others at random. Elements that no operation writes must be the same after another round. */
    for (int k = 0; storage.rounding == STN_ROUND_STOCHASTIC && k < 4; k++) {
        encode_all(&x, arithmetic, x.memory);
        decode_all(&x, arithmetic, x.memory);
    }
    return x;
}

stn_view send_operand(const operand *x)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    ok(stn_format_describe(x->whole.storage.format, &info), "describe");
    return test_send(&x->view, x->whole.data, stn_view_span(&x->whole) * info.bytes);
}

void drop_operand(operand *x)
{
    free(x->memory);
    free(x->scales);
    free(x->narrow);
    (void)stn_view_release(&x->whole);
}
