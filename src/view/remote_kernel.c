/* The kernel that copies elements on a device: one text, compiled for each pair of formats. */
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/dialect.h"
#include "expr/source.h"
#include "view/remote.h"

enum { THREADS = 256, WIDEST = 16 };

/* The kernel's argument; the text declares the same. */
typedef struct remote_arguments {
    _Alignas(STN_CODE_BYTES) uint64_t code[STN_CODE_BYTES / 8]; /* in place of all that is read */
    uint64_t count, seed, draw_first, shift_low;
    int64_t shift_high; /* with shift_low added to integers: 128 bits */
    double to_scale, to_zero, from_scale, from_zero;
    uint64_t extent[STN_COPY_RANK];
    int64_t to[STN_COPY_RANK], from[STN_COPY_RANK]; /* steps in bytes */
    uint64_t draw[STN_COPY_RANK];
    int64_t to_offset, from_offset; /* behind what the handles are of */
    int32_t rank, unused;
} remote_arguments;

/* WAY is what becomes of an element: MOVED, a UNIT at a time; BY_REAL in floating point, WIDENED to
 * it from an integer of 64 bits so that rounding it is rounding once; KEPT, an integer. The rules
 * are those of the host's copies. */
enum { MOVED = 0, BY_REAL = 1, WIDENED = 2, KEPT = 3 };
static const char element_text[] =
    "#define A STN_OF(a)\n"
    "#define TALLY(k) do { if (STN_ADD_32(counts + 2 * (k), 1u) == 0xffffffffu)\\\n"
    "    (void)STN_ADD_32(counts + 2 * (k) + 1, 1u); } while (0)\n"
    "#if COUNTS\n"
    "#define GIVEN STN_PASSED(struct arguments) a, stn_u64 draw, STN_GLOBAL stn_u32 *counts\n"
    "#define PASS a, draw, counts\n"
    "#else\n"
    "#define GIVEN STN_PASSED(struct arguments) a, stn_u64 draw\n"
    "#define PASS a, draw\n"
    "#endif\n"
    "enum { RANK = 16 };\n"
    "struct arguments {\n"
    "    stn_u64 code[2] __attribute__((aligned(16)));\n"
    "    stn_u64 count, seed, draw_first, shift_low;\n"
    "    stn_i64 shift_high;\n"
    "    stn_f64 to_scale, to_zero, from_scale, from_zero;\n"
    "    stn_u64 extent[RANK];\n"
    "    stn_i64 to[RANK], from[RANK];\n"
    "    stn_u64 draw[RANK];\n"
    "    stn_i64 to_offset, from_offset;\n"
    "    int rank, unused;\n"
    "};\n"
    "#if WAY == 0\n"
    "typedef UNIT to_code;\n"
    "typedef UNIT from_code;\n"
    "STN_FN UNIT stored(UNIT code, GIVEN) { return code; }\n"
    "#else\n"
    "#define PASTE2(a, b) a##b\n"
    "#define PASTE4(a, b, c, d) a##b##c##d\n"
    "#define TYPE(name) PASTE2(stn_, name)\n"
    "#define PASTE3(a, b, c) a##b##c\n"
    "#define KIND(name) PASTE3(stn_, name, _kind)\n"
    "#define WIDE(real) PASTE2(stn_wide_, real)\n"
    "#define READ(real, name) PASTE4(stn_read_, real, _, name)\n"
    "#define WRITE(real, name) PASTE4(stn_write_, real, _, name)\n"
    "typedef TYPE(TO) to_code;\n"
    "typedef TYPE(FROM) from_code;\n"
    "#if WAY == 3\n"
    "STN_FN to_code stored(from_code code, GIVEN)\n"
    "{\n"
    "    const int bits = 8 * sizeof(to_code), is_signed = (to_code)-1 < (to_code)1;\n"
    "    const stn_u64 one = 1, least = is_signed ? 0 - (one << (bits - 1)) : 0;\n"
    "    const stn_u64 most = bits - is_signed == 64 ? ~(stn_u64)0 : (one << (bits - is_signed)) - "
    "1;\n"
    "    const int is_negative = (from_code)-1 < (from_code)1 && (stn_i64)code < 0;\n"
    "    const stn_u64 low = (stn_u64)code + A.shift_low;\n"
    "    const stn_i64 high = A.shift_high - is_negative + (low < (stn_u64)code);\n"
    "    const int is_below = high < 0 && (high < -is_signed || !is_signed || low < least);\n"
    "    const int is_above = high > 0 || (high == 0 && low > most);\n"
    "#if COUNTS\n"
    "    if (is_below || is_above)\n"
    "        TALLY(0);\n"
    "#endif\n"
    "    return (to_code)(is_below ? least : is_above ? most : low);\n"
    "}\n"
    "#else\n"
    "#if WAY == 2\n"
    "STN_FN double widened(from_code code)\n"
    "{\n"
    "    const int is_negative = (from_code)-1 < (from_code)1 && (stn_i64)code < 0;\n"
    "    const stn_u64 magnitude = is_negative ? 0 - (stn_u64)code : (stn_u64)code;\n"
    "    double size = (double)magnitude;\n"
    "    if (magnitude >> 53 && !(sizeof(to_code) == 8 && ROUNDING != STN_ROUND_TOWARD_ZERO)) {\n"
    "        const int dropped = 11 - STN_LEADING_ZEROS(magnitude);\n"
    "        stn_u64 kept = magnitude >> dropped;\n"
    "        if (kept << dropped != magnitude && sizeof(to_code) < 8)\n"
    "            kept |= 1;\n"
    "        size = (double)kept * stn_f64_of_bits((stn_u64)(1023 + dropped) << 52);\n"
    "    }\n"
    "    return is_negative ? -size : size;\n"
    "}\n"
    "#else\n"
    "STN_FN TYPE(REAL) widened(from_code code) { return READ(REAL, FROM)(code); }\n"
    "#endif\n"
    "STN_FN to_code stored(from_code code, GIVEN)\n"
    "{\n"
    "    typedef TYPE(REAL) real;\n"
    "    real value = widened(code);\n"
    "    if (AFFINE & 1)\n"
    "        value = (value - (real)A.from_zero) * (real)A.from_scale;\n"
    "    if (AFFINE & 2)\n"
    "        value = value / (real)A.to_scale;\n"
    "    if ((AFFINE & 2) && A.to_zero != 0)\n"
    "        value = value + (real)A.to_zero;\n"
    "    const to_code made = WRITE(REAL, TO)(value, (stn_rounding)ROUNDING, "
    "(stn_overflow)OVERFLOW,\n"
    "                                         A.seed, draw);\n"
    "#if COUNTS\n"
    "    const stn_u64 random = ROUNDING == STN_ROUND_STOCHASTIC ? stn_random_bits(A.seed, draw) : "
    "0;\n"
    "    unsigned events = 0;\n"
    "#if INTEGER\n"
    "    (void)stn_integer_encode(WIDE(REAL)(value), 8 * sizeof(to_code),\n"
    "                             (to_code)-1 < (to_code)1, (stn_rounding)ROUNDING, random, "
    "&events);\n"
    "#else\n"
    "    (void)stn_float_encode(WIDE(REAL)(value), KIND(TO)(), "
    "(stn_rounding)ROUNDING,\n"
    "                           (stn_overflow)OVERFLOW, random, &events);\n"
    "#endif\n"
    "    for (int k = 0; k < 3; k++)\n"
    "        if (events >> k & 1)\n"
    "            TALLY(k);\n"
    "#endif\n"
    "#if USUAL == 64\n"
    "    return made == made ? made : stn_f64_of_bits(0x7ff8000000000000u);\n"
    "#elif USUAL == 32\n"
    "    return made == made ? made : stn_f32_of_bits(0x7fc00000u);\n"
    "#else\n"
    "    return made;\n"
    "#endif\n"
    "}\n"
    "#endif\n"
    "#endif\n";

static const char kernel_text[] =
    "STN_DEVICE_KERNEL steno_copy(STN_GLOBAL char *to, STN_GLOBAL const char *from, "
    "STN_GIVEN(struct arguments) a\n"
    "#if COUNTS\n"
    "    , STN_GLOBAL stn_u32 *counts\n"
    "#endif\n"
    "    )\n"
    "{\n"
    "    const INDEX step = (INDEX)STN_THREADS;\n"
    "    for (INDEX n = (INDEX)STN_THREAD; n < A.count; n += step) {\n"
    "        stn_i64 source = A.from_offset, target = A.to_offset;\n"
    "        stn_u64 draw = A.draw_first;\n"
    "        INDEX rest = n;\n"
    "        for (int d = A.rank - 1; d >= 0; d--) {\n"
    "            const INDEX before = d ? rest / (INDEX)A.extent[d] : 0;\n"
    "            const INDEX index = rest - before * (INDEX)A.extent[d];\n"
    "            target += (stn_i64)index * A.to[d];\n"
    "            source += (stn_i64)index * A.from[d];\n"
    "            draw += index * A.draw[d];\n"
    "            rest = before;\n"
    "        }\n"
    "#if CONSTANT\n"
    "        const from_code code =\n"
    "            *(STN_CONSTANT const from_code *)((STN_CONSTANT const char *)A.code + source);\n"
    "#else\n"
    "        const from_code code = *(STN_GLOBAL const from_code *)(from + source);\n"
    "#endif\n"
    "        *(STN_GLOBAL to_code *)(to + target) = stored(code, PASS);\n"
    "    }\n"
    "}\n";

/* ---- arguments ---- */

static const stn_format_info *info_of(const stn_view *view)
{
    return &stn_format_entry_of(view->storage.format)->info;
}

static void add_dimension(remote_arguments *a, int64_t extent, int64_t to, int64_t from,
                          uint64_t draw)
{
    a->extent[a->rank] = (uint64_t)extent;
    a->to[a->rank] = to;
    a->from[a->rank] = from;
    a->draw[a->rank++] = draw;
    a->count *= (uint64_t)extent;
}

static void take_plan(remote_arguments *a, const stn_copy_plan *plan, const int64_t *draws,
                      int64_t parts)
{
    for (int d = 0; d < plan->rank; d++)
        add_dimension(a, plan->dim[d].extent, plan->dim[d].to, plan->dim[d].from,
                      draws ? (uint64_t)(draws[d] * parts) : 0);
}

/* The longest unit that the elements and both first addresses are multiples of; steps are multiples
 * of elements. */
static int64_t unit_of(const stn_copy_plan *plan, int is_constant)
{
    uint64_t all = (uint64_t)(uintptr_t)plan->to | (uint64_t)plan->to_bytes | WIDEST;
    if (!is_constant)
        all |= (uint64_t)(uintptr_t)plan->from;
    return (int64_t)(all & (0 - all));
}

/* ---- options: what the text is compiled for ---- */

static const char *real_name(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? "f64" : "f32";
}

static const char *part_name(const stn_format_info *info)
{
    return stn_format_entry_of(info->component)->word;
}

static void describe_move(char *options, size_t room, remote_arguments *a,
                          const stn_copy_plan *plan, int is_constant)
{
    const int64_t unit = unit_of(plan, is_constant);
    if (plan->to_bytes > unit)
        add_dimension(a, plan->to_bytes / unit, unit, unit, 0);
    snprintf(options, room, " -DWAY=%d -DUNIT=%s", MOVED, stn_dialect_word(unit));
}

/* Of a part that codes of its own bits are written to as they are, NaN among them; 0 of others. */
static int nan_bits(const stn_format_info *info)
{
    return info->component == STN_F64 ? 64 : info->component == STN_F32 ? 32 : 0;
}

static void describe_conversion(char *options, size_t room, remote_arguments *a,
                                const stn_remote_task *task, const stn_copy_plan *plan)
{
    const stn_conversion *c = task->conversion;
    const stn_run *to = &c->to, *from = &c->from;
    const int is_kept = to->arithmetic == STN_I64;
    if (to->parts > 1)
        add_dimension(a, to->parts, plan->to_bytes / to->parts, plan->from_bytes / to->parts, 1);
    a->seed = to->rules.seed;
    a->shift_low = (uint64_t)to->zero;
    a->shift_high = (int64_t)(to->zero >> 64);
    a->to_scale = to->affine.scale;
    a->to_zero = to->affine.zero;
    a->from_scale = from->affine.scale;
    a->from_zero = from->affine.zero;
    snprintf(options, room,
             " -DWAY=%d -DTO=%s -DFROM=%s -DREAL=%s -DROUNDING=%d -DOVERFLOW=%d -DAFFINE=%d"
             " -DUSUAL=%d -DINTEGER=%d",
             is_kept     ? KEPT
             : c->widens ? WIDENED
                         : BY_REAL,
             part_name(info_of(task->to)), part_name(info_of(task->from)),
             real_name(to->arithmetic), (int)to->rules.rounding, (int)to->rules.overflow,
             !from->affine.plain + 2 * !to->affine.plain, nan_bits(info_of(task->to)),
             stn_format_entry_of(info_of(task->to)->component)->info.kind == STN_CLASS_INTEGER);
}

/* ---- the whole text, behind the functions of formats of the program's ---- */

static stn_status write_format(const stn_remote_task *task, const stn_view *view, char **functions)
{
    const stn_format_entry *const entry = stn_format_entry_of(view->storage.format);
    *functions = NULL;
    return !task->conversion || !entry->codec.device_text
               ? STN_OK
               : stn_source_write_format(entry->word, (int)entry->info.bytes,
                                         entry->codec.device_text, functions);
}

static stn_status join(const char *to, const char *from, char **whole)
{
    const size_t room = strlen(to) + strlen(from) + sizeof element_text + sizeof kernel_text + 64;
    STN_TRY(stn_allocate(whole, 1, room, "stn_view_copy"));
    snprintf(*whole, room, "#include \"steno/accessor.h\"\n%s%s%s%s", to, from, element_text,
             kernel_text);
    return STN_OK;
}

static stn_status make_kernel(const stn_remote_task *task, const stn_device_key *key,
                              const char *options, stn_device_function *function)
{
    char *to, *from = NULL, *whole = NULL;
    stn_status status = write_format(task, task->to, &to);
    if (status == STN_OK)
        status = write_format(task, task->from, &from);
    if (status == STN_OK)
        status = join(to ? to : "", from ? from : "", &whole);
    if (status == STN_OK)
        status = stn_device_make_kernel(task->device, key, whole, options, function);
    stn_free(to);
    stn_free(from);
    stn_free(whole);
    return status;
}

/* ---- launching ---- */

static stn_status launch_plainly(const stn_remote_task *task, const stn_device_function *function,
                                 stn_device_argument *arguments, int count, uint64_t elements)
{
    const uint64_t blocks = (elements + THREADS - 1) / THREADS;
    return stn_device_launch(task->device, function->name, function->function,
                             blocks < STN_DEVICE_BLOCKS ? (unsigned)blocks : STN_DEVICE_BLOCKS,
                             THREADS, arguments, count);
}

/* With counters in the device's memory as the last argument; what they are told then. */
static stn_status launch_counting(const stn_remote_task *task, const stn_device_function *function,
                                  stn_device_argument *arguments, int count, uint64_t elements)
{
    int64_t numbers[3], offset;
    void *memory, *handle = NULL;
    arguments[count] = (stn_device_argument){&handle, sizeof handle, 0};
    STN_TRY(
        stn_device_allocate(task->device, "counters", STN_SPACE_DEVICE, sizeof numbers, &memory));
    stn_status status = stn_device_locate(task->device, memory, &handle, &offset);
    if (status == STN_OK)
        status = stn_device_fill(task->device, memory, 0, sizeof numbers);
    if (status == STN_OK)
        status = launch_plainly(task, function, arguments, count + 1, elements);
    if (status == STN_OK)
        status = stn_device_copy(task->device, numbers, memory, sizeof numbers);
    if (status == STN_OK)
        status = stn_device_wait(task->device);
    stn_device_free(task->device, STN_SPACE_DEVICE, memory);
    if (status == STN_OK)
        stn_remote_count(task->conversion->to.rules.counters, numbers);
    return status;
}

stn_status stn_remote_kernel(const stn_remote_task *task, const stn_copy_plan *plan,
                             const int64_t *draws, uint64_t draw_first)
{
    const int64_t parts = task->conversion ? task->conversion->to.parts : 1;
    remote_arguments a = {.count = 1, .draw_first = draw_first * (uint64_t)parts};
    char options[256], head[64];
    stn_device_function function;
    void *to = NULL, *from = NULL;
    take_plan(&a, plan, draws, parts);
    if (task->is_constant)
        memcpy(a.code, plan->from, (size_t)plan->from_bytes);
    if (task->conversion)
        describe_conversion(options, sizeof options, &a, task, plan);
    else
        describe_move(options, sizeof options, &a, plan, task->is_constant);
    const int counts = task->conversion && task->conversion->to.rules.counters &&
                       task->conversion->to.entry->info.kind != STN_CLASS_REGISTERED;
    snprintf(head, sizeof head, "-DINDEX=stn_u%d -DCONSTANT=%d -DCOUNTS=%d",
             a.count >> 31 ? 64 : 32, task->is_constant, counts);
    char all[sizeof options + sizeof head];
    snprintf(all, sizeof all, "%s%s", head, options);
    STN_TRY(stn_device_locate(task->device, plan->to, &to, &a.to_offset));
    if (!task->is_constant)
        STN_TRY(stn_device_locate(task->device, plan->from, &from, &a.from_offset));
    const stn_device_key key = {"steno_copy", 1, {{all, strlen(all)}}};
    if (!stn_device_has_kernel(task->device, &key, &function))
        STN_TRY(make_kernel(task, &key, all, &function));
    stn_device_argument arguments[4] = {
        {&to, sizeof to, 0}, {&from, sizeof from, 0}, {&a, sizeof a, 1}};
    return (counts ? launch_counting : launch_plainly)(task, &function, arguments, 3, a.count);
}
