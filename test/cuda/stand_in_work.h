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

/* ---- launches that move the elements of strided views, which are carried out ---- */

enum { MOVED = 8 }; /* maximum rank */

typedef struct moved_view {
    int place;          /* index of the constant with the first offset */
    int is_many[MOVED]; /* is the step of a dimension a constant of the launch, */
    int step[MOVED];    /* which has this index; otherwise 0 or 1 */
} moved_view;

typedef struct motion {
    int rank, bytes, unit; /* of an element, and of the words that it is moved in */
    int low, high;         /* indices of the constants with the only code; 0: elements are read */
    moved_view x, y;
} motion;

static int number_after(const char *text, const char *before)
{
    const char *const at = text ? strstr(text, before) : NULL;
    return at ? atoi(at + strlen(before)) : 0;
}

/* The steps are in the sum that a function of the text returns. */
static int read_view(const char *text, const char *name, moved_view *view)
{
    char place[64], member[64];
    snprintf(place, sizeof place, "stn_place_%s(STN_NUMBERS", name);
    snprintf(member, sizeof member, "stn_p_%s = (STN_GLOBAL stn_code_%s *)(", name, name);
    const char *at = strstr(text, place);
    const char *const first = strstr(text, member);
    if (!at || !first)
        return -1;
    int rank = 0;
    const char *end = strchr(at, ')');
    for (; (at = strstr(at, "stn_index i")) != NULL && at < end; at++)
        rank++;
    *view = (moved_view){.place = number_after(first, "STN_V(")};
    at = strstr(end, "return 0") + strlen("return 0");
    for (int d; sscanf(at, " + i%d", &d) == 1 && d < MOVED;) {
        view->step[d] = 1;
        at += strlen(" + i0");
        if (sscanf(at, " * (stn_index)STN_V(%d)", &view->step[d]) == 1) {
            view->is_many[d] = 1;
            at = strchr(at + strlen(" * (stn_index)"), ')') + 1;
        }
    }
    return *at == ';' && rank <= MOVED ? rank : -1;
}

static int size_of_word(const char *name, size_t letters)
{
    static const char *const names[] = {"stn_u8",  "stn_u16", "stn_u32",
                                        "stn_u64", "uint2",   "uint4"};
    static const int sizes[] = {1, 2, 4, 8, 8, 16};
    for (int k = 0; k < 6; k++)
        if (strlen(names[k]) == letters && strncmp(name, names[k], letters) == 0)
            return sizes[k];
    return 0;
}

/* Returns 0 if the text does something else. */
static int read_motion(const char *text, motion *made)
{
    static const char begin[] = "STN_LEAVE\n";
    const char *const body = strstr(text, begin), *const units = strstr(text, " unit[");
    const char *const code = strstr(text, " stn_code_y;");
    if (!strstr(text, "STN_DEVICE_KERNEL steno_copy(") || !body || !code)
        return 0;
    const char *word = units ? units : code;
    while (word[-1] != ' ')
        word--;
    made->unit = size_of_word(word, strcspn(word, " "));
    made->bytes = made->unit * (units ? number_after(units, "unit[") : 1);
    made->low = number_after(text, "stn_u64 low = (stn_u64)STN_V(");
    made->high = number_after(text, "stn_u64 high = (stn_u64)STN_V(");
    const int reads = strncmp(body + strlen(begin), "y = x;", 6) == 0 ||
                      strstr(body, "*STN_ADDRESS(y) = *STN_ADDRESS(x);") != NULL;
    made->rank = read_view(text, "y", &made->y);
    return made->unit && made->rank >= 0 && (reads || made->low) &&
           (!reads || read_view(text, "x", &made->x) == made->rank);
}

/* Motions are part of the code: their members, which are numbers. */
enum { MEMBERS = sizeof(motion) / sizeof(int) };

static void write_motion(const motion *made, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "-DMOTION=");
    for (int k = 0; k < MEMBERS; k++)
        length += (size_t)snprintf(text + length, size - length, "%d,", ((const int *)made)[k]);
}

static int find_motion(const char *code, motion *made)
{
    const char *at = strstr(code, "-DMOTION=");
    if (!at)
        return 0;
    at += strlen("-DMOTION=");
    for (int k = 0; k < MEMBERS; k++, at = strchr(at, ',') + 1)
        ((int *)made)[k] = atoi(at);
    return 1;
}

struct moved {
    motion made;
    int64_t number[64];
    char *to;
    const char *from;
};

static int64_t offset_of(const struct moved *m, const moved_view *view, const int64_t *index)
{
    int64_t elements = 0;
    for (int d = 0; d < m->made.rank; d++)
        elements += index[d] * (view->is_many[d] ? m->number[view->step[d]] : view->step[d]);
    return m->number[view->place] + elements * m->made.bytes;
}

static void move(const task *t)
{
    const struct moved *const m = t->moved;
    const uint64_t code[2] = {(uint64_t)m->number[m->made.low], (uint64_t)m->number[m->made.high]};
    for (int64_t n = 0; n < m->number[0]; n++) {
        int64_t rest = n, index[MOVED];
        for (int d = m->made.rank - 1; d >= 0; d--) {
            index[d] = rest % m->number[1 + d];
            rest /= m->number[1 + d];
        }
        char *const to = m->to + offset_of(m, &m->made.y, index);
        const char *const from =
            m->from ? m->from + offset_of(m, &m->made.x, index) : (const char *)code;
        if (((uintptr_t)to | (m->from ? (uintptr_t)from : 0)) % (size_t)m->made.unit)
            wrong("a unit of %d bytes is not aligned", m->made.unit);
        if (!find(to))
            wrong("a kernel writes outside of the device's memory");
        memcpy(to, from, (size_t)m->made.bytes);
    }
}

static int queue_move(void *stream, const motion *made, void **given)
{
    task t = {.run = move, .moved = malloc(sizeof *t.moved)};
    const int reads = made->low == 0;
    int last = made->y.place + made->rank;
    last = made->x.place + made->rank > last ? made->x.place + made->rank : last;
    *t.moved = (struct moved){.made = *made,
                              .to = *(char **)given[reads ? 2 : 1],
                              .from = reads ? *(char **)given[1] : NULL};
    memcpy(t.moved->number, given[0], (size_t)(last + 1) * sizeof *t.moved->number);
    if (reads && !find(t.moved->from))
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
    motion made;
    if (find_motion(code->options, &made))
        return queue_move(stream, &made, given);
    if (described.name && strcmp(described.name, code->name) == 0) {
        t.kernel = described.run;
        t.context = described.context;
    }
    return queue(stream, &t);
}

/* ---- the compiler ---- */

typedef struct program {
    char options[512], motion[512];
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
    motion moved = {0};
    if (read_motion(text, &moved))
        write_motion(&moved, p->motion, sizeof p->motion);
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
    const program *const p = made;
    *bytes = strlen(p->options) + strlen(p->motion) + 1;
    return OK;
}
int nvrtcGetCUBIN(void *made, char *code)
{
    ENTER
    const program *const p = made;
    strcat(strcpy(code, p->options), p->motion);
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
