/* What accessors should do: places by explicit formulas, values by the codecs of oracle.h. */
#include "accessor_check.h"

#include <math.h>
#include <string.h>

static const oracle_format *component_of(int format)
{
    return &oracle_formats[oracle_formats[format].component];
}

static int is_complex(int format)
{
    return oracle_formats[format].kind == ORACLE_COMPLEX;
}

/* ---- indices ---- */

int check_next(int rank, const stn_size *extent, stn_size *at)
{
    for (int d = rank - 1; d >= 0; d--) {
        if (++at[d] < extent[d])
            return 1;
        at[d] = 0;
    }
    return 0;
}

void check_index(int rank, const stn_size *extent, stn_size k, stn_size *at)
{
    for (int d = rank - 1; d >= 0; d--) {
        at[d] = extent[d] > 0 ? k % extent[d] : 0;
        k = extent[d] > 0 ? k / extent[d] : k;
    }
}

stn_size check_count(int rank, const stn_size *extent)
{
    stn_size count = 1;
    for (int d = 0; d < rank; d++)
        count *= extent[d];
    return count;
}

/* Elements from one index of dimension d to the next, when `inner` lie within it. */
static stn_size stretch(const stn_size *extent, stn_size gap, int first, int last)
{
    stn_size length = 1;
    for (int d = first; d <= last; d++)
        length = length * extent[d] + gap;
    return length;
}

void check_strides(check_layout layout, int rank, const stn_size *extent, stn_size gap,
                   stn_size *stride)
{
    for (int d = 0; d < rank; d++)
        stride[d] = layout == CHECK_LEFT ? stretch(extent, gap, 0, d - 1)
                                         : stretch(extent, gap, d + 1, rank - 1);
    if (layout == CHECK_BLOCK_COL_MAJOR) {
        stride[rank - 2] = 1;
        stride[rank - 1] = extent[rank - 2] + gap;
    }
    if (layout == CHECK_STRIDED && gap > 0)
        for (int d = 0; d < rank; d++)
            stride[d] *= 2;
}

stn_size check_place(const check_scene *scene, const stn_size *at)
{
    stn_size place = 0;
    for (int d = 0; d < scene->type->rank; d++)
        place += (scene->begin[d] + at[d]) * scene->stride[d];
    return place;
}

int check_selects(const check_type *type, int dimension)
{
    return (int)(type->mask >> (type->rank - 1 - dimension) & 1);
}

int check_last_selected(const check_type *type)
{
    int d = type->rank - 1;
    while (d >= 0 && !check_selects(type, d))
        d--;
    return d;
}

stn_size check_scale_place(const check_scene *scene, const stn_size *at)
{
    const int last = check_last_selected(scene->type);
    stn_size place = 0;
    for (int d = 0; d < scene->type->rank; d++) {
        const stn_size index = scene->begin[d] + at[d];
        place += (d == last ? index / scene->type->block : index) * scene->scale_stride[d];
    }
    return place;
}

/* ---- values ---- */

static int same_f64(double a, double b)
{
    return isnan(a) ? isnan(b) : stn_bits_of_f64(a) == stn_bits_of_f64(b);
}

static int same_f32(float a, float b)
{
    return isnan(a) ? isnan(b) : stn_bits_of_f32(a) == stn_bits_of_f32(b);
}

int check_same(int arithmetic, check_value a, check_value b)
{
    switch (arithmetic) {
    case STN_F64:
        return same_f64(a.f64, b.f64);
    case STN_F32:
        return same_f32(a.f32, b.f32);
    case STN_I64:
        return a.i64 == b.i64;
    case STN_C128:
        return same_f64(a.c128.re, b.c128.re) && same_f64(a.c128.im, b.c128.im);
    default:
        return same_f32(a.c64.re, b.c64.re) && same_f32(a.c64.im, b.c64.im);
    }
}

/* The payload of a stored NaN is the machine's in f64 and f32, so none is stored there. */
static double input_f64(const oracle_format *f, uint64_t k)
{
    const double value = stn_f64_of_bits(oracle_input_f64(f, k));
    return isnan(value) && f->bits > 16 ? (double)k : value;
}

static float input_f32(const oracle_format *f, uint64_t k)
{
    const float value = stn_f32_of_bits(oracle_input_f32(f, k));
    return isnan(value) && f->bits > 16 ? (float)k : value;
}

check_value check_input(const check_type *type, uint64_t k)
{
    const oracle_format *f = component_of(type->format);
    check_value value = {0};
    if (type->arithmetic == STN_F64)
        value.f64 = input_f64(f, k);
    else if (type->arithmetic == STN_F32)
        value.f32 = input_f32(f, k);
    else if (type->arithmetic == STN_C128)
        value.c128 = (stn_c128){input_f64(f, 2 * k), input_f64(f, 2 * k + 1)};
    else if (type->arithmetic == STN_C64)
        value.c64 = (stn_c64){input_f32(f, 2 * k), input_f32(f, 2 * k + 1)};
    else
        value.i64 = (int64_t)oracle_random(3, k) >> oracle_random(4, k) % 64;
    return value;
}

check_value check_value_at(const check_type *type, const void *values, stn_size k)
{
    check_value value = {0};
    memcpy(&value, (const char *)values + k * type->value_bytes, (size_t)type->value_bytes);
    return value;
}

void check_put_value(const check_type *type, void *values, stn_size k, check_value value)
{
    memcpy((char *)values + k * type->value_bytes, &value, (size_t)type->value_bytes);
}

/* ---- codes: little-endian ---- */

uint64_t check_code(int format, const void *codes, stn_size place, int part)
{
    const int bytes = component_of(format)->bits / 8, parts = is_complex(format) ? 2 : 1;
    uint64_t code = 0;
    memcpy(&code, (const char *)codes + (place * parts + part) * bytes, (size_t)bytes);
    return code;
}

void check_put_code(int format, void *codes, stn_size place, int part, uint64_t code)
{
    const int bytes = component_of(format)->bits / 8, parts = is_complex(format) ? 2 : 1;
    memcpy((char *)codes + (place * parts + part) * bytes, &code, (size_t)bytes);
}

/* ---- scales ---- */

static double scale_of(const check_scene *scene, const stn_size *at)
{
    const int format = scene->type->scale_format;
    return oracle_decode(&oracle_formats[format], check_code(format, scene->expected_scales,
                                                             check_scale_place(scene, at), 0));
}

static check_value zero_of(const check_scene *scene, const stn_size *at)
{
    return check_value_at(scene->type, scene->zeros, check_scale_place(scene, at));
}

static double from_code_f64(const check_scene *scene, const stn_size *at, double value)
{
    if (scene->type->has_zeros)
        value -= zero_of(scene, at).f64;
    return scene->type->has_scales ? value * scale_of(scene, at) : value;
}

static float from_code_f32(const check_scene *scene, const stn_size *at, float value)
{
    if (scene->type->has_zeros)
        value -= zero_of(scene, at).f32;
    return scene->type->has_scales ? value * (float)scale_of(scene, at) : value;
}

static double to_code_f64(const check_scene *scene, const stn_size *at, double value)
{
    if (scene->type->has_scales)
        value /= scale_of(scene, at);
    return scene->type->has_zeros ? value + zero_of(scene, at).f64 : value;
}

static float to_code_f32(const check_scene *scene, const stn_size *at, float value)
{
    if (scene->type->has_scales)
        value /= (float)scale_of(scene, at);
    return scene->type->has_zeros ? value + zero_of(scene, at).f32 : value;
}

/* ---- integers ---- */

static int64_t decode_i64(const oracle_format *f, uint64_t code)
{
    return f->bits == 64 || !f->is_signed ? (int64_t)code
                                          : (int64_t)(code << (64 - f->bits)) >> (64 - f->bits);
}

static uint64_t encode_i64(const oracle_format *f, int64_t value)
{
    if (f->bits == 64)
        return (uint64_t)value;
    const int64_t highest =
        f->is_signed ? ((int64_t)1 << (f->bits - 1)) - 1 : ((int64_t)1 << f->bits) - 1;
    const int64_t lowest = f->is_signed ? -highest - 1 : 0;
    return (uint64_t)(value < lowest ? lowest : value > highest ? highest : value);
}

/* ---- reads and writes ---- */

check_value check_read(const check_scene *scene, const stn_size *at)
{
    const int format = scene->type->format;
    const oracle_format *f = component_of(format);
    const stn_size place = scene->origin + check_place(scene, at);
    const uint64_t re = check_code(format, scene->expected, place, 0);
    const uint64_t im = is_complex(format) ? check_code(format, scene->expected, place, 1) : 0;
    check_value value = {0};
    if (scene->type->arithmetic == STN_F64)
        value.f64 = from_code_f64(scene, at, oracle_decode(f, re));
    else if (scene->type->arithmetic == STN_F32)
        value.f32 = from_code_f32(scene, at, oracle_decode_f32(f, re));
    else if (scene->type->arithmetic == STN_C128)
        value.c128 = (stn_c128){oracle_decode(f, re), oracle_decode(f, im)};
    else if (scene->type->arithmetic == STN_C64)
        value.c64 = (stn_c64){oracle_decode_f32(f, re), oracle_decode_f32(f, im)};
    else
        value.i64 = decode_i64(f, re);
    return value;
}

/* Random bits by another's SplitMix64, as test_codec.c has them. */
static void write_part(const check_scene *scene, stn_size place, int part, double value)
{
    const int format = scene->type->format;
    const uint64_t index = (uint64_t)(is_complex(format) ? 2 * place + part : place);
    const oracle_rule rule = {scene->type->rounding, scene->type->overflow,
                              oracle_random(oracle_random(scene->seed, 0), index - 1)};
    unsigned events = 0;
    check_put_code(format, scene->expected, scene->origin + place, part,
                   oracle_encode(component_of(format), value, rule, &events));
}

check_value check_write(const check_scene *scene, const stn_size *at, check_value value)
{
    const int arithmetic = scene->type->arithmetic, format = scene->type->format;
    const stn_size place = check_place(scene, at);
    if (arithmetic == STN_I64) {
        check_put_code(format, scene->expected, scene->origin + place, 0,
                       encode_i64(component_of(format), value.i64));
    } else if (arithmetic == STN_F64) {
        write_part(scene, place, 0, to_code_f64(scene, at, value.f64));
    } else if (arithmetic == STN_F32) {
        write_part(scene, place, 0, (double)to_code_f32(scene, at, value.f32));
    } else {
        const int wide = arithmetic == STN_C128;
        write_part(scene, place, 0, wide ? value.c128.re : (double)value.c64.re);
        write_part(scene, place, 1, wide ? value.c128.im : (double)value.c64.im);
    }
    return check_read(scene, at);
}
