/* What tests of kernels and of reductions on devices try: formats, rules of storing, layouts. */
#ifndef STENO_TEST_DEVICE_CASES_H
#define STENO_TEST_DEVICE_CASES_H

#include "device_own.h"
#include "oracle.h"
#include "check.h"

static const oracle_format *row_of(stn_format format)
{
    static const oracle_format own = {.kind = ORACLE_FLOAT, .name = "own"};
    return format < STN_BUILTIN_FORMATS ? &oracle_formats[format] : &own;
}

/* ---- formats and rules of storing ---- */

static int goes_with(oracle_class kind, stn_format format)
{
    const oracle_class found = row_of(format)->kind;
    return kind == ORACLE_FLOAT ? found != ORACLE_COMPLEX : found == kind;
}

__attribute__((unused)) static stn_format any_format(oracle_class kind)
{
    stn_format format;
    if (kind == ORACLE_FLOAT && chance(10) == 0)
        return own_format();
    do
        format = (stn_format)chance(STN_BUILTIN_FORMATS);
    while (!goes_with(kind, format));
    return format;
}

__attribute__((unused)) static stn_storage any_storage(oracle_class kind, stn_format format)
{
    static const double scales[] = {1, 1, 0.5, 0.3};
    stn_storage storage = stn_storage_of(format);
    storage.rounding = (stn_rounding)chance(3);
    storage.seed = 42;
    if (kind != ORACLE_INTEGER) {
        storage.overflow = (stn_overflow)chance(4);
        storage.scale = scales[chance(4)];
    }
    if (row_of(format)->kind == ORACLE_INTEGER && chance(3) == 0)
        storage.zero = 3;
    return storage;
}

/* ---- comparing ---- */

/* Bits of a float, or of a complex number's part, beyond which all are NaN, without the sign. 0:
 * there are none. */
static uint64_t infinity_of(stn_format format)
{
    const oracle_format *row = row_of(format);
    if (row->kind == ORACLE_COMPLEX)
        row = row_of(row->component);
    if (row->kind == ORACLE_INTEGER || row->bits == 0)
        return 0;
    const uint64_t infinity = oracle_infinity(row);
    return infinity ? infinity : oracle_largest(row);
}

static int is_nan_code(uint64_t infinity, const unsigned char *code, size_t bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, code, bytes);
    return (bits & ~(UINT64_C(1) << (8 * bytes - 1))) > infinity;
}

/* Sign and payload of a NaN are left open, and so is whether an inout that was one stays. */
__attribute__((unused)) static void expect_numbers(const twins *t, const char *what)
{
    const stn_format format = t->host.storage.format;
    const uint64_t infinity = infinity_of(format);
    const size_t bytes = infinity >> 32 ? 8 : infinity >> 16 ? 4 : infinity >> 8 ? 2 : 1;
    stn_view back;
    if (!infinity) {
        expect_same(t, what);
        return;
    }
    bring_back(t, &back);
    const unsigned char *a = back.data, *b = t->host.data;
    for (int64_t k = 0; k < t->bytes; k += (int64_t)bytes)
        if (memcmp(a + k, b + k, bytes) != 0 &&
            !(is_nan_code(infinity, a + k, bytes) && is_nan_code(infinity, b + k, bytes)))
            fail_msg("%s: byte %lld is %02x, on the host %02x", what, (long long)k, a[k], b[k]);
    expect_ok(stn_view_release(&back));
}

/* ---- a layout of the program's own: as layout left, from the end on, behind five elements ---- */

static int64_t own_span(const void *context, int rank, const int64_t *extents)
{
    int64_t count = 5;
    (void)context;
    for (int d = 0, product = 1; d < rank; d++) {
        product *= (int)extents[d];
        count = 5 + product;
    }
    return count;
}

static int64_t own_offset(const void *context, int rank, const int64_t *extents,
                          const int64_t *indices)
{
    int64_t offset = 0;
    for (int d = rank - 1; d >= 0; d--)
        offset = offset * extents[d] + indices[d];
    return own_span(context, rank, extents) - 1 - offset;
}

/* ---- scales: for each index of a dimension, for each block of one, or for most elements ---- */

enum { SCALES = 1 << 17 };
static double wide_scales[SCALES];
static float narrow_scales[SCALES];

static void fill_scales(void)
{
    static const double some[] = {1, 0.5, 0.3, -1.7, 2, 4, 1 / 3., 0.0078125};
    for (int k = 0; k < SCALES && wide_scales[0] == 0; k++) {
        const int at = k == SCALES - 1 ? 0 : (k * 5 + k / 7 + 1) % 8;
        narrow_scales[SCALES - 1 - k] = (float)some[at];
        wide_scales[SCALES - 1 - k] = some[at];
    }
}

static void set_scales(twins *t, int rank)
{
    stn_scales scales = {.format = chance(2) ? STN_F32 : STN_F64, .dimension = STN_NO_DIMENSION};
    const int first = (int)chance((uint64_t)rank), kind = (int)chance(3);
    int64_t begin = 0, stride = 1;
    fill_scales();
    if (kind == 1) {
        scales.dimension = first;
        scales.block = 2 + (int64_t)chance(40);
        scales.phase = (int64_t)chance((uint64_t)scales.block);
    }
    for (int d = kind == 2 ? 0 : first; d < (kind == 2 ? rank : first + 1); d++) {
        const int is_backward = (int)chance(3) == 0;
        scales.stride[d] = is_backward ? -stride : stride;
        stride *= t->host_part.extent[d] + 1;
        begin += is_backward ? stride : 0;
    }
    if (stride + begin >= SCALES)
        return;
    scales.data =
        scales.format == STN_F32 ? (void *)(narrow_scales + begin) : (void *)(wide_scales + begin);
    expect_ok(stn_view_set_scales(&t->host_part, &scales));
    expect_ok(stn_view_set_scales(&t->device_part, &scales));
}

/* ---- operands ---- */

/* In two of three cases strided, under scales that differ where the storage has one but 1; else
 * tiled, Morton or of the program's own layout: whole, or a part of it. */
__attribute__((unused)) static void make_operand(twins *t, stn_storage storage, int rank,
                                                 const int64_t *extents)
{
    static const int64_t tile[3] = {4, 8, 3};
    const stn_layout layouts[] = {stn_layout_tiled(rank, tile, STN_LAYOUT_RIGHT),
                                  stn_layout_tiled(rank, tile, STN_LAYOUT_LEFT),
                                  stn_layout_of(STN_LAYOUT_MORTON),
                                  stn_layout_custom(own_offset, own_span, NULL)};
    const int is_part = (int)chance(2);
    int64_t whole[3];
    stn_slice slices[3];
    if (chance(3)) {
        make_part(t, storage, rank, extents);
        if (storage.scale != 1 && rank > 0) /* nor are they integers */
            set_scales(t, rank);
        return;
    }
    for (int d = 0; d < rank; d++) {
        whole[d] = is_part ? 2 * extents[d] + 1 : extents[d];
        slices[d] = is_part ? stn_slice_strided(1, extents[d], 2) : stn_slice_all();
    }
    make_twins(t, storage, &layouts[chance(4)], rank, whole);
    expect_ok(stn_view_slice(&t->host_part, &t->host, rank, slices));
    expect_ok(stn_view_slice(&t->device_part, &t->device, rank, slices));
}

/* Exponents near 1, so that sums round and neither overflow nor are one element's. Codes of other
 * formats stay any. */
static void tame(stn_format format, void *codes, int64_t bytes)
{
    const int is_wide = format == STN_F64 || format == STN_C128;
    const int is_narrow = format == STN_F32 || format == STN_C64;
    for (int64_t k = 0; is_wide && k < bytes; k += 8) {
        uint64_t bits;
        memcpy(&bits, (char *)codes + k, 8);
        bits = (bits & UINT64_C(0x800fffffffffffff)) | (1018 + chance(8)) << 52;
        memcpy((char *)codes + k, &bits, 8);
    }
    for (int64_t k = 0; is_narrow && k < bytes; k += 4) {
        uint32_t bits;
        memcpy(&bits, (char *)codes + k, 4);
        bits = (bits & 0x807fffffu) | (uint32_t)(122 + chance(8)) << 23;
        memcpy((char *)codes + k, &bits, 4);
    }
    for (int64_t k = 1; (format == STN_F16 || format == STN_BF16 || format == STN_C32) && k < bytes;
         k += 2)
        ((unsigned char *)codes)[k] &= 0xbf;
    for (int64_t k = 0;
         row_of(format)->kind == ORACLE_FLOAT && row_of(format)->bits == 8 && k < bytes; k++)
        ((unsigned char *)codes)[k] &= 0xbf;
}

__attribute__((unused)) static void tame_twins(twins *t)
{
    tame(t->host.storage.format, t->host.data, t->bytes);
    expect_ok(stn_view_copy(on, &t->device, &t->host));
}

__attribute__((unused)) static stn_format any_arithmetic(oracle_class kind)
{
    return kind == ORACLE_INTEGER   ? STN_I64
           : kind == ORACLE_COMPLEX ? (chance(2) ? STN_C64 : STN_C128)
           : chance(2)              ? STN_F32
                                    : STN_F64;
}

/* Is a compiler missing? */
__attribute__((unused)) static int lacks_compiler(void)
{
    return strstr(stn_error(), "NVRTC, which compiles") ||
           strstr(stn_error(), "hipRTC, which compiles");
}

#endif
