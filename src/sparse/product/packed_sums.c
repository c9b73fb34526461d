/* Sums of the rows of packed slices in arithmetic STN_FORMAT, f64 or f32, on STN_ISA: as those of
 * slice_sums.c, with values from a dictionary. */
#include "sparse/product/slice_sums.h"

#include <string.h>

#include "format/vec.h"
#include "format/vec/affine.h"
#include "order/fold.h"
#include "sparse/product/slice_vectors.h"

#define HAS_UNIFORM 1
typedef unsigned char slice_code;

#define OF__(name, format) name##_##format
#define OF_(name, format)  OF__(name, format)
#define OF(name)           OF_(name, STN_FORMAT)
#define REAL               code

/* The dictionary, at least 16 values. */
typedef struct OF(slice_values) {
    const code *table;
    int64_t bits; /* of an index */
} OF(slice_values);

STN_FN OF(slice_values) OF(open_values)(const stn_slices *slices)
{
    return (OF(slice_values)){slices->packed->table, slices->packed->bits};
}

/* Slices begin at multiples of 16 slots. `form` is a constant: 0 in uniform slices, or bits per
 * index. */
STN_FN const slice_code *codes_at(const stn_slices *slices, int64_t slot, int form)
{
    (void)form;
    return slices->packed->codes + slot / 8 * slices->packed->bits;
}

/* The value of entry e of a uniform slice. An index of fewer than 16 bits is in one byte. */
STN_FN OF(piece)
    OF(read_uniform)(const slice_code *codes, int64_t e, const OF(slice_values) * values)
{
    const int64_t bit = e * values->bits;
    uint16_t pair;
    memcpy(&pair, codes + bit / 8, sizeof pair);
    return OF(repeat)(values->table[pair >> bit % 8 & ((1 << values->bits) - 1)]);
}

/* table[index] for indices of 8 or 16 bits, which are loaded one by one: gather instructions take
 * 2 to 4 times as long on Cascade Lake. */
STN_FN OF(piece) OF(look_up)(const code *table, const slice_code *at, int bits)
{
    uint16_t index[V_PIECE];
    if (bits == 16)
        return OF(gather_near)(table, (const uint16_t *)(const void *)at);
    for (int r = 0; r < V_PIECE; r++)
        index[r] = at[r];
    return OF(gather_near)(table, index);
}

/* Values of entry e. */
STN_FN OF(piece) OF(read_entry)(const slice_code *codes, int64_t e, int from,
                                const OF(slice_values) * values, int bits)
{
    const slice_code *const at = codes + (e * STN_SLICE_ROWS + from) * bits / 8;
    uint64_t indices = 0;
    if (bits == 0)
        return OF(read_uniform)(codes, e, values);
    if (bits < 8) {
        memcpy(&indices, at, (size_t)(V_PIECE * bits / 8));
        return OF(v_pick)(values->table, indices, bits);
    }
    return OF(look_up)(values->table, at, bits);
}

#include "sparse/product/slice_sums_of.h"

extern stn_sum_slices STN_INSTANCE(stn_packed_sums);
void STN_INSTANCE(stn_packed_sums)(double *sums, const stn_slices *slices, int64_t first,
                                   int64_t count, const void *x)
{
    switch (slices->packed->bits) {
    case 2:
        OF(run_slices)(sums, slices, first, count, x, 2);
        break;
    case 4:
        OF(run_slices)(sums, slices, first, count, x, 4);
        break;
    case 8:
        OF(run_slices)(sums, slices, first, count, x, 8);
        break;
    default:
        OF(run_slices)(sums, slices, first, count, x, 16);
    }
}
