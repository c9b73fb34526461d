/* The part of the stand-in that loads code, runs kernels, and compiles: of stand_in.c, which
 * includes it. */
#ifndef TEST_CUDA_STAND_IN_WORK_H
#define TEST_CUDA_STAND_IN_WORK_H

/* ---- copies ---- */

typedef struct box {
    size_t from_x, from_y, from_z, from_level;
    int from_kind;
    const void *from_host;
    const char *from;
    void *from_array, *unused_from;
    size_t from_pitch, from_height, to_x, to_y, to_z, to_level;
    int to_kind;
    void *to_host;
    char *to;
    void *to_array, *unused_to;
    size_t to_pitch, to_height, width, height, depth;
} box;

static void copy_box(const task *t)
{
    const box *const b = t->box;
    for (size_t z = 0; z < b->depth; z++)
        for (size_t y = 0; y < b->height; y++)
            memcpy(b->to + (z * b->to_height + y) * b->to_pitch,
                   b->from + (z * b->from_height + y) * b->from_pitch, b->width);
}

static void fill(const task *t)
{
    memset(t->to, t->value, t->size);
}

/* Memory of the host's that is not pinned is read before a copy from it returns, and written before
 * a copy to it does. */
static int queue_box(void *stream, const box *given)
{
    task t = {.run = copy_box, .box = malloc(sizeof *t.box)};
    const size_t size =
        ((given->depth - 1) * given->from_height + given->height - 1) * given->from_pitch +
        given->width;
    *t.box = *given;
    if (!find(given->from)) {
        char *const bytes = malloc(size);
        t.bytes = t.box->from = memcpy(bytes, given->from, size);
    }
    const int is_pageable = !find(given->to);
    const int error = queue(stream, &t);
    if (error == OK && is_pageable && ((struct stream *)stream)->capture == NOT_CAPTURED)
        run_all(stream);
    return error;
}

int cuMemcpyAsync(void *to, const void *from, size_t bytes, void *stream)
{
    IN_CONTEXT
    const box whole = {.from = from,
                       .to = to,
                       .width = bytes,
                       .height = 1,
                       .depth = 1,
                       .from_pitch = bytes,
                       .to_pitch = bytes};
    if (!find(to) && !find(from))
        wrong("a copy between two places of the host");
    state.sent += find(to) && !find(from);
    return queue_box(stream, &whole);
}
int cuMemsetD8Async(void *memory, unsigned char value, size_t count, void *stream)
{
    IN_CONTEXT
    const struct memory *const m = find(memory);
    const task t = {.run = fill, .to = memory, .value = value, .size = count};
    return !m || (char *)memory + count > m->data + m->bytes ? INVALID : queue(stream, &t);
}

int cuMemcpy3DAsync_v2(const void *copy, void *stream)
{
    IN_CONTEXT
    const box *const b = copy;
    if (b->from_kind != 4 || b->to_kind != 4 || b->from_x || b->to_x || b->width > b->from_pitch ||
        b->width > b->to_pitch || b->height > b->from_height || b->height > b->to_height ||
        b->width == 0 || b->height == 0 || b->depth == 0) {
        wrong("a box that the driver refuses");
        return INVALID;
    }
    return queue_box(stream, b);
}

/* ---- code: the options that it was compiled with; or what a compiler made, an ELF file or, by
 * hipRTC, a bundle of some ---- */

typedef struct image {
    char name[300]; /* of its kernel */
    char *options;
    const char *made; /* NULL: there are options only */
    size_t size;
} image;

static size_t size_of_elf(const char *made)
{
    uint64_t sections;
    uint16_t size, count;
    memcpy(&sections, made + 40, sizeof sections);
    memcpy(&size, made + 58, sizeof size);
    memcpy(&count, made + 60, sizeof count);
    return sections + (size_t)size * count;
}

static size_t size_of_bundle(const char *made)
{
    uint64_t count, entry[3];
    size_t at = 24, end = 0;
    memcpy(&count, made + at, sizeof count);
    at += sizeof count;
    for (; count > 0; count--, at += sizeof entry + entry[2]) {
        memcpy(entry, made + at, sizeof entry);
        end = entry[0] + entry[1] > end ? entry[0] + entry[1] : end;
    }
    return end;
}

/* In the file that STENO_STAND_IN_CODE names, the newest one. */
static void keep_code(const char *made, size_t size)
{
    const char *const path = getenv("STENO_STAND_IN_CODE");
    FILE *const file = path ? fopen(path, "wb") : NULL;
    if (file && (fwrite(made, 1, size, file) != size || fclose(file) != 0))
        wrong("code is not written to %s", path);
}

int cuModuleLoadData(void **module, const void *given)
{
    UNSAFE
    image *const made = malloc(sizeof *made);
    const int is_elf = memcmp(given, "\177ELF", 4) == 0;
    const int is_bundle = !is_elf && strncmp(given, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0;
    *made = (image){.options = strdup(given)};
    snprintf(state.options, sizeof state.options, "%s", made->options);
    if (!is_elf && !is_bundle)
        keep_code(given, strlen(given));
    if (is_elf || is_bundle) {
        made->size = is_elf ? size_of_elf(given) : size_of_bundle(given);
        char *const kept = malloc(made->size);
        memcpy(kept, given, made->size);
        made->made = kept;
        keep_code(kept, made->size);
    }
    *module = made;
    state.modules++;
    return OK;
}
int cuModuleUnload(void *module)
{
    UNSAFE
    image *const made = module;
    free(made->options);
    free((void *)(uintptr_t)made->made);
    free(made);
    state.modules--;
    return OK;
}
int cuModuleGetFunction(void **function, void *module, const char *name)
{
    IN_CONTEXT
    const image *const made = module;
    char kernel[300];
    *function = module;
    snprintf(((image *)module)->name, sizeof made->name, "%s", name);
    if (!made->made)
        return strncmp(name, "steno_", 6) == 0 ? OK : NOT_FOUND;
    /* of NVIDIA's kernels a section, of AMD's a descriptor */
    snprintf(kernel, sizeof kernel, ".text.%s", name);
    if (memmem(made->made, made->size, kernel, strlen(kernel) + 1))
        return OK;
    snprintf(kernel, sizeof kernel, "%s.kd", name);
    return memmem(made->made, made->size, kernel, strlen(kernel) + 1) ? OK : NOT_FOUND;
}

/* As the text of the kernel declares it. */
typedef struct arguments {
    _Alignas(16) uint64_t code[2];
    uint64_t count, seed, draw_first, shift_low;
    int64_t shift_high;
    double to_scale, to_zero, from_scale, from_zero;
    uint64_t extent[16];
    int64_t to[16], from[16];
    uint64_t draw[16];
    int64_t to_offset, from_offset;
    int rank, unused;
} arguments;

static size_t unit_of(const char *options)
{
    static const char *const names[] = {"UNIT=stn_u8", "UNIT=stn_u16", "UNIT=stn_u32", "UNIT=uint2",
                                        "UNIT=uint4"};
    for (int k = 0; k < 5; k++)
        if (strstr(options, names[k]))
            return (size_t)1 << k;
    return 0;
}

struct moved {
    char *to;
    const char *from;
    arguments a;
    size_t unit;
};

static void move(const task *t)
{
    const struct moved *const m = t->moved;
    const arguments *const a = &m->a;
    for (uint64_t n = 0; n < a->count; n++) {
        uint64_t rest = n;
        int64_t target = a->to_offset, source = a->from_offset;
        for (int d = a->rank - 1; d >= 0; d--) {
            const int64_t index = (int64_t)(rest % a->extent[d]);
            rest /= a->extent[d];
            target += index * a->to[d];
            source += index * a->from[d];
        }
        if (((uintptr_t)(m->to + target) | (uintptr_t)(m->from + source)) % m->unit)
            wrong("a unit of %zu bytes is not aligned", m->unit);
        if (!find(m->to + target))
            wrong("a kernel writes outside of the device's memory");
        memcpy(m->to + target, m->from + source, m->unit);
    }
}

static int queue_move(void *stream, const char *options, void **given)
{
    task t = {.run = move, .moved = malloc(sizeof *t.moved)};
    *t.moved = (struct moved){.to = *(char **)given[0],
                              .from = *(char **)given[1],
                              .a = *(const arguments *)given[2],
                              .unit = unit_of(options)};
    if (strstr(options, "-DCONSTANT=1"))
        t.moved->from = (const char *)t.moved->a.code;
    else if (!find(t.moved->from))
        wrong("a kernel reads outside of the device's memory");
    return queue(stream, &t);
}

static void run_described(const task *t)
{
    if (t->kernel)
        t->kernel(t->context);
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **given, void **extra)
{
    IN_CONTEXT
    const image *const code = function;
    task t = {.run = run_described};
    if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_x == 0 || block_x > 1024 ||
        block_y != 1 || block_z != 1 || shared || extra || !stream) {
        wrong("a launch that the driver refuses");
        return INVALID;
    }
    state.launches++;
    if (strstr(code->options, "-DWAY=")) {
        const arguments *const a = given[2];
        if (a->rank < 0 || a->rank > 16 || a->count == 0)
            wrong("a kernel's arguments are not those of its text");
        if (strstr(code->options, "-DWAY=0"))
            return queue_move(stream, code->options, given);
    }
    if (described.name && strcmp(described.name, code->name) == 0) {
        t.kernel = described.run;
        t.context = described.context;
    }
    return queue(stream, &t);
}

/* ---- the compiler ---- */

typedef struct program {
    char options[512];
    int fails;
} program;

int nvrtcVersion(int *major, int *minor)
{
    *major = 12, *minor = 2;
    return OK;
}
int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 3;
    return OK;
}
int nvrtcGetSupportedArchs(int *numbers)
{
    numbers[0] = 80;
    numbers[1] = 90;
    numbers[2] = 100;
    return OK;
}
int nvrtcCreateProgram(void **made, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    ENTER
    program *const p = calloc(1, sizeof *p);
    if (!text || !name || (headers && (!texts || !names)) || !p)
        return INVALID;
    p->fails = strstr(text, "a mistake") != NULL;
    state.modules++;
    *made = p;
    return OK;
}
int nvrtcDestroyProgram(void **made)
{
    ENTER
    free(*made);
    *made = NULL;
    state.modules--;
    return OK;
}
int nvrtcCompileProgram(void *made, int count, const char *const *options)
{
    ENTER
    program *const p = made;
    pthread_attr_t attributes;
    state.compilations++;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        (void)pthread_attr_getstacksize(&attributes, &state.compiler_stack);
        (void)pthread_attr_destroy(&attributes);
    }
    for (int k = 0; k < count; k++) {
        const size_t at = strlen(p->options);
        snprintf(p->options + at, sizeof p->options - at, "%s ", options[k]);
    }
    memcpy(state.options, p->options, sizeof state.options);
    return p->fails ? 6 : OK;
}
int nvrtcGetProgramLogSize(void *made, size_t *bytes)
{
    ENTER(void) made;
    *bytes = sizeof "kernels.cu(1): error: a mistake";
    return OK;
}
int nvrtcGetProgramLog(void *made, char *log)
{
    ENTER(void) made;
    memcpy(log, "kernels.cu(1): error: a mistake", sizeof "kernels.cu(1): error: a mistake");
    return OK;
}
int nvrtcGetCUBINSize(void *made, size_t *bytes)
{
    ENTER
    *bytes = strlen(((program *)made)->options) + 1;
    return OK;
}
int nvrtcGetCUBIN(void *made, char *code)
{
    ENTER
    memcpy(code, ((program *)made)->options, strlen(((program *)made)->options) + 1);
    return OK;
}
int nvrtcGetPTXSize(void *made, size_t *bytes)
{
    return nvrtcGetCUBINSize(made, bytes);
}
int nvrtcGetPTX(void *made, char *code)
{
    return nvrtcGetCUBIN(made, code);
}

#endif
