/* The state of the compiler of kernels' texts: one pass over the text, which emits instructions
 * over any number of registers; program_registers.c then finds places for them.
 *
 * Control flow is by masks: tiles that are 1 for the elements that a statement is for. A statement
 * under a mask assigns only those. `return`, `break` and `continue` take elements out of the masks
 * around them. */
#ifndef STENO_LAUNCH_PROGRAM_COMPILER_H
#define STENO_LAUNCH_PROGRAM_COMPILER_H

#include "expr/program.h"
#include "expr/lex.h"

enum {
    STN_MOST_VARIABLES = 256,
    STN_MOST_DEPTH = 80, /* of statements and expressions in each other: 56 KiB of a stack */
    STN_MOST_MASKS = 4 * STN_MOST_DEPTH,
    STN_MOST_TEMPORARIES = 16384 /* registers before places are found for them */
};

/* Types, in the order of C's usual conversions. */
typedef enum stn_type {
    STN_TYPE_INT,
    STN_TYPE_UNSIGNED,
    STN_TYPE_I64,
    STN_TYPE_U64,
    STN_TYPE_F32,
    STN_TYPE_F64,
    STN_TYPE_COMPLEX,
    STN_TYPE_VOID
} stn_type;

/* What instructions tell apart. */
typedef enum stn_machine_type {
    STN_MACHINE_SIGNED,
    STN_MACHINE_UNSIGNED,
    STN_MACHINE_F32,
    STN_MACHINE_F64
} stn_machine_type;

/* A name: a variable, or a view of which elements are used. */
typedef struct stn_variable {
    const char *name;
    int length, depth; /* of blocks around it */
    stn_type type;
    const char *constant; /* why it cannot be assigned, or NULL */
    int indexed;          /* the parameter of which elements are used, or -1 */
    int output;           /* the parameter that must be assigned, or -1 */
    int masked;           /* the parameter that is stored by STN_STORE, or -1 */
    uint16_t at[2];       /* its operand, or those of its parts */
} stn_variable;

/* Outputs that are assigned on every path to here, as bits by their numbers; parts of complex ones
 * by themselves. */
typedef struct stn_assigned {
    uint64_t part[2];
} stn_assigned;

/* What an expression gives. */
typedef struct stn_value {
    stn_type type;
    uint16_t at[2];
    int is_truth; /* an int of 0 or 1 that is nobody else's */
    int is_known; /* a literal: of `integer`, or of `real` for types of floats */
    int64_t integer;
    double real;
    const stn_variable *variable; /* what can be assigned, or NULL */
    int part;                     /* 0 or 1 of it; -1: all of it */
} stn_value;

typedef struct stn_constant {
    stn_machine_type type;
    uint64_t bits;
} stn_constant;

typedef struct stn_compiler {
    stn_lexer lexer;
    const stn_kernel *kernel;
    stn_format arithmetic;
    stn_type real, part; /* real_t; and of which complex numbers are */
    int depth, blocks;
    int loop; /* the innermost: where its masks begin; -1: none */
    int variable_count, mask_count, constant_count;
    int32_t count, temporary_count;
    stn_variable variables[STN_MOST_VARIABLES];
    uint16_t masks[STN_MOST_MASKS];
    stn_constant constants[STN_MOST_CONSTANTS];
    stn_assigned assigned, left; /* now; and where the innermost loop is left or begun again */
    stn_variable stored[STN_MAX_PARAMETERS]; /* what becomes of masked views */
    int variable_of[STN_MAX_PARAMETERS];     /* the number of the parameter's variable */
    char is_home[STN_MOST_TEMPORARIES];      /* a variable's own */
    stn_instruction instructions[STN_MOST_INSTRUCTIONS];
} stn_compiler;

/* ---- program_emit.c ---- */

/* Append an instruction. Operands may be NONE. */
stn_status stn_emit(stn_compiler *c, stn_operation operation, int at, uint16_t to, uint16_t first,
                    uint16_t second, uint16_t third);

/* A register of its own. */
stn_status stn_emit_temporary(stn_compiler *c, uint16_t *to);

/* The same with the instruction that calculates it. */
stn_status stn_emit_new(stn_compiler *c, stn_operation operation, int at, uint16_t *to,
                        uint16_t first, uint16_t second, uint16_t third);

/* The operand of a value that is no complex number. */
stn_status stn_emit_operand(stn_compiler *c, const stn_value *value, uint16_t *operand);

/* Make it a value of this type, or fail: "no conversion from ... to ...". */
stn_status stn_emit_conversion(stn_compiler *c, stn_value *value, stn_type type);

/* Make it an int of 0 or 1. */
stn_status stn_emit_truth(stn_compiler *c, stn_value *value);

/* Assign, under the mask, and let the value be that of the variable. */
stn_status stn_emit_assignment(stn_compiler *c, const stn_variable *variable, int part,
                               stn_value *value);

/* On one of two paths, and nowhere else; what is assigned on both. */
static inline stn_assigned stn_assigned_both(stn_assigned a, stn_assigned b)
{
    return (stn_assigned){{a.part[0] & b.part[0], a.part[1] & b.part[1]}};
}
static inline stn_assigned stn_assigned_all(void)
{
    return (stn_assigned){{UINT64_MAX, UINT64_MAX}};
}

/* `mask` and a condition of 0 or 1; or that it does not hold. */
stn_status stn_emit_mask(stn_compiler *c, const stn_value *truth, int holds, uint16_t *mask);
uint16_t stn_mask_now(const stn_compiler *c);
stn_status stn_mask_push(stn_compiler *c, uint16_t mask);

/* What a text has too much of, at its present word, and how much there can be. */
stn_status stn_emit_refuse(const stn_compiler *c, const char *excess, int most);

/* Take the elements of the mask out of all masks from number `first` on. */
stn_status stn_emit_leave(stn_compiler *c, int first);

stn_value stn_value_of_int(int64_t integer);
stn_value stn_value_at(stn_type type, uint16_t at);
stn_machine_type stn_machine_type_of(stn_type type);
const char *stn_type_name(stn_type type);

/* ---- program_expression.c ---- */

/* With commas; without. */
stn_status stn_parse_expression(stn_compiler *c, stn_value *value);
stn_status stn_parse_assignment(stn_compiler *c, stn_value *value);

/* One level deeper, or "nested too deeply"; c->depth is what it was when the caller is done. */
stn_status stn_parse_deeper(stn_compiler *c);

/* ---- program_name.c ---- */

/* What begins with a name: a variable, or a call. */
stn_status stn_parse_name(stn_compiler *c, stn_value *value);

/* A variable by its name, or NULL. */
const stn_variable *stn_find_variable(const stn_compiler *c, const stn_token *name);

/* Argument `at` of a call, with the comma before it unless it is the first. */
stn_status stn_parse_argument(stn_compiler *c, int at, stn_value *value);

/* May no variable or parameter have this name? */
int stn_is_keyword(const stn_token *token);

/* The type that a token names; STN_TYPE_VOID counts only where `with_void`. */
int stn_names_type(const stn_compiler *c, const stn_token *token, int with_void, stn_type *type);

/* ---- program_field.c ---- */

/* Behind STN_STORE, STN_AT and so on. */
stn_status stn_parse_store(stn_compiler *c, stn_value *value);
stn_status stn_parse_at(stn_compiler *c, stn_value *value);
stn_status stn_parse_index_at(stn_compiler *c, stn_value *value);
stn_status stn_parse_put(stn_compiler *c, stn_value *value);
stn_status stn_parse_add(stn_compiler *c, stn_value *value);
stn_status stn_parse_min(stn_compiler *c, stn_value *value);
stn_status stn_parse_max(stn_compiler *c, stn_value *value);
stn_status stn_parse_extent_of(stn_compiler *c, stn_value *value);

/* ---- program_parameter.c ---- */

/* Before the body: an index, and a parameter; behind it: complex and masked outputs, from what they
 * are by then. */
stn_status stn_open_index(stn_compiler *c, int dimension);
stn_status stn_open_parameter(stn_compiler *c, int at);
stn_status stn_close_parameter(stn_compiler *c, int at);

/* ---- program_parse.c ---- */

/* A name that there is from here on, and registers for it. */
stn_status stn_add_variable(stn_compiler *c, const stn_token *name, stn_type type,
                            stn_variable **added);
stn_status stn_assign_register(stn_compiler *c, stn_variable *variable);

/* The whole text. */
stn_status stn_parse_text(stn_compiler *c);

/* ---- program_combine.c ---- */

/* Make one instruction of two where that saves a pass over the tile. */
stn_status stn_combine_instructions(stn_compiler *c);

/* ---- program_registers.c ---- */

static inline int stn_is_register(uint16_t operand)
{
    return operand < STN_MOST_TEMPORARIES;
}

/* An instruction that is to be left out. */
static const stn_instruction stn_nothing = {
    STN_OPERATIONS,
    0,
    STN_OPERAND_NONE,
    {STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE}};

/* Leave out what nobody reads, and give registers their places. */
stn_status stn_place_registers(stn_compiler *c);

#endif
