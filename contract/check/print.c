/* Listings: the instructions of a loop or function with their classification. */
#include "contract/check/expect.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_COLUMN = 44 };

typedef struct note {
    char text[STN_MAX_DESCRIPTION];
    size_t used;
} note;

static void add(note *n, const char *description, ...) __attribute__((format(printf, 2, 3)));

static void add(note *n, const char *description, ...)
{
    va_list arguments;
    if (n->used >= sizeof n->text - 2)
        return;
    if (n->used)
        n->used += (size_t)snprintf(n->text + n->used, sizeof n->text - n->used, ", ");
    if (n->used >= sizeof n->text)
        return;
    va_start(arguments, description);
    n->used +=
        (size_t)vsnprintf(n->text + n->used, sizeof n->text - n->used, description, arguments);
    va_end(arguments);
}

static const char *space_of(const stn_access *access)
{
    static const char *const spaces[] = {"", "stack ", "local ", "shared ", "constant "};
    return spaces[access->space];
}

/* The operation followed by its width, if the instruction contains it. */
static void add_width(note *n, const char *space, const char *does, int bits)
{
    if (bits > 0)
        add(n, "%s%s %d", space, does, bits);
    else
        add(n, "%s%s of unknown size", space, does);
}

static void add_access(note *n, const stn_access *access)
{
    const char *space = space_of(access);
    if (access->lanes > 1)
        add(n, "%s %d x %d", access->writes ? "scatter" : "gather", access->lanes, access->bits);
    else if (access->reads && access->writes)
        add_width(n, space, "load and store", access->bits);
    else if (access->reads || access->writes)
        add_width(n, space, access->writes ? "store" : "load", access->bits);
}

static const char *kind_of(const stn_machine_instruction *instruction)
{
    static const char *const kinds[] = {"f64", "f32", "f16", "integer"};
    return instruction->kind >= 0 && instruction->kind < STN_KINDS ? kinds[instruction->kind] : "";
}

static void add_operation(note *n, const stn_machine_instruction *instruction)
{
    const char *shape = instruction->lanes > 1 ? "packed" : "scalar";
    if (instruction->repeats)
        add(n, "repeats");
    if (instruction->is_hint)
        add(n, "hint to a cache");
    if (instruction->operation == STN_OP_ARITHMETIC)
        add(n, "%s %s%s", shape, kind_of(instruction),
            instruction->approximates ? ", approximation of a division or root"
            : instruction->divides    ? ", division or root"
                                      : "");
    else if (instruction->operation == STN_OP_FMA)
        add(n, "%s fma %s", shape, kind_of(instruction));
    else if (instruction->operation == STN_OP_CONVERSION)
        add(n, "%s conversion", shape);
    else if (instruction->operation == STN_OP_UNKNOWN)
        add(n, "unknown");
}

static void add_flow(note *n, const stn_code *code, int32_t i)
{
    static const char *const flows[] = {"",   "branch", "jump", "call", "jump through a table",
                                        "end"};
    const stn_machine_instruction *instruction = code->instructions + i;
    if (stn_code_is_unresolved_jump(code, i))
        add(n, "jump to an unknown target");
    else if (instruction->flow != STN_FLOW_NEXT)
        add(n, "%s", flows[instruction->flow]);
    if (code->instructions[i].is_lost)
        add(n, "unknown successor");
    if ((instruction->flow == STN_FLOW_BRANCH || instruction->flow == STN_FLOW_JUMP) &&
        instruction->target != STN_NO_TARGET)
        add(n, "to %" PRIx64, instruction->target);
}

static void add_loop(note *n, const stn_code *code, int32_t loop, int32_t i)
{
    const int32_t innermost = code->loop_of ? code->loop_of[i] : -1;
    for (int32_t l = 0; l < code->loop_count; l++)
        if (code->loops[l].header == i)
            add(n, "loop %" PRId32 " begins", l);
    if (loop >= 0 && innermost != loop)
        add(n, "of an inner loop, not counted");
}

/* Barriers that the instruction waits for, and those it signals when operands are read and results
 * are written. */
static void print_control(const stn_gpu_instruction *gpu, FILE *file)
{
    enum { BARRIERS = 6, OPERANDS = 4 };
    const int8_t signals[] = {gpu->read_barrier, gpu->write_barrier};
    for (int b = 0; b < BARRIERS; b++)
        fputc(gpu->wait >> b & 1 ? '0' + b : '-', file);
    for (int k = 0; k < 2; k++)
        fprintf(file, "  %c", signals[k] < 0 ? '-' : '0' + signals[k]);
    fprintf(file, " %c %5d ", gpu->yield ? 'y' : '-', gpu->stall);
    for (int o = 0; o < OPERANDS; o++)
        fputc(gpu->reuse >> o & 1 ? 'a' + o : '-', file);
    for (int f = 0; f < STN_REGISTER_FILES; f++)
        fprintf(file, " %3d", gpu->live[f]);
    fputs(gpu->is_known ? "  " : "? ", file);
}

static void add_all(note *n, const stn_code *code, int32_t loop, int32_t i)
{
    const stn_machine_instruction *instruction = code->instructions + i;
    n->text[0] = '\0';
    add_loop(n, code, loop, i);
    for (int a = 0; a < instruction->accesses; a++)
        add_access(n, instruction->access + a);
    add_operation(n, instruction);
    add_flow(n, code, i);
}

static void print_instruction(const stn_code *code, int32_t loop, int32_t i, int has_control,
                              FILE *file)
{
    const stn_machine_instruction *instruction = code->instructions + i;
    const char *text = code->text + instruction->text;
    note n = {.used = 0};
    add_all(&n, code, loop, i);
    fprintf(file, "  %8" PRIx64 "  ", instruction->address);
    if (has_control)
        print_control(code->gpu + i, file);
    for (const char *c = text; *c; c++)
        fputc(*c == '\t' || (unsigned char)*c < ' ' ? ' ' : *c, file);
    if (n.used)
        fprintf(file, "%*s; %s", (int)(strlen(text) < TEXT_COLUMN ? TEXT_COLUMN - strlen(text) : 1),
                "", n.text);
    fputc('\n', file);
}

void stn_code_describe(const stn_code *code, int32_t i, char description[STN_MAX_DESCRIPTION])
{
    note n = {.used = 0};
    add_all(&n, code, -1, i);
    memcpy(description, n.text, sizeof n.text);
}

stn_status stn_code_print(const stn_code *code, int32_t loop, int32_t maximum, int has_control,
                          FILE *file)
{
    int32_t printed = 0, last = -1;
    if (loop == STN_LOOP_MAIN && (loop = code->main_loop) < 0)
        return stn_fail(STN_ERR_RANGE, "the function has no loops");
    if (loop != STN_LOOP_NONE && (loop < 0 || loop >= code->loop_count))
        return stn_fail(STN_ERR_RANGE,
                        "there is no loop %" PRId32 "; the function has %" PRId32
                        ", numbered from 0",
                        loop, code->loop_count);
    has_control = has_control && code->gpu;
    if (has_control)
        fputs("            waits  rd wr y stall reuse  R   P  UR  UP\n", file);
    for (int32_t i = 0; i < code->count; i++) {
        if (loop >= 0 && !stn_code_in_loop(code, loop, i))
            continue;
        if (maximum >= 0 && printed >= maximum) {
            printed++;
            continue;
        }
        if (last >= 0 && i != last + 1)
            fputs("       ...\n", file);
        print_instruction(code, loop, i, has_control, file);
        last = i;
        printed++;
    }
    if (maximum >= 0 && printed > maximum)
        fprintf(file, "       ... and %" PRId32 " more instructions\n", printed - maximum);
    return STN_OK;
}

stn_status stn_image_print(stn_image *image, int32_t function, int32_t loop, FILE *file)
{
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    STN_TRY(stn_image_count(image, function, loop, &counts)); /* also decodes the function */
    return stn_code_print(image->codes + function, loop, -1, 0, file);
}
