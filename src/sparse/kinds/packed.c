/* Dictionaries of the distinct values of a sparse matrix, and indices into them. */
#include "sparse/kinds/packed.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "format/registry.h"
#include "format/run.h"

/* ---- distinct codes ---- */

enum { SLOTS = 4 * STN_PACKED_DISTINCT, MAX_CODE = 16 };

/* Open addressing: a slot contains 1 + the index of a code, or 0. */
typedef struct code_table {
    int32_t *slot;
    unsigned char *codes; /* distinct codes in the order of their first occurrence */
    int64_t code, distinct;
} code_table;

static stn_status create_table(code_table *t, int64_t code)
{
    *t = (code_table){.code = code};
    STN_TRY(stn_allocate(&t->slot, SLOTS, sizeof *t->slot, "distinct values of a matrix"));
    memset(t->slot, 0, SLOTS * sizeof *t->slot);
    const stn_status status =
        stn_allocate(&t->codes, STN_PACKED_DISTINCT, (size_t)code, "distinct values of a matrix");
    if (status != STN_OK)
        stn_free(t->slot);
    return status;
}

static void release_table(code_table *t)
{
    stn_free(t->slot);
    stn_free(t->codes);
}

static uint64_t hash_of(const unsigned char *code, int64_t bytes)
{
    uint64_t part[MAX_CODE / sizeof(uint64_t)] = {0};
    memcpy(part, code, (size_t)bytes);
    const uint64_t mixed = (part[0] ^ part[1] * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
    return (mixed ^ mixed >> 32) * 0xc4ceb9fe1a85ec53u >> 40;
}

/* The index of a code, which is added if it is new; -1 if there are too many. */
static int64_t find_code(code_table *t, const unsigned char *code)
{
    uint64_t at = hash_of(code, t->code) % SLOTS;
    for (; t->slot[at] > 0; at = (at + 1) % SLOTS)
        if (memcmp(t->codes + (t->slot[at] - 1) * t->code, code, (size_t)t->code) == 0)
            return t->slot[at] - 1;
    if (t->distinct == STN_PACKED_DISTINCT)
        return -1;
    memcpy(t->codes + t->distinct * t->code, code, (size_t)t->code);
    t->slot[at] = (int32_t)++t->distinct;
    return t->distinct - 1;
}

static int64_t code_bytes(const stn_matrix *a)
{
    return stn_format_entry_of(a->storage.format)->info.bytes;
}

/* Finds the index of each entry and stores it in *indices unless that is NULL. Returns whether
 * there are indices for all. */
static int find_indices(const stn_matrix *rows, code_table *t, uint16_t *indices)
{
    const unsigned char *code = rows->values;
    int64_t index = -1;
    for (int64_t k = 0; k < rows->entries; k++, code += t->code) {
        if (index < 0 || memcmp(t->codes + index * t->code, code, (size_t)t->code) != 0)
            index = find_code(t, code);
        if (index < 0)
            return 0;
        if (indices)
            indices[k] = (uint16_t)index;
    }
    return 1;
}

stn_status stn_packed_count(const stn_matrix *rows, int64_t *distinct)
{
    code_table t;
    STN_TRY(create_table(&t, code_bytes(rows)));
    *distinct = find_indices(rows, &t, NULL) ? t.distinct : STN_PACKED_DISTINCT + 1;
    release_table(&t);
    return STN_OK;
}

stn_status stn_packed_refuse(const char *call, const stn_matrix *rows)
{
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s: %s has more than %d distinct values, the maximum of STN_MATRIX_PACKED",
                    call, stn_matrix_name(rows), STN_PACKED_DISTINCT);
}

/* ---- dictionaries ---- */

static stn_status fill_dictionary(const char *call, const stn_matrix *rows, code_table *t,
                                  stn_dictionary *dictionary)
{
    uint16_t *const indices = dictionary->indices;
    if (!find_indices(rows, t, indices))
        return stn_packed_refuse(call, rows);
    dictionary->codes = t->codes;
    t->codes = NULL;
    dictionary->distinct = t->distinct;
    dictionary->bits = stn_packed_bits(t->distinct);
    for (int64_t k = 0; dictionary->bits < 16 && k < rows->entries; k++)
        ((unsigned char *)dictionary->indices)[k] = (unsigned char)indices[k];
    return STN_OK;
}

stn_status stn_dictionary_create(const char *call, const stn_matrix *rows,
                                 stn_dictionary *dictionary)
{
    code_table t;
    *dictionary = (stn_dictionary){0};
    STN_TRY(create_table(&t, code_bytes(rows)));
    stn_status status = stn_allocate(&dictionary->indices, rows->entries, sizeof(uint16_t),
                                     "indices of the values of a matrix");
    if (status == STN_OK)
        status = fill_dictionary(call, rows, &t, dictionary);
    release_table(&t);
    return status;
}

void stn_dictionary_release(stn_dictionary *dictionary)
{
    stn_free(dictionary->indices);
    stn_free(dictionary->codes);
}

void stn_packed_store(void *packed, const void *indices, int64_t slots, int64_t bits)
{
    const unsigned char *const index = indices;
    unsigned char *const to = packed;
    const int64_t each = bits < 8 ? 8 / bits : 1, bytes = slots / 8 * bits;
    for (int64_t k = 0; bits < 8 && k < bytes; k++) {
        int byte = 0;
        for (int64_t n = 0; n < each; n++)
            byte |= index[k * each + n] << n * bits;
        to[k] = (unsigned char)byte;
    }
    if (bits >= 8)
        memcpy(to, index, (size_t)bytes);
    memset(to + bytes, 0, STN_PACKED_PADDING);
}

/* ---- products ---- */

enum { MIN_TABLE = 16 };

stn_status stn_packed_open(stn_packed_values *opened, const stn_matrix *a, stn_format values_in)
{
    const int64_t bytes = stn_format_entry_of(values_in)->info.bytes;
    const int64_t size = a->distinct < MIN_TABLE ? MIN_TABLE : a->distinct;
    char *values = NULL;
    stn_run run;
    *opened = (stn_packed_values){.codes = a->values, .bits = a->bits, .bytes = bytes};
    STN_TRY(stn_run_init_in_modes(&run, values_in, &a->storage));
    STN_TRY(stn_allocate(&values, size, (size_t)bytes, "distinct values decoded"));
    opened->table = values;
    memset(values, 0, (size_t)(size * bytes));
    if (a->distinct > 0)
        stn_run_decode(&run, values, a->dictionary, 1, a->distinct);
    for (int64_t k = 4; a->bits == 2 && k < MIN_TABLE; k += 4)
        memcpy(values + k * bytes, values, (size_t)(4 * bytes));
    return STN_OK;
}

void stn_packed_close(stn_packed_values *opened)
{
    stn_free(opened->table);
    opened->table = NULL;
}

/* Decodes bytes of two or four indices; `bits` is a constant in the callers. */
#define DEFINE_DECODE(name, type)                                                                  \
    static inline void decode_bits_##name(const unsigned char *codes, const type *table, type *to, \
                                          int64_t first, int64_t count, const int bits)            \
    {                                                                                              \
        const int mask = (1 << bits) - 1;                                                          \
        int64_t k = 0;                                                                             \
        for (; k < count && (first + k) * bits % 8 != 0; k++)                                      \
            to[k] = table[codes[(first + k) * bits / 8] >> (first + k) * bits % 8 & mask];         \
        for (; k + 8 / bits <= count; k += 8 / bits)                                               \
            for (int n = 0; n < 8 / bits; n++)                                                     \
                to[k + n] = table[codes[(first + k) * bits / 8] >> n * bits & mask];               \
        for (; k < count; k++)                                                                     \
            to[k] = table[codes[(first + k) * bits / 8] >> (first + k) * bits % 8 & mask];         \
    }                                                                                              \
    static void decode_##name(const stn_packed_values *opened, void *to, int64_t first,            \
                              int64_t count)                                                       \
    {                                                                                              \
        const type *const values = opened->table;                                                  \
        const unsigned char *const codes = opened->codes + 2 * first;                              \
        if (opened->bits == 2)                                                                     \
            decode_bits_##name(opened->codes, values, to, first, count, 2);                        \
        else if (opened->bits == 4)                                                                \
            decode_bits_##name(opened->codes, values, to, first, count, 4);                        \
        else if (opened->bits == 8)                                                                \
            decode_bits_##name(opened->codes, values, to, first, count, 8);                        \
        for (int64_t k = 0; k < count && opened->bits == 16; k++)                                  \
            ((type *)to)[k] = values[codes[2 * k] | codes[2 * k + 1] << 8];                        \
    }
DEFINE_DECODE(f32, float)
DEFINE_DECODE(f64, double)
DEFINE_DECODE(c128, stn_c128)

void stn_packed_decode(const stn_packed_values *opened, void *values, int64_t first, int64_t count)
{
    /* A c64 is moved like a double. */
    (opened->bytes == 4   ? decode_f32
     : opened->bytes == 8 ? decode_f64
                          : decode_c128)(opened, values, first, count);
}
