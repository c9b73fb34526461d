/* Likely causes of a broken contract, derived from counts and accesses. */
#include "contract/check/expect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct suspicion {
    const stn_code *code;
    const stn_subject *subject;
    const stn_expectations *all;
    const stn_expectation *expectation;
    const unsigned char *broken; /* one byte per fact of the expectation */
    FILE *file;
    int known;
} suspicion;

static void report(suspicion *s, const char *sentence)
{
    fprintf(s->file, "  likely: %s\n", sentence);
    s->known++;
}

/* Is a fact broken whose quantity has this prefix? */
static int is_broken(const suspicion *s, const char *beginning)
{
    const stn_fact *facts = s->all->facts + s->expectation->first_fact;
    for (int32_t f = 0; f < s->expectation->fact_count; f++)
        if (s->broken[f] && !facts[f].pattern &&
            strncmp(stn_quantity_name(facts[f].quantity), beginning, strlen(beginning)) == 0)
            return 1;
    return 0;
}

static int32_t floats(const int32_t *plain, const int32_t *fused)
{
    int32_t sum = 0;
    for (int kind = STN_KIND_F64; kind <= STN_KIND_F16; kind++)
        sum += plain[kind] + fused[kind];
    return sum;
}

static int about_vectors(const suspicion *s)
{
    return is_broken(s, "load") || is_broken(s, "store") || is_broken(s, "scalar") ||
           is_broken(s, "packed") || is_broken(s, "elements") || is_broken(s, "fma");
}

/* ---- accesses with gaps ---- */

/* The constant that the loop adds to this register in one iteration, if it changes by constants
 * only. */
static int find_step(const suspicion *s, int32_t loop, int reg, int64_t *step)
{
    *step = 0;
    for (int32_t i = 0; reg >= 0 && i < s->code->count; i++) {
        const stn_machine_instruction *instruction = s->code->instructions + i;
        if (!stn_code_in_loop(s->code, loop, i))
            continue;
        if (instruction->step_register == reg)
            *step += instruction->step;
        else if (instruction->written >> (reg % 64) & 1)
            return 0;
    }
    return 1;
}

/* Stride of the access per iteration; -1 if unknown. */
static int64_t stride_of(const suspicion *s, int32_t loop, const stn_access *access)
{
    int64_t base, index;
    if (!find_step(s, loop, access->base, &base) || !find_step(s, loop, access->index, &index))
        return -1;
    const int64_t stride = base + index * access->scale;
    return stride < 0 ? -stride : stride;
}

/* Bytes accessed by the loop's loads, or stores, through the same registers, assuming that none
 * overlap. */
static int64_t bytes_through(const suspicion *s, int32_t loop, const stn_access *like)
{
    int64_t bytes = 0;
    for (int32_t i = 0; i < s->code->count; i++)
        for (int a = 0; stn_code_in_loop(s->code, loop, i) && a < s->code->instructions[i].accesses;
             a++) {
            const stn_access *access = s->code->instructions[i].access + a;
            if (access->base == like->base && access->index == like->index &&
                access->reads == like->reads)
                bytes += access->bits / 8 * access->lanes;
        }
    return bytes;
}

/* Arrays of structs and packed types: the stride of an iteration exceeds the accessed bytes. */
static int report_gap(suspicion *s, int32_t loop, const stn_access *access)
{
    const int64_t stride = stride_of(s, loop, access);
    const int64_t bytes = bytes_through(s, loop, access);
    if (stride <= bytes)
        return 0;
    fprintf(s->file,
            "  likely: elements are not contiguous: an iteration advances by %" PRId64
            " bytes and accesses %" PRId64
            " of them (a packed or padded struct, or a stride), so that vectors cannot be loaded\n",
            stride, bytes);
    s->known++;
    return 1;
}

/* A value stored to the same address in every iteration could have stayed in a register. */
static int report_fixed_store(suspicion *s, int32_t loop, const stn_access *access)
{
    if (!access->writes || access->lanes > 1 || access->base < 0 || stride_of(s, loop, access) != 0)
        return 0;
    report(s, "a store to the same address in every iteration: the compiler cannot prove that no "
              "other pointer refers to it (is restrict missing?)");
    return 1;
}

/* Calls `look` for each memory access of the loop until it reports something. */
static int look_at_accesses(suspicion *s, int32_t loop,
                            int (*look)(suspicion *s, int32_t loop, const stn_access *access))
{
    for (int32_t i = 0; i < s->code->count; i++)
        for (int a = 0; stn_code_in_loop(s->code, loop, i) && a < s->code->instructions[i].accesses;
             a++)
            if (s->code->instructions[i].access[a].space == STN_SPACE_MEMORY &&
                look(s, loop, s->code->instructions[i].access + a))
                return 1;
    return 0;
}

/* ---- causes, ordered so that earlier ones explain later ones ---- */

/* Code after such a jump is unknown. */
static int suspect_table(suspicion *s)
{
    if (s->subject->counts->unresolved_jumps == 0 || s->subject->function->loops > 0)
        return 0;
    report(s, "a jump with an unknown target: tables of a switch are read in optimized code only");
    return 1;
}

/* Iterations cannot be identified, for a reason given here. */
static int suspect_cycle(suspicion *s)
{
    const int hidden = stn_subject_hides(s->subject);
    if (!(hidden & STN_HIDDEN_ROUNDS) && !((hidden & STN_HIDDEN_CYCLES) && is_broken(s, "loops")))
        return 0;
    report(s, "a goto into a loop, a switch in a loop whose jump the compiler copied to each case "
              "(clang; -fno-jump-tables avoids it), or an exception handler");
    return 1;
}

static void suspect_calls(suspicion *s)
{
    if (s->subject->counts->calls > 0 && (is_broken(s, "calls") || about_vectors(s)))
        report(s, "calls: a function that was not inlined, or a support function of the compiler");
}

static void suspect_f64(suspicion *s)
{
    const stn_code_counts *counts = s->subject->counts;
    const int f64 = counts->scalar[STN_KIND_F64] + counts->packed[STN_KIND_F64] +
                    counts->scalar_fma[STN_KIND_F64] + counts->packed_fma[STN_KIND_F64];
    const int converted = counts->scalar_conversions + counts->packed_conversions;
    if (f64 > 0 && converted > 0 &&
        (is_broken(s, "scalar.f64") || is_broken(s, "packed.f64") || is_broken(s, "cvt") ||
         is_broken(s, "scalar_cvt") || is_broken(s, "packed_cvt")))
        report(s, "arithmetic in f64 between conversions: a literal without the suffix f, or an "
                  "operand of type double");
    else if (converted > 0 &&
             (is_broken(s, "cvt") || is_broken(s, "scalar_cvt") || is_broken(s, "packed_cvt")))
        report(s, "conversions between number types: an expression has operands of several types");
    else if (f64 > 0 && (is_broken(s, "scalar.f64") || is_broken(s, "packed.f64")))
        report(s, "arithmetic in f64");
}

static void suspect_spills(suspicion *s)
{
    const stn_code_counts *counts = s->subject->counts;
    const int32_t count = s->subject->loop == STN_LOOP_NONE
                              ? counts->local_loads + counts->local_stores
                              : counts->stack_loads + counts->stack_stores + counts->local_loads +
                                    counts->local_stores;
    if (count > 0 && (is_broken(s, "spill") || is_broken(s, "local")))
        report(s, "spills: values are stored on the stack and reloaded, because registers do not "
                  "suffice or a variable must be in memory (volatile, asm, its address is used)");
    else if (is_broken(s, "spill"))
        report(s, "the function keeps values on its stack");
}

static void suspect_loops(suspicion *s)
{
    if (s->subject->function->loops > 0 && is_broken(s, "loops"))
        report(s, "the compiler generated several versions of a loop: for arrays that may overlap "
                  "(is restrict missing?), for other strides, or for remainders");
}

static void suspect_scalar_code(suspicion *s, int32_t loop)
{
    const stn_code_counts *counts = s->subject->counts;
    const int32_t scalar = floats(counts->scalar, counts->scalar_fma);
    const int32_t packed = floats(counts->packed, counts->packed_fma);
    if (s->code->machine == STN_MACHINE_NVIDIA || !about_vectors(s))
        return;
    if (loop >= 0 && look_at_accesses(s, loop, report_gap))
        return;
    if (loop >= 0 && look_at_accesses(s, loop, report_fixed_store))
        return;
    if (scalar > 0 && packed == 0)
        report(s, "scalar arithmetic only: the loop was not vectorized (optimization below -O3, "
                  "vectorization disabled, arrays that may overlap, or a sum whose order matters)");
    else if (scalar > 0 && is_broken(s, "scalar"))
        report(s, "scalar and packed arithmetic: the loop was vectorized in part");
}

static void suspect_divisions(suspicion *s)
{
    if (s->subject->counts->approximations > 0 &&
        (is_broken(s, "divisions") || is_broken(s, "approximations")))
        report(s, "approximate reciprocals: the compiler uses them for divisions or square roots "
                  "(-ffast-math, -mrecip, any division on a GPU)");
}

static void suspect_hints(suspicion *s)
{
    if (s->subject->counts->cache_hints > 0 && is_broken(s, "cache"))
        report(s, "prefetches: from __builtin_prefetch or -fprefetch-loop-arrays");
}

static void suspect_bytes(suspicion *s)
{
    const stn_code_counts *counts = s->subject->counts;
    const int is_about = is_broken(s, "bytes");
    if (is_about && (counts->read_overlaps || counts->write_overlaps))
        report(s, "several addresses are computed from one pointer or from pointers on the stack: "
                  "bytes have an upper bound only");
}

/* GPU only. */
static int suspect_unsized(suspicion *s)
{
    const stn_code_counts *counts = s->subject->counts;
    const int is_about = is_broken(s, "load") || is_broken(s, "store") || is_broken(s, "bytes");
    if (!is_about || counts->unsized_loads + counts->unsized_stores == 0)
        return 0;
    report(s, "bulk copies, textures or surfaces: the code does not contain their number of bytes");
    return 1;
}

/* Vector accesses that are narrower than required. */
static void suspect_narrow(suspicion *s)
{
    const stn_code_counts *counts = s->subject->counts;
    if (s->known > 0 || !(is_broken(s, "load") || is_broken(s, "store")))
        return;
    if (s->code->machine == STN_MACHINE_NVIDIA)
        report(s,
               "narrow accesses: the alignment of the type is smaller than its size, or elements "
               "are not contiguous");
    else if (counts->loads[STN_WIDTH_128] + counts->stores[STN_WIDTH_128] +
                 counts->loads[STN_WIDTH_256] + counts->stores[STN_WIDTH_256] >
             0)
        report(s, "vectors of another width: built for another instruction set (-march), or with "
                  "-mprefer-vector-width");
    else
        report(s, "narrow accesses: not vectorized");
}

static void suspect_counts(suspicion *s, int32_t loop)
{
    if (!suspect_table(s))
        suspect_calls(s);
    suspect_f64(s);
    suspect_spills(s);
    suspect_loops(s);
    suspect_divisions(s);
    suspect_hints(s);
    suspect_bytes(s);
    suspect_scalar_code(s, loop);
    if (!suspect_unsized(s))
        suspect_narrow(s);
}

void stn_print_causes(const stn_code *code, const stn_subject *subject, const stn_expectations *all,
                      const stn_expectation *expectation, const unsigned char *broken, FILE *file)
{
    suspicion s = {code, subject, all, expectation, broken, file, 0};
    int32_t loop = subject->loop;
    if (loop == STN_LOOP_MAIN)
        loop = subject->function->main_loop;
    if (!suspect_cycle(&s))
        suspect_counts(&s, loop);
    if (subject->counts->unknown > 0)
        fprintf(file, "  %" PRId32 " of its instructions are unknown and were counted as such\n",
                subject->counts->unknown);
}
