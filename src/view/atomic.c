/* Atomic operations on elements of views: read the code, compute, and replace the code unless it
 * has changed. */
#include "steno/atomic.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/atomic.h"
#include "core/modes.h"
#include "core/status.h"
#include "format/run.h"
#include "view/layout/mapping.h"
#include "view/scales.h"
#include "view/view.h"
#include "view/store.h"

__extension__ typedef __int128 wide;

typedef union atomic_value {
    double f64;
    int64_t i64;
    stn_c128 c128;
    _Alignas(
        STN_ATOMIC_MAX_BYTES) char bytes[STN_ATOMIC_MAX_BYTES]; /* also holds opaque elements */
} atomic_value;

typedef struct element {
    const char *call;
    const stn_view *view;
    void *data;
    const stn_format_info *info;
    stn_storage storage; /* with the scale of this element */
    stn_run run;         /* without the counters; not for opaque elements */
    stn_format arithmetic;
    size_t value_bytes;
    int64_t draw; /* random number for stochastic rounding */
} element;

/* ---- finding an element ---- */

/* Successive updates must draw different bits, or a sum of small values would never change. */
static int64_t next_draw(void)
{
    static _Atomic int64_t threads;
    static _Thread_local int64_t next = -1;
    if (next < 0)
        next = atomic_fetch_add(&threads, 1) << 40;
    return next++;
}

static int is_opaque(const element *it)
{
    return it->info->kind == STN_CLASS_OPAQUE;
}

static stn_status match(element *it)
{
    if (is_opaque(it) && it->arithmetic == it->info->format) {
        it->value_bytes = (size_t)it->info->bytes;
        return STN_OK;
    }
    if (it->arithmetic != STN_F64 && it->arithmetic != STN_I64 && it->arithmetic != STN_C128)
        return stn_fail(
            STN_ERR_ARGUMENT,
            "%s: arithmetic is %s; it must be f64, i64, c128 or the opaque format of %s", it->call,
            stn_format_text(it->arithmetic), stn_view_text(it->view));
    stn_storage quiet = it->storage;
    quiet.counters = NULL; /* failed attempts are not counted */
    const stn_status status = stn_run_init(&it->run, it->arithmetic, &quiet);
    if (status != STN_OK)
        return stn_view_error_prefix(it->call, it->view, status);
    it->value_bytes = it->arithmetic == STN_C128 ? sizeof(stn_c128) : sizeof(double);
    it->draw = quiet.rounding == STN_ROUND_STOCHASTIC ? next_draw() : 0;
    return STN_OK;
}

static stn_status find(element *it, const char *call, const stn_view *view, int count,
                       const int64_t *indices, stn_format arithmetic)
{
    int64_t offset;
    *it = (element){.call = call, .view = view, .arithmetic = arithmetic};
    STN_TRY(stn_view_expect_indices(call, view, count, indices));
    if (stn_view_mapping(view))
        STN_TRY(stn_view_offset(view, count, indices, &offset)); /* checks custom offsets, too */
    else
        offset = stn_view_element_offset(view, indices);
    STN_TRY(stn_view_expect_memory(call, view));
    STN_TRY(stn_view_expect_reached(call, NULL, view));
    const stn_format_entry *entry = stn_format_entry_of(view->storage.format);
    if (!entry)
        return STN_ERR_FORMAT;
    it->info = &entry->info;
    if (it->info->bytes > STN_ATOMIC_MAX_BYTES)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: elements of %s have %lld bytes; atomics take at most 64", call,
                        stn_view_text(view), (long long)it->info->bytes);
    it->data = (char *)view->data + offset * it->info->bytes;
    it->storage = view->storage;
    it->storage.scale = stn_scale_at(view, indices);
    return match(it);
}

static stn_status find_writable(element *it, const char *call, const stn_view *view, int count,
                                const int64_t *indices, stn_format arithmetic)
{
    STN_TRY(find(it, call, view, count, indices, arithmetic));
    STN_TRY(stn_view_writable(call, view));
    return stn_view_expect_stored(call, view, indices);
}

static stn_status expect(const char *call, const void *pointer, const char *what)
{
    return pointer ? STN_OK : stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, what);
}

/* ---- codes and values ---- */

static void read_code(const element *it, atomic_value *code)
{
    stn_atomic_read(it->data, it->info->bytes, code->bytes);
}

static int replace_code(const element *it, atomic_value *old, const atomic_value *fresh)
{
    return stn_atomic_replace(it->data, it->info->bytes, old->bytes, fresh->bytes);
}

static void decode(const element *it, const atomic_value *code, atomic_value *value)
{
    if (is_opaque(it))
        *value = *code;
    else
        stn_run_decode(&it->run, value->bytes, code->bytes, 1, 1);
}

static void encode(const element *it, const atomic_value *value, atomic_value *code)
{
    if (is_opaque(it))
        *code = *value;
    else
        stn_run_encode(&it->run, value->bytes, code->bytes, 1, it->draw, 1);
}

/* The value has been stored: encode it once more to update the view's counters. */
static void count_stored(const element *it, const atomic_value *value)
{
    stn_run counting;
    atomic_value code;
    if (it->storage.counters && !is_opaque(it) &&
        stn_run_init(&counting, it->arithmetic, &it->storage) == STN_OK)
        stn_run_encode(&counting, value->bytes, code.bytes, 1, it->draw, 1);
}

static void load(const element *it, atomic_value *value, const void *from)
{
    memcpy(value->bytes, from, it->value_bytes);
}

static void return_value(const element *it, void *to, const atomic_value *value)
{
    memcpy(to, value->bytes, it->value_bytes);
}

/* ---- load, store, exchange ---- */

stn_status stn_view_atomic_load(const stn_view *view, int count, const int64_t *indices,
                                stn_format arithmetic, void *value)
{
    element it;
    atomic_value code, result;
    STN_TRY(expect("stn_view_atomic_load", value, "value"));
    STN_TRY(find(&it, "stn_view_atomic_load", view, count, indices, arithmetic));
    const stn_modes modes = stn_modes_enter();
    read_code(&it, &code);
    decode(&it, &code, &result);
    stn_modes_leave(modes);
    return_value(&it, value, &result);
    return STN_OK;
}

static void exchange(const element *it, const void *value, void *old)
{
    atomic_value code, fresh, wanted, before;
    load(it, &wanted, value);
    encode(it, &wanted, &fresh);
    read_code(it, &code);
    while (!replace_code(it, &code, &fresh))
        continue;
    count_stored(it, &wanted);
    if (old) {
        decode(it, &code, &before);
        return_value(it, old, &before);
    }
}

static stn_status store(const char *call, const stn_view *view, int count, const int64_t *indices,
                        stn_format arithmetic, const void *value, void *old)
{
    element it;
    STN_TRY(expect(call, value, "value"));
    STN_TRY(find_writable(&it, call, view, count, indices, arithmetic));
    const stn_modes modes = stn_modes_enter();
    exchange(&it, value, old);
    stn_modes_leave(modes);
    return STN_OK;
}

stn_status stn_view_atomic_store(const stn_view *view, int count, const int64_t *indices,
                                 stn_format arithmetic, const void *value)
{
    return store("stn_view_atomic_store", view, count, indices, arithmetic, value, NULL);
}

stn_status stn_view_atomic_exchange(const stn_view *view, int count, const int64_t *indices,
                                    stn_format arithmetic, const void *value, void *old)
{
    STN_TRY(expect("stn_view_atomic_exchange", old, "old"));
    return store("stn_view_atomic_exchange", view, count, indices, arithmetic, value, old);
}

static int compare_exchange(const element *it, void *expected, const void *desired)
{
    atomic_value code, fresh, wanted, is;
    load(it, &wanted, desired);
    encode(it, &wanted, &fresh);
    read_code(it, &code);
    do {
        decode(it, &code, &is);
        if (memcmp(is.bytes, expected, it->value_bytes) != 0) {
            return_value(it, expected, &is);
            return 0;
        }
    } while (!replace_code(it, &code, &fresh));
    count_stored(it, &wanted);
    return 1;
}

stn_status stn_view_atomic_compare_exchange(const stn_view *view, int count, const int64_t *indices,
                                            stn_format arithmetic, void *expected,
                                            const void *desired, int *exchanged)
{
    static const char call[] = "stn_view_atomic_compare_exchange";
    element it;
    STN_TRY(expect(call, expected, "expected"));
    STN_TRY(expect(call, desired, "desired"));
    STN_TRY(expect(call, exchanged, "exchanged"));
    STN_TRY(find_writable(&it, call, view, count, indices, arithmetic));
    const stn_modes modes = stn_modes_enter();
    *exchanged = compare_exchange(&it, expected, desired);
    stn_modes_leave(modes);
    return STN_OK;
}

/* ---- update ---- */

/* Numbers take precedence over NaN, and -0 is less than +0, so the result does not depend on the
 * order. */
static double extreme(double a, double b, int is_minimum)
{
    if (a != a || b != b)
        return a != a ? b : a;
    if (a == b)
        return (signbit(a) != 0) == is_minimum ? a : b;
    return (a < b) == is_minimum ? a : b;
}

static double update_f64(stn_atomic_op op, double is, double operand)
{
    switch (op) {
    case STN_ATOMIC_ADD:
        return is + operand;
    case STN_ATOMIC_SUBTRACT:
        return is - operand;
    case STN_ATOMIC_MULTIPLY:
        return is * operand;
    case STN_ATOMIC_DIVIDE:
        return is / operand;
    default:
        return extreme(is, operand, op == STN_ATOMIC_MIN);
    }
}

static stn_c128 update_c128(stn_atomic_op op, stn_c128 is, stn_c128 operand)
{
    switch (op) {
    case STN_ATOMIC_ADD:
        return stn_c128_add(is, operand);
    case STN_ATOMIC_SUBTRACT:
        return stn_c128_subtract(is, operand);
    case STN_ATOMIC_MULTIPLY:
        return stn_c128_multiply(is, operand);
    default:
        return stn_c128_divide(is, operand);
    }
}

static wide saturate(wide value, wide lowest, wide highest)
{
    return value < lowest ? lowest : value > highest ? highest : value;
}

static wide product(wide a, wide b)
{
    const wide maximum = ((((wide)1 << 126) - 1) << 1) + 1;
    wide result;
    if (__builtin_mul_overflow(a, b, &result))
        return (a < 0) == (b < 0) ? maximum : -maximum;
    return result;
}

static wide update_wide(stn_atomic_op op, wide is, wide operand)
{
    switch (op) {
    case STN_ATOMIC_ADD:
        return is + operand;
    case STN_ATOMIC_SUBTRACT:
        return is - operand;
    case STN_ATOMIC_MULTIPLY:
        return product(is, operand);
    case STN_ATOMIC_DIVIDE:
        return is / operand;
    case STN_ATOMIC_MIN:
        return is < operand ? is : operand;
    default:
        return is > operand ? is : operand;
    }
}

static stn_u64 update_bits(stn_atomic_op op, stn_u64 code, stn_u64 operand,
                           const stn_format_info *info)
{
    switch (op) {
    case STN_ATOMIC_AND:
        return code & operand;
    case STN_ATOMIC_OR:
        return code | operand;
    case STN_ATOMIC_XOR:
        return code ^ operand;
    case STN_ATOMIC_SHIFT_LEFT:
        return code << operand;
    default:
        if (info->is_signed && code >> (info->bits - 1))
            code |= ~(stn_u64)0 << (info->bits - 1);
        return info->is_signed ? (stn_u64)((int64_t)code >> operand) : code >> operand;
    }
}

/* One attempt; returns whether it saturated. Values of u64 and of zero points may exceed i64. */
static int update_integer(const element *it, stn_atomic_op op, int64_t operand,
                          const atomic_value *old, atomic_value *fresh)
{
    const int bits = it->info->bits, is_signed = it->info->is_signed;
    const stn_u64 code = stn_code_get(old->bytes, 0, bits);
    if (op >= STN_ATOMIC_AND) {
        stn_code_put(fresh->bytes, 0, bits, update_bits(op, code, (stn_u64)operand, it->info));
        return 0;
    }
    const wide highest = (wide)(~(stn_u64)0 >> (64 - bits + is_signed));
    const wide lowest = is_signed ? -highest - 1 : 0;
    const wide zero = (int64_t)it->storage.zero;
    const wide is = (is_signed ? (wide)stn_integer_decode(code, bits, 1) : (wide)code) - zero;
    const wide exact = update_wide(op, is, operand);
    const wide kept = saturate(exact, lowest - zero, highest - zero);
    stn_code_put(fresh->bytes, 0, bits, (stn_u64)(kept + zero));
    return kept != exact;
}

/* One attempt in floating point; `value` becomes the stored value. */
static void update_value(const element *it, stn_atomic_op op, const atomic_value *operand,
                         const atomic_value *old, atomic_value *fresh, atomic_value *value)
{
    decode(it, old, value);
    if (it->arithmetic == STN_C128)
        value->c128 = update_c128(op, value->c128, operand->c128);
    else
        value->f64 = update_f64(op, value->f64, operand->f64);
    encode(it, value, fresh);
}

static stn_status check_op(const element *it, stn_atomic_op op, const atomic_value *operand)
{
    const int64_t integer = operand->i64;
    if ((int)op < STN_ATOMIC_ADD || op > STN_ATOMIC_SHIFT_RIGHT)
        return stn_fail(STN_ERR_ARGUMENT, "%s: operation %d is unknown (%d to %d)", it->call,
                        (int)op, STN_ATOMIC_ADD, STN_ATOMIC_SHIFT_RIGHT);
    if (is_opaque(it))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: elements of %s are opaque and have no arithmetic",
                        it->call, stn_view_text(it->view));
    if (it->arithmetic == STN_C128 && op >= STN_ATOMIC_MIN)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: operation %d is not defined for complex elements, only add, subtract, "
                        "multiply and divide: %s",
                        it->call, (int)op, stn_view_text(it->view));
    if (op >= STN_ATOMIC_AND && (it->arithmetic != STN_I64 || it->storage.zero != 0.0))
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "%s: operation %d needs integers in i64 arithmetic without a zero point: %s in %s",
            it->call, (int)op, stn_view_text(it->view), stn_format_text(it->arithmetic));
    if (op >= STN_ATOMIC_SHIFT_LEFT && (integer < 0 || integer >= it->info->bits))
        return stn_fail(STN_ERR_RANGE, "%s: shift %lld is out of range for %s (0 to %d)", it->call,
                        (long long)integer, it->info->name, it->info->bits - 1);
    if (op == STN_ATOMIC_DIVIDE && it->arithmetic == STN_I64 && integer == 0)
        return stn_fail(STN_ERR_RANGE, "%s: division by 0: %s", it->call, stn_view_text(it->view));
    return STN_OK;
}

static void update(const element *it, stn_atomic_op op, const atomic_value *operand,
                   atomic_value *old)
{
    atomic_value fresh, value;
    int saturated = 0;
    read_code(it, old);
    do {
        if (it->arithmetic == STN_I64)
            saturated = update_integer(it, op, operand->i64, old, &fresh);
        else
            update_value(it, op, operand, old, &fresh, &value);
    } while (!replace_code(it, old, &fresh));
    if (it->arithmetic != STN_I64)
        count_stored(it, &value);
    else if (saturated && it->storage.counters)
        __atomic_fetch_add(&it->storage.counters->saturated, 1, __ATOMIC_RELAXED);
}

static stn_status find_and_update(const char *call, const stn_view *view, int count,
                                  const int64_t *indices, stn_format arithmetic, stn_atomic_op op,
                                  const void *operand, void *old)
{
    element it;
    atomic_value value, code, before;
    STN_TRY(expect(call, operand, "operand"));
    STN_TRY(find_writable(&it, call, view, count, indices, arithmetic));
    load(&it, &value, operand);
    STN_TRY(check_op(&it, op, &value));
    const stn_modes modes = stn_modes_enter();
    update(&it, op, &value, &code);
    if (old)
        decode(&it, &code, &before);
    stn_modes_leave(modes);
    if (old)
        return_value(&it, old, &before);
    return STN_OK;
}

stn_status stn_view_atomic_update(const stn_view *view, int count, const int64_t *indices,
                                  stn_format arithmetic, stn_atomic_op op, const void *operand,
                                  void *old)
{
    return find_and_update("stn_view_atomic_update", view, count, indices, arithmetic, op, operand,
                           old);
}

stn_status stn_view_atomic_add(const stn_view *view, int count, const int64_t *indices,
                               double value)
{
    return find_and_update("stn_view_atomic_add", view, count, indices, STN_F64, STN_ATOMIC_ADD,
                           &value, NULL);
}
