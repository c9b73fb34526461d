/* Copies on devices: launches whose body copies an element. */
#include <stdio.h>

#include "core/status.h"
#include "exec/dialect.h"
#include "map/remote.h"
#include "view/layout/mapping.h"
#include "view/number.h"
#include "view/remote.h"

/* A view of a launch, and the conversion of its elements. */
typedef struct copy_operand {
    const stn_view *view;
    const stn_run *run;
} copy_operand;

typedef struct copy_launch {
    stn_format arithmetic;
    const char *text; /* of the body */
    const stn_parameter *parameters;
    int count;
    const stn_number *numbers; /* one per scalar, which are the first parameters */
    copy_operand x, y;         /* the parameters of these names */
    int unit, widens;          /* as in stn_launch */
} copy_launch;

enum { MAX_PARAMETERS = 8 };

static void set_slot(stn_launch *launch, int at, const copy_operand *operand)
{
    stn_slot *const slot = &launch->slots[at];
    const stn_view *const view = operand->view;
    slot->view = view;
    slot->written = slot->kind > STN_PARAMETER_IN;
    stn_reader_set(&slot->reader, operand->run, view);
    for (int d = 0; d < view->rank; d++)
        slot->stride[d] = view->extent[d] == 1 ? 0 : slot->reader.steps[d];
    launch->view_at[launch->views++] = at;
    launch->indexed |= !slot->reader.plain;
}

/* Dimensions keep their order if elements are found, or draw random bits, by their indices. */
static stn_status run(const stn_remote_task *task, const copy_launch *copy)
{
    const stn_kernel kernel = {.size = sizeof kernel,
                               .version = STN_KERNEL_VERSION,
                               .count = copy->count,
                               .name = "copy",
                               .text = copy->text,
                               .parameters = copy->parameters};
    const stn_view *const to = task->to;
    stn_slot slots[MAX_PARAMETERS] = {0};
    stn_launch launch = {.exec = task->exec,
                         .kernel = &kernel,
                         .arithmetic = copy->arithmetic,
                         .bytes = stn_arithmetic_bytes(copy->arithmetic),
                         .rank = to->rank,
                         .unit = copy->unit,
                         .widens = copy->widens,
                         .slots = slots};
    memcpy(launch.extent, to->extent, sizeof to->extent);
    for (int at = 0; at < copy->count; at++) {
        slots[at].kind = copy->parameters[at].kind;
        if (slots[at].kind < STN_PARAMETER_IN)
            launch.numbers[at] = copy->numbers[at];
        else
            set_slot(&launch, at, slots[at].kind == STN_PARAMETER_IN ? &copy->x : &copy->y);
    }
    if (stn_launch_is_flat(&launch))
        launch.indexed = 0;
    launch.indexed |= to->storage.rounding == STN_ROUND_STOCHASTIC && !stn_view_draws_in_order(to);
    stn_launch_order(&launch);
    return stn_launch_remote(&launch);
}

/* ---- codes ---- */

static const stn_parameter copied[] = {{.kind = STN_PARAMETER_IN, .name = "x"},
                                       {.kind = STN_PARAMETER_OUT, .name = "y"}};
static const stn_parameter assigned[] = {{.kind = STN_PARAMETER_REAL, .name = "x"},
                                         {.kind = STN_PARAMETER_OUT, .name = "y"}};
static const stn_parameter filled[] = {{.kind = STN_PARAMETER_BITS, .name = "low"},
                                       {.kind = STN_PARAMETER_BITS, .name = "high"},
                                       {.kind = STN_PARAMETER_OUT, .name = "y"}};

/* The number of bytes of the words that elements consist of and are aligned to. */
static int unit_of(const stn_remote_task *task, int64_t bytes)
{
    uint64_t bits = (uint64_t)(uintptr_t)task->to->data | (uint64_t)bytes | 16;
    if (!task->is_constant)
        bits |= (uint64_t)(uintptr_t)task->from->data;
    return (int)(bits & (0 - bits));
}

static stn_view as_codes(const stn_view *view, stn_storage storage)
{
    stn_view codes = *view;
    codes.storage = storage;
    stn_view_drop_scales(&codes);
    return codes;
}

/* Elements of 1, 2, 4 or 8 bytes, which arithmetic in i64 leaves unchanged. */
static stn_status move_integers(const stn_remote_task *task, int64_t bytes, const stn_number *code)
{
    const stn_format format = bytes == 1   ? STN_U8
                              : bytes == 2 ? STN_U16
                              : bytes == 4 ? STN_U32
                                           : STN_U64;
    const stn_storage storage = stn_storage_of(format);
    const stn_view to = as_codes(task->to, storage), from = as_codes(task->from, storage);
    stn_run codes;
    STN_TRY(stn_run_init_in_modes(&codes, STN_I64, &storage));
    const int fills = task->is_constant;
    const copy_launch copy = {.arithmetic = STN_I64,
                              .text = fills ? "y = (stn_i64)low;" : "y = x;",
                              .parameters = fills ? filled : copied,
                              .count = fills ? 3 : 2,
                              .numbers = code,
                              .x = {&from, &codes},
                              .y = {&to, &codes}};
    return run(task, &copy);
}

/* Other elements, word by word. The body addresses them by the indices of the dimensions that are
 * left after merging. */
static stn_status move_words(const stn_remote_task *task, int64_t bytes, const stn_number *code)
{
    const int widest = unit_of(task, bytes), unit = task->is_constant && widest > 4 ? 4 : widest;
    const stn_storage storage = stn_storage_of(STN_U8);
    const stn_view to = as_codes(task->to, task->to->storage);
    const stn_view from = as_codes(task->from, task->from->storage);
    char text[320];
    stn_run codes;
    STN_TRY(stn_run_init_in_modes(&codes, STN_I64, &storage));
    codes.bytes = bytes;
    snprintf(text, sizeof text,
             "stn_code_y code;\n"
             "for (int k = 0; k < %d; k++)\n"
             "    code.unit[k] = (%s)((k * %d < 8 ? low : high) >> k * %d %% 8 * 8);\n"
             "*STN_ADDRESS(y) = code;",
             (int)(bytes / unit), stn_dialect_word(unit), unit, unit);
    const copy_launch copy = {.arithmetic = STN_I64,
                              .text =
                                  task->is_constant ? text : "*STN_ADDRESS(y) = *STN_ADDRESS(x);",
                              .parameters = task->is_constant ? filled : copied,
                              .count = task->is_constant ? 3 : 2,
                              .numbers = code,
                              .x = {&from, &codes},
                              .y = {&to, &codes},
                              .unit = unit};
    return run(task, &copy);
}

/* Views in block formats: elements are codes of f64. */
static stn_status move_blocks(const stn_remote_task *task, const stn_number *code)
{
    const stn_storage storage = stn_storage_of(task->to->storage.format);
    const stn_view to = as_codes(task->to, storage), from = as_codes(task->from, storage);
    stn_run codes;
    STN_TRY(stn_run_init_in_modes(&codes, STN_F64, &storage));
    const copy_launch copy = {.arithmetic = STN_F64,
                              .text = "y = x;",
                              .parameters = task->is_constant ? assigned : copied,
                              .count = 2,
                              .numbers = code,
                              .x = {&from, &codes},
                              .y = {&to, &codes}};
    return run(task, &copy);
}

static const stn_parameter stored[] = {{.kind = STN_PARAMETER_IN, .name = "x"},
                                       {.kind = STN_PARAMETER_MASKED, .name = "y"}};

stn_status stn_remote_encode(const stn_exec *exec, const stn_view *to, const stn_view *from)
{
    const stn_remote_task task = {.exec = exec, .device = exec->device, .to = to, .from = from};
    const stn_storage storage = stn_storage_of(to->storage.format);
    const stn_view blocks = as_codes(to, storage);
    stn_run codes, values;
    STN_TRY(stn_run_init_in_modes(&codes, STN_F64, &storage));
    STN_TRY(stn_run_init_in_modes(&values, STN_F64, &from->storage));
    const copy_launch copy = {.arithmetic = STN_F64,
                              .text =
                                  "if (stn_bits_of_f64(x) != ~(stn_u64)0)\n    STN_STORE(y, x);",
                              .parameters = stored,
                              .count = 2,
                              .x = {from, &values},
                              .y = {&blocks, &codes}};
    return run(&task, &copy);
}

static stn_status move(const stn_remote_task *task, const void *constant)
{
    const int64_t bytes = stn_format_entry_of(task->to->storage.format)->info.bytes;
    uint64_t words[2] = {0, 0};
    if (task->is_constant)
        memcpy(words, constant, (size_t)bytes);
    const stn_number code[2] = {{.u64 = words[0]}, {.u64 = words[1]}};
    if (stn_format_block(task->to->storage.format))
        return move_blocks(task, code);
    return (bytes <= 8 && unit_of(task, bytes) == bytes ? move_integers : move_words)(task, bytes,
                                                                                      code);
}

/* ---- integers, shifted by up to 128 bits and saturated once ---- */

static const stn_parameter shifted[] = {{.kind = STN_PARAMETER_BITS, .name = "shift"},
                                        {.kind = STN_PARAMETER_BITS, .name = "carry"},
                                        {.kind = STN_PARAMETER_BITS, .name = "least"},
                                        {.kind = STN_PARAMETER_BITS, .name = "most"},
                                        {.kind = STN_PARAMETER_BITS, .name = "from_signed"},
                                        {.kind = STN_PARAMETER_BITS, .name = "to_signed"},
                                        {.kind = STN_PARAMETER_IN, .name = "x"},
                                        {.kind = STN_PARAMETER_OUT, .name = "y"}};

static const char shift_text[] =
    "const int is_negative = from_signed && x < 0, is_signed = (int)to_signed;\n"
    "const stn_u64 low = (stn_u64)x + shift;\n"
    "const stn_i64 high = (stn_i64)carry - is_negative + (low < (stn_u64)x);\n"
    "const int is_below = high < 0 && (high < -is_signed || !is_signed || low < least);\n"
    "const int is_above = high > 0 || (high == 0 && low > most);\n"
    "y = (stn_i64)(is_below ? least : is_above ? most : low);\n";
static const char count_text[] = "if (is_below || is_above)\n    stn_tally(stn_p_y.counts, 1);\n";

/* The views' codes are values of i64, or its bits. */
static stn_status shift(const stn_remote_task *task)
{
    const stn_format_info *const to = &stn_format_entry_of(task->to->storage.format)->info;
    const stn_format_info *const from = &stn_format_entry_of(task->from->storage.format)->info;
    stn_storage to_codes = stn_storage_of(to->format), from_codes = stn_storage_of(from->format);
    to_codes.counters = task->to->storage.counters;
    const stn_view y = as_codes(task->to, to_codes), x = as_codes(task->from, from_codes);
    const uint64_t most = ~(uint64_t)0 >> (64 - to->bits + to->is_signed);
    const stn_wide zero = task->conversion->to.zero;
    const stn_number numbers[] = {{.u64 = (uint64_t)zero},
                                  {.u64 = (uint64_t)(zero >> 64)},
                                  {.u64 = to->is_signed ? ~most : 0},
                                  {.u64 = most},
                                  {.u64 = (uint64_t)from->is_signed},
                                  {.u64 = (uint64_t)to->is_signed}};
    char text[sizeof shift_text + sizeof count_text];
    stn_run to_run, from_run;
    STN_TRY(stn_run_init_in_modes(&to_run, STN_I64, &to_codes));
    STN_TRY(stn_run_init_in_modes(&from_run, STN_I64, &from_codes));
    snprintf(text, sizeof text, "%s%s", shift_text, to_codes.counters ? count_text : "");
    const copy_launch copy = {.arithmetic = STN_I64,
                              .text = text,
                              .parameters = shifted,
                              .count = 8,
                              .numbers = numbers,
                              .x = {&x, &from_run},
                              .y = {&y, &to_run}};
    return run(task, &copy);
}

/* ---- conversions ---- */

/* One value for all elements, decoded by the host. */
static stn_status convert_constant(const stn_remote_task *task, stn_format arithmetic)
{
    const stn_conversion *const c = task->conversion;
    _Alignas(STN_CODE_BYTES) char code[STN_CODE_BYTES];
    stn_number value = {.u64 = 0};
    stn_run_decode(&c->from, &value, task->from->data, 0, 1);
    stn_conversion_widen(c, &value, 1);
    if (arithmetic == STN_I64) {
        stn_counters events = {0, 0, 0};
        stn_run counted = c->to;
        counted.rules.counters = counted.rules.counters ? &events : NULL;
        stn_run_encode(&counted, &value, code, 1, 0, 1);
        stn_counters_add(c->to.rules.counters, &events, stn_view_count(task->to));
        return move(task, code);
    }
    const copy_launch copy = {.arithmetic = arithmetic,
                              .text = "y = x;",
                              .parameters = assigned,
                              .count = 2,
                              .numbers = &value,
                              .y = {task->to, &c->to}};
    return run(task, &copy);
}

/* How 64-bit integers become doubles that are rounded to the format. */
static int widening_of(const stn_conversion *conversion)
{
    const stn_rounding rounding = conversion->to.rules.rounding;
    return !conversion->widens                 ? 0
           : conversion->to.real != STN_F64    ? 3
           : rounding == STN_ROUND_TOWARD_ZERO ? 2
                                               : 1;
}

/* A NaN is stored as the initial value of the output, as in other copies. */
static stn_status convert(const stn_remote_task *task)
{
    const stn_conversion *const c = task->conversion;
    const stn_format arithmetic = c->to.parts == 1              ? c->to.arithmetic
                                  : c->to.arithmetic == STN_F64 ? STN_C128
                                                                : STN_C64;
    if (task->is_constant)
        return convert_constant(task, arithmetic);
    if (arithmetic == STN_I64)
        return shift(task);
    const copy_launch copy = {.arithmetic = arithmetic,
                              .text = c->to.parts == 1 ? "if (x == x) y = x;"
                                                       : "if (x.re == x.re) y.re = x.re;\n"
                                                         "if (x.im == x.im) y.im = x.im;",
                              .parameters = copied,
                              .count = 2,
                              .x = {task->from, &c->from},
                              .y = {task->to, &c->to},
                              .widens = widening_of(c)};
    return run(task, &copy);
}

stn_status stn_remote_map(const char *call, const stn_remote_task *task)
{
    const stn_status status = task->conversion ? convert(task) : move(task, task->from->data);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}
