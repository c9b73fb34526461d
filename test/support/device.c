/* See device.h. */
#define _POSIX_C_SOURCE 200809L
#include "device.h"

#include <math.h>

#include "compile_events.h"

stn_exec *device_exec, *host_exec;
uint64_t device_seed;
static int architecture; /* its index, on the stand-in */
static int is_moving;    /* tests only move codes */

/* ---- running ---- */

/* "cuda:0", "hip:0": others are OpenCL, or the host with its compiler. */
static int has_driver(void)
{
    return test_exec_name()[0] == 'c' || test_exec_name()[0] == 'h';
}

int device_computes(void)
{
    return !has_driver() || !cuda_is_stand_in();
}

int device_has_turn(int at)
{
    return device_computes() || oracle_full() || at % 3 == architecture;
}

static int is_compiler_missing(void)
{
    return strstr(stn_error(), "NVRTC, which compiles") ||
           strstr(stn_error(), "hipRTC, which compiles");
}

void check_both(const char *what, stn_status on_host, stn_status on_device)
{
    if (on_device == STN_ERR_DEVICE && is_compiler_missing()) {
        print_message("skipped: %s\n", stn_error());
        exit(77);
    }
    if (on_device != on_host)
        fail_msg("%s on %s: %s, on the host %s: %s", what, test_exec_name(),
                 stn_status_name(on_device), stn_status_name(on_host), stn_error());
}

static int open_device(void **state)
{
    (void)state;
    device_seed = 4;
    return stn_exec_create(&device_exec, test_exec_name()) ||
           stn_exec_create(&host_exec, "reference");
}

static int close_device(void **state)
{
    (void)state;
    stn_exec_release(device_exec);
    stn_exec_release(host_exec);
    return 0;
}

static int run_group(const struct CMUnitTest *tests, size_t count)
{
    const char *const name = test_exec_name();
    if (stn_exec_create(&device_exec, name) != STN_OK) {
        print_message("skipped: %s\n", stn_error());
        return 77;
    }
    stn_exec_release(device_exec);
    return _cmocka_run_group_tests(name, tests, count, open_device, close_device);
}

static void choose_device(void)
{
    setenv("STENO_TEST_EXEC", test_exec_name() ? test_exec_name() : "opencl:0", 1);
    setenv("STENO_CACHE", "off", 1); /* each text is compiled */
    if (has_driver())
        cuda_choose(0);
}

int device_main_moving(const struct CMUnitTest *tests, size_t count)
{
    choose_device();
    is_moving = 1;
    return run_group(tests, count);
}

int device_main(const struct CMUnitTest *tests, size_t count, size_t texts)
{
    int failed = 0;
    choose_device();
    if (device_computes())
        return run_group(tests, count);
    cuda_choose_text_compiler();
    const int *const architectures = cuda_architectures();
    stn_event_set_hook(listen, NULL);
    for (architecture = 0; architecture < (cuda_is_hip() ? 1 : 3) && texts; architecture++) {
        cuda_stand_in_of()->architecture(architectures[architecture]);
        failed +=
            _cmocka_run_group_tests(test_exec_name(), tests, texts, open_device, close_device);
    }
    stn_event_set_hook(NULL, NULL);
    if (texts && compilations == 0) {
        print_error("nothing was compiled\n");
        failed++;
    }
    return texts ? failed : 77;
}

/* ---- random choices ---- */

uint64_t chance(uint64_t below)
{
    device_seed = device_seed * 6364136223846793005u + 1442695040888963407u;
    return (device_seed >> 33) % below;
}

void scatter(void *memory, int64_t bytes)
{
    for (int64_t k = 0; k < bytes; k++)
        ((unsigned char *)memory)[k] = (unsigned char)chance(256);
}

enum { OWN_NAN = 0x8000 };
static void decode_own(double *values, const void *codes, int64_t count, void *context)
{
    (void)context;
    for (int64_t k = 0; k < count; k++) {
        const uint16_t code = ((const uint16_t *)codes)[k];
        values[k] = code == OWN_NAN ? (double)NAN : (double)(int16_t)code / 256;
    }
}

static void encode_own(void *codes, const double *values, int64_t count, void *context)
{
    (void)context;
    for (int64_t k = 0; k < count; k++) {
        const double whole = floor(fmin(fmax(values[k], -100), 100) * 256 + 0.5);
        ((uint16_t *)codes)[k] = values[k] != values[k] ? OWN_NAN : (uint16_t)(int16_t)whole;
    }
}

static const char own_text[] =
    "STN_FN stn_f64 decode(stn_u16 code)\n"
    "{\n"
    "    const long long half = (stn_i16)code;\n"
    "    return code == 0x8000 ? stn_f64_of_bits(0x7ff8000000000000u) : (stn_f64)half / 256;\n"
    "}\n"
    "STN_FN stn_u16 encode(stn_f64 value)\n"
    "{\n"
    "    if (value != value)\n"
    "        return 0x8000;\n"
    "    return (stn_u16)(stn_i16)floor(fmin(fmax(value, (stn_f64)-100), (stn_f64)100) * 256 +\n"
    "                                   (stn_f64)0.5);\n"
    "}\n";

stn_format own_format(void)
{
    static const stn_format_codec codec = {sizeof codec, "own",      2,    2,
                                           decode_own,   encode_own, NULL, own_text};
    static stn_format format;
    if (format == 0)
        expect_ok(stn_format_register(&format, &codec));
    return format;
}

const oracle_format *row_of(stn_format format)
{
    static const oracle_format own = {.kind = ORACLE_FLOAT, .name = "own"};
    return format < STN_BUILTIN_FORMATS ? &oracle_formats[format] : &own;
}

int goes_with(oracle_class kind, stn_format format)
{
    const oracle_class found = row_of(format)->kind;
    return kind == ORACLE_FLOAT ? found != ORACLE_COMPLEX : found == kind;
}

stn_format any_format(oracle_class kind)
{
    stn_format format;
    if (kind == ORACLE_FLOAT && chance(10) == 0)
        return own_format();
    do
        format = (stn_format)chance(STN_BUILTIN_FORMATS);
    while (!goes_with(kind, format));
    return format;
}

stn_format any_arithmetic(oracle_class kind)
{
    return kind == ORACLE_INTEGER   ? STN_I64
           : kind == ORACLE_COMPLEX ? (chance(2) ? STN_C64 : STN_C128)
           : chance(2)              ? STN_F32
                                    : STN_F64;
}

stn_storage any_storage(oracle_class kind, stn_format format)
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

stn_storage any_target(oracle_class kind)
{
    if (kind != ORACLE_INTEGER)
        return any_storage(kind, any_format(kind));
    const stn_format format = any_format(chance(2) ? ORACLE_INTEGER : ORACLE_FLOAT);
    const int is_integer = row_of(format)->kind == ORACLE_INTEGER;
    return any_storage(is_integer ? ORACLE_INTEGER : ORACLE_FLOAT, format);
}

/* ---- arrays ---- */

void send_twins(twins *t)
{
    expect_ok(stn_view_copy(device_exec, &t->device, &t->host));
}

twins make_twins(stn_storage storage, const stn_layout *layout, int rank, const int64_t *extents)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    twins t = {.host = create_view(NULL, "here", storage, layout, rank, extents, 0),
               .device = create_view(device_exec, "there", storage, layout, rank, extents, 0)};
    expect_ok(stn_format_describe(storage.format, &info));
    t.bytes = stn_view_span(&t.host) * info.bytes;
    scatter(t.host.data, t.bytes);
    send_twins(&t);
    if (t.device.space == STN_SPACE_HOST) /* between the elements, too */
        memcpy(t.device.data, t.host.data, (size_t)t.bytes);
    t.host_part = t.host;
    t.device_part = t.device;
    return t;
}

void release_twins(twins *t)
{
    expect_ok(stn_view_release(&t->host));
    expect_ok(stn_view_release(&t->device));
}

void slice_twins(twins *t, const stn_slice *slices)
{
    t->host_part = slice_view(&t->host, t->host.rank, slices);
    t->device_part = slice_view(&t->device, t->host.rank, slices);
}

twins make_part(stn_storage storage, int rank, const int64_t *extents)
{
    int64_t whole[STN_MAX_RANK];
    int order[STN_MAX_RANK], steps[STN_MAX_RANK];
    stn_slice slices[STN_MAX_RANK];
    for (int d = 0; d < rank; d++)
        order[d] = d;
    for (int d = rank - 1; d > 0; d--) {
        const int other = (int)chance((uint64_t)d + 1), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    for (int d = 0; d < rank; d++) {
        const int k = order[d];
        steps[k] = chance(2) ? 1 : 1 + (int)chance(3);
        const int64_t reach = (extents[d] ? extents[d] - 1 : 0) * steps[k];
        const int64_t before = (int64_t)chance(3);
        whole[k] = reach + 1 + before + (int64_t)chance(2);
        slices[k] = chance(3) ? stn_slice_strided(before, extents[d], steps[k])
                              : stn_slice_strided(before + reach, extents[d], -steps[k]);
    }
    twins t = make_twins(storage, NULL, rank, whole);
    slice_twins(&t, slices);
    expect_ok(stn_view_permute(&t.host_part, &t.host_part, rank, order));
    expect_ok(stn_view_permute(&t.device_part, &t.device_part, rank, order));
    return t;
}

/* A custom layout: as layout left, from the end on, after five elements. */
static int64_t own_span(const void *context, int rank, const int64_t *extents)
{
    int64_t product = 1;
    (void)context;
    for (int d = 0; d < rank; d++)
        product *= extents[d];
    return 5 + (rank > 0 ? product : 0);
}

static int64_t own_offset(const void *context, int rank, const int64_t *extents,
                          const int64_t *indices)
{
    int64_t offset = 0;
    for (int d = rank - 1; d >= 0; d--)
        offset = offset * extents[d] + indices[d];
    return own_span(context, rank, extents) - 1 - offset;
}

enum { SCALES = 1 << 17 };

/* For each index of a dimension, for each block of one, or for most elements. */
void set_scales(twins *t, int rank)
{
    static const double some[] = {1, 0.5, 0.3, -1.7, 2, 4, 1 / 3., 0.0078125};
    static double wide[SCALES];
    static float narrow[SCALES];
    stn_scales scales = {.format = chance(2) ? STN_F32 : STN_F64, .dimension = STN_NO_DIMENSION};
    const int first = (int)chance((uint64_t)rank), kind = (int)chance(3);
    int64_t begin = 0, stride = 1;
    for (int k = 0; k < SCALES && wide[0] == 0; k++) {
        const int at = k == SCALES - 1 ? 0 : (k * 5 + k / 7 + 1) % 8;
        narrow[SCALES - 1 - k] = (float)some[at];
        wide[SCALES - 1 - k] = some[at];
    }
    if (kind == 1) {
        scales.dimension = first;
        scales.block = 2 + (int64_t)chance(40);
        scales.phase = (int64_t)chance((uint64_t)scales.block);
    }
    for (int d = kind == 2 ? 0 : first; d < (kind == 2 ? rank : first + 1); d++) {
        const int is_backward = chance(3) == 0;
        scales.stride[d] = is_backward ? -stride : stride;
        stride *= t->host_part.extent[d] + 1;
        begin += is_backward ? stride : 0;
    }
    if (stride + begin >= SCALES)
        return;
    scales.data = scales.format == STN_F32 ? (void *)(narrow + begin) : (void *)(wide + begin);
    expect_ok(stn_view_set_scales(&t->host_part, &scales));
    expect_ok(stn_view_set_scales(&t->device_part, &scales));
}

twins any_twins(stn_storage storage, int rank, const int64_t *extents)
{
    static const int64_t tile[3] = {4, 8, 3};
    const stn_layout layouts[] = {stn_layout_tiled(rank, tile, STN_LAYOUT_RIGHT),
                                  stn_layout_tiled(rank, tile, STN_LAYOUT_LEFT),
                                  stn_layout_of(STN_LAYOUT_MORTON),
                                  stn_layout_custom(own_offset, own_span, NULL)};
    const int is_part = (int)chance(2);
    int64_t whole[3];
    stn_slice slices[3];
    twins t;
    if (chance(3)) {
        t = make_part(storage, rank, extents);
        if (storage.scale != 1 && rank > 0) /* nor are they integers */
            set_scales(&t, rank);
        return t;
    }
    for (int d = 0; d < rank; d++) {
        whole[d] = is_part ? 2 * extents[d] + 1 : extents[d];
        slices[d] = is_part ? stn_slice_strided(1, extents[d], 2) : stn_slice_all();
    }
    t = make_twins(storage, &layouts[chance(4)], rank, whole);
    slice_twins(&t, slices);
    return t;
}

/* The upper 32 bits of a number, or all of one of 32 bits, with another exponent. */
static uint32_t with_exponent(uint32_t bits, int fraction_bits, unsigned least)
{
    const uint32_t kept = UINT32_C(1) << 31 | ((UINT32_C(1) << fraction_bits) - 1);
    return (bits & kept) | (uint32_t)(least + chance(8)) << fraction_bits;
}

void tame(stn_format format, void *codes, int64_t bytes)
{
    const int is_wide = format == STN_F64 || format == STN_C128;
    const int is_narrow = format == STN_F32 || format == STN_C64;
    const int is_half = format == STN_F16 || format == STN_BF16 || format == STN_C32;
    const int is_byte = row_of(format)->kind == ORACLE_FLOAT && row_of(format)->bits == 8;
    for (int64_t k = is_wide ? 4 : 0; (is_wide || is_narrow) && k < bytes; k += is_wide ? 8 : 4) {
        uint32_t bits;
        memcpy(&bits, (char *)codes + k, 4);
        bits = is_wide ? with_exponent(bits, 20, 1018) : with_exponent(bits, 23, 122);
        memcpy((char *)codes + k, &bits, 4);
    }
    for (int64_t k = is_half; (is_half || is_byte) && k < bytes; k += 1 + is_half)
        ((unsigned char *)codes)[k] &= 0xbf;
}

void tame_twins(twins *t)
{
    tame(t->host.storage.format, t->host.data, t->bytes);
    send_twins(t);
}

/* ---- comparing ---- */

/* The format of codes, or of the parts of complex ones. */
static const oracle_format *part_of(stn_format format)
{
    const oracle_format *const row = row_of(format);
    return row->kind == ORACLE_COMPLEX ? row_of(row->component) : row;
}

/* Bits of a float, or of a part of a complex number, above which all are NaN, without the sign; 0
 * if the format has none. */
static uint64_t infinity_of(stn_format format)
{
    const oracle_format *const row = part_of(format);
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

/* NaN are codes above `infinity`, unless it is 0. */
static void compare(const twins *t, const char *what, uint64_t infinity)
{
    const size_t bytes = infinity ? (size_t)part_of(t->host.storage.format)->bits / 8 : 1;
    stn_view back;
    if (!device_computes() && !is_moving)
        return;
    expect_ok(stn_view_mirror(device_exec, &back, &t->device, STN_SPACE_HOST));
    expect_ok(stn_view_copy(device_exec, &back, &t->device));
    if (t->device.space == STN_SPACE_HOST)
        memcpy(back.data, t->device.data, (size_t)t->bytes);
    const unsigned char *const a = back.data, *const b = t->host.data;
    for (int64_t k = 0; k < t->bytes; k += (int64_t)bytes)
        if (memcmp(a + k, b + k, bytes) != 0 && !(infinity && is_nan_code(infinity, a + k, bytes) &&
                                                  is_nan_code(infinity, b + k, bytes)))
            fail_msg("%s on %s: byte %lld is %02x, on the host %02x", what, test_exec_name(),
                     (long long)k, a[k], b[k]);
    expect_ok(stn_view_release(&back));
}

void expect_same(const twins *t, const char *what)
{
    compare(t, what, 0);
}

void expect_numbers(const twins *t, const char *what)
{
    compare(t, what, infinity_of(t->host.storage.format));
}

/* ---- counters ---- */

enum { COUNTED = 4 };
static stn_counters counted[COUNTED][2]; /* of the host's view, and of the device's */

void count_always(twins *t, int at)
{
    memset(counted[at], 0, sizeof counted[at]);
    t->host_part.storage.counters = &counted[at][0];
    t->device_part.storage.counters = &counted[at][1];
}

void count_some(twins *t, int at)
{
    memset(counted[at], 0, sizeof counted[at]);
    if (chance(3) == 0)
        count_always(t, at);
}

void expect_counts(int at, const char *what)
{
    const stn_counters *const a = &counted[at][0], *const b = &counted[at][1];
    if (device_computes() && memcmp(a, b, sizeof *a) != 0)
        fail_msg("%s: view %d has %lld saturated, %lld underflowed, %lld NaN, on the host %lld, "
                 "%lld, %lld",
                 what, at, (long long)b->saturated, (long long)b->underflowed, (long long)b->nan,
                 (long long)a->saturated, (long long)a->underflowed, (long long)a->nan);
}

const stn_counters *device_counters(int at)
{
    return &counted[at][1];
}
