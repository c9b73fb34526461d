/* States of several values in device texts: a struct, the function that merges two of them, and one
 * function for each result. */
#include <string.h>

#include "expr/source_scan.h"

/* Items of a list in parentheses, separated by commas outside of other parentheses. */
typedef struct list {
    int count;
    const char *item[STN_STATE_VALUES];
    size_t letters[STN_STATE_VALUES];
} list;

static list split(const char *text)
{
    list found = {0};
    int depth = 0;
    const char *begin = text + 1;
    for (const char *at = text; *at; at++) {
        const int opens = strchr("([{", *at) != NULL, closes = strchr(")]}", *at) != NULL;
        depth += opens - closes;
        if ((depth == 1 && *at == ',') || depth == 0) {
            found.item[found.count] = begin;
            found.letters[found.count++] = (size_t)(at - begin);
            begin = at + 1;
        }
        if (depth == 0 || found.count == STN_STATE_VALUES)
            break;
    }
    return found;
}

/* Line k of "state (names)", merging statements, "(results)" and "(identity)". */
static const char *line_of(const char *operation_text, int line)
{
    const char *text = operation_text + strlen("state ");
    for (int k = 0; k < line; k++)
        text = strchr(text, '\n') + 1;
    return text;
}

static void put_item(stn_writer *w, const list *items, int k)
{
    stn_put_body(w, items->item[k], items->letters[k]);
}

static void put_struct(stn_writer *w, const list *names, const char *real)
{
    stn_put_text(w, "typedef struct {\n");
    for (int k = 0; k < names->count; k++) {
        stn_put(w, "    stn_%s ", real);
        put_item(w, names, k);
        stn_put_text(w, ";\n");
    }
    stn_put(w, "} stn_own_values_%s;\n", real);
}

void stn_put_state(stn_writer *w, const char *operation_text)
{
    const char *const real = stn_source_real(w->source->arithmetic);
    const char *const merge = line_of(operation_text, 1);
    const list names = split(line_of(operation_text, 0)),
               results = split(line_of(operation_text, 2));
    stn_put_foreign(w);
    put_struct(w, &names, real);
    stn_put(w,
            "STN_FN stn_own_values_%s stn_own_combined_%s(stn_own_values_%s a, "
            "const stn_own_values_%s b)\n{\n    {",
            real, real, real, real);
    stn_put_body(w, merge, strcspn(merge, "\n"));
    stn_put_text(w, "}\n    return a;\n}\n");
    for (int k = 0; k < results.count; k++) {
        stn_put(w,
                "STN_FN stn_%s stn_own_result_%d(const stn_own_values_%s a)\n{\n    return "
                "STN_VALUE_%s(",
                real, k, real, real);
        put_item(w, &results, k);
        stn_put_text(w, ");\n}\n");
    }
    stn_put_foreign_end(w);
    stn_put(w, "#define stn_own_finalized_%s stn_own_result_0\n", real);
}

void stn_put_state_element(stn_writer *w, const char *operation_text)
{
    const list names = split(line_of(operation_text, 0)), values = split(w->source->kernel->text);
    stn_put_text(w, "    stn_mapped stn_state_now;\n");
    for (int k = 0; k < names.count; k++) {
        stn_put_text(w, "    stn_state_now.");
        put_item(w, &names, k);
        stn_put(w, " = STN_VALUE_%s(", stn_source_real(w->source->arithmetic));
        put_item(w, &values, k);
        stn_put_text(w, ");\n");
    }
    stn_put_text(w, "    return stn_state_now;\n}\n");
}
