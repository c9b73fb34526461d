/* Elements of gather and scatter that are accessed one by one because their storage differs from
 * the arithmetic type. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "core/atomic.h"
#include "format/rounding.h"
#include "map/launch.h"
#include "steno/detail/kernel_code.h"
#include "steno/detail/kernel_types.h"
#include "view/reader.h"
#include "view/layout/lines.h"
#include "view/layout/mapping.h"
#include "view/number.h"
#include "view/scales.h"
#include "view/store.h"

/* ---- codes that loops decode and encode ---- */

/* The code of NaN in e4m3 follows that of the highest value; otherwise, infinity does. */
static void form_narrow(stn_code_form *form, stn_format format, stn_overflow overflow)
{
    const stn_float_kind kind = stn_float_kind_of(format);
    const int bits = kind.fraction_bits, least = 2 - (1 << (kind.exponent_bits - 1));
    const uint64_t infinity = stn_bits_of_f64((double)INFINITY);
    unsigned events = 0;
    form->nan =
        (uint32_t)stn_float_encode(infinity + 1, kind, STN_ROUND_NEAREST, overflow, 0, &events);
    form->beyond =
        (uint32_t)stn_float_encode(infinity, kind, STN_ROUND_NEAREST, overflow, 0, &events);
    form->largest =
        (((1u << kind.exponent_bits) - !kind.finite_only) << bits) - 1 - (uint32_t)kind.finite_only;

    form->shift = 8 - (uint32_t)kind.exponent_bits;
    form->special = (form->largest + 1) << (23 - bits);
    form->factor = ldexpf(1.0f, 126 + least);

    form->dropped = 52 - bits;
    form->sign_shift = kind.exponent_bits + bits;
    form->half = ((uint64_t)1 << (form->dropped - 1)) - 1;
    form->least_normal = stn_bits_of_f64(ldexp(1.0, least));
    form->bias = (uint64_t)(1022 + least) << bits;
    form->unit = ldexp(1.0, least + form->dropped);
}

/* Values plus the zero point must not exceed 64 bits. */
static stn_code_storing form_integer(stn_code_form *form, const stn_format_info *info,
                                     const stn_run *run)
{
    const stn_wide limit = (stn_wide)1 << 62;
    if (info->bits == 64)
        return run->arithmetic == STN_I64 ? STN_STORES_WORD : STN_STORES_BY_CALL;
    if (run->zero < -limit || run->zero > limit)
        return STN_STORES_BY_CALL;
    form->lowest = info->lowest;
    form->highest = info->highest;
    form->whole_lowest = (int64_t)info->lowest - form->whole_zero;
    form->whole_highest = (int64_t)info->highest - form->whole_zero;
    return STN_STORES_INTEGER;
}

/* Elements that are rounded to nearest and not counted are encoded by loops. */
static stn_code_storing form_storing(stn_code_form *form, const stn_format_info *info,
                                     const stn_run *run)
{
    if (run->rules.rounding != STN_ROUND_NEAREST || run->rules.counters)
        return STN_STORES_BY_CALL;
    if (info->kind == STN_CLASS_INTEGER)
        return form_integer(form, info, run);
    if (info->bits <= 16)
        return STN_STORES_NARROW;
    if (!stn_overflow_is_default(info->format, run->rules.overflow))
        return STN_STORES_BY_CALL;
    return info->format == STN_F32 ? STN_STORES_F32 : STN_STORES_WORD;
}

static int is_decoded_by_loops(const stn_reader *reader, const stn_format_info *info)
{
    const int is_real = info->kind == STN_CLASS_FLOAT || info->kind == STN_CLASS_INTEGER;
    const int is_word = info->bits <= 16 || info->bits % 32 == 0;
    return reader->plain && is_real && is_word &&
           (info->format != STN_U64 || reader->run.arithmetic == STN_I64);
}

void stn_indexed_form(stn_code_form *form, const stn_reader *reader, const stn_exec *exec)
{
    const stn_run *const run = &reader->run;
    const stn_format_info *const info = &run->entry->info;
    *form = (stn_code_form){.format = STN_FORM_NONE};
    if (stn_exec_is_reference(exec) || !is_decoded_by_loops(reader, info))
        return;
    form->format = info->format;
    form->bytes = (int32_t)run->bytes;
    form->is_plain = run->affine.plain;
    form->scale = run->affine.scale;
    form->zero = run->affine.zero;
    form->added = form->zero != 0.0 ? form->zero : -0.0;
    form->whole_zero = (int64_t)run->zero;
    if (info->kind == STN_CLASS_FLOAT && info->bits <= 16)
        form_narrow(form, info->format, run->rules.overflow);
    form->storing = form_storing(form, info, run);
}

/* ---- elements ---- */

void stn_indexed_read(const stn_indexed *indexed, int64_t offset, void *value)
{
    stn_read(indexed->reader, value, offset / indexed->reader->run.bytes, 1, 1);
}

/* `number` selects the random bits of stochastic rounding. */
static void encode_element(const stn_run *run, const void *value, void *code, int64_t number)
{
    if (run->codec && !run->portable && run->parts == 1)
        (run->arithmetic == STN_F64 ? run->codec->encode_f64
                                    : run->codec->encode_f32)(code, value, 1, &run->affine);
    else
        stn_run_encode(run, value, code, 1, number, 1);
}

void stn_indexed_write(const stn_indexed *indexed, int64_t offset, const void *value)
{
    const stn_reader *reader = indexed->reader;
    const stn_run *const run = &reader->run;
    const int draws = run->rules.rounding == STN_ROUND_STOCHASTIC;
    if (reader->plain && !draws) {
        encode_element(run, value, indexed->data + offset, 0);
        return;
    }
    const int64_t position = offset / run->bytes;
    const int64_t number = reader->plain ? stn_view_order_at(indexed->view, position) : position;
    stn_write(reader, value, position, 1, number, 1);
}

/* ---- atomic updates ---- */

static double updated_f64(double is, double value, int operation)
{
    if (operation == 0)
        return is + value;
    if (is != is || value != value)
        return is != is ? value : is;
    if (is == value)
        return (signbit(is) != 0) == (operation < 0) ? is : value;
    return (is < value) == (operation < 0) ? is : value;
}

static float updated_f32(float is, float value, int operation)
{
    return operation ? (float)updated_f64((double)is, (double)value, operation) : is + value;
}

static int64_t updated_i64(int64_t is, int64_t value, int operation)
{
    const int64_t sum = (int64_t)((uint64_t)is + (uint64_t)value);
    return operation == 0 ? sum : (is < value) == (operation < 0) ? is : value;
}

/* The updated value in the arithmetic of the run; complex values are added. */
static void update(const stn_run *run, stn_number *is, const void *value, int operation)
{
    if (run->parts == 2 && run->arithmetic == STN_F64) {
        const stn_c128 *const by = value;
        is->c128 = (stn_c128){is->c128.re + by->re, is->c128.im + by->im};
    } else if (run->parts == 2) {
        const stn_c64 *const by = value;
        is->c64 = (stn_c64){is->c64.re + by->re, is->c64.im + by->im};
    } else if (run->arithmetic == STN_F64) {
        is->f64 = updated_f64(is->f64, *(const double *)value, operation);
    } else if (run->arithmetic == STN_F32) {
        is->f32 = updated_f32(is->f32, *(const float *)value, operation);
    } else {
        is->i64 = updated_i64(is->i64, *(const int64_t *)value, operation);
    }
}

/* Address and scale of the element with this number. */
static char *find_element(const stn_indexed *indexed, int64_t number, stn_run *run)
{
    const stn_view *const view = indexed->view;
    stn_storage storage = view->storage;
    int64_t index[STN_MAX_RANK];
    stn_nest_indices(view->rank, view->extent, (uint64_t)number, index);
    storage.scale = stn_scale_at(view, index);
    stn_affine_init(&run->affine, &storage, run->arithmetic);
    return (char *)view->data + stn_view_element_offset(view, index) * run->bytes;
}

/* The value as stored. */
static double canonical_f64(double x)
{
    return x != x ? (double)NAN : x;
}

static float canonical_f32(float x)
{
    return x != x ? NAN : x;
}

/* Elements of the arithmetic type that the processor updates atomically. */
#define DEFINE_UPDATE(T, type, word, ...)                                                          \
    static void update_##T(char *element, type by, int operation)                                  \
    {                                                                                              \
        word is = __atomic_load_n((word *)(void *)element, __ATOMIC_RELAXED), fresh;               \
        type value;                                                                                \
        do {                                                                                       \
            memcpy(&value, &is, sizeof is);                                                        \
            value = __VA_ARGS__;                                                                   \
            memcpy(&fresh, &value, sizeof fresh);                                                  \
        } while (!__atomic_compare_exchange_n((word *)(void *)element, &is, fresh, 1,              \
                                              __ATOMIC_RELAXED, __ATOMIC_RELAXED));                \
    }
DEFINE_UPDATE(f64, double, uint64_t, canonical_f64(updated_f64(value, by, operation)))
DEFINE_UPDATE(f32, float, uint32_t, canonical_f32(updated_f32(value, by, operation)))
DEFINE_UPDATE(i64, int64_t, uint64_t, updated_i64(value, by, operation))

/* Returns 0 for others. */
static int update_word(const stn_run *run, char *element, int operation, const void *value)
{
    if (run->parts != 1 || ((uintptr_t)element & ((uintptr_t)run->bytes - 1)) != 0)
        return 0;
    if (run->arithmetic == STN_F64)
        update_f64(element, *(const double *)value, operation);
    else if (run->arithmetic == STN_F32)
        update_f32(element, *(const float *)value, operation);
    else
        update_i64(element, *(const int64_t *)value, operation);
    return 1;
}

/* An element that is not in memory is updated while no other thread updates one. */
static void update_stored(const stn_indexed *indexed, int64_t number, int operation,
                          const void *value)
{
    static pthread_mutex_t updating = PTHREAD_MUTEX_INITIALIZER;
    stn_number is;
    pthread_mutex_lock(&updating);
    stn_read(indexed->reader, &is, number, 1, 1);
    update(&indexed->reader->run, &is, value, operation);
    stn_write(indexed->reader, &is, number, 1, number, 1);
    pthread_mutex_unlock(&updating);
}

/* Codes that loops decode are decoded here, too, without calls. */
static void decode_element(const stn_indexed *indexed, const stn_run *run, const void *code,
                           stn_number *is)
{
    if (indexed->form.format == STN_FORM_NONE)
        stn_run_decode(run, is, code, 1, 1);
    else if (run->arithmetic == STN_F64)
        is->f64 = stn_value_of_code_f64(&indexed->form, code);
    else if (run->arithmetic == STN_F32)
        is->f32 = stn_value_of_code_f32(&indexed->form, code);
    else
        is->i64 = stn_value_of_code_i64(&indexed->form, code);
}

/* Codes that loops decode and encode, if the processor updates them atomically. */
#define DEFINE_CODE_UPDATE(word)                                                                   \
    static void update_##word(const stn_indexed *indexed, char *element, int operation,            \
                              const void *value)                                                   \
    {                                                                                              \
        const stn_run *const run = &indexed->reader->run;                                          \
        union {                                                                                    \
            word code;                                                                             \
            uint64_t widest;                                                                       \
        } old = {.widest = 0}, fresh = {.widest = 0};                                              \
        stn_number is;                                                                             \
        old.code = __atomic_load_n((word *)(void *)element, __ATOMIC_RELAXED);                     \
        do {                                                                                       \
            decode_element(indexed, run, &old, &is);                                               \
            update(run, &is, value, operation);                                                    \
            if (run->arithmetic == STN_F64)                                                        \
                stn_code_of_value_f64(&indexed->form, &fresh, is.f64);                             \
            else if (run->arithmetic == STN_F32)                                                   \
                stn_code_of_value_f32(&indexed->form, &fresh, is.f32);                             \
            else                                                                                   \
                stn_code_of_value_i64(&indexed->form, &fresh, is.i64);                             \
        } while (!__atomic_compare_exchange_n((word *)(void *)element, &old.code, fresh.code, 1,   \
                                              __ATOMIC_RELAXED, __ATOMIC_RELAXED));                \
    }
DEFINE_CODE_UPDATE(uint8_t)
DEFINE_CODE_UPDATE(uint16_t)
DEFINE_CODE_UPDATE(uint32_t)
DEFINE_CODE_UPDATE(uint64_t)

/* Returns 0 for others. */
static int update_code_word(const stn_indexed *indexed, char *element, int operation,
                            const void *value)
{
    const int32_t bytes = indexed->form.bytes;
    if (indexed->form.storing == STN_STORES_BY_CALL || ((uintptr_t)element & (unsigned)(bytes - 1)))
        return 0;
    if (bytes == 1)
        update_uint8_t(indexed, element, operation, value);
    else if (bytes == 2)
        update_uint16_t(indexed, element, operation, value);
    else if (bytes == 4)
        update_uint32_t(indexed, element, operation, value);
    else
        update_uint64_t(indexed, element, operation, value);
    return 1;
}

/* Returns the updated value in *is. */
static void update_code(const stn_indexed *indexed, const stn_run *run, char *element,
                        int64_t number, int operation, const void *value, stn_number *is)
{
    _Alignas(STN_ATOMIC_MAX_BYTES) char code[STN_ATOMIC_MAX_BYTES], fresh[STN_ATOMIC_MAX_BYTES];
    stn_atomic_read(element, run->bytes, code);
    do {
        decode_element(indexed, run, code, is);
        update(run, is, value, operation);
        encode_element(run, is, fresh, number);
    } while (!stn_atomic_replace(element, run->bytes, code, fresh));
}

/* Elements that are counted, rounded stochastically, or have different scales. */
static void update_by_rules(const stn_indexed *indexed, int64_t offset, int operation,
                            const void *value)
{
    stn_run counting = indexed->reader->run, run;
    char *element = indexed->data + offset;
    int64_t number = offset / counting.bytes;
    stn_number is;
    if (!indexed->reader->plain)
        element = find_element(indexed, number, &counting);
    else
        number = counting.rules.rounding == STN_ROUND_STOCHASTIC
                     ? stn_view_order_at(indexed->view, number)
                     : 0;
    run = counting;
    run.rules.counters = NULL; /* failed attempts are not counted */
    update_code(indexed, &run, element, number, operation, value, &is);
    if (counting.rules.counters) {
        char code[STN_ATOMIC_MAX_BYTES];
        stn_run_encode(&counting, &is, code, 1, number, 1);
    }
}

void stn_indexed_update(const stn_indexed *indexed, int64_t offset, int operation,
                        const void *value)
{
    const stn_reader *const reader = indexed->reader;
    const stn_rules *const rules = &reader->run.rules;
    stn_number is;
    if (indexed->native && update_word(&reader->run, indexed->data + offset, operation, value))
        return;
    if (update_code_word(indexed, indexed->data + offset, operation, value))
        return;
    if (stn_view_store(indexed->view))
        update_stored(indexed, offset / reader->run.bytes, operation, value);
    else if (reader->plain && !rules->counters && rules->rounding != STN_ROUND_STOCHASTIC)
        update_code(indexed, &reader->run, indexed->data + offset, 0, operation, value, &is);
    else
        update_by_rules(indexed, offset, operation, value);
}

/* Truncation to int64_t; saturates, and 0 for NaN. */
static int64_t index_of_f64(double value)
{
    if (value >= 0x1p63)
        return INT64_MAX;
    return value >= -0x1p63 ? (int64_t)value : value < 0 ? INT64_MIN : 0;
}

/* `index` of the element: NULL if the view is strided. */
static int64_t index_of_code(const stn_view *view, const void *code, const int64_t *index)
{
    double value = 0.0;
    switch (view->storage.format) {
    case STN_I8:
        return *(const int8_t *)code;
    case STN_U8:
        return *(const uint8_t *)code;
    case STN_I16:
        return *(const int16_t *)code;
    case STN_U16:
        return *(const uint16_t *)code;
    case STN_I32:
        return *(const int32_t *)code;
    case STN_U32:
        return *(const uint32_t *)code;
    case STN_I64:
        return *(const int64_t *)code;
    default:
        if (index) {
            (void)stn_view_get(view, view->rank, index, &value);
        } else {
            const stn_storage storage = stn_view_storage(view);
            (void)stn_decode(STN_F64, &value, &storage, code, 1, 1);
        }
    }
    return index_of_f64(value);
}

int64_t stn_indexed_read_index(const stn_indexed *indexed, int64_t offset)
{
    const stn_view *const view = indexed->view;
    const int64_t bytes = indexed->reader->run.bytes;
    if (indexed->reader->plain)
        return index_of_code(view, indexed->data + offset, NULL);
    _Alignas(STN_CODE_BYTES) char buffer[STN_CODE_BYTES];
    stn_view_line line = {.dimension = -1, .count = 1};
    stn_nest_indices(view->rank, view->extent, (uint64_t)(offset / bytes), line.index);
    if (bytes <= STN_CODE_BYTES)
        stn_view_line_gather(view, &line, bytes, buffer);
    return index_of_code(view, buffer, line.index);
}
