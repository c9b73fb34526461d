/* Elements of gather, scatter and stencil in a kernel text. Texts are untrusted, so every index is
 * checked against the extents of the view or the radius. */
#include "expr/compiler.h"

#include <string.h>

/* Indices as operands. */
typedef struct element {
    int indexed, count;
    uint16_t index[STN_MAX_RANK];
} element;

static stn_status fail(const stn_compiler *c, const char *message)
{
    return stn_lex_fail(&c->lexer, &c->lexer.token, message);
}

static const stn_parameter *parameter_of(const stn_compiler *c, int indexed)
{
    return &c->kernel->parameters[indexed];
}

static int is_stencil(const stn_compiler *c, int indexed)
{
    return parameter_of(c, indexed)->kind == STN_PARAMETER_STENCIL;
}

static stn_status indexed_name(stn_compiler *c, int *indexed)
{
    const stn_variable *variable =
        c->lexer.token.kind == STN_TOKEN_NAME ? stn_find_variable(c, &c->lexer.token) : NULL;
    if (!variable || variable->indexed < 0)
        return fail(c, "'%s' cannot be indexed");
    *indexed = variable->indexed;
    return stn_lex_next(&c->lexer);
}

static stn_status plain_name(stn_compiler *c, int *indexed)
{
    stn_lexer name = c->lexer;
    STN_TRY(indexed_name(c, indexed));
    return is_stencil(c, *indexed)
               ? stn_lex_fail(&name, &name.token, "'%s' is a stencil, which only STN_AT reads")
               : STN_OK;
}

/* Indices up to the closing parenthesis. */
static stn_status element_indices(stn_compiler *c, element *e)
{
    const int rank = parameter_of(c, e->indexed)->rank;
    e->count = 0;
    while (stn_token_is(&c->lexer.token, ",")) {
        stn_value index;
        if (e->count == rank)
            return fail(c, "more indices than the view has dimensions");
        STN_TRY(stn_parse_argument(c, 1, &index));
        STN_TRY(stn_emit_conversion(c, &index, STN_TYPE_I64));
        STN_TRY(stn_emit_operand(c, &index, &e->index[e->count++]));
    }
    if (e->count == 0)
        return fail(c, "an index is missing");
    if (e->count < rank)
        return fail(c, "fewer indices than the view has dimensions");
    return stn_lex_expect(&c->lexer, ")");
}

/* Restricts the mask to existing elements, index by index. */
static stn_status emit_check(stn_compiler *c, const element *e, stn_operation operation,
                             uint16_t *mask)
{
    *mask = stn_mask_now(c);
    for (int d = 0; d < e->count; d++)
        STN_TRY(stn_emit_new(c, operation, stn_check_at(e->indexed, d, e->count), mask, e->index[d],
                             *mask, STN_OPERAND_NONE));
    return STN_OK;
}

/* The byte offset of the element, and the mask of valid elements. */
static stn_status emit_offset(stn_compiler *c, const element *e, uint16_t *offset, uint16_t *mask)
{
    *offset = STN_OPERAND_NONE;
    for (int d = 0; d < e->count; d++)
        STN_TRY(stn_emit_new(c, d ? STN_DO_OFFSET_MORE : STN_DO_OFFSET,
                             e->indexed * STN_MAX_RANK + d, offset, e->index[d], *offset,
                             STN_OPERAND_NONE));
    return emit_check(c, e, STN_DO_WITHIN, mask);
}

/* The row within the radius that contains the element; NONE if there is only one. */
static stn_status emit_row(stn_compiler *c, const element *e, uint16_t *row)
{
    *row = STN_OPERAND_NONE;
    for (int d = 0; d + 1 < e->count; d++)
        STN_TRY(stn_emit_new(c, STN_DO_STENCIL_ROW, e->indexed * STN_MAX_RANK + d, row, e->index[d],
                             *row, STN_OPERAND_NONE));
    return STN_OK;
}

/* clang-format off */
#define OPERATIONS(WHAT)                                                                           \
    {{STN_DO_##WHAT##_F64},                                                                        \
     {STN_DO_##WHAT##_F32},                                                                        \
     {STN_DO_##WHAT##_I64},                                                                        \
     {STN_DO_##WHAT##_C128_RE, STN_DO_##WHAT##_C128_IM},                                           \
     {STN_DO_##WHAT##_C64_RE, STN_DO_##WHAT##_C64_IM}}
/* clang-format on */

/* Row index of the table above. */
static int number_of(stn_format arithmetic)
{
    return arithmetic == STN_F64    ? 0
           : arithmetic == STN_F32  ? 1
           : arithmetic == STN_I64  ? 2
           : arithmetic == STN_C128 ? 3
                                    : 4;
}

/* Reads the element, or its parts. */
static stn_status emit_read(stn_compiler *c, const stn_operation operations[2], int indexed,
                            uint16_t position, uint16_t mask, uint16_t row, stn_value *value)
{
    *value = stn_value_at(c->real, STN_OPERAND_NONE);
    for (int part = 0; part < (c->real == STN_TYPE_COMPLEX ? 2 : 1); part++)
        STN_TRY(stn_emit_new(c, operations[part], indexed, &value->at[part], position, mask, row));
    return STN_OK;
}

stn_status stn_parse_at(stn_compiler *c, stn_value *value)
{
    static const stn_operation plain[][2] = OPERATIONS(READ),
                               stencil[][2] = OPERATIONS(READ_STENCIL);
    const int which = number_of(c->arithmetic);
    element e;
    uint16_t position, mask, row;
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(indexed_name(c, &e.indexed));
    STN_TRY(element_indices(c, &e));
    if (!is_stencil(c, e.indexed)) {
        STN_TRY(emit_offset(c, &e, &position, &mask));
        return emit_read(c, plain[which], e.indexed, position, mask, STN_OPERAND_NONE, value);
    }
    STN_TRY(emit_row(c, &e, &row));
    STN_TRY(emit_check(c, &e, STN_DO_WITHIN_RADIUS, &mask));
    return emit_read(c, stencil[which], e.indexed, e.index[e.count - 1], mask, row, value);
}

stn_status stn_parse_index_at(stn_compiler *c, stn_value *value)
{
    element e;
    uint16_t offset, mask;
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(plain_name(c, &e.indexed));
    STN_TRY(element_indices(c, &e));
    STN_TRY(emit_offset(c, &e, &offset, &mask));
    *value = stn_value_at(STN_TYPE_I64, STN_OPERAND_NONE);
    return stn_emit_new(c, STN_DO_READ_INDEX, e.indexed, &value->at[0], offset, mask,
                        STN_OPERAND_NONE);
}

/* A call that stores or updates an element. */
static stn_status parse_write(stn_compiler *c, const stn_operation *writes, stn_value *value)
{
    element e;
    uint16_t offset, mask, parts[2] = {STN_OPERAND_NONE, STN_OPERAND_NONE};
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    const stn_lexer name = c->lexer;
    STN_TRY(plain_name(c, &e.indexed));
    if (parameter_of(c, e.indexed)->kind == STN_PARAMETER_GATHER)
        return stn_lex_fail(&name, &name.token, "'%s' is a gather parameter, which is read-only");
    STN_TRY(stn_parse_argument(c, 1, value));
    STN_TRY(stn_emit_conversion(c, value, c->real));
    if (c->real == STN_TYPE_COMPLEX)
        memcpy(parts, value->at, sizeof parts);
    else
        STN_TRY(stn_emit_operand(c, value, &parts[0]));
    STN_TRY(element_indices(c, &e));
    STN_TRY(emit_offset(c, &e, &offset, &mask));
    STN_TRY(stn_emit(c, writes[number_of(c->arithmetic)], e.indexed, STN_OPERAND_NONE, offset, mask,
                     parts[0]));
    c->instructions[c->count - 1].from[3] = parts[1];
    *value = stn_value_at(STN_TYPE_VOID, STN_OPERAND_NONE);
    return STN_OK;
}

stn_status stn_parse_put(stn_compiler *c, stn_value *value)
{
    static const stn_operation writes[] = {STN_DO_WRITE_F64, STN_DO_WRITE_F32, STN_DO_WRITE_I64,
                                           STN_DO_WRITE_C128, STN_DO_WRITE_C64};
    return parse_write(c, writes, value);
}

stn_status stn_parse_add(stn_compiler *c, stn_value *value)
{
    static const stn_operation writes[] = {STN_DO_ADD_INTO_F64, STN_DO_ADD_INTO_F32,
                                           STN_DO_ADD_INTO_I64, STN_DO_ADD_INTO_C128,
                                           STN_DO_ADD_INTO_C64};
    return parse_write(c, writes, value);
}

static stn_status parse_extreme(stn_compiler *c, const stn_operation *writes, stn_value *value)
{
    return c->real == STN_TYPE_COMPLEX ? fail(c, "complex numbers are not ordered")
                                       : parse_write(c, writes, value);
}

stn_status stn_parse_min(stn_compiler *c, stn_value *value)
{
    static const stn_operation writes[] = {STN_DO_MIN_INTO_F64, STN_DO_MIN_INTO_F32,
                                           STN_DO_MIN_INTO_I64};
    return parse_extreme(c, writes, value);
}

stn_status stn_parse_max(stn_compiler *c, stn_value *value)
{
    static const stn_operation writes[] = {STN_DO_MAX_INTO_F64, STN_DO_MAX_INTO_F32,
                                           STN_DO_MAX_INTO_I64};
    return parse_extreme(c, writes, value);
}

stn_status stn_parse_store(stn_compiler *c, stn_value *value)
{
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    const stn_variable *const variable =
        c->lexer.token.kind == STN_TOKEN_NAME ? stn_find_variable(c, &c->lexer.token) : NULL;
    if (!variable || variable->masked < 0)
        return fail(c, "'%s' is not masked");
    const int at = variable->masked;
    STN_TRY(stn_lex_next(&c->lexer));
    STN_TRY(stn_parse_argument(c, 1, value));
    STN_TRY(stn_lex_expect(&c->lexer, ")"));
    STN_TRY(stn_emit_assignment(c, &c->stored[at], -1, value));
    *value = stn_value_at(STN_TYPE_VOID, STN_OPERAND_NONE);
    return stn_emit(c, STN_DO_MASK_SOME, at, STN_OPERAND_NONE, stn_mask_now(c), STN_OPERAND_NONE,
                    STN_OPERAND_NONE);
}

stn_status stn_parse_extent_of(stn_compiler *c, stn_value *value)
{
    int indexed = 0;
    STN_TRY(stn_lex_expect(&c->lexer, "("));
    STN_TRY(indexed_name(c, &indexed));
    STN_TRY(stn_parse_argument(c, 1, value));
    if (!value->is_known || value->type > STN_TYPE_U64 || value->integer < 0 ||
        value->integer >= STN_MAX_RANK)
        return fail(c, "a dimension must be an integer from 0 to 7");
    const int at = indexed * STN_MAX_RANK + (int)value->integer;
    STN_TRY(stn_lex_expect(&c->lexer, ")"));
    *value = stn_value_at(STN_TYPE_I64, STN_OPERAND_NONE);
    return stn_emit_new(c, STN_DO_EXTENT, at, &value->at[0], STN_OPERAND_NONE, STN_OPERAND_NONE,
                        STN_OPERAND_NONE);
}
