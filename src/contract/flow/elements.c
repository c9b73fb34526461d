/* Number of elements that an iteration advances by: the advance of each array in elements, if all
 * arrays agree, and 0 if they do not or if it is unknown. */
#include <stdlib.h>
#include <string.h>

#include "contract/flow/distinct.h"
#include "core/memory.h"

/* Sizes of numbers in bytes as bits: 1, 2, 4 and 8. */
enum { ALL_SIZES = 1 | 2 | 4 | 8, MAX_ADVANCE = 1 << 20 };

/* An access to an array: bytes [from, from + bytes) relative to base and index at the beginning of
 * the iteration. */
typedef struct stream {
    int base, index, scale, writes;
    int64_t advance, from, bytes;
    int sizes; /* possible sizes of its numbers */
} stream;

typedef struct streams {
    const stn_code *code;
    int32_t loop;
    stream *list;
    int32_t count;
    int has_bits;  /* an operation on bits of registers, independent of number sizes */
    int is_mixed;  /* an operation that combines lanes of several registers */
    int32_t steps; /* scalar arithmetic in floats */
    int sizes;     /* possible sizes of numbers that no instruction determines */
    int is_lost;   /* an address changes in an unknown way */
} streams;

/* ---- sizes of numbers ---- */

static int is_counted(const streams *all, int32_t i)
{
    return all->code->loop_of[i] == all->loop;
}

static void look_at_vectors(streams *all)
{
    const stn_loop *range = &all->code->loops[all->loop];
    int sizes = 0;
    for (int32_t i = range->first; i <= range->last; i++) {
        const stn_machine_instruction *at = &all->code->instructions[i];
        if (!is_counted(all, i))
            continue;
        all->is_mixed |= at->handling == STN_HANDLES_MIXED;
        all->has_bits |= at->handling == STN_HANDLES_BITS || at->handling == STN_HANDLES_MIXED;
        all->steps += at->lanes == 1 && at->kind != STN_KIND_INTEGER &&
                      (at->operation == STN_OP_ARITHMETIC || at->operation == STN_OP_FMA);
        sizes |= at->in | at->out;
    }
    const int tells = all->code->machine == STN_MACHINE_NVIDIA && !all->has_bits && sizes;
    all->sizes = tells ? sizes : ALL_SIZES;
}

/* The next (or previous) instruction of the loop by address, wrapping around, until `from` is
 * reached again; -1: none. */
static int32_t next_in_loop(const streams *all, int32_t i, int step, int32_t from)
{
    const stn_loop *range = &all->code->loops[all->loop];
    do {
        i += step;
        i = i > range->last ? range->first : i < range->first ? range->last : i;
    } while (i != from && !is_counted(all, i));
    return i == from ? -1 : i;
}

/* Floats and converted numbers are never parts of other numbers; integers may be. */
static int is_of_wholes(const stn_machine_instruction *at)
{
    return at->operation == STN_OP_CONVERSION ||
           (at->kind != STN_KIND_INTEGER &&
            (at->operation == STN_OP_ARITHMETIC || at->operation == STN_OP_FMA));
}

static int reads_vector(const stn_machine_instruction *at, int number)
{
    return (int)(at->vectors >> number & 1);
}

/* Size of the numbers that it reads from a vector register. */
static int size_taken(const stn_machine_instruction *at, int number)
{
    return at->wide >> number & 1 ? at->out : at->in;
}

/* Size of the floats that a later instruction reads from a moved register; 0: unknown. */
static int size_of_moved(const streams *all, int32_t mover)
{
    const stn_machine_instruction *moves = &all->code->instructions[mover];
    const int number = moves->whole ? moves->vector : -1;
    for (int32_t i = next_in_loop(all, mover, 1, mover); i >= 0 && number >= 0;
         i = next_in_loop(all, i, 1, mover)) {
        const stn_machine_instruction *at = &all->code->instructions[i];
        if (reads_vector(at, number) && is_of_wholes(at) && size_taken(at, number) <= moves->whole)
            return size_taken(at, number);
        if (at->vector == number)
            return 0;
    }
    return 0;
}

/* The size of loaded numbers is that of the first instruction that reads them, or of a later one
 * that reads floats, because parts of integers may be extracted in between. */
static int size_by_reader(const streams *all, int32_t load)
{
    const int number = all->code->instructions[load].vector;
    int is_first = 1;
    if (number < 0)
        return 0;
    for (int32_t i = next_in_loop(all, load, 1, load); i >= 0; i = next_in_loop(all, i, 1, load)) {
        const stn_machine_instruction *at = &all->code->instructions[i];
        if (reads_vector(at, number)) {
            const int size = is_first || is_of_wholes(at) ? size_taken(at, number) : 0;
            const int moved = size ? size : size_of_moved(all, i);
            if (moved)
                return moved;
            is_first = 0;
        }
        if (at->vector == number)
            return 0;
    }
    return 0;
}

static int32_t last_writer(const streams *all, int32_t before, int number)
{
    int32_t i = next_in_loop(all, before, -1, before);
    while (i >= 0 && all->code->instructions[i].vector != number)
        i = next_in_loop(all, i, -1, before);
    return i;
}

/* A register composed of whole floats of one size has this size. */
static int size_of_parts(const streams *all, int32_t mover)
{
    const stn_machine_instruction *at = &all->code->instructions[mover];
    int size = 0;
    for (int number = 0; number < 32; number++) {
        if (!reads_vector(at, number))
            continue;
        const int32_t writer = last_writer(all, mover, number);
        const stn_machine_instruction *made = writer < 0 ? NULL : &all->code->instructions[writer];
        if (!made || !is_of_wholes(made) || !made->out || made->out > at->whole ||
            (size && size != made->out))
            return 0;
        size = made->out;
    }
    return size;
}

/* The size of stored numbers is that of the last instruction that wrote the register. */
static int size_by_writer(const streams *all, int32_t store)
{
    const uint32_t stored = all->code->instructions[store].vectors;
    for (int32_t i = next_in_loop(all, store, -1, store); i >= 0;
         i = next_in_loop(all, i, -1, store)) {
        const stn_machine_instruction *at = &all->code->instructions[i];
        if (at->vector >= 0 && (stored >> at->vector & 1))
            return at->out ? at->out : size_of_parts(all, i);
    }
    return 0;
}

/* Does each of the general registers hold one number of at least `bytes`, according to the next
 * reader or, for a store, the last writer? */
static int are_numbers(const streams *all, int32_t access, uint64_t registers, int writes,
                       int bytes)
{
    const int step = writes ? -1 : 1;
    for (int32_t i = next_in_loop(all, access, step, access); i >= 0 && registers;
         i = next_in_loop(all, i, step, access)) {
        const stn_machine_instruction *at = &all->code->instructions[i];
        if (registers & (writes ? at->written : at->taken)) {
            if ((writes ? at->out : at->in) < bytes)
                return 0;
            registers &= ~(writes ? at->written : at->taken);
        }
        if (registers & at->written)
            return 0;
    }
    return !registers;
}

/* Moves do not determine a size; an operation on the whole register does. */
static int size_in_general(const streams *all, int32_t i, int width, int writes)
{
    const stn_machine_instruction *at = &all->code->instructions[i];
    const int stepped = at->step_register;
    const uint64_t step = stepped < 0 ? 0 : UINT64_C(1) << stepped % STN_COURSE_REGISTERS;
    const uint64_t registers = writes ? at->taken : at->written & ~step;
    return registers && are_numbers(all, i, registers, writes, width) ? width : 0;
}

static int sizes_of(const streams *all, int32_t i, const stn_access *access, int writes)
{
    const stn_machine_instruction *at = &all->code->instructions[i];
    int size = writes ? at->out : at->in;
    if (!size && at->handling == STN_HANDLES_MOVE)
        size = writes ? size_by_writer(all, i) : size_by_reader(all, i);
    if (!size && !writes)
        size = size_of_moved(all, i);
    int width = access->bits <= 64 ? access->bits / 8 : 0;
    if (access->element && access->element < width) /* pair of registers */
        width = access->element;
    if (!size && width && at->handling == STN_HANDLES_NONE)
        size = size_in_general(all, i, width, writes);
    return size ? size : all->sizes;
}

/* ---- streams ---- */

/* The position of a register: the value number at the beginning of the iteration, and the offset
 * added since. */
static int follow(streams *all, const stn_advances *found, const stn_course *now, int number,
                  uint64_t scale, stream *to)
{
    if (number < 0)
        return -1;
    const int origin = now->origin[number % STN_COURSE_REGISTERS];
    if (origin < 0 || !(found->is_known >> origin & 1)) {
        all->is_lost = 1;
        return -1;
    }
    if (all->code->machine != STN_MACHINE_NVIDIA) /* displacements include it otherwise */
        to->from =
            (int64_t)((uint64_t)to->from + now->offset[number % STN_COURSE_REGISTERS] * scale);
    to->advance = (int64_t)((uint64_t)to->advance + (uint64_t)found->of[origin] * scale);
    return origin;
}

/* An address that does not change is not an array that the loop traverses. */
static void add_stream(streams *all, const stn_advances *found, const stn_course *now, int32_t i,
                       const stn_access *access)
{
    stream to = {.scale = access->index < 0 ? 0 : access->scale, .from = access->displacement};
    to.base = follow(all, found, now, access->base, 1, &to);
    to.index = follow(all, found, now, access->index, (uint64_t)access->scale, &to);
    to.bytes = access->bits / 8;
    all->is_lost |= access->lanes > 1 || to.advance > MAX_ADVANCE || to.advance < -MAX_ADVANCE;
    if (to.advance < 0)
        to.advance = -to.advance;
    for (int writes = 0; writes < 2 && to.advance != 0; writes++) {
        if (!(writes ? access->writes : access->reads))
            continue;
        to.writes = writes;
        to.sizes = sizes_of(all, i, access, writes);
        all->list[all->count++] = to;
    }
}

static void collect(streams *all)
{
    const stn_code *code = all->code;
    const stn_loop *range = &code->loops[all->loop];
    const stn_advances found = stn_course_advances(code, all->loop);
    stn_course now;
    stn_course_begin(&now, code, all->loop);
    for (int32_t n = 0; n <= range->last - range->first; n++) {
        const int32_t i = stn_loop_at(range, n);
        const stn_machine_instruction *at = &code->instructions[i];
        for (int k = 0; k < at->accesses && is_counted(all, i); k++)
            if (at->access[k].space == STN_SPACE_MEMORY && at->access[k].bits > 0)
                add_stream(all, &found, &now, i, &at->access[k]);
        stn_course_step(&now, code, all->loop, i);
    }
}

#define ORDER(field)                                                                               \
    if (a->field != b->field)                                                                      \
    return a->field < b->field ? -1 : 1

static int compare(const void *one, const void *other)
{
    const stream *a = one, *b = other;
    ORDER(writes);
    ORDER(base);
    ORDER(index);
    ORDER(scale);
    ORDER(from);
    ORDER(bytes);
    return 0;
}

/* Accesses of one array are less than an iteration apart; `reach` is the end of the previous
 * ones. */
static int is_same_array(const stream *a, const stream *b, int64_t reach)
{
    return a->writes == b->writes && a->base == b->base && a->index == b->index &&
           a->scale == b->scale && b->from - reach < a->advance;
}

/* Do the accesses of an array, repeated by whole iterations, cover all bytes? */
static int is_dense(const stream *first, int32_t count)
{
    const int64_t advance = first->advance;
    int64_t reached = 0;
    for (int64_t before = -1; reached < advance && reached != before;) {
        before = reached;
        for (int32_t k = 0; k < count; k++) {
            int64_t from = (first[k].from - first->from) % advance;
            if (first[k].bytes >= advance)
                return 1;
            if (from + first[k].bytes > advance && first[k].bytes + from - advance > reached)
                from -= advance; /* it begins in the previous iteration */
            if (from <= reached && from + first[k].bytes > reached)
                reached = from + first[k].bytes;
        }
    }
    return reached >= advance;
}

/* ---- agreement ---- */

/* Possible results of an array: advance / size. */
static int answers_of(int64_t advance, int sizes, int64_t *list)
{
    int count = 0;
    for (int size = 1; size <= 8; size *= 2)
        if ((sizes & size) && advance % size == 0)
            list[count++] = advance / size;
    return count;
}

static int keep_common(int64_t *list, int count, const int64_t *other, int others)
{
    int kept = 0;
    for (int k = 0; k < count; k++)
        for (int o = 0; o < others; o++)
            if (list[k] == other[o]) {
                list[kept++] = list[k];
                break;
            }
    return kept;
}

/* For loops that only read: whole vectors may be loaded from structs of which only one number is
 * used. An ordered sum has one step per number. */
static int takes_all(const streams *all, int64_t elements)
{
    return !all->has_bits || (!all->is_mixed && all->steps >= elements);
}

/* The only result that is possible for all arrays. */
static int32_t agreement(const streams *all)
{
    int64_t common[4], other[4];
    int count = -1, writes = 0;
    for (int32_t first = 0, next; first < all->count; first = next) {
        const stream *at = &all->list[first];
        int64_t reach = at->from + at->bytes;
        int sizes = at->sizes;
        for (next = first + 1; next < all->count && is_same_array(at, &all->list[next], reach);
             next++) {
            const int64_t end = all->list[next].from + all->list[next].bytes;
            reach = end > reach ? end : reach;
            sizes &= all->list[next].sizes;
        }
        if (!is_dense(at, next - first))
            return 0;
        writes |= at->writes;
        const int others = answers_of(at->advance, sizes, other);
        if (others != 1) /* another array may advance by a different number of elements */
            return 0;
        if (count < 0)
            memcpy(common, other, sizeof other);
        count = count < 0 ? others : keep_common(common, count, other, others);
    }
    return count == 1 && common[0] <= INT32_MAX && (writes || takes_all(all, common[0]))
               ? (int32_t)common[0]
               : 0;
}

stn_status stn_code_elements(const stn_code *code, int32_t loop, int32_t *elements)
{
    const stn_loop *range = &code->loops[loop];
    streams all = {.code = code, .loop = loop};
    int64_t maximum = 0;
    for (int32_t i = range->first; i <= range->last; i++)
        maximum += 2 * code->instructions[i].accesses;
    STN_TRY(stn_allocate(&all.list, maximum, sizeof *all.list, "memory accesses"));
    look_at_vectors(&all);
    collect(&all);
    if (all.count > 0)
        qsort(all.list, (size_t)all.count, sizeof *all.list, compare);
    *elements = all.is_lost ? 0 : agreement(&all);
    stn_free(all.list);
    return STN_OK;
}
