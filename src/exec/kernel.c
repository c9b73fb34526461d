/* Kernels of a device: compiled once for each text and choice of options. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/headers.h"
#include "exec/kernel.h"

enum { MOST_WORDS = 10, MOST_LETTERS = 512 };

struct stn_device_kernel {
    struct stn_device_kernel *next;
    void *module, *function;
    const char *name, *options; /* in `text`, behind its end */
    char text[];
};

/* The words of a text, which blanks become the ends of. */
static int split(char *text, const char **words)
{
    int count = 0;
    for (char *word = strtok_r(text, " ", &text); word && count < MOST_WORDS;
         word = strtok_r(NULL, " ", &text))
        words[count++] = word;
    return count;
}

static stn_status make(stn_device *device, struct stn_device_kernel *kernel)
{
    char letters[MOST_LETTERS];
    const char *words[MOST_WORDS];
    memcpy(letters, kernel->options, strlen(kernel->options) + 1);
    const stn_device_text whole = {.name = kernel->name,
                                   .text = kernel->text,
                                   .header_names = stn_header_names,
                                   .header_texts = stn_header_texts,
                                   .headers = stn_header_count,
                                   .options = words,
                                   .option_count = split(letters, words)};
    STN_TRY(stn_device_compile(device, &whole, &kernel->module));
    const stn_status status =
        stn_device_find(device, kernel->module, kernel->name, &kernel->function);
    if (status != STN_OK)
        stn_device_unload(device, kernel->module);
    return status;
}

/* Copies of the three texts, one behind the other; the first behind the dialect. */
static stn_status keep(const char *dialect, const char *name, const char *text, const char *options,
                       struct stn_device_kernel **kernel)
{
    const size_t dialect_bytes = strlen(dialect);
    const size_t text_bytes = dialect_bytes + strlen(text) + 1, name_bytes = strlen(name) + 1,
                 option_bytes = strlen(options) + 1;
    if (option_bytes > MOST_LETTERS)
        return stn_fail(STN_ERR_RANGE, "%s: too many options", name);
    const size_t bytes = sizeof **kernel + text_bytes + name_bytes + option_bytes;
    STN_TRY(stn_allocate(kernel, 1, bytes, name));
    struct stn_device_kernel *const k = *kernel;
    memset(k, 0, sizeof *k);
    memcpy(k->text, dialect, dialect_bytes);
    memcpy(k->text + dialect_bytes, text, text_bytes - dialect_bytes);
    k->name = memcpy(k->text + text_bytes, name, name_bytes);
    k->options = memcpy(k->text + text_bytes + name_bytes, options, option_bytes);
    return STN_OK;
}

static stn_status add(stn_device *device, const char *name, const char *text, const char *options,
                      struct stn_device_kernel **made)
{
    struct stn_device_kernel *kernel;
    STN_TRY(keep(device->calls->dialect, name, text, options, &kernel));
    const stn_status status = make(device, kernel);
    if (status != STN_OK) {
        stn_free(kernel);
        return status;
    }
    kernel->next = device->kernels;
    device->kernels = *made = kernel;
    return STN_OK;
}

stn_status stn_device_kernel(stn_device *device, const char *name, const char *text,
                             const char *options, stn_device_function *function)
{
    const size_t dialect_bytes = strlen(device->calls->dialect);
    stn_status status = STN_OK;
    (void)pthread_mutex_lock(&device->compiling);
    struct stn_device_kernel *k = device->kernels;
    while (k && (strcmp(k->name, name) != 0 || strcmp(k->options, options) != 0 ||
                 strcmp(k->text + dialect_bytes, text) != 0))
        k = k->next;
    if (!k)
        status = add(device, name, text, options, &k);
    if (status == STN_OK)
        *function = (stn_device_function){k->function, k->name};
    (void)pthread_mutex_unlock(&device->compiling);
    return status;
}

void stn_device_drop_kernels(stn_device *device)
{
    while (device->kernels) {
        struct stn_device_kernel *const first = device->kernels;
        device->kernels = first->next;
        device->calls->unload(device, first->module, first->function);
        stn_free(first);
    }
}
