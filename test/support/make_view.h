/* Views for tests. A call that fails ends the test. */
#ifndef STENO_TEST_MAKE_VIEW_H
#define STENO_TEST_MAKE_VIEW_H

#include "check.h"
#include "steno/view.h"

static inline stn_view wrap_spec(stn_view_spec spec)
{
    stn_view view;
    expect_ok_for(stn_view_wrap_spec(&view, &spec), spec.label ? spec.label : "");
    return view;
}

static inline stn_view wrap_view(const char *label, stn_storage storage, void *data, int rank,
                                 const int64_t *extents)
{
    return wrap_spec(STN_VIEW_SPEC(.label = label, .storage = storage, .data = data, .rank = rank,
                                   .extents = extents));
}

static inline stn_view wrap_strided(const char *label, stn_storage storage, void *data, int rank,
                                    const int64_t *extents, const int64_t *strides)
{
    return wrap_spec(STN_VIEW_SPEC(.label = label, .storage = storage, .data = data, .rank = rank,
                                   .extents = extents, .strides = strides));
}

static inline stn_view wrap_layout(const char *label, stn_storage storage, void *data,
                                   const stn_layout *layout, int rank, const int64_t *extents)
{
    return wrap_spec(STN_VIEW_SPEC(.label = label, .storage = storage, .data = data,
                                   .layout = layout, .rank = rank, .extents = extents));
}

static inline stn_view create_view(const stn_exec *exec, const char *label, stn_storage storage,
                                   const stn_layout *layout, int rank, const int64_t *extents,
                                   unsigned flags)
{
    stn_view view;
    expect_ok_for(
        stn_view_create_spec(exec, &view,
                             &STN_VIEW_SPEC(.label = label, .storage = storage, .layout = layout,
                                            .rank = rank, .extents = extents, .flags = flags)),
        label);
    return view;
}

static inline stn_view slice_view(const stn_view *view, int rank, const stn_slice *slices)
{
    stn_view part;
    expect_ok(stn_view_slice(&part, view, rank, slices));
    return part;
}

/* Scales with these strides, one per block of `block` elements along `dimension`. */
static inline stn_scales block_scales(double *data, int dimension, int64_t block, int64_t stride0,
                                      int64_t stride1)
{
    return (stn_scales){.data = data,
                        .format = STN_F64,
                        .dimension = dimension,
                        .block = block,
                        .stride = {stride0, stride1}};
}

static inline stn_scales element_scales(double *data, int64_t stride0, int64_t stride1)
{
    return block_scales(data, STN_NO_DIMENSION, 1, stride0, stride1);
}

static inline double get_value(const stn_view *view, int rank, const int64_t *indices)
{
    double value;
    expect_ok(stn_view_get(view, rank, indices, &value));
    return value;
}

/* The value of an element: VALUE_AT(&view, i, j). */
#define VALUE_AT(view, ...)                                                                        \
    get_value(view, STN_VIEW_COUNT(__VA_ARGS__), STN_VIEW_INDICES(__VA_ARGS__))

/* The next indices below `extents` in C order; 0 after the last. */
static inline int next_indices(int rank, const int64_t *extents, int64_t *indices)
{
    for (int d = rank - 1; d >= 0; d--) {
        if (++indices[d] < extents[d])
            return 1;
        indices[d] = 0;
    }
    return 0;
}

static inline stn_storage f64(void)
{
    return stn_storage_of(STN_F64);
}

/* A refused call: its message contains the text, and begins with the function that `call` calls. */
static inline void check_refused_call(stn_status expected, const char *text, const char *call,
                                      stn_status status)
{
    const size_t name = strcspn(call, "(");
    if (status != expected || !strstr(stn_error(), text) || strncmp(stn_error(), call, name) != 0 ||
        stn_error()[name] != ':')
        fail_msg("%.*s: %s, not %s with '%s': %s", (int)name, call, stn_status_name(status),
                 stn_status_name(expected), text, stn_error());
}

#define expect_refused(expected, text, ...)                                                        \
    check_refused_call(expected, text, #__VA_ARGS__, __VA_ARGS__)

/* Defines main, which runs every UNIT_TEST on each of these executors. */
#define RUN_UNIT_TESTS_ON(exec, ...)                                                               \
    int main(void)                                                                                 \
    {                                                                                              \
        static const char *const resources[] = {__VA_ARGS__};                                      \
        int failed = 0;                                                                            \
        for (int k = 0; k < COUNT_OF(resources); k++) {                                            \
            if (stn_exec_create(&(exec), resources[k]) != STN_OK)                                  \
                return 1;                                                                          \
            failed += run_unit_tests(resources[k], NULL, NULL);                                    \
            stn_exec_release(exec);                                                                \
        }                                                                                          \
        return failed;                                                                             \
    }

#endif
