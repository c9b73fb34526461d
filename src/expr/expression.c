/* Expressions of a kernel text: operators with C's precedence and conversions. */
#include "expr/compiler.h"

#include <stdio.h>
#include <string.h>

static stn_status conditional(stn_compiler *c, stn_value *value);

static stn_status fail(const stn_compiler *c, const char *message)
{
    return stn_lex_fail(&c->lexer, &c->lexer.token, message);
}

static int is_next(const stn_compiler *c, const char *expected)
{
    return stn_token_is(&c->lexer.token, expected);
}

stn_status stn_parse_deeper(stn_compiler *c)
{
    return ++c->depth > STN_MAX_DEPTH ? stn_emit_refuse(c, "nested too deeply", STN_MAX_DEPTH)
                                      : STN_OK;
}

/* ---- operators: one row each, with an instruction per machine type ---- */

enum { NONE = STN_OPERATIONS };

typedef enum operator_kind {
    ARITHMETIC,
    COMPARISON,
    SWAPPED,
    SHIFT,
    AND_THEN,
    OR_ELSE
} operator_kind;

typedef struct binary_operator {
    const char *sign;
    int precedence;
    operator_kind kind; /* SWAPPED: a comparison with exchanged operands */
    int operations[4];  /* signed, unsigned, f32, f64 */
} binary_operator;

/* clang-format off */
#define FOUR(NAME)    {STN_DO_##NAME##_I64, STN_DO_##NAME##_U64, STN_DO_##NAME##_F32, STN_DO_##NAME##_F64}
#define THREE(NAME)   {STN_DO_##NAME##_I64, STN_DO_##NAME##_I64, STN_DO_##NAME##_F32, STN_DO_##NAME##_F64}
#define INTEGER(a, b) {STN_DO_##a, STN_DO_##b, NONE, NONE}
static const binary_operator binary_operators[] = {
    {"*",  10, ARITHMETIC, THREE(MULTIPLY)},
    {"/",  10, ARITHMETIC, FOUR(DIVIDE)},
    {"%",  10, ARITHMETIC, INTEGER(REMAINDER_I64, REMAINDER_U64)},
    {"+",   9, ARITHMETIC, THREE(ADD)},
    {"-",   9, ARITHMETIC, THREE(SUBTRACT)},
    {"<<",  8, SHIFT,      INTEGER(SHIFT_LEFT, SHIFT_LEFT)},
    {">>",  8, SHIFT,      INTEGER(SHIFT_RIGHT_I64, SHIFT_RIGHT_U64)},
    {"<",   7, COMPARISON, FOUR(LESS)},
    {"<=",  7, COMPARISON, FOUR(LESS_EQUAL)},
    {">",   7, SWAPPED,     FOUR(LESS)},
    {">=",  7, SWAPPED,     FOUR(LESS_EQUAL)},
    {"==",  6, COMPARISON, THREE(EQUAL)},
    {"!=",  6, COMPARISON, THREE(DIFFERENT)},
    {"&",   5, ARITHMETIC, INTEGER(AND, AND)},
    {"^",   4, ARITHMETIC, INTEGER(XOR, XOR)},
    {"|",   3, ARITHMETIC, INTEGER(OR, OR)},
    {"&&",  2, AND_THEN,   {NONE, NONE, NONE, NONE}},
    {"||",  1, OR_ELSE,    {NONE, NONE, NONE, NONE}},
};
/* clang-format on */

#define COUNT(list) (sizeof list / sizeof *list)

static const binary_operator *find_operator(const stn_token *token, int is_assigned)
{
    const int length = token->length - is_assigned;
    if (token->kind != STN_TOKEN_SIGN || (is_assigned && token->begin[length] != '='))
        return NULL;
    for (size_t k = 0; k < COUNT(binary_operators); k++)
        if (strlen(binary_operators[k].sign) == (size_t)length &&
            memcmp(binary_operators[k].sign, token->begin, (size_t)length) == 0)
            return &binary_operators[k];
    return NULL;
}

/* int has 32 bits. */
static stn_status narrow(stn_compiler *c, stn_value *value)
{
    const stn_operation operation =
        value->type == STN_TYPE_INT ? STN_DO_INT_OF_I64 : STN_DO_UNSIGNED_OF_I64;
    if (value->type > STN_TYPE_UNSIGNED || value->is_truth)
        return STN_OK;
    return stn_emit_new(c, operation, 0, &value->at[0], value->at[0], STN_OPERAND_NONE,
                        STN_OPERAND_NONE);
}

static stn_status refuse_operands(const stn_compiler *c, const binary_operator *rule,
                                  const stn_value *left, const stn_value *right)
{
    char message[128];
    snprintf(message, sizeof message, "'%s' cannot be applied to %s and %s", rule->sign,
             stn_type_name(left->type), stn_type_name(right->type));
    return fail(c, message);
}

/* left = left operator right, after the usual arithmetic conversions. */
static stn_status apply(stn_compiler *c, const binary_operator *rule, stn_value *left,
                        stn_value *right)
{
    uint16_t operands[2];
    const stn_type common = left->type > right->type ? left->type : right->type;
    const stn_type type = rule->kind == SHIFT ? left->type : common;
    const int operation = rule->operations[stn_machine_type_of(type)];
    if (common >= STN_TYPE_COMPLEX || operation == NONE ||
        rule->operations[stn_machine_type_of(common)] == NONE)
        return refuse_operands(c, rule, left, right);
    if (rule->kind != SHIFT) {
        STN_TRY(stn_emit_conversion(c, left, common));
        STN_TRY(stn_emit_conversion(c, right, common));
    }
    const int swapped = rule->kind == SWAPPED;
    STN_TRY(stn_emit_operand(c, left, &operands[swapped]));
    STN_TRY(stn_emit_operand(c, right, &operands[1 - swapped]));
    *left = stn_value_at(type, STN_OPERAND_NONE);
    if (swapped || rule->kind == COMPARISON) {
        left->type = STN_TYPE_INT;
        left->is_truth = 1;
    }
    STN_TRY(stn_emit_new(c, (stn_operation)operation, 0, &left->at[0], operands[0], operands[1],
                         STN_OPERAND_NONE));
    return narrow(c, left);
}

/* ---- from the innermost level outward ---- */

static stn_status number(stn_compiler *c, stn_value *value)
{
    stn_literal literal;
    STN_TRY(stn_lex_number(&c->lexer, &literal));
    *value = stn_value_of_int((int64_t)literal.integer);
    value->real = literal.real;
    if (literal.kind != STN_LITERAL_INTEGER)
        value->type = literal.kind == STN_LITERAL_FLOAT ? STN_TYPE_F32 : STN_TYPE_F64;
    else if (!literal.is_long && !literal.is_unsigned && literal.integer <= INT32_MAX)
        value->type = STN_TYPE_INT;
    else if (!literal.is_long && (literal.is_unsigned || !literal.is_decimal) &&
             literal.integer <= UINT32_MAX)
        value->type = STN_TYPE_UNSIGNED;
    else
        value->type =
            literal.is_unsigned || literal.integer > INT64_MAX ? STN_TYPE_U64 : STN_TYPE_I64;
    return stn_lex_next(&c->lexer);
}

static stn_status primary(stn_compiler *c, stn_value *value)
{
    const stn_token *const token = &c->lexer.token;
    if (token->kind == STN_TOKEN_NUMBER)
        return number(c, value);
    if (token->kind == STN_TOKEN_NAME)
        return stn_parse_name(c, value);
    if (token->kind == STN_TOKEN_END)
        return fail(c, "the text ends within an expression");
    if (!stn_token_is(token, "("))
        return fail(c, "a value is missing before '%s'");
    STN_TRY(stn_lex_next(&c->lexer));
    STN_TRY(stn_parse_expression(c, value));
    return stn_lex_expect(&c->lexer, ")");
}

/* After the period. */
static stn_status member(stn_compiler *c, stn_value *value)
{
    const int part = is_next(c, "im");
    if (value->type != STN_TYPE_COMPLEX || (!part && !is_next(c, "re")))
        return fail(c, "only complex numbers have the members .re and .im");
    const stn_variable *const variable = value->variable;
    *value = stn_value_at(c->part, value->at[part]);
    value->variable = variable;
    value->part = part;
    return stn_lex_next(&c->lexer);
}

/* Adds 1 or -1 to an assignable value. */
static stn_status step(stn_compiler *c, int by, stn_value *value)
{
    const stn_variable *const variable = value->variable;
    const int part = value->part;
    stn_value one = stn_value_of_int(by);
    if (!variable)
        return fail(c, "only a variable can be incremented or decremented");
    STN_TRY(apply(c, find_operator(&(stn_token){STN_TOKEN_SIGN, "+", 1, 1, 1}, 0), value, &one));
    return stn_emit_assignment(c, variable, part, value);
}

/* Yields the old value. */
static stn_status step_after(stn_compiler *c, int by, stn_value *value)
{
    static const stn_operation moves[] = {STN_DO_MOVE_I64, STN_DO_MOVE_I64, STN_DO_MOVE_F32,
                                          STN_DO_MOVE_F64};
    stn_value before = *value;
    if (value->type >= STN_TYPE_COMPLEX || !value->variable)
        return fail(c, "only a variable can be incremented or decremented");
    STN_TRY(stn_emit_new(c, moves[stn_machine_type_of(value->type)], 0, &before.at[0], value->at[0],
                         STN_OPERAND_NONE, STN_OPERAND_NONE));
    before.variable = NULL;
    STN_TRY(step(c, by, value));
    *value = before;
    return STN_OK;
}

static stn_status postfix(stn_compiler *c, stn_value *value)
{
    STN_TRY(primary(c, value));
    for (;;) {
        const int up = is_next(c, "++"), down = is_next(c, "--");
        if (up || down) {
            STN_TRY(stn_lex_next(&c->lexer));
            STN_TRY(step_after(c, up - down, value));
        } else if (is_next(c, ".")) {
            STN_TRY(stn_lex_next(&c->lexer));
            STN_TRY(member(c, value));
        } else {
            return STN_OK;
        }
    }
}

static stn_status negate(stn_compiler *c, stn_value *value)
{
    static const stn_operation operations[] = {STN_DO_NEGATE_I64, STN_DO_NEGATE_I64,
                                               STN_DO_NEGATE_F32, STN_DO_NEGATE_F64};
    if (value->type >= STN_TYPE_COMPLEX)
        return fail(c, "unary + and - require a number");
    value->variable = NULL;
    if (value->is_known) {
        const stn_type type = value->type;
        value->integer = (int64_t)(0 - (uint64_t)value->integer);
        value->real = -value->real;
        value->type = type < STN_TYPE_F32 ? STN_TYPE_U64 : type;
        return stn_emit_conversion(c, value, type);
    }
    value->is_truth = 0;
    STN_TRY(stn_emit_new(c, operations[stn_machine_type_of(value->type)], 0, &value->at[0],
                         value->at[0], STN_OPERAND_NONE, STN_OPERAND_NONE));
    return narrow(c, value);
}

static stn_status invert(stn_compiler *c, stn_value *value)
{
    uint16_t operand;
    if (value->type > STN_TYPE_U64)
        return fail(c, "~ requires an integer");
    STN_TRY(stn_emit_operand(c, value, &operand));
    *value = stn_value_at(value->type, STN_OPERAND_NONE);
    STN_TRY(stn_emit_new(c, STN_DO_INVERT, 0, &value->at[0], operand, STN_OPERAND_NONE,
                         STN_OPERAND_NONE));
    return narrow(c, value);
}

static stn_status negate_truth(stn_compiler *c, stn_value *value)
{
    STN_TRY(stn_emit_truth(c, value));
    return stn_emit_new(c, STN_DO_NOT, 0, &value->at[0], value->at[0], STN_OPERAND_NONE,
                        STN_OPERAND_NONE);
}

static stn_status unary(stn_compiler *c, stn_value *value);

/* "(int64_t)" and similar; *found: was there a cast? */
static stn_status cast(stn_compiler *c, stn_value *value, int *found)
{
    const stn_lexer before = c->lexer;
    stn_type type;
    STN_TRY(stn_lex_next(&c->lexer));
    *found = stn_names_type(c, &c->lexer.token, 1, &type);
    if (!*found) {
        c->lexer = before;
        return STN_OK;
    }
    STN_TRY(stn_lex_next(&c->lexer));
    if (!is_next(c, ")")) { /* (real_t(x) + 1) */
        *found = 0;
        c->lexer = before;
        return STN_OK;
    }
    STN_TRY(stn_lex_next(&c->lexer));
    STN_TRY(unary(c, value));
    if (type != STN_TYPE_VOID)
        return stn_emit_conversion(c, value, type);
    *value = stn_value_at(STN_TYPE_VOID, STN_OPERAND_NONE);
    return STN_OK;
}

static stn_status unary_at_depth(stn_compiler *c, stn_value *value)
{
    const char sign = c->lexer.token.kind == STN_TOKEN_SIGN ? *c->lexer.token.begin : '\0';
    const int length = c->lexer.token.length;
    int found = 0;
    if (sign == '(')
        STN_TRY(cast(c, value, &found));
    if (found)
        return STN_OK;
    if (length > 2 || !sign || !strchr("+-!~", sign) ||
        (length == 2 && c->lexer.token.begin[1] != sign))
        return postfix(c, value);
    STN_TRY(stn_lex_next(&c->lexer));
    STN_TRY(unary(c, value));
    if (length == 2)
        return step(c, sign == '+' ? 1 : -1, value);
    if (sign == '-')
        return negate(c, value);
    if (sign == '~')
        return invert(c, value);
    if (sign == '!')
        return negate_truth(c, value);
    value->variable = NULL;
    return value->type < STN_TYPE_COMPLEX ? STN_OK : fail(c, "unary + and - require a number");
}

static stn_status unary(stn_compiler *c, stn_value *value)
{
    const int depth = c->depth;
    STN_TRY(stn_parse_deeper(c));
    STN_TRY(unary_at_depth(c, value));
    c->depth = depth;
    return STN_OK;
}

static stn_status binary(stn_compiler *c, int lowest, stn_value *left);

/* The right operand of an operator. */
static stn_status right_side(stn_compiler *c, const binary_operator *rule, stn_value *right)
{
    const int depth = c->depth;
    STN_TRY(stn_parse_deeper(c));
    STN_TRY(binary(c, rule->precedence + 1, right));
    c->depth = depth;
    return STN_OK;
}

/* && and ||: the right operand is evaluated for elements that the left one does not decide. */
static stn_status logical(stn_compiler *c, const binary_operator *rule, stn_value *left)
{
    stn_value right;
    uint16_t mask;
    const int is_and = rule->kind == AND_THEN;
    const stn_assigned before = c->assigned;
    STN_TRY(stn_emit_truth(c, left));
    STN_TRY(stn_emit_mask(c, left, is_and, &mask));
    STN_TRY(stn_mask_push(c, mask));
    STN_TRY(right_side(c, rule, &right));
    STN_TRY(stn_emit_truth(c, &right));
    c->mask_count--;
    c->assigned = before;
    return stn_emit_new(c, is_and ? STN_DO_AND : STN_DO_OR, 0, &left->at[0], left->at[0],
                        right.at[0], STN_OPERAND_NONE);
}

static stn_status binary(stn_compiler *c, int lowest, stn_value *left)
{
    STN_TRY(unary(c, left));
    for (;;) {
        stn_value right;
        const binary_operator *const rule = find_operator(&c->lexer.token, 0);
        if (!rule || rule->precedence < lowest)
            return STN_OK;
        STN_TRY(stn_lex_next(&c->lexer));
        if (rule->kind >= AND_THEN) {
            STN_TRY(logical(c, rule, left));
            continue;
        }
        STN_TRY(right_side(c, rule, &right));
        STN_TRY(apply(c, rule, left, &right));
    }
}

/* One branch of a conditional operator, under its mask. */
static stn_status side(stn_compiler *c, const stn_value *condition, int holds, stn_value *value)
{
    uint16_t mask;
    const stn_assigned before = c->assigned;
    STN_TRY(stn_emit_mask(c, condition, holds, &mask));
    STN_TRY(stn_mask_push(c, mask));
    STN_TRY(holds ? stn_parse_expression(c, value) : conditional(c, value));
    c->mask_count--;
    c->assigned = before;
    return STN_OK;
}

/* condition = condition ? left : right */
static stn_status choose(stn_compiler *c, stn_value *condition, stn_value *left, stn_value *right)
{
    static const stn_operation selects[] = {STN_DO_SELECT_I64, STN_DO_SELECT_I64, STN_DO_SELECT_F32,
                                            STN_DO_SELECT_F64};
    const stn_type common = left->type > right->type ? left->type : right->type;
    const int parts = common == STN_TYPE_COMPLEX ? 2 : common == STN_TYPE_VOID ? 0 : 1;
    const stn_operation select =
        selects[stn_machine_type_of(common == STN_TYPE_COMPLEX ? c->part : common)];
    stn_value chosen = stn_value_at(common, STN_OPERAND_NONE);
    STN_TRY(stn_emit_conversion(c, left, common));
    STN_TRY(stn_emit_conversion(c, right, common));
    for (int k = 0; k < parts; k++) {
        uint16_t a = left->at[k], b = right->at[k];
        if (common != STN_TYPE_COMPLEX) {
            STN_TRY(stn_emit_operand(c, left, &a));
            STN_TRY(stn_emit_operand(c, right, &b));
        }
        STN_TRY(stn_emit_new(c, select, 0, &chosen.at[k], condition->at[0], a, b));
    }
    *condition = chosen;
    return STN_OK;
}

static stn_status conditional(stn_compiler *c, stn_value *value)
{
    const int depth = c->depth;
    stn_value left, right;
    STN_TRY(binary(c, 1, value));
    if (!is_next(c, "?"))
        return STN_OK;
    STN_TRY(stn_parse_deeper(c));
    STN_TRY(stn_emit_truth(c, value));
    STN_TRY(stn_lex_next(&c->lexer));
    STN_TRY(side(c, value, 1, &left));
    STN_TRY(stn_lex_expect(&c->lexer, ":"));
    STN_TRY(side(c, value, 0, &right));
    c->depth = depth;
    return choose(c, value, &left, &right);
}

stn_status stn_parse_assignment(stn_compiler *c, stn_value *value)
{
    const int depth = c->depth;
    stn_value right;
    STN_TRY(conditional(c, value));
    const binary_operator *const rule = find_operator(&c->lexer.token, 1);
    const int is_assigned =
        is_next(c, "=") || (rule && (rule->kind == ARITHMETIC || rule->kind == SHIFT));
    if (!is_assigned)
        return STN_OK;
    const stn_variable *const variable = value->variable;
    const int part = value->part;
    if (!variable)
        return fail(c, "only a variable can be assigned");
    STN_TRY(stn_parse_deeper(c));
    STN_TRY(stn_lex_next(&c->lexer));
    STN_TRY(stn_parse_assignment(c, &right));
    c->depth = depth;
    if (rule)
        STN_TRY(apply(c, rule, value, &right));
    else
        *value = right;
    return stn_emit_assignment(c, variable, part, value);
}

stn_status stn_parse_expression(stn_compiler *c, stn_value *value)
{
    STN_TRY(stn_parse_assignment(c, value));
    while (is_next(c, ",")) {
        STN_TRY(stn_lex_next(&c->lexer));
        STN_TRY(stn_parse_assignment(c, value));
        value->variable = NULL;
    }
    return STN_OK;
}
