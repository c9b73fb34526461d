/* What the library says of compilations. */
#ifndef STENO_TEST_COMPILE_EVENTS_H
#define STENO_TEST_COMPILE_EVENTS_H

#include <stdio.h>

#include "steno/event.h"

static int compilations, notes;
static char last_note[512];

__attribute__((unused)) static void listen(const stn_event *event, void *context)
{
    (void)context;
    compilations += event->kind == STN_EVENT_COMPILE;
    if (event->kind == STN_EVENT_NOTE) {
        notes++;
        snprintf(last_note, sizeof last_note, "%s: %s", event->label, event->note);
    }
}

#endif
