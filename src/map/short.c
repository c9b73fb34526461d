/* Launches on vectors of values that one thread processes: one call of the loop, in place. */
#include "core/event.h"
#include "core/tune.h"
#include "expr/program.h"
#include "map/launch.h"
#include "view/plain.h"

enum { MAX_VIEWS = 6 };

typedef struct vectors {
    stn_format arithmetic;
    int64_t count, bytes; /* elements of each, bytes of all elements */
    int views;
    struct {
        uintptr_t begin;
        int is_written;
    } view[MAX_VIEWS];
} vectors;

static stn_tile_loop *loop_of(const stn_kernel *kernel, stn_format arithmetic)
{
    return arithmetic == STN_F64    ? kernel->f64
           : arithmetic == STN_F32  ? kernel->f32
           : arithmetic == STN_I64  ? kernel->i64
           : arithmetic == STN_C128 ? kernel->c128
           : arithmetic == STN_C64  ? kernel->c64
                                    : NULL;
}

/* Such loops may match formats of the views. */
static int has_fused_loops(const stn_kernel *kernel)
{
    for (const stn_fused_loop *const *at = kernel->fused; at != kernel->fused_end; at++)
        if ((*at)->parameters == kernel->parameters)
            return 1;
    return 0;
}

/* Written vectors must be disjoint from all others. */
static int add_view(vectors *all, const stn_view *view, int is_written)
{
    if (!stn_view_is_at_hand(view) || view->rank != 1 || view->storage.format != all->arithmetic ||
        view->extent[0] <= 0 || (view->stride[0] != 1 && view->extent[0] != 1) ||
        all->views == MAX_VIEWS || (is_written && stn_view_is_read_only(view)))
        return 0;
    const uintptr_t begin = (uintptr_t)view->data;
    if (all->views == 0) {
        all->count = view->extent[0];
        all->bytes = all->count * stn_format_entry_of(all->arithmetic)->info.bytes;
    }
    if (view->extent[0] != all->count)
        return 0;
    for (int v = 0; v < all->views; v++) {
        const uintptr_t other = all->view[v].begin;
        const uintptr_t distance = begin > other ? begin - other : other - begin;
        if ((is_written || all->view[v].is_written) && distance < (uintptr_t)all->bytes)
            return 0;
    }
    all->view[all->views].begin = begin;
    all->view[all->views++].is_written = is_written;
    return 1;
}

static stn_number number_of(stn_format arithmetic, const stn_argument *argument)
{
    switch (arithmetic) {
    case STN_F64:
        return (stn_number){.f64 = argument->real};
    case STN_F32:
        return (stn_number){.f32 = (float)argument->real};
    case STN_I64:
        return (stn_number){.i64 = argument->index};
    case STN_C128:
        return (stn_number){.c128 = argument->complex_number};
    default:
        return (stn_number){
            .c64 = {(float)argument->complex_number.re, (float)argument->complex_number.im}};
    }
}

/* The arguments of the kernel, in the tile; 0 if they are others. */
static int set_arguments(stn_tile *tile, vectors *all, const stn_kernel *kernel,
                         const stn_argument *arguments)
{
    for (int at = 0; at < kernel->count; at++) {
        const stn_parameter_kind kind = kernel->parameters[at].kind;
        const stn_argument *const argument = &arguments[at];
        if (kind == STN_PARAMETER_REAL)
            tile->numbers[at] = number_of(all->arithmetic, argument);
        else if (kind < STN_PARAMETER_AT)
            tile->numbers[at].u64 = argument->bits;
        else if (kind < STN_PARAMETER_IN || kind > STN_PARAMETER_OUT ||
                 !add_view(all, argument->view, kind != STN_PARAMETER_IN))
            return 0;
        else
            tile->values[at] = argument->view->data;
    }
    return all->views > 0;
}

int stn_launch_short(const stn_exec *exec, const stn_kernel *kernel, stn_format arithmetic,
                     const stn_argument *arguments)
{
    stn_tile_loop *const loop = loop_of(kernel, arithmetic);
    vectors all = {.arithmetic = arithmetic};
    stn_tile tile; /* large: only used members are set */
    if (!loop || kernel->is_checked || stn_program_is_loop(loop) || !stn_exec_is_ready(exec) ||
        stn_event_is_traced() || has_fused_loops(kernel) ||
        !set_arguments(&tile, &all, kernel, arguments) || all.bytes > STN_LONG_BYTES ||
        (exec->threads > 1 && !stn_is_for_one_thread(32.0 * (double)all.count)))
        return 0;
    tile.index[0] = 0;
    tile.step[0] = 1;
    tile.count = all.count;
    tile.kernel = kernel;
    tile.flags = NULL;
    tile.buffer = NULL;
    loop(&tile);
    return 1;
}
