/* The quantities that facts bound: one table of names, meanings and sources. */
#include "contract/check/expect.h"
#include "contract/flow/distinct.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_FIELDS = 8,
    ON_GPU = 1 << 16 /* pseudo-reason: the quantity exists on GPUs only */
};

/* The side of the true value relative to the count if something is hidden. */
typedef enum side { MORE, LESS, ANY } side;

/* The sum of int32 fields of stn_code_counts, or the result of a function. */
typedef struct row {
    const char *name, *meaning;
    int hidden; /* reasons that can hide part of it */
    side side;
    stn_measure (*measure)(const stn_subject *subject);
    size_t fields[MAX_FIELDS]; /* 0 after the last one, where the size of the struct is */
} row;

static stn_measure whole(int64_t value)
{
    return (stn_measure){.value = value, .per = 1};
}

static stn_measure absent(const char *reason)
{
    return (stn_measure){.per = 1, .absent = reason};
}

/* ---- widths ---- */

static int64_t narrowest(const int32_t *widths)
{
    for (int w = 0; w < STN_WIDTHS; w++)
        if (widths[w] > 0)
            return (int64_t)8 << w;
    return 0;
}

static int64_t widest(const int32_t *widths)
{
    for (int w = STN_WIDTHS - 1; w >= 0; w--)
        if (widths[w] > 0)
            return (int64_t)8 << w;
    return 0;
}

static stn_measure width_of(int64_t bits, const char *reason)
{
    return bits ? whole(bits) : absent(reason);
}

static stn_measure load_width(const stn_subject *subject)
{
    return width_of(narrowest(subject->counts->loads), "there are no loads");
}

static stn_measure load_widest(const stn_subject *subject)
{
    return width_of(widest(subject->counts->loads), "there are no loads");
}

static stn_measure store_width(const stn_subject *subject)
{
    return width_of(narrowest(subject->counts->stores), "there are no stores");
}

static stn_measure store_widest(const stn_subject *subject)
{
    return width_of(widest(subject->counts->stores), "there are no stores");
}

/* ---- bytes ---- */

static int64_t distinct(const stn_code_counts *counts)
{
    return counts->distinct_read + counts->distinct_written;
}

static stn_measure bytes(const stn_subject *subject)
{
    return whole(distinct(subject->counts));
}

static stn_measure bytes_read(const stn_subject *subject)
{
    return whole(subject->counts->distinct_read);
}

static stn_measure bytes_written(const stn_subject *subject)
{
    return whole(subject->counts->distinct_written);
}

static stn_measure bytes_raw(const stn_subject *subject)
{
    return whole(subject->counts->raw_read + subject->counts->raw_written);
}

static const char no_elements[] = "the number of elements per iteration is unknown";

static stn_measure bytes_per_element(const stn_subject *subject)
{
    const stn_code_counts *counts = subject->counts;
    if (counts->elements <= 0)
        return absent(no_elements);
    return (stn_measure){.value = distinct(counts), .per = counts->elements};
}

static stn_measure elements(const stn_subject *subject)
{
    const int32_t count = subject->counts->elements;
    return count > 0 ? whole(count) : absent(no_elements);
}

/* ---- registers and the stack ---- */

/* Loops: number of spills. Functions also save registers on entry, so that bytes are more
 * meaningful; assemblers of cubins report bytes, too. */
static stn_measure spill(const stn_subject *subject)
{
    const stn_code_counts *counts = subject->counts;
    if (subject->loop != STN_LOOP_NONE)
        return whole((int64_t)counts->stack_loads + counts->stack_stores + counts->local_loads +
                     counts->local_stores);
    return whole(counts->stack_bytes);
}

static stn_measure registers(const stn_subject *subject)
{
    const int32_t count = subject->function->registers;
    return count >= 0 ? whole(count) : absent("the file does not contain the number of registers");
}

static stn_measure stack(const stn_subject *subject)
{
    const int64_t size = subject->function->stack_bytes;
    return size >= 0 ? whole(size)
                     : absent("the file does not contain the size of the stack frame");
}

static stn_measure loops(const stn_subject *subject)
{
    return whole(subject->function->loops);
}

static stn_measure irreducible(const stn_subject *subject)
{
    return whole(subject->function->irreducible);
}

/* ---- the table ---- */

/* What can hide each quantity: of a called function only the call itself is known. */
#define LISTED   STN_HIDDEN_PATHS | STN_HIDDEN_ROUNDS
#define ACCESSES STN_HIDDEN_REPEATS | STN_HIDDEN_UNKNOWN | STN_HIDDEN_CALLS | LISTED
#define COMPUTED STN_HIDDEN_UNKNOWN | STN_HIDDEN_CALLS | LISTED
#define CONTROL  STN_HIDDEN_UNKNOWN | STN_HIDDEN_JUMPS | LISTED
#define NEEDED   ON_GPU | STN_HIDDEN_REGISTERS | LISTED
#define ADVANCE                                                                                    \
    STN_HIDDEN_REPEATS | STN_HIDDEN_UNKNOWN | STN_HIDDEN_LOADED | STN_HIDDEN_STORED | LISTED

#define LOADED  ACCESSES | STN_HIDDEN_LOADED
#define STORED  ACCESSES | STN_HIDDEN_STORED
#define READ    LOADED | STN_HIDDEN_READ_TWICE
#define WRITTEN STORED | STN_HIDDEN_WRITTEN_TWICE

#define COUNTED   NULL
#define AT(field) offsetof(stn_code_counts, field)

/* clang-format off */ /* clang-format would separate the rows */
#define LOADS(bits)                                                                                \
    {"load." #bits, "loads of " #bits " bits",                                                     \
     LOADED, MORE, COUNTED, {AT(loads[STN_WIDTH_##bits])}}
#define STORES(bits)                                                                               \
    {"store." #bits, "stores of " #bits " bits",                                                   \
     STORED, MORE, COUNTED, {AT(stores[STN_WIDTH_##bits])}}
#define WIDTHS(array)                                                                              \
    {AT(array[0]), AT(array[1]), AT(array[2]), AT(array[3]), AT(array[4]), AT(array[5]),           \
     AT(array[6]), AT(unsized_##array)}
#define SCALAR(KIND) {AT(scalar[STN_KIND_##KIND]), AT(scalar_fma[STN_KIND_##KIND])}
#define PACKED(KIND) {AT(packed[STN_KIND_##KIND]), AT(packed_fma[STN_KIND_##KIND])}
#define FLOATS(plain, fused)                                                                       \
    {AT(plain[STN_KIND_F64]), AT(plain[STN_KIND_F32]), AT(plain[STN_KIND_F16]),                    \
     AT(fused[STN_KIND_F64]), AT(fused[STN_KIND_F32]), AT(fused[STN_KIND_F16])}

static const row table[] = {
    {"load", "loads from memory", ACCESSES, MORE, COUNTED, WIDTHS(loads)},
    {"store", "stores to memory", ACCESSES, MORE, COUNTED, WIDTHS(stores)},
    LOADS(8),
    STORES(8),
    LOADS(16),
    STORES(16),
    LOADS(32),
    STORES(32),
    LOADS(64),
    STORES(64),
    LOADS(128),
    STORES(128),
    LOADS(256),
    STORES(256),
    LOADS(512),
    STORES(512),
    {"load.width", "bits of the narrowest load", LOADED, LESS, load_width, {0}},
    {"load.widest", "bits of the widest load", LOADED, MORE, load_widest, {0}},
    {"store.width", "bits of the narrowest store", STORED, LESS, store_width, {0}},
    {"store.widest", "bits of the widest store", STORED, MORE, store_widest, {0}},
    {"bytes", "distinct bytes read and written", READ | WRITTEN, MORE, bytes, {0}},
    {"bytes.read", "distinct bytes read", READ, MORE, bytes_read, {0}},
    {"bytes.written", "distinct bytes written", WRITTEN, MORE, bytes_written, {0}},
    {"bytes.raw", "bytes of all loads and stores, with repetitions",
     LOADED | STORED, MORE, bytes_raw, {0}},
    {"bytes/elem", "distinct bytes per element", READ | WRITTEN, ANY, bytes_per_element, {0}},
    {"elements", "elements that an iteration advances by", ADVANCE, ANY, elements, {0}},
    {"scalar.f64", "scalar arithmetic in f64, including fma", COMPUTED, MORE, COUNTED, SCALAR(F64)},
    {"scalar.f32", "scalar arithmetic in f32", COMPUTED, MORE, COUNTED, SCALAR(F32)},
    {"scalar.f16", "scalar arithmetic in f16 or bf16", COMPUTED, MORE, COUNTED, SCALAR(F16)},
    {"scalar.integer", "scalar arithmetic in integers", COMPUTED, MORE, COUNTED, SCALAR(INTEGER)},
    {"packed.f64", "packed arithmetic in f64, including fma", COMPUTED, MORE, COUNTED, PACKED(F64)},
    {"packed.f32", "packed arithmetic in f32", COMPUTED, MORE, COUNTED, PACKED(F32)},
    {"packed.f16", "packed arithmetic in f16 or bf16", COMPUTED, MORE, COUNTED, PACKED(F16)},
    {"packed.integer", "packed arithmetic in integers", COMPUTED, MORE, COUNTED, PACKED(INTEGER)},
    {"scalar", "scalar arithmetic in floats", COMPUTED, MORE, COUNTED, FLOATS(scalar, scalar_fma)},
    {"packed", "packed arithmetic in floats", COMPUTED, MORE, COUNTED, FLOATS(packed, packed_fma)},
    {"fma", "fused multiply-adds",
     COMPUTED, MORE, COUNTED, FLOATS(scalar_fma, packed_fma)},
    {"scalar_cvt", "scalar conversions between number types",
     COMPUTED, MORE, COUNTED, {AT(scalar_conversions)}},
    {"packed_cvt", "packed conversions between number types",
     COMPUTED, MORE, COUNTED, {AT(packed_conversions)}},
    {"cvt", "conversions",
     COMPUTED, MORE, COUNTED, {AT(scalar_conversions), AT(packed_conversions)}},
    {"divisions", "divisions, square roots and approximations of 1 / x or 1 / sqrt(x)",
     COMPUTED, MORE, COUNTED, {AT(divisions)}},
    {"approximations", "approximations of 1 / x or 1 / sqrt(x)",
     COMPUTED, MORE, COUNTED, {AT(approximations)}},
    {"gathers", "loads from several addresses", COMPUTED, MORE, COUNTED, {AT(gathers)}},
    {"scatters", "stores to several addresses", COMPUTED, MORE, COUNTED, {AT(scatters)}},
    {"calls", "calls", CONTROL, MORE, COUNTED, {AT(calls)}},
    {"branches", "branches and jumps", CONTROL, MORE, COUNTED, {AT(branches)}},
    {"spill", "stack accesses of a loop; bytes of stack accesses of a function", ACCESSES, MORE, spill, {0}},
    {"instructions", "instructions", LISTED, MORE, COUNTED, {AT(instructions)}},
    {"unknown", "instructions that Steno does not know", LISTED, MORE, COUNTED, {AT(unknown)}},
    {"cache", "prefetches, write-backs and invalidations of cache lines",
     COMPUTED, MORE, COUNTED, {AT(cache_hints)}},
    {"repeats", "instructions that repeat themselves", LISTED, MORE, COUNTED, {AT(repeats)}},
    {"unresolved_jumps", "unresolved indirect jumps of the function", 0, MORE, COUNTED,
     {AT(unresolved_jumps)}},
    {"loops", "natural loops of the function",
     STN_HIDDEN_UNKNOWN | STN_HIDDEN_JUMPS | STN_HIDDEN_CYCLES, ANY, loops, {0}},
    {"irreducible", "ranges of the function with cycles that are not natural loops",
     STN_HIDDEN_UNKNOWN | STN_HIDDEN_JUMPS, MORE, irreducible, {0}},
    {"regs", "registers of a cubin's kernel", 0, MORE, registers, {0}},
    {"stack", "bytes of a cubin's stack frame", 0, MORE, stack, {0}},
    {"live", "maximum number of live registers of a GPU thread",
     NEEDED, MORE, COUNTED, {AT(live[STN_FILE_THREAD])}},
    {"live.predicates", "maximum number of live predicates of a GPU thread",
     NEEDED, MORE, COUNTED, {AT(live[STN_FILE_PREDICATE])}},
    {"live.uniform", "maximum number of live uniform registers of a GPU thread",
     NEEDED, MORE, COUNTED, {AT(live[STN_FILE_UNIFORM])}},
    {"live.uniform_predicates", "maximum number of live uniform predicates of a GPU thread",
     NEEDED, MORE, COUNTED, {AT(live[STN_FILE_UNIFORM_PREDICATE])}},
    {"used", "highest register used by a GPU thread, plus one",
     NEEDED, MORE, COUNTED, {AT(used[STN_FILE_THREAD])}},
    {"used.uniform", "highest uniform register used by a GPU thread, plus one",
     NEEDED, MORE, COUNTED, {AT(used[STN_FILE_UNIFORM])}},
    {"stalls", "stall cycles in the control codes of a GPU",
     ON_GPU | LISTED, MORE, COUNTED, {AT(stalls)}},
    {"waits", "instructions of a GPU that wait for barriers",
     ON_GPU | LISTED, MORE, COUNTED, {AT(waits)}},
    {"local", "accesses of a GPU's local memory",
     ACCESSES, MORE, COUNTED, {AT(local_loads), AT(local_stores)}},
    {"shared", "accesses of a GPU's shared memory",
     ACCESSES, MORE, COUNTED, {AT(shared_loads), AT(shared_stores)}},
    {"constant", "loads of a GPU's constant memory", ACCESSES, MORE, COUNTED, {AT(constant_loads)}},
};

/* clang-format on */

enum { QUANTITIES = sizeof table / sizeof *table };

int32_t stn_quantity_find(const char *name, size_t length)
{
    for (int32_t q = 0; q < QUANTITIES; q++)
        if (strlen(table[q].name) == length && memcmp(table[q].name, name, length) == 0)
            return q;
    return -1;
}

const char *stn_quantity_name(int32_t quantity)
{
    return quantity < QUANTITIES ? table[quantity].name : NULL;
}

const char *stn_quantity_meaning(int32_t quantity)
{
    return quantity < QUANTITIES ? table[quantity].meaning : NULL;
}

static stn_measure measure_row(const row *of, const stn_subject *subject)
{
    int64_t sum = 0;
    if ((of->hidden & ON_GPU) && strncmp(subject->function->target, "sm_", 3) != 0)
        return absent("only GPU code has this quantity");
    if (of->measure)
        return of->measure(subject);
    for (int f = 0; f < MAX_FIELDS && of->fields[f]; f++) {
        int32_t value;
        memcpy(&value, (const char *)subject->counts + of->fields[f], sizeof value);
        sum += value;
    }
    return whole(sum);
}

/* Relative to the function, an unresolved jump is a call or a counted path; relative to a loop it
 * may be a path through the loop that is not counted. */
int stn_subject_hides(const stn_subject *subject)
{
    const stn_code_counts *counts = subject->counts;
    const int is_whole = subject->loop == STN_LOOP_NONE;
    int hidden = counts->repeats > 0 ? STN_HIDDEN_REPEATS : 0;
    hidden |= counts->unknown > 0 ? STN_HIDDEN_UNKNOWN : 0;
    hidden |= counts->calls > 0 ? STN_HIDDEN_CALLS : 0;
    if (counts->unresolved_jumps > 0)
        hidden |= STN_HIDDEN_JUMPS | (is_whole ? STN_HIDDEN_CALLS : STN_HIDDEN_PATHS);
    if (counts->lost_ways > 0)
        hidden |= STN_HIDDEN_JUMPS | STN_HIDDEN_PATHS;
    if (counts->irreducible > 0 && !is_whole)
        hidden |= STN_HIDDEN_ROUNDS;
    if (counts->unknown_registers > 0)
        hidden |= STN_HIDDEN_REGISTERS;
    if (subject->function->irreducible > 0)
        hidden |= STN_HIDDEN_CYCLES;
    hidden |= counts->unsized_loads > 0 ? STN_HIDDEN_LOADED : 0;
    hidden |= counts->unsized_stores > 0 ? STN_HIDDEN_STORED : 0;
    hidden |= counts->read_overlaps ? STN_HIDDEN_READ_TWICE : 0;
    hidden |= counts->write_overlaps ? STN_HIDDEN_WRITTEN_TWICE : 0;
    return subject->leaves_out_calls ? hidden & ~STN_HIDDEN_CALLS : hidden;
}

stn_measure stn_quantity_measure(int32_t quantity, const stn_subject *subject)
{
    const row *of = &table[quantity];
    stn_measure result = measure_row(of, subject);
    result.hidden = of->hidden & stn_subject_hides(subject);
    const int twice = result.hidden & (STN_HIDDEN_READ_TWICE | STN_HIDDEN_WRITTEN_TWICE);
    const int others = result.hidden & ~twice;
    const int is_any = of->side == ANY || (others & STN_HIDDEN_ROUNDS);
    result.may_be_more = others && (is_any || of->side == MORE);
    result.may_be_less = twice || (others && (is_any || of->side == LESS));
    return result;
}

stn_measure stn_sequence_measure(int32_t count, int is_lost, const stn_subject *subject)
{
    const int is_gpu = strncmp(subject->function->target, "sm_", 3) == 0;
    stn_measure result = is_lost ? absent("it has too many partial matches at once") : whole(count);
    result.hidden = stn_subject_hides(subject) & (LISTED | (is_gpu ? STN_HIDDEN_UNKNOWN : 0));
    result.may_be_more = result.hidden != 0;
    result.may_be_less = (result.hidden & STN_HIDDEN_ROUNDS) != 0;
    return result;
}

static int hides(const stn_code *code, int32_t i, int hidden)
{
    const stn_machine_instruction *at = &code->instructions[i];
    return stn_code_is_unsized(at, hidden & STN_HIDDEN_LOADED, hidden & STN_HIDDEN_STORED) ||
           ((hidden & STN_HIDDEN_REPEATS) && at->repeats) ||
           ((hidden & STN_HIDDEN_UNKNOWN) && at->operation == STN_OP_UNKNOWN) ||
           ((hidden & STN_HIDDEN_CALLS) && stn_code_leaves(code, at));
}

/* The irreducible cycle in the loop; without a loop, the candidate for the main loop, or the first
 * one. */
static int32_t find_cycle(const stn_code *code, int32_t loop)
{
    int32_t found = loop < 0 ? code->cycle : code->loops[loop].cycle;
    found = found < 0 ? code->main_cycle : found;
    for (int32_t l = 0; l < code->loop_count && found < 0; l++)
        found = code->loops[l].cycle;
    return found < 0 ? code->cycle : found;
}

int32_t stn_code_hiding(const stn_code *code, int32_t loop, int hidden)
{
    int32_t overlap = -1;
    if (hidden & (STN_HIDDEN_CYCLES | STN_HIDDEN_ROUNDS))
        return find_cycle(code, loop);
    const int jumps = hidden & (STN_HIDDEN_JUMPS | STN_HIDDEN_PATHS);
    const int leaves = loop < 0 && (hidden & STN_HIDDEN_CALLS);
    for (int32_t i = 0; code->gpu && (hidden & STN_HIDDEN_REGISTERS) && i < code->count; i++)
        if (!code->gpu[i].is_known)
            return i;
    for (int32_t i = 0; i < code->count; i++)
        if ((loop < 0 || code->loop_of[i] == loop) && hides(code, i, hidden))
            return i;
    for (int32_t i = 0; i < code->count; i++)
        if (((jumps || leaves) && stn_code_is_unresolved_jump(code, i)) ||
            (jumps && code->instructions[i].is_lost))
            return i;
    for (int writes = 0; writes < 2 && overlap < 0; writes++)
        if ((hidden & (writes ? STN_HIDDEN_WRITTEN_TWICE : STN_HIDDEN_READ_TWICE)) &&
            stn_code_overlap(code, loop, writes, &overlap) != STN_OK)
            return -1;
    return overlap;
}

/* ---- similar names ---- */

enum { LONGEST_NAME = 24 };

/* Edit distance (Levenshtein, 1966). */
static int distance(const char *word, size_t length, const char *name)
{
    int costs[LONGEST_NAME + 1];
    const int columns = (int)strlen(name);
    for (int c = 0; c <= columns; c++)
        costs[c] = c;
    for (size_t r = 0; r < length; r++) {
        int diagonal = costs[0];
        costs[0] = (int)r + 1;
        for (int c = 1; c <= columns; c++) {
            const int kept = diagonal + (word[r] != name[c - 1]);
            diagonal = costs[c];
            const int least = costs[c] < costs[c - 1] ? costs[c] : costs[c - 1];
            costs[c] = kept < least + 1 ? kept : least + 1;
        }
    }
    return costs[columns];
}

void stn_quantity_similar(const char *name, size_t length, char *similar, size_t capacity)
{
    size_t used = 0;
    int found = 0;
    *similar = '\0';
    for (int wanted = 1; wanted <= 3 && found < 3 && length <= LONGEST_NAME; wanted++)
        for (int32_t q = 0; q < QUANTITIES && found < 3; q++) {
            if (distance(name, length, table[q].name) != wanted || 3 * (size_t)wanted > length)
                continue;
            used += (size_t)snprintf(similar + used, capacity - used, "%s%s", found ? ", " : "",
                                     table[q].name);
            found++;
            if (used >= capacity)
                return;
        }
}
