/* See reduce_cases.h. */
#include "measure/openmp.h"
#include "check.h"
#include "reduce_cases.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/cpu.h"
#include "exec.h"

int64_t reduce_below(uint64_t *state, int64_t count)
{
    return (int64_t)(order_next(state) % (uint64_t)count);
}

/* ---- shapes and layouts ---- */

static void shuffle(int *order, int count, uint64_t *state)
{
    for (int d = count - 1; d > 0; d--) {
        const int64_t with = reduce_below(state, d + 1);
        const int kept = order[d];
        order[d] = order[with];
        order[with] = kept;
    }
}

void reduce_lay_out(reduce_shape shape, reduce_layout layout, uint64_t *state, int64_t *stride)
{
    const int is_strided = layout == REDUCE_STRIDED;
    int order[KERNEL_RANK]; /* from the fastest */
    for (int d = 0; d < shape.rank; d++)
        order[d] = layout == REDUCE_LEFT ? d : shape.rank - 1 - d;
    if (is_strided)
        shuffle(order, shape.rank, state);
    int64_t next = is_strided ? 1 + reduce_below(state, 3) : 1;
    for (int d = 0; d < shape.rank; d++) {
        const int64_t extent = shape.extent[order[d]];
        stride[order[d]] = is_strided && reduce_below(state, 3) == 0 ? -next : next;
        next *= extent > 1 ? extent : 1;
        if (is_strided || (layout == REDUCE_PADDED && d == 0))
            next += reduce_below(state, 4);
    }
}

reduce_shape reduce_broadcast(reduce_shape shape, uint64_t *state)
{
    const int fewer = (int)reduce_below(state, shape.rank + 1);
    reduce_shape narrowed = {shape.rank - fewer, {0}};
    for (int d = 0; d < narrowed.rank; d++)
        narrowed.extent[d] = reduce_below(state, 3) == 0 && shape.extent[fewer + d] != 0
                                 ? 1
                                 : shape.extent[fewer + d];
    return narrowed;
}

/* ---- storage ---- */

int reduce_reads(int is_integer, stn_format format)
{
    const oracle_class kind = oracle_formats[format].kind;
    return is_integer ? kind == ORACLE_INTEGER : kind != ORACLE_COMPLEX;
}

stn_format reduce_any_format(int is_integer, uint64_t *state)
{
    stn_format format;
    do
        format = (stn_format)reduce_below(state, STN_BUILTIN_FORMATS);
    while (!reduce_reads(is_integer, format));
    return format;
}

/* Scales near 1, so that sums of many formats stay numbers. */
static const double near_scales[] = {1.0, 0x1p-5, 0.3, 0.7, -0.25, 0x1p3, -1.7};

stn_storage reduce_source(stn_format arithmetic, stn_format format, uint64_t *state)
{
    stn_storage storage = stn_storage_of(format);
    const int is_integer = oracle_formats[format].kind == ORACLE_INTEGER;
    const int64_t way = reduce_below(state, 4);
    if (way > 0 && is_integer)
        storage.zero = (double)reduce_below(state, 5);
    else if (way == 1)
        storage.zero = 0.75;
    if (way > 1 && arithmetic != STN_I64)
        storage.scale = near_scales[reduce_below(state, 7)];
    if (way == 3 && arithmetic != STN_I64 && reduce_below(state, 2))
        storage = order_storage(arithmetic, format, state);
    return storage;
}

stn_storage reduce_target(stn_format arithmetic, int gives_integer, stn_format format,
                          uint64_t *state)
{
    stn_storage storage = stn_storage_of(format);
    const int is_integer = oracle_formats[format].kind == ORACLE_INTEGER;
    if (reduce_below(state, 3) == 0)
        return storage;
    if (!gives_integer)
        return order_target(arithmetic, format, state);
    if (is_integer)
        storage.zero = (double)reduce_below(state, 5);
    else if (reduce_below(state, 2))
        storage.rounding = STN_ROUND_TOWARD_ZERO;
    return storage;
}

/* ---- cases ---- */

static kernel_array make(reduce_wish wish, stn_format format, reduce_shape own, uint64_t *state)
{
    int64_t stride[KERNEL_RANK];
    reduce_lay_out(own, wish.layout, state, stride);
    if (wish.layout == REDUCE_STRIDED)
        for (int d = 0; d < own.rank; d++)
            stride[d] = reduce_below(state, 12) == 0 ? 0 : stride[d];
    const int is_plain = (wish.layout == REDUCE_PLAIN && wish.format >= 0) || wish.is_plain ||
                         reduce_below(state, 4) == 0;
    const stn_storage storage =
        is_plain ? stn_storage_of(format) : reduce_source(wish.arithmetic, format, state);
    return reduce_make(storage, own.rank, own.extent, stride, wish.kind, state);
}

reduce_case reduce_begin(reduce_wish wish, uint64_t *state)
{
    const kernel_numbers numbers = {0.7, {0.6, -0.8}, INT64_C(0x4000000000000123), 5ull << 60 | 1};
    const reduce_model *model = &reduce_models[wish.model];
    reduce_case c = {model, wish.arithmetic, wish.over.rank, {0}, numbers, {{.rank = 0}}};
    memcpy(c.extent, wish.over.extent, sizeof c.extent);
    for (int v = 0; v < model->views; v++) {
        const int is_broadcast = v > 0 && wish.layout != REDUCE_PLAIN && reduce_below(state, 2);
        const stn_format format =
            wish.format >= 0 ? wish.format : reduce_any_format(model->is_integer, state);
        const reduce_shape field = {1, {1 + reduce_below(state, 9)}};
        const reduce_shape own = v > 0 && v == model->field ? field
                                 : is_broadcast             ? reduce_broadcast(wish.over, state)
                                                            : wish.over;
        c.arrays[v] = make(wish, format, own, state);
    }
    return c;
}

void reduce_end(reduce_case *c)
{
    for (int v = 0; v < c->model->views; v++)
        kernel_drop(&c->arrays[v]);
}

const char *reduce_words(const reduce_case *c, const char *way, unsigned reduced, int setting)
{
    static char words[900];
    int at = snprintf(words, sizeof words, "%s %s %x in %s on %s over", c->model->name, way,
                      reduced, oracle_formats[c->arithmetic].name, reduce_setting_name(setting));
    for (int d = 0; d < c->rank; d++)
        at += snprintf(words + at, sizeof words - (size_t)at, " %" PRId64, c->extent[d]);
    for (int v = 0; v < c->model->views; v++) {
        const kernel_array *a = &c->arrays[v];
        at += snprintf(words + at, sizeof words - (size_t)at, "; %s %a %g strides",
                       oracle_formats[a->storage.format].name, a->storage.scale, a->storage.zero);
        for (int d = 0; d < a->rank; d++)
            at += snprintf(words + at, sizeof words - (size_t)at, " %" PRId64 "(%" PRId64 ")",
                           a->stride[d], a->extent[d]);
    }
    return words;
}

/* ---- executors and instruction sets ---- */

static const char *const resources[REDUCE_EXECUTORS] = {"reference",         OPENMP ":threads=1",
                                                        "threads:threads=2", OPENMP ":threads=3",
                                                        "threads:threads=7", OPENMP ":threads=64"};
static stn_exec *executors[REDUCE_EXECUTORS];

int reduce_settings(void)
{
    int count = 0;
    for (int isa = 0; isa < STN_ISA_COUNT; isa++)
        count += stn_isa_available((stn_isa)isa) ? REDUCE_EXECUTORS : 0;
    return test_exec() ? 1 : count;
}

static stn_isa isa_of(int setting)
{
    int left = setting / REDUCE_EXECUTORS;
    for (int isa = 0; isa < STN_ISA_COUNT; isa++)
        if (stn_isa_available((stn_isa)isa) && left-- == 0)
            return (stn_isa)isa;
    fail_msg("no setting %d", setting);
    return STN_ISA_C;
}

const stn_exec *reduce_use(int setting)
{
    const int k = setting % REDUCE_EXECUTORS;
    expect_ok(stn_isa_use(isa_of(setting)));
    if (test_exec())
        return test_exec();
    if (!executors[k] && stn_exec_create(&executors[k], resources[k]) != STN_OK)
        fail_msg("%s", stn_error());
    return executors[k];
}

const char *reduce_setting_name(int setting)
{
    static char name[64];
    (void)snprintf(name, sizeof name, "%s on %s", resources[setting % REDUCE_EXECUTORS],
                   stn_isa_name(isa_of(setting)));
    return test_exec_name() ? test_exec_name() : name;
}

void reduce_release(void)
{
    for (int k = 0; k < REDUCE_EXECUTORS; k++) {
        stn_exec_release(executors[k]);
        executors[k] = NULL;
    }
    test_exec_release();
}

int reduce_every_setting, reduce_case_number;

int reduce_has_turn(int setting)
{
    const int sets = reduce_settings() / REDUCE_EXECUTORS;
    const int executor = setting % REDUCE_EXECUTORS, last = REDUCE_EXECUTORS - 1;
    if (test_exec())
        return 1;
    if (executor == last && reduce_case_number % 8 != 0)
        return 0;
    if (reduce_every_setting)
        return 1;
    if (!oracle_full() && executor % last > 0 &&
        executor - 1 != reduce_case_number / sets % (last - 1))
        return 0;
    return setting / REDUCE_EXECUTORS == reduce_case_number % sets;
}
