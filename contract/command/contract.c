/* steno contract: dispatches to an action, and functions that the actions share. */
#include "contract/command/contract.h"

#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "core/memory.h"

typedef struct action {
    const char *name;
    char *full_name; /* for messages of next_option */
    stn_status (*run)(int argc, char **argv);
    const char *purpose;
} action;

static char full_names[][20] = {"contract report", "contract check", "contract diff",
                                "contract cubin", "contract alignment"};

static const action actions[] = {
    {"report", full_names[0], contract_report, "count the operations of functions and their loops"},
    {"check", full_names[1], contract_check, "check a file against expectations"},
    {"diff", full_names[2], contract_diff, "compare the counts of two files"},
    {"cubin", full_names[3], contract_cubin, "registers, memory and accesses of CUDA kernels"},
    {"alignment", full_names[4], contract_alignment, "effects of alignment on GPUs and CPUs"},
};

enum { ACTIONS = sizeof actions / sizeof *actions };

static void print_help(void)
{
    puts("usage: steno contract ACTION FILE... [OPTION]...\n");
    for (int k = 0; k < ACTIONS; k++)
        printf("  %-9s %s\n", actions[k].name, actions[k].purpose);
    puts("\n  Files are objects, libraries and programs (ELF, x86-64 or AArch64), archives of "
         "objects\n  (lib.a, or one of its files: 'lib.a(part.o)') and NVIDIA cubins.\n  steno "
         "contract ACTION --help prints the options of an action.");
}

stn_status command_contract(int argc, char **argv)
{
    if (argc < 2)
        return stn_fail(STN_ERR_ARGUMENT,
                        "steno contract: an action is missing; see steno contract --help");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STN_OK;
    }
    for (int k = 0; k < ACTIONS; k++)
        if (strcmp(argv[1], actions[k].name) == 0) {
            argv[1] = actions[k].full_name;
            return actions[k].run(argc - 1, argv + 1);
        }
    return stn_fail(STN_ERR_ARGUMENT, "unknown action '%s'; see steno contract --help", argv[1]);
}

/* ---- command line ---- */

stn_status contract_parse_loop(const char *word, int32_t *loop)
{
    char *end;
    if (strcmp(word, "main") == 0)
        *loop = STN_LOOP_MAIN;
    else if (strcmp(word, "none") == 0)
        *loop = STN_LOOP_NONE;
    else if (strcmp(word, "all") == 0)
        *loop = LOOP_ALL;
    else {
        const long number = strtol(word, &end, 10);
        if (*word < '0' || *word > '9' || *end != '\0' || number > 1000000)
            return stn_fail(STN_ERR_ARGUMENT,
                            "loop '%s' must be main, none, all or the number of a loop", word);
        *loop = (int32_t)number;
    }
    return STN_OK;
}

stn_status contract_open_only(int argc, char **argv, stn_image **image)
{
    if (optind == argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s: the name of a file is missing", argv[0]);
    if (optind + 1 < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s: unexpected argument '%s'", argv[0],
                        argv[optind + 1]);
    return stn_image_open(image, argv[optind]);
}

/* ---- functions ---- */

/* Compiles /expression/. */
static stn_status compile(const char *name, regex_t *expression)
{
    char why[128], text[512];
    const size_t length = strlen(name);
    if (length < 3 || length > sizeof text || name[length - 1] != '/')
        return stn_fail(STN_ERR_ARGUMENT, "'%s' is not an expression between slashes", name);
    memcpy(text, name + 1, length - 2);
    text[length - 2] = '\0';
    const int error = regcomp(expression, text, REG_EXTENDED | REG_NOSUB);
    if (error == 0)
        return STN_OK;
    regerror(error, expression, why, sizeof why);
    return stn_fail(STN_ERR_ARGUMENT, "'%s' is not a regular expression: %s", name, why);
}

static int is_chosen(const stn_symbol *symbol, const char *name, const regex_t *expression)
{
    if (!name)
        return 1;
    return *name == '/' ? regexec(expression, symbol->name, 0, NULL, 0) == 0
                        : strcmp(symbol->symbol, name) == 0;
}

/* The library reports the reason why a function is missing or a file has no functions. */
static stn_status report_missing(stn_image *image, const char *name)
{
    char why[STN_REASON_MISSING];
    int32_t function;
    if (!name)
        return image->count > 0 || !stn_image_why_missing(image, NULL, why, sizeof why)
                   ? STN_OK
                   : stn_fail(STN_ERR_UNSUPPORTED, "%s has no functions%s", image->name, why);
    const stn_status status = stn_image_find(image, name, &function);
    return status != STN_OK ? status
                            : stn_fail(STN_ERR_RANGE, "%s has no function %s", image->name, name);
}

stn_status contract_choose(stn_image *image, const char *name, contract_choice *choice)
{
    regex_t expression;
    const int is_expression = name && *name == '/';
    *choice = (contract_choice){NULL, 0};
    if (is_expression)
        STN_TRY(compile(name, &expression));
    stn_status status =
        stn_allocate(&choice->functions, image->count, sizeof *choice->functions, "functions");
    for (int32_t f = 0; status == STN_OK && f < image->count; f++)
        if (is_chosen(image->symbols + f, name, &expression))
            choice->functions[choice->count++] = f;
    if (is_expression)
        regfree(&expression);
    if (status == STN_OK && choice->count == 0)
        status = report_missing(image, name);
    if (status == STN_OK)
        status = stn_image_choose(image, choice->functions, choice->count);
    if (status != STN_OK)
        contract_choice_release(choice);
    return status;
}

void contract_choice_release(contract_choice *choice)
{
    stn_free(choice->functions);
    *choice = (contract_choice){NULL, 0};
}

const char *contract_member(const stn_image *image, int32_t function)
{
    const int32_t member = image->symbols[function].member;
    return member < 0 ? NULL : image->members[member].name;
}

/* ---- counts ---- */

stn_status contract_count(stn_image *image, int32_t function, int32_t loop, contract_part *part)
{
    *part = (contract_part){.function = STN_FUNCTION_INFO_INIT, .counts = STN_CODE_COUNTS_INIT};
    STN_TRY(stn_image_function(image, function, &part->function));
    part->loop = loop == STN_LOOP_MAIN ? part->function.main_loop : loop;
    return stn_image_count(image, function, loop, &part->counts);
}

stn_measure contract_measure(const contract_part *part, int32_t quantity)
{
    const stn_subject subject = {&part->counts, &part->function, part->loop, 0};
    return stn_quantity_measure(quantity, &subject);
}

void contract_widths(const int32_t *widths, char *text, size_t capacity)
{
    size_t used = 0;
    snprintf(text, capacity, "-");
    for (int w = STN_WIDTHS - 1; w >= 0; w--)
        if (widths[w] > 0 && used < capacity)
            used += (size_t)snprintf(text + used, capacity - used, "%s%" PRId32 "x%d",
                                     used ? " " : "", widths[w], 8 << w);
}

void contract_number(stn_measure measure, char *text, size_t capacity)
{
    if (measure.absent)
        snprintf(text, capacity, "-");
    else
        snprintf(text, capacity, "%.6g", (double)measure.value / (double)measure.per);
}

void contract_print_name(const char *name, FILE *file)
{
    for (; *name; name++)
        fputc((unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name, file);
}
