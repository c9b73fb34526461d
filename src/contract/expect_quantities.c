/* The quantities that facts bound: one table of names, meanings and where their numbers come from.
 */
#include "contract/expect.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 8 };

/* The sum of some int32 fields of stn_code_counts, or what a function says. */
typedef struct row {
    const char *name, *meaning;
    stn_measure (*measure)(const stn_subject *subject);
    size_t fields[MOST_FIELDS]; /* 0 after the last: there lies the struct's size */
} row;

static stn_measure whole(int64_t value)
{
    return (stn_measure){value, 1, NULL};
}

static stn_measure absent(const char *why)
{
    return (stn_measure){0, 1, why};
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

static stn_measure width_of(int64_t bits, const char *why)
{
    return bits ? whole(bits) : absent(why);
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

static const char no_elements[] = "by how many elements an iteration advances cannot be told";

static stn_measure bytes_per_element(const stn_subject *subject)
{
    const stn_code_counts *counts = subject->counts;
    if (counts->elements <= 0)
        return absent(no_elements);
    return (stn_measure){distinct(counts), counts->elements, NULL};
}

static stn_measure elements(const stn_subject *subject)
{
    const int32_t count = subject->counts->elements;
    return count > 0 ? whole(count) : absent(no_elements);
}

/* ---- registers and the stack ---- */

/* A loop's spills are counted; a function saves registers on its way in, too, so that bytes say
 * more, and they are what an assembler of cubins reports. */
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
    return count >= 0 ? whole(count) : absent("the file does not tell the registers");
}

static stn_measure stack(const stn_subject *subject)
{
    const int64_t size = subject->function->stack_bytes;
    return size >= 0 ? whole(size) : absent("the file does not tell the size of the stack frame");
}

static stn_measure loops(const stn_subject *subject)
{
    return whole(subject->function->loops);
}

/* ---- the table ---- */

#define COUNTED   NULL
#define AT(field) offsetof(stn_code_counts, field)

/* clang-format off */ /* it would take the rows apart */
#define LOADS(bits)                                                                                \
    {"load." #bits, "loads of " #bits " bits", COUNTED, {AT(loads[STN_WIDTH_##bits])}}
#define STORES(bits)                                                                               \
    {"store." #bits, "stores of " #bits " bits", COUNTED, {AT(stores[STN_WIDTH_##bits])}}
#define WIDTHS(array)                                                                              \
    {AT(array[0]), AT(array[1]), AT(array[2]), AT(array[3]), AT(array[4]), AT(array[5]),           \
     AT(array[6])}
#define SCALAR(KIND) {AT(scalar[STN_KIND_##KIND]), AT(scalar_fma[STN_KIND_##KIND])}
#define PACKED(KIND) {AT(packed[STN_KIND_##KIND]), AT(packed_fma[STN_KIND_##KIND])}
#define FLOATS(plain, fused)                                                                       \
    {AT(plain[STN_KIND_F64]), AT(plain[STN_KIND_F32]), AT(plain[STN_KIND_F16]),                    \
     AT(fused[STN_KIND_F64]), AT(fused[STN_KIND_F32]), AT(fused[STN_KIND_F16])}

static const row table[] = {
    {"load", "loads from memory", COUNTED, WIDTHS(loads)},
    {"store", "stores to memory", COUNTED, WIDTHS(stores)},
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
    {"load.width", "bits of the narrowest load", load_width, {0}},
    {"load.widest", "bits of the widest load", load_widest, {0}},
    {"store.width", "bits of the narrowest store", store_width, {0}},
    {"store.widest", "bits of the widest store", store_widest, {0}},
    {"bytes", "distinct bytes read and written", bytes, {0}},
    {"bytes.read", "distinct bytes read", bytes_read, {0}},
    {"bytes.written", "distinct bytes written", bytes_written, {0}},
    {"bytes.raw", "bytes of all loads and stores, the same ones again", bytes_raw, {0}},
    {"bytes/elem", "distinct bytes per element", bytes_per_element, {0}},
    {"elements", "elements that an iteration advances by", elements, {0}},
    {"scalar.f64", "scalar arithmetic in f64, fma among it", COUNTED, SCALAR(F64)},
    {"scalar.f32", "scalar arithmetic in f32", COUNTED, SCALAR(F32)},
    {"scalar.f16", "scalar arithmetic in f16 or bf16", COUNTED, SCALAR(F16)},
    {"scalar.integer", "scalar arithmetic in integers", COUNTED, SCALAR(INTEGER)},
    {"packed.f64", "packed arithmetic in f64, fma among it", COUNTED, PACKED(F64)},
    {"packed.f32", "packed arithmetic in f32", COUNTED, PACKED(F32)},
    {"packed.f16", "packed arithmetic in f16 or bf16", COUNTED, PACKED(F16)},
    {"packed.integer", "packed arithmetic in integers", COUNTED, PACKED(INTEGER)},
    {"scalar", "scalar arithmetic in floats", COUNTED, FLOATS(scalar, scalar_fma)},
    {"packed", "packed arithmetic in floats", COUNTED, FLOATS(packed, packed_fma)},
    {"fma", "fused multiplications and additions", COUNTED, FLOATS(scalar_fma, packed_fma)},
    {"scalar_cvt", "scalar conversions between types of numbers", COUNTED, {AT(scalar_conversions)}},
    {"packed_cvt", "packed conversions between types of numbers", COUNTED, {AT(packed_conversions)}},
    {"cvt", "conversions", COUNTED, {AT(scalar_conversions), AT(packed_conversions)}},
    {"divisions", "divisions and square roots", COUNTED, {AT(divisions)}},
    {"gathers", "loads from several addresses", COUNTED, {AT(gathers)}},
    {"scatters", "stores to several addresses", COUNTED, {AT(scatters)}},
    {"calls", "calls", COUNTED, {AT(calls)}},
    {"branches", "branches and jumps", COUNTED, {AT(branches)}},
    {"spill", "stack accesses in a loop; bytes by them in a function", spill, {0}},
    {"instructions", "instructions", COUNTED, {AT(instructions)}},
    {"unknown", "instructions that Steno does not know", COUNTED, {AT(unknown)}},
    {"loops", "natural loops of the function", loops, {0}},
    {"regs", "registers of a cubin's kernel", registers, {0}},
    {"stack", "bytes of a cubin's stack frame", stack, {0}},
    {"local", "accesses of a GPU's local memory", COUNTED, {AT(local_loads), AT(local_stores)}},
    {"shared", "accesses of a GPU's shared memory", COUNTED, {AT(shared_loads), AT(shared_stores)}},
    {"constant", "loads of a GPU's constant memory", COUNTED, {AT(constant_loads)}},
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

stn_measure stn_quantity_measure(int32_t quantity, const stn_subject *subject)
{
    if (table[quantity].measure)
        return table[quantity].measure(subject);
    int64_t sum = 0;
    for (int f = 0; f < MOST_FIELDS && table[quantity].fields[f]; f++) {
        int32_t value;
        memcpy(&value, (const char *)subject->counts + table[quantity].fields[f], sizeof value);
        sum += value;
    }
    return whole(sum);
}

/* ---- names that look alike ---- */

enum { LONGEST_NAME = 24 };

/* Insertions, deletions and replacements that lead from one word to the other (Levenshtein, 1966).
 */
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

void stn_quantity_near(const char *name, size_t length, char *near, size_t room)
{
    size_t used = 0;
    int found = 0;
    *near = '\0';
    for (int wanted = 1; wanted <= 3 && found < 3 && length <= LONGEST_NAME; wanted++)
        for (int32_t q = 0; q < QUANTITIES && found < 3; q++) {
            if (distance(name, length, table[q].name) != wanted || 3 * (size_t)wanted > length)
                continue;
            used += (size_t)snprintf(near + used, room - used, "%s%s", found ? ", " : "",
                                     table[q].name);
            found++;
            if (used >= room)
                return;
        }
}
