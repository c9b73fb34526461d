/* Runs the system's objdump without a shell and reads its output from a pipe. */
#define _GNU_SOURCE
#include "contract/image/objdump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"

extern char **environ;

#if defined(__aarch64__)
enum { HOST = STN_MACHINE_AARCH64 };
#else
enum { HOST = STN_MACHINE_X86_64 };
#endif

const char *const *stn_objdump_tools(stn_machine machine)
{
    static const char *const x86[] = {"objdump", "x86_64-linux-gnu-objdump", "llvm-objdump", NULL};
    static const char *const other_x86[] = {"x86_64-linux-gnu-objdump", "llvm-objdump", "objdump",
                                            NULL};
    static const char *const arm[] = {"objdump", "aarch64-linux-gnu-objdump", "llvm-objdump", NULL};
    static const char *const other_arm[] = {"aarch64-linux-gnu-objdump", "llvm-objdump", "objdump",
                                            NULL};
    if (machine == STN_MACHINE_X86_64)
        return (int)machine == HOST ? x86 : other_x86;
    return (int)machine == HOST ? arm : other_arm;
}

/* The environment of this process with English messages; an array that must be freed. */
static stn_status create_environment(char ***environment)
{
    static char locale[] = "LC_ALL=C";
    int64_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    STN_TRY(stn_allocate(environment, count + 2, sizeof **environment, "environment"));
    for (int64_t k = 0; k < count; k++)
        if (strncmp(environ[k], "LC_ALL=", 7) != 0)
            (*environment)[kept++] = environ[k];
    (*environment)[kept++] = locale;
    (*environment)[kept] = NULL;
    return STN_OK;
}

typedef struct arguments {
    const char **word; /* NULL after the last one */
    char start[40], stop[40];
    char *joined; /* concatenated words, each terminated by 0 */
} arguments;

/* Concatenates a word and moves past it. */
static const char *join(char **to, const char *before, const char *after)
{
    char *const word = *to;
    *to = stpcpy(stpcpy(word, before), after) + 1;
    return word;
}

static const char section_is[] = "--section=";

static stn_status reserve(arguments *to, const stn_range *range)
{
    enum { OTHERS = 12 };
    size_t capacity = sizeof "./" + strlen(range->path);
    for (int32_t k = 0; k < range->section_count; k++)
        capacity += sizeof section_is + strlen(range->sections[k]);
    STN_TRY(stn_allocate(&to->word, range->section_count + OTHERS, sizeof *to->word,
                         "arguments of objdump"));
    return stn_allocate(&to->joined, (int64_t)capacity, 1, "arguments of objdump");
}

/* Names follow a prefix, so that none is parsed as an option or, as in @name, as a file of
 * options. */
static stn_status create_arguments(arguments *to, const char *tool, const stn_range *range)
{
    static const char *const always[] = {"-d", "-r", "-z", "--no-show-raw-insn"};
    int count = 0;
    STN_TRY(reserve(to, range));
    char *joined = to->joined;
    to->word[count++] = tool;
    for (size_t k = 0; k < sizeof always / sizeof always[0]; k++)
        to->word[count++] = always[k];
    if (range->machine == STN_MACHINE_X86_64) {
        to->word[count++] = "-M";
        to->word[count++] = "intel";
    }
    for (int32_t k = 0; k < range->section_count; k++)
        to->word[count++] = join(&joined, section_is, range->sections[k]);
    if (range->stop > range->start) {
        snprintf(to->start, sizeof to->start, "--start-address=0x%" PRIx64, range->start);
        snprintf(to->stop, sizeof to->stop, "--stop-address=0x%" PRIx64, range->stop);
        to->word[count++] = to->start;
        to->word[count++] = to->stop;
    }
    to->word[count++] = join(&joined, range->path[0] == '/' ? "" : "./", range->path);
    to->word[count] = NULL;
    return STN_OK;
}

/* posix_spawnp with output to `to` and no other open descriptors; returns an error number. */
static int spawn(pid_t *process, int to, const arguments *arguments_of_tool,
                 char *const *environment)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t ignored;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE); /* so that it terminates if the reader stops */
    (void)posix_spawnattr_setsigdefault(&attributes, &ignored);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, to, 1);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (!error) /* the prototype predates const; the words are not modified */
        error = posix_spawnp(process, arguments_of_tool->word[0], &actions, &attributes,
                             (char *const *)(uintptr_t)arguments_of_tool->word, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static stn_status start(stn_objdump *objdump, const arguments *arguments_of_tool,
                        char *const *environment, int *found)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return stn_fail(STN_ERR_IO, "no pipe to %s: %s", arguments_of_tool->word[0],
                        strerror(errno));
    const int error = spawn(&objdump->process, ends[1], arguments_of_tool, environment);
    close(ends[1]);
    *found = error == 0;
    if (!error) {
        objdump->output = fdopen(ends[0], "r");
        if (objdump->output)
            return STN_OK;
    }
    close(ends[0]);
    if (error == ENOENT || error == EACCES)
        return STN_OK;
    if (!error)
        (void)stn_objdump_stop(objdump);
    return stn_fail(STN_ERR_IO, "%s cannot be started: %s", arguments_of_tool->word[0],
                    strerror(error));
}

stn_status stn_objdump_start(stn_objdump *objdump, const char *tool, const stn_range *range,
                             int *found)
{
    arguments arguments_of_tool = {.word = NULL};
    char **environment = NULL;
    *found = 0;
    *objdump = (stn_objdump){.tool = tool, .process = -1};
    stn_status status = create_arguments(&arguments_of_tool, tool, range);
    if (status == STN_OK)
        status = create_environment(&environment);
    if (status == STN_OK)
        status = start(objdump, &arguments_of_tool, environment, found);
    stn_free(environment);
    stn_free(arguments_of_tool.word);
    stn_free(arguments_of_tool.joined);
    return status;
}

int stn_objdump_line(stn_objdump *objdump, char line[STN_OBJDUMP_LINE])
{
    if (!fgets(line, STN_OBJDUMP_LINE, objdump->output))
        return 0;
    char *const end = strchr(line, '\n');
    if (end) {
        *end = 0;
        return 1;
    }
    int character = 0;
    while (character != '\n' && character != EOF)
        character = getc_unlocked(objdump->output);
    return 1;
}

int stn_objdump_stop(stn_objdump *objdump)
{
    int result = 0;
    const int is_done = objdump->output && feof(objdump->output);
    if (objdump->output)
        fclose(objdump->output);
    if (!is_done)
        kill(objdump->process, SIGKILL);
    while (waitpid(objdump->process, &result, 0) < 0 && errno == EINTR)
        ;
    *objdump = (stn_objdump){.process = -1};
    return is_done && WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

/* ---- decoding ---- */

/* Decodes with one tool; *done is 0 if another tool should be tried. */
static stn_status decode_with(stn_image *image, int32_t first, int32_t last, const char *tool,
                              int *done, int *found)
{
    stn_range range = {.path = image->path, .machine = image->symbols[first].machine};
    stn_disassembly *disassembly;
    stn_objdump objdump;
    char line[STN_OBJDUMP_LINE];
    *done = *found = 0;
    STN_TRY(stn_disassembly_begin(image, first, last, &disassembly));
    stn_status status = stn_disassembly_range(disassembly, &range);
    if (status == STN_OK)
        status = stn_objdump_start(&objdump, tool, &range, found);
    if (status != STN_OK || !*found)
        return stn_disassembly_end(disassembly, status);
    while (status == STN_OK && stn_objdump_line(&objdump, line))
        status = stn_disassembly_line(disassembly, line);
    const int ended_well = stn_objdump_stop(&objdump);
    *done = status != STN_OK || stn_disassembly_seen(disassembly) > 0;
    if (status == STN_OK && *done && !ended_well)
        status = stn_fail(STN_ERR_IO, "%s: %s stopped before the end", image->name, tool);
    return stn_disassembly_end(disassembly, status);
}

stn_status stn_objdump_decode(stn_image *image, int32_t first, int32_t last)
{
    const stn_machine machine = image->symbols[first].machine;
    const char *const *tools = stn_objdump_tools(machine);
    int done = 0, found = 0, any = 0;
    for (int k = 0; tools[k] && !done; k++) {
        STN_TRY(decode_with(image, first, last, tools[k], &done, &found));
        any |= found;
    }
    if (done)
        return STN_OK;
    if (any)
        return stn_fail(STN_ERR_IO, "%s: %s, %s and %s cannot disassemble it", image->name,
                        tools[0], tools[1], tools[2]);
    return stn_fail(STN_ERR_IO,
                    "%s: no disassembler found: searched for %s, %s and %s on the PATH (Debian: "
                    "apt-get install binutils%s)",
                    image->name, tools[0], tools[1], tools[2],
                    (int)machine == HOST             ? ""
                    : machine == STN_MACHINE_AARCH64 ? "-aarch64-linux-gnu"
                                                     : "-x86-64-linux-gnu");
}
