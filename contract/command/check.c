/* steno contract check: checks an image against an expectation file. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "contract/command/contract.h"
#include "contract/command/json.h"

typedef struct settings {
    const char *file, *expectations, *target;
    int json;
} settings;

static void print_help(void)
{
    puts("usage: steno contract check FILE EXPECTATIONS [OPTION]...\n\n"
         "Checks the machine code of FILE. A contract in the expectation file is a line such as\n\n"
         "  kernel axpy @x86-64-v3 gcc>=12 loop=main : load.width >= 256, calls == 0\n\n"
         "Exit status 0: all facts hold, or some were skipped; 1: a fact is broken, or a file is\n"
         "invalid; 77: all facts were skipped because they apply to another target or compiler.\n\n"
         "  --target LEVEL  the level of an x86-64 FILE, such as x86-64-v3, which the file does "
         "not\n"
         "                  contain; contracts for other levels are skipped\n"
         "  --json          print one JSON object instead\n\n"
         "Quantities, of a loop per iteration:\n");
    for (int32_t q = 0; stn_quantity_name(q); q++)
        printf("  %-14s %s\n", stn_quantity_name(q), stn_quantity_meaning(q));
    puts("\nThe language: doc/contract.md");
}

static stn_status conclude(const settings *all, const stn_contract_result *result)
{
    const int64_t facts = (int64_t)result->held + result->broken + result->skipped;
    if (!all->json)
        printf("%" PRId32 " held, %" PRId32 " broken, %" PRId32 " skipped\n", result->held,
               result->broken, result->skipped);
    if (result->broken > 0)
        return stn_fail(STN_ERR_RANGE, "%s: %" PRId32 " of %" PRId64 " facts are broken",
                        all->expectations, result->broken, facts);
    if (result->held == 0)
        command_exit_status = EXIT_SKIPPED;
    return STN_OK;
}

static stn_status print_json(const settings *all, const stn_image *image, const char *report,
                             const stn_contract_result *result)
{
    json_t *object = json_object();
    contract_json_file(object, image);
    json_object_set_new(object, "expectations", contract_json_name(all->expectations));
    json_object_set_new(object, "held", json_integer(result->held));
    json_object_set_new(object, "broken", json_integer(result->broken));
    json_object_set_new(object, "skipped", json_integer(result->skipped));
    json_object_set_new(object, "report", contract_json_name(report));
    return contract_json_print(object);
}

static stn_status check_to_json(const settings *all, stn_image *image, stn_contract_result *result)
{
    char *report = NULL;
    size_t length;
    FILE *file = open_memstream(&report, &length);
    if (!file)
        return stn_fail(STN_ERR_MEMORY, "no memory for the report");
    stn_status status = stn_contract_check(image, all->expectations, file, result);
    if (fclose(file) != 0 && status == STN_OK)
        status = stn_fail(STN_ERR_MEMORY, "no memory for the report");
    if (status == STN_OK)
        status = print_json(all, image, report, result);
    free(report);
    return status;
}

static stn_status check(const settings *all)
{
    stn_contract_result result = STN_CONTRACT_RESULT_INIT;
    stn_image *image;
    STN_TRY(stn_image_open(&image, all->file));
    stn_status status = all->target ? stn_image_built_for(image, all->target) : STN_OK;
    if (status == STN_OK)
        status = all->json ? check_to_json(all, image, &result)
                           : stn_contract_check(image, all->expectations, stdout, &result);
    if (status == STN_OK)
        status = conclude(all, &result);
    stn_image_close(image);
    return status;
}

enum { TARGET = FIRST_LONG_OPTION, JSON };

stn_status contract_check(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"target", required_argument, NULL, TARGET},
                                            {"json", no_argument, NULL, JSON},
                                            {NULL, 0, NULL, 0}};
    settings all = {.json = 0};
    for (int option; (option = next_option(argc, argv, options)) != -1;) {
        if (option == 'h') {
            print_help();
            return STN_OK;
        }
        if (option == TARGET)
            all.target = optarg;
        else if (option == JSON)
            all.json = 1;
        else
            return STN_ERR_ARGUMENT;
    }
    if (argc - optind < 2)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s: the name of %s is missing", argv[0],
                        argc == optind ? "a file" : "an expectation file");
    if (argc - optind > 2)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s: unexpected argument '%s'", argv[0],
                        argv[optind + 2]);
    all.file = argv[optind];
    all.expectations = argv[optind + 1];
    return check(&all);
}
