/* steno contract check: an image against an expectation file. */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "contract.h"

static void print_help(void)
{
    puts("usage: steno contract check FILE EXPECTATIONS [OPTION]...\n\n"
         "Checks the machine code of FILE. A contract of the expectation file is a line such as\n\n"
         "  kernel axpy @x86-64-v3 gcc>=12 loop=main : load.width >= 256, calls == 0\n\n"
         "Exit status 0: all facts held, or some were skipped; 1: one is broken, or something is\n"
         "wrong with the files; 77: all were skipped, for another target or compiler.\n\n"
         "  --target LEVEL  what an x86-64 FILE was built for, such as x86-64-v3, which it does\n"
         "                  not tell; contracts for other levels are skipped\n\n"
         "Quantities, in a loop per iteration:\n");
    for (int32_t q = 0; stn_quantity_name(q); q++)
        printf("  %-14s %s\n", stn_quantity_name(q), stn_quantity_meaning(q));
    puts("\nThe language: doc/contract.md");
}

static stn_status conclude(const char *path, const stn_contract_result *result)
{
    const int64_t all = (int64_t)result->held + result->broken + result->skipped;
    printf("%" PRId32 " held, %" PRId32 " broken, %" PRId32 " skipped\n", result->held,
           result->broken, result->skipped);
    if (result->broken > 0)
        return stn_fail(STN_ERR_RANGE, "%s: %" PRId32 " of %" PRId64 " facts are broken", path,
                        result->broken, all);
    if (result->held == 0)
        command_exit_status = EXIT_SKIPPED;
    return STN_OK;
}

static stn_status check(const char *file, const char *path, const char *target)
{
    stn_contract_result result = {.size = sizeof result};
    stn_image *image;
    STN_TRY(stn_image_open(file, &image));
    stn_status status = target ? stn_image_built_for(image, target) : STN_OK;
    if (status == STN_OK)
        status = stn_contract_check(image, path, stdout, &result);
    if (status == STN_OK)
        status = conclude(path, &result);
    stn_image_close(image);
    return status;
}

enum { TARGET = FIRST_LONG_OPTION };

stn_status contract_check(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"target", required_argument, NULL, TARGET},
                                            {NULL, 0, NULL, 0}};
    const char *target = NULL;
    for (int option; (option = next_option(argc, argv, options)) != -1;) {
        if (option == 'h') {
            print_help();
            return STN_OK;
        }
        if (option != TARGET)
            return STN_ERR_ARGUMENT;
        target = optarg;
    }
    if (argc - optind < 2)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s lacks the name of %s", argv[0],
                        argc == optind ? "a file" : "an expectation file");
    if (argc - optind > 2)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s does not take '%s'", argv[0], argv[optind + 2]);
    return check(argv[optind], argv[optind + 1], target);
}
