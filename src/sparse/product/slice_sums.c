/* Sums of the rows of slices for STN_FORMAT on STN_ISA: one row in each lane of a vector, so that
 * the tree adds whole vectors. */
#include "sparse/product/slice_sums.h"

#include "format/vec.h"
#include "format/vec/affine.h"
#include "sparse/kinds/slice.h"
#include "order/fold.h"
#include "sparse/product/slice_vectors.h"

/* Prefetches the codes of entry e of a subsequent slice. Prefetches of all entries at once would
 * wait for each other. */
STN_FN void fetch_entry(const code *codes, int64_t e)
{
    enum {
        BYTES = STN_SLICE_ROWS * sizeof(code),
        ENTRIES = BYTES < STN_LINE ? STN_LINE / BYTES : 1
    };
    const uintptr_t from = (uintptr_t)(codes + e * STN_SLICE_ROWS) + (uintptr_t)stn_tuned_sparse;
    for (int at = 0; at < BYTES && e % ENTRIES == 0; at += STN_LINE)
        __builtin_prefetch((const void *)(from + (uintptr_t)at), 0, 3);
}

#define HAS_UNIFORM 0
typedef code slice_code;
typedef affine_f64 slice_values_f64;
typedef affine_f32 slice_values_f32;

STN_FN affine_f64 open_values_f64(const stn_slices *slices)
{
    return take_affine_f64(&slices->run->affine);
}

STN_FN affine_f32 open_values_f32(const stn_slices *slices)
{
    return take_affine_f32(&slices->run->affine);
}

STN_FN const code *codes_at(const stn_slices *slices, int64_t slot, int plain)
{
    (void)plain;
    return (const code *)slices->codes + slot;
}

STN_FN piece_f64 read_entry_f64(const code *codes, int64_t e, int from, const affine_f64 *affine,
                                int plain)
{
    fetch_entry(codes + from, e);
    return read_f64(codes + from + e * STN_SLICE_ROWS, affine, plain);
}

STN_FN piece_f32 read_entry_f32(const code *codes, int64_t e, int from, const affine_f32 *affine,
                                int plain)
{
    fetch_entry(codes + from, e);
    return read_f32(codes + from + e * STN_SLICE_ROWS, affine, plain);
}

#define REAL     double
#define OF(name) name##_f64
#include "sparse/product/slice_sums_of.h"
#undef REAL
#undef OF

#define REAL     float
#define OF(name) name##_f32
#include "sparse/product/slice_sums_of.h"
#undef REAL
#undef OF

static void slices_f64(double *sums, const stn_slices *slices, int64_t first, int64_t count,
                       const void *x)
{
    STN_BY_PLAIN(slices->run->affine.plain, run_slices_f64, sums, slices, first, count, x);
}

static void slices_f32(double *sums, const stn_slices *slices, int64_t first, int64_t count,
                       const void *x)
{
    STN_BY_PLAIN(slices->run->affine.plain, run_slices_f32, sums, slices, first, count, x);
}

extern const stn_slice_loops STN_INSTANCE(stn_slice_loops);
const stn_slice_loops STN_INSTANCE(stn_slice_loops) = {slices_f64, slices_f32};
