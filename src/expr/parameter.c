/* Parameters of a kernel text before and after its body. */
#include "expr/compiler.h"

#include <string.h>

static stn_status move(stn_compiler *c, stn_type type, uint16_t to, uint16_t from)
{
    static const stn_operation moves[] = {STN_DO_MOVE_I64, STN_DO_MOVE_I64, STN_DO_MOVE_F32,
                                          STN_DO_MOVE_F64};
    return stn_emit(c, moves[stn_machine_type_of(type)], 0, to, from, STN_OPERAND_NONE,
                    STN_OPERAND_NONE);
}

/* A scalar parameter at the beginning of the body. */
static stn_status number_parameter(stn_compiler *c, int at, stn_variable *variable)
{
    static const stn_operation whole[] = {STN_DO_NUMBER_I64, STN_DO_NUMBER_I64, STN_DO_NUMBER_F32,
                                          STN_DO_NUMBER_F64};
    static const stn_operation parts[2][2] = {{STN_DO_NUMBER_C64_RE, STN_DO_NUMBER_C64_IM},
                                              {STN_DO_NUMBER_C128_RE, STN_DO_NUMBER_C128_IM}};
    STN_TRY(stn_assign_register(c, variable));
    variable->constant = "'%s' is a constant and cannot be assigned";
    for (int part = 0; part < 2 && variable->type == STN_TYPE_COMPLEX; part++)
        STN_TRY(stn_emit(c, parts[c->arithmetic == STN_C128][part], at, variable->at[part],
                         STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE));
    if (variable->type == STN_TYPE_COMPLEX)
        return STN_OK;
    return stn_emit(c, whole[stn_machine_type_of(variable->type)], at, variable->at[0],
                    STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE);
}

/* Initialized with NaN or 0. */
static stn_status unassigned_output(stn_compiler *c, int at, stn_variable *variable)
{
    stn_value nothing = stn_value_of_int(0);
    uint16_t from;
    nothing.type = variable->type == STN_TYPE_COMPLEX ? c->part : variable->type;
    nothing.real = (double)NAN;
    variable->at[0] = (uint16_t)(STN_OPERAND_PARAMETER + at);
    if (variable->type == STN_TYPE_COMPLEX)
        STN_TRY(stn_assign_register(c, variable));
    STN_TRY(stn_emit_operand(c, &nothing, &from));
    for (int part = 0; part < (variable->type == STN_TYPE_COMPLEX ? 2 : 1); part++)
        STN_TRY(move(c, nothing.type, variable->at[part], from));
    return STN_OK;
}

/* The element and its new value, which is not stored yet. */
static stn_status masked_parameter(stn_compiler *c, int at, stn_variable *variable)
{
    stn_variable *const stored = &c->stored[at];
    const stn_type type = variable->type == STN_TYPE_COMPLEX ? c->part : variable->type;
    variable->masked = at;
    *stored = *variable;
    STN_TRY(stn_assign_register(c, stored));
    for (int part = 0; part < (variable->type == STN_TYPE_COMPLEX ? 2 : 1); part++)
        STN_TRY(move(c, type, stored->at[part], variable->at[part]));
    variable->constant = "'%s' is masked; STN_STORE stores it";
    return stn_emit(c, STN_DO_MASK_NONE, at, STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE,
                    STN_OPERAND_NONE);
}

static stn_status view_parameter(stn_compiler *c, int at, stn_variable *variable)
{
    static const stn_operation parts[2][2] = {{STN_DO_LOAD_C64_RE, STN_DO_LOAD_C64_IM},
                                              {STN_DO_LOAD_C128_RE, STN_DO_LOAD_C128_IM}};
    const stn_parameter_kind kind = c->kernel->parameters[at].kind;
    if (kind == STN_PARAMETER_IN)
        variable->constant = "'%s' is an `in` parameter and cannot be assigned";
    if (kind == STN_PARAMETER_SHIFTED)
        variable->constant = "'%s' is shifted and cannot be assigned";
    if (kind == STN_PARAMETER_OUT) {
        variable->output = at;
        return unassigned_output(c, at, variable);
    }
    variable->at[0] = (uint16_t)(STN_OPERAND_PARAMETER + at);
    if (variable->type != STN_TYPE_COMPLEX)
        return STN_OK;
    STN_TRY(stn_assign_register(c, variable));
    for (int part = 0; part < 2; part++)
        STN_TRY(stn_emit(c, parts[c->arithmetic == STN_C128][part], at, variable->at[part],
                         STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE));
    return STN_OK;
}

stn_status stn_open_parameter(stn_compiler *c, int at)
{
    const stn_parameter *const parameter = &c->kernel->parameters[at];
    const stn_token name = {STN_TOKEN_NAME, parameter->name, (int)strlen(parameter->name), 1, 1};
    const stn_type type = parameter->kind == STN_PARAMETER_INDEX  ? STN_TYPE_I64
                          : parameter->kind == STN_PARAMETER_BITS ? STN_TYPE_U64
                                                                  : c->real;
    stn_variable *variable;
    if (parameter->kind == STN_PARAMETER_AT)
        return STN_OK;
    c->variable_of[at] = c->variable_count;
    STN_TRY(stn_add_variable(c, &name, type, &variable));
    if (parameter->kind >= STN_PARAMETER_STENCIL) {
        variable->indexed = at;
        return STN_OK;
    }
    if (parameter->kind < STN_PARAMETER_IN)
        return number_parameter(c, at, variable);
    STN_TRY(view_parameter(c, at, variable));
    return parameter->kind == STN_PARAMETER_MASKED ? masked_parameter(c, at, variable) : STN_OK;
}

stn_status stn_open_index(stn_compiler *c, int dimension)
{
    const stn_text_kernel *const text = (const stn_text_kernel *)(const void *)c->kernel;
    const char *const names = text->indices[dimension];
    const stn_token name = {STN_TOKEN_NAME, names, (int)strlen(names), 1, 1};
    stn_variable *variable;
    STN_TRY(stn_add_variable(c, &name, STN_TYPE_I64, &variable));
    variable->constant = "'%s' is an index and cannot be assigned";
    STN_TRY(stn_assign_register(c, variable));
    return stn_emit(c, STN_DO_INDEX, dimension, variable->at[0], STN_OPERAND_NONE, STN_OPERAND_NONE,
                    STN_OPERAND_NONE);
}

/* Complex outputs from their parts. */
stn_status stn_close_parameter(stn_compiler *c, int at)
{
    const stn_parameter_kind kind = c->kernel->parameters[at].kind;
    const int is_masked = kind == STN_PARAMETER_MASKED;
    const stn_variable *const variable =
        is_masked ? &c->stored[at] : &c->variables[c->variable_of[at]];
    if (!is_masked && kind != STN_PARAMETER_INOUT && kind != STN_PARAMETER_OUT)
        return STN_OK;
    if (c->real != STN_TYPE_COMPLEX)
        return is_masked ? move(c, c->real, (uint16_t)(STN_OPERAND_PARAMETER + at), variable->at[0])
                         : STN_OK;
    return stn_emit(c, c->arithmetic == STN_C128 ? STN_DO_STORE_C128 : STN_DO_STORE_C64, at,
                    STN_OPERAND_NONE, variable->at[0], variable->at[1], STN_OPERAND_NONE);
}
