/* Events of views. */
#include "view/trace.h"

#include "format/registry.h"

stn_event_data stn_view_trace(const stn_view *view)
{
    const stn_format_entry *entry = stn_format_entry_of(view->storage.format);
    const uint64_t bytes = entry ? (uint64_t)entry->info.bytes : 0;
    return (stn_event_data){.label = view->label,
                            .space = stn_space_name((stn_space)view->space),
                            .data = view->data,
                            .bytes = (uint64_t)stn_view_count(view) * bytes};
}

uint64_t stn_trace_begin_now(const char *kernel, const stn_view *output)
{
    return stn_event_kernel_begins(kernel, stn_view_trace(output));
}

void stn_trace_end_now(const char *kernel, const stn_view *output, uint64_t id)
{
    stn_event_kernel_ends(kernel, stn_view_trace(output), id);
}
