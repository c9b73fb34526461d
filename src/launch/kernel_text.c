/* Kernels from a text at run time: the parameters' text, and the compiled kernel's life. */
#define _POSIX_C_SOURCE 200809L
#include "steno/kernel_text.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "launch/program_compiler.h"
#include "launch/text.h"

enum { MOST_NAME = 200, MOST_TEXT = 1 << 16 };

/* ---- parameters ---- */

static stn_status parameter_kind(const stn_lexer *lexer, stn_parameter_kind *kind)
{
    static const char *const kinds[] = {"real", "index", "bits", "in", "inout", "out", "field"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (stn_token_is(&lexer->token, kinds[k])) {
            *kind = (stn_parameter_kind)k;
            return STN_OK;
        }
    return stn_lex_fail(lexer, &lexer->token,
                        "a parameter is real, index, bits, in, inout, out or field of a name");
}

static stn_status parameter_name(const stn_lexer *lexer, const stn_token *names, int count)
{
    const stn_token *const name = &lexer->token;
    if (name->kind != STN_TOKEN_NAME || stn_is_keyword(name) ||
        strncmp(name->begin, "stn_", 4) == 0 || strncmp(name->begin, "STN_", 4) == 0 ||
        (name->length == 1 && strchr("ijkl", *name->begin)))
        return stn_lex_fail(lexer, name, "'%s' cannot be a parameter's name");
    for (int at = 0; at < count; at++)
        if (names[at].length == name->length &&
            memcmp(names[at].begin, name->begin, (size_t)name->length) == 0)
            return stn_lex_fail(lexer, name, "'%s' is a parameter twice");
    return STN_OK;
}

/* The numbers behind a field's name, if there are any. */
static stn_status parse_reach(stn_lexer *lexer, stn_parameter *parameter)
{
    static const char what[] = "a reach is a number from 0 to 2147483647";
    while (stn_token_is(&lexer->token, ",")) {
        stn_literal number;
        STN_TRY(stn_lex_next(lexer));
        if (parameter->rank == STN_NEAR_RANK)
            return stn_lex_fail(lexer, &lexer->token, "a reach has up to four numbers");
        if (lexer->token.kind != STN_TOKEN_NUMBER)
            return stn_lex_fail(lexer, &lexer->token, what);
        STN_TRY(stn_lex_number(lexer, &number));
        if (number.kind != STN_LITERAL_INTEGER || number.integer > INT32_MAX)
            return stn_lex_fail(lexer, &lexer->token, what);
        parameter->kind = STN_PARAMETER_NEAR;
        parameter->reach[parameter->rank++] = (int32_t)number.integer;
        STN_TRY(stn_lex_next(lexer));
    }
    return STN_OK;
}

static stn_status parse_parameters(stn_text_kernel *text, stn_lexer *lexer, stn_token *names)
{
    for (int at = 0;; at++) {
        if (at == STN_MOST_PARAMETERS)
            return stn_lex_fail(lexer, &lexer->token, "there are more than 24 parameters");
        STN_TRY(parameter_kind(lexer, &text->parameters[at].kind));
        STN_TRY(stn_lex_next(lexer));
        STN_TRY(stn_lex_expect(lexer, "("));
        STN_TRY(parameter_name(lexer, names, at));
        names[at] = lexer->token;
        text->kernel.count = at + 1;
        STN_TRY(stn_lex_next(lexer));
        if (text->parameters[at].kind == STN_PARAMETER_FIELD)
            STN_TRY(parse_reach(lexer, &text->parameters[at]));
        STN_TRY(stn_lex_expect(lexer, ")"));
        if (lexer->token.kind == STN_TOKEN_END)
            return STN_OK;
        STN_TRY(stn_lex_expect(lexer, ","));
    }
}

/* The names stay where they are in the words, and are ended there. */
static stn_status take_parameters(stn_text_kernel *text, char *words)
{
    char what[MOST_NAME + 32];
    stn_lexer lexer;
    stn_token names[STN_MOST_PARAMETERS];
    snprintf(what, sizeof what, "kernel %s, parameters ", text->kernel.name);
    STN_TRY(stn_lex_begin(&lexer, what, words));
    STN_TRY(parse_parameters(text, &lexer, names));
    for (int at = 0; at < text->kernel.count; at++) {
        char *const name = words + (names[at].begin - words);
        name[names[at].length] = '\0';
        text->parameters[at].name = name;
    }
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

/* Constants, and instructions behind them. */
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

static stn_status compile(stn_program *program, const stn_kernel *kernel, stn_format arithmetic)
{
    char what[MOST_NAME + 32];
    stn_compiler *c;
    STN_TRY(stn_allocate(&c, 1, sizeof *c, kernel->name));
    snprintf(what, sizeof what, "kernel %s, ", kernel->name);
    begin(c, kernel, arithmetic);
    stn_status status = stn_lex_begin(&c->lexer, what, kernel->text);
    if (status == STN_OK)
        status = stn_parse_text(c);
    if (status == STN_OK)
        status = stn_combine_instructions(c);
    if (status == STN_OK)
        status = stn_place_registers(c);
    if (status == STN_OK)
        status = finish(c, program);
    stn_free(c);
    return status;
}

static stn_status compile_programs(stn_text_kernel *text, stn_kernel_class kernel_class)
{
    stn_kernel *const kernel = &text->kernel;
    static const stn_format wide[] = {STN_F64, STN_I64, STN_C128},
                            narrow[] = {STN_F32, STN_I64, STN_C64};
    STN_TRY(compile(&text->wide, kernel, wide[kernel_class]));
    if (kernel_class != STN_KERNEL_INTEGER)
        STN_TRY(compile(&text->narrow, kernel, narrow[kernel_class]));
    stn_tile_loop **const loops[][2] = {
        {&kernel->f64, &kernel->f32}, {&kernel->i64, NULL}, {&kernel->c128, &kernel->c64}};
    *loops[kernel_class][0] = stn_program_loop_wide;
    if (loops[kernel_class][1])
        *loops[kernel_class][1] = stn_program_loop_narrow;
    (void)stn_kernel_traits(kernel);
    return STN_OK;
}

/* ---- kernels ---- */

/* One copy of all words: the kernel's name, its text, its parameters. */
static stn_status copy_words(stn_text_kernel *text, const char *name, const char *parameters,
                             const char *body)
{
    const size_t sizes[] = {strlen(name) + 1, strlen(body) + 1, strlen(parameters) + 1};
    STN_TRY(stn_allocate(&text->words, (int64_t)(sizes[0] + sizes[1] + sizes[2]), 1, name));
    memcpy(text->words, name, sizes[0]);
    memcpy(text->words + sizes[0], body, sizes[1]);
    memcpy(text->words + sizes[0] + sizes[1], parameters, sizes[2]);
    text->kernel.name = text->words;
    text->kernel.text = text->words + sizes[0];
    return take_parameters(text, text->words + sizes[0] + sizes[1]);
}

static stn_status make(stn_text_kernel **made, const char *name, const char *parameters,
                       const char *body, stn_kernel_class kernel_class)
{
    STN_TRY(stn_allocate(made, 1, sizeof **made, name));
    stn_text_kernel *const text = *made;
    memset(text, 0, sizeof *text);
    text->kernel.size = sizeof text->kernel;
    text->kernel.parameters = text->parameters;
    STN_TRY(copy_words(text, name, parameters, body));
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
    if (!*name || strlen(name) > MOST_NAME)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_kernel_compile: a name has between 1 and %d characters", MOST_NAME);
    if (kernel_class != STN_KERNEL_REAL && kernel_class != STN_KERNEL_INTEGER &&
        kernel_class != STN_KERNEL_COMPLEX)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: kernel_class %d is none of stn_kernel_class",
                        name, (int)kernel_class);
    if (strlen(parameters) > MOST_TEXT || strlen(body) > MOST_TEXT)
        return stn_fail(STN_ERR_PARSE, "kernel %s, 1:1: a text has at most %d characters", name,
                        MOST_TEXT);
    return STN_OK;
}

/* Numbers are read in the locale C, with rounding to nearest. */
static stn_status make_in_plain_modes(stn_text_kernel **made, const char *name,
                                      const char *parameters, const char *body,
                                      stn_kernel_class kernel_class)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return stn_fail(STN_ERR_MEMORY, "kernel %s: no memory for the locale C", name);
    const locale_t before = uselocale(plain);
    const stn_modes modes = stn_modes_enter();
    const stn_status status = make(made, name, parameters, body, kernel_class);
    stn_modes_leave(modes);
    uselocale(before);
    freelocale(plain);
    return status;
}

stn_status stn_kernel_compile(const char *name, const char *parameters, const char *body,
                              stn_kernel_class kernel_class, stn_kernel **kernel)
{
    stn_text_kernel *made = NULL;
    if (!kernel)
        return stn_fail(STN_ERR_ARGUMENT, "stn_kernel_compile: kernel is NULL");
    *kernel = NULL;
    STN_TRY(check(name, parameters, body, kernel_class));
    const stn_status status = make_in_plain_modes(&made, name, parameters, body, kernel_class);
    if (status == STN_OK)
        *kernel = &made->kernel;
    else if (made)
        stn_kernel_release(&made->kernel);
    return status;
}

void stn_kernel_release(stn_kernel *kernel)
{
    stn_text_kernel *const text = (stn_text_kernel *)(void *)kernel;
    if (!text)
        return;
    stn_free((void *)(uintptr_t)text->wide.constants);
    stn_free((void *)(uintptr_t)text->narrow.constants);
    stn_free(text->words);
    stn_free(text);
}
