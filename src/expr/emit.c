/* Emission of instructions for a kernel text: registers, literals, conversions, masks and
 * assignments. */
#include "expr/compiler.h"

#include <stdio.h>
#include <string.h>

stn_status stn_emit_refuse(const stn_compiler *c, const char *excess, int maximum)
{
    char buffer[100];
    snprintf(buffer, sizeof buffer, "%s: the limit is %d", excess, maximum);
    return stn_lex_fail(&c->lexer, &c->lexer.token, buffer);
}

stn_status stn_emit(stn_compiler *c, stn_operation operation, int at, uint16_t to, uint16_t first,
                    uint16_t second, uint16_t third)
{
    if (c->count == STN_MAX_INSTRUCTIONS - 1)
        return stn_emit_refuse(c, "too many instructions", STN_MAX_INSTRUCTIONS - 1);
    c->instructions[c->count++] = (stn_instruction){
        (uint16_t)operation, (uint16_t)at, to, {first, second, third, STN_OPERAND_NONE}};
    return STN_OK;
}

stn_status stn_emit_temporary(stn_compiler *c, uint16_t *to)
{
    if (c->temporary_count == STN_MAX_TEMPORARIES)
        return stn_emit_refuse(c, "too many intermediate values", STN_MAX_TEMPORARIES);
    *to = (uint16_t)c->temporary_count++;
    return STN_OK;
}

stn_status stn_emit_new(stn_compiler *c, stn_operation operation, int at, uint16_t *to,
                        uint16_t first, uint16_t second, uint16_t third)
{
    uint16_t fresh = STN_OPERAND_NONE;
    STN_TRY(stn_emit_temporary(c, &fresh));
    *to = fresh;
    return stn_emit(c, operation, at, fresh, first, second, third);
}

/* ---- types and literals ---- */

stn_machine_type stn_machine_type_of(stn_type type)
{
    return type == STN_TYPE_F64                                ? STN_MACHINE_F64
           : type == STN_TYPE_F32                              ? STN_MACHINE_F32
           : type == STN_TYPE_U64 || type == STN_TYPE_UNSIGNED ? STN_MACHINE_UNSIGNED
                                                               : STN_MACHINE_SIGNED;
}

const char *stn_type_name(stn_type type)
{
    static const char *const names[] = {"int",   "unsigned int", "int64_t",          "uint64_t",
                                        "float", "double",       "a complex number", "nothing"};
    return names[type];
}

stn_value stn_value_at(stn_type type, uint16_t at)
{
    return (stn_value){.type = type, .at = {at, STN_OPERAND_NONE}};
}

stn_value stn_value_of_int(int64_t integer)
{
    stn_value value = stn_value_at(STN_TYPE_INT, STN_OPERAND_NONE);
    value.is_known = 1;
    value.integer = integer;
    return value;
}

static stn_constant constant_of(const stn_value *value)
{
    stn_constant constant = {stn_machine_type_of(value->type), (uint64_t)value->integer};
    const float narrow = (float)value->real;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    if (constant.type == STN_MACHINE_F64)
        memcpy(&constant.bits, &value->real, sizeof value->real);
    else if (constant.type == STN_MACHINE_F32)
        constant.bits = bits;
    else
        constant.type = STN_MACHINE_SIGNED;
    return constant;
}

stn_status stn_emit_operand(stn_compiler *c, const stn_value *value, uint16_t *operand)
{
    *operand = value->at[0];
    if (!value->is_known)
        return STN_OK;
    const stn_constant constant = constant_of(value);
    int k = 0;
    while (k < c->constant_count &&
           (c->constants[k].type != constant.type || c->constants[k].bits != constant.bits))
        k++;
    if (k == STN_MAX_CONSTANTS)
        return stn_emit_refuse(c, "too many different numbers", STN_MAX_CONSTANTS);
    if (k == c->constant_count)
        c->constants[c->constant_count++] = constant;
    *operand = (uint16_t)(STN_OPERAND_CONSTANT + k);
    return STN_OK;
}

/* ---- conversions ---- */

static int is_float(stn_type type)
{
    return type == STN_TYPE_F32 || type == STN_TYPE_F64;
}

/* As the processor does. */
static void convert_known(stn_value *value, stn_type type)
{
    const int from_float = is_float(value->type), is_unsigned = value->type == STN_TYPE_U64;
    const int64_t whole = value->integer;
    const double real = value->real;
    if (type == STN_TYPE_F64)
        value->real = from_float ? real : is_unsigned ? (double)(uint64_t)whole : (double)whole;
    else if (type == STN_TYPE_F32)
        value->real = (double)(from_float    ? (float)real
                               : is_unsigned ? (float)(uint64_t)whole
                                             : (float)whole);
    else if (type == STN_TYPE_INT)
        value->integer = from_float ? stn_int_of_f64(real) : (int32_t)(uint32_t)whole;
    else if (type == STN_TYPE_UNSIGNED)
        value->integer = from_float ? stn_unsigned_of_f64(real) : (int64_t)(uint32_t)whole;
    else if (type == STN_TYPE_I64)
        value->integer = from_float ? stn_i64_of_f64(real) : whole;
    else
        value->integer = from_float ? (int64_t)stn_u64_of_f64(real) : whole;
    value->type = type;
}

/* Conversion from a machine type to a type; STN_OPERATIONS: none needed. f32 is converted to
 * integers through f64, which is exact. */
static stn_operation conversion_of(stn_machine_type from, stn_type type)
{
    static const stn_operation to_float[2][4] = {
        {STN_DO_F32_OF_I64, STN_DO_F32_OF_U64, STN_OPERATIONS, STN_DO_F32_OF_F64},
        {STN_DO_F64_OF_I64, STN_DO_F64_OF_U64, STN_DO_F64_OF_F32, STN_OPERATIONS}};
    const int from_float = from == STN_MACHINE_F64;
    if (is_float(type))
        return to_float[type == STN_TYPE_F64][from];
    if (type == STN_TYPE_INT)
        return from_float ? STN_DO_INT_OF_F64 : STN_DO_INT_OF_I64;
    if (type == STN_TYPE_UNSIGNED)
        return from_float ? STN_DO_UNSIGNED_OF_F64 : STN_DO_UNSIGNED_OF_I64;
    if (!from_float)
        return STN_OPERATIONS;
    return type == STN_TYPE_I64 ? STN_DO_I64_OF_F64 : STN_DO_U64_OF_F64;
}

stn_status stn_emit_conversion(stn_compiler *c, stn_value *value, stn_type type)
{
    value->variable = NULL;
    if (value->type == type)
        return STN_OK;
    if (value->type >= STN_TYPE_COMPLEX || type >= STN_TYPE_COMPLEX) {
        char message[96];
        snprintf(message, sizeof message, "%s cannot be converted to %s",
                 stn_type_name(value->type), stn_type_name(type));
        return stn_lex_fail(&c->lexer, &c->lexer.token, message);
    }
    value->is_truth = 0;
    if (value->is_known) {
        convert_known(value, type);
        return STN_OK;
    }
    if (value->type == STN_TYPE_F32 && !is_float(type))
        STN_TRY(stn_emit_conversion(c, value, STN_TYPE_F64));
    const stn_operation operation = conversion_of(stn_machine_type_of(value->type), type);
    value->type = type;
    if (operation == STN_OPERATIONS)
        return STN_OK;
    return stn_emit_new(c, operation, 0, &value->at[0], value->at[0], STN_OPERAND_NONE,
                        STN_OPERAND_NONE);
}

stn_status stn_emit_truth(stn_compiler *c, stn_value *value)
{
    static const stn_operation operations[] = {STN_DO_TRUTH_I64, STN_DO_TRUTH_I64, STN_DO_TRUTH_F32,
                                               STN_DO_TRUTH_F64};
    value->variable = NULL;
    if (value->type >= STN_TYPE_COMPLEX)
        return stn_lex_fail(&c->lexer, &c->lexer.token, "a condition must be a number");
    if (value->is_truth)
        return STN_OK;
    uint16_t operand;
    STN_TRY(stn_emit_operand(c, value, &operand));
    const stn_operation operation = operations[stn_machine_type_of(value->type)];
    *value = stn_value_at(STN_TYPE_INT, STN_OPERAND_NONE);
    value->is_truth = 1;
    return stn_emit_new(c, operation, 0, &value->at[0], operand, STN_OPERAND_NONE,
                        STN_OPERAND_NONE);
}

/* ---- masks ---- */

uint16_t stn_mask_now(const stn_compiler *c)
{
    return c->mask_count ? c->masks[c->mask_count - 1] : STN_OPERAND_NONE;
}

stn_status stn_mask_push(stn_compiler *c, uint16_t mask)
{
    if (c->mask_count == STN_MAX_MASKS)
        return stn_emit_refuse(c, "nested too deeply", STN_MAX_DEPTH);
    c->masks[c->mask_count++] = mask;
    return STN_OK;
}

stn_status stn_emit_mask(stn_compiler *c, const stn_value *truth, int holds, uint16_t *mask)
{
    const uint16_t now = stn_mask_now(c);
    if (now == STN_OPERAND_NONE)
        return stn_emit_new(c, holds ? STN_DO_MOVE_I64 : STN_DO_NOT, 0, mask, truth->at[0],
                            STN_OPERAND_NONE, STN_OPERAND_NONE);
    return stn_emit_new(c, holds ? STN_DO_AND : STN_DO_AND_NOT, 0, mask, now, truth->at[0],
                        STN_OPERAND_NONE);
}

stn_status stn_emit_leave(stn_compiler *c, int first)
{
    const uint16_t now = stn_mask_now(c);
    for (int k = first; k < c->mask_count; k++)
        STN_TRY(stn_emit(c, STN_DO_AND_NOT, 0, c->masks[k], c->masks[k], now, STN_OPERAND_NONE));
    return STN_OK;
}

/* ---- assignments ---- */

static int is_just_calculated(const stn_compiler *c, uint16_t at)
{
    return at < STN_MAX_TEMPORARIES && !c->is_home[at] && c->count > 0 &&
           c->instructions[c->count - 1].to == at;
}

static stn_status assign(stn_compiler *c, stn_machine_type type, uint16_t home, uint16_t from)
{
    static const stn_operation moves[] = {STN_DO_MOVE_I64, STN_DO_MOVE_I64, STN_DO_MOVE_F32,
                                          STN_DO_MOVE_F64};
    static const stn_operation selects[] = {STN_DO_SELECT_I64, STN_DO_SELECT_I64, STN_DO_SELECT_F32,
                                            STN_DO_SELECT_F64};
    const uint16_t mask = stn_mask_now(c);
    if (mask != STN_OPERAND_NONE)
        return stn_emit(c, selects[type], 0, home, mask, from, home);
    if (!is_just_calculated(c, from))
        return stn_emit(c, moves[type], 0, home, from, STN_OPERAND_NONE, STN_OPERAND_NONE);
    c->instructions[c->count - 1].to = home;
    return STN_OK;
}

stn_status stn_emit_assignment(stn_compiler *c, const stn_variable *variable, int part,
                               stn_value *value)
{
    uint16_t from;
    const int is_whole = variable->type == STN_TYPE_COMPLEX && part < 0;
    if (variable->constant) {
        stn_token token = c->lexer.token;
        token.begin = variable->name;
        token.length = variable->length;
        return stn_lex_fail(&c->lexer, &token, variable->constant);
    }
    if (variable->output >= 0)
        for (int p = 0; p < 2; p++)
            if (part < 0 || part == p || variable->type != STN_TYPE_COMPLEX)
                c->assigned.part[p] |= (uint64_t)1 << variable->output;
    const stn_type type =
        variable->type == STN_TYPE_COMPLEX && part >= 0 ? c->part : variable->type;
    STN_TRY(stn_emit_conversion(c, value, type));
    const stn_machine_type machine = stn_machine_type_of(is_whole ? c->part : type);
    if (is_whole) {
        STN_TRY(assign(c, machine, variable->at[1], value->at[1]));
        STN_TRY(assign(c, machine, variable->at[0], value->at[0]));
        memcpy(value->at, variable->at, sizeof value->at);
    } else {
        STN_TRY(stn_emit_operand(c, value, &from));
        *value = stn_value_at(type, variable->at[part < 0 ? 0 : part]);
        STN_TRY(assign(c, machine, value->at[0], from));
    }
    value->is_truth = 0;
    return STN_OK;
}
