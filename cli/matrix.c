/* steno matrix: writes a matrix from a partial differential equation or a file as a Matrix Market
 * file. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "market.h"
#include "output.h"
#include "pde.h"
#include "parse.h"

typedef struct matrix_settings {
    const char *source, *output; /* NULL: no output given */
    int64_t n;                   /* 0: not given */
    unsigned market;             /* stn_market_flags */
    int help;
} matrix_settings;

enum { DEFAULT_EDGE = 32 };

static void print_help(void)
{
    puts("usage: steno matrix NAME [--size N] [--output FILE.mtx[.gz]]\n"
         "       steno matrix FILE.mtx[.gz] [--sum] [--lenient] --output FILE.mtx[.gz]\n");
    for (const pde_kind *pde = pdes; pde->name; pde++)
        printf("  %-11s %s\n", pde->name, pde->purpose);
    puts("  FILE        a matrix file, which is read, checked and written with its symmetry "
         "expanded");
    printf("\n  --size N        points per edge of the cube, up to %d; N^3 rows (default %d)\n",
           MAX_EDGE, DEFAULT_EDGE);
    puts("  --sum           add repeated entries of FILE (STN_MARKET_SUM)\n"
         "  --lenient       accept common deviations from the specification in FILE\n"
         "  --output FILE   output file, compressed if the name ends in .gz\n"
         "                  (default NAME-N.mtx in this folder)");
}

enum { SIZE = FIRST_LONG_OPTION, SUM, LENIENT, OUTPUT };

static stn_status take_option(int option, matrix_settings *all)
{
    switch (option) {
    case SIZE:
        return parse_count("size", optarg, MAX_EDGE, &all->n);
    case SUM:
        all->market |= STN_MARKET_SUM;
        return STN_OK;
    case LENIENT:
        all->market |= STN_MARKET_LENIENT;
        return STN_OK;
    case OUTPUT:
        all->output = optarg;
        return STN_OK;
    case 'h':
        all->help = 1;
        return STN_OK;
    default:
        return STN_ERR_ARGUMENT; /* next_option has recorded the message */
    }
}

static stn_status parse(int argc, char **argv, matrix_settings *all)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"size", required_argument, NULL, SIZE},
                                            {"sum", no_argument, NULL, SUM},
                                            {"lenient", no_argument, NULL, LENIENT},
                                            {"output", required_argument, NULL, OUTPUT},
                                            {NULL, 0, NULL, 0}};
    for (int option; !all->help && (option = next_option(argc, argv, options)) != -1;)
        STN_TRY(take_option(option, all));
    if (all->help)
        return STN_OK;
    if (optind == argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno matrix: the name of a matrix is missing");
    if (optind + 1 != argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno matrix: unexpected argument '%s'",
                        argv[optind + 1]);
    all->source = argv[optind];
    return STN_OK;
}

/* Names of equations contain neither a slash nor a period. */
static int is_file(const char *source)
{
    return strpbrk(source, "./") != NULL;
}

/* Checks that are possible before a matrix is generated or read. */
static stn_status check(const matrix_settings *all)
{
    if (is_file(all->source) && all->n)
        return stn_fail(STN_ERR_ARGUMENT, "--size applies to equations, not to the file %s",
                        all->source);
    if (is_file(all->source) && !all->output)
        return stn_fail(STN_ERR_ARGUMENT, "steno matrix %s requires --output", all->source);
    if (!is_file(all->source) && all->market)
        return stn_fail(STN_ERR_ARGUMENT, "%s applies to files, not to %s",
                        market_option(all->market), all->source);
    if (all->output && strcmp(all->output, "-") == 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "steno matrix writes to a file, not to the standard output");
    return all->output ? output_check(all->output) : STN_OK;
}

static stn_status write_and_release(stn_market_matrix *matrix, const char *path)
{
    const stn_status status = stn_market_write_file(matrix, path);
    if (status == STN_OK)
        printf("%s: %" PRId64 " x %" PRId64 ", %" PRId64 " entries\n", path, matrix->rows,
               matrix->columns, matrix->entries);
    stn_market_release(matrix);
    return status;
}

static stn_status write_equation(const matrix_settings *all)
{
    const int64_t n = all->n ? all->n : DEFAULT_EDGE;
    const pde_kind *pde;
    char default_choice[64];
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    STN_TRY(pde_find(all->source, &pde));
    snprintf(default_choice, sizeof default_choice, "%s-%" PRId64 ".mtx", pde->name, n);
    const char *const path = all->output ? all->output : default_choice;
    STN_TRY(output_check(path));
    STN_TRY(pde_create(pde, n, &matrix));
    return write_and_release(&matrix, path);
}

stn_status command_matrix(int argc, char **argv)
{
    matrix_settings all = {0};
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    STN_TRY(parse(argc, argv, &all));
    if (all.help) {
        print_help();
        return STN_OK;
    }
    STN_TRY(check(&all));
    if (!is_file(all.source))
        return write_equation(&all);
    STN_TRY(market_read(all.source, all.market, &matrix));
    return write_and_release(&matrix, all.output);
}
