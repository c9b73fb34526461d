/* Model of the times of sparse products. Its constants are cycles of Zen 4 with AVX-512 or AVX2 and
 * of Cascade Lake with AVX-512, by bench_sparse_optimize. */
#include "sparse/kinds/cost.h"

#include <math.h>
#if defined __x86_64__
#    include <cpuid.h>
#endif

#include "core/cpu.h"
#include "format/registry.h"
#include "sparse/kinds/packed.h"
#include "sparse/kinds/slice.h"

static const double CLOCK = 3e9;         /* Hz: cycles of the model are thirds of nanoseconds */
static const double LAST_LEVEL = 0x1p23; /* bytes per thread in the last-level cache */

/* Cycles of one thread in the loops over compressed rows and slices. */
typedef struct loop_cycles {
    double row, entry; /* compressed rows */
    double halves;     /* of 16 bits or fewer, in addition per entry */
    double uneven;     /* in addition for a row that is not as long as the previous one */
    double consecutive_row, consecutive_entry; /* rows of slices */
    double slice;                              /* 16 interleaved rows without their entries */
    double straight, run, gathered;            /* entry e of 16 rows, by its columns */
} loop_cycles;

/* Bytes per second of a thread, from the second-level cache on: up to 2^19 bytes, LAST_LEVEL, 4
 * LAST_LEVEL, and from memory, whose bandwidth several threads share. */
typedef struct processor {
    loop_cycles wide; /* AVX-512 */
    double lookup_16, lookup;
    double second_level, last_level, beyond, one_thread, shared;
} processor;

static const processor zen = {{3.0, 0.9, 0.0, 0.0, 9.0, 1.4, 15.0, 7.0, 14.0, 40.0},
                              9.0,
                              1.5,
                              6e10,
                              5e10,
                              2.2e10,
                              2.2e10,
                              1.9e10};
static const processor intel = {{3.5, 2.2, 0.9, 6.0, 9.0, 3.8, 15.0, 7.0, 14.0, 65.0},
                                40.0,
                                3.0,
                                6e10,
                                2.3e10,
                                1.4e10,
                                1.0e10,
                                0.8e10};
static const loop_cycles narrow = {4.0, 1.0, 0.0, 0.0, 9.0, 2.0, 50.0, 10.0, 18.0, 60.0};
/* Kernels that read the arrays through views. */
static const loop_cycles portable = {170.0, 16.0,   0.0,   0.0,   255.0,
                                     24.0,  4080.0, 384.0, 384.0, 384.0};

static int is_intel(void)
{
#if defined __x86_64__
    unsigned a, b = 0, c, d;
    return __get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx;
#else
    return 0;
#endif
}

static const processor *this_processor(void)
{
    return is_intel() ? &intel : &zen;
}

static const loop_cycles *cycles_of(stn_isa isa)
{
    return isa == STN_ISA_AVX512 ? &this_processor()->wide : isa == STN_ISA_C ? &portable : &narrow;
}

/* Packed slices whose values are in registers are not slower than slices. They are preferred if a
 * product reads at most this part of the bytes. */
static const double PACKED_PART = 0.8;

/* Cycles per entry and row of conversions. */
static const double SLICE_ENTRY = 20.0, SLICE_ROW = 120.0, PACK_ENTRY = 12.0, COMPRESS_ENTRY = 16.0,
                    COMPRESS_ROW = 20.0;

/* ---- estimates ---- */

static stn_slice_work examine(const stn_matrix *rows, int64_t code, int is_packed, double *factor)
{
    const int64_t slices = stn_slices_of(rows->rows);
    const int64_t step = slices / STN_COST_SLICES + 1;
    stn_slice_work work = {0};
    for (int64_t slice = step / 2; slice < slices; slice += step)
        stn_slice_examine(rows, slice, code, is_packed, &work);
    *factor = work.entries > 0 ? (double)rows->entries / (double)work.entries : 0.0;
    return work;
}

static double cycles_of_slices(const stn_matrix *rows, const stn_slice_work *work, double factor,
                               const loop_cycles *loop)
{
    return loop->slice * (double)rows->rows / STN_SLICE_ROWS +
           factor * (loop->straight * (double)work->straight + loop->run * (double)work->runs +
                     loop->gathered * (double)work->gathered +
                     loop->consecutive_row * (double)work->consecutive_rows +
                     loop->consecutive_entry * (double)work->consecutive_entries);
}

/* Bytes of x and y. */
static double bytes_of_vectors(const stn_matrix *rows, stn_format arithmetic)
{
    const int64_t used = rows->columns < rows->entries ? rows->columns : rows->entries;
    return (double)((rows->rows + used) * stn_format_entry_of(arithmetic)->info.bytes);
}

/* The part of the rows that are not as long as the previous one. */
static double uneven_part(const stn_matrix *rows)
{
    const int64_t step = rows->rows / (STN_COST_SLICES * STN_SLICE_ROWS) + 1;
    int64_t count = 0, uneven = 0;
    for (int64_t r = 1; r + 1 <= rows->rows; r += step, count++) {
        const int64_t *const start = rows->row_start + r;
        uneven += start[1] - start[0] != start[0] - start[-1];
    }
    return count > 0 ? (double)uneven / (double)count : 0.0;
}

static void estimate(const stn_matrix *rows, stn_format value, stn_format arithmetic,
                     const loop_cycles *loop, stn_costs *costs)
{
    const int64_t code = stn_format_entry_of(value)->info.bytes;
    const stn_format_info *const number = &stn_format_entry_of(arithmetic)->info;
    /* Twice the products and sums of complex numbers; half the vectors of f32. */
    const double parts = number->kind == STN_CLASS_COMPLEX ? 2.0 : 1.0;
    const double entries = (double)rows->entries, count = (double)rows->rows;
    const double vectors = bytes_of_vectors(rows, arithmetic);
    double factor;
    const stn_slice_work work = examine(rows, code, 0, &factor);
    costs->compressed.bytes = vectors + entries * (double)(4 + code) + 8.0 * count;
    costs->compressed.cycles =
        parts * (loop->row * count + (loop->entry + (code <= 2 ? loop->halves : 0.0)) * entries) +
        loop->uneven * uneven_part(rows) * count;
    costs->sliced.bytes = vectors + count + factor * ((double)(work.slots * code + 4 * work.words));
    costs->compressed.waits = 0;
    costs->sliced.waits = 1;
    costs->sliced.cycles = parts * cycles_of_slices(rows, &work, factor, loop);
    costs->compress_cycles = COMPRESS_ENTRY * entries + COMPRESS_ROW * count;
    costs->slice_cycles = SLICE_ENTRY * entries + SLICE_ROW * count;
}

void stn_cost_estimate(const stn_matrix *rows, stn_format value, stn_format arithmetic,
                       stn_costs *costs)
{
    estimate(rows, value, arithmetic, cycles_of(stn_isa_chosen()), costs);
}

void stn_cost_estimate_packed(const stn_matrix *rows, int64_t distinct, stn_format arithmetic,
                              stn_costs *costs)
{
    const loop_cycles *const loop = cycles_of(stn_isa_chosen());
    const int64_t bits = stn_packed_bits(distinct), index = bits == 16 ? 2 : 1;
    double factor;
    const stn_slice_work work = examine(rows, index, 1, &factor);
    const double sixteens = (double)(work.straight + work.runs + work.gathered);
    const double lookups = factor * (this_processor()->lookup_16 * sixteens +
                                     this_processor()->lookup * (double)work.consecutive_entries);
    costs->packed.bytes = bytes_of_vectors(rows, arithmetic) + (double)rows->rows +
                          factor * ((double)(work.slots * bits) / 8.0 + 4.0 * (double)work.words);
    costs->packed.cycles = cycles_of_slices(rows, &work, factor, loop) + (bits > 4 ? lookups : 0.0);
    costs->packed.waits = bits > 4;
    costs->pack_cycles = costs->slice_cycles + PACK_ENTRY * (double)rows->entries;
}

int stn_cost_prefers_packed(const stn_matrix *rows, int64_t distinct, int64_t slice_bytes,
                            int64_t packed_bytes)
{
    const double vectors = bytes_of_vectors(rows, STN_F64);
    return stn_packed_bits(distinct) <= 4 &&
           vectors + (double)packed_bytes <= PACKED_PART * (vectors + (double)slice_bytes);
}

/* Times relative to contiguous compressed rows, see doc/sparse.md. */
stn_cost stn_cost_of_arrays(const stn_matrix *a, const stn_costs *costs)
{
    static const double factors[] = {[STN_MATRIX_CSR] = 2.2,
                                     [STN_MATRIX_SLICED] = 1.0,
                                     [STN_MATRIX_COO] = 4.0,
                                     [STN_MATRIX_ELL] = 1.2,
                                     [STN_MATRIX_SELL] = 1.4};
    if (a->kind == STN_MATRIX_SLICED)
        return costs->sliced;
    if (a->kind == STN_MATRIX_PACKED)
        return costs->packed;
    if (stn_spmv_is_fusible(a))
        return costs->compressed;
    const double padding = a->kind == STN_MATRIX_ELL && a->entries > 0
                               ? (double)stn_view_count(&a->indices) / (double)a->entries
                               : 1.0;
    const double factor = factors[a->kind] * padding;
    return (stn_cost){factor * costs->compressed.bytes, factor * costs->compressed.cycles, 0};
}

/* ---- seconds ---- */

static double bandwidth(const processor *on, double bytes_of_thread, double threads)
{
    return bytes_of_thread < 0x1p19                               ? on->second_level
           : bytes_of_thread < LAST_LEVEL                         ? on->last_level
           : bytes_of_thread < 4.0 * LAST_LEVEL && threads == 1.0 ? on->beyond
           : threads > 1.0                                        ? on->shared
                                                                  : on->one_thread;
}

static double seconds_of(const processor *on, double threads, const stn_cost *cost)
{
    const double bytes = cost->bytes / threads;
    const double traffic = bytes / bandwidth(on, bytes, threads),
                 loops = cost->cycles / threads / CLOCK;
    const int adds_up = cost->waits && bytes >= LAST_LEVEL;
    return 5e-7 + (adds_up ? traffic + loops : fmax(traffic, loops));
}

double stn_cost_seconds(const stn_exec *exec, const stn_cost *cost)
{
    return seconds_of(this_processor(), exec->threads, cost);
}

int stn_cost_prefers_slices(const stn_matrix *rows, stn_format value)
{
    const processor *const on = this_processor();
    stn_costs costs;
    estimate(rows, value, STN_F64, &on->wide, &costs);
    return seconds_of(on, 2.0, &costs.sliced) <= seconds_of(on, 2.0, &costs.compressed);
}

double stn_cost_conversion_seconds(const stn_exec *exec, double cycles)
{
    return 1e-5 + cycles / CLOCK / (exec ? exec->threads : 1);
}

/* One thread computes each row. The threads of compressed rows and of coordinates read different
 * sectors of memory at a time. */
double stn_cost_device_seconds(stn_matrix_kind kind, int64_t bytes)
{
    static const double factors[] = {[STN_MATRIX_CSR] = 2.0,
                                     [STN_MATRIX_SLICED] = 1.5,
                                     [STN_MATRIX_COO] = 2.0,
                                     [STN_MATRIX_ELL] = 1.0,
                                     [STN_MATRIX_SELL] = 1.1};
    return 5e-6 + factors[kind] * (double)bytes / 1e12;
}

double stn_cost_device_conversion(int64_t bytes, const stn_costs *costs)
{
    return 1e-4 + (costs->compress_cycles + costs->slice_cycles) / CLOCK +
           2.0 * (double)bytes / 1e10;
}
