/* Runs of elements: selection of a codec, and strides. */
#include "format/run.h"

#include <math.h>

#include "core/modes.h"
#include "core/nontemporal.h"
#include "core/status.h"
#include "core/versions.h"
#include "format/integer64.h"
#include "format/rounding.h"

int64_t stn_arithmetic_bytes(stn_format arithmetic)
{
    return arithmetic == STN_C128 ? 16 : arithmetic == STN_F32 ? 4 : 8;
}

/* ---- checks and choices ---- */

/* By bits, independent of the caller's modes. */
static int is_finite(double x)
{
    return (stn_bits_of_f64(x) & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}

/* Elements of a block are encoded together. */
static stn_status check_block_rules(const stn_storage *storage)
{
    static const char *const roundings[] = {"STN_ROUND_NEAREST", "STN_ROUND_TOWARD_ZERO",
                                            "STN_ROUND_STOCHASTIC"};
    static const char *const rules[] = {"STN_OVERFLOW_DEFAULT", "STN_OVERFLOW_INFINITY",
                                        "STN_OVERFLOW_SATURATE", "STN_OVERFLOW_NAN"};
    const char *const name = stn_format_text(storage->format);
    if (storage->zero != 0.0)
        return stn_fail(STN_ERR_UNSUPPORTED, "zero point %g; block format %s requires 0",
                        storage->zero, name);
    if (storage->rounding != STN_ROUND_NEAREST || storage->overflow != STN_OVERFLOW_DEFAULT)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "block format %s rounds to nearest and has the default overflow rule; the "
                        "storage has %s and %s",
                        name, roundings[storage->rounding], rules[storage->overflow]);
    if (storage->counters)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "counters are not NULL; block format %s counts no "
                        "events",
                        name);
    return STN_OK;
}

stn_status stn_storage_check(const stn_storage *storage)
{
    if (!is_finite(storage->scale) || stn_bits_of_f64(storage->scale) << 1 == 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "scale %g; it must be finite and not 0 (stn_storage_of() sets 1)",
                        storage->scale);
    if (!is_finite(storage->zero))
        return stn_fail(STN_ERR_ARGUMENT, "zero point %g; it must be finite", storage->zero);
    if ((int)storage->rounding < STN_ROUND_NEAREST || storage->rounding > STN_ROUND_STOCHASTIC)
        return stn_fail(STN_ERR_ARGUMENT, "rounding %d is unknown (%d to %d)",
                        (int)storage->rounding, STN_ROUND_NEAREST, STN_ROUND_STOCHASTIC);
    if ((int)storage->overflow < STN_OVERFLOW_DEFAULT || storage->overflow > STN_OVERFLOW_NAN)
        return stn_fail(STN_ERR_ARGUMENT, "overflow rule %d is unknown (%d to %d)",
                        (int)storage->overflow, STN_OVERFLOW_DEFAULT, STN_OVERFLOW_NAN);
    return stn_format_block(storage->format) ? check_block_rules(storage) : STN_OK;
}

static stn_status refuse_pair(const stn_format_info *info, stn_format arithmetic)
{
    const int complex = arithmetic == STN_C128 || arithmetic == STN_C64;
    const char *const allowed = info->kind == STN_CLASS_COMPLEX ? "; it requires c128 or c64"
                                : complex ? "; complex arithmetic requires complex formats"
                                : info->kind == STN_CLASS_INTEGER ? "; it requires f64, f32 or i64"
                                : info->kind == STN_CLASS_FLOAT || info->kind == STN_CLASS_BLOCK
                                    ? "; it requires f64 or f32"
                                    : "";
    return stn_fail(STN_ERR_UNSUPPORTED, "format %s cannot be used with arithmetic %s%s",
                    info->name, stn_format_text(arithmetic), allowed);
}

/* The arithmetic of one part, if format and arithmetic are compatible. */
static stn_status match(stn_run *run, stn_format arithmetic)
{
    const stn_format_info *info = &run->entry->info;
    const int complex = info->kind == STN_CLASS_COMPLEX;
    switch (arithmetic) {
    case STN_F64:
    case STN_F32:
        if (complex || info->kind == STN_CLASS_OPAQUE)
            return refuse_pair(info, arithmetic);
        run->arithmetic = arithmetic;
        return STN_OK;
    case STN_C128:
    case STN_C64:
        if (!complex)
            return refuse_pair(info, arithmetic);
        run->arithmetic = arithmetic == STN_C128 ? STN_F64 : STN_F32;
        run->parts = 2;
        return STN_OK;
    case STN_I64:
        if (info->kind != STN_CLASS_INTEGER)
            return refuse_pair(info, arithmetic);
        run->arithmetic = arithmetic;
        return STN_OK;
    default:
        return stn_fail(STN_ERR_ARGUMENT, "arithmetic is %s; it must be f64, f32, i64, c128 or c64",
                        stn_format_text(arithmetic));
    }
}

static stn_status check_affine(stn_run *run, const stn_storage *storage)
{
    if (run->arithmetic == STN_I64) {
        const double limit = 0x1p63;
        if (storage->scale != 1.0)
            return stn_fail(STN_ERR_UNSUPPORTED, "scale %g; in i64 arithmetic it must be 1",
                            storage->scale);
        if (storage->zero != trunc(storage->zero))
            return stn_fail(STN_ERR_UNSUPPORTED,
                            "zero point %g; in i64 arithmetic it must be an integer",
                            storage->zero);
        if (fabs(storage->zero) >= limit)
            return stn_fail(STN_ERR_UNSUPPORTED,
                            "zero point %g; in i64 arithmetic it must be between -2^63 and 2^63",
                            storage->zero);
        run->zero = (int64_t)storage->zero;
    }
    if (!isfinite(run->affine.scale) || run->affine.scale == 0.0 || !isfinite(run->affine.zero))
        return stn_fail(
            STN_ERR_ARGUMENT,
            "scale %g and zero point %g; in f32 arithmetic they must be finite and the scale not 0",
            storage->scale, storage->zero);
    return STN_OK;
}

stn_status stn_run_init_in_modes(stn_run *run, stn_format arithmetic, const stn_storage *storage)
{
    const int is_default = stn_storage_is_plain(storage);
    if (!is_default)
        STN_TRY(stn_storage_check(storage));
    run->entry = stn_format_entry_of(storage->format);
    if (!run->entry)
        return STN_ERR_FORMAT;
    run->codec = NULL;
    run->portable = NULL;
    run->values = STN_RUN_WRAPS;
    run->zero = 0;
    run->draws_of = NULL;
    run->numbered = NULL;
    run->parts = 1;
    STN_TRY(match(run, arithmetic));
    run->real = run->entry->info.component;
    run->bytes = run->entry->info.bytes;
    /* A struct assembled from stores of 8 bytes and copied by 16 bytes would wait for them. */
    static const stn_affine plain = {.scale = 1.0, .inverse = 1.0, .plain = 1};
    run->affine = plain;
    if (!is_default) {
        stn_affine_init(&run->affine, storage, run->arithmetic);
        STN_TRY(check_affine(run, storage));
    }
    run->rules.rounding = storage->rounding;
    run->rules.overflow = storage->overflow;
    run->rules.seed = storage->seed;
    run->rules.first = 0;
    run->rules.step = 0;
    run->rules.parts = run->parts;
    run->rules.counters = storage->counters;
    if (run->arithmetic == STN_I64 || run->entry->info.kind == STN_CLASS_REGISTERED)
        return STN_OK;
    run->codec = stn_codec_of(run->real);
    if (storage->rounding != STN_ROUND_NEAREST || storage->counters ||
        !stn_overflow_is_default(run->real, storage->overflow))
        run->portable = stn_portable_codec_of(run->real);
    return STN_OK;
}

/* The caller's modes must not affect the rounding of a scale, or flush a subnormal one to 0. */
stn_status stn_run_init(stn_run *run, stn_format arithmetic, const stn_storage *storage)
{
    STN_RETURN_IN_MODES(stn_run_init_in_modes(run, arithmetic, storage));
}

void stn_run_use_scalar(stn_run *run)
{
    if (run->codec)
        run->codec = &stn_portable_codec_of(run->real)->codec;
}

/* ---- registered formats: a tile of doubles between the program's codec and the arithmetic type
 * ---- */

static void decode_registered(const stn_run *run, void *values, const void *codes, int64_t count)
{
    const stn_format_codec *codec = &run->entry->codec;
    const stn_affine *affine = &run->affine;
    double tile[STN_TILE_ELEMENTS];
    const stn_modes_guarded modes = stn_modes_guard();
    codec->decode(tile, codes, count, codec->context);
    stn_modes_again(modes);
    for (int64_t k = 0; k < count; k++) {
        if (run->arithmetic == STN_F64)
            ((double *)values)[k] =
                affine->plain ? tile[k] : (tile[k] - affine->zero) * affine->scale;
        else
            ((float *)values)[k] =
                affine->plain ? (float)tile[k]
                              : ((float)tile[k] - (float)affine->zero) * (float)affine->scale;
    }
}

static void encode_registered(const stn_run *run, const void *values, void *codes, int64_t count)
{
    const stn_format_codec *codec = &run->entry->codec;
    double tile[STN_TILE_ELEMENTS];
    for (int64_t k = 0; k < count; k++)
        tile[k] = stn_f64_of_bits(run->arithmetic == STN_F64
                                      ? stn_quotient_f64(((const double *)values)[k], &run->affine)
                                      : stn_quotient_f32(((const float *)values)[k], &run->affine));
    const stn_modes_guarded modes = stn_modes_guard();
    codec->encode(codes, tile, count, codec->context);
    stn_modes_again(modes);
}

/* ---- contiguous runs ---- */

/* The scalar codec is faster for fewer elements, which vector codecs move through buffers. Single
 * values are encoded without buffers. */
enum { DECODED = 3 };

static const stn_codec *codec_for(const stn_run *run, int is_scalar)
{
    return is_scalar ? &stn_portable_codec_of(run->real)->codec : run->codec;
}

static void decode_contiguous(const stn_run *run, void *values, const void *codes, int64_t count)
{
    const int64_t reals = count * run->parts;
    if (run->arithmetic == STN_I64)
        stn_decode_i64(run->real, values, codes, reals, (int64_t)run->zero);
    else if (!run->codec)
        decode_registered(run, values, codes, count);
    else if (run->arithmetic == STN_F64)
        codec_for(run, reals < DECODED)->decode_f64(values, codes, reals, &run->affine);
    else
        codec_for(run, reals < DECODED)->decode_f32(values, codes, reals, &run->affine);
}

static void encode_contiguous(const stn_run *run, const void *values, void *codes, int64_t first,
                              int64_t count)
{
    const int64_t reals = count * run->parts;
    const int f64 = run->arithmetic == STN_F64;
    if (run->arithmetic == STN_I64 && run->values != STN_RUN_WRAPS) {
        stn_encode_i64_value(run->real, codes, values, run->values == STN_RUN_OF_UNSIGNED, reals,
                             run->zero, run->rules.counters);
    } else if (run->arithmetic == STN_I64) {
        stn_encode_i64(run->real, codes, values, reals, (int64_t)run->zero, run->rules.counters);
    } else if (!run->codec) {
        encode_registered(run, values, codes, count);
    } else if (run->portable) {
        stn_encode_by_rules(run, values, codes, first, count);
    } else {
        const stn_codec *const codec = codec_for(run, reals == 2);
        (f64 ? codec->encode_f64 : codec->encode_f32)(codes, values, reals, &run->affine);
    }
}

/* ---- strided runs, one tile at a time ---- */

enum { BUFFER = STN_TILE_ELEMENTS * 16 }; /* bytes: a tile of the widest built-in format */

/* Elements per buffer; 0 if a single one is too large or too strictly aligned for it. */
static int64_t batch_of(const stn_run *run)
{
    if (run->entry->info.alignment > 64)
        return 0;
    const int64_t fit = BUFFER / run->bytes;
    return fit < STN_TILE_ELEMENTS ? fit : STN_TILE_ELEMENTS;
}

/* Maximum number of contiguous elements per call of a codec. */
static int64_t batch_limit(const stn_run *run, int64_t count)
{
    const int is_whole = run->codec || run->arithmetic == STN_I64 || count < STN_TILE_ELEMENTS;
    return is_whole ? count : STN_TILE_ELEMENTS;
}

/* Traversal of a run. */
typedef struct walk {
    int64_t step;        /* bytes between elements */
    int64_t value_bytes; /* of one value */
    int64_t batch;       /* elements per step */
    int direct;          /* in place, without the buffer */
} walk;

static walk walk_of(const stn_run *run, int64_t stride, int64_t count)
{
    walk way = {.step = stride * run->bytes,
                .value_bytes = stn_arithmetic_bytes(run->arithmetic) * run->parts,
                .direct = stride == 1 || batch_of(run) == 0};
    if (!way.direct)
        way.batch = batch_of(run);
    else if (stride != 1)
        way.batch = 1;
    else
        way.batch = batch_limit(run, count);
    return way;
}

static void decode_by_walk(const stn_run *run, void *restrict values, const void *restrict codes,
                           int64_t stride, int64_t count)
{
    const walk way = walk_of(run, stride, count);
    _Alignas(64) char buffer[BUFFER];
    for (int64_t k = 0; k < count; k += way.batch) {
        const int64_t done = count - k < way.batch ? count - k : way.batch;
        const char *from = (const char *)codes + k * way.step;
        if (!way.direct)
            stn_move(buffer, run->bytes, from, way.step, run->bytes, done);
        decode_contiguous(run, (char *)values + k * way.value_bytes, way.direct ? from : buffer,
                          done);
    }
}

static void encode_by_walk(const stn_run *run, const void *restrict values, void *restrict codes,
                           int64_t stride, int64_t first, int64_t count)
{
    const walk way = walk_of(run, stride, count);
    _Alignas(64) char buffer[BUFFER];
    for (int64_t k = 0; k < count; k += way.batch) {
        const int64_t done = count - k < way.batch ? count - k : way.batch;
        char *to = (char *)codes + k * way.step;
        encode_contiguous(run, (const char *)values + k * way.value_bytes, way.direct ? to : buffer,
                          first + k, done);
        if (!way.direct)
            stn_move(to, way.step, buffer, run->bytes, run->bytes, done);
    }
}

#define DEFINE_REPEAT(bytes, word)                                                                 \
    STN_VERSIONS static void repeat_##bytes(void *values, int64_t count)                           \
    {                                                                                              \
        word *const to = values;                                                                   \
        const word value = *to;                                                                    \
        for (int64_t k = 1; k < count; k++)                                                        \
            to[k] = value;                                                                         \
    }
DEFINE_REPEAT(4, uint32_t)
DEFINE_REPEAT(8, uint64_t)
DEFINE_REPEAT(16, stn_c128)

void stn_repeat(void *values, int64_t bytes, int64_t count)
{
    (bytes == 4 ? repeat_4 : bytes == 8 ? repeat_8 : repeat_16)(values, count);
}

/* Returns whether decoding only copies. */
static int is_copied(const stn_run *run)
{
    return run->codec && run->real == run->arithmetic && run->affine.plain && !run->portable;
}

/* Contiguous codes of built-in formats are one call. */
static int is_one_call(const stn_run *run, int64_t stride)
{
    return stride == 1 && (run->codec || run->arithmetic == STN_I64);
}

void stn_run_decode(const stn_run *run, void *restrict values, const void *restrict codes,
                    int64_t stride, int64_t count)
{
    if (is_one_call(run, stride)) {
        decode_contiguous(run, values, codes, count);
    } else if (stride == 0 && count > 1) {
        decode_by_walk(run, values, codes, 1, 1);
        stn_repeat(values, stn_arithmetic_bytes(run->arithmetic) * run->parts, count);
    } else if (is_copied(run)) {
        stn_move(values, run->bytes, codes, stride * run->bytes, run->bytes, count);
    } else {
        decode_by_walk(run, values, codes, stride, count);
    }
}

void stn_run_encode(const stn_run *run, const void *restrict values, void *restrict codes,
                    int64_t stride, int64_t first, int64_t count)
{
    if (is_one_call(run, stride))
        encode_contiguous(run, values, codes, first, count);
    else
        encode_by_walk(run, values, codes, stride, first, count);
}

void stn_run_encode_nontemporal(const stn_run *run, const void *restrict values,
                                void *restrict codes, int64_t first, int64_t count)
{
    const int64_t value_bytes = stn_arithmetic_bytes(run->arithmetic) * run->parts;
    const int64_t bytes = run->bytes;
    _Alignas(64) char buffer[2 * BUFFER];
    if (batch_of(run) == 0)
        stn_run_encode(run, values, codes, 1, first, count);
    else
        for (int64_t k = 0, done; k < count; k += done) {
            char *to = (char *)codes + k * bytes;
            done = batch_limit(run, (int64_t)sizeof buffer / bytes);
            done -= (int64_t)((uintptr_t)(to + done * bytes) % STN_LINE) /
                    bytes; /* up to a cache line */
            done = count - k < done ? count - k : done;
            encode_contiguous(run, (const char *)values + k * value_bytes, buffer, first + k, done);
            stn_copy_stream(to, buffer, done * bytes);
        }
}
