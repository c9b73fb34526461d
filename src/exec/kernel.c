/* Kernels of a device: compiled once, and looked up by their keys. */
#define _POSIX_C_SOURCE 200809L
#include "exec/kernel.h"

#include <string.h>

#include "core/event.h"
#include "core/memory.h"
#include "core/status.h"
#include "exec/cache.h"
#include "exec/headers.h"

enum { MAX_WORDS = 16, MAX_LETTERS = 512, MAX_IDENTITY = 2048 };

struct stn_device_kernel {
    struct stn_device_kernel *next;
    void *module, *function;
    size_t size; /* of the key */
    char *name;  /* in `key`, after it */
    char key[];
};

/* ---- keys ---- */

static size_t size_of(const stn_device_key *key)
{
    size_t size = 0;
    for (int k = 0; k < key->count; k++)
        size += key->part[k].size;
    return size;
}

static int is_of(const struct stn_device_kernel *kernel, const stn_device_key *key, size_t size)
{
    const char *at = kernel->key;
    int same = kernel->size == size && strcmp(kernel->name, key->name) == 0;
    for (int k = 0; k < key->count && same; at += key->part[k++].size)
        same = memcmp(at, key->part[k].bytes, key->part[k].size) == 0;
    return same;
}

static stn_status keep(const stn_device_key *key, struct stn_device_kernel **kernel)
{
    const size_t size = size_of(key), name_bytes = strlen(key->name) + 1;
    STN_TRY(stn_allocate(kernel, 1, sizeof **kernel + size + name_bytes, key->name));
    struct stn_device_kernel *const result = *kernel;
    char *at = result->key;
    memset(result, 0, sizeof *result);
    result->size = size;
    for (int k = 0; k < key->count; at += key->part[k++].size)
        memcpy(at, key->part[k].bytes, key->part[k].size);
    result->name = memcpy(at, key->name, name_bytes);
    return STN_OK;
}

/* ---- creation ---- */

/* Splits a text at blanks, which become terminators. Returns the number of words, including those
 * that were not stored. */
static int split(char *text, const char **words)
{
    int count = 0;
    for (char *word = strtok_r(text, " ", &text); word; word = strtok_r(NULL, " ", &text)) {
        if (count < MAX_WORDS)
            words[count] = word;
        count++;
    }
    return count;
}

/* Everything that determines the code. */
static void build_code_key(stn_device *device, const stn_device_text *text, const char *options,
                           char identity[MAX_IDENTITY], stn_device_key *key)
{
    const char *const parts[] = {device->calls->kind, identity,  stn_header_hash, options,
                                 text->name,          text->text};
    device->calls->identify(device, identity, MAX_IDENTITY);
    key->name = text->name;
    key->count = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        key->part[key->count].bytes = parts[k];
        key->part[key->count++].size = strlen(parts[k]);
    }
}

static stn_status compile_and_cache(stn_device *device, const stn_device_text *text,
                                    const stn_cache *cache, void **module)
{
    stn_device_code code = {NULL, 0};
    stn_event_compiles(text->name, device->resource);
    STN_TRY(device->calls->compile(device, text, module, cache->folder >= 0 ? &code : NULL));
    if (code.bytes)
        stn_cache_store(cache, code.bytes, code.size);
    stn_free(code.bytes);
    return STN_OK;
}

static stn_status load_or_compile(stn_device *device, const stn_device_text *text,
                                  const char *options, void **module)
{
    char identity[MAX_IDENTITY];
    stn_device_key key;
    stn_cache cache;
    stn_device_code code = {NULL, 0};
    build_code_key(device, text, options, identity, &key);
    stn_cache_open(&key, &cache);
    code.bytes = stn_cache_load(&cache, &code.size);
    *module = NULL;
    if (code.bytes && device->calls->load(device, text->name, &code, module) != STN_OK) {
        stn_event_note(text->name, "cached code is compiled again: %s", stn_error());
        *module = NULL;
    }
    stn_free(code.bytes);
    const stn_status status = *module ? STN_OK : compile_and_cache(device, text, &cache, module);
    stn_cache_close(&cache);
    return status;
}

static stn_status compile(stn_device *device, const char *text, const char *options,
                          struct stn_device_kernel *kernel)
{
    char letters[MAX_LETTERS];
    const char *words[MAX_WORDS];
    if (strlen(options) >= sizeof letters)
        return stn_fail(STN_ERR_RANGE, "%s: too many options", kernel->name);
    memcpy(letters, options, strlen(options) + 1);
    const stn_device_text whole = {.name = kernel->name,
                                   .text = text,
                                   .header_names = stn_header_names,
                                   .header_texts = stn_header_texts,
                                   .headers = stn_header_count,
                                   .options = words,
                                   .option_count = split(letters, words)};
    if (whole.option_count > MAX_WORDS)
        return stn_fail(STN_ERR_RANGE, "%s: too many options", kernel->name);
    STN_TRY(load_or_compile(device, &whole, options, &kernel->module));
    const stn_status status =
        stn_device_find(device, kernel->module, kernel->name, &kernel->function);
    if (status != STN_OK) {
        stn_device_unload(device, kernel->module);
        kernel->module = NULL;
    }
    return status;
}

/* Compiles the text after the device's dialect. */
static stn_status compile_whole(stn_device *device, const char *text, const char *options,
                                struct stn_device_kernel *kernel)
{
    const char *const dialect = device->calls->dialect;
    const size_t before = strlen(dialect), bytes = strlen(text) + 1;
    char *whole;
    STN_TRY(stn_allocate(&whole, 1, before + bytes, kernel->name));
    memcpy(whole, dialect, before);
    memcpy(whole + before, text, bytes);
    const stn_status status = compile(device, whole, options, kernel);
    stn_free(whole);
    return status;
}

static struct stn_device_kernel *find(stn_device *device, const stn_device_key *key)
{
    const size_t size = size_of(key);
    struct stn_device_kernel *kernel = device->kernels;
    while (kernel && !is_of(kernel, key, size))
        kernel = kernel->next;
    return kernel;
}

static stn_status add(stn_device *device, const stn_device_key *key, const char *text,
                      const char *options, struct stn_device_kernel **result)
{
    STN_TRY(keep(key, result));
    const stn_status status = compile_whole(device, text, options, *result);
    if (status != STN_OK && (status == STN_ERR_MEMORY || !device->calls->keeps_failures)) {
        stn_free(*result);
        return status;
    }
    (*result)->next = device->kernels;
    device->kernels = *result;
    return status;
}

int stn_device_has_kernel(stn_device *device, const stn_device_key *key,
                          stn_device_function *function)
{
    if (!stn_device_is_current(device))
        return 0;
    (void)pthread_mutex_lock(&device->compiling);
    const struct stn_device_kernel *const kernel = find(device, key);
    (void)pthread_mutex_unlock(&device->compiling);
    if (kernel)
        *function = (stn_device_function){kernel->function, kernel->name};
    return kernel != NULL;
}

stn_status stn_device_create_kernel(stn_device *device, const stn_device_key *key, const char *text,
                                    const char *options, stn_device_function *function)
{
    STN_TRY(stn_device_check(device));
    (void)pthread_mutex_lock(&device->compiling);
    struct stn_device_kernel *kernel = find(device, key); /* compiled by another thread meanwhile */
    const stn_status status = kernel ? STN_OK : add(device, key, text, options, &kernel);
    (void)pthread_mutex_unlock(&device->compiling);
    if (status == STN_OK)
        *function = (stn_device_function){kernel->function, kernel->name};
    return status;
}

void stn_device_drop_kernels(stn_device *device)
{
    while (device->kernels) {
        struct stn_device_kernel *const first = device->kernels;
        device->kernels = first->next;
        if (first->module)
            device->calls->unload(device, first->module, first->function);
        stn_free(first);
    }
}
