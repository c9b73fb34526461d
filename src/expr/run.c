/* The interpreter of compiled texts: each instruction is a loop over the elements of a tile,
 * compiled for the widest available vectors under the rules of kernels. */
#include "expr/program.h"

#include "expr/math.h"
#include "steno/detail/kernel_parts.h"

typedef struct machine {
    const stn_tile *tile;
    const stn_program *program;
    char *registers;
    int is_narrow; /* reals have 4 bytes */
} machine;

/* clang-format off */
#if defined(__clang__)
#    define EACH _Pragma("clang loop vectorize(assume_safety)") for (int64_t k = 0; k < count; k++)
#    pragma clang diagnostic ignored "-Wpass-failed"
#else
#    define EACH _Pragma("GCC ivdep") for (int64_t k = 0; k < count; k++)
#endif
/* clang-format on */

static inline __attribute__((always_inline)) void *operand(const machine *m, uint16_t at)
{
    if (at < STN_OPERAND_PARAMETER)
        return m->registers + (size_t)at * STN_REGISTER_BYTES;
    if (at < STN_OPERAND_CONSTANT)
        return m->tile->values[at - STN_OPERAND_PARAMETER];
    return (void *)(uintptr_t)(m->program->constants +
                               (size_t)(at - STN_OPERAND_CONSTANT) * STN_REGISTER_BYTES);
}

/* Is the element in the mask? Without a mask, all elements are. */
static inline __attribute__((always_inline)) int is_in(const stn_i64 *mask, int64_t k)
{
    return !mask || mask[k];
}

static int is_none(const stn_i64 *mask, int64_t count)
{
    stn_i64 any = 0;
    for (int64_t k = 0; k < count; k++)
        any |= mask[k];
    return any == 0;
}

/* Are all elements in the mask, with offsets `step` apart? */
STN_KERNEL_INLINE int is_run(const stn_u64 *position, const stn_i64 *mask, uint64_t step,
                             int64_t count)
{
    uint64_t others = 0;
    const uint64_t first = position[0];
    if (!mask)
        return 0;
    EACH others |= (position[k] ^ (first + step * (uint64_t)k)) | ((uint64_t)mask[k] ^ 1);
    return others == 0;
}

/* ---- one loop per instruction ---- */

/* clang-format off */
#define OPERAND(o)  operand(m, now->from[o])
#define MASK(o)     (now->from[o] == STN_OPERAND_NONE ? NULL : (const stn_i64 *)OPERAND(o))
#define RESULT(T)   stn_##T *const to = operand(m, now->to)
#define PART_f64    stn_f64
#define PART_f32    stn_f32
#define PART_i64    stn_i64
#define PART_c128   stn_f64
#define PART_c64    stn_f32

#define UNARY(NAME, TO, FROM, value)                                                               \
    case STN_DO_##NAME: {                                                                          \
        RESULT(TO);                                                                                \
        const stn_##FROM *const from = OPERAND(0);                                                 \
        EACH                                                                                       \
        {                                                                                          \
            const stn_##FROM a = from[k];                                                          \
            to[k] = (stn_##TO)(value);                                                             \
        }                                                                                          \
        break;                                                                                     \
    }
#define BINARY(NAME, TO, FROM, value)                                                              \
    case STN_DO_##NAME: {                                                                          \
        RESULT(TO);                                                                                \
        const stn_##FROM *const first = OPERAND(0), *const second = OPERAND(1);                    \
        EACH                                                                                       \
        {                                                                                          \
            const stn_##FROM a = first[k], b = second[k];                                          \
            to[k] = (stn_##TO)(value);                                                             \
        }                                                                                          \
        break;                                                                                     \
    }
#define TERNARY(NAME, TO, FROM, value)                                                             \
    case STN_DO_##NAME: {                                                                          \
        RESULT(TO);                                                                                \
        const stn_##FROM *const first = OPERAND(0), *const second = OPERAND(1),                    \
                                *const third = OPERAND(2);                                         \
        EACH                                                                                       \
        {                                                                                          \
            const stn_##FROM a = first[k], b = second[k], c = third[k];                            \
            to[k] = value;                                                                         \
        }                                                                                          \
        break;                                                                                     \
    }
#define SCALE(NAME, T, value)                                                                      \
    case STN_DO_##NAME: {                                                                          \
        RESULT(T);                                                                                 \
        const stn_##T number = tile->numbers[now->at].T;                                           \
        const stn_##T *const first = OPERAND(0),                                                   \
                            *const second = now->from[1] == STN_OPERAND_NONE ? first : OPERAND(1); \
        EACH                                                                                       \
        {                                                                                          \
            const stn_##T a = first[k], b = second[k];                                             \
            (void)b;                                                                               \
            to[k] = value;                                                                         \
        }                                                                                          \
        break;                                                                                     \
    }
#define SELECT(NAME, T)                                                                            \
    case STN_DO_##NAME: {                                                                          \
        RESULT(T);                                                                                 \
        const stn_i64 *const mask = OPERAND(0);                                                    \
        const stn_##T *const second = OPERAND(1), *const third = OPERAND(2);                       \
        EACH                                                                                       \
        {                                                                                          \
            const stn_##T a = second[k], b = third[k];                                             \
            to[k] = mask[k] ? a : b;                                                               \
        }                                                                                          \
        break;                                                                                     \
    }
#define NUMBER(NAME, T, part)                                                                      \
    case STN_DO_##NAME: {                                                                          \
        PART_##T *const to = operand(m, now->to);                                                  \
        const PART_##T number = tile->numbers[now->at].T part;                                     \
        EACH to[k] = number;                                                                       \
        break;                                                                                     \
    }
#define READ(NAME, T, part)                                                                        \
    case STN_DO_##NAME: {                                                                          \
        PART_##T *const to = operand(m, now->to);                                                  \
        const stn_i64 *const offset = OPERAND(0), *const mask = MASK(1);                           \
        const stn_indexed *const indexed = tile->numbers[now->at].indexed;                               \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[k] = is_in(mask, k) ? stn_element_read_##T(indexed, offset[k]) part : 0;                          \
        break;                                                                                     \
    }
#define READ_STENCIL(NAME, T, part)                                                                   \
    case STN_DO_##NAME: {                                                                          \
        PART_##T *const to = operand(m, now->to);                                                  \
        const stn_i64 *const index = OPERAND(0), *const mask = MASK(1), *const row = MASK(2);      \
        const stn_stencil_rows *const rows = tile->values[now->at];                                   \
        if (is_run(OPERAND(0), mask, 1, count) && (!row || is_run(OPERAND(2), mask, 0, count))) {  \
            const stn_##T *const from =                                                            \
                (const stn_##T *)rows->rows[row ? row[0] : 0] + (index[0] - rows->first);          \
            EACH to[k] = from[k] part;                                                             \
            break;                                                                                 \
        }                                                                                          \
        for (int64_t k = 0; k < count; k++)                                                        \
            to[k] = is_in(mask, k) ? ((const stn_##T *)rows->rows[row ? row[k] : 0])               \
                                         [index[k] - rows->first] part : 0;                        \
        break;                                                                                     \
    }
#define LOAD(NAME, T, part)                                                                        \
    case STN_DO_##NAME: {                                                                          \
        PART_##T *const to = operand(m, now->to);                                                  \
        const stn_##T *const from = tile->values[now->at];                                         \
        EACH to[k] = from[k] part;                                                                 \
        break;                                                                                     \
    }
#define STORE(NAME, T)                                                                             \
    case STN_DO_##NAME: {                                                                          \
        stn_##T *const to = tile->values[now->at];                                                 \
        const PART_##T *const re = OPERAND(0), *const im = OPERAND(1);                             \
        EACH                                                                                       \
        {                                                                                          \
            to[k].re = re[k];                                                                      \
            to[k].im = im[k];                                                                      \
        }                                                                                          \
        break;                                                                                     \
    }
#define UPDATE(NAME, T, FORM, operation)                                                           \
    case STN_DO_##NAME: {                                                                          \
        const stn_i64 *const offset = OPERAND(0), *const mask = MASK(1);                           \
        const stn_indexed *const indexed = tile->numbers[now->at].indexed;                               \
        for (int64_t k = 0; k < count; k++) {                                                      \
            const stn_##T value = WRITTEN_##FORM(T);                                               \
            if (is_in(mask, k))                                                                    \
                stn_indexed_update(indexed, offset[k], operation, &value);                             \
        }                                                                                          \
        break;                                                                                     \
    }
#define WRITTEN_WHOLE(T) ((const stn_##T *)OPERAND(2))[k]
#define WRITTEN_PARTS(T)                                                                           \
    ((stn_##T){((const PART_##T *)OPERAND(2))[k], ((const PART_##T *)OPERAND(3))[k]})
#define WRITE(NAME, T, FORM)                                                                       \
    case STN_DO_##NAME: {                                                                          \
        const stn_i64 *const offset = OPERAND(0), *const mask = MASK(1);                           \
        const stn_indexed *const indexed = tile->numbers[now->at].indexed;                               \
        for (int64_t k = 0; k < count; k++)                                                        \
            if (is_in(mask, k))                                                                    \
                stn_element_write_##T(indexed, offset[k], WRITTEN_##FORM(T));                                    \
        break;                                                                                     \
    }
/* clang-format on */

/* INDEX, EXTENT, OFFSET, OFFSET_MORE and READ_INDEX. */
STN_KERNEL_INLINE void find_offset(const machine *m, const stn_instruction *now, int64_t count)
{
    const stn_tile *const tile = m->tile;
    const int dimension = now->at % STN_MAX_RANK;
    stn_i64 *const to = operand(m, now->to);
    if (now->operation == STN_DO_INDEX) {
        const int64_t first = tile->index[now->at], step = tile->step[now->at];
        EACH to[k] = first + step * k;
        return;
    }
    if (now->operation == STN_DO_READ_INDEX) {
        const stn_i64 *const offset = OPERAND(0), *const mask = MASK(1);
        for (int64_t k = 0; k < count; k++)
            to[k] = is_in(mask, k)
                        ? stn_indexed_read_index(tile->numbers[now->at].indexed, offset[k])
                        : 0;
        return;
    }
    const stn_indexed *const indexed = tile->numbers[now->at / STN_MAX_RANK].indexed;
    if (now->operation == STN_DO_EXTENT) {
        const int64_t extent = indexed->view->extent[dimension];
        EACH to[k] = extent;
        return;
    }
    const stn_u64 *const index = OPERAND(0), *const more = now->operation == STN_DO_OFFSET_MORE
                                                               ? OPERAND(1)
                                                               : OPERAND(0);
    const uint64_t stride = (uint64_t)indexed->stride[dimension],
                   once = now->operation == STN_DO_OFFSET_MORE;
    EACH to[k] = (int64_t)(index[k] * stride + once * more[k]);
}

/* Restricts a mask (NULL: all elements) to indices from `first` to before `first` + `extent`, where
 * `first` grows by `step`. Returns whether elements were removed. */
STN_KERNEL_INLINE int64_t keep_within(stn_i64 *to, const stn_u64 *index, const stn_i64 *mask,
                                      uint64_t first, uint64_t step, uint64_t extent, int64_t count)
{
    stn_i64 others = 0;
    if (!mask) {
        EACH
        {
            to[k] = index[k] - first - step * (uint64_t)k < extent;
            others |= 1 - to[k];
        }
        return others;
    }
    EACH
    {
        to[k] = mask[k] & (index[k] - first - step * (uint64_t)k < extent);
        others |= mask[k] - to[k];
    }
    return others;
}

/* WITHIN and WITHIN_RADIUS. */
STN_KERNEL_INLINE void check(const machine *m, const stn_instruction *now, int64_t count)
{
    const stn_tile *const tile = m->tile;
    const int d = now->at % STN_MAX_RANK, indices = now->at / STN_CHECK_COUNT;
    const int parameter = now->at % STN_CHECK_COUNT / STN_MAX_RANK;
    const stn_indexed *const indexed = tile->numbers[parameter].indexed;
    uint64_t first = 0, step = 0, extent = 0;
    if (now->operation == STN_DO_WITHIN_RADIUS) {
        const uint64_t radius = (uint64_t)tile->kernel->parameters[parameter].offset[d];
        first = (uint64_t)tile->index[d] - radius;
        step = (uint64_t)tile->step[d];
        extent = 2 * radius + 1;
    } else if (indices == indexed->view->rank) {
        extent = (uint64_t)indexed->view->extent[d];
    }
    if (keep_within(operand(m, now->to), OPERAND(0), MASK(1), first, step, extent, count))
        __atomic_store_n(indexed->beyond, 1, __ATOMIC_RELAXED);
}

/* In a dimension other than the last, all elements of the tile have the same index. */
STN_KERNEL_INLINE void find_stencil_row(const machine *m, const stn_instruction *now, int64_t count)
{
    const int d = now->at % STN_MAX_RANK;
    const uint64_t radius = (uint64_t)m->tile->kernel->parameters[now->at / STN_MAX_RANK].offset[d];
    const uint64_t first = (uint64_t)m->tile->index[d] - radius;
    const int is_first = now->from[1] == STN_OPERAND_NONE;
    const uint64_t rows = is_first ? 0 : 2 * radius + 1;
    const stn_u64 *const index = OPERAND(0), *const row = is_first ? index : OPERAND(1);
    stn_i64 *const to = operand(m, now->to);
    EACH to[k] = (int64_t)(index[k] - first + rows * row[k]);
}

static void call(const machine *m, const stn_instruction *now, int64_t count)
{
    const void *from[3];
    for (int o = 0; o < 3; o++)
        from[o] = MASK(o);
    (now->operation == STN_DO_CALL_F64 ? stn_math_call_f64 : stn_math_call_f32)(
        stn_math_at(now->at), operand(m, now->to), from, count);
}

/* Masks of views have the width of the program's reals. */
STN_KERNEL_INLINE void mark_stored(const machine *m, const stn_instruction *now, int64_t count)
{
    const stn_i64 *const mask = MASK(0);
    int64_t *const wide = m->tile->numbers[now->at].mask;
    int32_t *const narrow = m->tile->numbers[now->at].mask;
    const int all = now->operation == STN_DO_MASK_SOME;
    for (int64_t k = 0; k < count; k++) {
        const int is = all && is_in(mask, k);
        if (m->is_narrow)
            narrow[k] = is ? -1 : all ? narrow[k] : 0;
        else
            wide[k] = is ? -1 : all ? wide[k] : 0;
    }
}

STN_KERNEL_VERSIONS STN_KERNEL_FAST static void run(const machine *m)
{
    STN_KERNEL_NO_FUSING
    const stn_tile *const tile = m->tile;
    const int64_t count = tile->count;
    for (const stn_instruction *now = m->program->instructions;; now++)
        switch (now->operation) {
            STN_UNARY_INSTRUCTIONS(UNARY)
            STN_BINARY_INSTRUCTIONS(BINARY)
            STN_TERNARY_INSTRUCTIONS(TERNARY)
            STN_SCALE_INSTRUCTIONS(SCALE)
            STN_SELECT_INSTRUCTIONS(SELECT)
            STN_NUMBER_INSTRUCTIONS(NUMBER)
            STN_READ_INSTRUCTIONS(READ)
            STN_READ_STENCIL_INSTRUCTIONS(READ_STENCIL)
            STN_LOAD_INSTRUCTIONS(LOAD)
            STN_STORE_INSTRUCTIONS(STORE)
            STN_WRITE_INSTRUCTIONS(WRITE)
            STN_UPDATE_INSTRUCTIONS(UPDATE)
        case STN_DO_MASK_NONE:
        case STN_DO_MASK_SOME:
            mark_stored(m, now, count);
            break;
        case STN_DO_WITHIN:
        case STN_DO_WITHIN_RADIUS:
            check(m, now, count);
            break;
        case STN_DO_CALL_F64:
        case STN_DO_CALL_F32:
            call(m, now, count);
            break;
        case STN_DO_STENCIL_ROW:
            find_stencil_row(m, now, count);
            break;
        case STN_DO_JUMP_NONE:
            if (is_none(OPERAND(0), count))
                now = m->program->instructions + now->at - 1;
            break;
        case STN_DO_JUMP:
            now = m->program->instructions + now->at - 1;
            break;
        case STN_DO_END:
            return;
        default:
            find_offset(m, now, count);
        }
}

static const stn_text_kernel *kernel_of(const stn_tile *tile)
{
    return (const stn_text_kernel *)(const void *)tile->kernel;
}

_Static_assert(STN_MAX_REGISTERS *STN_REGISTER_BYTES <= STN_TILE_BUFFER_BYTES,
               "registers fit into the workspace");

static void run_program(const stn_program *program, const stn_tile *tile, int is_narrow)
{
    const machine m = {tile, program, tile->buffer, is_narrow};
    run(&m);
}

void stn_program_loop_wide(const stn_tile *tile)
{
    run_program(&kernel_of(tile)->wide, tile, 0);
}

void stn_program_loop_narrow(const stn_tile *tile)
{
    run_program(&kernel_of(tile)->narrow, tile, 1);
}
