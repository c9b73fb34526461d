/* What accessors should do: positions by explicit formulas, values by the codecs of oracle.h. */
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

static int is_narrow(int arithmetic)
{
    return arithmetic == STN_F32 || arithmetic == STN_C64;
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

/* Number of elements of dimensions `first` to `last`, with their gaps. */
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

stn_size check_place(const check_array *a, const stn_size *at)
{
    stn_size place = 0;
    for (int d = 0; d < a->type->rank; d++)
        place += (a->begin[d] + at[d]) * a->stride[d];
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

void check_scale_strides(const check_type *type, const stn_size *extent, stn_size gap,
                         stn_size *stride)
{
    const int last = check_last_selected(type);
    stn_size next = 1;
    for (int d = type->rank - 1; d >= 0; d--) {
        stride[d] = check_selects(type, d) ? next : 0;
        if (check_selects(type, d))
            next =
                next * (d == last ? (extent[d] + type->block - 1) / type->block : extent[d]) + gap;
    }
}

stn_size check_scale_place(const check_array *a, const stn_size *at)
{
    const int last = check_last_selected(a->type);
    stn_size place = 0;
    for (int d = 0; d < a->type->rank; d++) {
        const stn_size index = a->begin[d] + at[d];
        place += (d == last ? index / a->type->block : index) * a->scale_stride[d];
    }
    return place;
}

/* ---- values ---- */

static int same_part(double a, double b)
{
    return isnan(a) ? isnan(b) : stn_bits_of_f64(a) == stn_bits_of_f64(b);
}

int check_same(check_value a, check_value b)
{
    return same_part(a.re, b.re) && same_part(a.im, b.im) && a.i64 == b.i64;
}

double check_round(const check_type *type, double x)
{
    return is_narrow(type->arithmetic) ? (double)(float)x : x;
}

/* The hardware determines the payload of a NaN stored in f64 and f32, so none is stored there. */
static double input(const check_type *type, uint64_t k)
{
    const oracle_format *f = component_of(type->format);
    const double value = is_narrow(type->arithmetic)
                             ? (double)stn_f32_of_bits(oracle_input_f32(f, k))
                             : stn_f64_of_bits(oracle_input_f64(f, k));
    return isnan(value) && f->bits > 16 ? check_round(type, (double)k) : value;
}

check_value check_input(const check_type *type, uint64_t k)
{
    if (type->arithmetic == STN_I64)
        return (check_value){.i64 = (int64_t)oracle_random(3, k) >> oracle_random(4, k) % 64};
    if (is_complex(type->arithmetic))
        return (check_value){.re = input(type, 2 * k), .im = input(type, 2 * k + 1)};
    return (check_value){.re = input(type, k)};
}

check_value check_value_at(int arithmetic, const void *values, stn_size k)
{
    const double *const wide = values;
    const float *const narrow = values;
    switch (arithmetic) {
    case STN_F64:
        return (check_value){.re = wide[k]};
    case STN_F32:
        return (check_value){.re = (double)narrow[k]};
    case STN_C128:
        return (check_value){.re = wide[2 * k], .im = wide[2 * k + 1]};
    case STN_C64:
        return (check_value){.re = (double)narrow[2 * k], .im = (double)narrow[2 * k + 1]};
    default:
        return (check_value){.i64 = ((const int64_t *)values)[k]};
    }
}

void check_put_value(int arithmetic, void *values, stn_size k, check_value value)
{
    const int parts = is_complex(arithmetic) ? 2 : 1;
    const double part[] = {value.re, value.im};
    if (arithmetic == STN_I64)
        ((int64_t *)values)[k] = value.i64;
    else
        for (int p = 0; p < parts; p++)
            if (is_narrow(arithmetic))
                ((float *)values)[parts * k + p] = (float)part[p];
            else
                ((double *)values)[parts * k + p] = part[p];
}

/* ---- codes: little-endian ---- */

static stn_size offset_of(int format, stn_size place, int part)
{
    return (place * (is_complex(format) ? 2 : 1) + part) * component_of(format)->bits / 8;
}

uint64_t check_code(int format, const void *codes, stn_size place, int part)
{
    uint64_t code = 0;
    memcpy(&code, (const char *)codes + offset_of(format, place, part),
           (size_t)component_of(format)->bits / 8);
    return code;
}

void check_put_code(int format, void *codes, stn_size place, int part, uint64_t code)
{
    memcpy((char *)codes + offset_of(format, place, part), &code,
           (size_t)component_of(format)->bits / 8);
}

/* ---- scales and zero points ---- */

double check_read_scale(const check_array *a, const stn_size *at)
{
    const int format = a->type->scale_format;
    const uint64_t code = check_code(format, a->expected_scales, check_scale_place(a, at), 0);
    return check_round(a->type, oracle_decode(&oracle_formats[format], code));
}

void check_write_scale(const check_array *a, const stn_size *at, double value)
{
    const int format = a->type->scale_format;
    const oracle_rule rule = {STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0};
    unsigned events = 0;
    check_put_code(
        format, a->expected_scales, check_scale_place(a, at), 0,
        oracle_encode(&oracle_formats[format], check_round(a->type, value), rule, &events));
}

static double zero_at(const check_array *a, const stn_size *at)
{
    return check_value_at(a->type->arithmetic, a->zeros, check_scale_place(a, at)).re;
}

static double from_code(const check_array *a, const stn_size *at, double value)
{
    if (a->type->has_zeros)
        value = check_round(a->type, value - zero_at(a, at));
    return a->type->has_scales ? check_round(a->type, value * check_read_scale(a, at)) : value;
}

static double to_code(const check_array *a, const stn_size *at, double value)
{
    if (a->type->has_scales)
        value = check_round(a->type, value / check_read_scale(a, at));
    return a->type->has_zeros ? check_round(a->type, value + zero_at(a, at)) : value;
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
    const int64_t highest = ((int64_t)1 << (f->bits - f->is_signed)) - 1;
    const int64_t lowest = f->is_signed ? -highest - 1 : 0;
    return (uint64_t)(value < lowest ? lowest : value > highest ? highest : value);
}

/* ---- reads and writes ---- */

static double read_part(const check_array *a, const stn_size *at, uint64_t code)
{
    const oracle_format *f = component_of(a->type->format);
    return from_code(a, at,
                     is_narrow(a->type->arithmetic) ? (double)oracle_decode_f32(f, code)
                                                    : oracle_decode(f, code));
}

check_value check_read(const check_array *a, const stn_size *at)
{
    const int format = a->type->format;
    const stn_size place = a->origin + check_place(a, at);
    const uint64_t code = check_code(format, a->expected, place, 0);
    check_value value = {0};
    if (a->type->arithmetic == STN_I64)
        value.i64 = decode_i64(component_of(format), code);
    else
        value.re = read_part(a, at, code);
    if (is_complex(format))
        value.im = read_part(a, at, check_code(format, a->expected, place, 1));
    return value;
}

/* Random bits by the oracle. */
static void write_part(const check_array *a, const stn_size *at, int part, double value)
{
    const int format = a->type->format;
    const stn_size place = check_place(a, at);
    const uint64_t index = (uint64_t)(is_complex(format) ? 2 * place + part : place);
    const oracle_rule rule = {a->type->rounding, a->type->overflow,
                              oracle_rounding_bits(a->seed, index)};
    unsigned events = 0;
    check_put_code(format, a->expected, a->origin + place, part,
                   oracle_encode(component_of(format), to_code(a, at, value), rule, &events));
}

check_value check_write(const check_array *a, const stn_size *at, check_value value)
{
    const int format = a->type->format;
    if (a->type->arithmetic == STN_I64)
        check_put_code(format, a->expected, a->origin + check_place(a, at), 0,
                       encode_i64(component_of(format), value.i64));
    else
        write_part(a, at, 0, value.re);
    if (is_complex(format))
        write_part(a, at, 1, value.im);
    return check_read(a, at);
}
