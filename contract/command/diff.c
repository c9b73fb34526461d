/* steno contract diff: differences between two files, quantity by quantity. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "contract/command/contract.h"
#include "contract/command/json.h"
#include "core/memory.h"

static const char help[] =
    "usage: steno contract diff OLD NEW [OPTION]...\n\n"
    "Compares the operations of functions in two files: whole functions and their main loops.\n\n"
    "  --fn NAME    symbol of a function; /EXPRESSION/ selects all whose demangled names match\n"
    "  --loop LOOP  main, none (the whole function) or a number\n"
    "  --json       print one JSON object instead\n";

/* The files before and after, the functions chosen from each, and both lists sorted by name. */
typedef struct pair {
    stn_image *image[2];
    contract_choice choice[2];
    const stn_symbol **sorted[2];
    int32_t same, changed, alone; /* functions */
    json_t *functions;            /* the functions that differ; NULL: printed as text */
} pair;

/* A function in both files, or ABSENT in one of them (JSON only). */
enum { ABSENT = -1 };
typedef struct comparison {
    int32_t function[2];
    int differences;
    json_t *json[2]; /* NULL for text */
} comparison;

static int compare_names(const stn_symbol *one, const stn_symbol *other)
{
    const int names = strcmp(one->symbol, other->symbol);
    return names ? names : strcmp(one->target, other->target);
}

/* Functions with the same name, such as static ones, keep their order: the k-th is compared with
 * the k-th. */
static int compare_places(const void *one, const void *other)
{
    const stn_symbol *left = *(const stn_symbol *const *)one;
    const stn_symbol *right = *(const stn_symbol *const *)other;
    const int names = compare_names(left, right);
    return names ? names : (left > right) - (left < right);
}

static stn_status sort(pair *p, int side)
{
    const contract_choice *choice = &p->choice[side];
    STN_TRY(stn_allocate(&p->sorted[side], choice->count, sizeof *p->sorted[side], "functions"));
    for (int32_t k = 0; k < choice->count; k++)
        p->sorted[side][k] = p->image[side]->symbols + choice->functions[k];
    if (choice->count > 0)
        qsort(p->sorted[side], (size_t)choice->count, sizeof *p->sorted[side], compare_places);
    return STN_OK;
}

static void print_head(const contract_part *part)
{
    contract_print_name(part->function.name, stdout);
    printf(" (%s), ", part->function.target);
    if (part->loop == STN_LOOP_NONE)
        puts("the whole function");
    else
        printf("loop %" PRId32 "%s\n", part->loop,
               part->loop == part->function.main_loop ? ", its main loop" : "");
}

/* Returns the number of quantities that differ. */
static int compare_parts(const contract_part *part, int is_silent)
{
    int differences = 0;
    for (int32_t q = 0; stn_quantity_name(q); q++) {
        char old[32], new[32];
        contract_number(contract_measure(part, q), old, sizeof old);
        contract_number(contract_measure(part + 1, q), new, sizeof new);
        if (strcmp(old, new) == 0)
            continue;
        if (differences++ == 0 && !is_silent)
            print_head(part + 1);
        if (!is_silent)
            printf("  %-14s %10s -> %s\n", stn_quantity_name(q), old, new);
    }
    return differences;
}

/* A loop that exists in one of the functions only. */
static void print_lone_loop(const stn_function_info *function, int is_new)
{
    contract_print_name(function->name, stdout);
    printf(" (%s): the loop is %s\n", function->target, is_new ? "new" : "gone");
}

/* Counts this part of the function in each file that has it. */
static stn_status count_part(const pair *p, comparison *c, int32_t loop, contract_part *part,
                             int *has)
{
    const int32_t minimum = loop == STN_LOOP_MAIN ? 0 : loop;
    for (int side = 0; side < 2; side++) {
        has[side] = 0;
        if (c->function[side] == ABSENT)
            continue;
        STN_TRY(contract_count(p->image[side], c->function[side], STN_LOOP_NONE, part + side));
        has[side] = part[side].function.loops > minimum;
        if (has[side] && loop != STN_LOOP_NONE)
            STN_TRY(contract_count(p->image[side], c->function[side], loop, part + side));
        if (has[side] && c->json[side])
            json_array_append_new(json_object_get(c->json[side], "counts"),
                                  contract_json_part(part + side));
    }
    return STN_OK;
}

static stn_status compare_part(const pair *p, comparison *c, int32_t loop)
{
    contract_part part[2];
    int has[2];
    STN_TRY(count_part(p, c, loop, part, has));
    if (has[0] && has[1]) {
        c->differences += compare_parts(part, p->functions != NULL);
    } else if (has[0] != has[1]) {
        if (!p->functions)
            print_lone_loop(&part[1].function, has[1]);
        c->differences++;
    }
    return STN_OK;
}

static stn_status begin_json(const pair *p, comparison *c, int side)
{
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    if (c->function[side] == ABSENT)
        return STN_OK;
    STN_TRY(stn_image_function(p->image[side], c->function[side], &info));
    c->json[side] = contract_json_function(&info);
    return STN_OK;
}

/* Takes ownership of both values; NULL: missing in this file. */
static void add_json(pair *p, json_t *before, json_t *after)
{
    json_t *object = json_object();
    json_object_set_new(object, "before", before ? before : json_null());
    json_object_set_new(object, "after", after ? after : json_null());
    json_array_append_new(p->functions, object);
}

static stn_status compare_both(const pair *p, comparison *c, int32_t loop)
{
    for (int side = 0; side < 2 && p->functions; side++)
        STN_TRY(begin_json(p, c, side));
    if (loop == LOOP_ALL)
        STN_TRY(compare_part(p, c, STN_LOOP_NONE));
    return compare_part(p, c, loop == LOOP_ALL ? STN_LOOP_MAIN : loop);
}

static stn_status compare_functions(pair *p, const stn_symbol *old, const stn_symbol *new,
                                    int32_t loop)
{
    comparison c = {
        .function = {(int32_t)(old - p->image[0]->symbols), (int32_t)(new - p->image[1]->symbols)}};
    const stn_status status = compare_both(p, &c, loop);
    if (status == STN_OK && p->functions && c.differences > 0) {
        add_json(p, c.json[0], c.json[1]);
    } else {
        json_decref(c.json[0]);
        json_decref(c.json[1]);
    }
    p->changed += c.differences > 0;
    p->same += c.differences == 0;
    return status;
}

static stn_status json_alone(pair *p, int side, int32_t function, int32_t loop)
{
    comparison c = {.function = {side == 0 ? function : ABSENT, side == 1 ? function : ABSENT}};
    const stn_status status = compare_both(p, &c, loop);
    add_json(p, c.json[0], c.json[1]);
    return status;
}

/* A function that exists in one file only. */
static stn_status show_unmatched(pair *p, int side, const stn_symbol *symbol, int32_t loop)
{
    p->alone++;
    if (p->functions)
        return json_alone(p, side, (int32_t)(symbol - p->image[side]->symbols), loop);
    contract_print_name(symbol->name, stdout);
    printf(" (%s) is %s\n", symbol->target, side == 0 ? "gone" : "new");
    return STN_OK;
}

/* Merges both sorted lists of names. */
static stn_status compare_all(pair *p, int32_t loop)
{
    int32_t old = 0, new = 0;
    for (int side = 0; side < 2; side++)
        STN_TRY(sort(p, side));
    while (old < p->choice[0].count || new < p->choice[1].count) {
        int order = old == p->choice[0].count ? 1 : -1;
        if (old < p->choice[0].count && new < p->choice[1].count)
            order = compare_names(p->sorted[0][old], p->sorted[1][new]);
        if (order == 0)
            STN_TRY(compare_functions(p, p->sorted[0][old], p->sorted[1][new], loop));
        else if (order < 0)
            STN_TRY(show_unmatched(p, 0, p->sorted[0][old], loop));
        else
            STN_TRY(show_unmatched(p, 1, p->sorted[1][new], loop));
        old += order <= 0;
        new += order >= 0;
    }
    return STN_OK;
}

static stn_status conclude(pair *p)
{
    static const char *const sides[] = {"before", "after"};
    if (!p->functions) {
        printf("%" PRId32 " functions changed, %" PRId32 " in one file only, %" PRId32 " alike\n",
               p->changed, p->alone, p->same);
        return STN_OK;
    }
    json_t *all = json_object();
    for (int side = 0; side < 2; side++) {
        json_t *file = json_object();
        contract_json_file(file, p->image[side]);
        json_object_set_new(all, sides[side], file);
    }
    json_object_set_new(all, "changed", json_integer(p->changed));
    json_object_set_new(all, "alone", json_integer(p->alone));
    json_object_set_new(all, "alike", json_integer(p->same));
    json_object_set(all, "functions", p->functions);
    return contract_json_print(all);
}

/* A name may exist in one of the files only. */
static stn_status choose(pair *p, const char *function)
{
    const stn_status first = contract_choose(p->image[0], function, &p->choice[0]);
    if (first != STN_OK && first != STN_ERR_RANGE)
        return first;
    const stn_status second = contract_choose(p->image[1], function, &p->choice[1]);
    return second == STN_ERR_RANGE && first == STN_OK ? STN_OK : second;
}

static stn_status open_and_compare(pair *p, char **files, const char *function, int32_t loop)
{
    for (int side = 0; side < 2; side++)
        STN_TRY(stn_image_open(&p->image[side], files[side]));
    STN_TRY(choose(p, function));
    STN_TRY(compare_all(p, loop));
    return conclude(p);
}

enum { FUNCTION = FIRST_LONG_OPTION, LOOP, JSON };

stn_status contract_diff(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"fn", required_argument, NULL, FUNCTION},
                                            {"loop", required_argument, NULL, LOOP},
                                            {"json", no_argument, NULL, JSON},
                                            {NULL, 0, NULL, 0}};
    const char *function = NULL;
    int32_t loop = LOOP_ALL;
    int json = 0;
    pair p = {.same = 0};
    for (int option; (option = next_option(argc, argv, options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return STN_OK;
        }
        if (option == FUNCTION)
            function = optarg;
        else if (option == LOOP)
            STN_TRY(contract_parse_loop(optarg, &loop));
        else if (option == JSON)
            json = 1;
        else
            return STN_ERR_ARGUMENT;
    }
    if (argc - optind != 2)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s requires two files, not %d", argv[0],
                        argc - optind);
    p.functions = json ? json_array() : NULL;
    const stn_status status = open_and_compare(&p, argv + optind, function, loop);
    for (int side = 0; side < 2; side++) {
        stn_free(p.sorted[side]);
        contract_choice_release(&p.choice[side]);
        stn_image_close(p.image[side]);
    }
    json_decref(p.functions);
    return status;
}
