/* Names in expressions of a kernel text: variables and calls. */
#include "expr/compiler.h"

#include <string.h>

#include "expr/math.h"

#define COUNT(list) (sizeof list / sizeof *list)

/* Functions implemented as vector loops. */
static const struct {
    const char *name;
    stn_operation f64, f32;
} loops[] = {{"sqrt", STN_DO_SQRT_F64, STN_DO_SQRT_F32},
             {"fabs", STN_DO_FABS_F64, STN_DO_FABS_F32},
             {"floor", STN_DO_FLOOR_F64, STN_DO_FLOOR_F32},
             {"ceil", STN_DO_CEIL_F64, STN_DO_CEIL_F32},
             {"fma", STN_DO_FMA_F64, STN_DO_FMA_F32}};

static const struct {
    const char *name;
    stn_type type; /* STN_TYPE_COMPLEX: that of the arithmetic */
} types[] = {{"int", STN_TYPE_INT},       {"int64_t", STN_TYPE_I64}, {"uint64_t", STN_TYPE_U64},
             {"double", STN_TYPE_F64},    {"float", STN_TYPE_F32},   {"void", STN_TYPE_VOID},
             {"real_t", STN_TYPE_COMPLEX}};

static stn_status fail(const stn_compiler *c, const char *message)
{
    return stn_lex_fail(&c->lexer, &c->lexer.token, message);
}

int stn_is_keyword(const stn_token *token)
{
    static const char *const keywords[] = {"if",     "else",     "for",    "while",  "do",
                                           "break",  "continue", "return", "const",  "goto",
                                           "switch", "case",     "static", "sizeof", "struct"};
    for (size_t k = 0; k < COUNT(types); k++)
        if (stn_token_is(token, types[k].name))
            return 1;
    for (size_t k = 0; k < COUNT(keywords); k++)
        if (stn_token_is(token, keywords[k]))
            return 1;
    return 0;
}

int stn_names_type(const stn_compiler *c, const stn_token *token, int with_void, stn_type *type)
{
    for (size_t k = 0; k < COUNT(types); k++)
        if (token->kind == STN_TOKEN_NAME && stn_token_is(token, types[k].name)) {
            *type = types[k].type == STN_TYPE_COMPLEX ? c->real : types[k].type;
            return with_void || *type != STN_TYPE_VOID;
        }
    return 0;
}

const stn_variable *stn_find_variable(const stn_compiler *c, const stn_token *name)
{
    for (int k = c->variable_count - 1; k >= 0; k--)
        if (c->variables[k].length == name->length &&
            memcmp(c->variables[k].name, name->begin, (size_t)name->length) == 0)
            return &c->variables[k];
    return NULL;
}

stn_status stn_parse_argument(stn_compiler *c, int at, stn_value *value)
{
    const int depth = c->depth;
    if (at > 0)
        STN_TRY(stn_lex_expect(&c->lexer, ","));
    STN_TRY(stn_parse_deeper(c)); /* counted twice, because calls use much stack */
    STN_TRY(stn_parse_assignment(c, value));
    c->depth = depth;
    return STN_OK;
}

/* Type of the numbers of a function: that of the arithmetic, or the common type of its
 * arguments. */
static stn_type type_of_numbers(const stn_compiler *c, const stn_math *math, const stn_value *given)
{
    stn_type type =
        c->arithmetic == STN_F32 || c->arithmetic == STN_C64 ? STN_TYPE_F32 : STN_TYPE_F64;
    if (math->shape != STN_MATH_CONDITION)
        return type;
    type =
        given[math->count - 1].type > given[0].type ? given[math->count - 1].type : given[0].type;
    return type == STN_TYPE_F32 ? STN_TYPE_F32 : STN_TYPE_F64;
}

static stn_type type_of_integer(const stn_math *math)
{
    return math->is_int ? STN_TYPE_INT : STN_TYPE_I64;
}

static stn_type type_of_argument(const stn_math *math, int at, stn_type numbers)
{
    if (at == 0 || math->shape == STN_MATH_NUMBERS || math->shape == STN_MATH_CONDITION)
        return numbers;
    return math->shape == STN_MATH_TOWARD ? STN_TYPE_F64 : type_of_integer(math);
}

static stn_operation operation_of(const stn_math *math, stn_type numbers)
{
    for (size_t k = 0; k < COUNT(loops); k++)
        if (strcmp(math->name, loops[k].name) == 0)
            return numbers == STN_TYPE_F32 ? loops[k].f32 : loops[k].f64;
    return numbers == STN_TYPE_F32 ? STN_DO_CALL_F32 : STN_DO_CALL_F64;
}

/* After the name. */
static stn_status call(stn_compiler *c, int at, stn_value *value)
{
    const stn_math *const math = stn_math_at(at);
    uint16_t operands[3] = {STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE};
    stn_value given[3];
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    for (int k = 0; k < math->count; k++)
        STN_TRY(stn_parse_argument(c, k, &given[k]));
    const stn_type numbers = type_of_numbers(c, math, given);
    for (int k = 0; k < math->count; k++) {
        STN_TRY(stn_emit_conversion(c, &given[k], type_of_argument(math, k, numbers)));
        STN_TRY(stn_emit_operand(c, &given[k], &operands[k]));
    }
    STN_TRY(stn_lex_expect(&c->lexer, ")"));
    const int gives_integer =
        math->shape == STN_MATH_CONDITION || math->shape == STN_MATH_TO_INTEGER;
    *value = stn_value_at(gives_integer ? type_of_integer(math) : numbers, STN_OPERAND_NONE);
    value->is_truth = math->shape == STN_MATH_CONDITION;
    return stn_emit_new(c, operation_of(math, numbers), at, &value->at[0], operands[0], operands[1],
                        operands[2]);
}

/* R(x) and real_t(x). */
static stn_status call_conversion(stn_compiler *c, stn_type type, stn_value *value)
{
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(stn_parse_expression(c, value));
    STN_TRY(stn_lex_expect(&c->lexer, ")"));
    return stn_emit_conversion(c, value, type);
}

/* Returns its index, or -1. */
static int find_function(const stn_token *name)
{
    for (int at = 0; stn_math_at(at); at++)
        if (stn_token_is(name, stn_math_at(at)->name))
            return at;
    return -1;
}

/* Constants of <math.h>; returns 0 for other names. */
static int find_constant(const stn_token *name, stn_value *value)
{
    const int is_wide = stn_token_is(name, "HUGE_VAL");
    const int is_nan = stn_token_is(name, "NAN");
    if (!is_wide && !is_nan && !stn_token_is(name, "INFINITY"))
        return 0;
    *value = stn_value_of_int(0);
    value->type = is_wide ? STN_TYPE_F64 : STN_TYPE_F32;
    value->real = is_nan ? (double)NAN : HUGE_VAL;
    return 1;
}

static stn_status use_variable(stn_compiler *c, const stn_variable *variable, stn_value *value)
{
    if (variable->indexed >= 0)
        return fail(c, "'%s' must be indexed by STN_AT(...)");
    *value = stn_value_at(variable->type, variable->at[0]);
    value->at[1] = variable->at[1];
    value->variable = variable;
    value->part = -1;
    return stn_lex_next(&c->lexer);
}

/* Former names of indices. */
static int is_index(const stn_token *name)
{
    return name->length == 1 && strchr("ijkl", *name->begin);
}

stn_status stn_parse_name(stn_compiler *c, stn_value *value)
{
    static const struct {
        const char *name;
        stn_status (*parse)(stn_compiler *c, stn_value *value);
    } forms[] = {{"STN_AT", stn_parse_at},       {"STN_INDEX_AT", stn_parse_index_at},
                 {"STN_PUT", stn_parse_put},     {"STN_ADD", stn_parse_add},
                 {"STN_MIN", stn_parse_min},     {"STN_MAX", stn_parse_max},
                 {"STN_STORE", stn_parse_store}, {"STN_EXTENT_OF", stn_parse_extent_of}};
    const stn_token name = c->lexer.token;
    const stn_variable *const variable = stn_find_variable(c, &name);
    const int function = find_function(&name);
    stn_type type;
    if (variable)
        return use_variable(c, variable, value);
    for (size_t k = 0; k < COUNT(forms); k++)
        if (stn_token_is(&name, forms[k].name)) {
            STN_TRY(stn_lex_next(&c->lexer));
            return forms[k].parse(c, value);
        }
    if (function >= 0) {
        STN_TRY(stn_lex_next(&c->lexer));
        return call(c, function, value);
    }
    if (find_constant(&name, value))
        return stn_lex_next(&c->lexer);
    if (stn_token_is(&name, "R") || stn_token_is(&name, "STN_R")) {
        STN_TRY(stn_lex_next(&c->lexer));
        return call_conversion(c, c->real, value);
    }
    if (stn_names_type(c, &name, 0, &type)) {
        STN_TRY(stn_lex_next(&c->lexer));
        return call_conversion(c, type, value);
    }
    return fail(c, is_index(&name) ? "unknown name '%s'; at(i, j) names indices"
                                   : "unknown name '%s'");
}
