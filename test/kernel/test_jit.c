/* Kernels that the system's compiler makes for the views at hand (threads:jit): whatever becomes of
 * the compiler, results are those of `reference`, and a kernel that fails is alone in it. Each case
 * is a process of its own: the library reads the environment once. That all formats, layouts and
 * kinds of parameters have the bits of `reference` is in test_device_kernel. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/openmp.h"
#include "check.h"
#include "child.h"
#include "core/memory.h"
#include "made_compiler.h"
#include "steno/kernel.h"
#include "steno/kernel_text.h"
#include "steno/view.h"

enum { ROOM = 512, PROCESSES = 64, ROWS = 70, COLUMNS = 133 };
static char folder[128]; /* of a test, empty at its beginning */

static double of_the_program(double x)
{
    return x + 1;
}

STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(called, (real(alpha), in(x), inout(y)), y = alpha * x + (real_t)of_the_program(y) - 1;)
STN_MAP(of_libc, (real(alpha), in(x), inout(y)), y = alpha * x + (real_t)difftime(5, 2) * y;)

STN_MAP(negated, (in(x), out(y)), y = -x;)
STN_MAP(reordered, (real(alpha), in(x), inout(y)),
        y = copysign(STN_R(0.1), (real_t)(int)(x / STN_R(1e6))) +
            ((x + STN_R(1e16)) - STN_R(1e16)) + x / (alpha * y + STN_R(0.3)) -
            (x * y - y * STN_R(0.1));)

typedef stn_status launch(const stn_exec *exec, stn_format arithmetic, double alpha,
                          const stn_view *x, const stn_view *y);

/* ---- a folder of its own ---- */

static int make_temporary(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/steno-test-XXXXXX");
    setenv("STENO_CACHE", mkdtemp(folder), 1);
    setenv("TMPDIR", folder, 1);
    return make_compiler_in(folder, SYSTEM_COMPILER);
}

static int remove_temporary(void **state)
{
    (void)state;
    char command[ROOM];
    unsetenv("STENO_CC");
    unsetenv("TMPDIR");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* ---- a compiler that notes each of its runs ---- */

static void make_compiler(const char *words)
{
    NEED(make_compiler_in(folder, words) == 0);
}

static int count_runs(void)
{
    char path[ROOM], line[16];
    int count = 0;
    snprintf(path, sizeof path, "%s/runs", folder);
    FILE *const file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        count++;
    if (file)
        fclose(file);
    return count;
}

/* ---- calculating ---- */

static stn_exec *make_exec(const char *resource)
{
    stn_exec *exec;
    stn_event_set_hook(listen, NULL);
    NEED(stn_exec_create(&exec, resource) == STN_OK);
    return exec;
}

/* Half in f16, y in f32; the bits of reference. */
static stn_status try_launch(const stn_exec *exec, launch *work)
{
    static const int64_t extents[2] = {ROWS, COLUMNS};
    static uint16_t codes[ROWS * COLUMNS];
    static float results[2][ROWS * COLUMNS];
    stn_status status = STN_OK;
    stn_exec *reference = NULL;
    stn_view x, y;
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        codes[k] = (uint16_t)(k * 7919);
        results[0][k] = results[1][k] = (float)k / 3;
    }
    for (int k = 0; k < 2 && status == STN_OK; k++) {
        NEED(stn_view_wrap(&x, "x", stn_storage_of(STN_F16), codes, 2, extents) == STN_OK);
        NEED(stn_view_wrap(&y, "y", stn_storage_of(STN_F32), results[k], 2, extents) == STN_OK);
        if (k == 1 && (status = stn_exec_create(&reference, "reference")) != STN_OK)
            break;
        status = work(k ? reference : exec, STN_F64, 0.7, &x, &y);
    }
    stn_exec_release(reference);
    for (int k = 0; k < ROWS * COLUMNS && status == STN_OK; k++)
        NEED(memcmp(&results[0][k], &results[1][k], 4) == 0 ||
             (results[0][k] != results[0][k] && results[1][k] != results[1][k]));
    return status;
}

static void calculate(const stn_exec *exec, launch *work)
{
    NEED(try_launch(exec, work) == STN_OK);
}

/* ---- cases ---- */

static void compiles_once(void)
{
    stn_exec *const exec = make_exec("threads:jit,threads=3");
    for (int k = 0; k < 3; k++)
        calculate(exec, axpy_run);
    NEED(compilations == 1 && notes == 0 && stn_exec_threads(exec) == 3);
    stn_exec_release(exec);
}

static void compiles_nothing(void)
{
    stn_exec *const exec = make_exec(OPENMP ":threads=1,jit");
    calculate(exec, axpy_run);
    NEED(compilations == 0 && notes == 0);
    stn_exec_release(exec);
}

static void calculate_somehow(void)
{
    stn_exec *const exec = make_exec("threads:jit");
    calculate(exec, axpy_run);
    NEED(notes == 0);
    stn_exec_release(exec);
}

UNIT_TEST_WITH(compiles_once_for_all_processes, make_temporary, remove_temporary)
{
    const int processes = getenv("STENO_TEST_FULL")    ? PROCESSES
                          : getenv("STENO_TEST_QUICK") ? 4
                                                       : 8;
    pid_t children[PROCESSES];
    make_compiler(SYSTEM_COMPILER);
    run(compiles_once);
    assert_int_equal(count_runs(), 1);
    run(compiles_nothing);
    assert_int_equal(count_runs(), 1);
    setenv("STENO_CC", "cc", 1); /* another one */
    run(compiles_once);
    setenv("STENO_CC", "cc -DANOTHER", 1);
    run(compiles_once);
    run(compiles_nothing);
    setenv("STENO_CACHE", "off", 1);
    run(compiles_once);
    run(compiles_once);
    setenv("STENO_CACHE", folder, 1);
    make_compiler("exec cc -O1 \"$@\"");
    for (int k = 0; k < processes; k++)
        children[k] = begin(calculate_somehow);
    for (int k = 0; k < processes; k++)
        finish(children[k]);
    run(compiles_nothing);
}

/* Whatever words stand behind the compiler's name; calculate compares bits. */
static void keeps_bits_under_flags(void)
{
    setenv("STENO_CACHE", "off", 1);
    static const char *const commands[] = {
        "gcc -ffast-math",
        "gcc -Ofast",
        "gcc -funsafe-math-optimizations",
        "gcc -fassociative-math -fno-signed-zeros -fno-trapping-math",
        "gcc -fsingle-precision-constant",
        "gcc -ffp-contract=fast",
        "gcc -mfpmath=387",
        "clang -ffast-math",
        "clang -Ofast",
        "clang -ffp-contract=fast"};
    for (int k = 0; k < COUNT_OF(commands); k++) {
        setenv("STENO_CC", commands[k], 1);
        stn_exec *const exec = make_exec("threads:jit");
        calculate(exec, reordered_run);
        stn_exec_release(exec);
    }
}

/* By tiles, and asked for once. */
static void does_without(const char *words)
{
    stn_exec *const exec = make_exec("threads:jit");
    for (int k = 0; k < 3; k++)
        calculate(exec, axpy_run);
    expect_note(1, words);
    stn_exec_release(exec);
}

static void lives_without_a_compiler(void)
{
    setenv("STENO_CC", "/nowhere/cc", 1);
    does_without("compiler /nowhere/cc not found");
}

static void lives_without_a_path(void)
{
    unsetenv("STENO_CC");
    unsetenv("CC");
    setenv("PATH", folder, 1);
    does_without("compiler cc not found");
}

static void lives_with_a_killed_compiler(void)
{
    make_compiler("kill -9 $$");
    does_without("the compiler was terminated by signal 9");
    NEED(count_runs() == 1);
}

/* One that has ended may stay as a zombie, where nobody waits for orphans. */
static int is_running(int process)
{
    char path[ROOM], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *const file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
            state = 'X';
        fclose(file);
    }
    return state != 'X' && state != 'Z';
}

static void lives_under_a_wrong_limit(void)
{
    does_without("it must be an integer from 1 to 86400");
}

/* Nothing that it began is left. */
static void lives_with_a_hanging_compiler(void)
{
    char path[ROOM];
    int of_child = 0;
    make_compiler("sleep 1000 & echo $! >${0%/*}/child; wait");
    setenv("STENO_CC_SECONDS", "1", 1);
    const time_t begin_at = time(NULL);
    does_without("did not finish within 1 s");
    NEED(count_runs() == 1 && time(NULL) - begin_at < 60);
    snprintf(path, sizeof path, "%s/child", folder);
    FILE *const file = fopen(path, "r");
    NEED(file != NULL && fscanf(file, "%d", &of_child) == 1 && of_child > 1);
    fclose(file);
    for (int k = 0; k < 1000 && is_running(of_child); k++)
        usleep(10000);
    NEED(!is_running(of_child));
}

static void lives_with_a_slow_compiler(void)
{
    make_compiler("sleep 1; " SYSTEM_COMPILER);
    compiles_once();
}

static void refuses_a_limit_that_is_none(void)
{
    static const char *const words[] = {"0", "-1", "soon", "5 minutes", "86401", "1e9"};
    for (int k = 0; k < COUNT_OF(words); k++) {
        setenv("STENO_CC_SECONDS", words[k], 1);
        const pid_t child = begin(lives_under_a_wrong_limit);
        int status;
        NEED(waitpid(child, &status, 0) == child && status == 0);
    }
}

static void lives_with_a_failing_compiler(void)
{
    make_compiler("echo this is wrong; exit 3");
    does_without("the compiler returned exit status 3: this is wrong");
    NEED(count_runs() == 1);
}

/* What is written is no code, or not there. */
static void lives_with_a_lying_compiler(void)
{
    make_compiler("while [ \"$1\" != -o ]; do shift; done; echo nonsense >\"$2\"");
    does_without("cannot be loaded");
}

static void lives_with_a_silent_compiler(void)
{
    make_compiler("exit 0");
    does_without("cannot be loaded");
}

static void lives_with_no_program_as_compiler(void)
{
    make_compiler("");
    char path[ROOM];
    snprintf(path, sizeof path, "%s/compiler", folder);
    FILE *const file = fopen(path, "w");
    NEED(file != NULL);
    fputs("neither a script nor a program", file);
    fclose(file);
    does_without("the kernel runs by tiles");
}

static void lives_with_a_full_disk(void)
{
    const struct rlimit limit = {64, RLIM_INFINITY};
    stn_exec *const exec = make_exec(OPENMP);
    calculate(exec, axpy_run); /* OpenMP, by clang, writes a file of its own when it starts */
    stn_exec_release(exec);
    NEED(setrlimit(RLIMIT_FSIZE, &limit) == 0); /* SIGXFSZ would end the process */
    does_without("cannot be written");
}

/* The text can be written, what is made of it cannot. */
static void lives_with_a_disk_that_fills(void)
{
    make_compiler("ulimit -f 1; " SYSTEM_COMPILER);
    does_without("cannot be compiled");
}

static void lives_without_a_folder(void)
{
    setenv("TMPDIR", "/nowhere", 1);
    does_without("cannot create folder /nowhere/steno-");
}

/* How the compiler ended cannot be asked. */
static void lives_with_ignored_children(void)
{
    stn_exec *const exec = make_exec("threads:jit");
    NEED(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
    calculate(exec, axpy_run);
    expect_note(1, "the exit status of the compiler is unknown");
    stn_exec_release(exec);
}

static void fails_alone(void)
{
    stn_exec *const exec = make_exec("threads:jit");
    calculate(exec, called_run);
    calculate(exec, axpy_run);
    calculate(exec, called_run);
    NEED(compilations == 2);
    expect_note(1, "of_the_program");
    stn_exec_release(exec);
}

/* A function that the process has, and the text does not declare, would be called as one of
 * integers.
 */
static void leaves_functions_of_libraries(void)
{
    stn_exec *const exec = make_exec("threads:jit");
    calculate(exec, of_libc_run);
    expect_note(1, "difftime");
    stn_exec_release(exec);
}

/* Narrow codes are read and written in runs: a scale without a zero point adds none. */
static void keeps_signs_of_zeros(void)
{
    static const int64_t extent = 300;
    static const stn_format formats[] = {STN_F16, STN_E5M2};
    static unsigned char zeros[600], codes[600];
    stn_exec *const exec = make_exec("threads:jit");
    for (int k = 0; k < 4; k++) {
        stn_storage storage = stn_storage_of(formats[k / 2]);
        const int bytes = k / 2 ? 1 : 2;
        stn_view x, y;
        storage.scale = k % 2 ? 0.3 : 1;
        memset(codes, 1, sizeof codes);
        NEED(stn_view_wrap(&x, "x", storage, zeros, 1, &extent) == STN_OK);
        NEED(stn_view_wrap(&y, "y", storage, codes, 1, &extent) == STN_OK);
        NEED(negated_run(exec, STN_F32, &x, &y) == STN_OK);
        for (int at = 0; at < (int)extent * bytes; at++)
            NEED(codes[at] == (at % bytes == bytes - 1 ? 0x80 : 0));
    }
    NEED(compilations == 4 && notes == 0);
    stn_exec_release(exec);
}

static void leaves_texts_to_tiles(void)
{
    static const int64_t extent = 100;
    stn_exec *const exec = make_exec("threads:jit");
    stn_kernel *kernel;
    stn_view y;
    double value;
    NEED(stn_kernel_compile(&kernel, "a name", "index(n), inout(y)", "y = 7 / n;",
                            STN_KERNEL_INTEGER) == STN_OK);
    NEED(stn_view_create(exec, &y, "y", stn_storage_of(STN_I32), 1, &extent) == STN_OK);
    const stn_argument arguments[] = {{.index = 0}, {.view = &y}};
    NEED(stn_kernel_run(exec, kernel, STN_I64, STN_RANK_BROADCAST, NULL, arguments) == STN_OK);
    NEED(STN_VIEW_GET(&y, &value, 3) == STN_OK && value == 0 && compilations == 0);
    stn_kernel_release(kernel);
    NEED(stn_view_release(&y) == STN_OK);
    stn_exec_release(exec);
}

static stn_kernel *text;

static stn_status run_text(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *x, const stn_view *y)
{
    const stn_argument arguments[] = {{.real = alpha}, {.view = x}, {.view = y}};
    return stn_kernel_run(exec, text, arithmetic, STN_RANK_BROADCAST, NULL, arguments);
}

/* Texts are compiled if C defines all of their operations, and keep their bits. */
static void compiles_texts(void)
{
    static const struct {
        const char *name, *body;
        int compilations;
    } cases[] = {
        {"plain", "real_t t = x > 0 ? x : -x; if (t > 2) y = alpha * t; else y += t / 3;", 1},
        {"no name of C", "y = alpha * x + y;", 0},
        {"uninitialized", "real_t t; if (x > 0) t = 2; y = t;", 0},
        {"quotient", "y = (x > 0) / (x > 1);", 0},
        {"conversion", "y = (int)x;", 0},
        {"shift", "y = 1 << (x > 0);", 0},
    };
    stn_exec *const exec = make_exec("threads:jit");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        compilations = 0;
        NEED(stn_kernel_compile(&text, cases[k].name, "real(alpha), in(x), inout(y)", cases[k].body,
                                STN_KERNEL_REAL) == STN_OK);
        calculate(exec, run_text);
        stn_kernel_release(text);
        NEED(compilations == cases[k].compilations && notes == 0);
    }
    stn_exec_release(exec);
}

/* Other threads may have held what a child then waits for. */
static void lives_behind_a_fork(void)
{
    int status;
    stn_exec *const exec = make_exec("threads:jit,threads=1");
    calculate(exec, axpy_run);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        compilations = 0;
        calculate(exec, called_run);
        calculate(exec, axpy_run);
        _exit(compilations);
    }
    NEED(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    stn_exec_release(exec);
}

static void *calculate_in_thread(void *exec)
{
    static const int64_t extent = 1000;
    stn_view x, y;
    double value;
    NEED(stn_view_create(exec, &x, "x", stn_storage_of(STN_BF16), 1, &extent) == STN_OK);
    NEED(stn_view_create(exec, &y, "y", stn_storage_of(STN_I8), 1, &extent) == STN_OK);
    NEED(stn_view_fill(NULL, &x, 4) == STN_OK);
    NEED(axpy_run(exec, STN_F32, 1.5, &x, &y) == STN_OK);
    NEED(STN_VIEW_GET(&y, &value, 999) == STN_OK && value == 6);
    NEED(stn_view_release(&x) == STN_OK && stn_view_release(&y) == STN_OK);
    return NULL;
}

static void compiles_once_for_all_threads(void)
{
    pthread_t threads[4];
    stn_exec *const exec = make_exec("threads:jit,threads=2");
    for (int k = 0; k < 4; k++)
        NEED(pthread_create(&threads[k], NULL, calculate_in_thread, exec) == 0);
    for (int k = 0; k < 4; k++)
        NEED(pthread_join(threads[k], NULL) == 0);
    NEED(compilations == 1 && notes == 0);
    stn_exec_release(exec);
}

static void survives_without_memory(void)
{
    for (int64_t nth = 1;; nth++) {
        stn_exec *exec = NULL;
        stn_fail_allocation(nth);
        stn_status status = stn_exec_create(&exec, "threads:jit");
        if (status == STN_OK)
            status = try_launch(exec, axpy_run);
        stn_fail_allocation(0);
        stn_exec_release(exec);
        if (status == STN_OK && nth > 40)
            return;
        NEED(status == STN_OK || status == STN_ERR_MEMORY);
    }
}

static void refuses_options(void)
{
    static const char *const wrong[] = {
        OPENMP ":",        "threads:jit,",          "threads:jit,jit",
        OPENMP ":jot",     "threads:jit,threads=0", OPENMP ":,jit",
        "threads:jit:jit", "reference:jit",         "jit"};
    stn_exec *exec;
    for (int k = 0; k < COUNT_OF(wrong); k++)
        NEED(stn_exec_create(&exec, wrong[k]) == STN_ERR_ARGUMENT && exec == NULL);
    NEED(stn_exec_create(&exec, "threads:threads=2,threads=2") == STN_ERR_ARGUMENT);
    NEED(strstr(stn_error(),
                "the valid options are threads=N (1 to 1024), streams=N (1 to 4) and jit") != NULL);
}

#define IN_CHILD(name)                                                                             \
    UNIT_TEST_WITH(test_##name, make_temporary, remove_temporary)                                  \
    {                                                                                              \
        run(name);                                                                                 \
    }
IN_CHILD(lives_without_a_compiler)
IN_CHILD(lives_without_a_path)
IN_CHILD(lives_with_a_killed_compiler)
IN_CHILD(lives_with_a_hanging_compiler)
IN_CHILD(lives_with_a_slow_compiler)
IN_CHILD(refuses_a_limit_that_is_none)
IN_CHILD(lives_with_a_failing_compiler)
IN_CHILD(lives_with_a_lying_compiler)
IN_CHILD(lives_with_a_silent_compiler)
IN_CHILD(lives_with_no_program_as_compiler)
IN_CHILD(lives_with_a_full_disk)
IN_CHILD(lives_with_a_disk_that_fills)
IN_CHILD(lives_without_a_folder)
IN_CHILD(lives_with_ignored_children)
IN_CHILD(fails_alone)
IN_CHILD(leaves_functions_of_libraries)
IN_CHILD(keeps_bits_under_flags)
IN_CHILD(keeps_signs_of_zeros)
IN_CHILD(leaves_texts_to_tiles)
IN_CHILD(compiles_texts)
IN_CHILD(lives_behind_a_fork)
IN_CHILD(compiles_once_for_all_threads)
IN_CHILD(survives_without_memory)
IN_CHILD(refuses_options)

RUN_UNIT_TESTS(NULL, NULL)
