/* The kernel that copies elements on a device: one text, compiled for each pair of formats. */
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/dialect.h"
#include "exec/scratch.h"
#include "expr/source.h"
#include "view/remote.h"

enum { THREADS = 256, WIDEST = 16 };

/* The kernel's argument. The text declares the same struct. */
typedef struct remote_arguments {
    _Alignas(STN_CODE_BYTES) uint64_t code[STN_CODE_BYTES / 8]; /* the only code read, if
                                                                 * is_constant */
    uint64_t count, seed, draw_first, shift_low;
    int64_t shift_high; /* together with shift_low, 128 bits that are added to integers */
    double to_scale, to_zero, from_scale, from_zero;
    uint64_t extent[STN_COPY_RANK];
    int64_t to[STN_COPY_RANK], from[STN_COPY_RANK]; /* steps in bytes */
    uint64_t draw[STN_COPY_RANK];
    int64_t to_offset, from_offset; /* from the addresses of the handles */
    int32_t rank, unused;
    uint64_t chunks, of_row; /* of several elements: all, and per row of the last dimension */
} remote_arguments;

/* WAY of the text in view/device/copy.h. */
enum { MOVED = 0, BY_REAL = 1, WIDENED = 2, KEPT = 3 };

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

static void set_plan(remote_arguments *a, const stn_copy_plan *plan, const int64_t *draws,
                     int64_t parts)
{
    for (int d = 0; d < plan->nest.rank; d++)
        add_dimension(a, plan->nest.extent[d], plan->nest.to[d], plan->nest.from[d],
                      draws ? (uint64_t)(draws[d] * parts) : 0);
}

/* The longest unit that divides elements and both first addresses. Steps are multiples of
 * elements. */
static int64_t unit_of(const stn_copy_plan *plan, int is_constant)
{
    uint64_t bits = (uint64_t)(uintptr_t)plan->to | (uint64_t)plan->to_bytes | WIDEST;
    if (!is_constant)
        bits |= (uint64_t)(uintptr_t)plan->from;
    return (int64_t)(bits & (0 - bits));
}

/* ---- options that the text is compiled for ---- */

static const char *real_name(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? "f64" : "f32";
}

static const char *part_name(const stn_format_info *info)
{
    return stn_format_entry_of(info->component)->word;
}

static void describe_move(char *options, size_t capacity, remote_arguments *a,
                          const stn_copy_plan *plan, int is_constant)
{
    const int64_t unit = unit_of(plan, is_constant);
    if (plan->to_bytes > unit)
        add_dimension(a, plan->to_bytes / unit, unit, unit, 0);
    snprintf(options, capacity, " -DWAY=%d -DUNIT=%s", MOVED, stn_dialect_word(unit));
}

/* The bits of NaN in a part that receives codes of its own width unchanged; 0 for others. */
static int nan_bits(const stn_format_info *info)
{
    return info->component == STN_F64 ? 64 : info->component == STN_F32 ? 32 : 0;
}

static void describe_conversion(char *options, size_t capacity, remote_arguments *a,
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
    snprintf(options, capacity,
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

/* ---- several elements per thread ---- */

enum { MIN_COPY_CHUNKS = 4 };

/* Number of adjacent elements, of these bytes, whose wider ones have 16 bytes, if both views are
 * contiguous along the last dimension and begin at multiples of these; otherwise 1. */
static int64_t neighbors_of(const remote_arguments *a, const stn_copy_plan *plan, int is_constant,
                            int64_t to_bytes, int64_t from_bytes)
{
    const int last = a->rank - 1;
    const int64_t wider = to_bytes > from_bytes ? to_bytes : from_bytes, count = WIDEST / wider;
    const int64_t to = count * to_bytes, from = is_constant ? 1 : count * from_bytes;
    if (last < 0 || a->to[last] != to_bytes || a->from[last] != (is_constant ? 0 : from_bytes) ||
        (uint64_t)(uintptr_t)plan->to % (uint64_t)to != 0 ||
        (!is_constant && (uint64_t)(uintptr_t)plan->from % (uint64_t)from != 0))
        return 1;
    for (int d = 0; d < last; d++)
        if (a->to[d] % to != 0 || a->from[d] % from != 0)
            return 1;
    const uint64_t row = a->extent[last];
    return row % (uint64_t)count == 0 || row >= (uint64_t)(MIN_COPY_CHUNKS * count) ? count : 1;
}

static void describe_chunks(char *options, size_t capacity, remote_arguments *a,
                            const stn_copy_plan *plan, int is_constant, int64_t parts)
{
    const int64_t unit = unit_of(plan, is_constant);
    const int64_t to_bytes = parts ? plan->to_bytes / parts : unit;
    const int64_t from_bytes = parts ? plan->from_bytes / parts : unit;
    const int64_t count = neighbors_of(a, plan, is_constant, to_bytes, from_bytes);
    a->chunks = a->count;
    if (count > 1) {
        const uint64_t row = a->extent[a->rank - 1];
        a->of_row = (row + (uint64_t)count - 1) / (uint64_t)count;
        a->chunks = a->count / row * a->of_row;
    }
    snprintf(options, capacity, " -DNEIGHBORS=%d -DTO_WORD=%s -DFROM_WORD=%s", (int)count,
             stn_dialect_word(count * to_bytes), stn_dialect_word(count * from_bytes));
}

/* ---- the whole text, preceded by the functions of the program's formats ---- */

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
    const size_t capacity = strlen(to) + strlen(from) + 80;
    STN_TRY(stn_allocate(whole, 1, capacity, "stn_view_copy"));
    snprintf(*whole, capacity,
             "#include \"steno/accessor.h\"\n%s%s#include \"view/device/copy.h\"\n", to, from);
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
        status = stn_device_create_kernel(task->device, key, whole, options, function);
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

/* Launches with counters in the device's memory as the last argument, and adds them to the view's
 * counters. */
static stn_status launch_counting(const stn_remote_task *task, const stn_device_function *function,
                                  stn_device_argument *arguments, int count, uint64_t elements)
{
    int64_t numbers[3], offset;
    void *handle = NULL;
    stn_device_scratch *scratch;
    arguments[count] = (stn_device_argument){.value = &handle, .bytes = sizeof handle};
    STN_TRY(stn_device_acquire_scratch(task->device, "counters", sizeof numbers, &scratch));
    stn_status status = stn_device_locate(task->device, scratch->memory, &handle, &offset);
    if (status == STN_OK)
        status = stn_device_fill(task->device, scratch->memory, 0, sizeof numbers);
    if (status == STN_OK)
        status = launch_plainly(task, function, arguments, count + 1, elements);
    if (status == STN_OK)
        status = stn_device_copy(task->device, numbers, scratch->memory, sizeof numbers);
    if (status == STN_OK)
        status = stn_device_wait(task->device);
    stn_device_return_scratch(task->device, scratch);
    if (status == STN_OK)
        stn_remote_count(task->conversion->to.rules.counters, numbers);
    return status;
}

stn_status stn_remote_kernel(const stn_remote_task *task, const stn_copy_plan *plan,
                             const int64_t *draws, uint64_t draw_first)
{
    const int64_t parts = task->conversion ? task->conversion->to.parts : 1;
    remote_arguments a = {.count = 1, .draw_first = draw_first * (uint64_t)parts};
    char options[256], head[64], chunks[96];
    stn_device_function function;
    void *to = NULL, *from = NULL;
    set_plan(&a, plan, draws, parts);
    if (task->is_constant)
        memcpy(a.code, plan->from, (size_t)plan->from_bytes);
    if (task->conversion)
        describe_conversion(options, sizeof options, &a, task, plan);
    else
        describe_move(options, sizeof options, &a, plan, task->is_constant);
    const int counts = task->conversion && task->conversion->to.rules.counters &&
                       task->conversion->to.entry->info.kind != STN_CLASS_REGISTERED;
    describe_chunks(chunks, sizeof chunks, &a, plan, task->is_constant,
                    task->conversion ? parts : 0);
    snprintf(head, sizeof head, "-DINDEX=stn_u%d -DCONSTANT=%d -DCOUNTS=%d",
             a.count >> 31 ? 64 : 32, task->is_constant, counts);
    char all[sizeof options + sizeof head + sizeof chunks];
    snprintf(all, sizeof all, "%s%s%s", head, options, chunks);
    STN_TRY(stn_device_locate(task->device, plan->to, &to, &a.to_offset));
    if (!task->is_constant)
        STN_TRY(stn_device_locate(task->device, plan->from, &from, &a.from_offset));
    const stn_device_key key = {"steno_copy", 1, {{all, strlen(all)}}};
    if (!stn_device_has_kernel(task->device, &key, &function))
        STN_TRY(make_kernel(task, &key, all, &function));
    stn_device_argument arguments[4] = {{.value = &to, .bytes = sizeof to},
                                        {.value = &from, .bytes = sizeof from},
                                        {.value = &a, .bytes = sizeof a, .is_constants = 1}};
    return (counts ? launch_counting : launch_plainly)(task, &function, arguments, 3, a.chunks);
}
