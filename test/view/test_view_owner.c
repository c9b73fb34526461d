/* Owners: counts of handles, memory that is adopted, labels, zeros, events, and what is left when
 * there is no memory. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "steno/event.h"
#include "view/owner.h"
#include "view_model.h"
#include "make_view.h"

static const int64_t shape[] = {2, 3, 4, 2, 3, 4, 2, 3};
static const stn_view nothing;

static void create(stn_view *view, const char *label, int rank)
{
    expect_ok(stn_view_create(NULL, view, label, f64(), rank, shape));
}

static void expect_nothing(const stn_view *view)
{
    assert_memory_equal(view, &nothing, sizeof nothing);
}

/* ---- counts ---- */

UNIT_TEST(test_counts)
{
    stn_view a, b, c = nothing;
    create(&a, "kilo", 2);
    assert_int_equal(stn_view_use_count(&a), 1);
    expect_ok(stn_view_share(&b, &a));
    assert_int_equal(stn_view_use_count(&a), 2);
    expect_ok(stn_view_assign(&c, &b));
    assert_int_equal(stn_view_use_count(&a), 3);
    assert_int_equal(stn_view_use_count(&b), 3);
    assert_int_equal(stn_view_use_count(&c), 3);
    expect_ok(stn_view_assign(&c, &c));
    expect_ok(stn_view_share(&c, &c));
    assert_int_equal(stn_view_use_count(&c), 3);
    stn_view_release(&b);
    assert_int_equal(stn_view_use_count(&a), 2);
    assert_true(stn_view_equal(&a, &c));
    stn_view_release(&b); /* a view of nothing by now */
    assert_int_equal(stn_view_use_count(&a), 2);
    stn_view_release(&a);
    assert_int_equal(stn_view_use_count(&c), 1);
    expect_ok(STN_VIEW_SET(&c, 3.0, 1, 2)); /* the memory is there still */
    stn_view_release(&c);
    expect_nothing(&c);
}

/* The handle that is overwritten is given back. */
UNIT_TEST(test_assigned)
{
    stn_view a, b, old;
    create(&a, "new", 1);
    create(&b, "old", 1);
    expect_ok(stn_view_share(&old, &b));
    expect_ok(stn_view_assign(&b, &a));
    assert_int_equal(stn_view_use_count(&old), 1);
    assert_int_equal(stn_view_use_count(&a), 2);
    assert_string_equal(b.label, "new");
    stn_view_release(&a);
    stn_view_release(&b);
    stn_view_release(&old);
}

UNIT_TEST(test_nothing)
{
    stn_view view = nothing, copy;
    memset(&copy, 0x5a, sizeof copy);
    stn_view_release(NULL);
    stn_view_release(&view);
    expect_nothing(&view);
    expect_ok(stn_view_share(&copy, &view));
    assert_int_equal(stn_view_use_count(&copy), 0);
    assert_int_equal(stn_view_use_count(NULL), 0);
    assert_int_equal(stn_view_count(&view) + stn_view_span(&view), 0);
    assert_int_equal(stn_view_count(NULL), 0);
    assert_true(stn_view_equal(&view, &copy));
    stn_view_release(&copy);
}

UNIT_TEST(test_wrapped)
{
    double elements[24] = {0};
    stn_view a, b;
    expect_ok(stn_view_wrap(&a, "wrapped", f64(), elements, 3, shape));
    expect_ok(stn_view_share(&b, &a));
    assert_int_equal(stn_view_use_count(&a), 0);
    assert_int_equal(stn_view_owns_memory(&a), 0);
    stn_view_release(&a);
    expect_ok(STN_VIEW_SET(&b, 3.0, 1, 2, 3));
    assert_true(elements[23] == 3.0);
    stn_view_release(&b);
}

/* The mapping of a wrapped view has an owner, the memory none. */
UNIT_TEST(test_wrapped_mapping)
{
    double elements[64] = {0};
    char label[] = "wrapped";
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
        const stn_layout layout = model_layout_of(l, 2, shape);
        stn_view a, b;
        a = wrap_layout(label, f64(), elements + 32, &layout, 2, shape);
        expect_ok(stn_view_share(&b, &a));
        assert_int_equal(stn_view_use_count(&a), model_is_strided(l) ? 0 : 2);
        assert_int_equal(stn_view_owns_memory(&a), 0);
        stn_view_release(&a);
        expect_ok(STN_VIEW_SET(&b, 3.0, 1, 2));
        assert_string_equal(b.label, label);
        stn_view_release(&b);
    }
}

UNIT_TEST(test_threads)
{
    enum { ROUNDS = 20000 };
    stn_view view;
    create(&view, "shared", 2);
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

/* Whoever is last frees: never the one who made it, here. */
UNIT_TEST(test_last_on_a_thread)
{
    for (int k = 0; k < 500; k++) {
        stn_view view, handles[4];
        create(&view, "passed on", 3);
        for (int t = 0; t < 4; t++)
            expect_ok(stn_view_share(&handles[t], &view));
        stn_view_release(&view);
#pragma omp parallel num_threads(4)
        for (int t = omp_get_thread_num(); t < 4; t += omp_get_num_threads()) {
            ((double *)handles[t].data)[t] = t;
            stn_view_release(&handles[t]);
        }
    }
}

/* ---- adopted memory ---- */

typedef struct deleted {
    int times;
    void *data;
} deleted;

static void delete (void *data, void *context)
{
    deleted *seen = context;
    seen->times++;
    seen->data = data;
    free(data);
}

UNIT_TEST(test_adopted)
{
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++) {
        const stn_layout layout = model_layout_of(l, 2, shape);
        deleted seen = {0, NULL};
        double *memory = calloc(64, sizeof *memory);
        stn_view a, b;
        if (l == MODEL_STRIDED) { /* reaches below its first element */
            free(memory);
            continue;
        }
        expect_ok(
            stn_view_adopt(&a, &STN_VIEW_SPEC(.label = "adopted", .storage = f64(), .data = memory,
                                              .layout = &layout, .rank = 2, .extents = shape,
                                              .free_data = delete, .context = &seen)));
        expect_ok(stn_view_share(&b, &a));
        assert_int_equal(stn_view_owns_memory(&a), 1);
        stn_view_release(&a);
        assert_int_equal(seen.times, 0);
        stn_view_release(&b);
        assert_int_equal(seen.times, 1);
        assert_ptr_equal(seen.data, memory);
    }
}

/* A call that fails takes nothing. */
UNIT_TEST(test_not_adopted)
{
    double memory[6];
    deleted seen = {0, NULL};
    stn_view view;
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    expect_error(stn_view_adopt(&view, &STN_VIEW_SPEC(.label = "adopted", .storage = f64(),
                                                      .data = memory, .rank = 2, .extents = shape)),
                 STN_ERR_ARGUMENT, NULL);
    expect_nothing(&view);
    expect_error(stn_view_adopt(&view, &STN_VIEW_SPEC(.label = "adopted", .storage = f64(),
                                                      .data = NULL, .rank = 2, .extents = shape,
                                                      .free_data = delete, .context = &seen)),
                 STN_ERR_ARGUMENT, NULL);
    expect_nothing(&view);
    for (int nth = 1; nth <= 2; nth++) {
        stn_fail_allocation(nth);
        expect_error(stn_view_adopt(&view, &STN_VIEW_SPEC(.label = "adopted", .storage = f64(),
                                                          .data = memory, .layout = &morton,
                                                          .rank = 2, .extents = shape,
                                                          .free_data = delete, .context = &seen)),
                     STN_ERR_MEMORY, "adopted");
        expect_nothing(&view);
    }
    stn_fail_allocation(0);
    assert_int_equal(seen.times, 0);
}

/* ---- memory ---- */

UNIT_TEST(test_labels)
{
    static const size_t lengths[] = {0, 1, 63, 64, 119, 120, 300, 5000};
    for (int k = 0; k < COUNT_OF(lengths); k++) {
        char label[5001], again[5001];
        stn_view view, same;
        memset(label, 'l', lengths[k]);
        label[lengths[k]] = '\0';
        memcpy(again, label, sizeof again);
        create(&view, label, 2);
        create(&same, label, 2);
        memset(label, 'x', lengths[k]);
        assert_string_equal(view.label, again);
        assert_string_equal(same.label, again);
        stn_view_release(&view);
        stn_view_release(&same);
    }
    stn_view view;
    create(&view, NULL, 2);
    assert_string_equal(view.label, "");
    stn_view_release(&view);
}

/* Of every rank and size: aligned, zero to the last byte, and also when there is nothing. */
UNIT_TEST(test_zeros)
{
    static const int64_t sizes[] = {0, 1, 100, 511, 512, 513, 9000, 100000, 700001};
    stn_exec *exec;
    expect_ok(stn_exec_create(&exec, "openmp:threads=3"));
    for (int k = 0; k < COUNT_OF(sizes); k++)
        for (int round = 0; round < 4; round++) {
            stn_view view;
            expect_ok(
                stn_view_create(round % 2 ? exec : NULL, &view, "zeros", f64(), 1, &sizes[k]));
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
        stn_view view;
        int64_t indices[STN_MAX_RANK] = {0};
        double value = 1.0;
        create(&view, "zeros", rank);
        expect_ok(stn_view_get(&view, rank, indices, &value));
        assert_true(value == 0.0);
        stn_view_release(&view);
    }
    stn_exec_release(exec);
}

UNIT_TEST(test_structs)
{
    typedef struct odd {
        char bytes[13];
    } odd;
    const int64_t count = 50;
    stn_format format;
    stn_view view;
    expect_ok(stn_format_opaque(&format, sizeof(odd), 1));
    expect_ok(stn_view_create(NULL, &view, "structs", stn_storage_of(format), 1, &count));
    for (int64_t i = 0; i < count; i++) {
        void *address;
        odd one;
        memset(&one, (int)i, sizeof one);
        expect_ok(stn_view_address(&view, 1, &i, &address));
        memcpy(address, &one, sizeof one);
        assert_ptr_equal(address, (odd *)view.data + i);
    }
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(((odd *)view.data)[i].bytes[12], i);
    stn_view_release(&view);
}

/* ---- no memory ---- */

/* At each allocation of each way to make a view: an error that names label and space, nothing made,
 * nothing lost (valgrind and the sanitizers look). */
UNIT_TEST(test_no_memory)
{
    const int64_t large[] = {100, 100};
    double elements[64];
    for (model_layout l = 0; l < MODEL_LAYOUTS; l++)
        for (int way = 0; way < 3; way++) {
            const int64_t *extents = way == 0 ? large : shape;
            const stn_layout layout = model_layout_of(l, 2, extents);
            int nth = 0;
            for (stn_status status = STN_ERR_MEMORY; status != STN_OK;) {
                stn_view view;
                memset(&view, 0x5a, sizeof view);
                stn_fail_allocation(++nth);
                status = way < 2
                             ? stn_view_create_spec(
                                   NULL, &view,
                                   &STN_VIEW_SPEC(.label = "kilo", .storage = f64(),
                                                  .layout = &layout, .rank = 2, .extents = extents))
                             : stn_view_wrap_spec(
                                   &view, &STN_VIEW_SPEC(.label = "kilo", .storage = f64(),
                                                         .data = elements + 32, .layout = &layout,
                                                         .rank = 2, .extents = extents));
                stn_fail_allocation(0);
                if (status == STN_OK) {
                    stn_view_release(&view);
                    break;
                }
                assert_int_equal(status, STN_ERR_MEMORY);
                assert_non_null(strstr(stn_error(), "kilo"));
                expect_nothing(&view);
            }
            const int mapped = !model_is_strided(l);
            assert_int_equal(nth - 1, way == 0 ? 2 + mapped : way == 1 ? 1 + mapped : 2 * mapped);
        }
}

/* ---- events ---- */

static char told[16][64];
static int told_count;

static void hear(const stn_event *event, void *context)
{
    static const char *const kinds[] = {"allocate",     "free",       "copy",   "copy end",
                                        "kernel begin", "kernel end", "resize", "resize end"};
    (void)context;
    if (told_count < 16)
        (void)snprintf(told[told_count++], sizeof told[0], "%s %s %s %d", kinds[event->kind],
                       event->label, event->space ? event->space : "-", (int)event->bytes);
}

UNIT_TEST(test_events)
{
    static double elements[6];
    const int64_t extents[] = {2, 3};
    stn_view view, copy;
    told_count = 0;
    stn_event_set_hook(hear, NULL);
    expect_ok(stn_view_create(NULL, &view, "lima", f64(), 2, extents));
    expect_ok(stn_view_share(&copy, &view));
    stn_view_release(&view);
    assert_int_equal(told_count, 3);
    stn_view_release(&copy);
    assert_int_equal(told_count, 4);
    assert_string_equal(told[0], "allocate lima host 48");
    assert_non_null(strstr(told[1], "kernel begin"));
    assert_non_null(strstr(told[2], "kernel end"));
    assert_string_equal(told[3], "free lima host 48");
    told_count = 0;
    view = create_view(NULL, "mike", f64(), NULL, 2, extents, STN_CREATE_UNINITIALIZED);
    stn_view_release(&view);
    assert_int_equal(told_count, 2);
    expect_ok(stn_view_wrap(&view, "wrapped", f64(), elements, 2, extents));
    expect_ok(
        stn_view_slice(&copy, &view, 2, (const stn_slice[]){stn_slice_all(), stn_slice_all()}));
    stn_view_release(&copy);
    stn_view_release(&view);
    assert_int_equal(told_count, 2);
    stn_event_set_hook(NULL, NULL);
}

RUN_UNIT_TESTS(NULL, NULL)
