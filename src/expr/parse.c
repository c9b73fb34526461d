/* Statements of a kernel text. */
#include "expr/compiler.h"

#include <string.h>

static stn_status statement(stn_compiler *c);
static stn_status item(stn_compiler *c);

static stn_status fail(const stn_compiler *c, const char *message)
{
    return stn_lex_fail(&c->lexer, &c->lexer.token, message);
}

static int is_next(const stn_compiler *c, const char *expected)
{
    return stn_token_is(&c->lexer.token, expected);
}

static stn_status next(stn_compiler *c)
{
    return stn_lex_next(&c->lexer);
}

static stn_status expect(stn_compiler *c, const char *sign)
{
    return stn_lex_expect(&c->lexer, sign);
}

/* ---- names ---- */

stn_status stn_add_variable(stn_compiler *c, const stn_token *name, stn_type type,
                            stn_variable **added)
{
    if (name->kind != STN_TOKEN_NAME || stn_is_keyword(name))
        return stn_lex_fail(&c->lexer, name, "'%s' cannot be a variable's name");
    for (int k = c->variable_count - 1; k >= 0 && c->variables[k].depth == c->blocks; k--)
        if (c->variables[k].length == name->length &&
            memcmp(c->variables[k].name, name->begin, (size_t)name->length) == 0)
            return stn_lex_fail(&c->lexer, name, "'%s' is declared twice");
    if (c->variable_count == STN_MAX_VARIABLES)
        return stn_emit_refuse(c, "too many variables", STN_MAX_VARIABLES);
    *added = &c->variables[c->variable_count++];
    **added = (stn_variable){.name = name->begin,
                             .length = name->length,
                             .depth = c->blocks,
                             .type = type,
                             .indexed = -1,
                             .output = -1,
                             .masked = -1,
                             .at = {STN_OPERAND_NONE, STN_OPERAND_NONE}};
    return STN_OK;
}

stn_status stn_assign_register(stn_compiler *c, stn_variable *variable)
{
    for (int part = 0; part < (variable->type == STN_TYPE_COMPLEX ? 2 : 1); part++) {
        STN_TRY(stn_emit_temporary(c, &variable->at[part]));
        c->is_home[variable->at[part]] = 1;
    }
    return STN_OK;
}

/* ---- declarations ---- */

/* "{re, im}", possibly incomplete. */
static stn_status initial_parts(stn_compiler *c, stn_value values[2])
{
    STN_TRY(expect(c, "{"));
    for (int part = 0; part < 2 && !is_next(c, "}"); part++) {
        STN_TRY(stn_parse_assignment(c, &values[part]));
        if (!is_next(c, "}"))
            STN_TRY(expect(c, ","));
    }
    return expect(c, "}");
}

/* The initial value is assigned to all elements, because the variable had no value. */
static stn_status declarator(stn_compiler *c, stn_type type, int is_constant)
{
    const stn_token name = c->lexer.token;
    stn_value values[2] = {stn_value_of_int(0), stn_value_of_int(0)};
    stn_variable *variable;
    int in_parts = type == STN_TYPE_COMPLEX;
    STN_TRY(next(c));
    if (is_next(c, "=")) {
        STN_TRY(next(c));
        in_parts = in_parts && is_next(c, "{");
        STN_TRY(in_parts ? initial_parts(c, values) : stn_parse_assignment(c, &values[0]));
    } else {
        c->has_extensions = 1;
    }
    STN_TRY(stn_add_variable(c, &name, type, &variable));
    STN_TRY(stn_assign_register(c, variable));
    const int masks = c->mask_count;
    c->mask_count = 0;
    if (in_parts)
        STN_TRY(stn_emit_assignment(c, variable, 1, &values[1]));
    STN_TRY(stn_emit_assignment(c, variable, in_parts ? 0 : -1, &values[0]));
    c->mask_count = masks;
    if (is_constant)
        variable->constant = "'%s' is const and cannot be assigned";
    return STN_OK;
}

static int is_declaration(const stn_compiler *c)
{
    stn_lexer ahead = c->lexer;
    stn_type type;
    if (is_next(c, "const"))
        return 1;
    return stn_names_type(c, &c->lexer.token, 0, &type) && stn_lex_next(&ahead) == STN_OK &&
           !stn_token_is(&ahead.token, "(");
}

static stn_status declaration(stn_compiler *c)
{
    stn_type type;
    int is_constant = is_next(c, "const");
    if (is_constant)
        STN_TRY(next(c));
    if (!stn_names_type(c, &c->lexer.token, 0, &type))
        return fail(c, "unknown type '%s'");
    STN_TRY(next(c));
    if (is_next(c, "const")) {
        is_constant = 1;
        STN_TRY(next(c));
    }
    STN_TRY(declarator(c, type, is_constant));
    while (is_next(c, ",")) {
        STN_TRY(next(c));
        STN_TRY(declarator(c, type, is_constant));
    }
    return expect(c, ";");
}

/* ---- control flow ---- */

/* "(condition)" as 0 or 1. */
static stn_status condition(stn_compiler *c, stn_value *truth)
{
    STN_TRY(expect(c, "("));
    STN_TRY(stn_parse_expression(c, truth));
    STN_TRY(stn_emit_truth(c, truth));
    return expect(c, ")");
}

static stn_status jump(stn_compiler *c, stn_operation operation, uint16_t mask, int32_t *at)
{
    *at = c->count;
    return stn_emit(c, operation, 0, STN_OPERAND_NONE, mask, STN_OPERAND_NONE, STN_OPERAND_NONE);
}

static void jump_to_next(stn_compiler *c, int32_t at)
{
    c->instructions[at].at = (uint16_t)c->count;
}

/* A statement for the elements of a mask, skipped if there are none. */
static stn_status masked_statement(stn_compiler *c, uint16_t mask)
{
    int32_t over;
    STN_TRY(jump(c, STN_DO_JUMP_NONE, mask, &over));
    STN_TRY(stn_mask_push(c, mask));
    STN_TRY(statement(c));
    c->mask_count--;
    jump_to_next(c, over);
    return STN_OK;
}

static stn_status if_statement(stn_compiler *c)
{
    stn_value truth;
    uint16_t mask, other;
    STN_TRY(next(c));
    STN_TRY(condition(c, &truth));
    STN_TRY(stn_emit_mask(c, &truth, 1, &mask));
    STN_TRY(stn_emit_mask(c, &truth, 0, &other));
    const stn_assigned before = c->assigned;
    STN_TRY(masked_statement(c, mask));
    const stn_assigned where_it_holds = c->assigned;
    c->assigned = before;
    if (is_next(c, "else")) {
        STN_TRY(next(c));
        STN_TRY(masked_statement(c, other));
    }
    c->assigned = stn_assigned_both(where_it_holds, c->assigned);
    return STN_OK;
}

/* Masks of a loop: elements in the loop, and below, elements in this iteration. */
typedef struct loop {
    int outer;                   /* enclosing loop */
    stn_assigned assigned, left; /* before its body, and where it is left */
    uint16_t mask, round;
    int32_t top;
} loop;

static stn_status loop_begin(stn_compiler *c, loop *l)
{
    const uint16_t now = stn_mask_now(c);
    stn_value all = stn_value_of_int(1);
    uint16_t from = now;
    if (now == STN_OPERAND_NONE)
        STN_TRY(stn_emit_operand(c, &all, &from));
    STN_TRY(
        stn_emit_new(c, STN_DO_MOVE_I64, 0, &l->mask, from, STN_OPERAND_NONE, STN_OPERAND_NONE));
    l->outer = c->loop;
    l->left = c->left;
    c->left = stn_assigned_all();
    c->loop = c->mask_count;
    l->top = c->count;
    return stn_mask_push(c, l->mask);
}

/* Elements for which the condition is false leave the loop. */
static stn_status loop_condition(stn_compiler *c, const loop *l, const stn_value *truth)
{
    return stn_emit(c, STN_DO_AND, 0, l->mask, l->mask, truth->at[0], STN_OPERAND_NONE);
}

static stn_status loop_body(stn_compiler *c, loop *l)
{
    STN_TRY(stn_emit_new(c, STN_DO_MOVE_I64, 0, &l->round, l->mask, STN_OPERAND_NONE,
                         STN_OPERAND_NONE));
    STN_TRY(stn_mask_push(c, l->round));
    l->assigned = c->assigned;
    STN_TRY(statement(c));
    c->assigned = stn_assigned_both(c->assigned, c->left);
    c->mask_count--;
    return STN_OK;
}

static stn_status loop_end(stn_compiler *c, const loop *l)
{
    int32_t back;
    STN_TRY(jump(c, STN_DO_JUMP, STN_OPERAND_NONE, &back));
    c->instructions[back].at = (uint16_t)l->top;
    c->mask_count--;
    c->loop = l->outer;
    c->left = l->left;
    return STN_OK;
}

static stn_status while_statement(stn_compiler *c)
{
    loop l;
    stn_value truth;
    int32_t out;
    STN_TRY(next(c));
    STN_TRY(loop_begin(c, &l));
    STN_TRY(condition(c, &truth));
    STN_TRY(loop_condition(c, &l, &truth));
    STN_TRY(jump(c, STN_DO_JUMP_NONE, l.mask, &out));
    STN_TRY(loop_body(c, &l));
    c->assigned = l.assigned; /* with no iteration */
    STN_TRY(loop_end(c, &l));
    jump_to_next(c, out);
    return STN_OK;
}

static stn_status do_statement(stn_compiler *c)
{
    loop l;
    stn_value truth;
    int32_t out;
    STN_TRY(next(c));
    STN_TRY(loop_begin(c, &l));
    STN_TRY(loop_body(c, &l));
    if (!is_next(c, "while"))
        return fail(c, "'while' is missing after the body of 'do'");
    STN_TRY(next(c));
    STN_TRY(condition(c, &truth));
    STN_TRY(loop_condition(c, &l, &truth));
    STN_TRY(jump(c, STN_DO_JUMP_NONE, l.mask, &out));
    STN_TRY(loop_end(c, &l));
    jump_to_next(c, out);
    return expect(c, ";");
}

/* Skips to the closing parenthesis of a for statement. */
static stn_status skip_step(stn_compiler *c)
{
    for (int depth = 0; depth > 0 || !is_next(c, ")");) {
        depth += is_next(c, "(") - is_next(c, ")");
        if (c->lexer.token.kind == STN_TOKEN_END)
            return fail(c, "')' is missing at the end");
        STN_TRY(next(c));
    }
    return STN_OK;
}

/* The step precedes the body in the text and follows it in execution. */
static stn_status step_and_body(stn_compiler *c, loop *l)
{
    const stn_lexer step = c->lexer;
    stn_value value;
    STN_TRY(skip_step(c));
    STN_TRY(next(c));
    STN_TRY(loop_body(c, l));
    const stn_lexer after = c->lexer;
    c->lexer = step;
    if (!is_next(c, ")"))
        STN_TRY(stn_parse_expression(c, &value));
    STN_TRY(expect(c, ")"));
    c->lexer = after;
    c->assigned = l->assigned;
    return loop_end(c, l);
}

static stn_status for_in_block(stn_compiler *c)
{
    loop l;
    stn_value value;
    int32_t out;
    STN_TRY(next(c));
    STN_TRY(expect(c, "("));
    if (is_declaration(c)) {
        STN_TRY(declaration(c));
    } else {
        if (!is_next(c, ";"))
            STN_TRY(stn_parse_expression(c, &value));
        STN_TRY(expect(c, ";"));
    }
    STN_TRY(loop_begin(c, &l));
    if (!is_next(c, ";")) {
        STN_TRY(stn_parse_expression(c, &value));
        STN_TRY(stn_emit_truth(c, &value));
        STN_TRY(loop_condition(c, &l, &value));
    }
    STN_TRY(expect(c, ";"));
    STN_TRY(jump(c, STN_DO_JUMP_NONE, l.mask, &out));
    STN_TRY(step_and_body(c, &l));
    jump_to_next(c, out);
    return STN_OK;
}

/* The elements finish here, so all outputs must be assigned. */
static stn_status expect_assigned(const stn_compiler *c, const stn_token *position)
{
    for (int at = 0; at < c->kernel->count; at++) {
        const uint64_t bit = (uint64_t)1 << at;
        const stn_parameter *const parameter = &c->kernel->parameters[at];
        stn_token token = *position;
        if (parameter->kind != STN_PARAMETER_OUT ||
            (c->assigned.part[0] & c->assigned.part[1] & bit))
            continue;
        token.begin = parameter->name;
        token.length = (int)strlen(parameter->name);
        return stn_lex_fail(&c->lexer, &token, "the output '%s' is not assigned on every path");
    }
    return STN_OK;
}

static stn_status leave(stn_compiler *c)
{
    const int is_break = is_next(c, "break"), is_return = is_next(c, "return");
    if (!is_return && c->loop < 0)
        return fail(c, "'%s' is outside of a loop");
    STN_TRY(stn_emit_leave(c, is_return ? 0 : is_break ? c->loop : c->loop + 1));
    if (is_return)
        STN_TRY(expect_assigned(c, &c->lexer.token));
    else
        c->left = stn_assigned_both(c->left, c->assigned);
    c->assigned = stn_assigned_all(); /* unreachable */
    STN_TRY(next(c));
    if (is_return && !is_next(c, ";"))
        return fail(c, "a kernel body returns no value: ';' is missing before '%s'");
    return expect(c, ";");
}

/* ---- blocks ---- */

static stn_status items(stn_compiler *c)
{
    while (!is_next(c, "}") && c->lexer.token.kind != STN_TOKEN_END)
        STN_TRY(item(c));
    return STN_OK;
}

static stn_status block(stn_compiler *c)
{
    STN_TRY(next(c));
    STN_TRY(items(c));
    return expect(c, "}");
}

static stn_status in_block(stn_compiler *c, stn_status (*parse)(stn_compiler *c))
{
    const int variables = c->variable_count;
    c->blocks++;
    STN_TRY(parse(c));
    c->blocks--;
    c->variable_count = variables;
    return STN_OK;
}

static stn_status expression_statement(stn_compiler *c)
{
    stn_value value;
    STN_TRY(stn_parse_expression(c, &value));
    return expect(c, ";");
}

static stn_status statement_at_depth(stn_compiler *c)
{
    if (is_next(c, "{"))
        return in_block(c, block);
    if (is_next(c, ";"))
        return next(c);
    if (is_next(c, "if"))
        return in_block(c, if_statement);
    if (is_next(c, "for"))
        return in_block(c, for_in_block);
    if (is_next(c, "while"))
        return in_block(c, while_statement);
    if (is_next(c, "do"))
        return in_block(c, do_statement);
    if (is_next(c, "break") || is_next(c, "continue") || is_next(c, "return"))
        return leave(c);
    if (stn_is_keyword(&c->lexer.token) && !is_declaration(c) && !is_next(c, "real_t"))
        return fail(c, "unexpected '%s'");
    if (is_declaration(c))
        return fail(c, "a declaration must be in a block");
    return expression_statement(c);
}

static stn_status statement(stn_compiler *c)
{
    const int depth = c->depth;
    STN_TRY(stn_parse_deeper(c));
    STN_TRY(statement_at_depth(c));
    c->depth = depth;
    return STN_OK;
}

static stn_status item(stn_compiler *c)
{
    return is_declaration(c) ? declaration(c) : statement(c);
}

/* ---- the whole ---- */

/* The mask from which `return` removes elements. */
static stn_status open_mask(stn_compiler *c)
{
    stn_value all = stn_value_of_int(1);
    uint16_t from, mask;
    STN_TRY(stn_emit_operand(c, &all, &from));
    STN_TRY(stn_emit_new(c, STN_DO_MOVE_I64, 0, &mask, from, STN_OPERAND_NONE, STN_OPERAND_NONE));
    return stn_mask_push(c, mask);
}

static stn_status body(stn_compiler *c)
{
    STN_TRY(items(c));
    return c->lexer.token.kind == STN_TOKEN_END ? STN_OK : fail(c, "unmatched '%s'");
}

/* Outputs that are assigned unconditionally before they are read need no initial NaN. */
static void remove_unread(stn_compiler *c)
{
    for (int32_t first = 0; first < c->count; first++) {
        const uint16_t to = c->instructions[first].to;
        if (to < STN_OPERAND_PARAMETER || to >= STN_OPERAND_CONSTANT)
            continue;
        for (int32_t k = first + 1; k < c->count; k++) {
            const stn_instruction *const now = &c->instructions[k];
            int reads = now->operation == STN_DO_JUMP || now->operation == STN_DO_JUMP_NONE;
            for (int o = 0; o < STN_MAX_OPERANDS; o++)
                reads |= now->from[o] == to;
            if (!reads && now->to == to)
                c->instructions[first] = stn_nothing;
            if (reads || now->to == to)
                break;
        }
    }
}

/* Searches the remaining tokens, whose errors are reported when they are parsed. */
static int has_return(stn_lexer lexer)
{
    while (lexer.token.kind != STN_TOKEN_END && !stn_token_is(&lexer.token, "return"))
        if (stn_lex_next(&lexer) != STN_OK)
            return 0;
    return lexer.token.kind != STN_TOKEN_END;
}

stn_status stn_parse_text(stn_compiler *c)
{
    const stn_text_kernel *const text = (const stn_text_kernel *)(const void *)c->kernel;
    for (int dimension = 0; dimension < text->named; dimension++)
        STN_TRY(stn_open_index(c, dimension));
    for (int at = 0; at < c->kernel->count; at++)
        STN_TRY(stn_open_parameter(c, at));
    if (has_return(c->lexer))
        STN_TRY(open_mask(c));
    STN_TRY(in_block(c, body));
    STN_TRY(expect_assigned(c, &c->lexer.token));
    remove_unread(c);
    for (int at = 0; at < c->kernel->count; at++)
        STN_TRY(stn_close_parameter(c, at));
    return stn_emit(c, STN_DO_END, 0, STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE,
                    STN_OPERAND_NONE);
}
