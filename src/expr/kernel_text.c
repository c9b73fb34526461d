/* Kernels from texts at run time: the parameter list, and the lifetime of compiled kernels. */
#define _POSIX_C_SOURCE 200809L
#include "steno/kernel_text.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "expr/compiler.h"

enum { MAX_NAME = 200, MAX_TEXT = 1 << 16 };

/* ---- parameters ---- */

static const char *const kinds[] = {
    [STN_PARAMETER_REAL] = "real",       [STN_PARAMETER_INDEX] = "index",
    [STN_PARAMETER_BITS] = "bits",       [STN_PARAMETER_AT] = "at",
    [STN_PARAMETER_IN] = "in",           [STN_PARAMETER_INOUT] = "inout",
    [STN_PARAMETER_OUT] = "out",         [STN_PARAMETER_MASKED] = "masked",
    [STN_PARAMETER_SHIFTED] = "shifted", [STN_PARAMETER_STENCIL] = "stencil",
    [STN_PARAMETER_GATHER] = "gather",   [STN_PARAMETER_SCATTER] = "scatter"};
static const char *const boundaries[] = {[STN_BOUNDARY_NEAREST] = "nearest",
                                         [STN_BOUNDARY_ZERO] = "zero",
                                         [STN_BOUNDARY_PERIODIC] = "periodic",
                                         [STN_BOUNDARY_VALUE] = "value",
                                         [STN_BOUNDARY_INSIDE] = "inside"};

/* The index of the token in a list of words, or -1. */
static int find_name(const stn_lexer *lexer, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (stn_token_is(&lexer->token, names[k]))
            return (int)k;
    return -1;
}

/* The parsed part of the list: names stay in the text, where they are terminated. */
enum { MAX_NAMES = STN_MAX_PARAMETERS + STN_MAX_RANK };
typedef struct list {
    stn_lexer lexer;
    stn_text_kernel *text;
    int count; /* number of names */
    stn_token names[MAX_NAMES];
} list;

static stn_status fail(const list *l, const char *message)
{
    return stn_lex_fail(&l->lexer, &l->lexer.token, message);
}

static stn_status parse_name(list *l, const char **name)
{
    const stn_token *const token = &l->lexer.token;
    if (token->kind != STN_TOKEN_NAME || stn_is_keyword(token) ||
        strncmp(token->begin, "stn_", 4) == 0 || strncmp(token->begin, "STN_", 4) == 0)
        return fail(l, "'%s' cannot be a parameter's name");
    for (int k = 0; k < l->count; k++)
        if (l->names[k].length == token->length &&
            memcmp(l->names[k].begin, token->begin, (size_t)token->length) == 0)
            return fail(l, "parameter '%s' is declared twice");
    if (l->count == MAX_NAMES)
        return fail(l, "too many names");
    *name = token->begin;
    l->names[l->count++] = *token;
    return stn_lex_next(&l->lexer);
}

/* An integer with an optional sign. */
static stn_status parse_whole(list *l, int64_t minimum, const char *what, int32_t *value)
{
    stn_literal number;
    const int is_negative = minimum < 0 && stn_token_is(&l->lexer.token, "-");
    if (is_negative)
        STN_TRY(stn_lex_next(&l->lexer));
    if (l->lexer.token.kind != STN_TOKEN_NUMBER)
        return fail(l, what);
    STN_TRY(stn_lex_number(&l->lexer, &number));
    if (number.kind != STN_LITERAL_INTEGER || number.integer > INT32_MAX)
        return fail(l, what);
    *value = is_negative ? -(int32_t)number.integer : (int32_t)number.integer;
    return stn_lex_next(&l->lexer);
}

static stn_status parse_boundary_value(list *l, stn_parameter *parameter)
{
    stn_literal number;
    STN_TRY(stn_lex_next(&l->lexer));
    STN_TRY(stn_lex_expect(&l->lexer, "("));
    const int is_negative = stn_token_is(&l->lexer.token, "-");
    if (is_negative)
        STN_TRY(stn_lex_next(&l->lexer));
    if (l->lexer.token.kind != STN_TOKEN_NUMBER)
        return fail(l, "a boundary value must be a number");
    STN_TRY(stn_lex_number(&l->lexer, &number));
    const int is_whole = number.kind == STN_LITERAL_INTEGER;
    parameter->value = is_whole ? (double)number.integer : number.real;
    parameter->integer = is_whole ? (int64_t)number.integer : stn_i64_of_f64(number.real);
    if (is_negative) {
        parameter->value = -parameter->value;
        parameter->integer = (int64_t)(0 - (uint64_t)parameter->integer);
    }
    STN_TRY(stn_lex_next(&l->lexer));
    if (!stn_token_is(&l->lexer.token, ")"))
        return fail(l, "')' is missing after the boundary value");
    return stn_lex_next(&l->lexer);
}

static stn_status parse_boundary(list *l, stn_parameter *parameter)
{
    STN_TRY(stn_lex_expect(&l->lexer, ","));
    const int found = find_name(&l->lexer, boundaries, sizeof boundaries / sizeof *boundaries);
    if (found < 0)
        return fail(l, "a boundary must be nearest, zero, periodic, value(c) or inside");
    parameter->boundary = (stn_boundary)found;
    return found == STN_BOUNDARY_VALUE ? parse_boundary_value(l, parameter)
                                       : stn_lex_next(&l->lexer);
}

/* Numbers after a name: offsets, or a radius. */
static stn_status parse_offsets(list *l, stn_parameter *parameter, int64_t minimum,
                                const char *what)
{
    while (stn_token_is(&l->lexer.token, ",")) {
        STN_TRY(stn_lex_next(&l->lexer));
        if (parameter->rank == STN_STENCIL_RANK)
            return fail(l, "more than four dimensions");
        STN_TRY(parse_whole(l, minimum, what, &parameter->offset[parameter->rank++]));
    }
    return STN_OK;
}

static stn_status parse_rank(list *l, stn_parameter *parameter)
{
    static const char what[] = "a rank must be an integer from 1 to 8";
    STN_TRY(stn_lex_expect(&l->lexer, ","));
    STN_TRY(parse_whole(l, 0, what, &parameter->rank));
    return parameter->rank >= 1 && parameter->rank <= STN_MAX_RANK ? STN_OK : fail(l, what);
}

/* Names of indices; the first is the name of the parameter. */
static stn_status parse_indices(list *l, stn_parameter *parameter)
{
    stn_text_kernel *const text = l->text;
    if (text->named)
        return fail(l, "at is used twice");
    text->indices[text->named++] = parameter->name;
    while (stn_token_is(&l->lexer.token, ",")) {
        STN_TRY(stn_lex_next(&l->lexer));
        if (text->named == STN_MAX_RANK)
            return fail(l, "more than eight indices");
        STN_TRY(parse_name(l, &text->indices[text->named++]));
    }
    parameter->rank = text->named;
    return STN_OK;
}

static stn_status parse_rest(list *l, stn_parameter *parameter)
{
    static const char radius[] = "a radius must be an integer from 0 to 2147483647",
                      offset[] = "an offset must be an integer of at most 31 bits";
    switch (parameter->kind) {
    case STN_PARAMETER_AT:
        return parse_indices(l, parameter);
    case STN_PARAMETER_GATHER:
    case STN_PARAMETER_SCATTER:
        return parse_rank(l, parameter);
    case STN_PARAMETER_STENCIL:
        STN_TRY(parse_boundary(l, parameter));
        STN_TRY(parse_offsets(l, parameter, 0, radius));
        return parameter->rank ? STN_OK : fail(l, radius);
    case STN_PARAMETER_SHIFTED:
        STN_TRY(parse_boundary(l, parameter));
        STN_TRY(parse_offsets(l, parameter, -1, offset));
        return parameter->rank ? STN_OK : fail(l, offset);
    default:
        return STN_OK;
    }
}

static stn_status parse_parameter(list *l, stn_parameter *parameter)
{
    const int kind = find_name(&l->lexer, kinds, sizeof kinds / sizeof *kinds);
    if (stn_token_is(&l->lexer.token, "field"))
        return fail(l, "'%s' was replaced: gather(u, 2) reads any element, scatter(u, 2) writes "
                       "any element, and stencil(u, nearest, 1, 1) reads neighbors");
    if (kind < 0)
        return fail(l, "unknown kind of parameter '%s' (known: real, index, bits, at, in, inout, "
                       "out, masked, shifted, stencil, gather, scatter)");
    parameter->kind = (stn_parameter_kind)kind;
    STN_TRY(stn_lex_next(&l->lexer));
    STN_TRY(stn_lex_expect(&l->lexer, "("));
    STN_TRY(parse_name(l, &parameter->name));
    STN_TRY(parse_rest(l, parameter));
    return stn_lex_expect(&l->lexer, ")");
}

static stn_status parse_parameters(list *l)
{
    stn_kernel *const kernel = &l->text->kernel;
    if (l->lexer.token.kind == STN_TOKEN_END)
        return STN_OK;
    for (;;) {
        if (kernel->count == STN_MAX_PARAMETERS)
            return fail(l, "more than 48 parameters");
        STN_TRY(parse_parameter(l, &l->text->parameters[kernel->count++]));
        if (l->lexer.token.kind == STN_TOKEN_END)
            return STN_OK;
        STN_TRY(stn_lex_expect(&l->lexer, ","));
    }
}

static stn_status set_parameters(stn_text_kernel *text, char *names)
{
    char what[MAX_NAME + 32];
    list l = {.text = text};
    snprintf(what, sizeof what, "kernel %s, parameters ", text->kernel.name);
    STN_TRY(stn_lex_begin(&l.lexer, what, names));
    STN_TRY(parse_parameters(&l));
    for (int k = 0; k < l.count; k++)
        names[l.names[k].begin - names + l.names[k].length] = '\0';
    return STN_OK;
}

/* ---- programs ---- */

static void begin(stn_compiler *c, const stn_kernel *kernel, stn_format arithmetic)
{
    memset(c, 0, sizeof *c);
    c->kernel = kernel;
    c->arithmetic = arithmetic;
    c->loop = -1;
    c->part = arithmetic == STN_F64 || arithmetic == STN_C128 ? STN_TYPE_F64 : STN_TYPE_F32;
    c->real = arithmetic == STN_C128 || arithmetic == STN_C64 ? STN_TYPE_COMPLEX
              : arithmetic == STN_I64                         ? STN_TYPE_I64
                                                              : c->part;
}

static void repeat_constant(const stn_constant *constant, char *tile)
{
    const int bytes = constant->type == STN_MACHINE_F32 ? 4 : 8;
    const uint32_t narrow = (uint32_t)constant->bits;
    for (int k = 0; k < STN_TILE_ELEMENTS; k++)
        memcpy(tile + k * bytes, bytes == 4 ? (const void *)&narrow : &constant->bits,
               (size_t)bytes);
}

/* Constants followed by instructions. */
static stn_status finish(const stn_compiler *c, stn_program *program)
{
    const size_t constants = (size_t)c->constant_count * STN_REGISTER_BYTES,
                 instructions = (size_t)c->count * sizeof *c->instructions;
    char *block;
    STN_TRY(stn_allocate(&block, (int64_t)(constants + instructions), 1, c->kernel->name));
    for (int k = 0; k < c->constant_count; k++)
        repeat_constant(&c->constants[k], block + (size_t)k * STN_REGISTER_BYTES);
    memcpy(block + constants, c->instructions, instructions);
    program->constants = block;
    program->instructions = (const stn_instruction *)(const void *)(block + constants);
    return STN_OK;
}

/* Whether C leaves an operation undefined for some operands. Shift counts are included. Sums and
 * products of integers are not: the host's compiler wraps them. */
static int is_extension(int operation)
{
    switch (operation) {
    case STN_DO_DIVIDE_I64:
    case STN_DO_DIVIDE_U64:
    case STN_DO_REMAINDER_I64:
    case STN_DO_REMAINDER_U64:
    case STN_DO_SHIFT_LEFT:
    case STN_DO_SHIFT_RIGHT_I64:
    case STN_DO_SHIFT_RIGHT_U64:
    case STN_DO_I64_OF_F64:
    case STN_DO_U64_OF_F64:
    case STN_DO_INT_OF_F64:
    case STN_DO_UNSIGNED_OF_F64:
        return 1;
    default:
        return 0;
    }
}

static void find_extensions(stn_compiler *c)
{
    for (int32_t k = 0; k < c->count; k++)
        c->has_extensions |= is_extension(c->instructions[k].operation);
}

static stn_status compile(stn_text_kernel *text, stn_program *program, stn_format arithmetic)
{
    const stn_kernel *const kernel = &text->kernel;
    char what[MAX_NAME + 32];
    stn_compiler *c;
    STN_TRY(stn_allocate(&c, 1, sizeof *c, kernel->name));
    snprintf(what, sizeof what, "kernel %s, ", kernel->name);
    begin(c, kernel, arithmetic);
    stn_status status = stn_lex_begin(&c->lexer, what, kernel->text);
    if (status == STN_OK)
        status = stn_parse_text(c);
    find_extensions(c);
    text->is_c = text->is_c && !c->has_extensions;
    if (status == STN_OK)
        status = stn_combine_instructions(c);
    if (status == STN_OK)
        status = stn_allocate_registers(c);
    if (status == STN_OK)
        status = finish(c, program);
    stn_free(c);
    return status;
}

/* Whether the name is one of C, and no parameter needs checks or names of indices. */
static int is_plain(const stn_kernel *kernel)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    for (int k = 0; k < kernel->count; k++) {
        const stn_parameter_kind kind = kernel->parameters[k].kind;
        if (kind == STN_PARAMETER_AT || kind == STN_PARAMETER_STENCIL ||
            kind == STN_PARAMETER_GATHER || kind == STN_PARAMETER_SCATTER)
            return 0;
    }
    return kernel->name[strspn(kernel->name, letters)] == '\0';
}

static stn_status compile_programs(stn_text_kernel *text, stn_kernel_class kernel_class)
{
    stn_kernel *const kernel = &text->kernel;
    static const stn_format wide[] = {STN_F64, STN_I64, STN_C128},
                            narrow[] = {STN_F32, STN_I64, STN_C64};
    text->is_c = is_plain(kernel);
    STN_TRY(compile(text, &text->wide, wide[kernel_class]));
    if (kernel_class != STN_KERNEL_INTEGER)
        STN_TRY(compile(text, &text->narrow, narrow[kernel_class]));
    stn_tile_loop **const loops[][2] = {
        {&kernel->f64, &kernel->f32}, {&kernel->i64, NULL}, {&kernel->c128, &kernel->c64}};
    *loops[kernel_class][0] = stn_program_loop_wide;
    if (loops[kernel_class][1])
        *loops[kernel_class][1] = stn_program_loop_narrow;
    return STN_OK;
}

/* ---- kernels ---- */

/* One copy of all texts: name, body, parameters. */
static stn_status copy_texts(stn_text_kernel *text, const char *name, const char *parameters,
                             const char *body)
{
    const size_t sizes[] = {strlen(name) + 1, strlen(body) + 1, strlen(parameters) + 1};
    STN_TRY(stn_allocate(&text->texts, (int64_t)(sizes[0] + sizes[1] + sizes[2]), 1, name));
    memcpy(text->texts, name, sizes[0]);
    memcpy(text->texts + sizes[0], body, sizes[1]);
    memcpy(text->texts + sizes[0] + sizes[1], parameters, sizes[2]);
    text->kernel.name = text->texts;
    text->kernel.text = text->texts + sizes[0];
    return set_parameters(text, text->texts + sizes[0] + sizes[1]);
}

static stn_status create(stn_text_kernel **result, const char *name, const char *parameters,
                         const char *body, stn_kernel_class kernel_class)
{
    STN_TRY(stn_allocate(result, 1, sizeof **result, name));
    stn_text_kernel *const text = *result;
    memset(text, 0, sizeof *text);
    text->kernel.size = sizeof text->kernel;
    text->kernel.version = STN_KERNEL_VERSION;
    text->kernel.parameters = text->parameters;
    STN_TRY(copy_texts(text, name, parameters, body));
    return compile_programs(text, kernel_class);
}

static stn_status check(const char *name, const char *parameters, const char *body,
                        stn_kernel_class kernel_class)
{
    if (!name || !parameters || !body)
        return stn_fail(STN_ERR_ARGUMENT, "stn_kernel_compile: %s is NULL",
                        !name         ? "name"
                        : !parameters ? "parameters"
                                      : "body");
    if (!*name || strlen(name) > MAX_NAME)
        return stn_fail(STN_ERR_ARGUMENT, "stn_kernel_compile: name must have 1 to %d characters",
                        MAX_NAME);
    if (kernel_class != STN_KERNEL_REAL && kernel_class != STN_KERNEL_INTEGER &&
        kernel_class != STN_KERNEL_COMPLEX)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: kernel_class %d is unknown", name,
                        (int)kernel_class);
    if (strlen(parameters) > MAX_TEXT || strlen(body) > MAX_TEXT)
        return stn_fail(STN_ERR_PARSE, "kernel %s, 1:1: the text is longer than %d characters",
                        name, MAX_TEXT);
    return STN_OK;
}

/* Numbers are parsed in the C locale with round to nearest. */
static stn_status create_in_plain_modes(stn_text_kernel **result, const char *name,
                                        const char *parameters, const char *body,
                                        stn_kernel_class kernel_class)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return stn_fail(STN_ERR_MEMORY, "kernel %s: no memory for the locale C", name);
    const locale_t before = uselocale(plain);
    const stn_modes modes = stn_modes_enter();
    const stn_status status = create(result, name, parameters, body, kernel_class);
    stn_modes_leave(modes);
    uselocale(before);
    freelocale(plain);
    return status;
}

stn_status stn_kernel_compile(stn_kernel **kernel, const char *name, const char *parameters,
                              const char *body, stn_kernel_class kernel_class)
{
    stn_text_kernel *result = NULL;
    if (!kernel)
        return stn_fail(STN_ERR_ARGUMENT, "stn_kernel_compile: kernel is NULL");
    *kernel = NULL;
    STN_TRY(check(name, parameters, body, kernel_class));
    const stn_status status = create_in_plain_modes(&result, name, parameters, body, kernel_class);
    if (status == STN_OK)
        *kernel = &result->kernel;
    else if (result)
        stn_kernel_release(&result->kernel);
    return status;
}

void stn_kernel_release(stn_kernel *kernel)
{
    stn_text_kernel *const text = (stn_text_kernel *)(void *)kernel;
    if (!text)
        return;
    stn_free((void *)(uintptr_t)text->wide.constants);
    stn_free((void *)(uintptr_t)text->narrow.constants);
    stn_free(text->texts);
    stn_free(text);
}
