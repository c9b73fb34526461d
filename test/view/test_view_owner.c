/* Handles and owners: the frozen size of a view, use counts, adopted memory, new memory, and parts,
 * which allocate nothing for any layout, scales and rounding; failed allocations change nothing. */
#include <stdlib.h>

#include "measure/openmp.h"
#include "core/memory.h"
#include "view/extra.h"
#include "view/owner.h"
#include "view_model.h"
#include "make_view.h"

static const int64_t shape[] = {2, 3, 4, 2, 3, 4, 2, 3};
static const stn_view nothing;

static stn_view create(const char *label, int rank)
{
    return create_view(NULL, label, f64(), NULL, rank, shape, 0);
}

static stn_view share(const stn_view *view)
{
    stn_view handle;
    expect_ok(stn_view_share(&handle, view));
    return handle;
}

static void check_empty(const stn_view *view)
{
    assert_memory_equal(view, &nothing, sizeof nothing);
}

/* ---- handles ---- */

UNIT_TEST(the_size_is_frozen)
{
    assert_int_equal(sizeof(stn_view), 256);
    assert_int_equal(offsetof(stn_view, data), 8);
    assert_int_equal(offsetof(stn_view, storage), 24);
    assert_int_equal(offsetof(stn_view, extent), 72);
    assert_int_equal(offsetof(stn_view, stride), 136);
    assert_int_equal(offsetof(stn_view, owner), 200);
}

UNIT_TEST(zeros_are_an_empty_view)
{
    stn_view empty;
    stn_scales scales;
    memset(&empty, 0, sizeof empty);
    assert_int_equal(stn_view_count(&empty) + stn_view_span(&empty), 0);
    assert_int_equal(stn_view_use_count(&empty), 0);
    assert_true(stn_view_is_unique(&empty));
    stn_view other = share(&empty);
    assert_true(stn_view_equal(&other, &empty));
    assert_int_equal(stn_view_use_count(&other), 0);
    expect_ok(stn_view_scales(&empty, &scales));
    assert_null(scales.data);
    expect_ok(stn_view_copy(NULL, &other, &empty));
    expect_ok(stn_view_release(&other));
    expect_ok(stn_view_release(&empty));
    check_empty(&empty);
    stn_view_release(NULL);
    assert_int_equal(stn_view_use_count(NULL), 0);
    assert_int_equal(stn_view_count(NULL), 0);
}

UNIT_TEST(use_counts)
{
    stn_view a = create("kilo", 2), c = nothing;
    assert_int_equal(stn_view_use_count(&a), 1);
    stn_view b = share(&a);
    assert_int_equal(stn_view_use_count(&a), 2);
    expect_ok(stn_view_assign(&c, &b));
    assert_int_equal(stn_view_use_count(&a), 3);
    assert_int_equal(stn_view_use_count(&b), 3);
    expect_ok(stn_view_assign(&c, &c));
    expect_ok(stn_view_share(&c, &c));
    assert_int_equal(stn_view_use_count(&c), 3);
    stn_view_release(&b);
    assert_int_equal(stn_view_use_count(&a), 2);
    assert_true(stn_view_equal(&a, &c));
    stn_view_release(&b); /* empty by now */
    assert_int_equal(stn_view_use_count(&a), 2);
    stn_view_release(&a);
    assert_int_equal(stn_view_use_count(&c), 1);
    expect_ok(STN_VIEW_SET(&c, 3.0, 1, 2)); /* the memory still exists */
    stn_view_release(&c);
    check_empty(&c);
}

/* An assignment releases the handle that it overwrites. */
UNIT_TEST(assigned_handles)
{
    stn_view a = create("new", 1), b = create("old", 1), old = share(&b);
    expect_ok(stn_view_assign(&b, &a));
    assert_int_equal(stn_view_use_count(&old), 1);
    assert_int_equal(stn_view_use_count(&a), 2);
    assert_string_equal(b.label, "new");
    stn_view_release(&a);
    stn_view_release(&b);
    stn_view_release(&old);
}

/* Mappings of wrapped views have an owner, their memory has none. */
UNIT_TEST(wrapped_views)
{
    double elements[64] = {0};
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
        const stn_layout layout = model_layout_of(l, 2, shape);
        stn_view a = wrap_layout("wrapped", f64(), elements + 32, &layout, 2, shape);
        stn_view b = share(&a);
        assert_int_equal(stn_view_use_count(&a), model_is_strided(l) ? 0 : 2);
        assert_int_equal(stn_view_owns_memory(&a), 0);
        stn_view_release(&a);
        expect_ok(STN_VIEW_SET(&b, 3.0 + (double)l, 1, 2));
        assert_true(VALUE_AT(&b, 1, 2) == 3.0 + (double)l);
        assert_string_equal(b.label, "wrapped");
        stn_view_release(&b);
    }
    assert_true(elements[32 + 5] == 3.0 + MODEL_TILED_LEFT); /* element (1, 2) of its first tile */
}

UNIT_TEST(handles_of_several_threads)
{
    enum { ROUNDS = 20000 };
    stn_view view = create("shared", 2);
#pragma omp parallel num_threads(4)
    {
        stn_view mine, another;
        if (stn_view_share(&mine, &view) != STN_OK)
            abort();
        for (int k = 0; k < ROUNDS; k++) {
            if (stn_view_share(&another, &mine) != STN_OK || stn_view_use_count(&another) < 3)
                abort();
            stn_view_release(&another);
        }
        stn_view_release(&mine);
    }
    assert_int_equal(stn_view_use_count(&view), 1);
    stn_view_release(&view);
}

/* The last handle frees the memory, which another thread allocated. */
UNIT_TEST(last_handles_on_other_threads)
{
    for (int k = 0; k < 500; k++) {
        stn_view view = create("passed on", 3), handles[4];
        for (int t = 0; t < 4; t++)
            handles[t] = share(&view);
        stn_view_release(&view);
#pragma omp parallel num_threads(4)
        for (int t = omp_get_thread_num(); t < 4; t += omp_get_num_threads()) {
            ((double *)handles[t].data)[t] = t;
            stn_view_release(&handles[t]);
        }
    }
}

/* ---- adopted memory ---- */

typedef struct freed {
    int times;
    void *data;
} freed;

static void free_data(void *data, void *context)
{
    freed *seen = context;
    seen->times++;
    seen->data = data;
    free(data);
}

static stn_view_spec adopted(void *memory, const stn_layout *layout, freed *seen)
{
    return STN_VIEW_SPEC(.label = "adopted", .storage = f64(), .data = memory, .layout = layout,
                         .rank = 2, .extents = shape, .free_data = free_data, .context = seen);
}

UNIT_TEST(adopted_memory)
{
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
        const stn_layout layout = model_layout_of(l, 2, shape);
        freed seen = {0, NULL};
        stn_view a;
        if (l == MODEL_STRIDED) /* has elements below its first one */
            continue;
        double *memory = calloc(64, sizeof *memory);
        const stn_view_spec spec = adopted(memory, &layout, &seen);
        expect_ok(stn_view_adopt(&a, &spec));
        stn_view b = share(&a);
        assert_int_equal(stn_view_owns_memory(&a), 1);
        stn_view_release(&a);
        assert_int_equal(seen.times, 0);
        stn_view_release(&b);
        assert_int_equal(seen.times, 1);
        assert_ptr_equal(seen.data, memory);
    }
}

/* A call that fails does not free the memory. */
UNIT_TEST(memory_that_is_not_adopted)
{
    double memory[6];
    freed seen = {0, NULL};
    stn_view view;
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    const stn_view_spec no_data = adopted(NULL, NULL, &seen),
                        mapped = adopted(memory, &morton, &seen);
    stn_view_spec no_function = mapped;
    no_function.free_data = NULL;
    expect_error(stn_view_adopt(&view, &no_function), STN_ERR_ARGUMENT, NULL);
    check_empty(&view);
    expect_error(stn_view_adopt(&view, &no_data), STN_ERR_ARGUMENT, NULL);
    check_empty(&view);
    for (int nth = 1; nth <= 2; nth++) {
        stn_fail_allocation(nth);
        expect_error(stn_view_adopt(&view, &mapped), STN_ERR_MEMORY, "adopted");
        check_empty(&view);
    }
    stn_fail_allocation(0);
    assert_int_equal(seen.times, 0);
}

/* ---- new memory ---- */

UNIT_TEST(labels_are_copied)
{
    static const size_t lengths[] = {0, 1, 63, 64, 119, 120, 300, 5000};
    stn_view view;
    for (int k = 0; k < COUNT_OF(lengths); k++) {
        char label[5001] = "", again[5001];
        memset(label, 'l', lengths[k]);
        memcpy(again, label, sizeof again);
        view = create(label, 2);
        stn_view same = create(label, 2);
        memset(label, 'x', lengths[k]);
        assert_string_equal(view.label, again);
        assert_string_equal(same.label, again);
        stn_view_release(&view);
        stn_view_release(&same);
    }
    view = create(NULL, 2);
    assert_string_equal(view.label, "");
    stn_view_release(&view);
}

/* Aligned, zero to the last byte, also without elements. */
UNIT_TEST(new_memory_is_zero)
{
    static const int64_t sizes[] = {0, 1, 100, 511, 512, 513, 9000, 100000, 700001};
    static const int64_t indices[STN_MAX_RANK];
    stn_view view;
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, OPENMP ":threads=3"));
    for (int k = 0; k < COUNT_OF(sizes); k++)
        for (int round = 0; round < 4; round++) {
            view = create_view(round % 2 ? exec : NULL, "zeros", f64(), NULL, 1, &sizes[k], 0);
            assert_non_null(view.data);
            assert_int_equal((uintptr_t)view.data % 64, 0);
            assert_int_equal(stn_view_use_count(&view), 1);
            for (int64_t i = 0; i < sizes[k]; i++)
                if (((double *)view.data)[i] != 0.0)
                    fail_msg("element %lld of %lld", (long long)i, (long long)sizes[k]);
            if (sizes[k])
                memset(view.data, 0x5a, (size_t)sizes[k] * sizeof(double));
            stn_view_release(&view);
        }
    for (int rank = 0; rank <= STN_MAX_RANK; rank++) {
        view = create("zeros", rank);
        assert_true(get_value(&view, rank, indices) == 0.0);
        stn_view_release(&view);
    }
    stn_exec_release(exec);
}

UNIT_TEST(addresses_of_structs)
{
    enum { BYTES = 13 };
    const int64_t count = 50;
    stn_format format;
    void *address;
    expect_ok(stn_format_opaque(&format, BYTES, 1));
    stn_view view = create_view(NULL, "structs", stn_storage_of(format), NULL, 1, &count, 0);
    for (int64_t i = 0; i < count; i++) {
        expect_ok(stn_view_address(&view, 1, &i, &address));
        assert_ptr_equal(address, (char *)view.data + i * BYTES);
    }
    stn_view_release(&view);
}

/* Each allocation of each way to make a view fails: the message has the label, and no view is made
 * or leaked (the sanitizers check). */
UNIT_TEST(failed_allocations)
{
    const int64_t large[] = {100, 100};
    double elements[64];
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++)
        for (int way = 0; way < 3; way++) {
            const int64_t *extents = way == 0 ? large : shape;
            const stn_layout layout = model_layout_of(l, 2, extents);
            const int mapped = !model_is_strided(l);
            const int allocations = way == 0 ? 2 + mapped : way == 1 ? 1 + mapped : 2 * mapped;
            const stn_view_spec spec =
                STN_VIEW_SPEC(.label = "kilo", .storage = f64(), .layout = &layout, .rank = 2,
                              .extents = extents, .data = way < 2 ? NULL : elements + 32);
            for (int nth = 1; nth <= allocations + 1; nth++) {
                stn_view view;
                memset(&view, 0x5a, sizeof view);
                stn_fail_allocation(nth);
                const stn_status status = way < 2 ? stn_view_create_spec(NULL, &view, &spec)
                                                  : stn_view_wrap_spec(&view, &spec);
                stn_fail_allocation(0);
                if (nth > allocations) {
                    expect_ok(status);
                    stn_view_release(&view);
                    continue;
                }
                expect_error(status, STN_ERR_MEMORY, "kilo");
                check_empty(&view);
            }
        }
}

/* ---- parts ---- */

enum { ROWS = 12, COLUMNS = 10, PADDING = 3, KINDS = 6 };
static const int64_t matrix[] = {ROWS, COLUMNS};
static double row_scales[ROWS] = {1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};

/* Views of each kind of state: none, a mapping, scales of rows, scales of blocks, and stochastic
 * rounding of columns that are contiguous or padded. */
static stn_view view_of_kind(int kind)
{
    static double memory[ROWS * (COLUMNS + PADDING)];
    const int64_t tile[] = {4, 3}, columns[] = {1, ROWS + PADDING};
    const stn_layout layouts[KINDS] = {[1] = stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT),
                                       [4] = stn_layout_of(STN_LAYOUT_LEFT),
                                       [5] = stn_layout_strided(2, columns)};
    const stn_scales scales =
        kind == 2 ? element_scales(row_scales, 1, 0) : block_scales(row_scales, 0, 4, 1, 0);
    stn_storage storage = stn_storage_of(STN_I16);
    if (kind >= 4) {
        storage.rounding = STN_ROUND_STOCHASTIC;
        storage.seed = 7;
    }
    if (kind == 1 || kind >= 4)
        return wrap_layout("view", storage, memory, &layouts[kind], 2, matrix);
    stn_view view = create_view(NULL, "view", storage, NULL, 2, matrix, 0);
    if (kind >= 2)
        expect_ok(stn_view_set_scales(&view, &scales));
    return view;
}

/* The next allocation was to fail. */
static void check_no_allocation(void)
{
    void *memory = NULL;
    expect_error(stn_allocate(&memory, 1, 1, "the first allocation"), STN_ERR_MEMORY, NULL);
}

UNIT_TEST(parts_allocate_nothing)
{
    const stn_slice slices[] = {stn_slice_strided(10, 5, -2), stn_slice_range(1, 9)};
    const stn_slice inner[] = {stn_slice_range(1, 4), stn_slice_index(3)};
    const int order[] = {1, 0};
    for (int kind = 0; kind < KINDS; kind++) {
        stn_view view = view_of_kind(kind), part, shared, turned, wider, handle, copy = view;
        stn_fail_allocation(1);
        part = slice_view(&view, 2, slices);
        expect_ok(stn_view_permute(&turned, &part, 2, order));
        expect_ok(stn_view_insert_axis(&wider, &turned, 1));
        expect_ok(stn_view_slice(&part, &part, 2, inner));
        expect_ok(stn_view_share_slice(&shared, &view, 2, slices));
        expect_ok(stn_view_share(&handle, &shared));
        assert_true(stn_view_equal(&handle, &shared));
        assert_true(stn_view_equal(&copy, &view));
        expect_ok(stn_view_release(&handle));
        expect_ok(stn_view_release(&shared));
        check_no_allocation();
        expect_ok(stn_view_release(&view));
    }
}

/* Element (i, 0, j) of the part of a part is (8 - 2 j, 8 - 2 i) of the whole view. Storing it,
 * alone or by a copy of runs, gives the value that storing it in the whole view gives. */
UNIT_TEST(parts_of_parts_store_as_the_whole)
{
    const stn_slice slices[] = {stn_slice_strided(10, 5, -2), stn_slice_range(1, 9)};
    const stn_slice inner[] = {stn_slice_strided(7, 4, -2), stn_slice_all(), stn_slice_range(1, 4)};
    const int64_t extents[] = {4, 1, 3};
    double values[12];
    for (int k = 0; k < 12; k++)
        values[k] = 5.0 + 0.37 * k;
    const stn_view from = wrap_view("from", f64(), values, 3, extents);
    for (int kind = 0; kind < KINDS; kind++) {
        stn_view view = view_of_kind(kind), part = slice_view(&view, 2, slices);
        expect_ok(stn_view_permute(&part, &part, 2, (const int[]){1, 0}));
        expect_ok(stn_view_insert_axis(&part, &part, 1));
        expect_ok(stn_view_slice(&part, &part, 3, inner));
        assert_int_equal(part.rank, 3);
        for (int64_t k = 0; k < 12; k++) {
            const int64_t at[] = {k / 3, 0, k % 3}, in_view[] = {8 - 2 * at[2], 8 - 2 * at[0]};
            expect_ok(stn_view_copy(NULL, &part, &from));
            const double copied = get_value(&part, 3, at);
            expect_ok(stn_view_set(&view, 2, in_view, values[k]));
            const double expected = get_value(&view, 2, in_view);
            assert_true(copied == expected);
            expect_ok(stn_view_set(&view, 2, in_view, -1.0));
            expect_ok(stn_view_set(&part, 3, at, values[k]));
            assert_true(get_value(&part, 3, at) == expected);
            assert_true(get_value(&view, 2, in_view) == expected);
        }
        expect_ok(stn_view_release(&view));
    }
}

/* ---- scales ---- */

UNIT_TEST(scales_need_memory)
{
    static int8_t codes[ROWS * COLUMNS];
    const stn_scales scales = element_scales(row_scales, 1, 0);
    stn_view view = wrap_view("codes", stn_storage_of(STN_I8), codes, 2, matrix);
    const stn_view before = view;
    for (int nth = 1; nth <= 2; nth++) {
        stn_fail_allocation(nth);
        expect_error(stn_view_set_scales(&view, &scales), STN_ERR_MEMORY,
                     "stn_view_set_scales: codes (i8, 12 x 10)");
        assert_memory_equal(&view, &before, sizeof view);
    }
    stn_fail_allocation(0);
    expect_ok(stn_view_set_scales(&view, &scales));
    assert_int_equal(stn_view_use_count(&view), 1);
    stn_fail_allocation(1);
    expect_ok(stn_view_set_scales(&view, &scales)); /* replaces them in place */
    check_no_allocation();
    expect_ok(stn_view_set_scales(&view, &(stn_scales){.data = NULL}));
    assert_false(stn_view_has_scales(&view));
    expect_ok(stn_view_release(&view));
}

/* The step of a part cannot be found where a dimension repeats elements. */
UNIT_TEST(steps_over_repeated_elements_are_refused)
{
    static int8_t codes[COLUMNS] = {[4] = 1};
    const int64_t rows[] = {0, 1};
    const stn_slice steps[] = {stn_slice_strided(0, 3, 2), stn_slice_all()};
    const stn_slice range[] = {stn_slice_range(2, 5), stn_slice_all()};
    const stn_scales scales = element_scales(row_scales, 1, 0);
    stn_view view = wrap_strided("row", stn_storage_of(STN_I8), codes, 2, matrix, rows);
    stn_view part = slice_view(&view, 2, steps);
    expect_ok(stn_view_set_scales(&view, &scales));
    expect_error(stn_view_slice(&part, &view, 2, steps), STN_ERR_UNSUPPORTED, "the step must be 1");
    part = slice_view(&view, 2, range);
    assert_true(VALUE_AT(&part, 1, 4) == 8.0);
    expect_ok(stn_view_release(&view));
}

RUN_UNIT_TESTS(NULL, NULL)
