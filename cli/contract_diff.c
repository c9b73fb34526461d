/* steno contract diff: what changed between two files, quantity by quantity. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "contract.h"
#include "core/memory.h"

static const char help[] =
    "usage: steno contract diff OLD NEW [OPTION]...\n\n"
    "Compares what functions of two files do: the whole functions and their main loops.\n\n"
    "  --fn NAME    this function, by its symbol; /EXPRESSION/: all whose demangled names match\n"
    "  --loop LOOP  main, none (the whole function) or a number\n";

/* The file before and after, what is chosen of both, and the functions of both by name. */
typedef struct pair {
    stn_image *image[2];
    contract_choice choice[2];
    const stn_symbol **sorted[2];
    int32_t same, changed, alone; /* functions */
} pair;

static int compare_names(const stn_symbol *one, const stn_symbol *other)
{
    const int names = strcmp(one->symbol, other->symbol);
    return names ? names : strcmp(one->target, other->target);
}

/* Functions of one name, as static ones can be, stay in their order: the k-th goes with the k-th.
 */
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

/* How many quantities differ. */
static int compare_parts(const contract_part *before, const contract_part *after)
{
    int differences = 0;
    for (int32_t q = 0; stn_quantity_name(q); q++) {
        char old[32], new[32];
        contract_number(contract_measure(before, q), old, sizeof old);
        contract_number(contract_measure(after, q), new, sizeof new);
        if (strcmp(old, new) == 0)
            continue;
        if (differences++ == 0)
            print_head(after);
        printf("  %-14s %10s -> %s\n", stn_quantity_name(q), old, new);
    }
    return differences;
}

/* A loop that one of the functions lacks. */
static int compare_loops(const contract_part *before, const contract_part *after, int32_t loop)
{
    const int32_t wanted = loop == STN_LOOP_MAIN ? 0 : loop;
    const int had = before->function.loops > wanted, has = after->function.loops > wanted;
    if (had == has)
        return 0;
    contract_print_name(after->function.name, stdout);
    printf(" (%s): the loop is %s\n", after->function.target, has ? "new" : "gone");
    return 1;
}

static stn_status compare_part(const pair *p, const int32_t *functions, int32_t loop,
                               int *differences)
{
    const int32_t least = loop == STN_LOOP_MAIN ? 0 : loop;
    contract_part part[2];
    for (int side = 0; side < 2; side++)
        STN_TRY(contract_count(p->image[side], functions[side], STN_LOOP_NONE, part + side));
    if (loop != STN_LOOP_NONE) {
        *differences += compare_loops(part, part + 1, loop);
        if (part[0].function.loops <= least || part[1].function.loops <= least)
            return STN_OK;
        for (int side = 0; side < 2; side++)
            STN_TRY(contract_count(p->image[side], functions[side], loop, part + side));
    }
    *differences += compare_parts(part, part + 1);
    return STN_OK;
}

static stn_status compare_functions(pair *p, const stn_symbol *old, const stn_symbol *new,
                                    int32_t loop)
{
    const int32_t functions[] = {(int32_t)(old - p->image[0]->symbols),
                                 (int32_t)(new - p->image[1]->symbols)};
    int differences = 0;
    if (loop == LOOP_ALL)
        STN_TRY(compare_part(p, functions, STN_LOOP_NONE, &differences));
    STN_TRY(compare_part(p, functions, loop == LOOP_ALL ? STN_LOOP_MAIN : loop, &differences));
    p->changed += differences > 0;
    p->same += differences == 0;
    return STN_OK;
}

static void print_alone(pair *p, const stn_symbol *symbol, const char *how)
{
    contract_print_name(symbol->name, stdout);
    printf(" (%s) is %s\n", symbol->target, how);
    p->alone++;
}

/* Walks both lists of names side by side. */
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
            print_alone(p, p->sorted[0][old], "gone");
        else
            print_alone(p, p->sorted[1][new], "new");
        old += order <= 0;
        new += order >= 0;
    }
    printf("%" PRId32 " functions changed, %" PRId32 " in one file only, %" PRId32 " alike\n",
           p->changed, p->alone, p->same);
    return STN_OK;
}

/* A name may be in one of the files only. */
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
        STN_TRY(stn_image_open(files[side], &p->image[side]));
    STN_TRY(choose(p, function));
    return compare_all(p, loop);
}

enum { FUNCTION = FIRST_LONG_OPTION, LOOP };

stn_status contract_diff(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"fn", required_argument, NULL, FUNCTION},
                                            {"loop", required_argument, NULL, LOOP},
                                            {NULL, 0, NULL, 0}};
    const char *function = NULL;
    int32_t loop = LOOP_ALL;
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
        else
            return STN_ERR_ARGUMENT;
    }
    if (argc - optind != 2)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s takes two files, not %d", argv[0],
                        argc - optind);
    const stn_status status = open_and_compare(&p, argv + optind, function, loop);
    for (int side = 0; side < 2; side++) {
        stn_free(p.sorted[side]);
        contract_choice_release(&p.choice[side]);
        stn_image_close(p.image[side]);
    }
    return status;
}
