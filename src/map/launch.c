/* Launching kernels. */
#include "map/compiled.h"
#include "map/panel.h"
#include "map/remote.h"

#include <stdio.h>

#include "core/modes.h"
#include "core/nontemporal.h"
#include "core/status.h"
#include "core/tune.h"
#include "exec/host/host.h"
#include "view/trace.h"

static void calculate_share(void *context, stn_workspace *workspace, int part, int parts)
{
    const stn_launch *launch = context;
    int64_t begin, end;
    stn_share(launch->pieces, part, parts, &begin, &end);
    if (begin < end)
        (launch->stencil.views || launch->stencil.bounded ? stn_stencil_pieces
         : launch->blocks                                 ? stn_panel_pieces
                          : stn_launch_tiles)(launch, workspace, begin, end);
    if (launch->streams)
        stn_nontemporal_fence();
}

const stn_view *stn_launch_output(const stn_launch *launch)
{
    for (int at = 0; at < launch->kernel->count; at++)
        if (launch->slots[at].view && launch->slots[at].written)
            return launch->slots[at].view;
    return NULL;
}

static stn_status refuse_beyond(const stn_launch *launch, int at)
{
    const stn_parameter *const parameter = &launch->kernel->parameters[at];
    char where[160] = "outside its extents";
    if (launch->slots[at].kind == STN_PARAMETER_STENCIL) {
        int length = snprintf(where, sizeof where, "beyond its radius");
        for (int d = 0; d < parameter->rank; d++)
            length += snprintf(where + length, sizeof where - (size_t)length, "%s%d",
                               d ? " x " : " ", (int)parameter->offset[d]);
    }
    return stn_fail(STN_ERR_RANGE, "kernel %s: the body %s an element of %s %s: %s",
                    launch->kernel->name,
                    parameter->kind == STN_PARAMETER_SCATTER ? "stores or reads" : "reads",
                    parameter->name, where, stn_view_text(launch->slots[at].view));
}

static stn_status refuse_unassigned(const stn_launch *launch, int at)
{
    return stn_fail(STN_ERR_ARGUMENT, "kernel %s: an element of %s was not assigned: %s",
                    launch->kernel->name, launch->kernel->parameters[at].name,
                    stn_view_text(launch->slots[at].view));
}

stn_status stn_launch_report(const stn_launch *launch)
{
    for (int at = 0; at < launch->kernel->count; at++) {
        if (launch->unassigned[at])
            return refuse_unassigned(launch, at);
        if (stn_parameter_is_field(launch->slots[at].kind) && launch->beyond[at])
            return refuse_beyond(launch, at);
    }
    return STN_OK;
}

/* Work that takes less time than waking threads is done by one: 2 us on Zen 4, in which axpy of f64
 * processes 8192 elements in L1, and a kernel with one exp 1000. The size is counted as 32 bytes
 * per element. */
int stn_launch_threads(const stn_launch *launch)
{
    double bytes = 32.0;
    for (int d = 0; d < launch->rank; d++)
        bytes *= (double)launch->extent[d];
    return stn_is_for_one_thread(bytes) ? 1 : launch->exec->threads;
}

/* The program was compiled with options that change arithmetic. */
static stn_status refuse_breaks(const stn_kernel *kernel, unsigned breaks)
{
    static const struct {
        unsigned breaks;
        const char *what, *flag;
    } rules[] = {
        {STN_BREAKS_REORDERED, "sums are reordered", "-fassociative-math"}, /* also fuses */
        {STN_BREAKS_FUSED, "products and sums are fused", "-ffp-contract=fast"},
        {STN_BREAKS_INVERTED, "quotients are approximate", "-freciprocal-math"},
        {STN_BREAKS_UNSIGNED, "zeros lose their signs", "-fno-signed-zeros"}};
    size_t k = 0;
    while (!(breaks & rules[k].breaks))
        k++;
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "kernel %s: %s in the program's loops, which changes results: compile without "
                    "%s, or what implies it (-ffast-math, -Ofast, -funsafe-math-optimizations)",
                    kernel->name, rules[k].what, rules[k].flag);
}

stn_status stn_kernel_expect(const char *call, const stn_kernel *kernel, size_t size)
{
    if (!kernel)
        return stn_fail(STN_ERR_ARGUMENT, "%s: kernel is NULL", call);
    if (kernel->size != size || kernel->version != STN_KERNEL_VERSION)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: the program was compiled with headers of another version of Steno "
                        "than this library: compile it again",
                        call);
    if (kernel->count < 0 || kernel->count > STN_MAX_PARAMETERS)
        return stn_fail(STN_ERR_ARGUMENT, "%s: kernel has %d parameters; 0 to %d are allowed", call,
                        (int)kernel->count, STN_MAX_PARAMETERS);
    if (kernel->text && stn_body_has_variable(kernel->text))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "kernel %s: static variables of a body must be const, because several "
                        "threads compute elements in an unspecified order",
                        kernel->name);
    const unsigned breaks = kernel->probe ? kernel->probe() : 0;
    return breaks ? refuse_breaks(kernel, breaks) : STN_OK;
}

stn_status stn_kernel_expect_exec(const stn_kernel *kernel, const stn_exec *exec)
{
    char call[160];
    if (stn_exec_expect(kernel->name, exec) == STN_OK)
        return STN_OK;
    (void)snprintf(call, sizeof call, "kernel %s", kernel->name);
    return stn_exec_expect(call, exec);
}

static stn_status calculate(stn_launch *launch)
{
    STN_TRY(
        stn_launch_error_prefix(launch, stn_workspaces_acquire(launch->exec, &launch->workspaces)));
    if (launch->pieces > 0)
        stn_workspaces_run(launch->workspaces, stn_launch_threads(launch), calculate_share, launch);
    stn_workspaces_return(launch->workspaces);
    return STN_OK;
}

/* *compiles: by compiled code if possible, otherwise set to 0. */
static stn_status run_planned(const stn_exec *exec, const stn_kernel *kernel, stn_format arithmetic,
                              int rank, const int64_t *extents, const stn_argument *arguments,
                              int *compiles)
{
    stn_launch launch;                 /* large: only used members are set */
    stn_slot slots[kernel->count + 1]; /* most kernels have few parameters */
    launch.slots = slots;
    launch.exec = exec;
    launch.kernel = kernel;
    launch.arithmetic = arithmetic;
    STN_TRY(stn_kernel_expect_exec(kernel, exec));
    if (*compiles) {
        STN_TRY(stn_launch_compiled(&launch, rank, extents, arguments, compiles));
        if (*compiles)
            return stn_launch_report(&launch);
    }
    STN_TRY((stn_exec_device(exec) ? stn_launch_plan_remote : stn_launch_plan)(&launch, rank,
                                                                               extents, arguments));
    const stn_view *output = stn_launch_output(&launch);
    const uint64_t trace = output ? stn_trace_begin(kernel->name, output) : 0;
    const stn_status status =
        stn_exec_device(exec) ? stn_launch_remote(&launch) : calculate(&launch);
    if (output)
        stn_trace_end(kernel->name, output, trace);
    return status ? status : stn_launch_report(&launch);
}

static stn_status run_either(const stn_exec *exec, const stn_kernel *kernel, stn_format arithmetic,
                             int rank, const int64_t *extents, const stn_argument *arguments,
                             int *compiles)
{
    if (!*compiles && rank == STN_RANK_BROADCAST && !extents &&
        stn_launch_short(exec, kernel, arithmetic, arguments))
        return STN_OK;
    return run_planned(exec, kernel, arithmetic, rank, extents, arguments, compiles);
}

static stn_status run(const stn_exec *exec, const stn_kernel *kernel, stn_format arithmetic,
                      int rank, const int64_t *extents, const stn_argument *arguments)
{
    int compiles = 0;
    double elements;
    STN_TRY(stn_kernel_expect("stn_kernel_run", kernel, sizeof *kernel));
    if (!arguments)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: arguments is NULL", kernel->name);
    if (!stn_launch_may_compile(exec, kernel))
        return run_either(exec, kernel, arithmetic, rank, extents, arguments, &compiles);
    const uint64_t kind = stn_launch_kind(kernel, arithmetic, rank, extents, arguments, &elements);
    const stn_host_trial trial = stn_host_begin(exec->compiler, kind);
    compiles = trial.is_compiled;
    STN_TRY(run_either(exec, kernel, arithmetic, rank, extents, arguments, &compiles));
    stn_host_end(exec->compiler, &trial, compiles, elements);
    return STN_OK;
}

stn_status stn_kernel_run(const stn_exec *exec, const stn_kernel *kernel, stn_format arithmetic,
                          int rank, const int64_t *extents, const stn_argument *arguments)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = run(exec, kernel, arithmetic, rank, extents, arguments);
    stn_modes_leave(modes);
    return status;
}
