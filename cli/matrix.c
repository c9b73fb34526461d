/* steno matrix: a matrix from a partial differential equation, as a Matrix Market file. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "pde.h"
#include "words.h"

static void print_help(void)
{
    puts("usage: steno matrix NAME [--size N] [--output FILE.mtx[.gz]]\n");
    for (const pde_kind *pde = pdes; pde->name; pde++)
        printf("  %-11s %s\n", pde->name, pde->purpose);
    printf("\n  --size N        points per edge of the cube, up to %d; N^3 rows (default 32)\n",
           MOST_EDGE);
    puts("  --output FILE   where to, compressed when the name ends in .gz\n"
         "                  (default NAME-N.mtx in this folder)");
}

static stn_status write_matrix(const pde_kind *pde, int64_t n, const char *path)
{
    stn_matrix matrix;
    if (strcmp(path, "-") == 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "steno matrix writes to a file, not to the standard output");
    STN_TRY(output_check(path));
    STN_TRY(pde_make(pde, n, &matrix));
    const stn_status status = stn_matrix_write_market(path, &matrix);
    if (status == STN_OK)
        printf("%s: %" PRId64 " x %" PRId64 ", %" PRId64 " entries\n", path, matrix.rows,
               matrix.columns, matrix.entries);
    stn_matrix_release(&matrix);
    return status;
}

enum { SIZE = FIRST_LONG_OPTION, OUTPUT };

stn_status command_matrix(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"size", required_argument, NULL, SIZE},
                                            {"output", required_argument, NULL, OUTPUT},
                                            {NULL, 0, NULL, 0}};
    const pde_kind *pde;
    const char *path = NULL;
    char usual[64];
    int64_t n = 32;
    for (int option; (option = next_option(argc, argv, options)) != -1;) {
        if (option == 'h') {
            print_help();
            return STN_OK;
        }
        if (option == SIZE)
            STN_TRY(parse_count("size", optarg, MOST_EDGE, &n));
        else if (option == OUTPUT)
            path = optarg;
        else
            return STN_ERR_ARGUMENT;
    }
    if (optind + 1 != argc)
        return optind == argc
                   ? stn_fail(STN_ERR_ARGUMENT, "steno matrix lacks the name of a matrix")
                   : stn_fail(STN_ERR_ARGUMENT, "steno matrix does not take '%s'",
                              argv[optind + 1]);
    STN_TRY(pde_find(argv[optind], &pde));
    snprintf(usual, sizeof usual, "%s-%" PRId64 ".mtx", pde->name, n);
    return write_matrix(pde, n, path ? path : usual);
}
