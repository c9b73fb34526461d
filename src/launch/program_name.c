/* Names in expressions of a kernel's text: variables and calls. */
#include "launch/program_compiler.h"

#include <string.h>

#define COUNT(list) (sizeof list / sizeof *list)

/* clang-format off */
/* Functions of numbers. */
typedef struct function {
    const char *name;
    int count; /* of arguments */
    stn_operation f64, f32;
} function;
#define FUNCTION(name, count, NAME) {#name, count, STN_DO_##NAME##_F64, STN_DO_##NAME##_F32}
static const function functions[] = {
    FUNCTION(sqrt, 1, SQRT), FUNCTION(fabs, 1, FABS), FUNCTION(floor, 1, FLOOR),
    FUNCTION(ceil, 1, CEIL), FUNCTION(exp, 1, EXP),   FUNCTION(log, 1, LOG),
    FUNCTION(sin, 1, SIN),   FUNCTION(cos, 1, COS),   FUNCTION(pow, 2, POW),
    FUNCTION(fma, 3, FMA),
};
/* clang-format on */

static stn_status fail(const stn_compiler *c, const char *message)
{
    return stn_lex_fail(&c->lexer, &c->lexer.token, message);
}

int stn_names_type(const stn_compiler *c, const stn_token *token, int with_void, stn_type *type)
{
    static const struct {
        const char *name;
        stn_type type;
    } types[] = {{"int", STN_TYPE_INT},       {"int64_t", STN_TYPE_I64}, {"uint64_t", STN_TYPE_U64},
                 {"double", STN_TYPE_F64},    {"float", STN_TYPE_F32},   {"void", STN_TYPE_VOID},
                 {"real_t", STN_TYPE_COMPLEX}};
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
    if (at > 0)
        STN_TRY(stn_lex_expect(&c->lexer, ","));
    return stn_parse_assignment(c, value);
}

/* Behind the name. */
static stn_status call(stn_compiler *c, const function *called, stn_value *value)
{
    uint16_t operands[3] = {STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE};
    const int narrow_ones = c->arithmetic == STN_F32;
    const stn_type type = narrow_ones ? STN_TYPE_F32 : STN_TYPE_F64;
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    for (int k = 0; k < called->count; k++) {
        STN_TRY(stn_parse_argument(c, k, value));
        STN_TRY(stn_emit_conversion(c, value, type));
        STN_TRY(stn_emit_operand(c, value, &operands[k]));
    }
    STN_TRY(stn_lex_expect(&c->lexer, ")"));
    *value = stn_value_at(type, STN_OPERAND_NONE);
    return stn_emit_new(c, narrow_ones ? called->f32 : called->f64, 0, &value->at[0], operands[0],
                        operands[1], operands[2]);
}

/* R(x) and real_t(x). */
static stn_status call_conversion(stn_compiler *c, stn_type type, stn_value *value)
{
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(stn_parse_expression(c, value));
    STN_TRY(stn_lex_expect(&c->lexer, ")"));
    return stn_emit_conversion(c, value, type);
}

static const function *find_function(const stn_token *name)
{
    for (size_t k = 0; k < COUNT(functions); k++)
        if (stn_token_is(name, functions[k].name))
            return &functions[k];
    return NULL;
}

static stn_status use_variable(stn_compiler *c, const stn_variable *variable, stn_value *value)
{
    if (variable->field >= 0)
        return fail(c, "'%s' is a field: its elements are STN_AT(...)");
    *value = stn_value_at(variable->type, variable->at[0]);
    value->at[1] = variable->at[1];
    value->variable = variable;
    value->part = -1;
    return stn_lex_next(&c->lexer);
}

stn_status stn_parse_name(stn_compiler *c, stn_value *value)
{
    static const struct {
        const char *name;
        stn_status (*parse)(stn_compiler *c, stn_value *value);
    } forms[] = {{"STN_AT", stn_parse_at},
                 {"STN_INDEX_AT", stn_parse_index_at},
                 {"STN_PUT", stn_parse_put},
                 {"STN_EXTENT_OF", stn_parse_extent_of}};
    const stn_token name = c->lexer.token;
    const stn_variable *const variable = stn_find_variable(c, &name);
    const function *const called = find_function(&name);
    stn_type type;
    if (variable)
        return use_variable(c, variable, value);
    for (size_t k = 0; k < COUNT(forms); k++)
        if (stn_token_is(&name, forms[k].name)) {
            STN_TRY(stn_lex_next(&c->lexer));
            return forms[k].parse(c, value);
        }
    if (called) {
        STN_TRY(stn_lex_next(&c->lexer));
        return call(c, called, value);
    }
    if (stn_token_is(&name, "R") || stn_token_is(&name, "STN_R")) {
        STN_TRY(stn_lex_next(&c->lexer));
        return call_conversion(c, c->real, value);
    }
    if (stn_names_type(c, &name, 0, &type)) {
        STN_TRY(stn_lex_next(&c->lexer));
        return call_conversion(c, type, value);
    }
    return fail(c, "'%s' is no name that the kernel knows");
}
