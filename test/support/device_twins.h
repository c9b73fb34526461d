/* Arrays of the same shape on the host and on a device, and the same parts of both: what
 * test_view_device.c calculates with. */
#ifndef STENO_TEST_DEVICE_TWINS_H
#define STENO_TEST_DEVICE_TWINS_H

#include <string.h>

#include "steno/view.h"
#include "check.h"

static stn_exec *on; /* the device */

__attribute__((unused)) static void refused(stn_status status, stn_status expected,
                                            const char *words)
{
    if (status != expected || !strstr(stn_error(), words))
        fail_msg("%s, not %s with \"%s\": %s", stn_status_name(status), stn_status_name(expected),
                 words, stn_error());
}

/* ---- chance ---- */

static uint64_t seed;

static uint64_t chance(uint64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

static void scatter(void *memory, int64_t bytes)
{
    for (int64_t k = 0; k < bytes; k++)
        ((unsigned char *)memory)[k] = (unsigned char)chance(256);
}

/* ---- two arrays of the same shape, here and there, and the same part of both ---- */

typedef struct twins {
    stn_view host, device, host_part, device_part;
    int64_t bytes;
} twins;

static void make_twins(twins *t, stn_storage storage, const stn_layout *layout, int rank,
                       const int64_t *extents)
{
    expect_ok(
        stn_view_create_spec(NULL, &t->host,
                             &STN_VIEW_SPEC(.label = "here", .storage = storage, .layout = layout,
                                            .rank = rank, .extents = extents)));
    expect_ok(
        stn_view_create_spec(on, &t->device,
                             &STN_VIEW_SPEC(.label = "there", .storage = storage, .layout = layout,
                                            .rank = rank, .extents = extents)));
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(storage.format, &info));
    t->bytes = stn_view_span(&t->host) * info.bytes;
    scatter(t->host.data, t->bytes);
    expect_ok(stn_view_copy(on, &t->device, &t->host));
    if (t->device.space == STN_SPACE_HOST) /* between the elements, too */
        memcpy(t->device.data, t->host.data, (size_t)t->bytes);
    t->host_part = t->host;
    t->device_part = t->device;
}

__attribute__((unused)) static void release_twins(twins *t)
{
    expect_ok(stn_view_release(&t->host));
    expect_ok(stn_view_release(&t->device));
}

/* What is on the device, all bytes of it. */
static void bring_back(const twins *t, stn_view *back)
{
    expect_ok(stn_view_mirror(on, back, &t->device, STN_SPACE_HOST));
    expect_ok(stn_view_copy(on, back, &t->device));
    if (t->device.space == STN_SPACE_HOST)
        memcpy(back->data, t->device.data, (size_t)t->bytes);
}

static void expect_same(const twins *t, const char *what)
{
    stn_view back;
    bring_back(t, &back);
    if (memcmp(back.data, t->host.data, (size_t)t->bytes) != 0) {
        const unsigned char *a = back.data, *b = t->host.data;
        int64_t k = 0;
        while (a[k] == b[k])
            k++;
        fail_msg("%s: byte %lld is %02x, on the host %02x", what, (long long)k, a[k], b[k]);
    }
    expect_ok(stn_view_release(&back));
}

/* Every `step`-th index of each dimension, from somewhere on; some of them backward; turned. */
static void take_part(twins *t, int rank, const int64_t *extents, const int *steps,
                      const int *order)
{
    stn_slice slices[STN_MAX_RANK];
    for (int d = 0; d < rank; d++) {
        const int k = order[d];
        const int64_t reach = (extents[d] ? extents[d] - 1 : 0) * steps[k];
        const int64_t room = t->host.extent[k] - 1 - reach,
                      begin = (int64_t)chance((uint64_t)room + 1);
        slices[k] = chance(3) ? stn_slice_strided(begin, extents[d], steps[k])
                              : stn_slice_strided(begin + reach, extents[d], -steps[k]);
    }
    expect_ok(stn_view_slice(&t->host_part, &t->host, rank, slices));
    expect_ok(stn_view_slice(&t->device_part, &t->device, rank, slices));
    expect_ok(stn_view_permute(&t->host_part, &t->host_part, rank, order));
    expect_ok(stn_view_permute(&t->device_part, &t->device_part, rank, order));
}

static void make_part(twins *t, stn_storage storage, int rank, const int64_t *extents)
{
    int64_t whole[STN_MAX_RANK];
    int order[STN_MAX_RANK], steps[STN_MAX_RANK];
    for (int d = 0; d < rank; d++)
        order[d] = d;
    for (int d = rank - 1; d > 0; d--) {
        const int other = (int)chance((uint64_t)d + 1), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    for (int d = 0; d < rank; d++) {
        const int k = order[d];
        steps[k] = chance(2) ? 1 : 1 + (int)chance(3);
        whole[k] = (extents[d] ? (extents[d] - 1) * steps[k] : 0) + 1 + (int64_t)chance(3);
    }
    make_twins(t, storage, NULL, rank, whole);
    take_part(t, rank, extents, steps, order);
}

#endif
