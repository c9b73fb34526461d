/* runtime_compiler LIBRARY nvrtc|hiprtc FOLDER TEXT SINGLE_FILE OPTION...: compiles TEXT, a header
 * of FOLDER, with a vendor's compiler of run-time texts. With SINGLE_FILE "-" headers are found by
 * the options; else that file and those of FOLDER are handed over in memory. A line in the log is a
 * failure. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct compiler {
    int (*CreateProgram)(void **, const char *, const char *, int, const char *const *,
                         const char *const *);
    int (*CompileProgram)(void *, int, const char *const *);
    int (*GetProgramLogSize)(void *, size_t *);
    int (*GetProgramLog)(void *, char *);
    int (*GetCode)(void *, char *);
    int (*GetCodeSize)(void *, size_t *);
} compiler;

static int find(void *library, const char *vendor, const char *name, void *function)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", vendor, name);
    void *symbol = dlsym(library, full);
    memcpy(function, &symbol, sizeof symbol);
    if (!symbol)
        fprintf(stderr, "no %s\n", full);
    return symbol != NULL;
}

static int load(compiler *c, const char *path, const char *vendor)
{
    const int cuda = strcmp(vendor, "nvrtc") == 0;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fprintf(stderr, "%s\n", dlerror());
    return library && find(library, vendor, "CreateProgram", &c->CreateProgram) &&
           find(library, vendor, "CompileProgram", &c->CompileProgram) &&
           find(library, vendor, "GetProgramLogSize", &c->GetProgramLogSize) &&
           find(library, vendor, "GetProgramLog", &c->GetProgramLog) &&
           find(library, vendor, cuda ? "GetCUBIN" : "GetCode", &c->GetCode) &&
           find(library, vendor, cuda ? "GetCUBINSize" : "GetCodeSize", &c->GetCodeSize);
}

static char *text_of(const char *folder, const char *name)
{
    enum { MOST = 1 << 20 };
    char path[1024], *text = calloc(1, MOST);
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    FILE *file = fopen(path, "rb");
    if (!file || !text || fread(text, 1, MOST - 1, file) == 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

/* What the compiler had to say: nothing, it is hoped. */
static int print_log(const compiler *c, void *program)
{
    size_t size = 0;
    c->GetProgramLogSize(program, &size);
    char *log = calloc(1, size + 1);
    if (!log)
        return 1;
    c->GetProgramLog(program, log);
    const int said = size > 1 && strspn(log, " \n") < strlen(log);
    if (said)
        fprintf(stderr, "%s\n", log);
    free(log);
    return said;
}

static const char *const names[] = {"steno_accessor.h", "kernels.h", "inputs.h",
                                    "steps.h",          "formats.h", "rules.h",
                                    "scaled.h",         "layouts.h", "checked.h"};
enum { COUNT = sizeof names / sizeof *names };

int main(int argc, char **argv)
{
    compiler c;
    const char *texts[COUNT];
    char text[256];
    void *program = NULL;
    size_t bytes = 0;
    if (argc < 6 || !load(&c, argv[1], argv[2]))
        return 1;
    const int in_memory = strcmp(argv[5], "-") != 0;
    for (int k = 0; in_memory && k < COUNT; k++)
        texts[k] = k == 0 ? text_of("", argv[5]) : text_of(argv[3], names[k]);
    /* An accessor in the text itself, most of whose functions are never called, is no reason to
     * warn.
     */
    snprintf(text, sizeof text,
             "%s#include \"%s\"\nSTN_ACCESSOR(defined_here, 2, float, stn_f16)\n",
             in_memory ? "#define STENO_SINGLE_FILE\n" : "", argv[4]);
    if (c.CreateProgram(&program, text, "kernels.cu", in_memory ? COUNT : 0, texts, names) != 0)
        return 1;
    const int status = c.CompileProgram(program, argc - 6, (const char *const *)(argv + 6));
    if (print_log(&c, program) || status != 0)
        return 1;
    if (c.GetCodeSize(program, &bytes) != 0 || bytes == 0) {
        fprintf(stderr, "no code\n");
        return 1;
    }
    return 0;
}
