/* Compiled code on disk: one file per key, which contains the complete key, the code and a checksum
 * of both. Files are written under a private name and then renamed; none is changed or deleted. */
#define _GNU_SOURCE /* O_CLOEXEC, sigtimedwait */
#include "exec/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/environment.h"
#include "core/event.h"
#include "core/memory.h"

enum { MAX_NAME = 96 };
static const int64_t max_bytes = (int64_t)1 << 28; /* maximum file size */

typedef struct header {
    char kind[8]; /* file type and version of the layout */
    uint64_t key_bytes, code_bytes, check;
} header;
static const char kind_of_file[8] = "steno 1";

/* ---- keys ---- */

/* Each step is invertible, so that a single different word changes the hash. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    const char *at = bytes;
    for (size_t left = count; left > 0;) {
        uint64_t word = 0;
        const size_t in_use = left < sizeof word ? left : sizeof word;
        memcpy(&word, at, in_use);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
        at += in_use;
        left -= in_use;
    }
    return (hash ^ count) * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint64_t hash_key(const stn_device_key *key, uint64_t hash)
{
    for (int k = 0; k < key->count; k++)
        hash = mix(hash, key->part[k].bytes, key->part[k].size);
    return hash;
}

static size_t size_of_key(const stn_device_key *key)
{
    size_t size = 0;
    for (int k = 0; k < key->count; k++)
        size += sizeof(uint64_t) + key->part[k].size;
    return size;
}

/* Each part follows its size. */
static void write_key(const stn_device_key *key, char *to)
{
    for (int k = 0; k < key->count; k++) {
        const uint64_t size = key->part[k].size;
        memcpy(to, &size, sizeof size);
        memcpy(to + sizeof size, key->part[k].bytes, key->part[k].size);
        to += sizeof size + key->part[k].size;
    }
}

int stn_cache_identify_file(const char *path, char *description, size_t capacity)
{
    struct stat is;
    if (stat(path, &is) != 0)
        memset(&is, 0, sizeof is);
    const int wanted =
        snprintf(description, capacity, "%s %lld %lld.%09ld", path, (long long)is.st_size,
                 (long long)is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
    return (size_t)wanted < capacity ? wanted : (int)capacity - 1;
}

static void name_file(const stn_device_key *key, char name[MAX_NAME])
{
    const uint64_t seed = UINT64_C(0x5851f42d4c957f2d);
    snprintf(name, MAX_NAME, "%016" PRIx64 "%016" PRIx64, hash_key(key, 0), hash_key(key, seed));
}

/* ---- the folder ---- */

/* The reason why there is no folder, or NULL; "" if the program disabled the cache. */
static const char *find_folder(char path[STN_MAX_PATH])
{
    const stn_environment *const e = stn_environment_get();
    int length;
    *path = '\0';
    if (e->cache && strcmp(e->cache, "off") == 0)
        return "";
    if (e->cache)
        length = snprintf(path, STN_MAX_PATH, "%s", e->cache);
    else if (e->cache_home && *e->cache_home == '/')
        length = snprintf(path, STN_MAX_PATH, "%s/steno", e->cache_home);
    else if (e->home && *e->home == '/')
        length = snprintf(path, STN_MAX_PATH, "%s/.cache/steno", e->home);
    else
        return "has no folder: neither XDG_CACHE_HOME nor HOME is an absolute path";
    return length < 0 || length >= STN_MAX_PATH ? "has a path that is too long" : NULL;
}

/* Creates the folder and its parent. */
static void create_folder(char path[STN_MAX_PATH])
{
    char *const end = strrchr(path, '/');
    if (mkdir(path, 0700) == 0 || errno != ENOENT || !end || end == path)
        return;
    *end = '\0';
    (void)mkdir(path, 0700);
    *end = '/';
    (void)mkdir(path, 0700);
}

static void note(const stn_cache *cache, const char *reason)
{
    const char *const path = cache->path;
    stn_event_note(cache->key->name, "the cache of compiled kernels%s%.300s%s %s",
                   *path ? ", " : "", path, *path ? "," : "", reason);
}

/* Only the user may be able to write code that is executed. */
static const char *reason_against(int folder)
{
    struct stat is;
    if (fstat(folder, &is) != 0)
        return strerror(errno);
    if (is.st_uid != geteuid())
        return "belongs to another user";
    return is.st_mode & (S_IWGRP | S_IWOTH) ? "is writable by other users" : NULL;
}

static const char *open_folder(stn_cache *cache)
{
    const char *const reason = find_folder(cache->path);
    if (reason)
        return reason;
    create_folder(cache->path);
    cache->folder = open(cache->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return cache->folder < 0 ? strerror(errno) : reason_against(cache->folder);
}

void stn_cache_open(const stn_device_key *key, stn_cache *cache)
{
    cache->key = key;
    cache->folder = -1;
    const char *const reason = open_folder(cache);
    if (!reason)
        return;
    if (*reason)
        note(cache, reason);
    stn_cache_close(cache);
}

void stn_cache_close(stn_cache *cache)
{
    if (cache->folder >= 0)
        (void)close(cache->folder);
    cache->folder = -1;
}

/* ---- reading ---- */

static int read_all(int file, char *to, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t got = read(file, to, bytes);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return 0;
        to += got > 0 ? got : 0;
        bytes -= got > 0 ? (size_t)got : 0;
    }
    return 1;
}

/* Reads a file that only the user can have written. */
static char *read_file(int file, size_t *bytes)
{
    struct stat is;
    char *contents = NULL;
    if (fstat(file, &is) != 0 || !S_ISREG(is.st_mode) || reason_against(file) ||
        is.st_size < (off_t)sizeof(header) || is.st_size > max_bytes ||
        stn_allocate(&contents, is.st_size, 1, "code") != STN_OK)
        return NULL;
    *bytes = (size_t)is.st_size;
    if (read_all(file, contents, *bytes))
        return contents;
    stn_free(contents);
    return NULL;
}

/* Is the file complete, and does it have this key? */
static int is_of_key(const stn_device_key *key, const char *contents, size_t bytes, header *head)
{
    const size_t key_bytes = size_of_key(key), rest = bytes - sizeof *head;
    memcpy(head, contents, sizeof *head);
    if (memcmp(head->kind, kind_of_file, sizeof kind_of_file) != 0 ||
        head->key_bytes != key_bytes || key_bytes > rest || head->code_bytes == 0 ||
        head->code_bytes != rest - key_bytes ||
        head->check != mix(0, contents + sizeof *head, rest))
        return 0;
    contents += sizeof *head;
    for (int k = 0; k < key->count; k++) {
        const uint64_t size = key->part[k].size;
        if (memcmp(contents, &size, sizeof size) != 0 ||
            memcmp(contents + sizeof size, key->part[k].bytes, size) != 0)
            return 0;
        contents += sizeof size + size;
    }
    return 1;
}

void *stn_cache_load(const stn_cache *cache, size_t *bytes)
{
    char name[MAX_NAME];
    size_t all_bytes = 0;
    header head;
    if (cache->folder < 0)
        return NULL;
    name_file(cache->key, name);
    const int file = openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    char *const contents = read_file(file, &all_bytes);
    (void)close(file);
    if (contents && is_of_key(cache->key, contents, all_bytes, &head)) {
        *bytes = (size_t)head.code_bytes;
        memmove(contents, contents + all_bytes - *bytes, *bytes);
        return contents;
    }
    note(cache, "contains a damaged file for this kernel");
    stn_free(contents);
    return NULL;
}

/* ---- writing ---- */

static int write_all(int file, const char *from, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t put = write(file, from, bytes);
        if (put < 0 && errno != EINTR)
            return 0;
        from += put > 0 ? put : 0;
        bytes -= put > 0 ? (size_t)put : 0;
    }
    return fsync(file) == 0;
}

void stn_file_limit_hold(stn_file_limit *limit)
{
    sigset_t size, pending;
    (void)sigemptyset(&size);
    (void)sigaddset(&size, SIGXFSZ);
    (void)sigpending(&pending);
    limit->was_pending = sigismember(&pending, SIGXFSZ);
    (void)pthread_sigmask(SIG_BLOCK, &size, &limit->before);
}

void stn_file_limit_release(const stn_file_limit *limit)
{
    static const struct timespec now = {0, 0};
    sigset_t size;
    (void)sigemptyset(&size);
    (void)sigaddset(&size, SIGXFSZ);
    if (!limit->was_pending)
        (void)sigtimedwait(&size, NULL, &now);
    (void)pthread_sigmask(SIG_SETMASK, &limit->before, NULL);
}

static int write_quietly(int file, const char *from, size_t bytes)
{
    stn_file_limit limit;
    stn_file_limit_hold(&limit);
    const int done = write_all(file, from, bytes), error = errno;
    stn_file_limit_release(&limit);
    errno = error;
    return done;
}

/* The contents of the file. */
static char *create_file(const stn_device_key *key, const void *code, size_t bytes,
                         size_t *all_bytes)
{
    const size_t key_bytes = size_of_key(key);
    header head = {.key_bytes = key_bytes, .code_bytes = bytes};
    char *contents;
    *all_bytes = sizeof head + key_bytes + bytes;
    if (stn_allocate(&contents, (int64_t)*all_bytes, 1, "code") != STN_OK)
        return NULL;
    write_key(key, contents + sizeof head);
    memcpy(contents + sizeof head + key_bytes, code, bytes);
    memcpy(head.kind, kind_of_file, sizeof kind_of_file);
    head.check = mix(0, contents + sizeof head, key_bytes + bytes);
    memcpy(contents, &head, sizeof head);
    return contents;
}

/* Returns an error number or 0. */
static int write_file(int folder, const stn_device_key *key, const char *contents, size_t bytes)
{
    static atomic_uint count;
    char name[MAX_NAME], fresh[MAX_NAME + 64];
    name_file(key, name);
    snprintf(fresh, sizeof fresh, "%s.%ld.%u.%lld.new", name, (long)getpid(),
             atomic_fetch_add(&count, 1), (long long)time(NULL));
    const int file = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                            S_IRUSR | S_IWUSR);
    if (file < 0)
        return errno;
    int error = write_quietly(file, contents, bytes) ? 0 : errno;
    if (close(file) != 0 && error == 0)
        error = errno;
    if (error == 0 && renameat(folder, fresh, folder, name) != 0)
        error = errno;
    if (error != 0)
        (void)unlinkat(folder, fresh, 0);
    return error;
}

void stn_cache_store(const stn_cache *cache, const void *code, size_t bytes)
{
    size_t all_bytes;
    if (cache->folder < 0)
        return;
    char *const contents = create_file(cache->key, code, bytes, &all_bytes);
    const int error =
        contents ? write_file(cache->folder, cache->key, contents, all_bytes) : ENOMEM;
    if (error != 0)
        note(cache, strerror(error));
    stn_free(contents);
}
