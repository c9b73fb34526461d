/* Launches on devices: each view's storage and numbers are handed to a text that is compiled once.
 */
#include "map/remote.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/device.h"
#include "expr/program.h"
#include "expr/source.h"
#include "view/layout/mapping.h"
#include "view/number.h"
#include "view/remote.h"

enum { THREADS = 128, MOST_BLOCKS = 0x7fffffff, MOST_NUMBERS = 450, MOST_ARGUMENTS = 50 };

typedef struct remote {
    stn_launch *launch;
    stn_device *device;
    stn_source source;
    int64_t numbers[MOST_NUMBERS];
    int32_t words[STN_MOST_PARAMETERS]; /* what the kernel tells */
    void *handles[MOST_ARGUMENTS];
    stn_device_argument arguments[MOST_ARGUMENTS];
    int count; /* of arguments */
    uint64_t reach;
} remote;

static const char *name_of(const remote *r, int at)
{
    return r->launch->kernel->parameters[at].name;
}

/* ---- numbers ---- */

static int add_number(remote *r, int64_t number)
{
    if (r->source.numbers < MOST_NUMBERS)
        r->numbers[r->source.numbers] = number;
    return r->source.numbers++;
}

static int add_bits(remote *r, double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return add_number(r, bits);
}

static void add_parameter(remote *r, int at)
{
    const stn_number *const number = &r->launch->numbers[at];
    int64_t bits[2] = {0, 0};
    const int is_c64 = r->launch->arithmetic == STN_C64;
    if (r->launch->kernel->parameters[at].kind != STN_PARAMETER_REAL)
        memcpy(bits, number, sizeof *bits);
    else if (is_c64) {
        memcpy(bits, &number->c64.re, sizeof number->c64.re);
        memcpy(bits + 1, &number->c64.im, sizeof number->c64.im);
    } else
        memcpy(bits, number, (size_t)r->launch->bytes);
    r->source.number[at] = add_number(r, bits[0]);
    if (r->launch->bytes == 16 || is_c64)
        (void)add_number(r, bits[1]);
}

/* ---- views ---- */

static stn_status check_view(const remote *r, int at)
{
    const stn_view *const view = r->launch->slots[at].view;
    const char *what = NULL;
    if (view->mapping && view->mapping->layout.kind == STN_LAYOUT_CUSTOM)
        what = "has a custom layout, whose functions are the host's";
    else if (view->scales.data)
        what = "has scales that differ between elements, which devices do not compute with";
    else if (view->storage.format >= STN_BUILTIN_FORMATS)
        what = "is of a registered format, whose functions are the host's";
    else if (view->storage.counters)
        what = "has counters, which no device counts in";
    return what ? stn_fail(STN_ERR_UNSUPPORTED, "kernel %s: %s %s", r->launch->kernel->name,
                           stn_view_words(view), what)
                : STN_OK;
}

/* By the dimensions of the space, or of a view that is asked for by indices of its own. */
static int is_of_space(const stn_slot *slot)
{
    return slot->kind < STN_PARAMETER_SHIFTED;
}

/* A dimension of the space is one of the view's, counted from the last one, or none. */
static int view_dimension(const remote *r, const stn_slot *slot, int d)
{
    const stn_view *const view = slot->view;
    const int own = is_of_space(slot) ? d - (r->launch->rank - view->rank) : d;
    const int repeats = own >= 0 && is_of_space(slot) && view->extent[own] == 1;
    return repeats ? -1 : own;
}

/* Of a mapped view: in indices of the mapping. */
static int64_t stride_of(const remote *r, const stn_slot *slot, int d)
{
    const int own = view_dimension(r, slot, d);
    if (slot->view->mapping || !is_of_space(slot))
        return own < 0 ? 0 : slot->view->stride[own];
    return slot->stride[d];
}

static void add_mapping(remote *r, const stn_slot *slot, stn_source_view *v)
{
    const stn_view *const view = slot->view;
    const stn_mapping *const mapping = view->mapping;
    const int is_tiled = mapping->layout.kind == STN_LAYOUT_TILED;
    v->layout = is_tiled ? STN_SOURCE_TILED : STN_SOURCE_MORTON;
    v->mapping = r->source.numbers;
    v->mapping_rank = mapping->rank;
    for (int m = 0; m < mapping->rank; m++) {
        (void)add_number(r, view->base[m]);
        (void)add_number(r, is_tiled ? mapping->layout.tile[m] : (int64_t)mapping->mask[m]);
        if (is_tiled) {
            (void)add_number(r, mapping->across[m]);
            (void)add_number(r, mapping->within[m]);
        }
    }
    for (int d = 0; d < v->rank; d++) {
        const int own = view_dimension(r, slot, d);
        v->axis[d] = own < 0 ? -1 : view->axis[own];
    }
    r->reach = (uint64_t)mapping->span > r->reach ? (uint64_t)mapping->span : r->reach;
}

static void add_strides(remote *r, const stn_slot *slot, stn_source_view *v, int64_t offset)
{
    const int of_space = is_of_space(slot);
    uint64_t reach = 0;
    v->rank = of_space ? r->launch->rank : slot->view->rank;
    v->place = add_number(r, offset);
    for (int d = 0; d < v->rank; d++) {
        const int64_t stride = stride_of(r, slot, d);
        const int64_t extent = of_space ? r->launch->extent[d] : slot->view->extent[d];
        v->step[d] = (signed char)(stride == 0 || stride == 1 ? stride : 2);
        (void)add_number(r, stride);
        reach += (uint64_t)extent * (uint64_t)(stride < 0 ? -stride : stride);
    }
    r->reach = reach > r->reach ? reach : r->reach;
    if (slot->view->mapping)
        add_mapping(r, slot, v);
}

static void add_extents(remote *r, const stn_view *view, stn_source_view *v)
{
    v->extents = r->source.numbers;
    for (int d = 0; d < view->rank; d++)
        (void)add_number(r, view->extent[d]);
}

/* Numbers of elements are linear in the indices: of a view as it is, in C order of the space, whose
 * dimensions may have been joined; of a part, of the whole. */
static void add_draws(remote *r, const stn_slot *slot, stn_source_view *v)
{
    const stn_view *const view = slot->view;
    int64_t steps[STN_MAX_RANK], step = 1, index[STN_MAX_RANK] = {0};
    v->is_stochastic = slot->written && view->storage.rounding == STN_ROUND_STOCHASTIC;
    if (!v->is_stochastic)
        return;
    const uint64_t first = stn_view_number(view, index);
    for (int d = v->rank - 1; d >= 0; d--) {
        const int own = view_dimension(r, slot, d);
        steps[d] = step;
        step *= r->launch->extent[d];
        if (is_of_space(slot) && !view->draws && !view->mapping)
            continue;
        index[own < 0 ? 0 : own] = own >= 0;
        steps[d] = own < 0 ? 0 : (int64_t)(stn_view_number(view, index) - first);
        index[own < 0 ? 0 : own] = 0;
    }
    v->draws = add_number(r, (int64_t)slot->reader.run.rules.seed);
    (void)add_number(r, (int64_t)first);
    for (int d = 0; d < v->rank; d++)
        (void)add_number(r, steps[d]);
}

static stn_status add_view(remote *r, int at)
{
    const stn_slot *const slot = &r->launch->slots[at];
    const stn_run *const run = &slot->reader.run;
    stn_source_view *const v = &r->source.views[at];
    int64_t offset = 0;
    STN_TRY(check_view(r, at));
    if (stn_view_count(slot->view) > 0) {
        STN_TRY(stn_launch_blame(r->launch, "",
                                 stn_remote_expect_here(name_of(r, at), r->device, slot->view)));
        STN_TRY(stn_device_locate(r->device, slot->view->data, &r->handles[r->count], &offset));
    }
    memset(v, 0, sizeof *v);
    v->format = run->entry->info.name;
    v->bytes = (int)run->bytes;
    add_strides(r, slot, v, offset);
    if (!is_of_space(slot))
        add_extents(r, slot->view, v);
    v->has_scale = run->arithmetic != STN_I64 && run->affine.scale != 1.0;
    v->has_zero = slot->view->storage.zero != 0.0;
    if (v->has_scale || v->has_zero) {
        v->affine = add_bits(r, run->affine.scale);
        (void)add_bits(r, slot->view->storage.zero);
    }
    v->rounding = (int)run->rules.rounding;
    v->overflow = (int)run->rules.overflow;
    v->returns = slot->kind != STN_PARAMETER_INOUT || stn_run_returns(run) == STN_RETURNS_ALL;
    add_draws(r, slot, v);
    r->arguments[r->count] = (stn_device_argument){&r->handles[r->count], sizeof(void *), 0};
    r->count++;
    return STN_OK;
}

/* ---- the whole ---- */

/* The names of indices stand in one text, with commas between. */
static void find_names(remote *r, const stn_parameter *p)
{
    const char *name = p->name;
    for (int d = 0; d < p->rank; d++) {
        name += strspn(name, " ,");
        r->source.names[d] = name;
        r->source.lengths[d] = (int)strcspn(name, " ,");
        name += r->source.lengths[d];
    }
}

static stn_status describe(remote *r)
{
    stn_launch *const launch = r->launch;
    uint64_t count = 1;
    r->source.kernel = launch->kernel;
    r->source.arithmetic = launch->arithmetic;
    r->source.rank = launch->rank;
    r->source.has_f64 = r->device->has_f64;
    r->source.tells = launch->stencil.fields > 0;
    for (int d = 0; d < launch->rank; d++)
        count *= (uint64_t)launch->extent[d];
    (void)add_number(r, (int64_t)count);
    for (int d = 0; d < launch->rank; d++)
        (void)add_number(r, launch->extent[d]);
    r->count = 1;
    r->reach = count;
    for (int at = 0; at < launch->kernel->count; at++) {
        if (launch->slots[at].view)
            STN_TRY(add_view(r, at));
        else if (launch->kernel->parameters[at].kind == STN_PARAMETER_AT)
            find_names(r, &launch->kernel->parameters[at]);
        else
            add_parameter(r, at);
    }
    r->source.is_wide = r->reach > INT32_MAX;
    if (r->source.numbers > MOST_NUMBERS)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "kernel %s: %d numbers of its views are more than the %d that a device "
                        "is given",
                        launch->kernel->name, r->source.numbers, MOST_NUMBERS);
    r->arguments[0] =
        (stn_device_argument){r->numbers, (size_t)r->source.numbers * sizeof *r->numbers, 1};
    return STN_OK;
}

static void add_part(stn_device_key *key, const void *bytes, size_t size)
{
    key->part[key->count].bytes = bytes;
    key->part[key->count++].size = size;
}

/* What the text follows from: the kernel with its words, and how its views are stored. */
static void make_key(const remote *r, stn_device_key *key)
{
    const stn_kernel *const kernel = r->launch->kernel;
    key->count = 0;
    add_part(key, &r->source, sizeof r->source);
    add_part(key, kernel->text, strlen(kernel->text));
    add_part(key, kernel->parameters, (size_t)kernel->count * sizeof *kernel->parameters);
    for (int at = 0; at < kernel->count; at++)
        add_part(key, name_of(r, at), strlen(name_of(r, at)) + 1);
    for (int d = 0; d < STN_MAX_RANK && r->source.names[d]; d++)
        add_part(key, r->source.names[d], (size_t)r->source.lengths[d]);
}

static stn_status find_function(const remote *r, stn_device_function *function)
{
    char name[256];
    char *text;
    stn_device_key key = {.name = name};
    snprintf(name, sizeof name, "steno_%s", r->launch->kernel->name);
    make_key(r, &key);
    if (stn_device_has_kernel(r->device, &key, function))
        return STN_OK;
    STN_TRY(stn_source_write(&r->source, &text));
    const stn_status status = stn_device_make_kernel(r->device, &key, text, "", function);
    stn_free(text);
    return status;
}

static stn_status queue(remote *r)
{
    const uint64_t blocks = ((uint64_t)r->numbers[0] + THREADS - 1) / THREADS;
    stn_device_function function;
    STN_TRY(find_function(r, &function));
    return stn_device_launch(r->device, function.name, function.function,
                             blocks < MOST_BLOCKS ? (unsigned)blocks : MOST_BLOCKS, THREADS,
                             r->arguments, r->count);
}

/* With words in the device's memory, in which the kernel tells what it was asked for. */
static stn_status queue_telling(remote *r)
{
    stn_launch *const launch = r->launch;
    void *words;
    int64_t offset;
    STN_TRY(stn_device_allocate(r->device, launch->kernel->name, STN_SPACE_DEVICE, sizeof r->words,
                                &words));
    stn_status status = stn_device_locate(r->device, words, &r->handles[r->count], &offset);
    r->arguments[r->count] = (stn_device_argument){&r->handles[r->count], sizeof(void *), 0};
    r->count++;
    if (status == STN_OK)
        status = stn_device_fill(r->device, words, 0, sizeof r->words);
    if (status == STN_OK)
        status = queue(r);
    if (status == STN_OK)
        status = stn_device_copy(r->device, r->words, words, sizeof r->words);
    if (status == STN_OK)
        status = stn_device_wait(r->device);
    stn_device_free(r->device, STN_SPACE_DEVICE, words);
    for (int at = 0; at < launch->kernel->count && status == STN_OK; at++)
        launch->beyond[at] = r->words[at];
    return status;
}

stn_status stn_launch_remote(stn_launch *launch)
{
    remote r;
    memset(&r, 0, sizeof r); /* also between the members of what becomes part of a key */
    r.launch = launch;
    r.device = launch->exec->device;
    if (stn_program_is_loop(launch->loop))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "kernel %s: a text given at run time runs on the host: what it defines, "
                        "such as x / 0 of integers, compilers of devices do not",
                        launch->kernel->name);
    if (!launch->kernel->text)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "kernel %s: a device needs its text, which steno_embed_kernels gives it",
                        launch->kernel->name);
    STN_TRY(describe(&r));
    for (int at = 0; at < launch->kernel->count; at++)
        launch->beyond[at] = launch->unassigned[at] = 0;
    if (r.numbers[0] == 0)
        return STN_OK;
    return r.source.tells ? queue_telling(&r) : queue(&r);
}
