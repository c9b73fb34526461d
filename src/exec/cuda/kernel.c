/* Kernels of the library's own: compiled once for each choice of options. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/cuda/device.h"
#include "exec/cuda/headers.h"
#include "exec/cuda/kernel.h"

enum { MOST_WORDS = 10, MOST_LETTERS = 512 };

struct stn_device_kernel {
    const char *name;
    char options[MOST_LETTERS];
    void *module, *function;
    struct stn_device_kernel *next;
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

static stn_status make(stn_device *device, struct stn_device_kernel *kernel, const char *text)
{
    char letters[MOST_LETTERS];
    const char *words[MOST_WORDS];
    memcpy(letters, kernel->options, sizeof letters);
    const stn_device_text whole = {.name = kernel->name,
                                   .text = text,
                                   .header_names = stn_header_names,
                                   .header_texts = stn_header_texts,
                                   .headers = stn_header_count,
                                   .options = words,
                                   .option_count = split(letters, words)};
    STN_TRY(stn_device_compile(device, &whole, &kernel->module));
    const stn_status status =
        stn_device_function(device, kernel->module, kernel->name, &kernel->function);
    if (status != STN_OK)
        stn_device_unload(device, kernel->module);
    return status;
}

static stn_status add(stn_device *device, const char *name, const char *text, const char *options,
                      void **function)
{
    struct stn_device_kernel *kernel;
    if (strlen(options) >= MOST_LETTERS)
        return stn_fail(STN_ERR_RANGE, "%s: too many options", name);
    STN_TRY(stn_allocate(&kernel, 1, sizeof *kernel, name));
    *kernel = (struct stn_device_kernel){.name = name, .next = device->kernels};
    memcpy(kernel->options, options, strlen(options) + 1);
    const stn_status status = make(device, kernel, text);
    if (status != STN_OK) {
        stn_free(kernel);
        return status;
    }
    device->kernels = kernel;
    *function = kernel->function;
    return STN_OK;
}

stn_status stn_device_kernel(stn_device *device, const char *name, const char *text,
                             const char *options, void **function)
{
    stn_status status = STN_OK;
    *function = NULL;
    (void)pthread_mutex_lock(&device->compiling);
    for (const struct stn_device_kernel *k = device->kernels; k && !*function; k = k->next)
        if (strcmp(k->name, name) == 0 && strcmp(k->options, options) == 0)
            *function = k->function;
    if (!*function)
        status = add(device, name, text, options, function);
    (void)pthread_mutex_unlock(&device->compiling);
    return status;
}

void stn_device_drop_kernels(stn_device *device)
{
    while (device->kernels) {
        struct stn_device_kernel *const first = device->kernels;
        device->kernels = first->next;
        stn_device_unload(device, first->module);
        stn_free(first);
    }
}
