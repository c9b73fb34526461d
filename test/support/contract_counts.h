/* Counts of code compared with text such as "loads.256 1, elements 4". */
#ifndef STENO_TEST_CONTRACT_COUNTS_H
#define STENO_TEST_CONTRACT_COUNTS_H

#include "check.h"
#include "contract/isa/code.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The index of an element by its name after the dot: a width, a kind or a register file. */
static inline size_t count_index(const char *name)
{
    static const char *const lists[][7] = {
        {"8 ", "16 ", "32 ", "64 ", "128 ", "256 ", "512 "},
        {"f64 ", "f32 ", "f16 ", "int "},
        {"thread ", "predicate ", "uniform ", "uniform_predicate "},
    };
    for (size_t list = 0; list < 3; list++)
        for (size_t k = 0; k < 7 && lists[list][k]; k++)
            if (strncmp(name, lists[list][k], strlen(lists[list][k])) == 0)
                return k;
    fail_msg("no element %s", name);
    return 0;
}

#define COUNT_OF(member)                                                                           \
    {                                                                                              \
#        member, offsetof(stn_code_counts, member), sizeof(((stn_code_counts *)0)->member)         \
    }
#define COUNTS_OF(member)                                                                          \
    {                                                                                              \
#        member, offsetof(stn_code_counts, member), sizeof(((stn_code_counts *)0)->member[0])      \
    }

/* `name` is a member, or a member, a dot and an element, followed by a space. */
static inline int64_t count_named(const stn_code_counts *counts, const char *name)
{
    static const struct {
        const char *name;
        size_t offset, size;
    } all[] = {
        COUNT_OF(size),
        COUNT_OF(instructions),
        COUNT_OF(unknown),
        COUNTS_OF(loads),
        COUNTS_OF(stores),
        COUNT_OF(raw_read),
        COUNT_OF(raw_written),
        COUNT_OF(distinct_read),
        COUNT_OF(distinct_written),
        COUNT_OF(read_overlaps),
        COUNT_OF(write_overlaps),
        COUNT_OF(elements),
        COUNTS_OF(scalar),
        COUNTS_OF(packed),
        COUNTS_OF(scalar_fma),
        COUNTS_OF(packed_fma),
        COUNT_OF(scalar_conversions),
        COUNT_OF(packed_conversions),
        COUNT_OF(gathers),
        COUNT_OF(scatters),
        COUNT_OF(calls),
        COUNT_OF(branches),
        COUNT_OF(stack_loads),
        COUNT_OF(stack_stores),
        COUNT_OF(stack_bytes),
        COUNT_OF(local_loads),
        COUNT_OF(local_stores),
        COUNT_OF(constant_loads),
        COUNT_OF(divisions),
        COUNTS_OF(live),
        COUNTS_OF(used),
        COUNT_OF(unknown_registers),
        COUNT_OF(stalls),
        COUNT_OF(waits),
    };
    const size_t length = strcspn(name, ". ");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (strlen(all[k].name) != length || strncmp(all[k].name, name, length) != 0)
            continue;
        const size_t index = name[length] == '.' ? count_index(name + length + 1) : 0;
        const char *from = (const char *)counts + all[k].offset + index * all[k].size;
        int32_t narrow;
        int64_t wide;
        if (all[k].size == sizeof narrow)
            return memcpy(&narrow, from, sizeof narrow), narrow;
        return memcpy(&wide, from, sizeof wide), wide;
    }
    fail_msg("no count %s", name);
    return 0;
}

/* The label is printed if a count differs. */
static inline void assert_counts(const stn_code_counts *counts, const char *expected,
                                 const char *label)
{
    for (const char *at = expected; *at; at += strspn(at, ", ")) {
        const int length = (int)strcspn(at, " ");
        long long value = 0;
        int used = 0;
        assert_int_equal(sscanf(at + length, "%lld%n", &value, &used), 1);
        const long long found = (long long)count_named(counts, at);
        if (found != value)
            fail_msg("%s\n%.*s is %lld, not %lld", label, length, at, found, value);
        at += length + used;
    }
}

#endif
