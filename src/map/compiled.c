/* Launches of compiled kernels on the host: threads process rows or blocks of rows. */
#include "map/compiled.h"

#include <stdio.h>
#include <string.h>

#include "core/event.h"
#include "core/memory.h"
#include "core/status.h"
#include "exec/host/host.h"
#include "expr/program.h"
#include "map/describe.h"
#include "view/trace.h"

enum { MIN_ROW = 16, MIN_BLOCK = 512, MAX_BLOCK = 16384, LINE = 128 };

typedef struct job {
    const stn_description *r;
    stn_host_function *function;
    char *memory[STN_DESCRIBED_ARGUMENTS];
    int *words;
    int64_t pieces, per_row, block;
} job;

int stn_launch_may_compile(const stn_exec *exec, const stn_kernel *kernel)
{
    return stn_exec_has_loops(exec) && exec->alive == STN_EXEC_ALIVE && exec->compiler &&
           kernel->text && !kernel->is_checked && stn_device_is_current(exec->compiler);
}

/* ---- kinds of launches ---- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

/* Returns the product of the extents. */
static double mix_extents(uint64_t *hash, int rank, const int64_t *extents)
{
    double elements = 1;
    for (int d = 0; d < rank; d++) {
        const uint64_t extent = extents[d] > 0 ? (uint64_t)extents[d] : 1;
        *hash = mix(*hash, (uint64_t)__builtin_clzll(extent));
        elements *= (double)extent;
    }
    return elements;
}

static double mix_view(uint64_t *hash, const stn_view *view)
{
    const int rank = view->rank > STN_MAX_RANK ? STN_MAX_RANK : view->rank;
    const stn_storage *const s = &view->storage;
    const uint64_t is_scaled = s->scale != 1, has_zero = s->zero != 0, counts = s->counters != NULL;
    *hash = mix(*hash, (uint64_t)s->format << 32 | (uint64_t)s->rounding << 24 |
                           (uint64_t)s->overflow << 16 | view->traits);
    *hash = mix(*hash, is_scaled | has_zero << 1 | counts << 2 | (uint64_t)!view->extra << 3);
    for (int d = 0; d < rank; d++)
        *hash = mix(*hash,
                    view->stride[d] == 0 || view->stride[d] == 1 ? (uint64_t)view->stride[d] : 2);
    return mix_extents(hash, rank, view->extent);
}

uint64_t stn_launch_kind(const stn_kernel *kernel, stn_format arithmetic, int rank,
                         const int64_t *extents, const stn_argument *arguments, double *elements)
{
    const stn_argument *argument = arguments;
    uint64_t hash = mix((uint64_t)(uintptr_t)kernel, (uint64_t)arithmetic);
    *elements =
        extents ? mix_extents(&hash, rank < STN_MAX_RANK ? rank : STN_MAX_RANK, extents) : 1;
    for (int at = 0; at < kernel->count; at++) {
        const stn_parameter_kind kind = kernel->parameters[at].kind;
        if (stn_parameter_is_view(kind) && argument->view) {
            const double count = mix_view(&hash, argument->view);
            *elements = count > *elements ? count : *elements;
        }
        argument += kind != STN_PARAMETER_AT;
    }
    return hash;
}

/* ---- when compilation pays off ---- */

/* Radii that tiles refuse are refused. */
static int fits_rows(const stn_launch *launch)
{
    int fits = 1;
    for (int f = 0; f < launch->stencil.views; f++)
        fits &= stn_stencil_fits_rows(&launch->kernel->parameters[launch->stencil.view_at[f]]);
    return fits;
}

/* Rows of a compiled kernel have stride 1 or 0. */
static int has_rows(const stn_launch *launch)
{
    const int last = launch->rank - 1;
    int has = launch->extent[last] >= MIN_ROW || launch->rank == 1;
    for (int v = 0; v < launch->views && has; v++) {
        const stn_slot *const slot = &launch->slots[launch->view_at[v]];
        has = slot->reader.plain &&
              (slot->stride[last] == 0 || slot->stride[last] == 1 || launch->extent[last] == 1);
    }
    return has && fits_rows(launch);
}

/* ---- the kernel ---- */

static int is_complex(stn_format arithmetic)
{
    return arithmetic == STN_C128 || arithmetic == STN_C64;
}

static stn_status create_function(const stn_description *r, const stn_device_key *key,
                                  stn_device_function *function)
{
    /* gcc fuses products of complex numbers that it vectorizes */
    const char *const options = is_complex(r->source->arithmetic) ? "-fno-tree-vectorize" : "";
    char *text;
    STN_TRY(stn_source_write(r->source, &text));
    const stn_status status = stn_device_create_kernel(r->device, key, text, options, function);
    stn_free(text);
    return status;
}

/* NULL, and a note for new reasons, if there is none. */
static stn_host_function *find_function(const stn_description *r)
{
    char name[256];
    stn_device_key key = {.name = name};
    stn_device_function found = {NULL, NULL};
    stn_host_function *function;
    snprintf(name, sizeof name, "steno_%s", r->launch->kernel->name);
    stn_describe_key(r, &key);
    if (!stn_device_has_kernel(r->device, &key, &found) &&
        create_function(r, &key, &found) != STN_OK)
        stn_event_note(r->launch->kernel->name, "the kernel runs by tiles instead: %s",
                       stn_error());
    memcpy(&function, &found.function, sizeof function);
    return function;
}

/* ---- running ---- */

static void run_share(void *context, int part, int parts)
{
    const job *const j = context;
    int64_t piece[4] = {0, 0, j->per_row, j->block};
    stn_share(j->pieces, part, parts, &piece[0], &piece[1]);
    if (piece[0] < piece[1])
        j->function(j->r->numbers, j->memory, j->words, piece);
}

/* Blocks begin at multiples of cache lines of the stored elements. */
static void choose_pieces(const stn_launch *launch, int threads, job *j)
{
    const int64_t row = launch->extent[launch->rank - 1];
    int64_t rows = 1;
    for (int d = 0; d < launch->rank - 1; d++)
        rows *= launch->extent[d];
    j->block = rows * row / (8 * threads) / LINE * LINE;
    j->block = j->block < MIN_BLOCK ? MIN_BLOCK : j->block > MAX_BLOCK ? MAX_BLOCK : j->block;
    j->per_row = (row + j->block - 1) / j->block;
    j->pieces = rows * j->per_row;
}

static void calculate(stn_launch *launch, const stn_description *r, stn_host_function *function)
{
    const int threads = stn_launch_threads(launch);
    job j = {.r = r, .function = function, .words = launch->beyond};
    for (int k = 1; k < r->count; k++)
        j.memory[k - 1] = r->handles[k];
    choose_pieces(launch, threads, &j);
    const stn_view *const output = stn_launch_output(launch);
    const uint64_t trace = output ? stn_trace_begin(launch->kernel->name, output) : 0;
    stn_exec_run_parts(launch->exec, threads, run_share, &j);
    if (output)
        stn_trace_end(launch->kernel->name, output, trace);
}

/* Varying scales and custom layouts need tiles. */
static int describe(stn_description *r, const stn_launch *launch)
{
    const stn_status status = stn_describe(r, launch);
    r->source->reports = launch->stencil.views > 0;
    return status == STN_OK && !r->source->has_extra && stn_describe_end(r) == STN_OK;
}

stn_status stn_launch_compiled(stn_launch *launch, int rank, const int64_t *extents,
                               const stn_argument *arguments, int *done)
{
    stn_source source;
    stn_description r = {.source = &source};
    *done = 0;
    STN_TRY(stn_launch_plan_remote(launch, rank, extents, arguments));
    if (!stn_program_is_c(launch->kernel, launch->loop) || !has_rows(launch))
        return STN_OK;
    memset(&source, 0, sizeof source); /* including padding, because it becomes part of a key */
    stn_host_function *const function = describe(&r, launch) ? find_function(&r) : NULL;
    stn_describe_release(&r);
    if (!function)
        return STN_OK;
    for (int at = 0; at < launch->kernel->count; at++)
        launch->beyond[at] = launch->unassigned[at] = 0;
    if (r.numbers[0] > 0)
        calculate(launch, &r, function);
    *done = 1;
    return STN_OK;
}
