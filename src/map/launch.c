/* Launching kernels. */
#include "map/panel.h"

#include "core/modes.h"
#include "core/status.h"
#include "blas/operand.h"
#include "view/told.h"

static void calculate_share(void *context, stn_workspace *workspace, int part, int parts)
{
    const stn_launch *launch = context;
    int64_t begin, end;
    stn_share(launch->pieces, part, parts, &begin, &end);
    if (begin < end)
        (launch->near.fields || launch->near.bounded ? stn_near_pieces
         : launch->blocks                            ? stn_panel_pieces
                          : stn_launch_tiles)(launch, workspace, begin, end);
}

/* The first view that is written. */
static const stn_view *output_of(const stn_launch *launch)
{
    for (int at = 0; at < launch->kernel->count; at++)
        if (launch->slots[at].view && launch->slots[at].written)
            return launch->slots[at].view;
    return NULL;
}

static stn_status tell_beyond(const stn_launch *launch, int at)
{
    return stn_fail(STN_ERR_RANGE, "kernel %s: an element of %s %s was asked for: %s",
                    launch->kernel->name, launch->kernel->parameters[at].name,
                    stn_parameter_is_near(launch->slots[at].kind) ? "beyond its radius"
                                                                  : "that it does not have",
                    stn_view_words(launch->slots[at].view));
}

static stn_status tell_unassigned(const stn_launch *launch, int at)
{
    return stn_fail(STN_ERR_ARGUMENT, "kernel %s: an element of %s was not assigned: %s",
                    launch->kernel->name, launch->kernel->parameters[at].name,
                    stn_view_words(launch->slots[at].view));
}

static stn_status tell_refused(const stn_launch *launch, int at)
{
    const stn_parameter *const parameters = launch->kernel->parameters;
    const stn_view *const view = launch->slots[at].view;
    const char *const name = launch->kernel->name;
    const int other = stn_launch_overlaps(launch, at);
    if (stn_view_is_read_only(view))
        return stn_fail(STN_ERR_ARGUMENT,
                        "kernel %s: STN_PUT stored nothing in %s, which is read-only: %s", name,
                        parameters[at].name, stn_view_words(view));
    if (other >= 0)
        return stn_fail(STN_ERR_ALIAS,
                        "kernel %s: STN_PUT stored nothing in %s, which overlaps %s: %s and %s",
                        name, parameters[at].name, parameters[other].name, stn_view_words(view),
                        stn_view_words(launch->slots[other].view));
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "kernel %s: STN_PUT stored nothing in %s: only kernels of elements store", name,
                    parameters[at].name);
}

stn_status stn_launch_tell(const stn_launch *launch)
{
    for (int at = 0; at < launch->kernel->count; at++) {
        if (launch->unassigned[at])
            return tell_unassigned(launch, at);
        if (!stn_parameter_is_field(launch->slots[at].kind))
            continue;
        if (launch->refused[at])
            return tell_refused(launch, at);
        if (launch->beyond[at])
            return tell_beyond(launch, at);
    }
    return STN_OK;
}

/* One does what takes less time than waking others: 2 us on Zen 4, for which axpy of f64 in the
 * first level of caches calculates 8192 elements, and a kernel of one exp 1000. */
static int threads_of(const stn_launch *launch)
{
    enum { ALONE = 4096 };
    int64_t elements = 1;
    for (int d = 0; d < launch->rank && elements < ALONE; d++)
        elements *= launch->extent[d];
    return elements < ALONE ? 1 : launch->exec->threads;
}

stn_status stn_kernel_refuse_version(const char *call)
{
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s: the program was compiled with headers of another version of Steno than "
                    "this library: compile it again",
                    call);
}

static stn_status run(const stn_exec *exec, stn_kernel *kernel, stn_format arithmetic, int rank,
                      const int64_t *extents, const stn_argument *arguments)
{
    stn_launch launch; /* large: only what is used is set */
    if (kernel && (kernel->size != sizeof *kernel || kernel->version != STN_KERNEL_VERSION))
        return stn_kernel_refuse_version("stn_kernel_run");
    if (!kernel || kernel->count < 0 || kernel->count > STN_MOST_PARAMETERS)
        return stn_fail(STN_ERR_ARGUMENT, "stn_kernel_run: no kernel");
    if (!arguments)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: arguments is NULL", kernel->name);
    STN_TRY(stn_exec_expect(kernel->name, exec));
    launch.exec = exec;
    launch.kernel = kernel;
    launch.arithmetic = arithmetic;
    STN_TRY(stn_launch_plan(&launch, rank, extents, arguments));
    STN_TRY(stn_launch_blame(&launch, "", stn_workspaces_take(exec, &launch.workspaces)));
    const stn_view *output = output_of(&launch);
    const uint64_t told = output ? stn_told_begins(kernel->name, output) : 0;
    if (launch.pieces > 0)
        stn_workspaces_run(launch.workspaces, threads_of(&launch), calculate_share, &launch);
    stn_workspaces_give_back(launch.workspaces);
    if (output)
        stn_told_ends(kernel->name, output, told);
    return stn_launch_tell(&launch);
}

stn_status stn_kernel_run(const stn_exec *exec, stn_kernel *kernel, stn_format arithmetic, int rank,
                          const int64_t *extents, const stn_argument *arguments)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = run(exec, kernel, arithmetic, rank, extents, arguments);
    stn_modes_leave(modes);
    return status;
}
