/* An NVRTC of one version, which the build passes as MAJOR, MINOR and ARCHITECTURES. The code of a
 * text is the version and the options. The library's soname is that of NVIDIA's: after dlopen of
 * this file by its path, dlopen of "libnvrtc.so.12" returns the same library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, INVALID_PROGRAM = 4, MOST = 1024 };

typedef struct program {
    char ptx[MOST];
    int is_virtual; /* there is PTX only */
} program;

static const int architectures[] = {ARCHITECTURES};

int nvrtcVersion(int *major, int *minor)
{
    *major = MAJOR;
    *minor = MINOR;
    return OK;
}
int nvrtcGetNumSupportedArchs(int *count)
{
    *count = (int)(sizeof architectures / sizeof *architectures);
    return OK;
}
int nvrtcGetSupportedArchs(int *list)
{
    memcpy(list, architectures, sizeof architectures);
    return OK;
}
int nvrtcCreateProgram(void **made, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    (void)text, (void)name, (void)headers, (void)texts, (void)names;
    *made = calloc(1, sizeof(program));
    return *made ? OK : INVALID_PROGRAM;
}
int nvrtcDestroyProgram(void **made)
{
    free(*made);
    *made = NULL;
    return OK;
}
int nvrtcCompileProgram(void *made, int count, const char *const *options)
{
    program *const p = made;
    int at = snprintf(p->ptx, MOST, "NVRTC %d.%d", MAJOR, MINOR);
    for (int k = 0; k < count && at < MOST; k++) {
        at += snprintf(p->ptx + at, (size_t)(MOST - at), " %s", options[k]);
        p->is_virtual = p->is_virtual || strstr(options[k], "=compute_");
    }
    return OK;
}
int nvrtcGetProgramLogSize(void *made, size_t *bytes)
{
    (void)made;
    *bytes = 0;
    return OK;
}
int nvrtcGetProgramLog(void *made, char *log)
{
    (void)made, (void)log;
    return INVALID_PROGRAM;
}
int nvrtcGetPTXSize(void *made, size_t *bytes)
{
    *bytes = strlen(((program *)made)->ptx) + 1;
    return OK;
}
int nvrtcGetPTX(void *made, char *ptx)
{
    memcpy(ptx, ((program *)made)->ptx, strlen(((program *)made)->ptx) + 1);
    return OK;
}
int nvrtcGetCUBINSize(void *made, size_t *bytes)
{
    *bytes = 0;
    return ((program *)made)->is_virtual ? OK : nvrtcGetPTXSize(made, bytes);
}
int nvrtcGetCUBIN(void *made, char *code)
{
    return ((program *)made)->is_virtual ? INVALID_PROGRAM : nvrtcGetPTX(made, code);
}
