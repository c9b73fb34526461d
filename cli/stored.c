/* Arrays of doubles stored in a format, and read back for reference results. */
#include "stored.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "steno/block_codec.h"
#include "twice.h"

enum { CHUNK = 1 << 16, MAX_TABLE_BITS = 16 };

/* ---- storing ---- */

typedef struct value_range {
    double low, high;
} value_range;

static value_range range_of(const double *values, int64_t count)
{
    double low = INFINITY, high = -INFINITY;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
    for (int64_t k = 0; k < count; k++) {
        low = values[k] < low ? values[k] : low;
        high = values[k] > high ? values[k] : high;
    }
    return (value_range){low, high};
}

static int wants_scale(const stn_format_info *info, value_range range)
{
    const double largest = fmax(fabs(range.low), fabs(range.high));
    if (info->kind != STN_CLASS_BLOCK && (info->kind == STN_CLASS_INTEGER || info->bits <= 8))
        return 1;
    return largest > info->highest || (largest > 0.0 && largest < info->smallest / info->epsilon);
}

/* Fitting the scale to the smallest and largest value equals fitting it to all values. */
static stn_status fit(stn_storage *storage, stn_format arithmetic, value_range range)
{
    const double ends[] = {range.low, range.high};
    const float narrow[] = {(float)range.low, (float)range.high};
    const int f32 = arithmetic == STN_F32;
    return stn_storage_fit_scale(storage, arithmetic, f32 ? (const void *)narrow : ends, 2,
                                 STN_SCALE_POWER_OF_TWO);
}

/* Negative values in an unsigned format: the scale of the corresponding signed format, and a zero
 * point in the middle. */
static stn_status fit_unsigned(stored *array, stn_format arithmetic, value_range range)
{
    for (stn_format twin = 0; twin < stn_format_count(); twin++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        STN_TRY(stn_format_describe(twin, &info));
        if (info.kind == STN_CLASS_INTEGER && info.is_signed && info.bits == array->info.bits) {
            stn_storage storage = stn_storage_of(twin);
            STN_TRY(fit(&storage, arithmetic, range));
            array->storage.scale = storage.scale;
            array->storage.zero = ldexp(1.0, info.bits - 1);
            return STN_OK;
        }
    }
    return stn_fail(STN_ERR_UNSUPPORTED, "format %s cannot hold negative values", array->info.name);
}

static stn_status describe(stored *array, stn_format format, int64_t count)
{
    *array = (stored){.info = STN_FORMAT_INFO_INIT, .count = count};
    array->storage = stn_storage_of(format);
    return stn_format_describe(format, &array->info);
}

static stn_status encode(stored *array, const double *values)
{
    int failed = STN_OK;
    const int64_t chunks = (array->count + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) reduction(max : failed)
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const int64_t first = chunk * CHUNK, rest = array->count - first;
        const int status = (int)stn_encode(STN_F64, &array->storage,
                                           (char *)array->codes + first * array->info.bytes, 1,
                                           first, values + first, rest < CHUNK ? rest : CHUNK);
        failed = status > failed ? status : failed;
    }
    return failed == STN_OK
               ? STN_OK
               : stn_fail((stn_status)failed, "values cannot be stored as %s", array->info.name);
}

/* ---- reading back ---- */

static double decode_float(uint64_t code, const stn_format_info *info)
{
    const int fraction_bits = info->fraction_bits;
    const uint64_t fraction = code & ((UINT64_C(1) << fraction_bits) - 1);
    const int exponent = (int)(code >> fraction_bits) & ((1 << info->exponent_bits) - 1);
    const int bias = (1 << (info->exponent_bits - 1)) - 1;
    const double significand =
        (double)(exponent ? fraction | UINT64_C(1) << fraction_bits : fraction);
    const double value = ldexp(significand, (exponent ? exponent : 1) - bias - fraction_bits);
    return code >> (info->bits - 1) ? -value : value;
}

static double decode_integer(uint64_t code, const stn_format_info *info)
{
    const uint64_t sign = info->is_signed ? UINT64_C(1) << (info->bits - 1) : 0;
    return (double)(int64_t)((code ^ sign) - sign);
}

static stn_status create_table(stored *array)
{
    const stn_format_info *info = &array->info;
    if (info->bits > MAX_TABLE_BITS)
        return STN_OK;
    const uint64_t codes = UINT64_C(1) << info->bits;
    STN_TRY(stn_allocate(&array->decoded, (int64_t)codes, sizeof(double), "table of codes"));
    for (uint64_t code = 0; code < codes; code++)
        array->decoded[code] =
            info->kind == STN_CLASS_INTEGER ? decode_integer(code, info) : decode_float(code, info);
    return STN_OK;
}

/* One code as high + low, before zero point and scale. Two doubles represent 64-bit integers
 * exactly. */
static void read_code(const stored *array, int64_t at, double *high, double *low)
{
    const char *code = (const char *)array->codes + at * array->info.bytes;
    const stn_format_info *info = &array->info;
    uint64_t bits = 0;
    uint8_t byte;
    uint16_t pair;
    uint32_t word;
    *low = 0.0;
    switch (info->bits) {
    case 8:
        memcpy(&byte, code, sizeof byte);
        *high = array->decoded[byte];
        return;
    case 16:
        memcpy(&pair, code, sizeof pair);
        *high = array->decoded[pair];
        return;
    case 32:
        memcpy(&word, code, sizeof word);
        *high = info->kind == STN_CLASS_INTEGER ? decode_integer(word, info)
                                                : (double)stn_f32_of_bits(word);
        return;
    default:
        break;
    }
    memcpy(&bits, code, (size_t)info->bytes);
    if (info->kind != STN_CLASS_INTEGER) { /* the upper bytes of an f32 or f64 */
        *high = info->exponent_bits == 8 ? (double)stn_f32_of_bits((uint32_t)bits << 8)
                                         : stn_f64_of_bits(bits << (64 - info->bits));
        return;
    }
    const double upper =
        decode_integer(bits >> 32, &(stn_format_info){.bits = 32, .is_signed = info->is_signed});
    const double lower = (double)(bits & UINT32_MAX);
    *high = upper * 0x1p32 + lower;
    *low = lower - (*high - upper * 0x1p32);
}

/* An element of a block, by the scalar codec. */
static double read_block(const stored *array, int64_t at)
{
    const stn_block_arrays *const arrays = &array->arrays;
    const int64_t column = at % array->row, elements = array->info.block_elements;
    const int64_t block = at / array->row * arrays->row_blocks + column / elements;
    return stn_block_read(
        array->storage.format, (const stn_u8 *)arrays->codes + block * arrays->code_step,
        (const stn_u8 *)arrays->scales + block * arrays->scale_step, (int)(column % elements));
}

void stored_read(const stored *array, int64_t first, int64_t count, double *high, double *low)
{
    const double zero = array->storage.zero, scale = array->storage.scale;
    for (int64_t k = 0; k < count && array->row == 0; k++)
        read_code(array, first + k, &high[k], &low[k]);
    for (int64_t k = 0; k < count && array->row > 0; k++) {
        high[k] = read_block(array, first + k);
        low[k] = 0.0;
    }
    if (zero == 0.0 && scale == 1.0)
        return;
    for (int64_t k = 0; k < count; k++) { /* scales are powers of two, so nothing is rounded */
        double error;
        const double shifted = two_sum(high[k], -zero, &error);
        low[k] = (low[k] + error) * scale;
        high[k] = shifted * scale;
    }
}

/* ---- creation and reading ---- */

stn_status stored_borrow(stored *array, const double *values, int64_t count)
{
    STN_TRY(describe(array, STN_F64, count));
    array->codes = (void *)(uintptr_t)values;
    array->borrowed = 1;
    return STN_OK;
}

stn_status stored_create(stored *array, stn_format format, stn_format arithmetic,
                         const double *values, int64_t count)
{
    if (format == STN_F64)
        return stored_borrow(array, values, count);
    STN_TRY(describe(array, format, count));
    const value_range range = range_of(values, count);
    if (count > 0 && wants_scale(&array->info, range)) {
        if (!array->info.is_signed && range.low < 0.0)
            STN_TRY(fit_unsigned(array, arithmetic, range));
        else
            STN_TRY(fit(&array->storage, arithmetic, range));
    }
    STN_TRY(stn_allocate(&array->codes, count, (size_t)array->info.bytes, array->info.name));
    STN_TRY(encode(array, values));
    return create_table(array);
}

int stored_is_blocks(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK && info.kind == STN_CLASS_BLOCK;
}

stn_status stored_create_blocks(stored *array, stn_format format, stn_format arithmetic,
                                const double *values, int rank, const int64_t *extents)
{
    const int64_t count = rank == 1 ? extents[0] : extents[0] * extents[1];
    stn_view from;
    STN_TRY(describe(array, format, count));
    const value_range range = range_of(values, count);
    if (count > 0 && wants_scale(&array->info, range))
        STN_TRY(fit(&array->storage, arithmetic, range));
    array->row = extents[rank - 1];
    array->arrays = (stn_block_arrays)STN_BLOCK_ARRAYS_INIT;
    STN_TRY(stn_view_create(NULL, &array->blocks, array->info.name, array->storage, rank, extents));
    STN_TRY(stn_view_wrap_const(&from, "values", stn_storage_of(STN_F64), values, rank, extents));
    STN_TRY(stn_view_copy(NULL, &array->blocks, &from));
    return stn_view_blocks(&array->blocks, &array->arrays);
}

void stored_release(stored *array)
{
    (void)stn_view_release(&array->blocks);
    if (!array->borrowed)
        stn_free(array->codes);
    stn_free(array->decoded);
    *array = (stored){.count = 0};
}

double stored_bytes(const stored *array)
{
    return array->row > 0 ? (double)array->arrays.blocks * (double)array->info.block_bytes
                          : (double)array->count * (double)array->info.bytes;
}
