/* Compiled kernels on disk: a second process compiles nothing, and whatever is wrong with the
 * folder, the disk or a file costs time only. Each case is a process of its own: the library reads
 * the environment once. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "child.h"
#include "core/memory.h"
#include "cuda.h"
#include "exec/cache.h"
#include "steno/kernel.h"
#include "steno/view.h"

STN_MAP(axpy, (real(alpha), in(x), inout(y)), y = alpha * x + y;)

enum { NOBODY = 65534, ROOM = 512 };
static char folder[128]; /* of a test, empty at its beginning */

/* ---- a folder of its own ---- */

static int make_temporary(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/steno-test-XXXXXX");
    unsetenv("XDG_CACHE_HOME");
    setenv("STENO_CACHE", mkdtemp(folder), 1);
    return 0;
}

static int remove_temporary(void **state)
{
    char command[ROOM];
    (void)state;
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder, folder);
    return system(command);
}

/* ---- files ---- */

static const char code[] = "what a compiler made of the text";

static stn_device_key key_of(const char *text)
{
    stn_device_key key = {.name = "a kernel", .count = 2};
    key.part[0].bytes = "of a device";
    key.part[0].size = 11;
    key.part[1].bytes = text;
    key.part[1].size = strlen(text);
    return key;
}

static void *load(const stn_device_key *key, size_t *bytes)
{
    stn_cache cache;
    stn_cache_open(key, &cache);
    void *const found = stn_cache_load(&cache, bytes);
    stn_cache_close(&cache);
    return found;
}

static void store(const stn_device_key *key, const void *bytes, size_t count)
{
    stn_cache cache;
    stn_cache_open(key, &cache);
    stn_cache_store(&cache, bytes, count);
    stn_cache_close(&cache);
}

/* 1: the code; 0: nothing. */
static int finds(const char *text)
{
    const stn_device_key key = key_of(text);
    size_t bytes = 0;
    char *const found = load(&key, &bytes);
    NEED(!found || (bytes == sizeof code && memcmp(found, code, bytes) == 0));
    stn_free(found);
    return found != NULL;
}

static void keep(const char *text)
{
    const stn_device_key key = key_of(text);
    store(&key, code, sizeof code);
}

static int count_files(const char *path, char name[ROOM])
{
    DIR *const all = opendir(path);
    int count = 0;
    NEED(all != NULL);
    for (const struct dirent *one = readdir(all); one; one = readdir(all))
        if (one->d_name[0] != '.') {
            count++;
            snprintf(name, ROOM, "%.200s/%.255s", path, one->d_name);
        }
    closedir(all);
    return count;
}

static void stores_and_finds(void)
{
    char name[ROOM];
    stn_event_set_hook(listen, NULL);
    NEED(!finds("text"));
    keep("text");
    NEED(finds("text") && !finds("texT") && !finds("text ") && !finds(""));
    keep("other");
    keep("text");
    NEED(finds("text") && finds("other") && notes == 0 && count_files(folder, name) == 2);
}

static size_t read_whole(const char *name, char *bytes, size_t size)
{
    FILE *const file = fopen(name, "rb");
    NEED(file != NULL);
    const size_t got = fread(bytes, 1, size, file);
    fclose(file);
    return got;
}

static void write_whole(const char *name, const char *bytes, size_t count)
{
    FILE *const file = fopen(name, "wb");
    NEED(file != NULL);
    NEED(fwrite(bytes, 1, count, file) == count);
    fclose(file);
}

/* Each length, and each byte changed. */
static void finds_no_damaged_file(void)
{
    char name[ROOM], whole[1024];
    keep("text");
    NEED(count_files(folder, name) == 1);
    const size_t bytes = read_whole(name, whole, sizeof whole);
    stn_event_set_hook(listen, NULL);
    NEED(bytes > sizeof code && bytes < sizeof whole);
    for (size_t length = 0; length <= bytes + 1; length++) {
        whole[bytes] = 0;
        write_whole(name, whole, length);
        notes = 0;
        NEED(finds("text") == (length == bytes));
        if (length != bytes)
            expect_note(1, "contains a damaged file for this kernel");
    }
    for (size_t at = 0; at < bytes; at++)
        for (int bit = 0; bit < 8; bit += 7) {
            whole[at] = (char)(whole[at] ^ 1 << bit);
            write_whole(name, whole, bytes);
            NEED(!finds("text"));
            whole[at] = (char)(whole[at] ^ 1 << bit);
        }
    keep("text");
    NEED(finds("text"));
}

/* Whole, and another key's: as when two keys had one name. */
static void finds_no_other_file(void)
{
    char first[ROOM], second[ROOM], whole[1024];
    keep("text");
    NEED(count_files(folder, first) == 1);
    const size_t bytes = read_whole(first, whole, sizeof whole);
    NEED(unlink(first) == 0);
    keep("texts");
    NEED(count_files(folder, second) == 1);
    write_whole(second, whole, bytes);
    NEED(!finds("texts"));
}

/* ---- folders ---- */

static void uses_nothing(const char *why)
{
    stn_event_set_hook(listen, NULL);
    notes = 0;
    keep("text");
    expect_note(1, why);
    notes = 0;
    NEED(!finds("text"));
    expect_note(1, why);
}

static void refuses_what_others_write(void)
{
    keep("text");
    NEED(finds("text") && chmod(folder, 0770) == 0);
    uses_nothing("is writable by other users");
    NEED(chmod(folder, 0702) == 0);
    uses_nothing("is writable by other users");
    NEED(chmod(folder, 0755) == 0 && finds("text"));
}

static void refuses_what_others_wrote(void)
{
    char name[ROOM];
    keep("text");
    NEED(count_files(folder, name) == 1 && chmod(name, 0666) == 0 && !finds("text"));
    keep("text");
    NEED(finds("text"));
}

/* Root's folder is one of others, and so is one that root gives away. */
static void refuses_a_foreign_folder(void)
{
    if (geteuid() == 0)
        NEED(chown(folder, NOBODY, NOBODY) == 0);
    else
        setenv("STENO_CACHE", "/", 1);
    uses_nothing("belongs to another user");
}

static void drop_rights(void)
{
    if (geteuid() == 0)
        NEED(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
}

static void lives_with_a_read_only_home(void)
{
    unsetenv("STENO_CACHE");
    setenv("HOME", folder, 1);
    NEED(chmod(folder, 0555) == 0);
    drop_rights();
    uses_nothing("No such file");
}

static void lives_without_a_folder(void)
{
    char name[ROOM];
    snprintf(name, sizeof name, "%s/a file", folder);
    write_whole(name, "x", 1);
    setenv("STENO_CACHE", name, 1);
    uses_nothing("Not a directory");
}

static void is_silent_when_off(void)
{
    char name[ROOM];
    setenv("STENO_CACHE", "off", 1);
    setenv("HOME", folder, 1);
    stn_event_set_hook(listen, NULL);
    keep("text");
    NEED(!finds("text") && notes == 0 && count_files(folder, name) == 0);
}

static void lives_without_a_home(void)
{
    unsetenv("STENO_CACHE");
    unsetenv("HOME");
    setenv("XDG_CACHE_HOME", "a relative path, which the specification leaves out", 1);
    uses_nothing("has no folder: neither XDG_CACHE_HOME nor HOME is an absolute path");
}

static void lives_with_a_long_path(void)
{
    static char path[5000];
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    setenv("STENO_CACHE", path, 1);
    uses_nothing("has a path that is too long");
}

static void expect_folder(const char *below)
{
    char path[ROOM], name[ROOM];
    struct stat is;
    snprintf(path, sizeof path, "%s/%s", folder, below);
    keep("text");
    NEED(finds("text") && stat(path, &is) == 0 && (is.st_mode & 0777) == 0700);
    NEED(count_files(path, name) == 1 && stat(name, &is) == 0 && (is.st_mode & 0777) == 0600);
}

static void makes_a_folder_at_home(void)
{
    unsetenv("STENO_CACHE");
    setenv("HOME", folder, 1);
    expect_folder(".cache/steno");
}

static void makes_a_folder_of_caches(void)
{
    char home[ROOM];
    snprintf(home, sizeof home, "%s/caches", folder);
    unsetenv("STENO_CACHE");
    setenv("HOME", "/nowhere", 1);
    setenv("XDG_CACHE_HOME", home, 1);
    expect_folder("caches/steno");
}

/* ---- disks, and processes ---- */

static void lives_with_a_full_disk(void)
{
    struct rlimit limit = {64, RLIM_INFINITY};
    char name[ROOM];
    NEED(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    stn_event_set_hook(listen, NULL);
    keep("text"); /* SIGXFSZ would end the process */
    expect_note(1, "File too large");
    NEED(!finds("text") && count_files(folder, name) == 0);
    limit.rlim_cur = RLIM_INFINITY;
    NEED(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    keep("text");
    NEED(finds("text"));
}

enum { LARGE = 1 << 20, PROCESSES = 64 };
static char large[LARGE];

static int finds_large(void)
{
    const stn_device_key key = key_of("large");
    size_t bytes = 0;
    char *const found = load(&key, &bytes);
    NEED(!found || (bytes == LARGE && memcmp(found, large, bytes) == 0));
    stn_free(found);
    return found != NULL;
}

static void store_and_find_large(void)
{
    const stn_device_key key = key_of("large");
    stn_event_set_hook(listen, NULL);
    (void)finds_large();
    store(&key, large, LARGE);
    NEED(finds_large() && notes == 0);
}

static void find_large(void)
{
    NEED(finds_large());
}

static void serves_many_processes(void **state)
{
    pid_t children[PROCESSES];
    char name[ROOM];
    (void)state;
    for (int k = 0; k < LARGE; k++)
        large[k] = (char)(k * 7 + k / 1000);
    for (int k = 0; k < PROCESSES; k++)
        children[k] = begin(store_and_find_large);
    for (int k = 0; k < PROCESSES; k++)
        finish(children[k]);
    assert_int_equal(count_files(folder, name), 1);
    run(find_large);
}

static void store_for_ever(void)
{
    const stn_device_key key = key_of("large");
    for (;;)
        store(&key, large, LARGE);
}

static void find_or_store_large(void)
{
    stn_event_set_hook(listen, NULL);
    (void)finds_large();
    NEED(notes == 0); /* there is none, or a whole one */
}

static void survives_killed_processes(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        int status;
        const pid_t child = begin(store_for_ever);
        usleep((useconds_t)(500 + 397 * k));
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        run(find_or_store_large);
    }
    run(store_and_find_large);
}

/* ---- kernels on devices ---- */

static const char *resource;

/* y = 2 * 1.5 + 0.25 where the device calculates; the stand-in does not. */
static void calculate(void)
{
    static const int64_t extents[2] = {5, 7};
    stn_exec *exec;
    stn_view x, y, back;
    double value;
    stn_event_set_hook(listen, NULL);
    NEED(stn_exec_create(&exec, resource) == STN_OK);
    NEED(stn_view_create(exec, &x, "x", stn_storage_of(STN_F16), 2, extents) == STN_OK);
    NEED(stn_view_create(exec, &y, "y", stn_storage_of(STN_F32), 2, extents) == STN_OK);
    NEED(stn_view_fill(exec, &x, 1.5) == STN_OK && stn_view_fill(exec, &y, 0.25) == STN_OK);
    NEED(axpy_run(exec, STN_F64, 2.0, &x, &y) == STN_OK);
    NEED(stn_view_mirror_view(exec, &back, &y, STN_SPACE_HOST, STN_MIRROR_COPY) == STN_OK);
    NEED(STN_VIEW_GET(&back, &value, 4, 6) == STN_OK);
    NEED(value == 3.25 || strcmp(resource, "cuda:0") == 0);
    NEED(!cuda_is_stand_in() || strcmp(resource, "cuda:0") != 0 ||
         compilations == cuda_stand_in_of()->look()->compilations);
    NEED(stn_view_release(&x) == STN_OK && stn_view_release(&y) == STN_OK);
    NEED(stn_view_release(&back) == STN_OK);
    stn_exec_release(exec);
}

static void compiles(void)
{
    calculate();
    NEED(compilations > 0);
}

static void compiles_quietly(void)
{
    compiles();
    NEED(notes == 0);
}

static void compiles_nothing(void)
{
    calculate();
    NEED(compilations == 0 && notes == 0);
}

static void compiles_for_another_architecture(void)
{
    cuda_stand_in_of()->architecture(80);
    compiles_quietly();
}

static void compiles_what_is_refused(void)
{
    cuda_stand_in_of()->fail_at("cuModuleLoadData", 1, 200, 0);
    calculate();
    NEED(compilations == 1);
    expect_note(1, "compiled again");
}

static void compiles_at_a_full_disk(void)
{
    const struct rlimit limit = {64, RLIM_INFINITY};
    NEED(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    compiles();
    NEED(notes == compilations);
}

static void compiles_as_nobody(void)
{
    drop_rights();
    compiles();
    NEED(notes == compilations);
}

static void damage_all_files(void)
{
    char command[ROOM];
    snprintf(command, sizeof command, "for f in %s/*; do echo damaged >\"$f\"; done", folder);
    NEED(system(command) == 0);
}

/* Compilers go deeper than a program's threads may. */
static void compiles_on_a_large_stack(void)
{
    compiles();
    NEED(cuda_stand_in_of()->look()->compiler_stack >= 16 << 20);
}

static void compiles_on_a_thread_of_its_own(void **state)
{
    (void)state;
    resource = "cuda:0";
    if (cuda_is_stand_in())
        run(compiles_on_a_large_stack);
}

static void compiles_once_for_all_processes(void **state)
{
    static const char *const resources[] = {"cuda:0", "opencl:0"};
    pid_t children[PROCESSES];
    (void)state;
    for (int k = 0; k < 2; k++) {
        resource = resources[k];
        if (strcmp(resource, "opencl:0") == 0 && !getenv("STENO_TEST_OPENCL"))
            continue;
        run(compiles_quietly);
        run(compiles_nothing);
        run(damage_all_files);
        run(compiles);
        run(compiles_nothing);
    }
    resource = resources[0];
    for (int k = 0; k < PROCESSES; k++)
        children[k] = begin(calculate);
    for (int k = 0; k < PROCESSES; k++)
        finish(children[k]);
    if (cuda_is_stand_in()) {
        run(compiles_for_another_architecture);
        run(compiles_what_is_refused);
    }
}

static void calculates_without_a_cache(void **state)
{
    (void)state;
    resource = "cuda:0";
    run(compiles_at_a_full_disk);
    assert_int_equal(chmod(folder, 0500), 0);
    run(compiles_as_nobody);
    assert_int_equal(chmod(folder, 0777), 0);
    run(compiles);
    setenv("STENO_CACHE", "off", 1);
    run(compiles_quietly);
    run(compiles_quietly);
}

static void with_folder(void (*work)(void))
{
    (void)make_temporary(NULL);
    run(work);
    assert_int_equal(remove_temporary(NULL), 0);
}

static void stores_files(void **state)
{
    static void (*const cases[])(void) = {stores_and_finds,
                                          finds_no_damaged_file,
                                          finds_no_other_file,
                                          refuses_what_others_write,
                                          refuses_what_others_wrote,
                                          refuses_a_foreign_folder,
                                          lives_with_a_read_only_home,
                                          lives_without_a_folder,
                                          is_silent_when_off,
                                          lives_without_a_home,
                                          lives_with_a_long_path,
                                          makes_a_folder_at_home,
                                          makes_a_folder_of_caches,
                                          lives_with_a_full_disk};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        with_folder(cases[k]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_temporary, remove_temporary)

static void has_opencl(void)
{
    stn_exec *exec;
    _exit(stn_exec_create(&exec, "opencl:0") == STN_OK ? 0 : 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_files),        TEST(serves_many_processes),
        TEST(survives_killed_processes),       TEST(compiles_once_for_all_processes),
        TEST(compiles_on_a_thread_of_its_own), TEST(calculates_without_a_cache)};
    int status = 1;
    cuda_choose(0);
    const pid_t child = begin(has_opencl);
    if (waitpid(child, &status, 0) == child && status == 0)
        setenv("STENO_TEST_OPENCL", "1", 1);
    return cmocka_run_group_tests_name("the cache of compiled kernels", tests, NULL, NULL);
}
