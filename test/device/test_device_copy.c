/* Copies and fills on devices by scales that differ between elements, and between layouts, give the
 * host's bytes: formats, rules, scales and layouts are drawn by chance, and more of them where
 * STENO_TEST_FULL is set. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_run.h"
#include "check.h"

static int rounds(int some)
{
    return getenv("STENO_TEST_FULL") ? 16 * some : some;
}

static int draw_extents(int64_t *extents)
{
    const int rank = (int)chance(4);
    for (int d = 0; d < rank; d++)
        extents[d] = chance(12) ? 1 + (int64_t)chance(d ? 24 : 10) : (int64_t)chance(2);
    return rank;
}

static void describe(char *words, size_t room, const twins *to, const twins *from)
{
    const stn_storage *const a = &to->host.storage, *const b = &from->host.storage;
    int64_t extent[3] = {1, 1, 1};
    memcpy(extent, to->host_part.extent, (size_t)to->host_part.rank * sizeof *extent);
    snprintf(words, room,
             "%s to %s, rounding %d, scales %g %g, zeros %g %g, layouts %d %d, %lld x %lld x %lld",
             row_of(b->format)->name, row_of(a->format)->name, (int)a->rounding, b->scale, a->scale,
             b->zero, a->zero, (int)stn_view_layout(&from->host), (int)stn_view_layout(&to->host),
             (long long)extent[0], (long long)extent[1], (long long)extent[2]);
}

/* What no device does it refuses, and leaves alone. */
static int is_refused(stn_status status)
{
    return status == STN_ERR_UNSUPPORTED && strstr(stn_error(), "64 bits");
}

static void copy_once(stn_storage to, stn_storage from)
{
    int64_t extents[3];
    char what[240];
    twins a, b;
    const int rank = draw_extents(extents);
    make_operand(&a, to, rank, extents);
    make_operand(&b, from, rank, extents);
    tame_twins(&b);
    count_some(&a, 0);
    describe(what, sizeof what, &a, &b);
    const stn_status status = stn_view_copy(on, &a.device_part, &b.device_part);
    if (!is_refused(status)) {
        expect_ok(status);
        expect_ok(stn_view_copy(NULL, &a.host_part, &b.host_part));
    }
    expect_same(&a, what);
    expect_counts(0, what);
    release_twins(&a);
    release_twins(&b);
}

static void converts(void **state)
{
    static const oracle_class kinds[] = {ORACLE_FLOAT, ORACLE_FLOAT, ORACLE_INTEGER,
                                         ORACLE_COMPLEX};
    (void)state;
    seed = 31;
    for (int k = 0; k < rounds(48); k++) {
        const oracle_class kind = kinds[k % 4];
        copy_once(any_storage(kind, any_format(kind)), any_storage(kind, any_format(kind)));
    }
}

static void moves(void **state)
{
    stn_format formats[] = {STN_I8, STN_F16, STN_F32, STN_F64, STN_C128, STN_C64, 0};
    (void)state;
    expect_ok(stn_format_opaque(&formats[6], 4, 2));
    seed = 32;
    for (int k = 0; k < rounds(21); k++) {
        const stn_storage storage = stn_storage_of(formats[k % 7]);
        copy_once(storage, storage);
    }
}

static void fills(void **state)
{
    (void)state;
    seed = 33;
    for (int k = 0; k < rounds(24); k++) {
        const oracle_class kind = k % 4 ? ORACLE_FLOAT : ORACLE_COMPLEX;
        const double value = k % 5 ? -1.7 * k : 1e300;
        int64_t extents[3];
        char what[240];
        twins a;
        const int rank = draw_extents(extents);
        make_operand(&a, any_storage(kind, any_format(kind)), rank, extents);
        count_some(&a, 0);
        describe(what, sizeof what, &a, &a);
        expect_ok(stn_view_fill(on, &a.device_part, value));
        expect_ok(stn_view_fill(NULL, &a.host_part, value));
        expect_same(&a, what);
        expect_counts(0, what);
        release_twins(&a);
    }
}

/* One element of the host's, in any format, for all of a view under scales. */
static void repeats_an_element(void **state)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_I8, STN_BF16, STN_C128, STN_C32};
    static const int64_t extents[2] = {5, 70};
    (void)state;
    seed = 34;
    for (int k = 0; k < 6; k++) {
        const int is_complex = k > 3;
        stn_storage storage = stn_storage_of(is_complex ? STN_C64 : STN_F16);
        stn_view one, all;
        twins a;
        storage.scale = 0.3;
        make_part(&a, storage, 2, extents);
        set_scales(&a, 2);
        storage = stn_storage_of(formats[k]);
        storage.scale = 1.25;
        expect_ok(stn_view_create(NULL, &one, "one", storage, 0, NULL));
        expect_ok(stn_view_fill(NULL, &one, 17.5));
        all = one;
        all.rank = 2;
        memcpy(all.extent, extents, sizeof extents);
        expect_ok(stn_view_copy(on, &a.device_part, &all));
        expect_ok(stn_view_copy(NULL, &a.host_part, &all));
        expect_same(&a, "an element");
        expect_ok(stn_view_release(&one));
        release_twins(&a);
    }
}

/* Integers of 64 bits are rounded once, between their own limits: no kernel does that. */
static void refuses_wide_integers(void **state)
{
    static const int64_t extents[2] = {6, 9};
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    const stn_format pairs[][2] = {{STN_F32, STN_I64}, {STN_I64, STN_U64}, {STN_I8, STN_U64}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        twins a, b;
        make_twins(&a, stn_storage_of(pairs[k][0]), &morton, 2, extents);
        make_twins(&b, stn_storage_of(pairs[k][1]), NULL, 2, extents);
        refused(stn_view_copy(on, &a.device, &b.device), STN_ERR_UNSUPPORTED, "64 bits");
        expect_same(&a, "left alone");
        release_twins(&a);
        release_twins(&b);
    }
}

/* ---- by a compiler without a device ---- */

static stn_status compile_one(int at, int architecture)
{
    static const int64_t extents[2] = {30, 20};
    static double scales[30];
    const stn_scales each = {.data = scales,
                             .format = STN_F64,
                             .dimension = STN_NO_DIMENSION,
                             .block = 1,
                             .stride = {1}};
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    stn_view a, b;
    (void)architecture;
    for (int k = 0; k < 30; k++)
        scales[k] = k + 1;
    expect_ok(stn_view_create_spec(on, &a,
                                   &STN_VIEW_SPEC(.label = "a", .storage = stn_storage_of(STN_I8),
                                                  .layout = at ? &morton : NULL, .rank = 2,
                                                  .extents = extents)));
    expect_ok(stn_view_create(on, &b, "b", stn_storage_of(at ? STN_I8 : STN_F16), 2, extents));
    if (!at)
        expect_ok(stn_view_set_scales(&a, &each));
    const stn_status status = stn_view_copy(on, &a, &b);
    expect_ok(stn_view_release(&a));
    expect_ok(stn_view_release(&b));
    return status;
}

static void compiles(void **state)
{
    (void)state;
    compile_texts(2, compile_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converts), cmocka_unit_test(moves), cmocka_unit_test(fills),
        cmocka_unit_test(repeats_an_element), cmocka_unit_test(refuses_wide_integers)};
    const struct CMUnitTest compile[] = {cmocka_unit_test(compiles)};
    setenv("STENO_CACHE", "off", 1); /* each text is compiled */
    return run_on_devices(tests, sizeof tests / sizeof *tests, compile);
}
