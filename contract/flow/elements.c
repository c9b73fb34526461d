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

static int is_counted(const streams *job, int32_t i)
{
    return job->code->loop_of[i] == job->loop;
}

static void look_at_vectors(streams *job)
{
    const stn_loop *range = &job->code->loops[job->loop];
    int sizes = 0;
    for (int32_t i = range->first; i <= range->last; i++) {
        const stn_machine_instruction *at = &job->code->instructions[i];
        if (!is_counted(job, i))
            continue;
        job->is_mixed |= at->handling == STN_HANDLES_MIXED;
        job->has_bits |= at->handling == STN_HANDLES_BITS || at->handling == STN_HANDLES_MIXED;
        job->steps += at->lanes == 1 && at->kind != STN_KIND_INTEGER &&
                      (at->operation == STN_OP_ARITHMETIC || at->operation == STN_OP_FMA);
        sizes |= at->in | at->out;
    }
    const int has_sizes = job->code->machine == STN_MACHINE_NVIDIA && !job->has_bits && sizes;
    job->sizes = has_sizes ? sizes : ALL_SIZES;
}

/* The next (or previous) instruction of the loop by address, wrapping around, until `from` is
 * reached again; -1: none. */
static int32_t next_in_loop(const streams *job, int32_t i, int step, int32_t from)
{
    const stn_loop *range = &job->code->loops[job->loop];
    do {
        i += step;
        i = i > range->last ? range->first : i < range->first ? range->last : i;
    } while (i != from && !is_counted(job, i));
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
static int size_read(const stn_machine_instruction *at, int number)
{
    return at->wide >> number & 1 ? at->out : at->in;
}

/* Size of the floats that a later instruction reads from a moved register; 0: unknown. */
static int size_of_moved(const streams *job, int32_t mover)
{
    const stn_machine_instruction *moves = &job->code->instructions[mover];
    const int number = moves->whole ? moves->vector : -1;
    for (int32_t i = next_in_loop(job, mover, 1, mover); i >= 0 && number >= 0;
         i = next_in_loop(job, i, 1, mover)) {
        const stn_machine_instruction *at = &job->code->instructions[i];
        if (reads_vector(at, number) && is_of_wholes(at) && size_read(at, number) <= moves->whole)
            return size_read(at, number);
        if (at->vector == number)
            return 0;
    }
    return 0;
}

/* The size of loaded numbers is that of the first instruction that reads them, or of a later one
 * that reads floats, because parts of integers may be extracted in between. */
static int size_by_reader(const streams *job, int32_t load)
{
    const int number = job->code->instructions[load].vector;
    int is_first = 1;
    if (number < 0)
        return 0;
    for (int32_t i = next_in_loop(job, load, 1, load); i >= 0; i = next_in_loop(job, i, 1, load)) {
        const stn_machine_instruction *at = &job->code->instructions[i];
        if (reads_vector(at, number)) {
            const int size = is_first || is_of_wholes(at) ? size_read(at, number) : 0;
            const int moved = size ? size : size_of_moved(job, i);
            if (moved)
                return moved;
            is_first = 0;
        }
        if (at->vector == number)
            return 0;
    }
    return 0;
}

static int32_t last_writer(const streams *job, int32_t before, int number)
{
    int32_t i = next_in_loop(job, before, -1, before);
    while (i >= 0 && job->code->instructions[i].vector != number)
        i = next_in_loop(job, i, -1, before);
    return i;
}

/* A register composed of whole floats of one size has this size. */
static int size_of_parts(const streams *job, int32_t mover)
{
    const stn_machine_instruction *at = &job->code->instructions[mover];
    int size = 0;
    for (int number = 0; number < 32; number++) {
        if (!reads_vector(at, number))
            continue;
        const int32_t writer = last_writer(job, mover, number);
        const stn_machine_instruction *made = writer < 0 ? NULL : &job->code->instructions[writer];
        if (!made || !is_of_wholes(made) || !made->out || made->out > at->whole ||
            (size && size != made->out))
            return 0;
        size = made->out;
    }
    return size;
}

/* The size of stored numbers is that of the last instruction that wrote the register. */
static int size_by_writer(const streams *job, int32_t store)
{
    const uint32_t stored = job->code->instructions[store].vectors;
    for (int32_t i = next_in_loop(job, store, -1, store); i >= 0;
         i = next_in_loop(job, i, -1, store)) {
        const stn_machine_instruction *at = &job->code->instructions[i];
        if (at->vector >= 0 && (stored >> at->vector & 1))
            return at->out ? at->out : size_of_parts(job, i);
    }
    return 0;
}

/* Does each of the general registers hold one number of at least `bytes`, according to the next
 * reader or, for a store, the last writer? */
static int are_numbers(const streams *job, int32_t access, uint64_t registers, int writes,
                       int bytes)
{
    const int step = writes ? -1 : 1;
    for (int32_t i = next_in_loop(job, access, step, access); i >= 0 && registers;
         i = next_in_loop(job, i, step, access)) {
        const stn_machine_instruction *at = &job->code->instructions[i];
        if (registers & (writes ? at->written : at->values_read)) {
            if ((writes ? at->out : at->in) < bytes)
                return 0;
            registers &= ~(writes ? at->written : at->values_read);
        }
        if (registers & at->written)
            return 0;
    }
    return !registers;
}

/* Moves do not determine a size; an operation on the whole register does. */
static int size_in_general(const streams *job, int32_t i, int width, int writes)
{
    const stn_machine_instruction *at = &job->code->instructions[i];
    const int stepped = at->step_register;
    const uint64_t step = stepped < 0 ? 0 : UINT64_C(1) << stepped % STN_COURSE_REGISTERS;
    const uint64_t registers = writes ? at->values_read : at->written & ~step;
    return registers && are_numbers(job, i, registers, writes, width) ? width : 0;
}

static int sizes_of(const streams *job, int32_t i, const stn_access *access, int writes)
{
    const stn_machine_instruction *at = &job->code->instructions[i];
    int size = writes ? at->out : at->in;
    if (!size && at->handling == STN_HANDLES_MOVE)
        size = writes ? size_by_writer(job, i) : size_by_reader(job, i);
    if (!size && !writes)
        size = size_of_moved(job, i);
    int width = access->bits <= 64 ? access->bits / 8 : 0;
    if (access->element && access->element < width) /* pair of registers */
        width = access->element;
    if (!size && width && at->handling == STN_HANDLES_NONE)
        size = size_in_general(job, i, width, writes);
    return size ? size : job->sizes;
}

/* ---- streams ---- */

/* The position of a register: the value number at the beginning of the iteration, and the offset
 * added since. */
static int follow(streams *job, const stn_advances *found, const stn_course *now, int number,
                  uint64_t scale, stream *to)
{
    if (number < 0)
        return -1;
    const int origin = now->origin[number % STN_COURSE_REGISTERS];
    if (origin < 0 || !(found->is_known >> origin & 1)) {
        job->is_lost = 1;
        return -1;
    }
    if (job->code->machine != STN_MACHINE_NVIDIA) /* displacements include it otherwise */
        to->from =
            (int64_t)((uint64_t)to->from + now->offset[number % STN_COURSE_REGISTERS] * scale);
    to->advance = (int64_t)((uint64_t)to->advance + (uint64_t)found->of[origin] * scale);
    return origin;
}

/* An address that does not change is not an array that the loop traverses. */
static void add_stream(streams *job, const stn_advances *found, const stn_course *now, int32_t i,
                       const stn_access *access)
{
    stream to = {.scale = access->index < 0 ? 0 : access->scale, .from = access->displacement};
    to.base = follow(job, found, now, access->base, 1, &to);
    to.index = follow(job, found, now, access->index, (uint64_t)access->scale, &to);
    to.bytes = access->bits / 8;
    job->is_lost |= access->lanes > 1 || to.advance > MAX_ADVANCE || to.advance < -MAX_ADVANCE;
    if (to.advance < 0)
        to.advance = -to.advance;
    for (int writes = 0; writes < 2 && to.advance != 0; writes++) {
        if (!(writes ? access->writes : access->reads))
            continue;
        to.writes = writes;
        to.sizes = sizes_of(job, i, access, writes);
        job->list[job->count++] = to;
    }
}

static void collect(streams *job)
{
    const stn_code *code = job->code;
    const stn_loop *range = &code->loops[job->loop];
    const stn_advances found = stn_course_advances(code, job->loop);
    stn_course now;
    stn_course_begin(&now, code, job->loop);
    for (int32_t n = 0; n <= range->last - range->first; n++) {
        const int32_t i = stn_loop_at(range, n);
        const stn_machine_instruction *at = &code->instructions[i];
        for (int k = 0; k < at->accesses && is_counted(job, i); k++)
            if (at->access[k].space == STN_SPACE_MEMORY && at->access[k].bits > 0)
                add_stream(job, &found, &now, i, &at->access[k]);
        stn_course_step(&now, code, job->loop, i);
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
static int takes_all(const streams *job, int64_t elements)
{
    return !job->has_bits || (!job->is_mixed && job->steps >= elements);
}

/* The only result that is possible for all arrays. */
static int32_t agreement(const streams *job)
{
    int64_t common[4], other[4];
    int count = -1, writes = 0;
    for (int32_t first = 0, next; first < job->count; first = next) {
        const stream *at = &job->list[first];
        int64_t reach = at->from + at->bytes;
        int sizes = at->sizes;
        for (next = first + 1; next < job->count && is_same_array(at, &job->list[next], reach);
             next++) {
            const int64_t end = job->list[next].from + job->list[next].bytes;
            reach = end > reach ? end : reach;
            sizes &= job->list[next].sizes;
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
    return count == 1 && common[0] <= INT32_MAX && (writes || takes_all(job, common[0]))
               ? (int32_t)common[0]
               : 0;
}

stn_status stn_code_elements(const stn_code *code, int32_t loop, int32_t *elements)
{
    const stn_loop *range = &code->loops[loop];
    streams job = {.code = code, .loop = loop};
    int64_t maximum = 0;
    for (int32_t i = range->first; i <= range->last; i++)
        maximum += 2 * code->instructions[i].accesses;
    STN_TRY(stn_allocate(&job.list, maximum, sizeof *job.list, "memory accesses"));
    look_at_vectors(&job);
    collect(&job);
    if (job.count > 0)
        qsort(job.list, (size_t)job.count, sizeof *job.list, compare);
    *elements = job.is_lost ? 0 : agreement(&job);
    stn_free(job.list);
    return STN_OK;
}
