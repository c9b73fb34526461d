/* Copies and fills on devices give the host's bytes: every pair of formats, rules of storing,
 * scales and layouts drawn at random, integers of 64 bits, parts that round stochastically. */
#include "device.h"

/* ---- random operands ---- */

static int draw_extents(int64_t *extents)
{
    const int rank = (int)chance(4);
    for (int d = 0; d < rank; d++)
        extents[d] = chance(12) ? 1 + (int64_t)chance(d ? 24 : 10) : (int64_t)chance(2);
    return rank;
}

static void describe(char *words, size_t size, const twins *to, const twins *from)
{
    const stn_storage *const a = &to->host.storage, *const b = &from->host.storage;
    int64_t extent[3] = {1, 1, 1};
    memcpy(extent, to->host_part.extent, (size_t)to->host_part.rank * sizeof *extent);
    snprintf(words, size,
             "%s to %s, rounding %d, scales %g %g, zeros %g %g, layouts %d %d, %lld x %lld x %lld",
             row_of(b->format)->name, row_of(a->format)->name, (int)a->rounding, b->scale, a->scale,
             b->zero, a->zero, (int)stn_view_layout(&from->host), (int)stn_view_layout(&to->host),
             (long long)extent[0], (long long)extent[1], (long long)extent[2]);
}

static void copy_twins(twins a, twins b)
{
    char what[240];
    count_some(&a, 0);
    describe(what, sizeof what, &a, &b);
    const stn_status status = stn_view_copy(device_exec, &a.device_part, &b.device_part);
    expect_both(what, stn_view_copy(NULL, &a.host_part, &b.host_part), status);
    expect_same(&a, what);
    expect_counts(0, what);
    release_twins(&a);
    release_twins(&b);
}

static void copy_once(stn_storage to, stn_storage from)
{
    int64_t extents[3];
    const int rank = draw_extents(extents);
    twins a = any_twins(to, rank, extents), b = any_twins(from, rank, extents);
    tame_twins(&b);
    copy_twins(a, b);
}

TEST_CASE(converts)
{
    static const oracle_class kinds[] = {ORACLE_FLOAT, ORACLE_FLOAT, ORACLE_INTEGER,
                                         ORACLE_COMPLEX};
    for (int k = 0; k < oracle_count(24, 48, 768); k++) {
        const oracle_class kind = kinds[k % 4];
        const stn_storage to = any_storage(kind, any_format(kind));
        copy_once(to, any_storage(kind, any_format(kind)));
    }
}

TEST_CASE(moves)
{
    stn_format formats[] = {STN_I8, STN_F16, STN_F32, STN_F64, STN_C128, STN_C64, 0};
    expect_ok(stn_format_opaque(&formats[6], 4, 2));
    for (int k = 0; k < oracle_count(14, 21, 336); k++) {
        const stn_storage storage = stn_storage_of(formats[k % 7]);
        copy_once(storage, storage);
    }
}

TEST_CASE(fills)
{
    for (int k = 0; k < oracle_count(12, 24, 384); k++) {
        const oracle_class kind = k % 4 ? ORACLE_FLOAT : ORACLE_COMPLEX;
        const double value = k % 5 ? -1.7 * k : 1e300;
        int64_t extents[3];
        char what[240];
        const int rank = draw_extents(extents);
        twins a = any_twins(any_storage(kind, any_format(kind)), rank, extents);
        count_some(&a, 0);
        describe(what, sizeof what, &a, &a);
        expect_ok(stn_view_fill(device_exec, &a.device_part, value));
        expect_ok(stn_view_fill(NULL, &a.host_part, value));
        expect_same(&a, what);
        expect_counts(0, what);
        release_twins(&a);
    }
}

/* One element of the host's, in any format, for all of a view with scales. */
TEST_CASE(repeats_an_element)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_I8, STN_BF16, STN_C128, STN_C32};
    static const int64_t extents[2] = {5, 70};
    for (int k = 0; k < 6; k++) {
        stn_storage storage = stn_storage_of(k > 3 ? STN_C64 : STN_F16);
        storage.scale = 0.3;
        twins a = make_part(storage, 2, extents);
        set_scales(&a, 2);
        storage = stn_storage_of(formats[k]);
        storage.scale = 1.25;
        stn_view one = create_view(NULL, "one", storage, NULL, 0, NULL, 0), all;
        expect_ok(stn_view_fill(NULL, &one, 17.5));
        all = one;
        all.rank = 2;
        memcpy(all.extent, extents, sizeof extents);
        expect_ok(stn_view_copy(device_exec, &a.device_part, &all));
        expect_ok(stn_view_copy(NULL, &a.host_part, &all));
        expect_same(&a, "an element");
        expect_ok(stn_view_release(&one));
        release_twins(&a);
    }
}

/* ---- contiguous arrays, which hold every code ---- */

static void convert(stn_storage to, stn_storage from)
{
    static const int64_t extents[2] = {257, 67};
    copy_twins(make_twins(to, NULL, 2, extents), make_twins(from, NULL, 2, extents));
}

TEST_CASE(converts_between_formats)
{
    for (stn_format to = 0; to < STN_BUILTIN_FORMATS; to++)
        for (stn_format from = 0; from < STN_BUILTIN_FORMATS; from++)
            if (to != from && (to - from) % oracle_count(8, 6, 1) == 0 &&
                (row_of(to)->kind == ORACLE_COMPLEX) == (row_of(from)->kind == ORACLE_COMPLEX))
                convert(stn_storage_of(to), stn_storage_of(from));
}

TEST_CASE(converts_by_rules_and_scales)
{
    static const stn_format formats[] = {STN_F16, STN_E4M3, STN_E5M2, STN_I8, STN_U16, STN_F32};
    for (int k = 0; k < 18; k++) {
        const stn_format format = formats[k / 3];
        const int rounding = k % 3, row = k / 3;
        stn_storage to = stn_storage_of(format), from = stn_storage_of(STN_F64);
        to.rounding = (stn_rounding)rounding;
        to.overflow = (stn_overflow)((row + rounding) % 4);
        to.seed = 77;
        if (rounding != row % 3) {
            to.scale = 0.1;
            to.zero = format == STN_I8 || format == STN_U16 ? 3.0 : 0.0;
            from.scale = 3.0;
        }
        convert(to, from);
    }
    stn_storage own = stn_storage_of(own_format());
    for (int k = 0; k < 2; k++) {
        convert(own, stn_storage_of(STN_F16));
        convert(stn_storage_of(STN_E4M3), own);
        own.scale = 0.3;
    }
}

/* Rounded once, from their own range. */
TEST_CASE(converts_integers_of_64_bits)
{
    static const int64_t extents[2] = {6, 9};
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    static const struct {
        stn_format to, from;
        double to_zero, from_zero;
    } rows[] = {{STN_U64, STN_I64, 0, 0}, {STN_I64, STN_U64, 5, 1e19}, {STN_I8, STN_I64, -3, 0},
                {STN_F16, STN_I64, 0, 0}, {STN_F64, STN_U64, 0, 0},    {STN_F32, STN_U64, 0, 0}};
    for (int k = 0; k < 12; k++) {
        stn_storage to = stn_storage_of(rows[k / 2].to), from = stn_storage_of(rows[k / 2].from);
        to.zero = rows[k / 2].to_zero;
        from.zero = rows[k / 2].from_zero;
        to.rounding = (stn_rounding)(k % 2);
        convert(to, from);
        copy_twins(make_twins(to, &morton, 2, extents), make_twins(from, NULL, 2, extents));
    }
}

/* Parts of an array that rounds stochastically draw as the whole would. */
TEST_CASE(draws_as_the_whole)
{
    static const int64_t extents[3] = {9, 14, 11};
    const stn_slice slices[3] = {stn_slice_strided(8, 4, -2), stn_slice_range(1, 14),
                                 stn_slice_strided(0, 5, 2)};
    stn_storage to = stn_storage_of(STN_C32);
    to.rounding = STN_ROUND_STOCHASTIC;
    to.seed = 5;
    twins a = make_twins(to, NULL, 3, extents);
    twins b = make_twins(stn_storage_of(STN_C64), NULL, 3, extents);
    slice_twins(&a, slices);
    slice_twins(&b, slices);
    copy_twins(a, b);
}

/* On the stand-in: a conversion under scales, and a change of the layout. */
TEST_CASE(texts_compile)
{
    static const int64_t extents[2] = {30, 20};
    const stn_layout morton = stn_layout_of(STN_LAYOUT_MORTON);
    const stn_storage i8 = stn_storage_of(STN_I8);
    twins a = make_twins(i8, NULL, 2, extents);
    set_scales(&a, 2);
    copy_twins(a, make_twins(stn_storage_of(STN_F16), NULL, 2, extents));
    copy_twins(make_twins(i8, &morton, 2, extents), make_twins(i8, NULL, 2, extents));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_compile),
                                       cmocka_unit_test(converts),
                                       cmocka_unit_test(moves),
                                       cmocka_unit_test(fills),
                                       cmocka_unit_test(repeats_an_element),
                                       cmocka_unit_test(converts_between_formats),
                                       cmocka_unit_test(converts_by_rules_and_scales),
                                       cmocka_unit_test(converts_integers_of_64_bits),
                                       cmocka_unit_test(draws_as_the_whole)};
    return device_main(tests, COUNT_OF(tests), 1);
}
