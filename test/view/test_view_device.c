/* Views in the memory of devices: made, filled, copied in every direction with any strides,
 * mirrored, resized and given back, with the bytes that the same calls give on the host. Without a
 * CUDA device the stand-in of test/cuda takes its place, which moves codes but converts none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda.h"
#include "device_own.h"
#include "steno/blas.h"
#include "steno/kernel.h"
#include "steno/reduce.h"
#include "steno/view.h"
#include "check.h"

static const char *resource;

STN_MAP(twice, (inout(y)), y = y + y;)

static int is_cuda(void)
{
    return strncmp(resource, "opencl", 6) != 0;
}

static int is_stand_in(void)
{
    return is_cuda() && cuda_is_stand_in();
}

/* ---- codes in every direction ---- */

static void copy_parts(stn_storage storage, int rank, const int64_t *extents)
{
    twins a, b;
    make_part(&a, storage, rank, extents);
    make_part(&b, storage, rank, extents);
    expect_ok(stn_view_copy(on, &a.device_part, &b.host_part)); /* there */
    expect_ok(stn_view_copy(NULL, &a.host_part, &b.host_part));
    expect_same(&a, "from host to device");
    scatter(b.host.data, b.bytes);
    expect_ok(stn_view_copy(on, &b.device, &b.host));
    expect_ok(stn_view_copy(on, &a.device_part, &b.device_part)); /* on the device */
    expect_ok(stn_view_copy(NULL, &a.host_part, &b.host_part));
    expect_same(&a, "on the device");
    scatter(a.host.data, a.bytes);
    expect_ok(stn_view_copy(on, &a.device, &a.host));
    expect_ok(stn_view_copy(on, &b.host_part, &a.device_part)); /* and back */
    expect_ok(stn_view_copy(NULL, &b.device_part, &b.host_part) == STN_ERR_UNSUPPORTED
                  ? STN_OK
                  : STN_ERR_ARGUMENT);
    expect_ok(stn_view_copy(on, &b.device_part, &a.device_part));
    expect_same(&b, "from device to host");
    release_twins(&a);
    release_twins(&b);
}

static void moves_codes_between_any_strides(void **state)
{
    stn_format formats[] = {STN_I8, STN_F16, STN_F32, STN_F64, STN_C128, STN_C32, 0, 0};
    (void)state;
    expect_ok(stn_format_opaque(&formats[6], 12, 4));
    expect_ok(stn_format_opaque(&formats[7], 40, 8));
    seed = 1;
    for (int round = 0; round < (is_stand_in() ? 2000 : 240); round++) {
        const int rank = 1 + (int)chance(4);
        int64_t extents[STN_MAX_RANK];
        for (int d = 0; d < rank; d++)
            extents[d] = chance(30) ? 1 + (int64_t)chance(rank > 2 ? 5 : 40) : 0;
        copy_parts(stn_storage_of(formats[round % 8]), rank, extents);
    }
}

/* The planes, rows and runs of one box: a call of the driver each, however many elements. */
static void moves_boxes_as_one(void **state)
{
    static const int64_t whole[3] = {20, 30, 40}, small[3] = {10, 20, 30};
    const stn_slice slices[3] = {stn_slice_range(5, 15), stn_slice_range(4, 24),
                                 stn_slice_range(3, 33)};
    stn_view there, part, here;
    (void)state;
    expect_ok(stn_view_create(on, &there, "there", stn_storage_of(STN_F32), 3, whole));
    expect_ok(stn_view_create(NULL, &here, "here", stn_storage_of(STN_F32), 3, small));
    expect_ok(stn_view_slice(&part, &there, 3, slices));
    if (is_stand_in())
        cuda_stand_in_of()->reset();
    expect_ok(stn_view_copy(on, &part, &here));
    if (is_stand_in())
        assert_true(cuda_stand_in_of()->look()->calls < (cuda_is_hip() ? 40 : 20));
    expect_ok(stn_view_release(&there));
    expect_ok(stn_view_release(&here));
}

/* ---- other layouts ---- */

static void moves_tiles(void **state)
{
    static const int64_t extents[2] = {37, 50}, tile[2] = {8, 16};
    const stn_layout layouts[] = {stn_layout_of(STN_LAYOUT_LEFT),
                                  stn_layout_tiled(2, tile, STN_LAYOUT_RIGHT),
                                  stn_layout_of(STN_LAYOUT_MORTON)};
    (void)state;
    for (int k = 0; k < 3; k++) {
        twins a, b;
        make_twins(&a, stn_storage_of(STN_F32), &layouts[k], 2, extents);
        make_twins(&b, stn_storage_of(STN_F32), NULL, 2, extents);
        expect_same(&a, "as it is laid out");
        if (k < 2) {
            expect_ok(stn_view_copy(on, &a.device, &b.host));
            expect_ok(stn_view_copy(NULL, &a.host, &b.host));
            expect_same(&a, "to tiles");
            expect_ok(stn_view_copy(on, &b.device, &a.device));
            expect_same(&b, "from tiles");
        } else {
            refused(stn_view_copy(on, &a.device, &b.host), STN_ERR_UNSUPPORTED, "mirror");
        }
        release_twins(&a);
        release_twins(&b);
    }
}

/* ---- conversions ---- */

/* A row of a device's copies whose elements change, of every code there is, against the host's. */
static void convert(stn_storage to, stn_storage from, const char *what)
{
    static const int64_t extents[2] = {257, 67};
    twins a, b;
    make_twins(&a, to, NULL, 2, extents);
    make_twins(&b, from, NULL, 2, extents);
    count_some(&a, 0);
    expect_ok(stn_view_copy(NULL, &a.host_part, &b.host));
    expect_ok(stn_view_copy(on, &a.device_part, &b.device));
    expect_same(&a, what);
    expect_counts(0, what);
    release_twins(&a);
    release_twins(&b);
}

static void convert_pair(stn_format to, stn_format from)
{
    char what[64];
    stn_format_info a = STN_FORMAT_INFO_INIT, b = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(to, &a));
    expect_ok(stn_format_describe(from, &b));
    if ((a.kind == STN_CLASS_COMPLEX) != (b.kind == STN_CLASS_COMPLEX))
        return;
    snprintf(what, sizeof what, "%s to %s", b.name, a.name);
    convert(stn_storage_of(to), stn_storage_of(from), what);
}

static int takes_all(void)
{
    return getenv("STENO_TEST_FULL") != NULL;
}

static void converts_between_formats(void **state)
{
    (void)state;
    if (is_stand_in())
        skip();
    seed = 2;
    for (stn_format to = 0; to < STN_BUILTIN_FORMATS; to++)
        for (stn_format from = 0; from < STN_BUILTIN_FORMATS; from++)
            if (to != from && (takes_all() || (to + 3 * from) % 4 == 0))
                convert_pair(to, from);
}

static void converts_by_rules_and_scales(void **state)
{
    static const stn_format formats[] = {STN_F16, STN_E4M3, STN_E5M2, STN_I8, STN_U16, STN_F32};
    (void)state;
    if (is_stand_in())
        skip();
    for (int k = 0; k < 6; k++)
        for (int rounding = 0; rounding < 3; rounding++) {
            stn_storage to = stn_storage_of(formats[k]), from = stn_storage_of(STN_F64);
            char what[64];
            to.rounding = (stn_rounding)rounding;
            to.overflow = (stn_overflow)((k + rounding) % 4);
            to.seed = 77;
            if (rounding != k % 3) {
                to.scale = 0.1;
                to.zero = formats[k] == STN_I8 || formats[k] == STN_U16 ? 3.0 : 0.0;
                from.scale = 3.0;
            }
            snprintf(what, sizeof what, "format %d, rounding %d", (int)formats[k], rounding);
            convert(to, from, what);
        }
}

static void converts_registered_formats(void **state)
{
    stn_storage own = stn_storage_of(own_format());
    (void)state;
    if (is_stand_in())
        skip();
    for (int k = 0; k < 2; k++) {
        convert(own, stn_storage_of(STN_F16), "into the program's own format");
        convert(stn_storage_of(STN_E4M3), own, "from the program's own format");
        own.scale = 0.3;
    }
}

static void converts_integers_of_64_bits(void **state)
{
    static const struct {
        stn_format to, from;
        double to_zero, from_zero;
    } rows[] = {{STN_U64, STN_I64, 0, 0}, {STN_I64, STN_U64, 5, 1e19}, {STN_I8, STN_I64, -3, 0},
                {STN_F16, STN_I64, 0, 0}, {STN_F64, STN_U64, 0, 0},    {STN_F32, STN_U64, 0, 0}};
    (void)state;
    if (is_stand_in())
        skip();
    for (int k = 0; k < 6; k++)
        for (int rounding = 0; rounding < 2; rounding++) {
            stn_storage to = stn_storage_of(rows[k].to), from = stn_storage_of(rows[k].from);
            to.zero = rows[k].to_zero;
            from.zero = rows[k].from_zero;
            to.rounding = (stn_rounding)rounding;
            convert(to, from, "integers");
        }
}

/* Parts of an array that rounds stochastically draw as the whole would. */
static void draws_as_the_whole(void **state)
{
    static const int64_t extents[3] = {9, 14, 11};
    const stn_slice slices[3] = {stn_slice_strided(8, 4, -2), stn_slice_range(1, 14),
                                 stn_slice_strided(0, 5, 2)};
    stn_storage to = stn_storage_of(STN_C32);
    twins a, b;
    (void)state;
    if (is_stand_in())
        skip();
    to.rounding = STN_ROUND_STOCHASTIC;
    to.seed = 5;
    make_twins(&a, to, NULL, 3, extents);
    make_twins(&b, stn_storage_of(STN_C64), NULL, 3, extents);
    expect_ok(stn_view_slice(&a.host_part, &a.host, 3, slices));
    expect_ok(stn_view_slice(&a.device_part, &a.device, 3, slices));
    expect_ok(stn_view_slice(&b.host_part, &b.host, 3, slices));
    expect_ok(stn_view_slice(&b.device_part, &b.device, 3, slices));
    expect_ok(stn_view_copy(NULL, &a.host_part, &b.host_part));
    expect_ok(stn_view_copy(on, &a.device_part, &b.device_part));
    expect_same(&a, "a part");
    release_twins(&a);
    release_twins(&b);
}

static void refuses_what_needs_the_host(void **state)
{
    static const int64_t extent = 8;
    const stn_format_codec without_text = {.size = sizeof without_text,
                                           .name = is_cuda() ? "on-cuda" : "on-opencl",
                                           .bytes = 2,
                                           .alignment = 2,
                                           .decode = decode_own,
                                           .encode = encode_own};
    stn_format format;
    stn_view wide, here, own;
    (void)state;
    expect_ok(stn_format_register(&format, &without_text));
    expect_ok(stn_view_create(on, &own, "own", stn_storage_of(format), 1, &extent));
    expect_ok(stn_view_create(on, &wide, "wide", stn_storage_of(STN_F64), 1, &extent));
    expect_ok(stn_view_create(NULL, &here, "here", stn_storage_of(STN_F32), 1, &extent));
    refused(stn_view_copy(on, &own, &wide), STN_ERR_UNSUPPORTED, "without a device text");
    refused(stn_view_copy(on, &wide, &here), STN_ERR_UNSUPPORTED, "mirror");
    expect_ok(stn_view_set_traits(&wide, STN_TRAIT_ATOMIC));
    refused(stn_view_fill(on, &wide, 1.0), STN_ERR_UNSUPPORTED, "wide (f64, 8, device) is atomic");
    expect_ok(stn_view_set_traits(&wide, 0));
    refused(stn_view_copy(on, &here, &wide), STN_ERR_UNSUPPORTED, "mirror");
    expect_ok(stn_view_release(&wide));
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&own));
}

/* ---- making and filling ---- */

static void begins_with_zeros(void **state)
{
    static const int64_t extents[2] = {13, 100};
    stn_view x, back;
    (void)state;
    expect_ok(stn_view_create_spec(on, &x,
                                   &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                  .rank = 2, .extents = extents,
                                                  .flags = STN_CREATE_PADDED)));
    assert_int_equal(x.space, STN_SPACE_DEVICE);
    assert_true(x.stride[0] > 100);
    expect_ok(stn_view_mirror(on, &back, &x, STN_SPACE_HOST));
    expect_ok(stn_view_fill(NULL, &back, 1.0));
    expect_ok(stn_view_copy(on, &back, &x));
    for (int64_t i = 0; i < 13; i++)
        for (int64_t j = 0; j < 100; j++) {
            double value = -1;
            expect_ok(STN_VIEW_GET(&back, &value, i, j));
            assert_true(value == 0.0);
        }
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&back));
}

static void fills_with_one_code(void **state)
{
    static const int64_t extents[2] = {60, 70};
    const stn_format formats[] = {STN_F64, STN_BF16, STN_E5M2, STN_C64, STN_I32, STN_C128};
    (void)state;
    for (int k = 0; k < 6; k++) {
        const int64_t part[2] = {20, 33};
        twins a;
        make_part(&a, stn_storage_of(formats[k]), 2, part);
        expect_ok(stn_view_fill(on, &a.device_part, 3.25));
        expect_ok(stn_view_fill(NULL, &a.host_part, 3.25));
        expect_same(&a, "a part");
        expect_ok(stn_view_fill(on, &a.device, -0.5));
        expect_ok(stn_view_fill(NULL, &a.host, -0.5));
        expect_same(&a, "all");
        release_twins(&a);
        make_twins(&a, stn_storage_of(formats[k]), NULL, 2, extents);
        expect_ok(stn_view_fill(on, &a.device, 0.0));
        expect_ok(stn_view_fill(NULL, &a.host, 0.0));
        expect_same(&a, "zeros");
        release_twins(&a);
    }
}

/* ---- spaces ---- */

static void has_pinned_and_managed_memory(void **state)
{
    static const int64_t extent = 1000;
    static const unsigned flags[] = {STN_CREATE_PINNED, STN_CREATE_MANAGED};
    static const stn_space spaces[] = {STN_SPACE_PINNED, STN_SPACE_MANAGED};
    (void)state;
    for (int k = 0; k < 2 && !is_cuda(); k++)
        refused(
            stn_view_create_spec(on, &(stn_view){0},
                                 &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                .rank = 1, .extents = &extent, .flags = flags[k])),
            STN_ERR_UNSUPPORTED, stn_space_name(spaces[k]));
    for (int k = 0; k < 2 && is_cuda(); k++) {
        stn_view x, there;
        double value = 0;
        expect_ok(
            stn_view_create_spec(on, &x,
                                 &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                .rank = 1, .extents = &extent, .flags = flags[k])));
        expect_ok(stn_view_create(on, &there, "there", x.storage, 1, &extent));
        assert_int_equal(x.space, spaces[k]);
        expect_ok(STN_VIEW_GET(&x, &value, 999));
        assert_true(value == 0.0);
        expect_ok(STN_VIEW_SET(&x, 42.0, 999));
        expect_ok(stn_view_copy(on, &there, &x));
        expect_ok(twice_run(on, STN_F64, &x)); /* within a kernel's reach, too */
        expect_ok(stn_view_fill(on, &x, 1.0));
        expect_ok(STN_VIEW_GET(&x, &value, 999));
        assert_true(value == 1.0);
        expect_ok(stn_view_copy(on, &x, &there));
        expect_ok(STN_VIEW_GET(&x, &value, 999));
        assert_true(value == 42.0);
        expect_ok(stn_view_release(&x));
        expect_ok(stn_view_release(&there));
    }
    refused(stn_view_create_spec(NULL, &(stn_view){0},
                                 &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                .rank = 1, .extents = &extent,
                                                .flags = STN_CREATE_PINNED)),
            STN_ERR_UNSUPPORTED, "pinned");
    refused(stn_view_create_spec(on, &(stn_view){0},
                                 &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F64),
                                                .rank = 1, .extents = &extent,
                                                .flags = STN_CREATE_PINNED | STN_CREATE_MANAGED)),
            STN_ERR_ARGUMENT, "flags");
}

static void mirrors_there_and_back(void **state)
{
    static const int64_t extents[2] = {5, 7};
    stn_view here, there, same, back;
    (void)state;
    expect_ok(stn_view_create(NULL, &here, "x", stn_storage_of(STN_F32), 2, extents));
    expect_ok(stn_view_fill(NULL, &here, 6.5));
    expect_ok(stn_view_mirror_view(on, &there, &here, STN_SPACE_DEVICE, STN_MIRROR_COPY));
    assert_int_equal(there.space, STN_SPACE_DEVICE);
    assert_ptr_not_equal(there.data, here.data);
    expect_ok(stn_view_mirror_view(on, &same, &there, STN_SPACE_DEVICE, STN_MIRROR_COPY));
    assert_ptr_equal(same.data, there.data);
    assert_int_equal(stn_view_use_count(&there), 2);
    expect_ok(stn_view_mirror_view(on, &back, &there, STN_SPACE_HOST, STN_MIRROR_COPY));
    assert_int_equal(back.space, STN_SPACE_HOST);
    assert_memory_equal(back.data, here.data, 5 * 7 * 4);
    refused(stn_view_mirror(NULL, &(stn_view){0}, &here, STN_SPACE_DEVICE), STN_ERR_UNSUPPORTED,
            "device");
    expect_ok(stn_view_release(&here));
    expect_ok(stn_view_release(&there));
    expect_ok(stn_view_release(&same));
    expect_ok(stn_view_release(&back));
}

static void resizes_on_the_device(void **state)
{
    static const int64_t extents[2] = {6, 9}, larger[2] = {8, 5};
    twins a;
    (void)state;
    make_twins(&a, stn_storage_of(STN_I16), NULL, 2, extents);
    refused(stn_view_resize(NULL, &a.device, 2, larger, 0), STN_ERR_UNSUPPORTED, "there");
    expect_ok(stn_view_resize(on, &a.device, 2, larger, 0));
    expect_ok(stn_view_resize(NULL, &a.host, 2, larger, 0));
    assert_int_equal(a.device.space, STN_SPACE_DEVICE);
    a.bytes = 8 * 5 * 2;
    expect_same(&a, "resized");
    expect_ok(stn_view_reallocate(on, &a.device, 2, extents, 0));
    expect_ok(stn_view_reallocate(NULL, &a.host, 2, extents, 0));
    expect_same(&a, "reallocated");
    expect_ok(stn_view_fill(on, &a.device, 3));
    expect_ok(stn_view_reallocate(on, &a.device, 2, extents, 0));
    expect_same(&a, "zeroed");
    release_twins(&a);
}

static void outlives_its_executor(void **state)
{
    static const int64_t extent = 100;
    stn_exec *other;
    stn_view x, back;
    double value = 0;
    (void)state;
    expect_ok(stn_exec_create(&other, resource));
    expect_ok(stn_view_create(other, &x, "x", stn_storage_of(STN_F64), 1, &extent));
    expect_ok(stn_view_fill(other, &x, 7.0));
    stn_exec_release(other);
    expect_ok(stn_view_mirror_view(on, &back, &x, STN_SPACE_HOST, STN_MIRROR_COPY));
    expect_ok(STN_VIEW_GET(&back, &value, 99));
    assert_true(value == 7.0);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&back));
}

/* Memory of somebody else's on the device: wrapped, or taken over. */
static int given_back;
static void give_back(void *data, void *context)
{
    (void)data, (void)context;
    given_back++;
}

static void takes_memory_of_others(void **state)
{
    static const int64_t extent = 50, half = 25, two = 2;
    stn_view whole, wrapped, adopted, back;
    double value = 0;
    (void)state;
    given_back = 0;
    expect_ok(stn_view_create(on, &whole, "whole", stn_storage_of(STN_F32), 1, &extent));
    expect_ok(stn_view_wrap_spec(
        &wrapped, &STN_VIEW_SPEC(.label = "wrapped", .storage = whole.storage, .data = whole.data,
                                 .rank = 1, .extents = &half, .strides = &two)));
    expect_ok(stn_view_set_space(&wrapped, STN_SPACE_DEVICE));
    expect_ok(stn_view_adopt(&adopted, &STN_VIEW_SPEC(.label = "adopted", .storage = whole.storage,
                                                      .data = (float *)whole.data + 1, .rank = 1,
                                                      .extents = &half, .free_data = give_back)));
    expect_ok(stn_view_set_space(&adopted, STN_SPACE_DEVICE));
    expect_ok(stn_view_fill(on, &wrapped, 2.0));
    expect_ok(stn_view_mirror_view(on, &back, &whole, STN_SPACE_HOST, STN_MIRROR_COPY));
    expect_ok(STN_VIEW_GET(&back, &value, 48));
    assert_true(value == 2.0);
    expect_ok(STN_VIEW_GET(&back, &value, 49));
    assert_true(value == 0.0);
    expect_ok(stn_view_release(&back));
    expect_ok(stn_view_release(&adopted));
    assert_int_equal(given_back, 1);
    expect_ok(stn_view_release(&whole));
}

/* ---- access from the wrong side ---- */

STN_REDUCE(total, sum, (in(x)), x)

static void refuses_the_wrong_side(void **state)
{
    static const int64_t extent = 64;
    stn_exec *host;
    stn_view there, here;
    void *address;
    double value = 0;
    (void)state;
    expect_ok(stn_exec_create(&host, "openmp"));
    expect_ok(stn_view_create(on, &there, "there", stn_storage_of(STN_F64), 1, &extent));
    expect_ok(stn_view_create(NULL, &here, "here", stn_storage_of(STN_F64), 1, &extent));
    const stn_status host_calls[] = {
        STN_VIEW_GET(&there, &value, 0),
        STN_VIEW_SET(&there, 1.0, 0),
        stn_view_address(&there, 1, &(int64_t){0}, &address),
        stn_view_fill(host, &there, 1.0),
        stn_view_fill(NULL, &there, 1.0),
        stn_view_copy(host, &there, &here),
        stn_view_copy(NULL, &here, &there),
        stn_view_fit_scales(host, &here, &there, STN_SCALE_POWER_OF_TWO),
        twice_run(host, STN_F64, &there),
        total_reduce(host, STN_F64, &value, &there),
        stn_dot(host, STN_F64, &value, &here, &there),
        stn_axpy(host, STN_F64, 1.0, &here, &there)};
    for (size_t k = 0; k < sizeof host_calls / sizeof *host_calls; k++)
        if (host_calls[k] != STN_ERR_UNSUPPORTED)
            fail_msg("call %d gives %s", (int)k, stn_status_name(host_calls[k]));
    assert_false(stn_view_is_lvalue(&there));
    refused(twice_run(on, STN_F64, &here), STN_ERR_UNSUPPORTED, "here");
    refused(total_reduce(on, STN_F64, &value, &here), STN_ERR_UNSUPPORTED, "here");
    refused(stn_dot(on, STN_F64, &value, &there, &here), STN_ERR_UNSUPPORTED, "here");
    refused(stn_view_fill(on, &here, 1.0), STN_ERR_UNSUPPORTED, "host memory");
    refused(stn_view_copy(on, &here, &here), STN_ERR_UNSUPPORTED, "host memory");
    refused(stn_view_fit_scales(on, &there, &there, STN_SCALE_POWER_OF_TWO), STN_ERR_UNSUPPORTED,
            "there");
    expect_ok(stn_view_wrap(&here, "liar", stn_storage_of(STN_F64), &value, 0, NULL));
    expect_ok(stn_view_set_space(&here, STN_SPACE_DEVICE));
    refused(stn_view_fill(on, &here, 1.0), STN_ERR_UNSUPPORTED, "liar");
    refused(twice_run(on, STN_F64, &here), STN_ERR_UNSUPPORTED, "kernel twice: y: liar");
    expect_ok(stn_view_release(&there));
    stn_exec_release(host);
}

static void asks_for_too_much(void **state)
{
    static const int64_t extents[2] = {1 << 20, 1 << 20};
    stn_view x;
    (void)state;
    refused(stn_view_create(on, &x, "vast", stn_storage_of(STN_F64), 2, extents), STN_ERR_MEMORY,
            "are free");
    if (!is_cuda())
        return;
    refused(stn_view_create_spec(on, &x,
                                 &STN_VIEW_SPEC(.label = "vast", .storage = stn_storage_of(STN_F64),
                                                .rank = 2, .extents = extents,
                                                .flags = STN_CREATE_MANAGED)),
            STN_ERR_MEMORY, "managed");
}

static void names_what_is_not_there(void **state)
{
    char beyond[32];
    stn_exec *exec;
    (void)state;
    snprintf(beyond, sizeof beyond, "%s:999", stn_exec_name(on));
    refused(stn_exec_create(&exec, beyond), STN_ERR_RANGE, beyond);
    snprintf(beyond, sizeof beyond, "%s:x", stn_exec_name(on));
    refused(stn_exec_create(&exec, beyond), STN_ERR_ARGUMENT, beyond);
    refused(stn_exec_adopt_cuda(&exec, NULL, NULL), STN_ERR_ARGUMENT,
            "stn_exec_adopt_cuda: context");
    refused(stn_exec_adopt_hip(&exec, NULL, NULL), STN_ERR_ARGUMENT, "stn_exec_adopt_hip: context");
}

static int set_up(void **state)
{
    (void)state;
    return stn_exec_create(&on, resource) != STN_OK;
}

static int tear_down(void **state)
{
    (void)state;
    stn_exec_release(on);
    if (!is_stand_in())
        return 0;
    const stand_in_state *s = cuda_stand_in_of()->look();
    if (s->wrong || s->freed_queued || s->contexts_in)
        print_error("%s; freed in use %d; contexts %d\n", s->what, s->freed_queued, s->contexts_in);
    return s->wrong || s->freed_queued || s->contexts_in;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(begins_with_zeros),
                                       cmocka_unit_test(names_what_is_not_there),
                                       cmocka_unit_test(moves_codes_between_any_strides),
                                       cmocka_unit_test(moves_boxes_as_one),
                                       cmocka_unit_test(moves_tiles),
                                       cmocka_unit_test(converts_between_formats),
                                       cmocka_unit_test(converts_by_rules_and_scales),
                                       cmocka_unit_test(converts_registered_formats),
                                       cmocka_unit_test(converts_integers_of_64_bits),
                                       cmocka_unit_test(draws_as_the_whole),
                                       cmocka_unit_test(refuses_what_needs_the_host),
                                       cmocka_unit_test(fills_with_one_code),
                                       cmocka_unit_test(has_pinned_and_managed_memory),
                                       cmocka_unit_test(mirrors_there_and_back),
                                       cmocka_unit_test(resizes_on_the_device),
                                       cmocka_unit_test(outlives_its_executor),
                                       cmocka_unit_test(takes_memory_of_others),
                                       cmocka_unit_test(refuses_the_wrong_side),
                                       cmocka_unit_test(asks_for_too_much)};
    const char *const resources[] = {cuda_resource(), opencl_resource()};
    int failed = 0, ran = 0;
    cuda_choose(0);
    for (int k = 0; k < 2 - cuda_is_hip(); k++) {
        resource = resources[k];
        if (stn_exec_create(&on, resource) != STN_OK) {
            print_message("skipped: %s\n", stn_error());
            continue;
        }
        stn_exec_release(on);
        failed += cmocka_run_group_tests_name(resource, tests, set_up, tear_down);
        ran++;
    }
    return ran ? failed : 77;
}
