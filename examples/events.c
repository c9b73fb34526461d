/* Prints the memory operations of the library when they occur. */
#include <inttypes.h>
#include <stdio.h>

#include "steno/steno.h"

static void print_event(const stn_event *event, void *context)
{
    static const char *const kinds[] = {"allocate", "free",   "copy",    "copied",  "begin",
                                        "end",      "resize", "resized", "compile", "note"};
    (void)context;
    printf("%-8s '%s', %" PRIu64 " bytes of %s\n", kinds[event->kind], event->label, event->bytes,
           event->space);
}

int main(void)
{
    const int64_t count = 1000;
    stn_view x, y;
    stn_event_set_hook(print_event, NULL);
    if (stn_view_create(NULL, &x, "x", stn_storage_of(STN_F16), 1, &count) ||
        stn_view_create_spec(NULL, &y,
                             &STN_VIEW_SPEC(.label = "y", .storage = stn_storage_of(STN_F64),
                                            .rank = 1, .extents = &count,
                                            .flags = STN_CREATE_UNINITIALIZED)) ||
        stn_view_copy(NULL, &y, &x)) {
        fprintf(stderr, "%s\n", stn_error());
        return 1;
    }
    stn_view_release(&x);
    stn_view_release(&y);
    return 0;
}
