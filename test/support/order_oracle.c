/* The order of a sum, element by element: no tile codecs, no vectors, no threads. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "measure/openmp.h"
#include "check.h"
#include "order_oracle.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#if defined(__x86_64__)
#    include <xmmintrin.h>
#endif

#include "core/cpu.h"
#include "exec.h"

/* ---- arithmetic ---- */

double order_round(stn_format arithmetic, double x)
{
    return arithmetic == STN_F32 ? (double)(float)x : x;
}

double order_add(stn_format arithmetic, double a, double b)
{
    return arithmetic == STN_F32 ? (double)((float)a + (float)b) : a + b;
}

double order_multiply(stn_format arithmetic, double a, double b)
{
    return arithmetic == STN_F32 ? (double)((float)a * (float)b) : a * b;
}

static double divide(stn_format arithmetic, double a, double b)
{
    return arithmetic == STN_F32 ? (double)((float)a / (float)b) : a / b;
}

static double multiply_add(stn_format arithmetic, double a, double b, double c)
{
    return arithmetic == STN_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

int order_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || stn_bits_of_f64(a) == stn_bits_of_f64(b);
}

/* ---- the order ---- */

enum { LANES = 32, TILE = 128, LEVELS = 56 };

typedef struct partial {
    int present;
    double value;
} partial;

static partial combine(stn_format arithmetic, partial left, partial right)
{
    if (!left.present)
        return right;
    if (right.present)
        left.value = order_add(arithmetic, left.value, right.value);
    return left;
}

static partial sum_tile(stn_format arithmetic, const double *x, const double *y, int64_t count)
{
    partial lane[LANES] = {{0, 0.0}};
    for (int64_t e = 0; e < count && e < TILE; e++) {
        partial *own = &lane[e % LANES];
        own->value = own->present ? multiply_add(arithmetic, x[e], y[e], own->value)
                                  : order_multiply(arithmetic, x[e], y[e]);
        own->present = 1;
    }
    for (int h = LANES / 2; h >= 1; h /= 2)
        for (int l = 0; l < h; l++)
            lane[l] = combine(arithmetic, lane[l], lane[l + h]);
    return lane[0];
}

double order_dot(stn_format arithmetic, const double *x, const double *y, int64_t count)
{
    partial level[LEVELS] = {{0, 0.0}}, total = {0, 0.0};
    for (int64_t first = 0; first < count; first += TILE) {
        partial carry = sum_tile(arithmetic, x + first, y + first, count - first);
        int bit = 0;
        for (; level[bit].present; bit++) {
            carry = combine(arithmetic, level[bit], carry);
            level[bit].present = 0;
        }
        level[bit] = carry;
    }
    for (int bit = 0; bit < LEVELS; bit++)
        total = combine(arithmetic, level[bit], total);
    return total.present ? total.value : 0.0;
}

/* ---- elements ---- */

double order_decode(stn_format arithmetic, const stn_storage *storage, uint64_t code)
{
    const oracle_format *format = &oracle_formats[storage->format];
    double x = arithmetic == STN_F32 ? (double)oracle_decode_f32(format, code)
                                     : oracle_decode(format, code);
    if (storage->zero != 0.0)
        x = order_add(arithmetic, x, -order_round(arithmetic, storage->zero));
    if (storage->scale != 1.0)
        x = order_multiply(arithmetic, x, order_round(arithmetic, storage->scale));
    return x;
}

uint64_t order_encode(stn_format arithmetic, const stn_storage *storage, double value,
                      int64_t index, unsigned *events)
{
    const oracle_rule rule = {storage->rounding, storage->overflow,
                              oracle_rounding_bits(storage->seed, (uint64_t)index)};
    if (storage->scale != 1.0)
        value = divide(arithmetic, value, order_round(arithmetic, storage->scale));
    if (storage->zero != 0.0)
        value = order_add(arithmetic, value, order_round(arithmetic, storage->zero));
    return oracle_encode(&oracle_formats[storage->format], value, rule, events);
}

/* ---- data ---- */

static uint64_t mask_of(int bits)
{
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int is_finite_code(const oracle_format *f, uint64_t code)
{
    return isfinite(oracle_decode(f, code));
}

static uint64_t special_float(const oracle_format *f, uint64_t choice)
{
    if (choice % 8 == 0)
        return oracle_nan(f);
    return choice % 8 < 4 || f->finite_only ? oracle_largest(f) : oracle_infinity(f);
}

static uint64_t draw_float(const oracle_format *f, order_kind kind, uint64_t random, uint64_t other)
{
    const uint64_t sign = random >> 63 << (f->bits - 1), top = mask_of(f->exponent_bits);
    const uint64_t bias = top / 2, spread = bias - 1 < 12 ? bias - 1 : 12;
    uint64_t exponent = bias - spread + other % (2 * spread + 1);
    if (kind == ORDER_SIGNS)
        return sign;
    if (kind == ORDER_ANY)
        exponent = other & top;
    if (kind == ORDER_TINY)
        exponent = other % 4 == 0;
    const uint64_t code = exponent << f->fraction_bits | (random & mask_of(f->fraction_bits));
    return sign | (is_finite_code(f, code) ? code : oracle_largest(f));
}

static uint64_t draw_integer(const oracle_format *f, order_kind kind, uint64_t random,
                             uint64_t other)
{
    const uint64_t mask = mask_of(f->bits);
    if (kind == ORDER_SIGNS)
        return 0;
    if (kind == ORDER_ANY)
        return random & mask;
    if (kind == ORDER_TINY)
        return (random % 5 - (f->is_signed ? 2 : 0)) & mask;
    const uint64_t size = (random & mask) >> (1 + other % (uint64_t)(f->bits - 1));
    return (f->is_signed && other >> 63 ? 0 - size : size) & mask;
}

uint64_t order_draw(const oracle_format *f, order_kind kind, uint64_t seed, uint64_t k,
                    uint64_t count)
{
    const uint64_t random = oracle_random(seed, 2 * k), other = oracle_random(seed, 2 * k + 1);
    if (kind == ORDER_SPECIAL && (other >> 8) % count == 0)
        return f->kind == ORACLE_FLOAT
                   ? special_float(f, random) | random >> 63 << (f->bits - 1)
                   : (f->is_signed && random % 2 ? mask_of(f->bits) / 2 + 1
                                                 : mask_of(f->bits - f->is_signed));
    return f->kind == ORACLE_FLOAT ? draw_float(f, kind, random, other)
                                   : draw_integer(f, kind, random, other);
}

/* ---- arrays ---- */

static int64_t element_bytes(const order_array *array)
{
    return oracle_formats[array->storage.format].bits / 8;
}

static uint8_t *element(const order_array *array, uint8_t *image, int64_t i, int64_t j)
{
    return image + array->first +
           (i * array->stride[0] + j * array->stride[1]) * element_bytes(array);
}

static uint64_t get(const order_array *array, const uint8_t *image, int64_t i, int64_t j)
{
    const uint8_t *at = element(array, (uint8_t *)(uintptr_t)image, i, j);
    uint64_t code = 0;
    for (int64_t k = 0; k < element_bytes(array); k++)
        code |= (uint64_t)at[k] << 8 * k;
    return code;
}

uint64_t order_code(const order_array *array, int64_t i, int64_t j)
{
    return get(array, array->memory, i, j);
}

void order_put(order_array *array, uint8_t *image, int64_t i, int64_t j, uint64_t code)
{
    uint8_t *at = element(array, image ? image : array->memory, i, j);
    for (int64_t k = 0; k < element_bytes(array); k++)
        at[k] = (uint8_t)(code >> 8 * k);
}

enum { PAGE = 65536 }; /* a multiple of any machine's */

static size_t pages_of(const order_array *array)
{
    return (size_t)(array->bytes + PAGE - 1) / PAGE * PAGE;
}

/* Nobody can read or write what is behind. */
static void take(order_array *array)
{
    const size_t pages = pages_of(array);
    uint8_t *all = mmap(NULL, pages + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED);
    assert_true(pages == 0 || mprotect(all, pages, PROT_READ | PROT_WRITE) == 0);
    array->memory = all + pages - array->bytes;
}

/* Room for the elements, after `front` more; anything between them is 0xff, NaN in most formats. */
static void allocate(order_array *array, int64_t front)
{
    int64_t below = 0, above = 0;
    for (int d = 0; d < 2; d++) {
        const int64_t reach = (array->extent[d] - 1) * array->stride[d];
        if (array->extent[d] == 0)
            above--;
        else if (reach < 0)
            below -= reach;
        else
            above += reach;
    }
    array->first = (front + below) * element_bytes(array);
    array->bytes = array->first + (above < 0 ? 0 : above + 1) * element_bytes(array);
    take(array);
    memset(array->memory, 0xff, (size_t)array->bytes);
}

order_array order_make(stn_storage storage, int rank, const int64_t *extent, const int64_t *stride,
                       order_kind kind, uint64_t seed)
{
    const oracle_format *format = &oracle_formats[storage.format];
    order_array array = {storage, rank, {1, 1}, {0, 0}, 0, 0, NULL};
    for (int d = 0; d < rank; d++) {
        array.extent[d] = extent[d];
        array.stride[d] = stride[d];
    }
    allocate(&array, (int64_t)(oracle_random(seed, 0) >> 13) % 4);
    const uint64_t count = (uint64_t)(array.extent[0] * array.extent[1]);
    uint64_t k = 0;
    for (int64_t i = 0; i < array.extent[0]; i++)
        for (int64_t j = 0; j < array.extent[1]; j++, k++)
            order_put(&array, NULL, i, j, order_draw(format, kind, seed, k, count));
    return array;
}

order_array order_make_vector(stn_storage storage, int64_t count, int64_t stride, order_kind kind,
                              uint64_t seed)
{
    return order_make(storage, 1, &count, &stride, kind, seed);
}

void order_drop(order_array *array)
{
    if (array->memory)
        (void)munmap(array->memory + array->bytes - pages_of(array), pages_of(array) + PAGE);
    array->memory = NULL;
}

stn_view order_view(const order_array *array, const char *label)
{
    stn_view view;
    const stn_status status = stn_view_wrap_spec(
        &view, &STN_VIEW_SPEC(.label = label, .storage = array->storage,
                              .data = array->memory + array->first, .rank = array->rank,
                              .extents = array->extent, .strides = array->stride));
    if (status != STN_OK)
        fail_msg("%s", stn_error());
    return view;
}

double *order_values(stn_format arithmetic, const order_array *array)
{
    const int64_t rows = array->extent[0], columns = array->extent[1];
    double *values = malloc((size_t)(rows * columns + 1) * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            values[i * columns + j] =
                order_decode(arithmetic, &array->storage, order_code(array, i, j));
    return values;
}

uint8_t *order_image(const order_array *array)
{
    uint8_t *image = malloc((size_t)array->bytes + 1);
    assert_non_null(image);
    memcpy(image, array->memory, (size_t)array->bytes);
    return image;
}

void order_check(order_array *array, uint8_t *expected, const char *what)
{
    const oracle_format *format = &oracle_formats[array->storage.format];
    if (memcmp(array->memory, expected, (size_t)array->bytes) == 0)
        return;
    for (int64_t i = 0; i < array->extent[0]; i++)
        for (int64_t j = 0; j < array->extent[1]; j++) {
            const uint64_t actual = order_code(array, i, j), wanted = get(array, expected, i, j);
            if (oracle_is_nan(format, actual) && oracle_is_nan(format, wanted))
                order_put(array, expected, i, j, actual);
            else if (actual != wanted)
                fail_msg("%s: [%" PRId64 ", %" PRId64 "] is %" PRIx64 ", not %" PRIx64, what, i, j,
                         actual, wanted);
        }
    if (memcmp(array->memory, expected, (size_t)array->bytes) != 0)
        fail_msg("%s: wrote beside its elements", what);
}

/* ---- what to try ---- */

int order_is_real(stn_format format)
{
    return oracle_formats[format].kind != ORACLE_COMPLEX;
}

uint64_t order_next(uint64_t *state)
{
    return oracle_random(*state += UINT64_C(0xD1B54A32D192ED03), 5);
}

int64_t order_pick(uint64_t *state, const int64_t *choices, int count)
{
    return choices[order_next(state) % (uint64_t)count];
}

static const double scales[] = {1.0,    0x1p-5,   0x1p40,   0.3,      0.7,     -0.25,    1.0,
                                -1.7e3, 0x1p-140, 0x1p-149, 0x1p120,  0x1p127, 0x1p-126, 0x1p-30,
                                1e-30,  0x1p-530, 0x1p-960, -0x1p500, 0x1p960, 0x1p-1074};

int order_scale_count(void)
{
    return (int)(sizeof scales / sizeof *scales);
}

double order_scale(int which)
{
    return scales[which];
}

int order_scale_fits(stn_format arithmetic, double scale)
{
    const double rounded = order_round(arithmetic, scale);
    return isfinite(rounded) && rounded != 0.0;
}

stn_storage order_storage(stn_format arithmetic, stn_format format, uint64_t *state)
{
    const uint64_t random = order_next(state);
    const double scale = scales[(random >> 8) % (uint64_t)order_scale_count()];
    stn_storage storage = stn_storage_of(format);
    if (random % 3 != 0 && order_scale_fits(arithmetic, scale))
        storage.scale = scale;
    if (random >> 32 & 1)
        storage.zero = oracle_formats[format].kind == ORACLE_INTEGER ? 3.0 : 0.75;
    return storage;
}

stn_storage order_target(stn_format arithmetic, stn_format format, uint64_t *state)
{
    stn_storage storage = order_storage(arithmetic, format, state);
    const uint64_t random = order_next(state);
    storage.rounding = (stn_rounding)(random % 3);
    storage.overflow = (stn_overflow)((random >> 8) % 4);
    storage.seed = random >> 16;
    return storage;
}

order_text order_describe(const order_array *array)
{
    order_text text;
    (void)snprintf(text.text, sizeof text.text,
                   "%s scale %a zero %g rounding %d extent %" PRId64 ",%" PRId64 " stride %" PRId64
                   ",%" PRId64,
                   oracle_formats[array->storage.format].name, array->storage.scale,
                   array->storage.zero, (int)array->storage.rounding, array->extent[0],
                   array->extent[1], array->stride[0], array->stride[1]);
    return text;
}

/* ---- executors and instruction sets ---- */

static const char *const resources[] = {"reference", OPENMP ":threads=1", "threads:threads=7",
                                        OPENMP ":threads=3", "threads:threads=2"};
enum { RESOURCES = (int)(sizeof resources / sizeof *resources) };
static stn_exec *executors[RESOURCES];

/* Sanitizers, which thin tests out most, run the first three. */
static int resource_count(void)
{
    return oracle_quick() > 8 ? 3 : RESOURCES;
}

int order_settings(void)
{
    int count = 0;
    for (int isa = 0; isa < STN_ISA_COUNT; isa++)
        count += stn_isa_available((stn_isa)isa) ? resource_count() : 0;
    return test_exec() ? 1 : count;
}

static stn_isa isa_of(int setting)
{
    int left = setting / resource_count();
    for (int isa = 0; isa < STN_ISA_COUNT; isa++)
        if (stn_isa_available((stn_isa)isa) && left-- == 0)
            return (stn_isa)isa;
    fail_msg("no setting %d", setting);
    return STN_ISA_C;
}

const stn_exec *order_use(int setting)
{
    const int k = setting % resource_count();
    expect_ok(stn_isa_use(isa_of(setting)));
    if (test_exec())
        return test_exec();
    if (!executors[k] && stn_exec_create(&executors[k], resources[k]) != STN_OK)
        fail_msg("%s", stn_error());
    return executors[k];
}

int order_has_turn(int setting, int number)
{
    const int executor = setting % resource_count(), isa = setting / resource_count();
    if (oracle_full() || test_exec())
        return 1;
    const int isas = order_settings() / resource_count();
    if (executor == 0)
        return isa == number % isas;
    return executor - 1 == (number + isa) % (resource_count() - 1) &&
           (oracle_quick() < 4 || isa == (number + 1) % isas);
}

const char *order_setting_name(int setting)
{
    static char name[64];
    (void)snprintf(name, sizeof name, "%s on %s", resources[setting % resource_count()],
                   stn_isa_name(isa_of(setting)));
    return test_exec_name() ? test_exec_name() : name;
}

void order_release_executors(void)
{
    for (int k = 0; k < RESOURCES; k++) {
        stn_exec_release(executors[k]);
        executors[k] = NULL;
    }
    test_exec_release();
}

int order_teardown(void **context)
{
    (void)context;
    order_release_executors();
    return 0;
}

/* ---- modes ---- */

int order_odd_modes;

#if defined(__x86_64__)
order_modes order_get_modes(void)
{
    return (order_modes){_mm_getcsr()};
}
void order_set_modes(order_modes modes)
{
    _mm_setcsr((unsigned)modes.word);
}
order_modes order_odd(void)
{
    return (order_modes){0x8040 | 0x4000 | 0x1000 | 0x01};
}
#elif defined(__aarch64__)
order_modes order_get_modes(void)
{
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return (order_modes){word};
}
void order_set_modes(order_modes modes)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(modes.word) : "memory");
}
order_modes order_odd(void)
{
    return (order_modes){(uint64_t)1 << 24 | (uint64_t)1 << 22};
}
#else
order_modes order_get_modes(void)
{
    return (order_modes){(uint64_t)fegetround()};
}
void order_set_modes(order_modes modes)
{
    (void)fesetround((int)modes.word);
}
order_modes order_odd(void)
{
    return (order_modes){FE_UPWARD};
}
#endif

int order_use_odd_modes(void **context)
{
    (void)context;
    if (test_exec()) /* whose compilers run in these modes, too */
        return 0;
    const order_modes saved = order_get_modes();
    order_set_modes(order_odd());
    order_odd_modes = order_get_modes().word == order_odd().word;
    order_set_modes(saved);
    return 0;
}

int order_use_plain_modes(void **context)
{
    (void)context;
    order_odd_modes = 0;
    return 0;
}

order_modes order_begin(void)
{
    const order_modes saved = order_get_modes();
    if (order_odd_modes)
        order_set_modes(order_odd());
    return saved;
}

void order_end(stn_status status, order_modes saved, const char *what)
{
    const order_modes found = order_get_modes();
    order_set_modes(saved);
    test_fetch();
    if (status != STN_OK)
        fail_msg("%s: %s: %s", what, stn_status_name(status), stn_error());
    if (order_odd_modes && found.word != order_odd().word)
        fail_msg("%s: the caller's floating-point modes came back as %" PRIx64, what, found.word);
}
