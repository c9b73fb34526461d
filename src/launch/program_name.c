/* Names in expressions of a kernel's text: variables, calls, and elements of fields. */
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

static int is_next(const stn_compiler *c, const char *words)
{
    return stn_token_is(&c->lexer.token, words);
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

static const stn_variable *find_variable(const stn_compiler *c, const stn_token *name)
{
    for (int k = c->variable_count - 1; k >= 0; k--)
        if (c->variables[k].length == name->length &&
            memcmp(c->variables[k].name, name->begin, (size_t)name->length) == 0)
            return &c->variables[k];
    return NULL;
}

static stn_status argument(stn_compiler *c, int at, stn_value *value)
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
        STN_TRY(argument(c, k, value));
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

static stn_status field_name(stn_compiler *c, int *field)
{
    const stn_variable *variable =
        c->lexer.token.kind == STN_TOKEN_NAME ? find_variable(c, &c->lexer.token) : NULL;
    if (!variable || variable->field < 0)
        return fail(c, "'%s' is no field");
    *field = variable->field;
    return stn_lex_next(&c->lexer);
}

/* Indices up to the parenthesis: the place of the element, in bytes. */
static stn_status element_offset(stn_compiler *c, int field, uint16_t *offset)
{
    int dimension = 0;
    *offset = STN_OPERAND_NONE;
    while (is_next(c, ",")) {
        stn_value index;
        uint16_t operand;
        if (dimension == 4)
            return fail(c, "elements have up to four indices");
        STN_TRY(argument(c, 1, &index));
        STN_TRY(stn_emit_conversion(c, &index, STN_TYPE_I64));
        STN_TRY(stn_emit_operand(c, &index, &operand));
        STN_TRY(stn_emit_new(c, dimension ? STN_DO_OFFSET_MORE : STN_DO_OFFSET,
                             field * STN_MAX_RANK + dimension, offset, operand, *offset,
                             STN_OPERAND_NONE));
        dimension++;
    }
    if (dimension == 0)
        return fail(c, "an element has an index");
    return stn_lex_expect(&c->lexer, ")");
}

static stn_status read_element(stn_compiler *c, stn_value *value)
{
    int field;
    uint16_t offset;
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(field_name(c, &field));
    STN_TRY(element_offset(c, field, &offset));
    *value = stn_value_at(c->real, STN_OPERAND_NONE);
    static const stn_operation parts[2][2] = {{STN_DO_READ_C64_RE, STN_DO_READ_C64_IM},
                                              {STN_DO_READ_C128_RE, STN_DO_READ_C128_IM}};
    for (int part = 0; part < 2 && c->real == STN_TYPE_COMPLEX; part++)
        STN_TRY(stn_emit_new(c, parts[c->arithmetic == STN_C128][part], field, &value->at[part],
                             offset, stn_mask_now(c), STN_OPERAND_NONE));
    if (c->real == STN_TYPE_COMPLEX)
        return STN_OK;
    return stn_emit_new(c,
                        c->real == STN_TYPE_F64   ? STN_DO_READ_F64
                        : c->real == STN_TYPE_F32 ? STN_DO_READ_F32
                                                  : STN_DO_READ_I64,
                        field, &value->at[0], offset, stn_mask_now(c), STN_OPERAND_NONE);
}

static stn_status read_index(stn_compiler *c, stn_value *value)
{
    int field;
    uint16_t offset;
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(field_name(c, &field));
    STN_TRY(element_offset(c, field, &offset));
    *value = stn_value_at(STN_TYPE_I64, STN_OPERAND_NONE);
    return stn_emit_new(c, STN_DO_READ_INDEX, field, &value->at[0], offset, stn_mask_now(c),
                        STN_OPERAND_NONE);
}

static stn_status write_element(stn_compiler *c, stn_value *value)
{
    int field;
    uint16_t offset, parts[2] = {STN_OPERAND_NONE, STN_OPERAND_NONE};
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(field_name(c, &field));
    STN_TRY(argument(c, 1, value));
    STN_TRY(stn_emit_conversion(c, value, c->real));
    if (c->real == STN_TYPE_COMPLEX)
        memcpy(parts, value->at, sizeof parts);
    else
        STN_TRY(stn_emit_operand(c, value, &parts[0]));
    STN_TRY(element_offset(c, field, &offset));
    STN_TRY(stn_emit(c,
                     c->arithmetic == STN_F64    ? STN_DO_WRITE_F64
                     : c->arithmetic == STN_F32  ? STN_DO_WRITE_F32
                     : c->arithmetic == STN_I64  ? STN_DO_WRITE_I64
                     : c->arithmetic == STN_C128 ? STN_DO_WRITE_C128
                                                 : STN_DO_WRITE_C64,
                     field, STN_OPERAND_NONE, offset, stn_mask_now(c), parts[0]));
    c->instructions[c->count - 1].from[3] = parts[1];
    *value = stn_value_at(STN_TYPE_VOID, STN_OPERAND_NONE);
    return STN_OK;
}

static stn_status extent(stn_compiler *c, stn_value *value)
{
    int field;
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(field_name(c, &field));
    STN_TRY(argument(c, 1, value));
    if (!value->is_known || value->type > STN_TYPE_U64 || value->integer < 0 ||
        value->integer >= STN_MAX_RANK)
        return fail(c, "a dimension is a number from 0 to 7");
    const int at = field * STN_MAX_RANK + (int)value->integer;
    STN_TRY(stn_lex_expect(&c->lexer, ")"));
    *value = stn_value_at(STN_TYPE_I64, STN_OPERAND_NONE);
    return stn_emit_new(c, STN_DO_EXTENT, at, &value->at[0], STN_OPERAND_NONE, STN_OPERAND_NONE,
                        STN_OPERAND_NONE);
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
    } forms[] = {{"STN_AT", read_element},
                 {"STN_INDEX_AT", read_index},
                 {"STN_PUT", write_element},
                 {"STN_EXTENT_OF", extent}};
    const stn_token name = c->lexer.token;
    const stn_variable *const variable = find_variable(c, &name);
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
