/* A compiled kernel text: instructions over registers, each of which holds a tile of values.
 * These lists are the only definition of the instructions. */
#ifndef STENO_LAUNCH_PROGRAM_H
#define STENO_LAUNCH_PROGRAM_H

#include <math.h>

#include "steno/detail/kernel_types.h"

enum {
    STN_MAX_REGISTERS = 64,
    STN_MAX_CONSTANTS = 256,
    STN_MAX_INSTRUCTIONS = 8192,
    STN_REGISTER_BYTES = STN_TILE_ELEMENTS * 8
};

/* Operands: a register, or one of these. */
enum {
    STN_OPERAND_PARAMETER = 0xe000, /* + index: the tile of a view, in place */
    STN_OPERAND_CONSTANT = 0xf000,  /* + index */
    STN_OPERAND_NONE = 0xffff
};

/* ---- element-wise instructions: ROW(name, result, operands, value) ---- */

/* clang-format off */
#define STN_UNARY_INSTRUCTIONS(ROW)                                                                \
    ROW(MOVE_F64, f64, f64, a)                                                                     \
    ROW(MOVE_F32, f32, f32, a)                                                                     \
    ROW(MOVE_I64, i64, i64, a)                                                                     \
    ROW(NEGATE_F64, f64, f64, -a)                                                                  \
    ROW(NEGATE_F32, f32, f32, -a)                                                                  \
    ROW(NEGATE_I64, u64, u64, 0 - a)                                                               \
    ROW(INVERT, i64, i64, ~a)                                                                      \
    ROW(TRUTH_F64, i64, f64, a != 0)                                                               \
    ROW(TRUTH_F32, i64, f32, a != 0)                                                               \
    ROW(TRUTH_I64, i64, i64, a != 0)                                                               \
    ROW(NOT, i64, i64, a == 0)                                                                     \
    ROW(F32_OF_F64, f32, f64, (float)a)                                                            \
    ROW(F64_OF_F32, f64, f32, (double)a)                                                           \
    ROW(F64_OF_I64, f64, i64, (double)a)                                                           \
    ROW(F32_OF_I64, f32, i64, (float)a)                                                            \
    ROW(F64_OF_U64, f64, u64, (double)a)                                                           \
    ROW(F32_OF_U64, f32, u64, (float)a)                                                            \
    ROW(I64_OF_F64, i64, f64, stn_i64_of_f64(a))                                                   \
    ROW(U64_OF_F64, u64, f64, stn_u64_of_f64(a))                                                   \
    ROW(INT_OF_I64, i64, i64, (int32_t)(uint32_t)a)                                                \
    ROW(INT_OF_F64, i64, f64, stn_int_of_f64(a))                                                   \
    ROW(UNSIGNED_OF_I64, i64, i64, (uint32_t)a)                                                    \
    ROW(UNSIGNED_OF_F64, i64, f64, stn_unsigned_of_f64(a))                                         \
    ROW(SQRT_F64, f64, f64, sqrt(a))                                                               \
    ROW(SQRT_F32, f32, f32, sqrtf(a))                                                              \
    ROW(FABS_F64, f64, f64, fabs(a))                                                               \
    ROW(FABS_F32, f32, f32, fabsf(a))                                                              \
    ROW(FLOOR_F64, f64, f64, floor(a))                                                             \
    ROW(FLOOR_F32, f32, f32, floorf(a))                                                            \
    ROW(CEIL_F64, f64, f64, ceil(a))                                                               \
    ROW(CEIL_F32, f32, f32, ceilf(a))

#define STN_BINARY_INSTRUCTIONS(ROW)                                                               \
    ROW(ADD_F64, f64, f64, a + b)                                                                  \
    ROW(ADD_F32, f32, f32, a + b)                                                                  \
    ROW(ADD_I64, u64, u64, a + b)                                                                  \
    ROW(SUBTRACT_F64, f64, f64, a - b)                                                             \
    ROW(SUBTRACT_F32, f32, f32, a - b)                                                             \
    ROW(SUBTRACT_I64, u64, u64, a - b)                                                             \
    ROW(MULTIPLY_F64, f64, f64, a * b)                                                             \
    ROW(MULTIPLY_F32, f32, f32, a * b)                                                             \
    ROW(MULTIPLY_I64, u64, u64, a * b)                                                             \
    ROW(DIVIDE_F64, f64, f64, a / b)                                                               \
    ROW(DIVIDE_F32, f32, f32, a / b)                                                               \
    ROW(DIVIDE_I64, i64, i64, stn_i64_quotient(a, b))                                              \
    ROW(DIVIDE_U64, u64, u64, b ? a / b : 0)                                                       \
    ROW(REMAINDER_I64, i64, i64, b == 0 || b == -1 ? 0 : a % b)                                    \
    ROW(REMAINDER_U64, u64, u64, b ? a % b : 0)                                                    \
    ROW(AND, i64, i64, a & b)                                                                      \
    ROW(AND_NOT, i64, i64, a & ~b)                                                                 \
    ROW(OR, i64, i64, a | b)                                                                       \
    ROW(XOR, i64, i64, a ^ b)                                                                      \
    ROW(SHIFT_LEFT, u64, u64, a << (b & 63))                                                       \
    ROW(SHIFT_RIGHT_I64, i64, i64, a >> (b & 63))                                                  \
    ROW(SHIFT_RIGHT_U64, u64, u64, a >> (b & 63))                                                  \
    ROW(EQUAL_F64, i64, f64, a == b)                                                               \
    ROW(EQUAL_F32, i64, f32, a == b)                                                               \
    ROW(EQUAL_I64, i64, i64, a == b)                                                               \
    ROW(DIFFERENT_F64, i64, f64, a != b)                                                           \
    ROW(DIFFERENT_F32, i64, f32, a != b)                                                           \
    ROW(DIFFERENT_I64, i64, i64, a != b)                                                           \
    ROW(LESS_F64, i64, f64, a < b)                                                                 \
    ROW(LESS_F32, i64, f32, a < b)                                                                 \
    ROW(LESS_I64, i64, i64, a < b)                                                                 \
    ROW(LESS_U64, i64, u64, a < b)                                                                 \
    ROW(LESS_EQUAL_F64, i64, f64, a <= b)                                                          \
    ROW(LESS_EQUAL_F32, i64, f32, a <= b)                                                          \
    ROW(LESS_EQUAL_I64, i64, i64, a <= b)                                                          \
    ROW(LESS_EQUAL_U64, i64, u64, a <= b)

#define STN_TERNARY_INSTRUCTIONS(ROW)                                                              \
    ROW(FMA_F64, f64, f64, fma(a, b, c))                                                           \
    ROW(FMA_F32, f32, f32, fmaf(a, b, c))                                                          \
    ROW(MULTIPLY_ADD_F64, f64, f64, a * b + c) /* each rounded */                                  \
    ROW(MULTIPLY_ADD_F32, f32, f32, a * b + c)

/* With the scalar of parameter `at`. */
#define STN_SCALE_INSTRUCTIONS(ROW)                                                                \
    ROW(SCALE_F64, f64, number * a)                                                                \
    ROW(SCALE_F32, f32, number * a)                                                                \
    ROW(SCALE_ADD_F64, f64, number * a + b)                                                        \
    ROW(SCALE_ADD_F32, f32, number * a + b)

/* Selects the second or third operand by the first, which is 0 or 1. */
#define STN_SELECT_INSTRUCTIONS(ROW) ROW(SELECT_F64, f64) ROW(SELECT_F32, f32) ROW(SELECT_I64, i64)

/* ---- instructions that access parameters: ROW(name, type, part) ---- */

#define STN_EVERY_PART(ROW, WHAT)                                                                  \
    ROW(WHAT##_F64, f64, ) ROW(WHAT##_F32, f32, ) ROW(WHAT##_I64, i64, )                           \
    ROW(WHAT##_C128_RE, c128, .re) ROW(WHAT##_C128_IM, c128, .im)                                  \
    ROW(WHAT##_C64_RE, c64, .re) ROW(WHAT##_C64_IM, c64, .im)

#define STN_NUMBER_INSTRUCTIONS(ROW) STN_EVERY_PART(ROW, NUMBER) /* of parameter `at` */
#define STN_READ_INSTRUCTIONS(ROW)   STN_EVERY_PART(ROW, READ)   /* of view `at`: offset, mask */
/* Of stencil `at`: index along the row, mask, row. */
#define STN_READ_STENCIL_INSTRUCTIONS(ROW) STN_EVERY_PART(ROW, READ_STENCIL)
/* Atomic update of an element of view `at`: offset, mask, value. */
#define STN_UPDATE_INSTRUCTIONS(ROW)                                                               \
    STN_EVERY_UPDATE(ROW, MIN_INTO, -1) STN_EVERY_UPDATE(ROW, ADD_INTO, 0)                         \
    STN_EVERY_UPDATE(ROW, MAX_INTO, 1)                                                             \
    ROW(ADD_INTO_C128, c128, PARTS, 0) ROW(ADD_INTO_C64, c64, PARTS, 0)
#define STN_EVERY_UPDATE(ROW, WHAT, operation)                                                     \
    ROW(WHAT##_F64, f64, WHOLE, operation) ROW(WHAT##_F32, f32, WHOLE, operation)                  \
    ROW(WHAT##_I64, i64, WHOLE, operation)
#define STN_LOAD_INSTRUCTIONS(ROW)                               /* of view `at` */                \
    ROW(LOAD_C128_RE, c128, .re) ROW(LOAD_C128_IM, c128, .im)                                      \
    ROW(LOAD_C64_RE, c64, .re) ROW(LOAD_C64_IM, c64, .im)
#define STN_STORE_INSTRUCTIONS(ROW) ROW(STORE_C128, c128) ROW(STORE_C64, c64) /* re, im */
#define STN_WRITE_INSTRUCTIONS(ROW)                           /* offset, mask, value */            \
    ROW(WRITE_F64, f64, WHOLE) ROW(WRITE_F32, f32, WHOLE) ROW(WRITE_I64, i64, WHOLE)               \
    ROW(WRITE_C128, c128, PARTS) ROW(WRITE_C64, c64, PARTS)   /* re, im */

/* INDEX: the elements' index in dimension `at`. EXTENT: extent of dimension `at` % 8 of view `at` / 8.
 * OFFSET: offset in bytes of an index in such a dimension; OFFSET_MORE: added to another offset.
 * READ_INDEX: as STN_INDEX_AT. WITHIN, WITHIN_RADIUS: removes elements from the mask whose index is
 * outside of the view or of the radius; `at` is the parameter of stn_check_at. STENCIL_ROW: selects the
 * row within the radius from an index and the previous selection. MASK_NONE, MASK_SOME: stores no
 * element of masked view `at`; stores those of a mask. CALL: function `at` of math.h, which is
 * not vectorized. JUMP: to instruction `at`; JUMP_NONE: the same if the mask is 0 everywhere. */
#define STN_OTHER_INSTRUCTIONS(ROW)                                                                \
    ROW(INDEX, i64) ROW(EXTENT, i64) ROW(OFFSET, i64) ROW(OFFSET_MORE, i64) ROW(READ_INDEX, i64)   \
    ROW(WITHIN, i64) ROW(WITHIN_RADIUS, i64) ROW(STENCIL_ROW, i64) ROW(CALL_F64, none) ROW(CALL_F32, none) \
    ROW(MASK_NONE, none) ROW(MASK_SOME, none) ROW(JUMP, none) ROW(JUMP_NONE, none) ROW(END, none)

#define STN_LIST_INSTRUCTION(NAME, ...) STN_DO_##NAME,
typedef enum stn_operation {
    STN_UNARY_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_BINARY_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_TERNARY_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_SCALE_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_SELECT_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_NUMBER_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_READ_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_READ_STENCIL_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_LOAD_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_STORE_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_WRITE_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_UPDATE_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_OTHER_INSTRUCTIONS(STN_LIST_INSTRUCTION)
    STN_OPERATIONS
} stn_operation;
#undef STN_LIST_INSTRUCTION
/* clang-format on */

enum { STN_MAX_OPERANDS = 4 };

typedef struct stn_instruction {
    uint16_t operation, at;
    uint16_t to, from[STN_MAX_OPERANDS]; /* operands; unused ones are NONE */
} stn_instruction;

/* Index checks: parameter, dimension, and number of indices. */
enum { STN_CHECK_COUNT = 64 * STN_MAX_RANK };
static inline int stn_check_at(int indexed, int dimension, int count)
{
    return count * STN_CHECK_COUNT + indexed * STN_MAX_RANK + dimension;
}

/* These instructions are kept even if their results are unused, because they detect missing
 * elements. */
static inline int stn_is_check(const stn_instruction *instruction)
{
    return instruction->operation == STN_DO_WITHIN ||
           instruction->operation == STN_DO_WITHIN_RADIUS;
}

typedef struct stn_program {
    const char *constants; /* one tile each; allocated together with the instructions */
    const stn_instruction *instructions; /* the last one is END */
} stn_program;

/* A kernel with its programs. */
typedef struct stn_text_kernel {
    stn_kernel kernel; /* first member: loops receive its address */
    stn_parameter parameters[STN_MAX_PARAMETERS];
    stn_program wide, narrow; /* f64, i64 or c128; f32 or c64 */
    char *texts;              /* of the kernel: name, body, names of parameters */
    int named;                /* number of indices named by `at` */
    const char *indices[STN_MAX_RANK];
    int is_c; /* C defines all operations and needs no checks, so a C compiler gives the same bits
               */
} stn_text_kernel;

/* Loops of these kernels, which run the program of the tile's kernel. */
void stn_program_loop_wide(const stn_tile *tile);
void stn_program_loop_narrow(const stn_tile *tile);

/* Is the loop one of them? They process at most STN_TILE_ELEMENTS at a time. */
static inline int stn_program_is_loop(stn_tile_loop *loop)
{
    return loop == stn_program_loop_wide || loop == stn_program_loop_narrow;
}

/* Whether a kernel with this loop can be compiled by a C compiler. */
static inline int stn_program_is_c(const stn_kernel *kernel, stn_tile_loop *loop)
{
    return !stn_program_is_loop(loop) || ((const stn_text_kernel *)(const void *)kernel)->is_c;
}

/* ---- operations that C leaves undefined ---- */

static inline int64_t stn_i64_of_f64(double value)
{
    if (value >= 0x1p63)
        return INT64_MAX;
    return value >= -0x1p63 ? (int64_t)value : value < 0 ? INT64_MIN : 0;
}

static inline uint64_t stn_u64_of_f64(double value)
{
    if (value >= 0x1p64)
        return UINT64_MAX;
    return value > 0 ? (uint64_t)value : 0;
}

static inline int64_t stn_int_of_f64(double value)
{
    const int64_t whole = stn_i64_of_f64(value);
    return whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole;
}

static inline int64_t stn_unsigned_of_f64(double value)
{
    const int64_t whole = stn_i64_of_f64(value);
    return whole > UINT32_MAX ? UINT32_MAX : whole < 0 ? 0 : whole;
}

static inline int64_t stn_i64_quotient(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

#endif
