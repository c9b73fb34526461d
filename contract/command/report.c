/* steno contract report: counts of functions and their loops, as a table or as JSON. */
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "contract/command/contract.h"
#include "contract/command/json.h"

static const char help[] =
    "usage: steno contract report FILE [OPTION]...\n\n"
    "Counts the operations of functions, once from beginning to end, and of one iteration of each\n"
    "of their loops.\n\n"
    "  --fn NAME    symbol of a function; /EXPRESSION/ selects all whose demangled names match\n"
    "  --loop LOOP  main (the innermost loop with the widest accesses), none (the whole\n"
    "               function), a number, or all (default)\n"
    "  --list       also print the instructions and their classification\n"
    "  --control    print GPU instructions with their control codes and live registers\n"
    "  --json       print one JSON object instead\n";

typedef struct settings {
    const char *function;
    int32_t loop;
    int help, list, control, json;
} settings;

/* ---- text ---- */

static int64_t floats(const int32_t *plain, const int32_t *fused)
{
    int64_t sum = 0;
    for (int kind = STN_KIND_F64; kind <= STN_KIND_F16; kind++)
        sum += plain[kind] + fused[kind];
    return sum;
}

static void name_part(const contract_part *part, char *text, size_t capacity)
{
    if (part->loop == STN_LOOP_NONE)
        snprintf(text, capacity, "function");
    else
        snprintf(text, capacity, "loop %" PRId32 "%s", part->loop,
                 part->loop == part->function.main_loop ? " main" : "");
}

static void print_part(const contract_part *part)
{
    const stn_code_counts *counts = &part->counts;
    char name[32], loads[96], stores[96], bytes[32], elements[32], spill[32];
    name_part(part, name, sizeof name);
    contract_widths(counts->loads, loads, sizeof loads);
    contract_widths(counts->stores, stores, sizeof stores);
    contract_number(contract_measure(part, stn_quantity_find("elements", 8)), elements,
                    sizeof elements);
    contract_number(contract_measure(part, stn_quantity_find("bytes/elem", 10)), bytes,
                    sizeof bytes);
    contract_number(contract_measure(part, stn_quantity_find("spill", 5)), spill, sizeof spill);
    printf("  %-12s %6" PRId32 "  %-14s %-12s %5s %6s %6" PRId64 " %6" PRId64 " %4" PRId64
           " %4" PRId32 " %5" PRId32 " %5s %8" PRId32 " %7" PRId32 "\n",
           name, counts->instructions, loads, stores, elements, bytes,
           floats(counts->scalar, counts->scalar_fma), floats(counts->packed, counts->packed_fma),
           floats(counts->scalar_fma, counts->packed_fma),
           counts->scalar_conversions + counts->packed_conversions, counts->calls, spill,
           counts->branches, counts->unknown);
}

static void print_head(const contract_part *part, const char *file)
{
    putchar('\n');
    contract_print_name(part->function.name, stdout);
    fputs(file ? " in " : "", stdout);
    contract_print_name(file ? file : "", stdout);
    printf(" (%s, %" PRIu64 " bytes, %" PRId32 " loops%s)\n", part->function.target,
           part->function.bytes, part->function.loops,
           part->function.irreducible ? ", and a cycle with several entries" : "");
    printf("  %-12s %6s  %-14s %-12s %5s %6s %6s %6s %4s %4s %5s %5s %8s %7s\n", "", "instr.",
           "loads", "stores", "elem.", "bytes", "scalar", "packed", "fma", "cvt", "calls", "spill",
           "branches", "unknown");
}

/* ---- both ---- */

static stn_status print_json(stn_image *image, json_t *functions)
{
    json_t *all = json_object();
    contract_json_file(all, image);
    json_object_set(all, "functions", functions);
    return contract_json_print(all);
}

static stn_status report_part(stn_image *image, int32_t function, int32_t loop, const settings *all,
                              json_t *object)
{
    contract_part part;
    STN_TRY(contract_count(image, function, loop, &part));
    if (object) {
        json_array_append_new(json_object_get(object, "counts"), contract_json_part(&part));
        return STN_OK;
    }
    print_part(&part);
    return all->list || all->control
               ? stn_code_print(image->codes + function, loop, -1, all->control, stdout)
               : STN_OK;
}

static stn_status report_function(stn_image *image, int32_t function, const settings *all,
                                  json_t *functions)
{
    contract_part part = {.loop = STN_LOOP_NONE, .function = STN_FUNCTION_INFO_INIT};
    json_t *object = NULL;
    STN_TRY(stn_image_function(image, function, &part.function));
    if (functions) {
        object = contract_json_function(&part.function);
        if (contract_member(image, function))
            json_object_set_new(object, "member",
                                contract_json_name(contract_member(image, function)));
        if (all->list || all->control)
            contract_json_instructions(object, image->codes + function, all->control);
        json_array_append_new(functions, object);
    } else {
        print_head(&part, contract_member(image, function));
    }
    if (all->loop != LOOP_ALL)
        return report_part(image, function, all->loop, all, object);
    STN_TRY(report_part(image, function, STN_LOOP_NONE, all, object));
    for (int32_t loop = 0; loop < part.function.loops; loop++)
        STN_TRY(report_part(image, function, loop, all, object));
    return STN_OK;
}

/* With --loop and all functions, functions without such a loop are skipped. */
static int is_passed_over(stn_image *image, int32_t function, const settings *all)
{
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    if ((all->function && *all->function != '/') || all->loop == LOOP_ALL ||
        all->loop == STN_LOOP_NONE || stn_image_function(image, function, &info) != STN_OK)
        return 0;
    return info.loops <= (all->loop == STN_LOOP_MAIN ? 0 : all->loop);
}

static stn_status report_all(stn_image *image, const contract_choice *choice, const settings *all)
{
    json_t *functions = all->json ? json_array() : NULL;
    stn_status status = STN_OK;
    if (!functions)
        printf("%s: %" PRId32 " functions%s%s\n", image->name, image->count,
               image->compiler && *image->compiler ? ", by " : "",
               image->compiler ? image->compiler : "");
    for (int32_t f = 0; f < choice->count && status == STN_OK; f++) {
        if (!is_passed_over(image, choice->functions[f], all))
            status = report_function(image, choice->functions[f], all, functions);
        stn_image_forget(image, choice->functions[f]);
    }
    if (status == STN_OK && functions)
        status = print_json(image, functions);
    json_decref(functions);
    return status;
}

enum { FUNCTION = FIRST_LONG_OPTION, LOOP, LIST, CONTROL, JSON };

static stn_status parse(int argc, char **argv, settings *all)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"fn", required_argument, NULL, FUNCTION},
                                            {"loop", required_argument, NULL, LOOP},
                                            {"list", no_argument, NULL, LIST},
                                            {"control", no_argument, NULL, CONTROL},
                                            {"json", no_argument, NULL, JSON},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = next_option(argc, argv, options)) != -1;) {
        if (option == 'h')
            all->help = 1;
        else if (option == FUNCTION)
            all->function = optarg;
        else if (option == LOOP)
            STN_TRY(contract_parse_loop(optarg, &all->loop));
        else if (option == LIST)
            all->list = 1;
        else if (option == CONTROL)
            all->control = 1;
        else if (option == JSON)
            all->json = 1;
        else
            return STN_ERR_ARGUMENT;
    }
    return STN_OK;
}

stn_status contract_report(int argc, char **argv)
{
    settings all = {.loop = LOOP_ALL};
    stn_image *image;
    contract_choice choice;
    STN_TRY(parse(argc, argv, &all));
    if (all.help) {
        fputs(help, stdout);
        return STN_OK;
    }
    STN_TRY(contract_open_only(argc, argv, &image));
    stn_status status = contract_choose(image, all.function, &choice);
    if (status == STN_OK) {
        status = report_all(image, &choice, &all);
        contract_choice_release(&choice);
    }
    stn_image_close(image);
    return status;
}
