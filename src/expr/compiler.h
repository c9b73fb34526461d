/* State of the compiler of kernel texts: one pass over the text emits
 * instructions over an unlimited number of registers; registers.c then
 * allocates slots for them. Control flow uses masks: tiles that are 1 for the
 * elements that execute a statement. A statement under a mask assigns only
 * these. `return`, `break` and `continue` remove elements from the surrounding
 * masks. */
#ifndef STENO_LAUNCH_PROGRAM_COMPILER_H
#define STENO_LAUNCH_PROGRAM_COMPILER_H

#include "expr/program.h"
#include "expr/lex.h"

enum {
    STN_MAX_VARIABLES = 256,
    STN_MAX_DEPTH = 80, /* nesting of statements and expressions: 56 KiB of stack */
    STN_MAX_MASKS = 4 * STN_MAX_DEPTH,
    STN_MAX_TEMPORARIES = 16384 /* registers before allocation */
};

/* Types, ordered by C's usual arithmetic conversions. */
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

/* Types that instructions distinguish. */
typedef enum stn_machine_type {
    STN_MACHINE_SIGNED,
    STN_MACHINE_UNSIGNED,
    STN_MACHINE_F32,
    STN_MACHINE_F64
} stn_machine_type;

/* A name: a variable, or a view whose elements are indexed. */
typedef struct stn_variable {
    const char *name;
    int length, depth; /* number of enclosing blocks */
    stn_type type;
    const char *constant; /* the reason why it cannot be assigned, or NULL */
    int indexed;          /* the indexed parameter, or -1 */
    int output;           /* the parameter that must be assigned, or -1 */
    int masked;           /* the masked parameter, which STN_STORE stores, or -1 */
    uint16_t at[2];       /* its operand, or those of its real and imaginary part */
} stn_variable;

/* Outputs assigned on every path so far, as bits by index; parts of complex ones
 * separately. */
typedef struct stn_assigned {
    uint64_t part[2];
} stn_assigned;

/* The value of an expression. */
typedef struct stn_value {
    stn_type type;
    uint16_t at[2];
    int is_truth; /* an int of 0 or 1 that no variable uses */
    int is_known; /* a literal: `integer`, or `real` for floating-point types */
    int64_t integer;
    double real;
    const stn_variable *variable; /* the assignable variable, or NULL */
    int part;                     /* its part 0 or 1; -1: the variable itself */
} stn_value;

typedef struct stn_constant {
    stn_machine_type type;
    uint64_t bits;
} stn_constant;

typedef struct stn_compiler {
    stn_lexer lexer;
    const stn_kernel *kernel;
    stn_format arithmetic;
    stn_type real, part; /* type of real_t, and of its parts if complex */
    int depth, blocks;
    int loop; /* innermost loop: index of its first mask; -1: none */
    int variable_count, mask_count, constant_count;
    int has_extensions; /* a declaration or operation that C leaves undefined */
    int32_t count, temporary_count;
    stn_variable variables[STN_MAX_VARIABLES];
    uint16_t masks[STN_MAX_MASKS];
    stn_constant constants[STN_MAX_CONSTANTS];
    stn_assigned assigned, left; /* now, and where the innermost loop is left or continued */
    stn_variable stored[STN_MAX_PARAMETERS]; /* new values of masked views */
    int variable_of[STN_MAX_PARAMETERS];     /* variable index by parameter */
    char is_home[STN_MAX_TEMPORARIES];       /* the register of a variable */
    stn_instruction instructions[STN_MAX_INSTRUCTIONS];
} stn_compiler;

/* ---- emit.c ---- */

/* Appends an instruction. Operands may be NONE. */
stn_status stn_emit(stn_compiler *c, stn_operation operation, int at, uint16_t to, uint16_t first,
                    uint16_t second, uint16_t third);

/* A new register. */
stn_status stn_emit_temporary(stn_compiler *c, uint16_t *to);

/* A new register with the instruction that computes it. */
stn_status stn_emit_new(stn_compiler *c, stn_operation operation, int at, uint16_t *to,
                        uint16_t first, uint16_t second, uint16_t third);

/* The operand of a value that is not complex. */
stn_status stn_emit_operand(stn_compiler *c, const stn_value *value, uint16_t *operand);

/* Converts to this type, or fails: "%s cannot be converted to %s". */
stn_status stn_emit_conversion(stn_compiler *c, stn_value *value, stn_type type);

/* Converts to an int of 0 or 1. */
stn_status stn_emit_truth(stn_compiler *c, stn_value *value);

/* Assigns under the mask; the value becomes that of the variable. */
stn_status stn_emit_assignment(stn_compiler *c, const stn_variable *variable, int part,
                               stn_value *value);

/* Outputs assigned on both of two alternative paths. */
static inline stn_assigned stn_assigned_both(stn_assigned a, stn_assigned b)
{
    return (stn_assigned){{a.part[0] & b.part[0], a.part[1] & b.part[1]}};
}
static inline stn_assigned stn_assigned_all(void)
{
    return (stn_assigned){{UINT64_MAX, UINT64_MAX}};
}

/* `mask` combined with a condition of 0 or 1, or with its negation. */
stn_status stn_emit_mask(stn_compiler *c, const stn_value *truth, int holds, uint16_t *mask);
uint16_t stn_mask_now(const stn_compiler *c);
stn_status stn_mask_push(stn_compiler *c, uint16_t mask);

/* Fails because the text exceeds a limit at the current token. */
stn_status stn_emit_refuse(const stn_compiler *c, const char *excess, int maximum);

/* Removes the elements of the mask from all masks from index `first` on. */
stn_status stn_emit_leave(stn_compiler *c, int first);

stn_value stn_value_of_int(int64_t integer);
stn_value stn_value_at(stn_type type, uint16_t at);
stn_machine_type stn_machine_type_of(stn_type type);
const char *stn_type_name(stn_type type);

/* ---- expression.c ---- */

/* With and without the comma operator. */
stn_status stn_parse_expression(stn_compiler *c, stn_value *value);
stn_status stn_parse_assignment(stn_compiler *c, stn_value *value);

/* Increments the depth, or fails: "nested too deeply". The caller restores c->depth. */
stn_status stn_parse_deeper(stn_compiler *c);

/* ---- name.c ---- */

/* An expression that begins with a name: a variable, or a call. */
stn_status stn_parse_name(stn_compiler *c, stn_value *value);

/* Finds a variable by name, or returns NULL. */
const stn_variable *stn_find_variable(const stn_compiler *c, const stn_token *name);

/* Argument `at` of a call, with the preceding comma unless it is the first. */
stn_status stn_parse_argument(stn_compiler *c, int at, stn_value *value);

/* Is the name reserved? */
int stn_is_keyword(const stn_token *token);

/* The type that a token names; STN_TYPE_VOID only if `with_void`. */
int stn_names_type(const stn_compiler *c, const stn_token *token, int with_void, stn_type *type);

/* ---- indexed.c ---- */

/* The rest of STN_STORE, STN_AT and so on after the name. */
stn_status stn_parse_store(stn_compiler *c, stn_value *value);
stn_status stn_parse_at(stn_compiler *c, stn_value *value);
stn_status stn_parse_index_at(stn_compiler *c, stn_value *value);
stn_status stn_parse_put(stn_compiler *c, stn_value *value);
stn_status stn_parse_add(stn_compiler *c, stn_value *value);
stn_status stn_parse_min(stn_compiler *c, stn_value *value);
stn_status stn_parse_max(stn_compiler *c, stn_value *value);
stn_status stn_parse_extent_of(stn_compiler *c, stn_value *value);

/* ---- parameter.c ---- */

/* Before the body: an index, and a parameter. After it: complex and masked outputs from their
 * final values. */
stn_status stn_open_index(stn_compiler *c, int dimension);
stn_status stn_open_parameter(stn_compiler *c, int at);
stn_status stn_close_parameter(stn_compiler *c, int at);

/* ---- parse.c ---- */

/* Declares a name from here on, and allocates registers. */
stn_status stn_add_variable(stn_compiler *c, const stn_token *name, stn_type type,
                            stn_variable **added);
stn_status stn_assign_register(stn_compiler *c, stn_variable *variable);

/* Parses the complete text. */
stn_status stn_parse_text(stn_compiler *c);

/* ---- combine.c ---- */

/* Combines two instructions if that saves a pass over the tile. */
stn_status stn_combine_instructions(stn_compiler *c);

/* ---- registers.c ---- */

static inline int stn_is_register(uint16_t operand)
{
    return operand < STN_MAX_TEMPORARIES;
}

/* A deleted instruction. */
static const stn_instruction stn_nothing = {
    STN_OPERATIONS,
    0,
    STN_OPERAND_NONE,
    {STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE, STN_OPERAND_NONE}};

/* Deletes instructions whose results are unused, and allocates slots for registers. */
stn_status stn_allocate_registers(stn_compiler *c);

#endif
