/* The steno command: dispatches to a command and prints its error message. */
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "steno/status.h"

typedef struct command {
    const char *name;
    stn_status (*run)(int argc, char **argv);
    const char *purpose;
} command;

static const command commands[] = {
    {"info", command_info, "print processor, instruction sets, devices and formats"},
    {"bench", command_bench, "measure speed and error of operations in each storage format"},
    {"tune", command_tune,
     "measure the best memory access parameters of this machine and save them"},
    {"matrix", command_matrix,
     "write a matrix, from an equation or another file, as a Matrix Market file"},
    {"solve", command_solve, "solve a linear system with narrow storage and compare the formats"},
    {"advise", command_advise, "select storage for an array, or formats and a method for a solve"},
    {"view", command_view, "print the offsets of the elements of a layout in memory"},
#if STN_HAVE_CODEC
    {"pack", command_pack, "compress a NumPy array into an archive, and compare codecs"},
    {"unpack", command_unpack, "decompress an archive into a NumPy array"},
#endif
#if STN_HAVE_CONTRACT
    {"contract", command_contract, "count the operations of machine code and check bounds on them"},
#endif
};

int command_exit_status;

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fputs("usage: steno COMMAND [OPTION]...\n\n", out);
    for (int k = 0; k < COMMANDS; k++)
        fprintf(out, "  %-8s %s\n", commands[k].name, commands[k].purpose);
    fputs("\n  steno help COMMAND     print the options of a command\n"
          "  steno --version        print the version\n",
          out);
}

/* Runs the command that argv[0] names. */
static stn_status run_command(int argc, char **argv)
{
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(argv[0], commands[k].name) == 0)
            return commands[k].run(argc, argv);
    return stn_fail(STN_ERR_ARGUMENT, "unknown command '%s'; see steno --help", argv[0]);
}

static stn_status run(int argc, char **argv)
{
    if (argc < 2)
        return stn_fail(STN_ERR_ARGUMENT, "a command is missing; see steno --help");
    if (strcmp(argv[1], "help") == 0 && argc > 2) {
        char *help[] = {argv[2], "--help", NULL};
        return run_command(2, help);
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return STN_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("steno %s\n", stn_version());
        return STN_OK;
    }
    return run_command(argc - 1, argv + 1);
}

/* Output may still be buffered; a full disk is detected here. */
static stn_status finish_output(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return STN_OK;
    return stn_fail(STN_ERR_IO, "cannot write to the standard output: %s",
                    errno ? strerror(errno) : "it is closed or full");
}

int main(int argc, char **argv)
{
    stn_status status = run(argc, argv);
    if (status == STN_OK)
        status = finish_output();
    if (status == STN_OK)
        return command_exit_status;
    fflush(stdout); /* output of the command precedes the error message */
    fprintf(stderr, "steno: %s\n", stn_error());
    return 1;
}
